//! Walking along a line to its end.
//!
//! `while step do nothing` ends where the board ends: a table knows the field. If the pieces on the way are counted
//! (`do try [ points at any piece, assign (distance++) ] while step backward`), their number is a population count of
//! the fields of the line. Both cost the same on every line, and no jump has to be guessed.

use cranelift_codegen::ir::InstBuilder;
use cranelift_codegen::ir::condcodes::IntCC;
use lang::Span;
use rules::ir::{ExpressionKind, Node, NodeKind, PieceSet, Variable};
use rules::limits::LOOP_ROUNDS_MAX;

use super::FaultKind;
use super::function::FunctionCompiler;
use super::state::{Number, State};

/// Larger boards are walked field by field.
const SET_WORDS_MAX: usize = 4;

/// A loop that steps until the board ends.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LineLoop<'program> {
    backward: bool,
    /// Whether the field where it begins is looked at too.
    with_start: bool,
    pub(crate) counted: Option<Counted<'program>>,
}

/// What is counted on the way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counted<'program> {
    pub(crate) set: &'program PieceSet,
    variable: Variable,
    /// 1 or -1 for each piece.
    amount: i64,
    span: Span,
}

impl LineLoop<'_> {
    /// The loop that a statement is, if it does nothing but step and count.
    pub(crate) fn of(node: &Node) -> Option<LineLoop<'_>> {
        let (step, body, with_start) = match &node.kind {
            NodeKind::While(step, body) => (step, body, false),
            NodeKind::DoWhile(body, step) => (step, body, true),
            _ => return None,
        };
        let NodeKind::Step { backward } = only(step)?.kind else { return None };
        let counted = if is_nothing(body) { None } else { Some(Counted::of(only(body)?)?) };
        Some(LineLoop { backward, with_start, counted })
    }
}

impl Counted<'_> {
    /// `try [ points at set, assign (variable++) ]`
    fn of(node: &Node) -> Option<Counted<'_>> {
        let NodeKind::Try(first, second) = &node.kind else { return None };
        let NodeKind::Sequence(nodes) = &first.kind else { return None };
        let [look, count] = &nodes[..] else { return None };
        let (NodeKind::PointsAt(set), NodeKind::Assign(value)) = (&look.kind, &count.kind) else {
            return None;
        };
        let ExpressionKind::Step { amount, variable, .. } = value.kind else { return None };
        is_nothing(second).then_some(Counted { set, variable, amount, span: value.span })
    }
}

fn is_nothing(node: &Node) -> bool {
    matches!(&node.kind, NodeKind::Sequence(nodes) if nodes.iter().all(is_nothing))
}

/// The only statement in brackets.
fn only(node: &Node) -> Option<&Node> {
    match &node.kind {
        NodeKind::Sequence(nodes) => match &nodes[..] {
            [inner] => only(inner),
            _ => None,
        },
        _ => Some(node),
    }
}

impl<'program> FunctionCompiler<'_, '_, 'program> {
    /// The state at the end of a loop that steps until the board ends. `None`: it has to be walked.
    pub(crate) fn end_of_line(&mut self, node: &'program Node, state: &State) -> Option<State> {
        let line = LineLoop::of(node)?;
        let somewhere = match state.finger {
            Number::Known(field) => field >= 0,
            Number::Computed(_) => !state.finger_may_be_nowhere,
        };
        let ends = self.compiler.tables.steps_max.is_some_and(|steps| steps < LOOP_ROUNDS_MAX as usize);
        if !somewhere || !ends || !self.compiler.options.whole_board_tests {
            return None;
        }
        let direction = match (state.direction, line.backward) {
            (direction, false) => direction,
            (Number::Known(direction), true) => Number::Known(direction ^ 4),
            (Number::Computed(direction), true) => {
                Number::Computed(self.builder.ins().bxor_imm_s(direction, 4))
            }
        };
        let mut after = state.clone();
        if let Some(counted) = line.counted {
            let scalar = self.countable(counted, state)?;
            let count = self.pieces_on_line(counted.set.codes[self.mover.index()], line, direction, state);
            after.scalars[scalar] = self.counted_up(counted, state.scalars[scalar], count);
        }
        let index = self.line_index(direction, state.finger);
        let ends = self.compiler.tables.line_ends();
        after.finger = match index {
            Number::Known(index) => Number::Known(i64::from(ends[index as usize])),
            index => {
                let pointer = ends.as_ptr();
                self.element_i16(pointer, index)
            }
        };
        if after.finger != state.finger {
            after.codes = self.compiler.all_codes();
        }
        after.last_step = None;
        Some(after)
    }

