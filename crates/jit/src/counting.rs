//! Counting lines of play, and the moves of one position.

use game::moves::Scratch;
use game::perft::Tally;
use game::{Advance, Game, MoveList, Outcome, RuleFault, Stage};

use crate::compile::{Code, ENOUGH, Goal};
use crate::game::{Compiled, Image};
use crate::layout::{MOVER, SIGNATURE, slot};
use crate::runtime::{Callees, TOO_MUCH_MEMORY, Totals};

/// What became of a position.
pub(crate) enum Expanded {
    /// So many results, of which so many end the game.
    Children { results: u64, ended: u64 },
    /// The game was over.
    Finished,
    /// The children take too much memory, or cannot be had in this way.
    TooLarge,
}

/// Up to about so many lines are counted before it is asked whether to stop.
const LINES_AT_ONCE_MAX: f64 = 3e6;

/// After so many refusals compiled code is no longer asked to count lines by itself.
const REFUSALS_MAX: u32 = 16;

/// What counting lines of play needs.
struct Run {
    scratch: Scratch,
    /// Contexts for compiled code that counts lines by itself, one for each ply.
    contexts: Vec<u64>,
    /// How often it has refused to.
    refusals: u32,
}

impl<const WORDS: usize> Compiled<WORDS> {
    /// Counts lines of play from a position.
    pub(crate) fn count_lines(
        &self,
        position: &Image<WORDS>,
        depth: u32,
        tally: &mut Tally<'_>,
    ) -> Result<(), RuleFault> {
        let mut run = Run { scratch: Scratch::default(), contexts: Vec::new(), refusals: 0 };
        let mut buffers = vec![Vec::new(); depth as usize];
        self.below(&position.0, f64::INFINITY, &mut run, &mut buffers, tally)
    }

    /// Counts lines of play. `width`: how many moves there were before.
    fn below(
        &self,
        position: &[u64],
        width: f64,
        run: &mut Run,
        buffers: &mut [Vec<u64>],
        tally: &mut Tally<'_>,
    ) -> Result<(), RuleFault> {
        let Some((children, deeper)) = buffers.split_first_mut() else {
            tally.leaves += 1;
            return Ok(());
        };
        let depth = deeper.len() + 1;
        if depth > 2 && tally.should_stop() {
            return Ok(());
        }
        let is_small = depth <= 2 || width.powi(depth as i32) <= LINES_AT_ONCE_MAX;
        if is_small && self.walk(position, depth, run, tally) {
            return Ok(());
        }
        let is_last = deeper.is_empty();
        if is_last && tally.bulk {
            let count = self.count_results(position, &mut run.scratch, children)?;
            tally.leaves += count;
            tally.nodes += count;
            return Ok(());
        }
        let (results, ended) = match self.expand(position, &mut run.scratch, children, !is_last)? {
            Expanded::Children { results, ended } => (results, ended),
            Expanded::Finished => {
                tally.ended += 1;
                return Ok(());
            }
            Expanded::TooLarge => {
                *children = Vec::new();
                let image = self.image(position);
                return game::perft::count(self, &image, depth as u32, tally);
            }
        };
        let goes_on = self.program.info.players != 2;
        tally.nodes += results;
        tally.ended += if goes_on { 0 } else { ended };
        if is_last {
            tally.leaves += results;
            return Ok(());
        }
        let (words, record) = (self.code.layout.words, self.code.layout.record);
        let none = i64::from(i32::MIN) as u64;
        for child in children.chunks_exact(record) {
            if goes_on || child[words] == none {
                self.below(child, results as f64, run, deeper, tally)?;
            }
        }
        Ok(())
    }

