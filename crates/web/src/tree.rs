//! What the last search remembers, as a tree: the positions that the table knows, with what it knows of them. Cut-off
//! moves are not in it, which is the point of looking.

use game::{Colour, Game, MoveList, RuleFault, Stage};
use protocol::{Session, san};
use search::Score;
use serde_json::{Value, json};
use table::{Bound, Table};

use crate::jobs::score_for_white;

/// Nodes of a tree that is sent.
const NODES_MAX: usize = 3_000;
const DEPTH_MAX: usize = 8;

/// The tree below the session's position.
pub(crate) fn tree<G: Game>(session: &Session<'_, G>, depth: usize) -> Result<Value, RuleFault> {
    let mut walk = Walk { session, left: NODES_MAX };
    let position = session.record().position().clone();
    let children = walk.below(&position, 0, depth.clamp(1, DEPTH_MAX))?;
    let entry = session.table().probe(session.game().signature(&position));
    Ok(json!({ "name": "", "depth": entry.map(|entry| entry.depth), "below": children }))
}

struct Walk<'walk, 'game, G: Game> {
    session: &'walk Session<'game, G>,
    left: usize,
}

impl<G: Game> Walk<'_, '_, G> {
    fn below(&mut self, position: &G::Position, ply: usize, depth: usize) -> Result<Vec<Value>, RuleFault> {
        let game = self.session.game();
        let mut legal = MoveList::new();
        if depth == 0 || game.generate(position, Stage::All, &mut legal)?.is_some() {
            return Ok(Vec::new());
        }
        let plain = game.unpack(position);
        let mut known = Vec::new();
        for index in 0..legal.len() {
            let mut next = position.clone();
            game.play(&mut next, legal.get(index));
            if let Some(entry) = self.session.table().probe(game.signature(&next)) {
                known.push((index, next, entry));
            }
        }
        known.sort_by_key(|(_, _, entry)| std::cmp::Reverse(entry.depth));
        let mut nodes = Vec::new();
        for (index, next, entry) in known {
            if self.left == 0 {
                break;
            }
            self.left -= 1;
            let score = Score::from_stored(entry.score, ply + 1);
            let white = game.mover(&next) == Colour::White;
            let bound = match (entry.bound, white) {
                (Bound::Exact, _) => "exact",
                (Bound::Lower, true) | (Bound::Upper, false) => "lower",
                _ => "upper",
            };
            let name = san::without_suffix(game.info(), &plain, &legal, legal.get(index));
            let below = self.below(&next, ply + 1, depth - 1)?;
            nodes.push(json!({
                "name": name,
                "depth": entry.depth,
                "bound": bound,
                "score": score_for_white(if white { score } else { -score }),
                "below": below,
            }));
        }
        Ok(nodes)
    }
}
