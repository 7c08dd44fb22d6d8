//! Compiled games against the interpreter: every move, signature, outcome and evaluation of random games.

#![allow(clippy::unwrap_used)] // tests are free to

use game::perft::Tally;
use game::{Advance, Field, Game, MoveList, PieceCode, Stage, text};
use jit::{Compiled, Options};
use rules::{Interpreter, compile};

fn load(name: &str) -> Interpreter {
    let path = format!("{}/../../games/{name}.mg", env!("CARGO_MANIFEST_DIR"));
    let source = lang::Source::new(name, std::fs::read_to_string(path).unwrap());
    let (program, _) = compile(&source, None).unwrap_or_else(|error| panic!("{name}: {error:?}"));
    Interpreter::new(program)
}

fn moves_of<G: Game>(game: &G, list: &MoveList) -> Vec<(String, u64, String, bool, bool, u16)> {
    let mut moves: Vec<_> = list
        .iter()
        .map(|view| {
            let head = view.head;
            let outcome = format!("{:?}", head.outcome());
            let changes = format!("{:?}", view.changes);
            (changes, head.signature_difference.0, outcome, head.irreversible(), head.forcing(), head.lead)
        })
        .collect();
    let _ = game;
    moves.sort();
    moves
}

/// Compares the positions after all moves.
fn compare_successors(
    interpreter: &Interpreter,
    compiled: &Compiled<512>,
    position: &game::Position,
    moves: &MoveList,
) {
    let after = |played: game::MoveView<'_>| {
        let mut after = position.clone();
        interpreter.play(&mut after, played);
        (format!("{:?}", played.head.outcome()), compiled.pack(&after))
    };
    let mut expected: Vec<_> = moves.iter().map(after).collect();
    let found = compiled.successors(&compiled.pack(position)).unwrap();
    let mut found: Vec<_> =
        found.into_iter().map(|(image, outcome)| (format!("{outcome:?}"), image)).collect();
    let key = |(outcome, image): &(String, jit::Image<512>)| (compiled.signature(image), outcome.clone());
    expected.sort_by_key(key);
    found.sort_by_key(key);
    assert!(expected == found, "{}", text::write(interpreter.info(), position));
}

/// Single moves are found, moves that change certain fields are listed, and what threats depend on is told rightly.
fn compare_some<const WORDS: usize>(
    compiled: &Compiled<WORDS>,
    image: &jit::Image<WORDS>,
    expected: &MoveList,
    fields: u128,
) {
    let board = compiled.info().geometry.fields();
    let mut found = MoveList::new();
    assert_eq!(compiled.is_over(image, &mut found), Ok(expected.is_empty()));
    let mut watched = game::Watched::default();
    let is_watched = compiled.watch_threats(image, &mut watched);
    for one in expected.iter() {
        let changed = one.changes.iter().take_while(|change| change.slot() < board);
        let changed: Vec<Field> = changed.map(|change| change.slot() as Field).collect();
        let difference = one.head.signature_difference;
        if compiled.find_move(image, difference, &changed, &mut found) == Ok(true) {
            let legal = found.get(0);
            assert_eq!((found.len(), legal.head.signature_difference), (1, difference));
            assert!(expected.iter().any(|other| other.same_as(legal)));
        }
        if is_watched && let Some(threatened) = watched.after(compiled.info(), one) {
            let mut after = *image;
            compiled.play(&mut after, one);
            assert_eq!(compiled.is_threatened(&after), Some(threatened));
        }
    }
    for fields in [0, fields] {
        if compiled.generate_sharp(image, fields, &mut found).is_ok_and(|outcome| outcome.is_some()) {
            assert!(expected.is_empty());
        }
        let changes_some = |one: game::MoveView<'_>| {
            let mut changed = one.changes.iter().take_while(|change| change.slot() < board.min(128));
            changed.any(|change| fields >> change.slot() & 1 != 0)
        };
        let is_listed = |one: game::MoveView<'_>| found.iter().any(|other| other.same_as(one));
        assert!(expected.iter().all(|one| is_listed(one) || !one.head.forcing() && !changes_some(one)));
        assert!(found.iter().all(|one| expected.iter().any(|other| other.same_as(one))));
    }
}

