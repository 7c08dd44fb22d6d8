//! `cycle (a1, b1, c1)`.

use super::{Parser, Reading};
use crate::diagnostic::Diagnostic;
use crate::source::{Span, Spanned};
use crate::syntax::StatementKind;

impl Parser<'_> {
    /// Whether fields follow the word, in parentheses or without.
    pub(super) fn at_cycle(&self) -> bool {
        self.peek() == "(" || (self.names_field(0) && !self.is_rule("cycle"))
    }

    pub(super) fn cycle(&mut self) -> Reading<StatementKind> {
        if !self.accept("(") {
            return self.cycle_without_parentheses();
        }
        let mut fields = vec![self.field()?];
        let mut without_comma = None;
        loop {
            let is_field = self.field_named().is_some();
            if is_field {
                without_comma = without_comma.or(Some(self.token().span));
            } else if !self.accept(",") {
                break;
            }
            fields.push(self.field()?);
        }
        if let Some(span) = without_comma {
            self.refuse_cycle(span, "the fields of a `cycle` are separated by `,`", &fields);
        }
        self.expect(")")?;
        Ok(StatementKind::Cycle(fields))
    }

    /// `cycle a1, b1, c1`
    fn cycle_without_parentheses(&mut self) -> Reading<StatementKind> {
        let span = self.token().span;
        let mut fields = vec![self.field()?];
        while self.field_named().is_some() || (self.peek() == "," && self.names_field(1)) {
            self.accept(",");
            fields.push(self.field()?);
        }
        self.refuse_cycle(span, "the fields of a `cycle` stand in parentheses", &fields);
        Ok(StatementKind::Cycle(fields))
    }

    fn names_field(&self, ahead: usize) -> bool {
        let text = self.peek_after(ahead);
        let letters = text.bytes().take_while(u8::is_ascii_lowercase).count();
        (1..=2).contains(&letters) && text[letters..].parse::<u32>().is_ok() && !self.is_rule(text)
    }

    fn refuse_cycle(&mut self, span: Span, message: &str, fields: &[Spanned<(i64, i64)>]) {
        let texts = fields.iter().map(|field| &self.text[field.span.start..field.span.end]);
        let listed = texts.take(8).collect::<Vec<_>>().join(", ");
        let rest = if fields.len() > 8 { ", …" } else { "" };
        self.report(Diagnostic::error("E010", span, message).hint(format!("write `cycle ({listed}{rest})`")));
    }
}
