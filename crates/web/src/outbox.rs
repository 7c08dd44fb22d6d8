//! The way to a front end. A front end that reads too slowly is let go: no other waits for it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::sync::Notify;
use tokio::sync::mpsc::{self, Receiver, Sender};

/// Messages that wait for a reader at most.
const WAITING_MAX: usize = 256;

static NEXT: AtomicU64 = AtomicU64::new(1);

/// Messages to one connection.
#[derive(Clone, Debug)]
pub(crate) struct Outbox {
    /// Which connection.
    pub(crate) id: u64,
    sender: Sender<String>,
    too_slow: Arc<Notify>,
}

impl Outbox {
    /// The two ends, and what says that the reader is too slow.
    pub(crate) fn new() -> (Outbox, Receiver<String>, Arc<Notify>) {
        let (sender, receiver) = mpsc::channel(WAITING_MAX);
        let too_slow = Arc::new(Notify::new());
        let id = NEXT.fetch_add(1, Ordering::Relaxed);
        (Outbox { id, sender, too_slow: Arc::clone(&too_slow) }, receiver, too_slow)
    }

    /// Tells something that must arrive; false if there is no front end any more.
    pub(crate) fn tell(&self, message: String) -> bool {
        match self.sender.try_send(message) {
            Ok(()) => true,
            Err(mpsc::error::TrySendError::Full(_)) => {
                self.too_slow.notify_one();
                false
            }
            Err(mpsc::error::TrySendError::Closed(_)) => false,
        }
    }

    /// Tells something that may be missed: how a search goes.
    pub(crate) fn mention(&self, message: &str) {
        if self.sender.capacity() > WAITING_MAX / 2 {
            let _ = self.sender.try_send(message.to_owned());
        }
    }
}
