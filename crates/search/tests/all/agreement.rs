//! Every full-width engine gives NegaMax's score, and a move that is worth it, whatever exact switch is on.

#![allow(clippy::unwrap_used)]

use crate::support::{Bench, compiled, random_positions, two_player_games};
use game::{Game, Position, fen};
use search::{Engine, Heuristics, Limits, Root, Score, Settings};

/// What a set of positions is searched with.
#[derive(Clone, Copy)]
struct Plan {
    positions: usize,
    plies_max: usize,
    depth_max: i32,
    quiescence: bool,
}

fn exact(engine: Engine, quiescence: bool) -> Settings {
    let heuristics = Heuristics { quiescence, ..Heuristics::exact() };
    Settings { heuristics, ..Settings::new(engine) }
}

fn check<G: Game>(game: &G, plan: Plan) {
    let bench = Bench::new(game);
    let mut compared = 0;
    for (number, position) in random_positions(game, plan.positions, plan.plies_max, 3).iter().enumerate() {
        // Where captures go on and on, the oracle cannot follow them: there, leaves are just estimated.
        let quiescence = plan.quiescence && check_position(&bench, position, 1, true, number);
        for depth in 1..=plan.depth_max {
            if !check_position(&bench, position, depth, quiescence, number) {
                break;
            }
            compared += 1;
        }
    }
    let wanted = plan.positions * plan.depth_max as usize;
    println!("{}: {compared} of {wanted} comparisons", game.info().name);
    assert!(compared >= plan.positions, "{}: only {compared} comparisons", game.info().name);
}

/// The oracle is not asked for more than AGREEMENT_NODES, or 100,000: without pruning, some trees have no end.
fn oracle_nodes_max() -> u64 {
    std::env::var("AGREEMENT_NODES").ok().and_then(|text| text.parse().ok()).unwrap_or(100_000)
}

/// False when the tree is too large for the oracle.
fn check_position<G: Game>(
    bench: &Bench<'_, G>,
    position: &Position,
    depth: i32,
    quiescence: bool,
    number: usize,
) -> bool {
    let info = bench.game.info();
    let limits = Limits::to_depth(depth);
    let once = |engine| Settings { first_depth: depth, ..exact(engine, quiescence) };
    let oracle_limits = Limits { nodes: Some(oracle_nodes_max()), ..limits };
    let oracle = bench.run(position, &once(Engine::NegaMax), &oracle_limits);
    if oracle.depth.0 < depth {
        return false;
    }
    let text = || format!("{} to depth {depth}: {}", info.name, fen::write(info, position));
    for engine in Engine::FULL_WIDTH.into_iter().filter(|&engine| engine != Engine::NegaMax) {
        let report = bench.run(position, &exact(engine, quiescence), &limits);
        assert_eq!(report.score, oracle.score, "{engine:?} {}", text());
        check_move(bench, position, &report.best.unwrap(), oracle.score, depth, quiescence, &text());
        let line = &report.principal_variation;
        assert!(quiescence || line.len() <= depth as usize, "{engine:?} {}", text());
    }
    // One switch at a time is turned off, by turns with the position.
    let names = Heuristics::exact_names();
    let name = names[(number + depth as usize) % names.len()];
    for engine in [Engine::AlphaBeta, Engine::NegaScout, Engine::Mtdf] {
        let mut settings = exact(engine, quiescence);
        // Without these two the score is not promised.
        if !["equal_depth", "path_safe"].contains(&name) {
            settings.heuristics.set(name, false);
        }
        settings.increment = 1 + number as i32 % 3;
        let report = bench.run(position, &settings, &limits);
        assert_eq!(report.score, oracle.score, "{engine:?} without {name} {}", text());
    }
    true
}

