//! Moves as text, in two forms that both say what a move changes.
//!
//! The long form lists the changes: `e1 -> c1; a1 -> d1`, `a3 -> c5; empty field -> b4`,
//! `white mark -> b2`. The short form is the shortest of a few natural ones that no other legal move shares:
//! `e2e4`, `e7e8q`, `b2`. Both are understood wherever a move is read, and so is any part of a long form that
//! fits just one legal move.

use rustc_hash::FxHashMap;

use crate::geometry::{Field, NO_FIELD};
use crate::info::{GameInfo, PieceCode, PropertyKind};
use crate::moves::{Change, MoveList, MoveView};
use crate::outcome::Colour;

/// Why a text is no legal move.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MoveError {
    /// Nothing legal fits.
    #[error("`{text}` is no legal move here; legal are {examples}")]
    NotLegal {
        /// What was given.
        text: String,
        /// Some legal moves.
        examples: String,
    },
    /// More than one legal move fits.
    #[error("`{text}` could be {choices}: say which")]
    Ambiguous {
        /// What was given.
        text: String,
        /// The moves that fit.
        choices: String,
    },
}

/// What happened to the pieces in a move.
#[derive(Default)]
struct Pieces {
    moved: Vec<(Field, Field)>,
    promoted: Vec<(Field, Field, PieceCode)>,
    placed: Vec<(Field, PieceCode)>,
    converted: Vec<(Field, PieceCode)>,
    removed: Vec<Field>,
}

impl Pieces {
    fn new(info: &GameInfo, played: MoveView<'_>) -> Pieces {
        let fields = info.geometry.fields();
        let on_board = || played.changes.iter().filter(|change| change.slot() < fields);
        let code = |value: i32| PieceCode(value as u8);
        let mut lost: Vec<(Field, PieceCode)> =
            on_board().map(|change| (change.slot() as Field, code(change.old()))).collect();
        lost.retain(|(_, piece)| *piece != PieceCode::EMPTY);
        let mut pieces = Pieces::default();
        let mut fresh = Vec::new();
        for change in on_board().filter(|change| change.new() != 0) {
            let (to, piece) = (change.slot() as Field, code(change.new()));
            match lost.iter().position(|&(_, gone)| gone == piece) {
                Some(index) => pieces.moved.push((lost.remove(index).0, to)),
                None => fresh.push((to, piece, code(change.old()))),
            }
        }
        for (to, piece, before) in fresh {
            let colour = info.colour_of(piece);
            match lost.iter().position(|&(from, gone)| from != to && info.colour_of(gone) == colour) {
                Some(index) => pieces.promoted.push((lost.remove(index).0, to, piece)),
                None if before == PieceCode::EMPTY => pieces.placed.push((to, piece)),
                None => pieces.converted.push((to, piece)),
            }
        }
        let emptied =
            |field: Field| on_board().any(|change| change.slot() == field as usize && change.new() == 0);
        pieces.removed = lost.into_iter().map(|(field, _)| field).filter(|&field| emptied(field)).collect();
        pieces.moved.sort_by_key(|&(from, _)| from != played.head.lead);
        pieces.placed.sort_by_key(|&(to, _)| to != played.head.lead);
        pieces
    }
}

/// The long form: everything that happens to the pieces, and to the properties if that is all there is.
#[must_use]
pub fn long_form(info: &GameInfo, played: MoveView<'_>) -> String {
    let pieces = Pieces::new(info, played);
    let name = |field: Field| info.field_name(field);
    let mut parts = Vec::new();
    parts.extend(pieces.moved.iter().map(|&(from, to)| format!("{} -> {}", name(from), name(to))));
    for &(from, to, piece) in &pieces.promoted {
        parts.push(format!("{} -> {}", name(from), name(to)));
        parts.push(format!("{} -> {}", info.piece_in_words(piece), name(to)));
    }
    let fresh = pieces.placed.iter().chain(&pieces.converted);
    parts.extend(fresh.map(|&(to, piece)| format!("{} -> {}", info.piece_in_words(piece), name(to))));
    parts.extend(pieces.removed.iter().map(|&field| format!("empty field -> {}", name(field))));
    parts.extend(field_properties(info, played));
    if parts.is_empty() { "pass".to_owned() } else { parts.join("; ") }
}

