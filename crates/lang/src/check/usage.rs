//! Rules, properties and pieces that are not needed.

use std::collections::HashSet;

use super::names::Names;
use super::report::Report;
use super::{endings, setup};
use crate::diagnostic::{Diagnostic, quoted};
use crate::parser::words::RESERVED;
use crate::syntax::{Expression, ExpressionKind, Name, Notation, PropertyKind, StatementKind, What};
use crate::walk;

pub(super) fn check(names: &Names<'_>, report: &mut Report) {
    rules(names, report);
    properties(names, report);
    pieces(names, report);
}

fn rules(names: &Names<'_>, report: &mut Report) {
    let Some(main) = names.function("main") else { return };
    let calls = endings::calls(names);
    let mut used = vec![false; calls.len()];
    let mut open = vec![main];
    for body in walk::bodies_beside_rules(names.tree) {
        walk::statements(body, &mut |statement| {
            if let StatementKind::Call(name) = &statement.kind {
                open.extend(names.function(&name.value));
            }
        });
    }
    while let Some(rule) = open.pop() {
        if !std::mem::replace(&mut used[rule], true) {
            open.extend(calls[rule].iter().filter(|&&called| !used[called]));
        }
    }
    for (function, used) in names.tree.functions.iter().zip(used) {
        // A second rule of the same name is an error already.
        let is_first = || names.function(&function.name.value).map(|index| &names.tree.functions[index].name);
        // And so is a name that the language needs itself.
        let is_reserved = RESERVED.contains(&function.name.value.as_str());
        if !used && !is_reserved && is_first().is_some_and(|first| first.span == function.name.span) {
            warn(
                "W001",
                "rule",
                &function.name,
                "neither `main` nor a feature nor a test comes to call it",
                report,
            );
        }
    }
}

fn properties(names: &Names<'_>, report: &mut Report) {
    let mut used = vec![false; names.tree.properties.len()];
    let mut assigned = used.clone();
    let mut mark = |name: &Name, is_read: bool| {
        if let Some(index) = names.property_index(&name.value) {
            // Writing a `move` property is use enough: it tells moves apart.
            assigned[index] |= !is_read;
            used[index] |= is_read || names.tree.properties[index].kind == PropertyKind::Move;
        }
    };
    for body in walk::bodies(names.tree) {
        walk::statements(body, &mut |statement| {
            let is_needed = !matches!(statement.kind, StatementKind::Assign(_));
            for expression in walk::expressions_of(statement) {
                reads(expression, is_needed, &mut mark);
                // `assert (count = 0)` was meant to read it.
                walk::expressions(expression, &mut |part| match &part.kind {
                    ExpressionKind::Name(_, name) if is_needed => mark(name, true),
                    _ => {}
                });
            }
        });
    }
    for feature in &names.tree.features {
        reads(&feature.weight, true, &mut mark);
    }
    for entry in &names.tree.notation {
        match entry {
            Notation::Flags(flags) => flags.iter().for_each(|(_, _, name)| mark(name, true)),
            Notation::Square(name, _) | Notation::Number(name) | Notation::Remaining(name) => {
                mark(name, true)
            }
            Notation::Hands(hands) => hands.iter().for_each(|(_, name)| mark(name, true)),
            Notation::Rooks(parts) => parts[..2].iter().for_each(|name| mark(name, true)),
            _ => {}
        }
    }
    for ((property, used), assigned) in names.tree.properties.iter().zip(used).zip(assigned) {
        if !used && assigned {
            report.warning(|| {
                let message =
                    format!("the property {} is assigned, but never read", quoted(&property.name.value));
                Diagnostic::warning("W002", property.name.span, message)
                    .hint("ask for it in `assert (…)`, or leave it out")
            });
        } else if !used {
            warn("W002", "property", &property.name, "no expression reads it", report);
        }
    }
}

