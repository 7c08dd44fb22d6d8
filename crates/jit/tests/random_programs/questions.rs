//! Moves with a question about the whole board after them, as in "my king is not attacked": compiled code answers
//! such questions from before the move where it can, which deserves programs that try to mislead it.

use super::generate::Generator;
use super::program::Property;
use super::tree::{Form, Tree, binary, operand, sequence, simple, tree};

impl Generator<'_> {
    pub fn plain_move(&mut self) -> Tree {
        let what = self.names.what(&mut self.random);
        let change = simple(format!("replace by {}", self.names.certain(&mut self.random)));
        sequence(vec![simple(format!("find {what}")), change])
    }

    pub fn tested_move(&mut self) -> Tree {
        let what = self.names.what(&mut self.random);
        let mut parts = vec![simple(format!("find {what}"))];
        if self.chance(40) {
            parts.push(self.small_assignment());
        }
        let certain = self.names.certain(&mut self.random);
        match self.random.u32(..7) {
            0..3 => {
                // One kind of piece moves, and the question can be about others.
                parts[0] = simple(format!("find own {}", self.program.pieces[0].name));
                let directions = simple(self.one_of(&["orthogonal", "any direction"]));
                parts.extend([simple("pick up"), directions, simple("step")]);
                parts.extend([simple("points at empty field"), simple("put down")]);
            }
            3 => parts.push(simple(format!("replace by {certain}"))),
            4 => {
                parts.extend([
                    simple("pick up"),
                    simple("any direction"),
                    simple("step"),
                    simple("put down"),
                ]);
            }
            5 => parts.extend([self.direction(), simple("step"), simple(format!("replace by {certain}"))]),
            _ => parts.push(self.cycle()),
        }
        // A property that the move changes and the question asks for.
        let watched = self.watched();
        match &watched {
            Some(property) if self.chance(60) => parts.push(self.change(property)),
            _ if self.chance(40) => parts.push(self.small_assignment()),
            _ => {}
        }
        for _ in 0..self.random.usize(1..3) {
            let question = self.question(watched.as_ref());
            let form = self.one_of(&[Form::Test, Form::Not, Form::Not]);
            let asked = tree(form, vec![question]);
            let marked = sequence(vec![asked.clone(), self.ending()]);
            parts.push(if self.random.bool() { asked } else { tree(Form::Try, vec![marked]) });
        }
        sequence(parts)
    }

    /// A question that does not depend on finger, direction and hand, and is large enough to be a function.
    fn question(&mut self, watched: Option<&Property>) -> Tree {
        let piece = self.random.usize(..self.program.pieces.len());
        let mut parts = vec![match self.random.bool() {
            true => simple(format!("find {}", self.names.what(&mut self.random))),
            false => simple(format!("find {}", self.program.pieces[piece].name)),
        }];
        if let Some(property) = watched.filter(|_| self.chance(60)) {
            let operator = self.one_of(&["==", "!=", ">", "<="]);
            let value = operand(property.low + self.random.i64(0..2));
            parts.push(tree(Form::Assert, vec![binary(operator, operand(&property.name), value)]));
        }
        for _ in 0..self.random.usize(..3) {
            let part = self.part_of_question();
            parts.extend(part);
        }
        // Never too small, and of no consequence.
        parts.extend((0..12).map(|_| simple("nothing")));
        sequence(parts)
    }

    fn part_of_question(&mut self) -> Vec<Tree> {
        let what = self.names.what(&mut self.random);
        let points = simple(format!("points at {what}"));
        match self.random.u32(..9) {
            0 => {
                let ray = sequence(vec![simple("step"), simple("points at empty field")]);
                let ray = match self.random.bool() {
                    true => tree(Form::Repeat("0 .. infinity".into()), vec![ray]),
                    false => tree(Form::While, vec![ray, simple("nothing")]),
                };
                vec![simple(self.one_of(&["orthogonal", "diagonal"])), ray, simple("step"), points]
            }
            1 => vec![simple("any direction"), simple("step"), points],
            2 => vec![self.absolute_direction(), simple("step"), tree(Form::Not, vec![points])],
            3 => vec![tree(Form::Assert, vec![self.expression(2, true)])],
            4 => {
                let other = simple(format!("points at {}", self.names.what(&mut self.random)));
                let choices = vec![points, sequence(vec![simple("step"), other])];
                vec![simple("orthogonal"), tree(Form::Either, choices)]
            }
            5 => {
                let inner = sequence(vec![simple("any direction"), simple("step"), points]);
                vec![tree(self.one_of(&[Form::Test, Form::Not]), vec![inner])]
            }
            6 => {
                let inner = sequence(vec![self.absolute_direction(), simple("step")]);
                vec![tree(Form::Try, vec![inner]), points]
            }
            7 => vec![simple("orthogonal"), simple("step"), simple("step"), points],
            _ => {
                let (count, limit) = (operand(format!("number of {what}")), operand(self.random.i64(1..5)));
                vec![tree(Form::Assert, vec![binary("<", count, limit)])]
            }
        }
    }

    fn watched(&mut self) -> Option<Property> {
        let scalars = self.program.properties.iter().filter(|property| property.kind != "field");
        let scalars: Vec<Property> = scalars.cloned().collect();
        (!scalars.is_empty()).then(|| self.one_of(&scalars))
    }

    fn change(&mut self, property: &Property) -> Tree {
        let value = operand(property.low + self.random.i64(0..2));
        tree(Form::Assign, vec![tree(Form::AssignTo(property.name.clone(), "="), vec![value])])
    }

    /// Not a turn, which would ask for the direction before.
    fn absolute_direction(&mut self) -> Tree {
        simple(self.one_of(&["north", "southeast", "west", "east"]))
    }
}
