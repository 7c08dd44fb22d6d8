//! What waits to be sent to other processes. Messages to one process that are sent in one burst are combined into a
//! parcel.

use std::collections::VecDeque;
use std::mem;
use std::time::Duration;

use super::frames::Frame;

/// A parcel of this size is sent at once. More per parcel gains little, and larger ones take the slow road of some
/// networks.
const PARCEL_BYTES_FULL: usize = 3 << 10;
/// Bytes that wait for one process before senders have to. A longer message is taken if nothing else waits.
const OUTBOX_BYTES_MAX: usize = 1 << 20;
/// The longest time for which a parcel waits for more, if a thread looks.
pub(super) const HELD_MAX: Duration = Duration::from_micros(5);
/// Buffers that are kept to be filled again, and the largest of them.
const SPARE_BUFFERS_MAX: usize = 64;
const SPARE_BYTES_MAX: usize = 64 << 10;

/// How a frame was taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Taken {
    /// It begins a parcel, which waits for more.
    First,
    /// It was added to a parcel that waits already.
    Added,
    /// The parcel is full and can go.
    Full,
}

/// One parcel in the making for each process.
pub(super) struct Outboxes {
    parcels: Vec<Parcel>,
    /// The processes for which something waits, longest first.
    waiting: VecDeque<usize>,
    spare: Vec<Vec<u8>>,
}

#[derive(Default)]
struct Parcel {
    bytes: Vec<u8>,
    since: Duration,
}

impl Outboxes {
    pub(super) fn new(processes: usize) -> Self {
        let parcels = (0..processes).map(|_| Parcel::default()).collect();
        Self { parcels, waiting: VecDeque::new(), spare: Vec::new() }
    }

    /// Whether nothing waits.
    pub(super) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Takes a frame for a process; `None` if too much waits already.
    pub(super) fn add(&mut self, process: usize, frame: Frame<'_>, now: Duration) -> Option<Taken> {
        let parcel = &mut self.parcels[process];
        let first = parcel.bytes.is_empty();
        if !first && parcel.bytes.len() + frame.size() > OUTBOX_BYTES_MAX {
            return None;
        }
        if first {
            parcel.since = now;
            self.waiting.push_back(process);
        }
        frame.write(&mut parcel.bytes);
        Some(match parcel.bytes.len() {
            PARCEL_BYTES_FULL.. => Taken::Full,
            _ if first => Taken::First,
            _ => Taken::Added,
        })
    }

    /// Gives away the parcels that have waited long enough (all of them if there is a `hurry`) and whose process is
    /// `ready`. At most one for each process.
    pub(super) fn ripe(
        &mut self,
        now: Duration,
        hurry: bool,
        ready: impl Fn(usize) -> bool,
    ) -> Vec<(usize, Vec<u8>)> {
        let Self { parcels, waiting, spare } = self;
        let mut ripe = Vec::new();
        waiting.retain(|&process| {
            let parcel = &mut parcels[process];
            let may_go = hurry || parcel.bytes.len() >= PARCEL_BYTES_FULL || now >= parcel.since + HELD_MAX;
            if !may_go || !ready(process) {
                return true;
            }
            ripe.push((process, mem::replace(&mut parcel.bytes, spare.pop().unwrap_or_default())));
            false
        });
        ripe
    }

    /// Takes a buffer back that has been sent.
    pub(super) fn recycle(&mut self, mut buffer: Vec<u8>) {
        if self.spare.len() < SPARE_BUFFERS_MAX && buffer.capacity() <= SPARE_BYTES_MAX {
            buffer.clear();
            self.spare.push(buffer);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LATER: Duration = HELD_MAX;

    fn message(bytes: &[u8]) -> Frame<'_> {
        Frame::Message { to: 0, from: 0, bytes }
    }

    fn sent(boxes: &mut Outboxes, now: Duration, hurry: bool) -> Vec<(usize, usize)> {
        let ripe = boxes.ripe(now, hurry, |process| process != 3);
        ripe.iter().map(|(process, parcel)| (*process, parcel.len())).collect()
    }

    #[test]
    fn small_messages_wait_a_little_and_go_together() {
        let mut boxes = Outboxes::new(4);
        assert_eq!(boxes.add(2, message(b"one"), Duration::ZERO), Some(Taken::First));
        assert_eq!(boxes.add(2, message(b"three"), Duration::ZERO), Some(Taken::Added));
        assert_eq!(boxes.add(1, message(b""), Duration::from_nanos(1)), Some(Taken::First));
        assert_eq!(sent(&mut boxes, Duration::ZERO, false), []);
        assert_eq!(sent(&mut boxes, LATER, false), [(2, 24)]);
        assert_eq!(sent(&mut boxes, LATER, true), [(1, 8)]);
        assert!(boxes.is_empty());
    }

    #[test]
    fn a_process_that_is_not_ready_lets_parcels_grow_up_to_a_bound() {
        let mut boxes = Outboxes::new(4);
        let half = vec![0; OUTBOX_BYTES_MAX / 2];
        assert_eq!(boxes.add(3, message(&half), Duration::ZERO), Some(Taken::Full));
        assert_eq!(sent(&mut boxes, LATER, true), []);
        assert_eq!(boxes.add(3, message(&half), LATER), None);
        assert!(!boxes.is_empty());
    }

    #[test]
    fn a_message_longer_than_the_bound_goes_alone() {
        let mut boxes = Outboxes::new(4);
        let long = vec![0; 2 * OUTBOX_BYTES_MAX];
        assert_eq!(boxes.add(0, message(&long), Duration::ZERO), Some(Taken::Full));
        assert_eq!(sent(&mut boxes, Duration::ZERO, false), [(0, long.len() + 8)]);
    }
}
