//! The section `notation`: how players write positions.

use super::{Parser, Reading};
use crate::diagnostic::{Diagnostic, did_you_mean};
use crate::syntax::{Name, Notation, Owner};

impl Parser<'_> {
    pub(super) fn notation(&mut self) -> Reading<Notation> {
        let word = self.peek();
        self.advance();
        Ok(match word {
            "flags" => Notation::Flags(self.flags()?),
            "square" => {
                self.expect("(")?;
                let name = self.name("the name of a property")?;
                self.expect(",")?;
                let row = self.integer()?;
                self.expect(")")?;
                Notation::Square(name, row)
            }
            "rooks" => {
                self.expect("(")?;
                let left = self.name("the name of a property")?;
                self.expect(",")?;
                let right = self.name("the name of a property")?;
                self.expect(",")?;
                let rook = self.name("the name of a piece")?;
                self.expect(",")?;
                let king = self.name("the name of a piece")?;
                self.expect(")")?;
                Notation::Rooks(Box::new([left, right, rook, king]))
            }
            "number" => Notation::Number(self.name("the name of a property")?),
            "counter" => Notation::Counter,
            "remaining" => Notation::Remaining(self.name("the name of a property")?),
            "fixed" => Notation::Fixed(self.character()?.value),
            "hands" => Notation::Hands(self.pairs("the name of a piece", "the name of a property")?),
            "promoted" => Notation::Promoted(self.pairs("the name of a piece", "the name of a piece")?),
            "draughts" => {
                self.expect("(")?;
                let plain = self.name("the name of a piece")?;
                self.expect(",")?;
                let crowned = self.name("the name of a piece")?;
                self.expect(")")?;
                Notation::Draughts(plain, crowned)
            }
            "line" => Notation::Line(self.character()?.value),
            "tiles" => Notation::Tiles,
            "rows" => {
                self.expect("from")?;
                self.expect("top")?;
                Notation::RowsFromTop
            }
            _ => {
                self.next -= 1;
                let known = [
                    "flags",
                    "square",
                    "rooks",
                    "number",
                    "counter",
                    "remaining",
                    "fixed",
                    "hands",
                    "promoted",
                    "draughts",
                    "line",
                    "tiles",
                    "rows",
                ];
                let hint =
                    did_you_mean(word, known).unwrap_or_else(|| format!("one of {}", known.join(", ")));
                let message = format!("{} is no part of a notation", self.found());
                return self.fail(Diagnostic::error("E010", self.token().span, message).hint(hint));
            }
        })
    }

    /// `name name, name name, …`
    fn pairs(&mut self, first: &str, second: &str) -> Reading<Vec<(Name, Name)>> {
        let mut pairs = Vec::new();
        loop {
            pairs.push((self.name(first)?, self.name(second)?));
            if !self.accept(",") {
                return Ok(pairs);
            }
        }
    }

    fn flags(&mut self) -> Reading<Vec<(char, Option<Owner>, Name)>> {
        let mut flags = Vec::new();
        loop {
            let character = self.character()?.value;
            let owner = match self.peek() {
                "white" => Some(Owner::White),
                "black" => Some(Owner::Black),
                _ => None,
            };
            if owner.is_some() {
                self.advance();
            }
            flags.push((character, owner, self.name("the name of a property")?));
            if !self.accept(",") {
                return Ok(flags);
            }
        }
    }
}
