//! Options of `lab speedup`, `lab trace` and `lab tree` that would be of no meaning: they are refused, because
//! figures that were made without them would be taken for figures with them.

use anyhow::{Result, bail};
use lab::combinations::{
    refused_algorithm, refused_exchange, refused_faults, refused_least_depth, refused_of_parts,
    refused_option, refused_prefetch, refused_table_depth, refused_tables,
};
use lab::experiment::names::Named;
use parallel::processes;
use parallel::stealing::TableKind;

use super::check_memory;
use super::speedup::threads_of_process;
use crate::cli::Global;
use crate::cli::lab::{FabricName, KeysName, Speedup};

/// An option, and whether it was given.
type Said = (&'static str, bool);

fn first(said: &[Said]) -> Option<&'static str> {
    said.iter().find(|(_, is_said)| *is_said).map(|(option, _)| *option)
}

impl Speedup {
    /// Refuses options that the engine or the processors cannot follow.
    pub(super) fn check(&self, global: &Global) -> Result<()> {
        match self.fabric {
            FabricName::Threads => self.check_real("threads")?,
            FabricName::Mpi => {
                self.check_real("processes of a host")?;
                self.check_processes(global)?;
            }
            FabricName::Virtual => {}
        }
        if self.fabric != FabricName::Mpi && self.engine.puzzle.is_none() && global.threads.is_some() {
            bail!("--threads is for --fabric mpi, where each process has so many: give --processors N");
        }
        let counts = self.counts(global);
        let largest = if self.equal_memory { 1 } else { counts.iter().copied().max().unwrap_or(1) };
        check_memory(largest, u64::from(self.table), "--table")?;
        if let Some(reason) = refused_faults(self.faults.unwrap_or_default().0, &counts, "--faults") {
            bail!(reason);
        }
        if self.engine.puzzle.is_some() {
            return self.check_puzzle();
        }
        if let Some(option) = first(&[("--divided", self.divided), ("--patterns", self.patterns)]) {
            bail!("{option} is for puzzles: leave it out, or give --engine tds or stealing");
        }
        let (name, policy) = (self.engine.name, &self.engine.policy);
        let brothers = first(&self.about_brothers());
        let refused = brothers.and_then(|option| refused_option(name, policy, option));
        let is_virtual = self.fabric == FabricName::Virtual;
        let exchange = Some("--exchange").filter(|_| self.exchange);
        let exchange = exchange.and_then(|option| refused_exchange(name, policy, is_virtual, option));
        let tables = self.tables.filter(|_| is_virtual);
        let tables = tables.and_then(|tables| refused_tables(name, policy, tables.value));
        let least_depth = self.least_depth.and_then(|_| refused_least_depth(name, policy, "--least-depth"));
        let algorithm = self
            .algorithm
            .and_then(|algorithm| refused_algorithm(name, policy, algorithm.value.0, "--algorithm"));
        let all = [refused, exchange, tables, least_depth, algorithm, self.refused_of_tables()];
        all.into_iter().flatten().next().map_or(Ok(()), |reason| Err(anyhow::Error::msg(reason)))
    }

    /// Why tables of this kind cannot be told when to ask others, if they cannot.
    fn refused_of_tables(&self) -> Option<String> {
        let tables = self.tables.or_else(|| Named::of(TableKind::Partitioned))?;
        let depth = self.table_depth.and_then(|_| refused_table_depth(tables, "--table-depth"));
        let prefetch = || self.no_prefetch.then(|| refused_prefetch(tables, "--no-prefetch")).flatten();
        let said = [("--combine", self.combine.is_some()), ("--ahead", self.ahead.is_some())];
        let of_parts = || refused_of_parts(tables, first(&said)?);
        depth.or_else(prefetch).or_else(of_parts)
    }

    /// How brothers are shared out.
    fn about_brothers(&self) -> [Said; 5] {
        [
            ("--ask", self.ask.is_some()),
            ("--no-return-requests", self.no_return_requests),
            ("--keep-requests", self.keep_requests),
            ("--no-help", self.no_help),
            ("--slow-start", self.slow_start),
        ]
    }

