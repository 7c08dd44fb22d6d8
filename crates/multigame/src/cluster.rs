//! Processes that `mpirun` or `srun` started together. One of them, process 0, speaks; the others are silent. A build
//! without MPI does not know how to work together and says so, instead of doing the same work in every process.

use std::io::Write;
use std::process::ExitCode;

use fabric::launch::{Launch, launch};

#[cfg(feature = "mpi")]
use crate::cli::lab::{FabricName, Lab, LabCommand};
use crate::cli::{Command, FAINT};

/// Whether this process was started together with others.
pub(crate) fn launched() -> bool {
    launch().is_some_and(|launch| launch.processes != Some(1))
}

/// Whether this process is the one that prints.
pub(crate) fn speaks() -> bool {
    launch().is_none_or(|Launch { process, .. }| process == 0)
}

/// The exit code of a process that cannot take part; process 0 says why.
pub(crate) fn refusal() -> Option<ExitCode> {
    if cfg!(feature = "mpi") || !launched() {
        return None;
    }
    if speaks() {
        crate::report(&anyhow::anyhow!(
            "this program was started in several processes, but built without MPI.\n\
             Build it with: cargo build --release --package multigame --features mpi\n\
             or use the cores of this machine with one process: multigame … --threads N"
        ));
    }
    Some(ExitCode::from(2))
}

/// Whether this process has a part in what was asked for: all of them have in a search, and process 0 alone in
/// everything else.
#[cfg(feature = "mpi")]
pub(crate) fn takes_part(command: Option<&Command>) -> anyhow::Result<bool> {
    if launched() && command.is_some_and(is_for_all) {
        parallel::cluster::join()?;
        return Ok(true);
    }
    // Whether a game to be solved is a puzzle, which all processes solve together, is known when its rules are read.
    if launched() && matches!(command, Some(Command::Solve(_))) {
        return Ok(true);
    }
    Ok(has_a_part())
}

/// Whether a command is for all processes from the beginning.
#[cfg(feature = "mpi")]
fn is_for_all(command: &Command) -> bool {
    match command {
        Command::Search(_) | Command::Suite(_) => true,
        Command::Lab(Lab { experiment: LabCommand::Speedup(options) }) => options.fabric == FabricName::Mpi,
        _ => false,
    }
}

/// Works together with the other processes from now on, if there are any. Called by all of them.
#[cfg(feature = "mpi")]
pub(crate) fn join() -> anyhow::Result<()> {
    if launched() {
        parallel::cluster::join()?;
    }
    Ok(())
}

/// Works together with other processes: there are none.
#[cfg(not(feature = "mpi"))]
pub(crate) fn join() -> anyhow::Result<()> {
    Ok(())
}

/// Lets process 0 do something before all others, such as making a file that they read.
#[cfg(feature = "mpi")]
pub(crate) fn first_alone<R>(work: impl FnOnce() -> R) -> R {
    parallel::cluster::first_alone(work)
}

/// Does something.
#[cfg(not(feature = "mpi"))]
pub(crate) fn first_alone<R>(work: impl FnOnce() -> R) -> R {
    work()
}

/// Puts what all processes of this host have found out so far where it can be saved.
pub(crate) fn bring_home() {
    #[cfg(feature = "mpi")]
    parallel::cluster::bring_home();
}

/// How many processors there are if each process has so many threads, and which of them are in this one.
pub(crate) fn places(threads: usize) -> (usize, std::ops::Range<usize>) {
    #[cfg(feature = "mpi")]
    if let Some(places) = parallel::cluster::places(threads) {
        return places;
    }
    (threads, 0..threads)
}

/// Whether this process has a part in what was asked for.
#[cfg(not(feature = "mpi"))]
pub(crate) fn takes_part(_: Option<&Command>) -> anyhow::Result<bool> {
    Ok(has_a_part())
}

/// Leaves the other processes.
pub(crate) fn leave() {
    #[cfg(feature = "mpi")]
    parallel::cluster::leave();
}

/// Whether this process does what only one can do; it says so to those who started several.
fn has_a_part() -> bool {
    if launched() && speaks() {
        // If it cannot be written there is no reader.
        let note = "this command runs in one process; the others have nothing to do";
        let _ = writeln!(anstream::stderr(), "{}{note}{}", FAINT.render(), FAINT.render_reset());
    }
    speaks()
}
