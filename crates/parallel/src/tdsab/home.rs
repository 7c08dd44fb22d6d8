//! What a home works on. What it knows is in its part of the table.

use std::collections::HashMap;

use fabric::ProcessorId;
use game::Move;
use search::{Score, Window};
use table::Bound;

use super::protocol::Asker;

/// What a question is about: position, depth, window.
pub(super) type Question = (u64, u32, (Score, Score));

/// What is known of a position, or of a move, seen from its mover.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Verdict {
    pub(super) score: Score,
    pub(super) bound: Bound,
}

impl Verdict {
    /// Whether that answers a question in this window.
    pub(super) fn decides(self, window: Window) -> bool {
        match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.score >= window.beta,
            Bound::Upper => self.score <= window.alpha,
        }
    }

    /// Both verdicts in one, where they say the same from two sides; otherwise this one.
    pub(super) fn with(self, other: Verdict) -> Verdict {
        let (least, most) = match (self.bound, other.bound) {
            (Bound::Lower, Bound::Upper) => (self.score, other.score),
            (Bound::Upper, Bound::Lower) => (other.score, self.score),
            (_, Bound::Exact) => return other,
            _ => return self,
        };
        if least == most { Verdict { score: least, bound: Bound::Exact } } else { self }
    }
}

/// How far a job has come with a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stage {
    /// It is to be asked about.
    Unasked,
    /// It was asked about, and there is no answer yet.
    Asked,
    /// It is worth more than what was asked about: its value is to be found.
    Better,
    /// All is known of it that matters.
    Settled,
}

/// A move of a job.
pub(super) struct Child {
    pub(super) played: Move,
    pub(super) key: u64,
    pub(super) stage: Stage,
}

/// What is to be asked about a move: its place, and the window as the job sees it.
pub(super) type Inquiry = (usize, Window);

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

impl Job {
    pub(super) fn window(&self) -> Window {
        let (alpha, beta) = self.question.2;
        Window { alpha, beta }
    }

    /// What the job has come to, if it has come to its end.
    pub(super) fn verdict(&self) -> Option<Verdict> {
        let window = self.window();
        let is_done =
            self.best >= window.beta || self.children.iter().all(|child| child.stage == Stage::Settled);
        let bound = Bound::of(self.best.value(), window.alpha.value(), window.beta.value());
        is_done.then_some(Verdict { score: self.best, bound })
    }

    /// What is to be asked next. The first move of a node where a cut or a value is expected is asked about alone; of
    /// the others it is only asked whether they are better, if that is less than the whole question, and one after
    /// the other how much.
    pub(super) fn inquiries(&mut self, tests_first: bool) -> Vec<Inquiry> {
        let window = Window { alpha: self.window().alpha.max(self.best), ..self.window() };
        let is = |stage| move |child: &Child| child.stage == stage;
        let first_alone = self.cuts || !window.is_null();
        let has_begun = self.children.iter().any(is(Stage::Settled)) || !first_alone;
        let is_asking = self.children.iter().any(is(Stage::Asked));
        if !has_begun && is_asking {
            return Vec::new();
        }
        let test = if has_begun && tests_first { Window::above(window.alpha) } else { window };
        let many = if has_begun { usize::MAX } else { 1 };
        let unasked = self.children.iter_mut().enumerate().filter(|(_, child)| child.stage == Stage::Unasked);
        let mut all: Vec<Inquiry> = Vec::new();
        for (index, child) in unasked.take(many) {
            child.stage = Stage::Asked;
            all.push((index, test));
        }
        // The value of one that is better may settle the others.
        if !is_asking
            && all.is_empty()
            && let Some(index) = self.children.iter().position(is(Stage::Better))
        {
            self.children[index].stage = Stage::Asked;
            all.push((index, window));
        }
        all
    }

    /// What is known of a move now, as the mover of the job sees it.
    pub(super) fn hear(&mut self, index: usize, verdict: Verdict) {
        let (alpha, beta) = self.question.2;
        let Some(child) = self.children.get_mut(index) else { return };
        let Verdict { score, bound } = verdict;
        child.stage = match bound {
            Bound::Lower if score < beta && score > self.best.max(alpha) => Stage::Better,
            // Others have become better meanwhile: is it better than those?
            Bound::Lower if score < beta => Stage::Unasked,
            _ => Stage::Settled,
        };
        if child.stage == Stage::Settled && score > self.best {
            (self.best, self.best_move) = (score, Some(child.played.clone()));
            // Whether others are better than that is a cheaper question than how much.
            let better = self.children.iter_mut().filter(|child| child.stage == Stage::Better);
            better.for_each(|child| child.stage = Stage::Unasked);
        }
    }
}

