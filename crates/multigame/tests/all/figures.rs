//! Figures of experiments that documents quote are those of the files in `experiments/`.

#![allow(clippy::unwrap_used)] // tests are free to

use std::collections::HashMap;
use std::path::Path;

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

#[test]
fn the_tables_of_all_algorithms_are_those_of_the_experiments() {
    const PROCESSORS: [&str; 6] = ["1", "4", "16", "64", "256", "1024"];
    let page = read("docs/taxonomy.md");
    for (game, name) in [("Chess", "chess"), ("Othello", "othello"), ("Checkers", "checkers")] {
        let all = figures(&format!("taxonomy-{name}"));
        for preset in ["transputer", "infiniband"] {
            let (_, from_here) = page.split_once(&format!("\n{game} (")).unwrap();
            let said = table(from_here, &format!("network `{preset}`:\n"));
            let mut engines: Vec<&str> = all.iter().map(|line| line["engine"].as_str()).collect();
            engines.dedup();
            let wanted = engines.iter().take(said.len()).map(|engine| {
                let on = |processors: &str| {
                    let wanted = [("preset", preset), ("engine", engine), ("processors", processors)];
                    all.iter()
                        .find(|line| wanted.iter().all(|(column, value)| line[*column] == *value))
                        .unwrap()
                };
                let speedup = |processors: &&str| {
                    let line = on(processors);
                    format!("{:.1} ± {:.1}", number(line, "position_mean"), number(line, "position_error"))
                };
                let speedups: Vec<String> = PROCESSORS.iter().map(speedup).collect();
                let line = on("64");
                let percent = |column| (100.0 * number(line, column)).round();
                format!(
                    "| `{engine}` | {} | {:.1} | {} % | {} % |",
                    speedups.join(" | "),
                    number(line, "position_median"),
                    percent("search_overhead"),
                    percent("load")
                )
            });
            assert_eq!(said, wanted.collect::<Vec<_>>(), "{game}, {preset}");
            assert_eq!(said.len(), 28, "{game}, {preset}");
        }
    }
}
