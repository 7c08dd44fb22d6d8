//! What a game looks like, as far as its designer says so. Rules do not depend on it; programs that draw boards do.

use crate::source::Spanned;
use crate::syntax::Name;

/// How a board can be drawn.
pub const BOARDS: [&str; 9] =
    ["squares", "chequered", "points", "hexagons", "pits", "holes", "bars", "layers", "net"];

/// The drawings of pieces.
pub const SHAPES: [&str; 35] = [
    "pawn",
    "knight",
    "bishop",
    "rook",
    "queen",
    "king",
    "archbishop",
    "chancellor",
    "disc",
    "crowned",
    "ring",
    "cross",
    "token",
    "shogi",
    "tile",
    "bar",
    "sticker",
    "block",
    "wall",
    "box",
    "goal",
    "box_on_goal",
    "keeper",
    "keeper_on_goal",
    "light",
    "match",
    "cell",
    "dot",
    "hole",
    "arrow",
    "quarto",
    "fox",
    "hound",
    "peg",
    "stone",
];

/// The colours that pieces can have.
pub const COLOURS: [&str; 14] = [
    "white", "black", "grey", "red", "orange", "yellow", "green", "teal", "blue", "violet", "pink", "brown",
    "gold", "silver",
];

/// Where an edge of the board can be.
pub const EDGES: [&str; 4] = ["north", "east", "south", "west"];

/// `appearance { … }`
#[derive(Clone, Debug, Default)]
pub struct Appearance {
    /// `board : hexagons`
    pub board: Option<Name>,
    /// `edges : white north, black east`: who owns which edge, for those who connect them.
    pub edges: Vec<(Name, Name)>,
    /// `king : crowned, red, blue, 'K'`
    pub pieces: Vec<PieceAppearance>,
}

/// What is said of one kind of piece.
#[derive(Clone, Debug)]
pub struct PieceAppearance {
    /// Which piece.
    pub name: Name,
    /// One of [`SHAPES`].
    pub shape: Option<Name>,
    /// White's colour, then black's; of [`COLOURS`].
    pub colours: Vec<Name>,
    /// What is written on it: on white's, then on black's.
    pub labels: Vec<Spanned<char>>,
    /// Words that are neither a shape nor a colour.
    pub unknown: Vec<Name>,
}
