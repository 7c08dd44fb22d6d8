//! In which order the exhaustive search tries moves.

use game::{Colour, MoveView, Signature};

const HISTORY_BITS: u32 = 14;
/// Good moves come near to this, bad ones to its opposite. They do so quickly: what was good a moment ago, in a
/// position much like this one, says more than what is good in general.
const HISTORY_MAX: i32 = 1 << 14;
/// History that weighs as much as a point of evaluation.
const HISTORY_POINT: i32 = 16;

/// How much each sign of a good move counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Order {
    /// Whether a move refuted lately or failed to: up to 1024 points each way.
    pub history: i32,
    /// Each move that the opponent has less.
    pub replies: i32,
    /// Each move that the mover would have if the opponent passed.
    pub moves: i32,
    /// Each point of evaluation.
    pub evaluation: i32,
}

impl Order {
    /// The names of the signs.
    pub const NAMES: [&'static str; 4] = ["history", "replies", "moves", "evaluation"];

    /// Says how much the sign with this name counts; false when there is none.
    pub fn set(&mut self, name: &str, weight: i32) -> bool {
        match name {
            "history" => self.history = weight,
            "replies" => self.replies = weight,
            "moves" => self.moves = weight,
            "evaluation" => self.evaluation = weight,
            _ => return false,
        }
        true
    }
}

impl Default for Order {
    fn default() -> Order {
        Order { history: 1, replies: 2, moves: 0, evaluation: 2 }
    }
}

/// How good moves were lately.
pub(super) struct History {
    worths: Box<[i32]>,
}

impl History {
    pub(super) fn new() -> History {
        History { worths: vec![0; 1 << HISTORY_BITS].into() }
    }

    /// In points, as [`Order::history`] counts them.
    pub(super) fn points(&self, played: MoveView<'_>, mover: Colour) -> i32 {
        self.worths[slot(played, mover)] / HISTORY_POINT
    }

    /// A move refuted a position.
    pub(super) fn praise(&mut self, played: MoveView<'_>, mover: Colour) {
        let worth = &mut self.worths[slot(played, mover)];
        *worth += (HISTORY_MAX - *worth) / 8;
    }

    /// A move was tried before the one that did.
    pub(super) fn blame(&mut self, played: MoveView<'_>, mover: Colour) {
        let worth = &mut self.worths[slot(played, mover)];
        *worth -= (HISTORY_MAX + *worth) / 16;
    }
}

/// Where the history of a move is kept: by the field that a piece is put on, or by what the move changes if it moves
/// one.
fn slot(played: MoveView<'_>, mover: Colour) -> usize {
    let lead = usize::from(played.head.lead);
    let put = played.changes.iter().any(|change| change.slot() == lead && change.old() == 0);
    let Signature(bits) = if put {
        Signature((lead as u64) << 1 | mover.index() as u64)
    } else {
        played.head.signature_difference
    };
    (bits.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - HISTORY_BITS)) as usize
}
