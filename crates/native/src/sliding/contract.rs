//! Sliding tiles behind the contract.

use game::fen::PositionNotation;
use game::moves::{Change, MoveList, MoveView};
use game::text::PositionError;
use game::{Colour, Game, GameInfo, Geometry, Outcome, Position, RuleFault, Signature, Stage};

use super::{Sliding, around, difference};
use crate::declare::{head, one_player, push_sorted};

/// A sliding-tile puzzle for searches. The evaluation is the Manhattan distance, which is 0 in the solved
/// position only.
pub struct NativeSliding<const SIDE: usize, const BLANKS: usize> {
    info: GameInfo,
    ends_when_solved: bool,
}

impl<const SIDE: usize, const BLANKS: usize> NativeSliding<SIDE, BLANKS> {
    /// The puzzle; it goes on when solved, so that move sequences from the solved position can be counted.
    #[must_use]
    pub fn new() -> Self {
        let name = match (SIDE, BLANKS) {
            (4, 1) => "puzzle15",
            (5, 1) => "puzzle24",
            _ => "doubleblank",
        };
        let character = |tile: usize| if tile < 10 { b'0' + tile as u8 } else { b'A' + tile as u8 - 10 };
        let tiles: Vec<(String, char)> = (1..=SIDE * SIDE - BLANKS)
            .map(|tile| (format!("tile{tile}"), char::from(character(tile))))
            .collect();
        let mut info = one_player(name, Geometry::grid(SIDE, SIDE), &tiles);
        info.notation = PositionNotation::Tiles;
        let mut game = NativeSliding { info, ends_when_solved: false };
        game.info.start = Some(game.unpack(&Sliding::solved()));
        game
    }

    /// The puzzle as a solver wants it: the solved position is the end, and won.
    #[must_use]
    pub fn ending_when_solved() -> Self {
        NativeSliding { ends_when_solved: true, ..NativeSliding::new() }
    }
}

impl<const SIDE: usize, const BLANKS: usize> Default for NativeSliding<SIDE, BLANKS> {
    fn default() -> Self {
        NativeSliding::new()
    }
}

/// The two fields of a move: where the tile was and where it goes.
fn fields(played: MoveView<'_>) -> (u8, u8) {
    let [first, second] = [0, 1].map(|index| played.changes[index]);
    let (from, to) = if first.new() == 0 { (first, second) } else { (second, first) };
    (from.slot() as u8, to.slot() as u8)
}

impl<const SIDE: usize, const BLANKS: usize> Game for NativeSliding<SIDE, BLANKS> {
    type Position = Sliding<SIDE, BLANKS>;

    fn info(&self) -> &GameInfo {
        &self.info
    }

    fn accepts(&self, position: &Position) -> Result<(), PositionError> {
        let blanks = position.fields().iter().filter(|&&tile| tile == 0).count();
        match blanks < BLANKS {
            true => {
                let message = format!("a position of this puzzle has {BLANKS} empty fields, not {blanks}");
                Err(PositionError { message })
            }
            false => Ok(()),
        }
    }

    /// # Panics
    /// If there are fewer blanks than the puzzle has. More than that stay where they are.
    fn pack(&self, position: &Position) -> Self::Position {
        let mut packed =
            Sliding { tiles: [0; 32], blanks: [0; BLANKS], signature: position.signature().0.to_le_bytes() };
        let mut blanks = 0;
        for (field, &tile) in position.fields().iter().enumerate() {
            packed.tiles[field] = tile as u8;
            if tile == 0 && blanks < BLANKS {
                packed.blanks[blanks] = field as u8;
                blanks += 1;
            }
        }
        assert_eq!(blanks, BLANKS, "a position of this puzzle has {BLANKS} empty fields");
        packed
    }

    fn unpack(&self, position: &Self::Position) -> Position {
        let mut plain = Position::empty(&self.info);
        for (field, &tile) in position.tiles.iter().take(SIDE * SIDE).enumerate() {
            plain.set(&self.info, field, i32::from(tile));
        }
        plain
    }

    fn position_bytes(&self) -> usize {
        game::bytes::size(&self.info) + BLANKS
    }

