//! `multigame lab run`: experiments in files.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, anyhow};
use lab::Subject;
use lab::experiment::{Job, Line, Plan, Store, SubjectPlan, Watcher, picture, report, runner, summary};
use serde_json::json;

use super::Opening;
use crate::cli::lab::Run;
use crate::cli::{Evaluation, FAINT, GameChoice, Global, STRONG};
use crate::progress::Progress;
use crate::{Exit, files, generator, interrupt, library};

/// The version of the program that results carry.
pub(super) const VERSION: &str = env!("CARGO_PKG_VERSION");

pub(super) fn run(options: &Run, global: &Global, out: &mut dyn Write) -> Result<Exit> {
    let text = files::read_text(&options.file)?;
    let name = options.file.display().to_string();
    let plan = Plan::read(&text).map_err(|mistake| anyhow!("`{name}`, {mistake}"))?;
    check_names(&plan, &name)?;
    let laboratory = Laboratory::new(options, plan)?;
    laboratory.run(global, out)
}

/// Finds out before the first run whether all games and suites are there.
fn check_names(plan: &Plan, file: &str) -> Result<()> {
    for subject in &plan.subjects {
        let place = || format!("`{file}`, line {}", subject.line);
        if !subject.game.starts_with("native:") {
            generator::find_rules(&subject.game).with_context(place)?;
        }
        if let Some(suite) = &subject.suite {
            library::suite(suite).with_context(place)?;
        }
    }
    Ok(())
}

/// An experiment and where its results go.
pub(super) struct Laboratory<'run> {
    options: &'run Run,
    plan: Plan,
    /// Where results go, without the ending.
    stem: PathBuf,
    began: Instant,
}

/// How far an experiment has come.
#[derive(Default)]
struct State {
    lines: Vec<Line>,
    missing: usize,
}

