//! Making the table of cosets: breadth-first from the solved one, four bits an entry. As long as few entries are
//! known what is new is followed; once few are left these look for a neighbour that is known. A pass may be stopped
//! at any time and go on later.
//!
//! An entry is written as what is missing from 15, so that a table of which nothing is known is all zeros. Whatever
//! is written is the truth and stays so; going over some orbits a second time changes nothing.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

use super::file::Words;
use super::frame::Frame;

/// What an entry says that has not been reached, or that is this far away or farther.
pub const UNREACHED: u8 = 15;

/// Entries that are followed together, move by move: what one move leads to is near by then.
const TOGETHER: usize = 1 << 14;

/// Entries in a word.
const IN_WORD: usize = 16;

/// A word of entries that all say one.
const ONES: u64 = 0x1111_1111_1111_1111;

/// By symmetry, move and value of a part: the value behind the move, under the symmetry, with its weight.
type Behind = Vec<u32>;

/// A search that is under way.
pub struct Growing<'frame> {
    pub(crate) frame: &'frame Frame,
    pub(super) words: Words,
    pub(crate) level: u8,
    /// How many entries were reached at each level.
    pub counts: Vec<u64>,
    is_over: bool,
    /// Orbits that this pass has looked at, and entries that it has reached.
    pub(crate) place: usize,
    found: u64,
    rows: Rows<'frame>,
}

/// The neighbours of the entries of an orbit.
struct Rows<'frame> {
    frame: &'frame Frame,
    /// Values of all parts but the first two.
    inner: usize,
    outer_behind: Behind,
    inner_behind: Behind,
    moves: usize,
}

/// Where the neighbours by one move begin, and in which tables they are found.
#[derive(Clone, Copy)]
struct Step {
    class: usize,
    table: usize,
}

