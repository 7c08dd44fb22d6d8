//! Many games of one engine with itself, or between two.

use anyhow::Result;
use estimate::Estimated;
use game::{Colour, Game, Position};

pub(crate) use super::arena::Numbers;
pub(crate) use super::game::{Manner, Played};
use super::{arena, game as one_game};
use crate::contest::colour_of_first;
use crate::contest::rating::Tally;

/// Which games are played, and how.
pub(crate) struct Bouts {
    pub(crate) numbers: Numbers,
    pub(crate) manner: Manner,
}

/// What is told of games, in their order, or of a pause; it says whether to go on.
type Heard<'run> = &'run mut dyn FnMut(Option<(u64, Played)>) -> Result<bool>;

/// Games with one engine for both sides, whose positions are kept.
pub(crate) fn alone<G: Game>(
    bouts: &Bouts,
    judged: &Estimated<'_, G>,
    start: &Position,
    heard: Heard<'_>,
) -> Result<()> {
    arena::play(
        &bouts.numbers,
        || one_game::engine(judged, start),
        |engine, number| one_game::play(engine, None, start, bouts.manner, number, true),
        heard,
    )
}

/// Games between two: each opening twice, with colours exchanged.
pub(crate) fn between<G: Game>(
    bouts: &Bouts,
    judged: [&Estimated<'_, G>; 2],
    start: &Position,
    heard: Heard<'_>,
) -> Result<()> {
    arena::play(
        &bouts.numbers,
        || Ok((one_game::engine(judged[0], start)?, one_game::engine(judged[1], start)?)),
        |(one, other), number| {
            let (white, black) = match colour_of_first(number) {
                Colour::White => (one, other),
                Colour::Black => (other, one),
            };
            one_game::play(white, Some(black), start, bouts.manner, number / 2, false)
        },
        heard,
    )
}

/// Counts a game between two for the first.
pub(crate) fn count(tally: &mut Tally, number: u64, winner: Option<Colour>) {
    match winner {
        None => tally.draws += 1,
        Some(winner) if winner == colour_of_first(number) => tally.wins += 1,
        Some(_) => tally.losses += 1,
    }
}
