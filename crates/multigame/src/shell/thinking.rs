//! Commands that search, and what searches found out.

use std::io::Write;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use game::perft::Tally;
use game::{Game, fen, text};
use protocol::Thought;
use search::{Depth, Limits, Statistics, TimeLimit};

use super::setting::{SECONDS_USUAL, number};
use super::{Shell, counters};
use crate::commands::warm_up_count;
use crate::numbers::{counted, grouped, per_second};
use crate::opponent::{self, Choice};
use crate::{interrupt, lines};

const PERFT_MAX: u32 = 100;

impl<G: Game> Shell<'_, G> {
    fn limits(&self) -> Limits {
        let seconds = self.seconds.or_else(|| (!self.is_limited()).then_some(SECONDS_USUAL));
        Limits {
            depth: self.depth.map(Depth),
            nodes: self.nodes,
            time: seconds
                .map_or(TimeLimit::Infinite, |seconds| TimeLimit::Fixed(Duration::from_secs_f64(seconds))),
            ..Limits::default()
        }
    }

    /// Searches the position for so many best moves; Ctrl-C ends the search with what it has.
    fn think(&mut self, best_moves: usize, out: &mut dyn Write) -> Result<Thought> {
        opponent::get_ready(&mut self.session)?;
        let before = self.session.options().clone();
        self.session.set_options(protocol::EngineOptions { multi_pv: best_moves, ..before.clone() });
        let found = self.search(out);
        self.session.set_options(before);
        let thought = found?;
        interrupt::clear();
        self.counted += thought.report.statistics;
        self.searches += 1;
        self.last = Some((self.session.game().signature(self.session.record().position()), thought.clone()));
        Ok(thought)
    }

    fn search(&self, out: &mut dyn Write) -> Result<Thought> {
        let task = self.session.task(self.limits(), Vec::new())?;
        let control = self.session.control().clone();
        let _stopper = interrupt::on_request(move || control.stop());
        let mut trouble = Ok(());
        let thought = task.run(&mut |rank, news| {
            if !self.verbose || trouble.is_err() {
                return;
            }
            let rank = format!(" {rank:>2}");
            trouble = writeln!(out, "{}", lines::progress_in_words(&self.session, &rank, news))
                .and_then(|()| out.flush());
        })?;
        trouble?;
        lines::tell_remarks(&thought);
        Ok(thought)
    }

    /// What the computer would play; there must be a legal move.
    pub(super) fn choose(&mut self, out: &mut dyn Write) -> Result<Choice> {
        if self.session.info().players != 2 {
            let time = self.seconds.unwrap_or(if self.is_limited() { 86_400.0 } else { SECONDS_USUAL });
            let depth = self.depth.map(|depth| depth as u32);
            let limits = opponent::Allowance { depth, time: Duration::from_secs_f64(time) };
            let mut random = fastrand::Rng::with_seed(self.seed);
            let choice = opponent::choose(&mut self.session, limits, &mut random)?;
            interrupt::clear();
            return match choice {
                Some(choice) => Ok(choice),
                None => bail!("there is no move to play"),
            };
        }
        let report = self.think(1, out)?.report;
        let Some(best) = report.best else { bail!("the search found no move") };
        Ok(Choice {
            best,
            expectation: report.score.to_string(),
            depth: report.depth.0.max(0) as u32,
            nodes: report.nodes,
            is_found: true,
        })
    }

    pub(super) fn hint(&mut self, given: &str, out: &mut dyn Write) -> Result<()> {
        let count = if given.is_empty() { 1 } else { number(given, 1, 500)? };
        if let Some(result) = self.result() {
            bail!("the game is over ({result})");
        }
        // A hint is the best there is, however well the computer plays.
        let usual = self.session.options().clone();
        self.session.set_options(protocol::EngineOptions { level: protocol::Level::FULL, ..usual.clone() });
        let told = self.tell_hint(count, out);
        self.session.set_options(usual);
        told
    }

    fn tell_hint(&mut self, count: usize, out: &mut dyn Write) -> Result<()> {
        if count > 1 {
            let lines = self.think(count, out)?.lines;
            for line in lines {
                let names = lines::recorded_names(&self.session, &line.moves);
                let best = names.first().map_or("", String::as_str);
                writeln!(out, "{best} ({}): {}", line.score, names.join(" "))?;
            }
            return Ok(());
        }
        let choice = self.choose(out)?;
        match choice.excuse() {
            Some(excuse) => writeln!(out, "{excuse}")?,
            None => writeln!(out, "{} ({})", self.recorded_name(&choice.best), choice.expectation)?,
        }
        Ok(())
    }

    pub(super) fn principal_variation(&mut self, out: &mut dyn Write) -> Result<()> {
        let here = self.session.game().signature(self.session.record().position());
        let known =
            self.last.as_ref().filter(|(about, _)| *about == here).map(|(_, thought)| thought.clone());
        if let Some(result) = self.result() {
            bail!("the game is over ({result})");
        }
        let thought = match known {
            Some(thought) => thought,
            None => self.think(1, out)?,
        };
        let report = &thought.report;
        let line = lines::joined(&lines::recorded_names(&self.session, &report.principal_variation));
        writeln!(out, "{line} ({}, depth {})", report.score, report.depth)?;
        Ok(())
    }

    pub(super) fn evaluate(&self, out: &mut dyn Write) -> Result<()> {
        let worth = self.session.game().evaluate(self.session.record().position())?;
        match self.session.info().players {
            2 => writeln!(out, "{worth:+} for {}, who is to move", self.session.position().mover())?,
            _ => writeln!(out, "at least {}", counted(worth.max(0) as u64, "move", "moves"))?,
        }
        Ok(())
    }

    pub(super) fn statistics(&mut self, given: &str, out: &mut dyn Write) -> Result<()> {
        if given == "reset" {
            (self.counted, self.searches, self.last) = (Statistics::default(), 0, None);
            return Ok(());
        }
        let names: Vec<String> = given.split_whitespace().map(str::to_owned).collect();
        let page = counters::page(&self.counted, &names).map_err(|message| anyhow::anyhow!(message))?;
        writeln!(out, "{}", counted(self.searches, "search", "searches"))?;
        write!(out, "{page}")?;
        Ok(())
    }

    pub(super) fn perft(&self, given: &str, out: &mut dyn Write) -> Result<()> {
        let depth = number(given, 0, PERFT_MAX)?;
        warm_up_count(self.session.game(), &self.session.position(), false)?;
        let mut tally = Tally::new(false, &interrupt::requested);
        let began = Instant::now();
        self.session.game().perft(self.session.record().position(), depth, &mut tally)?;
        let seconds = began.elapsed().as_secs_f64();
        writeln!(
            out,
            "depth {depth}: {}{} in {seconds:.3} s ({} a second)",
            counted(tally.leaves, "leaf", "leaves"),
            if tally.stopped { " so far (stopped)" } else { "" },
            grouped(per_second(tally.leaves, seconds) as u64)
        )?;
        Ok(())
    }

    pub(super) fn position(&mut self, given: &str, out: &mut dyn Write) -> Result<()> {
        if given.is_empty() {
            let (info, position) = (self.session.info(), self.session.position());
            write!(out, "{}", text::write(info, &position))?;
            writeln!(out, "{}", fen::write(info, &position))?;
            return Ok(());
        }
        self.session.begin_at(given)?;
        if self.interactive {
            self.board(out)?;
        }
        Ok(())
    }
}
