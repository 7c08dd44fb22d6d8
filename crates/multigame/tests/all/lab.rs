//! `multigame lab`, and the ways to share a search among threads.

#![allow(clippy::unwrap_used)]

use std::process::Command;

use crate::support::{refuse, rows, succeed};
use serde_json::Value;

pub(crate) fn number(row: &Value, name: &str) -> f64 {
    row[name].as_f64().unwrap_or_else(|| panic!("{name} in {row}"))
}

/// Searches with other keys find the same values: the laboratory compares them.
#[test]
fn signatures_may_come_from_a_code() {
    // A table so small that it matters which positions share a place.
    let command = ["lab", "speedup", "connect4", "--depth", "8", "--processors", "4", "--table", "4"];
    let nodes = |keys| -> Vec<f64> {
        let rows =
            rows(&[&command[..], &["--exchange", "--table-depth", "2", "--signatures", keys]].concat());
        rows.iter().map(|row| number(row, "nodes")).collect()
    };
    let (coded, mixed) = (nodes("coded"), nodes("mixed"));
    assert_eq!((coded.len(), mixed.len()), (2, 2));
    assert_ne!(coded, mixed);
}

#[test]
fn one_who_is_asked_by_all_comes_to_its_own_work() {
    for who in ["anybody", "passed", "passed=2", "neighbours", "neighbours=0", "father", "father=2"] {
        let command = ["lab", "speedup", "connect4", "--depth", "4", "--processors", "16", "--ask", who];
        assert_eq!(rows(&command).len(), 2, "{who}");
    }
}

#[test]
fn speedups_are_told_as_json_and_explained_by_their_parts() {
    let rows = rows(&[
        "lab",
        "speedup",
        "connect4",
        "--depth",
        "6",
        "--processors",
        "4,16",
        "--network",
        "infiniband",
    ]);
    let counts: Vec<f64> = rows.iter().map(|row| number(row, "processors")).collect();
    assert_eq!(counts, [1.0, 4.0, 16.0]);
    assert!((number(&rows[0], "speedup") - 1.0).abs() < 1e-9);
    for row in &rows {
        let explained = number(row, "processors") * number(row, "load") * number(row, "performance")
            / (1.0 + number(row, "search_overhead"));
        assert!((number(row, "speedup") - explained).abs() < 1e-6, "{row}");
        assert!(number(row, "nodes") > 0.0 && number(row, "seconds") > 0.0);
        let searching: f64 =
            ["nodes_share", "table_share", "messages_share"].iter().map(|name| number(row, name)).sum();
        let waiting = ["waiting_for_slaves", "synchronisation", "no_work", "other"];
        let all = searching + waiting.iter().map(|name| number(row, name)).sum::<f64>();
        assert!((searching - number(row, "load")).abs() < 1e-6 && (all - 1.0).abs() < 1e-6, "{row}");
    }
    assert!(number(&rows[2]["messages"]["work"], "count") > 0.0);
}

#[test]
fn the_same_seed_gives_the_same_figures() {
    let figures = |seed: &str| {
        rows(&["lab", "speedup", "othello", "--depth", "4", "--processors", "8", "--seed", seed])
    };
    assert_eq!(figures("3"), figures("3"));
    assert_ne!(figures("3")[1], figures("4")[1]);
}

#[test]
fn figures_and_curves_are_written_to_files() {
    let folder = tempfile::tempdir().unwrap();
    let (csv, svg) = (folder.path().join("a.csv"), folder.path().join("a.svg"));
    let files = ["--csv", csv.to_str().unwrap(), "--svg", svg.to_str().unwrap()];
    let mut arguments = vec!["lab", "speedup", "tictactoe", "--depth", "5", "--processors", "1,4"];
    arguments.extend(files);
    succeed(&arguments);
    assert_eq!(std::fs::read_to_string(&csv).unwrap().lines().count(), 3);
    assert!(std::fs::read_to_string(&svg).unwrap().starts_with("<svg"));
}

