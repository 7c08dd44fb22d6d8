//! Numbers for the ways in which some pieces can lie: every number below the size stands for exactly one of them.

use game::motion::Kind;

/// How the places and twists of some pieces of one kind become a number.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Index {
    places: usize,
    twists: usize,
    pieces: usize,
    /// Twists that are written down: if all pieces are there the last one follows from the others.
    twisted: usize,
    /// The twists of the last piece follow from this sum.
    sum: usize,
    /// By piece: the ways in which those behind it can lie once it does.
    behind: [usize; PIECES_MAX],
}

/// Places that are counted side by side in one word, four bits each, and in two words, five bits each.
const PLACES_OF_WORD: usize = 16;
const PLACES_OF_TWO: usize = 25;

/// By place: one in the fields of all places above it.
const ABOVE: [u64; PLACES_OF_WORD] = {
    let mut above = [0; PLACES_OF_WORD];
    let mut place = 0;
    while place < PLACES_OF_WORD - 1 {
        above[place] = 0x1111_1111_1111_1111 << (4 * (place + 1));
        place += 1;
    }
    above
};

/// The same with five bits each.
const ABOVE_OF_TWO: [u128; PLACES_OF_TWO] = {
    let mut above = [0; PLACES_OF_TWO];
    let mut place = 0;
    while place < PLACES_OF_TWO {
        let mut other = place + 1;
        while other < PLACES_OF_TWO {
            above[place] |= 1 << (5 * other);
            other += 1;
        }
        place += 1;
    }
    above
};

/// The numbers from 0 on, in fields of four bits and of five.
const IN_ORDER: u64 = 0xfedc_ba98_7654_3210;
const IN_ORDER_OF_TWO: u128 = {
    let (mut list, mut number) = (0, 0);
    while number < PLACES_OF_TWO {
        list |= (number as u128) << (5 * number);
        number += 1;
    }
    list
};

/// Pieces of a pattern at most.
pub const PIECES_MAX: usize = 16;

impl Index {
    /// The index of so many pieces of a kind.
    #[must_use]
    pub fn new(kind: &Kind, pieces: usize) -> Index {
        let follows = kind.twists > 1 && kind.keeps_twist && pieces == kind.places.len();
        let twisted = pieces - usize::from(follows);
        let places = kind.places.len();
        let mut behind = [1_usize; PIECES_MAX];
        for piece in (1..pieces.min(PIECES_MAX)).rev() {
            behind[piece - 1] = behind[piece].saturating_mul(places - piece);
        }
        Index { places, twists: kind.twists, pieces, twisted, sum: 0, behind }
    }

    /// How many numbers there are; `None` if there are more than can be counted.
    #[must_use]
    pub fn size(&self) -> Option<usize> {
        let ways = (0..self.pieces).try_fold(1_usize, |size, taken| size.checked_mul(self.places - taken))?;
        (0..self.twisted).try_fold(ways, |size, _| size.checked_mul(self.twists))
    }

    /// The number of a way to lie: place and twist of each piece, in the order of the pattern.
    #[must_use]
    #[inline]
    pub fn rank(&self, lies: impl Iterator<Item = (u8, u8)>) -> usize {
        let (mut order, mut twists) = (0, 0);
        let mut add = |number: usize, place: u8, before: usize, twist: u8| {
            order += (usize::from(place) - before) * self.behind[number % PIECES_MAX];
            if number < self.twisted {
                twists = twists * self.twists + usize::from(twist);
            }
        };
        // How many places before each one are taken already is kept for all of them side by side: that is less work
        // than to count bits.
        if self.places <= PLACES_OF_WORD {
            let mut taken = 0_u64;
            for (number, (place, twist)) in lies.enumerate() {
                add(number, place, (taken >> (4 * place) & 15) as usize, twist);
                taken = taken.wrapping_add(ABOVE[usize::from(place) % PLACES_OF_WORD]);
            }
        } else if self.places <= PLACES_OF_TWO {
            let mut taken = 0_u128;
            for (number, (place, twist)) in lies.enumerate() {
                add(number, place, (taken >> (5 * place) & 31) as usize, twist);
                taken = taken.wrapping_add(ABOVE_OF_TWO[usize::from(place) % PLACES_OF_TWO]);
            }
        } else {
            let mut taken = 0_u64;
            for (number, (place, twist)) in lies.enumerate() {
                add(number, place, (taken & ((1 << place) - 1)).count_ones() as usize, twist);
                taken |= 1 << place;
            }
        }
        if self.twists == 1 { order } else { order * self.twists.pow(self.twisted as u32) + twists }
    }

    /// The way to lie that has a number: place and twist of each piece.
    pub fn unrank(&self, index: usize, lies: &mut [(u8, u8); PIECES_MAX]) {
        let all = self.twists.pow(self.twisted as u32);
        let (mut order, mut twists) = (index / all, index % all);
        let mut sum = 0;
        for lie in lies[..self.twisted].iter_mut().rev() {
            lie.1 = (twists % self.twists) as u8;
            sum += twists % self.twists;
            twists /= self.twists;
        }
        for lie in &mut lies[self.twisted..self.pieces] {
            lie.1 = ((self.sum + self.twists - sum % self.twists) % self.twists) as u8;
        }
        let mut digits = [0_u8; PIECES_MAX];
        for number in (0..self.pieces).rev() {
            digits[number] = (order % (self.places - number)) as u8;
            order /= self.places - number;
        }
        let lies = lies[..self.pieces].iter_mut().zip(&digits);
        // The places that are left, side by side; the one that is taken is cut out.
        if self.places <= PLACES_OF_WORD {
            let mut left = IN_ORDER;
            for (lie, &digit) in lies {
                lie.0 = (left >> (4 * digit) & 15) as u8;
                let before = (1 << (4 * digit)) - 1;
                left = left & before | left >> 4 & !before;
            }
        } else if self.places <= PLACES_OF_TWO {
            let mut left = IN_ORDER_OF_TWO;
            for (lie, &digit) in lies {
                lie.0 = (left >> (5 * digit) & 31) as u8;
                let before = (1 << (5 * digit)) - 1;
                left = left & before | left >> 5 & !before;
            }
        } else {
            let mut free = u64::MAX >> (64 - self.places);
            for (lie, &digit) in lies {
                let mut left = free;
                for _ in 0..digit {
                    left &= left - 1;
                }
                lie.0 = left.trailing_zeros() as u8;
                free &= !(1 << lie.0);
            }
        }
    }

    /// How many pieces it is for.
    #[must_use]
    pub fn pieces(&self) -> usize {
        self.pieces
    }
}
