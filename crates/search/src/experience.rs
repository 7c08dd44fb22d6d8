//! What searches learn on their way about moves and estimates. A search has its own, or several that work on one question have
//! one together: what one of them has found out, the others need not.

use std::sync::{Arc, OnceLock};

use crate::corrections::Corrections;
use crate::facts::Facts;
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

/// What the searches of one game keep for the next one. It is made when the first of them begins: most games that are open
/// somewhere are not searched just now.
#[derive(Clone, Default)]
pub struct Kept(Arc<OnceLock<Lessons>>);

/// What searches have learned, and what was found out about positions, which stays true as long as rules and evaluation are
/// the same.
#[derive(Clone)]
pub(crate) struct Lessons {
    pub(crate) experience: Arc<Experience>,
    pub(crate) facts: Arc<Facts>,
}

impl Lessons {
    /// Nothing was learned so far.
    pub(crate) fn new(knowledge: &Knowledge) -> Lessons {
        Lessons { experience: Arc::new(Experience::new(knowledge)), facts: Arc::new(Facts::new()) }
    }
}

impl Kept {
    /// All that was learned.
    pub(crate) fn lessons(&self, knowledge: &Knowledge) -> Lessons {
        self.0.get_or_init(|| Lessons::new(knowledge)).clone()
    }

    /// What is true of positions alone.
    pub(crate) fn facts_alone(&self, knowledge: &Knowledge) -> Lessons {
        Lessons { experience: Arc::new(Experience::new(knowledge)), ..self.lessons(knowledge) }
    }
}
