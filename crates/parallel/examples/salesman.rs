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
    #[cfg(feature = "mpi")]
    if let Err(error) = parallel::cluster::join() {
        eprintln!("{error}");
        std::process::exit(2);
    }
    let began = Instant::now();
    match solve(&problem, threads) {
        Ok(Some(done)) => {
            let pieces: u64 = done.pieces.iter().flatten().sum();
            println!("{:?}: length {}", done.outcome, problem.length(&done.outcome));
            println!("{pieces} pieces on {threads} threads in {:?}", began.elapsed());
        }
        // The first process knows.
        Ok(None) => {}
        Err(error) => eprintln!("{error}"),
    }
    #[cfg(feature = "mpi")]
    parallel::cluster::leave();
}

type Answer = Result<Option<dib::Done<Vec<u8>>>, dib::NobodyLeft>;

#[cfg(feature = "mpi")]
fn solve(problem: &Salesman, threads: usize) -> Answer {
    dib::on_cluster(problem, threads)
}

#[cfg(not(feature = "mpi"))]
fn solve(problem: &Salesman, threads: usize) -> Answer {
    dib::on_threads(problem, threads).map(Some)
}