/// Picks moves by their numbers and compares with playing them from the list.
fn compare_picks(compiled: &Compiled<512>, image: &jit::Image<512>, moves: &MoveList) {
    let mut scratch = MoveList::new();
    if moves.is_empty() {
        let advance = compiled.advance(&mut image.clone(), &mut scratch, &mut |_| unreachable!());
        assert!(matches!(advance, Ok(Advance::Over(_))), "{advance:?}");
    }
    for (index, played) in moves.iter().enumerate().step_by(1 + moves.len() / 8) {
        let (mut expected, mut found) = (*image, *image);
        compiled.play(&mut expected, played);
        let advance = compiled.advance(&mut found, &mut scratch, &mut |count| {
            assert_eq!(count, moves.len());
            index
        });
        let (outcome, irreversible) = (played.head.outcome(), played.head.irreversible());
        assert_eq!(advance, Ok(Advance::Moved { outcome, irreversible }));
        assert!(expected == found, "{:?}\n{:?}", compiled.unpack(&expected), compiled.unpack(&found));
    }
}

/// What else is asked about a position: threats, what can be taken, where pieces are.
fn compare_answers(
    interpreter: &Interpreter,
    compiled: &Compiled<512>,
    position: &game::Position,
    expected: &MoveList,
) {
    let (image, mut scratch) = (compiled.pack(position), MoveList::new());
    let shown = || text::write(interpreter.info(), position);
    assert_eq!(compiled.is_threatened(&image), interpreter.is_threatened(position), "{}", shown());
    for (field, &code) in position.fields().iter().enumerate() {
        let (field, code) = (field as Field, PieceCode(code as u8));
        let owner = interpreter.info().colour_of(code);
        if owner == Some(position.mover().opponent()) {
            let takes = expected.iter().any(|one| one.changes_field(field));
            let found = compiled.can_take(&image, field, &mut scratch);
            assert_eq!(found, Ok(takes), "{field}\n{}", shown());
            let are_all = compiled.find_takers(&image, field, &mut scratch).expect("no faults");
            assert_eq!(!scratch.is_empty(), takes, "{field}\n{}", shown());
            let takers = expected.iter().filter(|one| one.changes_field(field));
            let same = takers.clone().count() == scratch.len()
                && takers.zip(scratch.iter()).all(|(one, other)| one.same_as(other));
            assert!(!are_all || same, "{field}\n{}", shown());
        }
        let first = interpreter.locate(position, code);
        assert_eq!(compiled.locate(&image, code), first, "{field}\n{}", shown());
    }
}

/// Some moves of the position are legal, and of those of the position before some are, most are not.
fn compare_legality(
    compiled: &Compiled<512>,
    image: &jit::Image<512>,
    expected: &MoveList,
    strangers: &MoveList,
) {
    let mut scratch = MoveList::new();
    let shown = || text::write(compiled.info(), &compiled.unpack(image));
    for stranger in strangers.iter().step_by(1 + strangers.len() / 8) {
        let legal = expected.iter().any(|one| one.same_as(stranger));
        assert_eq!(compiled.is_legal(image, stranger, &mut scratch), Ok(legal), "{}", shown());
    }
    for own in expected.iter().step_by(1 + expected.len() / 8) {
        assert_eq!(compiled.is_legal(image, own, &mut scratch), Ok(true), "{}", shown());
    }
}

