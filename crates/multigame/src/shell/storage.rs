//! Commands that read and write files: positions, games, books, and files of commands.

use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail};
use game::{Game, fen, notation};
use protocol::dialect::{read_numbered, read_position};
use protocol::pgn::{self, Pgn, PgnError};

use super::{Flow, NESTING_MAX, Shell};
use crate::numbers::counted;
use crate::{books, files, interrupt};

impl<G: Game> Shell<'_, G> {
    /// Does what a file says, line by line; a line that cannot be done ends it.
    pub(super) fn execute(
        &mut self,
        given: &str,
        input: Option<String>,
        out: &mut dyn Write,
    ) -> Result<Flow> {
        let text = match input {
            Some(text) => text,
            None if given.is_empty() => bail!("say which file: execute FILE"),
            None => files::read_text(Path::new(given))?,
        };
        if self.nesting >= NESTING_MAX {
            bail!("files of commands execute each other more than {NESTING_MAX} deep");
        }
        self.nesting += 1;
        let mut result = Ok(Flow::On);
        for (index, line) in text.lines().enumerate() {
            if self.echo && !line.trim().is_empty() {
                writeln!(out, "> {}", line.trim())?;
            }
            result = self.obey(line, out).and_then(|flow| {
                self.answer(out)?;
                Ok(flow)
            });
            result = result.with_context(|| format!("line {}", index + 1));
            if !matches!(result, Ok(Flow::On)) || interrupt::requested() {
                break;
            }
        }
        self.nesting -= 1;
        result
    }

    /// A position in any form, or a game.
    pub(super) fn read(&mut self, given: &str, input: Option<String>, out: &mut dyn Write) -> Result<()> {
        let (file, number) = match (given.rsplit_once(' '), &input) {
            (None, Some(_)) => ("", given),
            (Some((file, number)), None) if number.parse::<usize>().is_ok() => (file.trim(), number),
            _ => (given, ""),
        };
        let number = if number.is_empty() { 1 } else { super::setting::number(number, 1, usize::MAX)? };
        let text = match input {
            Some(text) => text,
            None if file.is_empty() => bail!("say which file: read FILE"),
            None => files::read_text(Path::new(file))?,
        };
        let position = match number {
            1 => read_position(self.session.info(), text.trim_end()),
            number => read_numbered(self.session.info(), &text, number),
        };
        match position {
            Ok(position) => {
                self.session.begin(position)?;
                writeln!(out, "a position")?;
            }
            Err(error) => self.read_game(&text, number, &error.to_string(), out)?,
        }
        if self.interactive {
            self.board(out)?;
        }
        Ok(())
    }

    fn read_game(&mut self, text: &str, number: usize, trouble: &str, out: &mut dyn Write) -> Result<()> {
        let games = pgn::read(text);
        let games: Vec<&Pgn> = games.iter().filter(|game| !game.moves.is_empty()).collect();
        // One word that is no move is a position gone wrong rather than a game.
        let Some(pgn) = games.get(number - 1) else {
            match games.len() {
                0 => bail!("neither a position nor a game: {trouble}"),
                count => bail!("there are {}, not {number}", counted(count as u64, "game", "games")),
            }
        };
        let record = match pgn.replay(self.session.game()) {
            Ok(record) => record,
            Err(PgnError::Move { number: 1, .. }) if !pgn::is_meant(text) => {
                bail!("neither a position nor a saved game: {trouble}")
            }
            Err(error) => bail!("game {number}: {error}"),
        };
        let (start, moves) = (record.start().clone(), record.moves().to_vec());
        self.session.begin(start)?;
        for played in &moves {
            self.session.play(played)?;
        }
        writeln!(out, "a game of {}", counted(moves.len() as u64, "move", "moves"))?;
        Ok(())
    }

    /// The position in one line, or the game; to a file or for people.
    pub(super) fn write(&self, given: &str, out: &mut dyn Write) -> Result<()> {
        let (as_game, file) = match given.split_once(' ') {
            _ if given == "pgn" => (true, ""),
            Some(("pgn", file)) => (true, file.trim()),
            _ => (given.to_lowercase().ends_with(".pgn"), given),
        };
        let text = if as_game {
            let tags = [("Event", "multigame shell"), ("Variant", self.session.info().name.as_str())];
            Pgn::of_record(self.session.record(), self.session.knowledge(), &tags)?.to_string()
        } else {
            format!("{}\n", fen::write(self.session.info(), &self.session.position()))
        };
        if file.is_empty() {
            write!(out, "{text}")?;
        } else {
            std::fs::write(file, text).with_context(|| format!("cannot write `{file}`"))?;
        }
        Ok(())
    }

    pub(super) fn opening(&mut self, given: &str, out: &mut dyn Write) -> Result<()> {
        match given {
            "off" => self.book_on = false,
            "on" if self.book.is_none() => bail!("there is no book: give one with `opening FILE`"),
            "on" => self.book_on = true,
            "" => return self.say_opening(out),
            file => {
                let book = books::open(self.session.game(), Path::new(file))?;
                writeln!(out, "a book of {}", counted(book.positions() as u64, "position", "positions"))?;
                (self.book, self.book_on) = (Some(book), true);
            }
        }
        Ok(())
    }

    fn say_opening(&self, out: &mut dyn Write) -> Result<()> {
        let book =
            self.book.as_ref().ok_or_else(|| anyhow!("there is no book: give one with `opening FILE`"))?;
        let state = if self.book_on { "on" } else { "off" };
        writeln!(out, "opening: {state}, {}", counted(book.positions() as u64, "position", "positions"))?;
        let record = self.session.record();
        let known = book.known(self.session.game().signature(record.position()), record.legal());
        let names = notation::short_forms(self.session.info(), &self.session.position(), record.legal());
        for (index, weight) in &known {
            writeln!(out, "  {:<8} {weight}", names[*index])?;
        }
        if known.is_empty() {
            writeln!(out, "it knows no move here")?;
        }
        Ok(())
    }
}
