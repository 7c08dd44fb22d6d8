//! Leaves: what a position is worth when the search may not go on.

use game::{Game, MoveView, Stage};
use table::{MoveTag, Table};

use crate::depth::Depth;
use crate::memory::PLY_MAX;
use crate::node::Best;
use crate::ordering::{Hints, select};
use crate::score::{Score, Window};
use crate::searcher::{Frame, Searcher, no_move};
use crate::transposition::Known;
use crate::watch::Interrupt;

/// Forcing moves in a row that are followed behind the horizon.
pub(crate) const FORCING_PLIES_MAX: usize = 32;
/// Plies behind the horizon within which threats are answered by all moves.
const THREAT_PLIES_MAX: usize = 1;

impl<G: Game, T: Table> Searcher<'_, G, T> {
    /// The worth of a leaf: how the game ended, or an estimate, after forcing moves if so wished.
    /// `threatened`: whether the mover is threatened with the loss of what cannot be lost.
    pub(crate) fn leaf(
        &mut self,
        position: &G::Position,
        window: Window,
        threatened: bool,
    ) -> Result<Score, Interrupt> {
        if self.heuristics.quiescence {
            return self.quiet_score(position, window, 0, threatened);
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
        threatened: bool,
    ) -> Result<Score, Interrupt> {
        let ply = self.path.ply();
        self.lines[ply].clear();
        self.watch.count_node()?;
        self.statistics.quiescence_nodes += 1;
        if threatened && self.heuristics.threat_leaves && behind < THREAT_PLIES_MAX && ply < PLY_MAX {
            let mut frame = self.take_frame(ply);
            let score = self.all_answers(position, window, behind, &mut frame);
            self.return_frame(ply, frame);
            return score;
        }
        let key = self.table_key(Depth(0));
        let uses_table = self.heuristics.table_leaves;
        let known = if uses_table { self.probe(key) } else { Known::default() };
        if let Some(entry) = known.entry
            && let Some(score) = self.decided_by(&entry, window, Depth(0), ply)
        {
            self.statistics.table_cutoffs += 1;
            return Ok(score);
        }
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
        let mut best = Best { score: Score::MINUS_INFINITE, tag: known.best };
        let result = self.forcing_moves(position, window, behind, still, &mut frame, &mut best);
        self.return_frame(ply, frame);
        result?;
        if uses_table {
            self.remember(key, best.score, window, Depth(0), best.tag, 1);
        }
        Ok(best.score)
    }

    /// The best of all moves, where something is threatened that cannot be lost: there is no standing still.
    fn all_answers(
        &mut self,
        position: &G::Position,
        window: Window,
        behind: usize,
        frame: &mut Frame,
    ) -> Result<Score, Interrupt> {
        let ply = self.path.ply();
        if let Some(outcome) = self.generate(position, Stage::All, &mut frame.moves)? {
            return Ok(Score::of_outcome(outcome, ply));
        }
        let hints = Hints { best: None, previous: no_move(), mover: self.mover(position), ply };
        self.rank_moves(&frame.moves, hints, &mut frame.order);
        let mut best = Score::MINUS_INFINITE;
        for place in 0..frame.order.len() {
            let choice = select(&mut frame.order, place);
            let played = frame.moves.get(usize::from(choice.index));
            best = best.max(self.answer(position, played, window, best, behind)?);
            if best >= window.beta {
                break;
            }
        }
        Ok(best)
    }

    /// The score of a move behind the horizon.
    fn answer(
        &mut self,
        position: &G::Position,
        played: MoveView<'_>,
        window: Window,
        best: Score,
        behind: usize,
    ) -> Result<Score, Interrupt> {
        if let Some(outcome) = played.head.outcome() {
            return Ok(Score::of_outcome(outcome, self.path.ply() + 1));
        }
        let window = Window { alpha: window.alpha.max(best), beta: window.beta };
        let child = self.enter(position, played);
        let asks = self.heuristics.threat_leaves && behind + 1 < THREAT_PLIES_MAX;
        let threatened = if asks { self.is_threatened(&child) } else { Ok(false) };
        let score = threatened
            .and_then(|threatened| self.quiet_score(&child, window.reversed(), behind + 1, threatened));
        self.leave();
        Ok(-score?)
    }

    /// The best of standing still, whose worth may be known already, and the forcing moves; the one that `best` knows comes
    /// first.
    fn forcing_moves(
        &mut self,
        position: &G::Position,
        window: Window,
        behind: usize,
        still: Option<Score>,
        frame: &mut Frame,
        best: &mut Best,
    ) -> Result<(), Interrupt> {
        let ply = self.path.ply();
        let optional = self.knowledge.captures_are_optional;
        let stage = if optional { Stage::Forcing } else { Stage::All };
        if let Some(outcome) = self.generate(position, stage, &mut frame.moves)? {
            best.score = Score::of_outcome(outcome, ply);
            return Ok(());
        }
        let compelled = !optional && frame.moves.iter().all(|played| played.head.forcing());
        let stop = behind >= FORCING_PLIES_MAX;
        best.score = match still {
            Some(still) => still,
            None if compelled && !stop => Score::MINUS_INFINITE,
            None => self.evaluate(position)?,
        };
        if stop || best.score >= window.beta {
            return Ok(());
        }
        let hints = Hints { best: best.tag, previous: no_move(), mover: self.mover(position), ply };
        frame.moves.retain(|played| played.head.forcing());
        self.rank_moves(&frame.moves, hints, &mut frame.order);
        for place in 0..frame.order.len() {
            let choice = select(&mut frame.order, place);
            let played = frame.moves.get(usize::from(choice.index));
            let alpha = window.alpha.max(best.score);
            if let Some(bound) = self.small_gain(position, played, still, alpha) {
                best.score = best.score.max(bound);
                continue;
            }
            if optional && self.heuristics.exchanges && self.exchange_loss(position, played)? > 0 {
                self.statistics.losing_exchanges += 1;
                continue;
            }
            let score = self.answer(position, played, window, best.score, behind)?;
            if score > best.score {
                *best = Best { score, tag: Some(MoveTag::of(played.head.signature_difference)) };
            }
            if score >= window.beta {
                break;
            }
        }
        Ok(())
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
