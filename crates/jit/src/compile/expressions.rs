//! Expressions. What is known when the rules are compiled is computed then.

use cranelift_codegen::ir::InstBuilder;
use cranelift_codegen::ir::Value;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use lang::Span;
use rules::interpreter::binary as compute;
use rules::ir::{Binary, Expression, ExpressionKind, Unary, Variable};
use rules::passes::fields::{is_of_field, value_at};

use super::function::{Compiled, FunctionCompiler, TRUSTED};
use super::state::{Number, State};
use super::{FaultKind, Tables};

impl<'program> FunctionCompiler<'_, '_, 'program> {
    pub(crate) fn expression(
        &mut self,
        expression: &'program Expression,
        state: &mut State,
    ) -> Compiled<Number> {
        let span = expression.span;
        let tabulated = !self.compiler.options.skip_passes.contains("fields");
        if tabulated && is_of_field(expression) && is_worth_a_table(expression) {
            return Ok(self.tabulated(expression, state));
        }
        if tabulated && let Some(element) = self.element_of_field(expression, state) {
            return Ok(element);
        }
        Ok(match &expression.kind {
            ExpressionKind::Integer(value) => Number::Known(*value),
            ExpressionKind::Row => self.coordinate(|tables| &tables.rows, state, span),
            ExpressionKind::Column => self.coordinate(|tables| &tables.columns, state, span),
            ExpressionKind::Place => self.coordinate(|tables| &tables.places, state, span),
            ExpressionKind::Direction => {
                let turn = if self.rotated() { 4 } else { 0 };
                match state.direction {
                    Number::Known(direction) => Number::Known((direction + turn) % 8),
                    Number::Computed(direction) => {
                        Number::Computed(self.builder.ins().bxor_imm_s(direction, turn))
                    }
                }
            }
            ExpressionKind::Variable(variable) => self.variable(*variable, state, span),
            ExpressionKind::NumberOf(set) => self.number_of(set.codes[self.mover.index()], state),
            ExpressionKind::Element(table, index) => {
                let index = self.expression(index, state)?;
                self.element(*table, index, span)
            }
            ExpressionKind::Unary(operator, operand) => {
                let operand = self.expression(operand, state)?;
                self.unary(*operator, operand)
            }
            ExpressionKind::Binary(operator @ (Binary::And | Binary::Or), left, right) => {
                return self.lazy(*operator == Binary::And, left, right, state);
            }
            ExpressionKind::Binary(operator, left, right) => {
                let left = self.expression(left, state)?;
                let right = self.expression(right, state)?;
                self.binary(*operator, left, right, span)
            }
            ExpressionKind::Conditional(condition, first, second) => {
                return self.conditional(condition, first, second, state);
            }
            ExpressionKind::Assign(operator, variable, value) => {
                let is_within = operator.is_none() && self.keeps_within(*variable, value);
                let value = self.expression(value, state)?;
                let value = match operator {
                    Some(operator) => {
                        let old = self.variable(*variable, state, span);
                        self.binary(*operator, old, value, span)
                    }
                    None => value,
                };
                self.assign(*variable, value, is_within, state, span);
                value
            }
            ExpressionKind::Step { amount, postfix, variable } => {
                let old = self.variable(*variable, state, span);
                let new = self.binary(Binary::Add, old, Number::Known(*amount), span);
                self.assign(*variable, new, false, state, span);
                if *postfix { old } else { new }
            }
            ExpressionKind::Comma(left, right) => {
                self.expression(left, state)?;
                self.expression(right, state)?
            }
        })
    }

    /// An expression on the finger alone, from a table that is made for it.
    fn tabulated(&mut self, expression: &Expression, state: &mut State) -> Number {
        let table: Box<[i64]> = self.by_field(expression);
        self.finger_or_fault(state, expression.span);
        match state.finger {
            Number::Known(field) => Number::Known(table[field.max(0) as usize]),
            finger => {
                let pointer = table.as_ptr();
                self.compiler.tables.made.push(table);
                Number::Computed(self.element_i64(pointer, finger))
            }
        }
    }

    /// An element of a table of the rules whose number depends on the finger alone: from a table by fields that is made
    /// for it.
    fn element_of_field(&mut self, expression: &Expression, state: &State) -> Option<Number> {
        let ExpressionKind::Element(..) = expression.kind else { return None };
        let Number::Computed(finger) = state.finger else { return None };
        let table = self.elements_by_field(expression).filter(|_| !state.finger_may_be_nowhere)?;
        let short: Option<Vec<u16>> =
            table.iter().map(|&value| i16::try_from(value).ok().map(|value| value as u16)).collect();
        let Some(short) = short else {
            let pointer = table.as_ptr();
            self.compiler.tables.made.push(table);
            return Some(Number::Computed(self.element_i64(pointer, Number::Computed(finger))));
        };
        let word = |four: &[u16]| four.iter().rev().fold(0, |word, &part| word << 16 | i64::from(part));
        let words: Box<[i64]> = short.chunks(4).map(word).collect();
        let pointer = words.as_ptr().cast::<i16>();
        self.compiler.tables.made.push(words);
        Some(self.element_i16(pointer, Number::Computed(finger)))
    }

