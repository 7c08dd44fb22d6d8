//! How much stack there is, for those who run on stacks of their own making. Generators that call themselves look
//! after their stack; on a thread the system tells how much is left, on a coroutine only its maker knows.

use std::cell::Cell;

thread_local! {
    /// The lowest address of the stack that is in use; `None` for that of the thread.
    static LIMIT: Cell<Option<usize>> = const { Cell::new(None) };
}

/// Says on which stack this thread runs from now on: the lowest address that may be used, or `None` for the thread's
/// own.
pub fn set_limit(limit: Option<usize>) {
    LIMIT.set(limit);
}

/// Works on a stack whose end the system knows.
pub fn on_known_stack<R>(work: impl FnOnce() -> R) -> R {
    let outer = LIMIT.replace(None);
    let result = work();
    LIMIT.set(outer);
    result
}

/// Bytes that are left on the present stack, if it is not the thread's own.
#[must_use]
#[inline(never)] // so that its own frame is the last one
pub fn remaining() -> Option<usize> {
    let here = 0_u8;
    LIMIT.get().map(|limit| (std::ptr::from_ref(&here) as usize).saturating_sub(limit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_is_the_distance_to_the_limit() {
        assert_eq!(remaining(), None);
        let here = 0_u8;
        set_limit(Some(std::ptr::from_ref(&here) as usize - (1 << 20)));
        let left = remaining().unwrap();
        assert!(left.abs_diff(1 << 20) < 1 << 14, "{left}");
        set_limit(None);
        assert_eq!(remaining(), None);
    }
}
