//! A position as a picture in SVG, for documents and the gallery. Where fields lie and what pieces look like is what
//! the page in the browser shows as well (`web::look`).

mod pieces;

use std::fmt::Write;

use game::{GameInfo, PieceCode, Position};
use web::look::{Board, Look, NumberOf};

/// Pixels of a field.
const UNIT: f32 = 48.0;
/// Room around the board, in fields.
const MARGIN: f32 = 0.6;

const GROUND: &str = "#f4efe6";
const LINE: &str = "#5b4a36";
const LIGHT: &str = "#f0d9b5";
const DARK: &str = "#b58863";
const PLAIN: &str = "#e6cfa5";

/// Draws a position. `flipped`: as black sees it.
pub(crate) fn draw(info: &GameInfo, rules: &str, position: &Position, flipped: bool) -> String {
    let look = Look::of(info, rules);
    let place = |x: f32, y: f32| match flipped {
        true => (look.width - x + MARGIN, look.height - y + MARGIN),
        false => (x + MARGIN, y + MARGIN),
    };
    let (width, height) = ((look.width + 2.0 * MARGIN) * UNIT, (look.height + 2.0 * MARGIN) * UNIT);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" \
         height=\"{height:.0}\" font-family=\"sans-serif\">\n<title>{}</title>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"{GROUND}\"/>\n",
        escaped(&info.name)
    );
    for [x, y] in &look.blanks {
        field(&mut svg, &look, place(*x, *y), LIGHT);
    }
    for cell in look.cells.iter().flatten() {
        let colour = match look.board {
            Board::Chequered | Board::Layers if cell.dark => DARK,
            Board::Chequered | Board::Layers => LIGHT,
            _ => PLAIN,
        };
        field(&mut svg, &look, place(cell.x, cell.y), colour);
    }
    for [x, y, to_x, to_y] in &look.lines {
        let ((x, y), (to_x, to_y)) = (place(*x, *y), place(*to_x, *to_y));
        let _ = writeln!(
            svg,
            "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" stroke=\"{LINE}\" stroke-width=\"2\"/>",
            x * UNIT,
            y * UNIT,
            to_x * UNIT,
            to_y * UNIT
        );
    }
    edges(&mut svg, &look, &place);
    for (slot, cell) in look.cells.iter().enumerate() {
        let Some(cell) = cell else { continue };
        let code = position.piece(slot as game::Field);
        let known = look.pieces.iter().find(|piece| PieceCode(piece.code) == code);
        if let Some(piece) = known {
            pieces::draw(&mut svg, piece, place(cell.x, cell.y), field_width(&look), flipped);
        }
    }
    numbers(&mut svg, &look, position, &place);
    names(&mut svg, info, &look, &place);
    svg.push_str("</svg>\n");
    svg
}

/// How wide a field is.
fn field_width(look: &Look) -> f32 {
    let across = look.outline.iter().map(|[across, _]| across.abs());
    (2.0 * across.fold(0.0, f32::max)).max(1.0)
}

/// One field: its outline, or nothing for points.
fn field(svg: &mut String, look: &Look, (x, y): (f32, f32), colour: &str) {
    let points: Vec<String> = look
        .outline
        .iter()
        .map(|[across, down]| format!("{:.1},{:.1}", (x + across) * UNIT, (y + down) * UNIT))
        .collect();
    if points.len() > 2 {
        let _ = writeln!(
            svg,
            "<polygon points=\"{}\" fill=\"{colour}\" stroke=\"{LINE}\" stroke-width=\"1\"/>",
            points.join(" ")
        );
    }
}

/// Edges that belong to players, as thick strokes outside.
fn edges(svg: &mut String, look: &Look, place: &dyn Fn(f32, f32) -> (f32, f32)) {
    for edge in &look.edges {
        let colour = if edge.owner == "white" { "#ffffff" } else { "#222222" };
        for cell in edge.fields.iter().filter_map(|field| look.cells.get(*field as usize).copied().flatten())
        {
            let (x, y) = place(cell.x + edge.towards[0] * 0.62, cell.y + edge.towards[1] * 0.62);
            let _ = writeln!(
                svg,
                "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"5\" fill=\"{colour}\" stroke=\"{LINE}\"/>",
                x * UNIT,
                y * UNIT
            );
        }
    }
}

