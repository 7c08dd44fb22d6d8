//! Which coordinates go well together. Twists are counted from those fields that make the fewest moves twist
//! anything; blocks are sets of places that symmetries take to each other as a whole. Every combination is weighed:
//! how much it tells, and how large its table is once what symmetries make equal is written down once.

use game::motion::{Kind, Motion, Symmetry};

use super::coordinate::{Coordinate, Counted, PLACES_MAX, Part, SIZE_MAX};

/// Values that show whether a symmetry keeps coordinates; all of them are looked at before a table is made.
const SHOWN: usize = 300;

/// Ways to count twists of a kind that are tried.
const REFERENCES_MAX: usize = 6;

/// Values of the part that is kept up to symmetry, at most.
const FIRST_MAX: usize = 1 << 22;

/// Coordinates whose table is made.
#[derive(Clone, Debug)]
pub struct CosetPlan {
    /// Coordinates in parts that symmetries keep; the first one is written down up to symmetry.
    pub parts: Vec<Vec<Coordinate>>,
    /// All symmetries of the puzzle.
    pub symmetries: Vec<Symmetry>,
    /// Those that keep every part, by number.
    pub kept: Vec<usize>,
    /// How many cosets there are.
    pub size: u64,
}

/// What can be kept of one kind.
struct Choice {
    coordinates: Vec<Coordinate>,
    counted: Vec<Counted>,
    /// Symmetries that keep it, one bit each; those that keep each of its coordinates by itself.
    kept: u64,
    alone: u64,
}

impl CosetPlan {
    /// All plans that are worth it, the largest first: none has a larger one with a smaller table beside it.
    #[must_use]
    pub fn all(motion: &Motion) -> Vec<CosetPlan> {
        let twists = |kind: &Kind| kind.twists > 1 && kind.keeps_twist;
        let whole = |kind: &Kind| kind.pieces.len() == kind.places.len() && kind.places.len() <= PLACES_MAX;
        if motion.modes.len() != 1
            || !motion.is_reversible()
            || !motion.kinds.iter().any(twists)
            || !motion.kinds.iter().all(whole)
        {
            return Vec::new();
        }
        let symmetries = Symmetry::all(motion);
        let choices: Vec<Vec<Choice>> =
            (0..motion.kinds.len()).map(|kind| choices(motion, kind, &symmetries)).collect();
        let mut together: Vec<Vec<&Choice>> = vec![Vec::new()];
        for own in &choices {
            let mut longer = Vec::new();
            for one in &together {
                longer.extend(own.iter().map(|two| [&one[..], &[two]].concat()));
            }
            together = longer;
        }
        let mut plans: Vec<CosetPlan> =
            together.iter().filter_map(|chosen| plan(chosen, &symmetries)).collect();
        plans.sort_by_key(|plan| (plan.entries(), std::cmp::Reverse(plan.size)));
        let mut most = 0;
        plans.retain(|plan| {
            let tells_more = plan.size > most;
            most = most.max(plan.size);
            tells_more
        });
        plans.reverse();
        plans
    }

    /// About how many entries its table has.
    #[must_use]
    pub fn entries(&self) -> u64 {
        // A little more than one of each orbit.
        let least = self.size / self.kept.len().max(1) as u64;
        least + least / 40
    }

    /// Bytes of its table, made or being made.
    #[must_use]
    pub fn memory(&self) -> u64 {
        let first = self.parts[0].len() as u64 * FIRST_MAX as u64;
        self.entries() / 2 + first.min(64 << 20)
    }

    /// The steps that making its table takes.
    #[must_use]
    pub fn effort(&self, motion: &Motion) -> u64 {
        self.entries().saturating_mul(motion.modes[0].len() as u64)
    }

    /// What it is, in words.
    #[must_use]
    pub fn in_words(&self) -> String {
        let twists =
            self.parts.iter().flatten().filter(|one| matches!(one, Coordinate::Twists { .. })).count();
        let blocks = self.parts.iter().flatten().count() - twists;
        let (of, are) = if blocks == 1 { ("block", "is") } else { ("blocks", "are") };
        format!(
            "cosets by the twists of {twists} kinds and where {blocks} {of} {are}, up to {} symmetries",
            self.kept.len()
        )
    }
}

fn plan(chosen: &[&Choice], symmetries: &[Symmetry]) -> Option<CosetPlan> {
    let all = chosen.iter().fold(u64::MAX, |kept, choice| kept & choice.kept);
    let kept: Vec<usize> = (0..symmetries.len()).filter(|number| all >> number & 1 != 0).collect();
    let mut parts: Vec<(usize, Vec<Coordinate>)> = Vec::new();
    let mut size = 1_u64;
    for choice in chosen {
        let sizes = choice.counted.iter().map(|one| one.size);
        size = sizes.clone().try_fold(size, |size, one| size.checked_mul(one as u64))?;
        if all & !choice.alone == 0 {
            parts.extend(sizes.zip(choice.coordinates.iter().map(|one| vec![one.clone()])));
        } else {
            parts.push((sizes.product(), choice.coordinates.clone()));
        }
    }
    parts.sort_by_key(|part| std::cmp::Reverse(part.0));
    let fits = parts.len() > 1 && parts[0].0 <= FIRST_MAX && parts[1..].iter().all(|part| part.0 <= SIZE_MAX);
    let parts = parts.into_iter().map(|part| part.1).collect();
    fits.then(|| CosetPlan { parts, symmetries: symmetries.to_vec(), kept, size })
}

