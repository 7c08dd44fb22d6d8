//! `multigame shell` through a pipe: what commands answer, and that nothing entered ends it.

#![allow(clippy::unwrap_used)] // tests are free to

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use crate::support::{refuse, run_with};

/// What the shell says to some lines, on standard output and standard error; it must end well.
fn talk(arguments: &[&str], lines: &str) -> (String, String) {
    let output = run_with(&[&["shell"], arguments].concat(), lines.as_bytes());
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(0), "{lines}: {said}");
    assert!(!said.contains("panicked"), "{said}");
    (String::from_utf8(output.stdout).unwrap(), said)
}

/// What the shell says to lines that are all right.
fn hear(arguments: &[&str], lines: &str) -> String {
    let (heard, said) = talk(arguments, lines);
    assert_eq!(said, "", "{lines}");
    heard
}

#[test]
fn moves_are_played_in_any_notation() {
    let heard = hear(&["chess"], "move e4\nmove e7e5\nNf3\nmove b8 -> c6\nhistory\nquit\nlegal\n");
    assert_eq!(heard.lines().last(), Some("1. e4 e5 2. Nf3 Nc6"));
    let heard = hear(&["tictactoe"], "move white mark -> b2\nundo\nhistory");
    assert!(heard.starts_with("white: b2\n1 move taken back\n"), "{heard}");
}

#[test]
fn a_move_that_is_listed_is_the_move_that_is_played() {
    // A rook may be dropped where a pawn could go.
    let lines = "random 15\nlegal long\n";
    let heard = hear(&["minishogi", "--seed", "2", "--evaluation", "none"], lines);
    let drops: Vec<(&str, &str)> = heard
        .lines()
        .filter_map(|line| line.split_once(": "))
        .filter(|(name, _)| name.contains('@'))
        .collect();
    assert!(!drops.is_empty(), "{heard}");
    for (name, long) in drops {
        let played = hear(
            &["minishogi", "--seed", "2", "--evaluation", "none"],
            &format!("random 15\nmove {name}\nundo\nmove {long}\n"),
        );
        assert_eq!(played.lines().filter(|line| line.ends_with(&format!(": {name}"))).count(), 2, "{played}");
    }
    // Capitals tell a turn of the cube from what is short for a command.
    assert_eq!(hear(&["rubik"], "R\nU\nR'\nhistory\n").lines().last(), Some("1. R U 2. R'"));
}

#[test]
fn no_message_is_printed_twice() {
    let folder = tempfile::tempdir().unwrap();
    let (game, level) = (folder.path().join("bad.pgn"), folder.path().join("levels.xsb"));
    std::fs::write(&game, "[FEN \"8/8 w\"]\n\n1. e4 *\n").unwrap();
    std::fs::write(&level, "####\n# .#\n####\n").unwrap();
    let lines = format!("position 8/8 w\nmove e9\nread {}\nread /nonexistent\n", game.display());
    let (_, said) = talk(&["chess"], &lines);
    let file = format!("{}#1", level.display());
    let more = refuse(&["shell", "sokoban", "--position", &file]);
    for line in said.lines().chain(more.lines()).filter(|line| line.starts_with("error: ")) {
        let parts: Vec<&str> = line.trim_start_matches("error: ").split(": ").collect();
        let told = |part: &&str| parts.iter().filter(|other| *other == part).count();
        assert!(parts.iter().all(|part| told(part) == 1), "{line}");
    }
    assert!(said.contains("FEN tag") && more.contains("one keeper"), "{said}{more}");
}

#[test]
fn levels_of_sokoban_are_read_by_number() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../suites/microban-20.txt");
    let board = |position: &str| hear(&["sokoban", "--position", position], "position\n");
    assert_eq!(board(&format!("{file}#3")), board("setup:level_3"));
    assert_eq!(board(file), board("setup:level_1"));
    assert!(refuse(&["shell", "sokoban", "--position", &format!("{file}#21")]).contains("there are 20"));
    let heard = hear(&["sokoban"], &format!("read {file} 4\nposition\n"));
    assert!(heard.ends_with(&board("setup:level_4")), "{heard}");
}

