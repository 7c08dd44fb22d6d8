//! What compiled code calls, and how it is called.
//!
//! Invariants, on which every `SAFETY` comment here rests:
//! - A context is a buffer of `ContextLayout::words` words that belongs to one call at a time; its first words
//!   hold pointers that [`Call`] has set: the lists' ends and the [`Call`] itself, all alive until it returns.
//! - An image is a buffer of at least `Layout::words` words.
//! - Compiled code writes only into the context, between `…_NEXT` and `…_END` of the lists, and on its stack.

use std::hash::{Hash, Hasher};

use cranelift_codegen::ir::{AbiParam, Signature as Abi, types::I64};
use cranelift_codegen::isa::CallConv;
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{FuncId, Linkage, Module};
use game::moves::MoveHead;
use game::{Change, Colour, GameInfo, PieceCode, Signature};

use crate::compile::{Code, FAULT, FaultKind, Unsupported, unsupported};
use crate::doubles::Doubles;
use crate::layout::{FILTER_BITS, SMALL_FILTER_BITS, append_flags, register, slot};

/// The helpers' names in a module.
pub(crate) struct HelperIds {
    pub(crate) grow: FuncId,
    pub(crate) drop_double: FuncId,
    pub(crate) drop_double_child: FuncId,
    pub(crate) emit_move: FuncId,
    pub(crate) grow_children: FuncId,
    pub(crate) append_merged: FuncId,
    pub(crate) property_key: FuncId,
    pub(crate) is_double: FuncId,
}

pub(crate) fn register(builder: &mut JITBuilder) {
    builder.symbol("grow", grow as *const u8);
    builder.symbol("drop_double", drop_double as *const u8);
    builder.symbol("drop_double_child", drop_double_child as *const u8);
    builder.symbol("emit_move", emit_move as *const u8);
    builder.symbol("grow_children", grow_children as *const u8);
    builder.symbol("append_merged", append_merged as *const u8);
    builder.symbol("property_key", property_key as *const u8);
    builder.symbol("is_double", is_double as *const u8);
}

pub(crate) fn declare(module: &mut JITModule) -> Result<HelperIds, Unsupported> {
    let mut declare = |name: &str, parameters: usize| {
        let mut signature = Abi::new(CallConv::SystemV);
        signature.params = vec![AbiParam::new(I64); parameters];
        signature.returns = vec![AbiParam::new(I64)];
        module.declare_function(name, Linkage::Import, &signature).map_err(unsupported)
    };
    Ok(HelperIds {
        grow: declare("grow", 1)?,
        drop_double: declare("drop_double", 1)?,
        drop_double_child: declare("drop_double_child", 1)?,
        emit_move: declare("emit_move", 2)?,
        grow_children: declare("grow_children", 1)?,
        append_merged: declare("append_merged", 4)?,
        property_key: declare("property_key", 3)?,
        is_double: declare("is_double", 3)?,
    })
}

/// A status that no compiled code uses: more results than allowed.
pub(crate) const TOO_MANY_RESULTS: i64 = 3;

/// A status that no compiled code uses: the positions after all moves take too much memory.
pub(crate) const TOO_MUCH_MEMORY: i64 = 4;

/// A status that no compiled code uses: nobody wants the results any more.
pub(crate) const STOPPED: i64 = 6;

/// A status that no compiled code uses: the results change too much together.
pub(crate) const TOO_MANY_CHANGES: i64 = 7;

/// A status: lines of play have to be counted in another way.
pub(crate) const GIVE_UP: i64 = 5;

/// Memory for the positions after all moves.
const CHILDREN_BYTES_MAX: usize = 64 * 1024 * 1024;

/// Long lists grow by so many moves at most, so that somebody asks now and then whether to go on.
const HEADS_UNASKED: usize = 1 << 14;
/// The same where doubles are dropped one by one.
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

type Entry = unsafe extern "sysv64" fn(*mut u64, *const u64) -> i64;

