//! Tests that look from the finger's field at other fields become questions about sets of fields.
//!
//! Inside `test` and `not` only the existence of a result counts, so a path can be replaced by what it can see:
//!
//! ```text
//! test [ orthogonal, step, either turn 45 or turn -45, step, points at X ]
//!     ->  reaches X                 is an X on a field that the path can lead to?
//! test [ diagonal, do step while points at E, points at X ]
//!     ->  sees X over E             is an X the first thing beyond fields with E, in one of the directions?
//! test [ any direction, step, points at E, do step while points at E, points at X ]
//!     ->  sees X over at least one E
//! ```
//!
//! The first is a mask; the second is a mask and a bit scan, and most of the time the mask alone says no.

use game::{Colour, Direction};

use crate::ir::{Node, NodeKind, PieceSet, Program, Sight};
use crate::walk::children_mut;

/// How deep calls and brackets are followed while looking for a path.
const DEPTH_MAX: usize = 12;

/// How many statements of called rules all tests together may take in.
const TAKEN_IN_MAX: usize = 120;

/// How many statements a path may have, and how many steps all ways along it may take from one field.
const PATH_MAX: usize = 40;
const STEPS_MAX: usize = 2_000;

/// Rewrites all tests.
pub fn run(program: &mut Program) {
    let original = program.clone();
    let mut budget = TAKEN_IN_MAX;
    for function in &mut program.functions {
        tests(&original, &mut function.body, &mut budget);
    }
    for feature in &mut program.features {
        tests(&original, &mut feature.body, &mut budget);
    }
}

/// Finds the tests in a statement, outermost first.
fn tests(program: &Program, node: &mut Node, budget: &mut usize) {
    if let NodeKind::Test(body) | NodeKind::Not(body) = &mut node.kind {
        tail(program, body, DEPTH_MAX, budget);
    }
    for child in children_mut(node) {
        tests(program, child, budget);
    }
}

/// Rewrites a statement of which only the existence of a result counts.
fn tail(program: &Program, node: &mut Node, depth: usize, budget: &mut usize) {
    if depth == 0 {
        return;
    }
    if let Some(kind) = seen_by(program, node) {
        node.kind = kind;
        return;
    }
    match &mut node.kind {
        NodeKind::Either(choices) => {
            choices.iter_mut().for_each(|choice| tail(program, choice, depth - 1, budget))
        }
        NodeKind::Sequence(nodes) => {
            // The last statements may be a path even if the first ones are not.
            for start in 1..nodes.len() {
                let rest =
                    Node { kind: NodeKind::Sequence(nodes[start..].to_vec()), span: nodes[start].span };
                if let Some(kind) = seen_by(program, &rest) {
                    nodes.truncate(start);
                    nodes.push(Node { kind, span: rest.span });
                    return;
                }
            }
            if let Some(last) = nodes.last_mut() {
                tail(program, last, depth - 1, budget);
            }
        }
        NodeKind::Call(rule) => {
            // The rule's own text stays as it is: it may be called elsewhere for all its results.
            let mut size = 0;
            crate::walk::for_each_node(&program.functions[*rule].body, &mut |_| size += 1);
            if size <= *budget && !calls_itself(program, *rule) {
                *budget -= size;
                let mut body = program.functions[*rule].body.clone();
                tail(program, &mut body, depth - 1, budget);
                if matches!(body.kind, NodeKind::Sees(_) | NodeKind::Either(_) | NodeKind::Test(_)) {
                    *node = body;
                }
            }
        }
        NodeKind::Test(body) => tail(program, body, depth - 1, budget),
        _ => {}
    }
}

fn calls_itself(program: &Program, rule: usize) -> bool {
    let (mut seen, mut open) = (vec![false; program.functions.len()], vec![rule]);
    let mut found = false;
    while let Some(caller) = open.pop() {
        crate::walk::for_each_node(&program.functions[caller].body, &mut |node| {
            if let NodeKind::Call(called) = node.kind {
                found |= called == rule;
                if !std::mem::replace(&mut seen[called], true) {
                    open.push(called);
                }
            }
        });
    }
    found
}

/// The question that a path asks, if the statement is a path.
fn seen_by(program: &Program, node: &Node) -> Option<NodeKind> {
    let path = flat(program, node, DEPTH_MAX, &mut { PATH_MAX })?;
    let (last, before) = path.split_last()?;
    let set = asked_set(program, last)?;
    ride(program, before, set).or_else(|| leap(program, before, set)).map(NodeKind::Sees)
}

/// Statements one after the other, with brackets and calls opened.
fn flat<'program>(
    program: &'program Program,
    node: &'program Node,
    depth: usize,
    budget: &mut usize,
) -> Option<Vec<&'program Node>> {
    *budget = budget.checked_sub(1)?;
    if depth == 0 {
        return None;
    }
    match &node.kind {
        NodeKind::Sequence(nodes) => {
            let mut all = Vec::new();
            for node in nodes {
                all.extend(flat(program, node, depth - 1, budget)?);
            }
            Some(all)
        }
        NodeKind::Call(rule) => flat(program, &program.functions[*rule].body, depth - 1, budget),
        _ => Some(vec![node]),
    }
}

