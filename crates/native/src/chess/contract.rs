//! Chess behind the contract. Properties and notation are those of `games/chess.mg`: black sees the board
//! rotated, so black's king's side is to the left.

use cozy_chess::{Board, BoardBuilder, CastleRights, Color, File, Move, Piece, PieceMoves, Rank, Square};
use game::fen::{FenField, PositionNotation};
use game::info::PropertyKind;
use game::moves::{Change, MoveList, MoveView};
use game::signature::mixed as key;
use game::text::PositionError;
use game::{Colour, Game, GameInfo, Geometry, Outcome, Position, RuleFault, Signature, Stage, fen};

use crate::declare::{TURN, add_property, head, includes, piece_keys, push_sorted, two_players};

/// Slots behind the 64 fields: the right to castle, each for white and black; then the other properties.
const MAY_CASTLE_LEFT: usize = 64;
const MAY_CASTLE_RIGHT: usize = 66;
const EN_PASSANT: usize = 68;
const HALFMOVES: usize = 69;
const SLOTS: usize = 70;
/// Moves without capture or pawn move after which the game is drawn.
const HALFMOVES_MAX: u8 = 100;
/// Below this the count does not enter the signature.
const HALFMOVES_SILENT_BELOW: u8 = 80;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// What a piece adds to the signature, by code and field.
static PIECES: [[u64; 64]; 13] = [
    [0; 64],
    piece_keys(1),
    piece_keys(2),
    piece_keys(3),
    piece_keys(4),
    piece_keys(5),
    piece_keys(6),
    piece_keys(7),
    piece_keys(8),
    piece_keys(9),
    piece_keys(10),
    piece_keys(11),
    piece_keys(12),
];

/// Chess for searches.
pub struct NativeChess {
    info: GameInfo,
}

/// A chess position for searches. `cozy-chess` cannot take moves back: positions remember the boards that they
/// came from; a copy forgets them and has to rebuild a board to go back beyond its making.
#[derive(Debug)]
pub struct ChessPosition {
    board: Board,
    signature: u64,
    /// Slots 64 to 69.
    properties: [u8; SLOTS - 64],
    past: Vec<Board>,
}

impl Clone for ChessPosition {
    fn clone(&self) -> ChessPosition {
        ChessPosition { board: self.board.clone(), past: Vec::new(), ..*self }
    }
}

impl PartialEq for ChessPosition {
    fn eq(&self, other: &ChessPosition) -> bool {
        (self.signature, &self.properties, &self.board) == (other.signature, &other.properties, &other.board)
    }
}

impl ChessPosition {
    /// The board, for those who want to ask more than the contract answers.
    #[must_use]
    pub fn board(&self) -> &Board {
        &self.board
    }

    fn property(&self, slot: usize) -> u8 {
        self.properties[slot - 64]
    }

    fn is_capture(&self, played: Move) -> bool {
        let (mover, piece) = (self.board.side_to_move(), self.board.piece_on(played.from));
        let pawn_goes_aside = piece == Some(Piece::Pawn) && played.from.file() != played.to.file();
        pawn_goes_aside || self.board.colors(!mover).has(played.to)
    }
}

impl NativeChess {
    /// The game.
    #[must_use]
    pub fn new() -> NativeChess {
        let pieces = [
            ("pawn", 'P', 'p'),
            ("knight", 'N', 'n'),
            ("bishop", 'B', 'b'),
            ("rook", 'R', 'r'),
            ("queen", 'Q', 'q'),
            ("king", 'K', 'k'),
        ];
        let mut info = two_players("chess", Geometry::grid(8, 8), &pieces);
        add_property(&mut info, "may_castle_left", PropertyKind::Player, 1, None);
        add_property(&mut info, "may_castle_right", PropertyKind::Player, 1, None);
        add_property(&mut info, "en_passant", PropertyKind::Board, 8, None);
        let silent = Some(i64::from(HALFMOVES_SILENT_BELOW));
        add_property(&mut info, "halfmoves", PropertyKind::Board, i64::from(HALFMOVES_MAX), silent);
        assert_eq!(info.stored_slots(), SLOTS, "the slots are where the constants say");
        let flags = vec![
            ('K', MAY_CASTLE_RIGHT),
            ('Q', MAY_CASTLE_LEFT),
            ('k', MAY_CASTLE_LEFT + 1),
            ('q', MAY_CASTLE_RIGHT + 1),
        ];
        info.notation = PositionNotation::Fen(vec![
            FenField::Flags(flags),
            FenField::Square(EN_PASSANT, 6),
            FenField::Number(HALFMOVES),
            FenField::Counter,
        ]);
        info.start = Some(fen::read(&info, START).expect("the start position is written correctly"));
        NativeChess { info }
    }

