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
    /// The earlier result, if any, that is the same as the last of `results` results. Such a double must be removed.
    pub(crate) fn double_of_newest(
        &mut self,
        results: usize,
        fingerprint: impl Fn(usize) -> u64,
        same_as_newest: impl Fn(usize) -> bool,
    ) -> Option<usize> {
        let newest = results.checked_sub(1)?;
        let double = if newest <= COMPARED_MAX {
            (0..newest).find(|&index| same_as_newest(index))
        } else {
            for index in self.known..newest {
                self.first.entry(fingerprint(index)).or_insert(index);
            }
            self.known = newest;
            match self.first.entry(fingerprint(newest)) {
                Entry::Vacant(place) => {
                    place.insert(newest);
                    self.known = results;
                    None
                }
                // Others with this fingerprint are as good as impossible, but not quite.
                Entry::Occupied(first) => Some(*first.get())
                    .filter(|&first| same_as_newest(first))
                    .or_else(|| (0..newest).find(|&index| same_as_newest(index))),
            }
        };
        self.count += usize::from(double.is_some());
        double
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
                let double = doubles.double_of_newest(
                    kept.len(),
                    |index| fingerprint(kept[index]),
                    |index| kept[index] == newest,
                );
                if double.is_some() {
                    kept.pop();
                    found += 1;
                }
            }
            assert_eq!((kept.len(), found, doubles.count), (201, 799, 799));
        }
    }
}
