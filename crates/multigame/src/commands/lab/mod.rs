//! `multigame lab`: experiments with parallel searches, one file each.

mod calibrate;
mod compare;
mod laboratory;
mod layouts;
mod puzzles;
mod refusals;
mod run;
mod speedup;
mod tables;
mod timing;
mod trace;
mod tune;
mod tune_puzzle;
mod version;

use std::io::Write;
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use game::{Game, Position};
use lab::{Positions, Subject};
use search::Control;

use crate::Exit;
use crate::cli::lab::{Lab, LabCommand};
use crate::cli::{Evaluation, GameChoice, Global};
use crate::generator::Work;
use crate::interrupt::{self, Stopper};
use crate::judgement::with_player;
use crate::{library, memory};

pub(super) fn run(options: &Lab, global: &Global, out: &mut dyn Write) -> Result<Exit> {
    match &options.experiment {
        LabCommand::Speedup(options) => speedup::run(options, global, out),
        LabCommand::Compare(options) => compare::compare(options, global, out),
        LabCommand::Ablate(options) => compare::ablate(options, global, out),
        LabCommand::Trace(options) => trace::trace(options, global, out),
        LabCommand::Tree(options) => trace::tree(options, global, out),
        LabCommand::Tables(options) => tables::run(options, global, out),
        LabCommand::Run(options) => run::run(options, global, out),
        LabCommand::Calibrate(options) => calibrate::run(options, global, out),
        LabCommand::Tune(options) => tune::run(options, global, out),
    }
}

/// What Ctrl-C stops, as long as the second of these lives.
fn stoppable() -> (Arc<Control>, Stopper) {
    let control = Arc::new(Control::default());
    let stopper = interrupt::on_request({
        let control = Arc::clone(&control);
        move || control.stop()
    });
    (control, stopper)
}

/// Refuses tables of several processors that this machine has no memory for.
fn check_memory(processors: usize, table_kib: u64, option: &str) -> Result<()> {
    let (wanted, most) = ((processors as u64 * table_kib) >> 10, memory::available_mib());
    if wanted > most {
        let each = (most << 10) / processors as u64;
        bail!(
            "{processors} processors with {table_kib} KiB each need {wanted} MiB for tables, and this machine has {most}: \
             give {option} {each} or less, or fewer processors"
        );
    }
    Ok(())
}

/// A game with the positions that are searched.
struct Opening<'run> {
    choice: &'run GameChoice,
    evaluation: Evaluation,
    /// The suite of positions; without it, the start alone.
    suite: Option<&'run str>,
    /// Only so many of them.
    first: Option<usize>,
    /// Only this one, from 1.
    only: Option<usize>,
    /// What to do where the game is a puzzle.
    of_puzzles: &'static str,
}

/// What to do about a puzzle where several processors search.
const PUZZLES: &str = "puzzles are shared out by --engine tds or stealing";

/// What is done with a game.
type Experiment<'run> = dyn FnMut(&dyn Subject) -> Result<Exit> + 'run;

impl Opening<'_> {
    /// Opens the game for an experiment.
    fn with(&self, experiment: &mut Experiment<'_>) -> Result<Exit> {
        // Figures do not depend on which networks there are, unless one is asked for.
        let evaluation = match self.evaluation {
            Evaluation::Automatic => Evaluation::Plain,
            other => other,
        };
        with_player(self.choice, evaluation, Opened { opening: self, experiment })
    }

    /// Opens a puzzle for an experiment; where there is no suite, its positions are drawn with a seed.
    fn with_puzzle(&self, seed: u64, experiment: &mut Experiment<'_>) -> Result<Exit> {
        let wanted = layouts::Wanted { suite: self.suite, first: self.first, only: self.only, seed };
        // What a puzzle's positions are worth is what databases and distances say.
        with_player(self.choice, Evaluation::None, layouts::Opened { wanted, experiment })
    }

    /// The positions to search.
    fn positions<G: Game>(&self, game: &G, start: Position) -> Result<Vec<Position>> {
        let Some(file) = self.suite else { return Ok(vec![start]) };
        let text = library::suite(file)?;
        let problems = protocol::problems::read(game.info(), &text).with_context(|| format!("`{file}`"))?;
        let mut positions = Vec::new();
        let (begin, count) = self.only.map_or((0, self.first.unwrap_or(usize::MAX)), |only| (only - 1, 1));
        if let Some(only) = self.only
            && only > problems.len()
        {
            bail!("`{file}` has {} positions, and `only` is {only}", problems.len());
        }
        for problem in problems.into_iter().skip(begin).take(count) {
            let place = || format!("`{file}`: line {}", problem.line);
            game.accepts(&problem.position)
                .map_err(|error| anyhow::anyhow!("{error}"))
                .with_context(place)?;
            positions.push(problem.position);
        }
        if positions.is_empty() {
            bail!("`{file}` has no positions");
        }
        Ok(positions)
    }
}

struct Opened<'run> {
    opening: &'run Opening<'run>,
    experiment: &'run mut Experiment<'run>,
}

impl Work for Opened<'_> {
    type Result = Exit;

    fn run<G: Game>(self, game: &G, start: Position) -> Result<Exit> {
        let info = game.info();
        if info.players != 2 {
            bail!("`{}` is not a game for two: {}", info.name, self.opening.of_puzzles);
        }
        let positions = self.opening.positions(game, start)?;
        let first = info.start.as_ref().unwrap_or(&positions[0]);
        let subject = Positions::new(game, first, &positions)?;
        (self.experiment)(&subject)
    }
}
