//! From the levels of a search to the entries of a table, in the order of the pattern's [`Index`]. All ways to lie that
//! differ in the last piece alone follow each other there, so most of the work is done once for all of them.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use game::motion::{Motion, NONE};

use crate::build::{Bases, UNREACHED};
use crate::index::{Index, PIECES_MAX};
use crate::rows::Sets;
use crate::sweep::Sweep;
use crate::{Bytes, Pattern, PatternTable};

/// Ways for all pieces but the last that a thread takes at once; an even number, so that its entries are whole bytes.
const CHUNK: usize = 1 << 12;

/// The greatest number of an entry.
const MOST: u32 = 15;

struct Entries<'run> {
    levels: &'run [u8],
    orders: usize,
    places: usize,
    /// Of all pieces but the last.
    index: Index,
    sets: Sets,
    /// By piece: the number of orders of those behind it.
    behind: Vec<usize>,
    /// By piece and place: what it needs alone.
    alone: Vec<Vec<u32>>,
    step: u32,
}

/// The table that a search has found: what a pattern needs more than its pieces alone, in steps of two if that is
/// always even.
pub(crate) fn table(motion: &Motion, pattern: Pattern, sweep: &Sweep, threads: usize) -> PatternTable {
    let (kind, pieces) = (&motion.kinds[pattern.kind], pattern.pieces.len());
    let places = kind.places.len();
    let bases = Bases::new(motion, &pattern, true);
    let alone = |piece: usize| {
        kind.places.iter().map(|place| u32::from(bases.distances[piece][usize::from(place[0])])).collect()
    };
    let mut entries = Entries {
        levels: &sweep.level_of,
        orders: sweep.rows.orders,
        places,
        index: Index::new(kind, pieces - 1),
        sets: Sets::new(places),
        behind: (0..pieces).map(|piece| (1..pieces - piece).product()).collect(),
        alone: (0..pieces).map(alone).collect(),
        step: 2,
    };
    let mut bytes = vec![0; sweep.level_of.len().div_ceil(2)];
    if !entries.write(&mut bytes, threads) {
        entries.step = 1;
        entries.write(&mut bytes, threads);
    }
    PatternTable { step: entries.step, pattern, bytes: Bytes::Memory(bytes.into()) }
}

impl Entries<'_> {
    /// Writes all entries; false if they cannot be counted in such steps.
    fn write(&self, bytes: &mut [u8], threads: usize) -> bool {
        let last = self.places - self.index.pieces();
        let chunks = Mutex::new(bytes.chunks_mut(CHUNK * last / 2).enumerate());
        let fits = AtomicBool::new(true);
        std::thread::scope(|scope| {
            for _ in 0..threads.max(1) {
                scope.spawn(|| {
                    let take = || chunks.lock().unwrap_or_else(PoisonError::into_inner).next();
                    let mut own = vec![0; last];
                    while fits.load(Ordering::Relaxed) {
                        let Some((number, bytes)) = take() else { break };
                        let count = CHUNK.min(self.levels.len() / last - number * CHUNK);
                        bytes.fill(0);
                        for way in 0..count {
                            if !self.last_piece(number * CHUNK + way, &mut own) {
                                fits.store(false, Ordering::Relaxed);
                            }
                            for (entry, value) in (way * last..).zip(&own) {
                                bytes[entry / 2] |= value << (entry % 2 * 4);
                            }
                        }
                    }
                });
            }
        });
        fits.into_inner()
    }

    /// The entries of all places of the last piece, for one way in which the others lie.
    fn last_piece(&self, way: usize, values: &mut [u8]) -> bool {
        let count = self.index.pieces();
        let mut lies = [(0, 0); PIECES_MAX];
        self.index.unrank(way, &mut lies);
        let (mut piece_on, mut taken) = ([NONE; 64], 0_u64);
        let (mut base, mut order, mut later) = (0, 0, 0);
        // From the last piece to the first: how many of those behind it lie before it.
        for (piece, &(place, _)) in lies[..count].iter().enumerate().rev() {
            let before = (taken & ((1 << place) - 1)).count_ones() as usize;
            order += before * self.behind[piece];
            later += self.behind[piece];
            base += self.alone[piece][usize::from(place)];
            piece_on[usize::from(place)] = piece as u8;
            taken |= 1 << place;
        }
        // The number of the set, as if the last piece came before all others.
        let mut set = 0;
        let mut open = taken;
        for before in 1..=count {
            set += self.sets.adds(open.trailing_zeros() as usize, before);
            open &= open - 1;
        }
        let (mut before, mut next, mut fits) = (0, 0, true);
        for (place, &piece) in piece_on[..self.places].iter().enumerate() {
            if piece != NONE {
                set = set + self.sets.adds(place, before) - self.sets.adds(place, before + 1);
                later -= self.behind[usize::from(piece)];
                before += 1;
                continue;
            }
            let number = (set + self.sets.adds(place, before)) * self.orders + order + later;
            let level = self.levels[number];
            let more = u32::from(level).saturating_sub(base + self.alone[count][place]);
            fits &= level == UNREACHED || more.is_multiple_of(self.step);
            let value = if level == UNREACHED { MOST } else { (more / self.step).min(MOST) };
            values[next] = value as u8;
            next += 1;
        }
        fits
    }
}
