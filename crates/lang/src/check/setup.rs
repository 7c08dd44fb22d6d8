//! Start positions: the rows must fit the board, the lines below them the properties.

use std::collections::HashSet;

use super::names::Names;
use super::report::Report;
use crate::diagnostic::{Diagnostic, did_you_mean, nearest, quoted};
use crate::source::Span;
use crate::syntax::{PieceOwner, Program, Property, PropertyKind, Setup};

/// A line of a setup and the offset of its first byte in the program.
#[derive(Clone, Copy)]
struct SetupLine<'tree> {
    text: &'tree str,
    start: usize,
}

impl<'tree> SetupLine<'tree> {
    /// The place of a part of the line.
    fn span_of(self, part: &'tree str) -> Span {
        let offset = (part.as_ptr() as usize).saturating_sub(self.text.as_ptr() as usize);
        Span::new(self.start + offset, self.start + offset + part.len())
    }

    fn span(self) -> Span {
        self.span_of(self.text.trim())
    }

    fn is_blank(self) -> bool {
        self.text.trim().is_empty()
    }

    fn indent(self) -> usize {
        self.text.bytes().take_while(|byte| *byte == b' ').count()
    }
}

/// Checks all setups. Returns the number of used fields, if some are not used.
pub(super) fn check(names: &Names<'_>, report: &mut Report) -> Option<usize> {
    let mut first: Option<Vec<bool>> = None;
    for setup in &names.tree.setups {
        let told = report.errors();
        let rows = lines_below(names, setup, report);
        if rows.iter().all(|row| row.is_blank()) && report.errors() > told {
            // Each line was told of.
            continue;
        }
        let Some((columns, row_count)) = names.board() else { continue };
        let Some(used) = board(names, setup, &rows, (columns as usize, row_count as usize), report) else {
            continue;
        };
        match &first {
            None => first = Some(used),
            Some(first) if *first != used => report.error(|| {
                let span = rows.first().map_or(setup.text.span, |row| row.span());
                Diagnostic::error("E033", span, "this setup uses other fields than the first one")
                    .hint("blanks are fields that are not used; they are the same in every position")
            }),
            Some(_) => {}
        }
    }
    let used = first?;
    let count = used.iter().filter(|used| **used).count();
    (count < used.len()).then_some(count)
}

/// The characters in all setups.
pub(super) fn characters(tree: &Program) -> HashSet<char> {
    tree.setups.iter().flat_map(|setup| setup.text.value.chars()).collect()
}

/// The lines of a setup without comments.
fn lines<'tree>(names: &Names<'_>, setup: &'tree Setup) -> Vec<SetupLine<'tree>> {
    let hash_is_a_piece = names.is_piece('#');
    let mut start = setup.text.span.start;
    let mut lines = Vec::new();
    for line in setup.text.value.split_inclusive('\n') {
        let text = line.trim_end_matches(['\n', '\r']);
        if hash_is_a_piece || !text.trim_start().starts_with('#') {
            lines.push(SetupLine { text, start });
        }
        start += line.len();
    }
    lines
}

/// Reads the lines that say who moves and what properties are; returns the others.
fn lines_below<'tree>(
    names: &Names<'tree>,
    setup: &'tree Setup,
    report: &mut Report,
) -> Vec<SetupLine<'tree>> {
    let mut said_who_moves = false;
    let mut rows = Vec::new();
    for line in lines(names, setup) {
        if !is_statement(names, line, report) {
            rows.push(line);
        } else if line.text.trim_end().ends_with("to move") && std::mem::replace(&mut said_who_moves, true) {
            let message = "who is to move has been said already";
            report.error(|| Diagnostic::error("E033", line.span(), message).hint("leave out one of them"));
        }
    }
    rows
}

