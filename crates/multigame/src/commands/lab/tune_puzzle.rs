//! `multigame lab tune` for puzzles: how many states make a message.

use std::io::Write;

use anyhow::{Result, bail};
use fabric::simulation::Disturbances;
use game::{Game, Position};
use lab::Fabric;
use lab::puzzles::{Experiment, costs};
use lab::tuning::{Knob, Timing, Tuning, tune};
use parallel::habits::Habit;
use parallel::tds::{Carrying, Scheduling, Settings, Space};
use search::one_player::PieceByPiece;

use super::layouts::{Wanted, motion};
use super::timing::{Trial, deep_enough, go_on, timing};
use super::tune::{DEPTH, say};
use crate::cli::lab::{Tune, TunedFabric};
use crate::cli::{FAINT, Global, STRONG};
use crate::generator::Work;
use crate::judgement::with_player;
use crate::{Exit, interrupt, tuned};

/// Finds what there is to find for a puzzle that is shared out in this way.
pub(super) fn run(
    options: &Tune,
    game: &str,
    scheduling: Scheduling,
    global: &Global,
    out: &mut dyn Write,
) -> Result<Exit> {
    if scheduling != Scheduling::Home {
        bail!(
            "`stealing` sends one state after the other: there is nothing to tune; tds sends many in a message"
        );
    }
    if let Some(tables) = options.tables {
        bail!("--tables {} is for games for two: a puzzle's states have homes, leave it out", tables.name);
    }
    if options.depth.is_none() && options.fabric == TunedFabric::Virtual {
        bail!(
            "say how long a solution to look for, as in --depth 49: virtual processors have no usual depth"
        );
    }
    with_player(&options.choice(game), options.judged, Find { options, global, out })
}

struct Find<'run> {
    options: &'run Tune,
    global: &'run Global,
    out: &'run mut dyn Write,
}

impl Work for Find<'_> {
    type Result = Exit;

    fn run<G: Game>(self, game: &G, start: Position) -> Result<Exit> {
        let Find { options, global, out } = self;
        let info = game.info();
        let motion = motion(game)?;
        let wanted = Wanted {
            suite: options.suite.as_deref(),
            first: options.first,
            only: None,
            seed: global.seed.unwrap_or(1),
        };
        let states = wanted.states(game, &motion, &start)?;
        let bounds = PieceByPiece::new(&motion);
        let spaces: Vec<_> = states.iter().map(|state| Carrying::new(&motion, state, &bounds)).collect();
        let spaces: Vec<&dyn Space> = spaces.iter().map(|space| space as &dyn Space).collect();
        find(&info.name, &spaces, options, global, out)
    }
}

fn find(
    game: &str,
    spaces: &[&dyn Space],
    options: &Tune,
    global: &Global,
    out: &mut dyn Write,
) -> Result<Exit> {
    let fabric = options.fabric();
    let usual = match fabric {
        Fabric::Threads | Fabric::Processes { .. } => Settings::real(Scheduling::Home),
        Fabric::Virtual { .. } => Settings::simulated(Scheduling::Home, costs(game)),
    };
    let usual = Settings { seed: global.seed.unwrap_or(usual.seed), ..usual };
    let processors = options.processors as usize;
    let experiment = |batch: usize, depth: i32| Experiment {
        settings: Settings { last_bound: Some(depth as u32), ..usual.with_batch(batch) },
        fabric,
        table_bytes: (options.table as usize) << 10,
        equal_memory: false,
        faults: Disturbances::default(),
    };
    let depth = match options.depth {
        Some(depth) => Ok(depth),
        // Bounds of sliding tiles and of many other puzzles change by two.
        None => {
            deep_enough(DEPTH, 2, &mut |depth| trial(&experiment(usual.batch, depth), spaces, processors))
        }
    };
    if interrupt::requested() {
        return Ok(Exit::Interrupted);
    }
    let depth = depth?;
    if !global.json {
        let place = fabric.name();
        writeln!(
            out,
            "{STRONG}{game}{STRONG:#} on {processors} processors, {place}, tds, depth {depth}: states in a message"
        )?;
        writeln!(out, "{FAINT}  states      seconds      error{FAINT:#}")?;
    }
    let mut measure = |tuning: &Tuning| -> Result<Timing> {
        let experiment = experiment(tuning.batch, depth);
        let timing = timing(fabric, &mut || Ok(trial(&experiment, spaces, processors)?.seconds))?;
        if !global.json {
            writeln!(out, "{:>8} {:>12.6} {:>10.6}", tuning.batch, timing.seconds, timing.error)?;
            out.flush()?;
        }
        Ok(timing)
    };
    let start = Tuning { least_depth: 1, table_depth: 0, batch: usual.batch };
    let found = tune(start, &[Knob::Batch], &mut measure);
    if interrupt::requested() {
        return Ok(Exit::Interrupted);
    }
    let best = found?;
    let (game, place, engine) = (game.to_owned(), options.place(), "tds".to_owned());
    let tables = String::new();
    let habit = Habit { game, place, tables, processors, engine, is_fastest: false, tuning: best.tuning };
    // What was found is told even if it cannot be kept.
    say(&habit, &best, global, out)?;
    tuned::keep(std::slice::from_ref(&habit))?;
    if !global.json {
        writeln!(out, "kept in {}", tuned::path()?.display())?;
    }
    Ok(Exit::Success)
}

/// The time of all positions together.
fn trial(experiment: &Experiment, spaces: &[&dyn Space], processors: usize) -> Result<Trial> {
    let mut together = Trial { seconds: 0.0, is_over: true };
    for space in spaces {
        go_on()?;
        let run = experiment.run_watched(*space, processors, None, &interrupt::requested)?;
        go_on()?;
        together.seconds += run.seconds;
        together.is_over &= run.length.is_some();
    }
    Ok(together)
}
