//! Whatever is known without a position is done now: constants are computed, brackets opened, and statements that
//! do nothing, never succeed or are never reached disappear.
//!
//! ```text
//! [ step, [ step, nothing ] ]      ->  step, step
//! assert (row == 1 && column == 2) ->  assert (row == 1), assert (column == 2)
//! assign (a = 1, b = 2)            ->  assign (a = 1), assign (b = 2)
//! try [ turn 90 ] else S           ->  turn 90             it always succeeds
//! either S or assert (0)           ->  S
//! not not S                        ->  test S
//! test points at X                 ->  points at X         it changes nothing anyway
//! north, turn 90                   ->  east
//! ```
//!
//! A statement that can go wrong stays, even where its results do not matter. The body of a rule stays a
//! sequence: other passes know it by that.

use lang::Span;

use super::facts::{ProgramFacts, is_filter, is_safe};
use super::folding::{fold, fold_condition};
use super::is_nothing;
use crate::ir::{Binary, Expression, ExpressionKind, Node, NodeKind, Program};
use crate::walk::{children_mut, expressions_mut};

/// Simplifies every rule and feature.
pub fn run(program: &mut Program) {
    // What a call does is asked of the rules as they were: it is the same.
    let facts = ProgramFacts::of(program);
    for body in super::bodies(program) {
        let span = body.span;
        simplify(&facts, body);
        if !matches!(body.kind, NodeKind::Sequence(_)) {
            let only = std::mem::replace(body, nothing(span));
            *body = Node { kind: NodeKind::Sequence(vec![only]), span };
        }
    }
    for feature in &mut program.features {
        fold(facts.program(), &mut feature.weight);
    }
}

fn nothing(span: Span) -> Node {
    Node { kind: NodeKind::Sequence(Vec::new()), span }
}

fn failure(span: Span) -> Node {
    let value = Expression { kind: ExpressionKind::Integer(0), span };
    Node { kind: NodeKind::Assert(value), span }
}

fn simplify(facts: &ProgramFacts, node: &mut Node) {
    for child in children_mut(node) {
        simplify(facts, child);
    }
    let is_condition = matches!(node.kind, NodeKind::Assert(_));
    for expression in expressions_mut(node) {
        if is_condition {
            fold_condition(facts.program(), expression)
        } else {
            fold(facts.program(), expression)
        }
    }
    let span = node.span;
    let kind = std::mem::replace(&mut node.kind, NodeKind::Sequence(Vec::new()));
    *node = simplified(facts, Node { kind, span });
}

/// A statement whose parts are simple already.
fn simplified(facts: &ProgramFacts, node: Node) -> Node {
    let Node { kind, span } = node;
    let always = |node: &Node| facts.always_succeeds(node);
    let surely = |node: &Node| always(node) && facts.cannot_fault(node);
    let fails = |node: &Node| facts.never_succeeds(node) && facts.cannot_fault(node);
    let kind = match kind {
        NodeKind::Sequence(nodes) => return sequence(facts, nodes, span),
        NodeKind::Either(choices) => return either(facts, choices, span),
        NodeKind::Try(first, _) if always(&first) => return *first,
        NodeKind::Try(first, second) if fails(&first) => return *second,
        NodeKind::Try(first, second) if fails(&second) => return *first,
        NodeKind::Branch { condition, otherwise, .. } if fails(&condition) => return *otherwise,
        NodeKind::Branch { condition, then, .. } if always(&condition) => {
            return sequence(facts, vec![*condition, *then], span);
        }
        NodeKind::Test(body) if surely(&body) => return nothing(span),
        NodeKind::Test(body) if fails(&body) => return failure(span),
        NodeKind::Test(body) if is_filter(&body) => return *body,
        NodeKind::Not(body) if surely(&body) => return failure(span),
        NodeKind::Not(body) if fails(&body) => return nothing(span),
        NodeKind::Not(body) => match body.kind {
            NodeKind::Test(body) => NodeKind::Not(body),
            NodeKind::Not(body) => return simplified(facts, Node { kind: NodeKind::Test(body), span }),
            _ => NodeKind::Not(body),
        },
        NodeKind::Repeat { most: Some(0), least: 0, .. } => return nothing(span),
        NodeKind::Repeat { most: Some(1), least: 1, body } => return *body,
        NodeKind::Repeat { least: 0, body, .. } if fails(&body) => return nothing(span),
        NodeKind::While(condition, _) if fails(&condition) => return nothing(span),
        NodeKind::DoWhile(body, condition) if fails(&condition) => return *body,
        NodeKind::Turn(eighths) if eighths.rem_euclid(8) == 0 => return nothing(span),
        NodeKind::Assert(value) => return assert(facts, value, span),
        NodeKind::Assign(value) if is_safe(facts.program(), &value) => return nothing(span),
        NodeKind::Assign(value) => return assign(value, span),
        other => other,
    };
    Node { kind, span }
}

