//! Compiled code and all that it points to.

use cranelift_jit::JITModule;
use game::Colour;

use super::{FaultSite, Goal, Listing, Tables, TrackedTest};
use crate::blocks::BlockCode;
use crate::layout::{ContextLayout, Layout};

/// The code for one mover.
pub(crate) struct Half {
    /// Owns the memory of the machine code.
    pub(crate) module: Option<JITModule>,
    /// Owns the tables that the machine code reads.
    pub(crate) tables: Tables,
    /// The pieces of the opponent, by their codes.
    pub(crate) opponents: u128,
    /// Records of tests that are invalid before moves are generated, by their first words.
    pub(crate) test_records: Vec<usize>,
    /// Where to begin for each goal.
    pub(crate) entries: Vec<(Goal, *const u8)>,
    /// Code that counts lines of play block by block.
    pub(crate) blocks: Option<BlockCode>,
    /// Whether lines of play can be counted without leaving the code.
    pub(crate) walks: bool,
    /// Whether it is worth while to pick a move by its number instead of making a list.
    pub(crate) picks: bool,
    /// Goals whose results cannot be the same.
    pub(crate) different: Vec<Goal>,
    /// The test that tells who is threatened, where its questions are recorded.
    pub(crate) watched: Option<TrackedTest>,
    pub(crate) faults: Vec<FaultSite>,
    pub(crate) is_recursive: bool,
    /// What all functions together keep on the stack.
    pub(crate) stack_bytes: usize,
    pub(crate) listing: Vec<Listing>,
}

// SAFETY: the raw pointers point to machine code and constant tables that the half owns and that do not change any
// more; whichever thread has it may drop it.
unsafe impl Send for Half {}

impl Drop for Half {
    fn drop(&mut self) {
        if let Some(module) = self.module.take() {
            // SAFETY: the function pointers of this code are private to the game that owns it and are only
            // called through it, so nothing runs or can run in this memory any more.
            unsafe { module.free_memory() };
        }
    }
}

/// The code for both movers; for a puzzle, there is one.
pub(crate) struct Code {
    halves: Vec<Half>,
    pub(crate) layout: Layout,
    pub(crate) context: ContextLayout,
    /// Whether positions have many results: bits of the filter are then cleared one by one.
    pub(crate) many_results: bool,
    walks: bool,
    /// Whether code that counts lines of play marks results in the filter, because some can be the same.
    pub(crate) marks_results: bool,
    is_recursive: bool,
    stack_bytes: usize,
}

impl Code {
    pub(crate) fn new(halves: Vec<Half>, layout: Layout, context: ContextLayout, many_results: bool) -> Code {
        let may_coincide =
            |half: &Half| half.entries.iter().any(|(goal, _)| goal.walks() && !half.different.contains(goal));
        Code {
            walks: halves.iter().all(|half| half.walks),
            marks_results: halves.iter().any(may_coincide),
            is_recursive: halves.iter().any(|half| half.is_recursive),
            stack_bytes: halves.iter().map(|half| half.stack_bytes).sum(),
            halves,
            layout,
            context,
            many_results,
        }
    }

    pub(crate) fn of(&self, mover: Colour) -> &Half {
        self.halves.get(mover.index()).unwrap_or(&self.halves[0])
    }

    /// Where to begin.
    ///
    /// # Panics
    /// If it was not compiled for this.
    #[inline]
    pub(crate) fn entry(&self, goal: Goal, mover: Colour) -> *const u8 {
        let found = self.of(mover).entries.iter().find(|(own, _)| *own == goal);
        found.expect("code is compiled for its purpose").1
    }

    /// Where to begin for both movers.
    pub(crate) fn both(&self, goal: Goal) -> [*const u8; 2] {
        Colour::BOTH.map(|mover| self.entry(goal, mover))
    }

    /// Whether no two results for a goal can be the same.
    #[inline]
    pub(crate) fn differ(&self, goal: Goal, mover: Colour) -> bool {
        self.of(mover).different.contains(&goal)
    }

    /// Whether lines of play can be counted without leaving the code.
    pub(crate) fn walks(&self) -> bool {
        self.walks
    }

    /// What all functions together keep on the stack.
    pub(crate) fn stack_bytes(&self) -> usize {
        self.stack_bytes
    }

    pub(crate) fn is_recursive(&self) -> bool {
        self.is_recursive
    }

    pub(crate) fn take_listing(&mut self) -> Vec<Listing> {
        self.halves.iter_mut().flat_map(|half| std::mem::take(&mut half.listing)).collect()
    }
}