/// What can be kept of a kind: its twists, and where a block is.
fn choices(motion: &Motion, kind: usize, symmetries: &[Symmetry]) -> Vec<Choice> {
    let own = &motion.kinds[kind];
    let mut references = vec![None];
    if own.twists > 1 {
        references = references_of(motion, own).into_iter().map(Some).collect();
    }
    let mut blocks = vec![None];
    blocks.extend(blocks_of(own, symmetries).into_iter().map(Some));
    let mut choices = Vec::new();
    for reference in &references {
        for block in &blocks {
            let mut coordinates = Vec::new();
            coordinates.extend(reference.clone().map(|reference| Coordinate::Twists { kind, reference }));
            coordinates.extend(block.map(|block| Coordinate::Places { kind, block }));
            let counted: Option<Vec<Counted>> =
                coordinates.iter().map(|one| Counted::new(motion, one)).collect();
            let Some(counted) = counted else { continue };
            let kept = |counted: &[Counted]| {
                let part = Part { coordinates: counted.to_vec() };
                let keeps = |symmetry: &Symmetry| u64::from(part.keeps(&symmetry.moves, SHOWN));
                symmetries.iter().enumerate().map(|(number, symmetry)| keeps(symmetry) << number).sum::<u64>()
            };
            let alone = counted.iter().fold(u64::MAX, |alone, one| alone & kept(std::slice::from_ref(one)));
            let kept = if counted.len() > 1 { kept(&counted) } else { alone };
            choices.push(Choice { coordinates, counted, kept, alone });
        }
    }
    choices
}

/// The first fields of places with which moves twist least.
fn references_of(motion: &Motion, kind: &Kind) -> Vec<Vec<u8>> {
    let count = kind.places.len();
    let Some(all) = kind.twists.checked_pow(count as u32 - 1).filter(|&all| all <= SIZE_MAX) else {
        return Vec::new();
    };
    let mut turns = Vec::new();
    for operator in &motion.modes[0] {
        for (from, place) in kind.places.iter().enumerate() {
            let to = kind.lies[usize::from(operator.map[usize::from(place[0])])];
            turns.extend(to.map(|(to, turn)| (from, usize::from(to), usize::from(turn))));
        }
    }
    let mut best: (usize, Vec<Vec<u8>>) = (usize::MAX, Vec::new());
    for number in 0..all {
        let digit = |place: usize| (number / kind.twists.pow(place as u32) % kind.twists) as u8;
        // The last place keeps its own: only differences matter.
        let reference: Vec<u8> = (0..count - 1).map(digit).chain([0]).collect();
        let twists = |&&(from, to, turn): &&(usize, usize, usize)| {
            !(turn + usize::from(reference[from]) + kind.twists - usize::from(reference[to]))
                .is_multiple_of(kind.twists)
        };
        let cost = turns.iter().filter(twists).count();
        if cost < best.0 {
            best = (cost, Vec::new());
        }
        if cost == best.0 && best.1.len() < REFERENCES_MAX {
            best.1.push(reference);
        }
    }
    best.1
}

/// Sets of places that symmetries take to themselves or to other such sets.
fn blocks_of(kind: &Kind, symmetries: &[Symmetry]) -> Vec<u32> {
    let place = |site: u8| kind.lies[usize::from(site)].map(|lie| usize::from(lie.0));
    let image = |symmetry: &Symmetry| {
        let to = |sites: &Vec<u8>| place(symmetry.sites[usize::from(sites[0])]);
        kind.places.iter().map(to).collect::<Option<Vec<usize>>>()
    };
    let images: Vec<Vec<usize>> = symmetries.iter().filter_map(image).collect();
    let count = kind.places.len();
    let mut blocks = Vec::new();
    for other in 1..count {
        let mut classes: Vec<usize> = (0..count).collect();
        let mut open = vec![(0, other)];
        while let Some((one, two)) = open.pop() {
            let (first, second) = (classes[one].min(classes[two]), classes[one].max(classes[two]));
            if first == second {
                continue;
            }
            classes.iter_mut().filter(|class| **class == second).for_each(|class| *class = first);
            open.extend(images.iter().map(|image| (image[one], image[two])));
        }
        let set = |class: usize| {
            (0..count).filter(|&place| classes[place] == class).map(|place| 1_u32 << place).sum::<u32>()
        };
        let sets = (0..count).map(set).filter(|set| (2..count as u32).contains(&set.count_ones()));
        blocks.extend(sets);
    }
    blocks.sort_unstable();
    blocks.dedup();
    blocks
}
