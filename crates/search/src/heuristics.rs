//! Which enhancements a search uses: one value, read by the functions that it switches.

/// Declares a switch per line, with its name as text and whether it is exact: never changes a score.
macro_rules! switches {
    ($($(#[doc = $doc:literal])+ $name:ident $exact:ident $default:literal;)+) => {
        /// The switches of the full-width engines.
        ///
        /// An *exact* switch changes how long a search takes, never its score; the others trade truth for depth.
        /// If unsure, take [`Heuristics::default`]; to compare engines, [`Heuristics::exact`].
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub struct Heuristics {
            $($(#[doc = $doc])+ pub $name: bool,)+
        }

        impl Heuristics {
            /// The names of all switches.
            pub const NAMES: &'static [&'static str] = &[$(stringify!($name)),+];

            /// The names of the switches that never change a score.
            #[must_use]
            pub fn exact_names() -> Vec<&'static str> {
                [$((stringify!($name), stringify!($exact))),+]
                    .into_iter()
                    .filter_map(|(name, kind)| (kind == "exact").then_some(name))
                    .collect()
            }

            /// Everything off: plain alpha-beta.
            #[must_use]
            pub const fn none() -> Heuristics {
                Heuristics { $($name: false),+ }
            }

            /// The value of the switch with this name.
            #[must_use]
            pub fn get(&self, name: &str) -> Option<bool> {
                match name {
                    $(stringify!($name) => Some(self.$name),)+
                    _ => None,
                }
            }

            /// Turns the switch with this name on or off; false when there is none.
            pub fn set(&mut self, name: &str, on: bool) -> bool {
                match name {
                    $(stringify!($name) => self.$name = on,)+
                    _ => return false,
                }
                true
            }
        }

        impl Default for Heuristics {
            /// What plays best in most games.
            fn default() -> Heuristics {
                Heuristics { $($name: $default),+ }
            }
        }
    };
}

switches! {
    /// Use the transposition table.
    table exact true;
    /// Accept only table scores of exactly the depth that is needed, so that results do not depend on what
    /// the table happens to hold.
    equal_depth exact false;
    /// Where the rules count repetitions: let the table tell apart the ways to a position as soon as the way
    /// could matter. Without it, scores near repetitions depend on the order of search.
    path_safe exact false;
    /// Look all children up before searching the first (enhanced transposition cutoffs).
    transposition_cutoffs exact true;
    /// Search iterations in a window around the last score.
    aspiration exact true;
    /// Generate moves in stages: the table's move alone first, and quiet moves only where they may be tried.
    stages selective true;
    /// Order captures and marked moves by what they win.
    captures_first exact true;
    /// Order moves by how often they were good, known by their signature difference.
    history exact true;
    /// Try the moves first that refuted brothers.
    killers exact true;
    /// Try the move first that refuted the last move elsewhere.
    countermoves exact true;
    /// Order moves by how often they were good after the same last move.
    continuations exact true;
    /// Order captures and marked moves also by how often they were good.
    capture_history exact false;
    /// Do not look for wins that take longer than one already found.
    distance_pruning exact true;
    /// Go on with forcing moves behind the horizon. Changes the leaves, for all engines alike.
    quiescence leaves true;
    /// Do not ask for outcomes at leaves that are good enough anyway.
    lazy_leaves selective true;
    /// Take the second occurrence of a position for the last, if both are in the tree.
    early_repetition selective true;
    /// See whether passing is good enough. Only in games with a piece that is never captured: elsewhere it often
    /// helps to have no move.
    null_move selective true;
    /// Believe a null move only if a shallow search without it agrees.
    null_move_verification selective true;
    /// Pass only where a piece that may be lost has a move that can be taken back: who has none is often in zugzwang.
    zugzwang_guard selective true;
    /// Correct estimates by what searches of like positions have found.
    corrections selective true;
    /// Believe that a capture is good enough if it is by far after a shallow search (ProbCut).
    probable_cutoffs selective true;
    /// Search late captures less deep too.
    capture_reductions selective true;
    /// Search a ply less where the mover stands better than beta (Feldmann's FhrNegascout).
    fail_high_reductions selective false;
    /// Search late quiet moves less deep, and again if they turn out well.
    late_move_reductions selective true;
    /// Where the table knows a score, however shallow, take it for the estimate.
    sharper_estimates selective true;
    /// Near the horizon, skip moves that cannot reach alpha, and captures that lose their piece.
    futility selective true;
    /// Near the horizon, believe in positions far above beta.
    reverse_futility selective true;
    /// Search a ply deeper where there is one legal move.
    forced_extensions selective true;
    /// Search a ply deeper where a piece is threatened that is never captured (check).
    threat_extensions selective true;
    /// Behind the horizon, skip forcing moves that win too little to reach alpha.
    small_gains selective true;
    /// Behind the horizon, use the transposition table too.
    table_leaves selective true;
    /// Behind the horizon, try all moves where a piece is threatened that is never captured.
    threat_leaves selective true;
    /// Try moves late, and behind the horizon not at all, that put a piece where it is lost for less.
    exchanges selective true;
    /// Near the horizon, skip the last quiet moves.
    late_move_pruning selective true;
    /// Search a ply deeper where one move is much better than all others.
    singular_extensions selective true;
    /// Search a ply less where no good first move is known.
    internal_iterative_reductions selective true;
    /// Near the horizon, skip quiet moves that put a piece where it is lost.
    quiet_exchanges selective true;
    /// Begin with what the searches of earlier moves of the game have learned about moves and estimates.
    experience selective true;
}

impl Heuristics {
    /// Whether every switch that is on is exact.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        let exact = Heuristics::exact_names();
        Heuristics::NAMES.iter().all(|name| exact.contains(name) || self.get(name) == Some(false))
    }

    /// The same for a game without pieces that are never captured: what was good for those was found to lose games of
    /// checkers.
    #[must_use]
    pub(crate) const fn without_royals(self) -> Heuristics {
        Heuristics {
            stages: false,
            capture_history: false,
            corrections: false,
            probable_cutoffs: false,
            capture_reductions: false,
            quiet_exchanges: false,
            ..self
        }
    }

    /// The exact switches, and nothing else: every full-width engine gives NegaMax's score. All of them but the
    /// records of captures, whose gain is not shown: without them trees are those that experiments have compared.
    #[must_use]
    pub fn exact() -> Heuristics {
        let mut heuristics = Heuristics::none();
        for name in Heuristics::exact_names() {
            heuristics.set(name, true);
        }
        Heuristics { capture_history: false, ..heuristics }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn switches_have_names() {
        let mut heuristics = Heuristics::none();
        for name in Heuristics::NAMES {
            assert_eq!(heuristics.get(name), Some(false));
            assert!(heuristics.set(name, true));
            assert_eq!(heuristics.get(name), Some(true));
        }
        assert!(!heuristics.set("unknown", true));
        assert!(Heuristics::exact().equal_depth && !Heuristics::exact().futility);
        assert!(Heuristics::exact().is_exact() && !Heuristics::default().is_exact());
    }
}
