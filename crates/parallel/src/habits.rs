//! What was found to be good for games: which way to share a search, and with which values. Others measure and keep
//! it; searches of a game follow it.

use std::sync::Arc;

use crate::method::{Method, SIDE_BY_SIDE};
use crate::stealing::Policy;

/// Values that were found to be good.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tuning {
    /// Nodes that are searched less deep than this keep their moves; side by side, peers are not told of them.
    pub least_depth: i32,
    /// Searches of less depth neither ask nor tell the tables of others.
    pub table_depth: u8,
    /// So many entries make a message to the tables of others; of puzzles, so many states.
    pub batch: usize,
}

impl Tuning {
    /// What a policy has.
    #[must_use]
    pub fn of(policy: &Policy, table_depth: u8) -> Tuning {
        Tuning { least_depth: policy.depth_min, table_depth, batch: policy.batch }
    }

    /// A policy with these values.
    #[must_use]
    pub fn applied(self, policy: Policy) -> Policy {
        Policy { depth_min: self.least_depth, told_depth: self.table_depth, batch: self.batch, ..policy }
    }
}

/// What was found for one game, kind of machine, number of processors and way to share a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Habit {
    /// The game.
    pub game: String,
    /// [`Habit::THREADS`], or the words for another kind of machine.
    pub place: String,
    /// The kind of table that the processors had, by its name; empty for puzzles.
    pub tables: String,
    /// How many processors.
    pub processors: usize,
    /// The engine.
    pub engine: String,
    /// Whether it was the fastest of those that were tried.
    pub is_fastest: bool,
    /// Its values.
    pub tuning: Tuning,
}

impl Habit {
    /// The place of threads.
    pub const THREADS: &'static str = "threads";
    /// The tables of hosts of a cluster.
    pub const ASKED: &'static str = "asked";

    /// Whether it was found for threads.
    #[must_use]
    pub fn is_of_threads(&self) -> bool {
        self.place == Habit::THREADS
    }

    /// Whether clusters follow it: their tables tell and ask each other by messages, and values for another kind of
    /// table mean something else.
    #[must_use]
    pub fn is_of_clusters(&self) -> bool {
        !self.is_of_threads() && (self.tables == Habit::ASKED || self.tables.is_empty())
    }
}

/// All that was found.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Habits(Arc<[Habit]>);

impl FromIterator<Habit> for Habits {
    fn from_iter<I: IntoIterator<Item = Habit>>(all: I) -> Habits {
        Habits(all.into_iter().collect())
    }
}

impl Habits {
    /// What was found with these properties for the number of processors that is nearest; the last one of several.
    fn nearest(&self, game: &str, processors: usize, fits: impl Fn(&Habit) -> bool) -> Option<&Habit> {
        let all = self.0.iter().rev().filter(|habit| habit.game == game && fits(habit));
        all.min_by_key(|habit| habit.processors.abs_diff(processors))
    }

    /// What was found for an engine on threads, or on clusters.
    #[must_use]
    pub fn of_engine(&self, game: &str, engine: &str, processors: usize, on_threads: bool) -> Option<Tuning> {
        let fits = |habit: &Habit| {
            habit.engine == engine && if on_threads { habit.is_of_threads() } else { habit.is_of_clusters() }
        };
        self.nearest(game, processors, fits).map(|habit| habit.tuning)
    }

    /// A way to share searches of a game on so many threads, of each process if there are several, with what was
    /// found for it. Where nothing was asked for, that is the way that was fastest.
    #[must_use]
    pub fn method(&self, method: Method, game: &str, threads: usize) -> Method {
        #[cfg(feature = "mpi")]
        if let Some(cluster) = crate::cluster::joined() {
            return self.applied(method, game, threads * cluster.processes(), true);
        }
        self.applied(method, game, threads, false)
    }

