//! `multigame learn`: a network for a game, by playing it.

use std::io::Write;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use game::{Game, Position};
use network::Shape;
use serde_json::json;

use crate::Exit;
use crate::cli::learn::Learn as Options;
use crate::cli::{Evaluation, GameChoice, Generator, Global, STRONG};
use crate::generator::{Rules, Work, with_rules};
use crate::judgement::Appointed;
use crate::learning::{self, Generations, Judges, Learner, Plan, Row, Span};
use crate::numbers::{counted, grouped};
use crate::terminal::plus_minus;
use crate::{interrupt, judgement, networks};

pub(super) fn run(options: &Options, global: &Global, out: &mut dyn Write) -> Result<Exit> {
    let choice = GameChoice { game: options.game.clone(), position: None, generator: Generator::Jit };
    with_rules(&choice, |rules| {
        let first = judgement::appoint(rules, options.from)?;
        let plain = judgement::appoint(rules, Evaluation::Plain)?;
        Ok(Learn { plan: plan(rules, options, global)?, first, plain, options, global, out })
    })
}

fn plan(rules: &Rules, options: &Options, global: &Global) -> Result<Plan> {
    let Some(program) = &rules.program else {
        bail!("networks are learned for rules: `{}` is written by hand", rules.text)
    };
    if program.info.players != 2 {
        bail!("`{}` is not a game for two: networks judge who wins", program.info.name);
    }
    let (inputs, fingerprint) = (networks::inputs(program), networks::fingerprint(program));
    let tables = if inputs.patterns().entries() > 0 { options.patterns as usize } else { 0 };
    let shape = Shape {
        inputs: inputs.count(),
        width: options.width as usize,
        hidden: if options.width > 0 { options.hidden as usize } else { 0 },
        phases: options.phases as usize,
        entries: if tables > 0 { inputs.patterns().entries() } else { 0 },
        tables,
    };
    if options.width == 0 && tables == 0 {
        bail!("a network of width 0 needs patterns, and there are none: take a larger --width");
    }
    if !shape.is_possible() {
        bail!("`{}` has too many features for a network", program.info.name);
    }
    let data = networks::user_folder().and_then(|folder| Some(folder.parent()?.join("learning")));
    let folder = options.folder.clone().or_else(|| Some(data?.join(format!("{fingerprint:016x}"))));
    let output = options.output.clone().or_else(|| networks::user_file(program));
    let (Some(folder), Some(output)) = (folder, output) else {
        bail!("there is no folder for the user's data ($HOME is not set): give --folder and --output");
    };
    let seed = global.seed.unwrap_or(1);
    Ok(Plan {
        name: program.info.name.clone(),
        fingerprint,
        evaluation: networks::evaluation_fingerprint(program),
        alone: options.alone,
        inputs,
        folder,
        restart: options.restart,
        output,
        seed,
        threads: global.threads.map_or_else(processors, |threads| threads as usize),
        games: options.games,
        nodes: options.nodes,
        random_plies: options.random_plies,
        shape,
        epochs: options.epochs,
        result_share: options.result_share,
        test_games: options.test_games,
        span: Span {
            generations: options.generations,
            end: options.time.map(|seconds| Instant::now() + Duration::from_secs_f64(seconds)),
        },
        settings: json!({
            "rules": format!("{fingerprint:016x}"),
            "seed": seed,
            "evaluation": format!("{:016x}", networks::evaluation_fingerprint(program)),
            "from": from(options.from),
            "alone": options.alone,
            "games": options.games,
            "nodes": options.nodes,
            "random_plies": options.random_plies,
            "width": options.width,
            "hidden": options.hidden,
            "phases": options.phases,
            "patterns": options.patterns,
            "epochs": options.epochs,
            "result_share": options.result_share.to_string(),
            "test_games": options.test_games,
        }),
    })
}

/// Threads that the machine can run at once.
pub(super) fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

fn from(evaluation: Evaluation) -> String {
    match evaluation {
        Evaluation::Network(Some(file)) => format!("network:{file}"),
        other => format!("{other:?}").to_lowercase(),
    }
}

struct Learn<'run> {
    plan: Plan,
    first: Appointed,
    plain: Appointed,
    options: &'run Options,
    global: &'run Global,
    out: &'run mut dyn Write,
}

impl Work for Learn<'_> {
    type Result = Exit;

    fn run<G: Game>(self, game: &G, start: Position) -> Result<Exit> {
        let Learn { plan, first, plain, options, global, out } = self;
        let judges = Judges { first: first.judge(game)?, plain: plain.judge(game)? };
        if let Some(file) = &options.samples {
            let (games, bytes) = learning::collect(&plan, game, &judges, &start)?;
            networks::store(file, &bytes).with_context(|| format!("`{}`", file.display()))?;
            let said = counted(games, "game", "games");
            writeln!(out, "positions of {said} are in `{}`", file.display())?;
            return Ok(if interrupt::requested() { Exit::Interrupted } else { Exit::Success });
        }
        let mut learner = Learner::new(&plan, game, judges, start)?;
        let result = learner.run(&mut |row| {
            if global.json {
                writeln!(out, "{}", row.as_json())?;
            } else {
                tell(out, row)?;
            }
            Ok(out.flush()?)
        });
        result?;
        if !global.json {
            sum_up(out, &plan, learner.standing())?;
        }
        Ok(if interrupt::requested() { Exit::Interrupted } else { Exit::Success })
    }
}

pub(super) fn tell(out: &mut dyn Write, row: &Row) -> Result<()> {
    let (elo, error) = row.tally.elo();
    let verdict = if row.accepted { "taken" } else { "not taken" };
    writeln!(
        out,
        "generation {}: {} positions, loss {:.4}; test +{} ={} -{}, {elo:+.0} {} {error:.0} Elo: {}{verdict}{}",
        row.generation,
        grouped(row.positions as u64),
        row.loss,
        row.tally.wins,
        row.tally.draws,
        row.tally.losses,
        plus_minus(),
        STRONG.render(),
        STRONG.render_reset(),
    )?;
    Ok(())
}

fn sum_up(out: &mut dyn Write, plan: &Plan, (generation, best): (u32, Option<u32>)) -> Result<()> {
    match best {
        Some(best) => writeln!(
            out,
            "the network of generation {best} is in `{}`; the same command goes on with generation {generation}",
            plan.output.display()
        )?,
        None => writeln!(
            out,
            "no network is better yet than what was there; the same command goes on with generation {generation}"
        )?,
    }
    Ok(())
}
