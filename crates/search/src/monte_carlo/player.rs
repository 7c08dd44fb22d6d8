//! Plays games: down a tree, one step beyond it, and at random to the end.

use game::{Colour, Game as Rules, Move, MoveList, Outcome, RepetitionResult, Signature, Stage};
use rustc_hash::FxHashSet;

use super::tree::{Game, Node, Tree};
use super::{MonteCarlo, advice};
use crate::engine::Settings;
use crate::path::Path;
use crate::root::Root;
use crate::statistics::Statistics;
use crate::watch::{Interrupt, Watch};

/// The way down a tree.
pub struct Descent<P> {
    /// The nodes on it.
    pub line: Vec<usize>,
    /// The moves on it.
    pub moves: Vec<Move>,
    /// What the game came to, if it is over there or known.
    pub game: Option<Game>,
    /// Where it has led.
    position: P,
}

/// One player.
pub struct Player<'search, G: Rules> {
    game: &'search G,
    root: &'search Root<G>,
    settings: MonteCarlo,
    path: Path,
    random: fastrand::Rng,
    /// The limits of the search.
    pub watch: Watch<'search>,
    statistics: Statistics,
    moves: MoveList,
    /// How likely each of the moves is the best, if a policy says so.
    shares: Vec<f32>,
    guided: bool,
    /// Who moves at the root.
    root_mover: Colour,
    /// The game that is being played, as far as others want to know of it.
    played: Game,
}

