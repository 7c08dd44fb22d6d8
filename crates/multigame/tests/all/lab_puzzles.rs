//! Puzzles in the laboratory.

#![allow(clippy::unwrap_used)]

use serde_json::Value;

use super::lab::{experiment, number};
use crate::support::{refuse, rows};

const PUZZLES: &str = r#"
engines = ["tds", "stealing"]
networks = ["myrinet"]
processors = [1, 8]
total = "both"
[options]
equal_memory = true
table_kib = 2000
[[games]]
game = "puzzle15"
suite = "korf15"
only = 12
depth = 39
[[games]]
game = "native:doubleblank"
position_seed = 3
depth = 34
table_kib = 1000
"#;

#[test]
fn puzzles_are_compared_at_the_same_bounds() {
    let (folder, path) = experiment(PUZZLES);
    let found = rows(&["lab", "run", &path]);
    assert_eq!(found.len(), 3 * 4);
    assert!((number(&found[0], "speedup") - 1.0).abs() < 1e-9, "{found:?}");
    assert!(number(&found[1], "speedup") > number(&found[3], "speedup"), "{found:?}");
    let csv = std::fs::read_to_string(folder.path().join("small.csv")).unwrap();
    assert!(
        csv.contains("native:doubleblank seed 3 depth 34,1,virtual myrinet full,myrinet,tds,,8,"),
        "{csv}"
    );
    for (wrong, said) in [
        (PUZZLES.replace("stealing", "ybwc"), "two experiments"),
        (PUZZLES.replace("[options]", "[options]\nask = \"father\""), "games for two"),
        (PUZZLES.replace("depth = 39", "depth = 39\nposition_seed = 3"), "no `suite`"),
        (PUZZLES.replace("puzzle15", "chess"), "no puzzle"),
        (PUZZLES.replace("only = 12", "only = 1000"), "no position 1000"),
    ] {
        let (_folder, path) = experiment(&wrong);
        let told = refuse(&["lab", "run", &path]);
        assert!(told.contains(said), "{told}");
    }
}

/// Figures of puzzles say all that those of games for two say.
#[test]
fn figures_of_puzzles_have_the_same_fields() {
    let fields = |row: &Value| -> Vec<String> { row.as_object().unwrap().keys().cloned().collect() };
    let of_game = rows(&["lab", "speedup", "connect4", "--depth", "3", "--processors", "2"]);
    let puzzle =
        ["lab", "speedup", "puzzle15", "--engine", "tds", "--processors", "2", "--network", "myrinet"];
    let of_puzzle = rows(&[&puzzle[..], &["--suite", "korf15", "--first", "1", "--depth", "43"]].concat());
    let known = fields(&of_puzzle[1]);
    // Jobs and parts of searching are known of games alone.
    let unknown = ["jobs", "nodes_share", "table_share", "messages_share", "waiting_for_slaves", "other"]
        .map(str::to_owned);
    for field in fields(&of_game[1]) {
        assert!(known.contains(&field) || unknown.contains(&field), "{field} is not in {known:?}");
    }
    assert_eq!(of_puzzle[1]["fabric"], "virtual myrinet full");
    let explained = 2.0 * number(&of_puzzle[1], "load") * number(&of_puzzle[1], "performance")
        / (1.0 + number(&of_puzzle[1], "search_overhead"));
    assert!((number(&of_puzzle[1], "speedup") - explained).abs() < 1e-6, "{of_puzzle:?}");
}

/// A puzzle is begun again when a processor dies: the answer is the same, and it takes longer.
#[test]
fn puzzles_survive_the_death_of_a_processor() {
    for engine in ["tds", "stealing"] {
        let command = ["lab", "speedup", "puzzle15", "--engine", engine, "--suite", "korf15", "--first", "1"];
        let run = |faults: &str| {
            rows(&[&command[..], &["--depth", "47", "--processors", "8", "--faults", faults]].concat())
        };
        let (alive, dying) = (run("none"), run("dies=2"));
        assert_eq!(dying, run("dies=2"), "{engine}");
        assert!(number(&dying[1], "seconds") > number(&alive[1], "seconds"), "{engine}: {dying:?}");
        assert!(number(&dying[1], "nodes") > number(&alive[1], "nodes"), "{engine}: {dying:?}");
    }
}

/// The laboratory reads all suites of puzzles that `solve` reads, and positions without a word about them.
#[test]
fn suites_of_puzzles_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let plain = folder.path().join("plain.txt");
    std::fs::write(&plain, "# one\n1 2 0 3 4 5 6 7 8 9 10 11 12 13 14 15\n").unwrap();
    for (game, suite) in [
        ("puzzle24", "korf24"),
        ("puzzle15", "fifteen-hardest"),
        ("puzzle15", "korf15"),
        ("puzzle15", plain.to_str().unwrap()),
    ] {
        let command = ["lab", "speedup", game, "--engine", "tds", "--suite", suite, "--first", "1"];
        let found = rows(&[&command[..], &["--depth", "1", "--processors", "2"]].concat());
        assert_eq!(found.len(), 2, "{game} {suite}");
    }
}
