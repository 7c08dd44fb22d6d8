//! Tests: code that returns at its first success.
//!
//! **Dependency-tracked tests.** A test that is made after every move (is my king attacked?) is answered once
//! for the position, and the fields that it asked for are recorded, for each piece set that it asked about. A
//! move that changes none of those answers cannot change the answer of the test. Such a test must not depend
//! on finger, direction, hand, or on properties that the move has changed; whatever it searches the whole board
//! for must not be touched by the move at all.

use std::rc::Rc;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{InstBuilder, Value};
use cranelift_module::Module;
use rules::ir::{ExpressionKind, Node, NodeKind, Sight};
use rules::walk;

use super::analysis::{Effects, is_closed};
use super::function::{Compiled, ENOUGH, FAULT, FunctionCompiler, Next, TRUSTED};
use super::state::{Number, State};
use super::{Pending, TEST_WORDS_MAX, TrackedTest, Work};

/// Tests up to this size are compiled where they stand.
const INLINE_SIZE_MAX: usize = 14;

/// Tests up to this size are not worth a plan.
const PLANNED_SIZE_LEAST: usize = 3;

/// Tests up to this size, all copies counted, are tracked.
const TRACKED_SIZE_MAX: f64 = 5_000.0;

impl<'program> FunctionCompiler<'_, '_, 'program> {
    /// `test` (positive) or `not`: the unchanged state, or failure.
    pub(crate) fn test(
        &mut self,
        body: &'program Node,
        state: State,
        positive: bool,
    ) -> Compiled<Option<State>> {
        if let (NodeKind::PointsAt(set), false) = (&body.kind, positive) {
            return Ok(self.points_elsewhere(set.codes[self.mover.index()], state));
        }
        let size = self.size_of(std::slice::from_ref(body));
        if size > PLANNED_SIZE_LEAST
            && let Some(answer) = self.answer_before_move(body, &state)
        {
            let wanted = self.is(if positive { IntCC::NotEqual } else { IntCC::Equal }, answer, 0);
            self.require(wanted);
            return Ok(Some(state));
        }
        let floods = self.is_flood_test(body);
        if !floods
            && self.tracking.is_none()
            && size > INLINE_SIZE_MAX
            && self.compiler.test_words < TEST_WORDS_MAX / 2
        {
            let answer = match self.tracked(body, &state)? {
                Some(answer) => answer,
                None => self.call_test(body, &state)?,
            };
            let wanted = self.is(if positive { IntCC::NotEqual } else { IntCC::Equal }, answer, 0);
            self.require(wanted);
            return Ok(Some(state));
        }
        let yes = self.builder.create_block();
        let fail = self.fail;
        if !(floods && self.test_if_sets_differ(body, &state, yes)?) {
            self.inline_test(body, &state, yes)?;
        }
        if positive {
            self.builder.ins().jump(fail, &[]);
            self.builder.switch_to_block(yes);
        } else {
            let on = self.builder.create_block();
            self.builder.ins().jump(on, &[]);
            self.builder.switch_to_block(yes);
            self.builder.ins().jump(fail, &[]);
            self.builder.switch_to_block(on);
        }
        Ok(Some(state))
    }

    /// `not points at`: what is known of the field shrinks.
    fn points_elsewhere(&mut self, set: u128, mut state: State) -> Option<State> {
        match state.finger {
            Number::Known(-1) => return Some(state),
            Number::Computed(_) if state.finger_may_be_nowhere => {
                // Nowhere is elsewhere too.
                let (ask, on) = (self.builder.create_block(), self.builder.create_block());
                let finger = self.number(state.finger);
                let somewhere = self.is(IntCC::SignedGreaterThanOrEqual, finger, 0);
                self.builder.ins().brif(somewhere, ask, &[], on, &[]);
                self.builder.switch_to_block(ask);
                let code = self.load_field(&state, state.finger);
                self.record_dependency(set, state.finger);
                let found = self.is_member(code, set, self.compiler.all_codes());
                self.builder.ins().brif(found, self.fail, &[], on, &[]);
                self.builder.switch_to_block(on);
                return Some(state);
            }
            _ => {}
        }
        if state.codes & !set == 0 {
            self.give_up();
            return None;
        }
        if state.codes & set != 0 {
            let code = self.load_field(&state, state.finger);
            self.record_dependency(set, state.finger);
            let outside = self.is_member(code, !set, state.codes);
            self.require(outside);
            if self.compiler.options.known_pieces {
                state.codes &= !set;
            }
        }
        Some(state)
    }