impl<'search, G: Rules> Player<'search, G> {
    /// A player who has not played yet.
    pub fn new(
        game: &'search G,
        root: &'search Root<G>,
        settings: &Settings,
        watch: Watch<'search>,
    ) -> Player<'search, G> {
        Player {
            game,
            root,
            settings: settings.monte_carlo,
            path: Path::new(game, root),
            random: fastrand::Rng::with_seed(settings.seed),
            watch,
            statistics: Statistics::default(),
            moves: MoveList::new(),
            shares: Vec::new(),
            guided: settings.monte_carlo.policy && game.expect(&root.position).is_some(),
            root_mover: game.mover(&root.position),
            played: Game::default(),
        }
    }

    /// A tree with the moves of the root.
    ///
    /// # Errors
    /// When the rules go wrong.
    pub fn plant(&mut self) -> Result<Tree, Interrupt> {
        let mut tree = Tree::new(self.settings);
        tree.guided = self.guided;
        self.expand(&mut tree, 0, &self.root.position)?;
        if self.guided && self.settings.noise > 0.0 {
            advice::disturb(tree.root_children(), self.settings.noise, &mut self.random);
        }
        Ok(tree)
    }

    /// What was counted so far.
    #[must_use]
    pub fn statistics(&self) -> Statistics {
        Statistics { nodes: self.watch.nodes(), ..self.statistics }
    }

    /// One game, and its result for the tree.
    ///
    /// # Errors
    /// When a limit is reached or the rules go wrong.
    pub fn play_once(&mut self, tree: &mut Tree) -> Result<(), Interrupt> {
        let descent = self.descend(tree)?;
        let (line, game) = self.finish(descent)?;
        tree.back_up(&line, &game);
        // Its sets are used again.
        self.played = game;
        Ok(())
    }

    /// Goes down a tree to a leaf, which it may give children.
    ///
    /// # Errors
    /// When a limit is reached or the rules go wrong.
    pub fn descend(&mut self, tree: &mut Tree) -> Result<Descent<G::Position>, Interrupt> {
        self.begin();
        let mut descent =
            Descent { line: vec![0], moves: Vec::new(), game: None, position: self.root.position.clone() };
        match self.go_down(tree, &mut descent) {
            Ok(result) => {
                descent.game = result.map(|(sign, seen_by)| self.over(sign, seen_by));
                Ok(descent)
            }
            Err(interrupt) => {
                self.go_home();
                Err(interrupt)
            }
        }
    }

    /// Plays on at random from where a descent has led.
    ///
    /// # Errors
    /// When a limit is reached or the rules go wrong.
    pub fn finish(&mut self, descent: Descent<G::Position>) -> Result<(Vec<usize>, Game), Interrupt> {
        let Descent { line, game, mut position, .. } = descent;
        let game = match game {
            Some(game) => Ok(game),
            None if self.guided => {
                self.statistics.evaluations += 1;
                let expected = self.game.expect(&position).unwrap_or(0.0);
                Ok(self.over(expected, self.game.mover(&position)))
            }
            None => self.play_at_random(&mut position).map(|(sign, seen_by)| self.over(sign, seen_by)),
        };
        self.go_home();
        self.statistics.playouts += u64::from(game.is_ok());
        Ok((line, game?))
    }

    /// Plays on at random behind some moves from the root, which another player has chosen.
    ///
    /// # Errors
    /// When a limit is reached or the rules go wrong.
    pub fn follow(&mut self, moves: &[Move]) -> Result<Game, Interrupt> {
        self.begin();
        let mut position = self.root.position.clone();
        for played in moves {
            let mover = self.game.mover(&position);
            self.make(&mut position, played, mover);
        }
        let descent = Descent { line: Vec::new(), moves: Vec::new(), game: None, position };
        self.finish(descent).map(|(_, game)| game)
    }

    fn begin(&mut self) {
        self.played.played.iter_mut().for_each(FxHashSet::clear);
    }

    fn go_home(&mut self) {
        while self.path.ply() > 0 {
            self.path.pop();
        }
    }

    fn over(&mut self, sign: f32, seen_by: Colour) -> Game {
        Game { sign, seen_by_root: seen_by == self.root_mover, ..std::mem::take(&mut self.played) }
    }

    /// Goes down to a leaf. Returns the result and whose view it is, if it is known there.
    fn go_down(
        &mut self,
        tree: &mut Tree,
        descent: &mut Descent<G::Position>,
    ) -> Result<Option<(f32, Colour)>, Interrupt> {
        let mut index = 0;
        loop {
            self.watch.count_node()?;
            let mover = self.game.mover(&descent.position);
            if let Some(sign) = tree.node(index).proven {
                return Ok(Some((sign as f32, mover)));
            }
            if index != 0
                && let Some(result) = self.path.repetition(true)
            {
                let repeater = mover.opponent();
                return Ok(Some((outcome_of(result).sign() as f32, repeater)));
            }
            if !tree.node(index).expanded {
                let is_new = tree.node(index).results.visits < 1.0;
                if is_new || tree.is_full() {
                    return Ok(None);
                }
                self.expand(tree, index, &descent.position)?;
                continue;
            }
            if tree.node(index).wants_all {
                self.expand(tree, index, &descent.position)?;
                continue;
            }
            index = tree.select(index);
            descent.line.push(index);
            let played = tree.node(index).played.clone().expect("only the root has no move");
            self.make(&mut descent.position, &played, mover);
            descent.moves.push(played);
        }
    }

    fn make(&mut self, position: &mut G::Position, played: &Move, mover: Colour) {
        let head = played.view().head;
        self.game.play(position, played.view());
        self.path.push(played.view());
        self.note(head.signature_difference, mover);
    }

    /// Keeps a move in mind for RAVE.
    fn note(&mut self, difference: Signature, mover: Colour) {
        if self.settings.rave_visits > 0.0 && !self.guided {
            let is_other = mover != self.root_mover;
            self.played.played[usize::from(is_other)].insert(difference);
        }
    }

    /// Gives a node its children.
    fn expand(&mut self, tree: &mut Tree, index: usize, position: &G::Position) -> Result<(), Interrupt> {
        let mut moves = std::mem::take(&mut self.moves);
        let result = self.add_children(tree, index, position, &mut moves);
        self.moves = moves;
        result
    }

    fn add_children(
        &mut self,
        tree: &mut Tree,
        index: usize,
        position: &G::Position,
        moves: &mut MoveList,
    ) -> Result<(), Interrupt> {
        if let Some(outcome) = self.generate(position, moves)? {
            tree.end_at(index, outcome.sign());
            return Ok(());
        }
        if index == 0 && !self.root.only.is_empty() {
            let only = &self.root.only;
            moves.retain(|played| only.iter().any(|wanted| wanted.view().same_as(played)));
        }
        let is_advised = self.guided && self.game.advise(position, moves, &mut self.shares);
        // The root shows all its moves, and so does a node that none of the best ones wins.
        let shows_all = !is_advised || index == 0 || tree.node(index).wants_all;
        let least = if shows_all { 0.0 } else { advice::least_share(&self.shares) };
        let mut children = Vec::with_capacity(moves.len());
        for (place, played) in moves.iter().enumerate() {
            let bias = match is_advised {
                true => self.shares[place],
                false if self.settings.bias > 0.0 && !self.guided => self.bias(position, played)?,
                false => 0.5,
            };
            if bias < least && played.head.outcome().is_none() {
                continue;
            }
            let mut node = Node::new(Some(played.to_move()), bias);
            if let Some(outcome) = played.head.outcome() {
                node.proven = Some(-outcome.sign());
                node.expanded = true;
            }
            children.push(node);
        }
        if tree.node(index).wants_all {
            tree.complete(index, children);
        } else {
            tree.grow_some(index, children, moves.len());
        }
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
        Ok(self.path.take_out_forbidden(moves))
    }

    /// The evaluation after a move for the player who makes it, squeezed between 0 and 1.
    fn bias(&mut self, position: &G::Position, played: game::MoveView<'_>) -> Result<f32, Interrupt> {
        let mut child = position.clone();
        self.game.play(&mut child, played);
        self.statistics.evaluations += 1;
        Ok(1.0 - squeeze(self.game.evaluate(&child)?))
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
            let difference = played.head.signature_difference;
            self.note(difference, mover);
        }
        self.statistics.evaluations += 1;
        let estimate = squeeze(self.game.evaluate(position)?);
        Ok((2.0 * estimate - 1.0, self.game.mover(position)))
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