    /// Counts lines of play without leaving compiled code; false if that cannot be done.
    fn walk(&self, position: &[u64], depth: usize, run: &mut Run, tally: &mut Tally<'_>) -> bool {
        let Some(code) = self.counting() else { return false };
        let mover = self.mover_of(position);
        let blocks = code.of(mover).blocks.as_ref();
        if let Some(totals) = blocks.and_then(|own| own.count(position, &code.layout, depth, tally.bulk)) {
            tally.leaves += totals.leaves;
            tally.nodes += totals.nodes;
            return true;
        }
        if !code.walks() || run.refusals >= REFUSALS_MAX {
            return false;
        }
        let words = code.context.stride();
        if run.contexts.len() < depth * words {
            run.contexts.resize(depth * words, 0);
        }
        let goal = if tally.bulk { Goal::Counted } else { Goal::Played };
        let callees = Callees { last: code.both(goal), walk: code.both(Goal::Walk) };
        let function = code.entry(if depth == 1 { goal } else { Goal::Walk }, mover);
        let mut image = self.image(position);
        let (mut heads, mut changes, mut children) = (Vec::new(), Vec::new(), Vec::new());
        let mut call = self.call(code, mover, &mut heads, &mut changes, &mut children);
        let mut totals = Totals::default();
        let status = call.walk(function, callees, &mut run.contexts, &mut image.0, depth, &mut totals);
        if status != 0 {
            run.refusals += 1;
            return false;
        }
        debug_assert!(image.0[..code.layout.words] == position[..code.layout.words]);
        tally.leaves += totals.leaves;
        tally.nodes += totals.nodes;
        tally.ended += totals.ended;
        true
    }

    /// Counts the legal moves and plays one of them; `None` and no change if compiled code cannot do that here.
    pub(crate) fn pick(
        &self,
        position: &mut Image<WORDS>,
        scratch: &mut MoveList,
        choose: &mut dyn FnMut(usize) -> usize,
    ) -> Option<Advance> {
        let picks = |code: &&Code| code.walks() && code.of(self.mover_of(&position.0)).picks;
        let code = self.picking().filter(picks)?;
        let (heads, changes, scratch) = scratch.buffers();
        self.context(scratch);
        let context = &mut scratch.words;
        context.resize(code.context.stride(), 0);
        let mover = self.mover_of(&position.0);
        let before = *position;
        let mut children = Vec::new();
        let mut call = self.call(code, mover, heads, changes, &mut children);
        let mut totals = Totals::default();
        let counted = call.walk(
            code.entry(Goal::Counted, mover),
            Callees::NONE,
            context,
            &mut position.0,
            1,
            &mut totals,
        );
        if counted != 0 || totals.leaves == 0 {
            *position = before;
            return None;
        }
        let wanted = choose(totals.leaves as usize);
        let picked = call.pick(code.entry(Goal::Pick, mover), context, &mut position.0, wanted as i64);
        if picked != ENOUGH {
            *position = before;
            return None;
        }
        let [outcome, irreversible] = [0, 1].map(|index| context[slot::PICKED / 8 + index]);
        Some(Advance::Moved {
            outcome: Outcome::from_code(outcome as i64 as i32),
            irreversible: irreversible != 0,
        })
    }

