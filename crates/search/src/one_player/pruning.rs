//! Moves that need not be tried after another, after Taylor and Korf: of all short sequences with the same effect one
//! is enough, the shortest and among those the first. Here sequences of two (longer ones: [`super::words`]): they find
//! moves that undo each other, turns of one face that could have been one turn, and moves that commute.
//!
//! Nothing is lost. A shortest solution that comes first in the order of moves has none of the forbidden pairs in it:
//! putting the better sequence in its place would make it shorter, or one that comes before it.

use game::motion::{Motion, Operator};

/// Which pairs are left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pruning {
    /// Moves that take the last one back.
    Undoing,
    /// Pairs with the effect of one move or of none. Nothing is lost by that even if positions are remembered and not
    /// looked at again when they are reached by another move: what is left out is reached sooner.
    Shortening,
    /// All pairs with the effect of a shorter sequence, or of a pair that comes first.
    Pairs,
}

/// All moves of all modes, numbered, with those that are worth trying after each.
#[derive(Clone, Debug)]
pub struct Automaton {
    /// The first number of each mode's moves.
    pub first: Vec<usize>,
    /// By the number of a move, and behind those by mode: numbers of the moves to be tried next.
    pub next: Vec<Vec<usize>>,
    /// By number of a move: its mode and its number there.
    pub moves: Vec<(usize, usize)>,
}

/// Where the pieces on all sites of a mode come to lie; the mode then.
type Effect = (Vec<u8>, u16);

impl Automaton {
    /// The moves of a puzzle, without those that are not worth trying.
    #[must_use]
    pub fn new(motion: &Motion, pruning: Pruning) -> Automaton {
        let (mut first, mut moves) = (Vec::new(), Vec::new());
        for (mode, operators) in motion.modes.iter().enumerate() {
            first.push(moves.len());
            moves.extend((0..operators.len()).map(|index| (mode, index)));
        }
        let mut next = vec![Vec::new(); moves.len()];
        for mode in 0..motion.modes.len() {
            let mut known: Vec<Effect> = Vec::new();
            if pruning != Pruning::Undoing {
                known.push(((0..motion.sites() as u8).collect(), mode as u16));
                known.extend(motion.modes[mode].iter().map(|operator| effect(motion, mode, &[operator])));
            }
            for (index, operator) in motion.modes[mode].iter().enumerate() {
                let to = usize::from(operator.to);
                for (reply, answer) in motion.modes[to].iter().enumerate() {
                    let undoes = operator.inverse == Some(reply as u16);
                    let pair = effect(motion, mode, &[operator, answer]);
                    if undoes || known.contains(&pair) {
                        continue;
                    }
                    if pruning == Pruning::Pairs {
                        known.push(pair);
                    }
                    next[first[mode] + index].push(first[to] + reply);
                }
            }
        }
        let begins = (0..motion.modes.len())
            .map(|mode| (first[mode]..first[mode] + motion.modes[mode].len()).collect());
        next.extend(begins);
        Automaton { first, next, moves }
    }

    /// By entry of `next`: moves, and the entries behind them.
    #[must_use]
    pub fn rows(&self) -> Vec<Vec<(usize, usize)>> {
        self.next.iter().map(|next| next.iter().map(|&number| (number, number)).collect()).collect()
    }

    /// The entry of `next` for a state that no move has led to.
    #[must_use]
    pub fn begin(&self, mode: usize) -> usize {
        self.moves.len() + mode
    }
}

/// Sites without a piece count as staying where they are: nothing is there to be moved.
fn effect(motion: &Motion, mode: usize, operators: &[&Operator]) -> Effect {
    let mut map: Vec<u8> = (0..motion.sites() as u8).collect();
    for site in (0..motion.sites() as u8).filter(|&site| motion.holds[mode] >> site & 1 != 0) {
        map[usize::from(site)] =
            operators.iter().fold(site, |site, operator| operator.map[usize::from(site)]);
    }
    (map, operators.last().map_or(mode as u16, |operator| operator.to))
}
