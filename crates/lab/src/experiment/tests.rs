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
    refused(&FILE.replace("[1, 2]", "[1, 2, 1]"), 6, "`seeds` has 1 twice");
    refused(&FILE.replace("jamboree", "ybwc"), 3, "`engines` has ybwc twice");
    refused("", 1, "missing field");
}

/// What a variant has of its own and what it has from the file go together, or are refused together.
#[test]
fn a_variant_is_judged_with_what_the_file_says() {
    let engine =
        |name: &str| FILE.replace("name = \"plain\"", &format!("name = \"plain\"\nengine = \"{name}\""));
    let local = engine("tdsab").replace("seeds", "tables = [\"local\"]\nseeds");
    refused(&local, 13, "variant `plain`: `tdsab` keeps what it knows");
    let partitioned = local.replace("engine = \"tdsab\"", "engine = \"tdsab\"\ntables = \"partitioned\"");
    assert_eq!(Plan::read(&partitioned).unwrap().setups[0].engine, "tdsab");
    let asking = engine("er").replace("least_depth = 1", "ask = \"neighbours\"");
    refused(&asking, 12, "variant `plain`: `er` does not share out brothers: `ask`");
    let root = engine("lazysmp").replace("least_depth = 1", "slow_start = true");
    refused(&root, 12, "variant `plain`: `lazysmp` has all processors search the root");
    let threads = "fabric = \"threads\"\nengines = [\"ybwc\"]\nprocessors = [2]\n@\n[[games]]\ngame = \"connect4\"\ndepth = 4\n";
    assert!(Plan::read(&threads.replace('@', "tables = [\"shared\"]")).is_ok());
    refused(&threads.replace('@', "[options]\nprefetch = false"), 1, "`prefetch` is for virtual processors");
    refused(&threads.replace('@', "node_cost_ns = 5"), 1, "`node_cost_ns` is for virtual processors");
}

/// What changes nothing in any run for which it is given is refused; what the others are compared with is not.
#[test]
fn options_that_change_nothing_are_refused() {
    let small = "engines = [\"ybwc\"]\nprocessors = [1, 4]\n@\n[[games]]\ngame = \"connect4\"\ndepth = 4\n";
    let with = |text: &str| small.replace('@', text);
    for (kind, option) in
        [("shared", "table_depth = 2"), ("local", "table_depth = 0"), ("replicated", "prefetch = true")]
    {
        let text = with(&format!("tables = [\"{kind}\"]\n[options]\n{option}"));
        refused(&text, 1, &format!("{kind} tables"));
        assert!(Plan::read(&text.replace("tables = [", "tables = [\"partitioned\", ")).is_ok(), "{option}");
        let variants =
            format!("[options]\n{option}\n[[variants]]\nname = \"a\"\n[[variants]]\nname = \"b\"\n");
        assert!(Plan::read(&with(&format!("{variants}tables = \"{kind}\""))).is_ok(), "{option}");
        let own = format!("[[variants]]\nname = \"b\"\ntables = \"{kind}\"\noptions = {{ {option} }}");
        refused(&with(&own), 4, &format!("variant `b`: {kind} tables"));
    }
    refused(&with("tables = [\"asked\"]\n[options]\nprefetch = false"), 1, "always ask early");
    let least = with("[options]\nleast_depth = 2");
    assert!(Plan::read(&least.replace("\"ybwc\"", "\"ybwc\", \"er\"")).is_ok());
    refused(&least.replace("ybwc", "er"), 1, "`er` has a leader that gives out whole searches");
    refused(&least.replace("ybwc", "lazysmp"), 1, "`lazysmp` gives nothing away");
    let windows = with("[options]\nalgorithm = \"mtdf\"");
    assert!(Plan::read(&windows).is_ok());
    refused(&windows.replace("\"ybwc\"", "\"ybwc\", \"er\""), 1, "`algorithm` mtdf has no meaning");
    refused(&with("[options]\nfaults = \"dies=4\""), 2, "at most 3 can die");
    let own = "[[variants]]\nname = \"b\"\noptions = { faults = \"slow=4\" }";
    refused(&with(own), 4, "variant `b`: `faults`: of 4 processors at most 3 can be slow");
    refused(&with("[options]\nfaults = \"delays\"").replace("1, 4", "1"), 2, "one has no faults");
}

#[test]
fn the_times_of_several_games_are_summed_up() {
    let game = native::NativeConnect4::new();
    let start = game.info().start.clone().unwrap();
    let subject = Positions::new(&game, &start, std::slice::from_ref(&start)).unwrap();
    let text = "engines = [\"ybwc\"]\nprocessors = [4]\ntotal = \"both\"\n[[games]]\ngame = \"connect4\"\ndepth = 4\n\
                [[games]]\ngame = \"connect4\"\ndepth = 5\n";
    let plan = Plan::read(text).unwrap();
    let mut store = Store::in_memory("1");
    for entry in &plan.subjects {
        let (alone, together) = jobs(&plan, entry, 1);
        let mut watcher = Watcher { stop: &|| false, done: &mut |_| {} };
        perform(&subject, &[alone, together].concat(), 1, &mut store, &mut watcher).unwrap();
    }
    let single: Vec<f64> =
        plan.subjects.iter().map(|entry| lines(&plan, entry, 1, &store)[0].rows[0].seconds).collect();
    let counted: Vec<_> = plan.subjects.iter().map(|entry| (entry, 1)).collect();
    let both = &summary::total(&plan, &counted, &store)[0];
    assert_eq!((both.subject.as_str(), both.positions, both.singles.len()), ("both", 2, 2));
    assert!((both.rows[0].seconds - single.iter().sum::<f64>()).abs() < 1e-12);
    assert!(
        summary::total(&Plan::read(&text.replace("total", "title")).unwrap(), &counted, &store).is_empty()
    );
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
    assert!(markdown.contains("| messages | kilobytes | request | refusal | work |"), "{markdown}");
    let csv = text(&stopped);
    assert!(csv.lines().next().unwrap().ends_with("answers_messages,seeds,version"), "{csv}");
    let columns = |line: &str| line.split(',').count();
    // Fabric and tables are one quoted cell with a comma in it.
    assert!(
        csv.lines().skip(1).all(|line| columns(line) == columns(csv.lines().next().unwrap()) + 1),
        "{csv}"
    );
}
