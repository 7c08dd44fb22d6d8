//! Leaves a second of a compiled game: `cargo run --release -p jit --example speed chess 5`
use game::Game;
use game::perft::Tally;
use std::time::Instant;
fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let name = &arguments[1];
    let depth: u32 = arguments[2].parse().expect("a depth");
    let text = std::fs::read_to_string(format!("games/{name}.mg")).expect("a game");
    let source = lang::Source::new(name.as_str(), text);
    let start = Instant::now();
    let Ok((program, _)) = rules::compile(&source, None) else { panic!("wrong rules") };
    let parsed = start.elapsed();
    fn run<const W: usize>(
        program: &rules::Program,
        depth: u32,
        start: Instant,
        parsed: std::time::Duration,
    ) {
        let compiled = jit::Compiled::<W>::new(program, jit::Options::default())
            .unwrap_or_else(|e| panic!("{}", e.reason));
        println!("words {} read {:?} compiled {:?}", jit::words_needed(program), parsed, start.elapsed());
        let position = compiled.pack(compiled.info().start.as_ref().expect("a start"));
        for _ in 0..3 {
            let t = Instant::now();
            let mut tally = Tally::new(false, &|| false);
            compiled.perft(&position, depth, &mut tally).unwrap_or_else(|e| panic!("{e}"));
            let leaves = tally.leaves;
            let s = t.elapsed().as_secs_f64();
            println!("expand: {leaves} leaves {s:.3} s {:.1} M/s", leaves as f64 / s / 1e6);
        }
        let t = Instant::now();
        let mut tally = Tally::new(false, &|| false);
        game::perft::count(&compiled, &position, depth, &mut tally).unwrap_or_else(|e| panic!("{e}"));
        let leaves = tally.leaves;
        let s = t.elapsed().as_secs_f64();
        println!("generate+play: {leaves} leaves {s:.3} s {:.1} M/s", leaves as f64 / s / 1e6);
    }
    match jit::words_needed(&program) {
        0..=8 => run::<8>(&program, depth, start, parsed),
        9..=16 => run::<16>(&program, depth, start, parsed),
        17..=32 => run::<32>(&program, depth, start, parsed),
        33..=64 => run::<64>(&program, depth, start, parsed),
        _ => run::<512>(&program, depth, start, parsed),
    }
}
