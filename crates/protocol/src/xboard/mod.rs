//! The Chess Engine Communication Protocol, which xboard and WinBoard speak, for any two-player game.
//!
//! The conversation is built as that of [`crate::uci`]: one loop, one event at a time, searches on a thread of their
//! own. Whatever changes the game makes a running search end, and its result is thrown away; `?` makes it move at
//! once. See docs/uci.md.

pub mod command;

use std::collections::VecDeque;
use std::io::{self, BufRead, Write};
use std::thread::{self, Scope};
use std::time::{Duration, Instant};

use game::record::Standing;
use game::{Colour, Game, Move, Position};
use search::{Depth, Limits, Progress, Score, TimeLimit};

use crate::exchange::{Event, Exchange, in_one_line};
use crate::session::{EngineOptions, Session, SessionError};
use crate::shape::Shape;
use crate::task::Thought;
use crate::uci::{Ending, UciError, info, usable};
use command::Command;

/// A conversation with another program. It outlives the game that is played.
pub struct Conversation<'out> {
    exchange: Exchange<'out>,
    options: EngineOptions,
    hash_mib_max: usize,
    /// Whether thinking is to be seen.
    posts: bool,
}

/// What the other program calls games, and which one is played.
pub struct Variants<'names> {
    /// Its names for the games that can be switched to.
    pub names: &'names [String],
    /// The present one.
    pub current: &'names str,
}

/// What the engine is to do by itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mode {
    /// Nothing.
    Force,
    /// To play this side.
    Plays(Colour),
    /// To think about whatever position there is.
    Analyzes,
}

/// What a running search is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Purpose {
    Move,
    Analysis,
    Hint,
}

/// How long moves may take.
#[derive(Clone, Copy, Debug)]
struct Pace {
    moves: Option<u32>,
    increment: Duration,
    left: Duration,
    fixed: Option<Duration>,
    depth: Option<i32>,
}

impl Default for Pace {
    fn default() -> Pace {
        Pace {
            moves: Some(40),
            increment: Duration::ZERO,
            left: Duration::from_secs(300),
            fixed: None,
            depth: None,
        }
    }
}

impl<'out> Conversation<'out> {
    /// Listens to the input on a thread of its own from now on; it ends with the input.
    pub fn new(
        input: impl BufRead + Send + 'static,
        out: &'out mut dyn Write,
        options: EngineOptions,
        hash_mib_max: usize,
    ) -> Conversation<'out> {
        Conversation { exchange: Exchange::new(input, out), options, hash_mib_max, posts: false }
    }

    /// Says that more is to come: rules may take longer to compile than other programs wait.
    ///
    /// # Errors
    /// When the output is closed.
    pub fn ask_for_patience(&mut self) -> io::Result<()> {
        self.say("feature done=0")
    }

    /// Talks about a game until the end, or until another game is asked for.
    ///
    /// # Errors
    /// When the rules go wrong at the start, or the output is closed.
    pub fn serve<G: Game>(
        &mut self,
        game: &G,
        start: Position,
        variants: &Variants<'_>,
    ) -> Result<Ending, UciError> {
        let session = Session::new(game, start.clone(), self.options.clone())?;
        session.warm_up()?;
        thread::scope(|scope| {
            let (mode, pace) = (Mode::Force, Pace::default());
            Dialogue { conversation: self, session, start, variants, mode, pace, running: None, scope }
                .serve()
        })
    }

    fn say(&mut self, line: &str) -> io::Result<()> {
        self.exchange.say(line)
    }
}

/// A conversation at the board.
struct Dialogue<'call, 'out, 'scope, 'env, G: Game> {
    conversation: &'call mut Conversation<'out>,
    session: Session<'env, G>,
    start: Position,
    variants: &'call Variants<'call>,
    mode: Mode,
    pace: Pace,
    running: Option<Purpose>,
    scope: &'scope Scope<'scope, 'env>,
}

