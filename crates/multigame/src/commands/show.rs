//! `multigame show`: a position as text or as a picture.

use std::io::Write;

use anyhow::Result;
use game::{Game, Position, fen};
use serde_json::json;

use crate::cli::Global;
use crate::cli::author::Show;
use crate::generator::{Work, with_rules};
use crate::{Exit, board, picture};

pub(super) fn run(options: &Show, global: &Global, out: &mut dyn Write) -> Result<Exit> {
    with_rules(&options.choice, |rules| Ok(Look { options, global, rules: rules.text.clone(), out }))
}

struct Look<'run> {
    options: &'run Show,
    global: &'run Global,
    rules: String,
    out: &'run mut dyn Write,
}

impl Work for Look<'_> {
    type Result = Exit;

    fn run<G: Game>(self, game: &G, start: Position) -> Result<Exit> {
        let (info, flipped) = (game.info(), self.options.flip);
        let drawn = match self.options.svg {
            true => picture::draw(info, &self.rules, &start, flipped),
            false => board::Drawing::new(info, &self.rules).flipped(flipped).draw(&start, None),
        };
        if self.global.json {
            let row = json!({
                "game": info.name,
                "position": fen::write(info, &start),
                if self.options.svg { "svg" } else { "text" }: anstream::adapter::strip_str(&drawn).to_string(),
            });
            writeln!(self.out, "{row}")?;
            return Ok(Exit::Success);
        }
        write!(self.out, "{drawn}")?;
        if !self.options.svg {
            writeln!(self.out, "{}", fen::write(info, &start))?;
        }
        Ok(Exit::Success)
    }
}
