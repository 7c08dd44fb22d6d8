//! When an iteration is over: no processor has work, and no states are on their way. Messages are counted and summed up
//! by waves over a tree of processors; see "When an iteration is over" in README.md.

use fabric::ProcessorId;

use super::grain::Dives;

/// Sons of each processor in the tree.
const SONS: u32 = 4;

/// What is summed up over all processors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Tally {
    /// Messages with states that were sent, and those that arrived, since the beginning of the run.
    pub(super) sent: u64,
    pub(super) received: u64,
    /// The least length that was out of reach in this iteration.
    pub(super) next: u32,
    /// States that were looked at.
    pub(super) nodes: u64,
    /// Searches below states that the grain of this iteration is judged by.
    pub(super) dives: Dives,
}

impl Tally {
    const ZERO: Tally =
        Tally { sent: 0, received: 0, next: u32::MAX, nodes: 0, dives: Dives { count: 0, nodes: 0 } };

    fn add(&mut self, other: &Tally) {
        self.sent += other.sent;
        self.received += other.received;
        self.next = self.next.min(other.next);
        self.nodes += other.nodes;
        self.dives.add(other.dives);
    }
}

/// The part of a processor in the waves.
pub(super) struct Waves {
    father: Option<ProcessorId>,
    sons: Vec<ProcessorId>,
    /// The number of the last wave.
    number: u32,
    is_under_way: bool,
    /// Sons that have not told yet.
    missing: usize,
    sum: Tally,
    /// What the last wave of this iteration came to; the leader's.
    previous: Option<Tally>,
}

impl Waves {
    pub(super) fn new(id: ProcessorId, processors: usize) -> Waves {
        let first = id.0 * SONS + 1;
        Waves {
            father: id.0.checked_sub(1).map(|number| ProcessorId(number / SONS)),
            sons: (first..first + SONS).filter(|&son| (son as usize) < processors).map(ProcessorId).collect(),
            number: 0,
            is_under_way: false,
            missing: 0,
            sum: Tally::ZERO,
            previous: None,
        }
    }

    pub(super) fn father(&self) -> Option<ProcessorId> {
        self.father
    }

    pub(super) fn sons(&self) -> &[ProcessorId] {
        &self.sons
    }

    /// A new iteration: what was counted before says nothing about it.
    pub(super) fn forget(&mut self) {
        self.previous = None;
    }

    pub(super) fn number(&self) -> u32 {
        self.number
    }

    pub(super) fn is_under_way(&self) -> bool {
        self.is_under_way
    }

    /// A wave has come; the sons are to be asked.
    pub(super) fn asked(&mut self, number: u32) {
        (self.number, self.is_under_way, self.missing, self.sum) =
            (number, true, self.sons.len(), Tally::ZERO);
    }

    /// A son tells.
    pub(super) fn told(&mut self, number: u32, tally: &Tally) {
        if self.is_under_way && number == self.number && self.missing > 0 {
            self.missing -= 1;
            self.sum.add(tally);
        }
    }

    /// This processor has nothing to do: what is to be told to its father, if all sons have told.
    pub(super) fn passive(&mut self, own: &Tally) -> Option<Tally> {
        if !self.is_under_way || self.missing > 0 {
            return None;
        }
        self.is_under_way = false;
        self.sum.add(own);
        Some(self.sum)
    }

    /// Whether all is over, now that a wave came to this sum.
    pub(super) fn is_over(&mut self, total: Tally) -> bool {
        let before = self.previous.replace(total);
        before.is_some_and(|before| before.received == total.sent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_but_the_first_has_one_father() {
        let all: Vec<Waves> = (0..100).map(|id| Waves::new(ProcessorId(id), 100)).collect();
        let mut sons: Vec<u32> = all.iter().flat_map(|one| one.sons()).map(|son| son.0).collect();
        sons.sort_unstable();
        assert_eq!(sons, (1..100).collect::<Vec<_>>());
        for (id, one) in all.iter().enumerate() {
            assert!(one.sons().iter().all(|son| all[son.index()].father() == Some(ProcessorId(id as u32))));
        }
    }

    /// A message that is received behind the first wave and answered before the second: the sums are equal, and
    /// still it is not over.
    #[test]
    fn equal_sums_of_one_wave_are_not_enough() {
        let mut waves = Waves::new(ProcessorId(0), 1);
        let tally = |sent, received| Tally { sent, received, ..Tally::ZERO };
        assert!(!waves.is_over(tally(5, 5)));
        assert!(!waves.is_over(tally(7, 7)));
        assert!(!waves.is_over(tally(8, 7)));
        assert!(!waves.is_over(tally(8, 8)));
        assert!(waves.is_over(tally(8, 8)));
    }
}
