//! Depth-first proof-number search (df-pn, Nagai): goes down where the least is left to show, and comes back
//! only when that is no longer so. What it found is in a table.

use game::{Game, Move, MoveList, Outcome, Signature, Stage};

use super::claim::{Claim, Verdict, outcome_of_cycle};
use super::memory::{Memory, Numbers, Store};
use super::shared::SharedMemory;
use super::{Answer, ProofSettings};
use crate::path::Path;
use crate::root::Root;
use crate::statistics::Statistics;
use crate::watch::{Interrupt, Watch};

/// Lines are not followed further; such a line counts as undecided for the player who wants the claim.
const PLY_MAX: usize = 1000;
/// Lists that are kept for the next visit, by ply.
const LISTS_KEPT: usize = 256;

struct ProofSearch<'search, 'watch, G: Game, M: Store> {
    game: &'search G,
    claim: Claim,
    memory: M,
    path: Path,
    watch: &'search mut Watch<'watch>,
    statistics: &'search mut Statistics,
    lists: Vec<MoveList>,
}

/// The numbers of a node, and whether they rest on the line that led to it.
#[derive(Clone, Copy)]
struct Finding {
    numbers: Numbers,
    path_dependent: bool,
}

/// What is known of a child before it is searched.
#[derive(Clone, Copy)]
struct Child {
    index: usize,
    key: Signature,
    twin: Signature,
    /// Decided by the move alone or by a cycle.
    fixed: Option<Finding>,
}

/// Examines a claim about the root.
pub(crate) fn examine<G: Game>(
    game: &G,
    root: &Root<G>,
    claim: Claim,
    settings: ProofSettings,
    watch: &mut Watch<'_>,
    statistics: &mut Statistics,
) -> Result<Answer, Interrupt> {
    let path = Path::new(game, root);
    let memory = Memory::new(settings.table_bytes);
    let mut search = ProofSearch { game, claim, memory, path, watch, statistics, lists: Vec::new() };
    let result = search.visit(&root.position, NO_LIMITS)?.numbers;
    Ok(Answer { verdict: verdict(game, root, claim, result), line: search.line(root)? })
}

/// Examines a claim together with others who have the same memory. The first to come to an answer ends it for all.
pub(crate) fn examine_together<G: Game>(
    game: &G,
    root: &Root<G>,
    claim: Claim,
    memory: &SharedMemory,
    watch: &mut Watch<'_>,
    statistics: &mut Statistics,
) -> Result<Answer, Interrupt> {
    let path = Path::new(game, root);
    let mut search = ProofSearch { game, claim, memory, path, watch, statistics, lists: Vec::new() };
    let result = match search.visit(&root.position, NO_LIMITS) {
        Ok(finding) => finding.numbers,
        Err(Interrupt::Stopped) => memory.answer().ok_or(Interrupt::Stopped)?,
        Err(interrupt) => return Err(interrupt),
    };
    memory.settle(result);
    // The search may have been left anywhere.
    search.path = Path::new(game, root);
    Ok(Answer { verdict: verdict(game, root, claim, result), line: search.line(root)? })
}

const NO_LIMITS: Numbers = Numbers { phi: Numbers::INFINITE, delta: Numbers::INFINITE };

/// What the numbers of the root say about a claim.
fn verdict<G: Game>(game: &G, root: &Root<G>, claim: Claim, result: Numbers) -> Verdict {
    let wanted = claim.is_wanted_by(game.mover(&root.position));
    match (result.phi == 0, result.delta == 0) {
        (true, _) if wanted => Verdict::True,
        (_, true) if !wanted => Verdict::True,
        (false, false) => Verdict::Unknown,
        _ => Verdict::False,
    }
}

impl<G: Game, M: Store> ProofSearch<'_, '_, G, M> {
    /// Works on a node until one of its numbers reaches its limit.
    fn visit(&mut self, position: &G::Position, limits: Numbers) -> Result<Finding, Interrupt> {
        self.watch.count_node()?;
        if self.memory.is_over() {
            return Err(Interrupt::Stopped);
        }
        let nodes_before = self.watch.nodes();
        let ply = self.path.ply();
        let mut moves = self.lists.pop().unwrap_or_default();
        self.statistics.generations += 1;
        let mover = self.game.mover(position);
        let result = match self.generate(position, &mut moves)? {
            Some(outcome) => {
                let wanted = self.claim.holds(outcome, mover) == self.claim.is_wanted_by(mover);
                Finding { numbers: Numbers::decided(wanted), path_dependent: false }
            }
            None if ply >= PLY_MAX => {
                let wanted = !self.claim.is_wanted_by(mover);
                Finding { numbers: Numbers::decided(wanted), path_dependent: true }
            }
            None => self.work(position, &moves, limits)?,
        };
        if self.lists.len() < LISTS_KEPT {
            self.lists.push(moves);
        }
        let work = self.watch.nodes() - nodes_before + 1;
        self.store(result, work);
        Ok(result)
    }

    fn generate(
        &mut self,
        position: &G::Position,
        moves: &mut MoveList,
    ) -> Result<Option<Outcome>, Interrupt> {
        if let Some(outcome) = self.game.generate(position, Stage::All, moves)? {
            return Ok(Some(outcome));
        }
        Ok(self.path.take_out_forbidden(moves))
    }

