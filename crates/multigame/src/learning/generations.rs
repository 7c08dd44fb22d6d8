//! What learners of networks and of policies have in common: they go on generation by generation until it is time to
//! stop.

use std::time::Instant;

use anyhow::Result;

use super::Row;
use super::state::State;
use crate::interrupt;

/// When learning ends, if Ctrl-C does not end it before.
#[derive(Clone, Copy)]
pub(crate) struct Span {
    /// How many generations are learned at most.
    pub(crate) generations: Option<u32>,
    pub(crate) end: Option<Instant>,
}

impl Span {
    /// Whether it is time to stop, in the middle of a generation as well.
    pub(super) fn is_over(&self) -> bool {
        interrupt::requested() || self.end.is_some_and(|end| Instant::now() >= end)
    }
}

/// A learner: each generation plays, trains and tests.
pub(crate) trait Generations {
    /// When it ends.
    fn span(&self) -> Span;

    /// How far it has come.
    fn state(&self) -> &State;

    /// Does one of the three, or as much of it as there is time for; a test that came to its end has a result.
    ///
    /// # Errors
    /// When files cannot be written or the rules go wrong.
    fn step(&mut self) -> Result<Option<Row>>;

    /// Learns until it is time to stop; `heard` is told of each generation.
    ///
    /// # Errors
    /// Those of [`Generations::step`] and of `heard`.
    fn run(&mut self, heard: &mut dyn FnMut(&Row) -> Result<()>) -> Result<()> {
        let span = self.span();
        while !span.is_over() && span.generations.is_none_or(|most| self.state().generation < most) {
            if let Some(row) = self.step()? {
                heard(&row)?;
            }
        }
        Ok(())
    }

    /// The generation that is being learned, and the best one.
    fn standing(&self) -> (u32, Option<u32>) {
        (self.state().generation, self.state().best)
    }
}
