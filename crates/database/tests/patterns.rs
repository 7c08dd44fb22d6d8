//! Tables made from the rules of the library: sizes and distances that are known, admissibility, files.

#![allow(clippy::unwrap_used)]

use database::{Folder, Parts, Pattern, Patterns, Plan, build, file, verify};
use game::Motion;
use game::motion::{Bounds, Divided, State};
use jit::{Compiled, Options};
use search::one_player::{Budget, Verdict, Wanted, solve_motion};

fn motion_of(name: &str) -> Motion {
    let path = format!("{}/../../games/{name}.mg", env!("CARGO_MANIFEST_DIR"));
    let source = lang::Source::new(name, std::fs::read_to_string(path).unwrap());
    let (program, _) = rules::compile(&source, None).unwrap();
    let game = Compiled::<64>::new(&program, Options::default()).unwrap();
    Motion::of(&game).unwrap()
}

fn tables(motion: &Motion, plan: &Plan) -> Vec<database::PatternTable> {
    plan.patterns.iter().map(|pattern| build(motion, pattern, plan.adds, 2, &|| false).unwrap()).collect()
}

/// All states by distance from the solved one.
fn distances(motion: &Motion) -> std::collections::HashMap<State, u32> {
    let mut known = std::collections::HashMap::from([(motion.goal.clone(), 0)]);
    let (mut open, mut next) = (vec![motion.goal.clone()], 0);
    while next < open.len() {
        let state = open[next].clone();
        next += 1;
        let distance = known[&state];
        for operator in &motion.modes[usize::from(state.mode)] {
            let after = motion.after(&state, operator);
            known.entry(after.clone()).or_insert_with(|| {
                open.push(after);
                distance + 1
            });
        }
    }
    known
}

#[test]
fn bounds_of_the_eight_puzzle_are_never_too_large_and_often_right() {
    let motion = motion_of("puzzle8");
    let known = distances(&motion);
    assert_eq!((known.len(), known.values().max()), (181_440, Some(&31)));
    let plan = Plan::choose(&motion, 12_500, 1 << 30).unwrap();
    assert!(plan.adds && plan.patterns.iter().all(|pattern| pattern.pieces.len() >= 4), "{plan:?}");
    assert_eq!(motion.mirrors.len(), 1);
    let tables = tables(&motion, &plan);
    let bounds = Patterns::new(&motion, &plan, &tables);
    let mut sum = 0;
    for (state, &distance) in &known {
        let bound = bounds.value(bounds.begin(&state.at));
        assert!(bound <= distance && (bound == 0) == (distance == 0), "{state:?}: {bound} of {distance}");
        sum += u64::from(bound);
    }
    // 14.0 moves is what single pieces say, 22.0 the truth.
    assert!(sum as f64 / known.len() as f64 > 17.0, "{}", sum as f64 / known.len() as f64);
    // And a search that believes them is right.
    let limits = Budget { nodes: None, bytes: 0, stop: &|| false };
    for (state, &distance) in known.iter().step_by(301) {
        let found = solve_motion(&motion, state, &bounds, Wanted::One, &limits, &mut |_, _| {});
        assert_eq!(found.bound, distance, "{state:?}");
    }
    for table in &tables {
        let seen = verify(&motion, table, plan.adds, 2).unwrap();
        assert_eq!(seen.entries, table.pattern.size(&motion));
    }
}

#[test]
fn the_pocket_cube_is_a_pattern_of_itself() {
    let motion = motion_of("pocketcube");
    let pattern = Pattern { kind: 0, pieces: motion.kinds[0].pieces.clone() };
    assert_eq!(pattern.size(&motion), 3_674_160);
    let table = build(&motion, &pattern, false, 2, &|| false).unwrap();
    let mut counts = [0; 16];
    (0..3_674_160).for_each(|entry| counts[usize::from(table.entry(entry))] += 1);
    let published = [1, 9, 54, 321, 1847, 9992, 50136, 227_536, 870_072, 1_887_748, 623_800, 2644];
    assert_eq!(counts[..12], published);
    assert_eq!(verify(&motion, &table, false, 2).unwrap().greatest, 11);
    let mut bytes = table.bytes.get().to_vec();
    bytes[1000] ^= 0x11;
    let wrong = database::PatternTable { bytes: database::Bytes::Memory(bytes.into()), ..table };
    assert!(verify(&motion, &wrong, false, 2).is_err());
}

#[test]
fn indices_are_perfect() {
    let motion = motion_of("pocketcube");
    for count in 1..=7 {
        let pattern = Pattern { kind: 0, pieces: motion.kinds[0].pieces[..count].to_vec() };
        let index = pattern.index(&motion);
        let mut lies = [(0, 0); 16];
        for entry in (0..index.size().unwrap()).step_by(97) {
            index.unrank(entry, &mut lies);
            assert_eq!(index.rank(lies[..count].iter().copied()), entry);
        }
    }
}

