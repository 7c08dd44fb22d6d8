//! `play` through a pipe: what commands answer, and that games come to their ends.

#![allow(clippy::unwrap_used)] // tests are free to

use serde_json::Value;

use crate::cli::{file, json_lines};
use crate::support::{run_with, stdout, succeed};

/// What a game says to some lines; it must end well.
fn hear(arguments: &[&str], lines: &str) -> String {
    let output = run_with(&[&["play"], arguments].concat(), lines.as_bytes());
    assert_eq!(output.status.code(), Some(0), "{lines}");
    stdout(&output)
}

#[test]
fn a_game_is_played_through_a_pipe() {
    let input = b"help\nlegal\nposition\ne2e4\nundo\nd2 -> d4\nhint\nnonsense\nquit\n";
    let output = run_with(&["play", "chess", "--side", "both", "--depth", "1", "--seed", "1"], input);
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(0));
    assert!(text.contains("a2a3") && text.contains("take back"), "{text}");
    assert!(text.contains("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"), "{text}");
    assert!(text.contains("black to move"), "{text}");
    assert!(text.contains("no legal move"), "{text}");
    assert!(!text.contains('\u{1b}'), "no colours in a pipe");
}

#[test]
fn the_computer_wins_when_it_can() {
    // Three own marks lie ready; a person who does not care loses at once.
    let position = ".......\n.......\nX......\nX......\nX......\nOOO....\nwhite to move";
    let arguments = ["play", "connect4", "--side", "white", "--depth", "4", "--json", "--position", position];
    let output = run_with(&arguments, b"g1\n");
    let rows = json_lines(&stdout(&output));
    assert_eq!(rows.last().unwrap()["result"], "Black wins.", "{rows:?}");
}

#[test]
fn the_computer_plays_a_whole_game_with_itself() {
    let arguments = ["play", "tictactoe", "--side", "none", "--depth", "9", "--time", "20", "--seed", "5"];
    assert!(succeed(&arguments).contains("The game is drawn."));
}

#[test]
fn the_computer_solves_a_small_puzzle() {
    let position = "1 2 3 7 4 5 6 0 8 9 10 11 12 13 14 15";
    let arguments = ["play", "puzzle15", "--side", "none", "--time", "20", "--position", position];
    assert!(succeed(&arguments).contains("Solved in 4 moves."));
}

#[test]
fn a_game_that_is_played_can_be_read() {
    let output =
        run_with(&["play", "breakthrough", "--side", "both"], b"d2e3\nundo\ne2e3\nd7e6\npgn\nquit\n");
    let text = stdout(&output);
    let begins = text.find("[Variant").unwrap_or_else(|| panic!("{text}"));
    assert!(text[begins..].contains("1. e2e3 d7e6 *"), "{text}");
    let (folder, game) = file("game.pgn", &text.as_bytes()[begins..]);
    let book = folder.path().join("game.book").to_str().unwrap().to_owned();
    let told = succeed(&[
        "book",
        "build",
        "breakthrough",
        "--evaluation",
        "none",
        "--pgn",
        &game,
        "--output",
        &book,
    ]);
    assert!(told.contains("from 1 game"), "{told}");
}

#[test]
fn commands_are_understood_in_capitals_and_with_numbers() {
    let lines = "e4\ne5\nd4\nUNDO 2\nHistory\nlegal long\nboard\nnew\nhistory\nundo x\nQUIT\nnonsense\n";
    let text = hear(&["chess", "--side", "both", "--seed", "1"], lines);
    assert!(text.contains("\n1. e4\n"), "{text}");
    assert!(text.contains("a7a6: pawn a7 -> a6") || text.contains("a7a6: a7 -> a6"), "{text}");
    assert!(text.contains("No move has been made yet."), "{text}");
    assert!(text.contains("Say how many of your moves") && !text.contains("nonsense"), "{text}");
}

#[test]
fn the_computer_says_below_the_board_what_it_played() {
    let arguments = ["chess", "--side", "white", "--depth", "2", "--evaluation", "none", "--seed", "1"];
    let text = hear(&arguments, "e4\nhint\nhistory\nquit\n");
    let lines: Vec<&str> = text.lines().collect();
    let told = lines.iter().position(|line| line.starts_with("black plays ")).unwrap();
    assert!(lines[told - 1].trim_start().starts_with("a  b  c"), "{text}");
    assert_eq!(lines[told + 1], "white to move");
    assert!(lines[told].contains(", depth 2, ") && lines[told].contains(" nodes)"), "{text}");
    let reply = lines[told].trim_start_matches("black plays ").split(' ').next().unwrap();
    assert!(text.contains(&format!("1. e4 {reply}\n")), "moves are called as in the history: {text}");
    // Of a beginner, nodes say nothing.
    let text = hear(&["chess", "--level", "beginner", "--evaluation", "none", "--seed", "1"], "e4\nquit\n");
    let told = text.lines().find(|line| line.starts_with("black plays ")).unwrap();
    assert!(!told.contains("nodes") && !told.contains("depth"), "{told}");
}

#[test]
fn a_hint_without_a_move_says_why() {
    let text = hear(&["puzzle8"], "hint\nquit\n");
    assert!(text.ends_with("\nThis is solved already.\n"), "{text}");
    let output = run_with(&["play", "puzzle8", "--json"], b"hint\n");
    let last: Value = serde_json::from_str(stdout(&output).lines().last().unwrap()).unwrap();
    assert!(last["hint"].is_null() && last["expectation"] == "this is solved already", "{last}");
}

#[test]
fn a_puzzle_is_scrambled_if_a_seed_says_how() {
    let solved = hear(&["puzzle8"], "quit\n");
    assert_eq!(solved, hear(&["puzzle8"], "quit\n"), "a script knows where it begins");
    let scrambled = hear(&["puzzle8", "--seed", "1"], "quit\n");
    assert_ne!(solved, scrambled);
    assert_eq!(solved, hear(&["puzzle8", "--seed", "1", "--scramble", "0"], "quit\n"));
}

#[test]
fn what_is_no_saved_game_is_not_loaded() {
    let folder = tempfile::tempdir().unwrap();
    let written = |name: &str, text: &str| {
        let path = folder.path().join(name).to_str().unwrap().to_owned();
        std::fs::write(&path, text).unwrap();
        path
    };
    let (users, wrong) =
        (written("users", "root:x:0:0:root:/root:/bin/bash\n"), written("wrong.pgn", "1. e5 *\n"));
    let text = hear(&["chess"], &format!("load {users}\nload {wrong}\nload {users}.no\nquit\n"));
    assert!(text.contains("is no saved game") && !text.contains("move 1: `root"), "{text}");
    assert!(text.contains("move 1: "), "{text}");
}
