//! `name "text" field piece (e)`.

use super::{Parser, Reading};
use crate::diagnostic::Diagnostic;
use crate::lexer::{TokenKind, parse_text};
use crate::source::Spanned;
use crate::syntax::{NamePart, StatementKind};

impl Parser<'_> {
    /// Whether a part of a name comes next. `name` alone may be a rule.
    pub(super) fn at_name_part(&self) -> bool {
        self.is_text(0) || matches!(self.peek(), "field" | "piece" | "(")
    }

    /// A text, whatever its quotes.
    fn is_text(&self, ahead: usize) -> bool {
        matches!(self.token_after(ahead).kind, TokenKind::Text | TokenKind::Character(_))
    }

    pub(super) fn name_parts(&mut self) -> Reading<StatementKind> {
        let mut parts = Vec::new();
        while self.at_name_part() {
            let token = self.token();
            parts.push(match (self.peek(), token.kind) {
                ("field", _) => NamePart::Field,
                ("piece", _) => NamePart::Piece,
                ("(", _) => NamePart::Value(self.in_parentheses()?),
                (_, TokenKind::Character(letter)) => {
                    let message = "a text stands in double quotes";
                    let diagnostic = Diagnostic::error("E002", token.span, message);
                    self.report(diagnostic.hint(format!("write `\"{letter}\"`")));
                    NamePart::Text(Spanned { value: letter.to_string(), span: token.span })
                }
                (text, _) => {
                    let single = ['\'', '’', '‘', '`'];
                    // Single quotes have been spoken of.
                    let text = match text.starts_with(single) {
                        true => text.trim_matches(single),
                        false => parse_text(text),
                    };
                    NamePart::Text(Spanned { value: text.to_owned(), span: token.span })
                }
            });
            if !matches!(parts.last(), Some(NamePart::Value(_))) {
                self.advance();
            }
            self.refuse_sign_between_parts();
        }
        Ok(StatementKind::Name(parts))
    }

    /// `name "@", field`, `name "@" + field`
    fn refuse_sign_between_parts(&mut self) {
        let next = self.peek_after(1);
        let part_follows = self.is_text(1) || (matches!(next, "field" | "piece") && !self.is_rule(next));
        if matches!(self.peek(), "," | "+" | "&" | "..") && part_follows {
            let message = format!("no `{}` stands between the parts of a name", self.peek());
            let hint = "the parts stand side by side, as in `name \"@\" field`";
            self.report(Diagnostic::error("E010", self.token().span, message).hint(hint));
            self.advance();
        }
    }
}
