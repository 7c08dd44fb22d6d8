//! Where the fields of a board lie.

use game::{Field, GameInfo, Geometry, PropertyKind};
use serde::Serialize;

use super::{Cell, Clues, Edge};

/// How a board is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Board {
    /// Squares of one colour.
    Squares,
    /// Light and dark squares.
    Chequered,
    /// Points on lines.
    Points,
    /// Hexagons.
    Hexagons,
    /// Pits with seeds.
    Pits,
    /// An upright frame with round holes.
    Holes,
    /// Wide and low fields, for things that lie on each other.
    Bars,
    /// Several boards above each other.
    Layers,
    /// A cube unfolded.
    Net,
}

impl Board {
    /// The words that `appearance { board … }` knows.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Board> {
        Some(match name {
            "squares" => Board::Squares,
            "chequered" => Board::Chequered,
            "points" => Board::Points,
            "hexagons" => Board::Hexagons,
            "pits" => Board::Pits,
            "holes" => Board::Holes,
            "bars" => Board::Bars,
            "layers" => Board::Layers,
            "net" => Board::Net,
            _ => return None,
        })
    }
}

/// Cells and lines.
pub(super) struct Layout {
    pub(super) width: f32,
    pub(super) height: f32,
    pub(super) cells: Vec<Option<Cell>>,
    pub(super) blanks: Vec<[f32; 2]>,
    pub(super) outline: Vec<[f32; 2]>,
    pub(super) lines: Vec<[f32; 4]>,
}

