//! Proof-number search (Allis): a tree in memory, grown at the leaf that does most for a proof.

use game::{Game, Move, MoveList, Outcome, Stage};

use super::claim::{Claim, Verdict, outcome_of_cycle};
use super::memory::Numbers;
use super::{Answer, ProofSettings};
use crate::path::Path;
use crate::root::Root;
use crate::watch::{Interrupt, Watch};

struct Node {
    numbers: Numbers,
    played: Option<Move>,
    parent: u32,
    first: u32,
    count: u32,
}

struct Tree<'search, 'watch, G: Game> {
    game: &'search G,
    claim: Claim,
    root: &'search Root<G>,
    nodes: Vec<Node>,
    path: Path,
    watch: &'search mut Watch<'watch>,
    moves: MoveList,
    child_moves: MoveList,
}

/// Examines a claim about the root.
pub(crate) fn examine<G: Game>(
    game: &G,
    root: &Root<G>,
    claim: Claim,
    settings: ProofSettings,
    watch: &mut Watch<'_>,
) -> Result<Answer, Interrupt> {
    let path = Path::new(game, root);
    let (moves, child_moves) = (MoveList::new(), MoveList::new());
    let nodes = vec![Node { numbers: Numbers::UNKNOWN, played: None, parent: 0, first: 0, count: 0 }];
    let mut tree = Tree { game, claim, root, nodes, path, watch, moves, child_moves };
    while !tree.nodes[0].numbers.is_decided() && tree.nodes.len() < settings.tree_nodes_max {
        tree.grow()?;
    }
    let wanted = claim.is_wanted_by(game.mover(&root.position));
    let numbers = tree.nodes[0].numbers;
    let verdict = match (numbers.phi == 0, numbers.delta == 0) {
        (false, false) => Verdict::Unknown,
        (shown, _) if shown == wanted => Verdict::True,
        _ => Verdict::False,
    };
    Ok(Answer { verdict, line: tree.line() })
}

impl<G: Game> Tree<'_, '_, G> {
    /// Goes down to the most proving leaf, expands it, and brings the numbers above it up to date.
    fn grow(&mut self) -> Result<(), Interrupt> {
        let mut position = self.root.position.clone();
        let mut index = 0;
        let mut depth = 0;
        while self.nodes[index].count > 0 {
            index = self.most_proving_child(index);
            let played = self.nodes[index].played.as_ref().expect("only the root has no move").view();
            self.game.play(&mut position, played);
            self.path.push(played);
            depth += 1;
        }
        let result = self.expand(index, &position);
        (0..depth).for_each(|_| self.path.pop());
        result?;
        self.update(index);
        Ok(())
    }

    fn children(&self, index: usize) -> std::ops::Range<usize> {
        let node = &self.nodes[index];
        node.first as usize..(node.first + node.count) as usize
    }

    fn most_proving_child(&self, index: usize) -> usize {
        self.children(index).min_by_key(|&child| self.nodes[child].numbers.delta).unwrap_or(index)
    }

    fn expand(&mut self, index: usize, position: &G::Position) -> Result<(), Interrupt> {
        let mover = self.game.mover(position);
        let mut moves = std::mem::take(&mut self.moves);
        if let Some(outcome) = self.game.generate(position, Stage::All, &mut moves)? {
            let wanted = self.claim.holds(outcome, mover) == self.claim.is_wanted_by(mover);
            self.nodes[index].numbers = Numbers::decided(wanted);
        } else {
            self.nodes[index].first = self.nodes.len() as u32;
            self.nodes[index].count = moves.len() as u32;
            for played in moves.iter() {
                self.watch.count_node()?;
                let numbers = self.judge(position, played)?;
                let played = Some(played.to_move());
                self.nodes.push(Node { numbers, played, parent: index as u32, first: 0, count: 0 });
            }
        }
        self.moves = moves;
        Ok(())
    }

    /// The numbers of a new leaf: decided, or the moves that are left to refute.
    fn judge(&mut self, position: &G::Position, played: game::MoveView<'_>) -> Result<Numbers, Interrupt> {
        let mover = self.game.mover(position);
        let for_opponent = |claim: Claim, outcome: Outcome| {
            Numbers::decided(claim.holds(outcome, mover) == claim.is_wanted_by(mover.opponent()))
        };
        if let Some(outcome) = played.head.outcome() {
            return Ok(for_opponent(self.claim, outcome));
        }
        let mut child = position.clone();
        self.game.play(&mut child, played);
        if self.path.repeats(played) {
            return Ok(for_opponent(self.claim, outcome_of_cycle(self.game.info().repetition.result)));
        }
        let opponent = self.game.mover(&child);
        Ok(match self.game.generate(&child, Stage::All, &mut self.child_moves)? {
            Some(outcome) => {
                Numbers::decided(self.claim.holds(outcome, opponent) == self.claim.is_wanted_by(opponent))
            }
            None => Numbers { phi: 1, delta: self.child_moves.len() as u32 },
        })
    }

    fn update(&mut self, mut index: usize) {
        loop {
            let children = self.children(index);
            if !children.is_empty() {
                let mut numbers = Numbers { phi: Numbers::INFINITE, delta: 0 };
                for child in children {
                    let child = self.nodes[child].numbers;
                    numbers.phi = numbers.phi.min(child.delta);
                    numbers.delta = numbers.delta.saturating_add(child.phi).min(Numbers::INFINITE);
                }
                self.nodes[index].numbers = numbers;
            }
            if index == 0 {
                return;
            }
            index = self.nodes[index].parent as usize;
        }
    }

    /// The line of best choices from the root on.
    fn line(&self) -> Vec<Move> {
        let mut line = Vec::new();
        let mut index = 0;
        while self.nodes[0].numbers.is_decided() && self.nodes[index].count > 0 {
            index = self.most_proving_child(index);
            line.extend(self.nodes[index].played.clone());
        }
        line
    }
}
