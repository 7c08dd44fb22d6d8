//! Depth-first proof-number search on several threads: all work on the same claim from the root on, with one table. A
//! position looks harder while others work on it, so that they spread (T. Kaneko, Parallel depth first proof number
//! search, 2010). Who comes to an answer ends it for all.

use fabric::{Processor, threads};
use std::sync::atomic::AtomicU64;

use game::{Game, RuleFault};
use search::proof::{self, Answer, Claim, SharedMemory};
use search::watch::{Interrupt, Watch};
use search::{Control, Limits, Resources, Root, Settings, Statistics, StoppedClock, Team};
use table::Table;

use crate::again::ATTEMPTS;
use crate::measures::Measures;
use crate::stealing::Together;

/// What one thread comes to.
enum Ended {
    First(Result<Answer, Interrupt>),
    Other(Box<Statistics>),
}

/// Sends all threads home when the first thread is done, or panics.
struct Ending<'run>(&'run SharedMemory);

impl Drop for Ending<'_> {
    fn drop(&mut self) {
        self.0.end();
    }
}

/// The same as [`search::search`] with df-pn, on so many threads.
pub(crate) fn search<G: Game, T: Table + Sync>(
    game: &G,
    root: &Root<G>,
    settings: &Settings,
    limits: &Limits,
    count: usize,
    resources: Resources<'_, T>,
) -> Result<Together, RuleFault> {
    let nodes = AtomicU64::new(0);
    let team = Team::new(&nodes);
    let watch = Watch::new(limits, resources.control, resources.clock).together(Some(team));
    let (mut others, mut threads_lost) = (Statistics::default(), 0);
    // A solution takes several claims, one after the other, with the same threads.
    let mut of_helpers: Vec<u64> = vec![0; count - 1];
    let mut examine_once = |claim: Claim, watch: &mut Watch<'_>, statistics: &mut Statistics| {
        let memory = SharedMemory::new(settings.proof.table_bytes);
        let free = Limits { nodes: limits.nodes, ..Limits::default() };
        let lead = |_: &dyn Processor| {
            let _ending = Ending(&memory);
            Ended::First(proof::examine_together(game, root, claim, &memory, watch, statistics))
        };
        let help = |_: &dyn Processor| {
            let (control, mut statistics) = (Control::default(), Statistics::default());
            let mut watch = Watch::new(&free, &control, &StoppedClock).together(Some(team));
            // Faults of the rules are met by the first thread too if they matter.
            let _ = proof::examine_together(game, root, claim, &memory, &mut watch, &mut statistics);
            Ended::Other(Box::new(Statistics { nodes: watch.nodes(), ..statistics }))
        };
        let mut answer = None;
        let all = threads::run_led(count, search::STACK_BYTES, lead, &help);
        for (thread, ended) in all.into_iter().enumerate() {
            match ended {
                Some(Ended::First(found)) => answer = Some(found),
                Some(Ended::Other(statistics)) => {
                    of_helpers[thread - 1] += statistics.nodes;
                    others += *statistics;
                }
                None => threads_lost += 1,
            }
        }
        answer
    };
    // A leader that panics begins again.
    let mut examine = |claim: Claim, watch: &mut Watch<'_>, statistics: &mut Statistics| {
        let mut attempts = (0..ATTEMPTS).filter_map(|_| examine_once(claim, watch, statistics));
        attempts.next().expect("the calling thread has come to an end")
    };
    let solved = proof::solve_by(game, root, watch, &mut examine);
    let found = solved.and_then(|mut report| {
        let nodes = std::iter::once(report.nodes).chain(of_helpers.iter().copied());
        let measures = nodes.map(|nodes| Some(Measures { nodes, ..Measures::default() })).collect();
        report.statistics += others;
        report.nodes += others.nodes;
        report.threads_lost = threads_lost;
        let report = search::choose_if_unknown(game, root, resources, report)?;
        Ok(Together { report, measures })
    });
    found.map_err(|interrupt| match interrupt {
        Interrupt::Fault(fault) => *fault,
        Interrupt::Stopped | Interrupt::Cut { .. } => RuleFault::stopped(),
    })
}
