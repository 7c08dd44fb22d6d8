//! Learning a network by playing: games with the best evaluation so far, training on their positions, and a test
//! whether the network plays better. Start with [`Generations::run`].
//!
//! ```text
//! play (games.part) ──► one scale (games-NNN.mgs) ──► train (trainer.bin) ──► test against the best ──► play …
//! ```
//!
//! Every game follows from the seed and its number, and every batch from the seed and the positions: the same command
//! gives the same networks on any number of threads, stopped in between or not.

mod arena;
pub(crate) mod bouts;
mod game;
mod generations;
pub(crate) mod policy;
pub(crate) mod policy_game;
mod state;

use std::fs::OpenOptions;
use std::io::{Seek, SeekFrom, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use ::game::{Game, Position};
use anyhow::{Context, Result, bail};
use estimate::{Estimated, Judge};
use learn::{Course, Trainer};
use network::samples::{self, Samples};
use network::{Corrected, Inputs, Network, Shape};
use serde_json::{Value, json};

use self::arena::Numbers;
use self::bouts::{Bouts, count};
use self::game::Manner;
pub(crate) use self::generations::{Generations, Span};
use self::state::{Folder, Phase, State};
use crate::contest::rating::{Sprt, Tally, Verdict};
use crate::networks::store;
use crate::progress::Progress;

/// How often the state is written.
const SAVE_INTERVAL: Duration = Duration::from_secs(10);
/// Positions of so many generations are learned from.
const WINDOW: u32 = 6;
/// How far numbers go in a step of the training.
const RATE: f32 = 0.002;
/// What something new must show to be taken: 20 Elo are likelier than none.
pub(crate) const TEST: Sprt = Sprt { elo0: 0.0, elo1: 20.0, alpha: 0.05, beta: 0.05 };
/// Openings of tests are other ones than those of games.
pub(crate) const TEST_SEED: u64 = 0x7e57_0000_0000;

/// What is to be learned, and how.
pub(crate) struct Plan {
    pub(crate) name: String,
    pub(crate) fingerprint: u64,
    /// The fingerprint of the plain evaluation.
    pub(crate) evaluation: u64,
    /// Whether the network judges alone, and does not correct the plain evaluation.
    pub(crate) alone: bool,
    pub(crate) inputs: Arc<Inputs>,
    pub(crate) folder: PathBuf,
    pub(crate) restart: bool,
    /// Where the best network goes.
    pub(crate) output: PathBuf,
    pub(crate) seed: u64,
    pub(crate) threads: usize,
    pub(crate) games: u64,
    pub(crate) nodes: u64,
    pub(crate) random_plies: u32,
    pub(crate) shape: Shape,
    pub(crate) epochs: u32,
    pub(crate) result_share: f32,
    pub(crate) test_games: u64,
    pub(crate) span: Span,
    /// What must be the same to go on.
    pub(crate) settings: Value,
}

impl Plan {
    /// How files of positions begin.
    fn header(&self) -> Vec<u8> {
        samples::header(&self.inputs, &self.name, (self.fingerprint, self.evaluation))
    }

    /// Games from one number to another.
    fn bouts(&self, first: u64, end: u64, seed: u64) -> Bouts {
        Bouts {
            numbers: Numbers { first, end, threads: self.threads },
            manner: Manner { nodes: self.nodes, random_plies: self.random_plies, seed },
        }
    }
}

/// Who judges positions beside the networks that are learned.
pub(crate) struct Judges {
    /// Of the first games.
    pub(crate) first: Judge,
    /// The plain evaluation, which networks correct.
    pub(crate) plain: Judge,
}

impl Judges {
    /// What the plain evaluation says of a position; rules that go wrong there say nothing.
    fn plain<'game, G: Game>(&self, game: &'game G) -> impl Fn(&Position) -> i32 + use<'game, G> {
        let judged = Estimated::judged_by(game, self.plain.clone());
        move |position| judged.evaluate(&judged.pack(position)).unwrap_or(0)
    }
}

/// What a generation has come to.
pub(crate) struct Row {
    pub(crate) generation: u32,
    pub(crate) positions: usize,
    pub(crate) loss: f64,
    pub(crate) tally: Tally,
    pub(crate) accepted: bool,
}

impl Row {
    pub(crate) fn as_json(&self) -> Value {
        let (elo, error) = self.tally.elo();
        let Tally { wins, draws, losses } = self.tally;
        json!({
            "generation": self.generation,
            "positions": self.positions,
            "loss": self.loss,
            "wins": wins,
            "draws": draws,
            "losses": losses,
            "elo": elo,
            "error": error,
            "accepted": self.accepted,
        })
    }
}

/// At work on one game.
pub(crate) struct Learner<'run, G: Game> {
    plan: &'run Plan,
    game: &'run G,
    judges: Judges,
    start: Position,
    folder: Folder,
    state: State,
    /// The loss and the number of positions of the last training.
    trained: (f64, usize),
}

