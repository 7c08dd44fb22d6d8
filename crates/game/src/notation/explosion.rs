//! Where a piece went that is gone after its move, as in atomic chess: changes alone do not tell, so this knows
//! how chess pieces move.

use crate::geometry::{Field, NO_FIELD};
use crate::info::{GameInfo, PieceCode};
use crate::moves::{Change, MoveView};
use crate::outcome::Colour;
use crate::position::Position;

/// Where a piece went that is gone after its move, as in atomic chess: the field around which everything but pawns
/// vanished. That may leave a choice, so the way in which chess pieces move decides.
#[must_use]
pub fn vanishing_point(info: &GameInfo, position: &Position, played: MoveView<'_>) -> Option<Field> {
    let from = played.head.lead;
    if from == NO_FIELD || info.colour_of(position.piece(from)) != Some(position.mover()) {
        return None;
    }
    let (moving, fields) = (position.piece(from), info.geometry.fields());
    let on_board = || played.changes.iter().take_while(|change| change.slot() < fields);
    if !on_board().all(|change| change.new() == 0) {
        return None;
    }
    let gone: Vec<Field> = played
        .changes
        .iter()
        .filter(|change| change.slot() < fields && change.slot() != usize::from(from) && change.new() == 0)
        .map(|change| change.slot() as Field)
        .collect();
    let centre = gone.iter().copied().find(|&centre| {
        is_centre(info, position, from, centre, &gone) && reaches(info, position, moving, from, centre)
    });
    centre.or_else(|| passed_pawn(info, position, from, &gone))
}

/// Whether a move that ends in an explosion could as well have been made between these fields: by another piece, or
/// to another field. What takes and what is taken are gone afterwards, so the rules yield one move for all of them.
#[must_use]
pub fn twin(info: &GameInfo, position: &Position, played: MoveView<'_>, from: Field, to: Field) -> bool {
    let (other, fields) = (position.piece(from), info.geometry.fields());
    let on_board = || played.changes.iter().take_while(|change| change.slot() < fields);
    let mut gone: Vec<Field> = on_board().map(|change| change.slot() as Field).collect();
    let all_vanish = on_board().all(|change: &Change| change.new() == 0);
    if !all_vanish || !gone.contains(&from) || info.colour_of(other) != Some(position.mover()) {
        return false;
    }
    gone.retain(|&field| field != from);
    reaches(info, position, other, from, to) && is_centre(info, position, from, to, &gone)
        || passed_pawn(info, position, from, &gone) == Some(to)
}

/// How many steps of a king are between two fields.
#[must_use]
pub fn distance(info: &GameInfo, one: Field, other: Field) -> usize {
    let board = &info.geometry;
    board.column(one).abs_diff(board.column(other)).max(board.row(one).abs_diff(board.row(other)))
}

/// Whether an explosion on this field removes just what is gone.
fn is_centre(info: &GameInfo, position: &Position, from: Field, centre: Field, gone: &[Field]) -> bool {
    let theirs = info.colour_of(position.piece(centre)) == Some(position.mover().opponent());
    theirs
        && (0..info.geometry.fields() as Field).filter(|&field| field != from).all(|field| {
            let code = position.piece(field);
            let is_piece = info.piece(code).is_some_and(|(kind, _)| kind.name != "pawn");
            let removed = field == centre || distance(info, field, centre) == 1 && is_piece;
            removed == gone.contains(&field)
        })
}

/// En passant with an explosion: the empty field in front of a pawn that is gone.
fn passed_pawn(info: &GameInfo, position: &Position, from: Field, gone: &[Field]) -> Option<Field> {
    let ahead = if position.mover() == Colour::White { 1 } else { -1 };
    gone.iter().copied().find_map(|victim| {
        let (column, row) = (info.geometry.column(victim) as i64, info.geometry.row(victim) as i64);
        let beside = info.geometry.row(from) as i64 == row && distance(info, from, victim) == 1;
        let is_pawn = info.piece(position.piece(victim)).is_some_and(|(kind, _)| kind.name == "pawn");
        let target = info.geometry.at(column, row + ahead)?;
        (beside && is_pawn && position.piece(target) == PieceCode::EMPTY).then_some(target)
    })
}

/// Whether a chess piece can capture there.
fn reaches(info: &GameInfo, position: &Position, moving: PieceCode, from: Field, to: Field) -> bool {
    let board = &info.geometry;
    let across = board.column(to) as i64 - board.column(from) as i64;
    let up = board.row(to) as i64 - board.row(from) as i64;
    let steps = across.abs().max(up.abs());
    let free = || {
        (1..steps).all(|step| {
            let column = board.column(from) as i64 + across.signum() * step;
            let row = board.row(from) as i64 + up.signum() * step;
            board.at(column, row).is_some_and(|field| position.piece(field) == PieceCode::EMPTY)
        })
    };
    let straight = (across == 0) != (up == 0);
    let diagonal = across.abs() == up.abs() && across != 0;
    match info.piece(moving).map(|(kind, _)| kind.name.as_str()) {
        Some("pawn") => across.abs() == 1 && up == if position.mover() == Colour::White { 1 } else { -1 },
        Some("knight") => across.abs() * up.abs() == 2,
        Some("bishop") => diagonal && free(),
        Some("rook") => straight && free(),
        Some("queen") => (straight || diagonal) && free(),
        _ => steps == 1,
    }
}
