//! Records of moves travel: at the end of an iteration every processor passes on how much better or worse moves
//! became, up a tree of processors whose sums come back down. Processor 0 is the root.
//!
//! No processor waits for it, and nothing depends on it but the order of moves: what a dead processor held back is not
//! missed, and a round that is overtaken by the next is given up.

use std::collections::BTreeMap;

use fabric::ProcessorId;
use game::Game;
use search::desk::Desk;

use super::crew::Crew;
use super::protocol::{Changes, Message};

/// Sons of a processor in the tree.
const SONS: u32 = 4;
/// Smaller changes are not worth telling.
const CHANGE_MIN: i32 = 64;
/// So many changes are told at most, the greatest ones.
const CHANGES_MAX: usize = 1024;

/// What one processor knows of the present round.
#[derive(Default)]
pub(super) struct Exchange {
    /// The iteration after which it began; 0 before the first one.
    round: i32,
    /// What this processor has told.
    own: BTreeMap<u16, i32>,
    /// The same with what its sons have told.
    sum: BTreeMap<u16, i32>,
    /// Which of them have.
    heard: Vec<ProcessorId>,
    is_told: bool,
}

fn father(of: ProcessorId) -> Option<ProcessorId> {
    of.0.checked_sub(1).map(|before| ProcessorId(before / SONS))
}

fn sons(of: ProcessorId, processors: usize) -> impl Iterator<Item = ProcessorId> {
    (1..=SONS)
        .map(move |son| of.0 * SONS + son)
        .take_while(move |&son| (son as usize) < processors)
        .map(ProcessorId)
}

/// The greatest changes, in the order of their places.
fn worth_telling(changes: &BTreeMap<u16, i32>) -> Changes {
    let told = changes.iter().filter(|(_, change)| change.abs() >= CHANGE_MIN);
    let mut told: Changes = told
        .map(|(&place, &change)| (place, change.clamp(i16::MIN.into(), i16::MAX.into()) as i16))
        .collect();
    if told.len() > CHANGES_MAX {
        told.sort_by_key(|&(place, change)| (std::cmp::Reverse(change.unsigned_abs()), place));
        told.truncate(CHANGES_MAX);
        told.sort_unstable_by_key(|&(place, _)| place);
    }
    told
}

impl<G: Game> Crew<'_, G> {
    /// An iteration is complete: what moves became better or worse is put together, if that is wanted.
    pub(super) fn begin_exchange(&mut self, round: i32, desk: &mut Desk<'_, G::Position>) {
        if !self.policy.exchanges || round <= self.exchange.round {
            return;
        }
        let own: BTreeMap<u16, i32> = desk.take_changes_of_records(CHANGE_MIN).into_iter().collect();
        self.exchange = Exchange { round, sum: own.clone(), own, ..Exchange::default() };
        self.pass_up(desk);
    }

    /// A son has put together what it and those below it have learned.
    pub(super) fn on_changes_from_below(
        &mut self,
        from: ProcessorId,
        round: i32,
        changes: &Changes,
        desk: &mut Desk<'_, G::Position>,
    ) {
        // News of an iteration may come sooner from a son than from the leader.
        self.begin_exchange(round, desk);
        if round != self.exchange.round || self.exchange.heard.contains(&from) {
            return;
        }
        for &(place, change) in changes {
            *self.exchange.sum.entry(place).or_default() += i32::from(change);
        }
        self.exchange.heard.push(from);
        self.pass_up(desk);
    }

    /// Tells the father when all sons that are alive have told; the root tells all.
    pub(super) fn pass_up(&mut self, desk: &mut Desk<'_, G::Position>) {
        let (own, living) = (self.here.id(), &self.living);
        let mut waited_for = sons(own, living.processors()).filter(|&son| living.has(son));
        let has_begun = self.exchange.round > 0 && !self.exchange.is_told;
        if !has_begun || !waited_for.all(|son| self.exchange.heard.contains(&son)) {
            return;
        }
        self.exchange.is_told = true;
        let (round, changes) = (self.exchange.round, worth_telling(&self.exchange.sum));
        match father(own) {
            Some(father) => self.send(father, &Message::ChangesBelow { round, changes }),
            None => self.on_changes_of_all(round, &changes, desk),
        }
    }

    /// What all have learned: those below are told, and what is new is learned.
    pub(super) fn on_changes_of_all(
        &mut self,
        round: i32,
        changes: &Changes,
        desk: &mut Desk<'_, G::Position>,
    ) {
        if round != self.exchange.round {
            return;
        }
        for son in sons(self.here.id(), self.living.processors()) {
            if self.living.has(son) {
                self.send(son, &Message::ChangesOfAll { round, changes: changes.clone() });
            }
        }
        let own = &self.exchange.own;
        let news = changes
            .iter()
            .map(|&(place, change)| (place, i32::from(change) - own.get(&place).copied().unwrap_or(0)));
        desk.add_to_records(news);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_but_the_root_has_one_father() {
        for processors in [1, 2, 5, 6, 100] {
            let all = || (0..processors as u32).map(ProcessorId);
            let mut fathers = vec![None; processors];
            for own in all() {
                for son in sons(own, processors) {
                    assert_eq!(fathers[son.index()].replace(own), None);
                }
            }
            assert_eq!(fathers, all().map(father).collect::<Vec<_>>());
        }
    }

    #[test]
    fn the_greatest_changes_are_told() {
        let changes: BTreeMap<u16, i32> = (0..3000).map(|place| (place, i32::from(place) - 1500)).collect();
        let told = worth_telling(&changes);
        assert_eq!(told.len(), CHANGES_MAX);
        assert!(told.is_sorted_by_key(|&(place, _)| place));
        assert!(told.iter().all(|(_, change)| change.unsigned_abs() >= 988));
        assert_eq!(worth_telling(&BTreeMap::from([(3, 70_000), (4, 5)])), [(3, i16::MAX)]);
    }
}
