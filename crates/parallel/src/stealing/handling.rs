//! What a processor does about each message. See README.md in this folder.

use std::mem;

use fabric::{Event, ProcessorId};
use game::{Game, Signature};
use search::Window;
use search::desk::{Brother, Desk, OpenNode};
use search::line::{Finding, NodeKind};
use search::ordering::Promise;
use table::Entry;

use super::crew::{Appetite, Crew, Job, Kept, Loan};
use super::policy::{Everybody, Victims, When};
use super::protocol::{Message, Ticket, read_work, write_work};
use crate::measures::Activity;

impl<G: Game> Crew<'_, G> {
    /// All that can happen.
    pub(super) fn handle(&mut self, event: Event, desk: &mut Desk<'_, G::Position>) {
        let (from, bytes) = match event {
            Event::Died(gone) => return self.on_death(gone, desk),
            Event::Message { from, bytes } => (from, bytes),
        };
        let Some(message) = Message::from_bytes(&bytes) else {
            debug_assert!(false, "processor {from} sent something unknown");
            return;
        };
        // What leaders and tables send does not go through `Crew::send`: it is counted where it arrives.
        if matches!(message, Message::Iteration { .. } | Message::Entries(_))
            || Message::is_about_tables(&bytes)
        {
            let counts = &mut self.measures.messages[message.kind()];
            *counts = (counts.0 + 1, counts.1 + bytes.len() as u64);
        }
        match message {
            Message::Request { origin, hops, depth } => self.on_request(origin, hops, depth, desk),
            Message::Refusal => self.on_refusal(),
            Message::Work { ticket, is_early, bytes } => self.on_work(from, ticket, is_early, &bytes),
            Message::Declined { ticket } => self.on_declined(ticket, desk),
            Message::Return { ticket, finding, asks } => {
                self.on_return(ticket, finding, desk);
                if let Some(depth) = asks {
                    self.on_request(from, self.hops(), depth, desk);
                }
            }
            Message::Narrowing { ticket, window } => self.on_narrowing(ticket, window, desk),
            Message::Release { ticket, window } => self.on_release(ticket, window, desk),
            Message::Cutoff { ticket } => self.on_cutoff(ticket, desk),
            Message::Iteration { depth } => {
                self.last_iteration = depth;
                self.had_work = false;
                self.begin_exchange(depth.0, desk);
            }
            Message::Entries(entries) => {
                for [signature, content, marks] in entries {
                    self.table.hear(Signature(signature), Entry::from_words([content, marks]));
                }
            }
            Message::ChangesBelow { round, changes } => {
                self.on_changes_from_below(from, round, &changes, desk);
            }
            Message::ChangesOfAll { round, changes } => self.on_changes_of_all(round, &changes, desk),
            Message::End => self.is_over = true,
            // The table has seen to it.
            Message::Questions(_) | Message::Answers(_) => {}
        }
    }

    pub(super) fn hops(&self) -> u8 {
        match self.policy.victims {
            Victims::Neighbours { hops } | Victims::Passed { hops } => hops,
            Victims::Anybody | Victims::Father { .. } => 0,
        }
    }

    pub(super) fn on_request(
        &mut self,
        origin: ProcessorId,
        hops: u8,
        depth: u8,
        desk: &mut Desk<'_, G::Position>,
    ) {
        if origin == self.here.id() {
            // It went round and came back.
            return self.on_refusal();
        }
        if !self.living.has(origin) {
            return;
        }
        if self.policy.everybody == Everybody::No
            && let Some(brother) = self.free_brother(depth, desk)
        {
            return self.lend(origin, brother);
        }
        let next = (hops > 0).then(|| self.random_neighbour(origin)).flatten();
        match next {
            Some(next) => self.send(next, &Message::Request { origin, hops: hops - 1, depth }),
            None if self.keeps_requests() => self.keep(origin, depth),
            None => self.send(origin, &Message::Refusal),
        }
    }

    /// Whether a request that cannot be met is kept. On real processors a message takes no longer than some nodes,
    /// and nothing is gained by asking again; a processor that does not search has nothing to give soon.
    fn keeps_requests(&self) -> bool {
        let is_real = self.cost.is_zero();
        (self.policy.keeps_requests || is_real) && self.activity == Activity::Searching
    }

    /// Keeps a request until there is something to give, for a while where others could be asked.
    fn keep(&mut self, origin: ProcessorId, depth: u8) {
        let until = (self.living.count() > 2).then(|| self.here.now() + self.pauses.most);
        self.kept.push(Kept { origin, depth, until });
    }

    /// Meets the requests that were kept, as far as there is something to give.
    pub(super) fn serve_kept(&mut self, desk: &mut Desk<'_, G::Position>) {
        if self.kept.is_empty() {
            return;
        }
        let now = self.here.now();
        for mut request in mem::take(&mut self.kept) {
            if let Some(brother) = self.free_brother(request.depth, desk) {
                self.lend(request.origin, brother);
            } else if request.until.is_some_and(|until| until <= now) {
                self.send(request.origin, &Message::Refusal);
            } else {
                request.depth = content_with_less(request.depth);
                self.kept.push(request);
            }
        }
    }

    /// A processor that has nothing to do, or waits, has nothing to give: others may have.
    pub(super) fn refuse_kept(&mut self) {
        for request in mem::take(&mut self.kept) {
            self.send(request.origin, &Message::Refusal);
        }
    }

    pub(super) fn random_neighbour(&mut self, but: ProcessorId) -> Option<ProcessorId> {
        let living = &self.living;
        let open: Vec<ProcessorId> =
            self.neighbours.iter().copied().filter(|&next| next != but && living.has(next)).collect();
        (!open.is_empty()).then(|| open[self.random.usize(..open.len())])
    }

    pub(super) fn on_refusal(&mut self) {
        self.has_asked = false;
        self.retry_at = self.here.now() + self.pause;
        self.pause = (self.pause * 2).min(self.pauses.most);
        self.wanted = content_with_less(self.wanted);
    }

    /// The brother that is given away first of those that may be now, of a node at least so deep.
    pub(super) fn free_brother(
        &mut self,
        depth: u8,
        desk: &mut Desk<'_, G::Position>,
    ) -> Option<Brother<G::Position>> {
        let mut nodes: Vec<OpenNode> =
            desk.open_nodes().filter(|node| node.free > 0 && node.depth.0 >= i32::from(depth)).collect();
        self.policy.prefers.sort(&mut nodes);
        let free = nodes.into_iter().find(|&node| self.is_free(node, desk))?;
        desk.take(free.ply, self.policy.tests_first)
    }

    pub(super) fn is_free(&self, node: OpenNode, desk: &mut Desk<'_, G::Position>) -> bool {
        let top = self.jobs.last().map_or(0, |job| job.ply + 1);
        if node.depth.0 < self.policy.depth_min || self.policy.top_only && node.ply != top {
            return false;
        }
        if node.kind == NodeKind::Cut {
            let slowly = self.policy.slow_start && node.away >= node.finished;
            let enough = self.policy.cut_brothers.is_some_and(|most| node.away >= usize::from(most));
            if slowly || enough {
                return false;
            }
        }
        match self.policy.when(node.kind) {
            When::Immediately => true,
            When::Eldest => node.finished > 0,
            When::Known => node.finished > 0 || !node.is_known,
            When::Promising => node.finished > 0 && desk.promise(node.ply) <= Promise::Quiet,
            When::Never => false,
        }
    }

    pub(super) fn lend(&mut self, to: ProcessorId, brother: Brother<G::Position>) {
        let is_early = brother.is_early;
        self.tickets += 1;
        let ticket = Ticket(self.tickets);
        let Brother { assignment, place, .. } = brother;
        self.loans.push(Loan { ticket, to, place, window: assignment.window });
        let bytes = write_work(self.game, &assignment);
        self.send(to, &Message::Work { ticket, is_early, bytes });
    }

    pub(super) fn on_work(&mut self, from: ProcessorId, ticket: Ticket, is_early: bool, bytes: &[u8]) {
        self.has_asked = false;
        self.pause = self.pauses.least;
        let work = read_work(self.game, bytes).filter(|work| match self.appetite {
            Appetite::Nothing => false,
            Appetite::Anything => true,
            Appetite::Below(ply) => work.steps.len() > ply,
        });
        match work {
            Some(work) if self.arrived.is_none() => {
                let job = Job { ticket, master: from, ply: work.steps.len(), is_cut: false, is_early };
                self.arrived = Some((job, Box::new(work)));
            }
            _ => self.send(from, &Message::Declined { ticket }),
        }
    }

    pub(super) fn on_declined(&mut self, ticket: Ticket, desk: &mut Desk<'_, G::Position>) {
        if let Some(loan) = self.take_loan(ticket) {
            desk.give_back(loan.place);
        }
    }

    pub(super) fn take_loan(&mut self, ticket: Ticket) -> Option<Loan> {
        let index = self.loans.iter().position(|loan| loan.ticket == ticket)?;
        Some(self.loans.swap_remove(index))
    }

    pub(super) fn on_return(&mut self, ticket: Ticket, finding: Finding, desk: &mut Desk<'_, G::Position>) {
        let Some(loan) = self.take_loan(ticket) else { return };
        let effect = desk.absorb(loan.place, finding);
        self.cut_at(effect.cut);
        if effect.improved {
            self.tell_windows(desk);
        }
    }

    pub(super) fn cut_at(&mut self, ply: Option<usize>) {
        self.cut = [self.cut, ply].into_iter().flatten().min();
    }

    /// Tells those who work for us which windows have become narrower.
    pub(super) fn tell_windows(&mut self, desk: &mut Desk<'_, G::Position>) {
        if !self.policy.narrows {
            return;
        }
        for index in 0..self.loans.len() {
            let Loan { ticket, to, place, window: known } = self.loans[index];
            let window = desk.window(place.ply);
            // A slave of a node that is settled is told when the search leaves it.
            if window != known && window.alpha < window.beta {
                self.loans[index].window = window;
                self.send(to, &Message::Narrowing { ticket, window });
            }
        }
    }

    pub(super) fn on_narrowing(&mut self, ticket: Ticket, window: Window, desk: &mut Desk<'_, G::Position>) {
        if let Some((job, work)) = &mut self.arrived
            && job.ticket == ticket
        {
            work.window = window;
            return;
        }
        let Some(job) = self.jobs.iter().find(|job| job.ticket == ticket && !job.is_cut) else { return };
        let cut = desk.narrow(job.ply, window);
        self.cut_at(cut);
        self.tell_windows(desk);
    }

    /// Tells those who have moves of a node that its first one is done with.
    pub(super) fn release(&mut self, desk: &Desk<'_, G::Position>, ply: usize) {
        let window = desk.window(ply);
        for index in 0..self.loans.len() {
            let Loan { ticket, to, place, .. } = self.loans[index];
            // A slave of a node that is settled is told when the search leaves it.
            if place.ply == ply && window.alpha < window.beta {
                self.loans[index].window = window;
                self.send(to, &Message::Release { ticket, window });
            }
        }
    }

    pub(super) fn on_release(&mut self, ticket: Ticket, window: Window, desk: &mut Desk<'_, G::Position>) {
        let arrived = self.arrived.iter_mut().map(|(job, _)| job);
        if let Some(job) = self.jobs.iter_mut().chain(arrived).find(|job| job.ticket == ticket) {
            job.is_early = false;
        }
        self.on_narrowing(ticket, window, desk);
    }

    pub(super) fn on_cutoff(&mut self, ticket: Ticket, desk: &mut Desk<'_, G::Position>) {
        if self.arrived.as_ref().is_some_and(|(job, _)| job.ticket == ticket) {
            self.arrived = None;
        }
        if let Some(index) = self.jobs.iter().position(|job| job.ticket == ticket) {
            self.drop_job(index, desk);
        }
    }

    pub(super) fn drop_job(&mut self, index: usize, desk: &mut Desk<'_, G::Position>) {
        let job = &mut self.jobs[index];
        job.is_cut = true;
        let ply = job.ply;
        desk.settle(ply);
        self.cut_at(Some(ply));
    }

    /// A processor is gone: what it did for us has to be done again, what we did for it is of no use.
    pub(super) fn on_death(&mut self, gone: ProcessorId, desk: &mut Desk<'_, G::Position>) {
        self.living.lose(gone);
        self.kept.retain(|request| request.origin != gone);
        while let Some(index) = self.loans.iter().position(|loan| loan.to == gone) {
            let loan = self.loans.swap_remove(index);
            desk.give_back(loan.place);
        }
        if self.arrived.as_ref().is_some_and(|(job, _)| job.master == gone) {
            self.arrived = None;
        }
        if let Some(index) = self.jobs.iter().position(|job| job.master == gone && !job.is_cut) {
            self.drop_job(index, desk);
        }
        self.pass_up(desk);
        // The processor that had our request may be the one.
        self.has_asked = false;
        self.leader = self.living.ids().next().unwrap_or_default();
    }
}

/// How deep a node has to be for those who got none so deep.
fn content_with_less(depth: u8) -> u8 {
    depth.saturating_sub(1 + depth / 3)
}