/// A home.
#[derive(Default)]
pub(super) struct Home {
    pub(super) jobs: HashMap<u64, Job>,
    /// Jobs by what they are about, and by who asked.
    active: HashMap<Question, u64>,
    asked: HashMap<(ProcessorId, Asker), u64>,
    /// Jobs whose moves are not known yet; the last one is next.
    fresh: Vec<u64>,
    numbers: u64,
}

impl Home {
    /// A processor asks what is not known.
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

    /// An asker does not want to know any more; the job ends if none does.
    pub(super) fn drop_asker(&mut self, who: (ProcessorId, Asker)) -> Option<(u64, Job)> {
        let number = self.asked.remove(&who)?;
        let job = self.jobs.get_mut(&number)?;
        job.waiting.retain(|other| *other != who);
        if job.waiting.is_empty() { self.remove(number).map(|job| (number, job)) } else { None }
    }

    /// Nothing that was asked counts any more.
    pub(super) fn drop_all(&mut self) {
        self.jobs.clear();
        self.active.clear();
        self.asked.clear();
        self.fresh.clear();
    }

    /// A job is done, or of no use any more.
    pub(super) fn remove(&mut self, number: u64) -> Option<Job> {
        let job = self.jobs.remove(&number)?;
        self.active.remove(&job.question);
        job.waiting.iter().for_each(|who| {
            self.asked.remove(who);
        });
        Some(job)
    }
}

#[cfg(test)]
mod tests {
    use game::Signature;
    use game::moves::MoveHead;

    use super::*;

    const LEAST: Verdict = Verdict { score: Score::DRAW, bound: Bound::Lower };

    fn job(alpha: i32, beta: i32, cuts: bool) -> Job {
        let child = |difference| Child {
            played: Move::new(MoveHead::new(Signature(difference)), []),
            key: difference,
            stage: Stage::Unasked,
        };
        Job {
            question: (1, 2, (Score::estimate(alpha), Score::estimate(beta))),
            cuts,
            line: Vec::new(),
            children: (1..=4).map(child).collect(),
            best: Score::MINUS_INFINITE,
            best_move: None,
            waiting: Vec::new(),
        }
    }

    fn asked(job: &mut Job) -> Vec<(usize, i32, i32)> {
        let of = |(index, window): Inquiry| (index, window.alpha.value(), window.beta.value());
        job.inquiries(true).into_iter().map(of).collect()
    }

    fn hear(job: &mut Job, index: usize, score: i32, bound: Bound) {
        job.hear(index, Verdict { score: Score::estimate(score), bound });
    }

    #[test]
    fn brothers_at_open_windows_are_tested_first() {
        let mut job = job(-100, 100, false);
        assert_eq!(asked(&mut job), [(0, -100, 100)]);
        assert_eq!(asked(&mut job), []);
        hear(&mut job, 0, 10, Bound::Exact);
        assert_eq!(asked(&mut job), [(1, 10, 11), (2, 10, 11), (3, 10, 11)]);
        hear(&mut job, 1, 30, Bound::Lower);
        hear(&mut job, 2, 20, Bound::Lower);
        // One is still out: those that are better wait for it.
        assert_eq!(asked(&mut job), []);
        hear(&mut job, 3, -5, Bound::Upper);
        assert_eq!(asked(&mut job), [(1, 10, 100)]);
        hear(&mut job, 1, 40, Bound::Exact);
        // The other one was better than 10; whether it is better than 40 is another question.
        assert_eq!(asked(&mut job), [(2, 40, 41)]);
        assert_eq!(job.verdict(), None);
        hear(&mut job, 2, 25, Bound::Upper);
        let expected = Verdict { score: Score::estimate(40), bound: Bound::Exact };
        assert_eq!(
            (job.verdict(), job.best_move.clone()),
            (Some(expected), Some(job.children[1].played.clone()))
        );
    }

    #[test]
    fn null_windows_ask_one_first_where_a_cut_is_expected() {
        let mut cut = job(0, 1, true);
        assert_eq!(asked(&mut cut), [(0, 0, 1)]);
        hear(&mut cut, 0, -7, Bound::Upper);
        assert_eq!(asked(&mut cut).len(), 3);
        hear(&mut cut, 2, 4, Bound::Lower);
        let expected = Verdict { score: Score::estimate(4), bound: Bound::Lower };
        assert_eq!(cut.verdict(), Some(expected));
        assert_eq!(asked(&mut job(0, 1, false)).len(), 4);
    }

    #[test]
    fn bounds_that_meet_are_the_value() {
        let most = Verdict { bound: Bound::Upper, ..LEAST };
        let exact = Verdict { bound: Bound::Exact, ..LEAST };
        assert_eq!((LEAST.with(most), most.with(LEAST), LEAST.with(exact)), (exact, exact, exact));
        let higher = Verdict { score: Score::estimate(3), ..most };
        assert_eq!((LEAST.with(higher), LEAST.with(LEAST)), (LEAST, LEAST));
    }
}
