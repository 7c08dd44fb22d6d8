//! Tables as files. A file says what it is, of which moves and which pattern, and has a sum over all of it: one that
//! was cut short, altered or made by other rules is refused. Files are written beside their place and moved there
//! when they are whole.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use game::Motion;

use crate::build::Reached;
use crate::{Bytes, Making, Pattern, PatternTable};

const MAGIC: &[u8; 8] = b"MGpatter";
/// The form of the files; others are refused.
const VERSION: u32 = 1;
/// The form of searches that are under way.
const PART_VERSION: u32 = 2;
/// Bytes before the table.
pub(crate) const HEADER: usize = 128;
/// Pieces that a header has room for.
const PIECES_MAX: usize = 32;

/// Why a file is of no use.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// It is not there or cannot be read or written.
    #[error("{0}: {1}")]
    Io(PathBuf, io::Error),
    /// It is something else, or of another version.
    #[error("{0} is no pattern database of this version")]
    Form(PathBuf),
    /// It was made for other moves or another pattern.
    #[error("{0} was made by other rules")]
    Rules(PathBuf),
    /// It was cut short or altered.
    #[error("{0} is damaged: it was cut short or altered")]
    Damaged(PathBuf),
}

/// What the header of a file says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Header {
    /// A sum over the moves.
    pub moves: u64,
    /// Whose places.
    pub pattern: Pattern,
    /// Whether it is part of a sum.
    pub adds: bool,
    /// What an entry counts in.
    pub step: u32,
    /// How many entries there are.
    pub entries: u64,
    /// A sum over the entries.
    pub(crate) sum: u64,
}

/// A number for all that moves of a puzzle do and for what solves it: files of other rules have another one.
#[must_use]
pub fn fingerprint(motion: &Motion) -> u64 {
    let text = format!("{:?} {:?} {:?} {:?}", motion.fields, motion.modes, motion.kinds, motion.goal);
    sum(text.as_bytes())
}

const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

/// Four sums at once, of words; then all of them together. Fast enough to be made whenever a file is opened.
pub(crate) struct Summing {
    lanes: [u64; 4],
    length: u64,
    rest: Vec<u8>,
}

impl Summing {
    pub(crate) fn new() -> Summing {
        Summing { lanes: [1, 2, 3, 4], length: 0, rest: Vec::new() }
    }

    /// Adds bytes; all but the last ones in multiples of 32.
    pub(crate) fn add(&mut self, bytes: &[u8]) {
        let (chunks, rest) = bytes.as_chunks::<32>();
        for chunk in chunks {
            for (lane, word) in self.lanes.iter_mut().zip(chunk.as_chunks::<8>().0) {
                *lane = (*lane ^ u64::from_le_bytes(*word)).wrapping_mul(FACTOR).rotate_left(29);
            }
        }
        self.rest.extend(rest);
        self.length += bytes.len() as u64;
    }

    pub(crate) fn end(&self) -> u64 {
        let rest = self.rest.iter().copied().chain(self.length.to_le_bytes());
        let tail = rest.fold(0, |sum: u64, byte| (sum ^ u64::from(byte)).wrapping_mul(FACTOR).rotate_left(7));
        self.lanes.iter().fold(tail, |sum, &lane| (sum ^ lane).wrapping_mul(FACTOR).rotate_left(31))
    }
}

pub(crate) fn sum(bytes: &[u8]) -> u64 {
    let mut summing = Summing::new();
    summing.add(bytes);
    summing.end()
}

impl Header {
    pub(crate) fn write(&self) -> [u8; HEADER] {
        let mut bytes = [0; HEADER];
        bytes[..8].copy_from_slice(MAGIC);
        bytes[8..12].copy_from_slice(&VERSION.to_le_bytes());
        bytes[12] = self.pattern.kind as u8;
        bytes[13] = self.pattern.pieces.len() as u8;
        bytes[14] = u8::from(self.adds);
        bytes[15] = self.step as u8;
        for (byte, &piece) in bytes[16..16 + PIECES_MAX].iter_mut().zip(&self.pattern.pieces) {
            *byte = piece as u8;
        }
        bytes[48..56].copy_from_slice(&self.moves.to_le_bytes());
        bytes[56..64].copy_from_slice(&self.entries.to_le_bytes());
        bytes[64..72].copy_from_slice(&self.sum.to_le_bytes());
        let own = sum(&bytes[..HEADER - 8]);
        bytes[HEADER - 8..].copy_from_slice(&own.to_le_bytes());
        bytes
    }

