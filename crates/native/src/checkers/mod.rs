//! English checkers on bitboards: forced captures, several jumps in one move, a man that is crowned stops.
//! Different ways to jump are different moves, even if they lead to the same position.
//!
//! All 64 fields have a bit, lower left first, but only the dark ones are ever empty: a step over the side of
//! the board ends on a light field and so fails by itself, without a mask.

mod contract;

pub use contract::NativeCheckers;

use crate::declare::{TURN, piece_keys};
use crate::perft::{Perft, Playouts, leaf};
use crate::random::Random;

/// The fields that are used; the lower left one is among them.
const DARK: u64 = 0xaa55_aa55_aa55_aa55;

/// A checkers position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Checkers {
    /// White's pieces, which move upwards, then black's.
    pieces: [u64; 2],
    /// Those of them that are kings.
    kings: u64,
    /// The contract's signature.
    signature: u64,
    /// The mover: 0 for white, 1 for black.
    mover: usize,
}

/// What a piece adds to the signature, by colour, rank (man, king) and field.
static KEYS: [[[u64; 64]; 2]; 2] = [[piece_keys(1), piece_keys(3)], [piece_keys(2), piece_keys(4)]];

/// The four diagonal steps, two upwards and their opposites: to the north-west, north-east, south-east,
/// south-west.
const WAYS: [i32; 4] = [7, 9, -7, -9];

/// Moves a set one step.
#[inline(always)]
const fn step(set: u64, way: i32) -> u64 {
    if way > 0 { set << way } else { set >> -way }
}

/// The row where men of a colour are crowned.
const fn crowning(mover: usize) -> u64 {
    if mover == 0 { 0xff << 56 } else { 0xff }
}

/// Whether men of a colour move this way.
const fn is_forward(mover: usize, way: i32) -> bool {
    (way > 0) == (mover == 0)
}

/// A piece in the middle of its jumps.
#[derive(Clone, Copy)]
struct Jump {
    /// Where it is.
    at: u64,
    /// What it has not jumped over yet.
    targets: u64,
    /// What the move adds to the signature so far, the mover's piece excepted.
    difference: u64,
    /// The way: a one, then two bits for every jump.
    path: u64,
}

impl Checkers {
    #[inline(always)]
    fn empty(&self) -> u64 {
        DARK & !(self.pieces[0] | self.pieces[1])
    }

    /// The pieces that can step this way.
    #[inline(always)]
    fn movable<const MOVER: usize>(&self, way: i32) -> u64 {
        let own = self.pieces[MOVER];
        if is_forward(MOVER, way) { own } else { own & self.kings }
    }

    /// The pieces that can jump this way.
    #[inline(always)]
    fn jumpers<const MOVER: usize>(&self, way: i32) -> u64 {
        let over = self.pieces[1 - MOVER] & step(self.empty(), -way);
        self.movable::<MOVER>(way) & step(over, -way)
    }

    /// The pieces that can jump at all.
    #[inline(always)]
    fn all_jumpers<const MOVER: usize>(&self) -> u64 {
        let jumpers = WAYS.map(|way| self.jumpers::<MOVER>(way));
        jumpers[0] | jumpers[1] | jumpers[2] | jumpers[3]
    }

    /// The position after a step.
    #[inline(always)]
    fn after_step<const MOVER: usize>(&self, from: u64, to: u64) -> Checkers {
        let was_king = self.kings & from != 0;
        let is_king = was_king || to & crowning(MOVER) != 0;
        let mut after = *self;
        after.pieces[MOVER] ^= from | to;
        after.kings = self.kings & !from | if is_king { to } else { 0 };
        after.signature ^= TURN
            ^ KEYS[MOVER][usize::from(was_king)][from.trailing_zeros() as usize & 63]
            ^ KEYS[MOVER][usize::from(is_king)][to.trailing_zeros() as usize & 63];
        after.mover = 1 - MOVER;
        after
    }

