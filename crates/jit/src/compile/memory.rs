//! Fields in memory: what stands there, writing it, and taking it back on every way out.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I8, I64};
use cranelift_codegen::ir::{InstBuilder, Value};

use super::function::{FunctionCompiler, TRUSTED};
use super::state::{Number, State};

impl FunctionCompiler<'_, '_, '_> {
    pub(crate) fn field_address(&mut self, base: Value, field: Number) -> (Value, i32) {
        match field {
            Number::Known(field) => (base, field as i32),
            Number::Computed(field) => (self.builder.ins().iadd(base, field), 0),
        }
    }

    /// The code on a field.
    pub(crate) fn load_field(&mut self, state: &State, field: Number) -> Value {
        let pending = state.pending().to_vec();
        if let Some(last) = pending.iter().rev().find(|write| write.field == field) {
            let others = pending.iter().rev().take_while(|write| write.field != field);
            if others.clone().all(|write| write.field.known().is_some() && field.known().is_some()) {
                return self.number(last.new);
            }
        }
        let (address, offset) = if state.writes.is_some() && state.stored == 0 {
            let (address, offset) = self.field_address(self.entry, field);
            (address, offset + self.compiler.layout.mailbox as i32)
        } else {
            self.uses_board = true;
            self.field_address(self.board, field)
        };
        let mut code = self.builder.ins().uload8(I64, TRUSTED, address, offset);
        for write in &pending {
            let same = match (write.field, field) {
                (Number::Known(one), Number::Known(other)) if one != other => continue,
                (Number::Computed(one), Number::Known(other)) => self.is(IntCC::Equal, one, other),
                (one, Number::Computed(other)) => {
                    let one = self.number(one);
                    self.builder.ins().icmp(IntCC::Equal, one, other)
                }
                (one, _) => {
                    code = self.number(if one == field { write.new } else { Number::Computed(code) });
                    continue;
                }
            };
            let new = self.number(write.new);
            code = self.builder.ins().select(same, new, code);
        }
        code
    }

    /// Makes all writes in memory; failing from here on takes them back.
    pub(crate) fn settle(&mut self, state: &mut State) {
        for write in state.pending().to_vec() {
            self.store_field(write.field, write.old, write.new);
        }
        state.stored = state.writes.as_ref().map_or(0, Vec::len);
    }

    /// Makes all writes in memory for code that looks now; [`FunctionCompiler::take_back`] undoes it.
    pub(crate) fn show(&mut self, state: &State) {
        for write in state.pending().to_vec() {
            self.put(write.field, write.new);
        }
        if let Some(turned) = state.turned {
            self.uses_board = true;
            self.turn(turned, None, Some(self.board));
        }
    }

    pub(crate) fn take_back(&mut self, state: &State) {
        for write in state.pending().to_vec().iter().rev() {
            self.put(write.field, write.old);
        }
        if let Some(turned) = state.turned {
            self.turn_back(turned, self.board);
        }
    }

    fn put(&mut self, field: Number, code: Number) {
        self.uses_board = true;
        let (address, offset) = self.field_address(self.board, field);
        let value = self.byte(code);
        self.builder.ins().store(TRUSTED, value, address, offset);
    }

    /// Puts a code on a field; failing from here on puts back what was there.
    pub(crate) fn store_field(&mut self, field: Number, old: Number, new: Number) {
        self.uses_board = true;
        let (address, offset) = self.field_address(self.board, field);
        let value = self.byte(new);
        self.builder.ins().store(TRUSTED, value, address, offset);
        let undo = self.builder.create_block();
        let here = self.park();
        self.builder.switch_to_block(undo);
        let value = self.byte(old);
        self.builder.ins().store(TRUSTED, value, address, offset);
        self.builder.ins().jump(self.fail, &[]);
        self.builder.switch_to_block(here);
        self.fail = undo;
    }

    pub(crate) fn byte(&mut self, number: Number) -> Value {
        match number {
            Number::Known(value) => self.builder.ins().iconst(I8, value),
            Number::Computed(value) => self.builder.ins().ireduce(I8, value),
        }
    }

    /// Copies the memory that moves change to a stack slot; failing from here on copies it back.
    pub(crate) fn save_memory(&mut self) {
        self.uses_board = true;
        let bytes = self.compiler.layout.mutable_bytes();
        let saved = self.stack_slot(bytes);
        let address = self.builder.ins().stack_addr(I64, saved, 0);
        let work = self.add_known(self.context, self.compiler.context.work as i64);
        self.copy_words(work, address, bytes);
        let undo = self.builder.create_block();
        let here = self.park();
        self.builder.switch_to_block(undo);
        self.copy_words(address, work, bytes);
        self.builder.ins().jump(self.fail, &[]);
        self.builder.switch_to_block(here);
        self.fail = undo;
    }
}
