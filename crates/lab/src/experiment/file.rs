//! An experiment as a person writes it: a TOML file.

use parallel::stealing::TableKind;
use parallel::tables::AHEAD_MAX;
use serde::Deserialize;
use toml::Spanned;

use super::names::{Algorithm, Bounded, EngineKind, FabricKind, Named, Processors, SearchDepth, Switch};
use super::values::{Ask, Trouble};
use fabric::simulation::{Network, Topology};

/// What is wrong with an experiment file, and where.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub struct Mistake {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong there.
    pub message: String,
}

impl std::fmt::Display for Mistake {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "line {}: {}", self.line, self.message)
    }
}

/// The text of a file, to say where in it something stands.
pub(super) struct Text<'text>(pub(super) &'text str);

impl Text<'_> {
    pub(super) fn line(&self, offset: usize) -> usize {
        1 + self.0.bytes().take(offset).filter(|byte| *byte == b'\n').count()
    }

    pub(super) fn mistake<T>(&self, place: &Spanned<T>, message: impl Into<String>) -> Mistake {
        Mistake { line: self.line(place.span().start), message: message.into() }
    }
}

/// The file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    pub(super) title: Option<String>,
    pub(super) about: Option<String>,
    pub(super) engines: Spanned<Vec<Named<EngineKind>>>,
    pub(super) fabric: Option<Spanned<Named<FabricKind>>>,
    pub(super) networks: Option<Spanned<Vec<Named<Network>>>>,
    pub(super) topologies: Option<Spanned<Vec<Named<Topology>>>>,
    pub(super) tables: Option<Spanned<Vec<Named<TableKind>>>>,
    pub(super) processors: Spanned<Vec<Processors>>,
    pub(super) seeds: Option<Spanned<Vec<Bounded<0, { i64::MAX }>>>>,
    pub(super) repetitions: Option<Spanned<Bounded<1, 1000>>>,
    pub(super) baseline: Option<Named<Algorithm>>,
    #[serde(default)]
    pub(super) selective: bool,
    pub(super) node_cost_ns: Option<Bounded<1, 1_000_000_000>>,
    /// What all positions of all games together are called, where their times are to be summed up.
    pub(super) total: Option<String>,
    #[serde(default)]
    pub(super) options: Options,
    #[serde(default)]
    pub(super) variants: Vec<Variant>,
    pub(super) games: Spanned<Vec<GameEntry>>,
}

/// How work is shared out, where that is not as the engine has it.
#[derive(Clone, Default, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Options {
    pub(super) algorithm: Option<Named<Algorithm>>,
    pub(super) least_depth: Option<SearchDepth>,
    pub(super) ask: Option<Ask>,
    pub(super) ambition: Option<Bounded<0, 100>>,
    pub(super) return_asks: Option<bool>,
    pub(super) keeps_requests: Option<bool>,
    pub(super) helps: Option<bool>,
    pub(super) slow_start: Option<bool>,
    pub(super) exchange: Option<bool>,
    pub(super) narrows: Option<bool>,
    pub(super) kills: Option<bool>,
    pub(super) table_kib: Option<Bounded<1, { 1 << 24 }>>,
    pub(super) table_depth: Option<Bounded<0, 100>>,
    pub(super) prefetch: Option<bool>,
    pub(super) combine: Option<Bounded<1, 1024>>,
    pub(super) ahead: Option<Bounded<1, { AHEAD_MAX as i64 }>>,
    pub(super) equal_memory: Option<bool>,
    /// What goes wrong.
    pub(super) faults: Option<Trouble>,
    /// Heuristics of the search that are switched off.
    pub(super) off: Option<Vec<Named<Switch>>>,
}

impl Options {
    /// These, and where they say nothing, those.
    pub(super) fn or(&self, base: &Options) -> Options {
        Options {
            algorithm: self.algorithm.or(base.algorithm),
            least_depth: self.least_depth.or(base.least_depth),
            ask: self.ask.or(base.ask),
            ambition: self.ambition.or(base.ambition),
            return_asks: self.return_asks.or(base.return_asks),
            keeps_requests: self.keeps_requests.or(base.keeps_requests),
            helps: self.helps.or(base.helps),
            slow_start: self.slow_start.or(base.slow_start),
            exchange: self.exchange.or(base.exchange),
            narrows: self.narrows.or(base.narrows),
            kills: self.kills.or(base.kills),
            table_kib: self.table_kib.or(base.table_kib),
            table_depth: self.table_depth.or(base.table_depth),
            prefetch: self.prefetch.or(base.prefetch),
            combine: self.combine.or(base.combine),
            ahead: self.ahead.or(base.ahead),
            equal_memory: self.equal_memory.or(base.equal_memory),
            faults: self.faults.or(base.faults),
            off: self.off.clone().or_else(|| base.off.clone()),
        }
    }
}

/// The same search with something changed.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Variant {
    pub(super) name: Spanned<String>,
    pub(super) engine: Option<Named<EngineKind>>,
    pub(super) topology: Option<Named<Topology>>,
    pub(super) tables: Option<Named<TableKind>>,
    #[serde(default)]
    pub(super) options: Options,
}

/// A game with positions.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GameEntry {
    pub(super) game: Spanned<String>,
    pub(super) suite: Option<String>,
    pub(super) first: Option<Bounded<1, 1_000_000>>,
    pub(super) only: Option<Bounded<1, 1_000_000>>,
    pub(super) depth: SearchDepth,
    pub(super) evaluation: Option<Spanned<String>>,
    /// Memory for each processor, where this game wants another size than the others.
    pub(super) table_kib: Option<Bounded<1, { 1 << 24 }>>,
    /// Positions of a puzzle without a suite are drawn with this seed.
    pub(super) position_seed: Option<Spanned<Bounded<0, { i64::MAX }>>>,
}

/// Reads a file.
///
/// # Errors
/// When it is no experiment.
pub(super) fn read(text: &str) -> Result<File, Mistake> {
    toml::from_str(text).map_err(|error| {
        let line = error.span().map_or(1, |span| Text(text).line(span.start));
        Mistake { line, message: error.message().lines().collect::<Vec<_>>().join(", ") }
    })
}
