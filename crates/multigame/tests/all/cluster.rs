//! The program as one of several processes that a launcher started. What the processes do together is tried by
//! `scripts/mpi`.

#![allow(clippy::unwrap_used)]

use std::process::{Command, Output};

#[cfg(not(feature = "mpi"))]
use crate::support::refuse;

/// Runs the program as if Open MPI had started it.
fn run(process: &str, processes: &str, arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_multigame"));
    command.env("OMPI_COMM_WORLD_RANK", process).env("OMPI_COMM_WORLD_SIZE", processes).args(arguments);
    let Output { status, stdout, stderr } = command.output().unwrap();
    (status.code(), String::from_utf8(stdout).unwrap(), String::from_utf8(stderr).unwrap())
}

const WORK: [&str; 4] = ["perft", "tictactoe", "--depth", "2"];

#[test]
fn one_process_works_as_usual() {
    let (code, stdout, stderr) = run("0", "1", &WORK);
    assert_eq!(code, Some(0), "{stderr}");
    assert!(stdout.contains("72"), "{stdout}");
}

#[cfg(not(feature = "mpi"))]
#[test]
fn without_mpi_several_processes_are_refused_by_one_voice() {
    let (code, stdout, stderr) = run("0", "8", &WORK);
    assert_eq!((code, stdout.as_str()), (Some(2), ""));
    assert!(stderr.contains("built without MPI") && stderr.contains("--features mpi"), "{stderr}");
    assert_eq!(run("3", "8", &WORK), (Some(2), String::new(), String::new()));
}

#[cfg(not(feature = "mpi"))]
#[test]
fn without_mpi_there_are_no_processes_to_measure() {
    let told = refuse(&["lab", "speedup", "tictactoe", "--depth", "3", "--fabric", "mpi"]);
    assert!(told.contains("built without MPI") && told.contains("--fabric threads"), "{told}");
    let told = refuse(&["lab", "trace", "tictactoe", "--depth", "3", "--fabric", "mpi", "--processors", "2"]);
    assert!(told.contains("pictures are of threads"), "{told}");
}

#[cfg(feature = "mpi")]
#[test]
fn process_0_alone_does_what_one_process_can_do() {
    let (code, stdout, stderr) = run("0", "8", &WORK);
    assert_eq!(code, Some(0), "{stderr}");
    assert!(stdout.contains("72") && stderr.contains("one process"), "{stdout}{stderr}");
    assert_eq!(run("3", "8", &WORK), (Some(0), String::new(), String::new()));
}

#[cfg(feature = "mpi")]
#[test]
fn process_0_alone_complains() {
    let (code, _, stderr) = run("0", "8", &["no-such-command"]);
    assert!(code == Some(2) && stderr.contains("no-such-command"), "{stderr}");
    assert_eq!(run("3", "8", &["no-such-command"]), (Some(2), String::new(), String::new()));
}
