//! Loops that are choices: `repeat`.

use std::rc::Rc;

use cranelift_codegen::ir::InstBuilder;
use cranelift_codegen::ir::condcodes::IntCC;
use rules::ir::Node;

use super::analysis::Effects;
use super::closures::WRITTEN_SIZE_MAX;
use super::function::{Compiled, FunctionCompiler, Next};
use super::state::State;
use super::unique::Choice;

/// Up to so many rounds of a loop are written one after the other.
const ROUNDS_WRITTEN_MAX: u32 = 4;

impl<'program> FunctionCompiler<'_, '_, 'program> {
    /// `repeat a .. b times` of a statement with at most one result.
    pub(crate) fn repeat(
        &mut self,
        node: &'program Node,
        least: u32,
        most: Option<u32>,
        body: &'program Node,
        state: State,
        next: &Rc<Next<'program>>,
    ) -> Compiled<()> {
        let outer = self.fail;
        let end = self.builder.create_block();
        self.fail = end;
        if self.is_written_out(least, most, body, next) {
            self.written_out(node, least, most.unwrap_or(least), body, state, next)?;
        } else if let Some(state) = self.single_repeat(node, least, body, state)? {
            let effects = Effects::of(self.compiler, self.mover, &[body]);
            if effects.memory() {
                self.save_memory();
            }
            let rounds = f64::from(most.map_or(u32::MAX, |most| most.saturating_sub(least)));
            let outside = self.enter_loop(self.rounds_max(&effects, &[body]).min(rounds));
            let open = self.open_loop(&state, &effects);
            self.check_rounds(node, open.round);
            let mut result = open.state.clone();
            result.choices.push(Choice::Other);
            self.follow(next, result)?;
            if let Some(most) = most {
                let again = self.is(IntCC::SignedLessThan, open.round, i64::from(most.saturating_sub(least)));
                self.require(again);
            }
            let fail = self.fail;
            match self.single(body, open.state.clone())? {
                Some(after) => self.close_loop(&open, &after),
                None => {
                    self.builder.ins().jump(fail, &[]);
                }
            }
            self.leave_loop(outside);
            let dead = self.builder.create_block();
            self.builder.switch_to_block(dead);
            self.fail = fail;
        }
        self.builder.ins().jump(self.fail, &[]);
        self.builder.switch_to_block(end);
        self.fail = outer;
        Ok(())
    }

    /// Whether the rounds of a loop are written one after the other: then the changes of each result are known, which
    /// is worth the code where lines of play are counted.
    pub(crate) fn is_written_out(
        &self,
        least: u32,
        most: Option<u32>,
        body: &'program Node,
        next: &Next<'program>,
    ) -> bool {
        let Some(most) = most else { return false };
        let size = self.written_size(body) * f64::from(most);
        self.counts
            && self.writes_memory(body)
            && most <= ROUNDS_WRITTEN_MAX
            && size + self.written_size_of_next(next) * f64::from(most + 1 - least) <= WRITTEN_SIZE_MAX
    }

    pub(crate) fn written_out(
        &mut self,
        node: &'program Node,
        least: u32,
        most: u32,
        body: &'program Node,
        state: State,
        next: &Rc<Next<'program>>,
    ) -> Compiled<()> {
        let Some(mut state) = self.single_repeat(node, least, body, state)? else { return Ok(()) };
        for round in least..=most {
            self.follow(next, state.clone())?;
            if round < most {
                let Some(after) = self.single(body, state)? else { break };
                state = after;
            }
        }
        Ok(())
    }
}
