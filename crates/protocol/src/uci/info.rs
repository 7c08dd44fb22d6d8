//! What UCI hears of a search.

use game::{Game, Move, MoveList, Stage};
use search::{Progress, Score};

use crate::coordinates;

/// Won or lost, it is not known how soon: a number beyond all estimates.
const SURE_CENTIPAWNS: i32 = 100_000;

/// `cp 35`, `mate 3`, `mate -2`. Estimates are in the units of the rules' own evaluation, which chess players call
/// centipawns; final points count a hundred each.
#[must_use]
pub fn score(score: Score) -> String {
    if score == Score::WON || score == Score::LOST {
        return format!("cp {}", score.value().signum() * SURE_CENTIPAWNS);
    }
    match (score.distance(), score.points()) {
        (Some(plies), _) if score > Score::DRAW => format!("mate {}", (plies + 1) / 2),
        (Some(plies), _) => format!("mate {}", plies / 2),
        (None, Some(points)) => format!("cp {}", points.saturating_mul(100)),
        (None, None) => format!("cp {}", score.value()),
    }
}

/// An `info` line about one of the best lines, ranked from 1.
pub fn line<G: Game>(game: &G, root: &G::Position, rank: usize, news: &Progress<'_>) -> String {
    let milliseconds = news.elapsed.as_millis();
    let per_second = u128::from(news.nodes) * 1000 / milliseconds.max(1);
    format!(
        "info depth {} seldepth {} multipv {rank} score {} nodes {} nps {per_second} hashfull {} \
         time {milliseconds} pv {}",
        news.depth.0.max(0),
        news.selective_depth.max(news.depth.0.max(0) as u32),
        score(news.score),
        news.nodes,
        news.table_full_per_mille,
        variation(game, root, news.principal_variation).join(" "),
    )
}

/// Where there are more moves than this, naming one takes too long for more than the first of a line.
const NAMED_MAX: usize = 400;

/// The names of the moves of a line, as far as they are legal.
pub fn variation<G: Game>(game: &G, root: &G::Position, moves: &[Move]) -> Vec<String> {
    let (mut position, mut legal) = (root.clone(), MoveList::new());
    let mut names = Vec::with_capacity(moves.len());
    for played in moves {
        if game.generate(&position, Stage::All, &mut legal).is_err() {
            break;
        }
        if legal.len() > NAMED_MAX && !names.is_empty() {
            break;
        }
        if !legal.iter().any(|candidate| candidate.same_as(played.view())) {
            break;
        }
        names.push(coordinates::name(game.info(), &game.unpack(&position), &legal, played.view()));
        game.play(&mut position, played.view());
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_counted_in_moves() {
        for (value, text) in [
            (Score::win_in(1), "mate 1"),
            (Score::win_in(3), "mate 2"),
            (Score::loss_in(0), "mate 0"),
            (Score::loss_in(2), "mate -1"),
            (Score::loss_in(4), "mate -2"),
            (Score::estimate(-35), "cp -35"),
            (Score::of_outcome(game::Outcome::Score(-4), 9), "cp -400"),
            (Score::WON, "cp 100000"),
        ] {
            assert_eq!(score(value), text);
        }
    }
}
