//! Iterations: a search to depth 1, then 2, and so on. Each prepares the next one, and a move is known at any
//! moment. The score of an iteration comes from one of several drivers.

use game::{Game, Stage};
use table::Table;

use crate::depth::Depth;
use crate::engine::{Engine, Settings};
use crate::limits::Limits;
use crate::mtd::First;
use crate::node::Arrival;
use crate::report::Progress;
use crate::score::{Score, Window};
use crate::searcher::{Searcher, no_move};
use crate::watch::Interrupt;

/// What iterations came to.
pub(crate) struct Reached {
    pub(crate) score: Score,
    pub(crate) depth: Depth,
    /// Whether every line was followed to the end of the game.
    pub(crate) everything: bool,
}

impl<G: Game, T: Table> Searcher<'_, G, T> {
    /// Searches deeper and deeper until a limit is reached or nothing more can be found out. Reports each
    /// iteration. The score and depth are those of the last complete iteration.
    pub(crate) fn deepen(
        &mut self,
        settings: &Settings,
        limits: &Limits,
        progress: &mut dyn FnMut(&Progress<'_>),
    ) -> Result<Reached, Interrupt> {
        let last = limits.depth.unwrap_or(Depth::MAX).min(Depth::MAX);
        let mut reached = Reached { score: Score::DRAW, depth: Depth(0), everything: false };
        if let Some(score) = self.begin()? {
            return Ok(Reached { score, depth: Depth(0), everything: true });
        }
        let only_move = self.root_has_one_move()?;
        let mut depth = Depth(settings.first_depth.max(1).min(last.0));
        let may_see_everything = self.heuristics.is_exact() && limits.depth.is_none();
        let mut from_scratch = false;
        while depth <= last {
            self.root_depth = depth.0;
            self.path.forget_deepest();
            let score = match self.iterate(settings.engine, depth, reached.score, reached.depth.0 > 0) {
                Ok(score) => score,
                Err(Interrupt::Stopped) => break,
                Err(fault) => return Err(fault),
            };
            reached = Reached { score, depth, everything: false };
            let line = self.principal_variation();
            progress(&Progress {
                depth,
                selective_depth: self.path.deepest() as u32,
                score,
                principal_variation: &line,
                nodes: self.watch.total_nodes(),
                elapsed: self.watch.elapsed(),
                table_full_per_mille: self.table.full_per_mille(),
            });
            let settled = score.distance().is_some_and(|plies| plies.abs() <= depth.0);
            let no_hurry = limits.depth.is_some();
            if settled && !no_hurry && !limits.ponder || only_move && self.has_time_limit(limits) {
                break;
            }
            if !self.watch.may_go_on() {
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
        Ok(reached)
    }

    fn has_time_limit(&self, limits: &Limits) -> bool {
        limits.time.allotment().is_some() && !limits.ponder
    }

    /// Sees whether the game is over, and otherwise keeps the first legal move, so that there is always one.
    fn begin(&mut self) -> Result<Option<Score>, Interrupt> {
        let mut frame = self.take_frame(0);
        let finished = self.generate(&self.root.position, Stage::All, &mut frame.moves);
        let first = frame.moves.iter().next().map(|played| played.to_move());
        self.return_frame(0, frame);
        self.root_best = first.map(|first| (first, Score::MINUS_INFINITE));
        Ok(finished?.map(|outcome| Score::of_outcome(outcome, 0)))
    }

    fn root_has_one_move(&mut self) -> Result<bool, Interrupt> {
        let mut frame = self.take_frame(0);
        let finished = self.generate(&self.root.position, Stage::All, &mut frame.moves);
        let one = frame.moves.len() == 1;
        self.return_frame(0, frame);
        Ok(finished?.is_none() && one)
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

    /// The score of the root in a window.
    pub(crate) fn search_root(&mut self, window: Window, depth: Depth) -> Result<Score, Interrupt> {
        let arrival = Arrival {
            previous: no_move(),
            principal: true,
            may_pass: false,
            forced_plies: 0,
            threatened: false,
            excluded: None,
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
