//! `multigame learn GAME --policy`: a policy for Monte Carlo search, by playing.

use std::io::Write;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use game::{Game, Position};
use serde_json::json;

use super::learn::{processors, tell};
use crate::Exit;
use crate::cli::learn::{Learn as Options, TeacherName};
use crate::cli::{GameChoice, Generator, Global};
use crate::generator::{Rules, Work, with_rules};
use crate::judgement::Appointed;
use crate::learning::policy::{PolicyLearner, PolicyPlan};
use crate::learning::policy_game::{Manner, Teacher};
use crate::learning::{Generations, Span};
use crate::{interrupt, judgement, networks, policies};

pub(super) fn run(options: &Options, global: &Global, out: &mut dyn Write) -> Result<Exit> {
    let choice = GameChoice { game: options.game.clone(), position: None, generator: Generator::Jit };
    with_rules(&choice, |rules| {
        let judge = judgement::appoint(rules, options.from)?;
        Ok(Learn { plan: plan(rules, options, global)?, judge, global, out })
    })
}

fn plan(rules: &Rules, options: &Options, global: &Global) -> Result<PolicyPlan> {
    let Some(program) = &rules.program else {
        bail!("policies are learned for rules: `{}` is written by hand", rules.text)
    };
    if program.info.players != 2 {
        bail!("`{}` is not a game for two: policies say who wins", program.info.name);
    }
    let fingerprint = networks::fingerprint(program);
    let data = networks::user_folder().and_then(|folder| Some(folder.parent()?.join("learning")));
    let folder = options.folder.clone().or_else(|| Some(data?.join(format!("{fingerprint:016x}-policy"))));
    let output = options.output.clone().or_else(|| policies::user_file(program));
    let (Some(folder), Some(output)) = (folder, output) else {
        bail!("there is no folder for the user's data ($HOME is not set): give --folder and --output");
    };
    let seed = global.seed.unwrap_or(1);
    let teacher = match options.of_policy.teacher {
        TeacherName::Mcts => Teacher::MonteCarlo(TEACHER_PLAYOUTS),
        TeacherName::Negascout => Teacher::AlphaBeta(options.nodes),
    };
    Ok(PolicyPlan {
        name: program.info.name.clone(),
        fingerprint,
        folder,
        restart: options.restart,
        output,
        seed,
        threads: global.threads.map_or_else(processors, |threads| threads as usize),
        games: options.games,
        manner: Manner { playouts: options.of_policy.playouts, random_plies: options.random_plies },
        teacher,
        channels: options.of_policy.channels as usize,
        layers: options.of_policy.layers as usize,
        epochs: options.epochs,
        result_share: options.result_share,
        test_games: options.test_games,
        span: Span {
            generations: options.generations,
            end: options.time.map(|seconds| Instant::now() + Duration::from_secs_f64(seconds)),
        },
        settings: json!({
            "policy": network::policy::VERSION,
            "rules": format!("{fingerprint:016x}"),
            "seed": seed,
            "teacher": format!("{teacher:?}"),
            "games": options.games,
            "playouts": options.of_policy.playouts,
            "random_plies": options.random_plies,
            "channels": options.of_policy.channels,
            "layers": options.of_policy.layers,
            "epochs": options.epochs,
            "result_share": options.result_share.to_string(),
            "test_games": options.test_games,
        }),
    })
}

/// A teacher that plays games out at random plays so many times as many as there are playouts with a policy.
const TEACHER_PLAYOUTS: u64 = 4;

struct Learn<'run> {
    plan: PolicyPlan,
    judge: Appointed,
    global: &'run Global,
    out: &'run mut dyn Write,
}

impl Work for Learn<'_> {
    type Result = Exit;

    fn run<G: Game>(self, game: &G, start: Position) -> Result<Exit> {
        let Learn { plan, judge, global, out } = self;
        let mut learner = PolicyLearner::new(&plan, game, judge.judge(game)?, start)?;
        learner.run(&mut |row| {
            if global.json {
                writeln!(out, "{}", row.as_json())?;
            } else {
                tell(out, row)?;
            }
            Ok(out.flush()?)
        })?;
        if !global.json {
            let (generation, best) = learner.standing();
            let goes_on = format!("the same command goes on with generation {generation}");
            match best {
                Some(best) => writeln!(
                    out,
                    "the policy of generation {best} is in `{}`; {goes_on}",
                    plan.output.display()
                )?,
                None => writeln!(out, "no policy is better yet than its teacher; {goes_on}")?,
            }
        }
        Ok(if interrupt::requested() { Exit::Interrupted } else { Exit::Success })
    }
}
