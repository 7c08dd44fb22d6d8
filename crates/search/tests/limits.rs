//! Determinism, limits and stopping.

#![allow(clippy::unwrap_used)]

mod support;

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use game::Game;
use search::{
    Clock, Control, Engine, Heuristics, Limits, Report, Resources, Root, Settings, StoppedClock, TimeLimit,
};
use support::{Bench, compiled, random_positions, start};

fn fingerprint(report: &Report) -> (u64, search::Score, Option<game::Move>, search::Statistics) {
    (report.nodes, report.score, report.best.clone(), report.statistics)
}

#[test]
fn the_same_seed_gives_the_same_search() {
    let game = native::NativeCheckers::new();
    let bench = Bench::new(&game);
    for engine in Engine::ALL {
        let settings = Settings::new(engine);
        let limits = Limits { nodes: Some(30_000), ..Limits::to_depth(7) };
        let first = bench.run(&start(&game), &settings, &limits);
        let second = bench.run(&start(&game), &settings, &limits);
        assert_eq!(fingerprint(&first), fingerprint(&second), "{engine:?}");
        assert!(first.nodes <= 30_000);
        assert!(first.best.is_some());
    }
    let other = Settings { seed: 2, ..Settings::new(Engine::MonteCarlo) };
    let limits = Limits::to_nodes(30_000);
    let first = bench.run(&start(&game), &Settings::new(Engine::MonteCarlo), &limits);
    assert_ne!(fingerprint(&first), fingerprint(&bench.run(&start(&game), &other, &limits)));
}

#[test]
fn there_is_a_move_however_small_the_limit() {
    let game = native::NativeChess::new();
    let bench = Bench::new(&game);
    for engine in Engine::ALL {
        for nodes in [0, 1, 2, 17] {
            let report = bench.run(&start(&game), &Settings::new(engine), &Limits::to_nodes(nodes));
            assert!(report.best.is_some(), "{engine:?} {nodes}");
            assert!(report.nodes <= nodes);
        }
    }
}

#[test]
fn any_increment_reaches_the_depth() {
    let game = native::NativeOthello::new();
    let bench = Bench::new(&game);
    for (first_depth, increment) in [(1, 1), (1, 2), (2, 2), (5, 1), (1, 10), (9, 9)] {
        let settings = Settings { first_depth, increment, ..Settings::new(Engine::NegaScout).exact() };
        let report = bench.run(&start(&game), &settings, &Limits::to_depth(5));
        assert_eq!(report.depth, search::Depth(5));
    }
}

fn run_timed<G: Game>(
    game: &G,
    engine: Engine,
    limits: &Limits,
    control: &Control,
    clock: &dyn Clock,
) -> Report {
    let bench = Bench::new(game);
    let resources =
        Resources { table: &bench.table, knowledge: &bench.knowledge, control, clock, team: None };
    let root = Root::new(game, &start(game));
    search::search(game, &root, &Settings::new(engine), limits, resources, &mut |_| {}).unwrap()
}

/// A clock that moves on by a millisecond whenever somebody looks: how busy the machine is does not matter.
fn ticking() -> impl Clock {
    let looks = AtomicU64::new(0);
    // Any order will do: every look is later than those before it on the same thread.
    move || Duration::from_millis(looks.fetch_add(1, Ordering::Relaxed))
}

#[test]
fn searches_stop_in_time() {
    let game = native::NativeChess::new();
    let compiled = compiled::<64>("chess");
    let time = Duration::from_millis(150);
    // Stopping takes a few looks; a search that goes on to the next depth takes many more.
    let late = time + Duration::from_millis(10);
    let limits = Limits { time: TimeLimit::Fixed(time), ..Limits::default() };
    for engine in Engine::ALL {
        let report = run_timed(&game, engine, &limits, &Control::default(), &ticking());
        assert!(report.elapsed < late, "{engine:?}: {:?}", report.elapsed);
        assert!(report.best.is_some());
        let report = run_timed(&compiled, engine, &limits, &Control::default(), &ticking());
        assert!(report.elapsed < late, "compiled, {engine:?}: {:?}", report.elapsed);
    }
}

#[test]
fn a_search_can_be_stopped_and_pondering_waits() {
    let game = native::NativeChess::new();
    let began = Instant::now();
    let clock = move || began.elapsed();
    for engine in Engine::ALL {
        let control = Control::default();
        let limits =
            Limits { time: TimeLimit::Fixed(Duration::from_millis(1)), ponder: true, ..Limits::default() };
        // Without an end this would wait for ever.
        let report = std::thread::scope(|scope| {
            let search = scope.spawn(|| run_timed(&game, engine, &limits, &control, &clock));
            std::thread::sleep(Duration::from_millis(60));
            if engine == Engine::NegaScout {
                control.start_clock(clock(), limits.time);
            } else {
                control.stop();
            }
            search.join().unwrap()
        });
        assert!(report.best.is_some());
    }
}

/// Switches that are not exact may change scores, but nothing breaks, with any of them on or off.
#[test]
fn every_switch_can_be_turned() {
    let game = native::NativeChess::new();
    let bench = Bench::new(&game);
    for position in random_positions(&game, 4, 40, 8) {
        for name in Heuristics::NAMES {
            let mut settings = Settings::new(Engine::NegaScout);
            let usual = settings.heuristics.get(name).unwrap();
            settings.heuristics.set(name, !usual);
            let report = bench.run(&position, &settings, &Limits::to_depth(5));
            assert_eq!(report.depth.0, 5);
        }
    }
}

#[test]
fn progress_is_told() {
    let game = native::NativeOthello::new();
    let bench = Bench::new(&game);
    let (table, knowledge, control) = (&bench.table, &bench.knowledge, &Control::default());
    let resources = Resources { table, knowledge, control, clock: &StoppedClock, team: None };
    let root = Root::new(&game, &start(&game));
    let mut depths = Vec::new();
    let mut tell = |progress: &search::Progress<'_>| {
        assert!(!progress.principal_variation.is_empty());
        depths.push(progress.depth.0);
    };
    let settings = Settings::new(Engine::NegaScout);
    search::search(&game, &root, &settings, &Limits::to_depth(6), resources, &mut tell).unwrap();
    assert_eq!(depths, [1, 2, 3, 4, 5, 6]);
}