/// `points at X`, or `either points at X or points at Y`.
fn asked_set(program: &Program, node: &Node) -> Option<PieceSet> {
    match &node.kind {
        NodeKind::PointsAt(set) => Some(*set),
        NodeKind::Either(choices) => {
            let mut union = PieceSet { codes: [0; 2] };
            for choice in choices {
                let [only] = flat(program, choice, DEPTH_MAX, &mut { PATH_MAX })?[..] else { return None };
                let set = asked_set(program, only)?;
                union = PieceSet { codes: [union.codes[0] | set.codes[0], union.codes[1] | set.codes[1]] };
            }
            Some(union)
        }
        _ => None,
    }
}

fn is_step(node: &Node) -> bool {
    matches!(&node.kind, NodeKind::Step { backward: false })
        || matches!(&node.kind, NodeKind::Sequence(nodes) if nodes.len() == 1 && is_step(&nodes[0]))
}

fn points_at(node: &Node) -> Option<PieceSet> {
    match &node.kind {
        NodeKind::PointsAt(set) => Some(*set),
        NodeKind::Sequence(nodes) if nodes.len() == 1 => points_at(&nodes[0]),
        _ => None,
    }
}

/// `directions, [step, points at E,] do step while points at E`
fn ride(program: &Program, path: &[&Node], set: PieceSet) -> Option<Sight> {
    if !rays_can_be_scanned(program) {
        return None;
    }
    let (directions, rest) = path.split_first()?;
    let NodeKind::Directions(directions) = &directions.kind else { return None };
    let (at_least_one, run) = match rest {
        [run] => (None, run),
        [step, first, run] if is_step(step) => (Some(points_at(first)?), run),
        _ => return None,
    };
    let NodeKind::DoWhile(body, condition) = &run.kind else { return None };
    let over = points_at(condition)?;
    let same = at_least_one.is_none_or(|first| first == over);
    (is_step(body) && same).then(|| Sight::Over {
        directions: directions.clone(),
        over,
        at_least_one: at_least_one.is_some(),
        set,
    })
}

/// A path of directions, turns and steps.
fn leap(program: &Program, path: &[&Node], set: PieceSet) -> Option<Sight> {
    let geometry = &program.info.geometry;
    let steps = path.iter().filter(|node| !matches!(node.kind, NodeKind::Directions(_))).count();
    if steps == 0 {
        return None;
    }
    let mut fields: [Vec<Vec<u16>>; 2] = [Vec::new(), Vec::new()];
    for mover in Colour::BOTH {
        let turned = mover == Colour::Black && program.info.sides == 2;
        for start in 0..geometry.fields() as u16 {
            let mut reached = Vec::new();
            walk(program, path, (start, None), turned, &mut reached, (DEPTH_MAX, &mut { STEPS_MAX }))?;
            reached.sort_unstable();
            reached.dedup();
            fields[mover.index()].push(reached);
        }
    }
    Some(Sight::Reach { fields, set })
}

/// Follows a path from a field and a direction; `None` if it is more than geometry.
fn walk(
    program: &Program,
    path: &[&Node],
    (field, direction): (u16, Option<Direction>),
    turned: bool,
    reached: &mut Vec<u16>,
    (depth, budget): (usize, &mut usize),
) -> Option<()> {
    *budget = budget.checked_sub(1)?;
    if depth == 0 {
        return None;
    }
    let Some((first, rest)) = path.split_first() else {
        reached.push(field);
        return Some(());
    };
    let mut go = |field: u16, direction: Option<Direction>| {
        walk(program, rest, (field, direction), turned, reached, (depth, budget))
    };
    match &first.kind {
        NodeKind::Directions(directions) => {
            directions.iter().try_for_each(|&eighths| go(field, Some(Direction::new(eighths))))
        }
        NodeKind::Turn(eighths) => go(field, Some(direction?.turned(*eighths))),
        NodeKind::Step { backward } => {
            let flip = if *backward != turned { 4 } else { 0 };
            match program.info.geometry.step(field, direction?.turned(flip)) {
                Some(field) => go(field, direction),
                None => Some(()),
            }
        }
        NodeKind::Either(choices) => choices.iter().try_for_each(|choice| {
            let mut path = flat(program, choice, depth - 1, &mut { PATH_MAX })?;
            path.extend(rest);
            walk(program, &path, (field, direction), turned, reached, (depth - 1, budget))
        }),
        NodeKind::Repeat { least, most: Some(most), body } if least == most && *least <= 8 => {
            let body = flat(program, body, depth - 1, &mut { PATH_MAX })?;
            let mut path: Vec<&Node> = (0..*least).flat_map(|_| body.iter().copied()).collect();
            path.extend(rest);
            walk(program, &path, (field, direction), turned, reached, (depth - 1, budget))
        }
        _ => None,
    }
}

/// Whether a set of fields is one word, and every ray goes through it in order.
fn rays_can_be_scanned(program: &Program) -> bool {
    let geometry = &program.info.geometry;
    let in_order = |direction: Direction| {
        let up = matches!(direction.index(), 0..=2 | 7);
        (0..geometry.fields() as u16)
            .all(|field| geometry.step(field, direction).is_none_or(|to| (to > field) == up && to != field))
    };
    geometry.fields() <= 64 && Direction::all().all(in_order)
}
