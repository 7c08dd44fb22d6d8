//! Commands that count, measure and compile.

#![allow(clippy::unwrap_used)] // tests are free to

use serde_json::Value;

use crate::cli::{KIWIPETE, json_lines};
use crate::support::{refuse, succeed};

#[test]
fn perft_counts() {
    let text = succeed(&["perft", "chess", "--depth", "3"]);
    assert!(text.contains("8,902 leaves"), "{text}");
    let rows = json_lines(&succeed(&["perft", "chess", "--depth", "3", "--position", KIWIPETE, "--json"]));
    let [row] = &rows[..] else { panic!("one line") };
    assert_eq!((&row["game"], &row["depth"], &row["leaves"]), (&"chess".into(), &3.into(), &97862.into()));
    assert!(row["seconds"].is_f64() && row["leaves_per_second"].is_f64());
}

#[test]
fn perft_divides_and_counts_in_bulk() {
    let arguments = ["perft", "chess", "--depth", "3", "--divide", "--bulk", "--json"];
    let rows = json_lines(&succeed(&arguments));
    assert_eq!(rows.len(), 21);
    let sum: u64 = rows[..20].iter().map(|row| row["leaves"].as_u64().unwrap()).sum();
    assert_eq!((sum, rows[20]["leaves"].as_u64()), (8902, Some(8902)));
    assert!(rows.iter().any(|row| row["move"] == "e2e4" && row["leaves"] == 600));
}

#[test]
fn perft_counts_the_same_on_several_threads() {
    let counts = |game: &str, depth: u32, more: &[&str]| {
        let depth = depth.to_string();
        let text = succeed(&[&["perft", game, "--depth", &depth, "--divide", "--json"][..], more].concat());
        let mut rows = json_lines(&text);
        for row in &mut rows {
            row["seconds"] = Value::Null;
            row["leaves_per_second"] = Value::Null;
        }
        rows
    };
    for game in ["chess", "checkers", "tictactoe", "puzzle15"] {
        for depth in 0..=4 {
            for bulk in [&[][..], &["--bulk"]] {
                let alone = counts(game, depth, bulk);
                let together = counts(game, depth, &[bulk, &["--threads", "3"]].concat());
                assert_eq!(alone, together, "{game}, depth {depth}, {bulk:?}");
            }
        }
    }
    let alone = counts("tictactoe", 9, &["--generator", "interpreter"]);
    let together = counts("tictactoe", 9, &["--generator", "interpreter", "--threads", "512"]);
    assert_eq!(alone, together);
}

#[test]
fn perft_sees_the_whole_of_tictactoe() {
    let rows = json_lines(&succeed(&["perft", "tictactoe", "--depth", "10", "--json"]));
    assert_eq!(rows[0]["nodes"], 549_946);
    assert_eq!(rows[0]["ended"], 255_168);
    assert_eq!(rows[0]["leaves"], 0);
}

#[test]
fn perft_goes_on_through_solved_positions() {
    let counts = [1, 2, 6, 18, 58, 186, 602, 1946, 6298];
    for (depth, leaves) in counts.into_iter().enumerate() {
        let depth = depth.to_string();
        let rows = json_lines(&succeed(&["perft", "puzzle15", "--depth", &depth, "--json"]));
        assert_eq!(rows[0]["leaves"], leaves);
    }
}

#[test]
fn explore_counts_positions_by_distance() {
    let rows = json_lines(&succeed(&["explore", "puzzle15", "--depth", "9", "--json"]));
    let levels: Vec<u64> = rows.iter().map(|row| row["positions"].as_u64().unwrap()).collect();
    assert_eq!(levels, [1, 2, 4, 10, 24, 54, 107, 212, 446, 946]);
    assert_eq!(rows[9]["depth"], 9);
}

#[test]
fn explore_goes_on_with_files_when_memory_is_full() {
    let rows = json_lines(&succeed(&["explore", "puzzle8", "--memory", "1", "--json"]));
    let last = &rows[rows.len() - 1];
    let number = |key: &str| last[key].as_u64().unwrap();
    assert_eq!((number("depth"), number("positions"), number("total")), (31, 2, 181_440));
}

#[test]
fn explore_ends_when_there_is_nothing_new() {
    let text = succeed(&["explore", "tictactoe"]);
    assert!(text.lines().last().unwrap().contains("5,478"), "{text}");
}

