//! In which order moves are tried: the sooner a good one, the smaller the tree.

use game::{Colour, Game, MoveList, MoveView, Signature};
use table::{MoveTag, Table};

use crate::company::Company;
use crate::memory::RECORD_MAX;
use crate::searcher::Searcher;

/// A move of a list with its rank; the greatest is tried first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Choice {
    pub(crate) index: u32,
    pub(crate) rank: i32,
}

impl Choice {
    /// How good it looks.
    pub(crate) fn promise(self) -> Promise {
        match self.rank {
            WINS.. => Promise::Best,
            rank if rank >= 1 << 28 => Promise::Forcing,
            rank if rank >= COUNTERMOVE => Promise::Killer,
            _ => Promise::Quiet,
        }
    }

    /// Whether it was left for later.
    pub(crate) fn was_left(self) -> bool {
        self.rank == LEFT_FOR_LATER
    }

    /// Its place in the list.
    pub(crate) fn index(self) -> usize {
        self.index as usize
    }
}

/// How good a move looks before it is tried.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Promise {
    /// There is no move.
    None,
    /// Nothing speaks for it but what it did elsewhere.
    Quiet,
    /// It refuted brothers, or the same last move.
    Killer,
    /// It takes something.
    Forcing,
    /// It was the best of an earlier search, or it wins.
    Best,
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
/// The rank of a move that is left for later because another processor searches it.
const LEFT_FOR_LATER: i32 = i32::MIN + 2;

/// Whether a move stands among the forcing ones, and is not known yet to lose its piece.
#[inline]
pub(crate) fn is_forcing(choice: Choice) -> bool {
    (1 << 28..1 << 30).contains(&choice.rank)
}

/// The greatest loss that ranks tell from greater ones.
const LOSS_MAX: i32 = 1 << 20;

/// The rank of a forcing move that loses so much.
pub(crate) fn rank_of_loss(loss: i32) -> i32 {
    LOSING - loss.min(LOSS_MAX)
}

/// What a move was found to lose when it was selected, if that was asked (`exchanges`): a forcing one that kept its
/// place loses nothing.
#[inline]
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
    pub(crate) killers: [Signature; 2],
    pub(crate) countermove: Signature,
}

impl<G: Game, T: Table, C: Company<G::Position>> Searcher<'_, G, T, C> {
    /// What is known of the moves of a position at a ply.
    pub(crate) fn hints(
        &self,
        position: &G::Position,
        best: Option<MoveTag>,
        previous: Signature,
        ply: usize,
    ) -> Hints {
        let (killers, countermove) = (self.memory.killers(ply), self.memory.countermove(previous));
        Hints { best, previous, mover: self.mover(position), killers, countermove }
    }

    /// Ranks the moves of a list.
    pub(crate) fn rank_moves(&self, moves: &MoveList, hints: Hints, order: &mut Order) {
        let rank = |played: MoveView<'_>| self.rank(played, hints);
        order.fill(moves.iter().map(rank));
    }

    pub(crate) fn rank(&self, played: MoveView<'_>, hints: Hints) -> i32 {
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
            return FORCING + gain.clamp(-(1 << 20), 1 << 20) * 64 - (risk / 8).min(1 << 20)
                + self.capture_record(difference, hints.previous);
        }
        let place = hints.killers.iter().position(|&killer| killer == difference);
        if on.killers
            && let Some(place) = place
        {
            return KILLER - place as i32;
        }
        if on.countermoves && hints.countermove == difference {
            return COUNTERMOVE;
        }
        self.past_record(difference, hints.previous)
    }
}

impl<G: Game, T: Table, C: Company<G::Position>> Searcher<'_, G, T, C> {
    /// What the record of a forcing move adds to its rank: as much as two units at most.
    fn capture_record(&self, difference: Signature, previous: Signature) -> i32 {
        if !self.heuristics.capture_history {
            return 0;
        }
        let unit = self.knowledge.unit.clamp(1, 1 << 12);
        self.past_record(difference, previous) * unit / (RECORD_MAX / 64)
    }

    /// How good a quiet move was elsewhere, and after the same last move.
    pub(crate) fn past_record(&self, difference: Signature, previous: Signature) -> i32 {
        let on = &self.heuristics;
        let anywhere = if on.history { self.memory.history(difference) } else { 0 };
        let here = if on.continuations { self.memory.continuation(previous, difference) } else { 0 };
        anywhere + here
    }
}

