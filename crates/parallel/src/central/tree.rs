//! The top of the game tree, in the leader's memory: what is known of each node of it in an iteration. Bounds of a
//! node come from those of its sons, whatever was searched, by whom, and in which order: so the value is right when
//! they meet at the root.

use game::{Game, Move};
use search::guided::Prospect;
use search::watch::Interrupt;
use search::{Depth, Score, Window};

use super::plan::{Bounds, Scout};

pub(super) const ROOT: usize = 0;

/// A node.
pub(super) struct Node {
    father: Option<usize>,
    /// The move that leads to it.
    played: Option<Move>,
    pub(super) ply: usize,
    /// Those that follow it, when that is known; those first that looked best in the last iteration.
    sons: Option<Vec<usize>>,
    /// Whether the game is over there.
    is_settled: bool,
    pub(super) bounds: Bounds,
    /// What is known for the next iteration already.
    pub(super) bounds_ahead: Bounds,
    /// What the last search said.
    pub(super) guess: Option<Score>,
    /// The best line from here on, if the last search has found it.
    line: Vec<Move>,
    /// How many processors search it.
    pub(super) searched_by: usize,
}

impl Node {
    fn new(father: Option<usize>, played: Option<Move>, ply: usize) -> Node {
        Node {
            father,
            played,
            ply,
            sons: None,
            is_settled: false,
            bounds: Bounds::UNKNOWN,
            bounds_ahead: Bounds::UNKNOWN,
            guess: None,
            line: Vec::new(),
            searched_by: 0,
        }
    }
}

/// A tree of some plies.
pub(super) struct TopTree {
    pub(super) nodes: Vec<Node>,
    /// Nodes at this ply are searched by processors.
    pub(super) plies: usize,
    /// How deep the root is searched.
    pub(super) depth: Depth,
    /// How often something has become known.
    pub(super) changes: u64,
}

impl TopTree {
    pub(super) fn new(plies: usize) -> TopTree {
        TopTree { nodes: vec![Node::new(None, None, 0)], plies, depth: Depth(0), changes: 0 }
    }

    pub(super) fn bounds(&self, index: usize) -> Bounds {
        self.nodes[index].bounds
    }

    pub(super) fn is_leaf(&self, index: usize) -> bool {
        self.nodes[index].ply >= self.plies
    }

    /// An iteration begins: what was known of the last one is order and guesses now.
    pub(super) fn begin(&mut self, depth: Depth) {
        self.depth = depth;
        for index in (0..self.nodes.len()).rev() {
            self.guess_from_sons(index);
            let node = &mut self.nodes[index];
            if !node.is_settled {
                node.bounds = std::mem::replace(&mut node.bounds_ahead, Bounds::UNKNOWN);
            }
            self.bound_by_sons(index);
        }
    }

    /// What a node seems to be worth, and in which order its sons are to be tried.
    fn guess_from_sons(&mut self, index: usize) {
        let Some(mut sons) = self.nodes[index].sons.take() else { return };
        // The less a son is worth to its mover, the better; those that have not been looked at keep their place at the
        // end.
        sons.sort_by_key(|&son| self.nodes[son].guess.map_or(Score::INFINITE, |guess| guess));
        let best = sons.first().and_then(|&son| self.nodes[son].guess).map(|guess| -guess);
        let node = &mut self.nodes[index];
        (node.sons, node.guess) = (Some(sons), best.or(node.guess));
    }

    /// The moves from the root to a node.
    pub(super) fn line(&self, index: usize) -> Vec<Move> {
        let mut line: Vec<Move> =
            self.upwards(index).filter_map(|at| self.nodes[at].played.clone()).collect();
        line.reverse();
        line
    }

