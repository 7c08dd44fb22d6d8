//! From a state that `main` yields to a move: what has changed since the position.

use game::geometry::NO_FIELD;
use game::moves::MoveHead;
use game::{Change, MoveList, PieceCode, Signature};
use lang::Span;
use rustc_hash::FxHashMap;

use super::machine::{Flow, Machine};

/// Collects moves, each once.
pub(super) struct Results<'list> {
    moves: &'list mut MoveList,
    /// Fingerprints of the moves so far, each with its first move: a new one cannot be a double.
    seen: FxHashMap<u64, usize>,
    count: usize,
    /// What the moves change together.
    changes: usize,
}

impl<'list> Results<'list> {
    pub(super) fn new(moves: &'list mut MoveList) -> Results<'list> {
        Results { moves, seen: FxHashMap::default(), count: 0, changes: 0 }
    }

    /// Adds the machine's state as a move unless it is there already.
    pub(super) fn add(&mut self, machine: &mut Machine<'_>, span: Span) -> Flow {
        self.count += 1;
        let room = machine.program.room;
        if self.count > room.results {
            return machine.fault(span, room.too_many_results());
        }
        let changes = changes(machine);
        self.changes += changes.len();
        if self.changes > room.changes {
            return machine.fault(span, room.too_many_changes());
        }
        let changed = changes.len();
        let head = head(machine, &changes);
        let tags = changes.iter().fold(0_u64, |sum, change| sum.rotate_left(5) ^ change.word());
        let last = self.moves.len();
        self.moves.push(head, changes);
        let first = *self.seen.entry(head.signature_difference.0 ^ tags).or_insert(last);
        let double = match first != last {
            true if self.moves.get(first).same_as(self.moves.get(last)) => Some(first),
            true => self.moves.double_of_last(),
            false => None,
        };
        if let Some(double) = double {
            self.moves.drop_double(double);
            self.changes -= changed;
        }
        Ok(())
    }
}

/// Every slot whose value differs from that of the position, in slot order.
fn changes(machine: &Machine<'_>) -> Vec<Change> {
    let stored = machine.info().stored_slots();
    let slots = machine.start.iter().zip(&machine.slots).enumerate();
    slots
        .filter(|(_, (old, new))| old != new)
        .map(|(slot, (&old, &new))| match slot < stored {
            true => Change::new_value(slot, old as i32, new as i32),
            false => Change::tag(slot, new),
        })
        .collect()
}

fn head(machine: &Machine<'_>, changes: &[Change]) -> MoveHead {
    let info = machine.info();
    let (fields, stored) = (info.geometry.fields(), info.stored_slots());
    let mut signature_difference =
        if info.players == 2 { Signature::BLACK_TO_MOVE } else { Signature::default() };
    let mut captures = false;
    for change in changes.iter().filter(|change| change.slot() < stored) {
        signature_difference ^= info.key(change.slot(), change.old()) ^ info.key(change.slot(), change.new());
        let taken = change.slot() < fields && change.old() != 0;
        captures |= taken && info.colour_of(PieceCode(change.old() as u8)) == Some(machine.mover.opponent());
    }
    MoveHead::new(signature_difference)
        .with_outcome(machine.registers.outcome)
        .with_marks(machine.registers.irreversible, machine.registers.forcing.unwrap_or(captures))
        .with_lead(machine.registers.lead.unwrap_or(NO_FIELD))
}
