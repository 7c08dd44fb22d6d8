//! Making a table where patterns add up: breadth-first over [`Rows`], one bit a state. Every row gathers what the last
//! level reached in the rows from which moves lead to it. The thread that works on the rows of a set of places is alone
//! with them, so threads share nothing but what they read.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use game::motion::Motion;

use crate::Pattern;
use crate::build::{Reached, UNREACHED};
use crate::rows::Rows;

/// Orders that a thread takes at once, about.
const CHUNK: usize = 1 << 16;

/// A search that is under way.
#[derive(Debug)]
pub struct Sweep {
    /// What there is to search.
    pub rows: Rows,
    /// Reached at all; in the last level; in the next one.
    done: Vec<u64>,
    now: Vec<u64>,
    next: Vec<u64>,
    /// By row: whether anything in it was reached in the last level, and in the next one.
    is_new: Vec<bool>,
    is_next: Vec<bool>,
    /// By set of places and order: the level in which it was reached.
    pub level_of: Vec<u8>,
    pub(crate) reached: Reached,
}

/// The rows of some sets of places, for one thread alone.
struct Share<'run> {
    sets: std::ops::Range<usize>,
    done: &'run mut [u64],
    next: &'run mut [u64],
    is_next: &'run mut [bool],
    level_of: &'run mut [u8],
}

impl<'run> Share<'run> {
    /// Splits off the first sets.
    fn take(&mut self, rows: &Rows, count: usize) -> Share<'run> {
        let first = self.sets.start;
        let end = self.sets.end.min(first + count);
        let own = (rows.first[end] - rows.first[first]) as usize;
        self.sets.start = end;
        Share {
            sets: first..end,
            done: split(&mut self.done, own * rows.words()),
            next: split(&mut self.next, own * rows.words()),
            is_next: split(&mut self.is_next, own),
            level_of: split(&mut self.level_of, (end - first) * rows.orders),
        }
    }
}

fn split<'run, T>(slice: &mut &'run mut [T], count: usize) -> &'run mut [T] {
    let (own, rest) = std::mem::take(slice).split_at_mut(count);
    *slice = rest;
    own
}

impl Sweep {
    /// A search that begins at the solved state; `None` if there are too many states.
    #[must_use]
    pub fn new(motion: &Motion, pattern: &Pattern) -> Option<Sweep> {
        let rows = Rows::new(motion, pattern)?;
        let (words, count) = (rows.count() * rows.words(), rows.count());
        let mut sweep = Sweep {
            done: vec![0; words],
            now: vec![0; words],
            next: vec![0; words],
            is_new: vec![false; count],
            is_next: vec![false; count],
            level_of: vec![UNREACHED; rows.sets() * rows.orders],
            reached: Reached::default(),
            rows,
        };
        sweep.begin();
        Some(sweep)
    }

    /// Knows nothing but the solved state.
    pub(crate) fn begin(&mut self) {
        self.done.fill(0);
        self.now.fill(0);
        self.level_of.fill(UNREACHED);
        let (row, order) = self.rows.start;
        let set = self.rows.first.partition_point(|&first| first as usize <= row) - 1;
        let word = row * self.rows.words() + order / 64;
        self.done[word] = 1 << (order % 64);
        self.now[word] = 1 << (order % 64);
        self.level_of[set * self.rows.orders + order] = 0;
        self.reached = Reached::default();
        self.look_for_new();
    }

    /// Finds out in which rows something is new.
    fn look_for_new(&mut self) {
        let words = self.rows.words();
        let found = |rows: &[u64]| rows.chunks(words).map(|row| row.iter().any(|&word| word != 0)).collect();
        (self.is_new, self.is_next) = (found(&self.now), found(&self.next));
    }

    /// One level on, on so many threads. False if it was told to stop; then it can be called again and goes on.
    pub(crate) fn advance(&mut self, threads: usize, stop: &(dyn Fn() -> bool + Sync)) -> bool {
        let (rows, now, is_new) = (&self.rows, &self.now[..], &self.is_new[..]);
        let count = (CHUNK / rows.orders).max(1);
        let mut rest = Share {
            sets: 0..rows.sets(),
            done: &mut self.done,
            next: &mut self.next,
            is_next: &mut self.is_next,
            level_of: &mut self.level_of,
        };
        rest.take(rows, self.reached.place);
        let (rest, stopped) = (Mutex::new(rest), AtomicBool::new(false));
        let (found, level) = (AtomicBool::new(self.reached.found), self.reached.level + 1);
        std::thread::scope(|scope| {
            for _ in 0..threads.max(1) {
                scope.spawn(|| {
                    let mut buffer = vec![0; rows.words()];
                    // A thread that takes rows looks at all of them: whatever is before the place is done.
                    while !stopped.load(Ordering::Relaxed) {
                        if stop() {
                            stopped.store(true, Ordering::Relaxed);
                            break;
                        }
                        let share = rest.lock().unwrap_or_else(PoisonError::into_inner).take(rows, count);
                        if share.sets.is_empty() {
                            break;
                        }
                        if work(rows, now, is_new, level, share, &mut buffer) {
                            found.store(true, Ordering::Relaxed);
                        }
                    }
                });
            }
        });
        let place = rest.into_inner().unwrap_or_else(PoisonError::into_inner).sets.start;
        (self.reached.place, self.reached.found) = (place, found.into_inner());
        if place < self.rows.sets() {
            return false;
        }
        std::mem::swap(&mut self.now, &mut self.next);
        std::mem::swap(&mut self.is_new, &mut self.is_next);
        self.reached.end_level();
        true
    }

