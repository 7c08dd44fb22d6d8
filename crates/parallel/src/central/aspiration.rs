//! Parallel aspiration, after Baudet: the scores that the root may have are cut into as many windows as there are
//! processors, and each searches the whole tree in one of them. A search that fails says on which side the value
//! is, and the one whose window holds it ends the iteration. One that is done early takes half of a window that another
//! one else searches.

use fabric::ProcessorId;
use game::{Game, Move};
use search::watch::Interrupt;
use search::{Depth, Score, Window};

use super::job::{Answer, Job};
use super::plan::{Bounds, Plan, Scout, margin};

pub(super) struct Aspiration {
    processors: usize,
    /// The unit of estimates.
    unit: i32,
    depth: Depth,
    guess: Score,
    bounds: Bounds,
    /// Windows that have not been begun, the last one first.
    fresh: Vec<Window>,
    /// Windows that are being searched.
    searched: Vec<Window>,
    /// Where a window has been cut.
    cuts: Vec<Score>,
    line: Vec<Move>,
}

impl Aspiration {
    pub(super) fn new(processors: usize, unit: i32) -> Aspiration {
        Aspiration {
            processors,
            unit,
            depth: Depth(0),
            guess: Score::DRAW,
            bounds: Bounds::UNKNOWN,
            fresh: Vec::new(),
            searched: Vec::new(),
            cuts: Vec::new(),
            line: Vec::new(),
        }
    }

    /// How far the inside of a window is from the guess.
    fn distance(&self, window: Window) -> i64 {
        let value = |score: Score| i64::from(score.value());
        let guess = value(self.guess);
        (value(window.alpha) + 1 - guess).max(guess - value(window.beta) + 1).max(0)
    }

    /// Half of the most likely window that is being searched, on the side of the guess.
    fn half(&mut self) -> Option<Window> {
        let step = margin(self.unit, self.guess)?;
        let within = |window: &Window| Window {
            alpha: window.alpha.max(self.bounds.least.previous()),
            beta: window.beta.min(self.bounds.most.next()),
        };
        let mut windows: Vec<Window> = self.searched.iter().map(within).collect();
        windows.sort_by_key(|&window| self.distance(window));
        for Window { alpha, beta } in windows {
            // Windows without an end are cut a step behind their beginning.
            let cut = match (alpha.is_decided(), beta.is_decided()) {
                (false, false) => Score::from_value(i32::midpoint(alpha.value(), beta.value())),
                (false, true) => alpha.plus(step),
                (true, false) => beta.plus(-step),
                (true, true) => self.guess,
            };
            let halves = [Window { alpha, beta: cut.next() }, Window { alpha: cut, beta }];
            let is_new = alpha < cut && cut.next() < beta && !self.cuts.contains(&cut);
            if is_new {
                self.cuts.push(cut);
                return halves.into_iter().min_by_key(|&half| self.distance(half));
            }
        }
        None
    }

    fn is_of_use(&self, window: Window) -> bool {
        !self.bounds.are_met() && window.alpha < self.bounds.most && window.beta > self.bounds.least
    }

    fn remove(&mut self, window: Window) {
        if let Some(index) = self.searched.iter().position(|other| *other == window) {
            self.searched.remove(index);
        }
    }
}

/// Where windows around a guess end: every score lies in one of so many.
fn edges(processors: usize, unit: i32, guess: Score) -> Vec<Score> {
    let Some(width) = margin(unit, guess) else {
        // Losses, draws and wins.
        return vec![Score::DRAW.previous(), Score::DRAW].into_iter().take(processors - 1).collect();
    };
    let middle = processors as i64 - 2;
    let edge = |number: i64| {
        let distance = (2 * number - middle) * i64::from(width) / 2;
        guess.plus(distance.clamp(i64::from(i32::MIN / 4), i64::from(i32::MAX / 4)) as i32)
    };
    let mut edges: Vec<Score> = (0..processors as i64 - 1).map(edge).collect();
    edges.dedup();
    edges
}

impl<G: Game> Plan<G> for Aspiration {
    fn begin(&mut self, depth: Depth, guess: Score) {
        (self.depth, self.guess, self.bounds) = (depth, guess, Bounds::UNKNOWN);
        self.searched.clear();
        self.cuts.clear();
        let mut alpha = Score::MINUS_INFINITE;
        self.fresh.clear();
        for edge in edges(self.processors, self.unit, guess) {
            self.fresh.push(Window { alpha, beta: edge.next() });
            alpha = edge;
        }
        self.fresh.push(Window { alpha, beta: Score::INFINITE });
        let mut fresh = std::mem::take(&mut self.fresh);
        fresh.sort_by_key(|&window| std::cmp::Reverse(self.distance(window)));
        self.fresh = fresh;
    }

    fn next(&mut self, _: ProcessorId, _: &mut Scout<'_, G>) -> Result<Option<Job>, Interrupt> {
        let window = loop {
            match self.fresh.pop() {
                Some(window) if self.is_of_use(window) => break Some(window),
                Some(_) => {}
                None => break self.half(),
            }
        };
        Ok(window.map(|window| {
            self.searched.push(window);
            Job { line: Vec::new(), only: Vec::new(), window, depth: self.depth, tag: 0 }
        }))
    }

    fn wants(&self, job: &Job) -> bool {
        job.depth == self.depth && self.is_of_use(job.window)
    }

    fn found(&mut self, job: &Job, answer: Answer) {
        self.remove(job.window);
        if job.depth != self.depth {
            return;
        }
        if answer.score > job.window.alpha && !answer.line.is_empty() {
            self.line = answer.line;
        }
        let Window { alpha, beta } = job.window;
        if answer.score <= alpha {
            self.bounds.most = self.bounds.most.min(answer.score);
        } else if answer.score >= beta {
            self.bounds.least = self.bounds.least.max(answer.score);
        } else {
            self.bounds = Bounds::exactly(answer.score);
        }
    }

    fn lost(&mut self, job: &Job) {
        self.remove(job.window);
        if job.depth == self.depth {
            self.fresh.push(job.window);
        }
    }

    fn value(&self) -> Option<(Score, Vec<Move>)> {
        self.bounds.are_met().then(|| (self.bounds.least, self.line.clone()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_score_lies_in_one_window() {
        for processors in 2..40 {
            for (unit, guess) in [(100, 37), (0, 0), (1, -4)] {
                let edges = edges(processors, unit, Score::estimate(guess));
                assert!(edges.len() < processors && edges.windows(2).all(|pair| pair[0] < pair[1]));
            }
        }
    }
}
