//! Connect-4 behind the contract.

use game::moves::{Change, MoveList, MoveView};
use game::{Colour, Game, GameInfo, Geometry, Outcome, Position, RuleFault, Signature, Stage};

use super::{BOARD, COLUMNS, Connect4, DISCS, ROWS};
use crate::declare::{bits, head, two_players};

/// Connect-4 for searches. White (`X`) begins.
pub struct NativeConnect4 {
    info: GameInfo,
}

impl NativeConnect4 {
    /// The game.
    #[must_use]
    pub fn new() -> NativeConnect4 {
        let mut info = two_players("connect4", Geometry::grid(COLUMNS, ROWS), &[("disc", 'X', 'O')]);
        info.sides = 1;
        info.start = Some(Position::empty(&info));
        NativeConnect4 { info }
    }
}

impl Default for NativeConnect4 {
    fn default() -> NativeConnect4 {
        NativeConnect4::new()
    }
}

fn field_of(bit: usize) -> usize {
    bit % (ROWS + 1) * COLUMNS + bit / (ROWS + 1)
}

fn bit_of(field: usize) -> usize {
    field % COLUMNS * (ROWS + 1) + field / COLUMNS
}

impl Game for NativeConnect4 {
    type Position = Connect4;

    fn info(&self) -> &GameInfo {
        &self.info
    }

    fn pack(&self, position: &Position) -> Connect4 {
        let of = |colour: Colour| {
            let code = i32::from(self.info.pieces[0].codes[colour.index()].0);
            let fields = position.fields().iter().enumerate().filter(|&(_, &piece)| piece == code);
            fields.fold(0, |set, (field, _)| set | 1 << bit_of(field))
        };
        let mover = position.mover();
        Connect4 {
            mine: of(mover),
            taken: of(mover) | of(mover.opponent()),
            signature: position.signature().0,
            mover: mover.index(),
        }
    }

    fn unpack(&self, position: &Connect4) -> Position {
        let mut plain = Position::empty(&self.info);
        let mover = self.mover(position);
        for (set, colour) in [(position.mine, mover), (position.mine ^ position.taken, mover.opponent())] {
            for bit in bits(set) {
                plain.put(&self.info, field_of(bit) as u16, self.info.pieces[0].codes[colour.index()]);
            }
        }
        plain.set_mover(mover);
        plain
    }

    fn mover(&self, position: &Connect4) -> Colour {
        Colour::BOTH[position.mover]
    }

    fn signature(&self, position: &Connect4) -> Signature {
        Signature(position.signature)
    }

    fn generate(
        &self,
        position: &Connect4,
        stage: Stage,
        list: &mut MoveList,
    ) -> Result<Option<Outcome>, RuleFault> {
        list.clear();
        if position.is_lost() {
            return Ok(Some(Outcome::Loss));
        }
        if position.taken == BOARD {
            return Ok(Some(Outcome::Draw));
        }
        if stage != Stage::Forcing {
            // A position from text may have discs in the air; the lowest gap is filled first.
            for bit in bits(position.open() & !position.taken) {
                let field = field_of(bit);
                let head = head(DISCS[position.mover][bit], field as u16).with_marks(true, false);
                let change = Change::new_value(field, 0, position.mover as i32 + 1);
                list.push(head, [change]);
            }
        }
        Ok(None)
    }

    fn play(&self, position: &mut Connect4, played: MoveView<'_>) {
        *position = position.after(1 << bit_of(played.changes[0].slot()));
    }

    fn take_back(&self, position: &mut Connect4, played: MoveView<'_>) {
        let taken = position.taken ^ (1 << bit_of(played.changes[0].slot()));
        *position = Connect4 {
            mine: position.mine ^ taken,
            taken,
            signature: position.signature ^ played.head.signature_difference.0,
            mover: position.mover ^ 1,
        };
    }

    /// Nothing: connect-4 is decided by search alone here.
    fn evaluate(&self, _: &Connect4) -> Result<i32, RuleFault> {
        Ok(0)
    }
}
