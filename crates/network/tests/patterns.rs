//! Patterns: what they see is compared with what files of positions say of them; both players see the same; networks
//! that have patterns are whole or refused.

#![allow(clippy::unwrap_used)] // tests are free to

use std::sync::Arc;

use game::{Colour, Game, GameInfo, MoveList, PieceCode, Position, Stage};
use network::{FileError, Inputs, Network, Parameters, Shape, samples};
use rules::Interpreter;

const GAMES: [&str; 6] = ["othello", "connect4", "checkers", "breakthrough", "hex", "tablut"];

fn open(name: &str) -> (Interpreter, Inputs) {
    let path = format!("{}/../../games/{name}.mg", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    let (program, _) = rules::compile(&lang::Source::new(name, text), None).unwrap();
    let alike = rules::players_are_alike(&program);
    let game = Interpreter::new(program);
    let inputs = Inputs::new(game.info(), alike).with_patterns(game.info(), alike, &game.symmetries());
    (game, inputs)
}

/// Positions along random games.
fn positions(game: &Interpreter) -> Vec<Position> {
    let mut random = fastrand::Rng::with_seed(4);
    let (mut found, mut moves) = (Vec::new(), MoveList::new());
    for _ in 0..4 {
        let mut position = game.info().start.clone().unwrap();
        for _ in 0..30 {
            found.push(position.clone());
            if game.generate(&position, Stage::All, &mut moves).unwrap().is_some() {
                break;
            }
            let chosen = moves.get(random.usize(..moves.len()));
            if chosen.head.outcome().is_some() {
                break;
            }
            game.play(&mut position, chosen);
        }
    }
    found
}

/// The entries of a position, by nothing but the header of a file of positions.
fn by_header(header: &[u8], steps: &[u8], view: usize) -> Vec<u32> {
    let word = |place: usize| u32::from_le_bytes(header[place..place + 4].try_into().unwrap()) as usize;
    let (slots, all, name) = (word(28), word(40), word(44));
    let mut place = 48 + name + 8;
    let counts: Vec<usize> = (0..slots).map(|slot| word(place + 4 * slot)).collect();
    place += 4 * slots + 8 * all + all;
    let (patterns, values) = (word(place), word(place + 8) as u32);
    place += 12;
    let digit = |slot: usize| {
        let step = counts[..slot].iter().sum::<usize>() + usize::from(steps[slot]);
        u32::from(header[place + 2 * step + view])
    };
    let mut at = place + 2 * all;
    let mut entries = Vec::new();
    for _ in 0..patterns {
        let length = word(at);
        let begin = at + 4 + view * 4 * (1 + length);
        let digits = (0..length).rev().map(|index| digit(word(begin + 4 + 4 * index)));
        entries.push(word(begin) as u32 + digits.fold(0, |sum, digit| sum * values + digit));
        at += 4 + 8 * (1 + length);
    }
    assert_eq!(at, header.len());
    entries
}

/// The same position with the players' parts exchanged.
fn exchanged(info: &GameInfo, position: &Position) -> Position {
    let mut other = position.clone();
    for field in 0..info.geometry.fields() {
        let code = PieceCode(position.fields()[field] as u8);
        let swapped = match info.piece(code) {
            Some((piece, Some(owner))) => piece.codes[owner.opponent().index()],
            _ => code,
        };
        let to = if info.sides == 2 { info.geometry.rotated(field as u16) } else { field as u16 };
        other.put(info, to, swapped);
    }
    other
}

#[test]
fn patterns_see_what_headers_say() {
    let mut with_patterns = 0;
    for name in GAMES {
        let (game, inputs) = open(name);
        let header = samples::header(&inputs, name, (1, 2));
        with_patterns += usize::from(inputs.patterns().count() > 0);
        let mut entries = Vec::new();
        for position in positions(&game) {
            let steps = inputs.position(&position);
            for view in Colour::BOTH {
                inputs.patterns().active(&steps, view, &mut entries);
                assert_eq!(entries, by_header(&header, &steps, view.index()), "{name}");
                assert!(
                    entries.iter().all(|&entry| (entry as usize) < inputs.patterns().entries()),
                    "{name}"
                );
            }
        }
    }
    assert!(with_patterns >= 4, "{with_patterns}");
}

#[test]
fn both_players_see_the_same() {
    for name in ["othello", "checkers", "breakthrough"] {
        let (game, inputs) = open(name);
        let [mut white, mut black] = [Vec::new(), Vec::new()];
        for position in positions(&game) {
            let other = exchanged(game.info(), &position);
            inputs.patterns().active(&inputs.position(&position), Colour::White, &mut white);
            inputs.patterns().active(&inputs.position(&other), Colour::Black, &mut black);
            assert_eq!(white, black, "{name}");
        }
        assert!(!white.is_empty(), "{name}");
    }
}

#[test]
fn patterns_alone_are_a_network_which_is_whole_or_refused() {
    let (game, inputs) = open("othello");
    let inputs = Arc::new(inputs);
    let entries = inputs.patterns().entries();
    let shape = Shape { inputs: inputs.count(), width: 0, hidden: 0, phases: 1, entries, tables: 2 };
    assert!(shape.is_possible());
    assert!(!Shape { tables: 0, ..shape }.is_possible() && !Shape { hidden: 4, ..shape }.is_possible());
    let mut random = fastrand::Rng::with_seed(2);
    let values: Vec<f32> = (0..shape.parameters()).map(|_| random.f32() - 0.5).collect();
    let network = Parameters { shape, values, corrects: None }.quantised(Arc::clone(&inputs));
    let mut worths = std::collections::HashSet::new();
    for position in positions(&game) {
        let worth = network.evaluate(position.mover(), 0, |into| game.values(&position, into));
        assert_eq!(worth, network.evaluate_afresh(&position, 0));
        worths.insert(worth);
    }
    assert!(worths.len() > 20);
    let bytes = network.write("othello", 7);
    let read = |bytes: &[u8]| Network::read(bytes, "othello", (7, 0), Arc::clone(&inputs));
    assert_eq!(read(&bytes).unwrap(), network);
    assert!(matches!(read(&bytes[..bytes.len() - 2]), Err(FileError::Size { .. })));
    let mut altered = bytes.clone();
    altered[bytes.len() / 2] ^= 1;
    assert_eq!(read(&altered).unwrap_err(), FileError::Checksum);
    let without = Arc::new(Inputs::new(game.info(), true));
    let refused = Network::read(&bytes, "othello", (7, 0), without).unwrap_err();
    assert_eq!(refused, FileError::Patterns { found: entries, expected: 0 });
}
