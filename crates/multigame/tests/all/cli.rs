//! The program as people and scripts see it: arguments in; text, JSON and exit codes out. Belongs here: whatever
//! can be said about one run of the binary.

#![allow(clippy::unwrap_used)] // tests are free to

use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

use crate::support::{refuse, run, run_with, stderr, stdout, succeed};

pub(crate) fn json_lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|_| panic!("{line}"))).collect()
}

pub(crate) fn data(name: &str) -> String {
    format!("{}/tests/data/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// A file with some content in a folder that lives as long as the result.
pub(crate) fn file(name: &str, content: &[u8]) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let path: PathBuf = folder.path().join(name);
    std::fs::write(&path, content).unwrap();
    let path = path.to_str().unwrap().to_owned();
    (folder, path)
}

pub(crate) const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

// ---- help and games

#[test]
fn without_a_terminal_it_explains_itself() {
    let help = succeed(&[]);
    for word in ["check", "fmt", "games", "perft", "explore", "play", "Examples"] {
        assert!(help.contains(word), "{help}");
    }
    assert!(succeed(&["perft", "--help"]).contains("--divide"));
}

#[test]
fn the_library_is_listed() {
    assert!(succeed(&["games"]).contains("Tic-tac-toe"));
    let games = json_lines(&succeed(&["games", "--json"]));
    let chess = games.iter().find(|game| game["name"] == "chess").unwrap();
    assert_eq!((&chess["players"], &chess["board"]), (&Value::from(2), &Value::from("8x8")));
    for game in &games {
        assert!(game["title"].is_string() && game["rules"].is_string() && game["origin"].is_string());
    }
}

#[test]
fn one_game_is_described_in_full() {
    let chess = succeed(&["games", "chess"]);
    for word in ["Chess (chess)", "origin", "not covered", "checked", "lines", "random games"] {
        assert!(chess.contains(word), "{word}: {chess}");
    }
    let [chess] = &json_lines(&succeed(&["games", "chess", "--json"]))[..] else { panic!("one line") };
    assert_eq!((&chess["family"], &chess["self_play"]["games"]), (&"chess".into(), &1000.into()));
    assert!(succeed(&["games", "--markdown"]).contains("### Chess (`chess`)"));
    assert!(succeed(&["games", "hex", "--markdown"]).starts_with("### Hex (`hex`)"));
    assert!(refuse(&["games", "ches"]).contains("chess"));
}

#[test]
fn random_games_have_a_seed() {
    let play = |seed: &str, generator: &str| {
        let rest = ["--games", "20", "--seed", seed, "--generator", generator, "--json"];
        json_lines(&succeed(&[&["selfplay", "tictactoe", "nim"], &rest[..]].concat()))
    };
    let first = play("3", "jit");
    assert_eq!(first.len(), 2);
    assert_eq!(first, play("3", "interpreter"), "the order of moves does not matter");
    assert_ne!(first, play("4", "jit"));
    let number = |key: &str| first[0][key].as_u64().unwrap();
    assert_eq!(number("first_wins") + number("draws") + number("second_wins"), 20);
}

/// Rules that do not end a game are found out.
#[test]
fn a_game_without_an_end_is_an_error() {
    let rules = "dimensions (2, 1)\nsides = 1\npieces { man 'M' 'm' }\nrepetition ignored\n\
                 setup\n{\n    M.\n}\nmain = find man, pick up, either east or west, step, put down.\n";
    let (_folder, path) = file("endless.mg", rules.as_bytes());
    assert!(refuse(&["selfplay", &path, "--games", "1"]).contains("1 of 1 game of"));
}

/// The first games of each game of the library go as recorded: no fault, no limit, the same length.
#[test]
fn recorded_random_games_are_played_again() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../suites/self-play.csv");
    let recorded = std::fs::read_to_string(path).unwrap();
    let recorded: Vec<Vec<&str>> = recorded.lines().map(|line| line.split(',').collect()).collect();
    let played = json_lines(&succeed(&["selfplay", "--games", "5", "--seed", "1", "--json"]));
    assert!(played.len() >= 45);
    for row in played {
        let name = row["game"].as_str().unwrap();
        let line = recorded.iter().find(|line| line[0] == name).unwrap_or_else(|| panic!("no {name}"));
        let advice = "multigame selfplay --games 1000 --seed 1 --csv > suites/self-play.csv";
        assert_eq!(row["plies_of_first_5"].to_string(), line[10], "{name} plays otherwise: {advice}");
    }
}

#[test]
fn every_command_takes_the_global_flags() {
    let flags = ["--json", "--seed", "7", "--threads", "2"];
    for command in [&["games"][..], &["check", "chess"], &["perft", "chess", "--depth", "1"]] {
        succeed(&[command, &flags].concat());
        succeed(&[&flags[..], command].concat());
    }
}

// ---- perft and explore

// ---- positions

