//! One node of the exhaustive search.

use game::{Colour, Game, Move, MoveList, MoveView, Outcome, Signature, Stage};
use table::{Bound, Entry, Table};

use super::super::images::View;
use super::{
    Best, Child, ExhaustiveSearch, Finding, Frame, KEYS, NODES_BETWEEN_NEWS, Open, PLY_MAX, Stock, decided,
    plain, score_of, worth_of,
};
use crate::root::Root;
use crate::score::Score;
use crate::watch::Interrupt;

/// Symmetries are looked at where trees have at least so many nodes.
const IMAGED_NODES: u64 = 10_000;
/// The evaluation is asked about the order of moves where trees have at least so many nodes.
const EVALUATED_NODES: u64 = 500;
/// Children are looked up before one of them is searched where their trees have at least so many nodes.
const PROBED_NODES: u64 = 500;

impl<G: Game, T: Table> ExhaustiveSearch<'_, '_, G, T> {
    pub(super) fn tell_news(&mut self) {
        self.nodes_at_news = self.watch.nodes();
        (self.news)(&self.found, self.nodes_at_news, self.watch.elapsed());
    }

    /// What stands for the present position in the table.
    fn key(&self) -> (Signature, View) {
        let signature = self.path.last().signature;
        let (least, view) = if self.imaged { self.images.least(signature) } else { (signature, View::Plain) };
        (least ^ KEYS, view)
    }

    /// The score of a position with these moves and so many empty fields: at least beta, or less.
    pub(super) fn visit(
        &mut self,
        position: &G::Position,
        moves: &MoveList,
        empty: usize,
        beta: Score,
    ) -> Result<Finding, Interrupt> {
        let (key, view) = self.key();
        let known = self.table.probe(key);
        self.statistics.table.count_probe(known.as_ref());
        if let Some(score) = known.and_then(|entry| decided(entry, beta)) {
            self.statistics.table_cutoffs += 1;
            self.sizes.note_known(empty);
            return Ok(Finding { score, path_dependent: false });
        }
        if self.path.ply() >= PLY_MAX {
            return Err(Interrupt::Stopped);
        }
        let nodes_before = self.watch.nodes();
        let cost_before = self.sizes.cost(nodes_before);
        let mut frame = self.frames.pop().unwrap_or_else(Frame::new);
        let first = known
            .and_then(|entry| entry.best)
            .and_then(|best| (0..moves.len()).find(|&index| self.images.tag(view, moves.get(index)) == best));
        let result = self.expand(position, moves, empty, beta, first, &mut frame);
        self.frames.push(frame);
        let Best { finding, index } = result?;
        let nodes = self.watch.nodes() - nodes_before;
        self.sizes.note_searched(empty, nodes, self.sizes.cost(self.watch.nodes()) - cost_before);
        if finding.path_dependent {
            self.statistics.path_dependent_results += 1;
            return Ok(finding);
        }
        let entry = Entry {
            score: finding.score.to_stored(0),
            bound: if finding.score >= beta { Bound::Lower } else { Bound::Upper },
            depth: 0,
            best: index.map(|index| self.images.tag(view, moves.get(index))),
            effort: Entry::effort_of(nodes),
            generation: 0,
        };
        let stored = self.table.store(key, entry);
        self.statistics.table.count_store(stored);
        Ok(finding)
    }

    fn expand(
        &mut self,
        position: &G::Position,
        moves: &MoveList,
        empty: usize,
        beta: Score,
        first: Option<usize>,
        frame: &mut Frame<G::Position>,
    ) -> Result<Best, Interrupt> {
        let nothing = Finding { score: Score::MINUS_INFINITE, path_dependent: false };
        let mut best = Best { finding: nothing, index: None };
        if self.what_is_known(moves, empty, beta, frame, &mut best) {
            return Ok(best);
        }
        if self.look_ahead(position, moves, beta, first, frame, &mut best)? {
            return Ok(best);
        }
        let mover = self.game.mover(position);
        frame.children[..frame.used].sort_unstable_by_key(|child| (-child.rank, child.index));
        for tried in 0..frame.used {
            let child = &mut frame.children[tried];
            let played = moves.get(child.index);
            let finding = self.search_child(position, played, child, (-beta).next())?;
            best.take(Finding { score: -finding.score, ..finding }, child.index);
            if best.finding.score >= beta {
                // What is good enough may rest on nothing else.
                best.finding.path_dependent = finding.path_dependent;
                self.statistics.cutoffs += 1;
                self.statistics.cutoffs_first += u64::from(tried == 0);
                self.learn(moves, &frame.children[..=tried], mover);
                break;
            }
        }
        Ok(best)
    }

