//! `search` and `solve` as people and scripts see them.

#![allow(clippy::unwrap_used)] // tests are free to

use crate::support;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use crate::support::{all_rows, refuse, rows, succeed};
use serde_json::Value;

/// White mates with the rook.
const MATE_IN_ONE: &str = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1";
const MATE_IN_TWO: &str = "7k/8/8/8/8/8/R7/1R4K1 w - - 0 1";

// ---- search

/// A position with 65,000 moves: learning took ten minutes whatever `--time` said, and did not hear Ctrl-C.
const VERY_MANY_MOVES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../search/tests/fixtures/connect6.mg");

#[test]
fn very_many_moves_are_searched_in_time() {
    let began = std::time::Instant::now();
    let rows = rows(&["search", VERY_MANY_MOVES, "--time", "0.5"]);
    assert!(rows[0]["move"].is_string(), "{rows:?}");
    assert!(began.elapsed() < std::time::Duration::from_secs(100), "it takes some ten seconds at most");
}

#[test]
fn learning_can_be_interrupted() {
    let folder = concat!(env!("CARGO_TARGET_TMPDIR"), "/nothing_learned");
    let mut child = Command::new(env!("CARGO_BIN_EXE_multigame"))
        .env("XDG_DATA_HOME", folder)
        .args(["search", VERY_MANY_MOVES, "--time", "1000"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    std::thread::sleep(std::time::Duration::from_millis(300));
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let ended = child.wait().unwrap();
    assert_eq!(ended.code(), Some(130));
}

/// Compiling the rules is not on the clock of a search.
#[test]
fn a_short_time_is_for_searching() {
    let rows = rows(&["search", "chess", "--position", MATE_IN_TWO, "--time", "0.2"]);
    assert_eq!(rows[0]["score"], "win in 3", "{rows:?}");
}

#[test]
fn a_search_tells_value_move_and_line() {
    let rows = rows(&["search", "chess", "--position", MATE_IN_ONE, "--depth", "3"]);
    let [row] = &rows[..] else { panic!("one line") };
    assert_eq!(row["move"], "a1a8");
    assert_eq!((&row["kind"], &row["score"]), (&Value::from("win"), &Value::from("win in 1")));
    assert_eq!(row["pv"][0], "a1a8");
    assert!(row["value"].is_i64() && row["nodes"].is_u64() && row["seconds"].is_f64(), "{row}");
    assert!(row["depth"].as_i64().unwrap() >= 1);
    let text = succeed(&["search", "chess", "--position", MATE_IN_TWO, "--depth", "4", "--statistics"]);
    assert!(
        text.contains("win in 3") && text.contains("depth   1") && text.contains("evaluations"),
        "{text}"
    );
}

#[test]
fn engines_agree_when_asked_to_be_exact() {
    for (game, depth) in [("tictactoe", "5"), ("checkers", "3"), ("breakthrough", "2"), ("chess", "2")] {
        let value = |engine: &str| {
            let arguments = ["search", game, "--engine", engine, "--depth", depth, "--exact"];
            rows(&arguments)[0]["value"].clone()
        };
        let truth = value("negamax");
        for engine in ["alphabeta", "negascout", "mtdf", "sss", "dual"] {
            assert_eq!(value(engine), truth, "{game} {engine}");
        }
        let together = ["search", game, "--depth", depth, "--exact", "--threads", "3"];
        assert_eq!(rows(&together)[0]["value"], truth, "{game} on three threads");
    }
}

#[test]
fn threads_search_together_where_the_engine_can() {
    let rows = rows(&["search", "chess", "--nodes", "30000", "--threads", "3", "--multipv", "2"]);
    assert!(rows.len() == 2 && rows.iter().all(|row| row["move"].is_string()), "{rows:?}");
    for threads in ["--threads=0", "--threads=513", "--threads=-1", "--threads=many"] {
        assert!(refuse(&["search", "chess", "--depth", "2", threads]).contains("--threads"));
    }
    let output = Command::new(env!("CARGO_BIN_EXE_multigame"))
        .args(["search", "tictactoe", "--engine", "pns", "--nodes", "1000", "--threads", "2"])
        .output()
        .unwrap();
    assert!(output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("pns uses one thread"), "{output:?}");
}

#[test]
fn every_engine_and_every_limit_gives_a_move() {
    for engine in
        ["negamax", "alphabeta", "negascout", "mtdf", "sss", "dual", "pns", "dfpn", "exhaustive", "mcts"]
    {
        for limit in [["--nodes", "0"], ["--nodes", "2000"], ["--time", "0"], ["--depth", "1"]] {
            if limit == ["--depth", "1"] && ["pns", "dfpn", "exhaustive"].contains(&engine) {
                continue;
            }
            let row =
                &rows(&[&["search", "connect4", "--engine", engine, "--hash", "1"][..], &limit].concat())[0];
            assert!(row["move"].is_string(), "{engine} {limit:?} {row}");
        }
    }
}

#[test]
fn the_same_search_twice_is_the_same() {
    let nodes = |more: &[&str]| {
        rows(&[&["search", "othello", "--depth", "5"][..], more].concat())[0]["nodes"].clone()
    };
    assert_eq!(nodes(&[]), nodes(&[]));
    let plain = nodes(&["--without", "table,late-move-reductions,killers,history"]);
    assert_ne!(nodes(&[]), plain);
    assert_eq!(plain, nodes(&["--without", "table", "--without", "late_move_reductions,killers,history"]));
}

#[test]
fn several_lines_are_different_and_in_order() {
    let rows = rows(&["search", "chess", "--position", MATE_IN_ONE, "--depth", "3", "--multipv", "4"]);
    assert_eq!(rows.len(), 4);
    let moves: std::collections::HashSet<&str> =
        rows.iter().map(|row| row["move"].as_str().unwrap()).collect();
    assert_eq!(moves.len(), 4);
    assert_eq!((&rows[0]["move"], &rows[0]["rank"]), (&"a1a8".into(), &1.into()));
    let values: Vec<i64> = rows.iter().map(|row| row["value"].as_i64().unwrap()).collect();
    assert!(values.is_sorted_by(|one, other| one >= other), "{values:?}");
    // There are not more lines than moves.
    let few = support::rows(&["search", "tictactoe", "--depth", "2", "--multipv", "500"]);
    assert_eq!(few.len(), 9);
}

#[test]
fn a_game_that_is_over_has_no_move() {
    let mated = "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1";
    let row = &rows(&["search", "chess", "--position", mated, "--depth", "3"])[0];
    assert_eq!((&row["move"], &row["kind"]), (&Value::Null, &"loss".into()));
    assert!(succeed(&["search", "chess", "--position", mated, "--depth", "3"]).contains("over"));
}

#[test]
fn what_cannot_be_searched_is_refused() {
    assert!(refuse(&["search", "puzzle15", "--depth", "3"]).contains("solve"));
    assert!(refuse(&["search", "chess", "--engine", "negascoutt"]).contains("negascout"));
    assert!(refuse(&["search", "chess", "--without", "nul-move"]).contains("null-move"));
    for wrong in [
        &["--depth", "0"][..],
        &["--depth", "100000"],
        &["--time", "-1"],
        &["--time", "nan"],
        &["--nodes", "-5"],
        &["--hash", "0"],
        &["--hash", "99999999999"],
        &["--multipv", "0"],
        &["--position", "8/8/8"],
        &["--infinite", "--depth", "3"],
    ] {
        refuse(&[&["search", "chess"][..], wrong].concat());
    }
}

#[cfg(unix)]
#[test]
fn an_interrupt_prints_the_best_so_far() {
    let child = Command::new(env!("CARGO_BIN_EXE_multigame"))
        .env("XDG_DATA_HOME", env!("CARGO_TARGET_TMPDIR"))
        .args(["search", "chess", "--infinite", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(std::time::Duration::from_millis(2000));
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "Ctrl-C is the proper end of an endless search");
    let text = String::from_utf8(output.stdout).unwrap();
    let row: Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
    assert!(row["move"].is_string() && row["stopped"] == true, "{row}");
}

/// What was found out is in the file, although the end was not waited for.
#[cfg(unix)]
#[test]
fn a_kill_saves_the_checkpoint() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("othello6.checkpoint");
    let child = Command::new(env!("CARGO_BIN_EXE_multigame"))
        .env("XDG_DATA_HOME", env!("CARGO_TARGET_TMPDIR"))
        .args(["solve", "othello6", "--engine", "exhaustive", "--hash", "8", "--checkpoint"])
        .arg(&file)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(std::time::Duration::from_millis(3000));
    Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stdout).contains("not solved"), "{output:?}");
    assert!(std::fs::metadata(&file).unwrap().len() > 0);
}

