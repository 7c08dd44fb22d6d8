//! What the language allows and is hardly ever meant: choices of one, directions that are overwritten, comparisons in
//! a row, assignments that assign nothing, pieces that stay in the hand, loops that find the same again, endings behind
//! a `try` that does not guard them.

use std::collections::HashSet;

use super::constant;
use super::names::Names;
use super::report::Report;
use crate::diagnostic::{Diagnostic, quoted};
use crate::source::Span;
use crate::syntax::{Binary, Ending, Expression, ExpressionKind, Statement, StatementKind, What};
use crate::walk;

pub(super) fn check(names: &Names<'_>, report: &mut Report) {
    let mut picked_up = None;
    let mut put_down = false;
    for body in walk::bodies(names.tree) {
        walk::statements(body, &mut |statement| {
            match &statement.kind {
                StatementKind::Either(choices) if choices.len() == 1 => one_choice(statement, report),
                StatementKind::Sequence(parts) => {
                    overwritten(parts, report);
                    found_and_forgotten(parts, report);
                    ends_anyway(names, parts, report);
                }
                StatementKind::While(condition, body) | StatementKind::DoWhile(body, condition) => {
                    found_again(names, condition, body, report);
                }
                StatementKind::Assign(expression) if !constant::assigns(expression) => {
                    no_change(expression, report)
                }
                StatementKind::PickUp => picked_up = picked_up.or(Some(statement.span)),
                StatementKind::PutDown | StatementKind::Mistake => put_down = true,
                // A rule that is not there may be a misspelt one.
                StatementKind::Call(name) => put_down |= names.function(&name.value).is_none(),
                StatementKind::Find(_)
                | StatementKind::PointsAt(_)
                | StatementKind::ReplaceBy(_)
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
                | StatementKind::Nothing
                | StatementKind::Assert(_)
                | StatementKind::Assign(_)
                | StatementKind::Match(_)
                | StatementKind::ToMove(_)
                | StatementKind::Irreversible
                | StatementKind::Name(_)
                | StatementKind::Forcing(_)
                | StatementKind::Ending(_)
                | StatementKind::Score(_)
                | StatementKind::Most(..)
                | StatementKind::Cycle(_) => {}
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

/// `find own king, find empty field` points at the empty field.
fn found_and_forgotten(parts: &[Statement], report: &mut Report) {
    for pair in parts.windows(2) {
        let [StatementKind::Find(first), StatementKind::Find(_)] = [&pair[0].kind, &pair[1].kind] else {
            continue;
        };
        report.warning(|| {
            let message = "what this `find` points at is forgotten at once: the next one points elsewhere";
            Diagnostic::warning("W027", pair[0].span, message).hint(match first {
                What::Empty(_) => "leave one of them out; to ask whether there is one, write `test find empty field`",
                What::AnyField(_) => "leave one of them out",
                What::Piece(..) | What::AnyPiece(..) => {
                    "to ask whether there is one, write `test find …`; to carry a piece there, `pick up` comes between"
                }
            })
        });
    }
}

/// `try three, win` wins whether there are three or not.
fn ends_anyway(names: &Names<'_>, parts: &[Statement], report: &mut Report) {
    for pair in parts.windows(2) {
        let StatementKind::Ending(ending) = &pair[1].kind else { continue };
        let tried = match &pair[0].kind {
            StatementKind::Try(tried, None) => tried,
            // What changes something may be an option of a move that ends the game.
            StatementKind::Optionally(tried) if !may_change(names, tried, &mut HashSet::new()) => tried,
            _ => continue,
        };
        report.warning(|| {
            let word = match ending {
                Ending::Win => "win",
                Ending::Draw => "draw",
                Ending::Loss => "loss",
            };
            let (what, tried_text) = match &tried.kind {
                StatementKind::Call(name) => (quoted(&name.value), name.value.as_str()),
                _ => ("what stands before it".to_owned(), "…"),
            };
            // A rule that moves was tried for the sake of those who cannot move.
            let hint = match ending {
                Ending::Loss if may_change(names, tried, &mut HashSet::new()) => {
                    format!("write `try {tried_text} else loss`")
                }
                Ending::Win | Ending::Draw | Ending::Loss => format!("write `try [ {tried_text}, {word} ]`"),
            };
            let message = format!("`{word}` is met whether {what} succeeds or not");
            Diagnostic::warning("W022", pair[0].span, message).hint(hint)
        });
    }
}

/// `while find own man do step` finds the same man again in each round.
fn found_again(names: &Names<'_>, condition: &Statement, body: &Statement, report: &mut Report) {
    let Some(find) = only_finds(names, condition, CALLS_MAX) else { return };
    if may_change(names, body, &mut HashSet::new()) {
        return;
    }
    report.warning(|| {
        let message = "this loop does not end: `find` finds the same again in each round";
        Diagnostic::warning("W021", find, message).hint(
            "leave out the loop, `find` goes on from each field that it finds; to visit all fields one after the \
             other, see the recipe \"All fields at once\"",
        )
    });
}

/// Rules that call rules are followed so far.
const CALLS_MAX: u32 = 8;

/// The place of a `find` whose result depends on the board alone, if that is all that a condition is.
fn only_finds(names: &Names<'_>, condition: &Statement, calls_max: u32) -> Option<Span> {
    match &condition.kind {
        StatementKind::Find(_) => Some(condition.span),
        StatementKind::Sequence(parts) => {
            let (first, rest) = parts.split_first()?;
            let looks =
                |part: &Statement| matches!(part.kind, StatementKind::PointsAt(_) | StatementKind::Assert(_));
            only_finds(names, first, calls_max).filter(|_| rest.iter().all(looks))
        }
        StatementKind::Call(name) => {
            let function = &names.tree.functions[names.function(&name.value)?];
            only_finds(names, &function.body, calls_max.checked_sub(1)?)
        }
        _ => None,
    }
}

/// Whether a statement may change fields or numbers, by itself or by a rule that it calls.
fn may_change<'tree>(names: &Names<'tree>, body: &'tree Statement, seen: &mut HashSet<usize>) -> bool {
    let (mut found, mut called) = (false, Vec::new());
    walk::statements(body, &mut |statement| match &statement.kind {
        StatementKind::ReplaceBy(_)
        | StatementKind::PickUp
        | StatementKind::PutDown
        | StatementKind::Cycle(_)
        | StatementKind::Assign(_)
        | StatementKind::Mistake => found = true,
        StatementKind::Call(name) => called.push(names.function(&name.value)),
        StatementKind::Find(_)
        | StatementKind::PointsAt(_)
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
        | StatementKind::Match(_)
        | StatementKind::ToMove(_)
        | StatementKind::Irreversible
        | StatementKind::Name(_)
        | StatementKind::Forcing(_)
        | StatementKind::Ending(_)
        | StatementKind::Score(_)
        | StatementKind::Most(..)
        | StatementKind::Sequence(_) => {}
    });
    let changes = |rule: usize, seen: &mut HashSet<usize>| {
        seen.insert(rule) && may_change(names, &names.tree.functions[rule].body, seen)
    };
    // A rule that is not there may be a misspelt one.
    found || called.into_iter().any(|rule| rule.is_none_or(|rule| changes(rule, seen)))
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
        let ExpressionKind::Binary(operator, left, last) = &part.kind else { return };
        let ExpressionKind::Binary(inner, first, middle) = &left.kind else { return };
        let is_equality = |operator: &Binary| matches!(operator, Binary::Equal | Binary::NotEqual);
        let chained =
            (is_order(operator) && is_order(inner)) || (is_equality(operator) && is_equality(inner));
        // In parentheses it is meant.
        if chained && left.span.start == first.span.start {
            report.warning(|| {
                let message = "this compares the result of a comparison, which is 0 or 1";
                let both = both_comparisons([first, middle, last], [*inner, *operator]);
                let both = both.unwrap_or_else(|| "1 < row && row < 3".to_owned());
                Diagnostic::warning("W013", part.span, message).hint(format!("write `{both}`"))
            });
        }
    });
}

/// `0 < taken < 5` as two comparisons, if its terms are simple.
fn both_comparisons(terms: [&Expression; 3], operators: [Binary; 2]) -> Option<String> {
    let term = |expression: &Expression| match &expression.kind {
        ExpressionKind::Integer(value) => Some(value.to_string()),
        ExpressionKind::Name(None, name) => Some(name.value.clone()),
        ExpressionKind::Name(Some(owner), name) => Some(format!("{} {}", owner.word(), name.value)),
        _ => None,
    };
    let [first, middle, last] = [term(terms[0])?, term(terms[1])?, term(terms[2])?];
    let [one, other] = [comparison(operators[0])?, comparison(operators[1])?];
    Some(format!("{first} {one} {middle} && {middle} {other} {last}"))
}

fn comparison(operator: Binary) -> Option<&'static str> {
    Some(match operator {
        Binary::Less => "<",
        Binary::LessEqual => "<=",
        Binary::Greater => ">",
        Binary::GreaterEqual => ">=",
        Binary::Equal => "==",
        Binary::NotEqual => "!=",
        _ => return None,
    })
}

fn is_order(operator: &Binary) -> bool {
    matches!(operator, Binary::Less | Binary::LessEqual | Binary::Greater | Binary::GreaterEqual)
}
