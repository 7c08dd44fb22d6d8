//! One search, ready to run on any thread: one best move, or several with their lines.

use std::sync::Arc;
use std::time::{Duration, Instant};

use game::{Game, Move, MoveList, Outcome, RuleFault, Stage};
use search::{
    Clock, Control, Depth, Engine, Knowledge, Limits, Progress, Report, Resources, Root, Score, Settings,
    Statistics,
};
use table::Bucketed;

/// What to search, how, and how long.
pub struct Task<'game, G: Game> {
    pub(crate) game: &'game G,
    pub(crate) root: Root<G>,
    /// How the game has ended already, for the player to move, where the moves from here would not tell.
    pub(crate) ended: Option<Outcome>,
    pub(crate) settings: Settings,
    pub(crate) lines: usize,
    pub(crate) threads: usize,
    pub(crate) limits: Limits,
    pub(crate) table: Arc<Bucketed>,
    pub(crate) knowledge: Arc<Knowledge>,
    pub(crate) control: Arc<Control>,
    pub(crate) epoch: Instant,
}

/// A move and what is thought of it.
#[derive(Clone, Debug)]
pub struct Line {
    /// The score, seen from the mover.
    pub score: Score,
    /// How deep it was searched.
    pub depth: Depth,
    /// The best line, the move first.
    pub moves: Vec<Move>,
}

/// What came out.
#[derive(Clone, Debug)]
pub struct Thought {
    /// The search of the best move, with everything that was counted.
    pub report: Report,
    /// The best moves, best first; one unless more were asked for, none when the game is over.
    pub lines: Vec<Line>,
}

impl<G: Game> Task<'_, G> {
    /// Searches until a limit is reached or the control says stop. `heard` is told of news: the rank of the line, from
    /// 1, and how the search goes.
    ///
    /// # Errors
    /// When the rules go wrong.
    pub fn run(&self, heard: &mut dyn FnMut(usize, &Progress<'_>)) -> Result<Thought, RuleFault> {
        if let Some(outcome) = self.ended {
            return Ok(Thought { report: over(outcome), lines: Vec::new() });
        }
        let deepens = Engine::FULL_WIDTH.contains(&self.settings.engine);
        if self.lines > 1 && deepens {
            let legal = self.candidates()?;
            if legal.len() > 1 {
                return self.run_lines(legal, heard);
            }
        }
        let report = self.search(&self.root, &self.settings, &self.limits, &mut |news| heard(1, news))?;
        let line =
            Line { score: report.score, depth: report.depth, moves: report.principal_variation.clone() };
        let lines = if report.best.is_some() { vec![line] } else { Vec::new() };
        Ok(Thought { report, lines })
    }

    fn search(
        &self,
        root: &Root<G>,
        settings: &Settings,
        limits: &Limits,
        heard: &mut dyn FnMut(&Progress<'_>),
    ) -> Result<Report, RuleFault> {
        let clock = || self.epoch.elapsed();
        let (table, knowledge) = (&*self.table, &*self.knowledge);
        let resources = Resources { table, knowledge, control: &self.control, clock: &clock, team: None };
        parallel::search(self.game, root, settings, limits, self.threads, resources, heard)
    }

    /// The moves to choose from.
    fn candidates(&self) -> Result<Vec<Move>, RuleFault> {
        if !self.root.only.is_empty() {
            return Ok(self.root.only.clone());
        }
        let mut moves = MoveList::new();
        self.game.generate(&self.root.position, Stage::All, &mut moves)?;
        Ok(moves.iter().map(|played| played.to_move()).collect())
    }

    /// Several lines: each depth is searched for the best move, then for the best of the others, and so on.
    fn run_lines(
        &self,
        candidates: Vec<Move>,
        heard: &mut dyn FnMut(usize, &Progress<'_>),
    ) -> Result<Thought, RuleFault> {
        let clock = || self.epoch.elapsed();
        let began = clock.now();
        if !self.limits.ponder {
            self.control.start_clock(began, self.limits.time);
        }
        let last = self.limits.depth.unwrap_or(Depth::MAX).min(Depth::MAX);
        let mut known = Gathered { nodes: 0, began, first: None, lines: Vec::new() };
        let mut depth = Depth(self.settings.first_depth.clamp(1, last.0.max(1)));
        loop {
            let complete = self.one_depth(depth, &candidates, &mut known, heard)?;
            let nodes_left = self.limits.nodes.is_none_or(|most| known.nodes < most);
            if !complete || !nodes_left || depth >= last || self.control.is_late(clock.now()) {
                break;
            }
            depth = (depth + self.settings.increment.max(1)).min(last);
        }
        let mut report = known.first.expect("at least one search was begun");
        if let Some(best) = known.lines.first() {
            (report.score, report.depth) = (best.score, best.depth);
            report.best = best.moves.first().cloned();
            report.principal_variation.clone_from(&best.moves);
        }
        (report.nodes, report.elapsed) = (known.nodes, clock.now().saturating_sub(began));
        report.statistics.nodes = known.nodes;
        Ok(Thought { report, lines: known.lines })
    }

    /// False when there was no time for all lines.
    fn one_depth(
        &self,
        depth: Depth,
        candidates: &[Move],
        known: &mut Gathered,
        heard: &mut dyn FnMut(usize, &Progress<'_>),
    ) -> Result<bool, RuleFault> {
        let settings = Settings { first_depth: depth.0, ..self.settings };
        let mut left = candidates.to_vec();
        let mut lines: Vec<Line> = Vec::new();
        while lines.len() < self.lines && !left.is_empty() {
            let (position, history) = (self.root.position.clone(), self.root.history.clone());
            let root = Root { position, history, only: left.clone() };
            // The clock runs already: `ponder` says that this search need not start it.
            let nodes = self.limits.nodes.map(|most| most.saturating_sub(known.nodes));
            let limits = Limits { depth: Some(depth), nodes, ponder: true, ..self.limits };
            let before = (known.nodes, known.began);
            let mut complete = false;
            let rank = lines.len() + 1;
            let report = self.search(&root, &settings, &limits, &mut |news| {
                complete = true;
                let nodes = before.0 + news.nodes;
                let elapsed = self.epoch.elapsed().saturating_sub(before.1);
                heard(rank, &Progress { nodes, elapsed, ..*news });
            })?;
            known.nodes += report.nodes;
            let Some(best) = report.best.clone().filter(|_| complete || known.first.is_none()) else {
                return Ok(false);
            };
            left.retain(|candidate| !candidate.view().same_as(best.view()));
            let moves = report.principal_variation.clone();
            lines.push(Line { score: report.score, depth: report.depth, moves });
            match &mut known.first {
                Some(first) => first.statistics += report.statistics,
                None => known.first = Some(report),
            }
            if rank > known.lines.len() {
                known.lines.clone_from(&lines);
            }
            if !complete {
                return Ok(false);
            }
        }
        // Late lines may come out better than early ones: a search with a bound says less than the truth.
        lines.sort_by_key(|line| std::cmp::Reverse(line.score));
        known.lines = lines;
        Ok(true)
    }
}

/// There is nothing to search where the game is over.
fn over(outcome: Outcome) -> Report {
    Report {
        score: Score::of_outcome(outcome, 0),
        best: None,
        principal_variation: Vec::new(),
        depth: Depth(0),
        proven: true,
        bounds: None,
        nodes: 0,
        elapsed: Duration::ZERO,
        statistics: Statistics::default(),
    }
}

/// What is known after some searches of several lines.
struct Gathered {
    nodes: u64,
    began: Duration,
    first: Option<Report>,
    lines: Vec<Line>,
}
