//! `multigame` alone: on a terminal it greets and lets a person choose a game; otherwise it explains itself.

use std::io::{self, BufRead, IsTerminal, Write};

use anyhow::Result;
use clap::CommandFactory;
use lang::diagnostic::did_you_mean;

use super::{games, play, serve};
use crate::Exit;
use crate::cli::serve::Serve;
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
    let game = match ask(out)? {
        Wish::Nothing => return Ok(Exit::Success),
        Wish::Browser => return serve::run(&Serve::with_a_browser(), out),
        Wish::Game(game) => game,
    };
    let choice = GameChoice { game, position: None, generator: Generator::Jit };
    let judged = EvaluationChoice { evaluation: Evaluation::Automatic };
    play::run(&Play { choice, judged, side: None, depth: None, time: 1.0, book: None }, global, out)
}

/// What a person wants.
enum Wish {
    Nothing,
    Browser,
    Game(String),
}

/// Asks until the answer is understood.
fn ask(out: &mut dyn Write) -> Result<Wish> {
    let names = library::names();
    loop {
        write!(
            out,
            "Which one would you like to play (name or number; `browser` for all of them in a browser; empty for none)? "
        )?;
        out.flush()?;
        let mut line = String::new();
        let read = interrupt::while_waiting("\n".to_owned(), || io::stdin().lock().read_line(&mut line))?;
        let answer = line.trim();
        if read == 0 || answer.is_empty() {
            return Ok(Wish::Nothing);
        }
        if matches!(answer, "browser" | "serve") {
            return Ok(Wish::Browser);
        }
        let numbered = answer.parse::<usize>().ok().and_then(|number| names.get(number.wrapping_sub(1)));
        if let Some(name) = numbered.or_else(|| names.iter().find(|name| **name == answer)) {
            return Ok(Wish::Game((*name).to_owned()));
        }
        let hint = did_you_mean(answer, names.iter().copied());
        writeln!(out, "There is no such game. {}", hint.unwrap_or_default())?;
    }
}
