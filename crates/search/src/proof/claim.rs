//! What a proof search is to show.

use game::{Colour, Outcome, RepetitionResult};

use crate::score::Score;

/// A player gets at least this much.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Claim {
    player: Colour,
    least: Score,
}

/// Whether a claim holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It does, whatever the opponent plays.
    True,
    /// It does not, whatever the player plays.
    False,
    /// The search did not come to an end.
    Unknown,
}

impl Claim {
    /// The player wins.
    #[must_use]
    pub fn wins(player: Colour) -> Claim {
        Claim { player, least: Score::DRAW.next() }
    }

    /// The player does not lose.
    #[must_use]
    pub fn draws(player: Colour) -> Claim {
        Claim { player, least: Score::DRAW }
    }

    /// The player ends with at least so many points.
    #[must_use]
    pub fn scores(player: Colour, points: i32) -> Claim {
        Claim { player, least: Score::of_outcome(Outcome::Score(points), 0) }
    }

    /// Whether the claim holds when the game ends so, seen by this player.
    #[must_use]
    pub fn holds(self, outcome: Outcome, seen_by: Colour) -> bool {
        let score = Score::of_outcome(outcome, 0);
        let own = if seen_by == self.player { score } else { -score };
        own >= self.least
    }

    /// Whether this player wants the claim to hold.
    #[must_use]
    pub fn is_wanted_by(self, player: Colour) -> bool {
        player == self.player
    }
}

/// How a game ends for the player who repeats a position; an endless game is drawn.
pub(crate) fn outcome_of_cycle(result: RepetitionResult) -> Outcome {
    match result {
        RepetitionResult::Win => Outcome::Win,
        RepetitionResult::Loss | RepetitionResult::Forbidden => Outcome::Loss,
        RepetitionResult::Draw | RepetitionResult::Ignored => Outcome::Draw,
    }
}
