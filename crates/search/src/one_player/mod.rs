//! Puzzles: shortest solutions, and proofs that there are none shorter.
//!
//! A puzzle whose moves carry pieces ([`game::Motion`]) is solved by iterative deepening over its states, cut by
//! lower bounds that the caller brings along: [`sliding`] where a move carries one piece, [`turning`] where it
//! carries several. Any other puzzle is solved with what every game offers: [`bidirectional`] search where the end is
//! known, [`best_first`] as long as memory lasts, [`depth_first`] where no position comes again or there are too
//! many.

pub mod added;
pub mod alike;
pub mod best_first;
pub mod bidirectional;
pub mod depth_first;
pub mod dive;
pub mod external;
pub mod packing;
pub mod pruning;
pub mod sliding;
pub mod turning;
pub mod visited;
pub mod words;

use game::motion::{Bounds, Motion, State, Turn};
use game::{Game, Move, MoveList, MoveView, Outcome, PieceCode, Position, RuleFault, Stage};

/// How much to look at.
#[derive(Clone, Copy)]
pub struct Budget<'run> {
    /// Positions to look at, at most.
    pub nodes: Option<u64>,
    /// Memory for what is remembered.
    pub bytes: usize,
    /// Asked now and then whether to stop.
    pub stop: &'run dyn Fn() -> bool,
}

impl Budget<'_> {
    /// Whether it is time to stop after so many nodes.
    #[must_use]
    pub fn reached(&self, nodes: u64) -> bool {
        self.nodes.is_some_and(|most| nodes >= most) || (self.stop)()
    }
}

/// What came out; a solution is a list of moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict<M> {
    /// Solutions, all of them of the least cost: one, or as many as were wanted.
    Solved(Vec<Vec<M>>),
    /// There is none.
    Unsolvable,
    /// A limit was reached.
    Unknown,
}

/// What came out and what it took.
#[derive(Clone, Debug)]
pub struct Found<M> {
    /// The answer.
    pub verdict: Verdict<M>,
    /// No solution costs less than this.
    pub bound: u32,
    /// Positions looked at.
    pub nodes: u64,
    /// Solutions of the least cost, if all were wanted; otherwise 1 or 0.
    pub solutions: u64,
}

/// How many solutions are wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wanted {
    /// A shortest one.
    One,
    /// All shortest ones.
    All,
}

/// Solutions that are kept when all are wanted; the others are counted.
pub const SOLUTIONS_KEPT: usize = 10_000;

/// Hears of every length that is begun, with the nodes so far.
pub type Progress<'run> = dyn FnMut(u32, u64) + 'run;

/// The shortest solutions of a state, as numbers of moves in the modes that they pass.
pub fn solve_motion<B: Bounds>(
    motion: &Motion,
    start: &State,
    bounds: &B,
    wanted: Wanted,
    limits: &Budget<'_>,
    progress: &mut Progress<'_>,
) -> Found<usize> {
    if !motion.invariants.allow(motion, start) {
        return Found { verdict: Verdict::Unsolvable, bound: 0, nodes: 0, solutions: 0 };
    }
    match motion.carries_one() {
        true => sliding::solve(motion, start, bounds, wanted, limits, progress),
        false => turning::solve(motion, start, bounds, wanted, limits, progress),
    }
}

/// The moves of a solution that is given by numbers of operators; `None` if it is not one of this game.
///
/// # Errors
/// When the rules go wrong.
pub fn moves_of<G: Game>(
    game: &G,
    motion: &Motion,
    start: &G::Position,
    numbers: &[usize],
) -> Result<Option<Vec<Move>>, RuleFault> {
    let Some(mut state) = motion.state(&game.unpack(start)) else { return Ok(None) };
    let (mut position, mut moves, mut line) = (start.clone(), MoveList::new(), Vec::new());
    for &number in numbers {
        state = motion.after(&state, &motion.modes[usize::from(state.mode)][number]);
        game.generate(&position, Stage::All, &mut moves)?;
        let leads_there = |played: &MoveView<'_>| {
            let mut after = position.clone();
            game.play(&mut after, *played);
            motion.state(&game.unpack(&after)).as_ref() == Some(&state)
        };
        let Some(played) = moves.iter().find(leads_there) else { return Ok(None) };
        line.push(played.to_move());
        game.play(&mut position, played);
    }
    Ok(Some(line))
}

/// The one position that is solved, if the rules say so field by field and there is but one.
#[must_use]
pub fn goal_position<G: Game>(game: &G) -> Option<G::Position> {
    let (info, goal) = (game.info(), game.goal()?);
    if info.stored_slots() != info.geometry.fields() {
        return None;
    }
    let known = info.pieces.iter().fold(1, |known: u128, piece| known | piece.codes[0].bit());
    let mut position = Position::empty(info);
    for field in (0..info.geometry.fields()).filter(|&field| info.geometry.is_used(field as u16)) {
        let codes = goal[field] & known;
        if codes.count_ones() != 1 {
            return None;
        }
        position.put(info, field as u16, PieceCode(codes.trailing_zeros() as u8));
    }
    game.accepts(&position).ok()?;
    Some(game.pack(&position))
}

