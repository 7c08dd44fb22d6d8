//! Piece sets in the words of the language: `own king`, `opponent's piece`, `{empty field, own pawn}`.

use std::fmt::{self, Display, Formatter};

use game::{Colour, PieceCode};

use super::Shown;
use crate::ir::{PieceSet, Program};

impl Display for Shown<'_, PieceSet> {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.write_str(&set(self.program, self.part.codes))
    }
}

/// What `replace by` puts down.
pub(super) fn placed(program: &Program, codes: [PieceCode; 2]) -> String {
    let own = program.info.pieces.iter().find(|piece| piece.codes == codes);
    match own {
        // Without an owner it is the mover's.
        Some(piece) => piece.name.clone(),
        None => set(program, codes.map(PieceCode::bit)),
    }
}

fn set(program: &Program, codes: [u128; 2]) -> String {
    if codes == [0; 2] {
        return "no piece".to_owned();
    }
    // `find` leaves out fields that are not used; they hold no piece, so the name is the same.
    let without_unused = codes.map(|codes| codes | PieceCode::UNUSED.bit());
    let known = named(program);
    let exact = known.iter().find(|(_, known)| *known == codes).or_else(|| {
        known.iter().find(|(_, known)| known.map(|one| one | PieceCode::UNUSED.bit()) == without_unused)
    });
    if let Some((name, _)) = exact {
        return name.clone();
    }
    // From single pieces, as the mover sees them or as both players do.
    for (relative, names) in [(true, atoms(program, true)), (false, atoms(program, false))] {
        let chosen: Vec<_> = names
            .iter()
            .filter(|(_, atom)| (0..2).all(|mover| atom[mover] & codes[mover] == atom[mover]))
            .collect();
        let union = chosen.iter().fold([0; 2], |sum, (_, atom)| [sum[0] | atom[0], sum[1] | atom[1]]);
        if union == codes || (!relative && union.map(used) == codes.map(used)) {
            return braces(chosen.iter().map(|(name, _)| name.clone()));
        }
    }
    let for_one = |mover: Colour| {
        let codes = codes[mover.index()];
        let each = (0..128).map(PieceCode).filter(|code| codes & code.bit() != 0);
        let known = each.filter(|code| *code == PieceCode::EMPTY || program.info.piece(*code).is_some());
        braces(known.map(|code| program.info.piece_in_words(code)))
    };
    format!("({} for white, {} for black)", for_one(Colour::White), for_one(Colour::Black))
}

fn used(codes: u128) -> u128 {
    codes & !PieceCode::UNUSED.bit()
}

fn braces(names: impl Iterator<Item = String>) -> String {
    let names: Vec<String> = names.collect();
    match &names[..] {
        [only] => only.clone(),
        several => format!("{{{}}}", several.join(", ")),
    }
}

type Named = Vec<(String, [u128; 2])>;

/// What one description can say: single pieces first.
fn named(program: &Program) -> Named {
    let mut known = atoms(program, true);
    known.extend(atoms(program, false));
    let pieces = &program.info.pieces;
    for piece in pieces.iter().filter(|piece| !piece.is_neutral()) {
        let both = piece.codes[0].bit() | piece.codes[1].bit();
        known.push((piece.name.clone(), [both; 2]));
    }
    let all = |colour: usize| {
        let owned = pieces.iter().filter(|piece| !piece.is_neutral());
        owned.fold(0, |sum, piece| sum | piece.codes[colour].bit())
    };
    let any = pieces.iter().fold(0, |sum, piece| sum | piece.codes[0].bit() | piece.codes[1].bit());
    if program.info.players == 2 {
        known.push(("own piece".to_owned(), [all(0), all(1)]));
        known.push(("opponent's piece".to_owned(), [all(1), all(0)]));
        known.push(("white piece".to_owned(), [all(0); 2]));
        known.push(("black piece".to_owned(), [all(1); 2]));
    }
    known.push(("any piece".to_owned(), [any; 2]));
    known.push(("any field".to_owned(), [u128::MAX; 2]));
    known
}

/// Single pieces: `own king` and `opponent's king`, or `white king` and `black king`.
fn atoms(program: &Program, relative: bool) -> Named {
    let mut atoms = vec![("empty field".to_owned(), [PieceCode::EMPTY.bit(); 2])];
    for piece in &program.info.pieces {
        let (name, [white, black]) = (&piece.name, piece.codes.map(PieceCode::bit));
        if piece.is_neutral() {
            atoms.push((name.clone(), [white; 2]));
        } else if relative {
            atoms.push((format!("own {name}"), [white, black]));
            atoms.push((format!("opponent's {name}"), [black, white]));
        } else {
            atoms.push((format!("white {name}"), [white; 2]));
            atoms.push((format!("black {name}"), [black; 2]));
        }
    }
    atoms
}
