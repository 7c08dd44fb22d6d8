//! Some moves without the others: forcing ones, any one, one that is wanted, or one that takes what stands on a field.

use std::rc::Rc;

use cranelift_codegen::ir::InstBuilder;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use rules::ir::{Node, NodeKind};

use super::Goal;
use super::analysis::Effects;
use super::function::{CONTINUE, Captured, Compiled, ENOUGH, FunctionCompiler, Next, TRUSTED};
use super::state::{Number, State, Write};
use crate::layout::slot;

impl<'program> FunctionCompiler<'_, '_, 'program> {
    /// Where only forcing moves are wanted: fails as soon as it is certain that a move will not be one, before anything
    /// else is asked of it. But the first result inside a `try` has to come out, or the `else` would be tried too.
    pub(crate) fn only_forcing(
        &mut self,
        mut state: State,
        nodes: &'program [Node],
        next: &Rc<Next<'program>>,
    ) -> State {
        let is_wanted = matches!(self.goal, Some(Goal::Forcing | Goal::Sharp | Goal::Taking))
            && !state.is_asked
            && state.writes.is_some()
            && self.is_move(&state)
            && matches!(nodes, [first, ..] if self.is_costly(first));
        let Some(flags) = is_wanted.then(|| self.flags_before_goal(nodes, next)).flatten() else {
            return state;
        };
        state.is_asked = true;
        let forcing = match self.goal {
            Some(Goal::Taking) => self.takes_wanted(&state),
            _ => self.sharp(&state, self.goal == Some(Goal::Sharp)),
        };
        if forcing.known().is_some_and(|forcing| forcing != 0) {
            return state;
        }
        let mut needed = self.number(forcing);
        for flag in flags {
            let address = self.captured(flag);
            let flag = self.builder.ins().load(I64, TRUSTED, address, 0);
            let unset = self.is(IntCC::Equal, flag, 0);
            let unset = self.builder.ins().uextend(I64, unset);
            needed = self.builder.ins().bor(needed, unset);
        }
        self.require(needed);
        state
    }

    /// Adds a move to the list if it is forcing. What changes nothing is a verdict and always wanted.
    pub(crate) fn emit_forcing(&mut self, state: State, goal: Goal) -> Compiled<()> {
        if !self.is_move(&state) || state.writes.is_none() {
            return self.emit_move(state);
        }
        let outer = self.fail;
        let end = self.builder.create_block();
        self.fail = end;
        match self.sharp(&state, goal == Goal::Sharp) {
            Number::Known(0) => self.give_up(),
            Number::Known(_) => self.emit_move(state)?,
            Number::Computed(forcing) => {
                self.require(forcing);
                self.emit_move(state)?;
            }
        }
        self.builder.ins().jump(self.fail, &[]);
        self.builder.switch_to_block(end);
        self.fail = outer;
        Ok(())
    }

    /// Whether a move is wanted among forcing ones, or also because of the fields that it changes.
    fn sharp(&mut self, state: &State, by_fields: bool) -> Number {
        let forcing = self.forcing(state);
        if !by_fields || forcing.known().is_some_and(|forcing| forcing != 0) {
            return forcing;
        }
        if state.turned.is_some() {
            return Number::Known(1);
        }
        let mut sharp = self.number(forcing);
        for write in state.writes.clone().unwrap_or_default() {
            let base = self.compiler.context.wanted;
            let field = self.number(write.field);
            let word = self.load_word_of(base, write.field);
            let bit = self.builder.ins().ushr(word, field);
            let bit = self.builder.ins().band_imm_s(bit, 1);
            sharp = self.builder.ins().bor(sharp, bit);
        }
        Number::Computed(sharp)
    }

