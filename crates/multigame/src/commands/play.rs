//! `multigame play`: a game in the terminal, or through a pipe.

mod keeping;

use std::io::{self, BufRead, Write};
use std::time::Duration;

use anyhow::Result;
use game::record::{Record, Standing};
use game::{Colour, Game, Move, Outcome, Position, fen, notation, text};
use protocol::book::Book;
use protocol::{EngineOptions, Level, san};
use serde_json::json;

use crate::cli::{FAINT, Global, Play, STRONG, Side};
use crate::generator::Work;
use crate::judgement::with_player;
use crate::keyboard::{Entered, Input, Vocabulary};
use crate::opponent::{self, Allowance, Choice};
use crate::terminal::wrapped;
use crate::{Exit, board, books, interrupt};

/// Moves away from the solution that make a puzzle of a solved one.
const SCRAMBLE_MOVES: u32 = 40;

const HELP: &str = "\
Enter a move, such as `e2e4`, `Nf3`, `b2` or `e1 -> c1; a1 -> d1`, or one of
  legal        the legal moves
  hint         the move that the computer would play
  undo         take back your last move
  history      the moves so far
  flip         look at the board from the other side
  level WORD   how well the computer plays: beginner, casual, club, strong,
               full, or 0 to 20
  scramble N   N random moves of a puzzle, from where you are
  save FILE    write the game to a new file (PGN); `load FILE` goes on with one
  position     the position as text and in one line
  pgn          the game so far, as `book`, `fit` and `match --openings` read it
  help         this
  quit         leave the game";

pub(super) fn run(options: &Play, global: &Global, out: &mut dyn Write) -> Result<Exit> {
    with_player(&options.choice, options.judged, Opening { options, global, out })
}

/// Where a game is played.
struct Opening<'run> {
    options: &'run Play,
    global: &'run Global,
    out: &'run mut dyn Write,
}

impl Work for Opening<'_> {
    type Result = Exit;

    fn run<G: Game>(self, game: &G, start: Position) -> Result<Exit> {
        let Opening { options, global, out } = self;
        let first = start.mover();
        let side = options.side.unwrap_or(match (game.info().players, first) {
            (2, Colour::White) => Side::White,
            (2, Colour::Black) => Side::Black,
            _ => Side::Both,
        });
        let seed = global.seed.unwrap_or_else(|| fastrand::u64(..));
        let mut engine = EngineOptions {
            threads: global.threads_or_one(),
            habits: crate::tuned::habits()?,
            level: options.level,
            ..EngineOptions::default()
        };
        engine.settings.seed = seed;
        let is_turned = side == Side::Black && game.info().players == 2;
        let drawing = board::Drawing::of_game(game.info(), &options.choice.game).flipped(is_turned);
        let mut session = Sitting {
            engine: interrupt::stoppable(|| protocol::Session::new(game, start, engine))?,
            side,
            limits: Allowance { depth: options.depth, time: Duration::from_secs_f64(options.time) },
            book: options.book.as_deref().map(|file| books::open(game, file)).transpose()?,
            varied: global.seed.is_some(),
            random: fastrand::Rng::with_seed(seed),
            names: Vec::new(),
            drawing,
            keyboard: Input::open(vocabulary()),
            json: global.json,
            out,
        };
        session.scramble_at_first(options.scramble)?;
        session.run()
    }
}

/// What a person typed.
enum Said {
    Line(String),
    End,
}

/// A game between a person and the computer.
struct Sitting<'run, 'game, G: Game> {
    engine: protocol::Session<'game, G>,
    side: Side,
    limits: Allowance,
    book: Option<Book>,
    /// Whether games shall differ: somebody gave a seed.
    varied: bool,
    random: fastrand::Rng,
    /// What the moves so far are called, as files of games have it.
    names: Vec<String>,
    drawing: board::Drawing<'game>,
    keyboard: Input,
    json: bool,
    out: &'run mut dyn Write,
}

/// What can be completed at the keyboard.
fn vocabulary() -> Vocabulary {
    let commands = [
        "legal", "hint", "undo", "history", "flip", "level", "scramble", "save", "load", "position", "pgn",
        "help", "quit",
    ];
    let arguments = |command: &str| {
        let levels = protocol::strength::WORDS.iter().map(|(word, _)| (*word).to_owned());
        Some(if command == "level" { levels.collect() } else { Vec::new() })
    };
    Vocabulary {
        history: "play-history",
        commands: commands.to_vec(),
        with_files: &["save", "load"],
        arguments,
    }
}

/// How wide a terminal is at least.
const LINE_MAX: usize = 79;