    /// Whether a test succeeds: 1 or 0.
    pub(crate) fn answer_of_test(&mut self, body: &'program Node, state: &State) -> Compiled<Value> {
        let (yes, join) = (self.builder.create_block(), self.builder.create_block());
        let answer = self.builder.append_block_param(join, I64);
        self.inline_test(body, state, yes)?;
        for (block, truth) in [(None, 0), (Some(yes), 1)] {
            if let Some(block) = block {
                self.builder.switch_to_block(block);
            }
            let truth = self.number(Number::Known(truth));
            self.builder.ins().jump(join, &[truth.into()]);
        }
        self.builder.switch_to_block(join);
        Ok(answer)
    }

    /// Code that jumps to `yes` at the first success, with memory as it is now, and runs on without one.
    pub(crate) fn inline_test(
        &mut self,
        body: &'program Node,
        state: &State,
        yes: cranelift_codegen::ir::Block,
    ) -> Compiled<()> {
        let sums = std::mem::replace(&mut self.sums, false);
        let result = self.unsummed_test(body, state, yes);
        self.sums = sums;
        result
    }

    fn unsummed_test(
        &mut self,
        body: &'program Node,
        state: &State,
        yes: cranelift_codegen::ir::Block,
    ) -> Compiled<()> {
        let effects = Effects::of(self.compiler, self.mover, &[body]);
        let recursive = self.calls_recursive(body);
        if self.is_flood_test(body) {
            let next = Rc::new(Next::Accept(yes));
            self.floods += 1;
            let result = self.sequence(std::slice::from_ref(body), state.clone(), &next);
            self.floods -= 1;
            return result;
        }
        if !effects.memory() && !recursive {
            let next = Rc::new(Next::Accept(yes));
            return self.sequence(std::slice::from_ref(body), state.clone(), &next);
        }
        self.uses_board = true;
        let bytes = self.compiler.layout.mutable_bytes();
        let saved = self.stack_slot(bytes.max(8));
        let address = self.builder.ins().stack_addr(I64, saved, 0);
        let work = self.add_known(self.context, self.compiler.context.work as i64);
        self.copy_words(work, address, bytes);
        let depth = self.load_context(crate::layout::slot::DEPTH);
        let found = self.builder.create_block();
        let next = Rc::new(Next::Accept(found));
        self.sequence(std::slice::from_ref(body), state.clone(), &next)?;
        let here = self.park();
        self.builder.switch_to_block(found);
        self.copy_words(address, work, bytes);
        if recursive {
            // Functions that were left early have not put back what they stored.
            self.store_context(depth, crate::layout::slot::DEPTH);
            let all: Vec<usize> = (0..self.loaded.registers()).collect();
            self.restore_registers(&all);
        }
        self.builder.ins().jump(yes, &[]);
        self.builder.switch_to_block(here);
        Ok(())
    }

    pub(crate) fn calls_recursive(&self, node: &Node) -> bool {
        let mut found = false;
        let mut seen = vec![false; self.compiler.program.functions.len()];
        let mut open = vec![node];
        while let Some(node) = open.pop() {
            walk::for_each_node(node, &mut |node| {
                if let NodeKind::Call(rule) = node.kind {
                    found |= self.compiler.recursive[rule];
                    if !std::mem::replace(&mut seen[rule], true) {
                        open.push(&self.compiler.program.functions[rule].body);
                    }
                }
            });
        }
        found
    }

