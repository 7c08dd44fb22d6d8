//! The oracle: every line to its end, nothing skipped, nothing remembered. Slow, obvious, and right: all other
//! full-width engines are judged by it. It has its own leaves for that reason.

use game::{Game, MoveList, Stage};
use table::Table;

use crate::company::Company;
use crate::depth::Depth;
use crate::memory::PLY_MAX;
use crate::quiescence::{FORCING_MOVES_MAX, FORCING_PLIES_MAX};
use crate::score::Score;
use crate::searcher::Searcher;
use crate::watch::Interrupt;

impl<G: Game, T: Table, C: Company<G::Position>> Searcher<'_, G, T, C> {
    /// The score of the present position, searched to this depth.
    pub(crate) fn negamax(&mut self, position: &G::Position, depth: Depth) -> Result<Score, Interrupt> {
        let ply = self.path.ply();
        self.lines[ply].clear();
        if let Some(score) = self.repetition() {
            self.count_node()?;
            return Ok(score);
        }
        if depth.is_leaf() || ply >= PLY_MAX {
            return self.negamax_leaf(position, 0);
        }
        self.count_node()?;
        let mut moves = MoveList::new();
        if let Some(outcome) = self.generate(position, Stage::All, &mut moves)? {
            return Ok(Score::of_outcome(outcome, ply));
        }
        let mut best = Score::MINUS_INFINITE;
        for played in moves.iter() {
            let score = if let Some(outcome) = played.head.outcome() {
                self.lines[ply + 1].clear();
                Score::of_outcome(outcome, ply + 1)
            } else {
                let child = self.enter(position, played);
                let score = self.negamax(&child, depth - 1);
                self.leave();
                -score?
            };
            if score > best {
                best = score;
                self.extend_line(ply, played);
                if ply == 0 {
                    self.root_best = Some((played.to_move(), score));
                }
            }
        }
        Ok(best)
    }

    fn negamax_leaf(&mut self, position: &G::Position, behind: usize) -> Result<Score, Interrupt> {
        let ply = self.path.ply();
        self.count_node()?;
        let mut moves = MoveList::new();
        if let Some(outcome) = self.generate(position, Stage::All, &mut moves)? {
            return Ok(Score::of_outcome(outcome, ply));
        }
        let forcing = moves.iter().filter(|played| played.head.forcing()).count();
        let stop = behind >= FORCING_PLIES_MAX || forcing > FORCING_MOVES_MAX || ply >= PLY_MAX;
        if !self.heuristics.quiescence || stop {
            return self.evaluate(position);
        }
        self.statistics.quiescence_nodes += 1;
        let compelled = !self.knowledge.captures_are_optional && forcing == moves.len();
        let mut best = if compelled { Score::MINUS_INFINITE } else { self.evaluate(position)? };
        for played in moves.iter().filter(|played| played.head.forcing()) {
            let score = if let Some(outcome) = played.head.outcome() {
                Score::of_outcome(outcome, ply + 1)
            } else {
                let child = self.enter(position, played);
                let score = self.negamax_leaf(&child, behind + 1);
                self.leave();
                -score?
            };
            best = best.max(score);
        }
        Ok(best)
    }
}
