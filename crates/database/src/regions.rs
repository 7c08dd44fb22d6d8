//! Where the blank can go without moving any piece of a pattern: its region. Modes of one region are as good as each other
//! where moves of other pieces are free, so a way to lie needs one bit for each region, and there are few of them.

use game::motion::Motion;

/// Regions that are told apart; more are taken for the last one, which makes bounds smaller and never too large.
pub const REGIONS: u8 = 8;

/// Marks a mode in which a piece of the pattern lies on the blank.
const NOWHERE: u8 = 15;

/// Modes that fit into an entry.
const MODES_MAX: usize = 32;

/// Sets of sites at most.
const SETS_MAX: usize = 1 << 22;

/// The regions of all sets of so many sites.
#[derive(Clone, Debug)]
pub struct Regions {
    /// By number of a set: the region of each mode, four bits each.
    of: Vec<u128>,
    /// By site and how many are before it: what it adds to the number of a set.
    weights: Vec<[u32; 17]>,
}

impl Regions {
    /// Of a puzzle with one blank, for patterns of so many pieces; `None` for other puzzles.
    #[must_use]
    pub fn new(motion: &Motion, pieces: usize) -> Option<Regions> {
        let (sites, modes) = (motion.sites(), motion.modes.len());
        let one_blank = |holds: &u64| holds.count_ones() as usize + 1 == sites;
        if !motion.carries_one()
            || modes > MODES_MAX
            || modes != sites
            || !motion.holds.iter().all(one_blank)
            || pieces > 16
        {
            return None;
        }
        let binomial =
            |n: usize, k: usize| (0..k).fold(1_u64, |value, i| value * (n - i) as u64 / (i as u64 + 1));
        let count = usize::try_from(binomial(sites, pieces)).ok().filter(|&count| count <= SETS_MAX)?;
        let weight =
            |site: usize, before: usize| if before < site { binomial(site, before + 1) as u32 } else { 0 };
        let weights = (0..sites).map(|site| std::array::from_fn(|before| weight(site, before))).collect();
        let mut regions = Regions { of: vec![0; count], weights };
        let mut set = (1_u64 << pieces) - 1;
        while set < 1 << sites {
            let number = regions.number(set);
            regions.of[number] = find(motion, set);
            if set == 0 {
                break;
            }
            // The next larger number with as many bits (Gosper).
            let (low, carried) = (set & set.wrapping_neg(), set + (set & set.wrapping_neg()));
            set = carried | (((set ^ carried) / low) >> 2);
        }
        Some(regions)
    }

    fn number(&self, mut set: u64) -> usize {
        let (mut number, mut before) = (0, 0);
        while set != 0 {
            number += self.weights[set.trailing_zeros() as usize][before] as usize;
            before += 1;
            set &= set - 1;
        }
        number
    }

    /// The regions of the modes while a pattern lies on these sites, four bits each.
    #[must_use]
    #[inline]
    pub fn of(&self, occupied: u64) -> u128 {
        self.of[self.number(occupied)]
    }
}

/// The region of a mode.
#[must_use]
#[inline]
pub fn region(regions: u128, mode: usize) -> Option<u8> {
    let region = (regions >> (4 * mode) & 15) as u8;
    (region != NOWHERE).then_some(region)
}

fn find(motion: &Motion, occupied: u64) -> u128 {
    let modes = motion.modes.len();
    let mut regions = u128::MAX;
    let is_free = |mode: usize| occupied & !motion.holds[mode] == 0;
    let mut next = 0;
    for first in (0..modes).filter(|&mode| is_free(mode)) {
        if region(regions, first).is_some() {
            continue;
        }
        let own: u8 = next;
        next = (next + 1).min(REGIONS - 1);
        let set = |regions: &mut u128, mode: usize| {
            *regions = *regions & !(15 << (4 * mode)) | u128::from(own) << (4 * mode);
        };
        set(&mut regions, first);
        let mut open = vec![first];
        while let Some(mode) = open.pop() {
            for operator in &motion.modes[mode] {
                let to = usize::from(operator.to);
                let is_own = operator.carries.iter().any(|&(from, _)| occupied >> from & 1 != 0);
                if !is_own && region(regions, to).is_none() {
                    set(&mut regions, to);
                    open.push(to);
                }
            }
        }
    }
    regions
}
