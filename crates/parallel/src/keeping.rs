//! Searches of a cluster work in memory that the processes of a host share, but what is saved is the table of one
//! process. So who saves asks first, from any thread, that what the host knows is put into that table; a thread of
//! its own does it, since the search may be in one iteration for hours.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use fabric::threads;

/// Where it is asked for. There is one search of a cluster at a time in a process.
#[cfg(feature = "mpi")]
static DESK: Desk = Desk::new();

struct Desk {
    orders: Mutex<Orders>,
    changed: Condvar,
}

struct Orders {
    /// Whether a thread does it.
    is_served: bool,
    /// Whether the search is over.
    is_closed: bool,
    asked: u64,
    done: u64,
}

/// Closes the desk when the search is over, or panics.
struct Closing<'desk>(&'desk Desk);

impl Drop for Closing<'_> {
    fn drop(&mut self) {
        self.0.lock().is_closed = true;
        self.0.changed.notify_all();
    }
}

impl Desk {
    const fn new() -> Desk {
        let orders = Orders { is_served: false, is_closed: true, asked: 0, done: 0 };
        Desk { orders: Mutex::new(orders), changed: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, Orders> {
        // Numbers and flags are whole at any moment.
        self.orders.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn sleep<'orders>(&self, orders: MutexGuard<'orders, Orders>) -> MutexGuard<'orders, Orders> {
        self.changed.wait(orders).unwrap_or_else(PoisonError::into_inner)
    }

    fn serve(&self, keep: &dyn Fn()) {
        let mut orders = self.lock();
        orders.is_served = true;
        while !orders.is_closed {
            if orders.asked == orders.done {
                orders = self.sleep(orders);
                continue;
            }
            let asked = orders.asked;
            drop(orders);
            keep();
            orders = self.lock();
            orders.done = asked;
            self.changed.notify_all();
        }
        orders.is_served = false;
        self.changed.notify_all();
    }

    fn ask(&self) {
        let mut orders = self.lock();
        orders.asked += 1;
        let own = orders.asked;
        self.changed.notify_all();
        // After the search everything is in its place.
        while orders.is_served && !orders.is_closed && orders.done < own {
            orders = self.sleep(orders);
        }
    }

    fn while_open<R>(&self, keep: &(dyn Fn() + Sync), work: impl FnOnce() -> R) -> R {
        {
            let mut orders = self.lock();
            // What was asked between two searches is met.
            (orders.is_closed, orders.done) = (false, orders.asked);
        }
        let closing = Closing(self);
        threads::beside(
            "keeper",
            || self.serve(keep),
            move || {
                let _closing = closing;
                work()
            },
        )
    }
}

/// Does some work; who [asks](ask) meanwhile has this done beside it.
#[cfg(feature = "mpi")]
pub(crate) fn while_asked<R>(keep: &(dyn Fn() + Sync), work: impl FnOnce() -> R) -> R {
    DESK.while_open(keep, work)
}

/// Returns when what the search under way has found out so far is where it is saved; at once if there is none.
#[cfg(feature = "mpi")]
pub(crate) fn ask() {
    DESK.ask();
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;

    #[test]
    fn who_asks_during_the_work_is_served_and_nobody_waits_after_it() {
        let desk = Desk::new();
        desk.ask();
        for _ in 0..3 {
            let kept = AtomicU64::new(0);
            let keep = || {
                kept.fetch_add(1, Ordering::Relaxed);
            };
            desk.while_open(&keep, || {
                while !desk.lock().is_served {
                    std::thread::yield_now();
                }
                desk.ask();
                assert_eq!(kept.load(Ordering::Relaxed), 1);
                desk.ask();
                assert_eq!(kept.load(Ordering::Relaxed), 2);
            });
            desk.ask();
            assert_eq!(kept.load(Ordering::Relaxed), 2);
        }
    }

    #[test]
    fn work_that_panics_leaves_nobody_waiting() {
        let desk = Desk::new();
        let work = || desk.while_open(&|| (), || panic!("this panic is part of a test"));
        assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(work)).is_err());
        desk.ask();
    }
}
