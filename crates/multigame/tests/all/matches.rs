//! `multigame match`: who plays, how it is counted, and what becomes of players that misbehave.

#![allow(clippy::unwrap_used)] // tests are free to

use crate::support::{refuse, rows, succeed};

const OWN: &str = env!("CARGO_BIN_EXE_multigame");

/// A file that can be run and says these lines when asked, as a UCI program.
#[cfg(unix)]
fn program(folder: &std::path::Path, name: &str, go: &str) -> String {
    use std::os::unix::fs::PermissionsExt;
    let file = folder.join(name);
    let text = format!(
        "#!/bin/sh\nwhile read word rest; do case $word in uci) echo 'option name Skill type spin default 1'; echo uciok;; \
         isready) echo readyok;; go) {go};; quit) exit 0;; esac; done\n"
    );
    std::fs::write(&file, text).unwrap();
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).unwrap();
    format!("uci:{}", file.display())
}

#[test]
fn results_do_not_depend_on_threads() {
    let folder = tempfile::tempdir().unwrap();
    let play = |concurrency: &str, seed: &str| {
        let file = folder.path().join(format!("{concurrency}-{seed}.pgn"));
        let pgn = file.to_str().unwrap();
        let arguments =
            ["match", "connect4", "--first", "depth=4,name=deep", "--second", "engine=mcts,nodes=200"];
        let more = ["--games", "6", "--concurrency", concurrency, "--seed", seed, "--pgn", pgn];
        let row = rows(&[&arguments[..], &more[..]].concat()).remove(0);
        (row["wins"].clone(), row["draws"].clone(), std::fs::read_to_string(file).unwrap())
    };
    let one = play("1", "3");
    assert_eq!(one, play("3", "3"));
    assert_ne!(one.2, play("1", "4").2);
    assert_eq!(one.2.matches("[Round ").count(), 6);
    assert!(one.2.contains("[White \"deep\"]") && one.2.contains("[Black \"deep\"]"), "{}", one.2);
}

#[test]
fn an_engine_with_its_own_rules_keeps_them() {
    let folder = tempfile::tempdir().unwrap();
    let (rules, pgn) = (folder.path().join("edges.mg"), folder.path().join("games.pgn"));
    let usual = include_str!("../../../../games/connect4.mg");
    // Rules that like the first column instead of the middle, under another name.
    let other = usual.replace("central = 0, 0, 1, 3, 6, 3, 1, 0", "central = 0, 9, 1, 0, 0, 0, 0, 0");
    assert_ne!(usual, other);
    std::fs::write(&rules, other).unwrap();
    let edges = format!("uci:{OWN} uci {}", rules.display());
    let (middle, pgn) = (format!("uci:{OWN} uci connect4"), pgn.to_str().unwrap());
    let players = ["match", "connect4", "--first", &edges, "--second", &middle, "--pgn", pgn];
    succeed(&[&players[..], &["--depth", "1", "--games", "2", "--random-plies", "0"]].concat());
    let games = std::fs::read_to_string(pgn).unwrap();
    let firsts: Vec<_> =
        games.lines().filter_map(|line| line.strip_prefix("1. ")).map(|line| &line[..1]).collect();
    assert_eq!(firsts, ["a", "d"], "{games}");
}

#[test]
fn counts_and_elo_are_told() {
    let row = rows(&[
        "match",
        "tictactoe",
        "--first",
        "depth=9",
        "--second",
        "depth=9",
        "--games",
        "4",
        "--random-plies",
        "0",
    ])
    .remove(0);
    assert_eq!(
        (row["wins"].as_u64(), row["draws"].as_u64(), row["losses"].as_u64()),
        (Some(0), Some(4), Some(0))
    );
    assert_eq!((row["elo"].as_f64(), row["error"].as_f64()), (Some(0.0), Some(0.0)));
    assert_eq!(row["second"]["name"], "depth=9 (second)");
    let text =
        succeed(&["match", "tictactoe", "--first", "", "--second", "name=x", "--depth", "2", "--games", "2"]);
    assert!(text.contains("game 1: default - x ") && text.contains("game 2: x - default "), "{text}");
    assert!(text.contains("Elo (95 %)"), "{text}");
}

#[test]
fn a_sequential_test_ends_a_match() {
    // Five plies against one is no contest.
    let arguments = ["match", "connect4", "--first", "depth=5", "--second", "depth=1", "--games", "400"];
    let row = rows(&[&arguments[..], &["--sprt", "0,300,0.1,0.1"]].concat()).remove(0);
    assert_eq!(row["sprt"]["verdict"], "elo1", "{row}");
    assert!(row["games"].as_u64().unwrap() < 400, "{row}");
}

