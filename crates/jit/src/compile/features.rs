//! Features: a sum of weights, one for each success.

use std::rc::Rc;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{InstBuilder, Value};
use game::PieceCode;
use rules::ir::{Binary, Expression, ExpressionKind, Unary};

use super::Goal;
use super::function::{Compiled, FunctionCompiler, Next};
use super::state::{Number, State};

/// Weights are at most so large, so that no sum of them overflows.
const WEIGHT_MAX: i128 = 1 << 40;

impl<'program> FunctionCompiler<'_, '_, 'program> {
    /// All features, one after the other.
    pub(crate) fn features(&mut self, state: &State) -> Compiled<()> {
        for (index, feature) in self.compiler.program.features.iter().enumerate() {
            self.rule = &feature.name;
            let is_small = self.bounds(&feature.weight).is_some();
            if is_small {
                let (sum, zero) = (self.builder.declare_var(I64), self.number(Number::Known(0)));
                self.builder.def_var(sum, zero);
                self.feature_sum = Some(sum);
            }
            let next = Rc::new(Next::Goal(Goal::Feature(index)));
            self.sequence(std::slice::from_ref(&feature.body), state.clone(), &next)?;
            if let Some(sum) = self.feature_sum.take() {
                // Rules that call themselves have added to the sum in memory.
                let place = self.sum_of(index);
                let (more, before) = (self.builder.use_var(sum), self.load_context(place));
                let sum = self.builder.ins().iadd(before, more);
                self.store_context(sum, place);
            }
        }
        Ok(())
    }

    /// Adds the weight of a feature to its sum.
    pub(crate) fn add_feature(&mut self, feature: usize, mut state: State) -> Compiled<()> {
        let program = self.compiler.program;
        let weight: &'program Expression = &program.features[feature].weight;
        let outer = std::mem::replace(&mut self.rule, &program.features[feature].name);
        let fail = self.fail;
        let weight = self.expression(weight, &mut state)?;
        // It has changed nothing that would have to be undone.
        self.fail = fail;
        self.rule = outer;
        let weight = self.number(weight);
        if self.feature_sum.is_some() {
            self.add_to_feature(weight);
            return Ok(());
        }
        let place = self.sum_of(feature);
        let sum = self.load_context(place);
        let sum = self.add_saturating(sum, weight);
        self.store_context(sum, place);
        Ok(())
    }

    /// Adds to the sum of the present feature what is too small to overflow.
    pub(crate) fn add_to_feature(&mut self, more: Value) {
        if let Some(sum) = self.feature_sum {
            let before = self.builder.use_var(sum);
            let after = self.builder.ins().iadd(before, more);
            self.builder.def_var(sum, after);
        }
    }

    /// Where the sum of a feature lies.
    fn sum_of(&self, feature: usize) -> usize {
        self.compiler.context.sums + 8 * feature
    }

    /// How many fields hold one of these pieces when a game starts.
    pub(crate) fn fields_at_start(&self, codes: u128) -> Option<usize> {
        let start = self.compiler.program.info.start.as_ref()?;
        let holds = |code: &&i32| PieceCode(**code as u8).bit() & codes != 0;
        Some(start.fields().iter().filter(holds).count())
    }

    fn add_saturating(&mut self, left: Value, right: Value) -> Value {
        let sum = self.builder.ins().iadd(left, right);
        // The sign of the sum differs from those of both.
        let (one, other) = (self.builder.ins().bxor(sum, left), self.builder.ins().bxor(sum, right));
        let both = self.builder.ins().band(one, other);
        let overflows = self.is(IntCC::SignedLessThan, both, 0);
        let sign = self.builder.ins().sshr_imm_s(left, 63);
        let limit = self.builder.ins().bxor_imm_s(sign, i64::MAX);
        self.builder.ins().select(overflows, limit, sum)
    }

    /// The least and the greatest value that an expression can have, roughly; `None` if that is not known, or if sums
    /// of it may overflow.
    pub(crate) fn bounds(&self, expression: &Expression) -> Option<(i128, i128)> {
        let info = &self.compiler.program.info;
        let (low, high) = match &expression.kind {
            ExpressionKind::Integer(value) => (i128::from(*value), i128::from(*value)),
            ExpressionKind::Row => (1, info.geometry.rows() as i128),
            ExpressionKind::Column => (1, info.geometry.columns() as i128),
            ExpressionKind::Direction => (0, 7),
            ExpressionKind::Place | ExpressionKind::NumberOf(_) => (0, info.geometry.fields() as i128),
            ExpressionKind::Variable(variable) => {
                let property = &info.properties[variable.property];
                (i128::from(property.low), i128::from(property.high))
            }
            ExpressionKind::Element(table, _) => {
                let values = &self.compiler.program.tables[*table].values;
                (i128::from(*values.iter().min()?), i128::from(*values.iter().max()?))
            }
            ExpressionKind::Unary(Unary::Negate, operand) => {
                let (low, high) = self.bounds(operand)?;
                (-high, -low)
            }
            ExpressionKind::Unary(Unary::Plus, operand) => self.bounds(operand)?,
            ExpressionKind::Unary(Unary::Not, _) => (0, 1),
            ExpressionKind::Conditional(_, then, otherwise) => {
                let (one, other) = (self.bounds(then)?, self.bounds(otherwise)?);
                (one.0.min(other.0), one.1.max(other.1))
            }
            ExpressionKind::Binary(operator, left, right) => {
                bounds_of_operation(*operator, self.bounds(left)?, self.bounds(right)?)?
            }
            _ => return None,
        };
        // What is larger may have wrapped around.
        (low.abs() <= WEIGHT_MAX && high.abs() <= WEIGHT_MAX).then_some((low, high))
    }
}

fn bounds_of_operation(operator: Binary, (a, b): (i128, i128), (c, d): (i128, i128)) -> Option<(i128, i128)> {
    Some(match operator {
        Binary::Add => (a + c, b + d),
        Binary::Subtract => (a - d, b - c),
        Binary::Multiply => {
            let products = [a * c, a * d, b * c, b * d];
            (products.into_iter().min()?, products.into_iter().max()?)
        }
        // Nearer to 0, or the same.
        Binary::Divide | Binary::ShiftRight => (a.min(0).min(-b), b.max(0).max(-a)),
        Binary::Less
        | Binary::LessEqual
        | Binary::Greater
        | Binary::GreaterEqual
        | Binary::Equal
        | Binary::NotEqual
        | Binary::And
        | Binary::Or => (0, 1),
        Binary::Remainder | Binary::ShiftLeft | Binary::BitAnd | Binary::BitXor | Binary::BitOr => {
            return None;
        }
    })
}
