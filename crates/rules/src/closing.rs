//! The test that closes moves, as `not [ find own king, attacked ]` does in chess: who would fail it without a move
//! is in danger of what the rules forbid, which chess players call check.

use game::{Colour, PieceCode};

use crate::ir::{Node, NodeKind, Program};
use crate::walk;

/// What must not succeed after a move, for who has moved: the first `not` behind something that changes the board, if
/// it looks for pieces of the mover first.
pub(crate) fn closing_test(program: &Program) -> Option<&Node> {
    let mut seen = vec![false; program.functions.len()];
    seen[program.main] = true;
    in_statement(program, &program.functions[program.main].body, &mut seen)
}

fn in_statement<'program>(
    program: &'program Program,
    node: &'program Node,
    seen: &mut [bool],
) -> Option<&'program Node> {
    match &node.kind {
        NodeKind::Sequence(nodes) => {
            let mut has_changed = false;
            for node in nodes {
                if let NodeKind::Not(body) = &node.kind
                    && has_changed
                    && finds_own_piece(program, body)
                {
                    return Some(body);
                }
                if let Some(test) = in_statement(program, node, seen) {
                    return Some(test);
                }
                has_changed = has_changed || changes_board(program, node, &mut Vec::new());
            }
            None
        }
        NodeKind::Either(nodes) => nodes.iter().find_map(|node| in_statement(program, node, seen)),
        NodeKind::Try(first, second) => {
            in_statement(program, first, seen).or_else(|| in_statement(program, second, seen))
        }
        NodeKind::Call(rule) if !std::mem::replace(&mut seen[*rule], true) => {
            in_statement(program, &program.functions[*rule].body, seen)
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
        | NodeKind::Test(_)
        | NodeKind::Not(_)
        | NodeKind::Repeat { .. }
        | NodeKind::While(..)
        | NodeKind::DoWhile(..)
        | NodeKind::Branch { .. }
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
        | NodeKind::Most(..)
        | NodeKind::Cycle(_)
        | NodeKind::Call(_) => None,
    }
}

/// Whether a statement or a rule that it calls writes a field.
fn changes_board(program: &Program, node: &Node, seen: &mut Vec<usize>) -> bool {
    let mut found = false;
    walk::for_each_node(node, &mut |node| match &node.kind {
        NodeKind::Replace(_) | NodeKind::PickUp | NodeKind::PutDown | NodeKind::Cycle(_) => found = true,
        NodeKind::Call(rule) if !found && !seen.contains(rule) => {
            seen.push(*rule);
            found = changes_board(program, &program.functions[*rule].body, seen);
        }
        NodeKind::Find(_)
        | NodeKind::PointsAt(_)
        | NodeKind::Step { .. }
        | NodeKind::Directions(_)
        | NodeKind::Turn(_)
        | NodeKind::MoveTo(..)
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
        | NodeKind::Assign(_)
        | NodeKind::Match(_)
        | NodeKind::ToMove(_)
        | NodeKind::Irreversible
        | NodeKind::Forcing(_)
        | NodeKind::Ending(_)
        | NodeKind::Score(_)
        | NodeKind::Most(..)
        | NodeKind::Sequence(_)
        | NodeKind::Call(_) => {}
    });
    found
}

/// Whether a statement begins with `find` of pieces that are the mover's.
fn finds_own_piece(program: &Program, node: &Node) -> bool {
    match &node.kind {
        NodeKind::Sequence(nodes) => nodes.first().is_some_and(|first| finds_own_piece(program, first)),
        NodeKind::Find(set) => Colour::BOTH.into_iter().all(|mover| {
            (0..PieceCode::COUNT_MAX as u8)
                .map(PieceCode)
                .filter(|&code| set.contains(mover, code))
                .all(|code| program.info.colour_of(code) == Some(mover))
        }),
        _ => false,
    }
}
