//! Boards of hexagons: with walls between the fields, or a line for each row where the terminal is low.

use std::collections::BTreeMap;

use game::geometry::column_name;
use game::{Field, Position};
use web::look::Look;

use super::{Drawing, faint};

/// Lines below a board: what the computer played, who is to move, and a place to write.
const LINES_BESIDES: usize = 4;

impl Drawing<'_> {
    /// Rows of hexagons, each half a field further to one side than the one above. Rows are named before their first
    /// field, columns in the roof of their uppermost one and below their lowermost: of a high board, a low terminal
    /// shows only the lower part. Where even that is too much, a row of hexagons takes one line, without walls.
    pub(super) fn hexagons(
        &self,
        look: &Look,
        position: &Position,
        touched: &dyn Fn(Field) -> bool,
    ) -> String {
        let (cells, lines) = self.hexagon_places(look);
        let geometry = &self.info.geometry;
        let label_width = geometry.rows().to_string().len();
        let width = cells.iter().map(|(_, column, _)| column + 6).max().unwrap_or(0);
        let is_low = self.rows.is_some_and(|rows| 2 * lines + 1 + LINES_BESIDES > rows);
        let step = if is_low { 1 } else { 2 };
        let height = if is_low { lines + 2 } else { 2 * lines + 1 };
        let mut canvas = vec![vec![" ".to_owned(); width + label_width + 1]; height];
        let (mut named_rows, mut named_columns) = (Vec::new(), Vec::new());
        let mut floors = BTreeMap::new();
        for (line, column, field) in cells {
            let (line, column) = (step * line + 1, column + label_width + 1);
            let mut put = |line: usize, at: usize, text: &str| canvas[line][at] = text.to_owned();
            if !is_low {
                put(line, column, "|");
                put(line, column + 4, "|");
                for (line, left, right) in [(line - 1, "/", "\\"), (line + 1, "\\", "/")] {
                    put(line, column + 1, left);
                    put(line, column + 3, right);
                }
            }
            let code = position.piece(field);
            put(line, column + 1, &self.painted(code, field, touched(field)));
            put(line, column + 2, "");
            put(line, column + 3, "");
            let (row, name) = (geometry.row(field), column_name(geometry.column(field)));
            if name.len() == 1 {
                floors.insert(name.clone(), (line + 1, column + 2));
            }
            if !named_columns.contains(&name) && name.len() == 1 {
                put(line - 1, column + 2, &faint(&name));
                named_columns.push(name);
            }
            if !named_rows.contains(&row) {
                let label = if self.info.rows_from_top { geometry.rows() + 1 - row } else { row };
                for (index, digit) in label.to_string().chars().rev().enumerate() {
                    put(line, column - 2 - index, &faint(&digit.to_string()));
                }
                named_rows.push(row);
            }
        }
        for (name, (line, column)) in floors {
            canvas[line][column] = faint(&name);
        }
        let mut drawing = String::new();
        for line in canvas {
            drawing.push_str(line.concat().trim_end());
            drawing.push('\n');
        }
        drawing
    }

    /// Where each hexagon is drawn, from top to bottom and from left to right: how many rows below the uppermost, and
    /// how many characters from the left. Then the number of rows.
    fn hexagon_places(&self, look: &Look) -> (Vec<(usize, usize, Field)>, usize) {
        let place = |x: f32, y: f32| if self.flipped { (look.width - x, look.height - y) } else { (x, y) };
        let cells = look.cells.iter().enumerate().filter_map(|(slot, cell)| {
            let (x, y) = place(cell.as_ref()?.x, cell.as_ref()?.y);
            let (column, level) = (((x - 0.5) * 4.0).round().max(0.0) as usize, (y * 100.0).round() as i32);
            Some((level, column, slot as Field))
        });
        let mut cells: Vec<_> = cells.collect();
        cells.sort_unstable();
        let mut levels: Vec<i32> = cells.iter().map(|&(level, ..)| level).collect();
        levels.dedup();
        let line = |level: i32| levels.binary_search(&level).unwrap_or(0);
        (cells.into_iter().map(|(level, column, field)| (line(level), column, field)).collect(), levels.len())
    }
}