/// A program that waits for lines has nothing to lose, and ends at once.
#[cfg(unix)]
#[test]
fn a_kill_ends_who_waits() {
    for (command, question) in [("uci", "isready\n"), ("shell", "echo ready\n")] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_multigame"))
            .env("XDG_DATA_HOME", env!("CARGO_TARGET_TMPDIR"))
            .args([command, "tictactoe"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // It answers, so it listens to signals too. Its input stays open: the end of that would end it as well.
        let mut input = child.stdin.take().unwrap();
        input.write_all(question.as_bytes()).unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let mut answer = String::new();
        while !answer.contains("ready") {
            assert!(output.read_line(&mut answer).unwrap() > 0, "{command}: {answer}");
        }
        Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(143), "{command}");
        drop(input);
    }
}

/// Domineering has no features: what it is worth is derived, unless that is switched off. Checkers has some.
#[test]
fn positions_are_judged_by_the_rules_or_by_random_games() {
    let nodes_and_value = |game: &str, more: &[&str]| {
        let row = &rows(&[&["search", game, "--depth", "4"][..], more].concat())[0];
        (row["nodes"].clone(), row["value"].clone(), row["kind"].clone())
    };
    let derived = nodes_and_value("domineering", &[]);
    assert_eq!(derived, nodes_and_value("domineering", &["--evaluation", "derived"]));
    assert_eq!(derived, nodes_and_value("domineering", &["--generator", "interpreter"]));
    let none = nodes_and_value("domineering", &["--evaluation", "none"]);
    assert_eq!(none, nodes_and_value("domineering", &["--evaluation", "rules"]));
    assert_eq!((&none.1, &derived.2), (&Value::from(0), &Value::from("estimate")));
    // The scores may be equal by chance, the trees are not.
    assert_ne!(derived, none);
    let own = nodes_and_value("checkers", &["--evaluation", "plain"]);
    assert_eq!(own, nodes_and_value("checkers", &["--evaluation", "rules"]));
    // A network comes with the program.
    let network = nodes_and_value("checkers", &[]);
    assert_eq!(network, nodes_and_value("checkers", &["--evaluation", "network"]));
    assert_ne!(own, network);
    assert_ne!(own, nodes_and_value("checkers", &["--evaluation", "derived"]));
    assert_ne!(own, nodes_and_value("checkers", &["--evaluation", "none"]));
    assert!(refuse(&["search", "native:chess", "--depth", "1", "--evaluation", "derived"]).contains("hand"));
    assert!(refuse(&["solve", "puzzle15", "--evaluation", "derived"]).contains("not a game for two"));
    assert!(refuse(&["search", "chess", "--evaluation", "good"]).contains("automatic"));
}

