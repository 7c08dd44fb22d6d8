//! What can be said of a statement without running it. When in doubt, the answer is no.

use game::PropertyKind;

use crate::ir::{Binary, Expression, ExpressionKind, Node, NodeKind, Program};
use crate::walk;

/// What is known of the rules of a program.
pub struct ProgramFacts {
    program: Program,
    /// Rules that always succeed.
    succeeding: Vec<bool>,
    /// Rules that cannot go wrong.
    sound: Vec<bool>,
}

impl ProgramFacts {
    /// Looks at every rule until nothing new is found. A rule that calls itself may go wrong.
    #[must_use]
    pub fn of(program: &Program) -> ProgramFacts {
        let rules = program.functions.len();
        let mut facts = ProgramFacts {
            program: program.clone(),
            succeeding: vec![false; rules],
            sound: vec![false; rules],
        };
        loop {
            let bodies = || program.functions.iter().map(|function| &function.body);
            let succeeding = bodies().map(|body| facts.always_succeeds(body)).collect();
            let sound = bodies().map(|body| facts.cannot_fault(body)).collect();
            if facts.succeeding == succeeding && facts.sound == sound {
                return facts;
            }
            (facts.succeeding, facts.sound) = (succeeding, sound);
        }
    }

    /// The program that this is about.
    pub(super) fn program(&self) -> &Program {
        &self.program
    }

    /// Whether a statement has a result in every state, unless it faults.
    #[must_use]
    pub fn always_succeeds(&self, node: &Node) -> bool {
        let inside = |node: &Node| self.always_succeeds(node);
        match &node.kind {
            NodeKind::Assign(_)
            | NodeKind::Irreversible
            | NodeKind::Forcing(_)
            | NodeKind::Ending(_)
            | NodeKind::Score(_)
            | NodeKind::Cycle(_)
            | NodeKind::Turn(_) => true,
            NodeKind::Directions(directions) => !directions.is_empty(),
            NodeKind::Assert(value) => matches!(value.kind, ExpressionKind::Integer(value) if value != 0),
            NodeKind::Sequence(nodes) => nodes.iter().all(inside),
            NodeKind::Either(nodes) => nodes.iter().any(inside),
            NodeKind::Try(first, second) => inside(first) || inside(second),
            NodeKind::Test(body) | NodeKind::Most(_, body) => inside(body),
            NodeKind::Not(body) => self.never_succeeds(body),
            NodeKind::Repeat { least, most, body } => {
                most.is_none_or(|most| most >= *least) && (*least == 0 || inside(body))
            }
            NodeKind::While(_, body) | NodeKind::DoWhile(body, _) => inside(body),
            NodeKind::Branch { then, otherwise, .. } => inside(then) && inside(otherwise),
            NodeKind::Call(rule) => self.succeeding[*rule],
            NodeKind::Find(_)
            | NodeKind::PointsAt(_)
            | NodeKind::Replace(_)
            | NodeKind::PickUp
            | NodeKind::PutDown
            | NodeKind::Step { .. }
            | NodeKind::MoveTo(..)
            | NodeKind::OnFields(_)
            | NodeKind::Sees(_)
            | NodeKind::Match(_)
            | NodeKind::ToMove(_) => false,
        }
    }

