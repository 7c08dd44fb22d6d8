//! Pieces of several fields: where fields always move together, as the stickers of a cube's corner, they are one
//! piece, and its twist is the field of its place on which its first one lies.

use super::{Operator, is_label};

/// Pieces that can come to each other's places.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Kind {
    /// The sites of each place, in an order that moves keep but for a twist.
    pub places: Vec<Vec<u8>>,
    /// How many twists there are: the sites of a place.
    pub twists: usize,
    /// Its pieces.
    pub pieces: Vec<usize>,
    /// By site: the number of its place and its number there; `None` for sites of other kinds.
    pub lies: Vec<Option<(u8, u8)>>,
    /// Whether the sum of all twists never changes.
    pub keeps_twist: bool,
}

/// Sites of one place at most.
const SITES_OF_PLACE_MAX: usize = 4;

/// Kinds, what each piece shows, and where each piece belongs.
type Found = (Vec<Kind>, Vec<Vec<u8>>, Vec<u8>);

impl Kind {
    /// All kinds of pieces, if what the solved position shows tells all pieces apart.
    pub(super) fn all(modes: &[Vec<Operator>], solved: &[u8], labels: u128) -> Option<Found> {
        let operators: Vec<&Operator> = modes.iter().flatten().collect();
        let sites = solved.len();
        let moves = |site: usize| operators.iter().any(|operator| usize::from(operator.map[site]) != site);
        // With one mode only; otherwise what moves together depends on more than the moves.
        let classes = if modes.len() == 1 { together(&operators, sites) } else { (0..sites).collect() };
        let (mut kinds, mut shown, mut home) = (Vec::new(), Vec::new(), Vec::new());
        let mut seen = vec![false; sites];
        for first in (0..sites).filter(|&site| moves(site)) {
            if seen[first] {
                continue;
            }
            let places = places_from(first, &classes, &operators);
            places.iter().flatten().for_each(|&site| seen[usize::from(site)] = true);
            let mut kind = Kind::new(places, sites, &operators)?;
            for place in &kind.places {
                let codes: Vec<u8> = place.iter().map(|&site| solved[usize::from(site)]).collect();
                if codes.iter().all(|&code| is_label(labels, code)) {
                    kind.pieces.push(shown.len());
                    shown.push(codes);
                    home.push(place[0]);
                }
            }
            kinds.push(kind);
        }
        kinds.retain(|kind: &Kind| !kind.pieces.is_empty());
        kinds.iter().all(|kind| kind.tells_apart(&shown)).then_some((kinds, shown, home))
    }

    fn new(places: Vec<Vec<u8>>, sites: usize, operators: &[&Operator]) -> Option<Kind> {
        let twists = places[0].len();
        let mut lies = vec![None; sites];
        for (number, place) in places.iter().enumerate() {
            for (twist, &site) in place.iter().enumerate() {
                lies[usize::from(site)] = Some((number as u8, twist as u8));
            }
        }
        let mut keeps_twist = true;
        for operator in operators {
            let mut sum = 0;
            for place in &places {
                let to = |site: u8| lies[usize::from(operator.map[usize::from(site)])];
                let (number, turn) = to(place[0])?;
                // All sites of a place go to one place, in the same order but for a turn.
                let fits = |(twist, &site): (usize, &u8)| {
                    to(site) == Some((number, ((twist + usize::from(turn)) % twists) as u8))
                };
                if !place.iter().enumerate().all(fits) {
                    return None;
                }
                sum += usize::from(turn);
            }
            keeps_twist &= sum % twists == 0;
        }
        Some(Kind { places, twists, pieces: Vec::new(), lies, keeps_twist })
    }

    /// Whether no two pieces show the same, in no twist, and none shows the same in two.
    fn tells_apart(&self, shown: &[Vec<u8>]) -> bool {
        let mut all: Vec<Vec<u8>> = Vec::new();
        for &piece in &self.pieces {
            for twist in 0..self.twists {
                let mut turned = shown[piece].clone();
                turned.rotate_left(twist);
                all.push(turned);
            }
        }
        all.sort_unstable();
        all.windows(2).all(|pair| pair[0] != pair[1])
    }
}

/// For each site the first of those that always move together with it.
fn together(operators: &[&Operator], sites: usize) -> Vec<usize> {
    let mut classes: Vec<usize> = (0..sites).collect();
    let moves = |site: usize| operators.iter().any(|operator| usize::from(operator.map[site]) != site);
    for one in (0..sites).filter(|&site| moves(site)) {
        for other in (one + 1..sites).filter(|&site| moves(site)) {
            if let Some(coarser) = joined(&classes, one, other, operators) {
                classes = coarser;
            }
        }
    }
    classes
}

/// The classes after joining two sites and all that follows from it; `None` if a class becomes too large, or a move
/// takes a site to its own class at another site while nothing else happens there.
fn joined(classes: &[usize], one: usize, other: usize, operators: &[&Operator]) -> Option<Vec<usize>> {
    let mut classes = classes.to_vec();
    let mut open = vec![(one, other)];
    while let Some((one, other)) = open.pop() {
        let (first, second) = (classes[one].min(classes[other]), classes[one].max(classes[other]));
        if first == second {
            continue;
        }
        classes.iter_mut().filter(|class| **class == second).for_each(|class| *class = first);
        if classes.iter().filter(|&&class| class == first).count() > SITES_OF_PLACE_MAX {
            return None;
        }
        let images = operators.iter().map(|o| (usize::from(o.map[one]), usize::from(o.map[other])));
        open.extend(images);
    }
    Some(classes)
}

/// All places to which what is on a site's place can come, with sites in the order in which those of the first come
/// there.
fn places_from(first: usize, classes: &[usize], operators: &[&Operator]) -> Vec<Vec<u8>> {
    let own: Vec<u8> =
        (0..classes.len()).filter(|&s| classes[s] == classes[first]).map(|s| s as u8).collect();
    let mut places = vec![own];
    let mut reached = vec![classes[first]];
    let mut next = 0;
    while next < places.len() {
        for operator in operators {
            let to: Vec<u8> = places[next].iter().map(|&site| operator.map[usize::from(site)]).collect();
            let class = classes[usize::from(to[0])];
            if !reached.contains(&class) {
                reached.push(class);
                places.push(to);
            }
        }
        next += 1;
    }
    places
}
