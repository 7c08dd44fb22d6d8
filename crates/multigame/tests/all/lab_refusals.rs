//! What `multigame lab` refuses, and what it says then.

#![allow(clippy::unwrap_used)]

use crate::support::{refuse, rows};

#[test]
fn impossible_experiments_are_refused() {
    for arguments in [
        &["lab", "speedup", "chess", "--depth", "3", "--engine", "nonsense"][..],
        &["lab", "speedup", "chess", "--depth", "3", "--network", "nonsense"],
        &["lab", "speedup", "chess", "--depth", "3", "--processors", "0"],
        &["lab", "speedup", "puzzle15", "--depth", "3"],
        &["lab", "speedup", "chess", "--depth", "3", "--suite", "nonsense"],
        &["lab", "speedup", "native:chess", "--depth", "3", "--signatures", "coded"],
        &["lab", "calibrate", "puzzle15"],
        &["lab", "speedup", "chess", "--depth", "3", "--engine", "tdsab", "--tables", "local"],
        &["lab", "speedup", "chess", "--depth", "3", "--engine", "er", "--ask", "neighbours"],
        &["lab", "ablate", "chess", "--depth", "3", "--engine", "aphid"],
        &["lab", "tune", "chess", "--engine", "lazysmp"],
        &["lab", "tune", "--forget"],
        &["lab", "tune", "chess", "--tables", "local"],
        &["lab", "tune", "puzzle15", "--engine", "tds", "--tables", "local"],
        &["lab", "tune", "puzzle15", "--engine", "tds", "--fabric", "virtual"],
    ] {
        assert!(!refuse(arguments).is_empty(), "{arguments:?}");
    }
}

/// Figures that were made without an option would be taken for figures with it.
#[test]
fn options_without_a_meaning_are_refused() {
    let threads = ["lab", "speedup", "connect4", "--depth", "3", "--fabric", "threads"];
    let puzzle = ["lab", "speedup", "puzzle15", "--depth", "30", "--engine", "tds"];
    let refused = |common: &[&str], options: &[&str], said: &str| {
        let told = refuse(&[common, options].concat());
        assert!(told.contains(said) && told.contains(options[0]), "{told}");
    };
    for options in [
        &["--network", "ethernet"][..],
        &["--topology", "grid"],
        &["--table-depth", "2"],
        &["--no-prefetch"],
        &["--node-cost", "5"],
        &["--tables", "local"],
    ] {
        refused(&threads, options, "virtual processors");
    }
    for options in [
        &["--tables", "local"][..],
        &["--ask", "father"],
        &["--no-help"],
        &["--selective"],
        &["--slow-start"],
        &["--exchange"],
        &["--no-prefetch"],
        &["--algorithm", "mtdf"],
    ] {
        refused(&puzzle, options, "games for two");
    }
    refused(&["lab", "speedup", "chess", "--depth", "3"], &["--patterns"], "puzzles");
    refused(&["lab", "speedup", "chess", "--depth", "3"], &["--node-cost", "0"], "1..=");
    for engine in ["abdada", "lazysmp", "er"] {
        for command in ["speedup", "trace"] {
            let common = ["lab", command, "chess", "--depth", "3", "--processors", "4", "--engine", engine];
            refused(&common, &["--slow-start"], "has no meaning");
        }
    }
    let abdada = ["lab", "speedup", "chess", "--depth", "3", "--engine", "abdada", "--fabric", "threads"];
    assert!(refuse(&[&abdada[..], &["--exchange"]].concat()).contains("one record"));
    assert!(
        refuse(&["lab", "trace", "chess", "--depth", "3", "--processors", "4", "--engine", "tds"])
            .contains("no puzzle")
    );
    let faults = [&threads[..], &["--faults", "delays"]].concat();
    assert!(refuse(&faults).contains("virtual processors"));
    let trace = ["lab", "trace", "puzzle15", "--depth", "30", "--engine", "tds", "--processors", "4"];
    assert!(refuse(&[&trace[..], &["--faults", "dies=1"]].concat()).contains("when a processor dies"));
    assert!(refuse(&["lab", "speedup", "chess", "--depth", "3", "--faults", "dies"]).contains("dies=COUNT"));
    assert!(
        refuse(&["lab", "speedup", "chess", "--depth", "3", "--ask", "neighbours=300"])
            .contains("from 0 to 255")
    );
    refuse(&["lab", "compare", "connect4", "--depth", "3", "--seeds", "1,1"]);
}

#[test]
fn options_that_change_nothing_are_refused() {
    let chess = ["lab", "speedup", "chess", "--depth", "3"];
    let refused = |options: &[&str], said: &str| {
        let told = refuse(&[&chess[..], options].concat());
        assert!(told.contains(said), "{told}");
    };
    for tables in ["shared", "local", "replicated", "asked"] {
        refused(&["--tables", tables, "--no-prefetch"], "--no-prefetch is for partitioned ones");
    }
    for tables in ["shared", "local"] {
        refused(&["--tables", tables, "--table-depth", "2"], "neither ask nor tell others");
    }
    for engine in ["er", "uidpabs", "lazysmp"] {
        refused(&["--engine", engine, "--least-depth", "2"], "--least-depth has no meaning");
    }
    refused(&["--engine", "aphid", "--algorithm", "mtdf"], "a leader that chooses the windows");
    refused(&["--engine", "sss", "--algorithm", "alphabeta"], "null windows alone");
    refused(&["--processors", "2,8", "--faults", "dies=2"], "of 2 processors at most 1 can die");
    refused(&["--processors", "1", "--faults", "delays"], "several processors");
    let puzzle = ["puzzle15", "--depth", "30", "--engine", "tds", "--processors", "4"];
    let picture = [&["lab", "trace"][..], &puzzle].concat();
    for options in [&["--least-depth", "9"][..], &["--patterns"], &["--divided"], &["--first", "2"]] {
        assert!(refuse(&[&picture[..], options].concat()).contains(options[0]), "{options:?}");
    }
    let figures = [&["lab", "speedup"][..], &puzzle].concat();
    assert!(refuse(&[&figures[..], &["--signatures", "coded"]].concat()).contains("games for two"));
    assert!(refuse(&[&figures[..], &["--divided", "--least-depth", "9"]].concat()).contains("--divided"));
    let compared = ["lab", "compare", "chess", "--depth", "3", "--engines", "er,sss", "--least-depth", "2"];
    assert!(refuse(&compared).contains("a leader"));
}

