//! What `lab tune` has found, kept with the user's data: one line for each game, kind of machine and of table, number
//! of processors and engine. All that searches on several threads or processes follows it.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};
use parallel::habits::{Habit, Habits, Tuning};
use serde_json::{Value, json};

/// The file: `$XDG_DATA_HOME/multigame/tuned.jsonl`, or the same under `$HOME/.local/share`.
pub(crate) fn path() -> Result<PathBuf> {
    let set = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let data = set("XDG_DATA_HOME").or_else(|| Some(set("HOME")?.join(".local/share")));
    let data = data.context("no place for what is found: set XDG_DATA_HOME to a folder")?;
    Ok(data.join("multigame").join("tuned.jsonl"))
}

/// What lines say that do not say for which engine they are.
const ENGINE_OF_OLD: &str = "ybwc";
/// Lines of virtual processors that do not say which tables they are for: those of puzzles have none, and the others
/// were usually found for these.
const TABLES_OF_OLD: &str = "replicated";

fn tables_of_old(place: &str, engine: &str) -> &'static str {
    match engine {
        "tds" | "stealing" => "",
        _ if place == Habit::THREADS => "shared",
        _ => TABLES_OF_OLD,
    }
}

fn read_line(line: &str) -> Option<Habit> {
    let value: Value = serde_json::from_str(line).ok()?;
    let number = |name: &str| value.get(name)?.as_u64().filter(|number| *number <= 1 << 20);
    let text = |name: &str| value.get(name)?.as_str().map(str::to_owned);
    let (place, engine) = (text("place")?, text("engine").unwrap_or_else(|| ENGINE_OF_OLD.to_owned()));
    Some(Habit {
        game: text("game")?,
        tables: text("tables").unwrap_or_else(|| tables_of_old(&place, &engine).to_owned()),
        place,
        processors: number("processors")? as usize,
        engine,
        is_fastest: value.get("fastest").and_then(Value::as_bool).unwrap_or(false),
        tuning: Tuning {
            least_depth: number("least_depth").filter(|depth| (1..=100).contains(depth))? as i32,
            table_depth: number("table_depth").filter(|depth| *depth <= 100)? as u8,
            batch: number("batch").filter(|batch| *batch >= 1)? as usize,
        },
    })
}

/// What was found as an object of JSON: a line of the file.
pub(crate) fn as_json(habit: &Habit) -> Value {
    let Tuning { least_depth, table_depth, batch } = habit.tuning;
    json!({
        "game": habit.game,
        "place": habit.place,
        "tables": habit.tables,
        "processors": habit.processors,
        "engine": habit.engine,
        "fastest": habit.is_fastest,
        "least_depth": least_depth,
        "table_depth": table_depth,
        "batch": batch,
    })
}

/// All that was found.
///
/// # Errors
/// When the file is there and cannot be read, or is none of ours.
pub(crate) fn all() -> Result<Vec<Habit>> {
    let Ok(path) = path() else { return Ok(Vec::new()) };
    if !path.exists() {
        return Ok(Vec::new());
    }
    let name = || format!("`{}`", path.display());
    let text = fs::read_to_string(&path).with_context(name)?;
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let wrong = |number: usize| {
        format!("line {} is not what `lab tune` writes: mend it, or delete the file", number + 1)
    };
    lines.map(|(number, line)| read_line(line).with_context(|| wrong(number)).with_context(name)).collect()
}

fn write(all: &[Habit]) -> Result<()> {
    let path = path()?;
    let name = || format!("cannot write `{}`", path.display());
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).with_context(name)?;
    }
    let text: String = all.iter().map(|habit| as_json(habit).to_string() + "\n").collect();
    // A reader meanwhile sees the old file or the new one.
    let beside = path.with_extension("new");
    fs::write(&beside, text).with_context(name)?;
    fs::rename(&beside, &path).with_context(name)
}

fn where_it_counts(habit: &Habit) -> (&str, &str, &str, usize) {
    (&habit.game, &habit.place, &habit.tables, habit.processors)
}

/// Keeps what was found for a game, a machine and a number of processors, in place of what was found before. Where
/// one of the engines was found to be the fastest, no other is any more.
pub(crate) fn keep(found: &[Habit]) -> Result<()> {
    let mut all = all()?;
    for new in found {
        let is_same_place = |old: &Habit| where_it_counts(old) == where_it_counts(new);
        let is_known = |old: &Habit| is_same_place(old) && old.engine == new.engine;
        let was_fastest = found.len() == 1 && all.iter().any(|old| is_known(old) && old.is_fastest);
        all.retain(|old| !is_known(old));
        if new.is_fastest {
            all.iter_mut().filter(|old| is_same_place(old)).for_each(|old| old.is_fastest = false);
        }
        // A search for values of one engine alone does not say that another is better.
        all.push(Habit { is_fastest: new.is_fastest || was_fastest, ..new.clone() });
    }
    write(&all)
}

/// Forgets what was found for a game; says how much that was.
pub(crate) fn forget(game: &str) -> Result<usize> {
    let all = all()?;
    let kept: Vec<Habit> = all.iter().filter(|habit| habit.game != game).cloned().collect();
    if kept.len() < all.len() {
        write(&kept)?;
    }
    Ok(all.len() - kept.len())
}

/// The same for searches to follow.
///
/// # Errors
/// When what was found cannot be read.
pub(crate) fn habits() -> Result<Habits> {
    Ok(all()?.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_as_they_were_written() {
        let one = Habit {
            game: "chess".to_owned(),
            place: "virtual infiniband full".to_owned(),
            tables: "asked".to_owned(),
            processors: 64,
            engine: "ybwc".to_owned(),
            is_fastest: false,
            tuning: Tuning { least_depth: 3, table_depth: 1, batch: 64 },
        };
        let line = as_json(&one).to_string();
        assert_eq!(read_line(&line), Some(one.clone()));
        assert_eq!(read_line("{}"), None);
        assert_eq!(read_line(&line.replace("\"least_depth\":3", "\"least_depth\":0")), None);
        // Lines of old are for ybwc, and do not say what is fastest, nor for which tables.
        assert_eq!(read_line(&line.replace("engine", "x").replace("fastest", "y")), Some(one.clone()));
        let replicated = Habit { tables: "replicated".to_owned(), ..one };
        assert_eq!(read_line(&line.replace("tables", "x")), Some(replicated));
    }
}
