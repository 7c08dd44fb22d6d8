//! Puzzles on several processors: solutions as short as those of one, whatever is delayed on the way, and every run
//! ends.

#![allow(clippy::unwrap_used)]

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use database::{Parts, Patterns, Plan};
use fabric::ProcessorId;
use fabric::simulation::{Faults, Machine, Network};
use game::motion::{Bounds, Motion, SITES_MAX, State, Turn};
use game::{Game, text};
use parallel::tds::{Carrying, Costs, Grain, Scheduling, Settings, Space, Task, on_threads, simulated};
use search::one_player::{Budget, PieceByPiece, Verdict, Wanted, solve_motion};

const BUDGET: Budget<'static> = Budget { nodes: None, bytes: 1 << 20, stop: &|| false };

const SCHEDULINGS: [Scheduling; 2] = [Scheduling::Home, Scheduling::Stealing];

fn costs() -> Costs {
    Costs { expansion: Duration::from_nanos(120), evaluation: Duration::from_nanos(90), journey_byte_ps: 200 }
}

struct Puzzle {
    motion: Motion,
    bounds: PieceByPiece,
}

impl Puzzle {
    fn of(game: &impl Game) -> Puzzle {
        let motion = Motion::of(game).unwrap();
        let bounds = PieceByPiece::new(&motion);
        Puzzle { motion, bounds }
    }

    /// A state some random moves away from the solved one.
    fn scrambled(&self, moves: usize, seed: u64) -> State {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut state = self.motion.goal.clone();
        for _ in 0..moves {
            let operators = &self.motion.modes[usize::from(state.mode)];
            state = self.motion.after(&state, &operators[random.usize(..operators.len())]);
        }
        state
    }

    fn length(&self, state: &State) -> usize {
        let found = solve_motion(&self.motion, state, &self.bounds, Wanted::One, &BUDGET, &mut |_, _| {});
        let Verdict::Solved(lines) = found.verdict else { panic!("{found:?}") };
        lines[0].len()
    }

    /// Checks that a line solves a state, and is this long.
    fn check(&self, state: &State, verdict: &Verdict<usize>, length: usize, what: &str) {
        let Verdict::Solved(lines) = verdict else { panic!("{what}: {verdict:?}") };
        let end = lines[0].iter().fold(state.clone(), |state, &number| {
            self.motion.after(&state, &self.motion.modes[usize::from(state.mode)][number])
        });
        assert_eq!((&end, lines[0].len()), (&self.motion.goal, length), "{what}");
    }

    fn check_simulated(&self, moves: usize, seed: u64, processors: usize, settings: Settings, table: usize) {
        let state = self.scrambled(moves, seed);
        let space = Carrying::new(&self.motion, &state, &self.bounds);
        let task = Task { space: &space, settings: Settings { seed, ..settings }, table_bytes: table };
        let mut machine = Machine::with_network(processors, Network::MYRINET);
        machine.seed = seed;
        machine.faults = Faults { delay: 20, ..Faults::default() };
        let found = simulated(&task, &machine).unwrap();
        let what = format!("seed {seed}, {processors} processors, {:?}", settings.scheduling);
        self.check(&state, &found.together.found.verdict, self.length(&state), &what);
    }
}

fn load(name: &str) -> jit::Compiled<128> {
    let path = format!("{}/../../games/{name}.mg", env!("CARGO_MANIFEST_DIR"));
    let source = lang::Source::new(name, std::fs::read_to_string(path).unwrap());
    let (program, _) = rules::compile(&source, None).unwrap();
    jit::Compiled::new(&program, jit::Options::default()).unwrap()
}

fn eight() -> Puzzle {
    Puzzle::of(&native::NativeSliding::<3, 1>::new())
}

#[test]
fn solutions_are_shortest_whatever_is_delayed() {
    let puzzle = eight();
    for seed in 0..60 {
        for scheduling in SCHEDULINGS {
            let grain = Grain::Left((seed % 3 * 4) as u32);
            let settings = Settings {
                batch: 1 + seed as usize % 7 * 9,
                wide: seed as usize % 2 * 100,
                grain,
                ..Settings::simulated(scheduling, costs())
            };
            puzzle.check_simulated(60, seed, 1 + seed as usize % 17, settings, 1 << (10 + seed % 10));
        }
    }
}

