//! Tables of cosets as files, in the same form as those of patterns, and searches that are under way.
//!
//! A search has a file into which it writes now and then what has changed, and how far it had come before that. Every
//! entry that is written is the truth and stays so, so the file is of use whenever the search is stopped: some entries
//! may be younger than what it says of itself, and are found once more.

use std::fs::{self, File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use game::Motion;
use memmap2::MmapMut;

use super::{CosetPlan, Frame, Growing};
use crate::file::{FileError, Folder, HEADER, Header, Summing, fingerprint, open, sum};
use crate::{Bytes, Pattern};

/// What stands for cosets where a header names a kind of pieces.
pub const COSETS: usize = 254;

/// Words that are written at once.
const CHUNK: usize = 1 << 16;

/// What the file of a search begins with.
const GROWING: &[u8; 8] = b"MGcosets";

/// The words of a table that is being made.
pub(super) struct Words {
    /// Memory of its own, zero as long as nothing has been written to it.
    map: MmapMut,
    count: usize,
    /// The file, and for each chunk a sum over what it has of it.
    file: Option<(File, Vec<u64>)>,
}

impl Words {
    /// So many zeros; `None` if there is no room.
    pub(super) fn new(count: usize) -> Option<Words> {
        let map = MmapMut::map_anon((count * 8).max(1)).ok()?;
        #[cfg(target_os = "linux")]
        let _ = map.advise(memmap2::Advice::HugePage);
        Some(Words { map, count, file: None })
    }

    #[inline]
    pub(super) fn get(&self) -> &[AtomicU64] {
        // SAFETY: there are so many words in the map, which lives as long as `self` and begins at a page; no thread has
        // a reference to them that is not to atomic words.
        unsafe { std::slice::from_raw_parts(self.map.as_ptr().cast::<AtomicU64>(), self.count) }
    }
}

/// The plan as a header names it.
fn named(plan: &CosetPlan) -> Pattern {
    let which = sum(format!("{:?}", plan.parts).as_bytes());
    Pattern { kind: COSETS, pieces: which.to_le_bytes().iter().map(|&byte| usize::from(byte)).collect() }
}

/// Where the table of a plan is, or would be.
#[must_use]
pub fn path(folder: &Folder, name: &str, motion: &Motion, plan: &CosetPlan) -> PathBuf {
    folder.path(name, motion, &named(plan), false)
}

/// Opens the table of a plan; `None` if there is no such file.
///
/// # Errors
/// When there is one that is of no use.
pub fn open_cosets(
    folder: &Folder,
    name: &str,
    motion: &Motion,
    plan: &CosetPlan,
    frame: &Frame,
) -> Result<Option<Bytes>, FileError> {
    let path = path(folder, name, motion, plan);
    if !path.exists() {
        return Ok(None);
    }
    let (header, table) = open(&path)?;
    let fits = header.moves == fingerprint(motion)
        && header.pattern == named(plan)
        && header.entries == frame.entries() as u64;
    if fits { Ok(Some(table.bytes)) } else { Err(FileError::Rules(path)) }
}

/// What the file of a search says of itself.
fn head(frame: &Frame, motion: &Motion, plan: &CosetPlan) -> Vec<u8> {
    let which = sum(format!("{:?}", plan.parts).as_bytes());
    let mut head = GROWING.to_vec();
    head.extend(fingerprint(motion).to_le_bytes());
    head.extend(which.to_le_bytes());
    head.extend((frame.entries() as u64).to_le_bytes());
    head
}

/// Bytes in which the file of a search says how far it has come: the level and the place.
const NOTED: std::ops::Range<usize> = 32..48;

impl<'frame> Growing<'frame> {
    /// A search with a file, where it was if there is one; whether there was.
    ///
    /// # Errors
    /// When there can be no such file.
    pub fn in_file(
        frame: &'frame Frame,
        folder: &Folder,
        name: &str,
        motion: &Motion,
        plan: &CosetPlan,
    ) -> Result<(Growing<'frame>, bool), FileError> {
        let path = path(folder, name, motion, plan).with_extension("part");
        let failed = |error| FileError::Io(path.clone(), error);
        fs::create_dir_all(&folder.0).map_err(failed)?;
        let options = || OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path);
        let mut file = options().map_err(failed)?;
        let head = head(frame, motion, plan);
        let noted = noted(&mut file, length(frame), &head);
        let short = || std::io::Error::from(std::io::ErrorKind::OutOfMemory);
        let mut growing = Growing::new(frame).ok_or_else(|| failed(short()))?;
        let is_read = noted.is_some() && growing.words.read(&mut file).is_ok();
        if !is_read {
            file.set_len(0).and_then(|()| file.set_len(length(frame))).map_err(failed)?;
            growing = Growing::new(frame).ok_or_else(|| failed(short()))?;
            file.seek(SeekFrom::Start(0)).and_then(|_| file.write_all(&head)).map_err(failed)?;
        }
        let zeros = sum(&vec![0; CHUNK * 8]);
        growing.words.file = Some((file, vec![zeros; growing.words.count.div_ceil(CHUNK)]));
        match noted.filter(|_| is_read) {
            Some((level, place)) => growing.resume(level, place),
            None => growing.note().map_err(failed)?,
        }
        Ok((growing, is_read && growing_from(noted)))
    }

    /// Writes what has changed, and then how far the search has come. Nothing happens without a file.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn note(&mut self) -> std::io::Result<()> {
        let Some((mut file, mut sums)) = self.words.file.take() else { return Ok(()) };
        for (number, (chunk, known)) in self.words.get().chunks(CHUNK).zip(&mut sums).enumerate() {
            let bytes = bytes_of(chunk);
            let own = sum(&bytes);
            if std::mem::replace(known, own) != own {
                file.seek(SeekFrom::Start((HEADER + number * CHUNK * 8) as u64))?;
                file.write_all(&bytes)?;
            }
        }
        file.sync_data()?;
        let numbers = [u64::from(self.level), self.place as u64];
        file.seek(SeekFrom::Start(NOTED.start as u64))?;
        file.write_all(&numbers.map(u64::to_le_bytes).concat())?;
        self.words.file = Some((file, sums));
        Ok(())
    }

    fn chunks(&self) -> impl Iterator<Item = Vec<u8>> {
        let mut left = self.frame.entries().div_ceil(2);
        self.words.get().chunks(CHUNK).map(move |words| {
            let mut bytes = bytes_of(words);
            // The last word may have entries that do not exist.
            bytes.truncate(left);
            left -= bytes.len();
            bytes
        })
    }

    /// Keeps what is known as the table.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn keep(
        &mut self,
        folder: &Folder,
        name: &str,
        motion: &Motion,
        plan: &CosetPlan,
    ) -> Result<PathBuf, FileError> {
        let path = path(folder, name, motion, plan);
        let mut summing = Summing::new();
        self.chunks().for_each(|chunk| summing.add(&chunk));
        let header = Header {
            moves: fingerprint(motion),
            pattern: named(plan),
            adds: false,
            step: 1,
            entries: self.frame.entries() as u64,
            sum: summing.end(),
        };
        if self.words.file.is_none() {
            folder.write(&path, std::iter::once(header.write().to_vec()).chain(self.chunks()))?;
            return Ok(path);
        }
        let part = path.with_extension("part");
        let failed = |error| FileError::Io(part.clone(), error);
        self.note().map_err(failed)?;
        if let Some((file, _)) = &mut self.words.file {
            let write = file.seek(SeekFrom::Start(0)).and_then(|_| file.write_all(&header.write()));
            write.map_err(failed)?;
        }
        complete(&part, &path, self.frame)?;
        Ok(path)
    }
}