#[test]
fn wrong_commands_are_answered_and_the_shell_goes_on() {
    let lines = "mvoe e4\nmove e5\nmove\u{7f}\ndepth x\ndepth -1\nundo\nundo 0\ntime 1e99\nengine stockfish\n\
        hash 0\nplay red\nverbose perhaps\nlegal all\nread\nread /nonexistent/file\nexecute\nwrite /nonexistent/x\n\
        opening\nopening on\nopening Cargo.toml\nstatistics bananas\nconfiguration nul-move on\nposition x\n\
        perft\nperft x\nincrement 0\nrandom x\nlegal >\nlegal > /nonexistent/x\nmove < /nonexistent/x\n\
        echo \"open\nshell ls\nnodes 0\nhelp nothing\nseed -1\nhint 0\nselfplay 0\n\u{1f600}\necho alive\n";
    let (heard, said) = talk(&["chess"], lines);
    assert_eq!(heard, "alive\n");
    assert_eq!(
        said.lines().filter(|line| line.starts_with("error: ")).count(),
        lines.lines().count() - 1,
        "{said}"
    );
    assert!(said.contains("move") && said.contains("give a number from 1 to 200, not `x`"), "{said}");
    assert!(said.contains("`shell` is for someone at a terminal"), "{said}");
}

#[test]
fn the_computer_plays_a_side() {
    let heard = hear(&["connect4", "--depth", "3"], "play black\nmove d1\nundo\nplay off\nd1\nhistory\n");
    let plies = heard.lines().filter(|line| line.starts_with("black: ")).count();
    assert_eq!(plies, 1, "{heard}");
    assert!(heard.contains("2 moves taken back"), "{heard}");
    let heard = hear(&["tictactoe", "--depth", "9"], "selfplay\n");
    assert_eq!(heard.lines().last(), Some("the game is drawn"));
    assert_eq!(
        hear(&["tictactoe", "--depth", "9"], "play both\nlegal\n").lines().last(),
        Some("the game is drawn")
    );
}

#[test]
fn the_same_seed_gives_the_same_game() {
    let lines = "random 12\nseed 5\nrandom 3\nreset\nrandom 4\nwrite\n";
    let first = hear(&["chess", "--seed", "9"], lines);
    assert_eq!(first, hear(&["chess", "--seed", "9"], lines));
    assert_eq!(first, hear(&["chess", "--seed", "9", "--generator", "interpreter"], lines));
    assert_ne!(first, hear(&["chess", "--seed", "10"], lines));
}

#[test]
fn searches_tell_what_they_found_and_counted() {
    let mate = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1";
    let lines =
        "depth 3\nhint\npv\nstatistics\nstatistics table nodes\nstatistics reset\nstatistics\nhint 2\n";
    let heard = hear(&["chess", "--position", mate], lines);
    assert!(heard.contains("Ra8# (win in 1)\n"), "{heard}");
    assert!(heard.contains("1 search\nsearch\n  nodes"), "{heard}");
    assert!(heard.contains("table\n") && heard.contains("table probes"), "{heard}");
    assert!(heard.contains("0 searches\n"), "{heard}");
    let best: Vec<&str> = heard.lines().rev().take(2).collect();
    assert!(best[1].starts_with("Ra8# (win in 1): Ra8#"), "{best:?}");
    let heard =
        hear(&["native:chess"], "depth 3\nverbose on\nengine mtdf\nconfiguration futility off\nhint\n");
    assert!(heard.contains("depth   1") && heard.contains("depth   3"), "{heard}");
}

#[test]
fn settings_are_kept_and_told() {
    let lines = "depth 5\ntime 2.5\nnodes 1000\nincrement 2\nengine alphabeta\nhash 2\nseed 4\nverbose on\n\
        configuration exact\nconfiguration\ndepth off\ntime off\nnodes off\ntime\n";
    let heard = hear(&["othello"], lines);
    for row in ["depth            5", "time             2.5 s", "nodes            1000", "increment        2"]
    {
        assert!(heard.contains(row), "{row}: {heard}");
    }
    assert!(
        heard.contains("engine           alphabeta") && heard.contains("hash             2 MiB"),
        "{heard}"
    );
    assert_eq!(heard.lines().last(), Some("time: 1 s"));
}

