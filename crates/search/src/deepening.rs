//! Iterations: a search to depth 1, then 2, and so on. Each prepares the next one, and a move is known at any
//! moment. The score of an iteration comes from one of several drivers.

use game::{Game, RuleFault, Signature, Stage};
use table::Table;

use crate::company::Company;
use crate::depth::Depth;
use crate::engine::{Engine, Settings};
use crate::limits::Limits;
use crate::line::NodeKind;
use crate::mtd::First;
use crate::node::Arrival;
use crate::report::Progress;
use crate::score::{Score, Window};
use crate::searcher::{Effort, Searcher, no_move};
use crate::watch::Interrupt;

/// What iterations came to.
pub(crate) struct Reached {
    pub(crate) score: Score,
    pub(crate) depth: Depth,
    /// Whether every line was followed to the end of the game.
    pub(crate) everything: bool,
    /// What went wrong with the rules and ended the search.
    pub(crate) fault: Option<Box<RuleFault>>,
}

/// What there is to search.
enum Beginning {
    /// Nothing: the game is over.
    Over(Score),
    /// So many moves.
    Open { moves: usize },
}

/// How clear it is which move is best: the clearer, the less time is used.
#[derive(Default)]
struct Clarity {
    best: Option<Signature>,
    /// Iterations since the best move was another one.
    stable: u32,
    /// What the last iteration took from the score, in hundredths of a unit.
    fallen: i64,
}

/// Before this depth everything changes.
const CLARITY_DEPTH_MIN: Depth = Depth(5);

impl Clarity {
    fn note(&mut self, best: Option<Signature>, fallen: i32, unit: i32) {
        self.stable = if self.best == best { self.stable + 1 } else { 0 };
        self.best = best;
        self.fallen = i64::from(fallen) * 100 / i64::from(unit.max(1));
    }

    /// How much of the usual time is to be used: less when the best move stays the same and nearly all work went into
    /// showing that the others are worse, more when it changes or turns out worse than thought.
    fn per_cent(&self, depth: Depth, effort: Effort) -> u32 {
        if depth < CLARITY_DEPTH_MIN {
            return 100;
        }
        let stability = [150, 120, 105, 95, 85][self.stable.min(4) as usize];
        let share = effort.best * 100 / effort.all.max(1);
        let clear = if share >= 90 {
            75
        } else if share >= 75 {
            90
        } else {
            105
        };
        let trouble = if self.fallen > 100 {
            140
        } else if self.fallen > 25 {
            120
        } else {
            100
        };
        stability * clear / 100 * trouble / 100
    }
}

