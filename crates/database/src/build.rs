//! Making the table of a pattern: a breadth-first search backwards from the solved state, over the ways in which the pattern's pieces can
//! lie together with the modes (where the blank is). Where patterns add up a move that carries none of the pieces is free.
//!
//! What is known is one bit for each mode of each way to lie, or for each region of modes ([`crate::regions`]); with a single mode the distance itself
//! says it. A level is a pass over all ways to lie, on as many threads as wanted. Bits are only ever set, and whoever sets one does
//! not care who else does: relaxed atomics suffice, the end of a pass puts them in order.

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicUsize, Ordering};

use game::motion::{Motion, NONE, Operator, SITES_MAX};

use crate::index::{Index, PIECES_MAX};
use crate::regions::{Regions, region};
use crate::{Bytes, Pattern, Table};

/// A way to lie that has not been reached.
pub const UNREACHED: u8 = u8::MAX;

/// Ways to lie that a thread takes at once.
const CHUNK: usize = 1 << 14;

/// What is known of a way to lie beside its distance.
enum Known {
    /// Nothing: there is one mode.
    Nothing,
    /// A byte with a bit for each region.
    Regions(Regions),
    /// So many bytes, with a bit for each mode.
    Modes(usize),
}

impl Known {
    fn new(motion: &Motion, pieces: usize, adds: bool) -> Known {
        if motion.modes.len() == 1 {
            return Known::Nothing;
        }
        let regions = if adds { Regions::new(motion, pieces) } else { None };
        regions.map_or(Known::Modes(motion.modes.len().div_ceil(8)), Known::Regions)
    }

    /// Bytes for one way to lie.
    fn width(&self) -> usize {
        match self {
            Known::Nothing => 0,
            Known::Regions(_) => 1,
            Known::Modes(width) => *width,
        }
    }
}

/// Bytes that making a table takes for each way to lie.
pub(crate) fn bytes_each(motion: &Motion, adds: bool) -> u64 {
    let one_blank = motion.modes.len() == motion.sites() && motion.modes.len() <= 32;
    match motion.modes.len() {
        1 => 1,
        _ if adds && one_blank => 4,
        modes => 3 * modes.div_ceil(8) as u64 + 1,
    }
}

/// A search that is under way: all that is needed to go on.
pub struct Making<'motion> {
    motion: &'motion Motion,
    pub(crate) pattern: Pattern,
    pub(crate) adds: bool,
    index: Index,
    size: usize,
    known: Known,
    /// What has been followed; reached in this level; reached in the next one.
    done: Vec<AtomicU8>,
    now: Vec<AtomicU8>,
    next: Vec<AtomicU8>,
    /// The level in which each way to lie was reached.
    level_of: Vec<AtomicU8>,
    pub(crate) level: u8,
    is_over: bool,
    /// Ways to lie that this pass has looked at, and whether that led anywhere.
    pub(crate) place: usize,
    pub(crate) found: bool,
    /// By site: its place and twist.
    lies: Vec<(u8, u8)>,
}

fn filled(count: usize, byte: u8) -> Vec<AtomicU8> {
    std::iter::repeat_with(|| AtomicU8::new(byte)).take(count).collect()
}

