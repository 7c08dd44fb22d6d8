//! Figures of experiments that documents quote are those of the files in `experiments/`.

#![allow(clippy::unwrap_used)] // tests are free to

use std::collections::HashMap;
use std::path::Path;

use lab::experiment::{Plan, Setup, SubjectPlan};

fn read(path: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)).unwrap()
}

/// The lines of an experiment's figures, by the names of their columns.
fn figures(name: &str) -> Vec<HashMap<String, String>> {
    let text = read(&format!("experiments/{name}.csv"));
    let mut lines = text.lines().map(cells);
    let head = lines.next().unwrap();
    lines.map(|line| head.iter().cloned().zip(line).collect()).collect()
}

/// Cells in quotes may contain commas.
fn cells(line: &str) -> Vec<String> {
    let mut cells = vec![String::new()];
    for (index, part) in line.split('"').enumerate() {
        let mut pieces = if index % 2 == 0 { part.split(',').collect() } else { vec![part] }.into_iter();
        cells.last_mut().unwrap().push_str(pieces.next().unwrap());
        cells.extend(pieces.map(str::to_owned));
    }
    cells
}

fn number(line: &HashMap<String, String>, column: &str) -> f64 {
    line[column].parse().unwrap_or_else(|_| panic!("{column} of {line:?}"))
}

/// The lines of the table that follows a sentence, without its head.
fn table<'page>(page: &'page str, sentence: &str) -> Vec<&'page str> {
    let (_, rest) = page.split_once(sentence).unwrap_or_else(|| panic!("the page does not say {sentence:?}"));
    let table = rest.lines().skip_while(|line| !line.starts_with('|'));
    table.take_while(|line| line.starts_with('|')).skip(2).collect()
}

/// The numbers of a line of a table, behind the name of its engine.
fn numbers(line: &str) -> Vec<f64> {
    let (_, rest) = line.split_once("` |").unwrap_or_else(|| panic!("no engine: {line}"));
    let is_other = |character: char| !character.is_ascii_digit() && character != '.';
    rest.split(is_other).filter(|text| !text.is_empty()).map(|text| text.parse().unwrap()).collect()
}

/// Whether a number was rounded to its last digit; files of figures have four digits behind the point.
fn is_rounded(said: f64, exact: f64, unit: f64) -> bool {
    (said - exact).abs() <= unit / 2.0 + 100.0 * 0.000_05 + 1e-9
}

#[test]
fn the_tables_of_all_algorithms_are_those_of_the_experiments() {
    const PROCESSORS: [&str; 6] = ["1", "4", "16", "64", "256", "1024"];
    let page = read("docs/taxonomy.md");
    for (game, name) in [("Chess", "chess"), ("Othello", "othello"), ("Checkers", "checkers")] {
        let all = figures(&format!("taxonomy-{name}"));
        for preset in ["transputer", "infiniband"] {
            let (_, from_here) = page.split_once(&format!("\n{game} (")).unwrap();
            let said = table(from_here, &format!("network `{preset}`:\n"));
            assert_eq!(said.len(), 28, "{game}, {preset}");
            let mut engines: Vec<&str> = all.iter().map(|line| line["engine"].as_str()).collect();
            engines.dedup();
            for (said, engine) in said.into_iter().zip(engines) {
                assert!(said.starts_with(&format!("| `{engine}` |")), "{game}, {preset}, {engine}: {said}");
                let on = |processors: &str, column: &str| {
                    let wanted = [("preset", preset), ("engine", engine), ("processors", processors)];
                    let is_wanted = |line: &&HashMap<String, String>| {
                        wanted.iter().all(|(column, value)| line[*column] == *value)
                    };
                    number(all.iter().find(is_wanted).unwrap(), column)
                };
                let of_one = |count: &&str| [on(count, "position_mean"), on(count, "position_error")];
                let speedups = PROCESSORS.iter().flat_map(of_one).map(|exact| (exact, 0.1));
                let median = (on("64", "position_median"), 0.1);
                let shares = ["search_overhead", "load"].map(|column| (100.0 * on("64", column), 1.0));
                let exact: Vec<(f64, f64)> = speedups.chain([median]).chain(shares).collect();
                let numbers = numbers(said);
                assert_eq!(numbers.len(), exact.len(), "{said}");
                for (said_number, (exact, unit)) in numbers.into_iter().zip(exact) {
                    assert!(
                        is_rounded(said_number, exact, unit),
                        "{game}, {preset}: {exact}, and not {said}"
                    );
                }
            }
        }
    }
}

#[test]
fn the_table_of_zugzwangs_experiment_is_that_of_its_file() {
    let page = read("docs/parallel.md");
    let said = table(&page, "multigame lab run experiments/zugzwang-256.toml");
    let exact = figures("zugzwang-256");
    // The last line is about all positions together.
    assert_eq!(said.len() + 1, exact.len());
    for (said, exact) in said.into_iter().zip(&exact) {
        let cells: Vec<&str> = said.trim_matches('|').split('|').map(str::trim).collect();
        let &[position, depth, _, speedup, overhead, load, performance, seconds] = &cells[..] else {
            panic!("eight columns: {said}")
        };
        assert_eq!(exact["game"], format!("native:chess bratko-kopec {position} depth {depth}"));
        let percent = |cell: &str| cell.strip_suffix(" %").unwrap().parse::<f64>().unwrap();
        let plain = |cell: &str| cell.parse::<f64>().unwrap();
        for (said_number, exact_number) in [
            (plain(speedup), number(exact, "speedup")),
            (percent(overhead), 100.0 * number(exact, "search_overhead")),
            (percent(load), 100.0 * number(exact, "load")),
            (percent(performance), 100.0 * number(exact, "performance")),
            (plain(seconds), number(exact, "seconds")),
        ] {
            assert!(is_rounded(said_number, exact_number, 1.0), "{exact_number}, and not {said}");
        }
    }
    let together = number(exact.last().unwrap(), "speedup");
    assert!(page.contains(&format!("give a speedup of **{together:.0}**")), "{together}");
}

/// The lines of a file of figures are all runs that its experiment lists, and no others.
#[test]
fn figures_that_are_kept_are_those_of_their_experiments() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../experiments");
    let files =
        std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap());
    let names: Vec<String> = files.filter_map(|file| file.strip_suffix(".toml").map(str::to_owned)).collect();
    assert!(names.len() > 10, "{names:?}");
    for name in names {
        let plan = Plan::read(&read(&format!("experiments/{name}.toml"))).unwrap();
        let runs = plan.seeds.len() * plan.repetitions as usize;
        let subjects = plan.subjects.iter().map(SubjectPlan::name).chain(plan.total.clone());
        let of_setup = |subject: &str, setup: &Setup| {
            let Setup { engine, variant, processors, .. } = setup;
            format!("{subject}; {}; {engine}; {variant}; {processors}; {runs}", setup.place())
        };
        let wanted: Vec<String> = subjects
            .flat_map(|subject| plan.setups.iter().map(move |setup| of_setup(&subject, setup)))
            .collect();
        let columns = ["game", "fabric", "engine", "variant", "processors", "runs"];
        let found: Vec<String> = figures(&name)
            .iter()
            .map(|line| columns.map(|column| line[column].as_str()).join("; "))
            .collect();
        assert_eq!(found, wanted, "experiments/{name}.csv is of another file than experiments/{name}.toml");
    }
}
