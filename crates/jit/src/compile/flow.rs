//! Ways through a function: where they meet, loops, faults, and the bounds that end what would not end.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{Block, BlockArg, InstBuilder, Value};
use lang::Span;

use super::function::{FAULT, FunctionCompiler};
use super::state::{DIFFERENCE, Number, REGISTERS, State};
use super::{FaultKind, FaultSite, Work};
use crate::layout::slot;

/// Loops that together can have more rounds than this count them, so that no rule runs for ever.
const UNCOUNTED_ROUNDS_MAX: f64 = 1e8;

/// An open loop.
pub(crate) struct Loop {
    pub(crate) header: Block,
    indices: Vec<usize>,
    pub(crate) round: Value,
    pub(crate) state: State,
}

impl<'program> FunctionCompiler<'_, '_, 'program> {
    /// Joins two states at the end of two blocks; goes on in a new block with what is true of both.
    pub(crate) fn merge(&mut self, first: (Block, State), second: (Block, State)) -> State {
        let join = self.builder.create_block();
        let mut merged = first.1.clone();
        let forgets_writes = first.1.writes != second.1.writes || first.1.stored != second.1.stored;
        let mut differing = Vec::new();
        for index in 0..merged.registers() {
            let equal = first.1.register(index) == second.1.register(index);
            if equal && !(index == DIFFERENCE && forgets_writes && self.sums) {
                continue;
            }
            let parameter = self.builder.append_block_param(join, I64);
            merged.set_register(index, Number::Computed(parameter));
            differing.push(index);
        }
        merged.is_asked &= second.1.is_asked;
        merged.codes |= second.1.codes;
        if first.1.finger != second.1.finger {
            merged.codes = self.compiler.all_codes();
        }
        merged.hand_codes |= second.1.hand_codes;
        merged.finger_may_be_nowhere |= second.1.finger_may_be_nowhere;
        merged.field_properties_written |= second.1.field_properties_written;
        if forgets_writes {
            (merged.writes, merged.stored) = (None, 0);
        }
        if first.1.last_step != second.1.last_step {
            merged.last_step = None;
        }
        for (block, state) in [first, second] {
            self.builder.switch_to_block(block);
            if forgets_writes {
                // Who writes in a branch has saved the memory before it.
                self.show(&state);
            }
            let state = if forgets_writes { self.folded(&state) } else { state };
            let arguments: Vec<BlockArg> =
                differing.iter().map(|&index| self.number(state.register(index)).into()).collect();
            self.builder.ins().jump(join, &arguments);
        }
        self.builder.switch_to_block(join);
        merged
    }

    /// Opens a loop: a block whose parameters are the registers that change in it. Returns the state in the
    /// loop, with a counter of rounds.
    pub(crate) fn open_loop(&mut self, state: &State, changes: &super::analysis::Effects) -> Loop {
        let mut state = state.clone();
        if changes.fields {
            self.settle(&mut state);
            state = self.folded(&state);
        }
        let state = &state;
        let header = self.builder.create_block();
        let mut inside = state.clone();
        let mut indices: Vec<usize> = (0..REGISTERS + state.scalars.len())
            .filter(|&index| changes.registers[index] && (index != DIFFERENCE || self.sums))
            .collect();
        if changes.fields {
            indices.extend(REGISTERS + state.scalars.len()..state.registers());
        }
        inside.field_properties_written |= changes.field_properties;
        let mut arguments: Vec<BlockArg> =
            indices.iter().map(|&index| self.number(state.register(index)).into()).collect();
        arguments.push(self.number(Number::Known(0)).into());
        self.builder.ins().jump(header, &arguments);
        for &index in &indices {
            let parameter = self.builder.append_block_param(header, I64);
            inside.set_register(index, Number::Computed(parameter));
        }
        let round = self.builder.append_block_param(header, I64);
        if indices.contains(&0) || changes.fields {
            inside.codes = self.compiler.all_codes();
            inside.finger_may_be_nowhere |= state.finger_may_be_nowhere;
        }
        if indices.contains(&2) {
            inside.hand_codes = self.compiler.all_codes();
        }
        self.builder.switch_to_block(header);
        inside.last_step = None;
        Loop { header, indices, round, state: inside }
    }

    /// Jumps back with the state at the end of a round.
    pub(crate) fn close_loop(&mut self, open: &Loop, state: &State) {
        let mut arguments: Vec<BlockArg> =
            open.indices.iter().map(|&index| self.number(state.register(index)).into()).collect();
        arguments.push(self.builder.ins().iadd_imm_s(open.round, 1).into());
        self.builder.ins().jump(open.header, &arguments);
    }

