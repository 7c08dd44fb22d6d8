//! `multigame fit`: the numbers of an evaluation, fitted to positions whose worth is known, or that come from own
//! games.

mod own_games;

use std::io::Write;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::{Context, Result, bail};
use game::record::Record;
use game::{Colour, Game, Position};
use lang::Source;
use learn::{Influence, Number, Sample};
use protocol::epd::Epd;
use protocol::pgn;
use rules::Program;
use serde_json::{Value, json};

use crate::cli::Global;
use crate::cli::fit::Fit as Options;
use crate::generator::{self, Work, with_program};
use crate::numbers::{counted, grouped};
use crate::progress::Progress;
use crate::{Exit, files, interrupt};

/// A centipawn, as chess programs count: 400 of them are ten to one.
const CENTIPAWN: f64 = std::f64::consts::LN_10 / 400.0;
/// By how much a number is changed to see what it does: large, so that roundings do not matter, or else small.
const CHANGES: [i64; 3] = [64, 8, 1];
/// One position in so many is kept back for the question whether the fit holds elsewhere.
const KEPT_BACK: usize = 10;

/// Positions, and what their players may expect.
#[derive(Default)]
struct Judged {
    positions: Vec<Position>,
    expected: Vec<f64>,
}

pub(super) fn run(options: &Options, global: &Global, out: &mut dyn Write) -> Result<Exit> {
    let mut source = generator::find_rules(&options.game)?;
    let program = generator::compile_rules(&source)?;
    if program.info.players != 2 {
        bail!("`{}` is not a game for two: its evaluation is no expectation", program.info.name);
    }
    if options.suggest {
        source = suggested(&source, &program)?;
    }
    // Before anything is read or played.
    wanted(learn::find(&lang::parse(&source).tree), &options.only)?;
    if options.files.is_empty() {
        return own_games::run(source, options, global, out);
    }
    let judged = with_program(generator::compile_rules(&source)?, Reading { options })?;
    let Some(fitted) = fit(&source, &judged, options, global)? else { return Ok(Exit::Interrupted) };
    deliver(&fitted.source, options.output.as_deref())?;
    if global.json {
        let mut row = fitted.as_json(&program.info.name);
        if options.output.is_none() {
            row["rules"] = json!(fitted.source.text);
        }
        writeln!(out, "{row}")?;
        return Ok(Exit::Success);
    }
    match options.output {
        Some(_) => writeln!(out, "{}", fitted.in_words())?,
        // The rules are what was asked for.
        None => {
            writeln!(anstream::stderr(), "{}", fitted.in_words())?;
            out.write_all(fitted.source.text.as_bytes())?;
        }
    }
    Ok(Exit::Success)
}

/// The rules with an evaluation to begin with.
fn suggested(source: &Source, program: &Program) -> Result<Source> {
    let tree = lang::parse(source).tree;
    if !tree.features.is_empty() {
        bail!("the rules have an `evaluation`: leave out --suggest to fit its numbers");
    }
    Ok(Source::new(source.name.clone(), learn::suggest(&source.text, &tree, &program.info)))
}

/// Writes rules, if a file is given.
fn deliver(source: &Source, output: Option<&Path>) -> Result<()> {
    let Some(path) = output else { return Ok(()) };
    std::fs::write(path, &source.text).with_context(|| format!("cannot write `{}`", path.display()))
}

/// Rules with other numbers, and how much better they say what is known.
struct Fitted {
    source: Source,
    positions: usize,
    numbers: usize,
    changed: usize,
    scale: f64,
    /// What it is worth to be to move, where the rules do not say.
    to_move: Option<f64>,
    /// Mean squared errors before and after, of the positions that were learned from and of those kept back.
    learned: [f64; 2],
    kept_back: [f64; 2],
    /// How many were kept back.
    test: usize,
}

impl Fitted {
    fn as_json(&self, name: &str) -> Value {
        json!({
            "game": name,
            "positions": self.positions,
            "numbers": self.numbers,
            "changed": self.changed,
            "scale": self.scale,
            "to_move": self.to_move,
            "error_before": self.learned[0],
            "error_after": self.learned[1],
            "kept_back": self.test,
            "kept_back_error_before": self.kept_back[0],
            "kept_back_error_after": self.kept_back[1],
        })
    }

