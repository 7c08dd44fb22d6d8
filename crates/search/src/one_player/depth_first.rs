//! Iterative deepening over the positions of any puzzle, with a table of what is known not to suffice. It is for
//! puzzles where no position comes again (each move takes a piece or fills a field), and for those that do not fit
//! into memory.
//!
//! Where all solutions are equally long the order of moves is all that matters, and which one is good is not known:
//! the rules' own order, and moves first that leave the fewest moves, take turns with more and more nodes.

use game::{Game, Move, MoveList, Outcome, RuleFault, Signature, Stage};

use super::{Budget, Found, Progress, Verdict};

/// Nodes of the first attempt with one order of moves; each one has so many times more.
const ATTEMPT: u64 = 200_000;
const GROWTH: u64 = 4;

/// Nodes between two looks at the clock.
const INTERVAL: u64 = 256;

/// Lines of play at most.
const LENGTH_MAX: u32 = 1 << 12;

/// Which moves come first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Order {
    Rules,
    FewestAnswers,
}

/// What is known of a position.
#[derive(Clone, Copy)]
struct Known {
    /// With so many moves left there is no solution.
    left: u16,
    /// If there is one behind this position it takes so many moves at least; [`NOTHING`] as long as that is not known.
    least: u16,
}

/// Nothing follows from an entry for the next length: it is being looked at, from where there are more moves left, or
/// nothing is out of reach behind it.
const NOTHING: u16 = u16::MAX;

/// What is remembered of positions, in sets of two; the one that says less makes room. Memory that is never written to
/// is not taken.
struct Memory {
    signatures: Vec<u64>,
    /// As plain numbers, because the system gives out zeros page by page: `left`, then `least`.
    known: Vec<[u16; 2]>,
}

impl Memory {
    fn new(bytes: usize) -> Memory {
        let entries = (bytes / 24).clamp(1 << 10, 1 << 27) * 2;
        Memory { signatures: vec![0; entries], known: vec![[0; 2]; entries] }
    }

    /// Where the set of a position begins.
    fn set(&self, signature: Signature) -> usize {
        2 * ((u128::from(signature.0) * (self.known.len() as u128 / 2)) >> 64) as usize
    }

    fn place(&self, signature: Signature) -> Option<usize> {
        let set = self.set(signature);
        (set..set + 2).find(|&place| self.signatures[place] == signature.0)
    }

    /// What is known of a position that has no solution with so many moves left.
    fn fails(&self, signature: Signature, left: u32) -> Option<Known> {
        let [known_left, least] = self.known[self.place(signature)?];
        (u32::from(known_left) >= left).then_some(Known { left: known_left, least })
    }

    /// Forgets a position.
    fn forget(&mut self, signature: Signature) {
        if let Some(place) = self.place(signature) {
            self.known[place] = [0; 2];
        }
    }

    fn note(&mut self, signature: Signature, known: Known) {
        let set = self.set(signature);
        let lesser = set + usize::from(self.known[set][0] > self.known[set + 1][0]);
        let place = self.place(signature).unwrap_or(lesser);
        (self.signatures[place], self.known[place]) = (signature.0, [known.left, known.least]);
    }
}

enum Halt {
    Limit,
    Enough,
    Fault(RuleFault),
}

impl From<RuleFault> for Halt {
    fn from(fault: RuleFault) -> Halt {
        Halt::Fault(fault)
    }
}

struct DeepeningSearch<'run, G: Game> {
    game: &'run G,
    limits: &'run Budget<'run>,
    memory: Memory,
    order: Order,
    nodes: u64,
    /// This attempt ends here.
    end: u64,
    path: Vec<Move>,
    /// Positions on the line that is looked at.
    line: Vec<Signature>,
    next: u32,
    /// Lists that are not in use.
    lists: Vec<MoveList>,
}

