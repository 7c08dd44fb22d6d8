//! What the program declares, as far as its tokens show: hints say what is there while it is still being read.

use super::Parser;
use crate::lexer::{DIAGNOSTICS_MAX, TokenKind};

impl<'text> Parser<'text> {
    /// Whether a rule of this name seems to be declared somewhere.
    pub(super) fn is_rule(&self, name: &str) -> bool {
        let equals = TokenKind::Symbol("=");
        self.tokens.windows(2).any(|pair| pair[1].kind == equals && self.text_of(pair[0]) == name)
    }

    /// Whether a word stands in a section of this name.
    pub(super) fn is_in(&self, section: &str, word: &str) -> bool {
        // Where nothing more is said, looking is wasted.
        self.diagnostics.len() < DIAGNOSTICS_MAX && self.words_in(section).any(|found| found == word)
    }

    /// Whether a word is the name of a piece, or `piece`.
    pub(super) fn is_piece(&self, word: &str) -> bool {
        word == "piece" || self.is_in("pieces", word) && !matches!(word, "white" | "black" | "neutral")
    }

    /// The first piece of the game, for examples.
    pub(super) fn a_piece(&self) -> &'text str {
        let found = match self.diagnostics.len() < DIAGNOSTICS_MAX {
            true => self.words_in("pieces").find(|word| !matches!(*word, "white" | "black" | "neutral")),
            false => None,
        };
        found.unwrap_or("pawn")
    }

    fn words_in(&self, section: &str) -> impl Iterator<Item = &'text str> {
        let opening = self
            .tokens
            .windows(2)
            .position(|pair| self.text_of(pair[0]) == section && self.text_of(pair[1]) == "{");
        let tokens = opening.map_or(&self.tokens[..0], |opening| &self.tokens[opening + 2..]);
        let inside = tokens.iter().take_while(|token| token.kind != TokenKind::Symbol("}"));
        inside.filter(|token| token.kind == TokenKind::Word).map(|&token| self.text_of(token))
    }
}
