//! The figures of an experiment as text: comma-separated values and Markdown.

use std::fmt::Write as _;

use parallel::Measures;

use super::plan::Plan;
use super::summary::{Estimate, SummaryRow};
use crate::speedup::Row;

/// All figures, one line for each way to search a game.
#[must_use]
pub fn csv(lines: &[SummaryRow], plan: &Plan, version: &str) -> String {
    let seeds = seeds(plan, " ");
    let mut text = String::new();
    for line in lines {
        let mut cells = cells(line);
        cells.push(("seeds".to_owned(), seeds.clone()));
        cells.push(("version".to_owned(), version.to_owned()));
        let (names, values): (Vec<String>, Vec<String>) = cells.into_iter().unzip();
        if text.is_empty() {
            let _ = writeln!(text, "{}", names.join(","));
        }
        let _ = writeln!(text, "{}", values.join(","));
    }
    text
}

/// The cells of a line with the names of their columns.
fn cells(line: &SummaryRow) -> Vec<(String, String)> {
    let (speedup, single) = (line.speedup(), line.single());
    let part = |figure: f64| format!("{figure:.4}");
    let count = |figure: f64| format!("{figure:.0}");
    let error = |estimate: Estimate| estimate.error.map_or(String::new(), part);
    let mean = |measure: fn(&Row) -> f64| line.estimate(measure).mean;
    let bytes = |row: &Row| row.measures.messages.iter().map(|(_, bytes)| *bytes as f64).sum();
    let by_job = |kind| format!("{:.3}", line.estimate(|row| messages_of(row, kind) / jobs(row)).mean);
    let start = [
        ("game", quoted(&line.subject)),
        ("positions", line.positions.to_string()),
        ("fabric", quoted(&line.place)),
        ("preset", line.preset.to_owned()),
        ("engine", line.engine.to_owned()),
        ("variant", quoted(&line.variant)),
        ("processors", line.processors.to_string()),
        ("runs", line.rows.len().to_string()),
        ("speedup", part(speedup.mean)),
        ("speedup_error", error(speedup)),
        ("efficiency", part(mean(Row::efficiency))),
        ("position_mean", part(single.mean)),
        ("position_median", part(single.median)),
        ("position_error", error(single)),
        ("search_overhead", part(mean(|row| row.search_overhead))),
        ("load", part(mean(|row| row.load))),
        ("performance", part(mean(|row| row.performance))),
    ];
    let parts = line.parts().map(|(name, share)| (name, share.map_or(String::new(), part)));
    let end = [
        ("seconds", format!("{:.6}", mean(|row| row.seconds))),
        ("nodes", count(mean(|row| row.nodes as f64))),
        ("jobs", count(mean(|row| row.measures.jobs as f64))),
        ("messages", count(mean(|row| row.measures.message_count() as f64))),
        ("message_bytes", count(line.estimate(bytes).mean)),
        ("nodes_per_job", format!("{:.3}", line.estimate(|row| row.nodes as f64 / jobs(row)).mean)),
        ("requests_per_job", by_job("request")),
        ("returns_per_job", by_job("return")),
        ("cutoffs_per_job", by_job("cutoff")),
    ];
    let named = start.into_iter().chain(parts).chain(end).map(|(name, value)| (name.to_owned(), value));
    let messages = Measures::MESSAGES.iter().map(|kind| {
        let sent = line.estimate(|row| messages_of(row, kind)).mean;
        (format!("{}_messages", kind.replace(' ', "_")), count(sent))
    });
    named.chain(messages).collect()
}

fn jobs(row: &Row) -> f64 {
    row.measures.jobs.max(1) as f64
}

/// How many messages of a kind there were.
fn messages_of(row: &Row, kind: &str) -> f64 {
    let all = Measures::MESSAGES.iter().zip(&row.measures.messages);
    all.filter(|(name, _)| **name == kind).map(|(_, (count, _))| *count as f64).sum()
}

