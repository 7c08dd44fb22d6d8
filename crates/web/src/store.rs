//! Games that are kept: one file for each, written anew at every move, so that a server that stops loses nothing.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use crate::message::{ClockSetting, Player};

/// Kept games at most; beyond that the oldest go.
const KEPT_MAX: usize = 500;
/// No kept game is longer.
const FILE_BYTES_MAX: u64 = 8 << 20;

/// A game in its file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Kept {
    pub(crate) version: u32,
    /// The game of the library, if it is one.
    pub(crate) name: Option<String>,
    /// The rules otherwise.
    pub(crate) rules: Option<String>,
    /// How people call the game.
    pub(crate) title: String,
    /// Where it began.
    pub(crate) start: String,
    /// The moves, as programs write them.
    pub(crate) moves: Vec<String>,
    pub(crate) players: [Player; 2],
    pub(crate) clock: Option<ClockSetting>,
    /// Milliseconds that were left.
    pub(crate) remaining: Option<[u64; 2]>,
    /// How it ended if not by the rules: the winner and words.
    pub(crate) verdict: Option<(Option<String>, String)>,
    /// Seconds since 1970.
    pub(crate) changed: u64,
}

pub(crate) const VERSION: u32 = 1;

/// The folder of kept games; nothing is kept without one.
#[derive(Clone, Debug)]
pub(crate) struct Store {
    folder: Option<PathBuf>,
}

/// Whether a text can be the name of a kept game: nothing else becomes part of a path.
pub(crate) fn is_name(text: &str) -> bool {
    (8..=40).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
}

pub(crate) fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs())
}

impl Store {
    pub(crate) fn new(folder: Option<PathBuf>) -> Store {
        let folder = folder.filter(|folder| fs::create_dir_all(folder).is_ok());
        let store = Store { folder };
        store.tidy();
        store
    }

    fn path(&self, name: &str) -> Option<PathBuf> {
        if !is_name(name) {
            return None;
        }
        Some(self.folder.as_ref()?.join(format!("{name}.json")))
    }

    pub(crate) fn load(&self, name: &str) -> Option<Kept> {
        let path = self.path(name)?;
        if fs::metadata(&path).ok()?.len() > FILE_BYTES_MAX {
            return None;
        }
        let kept: Kept = serde_json::from_str(&fs::read_to_string(path).ok()?).ok()?;
        (kept.version == VERSION).then_some(kept)
    }

    pub(crate) fn save(&self, name: &str, kept: &Kept) -> io::Result<()> {
        let Some(path) = self.path(name) else { return Ok(()) };
        write_whole(&path, serde_json::to_string(kept)?.as_bytes())
    }

    pub(crate) fn forget(&self, name: &str) {
        if let Some(path) = self.path(name) {
            let _ = fs::remove_file(path);
        }
    }

    /// Names and contents, the latest first.
    pub(crate) fn all(&self) -> Vec<(String, Kept)> {
        let mut all: Vec<(String, Kept)> =
            self.names().into_iter().filter_map(|name| Some((name.clone(), self.load(&name)?))).collect();
        all.sort_by_key(|(_, kept)| std::cmp::Reverse(kept.changed));
        all
    }

    fn names(&self) -> Vec<String> {
        let Some(entries) = self.folder.as_ref().and_then(|folder| fs::read_dir(folder).ok()) else {
            return Vec::new();
        };
        let stem = |entry: io::Result<fs::DirEntry>| {
            let name = entry.ok()?.file_name().into_string().ok()?;
            name.strip_suffix(".json").filter(|stem| is_name(stem)).map(str::to_owned)
        };
        entries.filter_map(stem).collect()
    }

    fn tidy(&self) {
        if self.names().len() > KEPT_MAX {
            self.all().into_iter().skip(KEPT_MAX).for_each(|(name, _)| self.forget(&name));
        }
    }
}

/// Writes a file so that there is always a whole one: beside it first, then in its place.
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let beside = path.with_extension(format!("{}.part", std::process::id()));
    let mut file = fs::File::create(&beside)?;
    file.write_all(bytes)?;
    file.sync_data()?;
    fs::rename(&beside, path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_lead_out_of_the_folder() {
        for bad in
            ["", "../../etc/passwd", "abcdefgh/../x", "ABCDEFGHIJ", "abcdefgh.json", "abc", "abcdefgh\0"]
        {
            assert!(!is_name(bad), "{bad:?}");
        }
        assert!(is_name("0123456789abcdef"));
    }

    #[test]
    fn a_game_comes_back_as_it_was_and_rubbish_does_not() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::new(Some(folder.path().to_owned()));
        let kept = Kept {
            version: VERSION,
            name: Some("chess".into()),
            rules: None,
            title: "Chess".into(),
            start: "8/8".into(),
            moves: vec!["e2e4".into()],
            players: [Player::Person, Player::Computer(Default::default())],
            clock: None,
            remaining: None,
            verdict: None,
            changed: 7,
        };
        store.save("abcdefgh", &kept).unwrap();
        assert_eq!(store.load("abcdefgh"), Some(kept));
        fs::write(folder.path().join("bbbbbbbb.json"), "{").unwrap();
        assert_eq!(store.load("bbbbbbbb"), None);
        assert_eq!(store.all().len(), 1);
    }
}
