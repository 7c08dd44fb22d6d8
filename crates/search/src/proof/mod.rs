//! Proof searches: does a player get at least so much, yes or no? They look for the narrow proof instead of a
//! good move, and need no evaluation.
//!
//! **Cycles and the graph-history problem.** A position that occurs again on its own line counts at once as the
//! rules say (a draw where they say nothing). [`best_first`] keeps a tree: a node has one line, so what is
//! found there cannot be misused elsewhere. [`depth_first`] keeps a table, where it could be. There, a result that
//! rests on a cycle is stored as a *twin*: under a key that also holds the positions on the line since the last
//! irreversible move (the scheme of Kishimoto and Müller without their simulation). Other lines do not see it
//! and search for themselves. A result without a cycle is stored for all lines: its proof tree is acyclic,
//! and a player who follows it never needs to repeat a position.
//!
//! What this leaves open: a proof may pass through a position that had already occurred often enough before the
//! root for the next occurrence to end the game.

pub mod best_first;
pub mod claim;
pub mod depth_first;
pub mod exhaustive;
mod images;
mod memory;
mod shared;

use game::{Game, Move};
use table::Table;

use crate::depth::Depth;
use crate::engine::{Engine, Settings};
use crate::report::{Progress, Report};
use crate::root::Root;
use crate::score::Score;
use crate::statistics::Statistics;
use crate::watch::{Interrupt, Watch};
pub use claim::{Claim, Verdict};
pub use exhaustive::Order;
pub use shared::SharedMemory;

/// How much memory proof searches may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProofSettings {
    /// Nodes of the best-first tree.
    pub tree_nodes_max: usize,
    /// Bytes of the table of the depth-first search. The exhaustive one uses the transposition table.
    pub table_bytes: usize,
    /// How the exhaustive search orders moves.
    pub order: Order,
    /// The points that the exhaustive search asks about first; whether the mover wins, if there are none.
    pub guess: Option<i32>,
}

impl Default for ProofSettings {
    fn default() -> ProofSettings {
        ProofSettings {
            tree_nodes_max: 4_000_000,
            table_bytes: 32 << 20,
            order: Order::default(),
            guess: None,
        }
    }
}

/// The answer to a claim.
#[derive(Clone, Debug)]
pub struct Answer {
    /// Whether the claim holds, if it is known.
    pub verdict: Verdict,
    /// The line that shows it, as far as it is known.
    pub line: Vec<Move>,
}

/// Examines a claim about the root with one of the two proof searches.
///
/// # Errors
/// When the rules go wrong. A search that is stopped has the verdict [`Verdict::Unknown`].
pub fn examine<G: Game>(
    game: &G,
    root: &Root<G>,
    claim: Claim,
    settings: &Settings,
    watch: &mut Watch<'_>,
    statistics: &mut Statistics,
) -> Result<Answer, Interrupt> {
    let result = if settings.engine == Engine::ProofNumber {
        best_first::examine(game, root, claim, settings.proof, watch)
    } else {
        depth_first::examine(game, root, claim, settings.proof, watch, statistics)
    };
    match result {
        Err(Interrupt::Stopped) => Ok(Answer { verdict: Verdict::Unknown, line: Vec::new() }),
        other => other,
    }
}

/// Examines a claim by depth-first proof-number search, together with others who have the same memory. The first to
/// come to an answer ends it for all, and all get it.
///
/// # Errors
/// When the rules go wrong. A search that is stopped has the verdict [`Verdict::Unknown`].
pub fn examine_together<G: Game>(
    game: &G,
    root: &Root<G>,
    claim: Claim,
    memory: &SharedMemory,
    watch: &mut Watch<'_>,
    statistics: &mut Statistics,
) -> Result<Answer, Interrupt> {
    match depth_first::examine_together(game, root, claim, memory, watch, statistics) {
        Err(Interrupt::Stopped) => Ok(Answer { verdict: Verdict::Unknown, line: Vec::new() }),
        other => other,
    }
}

