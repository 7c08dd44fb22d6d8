//! The games behind the contract: tree sizes, taking back, signatures along random games, notation.

#![allow(clippy::unwrap_used)]

use game::moves::MoveList;
use game::{Game, Outcome, PieceCode, Position, Signature, Stage, fen, notation, text};
use native::{NativeCheckers, NativeChess, NativeConnect4, NativeCube, NativeOthello, NativeSliding};

type NativePuzzle15 = NativeSliding<4, 1>;
type NativePuzzle24 = NativeSliding<5, 1>;
type NativeDoubleBlank = NativeSliding<4, 2>;

fn perft<G: Game>(game: &G, position: &mut G::Position, depth: u32) -> u64 {
    let mut moves = MoveList::new();
    game.generate(position, Stage::All, &mut moves).unwrap();
    if depth == 1 {
        assert_eq!(game.count(position, &mut MoveList::new()).unwrap(), moves.len());
        return moves.len() as u64;
    }
    let mut leaves = 0;
    for played in moves.iter().filter(|played| played.head.outcome().is_none()) {
        game.play(position, played);
        leaves += perft(game, position, depth - 1);
        game.take_back(position, played);
    }
    leaves
}

fn start<G: Game>(game: &G) -> Position {
    game.info().start.clone().unwrap()
}

fn check_perft<G: Game>(game: &G, position: &Position, expected: &[u64]) {
    for (depth, &leaves) in (1..).zip(expected) {
        let mut packed = game.pack(position);
        assert_eq!(perft(game, &mut packed, depth), leaves, "{} at depth {depth}", game.info().name);
        assert_eq!(&game.unpack(&packed), position);
    }
}

/// Plays random games; at every position tries every move, and compares with the plain position at each turn.
fn check_random_games<G: Game>(game: &G, games: u64, plies: u32) {
    let info = game.info();
    let mut random = fastrand::Rng::with_seed(1);
    let (mut moves, mut stage_moves) = (MoveList::new(), MoveList::new());
    for _ in 0..games {
        let mut plain = start(game);
        let mut position = game.pack(&plain);
        for _ in 0..plies {
            check_same(game, &position, &plain);
            let finished = game.generate(&position, Stage::All, &mut moves).unwrap();
            assert_eq!(finished.is_none(), !moves.is_empty(), "{}", text::write(info, &plain));
            if finished.is_some() {
                break;
            }
            let mut staged = 0;
            for stage in [Stage::Forcing, Stage::Quiet] {
                assert_eq!(game.generate(&position, stage, &mut stage_moves).unwrap(), None);
                assert!(stage_moves.iter().all(|played| played.head.forcing() == (stage == Stage::Forcing)));
                staged += stage_moves.len();
            }
            assert_eq!(staged, moves.len());
            for (index, played) in moves.iter().enumerate() {
                assert!(moves.iter().take(index).all(|other| !other.same_as(played)), "no two are the same");
                assert!(game.is_legal(&position, played, &mut stage_moves).unwrap());
                assert!(played.changes.windows(2).all(|pair| pair[0].slot() < pair[1].slot()));
                let mut after = position.clone();
                let mut plain_after = plain.clone();
                game.play(&mut after, played);
                plain_after.play(info, played);
                check_same(game, &after, &plain_after);
                game.take_back(&mut after, played);
                check_same(game, &after, &plain);
                // A copy that does not remember where it came from can go back as well.
                game.play(&mut after, played);
                let mut copy = after.clone();
                game.take_back(&mut copy, played);
                check_same(game, &copy, &plain);
            }
            let played = moves.get(random.usize(..moves.len()));
            if played.head.outcome().is_some() {
                break;
            }
            game.play(&mut position, played);
            plain.play(info, played);
        }
    }
}

