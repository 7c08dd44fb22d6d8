//! Experiment files, and runs that go on where they were stopped.

use game::Game;

use super::runner::{jobs, missing, perform, verify};
use super::summary::lines;
use super::*;
use crate::subject::Positions;

const FILE: &str = r#"
title = "A test"
engines = ["ybwc", "jamboree"]
networks = ["infiniband"]
processors = [1, 4]
seeds = [1, 2]

[options]
least_depth = 1

[[variants]]
name = "plain"

[[variants]]
name = "alone while waiting"
options = { helps = false }

[[games]]
game = "connect4"
depth = 6
"#;

fn refused(text: &str, line: usize, message: &str) {
    let mistake = Plan::read(text).map(|_| ()).unwrap_err();
    assert!(mistake.message.contains(message), "{mistake}");
    assert_eq!(mistake.line, line, "{mistake}");
}

#[test]
fn a_file_is_the_product_of_its_lists() {
    let plan = Plan::read(FILE).unwrap();
    assert_eq!(plan.setups.len(), 2 * 2 * 2);
    assert_eq!(plan.setups[0].name(), "ybwc, plain");
    assert!(plan.setups[0].conditions.policy.helps && !plan.setups[2].conditions.policy.helps);
    let (alone, together) = jobs(&plan, &plan.subjects[0], 3);
    assert_eq!((alone.len(), together.len()), (3, 8 * 3 * 2));
}

#[test]
fn mistakes_are_told_with_their_line() {
    refused(&FILE.replace("jamboree", "jamborie"), 3, "there is no engine `jamborie`: there are ybwc");
    refused(&FILE.replace("infiniband", "carrier pigeon"), 4, "there is no network");
    refused(&FILE.replace("[1, 4]", "[1, 5000]"), 5, "5000 is out of range");
    refused(&FILE.replace("seeds", "sedes"), 6, "sedes");
    refused(&FILE.replace("[1, 2]", "[]"), 6, "is empty");
    refused(&FILE.replace("\"alone while waiting\"", "\"plain\""), 15, "already");
    refused(&FILE.replace("depth = 6", "depth = \"four\""), 20, "invalid type");
    refused(&FILE.replace("[[games]]", "[[games"), 18, "");
    refused(&FILE.replace("title", "repetitions = 3\ntitle"), 2, "list several `seeds`");
    refused(&FILE.replace("title", "fabric = \"threads\"\ntitle"), 5, "is for virtual processors");
    refused(
        &FILE.replace("jamboree", "er"),
        15,
        "variant `alone while waiting`: `er` does not share out brothers",
    );
    let homes = FILE.replace("jamboree", "tdsab").replace("seeds", "tables = [\"local\"]\nseeds");
    refused(&homes, 3, "its tables are partitioned");
    refused("", 1, "missing field");
}

#[test]
fn an_experiment_goes_on_where_it_was_stopped_with_the_same_figures() {
    let game = native::NativeConnect4::new();
    let start = game.info().start.clone().unwrap();
    let subject = Positions::new(&game, &start, std::slice::from_ref(&start)).unwrap();
    let plan = Plan::read(FILE).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let (alone, together) = jobs(&plan, &plan.subjects[0], 1);
    let all = [alone, together].concat();
    let run = |name: &str, side_by_side, most: usize| {
        let mut store = Store::open(&folder.path().join(name), "1").unwrap();
        let count = std::sync::atomic::AtomicUsize::new(0);
        let stop = || count.load(std::sync::atomic::Ordering::Relaxed) >= most;
        let mut done = |_: &Job| {
            count.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        };
        let jobs = missing(&all, &store);
        perform(&subject, &jobs, side_by_side, &mut store, &mut Watcher { stop: &stop, done: &mut done })
            .unwrap();
        verify(&subject, &all, &store).unwrap();
        (jobs.len(), lines(&plan, &plan.subjects[0], 1, &store))
    };
    assert_eq!(run("a", 1, 5).0, all.len());
    let (left, stopped) = run("a", 1, usize::MAX);
    assert_eq!(left, all.len() - 5);
    let (_, at_once) = run("b", 2, usize::MAX);
    let text = |lines: &[SummaryRow]| report::csv(lines, &plan, "1");
    assert_eq!(text(&stopped), text(&at_once));
    assert_eq!(stopped.len(), plan.setups.len());
    let (one, four) = (stopped[0].speedup(), stopped[1].speedup());
    assert!((one.mean - 1.0).abs() < 1e-9 && one.error.is_some(), "{one:?}");
    assert!(four.mean > 0.0 && (four.mean - 1.0).abs() > 1e-6, "{four:?}");
    let picture = picture::svg(&stopped).unwrap();
    assert!(picture.starts_with("<svg") && picture.contains("jamboree"), "bars");
    let markdown = report::markdown(&stopped, &plan, "1", 0);
    assert!(markdown.contains("| jamboree, plain | 1.00 ± 0.00 |"), "{markdown}");
}