/// Machine code that is made on the way is in no figures. Where others are at work on the machine, a run may be slow by
/// chance.
#[test]
fn one_thread_is_not_slower_than_itself() {
    let threads =
        ["lab", "speedup", "connect4", "--depth", "8", "--fabric", "threads", "--processors", "1,2"];
    let performance = || {
        let rows = rows(&threads);
        assert_eq!(rows.len(), 2);
        number(&rows[1], "performance")
    };
    assert!((0..5).any(|_| performance() < 1.6));
}

#[test]
fn every_way_to_share_a_search_has_the_exact_value() {
    let value = |arguments: &[&str]| {
        let mut all = vec!["search", "othello", "--depth", "6", "--exact"];
        all.extend(arguments);
        rows(&all).pop().unwrap()["value"].clone()
    };
    let alone = value(&[]);
    let brothers = ["ybwc", "ybwc-1-2*", "jamboree", "abdada", "lazysmp", "pvsplit"];
    for engine in brothers.into_iter().chain(["aspiration", "uidpabs", "aphid", "er", "sss", "tdsab"]) {
        assert_eq!(value(&["--engine", engine, "--threads", "3"]), alone, "{engine}");
    }
}

/// Writes an experiment into a folder of its own.
pub(crate) fn experiment(text: &str) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("small.toml");
    std::fs::write(&path, text).unwrap();
    let path = path.to_str().unwrap().to_owned();
    (folder, path)
}

const SMALL: &str = r#"
engines = ["ybwc"]
processors = [4, 8]
seeds = [1, 2]
[[games]]
game = "tictactoe"
depth = 6
[[games]]
game = "connect4"
depth = 4
"#;

#[test]
fn an_experiment_is_run_and_goes_on_where_it_was_stopped() {
    let (folder, path) = experiment(SMALL);
    let file = |name: &str| folder.path().join(name);
    let read = |name: &str| std::fs::read_to_string(file(name)).unwrap();
    assert!(succeed(&["lab", "run", &path, "--time", "0.000001"]).contains("10 runs are missing"));
    succeed(&["lab", "run", &path]);
    let (csv, results) = (read("small.csv"), read("small.results.jsonl"));
    assert!(
        csv.contains(",efficiency,") && csv.contains(",nodes_share,table_share,messages_share,"),
        "{csv}"
    );
    assert_eq!((csv.lines().count(), results.lines().count()), (1 + 4, 2 * (1 + 4)));
    assert!(read("small.md").contains("connect4 depth 4") && read("small.svg").starts_with("<svg"));
    // A power cut: the last result is lost, and found again.
    let cut = &results[..results.len() - 20];
    std::fs::write(file("small.results.jsonl"), cut).unwrap();
    let one = succeed(&["lab", "run", &path, "--time", "0.000001"]);
    assert!(one.contains("1 run is missing") && one.contains("9 runs are kept"), "{one}");
    assert_eq!(rows(&["lab", "run", &path]).len(), 4);
    assert_eq!((read("small.csv"), read("small.results.jsonl")), (csv, results.clone()));
    // Results of a program that searches in another way are not mixed with those of this one.
    let lines: Vec<String> = results
        .lines()
        .filter(|line| !line.contains("seed 2"))
        .map(|line| line.replace("\"nodes\":", "\"nodes\":1"))
        .collect();
    std::fs::write(file("small.results.jsonl"), lines.join("\n") + "\n").unwrap();
    assert!(refuse(&["lab", "run", &path]).contains("--fresh"));
    // Also where none is missing.
    let all = results.replace("\"nodes\":", "\"nodes\":1");
    std::fs::write(file("small.results.jsonl"), all).unwrap();
    assert!(refuse(&["lab", "run", &path]).contains("--fresh"));
    succeed(&["lab", "run", &path, "--fresh"]);
    assert!(file("small.results.old.jsonl").exists());
}

