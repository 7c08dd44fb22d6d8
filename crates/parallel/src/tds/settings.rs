//! How a puzzle is shared out, and what came of it.

use std::ops::AddAssign;
use std::time::Duration;

use fabric::ProcessorId;

/// Which processor works on a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scheduling {
    /// The processor whose part of the table it belongs to: transposition-driven scheduling.
    Home,
    /// The one that finds it, or one that asks: work stealing.
    Stealing,
}

/// Which states are searched to the end by the processor that has them, without remembering what it sees.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Grain {
    /// Those with so few moves left.
    Left(u32),
    /// As many moves as make a search of about so many nodes, found by trying.
    Nodes(u64),
}

/// What work costs on a modern virtual processor; nothing on real ones.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Costs {
    /// Finding the moves of a state.
    pub expansion: Duration,
    /// The lower bound of a state.
    pub evaluation: Duration,
    /// Packing a byte of a state for a journey and unpacking it, in picoseconds.
    pub journey_byte_ps: u64,
}

/// How a puzzle is shared out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// Which processor works on a state.
    pub scheduling: Scheduling,
    /// States of a message, at most; and of one whose sender has [`Settings::plenty`] to do and is in no hurry.
    pub batch: usize,
    /// See [`Settings::batch`].
    pub batch_most: usize,
    /// So many states of its own are plenty for a processor.
    pub plenty: usize,
    /// When sharing out does not pay any more.
    pub grain: Grain,
    /// A processor with fewer states than this takes those first that were reached by the fewest moves, so that
    /// there is work for all soon and few states are reached by detours first. One with more takes the deepest,
    /// which need the least memory. Real processors have so many states all together.
    pub wide: usize,
    /// With so many states a processor lets those pause that have fewer.
    pub open_max: usize,
    /// States between two looks at the mailbox.
    pub interval: u32,
    /// Whether brothers have the same home as a rule ([`super::Space::kin`]), where searches below them are alike.
    pub keeps_kin: bool,
    /// What work costs.
    pub costs: Costs,
    /// Longer solutions are not looked for.
    pub last_bound: Option<u32>,
    /// Pauses between two requests for work, at least and at most.
    pub pauses: (Duration, Duration),
    /// With so many states a processor gives some to others that ask, although they are at home here.
    pub gives_from: usize,
    /// Where random numbers begin.
    pub seed: u64,
}

impl Settings {
    /// For real processors.
    #[must_use]
    pub fn real(scheduling: Scheduling) -> Settings {
        let grain = match scheduling {
            // The finer, the fewer states are looked at twice; but a state that travels takes as long as forty others.
            Scheduling::Home => Grain::Nodes(2_000),
            Scheduling::Stealing => Grain::Nodes(6_000),
        };
        Settings {
            scheduling,
            batch: 8,
            batch_most: 32,
            plenty: 256,
            grain,
            // As long as there is room for them states are worked on in the order of moves made, so that hardly one
            // is reached by a detour first, however many processors there are.
            wide: 1 << 18,
            open_max: 1 << 19,
            interval: 1,
            keeps_kin: true,
            costs: Costs::default(),
            last_bound: None,
            pauses: (Duration::from_micros(5), Duration::from_micros(300)),
            gives_from: 2,
            seed: 1,
        }
    }

    /// For virtual processors: every state is remembered, as in the original.
    #[must_use]
    pub fn simulated(scheduling: Scheduling, costs: Costs) -> Settings {
        let pauses = match scheduling {
            // Where there is work for all it comes by itself.
            Scheduling::Home => (Duration::from_micros(300), Duration::from_millis(2)),
            Scheduling::Stealing => (Duration::from_micros(20), Duration::from_micros(500)),
        };
        Settings {
            batch: 64,
            batch_most: 256,
            plenty: 1 << 10,
            grain: Grain::Left(0),
            wide: 1 << 14,
            open_max: 1 << 17,
            keeps_kin: false,
            costs,
            pauses,
            gives_from: 64,
            ..Settings::real(scheduling)
        }
    }
}

impl Settings {
    /// The same with messages of so many states, and as many times more where there is no hurry as usual.
    #[must_use]
    pub fn with_batch(self, batch: usize) -> Settings {
        let batch = batch.max(1);
        let batch_most = batch * self.batch_most / self.batch.max(1);
        Settings { batch, batch_most: batch_most.max(batch), ..self }
    }
}

/// What a processor did, or all together.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Effort {
    /// States that were looked at.
    pub nodes: u64,
    /// States whose moves were found.
    pub expansions: u64,
    /// States that were known already.
    pub known: u64,
    /// Searches below single states.
    pub dives: u64,
    /// Messages with states, and all bytes of those.
    pub messages: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Time without work.
    pub idle: Duration,
    /// Time waiting for others whose stacks were full.
    pub held: Duration,
    /// The most states that waited at once on one processor.
    pub open_most: usize,
}

#[cfg(feature = "mpi")]
impl Effort {
    /// How many numbers it is, as processes tell each other.
    pub(crate) const NUMBERS: usize = 9;

    pub(crate) fn to_numbers(&self) -> Vec<u64> {
        let Effort { nodes, expansions, known, dives, messages, bytes, idle, held, open_most } = self;
        let nanoseconds = |time: &Duration| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        let times = [nanoseconds(idle), nanoseconds(held)];
        [[*nodes, *expansions, *known, *dives, *messages, *bytes].as_slice(), &times, &[*open_most as u64]]
            .concat()
    }

    /// What such numbers stand for.
    pub(crate) fn from_numbers(numbers: &[u64]) -> Effort {
        let time = |place: usize| Duration::from_nanos(numbers[place]);
        Effort {
            nodes: numbers[0],
            expansions: numbers[1],
            known: numbers[2],
            dives: numbers[3],
            messages: numbers[4],
            bytes: numbers[5],
            idle: time(6),
            held: time(7),
            open_most: numbers[8] as usize,
        }
    }
}

impl AddAssign<&Effort> for Effort {
    fn add_assign(&mut self, other: &Effort) {
        self.nodes += other.nodes;
        self.expansions += other.expansions;
        self.known += other.known;
        self.dives += other.dives;
        self.messages += other.messages;
        self.bytes += other.bytes;
        self.idle += other.idle;
        self.held += other.held;
        self.open_most = self.open_most.max(other.open_most);
    }
}

/// A processor died, and its part of the work with it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("processor {0} died; what it knew and had to do is lost, so there is no answer")]
pub struct Lost(pub ProcessorId);

#[cfg(all(test, feature = "mpi"))]
mod tests {
    use super::*;

    #[test]
    fn efforts_arrive_as_they_were_sent() {
        let numbers: Vec<u64> = (1..=Effort::NUMBERS as u64).collect();
        let effort = Effort::from_numbers(&numbers);
        assert_eq!(effort.to_numbers(), numbers);
        assert_eq!((effort.bytes, effort.held, effort.open_most), (6, Duration::from_nanos(8), 9));
    }
}
