//! The top of a searched tree, put together from the nodes that processors have left.

use std::collections::BTreeMap;

use game::notation::short_forms;
use game::{Colour, Game, MoveList, RuleFault, Signature, Stage};
use search::Depth;

use crate::timeline::SearchedNode;

/// A node of the tree, as it was left last.
#[derive(Clone, Debug)]
pub struct Tree {
    /// The move that leads to it; empty at the root.
    pub name: String,
    /// Who is to move.
    pub mover: Colour,
    /// The last visit.
    pub seen: SearchedNode,
    /// How many visits there were.
    pub visits: usize,
    /// The best ones first.
    pub sons: Vec<Tree>,
    /// Sons that are left out.
    pub hidden: usize,
}

/// A tree that grows while it is searched.
#[derive(Clone, Debug)]
pub struct Growth {
    /// So many nodes are remembered.
    most: usize,
    /// The iteration of the latest node.
    newest: Depth,
    seen: BTreeMap<Vec<Signature>, (SearchedNode, usize)>,
}

impl Growth {
    /// Nothing yet; at most so many nodes later.
    #[must_use]
    pub fn new(most: usize) -> Growth {
        Growth { most, newest: Depth(0), seen: BTreeMap::new() }
    }

    /// A node was left. Where there is no room, it takes that of nodes that the last two iterations have not visited.
    pub fn add(&mut self, node: SearchedNode) {
        self.newest = self.newest.max(node.portrait.root_depth);
        if let Some((old, visits)) = self.seen.get_mut(&node.portrait.path) {
            (*old, *visits) = (node, *visits + 1);
            return;
        }
        if self.seen.len() >= self.most {
            let newest = self.newest;
            self.seen.retain(|_, (node, _)| node.portrait.root_depth.0 >= newest.0 - 1);
        }
        if self.seen.len() < self.most {
            self.seen.insert(node.portrait.path.clone(), (node, 1));
        }
    }

    /// Forgets all nodes but those of the last iteration.
    pub fn keep_last_iteration(&mut self) {
        let newest = self.newest;
        self.seen.retain(|_, (node, _)| node.portrait.root_depth == newest);
    }

    /// The tree below this position, with at most so many sons of each node; `None` if the root has not been left yet.
    ///
    /// # Errors
    /// When the rules go wrong.
    pub fn tree<G: Game>(
        &self,
        game: &G,
        root: &G::Position,
        width: usize,
    ) -> Result<Option<Tree>, RuleFault> {
        let Some(seen) = self.seen.get(&Vec::new()) else { return Ok(None) };
        self.grown(game, root, String::new(), seen, width).map(Some)
    }

    fn grown<G: Game>(
        &self,
        game: &G,
        position: &G::Position,
        name: String,
        (seen, visits): &(SearchedNode, usize),
        width: usize,
    ) -> Result<Tree, RuleFault> {
        let mut sons = self.sons(&seen.portrait.path);
        // The best ones first: those in which the mover of the son is worst off.
        sons.sort_by_key(|(node, _)| (node.portrait.score, node.at));
        let mut tree = Tree {
            name,
            mover: game.mover(position),
            seen: seen.clone(),
            visits: *visits,
            sons: Vec::new(),
            hidden: sons.len().saturating_sub(width),
        };
        if sons.is_empty() {
            return Ok(tree);
        }
        let mut moves = MoveList::new();
        game.generate(position, Stage::All, &mut moves)?;
        let names = short_forms(game.info(), &game.unpack(position), &moves);
        let children: Vec<(Signature, G::Position)> = (0..moves.len())
            .map(|index| {
                let mut child = position.clone();
                game.play(&mut child, moves.get(index));
                (game.signature(&child), child)
            })
            .collect();
        for son in sons.into_iter().take(width) {
            let own = son.0.portrait.path.last();
            let found = children.iter().zip(&names).find(|((signature, _), _)| Some(signature) == own);
            // A null move leads where no move does.
            let Some(((_, child), name)) = found else { continue };
            tree.sons.push(self.grown(game, child, name.clone(), son, width)?);
        }
        Ok(tree)
    }

    fn sons(&self, path: &[Signature]) -> Vec<&(SearchedNode, usize)> {
        let below = self.seen.range(path.to_vec()..).take_while(|(other, _)| other.starts_with(path));
        below.filter(|(other, _)| other.len() == path.len() + 1).map(|(_, node)| node).collect()
    }
}

impl Tree {
    /// How many nodes it has.
    #[must_use]
    pub fn count(&self) -> usize {
        1 + self.sons.iter().map(Tree::count).sum::<usize>()
    }

    /// How many of them have no sons.
    #[must_use]
    pub fn leaves(&self) -> usize {
        self.sons.iter().map(Tree::leaves).sum::<usize>().max(1)
    }

    /// How many plies it has, with the root.
    #[must_use]
    pub fn plies(&self) -> usize {
        1 + self.sons.iter().map(Tree::plies).max().unwrap_or(0)
    }

    /// Whether the node was cut: its mover has something too good to be allowed.
    #[must_use]
    pub fn is_cut(&self) -> bool {
        self.seen.portrait.score >= self.seen.portrait.window.beta
    }
}
