//! Text to tokens. Comments and line ends are kept beside the tokens for the formatter.

use crate::diagnostic::Diagnostic;
use crate::source::Span;

/// The kinds of tokens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TokenKind {
    /// A name or a keyword; `opponent's` is one word.
    Word,
    /// A decimal or hexadecimal number.
    Integer,
    /// A character in quotes.
    Character(char),
    /// A text in double quotes, on one line.
    Text,
    /// The lines between the brackets of a `setup`.
    Board,
    /// One of [`SYMBOLS`].
    Symbol(&'static str),
    /// From `#` to the end of the line.
    Comment,
    /// The end of the text.
    End,
}

/// A token and where it stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Where it stands.
    pub span: Span,
}

/// Signs and operators, longest first. `=>`, `=<`, `<>` and `:=` mean nothing; people write them for others.
pub const SYMBOLS: [&str; 51] = [
    "<<=", ">>=", "..", "&&", "||", "==", "!=", "<=", ">=", "<<", ">>", "++", "--", "+=", "-=", "*=", "/=",
    "%=", "&=", "|=", "^=", "->", "=>", "=<", "<>", ":=", "=", ",", ".", ":", ";", "(", ")", "[", "]", "{",
    "}", "+", "-", "*", "/", "%", "&", "|", "^", "~", "!", "<", ">", "?", "@",
];

/// More diagnostics than this are of no help.
pub(crate) const DIAGNOSTICS_MAX: usize = 100;

/// Splits a text into tokens, comments included, the last one [`TokenKind::End`].
#[must_use]
pub fn tokenize(text: &str) -> (Vec<Token>, Vec<Diagnostic>) {
    let mut lexer = Lexer { text, offset: 0, tokens: Vec::new(), diagnostics: Vec::new() };
    lexer.run();
    (lexer.tokens, lexer.diagnostics)
}

struct Lexer<'text> {
    text: &'text str,
    offset: usize,
    tokens: Vec<Token>,
    diagnostics: Vec<Diagnostic>,
}

const DOUBLE_QUOTES: [char; 3] = ['"', '“', '”'];
/// Words that may end in `'s`: `opponent's`, and those that are explained when they are written.
const POSSESSORS: [&str; 11] =
    ["other", "rival", "opponent", "enemy", "foe", "friend", "mover", "player", "own", "white", "black"];
/// A name of a move is not longer.
const NAME_MAX: usize = 40;
const QUOTES: [char; 4] = ['\'', '’', '‘', '`'];

fn is_word_start(character: char) -> bool {
    character.is_ascii_alphabetic() || character == '_'
}

fn is_word_part(character: char) -> bool {
    character.is_ascii_alphanumeric() || character == '_'
}