    /// The same for so many processors. Processes of one host do as threads do; otherwise what was found for clusters
    /// counts first.
    fn applied(&self, method: Method, game: &str, processors: usize, is_cluster: bool) -> Method {
        if processors <= 1 {
            return method;
        }
        let of_threads = |engine: &str| self.of_engine(game, engine, processors, true);
        let of_cluster = |engine: &str| self.of_engine(game, engine, processors, false);
        let given_away =
            |engine: &str| is_cluster.then(|| of_cluster(engine)).flatten().or(of_threads(engine));
        if let Some(name) = method.name() {
            return given_away(name).map_or(method, |tuning| method.tuned(tuning));
        }
        let fastest = self.nearest(game, processors, |habit| habit.is_fastest && habit.is_of_threads());
        let engine = fastest.map(|habit| habit.engine.as_str()).filter(|engine| *engine != SIDE_BY_SIDE);
        let method = engine.map_or(method, |engine| method.giving_away(engine));
        let method = given_away(engine.unwrap_or("ybwc")).map_or(method, |tuning| method.tuned(tuning));
        of_threads(SIDE_BY_SIDE).map_or(method, |tuning| method.telling_from(tuning.least_depth))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stealing::Everybody;

    fn habit(place: &str, processors: usize, engine: &str, least_depth: i32, is_fastest: bool) -> Habit {
        let tuning = Tuning { least_depth, table_depth: 1, batch: 7 };
        let (game, place, engine) = ("chess".to_owned(), place.to_owned(), engine.to_owned());
        let tables = if place == Habit::THREADS { "shared" } else { Habit::ASKED }.to_owned();
        Habit { game, place, tables, processors, engine, is_fastest, tuning }
    }

    fn habits() -> Habits {
        let cluster = "virtual ethernet full";
        Habits::from_iter([
            habit(Habit::THREADS, 2, SIDE_BY_SIDE, 5, true),
            habit(Habit::THREADS, 2, "ybwc", 4, false),
            habit(Habit::THREADS, 16, SIDE_BY_SIDE, 12, false),
            habit(Habit::THREADS, 16, "ybwc", 6, true),
            habit(cluster, 8, "ybwc", 2, false),
        ])
    }

    #[test]
    fn the_nearest_number_of_processors_counts() {
        let least = |engine, processors, on_threads| {
            habits().of_engine("chess", engine, processors, on_threads).map(|tuning| tuning.least_depth)
        };
        assert_eq!((least("ybwc", 4, true), least("ybwc", 12, true)), (Some(4), Some(6)));
        assert_eq!((least("ybwc", 2, false), least("dts", 2, false)), (Some(2), None));
        assert_eq!(habits().of_engine("othello", "ybwc", 2, true), None);
        // Clusters do not follow what was found for tables that they do not have.
        let other = Habit { tables: "replicated".to_owned(), ..habit("virtual", 8, "dts", 3, false) };
        let with_it: Habits = habits().0.iter().cloned().chain([other]).collect();
        assert_eq!(with_it.of_engine("chess", "dts", 8, false), None);
    }

    #[test]
    fn what_was_fastest_is_done_where_nothing_is_asked_for() {
        let usual =
            |processors, is_cluster| habits().applied(Method::default(), "chess", processors, is_cluster);
        assert_eq!(usual(1, false), Method::default());
        let two = usual(2, false).side_by_side();
        assert_eq!((two.depth_min, two.everybody), (5, Everybody::Defers));
        let most = Method::default().giving_away("ybwc");
        let tuning = Tuning { least_depth: 6, table_depth: 1, batch: 7 };
        assert_eq!(usual(20, false), most.tuned(tuning).telling_from(12));
        // Hosts of a cluster are what virtual processors stand for; those of one host meet in its memory.
        let tuning = Tuning { least_depth: 2, ..tuning };
        assert_eq!(usual(2, true), Method::default().tuned(tuning).telling_from(5));
        let other = habits().applied(Method::default(), "othello", 2, false);
        assert_eq!(other, Method::default());
    }

    #[test]
    fn what_is_asked_for_is_done_with_its_own_values() {
        let named = |name| Method::from_name(name).unwrap();
        let applied = |name, is_cluster| habits().applied(named(name), "chess", 2, is_cluster);
        let tuned = |least_depth| named("ybwc").tuned(Tuning { least_depth, table_depth: 1, batch: 7 });
        assert_eq!((applied("ybwc", false), applied("ybwc", true)), (tuned(4), tuned(2)));
        assert_eq!(applied("jamboree", false), named("jamboree"));
    }
}
