//! Who plays, and how a game ends.

use std::fmt;

/// One of the two players. A one-player game is played by white alone.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, PartialOrd, Ord)]
pub enum Colour {
    /// The first player named in the rules; sits at the bottom of the board.
    #[default]
    White,
    /// The second player; with two sides, sees the board rotated by 180 degrees.
    Black,
}

impl Colour {
    /// Both colours, white first.
    pub const BOTH: [Colour; 2] = [Colour::White, Colour::Black];

    /// The other player.
    #[must_use]
    #[inline]
    pub fn opponent(self) -> Colour {
        match self {
            Colour::White => Colour::Black,
            Colour::Black => Colour::White,
        }
    }

    /// 0 for white, 1 for black.
    #[must_use]
    #[inline]
    pub fn index(self) -> usize {
        self as usize
    }
}

impl fmt::Display for Colour {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Colour::White => "white",
            Colour::Black => "black",
        })
    }
}

/// How a game ended, seen from the player who was to move when the rules said so.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// The mover won (in a one-player game: solved).
    Win,
    /// Neither side won.
    Draw,
    /// The mover lost (in a one-player game: no way on).
    Loss,
    /// The mover's final score; more than zero is a win.
    Score(i32),
}

impl Outcome {
    /// The same ending seen by the other player.
    #[must_use]
    pub fn reversed(self) -> Outcome {
        match self {
            Outcome::Win => Outcome::Loss,
            Outcome::Draw => Outcome::Draw,
            Outcome::Loss => Outcome::Win,
            Outcome::Score(score) => Outcome::Score(score.saturating_neg()),
        }
    }

    /// Scores lie within plus and minus this.
    pub const SCORE_MAX: i32 = 1 << 30;

    /// An outcome, or none, as one number that compiled code can write.
    #[must_use]
    pub fn code(outcome: Option<Outcome>) -> i32 {
        match outcome {
            None => i32::MIN,
            Some(Outcome::Win) => i32::MAX,
            Some(Outcome::Draw) => i32::MAX - 1,
            Some(Outcome::Loss) => i32::MAX - 2,
            Some(Outcome::Score(score)) => score.clamp(-Outcome::SCORE_MAX, Outcome::SCORE_MAX),
        }
    }

    /// The outcome that such a number stands for.
    #[must_use]
    #[inline]
    pub fn from_code(code: i32) -> Option<Outcome> {
        match code {
            i32::MIN => None,
            i32::MAX => Some(Outcome::Win),
            _ if code == i32::MAX - 1 => Some(Outcome::Draw),
            _ if code == i32::MAX - 2 => Some(Outcome::Loss),
            score => Some(Outcome::Score(score)),
        }
    }

    /// What a win is worth as a number: more than all points.
    pub const WIN_WORTH: i64 = 1 << 31;

    /// The outcome as one number for the mover, of which the opponent has the opposite: points are worth themselves.
    #[must_use]
    pub fn worth(self) -> i64 {
        match self {
            Outcome::Win => Outcome::WIN_WORTH,
            Outcome::Draw => 0,
            Outcome::Loss => -Outcome::WIN_WORTH,
            Outcome::Score(score) => i64::from(score.clamp(-Outcome::SCORE_MAX, Outcome::SCORE_MAX)),
        }
    }

    /// An outcome that is worth so much; what is more than all points is a win.
    #[must_use]
    pub fn of_worth(worth: i64) -> Outcome {
        match worth {
            0 => Outcome::Draw,
            _ if worth > i64::from(Outcome::SCORE_MAX) => Outcome::Win,
            _ if worth < -i64::from(Outcome::SCORE_MAX) => Outcome::Loss,
            points => Outcome::Score(points as i32),
        }
    }

    /// 1 for a win, 0 for a draw, -1 for a loss.
    #[must_use]
    #[inline]
    pub fn sign(self) -> i32 {
        match self {
            Outcome::Win => 1,
            Outcome::Draw => 0,
            Outcome::Loss => -1,
            Outcome::Score(score) => score.signum(),
        }
    }

    /// The player who won, given whose view this is.
    #[must_use]
    pub fn winner(self, mover: Colour) -> Option<Colour> {
        match self.sign() {
            1 => Some(mover),
            -1 => Some(mover.opponent()),
            _ => None,
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Win => formatter.write_str("win"),
            Outcome::Draw => formatter.write_str("draw"),
            Outcome::Loss => formatter.write_str("loss"),
            Outcome::Score(score) => write!(formatter, "score {score:+}"),
        }
    }
}
