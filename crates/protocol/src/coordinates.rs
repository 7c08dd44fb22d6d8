//! Moves as programs exchange them: `e2e4`, `e7e8q`, castling `e1g1`, or `e1h1` (the king takes its rook) where
//! kings and rooks may begin anywhere, as in Chess960; `R@e3`, `d3b1+` and whatever else the rules call a move. A
//! move that is no single piece going somewhere, or that shares its coordinates with another, is written in the
//! game's own short notation. There are no blanks here: `d1d7/g7`, `xj1`, `e1->c1;a1->d1`, `rotate_left`.

use game::notation::distinct::distinct;
use game::notation::explosion::twin;
use game::notation::{MoveError, Names};
use game::{GameInfo, MoveList, MoveView, Position};

use crate::shape::{Shape, letter_of};

/// The names of all legal moves of a position, in the order of the list. No two are the same, and none is what the
/// game's own notation calls another move.
#[must_use]
pub fn names(info: &GameInfo, position: &Position, legal: &MoveList) -> Vec<String> {
    of_names(info, position, legal, &Names::new(info, position, legal))
}

/// The same where the game's own names are known.
#[must_use]
pub fn of_names(info: &GameInfo, position: &Position, legal: &MoveList, own: &Names<'_>) -> Vec<String> {
    let short = own.short();
    let best = |index: usize| match coordinates(info, position, legal.get(index)) {
        _ if own.is_given(index) => as_word(&short[index]),
        // What is put beside the piece that goes is part of the name.
        Some(name) if !short[index].contains('/') => name,
        _ => without_blanks(&short[index]),
    };
    let others = |index: usize| vec![without_blanks(&short[index]), as_word(&short[index])];
    distinct(legal.len(), &own.meanings(), best, others)
}

/// The name of one legal move.
#[must_use]
pub fn name(info: &GameInfo, position: &Position, legal: &MoveList, played: MoveView<'_>) -> String {
    match legal.iter().position(|candidate| candidate.same_as(played)) {
        Some(index) => names(info, position, legal).swap_remove(index),
        None => without_blanks(&game::notation::long_form(info, played)),
    }
}

/// The index of the legal move that a text means: its name here, or whatever the game's notation understands.
///
/// # Errors
/// When no legal move fits, or several.
pub fn find(info: &GameInfo, position: &Position, legal: &MoveList, text: &str) -> Result<usize, MoveError> {
    let own = Names::new(info, position, legal);
    let names = of_names(info, position, legal, &own);
    let text = text.trim();
    match exact(&own, &names, text) {
        Some(index) => Ok(index),
        None => lenient(info, position, legal, &own, text),
    }
}

/// The move that a text is the very name of, in the game's own notation or in the one of programs.
pub(crate) fn exact(own: &Names<'_>, names: &[String], text: &str) -> Option<usize> {
    own.exact(text).or_else(|| names.iter().position(|name| name == text))
}

/// What a text means that is not the name of a move.
pub(crate) fn lenient(
    info: &GameInfo,
    position: &Position,
    legal: &MoveList,
    own: &Names<'_>,
    text: &str,
) -> Result<usize, MoveError> {
    if let Some(index) = going(info, position, legal, &text.to_lowercase()) {
        return Ok(index);
    }
    let wanted = if text == "0000" { "pass" } else { text };
    own.find(wanted).or_else(|error| {
        // Programs name a piece even where there is no choice, or say that there is a promotion, and where the piece is
        // gone before it was anything.
        let bare = |text: &str| {
            let ends = |last: char| last.is_ascii_lowercase() || last == '+';
            text.to_lowercase().trim_end_matches(ends).to_owned()
        };
        let wanted = bare(text);
        let is_meant = |&index: &usize| {
            Shape::of(info, position, legal.get(index)).is_some_and(|shape| {
                let fits = shape.promotion.is_some() == text.ends_with('+');
                fits && wanted == info.field_name(shape.from) + &info.field_name(shape.to)
            })
        };
        let meant: Vec<usize> = (0..legal.len()).filter(is_meant).collect();
        match meant[..] {
            [only] if text.len() > 3 => Ok(only),
            _ => Err(error),
        }
    })
}

/// The only move with these coordinates, however they are written: with or without regard to capitals, and for
/// castling also the king's own way where it is written with the rook's field. A move that could have begun with
/// another piece is understood by its coordinates too.
fn going(info: &GameInfo, position: &Position, legal: &MoveList, text: &str) -> Option<usize> {
    let (from, rest) = info.parse_field(text)?;
    let only = |fits: &dyn Fn(MoveView<'_>) -> bool| {
        let mut found = (0..legal.len()).filter(|&index| fits(legal.get(index)));
        found.next().filter(|_| found.next().is_none())
    };
    let shaped = |fits: &dyn Fn(&Shape) -> bool| {
        only(&|played: MoveView<'_>| {
            played.head.lead == from && Shape::of(info, position, played).is_some_and(|shape| fits(&shape))
        })
    };
    let own_way = |shape: &Shape| info.field_name(shape.from) + &info.field_name(shape.to);
    let named = shaped(&|shape| in_coordinates(info, shape) == text)
        .or_else(|| shaped(&|shape| own_way(shape) == text));
    named.or_else(|| {
        let (to, "") = info.parse_field(rest)? else { return None };
        only(&|played: MoveView<'_>| twin(info, position, played, from, to))
    })
}

