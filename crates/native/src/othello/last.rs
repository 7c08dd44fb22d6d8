//! The last moves of Othello: is a position worth at least so much? Without lists and tables. The last field is
//! counted, the last few are tried one by one, those in quarters of the board with an odd number of empty fields
//! first (who moves there has the last move there); further up moves that leave the opponent few come first.

use game::Settled;

use super::Othello;

/// Larger trees are better searched with a table.
pub(super) const NODES: u64 = 5_000;

/// Up to so many empty fields each is tried without asking where moves are.
const FEW: u32 = 4;

/// From so many empty fields on, moves are ordered by what they leave the opponent to do.
const ORDERED: u32 = 7;

const QUARTERS: [u64; 4] =
    [0x0000_0000_0f0f_0f0f, 0x0000_0000_f0f0_f0f0, 0x0f0f_0f0f_0000_0000, 0xf0f0_f0f0_0000_0000];

const CORNERS: u64 = 0x8100_0000_0000_0081;

/// A move that is worth less than any.
const NOTHING: i32 = -100;

/// The fields around each field.
static AROUND: [u64; 64] = {
    let mut around = [0; 64];
    let mut field = 0;
    while field < 64 {
        let mut other = 0;
        while other < 64 {
            let (right, up) = (field as i32 % 8 - other as i32 % 8, field as i32 / 8 - other as i32 / 8);
            if other != field && right * right <= 1 && up * up <= 1 {
                around[field] |= 1 << other;
            }
            other += 1;
        }
        field += 1;
    }
    around
};

/// The fields of quarters with an odd number of empty fields.
#[inline(always)]
fn odd_fields(empty: u64) -> u64 {
    QUARTERS
        .iter()
        .fold(0, |odd, quarter| odd | quarter & u64::from((empty & quarter).count_ones() & 1).wrapping_neg())
}

/// What the difference of the discs is at the end of the game.
#[inline(always)]
fn lead(mine: u64, theirs: u64) -> i32 {
    mine.count_ones() as i32 - theirs.count_ones() as i32
}

/// How far the search may go, and how far it has gone.
struct Effort {
    nodes: u64,
    most: u64,
}

