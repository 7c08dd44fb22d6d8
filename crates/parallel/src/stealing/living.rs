//! Which processors are alive. Usually all are, and any question about them is answered at once.

use fabric::ProcessorId;

/// The processors of a search, and those of them that died.
#[derive(Debug)]
pub(super) struct Living {
    processors: usize,
    /// In rising order.
    dead: Vec<ProcessorId>,
}

impl Living {
    pub(super) fn new(processors: usize) -> Living {
        Living { processors, dead: Vec::new() }
    }

    /// How many there were at the beginning.
    pub(super) fn processors(&self) -> usize {
        self.processors
    }

    pub(super) fn count(&self) -> usize {
        self.processors - self.dead.len()
    }

    pub(super) fn has(&self, id: ProcessorId) -> bool {
        !self.dead.contains(&id)
    }

    pub(super) fn lose(&mut self, id: ProcessorId) {
        if let Err(place) = self.dead.binary_search(&id) {
            self.dead.insert(place, id);
        }
    }

    /// All, in rising order.
    pub(super) fn ids(&self) -> impl Iterator<Item = ProcessorId> {
        (0..self.processors as u32).map(ProcessorId).filter(|&id| self.has(id))
    }

    /// The processor before which there are so many others than this one.
    pub(super) fn other(&self, own: ProcessorId, before: usize) -> Option<ProcessorId> {
        let mut index = before;
        if self.dead.is_empty() {
            index += usize::from(own.index() <= index);
            return (index < self.processors).then_some(ProcessorId(index as u32));
        }
        let mut left_out = self.dead.clone();
        if let Err(place) = left_out.binary_search(&own) {
            left_out.insert(place, own);
        }
        for id in left_out {
            index += usize::from(id.index() <= index);
        }
        (index < self.processors).then_some(ProcessorId(index as u32))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn others_are_counted_without_the_dead() {
        let mut living = Living::new(9);
        assert_eq!(living.other(ProcessorId(3), 2), Some(ProcessorId(2)));
        assert_eq!(living.other(ProcessorId(3), 3), Some(ProcessorId(4)));
        assert_eq!(living.other(ProcessorId(3), 8), None);
        for gone in [7, 0, 3, 4, 3] {
            living.lose(ProcessorId(gone));
        }
        assert_eq!((living.count(), living.processors()), (5, 9));
        for own in 0..9 {
            let own = ProcessorId(own);
            let others: Vec<_> = living.ids().filter(|&id| id != own).collect();
            let found: Vec<_> = (0..others.len()).filter_map(|before| living.other(own, before)).collect();
            assert_eq!(found, others);
            assert_eq!(living.other(own, others.len()), None);
        }
    }
}