#[test]
fn broken_experiments_are_refused_with_their_line() {
    for (wrong, line) in [
        (SMALL.replace("ybwc", "nonsense"), "line 2"),
        (SMALL.replace("connect4", "nonsense"), "line 9"),
        (SMALL.replace("connect4", "puzzle15"), "line 9"),
        (SMALL.replace("depth = 4", "depth = 4\nsuite = \"nonsense\""), "line 9"),
        (SMALL.replace("seeds", "fabric = \"threads\"\ntables = [\"local\"]\nseeds"), "line 5"),
        (SMALL.replace("[[games]]", "[[games"), "line 5"),
    ] {
        let (_folder, path) = experiment(&wrong);
        let said = refuse(&["lab", "run", &path]);
        assert!(said.contains(line), "{said}");
    }
    let said = refuse(&["lab", "run", "/nonexistent/experiment.toml"]);
    assert!(said.contains("nonexistent"), "{said}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told_and_loses_nothing() {
    let (folder, path) = experiment(SMALL);
    let results = folder.path().join("small.results.jsonl");
    std::os::unix::fs::symlink("/dev/full", &results).unwrap();
    let said = refuse(&["lab", "run", &path]);
    assert!(said.contains("cannot write") && said.contains("No space left"), "{said}");
    // Figures that are nowhere else are told before they are written.
    let command =
        ["lab", "compare", "tictactoe", "--depth", "5", "--engines", "ybwc", "--markdown", "/dev/full"];
    let run = Command::new(env!("CARGO_BIN_EXE_multigame")).args(command).output().unwrap();
    assert_eq!(run.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&run.stdout).contains("ybwc"), "{run:?}");
}

#[test]
fn algorithms_are_compared_with_the_same_sequential_search() {
    let rows = rows(&[
        "lab",
        "compare",
        "connect4",
        "--depth",
        "5",
        "--engines",
        "ybwc,jamboree",
        "--processors",
        "1,8",
        "--seeds",
        "1,2",
    ]);
    assert_eq!(rows.len(), 4);
    assert!(
        (number(&rows[0], "speedup") - 1.0).abs() < 1e-9 && (number(&rows[2], "speedup") - 1.0).abs() < 1e-9
    );
    assert!(number(&rows[1], "speedup_error") >= 0.0);
    refuse(&["lab", "compare", "connect4", "--depth", "5", "--engines", "nonsense"]);
}

#[test]
fn parts_are_switched_off_one_by_one() {
    let folder = tempfile::tempdir().unwrap();
    let saved = folder.path().join("parts.toml");
    let arguments = [
        "lab",
        "ablate",
        "tictactoe",
        "--depth",
        "6",
        "--processors",
        "4",
        "--save",
        saved.to_str().unwrap(),
    ];
    let rows = rows(&arguments);
    let variants: Vec<&str> = rows.iter().map(|row| row["variant"].as_str().unwrap()).collect();
    for part in ["as it is", "without window narrowing", "without kills", "least depth 3", "local tables"] {
        assert!(variants.contains(&part), "{variants:?}");
    }
    // The file that was saved is the same experiment.
    assert_eq!(self::rows(&["lab", "run", saved.to_str().unwrap()]), rows);
}

#[test]
fn a_run_is_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let common = ["connect4", "--depth", "6", "--processors", "4"];
    let (picture, events, tree) = (file("a.svg"), file("a.json"), file("tree.svg"));
    let trace = rows(&[&["lab", "trace"][..], &common, &["--svg", &picture, "--events", &events]].concat());
    let parts: f64 = trace[0]["parts"].as_object().unwrap().values().map(|part| part.as_f64().unwrap()).sum();
    assert!(parts > 0.9 && parts < 1.000_001, "{trace:?}");
    let events: Value = serde_json::from_str(&std::fs::read_to_string(events).unwrap()).unwrap();
    assert!(events["traceEvents"].as_array().unwrap().len() > 5);
    let drawn = rows(&[&["lab", "tree"][..], &common, &["--svg", &tree, "--width", "3"]].concat());
    assert!(number(&drawn[0], "drawn") > 3.0 && number(&drawn[0], "drawn") <= 13.0, "{drawn:?}");
    assert!(std::fs::read_to_string(tree).unwrap().contains("processor 0"));
    let alone =
        rows(&["lab", "tree", "connect4", "--depth", "6", "--processors", "1", "--svg", &file("b.svg")]);
    assert!(number(&alone[0], "drawn") > 3.0, "{alone:?}");
    refuse(&[&["lab", "trace"][..], &common, &["--number", "7"]].concat());
}

