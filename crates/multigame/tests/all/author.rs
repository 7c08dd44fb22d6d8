//! The commands for people who write rules: `check` that plays, `test`, `new`, `show`, `games --source`, `fmt` of the
//! library; and what an installation needs.

#![allow(clippy::unwrap_used)] // tests are free to

use crate::support::{all_rows, refuse, run_with, succeed};

fn file(name: &str, content: &str) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, content).unwrap();
    let path = path.to_str().unwrap().to_owned();
    (folder, path)
}

#[test]
fn a_new_game_is_right_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let name = folder.path().join("mygame");
    let name = name.to_str().unwrap();
    assert!(succeed(&["new", name]).contains("multigame play"));
    let path = format!("{name}.mg");
    assert!(std::fs::read_to_string(&path).unwrap().starts_with("# title: mygame"));
    assert!(succeed(&["check", &path]).contains("0 errors, 0 warnings"));
    assert!(succeed(&["test", &path]).contains("3 expectations, all met"));
    succeed(&["fmt", "--check", &path]);
    assert!(refuse(&["new", name]).contains("already"));
    assert!(refuse(&["new", ""]).contains("name"));
}

#[test]
fn expectations_that_are_not_met_are_told() {
    let rules = "dimensions (3, 1)\nsides = 1\npieces { mark 'X' 'O' }\nsetup\n{\n...\n}\n\
        main = find empty field, replace by mark.\n# perft: 3, 7\n# moves: a1, b1\n";
    let (_folder, path) = file("wrong.mg", rules);
    let output = run_with(&["test", &path], b"");
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains(":9: perft: expected 3, 7, found 3, 6"), "{said}");
    assert!(said.contains(":10: moves: missing: none; not expected: c1"), "{said}");
    let rows = String::from_utf8(run_with(&["test", &path, "--json"], b"").stdout).unwrap();
    assert_eq!(rows.lines().count(), 3, "{rows}");
    let (_folder, path) =
        file("silent.mg", "dimensions (3, 1)\npieces { mark 'X' 'O' }\nmain = find mark.\n");
    assert!(refuse(&["test", &path]).contains("expects nothing"));
}

#[test]
fn what_was_not_checked_is_not_counted_as_met() {
    let rules = "dimensions (3, 1)\nsides = 1\npieces { mark 'X' 'O' }\nsetup\n{\n...\n}\n\
        main = try [ find empty field, replace by mark ] else loss.\n# perft: 3 6\n# perft: 3, 6, 1,000\n# after: a1, d1\n# moves: c1\n\
        # after: a1, b1, c1, a1\n# perft: 1,000\n";
    let (_folder, path) = file("after.mg", rules);
    let said = String::from_utf8(run_with(&["test", &path], b"").stdout).unwrap();
    assert!(said.contains("`3 6` is no number: separate them by `,`"), "{said}");
    assert!(said.contains("`a1` is no legal move here: the game is over: black has lost"), "{said}");
    assert!(said.contains("expected 3, 6, 1000, found 3, 6, 6"), "{said}");
    assert!(said.contains("6 expectations, 4 not met, 2 not checked because of them"), "{said}");
    // The mistake is told of, and no warning of what it makes useless.
    let (_folder, path) =
        file("wrong.mg", "dimensions (3, 1)\npieces { mark 'X' 'O' }\nmain = fnd mark.\n# perft: 1\n");
    let said = String::from_utf8(run_with(&["test", &path], b"").stdout).unwrap();
    assert!(said.contains("E010") || said.contains("E021"), "{said}");
    assert!(!said.contains("warning"), "{said}");
}

#[test]
fn a_game_that_is_not_there_is_told_of_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let name = folder.path().join("teeko");
    succeed(&["new", name.to_str().unwrap()]);
    let missing = folder.path().join("teekoo.mg");
    let near = folder.path().join("teeko.mg");
    let said = refuse(&["show", missing.to_str().unwrap()]);
    assert!(said.contains(&format!("did you mean `{}`?", near.display())), "{said}");
    assert!(refuse(&["perft", near.to_str().unwrap(), "2"]).contains("write `--depth 2`"));
    assert!(refuse(&["search", near.to_str().unwrap(), "2"]).contains("write `--depth 2`"));
    assert!(refuse(&["match", near.to_str().unwrap(), "2"]).contains("write `--games 2`"));
    assert!(refuse(&["selfplay", near.to_str().unwrap(), "20"]).contains("write `--games 20`"));
    let said = refuse(&["check", missing.to_str().unwrap()]);
    assert!(said.contains(&format!("did you mean `{}`?", near.display())), "{said}");
}

