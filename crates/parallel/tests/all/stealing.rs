//! Searches that share out their brothers: the same value as a sequential search, whatever happens on the way.

#![allow(clippy::unwrap_used)]

use std::time::Duration;

use crate::cases::{Case, laboratory, only_these_died};
use crate::support::{self, Bench, random_positions};
use fabric::ProcessorId;
use parallel::stealing::{Laboratory, Policy, Simulated, TableKind, Task, on_threads, simulated};
use parallel::{Activity, Measures, Method, Timeline};
use search::{Control, Engine, Limits, Resources, Root, Settings};
use table::Table;

/// What homes know is in tables of the size that was asked for, and little searches stay where the table says so.
#[test]
fn homes_have_tables_of_the_configured_size() {
    let game = support::compiled::<64>("othello");
    let bench = Bench::new(&game);
    let position = random_positions(&game, 1, 12, 5).remove(0);
    for engine in [Engine::NegaScout, Engine::Mtdf] {
        let position = position.clone();
        let case = Case { bench: &bench, position, settings: Settings::new(engine).exact(), depth: 6 };
        let run = |table_bytes, table_depth| {
            let usual = laboratory(8, 3, TableKind::Partitioned);
            let found =
                case.simulate(Policy::TDSAB, &Laboratory { table_bytes, table_depth, ..usual }, "homes");
            let mut all = Measures::default();
            found.together.measures.iter().flatten().for_each(|one| all += one);
            (found.together.report.score, found.together.report.nodes, all.message_count())
        };
        let (small, large, shallow) = (run(1 << 9, 1), run(1 << 20, 1), run(1 << 20, 3));
        assert_eq!((small.0, shallow.0), (large.0, large.0));
        assert!(small.1 > large.1, "{engine:?}: {} nodes with little memory, {} with much", small.1, large.1);
        assert!(shallow.2 < large.2, "{engine:?}: {} messages instead of {}", shallow.2, large.2);
    }
}

#[test]
fn the_same_seed_gives_the_same_run() {
    let game = support::compiled::<64>("chess");
    let bench = Bench::new(&game);
    let position = support::start(&game);
    let case = Case { bench: &bench, position, settings: Settings::new(Engine::NegaScout).exact(), depth: 4 };
    let run = |seed| {
        let found = case.simulate(
            Policy::YBWC,
            &laboratory(32, seed, TableKind::Partitioned),
            &format!("seed {seed}"),
        );
        (found.trace, found.time, found.together.report.nodes)
    };
    assert_eq!(run(3), run(3));
    assert_ne!(run(3), run(4));
}

#[test]
fn all_kinds_of_messages_are_counted() {
    let game = support::compiled::<64>("othello");
    let bench = Bench::new(&game);
    let position = support::start(&game);
    let case = Case { bench: &bench, position, settings: Settings::new(Engine::NegaScout).exact(), depth: 6 };
    let found = case.simulate(Policy::YBWC, &laboratory(8, 1, TableKind::Replicated), "othello");
    let mut all = Measures::default();
    found.together.measures.iter().flatten().for_each(|one| all += one);
    for name in ["request", "work", "return", "iteration", "entries", "end"] {
        let kind = Measures::MESSAGES.iter().position(|known| *known == name).unwrap();
        assert!(all.messages[kind].0 > 0 && all.messages[kind].1 > 0, "{name}: {:?}", all.messages);
    }
}

/// A processor that reaches into the memory of others sends no message of ours, but bytes travel.
#[test]
fn what_travels_to_the_parts_of_a_table_is_counted() {
    let game = support::compiled::<64>("othello");
    let bench = Bench::new(&game);
    let position = support::start(&game);
    let case = Case { bench: &bench, position, settings: Settings::new(Engine::NegaScout).exact(), depth: 6 };
    let found = case.simulate(Policy::YBWC, &laboratory(8, 1, TableKind::Partitioned), "othello");
    let mut all = Measures::default();
    found.together.measures.iter().flatten().for_each(|one| all += one);
    let of = |name| all.messages[Measures::MESSAGES.iter().position(|known| *known == name).unwrap()];
    assert!(of("questions").0 > 0 && of("entries").0 > 0 && of("entries").1 > of("entries").0);
    assert_eq!(of("questions").0, of("answers").0);
}

/// Those who began before their eldest brother was searched are told when it is done; no others are.
#[test]
fn only_mandatory_work_first_waits_for_elder_brothers() {
    let game = support::compiled::<64>("othello");
    let bench = Bench::new(&game);
    let position = support::start(&game);
    let case = Case { bench: &bench, position, settings: Settings::new(Engine::NegaScout).exact(), depth: 6 };
    let release = Measures::MESSAGES.iter().position(|known| *known == "release").unwrap();
    let releases = |policy| {
        let found = case.simulate(policy, &laboratory(8, 1, TableKind::Shared), "othello");
        found.together.measures.iter().flatten().map(|one| one.messages[release].0).sum::<u64>()
    };
    assert!(releases(Policy::MANDATORY_WORK) > 0);
    assert_eq!(releases(Policy::KEY_NODE), 0);
}