    // ---- branches

    /// Goes on in a new block if the condition is true, fails otherwise.
    pub(crate) fn require(&mut self, condition: Value) {
        let on = self.builder.create_block();
        self.builder.ins().brif(condition, on, &[], self.fail, &[]);
        self.builder.switch_to_block(on);
    }

    /// Fails; what is written afterwards is never reached.
    pub(crate) fn give_up(&mut self) {
        self.builder.ins().jump(self.fail, &[]);
        let dead = self.builder.create_block();
        self.builder.switch_to_block(dead);
    }

    pub(crate) fn is(&mut self, condition: IntCC, left: Value, right: i64) -> Value {
        self.builder.ins().icmp_imm_s(condition, left, right)
    }

    /// Stops with a fault if the condition is true.
    pub(crate) fn fault_if(&mut self, condition: Value, kind: FaultKind, span: Span, value: Option<Value>) {
        let site = self.compiler.faults.len() as i64 + 1;
        self.compiler.faults.push(FaultSite { kind, rule: self.rule.to_owned(), span });
        let (stop, on) = (self.builder.create_block(), self.builder.create_block());
        self.builder.ins().brif(condition, stop, &[], on, &[]);
        self.builder.set_cold_block(stop);
        self.builder.switch_to_block(stop);
        let site = self.number(Number::Known(site));
        self.store_context(site, slot::FAULT);
        if let Some(value) = value {
            self.store_context(value, slot::FAULT_VALUE);
        }
        let status = self.number(Number::Known(FAULT));
        self.builder.ins().return_(&[status]);
        self.builder.switch_to_block(on);
    }

    /// Goes on only if a called function said so; otherwise returns what it said.
    pub(crate) fn check_status(&mut self, status: Value) {
        let (stop, on) = (self.builder.create_block(), self.builder.create_block());
        self.builder.ins().brif(status, stop, &[], on, &[]);
        self.builder.set_cold_block(stop);
        self.builder.switch_to_block(stop);
        self.builder.ins().return_(&[status]);
        self.builder.switch_to_block(on);
    }

    // ---- recursion

    pub(crate) fn enter_depth(&mut self, name: &str, span: Span) {
        let depth = self.load_context(slot::DEPTH);
        let deeper = self.builder.ins().iadd_imm_s(depth, 1);
        self.store_context(deeper, slot::DEPTH);
        let limit = i64::from(rules::limits::CALL_DEPTH_MAX);
        let too_deep = self.is(IntCC::SignedGreaterThan, deeper, limit);
        self.fault_if(too_deep, FaultKind::EndlessRecursion(name.to_owned()), span, None);
        self.check_stack(name, span);
        self.burn(span);
    }

    pub(crate) fn check_stack(&mut self, name: &str, span: Span) {
        let pointer = self.builder.ins().get_stack_pointer(I64);
        let limit = self.load_context(slot::STACK_LIMIT);
        let too_deep = self.builder.ins().icmp(IntCC::UnsignedLessThan, pointer, limit);
        self.fault_if(too_deep, FaultKind::NoStack(name.to_owned()), span, None);
    }

    pub(crate) fn leave_depth(&mut self, work: &Work<'_>) {
        if matches!(work, Work::Rule(_)) {
            self.add_to_depth(-1);
        }
    }

    pub(crate) fn add_to_depth(&mut self, amount: i64) {
        let depth = self.load_context(slot::DEPTH);
        let depth = self.builder.ins().iadd_imm_s(depth, amount);
        self.store_context(depth, slot::DEPTH);
    }

    /// What follows is in a loop of at most so many rounds. Returns what [`FunctionCompiler::leave_loop`] wants.
    pub(crate) fn enter_loop(&mut self, rounds: f64) -> f64 {
        let inside = self.times * rounds.max(1.0);
        std::mem::replace(&mut self.times, inside)
    }

    pub(crate) fn leave_loop(&mut self, times: f64) {
        self.times = times;
    }

    /// Counts a round of a loop if there can be very many of them.
    pub(crate) fn count_round(&mut self, span: Span) {
        if self.times > UNCOUNTED_ROUNDS_MAX {
            self.burn(span);
        }
    }

    /// Counts a step and stops when there were too many.
    pub(crate) fn burn(&mut self, span: Span) {
        let fuel = self.load_context(slot::FUEL);
        let fuel = self.builder.ins().iadd_imm_s(fuel, -1);
        self.store_context(fuel, slot::FUEL);
        let empty = self.is(IntCC::SignedLessThan, fuel, 0);
        self.fault_if(empty, FaultKind::TooLong, span, None);
    }
}
