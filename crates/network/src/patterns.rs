//! Patterns: small groups of fields, lines and squares, whose contents together are one index into a table of
//! weights. A piece on a field says little where whole edges and corners count, as in Othello; a pattern sees them at
//! a glance.
//!
//! Each field of a pattern is empty, the mover's, the opponent's or neutral, in the mover's view. Patterns that a
//! symmetry of the rules brings to lie on each other share their table. All of it follows from the rules.

use std::collections::HashSet;

use game::{Colour, Field, GameInfo, PieceCode, Symmetry};

use crate::inputs::BlackView;

/// No table of a pattern is larger.
const TABLE_MAX: usize = 60_000;
/// No more entries in all: at three phases that is less than a megabyte.
const ENTRIES_MAX: usize = 160_000;
/// Shorter lines say nothing that squares do not.
const LINE_MIN: usize = 4;
/// Longer lines are cut.
const LINE_MAX: usize = 8;
/// A square has no more fields that pieces stand on.
const SQUARE_MAX: usize = 9;

/// The patterns of a game.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Patterns {
    /// What a field can hold, as patterns see it.
    values: usize,
    /// Entries of all tables together.
    entries: usize,
    /// Whether each player has tables of their own, because the rules differ.
    separate: bool,
    places: Vec<Place>,
    /// By view and slot: in which patterns it is, and what its value is multiplied by there.
    members: [Vec<Vec<(u16, u32)>>; 2],
    /// By view and code: the value as patterns see it.
    digits: [Vec<u8>; 2],
}

/// Where a pattern lies.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Place {
    /// Where its table begins.
    first: usize,
    /// By view: its slots, of which the first counts least.
    slots: [Vec<usize>; 2],
}

impl Patterns {
    /// The patterns of a game; `alike` says whether the rules are the same for both players.
    #[must_use]
    pub fn new(info: &GameInfo, alike: bool, symmetries: &[Symmetry]) -> Patterns {
        let has_neutral = info.pieces.iter().any(|piece| piece.codes[0] == piece.codes[1]);
        let mut patterns =
            Patterns { values: 3 + usize::from(has_neutral), separate: !alike, ..Patterns::default() };
        let room = if alike { ENTRIES_MAX } else { ENTRIES_MAX / 2 };
        let board = Board::new(info);
        for family in [board.lines(), board.squares(), board.edges()] {
            patterns.add(info, family, symmetries, room);
        }
        patterns.digits = Colour::BOTH.map(|view| digits(info, view));
        let fields = info.geometry.fields();
        patterns.members = Colour::BOTH.map(|view| {
            let mut members = vec![Vec::new(); fields];
            for (number, place) in patterns.places.iter().enumerate() {
                let mut power = 1;
                for &slot in &place.slots[view.index()] {
                    members[slot].push((number as u16, power));
                    power *= patterns.values as u32;
                }
            }
            members
        });
        patterns
    }

    /// Adds a family of patterns, which symmetries bring to lie on each other; if there is room, or none of it.
    fn add(&mut self, info: &GameInfo, family: Vec<Vec<Field>>, symmetries: &[Symmetry], room: usize) {
        let (mut entries, mut places, black) = (self.entries, Vec::new(), BlackView::new(info));
        let mut known = HashSet::new();
        for fields in family {
            let table = self.values.saturating_pow(fields.len() as u32);
            if fields.is_empty() || table > TABLE_MAX || known.contains(&sorted(&fields)) {
                continue;
            }
            let images = symmetries.iter().map(|symmetry| {
                fields.iter().map(|&field| symmetry.slot(field as usize) as Field).collect::<Vec<_>>()
            });
            for fields in std::iter::once(fields.clone()).chain(images) {
                if known.insert(sorted(&fields)) {
                    let slots = fields.iter().map(|&field| usize::from(field));
                    let turned = slots.clone().map(|field| black.field(info, field));
                    places.push(Place { first: entries, slots: [slots.collect(), turned.collect()] });
                }
            }
            entries += table;
        }
        if entries <= room && self.places.len() + places.len() <= usize::from(u16::MAX) {
            self.entries = entries;
            self.places.append(&mut places);
        }
    }