    /// Stops: there is a move. A result that changes nothing and ends the game is none.
    pub(crate) fn stop_at_move(&mut self, state: State) -> Compiled<()> {
        let none = i64::from(i32::MIN);
        let may_be_verdict = state.outcome != Number::Known(none) && !self.changes_certainly(&state);
        let on = self.builder.create_block();
        let stop = self.builder.create_block();
        if may_be_verdict {
            // It has to be looked at closely.
            let outcome = self.number(state.outcome);
            let goes_on = self.is(IntCC::Equal, outcome, none);
            let unsure = self.builder.create_block();
            self.builder.ins().brif(goes_on, stop, &[], unsure, &[]);
            self.builder.switch_to_block(unsure);
            let one = self.number(Number::Known(1));
            self.store_context(one, slot::UNSURE);
            self.builder.ins().jump(on, &[]);
        } else {
            self.builder.ins().jump(stop, &[]);
        }
        self.builder.switch_to_block(stop);
        let status = self.number(Number::Known(ENOUGH));
        self.builder.ins().return_(&[status]);
        self.builder.switch_to_block(on);
        Ok(())
    }

    /// Stops at the move that makes the wanted difference, with it in the list.
    pub(crate) fn stop_at_wanted(&mut self, state: State) -> Compiled<()> {
        let difference = self.signature_difference(state.writes.as_deref().unwrap_or(&[]), &state);
        let wanted = self.load_context(slot::WANTED);
        let is_wanted = self.builder.ins().icmp(IntCC::Equal, difference, wanted);
        let (found, on) = (self.builder.create_block(), self.builder.create_block());
        self.builder.ins().brif(is_wanted, found, &[], on, &[]);
        self.builder.switch_to_block(found);
        self.emit_move(state)?;
        let status = self.number(Number::Known(ENOUGH));
        self.builder.ins().return_(&[status]);
        self.builder.switch_to_block(on);
        Ok(())
    }

    /// Stops at a move that takes the piece on the wanted field, with it in the list, or goes on to the next one. Where
    /// writes are not known, or may put back what was there, it has to be looked at closely.
    pub(crate) fn stop_at_taking(&mut self, state: State) -> Compiled<()> {
        let opponents = self.compiler.codes_of(self.mover.opponent());
        let puts_back = |writes: &Vec<Write>| writes.iter().any(|write| write.new_codes & opponents != 0);
        let is_unsure = state.writes.as_ref().is_none_or(puts_back);
        if is_unsure {
            let one = self.number(Number::Known(1));
            self.store_context(one, slot::UNSURE);
            return Ok(());
        }
        let takes = self.takes_wanted(&state);
        let takes = self.number(takes);
        let (stop, on) = (self.builder.create_block(), self.builder.create_block());
        self.builder.ins().brif(takes, stop, &[], on, &[]);
        self.builder.switch_to_block(stop);
        self.emit_move(state)?;
        let enough = self.builder.create_block();
        let all = self.load_context(slot::ALL_TAKERS);
        self.builder.ins().brif(all, on, &[], enough, &[]);
        self.builder.switch_to_block(enough);
        let status = self.number(Number::Known(ENOUGH));
        self.builder.ins().return_(&[status]);
        self.builder.switch_to_block(on);
        Ok(())
    }

    /// Whether only moves that take are wanted, what comes from here writes nothing, and it is not remembered whether
    /// there was a result: then it need not be known whether there was anything else.
    pub(crate) fn never_takes(&self, node: &'program Node, state: &State, next: &Rc<Next<'program>>) -> bool {
        self.goal == Some(Goal::Taking)
            && state.writes.as_ref().is_some_and(Vec::is_empty)
            && state.turned.is_none()
            && self.flags_before_goal(std::slice::from_ref(node), next).is_some_and(|flags| flags.is_empty())
    }

    /// Whether a move writes the wanted field, where an opponent's piece stands.
    fn takes_wanted(&mut self, state: &State) -> Number {
        let opponents = self.compiler.codes_of(self.mover.opponent());
        let mut takes = Number::Known(0);
        if let Some(turned) = state.turned.filter(|turned| opponents & (1 << turned.old) != 0) {
            let wanted = self.load_context(slot::WANTED);
            let bit = self.builder.ins().ushr(turned.fields, wanted);
            takes = Number::Computed(self.builder.ins().band_imm_s(bit, 1));
        }
        for write in state.writes.clone().unwrap_or_default() {
            if write.old_codes & opponents == 0 {
                continue;
            }
            let (field, wanted) = (self.number(write.field), self.load_context(slot::WANTED));
            let same = self.builder.ins().icmp(IntCC::Equal, field, wanted);
            let same = self.builder.ins().uextend(I64, same);
            takes = match takes {
                Number::Known(_) => Number::Computed(same),
                Number::Computed(others) => Number::Computed(self.builder.ins().bor(others, same)),
            };
        }
        takes
    }

