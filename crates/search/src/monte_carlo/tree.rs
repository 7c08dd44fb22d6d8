//! The tree of a Monte Carlo search.

use game::{Colour, Game, Move, MoveList, Outcome, RepetitionResult, Signature, Stage};
use rustc_hash::FxHashSet;

use super::MonteCarlo;
use crate::engine::Settings;
use crate::path::Path;
use crate::root::Root;
use crate::score::Score;
use crate::statistics::Statistics;
use crate::watch::{Interrupt, Watch};

/// Sums of results, each between 0 for a loss and 1 for a win.
#[derive(Clone, Copy, Default)]
struct Results {
    visits: f32,
    sum: f32,
}

impl Results {
    fn add(&mut self, result: f32) {
        self.visits += 1.0;
        self.sum += result;
    }

    fn mean(self) -> f32 {
        if self.visits > 0.0 { self.sum / self.visits } else { 0.5 }
    }
}

/// A position, with the move that led to it. Results are those of the player who made that move.
struct Node {
    played: Option<Move>,
    results: Results,
    /// Results of games in which the move was made later by the same player.
    later: Results,
    /// The evaluation for the player who made the move, between 0 and 1.
    bias: f32,
    /// 1, 0 or -1: the mover of this position wins, draws, loses with best play.
    proven: Option<i32>,
    first: u32,
    count: u32,
    expanded: bool,
}

impl Node {
    fn new(played: Option<Move>, bias: f32) -> Node {
        Node {
            played,
            results: Results::default(),
            later: Results::default(),
            bias,
            proven: None,
            first: 0,
            count: 0,
            expanded: false,
        }
    }
}

/// The tree and what playing needs.
pub(super) struct Tree<'search, G: Game> {
    game: &'search G,
    root: &'search Root<G>,
    settings: MonteCarlo,
    nodes: Vec<Node>,
    path: Path,
    random: fastrand::Rng,
    pub(super) watch: Watch<'search>,
    statistics: Statistics,
    moves: MoveList,
    /// What each player played since the root, for RAVE.
    played: [FxHashSet<Signature>; 2],
}

