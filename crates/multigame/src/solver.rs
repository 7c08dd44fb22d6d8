//! Which engine solves a puzzle, and with which lower bounds: for `solve`, for hints, and for the computer that plays
//! a puzzle.

use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use game::motion::{Bounds, Divided, Motion, State};
use game::{Game, Move, MoveList, Stage};
use parallel::tds::{self, Carrying, Scheduling, Settings, Task};
use search::one_player::added::Added;
use search::one_player::{
    self, Budget, Cost, Found, NoBounds, PieceByPiece, Progress, Verdict, Wanted, best_first, bidirectional,
    depth_first,
};

use crate::cli::PuzzleEngine;
use crate::databases::{self, Tables};
use crate::{cluster, interrupt, tuned};

/// What cuts a search short of the truth.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Bound {
    /// Distances for easy positions, pattern databases for others, made if need be
    Automatic,
    /// Pattern databases
    Patterns,
    /// For each piece the moves that it alone needs, added up where no move serves two: the Manhattan distance
    Distances,
    /// What the rules state in their evaluation, with a table of what is known not to suffice
    Rules,
    /// Nothing
    None,
}

/// What is wanted of a solution.
#[derive(Clone, Debug)]
pub(crate) struct Wishes {
    pub(crate) wanted: Wanted,
    pub(crate) cost: Cost,
    pub(crate) bound: Bound,
    pub(crate) time: Option<Duration>,
    pub(crate) nodes: Option<u64>,
    /// Memory for what is remembered, in bytes.
    pub(crate) memory: usize,
    /// Threads that databases are made on.
    pub(crate) threads: usize,
    /// Whether several processors solve it together.
    pub(crate) sharing: Option<Sharing>,
    /// Whether each of them holds but a part of the databases.
    pub(crate) divided: bool,
    /// Whether databases that are missing may be made; a player who waits for a hint does not want to wait for them.
    pub(crate) makes: bool,
}

/// How several processors solve a puzzle together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Sharing {
    pub(crate) scheduling: Scheduling,
    pub(crate) threads: usize,
    /// Whether it was asked for, whatever the puzzle.
    pub(crate) is_wish: bool,
}

impl Sharing {
    /// With what was found to be good for a puzzle.
    fn settings(self, game: &str) -> Result<Settings> {
        let settings = Settings::real(self.scheduling);
        let (processors, _) = cluster::places(self.threads);
        let is_one_process = processors == self.threads;
        let found = match self.scheduling {
            Scheduling::Home => tuned::habits()?.of_engine(game, "tds", processors, is_one_process),
            Scheduling::Stealing => None,
        };
        Ok(found.map_or(settings, |tuning| settings.with_batch(tuning.batch)))
    }
}

/// Memory of several processors for what they remember; states that are worth it are few.
const SHARED_BYTES_MAX: usize = 16 << 20;

impl Wishes {
    /// A shortest solution within some time.
    pub(crate) fn within(time: Option<Duration>) -> Wishes {
        let (wanted, cost, bound) = (Wanted::One, Cost::Moves, Bound::Automatic);
        let (memory, threads) = (512 << 20, 1);
        let (nodes, sharing, divided, makes) = (None, None, false, false);
        Wishes { wanted, cost, bound, time, nodes, memory, threads, sharing, divided, makes }
    }
}

/// What came out.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    pub(crate) found: Found<Move>,
    /// Time of the search itself.
    pub(crate) elapsed: Duration,
    /// The engine's name.
    pub(crate) engine: &'static str,
    /// What the bounds are.
    pub(crate) bounds: String,
}

