//! Counts the ways to put N queens on a board, on threads and on a virtual machine:
//! `cargo run --release --package parallel --example queens -- 12 2`

mod problems {
    pub(crate) mod queens;
}

use std::time::{Duration, Instant};

use fabric::simulation::{Machine, Network};
use parallel::dib;
use problems::queens::Queens;

fn main() {
    let mut numbers = std::env::args().skip(1).filter_map(|word| word.parse::<u32>().ok());
    let rows = numbers.next().unwrap_or(11).clamp(1, 20);
    let threads = numbers.next().unwrap_or(2).clamp(1, 256) as usize;
    let queens = Queens(rows);
    let began = Instant::now();
    let Ok(done) = dib::on_threads(&queens, threads) else { return eprintln!("all threads died") };
    println!("{rows} queens: {} ways; {threads} threads: {:?}", done.outcome, began.elapsed());
    // The same on virtual processors, one of which dies on the way. A piece costs a microsecond.
    let mut times = Vec::new();
    for processors in [1, 64] {
        let mut machine = Machine::with_network(processors, Network::INFINIBAND);
        if processors > 1 {
            machine.faults.deaths = vec![(fabric::ProcessorId(3), Duration::from_millis(1))];
        }
        match dib::simulated(&queens, &machine, Duration::from_micros(1)) {
            Ok(found) => {
                println!("{processors} virtual processors: {} ways in {:?}", found.done.outcome, found.time);
                times.push(found.time.as_secs_f64());
            }
            Err(error) => eprintln!("{error}"),
        }
    }
    if let [alone, together] = times[..] {
        println!("speedup {:.1}, although one of them died", alone / together);
    }
}
