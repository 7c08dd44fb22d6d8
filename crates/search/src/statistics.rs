//! What each module counted.

use std::ops::AddAssign;

macro_rules! counters {
    ($($(#[doc = $doc:literal])+ $name:ident,)+) => {
        /// Counts of one search, by module. The caller of several searches adds them up.
        #[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
        pub struct Statistics {
            $($(#[doc = $doc])+ pub $name: u64,)+
            /// What happened at the transposition table.
            pub table: table::Counters,
        }

        impl Statistics {
            /// All counts with their names, for printing.
            #[must_use]
            pub fn rows(&self) -> Vec<(&'static str, u64)> {
                let mut rows = vec![$((stringify!($name), self.$name)),+];
                rows.extend([
                    ("table_probes", self.table.probes),
                    ("table_exact", self.table.exact),
                    ("table_lower", self.table.lower),
                    ("table_upper", self.table.upper),
                    ("table_fresh", self.table.fresh),
                    ("table_updated", self.table.updated),
                    ("table_replaced", self.table.replaced),
                    ("table_dropped", self.table.dropped),
                ]);
                rows
            }

            /// All counts in the order of [`Statistics::rows`], to be changed; processes send each other theirs.
            pub fn numbers_mut(&mut self) -> Vec<&mut u64> {
                let table = &mut self.table;
                let mut numbers = vec![$(&mut self.$name),+];
                numbers.extend([
                    &mut table.probes,
                    &mut table.exact,
                    &mut table.lower,
                    &mut table.upper,
                    &mut table.fresh,
                    &mut table.updated,
                    &mut table.replaced,
                    &mut table.dropped,
                ]);
                numbers
            }
        }

        impl AddAssign for Statistics {
            fn add_assign(&mut self, other: Statistics) {
                $(self.$name += other.$name;)+
                self.table += other.table;
            }
        }
    };
}

counters! {
    /// Nodes of any kind.
    nodes,
    /// Nodes behind the horizon.
    quiescence_nodes,
    /// Positions whose worth was estimated.
    evaluations,
    /// Positions whose moves were generated.
    generations,
    /// Positions of which quiet moves were left out that are not tried.
    partial_generations,
    /// Fields that were asked about: can the piece there be taken?
    looks,
    /// Nodes that were not searched further because a move was good enough.
    cutoffs,
    /// Cutoffs by the first move that was tried.
    cutoffs_first,
    /// Cutoffs by the table's move, for which nothing was generated.
    cutoffs_alone,
    /// Nodes that the table answered.
    table_cutoffs,
    /// Nodes that were answered by the table entry of a child.
    transposition_cutoffs,
    /// Nodes that repeat an earlier position.
    repetitions,
    /// Null moves that were tried.
    null_moves,
    /// Null moves that were good enough.
    null_move_cutoffs,
    /// Null moves that a search without them did not confirm.
    null_move_refuted,
    /// Nodes where a capture was good enough by far after a shallow search.
    probable_cutoffs,
    /// Nodes searched less deep because the mover stands too well.
    fail_high_reductions,
    /// Moves searched less deep because they come late.
    late_move_reductions,
    /// Of those, moves that had to be searched again.
    late_move_researches,
    /// Null-window searches that had to be repeated with an open window.
    scout_researches,
    /// Moves that were skipped near the horizon.
    futile_moves,
    /// Nodes that were far enough above beta near the horizon.
    reverse_futility_cutoffs,
    /// Nodes with one legal move, searched deeper.
    forced_extensions,
    /// Moves that threaten a piece that is never captured, searched deeper.
    threat_extensions,
    /// Forcing moves behind the horizon that win too little.
    small_gains,
    /// Forcing moves behind the horizon that lose their piece.
    losing_exchanges,
    /// Moves much better than all others, searched deeper.
    singular_extensions,
    /// Nodes searched less deep because no good first move was known.
    internal_iterative_reductions,
    /// Iterations that came out at or below their window.
    aspiration_failed_low,
    /// Iterations that came out at or above their window.
    aspiration_failed_high,
    /// Null-window passes of MTD(f), SSS* and DUAL*.
    passes,
    /// Random games to the end, or to their limit.
    playouts,
    /// Plies of random games.
    playout_plies,
    /// Nodes of a Monte Carlo tree whose outcome is proven.
    proven_nodes,
    /// Proofs or disproofs that hold only on the path where they were found.
    path_dependent_results,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_in_the_order_of_their_names() {
        let mut statistics = Statistics::default();
        (1..).zip(statistics.numbers_mut()).for_each(|(place, number)| *number = place);
        assert!(statistics.rows().iter().map(|(_, count)| *count).eq(1..=statistics.rows().len() as u64));
        assert_eq!(
            (statistics.nodes, statistics.rows().last()),
            (1, Some(&("table_dropped", statistics.table.dropped)))
        );
    }
}
