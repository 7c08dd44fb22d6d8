//! Names and sizes in statements.

use std::collections::HashSet;

use super::board;
use super::expressions::{self, Place};
use super::names::{Names, WORDS};
use super::report::Report;
use crate::diagnostic::{Diagnostic, did_you_mean, quoted};
use crate::parser::words::{instead_of_piece, meant_owner, suggest_always};
use crate::source::{Span, Spanned};
use crate::syntax::{Name, NamePart, Owner, Piece, PieceOwner, Statement, StatementKind, What};
use crate::walk;

/// Checks every statement; `used_fields` is how many fields a board with unused fields has.
pub(super) fn check(names: &Names<'_>, used_fields: Option<usize>, report: &mut Report) {
    for body in walk::bodies(names.tree) {
        walk::statements(body, &mut |statement| one(names, used_fields, statement, report));
    }
    for feature in &names.tree.features {
        expressions::check(names, &feature.weight, Place::Read("the weight of a feature"), report);
    }
    for feature in names.tree.features.iter().filter(|feature| feature.for_mover && names.is_alone()) {
        let message = "this game has one player, who is always to move";
        report.error(|| Diagnostic::error("E043", feature.name.span, message).hint("leave `to move` out"));
    }
}

fn one(names: &Names<'_>, used_fields: Option<usize>, statement: &Statement, report: &mut Report) {
    for description in walk::whats_of(statement) {
        what(names, description, report);
    }
    let place = match &statement.kind {
        StatementKind::Assign(_) => Place::Assign,
        StatementKind::Score(_) => Place::Read("score"),
        StatementKind::Most(..) => Place::Read("most"),
        StatementKind::Name(_) => Place::Read("name"),
        StatementKind::MoveTo(..) => Place::Read("move to"),
        // `assert`, and those without an expression.
        StatementKind::Find(_)
        | StatementKind::PointsAt(_)
        | StatementKind::ReplaceBy(_)
        | StatementKind::PickUp
        | StatementKind::PutDown
        | StatementKind::Step { .. }
        | StatementKind::Direction(_)
        | StatementKind::Directions(_)
        | StatementKind::Turn(_)
        | StatementKind::Either(_)
        | StatementKind::Optionally(_)
        | StatementKind::Try(..)
        | StatementKind::Test(_)
        | StatementKind::Not(_)
        | StatementKind::Repeat(..)
        | StatementKind::While(..)
        | StatementKind::DoWhile(..)
        | StatementKind::Nothing
        | StatementKind::Assert(_)
        | StatementKind::Match(_)
        | StatementKind::ToMove(_)
        | StatementKind::Irreversible
        | StatementKind::Forcing(_)
        | StatementKind::Ending(_)
        | StatementKind::Cycle(_)
        | StatementKind::Sequence(_)
        | StatementKind::Call(_)
        | StatementKind::Mistake => Place::Read("assert"),
    };
    for expression in walk::expressions_of(statement) {
        expressions::check(names, expression, place, report);
    }
    by_kind(names, used_fields, statement, report);
}

/// What is asked of certain statements.
fn by_kind(names: &Names<'_>, used_fields: Option<usize>, statement: &Statement, report: &mut Report) {
    match &statement.kind {
        StatementKind::ReplaceBy(what) => certain(names, what, report),
        StatementKind::Match(fields) => whole_board(names, used_fields, fields, statement.span, report),
        StatementKind::Cycle(fields) => cycle(names, fields, report),
        StatementKind::ToMove(owner) if names.is_alone() => {
            nobody_else(Some(*owner), statement.span, report);
        }
        StatementKind::Name(parts) => name(parts, report),
        StatementKind::Call(name) => call(names, name, report),
        StatementKind::Find(_)
        | StatementKind::PointsAt(_)
        | StatementKind::PickUp
        | StatementKind::PutDown
        | StatementKind::Step { .. }
        | StatementKind::Direction(_)
        | StatementKind::Directions(_)
        | StatementKind::Turn(_)
        | StatementKind::MoveTo(..)
        | StatementKind::Either(_)
        | StatementKind::Optionally(_)
        | StatementKind::Try(..)
        | StatementKind::Test(_)
        | StatementKind::Not(_)
        | StatementKind::Repeat(..)
        | StatementKind::While(..)
        | StatementKind::DoWhile(..)
        | StatementKind::Nothing
        | StatementKind::Assert(_)
        | StatementKind::Assign(_)
        | StatementKind::ToMove(_)
        | StatementKind::Irreversible
        | StatementKind::Forcing(_)
        | StatementKind::Ending(_)
        | StatementKind::Score(_)
        | StatementKind::Most(..)
        | StatementKind::Sequence(_)
        | StatementKind::Mistake => {}
    }
}

/// A name that a person can type and a file can hold.
fn name(parts: &[NamePart], report: &mut Report) {
    for part in parts {
        if let NamePart::Text(text) = part
            && (text.value.is_empty() || text.value.contains(char::is_control))
        {
            report.error(|| {
                Diagnostic::error("E046", text.span, "this text has nothing in it that could be read back")
                    .hint("write what the move is called, such as `name \"R'\"`")
            });
        }
    }
}

