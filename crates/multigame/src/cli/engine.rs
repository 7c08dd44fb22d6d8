//! How an engine searches, how far, and by what it judges positions: what all commands that search have in common.

use clap::{Args, ValueEnum};
use lang::diagnostic::did_you_mean;

use super::Global;
use crate::memory::table_mib;
use crate::policies::Wanted;

/// How an engine searches.
#[derive(Args, Clone, Debug)]
pub(crate) struct EngineChoice {
    /// negamax, alphabeta, negascout, mtdf, sss, dual, pns, dfpn, exhaustive or mcts; with --threads also how they
    /// share a search: ybwc, jamboree, abdada, lazysmp, pvsplit …
    #[arg(long, value_name = "ENGINE", default_value = "negascout", value_parser = engine)]
    pub(crate) engine: EngineName,
    /// Only what never changes a score: all full-width engines then give one value
    #[arg(long)]
    pub(crate) exact: bool,
    /// Heuristics to switch on, separated by commas
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = heuristic)]
    pub(crate) with: Vec<String>,
    /// Heuristics to switch off, separated by commas
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = heuristic)]
    pub(crate) without: Vec<String>,
    /// Memory for what the search remembers, in MiB
    #[arg(long, value_name = "MB", default_value_t = 64, value_parser = table_mib)]
    pub(crate) hash: u32,
    #[command(flatten)]
    pub(crate) monte_carlo: MonteCarloChoice,
}

/// How Monte Carlo search works; what is not given is as usual.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Options of mcts")]
pub(crate) struct MonteCarloChoice {
    /// How much moves are favoured that were rarely tried [default: 0.7]
    #[arg(long, value_name = "FACTOR", value_parser = factor)]
    pub(crate) exploration: Option<f32>,
    /// After how many visits a move's own results count as much as those of the same move played later; 0 for never
    /// [default: 300]
    #[arg(long, value_name = "VISITS", value_parser = factor)]
    pub(crate) rave: Option<f32>,
    /// How much the evaluation of a move's position counts at first [default: 0]
    #[arg(long, value_name = "FACTOR", value_parser = factor)]
    pub(crate) bias: Option<f32>,
    /// After how many moves a random game is judged by the evaluation [default: 400]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    pub(crate) playout_moves: Option<u32>,
    /// How many random games to play at most [default: no limit but those of the search]
    #[arg(long, value_name = "N")]
    pub(crate) playouts: Option<u64>,
    /// How threads search together: one tree for all, a tree for each, or all at one leaf [default: tree]
    #[arg(long, value_name = "WAY", value_enum)]
    pub(crate) mcts: Option<TogetherName>,
}

/// How threads do a Monte Carlo search together.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TogetherName {
    /// All grow one tree
    Tree,
    /// Each thread grows a tree, and the results of the moves of the root are added up
    Root,
    /// One grows a tree, and all play out the same leaf
    Leaf,
}

impl TogetherName {
    fn together(self) -> search::monte_carlo::Together {
        match self {
            TogetherName::Tree => search::monte_carlo::Together::Tree,
            TogetherName::Root => search::monte_carlo::Together::Root,
            TogetherName::Leaf => search::monte_carlo::Together::Leaf,
        }
    }
}

impl MonteCarloChoice {
    fn apply(&self, settings: &mut search::monte_carlo::MonteCarlo) {
        settings.exploration = self.exploration.unwrap_or(settings.exploration);
        settings.rave_visits = self.rave.unwrap_or(settings.rave_visits);
        settings.bias = self.bias.unwrap_or(settings.bias);
        settings.playout_plies_max =
            self.playout_moves.map_or(settings.playout_plies_max, |plies| plies as usize);
        settings.playouts_max = self.playouts.unwrap_or(settings.playouts_max);
        settings.together = self.mcts.map_or(settings.together, TogetherName::together);
    }
}

fn factor(text: &str) -> Result<f32, String> {
    match text.parse::<f32>() {
        Ok(value) if (0.0..=1e6).contains(&value) => Ok(value),
        _ => Err("give a number from 0 to 1000000, such as 0.7".to_owned()),
    }
}