    /// The element for every field; `None` if that depends on more, or a table has none for some field.
    pub(crate) fn elements_by_field(&self, expression: &Expression) -> Option<Box<[i64]>> {
        if is_of_field(expression) {
            return Some(self.by_field(expression));
        }
        let ExpressionKind::Element(table, index) = &expression.kind else { return None };
        let values = &self.compiler.program.tables[*table].values;
        let geometry = &self.compiler.program.info.geometry;
        let indices = self.elements_by_field(index)?;
        let element = |(field, &index): (usize, &i64)| match geometry.is_used(field as u16) {
            true => values.get(usize::try_from(index).ok()?).copied(),
            false => Some(0),
        };
        indices.iter().enumerate().map(element).collect()
    }

    /// Whether a value is certainly in the range of a property.
    pub(crate) fn keeps_within(&self, variable: Variable, value: &Expression) -> bool {
        let property = &self.compiler.program.info.properties[variable.property];
        self.bounds(value)
            .is_some_and(|(low, high)| low >= property.low.into() && high <= property.high.into())
    }

    /// Where the finger is, as the mover counts.
    fn coordinate(&mut self, of: fn(&Tables) -> &[Box<[i16]>; 2], state: &mut State, span: Span) -> Number {
        self.finger_or_fault(state, span);
        let table = &of(&self.compiler.tables)[self.mover.index()];
        match state.finger {
            Number::Known(field) => Number::Known(i64::from(table[field.max(0) as usize])),
            finger => {
                let pointer = table.as_ptr();
                self.element_i16(pointer, finger)
            }
        }
    }

    fn finger_or_fault(&mut self, state: &mut State, span: Span) {
        match state.finger {
            Number::Known(-1) => {
                let always = self.number(Number::Known(1));
                self.fault_if(always, FaultKind::FingerNowhere, span, None);
            }
            Number::Computed(finger) if state.finger_may_be_nowhere => {
                let nowhere = self.is(IntCC::SignedLessThan, finger, 0);
                self.fault_if(nowhere, FaultKind::FingerNowhere, span, None);
                state.finger_may_be_nowhere = false;
            }
            _ => {}
        }
    }

    /// The value of an expression on the finger alone, for every field.
    fn by_field(&self, expression: &Expression) -> Box<[i64]> {
        let info = &self.compiler.program.info;
        (0..self.compiler.layout.fields as u16)
            .map(|field| value_at(info, self.mover, field, expression))
            .collect()
    }

    fn field_property_address(&mut self, property: usize, field: Number) -> (Value, i32) {
        self.uses_board = true;
        let layout = &self.compiler.layout;
        let index = layout.field_properties.iter().position(|&own| own == property).unwrap_or(0);
        let base = layout.mutable_field_properties() + 4 * layout.fields * index;
        let offset = (self.compiler.context.work + base) as i32;
        match field {
            Number::Known(field) => (self.context, offset + 4 * field as i32),
            Number::Computed(field) => {
                let scaled = self.builder.ins().ishl_imm_s(field, 2);
                (self.builder.ins().iadd(self.context, scaled), offset)
            }
        }
    }

    fn variable(&mut self, variable: Variable, state: &mut State, span: Span) -> Number {
        match self.compiler.scalar(self.mover, variable) {
            Some(scalar) => state.scalars[scalar],
            None => {
                self.finger_or_fault(state, span);
                let (address, offset) = self.field_property_address(variable.property, state.finger);
                Number::Computed(self.builder.ins().sload32(TRUSTED, address, offset))
            }
        }
    }

