//! Gradients against differences, whole numbers against fractions, and what is written against what is read.

use std::sync::Arc;

use game::{Colour, MoveList, Position, Stage};
use network::policy::{Exchange, Eyes, MovePolicy, PolicyError, PolicyParameters, PolicyShape, Seen};
use network::samples::Ended;

use super::gradient::{Gradient, Lesson};
use super::samples::{MOVES_MAX, PolicySample, PolicySamples};
use super::trainer::{PolicyCourse, PolicyTrainer};

const HEX: &str = include_str!("../../../../games/sizes/hex_4x4.mg");
const DOBUTSU: &str = include_str!("../../../../games/dobutsu.mg");

fn game(text: &str) -> rules::Interpreter {
    let source = lang::Source::new("test", text.to_owned());
    let Ok((program, _)) = rules::compile(&source, None) else { panic!("the rules are right") };
    rules::Interpreter::new(program)
}

/// Positions of a random game with shares for their moves, and the positions themselves.
fn played(game: &rules::Interpreter, eyes: &Eyes, seed: u64) -> Vec<(PolicySample, Position)> {
    use game::Game;
    let mut random = fastrand::Rng::with_seed(seed);
    let mut position = game.pack(game.info().start.as_ref().unwrap());
    let (mut moves, mut all) = (MoveList::new(), Vec::new());
    while game.generate(&position, Stage::All, &mut moves).unwrap().is_none() && all.len() < 12 {
        let plain = game.unpack(&position);
        let mover = plain.mover();
        let mut things = Vec::new();
        let mut globals: Vec<u16> = eyes.whose(mover).into_iter().map(|global| global as u16).collect();
        for (slot, &value) in plain.slots().iter().enumerate() {
            match eyes.seen(slot, eyes.step(slot, value), mover) {
                Seen::Nothing => {}
                Seen::Thing(field, class) => things.push(field * eyes.classes() as u16 + class),
                Seen::Global(global) => globals.push(global),
            }
        }
        let mut shares: Vec<f32> = moves.iter().map(|_| random.f32()).collect();
        let sum: f32 = shares.iter().sum();
        shares.iter_mut().for_each(|share| *share /= sum);
        let targets = |played: game::MoveView<'_>| {
            let of = |change: &game::Change| eyes.target(change.slot(), change.new(), mover);
            played.changes.iter().filter_map(of).map(|target| target as u16).collect()
        };
        let listed =
            shares.iter().zip(moves.iter()).map(|(share, played)| (*share, targets(played))).collect();
        let result = if random.bool() { Ended::Win } else { Ended::Loss };
        all.push((
            PolicySample { result, expected: 0.25, others: 0.0, things, globals, moves: listed },
            plain,
        ));
        let chosen = random.usize(..moves.len());
        if moves.get(chosen).head.outcome().is_some() {
            break;
        }
        game.play(&mut position, moves.get(chosen));
    }
    all
}

fn random_parameters(shape: PolicyShape, seed: u64) -> PolicyParameters {
    let mut parameters = PolicyTrainer::new(shape, seed).parameters;
    let mut random = fastrand::Rng::with_seed(seed);
    parameters.values.iter_mut().for_each(|value| *value += 0.1 * (random.f32() - 0.5));
    parameters
}

