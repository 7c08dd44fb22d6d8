//! Which pieces go together. The more pieces a pattern has the more it knows, and the larger its table is; pieces that
//! lie side by side when the puzzle is solved hinder each other most, so they belong together.

use game::motion::Motion;

use crate::index::Index;

/// Where patterns add up, so many times as many steps are made in a second, as measured.
const ROWS_FASTER: u64 = 16;

/// With several blanks it takes so many times longer.
const SEVERAL_BLANKS: u64 = 3;

/// Pieces of one kind.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Pattern {
    /// Which kind.
    pub kind: usize,
    /// Which pieces, in ascending order.
    pub pieces: Vec<usize>,
}

impl Pattern {
    /// The index of this pattern.
    #[must_use]
    pub fn index(&self, motion: &Motion) -> Index {
        Index::new(&motion.kinds[self.kind], self.pieces.len())
    }

    /// How many ways to lie there are; `usize::MAX` if there are too many to count.
    #[must_use]
    pub fn size(&self, motion: &Motion) -> usize {
        self.index(motion).size().unwrap_or(usize::MAX)
    }

    /// The steps that making its table takes: ways to lie, modes and moves. Where patterns add up it goes from row to
    /// row, which is so much faster, and modes do not matter, but only from where to where pieces are carried.
    #[must_use]
    pub fn effort(&self, motion: &Motion) -> u64 {
        let size = self.size(motion) as u64;
        if !motion.carries_one() {
            let moves: usize = motion.modes.iter().map(Vec::len).sum();
            return size.saturating_mul(moves as u64);
        }
        let mut carries: Vec<(u8, u8)> =
            motion.modes.iter().flatten().map(|move_| move_.carries[0]).collect();
        carries.sort_unstable();
        carries.dedup();
        // With several blanks there are more regions, and more ways from one to another.
        let regions = if motion.modes.len() == motion.sites() { 1 } else { SEVERAL_BLANKS };
        size.saturating_mul(carries.len() as u64 * regions) / ROWS_FASTER
    }

    /// Bytes that making its table takes.
    #[must_use]
    pub fn memory(&self, motion: &Motion) -> u64 {
        crate::build::bytes(motion, self)
    }
}

/// Patterns, and whether what they say may be added up.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plan {
    /// The patterns; no piece is in two.
    pub patterns: Vec<Pattern>,
    /// Whether no move carries pieces of two patterns: each pays for its own moves, and the sum is a bound.
    pub adds: bool,
}

impl Plan {
    /// The patterns with the largest tables that can be made with so much effort and memory; `None` if not even pairs
    /// can, or if moves cannot be taken back.
    #[must_use]
    pub fn choose(motion: &Motion, effort: u64, memory: u64) -> Option<Plan> {
        let cheap = |plan: &Plan| {
            let efforts = plan.patterns.iter().map(|pattern| pattern.effort(motion));
            efforts.fold(0, u64::saturating_add) <= effort
        };
        Plan::all(motion, memory).into_iter().find(cheap)
    }

    /// All plans that fit into memory while they are made, those with the largest patterns first.
    #[must_use]
    pub fn all(motion: &Motion, memory: u64) -> Vec<Plan> {
        let adds = motion.carries_one();
        if !motion.is_reversible() {
            return Vec::new();
        }
        let fits = |plan: &Plan| {
            let held = plan.patterns.iter().map(|pattern| pattern.memory(motion)).max().unwrap_or(0);
            let kept = plan.patterns.iter().map(|pattern| pattern.size(motion) as u64 / 2);
            kept.fold(held, u64::saturating_add) <= memory
        };
        // For each kind its own size of patterns, in all combinations.
        let mut choices: Vec<Vec<Pattern>> = vec![Vec::new()];
        for (number, kind) in motion.kinds.iter().enumerate() {
            let sizes = 2.min(kind.pieces.len())..=kind.pieces.len().min(crate::index::PIECES_MAX);
            let own: Vec<Vec<Pattern>> = sizes.map(|most| Plan::patterns(motion, number, most)).collect();
            choices = choices.iter().flat_map(|one| own.iter().map(|two| [&one[..], two].concat())).collect();
        }
        let mut plans: Vec<Plan> =
            choices.into_iter().map(|patterns| Plan { patterns, adds }).filter(fits).collect();
        plans.sort_by_key(|plan| std::cmp::Reverse(plan.states(motion)));
        plans
    }

    /// The states of all patterns together.
    #[must_use]
    pub fn states(&self, motion: &Motion) -> u64 {
        self.patterns.iter().map(|pattern| pattern.size(motion) as u64).fold(0, u64::saturating_add)
    }