#[test]
fn indices_of_larger_boards_are_perfect_too() {
    for name in ["puzzle15", "puzzle24"] {
        let motion = motion_of(name);
        for count in [1, 5, 8] {
            let pattern = Pattern { kind: 0, pieces: motion.kinds[0].pieces[..count].to_vec() };
            let index = pattern.index(&motion);
            let mut lies = [(0, 0); 16];
            let size = index.size().unwrap();
            for entry in (0..size).step_by(size / 5000 + 1).chain([size - 1]) {
                index.unrank(entry, &mut lies);
                assert_eq!(index.rank(lies[..count].iter().copied()), entry);
            }
        }
    }
}

#[test]
fn fifteen_puzzles_are_solved_with_five_and_five_and_five() {
    let motion = motion_of("puzzle15");
    let plan = Plan::choose(&motion, 12_500_000, 1 << 30).unwrap();
    assert_eq!(plan.patterns.iter().map(|pattern| pattern.pieces.len()).collect::<Vec<_>>(), [5, 5, 5]);
    let bounds = Patterns::new(&motion, &plan, &tables(&motion, &plan));
    let limits = Budget { nodes: None, bytes: 0, stop: &|| false };
    // Korf's instances 2 and 79: 15,300,442 and 540,860 nodes with the Manhattan distance.
    for (tiles, length, most) in [
        ([13, 5, 4, 10, 9, 12, 8, 14, 2, 3, 7, 1, 0, 15, 11, 6], 55, 1_500_000),
        ([0, 1, 9, 7, 11, 13, 5, 3, 14, 12, 4, 2, 8, 6, 10, 15], 42, 100_000),
    ] {
        let state = state_of(&motion, &tiles);
        let found = solve_motion(&motion, &state, &bounds, Wanted::One, &limits, &mut |_, _| {});
        let Verdict::Solved(lines) = found.verdict else { panic!() };
        assert!(lines[0].len() == length && found.nodes < most, "{} {}", lines[0].len(), found.nodes);
    }
}

/// Tiles row by row; pieces and sites follow from the solved state, in which tile n is on the n-th field.
fn state_of(motion: &Motion, tiles: &[u8]) -> State {
    let side = 4;
    let site = |place: usize| ((side - 1 - place / side) * side + place % side) as u8;
    let piece_at_home =
        |tile: u8| motion.goal.at.iter().position(|&at| at == site(usize::from(tile))).unwrap();
    let mut at = vec![0; motion.pieces()];
    let mut mode = 0;
    for (place, &tile) in tiles.iter().enumerate() {
        match tile {
            0 => mode = motion.holds.iter().position(|holds| holds >> site(place) & 1 == 0).unwrap() as u16,
            _ => at[piece_at_home(tile)] = site(place),
        }
    }
    State { mode, at }
}

#[test]
fn files_come_back_and_bad_ones_are_refused() {
    let motion = motion_of("puzzle8");
    let folder = tempfile::tempdir().unwrap();
    let folder = Folder(folder.path().to_owned());
    let pattern = Pattern { kind: 0, pieces: vec![0, 1, 2, 3] };
    assert!(folder.open("puzzle8", &motion, &pattern, true).unwrap().is_none());
    let table = build(&motion, &pattern, true, 1, &|| false).unwrap();
    let path = folder.keep("puzzle8", &motion, &table, true).unwrap();
    let again = folder.open("puzzle8", &motion, &pattern, true).unwrap().unwrap();
    assert!(
        again.bytes.get() == table.bytes.get() && again.step == table.step && again.pattern == table.pattern
    );
    assert_eq!(folder.list(Some("puzzle8")), std::slice::from_ref(&path));
    let whole = std::fs::read(&path).unwrap();
    let open = || folder.open("puzzle8", &motion, &pattern, true).unwrap_err().to_string();
    std::fs::write(&path, &whole[..whole.len() - 1]).unwrap();
    assert!(open().contains("damaged"));
    let mut altered = whole.clone();
    altered[whole.len() - 7] ^= 1;
    std::fs::write(&path, &altered).unwrap();
    assert!(open().contains("damaged"));
    let mut altered = whole.clone();
    altered[48] ^= 1;
    std::fs::write(&path, &altered).unwrap();
    assert!(open().contains("damaged"));
    std::fs::write(&path, b"something else").unwrap();
    assert!(open().contains("damaged"));
    std::fs::write(&path, [b'x'; 300]).unwrap();
    assert!(open().contains("no pattern database"));
    // Those of other rules have other names; one that is put in their place is refused all the same.
    let other = motion_of("puzzle15");
    let place = folder.path("puzzle8", &other, &pattern, true);
    std::fs::write(&place, &whole).unwrap();
    let said = folder.open("puzzle8", &other, &pattern, true).unwrap_err().to_string();
    assert!(said.contains("other rules"), "{said}");
    assert!(file::Header::of(&place).is_ok());
}

