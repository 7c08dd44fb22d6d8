//! A table in a file: sixty-four slots after the other, a word that says which of them are used, then those.
//!
//! Where an entry lies depends on the size of the table, so it goes back only into one of the same size; a caller that
//! keeps files says so in them.

use std::io::{self, Read, Write};

use crate::bucketed::{Bucketed, WAYS};
use crate::slot::Slot;

/// Buckets whose slots make up a word of marks.
const BUCKETS: usize = u64::BITS as usize / WAYS;

impl Bucketed {
    /// Writes every entry. Entries that others store meanwhile may be there or not.
    ///
    /// # Errors
    /// When nothing can be written there.
    pub fn save(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut words = Vec::new();
        for group in self.groups() {
            words.clear();
            let mut marks = 0_u64;
            for (index, slot) in group.enumerate() {
                let used = slot.words();
                if used != [0; 2] {
                    marks |= 1 << index;
                    words.extend(used);
                }
            }
            out.write_all(&marks.to_le_bytes())?;
            for word in &words {
                out.write_all(&word.to_le_bytes())?;
            }
        }
        Ok(())
    }

    /// Replaces all entries by those that a table of the same size has written.
    ///
    /// # Errors
    /// When they cannot be read, or there are more of them or fewer.
    pub fn load(&self, input: &mut dyn Read) -> io::Result<()> {
        let mut word = || {
            let mut bytes = [0; 8];
            input.read_exact(&mut bytes).map(|()| u64::from_le_bytes(bytes))
        };
        for group in self.groups() {
            let marks = word()?;
            for (index, slot) in group.enumerate() {
                let used = marks >> index & 1 != 0;
                slot.set_words(if used { [word()?, word()?] } else { [0; 2] });
            }
        }
        match input.read(&mut [0])? {
            0 => Ok(()),
            _ => Err(io::Error::new(io::ErrorKind::InvalidData, "there is more than a table of this size")),
        }
    }

    fn groups(&self) -> impl Iterator<Item = impl Iterator<Item = &Slot>> {
        self.buckets().chunks(BUCKETS).map(|buckets| buckets.iter().flat_map(|bucket| &bucket.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Bound, Entry, MoveTag, Replacement, Table};
    use game::Signature;

    fn entry(score: i32) -> Entry {
        let best = Some(MoveTag::of(Signature(99)));
        Entry { score, bound: Bound::Lower, depth: 3, best, effort: 7, generation: 0 }
    }

    #[test]
    fn a_table_comes_back_as_it_was() {
        // A number of buckets that is no multiple of a group's.
        let bytes = 21 * 64;
        let (one, other) =
            (Bucketed::with_bytes(bytes, Replacement::Size), Bucketed::with_bytes(bytes, Replacement::Size));
        let signatures = (1..40_u64).map(|number| Signature(number.wrapping_mul(0x9e37_79b9_7f4a_7c15)));
        for (score, signature) in signatures.clone().enumerate() {
            one.store(signature, entry(score as i32));
        }
        other.store(Signature(5), entry(5));
        let mut file = Vec::new();
        one.save(&mut file).unwrap();
        other.load(&mut file.as_slice()).unwrap();
        assert!(signatures.clone().any(|signature| one.probe(signature).is_some()));
        for signature in signatures {
            assert_eq!(one.probe(signature), other.probe(signature));
        }
        assert_eq!(other.probe(Signature(5)), None);
        assert!(other.load(&mut &file[..file.len() - 1]).is_err());
        file.push(0);
        assert!(other.load(&mut file.as_slice()).is_err());
    }
}
