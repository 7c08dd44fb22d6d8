//! All memory that a search on several processors takes comes back, also that of processors that die on the way.

#![allow(clippy::unwrap_used)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use fabric::ProcessorId;
use fabric::simulation::{Faults, Machine, Network};
use game::Position;
use parallel::Method;
use parallel::stealing::{Laboratory, Policy, TableKind, Task, on_threads, simulated};
use search::{Control, Engine, Limits, Resources, Root, Settings};
use table::Table;

use crate::support::{self, Bench, random_positions};

/// The allocator of the system, which counts.
struct Counting;

/// Bytes that are in use. Written and read by all; a test that compares two numbers has waited for the threads between.
static IN_USE: AtomicI64 = AtomicI64::new(0);

#[global_allocator]
static ALLOCATOR: Counting = Counting;

// SAFETY: everything is done by the allocator of the system; the count changes nothing about it.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        IN_USE.fetch_add(layout.size() as i64, Ordering::Relaxed);
        // SAFETY: the caller keeps the promises that the system asks for.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        IN_USE.fetch_add(layout.size() as i64, Ordering::Relaxed);
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        IN_USE.fetch_sub(layout.size() as i64, Ordering::Relaxed);
        // SAFETY: as above.
        unsafe { System.dealloc(memory, layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        IN_USE.fetch_add(size as i64 - layout.size() as i64, Ordering::Relaxed);
        // SAFETY: as above.
        unsafe { System.realloc(memory, layout, size) }
    }
}

fn in_use() -> i64 {
    IN_USE.load(Ordering::Relaxed)
}

/// Set where a test has a process for itself.
const ALONE: &str = "MULTIGAME_MEMORY_ALONE";

/// Whether this test has the process for itself, as nextest gives it one; otherwise others take memory meanwhile, and
/// the test runs again in a process of its own.
fn is_alone(test: &str) -> bool {
    if std::env::var_os("NEXTEST").is_some() || std::env::var_os(ALONE).is_some() {
        return true;
    }
    let mut own = std::process::Command::new(std::env::current_exe().unwrap());
    let done = own.args([test, "--exact"]).env(ALONE, "1").output().unwrap();
    let (out, error) = (String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
    assert!(done.status.success() && out.contains("1 passed"), "{out}{error}");
    false
}

const BATCHES: u64 = 4;
const RUNS: u64 = 6;

/// What a run leaves behind may be kept for the next one, and pools of generators grow when more threads than ever
/// ask at once, or for a longer list. So runs are repeated: what does not come back is missing after every batch of
/// them.
fn stays(what: &str, mut run: impl FnMut(u64)) {
    run(0);
    let mut growth = |batch: u64| {
        let before = in_use();
        (batch * RUNS..(batch + 1) * RUNS).for_each(&mut run);
        in_use() - before
    };
    let left = (0..BATCHES).map(&mut growth).min().unwrap_or(0);
    assert!(left < RUNS as i64 * 200, "{what}: {left} bytes more after {RUNS} runs");
}

fn case() -> (jit::Compiled<64>, Position) {
    let game = support::compiled::<64>("othello");
    let position = random_positions(&game, 1, 20, 3).remove(0);
    (game, position)
}

#[test]
fn memory_of_virtual_processors_comes_back() {
    if !is_alone("memory::memory_of_virtual_processors_comes_back") {
        return;
    }
    let (game, position) = case();
    let bench = Bench::new(&game);
    let root = Root::new(&game, &position);
    let kinds = [
        TableKind::Shared,
        TableKind::Partitioned,
        TableKind::Replicated,
        TableKind::Asked,
        TableKind::Local,
    ];
    let of_tables = kinds.map(|tables| (Policy::YBWC, tables));
    let of_policies = [Policy::ABDADA, Policy::APHID, Policy::ER, Policy::TDSAB];
    let of_policies = of_policies.map(|policy| (policy, TableKind::Partitioned));
    for (policy, tables) in of_tables.into_iter().chain(of_policies) {
        stays(&format!("{:?} {:?} {tables:?}", policy.driver, policy.everybody), |seed| {
            let mut machine = Machine::with_network(16, Network::INFINIBAND);
            machine.seed = seed;
            machine.faults = Faults { delay: 20, ..Faults::default() };
            if seed % 2 == 1 {
                // In the middle of the search, of which one processor takes some ten milliseconds.
                let moment = Duration::from_micros(200 * (seed + 1));
                machine.faults.deaths = vec![(ProcessorId(seed as u32 % 16), moment)];
            }
            let laboratory = Laboratory {
                machine,
                node_cost: Duration::from_micros(2),
                tables,
                table_bytes: 1 << 14,
                table_depth: 1,
                prefetch: true,
                combine: 1 + seed as usize % 3,
                ahead: seed as usize % 5,
                stop: None,
            };
            let settings = Settings { seed, ..Settings::new(Engine::NegaScout).exact() };
            let (limits, knowledge, timeline) = (Limits::to_depth(5), &bench.knowledge, None);
            let task = Task { game: &game, root: &root, settings, limits, knowledge, policy, timeline };
            simulated(&task, &laboratory).unwrap();
        });
    }
}

#[test]
fn memory_of_threads_comes_back() {
    if !is_alone("memory::memory_of_threads_comes_back") {
        return;
    }
    let (game, position) = case();
    let bench = Bench::new(&game);
    let root = Root::new(&game, &position);
    let (control, settings) = (Control::default(), Settings::new(Engine::NegaScout).exact());
    let beside = Method::default().side_by_side();
    for policy in [beside, Policy::YBWC, Policy::JAMBOREE, Policy::APHID, Policy::TDSAB] {
        stays(&format!("{:?} {:?}", policy.driver, policy.everybody), |_| {
            bench.table.clear();
            let (limits, knowledge, timeline) = (Limits::to_depth(5), &bench.knowledge, None);
            let task = Task { game: &game, root: &root, settings, limits, knowledge, policy, timeline };
            let clock = &search::StoppedClock;
            let resources =
                Resources { table: &bench.table, knowledge, control: &control, clock, team: None };
            on_threads(&task, 3, resources, &mut |_| {}).unwrap();
        });
    }
}