/// Longer lists are sorted at once: looking for the best again and again takes too long for them.
const SELECTED_MAX: usize = 192;
/// Where so many moves were tried, the others will be too, and are sorted.
const SELECTED_SINGLY: usize = 4;

/// The moves of a list in the order in which they are tried. Equal ranks keep the order of the rules.
#[derive(Default)]
pub(crate) struct Order {
    choices: Vec<Choice>,
    is_sorted: bool,
}

impl Order {
    fn fill(&mut self, ranks: impl Iterator<Item = i32>) {
        self.choices.clear();
        self.choices.extend((0..).zip(ranks).map(|(index, rank)| Choice { index, rank }));
        self.is_sorted = self.choices.len() > SELECTED_MAX;
        if self.is_sorted {
            self.choices.sort_by_key(|choice| std::cmp::Reverse(choice.rank));
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.choices.len()
    }

    /// The moves that were tried or skipped before this place, then the others.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Choice> {
        self.choices.iter().copied()
    }

    /// Brings the best of the moves from this place on to this place.
    pub(crate) fn select(&mut self, place: usize) -> Choice {
        if !self.is_sorted && place >= SELECTED_SINGLY {
            self.choices[place..].sort_by_key(|choice| std::cmp::Reverse(choice.rank));
            self.is_sorted = true;
        }
        if !self.is_sorted {
            let mut best = place;
            for other in place + 1..self.choices.len() {
                if self.choices[other].rank > self.choices[best].rank {
                    best = other;
                }
            }
            self.choices[place..=best].rotate_right(1);
        }
        self.choices[place]
    }

    /// Gives the move at a place that has not been tried a lower rank: another may come first now.
    pub(crate) fn demote(&mut self, place: usize, rank: i32) {
        self.choices[place].rank = rank;
        if self.is_sorted {
            let behind = self.choices[place + 1..].partition_point(|choice| choice.rank > rank);
            self.choices[place..=place + behind].rotate_left(1);
        }
    }

    /// Puts a move that was begun back to this place, which is the first of those that were not.
    pub(crate) fn put_back(&mut self, index: usize, place: usize) {
        if let Some(begun) = self.choices[..=place].iter().position(|choice| choice.index() == index) {
            self.choices[begun..=place].rotate_left(1);
        }
    }

    /// Leaves the move at a place for later, when all others have been tried.
    pub(crate) fn leave_for_later(&mut self, place: usize) {
        self.demote(place, LEFT_FOR_LATER);
    }

    /// Notes that the move at a place is not tried after all.
    pub(crate) fn skip(&mut self, place: usize) {
        self.choices[place].rank = SKIPPED;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The order in which moves with such ranks come, every fifth of them found to be worse when its turn comes.
    fn order_of(ranks: &[i32]) -> Vec<usize> {
        let mut order = Order::default();
        order.fill(ranks.iter().copied());
        let mut found = Vec::new();
        for place in 0..order.len() {
            let mut choice = order.select(place);
            while choice.index() % 5 == 0 && choice.rank > -100 {
                order.demote(place, -110 - choice.rank % 3);
                choice = order.select(place);
            }
            found.push(choice.index());
        }
        found
    }

    #[test]
    fn long_lists_have_the_order_of_short_ones() {
        let ranks: Vec<i32> = (0..SELECTED_MAX as i32).map(|index| index * 7919 % 40 - 20).collect();
        let short = order_of(&ranks);
        let mut long = ranks.clone();
        // Moves that come last whatever happens make the list a long one.
        long.extend([i32::MIN; 10]);
        assert_eq!(order_of(&long)[..ranks.len()], short[..]);
        let best_first = |pair: &[usize]| {
            let rank =
                |index: usize| if index.is_multiple_of(5) { -110 - ranks[index] % 3 } else { ranks[index] };
            rank(pair[0]) >= rank(pair[1])
        };
        assert!(short.windows(2).all(best_first));
    }
}