impl EngineChoice {
    /// As the engine wants it.
    pub(crate) fn settings(&self, global: &Global) -> search::Settings {
        let mut settings = search::Settings::new(self.engine.engine);
        if self.exact {
            settings = settings.exact();
        }
        for (names, on) in [(&self.with, true), (&self.without, false)] {
            for name in names {
                settings.heuristics.set(name, on);
            }
        }
        self.monte_carlo.apply(&mut settings.monte_carlo);
        settings.seed = global.seed.unwrap_or(settings.seed);
        settings.proof.table_bytes = (self.hash as usize) << 20;
        settings.proof.tree_nodes_max = ((self.hash as usize) << 20) / PROOF_NODE_BYTES;
        settings
    }
}

/// About what a node of a proof tree takes.
const PROOF_NODE_BYTES: usize = 64;

/// An engine by its name: an algorithm, or a way to share one among threads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct EngineName {
    /// What one thread does.
    pub(crate) engine: search::Engine,
    /// How several share it.
    pub(crate) method: parallel::Method,
    /// As the user wrote it.
    pub(crate) name: &'static str,
}

/// An engine for one thread.
pub(crate) fn algorithm(name: &str) -> Result<search::Engine, String> {
    search::Engine::from_name(name).ok_or_else(|| {
        let names = search::Engine::ALL.map(search::Engine::name);
        did_you_mean(name, names).unwrap_or_else(|| format!("there are {}", names.join(", ")))
    })
}

pub(crate) fn engine(name: &str) -> Result<EngineName, String> {
    if let Some(engine) = search::Engine::from_name(name) {
        // SSS* is one for several threads too, by the same name.
        let method = parallel::Method::from_name(name).unwrap_or_default();
        return Ok(EngineName { engine, method, name: engine.name() });
    }
    let methods = parallel::Method::names();
    if let Some(name) = methods.iter().copied().find(|known| *known == name)
        && let Some(method) = parallel::Method::from_name(name)
    {
        return Ok(EngineName { engine: search::Engine::NegaScout, method, name });
    }
    let algorithms = search::Engine::ALL.map(search::Engine::name);
    let others = methods.into_iter().filter(|method| !algorithms.contains(method));
    let names: Vec<&str> = algorithms.into_iter().chain(others).collect();
    let hint = did_you_mean(name, names.iter().copied());
    Err(hint.unwrap_or_else(|| format!("there are {}", names.join(", "))))
}

pub(crate) fn heuristic(name: &str) -> Result<String, String> {
    let plain = name.trim().replace('-', "_");
    match search::Heuristics::NAMES.contains(&plain.as_str()) {
        true => Ok(plain),
        false => {
            let names: Vec<String> =
                search::Heuristics::NAMES.iter().map(|name| name.replace('_', "-")).collect();
            let hint = did_you_mean(name, names.iter().map(String::as_str));
            Err(hint.unwrap_or_else(|| format!("there are {}", names.join(", "))))
        }
    }
}

/// When a search ends.
#[derive(Args, Clone, Debug)]
pub(crate) struct LimitChoice {
    /// How many moves to look ahead at most
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i32).range(1..=200))]
    pub(crate) depth: Option<i32>,
    /// How many seconds to search at most
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) time: Option<f64>,
    /// How many nodes to search at most
    #[arg(long, value_name = "N")]
    pub(crate) nodes: Option<u64>,
}

impl LimitChoice {
    /// Whether no end was said.
    pub(crate) fn is_infinite(&self) -> bool {
        self.depth.is_none() && self.time.is_none() && self.nodes.is_none()
    }

    /// As the engine wants it.
    pub(crate) fn limits(&self) -> search::Limits {
        search::Limits {
            depth: self.depth.map(search::Depth),
            nodes: self.nodes,
            time: self.time.map_or(search::TimeLimit::Infinite, |seconds| {
                search::TimeLimit::Fixed(std::time::Duration::from_secs_f64(seconds))
            }),
            ..search::Limits::default()
        }
    }
}