// ---- solve

#[test]
fn games_are_solved_with_proof() {
    for (game, value, winner) in [
        ("tictactoe", "draw", Value::Null),
        ("hexapawn", "loss", "black".into()),
        ("nim", "win", "white".into()),
    ] {
        for engine in ["dfpn", "pns"] {
            let row = &rows(&["solve", game, "--engine", engine, "--hash", "16"])[0];
            assert_eq!((&row["value"], &row["winner"]), (&value.into(), &winner), "{game} {engine} {row}");
            assert!(row["proven"] == true && row["nodes"].is_u64() && row["solution"].is_array());
        }
    }
    let row = &rows(&["solve", "hexapawn", "--engine", "negascout", "--hash", "4"])[0];
    assert_eq!((&row["value"], row["plies"].is_u64()), (&"loss".into(), true), "{row}");
    let said = succeed(&["solve", "tictactoe", "--hash", "4"]);
    assert!(said.contains("draw") && said.contains("the whole game from here has 5,478 positions"), "{said}");
}

#[test]
fn engines_that_can_prove_something_take_turns() {
    // Proof numbers lead nowhere in games that end by themselves.
    let row = &rows(&["solve", "sizes/domineering_6x6", "--nodes", "2000000"])[0];
    assert_eq!((&row["winner"], &row["engine"]), (&"white".into(), &"exhaustive".into()), "{row}");
    let row = &rows(&["solve", "sizes/domineering_6x6", "--nodes", "200000"])[0];
    assert_eq!((&row["proven"], &row["value"]), (&false.into(), &"unknown".into()), "{row}");
}

