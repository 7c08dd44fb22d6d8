//! Statements.
//!
//! [`FunctionCompiler::single`] compiles a statement with at most one result: code runs on in the current block
//! when it succeeds and jumps to `fail` when it does not. [`FunctionCompiler::several`] compiles any statement,
//! with what follows inside it; afterwards code runs on where all results have been dealt with.

use std::rc::Rc;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{BlockArg, InstBuilder, JumpTableData, Value};
use cranelift_module::Module;
use game::{Direction, PieceCode};
use rules::ir::{Ending, Node, NodeKind, PieceSet};
use rules::limits::LOOP_ROUNDS_MAX;

use super::analysis::{Effects, always_succeeds, steps_on};
use super::function::{CAN_COINCIDE, Captured, Compiled, ENOUGH, FunctionCompiler, Next, Rest, TRUSTED};
use super::state::{LastStep, Number, State, Write};
use super::unique::Choice;
use super::{FaultKind, Goal, Pending, Work};
use crate::layout::slot;

/// Stack that compiling a statement may take, and how much more there is then.
const STACK_LEAST: usize = 128 * 1024;
const STACK_MORE: usize = 4 * 1024 * 1024;

/// What follows is compiled once for each alternative up to this size, then once for all.
const COPIES_SIZE_MAX: usize = 60;

/// More writes than this are made in memory before the next one.
const PENDING_MAX: usize = 4;

/// Up to so many fields with a piece are told apart when the code is written.
const KNOWN_FINGERS_MAX: usize = 2;

/// Up to so many rounds of a loop are written one after the other.
const ROUNDS_WRITTEN_MAX: u32 = 4;

/// On boards up to this size.
const KNOWN_FIELDS_MAX: usize = 36;

/// If that makes no more code than this.
const KNOWN_SIZE_MAX: f64 = 3_000.0;

/// The same where that needs a function of its own.
const WRITTEN_SIZE_MAX: f64 = 600.0;

impl<'program> FunctionCompiler<'_, '_, 'program> {
    /// Statements one after the other, then what follows.
    pub(crate) fn sequence(
        &mut self,
        nodes: &'program [Node],
        state: State,
        next: &Rc<Next<'program>>,
    ) -> Compiled<()> {
        // Rules can be nested deeper than a thread's stack is.
        stacker::maybe_grow(STACK_LEAST, STACK_MORE, || self.sequence_here(nodes, state, next))
    }

    fn sequence_here(
        &mut self,
        nodes: &'program [Node],
        state: State,
        next: &Rc<Next<'program>>,
    ) -> Compiled<()> {
        let outer = self.fail;
        let end = self.builder.create_block();
        self.fail = end;
        let mut state = Some(state);
        let mut rest = nodes;
        while let [first, others @ ..] = rest {
            let Some(before) = state.take() else { break };
            // Sequences are flattened: what follows an inner one follows its last statement.
            if let NodeKind::Sequence(inner) = &first.kind {
                let next = self.then(others, next);
                self.sequence(inner, before, &next)?;
                break;
            }
            if let NodeKind::Call(rule) = first.kind
                && !self.compiler.recursive[rule]
                && !self.is_single(first)
            {
                let function = &self.compiler.program.functions[rule];
                let next = self.then(others, next);
                let outer = std::mem::replace(&mut self.rule, &function.name);
                self.sequence(std::slice::from_ref(&function.body), before, &next)?;
                self.rule = outer;
                break;
            }
            if let NodeKind::Call(rule) = first.kind
                && self.floods > 0
                && let Some(flood) = self.flood(rule)
            {
                state = self.mark_group(&flood, before);
                rest = others;
                continue;
            }
            let mut before = self.only_forcing(before, rest, next);
            if self.turn_rows(first, others, &mut before, next)? {
                state = Some(before);
                rest = others;
                continue;
            }
            if self.is_single(first) && !self.prefers_copies(first, others, next) {
                state = self.single(first, before)?;
                rest = others;
            } else {
                let next = self.then(others, next);
                self.several(first, before, &next)?;
                break;
            }
        }
        if let ([], Some(state)) = (rest, state) {
            self.follow(next, state)?;
        }
        self.builder.ins().jump(self.fail, &[]);
        self.builder.switch_to_block(end);
        self.fail = outer;
        Ok(())
    }

