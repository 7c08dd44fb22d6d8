//! Networks at work: what they say is compared with a slow reference that is written differently, on random games of
//! the library; files that are not whole or belong elsewhere are refused.

#![allow(clippy::unwrap_used)] // tests are free to

use std::sync::Arc;

use game::{Colour, Game, GameInfo, MoveList, PieceCode, Position, PropertyKind, Stage};
use network::samples::{self, Known, Sample, Samples};
use network::{Corrected, FileError, Inputs, Network, Parameters, Shape};
use rules::Interpreter;

const GAMES: [&str; 7] = ["chess", "dobutsu", "connect4", "hex", "awari", "othello", "minishogi"];

fn open(name: &str) -> (Interpreter, bool) {
    let path = format!("{}/../../games/{name}.mg", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    let (program, _) = rules::compile(&lang::Source::new(name, text), None).unwrap();
    let alike = rules::players_are_alike(&program);
    (Interpreter::new(program), alike)
}

fn random_network(inputs: &Arc<Inputs>, seed: u64) -> (Parameters, Network) {
    let entries = inputs.patterns().entries();
    let tables = if entries > 0 { 2 } else { 0 };
    let shape = Shape { inputs: inputs.count(), width: 16, hidden: 5, phases: 3, entries, tables };
    let mut random = fastrand::Rng::with_seed(seed);
    let values = (0..shape.parameters()).map(|_| 0.7 * (random.f32() - 0.45)).collect();
    let parameters = Parameters { shape, values, corrects: None };
    let network = parameters.quantised(Arc::clone(inputs));
    (parameters, network)
}

/// Visits the positions of some random games, and the children of each, as searches do.
fn for_positions(game: &Interpreter, mut visit: impl FnMut(&Position)) {
    let mut random = fastrand::Rng::with_seed(3);
    let mut moves = MoveList::new();
    for _ in 0..3 {
        let mut position = game.info().start.clone().unwrap();
        for _ in 0..25 {
            visit(&position);
            if game.generate(&position, Stage::All, &mut moves).unwrap().is_some() {
                break;
            }
            for played in moves.iter().take(4) {
                let mut child = position.clone();
                game.play(&mut child, played);
                visit(&child);
            }
            let chosen = moves.get(random.usize(..moves.len()));
            if chosen.head.outcome().is_some() {
                break;
            }
            game.play(&mut position, chosen);
        }
    }
}

/// The features of a view, said in words: equal words are equal features.
fn words(info: &GameInfo, alike: bool, position: &Position, view: Colour) -> Vec<String> {
    let black = view == Colour::Black;
    // Of these games, kings face each other in chess alone.
    let mirrored = info.name == "chess";
    let mut words = Vec::new();
    let side = if !alike && black { "black " } else { "" };
    if !black || mirrored {
        words.push(format!("{view}'s view"));
    }
    let seen = |index: usize| match (black && info.sides == 2, mirrored) {
        (true, true) => index ^ 56,
        (true, false) => info.geometry.fields() - 1 - index,
        (false, _) => index,
    };
    for (field, &code) in position.fields().iter().enumerate() {
        if let Some((piece, owner)) = info.piece(PieceCode(code as u8)) {
            let owner = owner.map_or("nobody's", |owner| if owner == view { "own" } else { "other" });
            words.push(format!("{side}{owner} {} on {}", piece.name, seen(field)));
        }
    }
    for property in info.properties.iter().filter(|property| property.kind != PropertyKind::Move) {
        for index in 0..info.slots_of(property) {
            let above = i64::from(position.get(property.slot + index)) - property.low;
            let step = match above {
                0..12 => above,
                12..24 => 12,
                24..48 => 13,
                48..96 => 14,
                _ => 15,
            };
            let index = match property.kind {
                PropertyKind::Player => usize::from((index == 1) != black),
                PropertyKind::Field => seen(index),
                _ => index,
            };
            let side = if black && mirrored { "black " } else { side };
            if step > 0 && property.silent_below.is_none() {
                words.push(format!("{side}{} {index} is {step}", property.name));
            }
        }
    }
    words
}

#[test]
fn features_are_what_they_are_said_to_be() {
    for name in GAMES {
        let (game, alike) = open(name);
        assert_eq!(alike, name != "hex", "{name}");
        let inputs = Inputs::new(game.info(), alike);
        let mut known = std::collections::HashMap::new();
        let mut named = std::collections::HashMap::new();
        for_positions(&game, |position| {
            let steps = inputs.position(position);
            for view in Colour::BOTH {
                let features: Vec<usize> = inputs.active(&steps, view).collect();
                let words = words(game.info(), alike, position, view);
                assert_eq!(features.len(), words.len(), "{name} {position:?}");
                for (feature, word) in features.into_iter().zip(words) {
                    assert!(feature < inputs.count());
                    assert_eq!(*known.entry(feature).or_insert_with(|| word.clone()), word, "{name}");
                    assert_eq!(*named.entry(word).or_insert(feature), feature, "{name}");
                }
            }
        });
        assert!(known.len() > 10, "{name}");
    }
}

/// The same network in fractions, neuron by neuron.
fn reference(parameters: &Parameters, inputs: &Inputs, position: &Position) -> f64 {
    let Shape { width, hidden, phases, entries, tables, .. } = parameters.shape;
    let [first, first_biases, dense, dense_biases, last, last_biases, patterns] = parameters.parts();
    let steps = inputs.position(position);
    let views = [position.mover(), position.mover().opponent()];
    let mut active = Vec::new();
    for view in views {
        let features: Vec<usize> = inputs.active(&steps, view).collect();
        for column in 0..width {
            let weights = features.iter().map(|feature| f64::from(first[feature * width + column]));
            let sum = f64::from(first_biases[column]) + weights.sum::<f64>();
            active.push(sum.clamp(0.0, 1.0).powi(2));
        }
    }
    let phase = inputs.phase(inputs.pieces(&steps), phases);
    let mut out = f64::from(last_biases[phase]);
    for neuron in 0..hidden {
        let row = phase * hidden + neuron;
        let products = (0..2 * width).map(|index| f64::from(dense[row * 2 * width + index]) * active[index]);
        let sum = f64::from(dense_biases[row]) + products.sum::<f64>();
        out += f64::from(last[row]) * sum.clamp(0.0, 1.0);
    }
    if tables > 0 {
        let begin = inputs.phase(inputs.pieces(&steps), tables) * entries;
        let mut active = Vec::new();
        inputs.patterns().active(&steps, position.mover(), &mut active);
        out += active.iter().map(|&entry| f64::from(patterns[begin + entry as usize])).sum::<f64>();
    }
    out * 174.0
}

#[test]
fn a_network_says_what_the_reference_says_and_the_same_by_differences() {
    for (name, has_patterns) in GAMES.into_iter().flat_map(|name| [(name, false), (name, true)]) {
        let (game, alike) = open(name);
        let mut inputs = Inputs::new(game.info(), alike);
        if has_patterns {
            inputs = inputs.with_patterns(game.info(), alike, &game.symmetries());
        }
        let inputs = Arc::new(inputs);
        let (parameters, network) = random_network(&inputs, 5);
        let (_, other) = random_network(&inputs, 6);
        let (mut differ, mut count) = (0, 0);
        for_positions(&game, |position| {
            let fill = |into: &mut Vec<i32>| game.values(position, into);
            let worth = network.evaluate(position.mover(), 0, fill);
            assert_eq!(worth, network.evaluate_afresh(position, 0), "{name}");
            assert_eq!(
                other.evaluate(position.mover(), 0, fill),
                other.evaluate_afresh(position, 0),
                "{name}"
            );
            let exact = reference(&parameters, &inputs, position);
            assert!((f64::from(worth) - exact).abs() < 4.0, "{name}: {worth} {exact}");
            differ += usize::from(worth != network.evaluate_afresh(&game.info().start.clone().unwrap(), 0));
            count += 1;
        });
        assert!(count > 50 && differ > count / 4, "{name}: {differ} of {count}");
    }
}

#[test]
fn files_are_whole_or_refused() {
    let (game, alike) = open("connect4");
    let inputs = Arc::new(Inputs::new(game.info(), alike));
    let (_, network) = random_network(&inputs, 1);
    let bytes = network.write("connect4", 77);
    let read = |bytes: &[u8]| Network::read(bytes, "mine", (77, 5), Arc::clone(&inputs));
    assert_eq!(read(&bytes).unwrap(), network);
    assert_eq!(read(b"").unwrap_err(), FileError::NoNetwork);
    assert_eq!(read(b"something else entirely").unwrap_err(), FileError::NoNetwork);
    for length in [8, 11, 12, 30, 50, bytes.len() - 1] {
        assert!(matches!(read(&bytes[..length]), Err(FileError::Size { .. })), "{length}");
    }
    for place in 12..bytes.len() {
        let mut altered = bytes.clone();
        altered[place] ^= 4;
        assert!(read(&altered).is_err(), "{place}");
    }
    let mut newer = bytes.clone();
    newer[8] = 200;
    assert_eq!(read(&newer).unwrap_err(), FileError::Version(200));
    let mut older = bytes.clone();
    older[8] = 2;
    assert!(read(&older).unwrap_err().to_string().contains("version 2"));
    let wrong = Network::read(&bytes, "mine", (78, 5), Arc::clone(&inputs)).unwrap_err();
    assert!(wrong.to_string().contains("other rules") && wrong.to_string().contains("connect4"));
    let (chess, alike) = open("chess");
    let chess = Arc::new(Inputs::new(chess.info(), alike));
    assert!(matches!(Network::read(&bytes, "chess", (77, 5), chess), Err(FileError::Shape(_))));
}

#[test]
fn a_network_adds_to_the_evaluation_that_it_corrects_and_to_no_other() {
    let (game, alike) = open("connect4");
    let inputs = Arc::new(Inputs::new(game.info(), alike));
    let (parameters, alone) = random_network(&inputs, 1);
    let corrects = Some(Corrected::new(5, 0.5));
    let network = Parameters { corrects, ..parameters }.quantised(Arc::clone(&inputs));
    for_positions(&game, |position| {
        let own = alone.evaluate_afresh(position, 300);
        assert_eq!(network.evaluate_afresh(position, 300), own + 150);
        assert_eq!(network.evaluate(position.mover(), -300, |into| game.values(position, into)), own - 150);
    });
    let bytes = network.write("connect4", 77);
    let read = |evaluation| Network::read(&bytes, "mine", (77, evaluation), Arc::clone(&inputs));
    assert_eq!(read(5).unwrap(), network);
    assert_eq!(read(6).unwrap_err(), FileError::OtherEvaluation { wanted: "mine".to_owned() });
}

#[test]
fn samples_are_read_as_they_were_written() {
    let (game, alike) = open("dobutsu");
    let inputs = Arc::new(Inputs::new(game.info(), alike));
    let mut written = Vec::new();
    for_positions(&game, |position| {
        let results = [samples::Ended::Loss, samples::Ended::Draw, samples::Ended::Win];
        let count = written.len();
        written.push(Sample {
            steps: inputs.position(position),
            mover: position.mover(),
            result: results[count % 3],
            score: count as i16 * 100 - 300,
            plain: count as i32 * 100_000 - 300_000,
        });
    });
    let mut bytes = Vec::new();
    written.iter().for_each(|sample| sample.write(&mut bytes));
    let mut all = Samples::new(inputs);
    all.add(&bytes[..bytes.len() - 1]);
    assert_eq!(all.len(), written.len() - 1);
    for (index, sample) in written.iter().take(all.len()).enumerate() {
        let &Sample { mover, result, score, plain, .. } = sample;
        assert_eq!(all.steps(index), sample.steps);
        assert_eq!(all.known(index), Known { mover, result, score, plain });
    }
    bytes[0] = 255;
    let before = all.len();
    all.add(&bytes);
    assert_eq!(all.len(), before, "what cannot be is not taken in");
}
