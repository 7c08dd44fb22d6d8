//! Comparisons that are never true, as no row, column or property has such a value, and numbers that stand where a
//! comparison should.

use super::names::Names;
use super::report::Report;
use crate::diagnostic::Diagnostic;
use crate::syntax::{Binary, Expression, ExpressionKind};
use crate::walk;

pub(super) fn check(names: &Names<'_>, report: &mut Report) {
    walk::all_expressions(names.tree, &mut |expression| {
        if let ExpressionKind::Binary(operator, left, right) = &expression.kind {
            comparison(names, expression, (left, *operator, right), report);
            half_a_comparison((left, *operator, right), report);
        }
    });
}

fn comparison(
    names: &Names<'_>,
    whole: &Expression,
    (left, operator, right): (&Expression, Binary, &Expression),
    report: &mut Report,
) {
    // The number of a comparison is on its right; `3 == row` is turned round.
    let (named, number, operator) = match (&left.kind, &right.kind) {
        (_, ExpressionKind::Integer(number)) => (left, *number, operator),
        (ExpressionKind::Integer(number), _) => (right, *number, turned(operator)),
        _ => return,
    };
    let ExpressionKind::Name(_, name) = &named.kind else { return };
    let Some((low, high)) = range(names, &name.value) else { return };
    let holds = match operator {
        Binary::Equal => low <= number && number <= high,
        Binary::Less => low < number,
        Binary::LessEqual => low <= number,
        Binary::Greater => high > number,
        Binary::GreaterEqual => high >= number,
        _ => true,
    };
    if !holds {
        report.warning(|| {
            let message = "this is never true";
            let hint = format!("`{}` goes from {low} to {high}", name.value);
            Diagnostic::warning("W023", whole.span, message).hint(hint)
        });
    }
}

/// `row == 3 || 4` is always true.
fn half_a_comparison((left, operator, right): (&Expression, Binary, &Expression), report: &mut Report) {
    let ExpressionKind::Integer(number) = &right.kind else { return };
    let ExpressionKind::Binary(inner, term, _) = &left.kind else { return };
    let ExpressionKind::Name(_, name) = &term.kind else { return };
    if operator == Binary::Or && *number != 0 && matches!(inner, Binary::Equal | Binary::NotEqual) {
        report.warning(|| {
            let hint = format!("each side is a whole comparison: write `… || {} == {number}`", name.value);
            Diagnostic::warning("W023", right.span, "this is always true, whatever stands before it")
                .hint(hint)
        });
    }
}

/// The same comparison with its sides exchanged.
fn turned(operator: Binary) -> Binary {
    match operator {
        Binary::Less => Binary::Greater,
        Binary::LessEqual => Binary::GreaterEqual,
        Binary::Greater => Binary::Less,
        Binary::GreaterEqual => Binary::LessEqual,
        other => other,
    }
}

/// The least and the greatest value.
fn range(names: &Names<'_>, name: &str) -> Option<(i64, i64)> {
    if let Some(property) = names.property(name) {
        return (property.low <= property.high).then_some((property.low, property.high));
    }
    let (columns, rows) = names.board()?;
    match name {
        "row" => Some((1, rows)),
        "column" => Some((1, columns)),
        _ => None,
    }
}