fn call(names: &Names<'_>, name: &Name, report: &mut Report) {
    let word = name.value.as_str();
    if names.function(word).is_none() && !WORDS.contains(&word) && !names.may_exist(word) {
        report.error(|| {
            let hint = if names.piece(word).is_some() {
                Some(format!("`{word}` is a piece: write `find {word}` or `points at {word}`"))
            } else if names.property(word).is_some() {
                Some(format!("`{word}` is a property: write `assert ({word})`"))
            } else {
                Some(suggest_always(word, names.rule_names()))
            };
            Diagnostic::error("E021", name.span, format!("there is no rule or statement {}", quoted(word)))
                .maybe_hint(hint)
        });
    }
}

/// A piece description names a piece that is there.
pub(super) fn what(names: &Names<'_>, what: &What, report: &mut Report) {
    let (owner, name) = match what {
        What::Piece(owner, name) => (*owner, Some(name)),
        What::AnyPiece(owner, _) => (*owner, None),
        What::Empty(_) | What::AnyField(_) => return,
    };
    if names.is_alone() {
        nobody_else(owner, what.span(), report);
    }
    let Some(name) = name else { return };
    let word = name.value.as_str();
    if let (Some(owner), Some(piece)) = (owner, names.piece(word)) {
        nobodys(owner, piece, name, report);
    }
    if names.piece(word).is_none() && !names.may_exist(word) && !names.lacks_pieces() {
        report.error(|| {
            let hint = match word {
                "field" | "square" | "cell" | "nothing" | "blank" | "vacant" | "free" => {
                    Some("did you mean `empty field`?".to_owned())
                }
                "opponent" | "opponents" | "enemy" | "enemies" | "foe" | "rival" | "friend" | "mine"
                | "self" => meant_owner(word).map(|owner| format!("did you mean `{owner} piece`?")),
                "pieces" => Some(format!("did you mean `{} piece`?", owner.map_or("any", Owner::word))),
                _ => did_you_mean(word, names.piece_names().chain(["piece"]))
                    .or_else(|| instead_of_piece(word))
                    .or_else(|| those_there(names)),
            };
            Diagnostic::error("E022", name.span, format!("there is no piece {}", quoted(word)))
                .maybe_hint(hint)
        });
    }
}

/// `own wall` where walls are neutral, `black fox` where only white has one.
fn nobodys(owner: Owner, piece: &Piece, name: &Name, report: &mut Report) {
    let word = quoted(&name.value);
    let message = match (piece.owner, owner) {
        (PieceOwner::Nobody, _) => format!("{word} belongs to neither player"),
        (PieceOwner::White, Owner::Black) => format!("no {word} is black: only white has it"),
        (PieceOwner::Black, Owner::White) => format!("no {word} is white: only black has it"),
        _ => return,
    };
    report.warning(|| Diagnostic::warning("W028", name.span, message).hint(format!("write {word} alone")));
}

/// The pieces that there are, if they are few.
fn those_there(names: &Names<'_>) -> Option<String> {
    let pieces: Vec<String> = names.piece_names().map(|name| format!("`{name}`")).collect();
    (1..=6).contains(&pieces.len()).then(|| format!("the pieces of this game are {}", pieces.join(", ")))
}

/// In a game for one, nothing is the opponent's.
pub(super) fn nobody_else(owner: Option<Owner>, span: Span, report: &mut Report) {
    if matches!(owner, Some(Owner::Opponents | Owner::Black)) {
        report.warning(|| {
            Diagnostic::warning("W005", span, "this game has no second player")
                .hint("write `players = 2`, or leave `opponent's` and `black` out")
        });
    }
}

fn certain(names: &Names<'_>, what: &What, report: &mut Report) {
    let piece = names.piece_names().next().unwrap_or("pawn");
    let hint = match what {
        What::Piece(..) | What::Empty(_) => return,
        What::AnyPiece(Some(owner @ (Owner::Opponents | Owner::White | Owner::Black)), _) => {
            format!("name the piece, such as `{} {piece}`", owner.word())
        }
        What::AnyPiece(..) => {
            format!("name the piece, such as `own {piece}`; for a choice, use `either … or …`")
        }
        What::AnyField(_) => "write `replace by empty field` to take the piece away".to_owned(),
    };
    report.error(|| {
        Diagnostic::error("E032", what.span(), "this does not say which piece to put here").hint(hint)
    });
}

fn whole_board(
    names: &Names<'_>,
    used_fields: Option<usize>,
    fields: &[What],
    span: Span,
    report: &mut Report,
) {
    let Some((columns, rows)) = names.board() else { return };
    let all = (columns * rows) as usize;
    if fields.len() == all || Some(fields.len()) == used_fields {
        return;
    }
    report.error(|| {
        let wanted = used_fields
            .map_or(format!("{all} fields"), |used| format!("{all} fields, of which {used} are used"));
        let message = format!("`match` describes {} fields, the board has {wanted}", fields.len());
        Diagnostic::error("E027", span, message).hint("one description for each field, the top row first")
    });
}

fn cycle(names: &Names<'_>, fields: &[Spanned<(i64, i64)>], report: &mut Report) {
    let mut seen = HashSet::new();
    for field in fields {
        if let Some((columns, rows)) = names.board() {
            board::on_board(field, columns, rows, report);
        }
        if !seen.insert(field.value) {
            report.error(|| Diagnostic::error("E034", field.span, "this field is in the cycle already"));
        }
    }
}
