//! What the tests share: games, random positions, and one function that runs an engine.

#![allow(dead_code, unreachable_pub, clippy::unwrap_used)] // each test file uses a part

use game::{Game, MoveList, Position, Stage};
use jit::{Compiled, Options};
use search::{Control, Knowledge, Limits, Report, Resources, Root, Settings, StoppedClock};
use table::{Bucketed, Replacement, Table};

/// A game of the library, compiled. `WORDS` is the size of its positions at most.
pub fn compiled<const WORDS: usize>(name: &str) -> Compiled<WORDS> {
    compiled_at(name, &format!("{}/../../games/{name}.mg", env!("CARGO_MANIFEST_DIR")))
}

/// A game that exists for tests alone, compiled.
pub fn fixture<const WORDS: usize>(name: &str) -> Compiled<WORDS> {
    compiled_at(name, &format!("{}/tests/fixtures/{name}.mg", env!("CARGO_MANIFEST_DIR")))
}

fn compiled_at<const WORDS: usize>(name: &str, path: &str) -> Compiled<WORDS> {
    let source = lang::Source::new(name, std::fs::read_to_string(path).unwrap());
    let (program, _) = rules::compile(&source, None).unwrap_or_else(|error| panic!("{name}: {error:?}"));
    Compiled::new(&program, Options::default()).unwrap_or_else(|error| panic!("{name}: {}", error.reason))
}

/// Two-player games of different kinds; all of the library with AGREEMENT_GAMES=all, or those whose names it gives.
pub fn two_player_games() -> Vec<String> {
    let usual = "breakthrough checkers chess clobber connect4 domineering othello tictactoe";
    match std::env::var("AGREEMENT_GAMES").as_deref() {
        Ok("all") => all_two_player_games(),
        chosen => chosen.unwrap_or(usual).split_whitespace().map(str::to_owned).collect(),
    }
}

pub fn all_two_player_games() -> Vec<String> {
    let folder = format!("{}/../../games", env!("CARGO_MANIFEST_DIR"));
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .filter_map(|entry| entry.unwrap().file_name().to_str()?.strip_suffix(".mg").map(str::to_owned))
        .filter(|name| {
            let path = format!("{}/../../games/{name}.mg", env!("CARGO_MANIFEST_DIR"));
            let source = lang::Source::new(name.as_str(), std::fs::read_to_string(path).unwrap());
            rules::compile(&source, None).is_ok_and(|(program, _)| program.info.players == 2)
        })
        .collect();
    names.sort();
    names
}

/// The start of a game.
pub fn start<G: Game>(game: &G) -> Position {
    game.info().start.clone().unwrap()
}

/// Positions of random games, not finished ones.
pub fn random_positions<G: Game>(game: &G, count: usize, plies_max: usize, seed: u64) -> Vec<Position> {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut moves = MoveList::new();
    let mut positions = Vec::new();
    while positions.len() < count {
        let mut position = game.pack(&start(game));
        let plies = random.usize(..plies_max);
        let mut open = game.generate(&position, Stage::All, &mut moves).unwrap().is_none();
        for _ in 0..plies {
            if !open {
                break;
            }
            let played = moves.get(random.usize(..moves.len()));
            // Rules need not say anything about positions behind the end.
            open = played.head.outcome().is_none();
            game.play(&mut position, played);
            open = open && game.generate(&position, Stage::All, &mut moves).unwrap().is_none();
        }
        if open {
            positions.push(game.unpack(&position));
        }
    }
    positions
}

/// A game with what is known of it and a table.
pub struct Bench<'game, G: Game> {
    pub game: &'game G,
    pub knowledge: Knowledge,
    pub table: Bucketed,
    pub control: Control,
}

impl<'game, G: Game> Bench<'game, G> {
    pub fn new(game: &'game G) -> Bench<'game, G> {
        let knowledge = Knowledge::learn(game, &start(game)).unwrap();
        Bench { game, knowledge, table: Bucketed::new(1, Replacement::Age), control: Control::default() }
    }

    /// Runs an engine on a position, with an empty table.
    pub fn run(&self, position: &Position, settings: &Settings, limits: &Limits) -> Report {
        self.run_root(&Root::new(self.game, position), settings, limits)
    }

    pub fn run_root(&self, root: &Root<G>, settings: &Settings, limits: &Limits) -> Report {
        self.table.clear();
        let (table, knowledge, control) = (&self.table, &self.knowledge, &self.control);
        let resources = Resources { table, knowledge, control, clock: &StoppedClock, team: None };
        search::search(self.game, root, settings, limits, resources, &mut |_| {}).unwrap()
    }
}
