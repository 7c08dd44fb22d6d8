//! Making the table of a pattern: a breadth-first search backwards from the solved state, over the ways in which the pattern's pieces can
//! lie together with the modes (where the blank is). Where patterns add up a move that carries none of the pieces is free.
//!
//! What is known is one bit for each mode of each way to lie, so a level is a pass over all of them, on as many threads as wanted.
//! Bits are only ever set, and whoever sets one does not care who else does: relaxed atomics suffice, the end of a pass puts them in
//! order.

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicUsize, Ordering};

use game::motion::{Motion, NONE, SITES_MAX};

use crate::index::{Index, PIECES_MAX};
use crate::{Bytes, Pattern, Table};

/// A way to lie that has not been reached.
pub const UNREACHED: u8 = u8::MAX;

/// Ways to lie that a thread takes at once.
const CHUNK: usize = 1 << 14;

/// A search that is under way: all that is needed to go on.
pub struct Making<'motion> {
    motion: &'motion Motion,
    pattern: Pattern,
    adds: bool,
    index: Index,
    size: usize,
    /// Bytes for the modes of one way to lie.
    width: usize,
    /// Modes that have been followed; reached in this level; reached in the next one.
    pub(crate) done: Vec<AtomicU8>,
    pub(crate) now: Vec<AtomicU8>,
    pub(crate) next: Vec<AtomicU8>,
    /// The level in which each way to lie was reached.
    pub(crate) level_of: Vec<AtomicU8>,
    pub(crate) level: u8,
    pub(crate) is_over: bool,
    /// By site: its place and twist.
    lies: Vec<(u8, u8)>,
}

fn zeros(count: usize) -> Vec<AtomicU8> {
    std::iter::repeat_with(|| AtomicU8::new(0)).take(count).collect()
}

impl<'motion> Making<'motion> {
    /// A search that begins at the solved state; `None` if there are too many ways to lie.
    #[must_use]
    pub fn new(motion: &'motion Motion, pattern: &Pattern, adds: bool) -> Option<Making<'motion>> {
        let index = pattern.index(motion);
        let size = index.size()?;
        let width = motion.modes.len().div_ceil(8);
        let level_of = std::iter::repeat_with(|| AtomicU8::new(UNREACHED)).take(size).collect();
        let bytes = size.checked_mul(width)?;
        let lies = motion.kinds[pattern.kind].lies.iter().map(|lie| lie.unwrap_or((NONE, 0))).collect();
        let making = Making {
            motion,
            pattern: pattern.clone(),
            adds,
            index,
            size,
            width,
            done: zeros(bytes),
            now: zeros(bytes),
            next: zeros(bytes),
            level_of,
            level: 0,
            is_over: false,
            lies,
        };
        let goal = &motion.goal;
        let own = making.rank(pattern.pieces.iter().map(|&piece| goal.at[piece]));
        making.now[own * width + usize::from(goal.mode) / 8].store(1 << (goal.mode % 8), Ordering::Relaxed);
        Some(making)
    }

    /// The number of ways to lie.
    #[must_use]
    pub fn size(&self) -> usize {
        self.size
    }

    /// How far the search has come.
    #[must_use]
    pub fn level(&self) -> u8 {
        self.level
    }

    /// Whether all is known.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    fn rank(&self, sites: impl Iterator<Item = u8>) -> usize {
        self.index.rank(sites.map(|site| self.lies[usize::from(site)]))
    }

    /// Follows what was reached in this level, on so many threads. False if it was told to stop; then all is as before, or can be
    /// followed again.
    pub fn advance(&mut self, threads: usize, stop: &(dyn Fn() -> bool + Sync)) -> bool {
        let (place, stopped, found) = (AtomicUsize::new(0), AtomicBool::new(false), AtomicBool::new(false));
        let shared = &*self;
        std::thread::scope(|scope| {
            for _ in 0..threads.max(1) {
                scope.spawn(|| {
                    loop {
                        let first = place.fetch_add(CHUNK, Ordering::Relaxed);
                        if first >= shared.size || stopped.load(Ordering::Relaxed) {
                            break;
                        }
                        if stop() {
                            stopped.store(true, Ordering::Relaxed);
                            break;
                        }
                        for index in first..shared.size.min(first + CHUNK) {
                            if shared.follow(index) {
                                found.store(true, Ordering::Relaxed);
                            }
                        }
                    }
                });
            }
        });
        if stopped.load(Ordering::Relaxed) {
            return false;
        }
        std::mem::swap(&mut self.now, &mut self.next);
        self.next.iter_mut().for_each(|byte| *byte.get_mut() = 0);
        self.is_over = !found.load(Ordering::Relaxed) || self.level == UNREACHED - 1;
        self.level += 1;
        true
    }

