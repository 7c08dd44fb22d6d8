//! Lower bounds from tables: looked up for a state, and kept up to date from move to move.

use game::Motion;
use game::motion::{Bounds, NONE, SITES_MAX, Turn};

use crate::index::Index;
use crate::{Bytes, PatternTable, Plan};

/// Ways of looking at a state at most; more are left out.
const VIEWS_MAX: usize = 16;

/// Mirrored boards that are looked at beside the state itself.
const MIRRORS_MAX: usize = 1;

/// Sets of views that add up.
const SETS_MAX: usize = 1 + MIRRORS_MAX;

/// A table as a state is seen through it: as it is, or mirrored.
#[derive(Clone, Debug)]
pub(crate) struct View {
    pub(crate) table: PatternTable,
    index: Index,
    /// Whose sites are looked at, in the order of the table's pattern.
    pieces: Vec<u8>,
    /// By site: its place and twist in the table's eyes.
    lies: [(u8, u8); SITES_MAX],
}

impl View {
    /// The number of the entry for a state.
    #[inline]
    pub(crate) fn number(&self, at: &[u8]) -> usize {
        let lie = |&piece: &u8| self.lies[usize::from(at[usize::from(piece)]) % SITES_MAX];
        self.index.rank(self.pieces.iter().map(lie))
    }

    #[inline]
    fn look(&self, at: &[u8]) -> u8 {
        self.table.entry(self.number(at))
    }

    /// The same view of a table that is somewhere else.
    pub(crate) fn without_entries(self) -> View {
        let bytes = Bytes::Memory(Vec::new().into());
        View { table: PatternTable { bytes, ..self.table }, ..self }
    }
}

/// By piece and site: what a piece needs alone.
pub(crate) type Weights = Box<[[u8; SITES_MAX]; SITES_MAX]>;

/// Tables of a puzzle, ready to be asked.
#[derive(Clone, Debug)]
pub struct Patterns {
    views: Vec<View>,
    /// Where one complete set of views ends and the next one begins, where views add up.
    sets: Vec<std::ops::Range<usize>>,
    /// By piece: the views that look at it.
    of_piece: Vec<Vec<u8>>,
    weights: Weights,
    /// By view: what one of its entries is worth.
    steps: [u32; VIEWS_MAX],
    pieces: usize,
    adds: bool,
}

impl Patterns {
    /// The tables of a plan, in its order.
    #[must_use]
    pub fn new(motion: &Motion, plan: &Plan, tables: &[PatternTable]) -> Patterns {
        let mut views = Vec::new();
        let mut sets = Vec::new();
        let identity: (Vec<u8>, Vec<u8>) =
            ((0..motion.sites() as u8).collect(), (0..motion.pieces() as u8).collect());
        let mirrors = motion.mirrors.iter().map(|mirror| (mirror.sites.clone(), mirror.pieces.clone()));
        for (sites, becomes) in std::iter::once(identity).chain(mirrors.take(MIRRORS_MAX)) {
            let first = views.len();
            if first + tables.len() > VIEWS_MAX {
                break;
            }
            views.extend(tables.iter().map(|table| view(motion, table, &sites, &becomes)));
            sets.push(first..views.len());
        }
        let looks = |piece: usize| {
            let own = |&(_, view): &(usize, &View)| view.pieces.contains(&(piece as u8));
            views.iter().enumerate().filter(own).map(|(number, _)| number as u8).collect()
        };
        let of_piece = (0..motion.pieces()).map(looks).collect();
        let mut weights = Box::new([[0; SITES_MAX]; SITES_MAX]);
        for (piece, row) in weights.iter_mut().enumerate().take(motion.pieces()) {
            row.iter_mut().zip(motion.distances(piece)).for_each(|(weight, distance)| *weight = distance);
        }
        let mut steps = [0; VIEWS_MAX];
        steps.iter_mut().zip(&views).for_each(|(step, view)| *step = view.table.step);
        Patterns { views, sets, of_piece, weights, steps, pieces: motion.pieces(), adds: plan.adds }
    }

    /// The tables, each once.
    pub(crate) fn tables(&self) -> Vec<PatternTable> {
        let first = self.sets.first().cloned().unwrap_or(0..0);
        self.views[first].iter().map(|view| view.table.clone()).collect()
    }

    /// All views, where sets of them begin and end, what pieces need alone, and whether tables add up.
    pub(crate) fn into_views(self) -> (Vec<View>, Vec<std::ops::Range<usize>>, Weights, bool) {
        (self.views, self.sets, self.weights, self.adds)
    }

