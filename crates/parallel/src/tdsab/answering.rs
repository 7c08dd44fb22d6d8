//! What a home does about questions.

use fabric::ProcessorId;
use game::{Game, Move};
use search::guided::{Inquiry, Prospect};
use search::watch::Interrupt;
use search::{Depth, Engine, Score, Window};
use table::{Bound, Entry, MoveTag};

use super::home::{Child, Job, Stage, Verdict};
use super::leading::ROOT;
use super::protocol::{Asker, Message};
use super::worker::Worker;

/// A score one ply further away.
fn aged(score: Score) -> Score {
    Score::from_stored(score.value(), 1)
}

/// The least score of a position that is at least this one a ply further away.
fn least_before_ageing(score: Score) -> Score {
    match score.distance() {
        Some(_) if score > Score::DRAW => score.next(),
        Some(_) => score.previous(),
        None => score,
    }
}

/// A window as the position behind a move sees it.
fn behind_a_move(window: Window) -> Window {
    let alpha = least_before_ageing((-window.beta).next()).previous();
    Window { alpha, beta: least_before_ageing(-window.alpha) }
}

/// What is known of a move, if this is known of the position behind it.
fn before_a_move(verdict: Verdict) -> Verdict {
    let bound = match verdict.bound {
        Bound::Exact => Bound::Exact,
        Bound::Lower => Bound::Upper,
        Bound::Upper => Bound::Lower,
    };
    Verdict { score: -aged(verdict.score), bound }
}

