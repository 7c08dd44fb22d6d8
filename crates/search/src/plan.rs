//! How one move is searched: less deep and with a null window first, if so planned, and again where that leaves
//! something open.

use game::{Game, MoveView};
use table::Table;

use crate::company::Company;
use crate::depth::Depth;
use crate::line::{Link, NodeKind};
use crate::node::{Arrival, Node};
use crate::score::{Score, Window};
use crate::searcher::Searcher;
use crate::watch::Interrupt;

/// What follows a forced move is not judged by its looks for so many plies: who had no choice may be in for more.
const FORCED_PLIES: u8 = 2;

/// How to search a move.
#[derive(Clone, Copy)]
pub(crate) struct Plan {
    pub(crate) window: Window,
    pub(crate) depth: Depth,
    pub(crate) reduction: i32,
    pub(crate) first: bool,
    /// Moves that were begun before it, as far as this counts.
    pub(crate) place: u8,
    /// Whether there is no other move.
    pub(crate) only: bool,
    pub(crate) only_test: bool,
    /// Whether others may look at the node, and narrow its window.
    pub(crate) shared: bool,
}

impl<G: Game, T: Table, C: Company<G::Position>> Searcher<'_, G, T, C> {
    /// Plays a move and searches what follows: less deep and with a null window first, if so planned.
    #[inline]
    pub(crate) fn try_move(
        &mut self,
        node: &Node<'_, G::Position>,
        played: MoveView<'_>,
        plan: Plan,
    ) -> Result<Score, Interrupt> {
        let child = self.enter_asking(node.position, played, plan.depth);
        let mut arrival = Arrival {
            previous: played.head.signature_difference,
            principal: node.arrival.principal && plan.first,
            may_pass: self.may_pass_after(played),
            forced_plies: if plan.only { FORCED_PLIES } else { node.arrival.forced_plies.saturating_sub(1) },
            threatened: false,
            excluded: None,
            widest: node.arrival.widest.max(plan.place),
            kind: node.arrival.kind.son(plan.first),
        };
        let score = self.threat_extension(node, played, &child, plan.depth).and_then(|extension| {
            arrival.threatened = extension.is_some();
            let plan = match extension {
                Some(plies) if plan.depth < node.depth => {
                    Plan { depth: plan.depth + plies, reduction: 0, ..plan }
                }
                Some(_) => Plan { reduction: 0, ..plan },
                None => plan,
            };
            self.search_child(node.ply, &child, plan, arrival)
        });
        self.leave();
        score
    }

    fn search_child(
        &mut self,
        ply: usize,
        child: &G::Position,
        plan: Plan,
        arrival: Arrival,
    ) -> Result<Score, Interrupt> {
        let alpha = plan.window.alpha;
        let null = Window::above(alpha).reversed();
        let scout = self.scout && !plan.first;
        if plan.reduction > 0 {
            self.statistics.late_move_reductions += 1;
            self.link(plan.shared, ply, Link::Test(alpha));
            let score = -self.node(child, null, plan.depth - plan.reduction, arrival)?;
            if score <= alpha {
                return Ok(score);
            }
            self.statistics.late_move_researches += 1;
        }
        let mut arrival = arrival;
        if scout {
            self.link(plan.shared, ply, Link::Test(alpha));
            let score = -self.node(child, null, plan.depth, arrival)?;
            let Window { alpha, beta } = self.window_now(plan.shared, ply, plan.window);
            if score <= alpha || score >= beta || plan.window.is_null() || plan.only_test {
                return Ok(score);
            }
            self.statistics.scout_researches += 1;
            // What is better than the best so far is on the principal line.
            arrival.kind = NodeKind::Principal;
        }
        self.link(plan.shared, ply, Link::Value);
        let open = self.window_now(plan.shared, ply, plan.window).reversed();
        Ok(-self.node(child, open, plan.depth, arrival)?)
    }
}
