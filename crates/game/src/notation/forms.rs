//! The forms in which one move can be written, whatever the other moves are.

use super::deed::Deed;
use super::explosion::vanishing_point;
use crate::fen::PositionNotation;
use crate::geometry::{Field, NO_FIELD};
use crate::info::{GameInfo, PieceCode, PropertyKind};
use crate::moves::{Change, MoveView};
use crate::outcome::Colour;
use crate::position::Position;

/// The long form: everything that happens to the pieces and to the properties of fields.
#[must_use]
pub fn long_form(info: &GameInfo, played: MoveView<'_>) -> String {
    let deed = Deed::new(info, played);
    let name = |field: Field| info.field_name(field);
    let mut parts = Vec::new();
    for &(from, to, piece) in &deed.promoted {
        parts.push(format!("{} -> {}", name(from), name(to)));
        parts.push(format!("{} -> {}", info.piece_in_words(piece), name(to)));
    }
    parts.extend(deed.moved.iter().map(|&(from, to)| format!("{} -> {}", name(from), name(to))));
    let fresh = deed.placed.iter().chain(&deed.converted);
    parts.extend(fresh.map(|&(to, piece)| format!("{} -> {}", info.piece_in_words(piece), name(to))));
    parts.extend(deed.removed.iter().map(|&field| format!("empty field -> {}", name(field))));
    parts.extend(properties(info, played, PropertyKind::Field));
    if parts.is_empty() { super::PASS.to_owned() } else { parts.join("; ") }
}

/// The long form with every property that changes: no two different moves share it.
pub(super) fn complete_form(info: &GameInfo, played: MoveView<'_>) -> String {
    let mut text = long_form(info, played);
    for kind in [PropertyKind::Board, PropertyKind::Player, PropertyKind::Move] {
        for part in properties(info, played, kind) {
            text.push_str("; ");
            text.push_str(&part);
        }
    }
    if let Some(outcome) = played.head.outcome() {
        text.push_str(&format!("; {outcome}"));
    }
    text
}

/// What becomes of the properties of a kind.
fn properties<'run>(
    info: &'run GameInfo,
    played: MoveView<'run>,
    kind: PropertyKind,
) -> impl Iterator<Item = String> + 'run {
    let fields = info.geometry.fields();
    let behind = played.changes.iter().skip_while(move |change| change.slot() < fields);
    behind.filter_map(move |&change| property_in_words(info, change, kind))
}

/// `stones c1 = 4`, `white score = 3`, `passed = 1`.
fn property_in_words(info: &GameInfo, change: Change, kind: PropertyKind) -> Option<String> {
    let property = info.property_of_slot(change.slot()).filter(|property| property.kind == kind)?;
    let (name, index) = (&property.name, change.slot() - property.slot);
    Some(match kind {
        PropertyKind::Board => format!("{name} = {}", change.new()),
        PropertyKind::Player => format!("{} {name} = {}", Colour::BOTH[index], change.new()),
        PropertyKind::Field => format!("{name} {} = {}", info.field_name(index as Field), change.new()),
        PropertyKind::Move => format!("{name} = {}", change.tag_value()),
    })
}

/// The letter of a piece in the name of a move, the same for both players.
fn letter(info: &GameInfo, code: PieceCode) -> char {
    info.piece(code).map_or('?', |(kind, _)| kind.characters[0])
}

/// The best short form of a move.
pub(super) fn best(info: &GameInfo, position: &Position, played: MoveView<'_>) -> String {
    let deed = Deed::new(info, played);
    let exploded = || Some((played.head.lead, vanishing_point(info, position, played)?));
    if let Some((from, to)) = way(&deed).or_else(exploded) {
        return info.field_name(from)
            + &info.field_name(to)
            + &joined(info, "/", deed.placed.iter().map(|placed| placed.0));
    }
    if let Some(&(to, _)) = deed.placed.first() {
        return info.field_name(to);
    }
    let on_board = played.changes.iter().any(|change| change.slot() < info.geometry.fields());
    if !on_board && properties(info, played, PropertyKind::Field).next().is_none() {
        return super::PASS.to_owned();
    }
    match played.head.lead {
        NO_FIELD => joined(info, "x", deed.removed.iter().copied()),
        lead => info.field_name(lead),
    }
}

