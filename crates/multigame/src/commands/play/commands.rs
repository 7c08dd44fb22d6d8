//! What a person can enter, and what `play` answers.

use anyhow::Result;
use game::notation::{self, Names};
use game::record::Standing;
use game::{Game, Move, fen, text};
use protocol::{EngineOptions, Level, san};
use serde_json::json;

use super::Sitting;
use crate::keyboard::Vocabulary;
use crate::terminal::{LINE_MAX, wrapped};
use crate::{interrupt, lines, listing};

const HELP: &str = "\
Enter a move, such as `e2e4`, `Nf3`, `b2` or `e1 -> c1; a1 -> d1`, or one of
  board        the board once more
  legal        the legal moves; `legal long` shows what each of them changes
  hint         the move that the computer would play
  undo N       take back your last move, or N of them
  history      the moves so far
  flip         look at the board from the other side
  new          begin again
  level WORD   how well the computer plays: beginner, casual, club, strong,
               full, or 0 to 20
  scramble N   N random moves of a puzzle, from where you are
  save FILE    write the game to a new file (PGN); `load FILE` goes on with one
  position     the position as text and in one line
  pgn          the game so far, as `book`, `fit` and `match --openings` read it
  help         this
  quit         leave the game";

/// What can be completed at the keyboard.
pub(super) fn vocabulary() -> Vocabulary {
    let commands = [
        "board", "legal", "hint", "undo", "history", "flip", "new", "level", "scramble", "save", "load",
        "position", "pgn", "help", "quit",
    ];
    let arguments = |command: &str| {
        let levels = protocol::strength::WORDS.iter().map(|(word, _)| (*word).to_owned());
        Some(match command {
            "level" => levels.collect(),
            "legal" => vec!["long".to_owned()],
            _ => Vec::new(),
        })
    };
    Vocabulary {
        history: "play-history",
        commands: commands.to_vec(),
        with_files: &["save", "load"],
        arguments,
    }
}

impl<G: Game> Sitting<'_, '_, G> {
    /// Does what a line says; false to leave the game.
    pub(super) fn obey(&mut self, line: &str) -> Result<bool> {
        if line.is_empty() {
            return Ok(true);
        }
        if self.is_listed(line) {
            return self.person_moves(line).map(|()| true);
        }
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        // A single capital is more likely a piece than the short form of a command.
        let word = if word.chars().count() > 1 { word.to_lowercase() } else { word.to_owned() };
        match (word.as_str(), rest) {
            ("quit" | "exit" | "q", "") => return Ok(false),
            ("help" | "?" | "h", "") => self.say(HELP)?,
            ("board", "") => self.show()?,
            ("position", "") => self.say_position()?,
            ("legal" | "moves", "") => self.say_legal()?,
            ("legal" | "moves", "long") => self.say_all_legal()?,
            ("hint", "") => self.hint()?,
            ("pgn", "") => self.say(self.so_far().trim_end())?,
            ("undo" | "u", count) => self.undo(count)?,
            ("history", "") => self.say_history()?,
            ("flip", "") => {
                self.drawing.flip();
                self.show()?;
            }
            ("new", "") => self.begin_again()?,
            ("level", "") => self.say_level()?,
            ("level", word) => self.set_level(&word.to_lowercase())?,
            ("save" | "load", "") => self.say(&format!("Say which file: `{word} game.pgn`."))?,
            ("save", file) => self.save(file)?,
            ("load", file) => self.load(file)?,
            ("scramble", count) => self.scramble_on_request(count)?,
            _ => self.person_moves(line)?,
        }
        Ok(true)
    }

    /// Whether this is the name of a legal move, even where it is short for a command.
    fn is_listed(&self, text: &str) -> bool {
        let info = self.record().game().info();
        notation::short_forms(info, &self.plain(), self.record().legal()).iter().any(|name| name == text)
    }

    pub(super) fn say(&mut self, text: &str) -> Result<()> {
        match self.json {
            true => writeln!(self.out, "{}", json!({ "message": text }))?,
            // A long line is broken between words, which a terminal does not do.
            false if !text.contains('\n') => {
                for line in wrapped(text, LINE_MAX) {
                    writeln!(self.out, "{line}")?;
                }
            }
            false => writeln!(self.out, "{text}")?,
        }
        Ok(())
    }

    fn say_position(&mut self) -> Result<()> {
        let (info, position) = (self.record().game().info(), self.plain());
        let (rows, line) = (text::write(info, &position), fen::write(info, &position));
        match self.json {
            true => writeln!(self.out, "{}", json!({ "text": rows, "position": line }))?,
            false => writeln!(self.out, "{rows}{line}")?,
        }
        Ok(())
    }

