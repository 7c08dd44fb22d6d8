//! Making a table where the greatest bound counts: a pass over all ways to lie for each distance. What is known is one
//! bit for each mode of each way to lie; with a single mode the distance itself says it. Bits are only ever set, and
//! a thread that sets one does not care which others do: relaxed atomics suffice, the end of a pass puts them in order.

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicUsize, Ordering};

use game::motion::{Motion, NONE, Operator};

use crate::build::{Reached, UNREACHED};
use crate::index::{Index, PIECES_MAX};
use crate::{Bytes, Pattern, PatternTable};

/// Ways to lie that a thread takes at once.
const CHUNK: usize = 1 << 14;

/// A search that is under way.
pub struct Passes<'motion> {
    motion: &'motion Motion,
    kind: usize,
    /// Where the pieces are in the end.
    goal: Vec<u8>,
    index: Index,
    size: usize,
    /// Bytes of a way to lie with a bit for each mode; none if there is one mode.
    width: usize,
    /// What has been followed; reached in this level; reached in the next one.
    done: Vec<AtomicU8>,
    now: Vec<AtomicU8>,
    next: Vec<AtomicU8>,
    /// The level in which each way to lie was reached.
    level_of: Vec<AtomicU8>,
    pub(crate) reached: Reached,
    /// By site: its place and twist.
    lies: Vec<(u8, u8)>,
}

fn filled(count: usize, byte: u8) -> Vec<AtomicU8> {
    std::iter::repeat_with(|| AtomicU8::new(byte)).take(count).collect()
}

