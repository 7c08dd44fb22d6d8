//! Algorithms that choose leaves of a tree of some plies: they differ in which leaves are searched, in which window,
//! and when.

use fabric::ProcessorId;
use game::{Game, Move};
use search::watch::Interrupt;
use search::{Depth, Score, Window};

use super::job::{Answer, Job};
use super::plan::{Bounds, Plan, Scout, margin};
use super::tree::{ROOT, TopTree};

/// A leaf that should be searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Wish {
    pub(super) leaf: usize,
    pub(super) window: Window,
}

/// Whether nothing below a node has to be looked at: its value is known well enough, or it is a leaf, which is wished
/// for then.
pub(super) fn settles(tree: &TopTree, index: usize, window: Window, wishes: &mut Vec<Wish>) -> bool {
    if !tree.bounds(index).are_open(window) {
        return true;
    }
    let is_leaf = tree.is_leaf(index);
    if is_leaf {
        wishes.push(Wish { leaf: index, window });
    }
    is_leaf
}

/// What is different.
pub(super) trait Selector<G: Game> {
    /// The window in which the root is looked for, if it is not one around the last score.
    fn window(&self, tree: &TopTree) -> Option<Window> {
        let _ = tree;
        None
    }

    /// The leaves to search now, the most urgent ones first.
    fn select(
        &mut self,
        tree: &mut TopTree,
        window: Window,
        scout: &mut Scout<'_, G>,
    ) -> Result<Vec<Wish>, Interrupt>;

    /// Whether processors deepen leaves on their own, and the leader does nothing else than to repeat the top.
    fn has_slaves(&self) -> bool {
        false
    }
}

pub(super) struct TreePlan<S> {
    tree: TopTree,
    selector: S,
    /// The window in which the root is looked for.
    window: Window,
    wishes: Vec<Wish>,
    /// Whether something has become known since leaves were chosen.
    is_stale: bool,
    /// The unit of estimates.
    unit: i32,
    leader: ProcessorId,
    /// How many others live. Where there are none, a leader of slaves has to search by itself.
    others: usize,
    /// Which processor searched a leaf last: its table knows most of it.
    owners: Vec<Option<ProcessorId>>,
}

impl<S> TreePlan<S> {
    pub(super) fn new(
        selector: S,
        plies: usize,
        unit: i32,
        leader: ProcessorId,
        others: usize,
    ) -> TreePlan<S> {
        TreePlan {
            tree: TopTree::new(plies),
            selector,
            window: Window::FULL,
            wishes: Vec::new(),
            is_stale: true,
            unit,
            leader,
            others,
            owners: Vec::new(),
        }
    }

    fn leaf_depth(&self) -> Depth {
        self.tree.depth - self.tree.plies as i32
    }

    /// Looks on beyond a window in which the root is not to be found.
    fn widen(&mut self) {
        let Bounds { least, most } = self.tree.bounds(ROOT);
        if most <= self.window.alpha {
            self.window.alpha = Score::MINUS_INFINITE;
        }
        if least >= self.window.beta {
            self.window.beta = Score::INFINITE;
        }
    }

    fn job(&mut self, wish: Wish, depth: Depth, to: ProcessorId) -> Job {
        self.tree.nodes[wish.leaf].searched_by += 1;
        if self.owners.len() <= wish.leaf {
            self.owners.resize(wish.leaf + 1, None);
        }
        self.owners[wish.leaf] = Some(to);
        let line = self.tree.line(wish.leaf);
        Job { line, only: Vec::new(), window: wish.window, depth, tag: wish.leaf }
    }

    fn owner(&self, leaf: usize) -> Option<ProcessorId> {
        self.owners.get(leaf).copied().flatten()
    }

    /// The leaf for a processor: one that it knows, one that none knows, or one of another processor.
    fn choose(&self, to: ProcessorId) -> Option<Wish> {
        let free = || self.wishes.iter().filter(|wish| self.tree.nodes[wish.leaf].searched_by == 0);
        let by_owner = |owner| free().find(|wish| self.owner(wish.leaf) == owner);
        let known = by_owner(Some(to)).or_else(|| by_owner(None)).or_else(|| free().next());
        known.copied()
    }

