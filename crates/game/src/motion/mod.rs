//! Puzzles whose moves carry pieces from place to place: tiles that slide, faces that turn, stacks that are flipped.
//!
//! Where no move asks *which* of some pieces stands on a field ([`Game::interchangeable`]), what a move does depends
//! on nothing but where such pieces are at all: the *mode* of a position (of a sliding puzzle: where the blank is; of
//! a cube: there is but one). In each mode the moves are fixed maps of *sites*, and a position is the mode and the
//! site of every piece. That is all that solvers and databases have to know, and it is found by trying: see
//! `find.rs`.

mod blocks;
mod find;
mod invariants;
mod symmetries;

pub use blocks::Kind;
pub use invariants::Invariants;
pub use symmetries::Symmetry;

use std::collections::HashMap;

use crate::{Field, Game, PieceCode, Position};

/// Marks that nothing is there.
pub const NONE: u8 = u8::MAX;

/// Sites and pieces are numbered below this.
pub const SITES_MAX: usize = 64;

/// What a move does in a mode.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Operator {
    /// From where to where pieces go, in the order of the sites they leave.
    pub carries: Vec<(u8, u8)>,
    /// Where what is on a site goes, for every site.
    pub map: Vec<u8>,
    /// The mode that it leads to.
    pub to: u16,
    /// The move of that mode that takes it back, if there is one.
    pub inverse: Option<u16>,
}

/// A way to turn or mirror the board after which moves are the same and the solved position is the solved position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mirror {
    /// Where sites come to lie.
    pub sites: Vec<u8>,
    /// Which piece each piece becomes.
    pub pieces: Vec<u8>,
}

/// A state: the mode and where every piece is.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct State {
    /// Which sites hold pieces at all.
    pub mode: u16,
    /// The site of each piece: of its first field, if it has several.
    pub at: Vec<u8>,
}

/// All that there is to know of such a puzzle.
#[derive(Clone, Debug)]
pub struct Motion {
    /// The field of each site.
    pub fields: Vec<Field>,
    /// The moves of each mode, in the order of the rules.
    pub modes: Vec<Vec<Operator>>,
    /// By mode: the sites that hold pieces, one bit each.
    pub holds: Vec<u64>,
    /// Pieces by kind; a piece of one kind never comes to a place of another.
    pub kinds: Vec<Kind>,
    /// The solved state.
    pub goal: State,
    /// Turned and mirrored boards.
    pub mirrors: Vec<Mirror>,
    /// What moves never change.
    pub invariants: Invariants,
    /// The codes of pieces that moves do not tell apart.
    labels: u128,
    /// Modes by which fields hold what, the pieces in question all being one.
    masks: HashMap<Vec<u8>, u16>,
    /// By piece: what its fields show, from its first site on.
    shown: Vec<Vec<u8>>,
    /// By site that no move touches: what the solved position has there.
    fixed: Vec<(usize, u8)>,
}

impl Motion {
    /// The motion of a game, if it is such a puzzle. Not for the hot path.
    #[must_use]
    pub fn of<G: Game>(game: &G) -> Option<Motion> {
        // It takes a moment only: one copy of the code for all games is enough.
        find::find(&crate::Erased::new(game))
    }

    /// How many sites there are.
    #[must_use]
    pub fn sites(&self) -> usize {
        self.fields.len()
    }

    /// How many pieces there are.
    #[must_use]
    pub fn pieces(&self) -> usize {
        self.goal.at.len()
    }

    /// Whether every move carries one piece of one field.
    #[must_use]
    pub fn carries_one(&self) -> bool {
        let one = |operator: &Operator| operator.carries.len() == 1;
        self.modes.iter().flatten().all(one) && self.kinds.iter().all(|kind| kind.twists == 1)
    }

    /// Whether every move can be taken back by another.
    #[must_use]
    pub fn is_reversible(&self) -> bool {
        self.modes.iter().flatten().all(|operator| operator.inverse.is_some())
    }

    /// The state of a position; `None` if it shows something that no move leads to from the solved one.
    #[must_use]
    pub fn state(&self, position: &Position) -> Option<State> {
        let code = |field: Field| position.piece(field).0;
        let mask: Vec<u8> = self.fields.iter().map(|&field| self.masked(code(field))).collect();
        let mode = *self.masks.get(&mask)?;
        if self.fixed.iter().any(|&(site, wanted)| code(self.fields[site]) != wanted) {
            return None;
        }
        let mut at = vec![NONE; self.pieces()];
        for kind in &self.kinds {
            for place in &kind.places {
                let shown: Vec<u8> = place.iter().map(|&site| code(self.fields[usize::from(site)])).collect();
                if self.labels >> shown[0] & 1 == 0 {
                    continue;
                }
                let (piece, twist) = self.recognise(kind, &shown)?;
                if std::mem::replace(&mut at[piece], place[twist]) != NONE {
                    return None;
                }
            }
        }
        (!at.contains(&NONE)).then_some(State { mode, at })
    }

    /// Which piece shows this on the fields of a place, and at which of them it begins.
    fn recognise(&self, kind: &Kind, shown: &[u8]) -> Option<(usize, usize)> {
        kind.pieces.iter().find_map(|&piece| {
            let own = &self.shown[piece];
            let fits = |twist: &usize| (0..own.len()).all(|i| shown[(twist + i) % own.len()] == own[i]);
            (0..own.len()).find(fits).map(|twist| (piece, twist))
        })
    }

    /// A code as modes see it.
    fn masked(&self, code: u8) -> u8 {
        masked(self.labels, code)
    }