impl<'frame> Rows<'frame> {
    fn new(frame: &'frame Frame) -> Rows<'frame> {
        let (moves, outer) = (frame.moves(), frame.parts[1].size());
        let inner = frame.row / outer;
        let (mut outer_behind, mut inner_behind) = (Vec::new(), Vec::new());
        for symmetry in 0..frame.symmetries() {
            for number in 0..moves {
                let own =
                    |value: usize| frame.image(0, symmetry, frame.parts[1].after(value, number)) * inner;
                outer_behind.extend((0..outer).map(|value| own(value) as u32));
                inner_behind.extend((0..inner).map(|value| {
                    let (mut behind, mut weight, mut left) = (0, 1, value);
                    for (part, own) in frame.parts.iter().enumerate().skip(2).rev() {
                        behind +=
                            frame.image(part - 1, symmetry, own.after(left % own.size(), number)) * weight;
                        left /= own.size();
                        weight *= own.size();
                    }
                    behind as u32
                }));
            }
        }
        Rows { frame, inner, outer_behind, inner_behind, moves }
    }

    /// What moves do to an orbit.
    fn steps(&self, class: usize, steps: &mut Vec<Step>) {
        let value = self.frame.firsts[class] as usize;
        steps.clear();
        steps.extend((0..self.moves).map(|number| {
            let (class, symmetry) = self.frame.class(self.frame.parts[0].after(value, number));
            Step { class, table: symmetry * self.moves + number }
        }));
    }

    /// What a step makes of both halves of a number within an orbit.
    #[inline]
    fn behind(&self, step: Step) -> (&[u32], &[u32]) {
        let outers = self.outer_behind.len() / (self.moves * self.frame.symmetries());
        let part = |size: usize| step.table * size..(step.table + 1) * size;
        (&self.outer_behind[part(outers)], &self.inner_behind[part(self.inner)])
    }

    /// Numbers that stand for the same coset as one of an orbit, that one included.
    fn alike(&self, class: usize, number: usize) -> impl Iterator<Item = usize> {
        let mut values = Vec::new();
        let mut left = number;
        for part in self.frame.parts[1..].iter().rev() {
            values.push(left % part.size());
            left /= part.size();
        }
        values.reverse();
        let image = move |&symmetry: &u8| {
            let image =
                |(part, &value): (usize, &usize)| self.frame.image(part, usize::from(symmetry), value);
            let images = values.iter().enumerate().map(image);
            images.zip(&self.frame.parts[1..]).fold(0, |sum, (image, part)| sum * part.size() + image)
        };
        self.frame.fixing[class].iter().map(image)
    }
}

fn entry(words: &[AtomicU64], index: usize) -> u8 {
    (words[index / IN_WORD].load(Ordering::Relaxed) >> (index % IN_WORD * 4) & 15) as u8 ^ UNREACHED
}

impl<'frame> Growing<'frame> {
    /// A search that begins at the solved state, without a file; `None` if there is no room for it.
    #[must_use]
    pub fn new(frame: &'frame Frame) -> Option<Growing<'frame>> {
        let words = Words::new(frame.entries().div_ceil(IN_WORD))?;
        let (rows, counts) = (Rows::new(frame), vec![1]);
        let growing = Growing { frame, words, level: 0, counts, is_over: false, place: 0, found: 0, rows };
        growing.set(frame.goal(), 0);
        Some(growing)
    }

    /// Goes on with a pass where it was.
    pub(super) fn resume(&mut self, level: u8, place: usize) {
        let mut counts = vec![0; 16];
        for word in self.words.get() {
            let word = word.load(Ordering::Relaxed);
            (0..IN_WORD).for_each(|entry| counts[(word >> (entry * 4) & 15) as usize] += 1);
        }
        counts.reverse();
        self.found = counts[usize::from(level) + 1];
        counts.truncate(usize::from(level) + 1);
        (self.level, self.place, self.counts) = (level, place, counts);
    }

    /// How far the search has come.
    #[must_use]
    pub fn level(&self) -> u8 {
        self.level
    }

    /// Whether all is known.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// The table's bytes.
    #[must_use]
    pub fn bytes(self) -> Vec<u8> {
        let words = self.words.get();
        let mut bytes = Vec::with_capacity(words.len() * 8);
        bytes.extend(words.iter().flat_map(|word| word.load(Ordering::Relaxed).to_le_bytes()));
        bytes.truncate(self.frame.entries().div_ceil(2));
        bytes
    }

    /// How much of this pass is done, in hundredths.
    #[must_use]
    pub fn share(&self) -> usize {
        self.place * 100 / self.frame.firsts.len().max(1)
    }

    /// Sets an entry that has not been reached; whether it had not.
    #[inline]
    fn set(&self, index: usize, level: u8) -> bool {
        let shift = index % IN_WORD * 4;
        let word = &self.words.get()[index / IN_WORD];
        if word.load(Ordering::Relaxed) >> shift & 15 != 0 {
            return false;
        }
        let before = word.fetch_or(u64::from(UNREACHED ^ level) << shift, Ordering::Relaxed);
        before >> shift & 15 == 0
    }

    /// Finds the entries of the next level. False if it was told to stop; then it can be called again and goes on.
    pub fn advance(&mut self, threads: usize, stop: &(dyn Fn() -> bool + Sync)) -> bool {
        let reached = self.counts.iter().sum::<u64>();
        let unreached = (self.frame.entries() as u64).saturating_sub(reached);
        let backwards = unreached < 2 * self.counts.last().copied().unwrap_or(0);
        let (place, stopped, found) =
            (AtomicUsize::new(self.place), AtomicBool::new(false), AtomicU64::new(0));
        let shared = &*self;
        std::thread::scope(|scope| {
            for _ in 0..threads.max(1) {
                scope.spawn(|| {
                    let (mut steps, mut wanted) = (Vec::new(), Vec::new());
                    let mut own = 0;
                    // A thread that takes an orbit looks at it: all before the place are done.
                    while !stopped.load(Ordering::Relaxed) {
                        let class = place.fetch_add(1, Ordering::Relaxed);
                        if class >= shared.frame.firsts.len() {
                            break;
                        }
                        if class.is_multiple_of(64) && stop() {
                            stopped.store(true, Ordering::Relaxed);
                        }
                        shared.rows.steps(class, &mut steps);
                        own += shared.pass(class, &steps, backwards, &mut wanted);
                    }
                    found.fetch_add(own, Ordering::Relaxed);
                });
            }
        });
        self.found += found.load(Ordering::Relaxed);
        self.place = place.load(Ordering::Relaxed).min(self.frame.firsts.len());
        if self.place < self.frame.firsts.len() {
            return false;
        }
        let found = std::mem::take(&mut self.found);
        (self.level, self.place) = (self.level + 1, 0);
        self.counts.push(found);
        self.is_over = found == 0 || unreached <= found || self.level + 1 == UNREACHED;
        true
    }

    /// Looks at the entries of an orbit; how many were reached.
    fn pass(&self, class: usize, steps: &[Step], backwards: bool, list: &mut Vec<(u32, u32)>) -> u64 {
        let (first, end) = (class * self.frame.row, (class + 1) * self.frame.row);
        let wanted = if backwards { 0 } else { u64::from(UNREACHED ^ self.level) };
        let words = self.words.get();
        let (mut found, mut index) = (0, first);
        while index < end {
            let differs = words[index / IN_WORD].load(Ordering::Relaxed) ^ (ONES * wanted);
            let last = end.min((index / IN_WORD + 1) * IN_WORD);
            // Some entry is the wanted one only if this is not 0.
            if differs.wrapping_sub(ONES) & !differs & (ONES << 3) != 0 {
                let is_wanted = |index: &usize| differs >> (index % IN_WORD * 4) & 15 == 0;
                let halves = |index: usize| {
                    let number = index - first;
                    ((number / self.rows.inner) as u32, (number % self.rows.inner) as u32)
                };
                list.extend((index..last).filter(is_wanted).map(halves));
            }
            index = last;
            if list.len() >= TOGETHER || index >= end {
                found += match backwards {
                    true => self.look_back(first, steps, list),
                    false => self.follow(steps, list),
                };
                list.clear();
            }
        }
        found
    }

    fn follow(&self, steps: &[Step], list: &[(u32, u32)]) -> u64 {
        let mut found = 0;
        for &step in steps {
            let (outer_behind, inner_behind) = self.rows.behind(step);
            let first = step.class * self.frame.row;
            let is_alone = self.frame.fixing[step.class].is_empty();
            for &(outer, inner) in list {
                let number = (outer_behind[outer as usize] + inner_behind[inner as usize]) as usize;
                if self.set(first + number, self.level + 1) {
                    found += 1;
                    if !is_alone {
                        let alike = self.rows.alike(step.class, number);
                        found +=
                            alike.filter(|number| self.set(first + number, self.level + 1)).count() as u64;
                    }
                }
            }
        }
        found
    }

    /// Takes those out of the list that have a neighbour of the last level.
    fn look_back(&self, own: usize, steps: &[Step], list: &mut Vec<(u32, u32)>) -> u64 {
        let words = self.words.get();
        let mut found = 0;
        for &step in steps {
            let (outer_behind, inner_behind) = self.rows.behind(step);
            let first = step.class * self.frame.row;
            list.retain(|&(outer, inner)| {
                let number = (outer_behind[outer as usize] + inner_behind[inner as usize]) as usize;
                if entry(words, first + number) != self.level {
                    return true;
                }
                let index = own + outer as usize * self.rows.inner + inner as usize;
                found += u64::from(self.set(index, self.level + 1));
                false
            });
        }
        found
    }
}

/// Looks at every entry and every move of a table: 0 for the solved state and nowhere else, a neighbour that is
/// nearer everywhere else, and none that differs by more than one. The greatest distance, and how many moves were
/// looked at; or the entry that is wrong.
///
/// # Errors
/// The first entry that is wrong.
pub fn verify(frame: &Frame, bytes: &[u8], threads: usize) -> Result<(u8, u64), usize> {
    let rows = Rows::new(frame);
    let at = |index: usize| bytes[index / 2] >> (index % 2 * 4) & 15 ^ UNREACHED;
    let (place, wrong) = (AtomicUsize::new(0), AtomicUsize::new(usize::MAX));
    let (greatest, edges) = (AtomicUsize::new(0), AtomicU64::new(0));
    let check = |class: usize, steps: &[Step]| {
        let mut most = 0;
        for number in 0..frame.row {
            let (index, mut has_nearer, mut jumps) = (class * frame.row + number, false, false);
            let own = at(index);
            most = most.max(own);
            for &step in steps {
                let (outer, inner) = rows.behind(step);
                let behind = outer[number / rows.inner] + inner[number % rows.inner];
                let other = at(step.class * frame.row + behind as usize);
                has_nearer |= other < own;
                jumps |= own.abs_diff(other) > 1;
            }
            let is_goal = index == frame.goal();
            let is_right = !jumps && (own == 0) == is_goal && (is_goal || has_nearer || own == UNREACHED);
            if !is_right {
                wrong.fetch_min(index, Ordering::Relaxed);
                return;
            }
        }
        greatest.fetch_max(usize::from(most), Ordering::Relaxed);
        edges.fetch_add((frame.row * steps.len()) as u64, Ordering::Relaxed);
    };
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            scope.spawn(|| {
                let mut steps = Vec::new();
                loop {
                    let class = place.fetch_add(1, Ordering::Relaxed);
                    if class >= frame.firsts.len() || wrong.load(Ordering::Relaxed) != usize::MAX {
                        break;
                    }
                    rows.steps(class, &mut steps);
                    check(class, &steps);
                }
            });
        }
    });
    match wrong.load(Ordering::Relaxed) {
        usize::MAX => Ok((greatest.load(Ordering::Relaxed) as u8, edges.load(Ordering::Relaxed))),
        index => Err(index),
    }
}