    fn store(&mut self, result: Finding, work: u64) {
        let step = *self.path.last();
        if result.path_dependent && result.numbers.is_decided() {
            self.statistics.path_dependent_results += 1;
            self.memory.put(step.signature ^ step.digest(), result.numbers, work);
        } else {
            self.memory.put(step.signature, result.numbers, work);
        }
    }

    fn work(
        &mut self,
        position: &G::Position,
        moves: &MoveList,
        limits: Numbers,
    ) -> Result<Finding, Interrupt> {
        let children = self.children(position, moves);
        loop {
            let summary = self.summarise(&children);
            let numbers = summary.result.numbers;
            if numbers.phi >= limits.phi || numbers.delta >= limits.delta {
                return Ok(summary.result);
            }
            let child = children[summary.best];
            let known = self.look_up(&child).numbers;
            let others = numbers.delta - known.phi.min(numbers.delta);
            // Stay a quarter longer than needed: going to and fro is dear.
            let patience = summary.second.saturating_add(summary.second / 4 + 1);
            let child_limits = Numbers {
                phi: limits.delta.saturating_sub(others).min(Numbers::INFINITE),
                delta: limits.phi.min(patience),
            };
            let played = moves.get(child.index);
            let mut after = position.clone();
            self.game.play(&mut after, played);
            self.path.push(played);
            self.memory.enter(child.key);
            let result = self.visit(&after, child_limits);
            self.memory.leave(child.key);
            self.path.pop();
            result?;
        }
    }

    fn children(&mut self, position: &G::Position, moves: &MoveList) -> Vec<Child> {
        let mover = self.game.mover(position);
        let wanted_by_opponent =
            |outcome: Outcome| self.claim.holds(outcome, mover) == self.claim.is_wanted_by(mover.opponent());
        let cycle = wanted_by_opponent(outcome_of_cycle(self.game.info().repetition.result));
        let mut children = Vec::with_capacity(moves.len());
        for (index, played) in moves.iter().enumerate() {
            let step = self.path.child(played);
            let fixed = if let Some(outcome) = played.head.outcome() {
                let numbers = Numbers::decided(wanted_by_opponent(outcome));
                Some(Finding { numbers, path_dependent: false })
            } else if self.path.repeats(played) {
                Some(Finding { numbers: Numbers::decided(cycle), path_dependent: true })
            } else {
                None
            };
            children.push(Child { index, key: step.signature, twin: step.signature ^ step.digest(), fixed });
        }
        children
    }

    fn look_up(&self, child: &Child) -> Finding {
        if let Some(fixed) = child.fixed {
            return fixed;
        }
        if child.twin != child.key
            && let Some(numbers) = self.memory.get(child.twin)
        {
            return Finding { numbers, path_dependent: true };
        }
        let numbers = self.memory.get(child.key).unwrap_or(Numbers::UNKNOWN);
        let numbers = self.memory.deterred(child.key, numbers);
        Finding { numbers, path_dependent: false }
    }

    /// The numbers of a node from those of its children: the mover needs one child that the opponent loses, the
    /// opponent needs all.
    fn summarise(&self, children: &[Child]) -> Summary {
        let mut summary = Summary {
            result: Finding { numbers: Numbers { phi: Numbers::INFINITE, delta: 0 }, path_dependent: false },
            best: 0,
            second: Numbers::INFINITE,
        };
        let (mut shown_freely, mut any_dependent) = (false, false);
        for (place, child) in children.iter().enumerate() {
            let Finding { numbers, path_dependent } = self.look_up(child);
            let total = &mut summary.result.numbers;
            total.delta = total.delta.saturating_add(numbers.phi).min(Numbers::INFINITE);
            if numbers.delta < total.phi {
                (summary.second, total.phi, summary.best) = (total.phi, numbers.delta, place);
            } else {
                summary.second = summary.second.min(numbers.delta);
            }
            shown_freely |= numbers.delta == 0 && !path_dependent;
            any_dependent |= path_dependent;
        }
        let numbers = summary.result.numbers;
        summary.result.path_dependent = match numbers {
            Numbers { phi: 0, .. } => !shown_freely,
            Numbers { delta: 0, .. } => any_dependent,
            _ => false,
        };
        if numbers.phi == 0 {
            summary.result.numbers = Numbers::SHOWN;
        } else if numbers.delta == 0 {
            summary.result.numbers = Numbers::REFUTED;
        }
        summary
    }

    /// The line of decided positions from the root on, as far as the table still has it.
    fn line(&mut self, root: &Root<G>) -> Result<Vec<Move>, Interrupt> {
        let mut line = Vec::new();
        let mut position = root.position.clone();
        let mut moves = MoveList::new();
        while line.len() < PLY_MAX && self.generate(&position, &mut moves)?.is_none() {
            let children = self.children(&position, &moves);
            let summary = self.summarise(&children);
            if !summary.result.numbers.is_decided() {
                break;
            }
            let child = children[summary.best];
            let played = moves.get(child.index);
            line.push(played.to_move());
            if child.fixed.is_some() {
                break;
            }
            self.game.play(&mut position, played);
            self.path.push(played);
        }
        Ok(line)
    }
}

struct Summary {
    result: Finding,
    /// The child that is nearest to being lost for the opponent.
    best: usize,
    /// How near the next one is.
    second: u32,
}