#[test]
fn bench_checks_counts_and_compares_with_hand_written_games() {
    let rows = json_lines(&succeed(&["bench", "generators", "connect4", "--rounds", "1", "--json"]));
    let whats: Vec<&str> = rows.iter().map(|row| row["what"].as_str().unwrap()).collect();
    assert_eq!(whats, ["make-all", "bulk", "compile"]);
    assert!(rows[0]["value"].as_f64().unwrap() > 0.0);
    assert!(rows[0]["ratio"].as_f64().unwrap() > 0.0);
    let games = succeed(&["bench", "playouts", "connect4", "--rounds", "1"]);
    assert!(games.contains("connect4"), "{games}");
    let speeds = json_lines(&succeed(&["bench", "search", "connect4", "--rounds", "1", "--json"]));
    assert!(
        speeds[0]["value"].as_f64().unwrap() > 0.0 && speeds[0]["unit"] == "thousand nodes/s",
        "{speeds:?}"
    );
    let passes = succeed(&["bench", "passes", "connect4", "--rounds", "1"]);
    assert!(passes.contains("without all of them"), "{passes}");
    assert!(refuse(&["bench", "generators", "chequers"]).contains("there are puzzle15"));
    // Node counts that are not Korf's are an error.
    let puzzle = json_lines(&succeed(&["bench", "puzzles", "puzzle15", "--rounds", "1", "--json"]));
    assert_eq!((puzzle.len(), &puzzle[0]["what"]), (1, &"distances".into()), "{puzzle:?}");
}

#[test]
fn bench_alone_is_a_checksum_of_all_games() {
    let rows = json_lines(&succeed(&["bench", "--json"]));
    let nodes = |row: &Value| row["value"].as_f64().unwrap();
    let (all, games) = rows.split_last().unwrap();
    assert_eq!(
        (games.len(), nodes(all)),
        (succeed(&["games"]).lines().count() - 2, games.iter().map(nodes).sum())
    );
}

#[test]
fn compile_tells_sizes_and_times() {
    let text = succeed(&["compile", "tictactoe"]);
    assert!(text.contains("passes") && text.contains("functions"), "{text}");
    let rows = json_lines(&succeed(&["compile", "chess", "--json"]));
    assert!(rows[0]["functions"].as_u64().unwrap() > 2);
    assert!(rows[0]["machine_code_ms"].as_f64().unwrap() > 0.0);
}

#[test]
fn compile_shows_what_passes_do() {
    let all = succeed(&["compile", "chess", "--emit", "ir", "--only", "promotion"]);
    let before = all.find("assert (row == 8)").unwrap();
    assert!(before < all.find("# after fields").unwrap(), "{all}");
    assert!(all.contains("on {a8, b8, c8, d8, e8, f8, g8, h8}"), "{all}");
    let last = succeed(&["compile", "chess", "--emit", "ir", "--only", "promotion", "--final"]);
    assert!(last.contains("on {a8") && !last.contains("assert"), "{last}");
    let without = succeed(&["compile", "chess", "--emit", "ir", "--final", "--without", "fields,sight"]);
    assert!(without.contains("assert (row == 8)") && !without.contains("sees"), "{without}");
    let rules = json_lines(&succeed(&["compile", "chess", "--emit", "ir", "--only", "king_move", "--json"]));
    assert_eq!((&rules[0]["rule"], &rules[0]["after"]), (&"king_move".into(), &Value::Null));
}

#[test]
fn compile_shows_functions() {
    let clif = succeed(&["compile", "tictactoe", "--emit", "clif", "--only", "Moves"]);
    assert!(clif.contains("function") && clif.contains("block0"), "{clif}");
    let functions = json_lines(&succeed(&["compile", "tictactoe", "--emit", "asm", "--json"]));
    assert!(functions.iter().all(|one| one["text"].as_str().unwrap().contains("ret")));
    assert!(succeed(&["compile", "tictactoe", "--emit", "asm", "--only", "zzz"]).contains("none of the"));
}

#[test]
fn compile_knows_its_passes() {
    assert!(refuse(&["compile", "chess", "--without", "sihgt"]).contains("sight"));
    assert!(refuse(&["compile", "chess", "--without", "vectorise"]).contains("there are simplify"));
    assert!(refuse(&["compile", "chess", "--without", "loops"]).contains("cannot be left out"));
    assert!(refuse(&["compile", "chequers"]).contains("there is no game"));
}
