//! State that is never read is not computed: directions that no step follows, marks and values that are set inside
//! a test, where only success counts, and a finger that is not looked at.
//!
//! ```text
//! test [ irreversible, find X, step ]   ->  test [ find X, step ]
//! test [ assign (count = 0), find X ]   ->  test [ find X ]          unless a rule in it reads `count`
//! put down, north                       ->  put down                 at the end of a move
//! ```
//!
//! For every statement: what may be read after it, from the end of a rule to its beginning; at the end of a rule
//! that is whatever may be read after any of its calls. A statement is dropped only if it cannot fail, cannot go
//! wrong, and sets nothing that may be read. What happens in a loop may be read in the next round.

use game::{GameInfo, PropertyKind};

use super::facts::is_safe;
use super::is_nothing;
use crate::ir::{Expression, ExpressionKind, Node, NodeKind, Program, Variable};
use crate::walk::{self, children};

/// Things that are set and read, one bit each; properties behind the first ones.
type Things = u128;

const DIRECTION: Things = 1;
const FINGER: Things = 2;
const OUTCOME: Things = 4;
const IRREVERSIBLE: Things = 8;
const FORCING: Things = 16;
const FIRST_PROPERTY: u32 = 5;

/// Drops what is never read.
pub fn run(program: &mut Program) {
    let original = program.clone();
    let mut analysis = Analysis::new(&original);
    while !analysis.visit(program) {}
    analysis.drops = true;
    analysis.visit(program);
}

struct Analysis<'program> {
    program: &'program Program,
    /// What a rule and all that it calls may read at all.
    mentioned: Vec<Things>,
    /// What may be read after a rule.
    after: Vec<Things>,
    /// What may be read when a rule begins.
    before: Vec<Things>,
    /// Whether statements are dropped, or only looked at.
    drops: bool,
}

