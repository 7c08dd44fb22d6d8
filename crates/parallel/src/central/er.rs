//! ER, after Steinberg and Solomon: to evaluate a node, its *elder grandchildren* are evaluated first, the first
//! answer to each of its moves. The move that looks best by that is evaluated next (the *e-child*), with all answers
//! to it at once; the others are then refuted, each answer by answer.

use game::Game;
use search::watch::Interrupt;
use search::{Score, Window};

use super::plan::Scout;
use super::tree::{ROOT, TopTree};
use super::tree_plan::{Selector, Wish, settles};

/// So many moves are evaluated at once while no value is known: one is needed, and the others keep processors busy.
const E_CHILDREN: usize = 2;

pub(super) struct EldersFirst;

impl<G: Game> Selector<G> for EldersFirst {
    fn select(
        &mut self,
        tree: &mut TopTree,
        window: Window,
        scout: &mut Scout<'_, G>,
    ) -> Result<Vec<Wish>, Interrupt> {
        let mut wishes = Vec::new();
        evaluate(tree, ROOT, window, scout, &mut wishes)?;
        Ok(wishes)
    }
}

/// What is to be searched for the value of a node.
fn evaluate<G: Game>(
    tree: &mut TopTree,
    index: usize,
    window: Window,
    scout: &mut Scout<'_, G>,
    wishes: &mut Vec<Wish>,
) -> Result<(), Interrupt> {
    if settles(tree, index, window, wishes) {
        return Ok(());
    }
    let (sons, son_window) = tree.open_sons(index, window, scout)?;
    let mut tentative = Vec::new();
    for son in sons {
        if tree.is_leaf(son) {
            wishes.push(Wish { leaf: son, window: son_window });
            continue;
        }
        // The least that a son is worth comes from its elder answer.
        if tree.bounds(son).least == Score::MINUS_INFINITE {
            let (answers, window) = tree.open_sons(son, son_window, scout)?;
            if let Some(&elder) = answers.first() {
                evaluate(tree, elder, window, scout, wishes)?;
            }
        } else {
            tentative.push(son);
        }
    }
    if !wishes.is_empty() {
        return Ok(());
    }
    tentative.sort_by_key(|&son| tree.bounds(son).least);
    let has_value = tree.bounds(index).least > window.alpha;
    let (sons, answers) = if has_value { (usize::MAX, 1) } else { (E_CHILDREN, usize::MAX) };
    for son in tentative.into_iter().take(sons) {
        let (open, window) = tree.open_sons(son, son_window, scout)?;
        for answer in open.into_iter().take(answers) {
            evaluate(tree, answer, window, scout, wishes)?;
        }
    }
    Ok(())
}
