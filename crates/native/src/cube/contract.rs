//! Rubik's cube behind the contract: a net of 54 facelets.
//!
//! ```text
//!    UUU
//!    UUU
//!    UUU
//! LLLFFFRRRBBB
//! LLLFFFRRRBBB
//! LLLFFFRRRBBB
//!    DDD
//!    DDD
//!    DDD
//! ```

use game::moves::{Change, MoveList, MoveView};
use game::notation::{GivenNames, Namer};
use game::text::PositionError;
use game::{Colour, Game, GameInfo, Geometry, Move, Outcome, Position, RuleFault, Signature, Stage};

use super::tables::{
    CORNER_FACELETS, COUNT_CORNERS, COUNT_EDGES, EDGE_FACELETS, NET_COLUMNS, NET_ROWS, field,
};
use super::{CORNER_TWIST, CORNERS, Cube, EDGE_TWIST, FACES, TURNS};
use crate::declare::{head, one_player, push_sorted};
use crate::perft::Perft;

/// Rubik's cube for searches; a face turn by any angle is one move.
pub struct NativeCube {
    info: GameInfo,
    ends_when_solved: bool,
}

impl NativeCube {
    /// The cube; it goes on when solved, so that move sequences from the solved position can be counted.
    #[must_use]
    pub fn new() -> NativeCube {
        let mut used = vec![false; NET_COLUMNS * NET_ROWS];
        (0..54).for_each(|facelet| used[field(facelet)] = true);
        let colours = FACES.map(|face| (face.to_lowercase().to_string(), face));
        let info = one_player("rubik", Geometry::new(NET_COLUMNS, NET_ROWS, used, &[]), &colours);
        let mut game = NativeCube { info, ends_when_solved: false };
        game.info.start = Some(game.unpack(&Cube::start()));
        let plain = NativeCube { info: game.info.clone(), ends_when_solved: false };
        game.info.given_names = GivenNames::new(TurnNames(plain));
        game
    }

    /// The cube as a solver wants it: the solved position is the end, and won.
    #[must_use]
    pub fn ending_when_solved() -> NativeCube {
        NativeCube { ends_when_solved: true, ..NativeCube::new() }
    }
}

/// Singmaster's letters: `U`, `U2`, `U'`, …
struct TurnNames(NativeCube);

impl Namer for TurnNames {
    fn names(&self, position: &Position) -> Vec<(Move, String)> {
        let mut moves = MoveList::new();
        if self.0.accepts(position).is_err()
            || self.0.generate(&self.0.pack(position), Stage::All, &mut moves).is_err()
        {
            return Vec::new();
        }
        let name = |turn: usize| format!("{}{}", FACES[turn / 3], ["", "2", "'"][turn % 3]);
        moves.iter().enumerate().map(|(turn, played)| (played.to_move(), name(turn))).collect()
    }
}

impl Default for NativeCube {
    fn default() -> NativeCube {
        NativeCube::new()
    }
}

/// The colours of all facelets.
fn facelets(cube: &Cube) -> [u8; 54] {
    let bytes = cube.bytes();
    let mut colours = [0; 54];
    (0..6).for_each(|face| colours[9 * face + 4] = face as u8);
    for (place, here) in EDGE_FACELETS.iter().enumerate() {
        let (cubie, twist) = (bytes[place] % EDGE_TWIST, bytes[place] / EDGE_TWIST);
        for (side, own) in EDGE_FACELETS[usize::from(cubie)].iter().enumerate() {
            colours[here[(side + usize::from(twist)) % 2]] = (own / 9) as u8;
        }
    }
    for (place, here) in CORNER_FACELETS.iter().enumerate() {
        let byte = bytes[CORNERS + place];
        let (cubie, twist) = (byte % CORNER_TWIST, byte / CORNER_TWIST);
        for (side, own) in CORNER_FACELETS[usize::from(cubie)].iter().enumerate() {
            colours[here[(side + usize::from(twist)) % 3]] = (own / 9) as u8;
        }
    }
    colours
}

/// The cubie and twist whose colours these are; the colours are given in the order of the place's facelets.
fn find_cubie<const SIDES: usize>(cubies: &[[usize; SIDES]], colours: [u8; SIDES], unit: u8) -> Option<u8> {
    (0..SIDES).find_map(|twist| {
        let fits = |own: &[usize; SIDES]| {
            (0..SIDES).all(|side| own[side] / 9 == usize::from(colours[(side + twist) % SIDES]))
        };
        cubies.iter().position(fits).map(|cubie| cubie as u8 + unit * twist as u8)
    })
}

