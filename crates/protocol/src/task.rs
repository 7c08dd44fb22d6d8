//! One search, ready to run on any thread: one best move, or several with their lines.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use game::{Game, Move, MoveList, Outcome, RuleFault, Stage};
use parallel::{Ledger, Sharing, Teamwork, Timeline};
use search::watch::GRACE;
use search::{
    Clock, Control, Depth, Engine, Kept, Knowledge, Limits, Progress, Report, Resources, Root, Score,
    Settings, Statistics,
};
use table::{Bucketed, Replacement};

use crate::strength::Level;

/// What to search, how, and how long.
pub struct Task<'game, G: Game> {
    pub(crate) game: &'game G,
    pub(crate) root: Root<G>,
    /// How the game has ended already, for the player to move, where the moves from here would not tell.
    pub(crate) ended: Option<Outcome>,
    pub(crate) settings: Settings,
    pub(crate) lines: usize,
    /// How well it shall play, if not as well as it can.
    pub(crate) level: Option<Level>,
    pub(crate) threads: (parallel::Method, usize),
    pub(crate) timeline: Option<Arc<Timeline>>,
    /// Where it is written down what processors did, if that is wanted.
    pub(crate) ledger: Option<Ledger>,
    pub(crate) limits: Limits,
    pub(crate) table: Arc<Bucketed>,
    pub(crate) knowledge: Arc<Knowledge>,
    pub(crate) kept: Kept,
    pub(crate) control: Arc<Control>,
    pub(crate) epoch: Instant,
}

/// A move and what is thought of it.
#[derive(Clone, Debug)]
pub struct Variation {
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
    pub lines: Vec<Variation>,
    /// Within so many plies there is no forced win, if that was asked and is certain.
    pub no_win_within: Option<i32>,
    /// What several processors did, if they shared the search and this was asked for.
    pub teamwork: Option<Teamwork>,
}

impl Thought {
    /// The thought of a single line.
    fn of(report: Report) -> Thought {
        let line =
            Variation { score: report.score, depth: report.depth, moves: report.principal_variation.clone() };
        let lines = if report.best.is_some() { vec![line] } else { Vec::new() };
        Thought { report, lines, no_win_within: None, teamwork: None }
    }

    /// What else there is to say about it.
    #[must_use]
    pub fn remarks(&self) -> Vec<String> {
        let no_win = self.no_win_within.map(|plies| {
            let moves = (plies + 1) / 2;
            format!("there is no mate in {moves}: every line was looked at")
        });
        let fault = self.report.fault.as_ref().map(|fault| {
            format!("the rules went wrong, and the search ended at depth {}: {fault}", self.report.depth)
        });
        let lost = match self.report.threads_lost {
            0 => None,
            1 => Some("warning: a thread was lost; the others have done its work".to_owned()),
            lost => Some(format!("warning: {lost} threads were lost; the others have done their work")),
        };
        no_win.into_iter().chain(fault).chain(lost).collect()
    }
}

/// The table of a proof.
const PROOF_MIB: usize = 16;
/// Where no forced win was found, a search of so many nodes says what to play.
const INSTEAD_OF_WIN_NODES: u64 = 20_000;

