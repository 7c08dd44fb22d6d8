//! `multigame fit`: numbers of an evaluation.

#![allow(clippy::unwrap_used)] // tests are free to

use std::fmt::Write;
use std::path::Path;

use crate::support::{refuse, rows, succeed};

const RULES: &str = "\
dimensions (4, 4)
pieces { man 'M' 'm'  king 'K' 'k' }
tables { ahead = 0, 0, 0, 0 }
evaluation
{
    men : 10 = find own man.
    kings : 10 = find own king.
    rows : ahead[row - 1] = find own man.
}
setup
{
    mmmm
    ....
    ....
    MMMM
}
main = find own piece, pick up, north, step, put down.
";

/// Positions by chance in which a king is worth three men and a row 4 centipawns.
fn positions() -> String {
    let (mut random, mut text) = (1_u64, String::new());
    let mut next = |most: u64| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) % most
    };
    for _ in 0..400 {
        let (mut worth, mut rows) = (0, Vec::new());
        for row in 0..4 {
            let piece = |number| match number {
                0 => 'M',
                1 => 'm',
                2 => 'K',
                3 => 'k',
                _ => '1',
            };
            let fields: String = (0..4).map(|_| piece(next(8))).collect();
            for field in fields.chars() {
                // The first row of the text is the fourth of white and the first of black.
                worth += match field {
                    'M' => 40 + 4 * (3 - row),
                    'm' => -40 - 4 * row,
                    'K' => 120,
                    'k' => -120,
                    _ => 0,
                };
            }
            // A run of empty fields is one number.
            let runs = [("1111", "4"), ("111", "3"), ("11", "2")];
            rows.push(runs.iter().fold(fields, |text, (run, number)| text.replace(run, number)));
        }
        writeln!(text, "{} w ce {worth};", rows.join("/")).unwrap();
    }
    text
}

fn written(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn weights_are_found_from_judged_positions() {
    let folder = tempfile::tempdir().unwrap();
    let rules = written(folder.path(), "rules.mg", RULES);
    let judged = written(folder.path(), "judged.epd", &positions());
    let output = folder.path().join("fitted.mg");
    let row = rows(&["fit", &rules, &judged, "--trust", "0.1", "-o", output.to_str().unwrap()]).remove(0);
    assert_eq!((row["positions"].as_u64(), row["numbers"].as_u64()), (Some(400), Some(6)), "{row}");
    let (before, after) = (&row["kept_back_error_before"], &row["kept_back_error_after"]);
    assert!(after.as_f64().unwrap() < before.as_f64().unwrap() / 20.0, "{row}");
    let fitted = std::fs::read_to_string(&output).unwrap();
    let number = |after: &str| -> f64 {
        let (_, rest) = fitted.split_once(after).unwrap();
        rest.split_whitespace().next().unwrap().parse().unwrap()
    };
    // A man on its first row is what both of its numbers say.
    let table = fitted.split_once("ahead = ").unwrap().1;
    let first: f64 = table.split(',').next().unwrap().trim().parse().unwrap();
    let ratio = number("kings : ") / (number("men : ") + first);
    assert!((2.7..3.3).contains(&ratio), "{fitted}");
    succeed(&["check", output.to_str().unwrap()]);
}

/// What it is worth to be to move is a number like the others, if the rules have one.
#[test]
fn the_worth_of_the_move_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let rules = RULES.replace("{\n    men", "{\n    to move : -3.\n    men");
    let rules = written(folder.path(), "rules.mg", &rules);
    let judged: String = positions().lines().fold(String::new(), |text, line| {
        let (before, worth) = line.split_once(" ce ").unwrap();
        let worth: i32 = worth.trim_end_matches(';').parse().unwrap();
        // White is to move in all of them.
        text + &format!("{before} ce {};\n", worth + 60)
    });
    let judged = written(folder.path(), "judged.epd", &judged);
    let row = rows(&["fit", &rules, &judged, "--trust", "0.1"]).remove(0);
    let number = |after: &str| -> f64 {
        let (_, rest) = row["rules"].as_str().unwrap().split_once(after).unwrap();
        let end = rest.find(|sign: char| sign != '-' && !sign.is_ascii_digit()).unwrap();
        rest[..end].parse().unwrap()
    };
    let (to_move, king) = (number("to move : "), number("kings : "));
    assert!((0.4..0.6).contains(&(to_move / king)), "{row}");
    assert!(row["to_move"].is_null(), "the rules say it: {row}");
}

