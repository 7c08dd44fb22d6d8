//! The algorithms of the literature, by name: docs/taxonomy.md has a page on each.

use super::policy::{Driver, Everybody, Policy, Preference, Victims, When};
use crate::central::Direction;

use When::{Eldest, Immediately, Known, Never, Promising};

/// Sons of a processor in the fixed tree of tree splitting.
const SONS: u32 = 3;

/// How many first moves of a node may be on the principal line, for DM-PVSplit.
const CANDIDATES: u8 = 3;

impl Policy {
    /// Young Brothers Wait: the eldest brother first, at every node.
    pub const YBWC: Policy = Policy {
        when: [Eldest; 3],
        depth_min: 2,
        top_only: false,
        candidates: None,
        prefers: Preference::Highest,
        cut_brothers: None,
        stalls: false,
        victims: Victims::Anybody,
        ambition: 1,
        keeps_requests: false,
        return_asks: true,
        slow_start: false,
        tests_first: false,
        helps: true,
        exchanges: false,
        narrows: true,
        kills: true,
        everybody: Everybody::No,
        driver: Driver::Brothers,
        batch: 64,
        told_depth: 3,
        asked_plies: 2,
    };

    /// Waits at nodes of the principal line alone.
    pub const YBWC_1: Policy = Policy { when: [Eldest, Immediately, Immediately], ..Policy::YBWC };

    /// Does not wait where all moves have to be searched anyway.
    pub const YBWC_1_2: Policy = Policy { when: [Eldest, Eldest, Immediately], ..Policy::YBWC };

    /// Waits for all promising brothers where a cut is expected.
    pub const YBWC_STAR: Policy = Policy { when: [Eldest, Promising, Eldest], ..Policy::YBWC };

    /// Both: what Zugzwang used.
    pub const YBWC_1_2_STAR: Policy = Policy { when: [Eldest, Promising, Immediately], ..Policy::YBWC };

    /// Jamboree: tests in parallel, values one after the other.
    pub const JAMBOREE: Policy = Policy { tests_first: true, ..Policy::YBWC };

    /// Tree splitting: a fixed tree of processors laid over the top of the tree.
    pub const TREE_SPLIT: Policy = Policy {
        when: [Immediately; 3],
        top_only: true,
        victims: Victims::Father { sons: SONS },
        ambition: 0,
        helps: false,
        ..Policy::YBWC
    };

    /// PV-splitting: brothers are free on the principal line alone.
    pub const PV_SPLIT: Policy = Policy { when: [Eldest, Never, Never], ..Policy::YBWC };

    /// Dynamic PV-splitting: everywhere, but at cut nodes only when there is nothing else; records of moves are
    /// exchanged.
    pub const DYNAMIC_PV_SPLIT: Policy =
        Policy { prefers: Preference::AllFirst, exchanges: true, ..Policy::YBWC };

    /// Enhanced PV-splitting: two plies further down where the principal line has nothing left.
    pub const ENHANCED_PV_SPLIT: Policy = Policy { when: [Eldest, Never, Eldest], ..Policy::YBWC };

    /// PV-splitting at all nodes that are reached by some of the first moves.
    pub const DM_PV_SPLIT: Policy = Policy { candidates: Some(CANDIDATES), ..Policy::YBWC };

    /// Mandatory work first: all that a tree in perfect order has, at once; what is not refuted by that waits for its
    /// eldest brother.
    pub const MANDATORY_WORK: Policy = Policy {
        when: [Immediately, Eldest, Immediately],
        cut_brothers: Some(0),
        stalls: true,
        ..Policy::YBWC
    };

    /// Key node: all that a tree in perfect order has, at once; cut nodes move by move.
    pub const KEY_NODE: Policy = Policy { when: [Immediately, Never, Immediately], ..Policy::YBWC };

    /// Waycool: the move of the table first, or all at once.
    pub const WAYCOOL: Policy = Policy { when: [Known; 3], ..Policy::YBWC };

    /// Dynamic tree splitting: the lowest node first whose moves all count.
    pub const DYNAMIC_TREE_SPLIT: Policy =
        Policy { when: [Immediately, Eldest, Immediately], prefers: Preference::LowestAll, ..Policy::YBWC };

    /// Bound-and-branch: brothers are free once there is a bound.
    pub const BOUND_AND_BRANCH: Policy = Policy::YBWC_1_2;

