//! The state at the beginning of a function, and what it keeps in memory while others are called.

use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{InstBuilder, StackSlot};

use super::function::{Compiled, FunctionCompiler, Invariant, InvariantKind, TRUSTED};
use super::state::{DIFFERENCE, Number, REGISTERS, State};

impl<'program> FunctionCompiler<'_, '_, 'program> {
    /// The state when moves of a position are generated.
    pub(crate) fn state_of_position(&mut self) -> State {
        let layout = self.compiler.layout.clone();
        let mut state = empty_state();
        // The mover's north.
        state.direction = Number::Known(self.absolute(0));
        state.difference = Number::Known(match self.compiler.program.info.players {
            2 => game::Signature::BLACK_TO_MOVE.0 as i64,
            _ => 0,
        });
        let mut stored = 0;
        for scalar in &layout.scalars {
            state.scalars.push(if scalar.stored {
                let offset = layout.scalar_base + 4 * stored;
                stored += 1;
                Number::Computed(self.builder.ins().sload32(TRUSTED, self.entry, offset as i32))
            } else {
                Number::Known(self.compiler.program.info.properties[scalar.property].low)
            });
        }
        for word in 0..layout.sets.len() * layout.set_words {
            let offset = layout.set_base + 8 * word;
            state.sets.push(self.builder.ins().load(I64, TRUSTED, self.entry, offset as i32));
        }
        state
    }

    /// The state that another function has stored in the context.
    pub(crate) fn state_of_registers(&mut self) -> State {
        let layout = self.compiler.layout.clone();
        let mut state = State { writes: None, field_properties_written: true, ..empty_state() };
        let base = self.compiler.context.registers;
        for index in 0..REGISTERS {
            let value = self.load_context(base + 8 * index);
            state.set_register(index, Number::Computed(value));
        }
        state.codes = self.compiler.all_codes();
        state.hand_codes = self.compiler.all_codes();
        for index in 0..layout.scalars.len() {
            let value = self.load_context(base + 8 * (REGISTERS + index));
            state.scalars.push(Number::Computed(value));
        }
        for index in 0..layout.sets.len() * layout.set_words {
            let value = self.load_context(base + 8 * (REGISTERS + layout.scalars.len() + index));
            state.sets.push(value);
        }
        state
    }

    /// What an entry does first: a working copy of the board, and registers for other functions, if they are used.
    pub(crate) fn prepare(&mut self) {
        let layout = self.compiler.layout.clone();
        if self.uses_board || self.uses_registers {
            let work = self.add_known(self.context, self.compiler.context.work as i64);
            let from = self.add_known(self.entry, layout.mailbox as i64);
            self.copy_words(from, work, layout.fields.next_multiple_of(8));
            let from = self.add_known(self.entry, layout.field_property_base as i64);
            let to = self.add_known(work, layout.mutable_field_properties() as i64);
            self.copy_words(from, to, layout.set_base - layout.field_property_base);
        }
        if self.uses_registers {
            let state = self.state_of_position();
            for index in 0..state.registers() {
                let value = self.number(state.register(index));
                self.store_context(value, self.compiler.context.registers + 8 * index);
            }
        }
    }

    /// A field set that depends on the position alone. It is computed once, before any move, and lies on the stack:
    /// as a value it would be computed again wherever it is used.
    pub(crate) fn invariant(&mut self, what: InvariantKind<'program>) -> StackSlot {
        if let Some(known) = self.invariants.iter().find(|invariant| invariant.what.is(what)) {
            return known.place;
        }
        let place = self.stack_slot(8 * self.compiler.layout.set_words);
        self.invariants.push(Invariant { what, place });
        place
    }

    pub(crate) fn compute_invariants(&mut self) -> Compiled<()> {
        if self.invariants.is_empty() {
            return Ok(());
        }
        let state = self.state_of_position();
        for index in 0..self.invariants.len() {
            let values = match self.invariants[index].what {
                InvariantKind::Mismatch(sets) => self.mismatch(sets),
                InvariantKind::Passing(node, here) => {
                    let plan = self.plan(node, here).expect("it was planned before");
                    self.fields_that_pass(&plan, &state)
                }
                InvariantKind::Answer(test) => vec![self.answer_of_test(test, &state)?],
            };
            for (word, value) in values.into_iter().enumerate() {
                self.builder.ins().stack_store(I64, value, self.invariants[index].place, 8 * word as i32);
            }
        }
        Ok(())
    }

    /// The same state with all writes in the signature's difference, because they will not be known one by one.
    pub(crate) fn folded(&mut self, state: &State) -> State {
        let mut folded = State { writes: None, stored: 0, last_step: None, ..state.clone() };
        if let (Some(writes), true) = (&state.writes, self.sums) {
            for write in writes {
                folded.difference = self.with_keys(folded.difference, write);
            }
        }
        folded
    }

    /// The same for another function, which does not know either what scalars were in the position.
    pub(crate) fn folded_for_others(&mut self, state: &State) -> State {
        let mut folded = self.folded(state);
        if self.sums {
            folded.difference = self.with_scalar_keys(folded.difference, state);
        }
        folded
    }

    /// Stores what differs from the state in memory, so that another function sees this state.
    pub(crate) fn store_registers(&mut self, state: &State) -> Vec<usize> {
        self.uses_registers = true;
        let base = self.compiler.context.registers;
        let changed: Vec<usize> = (0..state.registers())
            .filter(|&index| state.register(index) != self.loaded.register(index))
            .filter(|&index| index != DIFFERENCE || self.sums)
            .collect();
        for &index in &changed {
            let value = self.number(state.register(index));
            self.store_context(value, base + 8 * index);
        }
        changed
    }

    /// Stores what was there before [`FunctionCompiler::store_registers`].
    pub(crate) fn restore_registers(&mut self, changed: &[usize]) {
        self.uses_registers = true;
        let base = self.compiler.context.registers;
        for &index in changed {
            let value = self.number(self.loaded.register(index));
            self.store_context(value, base + 8 * index);
        }
    }
}

pub(crate) fn empty_state() -> State {
    State {
        finger: Number::Known(-1),
        finger_may_be_nowhere: true,
        codes: 0,
        direction: Number::Known(0),
        hand: Number::Known(0),
        hand_codes: 1,
        outcome: Number::Known(i64::from(i32::MIN)),
        irreversible: Number::Known(0),
        forcing: Number::Known(-1),
        lead: Number::Known(i64::from(game::geometry::NO_FIELD)),
        difference: Number::Known(0),
        scalars: Vec::new(),
        sets: Vec::new(),
        writes: Some(Vec::new()),
        stored: 0,
        turned: None,
        last_step: None,
        field_properties_written: false,
        is_asked: false,
        choices: Vec::new(),
    }
}
