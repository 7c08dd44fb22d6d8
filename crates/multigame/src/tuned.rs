//! What `lab tune` has found, kept with the user's data: one line for each game, kind of machine and number of processors.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};
use lab::tuning::Tuning;
use parallel::Method;
use serde_json::{Value, json};

use crate::cluster;

/// What was found for a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Tuned {
    pub(crate) game: String,
    /// `threads`, or `virtual` and the network.
    pub(crate) place: String,
    pub(crate) processors: usize,
    pub(crate) tuning: Tuning,
}

/// The place of threads; all others are clusters.
pub(crate) const THREADS: &str = "threads";

/// The file: `$XDG_DATA_HOME/multigame/tuned.jsonl`, or the same under `$HOME/.local/share`.
pub(crate) fn path() -> Result<PathBuf> {
    let set = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let data = set("XDG_DATA_HOME").or_else(|| Some(set("HOME")?.join(".local/share")));
    let data = data.context("no place for what is found: set XDG_DATA_HOME to a folder")?;
    Ok(data.join("multigame").join("tuned.jsonl"))
}

fn read_line(line: &str) -> Option<Tuned> {
    let value: Value = serde_json::from_str(line).ok()?;
    let number = |name: &str| value.get(name)?.as_u64().filter(|number| *number <= 1 << 20);
    let text = |name: &str| value.get(name)?.as_str().map(str::to_owned);
    Some(Tuned {
        game: text("game")?,
        place: text("place")?,
        processors: number("processors")? as usize,
        tuning: Tuning {
            least_depth: number("least_depth").filter(|depth| (1..=100).contains(depth))? as i32,
            table_depth: number("table_depth").filter(|depth| *depth <= 100)? as u8,
            batch: number("batch").filter(|batch| *batch >= 1)? as usize,
        },
    })
}

fn write_line(tuned: &Tuned) -> String {
    let Tuning { least_depth, table_depth, batch } = tuned.tuning;
    let (game, place, processors) = (&tuned.game, &tuned.place, tuned.processors);
    json!({
        "game": game,
        "place": place,
        "processors": processors,
        "least_depth": least_depth,
        "table_depth": table_depth,
        "batch": batch,
    })
    .to_string()
}

/// All that was found.
///
/// # Errors
/// When the file is there and cannot be read, or is none of ours.
pub(crate) fn all() -> Result<Vec<Tuned>> {
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

fn write(all: &[Tuned]) -> Result<()> {
    let path = path()?;
    let name = || format!("cannot write `{}`", path.display());
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).with_context(name)?;
    }
    let text: String = all.iter().map(|tuned| write_line(tuned) + "\n").collect();
    // Who reads it meanwhile sees the old file or the new one.
    let beside = path.with_extension("new");
    fs::write(&beside, text).with_context(name)?;
    fs::rename(&beside, &path).with_context(name)
}

/// Keeps what was found in place of what was found before.
pub(crate) fn keep(found: Tuned) -> Result<()> {
    let same = |other: &Tuned| {
        (&other.game, &other.place, other.processors) == (&found.game, &found.place, found.processors)
    };
    let mut all: Vec<Tuned> = all()?.into_iter().filter(|other| !same(other)).collect();
    all.push(found);
    write(&all)
}

/// Forgets what was found for a game; says how much that was.
pub(crate) fn forget(game: &str) -> Result<usize> {
    let all = all()?;
    let kept: Vec<Tuned> = all.iter().filter(|tuned| tuned.game != game).cloned().collect();
    if kept.len() < all.len() {
        write(&kept)?;
    }
    Ok(all.len() - kept.len())
}

/// A way to share a search with what was found for a game: on threads for threads, in a cluster for virtual ones; for the
/// number of processors that is nearest.
///
/// # Errors
/// When what was found cannot be read.
pub(crate) fn applied(method: Method, game: &str, threads: usize) -> Result<Method> {
    let is_cluster = cluster::launched();
    if threads <= 1 && !is_cluster {
        return Ok(method);
    }
    let processors = threads * fabric::launch::launch().and_then(|launch| launch.processes).unwrap_or(1);
    let found = all()?;
    Ok(choose(&found, game, is_cluster, processors)
        .map_or(method, |tuned| method.tuned(|policy| tuned.tuning.applied(policy))))
}

/// The last one of those that are nearest.
fn choose<'found>(
    found: &'found [Tuned],
    game: &str,
    is_cluster: bool,
    processors: usize,
) -> Option<&'found Tuned> {
    let fits = |tuned: &&Tuned| tuned.game == game && (tuned.place != THREADS) == is_cluster;
    found.iter().rev().filter(fits).min_by_key(|tuned| tuned.processors.abs_diff(processors))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tuned(place: &str, processors: usize, least_depth: i32) -> Tuned {
        let tuning = Tuning { least_depth, table_depth: 1, batch: 64 };
        Tuned { game: "chess".to_owned(), place: place.to_owned(), processors, tuning }
    }

    #[test]
    fn lines_are_read_as_they_were_written() {
        let one = tuned("virtual infiniband full", 64, 3);
        assert_eq!(read_line(&write_line(&one)), Some(one.clone()));
        assert_eq!(read_line("{}"), None);
        assert_eq!(read_line(&write_line(&one).replace("\"least_depth\":3", "\"least_depth\":0")), None);
    }

    #[test]
    fn the_nearest_number_of_processors_counts() {
        let all = [tuned(THREADS, 2, 2), tuned(THREADS, 16, 3), tuned("virtual ethernet full", 8, 4)];
        let depth = |is_cluster, processors| {
            choose(&all, "chess", is_cluster, processors).map(|tuned| tuned.tuning.least_depth)
        };
        assert_eq!((depth(false, 4), depth(false, 12), depth(true, 2)), (Some(2), Some(3), Some(4)));
        assert_eq!(choose(&all, "othello", false, 2), None);
    }
}
