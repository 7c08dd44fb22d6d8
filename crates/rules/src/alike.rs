//! Whether the rules are the same for both players: whatever one may do, the other may do too when the colours are
//! exchanged, and the board is rotated where black sees it so. Only what the rules allow counts, not what the
//! evaluation thinks of it.

use game::PieceCode;

use crate::ir::{ExpressionKind, NodeKind, Owner, PieceSet, Program, Sight};
use crate::walk;

/// Whether nothing in the rules tells white from black. False may also mean that it is not known.
#[must_use]
pub fn players_are_alike(program: &Program) -> bool {
    let mut alike = program.info.players == 2;
    let set = |set: &PieceSet| set.codes[1] == swapped(program, set.codes[0]);
    for function in reachable(program) {
        let body = &program.functions[function].body;
        walk::for_each_node(body, &mut |node| {
            alike &= match &node.kind {
                NodeKind::Find(pieces) | NodeKind::PointsAt(pieces) => set(pieces),
                NodeKind::Replace([white, black]) => black.bit() == swapped(program, white.bit()),
                NodeKind::Match(sets) => sets.iter().all(set),
                NodeKind::ToMove(_) => false,
                // Passes make these of what is looked at above; before passes there are none.
                NodeKind::OnFields(_) | NodeKind::Sees(Sight::Reach { .. }) => false,
                NodeKind::Sees(Sight::Over { over, set: seen, .. }) => set(over) && set(seen),
                // All fields are named as white sees them.
                NodeKind::Cycle(_) => program.info.sides != 2,
                NodeKind::PickUp
                | NodeKind::PutDown
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
                | NodeKind::Assert(_)
                | NodeKind::Assign(_)
                | NodeKind::Irreversible
                | NodeKind::Forcing(_)
                | NodeKind::Ending(_)
                | NodeKind::Score(_)
                | NodeKind::Most(..)
                | NodeKind::Sequence(_)
                | NodeKind::Call(_) => true,
            };
        });
        walk::for_each_expression(body, &mut |expression| match &expression.kind {
            ExpressionKind::Variable(variable)
            | ExpressionKind::Assign(_, variable, _)
            | ExpressionKind::Step { variable, .. } => {
                alike &= !matches!(variable.owner, Owner::White | Owner::Black);
            }
            ExpressionKind::NumberOf(pieces) => alike &= set(pieces),
            _ => {}
        });
    }
    alike
}

/// The rules that moves are made of.
fn reachable(program: &Program) -> Vec<usize> {
    let mut seen = vec![false; program.functions.len()];
    let (mut open, mut found) = (vec![program.main], Vec::new());
    while let Some(function) = open.pop() {
        if std::mem::replace(&mut seen[function], true) {
            continue;
        }
        found.push(function);
        walk::for_each_node(&program.functions[function].body, &mut |node| {
            if let NodeKind::Call(called) = node.kind {
                open.push(called);
            }
        });
    }
    found
}

/// The same pieces of the other player.
fn swapped(program: &Program, codes: u128) -> u128 {
    let of = |code: u8| match program.info.piece(PieceCode(code)) {
        Some((piece, Some(colour))) => piece.codes[colour.opponent().index()],
        _ => PieceCode(code),
    };
    let members = (0..128).filter(|code| codes >> code & 1 != 0);
    members.fold(0, |set, code| set | of(code).bit())
}
