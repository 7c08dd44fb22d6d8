//! What follows, as a function of its own: for rules that call themselves, and where it would be written too often.

use std::rc::Rc;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{InstBuilder, Value};
use cranelift_module::Module;
use rules::ir::Node;

use super::function::{CAN_COINCIDE, Captured, Compiled, ENOUGH, FunctionCompiler, Next, Rest, TRUSTED};
use super::state::State;
use super::{Goal, Pending, Work};
use crate::layout::slot;

/// What follows is written in several places up to this size, all copies counted.
pub(crate) const WRITTEN_SIZE_MAX: f64 = 600.0;

impl<'program> FunctionCompiler<'_, '_, 'program> {
    /// A rule that calls itself: a function of its own, which gets what follows as a closure.
    pub(crate) fn call_recursive(
        &mut self,
        node: &'program Node,
        rule: usize,
        state: State,
        next: &Rc<Next<'program>>,
    ) -> Compiled<()> {
        let mover = self.mover;
        let key = (rule, mover);
        let function = match self.compiler.rules.get(&key) {
            Some(&function) => function,
            None => {
                let function = self.compiler.declare(&self.compiler.program.functions[rule].name, 4)?;
                self.compiler.rules.insert(key, function);
                self.compiler.pending.push(Pending { id: function, mover, work: Work::Rule(rule) });
                function
            }
        };
        let (rest, environment) = self.closure(node, next)?;
        self.show(&state);
        let folded = self.folded_for_others(&state);
        let changed = self.store_registers(&folded);
        let function = self.compiler.module.declare_func_in_func(function, self.builder.func);
        let call = self.builder.ins().call(function, &[self.context, self.entry, rest, environment]);
        let status = self.builder.inst_results(call)[0];
        self.take_back(&state);
        self.status_in_test(status, next);
        self.restore_registers(&changed);
        Ok(())
    }

    /// What follows as code and environment, to be passed to a rule.
    pub(crate) fn closure(
        &mut self,
        node: &'program Node,
        next: &Rc<Next<'program>>,
    ) -> Compiled<(Value, Value)> {
        if let Next::Leave(caller) = &**next
            && let Next::Closure(code, environment) = **caller
        {
            // Nothing follows here: results go straight to the caller, however deep the rules are.
            return Ok((self.captured(code), self.captured(environment)));
        }
        if (self.sites.is_some() || self.plays()) && reaches_goal(next) {
            // Results come out in several functions: no function sees all of them.
            return Err(super::unsupported(CAN_COINCIDE));
        }
        let mut captured = Vec::new();
        let outside = capture(next, &mut captured);
        let id = self.compiler.declare("rest", 3)?;
        let rest = Rest { next: outside, depth: captured.len(), rule: self.rule, span: node.span };
        self.compiler.pending.push(Pending { id, mover: self.mover, work: Work::Rest(rest) });
        let environment = self.stack_slot(8 * (captured.len() + 1));
        let environment = self.builder.ins().stack_addr(I64, environment, 0);
        for (index, &value) in captured.iter().enumerate() {
            let value = self.captured(value);
            self.builder.ins().store(TRUSTED, value, environment, index as i32 * 8);
        }
        let depth = self.load_context(slot::DEPTH);
        self.builder.ins().store(TRUSTED, depth, environment, captured.len() as i32 * 8);
        let code = self.compiler.module.declare_func_in_func(id, self.builder.func);
        // ARM's short form of an address reaches 2 GiB, and the system may put functions further apart. (Calls are made
        // to reach by Cranelift.)
        self.builder.func.dfg.ext_funcs[code].colocated &= !cfg!(target_arch = "aarch64");
        Ok((self.builder.ins().func_addr(I64, code), environment))
    }