impl Words {
    /// Takes over what is in a file.
    fn read(&mut self, file: &mut File) -> std::io::Result<()> {
        file.seek(SeekFrom::Start(HEADER as u64))?;
        let mut buffer = vec![0; CHUNK * 8];
        for words in self.get().chunks(CHUNK) {
            let bytes = &mut buffer[..words.len() * 8];
            file.read_exact(bytes)?;
            for (word, own) in words.iter().zip(bytes.as_chunks::<8>().0) {
                word.store(u64::from_le_bytes(*own), Ordering::Relaxed);
            }
        }
        Ok(())
    }
}

fn bytes_of(words: &[AtomicU64]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(words.len() * 8);
    words.iter().for_each(|word| bytes.extend(word.load(Ordering::Relaxed).to_le_bytes()));
    bytes
}

/// Whether what was noted is more than a beginning.
fn growing_from(noted: Option<(u8, usize)>) -> bool {
    noted.is_some_and(|(level, _)| level > 0)
}

/// Bytes of the file of a search.
fn length(frame: &Frame) -> u64 {
    HEADER as u64 + 8 * frame.entries().div_ceil(16) as u64
}

/// How far the search in a file has come; `None` if it is none of these cosets.
fn noted(file: &mut File, length: u64, head: &[u8]) -> Option<(u8, usize)> {
    let mut bytes = [0; HEADER];
    file.read_exact(&mut bytes).ok()?;
    let number = |first: usize| {
        let mut own = [0; 8];
        own.copy_from_slice(&bytes[NOTED][first..first + 8]);
        u64::from_le_bytes(own)
    };
    let fits = file.metadata().ok()?.len() == length && bytes[..head.len()] == *head;
    (fits && number(0) < 14).then_some((number(0) as u8, number(8) as usize))
}

/// Makes the file of a search that is over the table.
fn complete(part: &Path, path: &Path, frame: &Frame) -> Result<(), FileError> {
    let complete = || {
        let file = OpenOptions::new().write(true).open(part)?;
        file.set_len((HEADER + frame.entries().div_ceil(2)) as u64)?;
        file.sync_all()?;
        fs::rename(part, path)
    };
    complete().map_err(|error| FileError::Io(part.to_owned(), error))
}

/// Completes a table that was all but kept when the search was stopped.
pub fn take_up(folder: &Folder, name: &str, motion: &Motion, plan: &CosetPlan, frame: &Frame) {
    let path = path(folder, name, motion, plan);
    let part = path.with_extension("part");
    if Header::of(&part).is_ok_and(|header| header.pattern == named(plan)) {
        // What is wrong with it is found when it is opened.
        let _ = complete(&part, &path, frame);
    }
}