    fn in_words(&self) -> String {
        format!(
            "{} of {} numbers changed, by {}; mean squared error {:.5} -> {:.5}, of the {} kept back {:.5} -> {:.5}",
            grouped(self.changed as u64),
            grouped(self.numbers as u64),
            counted((self.positions - self.test) as u64, "position", "positions"),
            self.learned[0],
            self.learned[1],
            counted(self.test as u64, "position", "positions"),
            self.kept_back[0],
            self.kept_back[1],
        )
    }
}

/// Fits the numbers of rules to positions; none if the user has enough.
fn fit(source: &Source, judged: &Judged, options: &Options, global: &Global) -> Result<Option<Fitted>> {
    let tree = lang::parse(source).tree;
    let numbers = wanted(learn::find(&tree), &options.only)?;
    if judged.positions.len() < 2 * KEPT_BACK {
        bail!("{} are too few", counted(judged.positions.len() as u64, "position", "positions"));
    }
    let values = evaluate(&source.text, &source.name, &judged.positions).context("the rules as they are")?;
    let Some(samples) = samples(source, &numbers, judged, &values, global)? else { return Ok(None) };
    let (training, test) = divide(samples);
    let has_to_move = tree.features.iter().any(|feature| feature.for_mover);
    let fit = learn::fit(&training, numbers.len(), has_to_move, options.trust);
    let rounded: Vec<f64> = fit.changes.iter().map(|change| change.round()).collect();
    let changed = |(number, change): (&Number, &f64)| (number.span, number.value + *change as i64);
    let changes: Vec<_> = numbers.iter().zip(&rounded).map(changed).collect();
    let text = lang::format(&Source::new(source.name.clone(), learn::rewrite(&source.text, &changes)));
    evaluate(&text, &source.name, &judged.positions)
        .context("the new numbers do not fit into the ranges of properties: widen them, or raise --trust")?;
    let none = vec![0.0; numbers.len()];
    let error = |part: &[Sample]| [&none, &rounded].map(|changes| fit.error(part, changes));
    Ok(Some(Fitted {
        source: Source::new(source.name.clone(), text),
        positions: judged.positions.len(),
        numbers: numbers.len(),
        changed: rounded.iter().filter(|change| **change != 0.0).count(),
        scale: fit.scale,
        to_move: (!has_to_move).then_some(fit.to_move),
        learned: error(&training),
        kept_back: error(&test),
        test: test.len(),
    }))
}

/// What is fitted to, and what is kept back.
fn divide(samples: Vec<Sample>) -> (Vec<Sample>, Vec<Sample>) {
    let (mut training, mut test) = (Vec::new(), Vec::new());
    for (index, sample) in samples.into_iter().enumerate() {
        let part = if index.is_multiple_of(KEPT_BACK) { &mut test } else { &mut training };
        part.push(sample);
    }
    (training, test)
}

/// The numbers to fit.
fn wanted(mut numbers: Vec<Number>, only: &[String]) -> Result<Vec<Number>> {
    let mut owners: Vec<&str> = numbers.iter().map(|number| number.owner.as_str()).collect();
    owners.dedup();
    if owners.is_empty() {
        bail!("the rules have no `evaluation` with numbers to fit: --suggest begins with one from a list");
    }
    if let Some(unknown) = only.iter().find(|name| !owners.contains(&name.as_str())) {
        bail!(
            "--only: no table, rule or feature `{unknown}` has numbers to fit; there are {}",
            owners.join(", ")
        );
    }
    numbers.retain(|number| only.is_empty() || only.contains(&number.owner));
    Ok(numbers)
}

struct Reading<'run> {
    options: &'run Options,
}

impl Work for Reading<'_> {
    type Result = Judged;

    fn run<G: Game>(self, game: &G, _: Position) -> Result<Judged> {
        let mut judged = Judged::default();
        for path in &self.options.files {
            let (name, text) = (path.display(), files::read_text(path)?);
            let before = judged.positions.len();
            if pgn::is_meant(&text) {
                self.read_games(game, &text, path, &mut judged)?;
            } else {
                read_positions(game, &text, path, &mut judged)?;
            }
            if judged.positions.len() == before {
                bail!(
                    "`{name}` has no position whose worth is known: give `ce` in EPD, or games that were finished"
                );
            }
        }
        Ok(judged)
    }
}

fn read_positions<G: Game>(game: &G, text: &str, path: &Path, judged: &mut Judged) -> Result<()> {
    for (index, line) in text.lines().enumerate() {
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        let place = || format!("`{}`: line {}", path.display(), index + 1);
        let epd = Epd::read(game.info(), line).with_context(place)?;
        let position = game.admit(epd.position.clone()).with_context(place)?;
        let Some(worth) = epd.operand("ce") else { continue };
        let worth: f64 = worth.parse::<i32>().with_context(place)?.into();
        judged.expected.push(1.0 / (1.0 + (-CENTIPAWN * worth).exp()));
        judged.positions.push(position);
    }
    Ok(())
}

