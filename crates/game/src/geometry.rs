//! The board: a grid of fields, which of them are used, and which field lies next to which.

use std::fmt;

/// A field of the board, counted from the lower left corner as white sees it, row by row upwards.
///
/// ```text
/// 6 7 8
/// 3 4 5
/// 0 1 2
/// ```
pub type Field = u16;

/// Stands in neighbour tables for "there is no such field".
pub const NO_FIELD: Field = Field::MAX;

/// The largest board: 20 x 20, with room for 19 x 19.
pub const FIELDS_MAX: usize = 400;

/// One of the eight directions, clockwise from north.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Direction(u8);

impl Direction {
    /// Names in clockwise order from north.
    pub const NAMES: [&str; 8] =
        ["north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest"];
    /// Away from white's side of the board.
    pub const NORTH: Direction = Direction(0);
    const DELTAS: [(i32, i32); 8] = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];

    /// The direction that lies `eighths` of a full turn clockwise from north.
    #[must_use]
    pub fn new(eighths: i32) -> Direction {
        Direction(eighths.rem_euclid(8) as u8)
    }

    /// All eight, clockwise from north.
    pub fn all() -> impl Iterator<Item = Direction> {
        (0..8).map(Direction)
    }

    /// 0 for north, then clockwise.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// Turned clockwise by so many times 45 degrees.
    #[must_use]
    pub fn turned(self, eighths: i32) -> Direction {
        Direction::new(i32::from(self.0) + eighths)
    }

    /// The opposite direction.
    #[must_use]
    pub fn reversed(self) -> Direction {
        self.turned(4)
    }
}

impl fmt::Display for Direction {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(Direction::NAMES[self.index()])
    }
}

/// Says that from one field a step in a direction leads to another, whatever the grid says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Link {
    /// Where the step starts.
    pub from: Field,
    /// As white sees it.
    pub direction: Direction,
    /// Where it ends; `None` cuts the connection.
    pub to: Option<Field>,
}

/// Size, unused fields and neighbourhood of a board. Directions here are absolute: as white sees them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Geometry {
    columns: usize,
    rows: usize,
    used: Vec<bool>,
    neighbours: Vec<[Field; 8]>,
}

impl Geometry {
    /// A full grid.
    ///
    /// # Panics
    /// If a side is zero or there are more than [`FIELDS_MAX`] fields.
    #[must_use]
    pub fn grid(columns: usize, rows: usize) -> Geometry {
        Geometry::new(columns, rows, vec![true; columns * rows], &[])
    }

    /// A grid with unused fields and links.
    ///
    /// # Panics
    /// If a side is zero, there are more than [`FIELDS_MAX`] fields, or `used` has another length.
    #[must_use]
    pub fn new(columns: usize, rows: usize, used: Vec<bool>, links: &[Link]) -> Geometry {
        assert!(columns > 0 && rows > 0 && columns * rows <= FIELDS_MAX, "board size out of range");
        assert_eq!(used.len(), columns * rows, "one flag per field");
        let mut neighbours = vec![[NO_FIELD; 8]; columns * rows];
        for (field, steps) in neighbours.iter_mut().enumerate() {
            let (column, row) = ((field % columns) as i32, (field / columns) as i32);
            for (step, (right, up)) in steps.iter_mut().zip(Direction::DELTAS) {
                let (column, row) = (column + right, row + up);
                if (0..columns as i32).contains(&column) && (0..rows as i32).contains(&row) {
                    *step = (row as usize * columns + column as usize) as Field;
                }
            }
        }
        for link in links {
            neighbours[link.from as usize][link.direction.index()] = link.to.unwrap_or(NO_FIELD);
        }
        for (steps, &from_used) in neighbours.iter_mut().zip(&used) {
            for to in steps {
                if !from_used || (*to != NO_FIELD && !used[*to as usize]) {
                    *to = NO_FIELD;
                }
            }
        }
        Geometry { columns, rows, used, neighbours }
    }

    /// Fields in a row.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Fields in a column.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// All fields of the grid, used or not.
    #[must_use]
    pub fn fields(&self) -> usize {
        self.columns * self.rows
    }

    /// Whether a piece can stand there.
    #[must_use]
    pub fn is_used(&self, field: Field) -> bool {
        self.used[field as usize]
    }