/// Moves that commute are left out nowhere but below a state: what the table drops could have needed them.
#[test]
fn moves_that_commute_lose_no_solution() {
    let (double_blank, cube) = (Puzzle::of(&load("doubleblank")), Puzzle::of(&load("rubik")));
    for seed in 0..12 {
        for (grain, scheduling) in [(0, Scheduling::Home), (3, Scheduling::Home), (2, Scheduling::Stealing)] {
            let settings = Settings { grain: Grain::Left(grain), ..Settings::simulated(scheduling, costs()) };
            double_blank.check_simulated(25, seed, 5, settings, 1 << 20);
            cube.check_simulated(4, seed, 5, settings, 1 << 20);
        }
    }
}

/// Homes that brothers share are homes like any other.
#[test]
fn solutions_are_shortest_where_brothers_share_a_home() {
    let puzzles = [Puzzle::of(&native::NativeSliding::<4, 1>::new()), Puzzle::of(&load("doubleblank"))];
    for seed in 0..24 {
        let settings = Settings {
            grain: Grain::Left((seed % 3 * 4) as u32),
            batch: 1 + seed as usize % 5 * 9,
            keeps_kin: true,
            ..Settings::simulated(Scheduling::Home, costs())
        };
        for puzzle in &puzzles {
            puzzle.check_simulated(25, seed, 2 + seed as usize % 15, settings, 1 << 16);
        }
    }
}

/// More processors than states find their way to directly.
#[test]
fn states_travel_in_two_hops_where_there_are_many_processors() {
    let puzzle = eight();
    for processors in [257, 300, 1024] {
        let settings = Settings::simulated(Scheduling::Home, costs());
        puzzle.check_simulated(60, processors as u64, processors, settings, 1 << 22);
    }
}

#[test]
fn the_same_seed_gives_the_same_run() {
    let puzzle = eight();
    let state = puzzle.scrambled(80, 3);
    let space = Carrying::new(&puzzle.motion, &state, &puzzle.bounds);
    for scheduling in SCHEDULINGS {
        let settings = Settings::simulated(scheduling, costs());
        let task = Task { space: &space, settings, table_bytes: 1 << 18 };
        let run = || simulated(&task, &Machine::with_network(9, Network::MYRINET)).unwrap();
        let (first, second) = (run(), run());
        assert_eq!((first.trace, first.time), (second.trace, second.time));
        assert_eq!(first.together.efforts, second.together.efforts);
    }
}

/// Where one processor is slower than the others its stack stays bounded, because they wait for it.
#[test]
fn stacks_of_slow_processors_do_not_grow_without_bound() {
    let game = native::NativeSliding::<4, 1>::new();
    let puzzle = Puzzle::of(&game);
    // Instance 9 of Korf's hundred.
    let position = text::read(game.info(), "3 14 9 11 5 4 8 2 13 12 6 7 10 1 15 0").unwrap();
    let state = puzzle.motion.state(&position).unwrap();
    let length = puzzle.length(&state);
    let space = Carrying::new(&puzzle.motion, &state, &puzzle.bounds);
    let most = |open_max: usize| {
        let settings = Settings { open_max, wide: 100, ..Settings::simulated(Scheduling::Home, costs()) };
        let task = Task { space: &space, settings, table_bytes: 1 << 22 };
        let mut machine = Machine::with_network(8, Network::MYRINET);
        machine.faults.slow = vec![(ProcessorId(3), 20)];
        let found = simulated(&task, &machine).unwrap();
        puzzle.check(&state, &found.together.found.verdict, length, "a slow processor");
        (found.together.effort().open_most, found.together.effort().held)
    };
    let (free, _) = most(usize::MAX);
    let (bounded, held) = most(500);
    assert!(bounded < 4_000 && free > 4 * bounded, "{bounded} of {free}");
    assert!(held > Duration::ZERO);
}

#[test]
fn nobody_looks_for_longer_solutions_than_wanted() {
    let puzzle = eight();
    let state = puzzle.scrambled(80, 8);
    let length = puzzle.length(&state) as u32;
    let space = Carrying::new(&puzzle.motion, &state, &puzzle.bounds);
    assert!(space.start().bound < length);
    let last_bound = Some(length - 1);
    let settings = Settings { last_bound, ..Settings::simulated(Scheduling::Home, costs()) };
    let task = Task { space: &space, settings, table_bytes: 1 << 18 };
    let found = simulated(&task, &Machine::new(4)).unwrap().together.found;
    assert_eq!((found.verdict, found.bound), (Verdict::Unknown, length));
}