    /// The body of a test that is a function of its own.
    pub(crate) fn test_function(
        &mut self,
        node: &'program Node,
        state: State,
        tracked: Option<&TrackedTest>,
    ) -> Compiled<()> {
        if let Some(tracked) = tracked {
            let zero = self.number(Number::Known(0));
            for word in 0..tracked.classes.len() * self.compiler.layout.set_words {
                self.store_context(zero, self.compiler.context.tests + 8 * (tracked.word + 2 + word));
            }
        }
        let yes = self.builder.create_block();
        self.inline_test(node, &state, yes)?;
        let here = self.park();
        self.builder.switch_to_block(yes);
        if let Some(tracked) = tracked {
            self.store_answer(tracked, true);
        }
        let status = self.number(Number::Known(ENOUGH));
        self.builder.ins().return_(&[status]);
        self.builder.switch_to_block(here);
        Ok(())
    }

    /// Calls a test; the value is 1 or 0.
    fn call_test(&mut self, body: &'program Node, state: &State) -> Compiled<Value> {
        let key = (std::ptr::from_ref(body), self.mover);
        let magnitude = (self.times.log2() / 4.0).ceil().min(100.0);
        let (power, times) = (magnitude as u32, 16_f64.powf(magnitude));
        let known = self.compiler.tests.get(&key).map_or(&[][..], |test| &test.plain);
        let id = match known.iter().find(|&&(other, _)| other == power).map(|&(_, id)| id) {
            Some(id) => id,
            None => {
                let id = self.compiler.declare("test", 2)?;
                self.compiler.tests.entry(key).or_default().plain.push((power, id));
                let work = Work::Test { node: body, rule: self.rule, tracked: None, times };
                self.compiler.pending.push(Pending { id, mover: self.mover, work });
                id
            }
        };
        self.show(state);
        let changed = self.store_registers(state);
        let function = self.compiler.module.declare_func_in_func(id, self.builder.func);
        let call = self.builder.ins().call(function, &[self.context, self.entry]);
        let status = self.builder.inst_results(call)[0];
        self.restore_registers(&changed);
        self.take_back(state);
        self.leave_on_fault(status);
        Ok(status)
    }

    fn leave_on_fault(&mut self, status: Value) {
        let fault = self.is(IntCC::Equal, status, FAULT);
        let (stop, on) = (self.builder.create_block(), self.builder.create_block());
        self.builder.ins().brif(fault, stop, &[], on, &[]);
        self.builder.set_cold_block(stop);
        self.builder.switch_to_block(stop);
        self.builder.ins().return_(&[status]);
        self.builder.switch_to_block(on);
    }

    // ---- dependency tracking

    /// Answers a test from its record where the writes so far cannot matter. `None`: it cannot be tracked.
    fn tracked(&mut self, body: &'program Node, state: &State) -> Compiled<Option<Value>> {
        let Some(writes) = state.writes.clone().filter(|writes| !writes.is_empty()) else { return Ok(None) };
        if !self.compiler.options.tracked_tests || !self.can_track(body, state) {
            return Ok(None);
        }
        let (id, test) = self.tracked_function(body)?;
        let words = self.compiler.layout.set_words;
        let record = self.compiler.context.tests + 8 * test.word;
        if writes
            .iter()
            .any(|write| test.searched.iter().any(|&set| differs(write.old_codes, write.new_codes, set)))
        {
            return Ok(None);
        }
        // Made once for a position, when the first move asks.
        let (make, ready) = (self.builder.create_block(), self.builder.create_block());
        let valid = self.load_context(record);
        self.builder.ins().brif(valid, ready, &[], make, &[]);
        self.builder.set_cold_block(make);
        self.builder.switch_to_block(make);
        let function = self.compiler.module.declare_func_in_func(id, self.builder.func);
        let call = self.builder.ins().call(function, &[self.context, self.entry]);
        let status = self.builder.inst_results(call)[0];
        self.leave_on_fault(status);
        self.builder.ins().jump(ready, &[]);
        self.builder.switch_to_block(ready);
        let mut touched = None;
        for write in &writes {
            let mut fields = None;
            for (class, &set) in test.classes.iter().enumerate() {
                if !differs(write.old_codes, write.new_codes, set) {
                    continue;
                }
                let base = record + 8 * (2 + class * words);
                let word = self.load_word_of(base, write.field);
                fields = Some(match fields {
                    None => word,
                    Some(other) => self.builder.ins().bor(other, word),
                });
            }
            if let Some(fields) = fields {
                let field = self.number(write.field);
                let bit = self.builder.ins().ushr(fields, field);
                touched = Some(match touched {
                    None => bit,
                    Some(other) => self.builder.ins().bor(other, bit),
                });
            }
        }
        let answer = self.load_context(record + 8);
        let Some(touched) = touched else { return Ok(Some(answer)) };
        let touched = self.builder.ins().band_imm_s(touched, 1);
        let (ask, join) = (self.builder.create_block(), self.builder.create_block());
        let result = self.builder.append_block_param(join, I64);
        self.builder.ins().brif(touched, ask, &[], join, &[answer.into()]);
        self.builder.switch_to_block(ask);
        let asked = self.call_test(body, state)?;
        self.builder.ins().jump(join, &[asked.into()]);
        self.builder.switch_to_block(join);
        Ok(Some(result))
    }

