//! How compiled code is called ([`Call`]), and what it calls itself ([`helpers`]).
//!
//! Invariants, on which every `SAFETY` comment here rests:
//! - A context is a buffer of `ContextLayout::words` words that belongs to one call at a time; its first words
//!   hold pointers that [`Call`] has set: the lists' ends and the [`Call`] itself, all alive until it returns.
//! - An image is a buffer of at least `Layout::words` words.
//! - Compiled code writes only into the context, between `…_NEXT` and `…_END` of the lists, and on its stack.

mod helpers;
mod results;
mod settling;
mod stack;

use game::moves::MoveHead;
use game::{Change, Colour, GameInfo};

use crate::compile::{Code, FAULT, FaultKind};
use crate::doubles::Doubles;
use crate::layout::{FILTER_BITS, SMALL_FILTER_BITS, slot};
pub(crate) use helpers::{HelperIds, declare, register};
pub(crate) use settling::{Settling, worth_of};
use stack::{on_enough_stack, on_fresh_stack};

/// A status that no compiled code uses: more results than allowed.
pub(crate) const TOO_MANY_RESULTS: i64 = 3;

/// A status that no compiled code uses: the positions after all moves take too much memory.
pub(crate) const TOO_MUCH_MEMORY: i64 = 4;

/// A status that no compiled code uses: the results are not wanted any more.
pub(crate) const STOPPED: i64 = 6;

/// A status that no compiled code uses: the results change too much together.
pub(crate) const TOO_MANY_CHANGES: i64 = 7;

/// A status: lines of play have to be counted in another way.
pub(crate) const GIVE_UP: i64 = 5;

/// Rounds and calls that one call may take where their number has no other bound. Each of them is at least one
/// statement, so that no rule stops here that the interpreter follows to its end.
pub(crate) const FUEL: i64 = rules::limits::STEPS_MAX as i64;

/// Where doubles are dropped one by one, it is asked after so many of them whether to go on.
const DOUBLES_UNASKED: usize = 1 << 12;

/// One call of compiled code and the buffers that it fills.
pub(crate) struct Call<'call> {
    pub(crate) code: &'call Code,
    pub(crate) info: &'call GameInfo,
    pub(crate) mover: Colour,
    pub(crate) heads: &'call mut Vec<MoveHead>,
    pub(crate) changes: &'call mut Vec<Change>,
    /// Records of `Layout::record` words; where results are counted, one word each.
    pub(crate) children: &'call mut Vec<u64>,
    pub(crate) doubles: Doubles,
}

/// What lines of play add up to; compiled code writes it.
#[repr(C)]
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Totals {
    pub(crate) leaves: u64,
    pub(crate) nodes: u64,
    pub(crate) ended: u64,
}

/// What code that counts lines of play calls for the next ply, by mover.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Callees {
    /// For the last one.
    pub(crate) last: [*const u8; 2],
    /// For all others.
    pub(crate) walk: [*const u8; 2],
}

impl Callees {
    /// For code that goes no further.
    pub(crate) const NONE: Callees = Callees { last: [std::ptr::null(); 2], walk: [std::ptr::null(); 2] };
}

type EntryPoint = unsafe extern "C" fn(*mut u64, *const u64) -> i64;