    /// Makes the positions after every legal move in `children`, records of `Layout::record` words. They may be
    /// overwritten by each other if the caller does not `keep` them.
    pub(crate) fn expand(
        &self,
        position: &[u64],
        scratch: &mut Scratch,
        children: &mut Vec<u64>,
        keep: bool,
    ) -> Result<Expanded, RuleFault> {
        let Some(code) = self.expanding() else { return Ok(Expanded::TooLarge) };
        let context = self.context(scratch);
        let mover = self.mover_of(position);
        let differ = code.differ(Goal::Children, mover);
        let keep = keep || !differ;
        context[slot::STRIDE / 8] = if keep { 8 * self.code.layout.record as u64 } else { 0 };
        let (mut heads, mut changes) = (Vec::new(), Vec::new());
        let mut call = self.call(code, mover, &mut heads, &mut changes, children);
        let status = call.run(code.entry(Goal::Children, mover), context, position);
        if status == TOO_MUCH_MEMORY {
            context[self.code.context.filter / 8..].fill(0);
            return Ok(Expanded::TooLarge);
        }
        if status != 0 {
            return Err(self.fault(code.of(mover), status, context, &self.image(position)));
        }
        let record = self.code.layout.record;
        let results = if differ {
            context[slot::COUNTED / 8]
        } else {
            call.clear_filter_of_children(context, record, position[SIGNATURE / 8]);
            u64::from(children.len() as u32 / record as u32)
        };
        let (mut ended, mut verdicts) = (context[slot::ENDED / 8], context[slot::VERDICTS / 8]);
        if context[slot::UNSURE / 8] != 0 {
            if !keep {
                return self.expand(position, scratch, children, true);
            }
            (ended, verdicts) = self.endings(position, children);
        }
        if results == verdicts {
            children.clear();
            return if results > 0 {
                Ok(Expanded::Finished)
            } else {
                Err(self.no_moves(&self.image(position)))
            };
        }
        Ok(Expanded::Children { results, ended })
    }

    /// How many children end the game, and how many of those are the same position.
    fn endings(&self, position: &[u64], children: &[u64]) -> (u64, u64) {
        let words = self.code.layout.words;
        let none = i64::from(i32::MIN) as u64;
        let turn = if self.program.info.players == 2 { 1 } else { 0 };
        let is_same = |child: &[u64]| {
            child[2..words] == position[2..words] && child[MOVER / 8] ^ turn == position[MOVER / 8]
        };
        let ending = || children.chunks_exact(self.code.layout.record).filter(|child| child[words] != none);
        (ending().count() as u64, ending().filter(|child| is_same(child)).count() as u64)
    }

    /// How many legal moves there are; 0 when the position is finished.
    pub(crate) fn count_results(
        &self,
        position: &[u64],
        scratch: &mut Scratch,
        buffer: &mut Vec<u64>,
    ) -> Result<u64, RuleFault> {
        let Some(code) = self.counting() else { return self.count_children(position, scratch, buffer) };
        let mover = self.mover_of(position);
        let (mut heads, mut changes) = (Vec::new(), Vec::new());
        let mut call = self.call(code, mover, &mut heads, &mut changes, buffer);
        if code.walks() {
            self.context(scratch);
            let context = &mut scratch.words;
            context.resize(code.context.stride(), 0);
            let function = code.entry(Goal::Counted, mover);
            let (mut image, mut totals) = (self.image(position), Totals::default());
            let status = call.walk(function, Callees::NONE, context, &mut image.0, 1, &mut totals);
            return match status {
                0 => Ok(totals.leaves),
                _ => self.count_children(position, scratch, buffer),
            };
        }
        let context = self.context(scratch);
        let status = call.run(code.entry(Goal::Count, mover), context, position);
        if status != 0 && status != TOO_MUCH_MEMORY {
            return Err(self.fault(code.of(mover), status, context, &self.image(position)));
        }
        call.clear_filter_of_children(context, 1, 0);
        let (counted, verdicts) = (context[slot::COUNTED / 8], context[slot::VERDICTS / 8]);
        let is_sure = context[slot::UNSURE / 8] == 0 && status == 0;
        if is_sure && counted > verdicts && counted <= rules::limits::RESULTS_MAX as u64 {
            return Ok(counted);
        }
        self.count_children(position, scratch, buffer)
    }

    fn count_children(
        &self,
        position: &[u64],
        scratch: &mut Scratch,
        buffer: &mut Vec<u64>,
    ) -> Result<u64, RuleFault> {
        match self.expand(position, scratch, buffer, true)? {
            Expanded::Children { results, .. } => Ok(results),
            Expanded::Finished => Ok(0),
            Expanded::TooLarge => {
                *buffer = Vec::new();
                let mut moves = MoveList::new();
                self.generate(&self.image(position), Stage::All, &mut moves)?;
                Ok(moves.len() as u64)
            }
        }
    }
}
