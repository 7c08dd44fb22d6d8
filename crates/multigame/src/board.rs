//! The board as it is drawn in a terminal: labelled, with coloured fields where colours can be shown, hexagons as
//! hexagons, and signs of chess where the terminal has them.

use std::collections::BTreeMap;
use std::io::IsTerminal;

use anstyle::{Ansi256Color, Style};
use game::fen::{FenField, PositionNotation};
use game::geometry::column_name;
use game::info::PieceLooks;
use game::{Colour, Field, GameInfo, MoveView, PieceCode, Position, PropertyInfo, PropertyKind, text};
use web::look::{Board, Look};

use crate::cli::FAINT;
use crate::colours;
use crate::generator::find_rules;

// White and black letters stand out alike on these: at least 4.5:1 either way.
const LIGHT: u8 = 243;
const DARK: u8 = 29;
const TOUCHED: u8 = 131;
const WHITE_PIECE: u8 = 231;
const BLACK_PIECE: u8 = 16;
/// Pieces of neither player are black on this.
const NEUTRAL_GROUND: u8 = 178;

/// How much letters stand out at least.
const CONTRAST: f64 = 4.5;

/// How positions of a game are drawn.
pub(crate) struct Drawing<'game> {
    info: &'game GameInfo,
    /// Where hexagons lie, if the board is made of them.
    hexagons: Option<Look>,
    /// What each house holds, if the board has houses instead of pieces.
    houses: Option<&'game PropertyInfo>,
    flipped: bool,
    signs: bool,
}

/// Draws a position as white sees it. The fields that the last move changed are marked.
pub(crate) fn draw(info: &GameInfo, position: &Position, last: Option<MoveView<'_>>) -> String {
    Drawing::new(info, "").draw(position, last)
}

