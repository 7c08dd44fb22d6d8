//! The sections of a program: sizes, pieces, properties, setup and the rest.

use super::{Parser, Reading, Unreadable};
use crate::diagnostic::Diagnostic;
use crate::lexer::TokenKind;
use crate::source::{Span, Spanned};
use crate::syntax::{Function, Program, Setup};

/// Words that begin a section.
pub(crate) const SECTIONS: [&str; 14] = [
    "players",
    "dimensions",
    "sides",
    "pieces",
    "properties",
    "tables",
    "links",
    "setup",
    "repetition",
    "notation",
    "evaluation",
    "possible",
    "finished",
    "appearance",
];

pub(crate) const DIRECTIONS: [&str; 8] =
    ["north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest"];

impl Parser<'_> {
    pub(super) fn program(&mut self) -> Program {
        let mut program = Program { end: Span::new(self.text.len(), self.text.len()), ..Program::default() };
        while !self.at_end() {
            let start = self.next;
            self.gave_up = false;
            if self.item(&mut program).is_err() {
                self.depth = 0;
                self.skip_to_item(start);
                self.note_unread(start);
            }
        }
        program.unread = std::mem::take(&mut self.unread);
        program
    }

    /// Remembers the words from a token to here: names may be among them.
    fn note_unread(&mut self, start: usize) {
        let words = self.tokens[start..self.next].iter().filter(|token| token.kind == TokenKind::Word);
        let words: Vec<String> = words.map(|&token| self.text_of(token).to_owned()).collect();
        // `Pieces { … }` behind another mistake is a section that was not read.
        self.unread.extend(words.iter().map(|word| word.to_ascii_lowercase()));
        self.unread.extend(words);
    }

    /// Whether a section or a rule begins `ahead` tokens further on.
    pub(super) fn item_starts(&self, ahead: usize) -> bool {
        if self.token_after(ahead).kind != TokenKind::Word {
            return false;
        }
        let (word, after) = (self.peek_after(ahead), self.peek_after(ahead + 1));
        match word {
            "dimensions" => after == "(",
            "pieces" | "properties" | "tables" | "links" | "notation" | "evaluation" | "possible"
            | "finished" | "appearance" | "setup" => {
                after == "{" || after == "=" || (word == "setup" && self.peek_after(ahead + 2) == "{")
            }
            "repetition" => matches!(after, "draw" | "loss" | "win" | "forbidden" | "ignored" | "="),
            _ => after == "=" && !self.goes_on(ahead),
        }
    }

    /// Whether what is `ahead` tokens further on stands inside a line in a place where no rule can begin: then `name =`
    /// is how some change a number.
    fn goes_on(&self, ahead: usize) -> bool {
        let index = (self.next + ahead).min(self.tokens.len() - 1);
        let (Some(before), token) = (index.checked_sub(1), self.tokens[index]) else { return false };
        let before = self.tokens[before];
        let is_inside = matches!(
            self.text_of(before),
            "," | "=" | "{" | "[" | "(" | "assert" | "assign" | "try" | "else" | "or"
        ) || matches!(self.text_of(before), "let" | "var" | "int" | "set");
        is_inside && !self.text[before.span.end.min(token.span.start)..token.span.start].contains('\n')
    }

    fn skip_to_item(&mut self, start: usize) {
        if self.next == start {
            self.advance();
        }
        while !self.at_end() && !self.item_starts(0) {
            self.advance();
        }
    }

    fn item(&mut self, program: &mut Program) -> Reading<()> {
        let start = self.token().span;
        let (word, after) = (self.peek(), self.peek_after(1));
        let is_number = after == "=" && self.token_after(2).kind == TokenKind::Integer;
        match word {
            "players" if is_number => {
                let value = self.number_section()?;
                self.once(program.players.is_some(), start, word);
                program.players = Some(value);
            }
            "sides" if is_number => {
                let value = self.number_section()?;
                self.once(program.sides.is_some(), start, word);
                program.sides = Some(value);
            }
            "dimensions" if after == "(" => {
                self.once(program.dimensions.is_some(), start, word);
                program.dimensions = Some(self.dimensions()?);
            }
            "pieces" if after == "{" => self.block(|parser| {
                let piece = parser.piece()?;
                program.pieces.push(piece);
                Ok(())
            })?,
            "properties" if after == "{" => {
                self.block(|parser| parser.properties(&mut program.properties))?
            }
            "tables" if after == "{" => self.block(|parser| {
                program.tables.push(parser.table()?);
                Ok(())
            })?,
            "links" if after == "{" => self.block(|parser| {
                program.links.push(parser.link()?);
                Ok(())
            })?,
            "notation" if after == "{" => self.block(|parser| {
                program.notation.push(parser.notation()?);
                Ok(())
            })?,
            "evaluation" if after == "{" => self.block(|parser| {
                program.features.push(parser.feature()?);
                Ok(())
            })?,
            "possible" if after == "{" => self.block(|parser| {
                program.possible.push(parser.requirement()?);
                Ok(())
            })?,
            "finished" if after == "{" => {
                self.once(program.finished.is_some(), start, word);
                let body = self.finished()?;
                program.finished = Some(body);
            }
            "appearance" if after == "{" => {
                self.block(|parser| parser.appearance(&mut program.appearance))?
            }
            "setup" if after != "=" => program.setups.push(self.setup()?),
            "repetition" if after != "=" || self.repetition_is_set() => {
                let repetition = self.repetition()?;
                self.once(program.repetition.is_some(), start, word);
                program.repetition = Some(repetition);
            }
            _ => return self.rule_or_nothing(program),
        }
        Ok(())
    }

    pub(super) fn once(&mut self, known: bool, span: Span, what: &str) {
        if known {
            let message = format!("`{what}` is given twice");
            self.report(Diagnostic::error("E013", span, message).hint("leave out one of them"));
        }
    }

    fn number_section(&mut self) -> Reading<Spanned<i64>> {
        self.advance();
        self.expect("=")?;
        self.integer()
    }

    fn dimensions(&mut self) -> Reading<(Spanned<i64>, Spanned<i64>)> {
        self.advance();
        self.expect("(")?;
        let start = self.token();
        if let Some((columns, rows)) = self.peek().split_once(['x', 'X'])
            && let (Ok(columns), Ok(rows)) = (columns.parse(), rows.parse())
            && start.kind == TokenKind::Integer
            && self.peek_after(1) == ")"
        {
            // The lexer has told how a size is written.
            self.advance();
            self.advance();
            return Ok((
                Spanned { value: columns, span: start.span },
                Spanned { value: rows, span: start.span },
            ));
        }
        let columns = self.integer()?;
        self.expect(",")?;
        let rows = self.integer()?;
        self.expect_in(")", "write columns and rows, such as `dimensions (8, 8)`")?;
        Ok((columns, rows))
    }

    /// `name { entry entry … }`; a bad entry is skipped, the rest of the block is still read.
    fn block(&mut self, mut entry: impl FnMut(&mut Self) -> Reading<()>) -> Reading<()> {
        let section = self.peek();
        self.advance();
        let opening = self.expect("{")?;
        while !self.accept("}") {
            if self.peek() == ";" {
                let (span, message) = (self.token().span, "entries of a section are separated by line ends");
                self.report(Diagnostic::error("E010", span, message).hint("leave out the `;`"));
                self.advance();
                continue;
            }
            if self.at_end() || self.leaves(section) {
                return self
                    .fail(Diagnostic::error("E010", opening, "this `{` is not closed").hint("add `}`"));
            }
            let start = self.next;
            if entry(self).is_err() {
                // That the section has none of what could not be read must not be said.
                self.unread.insert(section.to_owned());
                if self.next == start {
                    self.advance();
                }
                // Go on with the next line: entries of blocks do not share lines as a rule.
                while !self.at_end() && self.peek() != "}" && !self.begins_line() {
                    self.advance();
                }
                self.note_unread(start);
            }
        }
        Ok(())
    }

    /// Whether the next token cannot be part of a block: a section or a rule begins with it.
    fn leaves(&self, section: &str) -> bool {
        if !self.item_starts(0) {
            return false;
        }
        match section {
            // `name =` belongs into these two.
            "tables" => {
                let ahead = if matches!(self.peek_after(2), "[" | "(" | "{") { 3 } else { 2 };
                self.token_after(ahead).kind != TokenKind::Integer && self.peek_after(ahead) != "-"
            }
            "evaluation" => self.peek_after(1) != "=",
            // How some give a piece its character, or a property its value.
            "pieces" => !matches!(self.token_after(2).kind, TokenKind::Character(_) | TokenKind::Text),
            "properties" => self.token_after(2).kind != TokenKind::Integer && self.peek_after(2) != "-",
            _ => true,
        }
    }

    /// Whether the next token is the first of its line.
    pub(super) fn begins_line(&self) -> bool {
        let before = self.tokens[self.next.saturating_sub(1)].span.end;
        self.text[before..self.token().span.start].contains('\n')
    }

    fn setup(&mut self) -> Reading<Setup> {
        self.advance();
        let name = if self.token().kind == TokenKind::Word { Some(self.name("a name")?) } else { None };
        self.expect("{")?;
        let token = self.token();
        if token.kind != TokenKind::Board {
            return self.fail_expecting("the rows of the board");
        }
        self.advance();
        if !self.accept("}") {
            // The rest of the program is in there.
            let rest = &self.text[token.span.start..token.span.end];
            let words = rest.split(|one: char| !one.is_ascii_alphanumeric() && one != '_');
            self.unread.extend(words.filter(|word| !word.is_empty()).map(str::to_owned));
            return Err(Unreadable);
        }
        // The line end behind `{` and the one before `}` belong to the brackets.
        let mut span = token.span;
        let text = &self.text[span.start..span.end];
        if let Some(end) = text.find('\n').filter(|&end| text[..end].trim().is_empty()) {
            span.start += end + 1;
        }
        let text = &self.text[span.start..span.end];
        let text = text.strip_suffix('\n').unwrap_or(text);
        let text = text.strip_suffix('\r').unwrap_or(text);
        span.end = span.start + text.len();
        Ok(Setup { name, text: Spanned { value: text.to_owned(), span } })
    }

    pub(super) fn function(&mut self) -> Reading<Function> {
        let name = self.name("the name of a rule")?;
        self.expect("=")?;
        let body = self.body(&name)?;
        Ok(Function { name, body })
    }
}
