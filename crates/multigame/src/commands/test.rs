//! `multigame test`: rules that say in comments what they should do, and whether they do it.

use std::io::Write;
use std::path::Path;

use anyhow::{Result, bail};
use game::{Erased, Game, Position};
use lang::Source;
use rules::expectations::{self, Expectation, Failure};
use rules::{CompileError, Interpreter};
use serde_json::json;

use crate::Exit;
use crate::cli::Global;
use crate::cli::author::Test;
use crate::files;
use crate::generator::{Work, find_rules, with_compiled};
use crate::numbers::counted;

pub(super) fn run(options: &Test, global: &Global, out: &mut dyn Write) -> Result<Exit> {
    let mut exit = Exit::Success;
    for file in &options.files {
        for source in programs(file)? {
            let expected = expectations::expectations(&source.text);
            let near_misses = expectations::near_misses(&source.text);
            for miss in &near_misses {
                eprintln!("warning: {}:{}: {}", source.name, miss.line, miss.message);
            }
            if expected.is_empty() {
                bail!(
                    "`{}` expects nothing: write comments such as `# perft: 9, 72` or `# moves: a1, b1` \
                     (docs/language.md lists them)",
                    source.name
                );
            }
            let failures = failures(&source, &expected)?;
            say(&source, expected.len(), &failures, global, out)?;
            if !failures.is_empty() {
                exit = Exit::BadInput;
            }
        }
    }
    Ok(exit)
}

/// The programs of a file: itself, or the blocks of a page that are marked as rules.
fn programs(file: &str) -> Result<Vec<Source>> {
    if !file.ends_with(".md") {
        return Ok(vec![find_rules(file)?]);
    }
    let blocks = expectations::blocks(&files::read_text(Path::new(file))?);
    let sources = blocks.into_iter().map(|(line, text)| Source::new(format!("{file}:{line}"), text));
    let sources: Vec<Source> = sources.collect();
    if sources.is_empty() {
        bail!("`{file}` has no block that is marked `mg`");
    }
    Ok(sources)
}

/// What is not as expected, by the interpreter and by compiled code.
fn failures(source: &Source, expected: &[Expectation]) -> Result<Vec<Failure>> {
    let program = match rules::compile(source, expectations::start(expected)) {
        Ok((program, _)) => program,
        Err(CompileError::Rules(diagnostics)) => {
            return Ok(expectations::check_errors(source, &diagnostics, expected));
        }
        Err(CompileError::Position(error)) => {
            let line = expected.first().map_or(1, |one| one.line);
            return Ok(vec![Failure {
                line,
                message: error.to_string(),
                unchecked: expected.len().saturating_sub(1),
            }]);
        }
    };
    let setups = program.setups.clone();
    let interpreter = Interpreter::new(program.clone());
    let mut failures = expectations::check(&Erased::new(&interpreter), &setups, expected);
    if failures.is_empty()
        && let Some(start) = program.info.start.clone()
    {
        let compiled = with_compiled(program, start, jit::Options::default(), Compiled { setups, expected })?;
        failures.extend(compiled.into_iter().map(|failure| Failure {
            message: format!("compiled, not interpreted: {} (please report it)", failure.message),
            ..failure
        }));
    }
    Ok(failures)
}

struct Compiled<'run> {
    setups: Vec<(String, Position)>,
    expected: &'run [Expectation],
}

impl Work for Compiled<'_> {
    type Result = Vec<Failure>;

    fn run<G: Game>(self, game: &G, _start: Position) -> Result<Vec<Failure>> {
        Ok(expectations::check(&Erased::new(game), &self.setups, self.expected))
    }
}

fn say(
    source: &Source,
    expected: usize,
    failures: &[Failure],
    global: &Global,
    out: &mut dyn Write,
) -> Result<()> {
    if global.json {
        for failure in failures {
            let row = json!({ "file": source.name, "line": failure.line, "message": failure.message });
            writeln!(out, "{row}")?;
        }
        let row = json!({ "file": source.name, "expectations": expected, "failed": failures.len() });
        writeln!(out, "{row}")?;
        return Ok(());
    }
    for failure in failures {
        writeln!(out, "{}:{}: {}", source.name, failure.line, failure.message)?;
    }
    let expectations = counted(expected as u64, "expectation", "expectations");
    match failures.len() {
        0 => writeln!(out, "{}: {expectations}, all met", source.name)?,
        failed => {
            let unchecked: usize = failures.iter().map(|failure| failure.unchecked).sum();
            let rest = match unchecked {
                0 => String::new(),
                _ => format!(
                    ", {unchecked} not checked because of {}",
                    if failed == 1 { "it" } else { "them" }
                ),
            };
            writeln!(out, "{}: {expectations}, {failed} not met{rest}", source.name)?;
        }
    }
    Ok(())
}
