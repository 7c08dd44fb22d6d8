//! How many positions of a chess suite are solved, with `games/chess.mg` compiled and one thread:
//! `cargo run --release -p search --example suite -- FILE.epd [--ms 1000 | --nodes N] [--every 6] [--with null_move]`
//!
//! A position is solved when the move at the end of its time is one of `bm`, or none of `am`. Time is processor time
//! of the thread, so that other work on the machine does not count.

mod support;

use std::time::Duration;

use game::notation::short_forms;
use game::{Game, MoveList, Stage, fen};
use search::{Control, Engine, Knowledge, Limits, Resources, Root, Settings, Statistics, TimeLimit};
use support::{Library, compiled, heuristics, number, option, program, thread_time};
use table::{Bucketed, Replacement, Table};

/// Whether a legal move in coordinates is what a move in standard algebraic notation says.
fn fits(san: &str, coordinates: &str, piece: char) -> bool {
    let san = san.trim_end_matches(['+', '#', '!', '?']);
    let castling = match (piece, coordinates) {
        ('K', "e1g1" | "e8g8") => "O-O",
        ('K', "e1c1" | "e8c8") => "O-O-O",
        _ => "",
    };
    if san.starts_with('O') {
        return san == castling;
    }
    let (san, promoted) = san.split_once('=').unwrap_or((san, ""));
    let wanted = san.chars().next().filter(char::is_ascii_uppercase).unwrap_or('P');
    let rest = san.trim_start_matches(wanted).replace('x', "");
    let (hint, target) = rest.split_at(rest.len() - 2);
    let (from, to) = (&coordinates[..2], &coordinates[2..4]);
    piece == wanted
        && to == target
        && hint.chars().all(|character| from.contains(character))
        && coordinates[4..].eq_ignore_ascii_case(promoted)
}

/// The moves behind an operation of EPD.
fn operation<'line>(line: &'line str, name: &str) -> Vec<&'line str> {
    let found = line.split(';').find_map(|part| part.split_once(&format!("{name} ")));
    found.map_or(Vec::new(), |(_, moves)| moves.split_whitespace().collect())
}

struct Suite {
    game: Library,
    knowledge: Knowledge,
    table: Bucketed,
    settings: Settings,
    limits: Limits,
    counts: std::cell::Cell<Statistics>,
}

impl Suite {
    /// Whether a line is solved, with nodes and what was played.
    fn solve(&self, line: &str) -> (bool, u64, String) {
        let board: Vec<&str> = line.split_whitespace().take(4).collect();
        let position = fen::read(self.game.info(), &format!("{} 0 1", board.join(" "))).expect("a position");
        let root = Root::new(&self.game, &position);
        let mut moves = MoveList::new();
        let over = self.game.generate(&root.position, Stage::All, &mut moves).expect("no faults");
        assert!(over.is_none(), "the game is over: {line}");
        let names = short_forms(self.game.info(), &position, &moves);
        self.table.clear();
        let control = Control::default();
        let resources = Resources {
            table: &self.table,
            knowledge: &self.knowledge,
            control: &control,
            clock: &thread_time,
            team: None,
        };
        let report = search::search(&self.game, &root, &self.settings, &self.limits, resources, &mut |_| {})
            .expect("no faults");
        let mut counts = self.counts.get();
        counts += report.statistics;
        self.counts.set(counts);
        let best = report.best.expect("a move");
        let index = moves.iter().position(|played| played.same_as(best.view())).expect("a legal move");
        let lead = moves.get(index).head.lead;
        let piece = self.game.info().character(game::PieceCode(position.get(usize::from(lead)) as u8));
        let is = |san: &&str| fits(san, &names[index], piece.to_ascii_uppercase());
        let (good, bad) = (operation(line, "bm"), operation(line, "am"));
        let solved = (good.is_empty() || good.iter().any(is)) && !bad.iter().any(is);
        let said = format!("{} depth {} {}", names[index], report.depth.0, report.score);
        (solved, report.nodes, said)
    }
}

fn main() {
    let file = std::env::args().nth(1).expect("a file of positions");
    let text = std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{file}: {error}"));
    let game = compiled(&program(option("rules").as_deref().unwrap_or("chess")));
    let start = game.info().start.clone().expect("chess has a start");
    let limits = match option("nodes") {
        Some(nodes) => Limits::to_nodes(nodes.parse().expect("a number of nodes")),
        None => {
            Limits { time: TimeLimit::Fixed(Duration::from_millis(number("ms", 1000))), ..Limits::default() }
        }
    };
    let suite = Suite {
        knowledge: Knowledge::learn(&game, &start).expect("no faults"),
        game,
        table: Bucketed::new(64, Replacement::Age),
        settings: Settings { heuristics: heuristics(), ..Settings::new(Engine::NegaScout) },
        limits,
        counts: std::cell::Cell::default(),
    };
    let (mut solved, mut tried, mut nodes) = (0, 0, 0);
    let began = thread_time();
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
    for line in lines.step_by(number("every", 1) as usize) {
        let (is_solved, used, said) = suite.solve(line);
        if !is_solved {
            println!("not solved: {said}: {line}");
        }
        (solved, tried, nodes) = (solved + u32::from(is_solved), tried + 1, nodes + used);
    }
    let speed = nodes as f64 / (thread_time() - began).as_secs_f64();
    println!("{solved}/{tried} solved, {nodes} nodes, {:.0} thousand nodes/s", speed / 1e3);
    if option("statistics").is_some() {
        for (name, count) in suite.counts.get().rows() {
            println!("{name:30} {count:12}");
        }
    }
}
