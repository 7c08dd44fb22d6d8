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
    writeln!(out, "{}Welcome to Multigame.{}", STRONG.render(), STRONG.render_reset())?;
    let game = match ask(out)? {
        Wish::Nothing => return Ok(Exit::Success),
        Wish::Browser => return serve::run(&Serve::with_a_browser(), out),
        Wish::Game(game) => game,
    };
    let choice = GameChoice { game, position: None, generator: Generator::Jit };
    let judged = EvaluationChoice::from(Evaluation::Automatic);
    play::run(
        &Play {
            choice,
            judged,
            side: None,
            level: protocol::Level::FULL,
            depth: None,
            time: 1.0,
            scramble: None,
            book: None,
        },
        global,
        out,
    )
}

/// What a person wants.
enum Wish {
    Nothing,
    Browser,
    Game(String),
}

/// Games on a page: three columns of them fit a terminal of 80 by 24, with a few lines around.
const ROWS: usize = 18;
const COLUMNS: usize = 3;

/// The pages of the catalogue: names with numbers, in columns from top to bottom.
fn pages(names: &[&str]) -> Vec<String> {
    let page = |(number, page): (usize, &[&str])| {
        let first = number * ROWS * COLUMNS;
        let rows = page.len().div_ceil(COLUMNS).min(ROWS);
        let mut text = String::new();
        for row in 0..rows {
            let entries = (row..page.len()).step_by(rows);
            let line: String =
                entries.map(|index| format!("{:>3}  {:<20} ", first + index + 1, page[index])).collect();
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    };
    names.chunks(ROWS * COLUMNS).enumerate().map(page).collect()
}

/// What can be answered when a page is shown.
fn question(shown: usize, pages: usize) -> String {
    let next = (shown + 1) % pages.max(1) + 1;
    let more = if pages > 1 { format!("`more` turns to page {next} of {pages}, ") } else { String::new() };
    format!(
        "A name or a number plays a game, `about NAME` tells of one.\n\
         {more}`browser` opens a browser, an empty line leaves.\n"
    )
}

/// The games that may be meant: those whose names begin with what was typed, or contain it, or one like it.
fn meant(answer: &str, names: &[&str]) -> String {
    let wanted = answer.to_ascii_lowercase();
    let begin: Vec<&str> = names.iter().copied().filter(|name| name.starts_with(&wanted)).collect();
    let contain: Vec<&str> = names.iter().copied().filter(|name| name.contains(&wanted)).collect();
    let alike = if begin.is_empty() { contain } else { begin };
    let quoted: Vec<String> = alike.into_iter().take(3).map(|name| format!("`{name}`")).collect();
    let hint = match quoted.as_slice() {
        [] => did_you_mean(answer, names.iter().copied()),
        quoted => Some(format!("did you mean {}?", quoted.join(", "))),
    };
    hint.map_or_else(|| "There is no such game.".to_owned(), |hint| format!("There is no such game: {hint}"))
}

/// Asks until the answer is understood.
fn ask(out: &mut dyn Write) -> Result<Wish> {
    let names = library::names();
    let pages = pages(&names);
    let mut shown = 0;
    write!(out, "{}", pages.first().map_or("", String::as_str))?;
    loop {
        write!(out, "{}> ", question(shown, pages.len()))?;
        out.flush()?;
        let mut line = String::new();
        let read = interrupt::while_waiting("\n".to_owned(), || io::stdin().lock().read_line(&mut line))?;
        let answer = line.trim();
        if read == 0 || answer.is_empty() {
            return Ok(Wish::Nothing);
        }
        match answer.split_once(' ').unwrap_or((answer, "")) {
            ("browser" | "serve", _) => return Ok(Wish::Browser),
            ("more", _) => {
                shown = (shown + 1) % pages.len().max(1);
                write!(out, "{}", pages.get(shown).map_or("", String::as_str))?;
                continue;
            }
            ("about", name) if games::tell(name.trim(), out)? => continue,
            _ => {}
        }
        let numbered = answer.parse::<usize>().ok().and_then(|number| names.get(number.wrapping_sub(1)));
        if let Some(name) = numbered.or_else(|| names.iter().find(|name| **name == answer)) {
            return Ok(Wish::Game((*name).to_owned()));
        }
        if !matches!(answer, "help" | "?" | "h") {
            writeln!(out, "{}", meant(answer, &names))?;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_start_page_fits_a_small_terminal() {
        let names = library::names();
        let pages = pages(&names);
        for (number, page) in pages.iter().enumerate() {
            // A line of greeting above, the prompt below.
            let page = format!("{page}{}", question(number, pages.len()));
            assert!(page.lines().count() + 2 <= 24 && page.lines().all(|line| line.len() <= 79), "{page}");
        }
        assert_eq!(meant("tic", &names), "There is no such game: did you mean `tictactoe`?");
        assert_eq!(meant("chesss", &names), "There is no such game: did you mean `chess`?");
        assert_eq!(meant("§", &names), "There is no such game.");
        let text = pages.concat();
        let shown: Vec<&str> =
            text.split_whitespace().filter(|word| word.parse::<usize>().is_err()).collect();
        assert_eq!(shown.len(), names.len(), "every name is there, whole");
    }
}
