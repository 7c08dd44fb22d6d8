//! One player: iterative deepening to the nearest solution, cut by the rules' own lower bound if there is one.

use game::record::Record;
use game::{Game, MoveList, Outcome, RuleFault, Signature, Stage};

use super::{Clock, DEPTH_MAX, Halt, Thought};

pub(super) fn choose<G: Game>(
    record: &Record<'_, G>,
    depth: Option<u32>,
    clock: Clock,
    random: &mut fastrand::Rng,
) -> Result<Thought, RuleFault> {
    let mut search = Search { game: record.game(), clock };
    let here = record.position();
    let bound = search.lower_bound(here)?;
    let mut reached = 0;
    for depth in bound.max(1)..=depth.unwrap_or(DEPTH_MAX) {
        let mut position = here.clone();
        match search.solve(&mut position, depth, None) {
            Ok(Some(index)) => {
                let best = record.legal().get(index).to_move();
                let expectation = format!("solved in {depth} moves");
                return Ok(Thought { best, expectation, depth, nodes: search.clock.nodes });
            }
            Ok(None) => reached = depth,
            Err(Halt::Time) => break,
            Err(Halt::Fault(fault)) => return Err(fault),
        }
    }
    let best = nearest(record, random)?;
    let expectation = "no solution found in time".to_owned();
    Ok(Thought { best, expectation, depth: reached, nodes: search.clock.nodes })
}

/// The move that looks nearest to a solution.
fn nearest<G: Game>(record: &Record<'_, G>, random: &mut fastrand::Rng) -> Result<game::Move, RuleFault> {
    let (game, legal) = (record.game(), record.legal());
    let mut order: Vec<usize> = (0..legal.len()).collect();
    random.shuffle(&mut order);
    let mut best = (i32::MAX, order[0]);
    let mut position = record.position().clone();
    for index in order {
        game.play(&mut position, legal.get(index));
        let bound = game.evaluate(&position)?;
        game.take_back(&mut position, legal.get(index));
        best = best.min((bound, index));
    }
    Ok(legal.get(best.1).to_move())
}

struct Search<'game, G> {
    game: &'game G,
    clock: Clock,
}

impl<G: Game> Search<'_, G> {
    fn lower_bound(&self, position: &G::Position) -> Result<u32, RuleFault> {
        Ok(self.game.evaluate(position)?.max(0) as u32)
    }

    /// The first move of a solution with this many moves.
    fn solve(
        &mut self,
        position: &mut G::Position,
        depth: u32,
        before: Option<Signature>,
    ) -> Result<Option<usize>, Halt> {
        self.clock.tick()?;
        let mut moves = MoveList::new();
        if self.game.generate(position, Stage::All, &mut moves)?.is_some() {
            return Ok(None);
        }
        let here = self.game.signature(position);
        for index in 0..moves.len() {
            let played = moves.get(index);
            if played.head.outcome() == Some(Outcome::Win) {
                return Ok(Some(index));
            }
            // Going back at once never helps.
            let goes_back = before == Some(here ^ played.head.signature_difference);
            if depth <= 1 || goes_back || played.head.outcome().is_some() {
                continue;
            }
            self.game.play(position, played);
            let found = self.lower_bound(position)? < depth && {
                self.solve(position, depth - 1, Some(here))?.is_some()
            };
            self.game.take_back(position, played);
            if found {
                return Ok(Some(index));
            }
        }
        Ok(None)
    }
}
