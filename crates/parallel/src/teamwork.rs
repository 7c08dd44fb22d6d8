//! What came of the work of several processors, for those who want to know.

use std::ops::AddAssign;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::measures::Measures;
use crate::stealing::Policy;

/// How a search was shared, and what its processors did.
#[derive(Clone, PartialEq, Debug)]
pub struct Teamwork {
    /// How it was shared: [`SIDE_BY_SIDE`](crate::method::SIDE_BY_SIDE) or an engine's name.
    pub method: &'static str,
    /// What was given away when, and to whom, if there was a choice.
    pub policy: Option<Policy>,
    /// How long it took.
    pub time: Duration,
    /// What each processor did; `None` for those that died.
    pub processors: Vec<Option<Measures>>,
}

impl Teamwork {
    /// What all processors did, summed up.
    #[must_use]
    pub fn sum(&self) -> Measures {
        let mut sum = Measures::default();
        self.processors.iter().flatten().for_each(|one| sum += one);
        sum
    }

    /// A time as a part of that of all processors.
    #[must_use]
    pub fn part(&self, time: Duration) -> f64 {
        time.as_secs_f64() / (self.processors.len() as f64 * self.time.as_secs_f64()).max(f64::MIN_POSITIVE)
    }
}

/// Adds another search that was shared by the same processors in the same way, such as that of the next position.
impl AddAssign<Teamwork> for Teamwork {
    fn add_assign(&mut self, other: Teamwork) {
        self.time += other.time;
        self.processors.resize(self.processors.len().max(other.processors.len()), None);
        for (sum, one) in self.processors.iter_mut().zip(other.processors) {
            if let Some(one) = one {
                *sum.get_or_insert_default() += &one;
            }
        }
    }
}

/// Where searches write down what their processors did.
#[derive(Default, Debug)]
pub struct Ledger(Mutex<Option<Teamwork>>);

impl Ledger {
    /// Adds what came of a search.
    pub fn add(&self, one: Teamwork) {
        let mut sum = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match &mut *sum {
            Some(sum) => *sum += one,
            None => *sum = Some(one),
        }
    }

    /// What has come of all searches since this was asked last; `None` if none was shared.
    #[must_use]
    pub fn take(&self) -> Option<Teamwork> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn searched(nodes: u64, seconds: u64) -> Option<Measures> {
        Some(Measures { nodes, search: Duration::from_secs(seconds), ..Measures::default() })
    }

    #[test]
    fn searches_are_added_up_processor_by_processor() {
        let ledger = Ledger::default();
        assert_eq!(ledger.take(), None);
        let one = |processors| Teamwork {
            method: "ybwc",
            policy: Some(Policy::YBWC),
            time: Duration::from_secs(4),
            processors,
        };
        ledger.add(one(vec![searched(5, 4), None]));
        ledger.add(one(vec![searched(7, 3), searched(1, 1)]));
        let both = ledger.take().unwrap();
        assert_eq!((both.time, both.sum().nodes), (Duration::from_secs(8), 13));
        assert_eq!(both.processors, [searched(12, 7), searched(1, 1)]);
        assert!((both.part(both.sum().search) - 0.5).abs() < 1e-9);
        assert_eq!(ledger.take(), None);
    }
}
