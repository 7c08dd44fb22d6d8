//! A search of one root position: what it holds, and the steps that all engines share.

use std::sync::Arc;
use std::time::Duration;

use game::moves::MoveHead;
use game::{
    Colour, Game, Move, MoveList, MoveView, Outcome, PieceCode, RepetitionResult, Signature, Stage, Watched,
};
use table::{MoveTag, Table};

use crate::company::{Alone, Company};
use crate::depth::Depth;
use crate::engine::{Engine, Settings};
use crate::experience::{Experience, Lessons};
use crate::facts::Facts;
use crate::heuristics::Heuristics;
use crate::knowledge::Knowledge;
use crate::limits::{Clock, Control, Limits};
use crate::line::Line;
use crate::memory::{MoveMemory, PLY_MAX};
use crate::ordering::Order;
use crate::path::Path;
use crate::peers::Later;
use crate::root::Root;
use crate::score::Score;
use crate::statistics::Statistics;
use crate::wanted::Wanted;
use crate::watch::{Interrupt, Watch};

/// Logarithms that are kept.
const LOGARITHMS: usize = 128;

/// Lists of one ply, used again and again.
#[derive(Default)]
pub(crate) struct Frame {
    pub(crate) moves: MoveList,
    pub(crate) order: Order,
    /// Whether the moves are those of the present node.
    pub(crate) is_filled: bool,
    /// Whether quiet moves were left out that are not to be tried.
    pub(crate) is_partial: bool,
    /// The move that was tried before the others were generated.
    pub(crate) first: MoveList,
    /// What it is worth, if one was.
    pub(crate) first_score: Option<Score>,
    /// Moves that a peer searches right now.
    pub(crate) later: Vec<Later>,
}

/// How many nodes the moves of the root took.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Effort {
    pub(crate) best: u64,
    pub(crate) all: u64,
}

/// A full-width search. It has no threads and no globals: others may run several beside each other on one
/// table, stop them, or give them narrower windows.
pub struct Searcher<'search, G: Game, T: Table, C: Company<G::Position> = Alone> {
    pub(crate) game: &'search G,
    pub(crate) table: &'search T,
    pub(crate) knowledge: &'search Knowledge,
    pub(crate) heuristics: Heuristics,
    /// Whether brothers of the first move are searched with a null window first.
    pub(crate) scout: bool,
    pub(crate) root: &'search Root<G>,
    pub(crate) root_best: Option<(Move, Score)>,
    /// Nodes of the last search of the root, and those of them that its best move took.
    pub(crate) root_effort: Effort,
    /// Nodes that may still be looked at behind the horizon of the present leaf.
    pub(crate) quiet_nodes_left: u32,
    pub(crate) root_depth: i32,
    pub(crate) watch: Watch<'search>,
    pub(crate) statistics: Statistics,
    pub(crate) path: Path,
    pub(crate) memory: MoveMemory,
    pub(crate) experience: Arc<Experience>,
    /// Those of others who learn from this search, and from which depth on.
    pub(crate) others: Vec<Arc<Experience>>,
    pub(crate) told_depth: Depth,
    pub(crate) wanted: Wanted,
    /// For questions about positions.
    pub(crate) scratch: MoveList,
    pub(crate) facts: Arc<Facts>,
    /// The pieces of each colour that are never captured.
    pub(crate) royals: [Vec<PieceCode>; 2],
    /// The pieces of each colour that can wait.
    pub(crate) waiting: [Vec<PieceCode>; 2],
    /// Whether the game itself says who is threatened.
    pub(crate) has_quick_threats: bool,
    /// What threats of moves from the positions on the line depend on, by ply, with the signature that it was found
    /// for.
    pub(crate) watched: Vec<(Option<Signature>, Watched)>,
    /// Whether the game can tell that.
    pub(crate) has_watches: bool,
    /// The natural logarithms of small numbers.
    pub(crate) logarithms: Vec<f32>,
    /// The estimates of the positions on the line, by ply.
    pub(crate) standing: Vec<Option<Score>>,
    /// The best line from each ply on.
    pub(crate) lines: Vec<Vec<Move>>,
    frames: Vec<Frame>,
    /// Who else works on this search.
    pub(crate) company: C,
    /// The nodes that may be shared.
    pub(crate) line: Line<G::Position>,
}

