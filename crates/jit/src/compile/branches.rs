//! Choices and loops with at most one result.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value};
use rules::ir::{Node, NodeKind};
use rules::limits::LOOP_ROUNDS_MAX;

use super::FaultKind;
use super::analysis::{Effects, steps_on};
use super::function::{Compiled, FunctionCompiler};
use super::state::State;
use super::statements::COPIES_SIZE_MAX;

impl<'program> FunctionCompiler<'_, '_, 'program> {
    pub(crate) fn single_try(
        &mut self,
        first: &'program Node,
        second: &'program Node,
        state: State,
    ) -> Compiled<Option<State>> {
        let effects = Effects::of(self.compiler, self.mover, &[first, second]);
        if effects.memory() {
            self.save_memory();
        }
        let outer = self.fail;
        let failed = self.builder.create_block();
        self.fail = failed;
        let mut otherwise = state.clone();
        let success = self.single(first, state)?;
        let success = success.map(|state| (self.park(), state));
        self.fail = outer;
        // What must be undone when the first succeeded is undone from the saved memory.
        self.builder.switch_to_block(failed);
        if self.compiler.options.known_pieces {
            self.rule_out(first, &mut otherwise);
        }
        let failure = self.single(second, otherwise)?;
        let failure = failure.map(|state| (self.park(), state));
        self.fail = outer;
        Ok(self.either_way(success, failure))
    }

    /// Goes on behind two branches, as far as they can succeed.
    fn either_way(&mut self, first: Option<(Block, State)>, second: Option<(Block, State)>) -> Option<State> {
        match (first, second) {
            (Some(first), Some(second)) => Some(self.merge(first, second)),
            (Some((block, state)), None) | (None, Some((block, state))) => {
                self.builder.switch_to_block(block);
                Some(state)
            }
            (None, None) => None,
        }
    }

    /// What follows from the failure of a statement that can only fail at a first `points at`.
    pub(crate) fn rule_out(&self, node: &Node, state: &mut State) {
        let mut node = node;
        let mut rest_succeeds = true;
        loop {
            match &node.kind {
                NodeKind::Sequence(nodes) => {
                    let Some((first, rest)) = nodes.split_first() else { return };
                    rest_succeeds &= rest.iter().all(|node| self.compiler.facts.always_succeeds(node));
                    node = first;
                }
                NodeKind::PointsAt(set) if rest_succeeds => {
                    let left = state.codes & !set.codes[self.mover.index()];
                    if left != 0 {
                        state.codes = left;
                    }
                    return;
                }
                _ => return,
            }
        }
    }

    pub(crate) fn single_branch(
        &mut self,
        condition: &'program Node,
        then: &'program Node,
        otherwise: &'program Node,
        state: State,
    ) -> Compiled<Option<State>> {
        let effects = Effects::of(self.compiler, self.mover, &[condition, then, otherwise]);
        if effects.memory() {
            self.save_memory();
        }
        let outer = self.fail;
        let failed = self.builder.create_block();
        self.fail = failed;
        let other = state.clone();
        let success = self.single(condition, state)?;
        self.fail = outer;
        let success = match success {
            Some(state) => self.single(then, state)?,
            None => None,
        };
        let success = success.map(|state| (self.park(), state));
        self.builder.switch_to_block(failed);
        self.fail = outer;
        let failure = self.single(otherwise, other)?;
        let failure = failure.map(|state| (self.park(), state));
        self.fail = outer;
        Ok(self.either_way(success, failure))
    }

    /// `repeat n times` of a statement with at most one result.
    pub(crate) fn single_repeat(
        &mut self,
        node: &'program Node,
        times: u32,
        body: &'program Node,
        mut state: State,
    ) -> Compiled<Option<State>> {
        let size = self.size_of(std::slice::from_ref(body));
        if times <= 4 || (times <= 8 && size * times as usize <= COPIES_SIZE_MAX) {
            for _ in 0..times {
                match self.single(body, state)? {
                    Some(after) => state = after,
                    None => return Ok(None),
                }
            }
            return Ok(Some(state));
        }
        let effects = Effects::of(self.compiler, self.mover, &[body]);
        if effects.memory() {
            self.save_memory();
        }
        let outside = self.enter_loop(self.rounds_max(&effects, &[body]).min(f64::from(times)));
        let open = self.open_loop(&state, &effects);
        let (on, done) = (self.builder.create_block(), self.builder.create_block());
        let finished = self.is(IntCC::SignedGreaterThanOrEqual, open.round, i64::from(times));
        self.builder.ins().brif(finished, done, &[], on, &[]);
        self.builder.switch_to_block(on);
        self.check_rounds(node, open.round);
        let outer = self.fail;
        let after = self.single(body, open.state.clone())?;
        self.fail = outer;
        self.leave_loop(outside);
        match after {
            Some(after) => self.close_loop(&open, &after),
            None => {
                self.builder.ins().jump(outer, &[]);
            }
        }
        self.builder.switch_to_block(done);
        Ok(Some(open.state))
    }

    pub(crate) fn check_rounds(&mut self, node: &Node, round: Value) {
        self.count_round(node.span);
        let too_many = self.is(IntCC::SignedGreaterThanOrEqual, round, i64::from(LOOP_ROUNDS_MAX));
        self.fault_if(too_many, FaultKind::EndlessLoop, node.span, None);
    }

    pub(crate) fn single_while(
        &mut self,
        node: &'program Node,
        condition: &'program Node,
        body: &'program Node,
        state: State,
    ) -> Compiled<Option<State>> {
        let effects = Effects::of(self.compiler, self.mover, &[condition, body]);
        if effects.memory() {
            self.save_memory();
        }
        let outside = self.enter_loop(self.rounds_max(&effects, &[condition, body]));
        let open = self.open_loop(&state, &effects);
        self.check_rounds(node, open.round);
        let outer = self.fail;
        let done = self.builder.create_block();
        self.fail = done;
        let inside = self.single(condition, open.state.clone())?;
        self.fail = outer;
        if let Some(inside) = inside {
            match self.single(body, inside)? {
                Some(after) => self.close_loop(&open, &after),
                None => {
                    self.builder.ins().jump(outer, &[]);
                }
            }
        }
        self.leave_loop(outside);
        self.fail = outer;
        if !self.is_filled() {
            self.builder.ins().jump(outer, &[]);
        }
        self.builder.switch_to_block(done);
        let mut after = open.state;
        if self.compiler.options.known_pieces && !effects.fields {
            self.rule_out(condition, &mut after);
        }
        Ok(Some(after))
    }

    /// The most rounds of a loop: a few if each one steps on in the same direction.
    pub(crate) fn rounds_max(&self, effects: &Effects, nodes: &[&Node]) -> f64 {
        const DIRECTION: usize = 1;
        match self.compiler.tables.steps_max {
            Some(steps) if !effects.registers[DIRECTION] && steps_on(nodes) => steps as f64 + 1.0,
            _ => f64::from(LOOP_ROUNDS_MAX),
        }
    }

    pub(crate) fn is_filled(&self) -> bool {
        let block = self.current();
        let last = self.builder.func.layout.last_inst(block);
        last.is_some_and(|inst| self.builder.func.dfg.insts[inst].opcode().is_terminator())
    }
}
