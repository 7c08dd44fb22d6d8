//! `multigame suite`: a file of test positions, searched one by one.

use std::io::Write;

use anyhow::{Context, Result, bail};
use game::{Game, Move, Position};
use parallel::Teamwork;
use protocol::problems::{self, Problem, Solution};
use protocol::{EngineOptions, Session};
use search::{Score, Statistics};
use serde_json::{Value, json};

use super::search::warm_up;
use crate::Exit;
use crate::cli::{FAINT, Global, STRONG, Suite};
use crate::generator::Work;
use crate::judgement::with_player;
use crate::numbers::{grouped, per_second};
use crate::{interrupt, lines, suites, teamwork, tuned};

pub(super) fn run(options: &Suite, global: &Global, out: &mut dyn Write) -> Result<Exit> {
    if options.limits.is_infinite() {
        bail!("say when to end with each position: --time, --depth or --nodes");
    }
    let text = suites::of_game(&options.game, &options.file)?;
    with_player(&options.choice(), options.judged, Run { options, global, text: &text, out })
}

struct Run<'run> {
    options: &'run Suite,
    global: &'run Global,
    text: &'run str,
    out: &'run mut dyn Write,
}

/// What all positions came to.
#[derive(Default)]
struct Total {
    positions: u64,
    judged: u64,
    solved: u64,
    worth: (u64, u64),
    nodes: u64,
    seconds: f64,
    statistics: Statistics,
    teamwork: Option<Teamwork>,
}

/// What one position came to.
struct Row {
    best: Option<String>,
    solved: Option<bool>,
    /// When the right move was found and kept.
    found_seconds: Option<f64>,
    worth: Option<(u32, u32)>,
    score: Score,
    proven: bool,
    line: Vec<String>,
    depth: i32,
    nodes: u64,
    seconds: f64,
    statistics: Statistics,
    teamwork: Option<Teamwork>,
}

impl Work for Run<'_> {
    type Result = Exit;

    fn run<G: Game>(mut self, game: &G, start: Position) -> Result<Exit> {
        let file = &self.options.file;
        let mut problems = problems::read(game.info(), self.text).with_context(|| format!("`{file}`"))?;
        problems.truncate(self.options.first.unwrap_or(u32::MAX) as usize);
        if problems.is_empty() {
            bail!("`{file}` has no positions");
        }
        let engine = EngineOptions {
            settings: self.options.engine.settings(self.global),
            hash_mib: self.options.engine.hash as usize,
            threads: self.global.threads_or_one(),
            method: self.options.engine.engine.method,
            habits: tuned::habits()?,
            ..EngineOptions::default()
        };
        let mut session = Session::new(game, start, engine)?;
        self.begin(&mut session, &problems[0])?;
        warm_up(&session)?;
        let mut total = Total::default();
        if self.options.csv {
            let none = Statistics::default();
            let counters = counters(&none).map(|(name, _)| name);
            let columns: Vec<&str> = CSV_COLUMNS.into_iter().chain(counters).collect();
            writeln!(self.out, "{}", columns.join(","))?;
        }
        for problem in &problems {
            let row = self.solve(&mut session, problem)?;
            if interrupt::requested() {
                break;
            }
            total.add(&row);
            self.say(problem, &row)?;
        }
        self.sum_up(game.info().name.as_str(), &total)?;
        Ok(if interrupt::requested() { Exit::Interrupted } else { Exit::Success })
    }
}

