//! Iterative deepening where a move carries several pieces at once: the faces of a cube, a stack of pancakes.

use game::motion::{Bounds, Motion, SITES_MAX, State, Turn};

use super::alike::{self, Rows};
use super::dive::Dive;
use super::pruning::{Automaton, Pruning};
use super::{Budget, Found, Progress, SOLUTIONS_KEPT, Verdict, Wanted};

/// Moves of a solution at most.
const LENGTH_MAX: u32 = 1 << 10;

/// Moves that are looked at together.
const CHILDREN: usize = 16;

/// Nodes after which it pays to find out whether the start looks the same from several sides.
const LONG: u64 = 1 << 20;

/// Nodes between two looks at the clock.
const INTERVAL: u64 = 1 << 17;

pub(super) struct TurningSearch<'run, B> {
    motion: &'run Motion,
    bounds: &'run B,
    limits: Option<&'run Budget<'run>>,
    wanted: Wanted,
    automaton: Automaton,
    /// Moves to be tried, and the rows behind them.
    rows: Rows,
    /// By number of a move: where what is on each site goes.
    maps: Vec<[u8; SITES_MAX]>,
    limit: u32,
    next: u32,
    nodes: u64,
    look: u64,
    stopped: bool,
    path: Vec<usize>,
    solutions: Vec<Vec<usize>>,
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
    let mut search =
        TurningSearch::new(motion, bounds, wanted, Automaton::new(motion, pruning), Some(limits));
    let verdict = search.deepen(start, progress);
    Found { verdict, bound: search.limit, nodes: search.nodes, solutions: search.count }
}

impl<'run, B: Bounds> TurningSearch<'run, B> {
    /// A search that may try what the automaton says; without limits it looks at no clock.
    pub(super) fn new(
        motion: &'run Motion,
        bounds: &'run B,
        wanted: Wanted,
        automaton: Automaton,
        limits: Option<&'run Budget<'run>>,
    ) -> Self {
        let map = |&(mode, index): &(usize, usize)| {
            let mut map = [0; SITES_MAX];
            map[..motion.sites()].copy_from_slice(&motion.modes[mode][index].map);
            map
        };
        TurningSearch {
            motion,
            bounds,
            limits,
            wanted,
            maps: automaton.moves.iter().map(map).collect(),
            rows: automaton.rows(),
            automaton,
            limit: 0,
            next: 0,
            nodes: 0,
            look: limits.map_or(u64::MAX, |limits| INTERVAL.min(limits.nodes.unwrap_or(INTERVAL))),
            stopped: false,
            path: Vec::new(),
            solutions: Vec::new(),
            count: 0,
        }
    }

    /// Looks for a solution of at most so many moves, beginning with those in a row of the automaton.
    pub(super) fn dive(&mut self, at: &[u8], row: usize, left: u32) -> Dive {
        let mut sites = [0; SITES_MAX];
        sites[..at.len()].copy_from_slice(at);
        (self.limit, self.next, self.nodes) = (left, u32::MAX, 0);
        self.path.clear();
        self.solutions.clear();
        if left == 0 {
            self.next = 1;
        } else {
            self.look(row, &sites, &self.bounds.turned(&sites), 0, 0);
        }
        Dive { solution: self.solutions.pop(), next: self.next, nodes: self.nodes }
    }