    fn then(&self, nodes: &'program [Node], next: &Rc<Next<'program>>) -> Rc<Next<'program>> {
        match nodes {
            [] => next.clone(),
            nodes => Rc::new(Next::Statements(nodes, self.rule, next.clone())),
        }
    }

    /// A choice that writes fields is compiled with a copy of what follows in each branch, if that is small: then
    /// the changes of each move stay known.
    fn prefers_copies(&self, node: &'program Node, others: &[Node], next: &Next<'program>) -> bool {
        let NodeKind::Try(first, second) = &node.kind else { return false };
        (self.writes_memory(first) || self.writes_memory(second))
            && self.size_of(others) + self.size_of_next(next) <= COPIES_SIZE_MAX
    }

    fn writes_memory(&self, node: &Node) -> bool {
        Effects::of(self.compiler, self.mover, &[node]).memory()
    }

    /// What follows a result.
    pub(crate) fn follow(&mut self, next: &Rc<Next<'program>>, state: State) -> Compiled<()> {
        match &**next {
            Next::Goal(Goal::Moves) => self.emit_move(state),
            Next::Goal(Goal::Children) => self.emit_child(state),
            Next::Goal(Goal::Count) => self.count_result(state),
            Next::Goal(Goal::Pick) => self.pick_result(state),
            Next::Goal(Goal::Counted | Goal::Played | Goal::Walk) => self.play_result(state),
            Next::Goal(Goal::Forcing) => self.emit_forcing(state),
            Next::Goal(Goal::Any) => self.stop_at_move(state),
            Next::Goal(Goal::Legal) => self.stop_at_wanted(state),
            Next::Goal(Goal::Taking) => self.stop_at_taking(state),
            Next::Goal(Goal::Feature(feature)) => self.add_feature(*feature, state),
            Next::Goal(Goal::Evaluation) => unreachable!("an evaluation ends in its features"),
            Next::Accept(block) => {
                self.builder.ins().jump(*block, &[]);
                let dead = self.builder.create_block();
                self.builder.switch_to_block(dead);
                Ok(())
            }
            Next::ReturnEnough => {
                let status = self.number(Number::Known(ENOUGH));
                self.builder.ins().return_(&[status]);
                let dead = self.builder.create_block();
                self.builder.switch_to_block(dead);
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
            Next::Greatest(address, value, next) => {
                let mut state = state;
                let fail = self.fail;
                let value = self.expression(value, &mut state)?;
                // It has changed nothing that would have to be undone.
                self.fail = fail;
                let (value, address) = (self.number(value), self.captured(*address));
                let greatest = self.builder.ins().load(I64, TRUSTED, address, 0);
                let greatest = self.builder.ins().smax(greatest, value);
                self.builder.ins().store(TRUSTED, greatest, address, 0);
                self.follow(next, state)
            }
            Next::OnlyGreatest(address, value, next) => {
                let mut state = state;
                let value = self.expression(value, &mut state)?;
                let (value, address) = (self.number(value), self.captured(*address));
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
            Next::Closure(code, environment) => {
                let (code, environment) = (self.captured(*code), self.captured(*environment));
                self.show(&state);
                let folded = self.folded_for_others(&state);
                let changed = self.store_registers(&folded);
                let signature = self.compiler.signature(3);
                let signature = self.builder.import_signature(signature);
                let arguments = [self.context, self.entry, environment];
                let call = self.builder.ins().call_indirect(signature, code, &arguments);
                let status = self.builder.inst_results(call)[0];
                self.check_status(status);
                self.restore_registers(&changed);
                self.take_back(&state);
                Ok(())
            }
            Next::Shared(code, environment, next) => {
                let (code, environment) = (self.captured(*code), self.captured(*environment));
                let depth = self.load_context(slot::DEPTH);
                self.show(&state);
                let folded = self.folded_for_others(&state);
                let changed = self.store_registers(&folded);
                let signature = self.compiler.signature(3);
                let signature = self.builder.import_signature(signature);
                let arguments = [self.context, self.entry, environment];
                let call = self.builder.ins().call_indirect(signature, code, &arguments);
                let status = self.builder.inst_results(call)[0];
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

    // ---- statements with at most one result

    /// Compiles a statement with at most one result. `None`: it can never succeed.
    pub(crate) fn single(&mut self, node: &'program Node, mut state: State) -> Compiled<Option<State>> {
        let mover = self.mover.index();
        match &node.kind {
            NodeKind::PointsAt(set) => return Ok(self.points_at(set, state)),
            NodeKind::Replace(codes) => {
                if !self.finger_is_somewhere(&mut state) {
                    return Ok(None);
                }
                self.write(&mut state, Number::Known(i64::from(codes[mover].0)), codes[mover].bit());
            }
            NodeKind::PickUp => return Ok(self.pick_up(state)),
            NodeKind::PutDown => return Ok(self.put_down(state)),
            NodeKind::Step { backward } => return Ok(self.step(*backward, state)),
            NodeKind::Directions(directions) => {
                state.direction = Number::Known(self.absolute(directions[0]));
            }
            NodeKind::Turn(eighths) => {
                state.direction = match state.direction {
                    Number::Known(direction) => {
                        Number::Known(Direction::new(direction as i32 + eighths).index() as i64)
                    }
                    Number::Computed(direction) => {
                        let turned = self.builder.ins().iadd_imm_s(direction, i64::from(*eighths));
                        Number::Computed(self.builder.ins().band_imm_s(turned, 7))
                    }
                };
            }
            NodeKind::MoveTo(column, row) => {
                let column = self.expression(column, &mut state)?;
                let row = self.expression(row, &mut state)?;
                return Ok(self.move_to(column, row, state));
            }
            NodeKind::Either(choices) => return self.single(&choices[0], state),
            NodeKind::Try(..) if self.is_idle(node) => {}
            NodeKind::Try(first, second) => return self.single_try(first, second, state),
            NodeKind::Branch { condition, then, otherwise } => {
                return self.single_branch(condition, then, otherwise, state);
            }
            NodeKind::Test(body) => return self.test(body, state, true),
            NodeKind::Not(body) => return self.test(body, state, false),
            NodeKind::Repeat { least, body, .. } => return self.single_repeat(node, *least, body, state),
            NodeKind::While(condition, body) => return self.single_while(node, condition, body, state),
            NodeKind::DoWhile(body, condition) => {
                let Some(state) = self.single(body, state)? else { return Ok(None) };
                return self.single_while(node, condition, body, state);
            }
            NodeKind::Sees(sight) => return Ok(self.sees(sight, state)),
            NodeKind::OnFields(flags) => return Ok(self.on_fields(node, &flags[mover], state)),
            NodeKind::Assert(value) => match self.expression(value, &mut state)? {
                Number::Known(0) => {
                    self.give_up();
                    return Ok(None);
                }
                Number::Known(_) => {}
                Number::Computed(value) => self.require(value),
            },
            NodeKind::Assign(value) => {
                self.expression(value, &mut state)?;
            }
            NodeKind::Match(sets) => {
                if self.match_by_difference(sets, &state).is_some() {
                    return Ok(Some(state));
                }
                for (seen, set) in sets.iter().enumerate() {
                    let field = self.turned(seen);
                    if set.codes[mover] != u128::MAX {
                        let code = self.load_field(&state, Number::Known(field));
                        let found = self.is_member(
                            code,
                            set.codes[mover],
                            self.compiler.all_codes() | PieceCode::UNUSED.bit(),
                        );
                        self.require(found);
                    }
                }
            }
            NodeKind::ToMove(colour) => {
                if *colour != self.mover {
                    self.give_up();
                    return Ok(None);
                }
            }
            NodeKind::Irreversible => state.irreversible = Number::Known(1),
            NodeKind::Forcing(forcing) => state.forcing = Number::Known(i64::from(*forcing)),
            NodeKind::Ending(ending) => {
                let outcome = match ending {
                    Ending::Win => game::Outcome::Win,
                    Ending::Draw => game::Outcome::Draw,
                    Ending::Loss => game::Outcome::Loss,
                };
                state.outcome = Number::Known(i64::from(game::Outcome::code(Some(outcome))));
            }
            NodeKind::Score(value) => {
                let value = self.expression(value, &mut state)?;
                let limit = i64::from(game::Outcome::SCORE_MAX);
                state.outcome = match value {
                    Number::Known(value) => Number::Known(value.clamp(-limit, limit)),
                    Number::Computed(value) => {
                        let (low, high) =
                            (self.number(Number::Known(-limit)), self.number(Number::Known(limit)));
                        let value = self.builder.ins().smax(value, low);
                        Number::Computed(self.builder.ins().smin(value, high))
                    }
                };
            }
            NodeKind::Cycle(fields) => self.cycle(fields, &mut state),
            NodeKind::Sequence(nodes) => {
                for node in nodes {
                    match self.single(node, state)? {
                        Some(after) => state = after,
                        None => return Ok(None),
                    }
                }
            }
            NodeKind::Call(rule) => {
                let function = &self.compiler.program.functions[*rule];
                let outer = std::mem::replace(&mut self.rule, &function.name);
                let result = self.single(&function.body, state);
                self.rule = outer;
                return result;
            }
            NodeKind::Find(_) | NodeKind::Most(..) => unreachable!("has several results"),
        }
        Ok(Some(state))
    }

    /// The absolute direction for one that the mover sees.
    pub(crate) fn absolute(&self, eighths: i32) -> i64 {
        let turned = if self.rotated() { 4 } else { 0 };
        Direction::new(eighths + turned).index() as i64
    }

    pub(crate) fn rotated(&self) -> bool {
        self.mover == game::Colour::Black && self.compiler.program.info.sides == 2
    }

    pub(crate) fn turned(&self, field: usize) -> i64 {
        let last = self.compiler.layout.fields - 1;
        (if self.rotated() { last - field } else { field }) as i64
    }

    /// Fails if the finger is nowhere; false if it certainly is.
    pub(crate) fn finger_is_somewhere(&mut self, state: &mut State) -> bool {
        match state.finger {
            Number::Known(-1) => {
                self.give_up();
                false
            }
            Number::Computed(finger) if state.finger_may_be_nowhere => {
                let somewhere = self.is(IntCC::SignedGreaterThanOrEqual, finger, 0);
                self.require(somewhere);
                state.finger_may_be_nowhere = false;
                true
            }
            _ => true,
        }
    }

    /// Whether a code is one of a set, given what it may be.
    pub(crate) fn is_member(&mut self, code: Value, set: u128, possible: u128) -> Value {
        let (inside, outside) = (set & possible, possible & !set);
        if inside.count_ones() == 1 {
            return self.is(IntCC::Equal, code, i64::from(inside.trailing_zeros()));
        }
        if outside.count_ones() == 1 {
            return self.is(IntCC::NotEqual, code, i64::from(outside.trailing_zeros()));
        }
        let low = self.number(Number::Known(inside as u64 as i64));
        let low = self.builder.ins().ushr(low, code);
        if possible >> 64 == 0 {
            return self.builder.ins().band_imm_s(low, 1);
        }
        let high = self.number(Number::Known((inside >> 64) as u64 as i64));
        let high = self.builder.ins().ushr(high, code);
        let is_high = self.is(IntCC::UnsignedGreaterThanOrEqual, code, 64);
        let word = self.builder.ins().select(is_high, high, low);
        self.builder.ins().band_imm_s(word, 1)
    }

    fn points_at(&mut self, set: &PieceSet, mut state: State) -> Option<State> {
        let set = set.codes[self.mover.index()];
        if !self.finger_is_somewhere(&mut state) {
            return None;
        }
        if set & state.codes == 0 {
            self.give_up();
            return None;
        }
        if state.codes & !set != 0 {
            let code = self.load_field(&state, state.finger);
            self.record_dependency(set, state.finger);
            let found = self.is_member(code, set, state.codes);
            self.require(found);
            if self.compiler.options.known_pieces {
                state.codes &= set;
            }
        }
        Some(state)
    }

    /// Puts a code on the finger's field and keeps everything else in step.
    fn write(&mut self, state: &mut State, new: Number, new_codes: u128) {
        let old = match state.codes.count_ones() {
            1 => Number::Known(i64::from(state.codes.trailing_zeros())),
            _ => Number::Computed(self.load_field(state, state.finger)),
        };
        self.write_over(state, old, new, new_codes);
    }

    /// The same where it is known what stands there.
    fn write_over(&mut self, state: &mut State, old: Number, new: Number, new_codes: u128) {
        let old_codes = state.codes;
        self.update_sets(state, state.finger, (old, old_codes), (new, new_codes));
        self.lead(state, state.finger);
        let origin = state.last_step.filter(|step| step.to == state.finger).and_then(|step| {
            let direction = match step.direction {
                Number::Known(direction) if step.backward => Number::Known((direction + 4) % 8),
                Number::Computed(_) if step.backward => return None,
                direction => direction,
            };
            Some((step.from, direction))
        });
        self.note_write(state, Write { field: state.finger, old, old_codes, new, new_codes, origin });
        state.codes = if self.compiler.options.known_pieces { new_codes } else { self.compiler.all_codes() };
    }

    /// Remembers a write, or at least what it does to the signature.
    fn note_write(&mut self, state: &mut State, write: Write) {
        match &mut state.writes {
            Some(writes) => {
                writes.push(write);
                if state.pending().len() > PENDING_MAX
                    && state.pending().iter().any(|write| write.field.known().is_none())
                {
                    self.settle(state);
                }
            }
            None => {
                self.store_field(write.field, write.old, write.new);
                if self.sums {
                    state.difference = self.with_keys(state.difference, &write);
                }
            }
        }
    }

    /// A field is written: if it is the first one, it leads.
    pub(crate) fn lead(&mut self, state: &mut State, field: Number) {
        let unset = i64::from(game::geometry::NO_FIELD);
        match state.lead {
            Number::Known(lead) if lead == unset => state.lead = field,
            Number::Computed(lead) if state.writes.as_ref().is_none_or(Vec::is_empty) => {
                let is_unset = self.is(IntCC::Equal, lead, unset);
                let field = self.number(field);
                state.lead = Number::Computed(self.builder.ins().select(is_unset, field, lead));
            }
            _ => {}
        }
    }

    /// Adds a field to the sets that its new code belongs to, and removes it from the others.
    fn update_sets(
        &mut self,
        state: &mut State,
        field: Number,
        (old, old_codes): (Number, u128),
        (new, new_codes): (Number, u128),
    ) {
        let words = self.compiler.layout.set_words;
        let sets = self.compiler.layout.sets.clone();
        let bits: Vec<Option<Value>> = (0..words).map(|word| self.bit_in_word(field, word)).collect();
        for (index, &set) in sets.iter().enumerate() {
            let was = (old_codes & set != 0, old_codes & !set != 0);
            let is = (new_codes & set != 0, new_codes & !set != 0);
            if (was.0, is.0) == (false, false) || (was.1, is.1) == (false, false) {
                continue; // in the set before and after, or not in it before and after
            }
            for (word, bit) in bits.iter().enumerate() {
                let Some(bit) = *bit else { continue };
                let value = state.sets[index * words + word];
                state.sets[index * words + word] = match is {
                    (true, false) => self.builder.ins().bor(value, bit),
                    (false, true) => self.builder.ins().band_not(value, bit),
                    _ => {
                        let new = self.number(new);
                        let member = self.is_member(new, set, new_codes);
                        let with = self.builder.ins().bor(value, bit);
                        let without = self.builder.ins().band_not(value, bit);
                        self.builder.ins().select(member, with, without)
                    }
                };
            }
        }
        let _ = old;
    }

    /// The bit of a field in one word of a set; `None` if it is certainly in another word.
    pub(crate) fn bit_in_word(&mut self, field: Number, word: usize) -> Option<Value> {
        match field {
            Number::Known(field) if field as usize / 64 == word => {
                Some(self.number(Number::Known(1_i64 << (field % 64))))
            }
            Number::Known(_) => None,
            Number::Computed(field) => {
                let one = self.number(Number::Known(1));
                let bit = self.builder.ins().ishl(one, field);
                if self.compiler.layout.set_words == 1 {
                    return Some(bit);
                }
                let high = self.builder.ins().ushr_imm_s(field, 6);
                let here = self.is(IntCC::Equal, high, word as i64);
                let zero = self.number(Number::Known(0));
                Some(self.builder.ins().select(here, bit, zero))
            }
        }
    }

    fn pick_up(&mut self, mut state: State) -> Option<State> {
        if !self.finger_is_somewhere(&mut state) {
            return None;
        }
        self.require_hand(&mut state, true)?;
        let empty = PieceCode::EMPTY.bit();
        if state.codes == empty {
            self.give_up();
            return None;
        }
        let code = match state.codes.count_ones() {
            1 => Number::Known(i64::from(state.codes.trailing_zeros())),
            _ => {
                let code = self.load_field(&state, state.finger);
                if state.codes & empty != 0 {
                    self.record_dependency(empty, state.finger);
                    let filled = self.is(IntCC::NotEqual, code, 0);
                    self.require(filled);
                    state.codes &= !empty;
                }
                Number::Computed(code)
            }
        };
        let codes = state.codes;
        self.write_over(&mut state, code, Number::Known(0), empty);
        (state.hand, state.hand_codes) = (code, codes);
        Some(state)
    }

    fn put_down(&mut self, mut state: State) -> Option<State> {
        if !self.finger_is_somewhere(&mut state) {
            return None;
        }
        self.require_hand(&mut state, false)?;
        let (hand, codes) = (state.hand, state.hand_codes);
        self.write(&mut state, hand, codes);
        (state.hand, state.hand_codes) = (Number::Known(0), PieceCode::EMPTY.bit());
        Some(state)
    }

    /// Fails unless the hand is empty, or unless it is not.
    fn require_hand(&mut self, state: &mut State, wanted_empty: bool) -> Option<()> {
        let empty = PieceCode::EMPTY.bit();
        let allowed = if wanted_empty { empty } else { !empty };
        if state.hand_codes & allowed == 0 {
            self.give_up();
            return None;
        }
        if state.hand_codes & !allowed != 0 {
            let hand = self.number(state.hand);
            let condition = if wanted_empty { IntCC::Equal } else { IntCC::NotEqual };
            let fits = self.is(condition, hand, 0);
            self.require(fits);
            state.hand_codes &= allowed;
            if wanted_empty {
                state.hand = Number::Known(0);
            }
        }
        Some(())
    }

    fn step(&mut self, backward: bool, mut state: State) -> Option<State> {
        if !self.finger_is_somewhere(&mut state) {
            return None;
        }
        if let Some(back) = self.step_back(backward, &state) {
            return Some(back);
        }
        let fields = self.compiler.layout.fields as i64;
        let table = self.compiler.tables.neighbours.as_ptr();
        let direction = match (state.direction, backward) {
            (Number::Known(direction), true) => Number::Known((direction + 4) % 8),
            (Number::Computed(direction), true) => {
                Number::Computed(self.builder.ins().bxor_imm_s(direction, 4))
            }
            (direction, false) => direction,
        };
        let finger = match (direction, state.finger) {
            (Number::Known(direction), Number::Known(finger)) => {
                let to = self.compiler.tables.neighbours[(direction * fields + finger) as usize];
                if to < 0 {
                    self.give_up();
                    return None;
                }
                Number::Known(i64::from(to))
            }
            (Number::Known(direction), finger) => {
                let table = table.wrapping_add((direction * fields) as usize);
                self.element_i16(table, finger)
            }
            (Number::Computed(direction), finger) => {
                let row = self.builder.ins().imul_imm_s(direction, fields);
                let index = match finger {
                    Number::Known(finger) => self.builder.ins().iadd_imm_s(row, finger),
                    Number::Computed(finger) => self.builder.ins().iadd(row, finger),
                };
                self.element_i16(table, Number::Computed(index))
            }
        };
        if let Number::Computed(finger) = finger {
            let somewhere = self.is(IntCC::SignedGreaterThanOrEqual, finger, 0);
            self.require(somewhere);
        }
        state.last_step = state.writes.as_ref().map(|writes| LastStep {
            from: state.finger,
            codes: state.codes,
            direction: state.direction,
            backward,
            to: finger,
            writes: writes.len(),
        });
        state.finger = finger;
        state.finger_may_be_nowhere = false;
        state.codes = self.compiler.all_codes();
        Some(state)
    }

    /// A step that takes back the last one: the finger is where it was, and what was known of that field still is.
    fn step_back(&self, backward: bool, state: &State) -> Option<State> {
        let step = state.last_step.filter(|_| self.compiler.tables.steps_are_reversible)?;
        let writes = state.writes.as_ref()?;
        if step.to != state.finger || step.direction != state.direction || step.backward == backward {
            return None;
        }
        let unwritten = writes[step.writes..].iter().all(|write| write.field == step.to);
        let codes = if unwritten { step.codes } else { self.compiler.all_codes() };
        Some(State {
            finger: step.from,
            finger_may_be_nowhere: false,
            codes,
            last_step: None,
            ..state.clone()
        })
    }

    fn move_to(&mut self, column: Number, row: Number, mut state: State) -> Option<State> {
        let geometry = &self.compiler.program.info.geometry;
        let (columns, rows) = (geometry.columns() as i64, geometry.rows() as i64);
        state.codes = self.compiler.all_codes();
        state.finger_may_be_nowhere = false;
        if let (Number::Known(column), Number::Known(row)) = (column, row) {
            let field = geometry.at(column, row).map(|field| self.turned(field as usize));
            return match field.filter(|&field| self.compiler.program.info.geometry.is_used(field as u16)) {
                Some(field) => {
                    state.finger = Number::Known(field);
                    Some(state)
                }
                None => {
                    self.give_up();
                    None
                }
            };
        }
        let (column, row) = (self.number(column), self.number(row));
        let column = self.builder.ins().iadd_imm_s(column, -1);
        let row = self.builder.ins().iadd_imm_s(row, -1);
        for (value, size) in [(column, columns), (row, rows)] {
            let inside = self.is(IntCC::UnsignedLessThan, value, size);
            self.require(inside);
        }
        let row = self.builder.ins().imul_imm_s(row, columns);
        let mut field = self.builder.ins().iadd(row, column);
        if self.rotated() {
            let last = self.number(Number::Known(columns * rows - 1));
            field = self.builder.ins().isub(last, field);
        }
        let used = self.compiler.program.info.geometry.used().to_vec();
        if used.contains(&false) {
            let flag = self.field_flag(&used, Number::Computed(field));
            self.require(flag);
        }
        state.finger = Number::Computed(field);
        Some(state)
    }

    /// Whether a field is among those with a flag.
    fn field_flag(&mut self, flags: &[bool], field: Number) -> Value {
        let words: Vec<u64> = flags
            .chunks(64)
            .map(|chunk| chunk.iter().enumerate().fold(0, |word, (bit, &flag)| word | u64::from(flag) << bit))
            .collect();
        let field = self.number(field);
        let word = match words[..] {
            [word] => self.number(Number::Known(word as i64)),
            _ => {
                let table: Box<[i64]> = words.iter().map(|&word| word as i64).collect();
                let pointer = table.as_ptr();
                self.compiler.tables.made.push(table);
                let index = self.builder.ins().ushr_imm_s(field, 6);
                self.element_i64(pointer, Number::Computed(index))
            }
        };
        let shifted = self.builder.ins().ushr(word, field);
        self.builder.ins().band_imm_s(shifted, 1)
    }

    fn on_fields(&mut self, node: &Node, flags: &[bool], state: State) -> Option<State> {
        match state.finger {
            Number::Known(field) if field >= 0 => {
                if flags[field as usize] {
                    return Some(state);
                }
                self.give_up();
                None
            }
            _ => {
                let finger = self.number(state.finger);
                if state.finger_may_be_nowhere {
                    let nowhere = self.is(IntCC::SignedLessThan, finger, 0);
                    self.fault_if(nowhere, FaultKind::FingerNowhere, node.span, None);
                }
                if !flags.contains(&false) {
                    return Some(state);
                }
                let flag = self.field_flag(flags, Number::Computed(finger));
                self.require(flag);
                Some(state)
            }
        }
    }

    fn cycle(&mut self, fields: &[u16], state: &mut State) {
        let known: Vec<Number> = fields.iter().map(|&field| Number::Known(i64::from(field))).collect();
        let codes: Vec<Number> =
            known.iter().map(|&field| Number::Computed(self.load_field(state, field))).collect();
        let possible = self.compiler.all_codes();
        for (index, &code) in codes.iter().enumerate() {
            let to = (index + 1) % fields.len();
            self.update_sets(state, known[to], (codes[to], possible), (code, possible));
            self.lead(state, known[to]);
            let (old, new) = (codes[to], code);
            let write =
                Write { field: known[to], old, old_codes: possible, new, new_codes: possible, origin: None };
            self.note_write(state, write);
        }
        state.codes = possible;
    }

    fn single_try(
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
        Ok(match (success, failure) {
            (Some(success), Some(failure)) => Some(self.merge(success, failure)),
            (Some((block, state)), None) | (None, Some((block, state))) => {
                self.builder.switch_to_block(block);
                Some(state)
            }
            (None, None) => None,
        })
    }

    /// What follows from the failure of a statement that can only fail at a first `points at`.
    fn rule_out(&self, node: &Node, state: &mut State) {
        let mut node = node;
        let mut rest_succeeds = true;
        loop {
            match &node.kind {
                NodeKind::Sequence(nodes) => {
                    let Some((first, rest)) = nodes.split_first() else { return };
                    rest_succeeds &= rest.iter().all(|node| always_succeeds(self.compiler.program, node));
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

    fn single_branch(
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
        Ok(match (success, failure) {
            (Some(success), Some(failure)) => Some(self.merge(success, failure)),
            (Some((block, state)), None) | (None, Some((block, state))) => {
                self.builder.switch_to_block(block);
                Some(state)
            }
            (None, None) => None,
        })
    }

    /// `repeat n times` of a statement with at most one result.
    fn single_repeat(
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

    fn check_rounds(&mut self, node: &Node, round: Value) {
        self.count_round(node.span);
        let too_many = self.is(IntCC::SignedGreaterThanOrEqual, round, i64::from(LOOP_ROUNDS_MAX));
        self.fault_if(too_many, FaultKind::EndlessLoop, node.span, None);
    }

    fn single_while(
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
    fn rounds_max(&self, effects: &Effects, nodes: &[&Node]) -> f64 {
        const DIRECTION: usize = 1;
        match self.compiler.tables.steps_max {
            Some(steps) if !effects.registers[DIRECTION] && steps_on(nodes) => steps as f64 + 1.0,
            _ => f64::from(LOOP_ROUNDS_MAX),
        }
    }

    fn is_filled(&self) -> bool {
        let block = self.current();
        let last = self.builder.func.layout.last_inst(block);
        last.is_some_and(|inst| self.builder.func.dfg.insts[inst].opcode().is_terminator())
    }

    // ---- statements with several results

    /// Compiles a statement with what follows each of its results.
    fn several(&mut self, node: &'program Node, state: State, next: &Rc<Next<'program>>) -> Compiled<()> {
        match &node.kind {
            NodeKind::Find(set) => self.find(node, set, state, next),
            NodeKind::Directions(directions) => self.directions(node, directions, state, next),
            NodeKind::Either(choices) => self.either(node, choices, state, next),
            NodeKind::Try(first, second) if self.is_single(first) && !self.writes_memory(first) => {
                let next = &self.shared(node, 2, next)?;
                let outer = self.fail;
                let failed = self.builder.create_block();
                let done = self.builder.create_block();
                self.fail = failed;
                let mut otherwise = state.clone();
                let succeeded = self.single(first, state)?;
                self.fail = outer;
                if let Some(state) = succeeded {
                    self.follow(next, state)?;
                }
                self.builder.ins().jump(done, &[]);
                self.builder.switch_to_block(failed);
                if self.compiler.options.known_pieces {
                    self.rule_out(first, &mut otherwise);
                }
                self.sequence(std::slice::from_ref(&**second), otherwise, next)?;
                self.builder.ins().jump(done, &[]);
                self.builder.switch_to_block(done);
                Ok(())
            }
            NodeKind::Try(first, second) => {
                let next = self.shared(node, 2, next)?;
                self.flagged(first, &[], second, state, &next)
            }
            NodeKind::Branch { condition, then, otherwise } => {
                let next = self.shared(node, 2, next)?;
                self.flagged(condition, std::slice::from_ref(&**then), otherwise, state, &next)
            }
            NodeKind::Repeat { least, most, body } => self.repeat(node, *least, *most, body, state, next),
            NodeKind::Most(value, body) => {
                let slot = self.stack_slot(8);
                let address = self.builder.ins().stack_addr(I64, slot, 0);
                let least = self.number(Number::Known(i64::MIN));
                self.builder.ins().store(TRUSTED, least, address, 0);
                let measure = Next::Greatest(Captured::Here(address), value, Rc::new(Next::Nothing));
                let body = std::slice::from_ref(&**body);
                // The value belongs to this rule, whichever one the body ends in.
                let here = |next: Next<'program>| Rc::new(Next::Statements(&[], self.rule, Rc::new(next)));
                let (measure, keep) =
                    (here(measure), here(Next::OnlyGreatest(Captured::Here(address), value, next.clone())));
                self.sequence(body, state.clone(), &measure)?;
                self.sequence(body, state, &keep)
            }
            NodeKind::Call(rule) => self.call_recursive(node, *rule, state, next),
            NodeKind::Sequence(nodes) => self.sequence(nodes, state, next),
            // A statement with one result, asked for because copies are preferred.
            _ => self.sequence(std::slice::from_ref(node), state, next),
        }
    }

    fn flagged(
        &mut self,
        first: &'program Node,
        then: &'program [Node],
        second: &'program Node,
        state: State,
        next: &Rc<Next<'program>>,
    ) -> Compiled<()> {
        let slot = self.stack_slot(8);
        let address = self.builder.ins().stack_addr(I64, slot, 0);
        let zero = self.number(Number::Known(0));
        self.builder.ins().store(TRUSTED, zero, address, 0);
        let after = self.then(then, next);
        let flag = Rc::new(Next::Flag(Captured::Here(address), after));
        self.sequence(std::slice::from_ref(first), state.clone(), &flag)?;
        let any = self.builder.ins().load(I64, TRUSTED, address, 0);
        let (done, otherwise) = (self.builder.create_block(), self.builder.create_block());
        self.builder.ins().brif(any, done, &[], otherwise, &[]);
        self.builder.switch_to_block(otherwise);
        if self.goal == Some(Goal::Legal) && reaches_goal(next) {
            self.give_up_if_narrow();
        }
        self.sequence(std::slice::from_ref(second), state, next)?;
        self.builder.ins().jump(done, &[]);
        self.builder.switch_to_block(done);
        Ok(())
    }

    fn find(
        &mut self,
        node: &'program Node,
        set: &PieceSet,
        state: State,
        next: &Rc<Next<'program>>,
    ) -> Compiled<()> {
        let codes = set.codes[self.mover.index()];
        let words = self.compiler.layout.set_words;
        let index = match self.kept_set(codes) {
            Some(index) => index,
            None if codes == 0 => return Ok(()),
            None => {
                return Err(super::Unsupported {
                    reason: "more than 60 different piece sets are searched for".into(),
                });
            }
        };
        self.record_search(codes);
        let (passing, next) = self.filter_fields(codes, next, &state);
        if self.count_found(index, codes, passing.as_deref(), &state, &next)? {
            return Ok(());
        }
        let picks = self.picks_among(&next);
        let passing = match (self.fields_with_prospects(&next, &state), passing) {
            (Some(one), Some(other)) => {
                let both = one.into_iter().zip(other);
                Some(both.map(|(one, other)| self.builder.ins().band(one, other)).collect())
            }
            (one, other) => one.or(other),
        };
        let next = &self.shared(node, words, &next)?;
        let outside = self.enter_loop(self.compiler.layout.fields as f64);
        for word in 0..words {
            let mut fields = state.sets[index * words + word];
            if self.goal == Some(Goal::Legal) && reaches_goal(next) && self.changes_found(next) {
                let wanted = self.load_context(self.compiler.context.wanted + 8 * word);
                fields = self.builder.ins().band(fields, wanted);
            }
            if let Some(passing) = &passing {
                fields = self.builder.ins().band(fields, passing[word]);
            }
            if picks {
                fields = self.pick_among(fields);
            }
            let (header, body, done) =
                (self.builder.create_block(), self.builder.create_block(), self.builder.create_block());
            let left = self.builder.append_block_param(header, I64);
            self.builder.ins().jump(header, &[BlockArg::Value(fields)]);
            self.builder.switch_to_block(header);
            self.builder.ins().brif(left, body, &[], done, &[]);
            self.builder.switch_to_block(body);
            self.count_round(node.span);
            let bit = self.builder.ins().ctz(left);
            let field = self.add_known(bit, 64 * word as i64);
            let less = self.builder.ins().iadd_imm_s(left, -1);
            let rest = self.builder.ins().band(left, less);
            let mut found = state.clone();
            found.finger_may_be_nowhere = false;
            found.codes = if self.compiler.options.known_pieces { codes } else { self.compiler.all_codes() };
            let follow = |function: &mut Self, found: State, finger: Number| {
                let mut found = State { finger, ..found };
                found.choices.push(Choice::Found { field: finger, codes, word });
                function.follow(next, found)?;
                function.builder.ins().jump(header, &[BlockArg::Value(rest)]);
                Ok(())
            };
            if self.is_worth_knowing(codes, next) {
                // Code of its own for each field.
                let blocks: Vec<_> =
                    (0..self.compiler.layout.fields).map(|_| self.builder.create_block()).collect();
                let calls: Vec<_> =
                    blocks.iter().map(|&block| self.builder.func.dfg.block_call(block, &[])).collect();
                let otherwise = self.builder.func.dfg.block_call(done, &[]);
                let table = self.builder.create_jump_table(JumpTableData::new(otherwise, &calls));
                let narrow = self.narrow(field, 32);
                self.builder.ins().br_table(narrow, table);
                let outer = std::mem::replace(&mut self.copies, blocks.len() as f64);
                let loaded = self.loaded.clone();
                for (field, &block) in blocks.iter().enumerate() {
                    self.builder.switch_to_block(block);
                    let mut found = found.clone();
                    self.load_sets_again(&mut found);
                    follow(self, found, Number::Known(field as i64))?;
                    self.loaded.clone_from(&loaded);
                }
                self.copies = outer;
            } else {
                follow(self, found, Number::Computed(field))?;
            }
            self.builder.switch_to_block(done);
        }
        self.leave_loop(outside);
        Ok(())
    }

    /// Loads the field sets once more if they are still those of the position. Whatever is computed from them with known
    /// fields would otherwise be computed for all fields, before it is known which one is needed.
    fn load_sets_again(&mut self, state: &mut State) {
        for index in 0..state.sets.len() {
            if state.sets[index] == self.loaded.sets[index] {
                let offset = self.compiler.layout.set_base + 8 * index;
                let again = self.builder.ins().load(I64, TRUSTED, self.entry, offset as i32);
                (state.sets[index], self.loaded.sets[index]) = (again, again);
            }
        }
    }

    /// Whether what follows a `find` is written once for each field: where few fields hold such a piece in the start
    /// position, and everything about them becomes known.
    fn is_worth_knowing(&self, codes: u128, next: &Next<'program>) -> bool {
        let fields = self.compiler.layout.fields;
        let start = self.compiler.program.info.start.as_ref();
        let holds = |start: &game::Position| {
            start.fields().iter().filter(|&&code| PieceCode(code as u8).bit() & codes != 0).count()
        };
        self.compiler.options.known_fingers
            && self.from_position
            && self.tracking.is_none()
            && fields <= KNOWN_FIELDS_MAX
            && self.counts
            && self.copies == 1.0
            && !self.tests_behind(next)
            && start.is_some_and(|start| (1..=KNOWN_FINGERS_MAX).contains(&holds(start)))
            && self.written_size_of_next(next) * fields as f64 <= KNOWN_SIZE_MAX
    }

    /// Whether there are tests behind this place.
    fn tests_behind(&self, next: &Next<'program>) -> bool {
        let mut found = false;
        let (mut next, mut seen) = (next, vec![false; self.compiler.program.functions.len()]);
        while let Next::Statements(nodes, _, after) = next {
            let mut open: Vec<&Node> = nodes.iter().collect();
            while let Some(node) = open.pop() {
                rules::walk::for_each_node(node, &mut |node| match node.kind {
                    NodeKind::Test(_) | NodeKind::Not(_) => found = true,
                    NodeKind::Call(rule) if !std::mem::replace(&mut seen[rule], true) => {
                        open.push(&self.compiler.program.functions[rule].body);
                    }
                    _ => {}
                });
            }
            next = after;
        }
        found
    }

    fn directions(
        &mut self,
        node: &'program Node,
        directions: &[i32],
        state: State,
        next: &Rc<Next<'program>>,
    ) -> Compiled<()> {
        if let [only] = directions {
            let mut state = state;
            state.direction = Number::Known(self.absolute(*only));
            return self.follow(next, state);
        }
        let order: Box<[i64]> = directions.iter().map(|&direction| self.absolute(direction)).collect();
        let copies = self.copies * order.len() as f64;
        if self.copies > 1.0 && copies * self.written_size_of_next(next) <= KNOWN_SIZE_MAX {
            // The finger is known: then everything is.
            let outer = std::mem::replace(&mut self.copies, copies);
            for &direction in &order {
                let mut state = state.clone();
                state.direction = Number::Known(direction);
                self.follow(next, state)?;
            }
            self.copies = outer;
            return Ok(());
        }
        let step = order[1] - order[0];
        let regular = order.windows(2).all(|pair| (pair[1] - pair[0]).rem_euclid(8) == step.rem_euclid(8));
        let outside = self.enter_loop(directions.len() as f64);
        let header = self.builder.create_block();
        let done = self.builder.create_block();
        let index = self.builder.append_block_param(header, I64);
        let zero = self.number(Number::Known(0));
        self.builder.ins().jump(header, &[BlockArg::Value(zero)]);
        self.builder.switch_to_block(header);
        self.count_round(node.span);
        let direction = if regular {
            let scaled = self.builder.ins().imul_imm_s(index, step.rem_euclid(8));
            let moved = self.builder.ins().iadd_imm_s(scaled, order[0]);
            self.builder.ins().band_imm_s(moved, 7)
        } else {
            let table = order.as_ptr();
            self.compiler.tables.made.push(order.clone());
            self.element_i64(table, Number::Computed(index))
        };
        let mut inside = state;
        inside.direction = Number::Computed(direction);
        inside.choices.push(Choice::Direction { direction: inside.direction, among: order.to_vec() });
        self.follow(next, inside)?;
        let following = self.builder.ins().iadd_imm_s(index, 1);
        let more = self.is(IntCC::SignedLessThan, following, order.len() as i64);
        self.builder.ins().brif(more, header, &[BlockArg::Value(following)], done, &[]);
        self.builder.switch_to_block(done);
        self.leave_loop(outside);
        Ok(())
    }

    fn either(
        &mut self,
        node: &'program Node,
        choices: &'program [Node],
        state: State,
        next: &Rc<Next<'program>>,
    ) -> Compiled<()> {
        let copies = self.size_of_next(next) * (choices.len() - 1);
        let mergeable = choices.iter().all(|choice| {
            self.is_single(choice) && !Effects::of(self.compiler, self.mover, &[choice]).memory()
        });
        if !mergeable || copies <= COPIES_SIZE_MAX {
            let next = self.shared(node, choices.len(), next)?;
            for choice in choices {
                self.sequence(std::slice::from_ref(choice), state.clone(), &next)?;
            }
            return Ok(());
        }
        // One copy of what follows: a loop over the choices that ends each round with it.
        let nodes: Vec<&Node> = choices.iter().collect();
        let effects = Effects::of(self.compiler, self.mover, &nodes);
        let header = self.builder.create_block();
        let done = self.builder.create_block();
        let which = self.builder.append_block_param(header, I64);
        let zero = self.number(Number::Known(0));
        self.builder.ins().jump(header, &[BlockArg::Value(zero)]);
        self.builder.switch_to_block(header);
        let blocks: Vec<_> = choices.iter().map(|_| self.builder.create_block()).collect();
        let calls: Vec<_> =
            blocks.iter().map(|&block| self.builder.func.dfg.block_call(block, &[])).collect();
        let otherwise = self.builder.func.dfg.block_call(done, &[]);
        let table = self.builder.create_jump_table(JumpTableData::new(otherwise, &calls));
        let narrow = self.narrow(which, 32);
        self.builder.ins().br_table(narrow, table);
        let mut joined: Option<(cranelift_codegen::ir::Block, State)> = None;
        let following = self.builder.create_block();
        let chosen = self.builder.append_block_param(following, I64);
        let outer = self.fail;
        for (index, (choice, &block)) in choices.iter().zip(&blocks).enumerate() {
            self.builder.switch_to_block(block);
            let failed = self.builder.create_block();
            self.fail = failed;
            let after = self.single(choice, state.clone())?;
            self.fail = outer;
            if let Some(after) = after {
                let (join, merged) = joined.get_or_insert_with(|| {
                    let join = self.builder.create_block();
                    let mut merged = state.clone();
                    for register in (0..effects.registers.len()).filter(|&index| effects.registers[index]) {
                        let parameter = self.builder.append_block_param(join, I64);
                        merged.set_register(register, Number::Computed(parameter));
                    }
                    merged.codes = 0;
                    merged.choices.push(Choice::Other);
                    (join, merged)
                });
                merged.codes |= after.codes;
                merged.hand_codes |= after.hand_codes;
                merged.finger_may_be_nowhere |= after.finger_may_be_nowhere;
                let join = *join;
                if effects.registers[0] {
                    merged.codes = self.compiler.all_codes();
                }
                let mut arguments: Vec<BlockArg> = Vec::new();
                for register in (0..effects.registers.len()).filter(|&index| effects.registers[index]) {
                    arguments.push(self.number(after.register(register)).into());
                }
                self.builder.ins().jump(join, &arguments);
            }
            self.builder.switch_to_block(failed);
            let number = self.number(Number::Known(index as i64 + 1));
            self.builder.ins().jump(following, &[BlockArg::Value(number)]);
        }
        if let Some((join, merged)) = joined {
            self.builder.switch_to_block(join);
            self.follow(next, merged)?;
            let number = self.builder.ins().iadd_imm_s(which, 1);
            self.builder.ins().jump(following, &[BlockArg::Value(number)]);
        }
        self.builder.switch_to_block(following);
        self.builder.ins().jump(header, &[BlockArg::Value(chosen)]);
        self.builder.switch_to_block(done);
        Ok(())
    }

    /// `repeat a .. b times` of a statement with at most one result.
    fn repeat(
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
    fn is_written_out(
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

    fn written_out(
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

    /// A rule that calls itself: a function of its own, which gets what follows as a closure.
    fn call_recursive(
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
    fn closure(&mut self, node: &'program Node, next: &Rc<Next<'program>>) -> Compiled<(Value, Value)> {
        if let Next::Leave(caller) = &**next
            && let Next::Closure(code, environment) = **caller
        {
            // Nothing follows here: results go straight to the caller, however deep the rules are.
            return Ok((self.captured(code), self.captured(environment)));
        }
        if (self.sites.is_some() || self.plays()) && reaches_goal(next) {
            // Results come out in several functions: nobody sees all of them.
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
        Ok((self.builder.ins().func_addr(I64, code), environment))
    }

    /// What follows, to be written in several places: once for all if it is large. Otherwise choices one after the
    /// other would double the code each time.
    fn shared(
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
    fn status_in_test(&mut self, status: Value, next: &Next<'program>) {
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
fn reaches_goal(next: &Next<'_>) -> bool {
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
