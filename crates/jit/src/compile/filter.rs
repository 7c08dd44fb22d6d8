//! `find` followed by a test of the found field: the test is made for all fields at once, and only the fields that
//! pass are visited. And tests after a move to the found field, whose answers the move cannot change.

use std::rc::Rc;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I8X16, I64};
use cranelift_codegen::ir::{InstBuilder, MemFlagsData, StackSlot, Value};
use rules::ir::{Node, NodeKind, PieceSet};

use super::function::{FunctionCompiler, InvariantKind, Next, TRUSTED};
use super::predicates::differs;
use super::state::{Number, State, Write};

/// A test is made for all fields at once if it is asked for about so many of them at least.
const FIELDS_LEAST: f64 = 16.0;

/// So many fields with a piece are many.
const MANY_FIELDS: usize = 6;

impl<'program> FunctionCompiler<'_, '_, 'program> {
    /// Takes tests off what follows a `find` and gives the fields that pass them all.
    pub(crate) fn filter_fields(
        &mut self,
        codes: u128,
        next: &Rc<Next<'program>>,
        state: &State,
    ) -> (Option<Vec<Value>>, Rc<Next<'program>>) {
        let (mut next, mut passing) = (next.clone(), None::<Vec<Value>>);
        if self.tracking.is_some() || !self.compiler.options.whole_board_tests {
            return (None, next);
        }
        while let Next::Statements(nodes, rule, after) = &*next.clone() {
            let Some((first, rest)) = nodes.split_first() else { break };
            // For a king alone, what other rules ask is asked there alone.
            let are_many = self.fields_at_start(codes).is_some_and(|fields| fields >= MANY_FIELDS);
            let first = if are_many { self.called(first) } else { first };
            let is_test = matches!(first.kind, NodeKind::Test(_) | NodeKind::Not(_));
            if !is_test && !matches!(first.kind, NodeKind::OnFields(_)) {
                break;
            }
            let Some(plan) = self.plan(first, None) else { break };
            let fields = self.fields_that_pass(&plan, state);
            passing = Some(match passing {
                None => fields,
                Some(other) => {
                    let both = other.into_iter().zip(fields);
                    both.map(|(one, other)| self.builder.ins().band(one, other)).collect()
                }
            });
            next = match rest {
                [] => after.clone(),
                rest => Rc::new(Next::Statements(rest, rule, after.clone())),
            };
        }
        (passing, next)
    }

