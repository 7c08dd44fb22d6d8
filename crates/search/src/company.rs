//! Who else works on a search.

use game::{Move, Signature};

use crate::depth::Depth;
use crate::desk::Desk;
use crate::line::{Assignment, Finding, NodeKind};
use crate::node::Arrival;
use crate::score::{Score, Window};
use crate::watch::Interrupt;

/// What a search asks of those who share out its work. Without company all of it compiles away.
pub trait Company<P> {
    /// Whether there is any.
    const SHARES: bool;

    /// Whether others search the same root beside this search, and tell each other where they are.
    const PEERS: bool = false;

    /// How deep a node is at least that peers tell each other of.
    fn depth_min(&self) -> Depth {
        Depth::MAX
    }

    /// The root is searched in this window to this depth from now on.
    fn begin_root(&mut self, window: Window, depth: Depth) {
        let _ = (window, depth);
    }

    /// What is to be searched next at the root by a peer that does not lead; `None` when the search is over.
    fn next_root(&mut self) -> Option<(Window, Depth)> {
        None
    }

    /// A node with this name is searched at a ply from now on; returns the name that was there before.
    fn enter(&mut self, ply: usize, name: u64) -> u64 {
        let _ = (ply, name);
        0
    }

    /// The search of a node is over, with this score and line if it was not left early; another one may be searched
    /// at its ply still.
    fn leave(&mut self, ply: usize, names: [u64; 2], found: Option<(Score, &[Move])>) {
        let _ = (ply, names, found);
    }

    /// A node with this name is worth more than was known: peers that are in it should begin it again.
    fn improve_beside(&mut self, ply: usize, name: u64) {
        let _ = (ply, name);
    }

    /// Called at every node of a peer.
    ///
    /// # Errors
    /// [`Interrupt::Cut`] when a peer knows what is being searched; [`Interrupt::Stopped`] when the root is another
    /// one.
    fn heed(&mut self) -> Result<(), Interrupt> {
        Ok(())
    }

    /// What a peer has found out lately about what has this name.
    fn result(&self, name: u64) -> Option<Score> {
        let _ = name;
        None
    }

    /// Tells peers what came of what has this name.
    fn put_result(&mut self, name: u64, score: Score) {
        let _ = (name, score);
    }

    /// What the node is worth that the search was just cut at, and its best line, move by move; `None` if it has to
    /// be searched again.
    fn found(&mut self) -> Option<(Score, Vec<Signature>)> {
        None
    }

    /// Whether brothers of a node that was reached in this way may be given away.
    fn shares(&self, arrival: &Arrival, depth: Depth) -> bool;

    /// Whether brothers are only tested at first, and the values of those that are better found one after the other.
    fn tests_first(&self) -> bool {
        false
    }

    /// Whether another processor searches this position right now, so that its brothers come first; its father is such
    /// a node, and this its place there.
    fn is_busy(&self, position: Signature, father: NodeKind, place: usize) -> bool {
        let _ = (position, father, place);
        false
    }

    /// The search of a position begins, or ends.
    fn mark(&mut self, position: Signature, begins: bool) {
        let _ = (position, begins);
    }

    /// The same as [`Company::is_busy`] among peers, for a move of a node at this ply.
    fn is_elsewhere(&self, ply: usize, name: u64, father: NodeKind, place: usize) -> bool {
        let _ = (ply, name, father, place);
        false
    }

    /// A move with this name is searched at a node of this ply from now on, or none if it is 0; returns the name that
    /// was there before.
    fn begin_move(&mut self, ply: usize, name: u64) -> u64 {
        let _ = (ply, name);
        0
    }

    /// Called at every node: serves those who have written.
    ///
    /// # Errors
    /// [`Interrupt::Cut`] when what is being searched is of no use any more.
    fn look(&mut self, desk: &mut Desk<'_, P>) -> Result<(), Interrupt>;

    /// The first move of a node is done with: those who have others may have waited for that.
    fn eldest_is_done(&mut self, desk: &mut Desk<'_, P>, ply: usize) {
        let _ = (desk, ply);
    }

    /// The first move of a node did not cut it. Returns when the others may be tried; true if that took time.
    ///
    /// # Errors
    /// As [`Company::look`].
    fn hold(&mut self, desk: &mut Desk<'_, P>, ply: usize) -> Result<bool, Interrupt> {
        let _ = (desk, ply);
        Ok(false)
    }

    /// A node is worth more than was known: those who work for it should know.
    fn improved(&mut self, desk: &mut Desk<'_, P>, ply: usize);

    /// All moves of a node are begun, and some of them by others. Waits until something happens; may return work from
    /// below that node to pass the time with, and is told what came of it by [`Company::report`].
    ///
    /// # Errors
    /// As [`Company::look`].
    fn wait(&mut self, desk: &mut Desk<'_, P>, ply: usize) -> Result<Option<Box<Assignment<P>>>, Interrupt>;

    /// What came of the last work that [`Company::wait`] gave; `None` if it was of no use any more.
    fn report(&mut self, finding: Option<Finding>);

    /// A node is left: who still works for it need not.
    fn close(&mut self, desk: &mut Desk<'_, P>, ply: usize);
}

/// No company.
#[derive(Clone, Copy, Default, Debug)]
pub struct Alone;

impl<P> Company<P> for Alone {
    const SHARES: bool = false;

    fn shares(&self, _: &Arrival, _: Depth) -> bool {
        false
    }

    fn look(&mut self, _: &mut Desk<'_, P>) -> Result<(), Interrupt> {
        Ok(())
    }

    fn improved(&mut self, _: &mut Desk<'_, P>, _: usize) {}

    fn wait(&mut self, _: &mut Desk<'_, P>, _: usize) -> Result<Option<Box<Assignment<P>>>, Interrupt> {
        Ok(None)
    }

    fn report(&mut self, _: Option<Finding>) {}

    fn close(&mut self, _: &mut Desk<'_, P>, _: usize) {}
}