    /// Moves come in the order of the blanks, so that goes along.
    fn write(&self, position: &Self::Position, into: &mut Vec<u8>) {
        into.push(Colour::White.index() as u8);
        into.extend_from_slice(&position.tiles[..SIDE * SIDE]);
        into.extend_from_slice(&position.blanks);
    }

    fn read(&self, bytes: &[u8]) -> Option<Self::Position> {
        let (plain, blanks) = bytes.split_at_checked(game::bytes::size(&self.info))?;
        let plain = game::bytes::read(&self.info, plain)?;
        self.accepts(&plain).ok()?;
        let mut position = self.pack(&plain);
        let blanks: [u8; BLANKS] = blanks.try_into().ok()?;
        let is_empty =
            |&blank: &u8| usize::from(blank) < SIDE * SIDE && position.tiles[usize::from(blank)] == 0;
        let is_single = |index: usize| !blanks[..index].contains(&blanks[index]);
        if !blanks.iter().all(is_empty) || !(0..BLANKS).all(is_single) {
            return None;
        }
        position.blanks = blanks;
        Some(position)
    }

    fn mover(&self, _: &Self::Position) -> Colour {
        Colour::White
    }

    fn signature(&self, position: &Self::Position) -> Signature {
        Signature(position.signature())
    }

    fn generate(
        &self,
        position: &Self::Position,
        stage: Stage,
        list: &mut MoveList,
    ) -> Result<Option<Outcome>, RuleFault> {
        list.clear();
        let solved =
            || (0..SIDE * SIDE).all(|field| position.tiles[field] == Sliding::<SIDE, BLANKS>::home(field));
        if self.ends_when_solved && solved() {
            return Ok(Some(Outcome::Win));
        }
        if stage == Stage::Forcing {
            return Ok(None);
        }
        for to in position.blanks {
            let around = around::<SIDE>(to);
            for &from in &around.fields[..around.count] {
                let tile = position.tiles[usize::from(from)];
                if tile != 0 {
                    let head = head(difference(tile, from, to), u16::from(from));
                    let change =
                        |field: u8, old: u8, new: u8| Change::new_value(field.into(), old.into(), new.into());
                    let mut changes = [change(from, tile, 0), change(to, 0, tile)];
                    push_sorted(list, head, &mut changes);
                }
            }
        }
        Ok(None)
    }

    fn play(&self, position: &mut Self::Position, played: MoveView<'_>) {
        let (from, to) = fields(played);
        let blank = position.blanks.iter().position(|&blank| blank == to);
        position.slide(blank.expect("a tile slides into a blank"), from, to);
        position.sign(position.signature() ^ played.head.signature_difference.0);
    }

    fn take_back(&self, position: &mut Self::Position, played: MoveView<'_>) {
        let (from, to) = fields(played);
        let blank = position.blanks.iter().position(|&blank| blank == from);
        position.slide(blank.expect("a tile came from where a blank is"), to, from);
        position.sign(position.signature() ^ played.head.signature_difference.0);
    }

    fn goal(&self) -> Option<Vec<u128>> {
        Some((0..SIDE * SIDE).map(|field| 1 << Sliding::<SIDE, BLANKS>::home(field)).collect())
    }

    fn interchangeable(&self) -> u128 {
        // Positions that are made up have their blanks in the order of the fields, and moves are in that of the blanks.
        ((1 << (SIDE * SIDE - BLANKS)) - 1) << 1
    }

    /// The Manhattan distance: how far every tile is from its home, together.
    fn evaluate(&self, position: &Self::Position) -> Result<i32, RuleFault> {
        let distance = |field: usize| {
            let tile = usize::from(position.tiles[field]);
            let home = (SIDE - 1 - tile / SIDE) * SIDE + tile % SIDE;
            match tile {
                0 => 0,
                _ => (field % SIDE).abs_diff(home % SIDE) + (field / SIDE).abs_diff(home / SIDE),
            }
        };
        Ok((0..SIDE * SIDE).map(distance).sum::<usize>() as i32)
    }
}
