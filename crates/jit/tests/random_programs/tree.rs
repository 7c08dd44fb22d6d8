//! Statements and expressions as the generator makes them: one kind of node for both, so that shrinking is a
//! walk over parts.

use std::fmt;

/// What a node is.
#[derive(Clone, PartialEq, Debug)]
pub enum Form {
    /// A statement without parts, as it is written.
    Simple(String),
    Sequence,
    Either,
    Optionally,
    Try,
    TryElse,
    Test,
    Not,
    /// With its count.
    Repeat(String),
    While,
    DoWhile,
    /// An expression and a statement.
    Most,
    Assert,
    Assign,
    Score,
    MoveTo,
    /// An expression without parts.
    Operand(String),
    Unary(&'static str),
    Binary(&'static str),
    Conditional,
    /// Target and operator.
    AssignTo(String, &'static str),
    /// The table.
    Element(String),
    Comma,
}

/// A statement or an expression with its parts.
#[derive(Clone, PartialEq, Debug)]
pub struct Tree {
    pub form: Form,
    pub parts: Vec<Tree>,
}

pub fn simple(text: impl Into<String>) -> Tree {
    Tree { form: Form::Simple(text.into()), parts: Vec::new() }
}

pub fn operand(text: impl ToString) -> Tree {
    Tree { form: Form::Operand(text.to_string()), parts: Vec::new() }
}

pub fn tree(form: Form, parts: Vec<Tree>) -> Tree {
    Tree { form, parts }
}

pub fn sequence(parts: Vec<Tree>) -> Tree {
    tree(Form::Sequence, parts)
}

pub fn binary(operator: &'static str, left: Tree, right: Tree) -> Tree {
    tree(Form::Binary(operator), vec![left, right])
}

impl Tree {
    pub fn is_expression(&self) -> bool {
        matches!(
            self.form,
            Form::Operand(_)
                | Form::Unary(_)
                | Form::Binary(_)
                | Form::Conditional
                | Form::AssignTo(..)
                | Form::Element(_)
                | Form::Comma
        )
    }

    /// The nodes in it, itself included.
    pub fn size(&self) -> usize {
        1 + self.parts.iter().map(Tree::size).sum::<usize>()
    }

    /// The node with this number, counted from the outside in.
    pub fn node_mut(&mut self, number: &mut usize) -> Option<&mut Tree> {
        if *number == 0 {
            return Some(self);
        }
        *number -= 1;
        self.parts.iter_mut().find_map(|part| part.node_mut(number))
    }

    /// The tree with one node put in place of another.
    pub fn replaced(&self, number: usize, by: Tree) -> Tree {
        let mut copy = self.clone();
        if let Some(node) = copy.node_mut(&mut { number }) {
            *node = by;
        }
        copy
    }
}

impl fmt::Display for Tree {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let part = |index: usize| &self.parts[index];
        let list = |out: &mut fmt::Formatter<'_>, between: &str| {
            for (index, part) in self.parts.iter().enumerate() {
                if index > 0 {
                    write!(out, "{between}")?;
                }
                write!(out, "{part}")?;
            }
            Ok(())
        };
        match &self.form {
            Form::Simple(text) | Form::Operand(text) => write!(out, "{text}"),
            Form::Sequence if self.parts.is_empty() => write!(out, "nothing"),
            Form::Sequence => {
                write!(out, "[ ")?;
                list(out, ", ")?;
                write!(out, " ]")
            }
            // In brackets, so that an inner `or` or `else` finds the right owner.
            Form::Either => {
                write!(out, "[ either ")?;
                list(out, " or ")?;
                write!(out, " ]")
            }
            Form::Optionally => write!(out, "optionally {}", part(0)),
            Form::Try => write!(out, "[ try {} ]", part(0)),
            Form::TryElse => write!(out, "[ try {} else {} ]", part(0), part(1)),
            Form::Test => write!(out, "test {}", part(0)),
            Form::Not => write!(out, "not {}", part(0)),
            Form::Repeat(count) => write!(out, "repeat {count} times {}", part(0)),
            Form::While => write!(out, "while {} do {}", part(0), part(1)),
            Form::DoWhile => write!(out, "do {} while {}", part(0), part(1)),
            Form::Most => write!(out, "most ({}) {}", part(0), part(1)),
            Form::Assert => write!(out, "assert ({})", part(0)),
            Form::Assign => write!(out, "assign ({})", part(0)),
            Form::Score => write!(out, "score ({})", part(0)),
            Form::MoveTo => write!(out, "move to ({}, {})", part(0), part(1)),
            Form::Unary(operator) => write!(out, "({operator} {})", part(0)),
            Form::Binary(operator) => write!(out, "({} {operator} {})", part(0), part(1)),
            Form::Conditional => write!(out, "({} ? {} : {})", part(0), part(1), part(2)),
            Form::AssignTo(target, operator) => write!(out, "({target} {operator} {})", part(0)),
            Form::Element(table) => write!(out, "{table}[{}]", part(0)),
            Form::Comma => write!(out, "({}, {})", part(0), part(1)),
        }
    }
}
