//! Iterative deepening (IDA*, Korf 1985) where a move carries one piece. The whole search is one small loop over
//! numbers: which piece goes from where to where, what the bound is then, and whether that is still within the limit.
//! Most positions are never made.

use game::motion::{Bounds, Motion, SITES_MAX, State};

use super::dive::Dive;
use super::pruning::{Automaton, Pruning};
use super::words::Words;
use super::{Budget, Found, Progress, SOLUTIONS_KEPT, Verdict, Wanted};

/// A move to be tried.
#[derive(Clone, Copy, Debug)]
struct Step {
    from: u8,
    to: u8,
    /// Its number.
    number: u16,
    /// Where its successors are.
    row: u32,
}

/// Nodes after which it pays to find out which longer sequences need not be tried. Where distances are added up a small
/// loop is faster, and the nodes are those of others.
pub(super) const LONG: u64 = 1 << 20;

/// Moves that are looked up together.
const GROUP: u32 = 4;

/// Moves of a solution at most.
const LENGTH_MAX: usize = 1 << 12;

/// Nodes between two looks at the clock.
const INTERVAL: u64 = 1 << 20;

/// Several of these work side by side, each with numbers that it writes again and again: they must not lie in one
/// line of the processor's cache with what another one reads. (Lines come in pairs.)
#[repr(align(128))]
pub(super) struct SlidingSearch<'run, B: Bounds> {
    motion: &'run Motion,
    bounds: &'run B,
    /// Whether longer sequences that need not be tried are left out once the search takes long.
    learns: bool,
    limits: Option<&'run Budget<'run>>,
    wanted: Wanted,
    /// By row: where in `steps` its moves begin and end.
    ranges: Vec<(u32, u32)>,
    steps: Vec<Step>,
    /// What is on each site; what an empty one says does not matter.
    board: [u8; SITES_MAX],
    /// Where each piece is.
    at: [u8; SITES_MAX],
    pieces: usize,
    /// The mode behind each move.
    behind: Vec<u16>,
    limit: u32,
    /// The least bound above the limit.
    next: u32,
    nodes: u64,
    look: u64,
    stopped: bool,
    /// The moves that led to where the search is.
    path: [u16; LENGTH_MAX],
    solutions: Vec<Vec<u16>>,
    count: u64,
}

/// The shortest solutions of a state.
pub fn solve<B: Bounds>(
    motion: &Motion,
    start: &State,
    bounds: &B,
    wanted: Wanted,
    limits: &Budget<'_>,
    progress: &mut Progress<'_>,
) -> Found<usize> {
    let pruning = if wanted == Wanted::All { Pruning::Undoing } else { Pruning::Pairs };
    let automaton = Automaton::new(motion, pruning);
    let mut search = SlidingSearch::new(motion, bounds, wanted, &automaton, Some(limits));
    search.learns = wanted == Wanted::One && B::IS_FAR;
    search.put(&start.at);
    let verdict = search.deepen(start, automaton.begin(usize::from(start.mode)), progress, |number| {
        automaton.moves[usize::from(number)].1
    });
    Found { verdict, bound: search.limit, nodes: search.nodes, solutions: search.count }
}

impl<'run, B: Bounds> SlidingSearch<'run, B> {
    /// A search that may try what the automaton says; without limits it looks at no clock.
    pub(super) fn new(
        motion: &'run Motion,
        bounds: &'run B,
        wanted: Wanted,
        automaton: &Automaton,
        limits: Option<&'run Budget<'run>>,
    ) -> Self {
        let behind = automaton.moves.iter().map(|&(mode, index)| motion.modes[mode][index].to).collect();
        let mut search = SlidingSearch {
            motion,
            learns: false,
            bounds,
            limits,
            wanted,
            ranges: Vec::new(),
            steps: Vec::new(),
            board: [0; SITES_MAX],
            at: [0; SITES_MAX],
            pieces: motion.pieces(),
            behind,
            limit: 0,
            next: 0,
            nodes: 0,
            look: limits.map_or(u64::MAX, |limits| INTERVAL.min(limits.nodes.unwrap_or(INTERVAL))),
            stopped: false,
            path: [0; LENGTH_MAX],
            solutions: Vec::new(),
            count: 0,
        };
        search.try_rows(&automaton.rows(), &automaton.moves);
        search
    }

    /// From now on what these rows say is tried: moves by their numbers, and the rows behind them.
    pub(super) fn try_rows(&mut self, rows: &[Vec<(usize, usize)>], moves: &[(usize, usize)]) {
        self.ranges.clear();
        self.steps.clear();
        for next in rows {
            let first = self.steps.len() as u32;
            self.steps.extend(next.iter().map(|&(number, row)| {
                let (mode, index) = moves[number];
                let (from, to) = self.motion.modes[mode][index].carries[0];
                Step { from, to, number: number as u16, row: row as u32 }
            }));
            self.ranges.push((first, self.steps.len() as u32));
        }
    }

    /// Puts the pieces on their sites.
    fn put(&mut self, at: &[u8]) {
        for (piece, &site) in at.iter().enumerate() {
            (self.board[usize::from(site)], self.at[piece]) = (piece as u8, site);
        }
    }