impl<'run> Laboratory<'run> {
    pub(super) fn new(options: &'run Run, plan: Plan) -> Result<Laboratory<'run>> {
        let name = options.file.file_stem().unwrap_or(options.file.as_os_str());
        let folder =
            options.out.clone().or_else(|| options.file.parent().map(Path::to_owned)).unwrap_or_default();
        if !folder.as_os_str().is_empty() {
            std::fs::create_dir_all(&folder)
                .with_context(|| format!("cannot make the folder `{}`", folder.display()))?;
        }
        Ok(Laboratory { options, plan, stem: folder.join(name), began: Instant::now() })
    }

    fn path(&self, ending: &str) -> PathBuf {
        let mut path = self.stem.clone().into_os_string();
        path.push(ending);
        path.into()
    }

    fn run(&self, global: &Global, out: &mut dyn Write) -> Result<Exit> {
        let path = self.path(".results.jsonl");
        if self.options.fresh && path.exists() {
            let old = self.path(".results.old.jsonl");
            std::fs::rename(&path, &old).with_context(|| format!("cannot rename `{}`", path.display()))?;
        }
        let mut store = Store::open(&path, VERSION)?;
        let mut state = State::default();
        let mut failure = None;
        for subject in &self.plan.subjects {
            if let Err(error) = self.with_subject(subject, &mut store, &mut state, global, out) {
                failure = Some(error);
                break;
            }
        }
        // Whatever went wrong: the figures that are there are written.
        let saved = self.save(&state);
        failure.map_or(saved, Err)?;
        self.tell(&state, global, out)?;
        Ok(if interrupt::requested() { Exit::Interrupted } else { Exit::Success })
    }

    fn with_subject(
        &self,
        plan: &SubjectPlan,
        store: &mut Store,
        state: &mut State,
        global: &Global,
        out: &mut dyn Write,
    ) -> Result<()> {
        let choice =
            GameChoice { game: plan.game.clone(), position: None, generator: self.options.generator };
        let opening = Opening {
            choice: &choice,
            evaluation: evaluation(plan.evaluation.as_deref()),
            suite: plan.suite.as_deref(),
            first: plan.first,
        };
        let work = &mut |subject: &dyn Subject| {
            let result = self.search(subject, plan, store, global, out);
            let (alone, together) = runner::jobs(&self.plan, plan, subject.positions());
            state.missing += runner::missing(&[alone, together].concat(), store).len();
            state.lines.extend(summary::lines(&self.plan, plan, subject.positions(), store));
            result.map(|()| Exit::Success)
        };
        opening
            .with(work)
            .with_context(|| format!("`{}`, line {}", self.options.file.display(), plan.line))?;
        Ok(())
    }

    /// Makes the runs of one game that are missing.
    fn search(
        &self,
        subject: &dyn Subject,
        plan: &SubjectPlan,
        store: &mut Store,
        global: &Global,
        out: &mut dyn Write,
    ) -> Result<()> {
        let (alone, together) = runner::jobs(&self.plan, plan, subject.positions());
        let missing = [runner::missing(&alone, store), runner::missing(&together, store)];
        let (left, all) = (missing.iter().map(Vec::len).sum::<usize>(), alone.len() + together.len());
        if !global.json {
            writeln!(out, "{STRONG}{}{STRONG:#}: {left} of {all} runs to make", plan.name())?;
            out.flush()?;
        }
        if left == 0 || self.is_over() {
            return Ok(());
        }
        if left < all {
            runner::verify(subject, &together, store)?;
        }
        let (mut done, mut progress) = (0, Progress::new());
        for jobs in missing {
            let stop = || self.is_over();
            let mut told = |job: &Job| {
                done += 1;
                progress.show(done, left as u64, || format!("{done} of {left} runs: {}", job.key));
            };
            let mut watcher = Watcher { stop: &stop, done: &mut told };
            runner::perform(subject, &jobs, self.side_by_side(&jobs), store, &mut watcher)?;
        }
        Ok(())
    }

    fn is_over(&self) -> bool {
        let late = self.options.time.is_some_and(|most| self.began.elapsed().as_secs_f64() >= most);
        late || interrupt::requested()
    }

    /// Runs on real processors are made one after the other: they would be in each other's way.
    fn side_by_side(&self, jobs: &[Job]) -> usize {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let wanted = self.options.jobs.map_or(cores, |jobs| jobs as usize);
        if jobs.iter().all(|job| job.is_virtual) { wanted.min(jobs.len()).max(1) } else { 1 }
    }

    fn save(&self, state: &State) -> Result<()> {
        if state.lines.is_empty() {
            return Ok(());
        }
        write(&self.path(".csv"), &report::csv(&state.lines, &self.plan, VERSION))?;
        write(&self.path(".md"), &report::markdown(&state.lines, &self.plan, VERSION, state.missing))?;
        let picture = picture::svg(&state.lines).map_err(|error| anyhow!("no picture: {error}"))?;
        write(&self.path(".svg"), &picture)
    }

    fn tell(&self, state: &State, global: &Global, out: &mut dyn Write) -> Result<()> {
        if global.json {
            for line in &state.lines {
                writeln!(out, "{}", as_json(line))?;
            }
            return Ok(());
        }
        if state.missing > 0 {
            writeln!(out, "{} runs are missing: the same command goes on from here", state.missing)?;
        }
        if !state.lines.is_empty() {
            let stem = self.stem.display();
            writeln!(out, "{FAINT}figures{FAINT:#}: {stem}.md, {stem}.csv, {stem}.svg")?;
        }
        Ok(())
    }
}

fn evaluation(name: Option<&str>) -> Evaluation {
    match name {
        Some("rules") => Evaluation::Rules,
        Some("derived") => Evaluation::Derived,
        Some("none") => Evaluation::None,
        _ => Evaluation::Automatic,
    }
}

/// Writes a file beside its place and moves it there: it is whole, or as it was before.
pub(super) fn write(path: &Path, text: &str) -> Result<()> {
    let mut beside = path.as_os_str().to_owned();
    beside.push(".part");
    let beside = PathBuf::from(beside);
    let written = std::fs::write(&beside, text).and_then(|()| std::fs::rename(&beside, path));
    if written.is_err() {
        let _ = std::fs::remove_file(&beside);
    }
    written.with_context(|| format!("cannot write `{}`", path.display()))
}

fn as_json(line: &Line) -> serde_json::Value {
    let (speedup, single) = (line.speedup(), line.single());
    json!({
        "game": line.subject,
        "fabric": line.place,
        "preset": line.preset,
        "engine": line.engine,
        "variant": line.variant,
        "processors": line.processors,
        "runs": line.rows.len(),
        "speedup": speedup.mean,
        "speedup_error": speedup.error,
        "position_mean": single.mean,
        "position_median": single.median,
        "position_error": single.error,
        "search_overhead": line.estimate(|row| row.search_overhead).mean,
        "load": line.estimate(|row| row.load).mean,
        "performance": line.estimate(|row| row.performance).mean,
        "version": VERSION,
    })
}
