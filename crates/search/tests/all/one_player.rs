//! Puzzles: lengths and node counts that others have published, on compiled rules and hand-written games.

#![allow(clippy::unwrap_used)]

use std::collections::HashSet;

use game::motion::{Motion, State};
use game::{Game, Position, text};
use jit::{Compiled, Options};
use search::one_player::alike;
use search::one_player::pruning::{Automaton, Pruning};
use search::one_player::words::Words;
use search::one_player::{
    Budget, Cost, NoBounds, PieceByPiece, Verdict, Wanted, best_first, bidirectional, depth_first,
    goal_position, moves_of, solve_motion,
};

fn load(name: &str) -> Compiled<128> {
    let path = format!("{}/../../games/{name}.mg", env!("CARGO_MANIFEST_DIR"));
    let source = lang::Source::new(name, std::fs::read_to_string(path).unwrap());
    let (program, _) = rules::compile(&source, None).unwrap();
    Compiled::new(&program, Options::default()).unwrap()
}

const LIMITS: Budget<'static> = Budget { nodes: None, bytes: 1 << 28, stop: &|| false };

fn read<G: Game>(game: &G, position: &str) -> Position {
    text::read(game.info(), position).unwrap()
}

/// Solves with distances; checks that the solution is one. Returns its length and the nodes.
fn check_motion<G: Game>(game: &G, position: &str) -> (usize, u64) {
    let (motion, start) = (Motion::of(game).unwrap(), read(game, position));
    let state = motion.state(&start).unwrap();
    let found =
        solve_motion(&motion, &state, &PieceByPiece::new(&motion), Wanted::One, &LIMITS, &mut |_, _| {});
    let Verdict::Solved(lines) = found.verdict else { panic!("{:?}", found.verdict) };
    let mut packed = game.pack(&start);
    let moves = moves_of(game, &motion, &packed, &lines[0]).unwrap().unwrap();
    for played in &moves {
        game.play(&mut packed, played.view());
    }
    assert_eq!(game.is_solved(&packed), Some(true));
    assert_eq!(moves.len() as u32, found.bound);
    (moves.len(), found.nodes)
}

#[test]
fn korf_s_node_counts_come_out_exactly() {
    // Instances 79, 12 and 9 of Korf's hundred, with the order up, left, right, down.
    let instances = [
        ("0 1 9 7 11 13 5 3 14 12 4 2 8 6 10 15", 42, 540_860),
        ("14 1 9 6 4 8 12 5 7 2 3 0 10 11 13 15", 45, 546_344),
        ("3 14 9 11 5 4 8 2 13 12 6 7 10 1 15 0", 46, 1_650_696),
    ];
    let (rules, native) = (load("puzzle15"), native::NativeSliding::<4, 1>::new());
    for (position, length, nodes) in instances {
        assert_eq!(check_motion(&rules, position), (length, nodes), "{position}");
        assert_eq!(check_motion(&native, position), (length, nodes), "{position}");
    }
}

#[test]
fn the_hardest_eight_puzzles_take_31_moves() {
    let game = load("puzzle8");
    for position in ["8 0 6 5 4 7 2 3 1", "8 7 6 0 4 1 2 5 3"] {
        assert_eq!(check_motion(&game, position).0, 31, "{position}");
    }
}

/// All effects of sequences of so many moves from a mode that a machine or everything allows.
fn effects(motion: &Motion, words: Option<&Words>, mode: usize, length: usize) -> HashSet<(Vec<u8>, u16)> {
    let all = Automaton::new(motion, Pruning::Undoing);
    let start = State { mode: mode as u16, at: (0..motion.sites() as u8).collect() };
    let begin = words.map_or(all.begin(mode), |words| words.begins[mode]);
    let (mut level, mut effects) = (vec![(start, begin)], HashSet::new());
    for _ in 0..=length {
        let mut next = Vec::new();
        for (state, row) in level {
            let steps = match words {
                Some(words) => words.rows[row].clone(),
                None => all.next[row].iter().map(|&number| (number, number)).collect(),
            };
            for (number, row) in steps {
                let (mode, index) = all.moves[number];
                next.push((motion.after(&state, &motion.modes[mode][index]), row));
            }
            let is_piece = |site: usize| motion.holds[mode] >> site & 1 != 0;
            let at = state.at.iter().enumerate().map(|(site, &at)| if is_piece(site) { at } else { 0 });
            effects.insert((at.collect(), state.mode));
        }
        level = next;
    }
    effects
}