    fn valued(&self, mut kept: Kept) -> Kept {
        let sum = |set: &std::ops::Range<usize>| {
            let more = |view: usize| u32::from(kept.more[view]) * self.steps[view];
            set.clone().map(more).sum::<u32>()
        };
        kept.value = kept.base + self.sets.iter().map(sum).max().unwrap_or(0);
        kept
    }
}

fn view(motion: &Motion, table: &PatternTable, sites: &[u8], becomes: &[u8]) -> View {
    let kind = &motion.kinds[table.pattern.kind];
    let mut lies = [(NONE, 0); SITES_MAX];
    for (site, &image) in sites.iter().enumerate() {
        lies[site] = kind.lies[usize::from(image)].unwrap_or((0, 0));
    }
    let origin =
        |&piece: &usize| becomes.iter().position(|&to| usize::from(to) == piece).unwrap_or(piece) as u8;
    let pieces = table.pattern.pieces.iter().map(origin).collect();
    View { table: table.clone(), index: table.pattern.index(motion), pieces, lies }
}

/// What is kept of a state where tables add up.
#[derive(Clone, Copy, Debug)]
pub struct Kept {
    value: u32,
    /// What all pieces need alone.
    base: u32,
    /// What each view says beside that.
    more: [u8; VIEWS_MAX],
    /// Views that are asked, so many of them, and the numbers of the entries.
    asked: [(u8, usize); SETS_MAX],
    count: u8,
}

impl Bounds for Patterns {
    type Kept = Kept;

    const IS_FAR: bool = true;

    fn begin(&self, at: &[u8]) -> Kept {
        let mut kept = Kept { value: 0, base: 0, more: [0; VIEWS_MAX], asked: [(0, 0); SETS_MAX], count: 0 };
        for (more, view) in kept.more.iter_mut().zip(&self.views) {
            *more = view.look(at);
        }
        let alone =
            at.iter().enumerate().map(|(piece, &site)| u32::from(self.weights[piece][usize::from(site)]));
        kept.base = if self.adds { alone.sum() } else { 0 };
        self.valued(kept)
    }

    #[inline]
    fn after(&self, kept: Kept, piece: u8, from: u8, to: u8, at: &[u8; SITES_MAX]) -> Kept {
        self.settle(self.ask_after(kept, piece, from, to, at))
    }

    #[inline]
    fn ask_after(&self, mut kept: Kept, piece: u8, from: u8, to: u8, at: &[u8; SITES_MAX]) -> Kept {
        let row = &self.weights[usize::from(piece) % SITES_MAX];
        if self.adds {
            kept.base = kept.base + u32::from(row[usize::from(to) % SITES_MAX])
                - u32::from(row[usize::from(from) % SITES_MAX]);
        }
        // No piece is in two tables that add up, so there is one view of each set at most.
        let views = &self.of_piece[usize::from(piece)];
        for (asked, &view) in kept.asked.iter_mut().zip(views) {
            let own = &self.views[usize::from(view)];
            let number = own.number(at);
            own.table.bytes.fetch(number / 2);
            *asked = (view, number);
        }
        kept.count = views.len().min(SETS_MAX) as u8;
        kept
    }

    #[inline]
    fn settle(&self, mut kept: Kept) -> Kept {
        for &(view, number) in &kept.asked[..usize::from(kept.count) % (SETS_MAX + 1)] {
            kept.more[usize::from(view) % VIEWS_MAX] = self.views[usize::from(view)].table.entry(number);
        }
        self.valued(kept)
    }

    #[inline]
    fn value(&self, kept: Kept) -> u32 {
        kept.value
    }

    type Turned = ();

    fn turned(&self, _: &[u8; SITES_MAX]) {}

    fn turn(&self, _: &Turn<'_, ()>) {}

    fn bound(&self, turn: &Turn<'_, ()>, _: usize, side: u8, enough: u32) -> (u32, u8) {
        self.greatest(&turn.after(self.pieces), side, enough)
    }

    fn whole(&self, at: &[u8; SITES_MAX]) -> (u32, u8) {
        self.greatest(at, 0, u32::MAX)
    }
}

impl Patterns {
    /// What all views say of a state; if one of them says enough the others are not asked.
    fn greatest(&self, at: &[u8; SITES_MAX], side: u8, enough: u32) -> (u32, u8) {
        if self.adds {
            return (self.begin(&at[..self.pieces]).value, 0);
        }
        let look = |side: u8| {
            let view = &self.views[usize::from(side)];
            (u32::from(view.look(at)) * view.table.step, side)
        };
        let mut greatest = look(side);
        for other in (0..self.views.len() as u8).filter(|&other| other != side) {
            if greatest.0 > enough {
                break;
            }
            let own = look(other);
            if own.0 > greatest.0 {
                greatest = own;
            }
        }
        greatest
    }
}
