//! Processes that `mpirun` or `srun` started together. One of them, process 0, speaks; the others are silent. A build
//! without MPI does not know how to work together and says so, instead of doing the same work in every process.

use std::io::Write;
use std::process::ExitCode;

use fabric::launch::{Launch, launch};

use crate::cli::FAINT;

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

/// Whether this process has a part in what was asked for. No command gives work to other processes yet: process 0
/// does it alone, and says so.
pub(crate) fn has_a_part() -> bool {
    if launched() && speaks() {
        // If it cannot be written there is nobody to tell.
        let note = "this command runs in one process; the others have nothing to do";
        let _ = writeln!(anstream::stderr(), "{}{note}{}", FAINT.render(), FAINT.render_reset());
    }
    speaks()
}
