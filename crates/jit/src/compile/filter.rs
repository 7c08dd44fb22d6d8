//! `find` followed by a test of the found field: the test is made for all fields at once, with shifts of whole
//! field sets, and only the fields that pass are visited.

use std::rc::Rc;

use cranelift_codegen::ir::InstBuilder;
use cranelift_codegen::ir::Value;
use game::Direction;
use rules::ir::{Node, NodeKind, Sight};
use rustc_hash::FxHashMap;

use super::function::{FunctionCompiler, Next};
use super::state::{Number, State};

/// Code for a test of all fields is at most about so long.
const SHIFTS_MAX: usize = 96;

impl<'program> FunctionCompiler<'_, '_, 'program> {
    /// Takes tests off what follows a `find` and gives the fields that pass them all.
    pub(crate) fn filter_fields(
        &mut self,
        next: &Rc<Next<'program>>,
        state: &State,
    ) -> (Option<Value>, Rc<Next<'program>>) {
        let (mut next, mut passing) = (next.clone(), None);
        if self.compiler.layout.set_words != 1
            || self.tracking.is_some()
            || !self.compiler.options.whole_board_tests
        {
            return (None, next);
        }
        while let Next::Statements(nodes, rule, after) = &*next.clone() {
            let Some((first, rest)) = nodes.split_first() else { break };
            let is_test = matches!(first.kind, NodeKind::Test(_) | NodeKind::Not(_));
            if !is_test || !self.can_shift(first) {
                break;
            }
            let fields = self.fields_that_pass(first, state);
            passing = Some(match passing {
                None => fields,
                Some(other) => self.builder.ins().band(other, fields),
            });
            next = match rest {
                [] => after.clone(),
                rest => Rc::new(Next::Statements(rest, rule, after.clone())),
            };
        }
        (passing, next)
    }

    /// Whether a test depends on the finger's field and the board alone, in a way that can be shifted.
    fn can_shift(&self, node: &Node) -> bool {
        self.shifts(node).is_some_and(|shifts| shifts <= SHIFTS_MAX)
    }

    fn shifts(&self, node: &Node) -> Option<usize> {
        match &node.kind {
            NodeKind::Test(body) | NodeKind::Not(body) => self.shifts(body),
            NodeKind::PointsAt(set) => {
                let codes = set.codes[self.mover.index()];
                (codes == 0 || self.compiler.layout.cover(codes).is_some()).then_some(1)
            }
            NodeKind::Either(choices) | NodeKind::Sequence(choices) => {
                choices.iter().try_fold(0, |sum, choice| Some(sum + self.shifts(choice)?))
            }
            NodeKind::Call(rule) if !self.compiler.recursive[*rule] => {
                self.shifts(&self.compiler.program.functions[*rule].body)
            }
            NodeKind::Sees(Sight::Reach { fields, .. }) => {
                Some(self.leaps(&fields[self.mover.index()]).len())
            }
            NodeKind::Sees(Sight::Over { directions, .. }) => {
                let longest = self.longest_ray();
                let regular = directions.iter().all(|&direction| self.shift_of(direction).is_some());
                regular.then_some(directions.len() * longest)
            }
            _ => None,
        }
    }

