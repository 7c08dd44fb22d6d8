//! The file: games, and the positions that they went through. Kept in SQLite, one file for all rules; a game that was
//! read twice is there once. Several programs may use it at the same time.

use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use protocol::pgn::Pgn;
use rusqlite::{Connection, params};
use serde::Serialize;

/// Games that are listed for a position.
const LISTED_MAX: i64 = 20;
/// How long to wait while another program writes.
const PATIENCE: Duration = Duration::from_secs(10);

const SCHEMA: &str = "
    CREATE TABLE IF NOT EXISTS game (
        id INTEGER PRIMARY KEY, rules TEXT NOT NULL, white TEXT NOT NULL, black TEXT NOT NULL, event TEXT NOT NULL,
        date TEXT NOT NULL, result TEXT NOT NULL, start TEXT NOT NULL, moves TEXT NOT NULL,
        UNIQUE (rules, white, black, date, start, moves));
    CREATE TABLE IF NOT EXISTS position (
        rules TEXT NOT NULL, signature INTEGER NOT NULL, game INTEGER NOT NULL REFERENCES game (id), move TEXT NOT NULL);
    CREATE INDEX IF NOT EXISTS position_by_signature ON position (rules, signature);
";

/// A game that was replayed.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// Who played white.
    pub white: String,
    /// Who played black.
    pub black: String,
    /// Where.
    pub event: String,
    /// When.
    pub date: String,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub result: String,
    /// Where it began, if not where games begin.
    pub start: String,
    /// Signatures and what was played there.
    pub moves: Vec<(u64, String)>,
}

/// A game that went through a position.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct KeptGame {
    /// Its number.
    pub id: i64,
    /// Who played white.
    pub white: String,
    /// Who played black.
    pub black: String,
    /// Where.
    pub event: String,
    /// When.
    pub date: String,
    /// How it ended.
    pub result: String,
}

/// A move that was played in a position.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PlayedMove {
    /// Its name.
    #[serde(rename = "move")]
    pub name: String,
    /// How often it was played.
    pub games: i64,
    /// How often white won then.
    pub white: i64,
    /// How often black won.
    pub black: i64,
    /// How often neither side won.
    pub draws: i64,
}

/// What is known of a position.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Found {
    /// All games by these rules.
    pub all: i64,
    /// What was played here, the most frequent first.
    pub moves: Vec<PlayedMove>,
    /// Some of the games.
    pub games: Vec<KeptGame>,
}

/// What can go wrong with the file.
#[derive(Debug, thiserror::Error)]
pub enum CollectionError {
    /// The file is damaged, is something else, or cannot be written.
    #[error("the collection of games: {0}")]
    File(#[from] rusqlite::Error),
}

/// All games that were read.
pub struct Collection(Mutex<Connection>);

impl Collection {
    /// The collection in a file, which is made if it is not there.
    ///
    /// # Errors
    /// When it cannot be used.
    pub fn open(file: &Path) -> Result<Collection, CollectionError> {
        Collection::prepare(Connection::open(file)?)
    }

    /// A collection that is forgotten at the end.
    ///
    /// # Errors
    /// When there is no memory.
    pub fn in_memory() -> Result<Collection, CollectionError> {
        Collection::prepare(Connection::open_in_memory()?)
    }

    fn prepare(connection: Connection) -> Result<Collection, CollectionError> {
        connection.busy_timeout(PATIENCE)?;
        connection.execute_batch(SCHEMA)?;
        // A lost power line costs the last games that were read; they can be read again.
        connection.execute_batch("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;")?;
        Ok(Collection(Mutex::new(connection)))
    }

    fn connection(&self) -> MutexGuard<'_, Connection> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds games by these rules; returns how many were new.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn add(&self, rules: &str, games: &[Known]) -> Result<usize, CollectionError> {
        let mut connection = self.connection();
        let transaction = connection.transaction()?;
        let mut added = 0;
        for game in games {
            let names: Vec<&str> = game.moves.iter().map(|(_, name)| name.as_str()).collect();
            let new = transaction
                .prepare_cached(
                    "INSERT OR IGNORE INTO game (rules, white, black, event, date, result, start, moves) \
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
                )?
                .execute(params![
                    rules,
                    game.white,
                    game.black,
                    game.event,
                    game.date,
                    game.result,
                    game.start,
                    names.join("\n")
                ])?;
            if new == 0 {
                continue;
            }
            added += 1;
            let id = transaction.last_insert_rowid();
            let mut insert = transaction.prepare_cached(
                "INSERT INTO position (rules, signature, game, move) VALUES (?1, ?2, ?3, ?4)",
            )?;
            for (signature, name) in &game.moves {
                insert.execute(params![rules, signature.cast_signed(), id, name])?;
            }
        }
        transaction.commit()?;
        Ok(added)
    }