    /// One flag per field.
    #[must_use]
    pub fn used(&self) -> &[bool] {
        &self.used
    }

    /// The field one step away, or `None` off the board and on unused fields.
    #[must_use]
    pub fn step(&self, field: Field, direction: Direction) -> Option<Field> {
        let to = self.neighbours[field as usize][direction.index()];
        (to != NO_FIELD).then_some(to)
    }

    /// The whole neighbour table, [`NO_FIELD`] where there is none.
    #[must_use]
    pub fn neighbours(&self) -> &[[Field; 8]] {
        &self.neighbours
    }

    /// The field at a column and a row counted from 1, as white sees them.
    #[must_use]
    pub fn at(&self, column: i64, row: i64) -> Option<Field> {
        let inside = (1..=self.columns as i64).contains(&column) && (1..=self.rows as i64).contains(&row);
        inside.then(|| ((row - 1) as usize * self.columns + (column - 1) as usize) as Field)
    }

    /// The same field for someone who sees the board rotated by 180 degrees.
    #[must_use]
    pub fn rotated(&self, field: Field) -> Field {
        (self.fields() - 1) as Field - field
    }

    /// Column counted from 1, as white sees it.
    #[must_use]
    pub fn column(&self, field: Field) -> usize {
        field as usize % self.columns + 1
    }

    /// Row counted from 1, as white sees it.
    #[must_use]
    pub fn row(&self, field: Field) -> usize {
        field as usize / self.columns + 1
    }

    /// The fields in reading order: top row first, left to right.
    pub fn reading_order(&self) -> impl Iterator<Item = Field> + '_ {
        (0..self.rows).rev().flat_map(move |row| (0..self.columns).map(move |column| self.field(column, row)))
    }

    fn field(&self, column: usize, row: usize) -> Field {
        (row * self.columns + column) as Field
    }
}

/// The letters of a column counted from 1: `a`, `b`, … `z`, `aa`, `ab`, …
#[must_use]
pub fn column_name(column: usize) -> String {
    let mut name = Vec::new();
    let mut rest = column;
    while rest > 0 {
        rest -= 1;
        name.push(b'a' + (rest % 26) as u8);
        rest /= 26;
    }
    name.iter().rev().map(|&letter| char::from(letter)).collect()
}

/// Reads `e4` as column 5, row 4. Returns what is left of the text too.
#[must_use]
pub fn parse_coordinates(text: &str) -> Option<((i64, i64), &str)> {
    let letters = text.bytes().take_while(u8::is_ascii_lowercase).count();
    let digits = text[letters..].bytes().take_while(u8::is_ascii_digit).count();
    if letters == 0 || letters > 2 || digits == 0 || digits > 3 {
        return None;
    }
    let column = text[..letters].bytes().fold(0, |sum, letter| sum * 26 + i64::from(letter - b'a') + 1);
    let row = text[letters..letters + digits].parse().ok()?;
    Some(((column, row), &text[letters + digits..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grid_has_the_neighbours_one_expects() {
        let board = Geometry::grid(3, 3);
        assert_eq!(board.step(4, Direction::NORTH), Some(7));
        assert_eq!(board.step(4, Direction::new(3)), Some(2));
        assert_eq!(board.step(8, Direction::new(1)), None);
        assert_eq!(board.rotated(0), 8);
        assert_eq!(board.reading_order().collect::<Vec<_>>(), [6, 7, 8, 3, 4, 5, 0, 1, 2]);
    }

    #[test]
    fn links_and_unused_fields_change_the_neighbourhood() {
        let mut used = vec![true; 9];
        used[1] = false;
        let east = Direction::new(2);
        let link = Link { from: 0, direction: east, to: Some(2) };
        let board = Geometry::new(3, 3, used, &[link]);
        assert_eq!(board.step(0, east), Some(2));
        assert_eq!(board.step(4, Direction::new(4)), None);
    }

    #[test]
    fn column_names_read_back() {
        for column in [1, 26, 27, 52, 400] {
            let text = format!("{}12", column_name(column));
            assert_eq!(parse_coordinates(&text), Some(((column as i64, 12), "")));
        }
        assert_eq!(parse_coordinates("4e"), None);
    }
}
