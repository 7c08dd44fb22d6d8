//! The tree of a Monte Carlo search: results of games, and what is proven. Several players may grow one tree in turn.

use game::{Move, Signature};
use rustc_hash::FxHashSet;

use super::MonteCarlo;
use crate::score::Score;

/// Sums of results, each between 0 for a loss and 1 for a win.
#[derive(Clone, Copy, Default)]
pub(super) struct Results {
    pub(super) visits: f32,
    sum: f32,
}

impl Results {
    pub(super) fn add(&mut self, result: f32) {
        self.visits += 1.0;
        self.sum += result;
    }

    pub(super) fn mean(self) -> f32 {
        if self.visits > 0.0 { self.sum / self.visits } else { 0.5 }
    }
}

/// A position, with the move that led to it. Results are those of the player who made that move.
pub(super) struct Node {
    pub(super) played: Option<Move>,
    pub(super) results: Results,
    /// Results of games in which the move was made later by the same player.
    later: Results,
    /// The evaluation for the player who made the move, or how likely the move is the best: between 0 and 1.
    pub(super) bias: f32,
    /// 1, 0 or -1: the mover of this position wins, draws, loses with best play.
    pub(super) proven: Option<i32>,
    first: u32,
    count: u32,
    pub(super) expanded: bool,
    /// Moves that do not look good were left out.
    pub(super) cut: bool,
    /// None of the moves that are there wins, so that the others are needed.
    pub(super) wants_all: bool,
    /// Players whose games went through here and are not over: they count as lost meanwhile.
    under_way: f32,
}

impl Node {
    pub(super) fn new(played: Option<Move>, bias: f32) -> Node {
        Node {
            played,
            results: Results::default(),
            later: Results::default(),
            bias,
            proven: None,
            first: 0,
            count: 0,
            expanded: false,
            cut: false,
            wants_all: false,
            under_way: 0.0,
        }
    }
}

/// What came of a game.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Game {
    /// Between -1 for a loss and 1 for a win.
    pub sign: f32,
    /// Whether that is how the mover of the root sees it.
    pub seen_by_root: bool,
    /// What the mover of the root, and the other player, played since the root: the differences that their moves made.
    pub played: [FxHashSet<Signature>; 2],
}

/// What a move of the root has come to.
#[derive(Clone, Debug)]
pub struct Harvest {
    /// The move.
    pub played: Move,
    /// How many games began with it.
    pub visits: f32,
    /// What these games came to, each between 0 for a loss and 1 for a win.
    pub sum: f32,
    /// 1, 0 or -1 if it is proven what it leads to.
    pub proven: Option<i32>,
}

/// The tree.
pub struct Tree {
    settings: MonteCarlo,
    nodes: Vec<Node>,
    pub(super) proven_nodes: u64,
    /// Whether a policy says where to look.
    pub(super) guided: bool,
}

impl Tree {
    pub(super) fn new(settings: MonteCarlo) -> Tree {
        Tree { settings, nodes: vec![Node::new(None, 0.5)], proven_nodes: 0, guided: false }
    }

    pub(super) fn node(&self, index: usize) -> &Node {
        &self.nodes[index]
    }

    /// Whether the outcome is known.
    #[must_use]
    pub fn is_proven(&self) -> bool {
        self.nodes[0].proven.is_some()
    }

    pub(super) fn is_full(&self) -> bool {
        self.nodes.len() >= self.settings.tree_nodes_max
    }

    /// How full it is, in thousandths.
    #[must_use]
    pub fn full_per_mille(&self) -> u32 {
        (1000 * self.nodes.len() / self.settings.tree_nodes_max.max(1)).min(1000) as u32
    }

    /// The game ends at a node.
    pub(super) fn end_at(&mut self, index: usize, sign: i32) {
        self.nodes[index].expanded = true;
        self.nodes[index].proven = Some(sign);
    }

    /// Gives a node its children.
    fn grow(&mut self, index: usize, children: Vec<Node>) {
        self.nodes[index].expanded = true;
        self.nodes[index].first = self.nodes.len() as u32;
        self.nodes[index].count = children.len() as u32;
        self.proven_nodes += children.iter().filter(|child| child.proven.is_some()).count() as u64;
        self.nodes.extend(children);
        self.prove(index);
    }

