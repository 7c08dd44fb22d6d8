//! Counting lines of play without leaving machine code.
//!
//! Every move is played in the position itself, the lines behind it are counted by a call, and the move is taken
//! back: only what it changes is written. Each ply has a context of its own, one behind the other. What cannot be
//! settled here (faults, results that may be the same, positions that may be finished) ends with [`GIVE_UP`];
//! the caller counts the lines in another way.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{BlockArg, InstBuilder, MemFlagsData, Value};
use cranelift_frontend::Variable;
use rules::ir::Node;

use super::analysis::Effects;
use super::emission::{certain, merged};
use super::function::{CAN_COINCIDE, CONTINUE, Compiled, FunctionCompiler, TRUSTED};
use super::state::{Number, State, Write};
use super::{Goal, unsupported};
use crate::layout::{DIFFERENCES_MAX, FILTER_BITS, MOVER, SIGNATURE, SMALL_FILTER_BITS, slot};
use crate::runtime::GIVE_UP;

/// The register that holds the outcome.
const OUTCOME: usize = 3;

/// Numbers of the position that is being expanded, added up where they are used.
pub(crate) struct Counters {
    /// In the order of [`COUNTED_SLOTS`].
    sums: [Variable; COUNTED_SLOTS.len()],
    used: [bool; COUNTED_SLOTS.len()],
    /// Results that may be the same as the position, and something that is not 0 if one of them is not.
    doubtful: Variable,
    changed: Variable,
    has_doubtful: bool,
}

/// What is counted, by its place in the context.
const COUNTED_SLOTS: [usize; 4] = [slot::COUNTED, slot::ENDED, slot::VERDICTS, slot::UNSURE];

/// Where totals lie, in words from their beginning.
mod total {
    pub(super) const LEAVES: i32 = 0;
    pub(super) const NODES: i32 = 8;
    pub(super) const ENDED: i32 = 16;
}

/// Values of a function that plays moves in the position.
pub(crate) struct Walk {
    /// The signature of the position.
    pub(crate) signature: Value,
    /// What to call for the next ply, and how deep it has to go; nothing where leaves are played.
    pub(crate) deeper: Option<(Value, Value)>,
    /// The number of the result that is wanted, where one is picked.
    pub(crate) wanted: Value,
}

impl<'program> FunctionCompiler<'_, '_, 'program> {
    // ---- counters

    /// Where all results come out in one function, they are counted in registers.
    pub(crate) fn count_in_registers(&mut self) {
        let sums = COUNTED_SLOTS.map(|_| self.builder.declare_var(I64));
        let [doubtful, changed] = [(); 2].map(|()| self.builder.declare_var(I64));
        let zero = self.number(Number::Known(0));
        for sum in sums.into_iter().chain([doubtful, changed]) {
            self.builder.def_var(sum, zero);
        }
        let used = [false; COUNTED_SLOTS.len()];
        self.counters = Some(Counters { sums, used, doubtful, changed, has_doubtful: false });
    }

    /// Adds to one of the numbers of this position.
    pub(crate) fn count(&mut self, slot: usize, amount: Number) {
        let which = COUNTED_SLOTS.iter().position(|&own| own == slot).expect("it is counted");
        let Some(counters) = &mut self.counters else { return self.add_to_context(slot, amount) };
        counters.used[which] = true;
        let sum = counters.sums[which];
        let before = self.builder.use_var(sum);
        let after = match amount {
            Number::Known(amount) => self.add_known(before, amount),
            Number::Computed(amount) => self.builder.ins().iadd(before, amount),
        };
        self.builder.def_var(sum, after);
    }

    fn counted(&mut self, slot: usize) -> Option<Value> {
        let which = COUNTED_SLOTS.iter().position(|&own| own == slot).expect("it is counted");
        let counters = self.counters.as_ref().filter(|counters| counters.used[which])?;
        let sum = counters.sums[which];
        Some(self.builder.use_var(sum))
    }

    /// Leaves what was counted in the context.
    pub(crate) fn store_counters(&mut self) {
        for slot in COUNTED_SLOTS {
            if let Some(sum) = self.counted(slot) {
                self.add_to_context(slot, Number::Computed(sum));
            }
        }
    }

    // ---- beginning and end of a position

    /// Whether lines of play are counted, with the moves played in the position itself.
    pub(crate) fn plays(&self) -> bool {
        self.goal.is_some_and(Goal::walks)
    }