/// Finds out who wins: first whether the mover does, then whether the mover at least draws.
pub(crate) fn solve<G: Game, T: Table>(
    game: &G,
    root: &Root<G>,
    settings: &Settings,
    table: &T,
    watch: Watch<'_>,
    progress: &mut dyn FnMut(&Progress<'_>),
) -> Result<Report, Interrupt> {
    if settings.engine == Engine::Exhaustive {
        return close_in(game, root, settings, table, watch, progress);
    }
    solve_by(game, root, watch, &mut |claim, watch, statistics| {
        examine(game, root, claim, settings, watch, statistics)
    })
}

/// How a claim is examined.
pub type Examine<'search> =
    dyn FnMut(Claim, &mut Watch<'_>, &mut Statistics) -> Result<Answer, Interrupt> + 'search;

/// The same by another way to examine a claim.
///
/// # Errors
/// When the rules go wrong.
pub fn solve_by<G: Game>(
    game: &G,
    root: &Root<G>,
    mut watch: Watch<'_>,
    examine: &mut Examine<'_>,
) -> Result<Report, Interrupt> {
    let mut statistics = Statistics::default();
    let mut moves = game::MoveList::new();
    let finished = game::stopping::never(|| game.generate(&root.position, game::Stage::All, &mut moves))?;
    let mut fault = None;
    let first = moves.iter().next().map(|played| played.to_move());
    let mover = game.mover(&root.position);
    let (mut score, mut line, mut proven) = (Score::DRAW, Vec::from_iter(first), false);
    if let Some(outcome) = finished {
        (score, proven) = (Score::of_outcome(outcome, 0), true);
    } else {
        for (claim, if_true) in [(Claim::wins(mover), Score::WON), (Claim::draws(mover), Score::DRAW)] {
            let answer = match examine(claim, &mut watch, &mut statistics) {
                Ok(answer) => answer,
                Err(Interrupt::Fault(found)) => {
                    fault = Some(found);
                    break;
                }
                Err(stopped) => return Err(stopped),
            };
            if answer.verdict == Verdict::Unknown {
                break;
            }
            if !answer.line.is_empty() {
                line = answer.line;
            }
            (score, proven) = (Score::LOST, if_true == Score::DRAW);
            if answer.verdict == Verdict::True {
                (score, proven) = (if_true, true);
                break;
            }
        }
        if !proven {
            score = Score::DRAW;
        }
    }
    statistics.nodes = watch.nodes();
    Ok(Report {
        score,
        best: line.first().cloned(),
        principal_variation: line,
        depth: Depth(0),
        proven,
        bounds: None,
        nodes: watch.nodes(),
        elapsed: watch.elapsed(),
        statistics,
        fault,
        threads_lost: 0,
    })
}

/// Closes the score in by exhaustive searches.
fn close_in<G: Game, T: Table>(
    game: &G,
    root: &Root<G>,
    settings: &Settings,
    table: &T,
    mut watch: Watch<'_>,
    progress: &mut dyn FnMut(&Progress<'_>),
) -> Result<Report, Interrupt> {
    let mut statistics = Statistics::default();
    let mut moves = game::MoveList::new();
    game::stopping::never(|| game.generate(&root.position, game::Stage::All, &mut moves))?;
    let any = moves.iter().next().map(|played| played.to_move());
    let mut news = |found: &exhaustive::Found, nodes, elapsed| {
        progress(&Progress {
            depth: Depth(0),
            selective_depth: 0,
            score: if found.least > Score::LOST { found.least } else { found.most },
            principal_variation: &found.line,
            nodes,
            elapsed,
            table_full_per_mille: table.full_per_mille(),
        });
    };
    let proof = &settings.proof;
    let found = exhaustive::examine(game, root, proof, table, &mut watch, &mut statistics, &mut news)?;
    let proven = found.is_everything();
    let line = if found.line.is_empty() { Vec::from_iter(any) } else { found.line };
    statistics.nodes = watch.nodes();
    Ok(Report {
        score: if proven { found.least } else { Score::DRAW },
        best: line.first().cloned(),
        principal_variation: line,
        depth: Depth(0),
        proven,
        bounds: Some((found.least, found.most)),
        nodes: watch.nodes(),
        elapsed: watch.elapsed(),
        statistics,
        fault: None,
        threads_lost: 0,
    })
}
