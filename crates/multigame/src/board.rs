//! The board as it is drawn in a terminal: labelled, with coloured fields where colours can be shown, hexagons as
//! hexagons, and signs of pieces where the terminal has them.

mod hexagons;

use anstyle::{Ansi256Color, Style};
use game::fen::{FenField, PositionNotation};
use game::geometry::column_name;
use game::info::PieceLooks;
use game::{Colour, Field, GameInfo, MoveView, PieceCode, Position, PropertyInfo, PropertyKind, text};
use web::look::{Board, Look, PieceLook};

use crate::cli::FAINT;
use crate::generator::find_rules;
use crate::{colours, terminal};

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
    /// Which pieces are round, and have a sign for that.
    round: Vec<PieceCode>,
    flipped: bool,
    signs: bool,
    /// The rows of the terminal, if it is one.
    rows: Option<usize>,
}

impl<'game> Drawing<'game> {
    /// How a game is drawn, by its board and the text of its rules.
    pub(crate) fn new(info: &'game GameInfo, rules: &str) -> Drawing<'game> {
        let look = Look::of(info, rules);
        let of_fields = |property: &&PropertyInfo| property.kind == PropertyKind::Field;
        let houses = info.properties.iter().find(of_fields).filter(|_| look.board == Board::Pits);
        let is_round = |piece: &&PieceLook| matches!(piece.shape.as_str(), "disc" | "stone");
        let round = look.pieces.iter().filter(is_round).map(|piece| PieceCode(piece.code)).collect();
        let hexagons = (look.board == Board::Hexagons).then_some(look);
        let (signs, rows) = (terminal_has_signs(), terminal::rows());
        Drawing { info, hexagons, houses, round, flipped: false, signs, rows }
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

    /// What a field holds, as one character: the designer's, a sign of chess, a stone, or the letter of the rules.
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
        let stone = || match self.info.colour_of(code) {
            _ if !self.round.contains(&code) => None,
            Some(Colour::White) => Some('○'),
            Some(Colour::Black) | None => Some('●'),
        };
        designed.or_else(of_chess).or_else(stone).unwrap_or(letter)
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
    let plain =
        set("TERM").is_some_and(|term| term == "dumb" || term == "linux") || set("NO_COLOR").is_some();
    terminal::has_unicode() && !plain
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
        assert!(usual.contains(&ground(DARK)) && usual.contains(" ○ ") && usual.contains(" ● "), "{usual}");
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
    fn hexagons_fit_a_low_terminal() {
        let source = library::source("hex").unwrap();
        let program = crate::generator::compile_rules(&source).unwrap();
        let drawn = |rows: usize| {
            let drawing = Drawing { rows: Some(rows), ..Drawing::new(&program.info, &source.text) };
            let text = drawing.draw(program.info.start.as_ref().unwrap(), None);
            anstream::adapter::strip_str(&text).to_string()
        };
        let low = drawn(24);
        assert_eq!((low.lines().count(), drawn(50).lines().count()), (13, 23), "{low}");
        let lines: Vec<&str> = low.lines().collect();
        assert!(lines[0].trim_start().starts_with("a   b   c"), "{low}");
        assert!(lines[1].starts_with("11   .   .   ."), "{low}");
        assert!(lines[11].trim_start().starts_with("1   .   ."), "{low}");
        assert!(lines[12].trim_start().starts_with("a   b   c"), "{low}");
    }

    #[test]
    fn labels_can_be_read_on_black_and_on_white() {
        let Some(anstyle::Color::Ansi256(Ansi256Color(label))) = FAINT.get_fg_color() else {
            panic!("no colour")
        };
        for ground in [WHITE_PIECE, BLACK_PIECE] {
            assert!(colours::contrast(ground, label) >= CONTRAST, "{label} on {ground}");
        }
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
