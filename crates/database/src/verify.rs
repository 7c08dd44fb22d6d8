//! Checking a table against the moves: 0 where the pattern is solved and nowhere else, and from everywhere else a
//! move of the pattern's pieces to a way to lie that needs less. Where there is but one mode, no move changes what is
//! needed by more than one.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use game::motion::Motion;

use crate::PatternTable;
use crate::build::Bases;
use crate::index::{Index, PIECES_MAX};

/// What is wrong with a table.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Flaw {
    /// The solved pattern needs something, or another one nothing.
    #[error("entry {0} is {1} where it must{2} be 0")]
    Zero(usize, u32, &'static str),
    /// No move comes nearer.
    #[error("entry {0} is {1}, and no move leads to less")]
    Stuck(usize, u32),
    /// A move changes too much.
    #[error("a move leads from {1} to {2} at entry {0}")]
    Jump(usize, u32, u32),
}

/// What a verification has seen.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Seen {
    /// Entries.
    pub entries: usize,
    /// Moves between them.
    pub edges: u64,
    /// Entries whose four bits say their most: they may be more.
    pub full: usize,
    /// The greatest number of moves.
    pub greatest: u32,
}

/// Entries that a thread takes at once.
const CHUNK: usize = 1 << 14;

/// Looks at every entry and every move, on so many threads.
///
/// # Errors
/// Something that is wrong.
pub fn verify(motion: &Motion, table: &PatternTable, adds: bool, threads: usize) -> Result<Seen, Flaw> {
    let check = Check::new(motion, table, adds);
    let size = table.pattern.size(motion);
    let (place, flaw, all) = (AtomicUsize::new(0), Mutex::new(None), Mutex::new(Seen::default()));
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            scope.spawn(|| {
                let mut seen = Seen::default();
                loop {
                    let first = place.fetch_add(CHUNK, Ordering::Relaxed);
                    let wrong = (first..size.min(first + CHUNK))
                        .find_map(|entry| check.entry(entry, &mut seen).err());
                    if let Some(wrong) = wrong {
                        place.store(size, Ordering::Relaxed);
                        *flaw.lock().unwrap_or_else(PoisonError::into_inner) = Some(wrong);
                    }
                    if first >= size {
                        break;
                    }
                }
                all.lock().unwrap_or_else(PoisonError::into_inner).add(&seen);
            });
        }
    });
    let flaw = flaw.into_inner().unwrap_or_else(PoisonError::into_inner);
    flaw.map_or_else(|| Ok(all.into_inner().unwrap_or_else(PoisonError::into_inner)), Err)
}

impl Seen {
    fn add(&mut self, other: &Seen) {
        self.entries += other.entries;
        self.edges += other.edges;
        self.full += other.full;
        self.greatest = self.greatest.max(other.greatest);
    }
}

struct Check<'run> {
    motion: &'run Motion,
    table: &'run PatternTable,
    index: Index,
    bases: Bases,
    goal: usize,
}

impl Check<'_> {
    fn new<'run>(motion: &'run Motion, table: &'run PatternTable, adds: bool) -> Check<'run> {
        let (pattern, index) = (&table.pattern, table.pattern.index(motion));
        let bases = Bases::new(motion, pattern, adds);
        let mut check = Check { motion, table, index, bases, goal: 0 };
        let sites: Vec<u8> = pattern.pieces.iter().map(|&piece| motion.goal.at[piece]).collect();
        check.goal = check.rank(&sites);
        check
    }

    fn rank(&self, sites: &[u8]) -> usize {
        let kind = &self.motion.kinds[self.table.pattern.kind];
        self.index.rank(sites.iter().map(|&site| kind.lies[usize::from(site)].unwrap_or((0, 0))))
    }

    fn value(&self, entry: usize, sites: &[u8]) -> u32 {
        self.bases.of(sites) + u32::from(self.table.entry(entry)) * self.table.step
    }

    fn entry(&self, entry: usize, seen: &mut Seen) -> Result<(), Flaw> {
        let kind = &self.motion.kinds[self.table.pattern.kind];
        let count = self.table.pattern.pieces.len();
        let mut lies = [(0, 0); PIECES_MAX];
        self.index.unrank(entry, &mut lies);
        let mut sites = [0; PIECES_MAX];
        for (site, lie) in sites.iter_mut().zip(&lies).take(count) {
            *site = kind.places[usize::from(lie.0)][usize::from(lie.1)];
        }
        let sites = &sites[..count];
        let own = self.value(entry, sites);
        seen.entries += 1;
        seen.greatest = seen.greatest.max(own);
        if (own == 0) != (entry == self.goal) {
            return Err(Flaw::Zero(entry, own, if entry == self.goal { "" } else { " not" }));
        }
        let is_full = self.table.entry(entry) == 15;
        seen.full += usize::from(is_full);
        let mut comes_nearer = entry == self.goal || is_full;
        let occupied = sites.iter().fold(0_u64, |set, &site| set | 1 << site);
        let mut after = [0; PIECES_MAX];
        for (mode, operators) in self.motion.modes.iter().enumerate() {
            // In this mode the pieces must lie where pieces are.
            if occupied & !self.motion.holds[mode] != 0 {
                continue;
            }
            for operator in operators {
                if !operator.carries.iter().any(|&(from, _)| occupied >> from & 1 != 0) {
                    continue;
                }
                for (after, &site) in after.iter_mut().zip(sites) {
                    *after = operator.map[usize::from(site)];
                }
                seen.edges += 1;
                let next = self.rank(&after[..count]);
                let other = self.value(next, &after[..count]);
                comes_nearer |= other < own;
                let full = is_full || self.table.entry(next) == 15;
                if self.motion.modes.len() == 1 && own.abs_diff(other) > 1 && !full {
                    return Err(Flaw::Jump(entry, own, other));
                }
            }
        }
        if comes_nearer { Ok(()) } else { Err(Flaw::Stuck(entry, own)) }
    }
}
