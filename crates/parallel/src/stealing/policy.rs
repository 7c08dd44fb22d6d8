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

/// What processors do that all search the root.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Everybody {
    /// They do not: work is given away.
    No,
    /// They meet in the table: Lazy SMP.
    Meets,
    /// They leave moves for later that somebody else searches right now: ABDADA.
    Defers,
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
    /// How much deeper than the last one the node should be that a processor asks for next; it is content with less after each
    /// refusal. Large pieces are found sooner by that, and small ones are left to those who have nothing else.
    pub ambition: u8,
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
    /// Whether everybody searches the root, and nothing is given away.
    pub everybody: Everybody,
}

impl Policy {
    /// Young Brothers Wait: the eldest brother first, at every node.
    pub const YBWC: Policy = Policy {
        when: [When::Eldest; 3],
        depth_min: 2,
        victims: Victims::Anybody,
        ambition: 1,
        return_asks: true,
        slow_start: false,
        tests_first: false,
        helps: true,
        exchanges: false,
        everybody: Everybody::No,
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

    /// Everybody searches the root; moves that somebody else searches come last.
    pub const ABDADA: Policy = Policy { everybody: Everybody::Defers, ..Policy::YBWC };

    /// Everybody searches the root.
    pub const LAZY_SMP: Policy = Policy { everybody: Everybody::Meets, ..Policy::YBWC };

    /// All of them, with their names.
    pub const NAMED: [(&'static str, Policy); 9] = [
        ("ybwc", Policy::YBWC),
        ("ybwc-1", Policy::YBWC_1),
        ("ybwc-1-2", Policy::YBWC_1_2),
        ("ybwc*", Policy::YBWC_STAR),
        ("ybwc-1-2*", Policy::YBWC_1_2_STAR),
        ("jamboree", Policy::JAMBOREE),
        ("pvsplit", Policy::PV_SPLIT),
        ("abdada", Policy::ABDADA),
        ("lazysmp", Policy::LAZY_SMP),
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
