//! What is done with a result: a move in the list, a position among the children, or a sum.
//!
//! Where all writes of a result are known when it is compiled, its changes are put together in registers,
//! sorted by slot, and written. Otherwise (loops that write, rules that call themselves) a helper compares the
//! board with the position.

use cranelift_codegen::ir::InstBuilder;
use cranelift_codegen::ir::Value;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_module::{FuncId, Module};
use game::moves::head_layout;

use super::function::{CAN_COINCIDE, Compiled, FunctionCompiler, TRUSTED};
use super::state::{Number, State, Write};
use super::unsupported;
use crate::layout::{FILTER_BITS, slot};

/// Up to so many fields are sorted in registers.
const SORTED_WRITES_MAX: usize = 4;

impl<'program> FunctionCompiler<'_, '_, 'program> {
    /// Adds a move to the list.
    pub(crate) fn emit_move(&mut self, state: State) -> Compiled<()> {
        if self.emit_turned(&state)? {
            return Ok(());
        }
        let Some(writes) = self.known_writes(&state) else {
            self.compares(&State { writes: None, ..state.clone() })?;
            return self.call_emit(self.compiler.helpers.emit_move, &state);
        };
        let compares = self.compares(&state)?;
        if writes.len() <= SORTED_WRITES_MAX && self.append_move(&state, &writes, compares)? {
            return Ok(());
        }
        let dynamic = self.builder.create_block();
        let done = self.builder.create_block();
        let words = self.change_words(&writes, dynamic);
        let signature = self.signature_difference(&writes, &state);
        // Room for one more head and all its changes.
        let room = self.compiler.layout.stored_slots + self.compiler.layout.scalars.len();
        self.make_room(room)?;
        let head = self.load_context(slot::HEADS_NEXT);
        let first = self.load_context(slot::CHANGES_NEXT);
        let mut at = first;
        for (word, certain) in words {
            self.builder.ins().store(TRUSTED, word, at, 0);
            at = if certain {
                self.builder.ins().iadd_imm_s(at, 8)
            } else {
                // A change that changes nothing is overwritten by the next one.
                let old = self.builder.ins().ushr_imm_s(word, 24);
                let differs = self.builder.ins().bxor(old, word);
                let differs = self.builder.ins().band_imm_s(differs, 0xff_ffff);
                self.advance_if(at, differs)
            };
        }
        at = self.scalar_changes(&state, at);
        self.store_head(&state, head, signature, first, at);
        let after = self.builder.ins().iadd_imm_s(head, head_layout::SIZE as i64);
        self.store_context(after, slot::HEADS_NEXT);
        self.store_context(at, slot::CHANGES_NEXT);
        if compares {
            self.filter(signature, done, self.compiler.helpers.drop_double);
        } else {
            self.builder.ins().jump(done, &[]);
        }
        self.builder.switch_to_block(dynamic);
        self.call_emit(self.compiler.helpers.emit_move, &state)?;
        self.builder.ins().jump(done, &[]);
        self.builder.switch_to_block(done);
        Ok(())
    }

    /// The writes of a result, if they are known and few enough.
    pub(crate) fn known_writes(&self, state: &State) -> Option<Vec<Write>> {
        let is_static = self.compiler.options.static_changes && state.turned.is_none();
        let writes = state.writes.clone().filter(|_| is_static)?;
        let constant = writes.iter().all(|write| write.field.known().is_some());
        (!state.field_properties_written && (writes.len() <= SORTED_WRITES_MAX || constant)).then_some(writes)
    }

    /// The changes of fields as words in slot order, and whether each certainly changes something.
    pub(crate) fn change_words(
        &mut self,
        writes: &[Write],
        dynamic: cranelift_codegen::ir::Block,
    ) -> Vec<(Value, bool)> {
        let mut writes = writes.to_vec();
        if writes.iter().all(|write| write.field.known().is_some()) {
            writes = merged(&writes);
            writes.sort_by_key(|write| write.field.known());
            return writes.iter().map(|write| (self.change_word(write), certain(write))).collect();
        }
        let all_certain = writes.iter().all(certain);
        let mut words: Vec<Value> = writes.iter().map(|write| self.change_word(write)).collect();
        self.sort_words(&mut words, dynamic);
        words.into_iter().map(|word| (word, all_certain)).collect()
    }

    /// Sorts changes by their slots; goes elsewhere if two have the same one.
    pub(crate) fn sort_words(&mut self, words: &mut [Value], equal: cranelift_codegen::ir::Block) {
        // Insertion by comparators: the slot is in the highest bits.
        for end in 1..words.len() {
            for index in (0..end).rev() {
                let (low, high) = (words[index], words[index + 1]);
                words[index] = self.builder.ins().umin(low, high);
                words[index + 1] = self.builder.ins().umax(low, high);
            }
        }
        for index in 1..words.len() {
            let difference = self.builder.ins().bxor(words[index - 1], words[index]);
            let differ = self.builder.ins().ushr_imm_s(difference, 48);
            let on = self.builder.create_block();
            self.builder.ins().brif(differ, on, &[], equal, &[]);
            self.builder.switch_to_block(on);
        }
    }

