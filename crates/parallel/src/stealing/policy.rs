//! Which brothers may be given away when, and who is asked for work. Values, not engines: the algorithms of the
//! literature that share out brothers differ in nothing else.

use search::desk::OpenNode;
use search::line::NodeKind;
use search::node::Arrival;

use crate::central::Direction;

/// When the brothers of a node are free.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum When {
    /// As soon as the node is reached.
    Immediately,
    /// When its first move has been searched.
    Eldest,
    /// When the move has been searched that the table knows to be the best; at once where it knows none.
    Known,
    /// When all moves have been searched that look good: the first one, captures, and moves that refuted others.
    Promising,
    /// Never.
    Never,
}

/// Which processor is asked for work by one that has none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Victims {
    /// Any other processor.
    Anybody,
    /// Any other, which passes the request on to a neighbour, and so on, at most so many times.
    Passed {
        /// How often a request is passed on.
        hops: u8,
    },
    /// A neighbour, who passes the request on to one of its own, at most so many times.
    Neighbours {
        /// How often a request is passed on.
        hops: u8,
    },
    /// The father in a fixed tree in which each has so many sons.
    Father {
        /// How many sons a processor has.
        sons: u32,
    },
}

/// Which node gives a move away first, where several could.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Preference {
    /// The highest.
    Highest,
    /// The highest of those where no cut is expected; cut nodes when these have nothing left.
    AllFirst,
    /// The lowest of those whose moves all count, with a bound if it is a principal one; then principal nodes without
    /// a bound; cut nodes at last.
    LowestAll,
    /// The highest of the cut nodes that were not refuted at once; then the highest of the others.
    CutFirst,
}

impl Preference {
    /// The less, the sooner a node gives something away.
    fn rank(self, node: &OpenNode) -> (u8, isize) {
        let (cut, ply) = (node.kind == NodeKind::Cut, node.ply as isize);
        match self {
            Preference::Highest => (0, ply),
            Preference::AllFirst => (u8::from(cut), ply),
            Preference::CutFirst => (u8::from(!cut), ply),
            Preference::LowestAll if cut => (2, -ply),
            Preference::LowestAll => (u8::from(node.kind == NodeKind::Principal && node.finished == 0), -ply),
        }
    }

    /// Puts nodes into the order in which they give something away.
    pub(super) fn sort(self, nodes: &mut [OpenNode]) {
        nodes.sort_by_key(|node| self.rank(node));
    }
}

/// What processors do that all search the root.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Everybody {
    /// They do not: work is given away.
    No,
    /// They meet in the table: Lazy SMP.
    Meets,
    /// They leave moves for later that another one searches right now, where brothers are free: ABDADA.
    Defers,
}

/// Who decides what is searched by whom.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Driver {
    /// Those who have something to give, and those who ask them: as all other values of the policy say.
    Brothers,
    /// A leader; all other values but the least depth are of no meaning.
    Leader(Direction),
    /// Every position has a home, which is asked about it; all other values but the least depth are of no meaning.
    Homes,
}

/// How work is shared out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Policy {
    /// When brothers are free, by the kind of their father: principal, cut, all.
    pub when: [When; 3],
    /// Nodes that are searched less deep than this keep their moves.
    pub depth_min: i32,
    /// Whether a processor gives away moves of the top node of its own work alone: a tree of processors laid over the
    /// tree.
    pub top_only: bool,
    /// Whether only nodes share their moves that are reached by one of so many first moves at every step.
    pub candidates: Option<u8>,
    /// Which node gives something away first.
    pub prefers: Preference,
    /// How many moves of a cut node are out at the same time, at most.
    pub cut_brothers: Option<u8>,
    /// Whether a move that was given away before its eldest brother was searched waits for that one, when the first
    /// answer to it is not enough.
    pub stalls: bool,
    /// Which processor is asked for work.
    pub victims: Victims,
    /// How much deeper than the last one the node should be that a processor asks for next; it is content with less
    /// after each refusal. Large pieces are found sooner by that, and small ones are left to those who have nothing
    /// else.
    pub ambition: u8,
    /// Whether a request that cannot be met is kept until it can be, instead of being refused. Real processors always
    /// do that.
    pub keeps_requests: bool,
    /// Whether a result is taken for a request.
    pub return_asks: bool,
    /// Whether a cut node has no more moves out than have been searched: the sooner it is cut, the less was in vain.
    pub slow_start: bool,
    /// Whether brothers are tested in parallel, and the values of those that are better found one after the other.
    pub tests_first: bool,
    /// Whether who waits for others works for them meanwhile.
    pub helps: bool,
    /// Whether processors tell each other after each iteration which moves were good.
    pub exchanges: bool,
    /// Whether those who work for a node are told when its window becomes narrower.
    pub narrows: bool,
    /// Whether those who work for a node are told when it is cut: otherwise they work on in vain.
    pub kills: bool,
    /// Whether all search the root, and nothing is given away.
    pub everybody: Everybody,
    /// Who decides what is searched by whom.
    pub driver: Driver,
    /// Where tables are copies of each other, so many entries make a message.
    pub batch: usize,
    /// Where hosts have tables, entries of less depth stay where they were found.
    pub told_depth: u8,
    /// Entries of so many plies from there on have a host that is told of them, and asked by the others; what is
    /// deeper is told to all.
    pub asked_plies: u8,
}

