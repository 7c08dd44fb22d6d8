//! What it is worth to be to move.

#![allow(clippy::unwrap_used)]

use game::Game;
use jit::{Compiled, Options};
use rules::Interpreter;

/// Compiled rules and the interpreter on the start position, with either player to move.
fn values(to_move: &str, rest: &str) -> Vec<Result<i32, String>> {
    let text = format!(
        "dimensions (2, 2)\npieces {{ man 'X' 'O' }}\ntables {{ few = 5, 6 }}
        evaluation {{ to move : {to_move}.  {rest} }}\nsetup {{\nXX\nO.\n}}
        main = find empty field, replace by own man."
    );
    let (program, _) = rules::compile(&lang::Source::new("small", text), None).unwrap();
    let start = program.info.start.clone().unwrap();
    let compiled = Compiled::<64>::new(&program, Options::default()).unwrap();
    let interpreter = Interpreter::new(program);
    let turned = |mut position: game::Position| {
        position.set_mover(position.mover().opponent());
        position
    };
    [start.clone(), turned(start)]
        .iter()
        .map(|position| {
            let value = interpreter.evaluate(position).map_err(|fault| fault.message);
            let other = compiled.evaluate(&compiled.pack(position)).map_err(|fault| fault.message);
            assert_eq!(value, other);
            value
        })
        .collect()
}

#[test]
fn being_to_move_counts_for_the_mover() {
    assert_eq!(values("7", ""), [Ok(7), Ok(7)]);
    assert_eq!(values("7", "men : 10 = find own man."), [Ok(17), Ok(-3)]);
    assert_eq!(values("number of empty field & 1 ? 3 : -3", ""), [Ok(3), Ok(3)]);
    assert_eq!(values("2 * number of own man", "men : 10 = find own man."), [Ok(14), Ok(-8)]);
}

/// What would go wrong for the player who is not to move is of no interest.
#[test]
fn nothing_is_asked_of_who_is_not_to_move() {
    let wrong = "few[number of own man]";
    for rest in ["", "men : 10 = find own man."] {
        let values = values(wrong, rest);
        assert!(values[0].as_ref().unwrap_err().contains("no element 2"), "{values:?}");
        assert_eq!(values[1], Ok(if rest.is_empty() { 6 } else { -4 }));
    }
}