    pub(crate) fn begin_walk(&mut self, depth: Value) -> Compiled<()> {
        if self.goal == Some(Goal::Settle) {
            return self.begin_settling(depth);
        }
        let signature = self.entry_signature();
        let deeper = (self.goal == Some(Goal::Walk)).then(|| {
            let left = self.add_known(depth, -1);
            let mover = self.next_mover();
            let last = self.load_context(slot::LAST + 8 * mover.index());
            let itself = self.load_context(slot::WALK + 8 * mover.index());
            let is_last = self.is(IntCC::SignedLessThanOrEqual, left, 1);
            (self.builder.ins().select(is_last, last, itself), left)
        });
        self.walk = Some(Walk { signature, deeper, wanted: depth });
        Ok(())
    }

    pub(crate) fn next_mover(&self) -> game::Colour {
        if self.compiler.program.info.players == 2 { self.mover.opponent() } else { self.mover }
    }

    /// What is done before a position is expanded: nothing is known of it, and the other player is to move behind it.
    pub(crate) fn prepare_walk(&mut self) {
        if self.goal == Some(Goal::Settle) {
            self.count_settled();
        }
        self.forget();
        if self.goal == Some(Goal::Pick) {
            return;
        }
        if self.compiler.program.info.players == 2 {
            self.store_mover(self.mover.opponent());
        }
        if self.sites.is_none() && !self.compiler.many_results {
            let filter = self.compiler.context.filter;
            let zero = self.builder.ins().iconst(I64, 0);
            let zeros = self.builder.ins().splat(cranelift_codegen::ir::types::I64X2, zero);
            let flags = MemFlagsData::new().with_notrap();
            for offset in (0..SMALL_FILTER_BITS / 8).step_by(16) {
                self.builder.ins().store(flags, zeros, self.context, (filter + offset) as i32);
            }
        }
    }

    /// Clears the bits that results have set in the filter, one by one.
    fn clear_marks(&mut self, counted: Value) {
        let (header, body, done) =
            (self.builder.create_block(), self.builder.create_block(), self.builder.create_block());
        let left = self.builder.append_block_param(header, I64);
        self.builder.ins().jump(header, &[BlockArg::Value(counted)]);
        self.builder.switch_to_block(header);
        self.builder.ins().brif(left, body, &[], done, &[]);
        self.builder.switch_to_block(body);
        let less = self.builder.ins().iadd_imm_s(left, -1);
        let offset = self.builder.ins().ishl_imm_s(less, 3);
        let place = self.builder.ins().iadd(self.context, offset);
        let noted = 8 * self.compiler.context.words as i32;
        let difference = self.builder.ins().load(I64, TRUSTED, place, noted);
        let bit = self.builder.ins().band_imm_s(difference, FILTER_BITS as i64 - 1);
        let word = self.builder.ins().ushr_imm_s(bit, 6);
        let offset = self.builder.ins().ishl_imm_s(word, 3);
        let place = self.builder.ins().iadd(self.context, offset);
        let zero = self.number(Number::Known(0));
        self.builder.ins().store(TRUSTED, zero, place, self.compiler.context.filter as i32);
        self.builder.ins().jump(header, &[BlockArg::Value(less)]);
        self.builder.switch_to_block(done);
    }

    pub(crate) fn store_mover(&mut self, mover: game::Colour) {
        let mover = self.number(Number::Known(mover.index() as i64));
        self.builder.ins().store(TRUSTED, mover, self.entry, MOVER as i32);
    }

    /// Answers of tests and the limit of rounds belong to one position.
    fn forget(&mut self) {
        let fuel = self.number(Number::Known(crate::runtime::FUEL));
        self.store_context(fuel, slot::FUEL);
        let may_test = self.compiler.tests.iter().any(|((_, mover), _)| *mover == self.mover);
        if !may_test {
            return;
        }
        let list = self.compiler.tables.records[self.mover.index()].as_ptr();
        let list = self.pointer(list);
        let count = self.builder.ins().load(I64, TRUSTED, list, 0);
        let (header, body, done) =
            (self.builder.create_block(), self.builder.create_block(), self.builder.create_block());
        let left = self.builder.append_block_param(header, I64);
        self.builder.ins().jump(header, &[BlockArg::Value(count)]);
        self.builder.switch_to_block(header);
        self.builder.ins().brif(left, body, &[], done, &[]);
        self.builder.switch_to_block(body);
        let index = self.builder.ins().ishl_imm_s(left, 3);
        let place = self.builder.ins().iadd(list, index);
        let offset = self.builder.ins().load(I64, TRUSTED, place, 0);
        let place = self.builder.ins().iadd(self.context, offset);
        let zero = self.number(Number::Known(0));
        self.builder.ins().store(TRUSTED, zero, place, 0);
        let less = self.builder.ins().iadd_imm_s(left, -1);
        self.builder.ins().jump(header, &[BlockArg::Value(less)]);
        self.builder.switch_to_block(done);
    }

