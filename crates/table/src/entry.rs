//! What a table remembers of a position.

use game::Signature;

/// What a stored score says about the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// The true score is this one.
    Exact,
    /// The true score is this one or more.
    Lower,
    /// The true score is this one or less.
    Upper,
}

impl Bound {
    /// Which bound a score is that came out of a search with this window.
    #[must_use]
    #[inline]
    pub fn of(score: i32, alpha: i32, beta: i32) -> Bound {
        if score >= beta {
            Bound::Lower
        } else if score <= alpha {
            Bound::Upper
        } else {
            Bound::Exact
        }
    }
}

/// A move, known by 24 bits of its signature difference. Enough to find it again among the legal moves of its
/// position; two moves that share them are confused, which costs time and never correctness.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct MoveTag(u32);

impl MoveTag {
    /// Bits of a tag.
    pub const BITS: u32 = 24;
    const MASK: u32 = (1 << MoveTag::BITS) - 1;

    /// The tag of a move with this signature difference. Never zero: zero in a table is "no move".
    #[must_use]
    #[inline]
    pub fn of(difference: Signature) -> MoveTag {
        MoveTag(((difference.0 >> 20) as u32 & MoveTag::MASK).max(1))
    }

    /// The tag as a number, 0 for none.
    #[must_use]
    pub fn to_bits(tag: Option<MoveTag>) -> u32 {
        tag.map_or(0, |tag| tag.0)
    }

    /// The tag that a number stands for.
    #[must_use]
    pub fn from_bits(bits: u32) -> Option<MoveTag> {
        let bits = bits & MoveTag::MASK;
        (bits != 0).then_some(MoveTag(bits))
    }
}

/// What is known of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The score, seen from the mover; distances count from this position.
    pub score: i32,
    /// What the score says.
    pub bound: Bound,
    /// Plies that were searched below the position.
    pub depth: u8,
    /// The best move, or the one that refuted.
    pub best: Option<MoveTag>,
    /// The binary logarithm of the nodes that were spent below the position.
    pub effort: u8,
    /// The search that wrote it; the table fills it in.
    pub generation: u8,
}

impl Entry {
    /// Generations are counted modulo this.
    pub const GENERATIONS: u8 = 64;
    /// Greater efforts are stored as this one.
    pub const EFFORT_MAX: u8 = 63;

    /// The entry as it travels; its generation is that of the table that stores it.
    #[must_use]
    pub fn to_words(&self) -> [u64; 2] {
        let bound = match self.bound {
            Bound::Exact => 0,
            Bound::Lower => 1,
            Bound::Upper => 2,
        };
        let best = u64::from(MoveTag::to_bits(self.best));
        [
            u64::from(self.score as u32) | best << 32 | u64::from(self.depth) << 56,
            bound | u64::from(self.effort) << 8,
        ]
    }

    /// The entry that such words stand for.
    #[must_use]
    pub fn from_words([content, marks]: [u64; 2]) -> Entry {
        Entry {
            score: content as u32 as i32,
            best: MoveTag::from_bits((content >> 32) as u32),
            depth: (content >> 56) as u8,
            bound: match marks & 3 {
                0 => Bound::Exact,
                1 => Bound::Lower,
                _ => Bound::Upper,
            },
            effort: ((marks >> 8) as u8).min(Entry::EFFORT_MAX),
            generation: 0,
        }
    }

    /// How many searches ago the entry was written.
    #[must_use]
    pub fn age(&self, generation: u8) -> u8 {
        generation.wrapping_sub(self.generation) % Entry::GENERATIONS
    }

    /// The effort of a number of nodes.
    #[must_use]
    pub fn effort_of(nodes: u64) -> u8 {
        (64 - nodes.leading_zeros()).min(u32::from(Entry::EFFORT_MAX)) as u8
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_travels_whole() {
        for (bound, best) in
            [(Bound::Exact, None), (Bound::Lower, MoveTag::from_bits(77)), (Bound::Upper, None)]
        {
            let entry = Entry { score: -1234, bound, depth: 250, best, effort: 63, generation: 0 };
            assert_eq!(Entry::from_words(entry.to_words()), entry);
        }
    }
}
