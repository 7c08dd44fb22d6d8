//! What need not be searched.

use game::{Game, MoveList, MoveView, PropertyKind};
use table::{Bound, Table};

use crate::company::Company;
use crate::depth::Depth;
use crate::node::{Arrival, Node};
use crate::score::{Score, Window};
use crate::searcher::{Frame, Searcher, no_move};
use crate::watch::Interrupt;

/// A null move is tried from this depth on.
const NULL_MOVE_DEPTH_MIN: Depth = Depth(3);
/// Who has so many moves is not in zugzwang, although none of them can be taken back.
const LASTING_MOVES_ENOUGH: usize = 16;
/// A null move is verified from this depth on.
const VERIFICATION_DEPTH_MIN: Depth = Depth(10);
/// Quiet moves are skipped up to this depth, counted as late moves are: reduced.
const FUTILITY_DEPTH_MAX: i32 = 6;
/// Quiet moves are skipped up to this depth where more than a refutation is wanted.
const OPEN_FUTILITY_DEPTH_MAX: Depth = Depth(2);
/// Captures that lose their piece are skipped up to this depth.
const LOSING_CAPTURE_DEPTH_MAX: Depth = Depth(6);
/// Quiet moves that give a piece away are skipped up to this depth, counted as late moves are: reduced.
const GIVEN_AWAY_DEPTH_MAX: i32 = 6;
/// The last quiet moves are skipped up to this depth.
const LATE_MOVE_PRUNING_DEPTH_MAX: Depth = Depth(4);
/// Positions far above beta are believed up to this depth.
const REVERSE_FUTILITY_DEPTH_MAX: Depth = Depth(8);

/// A move whose turn it is.
#[derive(Clone, Copy)]
pub(crate) struct Candidate<'moves> {
    pub(crate) played: MoveView<'moves>,
    /// Moves that were tried before it.
    pub(crate) tried: usize,
    /// How much less deep it would be searched.
    pub(crate) reduction: i32,
    /// What it loses by being taken, if ordering has found that out.
    pub(crate) loss: Option<i32>,
}

