//! What follows a statement and cannot, with a word about what was meant.

use super::Parser;
use super::sections::DIRECTIONS;
use super::statements::NO_ARGUMENTS;
use super::words::{begins_statement, suggest};
use crate::diagnostic::Diagnostic;
use crate::lexer::TokenKind;
use crate::syntax::{Statement, StatementKind, What};

impl Parser<'_> {
    /// Says that something follows a statement that cannot.
    pub(super) fn report_after_statement(&mut self, closing: &str, statements: &mut [Statement]) {
        let begun = |wanted: fn(&StatementKind) -> bool| {
            statements.iter().rev().skip(1).any(|statement| wanted(&statement.kind))
        };
        let mut hint = self.about_pair(statements).or_else(|| match self.peek() {
            "or" if self.description_follows(statements) => Some(about_or(statements)),
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
            "=>" | "->" | "win" | "draw" | "loss" if self.is_test(statements.last()) => {
                Some(self.try_and(statements))
            }
            "=>" => {
                Some("a condition and what follows from it are written `try [ condition, … ]`".to_owned())
            }
            "?" => Some("a choice between statements is written `try [ condition, … ] else …`".to_owned()),
            "white" | "black" | "own" | "opponent's" if owner_behind(statements).is_some() => {
                owner_behind(statements)
                    .map(|piece| format!("the owner comes first: `{} {piece}`", self.peek()))
            }
            "=" | ":=" | "+=" | "-=" | "*=" | "++" | "--" => {
                Some("numbers are changed in `assign (…)`, as in `assign (count = count + 1)`".to_owned())
            }
            "==" | "!=" | "<" | ">" | "<=" | ">=" => {
                Some("numbers are asked about in `assert (…)`, as in `assert (row == 3)`".to_owned())
            }
            _ => None,
        });
        if let Some(StatementKind::Step { .. } | StatementKind::Direction(_)) =
            statements.last().map(|last| &last.kind)
            && let Some(count) = self.count_behind()
        {
            let advice = format!("to go further, write `repeat {count} times step`");
            hint = hint.or(Some(advice));
        }
        hint = hint.or_else(|| self.about_direction(statements.last()?));
        if let Some(StatementKind::PickUp | StatementKind::PutDown) = statements.last().map(|last| &last.kind)
            && self.token().kind == TokenKind::Word
            && !(begins_statement(self.peek()) || self.is_rule(self.peek()))
        {
            let advice =
                "`pick up` and `put down` work where the finger points: write `find own NAME, pick up`";
            hint = hint.or_else(|| Some(advice.to_owned()));
        }
        if let Some(StatementKind::Call(name)) = statements.last().map(|last| &last.kind) {
            let advice = match (self.peek(), self.peek_after(1)) {
                ("(", ")") => "a rule is called by its name alone: leave out `()`",
                ("(", _) => NO_ARGUMENTS,
                _ => "statements are separated by `,`",
            };
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

    /// What the last statement and the next words mean together.
    fn about_pair(&self, statements: &[Statement]) -> Option<String> {
        let (found, next) = (self.peek(), self.peek_after(1));
        let last = &statements.last()?.kind;
        Some(match (last, found, next) {
            (_, "/", "/" | "*") => "comments begin with `#`".to_owned(),
            (StatementKind::Either(_), "[", _) => {
                "`or` stands between the choices: `either … or …`".to_owned()
            }
            (StatementKind::Ending(_), "(", ")") => "it stands alone: leave out `()`".to_owned(),
            (
                StatementKind::Ending(_),
                "own" | "opponent's" | "white" | "black" | "me" | "player" | "mover" | "game" | "for",
                _,
            ) => "`win` and `loss` are the mover's, and stand alone".to_owned(),
            (StatementKind::Try(_, None), "then", ending @ ("win" | "draw" | "loss")) => {
                let tried = self.text_of_tried(statements);
                format!("write `try [ {tried}, {ending} ]`")
            }
            (_, "or", ending @ ("win" | "draw" | "loss")) if !matches!(last, StatementKind::Either(_)) => {
                let tried = self.text_of_tried(statements);
                format!("for what happens otherwise, write `try {tried} else {ending}`")
            }
            (StatementKind::Find(_), "and", _) if self.description_follows(statements) => {
                "each is found by itself: write `either find … or find …`".to_owned()
            }
            (StatementKind::PointsAt(_), "and", _) if self.description_follows(statements) => {
                "on a field stands one piece: write `either points at … or points at …`".to_owned()
            }
            (
                StatementKind::Find(_) | StatementKind::PointsAt(_),
                "at" | "on" | "in" | "with" | "where" | "if",
                _,
            ) => "ask in a statement of its own, as in `find own NAME, assert (row == 1)`".to_owned(),
            (StatementKind::PutDown, "own" | "opponent's" | "white" | "black", _) => {
                format!("what was picked up is put down; a new piece comes by `replace by {found} …`")
            }
            (StatementKind::PutDown, "on" | "at" | "in", _) => {
                "ask before it, as in `step, points at empty field, put down`".to_owned()
            }
            (StatementKind::Step { .. }, "1" | "one", _) => {
                format!("a step leads one field further: leave out `{found}`")
            }
            (StatementKind::Call(name), "=" | ":=" | "+=" | "-=", _)
                if name.value == "score" && !self.is_in("properties", "score") =>
            {
                suggest("score", std::iter::empty())?
            }
            (StatementKind::Call(name), "=" | ":=" | "+=" | "-=" | "*=", _) => {
                let sign = if found == ":=" { "=" } else { found };
                format!("numbers are changed in `assign (…)`: `assign ({} {sign} …)`", name.value)
            }
            (StatementKind::Call(name), "++" | "--", _) => {
                format!("numbers are changed in `assign (…)`: `assign ({}{found})`", name.value)
            }
            _ => return None,
        })
    }

    /// Whether `or` stands between two piece descriptions.
    fn description_follows(&self, statements: &[Statement]) -> bool {
        let next = self.peek_after(1);
        let describes = |kind: &StatementKind| {
            matches!(kind, StatementKind::PointsAt(_) | StatementKind::Find(_) | StatementKind::ReplaceBy(_))
        };
        let is_owner = matches!(next, "own" | "opponent's" | "white" | "black" | "empty")
            || (next == "any" && self.peek_after(2) != "direction");
        statements.last().is_some_and(|last| describes(&last.kind)) && (is_owner || self.is_piece(next))
    }

    /// Whether a statement asks something, or may do so: an ending behind it was meant to follow from it.
    fn is_test(&self, last: Option<&Statement>) -> bool {
        let is_arrow = matches!(self.peek(), "=>" | "->");
        last.is_some_and(|last| match &last.kind {
            StatementKind::Try(_, None) | StatementKind::Test(_) | StatementKind::Not(_) => true,
            StatementKind::Assert(_) | StatementKind::PointsAt(_) | StatementKind::Call(_) => is_arrow,
            _ => false,
        })
    }

    /// What the last statement tries, as it is written, if that is short.
    fn text_of_tried(&self, statements: &[Statement]) -> &str {
        let tried = statements.last().map(|last| match &last.kind {
            StatementKind::Try(tried, None) => tried.span,
            _ => last.span,
        });
        let text = tried.and_then(|span| self.text.get(span.start..span.end)).unwrap_or("…");
        if text.len() > 40 || text.contains('[') || text.contains('\n') { "…" } else { text }
    }

    /// `three => win`, `try three win`
    fn try_and(&self, statements: &[Statement]) -> String {
        let text = self.text_of_tried(statements);
        let then = match self.peek() {
            "=>" | "->" => self.peek_after(1),
            ending => ending,
        };
        let then = if then.starts_with(|first: char| first.is_ascii_alphabetic()) { then } else { "…" };
        format!("write `try [ {text}, {then} ]`")
    }

    /// `2` or `(2)`, behind a step.
    fn count_behind(&self) -> Option<&str> {
        let ahead = usize::from(self.peek() == "(");
        let is_count = self.token_after(ahead).kind == TokenKind::Integer;
        (is_count && (ahead == 0 || self.peek_after(2) == ")")).then(|| self.peek_after(ahead))
    }

    /// What follows a step or a direction and belongs elsewhere.
    fn about_direction(&self, last: &Statement) -> Option<String> {
        let found = self.peek();
        match &last.kind {
            StatementKind::Step { .. }
                if DIRECTIONS.contains(&found) || matches!(found, "orthogonal" | "diagonal") =>
            {
                Some(format!("the direction comes first: write `{found}, step`"))
            }
            StatementKind::Step { .. } if found == "any" && self.peek_after(1) == "direction" => {
                Some("the direction comes first: write `any direction, step`".to_owned())
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

/// The piece of a description that ends in its name: `replace by stone`, before `white`.
fn owner_behind(statements: &[Statement]) -> Option<&str> {
    match &statements.last()?.kind {
        StatementKind::Find(What::Piece(None, name))
        | StatementKind::PointsAt(What::Piece(None, name))
        | StatementKind::ReplaceBy(What::Piece(None, name)) => Some(&name.value),
        _ => None,
    }
}

/// `or` behind statements that no `either` begins.
fn about_or(statements: &[Statement]) -> String {
    match statements.last().map(|last| &last.kind) {
        Some(StatementKind::PointsAt(_)) => {
            "each choice is a statement: write `either points at … or points at …`".to_owned()
        }
        Some(StatementKind::Find(_)) => {
            "each choice is a statement: write `either find … or find …`".to_owned()
        }
        Some(StatementKind::ReplaceBy(_)) => {
            "each choice is a statement: write `either replace by … or replace by …`".to_owned()
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
