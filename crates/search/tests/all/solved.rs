//! Games and positions whose outcome is known.

#![allow(clippy::unwrap_used)]

use crate::support::{Bench, compiled, random_positions, start};
use game::{Game, MoveList, Position, Stage, fen, notation, text};
use search::{Engine, Heuristics, Limits, Score, Settings};

fn name_of<G: Game>(game: &G, position: &Position, played: &game::Move) -> String {
    let mut moves = MoveList::new();
    game.generate(&game.pack(position), Stage::All, &mut moves).unwrap();
    let names = notation::short_forms(game.info(), position, &moves);
    let index = moves.iter().position(|legal| legal.same_as(played.view())).unwrap();
    names[index].clone()
}

#[test]
fn tictactoe_is_a_draw() {
    let game = compiled::<16>("tictactoe");
    let bench = Bench::new(&game);
    for engine in Engine::FULL_WIDTH {
        for settings in [Settings::new(engine), Settings::new(engine).exact()] {
            if engine == Engine::NegaMax {
                continue;
            }
            let report = bench.run(&start(&game), &settings, &Limits::to_depth(9));
            assert_eq!(report.score, Score::DRAW, "{engine:?}");
        }
    }
    for engine in [Engine::ProofNumber, Engine::DfPn, Engine::Exhaustive] {
        let report = bench.run(&start(&game), &Settings::new(engine), &Limits::default());
        assert_eq!((report.score, report.proven), (Score::DRAW, true), "{engine:?}");
    }
}

#[test]
fn a_full_search_that_has_seen_everything_is_a_proof() {
    let game = compiled::<16>("tictactoe");
    let bench = Bench::new(&game);
    for engine in [Engine::AlphaBeta, Engine::NegaScout, Engine::Mtdf] {
        let report = bench.run(&start(&game), &Settings::new(engine).exact(), &Limits::default());
        assert_eq!((report.score, report.proven, report.depth.0), (Score::DRAW, true, 10), "{engine:?}");
        let shallow = bench.run(&start(&game), &Settings::new(engine).exact(), &Limits::to_depth(5));
        assert!(!shallow.proven);
    }
    // Points: the last few moves of an Othello game, as a list of all lines gives them.
    let othello = native::NativeOthello::new();
    let bench = Bench::new(&othello);
    let board = "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXXXXXOOOOXXXXXOXXXXXXXXXXX X";
    let position = text::read(othello.info(), board).unwrap();
    let report = bench.run(&position, &Settings::new(Engine::NegaScout).exact(), &Limits::default());
    let oracle = bench.run(&position, &Settings::new(Engine::NegaMax), &Limits::to_depth(9));
    assert!(report.proven && report.score == oracle.score, "{} {}", report.score, oracle.score);
}

/// Every position of tic-tac-toe that a few random games meet: proof searches and alpha-beta agree.
#[test]
fn proofs_agree_with_full_searches() {
    let game = compiled::<16>("tictactoe");
    let bench = Bench::new(&game);
    for position in random_positions(&game, 40, 7, 5) {
        let full = bench.run(&position, &Settings::new(Engine::NegaScout).exact(), &Limits::to_depth(9));
        for engine in [Engine::ProofNumber, Engine::DfPn, Engine::Exhaustive] {
            let report = bench.run(&position, &Settings::new(engine), &Limits::default());
            assert!(report.proven);
            assert_eq!(sign(report.score), sign(full.score), "{engine:?} {position:?}");
        }
    }
}

fn sign(score: Score) -> i32 {
    score.cmp(&Score::DRAW) as i32
}

#[test]
fn monte_carlo_plays_tictactoe_perfectly() {
    let game = compiled::<16>("tictactoe");
    let bench = Bench::new(&game);
    for position in random_positions(&game, 40, 7, 6) {
        let full = bench.run(&position, &Settings::new(Engine::NegaScout).exact(), &Limits::to_depth(9));
        let report = bench.run(&position, &Settings::new(Engine::MonteCarlo), &Limits::to_nodes(200_000));
        if report.proven {
            assert_eq!(sign(report.score), sign(full.score), "{position:?}");
        }
        let mut after = game.pack(&position);
        let best = report.best.unwrap();
        game.play(&mut after, best.view());
        if best.view().head.outcome().is_none() {
            let after = game.unpack(&after);
            let reply = bench.run(&after, &Settings::new(Engine::NegaScout).exact(), &Limits::to_depth(9));
            assert_eq!(sign(reply.score), -sign(full.score), "the move in {position:?}");
        }
    }
}