/// Puzzles have a least depth, too: what is below it is searched by the processor that has it.
#[test]
fn a_least_depth_of_puzzles_saves_journeys() {
    let puzzle = ["lab", "speedup", "puzzle15", "--suite", "korf15", "--first", "1", "--depth", "45"];
    let dives = |options: &[&str]| {
        let rows = rows(&[&puzzle[..], &["--engine", "tds", "--processors", "4"], options].concat());
        rows[1]["dives"].as_u64().unwrap()
    };
    assert!(dives(&[]) == 0 && dives(&["--least-depth", "30"]) > 0);
}

/// A refusal says what does work.
#[test]
fn refusals_say_what_to_do() {
    let told = |arguments: &[&str], said: &str| {
        let told = refuse(arguments);
        assert!(told.contains(said), "{arguments:?}: {told}");
    };
    let tree = ["lab", "tree", "chess", "--depth", "4", "--processors", "4", "--svg", "/tmp/none.svg"];
    for engine in ["aphid", "tdsab", "lazysmp"] {
        told(&[&tree[..], &["--engine", engine]].concat(), "give an engine that does, such as ybwc");
    }
    told(&[&tree[..], &["--least-depth", "50"]].concat(), "a greater --depth");
    let puzzle = ["puzzle15", "--depth", "9", "--processors", "4"];
    told(
        &[&["lab", "tree", "--svg", "/tmp/none.svg"][..], &puzzle].concat(),
        "`lab trace --engine tds` draws",
    );
    told(&["lab", "calibrate", "puzzle15"], "--node-cost NS");
    told(&["lab", "tune", "puzzle15"], "give --engine tds");
    told(&[&["lab", "speedup"][..], &puzzle].concat(), "--engine tds or stealing");
    let threads = ["--fabric", "threads"];
    told(&[&["lab", "trace", "--engine", "tds"][..], &puzzle, &threads].concat(), "give --fabric virtual");
    let two = ["lab", "trace", "chess", "--depth", "3", "--processors", "2", "--engine", "abdada"];
    told(&[&two[..], &threads].concat(), "neither send anything nor wait");
    let one = ["lab", "trace", "chess", "--depth", "3", "--processors", "1"];
    told(&[&one[..], &threads].concat(), "give --processors 2");
    let names = refuse(&["search", "chess", "--engine", "nonsensical"]);
    assert_eq!(names.matches(" sss,").count(), 1, "{names}");
}

/// Tables that no machine has room for are refused before anything is begun.
#[test]
fn tables_larger_than_the_memory_are_refused() {
    let most = ["--table", "16777216"];
    for command in [
        &["lab", "speedup", "connect4", "--depth", "4", "--processors", "4096"][..],
        &["lab", "speedup", "puzzle15", "--engine", "tds", "--depth", "30", "--processors", "4096"],
        &["lab", "compare", "connect4", "--depth", "4", "--processors", "4096"],
        &["lab", "trace", "connect4", "--depth", "4", "--processors", "4096"],
        &["lab", "tune", "connect4", "--fabric", "virtual", "--depth", "3", "--processors", "4096"],
    ] {
        let told = refuse(&[command, &most].concat());
        assert!(told.contains("MiB for tables") && told.contains("or less"), "{command:?}: {told}");
    }
    // All of them together have as much as one.
    let small = ["lab", "speedup", "connect4", "--depth", "2", "--processors", "4096", "--table", "4000"];
    assert_eq!(rows(&[&small[..], &["--equal-memory"]].concat()).len(), 2);
}

/// What has no effect is said, not swallowed.
#[test]
fn numbers_that_no_run_would_follow_are_refused() {
    let told = |arguments: &[&str], said: &str| {
        let told = refuse(arguments);
        assert!(told.contains(said), "{arguments:?}: {told}");
    };
    let speedup = ["lab", "speedup", "connect4", "--depth", "3"];
    told(&[&speedup[..], &["--threads", "2"]].concat(), "--processors N");
    told(&[&speedup[..], &["--suite", "bratko-kopec", "--first", "0"]].concat(), "1..");
    told(&[&speedup[..], &["--processors", "8", "--faults", "slow=7x100000"]].concat(), "1000 at most");
    told(&["lab", "run", "none.toml", "--seed", "3"], "seeds = [3]");
    let trace = ["lab", "trace", "connect4", "--depth", "3", "--processors", "2", "--number", "0"];
    told(&trace, "1..");
    for tables in ["asked", "shared"] {
        let combine = ["--processors", "2", "--tables", tables, "--combine", "4"];
        told(&[&speedup[..], &combine].concat(), "--combine is for partitioned ones");
    }
}
