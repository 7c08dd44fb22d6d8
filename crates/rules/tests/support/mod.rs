//! What the tests of this folder share: the games of the library and a plain perft.

#![allow(dead_code, unreachable_pub)] // no test uses all of it
#![allow(clippy::unwrap_used)] // tests are free to

pub mod examples;

use std::path::PathBuf;

use game::{Game, MoveList, Position, RuleFault, Stage, text};
use lang::Source;
use rules::{CompileError, Interpreter};

/// The folder of the workspace.
pub fn workspace() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A file of the workspace.
pub fn read(path: &str) -> String {
    let path = workspace().join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Files with this ending in a folder of the workspace, in alphabetical order.
pub fn files(folder: &str, ending: &str) -> Vec<String> {
    let entries = std::fs::read_dir(workspace().join(folder)).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.filter(|name| name.ends_with(ending)).collect();
    names.sort();
    names.into_iter().map(|name| format!("{folder}/{name}")).collect()
}

/// The names of the games in `games/`.
pub fn game_names() -> Vec<String> {
    let name = |path: String| path.trim_start_matches("games/").trim_end_matches(".mg").to_owned();
    files("games", ".mg").into_iter().map(name).collect()
}

/// A game of `games/`.
pub fn game(name: &str) -> Interpreter {
    let source = Source::new(format!("{name}.mg"), read(&format!("games/{name}.mg")));
    match rules::compile(&source, None) {
        Ok((program, _)) => Interpreter::new(program),
        Err(CompileError::Rules(diagnostics)) => {
            panic!("{}", diagnostics.iter().map(|one| lang::render(&source, one)).collect::<String>())
        }
        Err(CompileError::Position(error)) => panic!("{error}"),
    }
}

/// The position that a text means; `start` is where the game starts.
pub fn position(game: &impl Game, text: &str) -> Position {
    match text {
        "start" => game.info().start.clone().expect("the game has a setup"),
        text => text::read(game.info(), text).unwrap_or_else(|error| panic!("{text}: {error}")),
    }
}

/// Move sequences of this length. A finished game has no continuation; in a one-player game a win marks a
/// solved position, and play goes on.
pub fn perft<G: Game>(game: &G, position: &mut G::Position, depth: u32) -> Result<u64, RuleFault> {
    if depth == 0 {
        return Ok(1);
    }
    let mut moves = MoveList::new();
    game.generate(position, Stage::All, &mut moves)?;
    let mut leaves = 0;
    for played in moves.iter() {
        let ends = played.head.outcome().is_some() && game.info().players == 2;
        if depth == 1 || !ends {
            game.play(position, played);
            leaves += perft(game, position, depth - 1)?;
            game.take_back(position, played);
        }
    }
    Ok(leaves)
}
