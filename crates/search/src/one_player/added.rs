//! The bound that rules state, kept up to date from move to move. Their evaluation adds up parts
//! ([`game::Summands`]), and each part asks about some fields and some pieces. A move that changes nothing of that
//! leaves its value alone; otherwise what it asks about is a number (the *key* of the part), and a search that has seen
//! that number before knows the value. Only what has never been seen is worked out from the rules.

use std::sync::atomic::{AtomicU16, AtomicU64, Ordering};

use game::motion::{Bounds, Motion, SITES_MAX, State, Turn};
use game::{Game, GameInfo, PieceCode, Position, Summands};

/// Parts at most.
const PARTS_MAX: usize = 48;

/// Keys of a part up to which there is a place for each.
const PLACES_MAX: u64 = 1 << 17;

/// Places for parts with more keys; the last key that came there is known.
const SHARED: usize = 1 << 16;

/// Marks that a value is not known.
const UNKNOWN: u16 = u16::MAX;

/// Values are written above this, so that they can be less than 0.
const ZERO: i64 = 1 << 14;

/// What is known of a part.
#[derive(Debug)]
enum Known {
    /// By key.
    Each(Vec<AtomicU16>),
    /// By key, as far as there is room: what was there, the key and the value mixed so that halves of two are
    /// recognised.
    Last(Vec<[AtomicU64; 2]>),
}

impl Known {
    fn new(keys: u64) -> Known {
        match keys <= PLACES_MAX {
            true => Known::Each((0..keys).map(|_| AtomicU16::new(UNKNOWN)).collect()),
            false => {
                Known::Last((0..SHARED).map(|_| [AtomicU64::new(0), AtomicU64::new(u64::MAX)]).collect())
            }
        }
    }

    fn place(key: u64) -> usize {
        (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 48) as usize % SHARED
    }

    #[inline]
    fn get(&self, key: u64) -> Option<u16> {
        match self {
            Known::Each(values) => {
                let value = values[key as usize].load(Ordering::Relaxed);
                (value != UNKNOWN).then_some(value)
            }
            Known::Last(places) => {
                let [mixed, value] = &places[Known::place(key)];
                let value = value.load(Ordering::Relaxed);
                (mixed.load(Ordering::Relaxed) ^ value == key && value != u64::MAX).then_some(value as u16)
            }
        }
    }

    fn set(&self, key: u64, value: u16) {
        match self {
            Known::Each(values) => values[key as usize].store(value, Ordering::Relaxed),
            Known::Last(places) => {
                let [mixed, own] = &places[Known::place(key)];
                mixed.store(key ^ u64::from(value), Ordering::Relaxed);
                own.store(u64::from(value), Ordering::Relaxed);
            }
        }
    }
}

/// What a move of a piece does to a part's key; the key counts modulo 2^64.
type Effect = (u8, u64);

/// The rules' own bound of a puzzle whose moves carry one piece each.
#[derive(Debug)]
pub struct Added {
    summands: Box<dyn Summands>,
    info: GameInfo,
    /// The board without pieces, with the code of each piece and the field of each site.
    empty: Position,
    codes: Vec<PieceCode>,
    fields: Vec<game::Field>,
    known: Vec<Known>,
    /// By piece and site: what it adds to the key of each part, where it adds anything.
    shares: Vec<Vec<Vec<Effect>>>,
    pieces: usize,
}

/// What is kept of a state.
#[derive(Clone, Copy, Debug)]
pub struct Kept {
    sum: i32,
    keys: [u64; PARTS_MAX],
    values: [u16; PARTS_MAX],
}