    /// What follows, to be written in several places: once for all if it is large. Otherwise choices one after the
    /// other would double the code each time.
    pub(crate) fn shared(
        &mut self,
        node: &'program Node,
        copies: usize,
        next: &Rc<Next<'program>>,
    ) -> Compiled<Rc<Next<'program>>> {
        // What a tracked test asks for is recorded in its own function.
        let is_small = || (copies - 1) as f64 * self.written_size_of_next(next) <= WRITTEN_SIZE_MAX;
        if copies < 2 || self.tracking.is_some() || is_small() {
            return Ok(next.clone());
        }
        let (code, environment) = self.closure(node, next)?;
        Ok(Rc::new(Next::Shared(Captured::Here(code), Captured::Here(environment), next.clone())))
    }

    /// A called function that says "enough" has answered the innermost test around the call.
    pub(crate) fn status_in_test(&mut self, status: Value, next: &Next<'program>) {
        if let Some(accept) = accept_block(next) {
            let (stop, on) = (self.builder.create_block(), self.builder.create_block());
            self.builder.ins().brif(status, stop, &[], on, &[]);
            self.builder.switch_to_block(stop);
            let enough = self.is(IntCC::Equal, status, ENOUGH);
            let leave = self.builder.create_block();
            self.builder.ins().brif(enough, accept, &[], leave, &[]);
            self.builder.switch_to_block(leave);
            self.builder.ins().return_(&[status]);
            self.builder.switch_to_block(on);
        } else {
            self.check_status(status);
        }
    }
}

/// Whether results of the whole may come out behind this place.
pub(crate) fn reaches_goal(next: &Next<'_>) -> bool {
    match next {
        Next::Goal(Goal::Evaluation | Goal::Feature(_))
        | Next::Accept(_)
        | Next::ReturnEnough
        | Next::Nothing => false,
        Next::Goal(_) | Next::Closure(..) => true,
        Next::Statements(_, _, next)
        | Next::Flag(_, next)
        | Next::Greatest(_, _, next)
        | Next::OnlyGreatest(_, _, next)
        | Next::Shared(_, _, next)
        | Next::Leave(next) => reaches_goal(next),
    }
}

/// The block that a test around this place jumps to when it has its answer.
fn accept_block(next: &Next<'_>) -> Option<cranelift_codegen::ir::Block> {
    match next {
        Next::Accept(block) => Some(*block),
        Next::Statements(_, _, next)
        | Next::Flag(_, next)
        | Next::Greatest(_, _, next)
        | Next::OnlyGreatest(_, _, next)
        | Next::Shared(_, _, next)
        | Next::Leave(next) => accept_block(next),
        Next::Goal(_) | Next::ReturnEnough | Next::Nothing | Next::Closure(..) => None,
    }
}

/// The same continuation for another function: values of this one become places in an environment.
fn capture<'program>(next: &Next<'program>, captured: &mut Vec<Captured>) -> Rc<Next<'program>> {
    let mut place = |value: Captured| {
        captured.push(value);
        Captured::Environment(captured.len() - 1)
    };
    Rc::new(match next {
        Next::Goal(goal) => Next::Goal(*goal),
        Next::Accept(_) | Next::ReturnEnough => Next::ReturnEnough,
        Next::Nothing => Next::Nothing,
        Next::Statements(nodes, rule, next) => Next::Statements(nodes, rule, capture(next, captured)),
        Next::Flag(address, next) => {
            let address = place(*address);
            Next::Flag(address, capture(next, captured))
        }
        Next::Greatest(address, value, next) => {
            let address = place(*address);
            Next::Greatest(address, value, capture(next, captured))
        }
        Next::OnlyGreatest(address, value, next) => {
            let address = place(*address);
            Next::OnlyGreatest(address, value, capture(next, captured))
        }
        Next::Closure(code, environment) => {
            let code = place(*code);
            let environment = place(*environment);
            Next::Closure(code, environment)
        }
        Next::Shared(code, environment, next) => {
            let code = place(*code);
            let environment = place(*environment);
            // Only asked for the test around it, which is in another function now.
            let is_test = accept_block(next).is_some();
            let next = if is_test { Next::ReturnEnough } else { (**next).clone() };
            Next::Shared(code, environment, Rc::new(next))
        }
        Next::Leave(next) => Next::Leave(capture(next, captured)),
    })
}