    /// The register in which pieces are counted, if the field sets know how many there are.
    fn countable(&self, counted: Counted<'_>, state: &State) -> Option<usize> {
        let layout = &self.compiler.layout;
        let codes = counted.set.codes[self.mover.index()];
        let are_kept = codes == 0 || layout.cover(codes).is_some();
        let is_current = state.turned.is_none() && self.floods == 0;
        let scalar = self.compiler.scalar(self.mover, counted.variable)?;
        (are_kept && is_current && layout.set_words <= SET_WORDS_MAX).then_some(scalar)
    }

    /// How many of these pieces stand on the way.
    fn pieces_on_line(
        &mut self,
        codes: u128,
        line: LineLoop<'_>,
        direction: Number,
        state: &State,
    ) -> Number {
        let index = self.line_index(direction, state.finger);
        let fields = 8 * self.compiler.layout.fields as i64;
        let mut sum = None;
        for word in 0..self.compiler.layout.set_words {
            let masks = self.compiler.tables.line_fields();
            let mut mask = match index {
                Number::Known(index) => {
                    let mask = masks[(word as i64 * fields + index) as usize];
                    self.number(Number::Known(mask as i64))
                }
                index => {
                    let pointer = masks[word * fields as usize..].as_ptr();
                    self.element_i64(pointer, index)
                }
            };
            if let (true, Some(bit)) = (line.with_start, self.bit_in_word(state.finger, word)) {
                mask = self.builder.ins().bor(mask, bit);
            }
            self.record_dependencies(codes, mask, word);
            let pieces = self.fields_with(codes, word, state);
            let here = self.builder.ins().band(pieces, mask);
            let count = self.builder.ins().popcnt(here);
            sum = Some(match sum {
                None => count,
                Some(sum) => self.builder.ins().iadd(sum, count),
            });
        }
        sum.map_or(Number::Known(0), Number::Computed)
    }

    /// A property after so many times one more, or one less. Counting ends with a fault where its range does.
    fn counted_up(&mut self, counted: Counted<'_>, before: Number, count: Number) -> Number {
        let property = &self.compiler.program.info.properties[counted.variable.property];
        let (low, high) = (property.low, property.high);
        let (before, count) = (self.number(before), self.number(count));
        let (after, first_outside) = if counted.amount > 0 {
            (self.builder.ins().iadd(before, count), high.wrapping_add(1))
        } else {
            (self.builder.ins().isub(before, count), low.wrapping_sub(1))
        };
        let above = self.add_known(after, low.wrapping_neg());
        let outside = self.is(IntCC::UnsignedGreaterThan, above, high.wrapping_sub(low));
        let first_outside = self.number(Number::Known(first_outside));
        let fault = FaultKind::OutOfRange(counted.variable.property);
        self.fault_if(outside, fault, counted.span, Some(first_outside));
        Number::Computed(after)
    }

    /// Where tables by direction and field have their element.
    fn line_index(&mut self, direction: Number, finger: Number) -> Number {
        let fields = self.compiler.layout.fields as i64;
        let row = match direction {
            Number::Known(direction) => Number::Known(direction * fields),
            Number::Computed(direction) => Number::Computed(self.builder.ins().imul_imm_s(direction, fields)),
        };
        match (row, finger) {
            (Number::Known(row), Number::Known(finger)) => Number::Known(row + finger),
            (Number::Computed(row), Number::Known(finger)) => Number::Computed(self.add_known(row, finger)),
            (Number::Known(row), Number::Computed(finger)) => Number::Computed(self.add_known(finger, row)),
            (Number::Computed(row), Number::Computed(finger)) => {
                Number::Computed(self.builder.ins().iadd(row, finger))
            }
        }
    }
}
