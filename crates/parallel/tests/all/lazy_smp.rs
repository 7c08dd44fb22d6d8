//! A search with helpers: the value of exact searches, limits, and how it ends.

#![allow(clippy::unwrap_used)]

use crate::support;
use std::collections::HashSet;
use std::sync::Mutex;
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

use crate::support::{random_positions, start};
use game::{Game, Position, Signature};
use search::{Control, Engine, Knowledge, Limits, Report, Resources, Root, Score, Settings, TimeLimit};
use table::{Bucketed, Entry, Replacement, Stored, Table};

fn compiled(name: &str) -> jit::Compiled<64> {
    support::compiled(name)
}

struct Bench<'game, G: Game> {
    game: &'game G,
    knowledge: Knowledge,
    table: Bucketed,
    control: Control,
}

impl<'game, G: Game> Bench<'game, G> {
    fn new(game: &'game G, table_bytes: usize) -> Bench<'game, G> {
        let knowledge = Knowledge::learn(game, &start(game)).unwrap();
        let table = Bucketed::with_bytes(table_bytes, Replacement::Age);
        Bench { game, knowledge, table, control: Control::default() }
    }

    fn run(&self, position: &Position, settings: &Settings, limits: &Limits, threads: usize) -> Report {
        self.table.clear();
        self.control.reset();
        let began = Instant::now();
        let clock = || began.elapsed();
        let (table, knowledge, control) = (&self.table, &self.knowledge, &self.control);
        let resources = Resources { table, knowledge, control, clock: &clock, team: None };
        let root = Root::new(self.game, position);
        parallel::lazy_smp::search(self.game, &root, settings, limits, threads, resources, &mut |_| {})
            .unwrap()
    }
}

#[test]
fn exact_searches_have_the_value_of_negamax() {
    for name in ["breakthrough", "checkers", "chess", "connect4", "othello", "tictactoe"] {
        let game = compiled(name);
        // A table of some dozens of entries lets the threads get in each other's way.
        for (bytes, seed) in [(1 << 20, 0), (1 << 11, 1)] {
            let bench = Bench::new(&game, bytes);
            for position in random_positions(&game, 4, 30, 11).iter().skip(seed) {
                let depth = Limits::to_depth(3);
                let truth = bench.run(position, &Settings::new(Engine::NegaMax).exact(), &depth, 1);
                for engine in [Engine::NegaScout, Engine::AlphaBeta, Engine::Mtdf] {
                    let report = bench.run(position, &Settings::new(engine).exact(), &depth, 4);
                    assert_eq!(report.score, truth.score, "{name}, {engine:?}, {bytes}: {position:?}");
                    assert_eq!(report.depth, truth.depth);
                }
            }
        }
    }
}

#[test]
fn proofs_are_the_same_with_any_number_of_threads() {
    let game = compiled("tictactoe");
    let bench = Bench::new(&game, 1 << 20);
    let start = start(&game);
    let settings = Settings::new(Engine::NegaScout).exact();
    let alone = bench.run(&start, &settings, &Limits::default(), 1);
    let together = bench.run(&start, &settings, &Limits::default(), 4);
    assert!(alone.proven && together.proven);
    assert_eq!((alone.score, alone.nodes), (together.score, together.nodes));
}

#[test]
fn one_thread_is_the_search_itself() {
    let game = compiled("chess");
    let bench = Bench::new(&game, 1 << 20);
    let (start, settings, limits) = (start(&game), Settings::new(Engine::NegaScout), Limits::to_depth(7));
    let once = bench.run(&start, &settings, &limits, 1);
    bench.table.clear();
    let (table, knowledge, control) = (&bench.table, &bench.knowledge, &bench.control);
    let resources = Resources { table, knowledge, control, clock: &search::StoppedClock, team: None };
    let root = Root::new(&game, &start);
    let itself = search::search(&game, &root, &settings, &limits, resources, &mut |_| {}).unwrap();
    assert_eq!((once.nodes, once.score), (itself.nodes, itself.score));
    assert_eq!(once.statistics, itself.statistics);
}

/// A table that knows who wrote to it.
struct Visited {
    table: Bucketed,
    writers: Mutex<HashSet<ThreadId>>,
}

impl Table for Visited {
    fn probe(&self, signature: Signature) -> Option<Entry> {
        self.table.probe(signature)
    }

    fn store(&self, signature: Signature, entry: Entry) -> Stored {
        self.writers.lock().unwrap().insert(thread::current().id());
        self.table.store(signature, entry)
    }