fn is_statement(names: &Names<'_>, line: SetupLine<'_>, report: &mut Report) -> bool {
    let mut words = line.text.split_whitespace();
    let words = [words.next(), words.next(), words.next(), words.next()];
    if let [Some(colour), Some("to"), Some("move"), None] = words {
        if colour != "white" && colour != "black" {
            report.error(|| {
                let near = nearest(colour, ["white", "black"]);
                let hint = near.map(|colour| format!("did you mean `{colour} to move`?"));
                Diagnostic::error("E033", line.span_of(colour), format!("{} is no player", quoted(colour)))
                    .hint("write `white to move` or `black to move`")
                    .maybe_hint(hint)
            });
        } else if colour == "black" && names.is_alone() {
            report
                .error(|| Diagnostic::error("E033", line.span_of(colour), "this game has one player, white"));
        }
        return true;
    }
    let Some((left, right)) = line.text.split_once('=') else { return is_slip(names, line, report) };
    let mut words = left.split_whitespace();
    let (colour, name) = match (words.next(), words.next(), words.next()) {
        (Some(name), None, _) => (None, name),
        (Some(colour @ ("white" | "black")), Some(name), None) => (Some(colour), name),
        (Some(name), Some(colour @ ("white" | "black")), None) if names.property(name).is_some() => {
            let message = format!("the colour stands before the property: `{colour} {name} = …`");
            let hint = format!("write `{colour} {name} = {}`", right.trim());
            report.error(|| Diagnostic::error("E033", line.span(), message).hint(hint));
            return true;
        }
        _ => return false,
    };
    match names.property(name) {
        Some(property) => {
            value(names, property, colour, line, line.span_of(name), right.trim(), report);
            true
        }
        None if names.is_piece('=') => false,
        None => {
            if !names.may_exist(name) {
                report.error(|| {
                    let message = format!("{} is no property of this game", quoted(name));
                    let declared = "numbers are declared, as in `properties { count : board : [0 .. 9] }`";
                    let near = match right.trim() {
                        colour @ ("white" | "black") => Some(format!("write `{colour} to move`")),
                        _ => did_you_mean(name, names.property_names()),
                    };
                    Diagnostic::error("E033", line.span_of(name), message)
                        .hint(near.unwrap_or_else(|| declared.to_owned()))
                });
            }
            true
        }
    }
}

/// Whether a line was meant to say who moves, or what a property is, and does not quite say it.
fn is_slip(names: &Names<'_>, line: SetupLine<'_>, report: &mut Report) -> bool {
    let is_row = |text: &str| text.chars().all(|one| matches!(one, '.' | ' ') || names.is_piece(one));
    let Some(first) = line.text.split_whitespace().next().filter(|_| !is_row(line.text)) else {
        return false;
    };
    let said = line.text.split_whitespace().collect::<Vec<_>>().join(" ");
    let sayings = ["white to move", "black to move"];
    let near = sayings.into_iter().find(|saying| strsim::damerau_levenshtein(saying, &said) <= 3);
    let begins =
        ["white", "black"].into_iter().find(|colour| first.starts_with(colour) && said.contains(' '));
    let begins = begins.or_else(|| {
        let named =
            |word: &str| ["white", "black"].into_iter().find(|colour| *colour == word.trim_matches(':'));
        // A row with a comment behind it is no such line.
        said.split(' ').find_map(named).filter(|_| !said.contains('#'))
    });
    let name = first.trim_end_matches(':');
    let commented = said.split_once('#').is_some_and(|(before, _)| sayings.contains(&before.trim()));
    let hint = match (near, begins, names.property(name)) {
        _ if commented => COMMENTS.to_owned(),
        (Some(saying), ..) => format!("did you mean `{saying}`?"),
        (None, _, Some(_)) => format!("write `{name} = …`"),
        (None, Some(colour), None) => {
            format!("write `{colour} to move`, or `{colour} NAME = …` for a property")
        }
        (None, None, None) => return false,
    };
    report.error(|| {
        Diagnostic::error("E033", line.span(), format!("{} is no row of the board", quoted(&said))).hint(hint)
    });
    true
}