impl Reading<'_> {
    /// Positions of games where the move that was played is quiet: what the others are worth is seen by searching only.
    fn read_games<G: Game>(&self, game: &G, text: &str, path: &Path, judged: &mut Judged) -> Result<()> {
        for (index, one) in pgn::read(text).iter().enumerate() {
            let for_white = match one.result.as_str() {
                "1-0" => 1.0,
                "0-1" => 0.0,
                "1/2-1/2" => 0.5,
                _ => continue,
            };
            let place = || format!("`{}`, game {}", path.display(), index + 1);
            let played = one.replay(game).with_context(place)?;
            let mut record = Record::new(game, played.start().clone())?;
            for (ply, next) in played.moves().iter().enumerate() {
                if ply >= self.options.skip_plies && !next.view().head.forcing() {
                    let is_white = game.mover(record.position()) == Colour::White;
                    judged.expected.push(if is_white { for_white } else { 1.0 - for_white });
                    judged.positions.push(game.unpack(record.position()));
                }
                record.play(next)?;
            }
        }
        Ok(())
    }
}

/// What the evaluation of a text says of all positions.
fn evaluate(text: &str, name: &str, positions: &[Position]) -> Result<Vec<i32>> {
    with_program(generator::compile_rules(&Source::new(name, text))?, Evaluating { positions })
}

struct Evaluating<'run> {
    positions: &'run [Position],
}

impl Work for Evaluating<'_> {
    type Result = Vec<i32>;

    fn run<G: Game>(self, game: &G, _: Position) -> Result<Vec<i32>> {
        self.positions.iter().map(|position| Ok(game.evaluate(&game.pack(position))?)).collect()
    }
}

/// Finds out what each number does to each position, by changing it; none if the user has enough.
fn samples(
    source: &Source,
    numbers: &[Number],
    judged: &Judged,
    values: &[i32],
    global: &Global,
) -> Result<Option<Vec<Sample>>> {
    let (next, progress) = (AtomicUsize::new(0), Mutex::new(Progress::new()));
    let work = || {
        let mut slopes = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= numbers.len() || interrupt::requested() {
                return slopes;
            }
            // Another thread is drawing it: once is enough.
            if let Ok(mut progress) = progress.try_lock() {
                let message = || format!("number {} of {}", index + 1, numbers.len());
                progress.show(index as u64, numbers.len() as u64, message);
            }
            slopes.push((index, slope(source, &numbers[index], judged, values)));
        }
    };
    let threads = global.threads_or_one();
    let slopes: Vec<_> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        let join = |worker: std::thread::ScopedJoinHandle<'_, Vec<_>>| {
            worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        workers.into_iter().flat_map(join).collect()
    });
    if interrupt::requested() {
        return Ok(None);
    }
    let sample = |(value, expected): (&i32, &f64)| Sample {
        value: f64::from(*value),
        expected: *expected,
        influences: Vec::new(),
    };
    let mut samples: Vec<_> = values.iter().zip(&judged.expected).map(sample).collect();
    for (index, slopes) in slopes {
        for (position, slope) in slopes? {
            samples[position].influences.push(Influence { weight: index as u32, slope });
        }
    }
    Ok(Some(samples))
}

/// The positions to which a number matters, and how much.
fn slope(source: &Source, number: &Number, judged: &Judged, values: &[i32]) -> Result<Vec<(usize, f32)>> {
    let mut reason = None;
    for change in CHANGES.into_iter().flat_map(|change| [change, -change]) {
        let text = learn::rewrite(&source.text, &[(number.span, number.value + change)]);
        match evaluate(&text, &source.name, &judged.positions) {
            Ok(changed) => {
                let slopes = changed.iter().zip(values).map(|(new, old)| (new - old) as f32 / change as f32);
                return Ok(slopes.enumerate().filter(|(_, slope)| *slope != 0.0).collect());
            }
            Err(error) => reason = Some(error),
        }
    }
    let (line, _) = source.line_and_column(number.span.start);
    match reason {
        Some(error) => {
            Err(error).with_context(|| format!("line {line}: {} of `{}`", number.value, number.owner))
        }
        None => Ok(Vec::new()),
    }
}
