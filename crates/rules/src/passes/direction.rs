//! Which statements have to do with the direction.

use crate::ir::{Expression, ExpressionKind, Node, NodeKind, Program};
use crate::walk;

/// What a statement does with the direction that it is given.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Use {
    /// It may read it.
    pub(super) reads: bool,
    /// A result may have another one.
    pub(super) changes: bool,
    /// Every result has one that was set inside, whatever was given.
    sets: bool,
}

impl Use {
    const NONE: Use = Use { reads: false, changes: false, sets: false };

    /// One after the other.
    fn then(self, next: Use) -> Use {
        Use {
            reads: self.reads || (!self.sets && next.reads),
            changes: self.changes || next.changes,
            sets: self.sets || next.sets,
        }
    }

    /// One or the other.
    fn or(self, other: Use) -> Use {
        Use {
            reads: self.reads || other.reads,
            changes: self.changes || other.changes,
            sets: self.sets && other.sets,
        }
    }
}

/// Whether an expression reads the direction.
pub(super) fn is_read_by(expression: &Expression) -> bool {
    let mut found = false;
    walk::for_each_subexpression(expression, &mut |part| {
        found |= matches!(part.kind, ExpressionKind::Direction);
    });
    found
}

/// The uses of all rules.
pub(super) struct Uses(Vec<Use>);

impl Uses {
    /// Looks at every rule until nothing new is found.
    pub(super) fn of(program: &Program) -> Uses {
        // A rule that only calls itself has no result: anything can be said of those.
        let mut uses = Uses(vec![Use { reads: false, changes: false, sets: true }; program.functions.len()]);
        loop {
            let next: Vec<Use> = program.functions.iter().map(|rule| uses.of_node(&rule.body)).collect();
            if next == uses.0 {
                return uses;
            }
            uses.0 = next;
        }
    }

    pub(super) fn of_node(&self, node: &Node) -> Use {
        let of = |node: &Node| self.of_node(node);
        let reading = |reads: bool| Use { reads, ..Use::NONE };
        match &node.kind {
            NodeKind::Directions(_) => Use { reads: false, changes: true, sets: true },
            NodeKind::Turn(_) => Use { reads: true, changes: true, sets: false },
            NodeKind::Step { .. } => reading(true),
            NodeKind::Sequence(nodes) => nodes.iter().fold(Use::NONE, |sum, node| sum.then(of(node))),
            NodeKind::Either(choices) => {
                choices.iter().map(of).reduce(Use::or).unwrap_or(Use { sets: true, ..Use::NONE })
            }
            NodeKind::Try(first, second) => of(first).or(of(second)),
            NodeKind::Test(body) | NodeKind::Not(body) => reading(of(body).reads),
            NodeKind::Repeat { least: 1.., body, .. } => of(body),
            NodeKind::Repeat { body, .. } => of(body).or(Use::NONE),
            NodeKind::While(condition, body) => of(condition).then(of(body)).or(of(condition)).or(Use::NONE),
            NodeKind::DoWhile(body, condition) => {
                let (body, condition) = (of(body), of(condition));
                body.then(condition.then(body).or(Use::NONE))
            }
            NodeKind::Branch { condition, then, otherwise } => of(condition).then(of(then)).or(of(otherwise)),
            NodeKind::Most(value, body) => of(body).then(reading(is_read_by(value))),
            NodeKind::Call(rule) => self.0[*rule],
            NodeKind::Find(_)
            | NodeKind::PointsAt(_)
            | NodeKind::Replace(_)
            | NodeKind::PickUp
            | NodeKind::PutDown
            | NodeKind::MoveTo(..)
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
            | NodeKind::Cycle(_) => reading(walk::expressions(node).into_iter().any(is_read_by)),
        }
    }
}