    pub(crate) fn change_word(&mut self, write: &Write) -> Value {
        let known = |number: Number| number.known().unwrap_or(0);
        let fixed = known(write.field) << 48 | known(write.old) << 24 | known(write.new);
        let mut word = None;
        for (number, shift) in [(write.field, 48), (write.old, 24), (write.new, 0)] {
            if let Number::Computed(value) = number {
                let part = if shift == 0 { value } else { self.builder.ins().ishl_imm_s(value, shift) };
                word = Some(match word {
                    None => part,
                    Some(word) => self.builder.ins().bor(word, part),
                });
            }
        }
        match word {
            None => self.number(Number::Known(fixed)),
            Some(word) if fixed == 0 => word,
            Some(word) => self.builder.ins().bor_imm_s(word, fixed),
        }
    }

    pub(crate) fn advance_if(&mut self, at: Value, condition: Value) -> Value {
        let further = self.builder.ins().iadd_imm_s(at, 8);
        self.builder.ins().select(condition, further, at)
    }

    /// Changes of properties behind those of fields.
    pub(crate) fn scalar_changes(&mut self, state: &State, mut at: Value) -> Value {
        for (index, scalar) in self.compiler.layout.scalars.clone().into_iter().enumerate() {
            let (old, new) = (self.loaded.scalars[index], state.scalars[index]);
            if old == new {
                continue;
            }
            let (old, new) = (self.number(old), self.number(new));
            let differs = self.builder.ins().bxor(old, new);
            let slot = (scalar.slot as i64) << 48;
            let word = if scalar.stored {
                let old = self.builder.ins().band_imm_s(old, 0xff_ffff);
                let old = self.builder.ins().ishl_imm_s(old, 24);
                let new = self.builder.ins().band_imm_s(new, 0xff_ffff);
                self.builder.ins().bor(old, new)
            } else {
                self.builder.ins().band_imm_s(new, 0xffff_ffff_ffff)
            };
            let word = self.builder.ins().bor_imm_s(word, slot);
            self.builder.ins().store(TRUSTED, word, at, 0);
            at = self.advance_if(at, differs);
        }
        at
    }