#[test]
fn positions_and_games_go_to_files_and_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (game, position, legal, list) =
        (path("a game.pgn"), path("p.fen"), path("legal.txt"), path("commands"));
    std::fs::write(&list, format!("# remark\nreset\nread \"{position}\"\nlegal > {legal}\necho done\n"))
        .unwrap();
    let lines = format!(
        "e4\nc5\nwrite {position}\nwrite \"{game}\"\nwrite pgn >> \"{game}\"\nreset\nread {position}\nwrite\nread \"{game}\" 2\n\
         history\nread < \"{game}\"\nexecute {list}\nexecute < {list}\nd4\necho one > {legal}\necho two >> {legal}\n"
    );
    let heard = hear(&["chess"], &lines);
    let fen = "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq";
    assert!(heard.contains(fen) && std::fs::read_to_string(&position).unwrap().starts_with(fen), "{heard}");
    assert!(heard.contains("a game of 2 moves\n1. e4 c5\n"), "{heard}");
    assert_eq!(heard.matches("done\n").count(), 2, "{heard}");
    assert_eq!(std::fs::read_to_string(&legal).unwrap(), "one\ntwo\n");
    let (_, said) = talk(&["chess"], &format!("read \"{game}\" 3\n"));
    assert!(said.contains("there are 2 games, not 3"), "{said}");
    for nonsense in ["nonsense", "", "8/8/8", "1. e5 *"] {
        std::fs::write(&position, nonsense).unwrap();
        let (_, said) = talk(&["chess"], &format!("read {position}\n"));
        assert!(said.starts_with("error: "), "{nonsense}: {said}");
    }
}

#[test]
fn files_of_commands_do_not_run_for_ever() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("self");
    std::fs::write(&file, format!("execute {}\n", file.display())).unwrap();
    let (_, said) = talk(&["nim"], &format!("execute {}\n", file.display()));
    assert!(said.contains("more than 16 deep"), "{said}");
    std::fs::write(&file, "echo one\nnonsense\necho two\n").unwrap();
    let (heard, said) = talk(&["nim"], &format!("execute {}\n", file.display()));
    assert!(heard == "one\n" && said.contains("line 2: `nonsense`"), "{heard}{said}");
}

#[test]
fn puzzles_are_solved() {
    // Two moves from the start are at most two moves from a solution.
    let lines = "random 2\nevaluate\nhint\nselfplay\nplay white\n";
    let (heard, said) = talk(&["puzzle15", "--seed", "1", "--depth", "9"], lines);
    assert!(heard.contains("solved"), "{heard}");
    assert!(said.contains("a game for one player"), "{said}");
}

#[test]
fn a_hint_without_a_move_says_why() {
    assert_eq!(hear(&["puzzle8"], "hint\n"), "This is solved already.\n");
}

#[test]
fn words_of_other_commands_are_understood() {
    let folder = tempfile::tempdir().unwrap();
    let game = folder.path().join("game.pgn").to_str().unwrap().to_owned();
    let lines = format!("E4\ne4\nSAVE {game}\nnew\nhistory\nload {game}\nhistory\nFLIP\n");
    let (heard, said) = talk(&["chess"], &lines);
    assert!(said.contains("`E4` is neither"), "{said}");
    assert!(heard.starts_with("white: e4\na game of 1 move\n1. e4\n"), "{heard}");
    assert!(heard.contains("\n1  R  N  B  K  Q"), "black sees the board: {heard}");
}

#[test]
fn bad_usage_of_the_program_is_refused() {
    assert!(refuse(&["shell", "nonsense"]).contains("there is no game"));
    assert!(refuse(&["shell", "chess", "--position", "8/8"]).contains("--position"));
    assert!(refuse(&["shell", "chess", "--book", "/nonexistent"]).contains("/nonexistent"));
    refuse(&["shell"]);
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_the_search_and_not_the_shell() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_multigame"))
        .env("XDG_DATA_HOME", env!("CARGO_TARGET_TMPDIR"))
        .args(["shell", "native:chess", "--depth", "200"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    writeln!(input, "verbose on\nmove\necho alive").unwrap();
    // The search has begun when it tells of its first iteration.
    assert!(lines.any(|line| line.unwrap().contains("depth   1")));
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let heard: Vec<String> =
        lines.by_ref().map(|line| line.unwrap()).take_while(|line| line != "alive").collect();
    assert!(heard.iter().any(|line| line.starts_with("white: ")), "{heard:?}");
    writeln!(input, "quit").unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
}