impl Call<'_> {
    /// Runs compiled code on a position. Returns its status; the lists hold the results.
    pub(crate) fn run(&mut self, function: *const u8, context: &mut [u64], image: &[u64]) -> i64 {
        let code = self.code;
        assert!(context.len() >= code.context.words && image.len() >= code.layout.words);
        self.prepare(context);
        // SAFETY: `function` is compiled code of `self.code` with this signature; see the module's invariants.
        let entry: Entry = unsafe { std::mem::transmute(function) };
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
        let entry: unsafe extern "sysv64" fn(*mut u64, *mut u64, i64) -> i64 =
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

    /// Plays the result with a number in the position, if there is one. The context must have been used for this position
    /// by [`Call::walk`] before.
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
        let entry: unsafe extern "sysv64" fn(*mut u64, *mut u64, i64) -> i64 =
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
    pub(crate) fn clear_filter(&self, context: &mut [u64]) {
        let filter = &mut context[self.code.context.filter / 8..];
        for head in self.heads.iter() {
            filter[head.signature_difference.0 as usize % FILTER_BITS / 64] = 0;
        }
    }

    /// Clears the bits that children have set in the filter: each begins `stride` words after the one before, with
    /// a word that differs from what was marked by `turned`.
    pub(crate) fn clear_filter_of_children(&self, context: &mut [u64], stride: usize, turned: u64) {
        let filter = &mut context[self.code.context.filter / 8..];
        for word in self.children.iter().step_by(stride) {
            filter[(word ^ turned) as usize % FILTER_BITS / 64] = 0;
        }
    }
}

impl Code {
    /// Whether it may use so much stack that somebody has to look after it.
    pub(crate) fn needs_stack(&self) -> bool {
        self.is_recursive() || self.stack_bytes() > STACK_UNCHECKED
    }
}

/// Rounds and calls that one call may take where their number has no other bound. Each of them is at least one
/// statement, so that no rule stops here that the interpreter follows to its end.
pub(crate) const FUEL: i64 = rules::limits::STEPS_MAX as i64;

/// Stack that rules that call themselves may use.
const STACK_BYTES: usize = 64 * 1024 * 1024;
const STACK_RESERVE: usize = 256 * 1024;
const STACK_WANTED: usize = 2 * 1024 * 1024;
/// Code that keeps no more than this on the stack and does not call itself runs on any stack.
const STACK_UNCHECKED: usize = 32 * 1024;

/// Runs code with a known limit of its stack; on a fresh stack if little is left. `frames`: what all functions
/// together keep there, so that none of them gets over the limit before it looks.
fn on_enough_stack(frames: usize, call: impl FnOnce(u64) -> i64) -> i64 {
    match game::stack::remaining().or_else(stacker::remaining_stack) {
        Some(remaining) if remaining > STACK_WANTED + 2 * frames => call(stack_limit(frames, remaining)),
        _ => on_fresh_stack(frames, call),
    }
}