#[test]
fn exhaustive_searches_say_what_they_know() {
    let row = &rows(&["solve", "sizes/domineering_5x5", "--engine", "exhaustive", "--hash", "4"])[0];
    assert_eq!((&row["value"], &row["winner"]), (&Value::from("loss"), &Value::from("black")));
    // Nine empty fields of Othello, 12 points for black; each question is answered before the limit of the second.
    let ending = "OOOOO-XXXOO-XXXXXXXOXOOOX-OOOO-XOXX- X";
    let whole =
        &rows(&["solve", "othello6", "--engine", "exhaustive", "--hash", "4", "--position", ending])[0];
    let points = whole["points"].as_i64().unwrap();
    let far = (points + 10).to_string();
    let guessed =
        ["solve", "othello6", "--engine", "exhaustive", "--hash", "4", "--guess", &far, "--position", ending];
    assert_eq!(rows(&guessed)[0]["points"], points);
    let said =
        succeed(&["solve", "sizes/connect4_5x5", "--engine", "exhaustive", "--hash", "4", "--nodes", "1000"]);
    assert!(said.contains("not solved"), "{said}");
    assert!(refuse(&["solve", "tictactoe", "--guess", "3"]).contains("exhaustive"));
    let wrong = refuse(&["solve", "tictactoe", "--engine", "exhaustive", "--order", "luck=1"]);
    assert!(wrong.contains("replies"), "{wrong}");
}

#[test]
fn puzzles_are_solved_in_as_few_moves_as_possible() {
    let position = "1 2 3 7 4 5 6 0 8 9 10 11 12 13 14 15";
    let row = &rows(&["solve", "puzzle15", "--position", position])[0];
    assert_eq!((&row["length"], row["solution"].as_array().unwrap().len()), (&4.into(), 4));
    assert!(succeed(&["solve", "puzzle15", "--position", position]).contains("solved in 4 moves"));
    let row =
        &rows(&["solve", "puzzle15", "--nodes", "3", "--position", "5 1 3 7 4 2 6 0 8 9 10 11 12 13 14 15"])
            [0];
    assert_eq!((&row["length"], &row["solvable"]), (&Value::Null, &Value::Null));
    assert!(refuse(&["solve", "puzzle15", "--engine", "dfpn"]).contains("puzzle"));
}

#[test]
fn what_has_no_solution_is_known_at_once() {
    let row = &rows(&["solve", "puzzle15", "--position", "0 2 1 3 4 5 6 7 8 9 10 11 12 13 14 15"])[0];
    assert_eq!((&row["solvable"], &row["nodes"]), (&false.into(), &0.into()));
}

#[test]
fn sokoban_counts_moves_or_pushes() {
    let level = ["solve", "sokoban", "--position", "setup:level_1"];
    let row = &rows(&level)[0];
    assert_eq!((&row["length"], &row["cost"]), (&33.into(), &33.into()));
    let row = &rows(&[&level[..], &["--cost", "pushes"]].concat())[0];
    assert_eq!(row["cost"], 8);
    assert!(refuse(&[&level[..], &["--cost", "steps"]].concat()).contains("pushes"));
}

#[test]
fn all_shortest_solutions_are_counted() {
    let row = &rows(&["solve", "puzzle8", "--all", "--position", "8 0 6 5 4 7 2 3 1"])[0];
    assert_eq!(row["length"], 31);
    assert_eq!(row["solutions"].as_u64(), row["all"].as_array().map(|all| all.len() as u64));
}

#[test]
fn what_is_not_solved_is_said_to_be_open() {
    let row = &rows(&["solve", "chess", "--nodes", "1000", "--hash", "1"])[0];
    assert_eq!((&row["value"], &row["proven"]), (&"unknown".into(), &false.into()));
    assert!(succeed(&["solve", "chess", "--nodes", "1000", "--hash", "1"]).contains("not solved"));
}

