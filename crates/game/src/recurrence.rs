//! What tells positions apart when they come again: everything but the counters that the rules keep silent.
//!
//! A signature leaves a counter out only as long as it is small, because a table must not take a position that is
//! nearly drawn by fifty moves for one that is not. For repetition a counter never matters: it is larger at every
//! occurrence, and the position is the same.

use std::ops::Range;

use crate::info::{GameInfo, PropertyInfo, PropertyKind, Slot, property_key};
use crate::moves::MoveView;
use crate::position::Position;
use crate::signature::Signature;

/// Turns signatures into those by which repetitions are known. Made once for a game; asking it is cheap.
#[derive(Clone, Debug)]
pub struct Recurrence {
    counters: Vec<(Range<Slot>, PropertyInfo)>,
}

impl Recurrence {
    /// How this game's positions recur.
    #[must_use]
    pub fn of(info: &GameInfo) -> Recurrence {
        let silent = info.properties.iter().filter(|property| property.kind != PropertyKind::Move);
        let silent =
            silent.filter(|property| property.silent_below.is_some_and(|limit| limit <= property.high));
        let slots = |property: &PropertyInfo| property.slot..property.slot + info.slots_of(property);
        Recurrence { counters: silent.map(|property| (slots(property), property.clone())).collect() }
    }

    /// Whether positions recur by other signatures than those that tables know.
    #[must_use]
    pub fn differs(&self) -> bool {
        !self.counters.is_empty()
    }

    /// The signature of a position without its counters.
    #[must_use]
    pub fn signature(&self, position: &Position) -> Signature {
        self.counters.iter().fold(position.signature(), |sum, (slots, property)| {
            slots.clone().fold(sum, |sum, slot| sum ^ property_key(property, slot, position.get(slot)))
        })
    }

    /// What a move does to that signature.
    #[must_use]
    #[inline]
    pub fn difference(&self, played: MoveView<'_>) -> Signature {
        let whole = played.head.signature_difference;
        if self.counters.is_empty() {
            return whole;
        }
        played.changes.iter().fold(whole, |sum, change| {
            match self.counters.iter().find(|(slots, _)| slots.contains(&change.slot())) {
                Some((_, property)) => {
                    let key = |value| property_key(property, change.slot(), value);
                    sum ^ key(change.old()) ^ key(change.new())
                }
                None => sum,
            }
        })
    }
}
