//! Searches on virtual processors, and what may happen to them.

#![allow(clippy::unwrap_used)]

use std::time::Duration;

use crate::support::Bench;
use fabric::ProcessorId;
use fabric::simulation::{Faults, Machine, Network};
use game::{Game, Position};
use parallel::stealing::{Laboratory, Policy, Simulated, TableKind, Task, Victims, simulated};
use search::{Limits, Root, Settings};

pub(crate) fn laboratory(processors: usize, seed: u64, tables: TableKind) -> Laboratory {
    let mut machine = Machine::with_network(processors, Network::INFINIBAND);
    machine.seed = seed;
    machine.faults = Faults { delay: 20, ..Faults::default() };
    Laboratory {
        machine,
        node_cost: Duration::from_micros(2),
        tables,
        table_bytes: 1 << 14,
        table_depth: (seed % 3) as u8,
        prefetch: !seed.is_multiple_of(4),
        combine: if seed % 4 == 2 { 4 } else { 1 },
        ahead: if seed.is_multiple_of(5) { 8 } else { 0 },
        stop: None,
    }
}

pub(crate) struct Case<'game, G: Game> {
    pub(crate) bench: &'game Bench<'game, G>,
    pub(crate) position: Position,
    pub(crate) settings: Settings,
    pub(crate) depth: i32,
}

impl<G: Game> Case<'_, G> {
    pub(crate) fn sequential(&self) -> search::Report {
        self.bench.run(&self.position, &self.settings, &Limits::to_depth(self.depth))
    }

    /// Runs it; if that fails, this says what was tried.
    pub(crate) fn simulate(&self, policy: Policy, laboratory: &Laboratory, what: &str) -> Simulated {
        let root = Root::new(self.bench.game, &self.position);
        let task = Task {
            game: self.bench.game,
            root: &root,
            settings: Settings { seed: laboratory.machine.seed, ..self.settings },
            limits: Limits::to_depth(self.depth),
            knowledge: &self.bench.knowledge,
            policy,
            timeline: None,
        };
        simulated(&task, laboratory).unwrap_or_else(|error| panic!("{error}; {what}"))
    }
}

pub(crate) fn policies() -> Vec<(&'static str, Policy)> {
    let mut all: Vec<(&str, Policy)> = Policy::NAMED.to_vec();
    let neighbours = Victims::Neighbours { hops: 8 };
    all.push(("neighbours", Policy { victims: neighbours, ..Policy::YBWC_1_2_STAR }));
    all.push(("passed on", Policy { victims: Victims::Passed { hops: 3 }, ..Policy::YBWC_1_2 }));
    all.push(("tree", Policy { victims: Victims::Father { sons: 3 }, ..Policy::YBWC }));
    all.push(("kept requests", Policy { keeps_requests: true, ..Policy::YBWC }));
    all.push((
        "kept requests of neighbours",
        Policy { keeps_requests: true, victims: neighbours, ..Policy::YBWC_1_2 },
    ));
    all.push(("slow start, no help", Policy { slow_start: true, helps: false, ..Policy::YBWC }));
    all
}

/// A processor that panics is dead like one that is killed, so a mistake of ours could pass for a fault of the
/// machine: only those may die who were to.
pub(crate) fn only_these_died(found: &Simulated, victims: &[ProcessorId], what: &str) {
    let dead = found.together.measures.iter().zip(0..).filter(|(measures, _)| measures.is_none());
    let others: Vec<ProcessorId> =
        dead.map(|(_, number)| ProcessorId(number)).filter(|id| !victims.contains(id)).collect();
    assert!(others.is_empty(), "{others:?} panicked: {what}");
}
