//! What becomes of a result that compiled code hands over: what it changes, and whether there is an equal one.

use std::hash::{Hash, Hasher};

use game::moves::MoveHead;
use game::{Change, Signature};

use super::{Call, read_i32};
use crate::layout::{FILTER_BITS, register};

pub(super) fn drop_newest_if_double(call: &mut Call<'_>) {
    let (heads, changes) = (&*call.heads, &*call.changes);
    let Some(newest) = heads.last() else { return };
    let fingerprint = |index: usize| {
        let head: &MoveHead = &heads[index];
        let changes = changes[head.range()].iter();
        changes.fold(head.signature_difference.0, |sum, change| sum.rotate_left(5) ^ change.word())
    };
    let same = |index: usize| {
        let other = &heads[index];
        other.signature_difference == newest.signature_difference
            && other.outcome() == newest.outcome()
            && changes[other.range()] == changes[newest.range()]
    };
    if let Some(double) = call.doubles.double_of_newest(heads.len(), fingerprint, same) {
        let (first, forcing) = (newest.range().start, newest.forcing());
        call.heads.pop();
        // One way that makes it forcing is enough.
        if forcing {
            call.heads[double] = call.heads[double].as_forcing();
        }
        call.changes.truncate(first);
    }
}

pub(super) fn drop_newest_child_if_double(call: &mut Call<'_>) {
    let record = call.code.layout.record;
    let Some(start) = call.children.len().checked_sub(record) else { return };
    let children = &*call.children;
    let child = |index: usize| &children[index * record..(index + 1) * record];
    let newest = &children[start..];
    let fingerprint = |index: usize| {
        let mut hasher = rustc_hash::FxHasher::default();
        child(index).hash(&mut hasher);
        hasher.finish()
    };
    let same = |index: usize| child(index) == newest;
    if call.doubles.double_of_newest(children.len() / record, fingerprint, same).is_some() {
        call.children.truncate(start);
    }
}

/// What differs between the board now and the position, and whether one of the opponent's pieces is no longer where it
/// was.
pub(super) fn changed_slots(
    call: &Call<'_>,
    context: &[u64],
    image: &[u64],
    changes: &mut Vec<Change>,
) -> (Signature, bool) {
    let turn = match call.info.players {
        2 => Signature::BLACK_TO_MOVE,
        _ => Signature::default(),
    };
    let (of_fields, captures) = changed_fields(call, context, image, changes);
    let of_properties = changed_properties(call, context, image, changes);
    (turn ^ of_fields ^ of_properties, captures)
}

/// Field by field: what differs, and whether a piece of the opponent is gone.
fn changed_fields(
    call: &Call<'_>,
    context: &[u64],
    image: &[u64],
    changes: &mut Vec<Change>,
) -> (Signature, bool) {
    let (layout, half) = (&call.code.layout, call.code.of(call.mover));
    let (mut difference, mut captures) = (0, false);
    let words = layout.fields.div_ceil(8);
    let before = &image[layout.mailbox / 8..][..words];
    let now = &context[call.code.context.work / 8..][..words];
    for (word, (&old, &new)) in before.iter().zip(now).enumerate() {
        let mut differing = old ^ new;
        while differing != 0 {
            let byte = differing.trailing_zeros() / 8;
            differing &= !(0xff << (8 * byte));
            let field = 8 * word + byte as usize;
            let code = |bytes: u64| usize::from((bytes >> (8 * byte)) as u8);
            let keys = &half.tables.field_keys[field * layout.codes..][..layout.codes];
            difference ^= keys[code(old)] ^ keys[code(new)];
            captures |= half.opponents >> code(old) & 1 != 0;
            changes.push(Change::new_value(field, code(old) as i32, code(new) as i32));
        }
    }
    (Signature(difference), captures)
}

/// Property by property: what differs, and the values of those that are no part of positions.
fn changed_properties(
    call: &Call<'_>,
    context: &[u64],
    image: &[u64],
    changes: &mut Vec<Change>,
) -> Signature {
    let (layout, info) = (&call.code.layout, call.info);
    let registers = &context[call.code.context.registers / 8..];
    let mut changed = Vec::new();
    let scalars = layout.scalars.iter().enumerate().filter(|(_, scalar)| scalar.stored);
    for (stored, (index, scalar)) in scalars.enumerate() {
        let new = registers[register::SCALARS + index] as i64;
        let old = read_i32(image, layout.scalar_base + 4 * stored);
        if i64::from(old) != new {
            changed.push((scalar.slot, old, new as i32));
        }
    }
    let properties = call.code.context.work + layout.mutable_field_properties();
    for (index, &property) in layout.field_properties.iter().enumerate() {
        for field in 0..layout.fields {
            let offset = 4 * (layout.fields * index + field);
            let old = read_i32(image, layout.field_property_base + offset);
            let new = read_i32(context, properties + offset);
            if old != new {
                changed.push((info.properties[property].slot + field, old, new));
            }
        }
    }
    changed.sort_unstable_by_key(|&(slot, ..)| slot);
    let mut difference = Signature::default();
    for (slot, old, new) in changed {
        difference ^= info.key(slot, old) ^ info.key(slot, new);
        changes.push(Change::new_value(slot, old, new));
    }
    for (index, scalar) in layout.scalars.iter().enumerate().filter(|(_, scalar)| !scalar.stored) {
        let new = registers[register::SCALARS + index] as i64;
        if new != info.properties[scalar.property].low {
            changes.push(Change::tag(scalar.slot, new));
        }
    }
    difference
}

/// Marks a result in the filter; true if there may be an equal one.
pub(super) fn seen_before(call: &Call<'_>, context: &mut [u64], difference: Signature) -> bool {
    let place = difference.0 as usize % FILTER_BITS;
    let word = &mut context[call.code.context.filter / 8 + place / 64];
    let seen = *word >> (place % 64) & 1 != 0;
    *word |= 1 << (place % 64);
    seen
}
