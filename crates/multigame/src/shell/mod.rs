//! The shell: a game, its past, an engine and a book, and commands for all of them. Lines come from a terminal or a
//! pipe ([`crate::keyboard`]); [`vocabulary`] lists what is understood; what commands do is in the other files, by
//! subject.
//!
//! A command that cannot be done says why on standard error, and the shell goes on.

mod collected;
mod completion;
mod counters;
mod line;
mod playing;
mod setting;
mod storage;
mod thinking;
mod vocabulary;

use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use game::record::Standing;
use game::{Colour, Game, Position, Signature, notation};
use protocol::book::Book;
use protocol::{EngineOptions, Session, Thought};
use search::Statistics;

use crate::cli::shell::Shell as Options;
use crate::cli::{ERROR, Global, STRONG};
use crate::keyboard::{Entered, Input};
use crate::{board, books, files, interrupt, tuned};
use line::CommandLine;

/// Files of commands may execute others, so many deep.
const NESTING_MAX: usize = 16;

/// Which sides the computer plays by itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Computer {
    Off,
    One(Colour),
    Both,
}

/// Whether there is more to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Flow {
    On,
    Quit,
}

/// All that the shell knows.
pub(crate) struct Shell<'game, G: Game> {
    session: Session<'game, G>,
    start: Position,
    depth: Option<i32>,
    seconds: Option<f64>,
    nodes: Option<u64>,
    computer: Computer,
    verbose: bool,
    echo: bool,
    /// A person at a terminal sees the board after every move, and may use the system.
    interactive: bool,
    seed: u64,
    /// The last random number.
    random: u64,
    book: Option<Book>,
    book_on: bool,
    /// The last search and the position that it was about.
    last: Option<(Signature, Thought)>,
    counted: Statistics,
    searches: u64,
    nesting: usize,
    /// The game as it was asked for, and another collection than the user's own.
    choice: String,
    drawing: board::Drawing<'game>,
    collection: Option<PathBuf>,
}

