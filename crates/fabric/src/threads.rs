//! One processor a thread. Mailboxes are bounded; who finds one full takes in its own mail meanwhile, so that two that write
//! to each other do not wait for each other.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, TrySendError, bounded};

use crate::contract::{Event, Processor, ProcessorId};

/// Messages that wait in a mailbox before senders have to.
const MAILBOX_MESSAGES_MAX: usize = 4096;

/// Runs a program on so many threads and returns what it returned on each; `None` where it panicked, which the others hear of
/// as [`Event::Died`]. A machine that has no more threads does with fewer: the missing ones are told to be dead.
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
    let (senders, receivers): (Vec<_>, Vec<_>) =
        (0..processors.max(1)).map(|_| bounded(MAILBOX_MESSAGES_MAX)).unzip();
    let senders: &[Sender<Event>] = &senders;
    let here = |(number, receiver)| ThreadProcessor {
        id: ProcessorId(number as u32),
        senders,
        receiver,
        taken_in: RefCell::default(),
        began,
    };
    let mut seats = receivers.into_iter().enumerate().map(here);
    let first = seats.next().expect("there is at least one processor");
    thread::scope(|scope| {
        let others: Vec<_> = seats
            .map(|seat| {
                let id = seat.id;
                let builder = thread::Builder::new().name(format!("processor {id}")).stack_size(stack_bytes);
                let started = builder.spawn_scoped(scope, move || seat.work(program));
                if started.is_err() {
                    announce_death(senders, id);
                }
                started.ok()
            })
            .collect();
        let mut results = vec![first.work(first_program)];
        results.extend(others.into_iter().map(|other| other.and_then(|other| other.join().ok().flatten())));
        results
    })
}

/// Tells everybody that a processor is gone. Who does not read its mail any more need not know.
fn announce_death(senders: &[Sender<Event>], id: ProcessorId) {
    for sender in senders {
        let _ = sender.send_timeout(Event::Died(id), Duration::from_secs(1));
    }
}

struct ThreadProcessor<'run> {
    id: ProcessorId,
    senders: &'run [Sender<Event>],
    receiver: Receiver<Event>,
    /// Mail that was taken in while another mailbox was full.
    taken_in: RefCell<VecDeque<Event>>,
    began: Instant,
}

impl ThreadProcessor<'_> {
    fn work<R>(self, program: impl FnOnce(&dyn Processor) -> R) -> Option<R> {
        let result = catch_unwind(AssertUnwindSafe(|| program(&self)));
        if result.is_err() {
            announce_death(self.senders, self.id);
        }
        result.ok()
    }

    fn take_in(&self) {
        self.taken_in.borrow_mut().extend(self.receiver.try_iter());
    }
}

impl Processor for ThreadProcessor<'_> {
    fn id(&self) -> ProcessorId {
        self.id
    }

    fn processors(&self) -> usize {
        self.senders.len()
    }

    fn send(&self, to: ProcessorId, bytes: Vec<u8>) {
        let mut event = Event::Message { from: self.id, bytes };
        loop {
            match self.senders[to.index()].try_send(event) {
                // Who is gone needs no mail.
                Ok(()) | Err(TrySendError::Disconnected(_)) => return,
                Err(TrySendError::Full(back)) => event = back,
            }
            self.take_in();
            thread::yield_now();
        }
    }

    fn poll(&self) -> Option<Event> {
        let taken_in = self.taken_in.borrow_mut().pop_front();
        taken_in.or_else(|| self.receiver.try_recv().ok())
    }

    fn wait(&self, until: Option<Duration>) {
        if !self.taken_in.borrow().is_empty() {
            return;
        }
        let event = match until {
            Some(until) => self.receiver.recv_deadline(self.began + until).ok(),
            None => self.receiver.recv().ok(),
        };
        self.taken_in.borrow_mut().extend(event);
    }

    fn now(&self) -> Duration {
        self.began.elapsed()
    }

    fn charge(&self, _: Duration) {}
}

#[cfg(test)]
mod tests {
    use super::*;

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
