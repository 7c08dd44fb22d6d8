//! Results that are positions: copies of the position with what has changed.

use cranelift_codegen::ir::InstBuilder;
use cranelift_codegen::ir::Value;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;

use super::function::{Compiled, FunctionCompiler, TRUSTED};
use super::state::{Number, State};
use crate::layout::slot;

impl<'program> FunctionCompiler<'_, '_, 'program> {
    /// Adds the position after the move to the children.
    pub(crate) fn emit_child(&mut self, state: State) -> Compiled<()> {
        if self.compiler.options.static_changes {
            return self.emit_child_now(&state);
        }
        self.show(&state);
        let folded = self.folded(&state);
        self.emit_child_now(&folded)?;
        self.take_back(&state);
        Ok(())
    }

    pub(crate) fn emit_child_now(&mut self, state: &State) -> Compiled<()> {
        let layout = self.compiler.layout.clone();
        let compares = self.compares(state)?;
        // The keys of a field that is written twice cancel out: no need to look for such fields.
        let difference = self.signature_difference(state.writes.as_deref().unwrap_or(&[]), state);
        let child = self.room_for_child();
        let signature = self.entry_signature();
        let signature = self.builder.ins().bxor(signature, difference);
        self.store_child_head(child, signature);
        self.store_child(state, child);
        self.note_outcome(state);
        if !compares {
            let stride = self.load_context(slot::STRIDE);
            let after = self.builder.ins().iadd(child, stride);
            self.store_context(after, slot::CHILDREN_NEXT);
            self.count(slot::COUNTED, Number::Known(1));
            return Ok(());
        }
        let after = self.builder.ins().iadd_imm_s(child, 8 * layout.record as i64);
        self.store_context(after, slot::CHILDREN_NEXT);
        let done = self.builder.create_block();
        self.filter(difference, done, self.compiler.helpers.drop_double_child);
        self.builder.switch_to_block(done);
        Ok(())
    }

    /// Stores everything of a child but what it begins with.
    pub(crate) fn store_child(&mut self, state: &State, child: Value) {
        let layout = self.compiler.layout.clone();
        // Fields as they are now, properties and sets from registers.
        self.copy_fields(state, child);
        self.copy_field_properties(state, child);
        let mut offset = layout.scalar_base;
        let mut tag = 8 * (layout.words + 1);
        for (index, scalar) in layout.scalars.iter().enumerate() {
            let value = self.number(state.scalars[index]);
            if scalar.stored {
                self.builder.ins().istore32(TRUSTED, value, child, offset as i32);
                offset += 4;
            } else {
                self.builder.ins().store(TRUSTED, value, child, tag as i32);
                tag += 8;
            }
        }
        if !offset.is_multiple_of(8) {
            // Equal positions are equal in every byte.
            let zero = self.number(Number::Known(0));
            self.builder.ins().istore32(TRUSTED, zero, child, offset as i32);
        }
        for (index, &set) in state.sets.iter().enumerate() {
            self.builder.ins().store(TRUSTED, set, child, (layout.set_base + 8 * index) as i32);
        }
        let outcome = self.number(state.outcome);
        self.builder.ins().store(TRUSTED, outcome, child, (8 * layout.words) as i32);
    }

    pub(crate) fn copy_fields(&mut self, state: &State, child: Value) {
        let mailbox = self.compiler.layout.mailbox as i64;
        let bytes = self.compiler.layout.fields.next_multiple_of(8);
        let to = self.add_known(child, mailbox);
        let Some(writes) = &state.writes else {
            self.uses_board = true;
            return self.copy_words(self.board, to, bytes);
        };
        // Not from the working copy: reading words of which bytes were just written is slow.
        let from = self.add_known(self.entry, mailbox);
        self.copy_words(from, to, bytes);
        for write in writes {
            let (address, offset) = self.field_address(to, write.field);
            let code = self.number(write.new);
            self.builder.ins().istore8(TRUSTED, code, address, offset);
        }
        if let Some(turned) = state.turned {
            self.turn(turned, None, Some(to));
        }
    }

    pub(crate) fn copy_field_properties(&mut self, state: &State, child: Value) {
        let (base, end) = (self.compiler.layout.field_property_base, self.compiler.layout.set_base);
        let to = self.add_known(child, base as i64);
        let from = if state.field_properties_written {
            self.uses_board = true;
            self.add_known(self.board, self.compiler.layout.mutable_field_properties() as i64)
        } else {
            self.add_known(self.entry, base as i64)
        };
        self.copy_words(from, to, end - base);
    }

    /// Where the next child goes.
    pub(crate) fn room_for_child(&mut self) -> Value {
        let child = self.load_context(slot::CHILDREN_NEXT);
        let end = self.load_context(slot::CHILDREN_END);
        let full = self.builder.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, child, end);
        let (grow, on) = (self.builder.create_block(), self.builder.create_block());
        let place = self.builder.append_block_param(on, I64);
        self.builder.set_cold_block(grow);
        self.builder.ins().brif(full, grow, &[], on, &[child.into()]);
        self.builder.switch_to_block(grow);
        let status = self.call_helper(self.compiler.helpers.grow_children, &[self.context]);
        self.check_status(status);
        let child = self.load_context(slot::CHILDREN_NEXT);
        self.builder.ins().jump(on, &[child.into()]);
        self.builder.switch_to_block(on);
        place
    }
}
