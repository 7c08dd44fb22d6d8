//! One player: the shortest solution by iterative deepening, cut by the rules' own lower bound if there is one (IDA*).
//! It is here until one-player engines have a place in `search`.

use std::time::{Duration, Instant};

use game::{Game, Move, MoveList, Outcome, RuleFault, Signature, Stage};

use crate::interrupt;

/// How far, how long and how much to look.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Limits {
    /// Moves of a solution at most.
    pub(crate) length: Option<u32>,
    /// Time at most.
    pub(crate) time: Option<Duration>,
    /// Positions to look at, at most.
    pub(crate) nodes: Option<u64>,
}

/// What came out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Verdict {
    /// A solution, and none is shorter.
    Solved(Vec<Move>),
    /// Every line comes to an end without one.
    Unsolvable,
    /// A limit was reached, or Ctrl-C.
    Unknown,
}

/// What came out and what it took.
#[derive(Clone, Debug)]
pub(crate) struct Solution {
    pub(crate) verdict: Verdict,
    /// No solution is shorter than this.
    pub(crate) bound: u32,
    /// Positions looked at.
    pub(crate) nodes: u64,
    /// Time it took.
    pub(crate) elapsed: Duration,
}

/// Why a search ended early.
enum Halt {
    Limit,
    Fault(RuleFault),
}

impl From<RuleFault> for Halt {
    fn from(fault: RuleFault) -> Halt {
        Halt::Fault(fault)
    }
}

/// Looks for the shortest solution. `progress` hears of every length that is begun, with the nodes so far.
pub(crate) fn solve<G: Game>(
    game: &G,
    start: &G::Position,
    limits: Limits,
    progress: &mut dyn FnMut(u32, u64),
) -> Result<Solution, RuleFault> {
    let mut search = Search { game, limits, began: Instant::now(), nodes: 0, path: Vec::new(), next: None };
    let mut bound = search.lower_bound(start)?.max(1);
    let verdict = loop {
        if limits.length.is_some_and(|length| bound > length) {
            break Verdict::Unknown;
        }
        progress(bound, search.nodes);
        search.next = None;
        match search.look(&mut start.clone(), 0, bound, None) {
            Ok(true) => {
                search.path.reverse();
                break Verdict::Solved(search.path);
            }
            Ok(false) => match search.next {
                Some(next) => bound = next,
                None => break Verdict::Unsolvable,
            },
            Err(Halt::Limit) => break Verdict::Unknown,
            Err(Halt::Fault(fault)) => return Err(fault),
        }
    };
    Ok(Solution { verdict, bound, nodes: search.nodes, elapsed: search.began.elapsed() })
}

struct Search<'game, G> {
    game: &'game G,
    limits: Limits,
    began: Instant,
    nodes: u64,
    /// The solution, last move first, while the search returns with it.
    path: Vec<Move>,
    /// The least length that was out of bounds.
    next: Option<u32>,
}

/// Nodes between two looks at the time.
const INTERVAL: u64 = 64;

impl<G: Game> Search<'_, G> {
    fn lower_bound(&self, position: &G::Position) -> Result<u32, RuleFault> {
        Ok(self.game.evaluate(position)?.max(0) as u32)
    }

    fn tick(&mut self) -> Result<(), Halt> {
        self.nodes += 1;
        let late = || {
            let over = self.limits.time.is_some_and(|time| self.began.elapsed() >= time);
            self.nodes.is_multiple_of(INTERVAL) && over
        };
        let enough = self.limits.nodes.is_some_and(|most| self.nodes > most);
        if interrupt::requested() || enough || late() { Err(Halt::Limit) } else { Ok(()) }
    }

    /// Whether there is a solution of at most this length, when so many moves are made already.
    fn look(
        &mut self,
        position: &mut G::Position,
        made: u32,
        bound: u32,
        before: Option<Signature>,
    ) -> Result<bool, Halt> {
        self.tick()?;
        let mut moves = MoveList::new();
        if self.game.generate(position, Stage::All, &mut moves)?.is_some() {
            return Ok(false);
        }
        let here = self.game.signature(position);
        for played in moves.iter() {
            if played.head.outcome() == Some(Outcome::Win) {
                self.path.push(played.to_move());
                return Ok(true);
            }
            // Going back at once never helps.
            let goes_back = before == Some(here ^ played.head.signature_difference);
            if goes_back || played.head.outcome().is_some() {
                continue;
            }
            self.game.play(position, played);
            let length = made.saturating_add(1).saturating_add(self.lower_bound(position)?.max(1));
            let found = if length > bound {
                self.next = Some(self.next.map_or(length, |next| next.min(length)));
                false
            } else {
                self.look(position, made + 1, bound, Some(here))?
            };
            self.game.take_back(position, played);
            if found {
                self.path.push(played.to_move());
                return Ok(true);
            }
        }
        Ok(false)
    }
}
