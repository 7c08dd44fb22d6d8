//! Policies in files. All numbers are little-endian:
//!
//! ```text
//! 8 bytes    "mgpolicy"
//! u32        version
//! u64        fingerprint of the rules
//! u32 × 5    fields, classes, globals, channels, layers
//! u32        how black sees the board: 0 differently, otherwise one more than the number of the map
//! u32, text  the name of the game, for messages
//! i16, i32 … its parts, in the order of `PolicyShape::parts`; biases (5, 7, 9, 11, 13) have 32 bits, all others 16
//! u64        checksum of all that stands before
//! ```

use std::sync::Arc;

use game::GameInfo;

use super::numbers::IS_LARGE;
use super::{Exchange, Eyes, MovePolicy, PolicyShape};
use crate::checksum::checksum;
use crate::reader::Reader;

/// Changes whenever the same file would mean something else.
pub const VERSION: u32 = 1;

const MAGIC: &[u8; 8] = b"mgpolicy";
/// A game's name is shorter.
const NAME_MAX: u32 = 1_000;

/// Why a file is refused.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PolicyError {
    /// It begins differently.
    #[error("this is no policy")]
    NoPolicy,
    /// It was written by another version of the program.
    #[error("this policy has version {0}, and version {VERSION} is needed: learn it anew")]
    Version(u32),
    /// It is too short or too long.
    #[error("this policy is cut short or damaged: it has {found} bytes, and {expected} are needed")]
    Size {
        /// What its header promises.
        expected: usize,
        /// What is there.
        found: usize,
    },
    /// Its bytes do not add up.
    #[error("this policy is damaged: its checksum is wrong")]
    Checksum,
    /// It belongs to other rules.
    #[error(
        "this policy was learned for other rules than these of `{wanted}`: those of `{name}`, or an earlier text"
    )]
    OtherRules {
        /// What it was learned for.
        name: String,
        /// What it is to play.
        wanted: String,
    },
    /// What it sees is not what the game has, or its layers have impossible sizes.
    #[error("this policy does not fit the game: {0}")]
    Shape(String),
}

/// What stands before the numbers.
struct Header {
    fingerprint: u64,
    shape: PolicyShape,
    exchange: Exchange,
    name: String,
}

impl Header {
    fn read(reader: &mut Reader<'_>) -> Option<Header> {
        let fingerprint = u64::from_le_bytes(reader.bytes()?);
        let shape = PolicyShape {
            fields: reader.size()?,
            classes: reader.size()?,
            globals: reader.size()?,
            channels: reader.size()?,
            layers: reader.size()?,
        };
        let exchange = reader.size()?.checked_sub(1).map_or(Exchange::Different, Exchange::Turned);
        let name = reader.text(NAME_MAX)?;
        Some(Header { fingerprint, shape, exchange, name })
    }
}

/// The bytes of a policy's numbers.
fn numbers_bytes(shape: PolicyShape) -> usize {
    shape.parts().iter().zip(IS_LARGE).map(|(count, is_large)| count * if is_large { 4 } else { 2 }).sum()
}

impl MovePolicy {
    /// The bytes of a file with this policy, for rules with this name and fingerprint.
    #[must_use]
    pub fn write(&self, name: &str, fingerprint: u64) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend(fingerprint.to_le_bytes());
        let PolicyShape { fields, classes, globals, channels, layers } = self.shape;
        let exchange = match self.eyes.exchange() {
            Exchange::Different => 0,
            Exchange::Turned(number) => number + 1,
        };
        for size in [fields, classes, globals, channels, layers, exchange] {
            bytes.extend((size as u32).to_le_bytes());
        }
        bytes.extend((name.len() as u32).to_le_bytes());
        bytes.extend(name.as_bytes());
        for (part, is_large) in self.numbers.iter().zip(IS_LARGE) {
            match is_large {
                true => bytes.extend(part.iter().flat_map(|number| number.to_le_bytes())),
                false => bytes.extend(part.iter().flat_map(|number| (*number as i16).to_le_bytes())),
            }
        }
        let sum = checksum(&bytes);
        bytes.extend(sum.to_le_bytes());
        bytes
    }

    /// The policy of a file, for a game whose rules have this fingerprint.
    ///
    /// # Errors
    /// When the file is not whole, or belongs to something else.
    pub fn read(bytes: &[u8], info: &GameInfo, rules: u64) -> Result<MovePolicy, PolicyError> {
        let mut reader = Reader(bytes.strip_prefix(MAGIC).ok_or(PolicyError::NoPolicy)?);
        let short = |expected: usize| PolicyError::Size { expected, found: bytes.len() };
        let version = reader.u32().ok_or_else(|| short(MAGIC.len() + size_of::<u32>()))?;
        if version != VERSION {
            return Err(PolicyError::Version(version));
        }
        let header = Header::read(&mut reader).ok_or_else(|| short(bytes.len() + 1))?;
        if !header.shape.is_possible() {
            return Err(PolicyError::Shape("its layers have impossible sizes".to_owned()));
        }
        let expected = bytes.len() - reader.0.len() + numbers_bytes(header.shape) + size_of::<u64>();
        if bytes.len() != expected {
            return Err(short(expected));
        }
        let (body, sum) = bytes.split_at(bytes.len() - size_of::<u64>());
        if checksum(body).to_le_bytes() != *sum {
            return Err(PolicyError::Checksum);
        }
        if header.fingerprint != rules {
            return Err(PolicyError::OtherRules { name: header.name, wanted: info.name.clone() });
        }
        let eyes = Eyes::new(info, header.exchange)
            .ok_or_else(|| PolicyError::Shape("the board cannot be turned like that".to_owned()))?;
        let PolicyShape { channels, layers, .. } = header.shape;
        let wanted = PolicyShape::new(&eyes, channels, layers);
        if header.shape != wanted {
            let text = format!(
                "it sees {} things on {} fields, and the game has {} on {}",
                header.shape.classes, header.shape.fields, wanted.classes, wanted.fields
            );
            return Err(PolicyError::Shape(text));
        }
        let counts = header.shape.parts();
        let mut part = |part: usize| -> Option<Vec<i32>> {
            let number = |reader: &mut Reader<'_>| match IS_LARGE[part] {
                true => reader.bytes().map(i32::from_le_bytes),
                false => reader.bytes().map(|bytes| i32::from(i16::from_le_bytes(bytes))),
            };
            (0..counts[part]).map(|_| number(&mut reader)).collect()
        };
        let mut numbers: [Vec<i32>; PolicyShape::PARTS] = Default::default();
        for (place, numbers) in numbers.iter_mut().enumerate() {
            *numbers = part(place).ok_or_else(|| short(expected))?;
        }
        Ok(MovePolicy::new(header.shape, Arc::new(eyes), numbers))
    }
}
