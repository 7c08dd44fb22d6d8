//! Which processors are wired to which, and the way from one to another.

use std::collections::VecDeque;

use crate::contract::ProcessorId;

/// The shape of a network.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Topology {
    /// All are wired to all.
    Full,
    /// Processor *i* is wired to *2i* and *2i + 1* modulo their number: few steps between any two, four wires each.
    DeBruijn,
    /// A grid as square as can be, whose borders are glued together.
    Torus,
    /// A grid as square as can be.
    Grid,
}

impl Topology {
    /// All shapes.
    pub const ALL: [Topology; 4] = [Topology::Full, Topology::DeBruijn, Topology::Torus, Topology::Grid];

    /// As users write it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Topology::Full => "full",
            Topology::DeBruijn => "debruijn",
            Topology::Torus => "torus",
            Topology::Grid => "grid",
        }
    }

    /// The shape with this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Topology> {
        Topology::ALL.into_iter().find(|topology| topology.name() == name)
    }

    /// Which are wired to a processor, in rising order; none in particular in a full network.
    #[must_use]
    pub fn neighbours(self, id: ProcessorId, processors: usize) -> Vec<ProcessorId> {
        let (count, own) = (processors, id.index());
        let mut wired = match self {
            Topology::Full => Vec::new(),
            Topology::DeBruijn => {
                let ahead = [2 * own % count, (2 * own + 1) % count];
                let behind =
                    (0..count).filter(|&other| 2 * other % count == own || (2 * other + 1) % count == own);
                behind.chain(ahead).collect()
            }
            Topology::Torus | Topology::Grid => self.around(own, count),
        };
        wired.retain(|&other| other != own);
        wired.sort_unstable();
        wired.dedup();
        wired.into_iter().map(|other| ProcessorId(other as u32)).collect()
    }

    fn around(self, own: usize, count: usize) -> Vec<usize> {
        let columns = (1..=count).rev().find(|side| side * side <= count && count.is_multiple_of(*side));
        let columns = columns.map_or(1, |rows| count / rows);
        let rows = count / columns;
        let (column, row) = (own % columns, own / columns);
        let mut wired = Vec::new();
        for (step_column, step_row) in [(0, 1), (0, -1), (1, 0), (-1, 0)] {
            let (to_column, to_row) = (column as isize + step_column, row as isize + step_row);
            let inside = (0..columns as isize).contains(&to_column) && (0..rows as isize).contains(&to_row);
            if inside || self == Topology::Torus {
                let to_column = to_column.rem_euclid(columns as isize) as usize;
                let to_row = to_row.rem_euclid(rows as isize) as usize;
                wired.push(to_row * columns + to_column);
            }
        }
        wired
    }
}

/// Shortest ways through a network, found when they are first asked for.
pub(crate) struct Routes {
    wires: Vec<Vec<ProcessorId>>,
    /// For each destination: where to go next from each processor.
    next: Vec<Option<Box<[u16]>>>,
}

impl Routes {
    pub(crate) fn new(topology: Topology, processors: usize) -> Option<Routes> {
        if topology == Topology::Full {
            return None;
        }
        let ids = (0..processors as u32).map(ProcessorId);
        let wires = ids.map(|id| topology.neighbours(id, processors)).collect();
        Some(Routes { wires, next: vec![None; processors] })
    }

    /// Calls `visit` for every processor on the way between the two; returns the number of wires that are passed.
    pub(crate) fn walk(&mut self, from: ProcessorId, to: ProcessorId, mut visit: impl FnMut(usize)) -> u32 {
        let (wires, next) = (&self.wires, &mut self.next[to.index()]);
        let next = next.get_or_insert_with(|| ways_to(to, wires));
        let (mut place, mut hops) = (from, 0);
        while place != to {
            place = ProcessorId(u32::from(next[place.index()]));
            hops += 1;
            if place != to {
                visit(place.index());
            }
        }
        hops
    }
}

/// Where to go next on a shortest way to a processor, by breadth-first search.
fn ways_to(to: ProcessorId, wires: &[Vec<ProcessorId>]) -> Box<[u16]> {
    let mut next = vec![u16::MAX; wires.len()];
    next[to.index()] = to.0 as u16;
    let mut queue = VecDeque::from([to]);
    while let Some(place) = queue.pop_front() {
        for &neighbour in &wires[place.index()] {
            if next[neighbour.index()] == u16::MAX {
                next[neighbour.index()] = place.0 as u16;
                queue.push_back(neighbour);
            }
        }
    }
    next.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The greatest and the mean number of wires between two processors.
    fn distances(topology: Topology, count: usize) -> (u32, f64) {
        let mut routes = Routes::new(topology, count).unwrap();
        let ids = || (0..count as u32).map(ProcessorId);
        let (mut greatest, mut sum) = (0, 0);
        for from in ids() {
            for to in ids() {
                let hops = routes.walk(from, to, |_| {});
                greatest = greatest.max(hops);
                sum += hops;
            }
        }
        (greatest, f64::from(sum) / (count * count) as f64)
    }

    /// Feldmann's table of the machines that Zugzwang ran on.
    #[test]
    fn distances_are_those_of_the_books() {
        let close = |(greatest, mean): (u32, f64), expected: (u32, f64)| {
            assert_eq!(greatest, expected.0);
            assert!((mean - expected.1).abs() < 0.2, "{mean} {}", expected.1);
        };
        close(distances(Topology::DeBruijn, 64), (6, 3.4));
        close(distances(Topology::DeBruijn, 256), (8, 5.0));
        close(distances(Topology::Torus, 256), (16, 8.0));
        close(distances(Topology::Grid, 256), (30, 10.6));
        close(distances(Topology::Grid, 16), (6, 2.5));
    }

    #[test]
    fn every_number_of_processors_is_connected() {
        for topology in [Topology::DeBruijn, Topology::Torus, Topology::Grid] {
            for count in 1..40 {
                assert!(distances(topology, count).0 as usize <= count, "{topology:?} {count}");
            }
        }
    }
}