impl Lexer<'_> {
    fn run(&mut self) {
        if self.text.starts_with('\u{feff}') {
            self.offset = '\u{feff}'.len_utf8();
        }
        while let Some(character) = self.peek() {
            let start = self.offset;
            match character {
                _ if character.is_whitespace() => self.offset += character.len_utf8(),
                '#' => {
                    self.skip_while(|character| character != '\n');
                    let trimmed = self.text[start..self.offset].trim_end().len();
                    self.push(TokenKind::Comment, start, start + trimmed);
                }
                _ if is_word_start(character) => self.word(start),
                '0'..='9' => self.integer(start),
                _ if QUOTES.contains(&character) => self.character(start),
                _ if DOUBLE_QUOTES.contains(&character) => self.text(start),
                '−' | '–' => {
                    self.offset += character.len_utf8();
                    self.push(TokenKind::Symbol("-"), start, self.offset);
                }
                _ => self.symbol(start),
            }
        }
        self.push(TokenKind::End, self.text.len(), self.text.len());
    }

    fn peek(&self) -> Option<char> {
        self.text[self.offset..].chars().next()
    }

    fn skip_while(&mut self, accept: impl Fn(char) -> bool) {
        while let Some(character) = self.peek().filter(|&character| accept(character)) {
            self.offset += character.len_utf8();
        }
    }

    fn push(&mut self, kind: TokenKind, start: usize, end: usize) {
        self.tokens.push(Token { kind, span: Span::new(start, end) });
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        if self.diagnostics.len() < DIAGNOSTICS_MAX {
            self.diagnostics.push(diagnostic);
        }
    }

    fn word(&mut self, start: usize) {
        self.skip_while(is_word_part);
        if POSSESSORS.contains(&&self.text[start..self.offset]) {
            for ending in ["'s", "’s", "‘s", "`s"] {
                let rest = &self.text[self.offset..];
                let ends_there = |rest: &str| {
                    !rest.chars().next().is_some_and(|next| is_word_part(next) || QUOTES.contains(&next))
                };
                if rest.strip_prefix(ending).is_some_and(ends_there) {
                    self.offset += ending.len();
                    break;
                }
            }
        }
        self.push(TokenKind::Word, start, self.offset);
    }

    fn integer(&mut self, start: usize) {
        self.skip_while(is_word_part);
        let text = &self.text[start..self.offset];
        if parse_integer(text).is_none() {
            let span = Span::new(start, self.offset);
            let shown: String = text.chars().take(30).collect();
            let is_number = |part: &str| !part.is_empty() && part.len() < 5 && part.parse::<u16>().is_ok();
            let hint = match text.split_once(['x', 'X']) {
                Some((columns, rows)) if is_number(columns) && is_number(rows) => {
                    format!("a size is written `({columns}, {rows})`")
                }
                _ => "numbers are decimal or 0x…, below 2^47; names do not begin with a digit".to_owned(),
            };
            self.report(
                Diagnostic::error("E003", span, format!("`{shown}` is no number that fits")).hint(hint),
            );
        }
        self.push(TokenKind::Integer, start, self.offset);
    }

    fn character(&mut self, start: usize) {
        let mut characters = self.text[start..].chars();
        let quote = characters.next().map_or(0, char::len_utf8);
        let literal = characters.next().filter(|&character| !character.is_control());
        match (literal, characters.next()) {
            (Some(literal), Some(closing)) if QUOTES.contains(&closing) => {
                self.offset += quote + literal.len_utf8() + closing.len_utf8();
                self.push(TokenKind::Character(literal), start, self.offset);
            }
            _ if self.is_name_in_quotes(start + quote) => {
                self.offset += quote;
                self.skip_while(|character| !QUOTES.contains(&character));
                self.offset += self.peek().map_or(0, char::len_utf8);
                let span = Span::new(start, self.offset);
                let text = self.text[start + quote..self.offset].trim_end_matches(QUOTES);
                self.report(
                    Diagnostic::error("E002", span, "a text stands in double quotes")
                        .hint(format!("write `\"{text}\"`")),
                );
                self.push(TokenKind::Text, start, self.offset);
            }
            _ => {
                self.offset += quote;
                let after = self.offset;
                // A word in quotes is one mistake: its first letter will do for the rest of the reading.
                self.skip_while(is_word_part);
                let closing = self.peek().filter(|closing| QUOTES.contains(closing) && self.offset > after);
                match (literal, closing) {
                    (Some(literal), Some(closing)) => {
                        self.offset += closing.len_utf8();
                        self.push(TokenKind::Character(literal), start, self.offset);
                    }
                    _ => self.offset = after,
                }
                let span = Span::new(start, self.offset);
                self.report(
                    Diagnostic::error("E002", span, "a quote begins here, but no single character follows")
                        .hint("a piece is shown by one character, such as 'X'; names stand without quotes"),
                );
            }
        }
    }

    /// Whether a quote belongs to `name 'O-O'`.
    fn is_name_in_quotes(&self, after: usize) -> bool {
        let before = self.tokens.last().map_or("", |token| &self.text[token.span.start..token.span.end]);
        // Only so far: a line may be as long as the text.
        let mut next = self.text[after..].chars().take(NAME_MAX).take_while(|character| *character != '\n');
        before == "name"
            && next.position(|character| QUOTES.contains(&character)).is_some_and(|length| length > 0)
    }

    /// A text in double quotes; it ends with the line if it is not closed.
    fn text(&mut self, start: usize) {
        self.offset += self.peek().map_or(0, char::len_utf8);
        self.skip_while(|character| character != '\n' && !DOUBLE_QUOTES.contains(&character));
        match self.peek().filter(|closing| DOUBLE_QUOTES.contains(closing)) {
            Some(closing) => self.offset += closing.len_utf8(),
            None => self.report(
                Diagnostic::error("E005", Span::new(start, self.offset), "this text is not closed")
                    .hint("write `\"` at its end, on the same line"),
            ),
        }
        self.push(TokenKind::Text, start, self.offset);
    }

    fn symbol(&mut self, start: usize) {
        let rest = &self.text[start..];
        if let Some(symbol) = SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol)) {
            self.offset += symbol.len();
            self.push(TokenKind::Symbol(symbol), start, self.offset);
            if *symbol == "{" && self.is_setup() {
                self.board();
            }
            return;
        }
        self.skip_while(|character| {
            !character.is_ascii_graphic()
                && !character.is_whitespace()
                && !QUOTES.contains(&character)
                && !DOUBLE_QUOTES.contains(&character)
        });
        if self.offset == start {
            self.offset += self.peek().map_or(1, char::len_utf8);
        }
        let shown: String = self.text[start..self.offset].chars().take(20).collect();
        let span = Span::new(start, self.offset);
        self.report(
            Diagnostic::error("E001", span, format!("`{}` has no meaning here", shown.escape_debug()))
                .hint("remove it; a comment begins with `#`"),
        );
    }

    /// Whether the `{` just read belongs to `setup {` or `setup NAME {`.
    fn is_setup(&self) -> bool {
        let words: Vec<&str> = self.tokens[..self.tokens.len() - 1]
            .iter()
            .rev()
            .filter(|token| token.kind != TokenKind::Comment)
            .take(2)
            .map(|token| &self.text[token.span.start..token.span.end])
            .collect();
        words.first() == Some(&"setup")
            || (words.get(1) == Some(&"setup") && words[0].chars().all(is_word_part))
    }

    /// Everything up to a line with nothing but `}`.
    fn board(&mut self) {
        let start = self.offset;
        let mut at = start;
        for line in self.text[start..].split_inclusive('\n') {
            if at == start && line.trim_end().ends_with('}') {
                // All on one line, as a board of one row may be.
                self.offset = start + line.trim_end().len() - 1;
                self.push(TokenKind::Board, start, self.offset);
                return;
            }
            if line.trim() == "}" && at > start {
                self.push(TokenKind::Board, start, at);
                self.offset = at;
                return;
            }
            at += line.len();
        }
        self.report(
            Diagnostic::error("E004", Span::new(start - 1, start), "this `setup` is not closed")
                .hint("write the rows of the board below it, then `}` on a line of its own"),
        );
        self.push(TokenKind::Board, start, at);
        self.offset = at;
    }
}

