//! Sections of one line, `repetition draw after 3`, and what people write instead of them.

use super::{Parser, Reading};
use crate::diagnostic::{Diagnostic, did_you_mean};
use crate::lexer::TokenKind;
use crate::source::Spanned;
use crate::syntax::{Repetition, RepetitionResult};

const RESULTS: [&str; 5] = ["draw", "loss", "win", "forbidden", "ignored"];

impl Parser<'_> {
    /// Whether `repetition = draw` is no rule but the section, with a sign too many.
    pub(super) fn repetition_is_set(&self) -> bool {
        RESULTS.contains(&self.peek_after(2)) && !matches!(self.peek_after(3), "," | "." | "else" | "or")
    }

    pub(super) fn repetition(&mut self) -> Reading<Repetition> {
        let start = self.advance().span;
        if matches!(self.peek(), "=" | ":" | "{" | "(") && RESULTS.contains(&self.peek_after(1)) {
            let hint = format!("write `repetition {}`", self.peek_after(1));
            let message = format!("expected a result behind `repetition`, found {}", self.found());
            return self.fail(Diagnostic::error("E010", self.token().span, message).hint(hint));
        }
        let result = match self.peek() {
            "draw" => RepetitionResult::Draw,
            "loss" => RepetitionResult::Loss,
            "win" => RepetitionResult::Win,
            "forbidden" => RepetitionResult::Forbidden,
            "ignored" => RepetitionResult::Ignored,
            word => {
                let message = format!(
                    "expected `draw`, `loss`, `win`, `forbidden` or `ignored`, found {}",
                    self.found()
                );
                let hint = RESULTS
                    .into_iter()
                    .find(|result| result.starts_with(word) && !word.is_empty())
                    .map_or_else(
                        || did_you_mean(word, RESULTS),
                        |near| Some(format!("did you mean `{near}`?")),
                    )
                    .unwrap_or_else(|| "such as `repetition draw after 3`".to_owned());
                return self.fail(Diagnostic::error("E010", self.token().span, message).hint(hint));
            }
        };
        let word = self.peek();
        let end = self.advance().span;
        if self.token().kind == TokenKind::Integer {
            let hint = format!("write `repetition {word} after {}`", self.peek());
            let message = format!("expected `after`, found {}", self.found());
            return self.fail(Diagnostic::error("E010", self.token().span, message).hint(hint));
        }
        let fallback = if result == RepetitionResult::Forbidden { 2 } else { 3 };
        let occurrences = match self.accept("after") {
            true => {
                let number = self.integer()?;
                self.accept("times");
                number
            }
            false => Spanned { value: fallback, span: start.to(end) },
        };
        Ok(Repetition { result, occurrences })
    }

    /// `players 2`, `sides : 1`: the section has no `=`.
    pub(super) fn fail_setting<T>(&mut self, word: &str) -> Reading<T> {
        let number = (0..3).find(|&ahead| self.token_after(ahead).kind == TokenKind::Integer);
        let hint = match number.map(|ahead| self.peek_after(ahead)) {
            Some("2") if word == "players" => {
                "write `players = 2`, or leave it out: there are two".to_owned()
            }
            Some(number) => format!("write `{word} = {number}`"),
            None if word == "players" => {
                "such as `players = 1`; without it there are two, who are called white and black".to_owned()
            }
            None => "write `sides = 1` where both see the board from the same side".to_owned(),
        };
        let before = self.next.checked_sub(1).map_or("", |before| self.text_of(self.tokens[before]));
        let wanted = if before == "=" { "a number" } else { "`=` and a number" };
        let message = format!("expected {wanted}, found {}", self.found());
        self.fail(Diagnostic::error("E010", self.token().span, message).hint(hint))
    }
}