#[test]
fn a_position_comes_from_a_file_from_standard_input_or_as_it_is() {
    let (_folder, path) = file("kiwipete.fen", KIWIPETE.as_bytes());
    let count = |output: Output| json_lines(&stdout(&output))[0]["leaves"].clone();
    let perft = |position: &str, input: &[u8]| {
        count(run_with(&["perft", "chess", "--depth", "2", "--json", "--position", position], input))
    };
    assert_eq!(perft(&path, b""), 2039);
    assert_eq!(perft("-", KIWIPETE.as_bytes()), 2039);
    assert_eq!(perft(KIWIPETE, b""), 2039);
    // Othello's notation begins with what looks like an option.
    let line = format!("{}OX------XO{} X", "-".repeat(27), "-".repeat(27));
    assert_eq!(count(run(&["perft", "othello", "--depth", "2", "--json", "--position", &line])), 12);
}

#[test]
fn a_setup_has_a_name() {
    let rules = "dimensions (2, 1)\npieces { man 'M' 'm' }\nsetup\n{\nM.\n}\nsetup other\n{\nMM\n}\n\
                 main = find own man, replace by empty field.";
    let (_folder, path) = file("two.mg", rules.as_bytes());
    let perft = ["perft", &path, "--depth", "1", "--json", "--position"];
    let leaves = |position| json_lines(&succeed(&[&perft[..], &[position]].concat()))[0]["leaves"].clone();
    assert_eq!(leaves("setup:other"), 2);
    let said = refuse(&[&perft[..], &["setup:none"]].concat());
    assert!(said.contains("other"), "{said}");
}

#[test]
fn wrong_positions_are_refused() {
    let perft = |position: &str| refuse(&["perft", "chess", "--depth", "1", "--position", position]);
    assert!(perft("nosuchfile.txt").contains("neither a file nor a position"));
    assert!(perft("8/8/8/8 w").contains("rows"));
    assert!(perft("/").contains("folder"));
    perft("");
    perft("x\u{1}\u{7f}\n\n\nÿ");
    let said = refuse(&["perft", &data("thesis_connect4.mg"), "--depth", "1"]);
    assert!(said.contains("--position"), "{said}");
}

// ---- programs in the notation of the thesis, without a setup

#[test]
fn programs_of_the_thesis_run_unchanged() {
    for (program, position, depth, leaves) in [
        ("thesis_tictactoe.mg", "tictactoe_start.txt", "6", 54_720),
        ("thesis_connect4.mg", "connect4_start.txt", "6", 117_649),
        ("thesis_chess.mg", "chess_start.txt", "3", 8_902),
        ("thesis_puzzle15.mg", "puzzle15_start.txt", "8", 6_298),
    ] {
        let arguments = ["perft", &data(program), "--position", &data(position), "--depth", depth, "--json"];
        assert_eq!(json_lines(&succeed(&arguments))[0]["leaves"], leaves, "{program}");
    }
    let arguments =
        ["explore", &data("thesis_puzzle15.mg"), "--position", &data("puzzle15_start.txt"), "--depth", "9"];
    assert!(succeed(&arguments).contains("946"));
}

// ---- bad input

#[test]
fn unknown_names_get_a_suggestion() {
    assert!(refuse(&["perft", "ches", "--depth", "1"]).contains("did you mean `chess`?"));
    assert!(refuse(&["play", "qqqqqqq"]).contains("chess"));
    refuse(&["perft", "chess"]);
    refuse(&["perft", "chess", "--depth", "-1"]);
    refuse(&["perft", "chess", "--depth", "1000000"]);
    refuse(&["perft", "chess", "--depth", "1", "--generator", "none"]);
    refuse(&["nonsense"]);
    refuse(&["play", "chess", "--time", "soon"]);
}

#[test]
fn diagnostics_have_places_and_hints() {
    let (_folder, path) =
        file("bad.mg", b"dimensions (3, 3)\npieces { mark 'X' 'O' }\nmain = find emptyy field.\n");
    let output = run(&["check", &path, "--json"]);
    assert_eq!(output.status.code(), Some(2));
    let rows = json_lines(&stdout(&output));
    assert!(!rows.is_empty());
    for row in &rows {
        assert!(row["code"].is_string() && row["message"].is_string() && row["line"].is_u64(), "{row}");
        assert!(row["severity"] == "error" || row["severity"] == "warning", "{row}");
        assert!(row["column"].is_u64() && row.get("hint").is_some(), "{row}");
    }
    assert!(rows.iter().any(|row| row["line"] == 3));
    let text = stdout(&run(&["check", &path]));
    assert!(text.contains("main = find emptyy field.") && text.contains('^'), "{text}");
}