    /// The position after the last jump.
    #[inline(always)]
    fn after_jumps<const MOVER: usize>(&self, from: u64, jump: Jump) -> Checkers {
        let without = Checkers {
            pieces: match MOVER {
                0 => [self.pieces[0], jump.targets],
                _ => [jump.targets, self.pieces[1]],
            },
            kings: self.kings & (self.pieces[MOVER] | jump.targets),
            signature: self.signature ^ jump.difference,
            mover: self.mover,
        };
        if from == jump.at {
            // Back where it started: nothing of the mover's own changes.
            return Checkers { signature: without.signature ^ TURN, mover: 1 - MOVER, ..without };
        }
        without.after_step::<MOVER>(from, jump.at)
    }

    /// Follows every way to go on jumping; calls back at the end of each.
    fn jump_on<const MOVER: usize>(
        &self,
        is_king: bool,
        empty: u64,
        jump: Jump,
        then: &mut impl FnMut(Jump),
    ) {
        let mut last = true;
        for (index, way) in WAYS.into_iter().enumerate() {
            if !is_king && !is_forward(MOVER, way) {
                continue;
            }
            let over = step(jump.at, way) & jump.targets;
            let to = step(over, way) & empty;
            if to != 0 {
                last = false;
                let king = usize::from(self.kings & over != 0);
                let difference = jump.difference ^ KEYS[1 - MOVER][king][over.trailing_zeros() as usize & 63];
                let path = jump.path << 2 | index as u64;
                let next = Jump { at: to, targets: jump.targets ^ over, difference, path };
                // A man that is crowned stops; it finds no way on since it moves forward only.
                self.jump_on::<MOVER>(is_king, empty, next, then);
            }
        }
        if last {
            then(jump);
        }
    }

    /// Calls back for every capture of the jumpers: where it starts and how it ends.
    #[inline(always)]
    fn captures<const MOVER: usize>(&self, mut jumpers: u64, mut then: impl FnMut(u64, Jump)) {
        while jumpers != 0 {
            let from = jumpers & jumpers.wrapping_neg();
            jumpers ^= from;
            let empty = self.empty() | from;
            let start = Jump { at: from, targets: self.pieces[1 - MOVER], difference: 0, path: 1 };
            self.jump_on::<MOVER>(self.kings & from != 0, empty, start, &mut |jump| then(from, jump));
        }
    }

    /// Calls back with every position that a move leads to.
    #[inline(always)]
    fn children<const MOVER: usize>(&self, mut then: impl FnMut(&Checkers)) {
        let jumpers = self.all_jumpers::<MOVER>();
        if jumpers != 0 {
            self.captures::<MOVER>(jumpers, |from, jump| then(&self.after_jumps::<MOVER>(from, jump)));
            return;
        }
        let empty = self.empty();
        for way in WAYS {
            let mut targets = step(self.movable::<MOVER>(way), way) & empty;
            while targets != 0 {
                let to = targets & targets.wrapping_neg();
                targets ^= to;
                then(&self.after_step::<MOVER>(step(to, -way), to));
            }
        }
    }

    /// How many moves there are.
    #[inline(always)]
    fn count<const MOVER: usize>(&self) -> u64 {
        let jumpers = self.all_jumpers::<MOVER>();
        if jumpers != 0 {
            let mut count = 0;
            self.captures::<MOVER>(jumpers, |_, _| count += 1);
            return count;
        }
        let empty = self.empty();
        let count = WAYS.map(|way| (step(self.movable::<MOVER>(way), way) & empty).count_ones());
        u64::from(count.into_iter().sum::<u32>())
    }

