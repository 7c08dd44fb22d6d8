//! Results that were there already.
//!
//! Compiled code sees most of them at a glance with a filter of one bit a result; where that bit is set, it asks
//! here. Few results are compared one by one, many are looked up.

use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;

/// Up to so many results are compared one by one.
const COMPARED_MAX: usize = 64;

/// The results of one call, as far as they were asked for.
#[derive(Default)]
pub(crate) struct Doubles {
    /// Doubles so far.
    pub(crate) count: usize,
    /// The first result with each fingerprint.
    first: FxHashMap<u64, usize>,
    /// How many results are in the table.
    known: usize,
}

impl Doubles {
    /// Whether the last of `results` results is the same as an earlier one. Such a double must be removed.
    pub(crate) fn newest_is_double(
        &mut self,
        results: usize,
        fingerprint: impl Fn(usize) -> u64,
        same_as_newest: impl Fn(usize) -> bool,
    ) -> bool {
        let Some(newest) = results.checked_sub(1) else { return false };
        let is_double = if newest <= COMPARED_MAX {
            (0..newest).any(same_as_newest)
        } else {
            for index in self.known..newest {
                self.first.entry(fingerprint(index)).or_insert(index);
            }
            self.known = newest;
            match self.first.entry(fingerprint(newest)) {
                Entry::Vacant(place) => {
                    place.insert(newest);
                    self.known = results;
                    false
                }
                // Others with this fingerprint are as good as impossible, but not quite.
                Entry::Occupied(first) => same_as_newest(*first.get()) || (0..newest).any(same_as_newest),
            }
        };
        self.count += usize::from(is_double);
        is_double
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubles_are_found_among_few_and_many() {
        for fingerprint in [|value: u64| value, |value: u64| value % 3] {
            let (mut doubles, mut kept, mut found) = (Doubles::default(), Vec::new(), 0);
            for number in 0..1_000_u64 {
                kept.push(number * number % 401);
                let newest = kept[kept.len() - 1];
                let is_double = doubles.newest_is_double(
                    kept.len(),
                    |index| fingerprint(kept[index]),
                    |index| kept[index] == newest,
                );
                if is_double {
                    kept.pop();
                    found += 1;
                }
            }
            assert_eq!((kept.len(), found, doubles.count), (201, 799, 799));
        }
    }
}
