//! Searches that share out their brothers: the same value as a sequential search, whatever happens on the way.

#![allow(clippy::unwrap_used)]

use crate::support;
use std::cell::Cell;
use std::collections::HashMap;
use std::time::Duration;

use crate::support::{Bench, random_positions};
use fabric::ProcessorId;
use fabric::simulation::{Faults, Machine, Network};
use game::{Game, MoveList, Position, Signature, Stage};
use parallel::stealing::{
    Laboratory, Policy, Simulated, TableKind, Task, Victims, on_threads, simulated, simulated_with,
};
use parallel::{Activity, Measures, Timeline};
use search::{Control, Engine, Limits, Resources, Root, Score, Settings};
use table::{Bound, Bucketed, Entry, Replacement, Stored, Table};

fn laboratory(processors: usize, seed: u64, tables: TableKind) -> Laboratory {
    let mut machine = Machine::with_network(processors, Network::INFINIBAND);
    machine.seed = seed;
    machine.faults = Faults { delay: 20, ..Faults::default() };
    Laboratory {
        machine,
        node_cost: Duration::from_micros(2),
        tables,
        table_bytes: 1 << 14,
        table_depth: (seed % 3) as u8,
        prefetch: !seed.is_multiple_of(4),
    }
}

struct Case<'game, G: Game> {
    bench: &'game Bench<'game, G>,
    position: Position,
    settings: Settings,
    depth: i32,
}

impl<G: Game> Case<'_, G> {
    fn sequential(&self) -> search::Report {
        self.bench.run(&self.position, &self.settings, &Limits::to_depth(self.depth))
    }

    fn simulate(&self, policy: Policy, laboratory: &Laboratory) -> Simulated {
        let root = Root::new(self.bench.game, &self.position);
        let task = Task {
            game: self.bench.game,
            root: &root,
            settings: Settings { seed: laboratory.machine.seed, ..self.settings },
            limits: Limits::to_depth(self.depth),
            knowledge: &self.bench.knowledge,
            policy,
            timeline: None,
        };
        let seed = laboratory.machine.seed;
        simulated(&task, laboratory).unwrap_or_else(|error| {
            panic!("{error}; {policy:?}; if seeds are tried, again with PARALLEL_SEED={seed}")
        })
    }
}

fn policies() -> Vec<(&'static str, Policy)> {
    let mut all: Vec<(&str, Policy)> = Policy::NAMED.to_vec();
    let neighbours = Victims::Neighbours { hops: 8 };
    all.push(("neighbours", Policy { victims: neighbours, ..Policy::YBWC_1_2_STAR }));
    all.push(("passed on", Policy { victims: Victims::Passed { hops: 3 }, ..Policy::YBWC_1_2 }));
    all.push(("tree", Policy { victims: Victims::Father { sons: 3 }, ..Policy::YBWC }));
    all.push(("kept requests", Policy { keeps_requests: true, ..Policy::YBWC }));
    all.push((
        "kept requests of neighbours",
        Policy { keeps_requests: true, victims: neighbours, ..Policy::YBWC_1_2 },
    ));
    all.push(("slow start, no help", Policy { slow_start: true, helps: false, ..Policy::YBWC }));
    all
}

/// Games of all kinds with a depth that takes a moment.
const GAMES: [(&str, i32); 10] = [
    ("breakthrough", 4),
    ("checkers", 6),
    ("chess", 4),
    ("clobber", 3),
    ("connect4", 6),
    ("domineering", 3),
    ("loa", 3),
    ("othello", 5),
    ("tictactoe", 6),
    ("xiangqi", 3),
];

/// How many seeds are tried: PARALLEL_SEEDS says more, PARALLEL_SEED just one.
fn seeds() -> Vec<u64> {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    match number("PARALLEL_SEED") {
        Some(seed) => vec![seed],
        None => (0..number("PARALLEL_SEEDS").unwrap_or(40)).collect(),
    }
}

