//! Found fields that can lead to a result at all.
//!
//! Most pieces cannot jump most of the time. A rule that calls itself is a function of its own, and calling it for
//! every piece only to hear "no" takes longer than all the rest. What its first statements ask for is asked for all
//! fields at once, and only where they can succeed is it called. So it is with pieces that stand in each other's way:
//! looking for a way out in eight directions, one after the other, costs more than asking for all of them at once.

use std::cell::Cell;
use std::rc::Rc;

use cranelift_codegen::ir::Value;
use game::Field;
use rules::ir::{Node, NodeKind};

use super::Goal;
use super::closures::reaches_goal;
use super::function::{FunctionCompiler, Next};
use super::passing::{Fingers, Plan, Way};
use super::state::State;

/// Where nothing is called, asking must not cost more than going there: operations for each word of a field set.
const OPERATIONS_MAX: usize = 120;

/// Calls that are followed.
const CALLS_MAX: usize = 6;

/// Statements that are followed, each once for every way that leads there.
const STATEMENTS_MAX: usize = 1_000;

/// How far statements are followed.
#[derive(Clone, Copy)]
struct Budget<'count> {
    /// Calls around this place.
    calls: usize,
    /// Statements that may still be followed.
    statements: &'count Cell<usize>,
}

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
        let calls = nodes.iter().any(|node| self.calls_recursive(node));
        let worthwhile = self.tracking.is_none()
            && self.compiler.options.whole_board_tests
            && (calls || self.from_position && self.wants_all() && reaches_goal(next));
        if !worthwhile {
            return None;
        }
        let statements = Cell::new(STATEMENTS_MAX);
        let limits = Budget { calls: 0, statements: &statements };
        let start = Prospect { way: self.first_way(), written: Vec::new(), is_over: false };
        let ways: Vec<Way<'program>> =
            self.prospects(nodes, vec![start], limits).into_iter().map(|prospect| prospect.way).collect();
        if ways.iter().any(Way::asks_nothing) {
            return None;
        }
        let plan = self.plan_of(ways)?;
        if !calls && self.cost(&plan) > OPERATIONS_MAX * self.compiler.layout.set_words {
            return None;
        }
        Some(self.fields_that_pass(&plan, state))
    }

    /// Operations on words that a plan takes, with those that put its piece sets together.
    fn cost(&self, plan: &Plan<'program>) -> usize {
        let layout = &self.compiler.layout;
        let parts = |&codes: &u128| layout.wide_cover(codes).map_or(0, |parts| parts.len());
        plan.operations + plan.asks.iter().map(parts).sum::<usize>() * layout.set_words
    }

    /// Whether all results are wanted, not one that is known by its fields.
    fn wants_all(&self) -> bool {
        !matches!(self.goal, Some(Goal::Legal | Goal::Taking))
    }

    /// Follows statements as far as they only look at fields that are not written.
    fn prospects(
        &self,
        nodes: &'program [Node],
        mut prospects: Vec<Prospect<'program>>,
        limits: Budget<'_>,
    ) -> Vec<Prospect<'program>> {
        for node in nodes {
            let mut after = Vec::new();
            for prospect in prospects {
                if prospect.is_over {
                    after.push(prospect);
                } else {
                    after.extend(self.follow_prospect(node, prospect, limits));
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
        limits: Budget<'_>,
    ) -> Vec<Prospect<'program>> {
        let over = |prospect: Prospect<'program>| vec![Prospect { is_over: true, ..prospect }];
        let Some(left) = limits.statements.get().checked_sub(1) else { return over(prospect) };
        limits.statements.set(left);
        match &node.kind {
            NodeKind::Sequence(nodes) => self.prospects(nodes, vec![prospect], limits),
            NodeKind::Call(rule) if limits.calls < CALLS_MAX => {
                let body = std::slice::from_ref(&self.compiler.program.functions[*rule].body);
                let limits = Budget { calls: limits.calls + 1, ..limits };
                self.prospects(body, vec![prospect], limits)
            }
            NodeKind::Either(choices) => choices
                .iter()
                .flat_map(|choice| self.follow_prospect(choice, prospect.clone(), limits))
                .collect(),
            NodeKind::PickUp | NodeKind::Replace(_) | NodeKind::PutDown => {
                let mut prospect = prospect;
                prospect.written.push(prospect.way.fingers.clone());
                vec![prospect]
            }
            NodeKind::Irreversible | NodeKind::Forcing(_) | NodeKind::Ending(_) => vec![prospect],
            NodeKind::Assign(_) if self.assigns_constant(node) => vec![prospect],
            NodeKind::Step { .. } | NodeKind::Directions(_) | NodeKind::Turn(_) => {
                self.prospects_of(node, prospect)
            }
            _ if looks_at_field(node) => {
                if prospect.written.iter().any(|written| meet(written, &prospect.way.fingers)) {
                    return over(prospect);
                }
                self.prospects_of(node, prospect)
            }
            // No round, or one, and perhaps more.
            NodeKind::Repeat { least: 0, most, body } if *most != Some(0) => {
                let rounds = self.follow_prospect(body, prospect.clone(), limits);
                let rounds = rounds.into_iter().map(|prospect| Prospect { is_over: true, ..prospect });
                std::iter::once(prospect).chain(rounds).collect()
            }
            NodeKind::Try(first, second) if self.only_marks(first) && self.only_marks(second) => {
                vec![prospect]
            }
            _ => over(prospect),
        }
    }

    /// Follows a statement for all fields at once, if that is possible.
    fn prospects_of(&self, node: &'program Node, prospect: Prospect<'program>) -> Vec<Prospect<'program>> {
        match self.ways(node, prospect.way.clone()) {
            Some(ways) => ways.into_iter().map(|way| Prospect { way, ..prospect.clone() }).collect(),
            None => vec![Prospect { is_over: true, ..prospect }],
        }
    }

    /// Whether a statement at a field neither moves anything nor can go wrong; it may fail.
    fn only_marks(&self, node: &'program Node) -> bool {
        match &node.kind {
            NodeKind::Sequence(nodes) => nodes.iter().all(|node| self.only_marks(node)),
            NodeKind::OnFields(_) | NodeKind::Irreversible | NodeKind::Forcing(_) | NodeKind::Ending(_) => {
                true
            }
            NodeKind::Assert(_) => self.compiler.facts.cannot_fault(node),
            NodeKind::Assign(_) => self.assigns_constant(node),
            _ => false,
        }
    }
}

/// Whether a statement asks what stands on the finger's field, and nothing else.
fn looks_at_field(node: &Node) -> bool {
    match &node.kind {
        NodeKind::PointsAt(_) => true,
        NodeKind::Not(body) => matches!(body.kind, NodeKind::PointsAt(_)),
        _ => false,
    }
}

/// Whether two fingers can be on the same field.
fn meet(one: &Fingers, other: &Rc<[Option<Field>]>) -> bool {
    one.iter().zip(other.iter()).any(|(one, other)| one.is_some() && one == other)
}
