//! What follows a result: the goal, more statements, or what another place has left to be done.

use std::rc::Rc;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{InstBuilder, Value};
use rules::ir::Expression;

use super::Goal;
use super::function::{Captured, Compiled, ENOUGH, FunctionCompiler, Next, TRUSTED};
use super::state::{Number, State};
use crate::layout::slot;

impl<'program> FunctionCompiler<'_, '_, 'program> {
    /// What follows a result.
    pub(crate) fn follow(&mut self, next: &Rc<Next<'program>>, state: State) -> Compiled<()> {
        match &**next {
            Next::Goal(goal) => self.reach(*goal, state),
            Next::Accept(block) => {
                self.builder.ins().jump(*block, &[]);
                self.go_on_nowhere();
                Ok(())
            }
            Next::ReturnEnough => {
                let status = self.number(Number::Known(ENOUGH));
                self.builder.ins().return_(&[status]);
                self.go_on_nowhere();
                Ok(())
            }
            Next::Nothing => Ok(()),
            Next::Statements(nodes, rule, next) => {
                let outer = std::mem::replace(&mut self.rule, rule);
                self.sequence(nodes, state, next)?;
                self.rule = outer;
                Ok(())
            }
            Next::Flag(address, next) => {
                let address = self.captured(*address);
                let one = self.number(Number::Known(1));
                self.builder.ins().store(TRUSTED, one, address, 0);
                self.follow(next, state)
            }
            Next::Greatest(address, value, next) => self.note_greatest(*address, value, next, state),
            Next::OnlyGreatest(address, value, next) => self.keep_greatest(*address, value, next, state),
            Next::Closure(code, environment) => {
                let (code, environment) = (self.captured(*code), self.captured(*environment));
                let (status, changed) = self.call_what_follows(code, environment, &state);
                self.check_status(status);
                self.restore_registers(&changed);
                self.take_back(&state);
                Ok(())
            }
            Next::Shared(code, environment, next) => {
                let (code, environment) = (self.captured(*code), self.captured(*environment));
                let depth = self.load_context(slot::DEPTH);
                let (status, changed) = self.call_what_follows(code, environment, &state);
                self.restore_registers(&changed);
                self.take_back(&state);
                self.store_context(depth, slot::DEPTH);
                self.status_in_test(status, next);
                Ok(())
            }
            Next::Leave(next) => {
                // What follows belongs to the caller and goes on at its depth.
                let depth = self.load_context(slot::DEPTH);
                self.follow(next, state)?;
                self.store_context(depth, slot::DEPTH);
                Ok(())
            }
        }
    }

    /// A result of the whole: what is done with it depends on what results are for.
    fn reach(&mut self, goal: Goal, state: State) -> Compiled<()> {
        match goal {
            Goal::Moves => self.emit_move(state),
            Goal::Children => self.emit_child(state),
            Goal::Count => self.count_result(state),
            Goal::Pick => self.pick_result(state),
            Goal::Settle => self.settle_result(state),
            Goal::Counted | Goal::Played | Goal::Walk => self.play_result(state),
            Goal::Forcing | Goal::Sharp => self.emit_forcing(state, goal),
            Goal::Any => self.stop_at_move(state),
            Goal::Legal => self.stop_at_wanted(state),
            Goal::Taking => self.stop_at_taking(state),
            Goal::Feature(feature) => self.add_feature(feature, state),
            Goal::Evaluation => unreachable!("an evaluation ends in its features"),
            Goal::Threatened | Goal::Watched => unreachable!("a test ends where it succeeds"),
        }
    }

    /// Code has jumped away: nothing comes to what is written next.
    fn go_on_nowhere(&mut self) {
        let dead = self.builder.create_block();
        self.builder.switch_to_block(dead);
    }

    /// The value may be the greatest so far.
    fn note_greatest(
        &mut self,
        address: Captured,
        value: &'program Expression,
        next: &Rc<Next<'program>>,
        mut state: State,
    ) -> Compiled<()> {
        let fail = self.fail;
        let value = self.expression(value, &mut state)?;
        // It has changed nothing that would have to be undone.
        self.fail = fail;
        let (value, address) = (self.number(value), self.captured(address));
        let greatest = self.builder.ins().load(I64, TRUSTED, address, 0);
        let greatest = self.builder.ins().smax(greatest, value);
        self.builder.ins().store(TRUSTED, greatest, address, 0);
        self.follow(next, state)
    }

    /// Goes on only if the value is the greatest.
    fn keep_greatest(
        &mut self,
        address: Captured,
        value: &'program Expression,
        next: &Rc<Next<'program>>,
        mut state: State,
    ) -> Compiled<()> {
        let value = self.expression(value, &mut state)?;
        let (value, address) = (self.number(value), self.captured(address));
        let greatest = self.builder.ins().load(I64, TRUSTED, address, 0);
        let equal = self.builder.ins().icmp(IntCC::Equal, greatest, value);
        let outer = self.fail;
        let end = self.builder.create_block();
        self.fail = end;
        self.require(equal);
        self.follow(next, state)?;
        self.builder.ins().jump(self.fail, &[]);
        self.builder.switch_to_block(end);
        self.fail = outer;
        Ok(())
    }

    /// Calls a closure with the state in memory. Returns its status, and the registers that were written for it.
    fn call_what_follows(&mut self, code: Value, environment: Value, state: &State) -> (Value, Vec<usize>) {
        self.show(state);
        let folded = self.folded_for_others(state);
        let changed = self.store_registers(&folded);
        let signature = self.compiler.signature(3);
        let signature = self.builder.import_signature(signature);
        let arguments = [self.context, self.entry, environment];
        let call = self.builder.ins().call_indirect(signature, code, &arguments);
        (self.builder.inst_results(call)[0], changed)
    }
}
