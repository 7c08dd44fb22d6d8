//! Where states go: home, many in a message.

use fabric::{Processor, ProcessorId};

use super::protocol::{Aim, HEAD, head};
use super::space::Space;

/// With so many processors and more, states may travel in two hops: along a row of a square of processors, then along
/// a column. A processor then has messages for some twenty of 128 others to fill, or for sixty of a thousand.
const SQUARE_MIN: usize = 17;

/// With more than this they do so from the beginning; otherwise when messages turn out to be nearly empty.
const DIRECT_MAX: usize = 256;

/// Messages after which a processor looks whether two hops pay.
const MESSAGES_TO_LEARN: u64 = 64;

/// Messages are nearly empty with less than this part of what they hold.
const NEARLY_EMPTY: f64 = 0.125;

/// Where states live.
#[derive(Clone, Copy)]
pub(super) struct Address<'run> {
    space: &'run dyn Space,
    processors: usize,
    keeps_kin: bool,
}

impl<'run> Address<'run> {
    pub(super) fn new(space: &'run dyn Space, processors: usize, keeps_kin: bool) -> Address<'run> {
        Address { space, processors, keeps_kin }
    }

    /// The home of a state: its kin's, or one by its signature.
    pub(super) fn home(&self, state: &[u8], signature: u64) -> ProcessorId {
        let kin = if self.keeps_kin { self.space.kin(state) } else { None };
        home(kin.unwrap_or(signature), self.processors)
    }
}

/// The home of a signature.
pub(super) fn home(signature: u64, processors: usize) -> ProcessorId {
    ProcessorId((((signature & 0xffff_ffff) * processors as u64) >> 32) as u32)
}

/// States that wait to be sent.
pub(super) struct Post<'run> {
    here: &'run dyn Processor,
    processors: usize,
    /// Processors of a row of the square.
    row: u32,
    /// Whether states travel in two hops. Others may do otherwise: every holder of a state knows where it has to go.
    hops: bool,
    /// Messages and states that were sent of late.
    recent: (u64, u64),
    /// By processor: a message that is being filled.
    waiting: Vec<Vec<u8>>,
    /// Whose messages are not empty.
    begun: Vec<ProcessorId>,
    /// States that make a message full; and those that do as long as there is no hurry.
    batch: usize,
    batch_most: usize,
    is_patient: bool,
    record_bytes: usize,
    full_bytes: usize,
    head: [u8; HEAD],
    pub(super) sent: u64,
    pub(super) received: u64,
    /// Bytes of all messages with states.
    pub(super) bytes: u64,
}

impl<'run> Post<'run> {
    pub(super) fn new(here: &'run dyn Processor, batch: usize, batch_most: usize) -> Post<'run> {
        let processors = here.processors();
        Post {
            here,
            processors,
            row: (processors as f64).sqrt().ceil() as u32,
            hops: processors > DIRECT_MAX,
            recent: (0, 0),
            waiting: vec![Vec::new(); processors],
            begun: Vec::new(),
            batch: batch.max(1),
            batch_most: batch_most.max(batch).max(1),
            is_patient: false,
            record_bytes: 1,
            full_bytes: 0,
            head: head(0, Aim::default()),
            sent: 0,
            received: 0,
            bytes: 0,
        }
    }

    /// A new iteration. Nothing waits any more.
    pub(super) fn begin(&mut self, iteration: u32, aim: Aim, record_bytes: usize) {
        for to in self.begun.drain(..) {
            self.waiting[to.index()].clear();
        }
        self.head = head(iteration, aim);
        self.record_bytes = record_bytes.max(1);
        self.set_patience(false);
    }

    /// Whether messages may wait until they are fuller, because no other is short of work.
    pub(super) fn be_patient(&mut self, is_patient: bool) {
        if self.is_patient != is_patient {
            self.set_patience(is_patient);
        }
    }

    fn set_patience(&mut self, is_patient: bool) {
        self.is_patient = is_patient;
        let batch = if is_patient { self.batch_most } else { self.batch };
        self.full_bytes = HEAD + batch * self.record_bytes;
    }

    /// The processor that a state for this one is sent to: that one, or one on the way. `None` if it is this one.
    pub(super) fn next_hop(&self, to: ProcessorId) -> Option<ProcessorId> {
        let id = self.here.id();
        if to == id {
            return None;
        }
        if !self.hops {
            return Some(to);
        }
        let row = self.row;
        let ((from_row, from_column), (to_row, to_column)) =
            ((id.0 / row, id.0 % row), (to.0 / row, to.0 % row));
        if from_row == to_row || from_column == to_column {
            return Some(to);
        }
        // The last row may be shorter than the others.
        let corner = from_row * row + to_column;
        Some(ProcessorId(if (corner as usize) < self.processors {
            corner
        } else {
            to_row * row + from_column
        }))
    }

    /// Puts a record into the message for this processor, and sends it if it is full.
    pub(super) fn put(&mut self, to: ProcessorId, write: impl FnOnce(&mut Vec<u8>)) {
        let message = &mut self.waiting[to.index()];
        if message.is_empty() {
            message.reserve(self.full_bytes);
            message.extend_from_slice(&self.head);
            self.begun.push(to);
        }
        write(message);
        if message.len() >= self.full_bytes {
            let message = std::mem::take(message);
            if let Some(place) = self.begun.iter().rposition(|&other| other == to) {
                self.begun.swap_remove(place);
            }
            self.send(to, message);
        }
    }

    /// Passes a record on if it is not for this processor.
    pub(super) fn forwards(&mut self, to: ProcessorId, record: &[u8]) -> bool {
        let hop = self.next_hop(to);
        if let Some(hop) = hop {
            self.put(hop, |message| message.extend_from_slice(record));
        }
        hop.is_some()
    }

    /// Sends all that waits.
    pub(super) fn flush(&mut self) {
        for to in std::mem::take(&mut self.begun) {
            let message = std::mem::take(&mut self.waiting[to.index()]);
            self.send(to, message);
        }
    }

    /// Decides whether states travel in two hops: more states then share a message, but each is packed twice.
    fn learn(&mut self, states: u64) {
        self.recent = (self.recent.0 + 1, self.recent.1 + states);
        let (messages, states) = self.recent;
        if messages < MESSAGES_TO_LEARN || self.processors < SQUARE_MIN {
            return;
        }
        self.recent = (0, 0);
        // What a message would hold if states went straight home.
        let partners = if self.hops { 2.0 * f64::from(self.row) / self.processors as f64 } else { 1.0 };
        let filled = states as f64 / messages as f64 / self.batch as f64 * partners;
        self.hops = filled < NEARLY_EMPTY;
    }

    /// Sends a message with states.
    pub(super) fn send(&mut self, to: ProcessorId, message: Vec<u8>) {
        self.learn((message.len().saturating_sub(HEAD) / self.record_bytes) as u64);
        self.sent += 1;
        self.bytes += message.len() as u64;
        self.here.send(to, message);
    }

    /// The beginning of a message with states of this iteration.
    pub(super) fn head(&self) -> [u8; HEAD] {
        self.head
    }

    pub(super) fn is_empty(&self) -> bool {
        self.begun.is_empty()
    }
}