/// Solves a puzzle.
pub(crate) fn solve<G: Game>(
    game: &G,
    start: &G::Position,
    wishes: &Wishes,
    progress: &mut Progress<'_>,
) -> Result<Answer> {
    if one_player::is_solved(game, start)? {
        let found = Found { verdict: Verdict::Solved(vec![Vec::new()]), bound: 0, nodes: 0, solutions: 1 };
        return Ok(Answer { found, elapsed: Duration::ZERO, engine: "none", bounds: String::new() });
    }
    let motion = if wishes.cost == Cost::Moves { Motion::of(game) } else { None };
    if wishes.bound == Bound::Rules
        && let Some(motion) = &motion
        && let Some(state) = motion.state(&game.unpack(start))
        && let Some(bounds) = Added::new(game, motion, &state, &game.unpack(start))
    {
        let name = "the rules' own, kept up to date";
        return with_bounds(game, start, motion, &state, (&bounds, None), name, wishes, progress);
    }
    if let Some(motion) = motion.filter(|_| wishes.bound != Bound::Rules) {
        match motion.state(&game.unpack(start)) {
            Some(state) => return solve_motion(game, start, &motion, &state, wishes, progress),
            None if motion.is_reversible() => {
                let found = Found { verdict: Verdict::Unsolvable, bound: 0, nodes: 0, solutions: 0 };
                return Ok(Answer { found, elapsed: Duration::ZERO, engine: "none", bounds: String::new() });
            }
            None => {}
        }
    }
    if wishes.sharing.is_some_and(|sharing| sharing.is_wish) {
        let name = &game.info().name;
        bail!(
            "the moves of `{name}` do not just carry pieces: leave --engine out to solve it on one processor"
        );
    }
    // One processor is enough for what cannot be shared.
    if !cluster::speaks() {
        let found = Found { verdict: Verdict::Unknown, bound: 0, nodes: 0, solutions: 0 };
        return Ok(Answer { found, elapsed: Duration::ZERO, engine: "none", bounds: String::new() });
    }
    solve_any(game, start, wishes, progress)
}

/// Nodes within which an easy position is solved by distances alone.
const EASY: u64 = 4_000_000;

/// A puzzle whose moves carry pieces.
fn solve_motion<G: Game>(
    game: &G,
    start: &G::Position,
    motion: &Motion,
    state: &State,
    wishes: &Wishes,
    progress: &mut Progress<'_>,
) -> Result<Answer> {
    if wishes.bound == Bound::None {
        return with_bounds(game, start, motion, state, (&NoBounds, None), "none", wishes, progress);
    }
    let distances = PieceByPiece::new(motion);
    let name = "distances of single pieces";
    if wishes.bound == Bound::Distances {
        return with_bounds(game, start, motion, state, (&distances, None), name, wishes, progress);
    }
    if wishes.divided {
        return solve_divided(game, start, motion, state, &distances, wishes, progress);
    }
    if wishes.bound == Bound::Automatic {
        let nodes = Some(wishes.nodes.map_or(EASY, |nodes| nodes.min(EASY)));
        // All processes of a cluster come to the same result, so none of them may stop sooner.
        let time = if cluster::launched() { None } else { wishes.time };
        let easy = Wishes { nodes, time, sharing: None, ..wishes.clone() };
        let bounds = (&distances, None);
        let answer = with_bounds(game, start, motion, state, bounds, name, &easy, progress)?;
        let is_all = nodes == wishes.nodes || interrupt::requested();
        if answer.found.verdict != Verdict::Unknown || is_all {
            return Ok(answer);
        }
    }
    let makes = wishes.makes.then_some(wishes.threads);
    let found =
        cluster::first_alone(|| databases::bounds(&game.info().name, motion, wishes.memory as u64, makes));
    let tables = match found {
        // A table that is of no use is no reason to give no hint.
        Err(_) if !wishes.makes => None,
        tables => tables?,
    };
    match tables {
        Some((Tables::Patterns(bounds), name)) => {
            with_bounds(game, start, motion, state, (&bounds, None), &name, wishes, progress)
        }
        Some((Tables::Cosets(bounds), name)) => {
            with_bounds(game, start, motion, state, (&bounds, None), &name, wishes, progress)
        }
        None => with_bounds(game, start, motion, state, (&distances, None), name, wishes, progress),
    }
}

/// A puzzle whose databases are held by all processors together.
fn solve_divided<G: Game>(
    game: &G,
    start: &G::Position,
    motion: &Motion,
    state: &State,
    distances: &PieceByPiece,
    wishes: &Wishes,
    progress: &mut Progress<'_>,
) -> Result<Answer> {
    let Some(sharing) = wishes.sharing.filter(|sharing| sharing.scheduling == Scheduling::Home) else {
        bail!("--divided is for several processors that share a puzzle by --engine tds");
    };
    let name = &game.info().name;
    let places = cluster::places(sharing.threads);
    let (memory, threads) = (wishes.memory as u64, wishes.threads);
    let parts = cluster::first_alone(|| databases::parts(name, motion, memory, threads, places))?;
    let Some((parts, words)) = parts else {
        bail!("there are no pattern databases for `{name}` that could be divided: leave --divided out");
    };
    with_bounds(game, start, motion, state, (distances, Some(&parts)), &words, wishes, progress)
}

