//! `multigame book`: opening books from games of others or of the computer.

use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result, bail};
use collection::Added;
use game::record::Standing;
use game::{Game, Position, notation};
use protocol::book::{Book, GameEnd, fingerprint};
use protocol::{EngineOptions, Session, SessionError, chance, pgn};
use search::Limits;
use serde_json::json;

use crate::cli::book::{Action, Add, Book as Options, Build, Show};
use crate::cli::{GameChoice, Generator, Global};
use crate::generator::{Work, with_any};
use crate::judgement::with_player;
use crate::numbers::counted;
use crate::progress::Progress;
use crate::{Exit, books, collections, files, interrupt, opponent};

/// A game against itself that is longer counts as drawn.
const PLIES_MAX: usize = 600;

pub(super) fn run(options: &Options, global: &Global, out: &mut dyn Write) -> Result<Exit> {
    match &options.action {
        Action::Build(options) => {
            let choice =
                GameChoice { game: options.game.clone(), position: None, generator: options.generator };
            with_player(&choice, options.judged, Making { options, global, out })
        }
        Action::Show(options) => show(options, global, out),
        Action::Add(options) => add(options, global, out),
    }
}

struct Making<'run> {
    options: &'run Build,
    global: &'run Global,
    out: &'run mut dyn Write,
}

impl Work for Making<'_> {
    type Result = Exit;

    fn run<G: Game>(self, game: &G, start: Position) -> Result<Exit> {
        let Making { options, global, out } = self;
        if game.info().players != 2 {
            return Err(SessionError::OnePlayer(game.info().name.clone()).into());
        }
        let mut book = Book::empty(game.info().name.clone(), fingerprint(game)?);
        let games = match options.selfplay {
            Some(count) => from_self_play(options, global, game, start, count, &mut book)?,
            None => from_files(options, game, &mut book)? + from_collection(options, game, &mut book)?,
        };
        book.tidy();
        let bytes = book.to_bytes();
        let name = options.output.display();
        std::fs::write(&options.output, &bytes).with_context(|| format!("cannot write `{name}`"))?;
        if global.json {
            let row = json!({
                "game": book.game,
                "games": games,
                "positions": book.positions(),
                "moves": book.moves(),
                "bytes": bytes.len(),
            });
            writeln!(out, "{row}")?;
        } else {
            writeln!(
                out,
                "{name}: {} in {}, from {}",
                counted(book.moves() as u64, "move", "moves"),
                counted(book.positions() as u64, "position", "positions"),
                counted(games, "game", "games")
            )?;
        }
        Ok(if interrupt::requested() { Exit::Interrupted } else { Exit::Success })
    }
}

fn from_files<G: Game>(options: &Build, game: &G, book: &mut Book) -> Result<u64> {
    let mut games = 0;
    for file in &options.pgn {
        let text = files::read_text(file)?;
        let before = games;
        for (index, one) in pgn::read(&text).iter().filter(|one| !one.moves.is_empty()).enumerate() {
            let place = || format!("`{}`, game {}", file.display(), index + 1);
            let record = one.replay(game).with_context(place)?;
            book.add(&record, options.plies as usize, GameEnd::of(record.standing(), &one.result));
            games += 1;
            if interrupt::requested() {
                return Ok(games);
            }
        }
        if games == before {
            bail!("there is no game in `{}`", file.display());
        }
    }
    Ok(games)
}

/// Games that the browser, the shell or `book add` have collected.
fn from_collection<G: Game>(options: &Build, game: &G, book: &mut Book) -> Result<u64> {
    let Some(file) = &options.collection else { return Ok(0) };
    let (collection, rules) = (collections::open(file.as_deref())?, collections::key(&options.game)?);
    let (mut games, mut trouble) = (0, None);
    collection.each(&rules, &mut |one| {
        match one.replay(game) {
            Ok(record) => {
                book.add(&record, options.plies as usize, GameEnd::of(record.standing(), &one.result));
                games += 1;
            }
            Err(error) => trouble = Some(error),
        }
        trouble.is_none() && !interrupt::requested()
    })?;
    match trouble {
        Some(error) => Err(error).with_context(|| format!("game {} of the collection", games + 1)),
        None if games == 0 && options.pgn.is_empty() => {
            bail!("the collection has no game of {}: add some with `multigame book add`", game.info().name)
        }
        None => Ok(games),
    }
}

fn add(options: &Add, global: &Global, out: &mut dyn Write) -> Result<Exit> {
    let choice = GameChoice { game: options.game.clone(), position: None, generator: Generator::Jit };
    with_any(&choice, Adding { options, global, out })
}

struct Adding<'run> {
    options: &'run Add,
    global: &'run Global,
    out: &'run mut dyn Write,
}

