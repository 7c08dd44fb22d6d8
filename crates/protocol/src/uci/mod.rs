//! The universal chess interface, for any two-player game.
//!
//! ```text
//!   standard input ──► reader thread ──Line──┐
//!                                            ▼
//!   standard output ◄────────────── Conversation::serve  (one loop, one Event at a time)
//!                                            ▲   │ go: a Task
//!                            News, Finished  │   ▼
//!                                       search thread ◄── Control: stop, ponderhit
//! ```
//!
//! All output is written by the loop. A search that ends before it may be answered (`go infinite`, `go ponder`) is
//! kept until `stop` or `ponderhit`. Whatever changes the game or the engine waits for a search that has a limit, and
//! stops one that has none. A line that makes no sense is answered with `info string` and changes nothing. See
//! docs/uci.md.

pub mod command;
pub mod info;
pub mod options;
mod searching;

use std::io::{self, BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread::{self, Scope};
use std::time::{Duration, Instant};

use command::Command;
use game::{Game, Position, fen, text};
use options::{Effect, Variants};
use search::TimeLimit;

use crate::book::{self, Book};
use crate::exchange::{Event, Exchange, in_one_line};
use crate::session::{EngineOptions, Session, SessionError};
use crate::task::Thought;

/// How a conversation about a game ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ending {
    /// For good.
    Quit,
    /// It goes on about another game.
    Variant(String),
}

/// A conversation with another program. It outlives the game that is played.
pub struct Conversation<'out> {
    exchange: Exchange<'out>,
    options: EngineOptions,
    hash_mib_max: usize,
    /// The bytes of the file with this name.
    read_file: ReadFile,
    /// The file of the opening book; empty for none.
    book_file: String,
    own_book: bool,
    /// The rating of `UCI_Elo`, which counts while strength is limited.
    elo: i32,
}

/// How a conversation reads files.
pub type ReadFile = Box<dyn Fn(&str) -> Result<Vec<u8>, String>>;

/// A search that is going on.
struct Running {
    /// Whether the answer has to wait for `stop` or `ponderhit`.
    held: bool,
    /// The time that counts from `ponderhit` on.
    time: TimeLimit,
    ponders: bool,
    result: Option<Result<Thought, String>>,
}

impl<'out> Conversation<'out> {
    /// Listens to the input on a thread of its own from now on; it ends with the input.
    pub fn new(
        input: impl BufRead + Send + 'static,
        out: &'out mut dyn Write,
        options: EngineOptions,
        hash_mib_max: usize,
        read_file: ReadFile,
    ) -> Conversation<'out> {
        Conversation {
            exchange: Exchange::new(input, out),
            options,
            hash_mib_max,
            read_file,
            book_file: String::new(),
            own_book: false,
            elo: options::default_elo(),
        }
    }

    /// Begins with an opening book, as the options `BookFile` and `OwnBook` would.
    pub fn use_book(&mut self, file: &str) {
        (self.book_file, self.own_book) = (file.to_owned(), true);
    }

    /// The opening book, if there is one for this game; says so if there should be.
    fn open_book<G: Game>(&mut self, game: &G) -> io::Result<Option<Book>> {
        if self.book_file.is_empty() {
            return Ok(None);
        }
        let book = (self.read_file)(&self.book_file).and_then(|bytes| {
            let rules = book::fingerprint(game).map_err(|fault| fault.to_string())?;
            let book = Book::from_bytes(&bytes).and_then(|book| book.for_rules(&game.info().name, rules));
            book.map_err(|error| error.to_string())
        });
        match book {
            Ok(book) => Ok(Some(book)),
            Err(message) => self.complain(&format!("no opening book: {message}")).map(|()| None),
        }
    }

    /// Talks about a game until the end, or until another game is asked for.
    ///
    /// # Errors
    /// When the rules go wrong at the start, or the output is closed.
    pub fn serve<G: Game>(
        &mut self,
        game: &G,
        start: Position,
        variants: &Variants,
    ) -> Result<Ending, UciError> {
        let session = Session::new(game, start.clone(), self.options.clone())?;
        session.warm_up()?;
        let book = self.open_book(game)?;
        thread::scope(|scope| {
            Dialogue {
                conversation: self,
                session,
                start,
                variants,
                book,
                running: None,
                refused: false,
                idle_since: None,
                scope,
            }
            .serve()
        })
    }

    fn say(&mut self, line: &str) -> io::Result<()> {
        self.exchange.say(line)
    }

    fn complain(&mut self, message: &str) -> io::Result<()> {
        self.say(&format!("info string {}", in_one_line(&message)))
    }
}

