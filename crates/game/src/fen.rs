//! Positions in one line, as players of a game write them.
//!
//! Every game has at least the form of FEN: rows from the top separated by `/`, digits for runs of empty
//! fields (where no piece looks like a digit), then `w` or `b`. The rules can say which further fields there
//! are, or choose another form.

pub use crate::castling::CastlingRights;
use crate::geometry::Field;
use crate::info::{GameInfo, PieceCode, Slot};
use crate::outcome::Colour;
use crate::position::Position;
use crate::text::{PositionError, error};

/// The form that a game's players use.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PositionNotation {
    /// Rows, mover, and further fields: `rnbqkbnr/pppppppp/8/… w KQkq - 0 1`.
    Fen(Vec<FenField>),
    /// Draughts on numbered fields: `W:W21,22,K31:B1,2`. The numbers are indices into the pieces.
    Draughts {
        /// The piece that is written as a number alone.
        plain: usize,
        /// The piece that gets a `K`.
        crowned: usize,
    },
    /// All fields in reading order with this character for empty, then the mover's piece: `--OX… X`.
    Line(char),
    /// Numbers in reading order, 0 for empty, otherwise the number of the piece: `0 1 2 3 …`.
    Tiles,
}

impl PositionNotation {
    /// Where castling rights are kept that name a rook, if there are such.
    #[must_use]
    pub fn castling_rights(&self) -> Option<CastlingRights> {
        let PositionNotation::Fen(fields) = self else { return None };
        fields.iter().find_map(|field| match field {
            FenField::Rooks(rights) => Some(*rights),
            _ => None,
        })
    }
}

/// A field of FEN behind the mover.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FenField {
    /// Letters that stand for a slot being 1, `-` for none.
    Flags(Vec<(char, Slot)>),
    /// A square in this row, as the mover sees it, whose column the slot holds; `-` for 0.
    Square(Slot, usize),
    /// Letters for rooks that may castle: of their columns (Shredder-FEN), read also as `K` and `Q` for the outermost
    /// rook on that side of the king (X-FEN); capitals for white, `-` for none.
    Rooks(CastlingRights),
    /// A number.
    Number(Slot),
    /// A number that is read over and written as 1 (chess's move counter).
    Counter,
}

/// Reads the game's own notation.
///
/// # Errors
/// When the text is not in that notation.
pub fn read(info: &GameInfo, text: &str) -> Result<Position, PositionError> {
    match &info.notation {
        PositionNotation::Fen(fields) => read_fen(info, fields, text),
        PositionNotation::Draughts { plain, crowned } => read_draughts(info, *plain, *crowned, text),
        PositionNotation::Line(empty) => read_line(info, *empty, text).or_else(|first| {
            // A game with a line notation still understands the form that every game has.
            read_fen(info, &[], text).map_err(|_| first)
        }),
        PositionNotation::Tiles => {
            read_tiles(info, text).or_else(|first| read_fen(info, &[], text).map_err(|_| first))
        }
    }
}

/// Writes the game's own notation.
#[must_use]
pub fn write(info: &GameInfo, position: &Position) -> String {
    match &info.notation {
        PositionNotation::Fen(fields) => write_fen(info, fields, position),
        PositionNotation::Draughts { plain, crowned } => write_draughts(info, *plain, *crowned, position),
        PositionNotation::Line(empty) => write_line(info, *empty, position),
        PositionNotation::Tiles => write_tiles(info, position),
    }
}

/// Whether runs of empty fields may be written as numbers.
fn digits_are_runs(info: &GameInfo) -> bool {
    info.pieces.iter().all(|piece| piece.characters.iter().all(|character| !character.is_ascii_digit()))
}

