//! Names that the rules themselves give to moves.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::moves::{Move, MoveList};
use crate::position::Position;

/// What knows how the rules call moves.
pub trait Namer: Send + Sync {
    /// The moves of a position that the rules give a name, with that name. A move may occur several times with
    /// different names: the first is its own, the others are understood.
    fn names(&self, position: &Position) -> Vec<(Move, String)>;
}

/// The names that the rules of a game give to moves, if they give any.
#[derive(Clone, Default)]
pub struct GivenNames(Option<Arc<dyn Namer>>);

impl GivenNames {
    /// Names that come from here.
    #[must_use]
    pub fn new(namer: impl Namer + 'static) -> GivenNames {
        GivenNames(Some(Arc::new(namer)))
    }

    /// The names of each move of a list; none for moves that the rules do not name.
    pub(super) fn of(&self, position: &Position, moves: &MoveList) -> Vec<Vec<String>> {
        let mut names = vec![Vec::new(); moves.len()];
        let Some(namer) = &self.0 else { return names };
        let mut places: FxHashMap<u64, Vec<usize>> = FxHashMap::default();
        for (index, played) in moves.iter().enumerate() {
            places.entry(played.head.signature_difference.0).or_default().push(index);
        }
        for (named, name) in namer.names(position) {
            let places = places.get(&named.view().head.signature_difference.0);
            let same = |&&index: &&usize| moves.get(index).same_as(named.view());
            if let Some(&index) = places.and_then(|places| places.iter().find(same))
                && !names[index].contains(&name)
            {
                names[index].push(name);
            }
        }
        names
    }
}

/// Names are no part of what a game is: descriptions of the same board and pieces are equal.
impl PartialEq for GivenNames {
    fn eq(&self, _: &GivenNames) -> bool {
        true
    }
}

impl std::fmt::Debug for GivenNames {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(if self.0.is_some() { "given" } else { "none" })
    }
}
