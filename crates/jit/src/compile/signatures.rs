//! How much a result changes the signature of its position.

use cranelift_codegen::ir::InstBuilder;
use cranelift_codegen::ir::Value;

use super::function::FunctionCompiler;
use super::state::{Number, State, Write};

use super::emission::{merged, moved};

impl<'program> FunctionCompiler<'_, '_, 'program> {
    /// New signature ^ old signature.
    pub(crate) fn signature_difference(&mut self, writes: &[Write], state: &State) -> Value {
        self.signature_difference_turning(writes, state, None)
    }

    /// The same; fields that are turned over are turned in a mailbox at the same time.
    pub(crate) fn signature_difference_turning(
        &mut self,
        writes: &[Write],
        state: &State,
        mailbox: Option<Value>,
    ) -> Value {
        let sum = self.field_difference(writes, state);
        let sum = self.with_scalar_keys(sum, state);
        let sum = self.number(sum);
        match state.turned {
            Some(turned) => self.turn(turned, Some(sum), mailbox),
            None => sum,
        }
    }

    /// Something that is the same for results of a position that are the same, and different for others but by chance.
    /// It costs less than a signature, whose keys of properties lie in tables.
    pub(crate) fn fingerprint(&mut self, writes: &[Write], state: &State) -> Value {
        let sum = self.field_difference(writes, state);
        let mut sum = self.number(sum);
        for (index, scalar) in self.compiler.layout.scalars.clone().into_iter().enumerate() {
            let (old, new) = (self.loaded.scalars[index], state.scalars[index]);
            let property = &self.compiler.program.info.properties[scalar.property];
            // What is silent does not make a result another one.
            if old == new || !scalar.stored || property.silent_below.is_some() {
                continue;
            }
            let (old, new) = (self.number(old), self.number(new));
            let change = self.builder.ins().bxor(old, new);
            let key = game::signature::key(scalar.slot as u32, 1) | 1;
            let change = self.builder.ins().imul_imm_s(change, key as i64);
            sum = self.builder.ins().bxor(sum, change);
        }
        match state.turned {
            Some(turned) => self.turn(turned, Some(sum), None),
            None => sum,
        }
    }

    /// What the writes of a result do to the signature.
    pub(crate) fn field_difference(&mut self, writes: &[Write], state: &State) -> Number {
        let mut sum = state.difference;
        let mut writes = merged(writes);
        // A piece that goes from one known field to another: both keys at once.
        while let Some((from, to)) = moved(&writes) {
            let (Some(start), Some(end)) = (writes[from].field.known(), writes[to].field.known()) else {
                break;
            };
            let key = self.moving_key(start, end, writes[from].old);
            let before = self.number(sum);
            sum = Number::Computed(self.builder.ins().bxor(before, key));
            (writes[from].old, writes[from].old_codes) = (Number::Known(0), 1);
            (writes[to].new, writes[to].new_codes) = (Number::Known(0), 1);
        }
        for write in &writes {
            sum = self.with_keys(sum, write);
        }
        sum
    }

    /// The difference of a signature with what scalars have changed in this function.
    pub(crate) fn with_scalar_keys(&mut self, difference: Number, state: &State) -> Number {
        let mut sum = difference;
        for index in 0..state.scalars.len() {
            let (old, new) = (self.loaded.scalars[index], state.scalars[index]);
            if old != new && self.compiler.layout.scalars[index].stored {
                for value in [old, new] {
                    let key = self.scalar_key(index, value);
                    let before = self.number(sum);
                    sum = Number::Computed(self.builder.ins().bxor(before, key));
                }
            }
        }
        sum
    }

    /// The difference of a signature after a write.
    pub(crate) fn with_keys(&mut self, difference: Number, write: &Write) -> Number {
        let mut sum = difference;
        for (code, codes) in [(write.old, write.old_codes), (write.new, write.new_codes)] {
            if codes == 1 {
                continue; // an empty field has no key
            }
            let key = self.field_key(write.field, code);
            let difference = self.number(sum);
            sum = Number::Computed(self.builder.ins().bxor(difference, key));
        }
        sum
    }

