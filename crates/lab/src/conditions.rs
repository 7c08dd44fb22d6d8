//! Under which conditions a position is searched: plain data, the same for all games.

use std::sync::Arc;
use std::time::Duration;

use fabric::simulation::{Disturbances, Network, Topology};
use parallel::Timeline;
use parallel::stealing::{Policy, TableKind};
use parallel::tds::Scheduling;
use search::{Control, Settings};

/// What the processors are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fabric {
    /// Threads of this machine.
    Threads,
    /// Processes that were started together.
    Processes {
        /// Threads of each.
        threads: usize,
    },
    /// Virtual processors.
    Virtual {
        /// What messages cost.
        network: Network,
        /// Which processors are wired to which.
        topology: Topology,
    },
}

impl Fabric {
    /// In words.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Fabric::Threads => "threads".to_owned(),
            Fabric::Processes { threads: 1 } => "processes".to_owned(),
            Fabric::Processes { threads } => format!("processes of {threads} threads"),
            Fabric::Virtual { network, topology } => format!("virtual {} {}", network.name, topology.name()),
        }
    }
}

/// How many processes it takes for so many processors, and how many threads each of them has.
#[must_use]
pub(crate) fn of_processes(processors: usize, threads: usize) -> (usize, usize) {
    let threads = threads.clamp(1, processors);
    (processors / threads, threads)
}

/// How one processor searches: as players do, or exactly. Quiescence is part of what is asked, so exact searches have
/// it too.
#[must_use]
pub fn settings(engine: search::Engine, selective: bool) -> Settings {
    let mut settings = Settings::new(engine);
    if !selective {
        settings = settings.exact();
        settings.heuristics.quiescence = true;
    }
    settings
}

/// How positions are searched.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Conditions {
    /// What one processor does.
    pub settings: Settings,
    /// How deep.
    pub depth: i32,
    /// How work is shared out.
    pub policy: Policy,
    /// The processors.
    pub fabric: Fabric,
    /// Where they keep what they find out, if they are virtual.
    pub tables: TableKind,
    /// Memory for the table of each processor; if they share one, each brings so much.
    pub table_bytes: usize,
    /// Searches of less depth neither ask nor tell the tables of other processors, if they are virtual.
    pub table_depth: u8,
    /// Whether they ask the tables of others before they make the move whose position they ask about, if they are
    /// virtual.
    pub prefetch: bool,
    /// So many entries for one processor make a message, where tables are in parts.
    pub combine: usize,
    /// So many children of a node are asked about before the first answer is looked at, where tables are in parts.
    pub ahead: usize,
    /// Whether all processors together have as much memory as one.
    pub equal_memory: bool,
    /// What a node costs on a modern processor, if they are virtual; without it, the game's constant.
    pub node_cost: Option<Duration>,
}

/// What few experiments ask for.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Special {
    /// What goes wrong with several virtual processors.
    pub faults: Disturbances,
    /// How a puzzle is shared out; without it, by homes.
    pub scheduling: Option<Scheduling>,
}

/// One search that is asked for.
#[derive(Clone, Copy)]
pub struct Order<'run> {
    /// How the position is searched.
    pub conditions: &'run Conditions,
    /// What is special about it.
    pub special: Special,
    /// Which position, from 0.
    pub position: usize,
    /// On how many processors.
    pub processors: usize,
    /// Where it is written down what each processor does when.
    pub timeline: Option<&'run Timeline>,
    /// Ends the search from outside: what it has come to is no figure.
    pub stop: Option<&'run Arc<Control>>,
}

impl<'run> Order<'run> {
    /// A search with nothing special about it.
    #[must_use]
    pub fn new(conditions: &'run Conditions, position: usize, processors: usize) -> Order<'run> {
        Order { conditions, special: Special::default(), position, processors, timeline: None, stop: None }
    }
}

impl Conditions {
    /// Whether all searches have to have the same value. Quiescence is a part of the question, not of how it is
    /// answered.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        let mut heuristics = self.settings.heuristics;
        heuristics.quiescence = false;
        heuristics.is_exact()
    }
}