    /// The score of a child, for the opponent.
    fn search_child(
        &mut self,
        position: &G::Position,
        played: MoveView<'_>,
        child: &mut Child<G::Position>,
        beta: Score,
    ) -> Result<Finding, Interrupt> {
        if child.stock == Stock::Nothing {
            child.position.clone_from(position);
            self.game.play(&mut child.position, played);
            if let Some(score) = self.settle(&child.position, child.empty, beta)? {
                return Ok(Finding { score, path_dependent: false });
            }
        }
        self.path.push(played);
        if child.stock != Stock::Moves {
            let outcome = self.game.generate(&child.position, Stage::All, &mut child.moves)?;
            if let Some(outcome) = outcome.or_else(|| self.path.take_out_forbidden(&mut child.moves)) {
                self.path.pop();
                return Ok(Finding { score: plain(outcome), path_dependent: false });
            }
        }
        let imaged = self.imaged;
        self.imaged = imaged && self.sizes.exceed(child.empty, IMAGED_NODES);
        if self.imaged {
            self.images.push(played);
        }
        let result = self.visit(&child.position, &child.moves, child.empty, beta);
        if self.imaged {
            self.images.pop();
        }
        self.imaged = imaged;
        self.path.pop();
        result
    }

    /// Lets the generator follow the last moves by itself; `None` if it has given up.
    fn settle(
        &mut self,
        position: &G::Position,
        empty: usize,
        beta: Score,
    ) -> Result<Option<Score>, Interrupt> {
        let settled = self.game.settle(position, worth_of(beta), self.sizes.settling_max());
        self.sizes.note_settled(empty, settled.nodes, settled.worth.is_none());
        self.watch.count_nodes(settled.nodes)?;
        self.tell_news_now_and_then();
        Ok(settled.worth.map(score_of))
    }

    /// Endings, cycles, and children in the table. True when one of them is good enough; the frame is told of the
    /// others.
    fn what_is_known(
        &mut self,
        moves: &MoveList,
        empty: usize,
        beta: Score,
        frame: &mut Frame<G::Position>,
        best: &mut Best,
    ) -> bool {
        for (index, played) in moves.iter().enumerate() {
            if let Some(outcome) = played.head.outcome()
                && plain(outcome) >= beta
            {
                best.finding = Finding { score: plain(outcome), path_dependent: false };
                best.index = Some(index);
                return true;
            }
        }
        let here = self.path.last().signature;
        frame.open.clear();
        for (index, played) in moves.iter().enumerate() {
            let empty = self.sizes.after(empty, played);
            let settled = played.head.irreversible() && self.sizes.are_settled(empty);
            if let Some(outcome) = played.head.outcome() {
                best.take(Finding { score: plain(outcome), path_dependent: false }, index);
                continue;
            }
            let probed = !settled && self.sizes.exceed(empty, PROBED_NODES);
            let key = match self.imaged {
                _ if !probed => None,
                true => Some(self.images.least_after(here, played) ^ KEYS),
                false => Some(here ^ played.head.signature_difference ^ KEYS),
            };
            if let Some(key) = key {
                self.table.touch(key);
            }
            frame.open.push(Open { index, empty, settled, key });
        }
        let mut enough = false;
        frame.open.retain(|open| {
            if enough || open.settled {
                return true;
            }
            let played = moves.get(open.index);
            let known =
                |key: Signature| self.table.probe(key).and_then(|entry| decided(entry, (-beta).next()));
            let finding = if self.path.repeats(played) {
                Finding { score: -self.cycle, path_dependent: true }
            } else if let Some(score) = open.key.and_then(known) {
                self.statistics.transposition_cutoffs += 1;
                self.sizes.note_known(open.empty);
                Finding { score: -score, path_dependent: false }
            } else {
                return true;
            };
            best.take(finding, open.index);
            if finding.score >= beta {
                best.finding = finding;
                enough = true;
            }
            false
        });
        enough
    }

    /// Looks at all children that are not known, and ranks those that need a search. True when one is good enough
    /// without.
    fn look_ahead(
        &mut self,
        position: &G::Position,
        moves: &MoveList,
        beta: Score,
        first: Option<usize>,
        frame: &mut Frame<G::Position>,
        best: &mut Best,
    ) -> Result<bool, Interrupt> {
        let mover = self.game.mover(position);
        frame.used = 0;
        for number in 0..frame.open.len() {
            let open = frame.open[number];
            let played = moves.get(open.index);
            let child = frame.next(position, open);
            if open.settled {
                let history = i64::from(self.order.history) * i64::from(self.history.points(played, mover));
                child.rank = if first == Some(open.index) { i64::MAX } else { history };
                frame.used += 1;
                continue;
            }
            child.position.clone_from(position);
            self.game.play(&mut child.position, played);
            if self.sizes.are_counted(open.empty) && !self.path.can_forbid() {
                child.replies = self.count(&child.position)?;
                child.stock = Stock::Position;
            }
            if child.replies == 0
                && let Some(score) = self.ending(played, child, (-beta).next())?
            {
                let finding = Finding { score: -score, path_dependent: false };
                best.take(finding, open.index);
                if finding.score >= beta {
                    best.finding = finding;
                    return Ok(true);
                }
                continue;
            }
            child.rank = if first == Some(open.index) { i64::MAX } else { self.rank(played, mover, child)? };
            frame.used += 1;
        }
        Ok(false)
    }

