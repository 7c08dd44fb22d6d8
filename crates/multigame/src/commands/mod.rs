//! The commands, one file each. Each writes what it finds to `out`; messages about mistakes are errors.

mod bench;
mod book;
mod check;
mod compile;
mod contest;
mod database;
mod explore;
mod fit;
mod fmt;
mod games;
mod installation;
mod instances;
mod lab;
mod learn;
mod learn_policy;
mod new;
mod perft;
mod play;
mod search;
mod selfplay;
mod serve;
mod shell;
mod show;
mod solve;
mod solve_suite;
mod suite;
mod test;
mod uci;
mod welcome;
mod xboard;

use std::io::Write;

use anyhow::Result;

use crate::Exit;
use crate::cli::{Cli, Command};

pub(crate) use check::render;
pub(crate) use perft::warm_up as warm_up_count;

/// Does what was asked for.
pub(crate) fn run(cli: &Cli, out: &mut dyn Write) -> Result<Exit> {
    match &cli.command {
        None => welcome::run(&cli.global, out),
        Some(Command::Check(options)) => check::run(options, &cli.global, out),
        Some(Command::Fmt(options)) => fmt::run(options, &cli.global, out),
        Some(Command::Test(options)) => test::run(options, &cli.global, out),
        Some(Command::New(options)) => new::run(options, &cli.global, out),
        Some(Command::Show(options)) => show::run(options, &cli.global, out),
        Some(Command::Completions(options)) => installation::completions(options, out),
        Some(Command::Man(options)) => installation::man(options, out),
        Some(Command::Games(options)) => games::run(options, &cli.global, out),
        Some(Command::Perft(options)) => perft::run(options, &cli.global, out),
        Some(Command::Explore(options)) => explore::run(options, &cli.global, out),
        Some(Command::Search(options)) => search::run(options, &cli.global, out),
        Some(Command::Solve(options)) => solve::run(options, &cli.global, out),
        Some(Command::Suite(options)) => suite::run(options, &cli.global, out),
        Some(Command::Database(options)) => database::run(options, &cli.global, out),
        Some(Command::Uci(options)) => uci::run(options, &cli.global, out),
        Some(Command::Xboard(options)) => xboard::run(options, &cli.global, out),
        Some(Command::Shell(options)) => shell::run(options, &cli.global, out),
        Some(Command::Match(options)) => contest::run(options, &cli.global, out),
        Some(Command::Fit(options)) => fit::run(options, &cli.global, out),
        Some(Command::Learn(options)) => match options.policy {
            true => learn_policy::run(options, &cli.global, out),
            false => learn::run(options, &cli.global, out),
        },
        Some(Command::Lab(options)) => lab::run(options, &cli.global, out),
        Some(Command::Book(options)) => book::run(options, &cli.global, out),
        Some(Command::Play(options)) => play::run(options, &cli.global, out),
        Some(Command::Selfplay(options)) => selfplay::run(options, &cli.global, out),
        Some(Command::Serve(options)) => serve::run(options, out),
        Some(Command::Compile(options)) => compile::run(options, &cli.global, out),
        Some(Command::Bench(options)) => bench::run(options, &cli.global, out),
    }
}
