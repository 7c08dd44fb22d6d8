//! English checkers behind the contract. The `move` property `path` tells captures apart that lead to the
//! same position in different ways.

use game::fen::PositionNotation;
use game::info::PropertyKind;
use game::moves::{Change, MoveList, MoveView};
use game::{Colour, Game, GameInfo, Geometry, Outcome, Position, RuleFault, Signature, Stage};

use super::{Checkers, DARK, WAYS, step};
use crate::declare::{add_property, bits, head, includes, push_sorted, two_players};
use crate::perft::Perft;

/// English checkers for searches. Black begins.
pub struct NativeCheckers {
    info: GameInfo,
    path: usize,
}

impl NativeCheckers {
    /// The game.
    #[must_use]
    pub fn new() -> NativeCheckers {
        let used = (0..64).map(|field| DARK >> field & 1 != 0).collect();
        let pieces = [("man", 'M', 'm'), ("king", 'K', 'k')];
        let mut info = two_players("checkers", Geometry::new(8, 8, used, &[]), &pieces);
        info.notation = PositionNotation::Draughts { plain: 0, crowned: 1, fields: Vec::new() };
        let path = add_property(&mut info, "path", PropertyKind::Move, Change::TAG_MAX, None);
        let mut game = NativeCheckers { info, path };
        game.info.start = Some(game.unpack(&Checkers::start()));
        game
    }

    fn generate_for<const MOVER: usize>(
        &self,
        position: &Checkers,
        stage: Stage,
        list: &mut MoveList,
    ) -> bool {
        let jumpers = position.all_jumpers::<MOVER>();
        if jumpers != 0 {
            if includes(stage, true) {
                position.captures::<MOVER>(jumpers, |from, jump| {
                    let after = position.after_jumps::<MOVER>(from, jump);
                    let changed = from | jump.at | (position.pieces[1 - MOVER] ^ jump.targets);
                    self.push(position, &after, from, changed, Some(jump.path), list);
                });
            }
            return true;
        }
        let (mut any, empty) = (false, position.empty());
        for way in WAYS {
            let targets = step(position.movable::<MOVER>(way), way) & empty;
            any |= targets != 0;
            if includes(stage, false) {
                for to in bits(targets) {
                    let (from, to) = (step(1 << to, -way), 1 << to);
                    let after = position.after_step::<MOVER>(from, to);
                    self.push(position, &after, from, from | to, None, list);
                }
            }
        }
        any
    }

    fn push(
        &self,
        before: &Checkers,
        after: &Checkers,
        from: u64,
        changed: u64,
        path: Option<u64>,
        list: &mut MoveList,
    ) {
        // At most twelve captured pieces, the mover's two fields, and the path.
        let mut changes = [Change::tag(0, 0); 16];
        let mut count = 0;
        let mut add = |change: Change| {
            changes[count] = change;
            count += 1;
        };
        for field in bits(changed) {
            let (old, new) = (code(before, field), code(after, field));
            if old != new {
                add(Change::new_value(field, old, new));
            }
        }
        if let Some(path) = path {
            add(Change::tag(self.path, path as i64));
        }
        let head = head(before.signature ^ after.signature, from.trailing_zeros() as u16)
            .with_marks(path.is_some() || before.kings & from == 0, path.is_some());
        push_sorted(list, head, &mut changes[..count]);
    }

    fn apply(&self, position: &mut Checkers, played: MoveView<'_>, value: impl Fn(&Change) -> i32) {
        for change in played.changes.iter().filter(|change| change.slot() < 64) {
            let field = 1 << change.slot();
            position.pieces[0] &= !field;
            position.pieces[1] &= !field;
            position.kings &= !field;
            let code = value(change);
            if code != 0 {
                position.pieces[(code as usize - 1) & 1] |= field;
                position.kings |= if code > 2 { field } else { 0 };
            }
        }
        position.signature ^= played.head.signature_difference.0;
        position.mover ^= 1;
    }
}

/// The piece on a field: man and king of white, of black are 1, 3 and 2, 4.
fn code(position: &Checkers, field: usize) -> i32 {
    let has = |set: u64| (set >> field & 1) as i32;
    let piece = has(position.pieces[0]) + 2 * has(position.pieces[1]);
    piece + 2 * has(position.kings)
}

impl Default for NativeCheckers {
    fn default() -> NativeCheckers {
        NativeCheckers::new()
    }
}

impl Game for NativeCheckers {
    type Position = Checkers;

    fn info(&self) -> &GameInfo {
        &self.info
    }

    fn pack(&self, position: &Position) -> Checkers {
        let of = |codes: [i32; 2]| {
            let fields = position.fields().iter().enumerate().filter(|(_, piece)| codes.contains(piece));
            fields.fold(0, |set, (field, _)| set | 1 << field)
        };
        Checkers {
            pieces: [of([1, 3]), of([2, 4])],
            kings: of([3, 4]),
            signature: position.signature().0,
            mover: position.mover().index(),
        }
    }

    fn unpack(&self, position: &Checkers) -> Position {
        let mut plain = Position::empty(&self.info);
        for field in bits(position.pieces[0] | position.pieces[1]) {
            plain.set(&self.info, field, code(position, field));
        }
        plain.set_mover(self.mover(position));
        plain
    }

    fn mover(&self, position: &Checkers) -> Colour {
        Colour::BOTH[position.mover]
    }

    fn signature(&self, position: &Checkers) -> Signature {
        Signature(position.signature)
    }

    fn generate(
        &self,
        position: &Checkers,
        stage: Stage,
        list: &mut MoveList,
    ) -> Result<Option<Outcome>, RuleFault> {
        list.clear();
        let any = match position.mover {
            0 => self.generate_for::<0>(position, stage, list),
            _ => self.generate_for::<1>(position, stage, list),
        };
        Ok(if any { None } else { Some(Outcome::Loss) })
    }

    fn play(&self, position: &mut Checkers, played: MoveView<'_>) {
        self.apply(position, played, |change| change.new());
    }

    fn take_back(&self, position: &mut Checkers, played: MoveView<'_>) {
        self.apply(position, played, |change| change.old());
    }

    /// A hundred for a man, a hundred and thirty for a king.
    fn evaluate(&self, position: &Checkers) -> Result<i32, RuleFault> {
        let worth = |set: u64| 100 * set.count_ones() + 30 * (set & position.kings).count_ones();
        let [white, black] = position.pieces.map(|set| worth(set) as i32);
        Ok(if position.mover == 0 { white - black } else { black - white })
    }
}
