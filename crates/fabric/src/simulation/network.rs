//! What messages cost: LogGP (latency, overhead, gap, time per byte), and what the processors on the way pay where a
//! machine has no hardware for routing.

use super::topology::Topology;

/// The costs of a network, in nanoseconds (picoseconds per byte).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Network {
    /// Its name.
    pub name: &'static str,
    /// Which processors are wired to which, unless the caller says otherwise.
    pub topology: Topology,
    /// Processor time to send a message, and to receive one.
    pub overhead_ns: u64,
    /// Time on each wire.
    pub latency_ns: u64,
    /// Time between two messages of one sender.
    pub gap_ns: u64,
    /// Time per byte on each wire.
    pub byte_ps: u64,
    /// Processor time that each processor on the way spends on passing a message on; 0 where hardware does it.
    pub routing_ns: u64,
    /// The same per byte.
    pub routing_byte_ps: u64,
    /// Processor time of the owner when others reach into its memory; 0 where hardware does it.
    pub service_ns: u64,
    /// How much slower its processors are than a modern one. Costs of work are given for modern ones.
    pub slowness: u32,
}

impl Network {
    /// Threads of one machine.
    pub const SHARED: Network = Network {
        name: "shared",
        topology: Topology::Full,
        overhead_ns: 50,
        latency_ns: 100,
        gap_ns: 0,
        byte_ps: 50,
        routing_ns: 0,
        routing_byte_ps: 0,
        service_ns: 0,
        slowness: 1,
    };

    /// A modern cluster with remote memory access.
    pub const INFINIBAND: Network = Network {
        name: "infiniband",
        overhead_ns: 300,
        latency_ns: 1_300,
        gap_ns: 100,
        byte_ps: 83,
        ..Network::SHARED
    };

    /// A modern cluster with ordinary Ethernet: the processor that is asked has to answer.
    pub const ETHERNET: Network = Network {
        name: "ethernet",
        overhead_ns: 3_000,
        latency_ns: 20_000,
        gap_ns: 1_000,
        byte_ps: 800,
        service_ns: 6_000,
        ..Network::SHARED
    };

    /// The cluster of 1999 that the original Multigame ran on: 200 MHz processors, network cards that answer by
    /// themselves.
    pub const MYRINET: Network = Network {
        name: "myrinet",
        overhead_ns: 2_500,
        latency_ns: 9_000,
        gap_ns: 1_500,
        byte_ps: 15_000,
        slowness: 30,
        ..Network::SHARED
    };

    /// The machine of 1992 that Zugzwang ran on: transputers of 25 MHz with four links of 20 Mbit/s, routing by
    /// program.
    pub const TRANSPUTER: Network = Network {
        name: "transputer",
        topology: Topology::DeBruijn,
        overhead_ns: 60_000,
        latency_ns: 20_000,
        gap_ns: 10_000,
        byte_ps: 600_000,
        routing_ns: 130_000,
        routing_byte_ps: 60_000,
        service_ns: 130_000,
        slowness: 600,
    };

    /// All presets.
    pub const ALL: [Network; 5] =
        [Network::SHARED, Network::INFINIBAND, Network::ETHERNET, Network::MYRINET, Network::TRANSPUTER];

    /// The preset with this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Network> {
        Network::ALL.into_iter().find(|network| network.name == name)
    }

    /// Time that a message needs for so many wires.
    pub(crate) fn travel_ns(&self, bytes: usize, wires: u32) -> u64 {
        u64::from(wires.max(1)) * (self.latency_ns + bytes as u64 * self.byte_ps / 1000)
    }

    /// Processor time of each processor on the way.
    pub(crate) fn routing_cost_ns(&self, bytes: usize) -> u64 {
        self.routing_ns + bytes as u64 * self.routing_byte_ps / 1000
    }
}