    /// Follows what is new of one way to lie; whether that led anywhere.
    fn follow(&self, index: usize) -> bool {
        let bytes = index * self.width..(index + 1) * self.width;
        let mut fresh = 0_u128;
        let mut done = 0_u128;
        for (number, byte) in bytes.clone().enumerate() {
            let known = self.done[byte].load(Ordering::Relaxed);
            done |= u128::from(known) << (8 * number);
            fresh |= u128::from(self.now[byte].load(Ordering::Relaxed) & !known) << (8 * number);
        }
        if fresh == 0 {
            return false;
        }
        let (sites, occupied) = self.sites_of(index);
        let carries_own = |operator: &game::motion::Operator| {
            operator.carries.iter().any(|&(from, _)| occupied >> from & 1 != 0)
        };
        if self.adds {
            // Moves of other pieces are free.
            let mut open = fresh;
            while open != 0 {
                let mode = open.trailing_zeros() as usize;
                open &= open - 1;
                for operator in self.motion.modes[mode].iter().filter(|operator| !carries_own(operator)) {
                    let to = 1_u128 << operator.to;
                    if (fresh | done) & to == 0 {
                        fresh |= to;
                        open |= to;
                    }
                }
            }
        }
        for (number, byte) in bytes.enumerate() {
            self.done[byte].fetch_or((fresh >> (8 * number)) as u8, Ordering::Relaxed);
        }
        self.level_of[index].fetch_min(self.level, Ordering::Relaxed);
        let mut led = false;
        let mut open = fresh;
        while open != 0 {
            let mode = open.trailing_zeros() as usize;
            open &= open - 1;
            for operator in &self.motion.modes[mode] {
                if self.adds && !carries_own(operator) {
                    continue;
                }
                let after =
                    sites[..self.pattern.pieces.len()].iter().map(|&site| operator.map[usize::from(site)]);
                let to = self.rank(after) * self.width + usize::from(operator.to) / 8;
                let bit = 1_u8 << (operator.to % 8);
                if self.done[to].load(Ordering::Relaxed) & bit == 0 {
                    self.next[to].fetch_or(bit, Ordering::Relaxed);
                    led = true;
                }
            }
        }
        led
    }

    /// Where the pieces are in a way to lie, and these sites as a set.
    fn sites_of(&self, index: usize) -> ([u8; PIECES_MAX], u64) {
        let mut lies = [(0, 0); PIECES_MAX];
        self.index.unrank(index, &mut lies);
        let (mut sites, mut occupied) = ([0; PIECES_MAX], 0_u64);
        let places = &self.motion.kinds[self.pattern.kind].places;
        for (site, &(place, twist)) in sites.iter_mut().zip(&lies).take(self.pattern.pieces.len()) {
            *site = places[usize::from(place)][usize::from(twist)];
            occupied |= 1 << (usize::from(*site) % SITES_MAX);
        }
        (sites, occupied)
    }

    /// The table, four bits an entry: what a pattern needs more than its pieces alone, where patterns add up. More than four bits can
    /// say is said as their most, which is still a bound.
    #[must_use]
    pub fn table(&self) -> Table {
        let bases = Bases::new(self.motion, &self.pattern, self.adds);
        let more = |index: usize| {
            let level = self.level_of[index].load(Ordering::Relaxed);
            (level != UNREACHED).then(|| u32::from(level) - bases.of(&self.sites_of(index).0))
        };
        let odd = (0..self.size).any(|index| more(index).is_some_and(|more| more % 2 == 1));
        let step = if odd || !self.adds { 1 } else { 2 };
        let mut bytes = vec![0_u8; self.size.div_ceil(2)];
        for index in 0..self.size {
            let value = more(index).map_or(15, |more| (more / step).min(15)) as u8;
            bytes[index / 2] |= value << (index % 2 * 4);
        }
        Table { pattern: self.pattern.clone(), step, bytes: Bytes::Memory(bytes.into()) }
    }
}

/// What the pieces of a pattern need alone, added up; nothing where patterns do not add up.
#[derive(Clone, Debug)]
pub struct Bases {
    distances: Vec<Vec<u8>>,
}

impl Bases {
    /// Of this pattern.
    #[must_use]
    pub fn new(motion: &Motion, pattern: &Pattern, adds: bool) -> Bases {
        let own = if adds { &pattern.pieces[..] } else { &[] };
        Bases { distances: own.iter().map(|&piece| motion.distances(piece)).collect() }
    }

    /// Of the pieces on these sites.
    #[must_use]
    pub fn of(&self, sites: &[u8]) -> u32 {
        self.distances.iter().zip(sites).map(|(own, &site)| u32::from(own[usize::from(site)])).sum()
    }
}

/// Makes the table of a pattern from beginning to end; `None` if it was told to stop or is too large.
#[must_use]
pub fn build(
    motion: &Motion,
    pattern: &Pattern,
    adds: bool,
    threads: usize,
    stop: &(dyn Fn() -> bool + Sync),
) -> Option<Table> {
    let mut making = Making::new(motion, pattern, adds)?;
    while !making.is_over() {
        if !making.advance(threads, stop) {
            return None;
        }
    }
    Some(making.table())
}
