//! How many searches run at once. A job that comes later waits in order, its owner is told so, and it may be taken
//! back.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How often a job that waits looks whether it is still wanted.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// Room for so many searches.
pub(crate) struct Pool {
    most: usize,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    running: usize,
    next_ticket: u64,
    queue: VecDeque<u64>,
}

/// The right to search; given back when dropped.
pub(crate) struct Permit<'pool>(&'pool Pool);

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        self.0.state().running -= 1;
        self.0.changed.notify_all();
    }
}

impl Pool {
    pub(crate) fn new(most: usize) -> Pool {
        Pool { most: most.max(1), state: Mutex::default(), changed: Condvar::new() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for room; `None` if `given_up` says so first. `waits` hears how many are before.
    pub(crate) fn enter(
        &self,
        given_up: &dyn Fn() -> bool,
        waits: &mut dyn FnMut(usize),
    ) -> Option<Permit<'_>> {
        let mut state = self.state();
        let ticket = state.next_ticket;
        state.next_ticket += 1;
        state.queue.push_back(ticket);
        let mut told = None;
        loop {
            let before = state.queue.iter().take_while(|other| **other != ticket).count();
            if state.running + before < self.most {
                state.queue.retain(|other| *other != ticket);
                state.running += 1;
                return Some(Permit(self));
            }
            if given_up() {
                state.queue.retain(|other| *other != ticket);
                return None;
            }
            if told != Some(before) {
                told = Some(before);
                waits(before);
            }
            state = self.changed.wait_timeout(state, LOOK_EVERY).unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn no_more_than_allowed_run_at_once_and_all_have_their_turn() {
        let (pool, now, most, waited) =
            (Pool::new(2), AtomicUsize::new(0), AtomicUsize::new(0), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    let mut waits = |_| {
                        waited.fetch_add(1, Ordering::SeqCst);
                    };
                    let permit = pool.enter(&|| false, &mut waits);
                    most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                    std::thread::sleep(Duration::from_millis(20));
                    now.fetch_sub(1, Ordering::SeqCst);
                    drop(permit);
                });
            }
        });
        assert_eq!((most.into_inner(), pool.state().running), (2, 0));
        assert!(waited.into_inner() > 0);
    }

    #[test]
    fn who_gives_up_leaves_no_gap() {
        let pool = Pool::new(1);
        let first = pool.enter(&|| false, &mut |_| {});
        assert!(pool.enter(&|| true, &mut |_| {}).is_none());
        drop(first);
        assert!(pool.enter(&|| false, &mut |_| {}).is_some());
    }
}
