//! All engines behind one function.

use game::{Game, RuleFault};
use table::Table;

use crate::company::{Alone, Company};
use crate::experience::Kept;
use crate::heuristics::Heuristics;
use crate::knowledge::Knowledge;
use crate::limits::{Clock, Control, Limits};
use crate::monte_carlo::{self, MonteCarlo};
use crate::proof::{self, ProofSettings};
use crate::report::{Progress, Report};
use crate::root::Root;
use crate::searcher::Searcher;
use crate::team::Team;
use crate::watch::{Interrupt, Watch};

/// How to search.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Engine {
    /// Everything, without pruning: the oracle.
    NegaMax,
    /// Alpha-beta.
    AlphaBeta,
    /// NegaScout, also called principal variation search.
    NegaScout,
    /// MTD(f): null windows around the last score.
    Mtdf,
    /// SSS* as null windows from above.
    SssStar,
    /// DUAL* as null windows from below.
    DualStar,
    /// Proof-number search, best-first in a tree.
    ProofNumber,
    /// Depth-first proof-number search with a table.
    DfPn,
    /// Every line to the end of the game, with null windows and a table.
    Exhaustive,
    /// Monte Carlo tree search.
    MonteCarlo,
}

impl Engine {
    /// All engines.
    pub const ALL: [Engine; 10] = [
        Engine::NegaMax,
        Engine::AlphaBeta,
        Engine::NegaScout,
        Engine::Mtdf,
        Engine::SssStar,
        Engine::DualStar,
        Engine::ProofNumber,
        Engine::DfPn,
        Engine::Exhaustive,
        Engine::MonteCarlo,
    ];

    /// The engines that search all moves to a depth, and so must agree.
    pub const FULL_WIDTH: [Engine; 6] = [
        Engine::NegaMax,
        Engine::AlphaBeta,
        Engine::NegaScout,
        Engine::Mtdf,
        Engine::SssStar,
        Engine::DualStar,
    ];

    /// As users write it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Engine::NegaMax => "negamax",
            Engine::AlphaBeta => "alphabeta",
            Engine::NegaScout => "negascout",
            Engine::Mtdf => "mtdf",
            Engine::SssStar => "sss",
            Engine::DualStar => "dual",
            Engine::ProofNumber => "pns",
            Engine::DfPn => "dfpn",
            Engine::Exhaustive => "exhaustive",
            Engine::MonteCarlo => "mcts",
        }
    }

    /// The engine with this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Engine> {
        Engine::ALL.into_iter().find(|engine| engine.name() == name)
    }
}

/// Which engine, and how it is set.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Settings {
    /// The engine.
    pub engine: Engine,
    /// The switches of the full-width engines.
    pub heuristics: Heuristics,
    /// The depth of the first iteration.
    pub first_depth: i32,
    /// How much deeper each iteration goes.
    pub increment: i32,
    /// Where random numbers begin.
    pub seed: u64,
    /// How Monte Carlo search works.
    pub monte_carlo: MonteCarlo,
    /// How proof searches work.
    pub proof: ProofSettings,
}

impl Settings {
    /// An engine with everything else as usual.
    #[must_use]
    pub fn new(engine: Engine) -> Settings {
        Settings {
            engine,
            heuristics: Heuristics::default(),
            first_depth: 1,
            increment: 1,
            seed: 1,
            monte_carlo: MonteCarlo::default(),
            proof: ProofSettings::default(),
        }
    }

    /// The same with scores that all full-width engines agree on.
    #[must_use]
    pub fn exact(self) -> Settings {
        Settings { heuristics: Heuristics::exact(), ..self }
    }
}

/// What a search works with and does not own.
pub struct Resources<'search, T: Table> {
    /// The transposition table; begin a new generation before searching a new root.
    pub table: &'search T,
    /// What is known of the game.
    pub knowledge: &'search Knowledge,
    /// How others stop the search.
    pub control: &'search Control,
    /// The time.
    pub clock: &'search dyn Clock,
    /// Searches of the same question on the same table: a limit of nodes is for all of them.
    pub team: Option<Team<'search>>,
}

impl<T: Table> Clone for Resources<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: Table> Copy for Resources<'_, T> {}

