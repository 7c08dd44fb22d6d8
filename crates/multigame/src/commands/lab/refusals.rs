//! Options of `lab speedup`, `lab trace` and `lab tree` that would be of no meaning: they are refused, because
//! figures that were made without them would be taken for figures with them.

use anyhow::{Result, bail};
use lab::combinations::{refused_exchange, refused_option, refused_tables};
use parallel::stealing::TableKind;

use crate::cli::lab::{FabricName, Speedup};

/// An option, and whether it was given.
type Said = (&'static str, bool);

fn first(said: &[Said]) -> Option<&'static str> {
    said.iter().find(|(_, is_said)| *is_said).map(|(option, _)| *option)
}

impl Speedup {
    /// Refuses options that the engine or the processors cannot follow.
    pub(super) fn check(&self) -> Result<()> {
        if self.fabric == FabricName::Threads {
            self.check_threads()?;
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
        refused.or(exchange).or(tables).map_or(Ok(()), |reason| Err(anyhow::Error::msg(reason)))
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

    /// Threads share one table, and have neither a network nor a clock that could be set.
    fn check_threads(&self) -> Result<()> {
        let said = [
            ("--network", self.network.is_some()),
            ("--topology", self.topology.is_some()),
            ("--table-depth", self.table_depth.is_some()),
            ("--no-prefetch", self.no_prefetch),
            ("--node-cost", self.node_cost.is_some()),
            ("--faults", self.faults.is_some()),
        ];
        if let Some(option) = first(&said) {
            bail!("{option} is for virtual processors: leave it out, or give --fabric virtual");
        }
        if let Some(tables) = self.tables.filter(|tables| tables.value != TableKind::Shared) {
            bail!("threads have one table: --tables {} is for virtual processors", tables.name);
        }
        Ok(())
    }

    /// Puzzles have one kind of table each, and neither windows nor brothers.
    fn check_puzzle(&self) -> Result<()> {
        let said = [
            ("--algorithm", self.algorithm.is_some()),
            ("--tables", self.tables.is_some()),
            ("--table-depth", self.table_depth.is_some()),
            ("--no-prefetch", self.no_prefetch),
            ("--selective", self.selective),
            ("--exchange", self.exchange),
        ];
        if let Some(option) = first(&said).or_else(|| first(&self.about_brothers())) {
            bail!("{option} is for games for two: `{}` shares out puzzles, leave it out", self.engine.name);
        }
        if self.faults.is_some_and(|faults| faults.0.deaths > 0) {
            bail!("`{}` has no answer when a processor dies: leave `dies` out of --faults", self.engine.name);
        }
        Ok(())
    }
}
