//! How a game looks: where its fields lie, what its pieces look like, what is counted beside the board. Everything is
//! inferred from the rules; a section `appearance { … }` says what cannot be guessed. Front ends draw what stands here
//! and need to know nothing of the game.

mod fields;
mod pieces;
#[cfg(test)]
mod tests;

use game::{GameInfo, PropertyKind};
use serde::Serialize;

pub use fields::Board;
pub use pieces::PieceLook;

/// Everything that a front end must know to draw positions of a game. Lengths are in fields, `y` grows downwards.
#[derive(Clone, Debug, Serialize)]
pub struct Look {
    /// How the board is drawn.
    pub board: Board,
    /// The size of the drawing.
    pub width: f32,
    /// See `width`.
    pub height: f32,
    /// The middle of each field, in slot order; none for fields that are not part of the game.
    pub cells: Vec<Option<Cell>>,
    /// Squares that are only there to be seen: those of a chequered board that no piece can stand on.
    pub blanks: Vec<[f32; 2]>,
    /// The outline of a field around its middle; empty for points.
    pub outline: Vec<[f32; 2]>,
    /// Lines between points.
    pub lines: Vec<[f32; 4]>,
    /// Edges that belong to a player: from, to, and `white` or `black`.
    pub edges: Vec<Edge>,
    /// Names of the fields, in slot order.
    pub names: Vec<String>,
    /// The kinds of pieces.
    pub pieces: Vec<PieceLook>,
    /// Numbers beside the board and on it.
    pub numbers: Vec<Number>,
    /// 0, 1 or 2.
    pub players: u8,
    /// Whether black sees the board from the other side.
    pub turns: bool,
}

/// The middle of a field, and whether it is a dark one.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Cell {
    /// From the left.
    pub x: f32,
    /// From the top.
    pub y: f32,
    /// Dark squares of a chequered board, and whatever stands apart.
    pub dark: bool,
}

/// An edge of the board that belongs to a player.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Edge {
    /// `white` or `black`.
    pub owner: String,
    /// The fields along it.
    pub fields: Vec<u16>,
    /// Towards the outside.
    pub towards: [f32; 2],
}

/// A property that players see.
#[derive(Clone, Debug, Serialize)]
pub struct Number {
    /// As the rules call it.
    pub name: String,
    /// What it belongs to.
    pub of: NumberOf,
    /// Its first slot.
    pub slot: usize,
    /// How many slots.
    pub slots: usize,
    /// Least and greatest value.
    pub range: [i64; 2],
    /// The piece that it counts: white's and black's code.
    pub piece: Option<[u8; 2]>,
}

/// What a number belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum NumberOf {
    /// The position.
    Board,
    /// Each player: white's slot, then black's.
    Player,
    /// Each field.
    Field,
}

impl Look {
    /// What a game looks like, by its board and pieces, and by the text of its rules.
    #[must_use]
    pub fn of(info: &GameInfo, rules: &str) -> Look {
        let clues = Clues::new(info, rules);
        let board = fields::board(info, &clues);
        let layout = fields::layout(info, board);
        let fields = info.geometry.fields();
        Look {
            board,
            width: layout.width,
            height: layout.height,
            cells: layout.cells,
            blanks: layout.blanks,
            outline: layout.outline,
            lines: layout.lines,
            edges: fields::edges(info, board, &clues),
            names: (0..fields).map(|field| info.field_name(field as game::Field)).collect(),
            pieces: pieces::pieces(info, board, &clues),
            numbers: numbers(info),
            players: info.players,
            turns: info.sides == 2 && info.players == 2,
        }
    }
}

/// What the text of the rules gives away.
pub(crate) struct Clues {
    /// The words of the rules, comments left out.
    words: Vec<String>,
    /// The comment `# board:` at the head.
    heading: String,
    /// What the section `appearance` says.
    said: lang::appearance::Appearance,
    /// Whether the board has links of its own.
    linked: bool,
}

impl Clues {
    fn new(info: &GameInfo, rules: &str) -> Clues {
        let source = lang::Source::new("rules", rules);
        let tree = lang::parse(&source).tree;
        let code = rules.lines().map(|line| {
            if info.code_of_character('#').is_some() { line } else { line.split('#').next().unwrap_or("") }
        });
        let words = code
            .flat_map(|line| line.split(|letter: char| !(letter.is_alphanumeric() || letter == '_')))
            .filter(|word| !word.is_empty())
            .map(str::to_owned)
            .collect();
        let heading = rules.lines().find_map(|line| line.strip_prefix("# board:")).unwrap_or("").to_owned();
        Clues { words, heading, said: tree.appearance, linked: !tree.links.is_empty() }
    }

    fn says(&self, word: &str) -> bool {
        self.words.iter().any(|own| own == word)
    }
}

/// The properties worth showing. Those of a move are gone when it is made; flags and clocks of the rules say little.
fn numbers(info: &GameInfo) -> Vec<Number> {
    let stored = info.properties.iter().filter(|property| property.kind != PropertyKind::Move);
    stored
        .map(|property| Number {
            name: property.name.clone(),
            of: match property.kind {
                PropertyKind::Player => NumberOf::Player,
                PropertyKind::Field => NumberOf::Field,
                _ => NumberOf::Board,
            },
            slot: property.slot,
            slots: info.slots_of(property),
            range: [property.low, property.high],
            piece: pieces::counted_by(info, property),
        })
        .collect()
}