/// Marks the properties of an expression as read or only written; `is_needed`: its value is used.
fn reads(expression: &Expression, is_needed: bool, mark: &mut dyn FnMut(&Name, bool)) {
    match &expression.kind {
        ExpressionKind::Name(_, name) => mark(name, true),
        ExpressionKind::Assign(operator, target, right) => {
            written(target, operator.is_some() && is_needed, mark);
            reads(right, true, mark);
        }
        ExpressionKind::Step(_, _, target) => written(target, is_needed, mark),
        ExpressionKind::Comma(left, right) => {
            reads(left, false, mark);
            reads(right, is_needed, mark);
        }
        ExpressionKind::Element(_, inner) | ExpressionKind::Unary(_, inner) => reads(inner, true, mark),
        ExpressionKind::Binary(_, left, right) => {
            reads(left, true, mark);
            reads(right, true, mark);
        }
        ExpressionKind::Conditional(condition, first, second) => {
            reads(condition, true, mark);
            reads(first, is_needed, mark);
            reads(second, is_needed, mark);
        }
        ExpressionKind::Integer(_) | ExpressionKind::NumberOf(_) | ExpressionKind::Mistake => {}
    }
}

fn written(target: &Expression, is_read: bool, mark: &mut dyn FnMut(&Name, bool)) {
    match &target.kind {
        ExpressionKind::Name(_, name) => mark(name, is_read),
        _ => reads(target, true, mark),
    }
}

fn pieces(names: &Names<'_>, report: &mut Report) {
    let mut used = vec![false; names.tree.pieces.len()];
    let mut any_is_named = false;
    let mut mark = |what: &What| match what {
        What::Piece(_, name) => {
            if let Some(index) = names.piece_index(&name.value) {
                used[index] = true;
            }
        }
        What::AnyPiece(..) => any_is_named = true,
        What::Empty(_) | What::AnyField(_) => {}
    };
    for body in walk::bodies(names.tree) {
        walk::statements(body, &mut |statement| walk::whats_of(statement).iter().for_each(&mut mark));
    }
    walk::all_expressions(names.tree, &mut |expression| {
        if let ExpressionKind::NumberOf(what) = &expression.kind {
            mark(what);
        }
    });
    // Positions can come from elsewhere: without a setup, `own piece` may speak of any.
    if any_is_named && names.tree.setups.is_empty() {
        return;
    }
    let shown = setup::characters(names.tree);
    let mut written = HashSet::new();
    for entry in &names.tree.notation {
        if let Notation::Draughts(plain, crowned) = entry {
            written.extend([&plain.value, &crowned.value]);
        }
        if let Notation::Promoted(pairs) = entry {
            written.extend(pairs.iter().flat_map(|(first, second)| [&first.value, &second.value]));
        }
        if let Notation::Rooks(parts) = entry {
            written.extend(parts[2..].iter().map(|name| &name.value));
        }
    }
    let placed = placed(names);
    for (index, (piece, used)) in names.tree.pieces.iter().zip(used).enumerate() {
        let in_setup = piece.characters.iter().any(|character| shown.contains(&character.value));
        let used = used || names.piece_index(&piece.name.value) != Some(index);
        if !used && !in_setup && !written.contains(&piece.name.value) {
            warn("W004", "piece", &piece.name, "no rule names it and no setup shows it", report);
        } else if !in_setup && !names.tree.setups.is_empty() && !placed.contains(piece.name.value.as_str()) {
            report.warning(|| {
                let message = format!("no piece {} can ever be on the board", quoted(&piece.name.value));
                Diagnostic::warning("W006", piece.name.span, message)
                    .hint("no setup shows it and no `replace by` puts it there")
            });
        }
    }
}

/// The pieces that some rule puts on the board.
fn placed<'tree>(names: &Names<'tree>) -> HashSet<&'tree str> {
    let mut placed = HashSet::new();
    for body in walk::bodies(names.tree) {
        walk::statements(body, &mut |statement| {
            if let StatementKind::ReplaceBy(What::Piece(_, name)) = &statement.kind {
                placed.insert(name.value.as_str());
            }
        });
    }
    placed
}

fn warn(code: &'static str, what: &str, name: &Name, why: &str, report: &mut Report) {
    report.warning(|| {
        let message = format!("the {what} {} is never used", quoted(&name.value));
        Diagnostic::warning(code, name.span, message).hint(why)
    });
}
