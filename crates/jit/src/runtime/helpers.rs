//! What compiled code calls. The invariants are those at the head of [`super`].

use cranelift_codegen::ir::{AbiParam, types::I64};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{FuncId, Linkage, Module};
use game::moves::MoveHead;
use game::{Change, Signature};

use super::results::{changed_slots, drop_newest_child_if_double, drop_newest_if_double, seen_before};
use super::{Call, STOPPED, TOO_MANY_CHANGES, TOO_MANY_RESULTS, TOO_MUCH_MEMORY};
use crate::compile::{Unsupported, unsupported};
use crate::layout::{append_flags, register, slot};

/// Memory for the positions after all moves.
const CHILDREN_BYTES_MAX: usize = 64 * 1024 * 1024;

/// Long lists grow by so many moves at most, so that it is asked now and then whether to go on.
const HEADS_UNASKED: usize = 1 << 14;

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
        let mut signature = module.make_signature();
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

extern "C" fn grow(context: *mut u64) -> i64 {
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

extern "C" fn is_double(context: *mut u64, difference: u64, count: u64) -> i64 {
    // SAFETY: called by compiled code that counts lines of play only.
    let (call, _) = unsafe { running(context) };
    // SAFETY: `count` differences were noted behind the context, where `Call::walk` has made room for them.
    let noted = unsafe { std::slice::from_raw_parts(context.add(call.code.context.words), count as usize) };
    i64::from(noted.contains(&difference))
}

extern "C" fn drop_double(context: *mut u64) -> i64 {
    // SAFETY: called by compiled code only.
    let (call, context) = unsafe { running(context) };
    drop_newest_if_double(call);
    call.publish(context);
    call.check_results()
}

extern "C" fn drop_double_child(context: *mut u64) -> i64 {
    // SAFETY: called by compiled code only.
    let (call, context) = unsafe { running(context) };
    drop_newest_child_if_double(call);
    // It was not told which of the results that ended the game were doubles.
    context[slot::UNSURE / 8] = 1;
    call.publish(context);
    call.check_results()
}

extern "C" fn emit_move(context: *mut u64, image: *const u64) -> i64 {
    // SAFETY: called by compiled code only.
    let (call, context) = unsafe { running(context) };
    // SAFETY: compiled code passes on the image that `run` was given.
    let image = unsafe { std::slice::from_raw_parts(image, call.code.layout.words) };
    let first = call.changes.len();
    let mut changes = std::mem::take(call.changes);
    let (difference, captures) = changed_slots(call, context, image, &mut changes);
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
extern "C" fn append_merged(context: *mut u64, signature: u64, packed: u64, counts: u64) -> i64 {
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
    let opponents = call.code.of(call.mover).opponents;
    let first = call.changes.len();
    merged.extend(&words[fields..fields + scalars]);
    call.changes.extend(merged.into_iter().filter(|change| change.old() != change.new()));
    let captures = call.changes[first..]
        .iter()
        .any(|change| change.slot() < call.code.layout.fields && opponents >> change.old() & 1 != 0);
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

extern "C" fn grow_children(context: *mut u64) -> i64 {
    // SAFETY: called by compiled code only.
    let (call, context) = unsafe { running(context) };
    if call.children.len() * 8 > CHILDREN_BYTES_MAX {
        return TOO_MUCH_MEMORY;
    }
    call.children.reserve(call.children.len().max(256 * call.code.layout.record));
    call.publish(context);
    call.check_results()
}

extern "C" fn property_key(context: *mut u64, slot: i64, value: i64) -> i64 {
    // SAFETY: called by compiled code only.
    let (call, _) = unsafe { running(context) };
    call.info.key(slot as usize, value as i32).0 as i64
}
