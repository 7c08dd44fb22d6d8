//! The `notation` section: it names properties and pieces.

use super::names::Names;
use super::report::Report;
use crate::diagnostic::{Diagnostic, did_you_mean, quoted};
use crate::syntax::{Name, Notation, Owner, PropertyKind};

pub(super) fn check(names: &Names<'_>, report: &mut Report) {
    for entry in &names.tree.notation {
        match entry {
            Notation::Flags(flags) => {
                for (_, owner, name) in flags {
                    property(names, *owner, name, report);
                }
            }
            Notation::Square(name, row) => {
                property(names, None, name, report);
                if names.board().is_some_and(|(_, rows)| !(1..=rows).contains(&row.value)) {
                    report.error(|| {
                        Diagnostic::error("E040", row.span, format!("the board has no row {}", row.value))
                    });
                }
            }
            Notation::Rooks(parts) => {
                let [left, right, rook, king] = parts.as_ref();
                for name in [left, right] {
                    // It is written for both players, each with letters of their own.
                    property(names, Some(Owner::White), name, report);
                }
                piece(names, rook, report);
                piece(names, king, report);
            }
            Notation::Number(name) => property(names, None, name, report),
            Notation::Remaining(name) => property(names, Some(Owner::White), name, report),
            Notation::Hands(hands) => {
                for (held, count) in hands {
                    piece(names, held, report);
                    property(names, Some(Owner::White), count, report);
                }
            }
            Notation::Promoted(pairs) => {
                for name in pairs.iter().flat_map(|(first, second)| [first, second]) {
                    piece(names, name, report);
                }
            }
            Notation::Draughts(plain, crowned) => {
                piece(names, plain, report);
                piece(names, crowned, report);
            }
            Notation::Counter
            | Notation::Fixed(_)
            | Notation::Line(_)
            | Notation::Tiles
            | Notation::RowsFromTop => {}
        }
    }
}

fn property(names: &Names<'_>, owner: Option<Owner>, name: &Name, report: &mut Report) {
    let Some(property) = names.property(&name.value) else {
        if !names.may_exist(&name.value) {
            report.error(|| {
                let message = format!("there is no property {} to write down", quoted(&name.value));
                Diagnostic::error("E040", name.span, message)
                    .maybe_hint(did_you_mean(&name.value, names.property_names()))
            });
        }
        return;
    };
    let shown = quoted(&name.value);
    let wrong = match (property.kind, owner) {
        (PropertyKind::Board, None) | (PropertyKind::Player, Some(_)) => None,
        (PropertyKind::Player, None) if names.is_alone() => None,
        (PropertyKind::Player, None) => {
            Some(format!("{shown} belongs to a player: write `white` or `black` before it"))
        }
        (PropertyKind::Board, Some(_)) => Some(format!("{shown} belongs to the board, not to a player")),
        (PropertyKind::Field, _) => {
            Some(format!("{shown} belongs to each field: the notation has no place for it"))
        }
        (PropertyKind::Move, _) => {
            Some(format!("{shown} lives only during a move and is no part of a position"))
        }
    };
    if let Some(message) = wrong {
        report.error(|| Diagnostic::error("E040", name.span, message));
    }
}

fn piece(names: &Names<'_>, name: &Name, report: &mut Report) {
    if names.piece(&name.value).is_none() && !names.may_exist(&name.value) {
        report.error(|| {
            Diagnostic::error("E040", name.span, format!("there is no piece {}", quoted(&name.value)))
                .maybe_hint(did_you_mean(&name.value, names.piece_names()))
        });
    }
}
