//! The collection of other people's games: where it is, and under which name it knows rules. The browser, `book` and
//! the shell share it.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use collection::{Added, Collection};
use estimate::cache;
use game::Game;
use protocol::pgn;
use search::Knowledge;

use crate::numbers::counted;
use crate::{files, interrupt, library};

/// The file in the folder of kept games.
const FILE: &str = "games.sqlite";

/// Where games are kept unless another place is named.
pub(crate) fn folder() -> Option<PathBuf> {
    let estimates = cache::user_folder(|name| std::env::var_os(name))?;
    Some(estimates.parent()?.join("games"))
}

/// The collection in this file, or the user's own.
pub(crate) fn open(file: Option<&Path>) -> Result<Collection> {
    let file = match file {
        Some(file) => file.to_owned(),
        None => {
            let folder =
                folder().context("there is no folder for your data: give a file with --collection")?;
            std::fs::create_dir_all(&folder)
                .with_context(|| format!("cannot make `{}`", folder.display()))?;
            folder.join(FILE)
        }
    };
    Collection::open(&file).with_context(|| format!("`{}`", file.display()))
}

/// Under which name a collection knows the rules of a game: that of the library, or the rules themselves.
pub(crate) fn key(game: &str) -> Result<String> {
    let name = game.strip_prefix("native:").unwrap_or(game);
    if library::source(name).is_some() {
        return Ok(name.to_owned());
    }
    files::read_text(Path::new(game))
}

/// Adds all games of a text.
pub(crate) fn add<G: Game>(collection: &Collection, rules: &str, game: &G, text: &str) -> Result<Added> {
    let games: Vec<pgn::Pgn> = pgn::read(text).into_iter().filter(|one| !one.moves.is_empty()).collect();
    if games.is_empty() {
        bail!("there is no game in it");
    }
    let start = game.info().start.as_ref().context("the rules have no `setup`")?;
    let knowledge = interrupt::stoppable(|| Knowledge::learn(game, start))?;
    Ok(collection::add(collection, rules, (game, &knowledge), &games, &mut |_| !interrupt::requested())?)
}

/// What became of games that were to be added, in words.
pub(crate) fn told(added: Added) -> String {
    let mut words = format!("{} added", counted(added.new as u64, "game", "games"));
    let known = added.read - added.new - added.wrong;
    if known > 0 {
        words += &format!(", {known} known already");
    }
    if added.wrong > 0 {
        words += &format!(", {} with moves that cannot be played", added.wrong);
    }
    words
}
