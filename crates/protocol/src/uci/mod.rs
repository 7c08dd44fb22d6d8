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

use std::collections::VecDeque;
use std::io::{self, BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread::{self, Scope};
use std::time::{Duration, Instant};

use game::record::Standing;
use game::{Colour, Game, Move, Position, fen, text};
use search::{Depth, Limits, Progress, Score, TimeLimit};

use crate::book::{self, Book};
use crate::exchange::{Event, Exchange, in_one_line};
use crate::session::{EngineOptions, Session, SessionError};
use crate::task::Thought;
use command::{Command, Go};
use options::{Effect, Variants};

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
    /// When the rules go wrong at the start, or nobody can be written to.
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
            Table {
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
    /// Nobody listens.
    #[error(transparent)]
    Output(#[from] io::Error),
}

/// A conversation at the board.
struct Table<'call, 'out, 'scope, 'env, G: Game> {
    conversation: &'call mut Conversation<'out>,
    session: Session<'env, G>,
    start: Position,
    variants: &'call Variants,
    book: Option<Book>,
    running: Option<Running>,
    /// Whether the last position was refused: nobody wants to hear of the one before it.
    refused: bool,
    /// When the last search was answered.
    idle_since: Option<Instant>,
    scope: &'scope Scope<'scope, 'env>,
}

impl<G: Game> Table<'_, '_, '_, '_, G> {
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
            // Who plays on has not claimed a draw.
            self.session.lift_counters()?;
            self.session.play_text(name)?;
        }
        Ok(())
    }

    fn go(&mut self, go: &Go, asked: Instant) -> Result<(), UciError> {
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
    fn book_move(&self, go: &Go) -> Option<String> {
        let thinks = go.infinite || go.ponder || go.mate.is_some() || !go.search_moves.is_empty();
        let book = self.book.as_ref().filter(|_| self.conversation.own_book && !thinks)?;
        let (record, seed) = (self.session.record(), self.session.options().settings.seed);
        let played = book.choose(record, seed)?;
        let position = self.session.position();
        Some(crate::coordinates::name(self.session.info(), &position, record.legal(), played.view()))
    }

    fn search_moves(&mut self, go: &Go) -> Result<Vec<Move>, UciError> {
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

    fn limits(&self, go: &Go, waited: Duration) -> Limits {
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
            // Whoever gave a limit that makes no sense wants an answer.
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

    fn ponder_hit(&mut self) -> Result<(), UciError> {
        let Some(running) = self.running.as_mut().filter(|running| running.ponders) else { return Ok(()) };
        (running.held, running.ponders) = (false, false);
        self.session.control().start_clock(self.session.now(), running.time);
        match running.result.take() {
            Some(result) => self.answer(&result),
            None => Ok(()),
        }
    }

    /// Brings a search to its end: one with a limit gets there by itself, any other is stopped.
    fn settle(&mut self) -> Result<(), UciError> {
        match &self.running {
            Some(running) if !running.held => self.await_search(),
            _ => self.finish_search(),
        }
    }

    /// Stops a search that is going on, and answers for it.
    fn finish_search(&mut self) -> Result<(), UciError> {
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
    fn await_search(&mut self) -> Result<(), UciError> {
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

    fn finished(&mut self, result: Result<Thought, String>) -> Result<(), UciError> {
        match &mut self.running {
            Some(running) if running.held => {
                running.result = Some(result);
                Ok(())
            }
            Some(_) => self.answer(&result),
            None => Ok(()),
        }
    }

    fn answer(&mut self, result: &Result<Thought, String>) -> Result<(), UciError> {
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

/// What may be shared out of a clock; near its end a part of it, so that a machine that is busy elsewhere costs no game.
pub(crate) fn usable(left: Duration, overhead: Duration) -> Duration {
    left.saturating_sub(overhead * RESERVE_MOVES).max(left.saturating_sub(overhead) / 4)
}

/// For a search whose limits make no sense.
const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// No clock shows more.
const MILLISECONDS_MAX: u64 = 1 << 40;
