//! Mailboxes between threads of one process. They are bounded; who finds one full takes in its own mail meanwhile, so
//! that two that write to each other do not wait for each other.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, TrySendError, bounded};

use crate::contract::{Event, ProcessorId};

/// Messages that wait in a mailbox before senders have to.
pub(crate) const MAILBOX_MESSAGES_MAX: usize = 4096;

/// How long a thread that waits looks again and again before it goes to sleep.
const AWAKE_MAX: Duration = Duration::from_millis(1);

/// Where one thread finds what was sent to it.
pub(crate) struct Mailbox {
    receiver: Receiver<Event>,
    /// Mail that was taken in while another mailbox was full.
    taken_in: RefCell<VecDeque<Event>>,
}

/// So many mailboxes, and the slits through which they are filled.
pub(crate) fn mailboxes(count: usize) -> (Vec<Sender<Event>>, Vec<Mailbox>) {
    let boxes = (0..count).map(|_| {
        let (sender, receiver) = bounded(MAILBOX_MESSAGES_MAX);
        (sender, Mailbox { receiver, taken_in: RefCell::default() })
    });
    boxes.unzip()
}

/// Tells all these that a processor is gone. Who does not read its mail any more need not know.
pub(crate) fn announce_death(senders: &[Sender<Event>], id: ProcessorId) {
    for sender in senders {
        let _ = sender.send_timeout(Event::Died(id), Duration::from_secs(1));
    }
}

impl Mailbox {
    /// Puts an event into another one's mailbox. While that is full its own mail is taken in, and `meanwhile` is done.
    pub(crate) fn send(&self, to: &Sender<Event>, mut event: Event, meanwhile: impl Fn()) {
        loop {
            match to.try_send(event) {
                // A thread that is gone needs no mail.
                Ok(()) | Err(TrySendError::Disconnected(_)) => return,
                Err(TrySendError::Full(back)) => event = back,
            }
            self.take_in();
            meanwhile();
            thread::yield_now();
        }
    }

    /// Makes room for those who send.
    pub(crate) fn take_in(&self) {
        self.taken_in.borrow_mut().extend(self.receiver.try_iter());
    }

    /// The next event that has arrived, if there is one.
    pub(crate) fn next(&self) -> Option<Event> {
        let taken_in = self.taken_in.borrow_mut().pop_front();
        // To try to receive takes a fence, which costs a searching thread more than all else at a look.
        taken_in.or_else(|| if self.receiver.is_empty() { None } else { self.receiver.try_recv().ok() })
    }

    /// Sleeps until something has arrived, or this time has come.
    pub(crate) fn wait(&self, deadline: Option<Instant>) {
        if !self.taken_in.borrow().is_empty() {
            return;
        }
        // Most answers come soon, and it takes longer to be woken than to wait for them.
        let began = Instant::now();
        while self.receiver.is_empty() && began.elapsed() < AWAKE_MAX {
            if deadline.is_some_and(|deadline| deadline <= Instant::now()) {
                return;
            }
            thread::yield_now();
        }
        let event = match deadline {
            Some(deadline) => self.receiver.recv_deadline(deadline).ok(),
            None => self.receiver.recv().ok(),
        };
        self.taken_in.borrow_mut().extend(event);
    }

    /// Whether there is nothing to read.
    #[cfg(feature = "mpi")]
    pub(crate) fn is_empty(&self) -> bool {
        self.taken_in.borrow().is_empty() && self.receiver.is_empty()
    }
}
