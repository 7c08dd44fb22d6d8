//! Which neighbours on a line have a space between them.

use crate::lexer::{SYMBOLS, TokenKind};

/// What an open bracket holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Bracket {
    /// `[ step ]`
    Statements,
    /// `[0 .. 8]`, `table[1]`
    Tight,
    /// `(x + 1)`
    Parentheses,
    /// `{ … }` of an `evaluation`.
    Features,
    /// `{ … }` of `possible` and `finished`.
    Tests,
    /// `{ … }` of `tables`.
    Tables,
    /// `{ … }` of another section.
    Section,
}

/// A token and what its place makes of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    pub(super) kind: TokenKind,
    /// The innermost bracket that it stands in; for a bracket, itself.
    pub(super) inside: Option<Bracket>,
    /// A sign before a number or a name, as opposed to an operator between two.
    pub(super) is_prefix: bool,
    /// `++` or `--` behind a name.
    pub(super) is_postfix: bool,
}

impl Piece {
    fn symbol(self) -> &'static str {
        match self.kind {
            TokenKind::Symbol(symbol) => symbol,
            _ => "",
        }
    }
}

/// Whether a token can be the left side of an operator.
pub(super) fn is_operand(piece: Piece) -> bool {
    match piece.kind {
        TokenKind::Word | TokenKind::Integer | TokenKind::Character(_) => true,
        _ => matches!(piece.symbol(), ")" | "]") || piece.is_postfix,
    }
}

/// Whether a space goes between two tokens on a line.
pub(super) fn is_apart(left: Piece, right: Piece) -> bool {
    let tight = |piece: Piece| matches!(piece.inside, Some(Bracket::Tight | Bracket::Parentheses));
    if right.kind == TokenKind::Comment {
        return true;
    }
    let together = match (left.symbol(), right.symbol()) {
        (_, "," | "." | ";" | ")") | ("(", _) => true,
        ("[", _) if tight(left) => true,
        (_, "]") if tight(right) => true,
        ("", "[") => is_index(left, right),
        _ => left.is_prefix || right.is_postfix,
    };
    !together || would_fuse(left, right)
}

/// `[` right behind the name of a table.
fn is_index(left: Piece, right: Piece) -> bool {
    right.inside == Some(Bracket::Tight) && left.kind == TokenKind::Word
}

/// Whether two signs without a space would be read as another one.
fn would_fuse(left: Piece, right: Piece) -> bool {
    let (left, right) = (left.symbol(), right.symbol());
    if left.is_empty() || right.is_empty() {
        return false;
    }
    // The lexer takes the longest sign that fits.
    SYMBOLS
        .iter()
        .filter_map(|symbol| symbol.strip_prefix(left))
        .any(|rest| !rest.is_empty() && right.starts_with(rest))
}