#[test]
fn threads_find_shortest_solutions() {
    let puzzle = Puzzle::of(&native::NativeSliding::<4, 1>::new());
    for seed in 0..4 {
        let state = puzzle.scrambled(100, seed);
        let length = puzzle.length(&state);
        let space = Carrying::new(&puzzle.motion, &state, &puzzle.bounds);
        for scheduling in SCHEDULINGS {
            for threads in [1, 2, 5] {
                let settings = Settings { seed, ..Settings::real(scheduling) };
                let task = Task { space: &space, settings, table_bytes: 1 << 22 };
                let found = on_threads(&task, threads, &BUDGET, &mut |_, _| {}).unwrap();
                let what = format!("seed {seed}, {threads} threads, {scheduling:?}");
                puzzle.check(&state, &found.found.verdict, length, &what);
            }
        }
    }
}

#[test]
fn a_search_that_is_stopped_has_no_answer() {
    let puzzle = Puzzle::of(&native::NativeSliding::<4, 1>::new());
    let state = puzzle.scrambled(1000, 1);
    let space = Carrying::new(&puzzle.motion, &state, &puzzle.bounds);
    let task = Task { space: &space, settings: Settings::real(Scheduling::Home), table_bytes: 1 << 22 };
    let limits = Budget { nodes: Some(100_000), ..BUDGET };
    let found = on_threads(&task, 2, &limits, &mut |_, _| {}).unwrap();
    assert_eq!(found.found.verdict, Verdict::Unknown);
    let limits = Budget { stop: &|| true, ..BUDGET };
    let found = on_threads(&task, 3, &limits, &mut |_, _| {}).unwrap();
    assert_eq!(found.found.verdict, Verdict::Unknown);
}

/// Databases that processors hold together, each a part, say what whole ones say: the same bounds, and so the same
/// iterations and shortest solutions. A look at another one's part is a panic, and so a death.
#[test]
fn divided_databases_are_as_good_as_whole_ones() {
    let groups = [vec![1, 2, 3, 4], vec![5, 6, 7, 8]];
    let (puzzle, cube) = (eight(), Puzzle::of(&load("rubik")));
    let corners: Vec<usize> = cube.motion.kinds[0].pieces.iter().take(3).map(|piece| piece + 1).collect();
    for (puzzle, groups, moves) in [(puzzle, &groups[..], 80), (cube, &[corners][..], 4)] {
        let plan = Plan::told(&puzzle.motion, groups).unwrap();
        let build = |pattern| database::build(&puzzle.motion, pattern, plan.adds, 1, &|| false).unwrap();
        let tables: Vec<_> = plan.patterns.iter().map(build).collect();
        let patterns = Patterns::new(&puzzle.motion, &plan, &tables);
        for seed in 0..12 {
            let state = puzzle.scrambled(moves, seed);
            let processors = 1 + seed as usize;
            let parts = Parts::new(patterns.clone(), processors, 0..processors);
            let settings = Settings { seed, ..Settings::simulated(Scheduling::Home, costs()) };
            let machine = Machine::with_network(processors, Network::MYRINET);
            let space = Carrying::new(&puzzle.motion, &state, &puzzle.bounds).divided(&parts);
            let task = Task { space: &space, settings, table_bytes: 1 << 20 };
            let found = simulated(&task, &machine).unwrap().together;
            let what = format!("seed {seed}, {processors} processors, divided databases");
            puzzle.check(&state, &found.found.verdict, puzzle.length(&state), &what);
            let whole = Carrying::new(&puzzle.motion, &state, &patterns);
            let task = Task { space: &whole, ..task };
            let found = simulated(&task, &machine).unwrap().together;
            puzzle.check(&state, &found.found.verdict, puzzle.length(&state), "whole databases");
        }
    }
}

