//! Exact searches have the value that a search on one processor has, whatever is delayed, slow, or dies on the way;
//! and every bound that is believed meanwhile agrees with NegaMax. Seeds decide all; a failure prints the
//! command that replays it.

#![allow(clippy::unwrap_used)]

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::time::Duration;

use crate::cases::{Case, laboratory, only_these_died, policies};
use crate::support::{self, Bench, random_positions};
use fabric::{Processor, ProcessorId};
use game::{Game, MoveList, Signature, Stage};
use parallel::asking::{Asking, Groups, Thresholds};
use parallel::stealing::{Laboratory, Policy, Simulated, TableKind, Task, simulated_with};
use parallel::tables::{Partitioned, Replicated};
use search::{Engine, Limits, Root, Score, Settings};
use table::{Bound, Bucketed, Entry, Replacement, Stored, Table};

/// Games of all kinds with a depth that takes a moment.
const GAMES: [(&str, i32); 10] = [
    ("breakthrough", 3),
    ("checkers", 5),
    ("chess", 3),
    ("clobber", 3),
    ("connect4", 6),
    ("domineering", 3),
    ("loa", 3),
    ("othello", 5),
    ("tictactoe", 6),
    ("xiangqi", 3),
];

const ENGINES: [Engine; 3] = [Engine::NegaScout, Engine::AlphaBeta, Engine::Mtdf];

const TABLES: [TableKind; 5] =
    [TableKind::Shared, TableKind::Partitioned, TableKind::Replicated, TableKind::Asked, TableKind::Local];

/// How many seeds are tried: PARALLEL_SEEDS says more, PARALLEL_SEED just one.
fn seeds(usual: u64) -> Vec<u64> {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    match number("PARALLEL_SEED") {
        Some(seed) => vec![seed],
        None => (0..number("PARALLEL_SEEDS").unwrap_or(usual)).collect(),
    }
}

/// The command that tries a seed again.
fn again(test: &str, seed: u64) -> String {
    format!("again with PARALLEL_SEED={seed} cargo test -p parallel --test all exactness::{test}")
}

/// Some processors are slower than the others.
fn slow_down(laboratory: &mut Laboratory, random: &mut fastrand::Rng) {
    let processors = laboratory.machine.processors;
    let count = random.usize(..=processors / 2);
    let slow = (0..count).map(|_| (ProcessorId(random.u32(..processors as u32)), random.u32(2..=16)));
    laboratory.machine.faults.slow = slow.collect();
}

/// How many policies each seed tries.
const POLICIES_OF_A_SEED: usize = 3;

/// Runs that are all decided by their seed: position, algorithm, policies, tables, processors, their speeds and
/// delays. They must have the value of the sequential search; then each is made again, and a processor dies at a
/// random moment.
fn try_seed<G: Game>(
    bench: &Bench<'_, G>,
    (name, depth): (&str, i32),
    seed: u64,
    mut policies: Vec<(&str, Policy)>,
) {
    let mut random = fastrand::Rng::with_seed(seed);
    let position = random_positions(bench.game, 1, 30, seed).remove(0);
    let engine = ENGINES[random.usize(..ENGINES.len())];
    let settings = Settings::new(engine).exact();
    let case = Case { bench, position, settings, depth };
    let truth = case.sequential();
    random.shuffle(&mut policies);
    for (policy_name, policy) in policies.into_iter().take(POLICIES_OF_A_SEED) {
        let policy = Policy { exchanges: policy.exchanges || seed.is_multiple_of(3), ..policy };
        let tables = TABLES[random.usize(..TABLES.len())];
        let processors = [1, 2, 3, 5, 16, 64][random.usize(..6)];
        let mut laboratory = laboratory(processors, seed, tables);
        slow_down(&mut laboratory, &mut random);
        let what = format!(
            "{name} by {engine:?} and {policy_name}, {tables:?} tables, {processors} processors; {}",
            again("values", seed)
        );
        let check = |found: &Simulated, victims: &[ProcessorId]| {
            let report = &found.together.report;
            assert_eq!((report.score, report.depth), (truth.score, truth.depth), "{victims:?} died; {what}");
            only_these_died(found, victims, &what);
        };
        let whole = case.simulate(policy, &laboratory, &what);
        check(&whole, &[]);
        if processors > 1 {
            let victim = ProcessorId(random.u32(..processors as u32));
            laboratory.machine.faults.deaths = vec![(victim, whole.time * random.u32(..=100) / 100)];
            check(&case.simulate(policy, &laboratory, &what), &[victim]);
        }
    }
}