fn read_fen(info: &GameInfo, extra: &[FenField], text: &str) -> Result<Position, PositionError> {
    let mut words = text.split_whitespace();
    let mut position = Position::empty(info);
    let rows: Vec<&str> = words.next().unwrap_or_default().split('/').collect();
    if rows.len() != info.geometry.rows() {
        return error(format!(
            "`{}` is no position of this game: it has {} rows separated by `/`, the board has {}",
            text.chars().take(60).collect::<String>(),
            rows.len(),
            info.geometry.rows()
        ));
    }
    for (number, row) in rows.iter().enumerate() {
        read_fen_row(info, row, info.geometry.rows() - number, &mut position)?;
    }
    match words.next() {
        Some("w" | "white") | None => {}
        Some("b" | "black") if info.players == 2 => position.set_mover(Colour::Black),
        Some(word) => return error(format!("`{word}` does not say who is to move: write `w` or `b`")),
    }
    for field in extra {
        // Short FENs are common: what is missing is at its least value.
        let Some(word) = words.next() else { break };
        read_fen_field(info, field, word, &mut position)?;
    }
    match words.next() {
        Some(word) => error(format!("`{word}` is one field too many for a position of this game")),
        None => Ok(position),
    }
}

fn read_fen_row(
    info: &GameInfo,
    text: &str,
    row: usize,
    position: &mut Position,
) -> Result<(), PositionError> {
    let runs = digits_are_runs(info);
    let (mut column, mut rest) = (1, text);
    while let Some(character) = rest.chars().next() {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        if runs && digits > 0 {
            column += rest[..digits].parse::<usize>().unwrap_or(usize::MAX).min(info.geometry.columns() + 1);
            rest = &rest[digits..];
            continue;
        }
        let code = match character {
            '*' | '-' | '_' if info.code_of_character(character).is_none() => PieceCode::UNUSED,
            _ => info.code_of_character(character).unwrap_or(PieceCode::UNUSED),
        };
        let Some(field) = info.geometry.at(column as i64, row as i64) else { break };
        if info.geometry.is_used(field) {
            if code == PieceCode::UNUSED {
                return error(format!("`{character}` in row `{text}` is no piece of this game"));
            }
            position.put(info, field, code);
        } else if !matches!(code, PieceCode::UNUSED | PieceCode::EMPTY) {
            return error(format!("`{character}` in row `{text}` stands on a field that is not used"));
        }
        column += 1;
        rest = &rest[character.len_utf8()..];
    }
    if column != info.geometry.columns() + 1 {
        return error(format!(
            "row `{text}` does not have {} fields: check the pieces and the numbers of empty fields",
            info.geometry.columns()
        ));
    }
    Ok(())
}

fn read_fen_field(
    info: &GameInfo,
    field: &FenField,
    word: &str,
    position: &mut Position,
) -> Result<(), PositionError> {
    match field {
        FenField::Flags(flags) => {
            for character in word.chars().filter(|&character| character != '-') {
                let Some((_, slot)) = flags.iter().find(|(flag, _)| *flag == character) else {
                    let known: String = flags.iter().map(|(flag, _)| *flag).collect();
                    return error(format!("`{word}`: expected letters of `{known}`, or `-`"));
                };
                position.set(info, *slot, 1);
            }
        }
        FenField::Square(_, _) if word == "-" => {}
        FenField::Square(slot, row) => match info.parse_field(word) {
            Some((square, "")) => {
                let seen = seen_by_mover(info, position.mover(), square);
                if info.geometry.row(seen) != *row {
                    return error(format!("`{word}` is not in the row where this square can be"));
                }
                position.set(info, *slot, info.geometry.column(seen) as i32);
            }
            _ => return error(format!("`{word}` is no square: write one such as `e3`, or `-`")),
        },
        FenField::Rooks(rights) => rights.read(info, word, position)?,
        FenField::Number(slot) => {
            let property = info.property_of_slot(*slot);
            let range = property.map_or(0..=0, |property| property.low..=property.high);
            match word.parse::<i64>() {
                Ok(value) => position.set(info, *slot, value.clamp(*range.start(), *range.end()) as i32),
                Err(_) => return error(format!("`{word}` is no number")),
            }
        }
        FenField::Counter => {}
    }
    Ok(())
}