fn on_fresh_stack(frames: usize, call: impl FnOnce(u64) -> i64) -> i64 {
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

/// The call that a context belongs to, with its lists taken over, and the context.
///
/// # Safety
/// `context` must be the context of a running [`Call::run`], as it is in every helper.
unsafe fn running<'call>(context: *mut u64) -> (&'call mut Call<'call>, &'call mut [u64]) {
    // SAFETY: the caller's promise; `RUNTIME` was set by `prepare` and the call is still running.
    let call = unsafe { &mut *(*context.add(slot::RUNTIME / 8) as *mut Call<'call>) };
    // SAFETY: the context has that many words (asserted by `run`).
    let context = unsafe { std::slice::from_raw_parts_mut(context, call.code.context.words) };
    call.collect(context);
    (call, context)
}

extern "sysv64" fn grow(context: *mut u64) -> i64 {
    // SAFETY: called by compiled code only.
    let (call, context) = unsafe { running(context) };
    let room = call.code.layout.room;
    if call.heads.len() > room.results {
        return TOO_MANY_RESULTS;
    }
    if call.changes.len() > room.changes {
        return TOO_MANY_CHANGES;
    }
    if call.heads.len() >= HEADS_UNASKED && game::stopping::is_requested() {
        return STOPPED;
    }
    call.heads.reserve(call.heads.len().clamp(256, HEADS_UNASKED));
    let slots = call.code.layout.stored_slots + call.code.layout.scalars.len();
    call.changes.reserve(call.changes.len().clamp(1024, 4 * HEADS_UNASKED).max(2 * slots));
    call.publish(context);
    0
}

extern "sysv64" fn is_double(context: *mut u64, difference: u64, count: u64) -> i64 {
    // SAFETY: called by compiled code that counts lines of play only.
    let (call, _) = unsafe { running(context) };
    // SAFETY: `count` differences were noted behind the context, where `Call::walk` has made room for them.
    let noted = unsafe { std::slice::from_raw_parts(context.add(call.code.context.words), count as usize) };
    i64::from(noted.contains(&difference))
}

extern "sysv64" fn drop_double(context: *mut u64) -> i64 {
    // SAFETY: called by compiled code only.
    let (call, context) = unsafe { running(context) };
    drop_newest_if_double(call);
    call.publish(context);
    call.check_results()
}

fn drop_newest_if_double(call: &mut Call<'_>) {
    let (heads, changes) = (&*call.heads, &*call.changes);
    let Some(newest) = heads.last() else { return };
    let fingerprint = |index: usize| {
        let head: &MoveHead = &heads[index];
        let changes = changes[head.range()].iter();
        changes.fold(head.signature_difference.0, |sum, change| sum.rotate_left(5) ^ change.word())
    };
    let same = |index: usize| {
        let other = &heads[index];
        other.signature_difference == newest.signature_difference
            && other.outcome() == newest.outcome()
            && changes[other.range()] == changes[newest.range()]
    };
    if call.doubles.newest_is_double(heads.len(), fingerprint, same) {
        let first = newest.range().start;
        call.heads.pop();
        call.changes.truncate(first);
    }
}

extern "sysv64" fn drop_double_child(context: *mut u64) -> i64 {
    // SAFETY: called by compiled code only.
    let (call, context) = unsafe { running(context) };
    drop_newest_child_if_double(call);
    // Nobody has told which of the results that ended the game were doubles.
    context[slot::UNSURE / 8] = 1;
    call.publish(context);
    call.check_results()
}

fn drop_newest_child_if_double(call: &mut Call<'_>) {
    let record = call.code.layout.record;
    let Some(start) = call.children.len().checked_sub(record) else { return };
    let children = &*call.children;
    let child = |index: usize| &children[index * record..(index + 1) * record];
    let newest = &children[start..];
    let fingerprint = |index: usize| {
        let mut hasher = rustc_hash::FxHasher::default();
        child(index).hash(&mut hasher);
        hasher.finish()
    };
    let same = |index: usize| child(index) == newest;
    if call.doubles.newest_is_double(children.len() / record, fingerprint, same) {
        call.children.truncate(start);
    }
}

/// Field by field, what differs between the board now and the position.
fn changed_slots(call: &Call<'_>, context: &[u64], image: &[u64], changes: &mut Vec<Change>) -> Signature {
    let (layout, info) = (&call.code.layout, call.info);
    let work = call.code.context.work;
    let mut difference = match info.players {
        2 => Signature::BLACK_TO_MOVE,
        _ => Signature::default(),
    };
    let mut add = |slot: usize, old: i32, new: i32| {
        difference ^= info.key(slot, old) ^ info.key(slot, new);
        changes.push(Change::new_value(slot, old, new));
    };
    for word in 0..layout.fields.div_ceil(8) {
        let (mut old, mut new) = (image[layout.mailbox / 8 + word], context[work / 8 + word]);
        let mut field = 8 * word;
        while old != new {
            if old as u8 != new as u8 {
                add(field, i32::from(old as u8), i32::from(new as u8));
            }
            (old, new) = (old >> 8, new >> 8);
            field += 1;
        }
    }
    let registers = &context[call.code.context.registers / 8..];
    let mut scalars = Vec::new();
    let mut stored = 0;
    for (index, scalar) in layout.scalars.iter().enumerate() {
        let new = registers[register::SCALARS + index] as i64;
        if scalar.stored {
            let old = read_i32(image, layout.scalar_base + 4 * stored);
            stored += 1;
            if i64::from(old) != new {
                scalars.push((scalar.slot, old, new as i32));
            }
        }
    }
    let properties = work + layout.mutable_field_properties();
    for (index, &property) in layout.field_properties.iter().enumerate() {
        for field in 0..layout.fields {
            let offset = 4 * (layout.fields * index + field);
            let old = read_i32(image, layout.field_property_base + offset);
            let new = read_i32(context, properties + offset);
            if old != new {
                scalars.push((info.properties[property].slot + field, old, new));
            }
        }
    }
    scalars.sort_unstable_by_key(|&(slot, ..)| slot);
    scalars.into_iter().for_each(|(slot, old, new)| add(slot, old, new));
    for (index, scalar) in layout.scalars.iter().enumerate().filter(|(_, scalar)| !scalar.stored) {
        let new = registers[register::SCALARS + index] as i64;
        if new != info.properties[scalar.property].low {
            changes.push(Change::tag(scalar.slot, new));
        }
    }
    difference
}

/// Marks a result in the filter; true if there may be an equal one.
fn seen_before(call: &Call<'_>, context: &mut [u64], difference: Signature) -> bool {
    let place = difference.0 as usize % FILTER_BITS;
    let word = &mut context[call.code.context.filter / 8 + place / 64];
    let seen = *word >> (place % 64) & 1 != 0;
    *word |= 1 << (place % 64);
    seen
}

extern "sysv64" fn emit_move(context: *mut u64, image: *const u64) -> i64 {
    // SAFETY: called by compiled code only.
    let (call, context) = unsafe { running(context) };
    // SAFETY: compiled code passes on the image that `run` was given.
    let image = unsafe { std::slice::from_raw_parts(image, call.code.layout.words) };
    let first = call.changes.len();
    let mut changes = std::mem::take(call.changes);
    let difference = changed_slots(call, context, image, &mut changes);
    let opponents = call.mover.opponent();
    let fields = call.code.layout.fields;
    let captures = changes[first..].iter().any(|change| {
        change.slot() < fields && call.info.colour_of(PieceCode(change.old() as u8)) == Some(opponents)
    });
    *call.changes = changes;
    let registers = &context[call.code.context.registers / 8..];
    let forcing = match registers[register::FORCING] as i64 {
        -1 => captures,
        mark => mark != 0,
    };
    let outcome = game::Outcome::from_code(registers[register::OUTCOME] as i64 as i32);
    let head = MoveHead::new(difference)
        .with_outcome(outcome)
        .with_marks(registers[register::IRREVERSIBLE] != 0, forcing)
        .with_lead(registers[register::LEAD] as u16)
        .with_range(first, call.changes.len());
    call.heads.push(head);
    if seen_before(call, context, difference) {
        drop_newest_if_double(call);
    }
    call.publish(context);
    call.check_results()
}

/// Adds a move of which a field was written more than once: the first write knows what was there, the last what is.
extern "sysv64" fn append_merged(context: *mut u64, signature: u64, packed: u64, counts: u64) -> i64 {
    // SAFETY: called by compiled code only.
    let (call, context) = unsafe { running(context) };
    let count = |shift: u32| (counts >> shift & 0xff) as usize;
    let (fields, scalars, tags) = (count(0), count(8), count(16));
    let words = &context[call.code.context.appended / 8..][..fields + scalars + tags];
    let words: Vec<Change> = words.iter().map(|&word| Change::from_word(word)).collect();
    let mut merged: Vec<Change> = Vec::new();
    for write in &words[..fields] {
        match merged.iter_mut().find(|other| other.slot() == write.slot()) {
            Some(other) => *other = Change::new_value(write.slot(), other.old(), write.new()),
            None => merged.push(*write),
        }
    }
    merged.sort_unstable_by_key(|change| change.slot());
    let opponents = call.mover.opponent();
    let first = call.changes.len();
    merged.extend(&words[fields..fields + scalars]);
    call.changes.extend(merged.into_iter().filter(|change| change.old() != change.new()));
    let captures = call.changes[first..].iter().any(|change| {
        change.slot() < call.code.layout.fields
            && call.info.colour_of(PieceCode(change.old() as u8)) == Some(opponents)
    });
    call.changes.extend(words[fields + scalars..].iter().filter(|change| change.word() != 0));
    let flags = packed >> append_flags::FLAGS;
    let forcing = if packed >> append_flags::UNMARKED & 1 != 0 { captures } else { flags & 2 != 0 };
    let head = MoveHead::new(Signature(signature))
        .with_outcome(game::Outcome::from_code(packed as u32 as i32))
        .with_marks(flags & 1 != 0, forcing)
        .with_lead((packed >> append_flags::LEAD) as u16)
        .with_range(first, call.changes.len());
    call.heads.push(head);
    if seen_before(call, context, Signature(signature)) {
        drop_newest_if_double(call);
    }
    call.publish(context);
    call.check_results()
}

extern "sysv64" fn grow_children(context: *mut u64) -> i64 {
    // SAFETY: called by compiled code only.
    let (call, context) = unsafe { running(context) };
    if call.children.len() * 8 > CHILDREN_BYTES_MAX {
        return TOO_MUCH_MEMORY;
    }
    call.children.reserve(call.children.len().max(256 * call.code.layout.record));
    call.publish(context);
    call.check_results()
}

extern "sysv64" fn property_key(context: *mut u64, slot: i64, value: i64) -> i64 {
    // SAFETY: called by compiled code only.
    let (call, _) = unsafe { running(context) };
    call.info.key(slot as usize, value as i32).0 as i64
}
