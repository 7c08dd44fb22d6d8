//! Positions that networks learn from, in files. All numbers are little-endian:
//!
//! ```text
//! 8 bytes    "mgsample"
//! u32        version
//! u64 × 2    fingerprints of the rules and of the plain evaluation
//! u32 × 4    slots of a position, features, the most pieces, the number of steps of all slots together
//! u32, text  the name of the game
//! i32 × 2    the features that white's view and black's have always, -1 for none
//! u32 …      for each slot: the number of its steps
//! i32 × 2 …  for each slot and each of its steps: the features in white's view and in black's, -1 for none
//! u8 …       for each slot and each of its steps: 1 if it is a piece on the board
//! u32 × 3    patterns, entries of their tables, values that a field has in a pattern
//! u8 × 2 …   for each slot and each of its steps: its value in patterns of white's view and of black's
//! u32 …      for each pattern: the number of its slots; for white's view and then for black's: where its table begins,
//!            and its slots, the first of which counts least
//! then for each position, without an end:
//!   u8 …     the steps of its slots
//!   u8       the player to move: 0 white, 1 black
//!   u8       the result for the mover: 0 lost, 1 drawn, 2 won
//!   i16      what the search said, for the mover: 400 are ten to one; ±32,000 and beyond are certain
//!   i32      what the plain evaluation says of it, for the mover, in its own units
//! ```
//!
//! A reader needs to know nothing of the game: features are looked up.

use std::sync::Arc;

use game::Colour;

use crate::inputs::Inputs;

/// Changes whenever the same file would mean something else.
pub const VERSION: u32 = 3;
/// Scores from here on are certain.
pub const CERTAIN: i16 = 32_000;

/// Bytes behind the steps of a position.
const TAIL: usize = 8;

/// How a game ended for a player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ended {
    /// Lost.
    Loss,
    /// Neither.
    Draw,
    /// Won.
    Win,
}

/// A position and what is known of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sample {
    /// The steps of its slots.
    pub steps: Vec<u8>,
    /// Who is to move.
    pub mover: Colour,
    /// How the game ended for the mover.
    pub result: Ended,
    /// What the search said.
    pub score: i16,
    /// What the plain evaluation says, without a search.
    pub plain: i32,
}

/// What is known of a position, beside the position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Known {
    /// Who is to move.
    pub mover: Colour,
    /// How the game ended for the mover.
    pub result: Ended,
    /// What the search said.
    pub score: i16,
    /// What the plain evaluation says, without a search.
    pub plain: i32,
}

/// The beginning of a file of positions; with the fingerprints of rules and plain evaluation.
#[must_use]
pub fn header(inputs: &Inputs, name: &str, (rules, evaluation): (u64, u64)) -> Vec<u8> {
    let mut bytes = b"mgsample".to_vec();
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend(rules.to_le_bytes());
    bytes.extend(evaluation.to_le_bytes());
    let steps: Vec<usize> = (0..inputs.slots()).map(|slot| inputs.steps(slot)).collect();
    for number in [inputs.slots(), inputs.count(), inputs.pieces_max(), steps.iter().sum(), name.len()] {
        bytes.extend((number as u32).to_le_bytes());
    }
    bytes.extend(name.as_bytes());
    for view in Colour::BOTH {
        bytes.extend(inputs.whose(view).map_or(-1, |feature| feature as i32).to_le_bytes());
    }
    for steps in &steps {
        bytes.extend((*steps as u32).to_le_bytes());
    }
    let all = || steps.iter().enumerate().flat_map(|(slot, steps)| (0..*steps).map(move |step| (slot, step)));
    for (slot, step) in all() {
        bytes.extend(inputs.features(slot, step).iter().flat_map(|feature| feature.to_le_bytes()));
    }
    bytes.extend(all().map(|(slot, step)| inputs.piece(slot, step) as u8));
    let patterns = inputs.patterns();
    for number in [patterns.count(), patterns.entries(), patterns.values()] {
        bytes.extend((number as u32).to_le_bytes());
    }
    bytes.extend(all().flat_map(|(_, step)| Colour::BOTH.map(|view| patterns.digit(view, step))));
    for number in 0..patterns.count() {
        bytes.extend((patterns.place(number, Colour::White).1.len() as u32).to_le_bytes());
        for view in Colour::BOTH {
            let (first, slots) = patterns.place(number, view);
            bytes.extend(
                std::iter::once(&first).chain(slots).flat_map(|&number| (number as u32).to_le_bytes()),
            );
        }
    }
    bytes
}

impl Sample {
    /// Appends the sample as bytes: one size for a game.
    pub fn write(&self, into: &mut Vec<u8>) {
        into.extend_from_slice(&self.steps);
        into.push(self.mover.index() as u8);
        into.push(self.result as u8);
        into.extend(self.score.to_le_bytes());
        into.extend(self.plain.to_le_bytes());
    }
}

/// Samples in memory, as they are in a file.
#[derive(Clone, Debug)]
pub struct Samples {
    inputs: Arc<Inputs>,
    bytes: Vec<u8>,
}

impl Samples {
    /// No samples of a game with these features.
    #[must_use]
    pub fn new(inputs: Arc<Inputs>) -> Samples {
        Samples { inputs, bytes: Vec::new() }
    }

    /// Adds what stands behind the header of a file. A last sample that is not whole is left out; one that cannot be
    /// of this game ends it.
    pub fn add(&mut self, bytes: &[u8]) {
        let size = self.size();
        let fits = |sample: &[u8]| {
            let (steps, tail) = sample.split_at(size - TAIL);
            tail[0] < 2
                && tail[1] < 3
                && steps.iter().enumerate().all(|(slot, &step)| usize::from(step) < self.inputs.steps(slot))
        };
        let whole = bytes.chunks_exact(size).take_while(|sample| fits(sample)).count();
        self.bytes.extend_from_slice(&bytes[..whole * size]);
    }

    /// Bytes of a sample.
    #[must_use]
    pub fn size(&self) -> usize {
        self.inputs.slots() + TAIL
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.bytes.len() / self.size()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// The features that they speak of.
    #[must_use]
    pub fn inputs(&self) -> &Inputs {
        &self.inputs
    }

    /// The steps of a sample's slots.
    #[must_use]
    pub fn steps(&self, index: usize) -> &[u8] {
        &self.bytes[index * self.size()..][..self.size() - TAIL]
    }

    /// All of a sample but the steps of its slots.
    #[must_use]
    pub fn known(&self, index: usize) -> Known {
        let tail = &self.bytes[index * self.size()..][self.size() - TAIL..self.size()];
        let mover = if tail[0] == 0 { Colour::White } else { Colour::Black };
        let result = match tail[1] {
            0 => Ended::Loss,
            1 => Ended::Draw,
            _ => Ended::Win,
        };
        Known {
            mover,
            result,
            score: i16::from_le_bytes([tail[2], tail[3]]),
            plain: i32::from_le_bytes([tail[4], tail[5], tail[6], tail[7]]),
        }
    }
}