    /// The position is as it was; what was counted goes to the totals.
    pub(crate) fn end_walk(&mut self) {
        if self.goal == Some(Goal::Settle) {
            return self.end_settling();
        }
        if self.goal == Some(Goal::Pick) {
            // There is no result with that number.
            self.return_status(GIVE_UP);
            let dead = self.builder.create_block();
            self.builder.switch_to_block(dead);
            return;
        }
        let signature = self.walk.as_ref().expect("it was begun").signature;
        self.builder.ins().store(TRUSTED, signature, self.entry, SIGNATURE as i32);
        let has_two = self.compiler.program.info.players == 2;
        if has_two {
            self.store_mover(self.mover);
        }
        let zero = self.number(Number::Known(0));
        let counted = self.counted(slot::COUNTED).unwrap_or(zero);
        if self.sites.is_none() && self.compiler.many_results {
            self.clear_marks(counted);
        }
        let ended = self.counted(slot::ENDED);
        let totals = self.load_context(slot::TOTALS);
        if has_two {
            // If all results end the game, they may be verdicts on the position itself.
            let (all, over, on) =
                (self.builder.create_block(), self.builder.create_block(), self.builder.create_block());
            let all_end = self.builder.ins().icmp(IntCC::Equal, counted, ended.unwrap_or(zero));
            self.builder.ins().brif(all_end, all, &[], on, &[]);
            self.builder.switch_to_block(all);
            if let Some(unsure) = self.counted(slot::UNSURE) {
                self.give_up_if(unsure);
            }
            // No move at all is a fault of the rules.
            let nothing = self.is(IntCC::Equal, counted, 0);
            self.give_up_if(nothing);
            let verdicts = self.counted(slot::VERDICTS).unwrap_or(zero);
            let is_over = self.builder.ins().icmp(IntCC::Equal, counted, verdicts);
            self.builder.ins().brif(is_over, over, &[], on, &[]);
            self.builder.switch_to_block(over);
            if self.goal != Some(Goal::Counted) {
                let one = self.number(Number::Known(1));
                self.add_to_total(totals, total::ENDED, one);
            }
            self.return_status(CONTINUE);
            self.builder.switch_to_block(on);
        } else {
            // No move at all is a fault of the rules.
            let nothing = self.is(IntCC::Equal, counted, 0);
            self.give_up_if(nothing);
            // Outcomes are not looked at: only if nothing changes could they be verdicts on the position itself.
            let counters = self.counters.as_ref().expect("results are counted in registers");
            if counters.has_doubtful {
                let (doubtful, changed) = (counters.doubtful, counters.changed);
                let (doubtful, changed) = (self.builder.use_var(doubtful), self.builder.use_var(changed));
                let all = self.builder.ins().icmp(IntCC::Equal, doubtful, counted);
                let same = self.is(IntCC::Equal, changed, 0);
                let over = self.builder.ins().band(all, same);
                self.give_up_if(over);
            }
        }
        let too_many = self.is(IntCC::SignedGreaterThan, counted, rules::limits::RESULTS_MAX as i64);
        self.give_up_if(too_many);
        self.add_to_total(totals, total::NODES, counted);
        if self.goal != Some(Goal::Walk) {
            self.add_to_total(totals, total::LEAVES, counted);
        }
        if let Some(ended) = ended.filter(|_| has_two && self.goal != Some(Goal::Counted)) {
            self.add_to_total(totals, total::ENDED, ended);
        }
    }

    fn add_to_total(&mut self, totals: Value, which: i32, amount: Value) {
        let sum = self.builder.ins().load(I64, TRUSTED, totals, which);
        let sum = self.builder.ins().iadd(sum, amount);
        self.builder.ins().store(TRUSTED, sum, totals, which);
    }

