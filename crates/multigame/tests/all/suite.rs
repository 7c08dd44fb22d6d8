//! `suite`: files of test positions.

#![allow(clippy::unwrap_used)] // tests are free to

use crate::support::{refuse, rows, run_with, succeed};

#[test]
fn suites_come_with_the_program() {
    for (game, suite, positions) in [
        ("chess", "wac", 300),
        ("chess", "bratko-kopec", 24),
        ("native:chess", "ecm-gcp", 183),
        ("native:chess", "sts", 1500),
        ("othello", "othello-ffo-40-59", 20),
        ("othello", "othello-plaat", 20),
        ("checkers", "checkers-plaat", 20),
    ] {
        let rows = rows(&["suite", game, suite, "--nodes", "50", "--hash", "1"]);
        assert_eq!(rows.len(), positions + 1, "{suite}");
        let total = rows.last().unwrap();
        assert_eq!(total["total"], positions, "{total}");
        assert!(total["solved"].is_u64() && total["nodes"].is_u64() && total["seconds"].is_f64());
        for row in &rows[..positions] {
            assert!(row["id"].is_string() && row["move"].is_string() && row["nodes"].is_u64(), "{row}");
        }
        assert_eq!(total["judged"].as_u64().unwrap() > 0, !suite.contains("plaat"), "{total}");
        assert_eq!(total["points_max"].is_u64(), suite == "sts", "{total}");
    }
}

#[test]
fn what_is_found_is_solved() {
    let suite = "\
# three of four
6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Ra8#; id \"mate\";
6k1/5ppp/8/8/8/8/8/R5K1 w - - bm a1a8; dm 1; id \"coordinates\";
6k1/5ppp/8/8/8/8/8/R5K1 w - - am Ra8+; id \"avoid\";
6k1/5ppp/8/8/8/8/8/R5K1 w - - am Kf1 Kg2; id \"other\";
";
    let output = run_with(&["suite", "chess", "-", "--depth", "3"], suite.as_bytes());
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(text.contains("3 of 4 solved"), "{text}");
    assert!(text.lines().any(|line| line.starts_with("avoid") && line.contains("wrong")), "{text}");
}

#[test]
fn endgames_with_points_are_judged_by_their_points() {
    // One empty field: black takes it and the game is over.
    let board = format!("XO-{}", "X".repeat(61));
    let suite = format!("1 {board} X score=+64 best=C1\n2 {board} X score=+2 best=C1\n");
    let (_folder, path) = {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("one.txt");
        std::fs::write(&path, suite).unwrap();
        (folder, path.to_str().unwrap().to_owned())
    };
    let rows = rows(&["suite", "othello", &path, "--depth", "4"]);
    assert_eq!((&rows[0]["solved"], &rows[1]["solved"]), (&true.into(), &false.into()), "{rows:?}");
}

#[test]
fn wrong_files_are_refused() {
    assert!(refuse(&["suite", "chess", "wacc", "--depth", "1"]).contains("wac"));
    let said = refuse(&["suite", "chess", "nonsense", "--depth", "1"]);
    assert!(said.contains("sts") && !said.contains("self-play") && !said.contains("korf"), "{said}");
    assert!(refuse(&["suite", "chess", "wac"]).contains("--time"));
    assert!(refuse(&["suite", "chess", "no/such/file.epd", "--depth", "1"]).contains("no/such/file.epd"));
    assert!(refuse(&["suite", "puzzle15", "wac", "--depth", "1"]).contains("line"));
    for (text, said) in [
        (&b""[..], "no positions"),
        (b"# nothing\n", "no positions"),
        (b"nonsense\n", "line 1"),
        (b"6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Qh5;", "line 1"),
        (b"\xff\xfe\x00", "line 1"),
    ] {
        let output = run_with(&["suite", "chess", "-", "--depth", "1"], text);
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{message}");
        assert!(message.contains(said) && !message.contains("panicked"), "{message}");
    }
}

#[test]
fn only_the_first_positions_are_taken() {
    assert!(succeed(&["suite", "chess", "wac", "--depth", "1", "--first", "3"]).contains("3 positions"));
}

/// A cell of a table, by the name of its column.
fn row_of<'table>(lines: &[&'table str], row: usize, column: &str) -> &'table str {
    let place = lines[0].split(',').position(|name| name == column).unwrap();
    lines[row].split(',').nth(place).unwrap()
}

#[test]
fn tables_and_objects_have_values_and_lines() {
    let suite = ["suite", "chess", "wac", "--depth", "2", "--first", "2"];
    let table = succeed(&[&suite[..], &["--csv"]].concat());
    let lines: Vec<&str> = table.lines().collect();
    assert!(lines[0].starts_with("id,solved,move,") && lines.len() == 3, "{table}");
    for column in ["value", "pv", "depth", "nodes", "seconds", "generations", "table_probes"] {
        assert!(lines[0].split(',').any(|name| name == column), "{column}: {}", lines[0]);
    }
    let names: Vec<&str> = lines[0].split(',').collect();
    assert!(names.iter().all(|name| names.iter().filter(|other| *other == name).count() == 1), "{names:?}");
    // Moves are written as solutions are: with the letter of the piece.
    assert!(row_of(&lines, 1, "move").starts_with(char::is_uppercase), "{table}");
    assert!(row_of(&lines, 1, "generations").parse::<u64>().unwrap() > 0, "{table}");
    assert_eq!(lines[1].split(',').count(), lines[0].split(',').count(), "{table}");
    let row = &rows(&suite)[0];
    assert!(row["move"].as_str().unwrap().starts_with(char::is_uppercase), "{row}");
    assert!(row["value"].is_number() && row["pv"].is_array() && row["statistics"].is_object(), "{row}");
}