impl<G: Game> Generations for Learner<'_, G> {
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

impl<'run, G: Game> Learner<'run, G> {
    /// Begins, or goes on.
    pub(crate) fn new(
        plan: &'run Plan,
        game: &'run G,
        judges: Judges,
        start: Position,
    ) -> Result<Learner<'run, G>> {
        let folder = Folder(plan.folder.clone());
        if plan.restart {
            folder.clear();
        }
        let state = folder.open(plan.settings.clone(), plan.restart)?;
        Ok(Learner { plan, game, judges, start, folder, state, trained: (f64::NAN, 0) })
    }

    /// What plays best.
    fn best(&self) -> Result<Judge> {
        match self.state.best {
            None => Ok(self.judges.first.clone()),
            Some(generation) => self.network(generation),
        }
    }

    /// The network of a generation, with what it corrects.
    fn network(&self, generation: u32) -> Result<Judge> {
        let path = self.folder.network(generation);
        let bytes = crate::files::read(&path)?;
        let plan = self.plan;
        let fingerprints = (plan.fingerprint, plan.evaluation);
        let network = Network::read(&bytes, &plan.name, fingerprints, Arc::clone(&plan.inputs))
            .with_context(|| format!("`{}`", path.display()))?;
        let corrected = network.corrects().map(|_| Box::new(self.judges.plain.clone()));
        Ok(Judge::Network(Arc::new(network), corrected))
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
        let (plan, judge) = (self.plan, self.best()?);
        let judged = Estimated::judged_by(self.game, judge);
        let seed = plan.seed.wrapping_add(u64::from(self.state.generation) << 32);
        let (state, folder) = (&mut self.state, &self.folder);
        let bouts = plan.bouts(state.games, plan.games, seed);
        let symmetries = judged.symmetries();
        let plain = self.judges.plain(self.game);
        let (mut saved, mut progress, mut unwritten) = (Instant::now(), Progress::new(), Vec::new());
        bouts::alone(&bouts, &judged, &self.start, &mut |news| {
            if let Some((number, played)) = news {
                let samples = played.samples(judged.info(), &plan.inputs, &symmetries, number, &plain);
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
        if self.state.games >= self.plan.games { self.gather() } else { Ok(()) }
    }

    /// Brings the positions of a generation to one scale, and begins the training.
    fn gather(&mut self) -> Result<()> {
        let bytes = std::fs::read(self.folder.part()).context("cannot read the positions of games")?;
        let scaled = scaled(self.plan, &bytes);
        store(&self.folder.games(self.state.generation), &scaled)?;
        let mut trainer = self.trainer()?;
        trainer.begin();
        store(&self.folder.trainer(), &trainer.write())?;
        self.state.phase = Phase::Train;
        self.folder.save(&self.state)
    }

    fn trainer(&self) -> Result<Trainer> {
        let path = self.folder.trainer();
        if !path.exists() {
            return Ok(Trainer::new(self.plan.shape, self.corrected()?, self.plan.seed));
        }
        let bytes = std::fs::read(&path).with_context(|| format!("cannot read `{}`", path.display()))?;
        Trainer::read(&bytes, self.plan.shape)
            .with_context(|| format!("`{}` (--restart begins anew)", path.display()))
    }

    /// The plain evaluation, as the games so far scale it, if it is to be corrected.
    fn corrected(&self) -> Result<Option<Corrected>> {
        if self.plan.alone {
            return Ok(None);
        }
        let samples = self.samples()?;
        let judged: Vec<_> = (0..samples.len())
            .map(|index| samples.known(index))
            .map(|known| (known.plain, known.result))
            .collect();
        Ok(Some(Corrected::new(self.plan.evaluation, learn::scale(&judged))))
    }

    /// The positions of the last generations.
    fn samples(&self) -> Result<Samples> {
        let plan = self.plan;
        let header = plan.header();
        let mut all = Samples::new(Arc::clone(&plan.inputs));
        let last = self.state.generation;
        for generation in last.saturating_sub(WINDOW - 1)..=last {
            let path = self.folder.games(generation);
            let bytes = std::fs::read(&path).with_context(|| format!("cannot read `{}`", path.display()))?;
            match bytes.strip_prefix(header.as_slice()) {
                Some(samples) => all.add(samples),
                None => bail!("`{}` has no positions of these rules: --restart begins anew", path.display()),
            }
        }
        Ok(all)
    }

    fn course(&self) -> Course {
        Course {
            seed: self.plan.seed.wrapping_add(u64::from(self.state.generation) << 40),
            epochs: self.plan.epochs,
            rate: RATE,
            result_share: self.plan.result_share,
            threads: self.plan.threads,
        }
    }

    /// Trains until the course is over.
    fn train(&mut self) -> Result<()> {
        let (samples, course) = (self.samples()?, self.course());
        if samples.is_empty() {
            bail!("the games have no positions to learn from: they are over too soon");
        }
        let (mut trainer, path, plan) = (self.trainer()?, self.folder.trainer(), self.plan);
        let (mut saved, mut trouble, mut progress) = (Instant::now(), Ok(()), Progress::new());
        let generation = self.state.generation;
        let done = trainer.train(&course, &samples, &mut |trainer| {
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
        self.trained = (trainer.loss(&course, &samples), samples.len());
        let network = trainer.parameters.quantised(Arc::clone(&plan.inputs));
        store(&self.folder.network(generation), &network.write(&plan.name, plan.fingerprint))?;
        self.state.phase = Phase::Test;
        self.state.tally = Tally::default();
        self.folder.save(&self.state)
    }

    /// Plays against the best until it is known who is better; nothing if it is time to stop.
    fn test(&mut self) -> Result<Option<Row>> {
        let (plan, generation) = (self.plan, self.state.generation);
        let candidate = Estimated::judged_by(self.game, self.network(generation)?);
        let best = Estimated::judged_by(self.game, self.best()?);
        let seed = plan.seed.wrapping_add(TEST_SEED).wrapping_add(u64::from(generation) << 32);
        let (state, folder) = (&mut self.state, &self.folder);
        let (mut saved, mut progress) = (Instant::now(), Progress::new());
        let bouts = plan.bouts(state.tally.games(), plan.test_games, seed);
        let is_decided =
            |tally: Tally| TEST.verdict(tally) != Verdict::Open || tally.games() >= plan.test_games;
        if is_decided(state.tally) {
            return self.conclude().map(Some);
        }
        bouts::between(&bouts, [&candidate, &best], &self.start, &mut |news| {
            if let Some((number, played)) = news {
                count(&mut state.tally, number, played.winner);
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
        if !is_decided(self.state.tally) {
            return Ok(None);
        }
        self.conclude().map(Some)
    }

    fn conclude(&mut self) -> Result<Row> {
        let (plan, generation, tally) = (self.plan, self.state.generation, self.state.tally);
        let accepted = TEST.verdict(tally) == Verdict::Second;
        if accepted {
            self.state.best = Some(generation);
            store(&plan.output, &crate::files::read(&self.folder.network(generation))?)?;
        }
        if self.trained.0.is_nan() {
            let (samples, trainer) = (self.samples()?, self.trainer()?);
            self.trained = (trainer.loss(&self.course(), &samples), samples.len());
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

/// Whether it is time to stop.
/// A file of positions whose scores mean the same, whatever evaluation they come from.
fn scaled(plan: &Plan, bytes: &[u8]) -> Vec<u8> {
    let mut all = Samples::new(Arc::clone(&plan.inputs));
    all.add(bytes);
    let is_open = |score: i16| score.unsigned_abs() < samples::CERTAIN.unsigned_abs();
    let judged: Vec<_> = (0..all.len())
        .map(|index| all.known(index))
        .filter(|known| is_open(known.score))
        .map(|known| (i32::from(known.score), known.result))
        .collect();
    let scale = learn::scale(&judged);
    let mut file = plan.header();
    for index in 0..all.len() {
        let samples::Known { mover, result, score, plain } = all.known(index);
        let most = f64::from(samples::CERTAIN - 1);
        let score = match is_open(score) {
            true => (f64::from(score) * scale).round().clamp(-most, most) as i16,
            false => score,
        };
        samples::Sample { steps: all.steps(index).to_vec(), mover, result, score, plain }.write(&mut file);
    }
    file
}

/// Plays games and returns a file of their positions, for other trainers.
pub(crate) fn collect<G: Game>(
    plan: &Plan,
    game: &G,
    judges: &Judges,
    start: &Position,
) -> Result<(u64, Vec<u8>)> {
    let judged = Estimated::judged_by(game, judges.first.clone());
    let plain = judges.plain(game);
    let (mut bytes, mut games, mut progress) = (Vec::new(), 0, Progress::new());
    // Games are numbered from the seed on: those of the next seed must be others.
    let seed = protocol::chance::mix(plan.seed);
    let (bouts, symmetries) = (plan.bouts(0, plan.games, seed), judged.symmetries());
    bouts::alone(&bouts, &judged, start, &mut |news| {
        if let Some((number, played)) = news {
            let samples = played.samples(judged.info(), &plan.inputs, &symmetries, number, &plain);
            samples.iter().for_each(|sample| sample.write(&mut bytes));
            games += 1;
        }
        progress.show(games, plan.games, || "games".to_owned());
        Ok(!plan.span.is_over())
    })?;
    Ok((games, scaled(plan, &bytes)))
}