fn quoted(text: &str) -> String {
    if text.contains([',', '"']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
}

fn seeds(plan: &Plan, between: &str) -> String {
    plan.seeds.iter().map(u64::to_string).collect::<Vec<_>>().join(between)
}

/// The figures for people.
#[must_use]
pub fn markdown(lines: &[SummaryRow], plan: &Plan, version: &str, missing: usize) -> String {
    let mut text = format!("# {}\n\n", plan.title);
    if !plan.about.is_empty() {
        let _ = writeln!(text, "{}\n", plan.about.trim());
    }
    let _ = writeln!(text, "Multigame {version}, seeds {}.", seeds(plan, ", "));
    text += EXPLANATION;
    if missing > 0 {
        let runs = if missing == 1 { "1 run is".to_owned() } else { format!("{missing} runs are") };
        let _ = writeln!(text, "\n**Not complete**: {runs} missing.");
    }
    for part in parts(lines) {
        let _ = writeln!(text, "\n## {}, {}\n", part[0].subject, part[0].place);
        matrix(&mut text, part);
        details(&mut text, part);
        messages(&mut text, part);
    }
    text
}

const EXPLANATION: &str = "Speedup: sum of times of one processor by sum of times; ± is the standard error of the mean over seeds. Single
positions: mean ± its error over positions, and median. All are compared with the same sequential search.
";

/// Lines of the same game and place stand together.
fn parts(lines: &[SummaryRow]) -> impl Iterator<Item = &[SummaryRow]> {
    lines.chunk_by(|one, other| one.subject == other.subject && one.place == other.place)
}

/// Speedups by engine and number of processors, where there are several of both.
fn matrix(text: &mut String, lines: &[SummaryRow]) {
    let (names, counts) = (names(lines), counts(lines));
    if names.len() < 2 || counts.len() < 2 {
        return;
    }
    let _ = write!(text, "| speedup |");
    for count in &counts {
        let _ = write!(text, " {count} |");
    }
    let _ = writeln!(text, "\n|---|{}", "---:|".repeat(counts.len()));
    for name in names {
        let _ = write!(text, "| {name} |");
        for count in &counts {
            let line = lines.iter().find(|line| line.name == name && line.processors == *count);
            let figure = line.map_or("–".to_owned(), |line| with_error(line.speedup(), 2));
            let _ = write!(text, " {figure} |");
        }
        text.push('\n');
    }
    text.push('\n');
}

/// All measures.
fn details(text: &mut String, lines: &[SummaryRow]) {
    *text += "| engine | processors | speedup | single: mean | median | overhead % | load % | performance % | \
              slaves % | sync. % | no work % | seconds | nodes |\n";
    *text += "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n";
    for line in lines {
        let per_cent = |measure: fn(&Row) -> f64| {
            let Estimate { mean, error, median } = line.estimate(measure);
            with_error(Estimate { mean: 100.0 * mean, error: error.map(|error| 100.0 * error), median }, 1)
        };
        let single = line.single();
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {:.2} | {} | {} | {} | {} | {} | {} | {:.3} | {:.0} |",
            line.name,
            line.processors,
            with_error(line.speedup(), 2),
            with_error(single, 2),
            single.median,
            per_cent(|row| row.search_overhead),
            per_cent(|row| row.load),
            per_cent(|row| row.performance),
            per_cent(|row| row.part(row.measures.wait_for_slaves)),
            per_cent(|row| row.part(row.measures.synchronise)),
            per_cent(|row| row.part(row.measures.look_for_work)),
            line.estimate(|row| row.seconds).mean,
            line.estimate(|row| row.nodes as f64).mean,
        );
    }
}

/// Messages by kind, means over the runs; nothing where none were sent.
fn messages(text: &mut String, lines: &[SummaryRow]) {
    let count = |line: &SummaryRow, kind: &str| line.estimate(|row| messages_of(row, kind)).mean;
    let kinds = Measures::MESSAGES.iter().filter(|kind| lines.iter().any(|line| count(line, kind) > 0.0));
    let kinds: Vec<&str> = kinds.copied().collect();
    if kinds.is_empty() {
        return;
    }
    let _ = writeln!(
        text,
        "\nMessages by kind; *jobs* are moves that were searched for others, *messages* all kinds together.\n\n\
         | engine | processors | jobs | nodes by job | messages | kilobytes | {} |\n|---|{}",
        kinds.join(" | "),
        "---:|".repeat(5 + kinds.len())
    );
    for line in lines.iter().filter(|line| line.processors > 1) {
        let bytes = |row: &Row| row.measures.messages.iter().map(|(_, bytes)| *bytes as f64).sum();
        let jobs = line.estimate(|row| row.measures.jobs as f64).mean;
        let nodes = line.estimate(|row| row.nodes as f64).mean;
        // Puzzles have none.
        let by_job = if jobs > 0.0 { format!("{:.1}", nodes / jobs) } else { "–".to_owned() };
        let _ = write!(
            text,
            "| {} | {} | {jobs:.0} | {by_job} | {:.0} | {:.0} |",
            line.name,
            line.processors,
            line.estimate(|row| row.measures.message_count() as f64).mean,
            line.estimate(bytes).mean / 1000.0,
        );
        for kind in &kinds {
            let _ = write!(text, " {:.0} |", count(line, kind));
        }
        text.push('\n');
    }
}

/// A mean with its error.
#[must_use]
pub fn with_error(estimate: Estimate, digits: usize) -> String {
    let Estimate { mean, error, .. } = estimate;
    error.map_or_else(|| format!("{mean:.digits$}"), |error| format!("{mean:.digits$} ± {error:.digits$}"))
}

/// The names of engines and variants, in their order.
#[must_use]
pub fn names(lines: &[SummaryRow]) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for line in lines {
        if !names.contains(&line.name.as_str()) {
            names.push(&line.name);
        }
    }
    names
}

/// The numbers of processors, in rising order.
#[must_use]
pub fn counts(lines: &[SummaryRow]) -> Vec<usize> {
    let mut counts: Vec<usize> = lines.iter().map(|line| line.processors).collect();
    counts.sort_unstable();
    counts.dedup();
    counts
}

/// The parts of the figures that belong in one picture each.
pub fn panels(lines: &[SummaryRow]) -> impl Iterator<Item = (String, &[SummaryRow])> {
    parts(lines).map(|part| (format!("{}, {}", part[0].subject, part[0].place), part))
}
