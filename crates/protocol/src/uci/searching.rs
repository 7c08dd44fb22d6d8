//! Searching for a program that speaks UCI: `go`, its limits, and the answer.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use game::record::Standing;
use game::{Colour, Game, Move};
use search::{Depth, Limits, Progress, Score, TimeLimit};

use super::command::{self, Command, Go};
use super::{DEFAULT_TIME, Dialogue, MILLISECONDS_MAX, Running, UciError, info, usable};
use crate::exchange::Event;
use crate::session::SessionError;
use crate::task::Thought;

impl<G: Game> Dialogue<'_, '_, '_, '_, G> {
    pub(super) fn go(&mut self, go: &Go, asked: Instant) -> Result<(), UciError> {
        self.settle()?;
        for complaint in &go.complaints {
            self.conversation.complain(complaint)?;
        }
        if self.refused {
            self.conversation.complain("the last position was refused: there is no move to make")?;
            return Ok(self.conversation.say("bestmove (none)")?);
        }
        if self.session.lift_counters().map_err(SessionError::from)? {
            self.conversation
                .complain("a counter of the rules says that this is drawn: searching all the same")?;
        }
        if let Standing::Finished(outcome, viewer) = self.session.record().standing()
            && self.session.legal().map_err(SessionError::from)?.is_empty()
        {
            let seen = if viewer == self.session.position().mover() { outcome } else { outcome.reversed() };
            let score = info::score(Score::of_outcome(seen, 0));
            self.conversation.say(&format!("info depth 0 score {score}"))?;
            let result = outcome.winner(viewer).map_or("drawn".to_owned(), |winner| format!("{winner} wins"));
            self.conversation
                .say(&format!("info string the game is over ({result}): there is no move to make"))?;
            return Ok(self.conversation.say("bestmove (none)")?);
        }
        if let Some(name) = self.book_move(go) {
            self.conversation.say("info string from the opening book")?;
            return Ok(self.conversation.say(&format!("bestmove {name}"))?);
        }
        let only = self.search_moves(go)?;
        // A search that waited for another began when that one ended.
        let waited = asked.max(self.idle_since.unwrap_or(asked)).elapsed();
        let limits = self.limits(go, waited);
        let task = self.session.task(limits, only)?;
        let endless = limits == Limits::default();
        let held = go.infinite || go.ponder || endless;
        self.running = Some(Running { held, time: limits.time, ponders: go.ponder, result: None });
        let (game, root) = (self.session.game(), self.session.record().position().clone());
        let tell = move |rank: usize, news: &Progress<'_>| info::line(game, &root, rank, news);
        Ok(self.conversation.exchange.start(self.scope, task, tell)?)
    }

    /// What the opening book plays, if it is to be asked.
    pub(super) fn book_move(&self, go: &Go) -> Option<String> {
        let thinks = go.infinite || go.ponder || go.mate.is_some() || !go.search_moves.is_empty();
        let book = self.book.as_ref().filter(|_| self.conversation.own_book && !thinks)?;
        let (record, seed) = (self.session.record(), self.session.options().settings.seed);
        let played = book.choose(record, seed)?;
        let position = self.session.position();
        Some(crate::coordinates::name(self.session.info(), &position, record.legal(), played.view()))
    }

    pub(super) fn search_moves(&mut self, go: &Go) -> Result<Vec<Move>, UciError> {
        let legal = self.session.legal().map_err(SessionError::from)?;
        let position = self.session.position();
        let mut only = Vec::new();
        for name in &go.search_moves {
            match crate::coordinates::find(self.session.info(), &position, &legal, name) {
                Ok(index) => only.push(legal.get(index).to_move()),
                Err(error) => self.conversation.complain(&error.to_string())?,
            }
        }
        Ok(only)
    }