/// What the rules say or suggest.
pub(super) fn board(info: &GameInfo, clues: &Clues) -> Board {
    if let Some(said) = clues.said.board.as_ref().and_then(|name| Board::by_name(&name.value)) {
        return said;
    }
    let named = |wanted: &[&str]| info.pieces.iter().any(|piece| wanted.contains(&piece.name.as_str()));
    let numbered =
        |stem: &str| info.pieces.iter().any(|piece| piece.name.strip_prefix(stem).is_some_and(is_number));
    let (columns, rows) = (info.geometry.columns(), info.geometry.rows());
    let stones_on_lines = named(&["stone"]) && columns >= 9 && rows >= 9;
    let chess = named(&["pawn", "knight", "queen", "bishop", "rook", "fox"]) && columns <= 12;
    let goes_diagonally = diagonal_only(&info.geometry) || clues.says("diagonal");
    let draughts = named(&["man"]) && named(&["king"]) && goes_diagonally;
    if info.pieces.is_empty() && info.properties.iter().any(|property| property.kind == PropertyKind::Field) {
        Board::Pits
    } else if named(&["front"]) && named(&["back"]) {
        Board::Net
    } else if blocks(&info.geometry).len() > 1 {
        Board::Layers
    } else if hexagonal(clues) {
        Board::Hexagons
    } else if clues.linked || clues.heading.contains("points") || named(&["cannon"]) || stones_on_lines {
        Board::Points
    } else if numbered("disc_") || numbered("size_") {
        Board::Bars
    } else if named(&["mark"]) && columns * rows >= 36 {
        Board::Holes
    } else if super::pieces::held(info) > 1 {
        Board::Squares
    } else if chess || draughts {
        Board::Chequered
    } else {
        Board::Squares
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Six directions of the eight are used, and none that means all.
fn hexagonal(clues: &Clues) -> bool {
    let six = ["north", "northeast", "east", "south", "southwest", "west"];
    let others = ["northwest", "southeast", "diagonal", "orthogonal", "any_direction"];
    let all = clues.words.windows(2).any(|pair| pair[0] == "any" && pair[1] == "direction");
    six.iter().all(|word| clues.says(word)) && !others.iter().any(|word| clues.says(word)) && !all
}

fn diagonal_only(geometry: &Geometry) -> bool {
    let used = geometry.used().iter().filter(|used| **used).count();
    used * 2 <= geometry.fields() + 1
}

/// The columns of equal parts of the board with unused columns between them: first column and width.
fn blocks(geometry: &Geometry) -> Vec<(usize, usize)> {
    let (columns, rows) = (geometry.columns(), geometry.rows());
    let used = |column: usize| (0..rows).any(|row| geometry.is_used((row * columns + column) as Field));
    let mut blocks: Vec<(usize, usize)> = Vec::new();
    for column in 0..columns {
        match blocks.last_mut() {
            _ if !used(column) => {}
            Some((first, width)) if *first + *width == column => *width += 1,
            _ => blocks.push((column, 1)),
        }
    }
    let equal = blocks.iter().all(|block| block.1 == blocks[0].1 && block.1 > 1);
    if equal { blocks } else { Vec::new() }
}

const SQUARE: [[f32; 2]; 4] = [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]];
/// Half the height of a hexagon that is one wide.
const HEXAGON: f32 = 0.577_35;
/// The distance of rows of hexagons.
const HEXAGON_ROW: f32 = 0.866_025;
/// How much a layer leans, and how flat it lies.
const LEAN: f32 = 0.35;
const FLAT: f32 = 0.62;
/// A bar's field.
const BAR: [f32; 2] = [3.2, 0.8];

pub(super) fn layout(info: &GameInfo, board: Board) -> Layout {
    let geometry = &info.geometry;
    let (columns, rows) = (geometry.columns(), geometry.rows());
    let outline: Vec<[f32; 2]> = match board {
        Board::Points => Vec::new(),
        Board::Hexagons => {
            let (w, h) = (0.5, HEXAGON);
            vec![[0.0, -h], [w, -h / 2.0], [w, h / 2.0], [0.0, h], [-w, h / 2.0], [-w, -h / 2.0]]
        }
        Board::Bars => SQUARE.map(|[x, y]| [x * BAR[0], y * BAR[1]]).to_vec(),
        Board::Layers => SQUARE.map(|[x, y]| [x - y * LEAN, y * FLAT]).to_vec(),
        _ => SQUARE.to_vec(),
    };
    let parts = if board == Board::Layers { blocks(geometry) } else { Vec::new() };
    let face = columns / 4;
    let place = |column: usize, row: usize| -> (f32, f32) {
        let (x, y) = (column as f32, (rows - 1 - row) as f32);
        match board {
            Board::Hexagons => (x - row as f32 / 2.0, y * HEXAGON_ROW),
            Board::Bars => (x * BAR[0], y * BAR[1]),
            Board::Layers => {
                let part = parts.iter().rposition(|(first, _)| *first <= column).unwrap_or(0);
                let first = parts.get(part).map_or(0, |(first, _)| *first);
                let inside = (column - first) as f32;
                (inside - y * LEAN, y * FLAT + part as f32 * (rows as f32 * FLAT + 0.35))
            }
            Board::Net if face > 0 => {
                (x + 0.15 * (column / face) as f32, y + 0.15 * (y as usize / face) as f32)
            }
            _ => (x, y),
        }
    };
    let mut cells: Vec<Option<Cell>> = (0..geometry.fields())
        .map(|field| {
            let (column, row) = (field % columns, field / columns);
            let (x, y) = place(column, row);
            let dark = board == Board::Chequered && (column + row) % 2 == 0;
            geometry.is_used(field as Field).then_some(Cell { x, y, dark })
        })
        .collect();
    let reach = |index: usize| outline.iter().map(|point| point[index]).fold(0.5_f32, f32::max);
    let (right, down) = (reach(0), reach(1));
    let left = cells.iter().flatten().map(|cell| cell.x).fold(f32::MAX, f32::min);
    let top = cells.iter().flatten().map(|cell| cell.y).fold(f32::MAX, f32::min);
    for cell in cells.iter_mut().flatten() {
        (cell.x, cell.y) = (cell.x - left + right, cell.y - top + down);
    }
    let width = cells.iter().flatten().map(|cell| cell.x).fold(0.0, f32::max) + right;
    let height = cells.iter().flatten().map(|cell| cell.y).fold(0.0, f32::max) + down;
    let blank = |field: &usize| board == Board::Chequered && cells[*field].is_none();
    let spot = |field: usize| place(field % columns, field / columns);
    let blanks = (0..geometry.fields())
        .filter(blank)
        .map(spot)
        .map(|(x, y)| [x - left + right, y - top + down])
        .collect();
    let lines = if board == Board::Points { lines(info, &cells) } else { Vec::new() };
    Layout { width, height, cells, blanks, outline, lines }
}

/// Lines between neighbours. On a plain grid only along rows and columns: whether diagonals are walked is not the
/// board's affair, unless the board is so small that they are part of it.
fn lines(info: &GameInfo, cells: &[Option<Cell>]) -> Vec<[f32; 4]> {
    let geometry = &info.geometry;
    let small = geometry.fields() <= 9;
    let mut lines = Vec::new();
    for (field, steps) in geometry.neighbours().iter().enumerate() {
        let directions: &[usize] = if small { &[0, 1, 2, 3] } else { &[0, 2] };
        for &direction in directions {
            let to = steps[direction];
            let (Some(from), Some(Some(to))) = (cells[field], cells.get(usize::from(to))) else { continue };
            if small && direction % 2 == 1 && field != 4 && usize::from(steps[direction]) != 4 {
                continue;
            }
            lines.push([from.x, from.y, to.x, to.y]);
        }
    }
    lines
}

/// Edges that belong to players. In games of connection on hexagons white joins the first row with the last, black
/// the columns: the rules ask for them by number.
pub(super) fn edges(info: &GameInfo, board: Board, clues: &Clues) -> Vec<Edge> {
    let (columns, rows) = (info.geometry.columns(), info.geometry.rows());
    let mut said: Vec<(String, String)> =
        clues.said.edges.iter().map(|(owner, edge)| (owner.value.clone(), edge.value.clone())).collect();
    let asked = |word: &str, number: usize| {
        let number = number.to_string();
        clues.words.windows(2).any(|pair| pair[0] == word && pair[1] == number)
    };
    let connects = asked("row", 1) && asked("row", rows) && asked("column", 1) && asked("column", columns);
    let full = info.geometry.used().iter().all(|used| *used);
    if said.is_empty() && board == Board::Hexagons && connects && full {
        let usual = [("white", "north"), ("white", "south"), ("black", "east"), ("black", "west")];
        said = usual.map(|(owner, edge)| (owner.to_owned(), edge.to_owned())).to_vec();
    }
    let lean = if board == Board::Hexagons { HEXAGON_ROW } else { 1.0 };
    said.into_iter()
        .map(|(owner, edge)| {
            let at = |column: usize, row: usize| (row * columns + column) as u16;
            let (fields, towards) = match edge.as_str() {
                "north" => ((0..columns).map(|column| at(column, rows - 1)).collect(), [0.0, -lean]),
                "south" => ((0..columns).map(|column| at(column, 0)).collect(), [0.0, lean]),
                "east" => ((0..rows).map(|row| at(columns - 1, row)).collect(), [1.0, 0.0]),
                _ => ((0..rows).map(|row| at(0, row)).collect(), [-1.0, 0.0]),
            };
            Edge { owner, fields, towards }
        })
        .collect()
}