    fn read(bytes: &[u8], path: &Path) -> Result<Header, FileError> {
        let word = |first: usize| {
            let mut own = [0; 8];
            own.copy_from_slice(&bytes[first..first + 8]);
            u64::from_le_bytes(own)
        };
        if bytes.len() < HEADER || &bytes[..8] != MAGIC || bytes[8..12] != VERSION.to_le_bytes() {
            return Err(FileError::Form(path.to_owned()));
        }
        if word(HEADER - 8) != sum(&bytes[..HEADER - 8]) || usize::from(bytes[13]) > PIECES_MAX {
            return Err(FileError::Damaged(path.to_owned()));
        }
        let pieces = bytes[16..16 + usize::from(bytes[13])].iter().map(|&piece| usize::from(piece)).collect();
        let pattern = Pattern { kind: usize::from(bytes[12]), pieces };
        let (adds, step) = (bytes[14] != 0, u32::from(bytes[15]));
        Ok(Header { moves: word(48), pattern, adds, step, entries: word(56), sum: word(64) })
    }

    /// What the file at a path says that it is.
    ///
    /// # Errors
    /// When it cannot be read or is no such file.
    pub fn of(path: &Path) -> Result<Header, FileError> {
        let mut bytes = [0; HEADER];
        let read = File::open(path).and_then(|mut file| file.read_exact(&mut bytes));
        read.map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => FileError::Damaged(path.to_owned()),
            _ => FileError::Io(path.to_owned(), error),
        })?;
        Header::read(&bytes, path)
    }
}

/// A folder with tables.
#[derive(Clone, Debug)]
pub struct Folder(pub PathBuf);

impl Folder {
    /// Where the table of a pattern is, or would be.
    #[must_use]
    pub fn path(&self, name: &str, motion: &Motion, pattern: &Pattern, adds: bool) -> PathBuf {
        let which: Vec<String> = pattern.pieces.iter().map(|piece| format!("{piece:x}")).collect();
        let which = sum(format!("{} {} {adds}", pattern.kind, which.join(" ")).as_bytes()) as u32;
        let moves = fingerprint(motion) as u32;
        let size = pattern.pieces.len();
        self.0.join(format!("{}-{moves:08x}-{size}-{which:08x}.patterns", safe(name)))
    }

    /// All tables of a puzzle by their paths, whatever rules made them; of all puzzles without a name.
    #[must_use]
    pub fn list(&self, name: Option<&str>) -> Vec<PathBuf> {
        let wanted = |path: &PathBuf| {
            let file = path.file_name().and_then(|file| file.to_str()).unwrap_or_default();
            let own = name.is_none_or(|name| file.starts_with(&format!("{}-", safe(name))));
            own && file.ends_with(".patterns")
        };
        let entries = fs::read_dir(&self.0).into_iter().flatten().flatten();
        let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(wanted).collect();
        paths.sort();
        paths
    }

    /// Opens the table of a pattern; `None` if there is no such file.
    ///
    /// # Errors
    /// When there is one that is of no use.
    pub fn open(
        &self,
        name: &str,
        motion: &Motion,
        pattern: &Pattern,
        adds: bool,
    ) -> Result<Option<PatternTable>, FileError> {
        let path = self.path(name, motion, pattern, adds);
        if !path.exists() {
            return Ok(None);
        }
        let (header, table) = open(&path)?;
        let size = pattern.size(motion) as u64;
        let fits = header.moves == fingerprint(motion)
            && header.pattern == *pattern
            && header.adds == adds
            && header.entries == size;
        if fits { Ok(Some(table)) } else { Err(FileError::Rules(path)) }
    }

