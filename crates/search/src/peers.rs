//! Searches that work on one root side by side: each leaves moves for later that another one searches right now, and
//! learns at once what another one has found out about a node that it is in itself (after Weill's ABDADA, and
//! Kerrigan's simpler form). No thread waits, and nothing is given away.

use game::{Game, MoveList, MoveView, RuleFault, Stage};
use table::{MoveTag, Table};

use crate::company::Company;
use crate::node::{Ahead, Best, Node, Tried, Turn};
use crate::searcher::{Frame, Searcher};
use crate::watch::Interrupt;

/// A move that is left for later.
#[derive(Clone, Copy)]
pub(crate) struct Later {
    pub(crate) index: usize,
    /// Moves that were tried before it.
    pub(crate) tried: usize,
    pub(crate) loss: Option<i32>,
}

const MIX: u64 = 0x9e37_79b9_7f4a_7c15;

impl<G: Game, T: Table, C: Company<G::Position>> Searcher<'_, G, T, C> {
    /// What is good enough, or what comes of all moves, unless a peer finds out first.
    pub(crate) fn look_ahead_beside(
        &mut self,
        node: &mut Node<'_, G::Position>,
        frame: &mut Frame,
        key: game::Signature,
    ) -> Result<Ahead, Interrupt> {
        if node.depth < self.company.depth_min() {
            return self.look_ahead(node, frame);
        }
        let (depth, ply) = (node.depth.0 as u64, node.ply as u64);
        let asked = u64::from(node.window.beta.value() as u32) | depth << 32 | ply << 48;
        let excluded = u64::from(MoveTag::to_bits(node.arrival.excluded));
        let alpha = u64::from(node.window.alpha.value() as u32);
        let least = (alpha << 32 | excluded).wrapping_mul(MIX).rotate_left(32);
        let name = key.0 ^ asked.wrapping_mul(MIX) ^ least | 1;
        node.name = name;
        // A principal node has a line, too, which a score does not tell, and the root a move: only who is in it is
        // told.
        let is_a_score_enough = node.window.is_null() && node.ply > 0;
        if is_a_score_enough && let Some(score) = self.company.result(name) {
            return Ok(Ahead::Settled(score));
        }
        let before = self.company.enter(node.ply, name);
        let result = self.look_ahead_again(node, frame);
        let score = match &result {
            Ok(Ahead::Settled(score)) => Some(*score),
            Ok(Ahead::Expanded(expanded)) => Some(expanded.best.score),
            Err(_) => None,
        };
        let line = if is_a_score_enough { &[][..] } else { &self.lines[node.ply] };
        self.company.leave(node.ply, [name, before], score.map(|score| (score, line)));
        if let Some(score) = score.filter(|_| is_a_score_enough) {
            self.company.put_result(name, score);
        }
        result
    }

    /// Looks ahead until a peer is done with the node, and once more whenever one has found a better move: what is
    /// known by then need not be searched again.
    fn look_ahead_again(
        &mut self,
        node: &mut Node<'_, G::Position>,
        frame: &mut Frame,
    ) -> Result<Ahead, Interrupt> {
        let depth = node.depth;
        loop {
            match self.look_ahead(node, frame) {
                Err(Interrupt::Cut { ply }) if ply == node.ply => {}
                result => return result,
            }
            if let Some((score, differences)) = self.company.found() {
                let line = self.moves_of(node.position, &differences)?;
                match line.first() {
                    Some(best) if node.ply == 0 => self.root_best = Some((best.clone(), score)),
                    _ => {}
                }
                // A root without a move is of no use to the one who asked for it.
                if node.ply > 0 || !line.is_empty() {
                    self.lines[node.ply] = line;
                    return Ok(Ahead::Settled(score));
                }
            }
            node.depth = depth;
            (frame.is_filled, frame.is_partial, frame.first_score) = (false, false, None);
        }
    }

    /// The line that these differences of signatures stand for, as far as there are such moves.
    fn moves_of(
        &self,
        position: &G::Position,
        differences: &[game::Signature],
    ) -> Result<Vec<game::Move>, Interrupt> {
        let (mut position, mut moves, mut line) = (position.clone(), MoveList::new(), Vec::new());
        for difference in differences {
            if self.game.generate(&position, Stage::All, &mut moves)?.is_some() {
                break;
            }
            let mut found = moves.iter().filter(|played| played.head.signature_difference == *difference);
            let Some(played) = found.next() else { break };
            line.push(played.to_move());
            self.game.play(&mut position, played);
        }
        Ok(line)
    }

    /// Whether a peer searches this move right now.
    pub(crate) fn is_elsewhere(
        &self,
        node: &Node<'_, G::Position>,
        played: MoveView<'_>,
        place: usize,
    ) -> bool {
        node.depth >= self.company.depth_min()
            && self.company.is_elsewhere(node.ply, self.name_of_son(node, played), node.arrival.kind, place)
    }

    fn name_of_son(&self, node: &Node<'_, G::Position>, played: MoveView<'_>) -> u64 {
        let child = self.path.last().signature ^ played.head.signature_difference;
        child.0 ^ (node.depth.0 as u64).wrapping_mul(MIX) | 1
    }

    /// Scores a move; peers see that it is being searched.
    #[inline]
    pub(crate) fn try_marked(
        &mut self,
        node: &Node<'_, G::Position>,
        turn: Turn<'_>,
        skips_quiet: &mut bool,
    ) -> Result<Tried, Interrupt> {
        if !C::PEERS || node.depth < self.company.depth_min() {
            return self.try_choice(node, turn, skips_quiet);
        }
        let asked = (turn.alpha.value() as u64).wrapping_mul(MIX) ^ turn.played.head.signature_difference.0;
        let question = node.name ^ asked.wrapping_mul(MIX);
        if let Some(score) = self.company.result(question) {
            self.lines[node.ply + 1].clear();
            return Ok(Tried::Scored(score));
        }
        let name = self.name_of_son(node, turn.played);
        let before = self.company.begin_move(node.ply, name);
        let result = self.try_choice(node, turn, skips_quiet);
        self.company.begin_move(node.ply, before);
        if let Ok(Tried::Scored(score)) = result {
            self.company.put_result(question, score);
            if score > turn.alpha && score < node.window.beta {
                self.company.improve_beside(node.ply, node.name);
            }
        }
        result
    }

    /// Tries the moves that were left for later.
    pub(crate) fn try_later(
        &mut self,
        node: &Node<'_, G::Position>,
        extension: i32,
        best: &mut Best,
        frame: &mut Frame,
    ) -> Result<(), Interrupt> {
        for number in 0..frame.later.len() {
            if best.score >= node.window.beta {
                return Ok(());
            }
            let Later { index, tried, loss } = frame.later[number];
            let played = frame.moves.get(index);
            let tag = MoveTag::of(played.head.signature_difference);
            let alpha = node.window.alpha.max(best.score);
            let turn = Turn {
                played,
                tag,
                tried,
                alpha,
                extension,
                loss,
                only: false,
                only_test: false,
                open: false,
            };
            let (Tried::Scored(score) | Tried::Skipped(score)) = self.try_marked(node, turn, &mut false)?;
            if score > best.score {
                best.score = score;
                if score > alpha {
                    best.tag = Some(tag);
                    self.improve(node, played, score);
                }
            }
        }
        Ok(())
    }

    /// Searches what the leader searches until that is over.
    ///
    /// # Errors
    /// When the rules go wrong.
    pub fn follow(&mut self) -> Result<(), RuleFault> {
        while let Some((window, depth)) = self.company.next_root() {
            self.root_depth = depth.0;
            // The table knows what the leader begins with.
            self.root_best = None;
            match self.search_root(window, depth) {
                // The leader is done with it, or all is over.
                Ok(_) | Err(Interrupt::Stopped | Interrupt::Cut { .. }) => {}
                Err(Interrupt::Fault(fault)) => return Err(*fault),
            }
        }
        Ok(())
    }
}
