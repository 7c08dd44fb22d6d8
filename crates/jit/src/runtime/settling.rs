//! Calls of code that settles what the last moves of a game are worth. Its contexts are made once for a game and a
//! thread; the code calls no helpers, so that they belong to no [`super::Call`].

use super::FUEL;
use super::stack::on_enough_stack;
use crate::compile::{Code, SETTLED_SHIFT};
use crate::layout::slot;

/// Lines that are followed are no longer than this.
const PLIES_MAX: usize = 40;

/// Lines that keep no more than this on the stack run on any stack.
const STACK_UNCHECKED: usize = 256 * 1024;

/// Words in front of the contexts: nodes that are left, and where contexts end.
const LIMITS: usize = 8;

/// The contexts of a game, one for each ply.
#[derive(Default)]
pub(crate) struct Settling {
    owner: u64,
    words: Vec<u64>,
}

impl Settling {
    /// Makes the contexts this game's.
    pub(crate) fn become_of(&mut self, owner: u64, code: &Code) {
        if self.owner == owner {
            return;
        }
        let stride = code.context.stride();
        self.words = vec![0; words_of(code)];
        let limits = self.words.as_mut_ptr() as u64;
        self.words[1] = limits + 8 * (LIMITS + PLIES_MAX * stride) as u64;
        let entries = code.settling_entries();
        for context in self.words[LIMITS..].chunks_exact_mut(stride) {
            context[slot::FUEL / 8] = FUEL as u64;
            context[slot::TOTALS / 8] = limits;
            for mover in 0..2 {
                context[slot::WALK / 8 + mover] = entries[mover] as u64;
            }
        }
        self.owner = owner;
    }

    /// The code has given up somewhere: no rule is being followed any more.
    pub(crate) fn recover(&mut self, code: &Code) {
        for context in self.words[LIMITS..].chunks_exact_mut(code.context.stride()) {
            context[slot::DEPTH / 8] = 0;
        }
    }

    /// Asks whether a position is worth so much. Returns what the code returns, and the nodes that are left. The
    /// position is as it was afterwards, unless the code gives up.
    pub(crate) fn run(
        &mut self,
        code: &Code,
        function: *const u8,
        image: &mut [u64],
        at_least: i64,
        nodes_max: i64,
    ) -> (i64, i64) {
        let stride = code.context.stride();
        assert!(self.words.len() == words_of(code) && image.len() >= code.layout.words);
        assert!(code.walks());
        self.words[0] = nodes_max as u64;
        self.words[LIMITS + slot::REVERSIBLE / 8] = 0;
        // SAFETY: `function` is compiled code of `code` with this signature; see the module's invariants.
        let entry: unsafe extern "C" fn(*mut u64, *mut u64, i64) -> i64 =
            unsafe { std::mem::transmute(function) };
        let words = &mut self.words;
        // SAFETY: contexts and image have the sizes that the code was compiled for (asserted above): each ply uses
        // the context behind the one before, and the code gives up as soon as it comes to the last one.
        let mut call = |limit: u64| unsafe {
            if code.needs_stack() {
                for context in words[LIMITS..].chunks_exact_mut(stride) {
                    context[slot::STACK_LIMIT / 8] = limit;
                }
            }
            entry(words.as_mut_ptr().add(LIMITS), image.as_mut_ptr(), at_least)
        };
        let frames = code.stack_bytes() * PLIES_MAX;
        let returned = match code.needs_stack() || frames > STACK_UNCHECKED {
            // Every ply has its own frames.
            true => on_enough_stack(frames, call),
            false => call(0),
        };
        (returned, self.words[0] as i64)
    }
}

/// The limits, a context for each ply, and one behind them in which the code sees that it is too deep.
fn words_of(code: &Code) -> usize {
    LIMITS + (PLIES_MAX + 1) * code.context.stride()
}

/// The worth that the code has returned; `None` if it has given up.
pub(crate) fn worth_of(returned: i64) -> Option<i64> {
    (returned & ((1 << SETTLED_SHIFT) - 1) == 0).then_some(returned >> SETTLED_SHIFT)
}