#[test]
fn fields_that_are_not_used_are_stars_in_positions() {
    let rules = "dimensions (3, 2)\nsides = 1\npieces { mark 'X' 'O' }\nsetup\n{\n ..\n...\n}\n\
        main = find empty field, replace by mark.\n";
    let (_folder, path) = file("stars.mg", rules);
    succeed(&["show", &path, "--position", "*X1/3 b"]);
    let said = refuse(&["show", &path, "--position", "2*/3 b"]);
    assert!(said.contains("without pieces, the row is `*2`"), "{said}");
}

/// Interpreted and compiled.
#[test]
fn the_library_does_what_its_comments_say() {
    let games = concat!(env!("CARGO_MANIFEST_DIR"), "/../../games");
    let files: Vec<String> = [games.to_owned(), format!("{games}/sizes")]
        .iter()
        .flat_map(|folder| std::fs::read_dir(folder).unwrap())
        .map(|entry| entry.unwrap().path().to_str().unwrap().to_owned())
        .filter(|path| path.ends_with(".mg"))
        .collect();
    let arguments: Vec<&str> = ["test"].into_iter().chain(files.iter().map(String::as_str)).collect();
    assert_eq!(succeed(&arguments).matches("all met").count(), files.len());
}

#[test]
fn pages_of_the_documentation_are_tested_too() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../README.md");
    assert!(succeed(&["test", page]).contains("all met"));
}

#[test]
fn check_plays_some_games() {
    let rules = "dimensions (3, 1)\nsides = 1\npieces { man 'M' 'm' }\nsetup\n{\nM.m\n}\n\
        main = find own man, pick up, north, step, put down.\n";
    let (_folder, path) = file("stuck.mg", rules);
    assert!(succeed(&["check", &path]).contains("W007"));
    assert!(!succeed(&["check", &path, "--no-play"]).contains("W007"));
}

#[test]
fn the_library_can_be_read_and_laid_out() {
    let source = succeed(&["games", "chess", "--source"]);
    assert!(source.starts_with("# title: Chess"), "{source}");
    assert_eq!(succeed(&["fmt", "chess"]), source);
    succeed(&["fmt", "--check", "chess", "othello"]);
    assert!(refuse(&["games", "--source"]).contains("<NAME>"));
}

#[test]
fn positions_are_shown_as_text_and_as_pictures() {
    let text = succeed(&["show", "chess"]);
    assert!(text.contains("1  R  N  B  Q  K  B  N  R"), "{text}");
    assert!(succeed(&["show", "chess", "--flip"]).starts_with("1  R  N  B  K"));
    let svg = succeed(&["show", "othello", "--svg"]);
    assert!(svg.starts_with("<svg ") && svg.matches("<circle").count() >= 4, "{svg}");
    let row = &all_rows(&["show", "tictactoe", "--svg"])[0];
    assert!(row["svg"].as_str().unwrap().starts_with("<svg "), "{row}");
    assert!(refuse(&["show", "chess", "--position", "nonsense"]).contains("--position"));
}

#[test]
fn a_number_stands_beside_the_piece_on_its_field() {
    let (_folder, path) = file(
        "heights.mg",
        "dimensions (2, 1)\nsides = 1\npieces { man 'M' 'm' }\nproperties { height : field : [0 .. 3] }\n\
         setup\n{\nM.\nheight = 2 1\n}\n\
         main = find own man, pick up, east, step, assert (height < 3), put down.\n",
    );
    let svg = succeed(&["show", &path, "--svg"]);
    let size_of = |number: &str| {
        let line =
            svg.lines().find(|line| line.ends_with(&format!(">{number}</text>")) && line.contains("#222222"));
        line.unwrap().split("font-size=\"").nth(1).unwrap().split('"').next().unwrap().to_owned()
    };
    assert_eq!((size_of("2"), size_of("1")), ("12".to_owned(), "17".to_owned()), "{svg}");
}

