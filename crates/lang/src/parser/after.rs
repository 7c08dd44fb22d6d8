//! What follows a statement and cannot, with a word about what was meant.

use super::Parser;
use super::sections::DIRECTIONS;
use super::statements::NO_ARGUMENTS;
use super::words::{begins_statement, suggest};
use crate::diagnostic::Diagnostic;
use crate::lexer::TokenKind;
use crate::syntax::{Statement, StatementKind};

impl Parser<'_> {
    /// Says that something follows a statement that cannot.
    pub(super) fn report_after_statement(&mut self, closing: &str, statements: &mut [Statement]) {
        let begun = |wanted: fn(&StatementKind) -> bool| {
            statements.iter().rev().skip(1).any(|statement| wanted(&statement.kind))
        };
        let mut hint = match self.peek() {
            "or" if begun(|kind| matches!(kind, StatementKind::Either(_))) => Some(
                "`either` takes one statement on each side of `or`: put several into brackets, \
                 `either [ …, … ] or …`"
                    .to_owned(),
            ),
            "else" if begun(|kind| matches!(kind, StatementKind::Try(_, None))) => Some(
                "`try` takes one statement before `else`: put several into brackets, `try [ …, … ] else …`"
                    .to_owned(),
            ),
            "or" => Some(about_or(statements)),
            "|" | "||" | "/" => Some("a choice is written `either … or …`".to_owned()),
            "else" => Some("`else` belongs to `try`: write `try … else …`".to_owned()),
            "and" | "then" => suggest(self.peek(), std::iter::empty()),
            "elif" | "elsif" | "elseif" => Some("write `else try … else …`".to_owned()),
            "otherwise" => Some("write `try … else …`".to_owned()),
            "if" => Some("there is no `if`: test first, as in `try [ assert (row == 4), win ]`".to_owned()),
            ":" => Some("statements are separated by `,`".to_owned()),
            "]" => Some("this `]` was never opened with `[`".to_owned()),
            ";" => Some("statements are separated by `,`".to_owned()),
            "=" | "+=" | "-=" | "*=" | "++" | "--" => {
                Some("numbers are changed in `assign (…)`, as in `assign (count = count + 1)`".to_owned())
            }
            "==" | "!=" | "<" | ">" | "<=" | ">=" => {
                Some("numbers are asked about in `assert (…)`, as in `assert (row == 3)`".to_owned())
            }
            _ => None,
        };
        if let Some(StatementKind::Step { .. } | StatementKind::Direction(_)) =
            statements.last().map(|last| &last.kind)
            && self.token().kind == TokenKind::Integer
        {
            hint = Some(format!("to go further, write `repeat {} times step`", self.peek()));
        }
        hint = hint.or_else(|| self.about_direction(statements.last()?));
        if let Some(StatementKind::PickUp | StatementKind::PutDown) = statements.last().map(|last| &last.kind)
            && self.token().kind == TokenKind::Word
        {
            let advice =
                "`pick up` and `put down` work where the finger points: write `find own NAME, pick up`";
            hint = hint.or_else(|| Some(advice.to_owned()));
        }
        if let Some(StatementKind::Call(name)) = statements.last().map(|last| &last.kind) {
            let advice = if self.peek() == "(" { NO_ARGUMENTS } else { "statements are separated by `,`" };
            hint = hint.or_else(|| Some(advice.to_owned()));
            let span = name.span;
            if let Some(last) = statements.last_mut() {
                *last = Statement { kind: StatementKind::Mistake, span };
            }
        }
        if hint.is_none() && (begins_statement(self.peek()) || self.is_rule(self.peek())) {
            hint = Some("statements are separated by `,`".to_owned());
        }
        let message = format!("expected `,` or `{closing}`, found {}", self.found());
        self.report(Diagnostic::error("E010", self.token().span, message).maybe_hint(hint));
    }

    /// What follows a step or a direction and belongs elsewhere.
    fn about_direction(&self, last: &Statement) -> Option<String> {
        let found = self.peek();
        match &last.kind {
            StatementKind::Step { .. } if DIRECTIONS.contains(&found) => {
                Some(format!("the direction comes first: write `{found}, step`"))
            }
            StatementKind::Step { .. } if matches!(found, "once" | "twice" | "thrice") => {
                let count = ["once", "twice", "thrice"].iter().position(|word| *word == found)? + 1;
                Some(format!("to go further, write `repeat {count} times step`"))
            }
            StatementKind::Step { .. } if matches!(found, "back" | "away") => {
                Some("did you mean `step backward`?".to_owned())
            }
            StatementKind::Step { .. } if matches!(found, "forward" | "forwards" | "on" | "ahead") => {
                Some("`step` alone goes on in the direction: write `north, step`".to_owned())
            }
            StatementKind::Direction(direction @ (0 | 4)) => {
                let aside = if found == "-" { self.peek_after(1) } else { found };
                let first = DIRECTIONS[*direction as usize];
                matches!(aside, "east" | "west").then(|| format!("`{first}{aside}` is one word"))
            }
            _ => None,
        }
    }
}

/// `or` behind statements that no `either` begins.
fn about_or(statements: &[Statement]) -> String {
    match statements.last().map(|last| &last.kind) {
        Some(StatementKind::PointsAt(_)) => {
            "each choice is a statement: write `either points at … or points at …`".to_owned()
        }
        Some(StatementKind::Direction(direction)) => {
            let first = DIRECTIONS[*direction as usize];
            format!(
                "`or` belongs to `either`, without brackets around the choices: write `either {first} or …`"
            )
        }
        _ => "`or` belongs to `either`: write `either … or …`".to_owned(),
    }
}