/// Endings of connect-4 with twelve to eighteen empty fields: all ways to solve them agree.
#[test]
fn connect4_endings() {
    let game = native::NativeConnect4::new();
    let bench = Bench::new(&game);
    let endings = random_positions(&game, 400, 30, 9).into_iter().filter(|position| {
        (12..=18).contains(&position.fields().iter().filter(|&&piece| piece == 0).count())
    });
    for position in endings.take(12) {
        let full = bench.run(&position, &Settings::new(Engine::NegaScout).exact(), &Limits::to_depth(20));
        for engine in [Engine::DfPn, Engine::Exhaustive] {
            let report = bench.run(&position, &Settings::new(engine), &Limits::default());
            assert!(report.proven);
            assert_eq!(sign(report.score), sign(full.score), "{}", text::write(game.info(), &position));
        }
        let other = bench.run(&position, &Settings::new(Engine::Mtdf), &Limits::to_depth(20));
        assert_eq!(sign(other.score), sign(full.score), "{}", text::write(game.info(), &position));
    }
}

/// Small boards with known values for the first player: connect-4 by Tromp, domineering by Breuker and others, hex by
/// the argument of the stolen strategy.
#[test]
fn small_boards_have_their_known_values() {
    for (name, value) in [
        ("connect4_5x4", 0),
        ("domineering_3x3", 1),
        ("domineering_4x4", 1),
        ("domineering_5x5", -1),
        ("domineering_6x6", 1),
        ("hex_3x3", 1),
        ("hex_4x4", 1),
    ] {
        let game = compiled::<16>(&format!("sizes/{name}"));
        let bench = Bench::new(&game);
        let report = bench.run(&start(&game), &Settings::new(Engine::Exhaustive), &Limits::default());
        assert_eq!((sign(report.score), report.proven), (value, true), "{name}");
    }
}

/// No values are published for these: two ways to solve them must agree.
#[test]
fn small_breakthrough_is_solved_alike() {
    for name in ["breakthrough_4x4", "breakthrough_5x4"] {
        let game = compiled::<16>(&format!("sizes/{name}"));
        let bench = Bench::new(&game);
        let [one, other] = [Engine::Exhaustive, Engine::DfPn]
            .map(|engine| bench.run(&start(&game), &Settings::new(engine), &Limits::default()));
        assert!(one.proven && other.proven, "{name}");
        assert_eq!(sign(one.score), sign(other.score), "{name}");
    }
}

/// Points are closed in from any guess, and what is known when the search is stopped is true.
#[test]
fn points_are_closed_in_from_both_sides() {
    let game = compiled::<32>("othello6");
    let bench = Bench::new(&game);
    for position in random_positions(&game, 200, 26, 3)
        .into_iter()
        .filter(|position| position.fields().iter().filter(|&&piece| piece == 0).count() <= 9)
        .take(8)
    {
        let oracle = bench.run(&position, &Settings::new(Engine::NegaMax), &Limits::to_depth(20));
        for guess in [None, Some(-36), Some(0), Some(7)] {
            let mut settings = Settings::new(Engine::Exhaustive);
            settings.proof.guess = guess;
            let report = bench.run(&position, &settings, &Limits::default());
            assert_eq!((report.score, report.proven), (oracle.score, true), "{guess:?}");
            let stopped = bench.run(&position, &settings, &Limits::to_nodes(report.nodes / 2));
            assert!(bench.run(&position, &settings, &Limits::to_nodes(0)).best.is_some());
            let (least, most) = stopped.bounds.unwrap();
            assert!(least <= oracle.score && oracle.score <= most, "{guess:?}");
        }
    }
}

/// Pieces that go to and fro: what rests on a repetition is not kept for other lines.
#[test]
fn cycles_do_not_mislead_the_exhaustive_search() {
    let game = compiled::<16>("hexapawn");
    let bench = Bench::new(&game);
    for position in random_positions(&game, 20, 6, 2) {
        let [one, other] = [Engine::Exhaustive, Engine::DfPn]
            .map(|engine| bench.run(&position, &Settings::new(engine), &Limits::default()));
        assert_eq!((sign(one.score), one.proven), (sign(other.score), other.proven));
    }
    // Kings and a pawn: moves can be undone for ever.
    let chess = native::NativeChess::new();
    let bench = Bench::new(&chess);
    let position = fen::read(chess.info(), "7k/8/8/8/8/8/R7/1R2K3 w - - 0 1").unwrap();
    let report = bench.run(&position, &Settings::new(Engine::Exhaustive), &Limits::to_nodes(20_000));
    assert!(!report.proven || report.score > Score::DRAW);
}

/// Mates in chess: position, plies, and the key moves.
const MATES: [(&str, usize, &str); 5] = [
    // Back rank.
    ("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", 1, "a1a8"),
    // Fool's mate.
    ("rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2", 1, "d8h4"),
    // Two rooks roll the king up.
    ("7k/8/8/8/8/8/R7/1R2K3 w - - 0 1", 3, "a2a7 b1b7"),
    // Philidor's legacy: the queen goes first.
    ("5r1k/6pp/7N/8/8/1Q6/6PP/6K1 w - - 0 1", 3, "b3g8"),
    // A queen and a king against a king.
    ("k7/8/2K5/8/8/8/8/1Q6 w - - 0 1", 1, "b1b7"),
];