    /// Entries of the tables, for one phase.
    #[must_use]
    pub fn entries(&self) -> usize {
        if self.separate { 2 * self.entries } else { self.entries }
    }

    /// How many patterns lie on the board.
    #[must_use]
    pub fn count(&self) -> usize {
        self.places.len()
    }

    /// What a field can hold, as patterns see it.
    #[must_use]
    pub fn values(&self) -> usize {
        self.values
    }

    /// Where the table of a pattern begins in a view, and its slots there, of which the first counts least.
    pub(crate) fn place(&self, number: usize, view: Colour) -> (usize, &[usize]) {
        let place = &self.places[number];
        (place.first + self.begin(view), &place.slots[view.index()])
    }

    /// Where the tables of a view begin.
    fn begin(&self, view: Colour) -> usize {
        if self.separate { view.index() * self.entries } else { 0 }
    }

    /// How a view sees a code.
    #[must_use]
    #[inline]
    pub fn digit(&self, view: Colour, code: usize) -> u8 {
        self.digits[view.index()].get(code).copied().unwrap_or(0)
    }

    /// The indices of an empty board, for a view.
    pub(crate) fn empty(&self, view: Colour) -> impl Iterator<Item = u32> {
        self.places.iter().map(move |place| (place.first + self.begin(view)) as u32)
    }

    /// Changes the indices of a view by what changes in a slot.
    #[inline]
    pub(crate) fn change(&self, view: Colour, indices: &mut [u32], slot: usize, old: usize, new: usize) {
        let [old, new] = [old, new].map(|code| u32::from(self.digit(view, code)));
        let difference = new.wrapping_sub(old);
        let Some(members) = self.members[view.index()].get(slot) else { return };
        for &(place, power) in members {
            let index = &mut indices[usize::from(place)];
            *index = index.wrapping_add(power.wrapping_mul(difference));
        }
    }

    /// The entries of a position that is given by steps, in a view.
    pub fn active(&self, steps: &[u8], view: Colour, into: &mut Vec<u32>) {
        into.clear();
        into.extend(self.empty(view));
        for (slot, &step) in steps.iter().enumerate().take(self.members[0].len()) {
            if step > 0 {
                self.change(view, into, slot, 0, usize::from(step));
            }
        }
    }
}

fn sorted(fields: &[Field]) -> Vec<Field> {
    let mut fields = fields.to_vec();
    fields.sort_unstable();
    fields
}

/// How a view sees codes: 0 for nothing, 1 for its own, 2 for the opponent's, 3 for neutral ones.
fn digits(info: &GameInfo, view: Colour) -> Vec<u8> {
    let last = info.pieces.iter().flat_map(|piece| piece.codes).map(|code| code.0).max().unwrap_or(0);
    let digit = |code: u8| match info.piece(PieceCode(code)) {
        None => 0,
        Some((_, Some(owner))) => 1 + u8::from(owner != view),
        Some((_, None)) => 3,
    };
    (0..=last).map(digit).collect()
}

/// The fields that pieces stand on.
struct Board {
    columns: usize,
    rows: usize,
    stands: Vec<bool>,
}

impl Board {
    fn new(info: &GameInfo) -> Board {
        let geometry = &info.geometry;
        let (columns, rows) = (geometry.columns(), geometry.rows());
        let parity = |field: usize| (field % columns + field / columns) % 2;
        let start = info.start.as_ref().map_or(&[][..], |start| start.fields());
        let occupied: Vec<usize> =
            (0..start.len()).filter(|&field| geometry.is_used(field as Field) && start[field] != 0).collect();
        // Draughtsmen stay on fields of one colour.
        let is_one =
            |wanted: usize| occupied.len() > 8 && occupied.iter().all(|&field| parity(field) == wanted);
        let wanted = [0, 1].into_iter().find(|&wanted| is_one(wanted));
        let stands = |field: usize| {
            geometry.is_used(field as Field) && wanted.is_none_or(|wanted| parity(field) == wanted)
        };
        Board { columns, rows, stands: (0..geometry.fields()).map(stands).collect() }
    }