    /// Whether a statement has a result in no state.
    pub(super) fn never_succeeds(&self, node: &Node) -> bool {
        let never = |node: &Node| self.never_succeeds(node);
        match &node.kind {
            NodeKind::Assert(value) => matches!(value.kind, ExpressionKind::Integer(0)),
            NodeKind::PointsAt(set) | NodeKind::Find(set) => set.codes == [0; 2],
            NodeKind::OnFields(flags) => !flags.iter().any(|flags| flags.contains(&true)),
            NodeKind::Sequence(nodes) => nodes.iter().any(never),
            NodeKind::Either(choices) => choices.iter().all(never),
            NodeKind::Try(first, second) => never(first) && never(second),
            NodeKind::Branch { condition, then, otherwise } => {
                (never(condition) || never(then)) && never(otherwise)
            }
            NodeKind::Test(body) | NodeKind::Most(_, body) | NodeKind::DoWhile(body, _) => never(body),
            NodeKind::Not(body) => self.always_succeeds(body),
            NodeKind::Repeat { least, body, .. } => *least > 0 && never(body),
            NodeKind::Replace(_)
            | NodeKind::PickUp
            | NodeKind::PutDown
            | NodeKind::Step { .. }
            | NodeKind::Directions(_)
            | NodeKind::Turn(_)
            | NodeKind::MoveTo(..)
            | NodeKind::While(..)
            | NodeKind::Sees(_)
            | NodeKind::Assign(_)
            | NodeKind::Match(_)
            | NodeKind::ToMove(_)
            | NodeKind::Irreversible
            | NodeKind::Forcing(_)
            | NodeKind::Ending(_)
            | NodeKind::Score(_)
            | NodeKind::Cycle(_)
            | NodeKind::Call(_) => false,
        }
    }

    /// Whether a statement can go wrong in no state, except by being one statement too many. Loops may take too
    /// long or not end.
    #[must_use]
    pub fn cannot_fault(&self, node: &Node) -> bool {
        let safe = match &node.kind {
            // The finger may point nowhere; too many results may be the greatest.
            NodeKind::OnFields(_) | NodeKind::Most(..) => false,
            NodeKind::While(..) | NodeKind::DoWhile(..) | NodeKind::Repeat { .. } => false,
            NodeKind::Call(rule) => self.sound[*rule],
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
            | NodeKind::Test(_)
            | NodeKind::Not(_)
            | NodeKind::Branch { .. }
            | NodeKind::Sees(_)
            | NodeKind::Assert(_)
            | NodeKind::Assign(_)
            | NodeKind::Match(_)
            | NodeKind::ToMove(_)
            | NodeKind::Irreversible
            | NodeKind::Forcing(_)
            | NodeKind::Ending(_)
            | NodeKind::Score(_)
            | NodeKind::Cycle(_)
            | NodeKind::Sequence(_) => true,
        };
        safe && walk::expressions(node).into_iter().all(|value| is_safe(&self.program, value))
            && walk::children(node).into_iter().all(|child| self.cannot_fault(child))
    }
}

/// Whether an expression neither changes anything nor can go wrong in any state.
pub(super) fn is_safe(program: &Program, expression: &Expression) -> bool {
    let own = match &expression.kind {
        ExpressionKind::Integer(_) | ExpressionKind::Direction | ExpressionKind::NumberOf(_) => true,
        ExpressionKind::Variable(variable) => {
            program.info.properties[variable.property].kind != PropertyKind::Field
        }
        ExpressionKind::Binary(Binary::Divide | Binary::Remainder, _, right) => {
            matches!(right.kind, ExpressionKind::Integer(value) if value != 0)
        }
        ExpressionKind::Unary(..)
        | ExpressionKind::Binary(..)
        | ExpressionKind::Conditional(..)
        | ExpressionKind::Comma(..) => true,
        // The finger may point nowhere, the element may not exist.
        ExpressionKind::Row | ExpressionKind::Column | ExpressionKind::Place => false,
        ExpressionKind::Element(..) | ExpressionKind::Assign(..) | ExpressionKind::Step { .. } => false,
    };
    own && walk::operands(expression).into_iter().all(|operand| is_safe(program, operand))
}

/// Whether a statement has at most one result, and that is the unchanged state.
pub(super) fn is_filter(node: &Node) -> bool {
    match &node.kind {
        NodeKind::PointsAt(_)
        | NodeKind::OnFields(_)
        | NodeKind::Sees(_)
        | NodeKind::Assert(_)
        | NodeKind::Match(_)
        | NodeKind::ToMove(_)
        | NodeKind::Test(_)
        | NodeKind::Not(_) => true,
        NodeKind::Sequence(nodes) => nodes.iter().all(is_filter),
        _ => false,
    }
}