#[test]
fn a_dead_processor_loses_nothing() {
    for (name, depth) in [("chess", 4), ("othello", 5)] {
        let game = support::compiled::<64>(name);
        let bench = Bench::new(&game);
        let position = random_positions(&game, 1, 20, 3).remove(0);
        let case =
            Case { bench: &bench, position, settings: Settings::new(Engine::NegaScout).exact(), depth };
        let truth = case.sequential();
        let whole = case.simulate(Policy::YBWC, &laboratory(8, 0, TableKind::Shared), name).time;
        for seed in 0..40_u64 {
            let mut laboratory = laboratory(8, seed, TableKind::Shared);
            let victim = ProcessorId((seed % 8) as u32);
            let moment = whole * (seed as u32 * 7 % 41) / 40;
            laboratory.machine.faults.deaths = vec![(victim, moment)];
            let what = format!("{name} seed {seed}");
            let found = case.simulate(Policy::YBWC, &laboratory, &what);
            let report = &found.together.report;
            assert_eq!((report.score, report.depth), (truth.score, truth.depth), "{what}");
            only_these_died(&found, &[victim], &what);
        }
    }
}

/// All that can be chosen by name, with few and many processors, of which one dies in every other run.
#[test]
fn every_algorithm_by_name_has_the_right_value() {
    for (name, depth) in [("othello", 4), ("checkers", 5)] {
        let game = support::compiled::<64>(name);
        let bench = Bench::new(&game);
        let position = random_positions(&game, 1, 16, 7).remove(0);
        let settings = Settings::new(Engine::NegaScout).exact();
        let case = Case { bench: &bench, position, settings, depth };
        let truth = case.sequential();
        for (policy_name, policy) in Policy::NAMED {
            let mut busy = 0;
            for (seed, processors) in [(1_u64, 4), (2, 40), (3, 13), (5, 2)] {
                let mut laboratory = laboratory(processors, seed, TableKind::Shared);
                let what = format!("{name} {policy_name} seed {seed}");
                let mut found = case.simulate(policy, &laboratory, &what);
                only_these_died(&found, &[], &what);
                let nodes = |found: &Simulated| {
                    found.together.measures.iter().flatten().filter(|one| one.nodes > 0).count()
                };
                busy += nodes(&found).saturating_sub(1);
                if seed % 2 == 1 {
                    let victim = ProcessorId(seed as u32 % processors as u32);
                    laboratory.machine.faults.deaths = vec![(victim, found.time / 2)];
                    found = case.simulate(policy, &laboratory, &what);
                    only_these_died(&found, &[victim], &what);
                }
                let report = &found.together.report;
                assert_eq!((report.score, report.depth), (truth.score, truth.depth), "{what}");
            }
            assert!(busy > 0, "{name} {policy_name}: nobody but the leader has searched anything");
        }
    }
}

#[test]
fn threads_find_the_same_values() {
    let policies_of_every_kind = [
        Policy::YBWC,
        Policy::JAMBOREE,
        Policy::YBWC_1_2_STAR,
        Policy::ASPIRATION,
        Policy::UIDPABS,
        Policy::APHID,
        Policy::ER,
        Policy::SSS,
        Policy::TDSAB,
        Method::default().side_by_side(),
    ];
    for (name, depth) in [("chess", 4), ("checkers", 6), ("othello", 5), ("connect4", 6)] {
        let game = support::compiled::<64>(name);
        let bench = Bench::new(&game);
        for position in random_positions(&game, 3, 30, 11) {
            let settings = Settings::new(Engine::NegaScout).exact();
            let case = Case { bench: &bench, position, settings, depth };
            let truth = case.sequential();
            for policy in policies_of_every_kind {
                bench.table.clear();
                let (control, root) = (Control::default(), Root::new(&game, &case.position));
                let limits = Limits::to_depth(depth);
                let knowledge = &bench.knowledge;
                let timeline = None;
                let task = Task { game: &game, root: &root, settings, limits, knowledge, policy, timeline };
                let resources = Resources {
                    table: &bench.table,
                    knowledge,
                    control: &control,
                    clock: &search::StoppedClock,
                    team: None,
                };
                let found = on_threads(&task, 3, resources, &mut |_| {}).unwrap();
                assert_eq!(found.report.score, truth.score, "{name} {policy:?}");
                assert_eq!(found.report.threads_lost, 0, "{name} {policy:?}");
            }
        }
    }
}

/// The times of a recorded search are those that were measured, and no processor does two things at once.
#[test]
fn timelines_agree_with_measures() {
    let game = support::compiled::<64>("othello");
    let bench = Bench::new(&game);
    let position = random_positions(&game, 1, 20, 3).remove(0);
    let (root, timeline) = (Root::new(&game, &position), Timeline::new(4));
    let task = Task {
        game: &game,
        root: &root,
        settings: Settings::new(Engine::NegaScout).exact(),
        limits: Limits::to_depth(5),
        knowledge: &bench.knowledge,
        policy: Policy::YBWC,
        timeline: Some(&timeline),
    };
    let found = simulated(&task, &laboratory(4, 5, TableKind::Shared)).unwrap();
    let intervals = timeline.take();
    assert_eq!(timeline.lost(), 0);
    for pair in intervals.windows(2).filter(|pair| pair[0].processor == pair[1].processor) {
        assert!(pair[0].to <= pair[1].from && pair[0].what != pair[1].what, "{pair:?}");
    }
    for (index, measures) in found.together.measures.iter().flatten().enumerate() {
        let spent = |what| -> Duration {
            let own = intervals.iter().filter(|one| one.processor.index() == index && one.what == what);
            own.map(|one| one.to - one.from).sum()
        };
        assert_eq!(spent(Activity::Searching), measures.search);
        assert_eq!(spent(Activity::WaitingForSlaves), measures.wait_for_slaves);
        assert_eq!(spent(Activity::Synchronising), measures.synchronise);
        assert_eq!(spent(Activity::NoWork), measures.look_for_work);
    }
    let whole: Vec<Activity> = intervals.iter().map(|one| one.what).collect();
    assert!(Activity::NAMED.iter().all(|(_, what)| whole.contains(what)), "{whole:?}");
}