#[test]
fn an_interrupted_search_goes_on() {
    let motion = motion_of("puzzle15");
    let folder = tempfile::tempdir().unwrap();
    let folder = Folder(folder.path().to_owned());
    let pattern = Pattern { kind: 0, pieces: vec![0, 2, 4, 6] };
    let expected = build(&motion, &pattern, true, 1, &|| false).unwrap();
    // Stopped again and again, also in the middle of a level; what is saved is all that is left.
    let asked = std::sync::atomic::AtomicUsize::new(0);
    let stop = || asked.fetch_add(1, std::sync::atomic::Ordering::Relaxed) % 5 == 4;
    let mut making = database::Making::new(&motion, &pattern, true).unwrap();
    assert!(!folder.resume("puzzle15", &motion, &mut making));
    let mut pauses = 0;
    while !making.is_over() {
        if !making.advance(1, &stop) {
            pauses += 1;
            folder.save("puzzle15", &motion, &making).unwrap();
            making = database::Making::new(&motion, &pattern, true).unwrap();
            assert!(folder.resume("puzzle15", &motion, &mut making));
        }
    }
    assert!(pauses > 5, "{pauses}");
    assert!(making.table(2).bytes.get() == expected.bytes.get());
}

/// The moves of a pattern's pieces that each way to lie needs, whatever the others do, by a search over all modes.
fn by_modes(motion: &Motion, pieces: &[usize]) -> std::collections::HashMap<Vec<u8>, u32> {
    let goal: Vec<u8> = pieces.iter().map(|&piece| motion.goal.at[piece]).collect();
    let mut known = std::collections::HashMap::new();
    let mut open = std::collections::VecDeque::from([(goal, motion.goal.mode, 0_u32)]);
    while let Some((at, mode, distance)) = open.pop_front() {
        if known.contains_key(&(at.clone(), mode)) {
            continue;
        }
        known.insert((at.clone(), mode), distance);
        for operator in &motion.modes[usize::from(mode)] {
            let after: Vec<u8> = at.iter().map(|&site| operator.map[usize::from(site)]).collect();
            match after == at {
                true => open.push_front((after, operator.to, distance)),
                false => open.push_back((after, operator.to, distance + 1)),
            }
        }
    }
    let mut least = std::collections::HashMap::new();
    for ((at, _), distance) in known {
        let own = least.entry(at).or_insert(distance);
        *own = distance.min(*own);
    }
    least
}

#[test]
fn tables_say_what_a_search_over_all_modes_says() {
    for (name, pieces) in [
        ("puzzle8", vec![0, 3, 4, 6]),
        ("puzzle8", (0..8).collect()),
        ("puzzle8", vec![5]),
        ("puzzle15", vec![0, 2, 3, 9]),
        ("doubleblank", vec![0, 5, 13]),
    ] {
        let motion = motion_of(name);
        let table = build(&motion, &Pattern { kind: 0, pieces: pieces.clone() }, true, 2, &|| false).unwrap();
        let index = table.pattern.index(&motion);
        let bases = build::Bases::new(&motion, &table.pattern, true);
        let expected = by_modes(&motion, &pieces);
        // Of all tiles of a puzzle half the ways to lie can be reached, and the others say the most that there is to
        // say.
        let all = if pieces.len() == 8 { 2 * expected.len() } else { expected.len() };
        assert_eq!((all, table.step), (table.pattern.size(&motion), 2));
        for (at, distance) in expected {
            let lies = at.iter().map(|&site| motion.kinds[0].lies[usize::from(site)].unwrap());
            let said = bases.of(&at) + u32::from(table.entry(index.rank(lies))) * table.step;
            assert_eq!(said, distance, "{name} {at:?}");
        }
    }
}

/// Seven processors hold tables together: look by look, each at its holder, they say what the whole tables say, and no
/// processor holds much more than a seventh.
#[test]
fn tables_in_parts_say_what_whole_ones_say() {
    let motion = motion_of("puzzle8");
    let plan = Plan::told(&motion, &[vec![1, 2, 3, 4, 5], vec![6, 7, 8]]).unwrap();
    let tables = tables(&motion, &plan);
    let whole = Patterns::new(&motion, &plan, &tables);
    let bytes: usize = tables.iter().map(|table| table.bytes.get().len()).sum();
    let parts = Parts::new(whole.clone(), 7, 0..7);
    assert!(parts.bytes_most() <= bytes / 7 + 2 * 512, "{} of {bytes}", parts.bytes_most());
    assert_eq!(parts.looks(), 4);
    for (state, _) in distances(&motion) {
        let expected = whole.value(whole.begin(&state.at));
        let mut known = 0;
        for look in 0..parts.looks() {
            known = parts.look(parts.holder(look, &state.at), look, &state.at, known);
            assert!(parts.bound(&state.at, known) <= expected);
        }
        assert_eq!(parts.bound(&state.at, known), expected, "{state:?}");
    }
    // A processor that holds one part is asked for no other.
    let one = Parts::new(whole, 7, 3..4);
    assert!(one.bytes_most() <= parts.bytes_most());
    let elsewhere = (parts.holder(0, &motion.goal.at) + 1) % 7;
    let asked = std::panic::catch_unwind(|| one.look(elsewhere, 0, &motion.goal.at, 0));
    assert!(asked.is_err());
}