impl<G: Game> Worker<'_, G> {
    /// What the table says of a position that is searched so deep.
    fn known(&self, key: u64, depth: u32) -> Option<Verdict> {
        let heuristics = &self.task.settings.heuristics;
        let stored = Depth(depth as i32).stored();
        let entry = self.table.probe_for(game::Signature(key), stored).filter(|_| heuristics.table)?;
        let is_deep = if heuristics.equal_depth { entry.depth == stored } else { entry.depth >= stored };
        is_deep.then(|| Verdict { score: Score::from_value(entry.score), bound: entry.bound })
    }

    /// Notes what has come of a job.
    fn remember(&self, job: &Job, verdict: Verdict) {
        let (key, depth, _) = job.question;
        if !self.task.settings.heuristics.table {
            return;
        }
        // A table has one bound of a position: what it knows from the other side is not lost if both meet.
        let Verdict { score, bound } = match self.known(key, depth) {
            Some(known) => verdict.with(known),
            None => verdict,
        };
        let is_good = bound != Bound::Upper;
        let best = job.best_move.as_ref().filter(|_| is_good);
        let tag = best.map(|best| MoveTag::of(best.view().head.signature_difference));
        let (depth, effort) = (Depth(depth as i32).stored(), Entry::EFFORT_MAX.min(depth as u8 * 4));
        let entry = Entry { score: score.value(), bound, depth, best: tag, effort, generation: 0 };
        self.table.store(game::Signature(key), entry);
    }

    /// A processor asks about a position that is at home here.
    pub(super) fn asked_about(
        &mut self,
        who: (ProcessorId, Asker),
        line: Vec<Move>,
        (depth, window, cuts): (u32, Window, bool),
    ) {
        let key = self.key(&line, depth);
        // Of the root a move has to be told, which a table does not know.
        let known = self.known(key, depth).filter(|known| !line.is_empty() && known.decides(window));
        match known {
            Some(Verdict { score, bound }) => {
                let (epoch, asker) = (self.epoch, who.1);
                self.say(who.0, &Message::Answer { epoch, asker, score, bound, best: None });
            }
            None => self.home.open(who, (key, depth, (window.alpha, window.beta)), cuts, line),
        }
    }

    /// Finds the moves of a job, and asks about the first ones.
    pub(super) fn begin(&mut self, number: u64) -> Result<(), Interrupt> {
        let Some(job) = self.home.jobs.get(&number) else { return Ok(()) };
        let (line, window, depth) = (job.line.clone(), job.window(), Depth(job.question.1 as i32));
        let ply = line.len();
        let little = self.task.policy.depth_min.max(i32::from(self.table.depth_shared()));
        // The root has to say which move is best.
        if depth.0 <= little && ply > 0 {
            let [alpha, beta] =
                [window.alpha, window.beta].map(|score| Score::from_stored(score.value(), ply));
            let score =
                self.searcher.inquire(&Inquiry { line: &line, window: Window { alpha, beta }, depth })?;
            let bound = Bound::of(score.value(), alpha.value(), beta.value());
            self.finish(number, Verdict { score: Score::from_value(score.to_stored(ply)), bound });
            return Ok(());
        }
        let moves = match self.searcher.prospect(&line, depth)? {
            Prospect::Settled(score) => {
                let score = Score::from_value(score.to_stored(ply));
                self.finish(number, Verdict { score, bound: Bound::Exact });
                return Ok(());
            }
            Prospect::Moves(moves) => moves,
        };
        let (mut best, mut best_move, mut children) = (Score::MINUS_INFINITE, None, Vec::new());
        let mut line = line;
        for played in moves {
            if let Some(outcome) = played.view().head.outcome() {
                let score = Score::of_outcome(outcome, 1);
                if score > best {
                    (best, best_move) = (score, Some(played));
                }
                continue;
            }
            line.push(played);
            let key = self.key(&line, (depth - 1).0 as u32);
            children.extend(line.pop().map(|played| Child { played, key, stage: Stage::Unasked }));
        }
        if let Some(job) = self.home.jobs.get_mut(&number) {
            (job.best, job.best_move, job.children) = (best, best_move, children);
        }
        self.go_on(number);
        Ok(())
    }

    /// Asks what is to be asked next, or ends the job.
    fn go_on(&mut self, number: u64) {
        let Some(job) = self.home.jobs.get_mut(&number) else { return };
        if let Some(verdict) = job.verdict() {
            return self.finish(number, verdict);
        }
        let tests_first = self.task.settings.engine != Engine::AlphaBeta;
        let is_principal = !job.window().is_null();
        let (depth, cuts) = (job.question.1 - 1, is_principal || !job.cuts);
        let mut questions = Vec::new();
        for (index, window) in job.inquiries(tests_first) {
            let child = &job.children[index];
            let mut line = job.line.clone();
            line.push(child.played.clone());
            questions.push((index, child.key, behind_a_move(window), line));
        }
        let epoch = self.epoch;
        for (index, key, window, line) in questions {
            let asker = Asker { job: number, index: index as u32 };
            let question = Message::Ask { epoch, asker, depth, window, cuts, line };
            self.say(self.home_of(key), &question);
        }
    }

    pub(super) fn answered(&mut self, asker: Asker, verdict: Verdict, best: Option<Move>) {
        if asker == ROOT {
            return self.root_answered(verdict, best);
        }
        let Some(job) = self.home.jobs.get_mut(&asker.job) else { return };
        job.hear(asker.index as usize, before_a_move(verdict));
        self.go_on(asker.job);
    }

    /// A job is done: answers, and takes back what is not needed any more.
    fn finish(&mut self, number: u64, verdict: Verdict) {
        let Some(job) = self.home.remove(number) else { return };
        self.remember(&job, verdict);
        self.take_back(number, &job);
        let Verdict { score, bound } = verdict;
        let best = job.best_move.filter(|_| bound != Bound::Upper && job.line.is_empty());
        let epoch = self.epoch;
        for (from, asker) in job.waiting {
            self.say(from, &Message::Answer { epoch, asker, score, bound, best: best.clone() });
        }
    }

    pub(super) fn take_back(&mut self, number: u64, job: &Job) {
        let epoch = self.epoch;
        for (index, child) in job.children.iter().enumerate() {
            if child.stage == Stage::Asked {
                let asker = Asker { job: number, index: index as u32 };
                self.say(self.home_of(child.key), &Message::Drop { epoch, asker });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_of_sons_ask_the_same() {
        let scores = [
            Score::MINUS_INFINITE,
            Score::loss_in(4),
            Score::loss_in(3),
            Score::estimate(-7),
            Score::DRAW,
            Score::estimate(1),
            Score::win_in(5),
            Score::win_in(4),
            Score::INFINITE,
        ];
        for (place, &alpha) in scores.iter().enumerate() {
            for &beta in &scores[place + 1..] {
                let window = Window { alpha, beta };
                let below = behind_a_move(window);
                for &score in &scores[1..8] {
                    let of_move = before_a_move(Verdict { score, bound: Bound::Exact }).score;
                    assert_eq!(score >= below.beta, of_move <= alpha, "{score:?} in {window:?}");
                    assert_eq!(score <= below.alpha, of_move >= beta, "{score:?} in {window:?}");
                }
            }
        }
    }
}