fn value<'tree>(
    names: &Names<'_>,
    property: &Property,
    colour: Option<&str>,
    line: SetupLine<'tree>,
    name_span: Span,
    text: &'tree str,
    report: &mut Report,
) {
    let name = &property.name.value;
    let wrong = match (property.kind, colour) {
        (PropertyKind::Player, None) if !names.is_alone() => {
            Some(format!("`{name}` belongs to a player: write `white {name} = …` or `black {name} = …`"))
        }
        (PropertyKind::Board | PropertyKind::Field, Some(colour)) => {
            Some(format!("`{name}` does not belong to a player: write it without `{colour}`"))
        }
        (PropertyKind::Move, _) => {
            Some(format!("`{name}` lives only during a move and is no part of a position"))
        }
        _ => None,
    };
    if let Some(message) = wrong {
        report.error(|| Diagnostic::error("E033", name_span, message));
        return;
    }
    let mut values = vec![text];
    if property.kind == PropertyKind::Field {
        values = text
            .split(|sign: char| matches!(sign, '/' | ',') || sign.is_whitespace())
            .filter(|word| !word.is_empty())
            .collect();
        let fields = names.board().map(|(columns, rows)| (columns * rows) as usize);
        if values.len() != 1 && fields.is_some_and(|fields| fields != values.len()) {
            report.error(|| {
                let message = format!("`{name}` gets {} values", values.len());
                let hint =
                    "give one for all fields, or one for each, the top row first, `-` where none is used";
                Diagnostic::error("E033", line.span_of(text), message).hint(hint)
            });
            return;
        }
    }
    for text in values.into_iter().filter(|text| *text != "-" || property.kind != PropertyKind::Field) {
        let message = match text.parse::<i64>() {
            Ok(value) if value >= property.low && value <= property.high => continue,
            Ok(value) => {
                format!(
                    "{value} is out of range for `{name}`, which goes from {} to {}",
                    property.low, property.high
                )
            }
            Err(_) => format!("{} is no number for `{name}`", quoted(text)),
        };
        let span = if text.is_empty() { line.span() } else { line.span_of(text) };
        report.error(|| {
            let error = Diagnostic::error("E033", span, message);
            let number = text.split([',', ';']).next().unwrap_or_default().trim_end();
            if number.len() < text.len() && number.parse::<i64>().is_ok() {
                return error.hint("the number ends its line: write what follows in a line of its own");
            }
            error
        });
    }
}

