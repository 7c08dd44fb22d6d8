//! Statements as other languages write them: they are told of, and read as what they mean, so that what follows is
//! checked as well.

use super::words::RESERVED;
use super::{Parser, Reading};
use crate::diagnostic::Diagnostic;
use crate::lexer::TokenKind;
use crate::syntax::{Expression, ExpressionKind, Statement, StatementKind};

/// So far the end of parentheses is looked for.
const PARENTHESES_MAX: usize = 60;

impl Parser<'_> {
    /// `2 step`
    pub(super) fn refuse_number(&mut self) -> Reading<()> {
        let (number, after) = (self.peek(), self.peek_after(1));
        if self.token().kind != TokenKind::Integer || !matches!(after, "step" | "steps" | "times") {
            return Ok(());
        }
        let hint = format!("to go further, write `repeat {number} times step`");
        let message = format!("expected a statement, found `{number}`");
        self.fail(Diagnostic::error("E010", self.token().span, message).hint(hint))
    }

    /// Whether `most` behind which the parentheses are missing, or another word for it, stands before a statement.
    pub(super) fn is_most(&self, word: &str) -> bool {
        let ahead = usize::from(matches!(self.peek(), "own" | "opponent's" | "white" | "black"));
        let is_named = self.token_after(ahead).kind == TokenKind::Word
            && matches!(self.peek_after(ahead + 1), "[" | "find" | "try");
        !self.is_rule(word) && (is_named || (word != "most" && self.peek() == "("))
    }

    pub(super) fn almost_most(&mut self, word: &str) -> Reading<StatementKind> {
        let start = self.tokens[self.next.saturating_sub(1)].span;
        let start_of_value = self.token().span;
        if self.peek() == "(" {
            let message = format!("there is no rule or statement `{word}`");
            let kind = self.most()?;
            let text = match &kind {
                StatementKind::Most(value, _) => self.text.get(value.span.start..value.span.end),
                _ => None,
            };
            let hint =
                format!("did you mean `most ({}) …`?", text.filter(|text| text.len() < 40).unwrap_or("…"));
            self.report(Diagnostic::error("E021", start, message).hint(hint));
            return Ok(kind);
        }
        let owner = self.owner();
        let name = self.name("the name of a property")?;
        let span = start_of_value.to(name.span);
        let text = &self.text[span.start..span.end];
        let message = format!("expected `(`, found `{}`", text.chars().take(40).collect::<String>());
        self.report(Diagnostic::error("E010", span, message).hint(format!("write `most ({text}) …`")));
        let value = Expression { kind: ExpressionKind::Name(owner, name), span };
        Ok(StatementKind::Most(value, self.boxed()?))
    }

    /// `{ find man, step }`: braces where brackets or nothing should be.
    pub(super) fn braces(&mut self) -> Reading<StatementKind> {
        let before = self.text_of(self.tokens[self.next.saturating_sub(1)]);
        let hint = match before {
            "=" => "a rule has no braces: it is written `name = …, … .`",
            _ => "several statements are made one by `[ …, … ]`",
        };
        let opening = self.advance().span;
        self.report(Diagnostic::error("E010", opening, "expected a statement, found `{`").hint(hint));
        if self.peek() == "}" {
            self.advance();
            return Ok(StatementKind::Mistake);
        }
        let mut statements = self.sequence("}");
        // As in other languages, the last statement may have a sign behind it.
        if self.accept(".") || self.accept(";") || self.peek() != "}" {
            statements.push(Statement { kind: StatementKind::Mistake, span: opening });
        }
        self.accept("}");
        Ok(StatementKind::Sequence(statements))
    }

    /// `(row == 3)`, `(find man, step)`: parentheses where `assert` or brackets should be.
    pub(super) fn parentheses(&mut self) -> Reading<StatementKind> {
        let opening = self.token().span;
        let compares = (1..PARENTHESES_MAX)
            .map(|ahead| self.peek_after(ahead))
            .take_while(|sign| !matches!(*sign, ")" | "." | ""))
            .any(|sign| {
                matches!(sign, "==" | "!=" | "<" | ">" | "<=" | ">=" | "=<" | "=>" | "<>" | "&&" | "||")
            });
        let message = "expected a statement, found `(`";
        if !compares {
            let is_choice = (1..PARENTHESES_MAX)
                .map(|ahead| self.peek_after(ahead))
                .take_while(|sign| !matches!(*sign, ")" | "." | "," | "[" | ""))
                .any(|sign| sign == "or");
            let hint = match is_choice {
                true => "a choice is written `either … or …`, without parentheses",
                false => "several statements are made one by `[ …, … ]`",
            };
            self.report(Diagnostic::error("E010", opening, message).hint(hint));
            self.advance();
            if is_choice && self.peek() != "either" {
                let choices = self.either()?;
                self.accept(")");
                return Ok(choices);
            }
            let statements = self.sequence(")");
            self.accept(")");
            return Ok(StatementKind::Sequence(statements));
        }
        let is_tried = self.next > 0 && self.text_of(self.tokens[self.next - 1]) == "try";
        // The place comes first: what is wrong inside is told after it.
        let number = self.diagnostics.len();
        let value = self.in_parentheses()?;
        let text = &self.text[opening.start..value.span.end.max(self.tokens[self.next - 1].span.end)];
        let text = if text.len() < 60 && !text.contains('\n') { text } else { "(…)" };
        let hint = match (is_tried && self.peek() == ",", self.peek_after(1)) {
            (true, ending @ ("win" | "draw" | "loss")) => format!("write `try [ assert {text}, {ending} ]`"),
            _ => format!("numbers are asked about in `assert {text}`"),
        };
        if self.diagnostics.len() == number {
            self.report(Diagnostic::error("E010", opening, message).hint(hint));
        }
        Ok(StatementKind::Assert(value))
    }

    /// `replace by own`
    pub(super) fn refuse_owner_alone(&mut self) -> Reading<()> {
        let (whose, next) = (self.peek(), self.token_after(1));
        let is_owner = matches!(whose, "own" | "opponent's" | "white" | "black");
        if !is_owner || (next.kind == TokenKind::Word && !RESERVED.contains(&self.text_of(next))) {
            return Ok(());
        }
        let span = self.advance().span;
        let message = format!("expected a piece behind `{whose}`, found {}", self.found());
        let hint = format!("name the piece, such as `{whose} {}`", self.a_piece());
        self.fail(Diagnostic::error("E010", span, message).hint(hint))
    }
}