fn seen_by_mover(info: &GameInfo, mover: Colour, field: Field) -> Field {
    if mover == Colour::Black && info.sides == 2 { info.geometry.rotated(field) } else { field }
}

fn write_fen(info: &GameInfo, extra: &[FenField], position: &Position) -> String {
    let runs = digits_are_runs(info);
    let mut rows = Vec::new();
    for row in (1..=info.geometry.rows() as i64).rev() {
        let (mut text, mut empty) = (String::new(), 0);
        for column in 1..=info.geometry.columns() as i64 {
            let field = info.geometry.at(column, row).expect("inside the board");
            match position.piece(field) {
                PieceCode::EMPTY if runs => empty += 1,
                code => {
                    if empty > 0 {
                        text.push_str(&empty.to_string());
                        empty = 0;
                    }
                    text.push(if code == PieceCode::UNUSED { '*' } else { info.character(code) });
                }
            }
        }
        if empty > 0 {
            text.push_str(&empty.to_string());
        }
        rows.push(text);
    }
    let mut text = rows.join("/");
    if info.players == 2 {
        text.push_str(if position.mover() == Colour::White { " w" } else { " b" });
    }
    for field in extra {
        text.push(' ');
        match field {
            FenField::Flags(flags) => {
                let set: String = flags
                    .iter()
                    .filter(|(_, slot)| position.get(*slot) != 0)
                    .map(|(flag, _)| *flag)
                    .collect();
                text.push_str(if set.is_empty() { "-" } else { &set });
            }
            FenField::Square(slot, row) => {
                match info.geometry.at(i64::from(position.get(*slot)), *row as i64) {
                    Some(field) => {
                        text.push_str(&info.field_name(seen_by_mover(info, position.mover(), field)))
                    }
                    None => text.push('-'),
                }
            }
            FenField::Rooks(rights) => text.push_str(&rights.write(info, position)),
            FenField::Number(slot) => text.push_str(&position.get(*slot).to_string()),
            FenField::Counter => text.push('1'),
        }
    }
    text
}

/// The used fields in reading order: draughts players number them so, from 1.
fn numbered_fields(info: &GameInfo) -> Vec<Field> {
    info.geometry.reading_order().filter(|&field| info.geometry.is_used(field)).collect()
}

fn read_draughts(
    info: &GameInfo,
    plain: usize,
    crowned: usize,
    text: &str,
) -> Result<Position, PositionError> {
    let text = text.trim().trim_end_matches('.').trim_matches('"');
    if text.contains('/') {
        return read_fen(info, &[], text);
    }
    let mut parts = text.split(':');
    let mut position = Position::empty(info);
    match parts.next().map(str::trim) {
        Some("W" | "w") => {}
        Some("B" | "b") => position.set_mover(Colour::Black),
        _ => return error(format!("`{text}` does not begin with `W:` or `B:`, the side to move")),
    }
    let fields = numbered_fields(info);
    for part in parts.map(str::trim).filter(|part| !part.is_empty()) {
        let colour = match part.chars().next() {
            Some('W' | 'w') => Colour::White,
            Some('B' | 'b') => Colour::Black,
            _ => return error(format!("`{part}` does not begin with a colour, `W` or `B`")),
        };
        for item in part[1..].split(',').map(str::trim).filter(|item| !item.is_empty()) {
            let (piece, number) = match item.strip_prefix(['K', 'k']) {
                Some(number) => (crowned, number),
                None => (plain, item),
            };
            let (first, last) = number.split_once('-').unwrap_or((number, number));
            let (Ok(first), Ok(last)) = (first.parse::<usize>(), last.parse::<usize>()) else {
                return error(format!("`{item}` is no field number"));
            };
            if first == 0 || last < first || last > fields.len() {
                return error(format!("`{item}`: fields are numbered from 1 to {}", fields.len()));
            }
            for field in &fields[first - 1..last] {
                position.put(info, *field, info.pieces[piece].codes[colour.index()]);
            }
        }
    }
    Ok(position)
}

