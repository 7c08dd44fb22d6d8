//! Names and numbers that an experiment file may contain. What is wrong with one is said where it stands.

use fabric::simulation::{Network, PROCESSORS_MAX, Topology};
use parallel::stealing::{Policy, TableKind};
use parallel::tds::Scheduling;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

/// Something that is chosen by name.
pub trait Choice: Copy + 'static {
    /// What it is called in messages.
    const KIND: &'static str;

    /// All names, with what they mean.
    fn all() -> Vec<(&'static str, Self)>;

    /// What to say of a name that is known, but means nothing here.
    fn elsewhere(_name: &str) -> Option<String> {
        None
    }
}

/// A choice with its name.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Named<T: Choice> {
    /// As it was written.
    pub name: &'static str,
    /// What it means.
    pub value: T,
}

impl<T: Choice> Named<T> {
    /// A choice with the name that it has, if it has one.
    #[must_use]
    pub fn of(value: T) -> Option<Named<T>>
    where
        T: PartialEq,
    {
        let named = T::all().into_iter().find(|(_, other)| *other == value);
        named.map(|(name, value)| Named { name, value })
    }

    /// The choice with this name.
    ///
    /// # Errors
    /// When there is none: the message has all names.
    pub fn find(name: &str) -> Result<Named<T>, String> {
        let all = T::all();
        let found = all.iter().find(|(known, _)| *known == name);
        found.map(|&(name, value)| Named { name, value }).ok_or_else(|| {
            if let Some(reason) = T::elsewhere(name) {
                return reason;
            }
            let names: Vec<&str> = all.iter().map(|(name, _)| *name).collect();
            let name: String = name.chars().take(60).collect();
            format!("there is no {} `{name}`: there are {}", T::KIND, names.join(", "))
        })
    }
}

impl<'de, T: Choice> Deserialize<'de> for Named<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Named<T>, D::Error> {
        Named::find(&String::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

impl Choice for Policy {
    const KIND: &'static str = "engine";

    fn all() -> Vec<(&'static str, Policy)> {
        Policy::NAMED.to_vec()
    }

    fn elsewhere(name: &str) -> Option<String> {
        match name {
            "mcts" | "dfpn" | "pns" => Some(format!(
                "`{name}` is shared by threads alone, without messages, so virtual processors cannot run it: --threads N"
            )),
            "tds" | "stealing" => {
                Some(format!("`{name}` shares out puzzles, and not brothers of a game for two"))
            }
            _ => None,
        }
    }
}

/// How work is shared out.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum EngineKind {
    /// In games for two.
    Game(Policy),
    /// In puzzles.
    Puzzle(Scheduling),
}

impl EngineKind {
    /// How a puzzle is shared out, if it is for those.
    #[must_use]
    pub fn puzzle(self) -> Option<Scheduling> {
        match self {
            EngineKind::Game(_) => None,
            EngineKind::Puzzle(scheduling) => Some(scheduling),
        }
    }

    /// How brothers are shared out; the usual way where none are.
    #[must_use]
    pub fn policy(self) -> Policy {
        match self {
            EngineKind::Game(policy) => policy,
            EngineKind::Puzzle(_) => Policy::YBWC,
        }
    }
}

impl Choice for EngineKind {
    const KIND: &'static str = "engine";

    fn all() -> Vec<(&'static str, EngineKind)> {
        let games = Policy::NAMED.into_iter().map(|(name, policy)| (name, EngineKind::Game(policy)));
        let puzzles = [("tds", Scheduling::Home), ("stealing", Scheduling::Stealing)];
        games.chain(puzzles.map(|(name, scheduling)| (name, EngineKind::Puzzle(scheduling)))).collect()
    }

    fn elsewhere(name: &str) -> Option<String> {
        matches!(name, "mcts" | "dfpn" | "pns").then(|| Policy::elsewhere(name)).flatten()
    }
}

impl Choice for Network {
    const KIND: &'static str = "network";

    fn all() -> Vec<(&'static str, Network)> {
        Network::ALL.iter().map(|&network| (network.name, network)).collect()
    }
}

impl Choice for Topology {
    const KIND: &'static str = "topology";

    fn all() -> Vec<(&'static str, Topology)> {
        Topology::ALL.iter().map(|&topology| (topology.name(), topology)).collect()
    }
}

impl Choice for TableKind {
    const KIND: &'static str = "kind of table";

    fn all() -> Vec<(&'static str, TableKind)> {
        vec![
            ("shared", TableKind::Shared),
            ("partitioned", TableKind::Partitioned),
            ("replicated", TableKind::Replicated),
            ("asked", TableKind::Asked),
            ("local", TableKind::Local),
        ]
    }
}

/// What one processor does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Algorithm(pub search::Engine);

impl Choice for Algorithm {
    const KIND: &'static str = "algorithm";

    fn all() -> Vec<(&'static str, Algorithm)> {
        use search::Engine::{AlphaBeta, Mtdf, NegaScout};
        [NegaScout, AlphaBeta, Mtdf].map(|engine| (engine.name(), Algorithm(engine))).to_vec()
    }
}

/// What the processors are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FabricKind {
    /// Threads of this machine.
    Threads,
    /// Virtual processors.
    Virtual,
}

impl Choice for FabricKind {
    const KIND: &'static str = "fabric";

    fn all() -> Vec<(&'static str, FabricKind)> {
        vec![("threads", FabricKind::Threads), ("virtual", FabricKind::Virtual)]
    }
}

/// A switch of the search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Switch;

impl Choice for Switch {
    const KIND: &'static str = "heuristic";

    fn all() -> Vec<(&'static str, Switch)> {
        search::Heuristics::exact_names().into_iter().map(|name| (name, Switch)).collect()
    }
}

/// A number between two others.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(try_from = "i64")]
pub struct Bounded<const LEAST: i64, const MOST: i64>(i64);

impl<const LEAST: i64, const MOST: i64> TryFrom<i64> for Bounded<LEAST, MOST> {
    type Error = String;

    fn try_from(number: i64) -> Result<Self, String> {
        let message = || format!("{number} is out of range: it should be a number from {LEAST} to {MOST}");
        (LEAST..=MOST).contains(&number).then_some(Bounded(number)).ok_or_else(message)
    }
}

impl<const LEAST: i64, const MOST: i64> Bounded<LEAST, MOST> {
    /// The number.
    #[must_use]
    pub fn get(self) -> i64 {
        self.0
    }
}

/// A number of processors.
pub type Processors = Bounded<1, { PROCESSORS_MAX as i64 }>;
/// How deep.
pub type SearchDepth = Bounded<1, 100>;
