//! What several threads did, as `--statistics` tells it, and what `lab tune` has found for them.

#![allow(clippy::unwrap_used)] // tests are free to

use std::fs;
use std::process::{Command, Output};

use serde_json::Value;

use crate::support::{rows, stderr, succeed};

/// Whether two threads have a core each; otherwise they meet in the table.
fn has_cores() -> bool {
    std::thread::available_parallelism().map_or(1, usize::from) >= 2
}

fn number(row: &Value, name: &str) -> f64 {
    row[name].as_f64().unwrap_or_else(|| panic!("{name} in {row}"))
}

/// Parts of the time of all processors: together they are all of it.
fn check_parts(teamwork: &Value) {
    let parts = ["load", "waiting_for_slaves", "synchronisation", "no_work", "other"];
    let sum: f64 = parts.iter().map(|name| number(teamwork, name)).sum();
    assert!((0.99..1.1).contains(&sum), "{teamwork}");
    // On a machine with much else to do it may be little.
    assert!(number(teamwork, "load") > 0.0, "{teamwork}");
}

fn check_nodes(teamwork: &Value, all: &Value) {
    let nodes = teamwork["nodes"].as_array().unwrap();
    assert_eq!(nodes.len() as u64, teamwork["processors"].as_u64().unwrap());
    assert_eq!(nodes.iter().filter_map(Value::as_u64).sum::<u64>(), all.as_u64().unwrap(), "{teamwork}");
}

#[test]
fn a_search_that_gives_brothers_away_tells_who_did_what() {
    let search = ["search", "othello", "--threads", "2", "--statistics", "--engine", "ybwc", "--depth"];
    // A busy machine may end a small search before its second thread begins.
    let mut searched =
        ["10", "12", "13"].iter().map(|depth| rows(&[&search[..], &[depth]].concat()).pop().unwrap());
    let row = searched.find(|row| number(&row["teamwork"], "jobs") > 0.0).expect("some work was given away");
    let teamwork = &row["teamwork"];
    assert_eq!((teamwork["method"].as_str(), teamwork["lost"].as_u64()), (Some("ybwc"), Some(0)));
    check_parts(teamwork);
    check_nodes(teamwork, &row["nodes"]);
    let sent = |kind: &str| &teamwork["messages"][kind];
    assert!(number(sent("work"), "count") >= number(teamwork, "jobs"), "{teamwork}");
    assert!(number(sent("request"), "bytes") > 0.0 && number(sent("end"), "count") == 1.0, "{teamwork}");
    // One thread shares nothing, and nothing is reported where it is not asked for.
    assert!(rows(&["search", "othello", "--depth", "4", "--statistics"])[0]["teamwork"].is_null());
    assert!(rows(&["search", "othello", "--depth", "4", "--threads", "2"])[0]["teamwork"].is_null());
}

#[test]
fn threads_side_by_side_tell_what_they_had_of_each_other() {
    let search = ["search", "othello", "--depth", "11", "--threads", "2", "--statistics"];
    let row = rows(&search).pop().unwrap();
    let teamwork = &row["teamwork"];
    check_parts(teamwork);
    check_nodes(teamwork, &row["nodes"]);
    if has_cores() {
        assert_eq!(
            (teamwork["method"].as_str(), teamwork["least_depth"].as_u64()),
            (Some("side-by-side"), Some(8))
        );
        let gained: f64 = ["left_for_later", "known_by_peers", "ended_by_peers"]
            .iter()
            .map(|name| number(teamwork, name))
            .sum();
        assert!(gained > 0.0, "{teamwork}");
    }
    let row = rows(&[&search[..], &["--engine", "lazysmp"]].concat()).pop().unwrap();
    assert_eq!((&row["teamwork"]["method"], &row["teamwork"]["jobs"]), (&"lazysmp".into(), &0.into()));
    check_parts(&row["teamwork"]);
    check_nodes(&row["teamwork"], &row["nodes"]);
}