#[allow(clippy::too_many_arguments)] // all that a search needs, once
fn with_bounds<G: Game, B: Bounds>(
    game: &G,
    start: &G::Position,
    motion: &Motion,
    state: &State,
    (bounds, divided): (&B, Option<&dyn Divided>),
    name: &str,
    wishes: &Wishes,
    progress: &mut Progress<'_>,
) -> Result<Answer> {
    let began = Instant::now();
    let stop = stop(began, wishes.time);
    let limits = Budget { nodes: wishes.nodes, bytes: wishes.memory, stop: &stop };
    let (found, engine) = match wishes.sharing {
        Some(sharing) if Carrying::<B>::fits(motion) => {
            let shared = (sharing, sharing.settings(&game.info().name)?);
            let found = solve_together(motion, state, (bounds, divided), shared, &limits, progress)?;
            (found, PuzzleEngine::Shared(sharing.scheduling).name())
        }
        _ => (one_player::solve_motion(motion, state, bounds, wishes.wanted, &limits, progress), "ida"),
    };
    let elapsed = began.elapsed();
    let verdict = match found.verdict {
        Verdict::Solved(lines) => {
            let mut named = Vec::new();
            for line in &lines {
                named.extend(one_player::moves_of(game, motion, start, line)?);
            }
            Verdict::Solved(named)
        }
        Verdict::Unsolvable => Verdict::Unsolvable,
        Verdict::Unknown => Verdict::Unknown,
    };
    let found = Found { verdict, bound: found.bound, nodes: found.nodes, solutions: found.solutions };
    Ok(Answer { found, elapsed, engine, bounds: name.to_owned() })
}

/// Several processors solve a puzzle together.
fn solve_together<B: Bounds>(
    motion: &Motion,
    state: &State,
    (bounds, divided): (&B, Option<&dyn Divided>),
    (sharing, settings): (Sharing, Settings),
    limits: &Budget<'_>,
    progress: &mut Progress<'_>,
) -> Result<Found<usize>> {
    if !motion.invariants.allow(motion, state) {
        return Ok(Found { verdict: Verdict::Unsolvable, bound: 0, nodes: 0, solutions: 0 });
    }
    let space = Carrying::new(motion, state, bounds);
    // Where databases are divided every state travels, and is worth remembering.
    let (space, most) = match divided {
        Some(divided) => (space.divided(divided), limits.bytes),
        None => (space, SHARED_BYTES_MAX),
    };
    let task = Task { space: &space, settings, table_bytes: limits.bytes.min(most) };
    Ok(tds::solve(&task, sharing.threads, limits, progress)?.found)
}

/// Whether to stop: Ctrl-C, no time left, or the answer is not wanted any more.
fn stop(began: Instant, time: Option<Duration>) -> impl Fn() -> bool {
    move || {
        let late = time.is_some_and(|time| began.elapsed() >= time);
        late || interrupt::requested() || game::stopping::is_requested()
    }
}

/// Any other puzzle.
fn solve_any<G: Game>(
    game: &G,
    start: &G::Position,
    wishes: &Wishes,
    progress: &mut Progress<'_>,
) -> Result<Answer> {
    let began = Instant::now();
    let stop = stop(began, wishes.time);
    let limits = Budget { nodes: wishes.nodes, bytes: wishes.memory, stop: &stop };
    let states_bound = game.lower_bound(start)? > 0;
    let answer = |found: Found<Move>, engine: &'static str| {
        let uses_bound = states_bound && wishes.cost == Cost::Moves && engine != "bidirectional";
        let bounds = if uses_bound { "the rules' own" } else { "none" };
        Ok(Answer { found, elapsed: began.elapsed(), engine, bounds: bounds.to_owned() })
    };
    if wishes.bound == Bound::Rules && wishes.cost == Cost::Moves {
        return answer(depth_first::solve(game, start, &limits, progress)?, "ida");
    }
    let mut moves = MoveList::new();
    game.generate(start, Stage::All, &mut moves)?;
    let comes_again = moves.iter().any(|played| !played.head.irreversible());
    if comes_again
        && wishes.cost == Cost::Moves
        && let Some(goal) = one_player::goal_position(game)
        && let Some(found) = bidirectional::solve(game, start, &goal, &limits, progress)?
        && found.verdict != Verdict::Unknown
    {
        return answer(found, "bidirectional");
    }
    if comes_again || wishes.cost != Cost::Moves {
        let found = best_first::solve(game, start, wishes.cost, &limits, progress)?;
        let is_over = found.verdict != Verdict::Unknown || limits.reached(found.nodes);
        if is_over || wishes.cost != Cost::Moves {
            return answer(found, "astar");
        }
    }
    answer(depth_first::solve(game, start, &limits, progress)?, "ida")
}