    fn push(&self, position: &ChessPosition, played: Move, list: &mut MoveList) {
        let forcing = position.is_capture(played) || played.promotion.is_some();
        let mut changes = Changes::new(position);
        changes.move_pieces(played);
        changes.update_rights(played);
        changes.update_en_passant(played);
        let irreversible = changes.update_halfmoves(played);
        let head = head(changes.difference, played.from as u16).with_marks(irreversible, forcing);
        push_sorted(list, head, &mut changes.list[..changes.count]);
    }
}

impl Default for NativeChess {
    fn default() -> NativeChess {
        NativeChess::new()
    }
}

fn code(piece: Piece, colour: Color) -> i32 {
    1 + 2 * piece as i32 + colour as i32
}

/// The piece with a code and its colour; `None` for an empty field.
fn piece(code: i32) -> Option<(Piece, Color)> {
    let index = usize::try_from(code - 1).ok()?;
    Some((Piece::ALL[index / 2], Color::ALL[index % 2]))
}

/// The column of a file, from 1, as a player sees it.
fn column(file: File, mover: Color) -> u8 {
    if mover == Color::White { file as u8 + 1 } else { 8 - file as u8 }
}

/// What a property's value adds to the signature.
fn property_key(slot: usize, value: u8) -> u64 {
    let silent = value == 0 || slot == HALFMOVES && value < HALFMOVES_SILENT_BELOW;
    if silent { 0 } else { key(slot as u32, i32::from(value)) }
}

/// The changes of a move as they come together.
struct Changes<'position> {
    before: &'position ChessPosition,
    mover: Color,
    /// At most four fields, four rights, en passant and the count.
    list: [Change; 10],
    count: usize,
    difference: u64,
}