    /// Asks who is threatened, with a record of what the answer depends on: the board alone, or there is none.
    pub(crate) fn watch_closing_test(&mut self, state: &State) -> Compiled<()> {
        let program = self.compiler.program;
        let Some(test) = program.closing_test else { return Ok(()) };
        let body = &program.functions[test].body;
        let reads_properties = Effects::of(self.compiler, self.mover, &[body]).reads.contains(&true);
        if reads_properties || !self.can_track(body, state) {
            return Ok(());
        }
        let (id, tracked) = self.tracked_function(body)?;
        let function = self.compiler.module.declare_func_in_func(id, self.builder.func);
        let call = self.builder.ins().call(function, &[self.context, self.entry]);
        let status = self.builder.inst_results(call)[0];
        self.leave_on_fault(status);
        self.compiler.watched = Some(tracked);
        Ok(())
    }

    fn can_track(&self, body: &'program Node, state: &State) -> bool {
        let effects = Effects::of(self.compiler, self.mover, &[body]);
        let unchanged = |scalar: usize| state.scalars[scalar] == self.loaded.scalars[scalar];
        !effects.untrackable
            && !effects.memory()
            && !effects.reads_field_properties
            && (0..effects.reads.len()).all(|scalar| !effects.reads[scalar] || unchanged(scalar))
            && !self.calls_recursive(body)
            // It is written without sharing, as its questions are recorded in one function.
            && self.written_size(body) <= TRACKED_SIZE_MAX
            && is_closed(self.compiler.program, body)
    }

    fn tracked_function(
        &mut self,
        body: &'program Node,
    ) -> Compiled<(cranelift_module::FuncId, TrackedTest)> {
        let key = (std::ptr::from_ref(body), self.mover);
        if let Some(tracked) = self.compiler.tests.get(&key).and_then(|test| test.tracked.clone()) {
            return Ok(tracked);
        }
        let (classes, searched) = self.dependencies(body);
        let words = 2 + classes.len() * self.compiler.layout.set_words;
        let test = TrackedTest { word: self.compiler.test_words, classes, searched };
        self.compiler.test_words += words;
        let id = self.compiler.declare("tracked test", 2)?;
        self.compiler.tests.entry(key).or_default().tracked = Some((id, test.clone()));
        let work = Work::Test { node: body, rule: self.rule, tracked: Some(test.clone()), times: 1.0 };
        self.compiler.pending.push(Pending { id, mover: self.mover, work });
        Ok((id, test))
    }