impl<'game> Drawing<'game> {
    /// How a game is drawn, by its board and the text of its rules.
    pub(crate) fn new(info: &'game GameInfo, rules: &str) -> Drawing<'game> {
        let look = Look::of(info, rules);
        let of_fields = |property: &&PropertyInfo| property.kind == PropertyKind::Field;
        let houses = info.properties.iter().find(of_fields).filter(|_| look.board == Board::Pits);
        let hexagons = (look.board == Board::Hexagons).then_some(look);
        Drawing { info, hexagons, houses, flipped: false, signs: terminal_has_signs() }
    }

    /// The same for a game by its name or file.
    pub(crate) fn of_game(info: &'game GameInfo, game: &str) -> Drawing<'game> {
        let is_text = game != "-" && !game.starts_with("native:");
        let rules = if is_text {
            find_rules(game).map(|source| source.text).unwrap_or_default()
        } else {
            String::new()
        };
        Drawing::new(info, &rules)
    }

    /// As black sees the board, or as white does.
    pub(crate) fn flipped(self, flipped: bool) -> Drawing<'game> {
        Drawing { flipped, ..self }
    }

    /// Looks from the other side from now on.
    pub(crate) fn flip(&mut self) {
        self.flipped = !self.flipped;
    }

    /// Draws a position. The fields that the last move changed are marked.
    pub(crate) fn draw(&self, position: &Position, last: Option<MoveView<'_>>) -> String {
        let touched = |field: Field| {
            let held = self.houses.map(|held| held.slot + field as usize);
            let is_own = |slot: usize| slot == field as usize || Some(slot) == held;
            last.is_some_and(|last| last.changes.iter().any(|one| is_own(one.slot())))
        };
        let mut drawing = match &self.hexagons {
            Some(look) => self.hexagons(look, position, &touched),
            None => self.grid(position, &touched),
        };
        for line in properties(self.info, position, self.houses) {
            drawing.push_str(&faint(&line));
            drawing.push('\n');
        }
        drawing
    }

    fn grid(&self, position: &Position, touched: &dyn Fn(Field) -> bool) -> String {
        let geometry = &self.info.geometry;
        let label_width = geometry.rows().to_string().len();
        let in_order = |count: usize, backwards: bool| -> Vec<usize> {
            if backwards { (1..=count).rev().collect() } else { (1..=count).collect() }
        };
        let columns = in_order(geometry.columns(), self.flipped);
        let mut drawing = String::new();
        for row in in_order(geometry.rows(), !self.flipped) {
            let label = if self.info.rows_from_top { geometry.rows() + 1 - row } else { row };
            drawing.push_str(&faint(&format!("{label:>label_width$} ")));
            for &column in &columns {
                if let Some(field) = geometry.at(column as i64, row as i64) {
                    let code = position.piece(field);
                    drawing.push_str(&match code {
                        PieceCode::UNUSED => "   ".to_owned(),
                        code => match self.houses {
                            Some(held) => {
                                self.house(position.get(held.slot + field as usize), field, touched)
                            }
                            None => self.painted(code, field, touched(field)),
                        },
                    });
                }
            }
            drawing.push('\n');
        }
        let names: String = columns.iter().map(|&column| format!("{:^3}", column_name(column))).collect();
        drawing.push_str(&" ".repeat(label_width + 1));
        drawing.push_str(&faint(names.trim_end()));
        drawing.push('\n');
        drawing
    }

    /// Rows of hexagons, each half a field further to one side than the one above. Rows are named before their first
    /// field, columns in the roof of their uppermost one and below their lowermost: of a high board, a low terminal
    /// shows only the lower part.
    fn hexagons(&self, look: &Look, position: &Position, touched: &dyn Fn(Field) -> bool) -> String {
        let (cells, lines) = self.hexagon_places(look);
        let geometry = &self.info.geometry;
        let label_width = geometry.rows().to_string().len();
        let width = cells.iter().map(|(_, column, _)| column + 6).max().unwrap_or(0);
        let mut canvas = vec![vec![" ".to_owned(); width + label_width + 1]; 2 * lines + 1];
        let (mut named_rows, mut named_columns) = (Vec::new(), Vec::new());
        let mut floors = BTreeMap::new();
        for (line, column, field) in cells {
            let (line, column) = (2 * line + 1, column + label_width + 1);
            let mut put = |line: usize, at: usize, text: &str| canvas[line][at] = text.to_owned();
            put(line, column, "|");
            put(line, column + 4, "|");
            for (line, left, right) in [(line - 1, "/", "\\"), (line + 1, "\\", "/")] {
                put(line, column + 1, left);
                put(line, column + 3, right);
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

    /// A house with what it holds.
    fn house(&self, held: i32, field: Field, touched: &dyn Fn(Field) -> bool) -> String {
        let geometry = &self.info.geometry;
        let ground = match touched(field) {
            true => TOUCHED,
            // The rows belong to the players.
            false if geometry.row(field).is_multiple_of(2) => DARK,
            false => LIGHT,
        };
        let style = Style::new()
            .fg_color(Some(Ansi256Color(WHITE_PIECE).into()))
            .bg_color(Some(Ansi256Color(ground).into()));
        let style = if held == 0 { style } else { style.bold() };
        let number = if held < 100 { format!("{held:>2} ") } else { format!("{held:>3}") };
        format!("{}{number}{}", style.render(), style.render_reset())
    }

    fn looks(&self, code: PieceCode) -> Option<&PieceLooks> {
        self.info.looks.pieces.iter().find(|looks| looks.code == code)
    }

    /// What a field holds, as one character: the designer's, a sign of chess, or the letter of the rules.
    fn sign(&self, code: PieceCode) -> char {
        if code == PieceCode::EMPTY {
            return '.';
        }
        let letter = self.info.character(code);
        let designed = self.looks(code).and_then(|looks| looks.character);
        if !self.signs {
            return designed.filter(char::is_ascii).unwrap_or(letter);
        }
        let of_chess = || self.info.piece(code).and_then(|(piece, _)| chess_sign(&piece.name));
        designed.or_else(of_chess).unwrap_or(letter)
    }

    fn painted(&self, code: PieceCode, field: Field, touched: bool) -> String {
        let geometry = &self.info.geometry;
        let is_plain = self.info.looks.chequered == Some(false);
        let ground = match (geometry.column(field) + geometry.row(field)) % 2 {
            _ if touched => TOUCHED,
            0 if !is_plain => DARK,
            _ => LIGHT,
        };
        let (letter, ground) = match self.info.piece(code) {
            Some((_, None)) if self.info.players == 2 => (BLACK_PIECE, NEUTRAL_GROUND),
            _ if self.info.colour_of(code) == Some(Colour::Black) => (BLACK_PIECE, ground),
            _ => (WHITE_PIECE, ground),
        };
        // A colour that cannot be read on this ground is not used.
        let designed = self.looks(code).and_then(|looks| colours::named(looks.colour.as_deref()?));
        let letter =
            designed.filter(|&colour| colours::contrast(colour, ground) >= CONTRAST).unwrap_or(letter);
        let style = Style::new()
            .fg_color(Some(Ansi256Color(letter).into()))
            .bg_color(Some(Ansi256Color(ground).into()));
        let style = if code == PieceCode::EMPTY { style } else { style.bold() };
        let sign = self.sign(code);
        // Characters of East Asia are twice as wide as others.
        let space = if is_wide(sign) { "" } else { " " };
        format!("{} {sign}{space}{}", style.render(), style.render_reset())
    }
}

fn is_wide(character: char) -> bool {
    let wide =
        ['\u{1100}'..='\u{115f}', '\u{2e80}'..='\u{a4cf}', '\u{ac00}'..='\u{d7a3}', '\u{f900}'..='\u{faff}'];
    wide.iter().any(|range| range.contains(&character)) || ('\u{ff00}'..='\u{ff60}').contains(&character)
}

/// Whether a person looks at the output, in a terminal with more than the letters of ASCII and with colours: signs
/// of chess look the same for both sides without.
fn terminal_has_signs() -> bool {
    let set = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let locale = set("LC_ALL").or_else(|| set("LC_CTYPE")).or_else(|| set("LANG")).unwrap_or_default();
    let utf8 = locale.to_ascii_lowercase().replace('-', "").contains("utf8");
    let plain =
        set("TERM").is_some_and(|term| term == "dumb" || term == "linux") || set("NO_COLOR").is_some();
    std::io::stdout().is_terminal() && utf8 && !plain
}

fn chess_sign(name: &str) -> Option<char> {
    Some(match name {
        "king" => '\u{265a}',
        "queen" => '\u{265b}',
        "rook" => '\u{265c}',
        "bishop" => '\u{265d}',
        "knight" => '\u{265e}',
        "pawn" => '\u{265f}',
        _ => return None,
    })
}

/// Whether a property is a flag or a clock of the rules that says little to players.
fn is_technical(info: &GameInfo, property: &PropertyInfo) -> bool {
    let slots = property.slot..property.slot + info.slots_of(property).max(1);
    let in_notation = |field: &FenField| match field {
        FenField::Flags(flags) => flags.iter().any(|(_, slot)| slots.contains(slot)),
        FenField::Square(slot, _) | FenField::Number(slot) => slots.contains(slot),
        FenField::Rooks(rights) => slots.contains(&rights.left) || slots.contains(&rights.right),
        _ => false,
    };
    let written = match &info.notation {
        PositionNotation::Fen(fields) | PositionNotation::Draughts { fields, .. } => {
            fields.iter().any(in_notation)
        }
        _ => false,
    };
    property.silent_below.is_some() || written
}

/// The properties that are not at their least value; those of fields as a table of their own, unless the board shows
/// them.
fn properties(info: &GameInfo, position: &Position, houses: Option<&PropertyInfo>) -> Vec<String> {
    let rows = info.geometry.rows() + usize::from(info.players == 2);
    let property = |line: &str| {
        let mut words = line.split(' ');
        let first = words.next().unwrap_or_default();
        info.property(first).or_else(|| info.property(words.next().unwrap_or_default()))
    };
    let (mut lines, mut single) = (Vec::new(), Vec::new());
    for line in text::write(info, position).lines().skip(rows) {
        let known = property(line);
        // The number of the move is told by `history`.
        let is_number = known.is_none() && line.starts_with("move = ");
        let is_on_board = known.is_some_and(|property| houses.is_some_and(|own| own.name == property.name));
        if is_number || is_on_board || known.is_some_and(|property| is_technical(info, property)) {
            continue;
        }
        let is_field = known.is_some_and(|property| property.kind == PropertyKind::Field);
        match line.split_once(" = ") {
            Some((name, values)) if is_field => {
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
    use super::*;
    use crate::library;

    fn drawn(name: &str, flipped: bool) -> String {
        let source = library::source(name).unwrap();
        let program = crate::generator::compile_rules(&source).unwrap();
        let drawing = Drawing::new(&program.info, &source.text).flipped(flipped);
        anstream::adapter::strip_str(&drawing.draw(program.info.start.as_ref().unwrap(), None)).to_string()
    }

    #[test]
    fn black_sees_the_board_from_the_other_side() {
        let (white, black) = (drawn("chess", false), drawn("chess", true));
        assert!(white.starts_with("8  r  n  b  q  k  b  n  r"), "{white}");
        assert!(black.starts_with("1  R  N  B  K  Q  B  N  R"), "{black}");
        assert!(black.contains("h  g  f  e  d  c  b  a"), "{black}");
    }

    fn designed(appearance: &str) -> String {
        let rules = format!(
            "dimensions (2, 2)\npieces {{ man 'M' 'm' }}\nappearance {{ {appearance} }}\nsetup\n{{\nm.\n.M\n}}\n\
             main = find own man, pick up, north, step, points at empty field, put down."
        );
        let (program, _) = rules::compile(&lang::Source::new("rules", &rules), None).unwrap();
        let drawing = Drawing { signs: true, ..Drawing::new(&program.info, &rules) };
        drawing.draw(program.info.start.as_ref().unwrap(), None)
    }

    #[test]
    fn designers_say_what_terminals_show() {
        let usual = designed("");
        let (ground, letter) = (|code: u8| format!("48;5;{code}m"), |code: u8| format!("38;5;{code}m"));
        assert!(usual.contains(&ground(DARK)) && usual.contains(" M ") && usual.contains(" m "), "{usual}");
        let own = designed("board : points man : disc, gold, grey, 'Z', '車'");
        assert!(!own.contains(&ground(DARK)) && own.contains(&ground(LIGHT)), "{own}");
        assert!(own.contains(" Z ") && own.contains(" 車\u{1b}"), "{own:?}");
        // Grey cannot be read here.
        assert!(!own.contains(&letter(240)) && own.contains(&letter(BLACK_PIECE)), "{own:?}");
    }

    #[test]
    fn rights_to_castle_are_not_shown() {
        assert_eq!(drawn("chess", false).lines().count(), 9);
    }

    #[test]
    fn houses_show_what_they_hold() {
        assert_eq!(
            drawn("awari", false),
            "2  4  4  4  4  4  4 \n1  4  4  4  4  4  4 \n   a  b  c  d  e  f\n"
        );
        assert!(drawn("kalah", false).starts_with("2  0  4  4"), "{}", drawn("kalah", false));
    }

    #[test]
    fn hexagons_are_hexagons() {
        let hex = drawn("hex", false);
        assert!(hex.lines().nth(1).unwrap().starts_with("11 | . | . |"), "{hex}");
        assert!(hex.lines().next().unwrap().contains("/a\\ /b\\"), "{hex}");
        assert!(hex.lines().nth(22).unwrap().contains("\\a/ \\b/"), "{hex}");
        assert!(hex.lines().nth(21).unwrap().trim_start().starts_with("1 | . |"), "{hex}");
        // Columns that begin further down are named there.
        let round = drawn("hexagon", false);
        assert!(round.lines().nth(2).unwrap().contains("/d\\ / \\"), "{round}");
        let turned = drawn("hex", true);
        assert!(turned.lines().next().unwrap().contains("/k\\ /j\\"), "{turned}");
    }

    #[test]
    fn pieces_stand_out() {
        for ground in [LIGHT, DARK, TOUCHED] {
            for piece in [WHITE_PIECE, BLACK_PIECE] {
                assert!(colours::contrast(ground, piece) >= CONTRAST, "{piece} on {ground}");
            }
        }
        assert!(colours::contrast(NEUTRAL_GROUND, BLACK_PIECE) >= CONTRAST);
    }
}
