//! Counting without looking: where every found field leads to exactly one result, their number is enough.

use std::rc::Rc;

use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{InstBuilder, Value};
use rules::ir::{Node, NodeKind};
use rules::passes::loops::is_single;

use super::Goal;
use super::function::{Compiled, FunctionCompiler, Next, TRUSTED};
use super::state::{Number, State, Write};
use super::unique::Choice;
use crate::layout::slot;

impl<'program> FunctionCompiler<'_, '_, 'program> {
    /// Counts the found fields if each of them is one result, different from all others. False: it is not so.
    pub(crate) fn count_found(
        &mut self,
        set: usize,
        codes: u128,
        passing: Option<&[Value]>,
        state: &State,
        next: &Rc<Next<'program>>,
    ) -> Compiled<bool> {
        let is_first = state.choices.is_empty() && state.writes.as_ref().is_some_and(Vec::is_empty);
        if self.sites.is_none()
            || self.compiler.program.info.players == 1
            || !is_first
            || state.outcome != Number::Known(i64::from(i32::MIN))
        {
            return Ok(false);
        }
        let mut placed = None;
        let mut following = next.clone();
        while let Next::Statements(nodes, _, after) = &*following.clone() {
            if !nodes.iter().all(|node| self.has_one_result(node, &mut placed)) {
                return Ok(false);
            }
            following = after.clone();
        }
        // A `try` around all this remembers that there was a result.
        let mut flag = None;
        if let Next::Flag(address, after) = &*following.clone() {
            flag = Some(*address);
            following = after.clone();
        }
        let (Next::Goal(Goal::Count | Goal::Counted), Some(placed)) = (&*following, placed) else {
            return Ok(false);
        };
        if placed & codes != 0 {
            return Ok(false);
        }
        let words = self.compiler.layout.set_words;
        for word in 0..words {
            let mut fields = state.sets[set * words + word];
            if let Some(passing) = passing {
                fields = self.builder.ins().band(fields, passing[word]);
            }
            let field = Number::Computed(fields);
            let mut result = state.clone();
            let (old, new) = (Number::Known(0), Number::Known(0));
            result.writes =
                Some(vec![Write { field, old, old_codes: codes, new, new_codes: placed, origin: None }]);
            result.choices.push(Choice::Found { field, codes, word });
            self.compares(&result)?;
            let count = self.builder.ins().popcnt(fields);
            self.count(slot::COUNTED, Number::Computed(count));
            if let Some(address) = flag {
                let address = self.captured(address);
                let before = self.builder.ins().load(I64, TRUSTED, address, 0);
                let after = self.builder.ins().bor(before, count);
                self.builder.ins().store(TRUSTED, after, address, 0);
            }
        }
        Ok(true)
    }

    /// Whether one of the found fields can be picked by its number: each of them is one result.
    pub(crate) fn picks_among(&self, next: &Rc<Next<'program>>) -> bool {
        self.each_is_one_result(next, Goal::Pick)
    }

    /// Whether something is put on each found field that is settled, which leads to one result.
    pub(crate) fn puts_on_found(&self, next: &Rc<Next<'program>>) -> bool {
        self.each_is_one_result(next, Goal::Settle)
    }

    fn each_is_one_result(&self, next: &Rc<Next<'program>>, goal: Goal) -> bool {
        let (mut placed, mut following) = (None, next.clone());
        while let Next::Statements(nodes, _, after) = &*following.clone() {
            if !nodes.iter().all(|node| self.has_one_result(node, &mut placed)) {
                return false;
            }
            following = after.clone();
        }
        if let Next::Flag(_, after) = &*following.clone() {
            following = after.clone();
        }
        matches!(&*following, Next::Goal(own) if *own == goal) && placed.is_some()
    }

    /// Whether a statement has exactly one result and can do nothing wrong, with the finger somewhere. `placed`:
    /// what it puts on the finger's field, if anything so far.
    fn has_one_result(&self, node: &'program Node, placed: &mut Option<u128>) -> bool {
        match &node.kind {
            _ if self.turns_rows(node, *placed) => true,
            NodeKind::Irreversible | NodeKind::Forcing(_) | NodeKind::Ending(_) | NodeKind::Turn(_) => true,
            NodeKind::Directions(directions) => directions.len() == 1,
            NodeKind::Replace(codes) => {
                *placed = Some(codes[self.mover.index()].bit());
                true
            }
            NodeKind::Sequence(nodes) => nodes.iter().all(|node| self.has_one_result(node, placed)),
            NodeKind::Try(first, second) => {
                self.has_at_most_one(first) && self.has_one_result(second, placed)
            }
            NodeKind::Call(rule) if !self.compiler.recursive[*rule] => {
                self.has_one_result(&self.compiler.program.functions[*rule].body, placed)
            }
            NodeKind::Assign(_) => self.assigns_constant(node),
            _ => false,
        }
    }

    /// Whether a statement has at most one result, changes nothing but marks, and can do nothing wrong.
    fn has_at_most_one(&self, node: &'program Node) -> bool {
        match &node.kind {
            NodeKind::Irreversible | NodeKind::Forcing(_) | NodeKind::Ending(_) => true,
            NodeKind::Sequence(nodes) => nodes.iter().all(|node| self.has_at_most_one(node)),
            NodeKind::Call(rule) if !self.compiler.recursive[*rule] => {
                self.has_at_most_one(&self.compiler.program.functions[*rule].body)
            }
            NodeKind::Test(_) | NodeKind::Not(_) => self.plan(node, None).is_some(),
            _ => is_single(self.compiler.program, node) && self.plan(node, None).is_some(),
        }
    }
}
