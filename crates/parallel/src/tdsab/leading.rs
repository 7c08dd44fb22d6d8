//! What the leader does: iteration by iteration, it asks about the root.

use game::{Game, Move, RuleFault};
use search::guided::Inquiry;
use search::watch::Interrupt;
use search::{Depth, Engine, Limits, Progress, Report, Score, Window};
use table::Bound;

use super::home::Verdict;
use super::protocol::{Asker, Message};
use super::worker::{Lead, Worker};

/// The job that the leader's questions about the root belong to.
pub(super) const ROOT: Asker = Asker { job: 0, index: 0 };

impl<G: Game> Worker<'_, G> {
    /// Leads the search, and sends all home.
    pub(super) fn direct(&mut self, progress: &mut dyn FnMut(&Progress<'_>)) -> Result<Report, RuleFault> {
        let report = self.deepen(progress);
        self.tell_others(&Message::End);
        report
    }

    /// Iteration by iteration; the first one alone, so that there is a move.
    fn deepen(&mut self, progress: &mut dyn FnMut(&Progress<'_>)) -> Result<Report, RuleFault> {
        let limits = self.task.limits;
        let last = limits.depth.unwrap_or(Depth::MAX).min(Depth::MAX);
        let first = Limits { depth: Some(Depth(1).min(last)), ..limits };
        let report = self.searcher.lead(&self.settings, &first, progress)?;
        if report.depth < Depth(1) || report.fault.is_some() || report.best.is_none() || last <= Depth(1) {
            return Ok(report);
        }
        let (mut depth, mut score, mut fault) = (report.depth, report.score, None);
        let mut next = (self.last_iteration + 1).min(last).max(Depth(2));
        while next <= last && self.searcher.may_go_on() {
            match self.iterate(next, score) {
                Ok((found, best)) => {
                    (depth, score) = (next, found);
                    self.searcher.conclude(depth, score, Vec::from_iter(best), progress);
                    self.tell_others(&Message::Iteration { depth });
                }
                Err(Interrupt::Fault(found)) => {
                    fault = Some(found);
                    break;
                }
                Err(Interrupt::Stopped | Interrupt::Cut { .. }) => break,
            }
            let is_settled = score.distance().is_some_and(|plies| plies.abs() <= depth.0);
            if is_settled && limits.depth.is_none() && !limits.ponder {
                break;
            }
            next = next + 1;
        }
        Ok(self.searcher.summary(depth, score, fault))
    }

    /// The first question of an iteration: about the whole value, or where to begin closing in on it.
    fn first_window(&self, guess: Score) -> Window {
        let from_above = Window { alpha: Score::INFINITE.previous(), beta: Score::INFINITE };
        match self.task.settings.engine {
            Engine::Mtdf => Window { alpha: guess.previous(), beta: guess },
            Engine::SssStar => from_above,
            Engine::DualStar => Window::above(Score::MINUS_INFINITE),
            _ => Window::FULL,
        }
    }

    /// Asks about the root until its value is known.
    fn iterate(&mut self, depth: Depth, guess: Score) -> Result<(Score, Option<Move>), Interrupt> {
        let bounds = (Score::MINUS_INFINITE, Score::INFINITE);
        self.lead = Some(Lead { depth, bounds, best: None, window: self.first_window(guess) });
        self.ask_root();
        loop {
            self.serve_once()?;
            self.searcher.look_at_limits()?;
            if self.is_faulty {
                // The fault is somewhere in this tree: one processor finds it.
                let (line, window) = (&[][..], Window::FULL);
                let score = self.searcher.inquire(&Inquiry { line, window, depth })?;
                self.is_faulty = false;
                return Ok((score, self.searcher.best_line(0).into_iter().next()));
            }
            if let Some(lead) = &self.lead
                && lead.bounds.0 >= lead.bounds.1
            {
                return Ok((lead.bounds.0, lead.best.clone()));
            }
        }
    }

    /// The leader's next question about the root.
    pub(super) fn ask_root(&mut self) {
        let open = |lead: &&Lead| lead.bounds.0 < lead.bounds.1;
        let Some(&Lead { depth, window, .. }) = self.lead.as_ref().filter(open) else { return };
        let depth = depth.0 as u32;
        let key = self.key(&[], depth);
        let (epoch, line) = (self.epoch, Vec::new());
        let question = Message::Ask { epoch, asker: ROOT, depth, window, cuts: true, line };
        self.say(self.home_of(key), &question);
    }

    /// The leader learns on which side of its question the root is, or its value.
    pub(super) fn root_answered(&mut self, verdict: Verdict, best: Option<Move>) {
        let Some(lead) = &mut self.lead else { return };
        let Verdict { score, bound } = verdict;
        if bound != Bound::Upper {
            lead.bounds.0 = lead.bounds.0.max(score);
            lead.best = best.or(lead.best.take());
        }
        if bound != Bound::Lower {
            lead.bounds.1 = lead.bounds.1.min(score);
        }
        let (low, high) = lead.bounds;
        if low < high {
            lead.window = match bound {
                Bound::Upper => Window { alpha: high.previous(), beta: high },
                Bound::Lower | Bound::Exact => Window::above(low),
            };
            self.ask_root();
        }
    }
}
