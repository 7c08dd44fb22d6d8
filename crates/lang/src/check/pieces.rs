//! Pieces and their characters.

use std::collections::HashMap;

use super::report::Report;
use crate::diagnostic::{Diagnostic, quoted};
use crate::source::{Span, Spanned};
use crate::syntax::{Piece, PieceOwner, Program, PropertyKind};

/// A field holds one of this many pieces, or is empty, or is not used.
const CODES_MAX: usize = 126;

pub(super) fn check(tree: &Program, report: &mut Report) {
    // Counters on the fields are enough for a game, as in awari.
    let counters = tree.properties.iter().any(|property| property.kind == PropertyKind::Field);
    if tree.pieces.is_empty() && !counters && !tree.unread.contains("pieces") {
        report.error(|| {
            Diagnostic::error("E026", tree.end, "there are no pieces")
                .hint("write `pieces { name 'W' 'B' }`, with the characters for white and for black")
        });
    }
    let players = tree.player_count();
    let mut codes = 0;
    let mut seen = HashMap::new();
    for piece in &tree.pieces {
        let counted = count(piece, players, report);
        for character in &piece.characters {
            if character.value == '.' || character.value.is_whitespace() || character.value.is_control() {
                report.error(|| {
                    Diagnostic::error("E026", character.span, "this character cannot stand for a piece")
                        .hint("`.` is an empty field and a blank one that is not used")
                });
            } else if let Some(other) = seen.insert(character.value, &piece.name.value)
                // That there are too many characters has been said.
                && (counted || *other != piece.name.value)
            {
                report.error(|| taken(piece, character, other));
            }
        }
        let before = codes;
        codes += if piece.owner == PieceOwner::Nobody || players < 2 { 1 } else { 2 };
        if before <= CODES_MAX && codes > CODES_MAX {
            report.error(|| {
                let message = format!("with this one there are more than {CODES_MAX} pieces");
                Diagnostic::error("E026", piece.name.span, message).hint("each colour counts")
            });
        }
    }
}

fn taken(piece: &Piece, character: &Spanned<char>, other: &str) -> Diagnostic {
    let (sign, name) = (character.value, &piece.name.value);
    let message = format!("`{sign}` already stands for {}", quoted(other));
    Diagnostic::error("E026", character.span, message).hint(match other == name {
        true => format!(
            "white's and black's look different; a piece of neither player is `neutral {name} '{sign}'`"
        ),
        false => "each piece of each colour has a character of its own".to_owned(),
    })
}

/// Whether a piece has as many characters as it needs.
fn count(piece: &Piece, players: i64, report: &mut Report) -> bool {
    let wanted = if players >= 2 && piece.owner == PieceOwner::Both { 2 } else { 1 };
    let found = piece.characters.len();
    if found == wanted {
        return true;
    }
    let name = &piece.name.value;
    let hint = match (players, piece.owner, found) {
        (2.., PieceOwner::Nobody, _) => "it belongs to neither player: give it one".to_owned(),
        (2.., PieceOwner::White | PieceOwner::Black, _) => "only one player has it: give it one".to_owned(),
        (2.., PieceOwner::Both, 1) => format!(
            "give one for white and one for black; or say who has it: `white {name}`, `black {name}`, \
             `neutral {name}`"
        ),
        (2.., PieceOwner::Both, _) => "give one for white and one for black".to_owned(),
        _ => "this game has no second player: give it one".to_owned(),
    };
    report.error(|| {
        let characters = if found == 1 { "character" } else { "characters" };
        let last = piece.characters.last().map_or(piece.name.span, |character| character.span);
        let span = Span::new(piece.name.span.start, last.end);
        Diagnostic::error("E026", span, format!("piece {} has {found} {characters}", quoted(name))).hint(hint)
    });
    false
}