#[test]
fn bad_rules_are_refused_by_every_command() {
    let noise: Vec<u8> =
        (0..20_000_u32).map(|number| (number.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    let head = "dimensions (3, 3)\npieces { mark 'X' 'O' }\nsetup\n{\n...\n...\n...\n}\nmain = ";
    let nested = format!("{head}{}{}.", "[".repeat(10_000), "]".repeat(10_000));
    let nested_values = format!("{head}assert ({}1{}).", "(".repeat(10_000), ")".repeat(10_000));
    let long_line = format!("{head}{}", "find ".repeat(2_000_000));
    let cases: [(&str, &[u8]); 9] = [
        ("empty", b""),
        ("noise", &noise),
        ("unknown characters", "main = ☃ § find.".as_bytes()),
        ("unclosed", b"pieces { mark 'X' 'O'\nmain = [ find empty field"),
        ("unclosed setup", b"dimensions (1, 1)\npieces { m 'X' }\nsetup\n{\n.\nmain = nothing."),
        ("nested", nested.as_bytes()),
        ("nested values", nested_values.as_bytes()),
        ("long line", long_line.as_bytes()),
        ("NUL", b"\0\0\0"),
    ];
    for (name, content) in cases {
        let (_folder, path) = file("bad.mg", content);
        let check = run(&["check", &path]);
        assert_eq!(check.status.code(), Some(2), "{name}");
        assert!(!check.stdout.is_empty(), "{name}");
        for command in [&["perft", &path, "--depth", "1"][..], &["play", &path], &["explore", &path]] {
            refuse(command);
        }
        if name != "empty" {
            refuse(&["fmt", &path]);
        }
        assert_eq!(std::fs::read(&path).unwrap(), content, "fmt must leave bad rules alone");
    }
}

#[test]
fn files_that_cannot_be_read_are_named() {
    for command in [&["check"][..], &["fmt"], &["play"], &["explore"]] {
        let said = refuse(&[command, &["no/such/file.mg"]].concat());
        assert!(said.contains("no/such/file.mg"), "{said}");
        let said = refuse(&[command, &["/"]].concat());
        assert!(said.contains("folder"), "{said}");
    }
}

#[test]
fn rules_that_do_not_end_are_stopped() {
    let head = "players = 1\ndimensions (1, 1)\npieces { man 'M' }\nproperties { p : move : [0 .. 9000000] }\n\
                setup\n{\nM\n}\n";
    for (rule, rules, message) in [
        ("deep", "main = deep.\ndeep = assign (p = (p + 1) % 9), deep, nothing.", "levels deep"),
        ("round", "main = round.\nround = while nothing do nothing.", "does not end"),
        (
            "main",
            "main = repeat 21 times [ either assign (p = p * 2 % 2097152) or assign (p = (p * 2 + 1) % 2097152) ].",
            "results",
        ),
        (
            "wide",
            "main = wide.\nwide = repeat 60 times [ either assign (p = 1) or assign (p = 1) ], assert (0).",
            "statements",
        ),
        ("main", "main = find empty field.", "no outcome"),
    ] {
        let (_folder, path) = file("endless.mg", format!("{head}{rules}").as_bytes());
        let said = refuse(&["perft", &path, "--depth", "1"]);
        assert!(said.contains(message), "{said}");
        assert!(said.contains(&format!("in rule `{rule}`")), "{said}");
        assert!(said.contains("endless.mg:"), "{said}");
        assert!(said.contains("\nM\n"), "the position is shown: {said}");
    }
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_multigame"))
        .env("XDG_DATA_HOME", env!("CARGO_TARGET_TMPDIR"))
        .args(["explore", "puzzle15", "--depth", "14"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(!stderr(&output).contains("panicked"));
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
}

#[cfg(unix)]
#[test]
fn an_interrupt_prints_what_is_known() {
    let child = Command::new(env!("CARGO_BIN_EXE_multigame"))
        .env("XDG_DATA_HOME", env!("CARGO_TARGET_TMPDIR"))
        .args(["perft", "chess", "--depth", "9", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(std::time::Duration::from_millis(6000));
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let rows = json_lines(&stdout(&output));
    assert_eq!(rows[0]["complete"], false);
    assert!(rows[0]["leaves"].as_u64().unwrap() > 0);
}

// ---- compile

#[test]
fn impossible_positions_of_native_games_are_refused() {
    let two_kings = "kk6/8/8/8/8/8/8/K7 w - - 0 1";
    for arguments in [["perft", "--depth", "1"], ["search", "--depth", "1"], ["explore", "--depth", "1"]] {
        let [command, limit, one] = arguments;
        for position in [two_kings, "8/8/8/8/8/8/8/8 w - - 0 1", "k7/8/8/8/8/8/8/K6r b - - 0 1"] {
            let said = refuse(&[command, "native:chess", "--position", position, limit, one]);
            assert!(said.contains("no game of chess gets there"), "{said}");
        }
    }
    let said = refuse(&["solve", "native:puzzle15", "--position", "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 15"]);
    assert!(said.contains("empty field"), "{said}");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("bad.epd");
    std::fs::write(&file, format!("{two_kings} bm Ka2;\n")).unwrap();
    let said = refuse(&["suite", "native:chess", file.to_str().unwrap(), "--depth", "1"]);
    assert!(said.contains("line 1") && said.contains("no game of chess"), "{said}");
}
