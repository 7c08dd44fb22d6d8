//! Checking a table against the moves: 0 where the pattern is solved and nowhere else, and from everywhere else a move of the pattern's pieces
//! to a way to lie that needs less. Where there is but one mode, no move changes what is needed by more than one.

use game::motion::Motion;

use crate::Table;
use crate::build::Bases;
use crate::index::PIECES_MAX;

/// What is wrong with a table.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Flaw {
    /// The solved pattern needs something, or another one nothing.
    #[error("entry {0} is {1} where it must{2} be 0")]
    Zero(usize, u32, &'static str),
    /// No move comes nearer.
    #[error("entry {0} is {1}, and no move leads to less")]
    Stuck(usize, u32),
    /// A move changes too much.
    #[error("a move leads from {1} to {2} at entry {0}")]
    Jump(usize, u32, u32),
}

/// What a verification has seen.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Seen {
    /// Entries.
    pub entries: usize,
    /// Moves between them.
    pub edges: u64,
    /// Entries whose four bits say their most: they may be more.
    pub full: usize,
    /// The greatest number of moves.
    pub greatest: u32,
}

/// Looks at every entry and every move.
///
/// # Errors
/// The first thing that is wrong.
pub fn verify(motion: &Motion, table: &Table, adds: bool) -> Result<Seen, Flaw> {
    let (pattern, index) = (&table.pattern, table.pattern.index(motion));
    let kind = &motion.kinds[pattern.kind];
    let bases = Bases::new(motion, pattern, adds);
    let lie = |site: u8| kind.lies[usize::from(site)].unwrap_or((0, 0));
    let goal = index.rank(pattern.pieces.iter().map(|&piece| lie(motion.goal.at[piece])));
    let count = pattern.pieces.len();
    let mut lies = [(0, 0); PIECES_MAX];
    let mut seen = Seen::default();
    let value = |entry: usize, sites: &[u8]| bases.of(sites) + u32::from(table.entry(entry)) * table.step;
    for entry in 0..pattern.size(motion) {
        index.unrank(entry, &mut lies);
        let sites: Vec<u8> =
            lies[..count].iter().map(|lie| kind.places[usize::from(lie.0)][usize::from(lie.1)]).collect();
        let own = value(entry, &sites);
        seen.entries += 1;
        seen.greatest = seen.greatest.max(own);
        if (own == 0) != (entry == goal) {
            return Err(Flaw::Zero(entry, own, if entry == goal { "" } else { " not" }));
        }
        let is_full = table.entry(entry) == 15;
        seen.full += usize::from(is_full);
        let mut comes_nearer = entry == goal || is_full;
        let occupied = sites.iter().fold(0_u64, |set, &site| set | 1 << site);
        for (mode, operators) in motion.modes.iter().enumerate() {
            // In this mode the pieces must lie where pieces are.
            if occupied & !motion.holds[mode] != 0 {
                continue;
            }
            for operator in operators {
                let after: Vec<u8> = sites.iter().map(|&site| operator.map[usize::from(site)]).collect();
                if after == sites {
                    continue;
                }
                seen.edges += 1;
                let next = index.rank(after.iter().map(|&site| lie(site)));
                let other = value(next, &after);
                comes_nearer |= other < own;
                let full = is_full || table.entry(next) == 15;
                if motion.modes.len() == 1 && own.abs_diff(other) > 1 && !full {
                    return Err(Flaw::Jump(entry, own, other));
                }
            }
        }
        if !comes_nearer {
            return Err(Flaw::Stuck(entry, own));
        }
    }
    Ok(seen)
}
