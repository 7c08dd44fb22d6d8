//! Tokens to tree. Parsing never fails: what cannot be read becomes a diagnostic and a `Mistake`.

mod after;
mod appearance;
mod beginnings;
mod circles;
mod declared;
mod entries;
mod expressions;
mod foreign;
mod habits;
mod naming;
mod notation;
mod pieces;
pub(crate) mod sections;
mod settings;
mod statements;
pub(crate) mod words;

use std::collections::BTreeSet;

use crate::diagnostic::Diagnostic;
use crate::lexer::{DIAGNOSTICS_MAX, Token, TokenKind, tokenize};
use crate::source::{Source, Span, Spanned};
use crate::syntax::{Name, Program};

/// How deep brackets, statements and expressions may nest.
pub const NESTING_MAX: usize = 200;

/// How many operators an expression may have: a chain of them is as deep as it is long.
pub const OPERATORS_MAX: usize = 500;

/// A tree and what there is to say about its text.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// As much of the program as could be read.
    pub tree: Program,
    /// In the order of the text.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads a program.
#[must_use]
pub fn parse(source: &Source) -> Parsed {
    let (tokens, diagnostics) = tokenize(&source.text);
    let tokens: Vec<Token> = tokens.into_iter().filter(|token| token.kind != TokenKind::Comment).collect();
    let mut parser = Parser {
        text: &source.text,
        tokens,
        next: 0,
        depth: 0,
        operators: 0,
        diagnostics,
        gave_up: false,
        unread: BTreeSet::new(),
    };
    let mut tree = parser.program();
    tree.incomplete = !parser.diagnostics.is_empty();
    let mut diagnostics = parser.diagnostics;
    diagnostics.sort_by_key(|diagnostic| diagnostic.span.start);
    Parsed { tree, diagnostics }
}

/// Could not be read; the diagnostic is already written.
pub(crate) struct Unreadable;

pub(crate) type Reading<T> = Result<T, Unreadable>;

pub(crate) struct Parser<'text> {
    text: &'text str,
    tokens: Vec<Token>,
    next: usize,
    depth: usize,
    /// Of the expression that is being read.
    operators: usize,
    diagnostics: Vec<Diagnostic>,
    /// The rest of the rule was skipped: the brackets that miss for it are no news.
    gave_up: bool,
    /// Words in parts that could not be read.
    unread: BTreeSet<String>,
}

impl<'text> Parser<'text> {
    fn token(&self) -> Token {
        self.tokens[self.next.min(self.tokens.len() - 1)]
    }

    fn token_after(&self, ahead: usize) -> Token {
        self.tokens[(self.next + ahead).min(self.tokens.len() - 1)]
    }