#[test]
fn games_that_do_not_end_are_given_up_on_request() {
    let row = &all_rows(&["selfplay", "chess", "--games", "3", "--max-moves", "10"])[0];
    assert_eq!((row["unfinished"].as_u64(), row["longest"].as_u64()), (Some(3), Some(10)), "{row}");
}

#[test]
fn shells_and_manuals_know_every_command() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        assert!(succeed(&["completions", shell]).contains("selfplay"), "{shell}");
    }
    let folder = tempfile::tempdir().unwrap();
    succeed(&["man", folder.path().to_str().unwrap()]);
    let page = std::fs::read_to_string(folder.path().join("multigame-perft.1")).unwrap();
    assert!(page.contains("perft") && folder.path().join("multigame.1").exists(), "{page}");
    assert!(refuse(&["completions", "ksh"]).contains("bash"));
}

/// What a game in the terminal says to these lines.
fn play(arguments: &[&str], lines: &str) -> String {
    let output = run_with(&[&["play"], arguments].concat(), lines.as_bytes());
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn games_are_saved_and_taken_up_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.pgn");
    let path = path.to_str().unwrap();
    let both = ["chess", "--side", "both"];
    let said = play(&both, &format!("e4\ne5\nNf3\nhistory\nsave {path}\n"));
    assert!(said.contains("1. e4 e5  2. Nf3"), "{said}");
    let again = play(&both, &format!("load {path}\nhistory\nNc6\nhistory\n"));
    assert!(again.contains("2. Nf3 Nc6"), "{again}");
    // What is on file is a game as others write it, and nothing is written over it.
    let kept = std::fs::read_to_string(path).unwrap();
    assert!(
        kept.starts_with("[Event \"multigame play\"]\n[Site \"?\"]\n") && kept.contains("e4 e5 2. Nf3 *")
    );
    assert!(play(&both, &format!("d4\nsave {path}\n")).contains("is there already"));
    assert_eq!(std::fs::read_to_string(path).unwrap(), kept);
    assert!(play(&both, "load /no/such/file\nlevel god\nlevel club\n").contains("beginner"));
}

#[test]
fn black_looks_from_the_other_side_and_can_turn_the_board() {
    let said = play(&["chess", "--side", "black", "--depth", "1"], "flip\nquit\n");
    assert!(said.contains("1  R  N  B  K"), "{said}");
    assert!(said.contains("8  r  n  b  q"), "{said}");
}

#[test]
fn puzzles_begin_scrambled() {
    let solved = "3  .  1  2";
    assert!(play(&["puzzle8", "--scramble", "0"], "quit\n").contains(solved));
    assert!(!play(&["puzzle8", "--seed", "3"], "quit\n").contains(solved));
    assert!(!play(&["puzzle8", "--scramble", "25", "--seed", "3"], "quit\n").contains(solved));
    assert!(play(&["puzzle8", "--scramble", "0"], "scramble\nscramble x\n").contains("at most 1000"));
    assert!(refuse(&["play", "chess", "--scramble", "3"]).contains("puzzles"));
}

#[test]
fn a_start_may_be_written_in_one_line() {
    let (_folder, path) = file(
        "line.mg",
        "dimensions (3, 3)\nsides = 1\npieces { man 'X' 'O' }\nsetup { X.. / ... / ..O }\n\
         main = try [ find own man, pick up, any direction, step, points at empty field, put down ] else loss.\n",
    );
    let said = succeed(&["check", &path]);
    assert!(said.contains("0 errors, 0 warnings"), "{said}");
}

#[test]
fn a_bare_name_is_laid_out_too() {
    let folder = tempfile::tempdir().unwrap();
    let name = folder.path().join("mygame");
    let name = name.to_str().unwrap();
    succeed(&["new", name]);
    succeed(&["fmt", "--check", name]);
}