/// What positions are judged by.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct EvaluationChoice {
    /// What positions are judged by: automatic, network, network:FILE, plain, rules, derived or none
    ///
    /// automatic takes the network that was learned for the rules or comes with the program; if there is none, as
    /// plain: the rules' own evaluation, or, if they have none and the game is for two, one that is derived from
    /// random games. network:FILE takes the network of a file.
    #[arg(long, value_name = "EVALUATION", default_value = "automatic", value_parser = Evaluation::read)]
    pub(crate) evaluation: Evaluation,
    /// What leads Monte Carlo search (mcts): automatic, none or a file
    ///
    /// automatic takes the policy that was learned for the rules or comes with the program, if there is one; without
    /// a policy, games are played out at random.
    #[arg(long, value_name = "POLICY", default_value = "automatic", value_parser = Wanted::read)]
    pub(crate) policy: Wanted,
}

/// Where the worth of a position comes from.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) enum Evaluation {
    /// A network if there is one for these rules; otherwise as [`Evaluation::Plain`]
    #[default]
    Automatic,
    /// The rules' own evaluation; if they have none and the game is for two, one that is derived from random games
    Plain,
    /// The network for these rules, or that of a file
    Network(Option<&'static str>),
    /// The rules' own evaluation, or nothing
    Rules,
    /// An evaluation derived from random games: learned once, then kept with the user's data
    Derived,
    /// Nothing: only what is certain counts
    None,
}

impl Evaluation {
    /// Reads what `--evaluation` says.
    pub(crate) fn read(text: &str) -> Result<Evaluation, String> {
        const NAMES: [(&str, Evaluation); 6] = [
            ("automatic", Evaluation::Automatic),
            ("plain", Evaluation::Plain),
            ("network", Evaluation::Network(None)),
            ("rules", Evaluation::Rules),
            ("derived", Evaluation::Derived),
            ("none", Evaluation::None),
        ];
        if let Some(file) = text.strip_prefix("network:").filter(|file| !file.is_empty()) {
            // A command line is read once, and what it says is needed to the end.
            return Ok(Evaluation::Network(Some(Box::leak(file.to_owned().into_boxed_str()))));
        }
        let named = NAMES.into_iter().find(|(name, _)| *name == text);
        named.map(|(_, evaluation)| evaluation).ok_or_else(|| {
            let hint = did_you_mean(text, NAMES.map(|(name, _)| name));
            let all = "an evaluation is automatic, network, network:FILE, rules, derived, plain or none";
            hint.map_or(all.to_owned(), |hint| format!("{hint}: {all}"))
        })
    }
}

pub(super) fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if (0.0..=86_400.0).contains(&seconds) => Ok(seconds),
        _ => Err("give a number of seconds, such as 0.5, up to 86400".to_owned()),
    }
}

/// A level by its name, or a number from 0 to 20.
pub(crate) fn level(text: &str) -> Result<protocol::Level, String> {
    protocol::Level::from_name(text).ok_or_else(|| {
        let words = protocol::strength::WORDS.map(|(word, _)| word).join(", ");
        format!("a level is one of {words}, or a number from 0 to 20")
    })
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use crate::cli::Cli;

    #[test]
    fn help_tells_how_monte_carlo_search_works_usually() {
        let usual = search::monte_carlo::MonteCarlo::default();
        let command = Cli::command();
        let search = command.find_subcommand("search").unwrap();
        let help = |name: &str| {
            let argument = search.get_arguments().find(|argument| argument.get_id() == name).unwrap();
            argument.get_help().unwrap().to_string()
        };
        for (name, value) in [
            ("exploration", usual.exploration.to_string()),
            ("rave", usual.rave_visits.to_string()),
            ("bias", usual.bias.to_string()),
            ("playout_moves", usual.playout_plies_max.to_string()),
            ("mcts", format!("{:?}", usual.together).to_lowercase()),
        ] {
            assert!(help(name).contains(&format!("[default: {value}]")), "{name}: {}", help(name));
        }
        assert_eq!(usual.playouts_max, u64::MAX);
    }
}
