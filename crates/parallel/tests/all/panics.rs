//! A thread that panics in the middle of a search: the others do its work, the value is the same, and it is told how
//! many were lost. In every way to use threads, whether it leads or not.

#![allow(clippy::unwrap_used)]

use crate::support::{self, Bench, random_positions};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{self, ThreadId};

use game::{Colour, Game, GameInfo, MoveList, MoveView, Outcome, Position, RuleFault, Signature, Stage};
use parallel::stealing::{Policy, Task, on_threads};
use parallel::{Method, Sharing};
use search::monte_carlo::Together;
use search::{Control, Engine, Limits, Report, Resources, Root, Settings, StoppedClock};
use table::Table;

/// A game during which one thread panics, once.
struct Fragile<'game, G> {
    game: &'game G,
    leader: ThreadId,
    /// Whether it is the thread that began the search.
    leads: bool,
    /// After so many generations of it.
    after: usize,
    generations: AtomicUsize,
}

impl<'game, G> Fragile<'game, G> {
    fn new(game: &'game G, leads: bool, after: usize) -> Fragile<'game, G> {
        let leader = thread::current().id();
        Fragile { game, leader, leads, after, generations: AtomicUsize::new(0) }
    }

    /// Whether the thread has panicked.
    fn is_broken(&self) -> bool {
        self.generations.load(Ordering::Relaxed) > self.after
    }
}

impl<G: Game> Game for Fragile<'_, G> {
    type Position = G::Position;

    fn info(&self) -> &GameInfo {
        self.game.info()
    }

    fn pack(&self, position: &Position) -> G::Position {
        self.game.pack(position)
    }

    fn unpack(&self, position: &G::Position) -> Position {
        self.game.unpack(position)
    }

    fn mover(&self, position: &G::Position) -> Colour {
        self.game.mover(position)
    }

    fn signature(&self, position: &G::Position) -> Signature {
        self.game.signature(position)
    }

    fn generate(
        &self,
        position: &G::Position,
        stage: Stage,
        moves: &mut MoveList,
    ) -> Result<Option<Outcome>, RuleFault> {
        let is_meant = (thread::current().id() == self.leader) == self.leads;
        if is_meant && self.generations.fetch_add(1, Ordering::Relaxed) == self.after {
            panic!("this panic is part of a test");
        }
        self.game.generate(position, stage, moves)
    }

    fn play(&self, position: &mut G::Position, played: MoveView<'_>) {
        self.game.play(position, played);
    }

    fn take_back(&self, position: &mut G::Position, played: MoveView<'_>) {
        self.game.take_back(position, played);
    }

    fn evaluate(&self, position: &G::Position) -> Result<i32, RuleFault> {
        self.game.evaluate(position)
    }
}

/// The moments at which a thread panics: when little, some and much was done.
const MOMENTS: [usize; 3] = [3, 40, 400];
/// A thread may get no work before the search is over; then it is searched again.
const TRIES: usize = 300;
const THREADS: usize = 3;

type Search<'run, 'game, G> = dyn Fn(&Fragile<'game, G>, &Root<Fragile<'game, G>>) -> Report + 'run;

/// Searches with a thread that panics until it has.
fn survive<'game, G: Game>(
    game: &'game G,
    position: &Position,
    what: &str,
    check: &dyn Fn(&Report),
    search: &Search<'_, 'game, G>,
) {
    for leads in [true, false] {
        for after in MOMENTS {
            let has_panicked = (0..TRIES).any(|_| {
                let fragile = Fragile::new(game, leads, after);
                let root = Root::new(&fragile, position);
                let report = search(&fragile, &root);
                check(&report);
                let lost = usize::from(fragile.is_broken());
                assert_eq!(report.threads_lost, lost, "{what}, leads: {leads}, after {after}");
                fragile.is_broken()
            });
            // A panic that is due too late may never come, which is not a failure of the search. On a busy machine
            // others hardly get to help at all.
            let comes_in_time = after <= MOMENTS[usize::from(leads)];
            assert!(
                has_panicked || !comes_in_time,
                "{what}: no thread has panicked, leads: {leads}, {after}"
            );
        }
    }
}

fn resources<'run, G: Game>(
    bench: &'run Bench<'_, G>,
    control: &'run Control,
) -> Resources<'run, table::Bucketed> {
    let (table, knowledge) = (&bench.table, &bench.knowledge);
    Resources { table, knowledge, control, clock: &StoppedClock, team: None }
}

fn bench_of(name: &str) -> (jit::Compiled<64>, Position, i32) {
    let game = support::compiled::<64>(name);
    let position = random_positions(&game, 1, 16, 7).remove(0);
    (game, position, if name == "othello" { 6 } else { 7 })
}

