//! `multigame check`: all that is wrong with some rules.

use std::io::Write;
use std::time::{Duration, Instant};

use anstyle::Style;
use anyhow::Result;
use lang::{Diagnostic, Severity, Source, Span};
use rules::CompileError;
use rules::trial::{self, Effort};
use serde_json::json;

use crate::Exit;
use crate::cli::{Check, ERROR, FAINT, Global, WARNING};
use crate::generator::find_rules;
use crate::numbers::counted;
use crate::{interrupt, terminal};

pub(super) fn run(options: &Check, global: &Global, out: &mut dyn Write) -> Result<Exit> {
    let source = find_rules(&options.file)?;
    let diagnostics = diagnose(&source, !options.no_play, global.seed.unwrap_or(1));
    for diagnostic in &diagnostics {
        if global.json {
            writeln!(out, "{}", as_json(&source, diagnostic))?;
        } else {
            writeln!(out, "{}", render(&source, diagnostic, terminal::columns()))?;
        }
    }
    let count = |severity| diagnostics.iter().filter(|one| one.severity == severity).count() as u64;
    let (errors, warnings) = (count(Severity::Error), count(Severity::Warning));
    if !global.json {
        let (errors, warnings) =
            (counted(errors, "error", "errors"), counted(warnings, "warning", "warnings"));
        writeln!(out, "{}: {errors}, {warnings}", source.name)?;
    }
    Ok(if errors > 0 { Exit::BadInput } else { Exit::Success })
}

/// Random games take no longer than this, give or take a move.
const TRIAL_TIME_MAX: Duration = Duration::from_secs(2);

/// Everything there is to say about the rules; `plays`: also what random games show.
fn diagnose(source: &Source, plays: bool, seed: u64) -> Vec<Diagnostic> {
    match rules::compile(source, None) {
        Ok((program, mut warnings)) => {
            if plays {
                let began = Instant::now();
                let go_on = || began.elapsed() < TRIAL_TIME_MAX && !interrupt::requested();
                warnings.extend(trial::warnings(&program, Effort::USUAL, seed, &go_on));
            }
            warnings
        }
        Err(CompileError::Rules(diagnostics)) => diagnostics,
        Err(CompileError::Position(error)) => {
            let start = source.text.find("setup").unwrap_or(0);
            let span = Span::new(start, (start + "setup".len()).min(source.text.len()));
            vec![Diagnostic::error("E033", span, error.message)]
        }
    }
}

fn as_json(source: &Source, diagnostic: &Diagnostic) -> serde_json::Value {
    let (line, column) = source.line_and_column(diagnostic.span.start);
    json!({
        "code": diagnostic.code,
        "severity": diagnostic.severity.name(),
        "file": source.name,
        "line": line,
        "column": column,
        "message": diagnostic.message,
        "hint": diagnostic.hint,
    })
}

/// A diagnostic with its source line, coloured: what it is in red or yellow, the rest as it is. Words fit a terminal
/// of so many columns.
pub(crate) fn render(source: &Source, diagnostic: &Diagnostic, columns: Option<usize>) -> String {
    let style = match diagnostic.severity {
        Severity::Error => ERROR,
        Severity::Warning => WARNING,
    };
    let text = lang::render(source, diagnostic);
    let mut shown = String::new();
    for (number, line) in text.lines().enumerate() {
        let marks = line.trim_start_matches([' ', '|']);
        if number == 0 {
            let line = fitted(line, 2, columns);
            let split = line.find("]:").map_or(0, |end| end + 1);
            shown.push_str(&painted(style, &line[..split]));
            shown.push_str(&line[split..]);
        } else if let Some(hint) = line.trim_start().strip_prefix("= ") {
            let (margin, hint) = line.split_at(line.len() - hint.len());
            shown.push_str(margin);
            shown.push_str(&fitted(hint, margin.len(), columns));
        } else if !marks.is_empty() && marks.bytes().all(|byte| byte == b'^') {
            let split = line.len() - marks.len();
            shown.push_str(&painted(FAINT, &line[..split]));
            shown.push_str(&painted(style, marks));
        } else {
            shown.push_str(line);
        }
        shown.push('\n');
    }
    shown
}

/// A line that may be broken between words; what follows begins below a margin.
fn fitted(line: &str, margin: usize, columns: Option<usize>) -> String {
    columns.map_or_else(|| line.to_owned(), |columns| terminal::with_margin(margin, line, columns))
}

fn painted(style: Style, text: &str) -> String {
    format!("{}{text}{}", style.render(), style.render_reset())
}
