//! A move is what it changes: slots with their old and new values, the signature difference, and what it
//! means for the game. Undo, notation, history and messages all come from that.

use std::cell::RefCell;

use crate::geometry::{Field, NO_FIELD};
use crate::info::{GameInfo, Slot};
use crate::outcome::Outcome;
use crate::signature::Signature;

/// One slot with its value before and after the move, packed into eight bytes. A slot behind the stored ones
/// is a `move` property: it has no old value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Change(u64);

impl Change {
    /// Values of stored properties lie within plus and minus this.
    pub const VALUE_MAX: i64 = (1 << 23) - 1;
    /// Values of `move` properties lie within plus and minus this.
    pub const TAG_MAX: i64 = (1 << 47) - 1;

    /// A slot that went from one value to another.
    #[must_use]
    #[inline]
    pub fn new_value(slot: Slot, old: i32, new: i32) -> Change {
        let pack = |value: i32| u64::from(value as u32 & 0xff_ffff);
        Change((slot as u64) << 48 | pack(old) << 24 | pack(new))
    }

    /// A `move` property's value at the end of the move.
    #[must_use]
    pub fn tag(slot: Slot, value: i64) -> Change {
        Change((slot as u64) << 48 | (value as u64 & 0xffff_ffff_ffff))
    }

    /// The change as one word: slot, old and new value in 16, 24 and 24 bits from the top.
    #[must_use]
    #[inline]
    pub fn word(self) -> u64 {
        self.0
    }

    /// The change that such a word stands for.
    #[must_use]
    pub fn from_word(word: u64) -> Change {
        Change(word)
    }

    /// The slot that changes.
    #[must_use]
    #[inline]
    pub fn slot(self) -> Slot {
        (self.0 >> 48) as Slot
    }

    /// The value before the move.
    #[must_use]
    #[inline]
    pub fn old(self) -> i32 {
        ((self.0 >> 24) as i32) << 8 >> 8
    }

    /// The value after the move.
    #[must_use]
    #[allow(clippy::new_ret_no_self)] // the counterpart of `old`
    #[inline]
    pub fn new(self) -> i32 {
        (self.0 as i32) << 8 >> 8
    }

    /// The value of a `move` property.
    #[must_use]
    pub fn tag_value(self) -> i64 {
        (self.0 as i64) << 16 >> 16
    }
}

impl std::fmt::Debug for Change {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}: {} -> {}", self.slot(), self.old(), self.new())
    }
}

/// What there is to know of a move beside its changes. Its layout is fixed: compiled code writes it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C)]
pub struct MoveHead {
    /// New signature = old signature ^ this (the turn included).
    pub signature_difference: Signature,
    outcome: i32,
    first: u32,
    count: u16,
    /// The field that the rules touched first: where the moving piece came from. `NO_FIELD` if none.
    pub lead: Field,
    flags: u8,
}

/// How compiled code writes the parts of a [`MoveHead`].
pub mod head_layout {
    /// Bytes of a head.
    pub const SIZE: usize = size_of::<super::MoveHead>();
    /// Where the signature difference is, a `u64`.
    pub const SIGNATURE: usize = std::mem::offset_of!(super::MoveHead, signature_difference);
    /// Where the outcome is: an `i32` as [`crate::Outcome::code`] gives it.
    pub const OUTCOME: usize = std::mem::offset_of!(super::MoveHead, outcome);
    /// Where the index of the first change is, a `u32`.
    pub const FIRST: usize = std::mem::offset_of!(super::MoveHead, first);
    /// Where the number of changes is, a `u16`.
    pub const COUNT: usize = std::mem::offset_of!(super::MoveHead, count);
    /// Where the lead is, a `u16`.
    pub const LEAD: usize = std::mem::offset_of!(super::MoveHead, lead);
    /// Where the flags are, a `u8`.
    pub const FLAGS: usize = std::mem::offset_of!(super::MoveHead, flags);
    /// No earlier position can occur again.
    pub const IRREVERSIBLE: u8 = 1;
    /// A capture, or marked by the rules.
    pub const FORCING: u8 = 2;
}

impl MoveHead {
    /// A move with this signature difference that ends nothing and is not marked.
    #[must_use]
    pub fn new(signature_difference: Signature) -> MoveHead {
        let outcome = Outcome::code(None);
        MoveHead { signature_difference, outcome, first: 0, count: 0, lead: NO_FIELD, flags: 0 }
    }

    /// The same with an outcome.
    #[must_use]
    pub fn with_outcome(self, outcome: Option<Outcome>) -> MoveHead {
        MoveHead { outcome: Outcome::code(outcome), ..self }
    }