/// The corners and edges that show these colours.
fn cubies(position: &Position) -> Option<[u8; 32]> {
    let colour = |facelet: usize| (position.get(field(facelet)) - 1) as u8;
    let mut bytes = [0; 32];
    for place in 0..COUNT_EDGES {
        bytes[place] = find_cubie(&EDGE_FACELETS, EDGE_FACELETS[place].map(colour), EDGE_TWIST)?;
    }
    for place in 0..COUNT_CORNERS {
        let found = find_cubie(&CORNER_FACELETS, CORNER_FACELETS[place].map(colour), CORNER_TWIST);
        bytes[CORNERS + place] = found?;
    }
    Some(bytes)
}

/// The turn of the face whose centre is the move's lead that makes this difference, and what it leads to.
fn find_turn(cube: &Cube, played: MoveView<'_>) -> Option<Cube> {
    let face = (0..6).find(|face| field(9 * face + 4) == usize::from(played.head.lead))?;
    let after = (3 * face..3 * face + 3).map(|turn| cube.turned(turn));
    let difference = played.head.signature_difference.0;
    after.into_iter().find(|after| after.signature ^ cube.signature == difference)
}

impl Game for NativeCube {
    type Position = Cube;

    fn info(&self) -> &GameInfo {
        &self.info
    }

    fn accepts(&self, position: &Position) -> Result<(), PositionError> {
        let message = "the colours are not those of a cube's corners and edges".to_owned();
        cubies(position).map(|_| ()).ok_or(PositionError { message })
    }

    /// # Panics
    /// If the colours are not those of a cube's corners and edges.
    fn pack(&self, position: &Position) -> Cube {
        let bytes = cubies(position).expect("the colours are those of corners and edges");
        Cube::from_bytes(&bytes, position.signature().0)
    }

    fn unpack(&self, position: &Cube) -> Position {
        let mut plain = Position::empty(&self.info);
        for (facelet, colour) in facelets(position).into_iter().enumerate() {
            plain.set(&self.info, field(facelet), i32::from(colour) + 1);
        }
        plain
    }

    fn mover(&self, _: &Cube) -> Colour {
        Colour::White
    }

    fn signature(&self, position: &Cube) -> Signature {
        Signature(position.signature)
    }

    fn generate(
        &self,
        position: &Cube,
        stage: Stage,
        list: &mut MoveList,
    ) -> Result<Option<Outcome>, RuleFault> {
        list.clear();
        if self.ends_when_solved && position.cubies == Cube::start().cubies {
            return Ok(Some(Outcome::Win));
        }
        if stage == Stage::Forcing {
            return Ok(None);
        }
        let before = facelets(position);
        for turn in 0..TURNS {
            let turned = position.turned(turn);
            let after = facelets(&turned);
            let mut changes: Vec<Change> = (0..54)
                .filter(|&facelet| before[facelet] != after[facelet])
                .map(|facelet| {
                    let code = |colour: u8| i32::from(colour) + 1;
                    Change::new_value(field(facelet), code(before[facelet]), code(after[facelet]))
                })
                .collect();
            let lead = field(turn / 3 * 9 + 4) as u16;
            push_sorted(list, head(position.signature ^ turned.signature, lead), &mut changes);
        }
        Ok(None)
    }

    fn play(&self, position: &mut Cube, played: MoveView<'_>) {
        *position = find_turn(position, played).expect("the move is one of this cube's turns");
    }

    fn take_back(&self, position: &mut Cube, played: MoveView<'_>) {
        // Among the turns of a face there is the inverse of each.
        *position = find_turn(position, played).expect("the move led to this cube");
    }

    fn goal(&self) -> Option<Vec<u128>> {
        let mut codes = vec![1; NET_COLUMNS * NET_ROWS];
        let solved = facelets(&Cube::start());
        solved.iter().enumerate().for_each(|(facelet, colour)| codes[field(facelet)] = 2 << colour);
        Some(codes)
    }

    fn interchangeable(&self) -> u128 {
        // All six colours.
        0b111_1110
    }

    /// A turn moves four corners and four edges: at least a quarter of those out of place are turns to go.
    fn evaluate(&self, position: &Cube) -> Result<i32, RuleFault> {
        let (now, solved) = (position.bytes(), Cube::start().bytes());
        let wrong =
            |places: std::ops::Range<usize>| places.filter(|&place| now[place] != solved[place]).count();
        let edges = wrong(0..COUNT_EDGES).div_ceil(4);
        let corners = wrong(CORNERS..CORNERS + COUNT_CORNERS).div_ceil(4);
        Ok(edges.max(corners) as i32)
    }
}
