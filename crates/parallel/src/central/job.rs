//! A search that the leader gives out.

use game::Move;
use search::{Depth, Score, Window};

use crate::wire::{Reader, Writer};

/// A position in a window, to a depth.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Job {
    /// The moves from the root to the position.
    pub(super) line: Vec<Move>,
    /// If there are any: these moves of the root alone.
    pub(super) only: Vec<Move>,
    pub(super) window: Window,
    /// How deep, from the position on.
    pub(super) depth: Depth,
    /// By what the algorithm knows it again; it does not travel.
    pub(super) tag: usize,
}

/// What came of a search.
#[derive(Clone, Debug)]
pub(super) struct Answer {
    /// The worth of the position to its mover, or a bound where it lies outside of the window.
    pub(super) score: Score,
    /// The best line from the position on.
    pub(super) line: Vec<Move>,
}

impl Job {
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut writer = Writer::default();
        writer.list(&self.line, Writer::played);
        writer.list(&self.only, Writer::played);
        for score in [self.window.alpha, self.window.beta] {
            writer.number(score.value());
        }
        writer.number(self.depth.0);
        writer.0
    }

    /// The job that travelled; `None` if it was none.
    pub(super) fn from_bytes(bytes: &[u8]) -> Option<Job> {
        let mut reader = Reader(bytes);
        let (line, only) = (reader.list(Reader::played)?, reader.list(Reader::played)?);
        let mut score = || reader.number().map(Score::from_value);
        let window = Window { alpha: score()?, beta: score()? };
        Some(Job { line, only, window, depth: Depth(reader.number()?), tag: 0 })
    }
}

#[cfg(test)]
mod tests {
    use game::Signature;
    use game::moves::MoveHead;

    use super::*;

    #[test]
    fn jobs_arrive_as_they_were_sent() {
        let played = |number| Move::new(MoveHead::new(Signature(number)), Vec::new());
        let window = Window { alpha: Score::estimate(-7), beta: Score::win_in(3) };
        let job =
            Job { line: vec![played(1), played(2)], only: vec![played(3)], window, depth: Depth(5), tag: 0 };
        let bytes = job.to_bytes();
        assert_eq!(Job::from_bytes(&bytes).as_ref(), Some(&job));
        assert!((0..bytes.len()).all(|length| Job::from_bytes(&bytes[..length]).is_none()));
    }
}
