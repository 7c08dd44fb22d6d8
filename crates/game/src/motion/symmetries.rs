//! Symmetries of a puzzle with one mode, found from its moves alone: ways to exchange moves for moves that are
//! nothing but another name for every site. A cube has 48, its rotations and reflections, and nothing has said
//! *rotation*.

use super::{Motion, NONE, State};

/// Attempts at exchanging moves; puzzles with more are left without symmetries.
const ATTEMPTS_MAX: usize = 1_000_000;

/// Symmetries that are looked for.
const SYMMETRIES_MAX: usize = 64;

/// Another name for every site, under which every move is a move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Symmetry {
    /// Where sites come to lie.
    pub sites: Vec<u8>,
    /// By number of a move: the move that it becomes.
    pub moves: Vec<usize>,
}

impl Symmetry {
    /// All of them, the one that changes nothing first; none of a puzzle with several modes.
    #[must_use]
    pub fn all(motion: &Motion) -> Vec<Symmetry> {
        if motion.modes.len() != 1 {
            return Vec::new();
        }
        let maps: Vec<&[u8]> = motion.modes[0].iter().map(|operator| &operator.map[..]).collect();
        let mut search = SymmetryFinder {
            relations: Relations::of(&maps),
            images: Vec::new(),
            attempts: 0,
            found: Vec::new(),
            maps,
        };
        search.extend();
        let mut found = search.found;
        let identity: Vec<usize> = (0..motion.modes[0].len()).collect();
        found.sort_by_key(|symmetry| symmetry.moves != identity);
        found
    }

    /// The same state under the other names. All places must hold pieces.
    #[must_use]
    pub fn of(&self, motion: &Motion, state: &State) -> State {
        let mut at = vec![NONE; state.at.len()];
        for (piece, &site) in state.at.iter().enumerate() {
            let (other, to) = self.carried(motion, piece, site);
            at[other] = to;
        }
        State { mode: state.mode, at }
    }

    /// Which piece a piece becomes, and where that one is if this one is on a site.
    #[must_use]
    pub fn carried(&self, motion: &Motion, piece: usize, site: u8) -> (usize, u8) {
        let Some((kind, (place, twist))) =
            motion.kinds.iter().find_map(|kind| kind.lies[usize::from(site)].map(|lie| (kind, lie)))
        else {
            return (piece, site);
        };
        let lie = |site: u8| motion.kinds.iter().find_map(|kind| Some((kind, kind.lies[usize::from(site)]?)));
        let image = |site: u8| self.sites[usize::from(site)];
        let (_, (own, _)) = lie(motion.goal.at[piece]).unwrap_or((kind, (0, 0)));
        let sites = &kind.places[usize::from(own)];
        let (other_kind, (other, _)) = lie(image(sites[0])).unwrap_or((kind, (0, 0)));
        let first = other_kind.places[usize::from(other)][0];
        // The field of this piece that becomes the first one of the other.
        let field = sites.iter().position(|&site| image(site) == first).unwrap_or(0);
        let there = kind.places[usize::from(place)][(usize::from(twist) + field) % kind.twists];
        let becomes = motion.goal.at.iter().position(|&home| home == first).unwrap_or(piece);
        (becomes, image(there))
    }
}

/// What is known of two moves, one after the other.
struct Relations {
    /// The move that does the same as both.
    product: Vec<Vec<Option<usize>>>,
    /// Whether their order does not matter.
    commute: Vec<Vec<bool>>,
    /// By move: how many sites it leaves alone.
    fixed: Vec<usize>,
}

impl Relations {
    fn of(maps: &[&[u8]]) -> Relations {
        let then =
            |one: &[u8], other: &[u8]| one.iter().map(|&site| other[usize::from(site)]).collect::<Vec<u8>>();
        let product = |one: &[u8]| {
            let find = |other: &&[u8]| {
                let both = then(one, other);
                maps.iter().position(|map| *map == both)
            };
            maps.iter().map(find).collect()
        };
        let commute = |one: &&[u8]| maps.iter().map(|other| then(one, other) == then(other, one)).collect();
        let fixed =
            |map: &&[u8]| map.iter().enumerate().filter(|(site, to)| *site == usize::from(**to)).count();
        Relations {
            product: maps.iter().map(|one| product(one)).collect(),
            commute: maps.iter().map(commute).collect(),
            fixed: maps.iter().map(fixed).collect(),
        }
    }

    /// Whether the moves so far and their images relate to each other in the same way.
    fn agree(&self, images: &[usize]) -> bool {
        let count = images.len();
        let pair = |one: usize, other: usize| {
            let there = self.product[images[one]][images[other]];
            let fits = match self.product[one][other] {
                None => there.is_none(),
                Some(both) if both < count => there == Some(images[both]),
                Some(_) => there.is_some_and(|there| !images.contains(&there)),
            };
            fits && self.commute[one][other] == self.commute[images[one]][images[other]]
        };
        self.fixed[count - 1] == self.fixed[images[count - 1]]
            && (0..count).all(|one| (0..count).all(|other| pair(one, other)))
    }
}

struct SymmetryFinder<'run> {
    maps: Vec<&'run [u8]>,
    relations: Relations,
    /// Of the first moves: which ones they become.
    images: Vec<usize>,
    attempts: usize,
    found: Vec<Symmetry>,
}

impl SymmetryFinder<'_> {
    fn extend(&mut self) {
        if self.images.len() == self.maps.len() {
            let found =
                names(&self.maps, &self.images).map(|sites| Symmetry { sites, moves: self.images.clone() });
            self.found.extend(found);
            return;
        }
        for image in 0..self.maps.len() {
            self.attempts += 1;
            if self.attempts > ATTEMPTS_MAX || self.found.len() >= SYMMETRIES_MAX {
                return;
            }
            if self.images.contains(&image) {
                continue;
            }
            self.images.push(image);
            if self.relations.agree(&self.images) {
                self.extend();
            }
            self.images.pop();
        }
    }
}

/// Names of sites that make every move its image; sites that no move touches keep theirs.
fn names(maps: &[&[u8]], images: &[usize]) -> Option<Vec<u8>> {
    let sites = maps.first()?.len();
    let moves = |site: usize| maps.iter().any(|map| usize::from(map[site]) != site);
    let mut names: Vec<Option<u8>> = (0..sites).map(|site| (!moves(site)).then_some(site as u8)).collect();
    while let Some(first) = names.iter().position(Option::is_none) {
        let free = |name: &usize| moves(*name) && !names.contains(&Some(*name as u8));
        names = (0..sites).filter(free).find_map(|name| follow(&names, first, name as u8, maps, images))?;
    }
    names.into_iter().collect()
}

/// The names that follow from one of them; `None` if they contradict each other.
fn follow(
    names: &[Option<u8>],
    first: usize,
    name: u8,
    maps: &[&[u8]],
    images: &[usize],
) -> Option<Vec<Option<u8>>> {
    let mut names = names.to_vec();
    names[first] = Some(name);
    let mut open = vec![first];
    while let Some(site) = open.pop() {
        let own = names[site]?;
        for (map, &image) in maps.iter().zip(images) {
            let (to, wanted) = (usize::from(map[site]), maps[image][usize::from(own)]);
            match names[to] {
                None if names.contains(&Some(wanted)) => return None,
                None => {
                    names[to] = Some(wanted);
                    open.push(to);
                }
                Some(known) if known != wanted => return None,
                Some(_) => {}
            }
        }
    }
    Some(names)
}
