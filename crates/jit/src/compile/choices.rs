//! Statements with several results, each followed by what follows.

use std::rc::Rc;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{Block, BlockArg, InstBuilder, JumpTableData, Value};
use rules::ir::{Node, NodeKind, PieceSet};

use super::Goal;
use super::analysis::Effects;
use super::closures::reaches_goal;
use super::function::{Captured, Compiled, FunctionCompiler, Next, TRUSTED};
use super::state::{Number, State};
use super::statements::COPIES_SIZE_MAX;
use super::unique::Choice;

/// Up to so many fields with a piece are told apart when the code is written.
const KNOWN_FINGERS_MAX: usize = 2;

/// On boards up to this size.
const KNOWN_FIELDS_MAX: usize = 36;

/// If that makes no more code than this.
const KNOWN_SIZE_MAX: f64 = 3_000.0;

/// A loop over found fields.
pub(crate) struct Round {
    pub(crate) header: Block,
    /// What is left, the present one included.
    pub(crate) left: Value,
    pub(crate) done: Block,
}

impl<'program> FunctionCompiler<'_, '_, 'program> {
    /// Compiles a statement with what follows each of its results.
    pub(crate) fn several(
        &mut self,
        node: &'program Node,
        state: State,
        next: &Rc<Next<'program>>,
    ) -> Compiled<()> {
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

    pub(crate) fn flagged(
        &mut self,
        first: &'program Node,
        then: &'program [Node],
        second: &'program Node,
        state: State,
        next: &Rc<Next<'program>>,
    ) -> Compiled<()> {
        let after = self.then(then, next);
        if self.never_takes(second, &state, next) {
            return self.sequence(std::slice::from_ref(first), state, &after);
        }
        let slot = self.stack_slot(8);
        let address = self.builder.ins().stack_addr(I64, slot, 0);
        let zero = self.number(Number::Known(0));
        self.builder.ins().store(TRUSTED, zero, address, 0);
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

    pub(crate) fn find(
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
        if self.sum_found(node, codes, index, &state, next)? {
            return Ok(());
        }
        let (passing, next) = self.filter_fields(codes, next, &state);
        if self.count_found(index, codes, passing.as_deref(), &state, &next)? {
            return Ok(());
        }
        let picks = self.picks_among(&next);
        self.compiler.picks |= picks;
        let passing = match (self.fields_with_prospects(&next, &state), passing) {
            (Some(one), Some(other)) => {
                let both = one.into_iter().zip(other);
                Some(both.map(|(one, other)| self.builder.ins().band(one, other)).collect())
            }
            (one, other) => one.or(other),
        };
        let reach = self.reach_of_wanted(codes, &next, &state);
        let next = &self.shared(node, words, &next)?;
        let outside = self.enter_loop(self.compiler.layout.fields as f64);
        for word in 0..words {
            let mut fields = state.sets[index * words + word];
            let first = self.odd_fields(fields, next);
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
            fields = self.within_reach(fields, word, reach.as_ref());
            let Round { header, left, done } = self.fields_in_order(fields, first);
            self.count_round(node.span);
            let bit = self.builder.ins().ctz(left);
            let field = self.add_known(bit, 64 * word as i64);
            let less = self.builder.ins().iadd_imm_s(left, -1);
            let rest = self.builder.ins().band(left, less);
            let mut found = state.clone();
            found.finger_may_be_nowhere = false;
            found.codes = if self.compiler.options.known_pieces { codes } else { self.compiler.all_codes() };
            let mut follow = |function: &mut Self, found: State, finger: Number| {
                let mut found = State { finger, ..found };
                found.choices.push(Choice::Found { field: finger, codes, word });
                function.follow(next, found)?;
                let rest = function.within_reach(rest, word, reach.as_ref());
                function.builder.ins().jump(header, &[BlockArg::Value(rest)]);
                Ok(())
            };
            if self.is_worth_knowing(codes, next) {
                self.for_each_field(field, done, &found, &mut follow)?;
            } else {
                follow(self, found, Number::Computed(field))?;
            }
            self.builder.switch_to_block(done);
        }
        self.leave_loop(outside);
        Ok(())
    }

    /// Opens a loop over found fields, some of them first if that is wanted. Code for one round follows.
    pub(crate) fn fields_in_order(&mut self, fields: Value, first: Option<Value>) -> Round {
        let (header, body, done) =
            (self.builder.create_block(), self.builder.create_block(), self.builder.create_block());
        let left = self.builder.append_block_param(header, I64);
        match first {
            None => {
                self.builder.ins().jump(header, &[BlockArg::Value(fields)]);
                self.builder.switch_to_block(header);
                self.builder.ins().brif(left, body, &[], done, &[]);
            }
            Some(first) => {
                let later = self.builder.declare_var(I64);
                let others = self.builder.ins().band_not(fields, first);
                self.builder.def_var(later, others);
                let these = self.builder.ins().band(fields, first);
                self.builder.ins().jump(header, &[BlockArg::Value(these)]);
                self.builder.switch_to_block(header);
                let (turn, again) = (self.builder.create_block(), self.builder.create_block());
                self.builder.ins().brif(left, body, &[], turn, &[]);
                self.builder.switch_to_block(turn);
                let others = self.builder.use_var(later);
                self.builder.ins().brif(others, again, &[], done, &[]);
                self.builder.switch_to_block(again);
                let zero = self.number(Number::Known(0));
                self.builder.def_var(later, zero);
                self.builder.ins().jump(header, &[BlockArg::Value(others)]);
            }
        }
        self.builder.switch_to_block(body);
        Round { header, left, done }
    }

    /// Code of its own for each field that a piece may be found on; `field` is the one that it is.
    fn for_each_field(
        &mut self,
        field: Value,
        otherwise: Block,
        found: &State,
        follow: &mut dyn FnMut(&mut Self, State, Number) -> Compiled<()>,
    ) -> Compiled<()> {
        let blocks: Vec<_> = (0..self.compiler.layout.fields).map(|_| self.builder.create_block()).collect();
        let calls: Vec<_> =
            blocks.iter().map(|&block| self.builder.func.dfg.block_call(block, &[])).collect();
        let otherwise = self.builder.func.dfg.block_call(otherwise, &[]);
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
        Ok(())
    }

    /// Loads the field sets once more if they are still those of the position. Whatever is computed from them with
    /// known fields would otherwise be computed for all fields, before it is known which one is needed.
    pub(crate) fn load_sets_again(&mut self, state: &mut State) {
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
    pub(crate) fn is_worth_knowing(&self, codes: u128, next: &Next<'program>) -> bool {
        let fields = self.compiler.layout.fields;
        self.compiler.options.known_fingers
            && self.from_position
            && self.tracking.is_none()
            && fields <= KNOWN_FIELDS_MAX
            && self.counts
            && self.copies == 1.0
            && !self.tests_behind(next)
            && self.fields_at_start(codes).is_some_and(|fields| (1..=KNOWN_FINGERS_MAX).contains(&fields))
            && self.written_size_of_next(next) * fields as f64 <= KNOWN_SIZE_MAX
    }

    /// Whether there are tests behind this place.
    pub(crate) fn tests_behind(&self, next: &Next<'program>) -> bool {
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
                    NodeKind::Find(_)
                    | NodeKind::PointsAt(_)
                    | NodeKind::Replace(_)
                    | NodeKind::PickUp
                    | NodeKind::PutDown
                    | NodeKind::Step { .. }
                    | NodeKind::Directions(_)
                    | NodeKind::Turn(_)
                    | NodeKind::MoveTo(..)
                    | NodeKind::Either(_)
                    | NodeKind::Try(..)
                    | NodeKind::Repeat { .. }
                    | NodeKind::While(..)
                    | NodeKind::DoWhile(..)
                    | NodeKind::Branch { .. }
                    | NodeKind::OnFields(_)
                    | NodeKind::Sees(_)
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
            }
            next = after;
        }
        found
    }

    pub(crate) fn directions(
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

    pub(crate) fn either(
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
        self.merged_choices(choices, state, next)
    }

    /// One copy of what follows: a loop over the choices that ends each round with it.
    fn merged_choices(
        &mut self,
        choices: &'program [Node],
        state: State,
        next: &Rc<Next<'program>>,
    ) -> Compiled<()> {
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
        let mut joined: Option<(Block, State)> = None;
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
}