fn check_same<G: Game>(game: &G, position: &G::Position, plain: &Position) {
    let info = game.info();
    assert_eq!(&game.unpack(position), plain, "{}", text::write(info, plain));
    assert_eq!(game.signature(position), plain.recomputed_signature(info));
    assert_eq!(plain.signature(), plain.recomputed_signature(info));
    assert_eq!(game.mover(position), plain.mover());
    assert_eq!(&fen::read(info, &fen::write(info, plain)).unwrap(), plain);
    game.evaluate(position).unwrap();
    check_bytes(game, position);
}

/// What was written is read: the same position with the same moves in the same order. What is no position is refused.
fn check_bytes<G: Game>(game: &G, position: &G::Position) {
    let mut bytes = Vec::new();
    game.write(position, &mut bytes);
    assert_eq!(bytes.len(), game.position_bytes());
    let copy = game.read(&bytes).unwrap();
    assert_eq!(game.unpack(&copy), game.unpack(position));
    assert_eq!(game.signature(&copy), game.signature(position));
    let (mut moves, mut of_copy) = (MoveList::new(), MoveList::new());
    let ends = [(position, &mut moves), (&copy, &mut of_copy)]
        .map(|(position, list)| game.generate(position, Stage::All, list).unwrap());
    assert_eq!(ends[0], ends[1]);
    assert!(moves.iter().eq(of_copy.iter()));
    bytes[1] = 200;
    assert!(game.read(&bytes).is_none());
    assert!(game.read(&bytes[1..]).is_none());
}

fn names<G: Game>(game: &G, position: &Position) -> Vec<String> {
    let mut moves = MoveList::new();
    game.generate(&game.pack(position), Stage::All, &mut moves).unwrap();
    let mut names = notation::short_forms(game.info(), position, &moves);
    names.sort();
    names
}

#[test]
fn othello() {
    let game = NativeOthello::new();
    check_perft(&game, &start(&game), &[4, 12, 56, 244, 1_396, 8_200, 55_092, 390_216]);
    check_random_games(&game, 20, 70);
    assert_eq!(names(&game, &start(&game)), ["c4", "d3", "e6", "f5"]);
}

#[test]
fn a_useless_pass_ends_othello_with_the_score() {
    let game = NativeOthello::new();
    let board = "X".repeat(63) + "- O";
    let stuck = fen::read(game.info(), &board).unwrap();
    let mut moves = MoveList::new();
    assert_eq!(game.generate(&game.pack(&stuck), Stage::All, &mut moves), Ok(None));
    assert_eq!(moves.len(), 1);
    assert_eq!(moves.get(0).head.outcome(), Some(Outcome::Score(-63)));
}

#[test]
fn a_full_board_of_othello_needs_no_pass() {
    let game = NativeOthello::new();
    let board = "X".repeat(40) + &"O".repeat(24) + " O";
    let full = game.pack(&fen::read(game.info(), &board).unwrap());
    for stage in [Stage::All, Stage::Forcing, Stage::Quiet] {
        let outcome = game.generate(&full, stage, &mut MoveList::new());
        assert_eq!(outcome, Ok(Some(Outcome::Score(-16))));
    }
    assert_eq!(game.count(&full, &mut MoveList::new()), Ok(0));
}

#[test]
fn connect4() {
    let game = NativeConnect4::new();
    check_perft(&game, &start(&game), &[7, 49, 343, 2_401, 16_807, 117_649, 823_536]);
    check_random_games(&game, 50, 50);
    assert_eq!(names(&game, &start(&game)), ["a1", "b1", "c1", "d1", "e1", "f1", "g1"]);
}

#[test]
fn checkers() {
    let game = NativeCheckers::new();
    check_perft(&game, &start(&game), &[7, 49, 302, 1_469, 7_361, 36_768, 179_740, 845_931]);
    check_random_games(&game, 100, 100);
    assert_eq!(names(&game, &start(&game)).len(), 7);
}