/// Numbers that belong to fields, such as seeds.
fn numbers(svg: &mut String, look: &Look, position: &Position, place: &dyn Fn(f32, f32) -> (f32, f32)) {
    for number in look.numbers.iter().filter(|number| number.of == NumberOf::Field) {
        for (index, cell) in look.cells.iter().enumerate().take(number.slots) {
            let value = i64::from(position.get(number.slot + index));
            if let (Some(cell), true) = (cell, look.board == Board::Pits || value != number.range[0]) {
                let (x, y) = place(cell.x, cell.y);
                if position.piece(index as game::Field) != PieceCode::EMPTY {
                    // A piece has the middle.
                    text(svg, x + 0.33, y - 0.24, 0.24, "#222222", &value.to_string());
                    continue;
                }
                text(svg, x, y + 0.12, 0.36, "#222222", &value.to_string());
            }
        }
    }
}

/// Letters and numbers at the edges of boards that are grids.
fn names(svg: &mut String, info: &GameInfo, look: &Look, place: &dyn Fn(f32, f32) -> (f32, f32)) {
    if !matches!(look.board, Board::Squares | Board::Chequered | Board::Points | Board::Holes) {
        return;
    }
    let geometry = &info.geometry;
    let lowest = look.cells.iter().flatten().map(|cell| cell.y).fold(0.0, f32::max);
    let leftmost = look.cells.iter().flatten().map(|cell| cell.x).fold(f32::MAX, f32::min);
    for column in 1..=geometry.columns() {
        let (x, y) = place(leftmost + column as f32 - 1.0, lowest);
        let down = if place(0.0, 1.0).1 > place(0.0, 0.0).1 { 0.85 } else { -0.65 };
        text(svg, x, y + down, 0.26, LINE, &game::geometry::column_name(column));
    }
    for row in 1..=geometry.rows() {
        let label = if info.rows_from_top { geometry.rows() + 1 - row } else { row };
        let (x, y) = place(leftmost, lowest - (row as f32 - 1.0));
        let across = if place(1.0, 0.0).0 > place(0.0, 0.0).0 { -0.78 } else { 0.78 };
        text(svg, x + across, y + 0.09, 0.26, LINE, &label.to_string());
    }
}

/// A word in the middle of a place; lengths are in fields.
fn text(svg: &mut String, x: f32, y: f32, size: f32, colour: &str, said: &str) {
    let _ = writeln!(
        svg,
        "<text x=\"{:.1}\" y=\"{:.1}\" font-size=\"{:.0}\" text-anchor=\"middle\" fill=\"{colour}\">{}</text>",
        x * UNIT,
        y * UNIT,
        size * UNIT,
        escaped(said)
    );
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{generator, library};

    fn picture(name: &str, flipped: bool) -> String {
        let source = library::source(name).unwrap();
        let program = generator::compile_rules(&source).unwrap();
        draw(&program.info, &source.text, program.info.start.as_ref().unwrap(), flipped)
    }

    #[test]
    fn every_game_of_the_library_can_be_drawn() {
        for name in library::names() {
            let svg = picture(name, false);
            let (open, closed) = (svg.matches("<g").count(), svg.matches("</g>").count());
            assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n") && open == closed, "{name}");
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{name}");
        }
    }

    #[test]
    fn chess_has_its_men_on_64_fields() {
        let svg = picture("chess", false);
        assert_eq!(svg.matches("<polygon").count(), 64);
        assert_eq!(svg.matches('\u{265f}').count(), 16);
        assert_ne!(svg, picture("chess", true));
    }

    #[test]
    fn what_rules_call_things_cannot_break_a_picture() {
        assert_eq!(escaped("<a&\"b\">"), "&lt;a&amp;&quot;b&quot;&gt;");
    }
}
