//! Moves as chess players write them: `Nbd7`, `exd5`, `O-O`, `e8=Q#`. For every game whose moves have a
//! [`Shape`]; other moves keep the game's own notation.
//!
//! `#` says that the move wins the game. `+` is written where it can be known: the game has a piece that is never
//! taken, and if the opponent passed it could be. A check by a piece that may not leave its line is not seen, and
//! none is where the generator does not let a player pass (`native:chess` does not while there is check).

use game::notation::{self, MoveError, Names};
use game::{Game, GameInfo, MoveList, MoveView, Outcome, PieceCode, Position, RuleFault, Stage};
use search::Knowledge;

use crate::coordinates;
use crate::shape::{Shape, letter_of};

/// A legal move of a position in standard algebraic notation, if that is read as this move; otherwise its name in the
/// game's own notation, which always is.
///
/// # Errors
/// When the rules go wrong in the position after the move.
pub fn write<G: Game>(
    game: &G,
    knowledge: &Knowledge,
    position: &G::Position,
    legal: &MoveList,
    played: MoveView<'_>,
) -> Result<String, RuleFault> {
    let (info, plain) = (game.info(), game.unpack(position));
    let Some(index) = legal.iter().position(|candidate| candidate.same_as(played)) else {
        return Ok(notation::long_form(info, played));
    };
    let reader = Reader::new(info, &plain, legal);
    let algebraic = match reader.own.is_given(index) {
        true => None,
        false => without_suffix(info, &plain, legal, played),
    };
    if let Some(mut text) = algebraic {
        text.push_str(suffix(game, knowledge, position, played)?);
        if reader.find(&text) == Ok(index) {
            return Ok(text);
        }
    }
    Ok(reader.own.short()[index].clone())
}

/// The move without `+` and `#`, if it has a shape.
fn without_suffix(
    info: &GameInfo,
    position: &Position,
    legal: &MoveList,
    played: MoveView<'_>,
) -> Option<String> {
    let shape = Shape::of(info, position, played)?;
    if let Some(right) = shape.castles_right(info) {
        return Some(if right { "O-O" } else { "O-O-O" }.to_owned());
    }
    let target = info.field_name(shape.to);
    let mut text = String::new();
    match shape.letter(info) {
        Some(letter) => {
            text.push(letter);
            text.push_str(&origin(info, position, legal, &shape));
        }
        None if shape.takes => text.push_str(&column(info, &shape)),
        None => {}
    }
    if shape.takes {
        text.push('x');
    }
    text.push_str(&target);
    if let Some(promotion) = shape.promotion {
        text.push('=');
        text.push(letter_of(info, promotion));
    }
    Some(text)
}

fn column(info: &GameInfo, shape: &Shape) -> String {
    info.field_name(shape.from).chars().take_while(|character| character.is_alphabetic()).collect()
}

/// As much of the field that a piece comes from as is needed: nothing, column, row or both.
fn origin(info: &GameInfo, position: &Position, legal: &MoveList, shape: &Shape) -> String {
    let rivals: Vec<Shape> = legal
        .iter()
        .filter_map(|other| Shape::of(info, position, other))
        .filter(|other| other.piece == shape.piece && other.to == shape.to && other.from != shape.from)
        .collect();
    let board = &info.geometry;
    let name = info.field_name(shape.from);
    let row: String = name.chars().skip_while(|character| character.is_alphabetic()).collect();
    if rivals.is_empty() {
        String::new()
    } else if rivals.iter().all(|other| board.column(other.from) != board.column(shape.from)) {
        column(info, shape)
    } else if rivals.iter().all(|other| board.row(other.from) != board.row(shape.from)) {
        row
    } else {
        name
    }
}

fn suffix<G: Game>(
    game: &G,
    knowledge: &Knowledge,
    position: &G::Position,
    played: MoveView<'_>,
) -> Result<&'static str, RuleFault> {
    if let Some(outcome) = played.head.outcome() {
        return Ok(if outcome == Outcome::Win { "#" } else { "" });
    }
    let (mut after, mut moves) = (position.clone(), MoveList::new());
    game.play(&mut after, played);
    if let Some(outcome) = game.generate(&after, Stage::All, &mut moves)? {
        return Ok(if outcome == Outcome::Loss { "#" } else { "" });
    }
    let mover = game.mover(position);
    if !knowledge.has_royals() || !game.pass(&mut after) {
        return Ok("");
    }
    game.generate(&after, Stage::All, &mut moves)?;
    let check = moves.iter().any(|next| knowledge.takes_royal(game.info(), next, mover));
    Ok(if check { "+" } else { "" })
}

