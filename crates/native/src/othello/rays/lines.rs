//! How many discs a move on the last empty field turns over: the four lines through it, each by a table. For processors
//! that gather the bits of a line in one instruction.

use std::arch::x86_64::_pext_u64;

/// By the place of the field on its line and the mover's discs there: how many discs are turned over if all others are
/// the opponent's.
static TURNED: [[u8; 256]; 8] = {
    let mut turned = [[0; 256]; 8];
    let mut place = 0;
    while place < 8 {
        let mut mine = 0;
        while mine < 256 {
            turned[place][mine] = on_line(place as i32, mine, 1) + on_line(place as i32, mine, -1);
            mine += 1;
        }
        place += 1;
    }
    turned
};

const fn on_line(place: i32, mine: usize, step: i32) -> u8 {
    let (mut at, mut count) = (place + step, 0);
    while at >= 0 && at < 8 {
        if mine >> at & 1 != 0 {
            return count;
        }
        count += 1;
        at += step;
    }
    0
}

/// The four lines through a field, and the field's place on each.
static LINES: [[(u64, u8); 4]; 64] = {
    let mut lines = [[(0, 0); 4]; 64];
    let steps = [(1, 0), (0, 1), (-1, 1), (1, 1)];
    let mut field = 0;
    while field < 64 {
        let mut lane = 0;
        while lane < 4 {
            let (right, up) = steps[lane];
            let below = super::ray(field, -right, -up);
            let all = below | super::ray(field, right, up) | 1 << field;
            lines[field][lane] = (all, below.count_ones() as u8);
            lane += 1;
        }
        field += 1;
    }
    lines
};

/// How many discs a move on the only empty field turns over.
#[target_feature(enable = "bmi2,popcnt")]
#[inline]
pub(in crate::othello) fn turned(field: usize, mine: u64, _theirs: u64) -> i32 {
    let mut sum = 0;
    for (line, place) in LINES[field & 63] {
        sum += i32::from(TURNED[usize::from(place & 7)][_pext_u64(mine, line) as usize & 255]);
    }
    sum
}