fn field_properties(info: &GameInfo, played: MoveView<'_>) -> Vec<String> {
    played.changes.iter().filter_map(|&change| property_in_words(info, change, PropertyKind::Field)).collect()
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

/// The long form with every property that changes: no two different moves share it.
fn complete_form(info: &GameInfo, played: MoveView<'_>) -> String {
    let mut text = long_form(info, played);
    for kind in [PropertyKind::Board, PropertyKind::Player, PropertyKind::Move] {
        for part in played.changes.iter().filter_map(|&change| property_in_words(info, change, kind)) {
            text.push_str("; ");
            text.push_str(&part);
        }
    }
    if let Some(outcome) = played.head.outcome() {
        text.push_str(&format!("; {outcome}"));
    }
    text
}

/// Short forms that suit a move, best first.
fn candidates(info: &GameInfo, played: MoveView<'_>) -> Vec<String> {
    let pieces = Pieces::new(info, played);
    let name = |field: Field| info.field_name(field);
    let join = |sign: &str, fields: &[Field]| {
        fields.iter().map(|&field| format!("{sign}{}", name(field))).collect::<String>()
    };
    let mut forms = Vec::new();
    for &(from, to) in &pieces.moved {
        forms.push(name(from) + &name(to));
    }
    for &(from, to, piece) in &pieces.promoted {
        let letter = info.character(piece).to_lowercase();
        forms.push(name(from) + &name(to));
        forms.push(format!("{}{}{letter}", name(from), name(to)));
    }
    let placed: Vec<Field> = pieces.placed.iter().map(|&(to, _)| to).collect();
    if let ([(from, to), ..], false) = (&pieces.moved[..], placed.is_empty()) {
        forms.insert(0, name(*from) + &name(*to) + &join("/", &placed));
    }
    if pieces.moved.is_empty() && pieces.promoted.is_empty() {
        forms.extend(pieces.placed.first().map(|&(to, _)| name(to)));
        forms.extend(
            pieces.placed.iter().map(|&(to, piece)| format!("{}@{}", info.character(piece), name(to))),
        );
        forms.push(join("", &placed));
        let lead = played.head.lead;
        if lead != NO_FIELD && pieces.placed.is_empty() {
            forms.push(name(lead));
        }
    }
    if let (Some(first), false) = (forms.first().cloned(), pieces.removed.is_empty()) {
        forms.push(first + &join("x", &pieces.removed));
    }
    if !pieces.removed.is_empty() {
        forms.push(join("x", &pieces.removed));
    }
    if played.changes.iter().all(|change| change.slot() >= info.geometry.fields()) {
        let fields_change = !field_properties(info, played).is_empty();
        if !fields_change {
            forms.insert(0, "pass".to_owned());
        }
    }
    forms.push(long_form(info, played));
    forms.push(complete_form(info, played));
    forms.retain(|form| !form.is_empty());
    forms
}

/// The short form of every move in the list, in its order.
#[must_use]
pub fn short_forms(info: &GameInfo, moves: &MoveList) -> Vec<String> {
    let candidates: Vec<Vec<String>> = moves.iter().map(|played| candidates(info, played)).collect();
    let mut chosen: Vec<Option<String>> = vec![None; moves.len()];
    let longest = candidates.iter().map(Vec::len).max().unwrap_or(0);
    for rank in 0..longest {
        let mut users: FxHashMap<&str, usize> = FxHashMap::default();
        let mut count = |form| *users.entry(form).or_default() += 1;
        for (forms, done) in candidates.iter().zip(&chosen) {
            match done {
                Some(form) => count(form.as_str()),
                None => {
                    let mut open: Vec<&str> = forms.iter().take(rank + 1).map(String::as_str).collect();
                    open.sort_unstable();
                    open.dedup();
                    open.into_iter().for_each(&mut count);
                }
            }
        }
        let users: FxHashMap<String, usize> =
            users.into_iter().map(|(form, count)| (form.to_owned(), count)).collect();
        for (forms, done) in candidates.iter().zip(&mut chosen) {
            if done.is_none() {
                let unique = forms.iter().take(rank + 1).find(|form| users.get(*form) == Some(&1));
                *done = unique.cloned();
            }
        }
    }
    let last = |forms: &[String]| forms.last().cloned().unwrap_or_default();
    chosen.into_iter().zip(&candidates).map(|(form, forms)| form.unwrap_or_else(|| last(forms))).collect()
}

/// Finds the legal move that a text means; returns its index in the list.
///
/// # Errors
/// When no legal move fits, or several that differ.
pub fn find(info: &GameInfo, moves: &MoveList, text: &str) -> Result<usize, MoveError> {
    let text = text.trim();
    let forms = short_forms(info, moves);
    let wanted = plain(text);
    if let Some(index) = forms.iter().position(|form| form == text) {
        return Ok(index);
    }
    let all = || 0..moves.len();
    let named: Vec<usize> = all()
        .filter(|&index| candidates(info, moves.get(index)).iter().any(|form| plain(form) == wanted))
        .collect();
    let fitting = if named.is_empty() && (text.contains("->") || text.contains('=')) {
        all().filter(|&index| fits(info, moves.get(index), text)).collect()
    } else {
        named
    };
    let choices = || fitting.iter().take(8).map(|&index| forms[index].clone()).collect::<Vec<_>>().join(", ");
    match fitting[..] {
        [] => {
            let more = if forms.len() > 8 { ", …" } else { "" };
            let examples = forms.iter().take(8).cloned().collect::<Vec<_>>().join(", ") + more;
            let text = text.chars().take(60).collect();
            Err(MoveError::NotLegal { text, examples })
        }
        [only] => Ok(only),
        [first, ..] => {
            let exact = fitting.iter().find(|&&index| long_form(info, moves.get(index)) == text);
            let difference = |index: usize| moves.get(index).head.signature_difference;
            match exact {
                Some(&index) => Ok(index),
                None if fitting.iter().all(|&index| difference(index) == difference(first)) => Ok(first),
                None => Err(MoveError::Ambiguous { text: text.to_owned(), choices: choices() }),
            }
        }
    }
}

/// A form without the signs that people put between fields: `e2-e4` is `e2e4`.
fn plain(form: &str) -> String {
    form.chars().filter(|character| !matches!(character, '-' | 'x' | ':' | ' ' | '/')).collect()
}

/// Whether a list of changes, such as `e1 -> c1; empty field -> b4`, is true of a move.
fn fits(info: &GameInfo, played: MoveView<'_>, text: &str) -> bool {
    let mut parts = text.split(';').map(str::trim).filter(|part| !part.is_empty()).peekable();
    parts.peek().is_some() && parts.all(|part| part_fits(info, played, part))
}

fn part_fits(info: &GameInfo, played: MoveView<'_>, part: &str) -> bool {
    let complete = complete_form(info, played);
    if complete.split("; ").any(|own| own == part) {
        return true;
    }
    let Some((left, right)) = part.split_once("->") else { return false };
    let Some((to, "")) = info.parse_field(right.trim()) else { return false };
    let find = |field: Field| played.changes.iter().find(|change| change.slot() == field as usize);
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