impl<'position> Changes<'position> {
    fn new(before: &'position ChessPosition) -> Changes<'position> {
        let list = [Change::tag(0, 0); 10];
        Changes { before, mover: before.board.side_to_move(), list, count: 0, difference: TURN }
    }

    fn add(&mut self, change: Change) {
        self.list[self.count] = change;
        self.count += 1;
    }

    fn put(&mut self, field: Square, new: i32) {
        let board = &self.before.board;
        let old =
            board.piece_on(field).zip(board.color_on(field)).map_or(0, |(piece, colour)| code(piece, colour));
        self.difference ^= PIECES[old as usize][field as usize] ^ PIECES[new as usize][field as usize];
        self.add(Change::new_value(field as usize, old, new));
    }

    fn set(&mut self, slot: usize, new: u8) {
        let old = self.before.property(slot);
        if old != new {
            self.difference ^= property_key(slot, old) ^ property_key(slot, new);
            self.add(Change::new_value(slot, i32::from(old), i32::from(new)));
        }
    }

    fn piece(&self, played: Move) -> Piece {
        self.before.board.piece_on(played.from).expect("a piece stands where the move starts")
    }

    fn move_pieces(&mut self, played: Move) {
        let (mover, board, moved) = (self.mover, &self.before.board, self.piece(played));
        self.put(played.from, 0);
        if board.colors(mover).has(played.to) {
            // Castling: cozy-chess lets the king capture its rook.
            let short = played.from.file() < played.to.file();
            let (king, rook) = if short { (File::G, File::F) } else { (File::C, File::D) };
            let rank = played.from.rank();
            self.put(played.to, 0);
            self.put(Square::new(king, rank), code(Piece::King, mover));
            self.put(Square::new(rook, rank), code(Piece::Rook, mover));
            return;
        }
        self.put(played.to, code(played.promotion.unwrap_or(moved), mover));
        if self.before.is_capture(played) && !board.occupied().has(played.to) {
            self.put(Square::new(played.to.file(), played.from.rank()), 0);
        }
    }

    fn update_rights(&mut self, played: Move) {
        if self.before.properties[..4] == [0; 4] {
            return;
        }
        for colour in Color::ALL {
            let rank = Rank::First.relative_to(colour);
            let king_moves = colour == self.mover && self.piece(played) == Piece::King;
            let is_touched = |file: File| {
                let corner = Square::new(file, rank);
                played.to == corner || played.from == corner
            };
            let files = if colour == Color::White { [File::A, File::H] } else { [File::H, File::A] };
            for (file, slot) in files.into_iter().zip([MAY_CASTLE_LEFT, MAY_CASTLE_RIGHT]) {
                if king_moves || is_touched(file) {
                    self.set(slot + colour as usize, 0);
                }
            }
        }
    }

    /// The right to take in passing is there only if such a move is legal.
    fn update_en_passant(&mut self, played: Move) {
        let is_double = self.piece(played) == Piece::Pawn
            && (played.from.rank() as usize).abs_diff(played.to.rank() as usize) == 2;
        let foe = !self.mover;
        let beside = played.to.file().adjacent() & played.to.rank().bitboard();
        let takers = beside & self.before.board.colored_pieces(foe, Piece::Pawn);
        let is_taken = is_double && !takers.is_empty() && {
            let passed = Square::new(played.to.file(), Rank::Third.relative_to(self.mover));
            let mut after = self.before.board.clone();
            after.play_unchecked(played);
            after.generate_moves_for(takers, |moves| moves.to.has(passed))
        };
        self.set(EN_PASSANT, if is_taken { column(played.to.file(), foe) } else { 0 });
    }

    /// Says whether the count starts again, that is, whether the move cannot be undone.
    fn update_halfmoves(&mut self, played: Move) -> bool {
        let irreversible = self.piece(played) == Piece::Pawn || self.before.is_capture(played);
        let count = self.before.property(HALFMOVES);
        self.set(HALFMOVES, if irreversible { 0 } else { (count + 1).min(HALFMOVES_MAX) });
        irreversible
    }
}

/// The board of slots, as well as `cozy-chess` can represent it.
fn build(slots: impl Fn(usize) -> i32, mover: Color, fullmove_number: u16) -> Option<Board> {
    let mut builder = BoardBuilder::empty();
    for square in Square::ALL {
        *builder.square_mut(square) = piece(slots(square as usize));
    }
    builder.side_to_move = mover;
    builder.halfmove_clock = slots(HALFMOVES) as u8;
    builder.fullmove_number = fullmove_number.max(1);
    for colour in Color::ALL {
        let right = |slot: usize, file: File| (slots(slot + colour as usize) != 0).then_some(file);
        let rights = builder.castle_rights_mut(colour);
        let (long, short) = match colour {
            Color::White => (MAY_CASTLE_LEFT, MAY_CASTLE_RIGHT),
            Color::Black => (MAY_CASTLE_RIGHT, MAY_CASTLE_LEFT),
        };
        (rights.long, rights.short) = (right(long, File::A), right(short, File::H));
    }
    let file = File::ALL.into_iter().find(|&file| i32::from(column(file, mover)) == slots(EN_PASSANT));
    builder.en_passant = file.map(|file| Square::new(file, Rank::Sixth.relative_to(mover)));
    // Texts claim rights that the pieces do not bear out: then they are worth nothing.
    builder.build().ok().or_else(|| {
        builder.en_passant = None;
        builder.build().ok().or_else(|| {
            builder.castle_rights = [CastleRights::EMPTY; 2];
            builder.build().ok()
        })
    })
}

/// The move in the terms of `cozy-chess`.
fn cozy_move(played: MoveView<'_>, mover: Color) -> Move {
    let own = |value: i32| piece(value).filter(|&(_, colour)| colour == mover).map(|(piece, _)| piece);
    let (mut from, mut to, mut rook) = (None, None, None);
    for change in played.changes.iter().filter(|change| change.slot() < 64) {
        let square = Square::index(change.slot());
        match (own(change.old()), own(change.new())) {
            (Some(Piece::Rook), None) if from.is_some() => rook = Some(square),
            (Some(left), None) => {
                if let Some((Piece::Rook, first)) = from.replace((left, square)) {
                    rook = Some(first);
                }
            }
            (_, Some(arrived)) => to = Some((arrived, square)),
            (None, None) => {}
        }
    }
    let (left, from) = from.expect("a chess move leaves a field");
    let (arrived, to) = to.expect("a chess move reaches a field");
    match rook {
        Some(rook) => Move { from, to: rook, promotion: None },
        None => Move { from, to, promotion: (left != arrived).then_some(arrived) },
    }
}

impl Game for NativeChess {
    type Position = ChessPosition;

    fn info(&self) -> &GameInfo {
        &self.info
    }

    /// # Panics
    /// If the pieces are impossible: not one king each, a pawn on an edge row, the king of the side that is
    /// not to move in check.
    fn accepts(&self, position: &Position) -> Result<(), PositionError> {
        let mover = Color::ALL[position.mover().index()];
        match build(|slot| position.get(slot), mover, 1) {
            Some(_) => Ok(()),
            None => Err(PositionError {
                message: "no game of chess gets there: each side has one king, no pawn stands on the first or last rank, \
                          and the player to move cannot take the king"
                    .to_owned(),
            }),
        }
    }

