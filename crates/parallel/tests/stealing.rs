//! Searches that share out their brothers: the same value as a sequential search, whatever happens on the way.

#![allow(clippy::unwrap_used)]

#[path = "../../search/tests/support/mod.rs"]
mod support;

use std::time::Duration;

use fabric::ProcessorId;
use fabric::simulation::{Faults, Machine, Network};
use game::{Game, Position};
use parallel::stealing::{Laboratory, Policy, Simulated, TableKind, Task, Victims, on_threads, simulated};
use search::{Control, Engine, Limits, Resources, Root, Settings};
use support::{Bench, random_positions};
use table::Table as _;

fn laboratory(processors: usize, seed: u64, tables: TableKind) -> Laboratory {
    let mut machine = Machine::with_network(processors, Network::INFINIBAND);
    machine.seed = seed;
    machine.faults = Faults { delay: 20, ..Faults::default() };
    Laboratory { machine, node_cost: Duration::from_micros(2), tables, table_bytes: 1 << 14 }
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
        };
        simulated(&task, laboratory).unwrap()
    }
}

fn policies() -> Vec<(&'static str, Policy)> {
    let mut all: Vec<(&str, Policy)> = Policy::NAMED.to_vec();
    let neighbours = Victims::Neighbours { hops: 8 };
    all.push(("neighbours", Policy { victims: neighbours, ..Policy::YBWC_1_2_STAR }));
    all.push(("tree", Policy { victims: Victims::Father { sons: 3 }, ..Policy::YBWC }));
    all.push(("slow start, no help", Policy { slow_start: true, helps: false, ..Policy::YBWC }));
    all
}

const GAMES: [(&str, i32); 5] =
    [("chess", 4), ("checkers", 6), ("othello", 5), ("connect4", 6), ("breakthrough", 4)];

#[test]
fn values_are_those_of_a_sequential_search() {
    let tables = [TableKind::Shared, TableKind::Partitioned, TableKind::Local];
    for (name, depth) in GAMES {
        let game = support::compiled::<64>(name);
        let bench = Bench::new(&game);
        for (number, position) in random_positions(&game, 3, 30, 7).into_iter().enumerate() {
            for engine in [Engine::NegaScout, Engine::AlphaBeta, Engine::Mtdf] {
                let settings = Settings::new(engine).exact();
                let case = Case { bench: &bench, position: position.clone(), settings, depth };
                let truth = case.sequential();
                for (seed, (policy_name, policy)) in policies().into_iter().enumerate() {
                    let seed = (seed + 100 * number) as u64;
                    let processors = [2, 3, 16, 64][seed as usize % 4];
                    let laboratory = laboratory(processors, seed, tables[seed as usize % 3]);
                    let found = case.simulate(policy, &laboratory);
                    let report = &found.together.report;
                    assert_eq!(
                        (report.score, report.depth),
                        (truth.score, truth.depth),
                        "{name} {engine:?} {policy_name} position {number} seed {seed} on {processors}"
                    );
                }
            }
        }
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

#[test]
fn threads_find_the_same_values() {
    for (name, depth) in GAMES {
        let game = support::compiled::<64>(name);
        let bench = Bench::new(&game);
        for position in random_positions(&game, 4, 30, 11) {
            let settings = Settings::new(Engine::NegaScout).exact();
            let case = Case { bench: &bench, position, settings, depth };
            let truth = case.sequential();
            for policy in [Policy::YBWC, Policy::JAMBOREE, Policy::YBWC_1_2_STAR] {
                bench.table.clear();
                let (control, root) = (Control::default(), Root::new(&game, &case.position));
                let limits = Limits::to_depth(depth);
                let knowledge = &bench.knowledge;
                let task = Task { game: &game, root: &root, settings, limits, knowledge, policy };
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