#[test]
fn ways_round_a_diamond_are_two_moves() {
    let game = NativeCheckers::new();
    // White's king on 30 (c1) can jump over four men in a circle, both ways.
    let position = fen::read(game.info(), "W:WK30:B25,26,17,18").unwrap();
    let mut moves = MoveList::new();
    game.generate(&game.pack(&position), Stage::All, &mut moves).unwrap();
    assert_eq!(moves.len(), 2);
    let difference = |index: usize| moves.get(index).head.signature_difference;
    assert_eq!(difference(0), difference(1));
    assert!(!moves.get(0).same_as(moves.get(1)));
}

#[test]
fn sliding_tiles() {
    let game = NativePuzzle15::new();
    check_perft(&game, &start(&game), &[2, 6, 18, 58, 186, 602, 1_946, 6_298]);
    check_random_games(&game, 5, 80);
    assert_eq!(fen::write(game.info(), &start(&game)), "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15");
    assert_eq!(names(&game, &start(&game)), ["a3a4", "b4a4"]);
    check_random_games(&NativePuzzle24::new(), 5, 80);
    check_random_games(&NativeDoubleBlank::new(), 5, 80);
    check_perft(&NativeDoubleBlank::new(), &start(&NativeDoubleBlank::new()), &[4, 20]);
}

#[test]
fn puzzles_know_their_distance_and_their_end() {
    let game = NativePuzzle15::ending_when_solved();
    let first_of_korf = fen::read(game.info(), "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3").unwrap();
    assert_eq!(game.evaluate(&game.pack(&first_of_korf)), Ok(41));
    let solved = game.pack(&start(&game));
    assert_eq!(game.generate(&solved, Stage::All, &mut MoveList::new()), Ok(Some(Outcome::Win)));
}

#[test]
fn cube() {
    let game = NativeCube::new();
    check_perft(&game, &start(&game), &[18, 324, 5_832]);
    check_random_games(&game, 3, 40);
    assert_eq!(names(&game, &start(&game))[..3], ["B", "B'", "B2"]);
}

#[test]
fn solvers_see_the_pieces_of_hand_written_puzzles() {
    use game::Motion;
    let motion = Motion::of(&NativeCube::new()).unwrap();
    let kinds: Vec<(usize, usize)> =
        motion.kinds.iter().map(|kind| (kind.pieces.len(), kind.twists)).collect();
    assert_eq!((motion.modes.len(), kinds), (1, vec![(8, 3), (12, 2)]));
    let motion = Motion::of(&NativeDoubleBlank::new()).unwrap();
    assert_eq!((motion.modes.len(), motion.pieces()), (120, 14));
}

/// Different positions by distance are known: 1, 18, 243, 3240, 43239.
#[test]
fn cube_positions_by_distance() {
    use native::{Cube, Perft};
    let mut seen = std::collections::HashSet::from([Cube::start().signature()]);
    let mut layer = vec![Cube::start()];
    for expected in [18, 243, 3_240, 43_239] {
        let children = layer.iter().flat_map(|cube| (0..18).map(|turn| cube.turned(turn)));
        layer = children.filter(|cube| seen.insert(cube.signature())).collect();
        assert_eq!(layer.len(), expected);
    }
}

/// The superflip, and the known way back from it in twenty turns.
#[test]
fn cube_superflip_is_solved_by_its_solution() {
    use native::{Cube, Perft};
    let turn_all = |cube: Cube, turns: &str| {
        turns.split_whitespace().fold(cube, |cube, name| {
            let face = native::cube::FACES.iter().position(|&face| name.starts_with(face)).unwrap();
            let angle = if name.ends_with('2') { 1 } else { 2 * usize::from(name.ends_with('\'')) };
            cube.turned(3 * face + angle)
        })
    };
    let flipped = turn_all(Cube::start(), "U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2");
    assert_eq!(NativeCube::new().evaluate(&flipped), Ok(3));
    let solved = turn_all(flipped, "F2 U2 B2 L' R F' R2 D U R' B2 L' U2 R' B2 R' B' F' R2 U'");
    assert_eq!(solved, Cube::start());
}