impl Added {
    /// The bound of a game; `None` if its moves carry more, or if its evaluation is not made of such parts.
    #[must_use]
    pub fn new<G: Game>(game: &G, motion: &Motion, start: &State, position: &Position) -> Option<Added> {
        let summands = game.summands()?;
        let is_fit = motion.carries_one() && summands.count() <= PARTS_MAX;
        let mut empty = position.clone();
        let codes: Vec<PieceCode> =
            start.at.iter().map(|&site| position.piece(motion.fields[usize::from(site)])).collect();
        start
            .at
            .iter()
            .for_each(|&site| empty.put(game.info(), motion.fields[usize::from(site)], PieceCode(0)));
        // What is on the board beside the pieces must be the same everywhere they can be.
        let is_empty = |&field: &game::Field| empty.piece(field) == PieceCode(0);
        if !is_fit || !motion.fields.iter().all(is_empty) {
            return None;
        }
        let mut shares = vec![vec![Vec::new(); motion.sites()]; motion.pieces()];
        let mut known = Vec::new();
        for part in 0..summands.count() {
            let mut weight = 1_u64;
            for (site, &field) in motion.fields.iter().enumerate() {
                let sets = &summands.asks(part)[usize::from(field)];
                let look =
                    |code: PieceCode| sets.iter().map(|set| set & code.bit() != 0).collect::<Vec<bool>>();
                let mut looks = vec![look(PieceCode(0))];
                for (piece, &code) in codes.iter().enumerate() {
                    let own = look(code);
                    let number = looks.iter().position(|look| *look == own).unwrap_or(looks.len());
                    if number == looks.len() {
                        looks.push(own);
                    }
                    if number > 0 {
                        shares[piece][site].push((part as u8, weight * number as u64));
                    }
                }
                weight = weight.checked_mul(looks.len() as u64)?;
            }
            known.push(Known::new(weight));
        }
        let (fields, pieces) = (motion.fields.clone(), motion.pieces());
        let info = game.info().clone();
        let added = Added { summands, info, empty, codes, fields, known, shares, pieces };
        // A bound that does not know the end would never let the search arrive there.
        let is_right = added.begin(&motion.goal.at).sum == 0
            && i64::from(added.begin(&start.at).sum) == i64::from(game.evaluate(&game.pack(position)).ok()?);
        is_right.then_some(added)
    }

    /// What a part is worth, from the rules. A rule that goes wrong is worth nothing.
    #[cold]
    #[inline(never)]
    fn work_out(&self, part: usize, key: u64, at: &[u8]) -> u16 {
        let mut position = self.empty.clone();
        for (&site, &code) in at.iter().zip(&self.codes) {
            position.put(&self.info, self.fields[usize::from(site)], code);
        }
        let value = self.summands.value(part, &position).unwrap_or(0);
        let value = (value + ZERO).clamp(0, i64::from(UNKNOWN) - 1) as u16;
        self.known[part].set(key, value);
        value
    }

    #[inline]
    fn value_of(&self, part: usize, key: u64, at: &[u8]) -> u16 {
        self.known[part].get(key).unwrap_or_else(|| self.work_out(part, key, at))
    }
}

impl Bounds for Added {
    type Kept = Kept;
    type Turned = ();

    fn begin(&self, at: &[u8]) -> Kept {
        let mut kept = Kept { sum: 0, keys: [0; PARTS_MAX], values: [0; PARTS_MAX] };
        for (shares, &site) in self.shares.iter().zip(at) {
            for &(part, share) in &shares[usize::from(site)] {
                let key = &mut kept.keys[usize::from(part)];
                *key = key.wrapping_add(share);
            }
        }
        for part in 0..self.known.len() {
            kept.values[part] = self.value_of(part, kept.keys[part], at);
            kept.sum += (i64::from(kept.values[part]) - ZERO) as i32;
        }
        kept
    }

    #[inline]
    fn after(&self, mut kept: Kept, piece: u8, from: u8, to: u8, at: &[u8; SITES_MAX]) -> Kept {
        let shares = &self.shares[usize::from(piece)];
        let (left, come) = (&shares[usize::from(from)], &shares[usize::from(to)]);
        for &(part, share) in left {
            let key = &mut kept.keys[usize::from(part) % PARTS_MAX];
            *key = key.wrapping_sub(share);
        }
        for &(part, share) in come {
            let key = &mut kept.keys[usize::from(part) % PARTS_MAX];
            *key = key.wrapping_add(share);
        }
        // A part that is in both lists is looked up twice, and does not change the second time.
        for &(part, _) in left.iter().chain(come) {
            let part = usize::from(part) % PARTS_MAX;
            let value = self.value_of(part, kept.keys[part], &at[..self.pieces]);
            kept.sum += i32::from(value) - i32::from(kept.values[part]);
            kept.values[part] = value;
        }
        kept
    }

    #[inline]
    fn value(&self, kept: Kept) -> u32 {
        kept.sum.max(0) as u32
    }

    fn turned(&self, _: &[u8; SITES_MAX]) {}

    fn turn(&self, _: &Turn<'_, ()>) {}

    fn bound(&self, turn: &Turn<'_, ()>, _: usize, _: u8, _: u32) -> (u32, u8) {
        self.whole(&turn.after(self.pieces))
    }

    fn whole(&self, at: &[u8; SITES_MAX]) -> (u32, u8) {
        (self.value(self.begin(&at[..self.pieces])), 0)
    }
}
