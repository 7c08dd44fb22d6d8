//! Running the program, for all test files.

#![allow(dead_code, clippy::unwrap_used)] // not every file needs everything; tests are free to unwrap

use std::io::Write;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// Runs the program with some standard input.
pub(crate) fn run_with(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_multigame"))
        .args(arguments)
        // What is learned about games is kept there, not with the data of the user who runs the tests.
        .env("XDG_DATA_HOME", env!("CARGO_TARGET_TMPDIR"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A program that has seen enough closes its input; that is no failure of the test.
    let _ = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap()
}

pub(crate) fn run(arguments: &[&str]) -> Output {
    run_with(arguments, b"")
}

pub(crate) fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// What a successful run prints.
pub(crate) fn succeed(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", stderr(&output));
    stdout(&output)
}

/// What a run that must end with exit code 2 says about it: on stderr, without a panic.
pub(crate) fn refuse(arguments: &[&str]) -> String {
    let output = run(arguments);
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
    assert!(!said.contains("panicked"), "{said}");
    said
}

/// The objects that a successful run prints, those of a search's iterations left out.
pub(crate) fn rows(arguments: &[&str]) -> Vec<Value> {
    all_rows(arguments).into_iter().filter(|row| row["final"] != false).collect()
}

/// The objects that a successful run prints.
pub(crate) fn all_rows(arguments: &[&str]) -> Vec<Value> {
    let text = succeed(&[arguments, &["--json"]].concat());
    text.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|_| panic!("{line}"))).collect()
}
