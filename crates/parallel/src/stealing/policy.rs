//! Which brothers may be given away when, and who is asked for work. Values, not engines: the algorithms of the literature that
//! share out brothers differ in nothing else.

use search::line::NodeKind;

/// When the brothers of a node are free.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum When {
    /// As soon as the node is reached.
    Immediately,
    /// When its first move has been searched.
    Eldest,
    /// When all moves have been searched that look good: the first one, captures, and moves that refuted others.
    Promising,
    /// Never.
    Never,
}

/// Who is asked for work by a processor that has none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Victims {
    /// Anybody.
    Anybody,
    /// A neighbour, who passes the request on to one of its own, at most so many times.
    Neighbours {
        /// How often a request is passed on.
        hops: u8,
    },
    /// The father in a fixed tree in which everybody has so many sons.
    Father {
        /// How many sons a processor has.
        sons: u32,
    },
}

/// How work is shared out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Policy {
    /// When brothers are free, by the kind of their father: principal, cut, all.
    pub when: [When; 3],
    /// Nodes that are searched less deep than this keep their moves.
    pub depth_min: i32,
    /// Who is asked for work.
    pub victims: Victims,
    /// Whether a result is taken for a request.
    pub return_asks: bool,
    /// Whether a cut node has no more moves out than have been searched: the sooner it is cut, the less was in vain.
    pub slow_start: bool,
    /// Whether brothers are tested in parallel, and the values of those that are better found one after the other.
    pub tests_first: bool,
    /// Whether who waits for others works for them meanwhile.
    pub helps: bool,
}

impl Policy {
    /// Young Brothers Wait: the eldest brother first, at every node.
    pub const YBWC: Policy = Policy {
        when: [When::Eldest; 3],
        depth_min: 2,
        victims: Victims::Anybody,
        return_asks: true,
        slow_start: false,
        tests_first: false,
        helps: true,
    };

    /// Waits at nodes of the principal line alone: dynamic PV-splitting.
    pub const YBWC_1: Policy =
        Policy { when: [When::Eldest, When::Immediately, When::Immediately], ..Policy::YBWC };

    /// Does not wait where all moves have to be searched anyway.
    pub const YBWC_1_2: Policy =
        Policy { when: [When::Eldest, When::Eldest, When::Immediately], ..Policy::YBWC };

    /// Waits for all promising brothers where a cut is expected.
    pub const YBWC_STAR: Policy =
        Policy { when: [When::Eldest, When::Promising, When::Eldest], ..Policy::YBWC };

    /// Both: what Zugzwang used.
    pub const YBWC_1_2_STAR: Policy =
        Policy { when: [When::Eldest, When::Promising, When::Immediately], ..Policy::YBWC };

    /// Jamboree: tests in parallel, values one after the other.
    pub const JAMBOREE: Policy = Policy { tests_first: true, ..Policy::YBWC };

    /// PV-splitting: brothers are free on the principal line alone.
    pub const PV_SPLIT: Policy = Policy { when: [When::Eldest, When::Never, When::Never], ..Policy::YBWC };

    /// All of them, with their names.
    pub const NAMED: [(&'static str, Policy); 7] = [
        ("ybwc", Policy::YBWC),
        ("ybwc-1", Policy::YBWC_1),
        ("ybwc-1-2", Policy::YBWC_1_2),
        ("ybwc*", Policy::YBWC_STAR),
        ("ybwc-1-2*", Policy::YBWC_1_2_STAR),
        ("jamboree", Policy::JAMBOREE),
        ("pvsplit", Policy::PV_SPLIT),
    ];

    /// The policy with this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Policy> {
        Policy::NAMED.into_iter().find(|(known, _)| *known == name).map(|(_, policy)| policy)
    }

    /// When the brothers of such a node are free.
    #[must_use]
    pub fn when(&self, kind: NodeKind) -> When {
        match kind {
            NodeKind::Principal => self.when[0],
            NodeKind::Cut => self.when[1],
            NodeKind::All => self.when[2],
        }
    }
}