impl<G: Game, T: Table, C: Company<G::Position>> Searcher<'_, G, T, C> {
    /// Searches deeper and deeper until a limit is reached or nothing more can be found out. Reports each iteration.
    /// The score and depth are those of the last complete iteration; the first one is always completed, unless it
    /// takes far longer than there is time.
    pub(crate) fn deepen(
        &mut self,
        settings: &Settings,
        limits: &Limits,
        progress: &mut dyn FnMut(&Progress<'_>),
    ) -> Result<Reached, Interrupt> {
        let last = limits.win_within.map(Depth).or(limits.depth).unwrap_or(Depth::MAX).min(Depth::MAX);
        let mut reached = Reached { score: Score::DRAW, depth: Depth(0), everything: false, fault: None };
        let moves = match self.begin()? {
            Beginning::Over(score) => return Ok(Reached { score, everything: true, ..reached }),
            Beginning::Open { moves } => moves,
        };
        let mut depth = Depth(settings.first_depth.max(1).min(last.0));
        let may_see_everything = self.heuristics.is_exact() && limits.depth.is_none();
        let mut from_scratch = false;
        let mut clarity = Clarity::default();
        while depth <= last {
            if depth == Depth(1) {
                self.watch.finish_this();
            }
            self.root_depth = depth.0;
            self.path.forget_deepest();
            let iteration = match limits.win_within {
                Some(_) => self.look_for_win(depth),
                None => self.iterate(settings.engine, depth, reached.score, reached.depth.0 > 0),
            };
            let score = match iteration {
                Ok(score) => score,
                Err(Interrupt::Stopped | Interrupt::Cut { .. }) => break,
                // What is known stays known.
                Err(Interrupt::Fault(fault)) => {
                    reached.fault = Some(fault);
                    break;
                }
            };
            self.watch.nothing_to_finish();
            let fallen = if reached.depth.0 > 0 { reached.score.value() - score.value() } else { 0 };
            reached = Reached { score, depth, ..reached };
            let wins = score >= Score::win_in(depth.0 as usize);
            if limits.win_within.is_none() || wins {
                self.tell(depth, score, progress);
            }
            if limits.win_within.is_some() && wins {
                break;
            }
            let settled = score.distance().is_some_and(|plies| plies.abs() <= depth.0);
            let no_hurry = limits.depth.is_some();
            let only_move = moves == 1 && self.has_time_limit(limits);
            if settled && !no_hurry && !limits.ponder || only_move {
                break;
            }
            let best = self.root_best.as_ref().map(|(best, _)| best.view().head.signature_difference);
            clarity.note(best, fallen, self.knowledge.unit);
            if !self.watch.may_go_on(clarity.per_cent(depth, self.root_effort)) {
                break;
            }
            // No line came to the horizon. What the table knew may have come from one that did: once more without it.
            if may_see_everything && self.path.deepest() < depth.0 as usize {
                if from_scratch {
                    reached.everything = true;
                    break;
                }
                from_scratch = true;
                self.table.clear();
                continue;
            }
            // The last iteration is the one that was asked for, whatever the increment.
            depth = if depth == last { last + 1 } else { (depth + settings.increment.max(1)).min(last) };
        }
        if reached.depth == Depth(0) && reached.fault.is_none() && last.0 >= 1 && settings.first_depth > 1 {
            self.take_one_ply(settings.engine, &mut reached);
        }
        Ok(reached)
    }

    /// A search that began too deep for its limits is glad of one ply.
    fn take_one_ply(&mut self, engine: Engine, reached: &mut Reached) {
        self.root_depth = 1;
        self.watch.finish_this();
        match self.iterate(engine, Depth(1), Score::DRAW, false) {
            Ok(score) => (reached.score, reached.depth) = (score, Depth(1)),
            Err(Interrupt::Stopped | Interrupt::Cut { .. }) => {}
            Err(Interrupt::Fault(fault)) => reached.fault = Some(fault),
        }
    }

    pub(crate) fn tell(&self, depth: Depth, score: Score, progress: &mut dyn FnMut(&Progress<'_>)) {
        progress(&Progress {
            depth,
            selective_depth: self.path.deepest() as u32,
            score,
            principal_variation: &self.principal_variation(),
            nodes: self.watch.total_nodes(),
            elapsed: self.watch.elapsed(),
            table_full_per_mille: self.table.full_per_mille(),
        });
    }

    fn has_time_limit(&self, limits: &Limits) -> bool {
        limits.time.allotment().is_some() && !limits.ponder
    }

    /// Sees whether the game is over, and otherwise keeps the move that looks best, so that there is always one: this
    /// is not stopped by anything.
    fn begin(&mut self) -> Result<Beginning, Interrupt> {
        let mut frame = self.take_frame(0);
        let finished =
            game::stopping::never(|| self.generate(&self.root.position, Stage::All, &mut frame.moves));
        let hints = self.hints(&self.root.position, None, no_move(), 0);
        // The first of the best ones, as the search would try them.
        let best = frame.moves.iter().min_by_key(|played| std::cmp::Reverse(self.rank(*played, hints)));
        self.root_best = best.map(|best| (best.to_move(), Score::MINUS_INFINITE));
        let moves = frame.moves.len();
        self.return_frame(0, frame);
        Ok(match finished? {
            Some(outcome) => Beginning::Over(Score::of_outcome(outcome, 0)),
            None => Beginning::Open { moves },
        })
    }

    fn iterate(
        &mut self,
        engine: Engine,
        depth: Depth,
        guess: Score,
        has_guess: bool,
    ) -> Result<Score, Interrupt> {
        match engine {
            Engine::NegaMax => self.negamax(&self.root.position, depth),
            Engine::Mtdf => self.mtd(First::Guess(guess), depth),
            Engine::SssStar => self.mtd(First::Highest, depth),
            Engine::DualStar => self.mtd(First::Lowest, depth),
            _ if has_guess => self.aspirate(guess, depth),
            _ => self.search_root(Window::FULL, depth),
        }
    }

    /// Whether the mover can force a win within so many plies; the score is less than such a win if not.
    fn look_for_win(&mut self, depth: Depth) -> Result<Score, Interrupt> {
        let within = Score::win_in(depth.0.max(0) as usize);
        self.search_root(Window { alpha: within.previous(), beta: Score::INFINITE }, depth)
    }

    /// The score of the root in a window.
    pub(crate) fn search_root(&mut self, window: Window, depth: Depth) -> Result<Score, Interrupt> {
        self.root_effort = Effort::default();
        if C::PEERS {
            self.company.begin_root(window, depth);
        }
        let arrival = Arrival {
            previous: no_move(),
            principal: true,
            may_pass: false,
            forced_plies: 0,
            threatened: false,
            excluded: None,
            widest: 0,
            kind: NodeKind::Principal,
        };
        self.node(&self.root.position, window, depth, arrival)
    }

    /// Searches in a window around the last score, which is widened where the score lies outside.
    fn aspirate(&mut self, guess: Score, depth: Depth) -> Result<Score, Interrupt> {
        let unit = self.knowledge.unit;
        if !self.heuristics.aspiration || unit == 0 || guess.is_decided() {
            return self.search_root(Window::FULL, depth);
        }
        let (mut below, mut above) = (unit / 3 + 1, unit / 3 + 1);
        loop {
            let window = Window {
                alpha: if below < 64 * unit { guess.plus(-below) } else { Score::MINUS_INFINITE },
                beta: if above < 64 * unit { guess.plus(above) } else { Score::INFINITE },
            };
            let score = self.search_root(window, depth)?;
            if score <= window.alpha && window.alpha > Score::MINUS_INFINITE {
                self.statistics.aspiration_failed_low += 1;
                below = below.saturating_mul(4);
            } else if score >= window.beta && window.beta < Score::INFINITE {
                self.statistics.aspiration_failed_high += 1;
                above = above.saturating_mul(4);
            } else {
                return Ok(score);
            }
        }
    }
}
