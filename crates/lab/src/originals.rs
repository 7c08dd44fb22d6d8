//! Tables of the programs before this one, beside our own figures: the original, ours, and how they compare.

use serde::Deserialize;

/// The tables with their sources.
const DATA: &str = include_str!("../data/originals.toml");

/// Figures that differ by more than this part want an explanation.
pub const TOLERANCE: f64 = 1.0 / 3.0;

/// A table of an original.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Original {
    /// By which it is asked for.
    pub name: String,
    /// What it shows.
    pub title: String,
    /// Where it was printed.
    pub source: String,
    /// The experiment that repeats it, by the name of its file in `experiments/`.
    pub experiment: String,
    /// How our experiment differs, and why the figures do.
    pub why: String,
    /// What its figures are.
    pub rows: Vec<OriginalRow>,
}

/// A row of a table.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OriginalRow {
    /// What the original calls it.
    pub label: String,
    /// Columns of our figures with their values in the original. `a/b` is one column by another.
    #[serde(default)]
    pub original: std::collections::BTreeMap<String, f64>,
    /// Columns whose values in the original are not known any more.
    #[serde(default)]
    pub lost: Vec<String>,
    /// Columns of our figures, with the values that tell the row.
    pub ours: Telling,
    /// The same of a row that ours is divided by, where the original says how many times as much something is.
    #[serde(default)]
    pub by: Option<Telling>,
}

/// Columns, with the values that tell a row.
type Telling = std::collections::BTreeMap<String, String>;

/// A figure beside its original.
#[derive(Clone, PartialEq, Debug)]
pub struct Comparison {
    /// The row.
    pub label: String,
    /// The column.
    pub measure: String,
    /// What was printed, if it is still known.
    pub original: Option<f64>,
    /// What we have, if the experiment was made.
    pub ours: Option<f64>,
}

impl Comparison {
    /// Ours by the original.
    #[must_use]
    pub fn ratio(&self) -> Option<f64> {
        let original = self.original.filter(|&original| original != 0.0)?;
        self.ours.map(|ours| ours / original)
    }

    /// Whether they differ so much that it wants an explanation.
    #[must_use]
    pub fn differs(&self) -> bool {
        self.ratio().is_some_and(|ratio| !(1.0 - TOLERANCE..=1.0 + TOLERANCE).contains(&ratio))
    }
}

/// All tables.
///
/// # Errors
/// When the data of this program is broken.
pub fn all() -> Result<Vec<Original>, toml::de::Error> {
    #[derive(Deserialize)]
    struct File {
        tables: Vec<Original>,
    }
    toml::from_str::<File>(DATA).map(|file| file.tables)
}

impl Original {
    /// The figures beside those of an experiment, given as comma-separated values.
    #[must_use]
    pub fn compare(&self, csv: Option<&str>) -> Vec<Comparison> {
        let (head, lines) = csv.map(read_csv).unwrap_or_default();
        let column = |name: &str| head.iter().position(|column| column == name);
        let mut comparisons = Vec::new();
        for entry in &self.rows {
            let figure = |telling: &Telling, measure: &str| -> Option<f64> {
                let matches = |line: &&Vec<String>, (name, value): (&String, &String)| {
                    column(name).and_then(|column| line.get(column)).is_some_and(|found| found == value)
                };
                let line = lines.iter().find(|line| telling.iter().all(|pair| matches(line, pair)))?;
                let value = |name: &str| -> Option<f64> { line.get(column(name)?)?.parse().ok() };
                match measure.split_once('/') {
                    Some((above, below)) => Some(value(above)? / value(below)?),
                    None => value(measure),
                }
            };
            let known = entry.original.iter().map(|(measure, original)| (measure, Some(*original)));
            for (measure, original) in known.chain(entry.lost.iter().map(|measure| (measure, None))) {
                let below = entry.by.as_ref().map_or(Some(1.0), |by| figure(by, measure));
                let ours = figure(&entry.ours, measure).zip(below).map(|(above, below)| above / below);
                let (label, measure) = (entry.label.clone(), measure.clone());
                comparisons.push(Comparison { label, measure, original, ours });
            }
        }
        comparisons
    }
}

/// The head and the lines of a file of comma-separated values.
fn read_csv(text: &str) -> (Vec<String>, Vec<Vec<String>>) {
    let mut lines = text.lines().map(cells);
    let head = lines.next().unwrap_or_default();
    (head, lines.collect())
}

fn cells(line: &str) -> Vec<String> {
    let (mut cells, mut quoted) = (vec![String::new()], false);
    let mut characters = line.chars().peekable();
    while let Some(character) = characters.next() {
        let cell = cells.last_mut().expect("there is always a last cell");
        match character {
            '"' if quoted && characters.peek() == Some(&'"') => {
                characters.next();
                cell.push('"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => cells.push(String::new()),
            other => cell.push(other),
        }
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_data_is_whole_and_names_are_unique() {
        let tables = all().unwrap();
        for (index, table) in tables.iter().enumerate() {
            assert!(!table.rows.is_empty() && !table.why.is_empty(), "{}", table.name);
            assert!(table.rows.iter().all(|row| row.original.len() + row.lost.len() > 0), "{}", table.name);
            assert!(tables[..index].iter().all(|other| other.name != table.name), "{}", table.name);
            assert!(table.rows.iter().all(|row| row.ours.contains_key("processors")), "{}", table.name);
        }
    }

    #[test]
    fn figures_are_found_by_what_tells_their_rows() {
        let csv = "game,engine,processors,speedup\n\"chess, a\",ybwc,64,20.0\n\"chess, a\",ybwc,256,71.0\n";
        let table = Original {
            rows: vec![OriginalRow {
                label: "YBWC".to_owned(),
                original: [("speedup".to_owned(), 142.0)].into(),
                lost: vec!["speedup/processors".to_owned()],
                ours: [("engine", "ybwc"), ("processors", "256"), ("game", "chess, a")]
                    .map(|(name, value)| (name.to_owned(), value.to_owned()))
                    .into(),
                by: None,
            }],
            ..all().unwrap().remove(0)
        };
        let found = &table.compare(Some(csv))[0];
        assert_eq!((found.ours, found.ratio(), found.differs()), (Some(71.0), Some(0.5), true));
        let lost = &table.compare(Some(csv))[1];
        assert_eq!((lost.original, lost.ours, lost.ratio()), (None, Some(71.0 / 256.0), None));
        let by = [("processors".to_owned(), "64".to_owned())].into();
        let row = OriginalRow { by: Some(by), ..table.rows[0].clone() };
        let times = Original { rows: vec![row], ..table.clone() };
        assert_eq!(times.compare(Some(csv))[0].ours, Some(71.0 / 20.0));
        assert_eq!(table.compare(None)[0].ours, None);
    }
}