impl Run<'_> {
    fn begin<G: Game>(&self, session: &mut Session<'_, G>, problem: &Problem) -> Result<()> {
        let place = || format!("`{}`: line {}", self.options.file, problem.line);
        session.begin(problem.position.clone()).with_context(place)
    }

    fn solve<G: Game>(&self, session: &mut Session<'_, G>, problem: &Problem) -> Result<Row> {
        self.begin(session, problem)?;
        // Every position for itself: the same results in any order.
        session.clear_memory();
        let file = || format!("`{}`", self.options.file);
        let solution = Solution::new(session.info(), problem, &session.legal()?).with_context(file)?;
        let task = session.task(self.options.limits.limits(), Vec::new())?;
        let task = if self.options.statistics { task.measured() } else { task };
        let control = session.control().clone();
        let _stopper = interrupt::on_request(move || control.stop());
        let mut found = None;
        let mut follow = |played: Option<&Move>, score, seconds| match played {
            Some(played) if solution.is_known() && solution.accepts(played, score) => {
                found = found.or(Some(seconds));
            }
            _ => found = None,
        };
        let thought = task.run(&mut |_, news| {
            follow(news.principal_variation.first(), news.score, news.elapsed.as_secs_f64());
        })?;
        let report = thought.report;
        let seconds = report.elapsed.as_secs_f64();
        follow(report.best.as_ref(), report.score, seconds);
        Ok(Row {
            best: lines::recorded_names(session, report.best.as_slice()).pop(),
            solved: solution.is_known().then_some(found.is_some()),
            found_seconds: found,
            worth: report.best.as_ref().and_then(|best| solution.worth(best)),
            score: report.score,
            proven: report.proven,
            line: lines::recorded_names(session, &report.principal_variation),
            depth: report.depth.0,
            nodes: report.nodes,
            seconds,
            statistics: report.statistics,
            teamwork: thought.teamwork,
        })
    }

    fn say(&mut self, problem: &Problem, row: &Row) -> Result<()> {
        let expected = &problem.expected;
        if self.options.csv {
            writeln!(self.out, "{}", csv_line(problem, row))?;
        } else if self.global.json {
            let (value, kind) = lines::score_as_json(row.score, row.proven);
            let mut line = json!({
                "id": problem.id,
                "solved": row.solved,
                "move": row.best,
                "best": expected.best,
                "avoid": expected.avoid,
                "value": value,
                "kind": kind,
                "score": row.score.to_string(),
                "pv": row.line,
                "worth": row.worth.map(|(worth, _)| worth),
                "depth": row.depth,
                "nodes": row.nodes,
                "seconds": row.seconds,
                "found_seconds": row.found_seconds,
                "statistics": statistics_as_json(&row.statistics),
            });
            if let Some(teamwork) = &row.teamwork {
                line["teamwork"] = teamwork::as_json(teamwork);
            }
            writeln!(self.out, "{line}")?;
        } else {
            let verdict = match row.solved {
                Some(true) => "solved",
                Some(false) => "wrong",
                None => "",
            };
            let wanted = match (&expected.best[..], &expected.avoid[..]) {
                ([], []) => String::new(),
                ([], avoid) => format!("not {}", avoid.join(" ")),
                (best, _) => best.join(" "),
            };
            let found =
                row.found_seconds.map_or(String::new(), |seconds| format!(", found after {seconds:.2} s"));
            let best = row.best.as_deref().unwrap_or("none");
            writeln!(
                self.out,
                "{:<14} {verdict:<6} {best:<8} {:<12} {:>12}  {}depth {}, {} nodes, {:.2} s{found}{}",
                problem.id,
                wanted,
                row.score.to_string(),
                FAINT.render(),
                row.depth,
                grouped(row.nodes),
                row.seconds,
                FAINT.render_reset(),
            )?;
        }
        self.out.flush()?;
        Ok(())
    }

    fn sum_up(&mut self, game: &str, total: &Total) -> Result<()> {
        if self.options.csv {
            return Ok(());
        }
        if self.global.json {
            let mut line = json!({
                "game": game,
                "suite": self.options.file,
                "solved": total.solved,
                "judged": total.judged,
                "total": total.positions,
                "nodes": total.nodes,
                "seconds": total.seconds,
                "nodes_per_second": per_second(total.nodes, total.seconds),
            });
            if let Some(teamwork) = &total.teamwork {
                line["teamwork"] = teamwork::as_json(teamwork);
            }
            if total.worth.1 > 0 {
                line["points"] = json!(total.worth.0);
                line["points_max"] = json!(total.worth.1);
            }
            writeln!(self.out, "{line}")?;
            return Ok(());
        }
        let (strong, plain) = (STRONG.render(), STRONG.render_reset());
        if total.judged > 0 {
            write!(self.out, "{strong}{} of {} solved{plain}, ", total.solved, total.judged)?;
        }
        if total.worth.1 > 0 {
            write!(self.out, "{strong}{} of {} points{plain}, ", total.worth.0, total.worth.1)?;
        }
        writeln!(
            self.out,
            "{} positions, {} nodes in {:.2} s ({} a second)",
            total.positions,
            grouped(total.nodes),
            total.seconds,
            grouped(per_second(total.nodes, total.seconds) as u64),
        )?;
        if self.options.statistics {
            for (name, count) in total.statistics.rows().into_iter().filter(|(_, count)| *count > 0) {
                writeln!(self.out, "  {:<32} {:>14}", name.replace('_', " "), grouped(count))?;
            }
            if let Some(teamwork) = &total.teamwork {
                teamwork::in_words(teamwork, self.out)?;
            }
        }
        Ok(())
    }
}

