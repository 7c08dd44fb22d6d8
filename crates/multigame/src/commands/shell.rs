//! `multigame shell`: all commands for a game, at a terminal or through a pipe.

use std::io::Write;

use anyhow::Result;
use game::{Game, Position};

use crate::Exit;
use crate::cli::Global;
use crate::cli::shell::Shell as Options;
use crate::generator::Work;
use crate::judgement::with_player;
use crate::shell::Shell;

pub(super) fn run(options: &Options, global: &Global, out: &mut dyn Write) -> Result<Exit> {
    crate::interrupt::end_at_once();
    with_player(&options.choice, options.judged, Talk { options, global, out })
}

struct Talk<'run> {
    options: &'run Options,
    global: &'run Global,
    out: &'run mut dyn Write,
}

impl Work for Talk<'_> {
    type Result = Exit;

    fn run<G: Game>(self, game: &G, start: Position) -> Result<Exit> {
        Shell::new(game, start, self.options, self.global)?.run(self.out)?;
        Ok(Exit::Success)
    }
}
