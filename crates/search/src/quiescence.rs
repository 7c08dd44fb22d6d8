//! Leaves: what a position is worth when the search may not go on.

use game::{Game, MoveView, Stage};
use table::Table;

use crate::memory::PLY_MAX;
use crate::ordering::{Hints, select};
use crate::score::{Score, Window};
use crate::searcher::{Frame, Searcher, no_move};
use crate::watch::Interrupt;

/// Forcing moves in a row that are followed behind the horizon.
pub(crate) const FORCING_PLIES_MAX: usize = 32;

impl<G: Game, T: Table> Searcher<'_, G, T> {
    /// The worth of a leaf: how the game ended, or an estimate, after forcing moves if so wished.
    pub(crate) fn leaf(&mut self, position: &G::Position, window: Window) -> Result<Score, Interrupt> {
        if self.heuristics.quiescence {
            return self.quiet_score(position, window, 0);
        }
        self.watch.count_node()?;
        if !self.heuristics.lazy_leaves {
            let ply = self.path.ply();
            let mut frame = self.take_frame(ply);
            let finished = self.generate(position, Stage::Forcing, &mut frame.moves);
            self.return_frame(ply, frame);
            if let Some(outcome) = finished? {
                return Ok(Score::of_outcome(outcome, ply));
            }
        }
        self.evaluate(position)
    }

    /// The worth of a position once nothing forcing is left to do, so many plies behind the horizon. The mover may also stand still ("stand pat"),
    /// unless the rules force a capture.
    fn quiet_score(
        &mut self,
        position: &G::Position,
        window: Window,
        behind: usize,
    ) -> Result<Score, Interrupt> {
        let ply = self.path.ply();
        self.lines[ply].clear();
        self.watch.count_node()?;
        self.statistics.quiescence_nodes += 1;
        let mut still = None;
        if self.heuristics.lazy_leaves && self.knowledge.captures_are_optional {
            let estimate = self.evaluate(position)?;
            if estimate >= window.beta {
                return Ok(estimate);
            }
            still = Some(estimate);
        }
        if ply >= PLY_MAX {
            return self.evaluate(position);
        }
        let mut frame = self.take_frame(ply);
        let score = self.forcing_moves(position, window, behind, still, &mut frame);
        self.return_frame(ply, frame);
        score
    }

    /// The best of standing still, whose worth may be known already, and the forcing moves.
    fn forcing_moves(
        &mut self,
        position: &G::Position,
        window: Window,
        behind: usize,
        still: Option<Score>,
        frame: &mut Frame,
    ) -> Result<Score, Interrupt> {
        let ply = self.path.ply();
        let optional = self.knowledge.captures_are_optional;
        let stage = if optional { Stage::Forcing } else { Stage::All };
        if let Some(outcome) = self.generate(position, stage, &mut frame.moves)? {
            return Ok(Score::of_outcome(outcome, ply));
        }
        let compelled = !optional && frame.moves.iter().all(|played| played.head.forcing());
        let stop = behind >= FORCING_PLIES_MAX;
        let mut best = match still {
            Some(still) => still,
            None if compelled && !stop => Score::MINUS_INFINITE,
            None => self.evaluate(position)?,
        };
        if stop {
            return Ok(best);
        }
        if best >= window.beta {
            return Ok(best);
        }
        let hints = Hints { best: None, previous: no_move(), mover: self.mover(position), ply };
        frame.moves.retain(|played| played.head.forcing());
        self.rank_moves(&frame.moves, hints, &mut frame.order);
        for place in 0..frame.order.len() {
            let choice = select(&mut frame.order, place);
            let played = frame.moves.get(usize::from(choice.index));
            let alpha = window.alpha.max(best);
            if let Some(bound) = self.small_gain(position, played, still, alpha) {
                best = best.max(bound);
                continue;
            }
            let score = if let Some(outcome) = played.head.outcome() {
                Score::of_outcome(outcome, ply + 1)
            } else {
                let child = self.enter(position, played);
                let score =
                    self.quiet_score(&child, Window { alpha, beta: window.beta }.reversed(), behind + 1);
                self.leave();
                -score?
            };
            best = best.max(score);
            if best >= window.beta {
                break;
            }
        }
        Ok(best)
    }

    /// A forcing move that wins too little to come near alpha: what it may be worth at most.
    fn small_gain(
        &mut self,
        position: &G::Position,
        played: MoveView<'_>,
        still: Option<Score>,
        alpha: Score,
    ) -> Option<Score> {
        let on = self.heuristics.small_gains && played.head.outcome().is_none() && !alpha.is_decided();
        let still = still.filter(|_| on && self.knowledge.unit > 0)?;
        let gain = self.knowledge.gain(self.game.info(), played, self.mover(position));
        let most = still.plus(gain.saturating_add(self.knowledge.unit.saturating_mul(2)));
        (gain > 0 && most <= alpha).then(|| {
            self.statistics.small_gains += 1;
            most
        })
    }
}
