//! What each enhancement does to the size of the tree, on three games:
//! `cargo run --release -p search --example enhancements [GAME] [--depth N]`

mod support;

use std::time::{Duration, Instant};

use game::{Game, MoveList, Position, Stage};
use search::{
    Control, Engine, Heuristics, Knowledge, Limits, Resources, Root, Score, Settings, StoppedClock, search,
};
use support::number;
use table::{Bucketed, Replacement, Table, TwoWay};

const TABLE_MIB: usize = 64;
const POSITIONS: usize = 8;

/// Nodes and time of a set of searches, and their scores.
struct Sum {
    nodes: u64,
    time: Duration,
    scores: Vec<Score>,
}

struct Bench<'game, G: Game> {
    game: &'game G,
    knowledge: Knowledge,
    positions: Vec<Position>,
    depth: i32,
}

impl<'game, G: Game> Bench<'game, G> {
    fn new(game: &'game G, plies: usize, depth: i32) -> Bench<'game, G> {
        let start = game.info().start.clone().expect("a start");
        let knowledge = Knowledge::learn(game, &start).expect("rules without a mistake");
        Bench { game, knowledge, positions: sample(game, &start, plies), depth }
    }

    fn run(&self, settings: &Settings, table: &impl Table) -> Sum {
        let mut sum = Sum { nodes: 0, time: Duration::ZERO, scores: Vec::new() };
        for position in &self.positions {
            table.clear();
            let root = Root::new(self.game, position);
            let (knowledge, control) = (&self.knowledge, &Control::default());
            let resources = Resources { table, knowledge, control, clock: &StoppedClock, team: None };
            let limits = Limits::to_depth(self.depth);
            let began = Instant::now();
            let report = search(self.game, &root, settings, &limits, resources, &mut |_| {})
                .expect("rules without a mistake");
            sum.time += began.elapsed();
            sum.nodes += report.nodes;
            sum.scores.push(report.score);
        }
        sum
    }

    fn row(&self, name: &str, settings: &Settings, table: &impl Table, base: &Sum) {
        let sum = self.run(settings, table);
        let same = sum.scores.iter().zip(&base.scores).filter(|(left, right)| left == right).count();
        let speed = sum.nodes as f64 / sum.time.as_secs_f64();
        println!(
            "| {name} | {} | {:.2} | {:.0} | {same}/{} |",
            sum.nodes,
            sum.nodes as f64 / base.nodes as f64,
            speed / 1e3,
            sum.scores.len()
        );
    }

    fn table(&self) {
        let bucketed = Bucketed::new(TABLE_MIB, Replacement::Age);
        println!("\n### {}, depth {}, {POSITIONS} positions\n", self.game.info().name, self.depth);
        println!(
            "| setting | nodes | of the first | thousand nodes/s | scores as the first |\n|---|---|---|---|---|"
        );
        let exact = Settings::new(Engine::NegaScout).exact();
        let exact = Settings { heuristics: Heuristics { quiescence: true, ..exact.heuristics }, ..exact };
        let base = self.run(&exact, &bucketed);
        self.row("negascout, all exact switches", &exact, &bucketed, &base);
        for engine in [Engine::AlphaBeta, Engine::Mtdf, Engine::SssStar, Engine::DualStar] {
            self.row(engine.name(), &Settings { engine, ..exact }, &bucketed, &base);
        }
        for name in Heuristics::exact_names() {
            let mut settings = exact;
            settings.heuristics.set(name, false);
            self.row(&format!("without {name}"), &settings, &bucketed, &base);
        }
        let direct = Settings { first_depth: self.depth, ..exact };
        self.row("without iterations", &direct, &bucketed, &base);
        self.row(
            "iterations by two plies",
            &Settings { increment: 2, first_depth: 2, ..exact },
            &bucketed,
            &base,
        );
        for name in ["lazy_leaves", "early_repetition"].iter().chain(&Heuristics::NAMES[14..]) {
            let mut settings = exact;
            settings.heuristics.set(name, true);
            if *name == "null_move_verification" {
                settings.heuristics.null_move = true;
                self.row("with null_move, null_move_verification", &settings, &bucketed, &base);
            } else {
                self.row(&format!("with {name}"), &settings, &bucketed, &base);
            }
        }
        self.row(
            "the default: all but fail_high_reductions",
            &Settings::new(Engine::NegaScout),
            &bucketed,
            &base,
        );
        for replacement in Replacement::ALL {
            let name = |kind: &str| format!("64 KiB, {kind}, by {replacement:?}");
            self.row(&name("four-way"), &exact, &Bucketed::with_bytes(1 << 16, replacement), &base);
            self.row(&name("two-way"), &exact, &TwoWay::with_bytes(1 << 16, replacement), &base);
        }
    }
}

/// Positions after some random moves, the same in every run.
fn sample<G: Game>(game: &G, start: &Position, plies: usize) -> Vec<Position> {
    let mut random = fastrand::Rng::with_seed(2);
    let mut moves = MoveList::new();
    let mut positions = Vec::new();
    while positions.len() < POSITIONS {
        let mut position = game.pack(start);
        let mut played = 0;
        while played < plies && matches!(game.generate(&position, Stage::All, &mut moves), Ok(None)) {
            let chosen = moves.get(random.usize(..moves.len()));
            if chosen.head.outcome().is_some() {
                break;
            }
            game.play(&mut position, chosen);
            played += 1;
        }
        if played == plies && matches!(game.generate(&position, Stage::All, &mut moves), Ok(None)) {
            positions.push(game.unpack(&position));
        }
    }
    positions
}

fn main() {
    let wanted = std::env::args().nth(1).filter(|first| !first.starts_with("--"));
    let is_wanted = |name: &str| wanted.as_deref().is_none_or(|wanted| wanted == name);
    let depth = |usual: u64| number("depth", usual) as i32;
    if is_wanted("chess") {
        Bench::new(&native::NativeChess::new(), 10, depth(6)).table();
    }
    if is_wanted("checkers") {
        Bench::new(&native::NativeCheckers::new(), 10, depth(11)).table();
    }
    if is_wanted("othello") {
        Bench::new(&native::NativeOthello::new(), 12, depth(8)).table();
    }
}
