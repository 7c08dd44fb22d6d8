//! Symmetries: ways to turn or mirror the board after which the rules say the same. A position and its image are
//! worth the same, so a table that remembers one of them knows both.

use crate::geometry::Geometry;
use crate::info::{GameInfo, PropertyKind, Slot};
use crate::moves::MoveView;
use crate::position::Position;
use crate::signature::Signature;
use crate::{Direction, Field};

/// A way to turn or mirror a grid onto itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BoardMap {
    fields: Vec<Field>,
    directions: [Direction; 8],
    mirrors: bool,
}

impl BoardMap {
    /// All of them that keep neighbours neighbours and unused fields unused, the one that moves nothing first.
    #[must_use]
    pub fn all(geometry: &Geometry) -> Vec<BoardMap> {
        let shapes = [false, true].into_iter().flat_map(|swaps| {
            [(false, false), (true, false), (false, true), (true, true)]
                .map(|(columns, rows)| (swaps, columns, rows))
        });
        let maps = shapes
            .filter(|(swaps, _, _)| !swaps || geometry.columns() == geometry.rows())
            .map(|(swaps, columns, rows)| BoardMap::new(geometry, swaps, columns, rows));
        maps.filter(|map| map.fits(geometry)).collect()
    }

    fn new(geometry: &Geometry, swaps: bool, mirrors_columns: bool, mirrors_rows: bool) -> BoardMap {
        let (columns, rows) = (geometry.columns(), geometry.rows());
        let field = |from: usize| {
            let (column, row) = (from % columns, from / columns);
            let (column, row) = if swaps { (row, column) } else { (column, row) };
            let column = if mirrors_columns { columns - 1 - column } else { column };
            let row = if mirrors_rows { rows - 1 - row } else { row };
            (row * columns + column) as Field
        };
        let direction = |from: usize| {
            let eighths = from as i32;
            let eighths = if swaps { 2 - eighths } else { eighths };
            let eighths = if mirrors_columns { -eighths } else { eighths };
            Direction::new(if mirrors_rows { 4 - eighths } else { eighths })
        };
        BoardMap {
            fields: (0..columns * rows).map(field).collect(),
            directions: std::array::from_fn(direction),
            mirrors: swaps ^ mirrors_columns ^ mirrors_rows,
        }
    }

    fn fits(&self, geometry: &Geometry) -> bool {
        (0..geometry.fields() as Field).all(|from| {
            let to = self.field(from);
            geometry.is_used(from) == geometry.is_used(to)
                && Direction::all().all(|direction| {
                    let next = geometry.step(from, direction).map(|next| self.field(next));
                    geometry.step(to, self.direction(direction)) == next
                })
        })
    }

    /// Where a field comes to lie.
    #[must_use]
    pub fn field(&self, field: Field) -> Field {
        self.fields[field as usize]
    }

    /// Where a direction points then.
    #[must_use]
    pub fn direction(&self, direction: Direction) -> Direction {
        self.directions[direction.index()]
    }

    /// Whether clockwise becomes anticlockwise.
    #[must_use]
    pub fn mirrors(&self) -> bool {
        self.mirrors
    }
}

/// A symmetry of a game, as positions and moves see it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Symmetry {
    slots: Vec<Slot>,
    /// How the key of each piece on each field differs from that of its image: what searches need again and again.
    differences: Vec<Signature>,
    /// Codes of pieces, the empty field's among them.
    codes: usize,
}

impl Symmetry {
    /// The symmetry that moves fields and what belongs to them in this way.
    #[must_use]
    pub fn new(info: &GameInfo, map: &BoardMap) -> Symmetry {
        let fields = info.geometry.fields();
        let slots = (0..info.stored_slots()).map(|slot| {
            let first = match info.property_of_slot(slot) {
                None => 0,
                Some(property) if property.kind == PropertyKind::Field => property.slot,
                Some(_) => return slot,
            };
            debug_assert!(slot - first < fields);
            first + map.field((slot - first) as Field) as usize
        });
        let slots: Vec<Slot> = slots.collect();
        let last = info.pieces.iter().flat_map(|piece| piece.codes).map(|code| code.0).max();
        let codes = 1 + usize::from(last.unwrap_or(0));
        let differences = (0..fields * codes).map(|index| {
            let (slot, value) = (index / codes, (index % codes) as i32);
            info.key(slot, value) ^ info.key(slots[slot], value)
        });
        Symmetry { differences: differences.collect(), codes, slots }
    }

    /// Where a slot comes to lie: a field, or what belongs to one.
    #[must_use]
    pub fn slot(&self, slot: Slot) -> Slot {
        self.slots[slot]
    }

    /// The image of a position.
    #[must_use]
    pub fn position(&self, info: &GameInfo, position: &Position) -> Position {
        let mut image = Position::empty(info);
        image.set_mover(position.mover());
        for (&slot, &value) in self.slots.iter().zip(position.slots()) {
            image.set(info, slot, value);
        }
        image
    }

    /// The signature difference of a move's image.
    #[must_use]
    pub fn difference(&self, info: &GameInfo, played: MoveView<'_>) -> Signature {
        let mut difference = played.head.signature_difference;
        for change in played.changes {
            for value in [change.old(), change.new()] {
                difference ^= self.difference_of(info, change.slot(), value);
            }
        }
        difference
    }

    /// By how much the key of a value in a slot differs from that of its image.
    fn difference_of(&self, info: &GameInfo, slot: Slot, value: i32) -> Signature {
        if slot < info.geometry.fields() && (0..self.codes as i32).contains(&value) {
            return self.differences[slot * self.codes + value as usize];
        }
        // The slots of `move` properties have no images.
        self.slots.get(slot).map_or(Signature(0), |&image| info.key(slot, value) ^ info.key(image, value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_have_eight_and_oblongs_four() {
        assert_eq!(BoardMap::all(&Geometry::grid(5, 5)).len(), 8);
        assert_eq!(BoardMap::all(&Geometry::grid(7, 6)).len(), 4);
        let mut used = vec![true; 12];
        used[0] = false;
        assert_eq!(BoardMap::all(&Geometry::new(4, 3, used.clone(), &[])).len(), 1);
        used[3] = false;
        let maps = BoardMap::all(&Geometry::new(4, 3, used, &[]));
        assert_eq!(maps.len(), 2);
        assert_eq!((maps[1].field(1), maps[1].field(7)), (2, 4));
        assert!(maps[1].mirrors() && !maps[0].mirrors());
    }
}
