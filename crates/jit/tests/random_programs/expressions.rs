//! Random piece descriptions and expressions.

use fastrand::Rng;

use super::generate::Generator;
use super::program::{Program, Property};
use super::tree::{Form, Tree, binary, operand, tree};

/// What descriptions can speak of.
pub struct Names {
    players: usize,
    pieces: Vec<String>,
}

impl Names {
    pub fn new(program: &Program) -> Names {
        let pieces = program.pieces.iter().map(|piece| piece.name.clone()).collect();
        Names { players: program.players, pieces }
    }

    fn owner(&self, random: &mut Rng) -> &'static str {
        match self.players {
            2 => ["own", "opponent's", "white", "black"][random.usize(..4)],
            _ => ["own", "own", "own", "white", "opponent's"][random.usize(..5)],
        }
    }

    fn piece(&self, random: &mut Rng) -> &str {
        &self.pieces[random.usize(..self.pieces.len())]
    }

    /// A description to look for.
    pub fn what(&self, random: &mut Rng) -> String {
        match random.u32(..12) {
            0 if random.u32(..4) == 0 => "any field".into(),
            0..4 => "empty field".into(),
            4..6 => "any piece".into(),
            6..8 => format!("{} piece", self.owner(random)),
            8..10 => format!("{} {}", self.owner(random), self.piece(random)),
            _ => self.piece(random).to_owned(),
        }
    }

    /// A description that says what to put down.
    pub fn certain(&self, random: &mut Rng) -> String {
        match random.u32(..4) {
            0 => "empty field".into(),
            1 => self.piece(random).to_owned(),
            _ => format!("{} {}", self.owner(random), self.piece(random)),
        }
    }
}

impl Generator<'_> {
    /// An expression that changes nothing.
    pub fn expression(&mut self, depth: u32, finger: bool) -> Tree {
        const BINARY: [&str; 18] = [
            "*", "/", "%", "+", "-", "<<", ">>", "<", "<=", ">", ">=", "==", "!=", "&", "^", "|", "&&", "||",
        ];
        if depth == 0 || self.random.u32(..4) == 0 {
            return self.operand(finger);
        }
        match self.random.u32(..10) {
            0 => {
                let operator = self.one_of(&["-", "+", "!", "~"]);
                tree(Form::Unary(operator), vec![self.expression(depth - 1, finger)])
            }
            1 => {
                let parts = (0..3).map(|_| self.expression(depth - 1, finger)).collect();
                tree(Form::Conditional, parts)
            }
            2 => self.element(depth, finger),
            _ => {
                let operator = self.one_of(&BINARY);
                let left = self.expression(depth - 1, finger);
                let right = match operator {
                    // Now and then by whatever it is.
                    "/" | "%" if self.random.u32(..6) != 0 => operand(self.one_of(&[1, 2, 3, -1, -2, 7])),
                    _ => self.expression(depth - 1, finger),
                };
                binary(operator, left, right)
            }
        }
    }

    fn operand(&mut self, finger: bool) -> Tree {
        // Rarely where it would be a fault.
        let finger = finger || self.random.u32(..40) == 0;
        match self.random.u32(..10) {
            0 | 1 => operand(self.random.i64(0..6)),
            2 => operand(self.one_of(&["0x1f", "1", "140737488355327", "63"])),
            3..5 if finger => operand(self.one_of(&["row", "column", "place"])),
            5 => operand("direction"),
            6 => operand(format!("number of {}", self.names.what(&mut self.random))),
            _ => match self.property(finger) {
                Some(property) => operand(self.named(&property)),
                None => operand(self.random.i64(0..4)),
            },
        }
    }

    fn element(&mut self, depth: u32, finger: bool) -> Tree {
        if self.program.tables.is_empty() {
            return self.operand(finger);
        }
        let (name, values) = self.one_of(&self.program.tables);
        let index = self.expression(depth - 1, finger);
        let index = match self.random.u32(..12) {
            0 => index,
            // Never negative, never too much.
            _ => binary("%", binary("&", index, operand("0xff")), operand(values.len())),
        };
        tree(Form::Element(name), vec![index])
    }

    /// A property; none of a field's where the finger points nowhere.
    pub fn property(&mut self, finger: bool) -> Option<Property> {
        let usable = self.program.properties.iter().filter(|property| finger || property.kind != "field");
        let usable: Vec<Property> = usable.cloned().collect();
        (!usable.is_empty()).then(|| self.one_of(&usable))
    }

    pub fn named(&mut self, property: &Property) -> String {
        match property.kind {
            "player" if self.random.bool() => {
                let owner = self.one_of(&["own", "opponent's", "white", "black"]);
                format!("{owner} {}", property.name)
            }
            _ => property.name.clone(),
        }
    }

    /// An expression that changes properties; a careful one stays in range.
    pub fn assignment(&mut self, careful: bool) -> Tree {
        const ASSIGN: [&str; 11] = ["=", "+=", "-=", "*=", "/=", "%=", "<<=", ">>=", "&=", "^=", "|="];
        let Some(property) = self.property(true) else { return self.expression(1, true) };
        let name = self.named(&property);
        let (low, high) = (property.low, property.high);
        let set = |value: Tree| tree(Form::AssignTo(name.clone(), "="), vec![value]);
        if !careful {
            return match self.random.u32(..3) {
                0 => operand(format!("++{name}")),
                1 => operand(format!("{name}--")),
                _ => {
                    let operator = self.one_of(&ASSIGN);
                    tree(Form::AssignTo(name, operator), vec![self.expression(2, true)])
                }
            };
        }
        match self.random.u32(..8) {
            0 => set(operand(self.random.i64(low..=high))),
            1 | 2 => {
                // The next value, from the last to the first.
                let more = binary("+", operand(&name), operand(1));
                let parts = vec![binary("<", operand(&name), operand(high)), more, operand(low)];
                set(tree(Form::Conditional, parts))
            }
            3 | 4 => {
                let value = binary("&", self.expression(2, true), operand(1));
                set(binary("+", value, operand(low)))
            }
            5 => {
                let (left, right) = (self.assignment(true), self.assignment(true));
                tree(Form::Comma, vec![left, right])
            }
            6 => {
                let way = self.one_of(&["&&", "||"]);
                let condition = self.expression(1, true);
                binary(way, condition, self.assignment(true))
            }
            _ => {
                let (condition, first) = (self.expression(1, true), self.assignment(true));
                let second = self.assignment(true);
                tree(Form::Conditional, vec![condition, first, second])
            }
        }
    }
}
