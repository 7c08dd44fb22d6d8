//! What the tokens so far have opened: brackets, a rule, the weight of a feature.

use super::spacing::{Bracket, Piece, is_operand};
use crate::lexer::{Token, TokenKind};

/// Comments between the name of a rule and its `=`: with more than this, it is taken for something else.
const LOOK_AHEAD_MAX: usize = 12;

/// The state between two tokens.
pub(super) struct Context<'text> {
    text: &'text str,
    open: Vec<Bracket>,
    /// How many brackets were open where the present rule or feature began.
    rule: Option<usize>,
    /// Between the name of a feature and its `=`.
    in_weight: bool,
    /// The last token that is no comment.
    last: Option<Piece>,
    /// The word that began the present section.
    section: &'text str,
    /// The last item of the program was a rule.
    after_rule: bool,
}

impl<'text> Context<'text> {
    pub(super) fn new(text: &'text str) -> Context<'text> {
        let section = "";
        Context {
            text,
            open: Vec::new(),
            rule: None,
            in_weight: false,
            last: None,
            section,
            after_rule: false,
        }
    }

    /// How deep a line with these tokens stands.
    pub(super) fn level(&self, tokens: &[Token]) -> usize {
        let is_closing = |token: &&Token| matches!(token.kind, TokenKind::Symbol(")" | "]" | "}"));
        let closing = tokens.iter().take_while(is_closing).count();
        let is_number = |token: &Token| matches!(token.kind, TokenKind::Integer | TokenKind::Symbol("-"));
        let goes_on = match self.open.last() {
            Some(Bracket::Tables) => tokens.first().is_some_and(is_number),
            _ => self.rule.is_some(),
        };
        (self.open.len() + usize::from(goes_on)).saturating_sub(closing)
    }

    /// Whether a rule of the program (not a feature) begins with the first of these tokens.
    pub(super) fn begins_rule(&self, tokens: &[Token]) -> bool {
        let Some((name, others)) = tokens.split_first() else { return false };
        if !self.open.is_empty() || self.rule.is_some() || name.kind != TokenKind::Word {
            return false;
        }
        let mut others = others.iter().take(LOOK_AHEAD_MAX).map(|token| token.kind);
        let mut next = || others.find(|kind| *kind != TokenKind::Comment);
        let (sign, value) = (next(), next());
        let is_number = matches!(value, Some(TokenKind::Integer | TokenKind::Symbol("-")))
            && matches!(self.text_of(*name), "players" | "sides");
        sign == Some(TokenKind::Symbol("=")) && !is_number
    }

    /// Whether the tokens so far end with a rule.
    pub(super) fn is_after_rule(&self) -> bool {
        self.after_rule && self.rule.is_none() && self.open.is_empty()
    }

    /// Takes the first of these tokens, which go on to the end of the text, and says what it is in its place.
    pub(super) fn enter(&mut self, tokens: &[Token]) -> Option<Piece> {
        let token = *tokens.first()?;
        let mut piece = Piece {
            kind: token.kind,
            inside: self.open.last().copied(),
            is_prefix: false,
            is_postfix: false,
        };
        if token.kind == TokenKind::Comment {
            return Some(piece);
        }
        if self.begins_rule(tokens) {
            (self.rule, self.after_rule) = (Some(0), true);
        } else if self.rule.is_none()
            && piece.inside == Some(Bracket::Features)
            && token.kind == TokenKind::Word
        {
            (self.rule, self.in_weight) = (Some(self.open.len()), true);
        } else if self.rule.is_none()
            && piece.inside == Some(Bracket::Tests)
            && token.kind != TokenKind::Symbol("}")
        {
            self.rule = Some(self.open.len());
        } else if self.rule.is_none() && self.open.is_empty() && token.kind == TokenKind::Word {
            self.after_rule = false;
            if self.section != "setup" || self.last.is_some_and(|last| last.kind != TokenKind::Word) {
                self.section = self.text_of(token);
            }
        }
        if let TokenKind::Symbol(symbol) = token.kind {
            self.symbol(symbol, &mut piece);
        }
        self.last = Some(piece);
        Some(piece)
    }

    fn symbol(&mut self, symbol: &str, piece: &mut Piece) {
        let in_expression =
            self.in_weight || matches!(piece.inside, Some(Bracket::Parentheses | Bracket::Tight));
        let follows_operand = in_expression && self.last.is_some_and(is_operand);
        match symbol {
            "(" | "[" | "{" => {
                let bracket = match symbol {
                    "(" => Bracket::Parentheses,
                    "[" if in_expression || self.rule.is_none() => Bracket::Tight,
                    "[" => Bracket::Statements,
                    _ if self.section == "evaluation" => Bracket::Features,
                    _ if matches!(self.section, "possible" | "finished") => Bracket::Tests,
                    _ if self.section == "tables" => Bracket::Tables,
                    _ => Bracket::Section,
                };
                self.open.push(bracket);
                piece.inside = Some(bracket);
            }
            ")" | "]" | "}" => {
                self.open.pop();
                if self.rule.is_some_and(|depth| self.open.len() < depth) {
                    (self.rule, self.in_weight) = (None, false);
                }
            }
            "." if self.rule == Some(self.open.len()) => (self.rule, self.in_weight) = (None, false),
            "=" if self.rule == Some(self.open.len()) => self.in_weight = false,
            "-" | "+" | "!" | "~" => piece.is_prefix = !follows_operand,
            "++" | "--" => (piece.is_prefix, piece.is_postfix) = (!follows_operand, follows_operand),
            _ => {}
        }
    }

    fn text_of(&self, token: Token) -> &'text str {
        &self.text[token.span.start..token.span.end]
    }
}
