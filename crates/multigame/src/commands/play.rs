//! `multigame play`: a game in the terminal, or through a pipe. What a person can enter is in `commands`, what is kept of
//! a game in `keeping`.

mod commands;
mod keeping;

use std::io::{self, BufRead, Write};
use std::time::Duration;

use anyhow::Result;
use game::record::{Record, Standing};
use game::{Colour, Game, Move, Outcome, Position, fen, notation};
use protocol::book::Book;
use protocol::{EngineOptions, san};
use serde_json::json;

use crate::cli::{FAINT, Global, Play, STRONG, Side};
use crate::generator::Work;
use crate::judgement::with_player;
use crate::keyboard::{Entered, Input};
use crate::numbers::counted;
use crate::opponent::{self, Allowance, Choice};
use crate::{Exit, board, books, interrupt};

/// Moves away from the solution that make a puzzle of a solved one.
const SCRAMBLE_MOVES: u32 = 40;

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
            engine: interrupt::stoppable(|| protocol::Session::new(game, start.clone(), engine))?,
            start,
            scrambled: options.scramble,
            side,
            limits: Allowance { depth: options.depth, time: Duration::from_secs_f64(options.time) },
            book: options.book.as_deref().map(|file| books::open(game, file)).transpose()?,
            varied: global.seed.is_some(),
            random: fastrand::Rng::with_seed(seed),
            names: Vec::new(),
            drawing,
            remark: None,
            keyboard: Input::open(commands::vocabulary()),
            json: global.json,
            out,
        };
        session.scramble_at_first()?;
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
    /// Where games begin, and how far from there puzzles do if that was said.
    start: Position,
    scrambled: Option<u32>,
    side: Side,
    limits: Allowance,
    book: Option<Book>,
    /// Whether games shall differ: the user gave a seed.
    varied: bool,
    random: fastrand::Rng,
    /// What the moves so far are called, as files of games have it.
    names: Vec<String>,
    drawing: board::Drawing<'game>,
    /// What the computer has just played; it stands below the board, where a low terminal still shows it.
    remark: Option<String>,
    keyboard: Input,
    json: bool,
    out: &'run mut dyn Write,
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
        if let Some(remark) = self.remark.take() {
            writeln!(self.out, "{remark}")?;
        }
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

    fn think(&mut self) -> Result<Option<Choice>> {
        if let Some(book) = &self.book
            && let Some(best) = book.choose(self.engine.record(), self.random.u64(..))
        {
            let expectation = "from the book".to_owned();
            return Ok(Some(Choice { best, expectation, depth: 0, nodes: 0, is_found: true }));
        }
        match self.varied {
            true => opponent::choose_varied(&mut self.engine, self.limits, &mut self.random),
            false => opponent::choose(&mut self.engine, self.limits, &mut self.random),
        }
    }

    /// False when Ctrl-C stopped it.
    fn computer_moves(&mut self) -> Result<bool> {
        let Some(thought) = self.think()? else { return Ok(true) };
        if interrupt::requested() {
            write!(self.out, "{}", self.so_far())?;
            return Ok(false);
        }
        if self.json {
            let row = json!({
                "move": self.name_of(&thought.best),
                "by": "computer",
                "expectation": thought.expectation,
                "depth": thought.depth,
                "nodes": thought.nodes,
            });
            writeln!(self.out, "{row}")?;
        } else {
            self.remark = Some(self.told(&thought));
            writeln!(self.out)?;
        }
        self.play(&thought.best)?;
        self.show()?;
        Ok(true)
    }

    /// What the computer plays and why, for a person.
    fn told(&self, thought: &Choice) -> String {
        let name = self.recorded_name(&thought.best);
        // Of a weaker player the number of nodes says nothing but that it is weak.
        let effort = match self.engine.options().limited_level() {
            Some(_) => String::new(),
            None => {
                format!(", depth {}, {}", thought.depth, counted(thought.nodes, "node", "nodes"))
            }
        };
        format!(
            "{} plays {}{name}{} {}({}{effort}){}",
            self.mover(),
            STRONG.render(),
            STRONG.render_reset(),
            FAINT.render(),
            thought.expectation,
            FAINT.render_reset()
        )
    }
}
