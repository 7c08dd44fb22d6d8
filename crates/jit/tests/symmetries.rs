//! Symmetries that the rules are said to have: the moves of a position's image are the images of its moves.

#![allow(clippy::unwrap_used)] // tests are free to

use game::{Game, MoveList, Position, Stage, Symmetry, text};
use jit::{Compiled, Options};

fn program(name: &str) -> rules::Program {
    let path = format!("{}/../../games/{name}.mg", env!("CARGO_MANIFEST_DIR"));
    let source = lang::Source::new(name, std::fs::read_to_string(path).unwrap());
    rules::compile(&source, None).unwrap().0
}

/// What a move leads to, and how the game ends with it.
type Successor = (game::Signature, Option<game::Outcome>);

/// The positions after all moves of a position, or after the images of its moves.
fn successors<G: Game>(game: &G, position: &Position, symmetry: Option<&Symmetry>) -> Vec<Successor> {
    let mut moves = MoveList::new();
    let ended = game.generate(&game.pack(position), Stage::All, &mut moves).unwrap();
    let start = symmetry.map_or(position.signature(), |it| it.position(game.info(), position).signature());
    let difference = |played: game::MoveView<'_>| {
        symmetry.map_or(played.head.signature_difference, |it| it.difference(game.info(), played))
    };
    let mut found: Vec<Successor> =
        moves.iter().map(|played| (start ^ difference(played), played.head.outcome())).collect();
    found.extend(ended.map(|outcome| (start, Some(outcome))));
    found.sort_by_key(|&(signature, outcome)| (signature, format!("{outcome:?}")));
    found
}

fn check(name: &str) -> usize {
    let program = program(name);
    let Ok(game) = Compiled::<512>::new(&program, Options::default()) else { return 0 };
    let symmetries = game.symmetries();
    assert_eq!(symmetries.len(), rules::symmetries(&program).len(), "{name}: as the rules are written");
    let mut random = fastrand::Rng::with_seed(5);
    let mut moves = MoveList::new();
    for _ in 0..if symmetries.is_empty() { 0 } else { 4 } {
        let mut position = game.info().start.clone().unwrap();
        for _ in 0..60 {
            let shown = || text::write(game.info(), &position);
            for symmetry in &symmetries {
                let image = symmetry.position(game.info(), &position);
                assert_eq!(image.signature(), image.recomputed_signature(game.info()));
                let expected = successors(&game, &position, Some(symmetry));
                assert_eq!(successors(&game, &image, None), expected, "{name}\n{}", shown());
            }
            let mut image = game.pack(&position);
            if game.generate(&image, Stage::All, &mut moves).unwrap().is_some() {
                break;
            }
            let played = moves.get(random.usize(..moves.len()));
            game.play(&mut image, played);
            position = game.unpack(&image);
            if played.head.outcome().is_some() {
                break;
            }
        }
    }
    symmetries.len()
}

#[test]
fn images_have_the_images_of_the_moves() {
    let folder = format!("{}/../../games", env!("CARGO_MANIFEST_DIR"));
    let mut found: Vec<(String, usize)> = std::fs::read_dir(folder)
        .unwrap()
        .filter_map(|entry| entry.unwrap().file_name().to_str()?.strip_suffix(".mg").map(str::to_owned))
        .map(|name| (name.clone(), check(&name)))
        .collect();
    found.sort();
    let of = |name: &str| found.iter().find(|(game, _)| game == name).unwrap().1;
    // Squares where all directions are alike, boards with a forward, and rules that tell left from right.
    for (name, count) in [
        ("tictactoe", 7),
        ("gomoku", 7),
        ("peg", 7),
        ("connect4", 1),
        ("breakthrough", 1),
        ("chess", 0),
        ("awari", 0),
        ("rubik", 0),
    ] {
        assert_eq!(of(name), count, "{name} of {found:?}");
    }
}
