//! Puzzles on several processors: `solve` with threads, and `lab speedup`.

#![allow(clippy::unwrap_used)]

use crate::support::{refuse, rows};

const TWELFTH: &str = "14 1 9 6 4 8 12 5 7 2 3 0 10 11 13 15";

#[test]
fn threads_solve_a_puzzle_together() {
    for (engine, name) in
        [(&[][..], "tds"), (&["--engine", "stealing"], "stealing"), (&["--engine", "ida"], "ida")]
    {
        let solve = ["solve", "puzzle15", "--position", TWELFTH, "--bound", "distances", "--threads", "2"];
        let found = rows(&[&solve, engine].concat());
        assert_eq!((&found[0]["length"], &found[0]["engine"]), (&45.into(), &name.into()));
        assert_eq!(found[0]["solution"].as_array().unwrap().len(), 45);
    }
}

#[test]
fn engines_of_puzzles_and_games_are_told_apart() {
    assert!(refuse(&["solve", "puzzle15", "--engine", "dfpn"]).contains("ida, tds or stealing"));
    assert!(refuse(&["solve", "tictactoe", "--engine", "tds"]).contains("is for puzzles"));
    assert!(refuse(&["solve", "puzzle15", "--engine", "tds", "--all"]).contains("--all"));
    assert!(refuse(&["solve", "sokoban", "--engine", "tds"]).contains("carry pieces"));
    let lab = ["lab", "speedup", "tictactoe", "--depth", "9", "--engine", "tds"];
    assert!(refuse(&lab).contains("is no puzzle"));
    assert!(refuse(&["lab", "speedup", "puzzle15", "--depth", "9"]).contains("tds or stealing"));
}

#[test]
fn speedups_of_puzzles_are_told_as_json() {
    for engine in ["tds", "stealing"] {
        let options = ["--engine", engine, "--suite", "korf15", "--first", "1", "--depth", "47"];
        let network = ["--network", "myrinet", "--processors", "8"];
        let found = rows(&[&["lab", "speedup", "puzzle15"][..], &options, &network].concat());
        assert_eq!(found.len(), 2);
        assert_eq!(found[1]["processors"], 8);
        let speedup = found[1]["speedup"].as_f64().unwrap();
        assert!(speedup > 1.5 && speedup < 8.5, "{engine}: {speedup}");
    }
}
