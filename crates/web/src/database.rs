//! Games of others, to be looked up by position: what was played there, and how it ended. Kept in SQLite, one file for
//! all games; a text that was read twice is there once.

use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rusqlite::{Connection, params};
use serde_json::{Value, json};

/// Games that are listed for a position.
const LISTED_MAX: i64 = 20;

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
pub(crate) struct Known {
    pub(crate) white: String,
    pub(crate) black: String,
    pub(crate) event: String,
    pub(crate) date: String,
    pub(crate) result: String,
    /// Where it began, if not where games begin.
    pub(crate) start: String,
    /// Signatures and what was played there.
    pub(crate) moves: Vec<(u64, String)>,
}

/// All games that were read.
pub(crate) struct Database(Mutex<Connection>);

impl Database {
    /// The database in a file; in memory without one, or where the file cannot be used.
    pub(crate) fn open(file: Option<&Path>) -> rusqlite::Result<Database> {
        let connection = file.and_then(|file| Connection::open(file).ok());
        let connection = match connection {
            Some(connection) if connection.execute_batch(SCHEMA).is_ok() => connection,
            _ => Connection::open_in_memory()?,
        };
        // A lost power line costs the last games that were read; they can be read again.
        connection.execute_batch("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;")?;
        connection.execute_batch(SCHEMA)?;
        Ok(Database(Mutex::new(connection)))
    }

    fn connection(&self) -> MutexGuard<'_, Connection> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds games by these rules; returns how many were new.
    pub(crate) fn add(&self, rules: &str, games: &[Known]) -> rusqlite::Result<usize> {
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

    /// What was played in a position, the most frequent first, and some of the games.
    pub(crate) fn look_up(&self, rules: &str, signature: u64) -> rusqlite::Result<Value> {
        let connection = self.connection();
        let mut statement = connection.prepare_cached(
            "SELECT position.move, COUNT(*), SUM(result = '1-0'), SUM(result = '0-1'), SUM(result = '1/2-1/2') \
             FROM position JOIN game ON game.id = position.game \
             WHERE position.rules = ?1 AND position.signature = ?2 GROUP BY position.move ORDER BY 2 DESC, 1",
        )?;
        let signature = signature.cast_signed();
        let moves: Vec<Value> = statement
            .query_map(params![rules, signature], |row| {
                let (name, count): (String, i64) = (row.get(0)?, row.get(1)?);
                let ends: (i64, i64, i64) = (row.get(2)?, row.get(3)?, row.get(4)?);
                Ok(json!({ "move": name, "games": count, "white": ends.0, "black": ends.1, "draws": ends.2 }))
            })?
            .collect::<rusqlite::Result<_>>()?;
        let mut statement = connection.prepare_cached(
            "SELECT DISTINCT game.id, white, black, event, date, result FROM position JOIN game ON game.id = position.game \
             WHERE position.rules = ?1 AND position.signature = ?2 ORDER BY game.id LIMIT ?3",
        )?;
        let games: Vec<Value> = statement
            .query_map(params![rules, signature, LISTED_MAX], |row| {
                let text = |index: usize| row.get::<_, String>(index);
                Ok(json!({
                    "id": row.get::<_, i64>(0)?,
                    "white": text(1)?,
                    "black": text(2)?,
                    "event": text(3)?,
                    "date": text(4)?,
                    "result": text(5)?,
                }))
            })?
            .collect::<rusqlite::Result<_>>()?;
        let all: i64 =
            connection
                .query_row("SELECT COUNT(*) FROM game WHERE rules = ?1", params![rules], |row| row.get(0))?;
        Ok(json!({ "all": all, "moves": moves, "games": games }))
    }

    /// A game as text that `open` reads.
    pub(crate) fn record(&self, id: i64) -> rusqlite::Result<String> {
        let connection = self.connection();
        let (start, moves): (String, String) =
            connection.query_row("SELECT start, moves FROM game WHERE id = ?1", params![id], |row| {
                Ok((row.get(0)?, row.get(1)?))
            })?;
        Ok(if start.is_empty() { moves } else { format!("position {start}\n{moves}") })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_found_by_position_and_kept_once() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("games.sqlite");
        let game = |result: &str, moves: &[(u64, &str)]| Known {
            white: "A".into(),
            result: result.into(),
            moves: moves.iter().map(|(signature, name)| (*signature, (*name).to_owned())).collect(),
            ..Known::default()
        };
        let games =
            [game("1-0", &[(u64::MAX, "e4"), (2, "e5")]), game("0-1", &[(u64::MAX, "e4"), (2, "c5")])];
        let database = Database::open(Some(&file)).unwrap();
        assert_eq!((database.add("chess", &games).unwrap(), database.add("chess", &games).unwrap()), (2, 0));
        drop(database);
        let database = Database::open(Some(&file)).unwrap();
        let found = database.look_up("chess", u64::MAX).unwrap();
        let e4 = &found["moves"][0];
        assert_eq!(
            (e4["move"].clone(), e4["games"].clone(), e4["white"].clone()),
            (json!("e4"), json!(2), json!(1))
        );
        assert_eq!(database.look_up("chess", 2).unwrap()["moves"].as_array().unwrap().len(), 2);
        assert_eq!(database.look_up("othello", 2).unwrap()["moves"], json!([]));
        let id = found["games"][1]["id"].as_i64().unwrap();
        assert_eq!(database.record(id).unwrap(), "e4\nc5");
    }

    #[test]
    fn a_broken_file_is_no_reason_to_stop() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("games.sqlite");
        std::fs::write(&file, "this is no database").unwrap();
        let database = Database::open(Some(&file)).unwrap();
        assert_eq!(database.look_up("chess", 1).unwrap()["all"], 0);
    }
}
