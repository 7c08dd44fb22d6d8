//! What each feature of a game says about a position, for the mover minus for the opponent, and what compiled code
//! says: `cargo run -p search --example features -- chess "FEN"`

mod support;

use game::{Game, fen};
use support::{compiled, program};

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let program = program(arguments.get(1).map_or("chess", String::as_str));
    let game = compiled(&program);
    let position = match arguments.get(2) {
        Some(text) => fen::read(game.info(), text).expect("a position"),
        None => game.info().start.clone().expect("a start"),
    };
    let interpreter = rules::Interpreter::new(program);
    for (name, value) in interpreter.features(&position).expect("no faults") {
        println!("{name:20} {value:6}");
    }
    let packed = game.pack(&position);
    println!("{:20} {:6}", "compiled", game.evaluate(&packed).expect("no faults"));
}