    /// The statement that a call comes to, if it is only one.
    pub(crate) fn called(&self, node: &'program Node) -> &'program Node {
        let mut node = node;
        loop {
            match &node.kind {
                NodeKind::Call(rule) if !self.compiler.recursive[*rule] => {
                    node = &self.compiler.program.functions[*rule].body;
                }
                NodeKind::Sequence(nodes) if nodes.len() == 1 => node = &nodes[0],
                _ => return node,
            }
        }
    }

    /// Whether a test succeeds, if that can be told from the position before the move: a word that is not 0 then.
    pub(crate) fn answer_before_move(&mut self, body: &'program Node, state: &State) -> Option<Value> {
        let options = self.compiler.options;
        if !self.from_position
            || self.tracking.is_some()
            || self.times < FIELDS_LEAST
            || !options.whole_board_tests
            || state.finger_may_be_nowhere
        {
            return None;
        }
        let Number::Computed(finger) = state.finger else { return None };
        let writes = state.writes.as_ref()?;
        let is_here = |write: &&Write| write.field == state.finger;
        let here = writes.iter().any(|write| is_here(&write)).then_some(state.codes);
        let plan = self.plan(body, here)?;
        let matters = |write: &Write| {
            (plan.asks_beginning || !is_here(&write))
                && plan.asks.iter().any(|&set| differs(write.old_codes, write.new_codes, set))
        };
        if writes.iter().any(matters) {
            return None;
        }
        let place = self.passing_before(body, here);
        let word = self.word_of_field(place, finger);
        let shifted = self.builder.ins().ushr(word, finger);
        Some(self.builder.ins().band_imm_s(shifted, 1))
    }

    /// The word of a field set on the stack that a field is in.
    fn word_of_field(&mut self, place: StackSlot, field: Value) -> Value {
        let base = self.builder.ins().stack_addr(I64, place, 0);
        if self.compiler.layout.set_words == 1 {
            return self.builder.ins().load(I64, TRUSTED, base, 0);
        }
        let index = self.builder.ins().ushr_imm_s(field, 6);
        let offset = self.builder.ins().ishl_imm_s(index, 3);
        let address = self.builder.ins().iadd(base, offset);
        self.builder.ins().load(I64, TRUSTED, address, 0)
    }

    /// `match` where each field must hold one certain piece or may hold any: the fields that are different before
    /// the move are known, and the move has to put them right. `None`: not of that kind.
    pub(crate) fn match_by_difference(&mut self, sets: &'program [PieceSet], state: &State) -> Option<()> {
        if !self.from_position || self.tracking.is_some() || !self.compiler.options.whole_board_tests {
            return None;
        }
        let writes = state.writes.clone()?;
        let wanted: Vec<Option<i64>> = self.wanted_codes(sets)?;
        let mismatch = self.invariant(InvariantKind::Mismatch(sets));
        // Whatever the move has not touched must have been right before.
        let mut left = None;
        for word in 0..self.compiler.layout.set_words {
            let mut fields = self.builder.ins().stack_load(I64, I64, mismatch, 8 * word as i32);
            for write in &writes {
                if let Some(bit) = self.bit_in_word(write.field, word) {
                    fields = self.builder.ins().band_not(fields, bit);
                }
            }
            left = Some(match left {
                None => fields,
                Some(left) => self.builder.ins().bor(left, fields),
            });
        }
        let left = left.unwrap_or_else(|| self.number(Number::Known(0)));
        let right = self.is(IntCC::Equal, left, 0);
        self.require(right);
        // And what it has touched must be right now. Each field once, with the last code.
        let table: Box<[i64]> = wanted.iter().map(|code| code.unwrap_or(-1)).collect();
        let pointer = table.as_ptr();
        self.compiler.tables.made.push(table);
        for write in &writes {
            match write.field {
                Number::Known(field) => {
                    if let Some(wanted) = wanted[field as usize] {
                        let code = self.load_field(state, write.field);
                        let fits = self.is(IntCC::Equal, code, wanted);
                        self.require(fits);
                    }
                }
                field => {
                    let wanted = self.element_i64(pointer, field);
                    let code = self.load_field(state, field);
                    let equal = self.builder.ins().icmp(IntCC::Equal, code, wanted);
                    let any = self.is(IntCC::SignedLessThan, wanted, 0);
                    let fits = self.builder.ins().bor(equal, any);
                    self.require(fits);
                }
            }
        }
        Some(())
    }

    /// By field: the one code that a `match` wants there, `None` for any; `None` in all if it is not so simple.
    pub(crate) fn wanted_codes(&self, sets: &[PieceSet]) -> Option<Vec<Option<i64>>> {
        let fields = self.compiler.layout.fields;
        let mut wanted = vec![None; fields];
        for (seen, set) in sets.iter().enumerate() {
            let codes = set.codes[self.mover.index()];
            wanted[self.turned(seen) as usize] = match codes.count_ones() {
                1 => Some(i64::from(codes.trailing_zeros())),
                128 => None,
                _ => return None,
            };
        }
        Some(wanted)
    }

    /// The fields of the position that are not as a `match` wants them.
    pub(crate) fn mismatch(&mut self, sets: &[PieceSet]) -> Vec<Value> {
        let wanted = self.wanted_codes(sets).unwrap_or_default();
        let layout = self.compiler.layout.clone();
        let zero = self.number(Number::Known(0));
        let mut words = vec![zero; layout.set_words];
        for (number, chunk) in wanted.chunks(16).enumerate() {
            // The board may end within these sixteen fields: words behind it are part of the image, or of what
            // follows it; their answers are masked away.
            let first = 16 * number;
            let available = layout.words * 8 - layout.mailbox - first;
            let (mut goal, mut mask) = ([0_u8; 16], 0_i64);
            for (index, code) in chunk.iter().enumerate() {
                if let Some(code) = code {
                    goal[index] = *code as u8;
                    mask |= 1 << index;
                }
            }
            if mask == 0 {
                continue;
            }
            let bits = if available >= 16 {
                let flags = MemFlagsData::new().with_notrap();
                let now = self.builder.ins().load(I8X16, flags, self.entry, (layout.mailbox + first) as i32);
                let goal = self.builder.func.dfg.constants.insert(goal.to_vec().into());
                let goal = self.builder.ins().vconst(I8X16, goal);
                let equal = self.builder.ins().icmp(IntCC::Equal, now, goal);
                let equal = self.builder.ins().vhigh_bits(I64, equal);
                let wrong = self.builder.ins().bnot(equal);
                self.builder.ins().band_imm_s(wrong, mask)
            } else {
                let mut bits = zero;
                for (index, code) in chunk.iter().enumerate() {
                    let Some(code) = code else { continue };
                    let field = Number::Known((first + index) as i64);
                    let (address, offset) = self.field_address(self.entry, field);
                    let offset = offset + layout.mailbox as i32;
                    let now = self.builder.ins().uload8(I64, TRUSTED, address, offset);
                    let wrong = self.is(IntCC::NotEqual, now, *code);
                    let wrong = self.builder.ins().uextend(I64, wrong);
                    let bit = self.builder.ins().ishl_imm_s(wrong, index as i64);
                    bits = self.builder.ins().bor(bits, bit);
                }
                bits
            };
            let moved = self.builder.ins().ishl_imm_s(bits, (first % 64) as i64);
            words[first / 64] = self.builder.ins().bor(words[first / 64], moved);
        }
        words
    }
}
