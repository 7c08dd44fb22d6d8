//! A processor without work: it asks another one, sleeps until there is an answer, and begins what arrives.

use fabric::ProcessorId;
use game::Game;
use search::Depth;
use search::desk::Desk;
use search::line::Assignment;

use super::crew::{Appetite, Crew};
use super::policy::Victims;
use super::protocol::Message;
use crate::measures::Activity;

/// What a processor without work is to do.
pub(crate) enum Next<P> {
    /// Search this.
    Work(Box<Assignment<P>>),
    /// Lead the search from this iteration on: the leader is gone.
    Lead(Depth),
    /// Go home.
    End,
}

impl<G: Game> Crew<'_, G> {
    /// Asks another processor for work.
    fn ask(&mut self) {
        let own = self.here.id();
        let victim = match self.policy.victims {
            Victims::Anybody | Victims::Passed { .. } => self.random_other(),
            Victims::Neighbours { .. } => self.random_neighbour(own),
            Victims::Father { sons } => {
                let father = ProcessorId(own.0.saturating_sub(1) / sons.max(1));
                (father != own && self.living.has(father)).then_some(father)
            }
        };
        match victim {
            Some(victim) => self.ask_for_work(victim, self.hops()),
            None => self.on_refusal(),
        }
    }

    /// Any other processor that is alive.
    fn random_other(&mut self) -> Option<ProcessorId> {
        let own = self.here.id();
        let others = self.living.count() - usize::from(self.living.has(own));
        let before = (others > 0).then(|| self.random.usize(..others))?;
        self.living.other(own, before)
    }

    pub(super) fn ask_for_work(&mut self, victim: ProcessorId, hops: u8) {
        self.has_asked = true;
        let origin = self.here.id();
        self.send(victim, &Message::Request { origin, hops, depth: self.wanted });
    }

    /// Sleeps until something happens or it is time to ask again.
    pub(super) fn sleep(&mut self) {
        let until = if self.has_asked { None } else { Some(self.retry_at) };
        self.here.wait(until);
    }

    /// Begins the work that has arrived.
    pub(super) fn begin(&mut self) -> Option<Box<Assignment<G::Position>>> {
        let (job, work) = self.arrived.take()?;
        self.jobs.push(job);
        self.had_work = true;
        self.wanted = (work.depth.0.clamp(0, 200) as u8).saturating_add(self.policy.ambition);
        self.measures.jobs += 1;
        self.appetite = Appetite::Nothing;
        self.turn_to(Activity::Searching);
        Some(work)
    }

    /// What a processor without work does next.
    pub(crate) fn next(&mut self, desk: &mut Desk<'_, G::Position>) -> Next<G::Position> {
        self.appetite = Appetite::Anything;
        self.refuse_kept();
        loop {
            self.turn_to(if self.had_work { Activity::NoWork } else { Activity::Synchronising });
            self.serve(desk);
            self.cut = None;
            if self.is_over {
                return Next::End;
            }
            if self.must_lead() {
                self.appetite = Appetite::Nothing;
                if let Some((job, _)) = self.arrived.take() {
                    self.send(job.master, &Message::Declined { ticket: job.ticket });
                }
                self.turn_to(Activity::Searching);
                self.leads = true;
                return Next::Lead(self.last_iteration);
            }
            if let Some(work) = self.begin() {
                return Next::Work(work);
            }
            if !self.has_asked && self.here.now() >= self.retry_at {
                self.ask();
            }
            self.sleep();
        }
    }

    /// Whether the leader is gone and this processor is next.
    pub(super) fn must_lead(&self) -> bool {
        self.leader == self.here.id() && !self.leads
    }
}
