//! What statements do to finger, hand and board.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value};
use game::PieceCode;
use rules::ir::{ExpressionKind, Node, NodeKind, PieceSet};

use super::FaultKind;
use super::function::FunctionCompiler;
use super::state::{LastStep, Number, State, Write};

/// More writes than this are made in memory before the next one.
const PENDING_MAX: usize = 4;

/// Calls in calls that are opened.
const OPENED_MAX: usize = 8;

impl<'program> FunctionCompiler<'_, '_, 'program> {
    /// Statements one after the other without brackets, and with those of the rules that `opens` accepts in place of
    /// their calls. Rules that call each other are opened a few levels deep.
    pub(crate) fn opened(&self, node: &'program Node, opens: &dyn Fn(usize) -> bool) -> Vec<&'program Node> {
        let mut statements = Vec::new();
        let mut open = vec![(node, 0)];
        while let Some((node, depth)) = open.pop() {
            match &node.kind {
                NodeKind::Sequence(nodes) => open.extend(nodes.iter().rev().map(|node| (node, depth))),
                NodeKind::Call(rule) if depth < OPENED_MAX && opens(*rule) => {
                    open.push((&self.compiler.program.functions[*rule].body, depth + 1));
                }
                _ => statements.push(node),
            }
        }
        statements
    }

    /// Whether a statement gives a property that is one number a value of its range.
    pub(crate) fn assigns_constant(&self, node: &Node) -> bool {
        let NodeKind::Assign(value) = &node.kind else { return false };
        let ExpressionKind::Assign(None, variable, value) = &value.kind else { return false };
        let property = &self.compiler.program.info.properties[variable.property];
        let range = property.low..=property.high;
        self.compiler.scalar(self.mover, *variable).is_some()
            && matches!(value.kind, ExpressionKind::Integer(value) if range.contains(&value))
    }

    /// Fails if the finger is nowhere; false if it certainly is.
    pub(crate) fn finger_is_somewhere(&mut self, state: &mut State) -> bool {
        match state.finger {
            Number::Known(-1) => {
                self.give_up();
                false
            }
            Number::Computed(finger) if state.finger_may_be_nowhere => {
                let somewhere = self.is(IntCC::SignedGreaterThanOrEqual, finger, 0);
                self.require(somewhere);
                state.finger_may_be_nowhere = false;
                true
            }
            _ => true,
        }
    }

    /// Whether a code is one of a set, given what it may be.
    pub(crate) fn is_member(&mut self, code: Value, set: u128, possible: u128) -> Value {
        let (inside, outside) = (set & possible, possible & !set);
        if inside.count_ones() == 1 {
            return self.is(IntCC::Equal, code, i64::from(inside.trailing_zeros()));
        }
        if outside.count_ones() == 1 {
            return self.is(IntCC::NotEqual, code, i64::from(outside.trailing_zeros()));
        }
        let low = self.number(Number::Known(inside as u64 as i64));
        let low = self.builder.ins().ushr(low, code);
        if possible >> 64 == 0 {
            return self.builder.ins().band_imm_s(low, 1);
        }
        let high = self.number(Number::Known((inside >> 64) as u64 as i64));
        let high = self.builder.ins().ushr(high, code);
        let is_high = self.is(IntCC::UnsignedGreaterThanOrEqual, code, 64);
        let word = self.builder.ins().select(is_high, high, low);
        self.builder.ins().band_imm_s(word, 1)
    }

    pub(crate) fn points_at(&mut self, set: &PieceSet, mut state: State) -> Option<State> {
        let set = set.codes[self.mover.index()];
        if !self.finger_is_somewhere(&mut state) {
            return None;
        }
        if set & state.codes == 0 {
            self.give_up();
            return None;
        }
        if state.codes & !set != 0 {
            let code = self.load_field(&state, state.finger);
            self.record_dependency(set, state.finger);
            let found = self.is_member(code, set, state.codes);
            self.require(found);
            if self.compiler.options.known_pieces {
                state.codes &= set;
            }
        }
        Some(state)
    }

    /// Puts a code on the finger's field and keeps everything else in step.
    pub(crate) fn write(&mut self, state: &mut State, new: Number, new_codes: u128) {
        let old = match state.codes.count_ones() {
            1 => Number::Known(i64::from(state.codes.trailing_zeros())),
            _ => Number::Computed(self.load_field(state, state.finger)),
        };
        self.write_over(state, old, new, new_codes);
    }

    /// The same where it is known what stands there.
    pub(crate) fn write_over(&mut self, state: &mut State, old: Number, new: Number, new_codes: u128) {
        let old_codes = state.codes;
        self.update_sets(state, state.finger, (old, old_codes), (new, new_codes));
        self.lead(state, state.finger);
        let origin = state.last_step.filter(|step| step.to == state.finger).and_then(|step| {
            let direction = match step.direction {
                Number::Known(direction) if step.backward => Number::Known((direction + 4) % 8),
                Number::Computed(_) if step.backward => return None,
                direction => direction,
            };
            Some((step.from, direction))
        });
        self.note_write(state, Write { field: state.finger, old, old_codes, new, new_codes, origin });
        state.codes = if self.compiler.options.known_pieces { new_codes } else { self.compiler.all_codes() };
    }

    /// Remembers a write, or at least what it does to the signature.
    pub(crate) fn note_write(&mut self, state: &mut State, write: Write) {
        match &mut state.writes {
            Some(writes) => {
                writes.push(write);
                if state.pending().len() > PENDING_MAX
                    && state.pending().iter().any(|write| write.field.known().is_none())
                {
                    self.settle(state);
                }
            }
            None => {
                self.store_field(write.field, write.old, write.new);
                if self.sums {
                    state.difference = self.with_keys(state.difference, &write);
                }
            }
        }
    }

    /// A field is written: if it is the first one, it leads.
    pub(crate) fn lead(&mut self, state: &mut State, field: Number) {
        let unset = i64::from(game::geometry::NO_FIELD);
        match state.lead {
            Number::Known(lead) if lead == unset => state.lead = field,
            Number::Computed(lead) if state.writes.as_ref().is_none_or(Vec::is_empty) => {
                let is_unset = self.is(IntCC::Equal, lead, unset);
                let field = self.number(field);
                state.lead = Number::Computed(self.builder.ins().select(is_unset, field, lead));
            }
            _ => {}
        }
    }

    /// Adds a field to the sets that its new code belongs to, and removes it from the others.
    pub(crate) fn update_sets(
        &mut self,
        state: &mut State,
        field: Number,
        (old, old_codes): (Number, u128),
        (new, new_codes): (Number, u128),
    ) {
        let words = self.compiler.layout.set_words;
        let sets = self.compiler.layout.sets.clone();
        let bits: Vec<Option<Value>> = (0..words).map(|word| self.bit_in_word(field, word)).collect();
        for (index, &set) in sets.iter().enumerate() {
            let was = (old_codes & set != 0, old_codes & !set != 0);
            let is = (new_codes & set != 0, new_codes & !set != 0);
            if (was.0, is.0) == (false, false) || (was.1, is.1) == (false, false) {
                continue; // in the set before and after, or not in it before and after
            }
            for (word, bit) in bits.iter().enumerate() {
                let Some(bit) = *bit else { continue };
                let value = state.sets[index * words + word];
                state.sets[index * words + word] = match is {
                    (true, false) => self.builder.ins().bor(value, bit),
                    (false, true) => self.builder.ins().band_not(value, bit),
                    _ => {
                        let new = self.number(new);
                        let member = self.is_member(new, set, new_codes);
                        let with = self.builder.ins().bor(value, bit);
                        let without = self.builder.ins().band_not(value, bit);
                        self.builder.ins().select(member, with, without)
                    }
                };
            }
        }
        let _ = old;
    }

    /// The bit of a field in one word of a set; `None` if it is certainly in another word.
    pub(crate) fn bit_in_word(&mut self, field: Number, word: usize) -> Option<Value> {
        match field {
            Number::Known(field) if field as usize / 64 == word => {
                Some(self.number(Number::Known(1_i64 << (field % 64))))
            }
            Number::Known(_) => None,
            Number::Computed(field) => {
                let one = self.number(Number::Known(1));
                let bit = self.builder.ins().ishl(one, field);
                if self.compiler.layout.set_words == 1 {
                    return Some(bit);
                }
                let high = self.builder.ins().ushr_imm_s(field, 6);
                let here = self.is(IntCC::Equal, high, word as i64);
                let zero = self.number(Number::Known(0));
                Some(self.builder.ins().select(here, bit, zero))
            }
        }
    }

    pub(crate) fn pick_up(&mut self, mut state: State) -> Option<State> {
        if !self.finger_is_somewhere(&mut state) {
            return None;
        }
        self.require_hand(&mut state, true)?;
        let empty = PieceCode::EMPTY.bit();
        if state.codes == empty {
            self.give_up();
            return None;
        }
        let code = match state.codes.count_ones() {
            1 => Number::Known(i64::from(state.codes.trailing_zeros())),
            _ => {
                let code = self.load_field(&state, state.finger);
                if state.codes & empty != 0 {
                    self.record_dependency(empty, state.finger);
                    let filled = self.is(IntCC::NotEqual, code, 0);
                    self.require(filled);
                    state.codes &= !empty;
                }
                Number::Computed(code)
            }
        };
        let codes = state.codes;
        self.write_over(&mut state, code, Number::Known(0), empty);
        (state.hand, state.hand_codes) = (code, codes);
        Some(state)
    }

    pub(crate) fn put_down(&mut self, mut state: State) -> Option<State> {
        if !self.finger_is_somewhere(&mut state) {
            return None;
        }
        self.require_hand(&mut state, false)?;
        let (hand, codes) = (state.hand, state.hand_codes);
        self.write(&mut state, hand, codes);
        (state.hand, state.hand_codes) = (Number::Known(0), PieceCode::EMPTY.bit());
        Some(state)
    }

    /// Fails unless the hand is empty, or unless it is not.
    pub(crate) fn require_hand(&mut self, state: &mut State, wanted_empty: bool) -> Option<()> {
        let empty = PieceCode::EMPTY.bit();
        let allowed = if wanted_empty { empty } else { !empty };
        if state.hand_codes & allowed == 0 {
            self.give_up();
            return None;
        }
        if state.hand_codes & !allowed != 0 {
            let hand = self.number(state.hand);
            let condition = if wanted_empty { IntCC::Equal } else { IntCC::NotEqual };
            let fits = self.is(condition, hand, 0);
            self.require(fits);
            state.hand_codes &= allowed;
            if wanted_empty {
                state.hand = Number::Known(0);
            }
        }
        Some(())
    }

    pub(crate) fn step(&mut self, backward: bool, mut state: State) -> Option<State> {
        if !self.finger_is_somewhere(&mut state) {
            return None;
        }
        if let Some(back) = self.step_back(backward, &state) {
            return Some(back);
        }
        let fields = self.compiler.layout.fields as i64;
        let table = self.compiler.tables.neighbours.as_ptr();
        let direction = match (state.direction, backward) {
            (Number::Known(direction), true) => Number::Known((direction + 4) % 8),
            (Number::Computed(direction), true) => {
                Number::Computed(self.builder.ins().bxor_imm_s(direction, 4))
            }
            (direction, false) => direction,
        };
        let finger = match (direction, state.finger) {
            (Number::Known(direction), Number::Known(finger)) => {
                let to = self.compiler.tables.neighbours[(direction * fields + finger) as usize];
                if to < 0 {
                    self.give_up();
                    return None;
                }
                Number::Known(i64::from(to))
            }
            (Number::Known(direction), finger) => {
                let table = table.wrapping_add((direction * fields) as usize);
                self.element_i16(table, finger)
            }
            (Number::Computed(direction), finger) => {
                let row = self.builder.ins().imul_imm_s(direction, fields);
                let index = match finger {
                    Number::Known(finger) => self.builder.ins().iadd_imm_s(row, finger),
                    Number::Computed(finger) => self.builder.ins().iadd(row, finger),
                };
                self.element_i16(table, Number::Computed(index))
            }
        };
        if let Number::Computed(finger) = finger {
            let somewhere = self.is(IntCC::SignedGreaterThanOrEqual, finger, 0);
            self.require(somewhere);
        }
        state.last_step = state.writes.as_ref().map(|writes| LastStep {
            from: state.finger,
            codes: state.codes,
            direction: state.direction,
            backward,
            to: finger,
            writes: writes.len(),
        });
        state.finger = finger;
        state.finger_may_be_nowhere = false;
        state.codes = self.compiler.all_codes();
        Some(state)
    }

    /// A step that takes back the last one: the finger is where it was, and what was known of that field still is.
    pub(crate) fn step_back(&self, backward: bool, state: &State) -> Option<State> {
        let step = state.last_step.filter(|_| self.compiler.tables.steps_are_reversible)?;
        let writes = state.writes.as_ref()?;
        if step.to != state.finger || step.direction != state.direction || step.backward == backward {
            return None;
        }
        let unwritten = writes[step.writes..].iter().all(|write| write.field == step.to);
        let codes = if unwritten { step.codes } else { self.compiler.all_codes() };
        Some(State {
            finger: step.from,
            finger_may_be_nowhere: false,
            codes,
            last_step: None,
            ..state.clone()
        })
    }

    pub(crate) fn move_to(&mut self, column: Number, row: Number, mut state: State) -> Option<State> {
        let geometry = &self.compiler.program.info.geometry;
        let (columns, rows) = (geometry.columns() as i64, geometry.rows() as i64);
        state.codes = self.compiler.all_codes();
        state.finger_may_be_nowhere = false;
        if let (Number::Known(column), Number::Known(row)) = (column, row) {
            let field = geometry.at(column, row).map(|field| self.turned(field as usize));
            return match field.filter(|&field| self.compiler.program.info.geometry.is_used(field as u16)) {
                Some(field) => {
                    state.finger = Number::Known(field);
                    Some(state)
                }
                None => {
                    self.give_up();
                    None
                }
            };
        }
        let (column, row) = (self.number(column), self.number(row));
        let column = self.builder.ins().iadd_imm_s(column, -1);
        let row = self.builder.ins().iadd_imm_s(row, -1);
        for (value, size) in [(column, columns), (row, rows)] {
            let inside = self.is(IntCC::UnsignedLessThan, value, size);
            self.require(inside);
        }
        let row = self.builder.ins().imul_imm_s(row, columns);
        let mut field = self.builder.ins().iadd(row, column);
        if self.rotated() {
            let last = self.number(Number::Known(columns * rows - 1));
            field = self.builder.ins().isub(last, field);
        }
        let used = self.compiler.program.info.geometry.used().to_vec();
        if used.contains(&false) {
            let flag = self.field_flag(&used, Number::Computed(field));
            self.require(flag);
        }
        state.finger = Number::Computed(field);
        Some(state)
    }

    /// Whether a field is among those with a flag.
    pub(crate) fn field_flag(&mut self, flags: &[bool], field: Number) -> Value {
        let words: Vec<u64> = flags
            .chunks(64)
            .map(|chunk| chunk.iter().enumerate().fold(0, |word, (bit, &flag)| word | u64::from(flag) << bit))
            .collect();
        let field = self.number(field);
        let word = match words[..] {
            [word] => self.number(Number::Known(word as i64)),
            _ => {
                let table: Box<[i64]> = words.iter().map(|&word| word as i64).collect();
                let pointer = table.as_ptr();
                self.compiler.tables.made.push(table);
                let index = self.builder.ins().ushr_imm_s(field, 6);
                self.element_i64(pointer, Number::Computed(index))
            }
        };
        let shifted = self.builder.ins().ushr(word, field);
        self.builder.ins().band_imm_s(shifted, 1)
    }

    pub(crate) fn on_fields(&mut self, node: &Node, flags: &[bool], state: State) -> Option<State> {
        match state.finger {
            Number::Known(field) if field >= 0 => {
                if flags[field as usize] {
                    return Some(state);
                }
                self.give_up();
                None
            }
            _ => {
                let finger = self.number(state.finger);
                if state.finger_may_be_nowhere {
                    let nowhere = self.is(IntCC::SignedLessThan, finger, 0);
                    self.fault_if(nowhere, FaultKind::FingerNowhere, node.span, None);
                }
                if !flags.contains(&false) {
                    return Some(state);
                }
                let flag = self.field_flag(flags, Number::Computed(finger));
                self.require(flag);
                Some(state)
            }
        }
    }

    pub(crate) fn cycle(&mut self, fields: &[u16], state: &mut State) {
        let known: Vec<Number> = fields.iter().map(|&field| Number::Known(i64::from(field))).collect();
        let codes: Vec<Number> =
            known.iter().map(|&field| Number::Computed(self.load_field(state, field))).collect();
        let possible = self.compiler.all_codes();
        for (index, &code) in codes.iter().enumerate() {
            let to = (index + 1) % fields.len();
            self.update_sets(state, known[to], (codes[to], possible), (code, possible));
            self.lead(state, known[to]);
            let (old, new) = (codes[to], code);
            let write =
                Write { field: known[to], old, old_codes: possible, new, new_codes: possible, origin: None };
            self.note_write(state, write);
        }
        state.codes = possible;
    }
}