/// Checks the rows; returns which fields are used, top row first, if the rows are readable.
fn board(
    names: &Names<'_>,
    setup: &Setup,
    lines: &[SetupLine<'_>],
    (columns, row_count): (usize, usize),
    report: &mut Report,
) -> Option<Vec<bool>> {
    let first = lines.iter().position(|line| !line.is_blank());
    let last = lines.iter().rposition(|line| !line.is_blank());
    let rows = match (first, last) {
        (Some(first), Some(last)) => &lines[first..=last],
        _ => &[],
    };
    if let [line] = rows
        && row_count > 1
        && (line.text.contains('/') || !names.tree.notation.is_empty())
    {
        // One line for several rows: the notation of the game's players, which `game` reads.
        return None;
    }
    if rows.len() != row_count {
        let rim = rows.iter().find(|line| rows.len() > row_count && is_rim(names, line.text));
        let excess = rim.or(rows.get(row_count)).or(rows.last());
        let span = excess.map_or(setup.text.span, |line| line.span());
        report.error(|| {
            let message = format!("the setup has {}, the board has {row_count}", counted_rows(rows.len()));
            Diagnostic::error("E033", span, message).hint(match rim.is_some() {
                true => "leave out the letters of the columns, and lines around the board",
                false if rows.len() < row_count && has_rows_as_comments(names, setup, columns) => {
                    "a line that begins with `#` is a comment unless a piece has this character, as in \
                     `neutral wall '#'`"
                }
                false => "one line for each row, the top row first; `.` for an empty field",
            })
        });
        return None;
    }
    let (used, short) = read_rows(names, rows, columns, report)?;
    // Many short rows are a shape; a single one is a slip.
    let blanks = used.iter().filter(|used| !**used).count();
    if let [(row, length)] = short[..]
        && length > 0
        && blanks == columns - length
    {
        report.error(|| {
            Diagnostic::error(
                "E033",
                row.span(),
                format!(
                    "this row has {length} field{}, the board has {columns} columns",
                    if length == 1 { "" } else { "s" }
                ),
            )
            .hint("write `.` for an empty field; if the rest is not used, put a blank behind the row")
        });
        return None;
    }
    Some(used)
}

/// Whether a line that is a comment looks like a row: `#ggg#` on a board of five columns.
fn has_rows_as_comments(names: &Names<'_>, setup: &Setup, columns: usize) -> bool {
    let is_row = |line: &str| {
        let line = line.trim();
        let known = |one: char| matches!(one, '.' | '#' | ' ') || names.is_piece(one);
        line.starts_with('#') && line.chars().count() == columns && line.chars().all(known)
    };
    !names.is_piece('#') && setup.text.value.lines().any(is_row)
}

/// Rows with the number of their fields.
type ShortRows<'rows, 'text> = Vec<(&'rows SetupLine<'text>, usize)>;

/// Which fields are used, and the rows that are too short with their length; none where rows are too long.
fn read_rows<'rows, 'text>(
    names: &Names<'_>,
    rows: &'rows [SetupLine<'text>],
    columns: usize,
    report: &mut Report,
) -> Option<(Vec<bool>, ShortRows<'rows, 'text>)> {
    let indent = rows.iter().filter(|row| !row.is_blank()).map(|row| row.indent()).min().unwrap_or(0);
    let mut used = Vec::with_capacity(columns * rows.len());
    let mut short = Vec::new();
    let mut strange = HashSet::new();
    let mut told = false;
    for row in rows {
        let text = row.text.get(indent..).unwrap_or_default();
        if let Some(number) = number_before(names, text, columns) {
            if !told {
                told = true;
                report.error(|| {
                    let message = "a row of the board has no number";
                    Diagnostic::error("E033", row.span_of(number), message)
                        .hint("leave the numbers out: the first line is the top row")
                });
            }
            continue;
        }
        let mut characters = text.char_indices();
        for (at, character) in characters.by_ref().take(columns) {
            used.push(character != ' ');
            // If pieces could not be read, it may be one of them.
            let is_known = matches!(character, ' ' | '.')
                || names.is_piece(character)
                || names.lacks_pieces()
                || is_other_case(names, character);
            // Once for each character: who means something by it means it everywhere.
            if !is_known && strange.insert(character) {
                report.error(|| unknown(names, character, row.span_of(&text[at..at + character.len_utf8()])));
            }
        }
        let length = text.chars().take(columns).count();
        if length < columns {
            short.push((row, length));
            used.resize(used.len() + columns - length, false);
        }
        let rest = characters.as_str().trim_end();
        // A frame or signs between the fields make a row longer: they were spoken of.
        let is_framed =
            text.contains(['|', ',', '"', '\'', '\t']) && text.chars().any(|one| strange.contains(&one));
        // Once for all rows: what makes one of them too long mostly stands in each.
        if !rest.trim().is_empty() && !is_framed && !told {
            told = true;
            let hash_is_a_piece = names.is_piece('#');
            let behind_the_brace = rows[0].start != row.start
                && rows[1..].iter().all(|other| other.is_blank() || other.indent() > rows[0].indent());
            report.error(|| match behind_the_brace {
                true => {
                    Diagnostic::error("E033", rows[0].span(), "this row begins to the left of all others")
                        .hint("begin every row in the same column, and the first one on a line of its own")
                }
                false => too_long(row.span_of(rest), columns, text, hash_is_a_piece),
            });
        }
    }
    (!told).then_some((used, short))
}

