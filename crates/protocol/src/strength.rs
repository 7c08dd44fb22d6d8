//! Opponents that can be beaten: an engine that looks at fewer positions, and is not sure what it sees.
//!
//! A [`Level`] says how many nodes a move may take and how far judgement errs, in units of what the least piece is
//! worth. Both are the same for all games; what they come to in Elo was measured in chess (docs/uci.md).

use crate::task::Variation;

/// How strong the engine plays, from 0 to 20.
#[derive(Clone, Copy, PartialEq, PartialOrd, Debug)]
pub struct Level(f32);

/// The strength of some levels in chess. Level 10 was measured against Stockfish's `UCI_Elo`, those below it against
/// each other; the ratings above are extrapolated (docs/uci.md).
const ELO: [(f32, i32); 5] = [(0.0, 450), (5.0, 800), (10.0, 1350), (15.0, 1900), (19.0, 2200)];

/// Levels by words, the weakest first; the last one is the engine at its best.
pub const WORDS: [(&str, f32); 5] =
    [("beginner", 0.0), ("casual", 5.0), ("club", 10.0), ("strong", 15.0), ("full", 20.0)];

impl Level {
    /// The greatest level: the engine at its best.
    pub const FULL: Level = Level(20.0);

    /// A level by its number, as `Skill Level` has it.
    #[must_use]
    pub fn new(number: f32) -> Level {
        Level(number.clamp(0.0, Level::FULL.0))
    }

    /// The level with this name: one of [`WORDS`], or a number from 0 to 20.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Level> {
        let word =
            WORDS.iter().find(|(word, _)| word.eq_ignore_ascii_case(name)).map(|&(_, level)| Level(level));
        let number = || name.parse().ok().filter(|level| (0.0..=Level::FULL.0).contains(level)).map(Level);
        word.or_else(number)
    }

    /// Its name, if it has one.
    fn word(self) -> Option<&'static str> {
        WORDS.iter().find(|&&(_, level)| Level(level) == self).map(|&(word, _)| word)
    }

    /// The least and the greatest rating that a level can be asked to have.
    #[must_use]
    pub fn elo_range() -> (i32, i32) {
        (ELO[0].1, ELO[ELO.len() - 1].1)
    }

    /// The level that plays chess like a player with this rating, as far as there is one.
    #[must_use]
    pub fn from_elo(elo: i32) -> Level {
        let elo = elo.clamp(ELO[0].1, ELO[ELO.len() - 1].1);
        let next = ELO.iter().position(|&(_, other)| other >= elo).unwrap_or(ELO.len() - 1).max(1);
        let ((low, below), (high, above)) = (ELO[next - 1], ELO[next]);
        Level(low + (high - low) * (elo - below) as f32 / (above - below) as f32)
    }

    /// Whether the engine plays as well as it can.
    #[must_use]
    pub fn is_full(self) -> bool {
        self >= Level::FULL
    }

    /// Nodes that a move may take.
    #[must_use]
    pub fn nodes_max(self) -> u64 {
        (16.0 * (0.75 * self.0).exp2()) as u64
    }

    /// How many moves are looked at more closely: who judges badly does not even consider the right ones.
    pub(crate) fn lines(self) -> usize {
        4 + ((Level::FULL.0 - self.0) / 4.0) as usize
    }

    /// How far a score is usually misjudged, in units.
    fn error(self) -> f32 {
        2.5 * ((Level::FULL.0 - self.0) / Level::FULL.0).powi(2)
    }

    /// The line that looks best to a player who misjudges each of them by chance.
    pub(crate) fn choose(self, lines: &[Variation], unit: i32, seed: u64) -> Option<usize> {
        let mut random = fastrand::Rng::with_seed(seed);
        let unit = unit.max(1) as f32;
        let looks = lines.iter().map(|line| {
            // A sure win or loss looks like a great advantage.
            let score = (line.score.value() as f32 / unit).clamp(-SURE, SURE);
            score + self.error() * bell(&mut random)
        });
        let by_looks = looks.enumerate().max_by(|(_, one), (_, other)| one.total_cmp(other));
        by_looks.map(|(index, _)| index)
    }
}

impl std::fmt::Display for Level {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.word() {
            Some(word) => formatter.write_str(word),
            None => write!(formatter, "{}", self.0),
        }
    }
}

/// What a sure win is worth, in units.
const SURE: f32 = 25.0;

/// A number whose square is 1 on average, in the shape of a bell.
fn bell(random: &mut fastrand::Rng) -> f32 {
    let sum: f32 = (0..12).map(|_| random.f32()).sum();
    sum - 6.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use search::{Depth, Score};

    #[test]
    fn levels_have_names_and_ratings() {
        assert_eq!(Level::from_name("Club"), Some(Level::new(10.0)));
        assert_eq!(Level::from_name("7.5"), Some(Level::new(7.5)));
        for nonsense in ["master", "21", "-1", "NaN", ""] {
            assert_eq!(Level::from_name(nonsense), None, "{nonsense}");
        }
        let (low, high) = Level::elo_range();
        assert_eq!((Level::from_elo(-5), Level::from_elo(low)), (Level::new(0.0), Level::new(0.0)));
        assert!(Level::from_elo(high) < Level::FULL && Level::from_elo(9999) == Level::from_elo(high));
        let steps: Vec<Level> = (low..=high).step_by(50).map(Level::from_elo).collect();
        assert!(steps.windows(2).all(|pair| pair[0] < pair[1]), "{steps:?}");
    }

    #[test]
    fn weak_players_err_more_often() {
        let line =
            |score: i32| Variation { score: Score::estimate(score), depth: Depth(1), moves: Vec::new() };
        let lines: Vec<Variation> = [100, 20, -50, -300].map(line).into();
        let mistakes = |level: f32| {
            let choose = |seed| Level::new(level).choose(&lines, 100, seed);
            (0..400).filter(|&seed| choose(seed) != Some(0)).count()
        };
        let counts = [0.0, 5.0, 10.0, 15.0, 20.0].map(mistakes);
        // A player who hardly errs does not mistake a piece for nothing.
        assert!(counts[..3].windows(2).all(|pair| pair[0] > pair[1]), "{counts:?}");
        assert!(counts[2] > 0 && counts[3] <= counts[2] && counts[4] == 0, "{counts:?}");
        assert_eq!(Level::new(0.0).choose(&[], 100, 1), None);
    }
}