/// The shortest solution.
///
/// # Errors
/// When the rules go wrong.
pub fn solve<G: Game>(
    game: &G,
    start: &G::Position,
    limits: &Budget<'_>,
    progress: &mut Progress<'_>,
) -> Result<Found<Move>, RuleFault> {
    let memory = Memory::new(limits.bytes);
    let mut search = DeepeningSearch {
        game,
        limits,
        memory,
        order: Order::Rules,
        nodes: 0,
        end: ATTEMPT,
        path: Vec::new(),
        line: Vec::new(),
        next: 0,
        lists: Vec::new(),
    };
    let mut bound = game.lower_bound(start)?.max(1);
    let mut attempt = ATTEMPT;
    let verdict = loop {
        progress(bound, search.nodes);
        search.next = u32::MAX;
        match search.look(&mut start.clone(), 0, bound) {
            Ok(true) => {
                search.path.reverse();
                break Verdict::Solved(vec![std::mem::take(&mut search.path)]);
            }
            Ok(false) if search.next == u32::MAX => break Verdict::Unsolvable,
            Ok(false) if search.next > LENGTH_MAX => break Verdict::Unknown,
            Ok(false) => bound = search.next,
            Err(Halt::Limit) => break Verdict::Unknown,
            Err(Halt::Fault(fault)) => return Err(fault),
            Err(Halt::Enough) => {
                // Not all that is behind these has been looked at.
                let open = std::mem::take(&mut search.line);
                open.into_iter().for_each(|signature| search.memory.forget(signature));
                if search.order == Order::FewestAnswers {
                    attempt = attempt.saturating_mul(GROWTH);
                }
                search.order = match search.order {
                    Order::Rules => Order::FewestAnswers,
                    Order::FewestAnswers => Order::Rules,
                };
                search.end = search.nodes.saturating_add(attempt);
            }
        }
    };
    let solutions = u64::from(matches!(verdict, Verdict::Solved(_)));
    Ok(Found { verdict, bound, nodes: search.nodes, solutions })
}

impl<G: Game> DeepeningSearch<'_, G> {
    fn tick(&mut self) -> Result<(), Halt> {
        self.nodes += 1;
        if self.nodes.is_multiple_of(INTERVAL) && self.limits.reached(self.nodes) {
            return Err(Halt::Limit);
        }
        if self.nodes >= self.end { Err(Halt::Enough) } else { Ok(()) }
    }

    /// Whether there is a solution of at most this length, when so many moves are made already.
    fn look(&mut self, position: &mut G::Position, made: u32, bound: u32) -> Result<bool, Halt> {
        self.tick()?;
        let mut moves = self.lists.pop().unwrap_or_default();
        let found = self.look_at(position, &mut moves, made, bound);
        self.lists.push(moves);
        found
    }

    fn look_at(
        &mut self,
        position: &mut G::Position,
        moves: &mut MoveList,
        made: u32,
        bound: u32,
    ) -> Result<bool, Halt> {
        if self.game.generate(position, Stage::All, moves)?.is_some() {
            return Ok(false);
        }
        if let Some(winning) = moves.iter().find(|played| played.head.outcome() == Some(Outcome::Win)) {
            self.path.push(winning.to_move());
            return Ok(true);
        }
        let here = self.game.signature(position);
        // A search that comes here again further down has fewer moves left: what it could find is found from here.
        let left = (bound - made) as u16;
        self.memory.note(here, Known { left, least: NOTHING });
        self.line.push(here);
        let others = std::mem::replace(&mut self.next, u32::MAX);
        for index in self.ordered(position, moves)? {
            let played = moves.get(index);
            let there = here ^ played.head.signature_difference;
            if played.head.outcome().is_some() {
                continue;
            }
            self.game.play(position, played);
            let least = self.game.lower_bound(position)?.max(1);
            let length = (made + 1).saturating_add(least);
            let found = if length > bound {
                self.next = self.next.min(length);
                false
            } else if let Some(known) = self.memory.fails(there, bound - made - 1) {
                if known.least != NOTHING {
                    self.next = self.next.min(made + 1 + u32::from(known.least));
                }
                false
            } else {
                self.look(position, made + 1, bound)?
            };
            self.game.take_back(position, played);
            if found {
                self.path.push(moves.get(index).to_move());
                return Ok(true);
            }
        }
        self.line.pop();
        let least = u16::try_from(self.next.saturating_sub(made)).unwrap_or(NOTHING);
        self.memory.note(here, Known { left, least });
        self.next = self.next.min(others);
        Ok(false)
    }

    /// The moves in the order in which they are tried.
    fn ordered(&mut self, position: &mut G::Position, moves: &MoveList) -> Result<Vec<usize>, RuleFault> {
        let mut order: Vec<usize> = (0..moves.len()).collect();
        if self.order == Order::FewestAnswers {
            let mut answers = Vec::with_capacity(moves.len());
            let mut scratch = self.lists.pop().unwrap_or_default();
            for played in moves.iter() {
                self.game.play(position, played);
                answers.push(self.game.count(position, &mut scratch)?);
                self.game.take_back(position, played);
            }
            self.lists.push(scratch);
            order.sort_by_key(|&index| answers[index]);
        }
        Ok(order)
    }
}
