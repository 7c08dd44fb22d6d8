//! A long search in a file: a line of JSON that says what it is about, then the table of all that was found out. Saved
//! while the search goes on and when it ends without an answer; a command with the same file goes on from there.

use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use game::{Game, fen};
use protocol::Session;
use serde_json::{Value, json};
use table::Bucketed;

use crate::cluster;
use crate::numbers::counted;

/// What the first line begins with.
const KIND: &str = "multigame checkpoint 1";
/// How often a running search is saved, if that takes no more than a part of the time.
const OFTEN: Duration = Duration::from_secs(20);
const SAVING_SHARE: u32 = 20;
/// Tests need not wait so long: seconds, as a number.
const OFTEN_VARIABLE: &str = "MULTIGAME_SAVE_EVERY";
const BUFFER_BYTES: usize = 1 << 20;

/// What a search is about. A file with anything else is refused.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Subject {
    pub(crate) game: String,
    /// What tells these rules from others.
    pub(crate) rules: u64,
    pub(crate) position: String,
    pub(crate) hash_mib: u32,
}

/// Work that was done before this run.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
pub(crate) struct Spent {
    pub(crate) nodes: u64,
    pub(crate) seconds: f64,
}

/// The file of a search.
pub(crate) struct Checkpoint {
    path: PathBuf,
    subject: Subject,
    before: Spent,
}

impl Checkpoint {
    /// Fills the table from the file, if there is one.
    pub(crate) fn open(path: &Path, subject: Subject, table: &Bucketed) -> Result<Checkpoint> {
        let shown = path.display();
        let mut checkpoint = Checkpoint { path: path.to_owned(), subject, before: Spent::default() };
        if cluster::speaks() {
            checkpoint.try_place()?;
        }
        let file = match File::open(path) {
            Ok(file) => file,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(checkpoint),
            Err(error) => return Err(error).with_context(|| format!("cannot read {shown}")),
        };
        let mut input = BufReader::with_capacity(BUFFER_BYTES, file);
        checkpoint.before =
            checkpoint.read_head(&mut input).with_context(|| format!("{shown}: cannot go on from there"))?;
        table.load(&mut input).with_context(|| {
            format!("{shown} is damaged: give another file, or delete it to begin from the start")
        })?;
        Ok(checkpoint)
    }

    /// The file of a session's search, after what it holds is in the table.
    pub(crate) fn of_session<G: Game>(
        session: &Session<'_, G>,
        path: &Path,
        hash_mib: u32,
    ) -> Result<Checkpoint> {
        let subject = Subject {
            game: session.info().name.clone(),
            rules: protocol::book::fingerprint(session.game())?,
            position: fen::write(session.info(), &session.position()),
            hash_mib,
        };
        let checkpoint = Checkpoint::open(path, subject, session.table())?;
        let nodes = checkpoint.before().nodes;
        if nodes > 0 && cluster::speaks() {
            eprintln!("going on from {}: {} so far", path.display(), counted(nodes, "node", "nodes"));
        }
        Ok(checkpoint)
    }

    /// What earlier runs did.
    pub(crate) fn before(&self) -> Spent {
        self.before
    }

    fn read_head(&self, input: &mut dyn BufRead) -> Result<Spent> {
        let mut line = Vec::new();
        std::io::Read::take(&mut *input, 1 << 16).read_until(b'\n', &mut line)?;
        let head: Value = serde_json::from_slice(&line).unwrap_or_default();
        if head["kind"] != KIND {
            bail!("this is no checkpoint; give the name of a file that is not there yet, or of a checkpoint");
        }
        let own = self.head(Spent::default());
        for (key, what) in
            [("game", "game"), ("rules", "rules"), ("position", "position"), ("hash", "size of --hash")]
        {
            if head[key] != own[key] {
                bail!("it is about another {what}: {}, not {}", head[key], own[key]);
            }
        }
        let nodes = head["nodes"].as_u64().unwrap_or_default();
        Ok(Spent { nodes, seconds: head["seconds"].as_f64().unwrap_or_default() })
    }

    fn head(&self, spent: Spent) -> Value {
        let Subject { game, rules, position, hash_mib } = &self.subject;
        json!({
            "kind": KIND,
            "game": game,
            "rules": format!("{rules:016x}"),
            "position": position,
            "hash": hash_mib,
            "nodes": spent.nodes,
            "seconds": spent.seconds,
        })
    }

    /// Does some work, and saves the table meanwhile, from a thread of its own: a search may be in one iteration for
    /// hours.
    pub(crate) fn while_working<R>(
        &self,
        table: &Bucketed,
        nodes: &AtomicU64,
        work: impl FnOnce() -> R,
    ) -> R {
        let (done, end) = std::sync::mpsc::channel::<()>();
        let began = Instant::now();
        let spent = || Spent { nodes: nodes.load(Ordering::Relaxed), seconds: began.elapsed().as_secs_f64() };
        std::thread::scope(|scope| {
            scope.spawn(move || {
                let (often, share) = often();
                let mut pause = often;
                while end.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
                    let saving = Instant::now();
                    // What is searched together with others is in memory that all share.
                    cluster::bring_home();
                    // The search goes on; perhaps there is room the next time.
                    if let Err(error) = self.save(table, spent()) {
                        eprintln!("warning: {}", crate::in_words(&error));
                    }
                    // Large tables take their time.
                    pause = often.max(share * saving.elapsed());
                }
            });
            let result = work();
            drop(done);
            result
        })
    }

    /// Saves the table. What was there before stays until everything is written.
    pub(crate) fn save(&self, table: &Bucketed, spent: Spent) -> Result<()> {
        let spent =
            Spent { nodes: self.before.nodes + spent.nodes, seconds: self.before.seconds + spent.seconds };
        let unfinished = self.unfinished();
        let write = || -> std::io::Result<()> {
            let mut out = BufWriter::with_capacity(BUFFER_BYTES, File::create(&unfinished)?);
            writeln!(out, "{}", self.head(spent))?;
            table.save(&mut out)?;
            out.into_inner()?.sync_all()?;
            std::fs::rename(&unfinished, &self.path)
        };
        let written = write();
        if written.is_err() {
            // Half a file serves no caller, and the room may be needed.
            let _ = std::fs::remove_file(&unfinished);
        }
        written.with_context(|| self.cannot_save())
    }

    /// Where a checkpoint is until it is whole.
    fn unfinished(&self) -> PathBuf {
        let mut name = self.path.clone().into_os_string();
        name.push(".new");
        PathBuf::from(name)
    }

    fn cannot_save(&self) -> String {
        format!("cannot save what is known to {}", self.path.display())
    }

    /// Finds out before the work begins whether a file can be written there.
    fn try_place(&self) -> Result<()> {
        let unfinished = self.unfinished();
        File::create(&unfinished).with_context(|| self.cannot_save())?;
        std::fs::remove_file(&unfinished).with_context(|| self.cannot_save())
    }

    /// Deletes the file: there is nothing left to go on with.
    pub(crate) fn remove(&self) {
        // It may never have been written.
        let _ = std::fs::remove_file(&self.path);
    }
}

/// How long to wait between two saves: at least so long, and so many times as long as saving takes.
fn often() -> (Duration, u32) {
    let told = std::env::var(OFTEN_VARIABLE).ok().and_then(|text| text.parse().ok());
    let told = told.and_then(|seconds: f64| Duration::try_from_secs_f64(seconds).ok());
    told.map_or((OFTEN, SAVING_SHARE), |told| (told, 1))
}
