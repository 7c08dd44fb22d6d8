//! From games as text to entries of the collection.

use game::record::Record;
use game::{Game, RuleFault, fen};
use protocol::pgn::{Pgn, PgnError};
use protocol::san;
use search::Knowledge;

use crate::store::{Collection, CollectionError, Known};

/// Games that are added at once.
const AT_ONCE: usize = 200;
/// Names of players and events are cut off here.
const TAG_MAX: usize = 80;

/// What became of games that were to be added.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Added {
    /// Those that were new.
    pub new: usize,
    /// Those whose moves could not be played.
    pub wrong: usize,
    /// All that were looked at.
    pub read: usize,
}

/// Replays games and adds them, some at a time. `goes_on` is told how far it has come, and says whether to go on.
///
/// # Errors
/// When the file cannot be written.
pub fn add<G: Game>(
    collection: &Collection,
    rules: &str,
    (game, knowledge): (&G, &Knowledge),
    games: &[Pgn],
    goes_on: &mut dyn FnMut(Added) -> bool,
) -> Result<Added, CollectionError> {
    let mut added = Added::default();
    for part in games.chunks(AT_ONCE) {
        let replayed: Vec<Known> = part.iter().filter_map(|one| replay(game, knowledge, one).ok()).collect();
        added.wrong += part.len() - replayed.len();
        added.new += collection.add(rules, &replayed)?;
        added.read += part.len();
        if !goes_on(added) {
            break;
        }
    }
    Ok(added)
}

/// Why a game does not become an entry.
#[derive(Debug, thiserror::Error)]
enum Unplayable {
    #[error(transparent)]
    Moves(#[from] PgnError),
    #[error(transparent)]
    Rules(#[from] RuleFault),
}

fn replay<G: Game>(game: &G, knowledge: &Knowledge, pgn: &Pgn) -> Result<Known, Unplayable> {
    let record = pgn.replay(game)?;
    let mut again = Record::new(game, record.start().clone())?;
    let mut moves = Vec::new();
    for played in record.moves() {
        let name = san::write(game, knowledge, again.position(), again.legal(), played.view())?;
        moves.push((game.signature(again.position()).0, name));
        again.play(played)?;
    }
    let info = game.info();
    let usual = info.start.as_ref() == Some(record.start());
    let tag = |name: &str| pgn.tag(name).unwrap_or_default().chars().take(TAG_MAX).collect::<String>();
    Ok(Known {
        white: tag("White"),
        black: tag("Black"),
        event: tag("Event"),
        date: tag("Date"),
        result: pgn.result.clone(),
        start: if usual { String::new() } else { fen::write(info, record.start()) },
        moves,
    })
}