    /// What was played in a position, and some of the games.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn look_up(&self, rules: &str, signature: u64) -> Result<Found, CollectionError> {
        let connection = self.connection();
        let mut statement = connection.prepare_cached(
            "SELECT position.move, COUNT(*), SUM(result = '1-0'), SUM(result = '0-1'), SUM(result = '1/2-1/2') \
             FROM position JOIN game ON game.id = position.game \
             WHERE position.rules = ?1 AND position.signature = ?2 GROUP BY position.move ORDER BY 2 DESC, 1",
        )?;
        let signature = signature.cast_signed();
        let moves = statement.query_map(params![rules, signature], |row| {
            let (games, white, black, draws) = (row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?);
            Ok(PlayedMove { name: row.get(0)?, games, white, black, draws })
        })?;
        let moves = moves.collect::<rusqlite::Result<_>>()?;
        let mut statement = connection.prepare_cached(
            "SELECT DISTINCT game.id, white, black, event, date, result FROM position JOIN game \
             ON game.id = position.game WHERE position.rules = ?1 AND position.signature = ?2 ORDER BY game.id LIMIT ?3",
        )?;
        let games = statement.query_map(params![rules, signature, LISTED_MAX], |row| {
            let (id, white, black) = (row.get(0)?, row.get(1)?, row.get(2)?);
            Ok(KeptGame { id, white, black, event: row.get(3)?, date: row.get(4)?, result: row.get(5)? })
        })?;
        let games = games.collect::<rusqlite::Result<_>>()?;
        let all = "SELECT COUNT(*) FROM game WHERE rules = ?1";
        let all = connection.query_row(all, params![rules], |row| row.get(0))?;
        Ok(Found { all, moves, games })
    }

    /// A game by its number; `None` if these rules have no such game.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn game(&self, rules: &str, id: i64) -> Result<Option<Pgn>, CollectionError> {
        let connection = self.connection();
        let mut statement = connection.prepare_cached(
            "SELECT white, black, event, date, result, start, moves FROM game WHERE rules = ?1 AND id = ?2",
        )?;
        let mut rows = statement.query(params![rules, id])?;
        rows.next()?.map(pgn).transpose().map_err(CollectionError::from)
    }

    /// Hands over all games by these rules, one by one, as long as they are wanted.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn each(&self, rules: &str, wanted: &mut dyn FnMut(Pgn) -> bool) -> Result<(), CollectionError> {
        let connection = self.connection();
        let mut statement = connection.prepare_cached(
            "SELECT white, black, event, date, result, start, moves FROM game WHERE rules = ?1 ORDER BY id",
        )?;
        let mut rows = statement.query(params![rules])?;
        while let Some(row) = rows.next()? {
            if !wanted(pgn(row)?) {
                break;
            }
        }
        Ok(())
    }
}

fn pgn(row: &rusqlite::Row<'_>) -> rusqlite::Result<Pgn> {
    let names = ["White", "Black", "Event", "Date", "Result", "FEN"];
    let mut tags = Vec::new();
    for (index, name) in names.into_iter().enumerate() {
        let value: String = row.get(index)?;
        if !value.is_empty() {
            tags.push((name.to_owned(), value));
        }
    }
    let moves: String = row.get(6)?;
    Ok(Pgn { tags, moves: moves.lines().map(str::to_owned).collect(), result: row.get(4)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(result: &str, moves: &[(u64, &str)]) -> Known {
        Known {
            white: "A".into(),
            result: result.into(),
            moves: moves.iter().map(|(signature, name)| (*signature, (*name).to_owned())).collect(),
            ..Known::default()
        }
    }

    #[test]
    fn games_are_found_by_position_and_kept_once() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("games.sqlite");
        let games =
            [game("1-0", &[(u64::MAX, "e4"), (2, "e5")]), game("0-1", &[(u64::MAX, "e4"), (2, "c5")])];
        let collection = Collection::open(&file).unwrap();
        // Two programs at once.
        let other = Collection::open(&file).unwrap();
        assert_eq!((collection.add("chess", &games).unwrap(), other.add("chess", &games).unwrap()), (2, 0));
        drop(collection);
        let found = other.look_up("chess", u64::MAX).unwrap();
        let e4 = PlayedMove { name: "e4".into(), games: 2, white: 1, black: 1, draws: 0 };
        assert_eq!((found.all, found.moves), (2, vec![e4]));
        assert_eq!(other.look_up("chess", 2).unwrap().moves.len(), 2);
        assert_eq!(other.look_up("othello", 2).unwrap().moves, []);
        let second = other.game("chess", found.games[1].id).unwrap().unwrap();
        assert_eq!((second.moves, second.result.as_str()), (vec!["e4".to_owned(), "c5".to_owned()], "0-1"));
        assert!(other.game("othello", found.games[1].id).unwrap().is_none());
        let mut all = 0;
        other
            .each("chess", &mut |_| {
                all += 1;
                all < 1
            })
            .unwrap();
        assert_eq!(all, 1, "a reader who has enough gets no more");
    }

    #[test]
    fn a_broken_file_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("games.sqlite");
        std::fs::write(&file, "this is no database").unwrap();
        assert!(Collection::open(&file).is_err());
    }
}