    /// A leaf that a slave has searched in this iteration and may deepen for the next one.
    fn choose_ahead(&self, to: ProcessorId) -> Option<Wish> {
        let mut own = (0..self.owners.len()).filter(|&leaf| self.owner(leaf) == Some(to));
        let leaf = own.find(|&leaf| {
            let node = &self.tree.nodes[leaf];
            node.searched_by == 0 && node.bounds != Bounds::UNKNOWN && node.bounds_ahead == Bounds::UNKNOWN
        })?;
        let guess = self.tree.nodes[leaf].guess?;
        let width = margin(self.unit, guess);
        let window =
            width.map_or(Window::FULL, |width| Window { alpha: guess.plus(-width), beta: guess.plus(width) });
        Some(Wish { leaf, window })
    }
}

impl<G: Game, S: Selector<G>> Plan<G> for TreePlan<S> {
    fn begin(&mut self, depth: Depth, guess: Score) {
        self.tree.begin(depth);
        self.tree.nodes[ROOT].guess.get_or_insert(guess);
        self.wishes.clear();
        self.is_stale = true;
        self.window = match margin(self.unit, guess) {
            Some(width) => Window { alpha: guess.plus(-width), beta: guess.plus(width) },
            None => Window::FULL,
        };
    }

    fn ahead(&self) -> usize {
        if self.selector.has_slaves() { 2 } else { 1 }
    }

    fn deals(&self) -> bool {
        self.selector.has_slaves()
    }

    fn next(&mut self, to: ProcessorId, scout: &mut Scout<'_, G>) -> Result<Option<Job>, Interrupt> {
        let is_known = self.tree.bounds(ROOT).are_met();
        if self.selector.has_slaves() && to == self.leader && self.others > 0 {
            return Ok(None);
        }
        while self.is_stale && !self.tree.bounds(ROOT).are_met() {
            self.widen();
            self.window = self.selector.window(&self.tree).unwrap_or(self.window);
            let changes = self.tree.changes;
            self.wishes = self.selector.select(&mut self.tree, self.window, scout)?;
            // The moves that were found while choosing may have settled something.
            self.is_stale = self.wishes.is_empty() && self.tree.changes != changes;
            if self.wishes.is_empty() && !self.is_stale {
                let before = self.window;
                self.widen();
                self.is_stale = self.window != before;
            }
        }
        if let Some(wish) = self.choose(to).filter(|_| !is_known) {
            return Ok(Some(self.job(wish, self.leaf_depth(), to)));
        }
        if self.selector.has_slaves()
            && let Some(wish) = self.choose_ahead(to)
        {
            return Ok(Some(self.job(wish, self.leaf_depth() + 1, to)));
        }
        Ok(None)
    }

    fn wants(&self, job: &Job) -> bool {
        if job.depth == self.leaf_depth() {
            return self.tree.window(job.tag, self.window).is_some();
        }
        // What is done ahead of time has to wait for what is wanted now.
        let is_free = |wish: &Wish| {
            self.tree.nodes[wish.leaf].searched_by == 0 && self.tree.window(wish.leaf, self.window).is_some()
        };
        job.depth == self.leaf_depth() + 1 && !self.wishes.iter().any(is_free)
    }

    fn found(&mut self, job: &Job, answer: Answer) {
        self.tree.nodes[job.tag].searched_by -= 1;
        if job.depth == self.leaf_depth() {
            self.tree.learn(job.tag, job.window, answer.score, answer.line);
            self.is_stale = true;
        } else if job.depth == self.leaf_depth() + 1 {
            self.tree.nodes[job.tag].bounds_ahead.learn(job.window, answer.score);
        }
    }

    fn lost(&mut self, job: &Job) {
        self.tree.nodes[job.tag].searched_by -= 1;
        self.is_stale = true;
    }

    fn gone(&mut self, processor: ProcessorId) {
        self.others = self.others.saturating_sub(1);
        self.owners.iter_mut().filter(|owner| **owner == Some(processor)).for_each(|owner| *owner = None);
    }

    fn value(&self) -> Option<(Score, Vec<Move>)> {
        let bounds = self.tree.bounds(ROOT);
        bounds.are_met().then(|| (bounds.least, self.tree.best_line()))
    }
}