#[test]
fn mates_are_found_with_their_distance() {
    let game = native::NativeChess::new();
    let bench = Bench::new(&game);
    for (text, plies, key) in MATES {
        let position = fen::read(game.info(), text).unwrap();
        let exact = Settings::new(Engine::NegaScout).exact();
        let report = bench.run(&position, &exact, &Limits::to_depth(plies as i32));
        assert_eq!(report.score, Score::win_in(plies), "{text}");
        assert_eq!(report.principal_variation.len(), plies, "{text}");
        let best = name_of(&game, &position, &report.best.unwrap());
        assert!(key.split(' ').any(|key| key == best), "{text}: {best}");
        for engine in [Engine::AlphaBeta, Engine::NegaScout, Engine::Mtdf] {
            let report = bench.run(&position, &Settings::new(engine), &Limits::to_depth(plies as i32 + 4));
            assert_eq!(report.score, Score::win_in(plies), "{engine:?} {text}");
        }
        let report = bench.run(&position, &Settings::new(Engine::DfPn), &Limits::to_nodes(2_000_000));
        assert_eq!((report.score, report.proven), (Score::WON, true), "{text}");
    }
}

/// A mate in the compiled game, null moves and all.
#[test]
fn compiled_chess_finds_mates_too() {
    let game = compiled::<64>("chess");
    let bench = Bench::new(&game);
    let mut settings = Settings::new(Engine::NegaScout);
    for name in Heuristics::NAMES {
        settings.heuristics.set(name, !["equal_depth", "path_safe"].contains(name));
    }
    for (text, plies, _) in MATES {
        let position = fen::read(game.info(), text).unwrap();
        let report = bench.run(&position, &settings, &Limits::to_depth(plies as i32 + 4));
        assert_eq!(report.score, Score::win_in(plies), "{text}");
    }
}

/// Sacrifices whose point is a quiet move, and threats behind the horizon: what pruning must not hide.
#[test]
fn compiled_chess_finds_sacrifices() {
    let game = compiled::<64>("chess");
    let bench = Bench::new(&game);
    for (text, key) in [
        ("r3r1k1/pp1q1p2/4bBp1/3p4/5R2/8/PPP3PP/4R1K1 w - - 0 1", "f4h4"),
        ("r3r3/pp1q1pk1/4b1p1/3p2B1/5R2/8/PPP3PP/4R1K1 w - - 0 1", "g5f6"),
        ("2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1", "g3g6"),
    ] {
        let position = fen::read(game.info(), text).unwrap();
        let report = bench.run(&position, &Settings::new(Engine::NegaScout), &Limits::to_nodes(150_000));
        assert_eq!(name_of(&game, &position, &report.best.unwrap()), key, "{text}");
    }
}

/// Behind the horizon a mover in check may not stand still: at depth 1 a fork of king and queen is seen to win the
/// queen.
#[test]
fn threats_are_answered_behind_the_horizon() {
    let game = compiled::<64>("chess");
    let bench = Bench::new(&game);
    let position = fen::read(game.info(), "3q3k/6pp/8/6N1/8/8/5PPP/6K1 w - - 0 1").unwrap();
    let mut settings = Settings::new(Engine::NegaScout);
    settings.heuristics.set("threat_extensions", false);
    for on in [true, false] {
        settings.heuristics.set("threat_leaves", on);
        let report = bench.run(&position, &settings, &Limits::to_depth(1));
        assert_eq!(report.score > Score::DRAW, on, "threat_leaves {on}: {}", report.score);
    }
}

/// The last moves of Othello: the score is that of NegaMax, in points.
#[test]
fn othello_endings_are_solved_by_points() {
    let game = native::NativeOthello::new();
    let bench = Bench::new(&game);
    let endings = random_positions(&game, 200, 60, 4)
        .into_iter()
        .filter(|position| (3..=8).contains(&position.fields().iter().filter(|&&piece| piece == 0).count()));
    for position in endings.take(10) {
        let exact = bench.run(&position, &Settings::new(Engine::NegaScout).exact(), &Limits::to_depth(20));
        assert!(exact.score.points().is_some() || exact.score == Score::DRAW);
        let report = bench.run(&position, &Settings::new(Engine::DfPn), &Limits::default());
        assert!(report.proven);
        assert_eq!(sign(report.score), sign(exact.score), "{}", text::write(game.info(), &position));
    }
}

/// In a drawn ending with kings that wander, results on one line are not those on another.
#[test]
fn cycles_are_not_taken_for_proofs() {
    let game = native::NativeCheckers::new();
    let bench = Bench::new(&game);
    // One king each in the double corners: neither can be caught.
    let position = fen::read(game.info(), "W:WK32:BK1").unwrap();
    for engine in [Engine::DfPn, Engine::ProofNumber] {
        let report = bench.run(&position, &Settings::new(engine), &Limits::to_nodes(300_000));
        assert!(!report.proven || report.score == Score::DRAW, "{engine:?}: {}", report.score);
    }
}
