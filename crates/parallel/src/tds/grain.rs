//! How large a piece of work is that is not shared out any more: with how few moves left a state is searched to the
//! end by the processor that has it. The leader finds it by trying, iteration by iteration, so that such a search takes
//! about as long as is wanted. Within an iteration it is the same for all and stays as it is: what is below a state
//! that was searched to the end is not in the table, so where grains differ states are looked at twice.

use super::settings::Grain;

/// Searches that the grain is learned from, at least.
const DIVES_TO_LEARN: u64 = 16;

/// As long as nothing is known it is this part of an iteration's moves: the first iterations are small.
const FIRST_PART: (u32, u32) = (2, 3);

/// One move more makes a search larger by a factor of at least this.
const GROWTH_MIN: f64 = 1.3;

/// Searches below states with exactly as many moves left as the grain, and their nodes.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Dives {
    pub(super) count: u64,
    pub(super) nodes: u64,
}

impl Dives {
    pub(super) fn add(&mut self, other: Dives) {
        (self.count, self.nodes) = (self.count + other.count, self.nodes + other.nodes);
    }
}

/// The leader's, who finds the grain.
pub(super) struct Tuner {
    grain: Grain,
    /// The grain of this iteration.
    left: u32,
    /// An earlier grain and the mean of its searches.
    before: Option<(u32, f64)>,
    /// States that were expanded, and their children.
    expansions: u64,
    children: u64,
}

impl Tuner {
    pub(super) fn new(grain: Grain) -> Tuner {
        Tuner { grain, left: 0, before: None, expansions: 0, children: 0 }
    }

    /// A state was expanded.
    pub(super) fn note_expansion(&mut self, children: u64) {
        (self.expansions, self.children) = (self.expansions + 1, self.children + children);
    }

    /// The grain of the next iteration, which has so many moves, after the searches of this one.
    pub(super) fn next(&mut self, limit: u32, dives: Dives) -> u32 {
        let wanted = match self.grain {
            Grain::Left(left) => return left,
            Grain::Nodes(nodes) => nodes.max(1) as f64,
        };
        if dives.count >= DIVES_TO_LEARN {
            let mean = (dives.nodes as f64 / dives.count as f64).max(1.0);
            let steps = ((wanted / mean).ln() / self.growth(mean).ln()).round();
            self.before = Some((self.left, mean));
            self.left = self.left.saturating_add_signed(steps as i32).clamp(1, limit.max(1));
        } else if self.before.is_none() {
            self.left = (limit * FIRST_PART.0 / FIRST_PART.1).max(1);
        }
        self.left
    }

    /// By how much a search grows with one move more: as last time if that is known, otherwise by the children of a
    /// state, which is too much, so that the next step does not go too far.
    fn growth(&self, mean: f64) -> f64 {
        let most = (self.children as f64 / self.expansions.max(1) as f64).max(2.0);
        match self.before {
            Some((left, before)) if left != self.left => {
                let moves = f64::from(self.left) - f64::from(left);
                ((mean / before).ln() / moves).exp().clamp(GROWTH_MIN, most)
            }
            _ => most,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Learns from searches that grow by half with every move left, where states have two children.
    fn learned(wanted: u64) -> f64 {
        let mut tuner = Tuner::new(Grain::Nodes(wanted));
        let nodes = |left: u32| 1.5_f64.powi(left as i32);
        let mut dives = Dives::default();
        for limit in 40..60 {
            let left = tuner.next(limit, dives);
            tuner.note_expansion(2);
            dives = Dives { count: 100, nodes: 100 * nodes(left) as u64 };
        }
        nodes(tuner.next(60, dives))
    }

    #[test]
    fn searches_become_as_large_as_is_wanted() {
        for wanted in [2, 10, 100, 1_000, 10_000, 1_000_000] {
            let nodes = learned(wanted);
            assert!((wanted as f64 / 1.5..=wanted as f64 * 1.5).contains(&nodes), "{wanted}: {nodes}");
        }
    }

    #[test]
    fn a_grain_that_was_told_stays() {
        let mut tuner = Tuner::new(Grain::Left(7));
        assert_eq!(tuner.next(60, Dives::default()), 7);
        assert_eq!(tuner.next(62, Dives { count: 1_000, nodes: 1 << 30 }), 7);
    }
}