    pub(crate) fn make_room(&mut self, room: usize) -> Compiled<()> {
        let head = self.load_context(slot::HEADS_NEXT);
        let heads_end = self.load_context(slot::HEADS_END);
        let changes = self.load_context(slot::CHANGES_NEXT);
        let changes_end = self.load_context(slot::CHANGES_END);
        let needed = self.builder.ins().iadd_imm_s(changes, 8 * room as i64);
        let no_head = self.builder.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, head, heads_end);
        let no_changes = self.builder.ins().icmp(IntCC::UnsignedGreaterThan, needed, changes_end);
        let full = self.builder.ins().bor(no_head, no_changes);
        let (grow, on) = (self.builder.create_block(), self.builder.create_block());
        self.builder.set_cold_block(grow);
        self.builder.ins().brif(full, grow, &[], on, &[]);
        self.builder.switch_to_block(grow);
        let status = self.call_helper(self.compiler.helpers.grow, &[self.context]);
        self.check_status(status);
        self.builder.ins().jump(on, &[]);
        self.builder.switch_to_block(on);
        Ok(())
    }

    pub(crate) fn store_head(
        &mut self,
        state: &State,
        head: Value,
        signature: Value,
        first: Value,
        at: Value,
    ) {
        self.builder.ins().store(TRUSTED, signature, head, head_layout::SIGNATURE as i32);
        let outcome = self.number(state.outcome);
        self.builder.ins().istore32(TRUSTED, outcome, head, head_layout::OUTCOME as i32);
        let base = self.load_context(slot::CHANGES_BASE);
        let index = self.builder.ins().isub(first, base);
        let index = self.builder.ins().ushr_imm_s(index, 3);
        self.builder.ins().istore32(TRUSTED, index, head, head_layout::FIRST as i32);
        let count = self.builder.ins().isub(at, first);
        let count = self.builder.ins().ushr_imm_s(count, 3);
        self.builder.ins().istore16(TRUSTED, count, head, head_layout::COUNT as i32);
        let lead = self.number(state.lead);
        self.builder.ins().istore16(TRUSTED, lead, head, head_layout::LEAD as i32);
        let flags = self.flags(state);
        self.builder.ins().istore8(TRUSTED, flags, head, head_layout::FLAGS as i32);
    }

    /// Whether a move is forcing, with all its writes known.
    pub(crate) fn forcing(&mut self, state: &State) -> Number {
        let mut writes = state.writes.clone().unwrap_or_default();
        if writes.iter().all(|write| write.field.known().is_some()) {
            // What is taken away may come back.
            writes = merged(&writes);
        }
        match state.forcing {
            Number::Known(-1) => self.captures(&writes, state),
            Number::Known(mark) => Number::Known(mark),
            Number::Computed(mark) => {
                let captures = self.captures(&writes, state);
                let captures = self.number(captures);
                let unmarked = self.is(IntCC::SignedLessThan, mark, 0);
                Number::Computed(self.builder.ins().select(unmarked, captures, mark))
            }
        }
    }

    pub(crate) fn flags(&mut self, state: &State) -> Value {
        let forcing = self.forcing(state);
        match (state.irreversible, forcing) {
            (Number::Known(irreversible), Number::Known(forcing)) => {
                self.number(Number::Known(irreversible | forcing << 1))
            }
            (irreversible, forcing) => {
                let (irreversible, forcing) = (self.number(irreversible), self.number(forcing));
                let forcing = self.builder.ins().ishl_imm_s(forcing, 1);
                self.builder.ins().bor(irreversible, forcing)
            }
        }
    }

    /// Whether an opponent's piece is no longer where it was.
    pub(crate) fn captures(&mut self, writes: &[Write], state: &State) -> Number {
        let opponents = self.compiler.codes_of(self.mover.opponent());
        let mut sum: Option<Value> = None;
        if let Some(turned) = state.turned.filter(|turned| opponents & (1 << turned.old) != 0) {
            let any = self.is(IntCC::NotEqual, turned.fields, 0);
            sum = Some(self.is_true(any));
        }
        for write in writes {
            let taken = write.old_codes & opponents;
            if taken == 0 {
                continue;
            }
            let certainly = write.old_codes & !opponents == 0 && certain(write);
            if certainly {
                return Number::Known(1);
            }
            let (old, new) = (self.number(write.old), self.number(write.new));
            let member = self.is_member(old, opponents, write.old_codes);
            let differs = self.builder.ins().icmp(IntCC::NotEqual, old, new);
            let member = self.is_true(member);
            let differs = self.is_true(differs);
            let captured = self.builder.ins().band(member, differs);
            sum = Some(match sum {
                None => captured,
                Some(sum) => self.builder.ins().bor(sum, captured),
            });
        }
        sum.map_or(Number::Known(0), Number::Computed)
    }

    /// A condition as 0 or 1 in a word, whatever width it has.
    pub(crate) fn is_true(&mut self, condition: Value) -> Value {
        let kind = self.builder.func.dfg.value_type(condition);
        if kind == I64 { condition } else { self.builder.ins().uextend(I64, condition) }
    }

    /// Counts a result. What may have been there already makes the count unsure; the words behind it are there
    /// for the filter to be cleared.
    pub(crate) fn count_result(&mut self, state: State) -> Compiled<()> {
        let state = if self.compiler.options.static_changes { state } else { self.folded(&state) };
        self.count(slot::COUNTED, Number::Known(1));
        self.note_outcome(&state);
        if !self.compares(&state)? {
            return Ok(());
        }
        let difference = self.signature_difference(state.writes.as_deref().unwrap_or(&[]), &state);
        let place = self.room_for_child();
        self.builder.ins().store(TRUSTED, difference, place, 0);
        let after = self.builder.ins().iadd_imm_s(place, 8);
        self.store_context(after, slot::CHILDREN_NEXT);
        let seen = self.mark_in_filter(difference, FILTER_BITS);
        self.unsure_if(seen);
        Ok(())
    }

    /// Whether a result has to be compared with the others. An error if it has to, and others were not.
    pub(crate) fn compares(&mut self, state: &State) -> Compiled<bool> {
        if self.sites.is_none() {
            return Ok(true);
        }
        let site = self.site(state).ok_or_else(|| unsupported(CAN_COINCIDE))?;
        self.sites.get_or_insert_default().push(site);
        Ok(false)
    }

    pub(crate) fn add_to_context(&mut self, slot: usize, amount: Number) {
        let sum = self.load_context(slot);
        let sum = match amount {
            Number::Known(amount) => self.add_known(sum, amount),
            Number::Computed(amount) => self.builder.ins().iadd(sum, amount),
        };
        self.store_context(sum, slot);
    }

    pub(crate) fn unsure_if(&mut self, condition: Value) {
        let condition = self.is(IntCC::NotEqual, condition, 0);
        let condition = self.builder.ins().uextend(I64, condition);
        self.count(slot::UNSURE, Number::Computed(condition));
    }

    /// Counts results that end the game, and among them those that change nothing.
    pub(crate) fn note_outcome(&mut self, state: &State) {
        let none = i64::from(i32::MIN);
        let ends = match state.outcome {
            Number::Known(outcome) if outcome == none => return,
            Number::Known(_) => Number::Known(1),
            Number::Computed(outcome) => {
                let ends = self.is(IntCC::NotEqual, outcome, none);
                Number::Computed(self.builder.ins().uextend(I64, ends))
            }
        };
        self.count(slot::ENDED, ends);
        let stored = self.compiler.layout.scalars.iter().map(|scalar| scalar.stored);
        let scalars = state.scalars.iter().zip(&self.loaded.scalars).zip(stored);
        let same_scalars = scalars.filter(|(_, stored)| *stored).all(|((new, old), _)| new == old);
        match state.writes.as_deref() {
            Some([]) if same_scalars && !state.field_properties_written => {
                self.count(slot::VERDICTS, ends);
            }
            Some(writes) if writes.iter().any(certain) && self.all_apart(writes) => {}
            _ => {
                let ends = self.number(ends);
                self.unsure_if(ends);
            }
        }
    }

    /// Marks a result in the filter. Not 0 if there may be an equal one.
    pub(crate) fn mark_in_filter(&mut self, signature: Value, bits: usize) -> Value {
        let place = self.builder.ins().band_imm_s(signature, bits as i64 - 1);
        let index = self.builder.ins().ushr_imm_s(place, 6);
        let offset = self.builder.ins().ishl_imm_s(index, 3);
        let address = self.builder.ins().iadd(self.context, offset);
        let base = self.compiler.context.filter as i32;
        let word = self.builder.ins().load(I64, TRUSTED, address, base);
        let one = self.number(Number::Known(1));
        let bit = self.builder.ins().ishl(one, place);
        let seen = self.builder.ins().band(word, bit);
        let filled = self.builder.ins().bor(word, bit);
        self.builder.ins().store(TRUSTED, filled, address, base);
        seen
    }

    /// Drops the newest result if it was there already. Most are new, and one bit shows it.
    pub(crate) fn filter(&mut self, signature: Value, done: cranelift_codegen::ir::Block, helper: FuncId) {
        let seen = self.mark_in_filter(signature, FILTER_BITS);
        let check = self.builder.create_block();
        self.builder.set_cold_block(check);
        self.builder.ins().brif(seen, check, &[], done, &[]);
        self.builder.switch_to_block(check);
        let status = self.call_helper(helper, &[self.context]);
        self.check_status(status);
        self.builder.ins().jump(done, &[]);
    }

    /// A result whose writes are not known: the helper compares.
    pub(crate) fn call_emit(&mut self, helper: FuncId, state: &State) -> Compiled<()> {
        self.show(state);
        let changed = self.store_registers(state);
        let status = self.call_helper(helper, &[self.context, self.entry]);
        self.restore_registers(&changed);
        self.take_back(state);
        self.check_status(status);
        Ok(())
    }

    pub(crate) fn call_helper(&mut self, helper: FuncId, arguments: &[Value]) -> Value {
        self.compiler.calls_helpers = true;
        let function = self.compiler.module.declare_func_in_func(helper, self.builder.func);
        let call = self.builder.ins().call(function, arguments);
        self.builder.inst_results(call)[0]
    }
}