impl<'search, G: Game> Tree<'search, G> {
    pub(super) fn new(
        game: &'search G,
        root: &'search Root<G>,
        settings: &Settings,
        watch: Watch<'search>,
    ) -> Result<Tree<'search, G>, Interrupt> {
        let path = Path::new(game, root);
        let mut tree = Tree {
            game,
            root,
            settings: settings.monte_carlo,
            nodes: vec![Node::new(None, 0.5)],
            path,
            random: fastrand::Rng::with_seed(settings.seed),
            watch,
            statistics: Statistics::default(),
            moves: MoveList::new(),
            played: Default::default(),
        };
        tree.expand(0, &root.position)?;
        Ok(tree)
    }

    pub(super) fn is_proven(&self) -> bool {
        self.nodes[0].proven.is_some()
    }

    pub(super) fn statistics(&self) -> Statistics {
        Statistics { nodes: self.watch.nodes(), ..self.statistics }
    }

    pub(super) fn full_per_mille(&self) -> u32 {
        (1000 * self.nodes.len() / self.settings.tree_nodes_max.max(1)).min(1000) as u32
    }

    /// One game: down the tree, one step beyond it, at random to its end, and back with the result.
    pub(super) fn play_once(&mut self) -> Result<(), Interrupt> {
        let mut line = vec![0];
        let mut position = self.root.position.clone();
        self.played.iter_mut().for_each(FxHashSet::clear);
        let result = self.descend(&mut line, &mut position);
        while self.path.ply() > 0 {
            self.path.pop();
        }
        let (sign, seen_by) = result?;
        self.statistics.playouts += 1;
        self.back_up(&line, sign, seen_by);
        Ok(())
    }

    /// Goes down to a leaf and plays on from there. Returns the result and whose view it is.
    fn descend(
        &mut self,
        line: &mut Vec<usize>,
        position: &mut G::Position,
    ) -> Result<(f32, Colour), Interrupt> {
        let mut index = 0;
        loop {
            self.watch.count_node()?;
            let mover = self.game.mover(position);
            if let Some(sign) = self.nodes[index].proven {
                return Ok((sign as f32, mover));
            }
            if index != 0
                && let Some(result) = self.path.repetition(true)
            {
                let repeater = mover.opponent();
                return Ok((outcome_of(result).sign() as f32, repeater));
            }
            if !self.nodes[index].expanded {
                let is_new = self.nodes[index].results.visits < 1.0;
                if is_new || self.nodes.len() >= self.settings.tree_nodes_max {
                    return self.play_at_random(position);
                }
                self.expand(index, position)?;
                continue;
            }
            index = self.select(index);
            line.push(index);
            let played = self.nodes[index].played.clone().expect("only the root has no move");
            self.make(position, &played, mover);
        }
    }

    fn make(&mut self, position: &mut G::Position, played: &Move, mover: Colour) {
        let head = played.view().head;
        self.game.play(position, played.view());
        self.path.push(played.view());
        if self.settings.rave_visits > 0.0 {
            self.played[mover.index()].insert(head.signature_difference);
        }
    }

    /// Gives a node its children.
    fn expand(&mut self, index: usize, position: &G::Position) -> Result<(), Interrupt> {
        let mut moves = std::mem::take(&mut self.moves);
        let result = self.add_children(index, position, &mut moves);
        self.moves = moves;
        result
    }

    fn add_children(
        &mut self,
        index: usize,
        position: &G::Position,
        moves: &mut MoveList,
    ) -> Result<(), Interrupt> {
        self.nodes[index].expanded = true;
        if let Some(outcome) = self.generate(position, moves)? {
            self.nodes[index].proven = Some(outcome.sign());
            return Ok(());
        }
        if index == 0 && !self.root.only.is_empty() {
            let only = &self.root.only;
            moves.retain(|played| only.iter().any(|wanted| wanted.view().same_as(played)));
        }
        let first = self.nodes.len();
        for played in moves.iter() {
            let bias = if self.settings.bias > 0.0 { self.bias(position, played)? } else { 0.5 };
            let mut node = Node::new(Some(played.to_move()), bias);
            if let Some(outcome) = played.head.outcome() {
                node.proven = Some(-outcome.sign());
                node.expanded = true;
                self.statistics.proven_nodes += 1;
            }
            self.nodes.push(node);
        }
        self.nodes[index].first = first as u32;
        self.nodes[index].count = moves.len() as u32;
        self.prove(index);
        Ok(())
    }

    fn generate(
        &mut self,
        position: &G::Position,
        moves: &mut MoveList,
    ) -> Result<Option<Outcome>, Interrupt> {
        self.statistics.generations += 1;
        if let Some(outcome) = self.game.generate(position, Stage::All, moves)? {
            return Ok(Some(outcome));
        }
        if self.path.can_forbid() {
            let path = &mut self.path;
            moves.retain(|played| !path.forbids(played));
            if moves.is_empty() {
                return Ok(Some(Outcome::Loss));
            }
        }
        Ok(None)
    }

    /// The evaluation after a move for the player who makes it, squeezed between 0 and 1.
    fn bias(&mut self, position: &G::Position, played: game::MoveView<'_>) -> Result<f32, Interrupt> {
        let mut child = position.clone();
        self.game.play(&mut child, played);
        self.statistics.evaluations += 1;
        Ok(1.0 - squeeze(self.game.evaluate(&child)?))
    }

    fn children(&self, index: usize) -> std::ops::Range<usize> {
        let node = &self.nodes[index];
        node.first as usize..(node.first + node.count) as usize
    }

    /// The child to visit next: the best by its results and by how little is known of it.
    fn select(&self, index: usize) -> usize {
        let visits = self.nodes[index].results.visits.max(1.0);
        let mut best = (f32::NEG_INFINITY, self.nodes[index].first as usize);
        for child in self.children(index) {
            let worth = self.worth(&self.nodes[child], visits.ln());
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
        let visits = node.results.visits;
        let mean = if visits > 0.0 { node.results.mean() } else { 1.0 };
        let trust = if rave_visits > 0.0 && node.later.visits > 0.0 {
            (rave_visits / (3.0 * visits + rave_visits)).sqrt()
        } else {
            0.0
        };
        let blended = (1.0 - trust) * mean + trust * node.later.mean();
        blended + exploration * (log_visits / (visits + 1.0)).sqrt() + bias * node.bias / (visits + 1.0)
    }

    /// A game at random from here on. Returns the result and whose view it is.
    fn play_at_random(&mut self, position: &mut G::Position) -> Result<(f32, Colour), Interrupt> {
        let mut moves = std::mem::take(&mut self.moves);
        let result = self.playout(position, &mut moves);
        self.moves = moves;
        result
    }

    fn playout(
        &mut self,
        position: &mut G::Position,
        moves: &mut MoveList,
    ) -> Result<(f32, Colour), Interrupt> {
        for _ in 0..self.settings.playout_plies_max {
            self.watch.count_node()?;
            self.statistics.playout_plies += 1;
            let mover = self.game.mover(position);
            if let Some(result) = self.path.repetition(false) {
                return Ok((outcome_of(result).sign() as f32, mover.opponent()));
            }
            if let Some(outcome) = self.generate(position, moves)? {
                return Ok((outcome.sign() as f32, mover));
            }
            let winning = || {
                moves.iter().find(|played| played.head.outcome().is_some_and(|outcome| outcome.sign() > 0))
            };
            let decisive = if self.settings.decisive_moves { winning() } else { None };
            let played = decisive.unwrap_or_else(|| moves.get(self.random.usize(..moves.len())));
            if let Some(outcome) = played.head.outcome() {
                return Ok((outcome.sign() as f32, mover));
            }
            self.game.play(position, played);
            self.path.push(played);
            if self.settings.rave_visits > 0.0 {
                self.played[mover.index()].insert(played.head.signature_difference);
            }
        }
        self.statistics.evaluations += 1;
        let estimate = squeeze(self.game.evaluate(position)?);
        Ok((2.0 * estimate - 1.0, self.game.mover(position)))
    }

    /// Adds a result to all nodes of a line, and proves what can be proven.
    fn back_up(&mut self, line: &[usize], sign: f32, seen_by: Colour) {
        let root_mover = self.game.mover(&self.root.position);
        let value = |player: Colour| 0.5 + 0.5 * if seen_by == player { sign } else { -sign };
        for (ply, &index) in line.iter().enumerate().rev() {
            let mover = if ply % 2 == 0 { root_mover } else { root_mover.opponent() };
            // Results belong to the player who moved here.
            self.nodes[index].results.add(value(mover.opponent()));
            if self.settings.rave_visits > 0.0 {
                self.add_later_results(index, mover, value(mover));
            }
            if self.nodes[index].proven.is_none() && self.nodes[index].count > 0 {
                self.prove(index);
            }
        }
    }

    fn add_later_results(&mut self, index: usize, mover: Colour, result: f32) {
        for child in self.children(index) {
            let node = &mut self.nodes[child];
            let difference = node.played.as_ref().map(|played| played.view().head.signature_difference);
            if difference.is_some_and(|difference| self.played[mover.index()].contains(&difference)) {
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
        if best.is_some() && self.nodes[index].count > 0 {
            self.nodes[index].proven = best;
            self.statistics.proven_nodes += 1;
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

    pub(super) fn principal_variation(&self) -> Vec<Move> {
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
    pub(super) fn score(&self) -> Score {
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
}

fn squeeze(estimate: i32) -> f32 {
    let scaled = estimate as f32 / 400.0;
    1.0 / (1.0 + (-scaled).exp())
}

fn outcome_of(result: RepetitionResult) -> Outcome {
    match result {
        RepetitionResult::Win => Outcome::Win,
        RepetitionResult::Loss => Outcome::Loss,
        _ => Outcome::Draw,
    }
}
