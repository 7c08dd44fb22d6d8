//! Networks in files. All numbers are little-endian:
//!
//! ```text
//! 8 bytes    "mgnetwrk"
//! u32        version
//! u64        fingerprint of the rules
//! u32 × 6    inputs, width, hidden, phases, entries, tables
//! u64, i32   fingerprint and scale of the evaluation that it corrects; a scale of 0 for none
//! u32, text  the name of the game, for messages
//! i16 …      weights of the first layer, feature by feature; its biases
//! i16 …      weights of the dense layers, phase by phase, neuron by neuron, the mover's half first
//! i32 …      their biases
//! i16 …      weights of the last layer, phase by phase
//! i32 …      its biases
//! i16 …      weights of patterns, phase by phase
//! u64        checksum of all that stands before
//! ```

use std::sync::Arc;

use crate::checksum::checksum;
use crate::inputs::Inputs;
use crate::quantise::{Corrected, dense_max};
use crate::reader::Reader;
use crate::shape::Shape;
use crate::sums::{Network, Numbers};

/// Changes whenever the same file would mean something else.
pub const VERSION: u32 = 3;

const MAGIC: &[u8; 8] = b"mgnetwrk";
/// A game's name is shorter.
const NAME_MAX: u32 = 1_000;

/// Why a file is refused.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FileError {
    /// It begins differently.
    #[error("this is no network")]
    NoNetwork,
    /// It was written by another version of the program.
    #[error("this network has version {0}, and version {VERSION} is needed: learn it anew")]
    Version(u32),
    /// It is too short or too long.
    #[error("this network is cut short or damaged: it has {found} bytes, and {expected} are needed")]
    Size {
        /// What its header promises.
        expected: usize,
        /// What is there.
        found: usize,
    },
    /// Its bytes do not add up.
    #[error("this network is damaged: its checksum is wrong")]
    Checksum,
    /// It belongs to other rules.
    #[error(
        "this network was learned for other rules than these of `{wanted}`: those of `{name}`, or an earlier text"
    )]
    OtherRules {
        /// What the network was learned for.
        name: String,
        /// What it is to judge.
        wanted: String,
    },
    /// It corrects another evaluation.
    #[error(
        "this network corrects another evaluation than that of `{wanted}`: learn it anew, or take back what has \
         changed in the evaluation"
    )]
    OtherEvaluation {
        /// What it is to judge.
        wanted: String,
    },
    /// Its patterns are not those of the game.
    #[error(
        "this network does not fit the game: its patterns have {found} entries, and those of the game {expected}"
    )]
    Patterns {
        /// What the file has.
        found: usize,
        /// What the game has.
        expected: usize,
    },
    /// What it sees is not what the game has, or its layers have impossible sizes.
    #[error("this network does not fit the game: {0}")]
    Shape(String),
}

/// What stands before the numbers.
struct Header {
    fingerprint: u64,
    shape: Shape,
    corrects: Option<Corrected>,
    name: String,
}

impl Header {
    fn read(reader: &mut Reader<'_>) -> Option<Header> {
        let fingerprint = u64::from_le_bytes(reader.bytes()?);
        let mut sizes = [0; 6];
        for size in &mut sizes {
            *size = reader.size()?;
        }
        let shape = Shape::of_sizes(sizes);
        let corrected = Corrected {
            fingerprint: u64::from_le_bytes(reader.bytes()?),
            scale: i32::from_le_bytes(reader.bytes()?),
        };
        let corrects = Some(corrected).filter(|corrected| corrected.scale > 0);
        Some(Header { fingerprint, shape, corrects, name: reader.text(NAME_MAX)? })
    }
}

/// The bytes of a network's numbers.
fn numbers_bytes(shape: Shape) -> usize {
    let [first, first_biases, dense, dense_biases, last, last_biases, patterns] = shape.parts();
    2 * (first + first_biases + dense + last + patterns) + 4 * (dense_biases + last_biases)
}