    /// The state after a move.
    #[must_use]
    pub fn after(&self, state: &State, operator: &Operator) -> State {
        let at = state.at.iter().map(|&site| operator.map[usize::from(site)]).collect();
        State { mode: operator.to, at }
    }

    /// How many moves a piece is at least from each site to where it belongs, whatever else is on the board.
    #[must_use]
    pub fn distances(&self, piece: usize) -> Vec<u8> {
        let mut distances = vec![NONE; self.sites()];
        let home = self.goal.at[piece];
        distances[usize::from(home)] = 0;
        let mut open = vec![home];
        let mut next = 0;
        while let Some(&site) = open.get(next) {
            next += 1;
            for operator in self.modes.iter().flatten() {
                for &(from, to) in operator.carries.iter().filter(|carry| carry.1 == site) {
                    if distances[usize::from(from)] == NONE {
                        distances[usize::from(from)] = distances[usize::from(to)].saturating_add(1);
                        open.push(from);
                    }
                }
            }
        }
        distances
    }
}

/// A code as modes see it: all labels are one.
fn masked(labels: u128, code: u8) -> u8 {
    if labels >> code & 1 != 0 { labels.trailing_zeros() as u8 } else { code }
}

/// Whether this code stands for a piece in a mask.
fn is_label(labels: u128, code: u8) -> bool {
    code < PieceCode::COUNT_MAX as u8 && labels >> code & 1 != 0
}

/// Lower bounds of the moves that a state is from the solved one, kept up to date where moves carry one piece.
pub trait Bounds: Sync {
    /// What is kept from state to state.
    type Kept: Copy + Send;

    /// Whether tables are far away: several moves are asked about together then ([`Bounds::ask_after`]), and one
    /// waits for all of them.
    const IS_FAR: bool = false;

    /// What is kept of a state.
    fn begin(&self, at: &[u8]) -> Self::Kept;

    /// What is kept after one piece has gone from a site to another; `at` is as it is then.
    fn after(&self, kept: Self::Kept, piece: u8, from: u8, to: u8, at: &[u8; SITES_MAX]) -> Self::Kept;

    /// The same, but [`Bounds::settle`] reads what has to be read.
    #[inline(always)]
    fn ask_after(&self, kept: Self::Kept, piece: u8, from: u8, to: u8, at: &[u8; SITES_MAX]) -> Self::Kept {
        self.after(kept, piece, from, to, at)
    }

    /// Completes what [`Bounds::ask_after`] has begun.
    #[inline(always)]
    fn settle(&self, kept: Self::Kept) -> Self::Kept {
        kept
    }

    /// The bound.
    fn value(&self, kept: Self::Kept) -> u32;

    /// What is kept of a state where moves carry several pieces at once.
    type Turned: Copy + Send;

    /// What is kept of such a state.
    fn turned(&self, at: &[u8; SITES_MAX]) -> Self::Turned;

    /// What is kept behind such a move.
    fn turn(&self, turn: &Turn<'_, Self::Turned>) -> Self::Turned;

    /// What will be asked first about a move that is looked at from a side. A table can be looked at before its
    /// answer is needed, and so can what says where to look: many moves are aimed at, then asked about, then
    /// answered.
    fn aim(&self, _: &Turn<'_, Self::Turned>, _side: u8) -> u64 {
        0
    }

    /// What [`Bounds::bound`] will look at, after [`Bounds::aim`].
    fn ask(&self, _aim: u64) -> usize {
        0
    }

    /// The bound behind a move, with what [`Bounds::ask`] has said of it, and the side that says so; once it is more
    /// than `enough` it may be less than the whole truth. What a side says of a state it nearly says of the next one:
    /// ask it first.
    fn bound(&self, turn: &Turn<'_, Self::Turned>, asked: usize, side: u8, enough: u32) -> (u32, u8);

    /// The bound of a state that no move has led to, and the side that says so.
    fn whole(&self, at: &[u8; SITES_MAX]) -> (u32, u8);
}

/// Lower bounds from tables that several processors hold together, each a part of every table. The entries for a state
/// are looked up one after the other, each by the processor that has it.
pub trait Divided: Sync {
    /// How many entries are looked up for a state.
    fn looks(&self) -> usize;

    /// The number of the processor that has the entry of a look.
    fn holder(&self, look: usize, at: &[u8]) -> usize;

    /// What is known of a state after a look, 0 before the first one. `part` is the number of the processor that looks.
    ///
    /// # Panics
    /// When that processor is not the holder.
    fn look(&self, part: usize, look: usize, at: &[u8], known: u16) -> u16;

    /// The bound that follows from what is known of a state after some of the looks.
    fn bound(&self, at: &[u8], known: u16) -> u32;
}

/// A move that carries several pieces, and the state before it.
#[derive(Clone, Copy, Debug)]
pub struct Turn<'run, K> {
    /// What is kept of the state before.
    pub before: &'run K,
    /// Where the pieces are before.
    pub at: &'run [u8; SITES_MAX],
    /// The number of the move.
    pub number: usize,
    /// Where what is on each site goes.
    pub map: &'run [u8; SITES_MAX],
}

impl<K> Turn<'_, K> {
    /// Where the pieces are behind the move, so many of them.
    #[must_use]
    #[inline(always)]
    pub fn after(&self, pieces: usize) -> [u8; SITES_MAX] {
        let mut after = [0; SITES_MAX];
        for (after, &site) in after.iter_mut().zip(self.at).take(pieces) {
            *after = self.map[usize::from(site) % SITES_MAX];
        }
        after
    }
}
