//! The shortest way through N towns and back, on threads or on processes of a cluster:
//! `cargo run --release --package parallel --example salesman -- 14 2`

mod problems {
    pub(crate) mod salesman;
}

use std::time::Instant;

use parallel::dib;
use problems::salesman::Salesman;

fn main() {
    let mut numbers = std::env::args().skip(1).filter_map(|word| word.parse::<u64>().ok());
    let towns = numbers.next().unwrap_or(13).clamp(2, 32) as usize;
    let threads = numbers.next().unwrap_or(2).clamp(1, 256) as usize;
    let problem = Salesman::random(towns, 1);
    let began = Instant::now();
    match dib::on_threads(&problem, threads) {
        Ok(done) => {
            let pieces: u64 = done.pieces.iter().flatten().sum();
            println!("{:?}: length {}", done.outcome, problem.length(&done.outcome));
            println!("{pieces} pieces on {threads} threads in {:?}", began.elapsed());
        }
        Err(error) => eprintln!("{error}"),
    }
}