    /// Looks for a solution of at most so many moves, beginning with those in a row of the automaton.
    pub(super) fn dive(&mut self, at: &[u8], row: usize, left: u32) -> Dive {
        self.put(at);
        (self.limit, self.next, self.nodes) = (left, u32::MAX, 0);
        self.solutions.clear();
        let kept = self.bounds.begin(at);
        self.look(row, 0, kept);
        let solution = self.solutions.pop().map(|line| line.into_iter().map(usize::from).collect());
        Dive { solution, next: self.next, nodes: self.nodes }
    }

    fn deepen(
        &mut self,
        start: &State,
        mut begin: usize,
        progress: &mut Progress<'_>,
        number: impl Fn(u16) -> usize,
    ) -> Verdict<usize> {
        let kept = self.bounds.begin(&start.at);
        self.limit = self.bounds.value(kept);
        if *start == self.motion.goal {
            self.count = 1;
            return Verdict::Solved(vec![Vec::new()]);
        }
        loop {
            progress(self.limit, self.nodes);
            if self.nodes >= LONG && std::mem::take(&mut self.learns) {
                let words = Words::new(self.motion);
                self.try_rows(&words.rows, &words.moves);
                begin = words.begins[usize::from(start.mode)];
            }
            self.next = u32::MAX;
            // The root counts once.
            self.nodes += u64::from(self.nodes == 0);
            self.look(begin, 0, kept);
            if self.count > 0 && !self.stopped {
                let named = |line: &Vec<u16>| line.iter().map(|&move_| number(move_)).collect();
                return Verdict::Solved(self.solutions.iter().map(named).collect());
            }
            if self.stopped || self.next as usize > LENGTH_MAX && self.next != u32::MAX {
                return Verdict::Unknown;
            }
            if self.next == u32::MAX {
                return Verdict::Unsolvable;
            }
            self.limit = self.next;
        }
    }

    /// Tries what a row says; true ends the iteration.
    fn look(&mut self, row: usize, made: u32, kept: B::Kept) -> bool {
        let (first, end) = self.ranges[row];
        if !B::IS_FAR {
            return (first..end).any(|index| {
                let kept = self.ahead(index, kept);
                self.follow(index, made, kept)
            });
        }
        let mut first = first;
        while first < end {
            let group = first..end.min(first + GROUP);
            let mut ahead = [kept; GROUP as usize];
            for (own, index) in ahead.iter_mut().zip(group.clone()) {
                *own = self.ahead(index, kept);
            }
            for (&kept, index) in ahead.iter().zip(group) {
                if self.follow(index, made, kept) {
                    return true;
                }
            }
            first += GROUP;
        }
        false
    }

    /// What is kept behind a move, as far as it need not be waited for.
    #[inline(always)]
    fn ahead(&mut self, index: u32, kept: B::Kept) -> B::Kept {
        let Step { from, to, .. } = self.steps[index as usize];
        let piece = self.board[usize::from(from) % SITES_MAX];
        self.at[usize::from(piece) % SITES_MAX] = to;
        let kept = self.bounds.ask_after(kept, piece, from, to, &self.at);
        self.at[usize::from(piece) % SITES_MAX] = from;
        kept
    }

    /// Tries one move and what is behind it; true ends the iteration.
    #[inline(always)]
    fn follow(&mut self, index: u32, made: u32, kept: B::Kept) -> bool {
        let kept = self.bounds.settle(kept);
        let length = made + 1 + self.bounds.value(kept);
        self.nodes += 1;
        if length > self.limit {
            self.next = self.next.min(length);
            return false;
        }
        let Step { from, to, number, row } = self.steps[index as usize];
        let piece = self.board[usize::from(from) % SITES_MAX];
        self.at[usize::from(piece) % SITES_MAX] = to;
        self.board[usize::from(to) % SITES_MAX] = piece;
        self.path[made as usize % LENGTH_MAX] = number;
        let ends = (self.bounds.value(kept) == 0 && self.is_goal(number) && self.note(made + 1))
            || self.nodes >= self.look && self.is_time()
            || self.look(row as usize, made + 1, kept);
        if !ends {
            self.board[usize::from(from) % SITES_MAX] = piece;
            self.at[usize::from(piece) % SITES_MAX] = from;
        }
        ends
    }

    #[inline(never)]
    fn is_goal(&self, last: u16) -> bool {
        self.behind[usize::from(last)] == self.motion.goal.mode
            && self.at[..self.pieces] == self.motion.goal.at[..]
    }

    /// Keeps a solution; true if that is enough.
    #[inline(never)]
    fn note(&mut self, made: u32) -> bool {
        // All solutions of an iteration are shortest ones, but for those that go on through the goal.
        if made == self.limit {
            self.count += 1;
            if self.solutions.len() < SOLUTIONS_KEPT {
                self.solutions.push(self.path[..made as usize].to_vec());
            }
        }
        self.wanted == Wanted::One
    }

    #[inline(never)]
    fn is_time(&mut self) -> bool {
        let next = self.nodes + INTERVAL;
        let Some(limits) = self.limits else { return false };
        self.look = limits.nodes.map_or(next, |most| next.min(most));
        self.stopped |= limits.reached(self.nodes);
        self.stopped
    }
}
