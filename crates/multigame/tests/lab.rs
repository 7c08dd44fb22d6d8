//! `multigame lab`, and the ways to share a search among threads.

#![allow(clippy::unwrap_used)]

mod support;

use serde_json::Value;
use support::{refuse, rows, succeed};

fn number(row: &Value, name: &str) -> f64 {
    row[name].as_f64().unwrap_or_else(|| panic!("{name} in {row}"))
}

#[test]
fn speedups_are_told_as_json_and_explained_by_their_parts() {
    let rows = rows(&[
        "lab",
        "speedup",
        "connect4",
        "--depth",
        "6",
        "--processors",
        "4,16",
        "--network",
        "infiniband",
    ]);
    let counts: Vec<f64> = rows.iter().map(|row| number(row, "processors")).collect();
    assert_eq!(counts, [1.0, 4.0, 16.0]);
    assert!((number(&rows[0], "speedup") - 1.0).abs() < 1e-9);
    for row in &rows {
        let explained = number(row, "processors") * number(row, "load") * number(row, "performance")
            / (1.0 + number(row, "search_overhead"));
        assert!((number(row, "speedup") - explained).abs() < 1e-6, "{row}");
        assert!(number(row, "nodes") > 0.0 && number(row, "seconds") > 0.0);
    }
    assert!(number(&rows[2]["messages"]["work"], "count") > 0.0);
}

#[test]
fn the_same_seed_gives_the_same_figures() {
    let figures = |seed: &str| {
        rows(&["lab", "speedup", "othello", "--depth", "4", "--processors", "8", "--seed", seed])
    };
    assert_eq!(figures("3"), figures("3"));
    assert_ne!(figures("3")[1], figures("4")[1]);
}

#[test]
fn figures_and_curves_are_written_to_files() {
    let folder = tempfile::tempdir().unwrap();
    let (csv, svg) = (folder.path().join("a.csv"), folder.path().join("a.svg"));
    let files = ["--csv", csv.to_str().unwrap(), "--svg", svg.to_str().unwrap()];
    let mut arguments = vec!["lab", "speedup", "tictactoe", "--depth", "5", "--processors", "1,4"];
    arguments.extend(files);
    succeed(&arguments);
    assert_eq!(std::fs::read_to_string(&csv).unwrap().lines().count(), 3);
    assert!(std::fs::read_to_string(&svg).unwrap().starts_with("<svg"));
}

#[test]
fn impossible_experiments_are_refused() {
    for arguments in [
        &["lab", "speedup", "chess", "--depth", "3", "--engine", "nonsense"][..],
        &["lab", "speedup", "chess", "--depth", "3", "--network", "nonsense"],
        &["lab", "speedup", "chess", "--depth", "3", "--processors", "0"],
        &["lab", "speedup", "puzzle15", "--depth", "3"],
        &["lab", "speedup", "chess", "--depth", "3", "--suite", "nonsense"],
        &["lab", "calibrate", "puzzle15"],
    ] {
        assert!(!refuse(arguments).is_empty(), "{arguments:?}");
    }
}

#[test]
fn every_way_to_share_a_search_has_the_exact_value() {
    let value = |arguments: &[&str]| {
        let mut all = vec!["search", "othello", "--depth", "6", "--exact"];
        all.extend(arguments);
        rows(&all).pop().unwrap()["value"].clone()
    };
    let alone = value(&[]);
    for engine in ["ybwc", "ybwc-1-2*", "jamboree", "abdada", "lazysmp", "pvsplit"] {
        assert_eq!(value(&["--engine", engine, "--threads", "3"]), alone, "{engine}");
    }
}
