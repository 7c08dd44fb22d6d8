//! Nodes whose moves are tried by several searches: the loop over the moves when there is company, and what a search
//! does for another one.
//!
//! The line of such a node is laid open while its sons are searched. Those who serve messages may take brothers off
//! it, put in what others found, and narrow windows; a search that is of no use any more is left by
//! [`Interrupt::Cut`], which names the ply where the search goes on. Nothing is remembered of what was left.

use game::{Game, Move};
use table::{MoveTag, Table};

use crate::company::Company;
use crate::desk::Desk;
use crate::line::{Assignment, Finding, Link, Ply};
use crate::node::{Best, Expanded, Node, Tried, Turn};
use crate::ordering::{Choice, known_loss};
use crate::path::Path;
use crate::score::{Score, Window};
use crate::searcher::{Frame, Searcher};
use crate::transposition::Known;
use crate::wanted::score_of_first;
use crate::watch::Interrupt;

impl<G: Game, T: Table, C: Company<G::Position>> Searcher<'_, G, T, C> {
    /// Counts a node, and serves the others.
    #[inline]
    pub(crate) fn count_node(&mut self) -> Result<(), Interrupt> {
        self.watch.count_node()?;
        if C::SHARES {
            self.attend()
        } else if C::PEERS {
            self.company.heed()
        } else {
            Ok(())
        }
    }

    fn attend(&mut self) -> Result<(), Interrupt> {
        let (company, mut desk) = self.desk();
        company.look(&mut desk)
    }

    /// The company, and what it may look at.
    pub fn desk(&mut self) -> (&mut C, Desk<'_, G::Position>) {
        let desk = Desk {
            line: &mut self.line,
            path: &self.path,
            standing: &self.standing,
            root_depth: self.root_depth,
            memory: &mut self.memory,
        };
        (&mut self.company, desk)
    }

    /// Whether the moves of a node may be tried by several searches.
    #[inline]
    pub(crate) fn is_shared(&self, node: &Node<'_, G::Position>) -> bool {
        C::SHARES && node.arrival.excluded.is_none() && self.company.shares(&node.arrival, node.depth)
    }

    /// Says how the window of the son that is searched next comes from that of its father, if that is shared.
    #[inline]
    pub(crate) fn link(&mut self, shared: bool, ply: usize, link: Link) {
        if C::SHARES && shared {
            self.line.at(ply).link = link;
        }
    }

    /// The window of a node that is searched, or, if it cannot have been narrowed, the one that it began with.
    #[inline]
    pub(crate) fn window_now(&mut self, shared: bool, ply: usize, began: Window) -> Window {
        if C::SHARES && shared { self.line.at(ply).present_window() } else { began }
    }

    /// Tries the moves of a node together with others.
    pub(crate) fn try_moves_together(
        &mut self,
        node: &Node<'_, G::Position>,
        extension: i32,
        least: Score,
        frame: &mut Frame,
    ) -> Result<Expanded, Interrupt> {
        let before = usize::from(frame.is_partial && frame.first_score.is_some());
        *self.line.at(node.ply) = Ply {
            is_open: true,
            position: Some(node.position.clone()),
            frame: std::mem::take(frame),
            window: node.window,
            depth: node.depth,
            arrival: node.arrival,
            estimate: node.estimate,
            extension,
            is_known: self.first_move(node).is_some(),
            tried: before,
            finished: before,
            best: Best { score: least, tag: None },
            ..Ply::default()
        };
        let result = self.try_all(node, extension);
        self.close(node.ply);
        let left = self.line.at(node.ply);
        *frame = std::mem::take(&mut left.frame);
        let (best, window, variation) = (left.best, left.window, left.variation.take());
        if let Some(variation) = variation {
            self.adopt(node.ply, variation, best.score);
        }
        result?;
        let is_quiet = self.learn_from(node, best, window, frame);
        Ok(Expanded { best, window, is_quiet })
    }

    /// Leaves a node: who still works for it need not.
    fn close(&mut self, ply: usize) {
        let (company, mut desk) = self.desk();
        company.close(&mut desk, ply);
        let left = self.line.at(ply);
        (left.is_open, left.link, left.away) = (false, Link::None, 0);
    }

    /// Takes over the line that another processor has found.
    fn adopt(&mut self, ply: usize, variation: Vec<Move>, score: Score) {
        if ply == 0 {
            self.root_best = variation.first().map(|best| (best.clone(), score));
        }
        self.lines[ply] = variation;
    }

    /// Tries moves until all are tried, by whomever, or one is good enough.
    fn try_all(&mut self, node: &Node<'_, G::Position>, extension: i32) -> Result<(), Interrupt> {
        let mut skips_quiet = false;
        loop {
            match self.go_on(node, extension, &mut skips_quiet) {
                Ok(true) => {}
                Ok(false) => return Ok(()),
                // The window of this node has changed: look again.
                Err(Interrupt::Cut { ply }) if ply == node.ply => {}
                Err(interrupt) => return Err(interrupt),
            }
        }
    }

    /// Tries a move, or waits for those who try others; false when there is nothing more to do.
    fn go_on(
        &mut self,
        node: &Node<'_, G::Position>,
        extension: i32,
        skips_quiet: &mut bool,
    ) -> Result<bool, Interrupt> {
        let open = self.line.at(node.ply);
        open.link = Link::None;
        if open.is_settled() {
            return Ok(false);
        }
        if let Some(index) = open.promising.pop() {
            self.find_value(node, index, extension)?;
        } else if open.next < open.frame.order.len() {
            if open.finished > 0 {
                let (company, mut desk) = self.desk();
                if company.hold(&mut desk, node.ply)? {
                    return Ok(true);
                }
            }
            let (choice, place) = self.take_own(node)?;
            self.try_own(node, choice, place, extension, skips_quiet)?;
        } else if open.away > 0 {
            self.pass_the_time(node.ply)?;
        } else {
            return Ok(false);
        }
        Ok(true)
    }

    /// Takes the next move of a node for this search itself; others do not get it any more.
    fn take_own(&mut self, node: &Node<'_, G::Position>) -> Result<(Choice, usize), Interrupt> {
        let open = self.line.at(node.ply);
        let place = open.next;
        let mut frame = std::mem::take(&mut open.frame);
        let choice = self.select_idle(node, &mut frame, place);
        let open = self.line.at(node.ply);
        open.frame = frame;
        let choice = choice?;
        open.next += 1;
        open.tried += 1;
        Ok((choice, place))
    }

    /// The best of the moves from this place on that no other processor searches right now.
    fn select_idle(
        &mut self,
        node: &Node<'_, G::Position>,
        frame: &mut Frame,
        place: usize,
    ) -> Result<Choice, Interrupt> {
        loop {
            let choice = self.select_sound(node.position, frame, place)?;
            let played = frame.moves.get(choice.index());
            let child = self.path.last().signature ^ played.head.signature_difference;
            if choice.was_left() || !self.company.is_busy(child, node.arrival.kind, place) {
                return Ok(choice);
            }
            frame.order.leave_for_later(place);
        }
    }

    fn try_own(
        &mut self,
        node: &Node<'_, G::Position>,
        choice: Choice,
        place: usize,
        extension: i32,
        skips_quiet: &mut bool,
    ) -> Result<(), Interrupt> {
        let open = self.line.at(node.ply);
        let played = open.frame.moves.get(choice.index());
        if let Some(score) = score_of_first(&open.frame, played) {
            // It was not good enough.
            let tag = MoveTag::of(played.head.signature_difference);
            open.note(tag, score);
            self.tell_eldest(node.ply, place);
            return Ok(());
        }
        let (played, tried) = (played.to_move(), open.tried - 1);
        let only = open.frame.order.len() == 1 && !open.frame.is_partial;
        let only_test = place > 0 && !open.window.is_null() && self.company.tests_first();
        let work = Own { played: &played, tried, loss: known_loss(choice), extension, only, only_test };
        let nodes_before = self.watch.nodes();
        let child = self.path.last().signature ^ played.view().head.signature_difference;
        self.company.mark(child, true);
        let result = self.search_move(node, &work, skips_quiet);
        self.company.mark(child, false);
        match result? {
            Some(Tried::Scored(score)) => {
                let open = self.line.at(node.ply);
                let Window { alpha, beta } = open.present_window();
                let better = score > alpha;
                if only_test && better && score < beta && played.view().head.outcome().is_none() {
                    open.promising.push(choice.index());
                } else {
                    self.note_own(node, &played, score);
                }
                if node.ply == 0 {
                    self.count_effort(nodes_before, better);
                }
            }
            Some(Tried::Skipped(bound)) => {
                let open = self.line.at(node.ply);
                open.skip(bound);
                open.frame.order.skip(place);
            }
            None => {}
        }
        self.tell_eldest(node.ply, place);
        Ok(())
    }

    /// Says so if the move at this place was the first of its node.
    fn tell_eldest(&mut self, ply: usize, place: usize) {
        if place == 0 {
            let (company, mut desk) = self.desk();
            company.eldest_is_done(&mut desk, ply);
        }
    }

    /// Looks for the value of a move that a test has found to be better.
    fn find_value(
        &mut self,
        node: &Node<'_, G::Position>,
        index: usize,
        extension: i32,
    ) -> Result<(), Interrupt> {
        let open = self.line.at(node.ply);
        let played = open.frame.moves.get(index).to_move();
        let tried = open.finished.max(1);
        let work = Own { played: &played, tried, loss: None, extension, only: false, only_test: false };
        // It may have to be looked for again if it is not known what it was worth.
        let result = self.search_move(node, &work, &mut false);
        if result.is_err() {
            self.line.at(node.ply).promising.push(index);
        }
        if let Some(Tried::Scored(score)) = result? {
            self.note_own(node, &played, score);
        }
        Ok(())
    }

    fn note_own(&mut self, node: &Node<'_, G::Position>, played: &Move, score: Score) {
        let tag = MoveTag::of(played.view().head.signature_difference);
        if self.line.at(node.ply).note(tag, score) {
            self.improve(node, played.view(), score);
            let (company, mut desk) = self.desk();
            company.improved(&mut desk, node.ply);
        }
    }

    /// Searches a move with the window that its father has, and again whenever that has changed so much that the
    /// search was of no use; `None` when nothing more is wanted of the father.
    fn search_move(
        &mut self,
        node: &Node<'_, G::Position>,
        work: &Own<'_>,
        skips_quiet: &mut bool,
    ) -> Result<Option<Tried>, Interrupt> {
        let tag = MoveTag::of(work.played.view().head.signature_difference);
        loop {
            let open = self.line.at(node.ply);
            if open.is_settled() {
                return Ok(None);
            }
            let alpha = open.present_window().alpha;
            let narrowed = Node { window: open.window, ..*node };
            let turn = Turn {
                played: work.played.view(),
                tag,
                tried: work.tried,
                alpha,
                extension: work.extension,
                loss: work.loss,
                only: work.only,
                only_test: work.only_test,
                open: true,
            };
            match self.try_choice(&narrowed, turn, skips_quiet) {
                Err(Interrupt::Cut { ply }) if ply == node.ply => {}
                result => return result.map(Some),
            }
        }
    }

    /// Waits for others, and does something useful for them meanwhile.
    fn pass_the_time(&mut self, ply: usize) -> Result<(), Interrupt> {
        let (company, mut desk) = self.desk();
        let Some(work) = company.wait(&mut desk, ply)? else { return Ok(()) };
        let result = self.perform(&work);
        let (finding, result) = match result {
            Ok(finding) => (finding, Ok(())),
            Err(interrupt) => (None, Err(interrupt)),
        };
        self.company.report(finding);
        result
    }

    /// Searches a move of another processor's node; `None` when that is of no use any more. While it does, the father's
    /// ply is open here too, so that its window can be narrowed.
    ///
    /// # Errors
    /// When the search has to stop, or to go on somewhere above.
    pub fn perform(&mut self, work: &Assignment<G::Position>) -> Result<Option<Finding>, Interrupt> {
        let ply = work.steps.len();
        let path = Path::new(self.game, self.root).follow(&work.steps);
        let outer = std::mem::replace(&mut self.path, path);
        self.standing[ply] = work.standing[0];
        if let Some(before) = ply.checked_sub(1) {
            self.standing[before] = work.standing[1];
        }
        self.root_depth = work.root_depth;
        *self.line.at(ply) = Ply {
            is_open: true,
            window: work.window,
            depth: work.depth,
            arrival: work.arrival,
            estimate: work.estimate,
            ..Ply::default()
        };
        let node = Node {
            position: &work.position,
            window: work.window,
            depth: work.depth,
            ply,
            arrival: work.arrival,
            estimate: work.estimate,
            plain_estimate: None,
            known: Known::default(),
            name: 0,
        };
        let own = Own {
            played: &work.played,
            tried: work.tried,
            loss: work.loss,
            extension: work.extension,
            only: false,
            only_test: work.only_test,
        };
        let result = self.search_move(&node, &own, &mut false);
        let Window { alpha, beta } = self.line.at(ply).present_window();
        self.close(ply);
        self.path = outer;
        Ok(result?.map(|tried| {
            let skipped = matches!(tried, Tried::Skipped(_));
            let (Tried::Scored(score) | Tried::Skipped(score)) = tried;
            let better = score > alpha && !work.window.is_null();
            Finding {
                score,
                only_tested: work.only_test && score > alpha && score < beta,
                skipped,
                variation: if better { self.lines[ply + 1].clone() } else { Vec::new() },
            }
        }))
    }
}

/// A move that this search looks at itself.
struct Own<'work> {
    played: &'work Move,
    tried: usize,
    loss: Option<i32>,
    extension: i32,
    only: bool,
    only_test: bool,
}
