//! Words of the section `appearance` that mean nothing, and rules that do not suit it.

use std::collections::HashSet;

use super::report::Report;
use crate::appearance::{BOARDS, COLOURS, EDGES, SHAPES};
use crate::diagnostic::{Diagnostic, did_you_mean, quoted};
use crate::source::Span;
use crate::syntax::{ExpressionKind, Name, Program, Statement, StatementKind};
use crate::walk;

pub(super) fn check(tree: &Program, report: &mut Report) {
    let appearance = &tree.appearance;
    if let Some(board) = &appearance.board {
        known(board, "board", &BOARDS, report);
    }
    for (owner, edge) in &appearance.edges {
        known(owner, "player", &["white", "black"], report);
        known(edge, "edge", &EDGES, report);
    }
    for said in &appearance.pieces {
        let names: Vec<&str> = tree.pieces.iter().map(|piece| piece.name.value.as_str()).collect();
        if !tree.incomplete && !tree.unread.contains(&said.name.value) {
            known(&said.name, "piece", &names, report);
        }
        for word in &said.unknown {
            let all: Vec<&str> = SHAPES.iter().chain(&COLOURS).copied().collect();
            known(word, "shape or colour", &all, report);
            if all.contains(&word.value.as_str()) {
                report.error(|| {
                    Diagnostic::error("E047", word.span, format!("{} is one too many", quoted(&word.value)))
                        .hint("a piece has one shape and at most two colours, white's and black's")
                });
            }
        }
    }
}

/// Hexagons have six neighbours; a grid has eight, unless links say otherwise.
pub(super) fn check_neighbours(tree: &Program, report: &mut Report) {
    let is_hexagonal = tree.appearance.board.as_ref().is_some_and(|board| board.value == "hexagons");
    if !is_hexagonal || !tree.links.is_empty() {
        return;
    }
    let mut first = None;
    for body in walk::bodies(tree) {
        let mut chosen = HashSet::new();
        walk::statements(body, &mut |statement| match &statement.kind {
            StatementKind::Sequence(parts) => chosen.extend(chosen_later(parts)),
            StatementKind::Directions(all) if all.len() == 8 && !chosen.contains(&statement.span) => {
                first = first.or(Some(statement.span));
            }
            _ => {}
        });
    }
    if let Some(span) = first {
        report.warning(|| {
            let message = "`any direction` leads to eight neighbours, and a hexagon has six";
            Diagnostic::warning("W024", span, message).hint(
                "say which six: `either north or northeast or east or south or southwest or west`, as in the recipe \
                 \"Hexagons\"",
            )
        });
    }
}

/// The directions behind which a condition says which of them are meant, as in `any direction, assert (direction == …)`.
fn chosen_later(parts: &[Statement]) -> Option<Span> {
    let asks = parts.iter().rposition(|part| {
        let mut found = false;
        if let StatementKind::Assert(truth) = &part.kind {
            walk::expressions(truth, &mut |part| {
                found |= matches!(&part.kind, ExpressionKind::Name(_, name) if name.value == "direction");
            });
        }
        found
    })?;
    let is_any = |part: &&Statement| matches!(part.kind, StatementKind::Directions(_));
    parts[..asks].iter().rev().find(is_any).map(|part| part.span)
}

fn known(word: &Name, what: &str, all: &[&str], report: &mut Report) {
    if !all.contains(&word.value.as_str()) {
        report.error(|| {
            let hint = did_you_mean(&word.value, all.iter().copied());
            let hint = hint.unwrap_or_else(|| format!("there are {}", all.join(", ")));
            Diagnostic::error("E047", word.span, format!("there is no {what} {}", quoted(&word.value)))
                .hint(hint)
        });
    }
}
