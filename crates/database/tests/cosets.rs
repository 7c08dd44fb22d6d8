//! Tables of cosets: symmetries of the cube found from its moves, a small table checked against every move, bounds
//! that are never too large, searches that are interrupted.

#![allow(clippy::unwrap_used)]

use std::sync::atomic::{AtomicUsize, Ordering};

use database::cosets::{CosetPlan, Cosets, Frame, Growing, file, verify};
use database::{Bytes, Folder};
use game::Motion;
use game::motion::{Bounds, State, Symmetry};
use jit::{Compiled, Options};
use search::one_player::{Budget, Verdict, Wanted, solve_motion};

fn cube() -> Motion {
    let path = format!("{}/../../games/rubik.mg", env!("CARGO_MANIFEST_DIR"));
    let source = lang::Source::new("rubik", std::fs::read_to_string(path).unwrap());
    let (program, _) = rules::compile(&source, None).unwrap();
    let game = Compiled::<64>::new(&program, Options::default()).unwrap();
    Motion::of(&game).unwrap()
}

/// States along a walk that is the same every time.
fn walk(motion: &Motion, length: usize, mut seed: usize) -> Vec<State> {
    let mut states = vec![motion.goal.clone()];
    for _ in 0..length {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let operators = &motion.modes[0];
        states.push(motion.after(&states[states.len() - 1], &operators[(seed >> 33) % operators.len()]));
    }
    states
}

#[test]
fn a_cube_has_forty_eight_symmetries() {
    let motion = cube();
    let symmetries = Symmetry::all(&motion);
    assert_eq!(symmetries.len(), 48);
    let states = walk(&motion, 20, 7);
    for symmetry in &symmetries {
        assert_eq!(symmetry.of(&motion, &motion.goal), motion.goal);
        for state in &states {
            let image = symmetry.of(&motion, state);
            for (number, operator) in motion.modes[0].iter().enumerate() {
                let behind = symmetry.of(&motion, &motion.after(state, operator));
                assert_eq!(behind, motion.after(&image, &motion.modes[0][symmetry.moves[number]]));
            }
        }
    }
}

#[test]
fn plans_of_a_cube_are_those_of_kociemba_and_more() {
    let plans = CosetPlan::all(&cube());
    let found: Vec<(u64, usize)> = plans.iter().map(|plan| (plan.size, plan.kept.len())).collect();
    // Twists of corners and edges and the places of four edges that lie in a slice; then of four corners too.
    assert!(found.contains(&(2187 * 2048 * 495, 16)), "{found:?}");
    assert_eq!(found[0], (2187 * 2048 * 495 * 70, 16));
    assert!(
        plans.windows(2).all(|pair| pair[0].entries() > pair[1].entries() && pair[0].size > pair[1].size)
    );
}

/// The smallest plan: nothing but twists.
fn twists(motion: &Motion) -> CosetPlan {
    CosetPlan::all(motion).pop().unwrap()
}

#[test]
fn bounds_from_six_sides_are_never_too_large() {
    let motion = cube();
    let plan = twists(&motion);
    assert_eq!(plan.size, 2187 * 2048);
    let frame = Frame::new(&motion, &plan, true).unwrap();
    let mut growing = Growing::new(&frame).unwrap();
    while !growing.is_over() {
        assert!(growing.advance(2, &|| false));
    }
    let bytes = growing.bytes();
    let (greatest, edges) = verify(&frame, &bytes, 2).unwrap();
    assert!(greatest >= 8 && edges == 18 * frame.entries() as u64);
    let mut wrong = bytes.clone();
    wrong[frame.goal() / 2 + 100] ^= 0x22;
    assert!(verify(&frame, &wrong, 2).is_err());
    let bounds = Cosets::new(&motion, &plan, frame, Bytes::Memory(bytes.into())).unwrap();
    assert_eq!(bounds.views(), 6);
    let mut reached = 0;
    for seed in 0..200 {
        for (length, state) in walk(&motion, 12, seed).iter().enumerate() {
            let bound = bounds.begin(&state.at) as usize;
            assert!(bound <= length, "{bound} after {length} moves");
            reached += usize::from(length == 5 && bound >= 4);
        }
    }
    assert!(reached > 50, "the bounds hardly say anything: {reached}");
    let limits = Budget { nodes: None, bytes: 0, stop: &|| false };
    for seed in 0..5 {
        let state = walk(&motion, 6, seed).pop().unwrap();
        let found = solve_motion(&motion, &state, &bounds, Wanted::One, &limits, &mut |_, _| {});
        let blind = solve_motion(
            &motion,
            &state,
            &search::one_player::NoBounds,
            Wanted::One,
            &limits,
            &mut |_, _| {},
        );
        let (Verdict::Solved(one), Verdict::Solved(other)) = (found.verdict, blind.verdict) else { panic!() };
        assert_eq!(one[0].len(), other[0].len());
        assert!(found.nodes < blind.nodes);
    }
}

#[test]
fn a_search_for_cosets_goes_on_in_the_middle_of_a_level() {
    let motion = cube();
    let (plan, folder) = (twists(&motion), tempfile::tempdir().unwrap());
    let (frame, folder) = (Frame::new(&motion, &plan, false).unwrap(), Folder(folder.path().to_owned()));
    let mut whole = Growing::new(&frame).unwrap();
    while !whole.is_over() {
        whole.advance(2, &|| false);
    }
    let counts = whole.counts.clone();
    let asked = AtomicUsize::new(0);
    let stop = || asked.fetch_add(1, Ordering::Relaxed) % 3 == 2;
    let again = || Growing::in_file(&frame, &folder, "rubik", &motion, &plan).unwrap();
    let (mut growing, is_again) = again();
    assert!(!is_again);
    let mut pauses = 0;
    while !growing.is_over() {
        if !growing.advance(1, &stop) {
            pauses += 1;
            growing.note().unwrap();
            // What is found and not noted does no harm.
            growing.advance(1, &stop);
            let level = growing.level();
            drop(growing);
            let is_again;
            (growing, is_again) = again();
            assert!(growing.level() <= level && is_again == (growing.level() > 0));
        }
    }
    assert!(pauses > 3);
    assert_eq!(growing.counts, counts);
    let path = growing.keep(&folder, "rubik", &motion, &plan).unwrap();
    drop(growing);
    let kept = file::open_cosets(&folder, "rubik", &motion, &plan, &frame).unwrap().unwrap();
    assert!(kept.get() == &whole.bytes()[..]);
    let mut altered = std::fs::read(&path).unwrap();
    altered[5000] ^= 1;
    std::fs::write(&path, &altered).unwrap();
    let said = file::open_cosets(&folder, "rubik", &motion, &plan, &frame).unwrap_err().to_string();
    assert!(said.contains("damaged"), "{said}");
}