fn statistics_as_json(statistics: &Statistics) -> Value {
    let rows = statistics.rows().into_iter().map(|(name, count)| (name.to_owned(), json!(count)));
    Value::Object(rows.collect())
}

/// What stands in a table before the counters.
const CSV_COLUMNS: [&str; 14] = [
    "id",
    "solved",
    "move",
    "best",
    "avoid",
    "value",
    "kind",
    "score",
    "pv",
    "worth",
    "depth",
    "nodes",
    "seconds",
    "found_seconds",
];

/// The counters that have no column of their own.
fn counters(statistics: &Statistics) -> impl Iterator<Item = (&'static str, u64)> {
    statistics.rows().into_iter().filter(|(name, _)| !CSV_COLUMNS.contains(name))
}

fn csv_line(problem: &Problem, row: &Row) -> String {
    let expected = &problem.expected;
    let (value, kind) = lines::score_as_json(row.score, row.proven);
    let solved = row.solved.map_or("", |solved| if solved { "1" } else { "0" });
    let cells = [
        problem.id.clone(),
        solved.to_owned(),
        row.best.clone().unwrap_or_default(),
        expected.best.join(" "),
        expected.avoid.join(" "),
        value.to_string(),
        kind.to_owned(),
        row.score.to_string(),
        row.line.join(" "),
        row.worth.map_or(String::new(), |(worth, _)| worth.to_string()),
        row.depth.to_string(),
        row.nodes.to_string(),
        format!("{:.3}", row.seconds),
        row.found_seconds.map_or(String::new(), |seconds| format!("{seconds:.3}")),
    ];
    let counters = counters(&row.statistics).map(|(_, count)| count.to_string());
    cells.iter().map(|cell| csv_cell(cell)).chain(counters).collect::<Vec<_>>().join(",")
}

/// A cell of a table, in quotes where it would break the line.
fn csv_cell(text: &str) -> String {
    match text.contains([',', '"', '\n']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    }
}

impl Total {
    fn add(&mut self, row: &Row) {
        self.positions += 1;
        self.judged += u64::from(row.solved.is_some());
        self.solved += u64::from(row.solved == Some(true));
        if let Some((worth, most)) = row.worth {
            self.worth = (self.worth.0 + u64::from(worth), self.worth.1 + u64::from(most));
        }
        self.nodes += row.nodes;
        self.seconds += row.seconds;
        self.statistics += row.statistics;
        match (&mut self.teamwork, &row.teamwork) {
            (Some(sum), Some(one)) => *sum += one.clone(),
            (sum @ None, Some(one)) => *sum = Some(one.clone()),
            (_, None) => {}
        }
    }
}
