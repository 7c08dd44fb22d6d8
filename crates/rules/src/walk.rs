//! Visiting every part of a rule.

use crate::ir::{Expression, ExpressionKind, Node, NodeKind};

/// The statements directly inside a statement.
pub fn children(node: &Node) -> Vec<&Node> {
    match &node.kind {
        NodeKind::Either(nodes) | NodeKind::Sequence(nodes) => nodes.iter().collect(),
        NodeKind::Try(first, second) | NodeKind::While(first, second) | NodeKind::DoWhile(first, second) => {
            vec![first, second]
        }
        NodeKind::Branch { condition, then, otherwise } => vec![condition, then, otherwise],
        NodeKind::Test(body)
        | NodeKind::Not(body)
        | NodeKind::Repeat { body, .. }
        | NodeKind::Most(_, body) => vec![body],
        _ => Vec::new(),
    }
}

/// The statements directly inside a statement, to be changed.
pub fn children_mut(node: &mut Node) -> Vec<&mut Node> {
    match &mut node.kind {
        NodeKind::Either(nodes) | NodeKind::Sequence(nodes) => nodes.iter_mut().collect(),
        NodeKind::Try(first, second) | NodeKind::While(first, second) | NodeKind::DoWhile(first, second) => {
            vec![first, second]
        }
        NodeKind::Branch { condition, then, otherwise } => vec![condition, then, otherwise],
        NodeKind::Test(body)
        | NodeKind::Not(body)
        | NodeKind::Repeat { body, .. }
        | NodeKind::Most(_, body) => vec![body],
        _ => Vec::new(),
    }
}

/// The expressions directly inside a statement.
pub fn expressions(node: &Node) -> Vec<&Expression> {
    match &node.kind {
        NodeKind::Assert(value)
        | NodeKind::Assign(value)
        | NodeKind::Score(value)
        | NodeKind::Most(value, _) => vec![value],
        NodeKind::MoveTo(column, row) => vec![column, row],
        _ => Vec::new(),
    }
}

/// The expressions directly inside a statement, to be changed.
pub fn expressions_mut(node: &mut Node) -> Vec<&mut Expression> {
    match &mut node.kind {
        NodeKind::Assert(value)
        | NodeKind::Assign(value)
        | NodeKind::Score(value)
        | NodeKind::Most(value, _) => vec![value],
        NodeKind::MoveTo(column, row) => vec![column, row],
        _ => Vec::new(),
    }
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
    match &expression.kind {
        ExpressionKind::Element(_, operand)
        | ExpressionKind::Unary(_, operand)
        | ExpressionKind::Assign(_, _, operand) => vec![operand],
        ExpressionKind::Binary(_, left, right) | ExpressionKind::Comma(left, right) => vec![left, right],
        ExpressionKind::Conditional(condition, first, second) => vec![condition, first, second],
        _ => Vec::new(),
    }
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

/// The expressions directly inside an expression, to be changed.
pub fn operands_mut(expression: &mut Expression) -> Vec<&mut Expression> {
    match &mut expression.kind {
        ExpressionKind::Element(_, operand)
        | ExpressionKind::Unary(_, operand)
        | ExpressionKind::Assign(_, _, operand) => vec![operand],
        ExpressionKind::Binary(_, left, right) | ExpressionKind::Comma(left, right) => vec![left, right],
        ExpressionKind::Conditional(condition, first, second) => vec![condition, first, second],
        _ => Vec::new(),
    }
}