impl<G: Game> Dialogue<'_, '_, '_, '_, G> {
    fn serve(mut self) -> Result<Ending, UciError> {
        loop {
            match self.conversation.exchange.next() {
                Event::Line(line, at) => match command::parse(&line) {
                    Ok(Command::Quit) => {
                        self.abandon()?;
                        return Ok(Ending::Quit);
                    }
                    Ok(command) => {
                        if let Some(variant) = self.obey(command, at)? {
                            return Ok(Ending::Variant(variant));
                        }
                    }
                    Err(answer) => self.conversation.say(&answer)?,
                },
                Event::End => {
                    // A program that has left still gets the move that was asked for.
                    if self.running == Some(Purpose::Move) {
                        self.await_search(&mut VecDeque::new())?;
                    }
                    self.abandon()?;
                    return Ok(Ending::Quit);
                }
                Event::News(line) => self.tell(&line)?,
                Event::Finished(result) => self.finished(*result)?,
            }
        }
    }

    /// Does what was asked for; returns the name of another game if that was it.
    fn obey(&mut self, command: Command, at: Instant) -> Result<Option<String>, UciError> {
        match command {
            Command::Introduce => self.introduce()?,
            Command::Ping(number) => self.pong(&number)?,
            Command::MoveNow if self.running == Some(Purpose::Move) => self.session.control().stop(),
            Command::Post(on) => self.conversation.posts = on,
            Command::Level { moves, base, increment } => {
                self.pace = Pace { moves, increment, left: base, fixed: None, ..self.pace };
            }
            Command::MoveTime(time) => self.pace.fixed = Some(time),
            Command::Depth(plies) => self.pace.depth = Some(plies),
            Command::Time(left) => self.pace.left = left,
            Command::Variant(name) => return self.switch(&name),
            Command::Memory(mib) => {
                let mib = mib.min(self.conversation.hash_mib_max);
                self.set(|options| options.hash_mib = mib)?;
            }
            Command::Cores(count) => {
                self.set(|options| options.threads = count.min(parallel::THREADS_MAX))?
            }
            Command::SetOption(name, value) => self.set_option(&name, value.as_deref())?,
            Command::MoveNow | Command::Status | Command::Nothing | Command::Quit => {}
            command => self.change(command, at)?,
        }
        Ok(None)
    }

    /// What changes the game or what is thought about: a search that runs is about something else then.
    fn change(&mut self, command: Command, at: Instant) -> Result<(), UciError> {
        self.abandon()?;
        match command {
            Command::New => {
                self.session.begin(self.start.clone())?;
                self.session.clear_memory();
                self.mode = Mode::Plays(self.session.position().mover().opponent());
                self.pace.depth = None;
            }
            Command::SetBoard(text) => {
                if let Err(error) = self.session.begin_at(&text) {
                    self.conversation
                        .say(&format!("tellusererror Illegal position: {}", in_one_line(&error)))?;
                }
            }
            Command::Move(text) => self.users_move(&text)?,
            Command::Go => self.mode = Mode::Plays(self.session.position().mover()),
            Command::PlayOther => self.mode = Mode::Plays(self.session.position().mover().opponent()),
            Command::Force | Command::Exit | Command::Result => self.mode = Mode::Force,
            Command::Analyze => self.mode = Mode::Analyzes,
            Command::Undo(count) => {
                for _ in 0..count {
                    self.session.take_back().map_err(SessionError::from)?;
                }
            }
            Command::Hint => return self.think(Purpose::Hint, at),
            _ => {}
        }
        match self.mode {
            Mode::Plays(colour) if colour == self.session.position().mover() => self.think(Purpose::Move, at),
            Mode::Analyzes => self.think(Purpose::Analysis, at),
            _ => Ok(()),
        }
    }

    fn introduce(&mut self) -> io::Result<()> {
        let version = env!("CARGO_PKG_VERSION");
        let variants = self.variants.names.join(",");
        let conversation = &mut *self.conversation;
        conversation.say(&format!("feature myname=\"Multigame {version}\" variants=\"{variants}\""))?;
        conversation
            .say("feature ping=1 setboard=1 playother=1 san=0 usermove=1 time=1 draw=0 sigint=0 sigterm=0")?;
        conversation.say("feature reuse=1 analyze=1 colors=0 name=0 nps=0 memory=1 smp=1 ics=0 pause=0")?;
        conversation.say("feature option=\"Skill Level -spin 20 0 20\"")?;
        conversation.say("feature done=1")
    }