    pub(super) fn limits(&self, go: &Go, waited: Duration) -> Limits {
        let overhead = self.session.options().move_overhead;
        let side = match self.session.position().mover() {
            Colour::White => 0,
            Colour::Black => 1,
        };
        let time = match (go.move_time, go.time[side]) {
            _ if go.infinite => TimeLimit::Infinite,
            (Some(time), _) => {
                let time = Duration::from_millis(time.min(MILLISECONDS_MAX));
                TimeLimit::Fixed(time.saturating_sub(overhead).max(time / 2).saturating_sub(waited))
            }
            (None, Some(left)) => TimeLimit::Clock {
                remaining: usable(
                    Duration::from_millis(left.min(MILLISECONDS_MAX)).saturating_sub(waited),
                    overhead,
                ),
                // What gets lost with every move is not there to be spent.
                increment: Duration::from_millis(go.increment[side].min(MILLISECONDS_MAX))
                    .saturating_sub(overhead),
                moves_to_go: go.moves_to_go,
            },
            // A program that gave a limit that makes no sense still wants an answer.
            (None, None) if !go.complaints.is_empty() && go.is_endless() && !go.ponder => {
                TimeLimit::Fixed(DEFAULT_TIME)
            }
            (None, None) => TimeLimit::Infinite,
        };
        let depth = go.depth.map(|plies| Depth(plies.min(Depth::MAX.0)));
        let win_within = go.mate.map(|moves| (2 * moves - 1).min(Depth::MAX.0));
        let depth = depth.filter(|_| !go.infinite);
        Limits { depth, nodes: go.nodes, time, ponder: go.ponder, win_within }
    }

    pub(super) fn ponder_hit(&mut self) -> Result<(), UciError> {
        let Some(running) = self.running.as_mut().filter(|running| running.ponders) else { return Ok(()) };
        (running.held, running.ponders) = (false, false);
        self.session.control().start_clock(self.session.now(), running.time);
        match running.result.take() {
            Some(result) => self.answer(&result),
            None => Ok(()),
        }
    }

    /// Brings a search to its end: one with a limit gets there by itself, any other is stopped.
    pub(super) fn settle(&mut self) -> Result<(), UciError> {
        match &self.running {
            Some(running) if !running.held => self.await_search(),
            _ => self.finish_search(),
        }
    }

    /// Stops a search that is going on, and answers for it.
    pub(super) fn finish_search(&mut self) -> Result<(), UciError> {
        if let Some(running) = &mut self.running {
            running.held = false;
            match running.result.take() {
                Some(result) => return self.answer(&result),
                None => self.session.control().stop(),
            }
        }
        self.await_search()
    }

    /// Waits for a search that is going on. What is said meanwhile waits too, unless it is about the search.
    pub(super) fn await_search(&mut self) -> Result<(), UciError> {
        let mut said = VecDeque::new();
        while self.running.is_some() {
            match self.conversation.exchange.next() {
                Event::News(line) => self.conversation.say(&line)?,
                Event::Finished(result) => self.finished(*result)?,
                Event::Line(line, at) => match command::parse(&line) {
                    Ok(Command::Stop) => self.session.control().stop(),
                    Ok(Command::IsReady) => self.conversation.say("readyok")?,
                    Ok(Command::Quit) => {
                        self.session.control().stop();
                        said.push_back(Event::Line(line, at));
                    }
                    _ => said.push_back(Event::Line(line, at)),
                },
                Event::End => said.push_back(Event::End),
            }
        }
        self.conversation.exchange.keep(said);
        Ok(())
    }

    pub(super) fn finished(&mut self, result: Result<Thought, String>) -> Result<(), UciError> {
        match &mut self.running {
            Some(running) if running.held => {
                running.result = Some(result);
                Ok(())
            }
            Some(_) => self.answer(&result),
            None => Ok(()),
        }
    }

    pub(super) fn answer(&mut self, result: &Result<Thought, String>) -> Result<(), UciError> {
        self.running = None;
        self.idle_since = Some(Instant::now());
        let (game, root) = (self.session.game(), self.session.record().position());
        let line = match result {
            Ok(thought) => {
                let report = &thought.report;
                for remark in thought.remarks() {
                    self.conversation.complain(&remark)?;
                }
                if report.best.is_none() {
                    let score = info::score(report.score);
                    self.conversation.say(&format!("info depth 0 score {score}"))?;
                }
                let line: &[Move] = thought.lines.first().map_or(&[], |line| &line.moves);
                info::variation(game, root, line)
            }
            Err(message) => {
                self.conversation.complain(message)?;
                // Whatever went wrong, a move is expected.
                let legal = self.session.legal().unwrap_or_default();
                let first = legal.iter().next().map(|played| played.to_move());
                info::variation(game, root, first.as_slice())
            }
        };
        let ponder = line.get(1).map_or(String::new(), |reply| format!(" ponder {reply}"));
        let best = line.first().map_or("(none)", String::as_str);
        Ok(self.conversation.say(&format!("bestmove {best}{ponder}"))?)
    }
}
