//! Suites of puzzles: positions to be solved, by `solve` or in the laboratory.
//!
//! A line is a number, the known length, anything else that is known, and as many numbers as the board has fields; or
//! those numbers alone; or name, length, moves that lead from the solved position there, and a solution, with `|`
//! between them. A length of `?` is not known.

use anyhow::{Context, Result, bail};
use game::motion::{Motion, State};
use game::{Game, Position};
use protocol::{EngineOptions, Session};

/// A position to be solved.
pub(super) struct Instance {
    pub(super) name: String,
    /// Of the shortest solution, where that is known.
    pub(super) length: Option<usize>,
    pub(super) state: State,
}

/// The positions of a suite, given its name and text, whose places, from 0, are wanted.
pub(super) fn instances<G: Game>(
    game: &G,
    start: Position,
    motion: &Motion,
    (suite, text): (&str, &str),
    is_wanted: &dyn Fn(usize) -> bool,
) -> Result<Vec<Instance>> {
    let mut session = Session::new(game, start, EngineOptions { hash_mib: 1, ..EngineOptions::default() })?;
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
    let wanted = lines.enumerate().filter(|(place, _)| is_wanted(*place));
    let read = |(place, line): (usize, &str)| {
        instance(&mut session, motion, place, line).with_context(|| format!("suite {suite}: `{line}`"))
    };
    wanted.map(read).collect()
}

fn instance<G: Game>(
    session: &mut Session<'_, G>,
    motion: &Motion,
    place: usize,
    line: &str,
) -> Result<Instance> {
    let length = |text: &str| match text {
        "?" => Ok(None),
        text => text.parse().map(Some).with_context(|| format!("`{text}` is no length")),
    };
    let columns: Vec<&str> = line.split('|').map(str::trim).collect();
    let (name, length) = if let [name, long, moves, ..] = columns[..] {
        session.begin_at_start()?;
        for played in moves.split_whitespace() {
            session.play_text(played)?;
        }
        (name.to_owned(), length(long)?)
    } else {
        let words: Vec<&str> = line.split_whitespace().collect();
        let fields = motion.sites();
        let Some(known) = words.len().checked_sub(fields) else { bail!("that is too short") };
        session.begin_at(&words[known..].join(" "))?;
        match words[..known] {
            [] => ((place + 1).to_string(), None),
            [name] => (name.to_owned(), None),
            [name, long, ..] => (name.to_owned(), length(long)?),
        }
    };
    let state = motion.state(&session.position()).context("no move leads there from the solved position")?;
    Ok(Instance { name, length, state })
}
