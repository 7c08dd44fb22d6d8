//! The intermediate form as text: close to the language, one statement a line, with indentation for brackets.
//!
//! It is made for people and for golden tests. Names of pieces, properties, tables and rules are those of the
//! author. Fields are named as white sees the board when white moves and as black does when black moves, as
//! the rules themselves would; where the two movers differ in another way, both are given.
//!
//! ```text
//! king_move =
//!     find own king
//!     pick up
//!     any direction
//!     step
//!     land
//! ```

mod expressions;
mod fields;
mod pieces;

use std::fmt::{self, Display, Formatter, Write};

use game::Direction;

use crate::ir::{Ending, Node, NodeKind, Program};

/// A part of a program with the program that gives it its names. Made by [`Program::show`].
#[derive(Clone, Copy, Debug)]
pub struct Shown<'program, T> {
    program: &'program Program,
    part: &'program T,
}

impl Program {
    /// A statement, expression or piece set of this program, to be printed.
    pub fn show<'program, T>(&'program self, part: &'program T) -> Shown<'program, T> {
        Shown { program: self, part }
    }

    /// The rules and features by name, each as text, in the order of the program. Rules that passes have
    /// made bear the name of the rule that they come from, and a number.
    #[must_use]
    pub fn printed_rules(&self) -> Vec<(String, String)> {
        let printer = Printer { program: self };
        let mut rules = Vec::new();
        for (number, function) in self.functions.iter().enumerate() {
            // It is part of another rule.
            if Some(number) == self.closing_test {
                continue;
            }
            let name = printer.rule_name(number);
            let mut text = format!("{name} =\n");
            printer.block(&mut text, &function.body, 1);
            rules.push((name, text));
        }
        for feature in &self.features {
            let mut text = format!("feature {} : {} =\n", feature.name, self.show(&feature.weight));
            printer.block(&mut text, &feature.body, 1);
            rules.push((feature.name.clone(), text));
        }
        rules
    }
}

impl Display for Program {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        for (index, (_, text)) in self.printed_rules().iter().enumerate() {
            if index > 0 {
                formatter.write_char('\n')?;
            }
            formatter.write_str(text)?;
        }
        Ok(())
    }
}

impl Display for Shown<'_, Node> {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        Printer { program: self.program }.block(&mut text, self.part, 0);
        formatter.write_str(text.trim_end())
    }
}

/// Writes statements. Writing to a text never fails, so results of `write!` are not looked at.
#[derive(Clone, Copy)]
struct Printer<'program> {
    program: &'program Program,
}

