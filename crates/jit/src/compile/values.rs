//! Values of a function: numbers, memory of the context, elements of tables.

use cranelift_codegen::ir::types::{I8, I16, I32, I64};
use cranelift_codegen::ir::{
    Block, InstBuilder, MemFlagsData, StackSlot, StackSlotData, StackSlotKind, Value,
};
use rules::ir::{Node, NodeKind};

use super::function::{Captured, FunctionCompiler, TRUSTED};
use super::state::Number;
use crate::layout::{MOVER, SIGNATURE};

impl<'program> FunctionCompiler<'_, '_, 'program> {
    pub(crate) fn number(&mut self, number: Number) -> Value {
        match number {
            Number::Known(value) => self.builder.ins().iconst(I64, value),
            Number::Computed(value) => value,
        }
    }

    pub(crate) fn add_known(&mut self, value: Value, amount: i64) -> Value {
        if amount == 0 { value } else { self.builder.ins().iadd_imm_s(value, amount) }
    }

    pub(crate) fn pointer<T>(&mut self, table: *const T) -> Value {
        self.builder.ins().iconst(I64, table as i64)
    }

    pub(crate) fn load_context(&mut self, offset: usize) -> Value {
        self.builder.ins().load(I64, TRUSTED, self.context, offset as i32)
    }

    /// The word with a field's bit, of a set of fields that begins there in the context.
    pub(crate) fn load_word_of(&mut self, base: usize, field: Number) -> Value {
        match (self.compiler.layout.set_words, field) {
            (1, _) => self.load_context(base),
            (_, Number::Known(field)) => self.load_context(base + 8 * (field as usize / 64)),
            (_, Number::Computed(field)) => {
                let index = self.builder.ins().ushr_imm_s(field, 6);
                let offset = self.builder.ins().ishl_imm_s(index, 3);
                let address = self.builder.ins().iadd(self.context, offset);
                self.builder.ins().load(I64, TRUSTED, address, base as i32)
            }
        }
    }

    pub(crate) fn store_context(&mut self, value: Value, offset: usize) {
        self.builder.ins().store(TRUSTED, value, self.context, offset as i32);
    }

    /// An element of a table of 16-bit numbers.
    pub(crate) fn element_i16(&mut self, table: *const i16, index: Number) -> Number {
        let base = self.pointer(table);
        let value = match index {
            Number::Known(index) => self.builder.ins().sload16(I64, TRUSTED, base, index as i32 * 2),
            Number::Computed(index) => {
                let offset = self.builder.ins().ishl_imm_s(index, 1);
                let address = self.builder.ins().iadd(base, offset);
                self.builder.ins().sload16(I64, TRUSTED, address, 0)
            }
        };
        Number::Computed(value)
    }

    /// An element of a table of 64-bit numbers.
    pub(crate) fn element_i64<T>(&mut self, table: *const T, index: Number) -> Value {
        let base = self.pointer(table);
        match index {
            Number::Known(index) => self.builder.ins().load(I64, TRUSTED, base, index as i32 * 8),
            Number::Computed(index) => {
                let offset = self.builder.ins().ishl_imm_s(index, 3);
                let address = self.builder.ins().iadd(base, offset);
                self.builder.ins().load(I64, TRUSTED, address, 0)
            }
        }
    }

    // ---- fields in memory

    pub(crate) fn current(&self) -> Block {
        self.builder.current_block().expect("code is always written into a block")
    }

    /// Ends the current block with a jump to a new one and returns that: code can be written elsewhere now, and
    /// go on there later. (Cranelift wants a block to be complete before the next one is begun.)
    pub(crate) fn park(&mut self) -> Block {
        let later = self.builder.create_block();
        self.builder.ins().jump(later, &[]);
        later
    }

    pub(crate) fn stack_slot(&mut self, bytes: usize) -> StackSlot {
        self.compiler.stack_bytes += bytes;
        self.builder.create_sized_stack_slot(StackSlotData::new(StackSlotKind::ExplicitSlot, bytes as u32, 4))
    }

    pub(crate) fn copy_words(&mut self, from: Value, to: Value, bytes: usize) {
        let mut offset = 0;
        while offset < bytes {
            let kind = if bytes - offset >= 16 { cranelift_codegen::ir::types::I8X16 } else { I64 };
            let flags = MemFlagsData::new().with_notrap();
            let value = self.builder.ins().load(kind, flags, from, offset as i32);
            self.builder.ins().store(flags, value, to, offset as i32);
            offset += kind.bytes() as usize;
        }
    }

    /// A value of the function that made a continuation.
    pub(crate) fn captured(&mut self, captured: Captured) -> Value {
        match captured {
            Captured::Here(value) => value,
            Captured::Environment(index) => {
                let environment = self.environment.expect("a rest has an environment");
                self.builder.ins().load(I64, TRUSTED, environment, index as i32 * 8)
            }
        }
    }

    /// The signature of the position that is being expanded, and who is to move.
    pub(crate) fn entry_signature(&mut self) -> Value {
        self.builder.ins().load(I64, TRUSTED, self.entry, SIGNATURE as i32)
    }

    pub(crate) fn store_child_head(&mut self, child: Value, signature: Value) {
        self.builder.ins().store(TRUSTED, signature, child, SIGNATURE as i32);
        let mover = match self.compiler.program.info.players {
            2 => self.mover.opponent(),
            _ => self.mover,
        };
        let mover = self.number(Number::Known(mover.index() as i64));
        self.builder.ins().store(TRUSTED, mover, child, MOVER as i32);
    }

    pub(crate) fn narrow(&mut self, value: Value, bits: u32) -> Value {
        let kind = match bits {
            8 => I8,
            16 => I16,
            _ => I32,
        };
        self.builder.ins().ireduce(kind, value)
    }

    /// Whether a piece set is among those whose fields are kept.
    pub(crate) fn kept_set(&self, codes: u128) -> Option<usize> {
        self.compiler.layout.set_index(codes)
    }

    pub(crate) fn is_single(&self, node: &Node) -> bool {
        rules::passes::loops::is_single(self.compiler.program, node)
            && !matches!(node.kind, NodeKind::Call(rule) if self.compiler.recursive[rule])
    }
}
