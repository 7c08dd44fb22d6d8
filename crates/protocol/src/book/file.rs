//! How a book is kept. All numbers are little-endian:
//!
//! ```text
//! "MGBOOK"  version u16  rules u64  length of name u16  name  positions u32
//! for each position, by ascending signature:
//!     signature u64  moves u16  then for each move: signature difference u64  weight u32
//! checksum of everything before: u64
//! ```

use game::Signature;

use super::{Book, BookMove};
use crate::chance::mix;

const MAGIC: &[u8; 6] = b"MGBOOK";
const VERSION: u16 = 1;

/// Why bytes are no book, or not one of this game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BookError {
    /// Something else.
    #[error("this is no opening book: `multigame book build` makes one")]
    NoBook,
    /// From another time.
    #[error("the book has version {0}, this program reads version {VERSION}: build it anew")]
    Version(u16),
    /// A part is missing or has changed.
    #[error("the book is damaged ({0}): build it anew")]
    Damaged(&'static str),
    /// The rules are others.
    #[error("the book is for `{game}`, and the rules of `{played}` are not those that it was made with")]
    OtherRules {
        /// The game of the book.
        game: String,
        /// The game that is played.
        played: String,
    },
}

impl Book {
    /// As it is kept in a file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend(self.rules.to_le_bytes());
        let name = &self.game.as_bytes()[..self.game.len().min(usize::from(u16::MAX))];
        bytes.extend((name.len() as u16).to_le_bytes());
        bytes.extend(name);
        bytes.extend((self.positions.len() as u32).to_le_bytes());
        for (signature, moves) in &self.positions {
            bytes.extend(signature.to_le_bytes());
            let moves = &moves[..moves.len().min(usize::from(u16::MAX))];
            bytes.extend((moves.len() as u16).to_le_bytes());
            for known in moves {
                bytes.extend(known.difference.0.to_le_bytes());
                bytes.extend(known.weight.to_le_bytes());
            }
        }
        bytes.extend(checksum(&bytes).to_le_bytes());
        bytes
    }

    /// Reads what [`Book::to_bytes`] wrote.
    ///
    /// # Errors
    /// When it is not that.
    pub fn from_bytes(bytes: &[u8]) -> Result<Book, BookError> {
        let mut reader = Reader { rest: bytes };
        if reader.take(MAGIC.len()).map_err(|_| BookError::NoBook)? != MAGIC {
            return Err(BookError::NoBook);
        }
        let version = reader.u16()?;
        if version != VERSION {
            return Err(BookError::Version(version));
        }
        let (body, sum) = bytes.split_last_chunk::<8>().ok_or(BookError::Damaged("it ends too soon"))?;
        if checksum(body) != u64::from_le_bytes(*sum) {
            return Err(BookError::Damaged("its checksum is wrong"));
        }
        let rules = reader.u64()?;
        let length = usize::from(reader.u16()?);
        let name = reader.take(length)?.to_vec();
        let game = String::from_utf8(name).map_err(|_| BookError::Damaged("its name is no text"))?;
        let mut book = Book::empty(game, rules);
        for _ in 0..reader.u32()? {
            let signature = reader.u64()?;
            let mut moves = Vec::new();
            for _ in 0..reader.u16()? {
                let difference = Signature(reader.u64()?);
                moves.push(BookMove { difference, weight: reader.u32()? });
            }
            book.positions.insert(signature, moves);
        }
        match reader.rest.len() {
            8 => Ok(book),
            _ => Err(BookError::Damaged("it is longer than it says")),
        }
    }

    /// The book, if it is one for rules that behave like this.
    ///
    /// # Errors
    /// When it was made with other rules.
    pub fn for_rules(self, played: &str, rules: u64) -> Result<Book, BookError> {
        match self.rules == rules {
            true => Ok(self),
            false => Err(BookError::OtherRules { game: self.game, played: played.to_owned() }),
        }
    }
}

fn checksum(bytes: &[u8]) -> u64 {
    let words = bytes.chunks(8).map(|chunk| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        u64::from_le_bytes(word)
    });
    words.fold(mix(bytes.len() as u64), |sum, word| mix(sum ^ word).wrapping_add(1))
}

struct Reader<'bytes> {
    rest: &'bytes [u8],
}

impl<'bytes> Reader<'bytes> {
    fn take(&mut self, count: usize) -> Result<&'bytes [u8], BookError> {
        let (taken, rest) =
            self.rest.split_at_checked(count).ok_or(BookError::Damaged("it ends too soon"))?;
        self.rest = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], BookError> {
        let taken = self.take(N)?;
        Ok(taken.try_into().expect("as many bytes as were asked for"))
    }

    fn u16(&mut self) -> Result<u16, BookError> {
        Ok(u16::from_le_bytes(self.array()?))
    }

    fn u32(&mut self) -> Result<u32, BookError> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    fn u64(&mut self) -> Result<u64, BookError> {
        Ok(u64::from_le_bytes(self.array()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> Book {
        let mut book = Book::empty("nim".to_owned(), 77);
        for signature in [5_u64, 1 << 63, 9] {
            let moves =
                (1..4).map(|weight| BookMove { difference: Signature(u64::from(weight) << 7), weight });
            book.positions.insert(signature, moves.collect());
        }
        book
    }

    #[test]
    fn what_is_written_is_read_again() {
        let book = example();
        assert_eq!(Book::from_bytes(&book.to_bytes()), Ok(book.clone()));
        assert!(book.clone().for_rules("nim", 77).is_ok());
        let error = book.for_rules("chess", 78).unwrap_err();
        assert!(error.to_string().contains("`nim`") && error.to_string().contains("`chess`"));
    }

    #[test]
    fn every_damage_is_noticed() {
        let whole = example().to_bytes();
        for length in 0..whole.len() {
            assert!(Book::from_bytes(&whole[..length]).is_err(), "{length}");
        }
        for place in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[place] ^= 0x40;
            assert!(Book::from_bytes(&bytes).is_err(), "{place}");
        }
        assert_eq!(Book::from_bytes(b""), Err(BookError::NoBook));
        assert_eq!(Book::from_bytes(b"1. e4 e5 *"), Err(BookError::NoBook));
        let mut next = whole;
        next[6] = 2;
        assert_eq!(Book::from_bytes(&next), Err(BookError::Version(2)));
    }
}
