//! Two players: alpha-beta with iterative deepening, captures and other forcing moves followed a little further.

use game::history::{History, RepetitionResult};
use game::record::Record;
use game::{Game, MoveList, Outcome, RuleFault, Stage};

use super::{Clock, DEPTH_MAX, Halt, Thought};

/// The value of a win in this position; wins further away are worth a little less.
const WIN: i32 = 1_000_000_000;
/// Everything beyond this is a certain win or loss.
const CERTAIN: i32 = WIN / 2;
/// Evaluations stay within this.
const EVALUATION_MAX: i32 = 100_000_000;
/// A final score of one point is worth so much.
const POINT: i32 = 1_000;
/// What one legal move more is worth beside the rules' own evaluation, whose unit is worth [`UNIT`].
const MOBILITY: i32 = 1;
const UNIT: i32 = 10;
/// Forcing moves are followed so far beyond the depth.
const FORCING_PLIES: u32 = 4;

pub(super) fn choose<G: Game>(
    record: &Record<'_, G>,
    depth: Option<u32>,
    clock: Clock,
    random: &mut fastrand::Rng,
) -> Result<Thought, RuleFault> {
    let game = record.game();
    let mut search = Search { game, history: record.history().clone(), clock, ply: 0 };
    let legal = record.legal();
    let mut order: Vec<usize> = (0..legal.len()).collect();
    // Moves of equal value are chosen by chance: no two games need be the same.
    random.shuffle(&mut order);
    order.sort_by_key(|&index| !legal.get(index).head.forcing());
    let mut position = record.position().clone();
    let (mut best, mut best_value, mut reached) = (order[0], 0, 0);
    let mut nodes_before = 0;
    for depth in 1..=depth.unwrap_or(DEPTH_MAX) {
        let nodes_at_start = search.clock.nodes;
        let mut alpha = -WIN - 1;
        let mut leader = None;
        let mut finished = true;
        for &index in &order {
            let value = search.value_of_move(&mut position, legal, index, depth, (alpha, WIN + 1), 0);
            match value {
                Ok(value) if value > alpha => {
                    alpha = value;
                    leader = Some(index);
                }
                Ok(_) => {}
                Err(Halt::Fault(fault)) => return Err(fault),
                Err(Halt::Time) => {
                    finished = false;
                    break;
                }
            }
        }
        // The best move of the last depth is looked at first, so even an unfinished depth can only improve it.
        if let Some(leader) = leader {
            (best, best_value, reached) = (leader, alpha, depth);
            order.retain(|&index| index != leader);
            order.insert(0, leader);
        }
        if !finished || best_value.abs() > CERTAIN || order.len() == 1 {
            break;
        }
        // A depth that took no more nodes than the one before has seen the end of every line.
        let nodes = search.clock.nodes - nodes_at_start;
        if nodes == std::mem::replace(&mut nodes_before, nodes) {
            break;
        }
        // Time may run out while a move is being tried; start the next depth from a fresh position.
        position = record.position().clone();
    }
    let expectation = in_words(best_value);
    let best = legal.get(best).to_move();
    Ok(Thought { best, expectation, depth: reached, nodes: search.clock.nodes })
}

fn in_words(value: i32) -> String {
    let plies = WIN - value.abs();
    match value {
        _ if value > CERTAIN && plies < 1_000 => format!("wins in {plies} plies"),
        _ if value < -CERTAIN && plies < 1_000 => format!("loses in {plies} plies"),
        _ => format!("{:+.1}", f64::from(value) / f64::from(UNIT)),
    }
}

struct Search<'game, G> {
    game: &'game G,
    history: History,
    clock: Clock,
    ply: i32,
}

impl<G: Game> Search<'_, G> {
    /// The value of a move for the player who makes it. The position is as before unless time runs out.
    fn value_of_move(
        &mut self,
        position: &mut G::Position,
        moves: &MoveList,
        index: usize,
        depth: u32,
        (alpha, beta): (i32, i32),
        forcing_plies: u32,
    ) -> Result<i32, Halt> {
        self.clock.tick()?;
        let played = moves.get(index);
        self.ply += 1;
        let value = if let Some(outcome) = played.head.outcome() {
            self.outcome(outcome)
        } else {
            self.game.play(position, played);
            self.history.push(self.game.signature(position), played.head.irreversible());
            let value = match self.repetition() {
                Some(outcome) => self.outcome(outcome),
                None => {
                    let replies = moves.len() as i32;
                    -self.value(position, depth - 1, (-beta, -alpha), forcing_plies, replies)?
                }
            };
            self.history.pop();
            self.game.take_back(position, played);
            value
        };
        self.ply -= 1;
        Ok(value)
    }

    /// The value of a position for its mover. The other player had `others` moves before.
    fn value(
        &mut self,
        position: &mut G::Position,
        depth: u32,
        (mut alpha, beta): (i32, i32),
        forcing_plies: u32,
        others: i32,
    ) -> Result<i32, Halt> {
        let mut moves = MoveList::new();
        if let Some(outcome) = self.game.generate(position, Stage::All, &mut moves)? {
            return Ok(self.outcome(outcome));
        }
        let mut order: Vec<usize> = (0..moves.len()).collect();
        let mut best = -WIN;
        let (mut next_depth, mut next_forcing) = (depth, forcing_plies);
        if depth == 0 {
            let evaluation = self.game.evaluate(position)?.saturating_mul(UNIT);
            let mobility = (moves.len() as i32 - others) * MOBILITY;
            let quiet = evaluation.clamp(-EVALUATION_MAX, EVALUATION_MAX) + mobility;
            order.retain(|&index| moves.get(index).head.forcing());
            if forcing_plies >= FORCING_PLIES || order.is_empty() {
                return Ok(quiet);
            }
            // Who has a quiet move need not go on; who must capture must.
            if order.len() < moves.len() {
                best = quiet;
                alpha = alpha.max(quiet);
            }
            (next_depth, next_forcing) = (1, forcing_plies + 1);
        }
        order.sort_by_key(|&index| {
            let head = moves.get(index).head;
            (head.outcome().map_or(0, |outcome| -outcome.sign()), !head.forcing())
        });
        for index in order {
            if alpha >= beta {
                break;
            }
            let value =
                self.value_of_move(position, &moves, index, next_depth, (alpha, beta), next_forcing)?;
            best = best.max(value);
            alpha = alpha.max(value);
        }
        Ok(best)
    }

    fn outcome(&self, outcome: Outcome) -> i32 {
        match outcome {
            Outcome::Win => WIN - self.ply,
            Outcome::Draw => 0,
            Outcome::Loss => self.ply - WIN,
            Outcome::Score(score) => {
                let points = score.saturating_abs().min(100_000) * POINT;
                score.signum() * (WIN - 2 * EVALUATION_MAX + points - self.ply)
            }
        }
    }

    /// What the newest position means for the player who brought it about, if it has occurred too often. Once
    /// is enough within a search: who can repeat can do so again.
    fn repetition(&self) -> Option<Outcome> {
        let rule = self.game.info().repetition;
        if self.history.occurrences() < rule.occurrences.min(2) {
            return None;
        }
        match rule.result {
            RepetitionResult::Draw => Some(Outcome::Draw),
            RepetitionResult::Loss | RepetitionResult::Forbidden => Some(Outcome::Loss),
            RepetitionResult::Win => Some(Outcome::Win),
            RepetitionResult::Ignored => None,
        }
    }
}
