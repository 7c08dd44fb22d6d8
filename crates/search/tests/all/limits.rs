//! Determinism, limits and stopping.

#![allow(clippy::unwrap_used)]

use crate::support;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::support::{Bench, compiled, random_positions, start};
use game::{Game, MoveList, Outcome, Stage, fen};
use search::{
    Clock, Control, Engine, Heuristics, Limits, Report, Resources, Root, Settings, StoppedClock, TimeLimit,
};

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

/// However small the limit, the first depth is finished: a mate in one is seen.
#[test]
fn a_mate_in_one_is_seen_however_small_the_limit() {
    let game = native::NativeChess::new();
    let bench = Bench::new(&game);
    let mate = fen::read(game.info(), "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1").unwrap();
    for engine in Engine::ALL {
        for nodes in [0, 1, 2, 17] {
            let report = bench.run(&mate, &Settings::new(engine), &Limits::to_nodes(nodes));
            let mut after = game.pack(&mate);
            game.play(&mut after, report.best.as_ref().unwrap().view());
            let finished = game.generate(&after, Stage::All, &mut MoveList::new()).unwrap();
            assert_eq!(finished, Some(Outcome::Loss), "{engine:?} {nodes}");
            if Engine::FULL_WIDTH.contains(&engine) {
                assert_eq!((report.depth.0, report.score), (1, search::Score::win_in(1)), "{engine:?}");
            }
        }
    }
}

/// Every game of the library, and two that were written to be nasty: one node, one millisecond, and a search that is
/// stopped before it begins.
#[test]
fn the_first_depth_is_finished_in_every_game() {
    let began = Instant::now();
    let clock = move || began.elapsed();
    let time = TimeLimit::Fixed(Duration::from_millis(1));
    let check = |game: &jit::Compiled<512>, name: &str, is_small: bool| {
        let bench = Bench::new(game);
        let settings = Settings::new(Engine::NegaScout);
        if is_small {
            let report = bench.run(&start(game), &settings, &Limits::to_nodes(1));
            assert!(report.depth.0 >= 1 && report.best.is_some(), "{name}: {:?}", report.depth);
            bench.control.stop();
            let report = bench.run(&start(game), &settings, &Limits::default());
            assert!(report.depth.0 >= 1 && report.best.is_some(), "{name} stopped: {:?}", report.depth);
        }
        let limits = Limits { time, ..Limits::default() };
        let report = run_timed(game, Engine::NegaScout, &limits, &Control::default(), &clock);
        assert!(report.best.is_some(), "{name}");
        // Where it once took minutes.
        assert!(report.elapsed < Duration::from_secs(5), "{name}: {:?}", report.elapsed);
    };
    for name in support::all_two_player_games() {
        check(&compiled(&name), &name, true);
    }
    check(&support::fixture("turning"), "turning", true);
    check(&support::fixture("connect6"), "connect6", false);
}

/// A rule that goes wrong in the fifth move does not take away what four plies have shown.
#[test]
fn a_fault_keeps_what_is_known() {
    let game = support::fixture::<64>("fault_after_four");
    let bench = Bench::new(&game);
    for engine in Engine::FULL_WIDTH {
        let settings = Settings::new(engine).exact();
        let report = bench.run(&start(&game), &settings, &Limits::to_depth(9));
        let fault = report.fault.expect("the rules go wrong");
        assert!(fault.message.contains("out of range for `moves_made`"), "{engine:?}: {fault}");
        assert!(report.best.is_some() && report.depth.0 >= 3, "{engine:?}: {:?}", report.depth);
    }
    for engine in [Engine::MonteCarlo, Engine::ProofNumber, Engine::DfPn] {
        let report = bench.run(&start(&game), &Settings::new(engine), &Limits::to_nodes(5000));
        assert!(report.fault.is_some() && report.best.is_some(), "{engine:?}");
    }
}

/// A third check ends the game: nothing may be compared, passed or searched beyond it.
#[test]
fn nothing_is_searched_beyond_the_end() {
    let game = compiled::<64>("threecheck");
    let bench = Bench::new(&game);
    let settings = Settings::new(Engine::NegaScout);
    for position in random_positions(&game, 20, 60, 5) {
        let report = bench.run(&position, &settings, &Limits::to_nodes(30_000));
        assert_eq!(report.fault, None);
    }
}

/// A position with very many moves does not keep the caller waiting.
#[test]
fn generation_and_learning_can_be_stopped() {
    let game = support::fixture::<512>("connect6");
    let position = game.pack(&start(&game));
    let asked = Arc::new(AtomicU64::new(0));
    let count = Arc::clone(&asked);
    let stop = move || count.fetch_add(1, Ordering::Relaxed) > 0;
    let fault = game::stopping::unless(Arc::new(stop), || {
        game.generate(&position, Stage::All, &mut MoveList::new()).unwrap_err()
    });
    assert!(fault.is_stopped(), "{fault}");
    assert!(asked.load(Ordering::Relaxed) >= 2);
    let fault = game::stopping::unless(Arc::new(|| true), || {
        search::Knowledge::learn(&game, &start(&game)).unwrap_err()
    });
    assert!(fault.is_stopped(), "{fault}");
    // It is as good as new afterwards.
    let mut moves = MoveList::new();
    assert_eq!(game.generate(&position, Stage::All, &mut moves), Ok(None));
    assert_eq!(moves.len(), 361 * 360 / 2);
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

/// A clock that moves on by a millisecond whenever it is looked at: how busy the machine is does not matter.
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
