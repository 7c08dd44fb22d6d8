//! Lines of play and scores as people and scripts read them.

use game::{Game, Move, MoveList, Stage, notation};
use protocol::{Session, san};
use search::{Progress, Score};
use serde_json::{Value, json};

use crate::cli::FAINT;
use crate::numbers::grouped;

/// The moves of a line from the present position, in the game's short notation.
pub(crate) fn names<G: Game>(session: &Session<'_, G>, line: &[Move]) -> Vec<String> {
    let game = session.game();
    named(session, line, |position, moves, index| {
        Some(notation::short_forms(game.info(), &game.unpack(position), moves).swap_remove(index))
    })
}

/// The same as files of games have them: standard algebraic notation where there is one.
pub(crate) fn recorded_names<G: Game>(session: &Session<'_, G>, line: &[Move]) -> Vec<String> {
    named(session, line, |position, moves, index| {
        san::write(session.game(), session.knowledge(), position, moves, moves.get(index)).ok()
    })
}

/// The moves of a line as far as they are legal and `name` knows what to call them.
fn named<G: Game>(
    session: &Session<'_, G>,
    line: &[Move],
    name: impl Fn(&G::Position, &MoveList, usize) -> Option<String>,
) -> Vec<String> {
    let game = session.game();
    let (mut position, mut moves) = (session.record().position().clone(), MoveList::new());
    let mut names = Vec::with_capacity(line.len());
    for played in line {
        let known = game.generate(&position, Stage::All, &mut moves).is_ok();
        let index = moves.iter().position(|legal| legal.same_as(played.view())).filter(|_| known);
        let Some(index) = index else { break };
        let Some(called) = name(&position, &moves, index) else { break };
        names.push(called);
        game.play(&mut position, played.view());
    }
    names
}

/// The same in one line of text.
pub(crate) fn line_in_words<G: Game>(session: &Session<'_, G>, line: &[Move]) -> String {
    joined(&names(session, line))
}

/// Names of moves one after the other; names of several words are told apart by commas.
pub(crate) fn joined(names: &[String]) -> String {
    names.join(if names.iter().any(|name| name.contains(' ')) { ", " } else { " " })
}

/// How a search goes on, in one line; `rank` tells the lines of play of one depth apart.
pub(crate) fn progress_in_words<G: Game>(
    session: &Session<'_, G>,
    rank: &str,
    news: &Progress<'_>,
) -> String {
    format!(
        "{}depth {:>3}{rank}  {:>12}  {:>9} nodes  {:>8.3} s{}  {}",
        FAINT.render(),
        news.depth.0,
        news.score.to_string(),
        grouped(news.nodes),
        news.elapsed.as_secs_f64(),
        FAINT.render_reset(),
        line_in_words(session, news.principal_variation),
    )
}

/// A score as a number and what kind of number it is: final points, an estimate in the units of the rules' own
/// evaluation, or a win or loss, where nearer wins have greater numbers.
pub(crate) fn score_as_json(score: Score, proven: bool) -> (Value, &'static str) {
    match (score.points(), score.distance()) {
        (Some(points), _) => (json!(points), "points"),
        (None, Some(_)) if score > Score::DRAW => (json!(score.value()), "win"),
        (None, Some(_)) => (json!(score.value()), "loss"),
        (None, None) if proven => (json!(score.value()), "draw"),
        (None, None) => (json!(score.value()), "estimate"),
    }
}

/// Says on standard error what else there is to say about a search, such as that the rules went wrong.
pub(crate) fn tell_remarks(thought: &protocol::Thought) {
    use std::io::Write;
    for remark in thought.remarks() {
        let _ = writeln!(anstream::stderr(), "{}", remark.trim_end());
    }
}

#[cfg(test)]
mod tests {
    use super::joined;

    #[test]
    fn names_of_several_words_are_told_apart() {
        assert_eq!(joined(&["a1".to_owned(), "b2".to_owned()]), "a1 b2");
        assert_eq!(joined(&["a1 = 3".to_owned(), "b2".to_owned()]), "a1 = 3, b2");
    }
}
