//! Values of expressions: C's rules over wrapping 64-bit integers.

use game::PropertyKind;
use lang::Span;

use super::machine::{Halt, Machine};
use crate::ir::{Binary, Expression, ExpressionKind, Owner, Unary, Variable};

impl<'program> Machine<'program> {
    /// The value of an expression; its assignments stay in the journal.
    pub(super) fn evaluate(&mut self, expression: &'program Expression) -> Result<i64, Halt> {
        let span = expression.span;
        Ok(match &expression.kind {
            ExpressionKind::Integer(value) => *value,
            ExpressionKind::Row => {
                let field = self.finger(span)?;
                self.info().geometry.row(self.turned(field)) as i64
            }
            ExpressionKind::Column => {
                let field = self.finger(span)?;
                self.info().geometry.column(self.turned(field)) as i64
            }
            ExpressionKind::Place => {
                let field = self.finger(span)?;
                let (geometry, seen) = (&self.info().geometry, self.turned(field));
                ((geometry.rows() - geometry.row(seen)) * geometry.columns() + geometry.column(seen) - 1)
                    as i64
            }
            ExpressionKind::Direction => self.registers.direction.index() as i64,
            ExpressionKind::Variable(variable) => {
                let slot = self.slot(*variable, span)?;
                self.slots[slot]
            }
            ExpressionKind::NumberOf(set) => {
                let fields = 0..self.info().geometry.fields() as u16;
                fields.filter(|&field| set.contains(self.mover, self.piece(field))).count() as i64
            }
            ExpressionKind::Element(table, index) => {
                let index = self.evaluate(index)?;
                let table = &self.program.tables[*table];
                let found = usize::try_from(index).ok().and_then(|index| table.values.get(index));
                match found {
                    Some(value) => *value,
                    None => {
                        let (name, last) = (&table.name, table.values.len() - 1);
                        return self
                            .fault(span, format!("table `{name}` has no element {index}, only 0 to {last}"));
                    }
                }
            }
            ExpressionKind::Unary(operator, operand) => unary(*operator, self.evaluate(operand)?),
            ExpressionKind::Binary(Binary::And, left, right) => {
                i64::from(self.evaluate(left)? != 0 && self.evaluate(right)? != 0)
            }
            ExpressionKind::Binary(Binary::Or, left, right) => {
                i64::from(self.evaluate(left)? != 0 || self.evaluate(right)? != 0)
            }
            ExpressionKind::Binary(operator, left, right) => {
                let (left, right) = (self.evaluate(left)?, self.evaluate(right)?);
                self.binary(*operator, left, right, span)?
            }
            ExpressionKind::Conditional(condition, first, second) => {
                if self.evaluate(condition)? != 0 {
                    self.evaluate(first)?
                } else {
                    self.evaluate(second)?
                }
            }
            ExpressionKind::Assign(operator, variable, value) => {
                let value = self.evaluate(value)?;
                let slot = self.slot(*variable, span)?;
                let value = match operator {
                    Some(operator) => self.binary(*operator, self.slots[slot], value, span)?,
                    None => value,
                };
                self.assign(*variable, slot, value, span)?;
                value
            }
            ExpressionKind::Step { amount, postfix, variable } => {
                let slot = self.slot(*variable, span)?;
                let (old, new) = (self.slots[slot], self.slots[slot] + amount);
                self.assign(*variable, slot, new, span)?;
                if *postfix { old } else { new }
            }
            ExpressionKind::Comma(left, right) => {
                self.evaluate(left)?;
                self.evaluate(right)?
            }
        })
    }

    fn finger(&mut self, span: Span) -> Result<u16, Halt> {
        match self.registers.finger {
            Some(field) => Ok(field),
            None => self.fault(span, "the finger points nowhere: use `find` or `move to` first"),
        }
    }

    fn slot(&mut self, variable: Variable, span: Span) -> Result<usize, Halt> {
        let property = &self.info().properties[variable.property];
        Ok(match property.kind {
            PropertyKind::Board | PropertyKind::Move => property.slot,
            PropertyKind::Field => property.slot + self.finger(span)? as usize,
            PropertyKind::Player => {
                property.slot
                    + match variable.owner {
                        Owner::Own => self.mover.index(),
                        Owner::Opponents => self.mover.opponent().index(),
                        Owner::White => 0,
                        Owner::Black => 1,
                    }
            }
        })
    }

    fn assign(&mut self, variable: Variable, slot: usize, value: i64, span: Span) -> Result<(), Halt> {
        let property = &self.info().properties[variable.property];
        if !(property.low..=property.high).contains(&value) {
            return self.fault(
                span,
                format!(
                    "{value} is out of range for `{}` [{} .. {}]",
                    property.name, property.low, property.high
                ),
            );
        }
        self.write(slot, value);
        Ok(())
    }

    fn binary(&mut self, operator: Binary, left: i64, right: i64, span: Span) -> Result<i64, Halt> {
        if matches!(operator, Binary::Divide | Binary::Remainder) && right == 0 {
            return self.fault(span, "division by zero");
        }
        Ok(binary(operator, left, right))
    }
}

/// A unary operation.
#[must_use]
pub fn unary(operator: Unary, value: i64) -> i64 {
    match operator {
        Unary::Negate => value.wrapping_neg(),
        Unary::Plus => value,
        Unary::Not => i64::from(value == 0),
        Unary::Complement => !value,
    }
}

/// A binary operation; the divisor is not zero. Shifts use the lowest six bits of their amount.
#[must_use]
pub fn binary(operator: Binary, left: i64, right: i64) -> i64 {
    match operator {
        Binary::Multiply => left.wrapping_mul(right),
        Binary::Divide => left.wrapping_div(right),
        Binary::Remainder => left.wrapping_rem(right),
        Binary::Add => left.wrapping_add(right),
        Binary::Subtract => left.wrapping_sub(right),
        Binary::ShiftLeft => left.wrapping_shl(right as u32),
        Binary::ShiftRight => left.wrapping_shr(right as u32),
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
    }
}