    /// # Panics
    /// If the position is not accepted.
    fn pack(&self, position: &Position) -> ChessPosition {
        let mover = Color::ALL[position.mover().index()];
        let board = build(|slot| position.get(slot), mover, 1)
            .expect("one king each, pawns inside, no king en prise");
        let properties = std::array::from_fn(|index| position.get(64 + index) as u8);
        ChessPosition { board, signature: position.signature().0, properties, past: Vec::new() }
    }

    fn unpack(&self, position: &ChessPosition) -> Position {
        let mut plain = Position::empty(&self.info);
        for square in position.board.occupied() {
            let piece = position.board.piece_on(square).zip(position.board.color_on(square));
            plain.set(&self.info, square as usize, piece.map_or(0, |(piece, colour)| code(piece, colour)));
        }
        for (slot, &value) in (64..).zip(&position.properties) {
            plain.set(&self.info, slot, i32::from(value));
        }
        plain.set_mover(self.mover(position));
        plain
    }

    fn mover(&self, position: &ChessPosition) -> Colour {
        Colour::BOTH[position.board.side_to_move() as usize]
    }

    fn signature(&self, position: &ChessPosition) -> Signature {
        Signature(position.signature)
    }

    fn generate(
        &self,
        position: &ChessPosition,
        stage: Stage,
        list: &mut MoveList,
    ) -> Result<Option<Outcome>, RuleFault> {
        list.clear();
        let board = &position.board;
        if !board.generate_moves(|_| true) {
            return Ok(Some(if board.checkers().is_empty() { Outcome::Draw } else { Outcome::Loss }));
        }
        if position.property(HALFMOVES) >= HALFMOVES_MAX {
            return Ok(Some(Outcome::Draw));
        }
        board.generate_moves(|moves: PieceMoves| {
            for played in moves {
                if includes(stage, position.is_capture(played) || played.promotion.is_some()) {
                    self.push(position, played, list);
                }
            }
            false
        });
        Ok(None)
    }

    fn count(&self, position: &ChessPosition, _: &mut MoveList) -> Result<usize, RuleFault> {
        let mut count = 0;
        if position.property(HALFMOVES) < HALFMOVES_MAX {
            position.board.generate_moves(|moves| {
                count += moves.len();
                false
            });
        }
        Ok(count)
    }

    fn play(&self, position: &mut ChessPosition, played: MoveView<'_>) {
        let cozy = cozy_move(played, position.board.side_to_move());
        position.past.push(position.board.clone());
        position.board.play_unchecked(cozy);
        position.signature ^= played.head.signature_difference.0;
        for change in played.changes.iter().filter(|change| change.slot() >= 64) {
            position.properties[change.slot() - 64] = change.new() as u8;
        }
    }

    fn take_back(&self, position: &mut ChessPosition, played: MoveView<'_>) {
        position.signature ^= played.head.signature_difference.0;
        for change in played.changes.iter().filter(|change| change.slot() >= 64) {
            position.properties[change.slot() - 64] = change.old() as u8;
        }
        position.board = position.past.pop().unwrap_or_else(|| {
            let mut plain = self.unpack(position);
            for change in played.changes {
                plain.set(&self.info, change.slot(), change.old());
            }
            let mover = !position.board.side_to_move();
            let number = position.board.fullmove_number() - u16::from(mover == Color::Black);
            build(|slot| plain.get(slot), mover, number).expect("the position was there before the move")
        });
    }

    /// A king in check cannot pass here, so passing could not show it.
    fn is_threatened(&self, position: &ChessPosition) -> Option<bool> {
        Some(!position.board.checkers().is_empty())
    }

    fn pass(&self, position: &mut ChessPosition) -> bool {
        let Some(board) = position.board.null_move() else { return false };
        position.past.push(std::mem::replace(&mut position.board, board));
        position.signature ^= TURN;
        if position.property(EN_PASSANT) != 0 {
            position.signature ^= key(EN_PASSANT as u32, i32::from(position.property(EN_PASSANT)));
            position.properties[EN_PASSANT - 64] = 0;
        }
        true
    }

    /// The material, in hundredths of a pawn.
    fn evaluate(&self, position: &ChessPosition) -> Result<i32, RuleFault> {
        const WORTH: [(Piece, i32); 5] = [
            (Piece::Pawn, 100),
            (Piece::Knight, 320),
            (Piece::Bishop, 330),
            (Piece::Rook, 500),
            (Piece::Queen, 900),
        ];
        let mover = position.board.side_to_move();
        let count = |colour: Color, piece: Piece| position.board.colored_pieces(colour, piece).len() as i32;
        let lead = |(piece, worth): (Piece, i32)| worth * (count(mover, piece) - count(!mover, piece));
        Ok(WORTH.into_iter().map(lead).sum())
    }
}