#[test]
fn suites_sum_up_what_processors_did() {
    let suite = ["suite", "chess", "bratko-kopec", "--first", "2", "--depth", "5", "--engine", "ybwc"];
    let both = ["--threads", "2", "--statistics"];
    let rows = rows(&[&suite[..], &both].concat());
    let [one, two, total] = &rows[..] else { panic!("three rows") };
    let jobs = |row: &Value| number(&row["teamwork"], "jobs");
    assert_eq!(jobs(one) + jobs(two), jobs(total));
    check_nodes(&total["teamwork"], &total["nodes"]);
    let told = succeed(&[&suite[..], &both].concat());
    for name in ["2 processors, ybwc: nodes of", "searching", "nodes of processor 1", "messages: request"] {
        assert!(told.contains(name), "{name}: {told}");
    }
    assert!(!succeed(&suite).contains("searching"));
}

/// The program with these lines as what `lab tune` has found.
fn with_found(lines: &[&str], arguments: &[&str]) -> Output {
    let folder = tempfile::tempdir().unwrap();
    let own = folder.path().join("multigame");
    fs::create_dir_all(&own).unwrap();
    fs::write(own.join("tuned.jsonl"), lines.join("\n")).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_multigame"));
    command.args(arguments).env("XDG_DATA_HOME", folder.path()).output().unwrap()
}

fn found(engine: &str, least_depth: u32, is_fastest: bool) -> String {
    format!(
        r#"{{"game":"connect4","place":"threads","processors":2,"engine":"{engine}","fastest":{is_fastest},"least_depth":{least_depth},"table_depth":1,"batch":64}}"#
    )
}

#[test]
fn what_was_found_changes_what_threads_do() {
    let searched = |lines: &[String], more: &[&str]| {
        let usual = ["search", "connect4", "--threads", "2", "--statistics", "--json", "--depth"];
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let output = with_found(&lines, &[&usual[..], more].concat());
        let told = String::from_utf8(output.stdout.clone()).unwrap();
        let last = told.lines().last().unwrap_or_else(|| panic!("{}", stderr(&output)));
        serde_json::from_str::<Value>(last).unwrap()["teamwork"].clone()
    };
    let did = |teamwork: &Value| {
        (teamwork["method"].as_str().unwrap().to_owned(), teamwork["least_depth"].as_u64())
    };
    let beside = |depth, is_fastest| found("side-by-side", depth, is_fastest);
    if has_cores() {
        assert_eq!(did(&searched(&[], &["10"])), ("side-by-side".to_owned(), Some(8)));
        assert_eq!(did(&searched(&[beside(3, false)], &["10"])), ("side-by-side".to_owned(), Some(3)));
        let both = [beside(3, false), found("ybwc", 2, true)];
        assert_eq!(did(&searched(&both, &["10"])), ("ybwc".to_owned(), Some(2)));
        let both = [found("ybwc", 2, true), beside(4, false), found("ybwc", 5, false)];
        assert_eq!(did(&searched(&both, &["10", "--engine", "abdada"])), ("abdada".to_owned(), Some(2)));
    }
    // Where only the deepest nodes may be shared, nothing is given away. A busy machine may end a small search before
    // its second thread begins.
    let jobs = |least: u32, plies: &str| {
        let teamwork = searched(&[found("ybwc", least, false)], &[plies, "--engine", "ybwc"]);
        assert_eq!(did(&teamwork), ("ybwc".to_owned(), Some(u64::from(least))));
        number(&teamwork, "jobs")
    };
    assert!(["10", "13", "16", "18"].iter().any(|plies| jobs(1, plies) > 0.0));
    assert_eq!(jobs(50, "10"), 0.0);
}

/// All that searches on several threads looks for what was found: a file that is none of ours is noticed.
#[test]
fn all_that_searches_reads_what_was_found() {
    let short = ["--first", "depth=1", "--second", "depth=1", "--games", "1"];
    for arguments in [
        &["search", "tictactoe", "--depth", "2"][..],
        &["suite", "chess", "bratko-kopec", "--depth", "1"],
        &["play", "tictactoe"],
        &["shell", "tictactoe"],
        &["uci", "tictactoe"],
        &["xboard", "tictactoe"],
        &[&["match", "tictactoe"], &short[..]].concat(),
    ] {
        let output = with_found(&["nonsense"], arguments);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(said.contains("line 1 is not what `lab tune` writes"), "{arguments:?}: {said}");
    }
}
