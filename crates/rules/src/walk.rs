//! Visiting every part of a rule.

use crate::ir::{Expression, ExpressionKind, Node, NodeKind};

// No match below has a wildcard: the compiler names every place that a new statement or operator must touch. Each
// stands once, for parts that are read and for parts that are changed.

macro_rules! children_of {
    ($kind:expr, $iterate:ident) => {
        match $kind {
            NodeKind::Either(nodes) | NodeKind::Sequence(nodes) => nodes.$iterate().collect(),
            NodeKind::Try(first, second)
            | NodeKind::While(first, second)
            | NodeKind::DoWhile(first, second) => vec![first, second],
            NodeKind::Branch { condition, then, otherwise } => vec![condition, then, otherwise],
            NodeKind::Test(body)
            | NodeKind::Not(body)
            | NodeKind::Repeat { body, .. }
            | NodeKind::Most(_, body) => vec![body],
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
            | NodeKind::Call(_) => Vec::new(),
        }
    };
}

macro_rules! expressions_of {
    ($kind:expr) => {
        match $kind {
            NodeKind::Assert(value)
            | NodeKind::Assign(value)
            | NodeKind::Score(value)
            | NodeKind::Most(value, _) => vec![value],
            NodeKind::MoveTo(column, row) => vec![column, row],
            NodeKind::Find(_)
            | NodeKind::PointsAt(_)
            | NodeKind::Replace(_)
            | NodeKind::PickUp
            | NodeKind::PutDown
            | NodeKind::Step { .. }
            | NodeKind::Directions(_)
            | NodeKind::Turn(_)
            | NodeKind::Either(_)
            | NodeKind::Try(..)
            | NodeKind::Test(_)
            | NodeKind::Not(_)
            | NodeKind::Repeat { .. }
            | NodeKind::While(..)
            | NodeKind::DoWhile(..)
            | NodeKind::Branch { .. }
            | NodeKind::OnFields(_)
            | NodeKind::Sees(_)
            | NodeKind::Match(_)
            | NodeKind::ToMove(_)
            | NodeKind::Irreversible
            | NodeKind::Forcing(_)
            | NodeKind::Ending(_)
            | NodeKind::Cycle(_)
            | NodeKind::Sequence(_)
            | NodeKind::Call(_) => Vec::new(),
        }
    };
}

macro_rules! operands_of {
    ($kind:expr) => {
        match $kind {
            ExpressionKind::Element(_, operand)
            | ExpressionKind::Unary(_, operand)
            | ExpressionKind::Assign(_, _, operand) => vec![operand],
            ExpressionKind::Binary(_, left, right) | ExpressionKind::Comma(left, right) => vec![left, right],
            ExpressionKind::Conditional(condition, first, second) => vec![condition, first, second],
            ExpressionKind::Integer(..)
            | ExpressionKind::Row
            | ExpressionKind::Column
            | ExpressionKind::Direction
            | ExpressionKind::Place
            | ExpressionKind::Variable(..)
            | ExpressionKind::NumberOf(..)
            | ExpressionKind::Step { .. } => Vec::new(),
        }
    };
}

/// The statements directly inside a statement.
pub fn children(node: &Node) -> Vec<&Node> {
    children_of!(&node.kind, iter)
}

/// The statements directly inside a statement, to be changed.
pub fn children_mut(node: &mut Node) -> Vec<&mut Node> {
    children_of!(&mut node.kind, iter_mut)
}

/// The expressions directly inside a statement.
pub fn expressions(node: &Node) -> Vec<&Expression> {
    expressions_of!(&node.kind)
}

/// The expressions directly inside a statement, to be changed.
pub fn expressions_mut(node: &mut Node) -> Vec<&mut Expression> {
    expressions_of!(&mut node.kind)
}

/// Visits a statement and everything in it, outside first. Calls are not followed.
pub fn for_each_node<'node>(node: &'node Node, visit: &mut impl FnMut(&'node Node)) {
    visit(node);
    for child in children(node) {
        for_each_node(child, visit);
    }
}

/// Visits every expression in a statement.
pub fn for_each_expression<'node>(node: &'node Node, visit: &mut impl FnMut(&'node Expression)) {
    for_each_node(node, &mut |node| {
        for expression in expressions(node) {
            for_each_subexpression(expression, visit);
        }
    });
}

/// The expressions directly inside an expression.
pub fn operands(expression: &Expression) -> Vec<&Expression> {
    operands_of!(&expression.kind)
}

/// The expressions directly inside an expression, to be changed.
pub fn operands_mut(expression: &mut Expression) -> Vec<&mut Expression> {
    operands_of!(&mut expression.kind)
}

/// Visits an expression and everything in it.
pub fn for_each_subexpression<'node>(
    expression: &'node Expression,
    visit: &mut impl FnMut(&'node Expression),
) {
    visit(expression);
    for operand in operands(expression) {
        for_each_subexpression(operand, visit);
    }
}
