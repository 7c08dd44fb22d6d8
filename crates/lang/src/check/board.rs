//! Numbers of the game as a whole: players, sides, board, links, repetition.

use super::report::Report;
use crate::diagnostic::Diagnostic;
use crate::source::Spanned;
use crate::syntax::{Program, RepetitionResult};

/// More fields than this no board has.
const FIELDS_MAX: i64 = 400;

/// Whether a board may have these sizes.
pub(super) fn fits(columns: i64, rows: i64) -> bool {
    (1..=FIELDS_MAX).contains(&columns) && (1..=FIELDS_MAX).contains(&rows) && columns * rows <= FIELDS_MAX
}

pub(super) fn check(tree: &Program, report: &mut Report) {
    numbers(tree, report);
    let Some((columns, rows)) = &tree.dimensions else {
        if !tree.unread.contains("dimensions") {
            report.error(|| {
                Diagnostic::error("E025", tree.end, "the size of the board is not given")
                    .hint("write `dimensions (columns, rows)`, such as `dimensions (8, 8)`")
            });
        }
        return;
    };
    for side in [columns, rows] {
        if side.value < 1 {
            report.error(|| {
                let message = format!("a board cannot have {} columns or rows", side.value);
                Diagnostic::error("E025", side.span, message).hint("each side has at least one field")
            });
        }
    }
    if columns.value >= 1 && rows.value >= 1 && !fits(columns.value, rows.value) {
        report.error(|| {
            let message = format!("a board of {} times {} fields is too large", columns.value, rows.value);
            Diagnostic::error("E025", columns.span.to(rows.span), message)
                .hint(format!("at most {FIELDS_MAX} fields"))
        });
    }
    if fits(columns.value, rows.value) {
        let fields = tree.links.iter().flat_map(|link| [Some(&link.from), link.to.as_ref()]).flatten();
        for field in fields {
            on_board(field, columns.value, rows.value, report);
        }
    }
}

/// A field that is named must be there.
pub(super) fn on_board(field: &Spanned<(i64, i64)>, columns: i64, rows: i64, report: &mut Report) {
    let (column, row) = field.value;
    if !(1..=columns).contains(&column) || !(1..=rows).contains(&row) {
        report.error(|| {
            let last = name_of(columns, rows);
            Diagnostic::error("E034", field.span, "this field is not on the board")
                .hint(format!("the fields are `a1` to `{last}`"))
        });
    }
}

/// `e4`, `ab12`.
fn name_of(column: i64, row: i64) -> String {
    let letter = |number: i64| char::from(b'a' + (number % 26) as u8);
    match column {
        ..=26 => format!("{}{row}", letter(column - 1)),
        _ => format!("{}{}{row}", letter((column - 1) / 26 - 1), letter(column - 1)),
    }
}

fn numbers(tree: &Program, report: &mut Report) {
    if let Some(players) = tree.players.as_ref().filter(|players| !(0..=2).contains(&players.value)) {
        report.error(|| {
            Diagnostic::error("E036", players.span, format!("a game cannot have {} players", players.value))
                .hint("one or two; 0 for a game that plays itself")
        });
    }
    if let Some(sides) = tree.sides.as_ref().filter(|sides| !(1..=2).contains(&sides.value)) {
        report.error(|| {
            Diagnostic::error(
                "E036",
                sides.span,
                format!("a board cannot be seen from {} sides", sides.value),
            )
            .hint("2: each player sees the board from a side of their own; 1: both see the same")
        });
    }
    let counted = tree.repetition.as_ref().filter(|rule| rule.result != RepetitionResult::Ignored);
    if let Some(rule) = counted.filter(|rule| rule.occurrences.value < 2) {
        report.error(|| {
            Diagnostic::error(
                "E039",
                rule.occurrences.span,
                "the first time a position occurs is no repetition",
            )
            .hint("write `after 2` or more")
        });
    }
}
