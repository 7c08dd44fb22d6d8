//! How far learning has come, in a folder. Every file is written beside its place and moved there, and what the state
//! says is written last: after a kill, what had not been said is done again.
//!
//! ```text
//! state.json        generation, phase, games so far, results of the test so far
//! games.part        positions of the games of this generation so far; what is longer than the state says is cut off
//! games-000.mgs     positions of a generation, with scores on one scale
//! trainer.bin       the network in fractions and the moments of its gradient
//! network-000.mgn   the network that a generation has learned
//! ```

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

use crate::contest::rating::Tally;
use crate::networks::store;

/// What is being done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Phase {
    Play,
    Train,
    Test,
}

const PHASES: [(Phase, &str); 3] = [(Phase::Play, "play"), (Phase::Train, "train"), (Phase::Test, "test")];

/// How far it has come.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct State {
    /// What must be the same to go on.
    pub(super) settings: Value,
    pub(super) generation: u32,
    pub(super) phase: Phase,
    /// Games of this generation so far.
    pub(super) games: u64,
    /// Bytes of their positions.
    pub(super) bytes: u64,
    /// Of the test so far.
    pub(super) tally: Tally,
    /// The generation whose network is the best.
    pub(super) best: Option<u32>,
}

/// The folder.
pub(super) struct Folder(pub(super) PathBuf);

impl Folder {
    pub(super) fn state(&self) -> PathBuf {
        self.0.join("state.json")
    }

    pub(super) fn part(&self) -> PathBuf {
        self.0.join("games.part")
    }

    pub(super) fn games(&self, generation: u32) -> PathBuf {
        self.0.join(format!("games-{generation:03}.mgs"))
    }

    pub(super) fn trainer(&self) -> PathBuf {
        self.0.join("trainer.bin")
    }

    pub(super) fn network(&self, generation: u32) -> PathBuf {
        self.0.join(format!("network-{generation:03}.mgn"))
    }

    /// The state of the folder; that of a beginning if there is none.
    pub(super) fn open(&self, settings: Value, restart: bool) -> Result<State> {
        let path = self.state();
        if restart || !path.exists() {
            let tally = Tally::default();
            let state =
                State { settings, generation: 0, phase: Phase::Play, games: 0, bytes: 0, tally, best: None };
            self.save(&state)?;
            return Ok(state);
        }
        let text = crate::files::read_text(&path)?;
        let state = State::read(&text)
            .with_context(|| format!("`{}` is damaged: --restart begins anew", path.display()))?;
        if state.settings != settings {
            bail!(
                "`{}` was begun with {}, and now it should be {settings}: --restart begins anew, --folder takes \
                 another place",
                self.0.display(),
                state.settings
            );
        }
        Ok(state)
    }

    pub(super) fn save(&self, state: &State) -> Result<()> {
        store(&self.state(), format!("{:#}\n", state.as_json()).as_bytes())
    }

    /// Removes files of an earlier beginning.
    pub(super) fn clear(&self) {
        let files = std::fs::read_dir(&self.0).into_iter().flatten().flatten().map(|entry| entry.path());
        let own = |path: &PathBuf| {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let ending = Path::new(&name).extension().unwrap_or_default().to_owned();
            name == "games.part"
                || name == "trainer.bin"
                || (name.starts_with("games-") && ending == "mgs")
                || (name.starts_with("network-") && ending == "mgn")
        };
        for path in files.filter(own) {
            let _ = std::fs::remove_file(path);
        }
    }
}

impl State {
    fn as_json(&self) -> Value {
        let Tally { wins, draws, losses } = self.tally;
        let phase = PHASES.iter().find(|(phase, _)| *phase == self.phase).map_or("play", |(_, name)| *name);
        json!({
            "version": 1,
            "settings": self.settings,
            "generation": self.generation,
            "phase": phase,
            "games": self.games,
            "bytes": self.bytes,
            "test": [wins, draws, losses],
            "best": self.best,
        })
    }

    fn read(text: &str) -> Option<State> {
        let value: Value = serde_json::from_str(text).ok()?;
        let number = |key: &str| value.get(key)?.as_u64();
        let phase = value.get("phase")?.as_str()?;
        let test = |index: usize| value.get("test")?.get(index)?.as_u64();
        if number("version")? != 1 {
            return None;
        }
        Some(State {
            settings: value.get("settings")?.clone(),
            generation: u32::try_from(number("generation")?).ok()?,
            phase: PHASES.iter().find(|(_, name)| *name == phase)?.0,
            games: number("games")?,
            bytes: number("bytes")?,
            tally: Tally { wins: test(0)?, draws: test(1)?, losses: test(2)? },
            best: match value.get("best")? {
                Value::Null => None,
                best => Some(u32::try_from(best.as_u64()?).ok()?),
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_is_read_as_it_was_written() {
        let tally = Tally { wins: 3, draws: 2, losses: 1 };
        for (phase, best) in [(Phase::Play, None), (Phase::Train, Some(0)), (Phase::Test, Some(7))] {
            let settings = json!({ "seed": 5 });
            let state = State { settings, generation: 8, phase, games: 77, bytes: 999, tally, best };
            assert_eq!(State::read(&state.as_json().to_string()), Some(state));
        }
        for text in ["", "{}", "[1]", "{\"version\": 2}"] {
            assert_eq!(State::read(text), None);
        }
    }
}