#[test]
fn weights_are_fitted_to_results_of_games() {
    let folder = tempfile::tempdir().unwrap();
    let games = folder.path().join("games.pgn").to_str().unwrap().to_owned();
    let play = ["match", "connect4", "--first", "", "--second", "without=table", "--nodes", "60"];
    succeed(&[&play[..], &["--games", "20", "--seed", "3", "--pgn", &games]].concat());
    let rules = succeed(&["fit", "connect4", &games, "--trust", "500"]);
    let rules = written(folder.path(), "fitted.mg", &rules);
    let perft = |game: &str| rows(&["perft", game, "--depth", "3"]).remove(0)["nodes"].as_u64();
    assert_eq!((perft(&rules), perft("connect4")), (Some(400), Some(400)));
    let row = rows(&["fit", "connect4", &games, "--trust", "5"]).remove(0);
    assert!(row["changed"].as_u64() > Some(0) && row["rules"].as_str().unwrap().contains("main ="), "{row}");
    assert!(row["error_after"].as_f64() < row["error_before"].as_f64(), "{row}");
    let before = rows(&["fit", "connect4", &games, "--trust", "1e12", "-o", &rules]).remove(0);
    assert_eq!(before["changed"].as_u64(), Some(0), "{before}");
}

/// Pawns that walk and capture; the rules say nothing about what they are worth.
const RACE: &str = "\
dimensions (4, 5)
pieces { pawn 'P' 'p'  guard 'G' 'g' }
properties { taken : player : [0 .. 4] }
setup
{
    pgpp
    ....
    ....
    ....
    PPGP
    white to move
}
main = try go else loss.
go = irreversible, find own piece, pick up,
    either [ north, step, points at empty field ]
    or [ either northwest or northeast, step, points at opponent's piece, assign (taken++) ],
    put down, try [ assert (row == 5), win ].
";

#[test]
fn own_games_are_enough() {
    let folder = tempfile::tempdir().unwrap();
    let rules = written(folder.path(), "race.mg", RACE);
    let output = folder.path().join("fitted.mg").to_str().unwrap().to_owned();
    let quick = ["--games", "60", "--nodes", "30", "--test-games", "20", "--random-plies", "4"];
    let fit = |more: &[&str]| rows(&[&["fit", &rules, "--suggest"], &quick[..], more].concat());
    let told = fit(&["--rounds", "2", "-o", &output]);
    assert_eq!(told.len(), 2, "{told:?}");
    for row in &told {
        assert!(row["positions"].as_u64() > Some(100) && row["numbers"].as_u64() > Some(20), "{row}");
        assert!(row["error_after"].as_f64() < row["error_before"].as_f64(), "{row}");
        let played: u64 = ["wins", "draws", "losses"].iter().filter_map(|key| row[*key].as_u64()).sum();
        assert!((1..=20).contains(&played), "{row}");
    }
    // The same command gives the same numbers on any number of threads.
    assert_eq!(told[0]["error_after"], fit(&["--rounds", "1", "--threads", "2"])[0]["error_after"]);
    let written = std::fs::read_to_string(&output).unwrap();
    assert!(written.contains("pawn_rows : pawn_row[row] = find own pawn."), "{written}");
    assert!(written.contains("* taken = nothing."), "{written}");
    let perft = |game: &str| rows(&["perft", game, "--depth", "4"]).remove(0)["nodes"].as_u64();
    assert_eq!(perft(&output), perft(&rules));
    // What has an evaluation is fitted as it is.
    assert!(refuse(&["fit", &output, "--suggest"]).contains("leave out --suggest"));
}

#[test]
fn what_cannot_be_fitted_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let rules = written(folder.path(), "rules.mg", RULES);
    let judged = written(folder.path(), "judged.epd", &positions());
    let nothing = written(folder.path(), "nothing.epd", "4/4/4/4 w id \"no worth\";\n");
    let nonsense = written(folder.path(), "nonsense.epd", "what is this\n");
    let few = written(folder.path(), "few.epd", "M3/4/4/m3 w ce 10;\n");
    let wrong = written(folder.path(), "wrong.epd", "M3/4/4/m3 w ce much;\n");
    for (arguments, reason) in [
        (&["fit", "puzzle15", &judged][..], "not a game for two"),
        (&["fit", "nim", &judged], "no `evaluation`"),
        (&["fit", "nim"], "--suggest"),
        (&["fit", &rules, &judged, "--only", "queens"], "there are"),
        (&["fit", &rules, &nothing], "no position whose worth is known"),
        (&["fit", &rules, &nonsense], "line 1"),
        (&["fit", &rules, &few], "too few"),
        (&["fit", &rules, &wrong], "line 1"),
        (&["fit", &rules, &judged, "--trust", "0"], "0.001"),
        (&["fit", &rules, "/no/such/file"], "/no/such/file"),
    ] {
        let said = refuse(arguments);
        assert!(said.contains(reason), "{arguments:?}: {said}");
    }
}
