//! `multigame` alone: on a terminal it greets and lets a person choose a game; otherwise it explains itself.

use std::io::{self, BufRead, IsTerminal, Write};

use anyhow::Result;
use clap::CommandFactory;
use lang::diagnostic::did_you_mean;

use super::{games, play};
use crate::Exit;
use crate::cli::{Cli, Evaluation, EvaluationChoice, GameChoice, Generator, Global, Play, STRONG};
use crate::{interrupt, library};

pub(super) fn run(global: &Global, out: &mut dyn Write) -> Result<Exit> {
    if !(io::stdin().is_terminal() && io::stdout().is_terminal()) {
        writeln!(out, "{}", Cli::command().render_help())?;
        return Ok(Exit::Success);
    }
    writeln!(
        out,
        "{}Welcome to Multigame.{} These games are here:\n",
        STRONG.render(),
        STRONG.render_reset()
    )?;
    games::list(out, true)?;
    writeln!(out, "\n`multigame --help` tells what else can be done.\n")?;
    let Some(game) = ask(out)? else { return Ok(Exit::Success) };
    let choice = GameChoice { game, position: None, generator: Generator::Jit };
    let judged = EvaluationChoice { evaluation: Evaluation::Automatic };
    play::run(
        &Play {
            choice,
            judged,
            side: None,
            level: protocol::Level::FULL,
            depth: None,
            time: 1.0,
            book: None,
        },
        global,
        out,
    )
}

/// Asks until the answer is a game; `None` for "none of them".
fn ask(out: &mut dyn Write) -> Result<Option<String>> {
    let names = library::names();
    loop {
        write!(out, "Which one would you like to play (name or number, empty for none)? ")?;
        out.flush()?;
        let mut line = String::new();
        let read = interrupt::while_waiting("\n".to_owned(), || io::stdin().lock().read_line(&mut line))?;
        let answer = line.trim();
        if read == 0 || answer.is_empty() {
            return Ok(None);
        }
        let numbered = answer.parse::<usize>().ok().and_then(|number| names.get(number.wrapping_sub(1)));
        if let Some(name) = numbered.or_else(|| names.iter().find(|name| **name == answer)) {
            return Ok(Some((*name).to_owned()));
        }
        let hint = did_you_mean(answer, names.iter().copied());
        writeln!(out, "There is no such game. {}", hint.unwrap_or_default())?;
    }
}