    /// A node, its father, and so on to the root.
    fn upwards(&self, index: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(index), |&at| self.nodes[at].father)
    }

    /// The sons of a node that is not at the bottom; the moves are looked for when they are first needed.
    pub(super) fn sons<G: Game>(
        &mut self,
        index: usize,
        scout: &mut Scout<'_, G>,
    ) -> Result<Vec<usize>, Interrupt> {
        if let Some(sons) = &self.nodes[index].sons {
            return Ok(sons.clone());
        }
        let ply = self.nodes[index].ply;
        let depth = self.depth - ply as i32;
        let sons = match scout.prospect(&self.line(index), depth)? {
            Prospect::Settled(score) => {
                let node = &mut self.nodes[index];
                (node.is_settled, node.bounds, node.guess) = (true, Bounds::exactly(score), Some(score));
                Vec::new()
            }
            Prospect::Moves(moves) => moves.into_iter().map(|played| self.add(index, played)).collect(),
        };
        self.nodes[index].sons = Some(sons.clone());
        self.spread(index);
        Ok(sons)
    }

    fn add(&mut self, father: usize, played: Move) -> usize {
        let ply = self.nodes[father].ply + 1;
        let outcome = played.view().head.outcome();
        let mut node = Node::new(Some(father), Some(played), ply);
        if let Some(outcome) = outcome {
            let score = -Score::of_outcome(outcome, ply);
            (node.is_settled, node.bounds, node.guess) = (true, Bounds::exactly(score), Some(score));
        }
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    /// Takes in what a search of a leaf says.
    pub(super) fn learn(&mut self, leaf: usize, window: Window, score: Score, line: Vec<Move>) {
        let node = &mut self.nodes[leaf];
        node.bounds.learn(window, score);
        node.guess = Some(score);
        if score > window.alpha {
            node.line = line;
        }
        self.spread(leaf);
    }

    /// Carries bounds up from a node as far as they change something.
    fn spread(&mut self, index: usize) {
        self.changes += 1;
        self.bound_by_sons(index);
        let mut at = self.nodes[index].father;
        while let Some(index) = at {
            let before = self.bounds(index);
            self.bound_by_sons(index);
            at = self.nodes[index].father.filter(|_| self.bounds(index) != before);
        }
    }

    fn bound_by_sons(&mut self, index: usize) {
        let Some(sons) = self.nodes[index].sons.as_ref().filter(|sons| !sons.is_empty()) else { return };
        let best = |bound: fn(Bounds) -> Score| {
            sons.iter().map(|&son| -bound(self.nodes[son].bounds)).max().unwrap_or(Score::MINUS_INFINITE)
        };
        let bounds = Bounds { least: best(|son| son.most), most: best(|son| son.least) };
        self.nodes[index].bounds = bounds;
    }

    /// The window in which a node matters, if that of the root is this one; `None` if it does not.
    pub(super) fn window(&self, index: usize, of_root: Window) -> Option<Window> {
        let Some(father) = self.nodes[index].father else {
            return self.bounds(index).are_open(of_root).then_some(of_root);
        };
        let window = self.son_window(father, self.window(father, of_root)?);
        self.bounds(index).are_open(window).then_some(window)
    }

    /// The window of the sons of a node: they have to be better than what is certain.
    pub(super) fn son_window(&self, index: usize, window: Window) -> Window {
        Window { alpha: window.alpha.max(self.bounds(index).least), ..window }.reversed()
    }

    /// The sons of a node that matter, with their window.
    pub(super) fn open_sons<G: Game>(
        &mut self,
        index: usize,
        window: Window,
        scout: &mut Scout<'_, G>,
    ) -> Result<(Vec<usize>, Window), Interrupt> {
        let mut sons = self.sons(index, scout)?;
        let window = self.son_window(index, window);
        sons.retain(|&son| self.bounds(son).are_open(window));
        Ok((sons, window))
    }

    /// The best line, when the value is known: the mover's best move is the one that is certain to be good, the
    /// opponent's the one that may be.
    pub(super) fn best_line(&self) -> Vec<Move> {
        let (mut line, mut at) = (Vec::new(), ROOT);
        while let Some(sons) = self.nodes[at].sons.as_ref().filter(|sons| !sons.is_empty()) {
            let is_own = self.nodes[at].ply.is_multiple_of(2);
            let worth = |son: usize| {
                let Bounds { least, most } = self.bounds(son);
                if is_own { -most } else { -least }
            };
            // The first of the best.
            let Some(best) = sons.iter().copied().rev().max_by_key(|&son| worth(son)) else { break };
            line.extend(self.nodes[best].played.clone());
            at = best;
        }
        line.extend(self.nodes[at].line.iter().cloned());
        line
    }
}