/// The move leads to a position whose score is that of the parent.
fn check_move<G: Game>(
    bench: &Bench<'_, G>,
    position: &Position,
    best: &game::Move,
    expected: Score,
    depth: i32,
    quiescence: bool,
    text: &str,
) {
    let mut root = Root::new(bench.game, position);
    root.only = vec![best.clone()];
    let settings = Settings { first_depth: depth, ..exact(Engine::AlphaBeta, quiescence) };
    let report = bench.run_root(&root, &settings, &Limits::to_depth(depth));
    assert_eq!(report.score, expected, "the move of {text}");
}

#[test]
fn native_othello() {
    check(
        &native::NativeOthello::new(),
        Plan { positions: 50, plies_max: 58, depth_max: 4, quiescence: true },
    );
}

#[test]
fn native_connect4() {
    check(
        &native::NativeConnect4::new(),
        Plan { positions: 50, plies_max: 36, depth_max: 5, quiescence: true },
    );
}

#[test]
fn native_checkers() {
    check(
        &native::NativeCheckers::new(),
        Plan { positions: 50, plies_max: 80, depth_max: 5, quiescence: true },
    );
}

#[test]
fn native_chess() {
    let game = native::NativeChess::new();
    check(&game, Plan { positions: 10, plies_max: 300, depth_max: 3, quiescence: true });
    check(&game, Plan { positions: 12, plies_max: 150, depth_max: 4, quiescence: false });
}

#[test]
fn compiled_games() {
    // The usual run looks at a few positions of each game; set AGREEMENT_POSITIONS=50 for a thorough one.
    let wanted = std::env::var("AGREEMENT_POSITIONS").ok().and_then(|text| text.parse().ok());
    for name in two_player_games() {
        let game = compiled::<512>(&name);
        check(
            &game,
            Plan { positions: wanted.unwrap_or(5), plies_max: 40, depth_max: 4, quiescence: name != "chess" },
        );
    }
}

/// Kings and little else: moves can be undone, and lines repeat positions within the search.
#[test]
fn repetitions_do_not_disturb_the_table() {
    for occurrences in [2, 3] {
        let game = native_chess_with_repetition(occurrences);
        let bench = Bench::new(&game);
        for text in ["k7/8/8/8/8/p7/P7/K7 w - - 0 1", "7k/8/8/8/7p/8/8/K7 b - - 0 1"] {
            let position = fen::read(game.info(), text).unwrap();
            for depth in 1..=6 {
                assert!(check_position(&bench, &position, depth, false, depth as usize));
            }
        }
    }
}

fn native_chess_with_repetition(occurrences: u32) -> Repeating {
    let mut info = native::NativeChess::new().info().clone();
    info.repetition.occurrences = occurrences;
    Repeating { chess: native::NativeChess::new(), info }
}

/// Chess with another rule about repetitions.
struct Repeating {
    chess: native::NativeChess,
    info: game::GameInfo,
}

impl Game for Repeating {
    type Position = <native::NativeChess as Game>::Position;

    fn info(&self) -> &game::GameInfo {
        &self.info
    }
    fn pack(&self, position: &Position) -> Self::Position {
        self.chess.pack(position)
    }
    fn unpack(&self, position: &Self::Position) -> Position {
        self.chess.unpack(position)
    }
    fn mover(&self, position: &Self::Position) -> game::Colour {
        self.chess.mover(position)
    }
    fn signature(&self, position: &Self::Position) -> game::Signature {
        self.chess.signature(position)
    }
    fn generate(
        &self,
        position: &Self::Position,
        stage: game::Stage,
        moves: &mut game::MoveList,
    ) -> Result<Option<game::Outcome>, game::RuleFault> {
        self.chess.generate(position, stage, moves)
    }
    fn play(&self, position: &mut Self::Position, played: game::MoveView<'_>) {
        self.chess.play(position, played);
    }
    fn take_back(&self, position: &mut Self::Position, played: game::MoveView<'_>) {
        self.chess.take_back(position, played);
    }
    /// Something that differs from field to field, so that scores differ.
    fn evaluate(&self, position: &Self::Position) -> Result<i32, game::RuleFault> {
        Ok((self.chess.signature(position).0 % 1000) as i32 - 500)
    }
}
