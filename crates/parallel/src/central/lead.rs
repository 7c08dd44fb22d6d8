//! The leader's side: who has which search, and what becomes of it.

use fabric::ProcessorId;
use game::{Game, Move, RuleFault};
use search::watch::Interrupt;
use search::{Depth, Score};

use super::clerk::Clerk;
use super::job::{Answer, Job};
use super::plan::{Plan, Scout};
use crate::stealing::{Message, Ticket};

/// A search that a processor makes.
struct Given {
    ticket: Ticket,
    to: ProcessorId,
    job: Job,
}

pub(super) struct Lead<'run, G: Game> {
    plan: Box<dyn Plan<G> + 'run>,
    pub(super) scout: Scout<'run, G>,
    out: Vec<Given>,
    /// How many searches each processor has.
    load: Vec<usize>,
    tickets: u64,
    /// Whether the value ends what the leader itself searches at once; otherwise that is finished first.
    is_urgent: bool,
    fault: Option<Box<RuleFault>>,
}

impl<'run, G: Game> Lead<'run, G> {
    pub(super) fn new(
        plan: Box<dyn Plan<G> + 'run>,
        scout: Scout<'run, G>,
        processors: usize,
        tickets: u64,
    ) -> Lead<'run, G> {
        let (out, load) = (Vec::new(), vec![0; processors]);
        Lead { plan, scout, out, load, tickets, is_urgent: true, fault: None }
    }

    /// Whether the leader has something better to do than to search.
    pub(super) fn is_done(&self) -> bool {
        self.fault.is_some() || self.is_urgent && self.plan.value().is_some()
    }

    fn take(&mut self, ticket: Ticket) -> Option<Given> {
        let index = self.out.iter().position(|given| given.ticket == ticket)?;
        let given = self.out.remove(index);
        self.load[given.to.index()] -= 1;
        Some(given)
    }

    /// Takes back what is of no use any more.
    fn withdraw(&mut self, clerk: &mut Clerk<'run, G>) {
        let mut index = 0;
        while index < self.out.len() {
            if self.plan.wants(&self.out[index].job) {
                index += 1;
                continue;
            }
            let Given { ticket, to, job } = self.out.remove(index);
            self.load[to.index()] -= 1;
            self.plan.lost(&job);
            if to == clerk.here.id() {
                clerk.forget(ticket);
            } else {
                clerk.meter.send(to, &Message::Cutoff { ticket });
            }
        }
    }

    /// Gives something to those who have room for it, to the leader itself at last.
    fn hand_out(&mut self, clerk: &mut Clerk<'run, G>) -> Result<(), Interrupt> {
        let own = clerk.here.id();
        for to in clerk.others().into_iter().chain([own]) {
            let room = if to == own { 1 } else { self.plan.ahead() };
            while self.load[to.index()] < room && self.plan.value().is_none_or(|_| self.plan.ahead() > 1) {
                match self.plan.next(to, &mut self.scout)? {
                    Some(job) => self.give(to, job, clerk),
                    None if self.plan.deals() => break,
                    None => return Ok(()),
                }
            }
        }
        Ok(())
    }

    fn give(&mut self, to: ProcessorId, job: Job, clerk: &mut Clerk<'run, G>) {
        self.tickets += 1;
        let ticket = Ticket(self.tickets);
        if to == clerk.here.id() {
            clerk.keep(ticket, job.clone());
        } else {
            clerk.meter.send(to, &Message::Work { ticket, is_early: false, bytes: job.to_bytes() });
        }
        self.load[to.index()] += 1;
        self.out.push(Given { ticket, to, job });
    }
}

impl<'run, G: Game> Clerk<'run, G> {
    /// An iteration begins; if it is the last one, it ends as soon as the value is known.
    pub(super) fn begin(&mut self, depth: Depth, guess: Score, is_last: bool) {
        if let Some(lead) = &mut self.lead {
            lead.is_urgent = is_last || lead.plan.ahead() == 1;
            lead.plan.begin(depth, guess);
        }
        self.review();
    }

    /// Takes back what is not wanted any more, and gives out what is wanted.
    fn review(&mut self) {
        let Some(mut lead) = self.lead.take() else { return };
        lead.withdraw(self);
        match lead.hand_out(self) {
            Err(Interrupt::Fault(fault)) => lead.fault = Some(fault),
            // The scout has no limits.
            Err(Interrupt::Stopped | Interrupt::Cut { .. }) | Ok(()) => {}
        }
        self.lead = Some(lead);
    }

    /// The value of the iteration and the best line, when they are known.
    ///
    /// # Errors
    /// When the rules went wrong.
    pub(super) fn value(&mut self) -> Result<Option<(Score, Vec<Move>)>, Interrupt> {
        let Some(lead) = &mut self.lead else { return Ok(None) };
        match lead.fault.take() {
            Some(fault) => Err(Interrupt::Fault(fault)),
            None => Ok(lead.plan.value()),
        }
    }

    /// Another processor, or the leader itself, has made a search.
    pub(super) fn absorb(&mut self, ticket: Ticket, answer: Answer) {
        let Some(lead) = &mut self.lead else { return };
        let Some(given) = lead.take(ticket) else { return };
        lead.plan.found(&given.job, answer);
        self.review();
    }

    /// The rules went wrong for another processor: the leader searches that itself, and meets the fault if it is one.
    pub(super) fn take_over(&mut self, ticket: Ticket) {
        let own = self.here.id();
        let Some(lead) = &mut self.lead else { return };
        let Some(given) = lead.take(ticket) else { return };
        lead.load[own.index()] += 1;
        lead.out.push(Given { ticket, to: own, job: given.job.clone() });
        self.keep(ticket, given.job);
    }

    /// A processor is gone: others make its searches.
    pub(super) fn without(&mut self, gone: ProcessorId) {
        let Some(lead) = &mut self.lead else { return };
        let (lost, kept): (Vec<Given>, Vec<Given>) =
            std::mem::take(&mut lead.out).into_iter().partition(|given| given.to == gone);
        lead.out = kept;
        lead.load[gone.index()] = 0;
        lost.iter().for_each(|given| lead.plan.lost(&given.job));
        lead.plan.gone(gone);
        self.review();
    }
}
