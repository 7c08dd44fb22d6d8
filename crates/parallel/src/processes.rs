//! Processes that were started together, for those who measure them. A program that was built without MPI knows of
//! one process, and all of this is the same for it.

use game::{Game, RuleFault};
use search::{Progress, Resources};
use table::Table;

use crate::stealing::{Task, Together, on_threads};

/// How many there are.
#[must_use]
pub fn count() -> usize {
    #[cfg(feature = "mpi")]
    if let Some(cluster) = crate::cluster::joined() {
        return cluster.processes();
    }
    1
}

/// Whether this is process 0, which has the answers.
#[must_use]
pub fn is_first() -> bool {
    #[cfg(feature = "mpi")]
    if let Some(cluster) = crate::cluster::joined() {
        return cluster.process() == 0;
    }
    true
}

/// Whether all processes say yes. Called together.
#[must_use = "the answer is that of all processes"]
pub fn agree(yes: bool) -> bool {
    #[cfg(feature = "mpi")]
    if let Some(cluster) = crate::cluster::joined() {
        return cluster.agree(yes);
    }
    yes
}

/// Lets the first so many processes do some work as if there were no others; those rest until it is done, and get
/// `None`. Called together.
pub fn among<R>(processes: usize, work: impl FnOnce() -> R) -> Option<R> {
    #[cfg(feature = "mpi")]
    return crate::cluster::among(processes, work);
    #[cfg(not(feature = "mpi"))]
    (processes > 0).then(work)
}

/// Searches as the policy of the task says, on so many threads of every process. Process 0 gets the answer; all get
/// what each processor did. Called together.
///
/// # Errors
/// When the rules go wrong.
///
/// # Panics
/// When all threads have panicked.
pub fn search<G: Game, T: Table + Sync>(
    task: &Task<'_, G>,
    threads: usize,
    resources: Resources<'_, T>,
    progress: &mut dyn FnMut(&Progress<'_>),
) -> Result<Together, RuleFault> {
    #[cfg(feature = "mpi")]
    if let Some(cluster) = crate::cluster::joined() {
        return crate::cluster::by_policy(&cluster, task, threads, resources, progress);
    }
    on_threads(task, threads, resources, progress)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_that_is_alone_works_and_agrees_with_itself() {
        assert_eq!((count(), is_first()), (1, true));
        assert!(agree(true) && !agree(false));
        assert_eq!((among(1, || 7), among(2, || 8)), (Some(7), Some(8)));
    }
}
