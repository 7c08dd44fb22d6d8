//! Opening books as files.

use std::path::Path;

use anyhow::{Context, Result};
use game::Game;
use protocol::book::{Book, fingerprint};

use crate::files;

/// Reads a book, whatever game it is for.
pub(crate) fn read(file: &Path) -> Result<Book> {
    let bytes = files::read(file)?;
    Book::from_bytes(&bytes).with_context(|| format!("`{}`", file.display()))
}

/// Reads a book that must be one for this game.
pub(crate) fn open<G: Game>(game: &G, file: &Path) -> Result<Book> {
    let rules = fingerprint(game)?;
    let book = read(file)?;
    book.for_rules(&game.info().name, rules).with_context(|| format!("`{}`", file.display()))
}