#[test]
fn chess() {
    let game = NativeChess::new();
    check_perft(&game, &start(&game), &[20, 400, 8_902, 197_281]);
    let check = |text: &str, expected: &[u64]| {
        check_perft(&game, &fen::read(game.info(), text).unwrap(), expected);
    };
    check("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", &[48, 2_039, 97_862]);
    check("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", &[14, 191, 2_812, 43_238]);
    check("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", &[6, 264, 9_467]);
    check("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", &[44, 1_486, 62_379]);
    check_random_games(&game, 4, 300);
}

#[test]
fn chess_moves_look_as_in_uci() {
    let game = NativeChess::new();
    let at_start = names(&game, &start(&game));
    assert_eq!(at_start.len(), 20);
    assert!(at_start.contains(&"e2e4".to_owned()) && at_start.contains(&"g1f3".to_owned()));
    let has = |position: &str, name: &str| {
        let names = names(&game, &fen::read(game.info(), position).unwrap());
        assert!(names.contains(&name.to_owned()), "{name} is not in {names:?}");
    };
    has("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1");
    has("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8c8");
    has("7k/P7/8/8/8/8/8/7K w - - 0 1", "a7a8q");
    has("7k/8/8/3pP3/8/8/8/7K w - d6 0 1", "e5d6");
}

#[test]
fn chess_ends_by_mate_stalemate_and_the_fifty_move_rule() {
    let game = NativeChess::new();
    let outcome = |position: &str| {
        let position = fen::read(game.info(), position).unwrap();
        game.generate(&game.pack(&position), Stage::All, &mut MoveList::new()).unwrap()
    };
    assert_eq!(outcome("R5k1/5ppp/8/8/8/8/8/7K b - - 0 1"), Some(Outcome::Loss));
    assert_eq!(outcome("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), Some(Outcome::Draw));
    assert_eq!(outcome("7k/8/6K1/8/8/8/8/R7 b - - 100 80"), Some(Outcome::Draw));
    assert_eq!(outcome("7k/8/6K1/8/8/8/8/R7 b - - 99 80"), None);
}

#[test]
fn en_passant_is_kept_only_where_a_pawn_is_ready() {
    let game = NativeChess::new();
    let after = |position: &str, name: &str| {
        let plain = fen::read(game.info(), position).unwrap();
        let mut position = game.pack(&plain);
        let mut moves = MoveList::new();
        game.generate(&position, Stage::All, &mut moves).unwrap();
        let index = notation::find(game.info(), &plain, &moves, name).unwrap();
        game.play(&mut position, moves.get(index));
        fen::write(game.info(), &game.unpack(&position))
    };
    let quiet = after("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e2e4");
    assert_eq!(quiet, "4k3/8/8/8/4P3/8/8/4K3 b - - 0 1");
    let ready = after("4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1", "e2e4");
    assert_eq!(ready, "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1");
}

/// The raw forms keep the contract's signatures.
#[test]
fn raw_starts_have_the_signatures_of_the_contract() {
    use native::{Checkers, Connect4, Cube, DoubleBlank, Othello, Perft, Puzzle15, Puzzle24};
    fn check<G: Game>(game: &G, signature: u64) {
        assert_eq!(start(game).recomputed_signature(game.info()), Signature(signature));
        assert_eq!(start(game).piece(0) == PieceCode::UNUSED, !game.info().geometry.is_used(0));
    }
    check(&NativeOthello::new(), Othello::start().signature());
    check(&NativeConnect4::new(), Connect4::start().signature());
    check(&NativeCheckers::new(), Checkers::start().signature());
    check(&NativePuzzle15::new(), Puzzle15::start().signature());
    check(&NativePuzzle24::new(), Puzzle24::start().signature());
    check(&NativeDoubleBlank::new(), DoubleBlank::start().signature());
    check(&NativeCube::new(), Cube::start().signature());
}