/// Names of moves in columns of one width, as many as a terminal has room for.
fn in_columns(forms: &[String]) -> String {
    let width = forms.iter().map(|form| form.chars().count()).max().unwrap_or(0) + 2;
    let count = ((LINE_MAX + 2) / width).clamp(1, 10);
    let mut text = String::new();
    for row in forms.chunks(count) {
        let line: String = row.iter().map(|form| format!("{form:<width$}")).collect();
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

impl<'game, G: Game> Sitting<'_, 'game, G> {
    fn record(&self) -> &Record<'game, G> {
        self.engine.record()
    }

    fn run(mut self) -> Result<Exit> {
        if !self.json {
            let name = &self.record().game().info().name;
            writeln!(
                self.out,
                "{}{name}{} (`help` tells what to enter)\n",
                STRONG.render(),
                STRONG.render_reset()
            )?;
        }
        self.show()?;
        loop {
            match self.record().standing() {
                Standing::Finished(..) if self.side == Side::None => return Ok(Exit::Success),
                Standing::Open if !self.persons_turn() => {
                    if !self.computer_moves()? {
                        return Ok(Exit::Interrupted);
                    }
                    continue;
                }
                _ => {}
            }
            match self.ask()? {
                Said::End => return Ok(Exit::Success),
                Said::Line(line) => {
                    if !self.obey(line.trim())? {
                        return Ok(Exit::Success);
                    }
                }
            }
        }
    }

    fn mover(&self) -> Colour {
        self.record().game().mover(self.record().position())
    }

    fn persons_turn(&self) -> bool {
        match self.side {
            Side::White => self.mover() == Colour::White,
            Side::Black => self.mover() == Colour::Black,
            Side::Both => true,
            Side::None => false,
        }
    }

    fn plain(&self) -> Position {
        self.engine.position()
    }

    /// Board, who is to move, and how the game ended if it did.
    fn show(&mut self) -> Result<()> {
        let info = self.record().game().info();
        let position = self.plain();
        let result = self.result();
        if self.json {
            let row = json!({
                "ply": self.record().moves().len(),
                "mover": self.mover().to_string(),
                "position": fen::write(info, &position),
                "result": result,
            });
            writeln!(self.out, "{row}")?;
            return Ok(());
        }
        let last = self.record().moves().last().map(Move::view);
        let drawn = self.drawing.draw(&position, last);
        write!(self.out, "{drawn}")?;
        match result {
            Some(result) => writeln!(self.out, "{}{result}{}", STRONG.render(), STRONG.render_reset())?,
            None if info.players == 2 => writeln!(self.out, "{} to move", self.mover())?,
            None => {}
        }
        Ok(())
    }

    /// How the game ended, in words.
    fn result(&self) -> Option<String> {
        let Standing::Finished(outcome, viewer) = self.record().standing() else { return None };
        let moves = self.record().moves().len();
        if self.record().game().info().players < 2 {
            return Some(match outcome {
                Outcome::Win => format!("Solved in {moves} moves."),
                Outcome::Score(score) => format!("Finished with a score of {score}."),
                Outcome::Draw | Outcome::Loss => "Finished: there is no way on.".to_owned(),
            });
        }
        let by = match outcome {
            Outcome::Score(score) => format!(" by {}", score.abs()),
            _ => String::new(),
        };
        Some(match outcome.winner(viewer) {
            Some(Colour::White) => format!("White wins{by}."),
            Some(Colour::Black) => format!("Black wins{by}."),
            None => "The game is drawn.".to_owned(),
        })
    }

    fn ask(&mut self) -> Result<Said> {
        self.out.flush()?;
        if self.keyboard.is_terminal() && !self.json {
            let forms =
                notation::short_forms(self.record().game().info(), &self.plain(), self.record().legal());
            return Ok(match self.keyboard.next("> ", forms)? {
                Entered::Line(line) => Said::Line(line),
                Entered::Nothing | Entered::End => {
                    write!(self.out, "{}", self.so_far())?;
                    Said::End
                }
            });
        }
        let mut line = String::new();
        let farewell = if self.json { String::new() } else { format!("\n{}", self.so_far()) };
        let read = interrupt::while_waiting(farewell, || io::stdin().lock().read_line(&mut line));
        match read {
            Ok(0) => Ok(Said::End),
            Ok(_) => Ok(Said::Line(line)),
            Err(error) if error.kind() == io::ErrorKind::InvalidData => Ok(Said::Line("\u{fffd}".to_owned())),
            Err(error) => Err(error.into()),
        }
    }

    fn play(&mut self, played: &Move) -> Result<()> {
        let (game, record) = (self.record().game(), self.record());
        let name =
            san::write(game, self.engine.knowledge(), record.position(), record.legal(), played.view())?;
        self.engine.play(played)?;
        self.names.push(name);
        Ok(())
    }

    /// Does what a line says; false to leave the game.
    fn obey(&mut self, line: &str) -> Result<bool> {
        match line {
            "" => {}
            listed if self.is_listed(listed) => self.person_moves(listed)?,
            "quit" | "exit" | "q" => return Ok(false),
            "help" | "?" | "h" => self.say(HELP)?,
            "position" => self.say_position()?,
            "legal" | "moves" => self.say_legal()?,
            "hint" => self.hint()?,
            "pgn" => self.say(self.so_far().trim_end())?,
            "undo" | "u" => self.undo()?,
            "history" => self.say_history()?,
            "flip" => {
                self.drawing.flip();
                self.show()?;
            }
            "level" => self.say_level()?,
            "save" | "load" => self.say(&format!("Say which file: `{line} game.pgn`."))?,
            entered => match entered.split_once(char::is_whitespace) {
                Some(("level", word)) => self.set_level(word.trim())?,
                Some(("save", file)) => self.save(file.trim())?,
                Some(("load", file)) => self.load(file.trim())?,
                Some(("scramble", count)) => self.scramble_on_request(count.trim())?,
                None if entered == "scramble" => self.scramble_on_request("")?,
                _ => self.person_moves(entered)?,
            },
        }
        Ok(true)
    }

    /// Whether this is the name of a legal move, even where it is short for a command.
    fn is_listed(&self, text: &str) -> bool {
        let info = self.record().game().info();
        notation::short_forms(info, &self.plain(), self.record().legal()).iter().any(|name| name == text)
    }

    fn say(&mut self, text: &str) -> Result<()> {
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
        } else {
            write!(self.out, "{}", in_columns(&forms))?;
        }
        Ok(())
    }

    fn think(&mut self) -> Result<Option<Choice>> {
        if let Some(book) = &self.book
            && let Some(best) = book.choose(self.engine.record(), self.random.u64(..))
        {
            let expectation = "from the book".to_owned();
            return Ok(Some(Choice { best, expectation, depth: 0, nodes: 0 }));
        }
        match self.varied {
            true => opponent::choose_varied(&mut self.engine, self.limits, &mut self.random),
            false => opponent::choose(&mut self.engine, self.limits, &mut self.random),
        }
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
        let name = self.name_of(&thought.best);
        match self.json {
            true => writeln!(self.out, "{}", json!({ "hint": name, "expectation": thought.expectation }))?,
            false => writeln!(self.out, "{name} ({})", thought.expectation)?,
        }
        Ok(())
    }

    /// The short form of a legal move.
    fn name_of(&self, wanted: &Move) -> String {
        let (info, legal) = (self.record().game().info(), self.record().legal());
        let index = legal.iter().position(|legal| legal.same_as(wanted.view()));
        let mut forms = notation::short_forms(info, &self.plain(), legal);
        index.map_or_else(|| notation::long_form(info, wanted.view()), |index| forms.swap_remove(index))
    }

    /// False when Ctrl-C stopped it.
    fn computer_moves(&mut self) -> Result<bool> {
        let Some(thought) = self.think()? else { return Ok(true) };
        if interrupt::requested() {
            write!(self.out, "{}", self.so_far())?;
            return Ok(false);
        }
        let (name, mover) = (self.name_of(&thought.best), self.mover());
        match self.json {
            true => {
                let row = json!({
                    "move": name,
                    "by": "computer",
                    "expectation": thought.expectation,
                    "depth": thought.depth,
                    "nodes": thought.nodes,
                });
                writeln!(self.out, "{row}")?;
            }
            false => writeln!(
                self.out,
                "\n{mover} plays {}{name}{} {}({}, depth {}, {} nodes){}",
                STRONG.render(),
                STRONG.render_reset(),
                FAINT.render(),
                thought.expectation,
                thought.depth,
                thought.nodes,
                FAINT.render_reset()
            )?,
        }
        self.play(&thought.best)?;
        self.show()?;
        Ok(true)
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
        let forms = ["a1", "b10", "a2 -> a3; b2 -> b3"].map(str::to_owned);
        assert_eq!(in_columns(&forms), "a1                  b10                 a2 -> a3; b2 -> b3\n");
        let many = vec!["stones a1 = 4; stones b1 = 7".to_owned(); 9];
        assert!(in_columns(&many).lines().all(|line| line.len() <= LINE_MAX));
        assert_eq!(in_columns(&vec!["a1".to_owned(); 11]).lines().count(), 2);
    }
}
