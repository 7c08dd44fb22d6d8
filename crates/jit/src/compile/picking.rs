//! One move by its number: results are counted until the one that is wanted.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{InstBuilder, Value};

use super::emission::merged;
use super::function::{CAN_COINCIDE, Compiled, ENOUGH, FunctionCompiler};
use super::state::{Number, State};
use super::unsupported;
use crate::layout::slot;

impl<'program> FunctionCompiler<'_, '_, 'program> {
    /// Plays a result if it is the one that is wanted, and stops.
    pub(crate) fn pick_result(&mut self, state: State) -> Compiled<()> {
        if self.counters.is_none() {
            return Err(unsupported(CAN_COINCIDE));
        }
        let wanted = self.walk.as_ref().expect("it was begun").wanted;
        let counted = self.counted_so_far();
        let (take, on) = (self.builder.create_block(), self.builder.create_block());
        let is_wanted = self.builder.ins().icmp(IntCC::Equal, counted, wanted);
        self.builder.ins().brif(is_wanted, take, &[], on, &[]);
        self.builder.switch_to_block(take);
        if self.compiler.options.static_changes {
            self.pick_now(&state);
        } else {
            self.show(&state);
            let folded = self.folded(&state);
            self.pick_now(&folded);
        }
        self.builder.switch_to_block(on);
        self.count(slot::COUNTED, Number::Known(1));
        Ok(())
    }

    pub(crate) fn pick_now(&mut self, state: &State) {
        let writes = merged(state.writes.as_deref().unwrap_or(&[]));
        let is_static = state.writes.is_some() && !state.field_properties_written;
        let mailbox = is_static.then(|| self.add_known(self.entry, self.compiler.layout.mailbox as i64));
        let difference = self.signature_difference_turning(&writes, state, mailbox);
        let signature = self.walk.as_ref().expect("it was begun").signature;
        let signature = self.builder.ins().bxor(signature, difference);
        if is_static {
            self.play_in_place(&writes, state, signature);
            if self.compiler.program.info.players == 2 {
                self.store_mover(self.mover.opponent());
            }
        } else {
            let child = self.add_known(self.context, self.compiler.context.child as i64);
            self.store_child_head(child, signature);
            self.store_child(state, child);
            self.copy_words(child, self.entry, 8 * self.compiler.layout.words);
        }
        for (index, value) in [state.outcome, state.irreversible].into_iter().enumerate() {
            let value = self.number(value);
            self.store_context(value, slot::PICKED + 8 * index);
        }
        self.return_status(ENOUGH);
    }

    /// Skips found fields of which each is one result, or goes straight to the one that is wanted.
    pub(crate) fn pick_among(&mut self, fields: Value) -> Value {
        let wanted = self.walk.as_ref().expect("it was begun").wanted;
        let counted = self.counted_so_far();
        let here = self.builder.ins().popcnt(fields);
        let left = self.builder.ins().isub(wanted, counted);
        // Numbers that are not wanted any more are negative.
        let is_here = self.builder.ins().icmp(IntCC::UnsignedLessThan, left, here);
        let (header, body, skip, done) = (
            self.builder.create_block(),
            self.builder.create_block(),
            self.builder.create_block(),
            self.builder.create_block(),
        );
        let remaining = self.builder.append_block_param(header, I64);
        let set = self.builder.append_block_param(header, I64);
        let chosen = self.builder.append_block_param(done, I64);
        self.builder.ins().brif(is_here, header, &[left.into(), fields.into()], skip, &[]);
        self.builder.switch_to_block(header);
        self.builder.ins().brif(remaining, body, &[], done, &[set.into()]);
        self.builder.switch_to_block(body);
        let less = self.builder.ins().iadd_imm_s(set, -1);
        let rest = self.builder.ins().band(set, less);
        let fewer = self.builder.ins().iadd_imm_s(remaining, -1);
        self.builder.ins().jump(header, &[fewer.into(), rest.into()]);
        self.builder.switch_to_block(skip);
        let zero = self.number(Number::Known(0));
        self.builder.ins().jump(done, &[zero.into()]);
        self.builder.switch_to_block(done);
        // As if all that were skipped had been counted.
        let skipped = self.builder.ins().select(is_here, left, here);
        self.count(slot::COUNTED, Number::Computed(skipped));
        chosen
    }
}
