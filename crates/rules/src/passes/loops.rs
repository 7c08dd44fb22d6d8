//! Loops whose body can go on in more than one way become rules that call themselves.
//!
//! A loop whose rounds have at most one result each stays a loop: it compiles to a jump. One that branches
//! needs a stack anyway, and recursion is the one mechanism that has it.
//!
//! ```text
//! while C do S            ->  w = if C then [ S, w ] else nothing
//! do S while C            ->  S, w   with   w = if C then [ S, w ] else nothing
//! repeat 2 .. infinity S  ->  S, S, r   with   r = either nothing or [ S, r ]
//! ```

use lang::Span;

use crate::ir::{Function, Node, NodeKind, Program};
use crate::walk::children_mut;

/// How often a repeated statement is written out.
const WRITTEN_OUT_MAX: u32 = 64;

/// Whether a statement has at most one result.
#[must_use]
pub fn is_single(program: &Program, node: &Node) -> bool {
    is_single_within(program, node, &mut Vec::new())
}

fn is_single_within(program: &Program, node: &Node, calls: &mut Vec<usize>) -> bool {
    let mut all = |nodes: &[&Node]| nodes.iter().all(|node| is_single_within(program, node, calls));
    match &node.kind {
        NodeKind::Find(_) | NodeKind::Most(..) => false,
        NodeKind::Directions(directions) => directions.len() == 1,
        NodeKind::Either(choices) => choices.len() == 1 && all(&[&choices[0]]),
        NodeKind::Try(first, second) | NodeKind::While(first, second) | NodeKind::DoWhile(first, second) => {
            all(&[first, second])
        }
        NodeKind::Branch { condition, then, otherwise } => all(&[condition, then, otherwise]),
        NodeKind::Repeat { least, most, body } => Some(*least) == *most && all(&[body]),
        NodeKind::Sequence(nodes) => all(&nodes.iter().collect::<Vec<_>>()),
        NodeKind::Call(function) => {
            // A rule that calls itself needs a stack.
            if calls.contains(function) {
                return false;
            }
            calls.push(*function);
            let single = is_single_within(program, &program.functions[*function].body, calls);
            calls.pop();
            single
        }
        NodeKind::PointsAt(_)
        | NodeKind::Replace(_)
        | NodeKind::PickUp
        | NodeKind::PutDown
        | NodeKind::Step { .. }
        | NodeKind::Turn(_)
        | NodeKind::MoveTo(..)
        | NodeKind::Test(_)
        | NodeKind::Not(_)
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
        | NodeKind::Cycle(_) => true,
    }
}

/// Rewrites all loops that branch.
pub fn run(program: &mut Program) {
    // Whether a loop branches is asked of the rules as they were: those being rewritten are incomplete.
    let original = program.clone();
    for index in 0..program.functions.len() {
        let mut body = std::mem::replace(&mut program.functions[index].body, nothing(Span::default()));
        let name = program.functions[index].name.clone();
        rewrite(&original, program, &name, &mut body);
        program.functions[index].body = body;
    }
    for index in 0..program.features.len() {
        let mut body = std::mem::replace(&mut program.features[index].body, nothing(Span::default()));
        let name = program.features[index].name.clone();
        rewrite(&original, program, &name, &mut body);
        program.features[index].body = body;
    }
}

fn nothing(span: Span) -> Node {
    Node { kind: NodeKind::Sequence(Vec::new()), span }
}

fn rewrite(original: &Program, program: &mut Program, rule: &str, node: &mut Node) {
    let span = node.span;
    let branches = match &node.kind {
        NodeKind::While(first, second) | NodeKind::DoWhile(first, second) => {
            !is_single(original, first) || !is_single(original, second)
        }
        NodeKind::Repeat { body, .. } => !is_single(original, body),
        _ => false,
    };
    for child in children_mut(node) {
        rewrite(original, program, rule, child);
    }
    if !branches {
        return;
    }
    let kind = std::mem::replace(&mut node.kind, NodeKind::Sequence(Vec::new()));
    node.kind = match kind {
        NodeKind::While(condition, body) => {
            NodeKind::Call(while_rule(program, rule, *condition, *body, span))
        }
        NodeKind::DoWhile(body, condition) => {
            let again = while_rule(program, rule, *condition, (*body).clone(), span);
            NodeKind::Sequence(vec![*body, Node { kind: NodeKind::Call(again), span }])
        }
        NodeKind::Repeat { least, most, body } => repeat(program, rule, (least, most), *body, span),
        other => other,
    };
}

/// `w = if C then [ S, w ] else nothing`
fn while_rule(program: &mut Program, rule: &str, condition: Node, body: Node, span: Span) -> usize {
    let number = program.functions.len();
    let again = Node { kind: NodeKind::Call(number), span };
    let then = Node { kind: NodeKind::Sequence(vec![body, again]), span };
    let kind = NodeKind::Branch {
        condition: Box::new(condition),
        then: Box::new(then),
        otherwise: Box::new(nothing(span)),
    };
    program.functions.push(Function { name: rule.to_owned(), body: Node { kind, span } });
    number
}

fn repeat(
    program: &mut Program,
    rule: &str,
    (least, most): (u32, Option<u32>),
    body: Node,
    span: Span,
) -> NodeKind {
    let optional = most.map(|most| most - least.min(most));
    if least > WRITTEN_OUT_MAX || optional.is_some_and(|optional| optional > WRITTEN_OUT_MAX) {
        // Too long to write out: the compiler counts rounds instead.
        return NodeKind::Repeat { least, most, body: Box::new(body) };
    }
    let mut nodes = vec![body.clone(); least as usize];
    let sequence = |nodes: Vec<Node>| Node { kind: NodeKind::Sequence(nodes), span };
    match optional {
        Some(optional) => {
            let mut rest = nothing(span);
            for _ in 0..optional {
                let choices = vec![nothing(span), sequence(vec![body.clone(), rest])];
                rest = Node { kind: NodeKind::Either(choices), span };
            }
            nodes.push(rest);
        }
        None => {
            let number = program.functions.len();
            let again = Node { kind: NodeKind::Call(number), span };
            let choices = vec![nothing(span), sequence(vec![body, again])];
            let body = Node { kind: NodeKind::Either(choices), span };
            program.functions.push(Function { name: rule.to_owned(), body });
            nodes.push(Node { kind: NodeKind::Call(number), span });
        }
    }
    NodeKind::Sequence(nodes)
}
