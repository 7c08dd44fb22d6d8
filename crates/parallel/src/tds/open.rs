//! States that wait to be expanded, by the number of moves made.

use super::record;

/// The stack of a processor.
#[derive(Default)]
pub(super) struct Open {
    levels: Vec<Vec<u8>>,
    record_bytes: usize,
    states: usize,
    /// No state waits at a level below the first, or above the second.
    lowest: usize,
    highest: usize,
}

impl Open {
    /// Empties it, for records of this size.
    pub(super) fn begin(&mut self, record_bytes: usize) {
        self.levels.iter_mut().for_each(Vec::clear);
        (self.record_bytes, self.states, self.lowest, self.highest) = (record_bytes, 0, usize::MAX, 0);
    }

    pub(super) fn len(&self) -> usize {
        self.states
    }

    pub(super) fn is_empty(&self) -> bool {
        self.states == 0
    }

    pub(super) fn push(&mut self, record: &[u8]) {
        let level = usize::from(record::made(record));
        if self.levels.len() <= level {
            self.levels.resize_with(level + 1, Vec::new);
        }
        self.levels[level].extend_from_slice(record);
        self.states += 1;
        self.lowest = self.lowest.min(level);
        self.highest = self.highest.max(level);
    }

    /// Takes the state that was reached by the most moves.
    pub(super) fn pop_deepest(&mut self, into: &mut Vec<u8>) -> bool {
        if self.states == 0 {
            return false;
        }
        while self.levels[self.highest].is_empty() {
            self.highest -= 1;
        }
        self.take(self.highest, into);
        true
    }

    /// Takes the state that was reached by the fewest moves.
    pub(super) fn pop_highest(&mut self, into: &mut Vec<u8>) -> bool {
        if self.states == 0 {
            return false;
        }
        self.find_lowest();
        self.take(self.lowest, into);
        true
    }

    /// The signature of a state that is likely to be taken next.
    pub(super) fn upcoming(&self, takes_deepest: bool) -> Option<u64> {
        let level = self.levels.get(if takes_deepest { self.highest } else { self.lowest })?;
        let first = level.len().checked_sub(self.record_bytes)?;
        level.get(first..).filter(|record| !record.is_empty()).map(record::signature)
    }

    fn find_lowest(&mut self) {
        while self.levels[self.lowest].is_empty() {
            self.lowest += 1;
        }
    }

    fn take(&mut self, level: usize, into: &mut Vec<u8>) {
        let level = &mut self.levels[level];
        let first = level.len() - self.record_bytes;
        into.clear();
        into.extend_from_slice(&level[first..]);
        level.truncate(first);
        self.states -= 1;
    }

    /// Takes half of the states that were reached by the fewest moves, at least one and at most so many, and
    /// appends them.
    pub(super) fn split(&mut self, most: usize, into: &mut Vec<u8>) -> usize {
        if self.states == 0 {
            return 0;
        }
        self.find_lowest();
        let (level, size) = (&mut self.levels[self.lowest], self.record_bytes);
        let given = (level.len() / size / 2).clamp(1, most.max(1));
        // The oldest ones, which would not be taken for a long time.
        into.extend(level.drain(..given * size));
        self.states -= given;
        given
    }

    /// Takes half of all states, those that were reached by the fewest moves, at least one and at most so many, and
    /// appends them.
    pub(super) fn halve(&mut self, most: usize, into: &mut Vec<u8>) -> usize {
        if self.states == 0 {
            return 0;
        }
        let wanted = (self.states / 2).clamp(1, most.max(1));
        let mut given = 0;
        while given < wanted {
            self.find_lowest();
            let (level, size) = (&mut self.levels[self.lowest], self.record_bytes);
            let taken = (level.len() / size).min(wanted - given);
            into.extend(level.drain(..taken * size));
            self.states -= taken;
            given += taken;
        }
        given
    }
}

#[cfg(test)]
mod tests {
    use super::super::record::Form;
    use super::*;

    #[test]
    fn states_are_taken_by_their_depth() {
        let form = Form::new(1, 1, 4);
        let mut open = Open::default();
        open.begin(form.bytes());
        let root = form.first(0, 0, &[0]);
        let mut son = Vec::new();
        form.append(&root, 1, 0, 1, &[1], &mut son);
        let mut grandson = Vec::new();
        form.append(&son, 2, 0, 1, &[2], &mut grandson);
        for record in [&son, &root, &grandson, &son, &son] {
            open.push(record);
        }
        let mut taken = Vec::new();
        assert!(open.pop_deepest(&mut taken) && taken == grandson);
        assert!(open.pop_highest(&mut taken) && taken == root);
        let mut given = Vec::new();
        assert_eq!((open.split(8, &mut given), given.clone()), (1, son.clone()));
        assert!(open.pop_deepest(&mut taken) && taken == son && open.len() == 1);
        open.push(&root);
        open.push(&grandson);
        open.push(&grandson);
        given.clear();
        assert_eq!((open.halve(8, &mut given), given), (2, [root.clone(), son.clone()].concat()));
        assert!(open.pop_deepest(&mut taken) && taken == grandson);
        assert!(open.pop_highest(&mut taken) && open.is_empty());
        assert!(!open.pop_deepest(&mut taken) && !open.pop_highest(&mut taken));
        open.push(&root);
        assert!(open.pop_deepest(&mut taken) && taken == root);
    }
}
