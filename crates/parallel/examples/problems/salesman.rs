//! The shortest way through all towns and back: branch and bound.

use parallel::dib::Problem;

/// How far each town is from each other; at most 32 towns.
pub(crate) struct Salesman {
    distances: Vec<Vec<i64>>,
    /// By town: how far it is to the nearest other one.
    nearest: Vec<i64>,
}

/// The towns so far, from the first one.
pub(crate) type Tour = Vec<u8>;

impl Salesman {
    /// Towns at random places of a square, by seed.
    pub(crate) fn random(towns: usize, seed: u64) -> Salesman {
        let mut random = fastrand::Rng::with_seed(seed);
        let places: Vec<(i64, i64)> =
            (0..towns).map(|_| (random.i64(0..1000), random.i64(0..1000))).collect();
        let distance = |one: (i64, i64), other: (i64, i64)| {
            let (x, y) = ((one.0 - other.0) as f64, (one.1 - other.1) as f64);
            x.hypot(y).round() as i64
        };
        let distances: Vec<Vec<i64>> =
            places.iter().map(|&one| places.iter().map(|&other| distance(one, other)).collect()).collect();
        let nearest = |(town, row): (usize, &Vec<i64>)| {
            let others = row.iter().enumerate().filter(|(other, _)| *other != town);
            others.map(|(_, distance)| *distance).min().unwrap_or(0)
        };
        let nearest = distances.iter().enumerate().map(nearest).collect();
        Salesman { distances, nearest }
    }

    fn towns(&self) -> usize {
        self.distances.len()
    }

    fn distance(&self, one: u8, other: u8) -> i64 {
        self.distances[usize::from(one)][usize::from(other)]
    }

    /// The length of a tour, and back to its beginning if it is complete.
    pub(crate) fn length(&self, tour: &[u8]) -> i64 {
        let so_far: i64 = tour.windows(2).map(|pair| self.distance(pair[0], pair[1])).sum();
        match tour {
            [first, .., last] if tour.len() == self.towns() => so_far + self.distance(*last, *first),
            _ => so_far,
        }
    }
}

impl Problem for Salesman {
    type Piece = Tour;
    /// The best tour; an empty one is none.
    type Outcome = Tour;

    fn root(&self) -> Tour {
        vec![0]
    }

    fn children(&self, tour: &Tour, children: &mut Vec<Tour>) {
        let Some(&last) = tour.last() else { return };
        let mut others: Vec<u8> = (0..self.towns() as u8).filter(|town| !tour.contains(town)).collect();
        others.sort_by_key(|&town| -self.distance(last, town));
        children.extend(others.into_iter().map(|town| [&tour[..], &[town]].concat()));
    }

    fn outcome(&self, tour: &Tour) -> Tour {
        if tour.len() == self.towns() { tour.clone() } else { Tour::new() }
    }

    fn nothing(&self) -> Tour {
        Tour::new()
    }

    fn combine(&self, one: Tour, other: Tour) -> Tour {
        // Of equally long ones the first in the alphabet, so that the order does not matter.
        let rank = |tour: &Tour| (-self.worth(tour), tour.clone());
        if rank(&one) <= rank(&other) { one } else { other }
    }

    /// Every town that is left, and the last one, has to be left by some road.
    fn bound(&self, tour: &Tour) -> i64 {
        if tour.len() == self.towns() {
            return -self.length(tour);
        }
        let is_left = |town: &usize| !tour[..tour.len() - 1].contains(&(*town as u8));
        let roads: i64 = (0..self.towns()).filter(is_left).map(|town| self.nearest[town]).sum();
        -(self.length(tour) + roads)
    }

    fn worth(&self, tour: &Tour) -> i64 {
        if tour.is_empty() { i64::MIN + 1 } else { -self.length(tour) }
    }

    fn write_piece(&self, tour: &Tour, into: &mut Vec<u8>) {
        into.extend(tour);
    }

    fn read_piece(&self, bytes: &[u8]) -> Option<Tour> {
        bytes.iter().all(|&town| usize::from(town) < self.towns()).then(|| bytes.to_vec())
    }

    fn write_outcome(&self, tour: &Tour, into: &mut Vec<u8>) {
        into.extend(tour);
    }

    fn read_outcome(&self, bytes: &[u8]) -> Option<Tour> {
        self.read_piece(bytes)
    }
}