/// Games are compiled once for all their seeds: every tenth seed is of the same one.
fn try_seeds_of(games: std::ops::Range<usize>, usual: u64, policies: &[(&str, Policy)]) {
    for number in games {
        let (name, depth) = GAMES[number];
        let game = support::compiled::<64>(name);
        let bench = Bench::new(&game);
        let own = |seed: &u64| *seed as usize % GAMES.len() == number;
        let seeds = seeds(usual).into_iter().filter(own);
        seeds.for_each(|seed| try_seed(&bench, (name, depth), seed, policies.to_vec()));
    }
}

#[test]
fn values_are_those_of_a_sequential_search() {
    try_seeds_of(0..5, 200, &policies());
}

#[test]
fn values_of_other_games_are_those_of_a_sequential_search() {
    try_seeds_of(5..GAMES.len(), 200, &policies());
}

/// Homes ask in other windows with every algorithm, and have jobs that only they have.
#[test]
fn values_of_questions_to_homes_are_those_of_a_sequential_search() {
    try_seeds_of(0..GAMES.len(), 60, &[("tdsab", Policy::TDSAB)]);
}

type Truth = HashMap<(Signature, u8), Score>;

/// A table that believes nothing: every bound that is stored, heard of or answered must agree with what NegaMax says
/// of the position.
struct Judged<'run> {
    table: &'run dyn Table,
    verdicts: &'run Verdicts<'run>,
}

/// What was wrong, and how much was judged.
struct Verdicts<'run> {
    truth: &'run Truth,
    judged: Cell<usize>,
    wrong: RefCell<Vec<String>>,
}

impl Verdicts<'_> {
    fn judge(&self, signature: Signature, entry: Entry) {
        let Some(truth) = self.truth.get(&(signature, entry.depth)) else { return };
        let (score, truth) = (entry.score, truth.value());
        let agrees = match entry.bound {
            Bound::Exact => score == truth,
            Bound::Lower => score <= truth,
            Bound::Upper => score >= truth,
        };
        if !agrees {
            self.wrong.borrow_mut().push(format!("{:?} {score} where the truth is {truth}", entry.bound));
        }
        self.judged.set(self.judged.get() + 1);
    }
}

