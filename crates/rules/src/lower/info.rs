//! Board, pieces, properties and start position of a program.

use game::fen::{CastlingRights, FenField, PositionNotation};
use game::geometry::Link;
use game::info::{Looks, PieceLooks};
use game::notation::GivenNames;
use game::text::PositionError;
use game::{
    Direction, GameInfo, Geometry, PieceCode, PieceInfo, Position, PropertyInfo, PropertyKind, Repetition,
    RepetitionResult, text,
};
use lang::syntax::{self, Notation, Owner, PieceOwner};
use lang::{Diagnostic, Source};

use super::CompileError;

type Setups = Vec<(String, Position)>;

pub(super) fn info(
    tree: &syntax::Program,
    source: &Source,
    start: Option<&str>,
) -> Result<(GameInfo, Setups), CompileError> {
    let players = tree.player_count() as u8;
    let dimensions = tree.dimensions.as_ref().map_or((1, 1), |(columns, rows)| (columns.value, rows.value));
    let (columns, rows) = (dimensions.0 as usize, dimensions.1 as usize);
    let pieces = pieces(tree, players);
    let first_setup = tree.setups.first().map(|setup| strip(&setup.text.value, &pieces));
    let drawn = first_setup.clone().or_else(|| start.map(|text| strip(text, &pieces)));
    let used = match drawn {
        Some(drawn) if drawn.trim().contains('\n') => {
            text::used_fields(columns, rows, &drawn).map_err(CompileError::Position)?
        }
        _ => vec![true; columns * rows],
    };
    let geometry = Geometry::new(columns, rows, used, &links(tree, columns));
    let mut info = GameInfo {
        name: game_name(source),
        players,
        sides: tree.sides.as_ref().map_or(2, |sides| sides.value) as u8,
        geometry,
        pieces,
        properties: Vec::new(),
        start: None,
        setups: Vec::new(),
        repetition: repetition(tree),
        notation: PositionNotation::Fen(Vec::new()),
        rows_from_top: false,
        given_names: GivenNames::default(),
        looks: Looks::default(),
    };
    info.looks = looks(tree, &info.pieces);
    info.properties = properties(tree, info.geometry.fields());
    add_notation(tree, &mut info);
    let mut setups = Vec::new();
    for setup in &tree.setups {
        let position = text::read(&info, &setup.text.value).map_err(|error| {
            CompileError::Rules(vec![Diagnostic::error("E033", setup.text.span, error.message)])
        })?;
        let name = setup.name.as_ref().map_or_else(String::new, |name| name.value.clone());
        setups.push((name, position));
    }
    info.start = match (setups.first(), start) {
        (Some((_, position)), _) => Some(position.clone()),
        (None, Some(start)) => Some(text::read(&info, start).map_err(CompileError::Position)?),
        (None, None) => None,
    };
    info.setups = setups.iter().filter(|(name, _)| !name.is_empty()).cloned().collect();
    Ok((info, setups))
}

fn game_name(source: &Source) -> String {
    let file = source.name.rsplit(['/', '\\']).next().unwrap_or(&source.name);
    file.strip_suffix(".mg").unwrap_or(file).to_owned()
}

fn looks(tree: &syntax::Program, pieces: &[PieceInfo]) -> Looks {
    let said = &tree.appearance;
    let of_piece = |said: &lang::appearance::PieceAppearance| {
        let codes = pieces.iter().find(|piece| piece.name == said.name.value).map(|piece| piece.codes);
        let looks = codes.into_iter().flatten().enumerate().map(|(index, code)| PieceLooks {
            code,
            character: said.labels.get(index).or(said.labels.first()).map(|label| label.value),
            colour: said.colours.get(index).or(said.colours.first()).map(|colour| colour.value.clone()),
        });
        looks.collect::<Vec<_>>()
    };
    Looks {
        chequered: said.board.as_ref().map(|board| board.value == "chequered"),
        pieces: said.pieces.iter().flat_map(of_piece).collect(),
    }
}

/// A drawn position without its comments.
fn strip(text: &str, pieces: &[PieceInfo]) -> String {
    let hash_is_a_piece = pieces.iter().any(|piece| piece.characters.contains(&'#'));
    let lines = text.lines().filter(|line| hash_is_a_piece || !line.trim_start().starts_with('#'));
    lines.collect::<Vec<_>>().join("\n")
}

fn pieces(tree: &syntax::Program, players: u8) -> Vec<PieceInfo> {
    let mut next = 1;
    let mut code = || {
        next += 1;
        PieceCode(next - 1)
    };
    let mut taken: Vec<char> =
        tree.pieces.iter().flat_map(|piece| &piece.characters).map(|character| character.value).collect();
    let mut pieces = Vec::new();
    for piece in &tree.pieces {
        let first = code();
        let shared = players < 2 || piece.owner == PieceOwner::Nobody;
        let [white, black] = match piece.characters[..] {
            [ref white, ref black, ..] => [white.value, black.value],
            [ref one] if shared => [one.value; 2],
            [ref one] if piece.owner == PieceOwner::Black => [other_side(one.value, &mut taken), one.value],
            [ref one] => [one.value, other_side(one.value, &mut taken)],
            [] => ['?'; 2],
        };
        let codes = [first, if shared { first } else { code() }];
        pieces.push(PieceInfo { name: piece.name.value.clone(), characters: [white, black], codes });
    }
    pieces
}