#[test]
fn every_way_to_share_a_search_survives_a_panic() {
    let usual = ("side by side", Method::default().side_by_side());
    for name in ["othello", "checkers"] {
        let (game, position, depth) = bench_of(name);
        let bench = Bench::new(&game);
        let settings = Settings::new(Engine::NegaScout).exact();
        let truth = bench.run(&position, &settings, &Limits::to_depth(depth));
        for (policy_name, policy) in Policy::NAMED.into_iter().chain([usual]) {
            let what = format!("{name} by {policy_name}");
            let check = |report: &Report| {
                assert_eq!((report.score, report.depth), (truth.score, truth.depth), "{what}");
            };
            survive(&game, &position, &what, &check, &|fragile, root| {
                bench.table.clear();
                let (control, knowledge) = (Control::default(), &bench.knowledge);
                let (limits, timeline) = (Limits::to_depth(depth), None);
                let task = Task { game: fragile, root, settings, limits, knowledge, policy, timeline };
                on_threads(&task, THREADS, resources(&bench, &control), &mut |_| {}).unwrap().report
            });
        }
    }
}

#[test]
fn threads_that_only_meet_in_the_table_survive_a_panic() {
    let (game, position, depth) = bench_of("othello");
    let bench = Bench::new(&game);
    for engine in [Engine::NegaScout, Engine::AlphaBeta, Engine::Mtdf] {
        let (settings, limits) = (Settings::new(engine).exact(), Limits::to_depth(depth));
        let truth = bench.run(&position, &settings, &limits);
        let check = |report: &Report| assert_eq!(report.score, truth.score, "{engine:?}");
        survive(&game, &position, &format!("{engine:?}"), &check, &|fragile, root| {
            bench.table.clear();
            let control = Control::default();
            let resources = resources(&bench, &control);
            parallel::lazy_smp::search(fragile, root, &settings, &limits, THREADS, resources, &mut |_| {})
                .unwrap()
        });
    }
}

#[test]
fn proofs_and_playouts_survive_a_panic() {
    let game = support::compiled::<64>("connect4");
    let bench = Bench::new(&game);
    let proof = Settings::new(Engine::DfPn);
    let limits = Limits::to_nodes(100_000);
    let tried = random_positions(&game, 60, 30, 5).into_iter().map(|position| {
        let truth = bench.run(&position, &proof, &limits);
        (position, truth)
    });
    // A proof that takes a moment.
    let (position, truth) = tried.into_iter().find(|(_, truth)| truth.proven && truth.nodes > 3_000).unwrap();
    let search = |settings: Settings, limits: Limits, what: &str, check: &dyn Fn(&Report)| {
        survive(&game, &position, what, check, &|fragile, root| {
            let control = Control::default();
            let sharing = Sharing::new(Method::default(), THREADS);
            let resources = resources(&bench, &control);
            parallel::search(fragile, root, &settings, &limits, sharing, resources, &mut |_| {}).unwrap()
        });
    };
    search(proof, Limits::default(), "df-pn", &|report| {
        assert_eq!((report.score, report.proven), (truth.score, true));
    });
    for together in [Together::Tree, Together::Root, Together::Leaf] {
        let mut settings = Settings::new(Engine::MonteCarlo);
        settings.monte_carlo.together = together;
        settings.monte_carlo.playouts_max = 500;
        search(settings, Limits::default(), &format!("{together:?}"), &|report| {
            assert!(report.best.is_some(), "{together:?}");
        });
    }
}

/// A thread that leads in the place of another one goes by its limits: otherwise a search without a depth would have no
/// end.
#[test]
fn limits_outlive_the_leader() {
    let (game, position, _) = bench_of("othello");
    let bench = Bench::new(&game);
    let settings = Settings::new(Engine::NegaScout);
    let most = 30_000;
    for policy in
        [Method::default().side_by_side(), Policy::YBWC, Policy::APHID, Policy::TDSAB, Policy::LAZY_SMP]
    {
        bench.table.clear();
        let fragile = Fragile::new(&game, true, 10);
        let root = Root::new(&fragile, &position);
        let (control, knowledge, timeline) = (Control::default(), &bench.knowledge, None);
        let limits = Limits::to_nodes(most);
        let task = Task { game: &fragile, root: &root, settings, limits, knowledge, policy, timeline };
        let report = on_threads(&task, THREADS, resources(&bench, &control), &mut |_| {}).unwrap().report;
        let what = format!("{policy:?}: {} lost, {} nodes", report.threads_lost, report.nodes);
        assert!(fragile.is_broken() && report.threads_lost == 1 && report.best.is_some(), "{what}");
        // Those who are in the middle of something, and those who are told of the limit by messages, go on for a
        // moment.
        assert!(report.nodes < 10 * most, "{what}");
    }
}
