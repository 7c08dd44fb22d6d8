//! What positions are judged by when a game is opened for somebody who plays it.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use estimate::{Derived, Estimated, Judge, cache};
use game::{Erased, Game, Position};
use network::Network;
use rules::Program;

use crate::cli::{Evaluation, GameChoice};
use crate::generator::{Rules, Work, with_compiled, with_rules};
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
    with_rules(choice, |rules| Ok(Judged { judge: appoint(rules, evaluation)?, work }))
}

/// Opens rules that were read already for somebody who plays them.
pub(crate) fn with_judged<W: Work>(rules: Rules, evaluation: Evaluation, work: W) -> Result<W::Result> {
    let judge = appoint(&rules, evaluation)?;
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
    with_rules(choice, |rules| {
        let first = appoint(rules, evaluations[0])?;
        let is_same = evaluations[0] == evaluations[1];
        let second = if is_same { None } else { Some(appoint(rules, evaluations[1])?) };
        Ok(JudgedByTwo { first, second, work })
    })
}

/// Somebody who will judge a game that is not yet open.
pub(crate) enum Appointed {
    /// All is known.
    Ready(Judge),
    /// The open game must first be played at random.
    Learning(Lesson),
    /// A network that corrects somebody else.
    Correcting(Arc<Network>, Box<Appointed>),
}

impl Appointed {
    /// The judge of the game, which is open now.
    pub(crate) fn judge<G: Game>(self, game: &G) -> Result<Judge> {
        match self {
            Appointed::Ready(judge) => Ok(judge),
            Appointed::Learning(lesson) => lesson.learn(&Erased::new(game)),
            Appointed::Correcting(network, corrected) => {
                Ok(Judge::Network(network, Some(Box::new(corrected.judge(game)?))))
            }
        }
    }
}

/// What an evaluation is derived from: random games from the usual start. All generators learn the same.
pub(crate) struct Lesson {
    text: String,
    start: Position,
}

impl Lesson {
    fn learn(&self, game: &Erased<'_>) -> Result<Judge> {
        let learned = crate::interrupt::stoppable(|| Derived::learn(game, &self.start, SEED));
        let derived = learned
            .context("while an evaluation is derived from random games (--evaluation none does without)")?;
        let folder = cache::user_folder(|name| std::env::var_os(name));
        cache::keep(folder.as_deref(), &self.text, &self.start, SEED, &derived);
        Ok(Judge::Derived(derived))
    }
}

struct Judged<W> {
    judge: Appointed,
    work: W,
}

impl<W: Work> Work for Judged<W> {
    type Result = W::Result;

    fn run<G: Game>(self, game: &G, start: Position) -> Result<W::Result> {
        let judge = self.judge.judge(game)?;
        self.work.run(&Estimated::judged_by(game, judge), start)
    }
}

struct JudgedByTwo<W> {
    first: Appointed,
    /// None if both are judged by the first.
    second: Option<Appointed>,
    work: W,
}

impl<W: PairWork> Work for JudgedByTwo<W> {
    type Result = W::Result;

    fn run<G: Game>(self, game: &G, start: Position) -> Result<W::Result> {
        let first = self.first.judge(game)?;
        let second = self.second.map_or_else(|| Ok(first.clone()), |judge| judge.judge(game))?;
        let [first, second] = [first, second].map(|judge| Estimated::judged_by(game, judge));
        self.work.run([&first, &second], start)
    }
}

/// The judge that is asked for.
pub(crate) fn appoint(rules: &Rules, wanted: Evaluation) -> Result<Appointed> {
    let Some(program) = &rules.program else {
        return match wanted {
            Evaluation::Automatic | Evaluation::Plain | Evaluation::Rules => Ok(Appointed::Ready(Judge::Own)),
            Evaluation::None => Ok(Appointed::Ready(Judge::Nobody)),
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
        Evaluation::Network(Some(file)) => with_network(rules, networks::of_file(program, Path::new(file))?),
        Evaluation::Network(None) => match networks::find(program)? {
            Some(network) => with_network(rules, network),
            None => bail!(
                "there is no network for `{0}`: `multigame learn {0}` makes one, and --evaluation network:FILE takes \
                 that of a file",
                program.info.name
            ),
        },
        Evaluation::Automatic if for_two => match networks::find(program) {
            Ok(Some(network)) => with_network(rules, network),
            Ok(None) => appoint(rules, Evaluation::Plain),
            Err(error) => {
                let told = crate::in_words(&error);
                let _ = writeln!(anstream::stderr(), "{told}: positions are judged without a network");
                appoint(rules, Evaluation::Plain)
            }
        },
        Evaluation::Plain if for_two && program.features.is_empty() => Ok(derived(rules, program)),
        Evaluation::Derived => Ok(derived(rules, program)),
        Evaluation::Automatic | Evaluation::Plain | Evaluation::Rules => Ok(Appointed::Ready(Judge::Own)),
        Evaluation::None => Ok(Appointed::Ready(Judge::Nobody)),
    }
}

/// A network, alone or with what it corrects.
fn with_network(rules: &Rules, network: Arc<Network>) -> Result<Appointed> {
    match network.corrects() {
        None => Ok(Appointed::Ready(Judge::Network(network, None))),
        Some(_) => Ok(Appointed::Correcting(network, Box::new(appoint(rules, Evaluation::Plain)?))),
    }
}

/// The evaluation that random games suggest, if it was learned before; otherwise what it is learned from.
fn derived(rules: &Rules, program: &Program) -> Appointed {
    let start = program.info.start.as_ref().unwrap_or(&rules.start);
    let folder = cache::user_folder(|name| std::env::var_os(name));
    match cache::load(folder.as_deref(), &rules.text, &program.info, start, SEED) {
        Some(derived) => Appointed::Ready(Judge::Derived(derived)),
        None => Appointed::Learning(Lesson { text: rules.text.clone(), start: start.clone() }),
    }
}