impl<'motion> Making<'motion> {
    /// A search that begins at the solved state; `None` if there are too many ways to lie.
    #[must_use]
    pub fn new(motion: &'motion Motion, pattern: &Pattern, adds: bool) -> Option<Making<'motion>> {
        let index = pattern.index(motion);
        let size = index.size()?;
        let known = Known::new(motion, pattern.pieces.len(), adds);
        let bytes = size.checked_mul(known.width())?;
        let lies = motion.kinds[pattern.kind].lies.iter().map(|lie| lie.unwrap_or((NONE, 0))).collect();
        let mut making = Making {
            motion,
            pattern: pattern.clone(),
            adds,
            index,
            size,
            known,
            done: filled(bytes, 0),
            now: filled(bytes, 0),
            next: filled(bytes, 0),
            level_of: filled(size, UNREACHED),
            level: 0,
            is_over: false,
            place: 0,
            found: false,
            lies,
        };
        making.begin();
        Some(making)
    }

    /// Knows nothing but the solved state.
    pub(crate) fn begin(&mut self) {
        for part in [&mut self.done, &mut self.now, &mut self.next] {
            part.iter_mut().for_each(|byte| *byte.get_mut() = 0);
        }
        self.level_of.iter_mut().for_each(|level| *level.get_mut() = UNREACHED);
        (self.level, self.place, self.found) = (0, 0, false);
        let goal = &self.motion.goal;
        let sites: Vec<u8> = self.pattern.pieces.iter().map(|&piece| goal.at[piece]).collect();
        let own = self.rank(sites.iter().copied());
        let mode = usize::from(goal.mode);
        match &self.known {
            Known::Nothing => self.level_of[own] = AtomicU8::new(0),
            Known::Regions(regions) => {
                let occupied = sites.iter().fold(0, |set, &site| set | 1 << site);
                let bit = region(regions.of(occupied), mode).map_or(0, |region| 1 << region);
                self.now[own] = AtomicU8::new(bit);
            }
            Known::Modes(width) => self.now[own * width + mode / 8] = AtomicU8::new(1 << (mode % 8)),
        }
    }

    /// All that is known, for saving it.
    pub(crate) fn parts(&self) -> [&[AtomicU8]; 4] {
        [&self.done, &self.now, &self.next, &self.level_of]
    }

    /// All that is known, for taking it over.
    pub(crate) fn parts_mut(&mut self) -> [&mut [AtomicU8]; 4] {
        [&mut self.done, &mut self.now, &mut self.next, &mut self.level_of]
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

    /// Follows what was reached in this level, on so many threads. False if it was told to stop; then it can be called again and
    /// goes on.
    pub fn advance(&mut self, threads: usize, stop: &(dyn Fn() -> bool + Sync)) -> bool {
        let (place, stopped) = (AtomicUsize::new(self.place), AtomicBool::new(false));
        let found = AtomicBool::new(self.found);
        let shared = &*self;
        std::thread::scope(|scope| {
            for _ in 0..threads.max(1) {
                scope.spawn(|| {
                    // Whoever takes a chunk looks at all of it: whatever is before the place is done.
                    while !stopped.load(Ordering::Relaxed) {
                        if stop() {
                            stopped.store(true, Ordering::Relaxed);
                            break;
                        }
                        let first = place.fetch_add(CHUNK, Ordering::Relaxed);
                        if first >= shared.size {
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
        (self.place, self.found) = (place.into_inner(), found.into_inner());
        if self.place < self.size {
            return false;
        }
        std::mem::swap(&mut self.now, &mut self.next);
        self.next.iter_mut().for_each(|byte| *byte.get_mut() = 0);
        self.is_over = !self.found || self.level == UNREACHED - 1;
        (self.level, self.place, self.found) = (self.level + 1, 0, false);
        true
    }

    /// Follows what is new of one way to lie; whether that led anywhere.
    fn follow(&self, index: usize) -> bool {
        match &self.known {
            Known::Nothing => {
                self.level_of[index].load(Ordering::Relaxed) == self.level && self.follow_distance(index)
            }
            Known::Regions(regions) => self.follow_regions(index, regions),
            Known::Modes(width) => self.follow_modes(index, *width),
        }
    }

    fn carries_own(operator: &Operator, occupied: u64) -> bool {
        operator.carries.iter().any(|&(from, _)| occupied >> from & 1 != 0)
    }

    /// The number of the way to lie behind a move.
    fn behind(&self, sites: &[u8; PIECES_MAX], operator: &Operator) -> usize {
        self.rank(sites[..self.pattern.pieces.len()].iter().map(|&site| operator.map[usize::from(site)]))
    }

    /// With one mode.
    fn follow_distance(&self, index: usize) -> bool {
        let (sites, occupied) = self.sites_of(index);
        let mut led = false;
        for operator in &self.motion.modes[0] {
            if self.adds && !Self::carries_own(operator, occupied) {
                continue;
            }
            let to = &self.level_of[self.behind(&sites, operator)];
            if to.load(Ordering::Relaxed) == UNREACHED {
                to.store(self.level + 1, Ordering::Relaxed);
                led = true;
            }
        }
        led
    }

    /// With regions: all modes of a region are reached as one of them is.
    fn follow_regions(&self, index: usize, regions: &Regions) -> bool {
        let known = self.done[index].load(Ordering::Relaxed);
        let fresh = self.now[index].load(Ordering::Relaxed) & !known;
        if fresh == 0 {
            return false;
        }
        self.done[index].store(known | fresh, Ordering::Relaxed);
        self.level_of[index].fetch_min(self.level, Ordering::Relaxed);
        let (sites, occupied) = self.sites_of(index);
        let here = regions.of(occupied);
        let is_fresh = |mode: &usize| region(here, *mode).is_some_and(|region| fresh >> region & 1 != 0);
        let mut led = false;
        for mode in (0..self.motion.modes.len()).filter(is_fresh) {
            for operator in &self.motion.modes[mode] {
                let (from, to) = operator.carries[0];
                if occupied >> from & 1 == 0 {
                    continue;
                }
                let there = regions.of(occupied & !(1 << from) | 1 << to);
                let Some(region) = region(there, usize::from(operator.to)) else { continue };
                let behind = self.behind(&sites, operator);
                if self.done[behind].load(Ordering::Relaxed) >> region & 1 == 0 {
                    self.next[behind].fetch_or(1 << region, Ordering::Relaxed);
                    led = true;
                }
            }
        }
        led
    }

    /// With modes.
    fn follow_modes(&self, index: usize, width: usize) -> bool {
        let bytes = index * width..(index + 1) * width;
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
        if self.adds {
            fresh = self.with_free_moves(fresh, done, occupied);
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
                if self.adds && !Self::carries_own(operator, occupied) {
                    continue;
                }
                let to = self.behind(&sites, operator) * width + usize::from(operator.to) / 8;
                let bit = 1_u8 << (operator.to % 8);
                if self.done[to].load(Ordering::Relaxed) & bit == 0 {
                    self.next[to].fetch_or(bit, Ordering::Relaxed);
                    led = true;
                }
            }
        }
        led
    }

    /// Modes, and those behind moves of other pieces.
    fn with_free_moves(&self, mut fresh: u128, done: u128, occupied: u64) -> u128 {
        let mut open = fresh;
        while open != 0 {
            let mode = open.trailing_zeros() as usize;
            open &= open - 1;
            let free = |operator: &&Operator| !Self::carries_own(operator, occupied);
            for operator in self.motion.modes[mode].iter().filter(free) {
                let to = 1_u128 << operator.to;
                if (fresh | done) & to == 0 {
                    fresh |= to;
                    open |= to;
                }
            }
        }
        fresh
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
    pub fn table(mut self, threads: usize) -> Table {
        (self.done, self.now, self.next) = (Vec::new(), Vec::new(), Vec::new());
        let bases = Bases::new(self.motion, &self.pattern, self.adds);
        let (place, odd) = (AtomicUsize::new(0), AtomicBool::new(false));
        let shared = &self;
        // What is needed more takes the place of the level.
        let own = |index: usize| {
            let level = shared.level_of[index].load(Ordering::Relaxed);
            if level == UNREACHED || !shared.adds {
                return;
            }
            let more = u32::from(level) - bases.of(&shared.sites_of(index).0);
            shared.level_of[index].store(more as u8, Ordering::Relaxed);
            if more % 2 == 1 {
                odd.store(true, Ordering::Relaxed);
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..threads.max(1) {
                scope.spawn(|| {
                    loop {
                        let first = place.fetch_add(CHUNK, Ordering::Relaxed);
                        if first >= shared.size {
                            break;
                        }
                        (first..shared.size.min(first + CHUNK)).for_each(&own);
                    }
                });
            }
        });
        let step = if odd.into_inner() || !self.adds { 1 } else { 2 };
        let mut bytes = vec![0_u8; self.size.div_ceil(2)];
        for (index, level) in self.level_of.into_iter().enumerate() {
            let level = level.into_inner();
            let value = if level == UNREACHED { 15 } else { (level / step).min(15) };
            bytes[index / 2] |= value << (index % 2 * 4);
        }
        Table { pattern: self.pattern, step: u32::from(step), bytes: Bytes::Memory(bytes.into()) }
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
    Some(making.table(threads))
}
