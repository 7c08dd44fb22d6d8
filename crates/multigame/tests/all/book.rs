//! `multigame book`, and the commands that play by one.

#![allow(clippy::unwrap_used)] // tests are free to

use std::path::Path;

use crate::support::{refuse, rows, run_with, succeed};

const GAMES: &str = "\
[Event \"one\"]\n\n1. b4 e5 2. a3 1-0\n\n[Event \"two\"]\n\n1. b4 d5 1/2-1/2\n\n[Event \"three\"]\n\n1. h4 a5 0-1\n";

/// A book of three games, and its name.
fn book(folder: &Path) -> String {
    let (games, book) = (folder.join("games.pgn"), folder.join("chess.book"));
    std::fs::write(&games, GAMES).unwrap();
    let (games, book) = (games.to_str().unwrap(), book.to_str().unwrap());
    let row = rows(&["book", "build", "chess", "--pgn", games, "--output", book]).remove(0);
    assert_eq!((row["games"].as_u64(), row["positions"].as_u64()), (Some(3), Some(4)), "{row}");
    book.to_owned()
}

#[test]
fn books_are_built_and_shown() {
    let folder = tempfile::tempdir().unwrap();
    let book = book(folder.path());
    assert_eq!(succeed(&["book", "show", &book]), "chess: 4 moves in 4 positions\n");
    let moves = rows(&["book", "show", &book, "--position", "start"]);
    // What lost is not in the book.
    assert_eq!(
        (moves.len(), moves[0]["move"].as_str(), moves[0]["weight"].as_u64()),
        (1, Some("b2b4"), Some(3))
    );
    let bare = "8/8/8/8/8/k7/8/K6R w - - 0 1";
    assert!(succeed(&["book", "show", &book, "--position", bare]).contains("knows no move here"));
    assert_eq!(rows(&["book", "show", &book, "--position", "start", "--game", "native:chess"]).len(), 1);
}

#[test]
fn everybody_plays_by_the_book_if_asked() {
    let folder = tempfile::tempdir().unwrap();
    let book = book(folder.path());
    let hear = |arguments: &[&str], input: &str| {
        let output = run_with(arguments, input.as_bytes());
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let shell = hear(
        &["shell", "chess", "--book", &book, "--depth", "1"],
        "opening\nmove\nopening off\nundo\nmove\n",
    );
    assert!(shell.contains("b2b4     3\nwhite: b4 (from the book)\n"), "{shell}");
    assert_eq!(shell.matches("from the book").count(), 1, "{shell}");
    let play = hear(&["play", "chess", "--side", "black", "--book", &book, "--depth", "1"], "quit\n");
    assert!(play.contains("plays b4 (from the book"), "{play}");
    let uci = hear(
        &["uci"],
        &format!("setoption name BookFile value {book}\nsetoption name OwnBook value true\ngo depth 1\n"),
    );
    assert!(uci.contains("bestmove b2b4\n"), "{uci}");
    assert!(hear(&["uci", "--book", &book], "go depth 1\n").contains("bestmove b2b4\n"));
    let wrong = hear(&["uci", "othello"], &format!("setoption name BookFile value {book}\ngo depth 1\n"));
    assert!(wrong.contains("info string no opening book: the book is for `chess`"), "{wrong}");
    let pgn = folder.path().join("out.pgn");
    let players = [
        "match",
        "chess",
        "--first",
        "depth=1",
        "--second",
        "depth=1",
        "--games",
        "2",
        "--random-plies",
        "0",
    ];
    let more = ["--book", &book, "--max-plies", "6", "--pgn", pgn.to_str().unwrap()];
    rows(&[&players[..], &more[..]].concat());
    assert_eq!(std::fs::read_to_string(pgn).unwrap().matches("1. b4 ").count(), 2);
}

#[test]
fn self_play_makes_the_same_book_again() {
    let folder = tempfile::tempdir().unwrap();
    let build = |name: &str, seed: &str| {
        let file = folder.path().join(name);
        let arguments = ["book", "build", "tictactoe", "--selfplay", "4", "--plies", "3", "--depth", "3"];
        succeed(&[&arguments[..], &["--seed", seed, "--output", file.to_str().unwrap()]].concat());
        std::fs::read(file).unwrap()
    };
    assert_eq!(build("a", "1"), build("b", "1"));
    assert_ne!(build("a", "1"), build("c", "2"));
}

#[test]
fn broken_books_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let book = book(folder.path());
    let broken = folder.path().join("broken");
    let name = broken.to_str().unwrap();
    let bytes = std::fs::read(&book).unwrap();
    for (content, hint) in [
        (b"1. e4 *".to_vec(), "no opening book"),
        (bytes[..bytes.len() - 3].to_vec(), "damaged"),
        ([&bytes[..40], &[1], &bytes[41..]].concat(), "damaged"),
        ([&bytes[..6], &[9], &bytes[7..]].concat(), "version 9"),
    ] {
        std::fs::write(&broken, content).unwrap();
        for arguments in
            [vec!["book", "show", name], vec!["shell", "chess", "--book", name], vec!["uci", "--book", name]]
        {
            let said = refuse(&arguments);
            assert!(said.contains(hint), "{arguments:?}: {said}");
        }
    }
    assert!(refuse(&["shell", "othello", "--book", &book]).contains("the book is for `chess`"));
    let none = folder.path().join("none.pgn");
    std::fs::write(&none, "nothing in it").unwrap();
    let out = folder.path().join("out").to_str().unwrap().to_owned();
    for (pgn, hint) in [("/nonexistent", "cannot open"), (none.to_str().unwrap(), "game 1")] {
        assert!(refuse(&["book", "build", "chess", "--pgn", pgn, "--output", &out]).contains(hint), "{pgn}");
    }
    refuse(&["book", "build", "chess", "--output", &out]);
    assert!(
        refuse(&["book", "build", "puzzle15", "--selfplay", "1", "--output", &out]).contains("one player")
    );
}

