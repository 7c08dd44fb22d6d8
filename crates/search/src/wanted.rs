//! The table's move before all others: what the table knows by 24 bits is kept here with what it changes, so that the
//! rules can be asked for that one move, and nothing is generated where it is good enough.

use game::{Field, Game, MoveView, Signature};
use table::{MoveTag, Table};

use crate::company::Company;
use crate::node::{Best, Expanded, Node, Tried, Turn};
use crate::score::Score;
use crate::searcher::{Frame, Searcher};
use crate::watch::Interrupt;

const BITS: u32 = 15;
/// Moves that change more fields are not kept.
const FIELDS_MAX: usize = 4;

/// The best move of a position.
#[derive(Clone, Copy, Default)]
struct Kept {
    position: Signature,
    difference: Signature,
    fields: [Field; FIELDS_MAX],
    count: u8,
}

/// The best moves of positions that were searched lately; the last one of each place. There are no places before the
/// first move is kept: thousands of virtual processors need none.
pub(crate) struct Wanted(Box<[Kept]>);

fn slot(position: Signature) -> usize {
    (position.0.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - BITS)) as usize
}

impl Wanted {
    pub(crate) fn new() -> Wanted {
        Wanted(Box::default())
    }

    fn keep(&mut self, position: Signature, played: MoveView<'_>, board: usize) {
        let mut kept = Kept { position, difference: played.head.signature_difference, ..Kept::default() };
        for change in played.changes.iter().take_while(|change| change.slot() < board) {
            let Some(field) = kept.fields.get_mut(usize::from(kept.count)) else { return };
            *field = change.slot() as Field;
            kept.count += 1;
        }
        if self.0.is_empty() {
            self.0 = vec![Kept::default(); 1 << BITS].into();
        }
        self.0[slot(position)] = kept;
    }

    /// What the move with this tag changes, if it is kept.
    fn find(&self, position: Signature, tag: MoveTag) -> Option<Kept> {
        let kept = *self.0.get(slot(position))?;
        (kept.position == position && kept.count > 0 && MoveTag::of(kept.difference) == tag).then_some(kept)
    }
}

impl<G: Game, T: Table, C: Company<G::Position>> Searcher<'_, G, T, C> {
    /// Keeps the best move of the present position, so that it can be tried first another time.
    pub(crate) fn keep_best(&mut self, played: MoveView<'_>) {
        if self.heuristics.stages {
            self.wanted.keep(self.path.last().signature, played, self.game.info().geometry.fields());
        }
    }

    /// Puts the move that this tag stands for into a list, if it is known what it changes and it is legal.
    pub(crate) fn find_wanted(
        &mut self,
        position: &G::Position,
        tag: MoveTag,
        frame: &mut Frame,
    ) -> Result<bool, Interrupt> {
        let Some(kept) = self.wanted.find(self.path.last().signature, tag) else { return Ok(false) };
        let fields = &kept.fields[..usize::from(kept.count)];
        std::mem::swap(&mut frame.first.scratch, &mut self.scratch.scratch);
        let found = self.game.find_move(position, kept.difference, fields, &mut frame.first);
        std::mem::swap(&mut frame.first.scratch, &mut self.scratch.scratch);
        if !found? || self.path.can_forbid() && self.path.forbids(frame.first.get(0)) {
            frame.first.clear();
            return Ok(false);
        }
        Ok(true)
    }

    /// Tries the table's move before any other is generated. What came of it is left in the frame, unless it is enough.
    pub(crate) fn try_first(
        &mut self,
        node: &Node<'_, G::Position>,
        frame: &mut Frame,
    ) -> Result<Option<Expanded>, Interrupt> {
        frame.first_score = None;
        let alone = self.heuristics.stages
            && !frame.is_filled
            && node.ply > 0
            && node.arrival.excluded.is_none()
            // Who has one move only is looked at more closely, and that is rare elsewhere.
            && !node.arrival.threatened
            // Where more than a refutation is wanted, others may narrow the window meanwhile.
            && (!self.is_shared(node) || node.is_scouted());
        let Some(tag) = node.known.best.filter(|_| alone) else { return Ok(None) };
        if !self.find_wanted(node.position, tag, frame)? {
            return Ok(None);
        }
        let first = std::mem::take(&mut frame.first);
        let played = first.get(0);
        let alpha = node.window.alpha;
        let turn = Turn {
            played,
            tag,
            tried: 0,
            alpha,
            extension: 0,
            loss: None,
            only: false,
            only_test: false,
            open: false,
        };
        let tried = self.try_choice(node, turn, &mut false);
        let result = tried.map(|tried| {
            let (Tried::Scored(score) | Tried::Skipped(score)) = tried;
            frame.first_score = Some(score);
            (score >= node.window.beta).then(|| self.cut_by_first(node, played, score))
        });
        frame.first = first;
        result
    }

    fn cut_by_first(&mut self, node: &Node<'_, G::Position>, played: MoveView<'_>, score: Score) -> Expanded {
        self.statistics.cutoffs += 1;
        self.statistics.cutoffs_first += 1;
        self.statistics.cutoffs_alone += 1;
        self.improve(node, played, score);
        self.praise(node, played, true);
        let tag = Some(MoveTag::of(played.head.signature_difference));
        Expanded { best: Best { score, tag }, window: node.window, is_quiet: !played.head.forcing() }
    }
}

/// The score of a move, if it is the one that was tried first.
#[inline]
pub(crate) fn score_of_first(frame: &Frame, played: MoveView<'_>) -> Option<Score> {
    frame.first_score.filter(|_| frame.first.get(0).same_as(played))
}
