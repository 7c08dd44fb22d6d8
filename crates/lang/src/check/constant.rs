//! Expressions whose value is known without a position.

use crate::syntax::{Binary, Expression, ExpressionKind, Unary};
use crate::walk;

/// The value of an expression that has only one.
pub(super) fn value(expression: &Expression) -> Option<i64> {
    match &expression.kind {
        ExpressionKind::Integer(value) => Some(*value),
        ExpressionKind::Unary(operator, operand) => {
            let operand = value(operand)?;
            Some(match operator {
                Unary::Negate => operand.checked_neg()?,
                Unary::Plus => operand,
                Unary::Not => i64::from(operand == 0),
                Unary::Complement => !operand,
            })
        }
        ExpressionKind::Binary(operator, left, right) => binary(*operator, left, right),
        ExpressionKind::Conditional(condition, first, second) => {
            value(if value(condition)? != 0 { first } else { second })
        }
        // The value of an assignment is what is assigned.
        ExpressionKind::Assign(None, _, right) | ExpressionKind::Comma(_, right) => value(right),
        _ => None,
    }
}

fn binary(operator: Binary, left: &Expression, right: &Expression) -> Option<i64> {
    // Each side is looked at once: a chain of operators would double the work at every link.
    let left = value(left);
    // These two do not look at their right side when the left decides.
    match (operator, left) {
        (Binary::And, Some(0)) => return Some(0),
        (Binary::Or, Some(truth)) if truth != 0 => return Some(1),
        _ => {}
    }
    let (left, right) = (left?, value(right)?);
    let shift = || u32::try_from(right).ok().filter(|&bits| bits < 64);
    Some(match operator {
        Binary::Multiply => left.checked_mul(right)?,
        Binary::Divide => left.checked_div(right)?,
        Binary::Remainder => left.checked_rem(right)?,
        Binary::Add => left.checked_add(right)?,
        Binary::Subtract => left.checked_sub(right)?,
        Binary::ShiftLeft => left.checked_shl(shift()?)?,
        Binary::ShiftRight => left.checked_shr(shift()?)?,
        Binary::Less => i64::from(left < right),
        Binary::LessEqual => i64::from(left <= right),
        Binary::Greater => i64::from(left > right),
        Binary::GreaterEqual => i64::from(left >= right),
        Binary::Equal => i64::from(left == right),
        Binary::NotEqual => i64::from(left != right),
        Binary::BitAnd => left & right,
        Binary::BitXor => left ^ right,
        Binary::BitOr => left | right,
        Binary::And => i64::from(left != 0 && right != 0),
        Binary::Or => i64::from(left != 0 || right != 0),
    })
}

/// Whether an expression assigns anything, or may have been meant to.
pub(super) fn assigns(expression: &Expression) -> bool {
    let mut found = false;
    walk::expressions(expression, &mut |part| {
        found |= matches!(
            part.kind,
            ExpressionKind::Assign(..) | ExpressionKind::Step(..) | ExpressionKind::Mistake
        );
    });
    found
}