/// A run that is all decided by its seed: game, position, algorithm, policy, tables, processors and delays; in every other run
/// a processor dies at a random moment. It must have the value of the sequential search.
fn try_seed(seed: u64, policies: &[(&str, Policy)]) {
    let mut random = fastrand::Rng::with_seed(seed);
    let (name, depth) = GAMES[seed as usize % GAMES.len()];
    let game = support::compiled::<64>(name);
    let bench = Bench::new(&game);
    let position = random_positions(&game, 1, 30, seed).remove(0);
    let engine = [Engine::NegaScout, Engine::AlphaBeta, Engine::Mtdf][random.usize(..3)];
    let settings = Settings::new(engine).exact();
    let case = Case { bench: &bench, position, settings, depth };
    let truth = case.sequential();
    let (policy_name, policy) = policies[random.usize(..policies.len())];
    let policy = Policy { exchanges: policy.exchanges || seed.is_multiple_of(3), ..policy };
    let all = [
        TableKind::Shared,
        TableKind::Partitioned,
        TableKind::Replicated,
        TableKind::Asked,
        TableKind::Local,
    ];
    let tables = all[random.usize(..all.len())];
    let processors = [1, 2, 3, 5, 16, 64][random.usize(..6)];
    let mut laboratory = laboratory(processors, seed, tables);
    let mut found = case.simulate(policy, &laboratory);
    if processors > 1 && seed % 2 == 1 {
        let victim = ProcessorId(random.u32(..processors as u32));
        laboratory.machine.faults.deaths = vec![(victim, found.time * random.u32(..=100) / 100)];
        found = case.simulate(policy, &laboratory);
    }
    let report = &found.together.report;
    assert_eq!(
        (report.score, report.depth),
        (truth.score, truth.depth),
        "{name} by {engine:?} and {policy_name}, {tables:?} tables, {processors} processors; again with \
         PARALLEL_SEED={seed} cargo test -p parallel --test all stealing::"
    );
}

#[test]
fn values_are_those_of_a_sequential_search() {
    let policies = policies();
    seeds().into_iter().for_each(|seed| try_seed(seed, &policies));
}

/// Homes ask in other windows with every algorithm, and have jobs that only they have.
#[test]
fn values_of_questions_to_homes_are_those_of_a_sequential_search() {
    seeds().into_iter().for_each(|seed| try_seed(seed, &[("tdsab", Policy::TDSAB)]));
}

/// A table that believes nothing: every bound that is stored must agree with what NegaMax says of the position.
struct Judged<'oracle> {
    table: Bucketed,
    truth: &'oracle HashMap<(Signature, u8), Score>,
    judged: Cell<usize>,
}

impl Table for Judged<'_> {
    fn probe(&self, signature: Signature) -> Option<Entry> {
        self.table.probe(signature)
    }

    fn store(&self, signature: Signature, entry: Entry) -> Stored {
        if let Some(truth) = self.truth.get(&(signature, entry.depth)) {
            let (score, truth) = (entry.score, truth.value());
            let agrees = match entry.bound {
                Bound::Exact => score == truth,
                Bound::Lower => score <= truth,
                Bound::Upper => score >= truth,
            };
            assert!(agrees, "{:?} {score} where the truth is {truth}", entry.bound);
            self.judged.set(self.judged.get() + 1);
        }
        self.table.store(signature, entry)
    }

    fn next_generation(&self) {}

    fn clear(&self) {}

    fn full_per_mille(&self) -> u32 {
        0
    }

    fn capacity(&self) -> usize {
        self.table.capacity()
    }
}

/// What NegaMax says of every position within so many plies, seen from that position.
fn oracle<G: Game>(
    game: &G,
    position: &G::Position,
    depth: u8,
    known: &mut HashMap<(Signature, u8), Score>,
) -> Score {
    let key = (game.signature(position), depth);
    if let Some(score) = known.get(&key) {
        return *score;
    }
    let mut moves = MoveList::new();
    let score = match game.generate(position, Stage::All, &mut moves).unwrap() {
        Some(outcome) => Score::of_outcome(outcome, 0),
        None if depth == 0 => Score::estimate(game.evaluate(position).unwrap()),
        None => {
            let one = |played: game::MoveView<'_>, known: &mut HashMap<_, _>| {
                if let Some(outcome) = played.head.outcome() {
                    return Score::of_outcome(outcome, 1);
                }
                let mut child = position.clone();
                game.play(&mut child, played);
                // A ply further away than the child sees it.
                Score::from_stored((-oracle(game, &child, depth - 1, known)).value(), 1)
            };
            moves.iter().map(|played| one(played, known)).max().unwrap()
        }
    };
    known.insert(key, score);
    score
}