    /// Delayed branch tree expansion: cut nodes that were not refuted at once come first, one move of each at a time.
    pub const DELAYED_BRANCH: Policy = Policy {
        when: [Immediately, Eldest, Immediately],
        prefers: Preference::CutFirst,
        cut_brothers: Some(1),
        ..Policy::YBWC
    };

    /// CABP: the same with several moves of a cut node at a time.
    pub const CABP: Policy = Policy { cut_brothers: Some(3), ..Policy::DELAYED_BRANCH };

    /// Frontier splitting: anywhere, as high up as possible, at cut nodes when there is nothing else.
    pub const FRONTIER: Policy =
        Policy { when: [Immediately; 3], prefers: Preference::AllFirst, ..Policy::YBWC };

    /// All search the root; moves that another one searches come last, at cut nodes all in their order.
    pub const ALPHA_BETA_STAR: Policy =
        Policy { when: [Eldest, Never, Immediately], everybody: Everybody::Defers, ..Policy::YBWC };

    /// The same with the eldest brother first, at every node.
    pub const ABDADA: Policy = Policy { everybody: Everybody::Defers, ..Policy::YBWC };

    /// All search the root.
    pub const LAZY_SMP: Policy = Policy { everybody: Everybody::Meets, ..Policy::YBWC };

    /// Parallel aspiration: each searches the root in a window of its own.
    pub const ASPIRATION: Policy = Policy { driver: Driver::Leader(Direction::Aspiration), ..Policy::YBWC };

    /// UIDPABS: the moves of the root are dealt out, and each deepens its own.
    pub const UIDPABS: Policy = Policy { driver: Driver::Leader(Direction::Uidpabs), ..Policy::YBWC };

    /// APHID: a leader repeats the top of the tree with guesses, and the others deepen its leaves.
    pub const APHID: Policy = Policy { driver: Driver::Leader(Direction::Aphid), ..Policy::YBWC };

    /// ER: the elder grandchildren first, then the best of their fathers, then refutations.
    pub const ER: Policy = Policy { driver: Driver::Leader(Direction::EldersFirst), ..Policy::YBWC };

    /// Parallel SSS\*: null windows from above, with all leaves at once that could refute them.
    pub const SSS: Policy = Policy { driver: Driver::Leader(Direction::Sss), ..Policy::YBWC };

    /// TDSAB: questions about positions go to their homes.
    pub const TDSAB: Policy = Policy { driver: Driver::Homes, ..Policy::YBWC };

    /// All of them, with their names.
    pub const NAMED: [(&'static str, Policy); 28] = [
        ("ybwc", Policy::YBWC),
        ("ybwc-1", Policy::YBWC_1),
        ("ybwc-1-2", Policy::YBWC_1_2),
        ("ybwc*", Policy::YBWC_STAR),
        ("ybwc-1-2*", Policy::YBWC_1_2_STAR),
        ("jamboree", Policy::JAMBOREE),
        ("treesplit", Policy::TREE_SPLIT),
        ("pvsplit", Policy::PV_SPLIT),
        ("dpvs", Policy::DYNAMIC_PV_SPLIT),
        ("epvs", Policy::ENHANCED_PV_SPLIT),
        ("dm-pvsplit", Policy::DM_PV_SPLIT),
        ("mwf", Policy::MANDATORY_WORK),
        ("keynode", Policy::KEY_NODE),
        ("waycool", Policy::WAYCOOL),
        ("dts", Policy::DYNAMIC_TREE_SPLIT),
        ("bound-and-branch", Policy::BOUND_AND_BRANCH),
        ("dbte", Policy::DELAYED_BRANCH),
        ("cabp", Policy::CABP),
        ("frontier", Policy::FRONTIER),
        ("alpha-beta*", Policy::ALPHA_BETA_STAR),
        ("abdada", Policy::ABDADA),
        ("lazysmp", Policy::LAZY_SMP),
        ("aspiration", Policy::ASPIRATION),
        ("uidpabs", Policy::UIDPABS),
        ("aphid", Policy::APHID),
        ("er", Policy::ER),
        ("sss", Policy::SSS),
        ("tdsab", Policy::TDSAB),
    ];

    /// The policy with this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Policy> {
        Policy::NAMED.into_iter().find(|(known, _)| *known == name).map(|(_, policy)| policy)
    }
}
