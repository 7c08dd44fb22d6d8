//! What positions are judged by when a game is opened to be played.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use estimate::{Derived, Estimated, Judge, cache};
use game::{Erased, Game, Position};
use network::Network;
use network::policy::MovePolicy;
use rules::Program;

use crate::cli::{Evaluation, EvaluationChoice, GameChoice};
use crate::generator::{Rules, Work, with_compiled, with_rules};
use crate::networks;
use crate::policies::{self, Wanted};

/// Derived evaluations begin their random games with this: they are the same everywhere.
const SEED: u64 = 1;

/// What a command does with a game that two players judge, each in their own way.
pub(crate) trait PairWork {
    /// What comes out.
    type Result;

    /// Does it, from this position.
    fn run<G: Game>(self, games: [&G; 2], start: Position) -> Result<Self::Result>;
}

/// Opens a game to be played.
pub(crate) fn with_player<W: Work>(
    choice: &GameChoice,
    judged: impl Into<EvaluationChoice>,
    work: W,
) -> Result<W::Result> {
    let judged = judged.into();
    with_rules(choice, |rules| {
        let judge = appoint(rules, judged.evaluation)?;
        Ok(Judged { judge, adviser: adviser(rules, judged.policy)?, work })
    })
}

/// Opens rules that were read already, to be played.
pub(crate) fn with_judged<W: Work>(rules: Rules, evaluation: Evaluation, work: W) -> Result<W::Result> {
    let judge = appoint(&rules, evaluation)?;
    let adviser = adviser(&rules, EvaluationChoice::from(evaluation).policy)?;
    let Rules { program, start, text } = rules;
    let program = program.with_context(|| format!("`{text}` is not a text of rules"))?;
    with_compiled(program, start, jit::Options::default(), Judged { judge, adviser, work })
}

/// Opens a game for two who judge it in their own ways.
pub(crate) fn with_pair<W: PairWork>(
    choice: &GameChoice,
    judged: [EvaluationChoice; 2],
    work: W,
) -> Result<W::Result> {
    with_rules(choice, |rules| {
        let [one, other] = judged.map(|judged| judged.evaluation);
        let first = appoint(rules, one)?;
        let second = if one == other { None } else { Some(appoint(rules, other)?) };
        let advisers = [adviser(rules, judged[0].policy)?, adviser(rules, judged[1].policy)?];
        Ok(JudgedByTwo { first, second, advisers, work })
    })
}

/// A judge of a game that is not yet open.
pub(crate) enum Appointed {
    /// All is known.
    Ready(Judge),
    /// The open game must first be played at random.
    Learning(Lesson),
    /// A network that corrects another judge.
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
    adviser: Option<Arc<MovePolicy>>,
    work: W,
}

impl<W: Work> Work for Judged<W> {
    type Result = W::Result;

    fn run<G: Game>(self, game: &G, start: Position) -> Result<W::Result> {
        let judge = self.judge.judge(game)?;
        self.work.run(&Estimated::judged_by(game, judge).advised_by(self.adviser), start)
    }
}

struct JudgedByTwo<W> {
    first: Appointed,
    /// None if both are judged by the first.
    second: Option<Appointed>,
    advisers: [Option<Arc<MovePolicy>>; 2],
    work: W,
}

impl<W: PairWork> Work for JudgedByTwo<W> {
    type Result = W::Result;

    fn run<G: Game>(self, game: &G, start: Position) -> Result<W::Result> {
        let first = self.first.judge(game)?;
        let second = self.second.map_or_else(|| Ok(first.clone()), |judge| judge.judge(game))?;
        let [of_first, of_second] = self.advisers;
        let first = Estimated::judged_by(game, first).advised_by(of_first);
        let second = Estimated::judged_by(game, second).advised_by(of_second);
        self.work.run([&first, &second], start)
    }
}

impl From<Evaluation> for EvaluationChoice {
    fn from(evaluation: Evaluation) -> EvaluationChoice {
        // The plain evaluation is wanted for figures that do not depend on what was learned.
        let policy = if evaluation == Evaluation::Plain { Wanted::None } else { Wanted::Automatic };
        EvaluationChoice { evaluation, policy }
    }
}

/// The policy that is asked for; one of the user's that cannot be read is done without.
fn adviser(rules: &Rules, wanted: Wanted) -> Result<Option<Arc<MovePolicy>>> {
    let Some(program) = &rules.program else {
        return match wanted {
            Wanted::File(_) => bail!("policies are for rules: `{}` is written by hand", rules.text),
            Wanted::Automatic | Wanted::None => Ok(None),
        };
    };
    match policies::appoint(program, wanted) {
        Err(error) if wanted == Wanted::Automatic => {
            let told = crate::in_words(&error);
            let _ = writeln!(anstream::stderr(), "{told}: Monte Carlo search does without a policy");
            Ok(None)
        }
        found => found,
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
