//! Positions that policies learn from, as the mover sees them. In files each is
//!
//! ```text
//! u16        bytes of all that follows
//! u8         the result for the mover: 0 lost, 1 drawn, 2 won
//! u16        what the search expected: 0 a loss, 65535 a win
//! f32        what is added to the exponents of moves without a share: they stand for others that are left out
//! u16, u16 … things that stand on fields: field × classes + class
//! u16, u16 … what else is seen
//! u16        moves; for each of them
//!   u16        its share of the visits, of 65535
//!   u16, u16 … what it leads to: field × classes + class
//! ```

use network::policy::PolicyShape;
use network::reader::Reader;
use network::samples::Ended;

/// Moves of a position that are kept.
pub const MOVES_MAX: usize = 64;
/// A share of 1.
const WHOLE: f32 = 65_535.0;

/// A position and what is known of it.
#[derive(Clone, PartialEq, Debug)]
pub struct PolicySample {
    /// How the game ended for the mover.
    pub result: Ended,
    /// The result that the search expected for the mover, from 0 to 1.
    pub expected: f32,
    /// What is added to the exponents of moves without a share.
    pub others: f32,
    /// Things that stand on fields, as `field × classes + class`.
    pub things: Vec<u16>,
    /// What else is seen.
    pub globals: Vec<u16>,
    /// The moves: their shares of the visits, which add up to 1, and the things that they lead to.
    pub moves: Vec<(f32, Vec<u16>)>,
}

/// Numbers of 16 bits behind their count.
fn words(reader: &mut Reader<'_>) -> Option<Vec<u16>> {
    (0..reader.u16()?).map(|_| reader.u16()).collect()
}

impl PolicySample {
    /// A sample of at most [`MOVES_MAX`] moves: those with the largest shares, and some of the others by chance,
    /// which then stand for all others.
    #[must_use]
    pub fn chosen(mut self, random: &mut fastrand::Rng) -> PolicySample {
        if self.moves.len() <= MOVES_MAX {
            return self;
        }
        // The sort is stable, so that the same moves are chosen everywhere.
        self.moves.sort_by(|left, right| right.0.total_cmp(&left.0));
        let visited = self.moves.iter().take_while(|one| one.0 > 0.0).count().min(MOVES_MAX / 2);
        let mut others = self.moves.split_off(visited);
        random.shuffle(&mut others);
        let kept = MOVES_MAX - visited;
        self.others = (others.len() as f32 / kept as f32).ln();
        others.truncate(kept);
        self.moves.extend(others.into_iter().map(|(_, targets)| (0.0, targets)));
        let sum: f32 = self.moves.iter().map(|one| one.0).sum();
        self.moves.iter_mut().for_each(|one| one.0 /= sum.max(f32::MIN_POSITIVE));
        self
    }

    /// Appends the sample as bytes. One that is too large for that is left out.
    pub fn write(&self, into: &mut Vec<u8>) {
        let share = |share: f32| (share.clamp(0.0, 1.0) * WHOLE).round() as u16;
        let mut bytes = vec![self.result as u8];
        let words = |bytes: &mut Vec<u8>, words: &[u16]| {
            bytes.extend((words.len() as u16).to_le_bytes());
            bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
        };
        bytes.extend(share(self.expected).to_le_bytes());
        bytes.extend(self.others.to_le_bytes());
        words(&mut bytes, &self.things);
        words(&mut bytes, &self.globals);
        bytes.extend((self.moves.len() as u16).to_le_bytes());
        for (visits, targets) in &self.moves {
            bytes.extend(share(*visits).to_le_bytes());
            words(&mut bytes, targets);
        }
        if let Ok(length) = u16::try_from(bytes.len()) {
            into.extend(length.to_le_bytes());
            into.extend(bytes);
        }
    }

    /// The sample of these bytes, which stand behind a length.
    fn read(bytes: &[u8]) -> Option<PolicySample> {
        let mut reader = Reader(bytes);
        let result = match reader.bytes::<1>()? {
            [0] => Ended::Loss,
            [1] => Ended::Draw,
            [2] => Ended::Win,
            _ => return None,
        };
        let expected = f32::from(reader.u16()?) / WHOLE;
        let others = f32::from_le_bytes(reader.bytes()?);
        let (things, globals) = (words(&mut reader)?, words(&mut reader)?);
        let one = |reader: &mut Reader<'_>| Some((f32::from(reader.u16()?) / WHOLE, words(reader)?));
        let moves = (0..reader.u16()?).map(|_| one(&mut reader)).collect::<Option<_>>()?;
        let sample = PolicySample { result, expected, others, things, globals, moves };
        (reader.0.is_empty() && others.is_finite()).then_some(sample)
    }

    /// Whether it can be of a game of this shape.
    fn fits(&self, shape: PolicyShape) -> bool {
        let places = shape.fields * shape.classes;
        let is_place = |place: &u16| usize::from(*place) < places;
        self.things.iter().all(is_place)
            && self.globals.iter().all(|global| usize::from(*global) < shape.globals)
            && !self.moves.is_empty()
            && self.moves.iter().all(|(_, targets)| targets.iter().all(is_place))
    }
}

/// Samples in memory, as they are in files.
#[derive(Clone, Debug)]
pub struct PolicySamples {
    shape: PolicyShape,
    bytes: Vec<u8>,
    /// Where each begins, behind its length, and where it ends.
    places: Vec<(usize, usize)>,
}

impl PolicySamples {
    /// No samples of a game of this shape.
    #[must_use]
    pub fn new(shape: PolicyShape) -> PolicySamples {
        PolicySamples { shape, bytes: Vec::new(), places: Vec::new() }
    }

    /// Adds samples one after the other. The first that is not whole or not of this game ends it.
    pub fn add(&mut self, bytes: &[u8]) {
        let mut rest = bytes;
        while let Some((length, behind)) = rest.split_first_chunk() {
            let Some((sample, behind)) = behind.split_at_checked(usize::from(u16::from_le_bytes(*length)))
            else {
                return;
            };
            if !PolicySample::read(sample).is_some_and(|sample| sample.fits(self.shape)) {
                return;
            }
            let first = self.bytes.len();
            self.bytes.extend_from_slice(sample);
            self.places.push((first, self.bytes.len()));
            rest = behind;
        }
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// One of them.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<PolicySample> {
        let (first, end) = *self.places.get(index)?;
        PolicySample::read(&self.bytes[first..end])
    }
}
