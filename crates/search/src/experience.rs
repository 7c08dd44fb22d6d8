//! What searches learn on their way about moves and estimates. A search has its own, or several that work on one question have
//! one together: what one of them has found out, the others need not.

use std::sync::Arc;

use crate::corrections::Corrections;
use crate::knowledge::Knowledge;
use crate::memory::Records;

/// Which moves were good, and how far estimates were wrong.
pub struct Experience {
    pub(crate) records: Arc<Records>,
    pub(crate) corrections: Corrections,
}

impl Experience {
    /// Nothing was learned so far.
    #[must_use]
    pub fn new(knowledge: &Knowledge) -> Experience {
        Experience { records: Arc::new(Records::new()), corrections: Corrections::new(knowledge.unit) }
    }
}
