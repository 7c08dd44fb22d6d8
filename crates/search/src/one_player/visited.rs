//! A set of records of one size that numbers them in the order in which they come: the records in one block,
//! and a table of their numbers to find them by. Four to eight bytes a record beside the record itself.

use std::hash::Hasher;

use rustc_hash::FxHasher;

/// Marks a free place of the table.
const FREE: u32 = u32::MAX;

/// The set.
#[derive(Debug)]
pub struct Visited {
    bytes: usize,
    records: Vec<u8>,
    table: Vec<u32>,
    count: usize,
}

impl Visited {
    /// An empty set of records of this size.
    #[must_use]
    pub fn new(bytes: usize) -> Visited {
        Visited { bytes, records: Vec::new(), table: vec![FREE; 16], count: 0 }
    }

    /// How many records there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The memory that it takes.
    #[must_use]
    pub fn memory(&self) -> usize {
        self.records.capacity() + 4 * self.table.len()
    }

    /// The record with this number.
    #[must_use]
    pub fn record(&self, index: usize) -> &[u8] {
        &self.records[index * self.bytes..(index + 1) * self.bytes]
    }

    /// Adds a record unless it is there; returns its number and whether it is new. `None`: no numbers left.
    pub fn insert(&mut self, record: &[u8]) -> Option<(usize, bool)> {
        if self.count * 8 >= self.table.len() * 7 {
            self.grow();
        }
        let mut place = self.home(record);
        while self.table[place] != FREE {
            let found = self.table[place] as usize;
            if self.record(found) == record {
                return Some((found, false));
            }
            place = (place + 1) % self.table.len();
        }
        if self.count >= FREE as usize {
            return None;
        }
        self.table[place] = self.count as u32;
        self.records.extend_from_slice(record);
        self.count += 1;
        Some((self.count - 1, true))
    }

    /// The number of a record, if it is there.
    #[must_use]
    pub fn find(&self, record: &[u8]) -> Option<usize> {
        let mut place = self.home(record);
        while self.table[place] != FREE {
            let found = self.table[place] as usize;
            if self.record(found) == record {
                return Some(found);
            }
            place = (place + 1) % self.table.len();
        }
        None
    }

    fn home(&self, record: &[u8]) -> usize {
        let mut hasher = FxHasher::default();
        hasher.write(record);
        // The product spreads over the whole range; the upper half is the better one.
        ((u128::from(hasher.finish()) * self.table.len() as u128) >> 64) as usize
    }

    fn grow(&mut self) {
        self.table = vec![FREE; self.table.len() * 2];
        for index in 0..self.count {
            let mut place = self.home(self.record(index));
            while self.table[place] != FREE {
                place = (place + 1) % self.table.len();
            }
            self.table[place] = index as u32;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_numbered_in_order_and_found_again() {
        let mut visited = Visited::new(4);
        for number in 0..10_000_u32 {
            assert_eq!(visited.insert(&number.to_le_bytes()), Some((number as usize, true)));
        }
        for number in 0..10_000_u32 {
            assert_eq!(visited.insert(&number.to_le_bytes()), Some((number as usize, false)));
        }
        assert_eq!((visited.len(), visited.record(77)), (10_000, &77_u32.to_le_bytes()[..]));
    }
}