/// What a dead processor knew is lost: the others begin again, and come to the same answer.
#[test]
fn a_puzzle_survives_deaths_at_any_moment() {
    let puzzle = eight();
    for (seed, scheduling) in (0..40).zip(SCHEDULINGS.into_iter().cycle()) {
        let mut random = fastrand::Rng::with_seed(seed);
        let state = puzzle.scrambled(200, seed);
        let space = Carrying::new(&puzzle.motion, &state, &puzzle.bounds);
        let settings = Settings { seed, ..Settings::simulated(scheduling, costs()) };
        let task = Task { space: &space, settings, table_bytes: 1 << 18 };
        let processors = random.usize(2..=9);
        let mut machine = Machine::with_network(processors, Network::MYRINET);
        let alive = simulated(&task, &machine).unwrap();
        let deaths = random.usize(1..processors);
        let when = |random: &mut fastrand::Rng| alive.time * random.u32(..=100) / 100;
        machine.faults.deaths =
            (0..deaths as u32).map(|victim| (ProcessorId(victim), when(&mut random))).collect();
        let found = simulated(&task, &machine).unwrap();
        let what = format!("seed {seed}, {scheduling:?}, {deaths} of {processors} die");
        puzzle.check(&state, &found.together.found.verdict, puzzle.length(&state), &what);
    }
}

/// Nothing can be begun again where none is left.
#[test]
fn the_death_of_all_processors_is_told() {
    let puzzle = eight();
    let state = puzzle.scrambled(200, 9);
    let space = Carrying::new(&puzzle.motion, &state, &puzzle.bounds);
    let settings = Settings::simulated(Scheduling::Home, costs());
    let task = Task { space: &space, settings, table_bytes: 1 << 18 };
    let mut machine = Machine::with_network(3, Network::MYRINET);
    machine.faults.deaths = (0..3).map(|id| (ProcessorId(id), Duration::from_micros(300))).collect();
    let error = simulated(&task, &machine).unwrap_err();
    assert!(error.to_string().contains("died"), "{error}");
}

/// Distances that panic once, in whichever thread asks at that moment.
struct Fragile<'puzzle> {
    bounds: &'puzzle PieceByPiece,
    left: AtomicU64,
}

impl Bounds for Fragile<'_> {
    type Kept = <PieceByPiece as Bounds>::Kept;
    type Turned = <PieceByPiece as Bounds>::Turned;

    fn begin(&self, at: &[u8]) -> Self::Kept {
        self.bounds.begin(at)
    }

    fn after(&self, kept: Self::Kept, piece: u8, from: u8, to: u8, at: &[u8; SITES_MAX]) -> Self::Kept {
        let left = self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1));
        assert!(left != Ok(1), "this panic is a part of the test");
        self.bounds.after(kept, piece, from, to, at)
    }

    fn value(&self, kept: Self::Kept) -> u32 {
        self.bounds.value(kept)
    }

    fn turned(&self, at: &[u8; SITES_MAX]) -> Self::Turned {
        self.bounds.turned(at)
    }

    fn turn(&self, turn: &Turn<'_, Self::Turned>) -> Self::Turned {
        self.bounds.turn(turn)
    }

    fn bound(&self, turn: &Turn<'_, Self::Turned>, asked: usize, side: u8, enough: u32) -> (u32, u8) {
        self.bounds.bound(turn, asked, side, enough)
    }

    fn whole(&self, at: &[u8; SITES_MAX]) -> (u32, u8) {
        self.bounds.whole(at)
    }
}

#[test]
fn a_puzzle_survives_a_thread_that_panics() {
    let puzzle = eight();
    let mut panics = SCHEDULINGS.map(|_| 0);
    for (seed, scheduling) in (0..8).zip(SCHEDULINGS.into_iter().cycle()) {
        let state = puzzle.scrambled(200, seed);
        let fragile = Fragile { bounds: &puzzle.bounds, left: AtomicU64::new(1 + 20 * seed) };
        let space = Carrying::new(&puzzle.motion, &state, &fragile);
        let task = Task { space: &space, settings: Settings::real(scheduling), table_bytes: 1 << 20 };
        let found = on_threads(&task, 3, &BUDGET, &mut |_, _| {}).unwrap();
        panics[usize::from(scheduling == Scheduling::Stealing)] +=
            u32::from(fragile.left.load(Ordering::Relaxed) == 0);
        puzzle.check(&state, &found.found.verdict, puzzle.length(&state), &format!("seed {seed}"));
    }
    // Some states are solved before so many distances are asked for.
    assert!(panics.iter().all(|&panics| panics >= 2), "{panics:?} threads panicked");
}