/// What stands between the quotes of a text token.
#[must_use]
pub fn parse_text(text: &str) -> &str {
    text.trim_start_matches(DOUBLE_QUOTES).trim_end_matches(DOUBLE_QUOTES)
}

/// The value of an integer token.
#[must_use]
pub fn parse_integer(text: &str) -> Option<i64> {
    let value = match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) => i64::from_str_radix(digits, 16).ok()?,
        None => text.parse().ok()?,
    };
    (value < 1 << 47).then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<TokenKind> {
        tokenize(text).0.into_iter().map(|token| token.kind).collect()
    }

    #[test]
    fn words_numbers_characters_and_signs() {
        use TokenKind::{Character, Comment, End, Integer, Symbol, Word};
        assert_eq!(
            kinds("opponent's piece_1 'X' ’O’ 0..12 x<<=−1 # end"),
            [
                Word,
                Word,
                Character('X'),
                Character('O'),
                Integer,
                Symbol(".."),
                Integer,
                Word,
                Symbol("<<="),
                Symbol("-"),
                Integer,
                Comment,
                End
            ]
        );
    }

    #[test]
    fn texts_stand_in_double_quotes() {
        use TokenKind::{End, Text, Word};
        assert_eq!(kinds("name \"R' # 2\" “U” x"), [Word, Text, Text, Word, End]);
        assert_eq!(
            [parse_text("\"R' # 2\""), parse_text("“U”"), parse_text("\"open")],
            ["R' # 2", "U", "open"]
        );
        assert_eq!(tokenize("\"open\nx").1[0].code, "E005");
    }

    #[test]
    fn a_setup_is_taken_as_it_stands() {
        let text = "setup\n{\n   #}'\n   . .\n}\nmain = nothing.";
        let (tokens, diagnostics) = tokenize(text);
        assert!(diagnostics.is_empty());
        let board = tokens.iter().find(|token| token.kind == TokenKind::Board).unwrap();
        assert_eq!(&text[board.span.start..board.span.end], "\n   #}'\n   . .\n");
    }

    #[test]
    fn a_setup_rule_is_no_section() {
        assert!(!kinds("main = setup. setup = nothing.").contains(&TokenKind::Board));
    }
}
