//! Training is right (gradients are compared with differences), learns, goes on after a stop, and does not depend on
//! threads.

use std::sync::Arc;

use game::{Colour, PieceCode, Position};
use network::Inputs;
use network::samples::Sample;

use super::*;

/// Positions of a made-up game: who has more pieces wins.
fn samples() -> Samples {
    judged_positions("dimensions (3, 3)", "    X..\n    ...\n    ..O\n")
}

fn judged_positions(dimensions: &str, board: &str) -> Samples {
    let text = format!(
        "{dimensions}\nsides = 1\npieces {{ mark 'X' 'O' }}\nmain = find own mark, pick up.\n\
         setup\n{{\n{board}    white to move\n}}\n"
    );
    let (program, _) = rules::compile(&lang::Source::new("more", text), None).unwrap();
    let symmetries = rules::symmetries(&program);
    let info = program.info;
    let codes = info.pieces[0].codes;
    let inputs = Arc::new(Inputs::new(&info, true).with_patterns(&info, true, &symmetries));
    let mut random = fastrand::Rng::with_seed(2);
    let (mut samples, mut bytes) = (Samples::new(Arc::clone(&inputs)), Vec::new());
    for _ in 0..4_000 {
        let mut position = Position::empty(&info);
        for field in 0..info.geometry.fields() as u16 {
            let choices = [PieceCode::EMPTY, codes[0], codes[1]];
            position.put(&info, field, choices[random.usize(0..3)]);
        }
        let mover = if random.bool() { Colour::White } else { Colour::Black };
        let count = |colour: Colour| {
            let code = i32::from(codes[colour.index()].0);
            position.fields().iter().filter(|other| **other == code).count()
        };
        let result = match count(mover).cmp(&count(mover.opponent())) {
            std::cmp::Ordering::Less => Ended::Loss,
            std::cmp::Ordering::Equal => Ended::Draw,
            std::cmp::Ordering::Greater => Ended::Win,
        };
        Sample { steps: inputs.position(&position), mover, result, score: 0, plain: 0 }.write(&mut bytes);
    }
    samples.add(&bytes);
    samples
}

const COURSE: Course = Course { seed: 1, epochs: 8, rate: 0.01, result_share: 1.0, threads: 1 };

fn shape(samples: &Samples) -> Shape {
    Shape { inputs: samples.inputs().count(), width: 16, hidden: 4, phases: 2, entries: 0, tables: 0 }
}

#[test]
fn gradients_are_differences() {
    let samples = samples();
    let mut trainer = Trainer::new(shape(&samples), None, 3);
    let entropy = |trainer: &Trainer| {
        let mut gradient = Gradient::new(shape(&samples));
        let error = gradient.error(&trainer.parameters, &samples, 5, 1.0);
        // The target is 1, so what is expected follows from the squared error.
        -f64::from(1.0 - error.sqrt()).ln()
    };
    let mut gradient = Gradient::new(shape(&samples));
    gradient.add(&trainer.parameters, &samples, 5, 1.0);
    let mut compared = 0;
    for index in (0..trainer.parameters.values.len()).step_by(7) {
        let before = trainer.parameters.values[index];
        let step = 1e-2;
        let [low, high] = [-step, step].map(|step| {
            trainer.parameters.values[index] = before + step;
            entropy(&trainer)
        });
        trainer.parameters.values[index] = before;
        let slope = (high - low) / f64::from(2.0 * step);
        let own = f64::from(gradient.sums[index]);
        assert!((slope - own).abs() < 0.02 + 0.1 * own.abs(), "{index}: {slope} {own}");
        compared += usize::from(own != 0.0);
    }
    assert!(compared > 10, "{compared}");
}

#[test]
fn it_learns_the_same_on_any_number_of_threads_and_after_a_stop() {
    let samples = samples();
    let mut one = Trainer::new(shape(&samples), None, 3);
    let before = one.loss(&COURSE, &samples);
    assert!(one.train(&COURSE, &samples, &mut |_| true));
    let after = one.loss(&COURSE, &samples);
    assert!(after < before / 4.0, "{before} {after}");
    let mut other = Trainer::new(shape(&samples), None, 3);
    let course = Course { threads: 3, ..COURSE };
    let mut left = 10;
    let done = other.train(&course, &samples, &mut |_| {
        left -= 1;
        left > 0
    });
    assert!(!done && other.progress(&course, &samples) > 0.0);
    let bytes = other.write();
    let mut again = Trainer::read(&bytes, shape(&samples)).unwrap();
    assert_eq!(again, other);
    assert!(again.train(&course, &samples, &mut |_| true));
    assert_eq!(again, one);
    for (place, length) in [(20, bytes.len()), (80, bytes.len()), (0, bytes.len() - 4)] {
        let mut altered = bytes[..length].to_vec();
        altered[place] ^= 1;
        assert_eq!(Trainer::read(&altered, shape(&samples)), Err(TrainerError));
    }
}

#[test]
fn the_scale_is_found_again() {
    let mut random = fastrand::Rng::with_seed(9);
    let judged: Vec<(i32, Ended)> = (0..20_000)
        .map(|_| {
            let score = random.i32(-3_000..3_000);
            let expected = 1.0 / (1.0 + (-0.5 * f64::from(score) / 174.0).exp());
            (score, if random.f64() < expected { Ended::Win } else { Ended::Loss })
        })
        .collect();
    let found = scale(&judged);
    assert!((found - 0.5).abs() < 0.05, "{found}");
}

#[test]
fn patterns_are_learned_with_the_layers_and_alone() {
    let samples = judged_positions("dimensions (4, 4)", "    X...\n    ....\n    ....\n    ...O\n");
    let entries = samples.inputs().patterns().entries();
    assert!(entries > 0);
    let with = Shape { entries, tables: 2, ..shape(&samples) };
    let mut gradient = Gradient::new(with);
    let mut trainer = Trainer::new(with, None, 3);
    gradient.add(&trainer.parameters, &samples, 5, 1.0);
    let first = with.parameters() - entries * 2;
    let touched: Vec<usize> =
        (first..with.parameters()).filter(|&index| gradient.sums[index] != 0.0).collect();
    assert!((2..=samples.inputs().patterns().count()).contains(&touched.len()), "{}", touched.len());
    // Each number of a pattern is a summand: all of them have the slope of the estimate, as often as they are there.
    for index in touched {
        let mut expected = [0.0; 2];
        for (step, error) in [0.0, 1e-2].into_iter().zip(&mut expected) {
            trainer.parameters.values[index] += step;
            *error = 1.0 - gradient.error(&trainer.parameters, &samples, 5, 1.0).sqrt();
            trainer.parameters.values[index] -= step;
        }
        let slope = f64::from(expected[1].ln() - expected[0].ln()) / 1e-2;
        let own = -f64::from(gradient.sums[index]);
        assert!((slope - own).abs() < 0.02 + 0.1 * own, "{index}: {slope} {own}");
    }
    let alone = Shape { width: 0, hidden: 0, ..with };
    for shape in [with, alone] {
        let mut trainer = Trainer::new(shape, None, 3);
        let before = trainer.loss(&COURSE, &samples);
        assert!(trainer.train(&COURSE, &samples, &mut |_| true));
        let after = trainer.loss(&COURSE, &samples);
        assert!(after < before / 2.0, "{before} {after}");
        assert_eq!(Trainer::read(&trainer.write(), shape).unwrap(), trainer);
    }
}