impl<'search, G: Game, T: Table, C: Company<G::Position>> Searcher<'search, G, T, C> {
    /// A search that is ready to begin.
    pub fn new(
        game: &'search G,
        root: &'search Root<G>,
        settings: &Settings,
        table: &'search T,
        knowledge: &'search Knowledge,
        watch: Watch<'search>,
        company: C,
    ) -> Searcher<'search, G, T, C> {
        let lessons = Lessons::new(knowledge);
        Searcher::keeping(game, root, settings, table, knowledge, watch, company, lessons)
    }

    /// The same with what earlier searches have learned.
    #[expect(clippy::too_many_arguments, reason = "what a search is about, and what it works with")]
    pub fn keeping(
        game: &'search G,
        root: &'search Root<G>,
        settings: &Settings,
        table: &'search T,
        knowledge: &'search Knowledge,
        watch: Watch<'search>,
        company: C,
        lessons: Lessons,
    ) -> Searcher<'search, G, T, C> {
        let Lessons { experience, facts } = lessons;
        Searcher {
            game,
            table,
            knowledge,
            heuristics: match knowledge.has_royals() {
                true => settings.heuristics,
                false => settings.heuristics.without_royals(),
            },
            scout: settings.engine != Engine::AlphaBeta,
            root,
            root_best: None,
            root_effort: Effort::default(),
            quiet_nodes_left: 0,
            root_depth: 0,
            watch,
            statistics: Statistics::default(),
            path: Path::new(game, root),
            memory: MoveMemory::new(Arc::clone(&experience.records)),
            experience,
            others: Vec::new(),
            told_depth: Depth(i32::MAX),
            wanted: Wanted::new(),
            scratch: MoveList::new(),
            facts,
            has_quick_threats: game.is_threatened(&root.position).is_some(),
            royals: Colour::BOTH.map(|colour| knowledge.royals(game.info(), colour)),
            waiting: Colour::BOTH.map(|colour| knowledge.waiting(game.info(), colour)),
            watched: vec![Default::default(); PLY_MAX + 1],
            has_watches: game.watch_threats(&root.position, &mut Watched::default()),
            logarithms: (0..LOGARITHMS).map(|number| (number as f32).ln()).collect(),
            standing: vec![None; PLY_MAX + 1],
            lines: vec![Vec::new(); PLY_MAX + 1],
            frames: (0..PLY_MAX + 1).map(|_| Frame::default()).collect(),
            company,
            line: Line::new(),
        }
    }

    /// The counts so far.
    #[must_use]
    pub fn statistics(&self) -> Statistics {
        Statistics { nodes: self.watch.nodes(), ..self.statistics }
    }

    /// The same; others are told what searches of at least this depth have taught it.
    #[must_use]
    pub fn telling(self, others: Vec<Arc<Experience>>, told_depth: Depth) -> Searcher<'search, G, T, C> {
        let records = others.iter().map(|other| Arc::clone(&other.records)).collect();
        Searcher { memory: self.memory.telling(records, told_depth), others, told_depth, ..self }
    }

    /// Goes by the limits of a leader who is gone: this search leads in its place. The clock runs since the other one
    /// began.
    pub fn take_over(
        &mut self,
        limits: &Limits,
        control: &'search Control,
        clock: &'search dyn Clock,
        began: Duration,
    ) {
        self.watch.take_over(limits, control, clock, began);
    }

    /// Who else works on this search.
    pub fn company(&mut self) -> &mut C {
        &mut self.company
    }

    /// Takes the lists of the present ply; give them back with [`Searcher::return_frame`].
    pub(crate) fn take_frame(&mut self, ply: usize) -> Frame {
        std::mem::take(&mut self.frames[ply])
    }

    pub(crate) fn return_frame(&mut self, ply: usize, frame: Frame) {
        self.frames[ply] = frame;
    }

    /// The legal moves, as far as the root allows and the rule about repetitions does.
    pub(crate) fn generate(
        &mut self,
        position: &G::Position,
        stage: Stage,
        moves: &mut MoveList,
    ) -> Result<Option<Outcome>, Interrupt> {
        self.statistics.generations += 1;
        // One memory for all lists stays near.
        std::mem::swap(&mut moves.scratch, &mut self.scratch.scratch);
        let result = self.game.generate(position, stage, moves);
        std::mem::swap(&mut moves.scratch, &mut self.scratch.scratch);
        match result? {
            Some(outcome) => Ok(Some(outcome)),
            None => Ok(self.allow(stage, moves)),
        }
    }

    /// The same without most of the quiet moves that change none of these fields; without any of them if there are no
    /// fields.
    pub(crate) fn generate_sharp(
        &mut self,
        position: &G::Position,
        fields: u128,
        moves: &mut MoveList,
    ) -> Result<Option<Outcome>, Interrupt> {
        self.statistics.generations += 1;
        std::mem::swap(&mut moves.scratch, &mut self.scratch.scratch);
        let result = self.game.generate_sharp(position, fields, moves);
        std::mem::swap(&mut moves.scratch, &mut self.scratch.scratch);
        match result? {
            Some(outcome) => Ok(Some(outcome)),
            None => Ok(self.allow(Stage::Forcing, moves)),
        }
    }

    /// Takes out the moves that the root or the rule about repetitions does not allow.
    fn allow(&mut self, stage: Stage, moves: &mut MoveList) -> Option<Outcome> {
        let lost = self.path.take_out_forbidden(moves);
        // Where only some of the moves were asked for, there may be others.
        if lost.is_some() && stage == Stage::All {
            return lost;
        }
        if self.path.ply() == 0 && !self.root.only.is_empty() {
            let only = &self.root.only;
            moves.retain(|played| only.iter().any(|wanted| wanted.view().same_as(played)));
        }
        None
    }

    /// The position after a move; the line goes on to it.
    pub(crate) fn enter(&mut self, position: &G::Position, played: MoveView<'_>) -> G::Position {
        self.path.push(played);
        self.facts.touch(self.path.last().signature);
        if self.heuristics.table_leaves {
            self.table.touch_for(self.table_key(Depth(0)), Depth(0).stored());
        }
        let mut child = position.clone();
        self.game.play(&mut child, played);
        child
    }

    /// The same, and what the table knows of it for a search to this depth is looked for while the position is made.
    pub(crate) fn enter_asking(
        &mut self,
        position: &G::Position,
        played: MoveView<'_>,
        depth: Depth,
    ) -> G::Position {
        self.path.push(played);
        self.facts.touch(self.path.last().signature);
        if if depth.is_leaf() { self.heuristics.table_leaves } else { self.heuristics.table } {
            let depth = depth.max(Depth(0));
            self.table.touch_for(self.table_key(depth), depth.stored());
        }
        let mut child = position.clone();
        self.game.play(&mut child, played);
        child
    }

    /// The line goes back to the parent.
    pub(crate) fn leave(&mut self) {
        self.path.pop();
    }

    /// The position with the turn passed, if the game knows how.
    pub(crate) fn pass(&mut self, position: &G::Position) -> Option<G::Position> {
        let mut child = position.clone();
        if !self.game.pass(&mut child) {
            return None;
        }
        self.path.push_pass(self.game.signature(&child));
        Some(child)
    }

    /// The score of a node that repeats an earlier position.
    pub(crate) fn repetition(&mut self) -> Option<Score> {
        let ply = self.path.ply();
        if ply == 0 {
            return None;
        }
        let outcome = match self.path.repetition(self.heuristics.early_repetition)? {
            RepetitionResult::Win => Outcome::Loss,
            RepetitionResult::Loss => Outcome::Win,
            _ => Outcome::Draw,
        };
        self.statistics.repetitions += 1;
        Some(Score::of_outcome(outcome, ply))
    }

    pub(crate) fn evaluate(&mut self, position: &G::Position) -> Result<Score, Interrupt> {
        let signature = self.game.signature(position);
        if let Some(estimate) = self.facts.estimate(signature) {
            return Ok(Score::estimate(estimate));
        }
        self.statistics.evaluations += 1;
        let estimate = self.game.evaluate(position)?;
        self.facts.put_estimate(signature, estimate);
        Ok(Score::estimate(estimate))
    }

    pub(crate) fn mover(&self, position: &G::Position) -> Colour {
        self.game.mover(position)
    }

    /// Makes a move the first of the best line from this ply on.
    pub(crate) fn extend_line(&mut self, ply: usize, played: MoveView<'_>) {
        let (upper, lower) = self.lines.split_at_mut(ply + 1);
        let line = &mut upper[ply];
        line.clear();
        line.push(played.to_move());
        line.extend(lower[0].iter().cloned());
    }

    /// The best line found: as collected, or as far as the table knows it.
    #[must_use]
    pub fn principal_variation(&self) -> Vec<Move> {
        let Some((best, score)) = &self.root_best else { return Vec::new() };
        let mut line = match self.lines[0].first() {
            Some(first) if first.view().same_as(best.view()) => self.lines[0].clone(),
            _ => vec![best.clone()],
        };
        let mut position = self.root.position.clone();
        let mut moves = MoveList::new();
        let mut seen = Vec::with_capacity(line.len());
        for played in &line {
            seen.push(self.game.signature(&position));
            self.game.play(&mut position, played.view());
        }
        // A line that ends the game is told to its end.
        let distance = score.distance().map_or(0, i32::abs);
        while line.len() < self.root_depth.max(distance).max(1) as usize
            && line.last().is_some_and(|last| last.view().head.outcome().is_none())
            && !seen.contains(&self.game.signature(&position))
            && let Some(tag) = self.table.probe(self.game.signature(&position)).and_then(|entry| entry.best)
            && let Ok(None) = self.game.generate(&position, Stage::All, &mut moves)
            && let Some(next) = find_move(&moves, tag)
        {
            seen.push(self.game.signature(&position));
            line.push(next.to_move());
            self.game.play(&mut position, next);
        }
        line
    }
}

/// The move of a list that a tag stands for.
#[inline]
pub(crate) fn find_move(moves: &MoveList, tag: MoveTag) -> Option<MoveView<'_>> {
    moves.iter().find(|played| MoveTag::of(played.head.signature_difference) == tag)
}

/// The difference of a move that was not made.
pub(crate) fn no_move() -> Signature {
    MoveHead::new(Signature::default()).signature_difference
}