/// Searches a position of a two-player game until a limit is reached. Whatever the limit, there is a move if
/// there is a legal one. `progress` is told whenever something better is known.
///
/// # Errors
/// When the rules go wrong.
pub fn search<G: Game, T: Table>(
    game: &G,
    root: &Root<G>,
    settings: &Settings,
    limits: &Limits,
    resources: Resources<'_, T>,
    progress: &mut dyn FnMut(&Progress<'_>),
) -> Result<Report, RuleFault> {
    search_keeping(game, root, settings, limits, resources, &Kept::default(), progress)
}

/// The same with what earlier searches of the same game have learned.
///
/// # Errors
/// When the rules go wrong.
pub fn search_keeping<G: Game, T: Table>(
    game: &G,
    root: &Root<G>,
    settings: &Settings,
    limits: &Limits,
    resources: Resources<'_, T>,
    kept: &Kept,
    progress: &mut dyn FnMut(&Progress<'_>),
) -> Result<Report, RuleFault> {
    let watch = Watch::new(limits, resources.control, resources.clock).together(resources.team);
    let result = match settings.engine {
        _ if limits.win_within.is_some() => {
            full_width(game, root, settings, limits, resources, kept, watch, progress)
        }
        Engine::ProofNumber | Engine::DfPn | Engine::Exhaustive => {
            proof::solve(game, root, settings, resources.table, watch, progress)
                .and_then(|report| choose_if_unknown(game, root, resources, report))
        }
        Engine::MonteCarlo => monte_carlo::play_out(game, root, settings, limits, watch, progress)
            .and_then(|report| choose_if_unknown(game, root, resources, report)),
        _ => full_width(game, root, settings, limits, resources, kept, watch, progress),
    };
    match result {
        Ok(report) => Ok(report),
        Err(Interrupt::Fault(fault)) => Err(*fault),
        Err(Interrupt::Stopped | Interrupt::Cut { .. }) => {
            unreachable!("engines report what they have when they are stopped")
        }
    }
}

/// Playouts that say something about which move is best.
const PLAYOUTS_MIN: u64 = 64;

/// Where an engine that does not search to a depth had no time to find a move, a search to depth 1 chooses one.
///
/// # Errors
/// When the rules go wrong.
pub fn choose_if_unknown<G: Game, T: Table>(
    game: &G,
    root: &Root<G>,
    resources: Resources<'_, T>,
    report: Report,
) -> Result<Report, Interrupt> {
    let is_known = report.proven || report.best.is_none() || report.principal_variation.len() > 1;
    if is_known || report.fault.is_some() || report.statistics.playouts >= PLAYOUTS_MIN {
        return Ok(report);
    }
    // The clock runs already, and neither it nor the nodes count for so little: `ponder` says so.
    let limits = Limits { ponder: true, ..Limits::to_depth(1) };
    let watch = Watch::new(&limits, resources.control, resources.clock);
    let settings = Settings::new(Engine::NegaScout);
    let kept = Kept::default();
    let choice = full_width(game, root, &settings, &limits, resources, &kept, watch, &mut |_| {})?;
    Ok(Report { best: choice.best, principal_variation: choice.principal_variation, ..report })
}

#[expect(clippy::too_many_arguments, reason = "what a search is about, and what it works with")]
fn full_width<G: Game, T: Table>(
    game: &G,
    root: &Root<G>,
    settings: &Settings,
    limits: &Limits,
    resources: Resources<'_, T>,
    kept: &Kept,
    watch: Watch<'_>,
    progress: &mut dyn FnMut(&Progress<'_>),
) -> Result<Report, Interrupt> {
    let heuristics = match limits.win_within {
        Some(_) => Heuristics { quiescence: false, ..Heuristics::exact() },
        None => settings.heuristics,
    };
    let settings = Settings { heuristics, ..*settings };
    let Resources { table, knowledge, .. } = resources;
    let lessons = kept.lessons(knowledge, &heuristics);
    let mut searcher = Searcher::keeping(game, root, &settings, table, knowledge, watch, Alone, lessons);
    searcher.lead_here(&settings, limits, progress)
}

impl<G: Game, T: Table, C: Company<G::Position>> Searcher<'_, G, T, C> {
    /// Searches the root until a limit is reached, and says what came of it.
    pub(crate) fn lead_here(
        &mut self,
        settings: &Settings,
        limits: &Limits,
        progress: &mut dyn FnMut(&Progress<'_>),
    ) -> Result<Report, Interrupt> {
        let reached = self.deepen(settings, limits, progress)?;
        Ok(Report {
            score: reached.score,
            best: self.root_best.as_ref().map(|(best, _)| best.clone()),
            principal_variation: self.principal_variation(),
            depth: reached.depth,
            proven: reached.score.is_decided() || reached.everything,
            bounds: None,
            nodes: self.watch.total_nodes(),
            elapsed: self.watch.elapsed(),
            statistics: self.statistics(),
            fault: reached.fault,
            threads_lost: 0,
        })
    }

    /// The same for those who lead a search in company.
    ///
    /// # Errors
    /// When the rules go wrong before anything is known.
    pub fn lead(
        &mut self,
        settings: &Settings,
        limits: &Limits,
        progress: &mut dyn FnMut(&Progress<'_>),
    ) -> Result<Report, RuleFault> {
        self.lead_here(settings, limits, progress).map_err(|interrupt| match interrupt {
            Interrupt::Fault(fault) => *fault,
            Interrupt::Stopped | Interrupt::Cut { .. } => RuleFault::stopped(),
        })
    }
}