#[test]
fn gradients_are_what_differences_say() {
    for (text, exchange) in [(HEX, Exchange::Different), (DOBUTSU, Exchange::Turned(3))] {
        let game = game(text);
        let eyes = Eyes::new(game::Game::info(&game), exchange).unwrap();
        let shape = PolicyShape::new(&eyes, 8, 2);
        let mut parameters = random_parameters(shape, 3);
        let fields: Vec<u16> = (0..shape.fields as u16).rev().collect();
        let samples = played(&game, &eyes, 5);
        let mut gradient = Gradient::<8>::new(shape);
        gradient.begin(&parameters, &eyes);
        let mut lessons = Vec::new();
        for (sample, _) in &samples {
            lessons.push(Lesson { sample, target: 0.8, weight: 0.7, fields: &fields });
        }
        for lesson in &lessons {
            gradient.add(&parameters, &eyes, *lesson);
        }
        let sums = gradient.sums.clone();
        // The loss whose gradient is taken: cross entropies of the moves and of the result.
        let mut whole = |parameters: &PolicyParameters| -> f64 {
            gradient.begin(parameters, &eyes);
            let mut sum = 0.0;
            for lesson in &lessons {
                let (shares, result) = gradient.said(parameters, &eyes, *lesson);
                let cross =
                    |(share, one): (&f32, &(f32, Vec<u16>))| f64::from(one.0) * f64::from(*share).ln();
                let result = f64::from(result);
                sum -= shares.iter().zip(&lesson.sample.moves).map(cross).sum::<f64>();
                sum -= 0.7 * (0.8 * result.ln() + 0.2 * (1.0 - result).ln());
            }
            sum
        };
        let mut first = 0;
        for (part, count) in shape.parts().into_iter().enumerate() {
            let mut checked = 0;
            for index in (first..first + count).step_by(1 + count / 25) {
                let value = parameters.values[index];
                let step = 1e-3;
                parameters.values[index] = value + step;
                let above = whole(&parameters);
                parameters.values[index] = value - step;
                let below = whole(&parameters);
                parameters.values[index] = value;
                let (slope, found) = ((above - below) / (2.0 * f64::from(step)), f64::from(sums[index]));
                assert!(
                    (slope - found).abs() < 0.02 + 0.03 * slope.abs().max(found.abs()),
                    "part {part}, number {index}: {found} should be {slope}"
                );
                checked += usize::from(slope.abs() > 1e-3);
            }
            let may_be_still = part == 2 && shape.globals == 0;
            assert!(checked > 0 || may_be_still, "part {part} has no slope anywhere");
            first += count;
        }
    }
}

#[test]
fn whole_numbers_say_nearly_the_same_as_fractions() {
    use game::Game;
    for (text, exchange) in [(HEX, Exchange::Different), (DOBUTSU, Exchange::Turned(3))] {
        let game = game(text);
        let eyes = Arc::new(Eyes::new(game.info(), exchange).unwrap());
        let shape = PolicyShape::new(&eyes, 16, 2);
        let parameters = random_parameters(shape, 7);
        let policy = parameters.quantised(Arc::clone(&eyes));
        let fields: Vec<u16> = (0..shape.fields as u16).collect();
        let mut gradient = Gradient::<16>::new(shape);
        gradient.begin(&parameters, &eyes);
        for (sample, position) in played(&game, &eyes, 9) {
            let lesson = Lesson { sample: &sample, target: 0.0, weight: 1.0, fields: &fields };
            let (shares, result) = gradient.said(&parameters, &eyes, lesson);
            let (mut moves, mut found) = (MoveList::new(), Vec::new());
            let packed = game.pack(&position);
            game.generate(&packed, Stage::All, &mut moves).unwrap();
            let fill = |values: &mut Vec<i32>| game.values(&packed, values);
            policy.advise(position.mover(), fill, &moves, &mut found);
            let expected = policy.expect(position.mover(), fill);
            assert!((expected - (2.0 * result - 1.0)).abs() < 0.02, "{expected} {result}");
            assert_eq!(found.len(), shares.len());
            assert!(
                found.iter().zip(&shares).all(|(one, other)| (one - other).abs() < 0.01),
                "{found:?} {shares:?}"
            );
        }
    }
}

#[test]
fn files_are_read_as_written_and_wrong_ones_refused() {
    use game::Game;
    let game = game(HEX);
    let eyes = Arc::new(Eyes::new(game.info(), Exchange::Different).unwrap());
    let policy = random_parameters(PolicyShape::new(&eyes, 8, 1), 1).quantised(eyes);
    let bytes = policy.write("hex", 77);
    assert_eq!(MovePolicy::read(&bytes, game.info(), 77), Ok(policy));
    let refused = |bytes: &[u8]| MovePolicy::read(bytes, game.info(), 77).unwrap_err();
    assert_eq!(refused(b"something"), PolicyError::NoPolicy);
    for length in (8..bytes.len()).step_by(37).chain([bytes.len() - 1]) {
        assert!(matches!(refused(&bytes[..length]), PolicyError::Size { .. }), "{length}");
    }
    for place in (90..bytes.len()).step_by(97) {
        let mut altered = bytes.clone();
        altered[place] ^= 4;
        assert_eq!(refused(&altered), PolicyError::Checksum, "{place}");
    }
    let mut other = bytes.clone();
    other[8] = 99;
    assert_eq!(refused(&other), PolicyError::Version(99));
    let wrong = MovePolicy::read(&bytes, game.info(), 78).unwrap_err();
    assert!(matches!(wrong, PolicyError::OtherRules { .. }) && wrong.to_string().contains("hex"));
}