    /// Patterns of so many pieces of a kind at most, and of as many as possible.
    fn patterns(motion: &Motion, kind: usize, most: usize) -> Vec<Pattern> {
        let own = &motion.kinds[kind].pieces;
        let mut sizes = vec![most; own.len() / most];
        sizes.extend(Some(own.len() % most).filter(|&left| left > 0));
        let mut groups = compact_groups(motion, own, &sizes);
        if !motion.carries_one() {
            // Where the greatest bound counts, a small pattern hardly ever says more than a large one.
            groups.retain(|group| 2 * group.len() > most);
        }
        groups.into_iter().map(|pieces| Pattern { kind, pieces }).collect()
    }

    /// The patterns that are asked for: groups of numbers of pieces, counted from 1.
    ///
    /// # Errors
    /// When the groups are not made of pieces of one kind, each once; the message says what is wrong.
    pub fn told(motion: &Motion, groups: &[Vec<usize>]) -> Result<Plan, String> {
        let adds = motion.carries_one();
        if !motion.is_reversible() {
            return Err("its moves cannot be taken back".to_owned());
        }
        let mut patterns: Vec<Pattern> = Vec::new();
        for group in groups {
            let mut pieces: Vec<usize> = group.iter().map(|piece| piece.wrapping_sub(1)).collect();
            pieces.sort_unstable();
            let Some(kind) = motion.kinds.iter().position(|kind| kind.pieces.contains(&pieces[0])) else {
                return Err(format!(
                    "there is no piece {}: they are numbered from 1 to {}",
                    group[0],
                    motion.pieces()
                ));
            };
            if let Some(other) = pieces.iter().find(|piece| !motion.kinds[kind].pieces.contains(piece)) {
                return Err(format!(
                    "piece {} is of another kind than piece {}",
                    other.wrapping_add(1),
                    pieces[0] + 1
                ));
            }
            let again = |piece: &&usize| patterns.iter().any(|pattern| pattern.pieces.contains(piece));
            let twice = pieces.windows(2).find(|pair| pair[0] == pair[1]).map(|pair| pair[0]);
            if let Some(piece) = twice.or_else(|| pieces.iter().find(again).copied()) {
                return Err(format!("piece {} is named twice", piece + 1));
            }
            if pieces.len() > crate::index::PIECES_MAX {
                return Err(format!("a pattern has at most {} pieces", crate::index::PIECES_MAX));
            }
            patterns.push(Pattern { kind, pieces });
        }
        Ok(Plan { patterns, adds })
    }
}

/// Groups of these sizes such that pieces of a group belong near to each other: begun in order, then pieces change
/// places between groups as long as that brings them nearer.
fn compact_groups(motion: &Motion, pieces: &[usize], sizes: &[usize]) -> Vec<Vec<usize>> {
    let from: Vec<Vec<u8>> = pieces.iter().map(|&piece| motion.distances(piece)).collect();
    let apart =
        |one: usize, other: usize| u32::from(from[one][usize::from(motion.goal.at[pieces[other]])]).pow(2);
    let mut best: Option<(u32, Vec<usize>)> = None;
    // Several beginnings: the order of the pieces, and every other number coprime to their count as a stride.
    for stride in 1..pieces.len().max(2) {
        if gcd(stride, pieces.len()) != 1 {
            continue;
        }
        let mut group = vec![0; pieces.len()];
        let mut next = 0;
        for (number, &size) in sizes.iter().enumerate() {
            for _ in 0..size {
                group[next * stride % pieces.len()] = number;
                next += 1;
            }
        }
        let near = |group: &[usize], one: usize, number: usize| {
            let same = (0..pieces.len()).filter(|&other| other != one && group[other] == number);
            same.map(|other| apart(one, other)).sum::<u32>()
        };
        loop {
            let mut changed = false;
            for one in 0..pieces.len() {
                for other in 0..one {
                    if group[one] == group[other] {
                        continue;
                    }
                    let before = near(&group, one, group[one]) + near(&group, other, group[other]);
                    group.swap(one, other);
                    let after = near(&group, one, group[one]) + near(&group, other, group[other]);
                    if after >= before {
                        group.swap(one, other);
                    } else {
                        changed = true;
                    }
                }
            }
            if !changed {
                break;
            }
        }
        let sum = (0..pieces.len()).map(|one| near(&group, one, group[one])).sum();
        if best.as_ref().is_none_or(|(least, _)| sum < *least) {
            best = Some((sum, group));
        }
    }
    let group = best.map(|(_, group)| group).unwrap_or_default();
    let of = |number: usize| {
        pieces.iter().zip(&group).filter(|(_, own)| **own == number).map(|(&piece, _)| piece).collect()
    };
    (0..sizes.len()).map(of).collect()
}

fn gcd(one: usize, other: usize) -> usize {
    if other == 0 { one } else { gcd(other, one % other) }
}
