//! What stands in the braces of sections: properties, tables, links, features and tests of positions.

use super::sections::DIRECTIONS;
use super::words::RESERVED;
use super::{Parser, Reading};
use crate::diagnostic::{Diagnostic, did_you_mean};
use crate::lexer::TokenKind;
use crate::syntax::{
    ConstantTable, Feature, Link, Name, Property, PropertyKind, Requirement, Statement, StatementKind,
};

/// What a property looks like, for messages.
const A_PROPERTY: &str =
    "a property is `name : board : [0 .. 9]`; `setup` says where it begins if that is not the low end";

/// What a feature looks like, for messages.
const A_FEATURE: &str = "a feature is `name : weight = statements.`, such as `men : 10 = find own man.`";

/// What a table looks like, for messages.
const A_TABLE: &str = "a table is `name = 1, 2, 3`";

impl Parser<'_> {
    pub(super) fn properties(&mut self, properties: &mut Vec<Property>) -> Reading<()> {
        let mut names = vec![self.name("the name of a property")?];
        while self.accept(",") {
            names.push(self.name("the name of a property")?);
        }
        self.expect_in(":", A_PROPERTY)?;
        let kind = match self.peek() {
            "board" => PropertyKind::Board,
            "player" => PropertyKind::Player,
            "field" => PropertyKind::Field,
            "move" => PropertyKind::Move,
            word => {
                let kinds = ["board", "player", "field", "move"];
                let usual = "`board` has one number, `player` one for each player, `field` one for each field, `move` \
                             one while a move is made: `count : board : [0 .. 9]`";
                let meant = match word {
                    "game" | "global" | "position" => Some("did you mean `board`?".to_owned()),
                    "square" | "cell" | "fields" | "squares" => Some("did you mean `field`?".to_owned()),
                    "turn" => Some("did you mean `move`?".to_owned()),
                    "bool" | "boolean" | "flag" => {
                        Some("yes or no is a number, as in `moved : board : [0 .. 1]`".to_owned())
                    }
                    _ => did_you_mean(word, kinds),
                };
                let hint = meant.or_else(|| Some(usual.to_owned()));
                let message =
                    format!("expected `board`, `player`, `field` or `move`, found {}", self.found());
                return self.fail(Diagnostic::error("E010", self.token().span, message).maybe_hint(hint));
            }
        };
        self.advance();
        self.expect_in(":", A_PROPERTY)?;
        let start = self.expect_in("[", A_PROPERTY)?;
        let low = self.integer()?.value;
        self.expect_in("..", A_PROPERTY)?;
        let high = self.integer()?.value;
        let range_span = start.to(self.expect_in("]", A_PROPERTY)?);
        let silent_below = match self.accept("silent") {
            true if self.accept("below") => Some(self.integer()?.value),
            true => Some(i64::MAX),
            false => None,
        };
        if self.peek() == "=" {
            let name = names.first().map_or("count", |name| name.value.as_str());
            let hint = format!("`setup` says where it begins, as in `{name} = 3` below its rows");
            let message = "a property is declared without a value";
            self.report(Diagnostic::error("E010", self.token().span, message).hint(hint));
            self.advance();
            self.integer()?;
        }
        self.accept(",");
        properties.extend(names.into_iter().map(|name| Property {
            name,
            kind,
            low,
            high,
            range_span,
            silent_below,
        }));
        Ok(())
    }

    pub(super) fn table(&mut self) -> Reading<ConstantTable> {
        let name = self.name("the name of a table")?;
        if matches!(self.peek(), ":" | ":=") {
            let message = format!("expected `=`, found {}", self.found());
            self.report(Diagnostic::error("E010", self.token().span, message).hint(A_TABLE));
            self.advance();
        } else {
            self.expect_in("=", A_TABLE)?;
        }
        let closing = match self.peek() {
            "[" => "]",
            "{" => "}",
            "(" => ")",
            _ => "",
        };
        if !closing.is_empty() {
            let message = format!("no {} stands around the numbers of a table", self.found());
            self.report(Diagnostic::error("E010", self.token().span, message).hint(A_TABLE));
            self.advance();
        }
        let mut values = vec![self.integer()?];
        while self.accept(",") || self.token().kind == TokenKind::Integer || self.peek() == "-" {
            if self.token().kind != TokenKind::Integer && self.peek() != "-" {
                break;
            }
            values.push(self.integer()?);
        }
        if !closing.is_empty() {
            self.accept(closing);
        }
        self.accept(".");
        Ok(ConstantTable { name, values })
    }

    pub(super) fn link(&mut self) -> Reading<Link> {
        let one_way = self.peek() == "one" && self.peek_after(1) == "way";
        if one_way {
            self.advance();
            self.advance();
        }
        let from = self.field()?;
        let Some(direction) = DIRECTIONS.iter().position(|direction| *direction == self.peek()) else {
            return self.fail_expecting("a direction such as `north`");
        };
        self.advance();
        let to = if self.accept("nowhere") { None } else { Some(self.field()?) };
        self.accept(",");
        Ok(Link { from, direction: direction as i32, to, one_way })
    }

    pub(super) fn feature(&mut self) -> Reading<Feature> {
        if self.peek() == "to" && self.peek_after(1) == "move" {
            return self.worth_of_the_move();
        }
        let name = self.name("the name of a feature")?;
        self.expect_in(":", A_FEATURE)?;
        if RESERVED.contains(&self.peek()) && !matches!(self.peek(), "row" | "column" | "own" | "opponent's")
        {
            let message = format!("expected the weight of the feature, found {}", self.found());
            return self.fail(Diagnostic::error("E010", self.token().span, message).hint(A_FEATURE));
        }
        let weight = self.single()?;
        self.expect_in("=", A_FEATURE)?;
        let body = self.body(&name)?;
        Ok(Feature { name, for_mover: false, weight, body })
    }

    /// `to move : weight .`
    fn worth_of_the_move(&mut self) -> Reading<Feature> {
        let span = self.expect("to")?.to(self.expect("move")?);
        let name = Name { value: "to move".to_owned(), span };
        self.expect(":")?;
        let weight = self.single()?;
        self.expect(".")?;
        let body = Statement { kind: StatementKind::Nothing, span };
        Ok(Feature { name, for_mover: true, weight, body })
    }

    /// `"reason" = statements .`
    pub(super) fn requirement(&mut self) -> Reading<Requirement> {
        let reason = self.quoted_text("the reason for which a position is refused, in double quotes")?;
        self.expect("=")?;
        let body = self.body(&reason)?;
        Ok(Requirement { reason, body })
    }

    /// `finished { statements . }`
    pub(super) fn finished(&mut self) -> Reading<Statement> {
        let span = self.advance().span;
        self.expect("{")?;
        let body = self.body(&Name { value: "finished".to_owned(), span })?;
        self.expect("}")?;
        Ok(body)
    }
}
