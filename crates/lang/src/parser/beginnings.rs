//! What begins no section: a rule, or a mistake.

use super::sections::SECTIONS;
use super::words::{RESERVED, begins_statement, instead_of_section, meant_section};
use super::{Parser, Reading, Unreadable};
use crate::diagnostic::Diagnostic;
use crate::lexer::{DIAGNOSTICS_MAX, TokenKind};
use crate::source::Spanned;
use crate::syntax::{Function, Program};

impl Parser<'_> {
    /// What begins with no section is a rule, or a mistake.
    pub(super) fn rule_or_nothing(&mut self, program: &mut Program) -> Reading<()> {
        let (word, after, second) = (self.peek(), self.peek_after(1), self.peek_after(2));
        if word == "}" && !self.diagnostics.is_empty() {
            // The end of a block whose beginning was told of.
            self.advance();
            return Err(Unreadable);
        }
        if after == "=" {
            return self.rule_or_setting(program);
        }
        if SECTIONS.contains(&word) {
            self.advance();
            if matches!(word, "players" | "sides") {
                return self.fail_setting(word);
            }
            return self.fail_expecting(match word {
                "dimensions" => "`(columns, rows)`",
                _ => "`{`",
            });
        }
        let is_word = self.token().kind == TokenKind::Word;
        if instead_of_section(word).is_none() && is_word && matches!(after, ":=" | "=>") {
            return self.rule_without_equals(program);
        }
        if is_word
            && self.token_after(1).kind == TokenKind::Word
            && second == "="
            && !self.begins_line_after(1)
        {
            if self.token_after(3).kind == TokenKind::Integer {
                return self.fail_at_number(1);
            }
            if instead_of_section(word).is_none() && self.is_name_of_two_words() {
                return self.rule_of_two_words(program);
            }
        }
        self.fail_at_beginning()
    }

    /// `name = …` is a rule, or what other languages would write there.
    fn rule_or_setting(&mut self, program: &mut Program) -> Reading<()> {
        let (word, second) = (self.peek(), self.peek_after(2));
        if matches!(word, "players" | "sides") {
            self.advance();
            self.advance();
            let failed = self.fail_setting(word);
            self.skip_line();
            return failed;
        }
        let what = self.token_after(2).kind;
        if what == TokenKind::Integer && !self.is_rule_of_numbers() {
            return self.fail_at_number(0);
        }
        if SECTIONS.contains(&word) && matches!(second, "(" | "{") {
            let message = format!("`{word}` is a section, and has no `=`");
            let hint = format!("leave out the `=`: `{word} {second} …`");
            return self.fail(Diagnostic::error("E010", self.token_after(1).span, message).hint(hint));
        }
        if matches!(word, "pieces" | "properties" | "tables" | "evaluation") && !self.is_rule_called(word) {
            let message = format!("`{word}` is a section, and has no `=`");
            let hint = format!("what it says stands in braces: `{word} {{ … }}`");
            let failed = self.fail(Diagnostic::error("E010", self.token_after(1).span, message).hint(hint));
            self.unread.insert(word.to_owned());
            self.skip_line();
            return failed;
        }
        if let (Some(instead), TokenKind::Text) = (instead_of_section(word), what) {
            let message = format!("`{word}` is nothing that rules have");
            return self.fail(Diagnostic::error("E010", self.token().span, message).hint(instead));
        }
        if self.token().kind == TokenKind::Word {
            program.functions.push(self.function()?);
            return Ok(());
        }
        self.fail_at_beginning()
    }

    /// Whether a name is used elsewhere, as that of a rule would be.
    fn is_rule_called(&self, name: &str) -> bool {
        self.diagnostics.len() >= DIAGNOSTICS_MAX
            || self
                .tokens
                .windows(2)
                .any(|pair| self.text_of(pair[0]) == name && !matches!(self.text_of(pair[1]), "=" | "{"))
    }

    /// `count = 3`, `var count = 3`
    fn fail_at_number<T>(&mut self, ahead: usize) -> Reading<T> {
        let (first, name) = (self.peek(), self.peek_after(ahead));
        let hint = match instead_of_section(first).or_else(|| instead_of_section(name)) {
            _ if first == "table" => format!("tables are listed in `tables {{ {name} = 1, 2, 3 }}`"),
            Some(instead) if ahead == 0 => instead.to_owned(),
            _ => format!("numbers are declared, as in `properties {{ {name} : board : [0 .. 9] }}`"),
        };
        let message = match first {
            "table" => "expected a section or a rule `name = …`, found `table`".to_owned(),
            _ => format!("`{name}` is no number that rules have"),
        };
        let span = self.token().span.to(self.token_after(ahead).span);
        let failed = self.fail(Diagnostic::error("E010", span, message).hint(hint));
        self.skip_line();
        failed
    }

    /// What is neither a section nor a rule.
    fn fail_at_beginning<T>(&mut self) -> Reading<T> {
        let (start, word, after) = (self.token().span, self.peek(), self.peek_after(1));
        let instead = instead_of_section(word).map(str::to_owned);
        // That what this was meant to say is missing must not be said as well.
        self.unread.extend(meant_section(word).map(str::to_owned));
        let is_known = instead.is_some();
        let section = || meant_section(word).map(|section| format!("did you mean `{section}`?"));
        let is_section = after == "{" || SECTIONS.contains(&word.to_ascii_lowercase().as_str());
        let first = if is_section { section() } else { self.rule_misspelt() };
        let hint = instead.or(first).or_else(section);
        let message = format!("expected a section or a rule `name = …`, found {}", self.found());
        let failed = self.fail(Diagnostic::error("E010", start, message).maybe_hint(hint));
        if matches!(word, "(" | "{" | "<") && self.next == 0 {
            // Another language altogether: what it lacks need not be listed.
            self.unread.extend(["main", "dimensions", "pieces"].map(str::to_owned));
            while !self.at_end() {
                self.advance();
            }
        } else if is_known && after == "{" && !matches!(word, "rules" | "moves" | "play" | "game") {
            while !self.at_end() && self.peek() != "}" {
                self.advance();
            }
        } else if is_known && after != "{" {
            self.skip_line();
        }
        failed
    }

    /// Whether the token so far ahead is the first of its line.
    fn begins_line_after(&self, ahead: usize) -> bool {
        let before = self.token_after(ahead.saturating_sub(1)).span.end;
        self.text[before..self.token_after(ahead).span.start.max(before)].contains('\n')
    }

    /// Skips to the next line.
    fn skip_line(&mut self) {
        self.advance();
        while !self.at_end() && !self.begins_line() {
            self.advance();
        }
    }

    /// Whether a rule begins like `name = 2 step`, where a number was meant to be a statement.
    fn is_rule_of_numbers(&self) -> bool {
        matches!(self.peek_after(3), "," | "." | "step" | "steps" | "times") && self.peek() == "main"
    }

    /// `main := …`
    fn rule_without_equals(&mut self, program: &mut Program) -> Reading<()> {
        let (word, sign) = (self.peek(), self.token_after(1));
        let message = format!("expected `=`, found `{}`", self.text_of(sign));
        let hint = format!("a rule is written `{word} = … .`");
        self.report(Diagnostic::error("E010", sign.span, message).hint(hint));
        let name = self.name("the name of a rule")?;
        self.advance();
        let body = self.body(&name)?;
        program.functions.push(Function { name, body });
        Ok(())
    }

    /// `spoon move = …`
    fn is_name_of_two_words(&self) -> bool {
        let kinds = [self.token(), self.token_after(1)].map(|token| token.kind);
        let line = &self.text[self.token().span.start..self.token_after(2).span.start];
        kinds == [TokenKind::Word; 2]
            && self.peek_after(2) == "="
            && !line.contains('\n')
            && ![self.peek(), self.peek_after(1)].iter().any(|word| RESERVED.contains(word))
    }

    fn rule_of_two_words(&mut self, program: &mut Program) -> Reading<()> {
        let span = self.token().span.to(self.token_after(1).span);
        let value = format!("{}_{}", self.peek(), self.peek_after(1));
        let message = "the name of a rule is one word";
        self.report(Diagnostic::error("E010", span, message).hint(format!("such as `{value}`")));
        (0..3).for_each(|_| _ = self.advance());
        let name = Spanned { value, span };
        let body = self.body(&name)?;
        program.functions.push(Function { name, body });
        Ok(())
    }

    /// What looks like the beginning of a rule, or the rest of one, and is not quite.
    fn rule_misspelt(&self) -> Option<String> {
        let (word, after, second) = (self.peek(), self.peek_after(1), self.peek_after(2));
        let before = self.next.checked_sub(1).map_or("", |before| self.text_of(self.tokens[before]));
        if before == "." && (begins_statement(word) || self.is_rule(word)) {
            return Some("the `.` before it ends the rule: statements are separated by `,`".to_owned());
        }
        match after {
            ":" | "->" => Some(format!("a rule is written `{word} = … .`")),
            _ if word == "main"
                || (self.token().kind == TokenKind::Word && matches!(after, "find" | "try" | "either")) =>
            {
                Some(format!("a rule is written `{word} = … .`"))
            }
            "(" if self.token().kind == TokenKind::Word => {
                Some(format!("rules take no arguments: a rule is written `{word} = … .`"))
            }
            "-" if self.token_after(2).kind == TokenKind::Word => {
                Some(format!("names have no `-`: write `{word}_{second}`"))
            }
            _ => None,
        }
    }
}
