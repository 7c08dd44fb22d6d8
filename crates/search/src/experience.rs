//! What searches learn on their way about moves and estimates. A search has its own, or several that work on one
//! question have one together: what one of them has found out, the others need not.

use std::sync::{Arc, Mutex, PoisonError};

use crate::corrections::Corrections;
use crate::facts::Facts;
use crate::heuristics::Heuristics;
use crate::knowledge::Knowledge;
use crate::memory::Records;

/// Which moves were good, and how far estimates were wrong.
pub struct Experience {
    pub(crate) records: Arc<Records>,
    pub(crate) corrections: Arc<Corrections>,
}

impl Experience {
    /// Nothing was learned so far.
    #[must_use]
    pub fn new(knowledge: &Knowledge) -> Experience {
        Experience {
            records: Arc::new(Records::new()),
            corrections: Arc::new(Corrections::new(knowledge.unit)),
        }
    }
}

/// What the searches of one game keep for the next one, by thread. It is made when the first of them begins: most
/// games that are open somewhere are not searched just now.
#[derive(Clone, Default)]
pub struct Kept(Arc<Mutex<Vec<Lessons>>>);

/// What searches have learned, and what was found out about positions, which stays true as long as rules and
/// evaluation are the same.
#[derive(Clone)]
pub struct Lessons {
    /// What may be wrong elsewhere.
    pub experience: Arc<Experience>,
    pub(crate) facts: Arc<Facts>,
}

impl Lessons {
    /// Nothing was learned so far.
    pub(crate) fn new(knowledge: &Knowledge) -> Lessons {
        Lessons::shared(knowledge, None, None)
    }

    /// The same of which others have a part in common with the search that learns.
    #[must_use]
    pub fn shared(
        knowledge: &Knowledge,
        facts: Option<&Arc<Facts>>,
        experience: Option<&Arc<Experience>>,
    ) -> Lessons {
        Lessons {
            facts: facts.map_or_else(|| Arc::new(Facts::new()), Arc::clone),
            experience: experience.map_or_else(|| Arc::new(Experience::new(knowledge)), Arc::clone),
        }
    }

    /// The same for one of several threads.
    fn for_threads(knowledge: &Knowledge) -> Lessons {
        Lessons { facts: Arc::new(Facts::for_threads()), ..Lessons::new(knowledge) }
    }
}

impl Kept {
    /// All that was learned, if settings want it; otherwise what is true of positions alone.
    pub(crate) fn lessons(&self, knowledge: &Knowledge, heuristics: &Heuristics) -> Lessons {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.is_empty() {
            kept.push(Lessons::new(knowledge));
        }
        wanted(&kept[0], knowledge, heuristics)
    }

    /// The same for each of so many threads.
    #[must_use]
    pub fn of_threads(&self, knowledge: &Knowledge, heuristics: &Heuristics, threads: usize) -> Vec<Lessons> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        while kept.len() < threads {
            kept.push(Lessons::for_threads(knowledge));
        }
        kept[..threads].iter().map(|lessons| wanted(lessons, knowledge, heuristics)).collect()
    }
}

fn wanted(lessons: &Lessons, knowledge: &Knowledge, heuristics: &Heuristics) -> Lessons {
    let mut lessons = lessons.clone();
    if !heuristics.experience {
        lessons.experience = Arc::new(Experience::new(knowledge));
    }
    lessons
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_thread_keeps_its_own_lessons_from_search_to_search() {
        let (kept, knowledge) = (Kept::default(), Knowledge::default());
        let heuristics = Heuristics { experience: true, ..Heuristics::default() };
        let first = kept.of_threads(&knowledge, &heuristics, 2);
        let second = kept.of_threads(&knowledge, &heuristics, 3);
        assert!(!Arc::ptr_eq(&first[0].experience, &first[1].experience));
        assert!(
            first.iter().zip(&second).all(|(one, other)| Arc::ptr_eq(&one.experience, &other.experience))
        );
        // Who goes on alone is the first of them.
        assert!(Arc::ptr_eq(&kept.lessons(&knowledge, &heuristics).facts, &first[0].facts));
        let without = Heuristics { experience: false, ..heuristics };
        let third = kept.of_threads(&knowledge, &without, 2);
        assert!(Arc::ptr_eq(&third[1].facts, &first[1].facts));
        assert!(!Arc::ptr_eq(&third[1].experience, &first[1].experience));
    }
}