impl Table for Judged<'_> {
    fn probe(&self, signature: Signature) -> Option<Entry> {
        let entry = self.table.probe(signature);
        entry.into_iter().for_each(|entry| self.verdicts.judge(signature, entry));
        entry
    }

    fn probe_for(&self, signature: Signature, depth: u8) -> Option<Entry> {
        let entry = self.table.probe_for(signature, depth);
        entry.into_iter().for_each(|entry| self.verdicts.judge(signature, entry));
        entry
    }

    fn touch(&self, signature: Signature) {
        self.table.touch(signature);
    }

    fn touch_for(&self, signature: Signature, depth: u8) {
        self.table.touch_for(signature, depth);
    }

    fn store(&self, signature: Signature, entry: Entry) -> Stored {
        self.verdicts.judge(signature, entry);
        self.table.store(signature, entry)
    }

    fn hear(&self, signature: Signature, entry: Entry) {
        self.verdicts.judge(signature, entry);
        self.table.hear(signature, entry);
    }

    fn time_spent(&self) -> Duration {
        self.table.time_spent()
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
fn oracle<G: Game>(game: &G, position: &G::Position, depth: u8, known: &mut Truth) -> Score {
    let key = (game.signature(position), depth);
    if let Some(score) = known.get(&key) {
        return *score;
    }
    let mut moves = MoveList::new();
    let score = match game.generate(position, Stage::All, &mut moves).unwrap() {
        Some(outcome) => Score::of_outcome(outcome, 0),
        None if depth == 0 => Score::estimate(game.evaluate(position).unwrap()),
        None => {
            let one = |played: game::MoveView<'_>, known: &mut Truth| {
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

/// Lets every processor search with a table of this kind that is judged.
fn simulate_judged<G: Game>(
    task: &Task<'_, G>,
    laboratory: &Laboratory,
    verdicts: &Verdicts<'_>,
    what: &str,
) -> Simulated {
    let processors = laboratory.machine.processors;
    let bytes = laboratory.table_bytes;
    let tables = |count: usize| -> Vec<Bucketed> {
        (0..count).map(|_| Bucketed::with_bytes(bytes, Replacement::Age)).collect()
    };
    let (own, near, depth_min) = (tables(processors), tables(processors), laboratory.table_depth);
    type Search<'search> = dyn FnMut(&dyn Processor, &dyn Table) + 'search;
    let program = |here: &dyn Processor, search: &mut Search<'_>| {
        let number = here.id().index();
        let mut judged = |here: &dyn Processor, table: &dyn Table| search(here, &Judged { table, verdicts });
        match laboratory.tables {
            TableKind::Shared => judged(here, &own[0]),
            TableKind::Local => judged(here, &own[number]),
            TableKind::Partitioned => judged(here, &Partitioned::new(here, &own, &near[number], depth_min)),
            TableKind::Replicated => {
                let others = here.neighbours();
                judged(here, &Replicated::new(here, &own[number], others, depth_min, task.policy.batch));
            }
            TableKind::Asked => {
                let alone = (0..processors as u32).map(|number| vec![ProcessorId(number)]);
                let groups = Groups::new(alone.collect(), here.id()).unwrap();
                let patience = laboratory.node_cost * 200;
                let thresholds = Thresholds::new(&task.policy, depth_min, patience);
                let asking = Asking::new(here, &own[number], groups, thresholds);
                judged(&asking, &asking);
            }
        }
    };
    simulated_with(task, laboratory, &program).unwrap_or_else(|error| panic!("{error}; {what}"))
}

/// Every bound of one game, by all algorithms that share a search, with engines and tables in turn: each algorithm
/// meets other tables in the next game, and again after as many seeds as there are algorithms. One processor dies on
/// the way.
fn judge_bounds(number: u64, name: &str, depth: u8) {
    let game = support::compiled::<64>(name);
    let bench = Bench::new(&game);
    let (policies, mut judged) = (policies(), 0);
    let count = policies.len() as u64;
    let chosen = seeds(count);
    for &seed in &chosen {
        let (policy_name, policy) = policies[(seed % count) as usize];
        let mut random = fastrand::Rng::with_seed(seed);
        let position = random_positions(&game, 1, 12, seed % 4).remove(0);
        let mut truth = HashMap::new();
        (1..=depth).for_each(|depth| {
            oracle(&game, &game.pack(&position), depth, &mut truth);
        });
        let expected = truth[&(game.signature(&game.pack(&position)), depth)];
        let root = Root::new(&game, &position);
        let engine = ENGINES[random.usize(..ENGINES.len())];
        let settings = Settings { seed, ..Settings::new(engine).exact() };
        let (limits, knowledge) = (Limits::to_depth(i32::from(depth)), &bench.knowledge);
        let task = Task { game: &game, root: &root, settings, limits, knowledge, policy, timeline: None };
        let tables = TABLES[((seed % count + seed / count + number) % TABLES.len() as u64) as usize];
        let processors = [2, 5, 16, 64][random.usize(..4)];
        let mut laboratory = laboratory(processors, seed, tables);
        slow_down(&mut laboratory, &mut random);
        let verdicts = Verdicts { truth: &truth, judged: Cell::new(0), wrong: RefCell::default() };
        let what =
            format!("{name} by {engine:?} and {policy_name}, {tables:?}; {}", again("every_bound", seed));
        let check = |found: &Simulated, victims: &[ProcessorId]| {
            let wrong = verdicts.wrong.borrow();
            assert!(wrong.is_empty(), "{} bounds are wrong: {}; {what}", wrong.len(), wrong[0]);
            assert_eq!(found.together.report.score, expected, "{what}");
            only_these_died(found, victims, &what);
        };
        let whole = simulate_judged(&task, &laboratory, &verdicts, &what);
        check(&whole, &[]);
        let victim = ProcessorId(random.u32(..processors as u32));
        laboratory.machine.faults.deaths = vec![(victim, whole.time * random.u32(..=100) / 100)];
        check(&simulate_judged(&task, &laboratory, &verdicts, &what), &[victim]);
        judged += verdicts.judged.get();
    }
    assert!(judged > 1000 || chosen.len() == 1, "{name}: {judged}");
}

#[test]
fn every_bound_on_the_way_agrees_with_the_oracle() {
    let games = [
        ("breakthrough", 3),
        ("checkers", 5),
        ("chess", 3),
        ("clobber", 2),
        ("connect4", 5),
        ("domineering", 2),
        ("loa", 2),
        ("othello", 4),
        ("tictactoe", 5),
        ("xiangqi", 2),
    ];
    (0..).zip(games).for_each(|(number, (name, depth))| judge_bounds(number, name, depth));
}
