//! What a position is worth, as one number that windows can be made of.
//!
//! ```text
//!  -WIN … lost in n plies │ lost by points │ estimates … 0 = draw … estimates │ won by points │ won in n plies … WIN
//! ```
//!
//! What is certain lies outside of what is estimated: a sure win by one point is better than any estimate.

use std::fmt;
use std::ops::Neg;

use game::Outcome;

/// The worth of a position for the mover.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct Score(i32);

const WIN: i32 = 1 << 30;
const DISTANCE_MAX: i32 = 1 << 12;
const ESTIMATE_MAX: i32 = 1 << 28;
const POINTS_MAX: i32 = 1 << 29;

impl Score {
    /// A drawn game, and an estimate of equal chances.
    pub const DRAW: Score = Score(0);
    /// Better than every score.
    pub const INFINITE: Score = Score(WIN + 1);
    /// Worse than every score.
    pub const MINUS_INFINITE: Score = Score(-WIN - 1);

    /// Won, in an unknown number of moves.
    pub const WON: Score = Score(WIN - DISTANCE_MAX);
    /// Lost, in an unknown number of moves.
    pub const LOST: Score = Score(DISTANCE_MAX - WIN);

    /// The game is won after this many plies; the sooner the better.
    #[must_use]
    pub fn win_in(plies: usize) -> Score {
        Score(WIN - (plies as i32).min(DISTANCE_MAX))
    }

    /// The game is lost after this many plies; the later the better.
    #[must_use]
    pub fn loss_in(plies: usize) -> Score {
        -Score::win_in(plies)
    }

    /// An estimate.
    #[must_use]
    #[inline]
    pub fn estimate(worth: i32) -> Score {
        Score(worth.clamp(-ESTIMATE_MAX, ESTIMATE_MAX))
    }

    /// The end of the game after this many plies. Points beyond half of [`Outcome::SCORE_MAX`] are not told apart.
    #[must_use]
    pub fn of_outcome(outcome: Outcome, plies: usize) -> Score {
        match outcome {
            Outcome::Win => Score::win_in(plies),
            Outcome::Draw => Score::DRAW,
            Outcome::Loss => Score::loss_in(plies),
            Outcome::Score(points) => {
                let points = points.clamp(-POINTS_MAX, POINTS_MAX);
                Score(points + points.signum() * ESTIMATE_MAX)
            }
        }
    }

    /// Plies to a forced win (positive) or loss (negative).
    #[must_use]
    pub fn distance(self) -> Option<i32> {
        match self.0 {
            value if value >= WIN - DISTANCE_MAX => Some(WIN - value),
            value if value <= DISTANCE_MAX - WIN => Some(-WIN - value),
            _ => None,
        }
    }

    /// Final points, if the score is that of a game that ends with points other than zero.
    #[must_use]
    pub fn points(self) -> Option<i32> {
        let beyond = self.0.abs() - ESTIMATE_MAX;
        (beyond > 0 && self.distance().is_none()).then_some(beyond * self.0.signum())
    }

    /// Whether the score is a certain win or loss and not an estimate.
    #[must_use]
    pub fn is_decided(self) -> bool {
        self.0.abs() > ESTIMATE_MAX
    }

    /// The next greater score, so that `[score, score.next()]` is a null window.
    #[must_use]
    #[inline]
    pub fn next(self) -> Score {
        Score((self.0 + 1).min(WIN + 1))
    }

    /// The next smaller score.
    #[must_use]
    pub fn previous(self) -> Score {
        Score((self.0 - 1).max(-WIN - 1))
    }

    /// The score plus a margin, within the infinities.
    #[must_use]
    #[inline]
    pub fn plus(self, margin: i32) -> Score {
        Score(self.0.saturating_add(margin).clamp(-WIN - 1, WIN + 1))
    }

    /// As a number.
    #[must_use]
    pub fn value(self) -> i32 {
        self.0
    }

