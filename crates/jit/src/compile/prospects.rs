//! Found fields that can lead to a result at all.
//!
//! Most pieces cannot jump most of the time. A rule that calls itself is a function of its own, and calling it for
//! every piece only to hear "no" takes longer than all the rest. What its first statements ask for is asked for all
//! fields at once, and only where they can succeed is it called.

use std::rc::Rc;

use cranelift_codegen::ir::Value;
use game::Field;
use rules::ir::{Node, NodeKind};

use super::function::{FunctionCompiler, Next};
use super::passing::{Fingers, Way};
use super::state::State;

/// Calls that are followed.
const CALLS_MAX: usize = 6;

/// A beginning of what follows a `find`.
#[derive(Clone)]
struct Prospect<'program> {
    way: Way<'program>,
    /// Where the finger was when something was written there.
    written: Vec<Fingers>,
    /// Whether nothing more is known of it.
    is_over: bool,
}

impl<'program> FunctionCompiler<'_, '_, 'program> {
    /// The fields from which what follows a `find` may have a result; `None` if it is not worth asking.
    pub(crate) fn fields_with_prospects(
        &mut self,
        next: &Next<'program>,
        state: &State,
    ) -> Option<Vec<Value>> {
        let Next::Statements(nodes, ..) = next else { return None };
        let worthwhile = self.tracking.is_none()
            && self.compiler.options.whole_board_tests
            && nodes.iter().any(|node| self.calls_recursive(node));
        if !worthwhile {
            return None;
        }
        let start = Prospect { way: self.first_way(), written: Vec::new(), is_over: false };
        let ways: Vec<Way<'program>> =
            self.prospects(nodes, vec![start], 0).into_iter().map(|prospect| prospect.way).collect();
        if ways.iter().any(Way::asks_nothing) {
            return None;
        }
        let plan = self.plan_of(ways)?;
        Some(self.fields_that_pass(&plan, state))
    }

    /// Follows statements as far as they only look at fields that nobody has written.
    fn prospects(
        &self,
        nodes: &'program [Node],
        mut prospects: Vec<Prospect<'program>>,
        calls: usize,
    ) -> Vec<Prospect<'program>> {
        for node in nodes {
            let mut after = Vec::new();
            for prospect in prospects {
                if prospect.is_over {
                    after.push(prospect);
                } else {
                    after.extend(self.follow_prospect(node, prospect, calls));
                }
            }
            prospects = after;
        }
        prospects
    }

    fn follow_prospect(
        &self,
        node: &'program Node,
        prospect: Prospect<'program>,
        calls: usize,
    ) -> Vec<Prospect<'program>> {
        let over = |prospect: Prospect<'program>| vec![Prospect { is_over: true, ..prospect }];
        match &node.kind {
            NodeKind::Sequence(nodes) => self.prospects(nodes, vec![prospect], calls),
            NodeKind::Call(rule) if calls < CALLS_MAX => {
                let body = std::slice::from_ref(&self.compiler.program.functions[*rule].body);
                self.prospects(body, vec![prospect], calls + 1)
            }
            NodeKind::Either(choices) => choices
                .iter()
                .flat_map(|choice| self.follow_prospect(choice, prospect.clone(), calls))
                .collect(),
            NodeKind::PickUp | NodeKind::Replace(_) | NodeKind::PutDown => {
                let mut prospect = prospect;
                prospect.written.push(prospect.way.fingers.clone());
                vec![prospect]
            }
            NodeKind::Irreversible | NodeKind::Forcing(_) | NodeKind::Ending(_) => vec![prospect],
            NodeKind::Assign(_) if self.assigns_constant(node) => vec![prospect],
            NodeKind::Step { .. } | NodeKind::Directions(_) | NodeKind::Turn(_) | NodeKind::PointsAt(_) => {
                let asks = matches!(node.kind, NodeKind::PointsAt(_));
                if asks && prospect.written.iter().any(|written| meet(written, &prospect.way.fingers)) {
                    return over(prospect);
                }
                match self.ways(node, prospect.way.clone()) {
                    Some(ways) => ways.into_iter().map(|way| Prospect { way, ..prospect.clone() }).collect(),
                    None => over(prospect),
                }
            }
            _ => over(prospect),
        }
    }
}

/// Whether two fingers can be on the same field.
fn meet(one: &Fingers, other: &Rc<[Option<Field>]>) -> bool {
    one.iter().zip(other.iter()).any(|(one, other)| one.is_some() && one == other)
}
