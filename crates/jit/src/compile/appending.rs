//! Adding a move to the list, as a function that all places share which make moves of the same shape. Code for it at
//! every such place would be most of the code of a game like chess.

use cranelift_codegen::ir::{InstBuilder, Value};
use cranelift_module::Module;
use game::moves::head_layout;

use super::function::{Compiled, FunctionCompiler, TRUSTED};
use super::state::{Number, State, Write};
use super::{Pending, Work};
use crate::layout::{APPENDED_MAX, append_flags, slot};

/// What moves look like that one function adds: how many words there are, and whether they are compared.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Shape {
    /// Changes of fields, in the order of the writes.
    fields: usize,
    /// Changes of properties, in the order of slots; behind them values of `move` properties.
    scalars: usize,
    tags: usize,
    compares: bool,
}

impl Shape {
    fn words(self) -> usize {
        self.fields + self.scalars + self.tags
    }

    /// Context, signature, head, then the words.
    pub(crate) fn parameters(self) -> usize {
        3 + self.words()
    }
}

impl<'program> FunctionCompiler<'_, '_, 'program> {
    /// Adds a move with few writes through the function for its shape. False: it has too many.
    pub(crate) fn append_move(&mut self, state: &State, writes: &[Write], compares: bool) -> Compiled<bool> {
        let mut words: Vec<Value> = writes.iter().map(|write| self.change_word(write)).collect();
        let mut shape = Shape { fields: words.len(), scalars: 0, tags: 0, compares };
        for tags in [false, true] {
            for (index, scalar) in self.compiler.layout.scalars.clone().into_iter().enumerate() {
                if self.loaded.scalars[index] != state.scalars[index] && scalar.stored != tags {
                    words.push(self.scalar_word(index, state, tags));
                    *(if tags { &mut shape.tags } else { &mut shape.scalars }) += 1;
                }
            }
        }
        if words.len() > APPENDED_MAX {
            return Ok(false);
        }
        let signature = self.signature_difference(writes, state);
        let head = self.packed_head(state);
        let id = match self.compiler.appends.get(&shape) {
            Some(&id) => id,
            None => {
                let id = self.compiler.declare("append", shape.parameters())?;
                self.compiler.appends.insert(shape, id);
                self.compiler.pending.push(Pending { id, mover: self.mover, work: Work::Append(shape) });
                id
            }
        };
        let function = self.compiler.module.declare_func_in_func(id, self.builder.func);
        let arguments = [&[self.context, signature, head][..], &words].concat();
        let call = self.builder.ins().call(function, &arguments);
        let status = self.builder.inst_results(call)[0];
        self.check_status(status);
        Ok(true)
    }

    /// The change of a scalar as a word; 0 if a `move` property has its usual value.
    fn scalar_word(&mut self, index: usize, state: &State, is_tag: bool) -> Value {
        let slot = (self.compiler.layout.scalars[index].slot as i64) << 48;
        let (old, new) = (self.number(self.loaded.scalars[index]), self.number(state.scalars[index]));
        if is_tag {
            let word = self.builder.ins().band_imm_s(new, 0xffff_ffff_ffff);
            let word = self.builder.ins().bor_imm_s(word, slot);
            let differs = self.builder.ins().bxor(old, new);
            let zero = self.number(Number::Known(0));
            return self.builder.ins().select(differs, word, zero);
        }
        let old = self.builder.ins().band_imm_s(old, 0xff_ffff);
        let old = self.builder.ins().ishl_imm_s(old, 24);
        let new = self.builder.ins().band_imm_s(new, 0xff_ffff);
        let word = self.builder.ins().bor(old, new);
        self.builder.ins().bor_imm_s(word, slot)
    }