/// The same changes with one write to each field, where all fields are known; otherwise as they are.
pub(crate) fn merged(writes: &[Write]) -> Vec<Write> {
    if writes.iter().any(|write| write.field.known().is_none()) {
        return writes.to_vec();
    }
    let mut merged: Vec<Write> = Vec::new();
    for write in writes {
        // The last write to a field counts, and what stood there first.
        match merged.iter_mut().find(|other| other.field == write.field) {
            Some(other) => (other.new, other.new_codes) = (write.new, write.new_codes),
            None => merged.push(*write),
        }
    }
    merged.retain(|write| write.old != write.new);
    merged
}

/// Two writes to different known fields, the second of which puts down what the first has taken away.
pub(crate) fn moved(writes: &[Write]) -> Option<(usize, usize)> {
    let is_field = |write: &Write| write.field.known().is_some();
    writes.iter().enumerate().find_map(|(from, source)| {
        let moves =
            |target: &Write| is_field(target) && target.new == source.old && target.field != source.field;
        let unknown = matches!(source.old, Number::Computed(_)) && is_field(source);
        let to = unknown.then(|| writes.iter().position(moves)).flatten()?;
        Some((from, to))
    })
}

/// Whether a write certainly changes something.
pub(crate) fn certain(write: &Write) -> bool {
    write.old_codes & write.new_codes == 0
}