impl Network {
    /// The bytes of a file with this network, for rules with this name and fingerprint.
    #[must_use]
    pub fn write(&self, name: &str, fingerprint: u64) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend(fingerprint.to_le_bytes());
        for size in self.shape.sizes() {
            bytes.extend((size as u32).to_le_bytes());
        }
        let corrected = self.corrects.unwrap_or(Corrected { fingerprint: 0, scale: 0 });
        bytes.extend(corrected.fingerprint.to_le_bytes());
        bytes.extend(corrected.scale.to_le_bytes());
        let name: String = name.chars().take(NAME_MAX as usize / 4).collect();
        bytes.extend((name.len() as u32).to_le_bytes());
        bytes.extend(name.as_bytes());
        let Numbers { first, first_biases, dense, dense_biases, last, last_biases, patterns } = &self.numbers;
        for number in [first, first_biases, dense].into_iter().flatten() {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend(dense_biases.iter().flat_map(|bias| bias.to_le_bytes()));
        bytes.extend(last.iter().flat_map(|weight| weight.to_le_bytes()));
        bytes.extend(last_biases.iter().flat_map(|bias| bias.to_le_bytes()));
        bytes.extend(patterns.iter().flat_map(|weight| weight.to_le_bytes()));
        let sum = checksum(&bytes);
        bytes.extend(sum.to_le_bytes());
        bytes
    }

    /// The network of a file, for a game with this name and these features; `rules` and `evaluation` are the
    /// fingerprints of its rules and of its plain evaluation.
    ///
    /// # Errors
    /// When the file is not whole, not a network, or belongs to other rules.
    pub fn read(
        bytes: &[u8],
        name: &str,
        (rules, evaluation): (u64, u64),
        inputs: Arc<Inputs>,
    ) -> Result<Network, FileError> {
        let mut reader = Reader(bytes);
        if reader.bytes() != Some(*MAGIC) {
            return Err(FileError::NoNetwork);
        }
        let short = FileError::Size { expected: bytes.len() + 1, found: bytes.len() };
        let version = reader.u32().ok_or_else(|| short.clone())?;
        if version != VERSION {
            return Err(FileError::Version(version));
        }
        let header = Header::read(&mut reader).ok_or(short)?;
        let shape = header.shape;
        if !shape.is_possible() {
            return Err(FileError::Shape("its layers have impossible sizes".to_owned()));
        }
        let expected = bytes.len() - reader.0.len() + numbers_bytes(shape) + size_of::<u64>();
        if bytes.len() != expected {
            return Err(FileError::Size { expected, found: bytes.len() });
        }
        let (body, sum) = bytes.split_at(bytes.len() - size_of::<u64>());
        if checksum(body).to_le_bytes() != *sum {
            return Err(FileError::Checksum);
        }
        if header.fingerprint != rules {
            return Err(FileError::OtherRules { name: header.name, wanted: name.to_owned() });
        }
        if header.corrects.is_some_and(|corrected| corrected.fingerprint != evaluation) {
            return Err(FileError::OtherEvaluation { wanted: name.to_owned() });
        }
        if shape.inputs != inputs.count() {
            let text = format!("it sees {} features, and the game has {}", shape.inputs, inputs.count());
            return Err(FileError::Shape(text));
        }
        if shape.tables > 0 && shape.entries != inputs.patterns().entries() {
            return Err(FileError::Patterns { found: shape.entries, expected: inputs.patterns().entries() });
        }
        let [first, first_biases, dense, dense_biases, last, last_biases, patterns] = shape.parts();
        let numbers = (|| {
            Some(Numbers {
                first: reader.i16s(first)?,
                first_biases: reader.i16s(first_biases)?,
                dense: reader.i16s(dense)?,
                dense_biases: reader.i32s(dense_biases)?,
                last: reader.i16s(last)?,
                last_biases: reader.i32s(last_biases)?,
                patterns: reader.i16s(patterns)?,
            })
        })();
        let numbers = numbers.ok_or(FileError::Size { expected, found: bytes.len() })?;
        let most = dense_max(shape.width) as i32;
        let too_large = |weight: &i16| i32::from(*weight).abs() > most;
        if numbers.dense.iter().any(too_large) || numbers.dense_biases.iter().any(|bias| bias.abs() > 1 << 26)
        {
            return Err(FileError::Shape("its numbers are too large".to_owned()));
        }
        Ok(Network::new(shape, header.corrects, inputs, numbers))
    }
}
