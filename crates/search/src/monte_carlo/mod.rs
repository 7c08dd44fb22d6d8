//! Monte Carlo tree search: plays games out and grows a tree where they went well (UCT), for games whose
//! evaluation is of little use. Two helpers for the first visits of a node can be switched: results of a move
//! played later in the same games (RAVE, moves known by their signature difference), and the game's own
//! evaluation (progressive bias). Outcomes that are certain are backed up as such (the solver of Winands and
//! others): a proven win is played, a proven loss is left.
//!
//! Where a policy has learned the game ([`Game::advise`]), the tree grows where it looks (PUCT), and leaves are
//! worth what it expects: no games are played out. A node has at first only the moves that look best, and gets
//! the others when all of those are known not to win, so that what is proven stays right.

mod advice;
mod player;
mod tree;

use game::{Game, RuleFault};

use crate::depth::Depth;
use crate::engine::Settings;
use crate::limits::Limits;
use crate::report::{Progress, Report};
use crate::root::Root;
use crate::statistics::Statistics;
use crate::watch::{Interrupt, Watch};
pub use player::{Descent, Player};
pub use tree::{Game as Played, Harvest, Tree};

/// How several players search together.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Together {
    /// All grow one tree.
    #[default]
    Tree,
    /// Each grows a tree of its own, and the results of the moves of the root are added up.
    Root,
    /// One grows a tree, and all play out the same leaf.
    Leaf,
}

/// How Monte Carlo search works.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MonteCarlo {
    /// How much rarely tried moves are favoured.
    pub exploration: f32,
    /// Visits after which a move's own results count as much as those of the same move played later; 0 switches
    /// RAVE off.
    pub rave_visits: f32,
    /// How much the evaluation of a move's position counts before its first visits; 0 switches it off.
    pub bias: f32,
    /// Whether playouts win at once where they can.
    pub decisive_moves: bool,
    /// Plies after which a playout is judged by the evaluation.
    pub playout_plies_max: usize,
    /// Nodes of the tree; when it is full it grows no more.
    pub tree_nodes_max: usize,
    /// Playouts, whatever the limits of the search say.
    pub playouts_max: u64,
    /// How several players search together.
    pub together: Together,
    /// Whether to ask a policy that has learned the game.
    pub policy: bool,
    /// How much moves are favoured that look good and were rarely tried, if there is a policy.
    pub trust: f32,
    /// How much less than its brothers a move is expected to be worth that was not tried.
    pub pessimism: f32,
    /// How much of the root's advice is replaced by chance, so that games with oneself differ.
    pub noise: f32,
}

impl Default for MonteCarlo {
    fn default() -> MonteCarlo {
        MonteCarlo {
            exploration: 0.7,
            rave_visits: 300.0,
            bias: 0.0,
            decisive_moves: true,
            playout_plies_max: 400,
            tree_nodes_max: 1_000_000,
            playouts_max: u64::MAX,
            together: Together::default(),
            policy: true,
            trust: 0.8,
            pessimism: 0.15,
            noise: 0.0,
        }
    }
}

/// Playouts that stand for a ply where a depth is the only limit.
const PLAYOUTS_PER_PLY: u64 = 1000;
/// The soft limit of time is looked at after so many playouts.
pub const PLAYOUTS_BETWEEN_LOOKS: u64 = 16;
/// Progress is reported after so many playouts, then after twice as many, and so on.
pub const FIRST_REPORT: u64 = 64;

/// Plays games out from the root until a limit is reached or the outcome is proven.
pub(crate) fn play_out<G: Game>(
    game: &G,
    root: &Root<G>,
    settings: &Settings,
    limits: &Limits,
    watch: Watch<'_>,
    progress: &mut dyn FnMut(&Progress<'_>),
) -> Result<Report, Interrupt> {
    grow(game, root, settings, limits, watch, progress).map(|(report, _)| report)
}

/// The same as [`crate::search`] on one thread, and what the moves of the root have come to.
///
/// # Errors
/// When the rules go wrong.
pub fn explore<G: Game>(
    game: &G,
    root: &Root<G>,
    settings: &Settings,
    limits: &Limits,
    watch: Watch<'_>,
) -> Result<(Report, Vec<Harvest>), RuleFault> {
    let grown = grow(game, root, settings, limits, watch, &mut |_| {});
    let (report, tree) = grown.map_err(|interrupt| match interrupt {
        Interrupt::Fault(fault) => *fault,
        Interrupt::Stopped | Interrupt::Cut { .. } => RuleFault::stopped(),
    })?;
    Ok((report, tree.harvest()))
}

fn grow<G: Game>(
    game: &G,
    root: &Root<G>,
    settings: &Settings,
    limits: &Limits,
    watch: Watch<'_>,
    progress: &mut dyn FnMut(&Progress<'_>),
) -> Result<(Report, Tree), Interrupt> {
    let playouts_max = playouts_max(settings, limits);
    let mut player = Player::new(game, root, settings, watch);
    let mut tree = game::stopping::never(|| player.plant())?;
    let mut fault = None;
    let mut next_report = FIRST_REPORT;
    while !tree.is_proven() && player.statistics().playouts < playouts_max {
        match player.play_once(&mut tree) {
            Ok(()) => {}
            Err(Interrupt::Stopped | Interrupt::Cut { .. }) => break,
            Err(Interrupt::Fault(found)) => {
                fault = Some(found);
                break;
            }
        }
        if player.statistics().playouts >= next_report {
            next_report *= 2;
            tell(&tree, &player.watch, progress);
        }
        if player.statistics().playouts.is_multiple_of(PLAYOUTS_BETWEEN_LOOKS) && !player.watch.may_go_on(100)
        {
            break;
        }
    }
    let report = report(&tree, &player.watch, player.statistics(), fault);
    Ok((report, tree))
}

/// How many games a search plays at most.
#[must_use]
pub fn playouts_max(settings: &Settings, limits: &Limits) -> u64 {
    let by_depth = limits.depth.map_or(u64::MAX, |depth| PLAYOUTS_PER_PLY * depth.0.max(1) as u64);
    settings.monte_carlo.playouts_max.min(by_depth)
}

/// Tells what is known so far.
pub fn tell(tree: &Tree, watch: &Watch<'_>, progress: &mut dyn FnMut(&Progress<'_>)) {
    let line = tree.principal_variation();
    progress(&Progress {
        depth: Depth(line.len() as i32),
        selective_depth: line.len() as u32,
        score: tree.score(),
        principal_variation: &line,
        nodes: watch.total_nodes(),
        elapsed: watch.elapsed(),
        table_full_per_mille: tree.full_per_mille(),
    });
}

/// What came of a search.
#[must_use]
pub fn report(
    tree: &Tree,
    watch: &Watch<'_>,
    statistics: Statistics,
    fault: Option<Box<RuleFault>>,
) -> Report {
    let principal_variation = tree.principal_variation();
    Report {
        score: tree.score(),
        best: principal_variation.first().cloned(),
        depth: Depth(principal_variation.len() as i32),
        principal_variation,
        proven: tree.is_proven(),
        bounds: None,
        nodes: watch.total_nodes(),
        elapsed: watch.elapsed(),
        statistics: Statistics { proven_nodes: tree.proven_nodes, ..statistics },
        fault,
        threads_lost: 0,
    }
}