    /// Gives a node children, of which there are so many in all.
    pub(super) fn grow_some(&mut self, index: usize, children: Vec<Node>, all: usize) {
        self.nodes[index].cut = children.len() < all;
        self.grow(index, children);
    }

    /// Gives a node all its children in the place of some of them, of which everything is kept.
    pub(super) fn complete(&mut self, index: usize, mut children: Vec<Node>) {
        for old in self.children(index) {
            let old = &mut self.nodes[old];
            let is_same = |new: &&mut Node| match (&new.played, &old.played) {
                (Some(new), Some(old)) => new.view().same_as(old.view()),
                _ => false,
            };
            if let Some(new) = children.iter_mut().find(is_same) {
                let bias = new.bias;
                // What is left behind is not reached any more.
                *new = std::mem::replace(old, Node::new(None, 0.5));
                new.bias = bias;
            }
        }
        (self.nodes[index].cut, self.nodes[index].wants_all) = (false, false);
        self.grow(index, children);
    }

    /// A game goes along this line and is not over yet.
    pub fn set_out(&mut self, line: &[usize]) {
        line.iter().for_each(|&index| self.nodes[index].under_way += 1.0);
    }

    /// It is over.
    pub fn come_back(&mut self, line: &[usize]) {
        line.iter().for_each(|&index| self.nodes[index].under_way -= 1.0);
    }

    /// The children of the root, for who wants to change what they look like.
    pub(super) fn root_children(&mut self) -> &mut [Node] {
        let children = self.children(0);
        &mut self.nodes[children]
    }

    fn children(&self, index: usize) -> std::ops::Range<usize> {
        let node = &self.nodes[index];
        node.first as usize..(node.first + node.count) as usize
    }

    /// The child to visit next: the best by its results and by how little is known of it.
    pub(super) fn select(&self, index: usize) -> usize {
        let visits = (self.nodes[index].results.visits + self.nodes[index].under_way).max(1.0);
        if self.guided {
            return self.select_guided(index, visits);
        }
        let mut best = (f32::NEG_INFINITY, self.nodes[index].first as usize);
        for child in self.children(index) {
            let worth = self.worth(&self.nodes[child], visits.ln());
            if worth > best.0 {
                best = (worth, child);
            }
        }
        best.1
    }

    /// The same where moves have shares (PUCT): a move that was not tried is worth a little less than the node is so
    /// far.
    fn select_guided(&self, index: usize, visits: f32) -> usize {
        let MonteCarlo { trust, pessimism, .. } = self.settings;
        let tried = |child: &Node| child.results.visits + child.under_way > 0.0;
        let known: f32 = self.nodes[self.children(index)]
            .iter()
            .filter(|child| tried(child))
            .map(|child| child.bias)
            .sum();
        let untried = (1.0 - self.nodes[index].results.mean() - pessimism * known.sqrt()).max(0.0);
        let mut best = (f32::NEG_INFINITY, self.nodes[index].first as usize);
        for child in self.children(index) {
            let node = &self.nodes[child];
            let visited = node.results.visits + node.under_way;
            let mean = if visited > 0.0 { node.results.sum / visited } else { untried };
            let worth = match node.proven {
                Some(1) => -1.0,
                Some(sign) => 0.5 - 0.5 * sign as f32,
                None => mean + trust * node.bias * visits.sqrt() / (1.0 + visited),
            };
            if worth > best.0 {
                best = (worth, child);
            }
        }
        best.1
    }

    fn worth(&self, node: &Node, log_visits: f32) -> f32 {
        if let Some(sign) = node.proven {
            // Known: nothing is to be learned there. A draw is as good as it is.
            return if sign > 0 { -1.0 } else { 0.5 - 0.5 * sign as f32 };
        }
        let MonteCarlo { exploration, rave_visits, bias, .. } = self.settings;
        let visits = node.results.visits + node.under_way;
        let mean = if visits > 0.0 { node.results.sum / visits } else { 1.0 };
        let trust = if rave_visits > 0.0 && node.later.visits > 0.0 {
            (rave_visits / (3.0 * visits + rave_visits)).sqrt()
        } else {
            0.0
        };
        let blended = (1.0 - trust) * mean + trust * node.later.mean();
        blended + exploration * (log_visits / (visits + 1.0)).sqrt() + bias * node.bias / (visits + 1.0)
    }

