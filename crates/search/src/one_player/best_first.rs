//! A* in memory: positions in the order of the least that a solution through them can cost. Without a bound that is
//! breadth-first search; with moves that cost nothing it is Dijkstra's algorithm. Positions are compared, not their
//! signatures.

use std::collections::VecDeque;

use game::{Game, Move, MoveList, Outcome, RuleFault, Stage};

use super::packing::Packing;
use super::visited::Visited;
use super::{Budget, Cost, Found, Progress, Verdict};

/// Nodes between two looks at the clock.
const INTERVAL: u64 = 1 << 10;

/// Where a position was reached from; the start has none.
const NOWHERE: u32 = u32::MAX;

struct Node {
    /// What the way here costs.
    cost: u32,
    /// Where it comes from.
    from: u32,
    /// What is at least still to pay.
    bound: u32,
    /// Whether it was followed with this cost.
    done: bool,
}

struct BestFirstSearch<'run, G: Game> {
    game: &'run G,
    cost: Cost,
    packing: Packing,
    visited: Visited,
    nodes: Vec<Node>,
    /// Positions to be followed, by what a solution through them costs at least.
    open: Vec<VecDeque<u32>>,
    /// The cheapest solution: its cost, and the last position before the end.
    best: Option<(u32, u32)>,
    expanded: u64,
}

/// The cheapest solution. Gives up when memory runs out.
///
/// # Errors
/// When the rules go wrong.
pub fn solve<G: Game>(
    game: &G,
    start: &G::Position,
    cost: Cost,
    limits: &Budget<'_>,
    progress: &mut Progress<'_>,
) -> Result<Found<Move>, RuleFault> {
    let packing = Packing::new(game.info());
    let visited = Visited::new(packing.bytes());
    let mut search = BestFirstSearch {
        game,
        cost,
        packing,
        visited,
        nodes: Vec::new(),
        open: Vec::new(),
        best: None,
        expanded: 0,
    };
    let mut record = vec![0; search.packing.bytes()];
    search.packing.pack(&game.unpack(start), &mut record);
    search.reach(&record, || start.clone(), 0, NOWHERE)?;
    let (mut level, mut moves) = (0, MoveList::new());
    let verdict = loop {
        if search.best.is_some_and(|(cost, _)| cost <= level as u32) {
            break search.solution(start)?;
        }
        let Some(queue) = search.open.get_mut(level) else {
            break if search.best.is_some() { search.solution(start)? } else { Verdict::Unsolvable };
        };
        // The newest is nearest to a solution; but where moves are free, ways should not be longer than they need be.
        let index = if cost == Cost::Moves { queue.pop_back() } else { queue.pop_front() };
        let Some(index) = index else {
            level += 1;
            progress(level as u32, search.expanded);
            continue;
        };
        if search.expanded.is_multiple_of(INTERVAL)
            && (limits.reached(search.expanded) || search.memory() > limits.bytes)
        {
            break Verdict::Unknown;
        }
        search.expand(index, level as u32, &mut moves, &mut record)?;
    };
    let solutions = u64::from(matches!(verdict, Verdict::Solved(_)));
    Ok(Found { verdict, bound: level as u32, nodes: search.expanded, solutions })
}

impl<G: Game> BestFirstSearch<'_, G> {
    fn memory(&self) -> usize {
        self.visited.memory() + self.nodes.capacity() * size_of::<Node>() + 4 * self.nodes.len()
    }

    /// Notes a way to a position: its record, and the position itself if it has to be looked at.
    fn reach(
        &mut self,
        record: &[u8],
        position: impl FnOnce() -> G::Position,
        cost: u32,
        from: u32,
    ) -> Result<(), RuleFault> {
        let Some((index, is_new)) = self.visited.insert(record) else { return Ok(()) };
        if is_new {
            let bound = if self.cost == Cost::Moves { self.game.lower_bound(&position())? } else { 0 };
            self.nodes.push(Node { cost, from, bound, done: false });
        } else if self.nodes[index].cost <= cost {
            return Ok(());
        } else {
            let node = &mut self.nodes[index];
            (node.cost, node.from, node.done) = (cost, from, false);
        }
        let level = (cost + self.nodes[index].bound) as usize;
        if self.open.len() <= level {
            self.open.resize_with(level + 1, VecDeque::new);
        }
        self.open[level].push_back(index as u32);
        Ok(())
    }

    fn expand(
        &mut self,
        index: u32,
        level: u32,
        moves: &mut MoveList,
        record: &mut [u8],
    ) -> Result<(), RuleFault> {
        let node = &mut self.nodes[index as usize];
        if std::mem::replace(&mut node.done, true) || node.cost + node.bound > level {
            return Ok(());
        }
        let so_far = node.cost;
        self.expanded += 1;
        let (game, plain) =
            (self.game, self.packing.unpack(self.game.info(), self.visited.record(index as usize)));
        let position = game.pack(&plain);
        if game.generate(&position, Stage::All, moves)?.is_some() {
            return Ok(());
        }
        for played in moves.iter() {
            let cost = so_far + self.cost.of(played);
            match played.head.outcome() {
                Some(Outcome::Win) => {
                    if self.best.is_none_or(|(best, _)| cost < best) {
                        self.best = Some((cost, index));
                    }
                }
                Some(_) => {}
                None => {
                    self.packing.after(self.visited.record(index as usize), played, record);
                    let after = || {
                        let mut after = position.clone();
                        game.play(&mut after, played);
                        after
                    };
                    self.reach(record, after, cost, index)?;
                }
            }
        }
        Ok(())
    }

    /// The moves of the cheapest solution, played again.
    fn solution(&self, start: &G::Position) -> Result<Verdict<Move>, RuleFault> {
        let Some((cost, last)) = self.best else { return Ok(Verdict::Unknown) };
        let mut way = vec![last];
        while let Some(&first) = way.last()
            && self.nodes[first as usize].from != NOWHERE
        {
            way.push(self.nodes[first as usize].from);
        }
        let (mut position, mut moves, mut line) = (start.clone(), MoveList::new(), Vec::new());
        let mut record = vec![0; self.packing.bytes()];
        for index in (0..way.len()).rev() {
            self.game.generate(&position, Stage::All, &mut moves)?;
            let so_far = self.nodes[way[index] as usize].cost;
            let wanted = |played: &game::MoveView<'_>, record: &mut [u8]| {
                let sum = so_far + self.cost.of(*played);
                let Some(&next) = index.checked_sub(1).map(|next| &way[next]) else {
                    return played.head.outcome() == Some(Outcome::Win) && sum == cost;
                };
                self.packing.after(self.visited.record(way[index] as usize), *played, record);
                let is_there = record == self.visited.record(next as usize);
                is_there && sum == self.nodes[next as usize].cost && played.head.outcome().is_none()
            };
            let Some(played) = moves.iter().find(|played| wanted(played, &mut record)) else {
                return Ok(Verdict::Unknown);
            };
            line.push(played.to_move());
            self.game.play(&mut position, played);
        }
        Ok(Verdict::Solved(vec![line]))
    }
}