fn write_draughts(info: &GameInfo, plain: usize, crowned: usize, position: &Position) -> String {
    let fields = numbered_fields(info);
    let side = |colour: Colour| {
        let items = fields.iter().enumerate().filter_map(|(index, &field)| {
            let code = position.piece(field);
            let kind =
                [plain, crowned].into_iter().find(|&kind| info.pieces[kind].codes[colour.index()] == code)?;
            Some(format!("{}{}", if kind == crowned { "K" } else { "" }, index + 1))
        });
        items.collect::<Vec<_>>().join(",")
    };
    let mover = if position.mover() == Colour::White { 'W' } else { 'B' };
    format!("{mover}:W{}:B{}", side(Colour::White), side(Colour::Black))
}

fn read_line(info: &GameInfo, empty: char, text: &str) -> Result<Position, PositionError> {
    let mut position = Position::empty(info);
    let characters: Vec<char> = text.chars().filter(|character| !character.is_whitespace()).collect();
    let fields = numbered_fields(info);
    if characters.len() != fields.len() && characters.len() != fields.len() + 1 {
        return error(format!(
            "{} characters instead of {}: one for each field, `{empty}` for empty, then the side to move",
            characters.len(),
            fields.len()
        ));
    }
    for (&field, &character) in fields.iter().zip(&characters) {
        let code =
            if character == empty { Some(PieceCode::EMPTY) } else { piece_of_any_case(info, character) };
        let Some(code) = code else { return error(format!("`{character}` is no piece of this game")) };
        position.put(info, field, code);
    }
    if let Some(&character) = characters.get(fields.len()) {
        match piece_of_any_case(info, character).and_then(|code| info.colour_of(code)) {
            Some(colour) => position.set_mover(colour),
            None => return error(format!("`{character}` does not say who is to move")),
        }
    }
    Ok(position)
}

fn piece_of_any_case(info: &GameInfo, character: char) -> Option<PieceCode> {
    let upper = character.to_ascii_uppercase();
    info.code_of_character(character).or_else(|| info.code_of_character(upper))
}

fn write_line(info: &GameInfo, empty: char, position: &Position) -> String {
    let mut text: String = numbered_fields(info)
        .into_iter()
        .map(|field| position.piece(field))
        .map(|code| if code == PieceCode::EMPTY { empty } else { info.character(code) })
        .collect();
    if info.players == 2 {
        text.push(' ');
        text.push(info.pieces[0].characters[position.mover().index()]);
    }
    text
}

fn read_tiles(info: &GameInfo, text: &str) -> Result<Position, PositionError> {
    let mut position = Position::empty(info);
    let words: Vec<&str> =
        text.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty()).collect();
    let fields = numbered_fields(info);
    if words.len() != fields.len() {
        return error(format!(
            "{} numbers instead of {}, row by row, 0 for empty",
            words.len(),
            fields.len()
        ));
    }
    for (&field, word) in fields.iter().zip(words) {
        let code = match word.parse::<usize>() {
            Ok(0) => PieceCode::EMPTY,
            Ok(number) if number <= info.pieces.len() => info.pieces[number - 1].codes[0],
            _ => return error(format!("`{word}` is no number from 0 to {}", info.pieces.len())),
        };
        position.put(info, field, code);
    }
    Ok(position)
}

fn write_tiles(info: &GameInfo, position: &Position) -> String {
    let number = |field: Field| {
        let code = position.piece(field);
        info.pieces.iter().position(|piece| piece.codes[0] == code).map_or(0, |index| index + 1)
    };
    numbered_fields(info).into_iter().map(|field| number(field).to_string()).collect::<Vec<_>>().join(" ")
}
