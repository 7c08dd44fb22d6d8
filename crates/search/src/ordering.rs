//! In which order moves are tried: the sooner a good one, the smaller the tree.

use game::{Colour, Game, MoveList, MoveView, Signature};
use table::{MoveTag, Table};

use crate::searcher::Searcher;

/// A move of a list with its rank; the greatest is tried first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Choice {
    pub(crate) index: u16,
    pub(crate) rank: i32,
}

const BEST: i32 = i32::MAX;
const WINS: i32 = i32::MAX - 1;
const FORCING: i32 = 1 << 29;
const KILLER: i32 = 1 << 27;
const COUNTERMOVE: i32 = 1 << 26;
/// Forcing moves that lose their piece come behind quiet ones.
const LOSING: i32 = -(1 << 26);
const ENDS_BADLY: i32 = i32::MIN;
/// The rank that a move is given when it is not tried after all.
pub(crate) const SKIPPED: i32 = i32::MIN + 1;

/// Whether a move stands among the forcing ones, and nobody has found out yet that it loses its piece.
pub(crate) fn is_forcing(choice: Choice) -> bool {
    (1 << 28..1 << 30).contains(&choice.rank)
}

/// The greatest loss that ranks tell from greater ones.
const LOSS_MAX: i32 = 1 << 20;

/// The rank of a forcing move that loses so much.
pub(crate) fn rank_of_loss(loss: i32) -> i32 {
    LOSING - loss.min(LOSS_MAX)
}

/// What a move was found to lose when it was selected, if that was asked (`exchanges`): a forcing one that kept its place
/// loses nothing.
pub(crate) fn known_loss(choice: Choice) -> Option<i32> {
    if is_forcing(choice) {
        return Some(0);
    }
    (LOSING - LOSS_MAX..LOSING).contains(&choice.rank).then(|| LOSING - choice.rank)
}

/// What is known at a node about its moves.
#[derive(Clone, Copy)]
pub(crate) struct Hints {
    pub(crate) best: Option<MoveTag>,
    pub(crate) previous: Signature,
    pub(crate) mover: Colour,
    pub(crate) ply: usize,
}

impl<G: Game, T: Table> Searcher<'_, G, T> {
    /// Ranks the moves of a list.
    pub(crate) fn rank_moves(&self, moves: &MoveList, hints: Hints, order: &mut Vec<Choice>) {
        order.clear();
        order.extend(
            moves
                .iter()
                .enumerate()
                .map(|(index, played)| Choice { index: index as u16, rank: self.rank(played, hints) }),
        );
    }

    fn rank(&self, played: MoveView<'_>, hints: Hints) -> i32 {
        let (head, on) = (played.head, &self.heuristics);
        let difference = head.signature_difference;
        if let Some(outcome) = head.outcome() {
            // An ending needs no search; one that does not win decides the least.
            return if outcome.sign() > 0 { WINS } else { ENDS_BADLY };
        }
        if hints.best == Some(MoveTag::of(difference)) {
            return BEST;
        }
        if on.captures_first && head.forcing() {
            let gain = self.knowledge.gain(self.game.info(), played, hints.mover);
            let risk = self.knowledge.risk(played);
            return FORCING + gain.clamp(-(1 << 20), 1 << 20) * 64 - (risk / 8).min(1 << 20);
        }
        if on.killers {
            let killers = self.memory.killers(hints.ply);
            if let Some(place) = killers.iter().position(|&killer| killer == difference) {
                return KILLER - place as i32;
            }
        }
        if on.countermoves && self.memory.countermove(hints.previous) == difference {
            return COUNTERMOVE;
        }
        self.past_record(difference, hints.previous)
    }
}

impl<G: Game, T: Table> Searcher<'_, G, T> {
    /// How good a quiet move was elsewhere, and after the same last move.
    pub(crate) fn past_record(&self, difference: Signature, previous: Signature) -> i32 {
        let on = &self.heuristics;
        let anywhere = if on.history { self.memory.history(difference) } else { 0 };
        let here = if on.continuations { self.memory.continuation(previous, difference) } else { 0 };
        anywhere + here
    }
}

/// Brings the best of the moves from this place on to this place. Equal ranks keep the order of the rules.
pub(crate) fn select(order: &mut [Choice], place: usize) -> Choice {
    let mut best = place;
    for other in place + 1..order.len() {
        if order[other].rank > order[best].rank {
            best = other;
        }
    }
    order[place..=best].rotate_right(1);
    order[place]
}
