//! What the runs of an experiment come to: one line for each way to search a game.

use super::plan::{Plan, Setup, SubjectPlan};
use super::results::Store;
use super::runner::key;
use crate::conditions::Fabric;
use crate::speedup::{Row, Run};

/// A mean with its error, and the median.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Estimate {
    /// The mean.
    pub mean: f64,
    /// The middle.
    pub median: f64,
    /// The standard error of the mean; unknown of a single figure.
    pub error: Option<f64>,
}

impl Estimate {
    /// Of these figures.
    #[must_use]
    pub fn of(figures: &[f64]) -> Estimate {
        let count = figures.len() as f64;
        if figures.is_empty() {
            return Estimate::default();
        }
        let mean = figures.iter().sum::<f64>() / count;
        let squares: f64 = figures.iter().map(|figure| (figure - mean).powi(2)).sum();
        let error = (figures.len() > 1).then(|| (squares / (count - 1.0) / count).sqrt());
        let mut sorted = figures.to_vec();
        sorted.sort_by(f64::total_cmp);
        Estimate { mean, median: crate::speedup::median(&sorted), error }
    }
}

/// What one way to search a game came to.
#[derive(Clone, Debug)]
pub struct SummaryRow {
    /// The game and its positions.
    pub subject: String,
    /// The number of positions.
    pub positions: usize,
    /// The processors and their tables.
    pub place: String,
    /// The preset of the network, or threads.
    pub preset: &'static str,
    /// How work is shared out.
    pub engine: &'static str,
    /// What is changed.
    pub variant: String,
    /// Both.
    pub name: String,
    /// How many processors.
    pub processors: usize,
    /// The measures, one row for each seed and repetition.
    pub rows: Vec<Row>,
    /// The speedups of all single positions.
    pub singles: Vec<f64>,
}

impl SummaryRow {
    fn new(subject: String, setup: &Setup, positions: usize) -> SummaryRow {
        SummaryRow {
            subject,
            positions,
            place: setup.place(),
            preset: match setup.conditions.fabric {
                Fabric::Threads => "threads",
                Fabric::Processes { .. } => "processes",
                Fabric::Virtual { network, .. } => network.name,
            },
            engine: setup.engine,
            variant: setup.variant.clone(),
            name: setup.name(),
            processors: setup.processors,
            rows: Vec::new(),
            singles: Vec::new(),
        }
    }

    /// One of the measures.
    #[must_use]
    pub fn estimate(&self, measure: impl Fn(&Row) -> f64) -> Estimate {
        Estimate::of(&self.rows.iter().map(measure).collect::<Vec<_>>())
    }

    /// The speedup, sum of times by sum of times.
    #[must_use]
    pub fn speedup(&self) -> Estimate {
        self.estimate(|row| row.speedup)
    }

    /// What the time of all processors went into, as [`Row::parts`] has it; nothing for what is not known of all runs.
    #[must_use]
    pub fn parts(&self) -> [(&'static str, Option<f64>); 7] {
        let all: Vec<_> = self.rows.iter().map(Row::parts).collect();
        let mut parts = Row::new(1, &[], &[]).parts();
        for (index, (_, part)) in parts.iter_mut().enumerate() {
            let known: Option<Vec<f64>> = all.iter().map(|parts| parts[index].1).collect();
            *part = known.filter(|known| !known.is_empty()).map(|known| Estimate::of(&known).mean);
        }
        parts
    }

    /// The speedup of single positions.
    #[must_use]
    pub fn single(&self) -> Estimate {
        Estimate::of(&self.singles)
    }
}

/// A game of an experiment, and how many positions it has.
pub type Counted<'plan> = (&'plan SubjectPlan, usize);

/// The lines of one game, in the order of its experiment, as far as their runs are complete.
#[must_use]
pub fn lines(plan: &Plan, subject: &SubjectPlan, positions: usize, store: &Store) -> Vec<SummaryRow> {
    over(plan, &subject.name(), &[(subject, positions)], store)
}

/// The lines of all games together, if they are wanted.
#[must_use]
pub fn total(plan: &Plan, subjects: &[Counted<'_>], store: &Store) -> Vec<SummaryRow> {
    plan.total.as_ref().map_or_else(Vec::new, |name| over(plan, name, subjects, store))
}

fn over(plan: &Plan, name: &str, subjects: &[Counted<'_>], store: &Store) -> Vec<SummaryRow> {
    let mut lines = Vec::new();
    for setup in &plan.setups {
        let runs = |setup: &Setup, seed, repetition| -> Option<Vec<Run>> {
            let all = subjects.iter().flat_map(|(subject, positions)| {
                (0..*positions).map(move |position| key(subject, setup, position, seed, repetition))
            });
            all.map(|key| store.get(&key).map(super::results::Record::run)).collect()
        };
        let Some(alone) = runs(&setup.alone(), plan.seeds[0], 1) else { continue };
        let mut line = SummaryRow::new(name.to_owned(), setup, alone.len());
        for &seed in &plan.seeds {
            for repetition in 1..=plan.repetitions {
                let Some(together) = runs(setup, seed, repetition) else { continue };
                line.rows.push(Row::new(setup.processors, &together, &alone));
                let pairs = together.iter().zip(&alone);
                line.singles.extend(pairs.map(|(run, alone)| alone.seconds / run.seconds.max(1e-12)));
            }
        }
        if !line.rows.is_empty() {
            lines.push(line);
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mean_has_an_error_where_there_are_several_figures() {
        assert_eq!(Estimate::of(&[3.0]), Estimate { mean: 3.0, median: 3.0, error: None });
        let four = Estimate::of(&[1.0, 2.0, 3.0, 10.0]);
        assert!((four.mean - 4.0).abs() < 1e-12 && (four.median - 2.5).abs() < 1e-12);
        // Squares 9 + 4 + 1 + 36 = 50; by 3 degrees of freedom and 4 figures.
        assert!((four.error.unwrap() - (50.0_f64 / 12.0).sqrt()).abs() < 1e-12);
    }
}
