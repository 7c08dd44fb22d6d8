//! The line of play from the start of the game to the present node, for repetitions.

use game::{Game, History, MoveList, MoveView, Outcome, Recurrence, Repetition, RepetitionResult, Signature};

use crate::depth::Depth;
use crate::root::Root;

/// A position on the line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    /// Its signature.
    pub signature: Signature,
    /// The signature by which the position would be known again, whatever its counters say.
    pub recurring: Signature,
    /// The sum of the hashed signatures of the earlier positions that could recur.
    pub earlier: u64,
    /// Plies until one of them could be one too many; `i32::MAX` for never.
    pub repeats_within: i32,
    /// Whether no earlier position can come again.
    pub irreversible: bool,
}

impl Step {
    /// Whether the rule about repetitions could strike an earlier position within so many plies.
    pub(crate) fn may_repeat_within(&self, depth: Depth) -> bool {
        depth.0 >= self.repeats_within
    }

    /// A fingerprint of the earlier positions that could recur.
    pub(crate) fn digest(&self) -> Signature {
        Signature(hash(self.earlier))
    }
}

fn hash(bits: u64) -> u64 {
    let bits = (bits ^ (bits >> 31)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits ^ (bits >> 29)
}

/// The line of play.
pub(crate) struct Path {
    history: History,
    steps: Vec<Step>,
    /// What the irreversible moves since the root have changed, for each position: what will not change back.
    lasting: Vec<Signature>,
    rule: Repetition,
    recurrence: Recurrence,
    deepest: usize,
}

impl Path {
    /// A line that ends at the root. What came before the root is the same for the whole search.
    pub(crate) fn new<G: Game>(game: &G, root: &Root<G>) -> Path {
        let (rule, history) = (game.info().repetition, root.history.clone());
        let recurrence = Recurrence::of(game.info());
        let recurring = recurrence.signature(&game.unpack(&root.position));
        let before = history.len() as u64 - 1;
        let counts = before > 0 && rule.result != RepetitionResult::Ignored;
        let earlier = if counts { hash(recurring.0 ^ before) } else { 0 };
        let repeats_within = if counts { 1 } else { i32::MAX };
        let signature = game.signature(&root.position);
        let steps = vec![Step { signature, recurring, earlier, repeats_within, irreversible: false }];
        Path { history, steps, lasting: vec![Signature::default()], rule, recurrence, deepest: 0 }
    }

    /// The same line with the steps that another processor took from the root.
    pub(crate) fn follow(mut self, steps: &[Step]) -> Path {
        steps.iter().for_each(|&step| self.add(step));
        self
    }

    /// The steps from the root to a ply.
    pub(crate) fn steps_to(&self, ply: usize) -> &[Step] {
        &self.steps[1..=ply]
    }

    pub(crate) fn ply(&self) -> usize {
        self.steps.len() - 1
    }

    /// The longest line since [`Path::forget_deepest`], in plies from the root.
    pub(crate) fn deepest(&self) -> usize {
        self.deepest
    }

    /// Begins to look for the longest line anew.
    pub(crate) fn forget_deepest(&mut self) {
        self.deepest = 0;
    }

    #[inline]
    pub(crate) fn last(&self) -> &Step {
        self.steps.last().expect("the root is always there")
    }

    /// The step that a move would add.
    #[inline]
    pub(crate) fn child(&self, played: MoveView<'_>) -> Step {
        let parent = self.last();
        let signature = parent.signature ^ played.head.signature_difference;
        self.step(signature, self.after(played), played.head.irreversible())
    }

    /// The signature by which the position after a move would be known again.
    #[inline]
    fn after(&self, played: MoveView<'_>) -> Signature {
        self.last().recurring ^ self.recurrence.difference(played)
    }

    #[inline]
    fn step(&self, signature: Signature, recurring: Signature, irreversible: bool) -> Step {
        if irreversible || self.rule.result == RepetitionResult::Ignored {
            return Step { signature, recurring, earlier: 0, repeats_within: i32::MAX, irreversible };
        }
        let parent = self.last();
        let earlier = parent.earlier.wrapping_add(hash(parent.recurring.0));
        // A position that occurred once needs `occurrences - 1` more visits, two plies apart at least. Once
        // something has occurred twice, anything is possible.
        let again = self.steps.iter().any(|step| step.recurring == recurring);
        let usual = 2 * self.rule.occurrences.min(1000) as i32 - 3;
        let repeats_within = if again { 1 } else { usual.min(parent.repeats_within).max(1) };
        Step { signature, recurring, earlier, repeats_within, irreversible }
    }

    /// Goes on with a move.
    #[inline]
    pub(crate) fn push(&mut self, played: MoveView<'_>) {
        let step = self.child(played);
        self.add(step);
    }

    /// Goes on as if the mover had done nothing; what came before does not come again.
    pub(crate) fn push_pass(&mut self, signature: Signature) {
        let change = self.last().signature ^ signature;
        let step = self.step(signature, self.last().recurring ^ change, true);
        let lasting = self.lasting();
        self.add(step);
        // Nothing on the board has changed.
        self.lasting[self.steps.len() - 1] = lasting;
    }

    /// What the last move has changed; nothing at the root.
    pub(crate) fn last_change(&self) -> Signature {
        match self.steps.as_slice() {
            [.., before, last] => before.signature ^ last.signature,
            _ => Signature::default(),
        }
    }

    /// What the irreversible moves since the root have changed.
    pub(crate) fn lasting(&self) -> Signature {
        self.lasting[self.steps.len() - 1]
    }

    fn add(&mut self, step: Step) {
        let change =
            if step.irreversible { self.last().signature ^ step.signature } else { Signature::default() };
        self.lasting.push(self.lasting() ^ change);
        self.steps.push(step);
        self.deepest = self.deepest.max(self.steps.len() - 1);
        self.history.push(step.recurring, step.irreversible);
    }

    #[inline]
    pub(crate) fn pop(&mut self) {
        self.steps.pop();
        self.lasting.pop();
        self.history.pop();
    }

    /// What the rule says about the present position, seen by the player who brought it about. With `early`, one
    /// earlier occurrence below the root is enough.
    pub(crate) fn repetition(&self, early: bool) -> Option<RepetitionResult> {
        if matches!(self.rule.result, RepetitionResult::Ignored | RepetitionResult::Forbidden) {
            return None;
        }
        let occurrences = self.history.occurrences();
        if occurrences < 2 {
            return None;
        }
        let in_tree = || {
            let (present, earlier) = self.steps.split_last().expect("the root is always there");
            earlier.iter().any(|step| step.recurring == present.recurring)
        };
        (occurrences >= self.rule.occurrences || early && in_tree()).then_some(self.rule.result)
    }

    /// Whether a move is not legal because it repeats a position.
    pub(crate) fn forbids(&mut self, played: MoveView<'_>) -> bool {
        self.rule.result == RepetitionResult::Forbidden
            && self.occurrences_after(played) >= self.rule.occurrences
    }

    /// How often the position after a move would have occurred.
    fn occurrences_after(&mut self, played: MoveView<'_>) -> u32 {
        let recurring = self.after(played);
        self.history.push(recurring, played.head.irreversible());
        let occurrences = self.history.occurrences();
        self.history.pop();
        occurrences
    }

    /// Takes out the moves that repeat a position where that is not legal; who has none left has lost.
    pub(crate) fn take_out_forbidden(&mut self, moves: &mut MoveList) -> Option<Outcome> {
        if !self.can_forbid() {
            return None;
        }
        let before = moves.len();
        moves.retain(|played| !self.forbids(played));
        (before > 0 && moves.is_empty()).then_some(Outcome::Loss)
    }

    /// Whether moves may be forbidden.
    pub(crate) fn can_forbid(&self) -> bool {
        self.rule.result == RepetitionResult::Forbidden
    }

    /// Whether the position after a move would be one of this line again: of the tree, or often enough of
    /// the game before it.
    pub(crate) fn repeats(&mut self, played: MoveView<'_>) -> bool {
        if played.head.irreversible() {
            return false;
        }
        let occurrences = self.occurrences_after(played);
        if occurrences < 2 {
            return false;
        }
        let recurring = self.after(played);
        let in_tree = self.steps.iter().any(|step| step.recurring == recurring);
        in_tree || occurrences >= self.rule.occurrences && self.rule.result != RepetitionResult::Ignored
    }
}