fn coordinates(info: &GameInfo, position: &Position, played: MoveView<'_>) -> Option<String> {
    Some(in_coordinates(info, &Shape::of(info, position, played)?))
}

fn in_coordinates(info: &GameInfo, shape: &Shape) -> String {
    if let Some(rook) = shape.castles_with.filter(|_| info.notation.castling_rights().is_some()) {
        return info.field_name(shape.from) + &info.field_name(rook);
    }
    let mut name = info.field_name(shape.from) + &info.field_name(shape.to);
    if let Some(piece) = shape.promotion {
        name.push(letter_of(info, piece).to_ascii_lowercase());
    } else if shape.vanishes_at_the_end(info) {
        name.push('q');
    }
    name
}

fn without_blanks(text: &str) -> String {
    text.chars().filter(|character| !character.is_whitespace()).collect()
}

/// A name of several words as one.
fn as_word(text: &str) -> String {
    text.chars().map(|character| if character.is_whitespace() { '_' } else { character }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::interpreted;
    use game::{Game, Stage, text};

    /// Every legal move has a name of its own by which it is found.
    fn check<G: Game>(game: &G, position: &Position) {
        let (info, mut legal) = (game.info(), MoveList::new());
        game.generate(&game.pack(position), Stage::All, &mut legal).unwrap();
        let names = names(info, position, &legal);
        // Looking every name up takes as long as naming all: a sample is enough where there are thousands.
        for (index, played) in legal.iter().enumerate().step_by(1 + legal.len() / 50) {
            assert_eq!(name(info, position, &legal, played), names[index]);
            assert_eq!(find(info, position, &legal, &names[index]), Ok(index), "{}", names[index]);
            assert!(!names[index].contains(char::is_whitespace));
        }
    }

    #[test]
    fn names_lead_back_to_their_moves() {
        let chess = interpreted!("chess");
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 b kq - 0 1",
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        ] {
            check(&chess, &text::read(chess.info(), fen).unwrap());
        }
        let amazons = interpreted!("amazons");
        check(&amazons, amazons.info().start.as_ref().unwrap());
        let (othello, checkers) = (native::NativeOthello::new(), native::NativeCheckers::new());
        check(&othello, othello.info().start.as_ref().unwrap());
        check(&checkers, &text::read(checkers.info(), "W:WK18:B6,7,14,15,22,23").unwrap());
        check(&native::NativeConnect4::new(), native::NativeConnect4::new().info().start.as_ref().unwrap());
    }

    #[test]
    fn explosions_have_a_place() {
        let atomic = interpreted!("atomic");
        for (fen, expected) in [
            // Two pieces stand side by side behind each other: the rook takes the nearer one.
            ("7k/8/8/8/8/1n6/1n6/1R5K w - - 0 1", "b1b2"),
            ("7k/8/8/8/8/8/1pp5/1R5K w - - 0 1", "b1b2"),
            ("7k/8/8/3pP3/8/8/8/K7 w - d6 0 1", "e5d6"),
            ("3r3k/4P3/8/8/8/8/8/K7 w - - 0 1", "e7d8q"),
        ] {
            let position = text::read(atomic.info(), fen).unwrap();
            check(&atomic, &position);
            let mut legal = MoveList::new();
            atomic.generate(&atomic.pack(&position), Stage::All, &mut legal).unwrap();
            let names = names(atomic.info(), &position, &legal);
            assert!(names.iter().any(|name| name == expected), "{fen}: {names:?}");
        }
        let position = text::read(atomic.info(), "3r3k/4P3/8/8/8/8/8/K7 w - - 0 1").unwrap();
        let mut legal = MoveList::new();
        atomic.generate(&atomic.pack(&position), Stage::All, &mut legal).unwrap();
        let find = |text| find(atomic.info(), &position, &legal, text);
        assert_eq!(
            (find("e7d8r").is_ok(), find("e7d8n"), find("e7e8").is_ok()),
            (true, find("e7d8q"), false)
        );
    }

    #[test]
    fn nonsense_is_no_move() {
        let chess = native::NativeChess::new();
        let start = chess.info().start.clone().unwrap();
        let mut legal = MoveList::new();
        chess.generate(&chess.pack(&start), Stage::All, &mut legal).unwrap();
        for text in ["", "e2", "e2e5", "0000", "e2e4qq e", "é", "a1a1", "(none)"] {
            assert!(find(chess.info(), &start, &legal, text).is_err(), "{text}");
        }
        assert!(find(chess.info(), &start, &legal, "E2E4").is_ok());
    }
}