#[test]
fn openings_come_from_files() {
    let folder = tempfile::tempdir().unwrap();
    let (file, pgn) = (folder.path().join("o.epd"), folder.path().join("out.pgn"));
    // White mates in one, whichever player has it.
    std::fs::write(&file, "6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Ra8#; id \"one\";\n").unwrap();
    let arguments = ["match", "native:chess", "--first", "depth=2", "--second", "depth=2", "--games", "2"];
    let files = ["--openings", file.to_str().unwrap(), "--pgn", pgn.to_str().unwrap()];
    let row = rows(&[&arguments[..], &files[..]].concat()).remove(0);
    assert_eq!((row["wins"].as_u64(), row["losses"].as_u64()), (Some(1), Some(1)));
    let text = std::fs::read_to_string(&pgn).unwrap();
    assert!(text.contains("[FEN \"6k1/5ppp/8/8/8/8/8/R5K1 w") && text.contains("1. Ra8# 1-0"), "{text}");
    let again = ["--openings", pgn.to_str().unwrap(), "--opening-plies", "0"];
    assert_eq!(rows(&[&arguments[..], &again[..]].concat())[0]["wins"], 1);
}

#[test]
fn games_of_every_kind_are_read_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    for game in ["amazons", "breakthrough", "halma", "isolation", "kalah", "quarto", "minishogi", "ataxx"] {
        let (pgn, book) = (path(&format!("{game}.pgn")), path(&format!("{game}.book")));
        let play = ["match", game, "--first", "depth=1", "--second", "depth=1", "--evaluation", "none"];
        let long = ["--games", "2", "--max-plies", "12", "--random-plies", "10", "--pgn", &pgn];
        succeed(&[&play[..], &long[..]].concat());
        let row = rows(&["book", "build", game, "--evaluation", "none", "--pgn", &pgn, "--output", &book])
            .remove(0);
        assert_eq!(row["games"], 2, "{game}: {row}");
        let again = ["--games", "2", "--max-plies", "8", "--openings", &pgn, "--opening-plies", "6"];
        assert_eq!(rows(&[&play[..], &again[..]].concat())[0]["games"], 2, "{game}");
    }
}

#[test]
fn our_own_engine_plays_over_uci() {
    let own = format!("uci:{OWN} uci");
    let arguments =
        ["match", "atomic", "--first", &own, "--second", "depth=1", "--depth", "2", "--games", "2"];
    let row = rows(&[&arguments[..], &["--first-option", "Hash=2", "--max-plies", "60"]].concat()).remove(0);
    assert_eq!(row["games"], 2);
    for player in ["first", "second"] {
        for fault in ["crashes", "illegal_moves", "time_losses"] {
            assert_eq!(row[player][fault], 0, "{row}");
        }
    }
}

#[cfg(unix)]
#[test]
fn players_that_misbehave_lose_and_the_match_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    for (name, go, fault) in [
        ("crash", "exit 1", "crashes"),
        ("illegal", "echo bestmove a1a8", "illegal_moves"),
        ("none", "echo 'bestmove (none)'", "illegal_moves"),
        ("silent", "echo info depth 1", "time_losses"),
    ] {
        let bad = program(folder.path(), name, go);
        let arguments = ["match", "native:chess", "--first", &bad, "--second", "depth=1", "--games", "2"];
        let limit = ["--first-limit", "movetime=0.05", "--margin", "10"];
        let row = rows(&[&arguments[..], &limit[..]].concat()).remove(0);
        assert_eq!(
            (row["losses"].as_u64(), row["first"][fault].as_u64()),
            (Some(2), Some(2)),
            "{name}: {row}"
        );
        assert_eq!(row["second"]["crashes"], 0);
    }
    let good = program(folder.path(), "good", "echo bestmove e2e4");
    let start =
        ["match", "native:chess", "--first", &good, "--second", "depth=1", "--games", "1", "--depth", "1"];
    assert!(
        refuse(&[&start[..], &["--first-option", "Nothing=1"]].concat()).contains("has no option `Nothing`")
    );
    let variant = ["match", "atomic", "--first", &good, "--second", "depth=1", "--depth", "1"];
    assert!(refuse(&variant).contains("does not offer the game `atomic`"));
}

#[test]
fn bad_usage_is_refused() {
    let players = ["match", "chess", "--first", "depth=1", "--second", "depth=1"];
    for (more, hint) in [
        (vec!["--sprt", "1,2"], "elo0,elo1,alpha,beta"),
        (vec!["--time", "x"], "10+0.1"),
        (vec!["--games", "0"], "0"),
        (vec!["--openings", "/nonexistent.epd"], "nonexistent"),
        (vec!["--book", "/nonexistent"], "nonexistent"),
        (vec!["--resign", "5"], "SCORE,MOVES"),
        (vec!["--draw", "1,2"], "PLY,MOVES,SCORE"),
        (vec!["--first-option", "Hash=1"], "UCI programs"),
        (vec!["--pgn", "/nonexistent/x.pgn"], "cannot write"),
    ] {
        let said = refuse(&[&players[..], &more[..]].concat());
        assert!(said.contains(hint), "{more:?}: {said}");
    }
    assert!(refuse(&["match", "--first", "x=1", "--second", ""]).contains("is no setting"));
    assert!(refuse(&["match", "--first", "", "--second", ""]).contains("say when a move must be made"));
    assert!(
        refuse(&["match", "puzzle15", "--first", "", "--second", "", "--depth", "1"]).contains("one player")
    );
    assert!(
        refuse(&["match", "--first", "uci:/nonexistent", "--second", "", "--depth", "1"])
            .contains("cannot start")
    );
    assert!(
        refuse(&["match", "--first", "uci:true", "--second", "", "--depth", "1"])
            .contains("does not speak UCI")
    );
}