#[test]
fn words_that_are_left_out_lose_nothing() {
    for name in ["puzzle8", "doubleblank"] {
        let motion = Motion::of(&load(name)).unwrap();
        let words = Words::new(&motion);
        let length = if name == "puzzle8" { 12 } else { 5 };
        for mode in [0, motion.modes.len() / 2] {
            assert_eq!(
                effects(&motion, Some(&words), mode, length),
                effects(&motion, None, mode, length),
                "{name} from {mode}"
            );
        }
    }
    // Around a square there are two ways to go six moves, and one of them is enough.
    let motion = Motion::of(&load("puzzle8")).unwrap();
    let (words, all) = (Words::new(&motion), Automaton::new(&motion, Pruning::Undoing));
    let count = |rows: &[Vec<(usize, usize)>], begin: usize, length: usize| {
        let mut level = vec![begin];
        for _ in 0..length {
            level = level.iter().flat_map(|&row| rows[row].iter().map(|step| step.1)).collect();
        }
        level.len()
    };
    for length in 1..10 {
        let (less, more) =
            (count(&words.rows, words.begins[0], length), count(&all.rows(), all.begin(0), length));
        assert_eq!(less < more, length >= 6, "{length}: {less} of {more}");
    }
}

#[test]
fn what_a_parity_forbids_is_known_without_a_search() {
    let game = load("puzzle15");
    let motion = Motion::of(&game).unwrap();
    let state = motion.state(&read(&game, "0 2 1 3 4 5 6 7 8 9 10 11 12 13 14 15")).unwrap();
    let found = solve_motion(&motion, &state, &NoBounds, Wanted::One, &LIMITS, &mut |_, _| {});
    assert_eq!((found.verdict, found.nodes), (Verdict::Unsolvable, 0));
    // Two blanks know no parity.
    let game = load("doubleblank");
    let motion = Motion::of(&game).unwrap();
    let state = motion.state(&read(&game, "0 2 1 3 4 5 6 7 8 9 10 11 12 13 14 0")).unwrap();
    assert!(motion.invariants.allow(&motion, &state));
}

#[test]
fn cubes_have_corners_and_edges_and_sums_that_stay() {
    let game = load("rubik");
    let motion = Motion::of(&game).unwrap();
    let mut kinds: Vec<_> =
        motion.kinds.iter().map(|kind| (kind.pieces.len(), kind.twists, kind.keeps_twist)).collect();
    kinds.sort_unstable();
    assert_eq!(kinds, [(8, 3, true), (12, 2, true)]);
    // Sequences of turns without those that are the same: 18, 243, 3240 (then some more than positions).
    let automaton = Automaton::new(&motion, Pruning::Pairs);
    let mut ends = automaton.next[automaton.begin(0)].clone();
    let mut counts = vec![ends.len()];
    for _ in 0..2 {
        ends = ends.iter().flat_map(|&last| automaton.next[last].iter().copied()).collect();
        counts.push(ends.len());
    }
    assert_eq!(counts, [18, 243, 3240]);
}

#[test]
fn a_twisted_corner_has_no_solution() {
    let game = load("pocketcube");
    let motion = Motion::of(&game).unwrap();
    let mut state = motion.goal.clone();
    let kind = &motion.kinds[0];
    state.at[kind.pieces[0]] = kind.places[0][1];
    assert!(!motion.invariants.allow(&motion, &state));
    assert!(motion.invariants.allow(&motion, &motion.goal));
}

#[test]
fn any_puzzle_is_solved_while_memory_lasts() {
    for (name, setup, length) in [("hanoi", "", 255), ("klotski", "", 116), ("sokoban", "level_2", 16)] {
        let game = load(name);
        let setups = &game.program().setups;
        let start = setups.iter().find(|(own, _)| own == setup || setup.is_empty()).unwrap();
        let start = game.pack(&start.1);
        let found = best_first::solve(&game, &start, Cost::Moves, &LIMITS, &mut |_, _| {}).unwrap();
        let Verdict::Solved(lines) = found.verdict else { panic!("{name}") };
        assert_eq!((lines[0].len(), found.bound), (length, length as u32), "{name}");
        // Little memory is an answer, not a crash.
        let limits = Budget { bytes: 1000, ..LIMITS };
        let found = best_first::solve(&game, &start, Cost::Moves, &limits, &mut |_, _| {}).unwrap();
        assert!(found.verdict == Verdict::Unknown || length < 100, "{name}");
    }
}