    /// The piece sets that a test asks single fields for, and those that it searches the board for.
    fn dependencies(&self, body: &Node) -> (Vec<u128>, Vec<u128>) {
        let (mut classes, mut searched) = (Vec::new(), Vec::new());
        let mover = self.mover.index();
        let add = |list: &mut Vec<u128>, set: u128| {
            if !list.contains(&set) {
                list.push(set);
            }
        };
        let mut seen = vec![false; self.compiler.program.functions.len()];
        let mut open = vec![body];
        while let Some(node) = open.pop() {
            walk::for_each_node(node, &mut |node| match &node.kind {
                NodeKind::PointsAt(set) => add(&mut classes, set.codes[mover]),
                NodeKind::Sees(Sight::Reach { set, .. }) => add(&mut classes, set.codes[mover]),
                NodeKind::Sees(Sight::Over { over, set, .. }) => {
                    add(&mut classes, over.codes[mover]);
                    add(&mut classes, set.codes[mover]);
                }
                NodeKind::Find(set) => add(&mut searched, set.codes[mover]),
                NodeKind::Call(rule) if !std::mem::replace(&mut seen[*rule], true) => {
                    open.push(&self.compiler.program.functions[*rule].body);
                }
                NodeKind::Replace(_)
                | NodeKind::PickUp
                | NodeKind::PutDown
                | NodeKind::Step { .. }
                | NodeKind::Directions(_)
                | NodeKind::Turn(_)
                | NodeKind::MoveTo(..)
                | NodeKind::Either(_)
                | NodeKind::Try(..)
                | NodeKind::Test(_)
                | NodeKind::Not(_)
                | NodeKind::Repeat { .. }
                | NodeKind::While(..)
                | NodeKind::DoWhile(..)
                | NodeKind::Branch { .. }
                | NodeKind::OnFields(_)
                | NodeKind::Assert(_)
                | NodeKind::Assign(_)
                | NodeKind::Match(_)
                | NodeKind::ToMove(_)
                | NodeKind::Irreversible
                | NodeKind::Forcing(_)
                | NodeKind::Ending(_)
                | NodeKind::Score(_)
                | NodeKind::Most(..)
                | NodeKind::Cycle(_)
                | NodeKind::Sequence(_)
                | NodeKind::Call(_) => {}
            });
            walk::for_each_expression(node, &mut |expression| {
                if let ExpressionKind::NumberOf(set) = &expression.kind {
                    add(&mut searched, set.codes[mover]);
                }
            });
        }
        (classes, searched)
    }

    /// While a test is tracked: remembers that it asked whether a field holds one of these pieces.
    pub(crate) fn record_dependency(&mut self, set: u128, field: Number) {
        let Some(test) = &self.tracking else { return };
        let class = test.classes.iter().position(|&class| class == set).expect("every question was foreseen");
        let words = self.compiler.layout.set_words;
        let base = self.compiler.context.tests + 8 * (test.word + 2 + class * words);
        let one = self.number(Number::Known(1));
        let field = self.number(field);
        let bit = self.builder.ins().ishl(one, field);
        let (address, offset) = if words == 1 {
            (self.context, base)
        } else {
            let index = self.builder.ins().ushr_imm_s(field, 6);
            let offset = self.builder.ins().ishl_imm_s(index, 3);
            (self.builder.ins().iadd(self.context, offset), base)
        };
        let fields = self.builder.ins().load(I64, TRUSTED, address, offset as i32);
        let fields = self.builder.ins().bor(fields, bit);
        self.builder.ins().store(TRUSTED, fields, address, offset as i32);
    }

    /// The same for one word of many fields at once.
    pub(crate) fn record_dependencies(&mut self, set: u128, fields: Value, word: usize) {
        let Some(test) = &self.tracking else { return };
        let class = test.classes.iter().position(|&class| class == set).expect("every question was foreseen");
        let words = self.compiler.layout.set_words;
        let offset = self.compiler.context.tests + 8 * (test.word + 2 + class * words + word);
        let known = self.load_context(offset);
        let known = self.builder.ins().bor(known, fields);
        self.store_context(known, offset);
    }

    /// While a test is tracked, a search of the board is a dependency that was noted when it was compiled.
    pub(crate) fn record_search(&mut self, set: u128) {
        if let Some(test) = &self.tracking {
            debug_assert!(test.searched.contains(&set), "every search was foreseen");
        }
    }

    pub(crate) fn store_answer(&mut self, test: &TrackedTest, answer: bool) {
        let record = self.compiler.context.tests + 8 * test.word;
        let one = self.number(Number::Known(1));
        let answer = self.number(Number::Known(i64::from(answer)));
        self.store_context(one, record);
        self.store_context(answer, record + 8);
    }
}

/// Whether a write can change which fields hold pieces of a set.
pub(crate) fn differs(old_codes: u128, new_codes: u128, set: u128) -> bool {
    let either = old_codes | new_codes;
    either & set != 0 && either & !set != 0
}
