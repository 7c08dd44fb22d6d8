//! UIDPABS, after Newborn: the moves of the root are dealt out once, and each processor deepens its own, in windows
//! of its own, without waiting for the others. An iteration is complete when all have come so far; its value is that
//! of the best move.

use fabric::ProcessorId;
use game::{Game, Move};
use search::guided::Prospect;
use search::watch::Interrupt;
use search::{Depth, Score, Window};

use super::job::{Answer, Job};
use super::plan::{Plan, Scout};

/// Some moves of the root.
struct Hand {
    moves: Vec<Move>,
    /// Which processor has them.
    holder: Option<ProcessorId>,
    /// The next depth that is to be given out.
    next: Depth,
    /// What they came to, by depth.
    found: Vec<(Depth, Answer)>,
}

pub(super) struct Uidpabs {
    processors: Vec<ProcessorId>,
    hands: Vec<Hand>,
    /// The iteration that is to be completed, and the last one.
    depth: Depth,
    last: Depth,
}

impl Uidpabs {
    pub(super) fn new(processors: Vec<ProcessorId>, last: Depth) -> Uidpabs {
        Uidpabs { processors, hands: Vec::new(), depth: Depth(0), last }
    }

    /// Deals the moves out, one to each in turn.
    fn deal<G: Game>(&mut self, scout: &mut Scout<'_, G>) -> Result<(), Interrupt> {
        let Prospect::Moves(moves) = scout.prospect(&[], self.depth)? else { return Ok(()) };
        let hand = |&holder: &ProcessorId| Hand {
            moves: Vec::new(),
            holder: Some(holder),
            next: self.depth,
            found: Vec::new(),
        };
        self.hands = self.processors.iter().take(moves.len()).map(hand).collect();
        let count = self.hands.len();
        for (number, played) in moves.into_iter().enumerate() {
            self.hands[number % count].moves.push(played);
        }
        Ok(())
    }
}

impl Hand {
    fn answer(&self, depth: Depth) -> Option<&Answer> {
        self.found.iter().find(|(known, _)| *known == depth).map(|(_, answer)| answer)
    }
}

impl<G: Game> Plan<G> for Uidpabs {
    fn begin(&mut self, depth: Depth, _: Score) {
        self.depth = depth;
        self.hands.iter_mut().for_each(|hand| hand.found.retain(|(known, _)| *known >= depth));
    }

    /// One depth is searched while the next one waits, so that none waits for the leader.
    fn ahead(&self) -> usize {
        2
    }

    fn deals(&self) -> bool {
        true
    }

    fn next(&mut self, to: ProcessorId, scout: &mut Scout<'_, G>) -> Result<Option<Job>, Interrupt> {
        if self.hands.is_empty() {
            self.deal(scout)?;
        }
        let last = self.last;
        let open = |hand: &Hand| hand.next <= last;
        let own = self.hands.iter().position(|hand| hand.holder == Some(to) && open(hand));
        // What the dead have left.
        let Some(index) =
            own.or_else(|| self.hands.iter().position(|hand| hand.holder.is_none() && open(hand)))
        else {
            return Ok(None);
        };
        let hand = &mut self.hands[index];
        hand.holder = Some(to);
        let depth = hand.next;
        hand.next = depth + 1;
        Ok(Some(Job { line: Vec::new(), only: hand.moves.clone(), window: Window::FULL, depth, tag: index }))
    }

    fn wants(&self, job: &Job) -> bool {
        job.depth >= self.depth
    }

    fn found(&mut self, job: &Job, answer: Answer) {
        self.hands[job.tag].found.push((job.depth, answer));
    }

    fn lost(&mut self, job: &Job) {
        let hand = &mut self.hands[job.tag];
        hand.next = hand.next.min(job.depth).max(self.depth);
    }

    fn gone(&mut self, processor: ProcessorId) {
        let held = self.hands.iter_mut().filter(|hand| hand.holder == Some(processor));
        held.for_each(|hand| hand.holder = None);
    }

    fn value(&self) -> Option<(Score, Vec<Move>)> {
        let answers: Option<Vec<&Answer>> = self.hands.iter().map(|hand| hand.answer(self.depth)).collect();
        // The first of the best.
        let best = answers?.into_iter().rev().max_by_key(|answer| answer.score)?;
        Some((best.score, best.line.clone()))
    }
}