    /// Adds a result to all nodes of a line, and proves what can be proven.
    pub fn back_up(&mut self, line: &[usize], game: &Game) {
        for (ply, &index) in line.iter().enumerate().rev() {
            // Who moves here: the mover of the root, or the other one.
            let mover = ply % 2;
            let value = |player: usize| {
                0.5 + 0.5 * if (player == 0) == game.seen_by_root { game.sign } else { -game.sign }
            };
            // Results belong to the player who moved here.
            self.nodes[index].results.add(value(1 - mover));
            if self.settings.rave_visits > 0.0 && !self.guided {
                self.add_later_results(index, &game.played[mover], value(mover));
            }
            let is_open = self.nodes[index].proven.is_none() && !self.nodes[index].wants_all;
            if is_open && self.nodes[index].count > 0 {
                self.prove(index);
            }
        }
    }

    fn add_later_results(&mut self, index: usize, played: &FxHashSet<Signature>, result: f32) {
        for child in self.children(index) {
            let node = &mut self.nodes[child];
            let difference = node.played.as_ref().map(|played| played.view().head.signature_difference);
            if difference.is_some_and(|difference| played.contains(&difference)) {
                node.later.add(result);
            }
        }
    }

    /// A node with a child that is lost for its mover is won; one whose children are all proven is as good as the
    /// best of them.
    fn prove(&mut self, index: usize) {
        let mut best = Some(-1);
        for child in self.children(index) {
            match self.nodes[child].proven {
                Some(-1) => {
                    best = Some(1);
                    break;
                }
                Some(sign) => best = best.map(|best: i32| best.max(-sign)),
                None => best = None,
            }
        }
        if self.nodes[index].cut && best.is_some_and(|best| best < 1) {
            self.nodes[index].wants_all = true;
            return;
        }
        if best.is_some() && self.nodes[index].count > 0 {
            self.nodes[index].proven = best;
            self.proven_nodes += 1;
        }
    }

    /// The child to play: one that wins, else the most visited of those that do not lose.
    fn best_child(&self, index: usize) -> Option<usize> {
        self.children(index).max_by(|&left, &right| {
            let rank = |child: usize| {
                let node = &self.nodes[child];
                let certainty = match node.proven {
                    Some(-1) => 1,
                    Some(1) => -1,
                    _ => 0,
                };
                (certainty, node.results.visits)
            };
            let (left_rank, right_rank) = (rank(left), rank(right));
            left_rank.0.cmp(&right_rank.0).then(left_rank.1.total_cmp(&right_rank.1)).then(right.cmp(&left))
        })
    }

    /// The best line.
    #[must_use]
    pub fn principal_variation(&self) -> Vec<Move> {
        let mut line = Vec::new();
        let mut index = 0;
        while let Some(child) = self.best_proven_child(index).or_else(|| self.best_child(index)) {
            line.extend(self.nodes[child].played.clone());
            index = child;
        }
        line
    }

    /// In a proven position, a child that keeps what is proven.
    fn best_proven_child(&self, index: usize) -> Option<usize> {
        let proven = self.nodes[index].proven?;
        self.children(index).find(|&child| self.nodes[child].proven == Some(-proven))
    }

    /// The worth of the root for its mover.
    #[must_use]
    pub fn score(&self) -> Score {
        match self.nodes[0].proven {
            Some(1) => Score::WON,
            Some(-1) => Score::LOST,
            Some(_) => Score::DRAW,
            None => {
                let mean = self.best_child(0).map_or(0.5, |child| self.nodes[child].results.mean());
                Score::estimate(((mean - 0.5) * 2000.0) as i32)
            }
        }
    }

    /// What the moves of the root have come to.
    #[must_use]
    pub fn harvest(&self) -> Vec<Harvest> {
        let harvest = |child: usize| {
            let node = &self.nodes[child];
            let (visits, sum) = (node.results.visits, node.results.sum);
            // What is proven is said as the mover of the position behind the move sees it.
            Some(Harvest { played: node.played.clone()?, visits, sum, proven: node.proven.map(|sign| -sign) })
        };
        self.children(0).filter_map(harvest).collect()
    }
}
