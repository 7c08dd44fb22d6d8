//! Whether this process was started together with others, as `mpirun` does. It is found in the environment, so every
//! build can tell, with MPI or without.

use std::env;

/// How launchers tell a process its number, and how many there are: Open MPI, MPICH and its relatives (Hydra and
/// Slurm's PMI-2), and launchers that speak PMIx, which does not tell how many.
const VARIABLES: [(&str, Option<&str>); 3] = [
    ("OMPI_COMM_WORLD_RANK", Some("OMPI_COMM_WORLD_SIZE")),
    ("PMI_RANK", Some("PMI_SIZE")),
    ("PMIX_RANK", None),
];

/// One of several processes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Launch {
    /// The number of this process, from 0.
    pub process: usize,
    /// How many processes there are, where the launcher says so.
    pub processes: Option<usize>,
}

/// What the launcher says of this process; `None` if there was none. One process that `mpirun` started alone counts
/// too.
#[must_use]
pub fn launch() -> Option<Launch> {
    read(|name| env::var(name).ok())
}

/// Whether a launcher such as `mpirun` or `srun` started this process.
#[must_use]
pub fn is_launched() -> bool {
    launch().is_some()
}

fn read(variable: impl Fn(&str) -> Option<String>) -> Option<Launch> {
    let number = |name: &str| variable(name)?.trim().parse().ok();
    VARIABLES.iter().find_map(|&(process, processes)| {
        Some(Launch { process: number(process)?, processes: processes.and_then(number) })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(environment: &[(&str, &str)], expected: Option<Launch>) {
        let find =
            |name: &str| environment.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).into());
        assert_eq!(read(find), expected, "{environment:?}");
    }

    #[test]
    fn launchers_are_known_by_what_they_leave_in_the_environment() {
        let launch = |process, processes| Some(Launch { process, processes });
        check(&[], None);
        check(&[("SLURM_PROCID", "0"), ("SLURM_NTASKS", "8")], None);
        let open_mpi = [("OMPI_COMM_WORLD_RANK", "3"), ("OMPI_COMM_WORLD_SIZE", "8"), ("PMIX_RANK", "3")];
        check(&open_mpi, launch(3, Some(8)));
        check(&[("PMI_RANK", "0"), ("PMI_SIZE", "1")], launch(0, Some(1)));
        check(&[("PMIX_RANK", "5")], launch(5, None));
        check(&[("PMI_RANK", "none"), ("PMIX_RANK", "")], None);
    }
}