/// Plays random games and compares in every position.
fn compare(name: &str, positions: usize) {
    let interpreter = load(name);
    let compiled = Compiled::<512>::new(interpreter.program(), Options::default())
        .unwrap_or_else(|error| panic!("{name}: {}", error.reason));
    let mut random = fastrand::Rng::with_seed(7);
    let (mut seen, mut expected, mut actual) = (0, MoveList::new(), MoveList::new());
    let mut strangers = MoveList::new();
    while seen < positions {
        let mut position = interpreter.info().start.clone().unwrap();
        for _ in 0..300 {
            seen += 1;
            let image = compiled.pack(&position);
            assert_eq!(compiled.unpack(&image), position, "{name}");
            let mut values = vec![7];
            compiled.values(&image, &mut values);
            assert_eq!(values, position.slots(), "{name}");
            let (mut bytes, mut plain) = (Vec::new(), Vec::new());
            compiled.write(&image, &mut bytes);
            interpreter.write(&position, &mut plain);
            assert_eq!(bytes, plain, "{name}");
            assert!(compiled.read(&bytes) == Some(image), "{name}");
            let wanted = interpreter.generate(&position, Stage::All, &mut expected);
            let found = compiled.generate(&image, Stage::All, &mut actual);
            let shown = || text::write(interpreter.info(), &position);
            assert_eq!(wanted, found, "{name}\n{}", shown());
            assert_eq!(
                moves_of(&interpreter, &expected),
                moves_of(&compiled, &actual),
                "{name}\n{}",
                shown()
            );
            compare_picks(&compiled, &image, &actual);
            let mut tally = Tally::new(false, &|| false);
            assert_eq!(compiled.perft(&image, 1, &mut tally), Ok(()), "{name}\n{}", shown());
            assert_eq!(tally.leaves, expected.len() as u64, "{name}\n{}", shown());
            assert_eq!(compiled.count(&image, &mut actual), Ok(expected.len()), "{name}\n{}", shown());
            compare_successors(&interpreter, &compiled, &position, &expected);
            for stage in [Stage::Forcing, Stage::Quiet] {
                let outcome = compiled.generate(&image, stage, &mut actual);
                let mut staged = expected.clone();
                staged.retain(|one| one.head.forcing() == (stage == Stage::Forcing));
                assert_eq!(outcome, wanted, "{name} {stage:?}\n{}", shown());
                assert_eq!(
                    moves_of(&interpreter, &staged),
                    moves_of(&compiled, &actual),
                    "{name} {stage:?}\n{}",
                    shown()
                );
            }
            compare_answers(&interpreter, &compiled, &position, &expected);
            compare_legality(&compiled, &image, &expected, &strangers);
            compare_some(&compiled, &image, &expected, random.u128(..));
            strangers = expected.clone();
            assert_eq!(interpreter.evaluate(&position), compiled.evaluate(&image), "{name}\n{}", shown());
            if expected.is_empty() {
                break;
            }
            let chosen = expected.get(random.usize(..expected.len()));
            let mut after = image;
            compiled.play(&mut after, chosen);
            let mut back = after;
            compiled.take_back(&mut back, chosen);
            assert_eq!(back, image, "{name}\n{}", shown());
            interpreter.play(&mut position, chosen);
            assert_eq!(compiled.unpack(&after), position, "{name}");
            assert_eq!(compiled.signature(&after), position.signature(), "{name}");
            if chosen.head.outcome().is_some() && interpreter.info().players == 2 {
                break;
            }
        }
    }
}

#[test]
fn compiled_games_do_what_the_interpreter_does() {
    let folder = format!("{}/../../games", env!("CARGO_MANIFEST_DIR"));
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .filter_map(|entry| entry.unwrap().file_name().to_str()?.strip_suffix(".mg").map(str::to_owned))
        .collect();
    names.sort();
    let positions = std::env::var("MULTIGAME_POSITIONS").map_or(100, |count| count.parse().unwrap());
    let only = std::env::var("MULTIGAME_GAME").ok();
    let wanted = |name: &&String| {
        only.as_ref().is_none_or(|only| only.split_whitespace().any(|only| only == name.as_str()))
    };
    for name in names.iter().filter(wanted) {
        compare(name, positions);
    }
}
