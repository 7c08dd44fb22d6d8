//! Everything about the cube that is known before it is turned, worked out at compile time from the six
//! clockwise quarter turns.
//!
//! Corners: URF UFL ULB UBR DFR DLF DBL DRB. Edges: UR UF UL UB DR DF DL DB FR FL BL BR.

use game::signature::mixed as key;

use super::{CORNER_TWIST, CORNERS, Cubies, EDGE_TWIST, TURNS};

/// How many corners there are.
pub(super) const COUNT_CORNERS: usize = 8;
/// How many edges there are.
pub(super) const COUNT_EDGES: usize = 12;

/// The facelets of the corners, by place: nine times the face plus the number within the face, in reading
/// order. The first one is the facelet of the upper or lower face.
pub(super) const CORNER_FACELETS: [[usize; 3]; COUNT_CORNERS] = [
    [8, 9, 20],
    [6, 18, 38],
    [0, 36, 47],
    [2, 45, 11],
    [29, 26, 15],
    [27, 44, 24],
    [33, 53, 42],
    [35, 17, 51],
];

/// The facelets of the edges, by place.
pub(super) const EDGE_FACELETS: [[usize; 2]; COUNT_EDGES] = [
    [5, 10],
    [7, 19],
    [3, 37],
    [1, 46],
    [32, 16],
    [28, 25],
    [30, 43],
    [34, 52],
    [23, 12],
    [21, 41],
    [50, 39],
    [48, 14],
];

/// A quarter turn: from which place the cubie of each place comes, and how much it is twisted on the way.
struct Quarter {
    corners: [u8; COUNT_CORNERS],
    corner_twists: [u8; COUNT_CORNERS],
    edges: [u8; COUNT_EDGES],
    edge_twists: [u8; COUNT_EDGES],
}

const UNTWISTED: [u8; 8] = [0; 8];
const UNFLIPPED: [u8; 12] = [0; 12];

const QUARTERS: [Quarter; 6] = [
    Quarter {
        corners: [3, 0, 1, 2, 4, 5, 6, 7],
        corner_twists: UNTWISTED,
        edges: [3, 0, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11],
        edge_twists: UNFLIPPED,
    },
    Quarter {
        corners: [4, 1, 2, 0, 7, 5, 6, 3],
        corner_twists: [2, 0, 0, 1, 1, 0, 0, 2],
        edges: [8, 1, 2, 3, 11, 5, 6, 7, 4, 9, 10, 0],
        edge_twists: UNFLIPPED,
    },
    Quarter {
        corners: [1, 5, 2, 3, 0, 4, 6, 7],
        corner_twists: [1, 2, 0, 0, 2, 1, 0, 0],
        edges: [0, 9, 2, 3, 4, 8, 6, 7, 1, 5, 10, 11],
        edge_twists: [0, 1, 0, 0, 0, 1, 0, 0, 1, 1, 0, 0],
    },
    Quarter {
        corners: [0, 1, 2, 3, 5, 6, 7, 4],
        corner_twists: UNTWISTED,
        edges: [0, 1, 2, 3, 5, 6, 7, 4, 8, 9, 10, 11],
        edge_twists: UNFLIPPED,
    },
    Quarter {
        corners: [0, 2, 6, 3, 4, 1, 5, 7],
        corner_twists: [0, 1, 2, 0, 0, 2, 1, 0],
        edges: [0, 1, 10, 3, 4, 5, 9, 7, 8, 2, 6, 11],
        edge_twists: UNFLIPPED,
    },
    Quarter {
        corners: [0, 1, 3, 7, 4, 5, 2, 6],
        corner_twists: [0, 0, 1, 2, 0, 0, 2, 1],
        edges: [0, 1, 2, 11, 4, 5, 6, 10, 8, 9, 3, 7],
        edge_twists: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 1],
    },
];

/// The byte values that twists wrap at, by place.
pub(super) static PERIODS: Cubies = PERIODS_TABLE;
pub(super) const PERIODS_TABLE: Cubies = {
    let mut periods = [0; 32];
    let mut place = 0;
    while place < COUNT_EDGES {
        periods[place] = 2 * EDGE_TWIST;
        place += 1;
    }
    place = 0;
    while place < COUNT_CORNERS {
        periods[CORNERS + place] = 3 * CORNER_TWIST;
        place += 1;
    }
    periods
};

const QUARTER_FROM: [Cubies; 6] = {
    let mut table = [[0; 32]; 6];
    let mut face = 0;
    while face < 6 {
        let mut place = 0;
        while place < 16 {
            table[face][place] = if place < COUNT_EDGES { QUARTERS[face].edges[place] } else { place as u8 };
            table[face][CORNERS + place] =
                if place < COUNT_CORNERS { QUARTERS[face].corners[place] } else { place as u8 };
            place += 1;
        }
        face += 1;
    }
    table
};

const QUARTER_TWISTS: [Cubies; 6] = {
    let mut table = [[0; 32]; 6];
    let mut face = 0;
    while face < 6 {
        let mut place = 0;
        while place < COUNT_EDGES {
            table[face][place] = QUARTERS[face].edge_twists[place] * EDGE_TWIST;
            place += 1;
        }
        place = 0;
        while place < COUNT_CORNERS {
            table[face][CORNERS + place] = QUARTERS[face].corner_twists[place] * CORNER_TWIST;
            place += 1;
        }
        face += 1;
    }
    table
};

