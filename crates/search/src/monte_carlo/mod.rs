//! Monte Carlo tree search: plays games out and grows a tree where they went well (UCT), for games whose
//! evaluation is of little use. Two helpers for the first visits of a node can be switched: results of a move
//! played later in the same games (RAVE, moves known by their signature difference), and the game's own
//! evaluation (progressive bias). Outcomes that are certain are backed up as such (the solver of Winands and
//! others): a proven win is played, a proven loss is left.

mod tree;

use game::Game;

use crate::depth::Depth;
use crate::engine::Settings;
use crate::limits::Limits;
use crate::report::{Progress, Report};
use crate::root::Root;
use crate::watch::{Interrupt, Watch};
use tree::Tree;

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
        }
    }
}

/// Playouts that stand for a ply where a depth is the only limit.
const PLAYOUTS_PER_PLY: u64 = 1000;
/// The soft limit of time is looked at after so many playouts.
const PLAYOUTS_BETWEEN_LOOKS: u64 = 16;
/// Progress is reported after so many playouts, then after twice as many, and so on.
const FIRST_REPORT: u64 = 1024;

/// Plays games out from the root until a limit is reached or the outcome is proven.
pub(crate) fn play_out<G: Game>(
    game: &G,
    root: &Root<G>,
    settings: &Settings,
    limits: &Limits,
    watch: Watch<'_>,
    progress: &mut dyn FnMut(&Progress<'_>),
) -> Result<Report, Interrupt> {
    let by_depth = limits.depth.map_or(u64::MAX, |depth| PLAYOUTS_PER_PLY * depth.0.max(1) as u64);
    let playouts_max = settings.monte_carlo.playouts_max.min(by_depth);
    let mut tree = game::stopping::never(|| Tree::new(game, root, settings, watch))?;
    let mut fault = None;
    let mut next_report = FIRST_REPORT;
    while !tree.is_proven() && tree.statistics().playouts < playouts_max {
        match tree.play_once() {
            Ok(()) => {}
            Err(Interrupt::Stopped | Interrupt::Cut { .. }) => break,
            Err(Interrupt::Fault(found)) => {
                fault = Some(found);
                break;
            }
        }
        if tree.statistics().playouts >= next_report {
            next_report *= 2;
            let line = tree.principal_variation();
            progress(&Progress {
                depth: Depth(line.len() as i32),
                selective_depth: line.len() as u32,
                score: tree.score(),
                principal_variation: &line,
                nodes: tree.watch.nodes(),
                elapsed: tree.watch.elapsed(),
                table_full_per_mille: tree.full_per_mille(),
            });
        }
        if tree.statistics().playouts % PLAYOUTS_BETWEEN_LOOKS == 0 && !tree.watch.may_go_on(100) {
            break;
        }
    }
    let principal_variation = tree.principal_variation();
    Ok(Report {
        score: tree.score(),
        best: principal_variation.first().cloned(),
        depth: Depth(principal_variation.len() as i32),
        principal_variation,
        proven: tree.is_proven(),
        bounds: None,
        nodes: tree.watch.nodes(),
        elapsed: tree.watch.elapsed(),
        statistics: tree.statistics(),
        fault,
    })
}