    /// Returns if only some fields were looked at: whether others would have had a result is not known.
    pub(crate) fn give_up_if_narrow(&mut self) {
        let narrow = self.load_context(slot::NARROW);
        let (stop, on) = (self.builder.create_block(), self.builder.create_block());
        self.builder.ins().brif(narrow, stop, &[], on, &[]);
        self.builder.switch_to_block(stop);
        let status = self.number(Number::Known(CONTINUE));
        self.builder.ins().return_(&[status]);
        self.builder.switch_to_block(on);
    }

    /// Whether what follows a `find` changes the found field at once: a move that does not change it is then not
    /// likely to come from there.
    pub(crate) fn changes_found(&self, next: &Next<'program>) -> bool {
        let mut next = next;
        while let Next::Statements(nodes, _, after) = next {
            for node in *nodes {
                match self.changes_finger(node, 0) {
                    Some(answer) => return answer,
                    None => continue,
                }
            }
            next = after;
        }
        false
    }

    /// True: it changes the finger's field; false: it goes elsewhere; `None`: neither.
    fn changes_finger(&self, node: &Node, depth: usize) -> Option<bool> {
        match &node.kind {
            NodeKind::PickUp | NodeKind::Replace(_) => Some(true),
            NodeKind::Sequence(nodes) if depth < 10 => {
                nodes.iter().find_map(|node| self.changes_finger(node, depth + 1))
            }
            NodeKind::Call(rule) if depth < 10 => {
                self.changes_finger(&self.compiler.program.functions[*rule].body, depth + 1)
            }
            NodeKind::PointsAt(_)
            | NodeKind::OnFields(_)
            | NodeKind::Sees(_)
            | NodeKind::Test(_)
            | NodeKind::Not(_)
            | NodeKind::Directions(_)
            | NodeKind::Turn(_)
            | NodeKind::Irreversible
            | NodeKind::Forcing(_) => None,
            _ => Some(false),
        }
    }

    /// Whether it changes something, so that it is no verdict.
    fn is_move(&self, state: &State) -> bool {
        state.writes.as_ref().is_none_or(|writes| !writes.is_empty())
    }

    fn changes_certainly(&self, state: &State) -> bool {
        matches!(state.writes.as_deref(), Some([write]) if write.old_codes & write.new_codes == 0)
    }

    /// Whether a statement takes so long that it is worth asking before it.
    fn is_costly(&self, node: &Node) -> bool {
        match &node.kind {
            NodeKind::Test(_) | NodeKind::Not(_) | NodeKind::Try(..) => true,
            NodeKind::Call(rule) => self.is_costly(&self.compiler.program.functions[*rule].body),
            NodeKind::Sequence(nodes) => nodes.first().is_some_and(|node| self.is_costly(node)),
            _ => false,
        }
    }

    /// Whether nothing that follows writes fields or marks moves: then where it is remembered that there was a result.
    fn flags_before_goal(&self, nodes: &'program [Node], next: &Next<'program>) -> Option<Vec<Captured>> {
        const FORCING: usize = 5;
        let settled = |nodes: &[Node]| {
            let nodes: Vec<&Node> = nodes.iter().collect();
            let effects = Effects::of(self.compiler, self.mover, &nodes);
            !effects.fields && !effects.registers[FORCING]
        };
        let (mut next, mut flags) = (next, Vec::new());
        if !settled(nodes) {
            return None;
        }
        loop {
            match next {
                Next::Statements(nodes, _, after) if settled(nodes) => next = after,
                Next::Flag(address, after) => {
                    flags.push(*address);
                    next = after;
                }
                Next::Goal(Goal::Forcing | Goal::Sharp | Goal::Taking) => return Some(flags),
                _ => return None,
            }
        }
    }
}