/// From where to where the piece goes that the move is about.
fn way(deed: &Deed) -> Option<(Field, Field)> {
    let promoted = deed.promoted.first().map(|&(from, to, _)| (from, to));
    deed.moved.first().copied().or(promoted)
}

fn joined(info: &GameInfo, sign: &str, fields: impl Iterator<Item = Field>) -> String {
    fields.map(|field| sign.to_owned() + &info.field_name(field)).collect()
}

/// Other forms that suit a move, better ones first. The last one no other move has.
pub(super) fn others(info: &GameInfo, position: &Position, played: MoveView<'_>) -> Vec<String> {
    let deed = Deed::new(info, played);
    let name = |field: Field| info.field_name(field);
    let best = best(info, position, played);
    let mut forms = Vec::new();
    for &(from, to, piece) in &deed.promoted {
        forms.push(format!("{}{}{}", name(from), name(to), letter(info, piece).to_lowercase()));
    }
    if way(&deed).is_none() {
        forms.extend(deed.placed.iter().map(|&(to, piece)| format!("{}@{}", letter(info, piece), name(to))));
        forms.push(joined(info, "", deed.placed.iter().map(|placed| placed.0)));
    }
    if !deed.removed.is_empty() {
        let removed = joined(info, "x", deed.removed.iter().copied());
        forms.extend((way(&deed).is_some() || !deed.placed.is_empty()).then(|| best + &removed));
        forms.push(removed);
    }
    forms.extend(deed.moved.iter().skip(1).map(|&(from, to)| name(from) + &name(to)));
    forms.push(long_form(info, played));
    forms.push(complete_form(info, played));
    forms.retain(|form| !form.is_empty());
    forms
}

/// Whether a text such as `11-15` or `22x15x8` says where a piece goes in the numbers of draughts players.
pub(super) fn is_numbered(info: &GameInfo, played: MoveView<'_>, text: &str) -> bool {
    if !matches!(info.notation, PositionNotation::Draughts { .. }) {
        return false;
    }
    let numbers: Option<Vec<usize>> = text.split(['-', 'x', ':']).map(|part| part.parse().ok()).collect();
    let place = |number: usize| {
        let mut used = info.geometry.reading_order().filter(|&field| info.geometry.is_used(field));
        used.nth(number.checked_sub(1)?)
    };
    let (Some(&[from, .., to]), Some(way)) = (numbers.as_deref(), way(&Deed::new(info, played))) else {
        return false;
    };
    place(from) == Some(way.0) && place(to) == Some(way.1)
}

/// Whether a list of changes, such as `e1 -> c1; empty field -> b4`, is true of a move.
pub(super) fn is_true(info: &GameInfo, played: MoveView<'_>, text: &str) -> bool {
    let mut parts = text.split(';').map(str::trim).filter(|part| !part.is_empty()).peekable();
    if parts.peek().is_none() {
        return false;
    }
    let complete = complete_form(info, played);
    parts.all(|part| complete.split("; ").any(|own| own == part) || part_is_true(info, played, part))
}

fn part_is_true(info: &GameInfo, played: MoveView<'_>, part: &str) -> bool {
    let Some((left, right)) = part.split_once("->") else { return false };
    let Some((to, "")) = info.parse_field(right.trim()) else { return false };
    let find = |field: Field| played.changes.iter().find(|change| change.slot() == usize::from(field));
    let Some(arrival) = find(to) else { return false };
    match info.parse_field(left.trim()) {
        Some((from, "")) => find(from).is_some_and(|departure| {
            let colour = |value: i32| info.colour_of(PieceCode(value as u8));
            departure.old() != 0 && arrival.new() != 0 && colour(departure.old()) == colour(arrival.new())
        }),
        _ => {
            let words = info.piece_in_words(PieceCode(arrival.new() as u8));
            words == left.trim() || words.split_once(' ').is_some_and(|(_, piece)| piece == left.trim())
        }
    }
}
