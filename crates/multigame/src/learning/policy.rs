//! Learning a policy by playing: as with networks, games with the best player so far, training on their positions,
//! and a test whether the new one plays better. The first games are a teacher's, which the first policy has to beat.

use std::fs::OpenOptions;
use std::io::{Seek, SeekFrom, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use ::game::symmetry::BoardMap;
use ::game::{Field, Game, Position};
use anyhow::{Context, Result, bail};
use estimate::{Estimated, Judge, likeness};
use learn::policy::{PolicyCourse, PolicySamples, PolicyTrainer};
use network::policy::{Exchange, Eyes, MovePolicy, PolicyShape};
use serde_json::Value;

use super::arena::{self, Numbers};
use super::policy_game::{self, Manner, Teacher};
use super::state::{Folder, Phase, State};
use super::{Generations, Row, SAVE_INTERVAL, Span, TEST_SEED, bouts};
use crate::contest::colour_of_first;
use crate::contest::rating::{Sprt, Tally, Verdict};
use crate::interrupt;
use crate::networks::store;
use crate::progress::Progress;

/// Positions of so many generations are learned from.
const WINDOW: u32 = 8;
/// How far numbers go in a step of the training.
const RATE: f32 = 0.003;
/// How much the expected result counts beside the moves.
const RESULT_WEIGHT: f32 = 1.0;
/// What a policy must show to be taken: 50 Elo are likelier than none. Policies grow in large steps.
const TEST: Sprt = Sprt { elo0: 0.0, elo1: 50.0, alpha: 0.05, beta: 0.05 };
/// Likeness is found out by the same games for all policies.
const LIKENESS_SEED: u64 = 1;

/// What is to be learned, and how.
pub(crate) struct PolicyPlan {
    pub(crate) name: String,
    pub(crate) fingerprint: u64,
    pub(crate) folder: PathBuf,
    pub(crate) restart: bool,
    pub(crate) output: PathBuf,
    pub(crate) seed: u64,
    pub(crate) threads: usize,
    pub(crate) games: u64,
    pub(crate) manner: Manner,
    pub(crate) teacher: Teacher,
    pub(crate) channels: usize,
    pub(crate) layers: usize,
    pub(crate) epochs: u32,
    pub(crate) result_share: f32,
    pub(crate) test_games: u64,
    pub(crate) span: Span,
    pub(crate) settings: Value,
}

/// At work on one game.
pub(crate) struct PolicyLearner<'run, G: Game> {
    plan: &'run PolicyPlan,
    game: &'run G,
    judge: Judge,
    start: Position,
    eyes: Arc<Eyes>,
    shape: PolicyShape,
    symmetries: Vec<Vec<u16>>,
    folder: Folder,
    state: State,
    trained: (f64, usize),
}

impl<G: Game> Generations for PolicyLearner<'_, G> {
    fn span(&self) -> Span {
        self.plan.span
    }

    fn state(&self) -> &State {
        &self.state
    }

    fn step(&mut self) -> Result<Option<Row>> {
        match self.state.phase {
            Phase::Play => self.play().map(|()| None),
            Phase::Train => self.train().map(|()| None),
            Phase::Test => self.test(),
        }
    }
}

impl<'run, G: Game> PolicyLearner<'run, G> {
    /// Begins, or goes on; the judge is the teacher's.
    pub(crate) fn new(plan: &'run PolicyPlan, game: &'run G, judge: Judge, start: Position) -> Result<Self> {
        let alike = interrupt::stoppable(|| likeness::find(game, &start, LIKENESS_SEED))
            .context("while looking for symmetries")?;
        let exchange = alike.exchange.map_or(Exchange::Different, Exchange::Turned);
        let eyes = Eyes::new(game.info(), exchange).context("the board has no such map")?;
        let shape = PolicyShape::new(&eyes, plan.channels, plan.layers);
        if !shape.is_possible() {
            bail!("`{}` is too large for a policy", plan.name);
        }
        let maps = BoardMap::all(&game.info().geometry);
        let fields = |&number: &usize| {
            let map = maps.get(number)?;
            Some((0..shape.fields as Field).map(|field| map.field(field)).collect::<Vec<u16>>())
        };
        let symmetries = alike.symmetries.iter().filter_map(fields).collect();
        let folder = Folder(plan.folder.clone());
        if plan.restart {
            clear(&folder);
        }
        let state = folder.open(plan.settings.clone(), plan.restart)?;
        let eyes = Arc::new(eyes);
        let trained = (f64::NAN, 0);
        Ok(PolicyLearner { plan, game, judge, start, eyes, shape, symmetries, folder, state, trained })
    }