    /// The position after a random move, if there is a move.
    #[inline(always)]
    fn after_random<const MOVER: usize>(
        &self,
        random: &mut Random,
        nth: impl Fn(u64, u32) -> u64,
    ) -> Option<Checkers> {
        let jumpers = self.all_jumpers::<MOVER>();
        if jumpers != 0 {
            // Nearly always there is one capture or two: the first is kept, the n-th takes its place with
            // probability 1 / n.
            let (mut chosen, mut count) = (None, 0);
            self.captures::<MOVER>(jumpers, |from, jump| {
                count += 1;
                if count == 1 || random.below(count) == 0 {
                    chosen = Some((from, jump));
                }
            });
            return chosen.map(|(from, jump)| self.after_jumps::<MOVER>(from, jump));
        }
        let empty = self.empty();
        let targets = WAYS.map(|way| step(self.movable::<MOVER>(way), way) & empty);
        let total = targets.iter().map(|set| set.count_ones()).sum();
        if total == 0 {
            return None;
        }
        let mut index = random.below(total);
        for (set, way) in targets.into_iter().zip(WAYS) {
            let count = set.count_ones();
            if index < count {
                let to = nth(set, index);
                return Some(self.after_step::<MOVER>(step(to, -way), to));
            }
            index -= count;
        }
        None
    }

    /// The contract's signature, kept from move to move.
    #[must_use]
    pub fn signature(&self) -> u64 {
        self.signature
    }
}

impl Perft for Checkers {
    const NAME: &'static str = "checkers";

    fn start() -> Checkers {
        let pieces = [DARK & 0xff_ffff, DARK & 0xff_ffff << 40];
        let fields = |set: u64| (0..64).filter(move |field| set >> field & 1 != 0);
        let sum =
            |colour: usize| fields(pieces[colour]).fold(0, |sum, field: usize| sum ^ KEYS[colour][0][field]);
        Checkers { pieces, kings: 0, signature: sum(0) ^ sum(1) ^ TURN, mover: 1 }
    }

    fn make_all(&self, depth: u32) -> u64 {
        if depth == 0 { 1 } else { make_all(self, depth) }
    }

    fn bulk(&self, depth: u32) -> u64 {
        if depth == 0 { 1 } else { bulk(self, depth) }
    }
}

impl Playouts for Checkers {
    fn playouts(count: u64, seed: u64) -> u64 {
        playouts(count, seed)
    }
}

dispatched! {
    fn make_all(position: &Checkers, depth: u32) -> u64, recursing as again {
        let mut leaves = 0;
        match (depth, position.mover) {
            (1, 0) => position.children::<0>(|child| leaves += leaf(child)),
            (1, _) => position.children::<1>(|child| leaves += leaf(child)),
            (_, 0) => position.children::<0>(|child| leaves += again(child, depth - 1)),
            (_, _) => position.children::<1>(|child| leaves += again(child, depth - 1)),
        }
        leaves
    }
}

dispatched! {
    fn bulk(position: &Checkers, depth: u32) -> u64, recursing as again {
        let mut leaves = 0;
        match (depth, position.mover) {
            (1, 0) => leaves = position.count::<0>(),
            (1, _) => leaves = position.count::<1>(),
            (_, 0) => position.children::<0>(|child| leaves += again(child, depth - 1)),
            (_, _) => position.children::<1>(|child| leaves += again(child, depth - 1)),
        }
        leaves
    }
}

/// Random games between kings can go on for ever: a playout stops after so many plies.
pub const PLIES_MAX: u64 = 1_000;

dispatched! {
    fn playouts(count: u64, seed: u64) -> u64,
    recursing as again, with select from crate::select::portable | crate::select::bmi2 {
        let mut random = Random::new(seed);
        let mut plies = 0;
        for _ in 0..count {
            let mut position = Checkers::start();
            for _ in 0..PLIES_MAX {
                let next = match position.mover {
                    0 => position.after_random::<0>(&mut random, |set, index| select::nth(set, index)),
                    _ => position.after_random::<1>(&mut random, |set, index| select::nth(set, index)),
                };
                let Some(next) = next else { break };
                position = next;
                plies += 1;
            }
            leaf(&position);
        }
        plies
    }
}
