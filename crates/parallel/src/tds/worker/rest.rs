//! A processor without work: it asks others, waits, and finds out together with all others whether an iteration is
//! over.

use std::time::Duration;

use fabric::ProcessorId;

use super::{Ending, LENGTH_MAX, NAP, Worker};
use crate::tds::grain::Dives;
use crate::tds::protocol::{Aim, Message};
use crate::tds::settings::Scheduling;
use crate::tds::termination::Tally;

impl Worker<'_, '_> {
    /// There is nothing to do.
    pub(super) fn rest(&mut self) {
        self.post.flush();
        let is_held = !self.open.is_empty();
        if !is_held {
            self.take_part_in_waves();
        }
        if self.ending.is_some() || !self.open.is_empty() && !is_held {
            return;
        }
        let began = self.here.now();
        self.here.wait(self.wakes(began, is_held));
        let time = self.here.now().saturating_sub(began);
        *(if is_held { &mut self.effort.held } else { &mut self.effort.idle }) += time;
        if self.leader.as_ref().is_some_and(|leader| leader.naps) {
            self.mind_the_limits();
        }
    }

    /// Asks for work if it is time to, and says when to wake up.
    fn wakes(&mut self, now: Duration, is_held: bool) -> Option<Duration> {
        let nap = self.leader.as_ref().filter(|leader| leader.naps).map(|_| now + NAP);
        let others = self.here.processors() as u32 - 1;
        if is_held || others == 0 {
            return nap;
        }
        // At home states come by themselves as a rule: asking at once would be in vain.
        let asks_again = *self.asks_again.get_or_insert(match self.settings.scheduling {
            Scheduling::Home => now + self.pause,
            Scheduling::Stealing => now,
        });
        if !self.is_asking && now >= asks_again {
            let victim = self.random.u32(..others);
            let victim = ProcessorId(victim + u32::from(victim >= self.here.id().0));
            self.say(victim, &Message::Request);
            self.is_asking = true;
        }
        if self.is_asking { nap } else { Some(nap.map_or(asks_again, |nap| nap.min(asks_again))) }
    }

    /// A processor without work tells what it has counted, if it is asked.
    fn take_part_in_waves(&mut self) {
        debug_assert!(self.post.is_empty());
        if self.leader.is_some() && !self.waves.is_under_way() {
            let wave = self.waves.number() + 1;
            self.waves.asked(wave);
            self.tell_sons(&Message::Ask { wave });
        }
        let own = Tally {
            sent: self.post.sent,
            received: self.post.received,
            next: self.next,
            nodes: self.effort.nodes,
            dives: self.dives,
        };
        let Some(total) = self.waves.passive(&own) else { return };
        match self.waves.father() {
            Some(father) => self.say(father, &Message::Tell { wave: self.waves.number(), tally: total }),
            None if self.waves.is_over(total) => self.decide(total),
            // One more wave shows whether anything has moved since.
            None => self.take_part_in_waves(),
        }
    }

    /// An iteration is over.
    fn decide(&mut self, total: Tally) {
        let last = self.settings.last_bound.unwrap_or(LENGTH_MAX).min(LENGTH_MAX);
        match total.next {
            u32::MAX => self.ending = Some(Ending::Unsolvable),
            next => {
                self.effort_so_far(total.nodes, next);
                if next > last {
                    self.limit = next;
                    self.ending = Some(Ending::Stopped);
                } else {
                    self.lead_on(next, total.dives);
                }
            }
        }
    }

    fn effort_so_far(&mut self, nodes: u64, next: u32) {
        if let Some(leader) = &mut self.leader {
            (leader.progress)(next, nodes);
        }
    }

    /// Begins an iteration, after one with these searches below single states.
    pub(super) fn lead_on(&mut self, limit: u32, dives: Dives) {
        let grain = self.tuner.next(limit, dives);
        let iteration = self.iteration + 1;
        let aim = Aim { limit, grain };
        self.learn(iteration, aim);
        self.tell_sons(&Message::Begin { iteration, aim });
        let start = self.space.start();
        let record = self.form.first(start.signature, start.last, &start.state);
        if self.iteration == 1 {
            self.effort.nodes += 1;
        }
        // The start is worked on here, wherever its home is: one state more or less does not matter.
        self.open.push(&record);
    }
}
