//! A search as a tree. While it runs its nodes are seen with their windows, and where they were cut. Where nodes are
//! not seen, there are still the positions that the table knows, with what it knows of them.

use game::{Colour, Game, MoveList, RuleFault, Stage};
use parallel::tree::Tree;
use protocol::{Session, san};
use search::line::NodeKind;
use search::{Score, Window};
use serde_json::{Value, json};
use table::{Bound, Table};

use crate::jobs::score_for_white;

/// Nodes of a tree that is sent.
const NODES_MAX: usize = 3_000;
const DEPTH_MAX: usize = 8;

/// Plies and nodes of a search that are seen, and sons of each that are shown.
pub(crate) const PLIES_SEEN: usize = 4;
pub(crate) const NODES_SEEN_MAX: usize = 20_000;
pub(crate) const SONS_MAX: usize = 60;

/// A tree of nodes as front ends get it.
pub(crate) fn told(tree: &Tree) -> Value {
    let mut left = NODES_MAX;
    told_within(tree, &mut left)
}

fn told_within(tree: &Tree, left: &mut usize) -> Value {
    let portrait = &tree.seen.portrait;
    let white = tree.mover == Colour::White;
    let Window { alpha, beta } = portrait.window;
    let limit = |score: Score| {
        let is_open = score >= Score::INFINITE || score <= Score::MINUS_INFINITE;
        (!is_open).then(|| score_for_white(if white { score } else { -score }))
    };
    let bound = match portrait.score {
        score if score >= beta => Bound::Lower,
        score if score <= alpha => Bound::Upper,
        _ => Bound::Exact,
    };
    let kind = match portrait.kind {
        NodeKind::Principal => "principal",
        NodeKind::Cut => "cut",
        NodeKind::All => "all",
    };
    let mut below = Vec::new();
    for son in &tree.sons {
        if *left == 0 {
            break;
        }
        *left -= 1;
        below.push(told_within(son, left));
    }
    json!({
        "name": tree.name,
        "depth": portrait.depth.0,
        "bound": for_white(bound, white),
        "score": score_for_white(if white { portrait.score } else { -portrait.score }),
        "window": if white { [limit(alpha), limit(beta)] } else { [limit(beta), limit(alpha)] },
        "kind": kind,
        "cut": tree.is_cut(),
        "searched": portrait.searched,
        "moves": portrait.moves,
        "visits": tree.visits,
        "processor": tree.seen.processor.0,
        "below": below,
    })
}

/// What a bound of the mover's is for white.
fn for_white(bound: Bound, white: bool) -> &'static str {
    match (bound, white) {
        (Bound::Exact, _) => "exact",
        (Bound::Lower, true) | (Bound::Upper, false) => "lower",
        _ => "upper",
    }
}

/// What the table remembers below the session's position.
pub(crate) fn remembered<G: Game>(session: &Session<'_, G>, depth: usize) -> Result<Value, RuleFault> {
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
            let played = legal.get(index);
            let name = san::without_suffix(game.info(), &plain, &legal, played)
                .unwrap_or_else(|| game::notation::long_form(game.info(), played));
            let below = self.below(&next, ply + 1, depth - 1)?;
            nodes.push(json!({
                "name": name,
                "depth": entry.depth,
                "bound": for_white(entry.bound, white),
                "score": score_for_white(if white { score } else { -score }),
                "below": below,
            }));
        }
        Ok(nodes)
    }
}
