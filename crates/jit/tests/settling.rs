//! What compiled code says about the last moves of a game, against the interpreter that follows all lines.

#![allow(clippy::unwrap_used)] // tests are free to

use game::{Game, MoveList, Outcome, Position, Stage, text};
use jit::{Compiled, Options};
use rules::{Interpreter, compile};

fn load(name: &str) -> Interpreter {
    let path = format!("{}/../../games/{name}.mg", env!("CARGO_MANIFEST_DIR"));
    let source = lang::Source::new(name, std::fs::read_to_string(path).unwrap());
    let (program, _) = compile(&source, None).unwrap_or_else(|error| panic!("{name}: {error:?}"));
    Interpreter::new(program)
}

/// Whether the mover gets at least so much, by all lines to the end of the game; `None` if that takes too long.
fn gets(game: &Interpreter, position: &Position, at_least: i64, nodes: &mut usize) -> Option<bool> {
    *nodes = nodes.checked_sub(1)?;
    let mut moves = MoveList::new();
    if let Some(outcome) = game.generate(position, Stage::All, &mut moves).unwrap() {
        return Some(outcome.worth() >= at_least);
    }
    for played in moves.iter() {
        let enough = match played.head.outcome() {
            Some(outcome) => outcome.worth() >= at_least,
            None => {
                let mut after = position.clone();
                game.play(&mut after, played);
                !gets(game, &after, 1 - at_least, nodes)?
            }
        };
        if enough {
            return Some(true);
        }
    }
    Some(false)
}

/// The interpreter looks at so many positions for one answer.
const NODES_MAX: usize = 1_000;

/// Plays random games and asks in each position that is near enough to the end. Returns how many were settled.
fn compare(name: &str, games: usize, options: Options) -> usize {
    let interpreter = load(name);
    let compiled = Compiled::<512>::new(interpreter.program(), options).unwrap();
    let mut random = fastrand::Rng::with_seed(11);
    let (mut settled, mut moves) = (0, MoveList::new());
    for _ in 0..games {
        let mut position = interpreter.info().start.clone().unwrap();
        let mut irreversible = true;
        loop {
            let image = compiled.pack(&position);
            for at_least in [1 - Outcome::WIN_WORTH, -4, 0, 1, 6, Outcome::WIN_WORTH] {
                let answer = compiled.settle(&image, at_least, 60);
                assert!(answer.nodes <= 61, "{name}: {answer:?}");
                let Some(worth) = answer.worth.filter(|_| irreversible) else { continue };
                let shown = || text::write(interpreter.info(), &position);
                assert!(answer.nodes > 0, "{name}");
                let truly = |at_least: i64| gets(&interpreter, &position, at_least, &mut { NODES_MAX });
                let Some(enough) = truly(at_least) else { continue };
                assert_eq!(worth >= at_least, enough, "{name}\n{}", shown());
                // What is found is a bound.
                let holds = match worth >= at_least {
                    true => truly(worth),
                    false => truly(worth + 1).map(|more| !more),
                };
                assert_ne!(holds, Some(false), "{name}: {worth} for {at_least}\n{}", shown());
                settled += 1;
            }
            if interpreter.generate(&position, Stage::All, &mut moves).unwrap().is_some() {
                break;
            }
            let played = moves.get(random.usize(..moves.len()));
            irreversible = played.head.irreversible();
            interpreter.play(&mut position, played);
            if played.head.outcome().is_some() {
                break;
            }
        }
    }
    settled
}

/// Games that end by themselves, with points or without, with passes, captures, lines, groups and two-field moves.
const GAMES: [&str; 10] = [
    "othello",
    "othello6",
    "connect4",
    "tictactoe",
    "sizes/domineering_4x4",
    "sizes/hex_4x4",
    "sizes/breakthrough_4x5",
    "clobber",
    "isolation",
    "gomoku",
];

#[test]
fn last_moves_are_worth_what_the_interpreter_says() {
    for name in GAMES {
        let settled = compare(name, 12, Options::default());
        assert!(settled > 100 || name == "gomoku", "{name}: {settled}");
    }
}

/// The same without what makes code fast.
#[test]
fn plain_code_settles_the_same() {
    for name in ["othello6", "connect4", "sizes/breakthrough_4x5"] {
        let plain = Options {
            tracked_tests: false,
            static_changes: false,
            known_pieces: false,
            whole_board_tests: false,
            known_fingers: false,
            ..Options::default()
        };
        assert!(compare(name, 6, plain) > 50, "{name}");
    }
}

/// Lines that are longer than there is room for are given up, however many nodes are allowed.
#[test]
fn lines_that_are_too_long_are_given_up() {
    let othello = load("othello");
    let compiled = Compiled::<512>::new(othello.program(), Options::default()).unwrap();
    let start = compiled.pack(othello.info().start.as_ref().unwrap());
    let answer = compiled.settle(&start, 0, 1_000_000);
    assert!(answer.worth.is_none() && answer.nodes < 100, "{answer:?}");
}

/// Lines that could repeat a position are not followed, and puzzles are not settled at all.
#[test]
fn what_can_go_on_for_ever_is_not_settled() {
    let chess = load("chess");
    let compiled = Compiled::<512>::new(chess.program(), Options::default()).unwrap();
    let start = compiled.pack(chess.info().start.as_ref().unwrap());
    assert_eq!(compiled.settle(&start, 0, 100_000).worth, None);
    let puzzle = load("puzzle8");
    let compiled = Compiled::<512>::new(puzzle.program(), Options::default()).unwrap();
    assert_eq!(compiled.settles(), 0);
}