impl Printer<'_> {
    /// The name of a rule; one that a pass has made has a number behind it.
    fn rule_name(self, number: usize) -> String {
        let rules = &self.program.functions;
        let same = rules[..number].iter().filter(|rule| rule.name == rules[number].name).count();
        // Features may lend their names to the rules of their loops.
        let taken =
            same + usize::from(self.program.features.iter().any(|one| one.name == rules[number].name));
        match taken {
            0 => rules[number].name.clone(),
            _ => format!("{}'{taken}", rules[number].name),
        }
    }

    /// A statement on lines of its own; the statements of a sequence one below the other.
    fn block(self, text: &mut String, node: &Node, depth: usize) {
        match &node.kind {
            NodeKind::Sequence(nodes) if !nodes.is_empty() => {
                nodes.iter().for_each(|node| self.statement(text, node, depth));
            }
            _ => self.statement(text, node, depth),
        }
    }

    fn line(self, text: &mut String, depth: usize, line: impl Display) {
        let _ = writeln!(text, "{:width$}{line}", "", width = 4 * depth);
    }

    fn statement(self, text: &mut String, node: &Node, depth: usize) {
        if let Some(leaf) = self.leaf(node) {
            return self.line(text, depth, leaf);
        }
        let inside = depth + 1;
        match &node.kind {
            NodeKind::Sequence(nodes) => {
                self.line(text, depth, "[");
                nodes.iter().for_each(|node| self.statement(text, node, inside));
                self.line(text, depth, "]");
            }
            NodeKind::Either(choices) => {
                for (index, choice) in choices.iter().enumerate() {
                    self.headed(text, if index == 0 { "either" } else { "or" }, choice, depth);
                }
            }
            NodeKind::Try(first, second) => {
                self.headed(text, "try", first, depth);
                if !is_nothing(second) {
                    self.headed(text, "else", second, depth);
                }
            }
            NodeKind::Test(body) => self.headed(text, "test", body, depth),
            NodeKind::Not(body) => self.headed(text, "not", body, depth),
            NodeKind::Repeat { least, most, body } => {
                let head = match most {
                    Some(most) if most == least => format!("repeat {least} times"),
                    Some(most) => format!("repeat {least} .. {most} times"),
                    None => format!("repeat {least} .. infinity times"),
                };
                self.headed(text, &head, body, depth);
            }
            NodeKind::While(condition, body) => {
                self.headed(text, "while", condition, depth);
                self.headed(text, "do", body, depth);
            }
            NodeKind::DoWhile(body, condition) => {
                self.headed(text, "do", body, depth);
                self.headed(text, "while", condition, depth);
            }
            NodeKind::Branch { condition, then, otherwise } => {
                self.headed(text, "if", condition, depth);
                self.headed(text, "then", then, depth);
                self.headed(text, "else", otherwise, depth);
            }
            NodeKind::Most(value, body) => {
                self.headed(text, &format!("most ({})", self.program.show(value)), body, depth);
            }
            NodeKind::Find(_)
            | NodeKind::PointsAt(_)
            | NodeKind::Replace(_)
            | NodeKind::PickUp
            | NodeKind::PutDown
            | NodeKind::Step { .. }
            | NodeKind::Directions(_)
            | NodeKind::Turn(_)
            | NodeKind::MoveTo(..)
            | NodeKind::OnFields(_)
            | NodeKind::Sees(_)
            | NodeKind::Assert(_)
            | NodeKind::Assign(_)
            | NodeKind::Match(_)
            | NodeKind::ToMove(_)
            | NodeKind::Irreversible
            | NodeKind::Forcing(_)
            | NodeKind::Ending(_)
            | NodeKind::Score(_)
            | NodeKind::Cycle(_)
            | NodeKind::Call(_) => {}
        }
    }

    /// A word and what it governs: on the same line if that is one word too.
    fn headed(self, text: &mut String, head: &str, body: &Node, depth: usize) {
        match self.leaf(body) {
            Some(leaf) => self.line(text, depth, format_args!("{head} {leaf}")),
            None => {
                self.line(text, depth, head);
                self.block(text, body, depth + 1);
            }
        }
    }

    /// A statement without statements in it, or a test of one.
    fn leaf(self, node: &Node) -> Option<String> {
        let program = self.program;
        Some(match &node.kind {
            NodeKind::Find(set) => format!("find {}", program.show(set)),
            NodeKind::PointsAt(set) => format!("points at {}", program.show(set)),
            NodeKind::Replace(codes) => format!("replace by {}", pieces::placed(program, *codes)),
            NodeKind::PickUp => "pick up".to_owned(),
            NodeKind::PutDown => "put down".to_owned(),
            NodeKind::Step { backward: false } => "step".to_owned(),
            NodeKind::Step { backward: true } => "step backward".to_owned(),
            NodeKind::Directions(directions) => self::directions(directions),
            NodeKind::Turn(eighths) => format!("turn {}", 45 * eighths),
            NodeKind::MoveTo(column, row) => {
                format!("move to ({}, {})", program.show(column), program.show(row))
            }
            NodeKind::OnFields(flags) => format!("on {}", fields::on(program, flags)),
            NodeKind::Sees(sight) => fields::sight(program, sight),
            NodeKind::Assert(value) => format!("assert ({})", program.show(value)),
            NodeKind::Assign(value) => format!("assign ({})", program.show(value)),
            NodeKind::Match(sets) => format!("match ({})", fields::matched(program, sets)),
            NodeKind::ToMove(colour) => format!("{colour} to move"),
            NodeKind::Irreversible => "irreversible".to_owned(),
            NodeKind::Forcing(true) => "forcing".to_owned(),
            NodeKind::Forcing(false) => "quiet".to_owned(),
            NodeKind::Ending(Ending::Win) => "win".to_owned(),
            NodeKind::Ending(Ending::Draw) => "draw".to_owned(),
            NodeKind::Ending(Ending::Loss) => "loss".to_owned(),
            NodeKind::Score(value) => format!("score ({})", program.show(value)),
            NodeKind::Cycle(fields) => format!("cycle ({})", fields::names(program, fields)),
            NodeKind::Sequence(nodes) if nodes.is_empty() => "nothing".to_owned(),
            NodeKind::Call(rule) => self.rule_name(*rule),
            NodeKind::Test(body) => format!("test {}", self.leaf(body)?),
            NodeKind::Not(body) => format!("not {}", self.leaf(body)?),
            NodeKind::Either(_)
            | NodeKind::Try(..)
            | NodeKind::Repeat { .. }
            | NodeKind::While(..)
            | NodeKind::DoWhile(..)
            | NodeKind::Branch { .. }
            | NodeKind::Most(..)
            | NodeKind::Sequence(_) => return None,
        })
    }
}

fn is_nothing(node: &Node) -> bool {
    matches!(&node.kind, NodeKind::Sequence(nodes) if nodes.is_empty())
}

/// `orthogonal`, or the directions one by one.
fn directions(eighths: &[i32]) -> String {
    match eighths {
        [0, 2, 4, 6] => "orthogonal".to_owned(),
        [1, 3, 5, 7] => "diagonal".to_owned(),
        [0, 1, 2, 3, 4, 5, 6, 7] => "any direction".to_owned(),
        several => {
            let name = |&eighths: &i32| Direction::NAMES[Direction::new(eighths).index()];
            several.iter().map(name).collect::<Vec<_>>().join(" | ")
        }
    }
}
