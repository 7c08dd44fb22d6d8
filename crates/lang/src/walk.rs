//! Ways through a tree that several readers of it share.

use crate::syntax::{Expression, ExpressionKind, NamePart, Program, Statement, StatementKind, What};

/// The bodies of all rules, features, and tests of positions from outside.
pub(crate) fn bodies(tree: &Program) -> impl Iterator<Item = &Statement> {
    tree.functions.iter().map(|function| &function.body).chain(bodies_beside_rules(tree))
}

/// The bodies that call rules and are none themselves.
pub(crate) fn bodies_beside_rules(tree: &Program) -> impl Iterator<Item = &Statement> {
    let features = tree.features.iter().map(|feature| &feature.body);
    let possible = tree.possible.iter().map(|requirement| &requirement.body);
    features.chain(possible).chain(&tree.finished)
}

/// A statement and all statements in it, outside in.
pub fn statements<'tree>(statement: &'tree Statement, visit: &mut dyn FnMut(&'tree Statement)) {
    visit(statement);
    match &statement.kind {
        StatementKind::Either(parts) | StatementKind::Sequence(parts) => {
            for part in parts {
                statements(part, visit);
            }
        }
        StatementKind::Try(first, Some(second))
        | StatementKind::While(first, second)
        | StatementKind::DoWhile(first, second) => {
            statements(first, visit);
            statements(second, visit);
        }
        StatementKind::Optionally(inner)
        | StatementKind::Try(inner, None)
        | StatementKind::Test(inner)
        | StatementKind::Not(inner)
        | StatementKind::Repeat(_, _, inner)
        | StatementKind::Most(_, inner) => statements(inner, visit),
        StatementKind::Find(_)
        | StatementKind::PointsAt(_)
        | StatementKind::ReplaceBy(_)
        | StatementKind::PickUp
        | StatementKind::PutDown
        | StatementKind::Step { .. }
        | StatementKind::Direction(_)
        | StatementKind::Directions(_)
        | StatementKind::Turn(_)
        | StatementKind::MoveTo(..)
        | StatementKind::Nothing
        | StatementKind::Assert(_)
        | StatementKind::Assign(_)
        | StatementKind::Match(_)
        | StatementKind::ToMove(_)
        | StatementKind::Irreversible
        | StatementKind::Name(_)
        | StatementKind::Forcing(_)
        | StatementKind::Ending(_)
        | StatementKind::Score(_)
        | StatementKind::Cycle(_)
        | StatementKind::Call(_)
        | StatementKind::Mistake => {}
    }
}

/// What one statement speaks of, without the statements in it.
struct Mentions<'tree> {
    expressions: Vec<&'tree Expression>,
    whats: &'tree [What],
}

/// No wildcard here: a new statement must say what it mentions, or nothing checks it.
fn mentions(statement: &Statement) -> Mentions<'_> {
    let (expressions, whats): (Vec<&Expression>, &[What]) = match &statement.kind {
        StatementKind::Find(what) | StatementKind::PointsAt(what) | StatementKind::ReplaceBy(what) => {
            (Vec::new(), std::slice::from_ref(what))
        }
        StatementKind::Match(fields) => (Vec::new(), fields),
        StatementKind::Assert(value)
        | StatementKind::Assign(value)
        | StatementKind::Score(value)
        | StatementKind::Most(value, _) => (vec![value], &[]),
        StatementKind::MoveTo(column, row) => (vec![column, row], &[]),
        StatementKind::Name(parts) => (parts.iter().filter_map(value_of).collect(), &[]),
        StatementKind::PickUp
        | StatementKind::PutDown
        | StatementKind::Step { .. }
        | StatementKind::Direction(_)
        | StatementKind::Directions(_)
        | StatementKind::Turn(_)
        | StatementKind::Either(_)
        | StatementKind::Optionally(_)
        | StatementKind::Try(..)
        | StatementKind::Test(_)
        | StatementKind::Not(_)
        | StatementKind::Repeat(..)
        | StatementKind::While(..)
        | StatementKind::DoWhile(..)
        | StatementKind::Nothing
        | StatementKind::ToMove(_)
        | StatementKind::Irreversible
        | StatementKind::Forcing(_)
        | StatementKind::Ending(_)
        | StatementKind::Cycle(_)
        | StatementKind::Sequence(_)
        | StatementKind::Call(_)
        | StatementKind::Mistake => (Vec::new(), &[]),
    };
    Mentions { expressions, whats }
}

/// The expression of a part of a name.
fn value_of(part: &NamePart) -> Option<&Expression> {
    match part {
        NamePart::Value(value) => Some(value),
        NamePart::Text(_) | NamePart::Field | NamePart::Piece => None,
    }
}

/// The expressions of one statement, without those of the statements in it.
pub(crate) fn expressions_of(statement: &Statement) -> Vec<&Expression> {
    mentions(statement).expressions
}

/// The piece descriptions of one statement, without those of its expressions and the statements in it.
pub(crate) fn whats_of(statement: &Statement) -> &[What] {
    mentions(statement).whats
}

/// An expression and all expressions in it, outside in.
pub fn expressions<'tree>(expression: &'tree Expression, visit: &mut dyn FnMut(&'tree Expression)) {
    visit(expression);
    match &expression.kind {
        ExpressionKind::Element(_, inner)
        | ExpressionKind::Unary(_, inner)
        | ExpressionKind::Step(_, _, inner) => expressions(inner, visit),
        ExpressionKind::Binary(_, left, right)
        | ExpressionKind::Assign(_, left, right)
        | ExpressionKind::Comma(left, right) => {
            expressions(left, visit);
            expressions(right, visit);
        }
        ExpressionKind::Conditional(condition, first, second) => {
            expressions(condition, visit);
            expressions(first, visit);
            expressions(second, visit);
        }
        ExpressionKind::Integer(_)
        | ExpressionKind::Name(..)
        | ExpressionKind::NumberOf(_)
        | ExpressionKind::Mistake => {}
    }
}

/// All expressions of a program, each with all in it.
pub(crate) fn all_expressions<'tree>(tree: &'tree Program, visit: &mut dyn FnMut(&'tree Expression)) {
    for body in bodies(tree) {
        statements(body, &mut |statement| {
            for expression in expressions_of(statement) {
                expressions(expression, visit);
            }
        });
    }
    for feature in &tree.features {
        expressions(&feature.weight, visit);
    }
}