impl<'program> Analysis<'program> {
    fn new(program: &'program Program) -> Analysis<'program> {
        let rules = program.functions.len();
        let mut analysis = Analysis {
            program,
            mentioned: vec![0; rules],
            after: vec![0; rules],
            before: vec![0; rules],
            drops: false,
        };
        // A move is all that the position keeps, with its marks; `move` properties tell moves apart.
        analysis.after[program.main] = !(DIRECTION | FINGER);
        loop {
            let bodies = program.functions.iter().map(|function| &function.body);
            let next: Vec<Things> = bodies.map(|body| analysis.mentions(body)).collect();
            if next == analysis.mentioned {
                return analysis;
            }
            analysis.mentioned = next;
        }
    }

    /// Goes through all bodies once; whether nothing new was found.
    fn visit(&mut self, program: &mut Program) -> bool {
        let known = (self.after.clone(), self.before.clone());
        for (rule, function) in program.functions.iter_mut().enumerate() {
            self.before[rule] |= self.node(&mut function.body, self.after[rule]);
        }
        for feature in &mut program.features {
            let after = reads(&self.program.info, &feature.weight);
            self.node(&mut feature.body, after);
        }
        known == (self.after.clone(), self.before.clone())
    }

    /// All that a statement and everything in it may read.
    fn mentions(&self, node: &Node) -> Things {
        let own = match node.kind {
            NodeKind::Call(rule) => self.mentioned[rule],
            _ => self.reads_itself(node),
        };
        children(node).into_iter().fold(own, |sum, child| sum | self.mentions(child))
    }

    /// What a statement reads apart from the statements in it.
    fn reads_itself(&self, node: &Node) -> Things {
        let own = match &node.kind {
            NodeKind::Step { .. } => FINGER | DIRECTION,
            NodeKind::Turn(_) => DIRECTION,
            NodeKind::PointsAt(_)
            | NodeKind::Replace(_)
            | NodeKind::PickUp
            | NodeKind::PutDown
            | NodeKind::OnFields(_)
            | NodeKind::Sees(_) => FINGER,
            // Find, moves of the finger and marks ask for nothing; what stands inside is asked for by `mentions`.
            NodeKind::Find(_)
            | NodeKind::Directions(_)
            | NodeKind::MoveTo(..)
            | NodeKind::Either(_)
            | NodeKind::Try(..)
            | NodeKind::Test(_)
            | NodeKind::Not(_)
            | NodeKind::Repeat { .. }
            | NodeKind::While(..)
            | NodeKind::DoWhile(..)
            | NodeKind::Branch { .. }
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
            | NodeKind::Call(_) => 0,
        };
        let values = walk::expressions(node).into_iter();
        values.fold(own, |sum, value| sum | reads(&self.program.info, value))
    }

    /// What may be read before a statement, given what may be read after it.
    fn node(&mut self, node: &mut Node, after: Things) -> Things {
        let info = &self.program.info;
        match &mut node.kind {
            NodeKind::Sequence(nodes) => {
                let before = nodes.iter_mut().rev().fold(after, |after, node| self.node(node, after));
                if self.drops {
                    nodes.retain(|node| !is_nothing(node));
                }
                before
            }
            NodeKind::Either(choices) => {
                choices.iter_mut().fold(0, |sum, choice| sum | self.node(choice, after))
            }
            NodeKind::Try(first, second) => self.node(first, after) | self.node(second, after),
            NodeKind::Branch { condition, then, otherwise } => {
                let then = self.node(then, after);
                self.node(condition, then) | self.node(otherwise, after)
            }
            // What happens inside is forgotten.
            NodeKind::Test(body) | NodeKind::Not(body) => after | self.node(body, 0),
            NodeKind::Repeat { body, .. } => {
                let inside = after | self.mentions(body);
                inside | self.node(body, inside)
            }
            NodeKind::While(first, second) | NodeKind::DoWhile(first, second) => {
                let inside = after | self.mentions(first) | self.mentions(second);
                inside | self.node(first, inside) | self.node(second, inside)
            }
            NodeKind::Most(value, body) => {
                let after = after | reads(info, value);
                self.node(body, after)
            }
            NodeKind::Call(rule) => {
                self.after[*rule] |= after;
                self.before[*rule]
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
            | NodeKind::Cycle(_) => {
                let (set, may_go) = self.sets(node);
                if may_go && set & after == 0 {
                    if self.drops {
                        node.kind = NodeKind::Sequence(Vec::new());
                    }
                    return after;
                }
                after & !set | self.reads_itself(node)
            }
        }
    }

    /// What a statement certainly sets, and whether it does nothing else.
    fn sets(&self, node: &Node) -> (Things, bool) {
        match &node.kind {
            NodeKind::Directions(directions) => (DIRECTION, directions.len() == 1),
            NodeKind::Turn(_) => (DIRECTION, true),
            NodeKind::Find(_) => (FINGER, false),
            NodeKind::MoveTo(column, row) => (FINGER, self.is_a_field(column, row)),
            NodeKind::Irreversible => (IRREVERSIBLE, true),
            NodeKind::Forcing(_) => (FORCING, true),
            NodeKind::Ending(_) => (OUTCOME, true),
            NodeKind::Score(value) => (OUTCOME, is_safe(self.program, value)),
            NodeKind::Assign(value) => match &value.kind {
                ExpressionKind::Assign(None, variable, value) => self.assigns(*variable, value),
                _ => (0, false),
            },
            NodeKind::PointsAt(_)
            | NodeKind::Replace(_)
            | NodeKind::PickUp
            | NodeKind::PutDown
            | NodeKind::Step { .. }
            | NodeKind::Either(_)
            | NodeKind::Try(..)
            | NodeKind::Test(_)
            | NodeKind::Not(_)
            | NodeKind::Repeat { .. }
            | NodeKind::While(..)
            | NodeKind::DoWhile(..)
            | NodeKind::Branch { .. }
            | NodeKind::OnFields(_)
            | NodeKind::Sees(_)
            | NodeKind::Assert(_)
            | NodeKind::Match(_)
            | NodeKind::ToMove(_)
            | NodeKind::Most(..)
            | NodeKind::Cycle(_)
            | NodeKind::Sequence(_)
            | NodeKind::Call(_) => (0, false),
        }
    }

    /// A field that is there and used for both movers.
    fn is_a_field(&self, column: &Expression, row: &Expression) -> bool {
        let geometry = &self.program.info.geometry;
        let (&ExpressionKind::Integer(column), &ExpressionKind::Integer(row)) = (&column.kind, &row.kind)
        else {
            return false;
        };
        let used = |field| geometry.is_used(field) && geometry.is_used(geometry.rotated(field));
        geometry.at(column, row).is_some_and(used)
    }

    /// A plain assignment; one of a constant within its range cannot go wrong.
    fn assigns(&self, variable: Variable, value: &Expression) -> (Things, bool) {
        let property = &self.program.info.properties[variable.property];
        let fits = matches!(value.kind, ExpressionKind::Integer(value)
            if (property.low..=property.high).contains(&value));
        match property.kind {
            PropertyKind::Board | PropertyKind::Move => (thing(variable), fits && thing(variable) != 0),
            // The other player's, or that of another field, stays as it was.
            PropertyKind::Player | PropertyKind::Field => (0, false),
        }
    }
}

/// The bit of a property; 0 for those that have none and count as always read.
fn thing(variable: Variable) -> Things {
    let shift = u32::try_from(variable.property).ok().and_then(|index| index.checked_add(FIRST_PROPERTY));
    shift.and_then(|shift| 1_u128.checked_shl(shift)).unwrap_or(0)
}

/// What an expression reads.
fn reads(info: &GameInfo, expression: &Expression) -> Things {
    let mut sum = 0;
    walk::for_each_subexpression(expression, &mut |part| {
        let (variable, value) = match &part.kind {
            ExpressionKind::Row | ExpressionKind::Column | ExpressionKind::Place => return sum |= FINGER,
            ExpressionKind::Direction => return sum |= DIRECTION,
            ExpressionKind::Variable(variable)
            | ExpressionKind::Assign(Some(_), variable, _)
            | ExpressionKind::Step { variable, .. } => (*variable, thing(*variable)),
            // A plain assignment only needs the field.
            ExpressionKind::Assign(None, variable, _) => (*variable, 0),
            _ => return,
        };
        sum |= value;
        if info.properties[variable.property].kind == PropertyKind::Field {
            sum |= FINGER;
        }
    });
    sum
}