#[test]
fn samples_are_read_as_written() {
    let game = game(DOBUTSU);
    let eyes = Eyes::new(game::Game::info(&game), Exchange::Turned(3)).unwrap();
    let shape = PolicyShape::new(&eyes, 8, 1);
    let all = played(&game, &eyes, 4);
    let mut bytes = Vec::new();
    all.iter().for_each(|(sample, _)| sample.write(&mut bytes));
    let mut samples = PolicySamples::new(shape);
    samples.add(&bytes[..bytes.len() - 1]);
    assert_eq!(samples.len(), all.len() - 1);
    for (index, (sample, _)) in all.iter().take(samples.len()).enumerate() {
        let read = samples.get(index).unwrap();
        assert_eq!(
            (&read.things, &read.globals, read.result),
            (&sample.things, &sample.globals, sample.result)
        );
        assert!(
            read.moves
                .iter()
                .zip(&sample.moves)
                .all(|(one, other)| { one.1 == other.1 && (one.0 - other.0).abs() < 1e-4 })
        );
    }
    let many = PolicySample {
        moves: (0..500)
            .map(|place| (if place < 3 { 0.25 + place as f32 / 12.0 } else { 0.0 }, vec![place]))
            .collect(),
        ..all[0].0.clone()
    };
    let chosen = many.chosen(&mut fastrand::Rng::with_seed(1));
    assert_eq!(chosen.moves.len(), MOVES_MAX);
    assert!((chosen.moves.iter().map(|one| one.0).sum::<f32>() - 1.0).abs() < 1e-5);
    assert!((chosen.others - (497.0_f32 / 61.0).ln()).abs() < 1e-5);
}

#[test]
fn a_training_learns_goes_on_and_does_not_depend_on_threads() {
    let game = game(HEX);
    let eyes = Eyes::new(game::Game::info(&game), Exchange::Different).unwrap();
    let shape = PolicyShape::new(&eyes, 8, 1);
    let mut bytes = Vec::new();
    for seed in 0..60 {
        for (mut sample, position) in played(&game, &eyes, seed) {
            // White likes its first move best, black its last.
            let best = if position.mover() == Colour::White { 0 } else { sample.moves.len() - 1 };
            sample
                .moves
                .iter_mut()
                .enumerate()
                .for_each(|(index, one)| one.0 = f32::from(u8::from(index == best)));
            sample.result = if position.mover() == Colour::White { Ended::Win } else { Ended::Loss };
            sample.write(&mut bytes);
        }
    }
    let mut samples = PolicySamples::new(shape);
    samples.add(&bytes);
    let course = PolicyCourse {
        seed: 1,
        epochs: 12,
        rate: 0.01,
        result_share: 1.0,
        result_weight: 1.0,
        symmetries: vec![(0..shape.fields as u16).collect()],
        threads: 1,
    };
    let mut alone = PolicyTrainer::new(shape, 1);
    let before = alone.loss(&course, &eyes, &samples);
    assert!(alone.train(&course, &eyes, &samples, &mut |_| true));
    let after = alone.loss(&course, &eyes, &samples);
    assert!(after.0 < 0.7 * before.0 && after.1 < 0.05, "{before:?} {after:?}");
    let two = PolicyCourse { threads: 2, ..course };
    let mut other = PolicyTrainer::new(shape, 1);
    while !other.train(&two, &eyes, &samples, &mut |_| false) {
        other = PolicyTrainer::read(&other.write(), shape).unwrap();
    }
    assert!(alone == other);
    let bytes = other.write();
    assert!(PolicyTrainer::read(&bytes[..bytes.len() - 1], shape).is_err());
    assert!(PolicyTrainer::read(&bytes, PolicyShape { layers: 2, ..shape }).is_err());
}
