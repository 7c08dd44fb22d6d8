//! Tries ways of ordering moves for the exhaustive search, on a game of the library or a file of rules:
//! `cargo run --release -p search --example solve -- connect4 [--history 1] [--replies 8] [--moves 0] [--evaluation 1]
//! [--hash MIB] [--guess POINTS] [--nodes N] [--engine dfpn]`

mod support;

use game::{Game, fen};
use search::proof::Order;
use search::{Control, Engine, Knowledge, Limits, Resources, Root, Settings};
use support::{compiled, number, option, program, thread_time};
use table::NoTable;

fn weight(name: &str, usual: i32) -> i32 {
    option(name).map_or(usual, |text| text.parse().unwrap_or_else(|_| panic!("--{name} wants a number")))
}

fn main() {
    let name = std::env::args().nth(1).expect("the name of a game");
    let program = program(&name);
    let game = compiled(&program);
    let start = match option("position") {
        Some(text) => fen::read(game.info(), &text).expect("a position"),
        None => game.info().start.clone().expect("rules with a setup"),
    };
    let engine =
        option("engine").map_or(Engine::Exhaustive, |name| Engine::from_name(&name).expect("an engine"));
    let mut settings = Settings::new(engine);
    settings.proof.table_bytes = (number("hash", 256) as usize) << 20;
    let usual = Order::default();
    settings.proof.order = Order {
        history: weight("history", usual.history),
        replies: weight("replies", usual.replies),
        moves: weight("moves", usual.moves),
        evaluation: weight("evaluation", usual.evaluation),
    };
    settings.proof.guess = option("guess").map(|text| text.parse().expect("a number"));
    let limits = Limits { nodes: option("nodes").map(|_| number("nodes", 0)), ..Limits::default() };
    let knowledge = Knowledge::learn(&game, &start).expect("no fault");
    let control = Control::default();
    let resources =
        Resources { table: &NoTable, knowledge: &knowledge, control: &control, clock: &thread_time };
    let root = Root::new(&game, &start);
    let report = search::search(&game, &root, &settings, &limits, resources, &mut |news| {
        println!("{} after {} nodes, {:.1} s", news.score, news.nodes, news.elapsed.as_secs_f64());
    })
    .expect("no fault");
    let seconds = report.elapsed.as_secs_f64();
    println!(
        "{name} {} proven {} {} nodes {seconds:.1} s {:.0} k/s",
        report.score,
        report.proven,
        report.nodes,
        report.nodes as f64 / seconds / 1e3
    );
    for (name, count) in report.statistics.rows().into_iter().filter(|(_, count)| *count > 0) {
        println!("  {name} {count}");
    }
}