impl Call<'_> {
    /// Runs compiled code on a position. Returns its status; the lists hold the results.
    #[inline]
    pub(crate) fn run(&mut self, function: *const u8, context: &mut [u64], image: &[u64]) -> i64 {
        let code = self.code;
        assert!(context.len() >= code.context.words && image.len() >= code.layout.words);
        self.prepare(context);
        // SAFETY: `function` is compiled code of `self.code` with this signature; see the module's invariants.
        let entry: EntryPoint = unsafe { std::mem::transmute(function) };
        // SAFETY: context and image have the sizes that the code was compiled for (asserted above).
        let call = |context: &mut [u64], limit: u64| unsafe {
            context[slot::STACK_LIMIT / 8] = limit;
            entry(context.as_mut_ptr(), image.as_ptr())
        };
        let mut status = match code.needs_stack() {
            true => on_enough_stack(code.stack_bytes(), |limit| call(context, limit)),
            false => call(context, 0),
        };
        if status == FAULT && self.lacks_stack(context) {
            // Once more where rules can go as deep as they may.
            context[code.context.filter / 8..].fill(0);
            self.prepare(context);
            status = on_fresh_stack(code.stack_bytes(), |limit| call(context, limit));
        }
        self.collect(context);
        if status == 0 { self.check_results() } else { status }
    }

    /// Counts lines of play; every one of the contexts, `plies` of them one behind the other, is for one ply. The
    /// position is as it was afterwards, unless the code gives up.
    pub(crate) fn walk(
        &mut self,
        function: *const u8,
        callees: Callees,
        contexts: &mut [u64],
        image: &mut [u64],
        plies: usize,
        totals: &mut Totals,
    ) -> i64 {
        let code = self.code;
        let words = code.context.stride();
        assert!(plies > 0 && contexts.len() >= plies * words && image.len() >= code.layout.words);
        assert!(code.walks());
        for context in contexts.chunks_exact_mut(words).take(plies) {
            self.prepare(context);
            context[slot::TOTALS / 8] = std::ptr::from_mut(totals) as u64;
            for mover in 0..2 {
                context[slot::LAST / 8 + mover] = callees.last[mover] as u64;
                context[slot::WALK / 8 + mover] = callees.walk[mover] as u64;
            }
        }
        // SAFETY: `function` is compiled code of `self.code` with this signature; see the module's invariants.
        let entry: unsafe extern "C" fn(*mut u64, *mut u64, i64) -> i64 =
            unsafe { std::mem::transmute(function) };
        // SAFETY: contexts and image have the sizes that the code was compiled for (asserted above): each ply uses
        // the context behind the one before, and there are as many as it goes deep.
        let mut call = |limit: u64| unsafe {
            for context in contexts.chunks_exact_mut(words).take(plies) {
                context[slot::STACK_LIMIT / 8] = limit;
            }
            entry(contexts.as_mut_ptr(), image.as_mut_ptr(), plies as i64)
        };
        let status = match code.needs_stack() {
            // Every ply has its own frames.
            true => on_enough_stack(code.stack_bytes() * plies, call),
            false => call(0),
        };
        if !code.marks_results {
            return status;
        }
        for context in contexts.chunks_exact_mut(words).take(plies) {
            let bits = if status == 0 && !code.many_results { SMALL_FILTER_BITS } else { FILTER_BITS };
            if status != 0 || !code.many_results {
                context[code.context.filter / 8..][..bits / 64].fill(0);
            }
        }
        status
    }

    /// Plays the result with a number in the position, if there is one. The context must have been used for this
    /// position by [`Call::walk`] before.
    pub(crate) fn pick(
        &mut self,
        function: *const u8,
        context: &mut [u64],
        image: &mut [u64],
        wanted: i64,
    ) -> i64 {
        let code = self.code;
        assert!(context.len() >= code.context.stride() && image.len() >= code.layout.words && code.walks());
        context[slot::RUNTIME / 8] = std::ptr::from_mut(self) as u64;
        // SAFETY: `function` is compiled code of `self.code` with this signature; see the module's invariants.
        let entry: unsafe extern "C" fn(*mut u64, *mut u64, i64) -> i64 =
            unsafe { std::mem::transmute(function) };
        // SAFETY: context and image have the sizes that the code was compiled for (asserted above).
        let mut call = |limit: u64| unsafe {
            context[slot::STACK_LIMIT / 8] = limit;
            entry(context.as_mut_ptr(), image.as_mut_ptr(), wanted)
        };
        match code.needs_stack() {
            true => on_enough_stack(code.stack_bytes(), call),
            false => call(0),
        }
    }

    /// A status that says whether there are too many results.
    #[inline]
    fn check_results(&self) -> i64 {
        let room = self.code.layout.room;
        let most = room.results - self.doubles.count.min(room.results);
        let too_many = self.heads.len() > most || self.children.len() > most * self.code.layout.record;
        if too_many {
            return TOO_MANY_RESULTS;
        }
        if self.changes.len() > room.changes {
            return TOO_MANY_CHANGES;
        }
        let asks = self.doubles.count % DOUBLES_UNASKED == DOUBLES_UNASKED - 1;
        if asks && game::stopping::is_requested() { STOPPED } else { 0 }
    }

    fn lacks_stack(&self, context: &[u64]) -> bool {
        let site = (context[slot::FAULT / 8] as usize)
            .checked_sub(1)
            .map(|site| &self.code.of(self.mover).faults[site]);
        site.is_some_and(|site| matches!(site.kind, FaultKind::NoStack(_)))
    }

    #[inline]
    fn prepare(&mut self, context: &mut [u64]) {
        let code = self.code;
        self.heads.clear();
        self.changes.clear();
        self.children.clear();
        self.doubles = Doubles::default();
        let runtime = std::ptr::from_mut(self) as u64;
        let word = |offset: usize| offset / 8;
        context[word(slot::RUNTIME)] = runtime;
        context[word(slot::FUEL)] = FUEL as u64;
        context[word(slot::DEPTH)] = 0;
        context[word(slot::FAULT)] = 0;
        context[word(slot::STACK_LIMIT)] = 0;
        for counter in [slot::ENDED, slot::VERDICTS, slot::UNSURE, slot::COUNTED] {
            context[word(counter)] = 0;
        }
        self.publish(context);
        for &record in &code.of(self.mover).test_records {
            context[word(code.context.tests) + record] = 0;
        }
    }

    /// Tells compiled code where the lists end and how far they may grow.
    #[inline]
    fn publish(&mut self, context: &mut [u64]) {
        let heads = self.heads.as_mut_ptr();
        let changes = self.changes.as_mut_ptr();
        let children = self.children.as_mut_ptr();
        let record = self.code.layout.record;
        context[slot::HEADS_NEXT / 8] = heads.wrapping_add(self.heads.len()) as u64;
        context[slot::HEADS_END / 8] = heads.wrapping_add(self.heads.capacity()) as u64;
        context[slot::CHANGES_BASE / 8] = changes as u64;
        context[slot::CHANGES_NEXT / 8] = changes.wrapping_add(self.changes.len()) as u64;
        context[slot::CHANGES_END / 8] = changes.wrapping_add(self.changes.capacity()) as u64;
        // Up to there a whole record fits.
        let whole = self.children.capacity().saturating_sub(record - 1);
        context[slot::CHILDREN_NEXT / 8] = children.wrapping_add(self.children.len()) as u64;
        context[slot::CHILDREN_END / 8] = children.wrapping_add(whole) as u64;
    }

    /// Takes over what compiled code has added to the lists.
    #[inline]
    fn collect(&mut self, context: &[u64]) {
        let length = |next: usize, base: u64, size: usize| (context[next / 8] - base) as usize / size;
        let heads = length(slot::HEADS_NEXT, self.heads.as_ptr() as u64, size_of::<MoveHead>());
        let changes = length(slot::CHANGES_NEXT, self.changes.as_ptr() as u64, size_of::<Change>());
        let children = length(slot::CHILDREN_NEXT, self.children.as_ptr() as u64, 8);
        assert!(heads <= self.heads.capacity() && changes <= self.changes.capacity());
        assert!(children <= self.children.capacity());
        // SAFETY: compiled code has written every element up to `…_NEXT`, which lies within the capacity.
        unsafe {
            self.heads.set_len(heads);
            self.changes.set_len(changes);
            self.children.set_len(children);
        }
    }

    /// Clears the bits that moves have set in the filter.
    #[inline]
    pub(crate) fn clear_filter(&self, context: &mut [u64]) {
        let filter = &mut context[self.code.context.filter / 8..];
        for head in self.heads.iter() {
            filter[head.signature_difference.0 as usize % FILTER_BITS / 64] = 0;
        }
    }

    /// Clears the bits that children have set in the filter: each begins `stride` words after the one before, with
    /// a word that differs from what was marked by `turned`.
    #[inline]
    pub(crate) fn clear_filter_of_children(&self, context: &mut [u64], stride: usize, turned: u64) {
        let filter = &mut context[self.code.context.filter / 8..];
        for word in self.children.iter().step_by(stride) {
            filter[(word ^ turned) as usize % FILTER_BITS / 64] = 0;
        }
    }
}

pub(crate) fn read_i32(image: &[u64], offset: usize) -> i32 {
    (image[offset / 8] >> (offset % 8 * 8)) as i32
}

pub(crate) fn write_i32(image: &mut [u64], offset: usize, value: i32) {
    let shift = offset % 8 * 8;
    let word = &mut image[offset / 8];
    *word = *word & !(0xffff_ffff << shift) | u64::from(value as u32) << shift;
}

pub(crate) fn read_byte(image: &[u64], offset: usize) -> u8 {
    (image[offset / 8] >> (offset % 8 * 8)) as u8
}
