//! Proof searches and Monte Carlo searches on several threads: what is proven is what one thread proves.

#![allow(clippy::unwrap_used)]

use crate::support;
use crate::support::{Bench, random_positions};
use game::{Game, Position};
use parallel::{Method, Sharing};
use search::monte_carlo::Together;
use search::{Control, Engine, Limits, Report, Resources, Root, Score, Settings, StoppedClock};

fn on_threads<G: Game>(
    bench: &Bench<'_, G>,
    position: &Position,
    settings: &Settings,
    limits: &Limits,
    threads: usize,
) -> Report {
    let (control, root) = (Control::default(), Root::new(bench.game, position));
    let (knowledge, clock) = (&bench.knowledge, &StoppedClock);
    let resources = Resources { table: &bench.table, knowledge, control: &control, clock, team: None };
    let sharing = Sharing::new(Method::default(), threads);
    parallel::search(bench.game, &root, settings, limits, sharing, resources, &mut |_| {}).unwrap()
}

#[test]
fn threads_prove_what_one_proves() {
    let settings = Settings::new(Engine::DfPn);
    for (name, plies) in [("tictactoe", 2), ("connect4", 34), ("othello", 57), ("clobber", 20)] {
        let game = support::compiled::<64>(name);
        let bench = Bench::new(&game);
        for position in random_positions(&game, 3, plies, 5) {
            let limits = Limits::to_nodes(60_000);
            let alone = bench.run(&position, &settings, &limits);
            for threads in [2, 5] {
                let together = on_threads(&bench, &position, &settings, &limits, threads);
                if alone.proven && together.proven {
                    assert_eq!(alone.score, together.score, "{name}, {threads} threads: {position:?}");
                }
                // Several threads may be less lucky with many nodes, not with a few.
                let is_easy = alone.proven && alone.nodes < 6_000;
                assert!(together.proven || !is_easy, "{name}, {threads} threads: {position:?}");
                assert!(together.best.is_some());
            }
        }
    }
}

#[test]
fn a_limit_of_nodes_is_for_all_threads() {
    let game = support::compiled::<64>("connect4");
    let bench = Bench::new(&game);
    let report = on_threads(
        &bench,
        &support::start(&game),
        &Settings::new(Engine::DfPn),
        &Limits::to_nodes(30_000),
        4,
    );
    assert!(!report.proven && report.nodes < 60_000, "{}", report.nodes);
}

#[test]
fn every_way_to_play_out_together_finds_a_win() {
    let game = support::compiled::<64>("connect4");
    let bench = Bench::new(&game);
    let wins = |position: &&Position| {
        let report = bench.run(position, &Settings::new(Engine::NegaScout).exact(), &Limits::to_depth(3));
        report.score.distance().is_some_and(|plies| plies > 0)
    };
    let positions = random_positions(&game, 60, 24, 3);
    let positions: Vec<&Position> = positions.iter().filter(wins).take(3).collect();
    assert!(!positions.is_empty());
    for position in positions {
        for together in [Together::Tree, Together::Root, Together::Leaf] {
            let mut settings = Settings::new(Engine::MonteCarlo);
            settings.monte_carlo.together = together;
            settings.monte_carlo.playouts_max = 20_000;
            let report = on_threads(&bench, position, &settings, &Limits::default(), 3);
            assert_eq!((report.score, report.proven), (Score::WON, true), "{together:?}: {position:?}");
        }
    }
}

#[test]
fn games_of_all_threads_are_counted() {
    let game = support::compiled::<64>("othello");
    let bench = Bench::new(&game);
    for together in [Together::Tree, Together::Root, Together::Leaf] {
        let mut settings = Settings::new(Engine::MonteCarlo);
        settings.monte_carlo.together = together;
        settings.monte_carlo.playouts_max = 600;
        let report = on_threads(&bench, &support::start(&game), &settings, &Limits::default(), 3);
        let playouts = report.statistics.playouts;
        assert!((600..620).contains(&playouts), "{together:?}: {playouts}");
        assert!(report.best.is_some() && !report.proven);
        assert_eq!(report.best, report.principal_variation.first().cloned());
    }
}