    fn say_legal(&mut self) -> Result<()> {
        let forms = notation::short_forms(self.record().game().info(), &self.plain(), self.record().legal());
        if self.json {
            writeln!(self.out, "{}", json!({ "legal": forms }))?;
        } else if forms.is_empty() {
            writeln!(self.out, "There are no legal moves: the game is over.")?;
        } else if self.keyboard.is_terminal() {
            write!(self.out, "{}", listing::shortened(&forms))?;
        } else {
            write!(self.out, "{}", listing::in_columns(&forms))?;
        }
        Ok(())
    }

    /// Every legal move with what it changes.
    fn say_all_legal(&mut self) -> Result<()> {
        let position = self.plain();
        let names = Names::new(self.record().game().info(), &position, self.record().legal());
        let rows: Vec<(String, String)> = names.short().iter().cloned().zip(names.long()).collect();
        for (name, long) in rows {
            match self.json {
                true => writeln!(self.out, "{}", json!({ "move": name, "changes": long }))?,
                false => writeln!(self.out, "{name}: {long}")?,
            }
        }
        Ok(())
    }

    fn hint(&mut self) -> Result<()> {
        // A hint is the best there is, however well the computer plays.
        let usual = self.engine.options().clone();
        self.engine.set_options(EngineOptions { level: Level::FULL, ..usual.clone() });
        let thought = self.think();
        self.engine.set_options(usual);
        let thought = thought?;
        interrupt::clear();
        let Some(thought) = thought else { return self.say("The game is over.") };
        if self.json {
            let name = thought.is_found.then(|| self.name_of(&thought.best));
            writeln!(self.out, "{}", json!({ "hint": name, "expectation": thought.expectation }))?;
            return Ok(());
        }
        match thought.excuse() {
            Some(excuse) => self.say(&excuse),
            None => {
                let name = self.recorded_name(&thought.best);
                self.say(&format!("{name} ({})", thought.expectation))
            }
        }
    }

    /// A legal move as the history has it.
    pub(super) fn recorded_name(&self, wanted: &Move) -> String {
        let names = lines::recorded_names(&self.engine, std::slice::from_ref(wanted));
        names.into_iter().next().unwrap_or_else(|| self.name_of(wanted))
    }

    /// The short form of a legal move.
    pub(super) fn name_of(&self, wanted: &Move) -> String {
        let (info, legal) = (self.record().game().info(), self.record().legal());
        let index = legal.iter().position(|legal| legal.same_as(wanted.view()));
        let mut forms = notation::short_forms(info, &self.plain(), legal);
        index.map_or_else(|| notation::long_form(info, wanted.view()), |index| forms.swap_remove(index))
    }

    /// The number of the move that a person means: as it is written, without blanks, or as far as it tells it from all
    /// others (`c1c4` for `c1c4/c1`).
    fn understood(&self, entered: &str) -> Result<usize, String> {
        let (info, legal) = (self.record().game().info(), self.record().legal());
        let found = san::find(info, &self.plain(), legal, entered);
        let trouble = match found {
            Ok(index) => return Ok(index),
            Err(error) => error.to_string(),
        };
        let joined: String = entered.split_whitespace().collect();
        if joined != entered
            && let Ok(index) = san::find(info, &self.plain(), legal, &joined)
        {
            return Ok(index);
        }
        let forms = notation::short_forms(info, &self.plain(), legal);
        let goes_on = |form: &String| {
            let rest = form.strip_prefix(&joined);
            rest.is_some_and(|rest| rest.starts_with(|one: char| !one.is_alphanumeric()))
        };
        let mut meant = forms.iter().enumerate().filter(|(_, form)| goes_on(form));
        match (meant.next(), meant.next()) {
            (Some((index, _)), None) if joined.len() > 1 => Ok(index),
            _ => Err(trouble),
        }
    }

    fn person_moves(&mut self, entered: &str) -> Result<()> {
        if self.record().standing() != Standing::Open {
            return self.say("The game is over: `undo` takes the last move back, `quit` leaves.");
        }
        let played = match self.understood(entered) {
            Ok(index) => self.record().legal().get(index).to_move(),
            Err(trouble) => return self.say(&format!("{trouble} (`help` lists the commands)")),
        };
        if self.json {
            writeln!(self.out, "{}", json!({ "move": self.name_of(&played), "by": "person" }))?;
        }
        self.play(&played)?;
        self.show()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_wider_than_a_terminal() {
        assert!(HELP.lines().all(|line| line.chars().count() <= LINE_MAX), "{HELP}");
    }

    #[test]
    fn help_names_every_command() {
        for command in vocabulary().commands {
            assert!(
                HELP.lines()
                    .any(|line| line.trim_start().starts_with(command)
                        || line.contains(&format!("`{command} "))),
                "{command}"
            );
        }
    }
}
