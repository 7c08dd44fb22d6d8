//! All fingers of a route at once: sets of fields that step and slide together.

use cranelift_codegen::ir::{BlockArg, InstBuilder, Value};
use game::Direction;
use rules::ir::{Expression, ExpressionKind, NodeKind};

use super::choices::Round;
use super::function::{Compiled, FunctionCompiler};
use super::passing::distances;
use super::state::{Number, State};
use super::summing::{Answers, Move, Route};

impl<'program> FunctionCompiler<'_, '_, 'program> {
    /// Where the fingers are at the end of a line.
    pub(crate) fn fields_of_line(
        &mut self,
        line: &Route<'program>,
        found: Vec<Value>,
        state: &State,
        answers: &mut Answers,
    ) -> Vec<Value> {
        let mut fields = found;
        for step in &line.moves {
            fields = match step {
                Move::Step(direction) => self.step_all(fields, *direction),
                Move::Slide(direction, over) => self.slide_all(fields, *direction, *over, state),
                Move::Stay(codes) => {
                    let pieces = self.words_with(*codes, state);
                    self.both(fields, pieces)
                }
                Move::Avoid(codes) => {
                    let pieces = self.words_with(*codes, state);
                    let both = fields.into_iter().zip(pieces);
                    both.map(|(here, taken)| self.builder.ins().band_not(here, taken)).collect()
                }
                Move::On(mask) => {
                    let mask = mask.iter().map(|&word| self.number(Number::Known(word as i64))).collect();
                    self.both(fields, mask)
                }
                Move::Pass(test, plan, wanted) => {
                    let known = answers.get(&std::ptr::from_ref(*test)).cloned();
                    let mut passing = known.unwrap_or_else(|| self.fields_that_pass(plan, state));
                    answers.insert(*test, passing.clone());
                    if !wanted {
                        passing = passing.into_iter().map(|word| self.builder.ins().bnot(word)).collect();
                    }
                    self.both(fields, passing)
                }
            };
        }
        fields
    }

    /// Adds the weights of fingers that differ by the fields where they are.
    pub(crate) fn add_one_by_one(
        &mut self,
        fields: Vec<Value>,
        line: &Route<'program>,
        weight: &'program Expression,
        state: &State,
    ) -> Compiled<()> {
        let scalars = line.scalars.clone();
        let state = State { scalars, finger_may_be_nowhere: false, ..state.clone() };
        for (word, fields) in fields.into_iter().enumerate() {
            let Round { header, left, done } = self.fields_in_order(fields, None);
            let bit = self.builder.ins().ctz(left);
            let finger = Number::Computed(self.add_known(bit, 64 * word as i64));
            let mut state = State { finger, ..state.clone() };
            for node in &line.late {
                if let NodeKind::Assign(value) = &node.kind {
                    self.expression(value, &mut state)?;
                }
            }
            let weight = self.expression(weight, &mut state)?;
            let weight = self.number(weight);
            self.add_to_feature(weight);
            let less = self.builder.ins().iadd_imm_s(left, -1);
            let rest = self.builder.ins().band(left, less);
            self.builder.ins().jump(header, &[BlockArg::Value(rest)]);
            self.builder.switch_to_block(done);
        }
        Ok(())
    }

    /// Whether a property gets a value in its range that depends on nothing but the finger.
    pub(crate) fn is_by_field(&self, expression: &Expression) -> bool {
        match &expression.kind {
            ExpressionKind::Assign(None, variable, value) => {
                self.compiler.scalar(self.mover, *variable).is_some()
                    && self.keeps_within(*variable, value)
                    && (matches!(value.kind, ExpressionKind::Integer(_))
                        || self.elements_by_field(value).is_some())
            }
            _ => false,
        }
    }

    pub(crate) fn words_with(&mut self, codes: u128, state: &State) -> Vec<Value> {
        (0..self.compiler.layout.set_words).map(|word| self.fields_with(codes, word, state)).collect()
    }

    pub(crate) fn both(&mut self, one: Vec<Value>, other: Vec<Value>) -> Vec<Value> {
        one.into_iter().zip(other).map(|(one, other)| self.builder.ins().band(one, other)).collect()
    }

    /// All fingers one field on.
    pub(crate) fn step_all(&mut self, fields: Vec<Value>, direction: Direction) -> Vec<Value> {
        let words = self.compiler.layout.set_words;
        let zero = self.number(Number::Known(0));
        let mut reached = vec![zero; words];
        for (distance, starts) in distances(&self.steps(direction)) {
            let starts = starts.into_iter().map(|word| self.number(Number::Known(word as i64))).collect();
            let going = self.both(fields.clone(), starts);
            for (word, reached) in reached.iter_mut().enumerate() {
                let moved = self.shifted_word(&going, word, -distance);
                *reached = self.builder.ins().bor(*reached, moved);
            }
        }
        reached
    }

    /// Fingers where they are, and on every field that they come to over such pieces.
    pub(crate) fn slide_all(
        &mut self,
        fields: Vec<Value>,
        direction: Direction,
        over: u128,
        state: &State,
    ) -> Vec<Value> {
        let over = self.words_with(over, state);
        let Some((distance, targets, rounds)) = self.doubling(direction) else {
            let mut reached = fields;
            for _ in 0..self.longest_ray() {
                let stepped = self.step_all(reached.clone(), direction);
                let further = self.both(stepped, over.clone());
                let both = reached.into_iter().zip(further);
                reached = both.map(|(here, there)| self.builder.ins().bor(here, there)).collect();
            }
            return reached;
        };
        // One field on, then two, then four: each round fills as many more as all rounds before.
        let targets = self.number(Number::Known(targets as i64));
        let mut open = self.builder.ins().band(over[0], targets);
        let mut reached = fields[0];
        for round in 0..rounds {
            let distance = distance << round;
            let moved = self.shifted_word(&[reached], 0, -distance);
            let further = self.builder.ins().band(moved, open);
            reached = self.builder.ins().bor(reached, further);
            let moved = self.shifted_word(&[open], 0, -distance);
            open = self.builder.ins().band(open, moved);
        }
        vec![reached]
    }

    /// Where all steps in a direction are equally long on a board of one word: how long, where they lead, and how often
    /// they must be doubled to come to the end.
    pub(crate) fn doubling(&self, direction: Direction) -> Option<(i64, u64, usize)> {
        let steps = self.steps(direction);
        let [(distance, _)] = distances(&steps)[..] else { return None };
        let targets = steps
            .iter()
            .flatten()
            .fold(0, |targets, &field| targets | 1_u64.checked_shl(field.into()).unwrap_or(0));
        let rounds = usize::BITS as usize - self.longest_ray().leading_zeros() as usize;
        let stays_within = distance.unsigned_abs() << rounds.saturating_sub(1) < 64;
        (self.compiler.layout.set_words == 1 && stays_within).then_some((distance, targets, rounds))
    }
}
