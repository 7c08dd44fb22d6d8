//! `multigame` is the command line. It alone chooses the game, the generator and (later) engine, fabric and
//! table; it contains no rules and no algorithms worth the name. Start with [`cli`], what can be asked for,
//! then [`commands`], one file for each; [`generator`] is the one place that turns a name into a game.

#![forbid(unsafe_code)]

mod board;
mod books;
mod catalogue;
mod checkpoint;
mod cli;
mod cluster;
mod collections;
mod colours;
mod commands;
mod contest;
mod databases;
mod files;
mod generator;
mod interrupt;
mod judgement;
mod keyboard;
mod learning;
mod library;
mod lines;
mod listing;
mod memory;
mod networks;
mod numbers;
mod opponent;
mod picture;
mod policies;
mod progress;
mod self_play;
mod shell;
mod solver;
mod suites;
mod teamwork;
mod terminal;
mod tuned;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::Parser;

/// How a command came to its end when nothing went wrong that needs a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Exit {
    /// All is done.
    Success,
    /// Ctrl-C: what was known is printed.
    Interrupted,
    /// The input is bad, and the command has said so.
    BadInput,
}

fn main() -> ExitCode {
    if let Some(refusal) = cluster::refusal() {
        return refusal;
    }
    let cli = match cli::Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) if cluster::speaks() => {
            let command = std::env::args().nth(1).unwrap_or_default();
            cli::tips::with_tip(error, &command).exit()
        }
        Err(error) => return ExitCode::from(error.exit_code() as u8),
    };
    match cluster::takes_part(cli.command.as_ref()) {
        Ok(true) => {}
        Ok(false) => return ExitCode::SUCCESS,
        Err(error) => {
            report(&error);
            return ExitCode::from(2);
        }
    }
    interrupt::install();
    let code =
        if cluster::speaks() { run(&cli, &mut anstream::stdout()) } else { run(&cli, &mut io::sink()) };
    cluster::leave();
    code
}

/// Does what was asked for, and says what went wrong.
fn run(cli: &cli::Cli, out: &mut dyn Write) -> ExitCode {
    match commands::run(cli, out).and_then(|exit| Ok(out.flush().map(|()| exit)?)) {
        Ok(Exit::Success) => ExitCode::SUCCESS,
        Ok(Exit::Interrupted) => ExitCode::from(130),
        Ok(Exit::BadInput) => ExitCode::from(2),
        // The reader of our output has seen enough.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) if interrupt::is_cause_of(&error) => ExitCode::from(130),
        Err(error) => {
            report(&error);
            ExitCode::from(2)
        }
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause.downcast_ref::<io::Error>().is_some_and(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
    })
}

/// Says what went wrong, once. If even that cannot be written there is no reader left.
fn report(error: &anyhow::Error) {
    if !cluster::speaks() {
        return;
    }
    let mut stderr = anstream::stderr();
    let _ = match error.downcast_ref::<generator::WrongRules>() {
        Some(rules) => write!(stderr, "{rules}"),
        None => {
            writeln!(stderr, "{}error{}: {}", cli::ERROR.render(), cli::ERROR.render_reset(), in_words(error))
        }
    };
}

/// A message and its causes, without those that have been told already.
fn in_words(error: &anyhow::Error) -> String {
    let mut told = String::new();
    for cause in error.chain().map(ToString::to_string).filter(|cause| !cause.is_empty()) {
        if !told.contains(&cause) {
            told.push_str(if told.is_empty() { "" } else { ": " });
            told.push_str(&cause);
        }
    }
    told
}

#[cfg(test)]
mod tests {
    #[test]
    fn nothing_is_told_twice() {
        let error =
            anyhow::anyhow!("no such file").context("cannot open `x`: no such file").context("line 3");
        assert_eq!(super::in_words(&error), "line 3: cannot open `x`: no such file");
    }
}
