//! Games that policies learn from, and are tested by.

use ::game::record::Standing;
use ::game::{Colour, Game, Move, Position};
use anyhow::{Result, bail};
use learn::policy::PolicySample;
use network::policy::{Eyes, Seen};
use network::samples::Ended;
use protocol::{EngineOptions, Session, chance};
use search::monte_carlo::{self, Harvest};
use search::watch::Watch;
use search::{Control, Engine, Limits, Root, Settings, StoppedClock};

use super::game::{Manner as Opening, opening};

/// A game as long as this is drawn.
const PLIES_MAX: usize = 600;
/// How much of the root's advice is replaced by chance in games to learn from.
const NOISE: f32 = 0.25;

/// How games are played.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Manner {
    /// Playouts of each search.
    pub(crate) playouts: u64,
    /// Random moves at the beginning at most; then twice as many moves are chosen by how often they were visited.
    pub(crate) random_plies: u32,
}

/// Who plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Teacher {
    /// Monte Carlo search with random games, so many times as many as with a policy.
    MonteCarlo(u64),
    /// The usual engine with so many nodes.
    AlphaBeta(u64),
}

impl Teacher {
    /// The teacher, or, where there is a policy, Monte Carlo search led by it.
    pub(super) fn unless(self, is_led: bool) -> Teacher {
        if is_led { Teacher::MonteCarlo(1) } else { self }
    }
}

/// What a player thinks of a position.
struct Opinion {
    best: Move,
    /// The expected result for the mover, from 0 to 1.
    expected: f32,
    /// Whether that is certain.
    is_certain: bool,
    /// How often each move was visited, if the player counts that.
    visits: Vec<Harvest>,
}

/// A player of such games.
pub(super) fn session<'game, G: Game>(game: &'game G, start: &Position) -> Result<Session<'game, G>> {
    let options = EngineOptions { hash_mib: 1, ..EngineOptions::default() };
    let session = Session::new(game, start.clone(), options)?;
    session.warm_up()?;
    Ok(session)
}

fn think<G: Game>(
    session: &Session<'_, G>,
    teacher: Teacher,
    manner: Manner,
    noise: f32,
    seed: u64,
) -> Result<Opinion> {
    let (report, visits) = match teacher {
        Teacher::AlphaBeta(nodes) => {
            let task = session.task(Limits::to_nodes(nodes), Vec::new())?;
            (task.run(&mut |_, _| {})?.report, Vec::new())
        }
        Teacher::MonteCarlo(factor) => {
            let mut settings = Settings { seed, ..Settings::new(Engine::MonteCarlo) };
            settings.monte_carlo.playouts_max = manner.playouts * factor;
            settings.monte_carlo.noise = noise;
            let control = Control::default();
            let limits = Limits::default();
            let watch = Watch::new(&limits, &control, &StoppedClock);
            let root = Root::of_record(session.record());
            monte_carlo::explore(session.game(), &root, &settings, &limits, watch)?
        }
    };
    if let Some(fault) = report.fault {
        return Err((*fault).into());
    }
    let Some(best) = report.best else { bail!("the search found no move") };
    let value = report.score.value();
    let expected = match (report.score.is_decided(), teacher) {
        (true, _) => f32::from(u8::from(value > 0)),
        // As `Tree::score` says it.
        (false, Teacher::MonteCarlo(_)) => 0.5 + value as f32 / 2000.0,
        (false, Teacher::AlphaBeta(_)) => 1.0 / (1.0 + (-value as f32 / network::UNIT as f32).exp()),
    };
    Ok(Opinion { best, expected, is_certain: report.score.is_decided(), visits })
}

/// A game of a player with itself: what can be learned from it.
pub(super) fn alone<G: Game>(
    session: &mut Session<'_, G>,
    teacher: Teacher,
    start: &Position,
    eyes: &Eyes,
    manner: Manner,
    seed: u64,
) -> Result<Vec<PolicySample>> {
    let mut random = fastrand::Rng::with_seed(chance::mix(seed));
    begin(session, start, manner, seed)?;
    let mut seen: Vec<(Colour, PolicySample)> = Vec::new();
    let by_chance = session.record().moves().len() + 2 * manner.random_plies as usize;
    let winner = loop {
        if let Some(winner) = ended(session) {
            break winner;
        }
        let mover = session.game().mover(session.record().position());
        let thought = think(session, teacher, manner, NOISE, random.u64(..))?;
        seen.push((mover, sample(session, eyes, &thought).chosen(&mut random)));
        if thought.is_certain {
            break Some(if thought.expected > 0.5 { mover } else { mover.opponent() });
        }
        let played = match session.record().moves().len() < by_chance {
            true => by_visits(&thought, &mut random),
            false => thought.best,
        };
        session.play(&played)?;
    };
    let result = |mover: Colour| match winner {
        None => Ended::Draw,
        Some(winner) if winner == mover => Ended::Win,
        Some(_) => Ended::Loss,
    };
    Ok(seen.into_iter().map(|(mover, sample)| PolicySample { result: result(mover), ..sample }).collect())
}

