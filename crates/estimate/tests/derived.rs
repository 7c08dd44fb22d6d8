//! Derived evaluations: the same every time, kept up to date by moves, sensible, and kept in files.

#![allow(clippy::unwrap_used)]

use estimate::{Derived, Estimated, cache};
use game::{Colour, Game, MoveList, Stage};
use native::{NativeCheckers, NativeChess};
use rules::Interpreter;

const SEED: u64 = 1;

fn interpreted(name: &str) -> Interpreter {
    let path = format!("{}/../../games/{name}.mg", env!("CARGO_MANIFEST_DIR"));
    let source = lang::Source::new(name, std::fs::read_to_string(path).unwrap());
    Interpreter::new(rules::compile(&source, None).unwrap().0)
}

fn learned<G: Game>(game: &G) -> Derived {
    Derived::learn(game, game.info().start.as_ref().unwrap(), SEED).unwrap()
}

#[test]
fn the_same_seed_gives_the_same_evaluation() {
    let game = NativeCheckers::new();
    assert_eq!(learned(&game), learned(&game));
    assert_ne!(learned(&game), Derived::learn(&game, game.info().start.as_ref().unwrap(), 2).unwrap());
}

/// Along random games, what moves add up to is what a fresh look says, and taking back restores it.
fn check_upkeep<G: Game>(game: &G) {
    let derived = learned(game);
    let estimated = Estimated::new(game, derived.clone());
    let mut random = fastrand::Rng::with_seed(3);
    let mut moves = MoveList::new();
    let mut position = estimated.pack(game.info().start.as_ref().unwrap());
    for _ in 0..60 {
        if estimated.generate(&position, Stage::All, &mut moves).unwrap().is_some() {
            break;
        }
        let played = moves.get(random.usize(..moves.len()));
        let before = estimated.evaluate(&position).unwrap();
        estimated.play(&mut position, played);
        let afresh = derived.total(&estimated.unpack(&position));
        let sign = if estimated.mover(&position) == Colour::White { 1 } else { -1 };
        assert_eq!(estimated.evaluate(&position).unwrap(), sign * afresh);
        let mut back = position.clone();
        estimated.take_back(&mut back, played);
        assert_eq!(estimated.evaluate(&back).unwrap(), before);
        if played.head.outcome().is_some() {
            break;
        }
    }
}

#[test]
fn moves_keep_the_worth_up_to_date() {
    check_upkeep(&NativeChess::new());
    check_upkeep(&NativeCheckers::new());
    check_upkeep(&interpreted("kalah"));
    check_upkeep(&interpreted("ataxx"));
}

#[test]
fn a_queen_is_worth_more_than_a_rook_and_a_rook_more_than_a_pawn() {
    let game = NativeChess::new();
    let derived = learned(&game);
    let worth =
        |board: &str| derived.total(&game::fen::read(game.info(), &format!("{board} w - - 0 1")).unwrap());
    let bare = worth("4k3/8/8/8/8/8/8/4K3");
    let (pawn, rook, queen) =
        (worth("4k3/8/8/8/3P4/8/8/4K3"), worth("4k3/8/8/8/3R4/8/8/4K3"), worth("4k3/8/8/8/3Q4/8/8/4K3"));
    assert!(bare < pawn && pawn < rook && rook < queen, "{bare} {pawn} {rook} {queen}");
}

/// Players who begin alike are judged alike, so that the start is worth nothing to either.
#[test]
fn a_start_that_is_the_same_for_both_is_worth_nothing() {
    for name in ["gardner", "dobutsu", "brazilian"] {
        let game = interpreted(name);
        let start = game.info().start.clone().unwrap();
        assert_eq!(learned(&game).total(&start), 0, "{name}");
    }
    let game = interpreted("foxandhounds");
    assert_ne!(learned(&game).total(game.info().start.as_ref().unwrap()), 0);
}

#[test]
fn files_are_read_again_and_broken_ones_are_written_anew() {
    let folder = tempfile::tempdir().unwrap();
    let game = NativeCheckers::new();
    let start = game.info().start.clone().unwrap();
    let load = || cache::load_or_learn(Some(folder.path()), "rules", &game, &start, SEED).unwrap();
    let first = load();
    let files = || std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path());
    assert_eq!(files().count(), 1);
    let path = files().next().unwrap();
    let whole = std::fs::read_to_string(&path).unwrap();
    assert_eq!(load(), first);
    for broken in ["", "end ", "multigame estimates 1\n", &whole[..whole.len() / 2], &whole.replace('1', "2")]
    {
        std::fs::write(&path, broken).unwrap();
        assert_eq!(load(), first);
        assert_eq!(std::fs::read_to_string(&path).unwrap(), whole);
    }
    // Nowhere to write is no mistake, and other rules have another file.
    assert_eq!(cache::load_or_learn(None, "rules", &game, &start, SEED).unwrap(), first);
    cache::load_or_learn(Some(folder.path()), "other rules", &game, &start, SEED).unwrap();
    assert_eq!(files().count(), 2);
}

#[test]
fn the_folder_follows_the_environment() {
    let folder = |pairs: &[(&str, &str)]| {
        cache::user_folder(|name| {
            pairs.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).into())
        })
    };
    assert_eq!(folder(&[]), None);
    assert_eq!(folder(&[("XDG_DATA_HOME", "relative")]), None);
    let expected = Some("/home/a/.local/share/multigame/estimates".into());
    assert_eq!(folder(&[("HOME", "/home/a")]), expected);
    assert_eq!(folder(&[("HOME", "/home/a"), ("LOCALAPPDATA", "/local")]), expected);
    assert_eq!(folder(&[("LOCALAPPDATA", "/local")]), Some("/local/multigame/estimates".into()));
    let expected = Some("/data/multigame/estimates".into());
    assert_eq!(folder(&[("HOME", "/home/a"), ("XDG_DATA_HOME", "/data")]), expected);
}