    fn deepen(&mut self, start: &State, progress: &mut Progress<'_>) -> Verdict<usize> {
        let mut at = [0; SITES_MAX];
        at[..start.at.len()].copy_from_slice(&start.at);
        let side;
        (self.limit, side) = self.bounds.whole(&at);
        if *start == self.motion.goal {
            self.count = 1;
            return Verdict::Solved(vec![Vec::new()]);
        }
        // Whatever is not solved needs a move.
        self.limit = self.limit.max(1);
        let mut begin = self.automaton.begin(usize::from(start.mode));
        let kept = self.bounds.turned(&at);
        let mut learns = self.wanted == Wanted::One;
        loop {
            progress(self.limit, self.nodes);
            if self.nodes >= LONG
                && std::mem::take(&mut learns)
                && let Some(alike) = alike::rows(self.motion, &self.automaton, start)
            {
                (self.rows, begin) = alike;
            }
            self.next = u32::MAX;
            self.nodes += u64::from(self.nodes == 0);
            self.look(begin, &at, &kept, 0, side);
            if self.count > 0 && !self.stopped {
                let named =
                    |line: &Vec<usize>| line.iter().map(|&number| self.automaton.moves[number].1).collect();
                return Verdict::Solved(self.solutions.iter().map(named).collect());
            }
            match self.next {
                _ if self.stopped => return Verdict::Unknown,
                u32::MAX => return Verdict::Unsolvable,
                next if next > LENGTH_MAX => return Verdict::Unknown,
                next => self.limit = next,
            }
        }
    }

    /// Tries what a row says; true ends the iteration.
    fn look(&mut self, row: usize, at: &[u8; SITES_MAX], kept: &B::Turned, made: u32, side: u8) -> bool {
        let left = self.limit - made - 1;
        let bounds = self.bounds;
        // All are asked before the first answer is needed: tables are larger than what is near.
        let (mut aims, mut asked) = ([0; CHILDREN], [0; CHILDREN]);
        let count = self.rows[row].len();
        for first in (0..count).step_by(CHILDREN) {
            let end = count.min(first + CHILDREN);
            for (aim, &(number, _)) in aims.iter_mut().zip(&self.rows[row][first..end]) {
                let turn = Turn { before: kept, at, number, map: &self.maps[number] };
                *aim = bounds.aim(&turn, side);
            }
            for (asked, &aim) in asked.iter_mut().zip(&aims[..end - first]) {
                *asked = bounds.ask(aim);
            }
            for index in first..end {
                let (number, behind) = self.rows[row][index];
                let turn = Turn { before: kept, at, number, map: &self.maps[number] };
                self.nodes += 1;
                let bound = bounds.bound(&turn, asked[index - first], side, left);
                if bound.0 > left {
                    self.next = self.next.min(made + 1 + bound.0);
                    continue;
                }
                let (after, kept) = (turn.after(self.motion.pieces()), bounds.turn(&turn));
                if self.enter((number, behind), &after, &kept, made, bound) {
                    return true;
                }
            }
        }
        false
    }

    /// Goes on behind a move; true ends the iteration.
    fn enter(
        &mut self,
        (number, row): (usize, usize),
        after: &[u8; SITES_MAX],
        kept: &B::Turned,
        made: u32,
        bound: (u32, u8),
    ) -> bool {
        let left = self.limit - made - 1;
        self.path.push(number);
        let ends = (bound.0 == 0 && self.is_goal(number, after) && self.note())
            || self.nodes >= self.look && self.is_time()
            || left > 0 && self.look(row, after, kept, made + 1, bound.1);
        self.path.pop();
        if left == 0 {
            self.next = self.next.min(made + 2);
        }
        ends
    }

    fn is_goal(&self, last: usize, at: &[u8; SITES_MAX]) -> bool {
        let (mode, index) = self.automaton.moves[last];
        let goal = &self.motion.goal;
        self.motion.modes[mode][index].to == goal.mode && at[..goal.at.len()] == goal.at[..]
    }

    /// Keeps a solution; true if that is enough.
    fn note(&mut self) -> bool {
        if self.path.len() as u32 == self.limit {
            self.count += 1;
            if self.solutions.len() < SOLUTIONS_KEPT {
                self.solutions.push(self.path.clone());
            }
        }
        self.wanted == Wanted::One
    }

    fn is_time(&mut self) -> bool {
        let next = self.nodes + INTERVAL;
        let Some(limits) = self.limits else { return false };
        self.look = limits.nodes.map_or(next, |most| next.min(most));
        self.stopped |= limits.reached(self.nodes);
        self.stopped
    }
}
