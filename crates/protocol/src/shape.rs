//! What a move looks like to people who know chess: a piece goes from one field to another, takes, is promoted,
//! castles. Found from what the move changes, for any game; moves that look otherwise have no shape.

use game::castling::CastlingRights;
use game::geometry::NO_FIELD;
use game::notation::explosion::{distance, vanishing_point};
use game::{Change, Field, GameInfo, MoveView, PieceCode, Position};

/// A piece that goes from one field to another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// The piece as it was before the move.
    pub piece: PieceCode,
    /// Where it came from.
    pub from: Field,
    /// Where it went, even if it vanished there.
    pub to: Field,
    /// Whether a piece of the opponent is gone.
    pub takes: bool,
    /// What it became, if that is something else.
    pub promotion: Option<PieceCode>,
    /// Where the other own piece stood that went with it, if it castled.
    pub castles_with: Option<Field>,
    /// Whether it is gone after its move, as in atomic chess.
    pub vanishes: bool,
}

fn piece(value: i32) -> PieceCode {
    PieceCode(value as u8)
}

impl Shape {
    /// The shape of a legal move of this position; `None` if no single piece goes somewhere.
    #[must_use]
    pub fn of(info: &GameInfo, position: &Position, played: MoveView<'_>) -> Option<Shape> {
        let (from, mover) = (played.head.lead, position.mover());
        if from == NO_FIELD {
            return None;
        }
        if let Some(rights) = info.notation.castling_rights()
            && let Some(shape) = castling(info, position, played, rights)
        {
            return Some(shape);
        }
        let fields = info.geometry.fields();
        let on_board = || played.changes.iter().filter(|change| change.slot() < fields);
        let start = on_board().find(|change| change.slot() == usize::from(from))?;
        let moving = piece(start.old());
        if info.colour_of(moving) != Some(mover) || start.new() != i32::from(PieceCode::EMPTY.0) {
            return None;
        }
        let own = |value: i32| info.colour_of(piece(value)) == Some(mover);
        let arrivals: Vec<Change> = on_board().filter(|change| own(change.new())).copied().collect();
        let same: Vec<Change> =
            arrivals.iter().copied().filter(|change| piece(change.new()) == moving).collect();
        let (to, promotion) = match (&same[..], &arrivals[..]) {
            ([to], _) => (to.slot() as Field, None),
            ([], [to]) => (to.slot() as Field, Some(piece(to.new()))),
            ([], []) => (vanishing_point(info, position, played)?, None),
            _ => return None,
        };
        let theirs = |value: i32| info.colour_of(piece(value)) == Some(mover.opponent());
        let takes = on_board().any(|change| theirs(change.old()));
        let castles = !takes && promotion.is_none() && arrivals.len() == 2;
        let departure = || on_board().find(|change| change.slot() != usize::from(from) && own(change.old()));
        let castles_with = castles.then(departure).flatten().map(|change| change.slot() as Field);
        let vanishes = arrivals.is_empty();
        Some(Shape { piece: moving, from, to, takes, promotion, castles_with, vanishes })
    }

    /// Whether it castled to the right, as white sees the board; `None` if it did not castle.
    #[must_use]
    pub fn castles_right(&self, info: &GameInfo) -> Option<bool> {
        Some(info.geometry.column(self.castles_with?) > info.geometry.column(self.from))
    }

    /// Whether a pawn came to the end of the board and was gone before it was promoted. Programs name a piece
    /// nevertheless.
    #[must_use]
    pub fn vanishes_at_the_end(&self, info: &GameInfo) -> bool {
        let row = info.geometry.row(self.to);
        self.vanishes && self.letter(info).is_none() && (row == 1 || row == info.geometry.rows())
    }

    /// The letter of the piece, as chess players write it: none for a pawn.
    #[must_use]
    pub fn letter(&self, info: &GameInfo) -> Option<char> {
        let (kind, _) = info.piece(self.piece)?;
        (kind.name != "pawn").then(|| letter_of(info, self.piece))
    }
}

/// Castling where king and rook may begin anywhere, so that either may stay where it is, or go where the other was. The
/// king is what is moved first: it castles if a rook arrives somewhere, or if it goes further than one step.
fn castling(
    info: &GameInfo,
    position: &Position,
    played: MoveView<'_>,
    rights: CastlingRights,
) -> Option<Shape> {
    let (from, mover) = (played.head.lead, position.mover());
    let (king, rook) = (rights.king_of(info, mover), rights.rook_of(info, mover));
    if position.piece(from) != king {
        return None;
    }
    let fields = info.geometry.fields();
    let on_board = || played.changes.iter().filter(|change| change.slot() < fields);
    let arrives = |code: PieceCode| on_board().find(|change| piece(change.new()) == code);
    let to = arrives(king).map_or(from, |change| change.slot() as Field);
    let goes_right = info.geometry.column(to) > info.geometry.column(from);
    let castles_with = match on_board().find(|change| piece(change.old()) == rook) {
        Some(change) => change.slot() as Field,
        None if arrives(rook).is_none() && distance(info, from, to) > 1 => {
            rights.rook_field(info, position, mover, goes_right)?
        }
        None => return None,
    };
    Some(Shape {
        piece: king,
        from,
        to,
        takes: false,
        promotion: None,
        castles_with: Some(castles_with),
        vanishes: false,
    })
}

/// The letter of a piece of either player.
#[must_use]
pub fn letter_of(info: &GameInfo, code: PieceCode) -> char {
    info.piece(code).map_or('?', |(kind, _)| kind.characters[0].to_ascii_uppercase())
}