    /// The key of a value of a field property.
    pub(crate) fn field_property_key(&mut self, property: usize, field: Number, value: Number) -> Value {
        let layout = &self.compiler.layout;
        let index = layout.field_properties.iter().position(|&own| own == property).unwrap_or(0);
        let details = &self.compiler.program.info.properties[property];
        let (slot, low, values) = (details.slot as i64, details.low, details.high - details.low + 1);
        let table = &self.compiler.tables.field_property_keys[index];
        let (pointer, is_empty) = (table.as_ptr(), table.is_empty());
        let (field, value) = (self.number(field), self.number(value));
        if is_empty {
            let slot = self.add_known(field, slot);
            return self.call_helper(self.compiler.helpers.property_key, &[self.context, slot, value]);
        }
        let row = self.builder.ins().imul_imm_s(field, values);
        let index = self.builder.ins().iadd(row, value);
        let index = self.add_known(index, -low);
        self.element_i64(pointer, Number::Computed(index))
    }

    /// What it does to the signature that a piece leaves a field and appears on another.
    pub(crate) fn moving_key(&mut self, from: i64, to: i64, code: Number) -> Value {
        let codes = self.compiler.layout.codes;
        let keys = &self.compiler.tables.field_keys;
        let row = |field: i64| &keys[field as usize * codes..][..codes];
        let known = self.compiler.tables.moving_keys.get(&(from, to));
        let table = known.map(|table| table.as_ptr()).unwrap_or_else(|| {
            let table: Box<[u64]> = row(from).iter().zip(row(to)).map(|(one, other)| one ^ other).collect();
            let pointer = table.as_ptr();
            self.compiler.tables.moving_keys.insert((from, to), table);
            pointer
        });
        self.element_i64(table, code)
    }

    pub(crate) fn field_key(&mut self, field: Number, code: Number) -> Value {
        let codes = self.compiler.layout.codes as i64;
        let table = self.compiler.tables.field_keys.as_ptr();
        if let (Number::Known(field), Number::Known(code)) = (field, code) {
            let key = self.compiler.tables.field_keys[(field * codes + code) as usize];
            return self.number(Number::Known(key as i64));
        }
        let index = match field {
            Number::Known(field) => Number::Known(field * codes),
            Number::Computed(field) => Number::Computed(self.builder.ins().imul_imm_s(field, codes)),
        };
        let index = match (index, code) {
            (Number::Known(index), code) => {
                let code = self.number(code);
                self.add_known(code, index)
            }
            (Number::Computed(index), Number::Known(code)) => {
                let table = table.wrapping_add(code as usize);
                return self.element_i64(table, Number::Computed(index));
            }
            (Number::Computed(index), Number::Computed(code)) => self.builder.ins().iadd(index, code),
        };
        self.element_i64(table, Number::Computed(index))
    }

    pub(crate) fn scalar_key(&mut self, index: usize, value: Number) -> Value {
        let scalar = self.compiler.layout.scalars[index];
        let property = &self.compiler.program.info.properties[scalar.property];
        let low = property.low;
        if let Number::Known(value) = value {
            let key = game::info::property_key(property, scalar.slot, value as i32).0;
            return self.number(Number::Known(key as i64));
        }
        let table = &self.compiler.tables.scalar_keys[index];
        if table.is_empty() {
            let value = self.number(value);
            let slot = self.number(Number::Known(scalar.slot as i64));
            return self.call_helper(self.compiler.helpers.property_key, &[self.context, slot, value]);
        }
        let pointer = table.as_ptr();
        let value = self.number(value);
        let value = self.add_known(value, -low);
        self.element_i64(pointer, Number::Computed(value))
    }
}