    fn policy_file(&self, generation: u32) -> PathBuf {
        self.folder.0.join(format!("policy-{generation:03}.mgp"))
    }

    fn games_file(&self, generation: u32) -> PathBuf {
        self.folder.0.join(format!("games-{generation:03}.mgv"))
    }

    /// The game with the policy of a generation, or with the teacher.
    fn advised(&self, generation: Option<u32>) -> Result<Estimated<'run, G>> {
        let judged = Estimated::judged_by(self.game, self.judge.clone());
        let Some(generation) = generation else { return Ok(judged) };
        let path = self.policy_file(generation);
        let bytes = crate::files::read(&path)?;
        let policy = MovePolicy::read(&bytes, self.game.info(), self.plan.fingerprint)
            .with_context(|| format!("`{}`", path.display()))?;
        Ok(judged.advised_by(Some(Arc::new(policy))))
    }

    /// Plays the games of a generation.
    fn play(&mut self) -> Result<()> {
        let told = "cannot write the positions of games";
        let mut file = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .open(self.folder.part())
            .context(told)?;
        file.set_len(self.state.bytes).context(told)?;
        file.seek(SeekFrom::End(0)).context(told)?;
        let (plan, best) = (self.plan, self.state.best);
        let game = self.advised(best)?;
        let thinker = plan.teacher.unless(best.is_some());
        let seed = plan.seed.wrapping_add(u64::from(self.state.generation) << 32);
        let (state, folder, eyes, start) = (&mut self.state, &self.folder, &self.eyes, &self.start);
        let numbers = Numbers { first: state.games, end: plan.games, threads: plan.threads };
        let (mut saved, mut progress, mut unwritten) = (Instant::now(), Progress::new(), Vec::new());
        let play = |session: &mut _, number| {
            policy_game::alone(session, thinker, start, eyes, plan.manner, seed.wrapping_add(number))
        };
        arena::play(&numbers, || policy_game::session(&game, start), play, &mut |news| {
            if let Some((_, samples)) = news {
                samples.iter().for_each(|sample| sample.write(&mut unwritten));
                state.games += 1;
            }
            let stop = plan.span.is_over();
            if stop || saved.elapsed() > SAVE_INTERVAL || state.games >= plan.games {
                file.write_all(&unwritten).and_then(|()| file.sync_data()).context(told)?;
                state.bytes += unwritten.len() as u64;
                unwritten.clear();
                folder.save(state)?;
                saved = Instant::now();
            }
            progress.show(state.games, plan.games, || format!("generation {}: games", state.generation));
            Ok(!stop)
        })?;
        if self.state.games < plan.games {
            return Ok(());
        }
        let bytes = std::fs::read(self.folder.part()).context("cannot read the positions of games")?;
        store(&self.games_file(self.state.generation), &bytes)?;
        let mut trainer = self.trainer()?;
        trainer.begin();
        store(&self.folder.trainer(), &trainer.write())?;
        self.state.phase = Phase::Train;
        self.folder.save(&self.state)
    }

    fn trainer(&self) -> Result<PolicyTrainer> {
        let path = self.folder.trainer();
        if !path.exists() {
            return Ok(PolicyTrainer::new(self.shape, self.plan.seed));
        }
        let bytes = std::fs::read(&path).with_context(|| format!("cannot read `{}`", path.display()))?;
        PolicyTrainer::read(&bytes, self.shape)
            .with_context(|| format!("`{}` (--restart begins anew)", path.display()))
    }

    /// The positions of the last generations.
    fn samples(&self) -> Result<PolicySamples> {
        let mut all = PolicySamples::new(self.shape);
        let last = self.state.generation;
        for generation in last.saturating_sub(WINDOW - 1)..=last {
            let path = self.games_file(generation);
            let bytes = std::fs::read(&path).with_context(|| format!("cannot read `{}`", path.display()))?;
            all.add(&bytes);
        }
        if all.is_empty() {
            bail!("the games have no positions to learn from: they are over too soon");
        }
        Ok(all)
    }

    fn course(&self) -> PolicyCourse {
        PolicyCourse {
            seed: self.plan.seed.wrapping_add(u64::from(self.state.generation) << 40),
            epochs: self.plan.epochs,
            rate: RATE,
            result_share: self.plan.result_share,
            result_weight: RESULT_WEIGHT,
            symmetries: self.symmetries.clone(),
            threads: self.plan.threads,
        }
    }

    /// Trains until the course is over.
    fn train(&mut self) -> Result<()> {
        let (samples, course) = (self.samples()?, self.course());
        let (mut trainer, path, plan) = (self.trainer()?, self.folder.trainer(), self.plan);
        let (mut saved, mut trouble, mut progress) = (Instant::now(), Ok(()), Progress::new());
        let generation = self.state.generation;
        let done = trainer.train(&course, &self.eyes, &samples, &mut |trainer| {
            if saved.elapsed() > SAVE_INTERVAL {
                trouble = store(&path, &trainer.write());
                saved = Instant::now();
            }
            let part = trainer.progress(&course, &samples);
            progress.show((1000.0 * part) as u64, 1000, || format!("generation {generation}: training"));
            trouble.is_ok() && !plan.span.is_over()
        });
        trouble?;
        store(&path, &trainer.write())?;
        if !done {
            return Ok(());
        }
        self.trained = self.measured(&trainer, &samples);
        let policy = trainer.parameters.quantised(Arc::clone(&self.eyes));
        let bytes = policy.write(&plan.name, plan.fingerprint);
        store(&self.policy_file(generation), &bytes)?;
        self.state.phase = Phase::Test;
        self.state.tally = Tally::default();
        self.folder.save(&self.state)
    }

    fn measured(&self, trainer: &PolicyTrainer, samples: &PolicySamples) -> (f64, usize) {
        let (moves, result) = trainer.loss(&self.course(), &self.eyes, samples);
        (moves + result, samples.len())
    }

    /// Plays against the best until it is known who is better; nothing if it is time to stop.
    fn test(&mut self) -> Result<Option<Row>> {
        let (plan, generation, best) = (self.plan, self.state.generation, self.state.best);
        let (candidate, rival) = (self.advised(Some(generation))?, self.advised(best)?);
        let thinkers = [plan.teacher.unless(true), plan.teacher.unless(best.is_some())];
        let seed = plan.seed.wrapping_add(TEST_SEED).wrapping_add(u64::from(generation) << 32);
        let (state, folder, start) = (&mut self.state, &self.folder, &self.start);
        let (mut saved, mut progress) = (Instant::now(), Progress::new());
        let is_decided =
            |tally: Tally| TEST.verdict(tally) != Verdict::Open || tally.games() >= plan.test_games;
        let numbers = Numbers { first: state.tally.games(), end: plan.test_games, threads: plan.threads };
        if !is_decided(state.tally) {
            let prepare =
                || Ok([policy_game::session(&candidate, start)?, policy_game::session(&rival, start)?]);
            let play = |sessions: &mut [_; 2], number: u64| {
                let seed = seed.wrapping_add(number / 2);
                policy_game::between(sessions, thinkers, colour_of_first(number), start, plan.manner, seed)
            };
            arena::play(&numbers, prepare, play, &mut |news| {
                if let Some((number, winner)) = news {
                    bouts::count(&mut state.tally, number, winner);
                }
                let stop = plan.span.is_over();
                if stop || saved.elapsed() > SAVE_INTERVAL {
                    folder.save(state)?;
                    saved = Instant::now();
                }
                progress.show(state.tally.games(), plan.test_games, || {
                    format!("generation {generation}: test, {:+.0} Elo", state.tally.elo().0)
                });
                Ok(!stop && !is_decided(state.tally))
            })?;
        }
        if is_decided(self.state.tally) { self.conclude().map(Some) } else { Ok(None) }
    }

    fn conclude(&mut self) -> Result<Row> {
        let (generation, tally) = (self.state.generation, self.state.tally);
        let accepted = TEST.verdict(tally) == Verdict::Second;
        if accepted {
            self.state.best = Some(generation);
            store(&self.plan.output, &crate::files::read(&self.policy_file(generation))?)?;
        }
        if self.trained.0.is_nan() {
            self.trained = self.measured(&self.trainer()?, &self.samples()?);
        }
        let (loss, positions) = std::mem::replace(&mut self.trained, (f64::NAN, 0));
        self.state = State {
            generation: generation + 1,
            phase: Phase::Play,
            games: 0,
            bytes: 0,
            tally: Tally::default(),
            ..self.state.clone()
        };
        self.folder.save(&self.state)?;
        Ok(Row { generation, positions, loss, tally, accepted })
    }
}

/// Removes files of an earlier beginning.
fn clear(folder: &Folder) {
    let files = std::fs::read_dir(&folder.0).into_iter().flatten().flatten().map(|entry| entry.path());
    let own = |path: &PathBuf| {
        let ending = path.extension().unwrap_or_default();
        ending == "mgp" || ending == "mgv" || ending == "part" || ending == "bin"
    };
    for path in files.filter(own) {
        let _ = std::fs::remove_file(path);
    }
}
