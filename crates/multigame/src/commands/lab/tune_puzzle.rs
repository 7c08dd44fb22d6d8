//! `multigame lab tune` for puzzles: how many states make a message.

use std::io::Write;

use anyhow::{Result, bail};
use fabric::simulation::Disturbances;
use game::{Game, Position};
use lab::Fabric;
use lab::puzzles::{Experiment, costs};
use lab::tuning::{Knob, Tuning, tune};
use parallel::habits::Habit;
use parallel::tds::{Carrying, Scheduling, Settings, Space};
use search::one_player::PieceByPiece;

use super::layouts::{Wanted, motion};
use super::tune::{REPETITIONS, say};
use crate::cli::lab::{FabricName, Tune};
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
        let states = wanted.states(info, &motion, &start)?;
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
    let network = options.network.value;
    let (fabric, usual) = match options.fabric {
        FabricName::Threads => (Fabric::Threads, Settings::real(Scheduling::Home)),
        FabricName::Virtual => {
            let fabric = Fabric::Virtual { network, topology: network.topology };
            (fabric, Settings::simulated(Scheduling::Home, costs(game)))
        }
    };
    let usual =
        Settings { last_bound: Some(options.depth as u32), seed: global.seed.unwrap_or(usual.seed), ..usual };
    let processors = options.processors as usize;
    if !global.json {
        let place = fabric.name();
        writeln!(
            out,
            "{STRONG}{game}{STRONG:#} on {processors} processors, {place}, tds: states in a message"
        )?;
        writeln!(out, "{FAINT}  states      seconds{FAINT:#}")?;
    }
    let mut measure = |tuning: &Tuning| -> Result<f64> {
        let settings = usual.with_batch(tuning.batch);
        let table_bytes = (options.table as usize) << 10;
        let experiment = Experiment {
            settings,
            fabric,
            table_bytes,
            equal_memory: false,
            faults: Disturbances::default(),
        };
        let seconds = seconds(&experiment, spaces, processors)?;
        if !global.json {
            writeln!(out, "{:>8} {seconds:>12.6}", tuning.batch)?;
            out.flush()?;
        }
        Ok(seconds)
    };
    let start = Tuning { least_depth: 1, table_depth: 0, batch: usual.batch };
    let found = tune(start, &[Knob::Batch], &mut measure);
    if interrupt::requested() {
        return Ok(Exit::Interrupted);
    }
    let best = found?;
    let place = match fabric {
        Fabric::Threads => Habit::THREADS.to_owned(),
        Fabric::Virtual { .. } => fabric.name(),
    };
    let (game, engine, tuning) = (game.to_owned(), "tds".to_owned(), best.tuning);
    let habit = Habit { game, place, processors, engine, is_fastest: false, tuning };
    tuned::keep(std::slice::from_ref(&habit))?;
    say(&habit, &best, global, out)?;
    if !global.json {
        writeln!(out, "kept in {}", tuned::path()?.display())?;
    }
    Ok(Exit::Success)
}

/// The time of all positions together.
fn seconds(experiment: &Experiment, spaces: &[&dyn Space], processors: usize) -> Result<f64> {
    let repetitions = if experiment.fabric == Fabric::Threads { REPETITIONS } else { 1 };
    let mut sum = 0.0;
    for space in spaces {
        let mut least = f64::INFINITY;
        for _ in 0..repetitions {
            if interrupt::requested() {
                bail!("stopped");
            }
            least = least.min(experiment.run(*space, processors)?.seconds);
        }
        sum += least;
    }
    Ok(sum)
}