    /// `is_within`: whether the value is certainly in the property's range.
    fn assign(&mut self, variable: Variable, value: Number, is_within: bool, state: &mut State, span: Span) {
        let property = &self.compiler.program.info.properties[variable.property];
        let (low, high) = (property.low, property.high);
        match value {
            Number::Known(value) if (low..=high).contains(&value) => {}
            _ if is_within => {}
            _ => {
                let value = self.number(value);
                let above = self.builder.ins().iadd_imm_s(value, -low);
                let outside = self.is(IntCC::UnsignedGreaterThan, above, high - low);
                self.fault_if(outside, FaultKind::OutOfRange(variable.property), span, Some(value));
            }
        }
        match self.compiler.scalar(self.mover, variable) {
            Some(scalar) => state.scalars[scalar] = value,
            None => {
                self.finger_or_fault(state, span);
                let (address, offset) = self.field_property_address(variable.property, state.finger);
                let old = self.store_with_undo(address, offset, value);
                if self.sums {
                    let (property, field) = (variable.property, state.finger);
                    for value in [Number::Computed(old), value] {
                        let key = self.field_property_key(property, field, value);
                        let difference = self.number(state.difference);
                        state.difference = Number::Computed(self.builder.ins().bxor(difference, key));
                    }
                }
                state.field_properties_written = true;
                self.lead(state, state.finger);
            }
        }
    }

    /// Returns what was there.
    fn store_with_undo(&mut self, address: Value, offset: i32, value: Number) -> Value {
        let old = self.builder.ins().sload32(TRUSTED, address, offset);
        let value = self.number(value);
        self.builder.ins().istore32(TRUSTED, value, address, offset);
        let undo = self.builder.create_block();
        let here = self.park();
        self.builder.switch_to_block(undo);
        self.builder.ins().istore32(TRUSTED, old, address, offset);
        self.builder.ins().jump(self.fail, &[]);
        self.builder.switch_to_block(here);
        self.fail = undo;
        old
    }

    fn number_of(&mut self, codes: u128, state: &State) -> Number {
        let words = self.compiler.layout.set_words;
        if codes == u128::MAX {
            return Number::Known(self.compiler.layout.fields as i64);
        }
        let Some(index) = self.kept_set(codes) else { return Number::Known(0) };
        self.record_search(codes);
        let mut sum = None;
        for word in 0..words {
            let count = self.builder.ins().popcnt(state.sets[index * words + word]);
            sum = Some(match sum {
                None => count,
                Some(sum) => self.builder.ins().iadd(sum, count),
            });
        }
        sum.map_or(Number::Known(0), Number::Computed)
    }

    fn element(&mut self, table: usize, index: Number, span: Span) -> Number {
        let values = &self.compiler.tables.constants[table];
        let (length, pointer) = (values.len() as i64, values.as_ptr());
        match index {
            Number::Known(index) if (0..length).contains(&index) => Number::Known(values[index as usize]),
            _ => {
                let index = self.number(index);
                let outside = self.is(IntCC::UnsignedGreaterThanOrEqual, index, length);
                self.fault_if(outside, FaultKind::NoElement(table), span, Some(index));
                Number::Computed(self.element_i64(pointer, Number::Computed(index)))
            }
        }
    }

    fn truth(&mut self, condition: Value) -> Number {
        Number::Computed(self.builder.ins().uextend(I64, condition))
    }

    fn unary(&mut self, operator: Unary, operand: Number) -> Number {
        match (operator, operand) {
            (Unary::Plus, operand) => operand,
            (Unary::Negate, Number::Known(value)) => Number::Known(value.wrapping_neg()),
            (Unary::Not, Number::Known(value)) => Number::Known(i64::from(value == 0)),
            (Unary::Complement, Number::Known(value)) => Number::Known(!value),
            (Unary::Negate, Number::Computed(value)) => Number::Computed(self.builder.ins().ineg(value)),
            (Unary::Complement, Number::Computed(value)) => Number::Computed(self.builder.ins().bnot(value)),
            (Unary::Not, Number::Computed(value)) => {
                let zero = self.is(IntCC::Equal, value, 0);
                self.truth(zero)
            }
        }
    }

    fn binary(&mut self, operator: Binary, left: Number, right: Number, span: Span) -> Number {
        let divides = matches!(operator, Binary::Divide | Binary::Remainder);
        if let (Number::Known(left), Number::Known(right)) = (left, right)
            && !(divides && right == 0)
        {
            return Number::Known(compute(operator, left, right));
        }
        let (left, divisor) = (self.number(left), right.known());
        let right = self.number(right);
        if divides {
            return self.divide(operator, left, right, divisor, span);
        }
        let ins = self.builder.ins();
        let compare = |condition| (condition, ());
        let value = match operator {
            Binary::Multiply => ins.imul(left, right),
            Binary::Add => ins.iadd(left, right),
            Binary::Subtract => ins.isub(left, right),
            Binary::ShiftLeft => ins.ishl(left, right),
            Binary::ShiftRight => ins.sshr(left, right),
            Binary::BitAnd => ins.band(left, right),
            Binary::BitXor => ins.bxor(left, right),
            Binary::BitOr => ins.bor(left, right),
            _ => {
                let (condition, ()) = compare(match operator {
                    Binary::Less => IntCC::SignedLessThan,
                    Binary::LessEqual => IntCC::SignedLessThanOrEqual,
                    Binary::Greater => IntCC::SignedGreaterThan,
                    Binary::GreaterEqual => IntCC::SignedGreaterThanOrEqual,
                    Binary::Equal => IntCC::Equal,
                    _ => IntCC::NotEqual,
                });
                let truth = ins.icmp(condition, left, right);
                return self.truth(truth);
            }
        };
        Number::Computed(value)
    }