    /// Keeps a table.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn keep(
        &self,
        name: &str,
        motion: &Motion,
        table: &PatternTable,
        adds: bool,
    ) -> Result<PathBuf, FileError> {
        let path = self.path(name, motion, &table.pattern, adds);
        let bytes = table.bytes.get();
        let header = Header {
            moves: fingerprint(motion),
            pattern: table.pattern.clone(),
            adds,
            step: table.step,
            entries: table.pattern.size(motion) as u64,
            sum: sum(bytes),
        };
        self.write(&path, [&header.write()[..], bytes])?;
        let _ = fs::remove_file(self.part(name, motion, &table.pattern, adds));
        Ok(path)
    }

    /// Writes a file beside its place and moves it there.
    pub(crate) fn write<P: AsRef<[u8]>>(
        &self,
        path: &Path,
        parts: impl IntoIterator<Item = P>,
    ) -> Result<(), FileError> {
        let beside = path.with_extension(format!("{}.new", std::process::id()));
        let write = || {
            fs::create_dir_all(&self.0)?;
            let mut file = File::create(&beside)?;
            for part in parts {
                file.write_all(part.as_ref())?;
            }
            file.sync_all()?;
            fs::rename(&beside, path)
        };
        write().map_err(|error| {
            let _ = fs::remove_file(&beside);
            FileError::Io(path.to_owned(), error)
        })
    }

    fn part(&self, name: &str, motion: &Motion, pattern: &Pattern, adds: bool) -> PathBuf {
        self.path(name, motion, pattern, adds).with_extension("part")
    }

    /// Saves a search that is under way, so that it can go on later.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn save(&self, name: &str, motion: &Motion, making: &Making<'_>) -> Result<(), FileError> {
        let path = self.part(name, motion, &making.pattern, making.adds);
        let reached = making.reached();
        let mut head = MAGIC.to_vec();
        head.extend(PART_VERSION.to_le_bytes());
        head.extend([reached.level, u8::from(reached.found)]);
        head.extend((reached.place as u64).to_le_bytes());
        let mut summing = Summing::new();
        summing.add(&head);
        let mut chunks = making.chunks(CHUNK);
        let mut head = Some(head);
        let mut is_over = false;
        let parts = std::iter::from_fn(|| {
            if let Some(head) = head.take() {
                return Some(head);
            }
            if let Some(bytes) = chunks.next() {
                summing.add(&bytes);
                return Some(bytes);
            }
            (!std::mem::replace(&mut is_over, true)).then(|| summing.end().to_le_bytes().to_vec())
        });
        self.write(&path, parts)
    }

    /// Takes over a search that was saved; false if there is none that is whole.
    pub fn resume(&self, name: &str, motion: &Motion, making: &mut Making<'_>) -> bool {
        let path = self.part(name, motion, &making.pattern, making.adds);
        if !path.exists() {
            return false;
        }
        let is_whole = read_part(&path, making).is_some();
        if !is_whole {
            making.begin();
        }
        is_whole
    }
}

/// Bytes that are written or read at once.
const CHUNK: usize = 1 << 20;

fn read_part(path: &Path, making: &mut Making<'_>) -> Option<()> {
    let mut file = File::open(path).ok()?;
    let mut head = [0; 22];
    if file.metadata().ok()?.len() != (head.len() + making.saved() + 8) as u64 {
        return None;
    }
    file.read_exact(&mut head).ok()?;
    if &head[..8] != MAGIC || head[8..12] != PART_VERSION.to_le_bytes() {
        return None;
    }
    let mut summing = Summing::new();
    summing.add(&head);
    making.fill(CHUNK, &mut |bytes| {
        file.read_exact(bytes).ok()?;
        summing.add(bytes);
        Some(())
    })?;
    let mut wanted = [0; 8];
    file.read_exact(&mut wanted).ok()?;
    let mut place = [0; 8];
    place.copy_from_slice(&head[14..22]);
    let place = u64::from_le_bytes(place) as usize;
    let reached = Reached { level: head[12], is_over: false, place, found: head[13] != 0 };
    making.take_over(reached)?;
    (summing.end().to_le_bytes() == wanted).then_some(())
}

/// A name that is a file's name.
fn safe(name: &str) -> String {
    let keep =
        |character: char| if character.is_alphanumeric() || character == '_' { character } else { '_' };
    name.chars().take(60).map(keep).collect()
}

/// Opens a table, whatever it is for.
///
/// # Errors
/// When it is of no use.
pub fn open(path: &Path) -> Result<(Header, PatternTable), FileError> {
    let failed = |error: io::Error| FileError::Io(path.to_owned(), error);
    let file = File::open(path).map_err(failed)?;
    // SAFETY: the file is mapped for reading only, and this program replaces such files as a whole and never changes
    // them. Another program that writes into it while it is open could change what is looked up, and no more than that:
    // entries are plain bytes.
    let map = unsafe { memmap2::Mmap::map(&file) }.map_err(failed)?;
    if map.len() < HEADER {
        return Err(FileError::Damaged(path.to_owned()));
    }
    let header = Header::read(&map[..HEADER], path)?;
    let length = header.entries.div_ceil(2) as usize;
    if map.len() - HEADER != length || sum(&map[HEADER..]) != header.sum {
        return Err(FileError::Damaged(path.to_owned()));
    }
    let table = PatternTable {
        pattern: header.pattern.clone(),
        step: header.step,
        bytes: Bytes::Mapped(Arc::new(map), HEADER),
    };
    Ok((header, table))
}
