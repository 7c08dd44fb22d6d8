//! Results of single runs, one in a line of a file, written as soon as they are known: whatever happens then, they
//! are not lost.

use std::collections::{BTreeMap, HashMap};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use parallel::Measures;
use serde::{Deserialize, Serialize};

use crate::speedup::Run;

/// The result of one run. Times are in nanoseconds.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Record {
    /// All that the figures depend on, but for the program.
    pub key: String,
    /// The version of the program.
    pub version: String,
    /// Time, virtual or real.
    pub ns: u64,
    /// Nodes.
    pub nodes: u64,
    /// What came out.
    pub score: String,
    /// Time in searches, of all processors.
    pub search_ns: u64,
    /// The part of it that nodes cost; 0 where that is not known.
    #[serde(default)]
    pub nodes_ns: u64,
    /// The part of it that went into tables of others.
    #[serde(default)]
    pub table_ns: u64,
    /// Time waiting for others that work for a node of the processor.
    pub slaves_ns: u64,
    /// Time without work in which none could have any.
    pub sync_ns: u64,
    /// Other time without work.
    pub idle_ns: u64,
    /// Moves that were searched for others.
    pub jobs: u64,
    /// Messages by kind, and their bytes.
    pub messages: BTreeMap<String, (u64, u64)>,
}

impl Record {
    /// The record of a run.
    #[must_use]
    pub fn new(key: String, version: &str, run: &Run) -> Record {
        let ns = |time: Duration| time.as_nanos() as u64;
        let measures = &run.measures;
        let messages = Measures::MESSAGES.iter().zip(&measures.messages);
        let sent = messages.filter(|(_, (count, _))| *count > 0);
        Record {
            key,
            version: version.to_owned(),
            ns: (run.seconds * 1e9).round() as u64,
            nodes: run.nodes,
            score: run.score.clone(),
            search_ns: ns(measures.search),
            nodes_ns: ns(measures.expansion),
            table_ns: ns(measures.table),
            slaves_ns: ns(measures.wait_for_slaves),
            sync_ns: ns(measures.synchronise),
            idle_ns: ns(measures.look_for_work),
            jobs: measures.jobs,
            messages: sent.map(|(name, counts)| ((*name).to_owned(), *counts)).collect(),
        }
    }

    /// The run that it is the record of.
    #[must_use]
    pub fn run(&self) -> Run {
        let mut measures = Measures {
            nodes: self.nodes,
            search: Duration::from_nanos(self.search_ns),
            expansion: Duration::from_nanos(self.nodes_ns),
            table: Duration::from_nanos(self.table_ns),
            wait_for_slaves: Duration::from_nanos(self.slaves_ns),
            synchronise: Duration::from_nanos(self.sync_ns),
            look_for_work: Duration::from_nanos(self.idle_ns),
            jobs: self.jobs,
            ..Measures::default()
        };
        for (name, counts) in Measures::MESSAGES.iter().zip(&mut measures.messages) {
            *counts = self.messages.get(*name).copied().unwrap_or_default();
        }
        Run { seconds: self.ns as f64 / 1e9, nodes: self.nodes, measures, score: self.score.clone() }
    }

    /// Whether a run has the same figures.
    #[must_use]
    pub fn agrees_with(&self, other: &Record) -> bool {
        (self.ns, self.nodes, &self.score) == (other.ns, other.nodes, &other.score)
    }
}

