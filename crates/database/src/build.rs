//! Making the table of a pattern: a breadth-first search backwards from the solved state, over the ways in which the
//! pattern's pieces can lie together with the modes (where the blank is). Where patterns add up a move that carries
//! none of the pieces is free, and the search goes from row to row ([`crate::sweep`]); elsewhere it goes from one way
//! to lie to the next ([`crate::passes`]).

use game::motion::Motion;

use crate::passes::Passes;
use crate::sweep::Sweep;
use crate::{Pattern, PatternTable, entries};

/// A way to lie that has not been reached.
pub const UNREACHED: u8 = u8::MAX;

/// How far a search has come.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Reached {
    pub(crate) level: u8,
    pub(crate) is_over: bool,
    /// How much of this level has been looked at, and whether that led anywhere.
    pub(crate) place: usize,
    pub(crate) found: bool,
}

impl Reached {
    /// All of a level has been looked at.
    pub(crate) fn end_level(&mut self) {
        self.is_over = !self.found || self.level == UNREACHED - 1;
        (self.level, self.place, self.found) = (self.level + 1, 0, false);
    }
}

/// Bytes that making the table of a pattern takes.
pub(crate) fn bytes(motion: &Motion, pattern: &Pattern) -> u64 {
    let (size, pieces) = (pattern.size(motion) as u64, pattern.pieces.len() as u64);
    let modes = motion.modes.len();
    if !motion.carries_one() {
        return size.saturating_mul(if modes == 1 { 1 } else { 3 * modes.div_ceil(8) as u64 + 1 });
    }
    // The level, and three bits a region: there are two of them or three on average, with several blanks more. Then
    // what orders become.
    let each = if modes == motion.sites() { 2 } else { 3 };
    let orders = (1..=pieces).fold(1_u64, u64::saturating_mul);
    size.saturating_mul(each).saturating_add(orders.saturating_mul(4 * 3 * pieces))
}

/// A search that is under way: all that is needed to go on.
pub struct Making<'motion> {
    motion: &'motion Motion,
    pub(crate) pattern: Pattern,
    pub(crate) adds: bool,
    size: usize,
    method: Method<'motion>,
}

enum Method<'motion> {
    Rows(Box<Sweep>),
    Ways(Box<Passes<'motion>>),
}

impl<'motion> Making<'motion> {
    /// A search that begins at the solved state; `None` if there are too many ways to lie.
    #[must_use]
    pub fn new(motion: &'motion Motion, pattern: &Pattern, adds: bool) -> Option<Making<'motion>> {
        let size = pattern.index(motion).size()?;
        let method = match adds {
            true => Method::Rows(Box::new(Sweep::new(motion, pattern)?)),
            false => Method::Ways(Box::new(Passes::new(motion, pattern)?)),
        };
        Some(Making { motion, pattern: pattern.clone(), adds, size, method })
    }

    /// Knows nothing but the solved state.
    pub(crate) fn begin(&mut self) {
        match &mut self.method {
            Method::Rows(sweep) => sweep.begin(),
            Method::Ways(passes) => passes.begin(),
        }
    }

    pub(crate) fn reached(&self) -> Reached {
        match &self.method {
            Method::Rows(sweep) => sweep.reached,
            Method::Ways(passes) => passes.reached,
        }
    }

    /// Takes over how far a search had come, unless that cannot be.
    pub(crate) fn take_over(&mut self, reached: Reached) -> Option<()> {
        let (own, places) = match &mut self.method {
            Method::Rows(sweep) => (&mut sweep.reached, sweep.rows.sets()),
            Method::Ways(passes) => (&mut passes.reached, self.size),
        };
        *own = reached;
        (reached.place < places).then_some(())
    }

    /// Bytes that are saved of it.
    pub(crate) fn saved(&self) -> usize {
        match &self.method {
            Method::Rows(sweep) => sweep.saved(),
            Method::Ways(passes) => passes.saved(),
        }
    }

    /// All that is known, for saving it, in pieces of at most so many bytes.
    pub(crate) fn chunks(&self, most: usize) -> Box<dyn Iterator<Item = Vec<u8>> + '_> {
        match &self.method {
            Method::Rows(sweep) => Box::new(sweep.chunks(most)),
            Method::Ways(passes) => Box::new(passes.chunks(most)),
        }
    }

    /// Takes over what was saved.
    pub(crate) fn fill(&mut self, most: usize, read: &mut dyn FnMut(&mut [u8]) -> Option<()>) -> Option<()> {
        match &mut self.method {
            Method::Rows(sweep) => sweep.fill(most, read),
            Method::Ways(passes) => passes.fill(most, read),
        }
    }

    /// The number of ways to lie.
    #[must_use]
    pub fn size(&self) -> usize {
        self.size
    }

    /// How far the search has come.
    #[must_use]
    pub fn level(&self) -> u8 {
        self.reached().level
    }

    /// Whether all is known.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.reached().is_over
    }

    /// Follows what was reached in this level, on so many threads. False if it was told to stop; then it can be called
    /// again and goes on.
    pub fn advance(&mut self, threads: usize, stop: &(dyn Fn() -> bool + Sync)) -> bool {
        match &mut self.method {
            Method::Rows(sweep) => sweep.advance(threads, stop),
            Method::Ways(passes) => passes.advance(threads, stop),
        }
    }

    /// The table, four bits an entry: what a pattern needs, or, where patterns add up, what it needs more than its
    /// pieces alone. More than four bits can say is said as their most, which is still a bound.
    #[must_use]
    pub fn table(self, threads: usize) -> PatternTable {
        match self.method {
            Method::Rows(mut sweep) => {
                sweep.forget();
                entries::table(self.motion, self.pattern, &sweep, threads)
            }
            Method::Ways(passes) => passes.table(self.pattern),
        }
    }
}

/// What the pieces of a pattern need alone, added up; nothing where patterns do not add up.
#[derive(Clone, Debug)]
pub struct Bases {
    /// By piece and site.
    pub(crate) distances: Vec<Vec<u8>>,
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
) -> Option<PatternTable> {
    let mut making = Making::new(motion, pattern, adds)?;
    while !making.is_over() {
        if !making.advance(threads, stop) {
            return None;
        }
    }
    Some(making.table(threads))
}