/// Threads are drawn like virtual processors.
#[test]
fn a_run_on_threads_is_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let run = ["connect4", "--depth", "9", "--processors", "2", "--fabric", "threads"];
    let trace = rows(&[&["lab", "trace"][..], &run, &["--svg", &file("a.svg")]].concat());
    let parts: f64 = trace[0]["parts"].as_object().unwrap().values().map(|part| part.as_f64().unwrap()).sum();
    assert!(parts > 0.2 && parts < 1.000_001 && number(&trace[0], "intervals") > 2.0, "{trace:?}");
    let drawn = rows(&[&["lab", "tree"][..], &run, &["--svg", &file("b.svg")]].concat());
    assert!(number(&drawn[0], "drawn") > 3.0, "{drawn:?}");
}

/// Who stops an experiment hears at once what happens, and at the end what is kept.
#[cfg(unix)]
#[test]
fn an_experiment_that_is_stopped_says_what_is_kept() {
    let (folder, path) = experiment(&SMALL.replace("depth = 4", "depth = 13"));
    let run = Command::new(env!("CARGO_BIN_EXE_multigame"))
        .args(["lab", "run", &path, "--jobs", "1"])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let results = folder.path().join("small.results.jsonl");
    let has_begun = || std::fs::read_to_string(&results).is_ok_and(|text| text.lines().count() >= 5);
    while !has_begun() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let number = run.id().to_string();
    assert!(Command::new("kill").args(["-INT", &number]).status().unwrap().success());
    let run = run.wait_with_output().unwrap();
    let [said, told] = [run.stdout, run.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    assert_eq!(run.status.code(), Some(130), "{said} {told}");
    assert!(told.contains("Ctrl-C again ends at once"), "{told}");
    assert!(said.contains("missing: the same command goes on") && said.contains("kept in"), "{said}");
}

/// Whatever goes wrong, values are those of one processor: the laboratory compares them.
#[test]
fn faults_come_from_the_seed() {
    let command = ["lab", "speedup", "othello", "--depth", "5", "--processors", "8", "--faults"];
    let run = |faults, seed| rows(&[&command[..], &[faults, "--seed", seed]].concat());
    for faults in ["delays", "slow=2", "dies=2", "delays=3,slow=1x5,dies=1"] {
        let first = run(faults, "3");
        assert_eq!(first, run(faults, "3"), "{faults}");
        assert_ne!(first[1]["seconds"], run("none", "3")[1]["seconds"], "{faults}");
    }
    assert_ne!(run("dies=2", "3")[1], run("dies=2", "4")[1]);
}

#[test]
fn who_works_on_a_puzzle_is_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let picture = folder.path().join("a.svg");
    let common = [
        "lab",
        "trace",
        "puzzle15",
        "--suite",
        "korf15",
        "--number",
        "12",
        "--depth",
        "39",
        "--processors",
        "4",
    ];
    for engine in ["tds", "stealing"] {
        let row =
            &rows(&[&common[..], &["--engine", engine, "--svg", picture.to_str().unwrap()]].concat())[0];
        let part = |name: &str| number(&row["parts"], name);
        assert!(part("searching") > 0.0 && part("no work") > 0.0, "{row}");
        assert!((part("searching") + part("no work") - 1.0).abs() < 1e-6, "{row}");
        assert!(std::fs::read_to_string(&picture).unwrap().contains(engine));
    }
    refuse(&[
        "lab",
        "tree",
        "puzzle15",
        "--depth",
        "9",
        "--processors",
        "4",
        "--engine",
        "tds",
        "--svg",
        "/tmp/none.svg",
    ]);
}

#[test]
fn tables_of_the_originals_stand_beside_ours() {
    let tables = rows(&["lab", "tables"]);
    assert!(tables.iter().any(|table| table["name"] == "zugzwang-variants"));
    for table in &tables {
        let figures = rows(&["lab", "tables", table["name"].as_str().unwrap()]);
        // Some figures of the originals are lost.
        let (known, lost): (Vec<_>, Vec<_>) =
            figures.iter().partition(|figure| figure["original"].is_number());
        assert!(!known.is_empty() && known.iter().all(|figure| number(figure, "original") > 0.0), "{table}");
        assert!(known.iter().all(|figure| figure["ours"].is_number()), "{table}");
        assert!(lost.iter().all(|figure| number(figure, "ours") > 0.0), "{table}");
    }
    assert!(refuse(&["lab", "tables", "zugzwang-variant"]).contains("zugzwang-variants"));
}

