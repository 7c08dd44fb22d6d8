//! Words that are no statement and no rule: statements of other languages, and of English.

use super::sections::DIRECTIONS;
use super::statements::NO_ARGUMENTS;
use super::words::{named_owner, suggest, suggest_always};
use super::{Parser, Reading};
use crate::diagnostic::{Diagnostic, nearest, quoted};
use crate::lexer::{DIAGNOSTICS_MAX, TokenKind};
use crate::source::Span;

impl Parser<'_> {
    /// A word that is no rule, with something behind it that cannot follow a call: a statement of another language.
    pub(super) fn refuse_foreign_word(&mut self, word: &str, span: Span) -> Reading<()> {
        let next = self.token();
        let is_call = match next.kind {
            TokenKind::End => true,
            TokenKind::Symbol(sign) => !matches!(sign, "(" | "[" | "{" | "+" | "*"),
            _ => matches!(self.peek(), "or" | "else" | "do" | "while" | "and" | "then"),
        };
        if is_call || self.begins_line() || self.diagnostics.len() >= DIAGNOSTICS_MAX || self.is_rule(word) {
            return Ok(());
        }
        let hint = match (word, self.peek()) {
            (word, next) if let Some(hint) = self.meant_by_two(word, next) => hint,
            ("if", _) if self.text_of(self.tokens[self.next.saturating_sub(2)]) == "else" => {
                "write `else try [ condition, … ] else …`".to_owned()
            }
            (_, "to") if self.peek_after(1) == "move" => match nearest(word, ["white", "black"]) {
                Some(colour) => format!("did you mean `{colour} to move`?"),
                None => "write `white to move` or `black to move`".to_owned(),
            },
            (_, "(") if suggest(word, std::iter::empty()).is_none() => NO_ARGUMENTS.to_owned(),
            _ => suggest_always(word, std::iter::empty()),
        };
        let message = format!("there is no rule or statement {}", quoted(word));
        self.fail(Diagnostic::error("E021", span, message).hint(hint))
    }

    /// What was meant by two words, of which the first is no rule.
    fn meant_by_two(&self, word: &str, next: &str) -> Option<String> {
        let leads = DIRECTIONS.contains(&next) || matches!(next, "orthogonal" | "diagonal" | "any");
        Some(match (word, next) {
            ("all" | "every" | "each" | "random" | "some" | "a", "direction" | "directions") => {
                "did you mean `any direction`?".to_owned()
            }
            ("in" | "go" | "to" | "towards" | "toward" | "move" | "face" | "look", _) if leads => {
                format!(
                    "leave out `{word}`: `{next}` is a statement by itself",
                    next = if next == "any" { "any direction" } else { next }
                )
            }
            ("game", "over") | ("game", "ends") | ("game", "end") => {
                "end the game with `win`, `draw` or `loss`".to_owned()
            }
            ("go" | "move" | "step" | "walk", _) if self.token().kind == TokenKind::Integer => {
                format!("to go further, write `north, repeat {next} times step`")
            }
            ("set" | "let" | "make" | "increase" | "decrease" | "increment" | "reset", _)
                if self.is_in("properties", next) =>
            {
                format!("numbers are changed in `assign (…)`, as in `assign ({next} = 1)`")
            }
            ("call" | "run" | "use" | "execute" | "perform" | "apply", _) if self.is_rule(next) => {
                format!("a rule is called by its name alone: leave out `{word}`")
            }
            ("field" | "square" | "it", "is") | ("is", "empty") => {
                "write `points at empty field`, or another `points at …`".to_owned()
            }
            ("white's" | "black's", _) => format!("write `{} to move`", &word[..5]),
            ("number", "of") => {
                let text = self.text_to_comma(self.tokens[self.next - 1].span.start);
                match text.contains(['<', '>', '=']) {
                    true => format!("numbers are asked about in `assert (…)`: write `assert ({text})`"),
                    false => format!(
                        "numbers are asked about in `assert ({text} > 0)`; a feature counts how often `find …` succeeds"
                    ),
                }
            }
            (_, "is" | "equals" | "exceeds") if self.is_in("properties", word) => {
                let (sign, value) = (if next == "exceeds" { ">" } else { "==" }, self.token_after(1));
                match value.kind {
                    TokenKind::Integer => format!("write `assert ({word} {sign} {})`", self.text_of(value)),
                    _ => format!("numbers are asked about in `assert (…)`, as in `assert ({word} {sign} 3)`"),
                }
            }
            ("opponent" | "opponents" | "enemy" | "other" | "they", "win" | "wins" | "won") => {
                "`win` and `loss` are the mover's: write `loss`".to_owned()
            }
            ("opponent" | "opponents" | "enemy" | "other" | "they", "lose" | "loses" | "lost" | "loss") => {
                "`win` and `loss` are the mover's: write `win`".to_owned()
            }
            ("you" | "i" | "we" | "player" | "mover", "win" | "wins" | "lose" | "loses" | "loss") => {
                "`win` and `loss` are the mover's, and stand alone".to_owned()
            }
            ("points" | "point", "not") => "`not` comes first: `not points at …`".to_owned(),
            ("is" | "are", "not") => "write `not points at …`, or `assert (… != …)`".to_owned(),
            _ if self.is_rule(&format!("{word}_{next}")) => format!("did you mean `{word}_{next}`?"),
            _ if self.names_a_rule_in_two_words(word, next) => {
                format!("the name of a rule is one word: `{word}_{next}`")
            }
            _ if self.is_piece(next) || next == "pieces" => {
                let next = if next == "pieces" { "piece" } else { next };
                match named_owner(word)? {
                    "any" if next == "piece" => "did you mean `points at any piece`?".to_owned(),
                    "any" => format!("did you mean `points at {next}`?"),
                    "empty" => return None,
                    owner => format!("did you mean `points at {owner} {next}`?"),
                }
            }
            _ => return None,
        })
    }

    /// What is written from here to the end of the statement, if that is short.
    fn text_to_comma(&self, start: usize) -> &str {
        let rest = &self.text[start..];
        let end = rest.find([',', ']', '.', '\n']).unwrap_or(rest.len());
        let text = rest[..end].trim_end();
        if text.len() < 60 { text } else { "number of … == 3" }
    }

    /// Whether `word next =` begins a line, as a rule does.
    fn names_a_rule_in_two_words(&self, word: &str, next: &str) -> bool {
        self.tokens.windows(4).any(|four| {
            let [before, first, second, sign] = [0, 1, 2, 3].map(|index| self.text_of(four[index]));
            first == word && second == next && sign == "=" && matches!(before, "." | "}" | ")")
        })
    }
}