/// Whether a position is solved already. Rules may say so of moves only; then the move back to here says it of this
/// one.
///
/// # Errors
/// When the rules go wrong.
pub fn is_solved<G: Game>(game: &G, start: &G::Position) -> Result<bool, RuleFault> {
    let (mut moves, mut replies) = (MoveList::new(), MoveList::new());
    if let Some(outcome) = game.generate(start, Stage::All, &mut moves)? {
        return Ok(outcome == Outcome::Win);
    }
    if let Some(solved) = game.is_solved(start) {
        return Ok(solved);
    }
    let (here, mut position) = (game.signature(start), start.clone());
    for played in moves.iter() {
        game.play(&mut position, played);
        let there = game.signature(&position);
        game.generate(&position, Stage::All, &mut replies)?;
        game.take_back(&mut position, played);
        let back = replies.iter().find(|reply| there ^ reply.head.signature_difference == here);
        if let Some(back) = back {
            return Ok(back.head.outcome() == Some(Outcome::Win));
        }
    }
    Ok(false)
}

/// What moves cost: 1 each, or what a `move` property says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cost {
    /// Every move costs 1.
    Moves,
    /// The value of the `move` property with this slot, 0 where a move does not have it.
    Property(usize),
}

impl Cost {
    /// What a move costs.
    #[must_use]
    pub fn of(self, played: MoveView<'_>) -> u32 {
        match self {
            Cost::Moves => 1,
            Cost::Property(slot) => {
                let tag = played.changes.iter().find(|change| change.slot() == slot);
                tag.map_or(0, |change| change.tag_value().clamp(0, i64::from(u16::MAX)) as u32)
            }
        }
    }
}

/// The bound that is always right.
#[derive(Clone, Copy, Debug)]
pub struct NoBounds;

impl Bounds for NoBounds {
    type Kept = ();

    fn begin(&self, _: &[u8]) {}

    fn after(&self, (): (), _: u8, _: u8, _: u8, _: &[u8; game::motion::SITES_MAX]) {}

    fn value(&self, (): ()) -> u32 {
        0
    }

    type Turned = ();

    fn turned(&self, _: &[u8; game::motion::SITES_MAX]) {}

    fn turn(&self, _: &Turn<'_, ()>) {}

    fn bound(&self, _: &Turn<'_, ()>, _: usize, side: u8, _: u32) -> (u32, u8) {
        (0, side)
    }

    fn whole(&self, _: &[u8; game::motion::SITES_MAX]) -> (u32, u8) {
        (0, 0)
    }
}

/// For every piece the moves that it alone needs, added up: the Manhattan distance of a sliding puzzle, found and not
/// told. Only where moves carry one piece; otherwise the greatest of them.
#[derive(Clone, Debug)]
pub struct PieceByPiece {
    /// By piece and site, in rows of [`game::motion::SITES_MAX`].
    weights: Box<[[u8; 64]; 64]>,
    goal: Vec<u8>,
    adds: bool,
}

impl PieceByPiece {
    /// The distances of a puzzle's pieces.
    #[must_use]
    pub fn new(motion: &Motion) -> PieceByPiece {
        let mut weights = Box::new([[0; 64]; 64]);
        for (piece, row) in weights.iter_mut().enumerate().take(motion.pieces()) {
            row.iter_mut().zip(motion.distances(piece)).for_each(|(weight, distance)| *weight = distance);
        }
        PieceByPiece { weights, goal: motion.goal.at.clone(), adds: motion.carries_one() }
    }
}

impl Bounds for PieceByPiece {
    type Kept = u32;

    fn begin(&self, at: &[u8]) -> u32 {
        let each =
            at.iter().enumerate().map(|(piece, &site)| u32::from(self.weights[piece][usize::from(site)]));
        if self.adds { each.sum() } else { each.max().unwrap_or(0) }
    }

    #[inline(always)]
    fn after(&self, kept: u32, piece: u8, from: u8, to: u8, _: &[u8; 64]) -> u32 {
        let row = &self.weights[usize::from(piece) % 64];
        kept + u32::from(row[usize::from(to) % 64]) - u32::from(row[usize::from(from) % 64])
    }

    #[inline(always)]
    fn value(&self, kept: u32) -> u32 {
        kept
    }

    type Turned = ();

    fn turned(&self, _: &[u8; 64]) {}

    fn turn(&self, _: &Turn<'_, ()>) {}

    fn bound(&self, turn: &Turn<'_, ()>, _: usize, _: u8, _: u32) -> (u32, u8) {
        self.whole(&turn.after(self.goal.len()))
    }

    fn whole(&self, at: &[u8; 64]) -> (u32, u8) {
        (self.begin(&at[..self.goal.len()]), 0)
    }
}