#[test]
fn every_bound_on_the_way_agrees_with_the_oracle() {
    for (name, depth) in [("connect4", 6), ("othello", 5), ("breakthrough", 4)] {
        let game = support::compiled::<64>(name);
        let bench = Bench::new(&game);
        let position = random_positions(&game, 1, 12, 5).remove(0);
        let root = Root::new(&game, &position);
        let mut truth = HashMap::new();
        for depth in 1..=depth {
            oracle(&game, &game.pack(&position), depth, &mut truth);
        }
        let mut judged = 0;
        let by_negascout = policies().into_iter().map(|(name, policy)| (name, policy, Engine::NegaScout));
        // Homes ask in other windows with other engines.
        let others = [Engine::AlphaBeta, Engine::Mtdf, Engine::SssStar, Engine::DualStar];
        let by_others = others.map(|engine| (engine.name(), Policy::TDSAB, engine));
        for (seed, (policy_name, policy, engine)) in by_negascout.chain(by_others).enumerate() {
            let laboratory = laboratory(16, seed as u64, TableKind::Local);
            let settings = Settings { seed: seed as u64, ..Settings::new(engine).exact() };
            let (limits, knowledge) = (Limits::to_depth(i32::from(depth)), &bench.knowledge);
            let timeline = None;
            let task = Task { game: &game, root: &root, settings, limits, knowledge, policy, timeline };
            let table = Bucketed::new(1, Replacement::Age);
            let table = Judged { table, truth: &truth, judged: Cell::new(0) };
            let found = simulated_with(&task, &laboratory, &|here, search| search(here, &table)).unwrap();
            let expected = truth[&(game.signature(&game.pack(&position)), depth)];
            assert_eq!(found.together.report.score, expected, "{name} {policy_name}");
            assert!(
                found.together.measures.iter().all(Option::is_some),
                "{name} {policy_name}: a bound was wrong"
            );
            judged += table.judged.get();
            assert!(table.judged.get() > 0, "{name} {policy_name}: nothing was stored");
        }
        assert!(judged > 1000, "{name}: {judged}");
    }
}

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
            let found = case.simulate(Policy::TDSAB, &Laboratory { table_bytes, table_depth, ..usual });
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
        let found = case.simulate(Policy::YBWC, &laboratory(32, seed, TableKind::Partitioned));
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
    let found = case.simulate(Policy::YBWC, &laboratory(8, 1, TableKind::Replicated));
    let mut all = Measures::default();
    found.together.measures.iter().flatten().for_each(|one| all += one);
    for name in ["request", "work", "return", "iteration", "entries", "end"] {
        let kind = Measures::MESSAGES.iter().position(|known| *known == name).unwrap();
        assert!(all.messages[kind].0 > 0 && all.messages[kind].1 > 0, "{name}: {:?}", all.messages);
    }
}

/// Those who began before their eldest brother was searched are told when it is done; nobody else is.
#[test]
fn only_mandatory_work_first_waits_for_elder_brothers() {
    let game = support::compiled::<64>("othello");
    let bench = Bench::new(&game);
    let position = support::start(&game);
    let case = Case { bench: &bench, position, settings: Settings::new(Engine::NegaScout).exact(), depth: 6 };
    let release = Measures::MESSAGES.iter().position(|known| *known == "release").unwrap();
    let releases = |policy| {
        let found = case.simulate(policy, &laboratory(8, 1, TableKind::Shared));
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
        let whole = case.simulate(Policy::YBWC, &laboratory(8, 0, TableKind::Shared)).time;
        for seed in 0..40_u64 {
            let mut laboratory = laboratory(8, seed, TableKind::Shared);
            let victim = ProcessorId((seed % 8) as u32);
            let moment = whole * (seed as u32 * 7 % 41) / 40;
            laboratory.machine.faults.deaths = vec![(victim, moment)];
            let found = case.simulate(Policy::YBWC, &laboratory);
            let report = &found.together.report;
            assert_eq!((report.score, report.depth), (truth.score, truth.depth), "{name} seed {seed}");
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
                let mut found = case.simulate(policy, &laboratory);
                let nodes = |found: &Simulated| {
                    found.together.measures.iter().flatten().filter(|one| one.nodes > 0).count()
                };
                busy += nodes(&found).saturating_sub(1);
                if seed % 2 == 1 {
                    let victim = ProcessorId(seed as u32 % processors as u32);
                    laboratory.machine.faults.deaths = vec![(victim, found.time / 2)];
                    found = case.simulate(policy, &laboratory);
                }
                let report = &found.together.report;
                assert_eq!((report.score, report.depth), (truth.score, truth.depth), "{name} {policy_name}");
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
                assert_eq!(found.report.score, truth.score, "{name}");
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