    /// Real processors share one table, and have neither a network nor a clock that could be set.
    fn check_real(&self, processors: &str) -> Result<()> {
        let said = [
            ("--network", self.network.is_some()),
            ("--topology", self.topology.is_some()),
            ("--table-depth", self.table_depth.is_some()),
            ("--no-prefetch", self.no_prefetch),
            ("--combine", self.combine.is_some()),
            ("--ahead", self.ahead.is_some()),
            ("--node-cost", self.node_cost.is_some()),
            ("--faults", self.faults.is_some()),
        ];
        if let Some(option) = first(&said) {
            bail!("{option} is for virtual processors: leave it out, or give --fabric virtual");
        }
        if let Some(tables) = self.tables.filter(|tables| tables.value != TableKind::Shared) {
            bail!("{processors} have one table: --tables {} is for virtual processors", tables.name);
        }
        Ok(())
    }

    /// Processes are those that were started, and each has as many threads as any other.
    fn check_processes(&self, global: &Global) -> Result<()> {
        if !cfg!(feature = "mpi") {
            bail!(
                "this program was built without MPI: build it with \
                 `cargo build --release --package multigame --features mpi`, or give --fabric threads"
            );
        }
        let (processes, threads) = (processes::count(), threads_of_process(global));
        if processes * threads == 1 {
            bail!(
                "there is one process: start several, as in `mpirun -n 4 multigame lab speedup … --fabric mpi`"
            );
        }
        let all = processes * threads;
        let wrong = self
            .counts(global)
            .into_iter()
            .find(|count| *count > all || *count > threads && *count % threads != 0);
        match wrong {
            Some(count) if count > all => bail!(
                "there are {all} processors ({processes} processes, --threads {threads}): \
                 --processors {count} is too many"
            ),
            Some(count) => {
                bail!("each process has {threads} threads: --processors {count} is no multiple of that")
            }
            None => Ok(()),
        }
    }

    /// Puzzles have one kind of table each, and neither windows nor brothers.
    fn check_puzzle(&self) -> Result<()> {
        let said = [
            ("--algorithm", self.algorithm.is_some()),
            ("--tables", self.tables.is_some()),
            ("--table-depth", self.table_depth.is_some()),
            ("--no-prefetch", self.no_prefetch),
            ("--combine", self.combine.is_some()),
            ("--ahead", self.ahead.is_some()),
            ("--selective", self.selective),
            ("--exchange", self.exchange),
            ("--signatures", self.signatures == KeysName::Coded),
        ];
        if let Some(option) = first(&said).or_else(|| first(&self.about_brothers())) {
            bail!("{option} is for games for two: `{}` shares out puzzles, leave it out", self.engine.name);
        }
        if self.divided && self.faults.is_some_and(|faults| faults.0.deaths > 0) {
            bail!(
                "parts of databases are lost with their processors: leave `dies` out of --faults, or --divided"
            );
        }
        if self.divided && self.least_depth.is_some() {
            bail!(
                "--least-depth is for bounds that are everywhere: with --divided all states travel, leave it out"
            );
        }
        Ok(())
    }

    /// Refuses what is for figures, and not for pictures of one run.
    pub(super) fn check_picture(&self, global: &Global) -> Result<()> {
        if self.fabric == FabricName::Mpi {
            bail!("pictures are of threads and of virtual processors: give --fabric threads or virtual");
        }
        self.check(global)?;
        if self.csv.is_some() {
            bail!("--csv is for figures of several runs: `lab speedup` writes them");
        }
        if self.first.is_some() {
            bail!("--first is for several positions: a picture is of one, give --number N");
        }
        if self.engine.puzzle.is_some() && self.faults.is_some_and(|faults| faults.0.deaths > 0) {
            bail!(
                "a puzzle is begun again when a processor dies, and a picture is of one run: leave `dies` out"
            );
        }
        let said = [
            ("--divided", self.divided),
            ("--patterns", self.patterns),
            ("--least-depth", self.least_depth.is_some()),
        ];
        if self.engine.puzzle.is_some()
            && let Some(option) = first(&said)
        {
            bail!("pictures of puzzles do not follow {option}: leave it out, or give it to `lab speedup`");
        }
        Ok(())
    }
}
