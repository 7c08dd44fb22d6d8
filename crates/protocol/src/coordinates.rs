//! Moves as programs exchange them: `e2e4`, `e7e8q`, castling `e1g1`, or `e1h1` (the king takes its rook) where kings and
//! rooks may begin anywhere, as in Chess960. A move that is no single piece going
//! somewhere, or that shares its coordinates with another, is written in the game's own short notation, which has no
//! blanks here: `d1d7/g7`, `xj1`, `e1->c1;a1->d1`.

use std::collections::HashMap;

use game::notation::{self, MoveError};
use game::{GameInfo, MoveList, MoveView, Position};

use crate::shape::{Shape, letter_of};

/// The names of all legal moves of a position, in the order of the list. No two are the same.
#[must_use]
pub fn names(info: &GameInfo, position: &Position, legal: &MoveList) -> Vec<String> {
    let short = notation::short_forms(info, legal);
    let plain: Vec<Option<String>> = legal.iter().map(|played| coordinates(info, position, played)).collect();
    let mut users: HashMap<&str, usize> = HashMap::new();
    for name in plain.iter().flatten() {
        *users.entry(name).or_default() += 1;
    }
    plain
        .iter()
        .zip(&short)
        .map(|(plain, short)| match plain {
            Some(name) if users.get(name.as_str()) == Some(&1) => name.clone(),
            _ => without_blanks(short),
        })
        .collect()
}

/// The name of one legal move.
#[must_use]
pub fn name(info: &GameInfo, position: &Position, legal: &MoveList, played: MoveView<'_>) -> String {
    if let Some(own) = Shape::of(info, position, played) {
        let key = |shape: Shape| (shape.from, shape.to, shape.promotion, shape.castles_with);
        let same = |other: Shape| key(other) == key(own);
        let rivals = legal.iter().filter(|other| other.head.lead == own.from);
        let rivals = rivals.filter(|other| Shape::of(info, position, *other).is_some_and(same));
        if rivals.count() == 1 {
            return in_coordinates(info, &own);
        }
    }
    let index = legal.iter().position(|candidate| candidate.same_as(played));
    match index {
        Some(index) => names(info, position, legal).swap_remove(index),
        None => without_blanks(&notation::long_form(info, played)),
    }
}

/// The index of the legal move that a text means: its name here, or whatever the game's notation understands.
///
/// # Errors
/// When no legal move fits, or several.
pub fn find(info: &GameInfo, position: &Position, legal: &MoveList, text: &str) -> Result<usize, MoveError> {
    let text = text.trim();
    let lower = text.to_lowercase();
    if let Some(index) = find_going(info, position, legal, &lower) {
        return Ok(index);
    }
    let names = names(info, position, legal);
    let exact = names.iter().position(|name| name == text);
    let exact = exact.or_else(|| names.iter().position(|name| name.to_lowercase() == lower));
    let wanted = match text {
        "0000" => "pass",
        _ => text,
    };
    match exact {
        Some(index) => Ok(index),
        // Programs name a piece even where there is no choice, and where it is gone before it was anything.
        None => notation::find(info, legal, wanted).or_else(|error| {
            let bare = |text: &str| text.trim_end_matches(|last: char| last.is_ascii_lowercase()).to_owned();
            let is_meant = |index: &usize| {
                let shape = Shape::of(info, position, legal.get(*index));
                let free = shape.is_some_and(|shape| shape.promotion.is_none());
                free && bare(&names[*index]) == bare(&lower)
            };
            match (0..names.len()).filter(is_meant).collect::<Vec<_>>()[..] {
                [only] if lower.len() > 3 => Ok(only),
                _ => Err(error),
            }
        }),
    }
}

/// The only move with these coordinates. Long games are read move by move, so this is done without naming all moves.
fn find_going(info: &GameInfo, position: &Position, legal: &MoveList, text: &str) -> Option<usize> {
    let (from, _) = info.parse_field(text)?;
    let only = |name: &dyn Fn(&Shape) -> String| {
        let mut found = (0..legal.len()).filter(|&index| {
            let played = legal.get(index);
            played.head.lead == from
                && Shape::of(info, position, played).is_some_and(|shape| name(&shape) == text)
        });
        found.next().filter(|_| found.next().is_none())
    };
    // Where castling is written with the rook's field, the king's own way is understood if no other move looks like it.
    let own_way = |shape: &Shape| info.field_name(shape.from) + &info.field_name(shape.to);
    only(&|shape| in_coordinates(info, shape)).or_else(|| only(&own_way))
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