/// How a piece would look if the other side had one, although only one side has it by the rules: the letter in
/// the other case, or a character that nothing else has.
fn other_side(character: char, taken: &mut Vec<char>) -> char {
    let swapped = if character.is_uppercase() {
        character.to_lowercase().next()
    } else {
        character.to_uppercase().next()
    };
    let letters = swapped.into_iter().chain('\u{00c0}'..);
    let free = letters.into_iter().find(|letter| !taken.contains(letter) && !letter.is_whitespace());
    let chosen = free.unwrap_or(character);
    taken.push(chosen);
    chosen
}

/// Stored properties first, `move` properties behind them.
fn properties(tree: &syntax::Program, fields: usize) -> Vec<PropertyInfo> {
    let mut next = fields;
    let mut properties = Vec::new();
    for moves in [false, true] {
        for property in &tree.properties {
            let (kind, size) = match property.kind {
                syntax::PropertyKind::Board => (PropertyKind::Board, 1),
                syntax::PropertyKind::Player => (PropertyKind::Player, 2),
                syntax::PropertyKind::Field => (PropertyKind::Field, fields),
                syntax::PropertyKind::Move => (PropertyKind::Move, 1),
            };
            if (kind == PropertyKind::Move) == moves {
                let (low, high, silent_below) = (property.low, property.high, property.silent_below);
                let name = property.name.value.clone();
                properties.push(PropertyInfo { name, kind, low, high, silent_below, slot: next });
                next += size;
            }
        }
    }
    properties
}

fn links(tree: &syntax::Program, columns: usize) -> Vec<Link> {
    let field = |(column, row): (i64, i64)| ((row - 1) as usize * columns + (column - 1) as usize) as u16;
    let mut links = Vec::new();
    for link in &tree.links {
        let (from, direction) = (field(link.from.value), Direction::new(link.direction));
        let to = link.to.as_ref().map(|to| field(to.value));
        links.push(Link { from, direction, to });
        if let (Some(to), false) = (to, link.one_way) {
            links.push(Link { from: to, direction: direction.reversed(), to: Some(from) });
        }
    }
    links
}

fn repetition(tree: &syntax::Program) -> Repetition {
    let Some(repetition) = &tree.repetition else { return Repetition::usual() };
    let result = match repetition.result {
        syntax::RepetitionResult::Ignored => RepetitionResult::Ignored,
        syntax::RepetitionResult::Draw => RepetitionResult::Draw,
        syntax::RepetitionResult::Loss => RepetitionResult::Loss,
        syntax::RepetitionResult::Win => RepetitionResult::Win,
        syntax::RepetitionResult::Forbidden => RepetitionResult::Forbidden,
    };
    Repetition { result, occurrences: repetition.occurrences.value as u32 }
}

fn add_notation(tree: &syntax::Program, info: &mut GameInfo) {
    let slot = |name: &syntax::Name| info.property(&name.value).map_or(0, |property| property.slot);
    let piece = |name: &syntax::Name| {
        info.pieces.iter().position(|piece| piece.name == name.value).unwrap_or_default()
    };
    let (mut fields, mut other, mut rows_from_top) = (Vec::new(), None, false);
    for entry in &tree.notation {
        match entry {
            Notation::Flags(flags) => {
                let slots = flags.iter().map(|(character, owner, name)| {
                    (*character, slot(name) + usize::from(*owner == Some(Owner::Black)))
                });
                fields.push(FenField::Flags(slots.collect()));
            }
            Notation::Square(name, row) => fields.push(FenField::Square(slot(name), row.value as usize)),
            Notation::Rooks(parts) => {
                let [left, right, rook, king] = parts.as_ref();
                fields.push(FenField::Rooks(CastlingRights {
                    left: slot(left),
                    right: slot(right),
                    rook: piece(rook),
                    king: piece(king),
                }));
            }
            Notation::Number(name) => fields.push(FenField::Number(slot(name))),
            Notation::Counter => fields.push(FenField::Counter),
            Notation::Remaining(name) => fields.push(FenField::Remaining(slot(name))),
            Notation::Fixed(character) => fields.push(FenField::Fixed(*character)),
            Notation::Hands(hands) => {
                let hands = hands.iter().map(|(held, count)| (piece(held), slot(count)));
                fields.push(FenField::Hands(hands.collect()));
            }
            Notation::Promoted(pairs) => {
                let pairs = pairs.iter().map(|(promoted, plain)| (piece(promoted), piece(plain)));
                fields.push(FenField::Promoted(pairs.collect()));
            }
            Notation::Draughts(plain, crowned) => {
                let (plain, crowned) = (piece(plain), piece(crowned));
                other = Some(PositionNotation::Draughts { plain, crowned, fields: Vec::new() });
            }
            Notation::Line(empty) => other = Some(PositionNotation::Line(*empty)),
            Notation::Tiles => other = Some(PositionNotation::Tiles),
            Notation::RowsFromTop => rows_from_top = true,
        }
    }
    info.notation = match other {
        Some(PositionNotation::Draughts { plain, crowned, .. }) => {
            PositionNotation::Draughts { plain, crowned, fields }
        }
        other => other.unwrap_or(PositionNotation::Fen(fields)),
    };
    info.rows_from_top = rows_from_top;
}

/// A message about a position, for callers that only have the text.
impl From<PositionError> for CompileError {
    fn from(error: PositionError) -> CompileError {
        CompileError::Position(error)
    }
}
