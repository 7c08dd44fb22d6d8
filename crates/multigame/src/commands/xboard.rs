//! `multigame xboard`: an engine for programs that speak the protocol of xboard.

use std::io::{self, Write};

use anyhow::Result;
use game::{Game, Position};
use protocol::uci::Ending;
use protocol::xboard::{Conversation, Variants};
use protocol::{EngineOptions, SessionError};

use crate::Exit;
use crate::cli::{GameChoice, Global, Xboard};
use crate::generator::Work;
use crate::judgement::with_player;
use crate::{library, memory, tuned};

/// What xboard calls games of the library.
const NAMES: [(&str, &str); 4] =
    [("normal", "chess"), ("fischerandom", "chess960"), ("3check", "threecheck"), ("giveaway", "antichess")];

pub(super) fn run(options: &Xboard, global: &Global, out: &mut dyn Write) -> Result<Exit> {
    crate::interrupt::end_at_once();
    let (threads, habits) = (global.threads_or_one(), tuned::habits()?);
    let mut engine = EngineOptions { threads, habits, ..EngineOptions::default() };
    engine.settings.seed = global.seed.unwrap_or(engine.settings.seed);
    let most = memory::table_mib_max() as usize;
    let mut conversation = Conversation::new(io::BufReader::new(io::stdin()), out, engine, most);
    conversation.ask_for_patience()?;
    let mut game = options.rules.game.clone();
    loop {
        // Others mean the arrangement of chess unless they say another.
        let position = (game == "chess960").then(|| "setup:chess".to_owned());
        let choice = GameChoice { game: game.clone(), position, generator: options.rules.generator };
        let names = variant_names(&game);
        let current = names[0].clone();
        let work = Serve {
            conversation: &mut conversation,
            variants: Variants { names: &names, current: &current },
        };
        match with_player(&choice, options.rules.judged, work)? {
            Ending::Quit => return Ok(Exit::Success),
            Ending::Variant(name) => {
                game =
                    NAMES.iter().find(|(other, _)| *other == name).map_or(name, |(_, own)| (*own).to_owned());
            }
        }
    }
}

struct Serve<'run, 'out> {
    conversation: &'run mut Conversation<'out>,
    variants: Variants<'run>,
}

impl Work for Serve<'_, '_> {
    type Result = Ending;

    fn run<G: Game>(self, game: &G, start: Position) -> Result<Ending> {
        if game.info().players != 2 {
            return Err(SessionError::OnePlayer(game.info().name.clone()).into());
        }
        Ok(self.conversation.serve(game, start, &self.variants)?)
    }
}

/// The games for two as xboard calls them, the present one first.
fn variant_names(current: &str) -> Vec<String> {
    let name =
        |own: &str| NAMES.iter().find(|(_, game)| *game == own).map_or(own, |(other, _)| *other).to_owned();
    let others = library::entries().into_iter().filter(|entry| entry.players == 2 && entry.name != current);
    std::iter::once(name(current)).chain(others.map(|entry| name(&entry.name))).collect()
}