#[test]
fn searches_from_both_ends_meet() {
    // Three and two lights pressed out of the dark.
    let game = load("lightsout");
    let goal = goal_position(&game).unwrap();
    for (rows, length) in [("**.../*.*../.***./..**./..***", 3), ("**.../*..../...../..*../.***.", 2)] {
        let text = rows.replace('/', "\n");
        let start = game.pack(&read(&game, &text));
        let found = bidirectional::solve(&game, &start, &goal, &LIMITS, &mut |_, _| {}).unwrap();
        let breadth = best_first::solve(&game, &start, Cost::Moves, &LIMITS, &mut |_, _| {}).unwrap();
        let Some(Verdict::Solved(lines)) = found.map(|found| found.verdict) else { panic!("{rows}") };
        let Verdict::Solved(others) = breadth.verdict else { panic!("{rows}") };
        assert_eq!(lines[0].len(), others[0].len(), "{rows}");
        assert_eq!(lines[0].len(), length, "{rows}");
    }
    // Who jumps cannot jump back: nothing is claimed.
    let game = load("peg");
    let start = game.pack(game.info().start.as_ref().unwrap());
    let found = bidirectional::solve(&game, &start, &start.clone(), &LIMITS, &mut |_, _| {}).unwrap();
    assert!(found.is_none());
}

#[test]
fn depth_first_search_knows_what_it_has_seen() {
    for (name, length) in [("queens", 8), ("knightstour", 63)] {
        let game = load(name);
        let start = game.pack(game.info().start.as_ref().unwrap());
        let found = depth_first::solve(&game, &start, &LIMITS, &mut |_, _| {}).unwrap();
        let Verdict::Solved(lines) = found.verdict else { panic!("{name}") };
        assert_eq!(lines[0].len(), length, "{name}");
    }
    // The same length as breadth-first search finds, and a proof that there is none.
    let game = load("puzzle8");
    for (position, verdict) in [("1 4 2 3 0 5 6 7 8", Some(2)), ("2 1 0 3 4 5 6 7 8", None)] {
        let start = game.pack(&read(&game, position));
        let limits = Budget { nodes: Some(100_000), ..LIMITS };
        let found = depth_first::solve(&game, &start, &limits, &mut |_, _| {}).unwrap();
        match found.verdict {
            Verdict::Solved(lines) => assert_eq!(Some(lines[0].len()), verdict),
            other => assert_eq!((other, verdict), (Verdict::Unknown, None)),
        }
    }
}

#[test]
fn all_shortest_solutions_are_found() {
    let game = load("puzzle8");
    let motion = Motion::of(&game).unwrap();
    let state = motion.state(&read(&game, "8 0 6 5 4 7 2 3 1")).unwrap();
    let bounds = PieceByPiece::new(&motion);
    let found = solve_motion(&motion, &state, &bounds, Wanted::All, &LIMITS, &mut |_, _| {});
    let Verdict::Solved(mut lines) = found.verdict else { panic!() };
    assert!(lines.len() as u64 == found.solutions && lines.len() > 1);
    lines.sort();
    lines.dedup();
    assert_eq!(lines.len() as u64, found.solutions);
}

#[test]
fn a_start_that_looks_the_same_from_all_sides_has_two_first_moves() {
    let motion = Motion::of(&load("rubik")).unwrap();
    let then = |one: &[u8], two: &[u8]| one.iter().map(|&site| two[usize::from(site)]).collect::<Vec<u8>>();
    let turns: Vec<_> = motion.modes[0]
        .iter()
        .filter(|turn| {
            then(&turn.map, &turn.map).iter().enumerate().all(|(site, &to)| site == usize::from(to))
        })
        .collect();
    assert_eq!(turns.len(), 6);
    // Half turns of all faces, opposite ones together: a chessboard on every face.
    let mut state = motion.goal.clone();
    for (number, one) in turns.iter().enumerate() {
        for other in &turns[number + 1..] {
            if then(&one.map, &other.map) == then(&other.map, &one.map) {
                state = motion.after(&motion.after(&state, one), other);
            }
        }
    }
    let automaton = Automaton::new(&motion, Pruning::Pairs);
    let (rows, begin) = alike::rows(&motion, &automaton, &state).unwrap();
    assert_eq!(rows[begin].len(), 2, "quarter turns and half turns");
    let found = solve_motion(&motion, &state, &NoBounds, Wanted::One, &LIMITS, &mut |_, _| {});
    let Verdict::Solved(lines) = found.verdict else { panic!() };
    assert_eq!(lines[0].len(), 6);
    // One turn of a face looks the same from four sides.
    let (rows, begin) =
        alike::rows(&motion, &automaton, &motion.after(&motion.goal, &motion.modes[0][0])).unwrap();
    assert!(rows[begin].len() < 18);
}
