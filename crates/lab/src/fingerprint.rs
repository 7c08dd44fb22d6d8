//! A number by which programs are told apart that search in different ways. Small searches on virtual machines are
//! made, and the number depends on all that came out: so it is the same for the same searches on every machine,
//! however the program was built, and no other program has it.

use std::time::Duration;

use fabric::simulation::Network;
use parallel::stealing::{Policy, TableKind, Victims};
use parallel::tds::Scheduling;

use crate::conditions::{Conditions, Fabric, Order, Special, settings};
use crate::speedup::{LabError, Run};
use crate::subject::Subject;

/// Processors of each machine.
const PROCESSORS: usize = 8;
const TABLE_BYTES: usize = 1 << 16;
const NODE_COST: Duration = Duration::from_micros(2);

/// What is searched.
pub struct Sample<'lab> {
    /// The game; its first position.
    pub subject: &'lab dyn Subject,
    /// How deep; of puzzles, the last bound.
    pub depth: i32,
    /// Whether it is a puzzle.
    pub is_puzzle: bool,
}

/// The number of a program that searches these.
///
/// # Errors
/// When a search goes wrong.
pub fn fingerprint(samples: &[Sample<'_>]) -> Result<u32, LabError> {
    let mut sum = 0xcbf2_9ce4_8422_2325_u64;
    for Sample { subject, depth, is_puzzle } in samples {
        for (conditions, special) in machines(*is_puzzle) {
            let conditions = Conditions { depth: *depth, ..conditions };
            for processors in [1, PROCESSORS] {
                let order = Order { special, ..Order::new(&conditions, 0, processors) };
                sum = mixed(sum, &subject.perform(&order)?);
            }
        }
    }
    Ok((sum ^ sum >> 32) as u32)
}

fn mixed(sum: u64, run: &Run) -> u64 {
    let nanoseconds = (run.seconds * 1e9).round() as u64;
    let text = run.score.bytes().map(u64::from);
    [nanoseconds, run.nodes]
        .into_iter()
        .chain(text)
        .fold(sum, |sum, word| (sum ^ word).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(23))
}

/// One of each kind of machine and engine that have code of their own.
fn machines(is_puzzle: bool) -> Vec<(Conditions, Special)> {
    let conditions = |policy: Policy, network: Network, tables| Conditions {
        settings: settings(search::Engine::NegaScout, false),
        depth: 1,
        policy: Policy { depth_min: 1, ..policy },
        fabric: Fabric::Virtual { network, topology: network.topology },
        tables,
        table_bytes: TABLE_BYTES,
        table_depth: 1,
        prefetch: true,
        combine: 1,
        ahead: 0,
        equal_memory: false,
        node_cost: (!is_puzzle).then_some(NODE_COST),
    };
    if is_puzzle {
        let myrinet = conditions(Policy::YBWC, Network::MYRINET, TableKind::Partitioned);
        let scheduled = |scheduling| Special { scheduling: Some(scheduling), ..Special::default() };
        return vec![(myrinet, scheduled(Scheduling::Home)), (myrinet, scheduled(Scheduling::Stealing))];
    }
    let zugzwang = Policy {
        victims: Victims::Neighbours { hops: 8 },
        slow_start: true,
        exchanges: true,
        ..Policy::YBWC_1_2_STAR
    };
    let searches = [
        conditions(zugzwang, Network::TRANSPUTER, TableKind::Partitioned),
        conditions(Policy::JAMBOREE, Network::ETHERNET, TableKind::Replicated),
        conditions(Policy { keeps_requests: true, ..Policy::YBWC }, Network::INFINIBAND, TableKind::Asked),
        conditions(Policy::ABDADA, Network::SHARED, TableKind::Shared),
        conditions(Policy::APHID, Network::INFINIBAND, TableKind::Local),
        conditions(Policy::TDSAB, Network::INFINIBAND, TableKind::Partitioned),
    ];
    searches.map(|conditions| (conditions, Special::default())).to_vec()
}

#[cfg(test)]
mod tests {
    use game::Game;

    use super::*;
    use crate::subject::Positions;

    #[test]
    fn the_same_searches_have_the_same_number_and_others_another() {
        let game = native::NativeConnect4::new();
        let start = game.info().start.clone().unwrap();
        let subject = Positions::new(&game, &start, std::slice::from_ref(&start)).unwrap();
        let number = |depth| fingerprint(&[Sample { subject: &subject, depth, is_puzzle: false }]).unwrap();
        assert_eq!(number(4), number(4));
        assert_ne!(number(4), number(5));
    }
}
