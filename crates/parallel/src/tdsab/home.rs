//! What a home knows and works on.

use std::collections::HashMap;

use fabric::ProcessorId;
use game::Move;
use search::Score;

use super::protocol::Asker;

/// Entries of a processor's part of the table, at most; a full one is emptied.
const ENTRIES_MAX: usize = 1 << 22;

/// What a question is about: position, depth, bound.
pub(super) type Question = (u64, u32, Score);

/// A move of a job.
pub(super) struct Child {
    pub(super) played: Move,
    pub(super) key: u64,
    pub(super) is_asked: bool,
    pub(super) is_answered: bool,
}

/// A question that is being answered.
pub(super) struct Job {
    pub(super) question: Question,
    pub(super) cuts: bool,
    /// The moves from the root to the position, on the way of the first who asked.
    pub(super) line: Vec<Move>,
    pub(super) children: Vec<Child>,
    /// What the moves that are settled come to, and the best of them.
    pub(super) best: Score,
    pub(super) best_move: Option<Move>,
    /// Who wants to know.
    pub(super) waiting: Vec<(ProcessorId, Asker)>,
}

/// What is known of a position that was searched to some depth.
#[derive(Clone)]
pub(super) struct Known {
    pub(super) least: Score,
    pub(super) most: Score,
    /// The move that is worth the least.
    best: Option<Move>,
}

/// A home.
#[derive(Default)]
pub(super) struct Home {
    table: HashMap<(u64, u32), Known>,
    pub(super) jobs: HashMap<u64, Job>,
    /// Jobs by what they are about, and by who asked.
    active: HashMap<Question, u64>,
    asked: HashMap<(ProcessorId, Asker), u64>,
    /// Jobs whose moves are not known yet; the last one is next.
    fresh: Vec<u64>,
    numbers: u64,
}

impl Home {
    /// The move that was best in a search to this depth, if one was good enough.
    pub(super) fn best(&self, key: u64, depth: u32) -> Option<&Move> {
        self.table.get(&(key, depth))?.best.as_ref()
    }

    /// The answer to a question, if it is known: the score, whether it is the least, and the best move.
    pub(super) fn answer(&self, (key, depth, least): Question) -> Option<(Score, bool, Option<Move>)> {
        let known = self.table.get(&(key, depth))?;
        if known.least >= least {
            return Some((known.least, true, known.best.clone()));
        }
        (known.most < least).then_some((known.most, false, None))
    }

    /// Somebody asks what nobody knows.
    pub(super) fn open(
        &mut self,
        who: (ProcessorId, Asker),
        question: Question,
        cuts: bool,
        line: Vec<Move>,
    ) {
        if let Some(&number) = self.active.get(&question)
            && let Some(job) = self.jobs.get_mut(&number)
        {
            job.waiting.push(who);
            self.asked.insert(who, number);
            return;
        }
        self.numbers += 1;
        let (best, waiting) = (Score::MINUS_INFINITE, vec![who]);
        let job = Job { question, cuts, line, children: Vec::new(), best, best_move: None, waiting };
        self.jobs.insert(self.numbers, job);
        self.active.insert(question, self.numbers);
        self.asked.insert(who, self.numbers);
        self.fresh.push(self.numbers);
    }

    /// The next job to begin.
    pub(super) fn next(&mut self) -> Option<u64> {
        self.fresh.pop()
    }

    /// A job is done: notes what came out.
    pub(super) fn close(&mut self, number: u64, score: Score) -> Option<Job> {
        let job = self.remove(number)?;
        let (key, depth, least) = job.question;
        if self.table.len() >= ENTRIES_MAX {
            self.table.clear();
        }
        let unknown = Known { least: Score::MINUS_INFINITE, most: Score::INFINITE, best: None };
        let known = self.table.entry((key, depth)).or_insert(unknown);
        if score < least {
            known.most = known.most.min(score);
        } else if score > known.least {
            known.least = score;
            known.best.clone_from(&job.best_move);
        }
        Some(job)
    }

    /// Somebody does not want to know any more; the job, if nobody does.
    pub(super) fn drop_asker(&mut self, who: (ProcessorId, Asker)) -> Option<(u64, Job)> {
        let number = self.asked.remove(&who)?;
        let job = self.jobs.get_mut(&number)?;
        job.waiting.retain(|other| *other != who);
        if job.waiting.is_empty() { self.remove(number).map(|job| (number, job)) } else { None }
    }

    /// Nothing that was asked counts any more; what is known does.
    pub(super) fn drop_all(&mut self) {
        self.jobs.clear();
        self.active.clear();
        self.asked.clear();
        self.fresh.clear();
    }

    fn remove(&mut self, number: u64) -> Option<Job> {
        let job = self.jobs.remove(&number)?;
        self.active.remove(&job.question);
        job.waiting.iter().for_each(|who| {
            self.asked.remove(who);
        });
        Some(job)
    }
}
