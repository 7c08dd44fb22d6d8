//! What processors did with their time.

use std::ops::AddAssign;
use std::time::Duration;

use table::{Table, Traffic};

use crate::stealing::Message;

/// What a processor does at a moment.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Activity {
    /// It searches.
    Searching,
    /// It has shared out a node and waits for the others.
    WaitingForSlaves,
    /// It has no work, and none could have any: the first move of an iteration is still being searched.
    Synchronising,
    /// It has no work and looks for some.
    NoWork,
}

/// Time by activity, messages by kind, and nodes: of one processor, or summed up.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Measures {
    /// Nodes that were searched.
    pub nodes: u64,
    /// Time in searches.
    pub search: Duration,
    /// The part of it that went into asking and telling the tables of others, as far as they count it.
    pub table: Duration,
    /// The part of it that nodes cost on virtual processors; what is left are messages, also those of others.
    pub expansion: Duration,
    /// Time waiting for others that work for a node of the processor.
    pub wait_for_slaves: Duration,
    /// Time without work in which none could have any.
    pub synchronise: Duration,
    /// Other time without work.
    pub look_for_work: Duration,
    /// Moves that were searched for others.
    pub jobs: u64,
    /// Side by side: moves that came last because a peer was searching them.
    pub left_for_later: u64,
    /// Side by side: nodes and moves whose worth a peer had just found out.
    pub known_by_peers: u64,
    /// Side by side: searches that ended because a peer was done with their node, or had found a better move of it.
    pub ended_by_peers: u64,
    /// Messages by kind, and their bytes.
    pub messages: [(u64, u64); Message::KINDS],
}

impl Activity {
    /// All of them, with their names.
    pub const NAMED: [(&'static str, Activity); 4] = [
        ("searching", Activity::Searching),
        ("waiting for slaves", Activity::WaitingForSlaves),
        ("synchronising", Activity::Synchronising),
        ("no work", Activity::NoWork),
    ];

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        Activity::NAMED[self as usize].0
    }
}

impl Measures {
    /// The kinds of messages that are counted.
    pub const MESSAGES: [&'static str; Message::KINDS] = Message::NAMES;

    pub(crate) fn spend(&mut self, activity: Activity, time: Duration) {
        *match activity {
            Activity::Searching => &mut self.search,
            Activity::WaitingForSlaves => &mut self.wait_for_slaves,
            Activity::Synchronising => &mut self.synchronise,
            Activity::NoWork => &mut self.look_for_work,
        } += time;
    }

    /// Time without a search, whatever the cause.
    #[must_use]
    pub fn idle(&self) -> Duration {
        self.wait_for_slaves + self.synchronise + self.look_for_work
    }

    /// Takes in what a table has counted itself.
    pub(crate) fn ask_of(&mut self, table: &dyn Table) {
        self.table = table.time_spent();
        let Traffic { questions, answers, entries } = table.traffic();
        let kinds =
            [(Message::QUESTIONS, questions), (Message::ANSWERS, answers), (Message::ENTRIES, entries)];
        for (kind, (count, bytes)) in kinds {
            let counts = &mut self.messages[kind];
            *counts = (counts.0 + count, counts.1 + bytes);
        }
    }

    /// All messages.
    #[must_use]
    pub fn message_count(&self) -> u64 {
        self.messages.iter().map(|(count, _)| count).sum()
    }
}

/// How measures travel between processes.
#[cfg(any(feature = "mpi", test))]
impl Measures {
    /// How many numbers they are.
    pub(crate) const NUMBERS: usize = 11 + 2 * Message::KINDS;

    pub(crate) fn to_numbers(&self) -> Vec<u64> {
        let times = [
            self.search,
            self.table,
            self.expansion,
            self.wait_for_slaves,
            self.synchronise,
            self.look_for_work,
        ];
        let counts = [self.nodes, self.jobs, self.left_for_later, self.known_by_peers, self.ended_by_peers];
        let times = times.into_iter().map(|time| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX));
        let messages = self.messages.iter().flat_map(|(count, bytes)| [*count, *bytes]);
        counts.into_iter().chain(times).chain(messages).collect()
    }

    /// What such numbers stand for; those that are missing are 0.
    pub(crate) fn from_numbers(numbers: &[u64]) -> Measures {
        let count = |place: usize| numbers.get(place).copied().unwrap_or(0);
        let time = |place: usize| Duration::from_nanos(count(place));
        Measures {
            nodes: count(0),
            jobs: count(1),
            left_for_later: count(2),
            known_by_peers: count(3),
            ended_by_peers: count(4),
            search: time(5),
            table: time(6),
            expansion: time(7),
            wait_for_slaves: time(8),
            synchronise: time(9),
            look_for_work: time(10),
            messages: std::array::from_fn(|kind| (count(11 + 2 * kind), count(12 + 2 * kind))),
        }
    }
}

impl AddAssign<&Measures> for Measures {
    fn add_assign(&mut self, other: &Measures) {
        self.nodes += other.nodes;
        self.search += other.search;
        self.table += other.table;
        self.expansion += other.expansion;
        self.wait_for_slaves += other.wait_for_slaves;
        self.synchronise += other.synchronise;
        self.look_for_work += other.look_for_work;
        self.jobs += other.jobs;
        self.left_for_later += other.left_for_later;
        self.known_by_peers += other.known_by_peers;
        self.ended_by_peers += other.ended_by_peers;
        for (own, other) in self.messages.iter_mut().zip(&other.messages) {
            *own = (own.0 + other.0, own.1 + other.1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measures_arrive_as_they_were_sent() {
        let numbers: Vec<u64> = (1..=Measures::NUMBERS as u64).collect();
        let measures = Measures::from_numbers(&numbers);
        assert_eq!(measures.to_numbers(), numbers);
        assert_eq!((measures.ended_by_peers, measures.search), (5, Duration::from_nanos(6)));
        assert_eq!(Measures::from_numbers(&[]), Measures::default());
    }
}