    /// Gives back all memory but that of the levels.
    pub(crate) fn forget(&mut self) {
        (self.done, self.now, self.next) = (Vec::new(), Vec::new(), Vec::new());
    }

    /// Bytes that are saved.
    pub(crate) fn saved(&self) -> usize {
        8 * (self.done.len() + self.now.len() + self.next.len()) + self.level_of.len()
    }

    /// All that is known, for saving it, in pieces of at most so many bytes.
    pub(crate) fn chunks(&self, most: usize) -> impl Iterator<Item = Vec<u8>> {
        let words =
            [&self.done, &self.now, &self.next].into_iter().flat_map(move |part| part.chunks(most / 8));
        let words = words.map(|chunk| chunk.iter().flat_map(|word| word.to_le_bytes()).collect());
        words.chain(self.level_of.chunks(most).map(<[u8]>::to_vec))
    }

    /// Takes over what was saved.
    pub(crate) fn fill(&mut self, most: usize, read: &mut dyn FnMut(&mut [u8]) -> Option<()>) -> Option<()> {
        let mut buffer = vec![0; most];
        for part in [&mut self.done, &mut self.now, &mut self.next] {
            for own in part.chunks_mut(most / 8) {
                let bytes = &mut buffer[..8 * own.len()];
                read(bytes)?;
                let words = bytes.as_chunks::<8>().0;
                own.iter_mut().zip(words).for_each(|(word, bytes)| *word = u64::from_le_bytes(*bytes));
            }
        }
        self.level_of.chunks_mut(most).try_for_each(read)?;
        self.look_for_new();
        Some(())
    }
}

/// One level on for the rows of some sets; whether anything was reached.
fn work(rows: &Rows, now: &[u64], is_new: &[bool], level: u8, share: Share<'_>, buffer: &mut [u64]) -> bool {
    let Share { sets, done, next, is_next, level_of } = share;
    let (words, first) = (rows.words(), rows.first[sets.start] as usize);
    let mut led = false;
    for set in sets.clone() {
        let own = (set - sets.start) * rows.orders;
        let levels = &mut level_of[own..own + rows.orders];
        for row in rows.first[set] as usize..rows.first[set + 1] as usize {
            let own = row - first;
            let range = own * words..(own + 1) * words;
            let next = &mut next[range.clone()];
            is_next[own] = gather(rows, now, is_new, row, buffer)
                && settle(&mut done[range], next, levels, level, buffer);
            if is_next[own] {
                led = true;
            } else {
                next.fill(0);
            }
        }
    }
    led
}

/// Everything that the last level leads to in a row; false if that is nothing.
fn gather(rows: &Rows, now: &[u64], is_new: &[bool], row: usize, buffer: &mut [u64]) -> bool {
    let words = rows.words();
    let mut is_first = true;
    for &link in rows.links(row) {
        let from = link.from as usize;
        if !is_new[from] {
            continue;
        }
        if std::mem::take(&mut is_first) {
            buffer.fill(0);
        }
        let source = &now[from * words..(from + 1) * words];
        let Some(shift) = rows.shift(link) else {
            buffer.iter_mut().zip(source).for_each(|(own, word)| *own |= word);
            continue;
        };
        for (&word, images) in source.iter().zip(shift.chunks(64)) {
            let mut open = word;
            while open != 0 {
                let order = images[open.trailing_zeros() as usize] as usize;
                buffer[order / 64] |= 1 << (order % 64);
                open &= open - 1;
            }
        }
    }
    !is_first
}

/// Notes what is new in a row; whether there is anything.
fn settle(done: &mut [u64], next: &mut [u64], levels: &mut [u8], level: u8, buffer: &[u64]) -> bool {
    let mut any = false;
    for ((done, next), (&word, levels)) in
        done.iter_mut().zip(next).zip(buffer.iter().zip(levels.chunks_mut(64)))
    {
        let fresh = word & !*done;
        *next = fresh;
        *done |= fresh;
        any |= fresh != 0;
        let mut open = fresh;
        while open != 0 {
            let own = &mut levels[open.trailing_zeros() as usize];
            *own = level.min(*own);
            open &= open - 1;
        }
    }
    any
}
