//! APHID, after Brockington and Schaeffer: the leader searches the top of the tree again and again, with guesses
//! where leaves have not been searched deep enough. Leaves that it comes to are deepened by slaves, which go on to
//! the next depth when nothing else is wanted. The value is certain when the top was searched without a guess.

use game::Game;
use search::watch::Interrupt;
use search::{Score, Window};

use super::plan::Scout;
use super::tree::{ROOT, TopTree};
use super::tree_plan::{Selector, Wish};

#[derive(Default)]
pub(super) struct Aphid {
    wishes: Vec<Wish>,
}

impl<G: Game> Selector<G> for Aphid {
    fn select(
        &mut self,
        tree: &mut TopTree,
        window: Window,
        scout: &mut Scout<'_, G>,
    ) -> Result<Vec<Wish>, Interrupt> {
        self.wishes.clear();
        self.pass(tree, ROOT, window, scout)?;
        Ok(std::mem::take(&mut self.wishes))
    }

    fn has_slaves(&self) -> bool {
        true
    }
}

impl Aphid {
    /// Alpha-beta over what is known, with guesses for what is not.
    fn pass<G: Game>(
        &mut self,
        tree: &mut TopTree,
        index: usize,
        window: Window,
        scout: &mut Scout<'_, G>,
    ) -> Result<Score, Interrupt> {
        if let Some(score) = certain(tree, index, window) {
            return Ok(score);
        }
        if tree.is_leaf(index) {
            self.wishes.push(Wish { leaf: index, window });
            return Ok(guess(tree, index));
        }
        let mut best = Score::MINUS_INFINITE;
        for son in tree.sons(index, scout)? {
            let alpha = window.alpha.max(best);
            let window = Window { alpha, ..window };
            best = best.max(-self.pass(tree, son, window.reversed(), scout)?);
            if best >= window.beta {
                break;
            }
        }
        Ok(certain(tree, index, window).unwrap_or(best))
    }
}

/// The score of a node, or a bound of it, if that is enough for this window.
fn certain(tree: &TopTree, index: usize, window: Window) -> Option<Score> {
    let bounds = tree.bounds(index);
    if bounds.are_open(window) {
        return None;
    }
    Some(if bounds.least >= window.beta || bounds.are_met() { bounds.least } else { bounds.most })
}

/// What a leaf may be worth: what it was worth last time, or what the root is thought to be, as its mover sees it;
/// within what is certain.
fn guess(tree: &TopTree, index: usize) -> Score {
    let bounds = tree.bounds(index);
    let of_root = tree.nodes[ROOT].guess.unwrap_or(Score::DRAW);
    let seen = if tree.nodes[index].ply.is_multiple_of(2) { of_root } else { -of_root };
    tree.nodes[index].guess.unwrap_or(seen).clamp(bounds.least, bounds.most)
}
