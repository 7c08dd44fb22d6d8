//! How fast the exhaustive search is, and how many nodes it needs:
//! `cargo run --release -p search --example exhaust -- GAME [--native yes] [--suite FILE --from 40 --to 44]`
//! `[--position TEXT] [--hash 256] [--guess -4] [--order replies=32,evaluation=4] [--nodes N]`
//!
//! Positions are the start, a text, or lines of a suite as in `suites/othello-ffo-40-59.txt`. Time is processor time
//! of the thread.

mod support;

use game::{Game, Position, text};
use search::{Control, Engine, Knowledge, Limits, Resources, Root, Settings, StoppedClock};
use support::{compiled, number, option, program, thread_time};
use table::{Bucketed, Replacement};

fn settings() -> Settings {
    let mut settings = Settings::new(Engine::Exhaustive);
    settings.proof.guess = option("guess").map(|points| points.parse().expect("--guess wants points"));
    for part in option("order").iter().flat_map(|order| order.split(',')) {
        let (name, weight) = part.split_once('=').expect("--order a=1,b=2");
        assert!(settings.proof.order.set(name, weight.parse().expect("a weight")), "{name}");
    }
    settings
}

/// Positions with their names and what they are worth, if that is known.
fn positions<G: Game>(game: &G) -> Vec<(String, Position, Option<String>)> {
    let read = |text: &str| text::read(game.info(), text).expect("a position");
    if let Some(text) = option("position") {
        return vec![("position".to_owned(), read(&text), None)];
    }
    let Some(file) = option("suite") else {
        return vec![("start".to_owned(), game.info().start.clone().expect("a start"), None)];
    };
    let (from, to) = (number("from", 0), number("to", u64::MAX));
    let lines = std::fs::read_to_string(&file).expect("a suite");
    let parsed = lines.lines().filter(|line| !line.starts_with('#')).filter_map(|line| {
        let mut words = line.split_whitespace();
        let name = words.next()?;
        let board = format!("{} {}", words.next()?, words.next()?);
        let score = words.find_map(|word| word.strip_prefix("score=")).map(str::to_owned);
        let wanted = name.parse().is_ok_and(|number: u64| (from..=to).contains(&number));
        wanted.then(|| (name.to_owned(), read(&board), score))
    });
    parsed.collect()
}

fn run<G: Game>(game: &G) {
    let (mut nodes, mut seconds) = (0, 0.0);
    for (name, position, score) in positions(game) {
        let table = Bucketed::new(number("hash", 256) as usize, Replacement::Size);
        let (knowledge, control) = (Knowledge::default(), Control::default());
        let (table, knowledge, control) = (&table, &knowledge, &control);
        let resources = Resources { table, knowledge, control, clock: &StoppedClock, team: None };
        let limits = option("nodes").map_or(Limits::default(), |nodes| {
            Limits::to_nodes(nodes.parse().expect("--nodes wants a number"))
        });
        let before = thread_time();
        let root = Root::new(game, &position);
        let report =
            search::search(game, &root, &settings(), &limits, resources, &mut |_| {}).expect("no faults");
        let time = (thread_time() - before).as_secs_f64();
        let known = score.map_or(String::new(), |score| format!(" (known: {score})"));
        println!(
            "{name}: {}{}{known}, {} nodes, {time:.2} s, {:.2} million a second; lists {}, cutoffs {} first {}",
            report.score,
            if report.proven { "" } else { " unproven" },
            report.nodes,
            report.nodes as f64 / time / 1e6,
            report.statistics.generations,
            report.statistics.cutoffs,
            report.statistics.cutoffs_first,
        );
        nodes += report.nodes;
        seconds += time;
    }
    println!("together: {nodes} nodes, {seconds:.2} s, {:.2} million a second", nodes as f64 / seconds / 1e6);
}

fn main() {
    let name = std::env::args().nth(1).expect("a game");
    match option("native").is_some() {
        true if name == "othello" => run(&native::NativeOthello::new()),
        true => run(&native::NativeConnect4::new()),
        false => run(&compiled(&program(&name))),
    }
}
