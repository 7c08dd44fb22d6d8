//! Fitting without outside judges: the program plays against itself, fits the numbers to what its searches said and how
//! the games ended, and keeps them if it plays better with them.

use std::io::Write;

use anyhow::Result;
use estimate::{Estimated, Judge};
use game::{Erased, Game, Position};
use lang::Source;
use network::samples::{CERTAIN, Ended};
use rules::Program;

use super::{CENTIPAWN, Fitted, Judged, deliver, fit};
use crate::cli::fit::Fit as Options;
use crate::cli::{Global, STRONG};
use crate::contest::rating::{Tally, Verdict};
use crate::generator::{self, Work, with_program};
use crate::learning::bouts::{self, Bouts, Manner, Numbers};
use crate::learning::{TEST, TEST_SEED};
use crate::progress::Progress;
use crate::terminal::plus_minus;
use crate::{Exit, interrupt};

/// How much the result of a game counts beside what the search said.
const RESULT_SHARE: f64 = 0.5;

/// Fits in rounds, each with games of the best numbers so far.
pub(super) fn run(
    mut source: Source,
    options: &Options,
    global: &Global,
    out: &mut dyn Write,
) -> Result<Exit> {
    let name = generator::compile_rules(&source)?.info.name;
    for round in 0..options.rounds {
        let judged = with_program(generator::compile_rules(&source)?, Playing { options, global, round })?;
        let Some(fitted) =
            (if interrupt::requested() { None } else { fit(&source, &judged, options, global)? })
        else {
            break;
        };
        let test = Test { rival: generator::compile_rules(&source)?, options, global, round };
        let tally = with_program(generator::compile_rules(&fitted.source)?, test)?;
        if interrupt::requested() {
            break;
        }
        let taken = TEST.verdict(tally) == Verdict::Second;
        tell(out, global, (round, &name, &fitted), tally, taken)?;
        if taken {
            source = fitted.source;
            deliver(&source, options.output.as_deref())?;
        }
    }
    // Whatever was asked for, the best numbers are delivered.
    deliver(&source, options.output.as_deref())?;
    if options.output.is_none() && !global.json {
        out.write_all(source.text.as_bytes())?;
    }
    Ok(if interrupt::requested() { Exit::Interrupted } else { Exit::Success })
}

fn tell(
    out: &mut dyn Write,
    global: &Global,
    (round, name, fitted): (u32, &str, &Fitted),
    tally: Tally,
    taken: bool,
) -> Result<()> {
    let (elo, error) = tally.elo();
    let Tally { wins, draws, losses } = tally;
    if global.json {
        let mut row = fitted.as_json(name);
        for (key, value) in
            [("round", u64::from(round) + 1), ("wins", wins), ("draws", draws), ("losses", losses)]
        {
            row[key] = value.into();
        }
        row["elo"] = elo.into();
        row["taken"] = taken.into();
        if taken {
            row["rules"] = fitted.source.text.as_str().into();
        }
        writeln!(out, "{row}")?;
        return Ok(());
    }
    let verdict = if taken { "taken" } else { "not taken" };
    let (begin, end) = (STRONG.render(), STRONG.render_reset());
    writeln!(
        anstream::stderr(),
        "round {}: {}; test +{wins} ={draws} -{losses}, {elo:+.0} {} {error:.0} Elo: {begin}{verdict}{end}",
        round + 1,
        fitted.in_words(),
        plus_minus(),
    )?;
    Ok(())
}

/// The seed of a round's games.
fn seed(global: &Global, round: u32) -> u64 {
    global.seed.unwrap_or(1).wrapping_add(u64::from(round) << 32)
}

fn bouts(options: &Options, global: &Global, end: u64, seed: u64) -> Bouts {
    let numbers = Numbers { first: 0, end, threads: global.threads_or_one() };
    Bouts { numbers, manner: Manner { nodes: options.nodes, random_plies: options.random_plies, seed } }
}

/// Plays the games of a round.
struct Playing<'run> {
    options: &'run Options,
    global: &'run Global,
    round: u32,
}

impl Work for Playing<'_> {
    type Result = Judged;

    fn run<G: Game>(self, game: &G, start: Position) -> Result<Judged> {
        let Playing { options, global, round } = self;
        let judged = Estimated::judged_by(game, Judge::Own);
        let bouts = bouts(options, global, options.games, seed(global, round));
        let (mut progress, mut seen) = (Progress::new(), Vec::new());
        bouts::alone(&bouts, &judged, &start, &mut |news| {
            if let Some((number, played)) = news {
                let ended = |position: &Position| played.ended(position.mover());
                seen.extend(
                    played.seen.iter().map(|one| (one.position.clone(), one.score, ended(&one.position))),
                );
                progress.show(number + 1, options.games, || format!("round {}: games", round + 1));
            }
            Ok(!interrupt::requested())
        })?;
        Ok(expectations(seen))
    }
}

/// What the players of positions may expect, by the search and by the end of the game.
fn expectations(seen: Vec<(Position, i16, Ended)>) -> Judged {
    let is_open = |score: &i16| score.unsigned_abs() < CERTAIN.unsigned_abs();
    let open = seen.iter().filter(|(_, score, _)| is_open(score));
    let scores: Vec<(i32, Ended)> = open.map(|(_, score, ended)| (i32::from(*score), *ended)).collect();
    let scale = learn::scale(&scores);
    let mut judged = Judged::default();
    // What is certain says nothing about estimates.
    for (position, score, ended) in seen.into_iter().filter(|(_, score, _)| is_open(score)) {
        let searched = 1.0 / (1.0 + (-CENTIPAWN * scale * f64::from(score)).exp());
        let result = f64::from(learn::expectation(ended));
        judged.expected.push(RESULT_SHARE * result + (1.0 - RESULT_SHARE) * searched);
        judged.positions.push(position);
    }
    judged
}

/// New numbers against those before.
struct Test<'run> {
    rival: Program,
    options: &'run Options,
    global: &'run Global,
    round: u32,
}

impl Work for Test<'_> {
    type Result = Tally;

    fn run<G: Game>(self, game: &G, _: Position) -> Result<Tally> {
        let Test { rival, options, global, round } = self;
        with_program(rival, Rivals { new: Erased::new(game), options, global, round })
    }
}

struct Rivals<'run> {
    new: Erased<'run>,
    options: &'run Options,
    global: &'run Global,
    round: u32,
}

impl Work for Rivals<'_> {
    type Result = Tally;

    fn run<G: Game>(self, game: &G, start: Position) -> Result<Tally> {
        let Rivals { new, options, global, round } = self;
        let old = Erased::new(game);
        let (new, old) = (Estimated::judged_by(&new, Judge::Own), Estimated::judged_by(&old, Judge::Own));
        let bouts = bouts(options, global, options.test_games, seed(global, round).wrapping_add(TEST_SEED));
        let (mut tally, mut progress) = (Tally::default(), Progress::new());
        bouts::between(&bouts, [&new, &old], &start, &mut |news| {
            if let Some((number, played)) = news {
                bouts::count(&mut tally, number, played.winner);
                let said = || format!("round {}: test, {:+.0} Elo", round + 1, tally.elo().0);
                progress.show(tally.games(), options.test_games, said);
            }
            Ok(!interrupt::requested() && TEST.verdict(tally) == Verdict::Open)
        })?;
        Ok(tally)
    }
}