    /// Answers when everything before is done; a search for a move is waited for.
    fn pong(&mut self, number: &str) -> Result<(), UciError> {
        if self.running.is_some_and(|purpose| purpose != Purpose::Analysis) {
            let mut said = VecDeque::new();
            self.await_search(&mut said)?;
            self.conversation.exchange.keep(said);
        }
        Ok(self.conversation.say(&format!("pong {number}"))?)
    }

    fn switch(&mut self, name: &str) -> Result<Option<String>, UciError> {
        self.abandon()?;
        if name == self.variants.current {
            return Ok(None);
        }
        if self.variants.names.iter().any(|known| known == name) {
            return Ok(Some(name.to_owned()));
        }
        let name: String = name.chars().take(40).collect();
        self.conversation.say(&format!("Error (unsupported variant): {name}"))?;
        Ok(None)
    }

    fn set(&mut self, change: impl FnOnce(&mut EngineOptions)) -> Result<(), UciError> {
        self.abandon()?;
        change(&mut self.conversation.options);
        self.session.set_options(self.conversation.options.clone());
        Ok(())
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<(), UciError> {
        let level =
            value.and_then(crate::Level::from_name).filter(|_| name.eq_ignore_ascii_case("skill level"));
        match level {
            Some(level) => self.set(|options| options.level = level),
            None => Ok(self.conversation.say(&format!("Error (unknown option): {name}"))?),
        }
    }

    fn users_move(&mut self, text: &str) -> Result<(), UciError> {
        // A player who plays on has not claimed a draw.
        self.session.lift_counters().map_err(SessionError::from)?;
        match self.play(text) {
            Ok(()) => self.tell_result()?,
            Err(SessionError::Move(_)) => self.conversation.say(&format!("Illegal move: {text}"))?,
            Err(error) => {
                self.conversation.say(&format!("Illegal move ({}): {text}", in_one_line(&error)))?
            }
        }
        Ok(())
    }

    fn play(&mut self, text: &str) -> Result<(), SessionError> {
        if !text.starts_with("O-O") {
            return self.session.play_text(if text == "@@@@" { "pass" } else { text });
        }
        let legal = self.session.legal()?;
        let index = crate::san::find(self.session.info(), &self.session.position(), &legal, text)?;
        Ok(self.session.play(&legal.get(index).to_move())?)
    }

    /// Says how the game ended, if it did; then the game is not played on.
    fn tell_result(&mut self) -> io::Result<()> {
        let Standing::Finished(outcome, viewer) = self.session.record().standing() else { return Ok(()) };
        if self.mode != Mode::Analyzes {
            self.mode = Mode::Force;
        }
        self.conversation.say(match outcome.winner(viewer) {
            Some(Colour::White) => "1-0 {White wins}",
            Some(Colour::Black) => "0-1 {Black wins}",
            None => "1/2-1/2 {Draw}",
        })
    }

    fn limits(&self, purpose: Purpose, at: Instant) -> Limits {
        if purpose == Purpose::Analysis {
            return Limits::default();
        }
        let (pace, overhead, waited) = (&self.pace, self.session.options().move_overhead, at.elapsed());
        let time = match pace.fixed {
            Some(time) => {
                TimeLimit::Fixed(time.saturating_sub(overhead).max(time / 2).saturating_sub(waited))
            }
            None => TimeLimit::Clock {
                remaining: usable(pace.left.saturating_sub(waited), overhead),
                increment: pace.increment.saturating_sub(overhead),
                moves_to_go: pace
                    .moves
                    .map(|moves| moves - self.session.record().moves().len() as u32 / 2 % moves),
            },
        };
        Limits { depth: pace.depth.map(Depth), time, ..Limits::default() }
    }

    fn think(&mut self, purpose: Purpose, at: Instant) -> Result<(), UciError> {
        self.session.lift_counters().map_err(SessionError::from)?;
        if self.session.legal().map_err(SessionError::from)?.is_empty() {
            return Ok(());
        }
        let task = self.session.task(self.limits(purpose, at), Vec::new())?;
        self.running = Some(purpose);
        let (game, root) = (self.session.game(), self.session.record().position().clone());
        let tell = move |_: usize, news: &Progress<'_>| thinking(game, &root, news);
        Ok(self.conversation.exchange.start(self.scope, task, tell)?)
    }

    fn tell(&mut self, line: &str) -> io::Result<()> {
        let shown = self.conversation.posts && self.running.is_some_and(|purpose| purpose != Purpose::Hint);
        if shown { self.conversation.say(line) } else { Ok(()) }
    }

    fn finished(&mut self, result: Result<Thought, String>) -> Result<(), UciError> {
        let purpose = self.running.take();
        let (remarks, best) = match result {
            Ok(thought) => (thought.remarks(), thought.report.best),
            Err(message) => (vec![message], None),
        };
        for remark in remarks {
            self.conversation.say(&format!("telluser {}", in_one_line(&remark)))?;
        }
        // Whatever went wrong, a move is expected.
        let legal = self.session.legal().map_err(SessionError::from)?;
        let Some(best) = best.or_else(|| legal.iter().next().map(|played| played.to_move())) else {
            return Ok(());
        };
        match purpose {
            Some(Purpose::Move) => {
                let name = self.name(&best)?;
                self.conversation.say(&format!("move {name}"))?;
                self.session.play(&best).map_err(SessionError::from)?;
                self.tell_result()?;
            }
            Some(Purpose::Hint) => {
                let name = self.name(&best)?;
                self.conversation.say(&format!("Hint: {name}"))?;
            }
            _ => {}
        }
        Ok(())
    }

    /// As the other program wants it: castling in Chess960 has a name of its own.
    fn name(&self, played: &Move) -> Result<String, UciError> {
        let (info, position) = (self.session.info(), self.session.position());
        let legal = self.session.legal().map_err(SessionError::from)?;
        let castles = Shape::of(info, &position, played.view())
            .filter(|_| info.notation.castling_rights().is_some())
            .and_then(|shape| shape.castles_right(info));
        Ok(match castles {
            Some(true) => "O-O".to_owned(),
            Some(false) => "O-O-O".to_owned(),
            None => crate::coordinates::name(info, &position, &legal, played.view()),
        })
    }

    /// Ends a search that is going on, and forgets it.
    fn abandon(&mut self) -> Result<(), UciError> {
        if self.running.is_some() {
            self.running = Some(Purpose::Analysis);
            self.session.control().stop();
            let mut said = VecDeque::new();
            self.await_search(&mut said)?;
            self.conversation.exchange.keep_first(said);
        }
        Ok(())
    }

    /// Waits for a search that is going on; what is said meanwhile is kept, unless it makes the search move at once.
    fn await_search(&mut self, said: &mut VecDeque<Event>) -> Result<(), UciError> {
        while self.running.is_some() {
            match self.conversation.exchange.next() {
                Event::News(line) => self.tell(&line)?,
                Event::Finished(result) => self.finished(*result)?,
                Event::Line(line, at) => {
                    if matches!(command::parse(&line), Ok(Command::MoveNow | Command::Quit)) {
                        self.session.control().stop();
                    }
                    said.push_back(Event::Line(line, at));
                }
                Event::End => said.push_back(Event::End),
            }
        }
        Ok(())
    }
}

/// A line about a search: depth, score, time in hundredths of seconds, nodes, and the best line.
fn thinking<G: Game>(game: &G, root: &G::Position, news: &Progress<'_>) -> String {
    format!(
        "{} {} {} {} {}",
        news.depth.0.max(1),
        score(news.score),
        news.elapsed.as_millis() / 10,
        news.nodes,
        info::variation(game, root, news.principal_variation).join(" ")
    )
}

/// Hundredths of a pawn; a mate in n moves is 100000 + n.
fn score(score: Score) -> i64 {
    const MATE: i64 = 100_000;
    if score == Score::WON || score == Score::LOST {
        return i64::from(score.value().signum()) * MATE;
    }
    match (score.distance(), score.points()) {
        (Some(plies), _) if score > Score::DRAW => MATE + i64::from((plies + 1) / 2),
        (Some(plies), _) => -MATE + i64::from(plies / 2),
        (None, Some(points)) => i64::from(points) * 100,
        (None, None) => i64::from(score.value()).clamp(-MATE + 1000, MATE - 1000),
    }
}
