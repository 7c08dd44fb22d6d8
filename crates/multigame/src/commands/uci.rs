//! `multigame uci`: an engine for other programs.

use std::io::{self, Write};
use std::path::Path;

use anyhow::Result;
use game::{Game, Position};
use protocol::uci::options::Variants;
use protocol::uci::{Conversation, Ending};
use protocol::{EngineOptions, SessionError};

use crate::Exit;
use crate::cli::{GameChoice, Global, Uci};
use crate::generator::Work;
use crate::judgement::with_player;
use crate::{books, files, library, memory, tuned};

/// Names that other programs use for games of the library.
const ALIASES: [(&str, &str); 1] = [("3check", "threecheck")];

pub(super) fn run(options: &Uci, global: &Global, out: &mut dyn Write) -> Result<Exit> {
    crate::interrupt::end_at_once();
    let (threads, habits) = (global.threads_or_one(), tuned::habits()?);
    let mut engine = EngineOptions { threads, habits, ..EngineOptions::default() };
    engine.settings.seed = global.seed.unwrap_or(engine.settings.seed);
    let input = io::BufReader::new(io::stdin());
    let read_file = |name: &str| files::read(Path::new(name)).map_err(|error| crate::in_words(&error));
    let most = memory::table_mib_max() as usize;
    let mut conversation = Conversation::new(input, out, engine, most, Box::new(read_file));
    if let Some(book) = &options.book {
        books::read(Path::new(book))?;
        conversation.use_book(book);
    }
    let mut game = options.rules.game.clone();
    loop {
        // Other programs mean the arrangement of chess by `startpos`, whatever may be given as a position.
        let position = (game == "chess960").then(|| "setup:chess".to_owned());
        let choice = GameChoice { game: library_name(&game), position, generator: options.rules.generator };
        let variants = Variants { names: variant_names(&game), current: game.clone() };
        let work = Serve { conversation: &mut conversation, variants: &variants };
        match with_player(&choice, options.rules.judged, work)? {
            Ending::Quit => return Ok(Exit::Success),
            Ending::Variant(name) => game = name,
        }
    }
}

struct Serve<'run, 'out> {
    conversation: &'run mut Conversation<'out>,
    variants: &'run Variants,
}

impl Work for Serve<'_, '_> {
    type Result = Ending;

    fn run<G: Game>(self, game: &G, start: Position) -> Result<Ending> {
        if game.info().players != 2 {
            return Err(SessionError::OnePlayer(game.info().name.clone()).into());
        }
        Ok(self.conversation.serve(game, start, self.variants)?)
    }
}

/// What other programs call a game.
pub(crate) fn variant_name(game: &str) -> &str {
    let game = game.strip_prefix("native:").unwrap_or(game);
    ALIASES.iter().find(|(_, own)| *own == game).map_or(game, |(alias, _)| *alias)
}

/// What the library calls a game that other programs may call otherwise.
pub(super) fn library_name(variant: &str) -> String {
    let own = ALIASES.iter().find(|(alias, _)| *alias == variant).map(|(_, own)| *own);
    own.unwrap_or(variant).to_owned()
}

/// The games for two that can be switched to, chess first.
fn variant_names(current: &str) -> Vec<String> {
    let entries = library::entries().into_iter().filter(|entry| entry.players == 2);
    let mut names: Vec<String> = entries
        .map(|entry| {
            let alias = ALIASES.iter().find(|(_, own)| *own == entry.name).map(|(alias, _)| *alias);
            alias.map_or(entry.name.clone(), str::to_owned)
        })
        .collect();
    names.sort_by_key(|name| name != "chess");
    if !names.iter().any(|name| name == current) {
        names.insert(0, current.to_owned());
    }
    names
}