impl Policy {
    /// When the brothers of such a node are free.
    #[must_use]
    pub fn when(&self, kind: NodeKind) -> When {
        match kind {
            NodeKind::Principal => self.when[0],
            NodeKind::Cut => self.when[1],
            NodeKind::All => self.when[2],
        }
    }

    /// Whether nodes share their moves that were reached in this way.
    #[must_use]
    pub(super) fn shares(&self, arrival: &Arrival) -> bool {
        let is_candidate = self.candidates.is_none_or(|first| arrival.widest < first);
        let by_kind = self.when(arrival.kind) != When::Never;
        self.everybody != Everybody::Meets && by_kind && is_candidate
    }

    /// Whether a move that another one searches already is left for later, at such a node and at this place in its
    /// list.
    #[must_use]
    pub(super) fn leaves_for_later(&self, kind: NodeKind, place: usize) -> bool {
        self.everybody == Everybody::Defers
            && match self.when(kind) {
                When::Immediately => true,
                When::Eldest | When::Known | When::Promising => place > 0,
                When::Never => false,
            }
    }
}

#[cfg(test)]
mod tests {
    use search::Depth;

    use super::*;

    fn node(kind: NodeKind, ply: usize, finished: usize) -> OpenNode {
        OpenNode { ply, kind, depth: Depth(3), free: 5, finished, away: 0, is_known: false }
    }

    fn sorted(preference: Preference) -> Vec<usize> {
        use NodeKind::{All, Cut, Principal};
        let mut nodes =
            [node(Principal, 0, 1), node(Principal, 1, 0), node(Cut, 2, 1), node(All, 3, 0), node(Cut, 4, 1)];
        preference.sort(&mut nodes);
        nodes.iter().map(|node| node.ply).collect()
    }

    #[test]
    fn preferences_put_nodes_into_their_order() {
        assert_eq!(sorted(Preference::Highest), [0, 1, 2, 3, 4]);
        assert_eq!(sorted(Preference::AllFirst), [0, 1, 3, 2, 4]);
        assert_eq!(sorted(Preference::LowestAll), [3, 0, 1, 4, 2]);
        assert_eq!(sorted(Preference::CutFirst), [2, 4, 0, 1, 3]);
    }

    #[test]
    fn candidates_are_reached_by_first_moves() {
        let arrival = |widest| Arrival { widest, ..Arrival::default() };
        let shares = |widest| Policy::DM_PV_SPLIT.shares(&arrival(widest));
        assert_eq!([0, 2, 3, 200].map(shares), [true, true, false, false]);
        assert!(Policy::YBWC.shares(&arrival(200)) && !Policy::LAZY_SMP.shares(&arrival(0)));
    }

    #[test]
    fn only_who_has_no_elder_brother_rule_leaves_the_first_move() {
        let leaves = |policy: Policy, kind| [0, 1].map(|place| policy.leaves_for_later(kind, place));
        assert_eq!(leaves(Policy::ABDADA, NodeKind::All), [false, true]);
        assert_eq!(leaves(Policy::ALPHA_BETA_STAR, NodeKind::All), [true, true]);
        assert_eq!(leaves(Policy::ALPHA_BETA_STAR, NodeKind::Cut), [false, false]);
        assert_eq!(leaves(Policy::YBWC, NodeKind::All), [false, false]);
    }
}
