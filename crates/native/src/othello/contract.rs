//! Othello behind the contract.

use game::fen::PositionNotation;
use game::moves::{Change, MoveList, MoveView};
use game::{Colour, Game, GameInfo, Geometry, Outcome, PieceCode, Position, RuleFault, Signature, Stage};

use super::rays::portable::{flips, moves};
use super::{DISCS, Othello, turned_keys};
use crate::declare::{TURN, bits, head, two_players};
use crate::perft::Perft;

/// Othello for searches. Black (`X`) begins; the score is the difference of the discs.
pub struct NativeOthello {
    info: GameInfo,
}

impl NativeOthello {
    /// The game.
    #[must_use]
    pub fn new() -> NativeOthello {
        let mut info = two_players("othello", Geometry::grid(8, 8), &[("disc", 'O', 'X')]);
        info.sides = 1;
        info.notation = PositionNotation::Line('-');
        info.rows_from_top = true;
        let mut game = NativeOthello { info };
        game.info.start = Some(game.unpack(&Othello::start()));
        game
    }
}

impl Default for NativeOthello {
    fn default() -> NativeOthello {
        NativeOthello::new()
    }
}

impl Game for NativeOthello {
    type Position = Othello;

    fn info(&self) -> &GameInfo {
        &self.info
    }

    fn pack(&self, position: &Position) -> Othello {
        let of = |colour: Colour| {
            let code = self.info.pieces[0].codes[colour.index()];
            (0..64).filter(|&field| position.piece(field) == code).fold(0, |set, field| set | 1 << field)
        };
        let mover = position.mover();
        Othello {
            mine: of(mover),
            theirs: of(mover.opponent()),
            signature: position.signature().0,
            mover: mover.index(),
        }
    }

    fn unpack(&self, position: &Othello) -> Position {
        let mut plain = Position::empty(&self.info);
        let mover = self.mover(position);
        for (set, colour) in [(position.mine, mover), (position.theirs, mover.opponent())] {
            for field in bits(set) {
                plain.put(&self.info, field as u16, self.info.pieces[0].codes[colour.index()]);
            }
        }
        plain.set_mover(mover);
        plain
    }

    fn mover(&self, position: &Othello) -> Colour {
        Colour::BOTH[position.mover]
    }

    fn signature(&self, position: &Othello) -> Signature {
        Signature(position.signature)
    }

    fn generate(
        &self,
        position: &Othello,
        stage: Stage,
        list: &mut MoveList,
    ) -> Result<Option<Outcome>, RuleFault> {
        list.clear();
        let lead = position.mine.count_ones() as i32 - position.theirs.count_ones() as i32;
        if position.is_full() {
            return Ok(Some(Outcome::Score(lead)));
        }
        if stage == Stage::Forcing {
            return Ok(None);
        }
        let found = moves(position.mine, position.theirs);
        let own = position.mover as i32 + 1;
        for field in bits(found) {
            let turned = flips(field, position.mine, position.theirs);
            let difference = DISCS[position.mover][field] ^ turned_keys(turned) ^ TURN;
            let head = head(difference, field as u16).with_marks(true, false);
            let change = |slot: usize| match slot == field {
                true => Change::new_value(slot, 0, own),
                false => Change::new_value(slot, 3 - own, own),
            };
            list.push(head, bits(turned | 1 << field).map(change));
        }
        if found == 0 {
            let over = moves(position.theirs, position.mine) == 0;
            let outcome = over.then_some(Outcome::Score(lead));
            list.push(head(TURN, game::geometry::NO_FIELD).with_outcome(outcome), []);
        }
        Ok(None)
    }

    fn play(&self, position: &mut Othello, played: MoveView<'_>) {
        let (mut turned, mut placed) = (0, 0);
        for change in played.changes {
            let set = if change.old() == i32::from(PieceCode::EMPTY.0) { &mut placed } else { &mut turned };
            *set |= 1 << change.slot();
        }
        *position = Othello {
            mine: position.theirs ^ turned,
            theirs: position.mine | turned | placed,
            signature: position.signature ^ played.head.signature_difference.0,
            mover: position.mover ^ 1,
        };
    }

    fn take_back(&self, position: &mut Othello, played: MoveView<'_>) {
        let (mut turned, mut placed) = (0, 0);
        for change in played.changes {
            let set = if change.old() == i32::from(PieceCode::EMPTY.0) { &mut placed } else { &mut turned };
            *set |= 1 << change.slot();
        }
        *position = Othello {
            mine: position.theirs ^ turned ^ placed,
            theirs: position.mine | turned,
            signature: position.signature ^ played.head.signature_difference.0,
            mover: position.mover ^ 1,
        };
    }

    fn settles(&self) -> u64 {
        super::last::NODES
    }

    fn settle(&self, position: &Othello, at_least: i64, nodes_max: u64) -> game::Settled {
        super::last::settle(position, at_least, nodes_max)
    }

    /// Four times the mobility, plus corners; a plain evaluation that plays sensibly.
    fn evaluate(&self, position: &Othello) -> Result<i32, RuleFault> {
        const CORNERS: u64 = 0x8100_0000_0000_0081;
        let count = |set: u64| set.count_ones() as i32;
        let mobility =
            count(moves(position.mine, position.theirs)) - count(moves(position.theirs, position.mine));
        let corners = count(position.mine & CORNERS) - count(position.theirs & CORNERS);
        Ok(4 * mobility + 25 * corners)
    }
}