    /// The score that such a number stands for.
    #[must_use]
    pub fn from_value(value: i32) -> Score {
        Score(value.clamp(-WIN - 1, WIN + 1))
    }

    /// As a table keeps it: distances count from the position, not from the root.
    #[must_use]
    #[inline]
    pub fn to_stored(self, ply: usize) -> i32 {
        match self.distance() {
            Some(distance) if distance >= 0 && self.0 > 0 => (self.0 + ply as i32).min(WIN),
            Some(_) => (self.0 - ply as i32).max(-WIN),
            None => self.0,
        }
    }

    /// As a search at this ply sees what a table kept.
    #[must_use]
    #[inline]
    pub fn from_stored(stored: i32, ply: usize) -> Score {
        match Score(stored).distance() {
            Some(_) if stored > 0 => Score((stored - ply as i32).max(WIN - DISTANCE_MAX)),
            Some(_) => Score((stored + ply as i32).min(DISTANCE_MAX - WIN)),
            None => Score(stored),
        }
    }
}

impl Neg for Score {
    type Output = Score;
    fn neg(self) -> Score {
        Score(-self.0)
    }
}

impl fmt::Display for Score {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.distance(), self.points()) {
            _ if *self == Score::WON => formatter.write_str("win"),
            _ if *self == Score::LOST => formatter.write_str("loss"),
            (Some(plies), _) if self.0 > 0 => write!(formatter, "win in {plies}"),
            (Some(plies), _) => write!(formatter, "loss in {}", -plies),
            (None, Some(points)) => write!(formatter, "score {points:+}"),
            (None, None) => write!(formatter, "{:+}", self.0),
        }
    }
}

/// What a search must decide: whether the score is at most alpha, at least beta, or what it is in between.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Window {
    /// Scores up to this one are all the same.
    pub alpha: Score,
    /// Scores from this one on are all the same.
    pub beta: Score,
}

impl Window {
    /// All scores.
    pub const FULL: Window = Window { alpha: Score::MINUS_INFINITE, beta: Score::INFINITE };

    /// Asks only whether the score is more than this one.
    #[must_use]
    #[inline]
    pub fn above(score: Score) -> Window {
        Window { alpha: score, beta: score.next() }
    }

    /// Whether there is nothing between alpha and beta.
    #[must_use]
    #[inline]
    pub fn is_null(self) -> bool {
        self.alpha.next() >= self.beta
    }

    /// The same window as the opponent sees it.
    #[must_use]
    pub fn reversed(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_ordered_as_players_order_them() {
        let points = |points| Score::of_outcome(Outcome::Score(points), 3);
        let order = [
            Score::MINUS_INFINITE,
            Score::loss_in(1),
            Score::loss_in(9),
            points(-Outcome::SCORE_MAX),
            points(-64),
            points(-1),
            Score::estimate(i32::MIN),
            Score::estimate(-5),
            Score::DRAW,
            Score::estimate(5),
            Score::estimate(i32::MAX),
            points(1),
            points(64),
            points(Outcome::SCORE_MAX),
            Score::win_in(9),
            Score::win_in(1),
            Score::INFINITE,
        ];
        assert!(order.windows(2).all(|pair| pair[0] < pair[1]));
        assert_eq!(points(0), Score::DRAW);
        assert_eq!(points(12).points(), Some(12));
        assert_eq!(points(-12).points(), Some(-12));
        assert_eq!(Score::win_in(7).distance(), Some(7));
        assert_eq!(Score::loss_in(7).distance(), Some(-7));
    }

    #[test]
    fn distances_are_stored_from_the_position() {
        for score in [Score::win_in(9), Score::loss_in(9), Score::estimate(77), Score::DRAW] {
            assert_eq!(Score::from_stored(score.to_stored(4), 4), score);
        }
        assert_eq!(Score::from_stored(Score::win_in(9).to_stored(4), 0), Score::win_in(5));
        assert_eq!(Score::from_stored(Score::loss_in(4).to_stored(4), 2), Score::loss_in(2));
    }
}
