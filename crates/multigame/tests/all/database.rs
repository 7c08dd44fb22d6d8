//! `database` as people and scripts see it: made, listed, checked, refused when damaged, and used by `solve`.

#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

fn run(cache: &Path, arguments: &[&str]) -> Output {
    let program = env!("CARGO_BIN_EXE_multigame");
    Command::new(program).args(arguments).env("XDG_CACHE_HOME", cache).output().unwrap()
}

fn rows(cache: &Path, arguments: &[&str]) -> Vec<Value> {
    let output = run(cache, &[arguments, &["--json"]].concat());
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn refused(cache: &Path, arguments: &[&str]) -> String {
    let output = run(cache, arguments);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn databases_are_made_checked_used_and_refused_when_damaged() {
    let folder = tempfile::tempdir().unwrap();
    let cache = folder.path();
    assert!(refused(cache, &["database", "verify", "puzzle8"]).contains("database build puzzle8"));
    let build = ["database", "build", "puzzle8", "--patterns", "1,2,3,4/5,6,7,8"];
    let row = &rows(cache, &build)[0];
    assert_eq!((&row["states"], &row["bytes"], &row["adds"]), (&6048.into(), &3024.into(), &true.into()));
    let seen: u64 = rows(cache, &["database", "verify", "puzzle8"])
        .iter()
        .map(|row| row["states"].as_u64().unwrap())
        .sum();
    assert_eq!(seen, 6048);
    let files = rows(cache, &["database", "list"]);
    assert_eq!(files.len(), 2);
    let info = &rows(cache, &["database", "info", "puzzle8"])[0];
    assert_eq!((&info["pieces"], &info["modes"], &info["mirrors"]), (&8.into(), &9.into(), &1.into()));
    // What `solve` wants is made by itself.
    let hardest = ["solve", "puzzle8", "--bound", "patterns", "--position", "8 0 6 5 4 7 2 3 1"];
    let row = &rows(cache, &hardest)[0];
    assert!(row["length"] == 31 && row["bounds"].as_str().unwrap().contains("pattern databases"), "{row}");
    // One damaged byte, and a file cut short.
    for file in rows(cache, &["database", "list"]) {
        let path = file["file"].as_str().unwrap();
        let mut bytes = std::fs::read(path).unwrap();
        let last = bytes.len() - 1;
        bytes[last] ^= 1;
        std::fs::write(path, &bytes).unwrap();
    }
    let said = refused(cache, &hardest);
    assert!(said.contains("damaged") && said.contains("--again"), "{said}");
    assert!(refused(cache, &["database", "verify", "puzzle8"]).contains("damaged"));
    rows(cache, &[&build[..], &["--again"]].concat());
}

#[test]
fn bad_wishes_are_answered() {
    let folder = tempfile::tempdir().unwrap();
    let cache = folder.path();
    assert!(refused(cache, &["database", "build", "chess"]).contains("no patterns"));
    assert!(refused(cache, &["database", "build", "puzzle8", "--patterns", "1,x"]).contains("no number"));
    assert!(refused(cache, &["database", "build", "puzzle8", "--patterns", "1,2/2,3"]).contains("twice"));
    assert!(refused(cache, &["database", "build", "puzzle8", "--patterns", "9"]).contains("no piece 9"));
    assert!(refused(cache, &["database", "build", "puzzle8", "--patterns", "0"]).contains("no piece 0"));
    let large = ["database", "build", "puzzle24", "--memory", "16", "--patterns", "1,2,3,4,5,6,7,8"];
    assert!(refused(cache, &large).contains("--memory"));
}