/// The same functions for any processor and for those with AVX2.
macro_rules! last_moves {
    ($version:ident, $lanes:path, $counting:path $(, #[$attribute:meta])?) => {
        mod $version {
            use super::{AROUND, CORNERS, Effort, FEW, NOTHING, ORDERED, lead, odd_fields};
            use $counting as counting;
            use $lanes as lanes;

            /// One empty field.
            $(#[$attribute])?
            #[inline]
            fn one(mine: u64, theirs: u64, field: usize, effort: &mut Effort) -> i32 {
                effort.nodes += 1;
                let before = lead(mine, theirs);
                let turned = counting::turned(field, mine, theirs);
                if turned > 0 {
                    return before + 2 * turned + 1;
                }
                let turned = counting::turned(field, theirs, mine);
                if turned > 0 { before - 2 * turned - 1 } else { before }
            }

            /// Two empty fields.
            $(#[$attribute])?
            #[inline]
            fn two(mine: u64, theirs: u64, empty: u64, at_least: i32, effort: &mut Effort) -> i32 {
                effort.nodes += 1;
                let fields = [empty.trailing_zeros() as usize, 63 - empty.leading_zeros() as usize];
                let mut best = NOTHING;
                for (field, other) in [(fields[0], fields[1]), (fields[1], fields[0])] {
                    if AROUND[field] & theirs == 0 {
                        continue;
                    }
                    let turned = lanes::flips(field, mine, theirs);
                    if turned != 0 {
                        let worth = -one(theirs ^ turned, mine | turned | 1 << field, other, effort);
                        if worth >= at_least {
                            return worth;
                        }
                        best = best.max(worth);
                    }
                }
                if best > NOTHING {
                    return best;
                }
                // A pass: the same for the opponent, whose best is the least for the mover.
                let mut least = -NOTHING;
                for (field, other) in [(fields[0], fields[1]), (fields[1], fields[0])] {
                    if AROUND[field] & mine == 0 {
                        continue;
                    }
                    let turned = lanes::flips(field, theirs, mine);
                    if turned != 0 {
                        let worth = one(mine ^ turned, theirs | turned | 1 << field, other, effort);
                        if worth < at_least {
                            return worth;
                        }
                        least = least.min(worth);
                    }
                }
                if least == -NOTHING { lead(mine, theirs) } else { least }
            }

            /// Three or four empty fields.
            $(#[$attribute])?
            fn few(mine: u64, theirs: u64, at_least: i32, passed: bool, effort: &mut Effort) -> i32 {
                effort.nodes += 1;
                let empty = !(mine | theirs);
                let odd = odd_fields(empty);
                let is_three = empty.count_ones() == 3;
                let mut best = NOTHING;
                for mut fields in [empty & odd, empty & !odd] {
                    while fields != 0 {
                        let field = fields.trailing_zeros() as usize;
                        fields &= fields - 1;
                        if AROUND[field] & theirs == 0 {
                            continue;
                        }
                        let turned = lanes::flips(field, mine, theirs);
                        if turned == 0 {
                            continue;
                        }
                        let (own, other) = (theirs ^ turned, mine | turned | 1 << field);
                        let worth = match is_three {
                            true => -two(own, other, empty ^ 1 << field, 1 - at_least, effort),
                            false => -few(own, other, 1 - at_least, false, effort),
                        };
                        if worth >= at_least {
                            return worth;
                        }
                        best = best.max(worth);
                    }
                }
                match best {
                    NOTHING if passed => lead(mine, theirs),
                    NOTHING => -few(theirs, mine, 1 - at_least, true, effort),
                    best => best,
                }
            }

            /// Any number of empty fields from five on; `None` after too many nodes.
            $(#[$attribute])?
            fn many(mine: u64, theirs: u64, at_least: i32, passed: bool, effort: &mut Effort) -> Option<i32> {
                effort.nodes += 1;
                if effort.nodes > effort.most {
                    return None;
                }
                let empty = !(mine | theirs);
                let moves = lanes::moves(mine, theirs);
                if moves == 0 {
                    return match passed {
                        true => Some(lead(mine, theirs)),
                        false => Some(-many(theirs, mine, 1 - at_least, true, effort)?),
                    };
                }
                let left = empty.count_ones();
                let odd = odd_fields(empty);
                if left >= ORDERED {
                    return in_order(mine, theirs, moves, odd, at_least, effort);
                }
                let mut best = NOTHING;
                for mut fields in [moves & odd, moves & !odd] {
                    while fields != 0 {
                        let field = fields.trailing_zeros() as usize;
                        fields &= fields - 1;
                        let turned = lanes::flips(field, mine, theirs);
                        let (own, other) = (theirs ^ turned, mine | turned | 1 << field);
                        let worth = match left - 1 <= FEW {
                            true => -few(own, other, 1 - at_least, false, effort),
                            false => -many(own, other, 1 - at_least, false, effort)?,
                        };
                        if worth >= at_least {
                            return Some(worth);
                        }
                        best = best.max(worth);
                    }
                }
                Some(best)
            }

            /// All moves, those first that leave the opponent few.
            $(#[$attribute])?
            fn in_order(
                mine: u64,
                theirs: u64,
                mut moves: u64,
                odd: u64,
                at_least: i32,
                effort: &mut Effort,
            ) -> Option<i32> {
                let mut children = [(0_i32, 0_u64, 0_u64); 34];
                let mut count = 0;
                while moves != 0 && count < children.len() {
                    let field = moves.trailing_zeros() as usize;
                    moves &= moves - 1;
                    let turned = lanes::flips(field, mine, theirs);
                    let (own, other) = (theirs ^ turned, mine | turned | 1 << field);
                    let replies = lanes::moves(own, other);
                    let mobility = (replies.count_ones() + (replies & CORNERS).count_ones()) as i32;
                    let rank = 4 * mobility - 3 * i32::from(odd >> field & 1 != 0);
                    let mut place = count;
                    while place > 0 && children[place - 1].0 > rank {
                        children[place] = children[place - 1];
                        place -= 1;
                    }
                    children[place] = (rank, own, other);
                    count += 1;
                }
                let mut best = NOTHING;
                for &(_, own, other) in &children[..count] {
                    let worth = -many(own, other, 1 - at_least, false, effort)?;
                    if worth >= at_least {
                        return Some(worth);
                    }
                    best = best.max(worth);
                }
                Some(best)
            }

            $(#[$attribute])?
            pub(super) fn worth(mine: u64, theirs: u64, at_least: i32, effort: &mut Effort) -> Option<i32> {
                let empty = !(mine | theirs);
                match empty.count_ones() {
                    0 => {
                        effort.nodes += 1;
                        Some(lead(mine, theirs))
                    }
                    1 => Some(one(mine, theirs, empty.trailing_zeros() as usize, effort)),
                    2 => Some(two(mine, theirs, empty, at_least, effort)),
                    3..=FEW => Some(few(mine, theirs, at_least, false, effort)),
                    _ => many(mine, theirs, at_least, false, effort),
                }
            }
        }
    };
}

last_moves!(portable, super::super::rays::portable, super::counted_by_flips);
#[cfg(target_arch = "x86_64")]
last_moves!(
    wide,
    super::super::rays::avx2,
    super::super::rays::lines,
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
);

/// How many discs a move turns over, on any processor.
mod counted_by_flips {
    use super::super::rays::portable::flips;

    #[inline(always)]
    pub(super) fn turned(field: usize, mine: u64, theirs: u64) -> i32 {
        flips(field, mine, theirs).count_ones() as i32
    }
}

#[allow(unsafe_code)]
fn worth(position: &Othello, at_least: i32, effort: &mut Effort) -> Option<i32> {
    #[cfg(target_arch = "x86_64")]
    if crate::processor::is_wide() {
        // SAFETY: the processor has the features that the function was compiled for.
        return unsafe { wide::worth(position.mine, position.theirs, at_least, effort) };
    }
    portable::worth(position.mine, position.theirs, at_least, effort)
}

/// Settles a position, unless that takes too many nodes.
pub(super) fn settle(position: &Othello, at_least: i64, nodes_max: u64) -> Settled {
    let mut effort = Effort { nodes: 0, most: nodes_max };
    let at_least = at_least.clamp(-65, 65) as i32;
    let worth = worth(position, at_least, &mut effort);
    Settled { worth: worth.map(i64::from), nodes: effort.nodes }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::perft::Perft;
    use crate::random::Random;

    /// All lines, without windows.
    fn truth(position: &Othello, passed: bool) -> i32 {
        let (mine, theirs) = (position.mine, position.theirs);
        let mut moves = super::super::rays::portable::moves(mine, theirs);
        if moves == 0 {
            return if passed { lead(mine, theirs) } else { -truth(&position.passed(), true) };
        }
        let mut best = NOTHING;
        while moves != 0 {
            let field = moves.trailing_zeros() as usize;
            moves &= moves - 1;
            let turned = super::super::rays::portable::flips(field, mine, theirs);
            best = best.max(-truth(&position.after(field, turned), false));
        }
        best
    }

    /// The last seven fields of random games: both versions say what following all lines says.
    #[test]
    fn last_moves_are_worth_what_all_lines_say() {
        let mut random = Random::new(5);
        for _ in 0..300 {
            let mut position = Othello::start();
            let (mut after_pass, left) = (false, random.below(8));
            while (!(position.mine | position.theirs)).count_ones() > left {
                let moves = super::super::rays::portable::moves(position.mine, position.theirs);
                if moves == 0 {
                    if after_pass {
                        break;
                    }
                    (after_pass, position) = (true, position.passed());
                    continue;
                }
                after_pass = false;
                let field = crate::select::portable::nth(moves, random.below(moves.count_ones()));
                let field = field.trailing_zeros() as usize;
                let turned = super::super::rays::portable::flips(field, position.mine, position.theirs);
                position = position.after(field, turned);
            }
            let truth = i64::from(truth(&position, false));
            for at_least in [-70, truth - 9, truth - 1, truth, truth + 1, truth + 5, 70] {
                let settled = settle(&position, at_least, u64::MAX).worth.expect("there is no limit");
                let mut effort = Effort { nodes: 0, most: u64::MAX };
                let clamped = at_least.clamp(-65, 65) as i32;
                let other = portable::worth(position.mine, position.theirs, clamped, &mut effort);
                assert_eq!(Some(settled as i32), other, "{position:?} {at_least}");
                assert_eq!(settled >= at_least, truth >= at_least, "{position:?} {at_least}: {settled}");
                assert!(if settled >= at_least { settled <= truth } else { settled >= truth });
            }
        }
        assert_eq!(settle(&Othello::start(), 0, 1000).worth, None);
    }
}
