//! Drawings of pieces.

use std::fmt::Write;

use web::look::PieceLook;

use super::{UNIT, text};

/// Draws a piece with its middle at this place; `width` is that of a field.
pub(super) fn draw(svg: &mut String, piece: &PieceLook, (x, y): (f32, f32), width: f32, flipped: bool) {
    let (fill, ink) = colours(piece);
    match piece.shape.as_str() {
        "pawn" | "knight" | "bishop" | "rook" | "queen" | "king" => chessman(svg, piece, x, y, fill, ink),
        "cross" => cross(svg, x, y),
        "ring" => ring(svg, x, y),
        "disc" | "stone" | "peg" => disc(svg, x, y, 0.38, fill, ink),
        "crowned" => {
            disc(svg, x, y, 0.38, fill, ink);
            disc(svg, x, y, 0.22, fill, ink);
        }
        "dot" | "goal" => disc(svg, x, y, 0.14, fill, ink),
        "light" => disc(svg, x, y, 0.38, "#ffd84a", "#8a6d00"),
        "hole" => disc(svg, x, y, 0.16, "#8c7b66", "#5b4a36"),
        "bar" => rectangle(svg, x, y, [width * (0.2 + 0.7 * piece.size), 0.4], "#c98b4b", ink),
        "match" => rectangle(svg, x, y, [0.2, 0.8], "#c98b4b", ink),
        "tile" => {
            rectangle(svg, x, y, [0.92, 0.92], fill, ink);
            text(svg, x, y + 0.14, 0.4, ink, &piece.label);
        }
        "sticker" => rectangle(svg, x, y, [0.92, 0.92], sticker(piece.size), "#222222"),
        "block" => block(svg, piece.size as u8, x, y, flipped),
        "wall" | "box" | "box_on_goal" | "cell" => rectangle(svg, x, y, [0.92, 0.92], fill, ink),
        _ => {
            disc(svg, x, y, 0.38, fill, ink);
            text(svg, x, y + 0.13, 0.38, ink, &piece.label);
        }
    }
}

/// What a piece is filled with, and what its edge and its letter are drawn with.
fn colours(piece: &PieceLook) -> (&'static str, &'static str) {
    let named = piece.colour.as_deref().map(|colour| match colour {
        "black" => ("#222222", "#ffffff"),
        "grey" | "silver" => ("#b8b8b8", "#222222"),
        "red" => ("#c0392b", "#ffffff"),
        "orange" => ("#e67e22", "#222222"),
        "yellow" | "gold" => ("#f1c40f", "#222222"),
        "green" => ("#2e7d32", "#ffffff"),
        "teal" => ("#00796b", "#ffffff"),
        "blue" => ("#1f5fa8", "#ffffff"),
        "violet" => ("#6a3d9a", "#ffffff"),
        "pink" => ("#f48fb1", "#222222"),
        "brown" => ("#6d4c41", "#ffffff"),
        _ => ("#fdfaf3", "#222222"),
    });
    let owned = || match (piece.owner, piece.shape.as_str()) {
        (Some("black"), _) => ("#222222", "#ffffff"),
        (_, "wall") => ("#5b5b5b", "#222222"),
        (None, "arrow" | "dot" | "box") => ("#8d5524", "#ffffff"),
        _ => ("#fdfaf3", "#222222"),
    };
    named.unwrap_or_else(owned)
}

fn disc(svg: &mut String, x: f32, y: f32, radius: f32, fill: &str, ink: &str) {
    // White letters stand on dark discs: their edge is dark all the same.
    let edge = if ink == "#ffffff" { "#000000" } else { ink };
    let (x, y, radius) = (x * UNIT, y * UNIT, radius * UNIT);
    let _ = writeln!(
        svg,
        "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\" fill=\"{fill}\" stroke=\"{edge}\" stroke-width=\"1.5\"/>"
    );
}

fn rectangle(svg: &mut String, x: f32, y: f32, [width, height]: [f32; 2], fill: &str, ink: &str) {
    let (left, top) = ((x - width / 2.0) * UNIT, (y - height / 2.0) * UNIT);
    let (width, height) = (width * UNIT, height * UNIT);
    let _ = writeln!(
        svg,
        "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" rx=\"4\" fill=\"{fill}\" \
         stroke=\"{ink}\"/>"
    );
}

/// A part of a block that goes on over its open sides: north 1, east 2, south 4, west 8.
fn block(svg: &mut String, open: u8, x: f32, y: f32, flipped: bool) {
    let open = if flipped { (open >> 2 | open << 2) & 15 } else { open };
    let reach = |side: u8| if open & side != 0 { 0.5 } else { 0.44 };
    let (left, top) = ((x - reach(8)) * UNIT, (y - reach(1)) * UNIT);
    let (width, height) = ((reach(8) + reach(2)) * UNIT, (reach(1) + reach(4)) * UNIT);
    let _ = writeln!(
        svg,
        "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" fill=\"#c98b4b\"/>"
    );
}

fn cross(svg: &mut String, x: f32, y: f32) {
    let (low, high) = (-0.3 * UNIT, 0.3 * UNIT);
    let (x, y) = (x * UNIT, y * UNIT);
    let _ = writeln!(
        svg,
        "<path d=\"M{:.1} {:.1}L{:.1} {:.1}M{:.1} {:.1}L{:.1} {:.1}\" stroke=\"#1f5fa8\" stroke-width=\"6\" \
         stroke-linecap=\"round\"/>",
        x + low,
        y + low,
        x + high,
        y + high,
        x + low,
        y + high,
        x + high,
        y + low
    );
}

fn ring(svg: &mut String, x: f32, y: f32) {
    let (x, y, radius) = (x * UNIT, y * UNIT, 0.3 * UNIT);
    let _ = writeln!(
        svg,
        "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\" fill=\"none\" stroke=\"#c0392b\" stroke-width=\"6\"/>"
    );
}

/// The filled sign of a chess piece, in its colour with an edge.
fn chessman(svg: &mut String, piece: &PieceLook, x: f32, y: f32, fill: &str, ink: &str) {
    let sign = match piece.shape.as_str() {
        "king" => '\u{265a}',
        "queen" => '\u{265b}',
        "rook" => '\u{265c}',
        "bishop" => '\u{265d}',
        "knight" => '\u{265e}',
        _ => '\u{265f}',
    };
    let edge = if ink == "#ffffff" { "#000000" } else { ink };
    let _ = writeln!(
        svg,
        "<text x=\"{:.1}\" y=\"{:.1}\" font-size=\"{:.0}\" text-anchor=\"middle\" fill=\"{fill}\" stroke=\"{edge}\" \
         stroke-width=\"1\">{sign}\u{fe0e}</text>",
        x * UNIT,
        (y + 0.3) * UNIT,
        0.85 * UNIT
    );
}

fn sticker(number: f32) -> &'static str {
    ["#ffffff", "#e67e22", "#2e9b44", "#c0392b", "#1f5fa8", "#f1c40f"][(number as usize).min(5)]
}
