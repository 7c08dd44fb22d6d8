//! Expressions whose value, or part of it, is known without a position. Nothing that can go wrong is computed
//! here or left out: a division by zero stays one.

use super::facts::is_safe;
use crate::interpreter::{binary, unary};
use crate::ir::{Binary, Expression, ExpressionKind, Program, Unary};
use crate::walk;

/// Computes what is constant in an expression.
pub(super) fn fold(program: &Program, expression: &mut Expression) {
    for operand in walk::operands_mut(expression) {
        fold(program, operand);
    }
    let span = expression.span;
    let kind = std::mem::replace(&mut expression.kind, ExpressionKind::Integer(0));
    *expression = folded(program, Expression { kind, span });
}

/// The same where it only matters whether the value is 0.
pub(super) fn fold_condition(program: &Program, expression: &mut Expression) {
    fold(program, expression);
    loop {
        match &mut expression.kind {
            ExpressionKind::Binary(Binary::NotEqual, value, zero) if constant(zero) == Some(0) => {
                *expression = take(value);
            }
            ExpressionKind::Unary(Unary::Not, inner) => match &mut inner.kind {
                ExpressionKind::Unary(Unary::Not, value) => *expression = take(value),
                _ => return,
            },
            _ => return,
        }
    }
}

fn take(expression: &mut Expression) -> Expression {
    let span = expression.span;
    std::mem::replace(expression, Expression { kind: ExpressionKind::Integer(0), span })
}

fn constant(expression: &Expression) -> Option<i64> {
    match expression.kind {
        ExpressionKind::Integer(value) => Some(value),
        _ => None,
    }
}

/// An expression whose operands are folded already.
fn folded(program: &Program, expression: Expression) -> Expression {
    let Expression { kind, span } = expression;
    let number = |value: i64| Expression { kind: ExpressionKind::Integer(value), span };
    let kind = match kind {
        ExpressionKind::Unary(Unary::Plus, operand) => return *operand,
        ExpressionKind::Unary(operator, operand) => match constant(&operand) {
            Some(value) => return number(unary(operator, value)),
            None => ExpressionKind::Unary(operator, operand),
        },
        ExpressionKind::Binary(operator @ (Binary::And | Binary::Or), left, right) => {
            return lazy(program, operator, *left, *right, span);
        }
        ExpressionKind::Binary(operator, left, right) => {
            let divides = matches!(operator, Binary::Divide | Binary::Remainder);
            match (constant(&left), constant(&right)) {
                (Some(left), Some(right)) if !(divides && right == 0) => {
                    return number(binary(operator, left, right));
                }
                (_, Some(right)) if is_neutral_on_the_right(operator, right) => return *left,
                (Some(left), _) if is_neutral_on_the_left(operator, left) => return *right,
                (_, Some(0)) if operator == Binary::NotEqual && is_truth(&left) => return *left,
                _ => ExpressionKind::Binary(operator, left, right),
            }
        }
        ExpressionKind::Conditional(condition, first, second) => match constant(&condition) {
            Some(0) => return *second,
            Some(_) => return *first,
            None => ExpressionKind::Conditional(condition, first, second),
        },
        ExpressionKind::Comma(left, right) if is_safe(program, &left) => return *right,
        ExpressionKind::Element(table, index) => {
            let values = &program.tables[table].values;
            let index_known = constant(&index).and_then(|index| usize::try_from(index).ok());
            match index_known.and_then(|index| values.get(index)) {
                Some(&value) => return number(value),
                None => ExpressionKind::Element(table, index),
            }
        }
        ExpressionKind::NumberOf(set) if set.codes == [0; 2] => return number(0),
        other => other,
    };
    Expression { kind, span }
}

/// `&&` and `||`.
fn lazy(
    program: &Program,
    operator: Binary,
    left: Expression,
    right: Expression,
    span: lang::Span,
) -> Expression {
    // What decides: 0 for `&&`, everything else for `||`.
    let decides = |value: i64| (value == 0) == (operator == Binary::And);
    let decided = Expression { kind: ExpressionKind::Integer(i64::from(operator == Binary::Or)), span };
    match (constant(&left), constant(&right)) {
        (Some(value), _) if decides(value) => decided,
        (Some(_), _) => truth(right),
        (None, Some(value)) if !decides(value) => truth(left),
        (None, Some(_)) if is_safe(program, &left) => decided,
        _ => {
            let kind = ExpressionKind::Binary(operator, Box::new(left), Box::new(right));
            Expression { kind, span }
        }
    }
}

/// 1 if the value is not 0, otherwise 0.
fn truth(expression: Expression) -> Expression {
    if is_truth(&expression) {
        return expression;
    }
    let span = expression.span;
    let zero = Expression { kind: ExpressionKind::Integer(0), span };
    if let Some(value) = constant(&expression) {
        return Expression { kind: ExpressionKind::Integer(i64::from(value != 0)), span };
    }
    let kind = ExpressionKind::Binary(Binary::NotEqual, Box::new(expression), Box::new(zero));
    Expression { kind, span }
}

/// Whether the value can only be 0 or 1.
fn is_truth(expression: &Expression) -> bool {
    match &expression.kind {
        ExpressionKind::Integer(value) => (0..=1).contains(value),
        ExpressionKind::Unary(Unary::Not, _) => true,
        ExpressionKind::Binary(operator, ..) => matches!(
            operator,
            Binary::And
                | Binary::Or
                | Binary::Less
                | Binary::LessEqual
                | Binary::Greater
                | Binary::GreaterEqual
                | Binary::Equal
                | Binary::NotEqual
        ),
        _ => false,
    }
}

fn is_neutral_on_the_right(operator: Binary, value: i64) -> bool {
    match operator {
        Binary::Add | Binary::Subtract | Binary::BitOr | Binary::BitXor => value == 0,
        Binary::ShiftLeft | Binary::ShiftRight => value == 0,
        Binary::Multiply | Binary::Divide => value == 1,
        _ => false,
    }
}

fn is_neutral_on_the_left(operator: Binary, value: i64) -> bool {
    match operator {
        Binary::Add | Binary::BitOr | Binary::BitXor => value == 0,
        Binary::Multiply => value == 1,
        _ => false,
    }
}