impl<G: Game> Task<'_, G> {
    /// The same search, and what its threads do when is written down; see [`Task::now`].
    #[must_use]
    pub fn watched(self, timeline: Arc<Timeline>) -> Self {
        Task { timeline: Some(timeline), ..self }
    }

    /// The same search, which tells what its processors did if there are several; see [`Thought::teamwork`].
    #[must_use]
    pub fn measured(self) -> Self {
        Task { ledger: Some(Ledger::default()), ..self }
    }

    /// The time on the clock of this search.
    #[must_use]
    pub fn now(&self) -> Duration {
        self.epoch.elapsed()
    }

    /// Searches until a limit is reached or the control says stop. `heard` is told of news: the rank of the line, from
    /// 1, and how the search goes.
    ///
    /// # Errors
    /// When the rules go wrong before anything is known; later, the report has the fault.
    pub fn run(&self, heard: &mut dyn FnMut(usize, &Progress<'_>)) -> Result<Thought, RuleFault> {
        if let Some(outcome) = self.ended {
            let (report, lines) = (over(outcome), Vec::new());
            return Ok(Thought { report, lines, no_win_within: None, teamwork: None });
        }
        let thought =
            game::stopping::unless(self.question(), || match (self.limits.win_within, self.level) {
                (Some(plies), _) => self.look_for_win(plies, heard),
                (None, Some(level)) => self.play_at(level, heard),
                (None, None) => self.think(self.lines, &self.limits, heard),
            });
        let teamwork = self.ledger.as_ref().and_then(Ledger::take);
        thought.map(|thought| Thought { teamwork, ..thought })
    }

    /// Whether to stop, for what cannot look at the clock itself: a little later than the search, which has something
    /// to finish.
    fn question(&self) -> game::stopping::Question {
        let (control, epoch) = (Arc::clone(&self.control), self.epoch);
        // When the search was first asked to end, in nanoseconds; several threads may ask, and the least time
        // counts.
        let late_since = AtomicU64::new(u64::MAX);
        Arc::new(move || {
            let now = epoch.elapsed();
            if !control.is_stopped() && !control.is_over(now) {
                return false;
            }
            let nanoseconds = now.as_nanos() as u64;
            let since = late_since.fetch_min(nanoseconds, Ordering::Relaxed).min(nanoseconds);
            nanoseconds - since >= GRACE.as_nanos() as u64
        })
    }

    /// A forced win within so many plies, or the certainty that there is none and a move all the same.
    fn look_for_win(
        &self,
        plies: i32,
        heard: &mut dyn FnMut(usize, &Progress<'_>),
    ) -> Result<Thought, RuleFault> {
        // A proof rests on nothing that a selective search has left in the table.
        let table = Bucketed::new(PROOF_MIB, Replacement::Age);
        let report = self.search_on(
            &table,
            (self.threads.0, 1),
            &self.root,
            &self.settings,
            &self.limits,
            &mut |news| heard(1, news),
        )?;
        if report.best.is_none() || report.score >= Score::win_in(plies.max(0) as usize) {
            return Ok(Thought::of(report));
        }
        let denied = (report.depth.0 >= plies && report.fault.is_none()).then_some(plies);
        let thought = match self.control.is_stopped() {
            true => Thought::of(report),
            false => {
                // The clock runs already: `ponder` says that this search need not start it.
                let limits = Limits { ponder: true, ..Limits::to_nodes(INSTEAD_OF_WIN_NODES) };
                let mut thought = self.think(self.lines, &limits, heard)?;
                thought.report.nodes += report.nodes;
                thought
            }
        };
        Ok(Thought { no_win_within: denied, ..thought })
    }

    /// What a player of this level would play.
    fn play_at(
        &self,
        level: Level,
        heard: &mut dyn FnMut(usize, &Progress<'_>),
    ) -> Result<Thought, RuleFault> {
        let nodes = self.limits.nodes.unwrap_or(u64::MAX).min(level.nodes_max());
        let limits = Limits { nodes: Some(nodes), ..self.limits };
        let mut thought = self.think(self.lines.max(level.lines()), &limits, &mut |rank, news| {
            if rank <= self.lines {
                heard(rank, news);
            }
        })?;
        let (signature, plies) = (self.game.signature(&self.root.position), self.root.history.len());
        let seed = self.settings.seed ^ signature.0 ^ (plies as u64) << 32;
        if let Some(chosen) = level.choose(&thought.lines, self.knowledge.unit, seed) {
            thought.lines.swap(0, chosen);
            let line = &thought.lines[0];
            (thought.report.score, thought.report.best) = (line.score, line.moves.first().cloned());
            thought.report.principal_variation.clone_from(&line.moves);
        }
        Ok(thought)
    }

    fn think(
        &self,
        lines: usize,
        limits: &Limits,
        heard: &mut dyn FnMut(usize, &Progress<'_>),
    ) -> Result<Thought, RuleFault> {
        let deepens = Engine::FULL_WIDTH.contains(&self.settings.engine);
        if lines > 1 && deepens {
            let legal = self.candidates()?;
            if legal.len() > 1 {
                return self.think_of_lines(lines, limits, legal, heard);
            }
        }
        let report = self.search(&self.root, &self.settings, limits, &mut |news| heard(1, news))?;
        Ok(Thought::of(report))
    }

    fn search(
        &self,
        root: &Root<G>,
        settings: &Settings,
        limits: &Limits,
        heard: &mut dyn FnMut(&Progress<'_>),
    ) -> Result<Report, RuleFault> {
        self.search_on(&self.table, self.threads, root, settings, limits, heard)
    }

    fn search_on(
        &self,
        table: &Bucketed,
        threads: (parallel::Method, usize),
        root: &Root<G>,
        settings: &Settings,
        limits: &Limits,
        heard: &mut dyn FnMut(&Progress<'_>),
    ) -> Result<Report, RuleFault> {
        let clock = || self.epoch.elapsed();
        let knowledge = &*self.knowledge;
        let resources = Resources { table, knowledge, control: &self.control, clock: &clock, team: None };
        let timeline = self.timeline.as_deref();
        let ledger = self.ledger.as_ref();
        let sharing = Sharing { method: threads.0, threads: threads.1, timeline, ledger };
        let kept = &self.kept;
        parallel::search_keeping(self.game, root, settings, limits, sharing, resources, kept, heard)
    }

    /// The moves to choose from.
    fn candidates(&self) -> Result<Vec<Move>, RuleFault> {
        if !self.root.only.is_empty() {
            return Ok(self.root.only.clone());
        }
        let mut moves = MoveList::new();
        game::stopping::never(|| self.game.generate(&self.root.position, Stage::All, &mut moves))?;
        Ok(moves.iter().map(|played| played.to_move()).collect())
    }

    /// Several lines: each depth is searched for the best move, then for the best of the others, and so on.
    fn think_of_lines(
        &self,
        wanted: usize,
        limits: &Limits,
        candidates: Vec<Move>,
        heard: &mut dyn FnMut(usize, &Progress<'_>),
    ) -> Result<Thought, RuleFault> {
        let clock = || self.epoch.elapsed();
        let began = clock.now();
        if !limits.ponder {
            self.control.start_clock(began, limits.time);
        }
        let last = limits.depth.unwrap_or(Depth::MAX).min(Depth::MAX);
        let mut known = Gathered { wanted, nodes: 0, began, first: None, lines: Vec::new() };
        let mut depth = Depth(self.settings.first_depth.clamp(1, last.0.max(1)));
        loop {
            let complete = self.one_depth(depth, limits, &candidates, &mut known, heard)?;
            let nodes_left = limits.nodes.is_none_or(|most| known.nodes < most);
            if !complete || !nodes_left || depth >= last || self.control.is_late(clock.now(), 100) {
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
        Ok(Thought { report, lines: known.lines, no_win_within: None, teamwork: None })
    }

    /// Searches all lines to a depth, and tells of them when all are known, the best first. False when that did not
    /// come to its end: then what was known before stays.
    fn one_depth(
        &self,
        depth: Depth,
        limits: &Limits,
        candidates: &[Move],
        known: &mut Gathered,
        heard: &mut dyn FnMut(usize, &Progress<'_>),
    ) -> Result<bool, RuleFault> {
        let settings = Settings { first_depth: depth.0, ..self.settings };
        let mut left = candidates.to_vec();
        let mut found: Vec<(Variation, u32)> = Vec::new();
        let mut full = 0;
        let mut complete = true;
        while complete && found.len() < known.wanted && !left.is_empty() {
            let (position, history) = (self.root.position.clone(), self.root.history.clone());
            let root = Root { position, history, only: left.clone() };
            // The clock runs already: `ponder` says that this search need not start it.
            let nodes = limits.nodes.map(|most| most.saturating_sub(known.nodes));
            let limits = Limits { depth: Some(depth), nodes, ponder: true, ..*limits };
            let mut selective_depth = 0;
            let report = self.search(&root, &settings, &limits, &mut |news| {
                (selective_depth, full) = (news.selective_depth, news.table_full_per_mille);
            })?;
            known.nodes += report.nodes;
            complete = report.depth >= depth && report.best.is_some();
            if let Some(best) = &report.best
                && (complete || found.is_empty())
            {
                left.retain(|candidate| !candidate.view().same_as(best.view()));
                let moves = report.principal_variation.clone();
                found.push((Variation { score: report.score, depth: report.depth, moves }, selective_depth));
            }
            known.take(report);
        }
        if complete || known.lines.is_empty() {
            // Late lines may come out better than early ones: a search with a bound says less than the truth.
            found.sort_by_key(|(line, _)| std::cmp::Reverse(line.score));
            for (rank, (line, selective_depth)) in (1..).zip(&found).filter(|_| complete) {
                heard(rank, &known.news(line, *selective_depth, full, self.epoch.elapsed()));
            }
            known.lines = found.into_iter().map(|(line, _)| line).collect();
        }
        Ok(complete)
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
        fault: None,
        threads_lost: 0,
    }
}

/// What is known after some searches of several lines.
struct Gathered {
    wanted: usize,
    nodes: u64,
    began: Duration,
    first: Option<Report>,
    lines: Vec<Variation>,
}

impl Gathered {
    /// Adds what one of the searches counted, and what went wrong in it.
    fn take(&mut self, report: Report) {
        match &mut self.first {
            Some(first) => {
                first.statistics += report.statistics;
                first.fault = first.fault.take().or(report.fault);
            }
            None => self.first = Some(report),
        }
    }

    fn news<'line>(
        &self,
        line: &'line Variation,
        selective_depth: u32,
        full: u32,
        now: Duration,
    ) -> Progress<'line> {
        Progress {
            depth: line.depth,
            selective_depth,
            score: line.score,
            principal_variation: &line.moves,
            nodes: self.nodes,
            elapsed: now.saturating_sub(self.began),
            table_full_per_mille: full,
        }
    }
}