impl<'game, G: Game> Shell<'game, G> {
    /// A shell for a game that begins here.
    pub(crate) fn new(
        game: &'game G,
        start: Position,
        options: &Options,
        global: &Global,
    ) -> Result<Shell<'game, G>> {
        let engine = EngineOptions {
            settings: options.engine.settings(global),
            hash_mib: options.engine.hash as usize,
            threads: global.threads_or_one(),
            method: options.engine.engine.method,
            habits: tuned::habits()?,
            level: options.level,
            ..EngineOptions::default()
        };
        let book = options.book.as_deref().map(|file| books::open(game, file)).transpose()?;
        let seed = global.seed.unwrap_or_else(|| fastrand::u64(..));
        Ok(Shell {
            session: interrupt::stoppable(|| Session::new(game, start.clone(), engine))?,
            start,
            depth: options.limits.depth,
            seconds: options.limits.time,
            nodes: options.limits.nodes,
            computer: Computer::Off,
            verbose: false,
            echo: false,
            interactive: false,
            seed,
            random: seed,
            book_on: book.is_some(),
            book,
            last: None,
            counted: Statistics::default(),
            searches: 0,
            nesting: 0,
            choice: options.choice.game.clone(),
            drawing: board::Drawing::of_game(game.info(), &options.choice.game),
            collection: options.collection.clone(),
        })
    }

    /// Obeys until `quit` or the end of the input.
    pub(crate) fn run(&mut self, out: &mut dyn Write) -> Result<()> {
        let mut input = Input::open(completion::vocabulary());
        self.interactive = input.is_terminal();
        if self.interactive {
            let (strong, plain) = (STRONG.render(), STRONG.render_reset());
            writeln!(out, "{strong}{}{plain} (`help` lists the commands)\n", self.session.info().name)?;
            self.board(out)?;
        }
        loop {
            out.flush()?;
            let (prompt, moves) = match self.interactive {
                true => (self.prompt(), self.move_names()),
                false => (String::new(), Vec::new()),
            };
            let flow = match input.next(&prompt, moves)? {
                Entered::End => Flow::Quit,
                Entered::Nothing => Flow::On,
                Entered::Line(text) => self.enter(&text, out)?,
            };
            if flow == Flow::Quit {
                return Ok(());
            }
        }
    }

    /// Does what a line says and lets the computer answer. Says what is wrong with it; the errors of this function are
    /// those of the output.
    fn enter(&mut self, text: &str, out: &mut dyn Write) -> Result<Flow> {
        interrupt::clear();
        if self.echo && !text.trim().is_empty() {
            writeln!(out, "> {}", text.trim())?;
        }
        let done = self.obey(text, out);
        let flow = self.settle(done, out)?;
        if flow == Flow::On {
            let answered = self.answer(out).map(|()| Flow::On);
            self.settle(answered, out)?;
        }
        interrupt::clear();
        Ok(flow)
    }

    /// Reports what went wrong, unless it is that the output is closed.
    fn settle(&self, done: Result<Flow>, out: &mut dyn Write) -> Result<Flow> {
        match done {
            Ok(flow) => Ok(flow),
            Err(error) if crate::is_broken_pipe(&error) => Err(error),
            Err(error) => {
                out.flush()?;
                let _ = writeln!(
                    anstream::stderr(),
                    "{}error{}: {}",
                    ERROR.render(),
                    ERROR.render_reset(),
                    crate::in_words(&error)
                );
                Ok(Flow::On)
            }
        }
    }

    fn obey(&mut self, text: &str, out: &mut dyn Write) -> Result<Flow> {
        // A name that is listed is a move, even where it is short for a command.
        let listed = text.trim();
        if vocabulary::find(listed) != Some(listed) && self.move_names().iter().any(|name| name == listed) {
            return self.make_move(listed, out).map(|()| Flow::On);
        }
        let Some(mut line) = CommandLine::read(text).map_err(|message| anyhow!(message))? else {
            return Ok(Flow::On);
        };
        let command = vocabulary::find(&line.command);
        if command == Some("shell") {
            // What looks like a redirection is the system's business.
            return self.system(&line.raw, out).map(|()| Flow::On);
        }
        let input = line.input.take().map(|file| files::read_text(Path::new(&file))).transpose()?;
        let Some(output) = line.output.take() else { return self.perform(command, &line, input, out) };
        let mut open = OpenOptions::new();
        open.create(true).write(true).append(output.append).truncate(!output.append);
        let file = open.open(&output.file).with_context(|| format!("cannot write `{}`", output.file))?;
        let mut file = anstream::StripStream::new(file);
        let flow = self.perform(command, &line, input, &mut file)?;
        file.flush().with_context(|| format!("cannot write `{}`", output.file))?;
        Ok(flow)
    }

    fn perform(
        &mut self,
        command: Option<&'static str>,
        line: &CommandLine,
        input: Option<String>,
        out: &mut dyn Write,
    ) -> Result<Flow> {
        // A file stands for arguments, but for those commands that read files anyway.
        let arguments = match &input {
            Some(text) if !matches!(command, Some("read" | "execute")) => {
                format!("{} {}", line.arguments, text.trim()).trim().to_owned()
            }
            _ => line.arguments.clone(),
        };
        let given = arguments.as_str();
        match command {
            Some("board") => self.board(out)?,
            Some("collection") => self.collection(given, out)?,
            Some("configuration") => self.configuration(given, out)?,
            Some("depth") => self.set_depth(given, out)?,
            Some("echo") => self.echo(given, out)?,
            Some("engine") => self.set_engine(given, out)?,
            Some("evaluate") => self.evaluate(out)?,
            Some("execute") => return self.execute(given, input, out),
            Some("flip") => self.flip(out)?,
            Some("hash") => self.set_hash(given, out)?,
            Some("help") => help(given, out)?,
            Some("hint") => self.hint(given, out)?,
            Some("history") => self.history(out)?,
            Some("increment") => self.set_increment(given, out)?,
            Some("legal") => self.legal(given, out)?,
            Some("move") => self.make_move(given, out)?,
            Some("nodes") => self.set_nodes(given, out)?,
            Some("opening") => self.opening(given, out)?,
            Some("perft") => self.perft(given, out)?,
            Some("play") => self.set_computer(given, out)?,
            Some("position") => self.position(given, out)?,
            Some("pv") => self.principal_variation(out)?,
            Some("quit") => return Ok(Flow::Quit),
            Some("random") => self.random_moves(given, out)?,
            Some("read") => self.read(given, input, out)?,
            Some("reset") => self.reset(out)?,
            Some("level") => self.set_level(given, out)?,
            Some("seed") => self.set_seed(given, out)?,
            Some("selfplay") => self.self_play(given, out)?,
            Some("statistics") => self.statistics(given, out)?,
            Some("threads") => self.set_threads(given, out)?,
            Some("time") => self.set_time(given, out)?,
            Some("undo") => self.undo(given, out)?,
            Some("verbose") => self.set_verbose(given, out)?,
            Some("write") => self.write(given, out)?,
            _ => {
                // Not a command: perhaps a move.
                let text = format!("{} {given}", line.command);
                if self.find_move(&text).is_err() {
                    let word: String = line.command.chars().take(40).collect();
                    let hint = vocabulary::suggestion(&word);
                    bail!("`{word}` is neither a command nor a legal move: {hint}");
                }
                self.make_move(&text, out)?;
            }
        }
        Ok(Flow::On)
    }

    /// `white 12> `
    fn prompt(&self) -> String {
        let ply = self.session.record().moves().len();
        match self.session.record().standing() {
            Standing::Open if self.session.info().players == 2 => {
                format!("{} {}> ", self.session.position().mover(), ply / 2 + 1)
            }
            Standing::Open => format!("{}> ", ply + 1),
            Standing::Finished(..) => "finished> ".to_owned(),
        }
    }

    fn move_names(&self) -> Vec<String> {
        notation::short_forms(self.session.info(), &self.session.position(), self.session.record().legal())
    }

    fn system(&self, command: &str, out: &mut dyn Write) -> Result<()> {
        if !self.interactive || self.nesting > 0 {
            bail!("`shell` is for someone at a terminal: it is not obeyed in a pipe or a file of commands");
        }
        if command.is_empty() {
            bail!("say what the system shall run: shell COMMAND");
        }
        out.flush()?;
        let (program, flag) = if cfg!(windows) { ("cmd", "/C") } else { ("sh", "-c") };
        let status = std::process::Command::new(program).arg(flag).arg(command).status();
        let status = status.with_context(|| format!("cannot start `{program}`"))?;
        if !status.success() {
            bail!("the command ended with {status}");
        }
        Ok(())
    }
}

fn help(given: &str, out: &mut dyn Write) -> Result<()> {
    if given.is_empty() {
        write!(out, "{}", vocabulary::page())?;
        return Ok(());
    }
    let name = vocabulary::find(given);
    let entry = vocabulary::COMMANDS.iter().find(|entry| Some(entry.name) == name);
    let entry = entry.ok_or_else(|| anyhow!("no command: {}", vocabulary::suggestion(given)))?;
    writeln!(out, "{} {}: {}", entry.name, entry.arguments, entry.help)?;
    Ok(())
}
