//! Names, assignments and divisions in expressions.

use super::names::{BUILTINS, Names};
use super::report::Report;
use super::{constant, statements};
use crate::diagnostic::{Diagnostic, did_you_mean, quoted};
use crate::parser::sections::DIRECTIONS;
use crate::syntax::{Binary, Expression, ExpressionKind, Name, Owner, PropertyKind};

/// Where an expression stands.
#[derive(Clone, Copy)]
pub(super) enum Place {
    /// In `assign`, where it may change properties.
    Assign,
    /// In this statement, where it may not.
    Read(&'static str),
}

pub(super) fn check(names: &Names<'_>, expression: &Expression, place: Place, report: &mut Report) {
    match &expression.kind {
        ExpressionKind::Integer(_) | ExpressionKind::Mistake => {}
        ExpressionKind::Name(owner, name) => value(names, *owner, name, report),
        ExpressionKind::NumberOf(what) => statements::what(names, what, report),
        ExpressionKind::Element(name, index) => {
            table(names, name, report);
            check(names, index, place, report);
        }
        ExpressionKind::Unary(_, operand) => check(names, operand, place, report),
        ExpressionKind::Binary(operator, left, right) => {
            check(names, left, place, report);
            check(names, right, place, report);
            divisor(*operator, right, report);
        }
        ExpressionKind::Conditional(condition, first, second) => {
            check(names, condition, place, report);
            check(names, first, place, report);
            check(names, second, place, report);
        }
        ExpressionKind::Comma(left, right) => {
            check(names, left, place, report);
            check(names, right, place, report);
        }
        ExpressionKind::Assign(operator, target, right) => {
            let hint = match operator {
                None => "did you mean `==`?",
                Some(_) => "write it into an `assign (…)` of its own",
            };
            change(names, expression, target, place, hint, report);
            check(names, right, place, report);
            match operator {
                Some(operator) => divisor(*operator, right, report),
                None => in_range(names, target, right, report),
            }
        }
        ExpressionKind::Step(_, _, target) => {
            let hint = "write it into an `assign (…)` of its own";
            change(names, expression, target, place, hint, report);
        }
    }
}

/// A property, or what the language knows by itself.
fn value(names: &Names<'_>, owner: Option<Owner>, name: &Name, report: &mut Report) {
    let word = name.value.as_str();
    if names.is_alone() {
        statements::nobody_else(owner, name.span, report);
    }
    if let Some(property) = names.property(word) {
        if owner.is_some() && property.kind != PropertyKind::Player {
            report.error(|| {
                let message = format!("{} does not belong to a player", quoted(word));
                Diagnostic::error("E041", name.span, message)
                    .hint("write its name alone, or declare it as a `player` property")
            });
        }
    } else if names.is_builtin(word) {
        if owner.is_some() {
            report.error(|| {
                Diagnostic::error("E041", name.span, format!("`{word}` does not belong to a player"))
                    .hint("write it alone; it is seen from the mover's side")
            });
        }
    } else if names.is_table(word) {
        report.error(|| {
            Diagnostic::error("E023", name.span, format!("{} is a table, not a number", quoted(word)))
                .hint(format!("write which of its numbers: `{word}[…]`"))
        });
    } else if !names.may_exist(word) {
        report.error(|| {
            Diagnostic::error("E023", name.span, format!("there is no property {}", quoted(word)))
                .hint(instead_of_property(names, owner, word))
        });
    }
}

/// What to write instead of a word that is no number.
fn instead_of_property(names: &Names<'_>, owner: Option<Owner>, word: &str) -> String {
    if names.piece(word).is_some() {
        let whose = owner.map_or(String::new(), |owner| format!("{} ", owner.word()));
        return format!("to count pieces, write `number of {whose}{word}`");
    }
    if names.function(word).is_some() {
        return format!("`{word}` is a rule: write it as a statement, outside the parentheses");
    }
    let letters = word.bytes().take_while(u8::is_ascii_lowercase).count();
    if let (1, Ok(row)) = (letters, word[letters..].parse::<u32>()) {
        let column = word.as_bytes()[0] - b'a' + 1;
        return format!(
            "a field is no number: `move to ({column}, {row}), points at WHAT` asks what is on it"
        );
    }
    if let Some(number) = DIRECTIONS.iter().position(|direction| *direction == word) {
        return format!("in numbers, {word} is {number}: 0 is north, and so on clockwise to 7");
    }
    match word {
        "x" | "col" | "file" => return "did you mean `column`?".to_owned(),
        "y" | "rank" => return "did you mean `row`?".to_owned(),
        "true" => return "write 1".to_owned(),
        "false" => return "write 0".to_owned(),
        _ => {}
    }
    did_you_mean(word, names.property_names().chain(BUILTINS).chain(names.table_names()))
        .unwrap_or_else(|| "numbers are declared, as in `properties { count : board : [0 .. 9] }`".to_owned())
}

fn table(names: &Names<'_>, name: &Name, report: &mut Report) {
    let word = name.value.as_str();
    if names.is_table(word) {
        return;
    }
    if names.property(word).is_some() || names.is_builtin(word) {
        report.error(|| {
            Diagnostic::error("E023", name.span, format!("{} is a single number, not a table", quoted(word)))
                .hint("write it without `[…]`")
        });
    } else if !names.may_exist(word) {
        report.error(|| {
            let declared = "tables are declared, as in `tables { worth = 1, 3, 5 }`".to_owned();
            Diagnostic::error("E023", name.span, format!("there is no table {}", quoted(word)))
                .hint(did_you_mean(word, names.table_names()).unwrap_or(declared))
        });
    }
}

/// Something assigns to `target`: it must be a property, and this the place to do so.
fn change(
    names: &Names<'_>,
    whole: &Expression,
    target: &Expression,
    place: Place,
    hint: &str,
    report: &mut Report,
) {
    check(names, target, place, report);
    if let Place::Read(statement) = place {
        report.error(|| {
            let message = format!("`{statement}` only looks: it cannot change a property");
            Diagnostic::error("E029", whole.span, message).hint(hint)
        });
        return;
    }
    let problem = match &target.kind {
        ExpressionKind::Name(_, name) if names.is_builtin(&name.value) => Some((
            format!("`{}` cannot be assigned to", name.value),
            "move the finger with `step` or `move to`",
        )),
        ExpressionKind::Name(..) | ExpressionKind::Mistake => None,
        ExpressionKind::Element(..) => {
            Some(("the numbers of a table never change".to_owned(), "keep what changes in a property"))
        }
        _ => Some((
            "this is no property: nothing can be assigned to it".to_owned(),
            "to compare, write `==` in an `assert`",
        )),
    };
    if let Some((message, hint)) = problem {
        report.error(|| Diagnostic::error("E030", target.span, message).hint(hint));
    }
}

fn in_range(names: &Names<'_>, target: &Expression, right: &Expression, report: &mut Report) {
    let ExpressionKind::Name(_, name) = &target.kind else { return };
    let (Some(property), Some(value)) = (names.property(&name.value), constant::value(right)) else { return };
    if property.low <= property.high && !(property.low..=property.high).contains(&value) {
        report.error(|| {
            let (name, low, high) = (quoted(&name.value), property.low, property.high);
            let message = format!("{value} is out of range for {name}, which goes from {low} to {high}");
            Diagnostic::error("E028", right.span, message)
        });
    }
}

fn divisor(operator: Binary, right: &Expression, report: &mut Report) {
    if matches!(operator, Binary::Divide | Binary::Remainder) && constant::value(right) == Some(0) {
        report.error(|| Diagnostic::error("E042", right.span, "this divides by zero"));
    }
}
