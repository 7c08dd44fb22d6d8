//! The line of play from the start of the game to the present node, for repetitions.

use game::{History, MoveView, Repetition, RepetitionResult, Signature};

use crate::depth::Depth;

/// A position on the line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    pub(crate) signature: Signature,
    /// The sum of the hashed signatures of the earlier positions that could recur.
    earlier: u64,
    /// Plies until one of them could be one too many; `i32::MAX` for never.
    repeats_within: i32,
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
    rule: Repetition,
    deepest: usize,
}

impl Path {
    /// A line that ends at the root. What came before the root is the same for the whole search.
    pub(crate) fn new(history: History, root: Signature, rule: Repetition) -> Path {
        let before = history.len() as u64 - 1;
        let counts = before > 0 && rule.result != RepetitionResult::Ignored;
        let earlier = if counts { hash(root.0 ^ before) } else { 0 };
        let repeats_within = if counts { 1 } else { i32::MAX };
        Path { history, steps: vec![Step { signature: root, earlier, repeats_within }], rule, deepest: 0 }
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

    pub(crate) fn last(&self) -> &Step {
        self.steps.last().expect("the root is always there")
    }

    /// The step that a move would add.
    pub(crate) fn child(&self, played: MoveView<'_>) -> Step {
        let parent = self.last();
        let signature = parent.signature ^ played.head.signature_difference;
        self.step(signature, played.head.irreversible())
    }

    fn step(&self, signature: Signature, irreversible: bool) -> Step {
        if irreversible || self.rule.result == RepetitionResult::Ignored {
            return Step { signature, earlier: 0, repeats_within: i32::MAX };
        }
        let parent = self.last();
        let earlier = parent.earlier.wrapping_add(hash(parent.signature.0));
        // A position that occurred once needs `occurrences - 1` more visits, two plies apart at least. Once
        // something has occurred twice, anything is possible.
        let again = self.steps.iter().any(|step| step.signature == signature);
        let usual = 2 * self.rule.occurrences.min(1000) as i32 - 3;
        let repeats_within = if again { 1 } else { usual.min(parent.repeats_within).max(1) };
        Step { signature, earlier, repeats_within }
    }

    pub(crate) fn push(&mut self, signature: Signature, irreversible: bool) {
        let step = self.step(signature, irreversible);
        self.steps.push(step);
        self.deepest = self.deepest.max(self.steps.len() - 1);
        self.history.push(signature, irreversible);
    }

    pub(crate) fn pop(&mut self) {
        self.steps.pop();
        self.history.pop();
    }

    /// What the rule says about the present position, seen by whoever brought it about. With `early`, one
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
            earlier.iter().any(|step| step.signature == present.signature)
        };
        (occurrences >= self.rule.occurrences || early && in_tree()).then_some(self.rule.result)
    }

    /// Whether a move is not legal because it repeats a position.
    pub(crate) fn forbids(&mut self, played: MoveView<'_>) -> bool {
        if self.rule.result != RepetitionResult::Forbidden {
            return false;
        }
        let signature = self.last().signature ^ played.head.signature_difference;
        self.history.push(signature, played.head.irreversible());
        let occurrences = self.history.occurrences();
        self.history.pop();
        occurrences >= self.rule.occurrences
    }

    /// Whether moves may be forbidden.
    pub(crate) fn can_forbid(&self) -> bool {
        self.rule.result == RepetitionResult::Forbidden
    }

    /// Whether a position that is reached now would be one of this line again: of the tree, or often enough of
    /// the game before it.
    pub(crate) fn repeats(&mut self, signature: Signature, irreversible: bool) -> bool {
        if irreversible {
            return false;
        }
        if self.steps.iter().any(|step| step.signature == signature) {
            return true;
        }
        self.history.push(signature, irreversible);
        let occurrences = self.history.occurrences();
        self.history.pop();
        occurrences >= self.rule.occurrences && self.rule.result != RepetitionResult::Ignored
    }
}
