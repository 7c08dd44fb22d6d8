//! One processor a thread, with a mailbox for each.

use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::Sender;

use crate::contract::{Event, Processor, ProcessorId};
use crate::mailbox::{Mailbox, announce_death, mailboxes};
use crate::team;

/// Runs a program on so many threads and returns what it returned on each; `None` where it panicked, which the others
/// hear of as [`Event::Died`]. A machine that has no more threads does with fewer: the missing ones are told to be
/// dead.
pub fn run<R: Send>(
    processors: usize,
    stack_bytes: usize,
    program: &(dyn Fn(&dyn Processor) -> R + Sync),
) -> Vec<Option<R>> {
    run_led(processors, stack_bytes, program, program)
}

/// The same with a program of its own for processor 0, which is the calling thread.
pub fn run_led<R: Send>(
    processors: usize,
    stack_bytes: usize,
    first_program: impl FnOnce(&dyn Processor) -> R,
    program: &(dyn Fn(&dyn Processor) -> R + Sync),
) -> Vec<Option<R>> {
    let began = Instant::now();
    let (senders, mailboxes) = mailboxes(processors.max(1));
    let senders: &[Sender<Event>] = &senders;
    let seats = mailboxes.into_iter().zip(0..).map(|(mailbox, number)| ThreadProcessor {
        id: ProcessorId(number),
        senders,
        mailbox,
        began,
    });
    team::run(seats, stack_bytes, first_program, program, |id| announce_death(senders, id))
}

/// Does some work, and lets a thread do something beside it that ends with it. A machine that has no more threads
/// does without.
pub fn beside<R>(name: &str, helper: impl FnOnce() + Send, work: impl FnOnce() -> R) -> R {
    thread::scope(|scope| {
        let started = thread::Builder::new().name(name.to_owned()).spawn_scoped(scope, helper);
        let result = work();
        // If the helper has panicked, the work is done all the same.
        let _ = started.map(thread::ScopedJoinHandle::join);
        result
    })
}

struct ThreadProcessor<'run> {
    id: ProcessorId,
    senders: &'run [Sender<Event>],
    mailbox: Mailbox,
    began: Instant,
}

impl Processor for ThreadProcessor<'_> {
    fn id(&self) -> ProcessorId {
        self.id
    }

    fn processors(&self) -> usize {
        self.senders.len()
    }

    fn send(&self, to: ProcessorId, bytes: Vec<u8>) {
        self.mailbox.send(&self.senders[to.index()], Event::Message { from: self.id, bytes }, || ());
    }

    fn poll(&self) -> Option<Event> {
        self.mailbox.next()
    }

    fn wait(&self, until: Option<Duration>) {
        self.mailbox.wait(until.map(|until| self.began + until));
    }

    fn now(&self) -> Duration {
        self.began.elapsed()
    }

    fn charge(&self, _: Duration) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mailbox::MAILBOX_MESSAGES_MAX;

    #[test]
    fn messages_arrive_in_their_order_even_if_mailboxes_are_full() {
        const COUNT: u32 = 3 * MAILBOX_MESSAGES_MAX as u32;
        let talk = |here: &dyn Processor| {
            let other = ProcessorId(1 - here.id().0);
            for number in 0..COUNT {
                here.send(other, number.to_le_bytes().to_vec());
            }
            (0..COUNT).all(|number| {
                here.receive() == Event::Message { from: other, bytes: number.to_le_bytes().to_vec() }
            })
        };
        assert_eq!(run(2, 1 << 20, &talk), [Some(true), Some(true)]);
    }

    #[test]
    fn a_panic_is_a_death_that_the_others_hear_of() {
        let program = |here: &dyn Processor| match here.id() {
            ProcessorId(1) => panic!("this panic is part of a test"),
            _ => here.receive(),
        };
        let died = Some(Event::Died(ProcessorId(1)));
        assert_eq!(run(3, 1 << 20, &program), [died.clone(), None, died]);
    }

    #[test]
    fn a_wait_ends_when_its_time_has_come() {
        let program = |here: &dyn Processor| {
            here.wait(Some(here.now() + Duration::from_millis(5)));
            here.poll()
        };
        assert_eq!(run(1, 1 << 20, &program), [Some(None)]);
    }
}