#[test]
fn an_unfinished_proof_goes_on_where_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("connect4.checkpoint");
    let file = file.to_str().unwrap();
    let solve = ["solve", "sizes/connect4_5x4", "--engine", "exhaustive", "--hash", "4"];
    let with = |more: &[&str]| -> Value {
        let arguments: Vec<&str> = solve.iter().chain(more).copied().collect();
        rows(&arguments).remove(0)
    };
    let whole = with(&[]);
    let mut runs = 0;
    let last = loop {
        runs += 1;
        let row = with(&["--checkpoint", file, "--nodes", "20000"]);
        if row["proven"] == true {
            break row;
        }
        assert!(std::fs::metadata(file).is_ok() && runs < 100, "{row}");
    };
    assert!(runs > 2, "{runs}");
    assert_eq!(last["value"], whole["value"]);
    // What an earlier run knew is not found out again, but for the line to where it was.
    let (nodes, straight) = (last["nodes"].as_u64().unwrap(), whole["nodes"].as_u64().unwrap());
    assert!(nodes < 2 * straight, "{nodes} {straight}");
    assert!(std::fs::metadata(file).is_err(), "there is nothing left to go on with");

    with(&["--checkpoint", file, "--nodes", "1000"]);
    let refused = |more: &[&str]| refuse(&[&more[..1], &["--checkpoint", file], &more[1..]].concat());
    let other_size =
        refused(&["solve", "sizes/connect4_5x4", "--engine", "exhaustive", "--hash", "5", "--nodes", "1"]);
    assert!(other_size.contains("--hash"), "{other_size}");
    let other_game =
        refused(&["solve", "sizes/connect4_5x5", "--engine", "exhaustive", "--hash", "4", "--nodes", "1"]);
    assert!(other_game.contains("another game"), "{other_game}");
    assert!(refused(&["solve", "tictactoe"]).contains("exhaustive"));
    let bytes = std::fs::read(file).unwrap();
    let solve = ["solve", "sizes/connect4_5x4", "--engine", "exhaustive", "--hash", "4", "--nodes", "1"];
    std::fs::write(file, &bytes[..bytes.len() / 2]).unwrap();
    assert!(refused(&solve).contains("damaged"));
    std::fs::write(file, "1. e4 e5").unwrap();
    assert!(refused(&solve).contains("no checkpoint"));
}

#[test]
fn every_iteration_is_a_line_of_json() {
    let rows = all_rows(&["search", "tictactoe", "--depth", "4"]);
    let (last, before) = rows.split_last().unwrap();
    assert!(last["final"] == true && before.len() >= 4, "{rows:?}");
    for row in before {
        assert!(row["final"] == false && row["value"].is_number() && row["pv"].is_array(), "{row}");
    }
    let depths: Vec<i64> = before.iter().map(|row| row["depth"].as_i64().unwrap()).collect();
    assert!(depths.is_sorted(), "{depths:?}");
}

#[test]
fn monte_carlo_takes_its_parameters() {
    let search = |rest: &[&str]| {
        let usual = ["search", "tictactoe", "--engine", "mcts", "--depth", "3", "--seed", "1"];
        rows(&[&usual, rest].concat())[0]["nodes"].as_u64().unwrap()
    };
    assert!(search(&["--playouts", "50"]) < search(&["--playouts", "500"]));
    assert_ne!(search(&["--playouts", "500"]), search(&["--playouts", "500", "--playout-moves", "2"]));
    let said = refuse(&["search", "tictactoe", "--engine", "mcts", "--exploration", "much"]);
    assert!(said.contains("0.7"), "{said}");
}

/// Mu torere has 1,180 positions, in which play can go on for ever: df-pn alone gives it up.
#[test]
fn what_one_engine_gives_up_another_proves() {
    let rules = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/mu_torere.mg");
    let row = &rows(&["solve", rules, "--time", "60"])[0];
    assert_eq!((&row["value"], &row["proven"]), (&"draw".into(), &true.into()), "{row}");
    assert!(row["positions"].as_u64().is_some_and(|positions| positions <= 1_260), "{row}");
    let larger = &rows(&["solve", "sizes/breakthrough_4x4"])[0];
    assert_eq!(larger["positions"].as_u64(), None, "these are more than are counted: {larger}");
}

/// What a search has found out is in its file: the same search has less to do the second time.
#[test]
fn a_search_goes_on_from_its_checkpoint() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.checkpoint");
    let command = ["search", "connect4", "--depth", "11", "--exact", "--checkpoint", file.to_str().unwrap()];
    let last = |arguments: &[&str]| rows(arguments).pop().unwrap();
    let (first, second) = (last(&command), last(&command));
    assert_eq!(first["score"], second["score"]);
    let nodes = |row: &Value| row["nodes"].as_u64().unwrap();
    assert!(nodes(&second) < nodes(&first), "{first} {second}");
    // Another position is not what the file is about.
    // Whether there is a place for it is found out first.
    let nowhere = folder.path().join("nowhere/a.checkpoint");
    let told = refuse(&["search", "connect4", "--depth", "60", "--checkpoint", nowhere.to_str().unwrap()]);
    assert!(told.contains("cannot save") && told.contains("nowhere"), "{told}");
    let other = ["search", "othello", "--depth", "3", "--checkpoint", file.to_str().unwrap()];
    assert!(refuse(&other).contains("another game"));
    let without_table = ["search", "connect4", "--engine", "mcts", "--nodes", "100", "--checkpoint", "x"];
    assert!(refuse(&without_table).contains("--checkpoint"));
}