/// A game between two; who won.
pub(super) fn between<'game, G: Game>(
    [one, other]: &mut [Session<'game, G>; 2],
    teachers: [Teacher; 2],
    colour: Colour,
    start: &Position,
    manner: Manner,
    seed: u64,
) -> Result<Option<Colour>> {
    begin(one, start, manner, seed)?;
    begin(other, start, manner, seed)?;
    let mut random = fastrand::Rng::with_seed(chance::mix(seed ^ u64::from(colour == Colour::Black)));
    loop {
        if let Some(winner) = ended(one) {
            return Ok(winner);
        }
        let mover = one.game().mover(one.record().position());
        let (thinker, teacher) = if mover == colour { (&*one, teachers[0]) } else { (&*other, teachers[1]) };
        let thought = think(thinker, teacher, manner, 0.0, random.u64(..))?;
        if thought.is_certain {
            return Ok(Some(if thought.expected > 0.5 { mover } else { mover.opponent() }));
        }
        one.play(&thought.best)?;
        other.play(&thought.best)?;
    }
}

/// The beginning of a game, with random moves.
fn begin<G: Game>(session: &mut Session<'_, G>, start: &Position, manner: Manner, seed: u64) -> Result<()> {
    session.begin(start.clone())?;
    session.clear_memory();
    let manner = Opening { nodes: 0, random_plies: manner.random_plies, seed };
    for played in opening(session.game(), start, manner, 0)? {
        session.play(&played)?;
    }
    Ok(())
}

/// Who has won, if the game is over.
fn ended<G: Game>(session: &Session<'_, G>) -> Option<Option<Colour>> {
    match session.record().standing() {
        Standing::Finished(outcome, viewer) => Some(outcome.winner(viewer)),
        _ if session.record().moves().len() >= PLIES_MAX => Some(None),
        _ => None,
    }
}

/// A move by chance, those that were visited often rather than others.
fn by_visits(thought: &Opinion, random: &mut fastrand::Rng) -> Move {
    let all: f32 = thought.visits.iter().map(|one| one.visits).sum();
    let mut left = random.f32() * all;
    let chosen = thought.visits.iter().find(|one| {
        left -= one.visits;
        left < 0.0
    });
    chosen.map_or_else(|| thought.best.clone(), |one| one.played.clone())
}

/// What can be learned from a position; the result is not known yet.
fn sample<G: Game>(session: &Session<'_, G>, eyes: &Eyes, thought: &Opinion) -> PolicySample {
    let position = session.position();
    let mover = position.mover();
    let mut things = Vec::new();
    let mut globals: Vec<u16> = eyes.whose(mover).into_iter().map(|global| global as u16).collect();
    for (slot, &value) in position.slots().iter().enumerate() {
        match eyes.seen(slot, eyes.step(slot, value), mover) {
            Seen::Nothing => {}
            Seen::Thing(field, class) => things.push(field * eyes.classes() as u16 + class),
            Seen::Global(global) => globals.push(global),
        }
    }
    let all: f32 = thought.visits.iter().map(|one| one.visits).sum();
    let share = |played: ::game::MoveView<'_>| {
        let visits = || thought.visits.iter().find(|one| one.played.view().same_as(played));
        match thought.is_certain || all < 1.0 {
            true => f32::from(u8::from(thought.best.view().same_as(played))),
            false => visits().map_or(0.0, |one| one.visits / all),
        }
    };
    let targets = |played: ::game::MoveView<'_>| {
        let of = |change: &::game::Change| eyes.target(change.slot(), change.new(), mover);
        played.changes.iter().filter_map(of).map(|target| target as u16).collect::<Vec<u16>>()
    };
    let moves = session.record().legal().iter().map(|played| (share(played), targets(played))).collect();
    let (expected, others) = (thought.expected, 0.0);
    PolicySample { result: Ended::Draw, expected, others, things, globals, moves }
}
