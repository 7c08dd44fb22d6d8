//! Making the table of cosets: breadth-first from the solved one, four bits an entry. As long as few entries are known what is new is followed;
//! once few are left these look for a neighbour that is known. A pass may be stopped at any time and go on later.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

use super::frame::Frame;

/// What an entry says that has not been reached, or that is this far away or farther.
pub const UNREACHED: u8 = 15;

/// Entries in a word.
const IN_WORD: usize = 16;

/// A word of entries that all say one.
const ONES: u64 = 0x1111_1111_1111_1111;

/// By symmetry, move and value of a part: the value behind the move, under the symmetry, with its weight.
type Behind = Vec<u32>;

/// A search that is under way.
pub struct Growing<'frame> {
    pub(crate) frame: &'frame Frame,
    pub(crate) words: Vec<AtomicU64>,
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

    /// The number within its orbit of the neighbour by a step.
    #[inline]
    fn behind(&self, step: Step, outer: usize, inner: usize) -> usize {
        let outers = self.outer_behind.len() / (self.moves * self.frame.symmetries());
        (self.outer_behind[step.table * outers + outer] + self.inner_behind[step.table * self.inner + inner])
            as usize
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
    (words[index / IN_WORD].load(Ordering::Relaxed) >> (index % IN_WORD * 4) & 15) as u8
}

impl<'frame> Growing<'frame> {
    /// A search that begins at the solved state.
    #[must_use]
    pub fn new(frame: &'frame Frame) -> Growing<'frame> {
        let count = frame.entries().div_ceil(IN_WORD);
        let words = std::iter::repeat_with(|| AtomicU64::new(u64::MAX)).take(count).collect();
        let (rows, counts) = (Rows::new(frame), Vec::new());
        let mut growing =
            Growing { frame, words, level: 0, counts, is_over: false, place: 0, found: 0, rows };
        growing.begin();
        growing
    }

    /// Knows nothing but the solved state.
    pub(crate) fn begin(&mut self) {
        self.words.iter_mut().for_each(|word| *word.get_mut() = u64::MAX);
        (self.level, self.place, self.found, self.counts) = (0, 0, 0, vec![1]);
        self.set(self.frame.goal(), 0);
    }

    /// Goes on with a pass where it was.
    pub(crate) fn resume(&mut self, level: u8, place: usize) {
        let mut counts = vec![0; 16];
        for index in 0..self.frame.entries() {
            counts[usize::from(entry(&self.words, index))] += 1;
        }
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
        let mut bytes = Vec::with_capacity(self.words.len() * 8);
        bytes.extend(self.words.iter().flat_map(|word| word.load(Ordering::Relaxed).to_le_bytes()));
        bytes.truncate(self.frame.entries().div_ceil(2));
        bytes
    }

    /// Sets an entry that has not been reached; whether it had not.
    fn set(&self, index: usize, level: u8) -> bool {
        let shift = index % IN_WORD * 4;
        let word = &self.words[index / IN_WORD];
        if word.load(Ordering::Relaxed) >> shift & 15 != u64::from(UNREACHED) {
            return false;
        }
        let before = word.fetch_and(!(u64::from(UNREACHED ^ level) << shift), Ordering::Relaxed);
        before >> shift & 15 == u64::from(UNREACHED)
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
                    let mut steps = Vec::new();
                    let mut own = 0;
                    // Whoever takes an orbit looks at it: all before the place are done.
                    while !stopped.load(Ordering::Relaxed) {
                        let class = place.fetch_add(1, Ordering::Relaxed);
                        if class >= shared.frame.firsts.len() {
                            break;
                        }
                        if class.is_multiple_of(64) && stop() {
                            stopped.store(true, Ordering::Relaxed);
                        }
                        shared.rows.steps(class, &mut steps);
                        own += shared.pass(class, &steps, backwards);
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
    fn pass(&self, class: usize, steps: &[Step], backwards: bool) -> u64 {
        let (first, end) = (class * self.frame.row, (class + 1) * self.frame.row);
        let wanted = if backwards { UNREACHED } else { self.level };
        let mut found = 0;
        let mut index = first;
        while index < end {
            let word = self.words[index / IN_WORD].load(Ordering::Relaxed);
            let last = end.min((index / IN_WORD + 1) * IN_WORD);
            let differs = word ^ (ONES * u64::from(wanted));
            // Some entry is the wanted one only if this is not 0.
            if differs.wrapping_sub(ONES) & !differs & (ONES << 3) == 0 {
                index = last;
                continue;
            }
            for index in index..last {
                if word >> (index % IN_WORD * 4) & 15 == u64::from(wanted) {
                    let number = index - first;
                    let (outer, inner) = (number / self.rows.inner, number % self.rows.inner);
                    found += match backwards {
                        true => self.look_back(index, steps, outer, inner),
                        false => self.follow(steps, outer, inner),
                    };
                }
            }
            index = last;
        }
        found
    }

    fn follow(&self, steps: &[Step], outer: usize, inner: usize) -> u64 {
        let mut found = 0;
        for &step in steps {
            let number = self.rows.behind(step, outer, inner);
            let first = step.class * self.frame.row;
            if self.set(first + number, self.level + 1) {
                found += 1;
                let alike = self.rows.alike(step.class, number);
                found += alike.filter(|number| self.set(first + number, self.level + 1)).count() as u64;
            }
        }
        found
    }

    fn look_back(&self, index: usize, steps: &[Step], outer: usize, inner: usize) -> u64 {
        let is_near = |step: &Step| {
            let there = step.class * self.frame.row + self.rows.behind(*step, outer, inner);
            entry(&self.words, there) == self.level
        };
        u64::from(steps.iter().any(is_near) && self.set(index, self.level + 1))
    }
}

/// Looks at every entry and every move of a table: 0 for the solved state and nowhere else, a neighbour that is nearer everywhere else, and none
/// that differs by more than one. The greatest distance, and how many moves were looked at; or the entry that is wrong.
///
/// # Errors
/// The first entry that is wrong.
pub fn verify(frame: &Frame, bytes: &[u8], threads: usize) -> Result<(u8, u64), usize> {
    let rows = Rows::new(frame);
    let at = |index: usize| bytes[index / 2] >> (index % 2 * 4) & 15;
    let (place, wrong) = (AtomicUsize::new(0), AtomicUsize::new(usize::MAX));
    let (greatest, edges) = (AtomicUsize::new(0), AtomicU64::new(0));
    let check = |class: usize, steps: &[Step]| {
        let mut most = 0;
        for number in 0..frame.row {
            let (index, mut has_nearer, mut jumps) = (class * frame.row + number, false, false);
            let own = at(index);
            most = most.max(own);
            for &step in steps {
                let behind = rows.behind(step, number / rows.inner, number % rows.inner);
                let other = at(step.class * frame.row + behind);
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
