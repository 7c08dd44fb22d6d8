//! What the language allows and is hardly ever meant: choices of one, directions that are overwritten, comparisons in
//! a row, assignments that assign nothing, pieces that stay in the hand.

use super::names::Names;
use super::report::Report;
use crate::diagnostic::Diagnostic;
use crate::syntax::{Binary, Expression, ExpressionKind, Statement, StatementKind};
use crate::walk;

pub(super) fn check(names: &Names<'_>, report: &mut Report) {
    let mut picked_up = None;
    let mut put_down = false;
    for body in walk::bodies(names.tree) {
        walk::statements(body, &mut |statement| {
            match &statement.kind {
                StatementKind::Either(choices) if choices.len() == 1 => one_choice(statement, report),
                StatementKind::Sequence(parts) => overwritten(parts, report),
                StatementKind::Assign(expression) if !changes(expression) => no_change(expression, report),
                StatementKind::PickUp => picked_up = picked_up.or(Some(statement.span)),
                StatementKind::PutDown | StatementKind::Mistake => put_down = true,
                // A rule that is not there may be a misspelt one.
                StatementKind::Call(name) => put_down |= names.function(&name.value).is_none(),
                _ => {}
            }
            for expression in walk::expressions_of(statement) {
                comparisons(expression, report);
            }
        });
    }
    if let Some(span) = picked_up.filter(|_| !put_down) {
        report.warning(|| {
            Diagnostic::warning("W015", span, "what is picked up here is never put down: the piece is gone")
                .hint("end the move with `put down`; to take a piece off, write `replace by empty field`")
        });
    }
}

fn one_choice(statement: &Statement, report: &mut Report) {
    report.warning(|| {
        Diagnostic::warning("W011", statement.span, "this `either` has nothing to choose from")
            .hint("write `either … or …`; several statements of one choice stand in brackets")
    });
}

/// `north, east, step` goes east.
fn overwritten(parts: &[Statement], report: &mut Report) {
    let is_direction =
        |part: &Statement| matches!(part.kind, StatementKind::Direction(_) | StatementKind::Directions(_));
    for pair in parts.windows(2).filter(|pair| pair.iter().all(is_direction)) {
        report.warning(|| {
            let message = "this direction is forgotten at once: the next one takes its place";
            Diagnostic::warning("W012", pair[0].span, message)
                .hint("for a choice write `either north or east`; `northeast` is a direction of its own")
        });
    }
}

/// Whether an expression assigns anything.
fn changes(expression: &Expression) -> bool {
    let mut found = false;
    walk::expressions(expression, &mut |part| {
        found |= matches!(
            part.kind,
            ExpressionKind::Assign(..) | ExpressionKind::Step(..) | ExpressionKind::Mistake
        );
    });
    found
}

fn no_change(expression: &Expression, report: &mut Report) {
    report.warning(|| {
        Diagnostic::warning("W014", expression.span, "this `assign` changes nothing")
            .hint("write `=` to change a property; to compare, `assert (… == …)`")
    });
}

/// `1 < row < 3` compares 0 or 1 with 3.
fn comparisons(expression: &Expression, report: &mut Report) {
    walk::expressions(expression, &mut |part| {
        let ExpressionKind::Binary(operator, left, _) = &part.kind else { return };
        let ExpressionKind::Binary(inner, first, _) = &left.kind else { return };
        let is_equality = |operator: &Binary| matches!(operator, Binary::Equal | Binary::NotEqual);
        let chained =
            (is_order(operator) && is_order(inner)) || (is_equality(operator) && is_equality(inner));
        // In parentheses it is meant.
        if chained && left.span.start == first.span.start {
            report.warning(|| {
                let message = "this compares the result of a comparison, which is 0 or 1";
                Diagnostic::warning("W013", part.span, message).hint("write `1 < row && row < 3`")
            });
        }
    });
}

fn is_order(operator: &Binary) -> bool {
    matches!(operator, Binary::Less | Binary::LessEqual | Binary::Greater | Binary::GreaterEqual)
}
