//! Alternatives that only test become one test. As a choice, `either assert (row == 8) or not find opponent's pawn`
//! has two results where both hold, and they are the same; code that cannot rule that out compares all moves with
//! each other.
//!
//! Features count results, so rules that they use stay as they are.

use super::facts::{ProgramFacts, is_filter};
use crate::ir::{Node, NodeKind, Program};
use crate::walk;

/// Changes the rules of moves.
pub fn run(program: &mut Program) {
    let facts = ProgramFacts::of(program);
    let counted = counted_rules(program);
    for (function, _) in program.functions.iter_mut().zip(counted).filter(|(_, counted)| !counted) {
        join(&facts, &mut function.body);
    }
}

/// Which rules features use.
fn counted_rules(program: &Program) -> Vec<bool> {
    fn follow(program: &Program, node: &Node, counted: &mut [bool]) {
        walk::for_each_node(node, &mut |node| {
            if let NodeKind::Call(rule) = node.kind
                && !std::mem::replace(&mut counted[rule], true)
            {
                follow(program, &program.functions[rule].body, counted);
            }
        });
    }
    let mut counted = vec![false; program.functions.len()];
    for feature in &program.features {
        follow(program, &feature.body, &mut counted);
    }
    counted
}

fn join(facts: &ProgramFacts, node: &mut Node) {
    // Inside these it does not matter how many results there are.
    if matches!(node.kind, NodeKind::Test(_) | NodeKind::Not(_)) {
        return;
    }
    for child in walk::children_mut(node) {
        join(facts, child);
    }
    if let NodeKind::Either(choices) = &node.kind
        && choices.len() > 1
        && choices.iter().all(is_filter)
        // A test ends with its first result: what is left out must not be able to go wrong.
        && choices[1..].iter().all(|choice| facts.cannot_fault(choice))
    {
        let span = node.span;
        let either = std::mem::replace(&mut node.kind, NodeKind::Sequence(Vec::new()));
        node.kind = NodeKind::Test(Box::new(Node { kind: either, span }));
    }
}