    pub(crate) fn return_status(&mut self, status: i64) {
        let status = self.number(Number::Known(status));
        self.builder.ins().return_(&[status]);
    }

    pub(crate) fn give_up_if(&mut self, condition: Value) {
        let (stop, on) = (self.builder.create_block(), self.builder.create_block());
        self.builder.set_cold_block(stop);
        self.builder.ins().brif(condition, stop, &[], on, &[]);
        self.builder.switch_to_block(stop);
        self.return_status(GIVE_UP);
        self.builder.switch_to_block(on);
    }

    // ---- results

    /// Plays a result, counts it and what is behind it, and takes it back.
    pub(crate) fn play_result(&mut self, state: State) -> Compiled<()> {
        if self.counters.is_none() {
            return Err(unsupported(CAN_COINCIDE));
        }
        if !self.compiler.options.static_changes {
            self.show(&state);
            let folded = self.folded(&state);
            self.play_result_now(&folded)?;
            self.take_back(&state);
            return Ok(());
        }
        self.play_result_now(&state)
    }

    fn play_result_now(&mut self, state: &State) -> Compiled<()> {
        let writes = merged(state.writes.as_deref().unwrap_or(&[]));
        let has_two = self.compiler.program.info.players == 2;
        let compares = self.compares(state)?;
        let only_counts = self.goal == Some(Goal::Counted);
        let changes = writes.iter().any(certain) && self.all_apart(&writes);
        let mailbox = (!only_counts).then(|| self.add_known(self.entry, self.compiler.layout.mailbox as i64));
        let needs_difference = !only_counts || compares || !has_two && !changes;
        let difference = needs_difference.then(|| match only_counts {
            true => self.fingerprint(&writes, state),
            false => self.signature_difference_turning(&writes, state, mailbox),
        });
        if let (true, Some(difference)) = (compares, difference) {
            self.check_doubles(difference);
        }
        if has_two {
            self.note_outcome(state);
        } else if let Some(difference) = difference.filter(|_| !changes) {
            self.note_doubtful(difference);
        }
        self.count(slot::COUNTED, Number::Known(1));
        let (Some(difference), false) = (difference, only_counts) else { return Ok(()) };
        let signature = self.walk.as_ref().expect("it was begun").signature;
        let signature = self.builder.ins().bxor(signature, difference);
        if state.writes.is_some() && !state.field_properties_written {
            self.play_in_place(&writes, state, signature);
            self.go_deeper(state, self.entry)?;
            self.take_back_in_place(&writes, state);
        } else {
            let child = self.add_known(self.context, self.compiler.context.child as i64);
            self.store_child_head(child, signature);
            self.store_child(state, child);
            self.go_deeper(state, child)?;
        }
        Ok(())
    }

    /// Notes a result that differs from the position only if this is not 0.
    fn note_doubtful(&mut self, difference: Value) {
        let counters = self.counters.as_mut().expect("results are counted in registers");
        counters.has_doubtful = true;
        let (doubtful, changed) = (counters.doubtful, counters.changed);
        let before = self.builder.use_var(doubtful);
        let after = self.add_known(before, 1);
        self.builder.def_var(doubtful, after);
        let before = self.builder.use_var(changed);
        let after = self.builder.ins().bor(before, difference);
        self.builder.def_var(changed, after);
    }

    /// Writes a result into the position, but for what was turned over.
    pub(crate) fn play_in_place(&mut self, writes: &[Write], state: &State, signature: Value) {
        self.builder.ins().store(TRUSTED, signature, self.entry, SIGNATURE as i32);
        for write in writes {
            self.put_in_position(write.field, write.new);
        }
        self.store_changed(state, false);
    }

    pub(crate) fn take_back_in_place(&mut self, writes: &[Write], state: &State) {
        for write in writes.iter().rev() {
            self.put_in_position(write.field, write.old);
        }
        if let Some(turned) = state.turned {
            let mailbox = self.add_known(self.entry, self.compiler.layout.mailbox as i64);
            self.turn_back(turned, mailbox);
        }
        self.store_changed(state, true);
    }

    pub(crate) fn put_in_position(&mut self, field: Number, code: Number) {
        let (address, offset) = self.field_address(self.entry, field);
        let offset = offset + self.compiler.layout.mailbox as i32;
        let value = self.byte(code);
        self.builder.ins().store(TRUSTED, value, address, offset);
    }

