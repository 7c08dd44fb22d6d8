//! Positions that go through commands and protocols: nothing is lost, what is impossible is refused, what is over is
//! over.

#![allow(clippy::unwrap_used)] // tests are free to

use crate::support::{refuse, run_with, succeed};

/// What the shell says to some lines, on standard output and standard error.
fn talk(arguments: &[&str], lines: &str) -> (String, String) {
    let arguments = [&["shell"], arguments, &["--evaluation", "none"]].concat();
    let output = run_with(&arguments, lines.as_bytes());
    assert_eq!(output.status.code(), Some(0), "{lines}");
    (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
}

/// What `uci` answers to some lines.
fn uci(game: &str, lines: &str) -> String {
    String::from_utf8(run_with(&["uci", game], format!("{lines}\nquit\n").as_bytes()).stdout).unwrap()
}

#[test]
fn write_and_read_back_is_the_same_position() {
    for game in
        ["minishogi", "dobutsu", "awari", "kalah", "morris", "quarto", "surakarta", "tablut", "jesonmor"]
    {
        let (first, _) = talk(&[game, "--seed", "3"], "random 18\nwrite\nlegal\n");
        let is_move = |line: &str| line.starts_with("white: ") || line.starts_with("black: ");
        let line = first.lines().find(|line| line.contains('/') && !is_move(line)).unwrap();
        let (again, said) = talk(&[game], &format!("position {line}\nwrite\nlegal\n"));
        assert_eq!(said, "", "{game}: {line}");
        assert!(first.ends_with(&again), "{game}:\n{first}\n{again}");
    }
}

#[test]
fn moves_are_numbered() {
    let (heard, _) = talk(&["chess"], "e2e4\nwrite\nd7d5\nwrite\ne4d5\nd8d5\nundo\nwrite\n");
    let lines: Vec<&str> = heard.lines().filter(|line| line.contains('/')).collect();
    assert_eq!(
        lines,
        [
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
            "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
            "rnbqkbnr/ppp1pppp/8/3P4/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2",
        ]
    );
    let heard = uci("chess", "position fen 4k3/8/8/8/8/8/8/R3K3 b Q - 7 40 moves e8e7 a1a2 e7e6\nd");
    assert!(heard.contains("Fen: 8/8/4k3/8/8/8/R7/4K3 w - - 10 42"), "{heard}");
}

#[test]
fn impossible_positions_are_refused_everywhere() {
    for (position, reason) in [
        ("8/8/8/8/8/8/8/8 w - - 0 1", "each side must have one king"),
        ("kkkk4/8/8/8/8/8/8/4K3 w - - 0 1", "each side must have one king"),
        ("4k3/4R3/8/8/8/8/8/4K3 w - - 0 1", "must not be able to take the king"),
        ("P3k3/8/8/8/8/8/8/4K3 w - - 0 1", "no pawn can stand on the first or the last row"),
    ] {
        for command in [
            &["perft", "chess", "--depth", "1"][..],
            &["search", "chess", "--depth", "1"],
            &["play", "chess"],
            &["shell", "chess"],
            &["search", "chess", "--depth", "1", "--generator", "interpreter"],
        ] {
            let said = refuse(&[command, &["--position", position]].concat());
            assert!(said.contains(reason), "{command:?}: {said}");
            assert_eq!(said.matches(reason).count(), 1, "it is said once: {said}");
        }
        let (_, said) = talk(&["chess"], &format!("position {position}\n"));
        assert!(said.contains(reason) && said.matches(reason).count() == 1, "{said}");
        let heard = uci("chess", &format!("position fen {position}\nd"));
        assert!(heard.contains(reason) && heard.contains("Fen: rnbqkbnr"), "{heard}");
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("bad.epd");
        std::fs::write(&path, format!("{position} bm Ke2;\n")).unwrap();
        let said = refuse(&["suite", "chess", path.to_str().unwrap(), "--depth", "1"]);
        assert!(said.contains(reason), "{said}");
    }
}

#[test]
fn a_game_that_is_over_stays_over() {
    let (heard, _) = talk(&["tictactoe", "--position", "OOX/XXX/2O b"], "legal\n");
    assert!(heard.contains("white wins"), "{heard}");
    let counted = succeed(&["perft", "tictactoe", "--depth", "1", "--position", "OOX/XXX/2O b"]);
    assert!(counted.contains("0 leaves"), "{counted}");
    let searched = succeed(&["search", "tictactoe", "--depth", "3", "--position", "OOX/XXX/2O b"]);
    assert!(searched.contains("the game is over"), "{searched}");
    let solved = succeed(&["solve", "tictactoe", "--position", "OOX/XXX/2O b"]);
    assert!(solved.contains("white wins"), "{solved}");
    let heard = uci("tictactoe", "position fen OOX/XXX/2O b\ngo depth 3");
    assert!(heard.contains("bestmove (none)"), "{heard}");
    let (heard, _) = talk(&["hanoi", "--position", "..1/..2/..3/..4/..5/..6/..7/..8"], "legal\n");
    assert!(heard.contains("solved"), "{heard}");
    let (heard, _) = talk(&["jesonmor"], &format!("position {} w result=0-1\nlegal\n", ["9"; 9].join("/")));
    assert!(heard.contains("black wins"), "{heard}");
}

#[test]
fn setups_are_chosen_by_name_in_the_shell() {
    let (heard, said) = talk(&["chess960"], "position setup:chess\nwrite\n");
    assert_eq!(
        (heard.trim(), said.as_str()),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1", "")
    );
    let (_, said) = talk(&["chess960"], "position setup:nothing\n");
    assert_eq!(said.trim(), "error: there is no setup `nothing`: this game has corner, chess");
}

#[test]
fn repetition_is_seen_with_any_count_of_moves() {
    let again = "a1a2\ne8e7\na2a1\ne7e8\na1a2\ne8e7\na2a1\ne7e8\n";
    for halfmoves in [0, 71, 72, 88] {
        let position = format!("4k3/8/8/8/8/8/8/R3K3 w - - {halfmoves} 1");
        let (heard, _) = talk(&["chess", "--position", &position], again);
        assert!(heard.contains("the game is drawn"), "{halfmoves}: {heard}");
    }
    // The pawn on d4 is pinned: it could not have taken in passing.
    let moves = "e2e4\nd8d7\na1a2\nd7d8\na2a1\nd8d7\na1a2\nd7d8\na2a1\n";
    let (heard, _) = talk(&["chess", "--position", "3k4/8/8/8/3p4/8/4P3/K2R4 w - - 0 1"], moves);
    assert!(heard.contains("the game is drawn"), "{heard}");
}
