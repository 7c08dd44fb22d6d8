//! Plain data as bytes, for messages between processors of one program: little-endian, lengths before lists.

use game::moves::MoveHead;
use game::{Change, Move, Outcome, Signature};

/// Writes values one after the other.
#[derive(Default)]
pub(crate) struct Writer(pub(crate) Vec<u8>);

impl Writer {
    pub(crate) fn byte(&mut self, value: u8) {
        self.0.push(value);
    }

    pub(crate) fn flag(&mut self, value: bool) {
        self.byte(u8::from(value));
    }

    pub(crate) fn half(&mut self, value: u16) {
        self.0.extend_from_slice(&value.to_le_bytes());
    }

    pub(crate) fn word(&mut self, value: u64) {
        self.0.extend_from_slice(&value.to_le_bytes());
    }

    pub(crate) fn number(&mut self, value: i32) {
        self.0.extend_from_slice(&value.to_le_bytes());
    }

    pub(crate) fn count(&mut self, value: usize) {
        self.0.extend_from_slice(&(value as u32).to_le_bytes());
    }

    pub(crate) fn option<T>(&mut self, value: Option<T>, write: impl FnOnce(&mut Writer, T)) {
        self.flag(value.is_some());
        if let Some(value) = value {
            write(self, value);
        }
    }

    pub(crate) fn list<T>(&mut self, values: &[T], mut write: impl FnMut(&mut Writer, &T)) {
        self.count(values.len());
        values.iter().for_each(|value| write(self, value));
    }

    pub(crate) fn bytes(&mut self, fill: impl FnOnce(&mut Vec<u8>)) {
        let at = self.0.len();
        self.count(0);
        fill(&mut self.0);
        let length = (self.0.len() - at - 4) as u32;
        self.0[at..at + 4].copy_from_slice(&length.to_le_bytes());
    }

    pub(crate) fn played(&mut self, played: &Move) {
        let view = played.view();
        self.word(view.head.signature_difference.0);
        self.number(Outcome::code(view.head.outcome()));
        self.count(usize::from(view.head.lead));
        self.flag(view.head.irreversible());
        self.flag(view.head.forcing());
        self.list(view.changes, |writer, change| writer.word(change.word()));
    }
}

/// Reads what a [`Writer`] has written; `None` where something else was.
pub(crate) struct Reader<'bytes>(pub(crate) &'bytes [u8]);

impl<'bytes> Reader<'bytes> {
    fn take(&mut self, count: usize) -> Option<&'bytes [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    pub(crate) fn byte(&mut self) -> Option<u8> {
        Some(self.take(1)?[0])
    }

    pub(crate) fn half(&mut self) -> Option<u16> {
        Some(u16::from_le_bytes(self.take(2)?.try_into().ok()?))
    }

    pub(crate) fn flag(&mut self) -> Option<bool> {
        Some(self.byte()? != 0)
    }

    pub(crate) fn word(&mut self) -> Option<u64> {
        Some(u64::from_le_bytes(self.take(8)?.try_into().ok()?))
    }

    pub(crate) fn number(&mut self) -> Option<i32> {
        Some(i32::from_le_bytes(self.take(4)?.try_into().ok()?))
    }

    pub(crate) fn count(&mut self) -> Option<usize> {
        Some(u32::from_le_bytes(self.take(4)?.try_into().ok()?) as usize)
    }

    #[allow(clippy::option_option)] // nothing read, and nothing written, are two things
    pub(crate) fn option<T>(&mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<Option<T>> {
        if self.flag()? { Some(Some(read(self)?)) } else { Some(None) }
    }

    pub(crate) fn list<T>(&mut self, mut read: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let count = self.count()?;
        // A length that cannot be is found by its missing elements, before memory is asked for.
        let mut values = Vec::with_capacity(count.min(self.0.len()));
        for _ in 0..count {
            values.push(read(self)?);
        }
        Some(values)
    }

    pub(crate) fn bytes(&mut self) -> Option<&'bytes [u8]> {
        let count = self.count()?;
        self.take(count)
    }

    pub(crate) fn played(&mut self) -> Option<Move> {
        let head = MoveHead::new(Signature(self.word()?)).with_outcome(Outcome::from_code(self.number()?));
        let lead = self.count()?.try_into().ok()?;
        let (irreversible, forcing) = (self.flag()?, self.flag()?);
        let changes = self.list(|reader| reader.word().map(Change::from_word))?;
        Some(Move::new(head.with_lead(lead).with_marks(irreversible, forcing), changes))
    }
}