    /// The fields from which a test succeeds.
    fn fields_that_pass(&mut self, node: &'program Node, state: &State) -> Value {
        match &node.kind {
            NodeKind::Test(body) => self.fields_that_pass(body, state),
            NodeKind::Not(body) => {
                let fields = self.fields_that_pass(body, state);
                self.builder.ins().bnot(fields)
            }
            NodeKind::PointsAt(set) => self.fields_with(set.codes[self.mover.index()], 0, state),
            NodeKind::Either(choices) => {
                let none = self.number(Number::Known(0));
                choices.iter().fold(none, |sum, choice| {
                    let fields = self.fields_that_pass(choice, state);
                    self.builder.ins().bor(sum, fields)
                })
            }
            NodeKind::Sequence(nodes) => {
                let all = self.number(Number::Known(-1));
                nodes.iter().fold(all, |sum, node| {
                    let fields = self.fields_that_pass(node, state);
                    self.builder.ins().band(sum, fields)
                })
            }
            NodeKind::Call(rule) => {
                let program = self.compiler.program;
                self.fields_that_pass(&program.functions[*rule].body, state)
            }
            NodeKind::Sees(Sight::Reach { fields, set }) => {
                let leaps = self.leaps(&fields[self.mover.index()]);
                let pieces = self.fields_with(set.codes[self.mover.index()], 0, state);
                let mut sum = self.number(Number::Known(0));
                for (distance, starts) in leaps {
                    let shifted = self.shift(pieces, -distance);
                    let starts = self.number(Number::Known(starts as i64));
                    let seen = self.builder.ins().band(shifted, starts);
                    sum = self.builder.ins().bor(sum, seen);
                }
                sum
            }
            NodeKind::Sees(Sight::Over { directions, over, at_least_one, set }) => {
                let mover = self.mover.index();
                let over_fields = self.fields_with(over.codes[mover], 0, state);
                let wanted = self.fields_with(set.codes[mover] & !over.codes[mover], 0, state);
                let mut sum = self.number(Number::Known(0));
                for &direction in directions {
                    let Some((distance, starts)) = self.shift_of(direction) else { continue };
                    let starts = self.number(Number::Known(starts as i64));
                    // From the goal backwards: one more field that can be looked over in each round.
                    let shifted = self.shift(wanted, -distance);
                    let mut sees = self.builder.ins().band(shifted, starts);
                    for _ in 1..self.longest_ray() {
                        let through = self.builder.ins().band(over_fields, sees);
                        let shifted = self.shift(through, -distance);
                        let further = self.builder.ins().band(shifted, starts);
                        sees = self.builder.ins().bor(sees, further);
                    }
                    if *at_least_one {
                        let through = self.builder.ins().band(over_fields, sees);
                        let shifted = self.shift(through, -distance);
                        sees = self.builder.ins().band(shifted, starts);
                    }
                    sum = self.builder.ins().bor(sum, sees);
                }
                sum
            }
            _ => self.number(Number::Known(0)),
        }
    }

    fn shift(&mut self, fields: Value, distance: i64) -> Value {
        match distance {
            0 => fields,
            1.. => self.builder.ins().ishl_imm_s(fields, distance),
            _ => self.builder.ins().ushr_imm_s(fields, -distance),
        }
    }

    fn longest_ray(&self) -> usize {
        let geometry = &self.compiler.program.info.geometry;
        geometry.columns().max(geometry.rows()) - 1
    }

    /// The distance between neighbours in a direction, if it is the same everywhere, and the fields that have one.
    fn shift_of(&self, eighths: i32) -> Option<(i64, u64)> {
        let turn = if self.rotated() { 4 } else { 0 };
        let direction = Direction::new(eighths + turn);
        let geometry = &self.compiler.program.info.geometry;
        let (mut distance, mut starts) = (None, 0);
        for field in 0..geometry.fields() as u16 {
            if let Some(to) = geometry.step(field, direction) {
                let here = i64::from(to) - i64::from(field);
                if *distance.get_or_insert(here) != here {
                    return None;
                }
                starts |= 1 << field;
            }
        }
        Some((distance.unwrap_or(1), starts))
    }

    /// Leaps by their distance, with the fields from which each can be made.
    fn leaps(&self, fields: &[Vec<u16>]) -> Vec<(i64, u64)> {
        let mut leaps: FxHashMap<i64, u64> = FxHashMap::default();
        for (from, reached) in fields.iter().enumerate() {
            for &to in reached {
                *leaps.entry(i64::from(to) - from as i64).or_default() |= 1 << from;
            }
        }
        let mut leaps: Vec<(i64, u64)> = leaps.into_iter().collect();
        leaps.sort_unstable();
        leaps
    }
}