/// The index of the legal move that a text means: its name in the game's own notation or among programs, standard
/// algebraic notation, more or less exact, or something near to one of these.
///
/// # Errors
/// When no legal move fits, or several.
pub fn find(info: &GameInfo, position: &Position, legal: &MoveList, text: &str) -> Result<usize, MoveError> {
    Reader::new(info, position, legal).find(text)
}

/// Reads moves of one position.
struct Reader<'list> {
    info: &'list GameInfo,
    position: &'list Position,
    legal: &'list MoveList,
    /// In the game's own notation.
    own: Names<'list>,
    /// As programs name them.
    names: Vec<String>,
}

impl<'list> Reader<'list> {
    fn new(info: &'list GameInfo, position: &'list Position, legal: &'list MoveList) -> Reader<'list> {
        let own = Names::new(info, position, legal);
        let names = coordinates::of_names(info, position, legal, &own);
        Reader { info, position, legal, own, names }
    }

    fn find(&self, text: &str) -> Result<usize, MoveError> {
        let text = text.trim();
        let bare = text.trim_end_matches(['+', '#', '!', '?', '=']).trim_end_matches("e.p.").trim();
        let exact = |text: &str| coordinates::exact(&self.own, &self.names, text);
        let lenient =
            |text: &str| coordinates::lenient(self.info, self.position, self.legal, &self.own, text);
        if let Some(index) = exact(text) {
            return Ok(index);
        }
        if self.promotes(text) {
            return lenient(text);
        }
        if let Some(index) = exact(bare) {
            return Ok(index);
        }
        match self.fitting(bare)[..] {
            [] => lenient(bare),
            ref fitting => self.own.only(fitting, text),
        }
    }

    /// Whether a text such as `d3b1+` says that a piece is promoted rather than that there is check: it does where
    /// the rules name moves.
    fn promotes(&self, text: &str) -> bool {
        let is_way = |way: &str| {
            let to = self.info.parse_field(way).and_then(|(_, rest)| self.info.parse_field(rest));
            to.is_some_and(|(_, rest)| rest.is_empty())
        };
        let named = || (0..self.legal.len()).any(|index| self.own.is_given(index));
        text.strip_suffix('+').is_some_and(is_way) && named()
    }

    /// The moves that a text describes: by where a piece goes, or for other moves by anything natural.
    fn fitting(&self, text: &str) -> Vec<usize> {
        let pattern = Pattern::read(self.info, text);
        let fits = |&index: &usize| match Shape::of(self.info, self.position, self.legal.get(index)) {
            Some(shape) => pattern.as_ref().is_some_and(|pattern| pattern.fits(self.info, &shape)),
            None => self.own.is_called(index, text),
        };
        (0..self.legal.len()).filter(fits).collect()
    }
}

/// What a text says of a move.
enum Pattern {
    Castling { right: bool },
    Going { piece: Option<char>, from: String, to: String, promotion: Option<char> },
}

impl Pattern {
    fn read(info: &GameInfo, text: &str) -> Option<Pattern> {
        match text.replace('0', "O").as_str() {
            "O-O" => return Some(Pattern::Castling { right: true }),
            "O-O-O" => return Some(Pattern::Castling { right: false }),
            _ => {}
        }
        let is_letter = |letter: char| {
            letter.is_ascii_uppercase()
                && info.pieces.iter().any(|kind| letter_of(info, kind.codes[0]) == letter)
        };
        let piece = text.chars().next().filter(|&first| is_letter(first));
        let rest = &text[piece.map_or(0, char::len_utf8)..];
        let (rest, promotion) = match rest.trim_end_matches(')').chars().last() {
            Some(last) if is_letter(last) => {
                let rest = rest.trim_end_matches(')');
                (rest[..rest.len() - last.len_utf8()].trim_end_matches(['=', '(', '/']), Some(last))
            }
            _ => (rest, None),
        };
        let fields: String = rest.chars().filter(|sign| !matches!(sign, 'x' | '-' | ':')).collect();
        fields.char_indices().find_map(|(start, _)| {
            let (from, to) = fields.split_at(start);
            let (_, after) = info.parse_field(to)?;
            let letters = from.chars().take_while(char::is_ascii_lowercase).count();
            let proper = from.chars().skip(letters).all(|character| character.is_ascii_digit());
            (after.is_empty() && proper).then(|| {
                let (from, to) = (from.to_owned(), to.to_owned());
                Pattern::Going { piece, from, to, promotion }
            })
        })
    }