    /// The fields of a list of columns and rows that pieces stand on.
    fn fields(&self, places: impl Iterator<Item = (usize, usize)>) -> Vec<Field> {
        let field = |(column, row): (usize, usize)| row * self.columns + column;
        places.map(field).filter(|&field| self.stands[field]).map(|field| field as Field).collect()
    }

    /// Squares all over the board, two steps apart, from the corners to the middle.
    fn squares(&self) -> Vec<Vec<Field>> {
        let at = |side: usize, column: usize, row: usize| {
            self.fields((0..side * side).map(|place| (column + place % side, row + place / side)))
        };
        let offsets = |length: usize, side: usize| {
            let last = length - side;
            (0..=last).filter(move |offset| {
                if 2 * offset <= last { offset.is_multiple_of(2) } else { (last - offset).is_multiple_of(2) }
            })
        };
        let all = |side: usize| -> Vec<Vec<Field>> {
            let rows = offsets(self.rows, side);
            rows.flat_map(|row| offsets(self.columns, side).map(move |column| at(side, column, row)))
                .collect()
        };
        let fits = |squares: &[Vec<Field>]| squares.iter().all(|fields| fields.len() <= SQUARE_MAX);
        [4, 3]
            .into_iter()
            .filter(|&side| side < self.columns && side < self.rows)
            .map(all)
            .find(|squares| fits(squares))
            .unwrap_or_default()
    }

    /// Rows, columns and diagonals; long ones as their beginning and their end.
    fn lines(&self) -> Vec<Vec<Field>> {
        let (columns, rows) = (self.columns as isize, self.rows as isize);
        let mut lines = Vec::new();
        let along = |mut column: isize, mut row: isize, (right, up): (isize, isize)| {
            let mut places = Vec::new();
            while (0..columns).contains(&column) && (0..rows).contains(&row) {
                places.push((column as usize, row as usize));
                column += right;
                row += up;
            }
            self.fields(places.into_iter())
        };
        lines.extend((0..rows).map(|row| along(0, row, (1, 0))));
        lines.extend((0..columns).map(|column| along(column, 0, (0, 1))));
        for right in [1, -1] {
            let edge = if right == 1 { 0 } else { columns - 1 };
            lines.extend((0..columns).map(|column| along(column, 0, (right, 1))));
            lines.extend((1..rows).map(|row| along(edge, row, (right, 1))));
        }
        let cut = |line: Vec<Field>| match line.len() {
            0..LINE_MIN => Vec::new(),
            LINE_MIN..=LINE_MAX => vec![line],
            length => vec![line[..LINE_MAX].to_vec(), line[length - LINE_MAX..].to_vec()],
        };
        lines.into_iter().flat_map(cut).collect()
    }

    /// Edges with the two fields before their ends.
    fn edges(&self) -> Vec<Vec<Field>> {
        let (right, top) = (self.columns.saturating_sub(1), self.rows.saturating_sub(1));
        if right < 4 || top < 4 {
            return Vec::new();
        }
        let bottom_edge = |row: usize, inner: usize| {
            self.fields((0..=right).map(|column| (column, row)).chain([(1, inner), (right - 1, inner)]))
        };
        let side_edge = |column: usize, inner: usize| {
            self.fields((0..=top).map(|row| (column, row)).chain([(inner, 1), (inner, top - 1)]))
        };
        vec![bottom_edge(0, 1), bottom_edge(top, top - 1), side_edge(0, 1), side_edge(right, right - 1)]
    }
}
