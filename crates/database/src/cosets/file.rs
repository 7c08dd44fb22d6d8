//! Tables of cosets as files, in the same form as those of patterns, and searches that are under way.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use game::Motion;

use super::{CosetPlan, Frame, Growing};
use crate::file::{FileError, Folder, Header, Summing, fingerprint, open, sum};
use crate::{Bytes, Pattern};

/// What stands for cosets where a header names a kind of pieces.
pub const COSETS: usize = 255;

/// Words that are written at once.
const CHUNK: usize = 1 << 16;

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

impl Growing<'_> {
    fn chunks(&self) -> impl Iterator<Item = Vec<u8>> {
        let bytes = |words: &[AtomicU64]| {
            words.iter().flat_map(|word| word.load(Ordering::Relaxed).to_le_bytes()).collect()
        };
        self.words.chunks(CHUNK).map(bytes)
    }

    /// Keeps what is known as the table.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn keep(
        &self,
        folder: &Folder,
        name: &str,
        motion: &Motion,
        plan: &CosetPlan,
    ) -> Result<PathBuf, FileError> {
        let path = path(folder, name, motion, plan);
        let length = self.frame.entries().div_ceil(2);
        // The last word may have entries that do not exist.
        let parts = || {
            let mut left = length;
            self.chunks().map(move |mut chunk| {
                chunk.truncate(left);
                left -= chunk.len();
                chunk
            })
        };
        let mut summing = Summing::new();
        parts().for_each(|chunk| summing.add(&chunk));
        let header = Header {
            moves: fingerprint(motion),
            pattern: named(plan),
            adds: false,
            step: 1,
            entries: self.frame.entries() as u64,
            sum: summing.end(),
        };
        folder.write(&path, std::iter::once(header.write().to_vec()).chain(parts()))?;
        let _ = std::fs::remove_file(path.with_extension("part"));
        Ok(path)
    }

    /// Saves a search that is under way.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn save(
        &self,
        folder: &Folder,
        name: &str,
        motion: &Motion,
        plan: &CosetPlan,
    ) -> Result<(), FileError> {
        let path = path(folder, name, motion, plan).with_extension("part");
        let mut head = vec![self.level];
        head.extend((self.place as u64).to_le_bytes());
        let mut summing = Summing::new();
        let mut parts = std::iter::once(head).chain(self.chunks()).enumerate();
        let mut is_over = false;
        let with_sum = std::iter::from_fn(|| match parts.next() {
            Some((number, part)) => {
                if number > 0 {
                    summing.add(&part);
                }
                Some(part)
            }
            None if is_over => None,
            None => {
                is_over = true;
                Some(summing.end().to_le_bytes().to_vec())
            }
        });
        folder.write(&path, with_sum)
    }

    /// Takes over a search that was saved; false if there is none that is whole.
    pub fn take_over(&mut self, folder: &Folder, name: &str, motion: &Motion, plan: &CosetPlan) -> bool {
        let path = path(folder, name, motion, plan).with_extension("part");
        if !path.exists() {
            return false;
        }
        match self.read(&path) {
            Some((level, place)) => self.resume(level, place),
            None => self.begin(),
        }
        self.level > 0
    }

    fn read(&mut self, path: &Path) -> Option<(u8, usize)> {
        let mut file = File::open(path).ok()?;
        if file.metadata().ok()?.len() != 9 + 8 * self.words.len() as u64 + 8 {
            return None;
        }
        let (mut level, mut place) = ([0], [0; 8]);
        file.read_exact(&mut level).ok()?;
        file.read_exact(&mut place).ok()?;
        let mut summing = Summing::new();
        let mut buffer = vec![0; CHUNK * 8];
        for words in self.words.chunks_mut(CHUNK) {
            let bytes = &mut buffer[..words.len() * 8];
            file.read_exact(bytes).ok()?;
            summing.add(bytes);
            for (word, own) in words.iter_mut().zip(bytes.as_chunks::<8>().0) {
                *word.get_mut() = u64::from_le_bytes(*own);
            }
        }
        let mut wanted = [0; 8];
        file.read_exact(&mut wanted).ok()?;
        let place = u64::from_le_bytes(place) as usize;
        let is_whole =
            summing.end().to_le_bytes() == wanted && level[0] < 14 && place < self.frame.firsts.len();
        is_whole.then_some((level[0], place))
    }
}
