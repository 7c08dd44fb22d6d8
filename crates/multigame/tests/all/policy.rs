//! `multigame learn --policy`, and Monte Carlo search with what was learned, as people and scripts see them.

#![allow(clippy::unwrap_used)] // tests are free to

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

fn run(data: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_multigame")).env("XDG_DATA_HOME", data).args(arguments).output().unwrap()
}

fn succeed(data: &Path, arguments: &[&str]) -> String {
    let output = run(data, arguments);
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {told}");
    String::from_utf8(output.stdout).unwrap()
}

fn refuse(data: &Path, arguments: &[&str]) -> String {
    let output = run(data, arguments);
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {told}");
    assert!(!told.contains("panicked"), "{told}");
    told
}

const SMALL: [&str; 14] = [
    "--games",
    "60",
    "--playouts",
    "30",
    "--channels",
    "8",
    "--layers",
    "1",
    "--epochs",
    "3",
    "--random-plies",
    "2",
    "--test-games",
    "20",
];

#[test]
fn tictactoe_is_learned_in_seconds() {
    let data = tempfile::tempdir().unwrap();
    let at = |name: &str| data.path().join(name).to_str().unwrap().to_owned();
    let (folder, output) = (at("state"), at("own.mgp"));
    let mut arguments = vec!["learn", "tictactoe", "--policy", "--folder", &folder, "--output", &output];
    arguments.extend(["--games", "600", "--playouts", "60", "--layers", "1", "--epochs", "20"]);
    arguments.extend(["--random-plies", "2", "--test-games", "20", "--generations", "3"]);
    succeed(data.path(), &arguments);
    // With so few nodes games at random are not enough, and what was learned is: it never loses to the oracle.
    let losses = |policy: &str| {
        let first = format!("engine=mcts,nodes=150,policy={policy}");
        let second = "engine=negascout,exact,depth=9,nodes=100000";
        let mut arguments = vec!["match", "tictactoe", "--first", &first, "--second", second];
        arguments.extend(["--games", "40", "--random-plies", "1", "--json"]);
        let told = succeed(data.path(), &arguments);
        let last: Value = serde_json::from_str(told.lines().last().unwrap()).unwrap();
        last["losses"].as_u64().unwrap()
    };
    assert_eq!(losses(&at("state/policy-002.mgp")), 0);
    assert!(losses("none") > 0);
}

#[test]
fn learning_goes_on_after_a_stop_and_gives_the_same_policy() {
    let data = tempfile::tempdir().unwrap();
    let at = |name: &str| data.path().join(name).to_str().unwrap().to_owned();
    let learn = |folder: &str, more: &[&str]| {
        let (folder, output) = (at(folder), at(&format!("{folder}.mgp")));
        let mut arguments =
            vec!["learn", "tictactoe", "--policy", "--folder", &folder, "--output", &output, "--json"];
        arguments.extend(SMALL);
        arguments.extend(more);
        succeed(data.path(), &arguments)
    };
    let told = learn("whole", &["--generations", "2", "--threads", "2"]);
    let rows: Vec<Value> = told.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(rows.len() == 2 && rows[1]["positions"].as_u64() > Some(100), "{told}");
    for _ in 0..4 {
        learn("pieces", &["--generations", "2", "--threads", "1", "--time", "0.05"]);
    }
    learn("pieces", &["--generations", "2", "--threads", "1"]);
    for file in ["games-000.mgv", "policy-000.mgp", "games-001.mgv", "policy-001.mgp", "trainer.bin"] {
        let [whole, pieces] =
            ["whole", "pieces"].map(|folder| std::fs::read(at(&format!("{folder}/{file}"))).unwrap());
        assert!(whole == pieces, "{file} differs");
    }
    let (folder, output) = (at("whole"), at("x.mgp"));
    let told = refuse(
        data.path(),
        &["learn", "tictactoe", "--policy", "--folder", &folder, "--output", &output, "--playouts", "77"],
    );
    assert!(told.contains("--restart"), "{told}");
}

#[test]
fn policies_are_used_or_refused_with_a_reason() {
    let data = tempfile::tempdir().unwrap();
    let at = |name: &str| data.path().join(name).to_str().unwrap().to_owned();
    let (folder, output) = (at("state"), at("own.mgp"));
    let mut arguments = vec![
        "learn",
        "sizes/hex_3x3",
        "--policy",
        "--folder",
        &folder,
        "--output",
        &output,
        "--generations",
        "1",
    ];
    arguments.extend(SMALL);
    succeed(data.path(), &arguments);
    // Whether it was taken or not, it is there.
    let file = at("state/policy-000.mgp");
    let search = |game: &str, policy: &str| {
        let limits = ["--playouts", "40", "--seed", "1", "--json"];
        let mut arguments = vec!["search", game, "--engine", "mcts", "--policy", policy];
        arguments.extend(limits);
        run(data.path(), &arguments)
    };
    let led = search("sizes/hex_3x3", &file);
    assert_eq!(led.status.code(), Some(0), "{}", String::from_utf8_lossy(&led.stderr));
    assert!(!led.stdout.is_empty());
    let nodes = |output: &Output| -> Value {
        let text = String::from_utf8(output.stdout.clone()).unwrap();
        serde_json::from_str::<Value>(text.lines().last().unwrap()).unwrap()["nodes"].clone()
    };
    assert_ne!(nodes(&led), nodes(&search("sizes/hex_3x3", "none")));
    assert_eq!(nodes(&led), nodes(&search("sizes/hex_3x3", &file)));
    let refused = |game: &str, policy: &str| {
        refuse(data.path(), &["search", game, "--engine", "mcts", "--playouts", "40", "--policy", policy])
    };
    assert!(refused("tictactoe", &file).contains("other rules"));
    let bytes = std::fs::read(&file).unwrap();
    std::fs::write(at("short.mgp"), &bytes[..bytes.len() / 2]).unwrap();
    assert!(refused("sizes/hex_3x3", &at("short.mgp")).contains("cut short"));
    let mut altered = bytes.clone();
    altered[bytes.len() / 2] ^= 1;
    std::fs::write(at("altered.mgp"), altered).unwrap();
    assert!(refused("sizes/hex_3x3", &at("altered.mgp")).contains("checksum"));
    std::fs::write(at("other.mgp"), "hello").unwrap();
    assert!(refused("sizes/hex_3x3", &at("other.mgp")).contains("no policy"));
    refused("sizes/hex_3x3", &at("missing.mgp"));
    assert!(refused("native:connect4", &file).contains("written by hand"));
    assert!(refuse(data.path(), &["learn", "puzzle8", "--policy"]).contains("not a game for two"));
}