const fn wrapped(byte: u8, place: usize) -> u8 {
    if PERIODS_TABLE[place] > 0 { byte % PERIODS_TABLE[place] } else { byte }
}

/// From where (within its half) and with which twist the cubie of each place comes, by turn.
pub(super) const TURN_TABLES: ([Cubies; TURNS], [Cubies; TURNS]) = {
    let (mut from, mut twists) = ([[0; 32]; TURNS], [[0; 32]; TURNS]);
    let mut turn = 0;
    while turn < TURNS {
        let face = turn / 3;
        let mut place = 0;
        while place < 32 {
            // Go back through as many quarter turns as the turn has.
            let (mut at, mut twist, mut quarter) = (place, 0, 0);
            while quarter <= turn % 3 {
                twist = wrapped(twist + QUARTER_TWISTS[face][at], place);
                at = QUARTER_FROM[face][at] as usize + (place & 16);
                quarter += 1;
            }
            from[turn][place] = (at & 15) as u8;
            twists[turn][place] = twist;
            place += 1;
        }
        turn += 1;
    }
    (from, twists)
};

/// From where within its half the cubie of each place comes, by turn.
pub(super) static FROM: [Cubies; TURNS] = TURN_TABLES.0;
/// How much it is twisted on the way.
pub(super) static TWISTS: [Cubies; TURNS] = TURN_TABLES.1;

/// Columns and rows (from the top) of the faces' upper left corners in the net
///
/// ```text
///   U
/// L F R B
///   D
/// ```
const FACE_CORNERS: [(usize, usize); 6] = [(3, 0), (6, 3), (3, 3), (3, 6), (0, 3), (9, 3)];
/// The net's columns.
pub(super) const NET_COLUMNS: usize = 12;
/// The net's rows.
pub(super) const NET_ROWS: usize = 9;

/// The field of a facelet.
pub(super) const fn field(facelet: usize) -> usize {
    let (column, row) = FACE_CORNERS[facelet / 9];
    let (column, row) = (column + facelet % 3, row + facelet % 9 / 3);
    (NET_ROWS - 1 - row) * NET_COLUMNS + column
}

/// What a colour on a facelet adds to the signature.
const fn facelet_key(facelet: usize, colour: usize) -> u64 {
    key(field(facelet) as u32, colour as i32 + 1)
}

/// What a cubie on a place adds to the signature.
const PLACE_KEYS: [[u64; 32]; 32] = {
    let mut keys = [[0; 32]; 32];
    let mut place = 0;
    while place < COUNT_EDGES {
        let mut byte = 0;
        while byte < 32 {
            let (cubie, twist) = (byte % EDGE_TWIST as usize, byte / EDGE_TWIST as usize);
            if cubie < COUNT_EDGES {
                let (here, own) = (EDGE_FACELETS[place], EDGE_FACELETS[cubie]);
                keys[place][byte] =
                    facelet_key(here[twist], own[0] / 9) ^ facelet_key(here[1 - twist], own[1] / 9);
            }
            byte += 1;
        }
        place += 1;
    }
    place = 0;
    while place < COUNT_CORNERS {
        let mut byte = 0;
        while byte < 3 * CORNER_TWIST as usize {
            let (cubie, twist) = (byte % CORNER_TWIST as usize, byte / CORNER_TWIST as usize);
            let (here, own) = (CORNER_FACELETS[place], CORNER_FACELETS[cubie]);
            keys[CORNERS + place][byte] = facelet_key(here[twist], own[0] / 9)
                ^ facelet_key(here[(1 + twist) % 3], own[1] / 9)
                ^ facelet_key(here[(2 + twist) % 3], own[2] / 9);
            byte += 1;
        }
        place += 1;
    }
    keys
};

/// The signature of the solved cube.
pub(super) const SOLVED_SIGNATURE: u64 = {
    let mut sum = 0;
    let mut facelet = 0;
    while facelet < 54 {
        sum ^= facelet_key(facelet, facelet / 9);
        facelet += 1;
    }
    sum
};

const MOVED_TABLES: ([[u8; 8]; TURNS], [[[u64; 32]; 8]; TURNS]) = {
    let (mut places, mut keys) = ([[0; 8]; TURNS], [[[0; 32]; 8]; TURNS]);
    let mut turn = 0;
    while turn < TURNS {
        let (mut moved, mut place) = (0, 0);
        while place < 32 {
            let from = TURN_TABLES.0[turn][place] as usize + (place & 16);
            if from != place {
                places[turn][moved] = from as u8;
                let mut byte = 0;
                while byte < PERIODS_TABLE[place] as usize {
                    let after = wrapped(byte as u8 + TURN_TABLES.1[turn][place], place) as usize;
                    keys[turn][moved][byte] = PLACE_KEYS[from][byte] ^ PLACE_KEYS[place][after];
                    byte += 1;
                }
                moved += 1;
            }
            place += 1;
        }
        assert!(moved == 8);
        turn += 1;
    }
    (places, keys)
};

/// The places that the eight moving cubies leave, by turn.
pub(super) static MOVED: [[u8; 8]; TURNS] = MOVED_TABLES.0;
/// What each of them adds to the signature as it moves, by turn and byte.
pub(super) static MOVED_KEYS: [[[u64; 32]; 8]; TURNS] = MOVED_TABLES.1;
