//! What positions are judged by when a game is opened for somebody who plays it.

use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result, bail};
use estimate::{Derived, Estimated, Judge, cache};
use game::{Game, Position};
use rules::Program;

use crate::cli::{Evaluation, GameChoice};
use crate::generator::{Rules, Work, with_compiled, with_rules, with_rules_in_short};
use crate::networks;

/// Derived evaluations begin their random games with this: everybody has the same ones.
const SEED: u64 = 1;

/// What a command does with a game that two players judge, each in their own way.
pub(crate) trait PairWork {
    /// What comes out.
    type Result;

    /// Does it, from this position.
    fn run<G: Game>(self, games: [&G; 2], start: Position) -> Result<Self::Result>;
}

/// Opens a game for somebody who plays it.
pub(crate) fn with_player<W: Work>(
    choice: &GameChoice,
    evaluation: Evaluation,
    work: W,
) -> Result<W::Result> {
    with_rules_in_short(choice, |rules| Ok(Judged { judge: judge(rules, evaluation)?, work }))
}

/// The same, with hand-written games at their full speed.
pub(crate) fn with_fast_player<W: Work>(
    choice: &GameChoice,
    evaluation: Evaluation,
    work: W,
) -> Result<W::Result> {
    with_rules(choice, |rules| Ok(Judged { judge: judge(rules, evaluation)?, work }))
}

/// Opens rules that were read already for somebody who plays them.
pub(crate) fn with_judged<W: Work>(rules: Rules, evaluation: Evaluation, work: W) -> Result<W::Result> {
    let judge = judge(&rules, evaluation)?;
    let Rules { program, start, text } = rules;
    let program = program.with_context(|| format!("`{text}` is not a text of rules"))?;
    with_compiled(program, start, jit::Options::default(), Judged { judge, work })
}

/// Opens a game for two who judge it in their own ways.
pub(crate) fn with_pair<W: PairWork>(
    choice: &GameChoice,
    evaluations: [Evaluation; 2],
    work: W,
) -> Result<W::Result> {
    with_rules_in_short(choice, |rules| {
        let first = judge(rules, evaluations[0])?;
        let same = evaluations[0] == evaluations[1];
        let second = if same { first.clone() } else { judge(rules, evaluations[1])? };
        Ok(JudgedByTwo { judges: [first, second], work })
    })
}

struct Judged<W> {
    judge: Judge,
    work: W,
}

impl<W: Work> Work for Judged<W> {
    type Result = W::Result;

    fn run<G: Game>(self, game: &G, start: Position) -> Result<W::Result> {
        self.work.run(&Estimated::judged_by(game, self.judge), start)
    }
}

struct JudgedByTwo<W> {
    judges: [Judge; 2],
    work: W,
}

impl<W: PairWork> Work for JudgedByTwo<W> {
    type Result = W::Result;

    fn run<G: Game>(self, game: &G, start: Position) -> Result<W::Result> {
        let [first, second] = self.judges.map(|judge| Estimated::judged_by(game, judge));
        self.work.run([&first, &second], start)
    }
}

/// The judge that is asked for.
pub(crate) fn judge(rules: &Rules, wanted: Evaluation) -> Result<Judge> {
    let Some(program) = &rules.program else {
        return match wanted {
            Evaluation::Automatic | Evaluation::Plain | Evaluation::Rules => Ok(Judge::Own),
            Evaluation::None => Ok(Judge::Nobody),
            Evaluation::Derived | Evaluation::Network(_) => {
                bail!("this evaluation is for rules: `{}` is written by hand", rules.text)
            }
        };
    };
    let for_two = program.info.players == 2;
    match wanted {
        Evaluation::Derived if !for_two => {
            bail!("`{}` is not a game for two: no evaluation can be derived", program.info.name)
        }
        Evaluation::Network(_) if !for_two => {
            bail!("`{}` is not a game for two: there are no networks for it", program.info.name)
        }
        Evaluation::Network(Some(file)) => Ok(Judge::Network(networks::of_file(program, Path::new(file))?)),
        Evaluation::Network(None) => match networks::find(program)? {
            Some(network) => Ok(Judge::Network(network)),
            None => bail!(
                "there is no network for `{0}`: `multigame learn {0}` makes one, and --evaluation network:FILE takes \
                 that of a file",
                program.info.name
            ),
        },
        Evaluation::Automatic if for_two => match networks::find(program) {
            Ok(Some(network)) => Ok(Judge::Network(network)),
            Ok(None) => judge(rules, Evaluation::Plain),
            Err(error) => {
                let told = crate::in_words(&error);
                let _ = writeln!(anstream::stderr(), "{told}: positions are judged without a network");
                judge(rules, Evaluation::Plain)
            }
        },
        Evaluation::Plain if for_two && program.features.is_empty() => derived(rules, program),
        Evaluation::Derived => derived(rules, program),
        Evaluation::Automatic | Evaluation::Plain | Evaluation::Rules => Ok(Judge::Own),
        Evaluation::None => Ok(Judge::Nobody),
    }
}

/// The evaluation that random games from the usual start suggest. They are played by compiled rules whatever plays later:
/// all generators learn the same.
fn derived(rules: &Rules, program: &Program) -> Result<Judge> {
    let start = program.info.start.as_ref().unwrap_or(&rules.start);
    let folder = cache::user_folder(|name| std::env::var_os(name));
    let folder = folder.as_deref();
    if let Some(derived) = cache::load(folder, &rules.text, &program.info, start, SEED) {
        return Ok(Judge::Derived(derived));
    }
    let derived = with_compiled(program.clone(), start.clone(), jit::Options::default(), Learn)
        .context("while an evaluation is derived from random games (--evaluation none does without)")?;
    cache::keep(folder, &rules.text, start, SEED, &derived);
    Ok(Judge::Derived(derived))
}

struct Learn;

impl Work for Learn {
    type Result = Derived;

    fn run<G: Game>(self, game: &G, start: Position) -> Result<Derived> {
        Ok(crate::interrupt::stoppable(|| Derived::learn(game, &start, SEED))?)
    }
}