    /// The text of the next token; empty at the end.
    fn peek(&self) -> &'text str {
        self.text_of(self.token())
    }

    fn peek_after(&self, ahead: usize) -> &'text str {
        self.text_of(self.token_after(ahead))
    }

    fn text_of(&self, token: Token) -> &'text str {
        match token.kind {
            // The lexer accepts more than one kind of minus sign and apostrophe.
            TokenKind::Symbol(symbol) => symbol,
            // Rows are never a word or a sign, whatever they look like.
            TokenKind::Board => "",
            TokenKind::Word if self.text[token.span.start..token.span.end].starts_with("opponent") => {
                let word = &self.text[token.span.start..token.span.end];
                if word.len() > "opponent".len() && !word.is_ascii() || word.ends_with("`s") {
                    "opponent's"
                } else {
                    word
                }
            }
            _ => &self.text[token.span.start..token.span.end],
        }
    }

    fn at_end(&self) -> bool {
        self.token().kind == TokenKind::End
    }

    fn advance(&mut self) -> Token {
        let token = self.token();
        self.next = (self.next + 1).min(self.tokens.len() - 1);
        token
    }

    /// Takes the token if it is this word or sign.
    fn accept(&mut self, wanted: &str) -> bool {
        let found = !self.at_end() && self.peek() == wanted;
        if found {
            self.advance();
        }
        found
    }

    fn expect(&mut self, wanted: &str) -> Reading<Span> {
        let span = self.token().span;
        if self.accept(wanted) { Ok(span) } else { self.fail_expecting(&format!("`{wanted}`")) }
    }

    /// Like [`Parser::expect`], with what the whole should look like.
    fn expect_in(&mut self, wanted: &str, whole: &str) -> Reading<Span> {
        let span = self.token().span;
        if self.accept(wanted) {
            return Ok(span);
        }
        let message = format!("expected `{wanted}`, found {}", self.found());
        self.fail(Diagnostic::error("E010", span, message).hint(whole))
    }

    /// What the next token is, for messages.
    fn found(&self) -> String {
        match self.token().kind {
            TokenKind::End => "the end of the text".to_owned(),
            TokenKind::Board => "the rows of a board".to_owned(),
            _ => format!("`{}`", self.peek().chars().take(40).collect::<String>()),
        }
    }

    fn fail_expecting<T>(&mut self, wanted: &str) -> Reading<T> {
        let diagnostic = Diagnostic::error(
            "E010",
            self.token().span,
            format!("expected {wanted}, found {}", self.found()),
        );
        let hint = words::instead_of(wanted, self.peek(), self.peek_after(1));
        self.fail(diagnostic.maybe_hint(hint.map(str::to_owned)))
    }

    fn fail<T>(&mut self, diagnostic: Diagnostic) -> Reading<T> {
        self.report(diagnostic);
        Err(Unreadable)
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        // One message for one place: what follows the first is mostly its consequence.
        let known =
            self.diagnostics.iter().rev().take(4).any(|other| other.span.start == diagnostic.span.start);
        if !known && !self.gave_up && self.diagnostics.len() < DIAGNOSTICS_MAX {
            self.diagnostics.push(diagnostic);
        }
    }

    fn name(&mut self, what: &str) -> Reading<Name> {
        if self.token().kind != TokenKind::Word {
            return self.fail_expecting(what);
        }
        let token = self.advance();
        Ok(Spanned { value: self.text_of(token).to_owned(), span: token.span })
    }

    /// An integer with an optional sign.
    fn integer(&mut self) -> Reading<Spanned<i64>> {
        let start = self.token().span;
        let negative = self.accept("-");
        if self.token().kind != TokenKind::Integer {
            return self.fail_expecting("a number");
        }
        let token = self.advance();
        let value = crate::lexer::parse_integer(self.text_of(token)).unwrap_or(0);
        Ok(Spanned { value: if negative { -value } else { value }, span: start.to(token.span) })
    }

    fn character(&mut self) -> Reading<Spanned<char>> {
        match self.token().kind {
            TokenKind::Character(value) => Ok(Spanned { value, span: self.advance().span }),
            _ => self.fail_expecting("a character such as 'X'"),
        }
    }

    /// A text in double quotes.
    fn quoted_text(&mut self, what: &str) -> Reading<Spanned<String>> {
        if self.token().kind != TokenKind::Text {
            return self.fail_expecting(what);
        }
        let token = self.advance();
        let value = self.text_of(token).trim_matches(['"', '“', '”']).trim().to_owned();
        Ok(Spanned { value, span: token.span })
    }

    /// The name of a field: `e4`.
    fn field(&mut self) -> Reading<Spanned<(i64, i64)>> {
        match self.field_named() {
            Some(value) => Ok(Spanned { value, span: self.advance().span }),
            None => self.fail_expecting("the name of a field such as `e4`"),
        }
    }

    /// Column and row of the field that the next token names.
    fn field_named(&self) -> Option<(i64, i64)> {
        let text = self.peek();
        let letters = text.bytes().take_while(u8::is_ascii_lowercase).count();
        let row = text[letters..].parse::<i64>().ok()?;
        let column = text[..letters].bytes().fold(0, |sum, letter| sum * 26 + i64::from(letter - b'a') + 1);
        ((1..=2).contains(&letters) && self.token().kind == TokenKind::Word).then_some((column, row))
    }

    /// Runs a part one level deeper, unless that is too deep.
    fn deeper<T>(&mut self, part: impl FnOnce(&mut Self) -> Reading<T>) -> Reading<T> {
        if self.depth >= NESTING_MAX {
            return self.too_much(format!("more than {NESTING_MAX} levels of nesting"));
        }
        self.depth += 1;
        let result = part(self);
        self.depth -= 1;
        result
    }

    /// Gives up on the rule: the next one is read again.
    fn too_much<T>(&mut self, message: String) -> Reading<T> {
        let span = self.token().span;
        // Whatever follows is part of the same heap: reading on would only repeat the message.
        while !self.at_end() && (!self.item_starts(0) || !self.begins_line()) {
            self.advance();
        }
        self.report(Diagnostic::error("E011", span, message).hint("split the rule into several rules"));
        self.gave_up = true;
        Err(Unreadable)
    }
}
