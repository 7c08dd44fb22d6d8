//! Searches that are directed from outside: the one who directs them names a position by the moves that lead to it from
//! the root, asks what follows it, or what it is worth in a window, and says in the end what came of it all.

use game::{Game, Move, RuleFault, Signature, Stage};
use table::Table;

use crate::company::Company;
use crate::depth::Depth;
use crate::line::NodeKind;
use crate::node::Arrival;
use crate::report::{Progress, Report};
use crate::score::{Score, Window};
use crate::searcher::{Searcher, no_move};
use crate::watch::Interrupt;

/// What there is behind some moves from the root.
pub enum Prospect {
    /// Nothing to search: the position is worth this to its mover.
    Settled(Score),
    /// These moves, those first that look best.
    Moves(Vec<Move>),
}

/// What is asked of a search.
pub struct Inquiry<'line> {
    /// The moves from the root to the position.
    pub line: &'line [Move],
    /// In which window.
    pub window: Window,
    /// How deep it is searched from the position on.
    pub depth: Depth,
}

impl<G: Game, T: Table, C: Company<G::Position>> Searcher<'_, G, T, C> {
    /// The moves behind a line from the root, for a search to this depth from there on. Counts a node.
    ///
    /// # Errors
    /// When the search has to stop.
    pub fn prospect(&mut self, line: &[Move], depth: Depth) -> Result<Prospect, Interrupt> {
        self.behind(line, |searcher, position, arrival| {
            searcher.count_node()?;
            if let Some(score) = searcher.repetition() {
                return Ok(Prospect::Settled(score));
            }
            let ply = line.len();
            let mut frame = searcher.take_frame(ply);
            let finished = searcher.generate(position, Stage::All, &mut frame.moves);
            let key = searcher.table_key(depth);
            let best = searcher.probe(key, depth).best;
            let hints = searcher.hints(position, best, arrival.previous, ply);
            searcher.rank_moves(&frame.moves, hints, &mut frame.order);
            let indices: Vec<usize> =
                (0..frame.order.len()).map(|place| frame.order.select(place).index()).collect();
            let moves = indices.into_iter().map(|index| frame.moves.get(index).to_move()).collect();
            searcher.return_frame(ply, frame);
            Ok(match finished? {
                Some(outcome) => Prospect::Settled(Score::of_outcome(outcome, ply)),
                None => Prospect::Moves(moves),
            })
        })
    }

    /// Under which key a table has the position behind a line, searched to this depth from there on.
    #[must_use]
    pub fn key(&mut self, line: &[Move], depth: Depth) -> Signature {
        line.iter().for_each(|played| self.path.push(played.view()));
        let key = self.table_key(depth);
        line.iter().for_each(|_| self.path.pop());
        key
    }

    /// What the position behind a line is worth to its mover, as seen from the root; [`Searcher::best_line`] has the
    /// moves.
    ///
    /// # Errors
    /// When the search has to stop.
    pub fn inquire(&mut self, inquiry: &Inquiry<'_>) -> Result<Score, Interrupt> {
        let &Inquiry { line, window, depth } = inquiry;
        self.root_depth = depth.0 + line.len() as i32;
        self.behind(line, |searcher, position, arrival| searcher.node(position, window, depth, arrival))
    }

    /// The same for the best of some moves of the root. The first one is searched in the whole window, and the others
    /// whether they are better.
    ///
    /// # Errors
    /// When the search has to stop.
    pub fn inquire_moves(
        &mut self,
        moves: &[Move],
        window: Window,
        depth: Depth,
    ) -> Result<(Score, Vec<Move>), Interrupt> {
        let (mut best, mut line) = (Score::MINUS_INFINITE, Vec::new());
        for played in moves {
            let alpha = window.alpha.max(best);
            let open = Window { alpha, beta: window.beta };
            let first = if line.is_empty() { open } else { Window::above(alpha) };
            let (mut score, mut rest) = self.inquire_move(played, first, depth)?;
            if !line.is_empty() && score > alpha && score < window.beta {
                (score, rest) = self.inquire_move(played, open, depth)?;
            }
            if score > best || line.is_empty() {
                best = score;
                line = vec![played.clone()];
                line.append(&mut rest);
            }
            if best >= window.beta {
                break;
            }
        }
        Ok((best, line))
    }

    /// What a move of the root is worth, and what it leads to.
    fn inquire_move(
        &mut self,
        played: &Move,
        window: Window,
        depth: Depth,
    ) -> Result<(Score, Vec<Move>), Interrupt> {
        if let Some(outcome) = played.view().head.outcome() {
            return Ok((Score::of_outcome(outcome, 1), Vec::new()));
        }
        let line = std::slice::from_ref(played);
        let score = self.inquire(&Inquiry { line, window: window.reversed(), depth: depth - 1 })?;
        Ok((-score, self.best_line(1)))
    }

    /// The best line from a ply on that the last search of a position there has found.
    #[must_use]
    pub fn best_line(&self, ply: usize) -> Vec<Move> {
        self.lines[ply].clone()
    }

    /// Whether a limit is reached.
    ///
    /// # Errors
    /// When it is.
    pub fn look_at_limits(&mut self) -> Result<(), Interrupt> {
        self.watch.look()
    }

    /// Whether there is time for another iteration.
    #[must_use]
    pub fn may_go_on(&self) -> bool {
        self.watch.may_go_on(100)
    }

    /// Takes over what an iteration has come to, and tells of it.
    pub fn conclude(
        &mut self,
        depth: Depth,
        score: Score,
        line: Vec<Move>,
        progress: &mut dyn FnMut(&Progress<'_>),
    ) {
        self.root_depth = depth.0;
        if let Some(best) = line.first() {
            self.root_best = Some((best.clone(), score));
            self.lines[0] = line;
        }
        self.tell(depth, score, progress);
    }

    /// What came of the search.
    #[must_use]
    pub fn summary(&self, depth: Depth, score: Score, fault: Option<Box<RuleFault>>) -> Report {
        Report {
            score,
            best: self.root_best.as_ref().map(|(best, _)| best.clone()),
            principal_variation: self.principal_variation(),
            depth,
            proven: score.is_decided(),
            bounds: None,
            nodes: self.watch.total_nodes(),
            elapsed: self.watch.elapsed(),
            statistics: self.statistics(),
            fault,
            threads_lost: 0,
        }
    }

    /// Does something with the position behind a line, and comes back to the root.
    fn behind<R>(
        &mut self,
        line: &[Move],
        work: impl FnOnce(&mut Self, &G::Position, Arrival) -> Result<R, Interrupt>,
    ) -> Result<R, Interrupt> {
        let mut position = self.root.position.clone();
        let mut arrival = Arrival {
            previous: no_move(),
            principal: line.is_empty(),
            kind: NodeKind::Principal,
            ..Arrival::default()
        };
        for played in line {
            position = self.enter(&position, played.view());
            arrival.previous = played.view().head.signature_difference;
            arrival.may_pass = self.may_pass_after(played.view());
        }
        let result = work(self, &position, arrival);
        line.iter().for_each(|_| self.leave());
        result
    }
}
