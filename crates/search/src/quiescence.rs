//! Leaves: what a position is worth when the search may not go on.

use game::{Game, MoveView, Stage};
use table::{MoveTag, Table};

use crate::company::Company;
use crate::depth::Depth;
use crate::memory::PLY_MAX;
use crate::node::Best;
use crate::score::{Score, Window};
use crate::searcher::{Frame, Searcher, no_move};
use crate::transposition::Known;
use crate::watch::Interrupt;

/// Forcing moves in a row that are followed behind the horizon.
pub(crate) const FORCING_PLIES_MAX: usize = 32;
/// Where there are more forcing moves than this, nothing becomes quiet by following them: turning a quarter of a
/// board with pieces on it is no capture, whatever it looks like.
pub(crate) const FORCING_MOVES_MAX: usize = 64;
/// Nodes behind the horizon of one leaf. Few captures in chess take more than a hundred.
const QUIET_NODES_MAX: u32 = 1000;
/// Plies behind the horizon within which threats are answered by all moves.
const THREAT_PLIES_MAX: usize = 1;

impl<G: Game, T: Table, C: Company<G::Position>> Searcher<'_, G, T, C> {
    /// The worth of a leaf: how the game ended, or an estimate, after forcing moves if so wished.
    /// `threatened`: whether the mover is threatened with the loss of what cannot be lost.
    pub(crate) fn leaf(
        &mut self,
        position: &G::Position,
        window: Window,
        threatened: bool,
    ) -> Result<Score, Interrupt> {
        if self.heuristics.quiescence {
            // An exact search follows the same lines whatever the window is: it cannot count.
            let counts = self.heuristics.lazy_leaves;
            self.quiet_nodes_left = if counts { QUIET_NODES_MAX } else { u32::MAX };
            return self.quiet_score(position, window, 0, threatened);
        }
        self.count_node()?;
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

    /// The worth of a position once nothing forcing is left to do, so many plies behind the horizon. The mover may
    /// also stand still ("stand pat"), unless the rules force a capture.
    fn quiet_score(
        &mut self,
        position: &G::Position,
        window: Window,
        behind: usize,
        threatened: bool,
    ) -> Result<Score, Interrupt> {
        let ply = self.path.ply();
        self.lines[ply].clear();
        self.count_node()?;
        self.statistics.quiescence_nodes += 1;
        self.quiet_nodes_left = self.quiet_nodes_left.saturating_sub(1);
        if threatened && self.heuristics.threat_leaves && behind < THREAT_PLIES_MAX && ply < PLY_MAX {
            let mut frame = self.take_frame(ply);
            let score = self.all_answers(position, window, behind, &mut frame);
            self.return_frame(ply, frame);
            return score;
        }
        let key = self.table_key(Depth(0));
        let uses_table = self.heuristics.table_leaves;
        let known = if uses_table { self.probe(key, Depth(0)) } else { Known::default() };
        if !self.is_open(window)
            && let Some(entry) = known.entry
            && let Some(score) = self.decided_by(&entry, window, Depth(0), ply)
        {
            self.statistics.table_cutoffs += 1;
            return Ok(score);
        }
        let mut still = None;
        if self.heuristics.lazy_leaves && self.knowledge.captures_are_optional {
            let estimate = self.evaluate(position)?;
            let estimate = self.corrected(position, estimate);
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
        let hints = self.hints(position, None, no_move(), ply);
        self.rank_moves(&frame.moves, hints, &mut frame.order);
        let mut best = Score::MINUS_INFINITE;
        for place in 0..frame.order.len() {
            let choice = frame.order.select(place);
            let played = frame.moves.get(choice.index());
            let score = self.answer(position, played, window, best, behind)?;
            if score > best {
                best = score;
                self.note_line(window, played);
            }
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
        let ply = self.path.ply();
        if let Some(outcome) = played.head.outcome() {
            self.lines[ply + 1].clear();
            return Ok(Score::of_outcome(outcome, ply + 1));
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

    /// What happens behind the horizon belongs to the best line, so that one that ends the game shows how.
    fn note_line(&mut self, window: Window, played: MoveView<'_>) {
        if !window.is_null() {
            self.extend_line(self.path.ply(), played);
        }
    }

    /// The best of standing still, whose worth may be known already, and the forcing moves; the one that `best` knows
    /// comes first.
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
        let finished = match still {
            Some(_) if self.heuristics.stages => self.generate_sharp(position, 0, &mut frame.moves)?,
            _ => self.generate(position, stage, &mut frame.moves)?,
        };
        if let Some(outcome) = finished {
            best.score = Score::of_outcome(outcome, ply);
            return Ok(());
        }
        let forcing = frame.moves.iter().filter(|played| played.head.forcing()).count();
        let compelled = !optional && forcing == frame.moves.len();
        let stop = behind >= FORCING_PLIES_MAX || forcing > FORCING_MOVES_MAX || self.quiet_nodes_left == 0;
        best.score = match still {
            Some(still) => still,
            None if compelled && !stop => Score::MINUS_INFINITE,
            None => {
                let estimate = self.evaluate(position)?;
                self.corrected(position, estimate)
            }
        };
        if stop || best.score >= window.beta {
            return Ok(());
        }
        let hints = self.hints(position, best.tag, no_move(), ply);
        frame.moves.retain(|played| played.head.forcing());
        self.rank_moves(&frame.moves, hints, &mut frame.order);
        for place in 0..frame.order.len() {
            let choice = frame.order.select(place);
            let played = frame.moves.get(choice.index());
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
                self.note_line(window, played);
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
