//! The threads of one process: all of them are started here.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;

use crate::contract::{Processor, ProcessorId};

/// The program that runs on every processor.
pub(crate) type Program<'run, R> = &'run (dyn Fn(&dyn Processor) -> R + Sync);

/// Runs the program on every seat, each on a thread of its own but for the first, which is the calling thread and has
/// a program of its own. Returns what it returned; `None` where it panicked or no thread could be had. `died` is told
/// of those, in the thread that panicked.
pub(crate) fn run<P: Processor + Send, R: Send>(
    seats: impl IntoIterator<Item = P>,
    stack_bytes: usize,
    first_program: impl FnOnce(&dyn Processor) -> R,
    program: Program<'_, R>,
    died: impl Fn(ProcessorId) + Sync,
) -> Vec<Option<R>> {
    let died = &died;
    fn work<P: Processor, R>(
        seat: &P,
        program: impl FnOnce(&dyn Processor) -> R,
        died: &impl Fn(ProcessorId),
    ) -> Option<R> {
        let result = catch_unwind(AssertUnwindSafe(|| program(seat)));
        if result.is_err() {
            died(seat.id());
        }
        result.ok()
    }
    let mut seats = seats.into_iter();
    let first = seats.next();
    thread::scope(|scope| {
        let others: Vec<_> = seats
            .map(|seat| {
                let id = seat.id();
                let builder = thread::Builder::new().name(format!("processor {id}")).stack_size(stack_bytes);
                let started = builder.spawn_scoped(scope, move || work(&seat, program, died));
                if started.is_err() {
                    died(id);
                }
                started.ok()
            })
            .collect();
        let mut results: Vec<_> = first.map(|seat| work(&seat, first_program, died)).into_iter().collect();
        results.extend(others.into_iter().map(|other| other.and_then(|other| other.join().ok().flatten())));
        results
    })
}
