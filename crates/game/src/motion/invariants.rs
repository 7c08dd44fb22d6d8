//! What moves never change: parities and sums of twists. A state that differs from the solved one in them has no
//! solution.

use super::{Kind, Motion, Operator, State};

/// What moves never change.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Invariants {
    /// Sets of kinds whose orders together, with the colour of the mode, have a parity that stays.
    parities: Vec<(Vec<usize>, Vec<bool>)>,
}

impl Invariants {
    /// Finds them: each set of kinds is tried.
    pub(super) fn of(modes: &[Vec<Operator>], kinds: &[Kind]) -> Invariants {
        let mut parities = Vec::new();
        // A parity is that of a whole order: at most one place is without a piece.
        let whole = |kind: &Kind| kind.pieces.len() + 1 >= kind.places.len();
        if kinds.len() > 4 || !kinds.iter().all(whole) {
            return Invariants::default();
        }
        for set in 1..1_usize << kinds.len() {
            let chosen: Vec<usize> = (0..kinds.len()).filter(|kind| set >> kind & 1 != 0).collect();
            if let Some(colours) = colours(modes, kinds, &chosen) {
                parities.push((chosen, colours));
            }
        }
        Invariants { parities }
    }

    /// Whether nothing speaks against a way from this state to the solved one.
    #[must_use]
    pub fn allow(&self, motion: &Motion, state: &State) -> bool {
        let parity = |state: &State, (kinds, colours): &(Vec<usize>, Vec<bool>)| {
            let odd =
                kinds.iter().filter(|&&kind| is_odd(&order(&motion.kinds[kind], state))).count() % 2 == 1;
            odd ^ colours[usize::from(state.mode)]
        };
        let twist = |state: &State, kind: &Kind| {
            let twist =
                |&piece: &usize| kind.lies[usize::from(state.at[piece])].map_or(0, |(_, twist)| twist);
            kind.pieces.iter().map(|piece| usize::from(twist(piece))).sum::<usize>() % kind.twists
        };
        self.parities.iter().all(|one| parity(state, one) == parity(&motion.goal, one))
            && motion
                .kinds
                .iter()
                .filter(|kind| kind.keeps_twist)
                .all(|kind| twist(state, kind) == twist(&motion.goal, kind))
    }
}

/// The place of each piece of a kind, and last the place without one, if there is one.
fn order(kind: &Kind, state: &State) -> Vec<usize> {
    let place =
        |&piece: &usize| kind.lies[usize::from(state.at[piece])].map_or(0, |(place, _)| usize::from(place));
    let mut order: Vec<usize> = kind.pieces.iter().map(place).collect();
    order.extend((0..kind.places.len()).find(|place| !order.contains(place)));
    order
}

fn is_odd(order: &[usize]) -> bool {
    let inversions =
        |(index, one): (usize, &usize)| order[..index].iter().filter(|other| *other > one).count();
    order.iter().enumerate().map(inversions).sum::<usize>() % 2 == 1
}

/// A colour for each mode such that every move changes the parity of these kinds together exactly if it changes the
/// colour.
fn colours(modes: &[Vec<Operator>], kinds: &[Kind], chosen: &[usize]) -> Option<Vec<bool>> {
    let is_odd_move = |operator: &Operator| {
        let odd = |&kind: &usize| {
            let to = |place: &Vec<u8>| {
                kinds[kind].lies[usize::from(operator.map[usize::from(place[0])])]
                    .map_or(0, |(to, _)| usize::from(to))
            };
            is_odd(&kinds[kind].places.iter().map(to).collect::<Vec<usize>>())
        };
        chosen.iter().filter(|kind| odd(kind)).count() % 2 == 1
    };
    let mut colours = vec![None; modes.len()];
    colours[0] = Some(false);
    let mut open = vec![0];
    while let Some(mode) = open.pop() {
        let own = colours[mode]?;
        for operator in &modes[mode] {
            let (to, colour) = (usize::from(operator.to), own ^ is_odd_move(operator));
            match colours[to] {
                None => {
                    colours[to] = Some(colour);
                    open.push(to);
                }
                Some(known) if known != colour => return None,
                Some(_) => {}
            }
        }
    }
    colours.into_iter().collect()
}
