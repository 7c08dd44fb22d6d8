//! What pieces look like, by their names.

use game::{GameInfo, PropertyInfo, PropertyKind};
use serde::Serialize;

use super::{Board, Clues};

/// One kind of piece of one owner.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PieceLook {
    /// The code in slots.
    pub code: u8,
    /// As the rules call it.
    pub name: String,
    /// `white`, `black`, or neither.
    pub owner: Option<&'static str>,
    /// Which drawing.
    pub shape: String,
    /// A letter or number on it.
    pub label: String,
    /// For shapes that come in sizes, from 0 to 1; for stickers and traits, a number.
    pub size: f32,
    /// A colour that the designer chose.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub colour: Option<String>,
}

pub(super) fn pieces(info: &GameInfo, board: Board, clues: &Clues) -> Vec<PieceLook> {
    let shogi = held(info) > 1;
    let mut looks = Vec::new();
    for piece in &info.pieces {
        let said = clues.said.pieces.iter().find(|said| said.name.value == piece.name);
        let (inferred, size) = shape(&piece.name, info, board);
        let inferred = if shogi { "shogi" } else { inferred };
        let shape = said.and_then(|said| said.shape.clone()).map_or(inferred.to_owned(), |shape| shape.value);
        for (index, owner) in ["white", "black"].into_iter().enumerate() {
            if piece.is_neutral() && index == 1 {
                continue;
            }
            let label = match piece.name.rsplit_once('_') {
                Some((_, number)) if matches!(shape.as_str(), "tile" | "bar") => number.to_owned(),
                _ => piece.characters[0].to_uppercase().to_string(),
            };
            let label = said
                .and_then(|said| said.labels.get(index).or(said.labels.first()))
                .map_or(label, |label| label.value.to_string());
            let shape = match (shape.as_str(), index) {
                ("cross", 1) => "ring".to_owned(),
                _ => shape.clone(),
            };
            looks.push(PieceLook {
                code: piece.codes[index].0,
                name: piece.name.clone(),
                owner: (!piece.is_neutral()).then_some(owner),
                shape,
                label,
                size,
                colour: said
                    .and_then(|said| said.colours.get(index).or(said.colours.first()))
                    .map(|colour| colour.value.clone()),
            });
        }
    }
    looks
}

/// The drawing for a name, and its size.
fn shape(name: &str, info: &GameInfo, board: Board) -> (&'static str, f32) {
    let kinds = info.pieces.len().max(1) as f32;
    if let Some(number) = name.rsplit_once('_').and_then(|(_, number)| number.parse::<u16>().ok()) {
        let number = f32::from(number);
        return match name.split('_').next() {
            Some("disc" | "size") => ("bar", number / kinds),
            Some("piece") if info.pieces.len() == 16 => ("quarto", number),
            _ => ("tile", number / kinds),
        };
    }
    let sticker = ["up", "left", "front", "right", "back", "down"].iter().position(|own| *own == name);
    if let (Board::Net, Some(index)) = (board, sticker) {
        return ("sticker", index as f32);
    }
    if info.pieces.iter().any(|piece| piece.name == "large_nw") {
        // Which sides of the block are open: north 1, east 2, south 4, west 8.
        let open = match name {
            "large_nw" => 6.0,
            "large_ne" => 12.0,
            "large_sw" => 3.0,
            "large_se" => 9.0,
            "top" => 4.0,
            "bottom" => 1.0,
            "left" => 2.0,
            "right" => 8.0,
            _ => 0.0,
        };
        return ("block", open);
    }
    let discs = info.pieces.iter().any(|piece| piece.name == "man");
    let shape = match name {
        "king" if discs => "crowned",
        "pawn" | "knight" | "bishop" | "rook" | "queen" | "king" | "archbishop" | "chancellor" => {
            return (
                lang::appearance::SHAPES.into_iter().find(|shape| *shape == name).unwrap_or("token"),
                0.0,
            );
        }
        "amazon" => "queen",
        "mark" if info.geometry.fields() <= 16 => "cross",
        "disc" | "man" | "mark" => "disc",
        "stone" => "stone",
        "half" => "block",
        "wall" | "blocked" => "wall",
        "box" => "box",
        "goal" => "goal",
        "box_on_goal" => "box_on_goal",
        "keeper" => "keeper",
        "keeper_on_goal" => "keeper_on_goal",
        "light" => "light",
        "match_stick" => "match",
        "cell" => "cell",
        "visited" | "origin" | "reached" | "captured" => "dot",
        "gone" => "hole",
        "arrow" => "arrow",
        "fox" => "fox",
        "hound" => "hound",
        "peg" => "peg",
        _ => "token",
    };
    (shape, 0.0)
}

/// How many kinds of pieces players hold in their hands.
pub(super) fn held(info: &GameInfo) -> usize {
    info.properties.iter().filter(|property| counted_by(info, property).is_some()).count()
}

/// The piece that a player's property counts: `golds` counts `gold`, `reserve` counts the only kind of piece there is.
pub(super) fn counted_by(info: &GameInfo, property: &PropertyInfo) -> Option<[u8; 2]> {
    if property.kind != PropertyKind::Player {
        return None;
    }
    let singular = property.name.strip_suffix('s').unwrap_or(&property.name);
    let named = info.pieces.iter().find(|piece| piece.name == singular);
    let only = (property.name == "reserve").then(|| info.pieces.first()).flatten();
    named.or(only).map(|piece| piece.codes.map(|code| code.0))
}
