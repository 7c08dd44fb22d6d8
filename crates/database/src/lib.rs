//! `database` makes pattern databases of puzzles whose moves carry pieces ([`game::Motion`]) and looks things up in
//! them. It knows neither rules nor searches.
//!
//! A *pattern* is some of the pieces; all others are taken for one another. What a state needs at least is what the
//! places of these pieces need, and that is small enough to be known for all of them. See [`pattern`] for how
//! patterns are chosen, [`mod@build`] for how their tables are made, [`bounds`] for how they are used, [`mod@file`]
//! for how they are kept.

pub mod bounds;
pub mod build;
pub mod cosets;
mod entries;
pub mod file;
pub mod index;
pub mod parts;
pub mod passes;
pub mod pattern;
pub mod rows;
pub mod sweep;
pub mod verify;

pub use bounds::Patterns;
pub use build::{Making, build};
pub use file::{FileError, Folder};
pub use index::Index;
pub use parts::Parts;
pub use pattern::{Pattern, Plan};
pub use verify::{Flaw, verify};

use std::sync::Arc;

/// Tables of fewer bytes gain nothing from large pages.
#[cfg(target_os = "linux")]
const LARGE_PAGE: usize = 4 << 20;

/// Bytes that are copied at once.
#[cfg(target_os = "linux")]
const CHUNK: usize = 64 << 20;

/// Where the bytes of a table are.
#[derive(Clone, Debug)]
pub enum Bytes {
    /// In memory.
    Memory(Arc<Vec<u8>>),
    /// In a file, behind its header.
    Mapped(Arc<memmap2::Mmap>, usize),
}

impl Bytes {
    /// The bytes.
    #[must_use]
    #[inline]
    pub fn get(&self) -> &[u8] {
        match self {
            Bytes::Memory(bytes) => bytes,
            Bytes::Mapped(map, first) => &map[*first..],
        }
    }

    /// The same bytes in large pages, where the machine has them: a search asks for one here and one there, and
    /// finding their pages takes as long as reading them. Small tables, and those for which there is no room, stay
    /// where they are.
    #[cfg(target_os = "linux")]
    #[must_use]
    pub fn in_large_pages(self) -> Bytes {
        let bytes = self.get();
        let Ok(mut copy) = memmap2::MmapOptions::new().len(bytes.len().max(1)).map_anon() else {
            return self;
        };
        if bytes.len() < LARGE_PAGE || copy.advise(memmap2::Advice::HugePage).is_err() {
            return self;
        }
        for (number, chunk) in bytes.chunks(CHUNK).enumerate() {
            let first = number * CHUNK;
            copy[first..first + chunk.len()].copy_from_slice(chunk);
            self.give_back(first, chunk.len());
        }
        match copy.make_read_only() {
            Ok(copy) => Bytes::Mapped(Arc::new(copy), 0),
            Err(_) => self,
        }
    }

    /// Says that some bytes of a file need not be in memory any more: there is a copy of them.
    #[cfg(target_os = "linux")]
    fn give_back(&self, first: usize, length: usize) {
        if let Bytes::Mapped(map, header) = self {
            let advice = memmap2::UncheckedAdvice::DontNeed;
            // SAFETY: the map is of a file and for reading only: a thread that reads these bytes again gets them from
            // the file.
            let _ = unsafe { map.unchecked_advise_range(advice, header + first, length) };
        }
    }

    /// The same bytes: this system cannot be asked for large pages.
    #[cfg(not(target_os = "linux"))]
    #[must_use]
    pub fn in_large_pages(self) -> Bytes {
        self
    }

    /// Asks the machine to have a byte at hand soon.
    #[inline]
    pub fn fetch(&self, index: usize) {
        fetch(self.get(), index);
    }
}

/// Asks the machine to have something at hand soon.
#[inline]
fn fetch<T>(all: &[T], index: usize) {
    #[cfg(target_arch = "x86_64")]
    if let Some(one) = all.get(index) {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a hint about something that is there; it changes nothing.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(one).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (all, index);
}

/// What a pattern needs, four bits for each way in which its pieces can lie.
#[derive(Clone, Debug)]
pub struct PatternTable {
    /// Whose places.
    pub pattern: Pattern,
    /// What one of the four bits is worth, in moves.
    pub step: u32,
    /// Two entries a byte, the lower half first.
    pub bytes: Bytes,
}

impl PatternTable {
    /// The number in an entry.
    #[must_use]
    #[inline]
    pub fn entry(&self, index: usize) -> u8 {
        self.bytes.get()[index / 2] >> (index % 2 * 4) & 15
    }
}
