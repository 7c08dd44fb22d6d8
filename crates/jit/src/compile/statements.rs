//! Statements.
//!
//! [`FunctionCompiler::single`] compiles a statement with at most one result: code runs on in the current block
//! when it succeeds and jumps to `fail` when it does not. [`FunctionCompiler::several`] compiles any statement,
//! with what follows inside it; afterwards code runs on where all results have been dealt with. What they do is in
//! [`super::board`], [`super::branches`], [`super::choices`] and [`super::closures`].

use std::rc::Rc;

use cranelift_codegen::ir::InstBuilder;
use game::{Direction, Outcome, PieceCode};
use rules::ir::{Ending, Expression, Node, NodeKind, PieceSet};

use super::analysis::Effects;
use super::function::{Compiled, FunctionCompiler, Next};
use super::state::{Number, State};

/// Stack that compiling a statement may take, and how much more there is then.
const STACK_LEAST: usize = 128 * 1024;
const STACK_MORE: usize = 4 * 1024 * 1024;

/// What follows is compiled once for each alternative up to this size, then once for all.
pub(crate) const COPIES_SIZE_MAX: usize = 60;

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

    pub(crate) fn sequence_here(
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

    pub(crate) fn then(&self, nodes: &'program [Node], next: &Rc<Next<'program>>) -> Rc<Next<'program>> {
        match nodes {
            [] => next.clone(),
            nodes => Rc::new(Next::Statements(nodes, self.rule, next.clone())),
        }
    }

    /// A choice that writes fields is compiled with a copy of what follows in each branch, if that is small: then
    /// the changes of each move stay known.
    pub(crate) fn prefers_copies(
        &self,
        node: &'program Node,
        others: &[Node],
        next: &Next<'program>,
    ) -> bool {
        let NodeKind::Try(first, second) = &node.kind else { return false };
        (self.writes_memory(first) || self.writes_memory(second))
            && self.size_of(others) + self.size_of_next(next) <= COPIES_SIZE_MAX
    }

    pub(crate) fn writes_memory(&self, node: &Node) -> bool {
        Effects::of(self.compiler, self.mover, &[node]).memory()
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
            NodeKind::Turn(eighths) => state.direction = self.direction_turned(state.direction, *eighths),
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
            NodeKind::While(condition, body) => {
                return match self.end_of_line(node, &state) {
                    Some(after) => Ok(Some(after)),
                    None => self.single_while(node, condition, body, state),
                };
            }
            NodeKind::DoWhile(body, condition) => return self.single_do_while(node, body, condition, state),
            NodeKind::Sees(sight) => return Ok(self.sees(sight, state)),
            NodeKind::OnFields(flags) => return Ok(self.on_fields(node, &flags[mover], state)),
            NodeKind::Assert(value) => return self.assert(value, state),
            NodeKind::Assign(value) => {
                self.expression(value, &mut state)?;
            }
            NodeKind::Match(sets) => {
                if self.match_by_difference(sets, &state).is_none() {
                    self.match_field_by_field(sets, &state);
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
                state.outcome = Number::Known(i64::from(Outcome::code(Some(outcome(*ending)))));
            }
            NodeKind::Score(value) => {
                let value = self.expression(value, &mut state)?;
                state.outcome = self.within_scores(value);
            }
            NodeKind::Cycle(fields) => self.cycle(fields, &mut state),
            NodeKind::Sequence(nodes) => return self.single_sequence(nodes, state),
            NodeKind::Call(rule) => return self.single_call(*rule, state),
            NodeKind::Find(_) | NodeKind::Most(..) => unreachable!("has several results"),
        }
        Ok(Some(state))
    }

    fn single_call(&mut self, rule: usize, state: State) -> Compiled<Option<State>> {
        let function = &self.compiler.program.functions[rule];
        let outer = std::mem::replace(&mut self.rule, &function.name);
        let result = self.single(&function.body, state);
        self.rule = outer;
        result
    }

    /// Goes on if a value is not 0.
    fn assert(&mut self, value: &'program Expression, mut state: State) -> Compiled<Option<State>> {
        match self.expression(value, &mut state)? {
            Number::Known(0) => {
                self.give_up();
                return Ok(None);
            }
            Number::Known(_) => {}
            Number::Computed(value) => self.require(value),
        }
        Ok(Some(state))
    }

    fn single_sequence(&mut self, nodes: &'program [Node], mut state: State) -> Compiled<Option<State>> {
        for node in nodes {
            match self.single(node, state)? {
                Some(after) => state = after,
                None => return Ok(None),
            }
        }
        Ok(Some(state))
    }

    fn single_do_while(
        &mut self,
        node: &'program Node,
        body: &'program Node,
        condition: &'program Node,
        state: State,
    ) -> Compiled<Option<State>> {
        if let Some(after) = self.end_of_line(node, &state) {
            return Ok(Some(after));
        }
        let Some(state) = self.single(body, state)? else { return Ok(None) };
        self.single_while(node, condition, body, state)
    }

    /// A direction, turned.
    fn direction_turned(&mut self, direction: Number, eighths: i32) -> Number {
        match direction {
            Number::Known(direction) => {
                Number::Known(Direction::new(direction as i32 + eighths).index() as i64)
            }
            Number::Computed(direction) => {
                let turned = self.builder.ins().iadd_imm_s(direction, i64::from(eighths));
                Number::Computed(self.builder.ins().band_imm_s(turned, 7))
            }
        }
    }

    /// Goes on if every field holds what is described for it.
    fn match_field_by_field(&mut self, sets: &[PieceSet], state: &State) {
        let mover = self.mover.index();
        for (seen, set) in sets.iter().enumerate() {
            let field = self.turned(seen);
            if set.codes[mover] != u128::MAX {
                let code = self.load_field(state, Number::Known(field));
                let all = self.compiler.all_codes() | PieceCode::UNUSED.bit();
                let found = self.is_member(code, set.codes[mover], all);
                self.require(found);
            }
        }
    }

    /// The nearest number of points that there can be.
    fn within_scores(&mut self, points: Number) -> Number {
        let limit = i64::from(Outcome::SCORE_MAX);
        match points {
            Number::Known(points) => Number::Known(points.clamp(-limit, limit)),
            Number::Computed(points) => {
                let (low, high) = (self.number(Number::Known(-limit)), self.number(Number::Known(limit)));
                let points = self.builder.ins().smax(points, low);
                Number::Computed(self.builder.ins().smin(points, high))
            }
        }
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
}

fn outcome(ending: Ending) -> Outcome {
    match ending {
        Ending::Win => Outcome::Win,
        Ending::Draw => Outcome::Draw,
        Ending::Loss => Outcome::Loss,
    }
}