    fn fits(&self, info: &GameInfo, shape: &Shape) -> bool {
        match self {
            Pattern::Castling { right } => shape.castles_right(info) == Some(*right),
            Pattern::Going { piece, from, to, promotion } => {
                let name = info.field_name(shape.from);
                let at = name.find(|character: char| character.is_ascii_digit()).unwrap_or(name.len());
                let from_fits =
                    from.is_empty() || *from == name || *from == name[..at] || *from == name[at..];
                let letter = |code: PieceCode| letter_of(info, code);
                let piece_fits = match shape.letter(info) {
                    // A full origin says it all: `e2e4` and `Ng1f3` are both good.
                    Some(letter) => *piece == Some(letter) || piece.is_none() && *from == name,
                    None => piece.is_none() || *piece == Some('P'),
                };
                let promotion_fits = match shape.promotion {
                    Some(code) => *promotion == Some(letter(code)),
                    None => promotion.is_none() || shape.vanishes_at_the_end(info),
                };
                shape.castles_with.is_none()
                    && from_fits
                    && piece_fits
                    && promotion_fits
                    && *to == info.field_name(shape.to)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::interpreted;
    use game::text;

    fn legal<G: Game>(game: &G, position: &Position) -> MoveList {
        let mut moves = MoveList::new();
        game.generate(&game.pack(position), Stage::All, &mut moves).unwrap();
        moves
    }

    #[test]
    fn what_is_written_is_read_again() {
        let game = interpreted!("chess");
        let start = game.info().start.clone().unwrap();
        let knowledge = Knowledge::learn(&game, &start).unwrap();
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
            "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
            "8/2p5/3p4/KP5r/1R3pPk/8/4P3/8 b - g3 0 1",
            "4k3/8/8/8/8/8/8/QQ2K2Q w - - 0 1",
        ] {
            let position = text::read(game.info(), fen).unwrap();
            let moves = legal(&game, &position);
            let packed = game.pack(&position);
            for (index, played) in moves.iter().enumerate() {
                let san = write(&game, &knowledge, &packed, &moves, played).unwrap();
                assert_eq!(find(game.info(), &position, &moves, &san), Ok(index), "{fen} {san}");
            }
        }
    }

    #[test]
    fn it_is_what_chess_players_write() {
        let game = interpreted!("chess");
        let start = game.info().start.clone().unwrap();
        let knowledge = Knowledge::learn(&game, &start).unwrap();
        for (fen, coordinates, san) in [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "g1f3", "Nf3"),
            ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1c1", "O-O-O"),
            ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", "O-O"),
            ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "a1a8", "Rxa8+"),
            ("6k1/P4ppp/8/8/8/8/8/6K1 w - - 0 1", "a7a8q", "a8=Q#"),
            ("6k1/P5pp/8/8/8/8/8/6K1 w - - 0 1", "a7a8n", "a8=N"),
            ("4k3/8/8/8/8/8/8/QQ2K2Q w - - 0 1", "a1h8", "Qah8+"),
            ("8/8/8/8/4pPk1/8/8/K7 b - f3 0 1", "e4f3", "exf3"),
        ] {
            let position = text::read(game.info(), fen).unwrap();
            let moves = legal(&game, &position);
            let index = coordinates::find(game.info(), &position, &moves, coordinates).unwrap();
            let written = write(&game, &knowledge, &game.pack(&position), &moves, moves.get(index)).unwrap();
            assert_eq!(written, san);
        }
    }

    #[test]
    fn careless_writing_is_understood_and_nonsense_is_not() {
        let game = interpreted!("chess");
        let position = game.info().start.clone().unwrap();
        let moves = legal(&game, &position);
        let name = |text: &str| {
            let index = find(game.info(), &position, &moves, text)?;
            Ok::<_, MoveError>(coordinates::names(game.info(), &position, &moves)[index].clone())
        };
        for (text, expected) in
            [("Nf3!?", "g1f3"), ("e2-e4", "e2e4"), ("Pe4", "e2e4"), ("Ng1f3", "g1f3"), ("g1f3", "g1f3")]
        {
            assert_eq!(name(text).as_deref(), Ok(expected));
        }
        for text in ["", "+", "Ke2", "e5", "O-O", "x", "N", "♘f3", "e9", "Q@e4", "e8=Q", "ÿ", "=Q", "(", ")"]
        {
            assert!(name(text).is_err(), "{text}");
        }
    }
}