/// What is found is shown, used and forgotten.
#[test]
fn good_values_are_found_and_kept() {
    let folder = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_multigame"));
        command.args(arguments).env("XDG_DATA_HOME", folder.path()).output().unwrap()
    };
    let say = |arguments: &[&str]| {
        let told = run(arguments);
        assert!(told.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&told.stderr));
        String::from_utf8(told.stdout).unwrap()
    };
    assert!(say(&["lab", "tune"]).contains("nothing is tuned yet"));
    let virtual_ones = ["--fabric", "virtual", "--processors", "8", "--network", "ethernet"];
    let told = say(&[&["lab", "tune", "connect4", "--depth", "5"][..], &virtual_ones].concat());
    assert!(told.contains("best of ybwc: least depth"), "{told}");
    // On threads two ways are tried, and one of them is the fastest.
    say(&["lab", "tune", "tictactoe", "--depth", "4", "--selective"]);
    let all = say(&["lab", "tune"]);
    assert!(all.contains("connect4, 8 processors, virtual ethernet full, asked tables, ybwc"), "{all}");
    assert!(all.contains("tictactoe, 2 processors, threads, side-by-side: least depth"), "{all}");
    assert!(all.contains("tictactoe, 2 processors, threads, ybwc: least depth"), "{all}");
    assert_eq!(all.matches("; the fastest").count(), 1, "{all}");
    // A search for the values of one way alone does not say that it is the fastest, nor that it is not.
    say(&["lab", "tune", "tictactoe", "--depth", "3", "--engine", "ybwc"]);
    assert_eq!(say(&["lab", "tune"]).matches("; the fastest").count(), 1, "{all}");
    say(&["search", "tictactoe", "--threads", "2", "--engine", "ybwc", "--depth", "4"]);
    // Values for tables that clusters do not have are kept beside the others.
    say(&[&["lab", "tune", "connect4", "--depth", "4", "--tables", "replicated"][..], &virtual_ones].concat());
    let all = say(&["lab", "tune"]);
    assert!(
        ["asked tables, ybwc", "replicated tables, ybwc"].iter().all(|tables| all.contains(tables)),
        "{all}"
    );
    assert!(say(&["lab", "tune", "tictactoe", "--forget"]).contains("2 forgotten"));
    assert!(!say(&["lab", "tune"]).contains("tictactoe"));
    let file = folder.path().join("multigame").join("tuned.jsonl");
    std::fs::write(&file, "nonsense").unwrap();
    let told = run(&["search", "tictactoe", "--threads", "2", "--depth", "2"]);
    assert_eq!(told.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&told.stderr).contains("line 1 is not what `lab tune` writes"));
}

/// A run of hours hears Ctrl-C, and what it was doing is no figure.
#[cfg(unix)]
#[test]
fn a_run_can_be_stopped_in_the_middle() {
    use std::io::{BufRead, BufReader};
    for game in [&["connect4", "--depth", "60"][..], &["puzzle15", "--engine", "tds", "--depth", "90"]] {
        for fabric in ["virtual", "threads"] {
            let mut run = Command::new(env!("CARGO_BIN_EXE_multigame"))
                .args(["lab", "speedup"])
                .args(game)
                .args(["--processors", "1,2", "--fabric", fabric])
                .stdout(std::process::Stdio::piped())
                .spawn()
                .unwrap();
            let mut said = BufReader::new(run.stdout.take().unwrap());
            let mut head = String::new();
            while !head.contains("speedup ") {
                assert!(said.read_line(&mut head).unwrap() > 0, "{game:?}: {head}");
            }
            let number = run.id().to_string();
            assert!(Command::new("kill").args(["-INT", &number]).status().unwrap().success());
            assert_eq!(run.wait().unwrap().code(), Some(130), "{game:?} on {fabric}");
            let rest: Vec<String> = said.lines().map(Result::unwrap).collect();
            assert!(rest.is_empty(), "{game:?} on {fabric}: {rest:?}");
        }
    }
}
