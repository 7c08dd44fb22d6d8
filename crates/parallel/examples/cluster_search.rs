//! A search on the processes that `mpirun` started, beside the same one in one process: exact values must be the
//! same, what was found out must be in the table of process 0, which is saved, and what all processors did must be
//! known. For scripts/mpi.
//!
//! ```sh
//! mpirun -n 2 target/debug/examples/cluster_search [THREADS]
//! ```

use std::process::ExitCode;
use std::time::Instant;

use game::Game;
use parallel::{Ledger, Method, Sharing};
use search::{Control, Engine, Knowledge, Limits, Resources, Root, Settings, StoppedClock};
use table::{Bucketed, Replacement, Table};

/// Every search here finds out more than this.
const ENTRIES_LEAST: usize = 500;

/// The same where a leader leaves most to others, which may be on other hosts: APHID's looks at the upper plies only, and
/// in parallel aspiration each has a window of its own.
const ENTRIES_OF_LEADER: usize = 20;

/// Ways to share a search that differ in what processes say to each other.
const NAMES: [&str; 7] = ["ybwc", "ybwc-1-2*", "jamboree", "usual", "abdada", "lazysmp", "tdsab"];

/// Searches a start position on the cluster, in all of these ways, and alone; says whether the values agree.
fn agrees<G: Game>(
    game: &G,
    depth: i32,
    threads: usize,
    names: &[&'static str],
) -> Result<bool, Box<dyn std::error::Error>> {
    let start = game.info().start.clone().ok_or("the game has a start position")?;
    let (knowledge, root) = (Knowledge::learn(game, &start)?, Root::new(game, &start));
    let (table, control) = (Bucketed::new(16, Replacement::Age), Control::default());
    let settings = Settings::new(Engine::NegaScout).exact();
    let limits = Limits::to_depth(depth);
    let mut right = true;
    let resources = || Resources {
        table: &table,
        knowledge: &knowledge,
        control: &control,
        clock: &StoppedClock,
        team: None,
    };
    for &name in names {
        let method = Method::from_name(name).unwrap_or_default();
        let ledger = Ledger::default();
        table.clear();
        let began = Instant::now();
        let together = parallel::search(
            game,
            &root,
            &settings,
            &limits,
            Sharing { ledger: Some(&ledger), ..Sharing::new(method, threads) },
            resources(),
            &mut |_| {},
        )?;
        let seconds = began.elapsed().as_secs_f64();
        if together.best.is_none() {
            continue; // the answer is with process 0
        }
        let least = if matches!(name, "aphid" | "aspiration") { ENTRIES_OF_LEADER } else { ENTRIES_LEAST };
        let is_kept = table.entries().count() > least;
        table.clear();
        let began = Instant::now();
        let alone = search::search(game, &root, &settings, &limits, resources(), &mut |_| {})?;
        let same = together.score == alone.score;
        // One thread of one process shares nothing.
        let told = ledger.take();
        let is_counted = told.as_ref().is_none_or(|told| told.sum().nodes == together.nodes);
        right &= same && is_kept && is_counted;
        println!(
            "{} depth {depth} {name} ({}): {} in {seconds:.2} s with {} nodes; alone {} in {:.2} s with {} nodes{}",
            game.info().name,
            told.map_or("alone".to_owned(), |told| {
                format!(
                    "{} processors {}, load {:.2}",
                    told.processors.len(),
                    told.method,
                    told.part(told.sum().search)
                )
            }),
            together.score,
            together.nodes,
            alone.score,
            began.elapsed().as_secs_f64(),
            alone.nodes,
            match (same, is_kept, is_counted) {
                (true, true, true) => "",
                (false, ..) => " WRONG",
                (true, false, _) => " and its table is LOST",
                (true, true, false) => " and its nodes are not those of all processors: WRONG",
            },
        );
    }
    Ok(right)
}

fn main() -> Result<ExitCode, Box<dyn std::error::Error>> {
    let threads = std::env::args().nth(1).map_or(Ok(1), |text| text.parse())?;
    parallel::cluster::join()?;
    let right = agrees(&native::NativeChess::new(), 5, threads, &NAMES)?
        && agrees(&native::NativeOthello::new(), 8, threads, &NAMES)?
        && agrees(&native::NativeConnect4::new(), 8, threads, &Method::names())?;
    parallel::cluster::leave();
    Ok(if right { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