    /// The score of a child that is finished, or where the mover can end the game with at least so much.
    fn ending(
        &mut self,
        played: MoveView<'_>,
        child: &mut Child<G::Position>,
        enough: Score,
    ) -> Result<Option<Score>, Interrupt> {
        if self.path.can_forbid() {
            self.path.push(played);
            let ended = self.generate(&child.position, &mut child.moves);
            self.path.pop();
            if let Some(outcome) = ended? {
                return Ok(Some(plain(outcome)));
            }
        } else if let Some(outcome) = self.generate(&child.position, &mut child.moves)? {
            return Ok(Some(plain(outcome)));
        }
        (child.stock, child.replies) = (Stock::Moves, child.moves.len());
        let endings = child.moves.iter().filter_map(|reply| reply.head.outcome().map(plain));
        let ending = endings.max().filter(|&score| score >= enough);
        self.sizes.note_ending(child.empty, ending.is_some());
        Ok(ending)
    }

    /// How many moves there are; none if the game is over.
    fn count(&mut self, position: &G::Position) -> Result<usize, Interrupt> {
        self.watch.count_node()?;
        self.tell_news_now_and_then();
        Ok(self.game.count(position, &mut self.scratch)?)
    }

    pub(super) fn generate(
        &mut self,
        position: &G::Position,
        moves: &mut MoveList,
    ) -> Result<Option<Outcome>, Interrupt> {
        self.watch.count_node()?;
        self.statistics.generations += 1;
        self.tell_news_now_and_then();
        if let Some(outcome) = self.game.generate(position, Stage::All, moves)? {
            return Ok(Some(outcome));
        }
        Ok(self.path.take_out_forbidden(moves))
    }

    fn tell_news_now_and_then(&mut self) {
        if self.watch.nodes() - self.nodes_at_news >= NODES_BETWEEN_NEWS {
            self.tell_news();
        }
    }

    fn rank(
        &mut self,
        played: MoveView<'_>,
        mover: Colour,
        child: &Child<G::Position>,
    ) -> Result<i64, Interrupt> {
        let order = self.order;
        let mut rank = i64::from(order.history) * i64::from(self.history.points(played, mover));
        rank -= i64::from(order.replies) * child.replies as i64;
        if order.evaluation != 0 && self.sizes.exceed(child.empty, EVALUATED_NODES) {
            self.statistics.evaluations += 1;
            rank -= i64::from(order.evaluation) * i64::from(self.game.evaluate(&child.position)?);
        }
        if order.moves != 0 {
            let mut passed = child.position.clone();
            if self.game.pass(&mut passed) {
                rank += i64::from(order.moves) * self.game.count(&passed, &mut self.scratch)? as i64;
            }
        }
        Ok(rank)
    }

    /// The last of these children refuted the node, those before it did not.
    fn learn(&mut self, moves: &MoveList, children: &[Child<G::Position>], mover: Colour) {
        let Some((good, others)) = children.split_last() else { return };
        if others.is_empty() {
            return;
        }
        self.history.praise(moves.get(good.index), mover);
        for child in others {
            self.history.blame(moves.get(child.index), mover);
        }
    }

    /// The line of known positions from the root on, as far as the table still has it.
    pub(super) fn line(&mut self, root: &Root<G>) -> Result<Vec<Move>, Interrupt> {
        let mut line: Vec<Move> = Vec::new();
        let mut position = root.position.clone();
        let mut moves = MoveList::new();
        // Between questions they are those of the root.
        let mut images = self.images.clone();
        let mut seen = Vec::new();
        while line.len() < PLY_MAX
            && !seen.contains(&self.game.signature(&position))
            && self.game.generate(&position, Stage::All, &mut moves)?.is_none()
        {
            let signature = self.game.signature(&position);
            let views = [images.least(signature), (signature, View::Plain)];
            let best = views.into_iter().find_map(|(key, view)| {
                let best = self.table.probe(key ^ KEYS)?.best?;
                moves.iter().position(|played| best == images.tag(view, played))
            });
            let Some(best) = best else { break };
            let played = moves.get(best);
            seen.push(signature);
            line.push(played.to_move());
            if played.head.outcome().is_some() {
                break;
            }
            images.push(played);
            self.game.play(&mut position, played);
        }
        Ok(line)
    }
}
