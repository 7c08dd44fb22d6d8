//! What a person keeps of a game, and how a puzzle begins: saving, loading, history, levels and scrambling.

use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::path::Path;

use anyhow::Result;
use game::record::Standing;
use game::{Colour, Game, MoveList, Outcome, Stage, fen};
use protocol::EngineOptions;
use protocol::pgn::{self, Pgn, PgnError};
use rustc_hash::FxHashSet;
use serde_json::json;

use super::{SCRAMBLE_MOVES, Sitting};
use crate::cli::Side;
use crate::files;

impl<G: Game> Sitting<'_, '_, G> {
    /// The game so far as other commands read it, and the position.
    pub(super) fn so_far(&self) -> String {
        let info = self.record().game().info();
        let plays = |side| match self.side {
            Side::Both => "a person",
            own if own == side => "a person",
            _ => "multigame",
        };
        let mut tags = vec![("Event", "multigame play"), ("White", plays(Side::White))];
        if info.players == 2 {
            tags.push(("Black", plays(Side::Black)));
        }
        tags.push(("Variant", info.name.as_str()));
        let game = Pgn::named(self.record(), self.names.clone(), &tags);
        format!("{game}; {}\n", fen::write(info, &self.plain()))
    }

    pub(super) fn say_history(&mut self) -> Result<()> {
        if self.names.is_empty() {
            return self.say("No move has been made yet.");
        }
        if self.json {
            writeln!(self.out, "{}", json!({ "history": self.names }))?;
            return Ok(());
        }
        let players = self.record().game().info().players.max(1) as usize;
        let begins = usize::from(players == 2 && self.record().start().mover() == Colour::Black);
        let mut named: Vec<&str> = vec!["…"; begins];
        named.extend(self.names.iter().map(String::as_str));
        let numbered = named.chunks(players).enumerate();
        let rounds: Vec<String> =
            numbered.map(|(index, round)| format!("{}. {}", index + 1, round.join(" "))).collect();
        for line in rounds.chunks(6) {
            writeln!(self.out, "{}", line.join("  "))?;
        }
        Ok(())
    }

    pub(super) fn set_level(&mut self, word: &str) -> Result<()> {
        match crate::cli::level(word) {
            Ok(level) => {
                let usual = self.engine.options().clone();
                self.engine.set_options(EngineOptions { level, ..usual });
                self.say(&format!("The computer plays at level {word}."))
            }
            Err(hint) => self.say(&hint),
        }
    }

    /// How well the computer plays now.
    pub(super) fn say_level(&mut self) -> Result<()> {
        let level = self.engine.options().level;
        self.say(&format!(
            "The computer plays at level {level}; `level WORD` changes it (`help` has the words)."
        ))
    }

    pub(super) fn save(&mut self, file: &str) -> Result<()> {
        let written = OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(file)
            .and_then(|mut new| new.write_all(self.so_far().as_bytes()));
        match written {
            Ok(()) => self.say(&format!("The game is in `{file}`.")),
            // A file of the user's is not overwritten without a word.
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                self.say(&format!("`{file}` is there already: choose another name."))
            }
            Err(error) => self.say(&format!("`{file}` cannot be written: {error}")),
        }
    }

    /// Goes on with a game from a file; what cannot be read leaves everything as it is.
    pub(super) fn load(&mut self, file: &str) -> Result<()> {
        let text = match files::read_text(Path::new(file)) {
            Ok(text) => text,
            Err(error) => return self.say(&crate::in_words(&error)),
        };
        let games = pgn::read(&text);
        let Some(found) = games.first() else { return self.say(&format!("`{file}` has no game.")) };
        let is_no_game = || {
            format!(
                "`{file}` is no saved game: one has tags such as `[Event \"…\"]`, or moves such as `1. e4`."
            )
        };
        let (start, moves) = match found.replay(self.engine.game()) {
            Ok(record) => (record.start().clone(), record.moves().to_vec()),
            Err(PgnError::Move { number: 1, .. }) if !pgn::is_meant(&text) => return self.say(&is_no_game()),
            Err(error) => return self.say(&format!("`{file}`: {error}")),
        };
        self.engine.begin(start)?;
        self.names.clear();
        for played in &moves {
            self.play(played)?;
        }
        self.show()
    }

    /// Begins a puzzle some random moves away from its setup: as many as were asked for, or enough if it is solved.
    pub(super) fn scramble_at_first(&mut self) -> Result<()> {
        let is_puzzle = self.record().game().info().players == 1;
        let is_solved = matches!(self.record().standing(), Standing::Finished(Outcome::Win, _))
            || search::one_player::is_solved(self.engine.game(), self.record().position())?;
        match self.scrambled {
            Some(_) if !is_puzzle => anyhow::bail!("--scramble is for puzzles"),
            Some(count) => self.scramble(count),
            // A script that sends lines knows where the game begins, unless a seed says that it may vary.
            None if is_puzzle && is_solved && (self.keyboard.is_terminal() || self.varied) => {
                self.scramble(SCRAMBLE_MOVES)
            }
            None => Ok(()),
        }
    }

    pub(super) fn scramble_on_request(&mut self, count: &str) -> Result<()> {
        if self.record().game().info().players != 1 {
            return self.say("Only puzzles are scrambled.");
        }
        let count = if count.is_empty() { Ok(SCRAMBLE_MOVES) } else { count.parse() };
        match count {
            Ok(count @ 1..=1_000) => {
                self.scramble(count)?;
                self.show()
            }
            _ => self.say("Say how many moves: `scramble 40`, at most 1000."),
        }
    }

    /// Makes random moves through solved positions, where possible to one that was not there yet, and begins the game
    /// where they lead.
    pub(super) fn scramble(&mut self, count: u32) -> Result<()> {
        let game = self.engine.game();
        let (mut position, mut moves) = (self.record().position().clone(), MoveList::new());
        let mut seen = FxHashSet::default();
        for _ in 0..count {
            game.generate(&position, Stage::All, &mut moves)?;
            let here = game.signature(&position);
            seen.insert(here);
            let is_new =
                |index: &usize| !seen.contains(&(here ^ moves.get(*index).head.signature_difference));
            let all: Vec<usize> = (0..moves.len()).collect();
            let new: Vec<usize> = all.iter().copied().filter(is_new).collect();
            let choices = if new.is_empty() { all } else { new };
            let Some(&chosen) = self.random.choice(&choices) else { break };
            let chosen = moves.get(chosen).to_move();
            game.play(&mut position, chosen.view());
        }
        let mut start = game.unpack(&position);
        start.set_outcome(None);
        self.engine.begin(start)?;
        self.names.clear();
        Ok(())
    }

    /// A new game from where the first one began; a puzzle is scrambled anew.
    pub(super) fn begin_again(&mut self) -> Result<()> {
        self.engine.begin(self.start.clone())?;
        self.names.clear();
        self.scramble_at_first()?;
        self.show()
    }

    /// Back to the last position in which the person was to move, or to the one so many moves of theirs before.
    pub(super) fn undo(&mut self, count: &str) -> Result<()> {
        let count = if count.is_empty() { Ok(1) } else { count.parse::<u32>() };
        let Ok(count @ 1..) = count else { return self.say("Say how many of your moves: `undo 2`.") };
        let mut done = 0;
        while done < count && self.engine.take_back()? {
            while !self.persons_turn() && self.engine.take_back()? {}
            done += 1;
        }
        if done == 0 {
            return self.say("This is where the game began.");
        }
        self.names.truncate(self.record().moves().len());
        self.show()
    }
}
