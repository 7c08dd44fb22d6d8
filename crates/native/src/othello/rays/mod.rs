//! Which moves there are, and which discs a move turns over: eight rays at a time where the processor can.

#[cfg(target_arch = "x86_64")]
pub(super) mod avx2;
#[cfg(target_arch = "x86_64")]
pub(super) mod lines;
pub(super) mod portable;

/// Columns b to g: discs on the edge columns do not carry a ray sideways.
const INNER_COLUMNS: u64 = 0x7e7e_7e7e_7e7e_7e7e;

/// Steps to the east, north, north-west and north-east.
const STEPS: [(i32, i32); 4] = [(1, 0), (0, 1), (-1, 1), (1, 1)];

/// How far such a step is from bit to bit.
const SHIFTS: [u32; 4] = [1, 8, 7, 9];

/// For every field the rays in the directions of [`STEPS`], then those in the opposite directions.
static RAYS: [([u64; 4], [u64; 4]); 64] = {
    let mut rays = [([0; 4], [0; 4]); 64];
    let mut field = 0;
    while field < 64 {
        let mut lane = 0;
        while lane < 4 {
            rays[field].0[lane] = ray(field, STEPS[lane].0, STEPS[lane].1);
            rays[field].1[lane] = ray(field, -STEPS[lane].0, -STEPS[lane].1);
            lane += 1;
        }
        field += 1;
    }
    rays
};

const fn ray(field: usize, right: i32, up: i32) -> u64 {
    let (mut column, mut row) = (field as i32 % 8 + right, field as i32 / 8 + up);
    let mut set = 0;
    while column >= 0 && column < 8 && row >= 0 && row < 8 {
        set |= 1 << (row * 8 + column);
        column += right;
        row += up;
    }
    set
}