/// Why a conversation cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum UciError {
    /// The game cannot be played.
    #[error(transparent)]
    Session(#[from] SessionError),
    /// The output is closed.
    #[error(transparent)]
    Output(#[from] io::Error),
}

/// A conversation at the board.
struct Dialogue<'call, 'out, 'scope, 'env, G: Game> {
    conversation: &'call mut Conversation<'out>,
    session: Session<'env, G>,
    start: Position,
    variants: &'call Variants,
    book: Option<Book>,
    running: Option<Running>,
    /// Whether the last position was refused: the one before it is of no interest.
    refused: bool,
    /// When the last search was answered.
    idle_since: Option<Instant>,
    scope: &'scope Scope<'scope, 'env>,
}

impl<G: Game> Dialogue<'_, '_, '_, '_, G> {
    fn serve(mut self) -> Result<Ending, UciError> {
        loop {
            match self.conversation.exchange.next() {
                Event::Line(line, said) => match command::parse(&line) {
                    Ok(Command::Quit) => {
                        self.finish_search()?;
                        return Ok(Ending::Quit);
                    }
                    Ok(command) => {
                        if let Some(variant) = self.obey(command, said)? {
                            return Ok(Ending::Variant(variant));
                        }
                    }
                    Err(message) => self.conversation.complain(&message)?,
                },
                Event::End => {
                    self.settle()?;
                    return Ok(Ending::Quit);
                }
                Event::News(line) => self.conversation.say(&line)?,
                Event::Finished(result) => self.finished(*result)?,
            }
        }
    }

    /// Does what was asked for; returns the name of another game if that was it.
    fn obey(&mut self, command: Command, said: Instant) -> Result<Option<String>, UciError> {
        match command {
            Command::Uci => self.introduce()?,
            Command::IsReady => self.conversation.say("readyok")?,
            Command::NewGame => {
                self.settle()?;
                self.session.clear_memory();
            }
            Command::SetOption { name, value } => return self.set_option(&name, value.as_deref()),
            Command::Position { start, moves } => {
                self.settle()?;
                // Hand-written generators refuse impossible positions in their own way.
                let set = catch_unwind(AssertUnwindSafe(|| self.set_position(start.as_deref(), &moves)));
                self.refused = !matches!(set, Ok(Ok(())));
                match set {
                    Ok(Ok(())) => {}
                    Ok(Err(error)) => self.conversation.complain(&error.to_string())?,
                    Err(_) => self.conversation.complain("this position cannot be played")?,
                }
            }
            Command::Go(go) => self.go(&go, said)?,
            Command::Stop => self.finish_search()?,
            Command::PonderHit => self.ponder_hit()?,
            Command::Display => self.display()?,
            Command::Quit | Command::Nothing => {}
        }
        Ok(None)
    }

    fn introduce(&mut self) -> io::Result<()> {
        let version = env!("CARGO_PKG_VERSION");
        self.conversation.say(&format!("id name Multigame {version}"))?;
        self.conversation.say("id author the Multigame authors")?;
        for line in options::declare(self.variants, self.conversation.hash_mib_max) {
            self.conversation.say(&line)?;
        }
        self.conversation.say("uciok")
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<Option<String>, UciError> {
        self.settle()?;
        let mut options = self.session.options().clone();
        let most = self.conversation.hash_mib_max;
        match options::set(&mut options, self.variants, most, name, value) {
            Ok(Effect::Set) => {
                self.conversation.options = options.clone();
                self.session.set_options(options);
            }
            Ok(Effect::BookFile(file)) => {
                self.conversation.book_file = file;
                self.book = self.conversation.open_book(self.session.game())?;
            }
            Ok(Effect::OwnBook(on)) => self.conversation.own_book = on,
            Ok(Effect::Elo(elo)) => {
                self.conversation.elo = elo;
                self.limit_strength(self.session.options().elo.is_some());
            }
            Ok(Effect::LimitStrength(on)) => self.limit_strength(on),
            Ok(Effect::ClearHash) => self.session.clear_memory(),
            Ok(Effect::Variant(wanted)) if wanted == self.variants.current => {}
            Ok(Effect::Variant(wanted)) => return Ok(Some(wanted)),
            Err(message) => self.conversation.complain(&message)?,
        }
        Ok(None)
    }

    fn limit_strength(&mut self, on: bool) {
        let elo = on.then_some(self.conversation.elo);
        let options = EngineOptions { elo, ..self.session.options().clone() };
        self.conversation.options = options.clone();
        self.session.set_options(options);
    }

    /// What was played up to a move that is not legal stays played.
    fn set_position(&mut self, start: Option<&str>, moves: &[String]) -> Result<(), SessionError> {
        match start {
            None => self.session.begin(self.start.clone())?,
            Some(text) => self.session.begin_at(text)?,
        }
        for name in moves {
            // A player who plays on has not claimed a draw.
            self.session.lift_counters()?;
            self.session.play_text(name)?;
        }
        Ok(())
    }

    fn display(&mut self) -> Result<(), UciError> {
        let (info, position) = (self.session.info(), self.session.position());
        let rows = text::write(info, &position);
        self.conversation.say(rows.trim_end())?;
        self.conversation.say(&format!("Fen: {}", fen::write(info, &position)))?;
        let legal = self.session.legal().map_err(SessionError::from)?;
        let names = crate::coordinates::names(info, &position, &legal);
        Ok(self.conversation.say(&format!("Legal moves: {}", names.join(" ")))?)
    }
}

/// A reserve for so many slow answers stays on the clock.
const RESERVE_MOVES: u32 = 5;

/// What may be shared out of a clock; near its end a part of it, so that a machine that is busy elsewhere costs no
/// game.
pub(crate) fn usable(left: Duration, overhead: Duration) -> Duration {
    left.saturating_sub(overhead * RESERVE_MOVES).max(left.saturating_sub(overhead) / 4)
}

/// For a search whose limits make no sense.
const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// No clock shows more.
const MILLISECONDS_MAX: u64 = 1 << 40;