impl<G: Game, T: Table, C: Company<G::Position>> Searcher<'_, G, T, C> {
    /// A win that takes longer than one already found is of no use, nor is it to see a loss that comes later
    /// than one that cannot be escaped.
    pub(crate) fn too_far_for_a_better_win(&self, window: Window, ply: usize) -> Option<Score> {
        if !self.heuristics.distance_pruning || ply == 0 {
            return None;
        }
        let (best, worst) = (Score::win_in(ply + 1), Score::loss_in(ply));
        if window.alpha >= best {
            Some(best)
        } else if window.beta <= worst {
            Some(worst)
        } else {
            None
        }
    }

    /// Whether something at this node wants to know the estimate.
    pub(crate) fn needs_estimate(&self, node: &Node<'_, G::Position>) -> bool {
        let on = &self.heuristics;
        self.knowledge.unit > 0
            && !node.arrival.threatened
            && (on.fail_high_reductions
                || on.null_move
                || on.futility
                || on.reverse_futility
                || on.late_move_pruning)
    }

    /// The position is so far above beta that a few plies will not change it.
    pub(crate) fn reverse_futility(&mut self, node: &Node<'_, G::Position>) -> Option<Score> {
        let on = self.heuristics.reverse_futility
            && node.ply > 0
            && node.is_scouted()
            && node.depth <= REVERSE_FUTILITY_DEPTH_MAX
            && node.arrival.excluded.is_none()
            && node.arrival.forced_plies == 0
            && !node.window.beta.is_decided();
        let estimate = node.estimate.filter(|_| on)?;
        let depth = node.depth.0 - i32::from(self.is_improving(node));
        let enough = estimate.plus(-self.knowledge.unit.saturating_mul(3 * depth.max(0)) / 4);
        (enough >= node.window.beta).then(|| {
            self.statistics.reverse_futility_cutoffs += 1;
            enough
        })
    }

    /// Whether the mover stands better than a move ago, as far as estimates say.
    pub(crate) fn is_improving(&self, node: &Node<'_, G::Position>) -> bool {
        let before = node.ply.checked_sub(2).and_then(|ply| self.standing[ply]);
        match (before, node.estimate) {
            (Some(before), Some(now)) => now > before,
            _ => true,
        }
    }

    /// A move near the horizon that is not tried, because it cannot reach alpha, comes too late or loses its piece:
    /// what it may be worth at most. Moves that threaten what cannot be lost are always tried: without asking that of
    /// late ones too, atomic chess lost 70 Elo.
    pub(crate) fn pruned(
        &mut self,
        node: &Node<'_, G::Position>,
        candidate: Candidate<'_>,
        alpha: Score,
        skips_quiet: &mut bool,
    ) -> Result<Option<Score>, Interrupt> {
        let Some(estimate) = node.estimate else { return Ok(None) };
        let Candidate { played, tried, .. } = candidate;
        if tried == 0 || node.ply == 0 || alpha.is_decided() || node.arrival.forced_plies > 0 {
            return Ok(None);
        }
        let bound = if played.head.forcing() {
            if !self.is_lost(node, candidate)? {
                return Ok(None);
            }
            alpha
        } else if let Some(most) = self.futile(node, candidate.reduction, estimate, alpha) {
            most
        } else if *skips_quiet || self.is_late(node, tried) {
            *skips_quiet = true;
            alpha
        } else if self.is_given_away(node, candidate)? {
            alpha
        } else {
            return Ok(None);
        };
        if self.threatens(node.position, played)? {
            return Ok(None);
        }
        self.statistics.futile_moves += 1;
        Ok(Some(bound))
    }

    /// Near the horizon a quiet move wins a little at most, and less if it would be searched less deep.
    fn futile(
        &self,
        node: &Node<'_, G::Position>,
        reduction: i32,
        estimate: Score,
        alpha: Score,
    ) -> Option<Score> {
        if !self.heuristics.futility {
            return None;
        }
        let unit = self.knowledge.unit;
        let margin = if node.is_scouted() {
            let left = (node.depth.0 - 1 - reduction).max(0);
            (left <= FUTILITY_DEPTH_MAX).then(|| unit.saturating_mul(7 * (left + 1)) / 10)?
        } else {
            let is_near = node.depth <= OPEN_FUTILITY_DEPTH_MAX;
            is_near.then(|| unit.saturating_mul(3 * node.depth.0 + 1) / 2)?
        };
        let most = estimate.plus(margin);
        (most <= alpha).then_some(most)
    }

    /// Where no quiet move can reach alpha, generates the others and those that may threaten something. Returns what
    /// those that were left out may be worth at most.
    pub(crate) fn fill_sharp(
        &mut self,
        node: &Node<'_, G::Position>,
        frame: &mut Frame,
    ) -> Result<Score, Interrupt> {
        let alpha = node.window.alpha;
        let on = self.heuristics.stages
            && self.has_watches
            && !frame.is_filled
            && node.ply > 0
            && node.is_scouted()
            && node.arrival.excluded.is_none()
            && node.arrival.forced_plies == 0
            && !alpha.is_decided();
        let most = node.estimate.filter(|_| on).and_then(|estimate| self.futile(node, 0, estimate, alpha));
        let Some((most, fields)) = most.zip(self.watched_fields(node.position)) else {
            return Ok(Score::MINUS_INFINITE);
        };
        let finished = self.generate_sharp(node.position, fields, &mut frame.moves)?.is_some();
        // The first move is always tried.
        if finished || frame.moves.is_empty() && frame.first_score.is_none() {
            return Ok(Score::MINUS_INFINITE);
        }
        self.statistics.partial_generations += 1;
        (frame.is_filled, frame.is_partial) = (true, true);
        Ok(frame.first_score.map_or(most, |score| score.max(most)))
    }

    /// Near the horizon the last quiet moves of a good order are not worth the trouble.
    fn is_late(&self, node: &Node<'_, G::Position>, tried: usize) -> bool {
        let depth = node.depth.0.max(0) as usize;
        let enough = (3 + depth * depth) / if self.is_improving(node) { 1 } else { 2 };
        self.heuristics.late_move_pruning
            && node.is_scouted()
            && node.depth <= LATE_MOVE_PRUNING_DEPTH_MAX
            && tried >= enough
    }

    /// Near the horizon a quiet move that puts a piece where it is lost is not worth the trouble.
    fn is_given_away(
        &mut self,
        node: &Node<'_, G::Position>,
        candidate: Candidate<'_>,
    ) -> Result<bool, Interrupt> {
        let left = (node.depth.0 - 1 - candidate.reduction).max(0);
        let on = self.heuristics.quiet_exchanges
            && self.heuristics.exchanges
            && self.knowledge.captures_are_optional
            && node.is_scouted()
            && left <= GIVEN_AWAY_DEPTH_MAX;
        if !on {
            return Ok(false);
        }
        let loss = self.exchange_loss(node.position, candidate.played)?;
        Ok(loss > self.knowledge.unit.saturating_mul(left * left) / 4)
    }

    /// Near the horizon a capture that loses its piece for much less is not worth the trouble.
    fn is_lost(&mut self, node: &Node<'_, G::Position>, candidate: Candidate<'_>) -> Result<bool, Interrupt> {
        let on = self.heuristics.exchanges
            && self.heuristics.futility
            && node.is_scouted()
            && node.depth <= LOSING_CAPTURE_DEPTH_MAX;
        if !on {
            return Ok(false);
        }
        let loss = match candidate.loss {
            Some(loss) => loss,
            None => self.exchange_loss(node.position, candidate.played)?,
        };
        Ok(loss > self.knowledge.unit.saturating_mul(node.depth.0))
    }

    /// Whether the turn may be passed after this move: not when it set a property that speaks to the next
    /// player (as a pawn that may be captured en passant).
    pub(crate) fn may_pass_after(&self, played: MoveView<'_>) -> bool {
        if !self.heuristics.null_move {
            return false;
        }
        let info = self.game.info();
        let fields = info.geometry.fields();
        !played.changes.iter().rev().take_while(|change| change.slot() >= fields).any(|change| {
            let property = info.property_of_slot(change.slot());
            property.is_some_and(|property| {
                property.kind != PropertyKind::Move
                    && game::info::property_key(property, change.slot(), change.new())
                        != game::Signature::default()
            })
        })
    }

    /// If even passing is good enough, a real move will be.
    pub(crate) fn null_move(
        &mut self,
        node: &Node<'_, G::Position>,
        frame: &mut Frame,
    ) -> Result<Option<Score>, Interrupt> {
        let beta = node.window.beta;
        let on = self.heuristics.null_move
            && self.knowledge.has_royals()
            && node.ply > 0
            && node.arrival.may_pass
            && node.arrival.excluded.is_none()
            && node.is_scouted()
            && node.depth >= NULL_MOVE_DEPTH_MIN
            && !beta.is_decided()
            && node.estimate.is_some_and(|estimate| estimate >= beta);
        let known_to_fail = node.known.entry.is_some_and(|entry| {
            entry.bound == Bound::Upper && Score::from_stored(entry.score, node.ply) < beta
        });
        if !on || known_to_fail {
            return Ok(None);
        }
        if node.arrival.threatened || self.is_threatened(node.position)? {
            return Ok(None);
        }
        if !self.surely_waits(node)? {
            // No player passes after the end of a game.
            if let Some(outcome) = self.fill(node, frame)? {
                return Ok(Some(Score::of_outcome(outcome, node.ply)));
            }
            if !self.may_wait(&frame.moves) {
                return Ok(None);
            }
        }
        let Some(child) = self.pass(node.position) else { return Ok(None) };
        // At least a ply, or a quiet move that wins at once would not be seen.
        let depth = (node.depth - 4 - node.depth.0 / 5).max(Depth(1));
        let arrival = Arrival {
            previous: no_move(),
            principal: false,
            may_pass: false,
            forced_plies: 0,
            threatened: false,
            excluded: None,
            widest: u8::MAX,
            kind: node.arrival.kind.son(true),
        };
        let passed = self.search_after_pass(&child, Window::above(beta.previous()), depth, arrival);
        self.leave();
        let score = passed?;
        if score < beta {
            return Ok(None);
        }
        self.confirm_null_move(node, depth, score)
    }

    /// Whether the mover has a piece that can wait, and the game is not over: seen without making a list.
    fn surely_waits(&mut self, node: &Node<'_, G::Position>) -> Result<bool, Interrupt> {
        if !self.heuristics.stages {
            return Ok(false);
        }
        let pieces = &self.waiting[self.game.mover(node.position).index()];
        Ok(pieces.iter().any(|&code| self.game.locate(node.position, code).is_some())
            && (node.known.best.is_some() || !self.game.is_over(node.position, &mut self.scratch)?))
    }

    /// Whether a mover who may not pass could just as well wait: by a move of a piece that may be lost, and that can be
    /// taken back, or by one of many others. A king alone is often glad to pass, and so are kings with pawns.
    fn may_wait(&self, moves: &MoveList) -> bool {
        let mut others = moves.iter().filter(|played| !self.knowledge.is_led_by_royal(*played));
        if !self.heuristics.zugzwang_guard {
            return others.next().is_some();
        }
        let mut lasting = 0;
        others.any(|played| {
            lasting += 1;
            !played.head.irreversible() || lasting >= LASTING_MOVES_ENOUGH
        })
    }

    /// The score after a pass.
    fn search_after_pass(
        &mut self,
        child: &G::Position,
        window: Window,
        depth: Depth,
        arrival: Arrival,
    ) -> Result<Score, Interrupt> {
        self.statistics.null_moves += 1;
        Ok(-self.node(child, window.reversed(), depth, arrival)?)
    }

    fn confirm_null_move(
        &mut self,
        node: &Node<'_, G::Position>,
        depth: Depth,
        score: Score,
    ) -> Result<Option<Score>, Interrupt> {
        // A win that needs a pass is no win.
        let score = if score.is_decided() { node.window.beta } else { score };
        if self.heuristics.null_move_verification && node.depth >= VERIFICATION_DEPTH_MIN {
            let arrival = Arrival { may_pass: false, ..node.arrival };
            let verified = self.node(node.position, node.window, depth, arrival)?;
            if verified < node.window.beta {
                self.statistics.null_move_refuted += 1;
                return Ok(None);
            }
        }
        self.statistics.null_move_cutoffs += 1;
        Ok(Some(score))
    }
}