#[test]
fn a_seed_varies_the_first_moves_of_play() {
    let play = |seed: &[&str]| {
        let arguments = ["play", "tictactoe", "--side", "none", "--depth", "2", "--time", "1000", "--json"];
        succeed(&[&arguments[..], seed].concat())
    };
    assert_eq!(play(&["--seed", "1"]), play(&["--seed", "1"]));
    assert_eq!(play(&[]), play(&[]));
    let games: std::collections::BTreeSet<String> =
        ["1", "2", "3", "4", "5", "6"].iter().map(|seed| play(&["--seed", seed])).collect();
    assert!(games.len() > 1);
}

#[test]
fn a_puzzle_may_be_solved_already() {
    let row = rows(&["solve", "puzzle15", "--nodes", "100000"]).remove(0);
    assert_eq!((row["length"].as_u64(), row["solvable"].as_bool()), (Some(0), Some(true)), "{row}");
    assert!(succeed(&["solve", "rubik", "--nodes", "100000"]).contains("solved already"));
}

#[test]
fn collected_games_are_shared_by_book_and_shell() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (games, more, collection, book) =
        (path("games.pgn"), path("more.pgn"), path("games.sqlite"), path("chess.book"));
    std::fs::write(&games, GAMES).unwrap();
    std::fs::write(&more, "[White \"A\"]\n\n1. h4 a5 2. h5 1-0\n\n[White \"B\"]\n\n1. h5 *\n").unwrap();
    let add = ["book", "add", "chess", "--collection", &collection, "--pgn", &games];
    assert_eq!(succeed(&add), "3 games added\n");
    let again = &rows(&add)[0];
    assert_eq!((again["added"].as_u64(), again["known"].as_u64()), (Some(0), Some(3)), "{again}");
    let build = ["book", "build", "chess", "--collection", &collection, "-o", &book];
    assert_eq!(rows(&build)[0]["games"].as_u64(), Some(3));
    // What the shell adds is in the next book, and the other way round.
    let commands = format!("collection\ncollection add {more}\nh4\ncollection\ncollection 4\nhistory\n");
    let output = run_with(&["shell", "native:chess", "--collection", &collection], commands.as_bytes());
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let shell = String::from_utf8(output.stdout).unwrap();
    assert!(shell.contains("b4       2 games: white won 1, black 0, drawn 1"), "{shell}");
    assert!(shell.contains("1 game added, 1 with moves that cannot be played"), "{shell}");
    assert!(shell.contains("a5       2 games: white won 1, black 1, drawn 0"), "{shell}");
    assert!(shell.contains("a game of 3 moves"), "{shell}");
    assert_eq!(rows(&build)[0]["games"].as_u64(), Some(4));
    let wrong = refuse(&["book", "build", "othello", "--collection", &collection, "-o", &book]);
    assert!(wrong.contains("has no game of othello"), "{wrong}");
    std::fs::write(&collection, "this is no database, and long enough to be none for certain").unwrap();
    assert!(refuse(&build).contains("games.sqlite"));
}
