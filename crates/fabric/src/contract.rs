//! What a processor can do.

use std::fmt;
use std::time::Duration;

/// The number of a processor, from 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct ProcessorId(pub u32);

impl ProcessorId {
    /// As an index.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for ProcessorId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, formatter)
    }
}

/// What a processor may hear of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// A processor sent a message. Messages of one sender arrive in the order in which they were sent.
    Message {
        /// Who.
        from: ProcessorId,
        /// What.
        bytes: Vec<u8>,
    },
    /// A processor is gone. Nothing that it sent arrives after this, and what is sent to it is lost.
    Died(ProcessorId),
}

/// One of several processors: what the program that runs on it sees of the machine. Methods are called once a look,
/// not once a node, so programs take it as `&dyn Processor`.
pub trait Processor {
    /// Who am I?
    fn id(&self) -> ProcessorId;

    /// How many are we?
    fn processors(&self) -> usize;

    /// Sends a message and goes on at once. A message to oneself arrives like any other.
    fn send(&self, to: ProcessorId, bytes: Vec<u8>);

    /// The next event that has arrived, if there is one.
    fn poll(&self) -> Option<Event>;

    /// Sleeps until something has arrived, or this time has come.
    fn wait(&self, until: Option<Duration>);

    /// The time since the start of the program.
    fn now(&self) -> Duration;

    /// Says that work was done that takes this long: time passes on virtual processors, and nothing happens on real
    /// ones.
    fn charge(&self, work: Duration);

    /// Begins to read or write so many bytes of another processor's memory, without its program taking notice, and
    /// says when that will be done: `request` bytes travel there, `answer` bytes come back. The memory itself is none
    /// of the fabric's business; a real fabric whose processors share memory answers with the present time.
    fn reach(&self, owner: ProcessorId, request: usize, answer: usize) -> Duration {
        let _ = (owner, request, answer);
        self.now()
    }

    /// Lets time pass until then, whatever arrives.
    fn pass(&self, until: Duration) {
        while self.now() < until {
            std::thread::yield_now();
        }
    }

    /// The processors nearest to this one; all others where no two are nearer than others.
    fn neighbours(&self) -> Vec<ProcessorId> {
        let all = 0..self.processors() as u32;
        all.map(ProcessorId).filter(|&other| other != self.id()).collect()
    }

    /// Waits for the next event.
    fn receive(&self) -> Event {
        loop {
            if let Some(event) = self.poll() {
                return event;
            }
            self.wait(None);
        }
    }
}