    /// Outcome, lead and marks in one word.
    fn packed_head(&mut self, state: &State) -> Value {
        let unmarked = match state.forcing {
            Number::Known(mark) => Number::Known(i64::from(mark < 0)),
            Number::Computed(mark) => Number::Computed(self.builder.ins().ushr_imm_s(mark, 63)),
        };
        let flags = self.flags(state);
        let (outcome, lead, unmarked) =
            (self.number(state.outcome), self.number(state.lead), self.number(unmarked));
        let outcome = self.builder.ins().band_imm_s(outcome, 0xffff_ffff);
        let lead = self.builder.ins().ishl_imm_s(lead, append_flags::LEAD);
        let flags = self.builder.ins().ishl_imm_s(flags, append_flags::FLAGS);
        let unmarked = self.builder.ins().ishl_imm_s(unmarked, append_flags::UNMARKED);
        let one = self.builder.ins().bor(outcome, lead);
        let other = self.builder.ins().bor(flags, unmarked);
        self.builder.ins().bor(one, other)
    }

    /// The function itself.
    pub(crate) fn append_function(&mut self, shape: Shape, arguments: &[Value]) -> Compiled<()> {
        let (signature, packed, words) = (arguments[1], arguments[2], &arguments[3..]);
        let again = self.builder.create_block();
        self.builder.set_cold_block(again);
        let mut sorted = words[..shape.fields].to_vec();
        self.sort_words(&mut sorted, again);
        self.make_room(APPENDED_MAX)?;
        let head = self.load_context(slot::HEADS_NEXT);
        let first = self.load_context(slot::CHANGES_NEXT);
        let mut at = first;
        sorted.extend(&words[shape.fields..]);
        for (index, &word) in sorted.iter().enumerate() {
            // A change that changes nothing is overwritten by the next one.
            self.builder.ins().store(TRUSTED, word, at, 0);
            let differs = if index < shape.fields + shape.scalars {
                let old = self.builder.ins().ushr_imm_s(word, 24);
                let differs = self.builder.ins().bxor(old, word);
                self.builder.ins().band_imm_s(differs, 0xff_ffff)
            } else {
                word
            };
            at = self.advance_if(at, differs);
        }
        self.store_packed_head(packed, head, signature, first, at);
        let after = self.builder.ins().iadd_imm_s(head, head_layout::SIZE as i64);
        self.store_context(after, slot::HEADS_NEXT);
        self.store_context(at, slot::CHANGES_NEXT);
        let done = self.builder.create_block();
        if shape.compares {
            self.filter(signature, done, self.compiler.helpers.drop_double);
        } else {
            self.builder.ins().jump(done, &[]);
        }
        // A field was written twice: the two have to be put together.
        self.builder.switch_to_block(again);
        for (index, &word) in words.iter().enumerate() {
            self.store_context(word, self.compiler.context.appended + 8 * index);
        }
        let counts = shape.fields | shape.scalars << 8 | shape.tags << 16;
        let counts = self.number(Number::Known(counts as i64));
        let helper = self.compiler.helpers.append_merged;
        let status = self.call_helper(helper, &[self.context, signature, packed, counts]);
        self.check_status(status);
        self.builder.ins().jump(done, &[]);
        self.builder.switch_to_block(done);
        Ok(())
    }

    fn store_packed_head(&mut self, packed: Value, head: Value, signature: Value, first: Value, at: Value) {
        self.builder.ins().store(TRUSTED, signature, head, head_layout::SIGNATURE as i32);
        self.builder.ins().istore32(TRUSTED, packed, head, head_layout::OUTCOME as i32);
        let base = self.load_context(slot::CHANGES_BASE);
        let index = self.builder.ins().isub(first, base);
        let index = self.builder.ins().ushr_imm_s(index, 3);
        self.builder.ins().istore32(TRUSTED, index, head, head_layout::FIRST as i32);
        let count = self.builder.ins().isub(at, first);
        let count = self.builder.ins().ushr_imm_s(count, 3);
        self.builder.ins().istore16(TRUSTED, count, head, head_layout::COUNT as i32);
        let lead = self.builder.ins().ushr_imm_s(packed, append_flags::LEAD);
        self.builder.ins().istore16(TRUSTED, lead, head, head_layout::LEAD as i32);
        let flags = self.builder.ins().ushr_imm_s(packed, append_flags::FLAGS);
        let flags = self.builder.ins().band_imm_s(flags, 3);
        self.builder.ins().istore8(TRUSTED, flags, head, head_layout::FLAGS as i32);
    }
}
