//! Where states go: home, many in a message.

use fabric::{Processor, ProcessorId};

use super::protocol::{HEAD, head};
use super::record;

/// With more processors than this, states travel in two hops: along a row of a square of processors, then along a
/// column. A processor then has messages for some sixty others to fill and not for a thousand.
const DIRECT_MAX: usize = 256;

/// The home of a state.
pub(super) fn home(signature: u64, processors: usize) -> ProcessorId {
    ProcessorId(((signature & 0xffff_ffff) * processors as u64 >> 32) as u32)
}

/// States that wait to be sent.
pub(super) struct Post<'run> {
    here: &'run dyn Processor,
    processors: usize,
    /// Processors of a row, if states travel in two hops.
    row: Option<u32>,
    /// By processor: a message that is being filled.
    waiting: Vec<Vec<u8>>,
    /// Whose messages are not empty.
    begun: Vec<ProcessorId>,
    /// States that make a message full.
    batch: usize,
    full_bytes: usize,
    head: [u8; HEAD],
    pub(super) sent: u64,
    pub(super) received: u64,
    /// Bytes of all messages with states.
    pub(super) bytes: u64,
}

impl<'run> Post<'run> {
    pub(super) fn new(here: &'run dyn Processor, batch: usize) -> Post<'run> {
        let processors = here.processors();
        Post {
            here,
            processors,
            row: (processors > DIRECT_MAX).then(|| (processors as f64).sqrt().ceil() as u32),
            waiting: vec![Vec::new(); processors],
            begun: Vec::new(),
            batch: batch.max(1),
            full_bytes: 0,
            head: head(0, 0),
            sent: 0,
            received: 0,
            bytes: 0,
        }
    }

    /// A new iteration. Nothing waits any more.
    pub(super) fn begin(&mut self, iteration: u32, limit: u32, record_bytes: usize) {
        for to in self.begun.drain(..) {
            self.waiting[to.index()].clear();
        }
        self.head = head(iteration, limit);
        self.full_bytes = HEAD + self.batch * record_bytes;
    }

    /// The processor that a state is sent to: its home, or one on the way. `None` if this is its home.
    pub(super) fn next_hop(&self, signature: u64) -> Option<ProcessorId> {
        let (to, id) = (home(signature, self.processors), self.here.id());
        if to == id {
            return None;
        }
        let Some(row) = self.row else { return Some(to) };
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

    /// Passes a record on if this is not its home.
    pub(super) fn forwards(&mut self, record: &[u8]) -> bool {
        let hop = self.next_hop(record::signature(record));
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

    /// Sends a message with states.
    pub(super) fn send(&mut self, to: ProcessorId, message: Vec<u8>) {
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