    /// Division traps for the least number divided by -1; the rules say that it wraps.
    fn divide(
        &mut self,
        operator: Binary,
        left: Value,
        right: Value,
        divisor: Option<i64>,
        span: Span,
    ) -> Number {
        if divisor.is_none_or(|divisor| divisor == 0) {
            let zero = self.is(IntCC::Equal, right, 0);
            self.fault_if(zero, FaultKind::DivisionByZero, span, None);
        }
        let is_minus_one = self.is(IntCC::Equal, right, -1);
        let one = self.number(Number::Known(1));
        let safe = if divisor.is_some_and(|divisor| divisor != -1 && divisor != 0) {
            right
        } else {
            self.builder.ins().select(is_minus_one, one, right)
        };
        let negated = self.builder.ins().ineg(left);
        let zero = self.number(Number::Known(0));
        Number::Computed(match operator {
            Binary::Divide => {
                let quotient = self.builder.ins().sdiv(left, safe);
                self.builder.ins().select(is_minus_one, negated, quotient)
            }
            _ => {
                let remainder = self.builder.ins().srem(left, safe);
                self.builder.ins().select(is_minus_one, zero, remainder)
            }
        })
    }

    /// `&&` and `||`: the right side is evaluated only if it decides.
    fn lazy(
        &mut self,
        is_and: bool,
        left: &'program Expression,
        right: &'program Expression,
        state: &mut State,
    ) -> Compiled<Number> {
        let left = self.expression(left, state)?;
        if let Some(value) = left.known() {
            if (value != 0) != is_and {
                return Ok(Number::Known(i64::from(!is_and)));
            }
            let right = self.expression(right, state)?;
            return Ok(self.as_truth(right));
        }
        let left = self.number(left);
        let other = Number::Known(i64::from(!is_and));
        self.choose(left, state, |function, state, taken| {
            if taken == is_and {
                let value = function.expression(right, state)?;
                Ok(function.as_truth(value))
            } else {
                Ok(other)
            }
        })
    }

    fn as_truth(&mut self, number: Number) -> Number {
        match number {
            Number::Known(value) => Number::Known(i64::from(value != 0)),
            Number::Computed(value) => {
                let truth = self.is(IntCC::NotEqual, value, 0);
                self.truth(truth)
            }
        }
    }

    fn conditional(
        &mut self,
        condition: &'program Expression,
        first: &'program Expression,
        second: &'program Expression,
        state: &mut State,
    ) -> Compiled<Number> {
        match self.expression(condition, state)? {
            Number::Known(0) => self.expression(second, state),
            Number::Known(_) => self.expression(first, state),
            Number::Computed(condition) => self.choose(condition, state, |function, state, taken| {
                function.expression(if taken { first } else { second }, state)
            }),
        }
    }

    /// Two ways to a number; the state afterwards is what holds after both.
    fn choose(
        &mut self,
        condition: Value,
        state: &mut State,
        mut way: impl FnMut(&mut Self, &mut State, bool) -> Compiled<Number>,
    ) -> Compiled<Number> {
        if !self.compiler.layout.field_properties.is_empty() {
            self.save_memory();
        }
        let fail = self.fail;
        let (yes, no) = (self.builder.create_block(), self.builder.create_block());
        self.builder.ins().brif(condition, yes, &[], no, &[]);
        let mut ends = Vec::new();
        for (block, taken) in [(yes, true), (no, false)] {
            self.builder.switch_to_block(block);
            let mut inside = state.clone();
            let value = way(self, &mut inside, taken)?;
            self.fail = fail;
            // The number travels as one more scalar.
            inside.scalars.push(value);
            ends.push((self.park(), inside));
        }
        let (second, first) = (ends.pop(), ends.pop());
        let (Some(first), Some(second)) = (first, second) else { return Ok(Number::Known(0)) };
        let mut merged = self.merge(first, second);
        let value = merged.scalars.pop().unwrap_or(Number::Known(0));
        *state = merged;
        Ok(value)
    }
}

fn is_worth_a_table(expression: &Expression) -> bool {
    !matches!(expression.kind, ExpressionKind::Row | ExpressionKind::Column | ExpressionKind::Place)
}
