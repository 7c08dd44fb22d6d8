//! What a move does to the pieces, found from what it changes.

use crate::geometry::{Field, NO_FIELD};
use crate::info::{GameInfo, PieceCode};
use crate::moves::MoveView;

/// What happened to the pieces in a move.
#[derive(Default)]
pub(super) struct Deed {
    /// From where to where; first the piece that the rules touched first.
    pub(super) moved: Vec<(Field, Field)>,
    /// The same for pieces that became something else.
    pub(super) promoted: Vec<(Field, Field, PieceCode)>,
    /// Pieces that came from nowhere to an empty field.
    pub(super) placed: Vec<(Field, PieceCode)>,
    /// Pieces that came from nowhere in the place of others.
    pub(super) converted: Vec<(Field, PieceCode)>,
    /// Fields whose piece went nowhere.
    pub(super) removed: Vec<Field>,
}

/// A piece that stands where it did not stand before.
#[derive(Clone, Copy)]
struct Arrival {
    to: Field,
    piece: PieceCode,
    before: PieceCode,
}

impl Deed {
    pub(super) fn new(info: &GameInfo, played: MoveView<'_>) -> Deed {
        let fields = info.geometry.fields();
        let on_board = || played.changes.iter().take_while(|change| change.slot() < fields);
        let code = |value: i32| PieceCode(value as u8);
        let mut lost: Vec<(Field, PieceCode)> =
            on_board().map(|change| (change.slot() as Field, code(change.old()))).collect();
        lost.retain(|(_, piece)| *piece != PieceCode::EMPTY);
        let arrival = |change: &crate::moves::Change| {
            let (to, piece, before) = (change.slot() as Field, code(change.new()), code(change.old()));
            Arrival { to, piece, before }
        };
        let mut arrivals: Vec<Arrival> = on_board().filter(|change| change.new() != 0).map(arrival).collect();
        let mut deed = Deed::default();
        deed.lead(info, played.head.lead, &mut lost, &mut arrivals);
        deed.others(info, &mut lost, arrivals);
        let emptied =
            |field: Field| on_board().any(|change| change.slot() == usize::from(field) && change.new() == 0);
        deed.removed = lost.into_iter().map(|(field, _)| field).filter(|&field| emptied(field)).collect();
        deed.placed.sort_by_key(|&(to, _)| to != played.head.lead);
        deed
    }

    /// The piece that the rules touched first is the one that goes, if it is anywhere afterwards: to a field that
    /// was empty rather than to one where a piece was turned over.
    fn lead(
        &mut self,
        info: &GameInfo,
        lead: Field,
        lost: &mut Vec<(Field, PieceCode)>,
        arrivals: &mut Vec<Arrival>,
    ) {
        let Some(index) = lost.iter().position(|&(from, _)| from == lead && lead != NO_FIELD) else { return };
        let (from, going) = lost[index];
        let same = |arrival: &Arrival| arrival.to != from && arrival.piece == going;
        let colour = info.colour_of(going);
        let explained = |piece: PieceCode| lost.iter().any(|&(_, gone)| gone == piece);
        let other = |arrival: &Arrival| {
            let becomes = colour.is_some() && info.colour_of(arrival.piece) == colour;
            arrival.to != from && becomes && !explained(arrival.piece)
        };
        let free = |arrival: &Arrival| arrival.before == PieceCode::EMPTY;
        let first = |wanted: &dyn Fn(&Arrival) -> bool| {
            let among = |both: &dyn Fn(&Arrival) -> bool| arrivals.iter().position(both);
            among(&|arrival| wanted(arrival) && free(arrival)).or_else(|| among(&|arrival| wanted(arrival)))
        };
        if let Some(place) = first(&same) {
            self.moved.push((from, arrivals.remove(place).to));
        } else if let Some(place) = first(&other) {
            let Arrival { to, piece, .. } = arrivals.remove(place);
            self.promoted.push((from, to, piece));
        } else {
            return;
        }
        lost.remove(index);
        // What stands there now has come to a field that was left.
        arrivals.iter_mut().filter(|arrival| arrival.to == from).for_each(|arrival| {
            arrival.before = PieceCode::EMPTY;
        });
    }

    /// Everything else: a piece that is gone here and new there has gone there.
    fn others(&mut self, info: &GameInfo, lost: &mut Vec<(Field, PieceCode)>, arrivals: Vec<Arrival>) {
        let mut fresh = Vec::new();
        for arrival in arrivals {
            match lost.iter().position(|&(_, gone)| gone == arrival.piece) {
                Some(index) => self.moved.push((lost.remove(index).0, arrival.to)),
                None => fresh.push(arrival),
            }
        }
        for Arrival { to, piece, before } in fresh {
            let colour = info.colour_of(piece).filter(|_| self.promoted.is_empty());
            let same = |&(from, gone): &(Field, PieceCode)| {
                from != to && colour.is_some() && info.colour_of(gone) == colour
            };
            match lost.iter().position(same) {
                Some(index) => self.promoted.push((lost.remove(index).0, to, piece)),
                None if before == PieceCode::EMPTY => self.placed.push((to, piece)),
                None => self.converted.push((to, piece)),
            }
        }
    }
}