impl<'motion> Passes<'motion> {
    /// A search that begins at the solved state; `None` if there are too many ways to lie.
    #[must_use]
    pub fn new(motion: &'motion Motion, pattern: &Pattern) -> Option<Passes<'motion>> {
        let index = pattern.index(motion);
        let size = index.size()?;
        let width = if motion.modes.len() == 1 { 0 } else { motion.modes.len().div_ceil(8) };
        let bytes = size.checked_mul(width)?;
        let lies = motion.kinds[pattern.kind].lies.iter().map(|lie| lie.unwrap_or((NONE, 0))).collect();
        let mut passes = Passes {
            motion,
            kind: pattern.kind,
            goal: pattern.pieces.iter().map(|&piece| motion.goal.at[piece]).collect(),
            index,
            size,
            width,
            done: filled(bytes, 0),
            now: filled(bytes, 0),
            next: filled(bytes, 0),
            level_of: filled(size, UNREACHED),
            reached: Reached::default(),
            lies,
        };
        passes.begin();
        Some(passes)
    }

    /// Knows nothing but the solved state.
    pub(crate) fn begin(&mut self) {
        for part in [&mut self.done, &mut self.now, &mut self.next] {
            part.iter_mut().for_each(|byte| *byte.get_mut() = 0);
        }
        self.level_of.iter_mut().for_each(|level| *level.get_mut() = UNREACHED);
        self.reached = Reached::default();
        let (own, mode) = (self.rank(self.goal.iter().copied()), usize::from(self.motion.goal.mode));
        match self.width {
            0 => self.level_of[own] = AtomicU8::new(0),
            width => self.now[own * width + mode / 8] = AtomicU8::new(1 << (mode % 8)),
        }
    }

    /// Bytes that are saved.
    pub(crate) fn saved(&self) -> usize {
        3 * self.done.len() + self.level_of.len()
    }

    /// All that is known, for saving it, in pieces of at most so many bytes.
    pub(crate) fn chunks(&self, most: usize) -> impl Iterator<Item = Vec<u8>> {
        let parts = [&self.done, &self.now, &self.next, &self.level_of];
        let chunks = parts.into_iter().flat_map(move |part| part.chunks(most));
        chunks.map(|chunk| chunk.iter().map(|byte| byte.load(Ordering::Relaxed)).collect())
    }

    /// Takes over what was saved.
    pub(crate) fn fill(&mut self, most: usize, read: &mut dyn FnMut(&mut [u8]) -> Option<()>) -> Option<()> {
        let mut buffer = vec![0; most];
        for part in [&mut self.done, &mut self.now, &mut self.next, &mut self.level_of] {
            for own in part.chunks_mut(most) {
                let bytes = &mut buffer[..own.len()];
                read(bytes)?;
                own.iter_mut().zip(bytes).for_each(|(atomic, byte)| *atomic.get_mut() = *byte);
            }
        }
        Some(())
    }

    fn rank(&self, sites: impl Iterator<Item = u8>) -> usize {
        self.index.rank(sites.map(|site| self.lies[usize::from(site)]))
    }

    /// Follows what was reached in this level, on so many threads. False if it was told to stop; then it can be called
    /// again and goes on.
    pub(crate) fn advance(&mut self, threads: usize, stop: &(dyn Fn() -> bool + Sync)) -> bool {
        let (place, stopped) = (AtomicUsize::new(self.reached.place), AtomicBool::new(false));
        let found = AtomicBool::new(self.reached.found);
        let shared = &*self;
        std::thread::scope(|scope| {
            for _ in 0..threads.max(1) {
                scope.spawn(|| {
                    // A thread that takes a chunk looks at all of it: whatever is before the place is done.
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
        (self.reached.place, self.reached.found) = (place.into_inner(), found.into_inner());
        if self.reached.place < self.size {
            return false;
        }
        std::mem::swap(&mut self.now, &mut self.next);
        self.next.iter_mut().for_each(|byte| *byte.get_mut() = 0);
        self.reached.end_level();
        true
    }

    /// Follows what is new of one way to lie; whether that led anywhere.
    fn follow(&self, index: usize) -> bool {
        match self.width {
            0 => {
                let level = self.level_of[index].load(Ordering::Relaxed);
                level == self.reached.level && self.follow_distance(index)
            }
            width => self.follow_modes(index, width),
        }
    }

    /// The number of the way to lie behind a move.
    fn behind(&self, sites: &[u8; PIECES_MAX], operator: &Operator) -> usize {
        self.rank(sites[..self.goal.len()].iter().map(|&site| operator.map[usize::from(site)]))
    }

    /// With one mode.
    fn follow_distance(&self, index: usize) -> bool {
        let sites = self.sites_of(index);
        let mut led = false;
        for operator in &self.motion.modes[0] {
            let to = &self.level_of[self.behind(&sites, operator)];
            if to.load(Ordering::Relaxed) == UNREACHED {
                to.store(self.reached.level + 1, Ordering::Relaxed);
                led = true;
            }
        }
        led
    }

    /// With several.
    fn follow_modes(&self, index: usize, width: usize) -> bool {
        let bytes = index * width..(index + 1) * width;
        let mut fresh = 0_u128;
        for (number, byte) in bytes.clone().enumerate() {
            let known = self.done[byte].load(Ordering::Relaxed);
            fresh |= u128::from(self.now[byte].load(Ordering::Relaxed) & !known) << (8 * number);
        }
        if fresh == 0 {
            return false;
        }
        for (number, byte) in bytes.enumerate() {
            self.done[byte].fetch_or((fresh >> (8 * number)) as u8, Ordering::Relaxed);
        }
        self.level_of[index].fetch_min(self.reached.level, Ordering::Relaxed);
        let sites = self.sites_of(index);
        let mut led = false;
        let mut open = fresh;
        while open != 0 {
            let mode = open.trailing_zeros() as usize;
            open &= open - 1;
            for operator in &self.motion.modes[mode] {
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

    /// Where the pieces are in a way to lie.
    fn sites_of(&self, index: usize) -> [u8; PIECES_MAX] {
        let mut lies = [(0, 0); PIECES_MAX];
        self.index.unrank(index, &mut lies);
        let mut sites = [0; PIECES_MAX];
        let places = &self.motion.kinds[self.kind].places;
        for (site, &(place, twist)) in sites.iter_mut().zip(&lies).take(self.goal.len()) {
            *site = places[usize::from(place)][usize::from(twist)];
        }
        sites
    }

    /// The table.
    pub(crate) fn table(self, pattern: Pattern) -> PatternTable {
        let mut bytes = vec![0_u8; self.size.div_ceil(2)];
        for (index, level) in self.level_of.into_iter().enumerate() {
            bytes[index / 2] |= level.into_inner().min(15) << (index % 2 * 4);
        }
        PatternTable { pattern, step: 1, bytes: Bytes::Memory(bytes.into()) }
    }
}