impl Work for Adding<'_> {
    type Result = Exit;

    fn run<G: Game>(self, game: &G, _: Position) -> Result<Exit> {
        let Adding { options, global, out } = self;
        let (collection, rules) =
            (collections::open(options.collection.as_deref())?, collections::key(&options.game)?);
        let mut all = Added::default();
        for file in &options.pgn {
            let text = files::read_text(file)?;
            let added = collections::add(&collection, &rules, game, &text)
                .with_context(|| format!("`{}`", file.display()))?;
            all = Added {
                new: all.new + added.new,
                wrong: all.wrong + added.wrong,
                read: all.read + added.read,
            };
        }
        let known = all.read - all.new - all.wrong;
        if global.json {
            let name = &game.info().name;
            writeln!(
                out,
                "{}",
                json!({ "game": name, "added": all.new, "known": known, "wrong": all.wrong })
            )?;
        } else {
            writeln!(out, "{}", collections::told(all))?;
        }
        Ok(if interrupt::requested() { Exit::Interrupted } else { Exit::Success })
    }
}

/// The first plies are chosen by chance among the best moves; the rest is played as well as the computer can, to see
/// how it ends.
fn from_self_play<G: Game>(
    options: &Build,
    global: &Global,
    game: &G,
    start: Position,
    count: u64,
    book: &mut Book,
) -> Result<u64> {
    let engine = EngineOptions {
        settings: options.engine.settings(global),
        hash_mib: options.engine.hash as usize,
        ..EngineOptions::default()
    };
    let mut session = Session::new(game, start.clone(), engine.clone())?;
    let control = session.control().clone();
    let _stopper = interrupt::on_request(move || control.stop());
    let (seed, mut progress) = (global.seed.unwrap_or(1), Progress::new());
    for number in 0..count {
        session.begin(start.clone())?;
        session.clear_memory();
        let mut random = chance::mix(seed.wrapping_add(number));
        while session.record().standing() == Standing::Open && session.record().moves().len() < PLIES_MAX {
            let early = session.record().moves().len() < options.plies as usize;
            let multi_pv = if early { options.breadth as usize } else { 1 };
            session.set_options(EngineOptions { multi_pv, ..engine.clone() });
            let task = session.task(Limits::to_depth(options.depth), Vec::new())?;
            let lines = task.run(&mut |_, _| {})?.lines;
            if interrupt::requested() {
                return Ok(number);
            }
            random = chance::next(random);
            let Some(played) = opponent::pick(&lines, random).and_then(|line| line.moves.first()) else {
                break;
            };
            session.play(played)?;
        }
        book.add(session.record(), options.plies as usize, GameEnd::of(session.record().standing(), "*"));
        progress.show(number + 1, count, || counted(number + 1, "game", "games"));
    }
    Ok(count)
}

fn show(options: &Show, global: &Global, out: &mut dyn Write) -> Result<Exit> {
    let book = books::read(&options.file)?;
    let Some(position) = &options.position else {
        match global.json {
            true => {
                let row = json!({ "game": book.game, "positions": book.positions(), "moves": book.moves() });
                writeln!(out, "{row}")?;
            }
            false => writeln!(
                out,
                "{}: {} in {}",
                book.game,
                counted(book.moves() as u64, "move", "moves"),
                counted(book.positions() as u64, "position", "positions")
            )?,
        }
        return Ok(Exit::Success);
    };
    let game = options.game.clone().unwrap_or_else(|| book.game.clone());
    let position = (position != "start").then(|| position.clone());
    let choice = GameChoice { game, position, generator: Generator::Jit };
    with_any(&choice, Looking { file: &options.file, global, out })
}

struct Looking<'run> {
    file: &'run Path,
    global: &'run Global,
    out: &'run mut dyn Write,
}

impl Work for Looking<'_> {
    type Result = Exit;

    fn run<G: Game>(self, game: &G, start: Position) -> Result<Exit> {
        let book = books::open(game, self.file)?;
        let session = Session::new(game, start, EngineOptions { hash_mib: 1, ..EngineOptions::default() })?;
        let (record, names) = (
            session.record(),
            notation::short_forms(game.info(), &session.position(), session.record().legal()),
        );
        let known = book.known(game.signature(record.position()), record.legal());
        let total: u64 = known.iter().map(|(_, weight)| u64::from(*weight)).sum();
        for (index, weight) in &known {
            let share = f64::from(*weight) / total.max(1) as f64;
            match self.global.json {
                true => writeln!(
                    self.out,
                    "{}",
                    json!({ "move": names[*index], "weight": weight, "share": share })
                )?,
                false => writeln!(self.out, "{:<8} {weight:>8} {:>6.1} %", names[*index], 100.0 * share)?,
            }
        }
        if known.is_empty() && !self.global.json {
            writeln!(self.out, "the book knows no move here")?;
        }
        Ok(Exit::Success)
    }
}
