//! Pieces: their declarations, and descriptions such as `opponent's pawn`.

use super::words::{RESERVED, begins_statement, is_article, meant_owner};
use super::{Parser, Reading};
use crate::diagnostic::Diagnostic;
use crate::lexer::{TokenKind, parse_text};
use crate::source::{Span, Spanned};
use crate::syntax::{Name, Owner, Piece, PieceOwner, What};

impl Parser<'_> {
    /// `name 'W' 'B'`, `white name 'W'`, `black name 'B'` or `neutral name 'N'`
    pub(super) fn piece(&mut self) -> Reading<Piece> {
        self.refuse_nameless()?;
        let owner = match self.peek() {
            "neutral" => PieceOwner::Nobody,
            "white" => PieceOwner::White,
            "black" => PieceOwner::Black,
            _ => PieceOwner::Both,
        };
        let owner = if self.token_after(1).kind == TokenKind::Word && !self.is_character_without_quotes(1) {
            owner
        } else {
            PieceOwner::Both
        };
        if owner != PieceOwner::Both {
            self.advance();
        }
        let owner = if self.refuse_both() { PieceOwner::Nobody } else { owner };
        let (name, owner) = self.piece_name(owner)?;
        if let Some(characters) = self.characters_of_both(&name) {
            return Ok(Piece { name, characters, owner });
        }
        let mut characters = Vec::new();
        while let Some(character) = self.piece_character() {
            characters.push(character);
            let separated = matches!(self.peek(), "," | "/") && self.token_after(1).kind != TokenKind::Word;
            if separated && self.is_character(1) {
                self.refuse_slash();
                self.advance();
            }
        }
        self.accept(",");
        if characters.is_empty()
            && let Some(character) = self.commented_character()
        {
            characters.push(character);
        }
        if characters.is_empty() {
            return self.fail_expecting("the piece's character in quotes, such as 'X'");
        }
        Ok(Piece { name, characters, owner })
    }

    /// The name of a piece, with a word about a name in two parts and about signs behind it.
    fn piece_name(&mut self, owner: PieceOwner) -> Reading<(Name, PieceOwner)> {
        let mut name = self.name("the name of a piece")?;
        if owner == PieceOwner::Both
            && let Some(owner) = self.owner_behind(&name)
        {
            return Ok((name, owner));
        }
        // `pawn white 'P' black 'p'` is told of as a whole.
        while !(self.is_owner(0) && self.is_character(1)) {
            let ahead = usize::from(self.peek() == "-");
            let token = self.token_after(ahead);
            let before = self.tokens[self.next.saturating_sub(1)].span;
            let same_line = !self.text[before.end..token.span.start].contains('\n');
            if token.kind != TokenKind::Word || !same_line || token.span.end - token.span.start < 2 {
                break;
            }
            let whole = format!("{}_{}", name.value, self.text_of(token));
            let span = name.span.to(token.span);
            let message = "the name of a piece is one word";
            self.report(Diagnostic::error("E010", span, message).hint(format!("such as `{whole}`")));
            name = Spanned { value: whole, span };
            (0..=ahead).for_each(|_| _ = self.advance());
        }
        if matches!(self.peek(), "=" | ":") && self.is_character(1) {
            let message = format!("no {} stands between a piece and its characters", self.found());
            let hint = format!("write `{} 'W' 'B'`", name.value);
            self.report(Diagnostic::error("E010", self.token().span, message).hint(hint));
            self.advance();
        }
        Ok((name, owner))
    }

    /// `'M'/'m'`
    fn refuse_slash(&mut self) {
        if self.peek() == "/" {
            let message = "no `/` stands between the characters of a piece";
            self.report(
                Diagnostic::error("E010", self.token().span, message)
                    .hint("they stand side by side: `NAME 'W' 'B'`"),
            );
        }
    }

    /// `both wall '#'`: a word before the name of a piece that is no owner. Returns whether the piece is neutral.
    fn refuse_both(&mut self) -> bool {
        let word = self.peek();
        let is_word = matches!(word, "both" | "shared" | "common" | "nobody" | "no" | "any" | "none");
        if !is_word || self.token_after(1).kind != TokenKind::Word || !self.is_character(2) {
            return false;
        }
        let (name, sign) = (self.peek_after(1), self.peek_after(2));
        let is_neutral = !self.is_character(3) || self.peek_after(3) == sign;
        let hint = match is_neutral {
            true => format!("a piece of neither player is written `neutral {name} {sign}`"),
            false => format!("a piece of both is written `{name} {sign} {}`", self.peek_after(3)),
        };
        let message = format!("`{word}` does not stand before the name of a piece");
        self.report(Diagnostic::error("E010", self.token().span, message).hint(hint));
        self.advance();
        is_neutral
    }

    /// `neutral wall #`: the character is taken for a comment.
    fn commented_character(&mut self) -> Option<Spanned<char>> {
        let end = self.tokens[self.next.saturating_sub(1)].span.end;
        let rest = self.text[end..].split('\n').next()?;
        let start = end + rest.len() - rest.trim_start().len();
        if !self.text[start..].starts_with('#') {
            return None;
        }
        let span = Span::new(start, start + 1);
        let message = "`#` begins a comment";
        self.report(
            Diagnostic::error("E010", span, message).hint("a piece's character stands in quotes: `'#'`"),
        );
        Some(Spanned { value: '#', span })
    }

    /// `white 'M'`: a piece without a name.
    fn refuse_nameless(&mut self) -> Reading<()> {
        let word = self.peek();
        if !matches!(word, "white" | "black" | "neutral")
            || !matches!(self.token_after(1).kind, TokenKind::Character(_))
        {
            return Ok(());
        }
        let sign = self.peek_after(1);
        let hint = match word {
            "neutral" => format!("write `neutral NAME {sign}`"),
            _ => {
                format!("a piece of both is written `NAME 'W' 'B'`, one of {word} alone `{word} NAME {sign}`")
            }
        };
        let message = format!("the name of a piece is missing behind `{word}`");
        self.fail(Diagnostic::error("E010", self.token().span, message).hint(hint))
    }

    /// `wall neutral '#'`: the owner, with a word about its place.
    fn owner_behind(&mut self, name: &Name) -> Option<PieceOwner> {
        let owner = match self.peek() {
            "neutral" => PieceOwner::Nobody,
            "white" => PieceOwner::White,
            "black" => PieceOwner::Black,
            _ => return None,
        };
        if !self.is_character(1) || (self.is_owner(2) && self.is_character(3)) {
            return None;
        }
        let message = format!("`{}` stands before the name of a piece", self.peek());
        let sign = &self.text[self.token_after(1).span.start..self.token_after(1).span.end];
        let hint = format!("write `{} {} {sign}`", self.peek(), name.value);
        self.report(Diagnostic::error("E010", self.token().span, message).hint(hint));
        self.advance();
        Some(owner)
    }

    fn is_owner(&self, ahead: usize) -> bool {
        matches!(self.peek_after(ahead), "white" | "black")
    }

    /// `pawn white 'P' black 'p'`, with a word about the colours, which need not be said.
    fn characters_of_both(&mut self, name: &Name) -> Option<Vec<Spanned<char>>> {
        let character = |parser: &Self, ahead: usize| match parser.token_after(ahead).kind {
            TokenKind::Character(value) => Some(Spanned { value, span: parser.token_after(ahead).span }),
            _ => None,
        };
        if !self.is_owner(0) || !self.is_owner(2) {
            return None;
        }
        let (first, second) = (character(self, 1)?, character(self, 3)?);
        let mut both = vec![first, second];
        if self.peek() == "black" {
            both.reverse();
        }
        let message = "no colours stand between the characters of a piece";
        let hint = format!("white's comes first: `{} '{}' '{}'`", name.value, both[0].value, both[1].value);
        self.report(Diagnostic::error("E010", self.token().span, message).hint(hint));
        (0..4).for_each(|_| _ = self.advance());
        Some(both)
    }

    fn is_character(&self, ahead: usize) -> bool {
        let kind = self.token_after(ahead).kind;
        matches!(kind, TokenKind::Character(_) | TokenKind::Text) || self.is_character_without_quotes(ahead)
    }

    /// A letter, a digit or a sign that stands where a piece's character should, on the line of its name.
    fn is_character_without_quotes(&self, ahead: usize) -> bool {
        let token = self.token_after(ahead);
        let before = self.tokens[(self.next + ahead).saturating_sub(1).min(self.tokens.len() - 1)];
        let same_line = !self.text[before.span.end.min(token.span.start)..token.span.start].contains('\n');
        // Behind one character, or an owner, and before another character stands the name of a piece.
        let is_owner =
            matches!(&self.text[before.span.start..before.span.end], "neutral" | "white" | "black");
        let is_behind_name = before.kind == TokenKind::Word && !is_owner;
        let is_name = !is_behind_name && matches!(self.token_after(ahead + 1).kind, TokenKind::Character(_));
        let text = &self.text[token.span.start..token.span.end];
        let is_one = text.chars().count() == 1 && !matches!(text, "," | "}" | "{" | "#" | ";" | ":" | "=");
        same_line && is_one && !is_name && token.kind != TokenKind::End
    }

    /// The next character of a piece, with a word about quotes that are wrong or missing.
    fn piece_character(&mut self) -> Option<Spanned<char>> {
        let token = self.token();
        if let TokenKind::Character(value) = token.kind {
            self.advance();
            return Some(Spanned { value, span: token.span });
        }
        if !self.is_character(0) {
            return None;
        }
        let text = &self.text[token.span.start..token.span.end];
        let found = if token.kind == TokenKind::Text { parse_text(text) } else { text };
        let value = found.chars().next()?;
        let (message, hint) = if found.chars().count() > 1 {
            (
                format!("{text} is more than one character"),
                format!("a piece is shown by one: write '{value}'"),
            )
        } else {
            ("a piece's character stands in single quotes".to_owned(), format!("write '{value}'"))
        };
        self.report(Diagnostic::error("E002", token.span, message).hint(hint));
        self.advance();
        Some(Spanned { value, span: token.span })
    }

    /// A piece description.
    pub(super) fn what(&mut self) -> Reading<What> {
        let start = self.token().span;
        let owner = self.owner();
        if owner.is_none() {
            self.refuse_unknown_owner()?;
        }
        if owner.is_none() && self.peek() == "empty" {
            self.advance();
            let end = self.token().span;
            if !self.accept("field") {
                return self.fail_describing("write `empty field`");
            }
            return Ok(What::Empty(start.to(end)));
        }
        if owner.is_none() && self.peek() == "any" {
            self.advance();
            return self.any_of(start);
        }
        let is_name =
            self.token().kind == TokenKind::Word && (owner.is_some() || !RESERVED.contains(&self.peek()));
        if matches!(self.token().kind, TokenKind::Character(_) | TokenKind::Text) {
            return self.fail_describing("pieces are called by their names: write `own NAME`");
        }
        if owner.is_none() && self.peek() == "(" {
            return self.fail_describing("leave out the parentheses: `own piece`, `opponent's pawn`");
        }
        if owner.is_some() && (!is_name || self.peek() == "empty") {
            return self.fail_behind_owner(start);
        }
        if owner.is_none() && self.peek() == "not" {
            return self.fail_describing("`not` comes first: write `not points at own piece`");
        }
        if owner.is_none() && matches!(self.peek(), "row" | "column") {
            let hint = format!("to ask where the finger is, write `assert ({} == 3)`", self.peek());
            return self.fail_describing(&hint);
        }
        if !is_name {
            return self
                .fail_describing("such as `own piece`, `opponent's pawn`, `any piece`, `empty field`");
        }
        let name = self.name("the name of a piece")?;
        Ok(if name.value == "piece" {
            What::AnyPiece(owner, start.to(name.span))
        } else {
            What::Piece(owner, name)
        })
    }

    /// Takes a word that says whose a piece or a property is.
    pub(super) fn owner(&mut self) -> Option<Owner> {
        let owner = match self.peek() {
            "own" => Owner::Own,
            "opponent's" => Owner::Opponents,
            "white" => Owner::White,
            "black" => Owner::Black,
            _ => return None,
        };
        self.advance();
        Some(owner)
    }

    fn any_of(&mut self, start: Span) -> Reading<What> {
        let span = start.to(self.token().span);
        if self.accept("piece") {
            Ok(What::AnyPiece(None, span))
        } else if self.accept("field") {
            Ok(What::AnyField(span))
        } else {
            let message = format!("expected `piece` or `field`, found {}", self.found());
            let hint = (self.token().kind == TokenKind::Word).then(|| match self.peek() {
                "own" | "opponent's" | "white" | "black" | "empty" => "leave out `any`".to_owned(),
                name => format!("a name alone means either colour: write `{name}`"),
            });
            self.fail(Diagnostic::error("E010", self.token().span, message).maybe_hint(hint))
        }
    }

    /// `points at black`, `find own empty field`
    fn fail_behind_owner<T>(&mut self, owner: Span) -> Reading<T> {
        let whose = self.text_of(self.tokens[self.next - 1]).to_owned();
        if self.peek() == "empty" {
            let span = owner.to(self.token().span);
            while matches!(self.peek(), "empty" | "field" | "square" | "fields") {
                self.advance();
            }
            let message = "fields have no owner";
            return self.fail(Diagnostic::error("E010", span, message).hint("write `empty field`"));
        }
        let message = format!("expected a piece behind `{whose}`, found {}", self.found());
        let hint = format!("write `{whose} piece` for any of them, or the name of one");
        self.fail(Diagnostic::error("E010", owner, message).hint(hint))
    }

    fn fail_describing<T>(&mut self, hint: &str) -> Reading<T> {
        let message = format!("expected a piece description, found {}", self.found());
        self.fail(Diagnostic::error("E010", self.token().span, message).hint(hint))
    }

    /// `enemy pawn`, `emtpy field`: a word that the language does not have, before a name.
    fn refuse_unknown_owner(&mut self) -> Reading<()> {
        let (word, next) = (self.peek(), self.peek_after(1));
        if is_article(word) && matches!(next, "own" | "opponent's" | "white" | "black" | "any" | "empty") {
            return self.fail_describing(&format!("leave out `{word}`"));
        }
        if matches!(word, "adjacent" | "neighbouring" | "neighboring" | "nearby" | "connected") {
            let end = (1..4).find(|&ahead| matches!(self.peek_after(ahead), "," | "." | "]")).unwrap_or(1);
            let what: Vec<&str> = (1..end).map(|ahead| self.peek_after(ahead)).collect();
            let what = if what.is_empty() { "empty field".to_owned() } else { what.join(" ") };
            return self.fail_describing(&format!("write `any direction, step, points at {what}`"));
        }
        if matches!(next, "row" | "column") && !self.is_rule(word) && self.token().kind == TokenKind::Word {
            let message = format!("expected a piece description, found `{word} {next}`");
            let span = self.token().span.to(self.token_after(1).span);
            let hint = format!("rows and columns are numbers: write `assert ({next} == 4)`");
            return self.fail(Diagnostic::error("E010", span, message).hint(hint));
        }
        let is_word = self.token().kind == TokenKind::Word && !matches!(word, "any" | "empty" | "piece");
        let names_follow = self.token_after(1).kind == TokenKind::Word
            && !matches!(next, "or" | "else" | "do" | "while" | "and" | "then")
            && !begins_statement(next)
            && !self.is_rule(next);
        if !is_word || !names_follow || RESERVED.contains(&word) {
            return Ok(());
        }
        let start = self.token().span;
        if next == "of"
            && let Some(owner) = self.owner_after(2)
        {
            let span = start.to(self.token_after(2).span);
            let message = format!("expected a piece description, found `{word} of {}`", self.peek_after(2));
            (0..3).for_each(|_| _ = self.advance());
            return self.fail(
                Diagnostic::error("E010", span, message).hint(format!("did you mean `{owner} {word}`?")),
            );
        }
        let hint = match (next, meant_owner(word)) {
            (
                "field" | "fields" | "square" | "cell" | "space",
                Some("own" | "opponent's" | "white" | "black"),
            ) => "pieces have owners, fields have none: write `empty field` or `any field`".to_owned(),
            ("field" | "fields" | "square" | "cell" | "space", meant) => {
                format!("did you mean `{} field`?", meant.unwrap_or("empty"))
            }
            (_, Some("empty")) => "did you mean `empty field`?".to_owned(),
            (next, Some("any")) if next != "piece" => {
                format!("leave out `{word}`: a name alone means pieces of either colour")
            }
            (_, Some(owner)) => format!("did you mean `{owner} {next}`?"),
            (_, None) => "such as `own piece`, `opponent's pawn`, `any piece`, `empty field`".to_owned(),
        };
        let message = format!("expected a piece description, found `{word} {next}`");
        self.advance();
        let span = start.to(self.advance().span);
        self.fail(Diagnostic::error("E010", span, message).hint(hint))
    }
}
