//! Breadth-first search from both ends, for puzzles whose end is known and whose moves can be taken back: two small
//! balls instead of a large one. Whether moves can be taken back is seen on the way: every position that is followed
//! must have a move back to where it was reached from. If one has not, nothing is claimed, and another search has to
//! do.

use game::{Game, Move, MoveList, Outcome, RuleFault, Stage};

use super::packing::Packing;
use super::visited::Visited;
use super::{Budget, Found, Progress, Verdict};

/// Where the first position of an end was reached from.
const NOWHERE: u32 = u32::MAX;

/// Positions between two looks at the clock.
const INTERVAL: u64 = 1 << 10;

/// What has been reached from one end.
struct End {
    visited: Visited,
    from: Vec<u32>,
    /// Where each distance begins in the numbers of positions; the last one is where the next begins.
    levels: Vec<usize>,
}

impl End {
    fn new(packing: &Packing, record: &[u8]) -> End {
        let mut visited = Visited::new(packing.bytes());
        visited.insert(record);
        End { visited, from: vec![NOWHERE], levels: vec![0, 1] }
    }

    /// The distance of a position from its end.
    fn distance(&self, index: usize) -> usize {
        self.levels.partition_point(|&first| first <= index) - 1
    }

    fn newest(&self) -> std::ops::Range<usize> {
        self.levels[self.levels.len() - 2]..self.levels[self.levels.len() - 1]
    }

    /// From a position to the end, records one by one.
    fn way(&self, index: usize) -> Vec<Vec<u8>> {
        let mut way = Vec::new();
        let mut next = index as u32;
        while next != NOWHERE {
            way.push(self.visited.record(next as usize).to_vec());
            next = self.from[next as usize];
        }
        way
    }
}

/// The shortest solution; `None` if a move cannot be taken back.
///
/// # Errors
/// When the rules go wrong.
pub fn solve<G: Game>(
    game: &G,
    start: &G::Position,
    goal: &G::Position,
    limits: &Budget<'_>,
    progress: &mut Progress<'_>,
) -> Result<Option<Found<Move>>, RuleFault> {
    let packing = Packing::new(game.info());
    let mut record = vec![0; packing.bytes()];
    let [mut here, mut there] = [start, goal].map(|position| {
        packing.pack(&game.unpack(position), &mut record);
        End::new(&packing, &record)
    });
    let (mut nodes, mut moves) = (0, MoveList::new());
    let mut bound = 1;
    let found = |verdict: Verdict<Move>, bound: u32, nodes: u64| {
        let solutions = u64::from(matches!(verdict, Verdict::Solved(_)));
        Ok(Some(Found { verdict, bound, nodes, solutions }))
    };
    loop {
        progress(bound, nodes);
        let is_forward = here.newest().len() <= there.newest().len();
        let (own, other) = if is_forward { (&mut here, &there) } else { (&mut there, &here) };
        let level = own.newest();
        if level.is_empty() {
            return found(Verdict::Unsolvable, bound, nodes);
        }
        let mut meeting: Option<(usize, usize, usize)> = None;
        for index in level {
            nodes += 1;
            if nodes.is_multiple_of(INTERVAL)
                && (limits.reached(nodes) || own.visited.memory() + other.visited.memory() > limits.bytes)
            {
                return found(Verdict::Unknown, bound, nodes);
            }
            let position = game.pack(&packing.unpack(game.info(), own.visited.record(index)));
            if game.generate(&position, Stage::All, &mut moves)?.is_some() {
                continue;
            }
            let mut goes_back = own.from[index] == NOWHERE;
            for played in moves.iter() {
                packing.after(own.visited.record(index), played, &mut record);
                let Some((child, is_new)) = own.visited.insert(&record) else {
                    return found(Verdict::Unknown, bound, nodes);
                };
                goes_back |= child as u32 == own.from[index];
                if !is_new {
                    continue;
                }
                own.from.push(index as u32);
                if let Some(met) = other.visited.find(&record) {
                    let length = other.distance(met);
                    if meeting.is_none_or(|(least, _, _)| length < least) {
                        meeting = Some((length, child, met));
                    }
                }
            }
            if !goes_back {
                return Ok(None);
            }
        }
        own.levels.push(own.visited.len());
        if let Some((_, child, met)) = meeting {
            let (mine, yours) = (own.way(child), other.way(met));
            let (mut first, second) = if is_forward { (mine, yours) } else { (yours, mine) };
            first.reverse();
            first.extend(second.into_iter().skip(1));
            let line = played(game, &packing, start, &first)?;
            return match line {
                Some(line) => found(Verdict::Solved(vec![line]), first.len() as u32 - 1, nodes),
                None => Ok(None),
            };
        }
        bound += 1;
    }
}

/// The moves along a way; `None` if there is none at some step, or if the last one does not win.
fn played<G: Game>(
    game: &G,
    packing: &Packing,
    start: &G::Position,
    way: &[Vec<u8>],
) -> Result<Option<Vec<Move>>, RuleFault> {
    let (mut position, mut moves, mut line) = (start.clone(), MoveList::new(), Vec::new());
    let mut record = vec![0; packing.bytes()];
    for (index, pair) in way.windows(2).enumerate() {
        game.generate(&position, Stage::All, &mut moves)?;
        let leads_there = |played: &game::MoveView<'_>, record: &mut [u8]| {
            packing.after(&pair[0], *played, record);
            record == &pair[1][..]
        };
        let Some(played) = moves.iter().find(|played| leads_there(played, &mut record)) else {
            return Ok(None);
        };
        if index + 2 == way.len() && played.head.outcome() != Some(Outcome::Win) {
            return Ok(None);
        }
        line.push(played.to_move());
        game.play(&mut position, played);
    }
    Ok(Some(line))
}
