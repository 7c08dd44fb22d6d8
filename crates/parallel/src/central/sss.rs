//! SSS\*, as a series of null windows from above: is the root worth as much as it may be at most? All leaves that
//! could say no are searched at once: every move of the mover, and the first answer of the opponent that is not known
//! to fail.

use game::Game;
use search::Window;
use search::watch::Interrupt;

use super::plan::Scout;
use super::tree::{ROOT, TopTree};
use super::tree_plan::{Selector, Wish, settles};

pub(super) struct Sss;

impl<G: Game> Selector<G> for Sss {
    fn window(&self, tree: &TopTree) -> Option<Window> {
        let most = tree.bounds(ROOT).most;
        Some(Window { alpha: most.previous(), beta: most })
    }

    fn select(
        &mut self,
        tree: &mut TopTree,
        window: Window,
        scout: &mut Scout<'_, G>,
    ) -> Result<Vec<Wish>, Interrupt> {
        let mut wishes = Vec::new();
        visit(tree, ROOT, window, scout, &mut wishes)?;
        Ok(wishes)
    }
}

fn visit<G: Game>(
    tree: &mut TopTree,
    index: usize,
    window: Window,
    scout: &mut Scout<'_, G>,
    wishes: &mut Vec<Wish>,
) -> Result<(), Interrupt> {
    if settles(tree, index, window, wishes) {
        return Ok(());
    }
    let is_own = tree.nodes[index].ply.is_multiple_of(2);
    let (sons, window) = tree.open_sons(index, window, scout)?;
    let many = if is_own { usize::MAX } else { 1 };
    sons.into_iter().take(many).try_for_each(|son| visit(tree, son, window, scout, wishes))
}