    /// The same, marked as irreversible or not, and as forcing or not.
    #[must_use]
    pub fn with_marks(self, irreversible: bool, forcing: bool) -> MoveHead {
        let flag = |set: bool, flag: u8| if set { flag } else { 0 };
        let flags = flag(irreversible, head_layout::IRREVERSIBLE) | flag(forcing, head_layout::FORCING);
        MoveHead { flags, ..self }
    }

    /// The same, forcing.
    #[must_use]
    pub fn as_forcing(self) -> MoveHead {
        MoveHead { flags: self.flags | head_layout::FORCING, ..self }
    }

    /// The same with the field that the rules touched first.
    #[must_use]
    pub fn with_lead(self, lead: Field) -> MoveHead {
        MoveHead { lead, ..self }
    }

    /// The same with its changes at these places of its list.
    #[must_use]
    pub fn with_range(self, first: usize, end: usize) -> MoveHead {
        MoveHead { first: first as u32, count: (end - first) as u16, ..self }
    }

    /// Where its changes are in its list.
    #[must_use]
    #[inline]
    pub fn range(&self) -> std::ops::Range<usize> {
        self.first as usize..self.first as usize + self.count as usize
    }

    /// The game is over after this move, seen from the player who makes it.
    #[must_use]
    #[inline]
    pub fn outcome(&self) -> Option<Outcome> {
        Outcome::from_code(self.outcome)
    }

    /// No earlier position can occur again.
    #[must_use]
    #[inline]
    pub fn irreversible(&self) -> bool {
        self.flags & head_layout::IRREVERSIBLE != 0
    }

    /// A capture, or marked by the rules: to be searched when things must become quiet.
    #[must_use]
    #[inline]
    pub fn forcing(&self) -> bool {
        self.flags & head_layout::FORCING != 0
    }
}

/// A move in a list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoveView<'list> {
    /// What the move means.
    pub head: &'list MoveHead,
    /// What it changes, in slot order, no slot twice, none from a value to itself.
    pub changes: &'list [Change],
}

impl MoveView<'_> {
    /// A move of its own.
    #[must_use]
    pub fn to_move(self) -> Move {
        Move { head: *self.head, changes: self.changes.into() }
    }

    /// Whether the two are one move: same position after it, same outcome, same `move` properties.
    #[must_use]
    #[inline]
    pub fn same_as(self, other: MoveView<'_>) -> bool {
        self.head.signature_difference == other.head.signature_difference
            && self.head.outcome == other.head.outcome
            && self.changes == other.changes
    }

    /// Whether nothing on the board or in the stored properties changes.
    #[must_use]
    pub fn changes_nothing(self, info: &GameInfo) -> bool {
        let stored = info.stored_slots();
        self.changes.iter().all(|change| change.slot() >= stored)
    }

    /// Whether it changes what stands on a field.
    #[must_use]
    #[inline]
    pub fn changes_field(self, field: Field) -> bool {
        self.changes.iter().any(|change| change.slot() == usize::from(field))
    }
}

/// A move that lives outside a list: in a game record, a principal variation, a message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Move {
    head: MoveHead,
    changes: Box<[Change]>,
}

impl Move {
    /// A move that changes this. `changes` must be in slot order, each slot at most once, none from a value to itself.
    #[must_use]
    pub fn new(head: MoveHead, changes: impl Into<Box<[Change]>>) -> Move {
        Move { head, changes: changes.into() }
    }

    /// The move as a view.
    #[must_use]
    #[inline]
    pub fn view(&self) -> MoveView<'_> {
        MoveView { head: &self.head, changes: &self.changes }
    }
}

/// Moves of a position, in one buffer that is used again and again.
#[derive(Clone, Default, Debug)]
pub struct MoveList {
    heads: Vec<MoveHead>,
    changes: Vec<Change>,
    /// Memory that a generator may keep from call to call.
    pub scratch: Scratch,
}

/// Memory of a generator, tied to the generator that filled it. Making it can cost more than generating moves, so what
/// is dropped is kept for the next list of the same generator on this thread.
#[derive(Default, Debug)]
pub struct Scratch {
    /// Which generator filled it; one that is not the owner starts afresh.
    pub owner: u64,
    /// The memory.
    pub words: Vec<u64>,
}

thread_local! {
    /// Memory that was dropped, the newest last.
    static DROPPED: RefCell<Vec<(u64, Vec<u64>)>> = const { RefCell::new(Vec::new()) };
}

/// Memory that a thread keeps for lists to come.
const DROPPED_MAX: usize = 64;

