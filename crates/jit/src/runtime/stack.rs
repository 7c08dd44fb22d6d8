//! Stack for compiled code: enough of it, and with a limit that the code knows.

use crate::compile::Code;

/// Stack that rules that call themselves may use.
const STACK_BYTES: usize = 64 * 1024 * 1024;
const STACK_RESERVE: usize = 256 * 1024;
const STACK_WANTED: usize = 2 * 1024 * 1024;
/// Code that keeps no more than this on the stack and does not call itself runs on any stack.
const STACK_UNCHECKED: usize = 32 * 1024;

impl Code {
    /// Whether it may use so much stack that it has to be looked after.
    pub(crate) fn needs_stack(&self) -> bool {
        self.is_recursive() || self.stack_bytes() > STACK_UNCHECKED
    }
}

/// Runs code with a known limit of its stack; on a fresh stack if little is left. `frames`: what all functions
/// together keep there, so that none of them gets over the limit before it looks.
#[inline]
pub(super) fn on_enough_stack(frames: usize, call: impl FnOnce(u64) -> i64) -> i64 {
    match game::stack::remaining().or_else(stacker::remaining_stack) {
        Some(remaining) if remaining > STACK_WANTED + 2 * frames => call(stack_limit(frames, remaining)),
        _ => on_fresh_stack(frames, call),
    }
}

pub(super) fn on_fresh_stack(frames: usize, call: impl FnOnce(u64) -> i64) -> i64 {
    stacker::grow(STACK_BYTES + 2 * frames, || {
        game::stack::on_known_stack(|| {
            let remaining = stacker::remaining_stack().unwrap_or(STACK_BYTES + frames - STACK_RESERVE);
            call(stack_limit(frames, remaining))
        })
    })
}

fn stack_limit(frames: usize, remaining: usize) -> u64 {
    let here = std::ptr::from_ref(&remaining) as usize;
    (here - remaining + STACK_RESERVE + frames) as u64
}
