//! Statements that do not depend on the direction move in front of the choice of one, so that they run once instead
//! of once a direction.
//!
//! ```text
//! any direction, points at X, pick up, step  ->  points at X, pick up, any direction, step
//! ```
//!
//! Only a statement with at most one result moves: then the results keep their order. It may write the board or
//! move the finger, as choosing a direction looks at neither; and if it goes wrong it does so before anything else
//! happens, as it did with the first direction.

use super::direction::Uses;
use super::loops::is_single;
use crate::ir::{Node, NodeKind, Program};
use crate::walk::children_mut;

/// Moves statements in every rule and feature.
pub fn run(program: &mut Program) {
    let (original, uses) = (program.clone(), Uses::of(program));
    for body in super::bodies(program) {
        hoist(&original, &uses, body);
    }
}

fn hoist(program: &Program, uses: &Uses, node: &mut Node) {
    for child in children_mut(node) {
        hoist(program, uses, child);
    }
    let NodeKind::Sequence(nodes) = &mut node.kind else { return };
    let is_choice = |node: &Node| matches!(&node.kind, NodeKind::Directions(several) if several.len() > 1);
    for index in 1..nodes.len() {
        if !is_choice(&nodes[index - 1]) || !can_move(program, uses, &nodes[index]) {
            continue;
        }
        let mut place = index;
        while place > 0 && is_choice(&nodes[place - 1]) {
            nodes.swap(place - 1, place);
            place -= 1;
        }
    }
}

fn can_move(program: &Program, uses: &Uses, node: &Node) -> bool {
    let used = uses.of_node(node);
    !used.reads && !used.changes && is_single(program, node)
}