/// Why results cannot be read or kept.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The system says no.
    #[error("cannot {action} `{path}`: {error}")]
    System {
        /// What was to be done.
        action: &'static str,
        /// To which file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// A line that we did not write.
    #[error("`{path}`, line {line}: this is no result of an experiment ({reason})")]
    Broken {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// Another process runs the same experiment.
    #[error("`{0}` is in use: the same experiment is running already")]
    InUse(PathBuf),
}

/// The results of an experiment, in memory and in a file.
pub struct Store {
    path: PathBuf,
    /// None for results that are not kept.
    file: Option<File>,
    /// The length of the file up to the last whole line.
    length: u64,
    version: String,
    records: HashMap<String, Record>,
}

impl Store {
    /// Results that are forgotten when the program ends.
    #[must_use]
    pub fn in_memory(version: &str) -> Store {
        let (path, records) = (PathBuf::new(), HashMap::new());
        Store { path, file: None, length: 0, version: version.to_owned(), records }
    }

    /// Opens the results of this version of the program; those of others stay in the file. A last line that is not
    /// whole, as a full disk or a power cut leaves it, is removed.
    ///
    /// # Errors
    /// When the file cannot be read, or is something else.
    pub fn open(path: &Path, version: &str) -> Result<Store, StoreError> {
        let failed = |action| move |error| StoreError::System { action, path: path.to_owned(), error };
        let mut options = OpenOptions::new();
        let mut file =
            options.read(true).write(true).create(true).truncate(false).open(path).map_err(failed("open"))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(StoreError::InUse(path.to_owned())),
            // A file system without locks.
            Err(TryLockError::Error(_)) => {}
        }
        let mut bytes = Vec::new();
        // What is no file on a disk may have no end.
        if file.metadata().map_err(failed("read"))?.is_file() {
            file.read_to_end(&mut bytes).map_err(failed("read"))?;
        }
        let length = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |last| last + 1);
        let text = String::from_utf8_lossy(&bytes[..length]);
        let records = read(&text).map_err(|(line, reason)| StoreError::Broken {
            path: path.to_owned(),
            line,
            reason,
        })?;
        let own = records.into_iter().filter(|record| record.version == version);
        let records = own.map(|record| (record.key.clone(), record)).collect();
        if bytes.len() > length {
            file.set_len(length as u64).map_err(failed("shorten"))?;
        }
        let (path, version) = (path.to_owned(), version.to_owned());
        Ok(Store { path, file: Some(file), length: length as u64, version, records })
    }

    /// The result of a run, if it is known.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Record> {
        self.records.get(key)
    }

    /// The version of the program.
    #[must_use]
    pub fn version(&self) -> &str {
        &self.version
    }

    /// Keeps a result: when this returns it is in the file.
    ///
    /// # Errors
    /// When it cannot be written; the file is then as it was before.
    pub fn add(&mut self, record: Record) -> Result<(), StoreError> {
        if let Some(file) = &mut self.file {
            let mut line = serde_json::to_string(&record).unwrap_or_default();
            line.push('\n');
            let written = file
                .seek(SeekFrom::Start(self.length))
                .and_then(|_| file.write_all(line.as_bytes()))
                .and_then(|()| file.sync_data());
            if let Err(error) = written {
                // Half a line would be removed when the file is opened again; this is for those who look at it before.
                let _ = file.set_len(self.length);
                return Err(StoreError::System { action: "write", path: self.path.clone(), error });
            }
            self.length += line.len() as u64;
        }
        self.records.insert(record.key.clone(), record);
        Ok(())
    }
}

/// All records of a text, or the line that is none.
pub(crate) fn read(text: &str) -> Result<Vec<Record>, (usize, String)> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    lines
        .map(|(index, line)| serde_json::from_str(line).map_err(|error| (index + 1, error.to_string())))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(key: &str, nodes: u64) -> Record {
        let measures = Measures { jobs: 3, search: Duration::from_nanos(77), ..Measures::default() };
        let run = Run { seconds: 1.000_000_001, nodes, measures, score: "+3".to_owned() };
        Record::new(key.to_owned(), "1", &run)
    }

    #[test]
    fn results_are_found_again_and_half_a_line_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.jsonl");
        {
            let mut store = Store::open(&path, "1").unwrap();
            store.add(record("a", 10)).unwrap();
            store.add(record("b", 20)).unwrap();
            assert!(matches!(Store::open(&path, "1"), Err(StoreError::InUse(_))));
        }
        let whole = std::fs::read(&path).unwrap();
        std::fs::write(&path, [&whole[..], b"{\"key\":\"c\",\"nod"].concat()).unwrap();
        let store = Store::open(&path, "1").unwrap();
        assert_eq!(store.get("b"), Some(&record("b", 20)));
        assert_eq!(store.get("a").unwrap().run().measures.jobs, 3);
        // Lines that do not say what searches did are read, too.
        let line = serde_json::to_string(&record("a", 10)).unwrap();
        let short = line.replace("\"nodes_ns\":0,\"table_ns\":0,", "");
        assert!(short.len() < line.len() && read(&short).unwrap() == [record("a", 10)]);
        assert_eq!(store.get("c"), None);
        assert_eq!(std::fs::read(&path).unwrap(), whole);
        drop(store);
        assert_eq!(Store::open(&path, "2").unwrap().get("a"), None, "another version has other figures");
    }

    #[test]
    fn other_files_are_refused_and_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.jsonl");
        std::fs::write(&path, "dear diary\nhalf a line").unwrap();
        let refused = Store::open(&path, "1").map(|_| ()).unwrap_err().to_string();
        assert!(refused.contains("line 1"), "{refused}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "dear diary\nhalf a line");
    }
}