fn assert(facts: &ProgramFacts, value: Expression, span: Span) -> Node {
    match value.kind {
        ExpressionKind::Integer(value) if value != 0 => nothing(span),
        // The right side is only asked if the left one holds, as before.
        ExpressionKind::Binary(Binary::And, left, right) => {
            let mut parts = Vec::new();
            for mut part in [*left, *right] {
                fold_condition(facts.program(), &mut part);
                parts.push(assert(facts, part, span));
            }
            sequence(facts, parts, span)
        }
        _ => Node { kind: NodeKind::Assert(value), span },
    }
}

fn assign(value: Expression, span: Span) -> Node {
    match value.kind {
        ExpressionKind::Comma(left, right) => {
            let mut nodes = Vec::new();
            for part in [assign(*left, span), assign(*right, span)] {
                append(&mut nodes, part);
            }
            Node { kind: NodeKind::Sequence(nodes), span }
        }
        _ => Node { kind: NodeKind::Assign(value), span },
    }
}

/// Adds a statement to others, without brackets around several.
fn append(nodes: &mut Vec<Node>, node: Node) {
    match node.kind {
        NodeKind::Sequence(inner) => nodes.extend(inner),
        _ => nodes.push(node),
    }
}

fn sequence(facts: &ProgramFacts, nodes: Vec<Node>, span: Span) -> Node {
    let mut flat = Vec::new();
    nodes.into_iter().for_each(|node| append(&mut flat, node));
    let mut kept: Vec<Node> = Vec::new();
    for node in flat {
        if let (NodeKind::Turn(eighths), Some(last)) = (&node.kind, kept.last_mut())
            && turned(last, *eighths)
        {
            continue;
        }
        let is_end = facts.never_succeeds(&node);
        kept.push(node);
        if is_end {
            // Nothing after it is ever reached, and what leads there matters only if it can go wrong.
            if kept.iter().all(|node| facts.cannot_fault(node)) {
                return failure(span);
            }
            break;
        }
    }
    kept.retain(|node| !is_nothing(node));
    match kept.len() {
        1 => kept.remove(0),
        _ => Node { kind: NodeKind::Sequence(kept), span },
    }
}

/// Lets a statement that sets the direction do a turn as well.
fn turned(node: &mut Node, eighths: i32) -> bool {
    match &mut node.kind {
        NodeKind::Turn(before) => *before = (*before + eighths).rem_euclid(8),
        NodeKind::Directions(directions) => {
            directions.iter_mut().for_each(|direction| *direction = (*direction + eighths).rem_euclid(8));
        }
        _ => return false,
    }
    if matches!(node.kind, NodeKind::Turn(0)) {
        node.kind = NodeKind::Sequence(Vec::new());
    }
    true
}

fn either(facts: &ProgramFacts, choices: Vec<Node>, span: Span) -> Node {
    let mut kept = Vec::new();
    for choice in choices {
        match choice.kind {
            NodeKind::Either(inner) => kept.extend(inner),
            _ => kept.push(choice),
        }
    }
    kept.retain(|choice| !(facts.never_succeeds(choice) && facts.cannot_fault(choice)));
    match kept.len() {
        0 => failure(span),
        1 => kept.remove(0),
        _ => Node { kind: NodeKind::Either(kept), span },
    }
}
