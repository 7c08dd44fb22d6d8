//! Lower bounds that rules state: never more than the truth, and worth something.

#![allow(clippy::unwrap_used)]

use std::collections::HashSet;

use game::motion::{Bounds, Motion};
use game::{Game, MoveList, Stage, text};
use jit::{Compiled, Options};
use search::one_player::added::Added;
use search::one_player::{
    Budget, PieceByPiece, Verdict, Wanted, depth_first, goal_position, moves_of, solve_motion,
};

fn load(name: &str) -> Compiled<128> {
    let path = format!("{}/../../games/sizes/{name}.mg", env!("CARGO_MANIFEST_DIR"));
    let source = lang::Source::new(name, std::fs::read_to_string(path).unwrap());
    let (program, _) = rules::compile(&source, None).unwrap();
    Compiled::new(&program, Options::default()).unwrap()
}

const LIMITS: Budget<'static> = Budget { nodes: None, bytes: 1 << 26, stop: &|| false };

#[test]
fn of_the_eight_puzzle_for_all_positions() {
    let game = load("puzzle8_conflicts");
    let mut moves = MoveList::new();
    let mut level = vec![goal_position(&game).unwrap()];
    let (motion, solved) = (Motion::of(&game).unwrap(), game.unpack(&level[0]));
    let added = Added::new(&game, &motion, &motion.goal, &solved).unwrap();
    let mut seen = HashSet::from([game.signature(&level[0])]);
    let (mut distance, mut sum) = (0, 0);
    while !level.is_empty() {
        let mut next = Vec::new();
        for position in &mut level {
            let bound = game.lower_bound(position).unwrap();
            assert!(bound <= distance && (distance - bound).is_multiple_of(2), "{bound} of {distance}");
            assert_eq!(bound == 0, distance == 0);
            sum += bound;
            // The same from parts, worked out anew and kept up to date.
            let state = motion.state(&game.unpack(position)).unwrap();
            let kept = added.begin(&state.at);
            assert_eq!(added.value(kept), bound);
            for operator in &motion.modes[usize::from(state.mode)] {
                let ((from, to), after) = (operator.carries[0], motion.after(&state, operator));
                let piece = state.at.iter().position(|&site| site == from).unwrap() as u8;
                let mut at = [0; 64];
                at[..after.at.len()].copy_from_slice(&after.at);
                let one = added.value(added.after(kept, piece, from, to, &at));
                assert_eq!(one, added.value(added.begin(&after.at)));
            }
            game.generate(position, Stage::All, &mut moves).unwrap();
            for played in moves.iter() {
                game.play(position, played);
                if seen.insert(game.signature(position)) {
                    next.push(*position);
                }
                game.take_back(position, played);
            }
        }
        level = next;
        distance += 1;
    }
    // 31 moves at most; a second implementation has added up the same. Distances alone make 2,540,160, the truth is
    // 3,986,672.
    assert_eq!((seen.len(), distance, sum), (181_440, 32, 2_924_110));
}

/// Walks along a shortest solution; returns its length and the first bound.
fn along_a_solution(game: &impl Game, position: &str) -> (usize, u32) {
    let motion = Motion::of(game).unwrap();
    let start = text::read(game.info(), position).unwrap();
    let state = motion.state(&start).unwrap();
    let bounds = PieceByPiece::new(&motion);
    let found = solve_motion(&motion, &state, &bounds, Wanted::One, &LIMITS, &mut |_, _| {});
    let Verdict::Solved(lines) = found.verdict else { panic!() };
    let mut packed = game.pack(&start);
    let line = moves_of(game, &motion, &packed, &lines[0]).unwrap().unwrap();
    let first = game.lower_bound(&packed).unwrap();
    for (made, played) in line.iter().enumerate() {
        let bound = game.lower_bound(&packed).unwrap();
        assert!(bound as usize <= line.len() - made, "{bound} after {made}");
        game.play(&mut packed, played.view());
    }
    assert_eq!(game.lower_bound(&packed).unwrap(), 0);
    (line.len(), first)
}

#[test]
fn of_larger_puzzles_along_solutions() {
    let game = load("puzzle15_conflicts");
    // Korf's instances 79 and 12: distances alone say 28 and 35.
    for (position, length, least) in
        [("0 1 9 7 11 13 5 3 14 12 4 2 8 6 10 15", 42, 28), ("14 1 9 6 4 8 12 5 7 2 3 0 10 11 13 15", 45, 35)]
    {
        let (found, first) = along_a_solution(&game, position);
        assert!(found == length && first >= least, "{position}: {found}, {first}");
    }
    let game = load("doubleblank_conflicts");
    // In the first row 2 and 1 are the wrong way round.
    let (found, first) = along_a_solution(&game, "2 1 0 3 4 5 6 7 8 9 10 11 12 13 14 0");
    assert!(first >= 4 && found >= first as usize, "{found}, {first}");
}

#[test]
fn and_the_search_believes_them() {
    let game = load("puzzle15_conflicts");
    let start = text::read(game.info(), "0 1 9 7 11 13 5 3 14 12 4 2 8 6 10 15").unwrap();
    let found = depth_first::solve(&game, &game.pack(&start), &LIMITS, &mut |_, _| {}).unwrap();
    let Verdict::Solved(lines) = found.verdict else { panic!() };
    // 540,860 nodes with distances alone and without a table.
    assert!(lines[0].len() == 42 && found.nodes < 200_000, "{} {}", lines[0].len(), found.nodes);
    let motion = Motion::of(&game).unwrap();
    let state = motion.state(&start).unwrap();
    let added = Added::new(&game, &motion, &state, &start).unwrap();
    let found = solve_motion(&motion, &state, &added, Wanted::One, &LIMITS, &mut |_, _| {});
    let Verdict::Solved(lines) = found.verdict else { panic!() };
    assert!(lines[0].len() == 42 && found.nodes < 200_000, "{} {}", lines[0].len(), found.nodes);
}

#[test]
fn and_an_evaluation_that_is_none_of_parts_is_left_alone() {
    let source = "players = 1\ndimensions (2, 2)\npieces\n{\n    one '1'\n    two '2'\n    three '3'\n}\n\
                  evaluation\n{\n    one : 1 = find one.\n}\nsetup\n{\n    .1\n    23\n}\n\
                  main = slide, try [ match (empty field, one, two, three), win ].\n\
                  slide = find empty field, orthogonal, step, pick up, step backward, put down.\n";
    let (program, _) = rules::compile(&lang::Source::new("test", source.to_owned()), None).unwrap();
    let game: Compiled<128> = Compiled::new(&program, Options::default()).unwrap();
    let motion = Motion::of(&game).unwrap();
    let solved = game.unpack(&goal_position(&game).unwrap());
    // It says 1 of the solved position.
    assert!(Added::new(&game, &motion, &motion.goal, &solved).is_none());
}
