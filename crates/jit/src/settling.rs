//! What the last moves of a game are worth: calls of machine code that follows all lines by itself.

use std::cell::RefCell;

use game::Settled;

use crate::compile::{Code, Goal};
use crate::game::{Compiled, Image};
use crate::runtime::{Settling, worth_of};

/// Larger trees are better searched with tables and a better order of moves.
pub(crate) const NODES: u64 = 400;

thread_local! {
    /// The contexts of the game that was asked last on this thread.
    static SETTLING: RefCell<Settling> = RefCell::default();
}

impl<const WORDS: usize> Compiled<WORDS> {
    pub(crate) fn settle_lines(&self, position: &Image<WORDS>, at_least: i64, nodes_max: u64) -> Settled {
        let Some(code) = self.settling() else { return Settled::default() };
        let mut image = *position;
        let mover = self.mover_of(&image.0);
        SETTLING.with_borrow_mut(|settling| {
            settling.become_of(self.owner, code);
            let function = code.entry(Goal::Settle, mover);
            let nodes_max = nodes_max.min(i64::MAX as u64) as i64;
            let (returned, left) = settling.run(code, function, &mut image.0, at_least, nodes_max);
            let nodes = (nodes_max - left.max(0)) as u64;
            let worth = worth_of(returned);
            if worth.is_none() {
                settling.recover(code);
            }
            debug_assert!(worth.is_none() || image == *position, "moves are taken back");
            Settled { worth, nodes }
        })
    }
}

impl Code {
    /// What settling code calls for the next ply.
    pub(crate) fn settling_entries(&self) -> [*const u8; 2] {
        self.both(Goal::Settle)
    }
}