/// What a row is not.
const SIDE_BY_SIDE: &str = "fields stand side by side, with nothing between or around them";

/// Where comments may stand in a setup.
const COMMENTS: &str = "in a setup a comment stands on a line of its own";

fn counted_rows(count: usize) -> String {
    format!("{count} {}", if count == 1 { "row" } else { "rows" })
}

/// `abc` or `+---+`: a line around the board.
fn is_rim(names: &Names<'_>, text: &str) -> bool {
    let mut signs = text.chars().filter(|sign| !sign.is_whitespace()).peekable();
    let letters = || {
        text.chars().filter(|sign| !sign.is_whitespace()).zip('a'..='z').all(|(sign, letter)| sign == letter)
    };
    signs.peek().is_some()
        && (letters() || signs.all(|sign| matches!(sign, '+' | '-' | '=' | '|' | '_')))
        && !text.chars().any(|sign| names.is_piece(sign))
}

/// The number of a row, which some write before it, as on the rim of a printed board.
fn number_before<'text>(names: &Names<'_>, text: &'text str, columns: usize) -> Option<&'text str> {
    let shown = text.trim_start();
    let digits = shown.bytes().take_while(u8::is_ascii_digit).count();
    let (number, fields) = shown.split_at(digits);
    let is_number =
        digits > 0 && fields.starts_with([' ', '|']) && !number.chars().any(|one| names.is_piece(one));
    (is_number && text.trim_end().chars().count() > columns).then_some(number)
}

/// Whether a character is the capital or small letter of a piece that has one character too few, as was said.
fn is_other_case(names: &Names<'_>, character: char) -> bool {
    names.tree.player_count() > 1
        && names.tree.pieces.iter().any(|piece| {
            let [only] = &piece.characters[..] else { return false };
            piece.owner == PieceOwner::Both && only.value.eq_ignore_ascii_case(&character)
        })
}

fn too_long(span: Span, columns: usize, row: &str, hash_is_a_piece: bool) -> Diagnostic {
    let hint = match row {
        _ if row.contains('|') => Some(SIDE_BY_SIDE),
        _ if row.contains('#') && !hash_is_a_piece => Some(COMMENTS),
        _ if row.contains(' ') => Some("fields stand side by side: a blank is a field that is not used"),
        _ => None,
    };
    Diagnostic::error("E033", span, format!("the row is longer than the board's {columns} columns"))
        .maybe_hint(hint.map(str::to_owned))
}

fn unknown(names: &Names<'_>, character: char, span: Span) -> Diagnostic {
    let mut known: Vec<String> = Vec::new();
    let pieces = names.tree.pieces.iter().flat_map(|piece| &piece.characters);
    for other in pieces.filter(|one| !matches!(one.value, '.' | ' ')).take(30) {
        let shown = format!("`{}`", other.value);
        if !known.contains(&shown) {
            known.push(shown);
        }
    }
    let hint = match character {
        '\t' => "use blanks, not tabs".to_owned(),
        '"' | '\'' => "rows are written without quotes".to_owned(),
        '|' | ',' => SIDE_BY_SIDE.to_owned(),
        '-' | '_' | '0' | '*' if !known.is_empty() => "an empty field is written `.`".to_owned(),
        _ if known.is_empty() => "`.` is an empty field, a blank one that is not used".to_owned(),
        _ => format!("use {}, `.` for an empty field, or a blank for one that is not used", known.join(" ")),
    };
    let shown =
        if character.is_control() { character.escape_debug().to_string() } else { character.to_string() };
    Diagnostic::error("E033", span, format!("`{shown}` is no piece of this game")).hint(hint)
}