    /// Stores properties and field sets that a result has changed, or what they were.
    pub(crate) fn store_changed(&mut self, state: &State, back: bool) {
        let mut offset = self.compiler.layout.scalar_base as i32;
        for (index, scalar) in self.compiler.layout.scalars.clone().iter().enumerate() {
            if !scalar.stored {
                continue;
            }
            let (old, new) = (self.loaded.scalars[index], state.scalars[index]);
            if old != new {
                let value = self.number(if back { old } else { new });
                self.builder.ins().istore32(TRUSTED, value, self.entry, offset);
            }
            offset += 4;
        }
        for (index, &new) in state.sets.iter().enumerate() {
            let old = self.loaded.sets[index];
            if old != new {
                let offset = self.compiler.layout.set_base + 8 * index;
                let value = if back { old } else { new };
                self.builder.ins().store(TRUSTED, value, self.entry, offset as i32);
            }
        }
    }

    /// Counts the lines behind a position after a move.
    fn go_deeper(&mut self, state: &State, position: Value) -> Compiled<()> {
        let Some((function, depth)) = self.walk.as_ref().and_then(|walk| walk.deeper) else { return Ok(()) };
        let none = i64::from(i32::MIN);
        let on = self.builder.create_block();
        if self.compiler.program.info.players == 2 {
            match state.outcome {
                Number::Known(outcome) if outcome == none => {}
                Number::Known(_) => return Ok(()),
                Number::Computed(outcome) => {
                    let call = self.builder.create_block();
                    let goes_on = self.is(IntCC::Equal, outcome, none);
                    self.builder.ins().brif(goes_on, call, &[], on, &[]);
                    self.builder.switch_to_block(call);
                }
            }
        }
        let context = self.add_known(self.context, 8 * self.compiler.context.stride() as i64);
        let signature = self.compiler.signature(Goal::Walk.parameters());
        let signature = self.builder.import_signature(signature);
        let call = self.builder.ins().call_indirect(signature, function, &[context, position, depth]);
        let status = self.builder.inst_results(call)[0];
        self.check_status(status);
        self.builder.ins().jump(on, &[]);
        self.builder.switch_to_block(on);
        Ok(())
    }

    /// Gives up if a result was there already. Most are new, and one bit shows it.
    fn check_doubles(&mut self, difference: Value) {
        let counted = self.counted_so_far();
        let full = self.is(IntCC::SignedGreaterThanOrEqual, counted, DIFFERENCES_MAX as i64);
        self.give_up_if(full);
        let bits = if self.compiler.many_results { FILTER_BITS } else { SMALL_FILTER_BITS };
        let seen = self.mark_in_filter(difference, bits);
        let (check, on) = (self.builder.create_block(), self.builder.create_block());
        self.builder.set_cold_block(check);
        self.builder.ins().brif(seen, check, &[], on, &[]);
        self.builder.switch_to_block(check);
        let helper = self.compiler.helpers.is_double;
        let double = self.call_helper(helper, &[self.context, difference, counted]);
        self.give_up_if(double);
        self.builder.ins().jump(on, &[]);
        self.builder.switch_to_block(on);
        let offset = self.builder.ins().ishl_imm_s(counted, 3);
        let place = self.builder.ins().iadd(self.context, offset);
        self.builder.ins().store(TRUSTED, difference, place, 8 * self.compiler.context.words as i32);
    }

    pub(crate) fn counted_so_far(&mut self) -> Value {
        let counters = self.counters.as_mut().expect("results are counted in registers");
        counters.used[0] = true;
        let sum = counters.sums[0];
        self.builder.use_var(sum)
    }

    // ---- one result by its number

    // ---- what is not asked for

    /// Whether a statement does nothing but say how the game ends, where that does not matter: puzzles go on.
    pub(crate) fn is_idle(&self, node: &'program Node) -> bool {
        if self.compiler.program.info.players == 2 || !self.plays() || self.goal == Some(Goal::Pick) {
            return false;
        }
        let effects = Effects::of(self.compiler, self.mover, &[node]);
        let others =
            effects.registers.iter().enumerate().any(|(index, &changes)| changes && index != OUTCOME);
        let facts = self.compiler.facts;
        !others && !effects.memory() && facts.always_succeeds(node) && facts.cannot_fault(node)
    }
}