    fn next_generation(&self) {
        self.table.next_generation();
    }

    fn clear(&self) {
        self.table.clear();
    }

    fn full_per_mille(&self) -> u32 {
        self.table.full_per_mille()
    }

    fn capacity(&self) -> usize {
        self.table.capacity()
    }
}

#[test]
fn helpers_work_and_are_counted() {
    let game = compiled("chess");
    let knowledge = Knowledge::learn(&game, &start(&game)).unwrap();
    let table = Visited { table: Bucketed::new(4, Replacement::Age), writers: Mutex::default() };
    let control = Control::default();
    let resources = Resources {
        table: &table,
        knowledge: &knowledge,
        control: &control,
        clock: &search::StoppedClock,
        team: None,
    };
    let root = Root::new(&game, &start(&game));
    let settings = Settings::new(Engine::NegaScout);
    let limits = Limits::to_depth(10);
    // The search that counts waits until both helpers have written to its table, which it can do while it reports.
    let patience = Instant::now() + Duration::from_secs(120);
    let mut nodes_told = 0;
    let mut wait = |news: &search::Progress<'_>| {
        while table.writers.lock().unwrap().len() < 3 {
            assert!(Instant::now() < patience, "two helpers and the search that counts");
            thread::sleep(Duration::from_millis(1));
        }
        nodes_told = news.nodes;
    };
    let report =
        parallel::lazy_smp::search(&game, &root, &settings, &limits, 3, resources, &mut wait).unwrap();
    assert_eq!(report.depth.0, 10);
    assert_eq!(report.nodes, report.statistics.nodes);
    assert!(report.nodes >= nodes_told && nodes_told > 0, "{} {nodes_told}", report.nodes);
}

#[test]
fn a_limit_of_nodes_is_for_all_threads() {
    let game = compiled("chess");
    let bench = Bench::new(&game, 1 << 20);
    let start = start(&game);
    let limit = 60_000;
    let report = bench.run(&start, &Settings::new(Engine::NegaScout), &Limits::to_nodes(limit), 4);
    // Threads tell each other of their nodes at least every 4,096.
    assert!((limit..limit + 4 * 4_096).contains(&report.nodes), "{}", report.nodes);
    assert!(report.best.is_some());
}

#[test]
fn helpers_stop_with_the_search() {
    let game = compiled("chess");
    let bench = Bench::new(&game, 1 << 20);
    let start = start(&game);
    let time = TimeLimit::Fixed(Duration::from_millis(100));
    let report =
        bench.run(&start, &Settings::new(Engine::NegaScout), &Limits { time, ..Limits::default() }, 4);
    assert!(report.best.is_some());
    // Stopped before it begins: there is a move all the same, and no thread goes on for ever.
    let began = Instant::now();
    let clock = || began.elapsed();
    bench.control.stop();
    let (table, knowledge, control) = (&bench.table, &bench.knowledge, &bench.control);
    let resources = Resources { table, knowledge, control, clock: &clock, team: None };
    let root = Root::new(&game, &start);
    let settings = Settings::new(Engine::NegaScout);
    let report =
        parallel::lazy_smp::search(&game, &root, &settings, &Limits::default(), 8, resources, &mut |_| {})
            .unwrap();
    assert!(report.best.is_some());
}

#[test]
fn wins_are_found_and_a_finished_game_has_no_move() {
    let game = compiled("chess");
    let bench = Bench::new(&game, 1 << 20);
    let read = |text: &str| game::fen::read(game.info(), text).unwrap();
    let settings = Settings::new(Engine::NegaScout);
    let mate = read("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4");
    let report = bench.run(&mate, &settings, &Limits::default(), 4);
    assert_eq!(report.score, Score::win_in(1));
    let over = read("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3");
    let report = bench.run(&over, &settings, &Limits::to_depth(5), 4);
    assert!(report.best.is_none() && report.score == Score::loss_in(0));
}

#[test]
fn engines_without_a_table_search_alone() {
    let game = compiled("othello");
    let bench = Bench::new(&game, 1 << 20);
    let start = start(&game);
    for engine in Engine::ALL {
        let limits = Limits { depth: Some(search::Depth(3)), nodes: Some(5_000), ..Limits::default() };
        let once = bench.run(&start, &Settings::new(engine), &limits, 1);
        let again = bench.run(&start, &Settings::new(engine), &limits, 4);
        if !parallel::uses_threads(engine) {
            assert_eq!((once.nodes, once.score), (again.nodes, again.score), "{engine:?}");
        }
    }
}