impl Scratch {
    /// Makes it this generator's: with memory that one of its lists has left behind, or with so many words of 0.
    #[inline]
    pub fn become_of(&mut self, owner: u64, words: usize) {
        if self.owner == owner {
            return;
        }
        self.leave();
        let take = |dropped: &RefCell<Vec<(u64, Vec<u64>)>>| {
            let mut dropped = dropped.borrow_mut();
            let index = dropped.iter().rposition(|(other, _)| *other == owner)?;
            Some(dropped.swap_remove(index).1)
        };
        self.owner = owner;
        self.words = DROPPED.try_with(take).ok().flatten().unwrap_or_else(|| vec![0; words]);
    }

    fn leave(&mut self) {
        let words = std::mem::take(&mut self.words);
        if words.is_empty() {
            return;
        }
        // A thread that ends keeps nothing.
        let _ = DROPPED.try_with(|dropped| {
            let mut dropped = dropped.borrow_mut();
            if dropped.len() >= DROPPED_MAX {
                dropped.remove(0);
            }
            dropped.push((self.owner, words));
        });
    }
}

impl Clone for Scratch {
    /// What can be had anew need not be copied.
    fn clone(&self) -> Scratch {
        Scratch::default()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        self.leave();
    }
}

impl MoveList {
    /// An empty list.
    #[must_use]
    pub fn new() -> MoveList {
        MoveList::default()
    }

    /// Forgets the moves and keeps the memory.
    pub fn clear(&mut self) {
        self.heads.clear();
        self.changes.clear();
    }

    /// How many moves there are.
    #[must_use]
    #[inline]
    pub fn len(&self) -> usize {
        self.heads.len()
    }

    /// Whether there are none.
    #[must_use]
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.heads.is_empty()
    }

    /// One of the moves.
    ///
    /// # Panics
    /// If there are not that many.
    #[must_use]
    #[inline]
    pub fn get(&self, index: usize) -> MoveView<'_> {
        let head = &self.heads[index];
        let first = head.first as usize;
        MoveView { head, changes: &self.changes[first..first + head.count as usize] }
    }

    /// All moves in the order in which the rules yield them.
    #[inline]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = MoveView<'_>> + Clone {
        (0..self.len()).map(|index| self.get(index))
    }

    /// Adds a move. `changes` must be in slot order, each slot at most once, none from a value to itself.
    #[inline]
    pub fn push(&mut self, head: MoveHead, changes: impl IntoIterator<Item = Change>) {
        let first = self.changes.len();
        self.changes.extend(changes);
        debug_assert!(self.changes[first..].windows(2).all(|pair| pair[0].slot() < pair[1].slot()));
        let count = (self.changes.len() - first) as u16;
        self.heads.push(MoveHead { first: first as u32, count, ..head });
    }

    /// Where the list already has a move like its last one.
    #[must_use]
    pub fn double_of_last(&self) -> Option<usize> {
        let last = self.len().checked_sub(1)?;
        let newest = self.get(last);
        (0..last).find(|&index| self.get(index).same_as(newest))
    }

    /// Removes the last move, which is the same as an earlier one: one way that makes it forcing is enough.
    pub fn drop_double(&mut self, of: usize) {
        if self.heads.last().is_some_and(MoveHead::forcing) {
            self.heads[of] = self.heads[of].as_forcing();
        }
        self.pop();
    }

    /// Removes the last move.
    #[inline]
    pub fn pop(&mut self) {
        if let Some(head) = self.heads.pop() {
            self.changes.truncate(head.first as usize);
        }
    }

    /// Keeps the moves that a test accepts, in their order. Their changes stay where they are.
    pub fn retain(&mut self, mut keep: impl FnMut(MoveView<'_>) -> bool) {
        let changes = &self.changes;
        self.heads.retain(|head| {
            let first = head.first as usize;
            keep(MoveView { head, changes: &changes[first..first + head.count as usize] })
        });
    }

    /// Heads and changes for a generator to fill; `first` and `count` of a head point into the changes.
    pub fn buffers(&mut self) -> (&mut Vec<MoveHead>, &mut Vec<Change>, &mut Scratch) {
        (&mut self.heads, &mut self.changes, &mut self.scratch)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_change_gives_back_what_was_put_in(slot in 0_usize..60_000, old in -8_388_607..8_388_607, new in -8_388_607..8_388_607) {
            let change = Change::new_value(slot, old, new);
            prop_assert_eq!((change.slot(), change.old(), change.new()), (slot, old, new));
            prop_assert_eq!(Change::from_word(change.word()), change);
        }

        #[test]
        fn a_tag_gives_back_what_was_put_in(slot in 0_usize..60_000, value in -Change::TAG_MAX..Change::TAG_MAX) {
            let tag = Change::tag(slot, value);
            prop_assert_eq!((tag.slot(), tag.tag_value()), (slot, value));
        }
    }
}
