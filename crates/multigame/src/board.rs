//! The board as it is drawn in a terminal: labelled, with coloured fields where colours can be shown.

use anstyle::{Ansi256Color, Style};
use game::geometry::column_name;
use game::{Colour, Field, GameInfo, MoveView, PieceCode, Position, PropertyKind, text};

use crate::cli::FAINT;

const LIGHT: u8 = 108;
const DARK: u8 = 66;
const TOUCHED: u8 = 137;
const WHITE_PIECE: u8 = 231;
const BLACK_PIECE: u8 = 16;
const NEUTRAL_PIECE: u8 = 88;

/// Draws a position. The fields that the last move changed are marked.
pub(crate) fn draw(info: &GameInfo, position: &Position, last: Option<MoveView<'_>>) -> String {
    let geometry = &info.geometry;
    let label_width = geometry.rows().to_string().len();
    let touched =
        |field: Field| last.is_some_and(|last| last.changes.iter().any(|one| one.slot() == field as usize));
    let mut drawing = String::new();
    for row in (1..=geometry.rows()).rev() {
        let label = if info.rows_from_top { geometry.rows() + 1 - row } else { row };
        drawing.push_str(&faint(&format!("{label:>label_width$} ")));
        for column in 1..=geometry.columns() {
            if let Some(field) = geometry.at(column as i64, row as i64) {
                drawing.push_str(&cell(info, position.piece(field), field, touched(field)));
            }
        }
        drawing.push('\n');
    }
    let columns: String =
        (1..=geometry.columns()).map(|column| format!("{:^3}", column_name(column))).collect();
    drawing.push_str(&" ".repeat(label_width + 1));
    drawing.push_str(&faint(columns.trim_end()));
    drawing.push('\n');
    for line in properties(info, position) {
        drawing.push_str(&faint(&line));
        drawing.push('\n');
    }
    drawing
}

fn cell(info: &GameInfo, code: PieceCode, field: Field, touched: bool) -> String {
    if code == PieceCode::UNUSED {
        return "   ".to_owned();
    }
    let geometry = &info.geometry;
    let plain = info.looks.chequered == Some(false);
    let background = match (geometry.column(field) + geometry.row(field)) % 2 {
        _ if touched => TOUCHED,
        0 if !plain => DARK,
        _ => LIGHT,
    };
    let looks = info.looks.pieces.iter().find(|looks| looks.code == code);
    let usual = match info.piece(code) {
        Some((_, None)) if info.players == 2 => NEUTRAL_PIECE,
        _ if info.colour_of(code) == Some(Colour::Black) => BLACK_PIECE,
        _ => WHITE_PIECE,
    };
    let foreground = looks.and_then(|looks| ansi(looks.colour.as_deref()?)).unwrap_or(usual);
    let style = Style::new()
        .bold()
        .fg_color(Some(Ansi256Color(foreground).into()))
        .bg_color(Some(Ansi256Color(background).into()));
    let shown = match code {
        PieceCode::EMPTY => '.',
        code => looks.and_then(|looks| looks.character).unwrap_or_else(|| info.character(code)),
    };
    // Characters of East Asia are twice as wide as others.
    let space = if is_wide(shown) { "" } else { " " };
    let style = if code == PieceCode::EMPTY { style.dimmed() } else { style };
    format!("{} {shown}{space}{}", style.render(), style.render_reset())
}

/// The colours that designers may name, as far as terminals have them.
fn ansi(colour: &str) -> Option<u8> {
    const COLOURS: [(&str, u8); 14] = [
        ("white", WHITE_PIECE),
        ("black", BLACK_PIECE),
        ("grey", 240),
        ("red", 160),
        ("orange", 208),
        ("yellow", 226),
        ("green", 22),
        ("teal", 30),
        ("blue", 19),
        ("violet", 54),
        ("pink", 218),
        ("brown", 94),
        ("gold", 220),
        ("silver", 252),
    ];
    COLOURS.iter().find(|(name, _)| *name == colour).map(|(_, code)| *code)
}

fn is_wide(character: char) -> bool {
    matches!(character, '\u{1100}'..='\u{115f}' | '\u{2e80}'..='\u{a4cf}' | '\u{ac00}'..='\u{d7a3}' | '\u{f900}'..='\u{faff}' | '\u{ff00}'..='\u{ff60}')
}

/// The properties that are not at their least value; those of fields as a table of their own.
fn properties(info: &GameInfo, position: &Position) -> Vec<String> {
    let rows = info.geometry.rows() + usize::from(info.players == 2);
    let is_field = |line: &str| {
        let name = line.split(' ').next().unwrap_or_default();
        info.property(name).is_some_and(|property| property.kind == PropertyKind::Field)
    };
    let (mut lines, mut single) = (Vec::new(), Vec::new());
    for line in text::write(info, position).lines().skip(rows) {
        match line.split_once(" = ") {
            Some((name, values)) if is_field(line) => {
                lines.push(format!("{name}:"));
                let row = |row: &str| row.split_whitespace().map(|value| format!("{value:>4}")).collect();
                lines.extend(values.split('/').map(row).collect::<Vec<String>>());
            }
            _ => single.push(line.to_owned()),
        }
    }
    if !single.is_empty() {
        lines.push(single.join(", "));
    }
    lines
}

fn faint(text: &str) -> String {
    format!("{}{text}{}", FAINT.render(), FAINT.render_reset())
}

#[cfg(test)]
mod tests {
    use lang::Source;

    use super::*;

    fn drawn(appearance: &str) -> String {
        let rules = format!(
            "dimensions (2, 2)\npieces {{ man 'M' 'm' }}\nappearance {{ {appearance} }}\nsetup\n{{\nm.\n.M\n}}\n\
             main = find own man, pick up, north, step, points at empty field, put down."
        );
        let (program, _) = rules::compile(&Source::new("rules", &rules), None).unwrap();
        let start = program.info.start.clone().unwrap();
        draw(&program.info, &start, None)
    }

    #[test]
    fn designers_say_what_terminals_show() {
        let usual = drawn("");
        let background = |code: u8| format!("48;5;{code}m");
        assert!(usual.contains(&background(DARK)) && usual.contains(" M ") && usual.contains(" m "));
        let own = drawn("board : points man : disc, red, blue, 'Z', '車'");
        assert!(!own.contains(&background(DARK)) && own.contains(&background(LIGHT)), "{own}");
        assert!(own.contains(" Z ") && own.contains(" 車\u{1b}"), "{own:?}");
        assert!(own.contains("38;5;160m") && own.contains("38;5;19m"), "{own:?}");
    }
}
