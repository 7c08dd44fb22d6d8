//! How a person says a move at a board: by the fields that are pointed at one after the other, and by a piece where
//! there is a choice. It follows from what the move changes. Front ends offer the next field of those moves that begin
//! with what was pointed at so far.

use std::collections::HashMap;

use game::geometry::NO_FIELD;
use game::{Field, GameInfo, MoveView, PieceCode, PropertyKind};

/// Fields in the order in which they are pointed at.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Gesture {
    /// From where to where, then what else happens.
    pub(crate) path: Vec<Field>,
    /// The piece that is put, or that a piece becomes.
    pub(crate) piece: Option<u8>,
    /// Whether a piece goes somewhere: then the target is pointed at even if there is only one.
    pub(crate) goes: bool,
}

/// A field and what was and is there.
struct Step {
    field: Field,
    old: PieceCode,
    new: PieceCode,
}

/// The gesture of a move.
pub(crate) fn gesture(info: &GameInfo, played: MoveView<'_>) -> Gesture {
    let fields = info.geometry.fields();
    let on_board = played.changes.iter().filter(|change| change.slot() < fields);
    let code = |value: i32| PieceCode(value as u8);
    let mut steps: Vec<Step> = on_board
        .map(|change| Step {
            field: change.slot() as Field,
            old: code(change.old()),
            new: code(change.new()),
        })
        .collect();
    steps.sort_by_key(|step| step.field != played.head.lead);
    if steps.is_empty() {
        return counting(info, played);
    }
    if let Some(gesture) = going(info, &steps) {
        return gesture;
    }
    if let [first, ..] = &steps[..]
        && first.field == played.head.lead
        && first.new != PieceCode::EMPTY
        && first.old != PieceCode::EMPTY
    {
        // Something turns into something else where it stands: the rest follows from it.
        return Gesture { path: vec![first.field], ..Gesture::default() };
    }
    placing(&steps)
}

/// A piece goes somewhere; what else appears comes next, then what vanishes.
fn going(info: &GameInfo, steps: &[Step]) -> Option<Gesture> {
    let left = |step: &&Step| step.old != PieceCode::EMPTY && step.old != step.new;
    let arrived = |step: &&Step| step.new != PieceCode::EMPTY;
    let sources = || steps.iter().filter(left);
    let same = sources().find_map(|from| {
        let to = steps.iter().filter(arrived).find(|to| to.field != from.field && to.new == from.old)?;
        Some((from, to, None))
    });
    let become_other = || {
        sources().filter(|from| from.new == PieceCode::EMPTY).find_map(|from| {
            let colour = info.colour_of(from.old);
            let to = steps
                .iter()
                .filter(arrived)
                .find(|to| to.field != from.field && info.colour_of(to.new) == colour && to.old != to.new)?;
            Some((from, to, Some(to.new.0)))
        })
    };
    let (from, to, piece) = same.or_else(become_other)?;
    let mut path = vec![from.field, to.field];
    let others = || steps.iter().filter(|step| step.field != from.field && step.field != to.field);
    let came_from = |step: &&Step| !others().any(|other| other.old == step.new);
    path.extend(
        others().filter(|step| step.old == PieceCode::EMPTY).filter(came_from).map(|step| step.field),
    );
    path.extend(others().filter(|step| step.new == PieceCode::EMPTY).map(|step| step.field));
    Some(Gesture { path, piece, goes: true })
}

/// Pieces appear or vanish, and none goes anywhere.
fn placing(steps: &[Step]) -> Gesture {
    let placed = || steps.iter().filter(|step| step.old == PieceCode::EMPTY);
    let mut path: Vec<Field> = placed().map(|step| step.field).collect();
    path.extend(steps.iter().filter(|step| step.new == PieceCode::EMPTY).map(|step| step.field));
    if path.is_empty() {
        path.extend(steps.first().map(|step| step.field));
    }
    Gesture { path, piece: placed().next().map(|step| step.new.0), goes: false }
}

/// Only numbers change: the field that the rules touched first, or one that loses something.
fn counting(info: &GameInfo, played: MoveView<'_>) -> Gesture {
    let lead = played.head.lead;
    if lead != NO_FIELD {
        return Gesture { path: vec![lead], ..Gesture::default() };
    }
    let loses = played.changes.iter().find_map(|change| {
        let property = info.property_of_slot(change.slot())?;
        let on_field = property.kind == PropertyKind::Field && change.new() < change.old();
        on_field.then(|| (change.slot() - property.slot) as Field)
    });
    Gesture { path: loses.into_iter().collect(), ..Gesture::default() }
}

/// Leaves away what need not be pointed at: where only one move begins so, the rest of it follows.
pub(crate) fn shorten(gestures: &mut [Gesture]) {
    let lengths = lengths_needed(gestures);
    gestures.iter_mut().zip(lengths).for_each(|(gesture, length)| gesture.path.truncate(length));
}

fn lengths_needed(gestures: &[Gesture]) -> Vec<usize> {
    let mut users: HashMap<&[Field], usize> = HashMap::new();
    for gesture in gestures {
        (1..=gesture.path.len()).for_each(|length| *users.entry(&gesture.path[..length]).or_default() += 1);
    }
    let needed = |gesture: &Gesture| {
        let least = if gesture.goes { 2 } else { 1 };
        let alone = |length: &usize| users.get(&gesture.path[..*length]) == Some(&1);
        (least..=gesture.path.len()).find(alone).unwrap_or(gesture.path.len())
    };
    gestures.iter().map(needed).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_tells_moves_apart_is_pointed_at() {
        let gesture = |path: &[Field], goes| Gesture { path: path.to_vec(), piece: None, goes };
        let mut all = [
            gesture(&[1, 2, 3], false),
            gesture(&[4, 5], false),
            gesture(&[4, 6], false),
            gesture(&[7, 8, 9], true),
            gesture(&[], false),
        ];
        shorten(&mut all);
        let paths = all.map(|gesture| gesture.path);
        assert_eq!(paths, [vec![1], vec![4, 5], vec![4, 6], vec![7, 8], vec![]]);
    }
}
