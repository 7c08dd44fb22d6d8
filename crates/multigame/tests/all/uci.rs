//! `multigame uci` through a pipe: what other programs say and hear.

#![allow(clippy::unwrap_used)] // tests are free to

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use crate::support;

/// Nothing takes so long, however busy the machine is.
const PATIENCE: Duration = Duration::from_secs(120);

pub(crate) struct Engine {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
}

impl Engine {
    pub(crate) fn start(game: &str) -> Engine {
        let mut child = Command::new(env!("CARGO_BIN_EXE_multigame"))
            .env("XDG_DATA_HOME", env!("CARGO_TARGET_TMPDIR"))
            .args(["uci", game])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let (sender, lines) = channel();
        let output = BufReader::new(child.stdout.take().unwrap());
        std::thread::spawn(move || {
            output.lines().map_while(Result::ok).all(|line| sender.send(line).is_ok());
        });
        Engine { input: child.stdin.take().unwrap(), child, lines }
    }

    pub(crate) fn say(&mut self, line: &str) {
        writeln!(self.input, "{line}").unwrap();
    }

    /// All lines up to the first that begins so.
    pub(crate) fn hear(&mut self, beginning: &str) -> Vec<String> {
        let mut heard = Vec::new();
        loop {
            match self.lines.recv_timeout(PATIENCE) {
                Ok(line) => {
                    heard.push(line);
                    if heard.last().unwrap().starts_with(beginning) {
                        return heard;
                    }
                }
                Err(_) => panic!("`{beginning}` did not come, but {heard:?}"),
            }
        }
    }

    pub(crate) fn ask(&mut self, line: &str, beginning: &str) -> Vec<String> {
        self.say(line);
        self.hear(beginning)
    }

    /// The move that a search comes to.
    pub(crate) fn best(&mut self, position: &str, go: &str) -> String {
        self.say(position);
        let heard = self.ask(go, "bestmove");
        heard.last().unwrap().split_whitespace().nth(1).unwrap().to_owned()
    }

    pub(crate) fn quit(mut self) {
        self.say("quit");
        let output = self.child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0));
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(!said.contains("panicked"), "{said}");
    }
}

#[test]
fn it_introduces_itself() {
    let mut engine = Engine::start("chess");
    let heard = engine.ask("uci", "uciok");
    assert!(heard.iter().any(|line| line.starts_with("id name Multigame")), "{heard:?}");
    for option in
        ["Hash", "Clear Hash", "Threads", "MultiPV", "Ponder", "Move Overhead", "UCI_Variant", "UCI_Chess960"]
    {
        let start = format!("option name {option} type");
        assert!(heard.iter().any(|line| line.starts_with(&start)), "{option}");
    }
    let variants = heard.iter().find(|line| line.contains("UCI_Variant")).unwrap();
    for variant in
        ["chess", "antichess", "atomic", "kingofthehill", "3check", "horde", "racingkings", "othello"]
    {
        assert!(variants.contains(&format!(" var {variant}")), "{variant}");
    }
    engine.ask("isready", "readyok");
    engine.quit();
}

#[test]
fn it_finds_mates_and_tells_how() {
    let mut engine = Engine::start("chess");
    engine.say("position fen 7k/8/8/8/8/8/R7/1R4K1 w - - 0 1");
    let heard = engine.ask("go depth 4", "bestmove");
    let info = heard.iter().rev().find(|line| line.contains("multipv 1")).unwrap();
    for word in ["depth", "seldepth", "score mate 2", "nodes", "nps", "hashfull", "time", "pv"] {
        assert!(info.contains(&format!(" {word}")), "{word}: {info}");
    }
    let mate = engine.ask("go mate 2", "bestmove");
    assert!(mate.iter().any(|line| line.contains("score mate 2")), "{mate:?}");
    let mated = engine.ask("position fen R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1\ngo depth 3", "bestmove");
    assert!(mated.iter().any(|line| line.contains("score mate 0")), "{mated:?}");
    assert_eq!(mated.last().unwrap(), "bestmove (none)");
    engine.quit();
}

#[test]
fn moves_are_coordinates_both_ways() {
    let mut engine = Engine::start("chess");
    // Castling, en passant and a promotion that gives mate.
    engine.say(
        "position startpos moves e2e4 g8f6 e4e5 d7d5 e5d6 e8d7 g1f3 d7e8 f1e2 e8d7 e1g1 d7e8 d6c7 a7a6 c7b8q",
    );
    let heard = engine.ask("d", "Legal moves:");
    assert!(
        heard.iter().any(|line| line.contains("Fen: rQbqkb1r/1p2pppp/p4n2/8/8/5N2/PPPPBPPP/RNBQ1RK1 b - -"))
    );
    let best = engine.best("position fen 6k1/P4ppp/8/8/8/8/8/6K1 w - - 0 1", "go depth 3");
    assert_eq!(best, "a7a8q");
    let heard = engine.ask("position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1\nd", "Legal moves:");
    let legal = heard.last().unwrap();
    assert!(legal.contains(" e1g1") && legal.contains(" e1c1"), "{legal}");
    assert_eq!(engine.best("position startpos", "go depth 2 searchmoves h2h4"), "h2h4");
    engine.quit();
}

/// Castling is the king that takes its rook, both ways; rooks are named by their columns, or K and Q.
#[test]
fn chess960_is_switched_on_and_off() {
    let mut engine = Engine::start("chess");
    engine.say("setoption name UCI_Chess960 value true");
    let heard = engine.ask("position startpos moves e2e4 e7e5 g1f3 g8f6 f1c4 f8c5 e1h1\nd", "Legal moves:");
    assert!(
        heard
            .iter()
            .any(|line| line.contains("Fen: rnbqk2r/pppp1ppp/5n2/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQ1RK1 b ha -"))
    );
    let legal = heard.last().unwrap();
    assert!(legal.contains(" e8h8") && !legal.contains(" e8g8"), "{legal}");
    for (fen, castling) in [
        // The king stays, the rook goes; both X-FEN and Shredder-FEN.
        ("4k3/8/8/8/8/8/8/5RKR w H - 0 1", None),
        ("4k3/8/8/8/8/8/8/6KR w H - 0 1", Some("g1h1")),
        ("4k3/8/8/8/8/8/8/6KR w K - 0 1", Some("g1h1")),
        // The rook stays, the king jumps over it; and both change places.
        ("4k3/8/8/8/8/8/8/3RK3 w Q - 0 1", Some("e1d1")),
        ("4k3/8/8/8/8/8/8/5KR1 w G - 0 1", Some("f1g1")),
        // Of two rooks the inner one: X-FEN names its column.
        ("1k6/8/8/8/8/8/8/4K1RR w G - 0 1", Some("e1g1")),
        ("2r1k3/8/8/8/8/8/8/K7 b c - 0 1", Some("e8c8")),
    ] {
        let heard = engine.ask(&format!("position fen {fen}\nd"), "Legal moves:");
        let legal = format!("{} ", heard.last().unwrap());
        if let Some(castling) = castling {
            assert!(legal.contains(&format!(" {castling} ")), "{fen}: {legal}");
            let after = engine.ask(&format!("position fen {fen} moves {castling}\nd"), "Legal moves:");
            assert!(!after.iter().any(|line| line.contains("info string")), "{fen}: {after:?}");
        } else {
            assert!(!legal.contains(" g1h1 "), "{fen}: {legal}");
        }
    }
    for fen in
        ["4k3/8/8/8/8/8/8/6KR w A - 0 1", "4k3/8/8/8/8/8/8/7R w H - 0 1", "4k3/8/8/8/8/8/8/6KR w X - 0 1"]
    {
        let heard = engine.ask(&format!("position fen {fen}\nd"), "Legal moves:");
        assert!(heard.iter().any(|line| line.starts_with("info string")), "{fen}: {heard:?}");
    }
    engine.say("setoption name UCI_Chess960 value false");
    let heard = engine.ask("position startpos moves e2e4 e7e5 g1f3 g8f6 f1c4 f8c5\nd", "Legal moves:");
    assert!(heard.last().unwrap().contains(" e1g1"), "{heard:?}");
    let heard = engine.ask(
        "setoption name UCI_Variant value othello\nsetoption name UCI_Chess960 value true\nisready",
        "readyok",
    );
    assert!(heard.iter().any(|line| line.contains("is for chess")), "{heard:?}");
    engine.quit();
}

#[test]
fn several_threads_search() {
    let mut engine = Engine::start("chess");
    let heard = engine.ask("setoption name Threads value 0\nisready", "readyok");
    assert!(heard.iter().any(|line| line.contains("number from 1 to")), "{heard:?}");
    let heard = engine.ask("setoption name Threads value 4\nisready", "readyok");
    assert_eq!(heard, ["readyok"]);
    engine.say("position startpos moves e2e4 e7e5");
    let heard = engine.ask("go nodes 50000", "bestmove");
    assert!(heard.iter().any(|line| line.starts_with("info depth 5 ")), "{heard:?}");
    engine.say("setoption name MultiPV value 2");
    let heard = engine.ask("go depth 5", "bestmove");
    assert!(heard.iter().any(|line| line.contains("depth 5 ") && line.contains("multipv 2")), "{heard:?}");
    engine.say("go infinite");
    engine.hear("info depth 3 ");
    engine.ask("stop", "bestmove");
    engine.say("go ponder wtime 1000 btime 1000");
    engine.hear("info depth 3 ");
    engine.ask("ponderhit", "bestmove");
    engine.quit();
}

#[test]
fn several_lines_are_told() {
    let mut engine = Engine::start("chess");
    engine.say("setoption name MultiPV value 3");
    let heard = engine.ask("go depth 3", "bestmove");
    for rank in ["multipv 1", "multipv 2", "multipv 3"] {
        assert!(
            heard.iter().any(|line| line.contains("depth 3 ") && line.contains(rank)),
            "{rank}: {heard:?}"
        );
    }
    engine.quit();
}

#[test]
fn an_endless_search_waits_for_stop() {
    let mut engine = Engine::start("chess");
    // This one is over at once, but the answer was not asked for yet.
    engine.say("position fen 6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1");
    engine.say("go infinite");
    let heard = engine.ask("isready", "readyok");
    assert!(!heard.iter().any(|line| line.starts_with("bestmove")), "{heard:?}");
    // When it has found the mate it may be stopped.
    let started = Instant::now();
    while !engine.ask("isready", "readyok").iter().any(|line| line.contains("score mate 1")) {
        assert!(started.elapsed() < Duration::from_secs(60), "a mate in one takes no time");
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(engine.ask("stop", "bestmove").last().unwrap().split_whitespace().nth(1), Some("a1a8"));
    let started = Instant::now();
    engine.say("position startpos");
    engine.say("go infinite");
    engine.ask("stop", "bestmove");
    assert!(started.elapsed() < Duration::from_secs(20), "a stop that has no effect would never end");
    engine.quit();
}

#[test]
fn pondering_ends_with_a_hit_or_a_stop() {
    let mut engine = Engine::start("chess");
    engine.say("go ponder wtime 1000 btime 1000");
    let heard = engine.ask("isready", "readyok");
    assert!(!heard.iter().any(|line| line.starts_with("bestmove")));
    engine.ask("ponderhit", "bestmove");
    engine.say("go ponder wtime 1000 btime 1000");
    engine.ask("stop", "bestmove");
    // Without a search these mean nothing.
    engine.say("ponderhit");
    engine.say("stop");
    let heard = engine.ask("isready", "readyok");
    assert_eq!(heard.len(), 1, "{heard:?}");
    engine.quit();
}

#[test]
fn clocks_are_kept() {
    let mut engine = Engine::start("chess");
    for go in [
        "go wtime 300 btime 300",
        "go wtime 1 btime 1 winc 0 binc 0",
        "go wtime -20 btime -20",
        "go wtime 1000 btime 1000 movestogo 1",
        "go movetime 0",
        "go movetime 50",
        "go nodes 1",
        "go nodes 0",
        "go wtime 18446744073709551 btime 0 depth 1",
    ] {
        let started = Instant::now();
        engine.ask(go, "bestmove");
        assert!(started.elapsed() < Duration::from_secs(30), "{go}");
    }
    engine.quit();
}

#[test]
fn rules_are_switched() {
    let mut engine = Engine::start("chess");
    for (variant, position, go, best) in [
        // The player who loses all men wins: the only capture is forced.
        ("antichess", "position fen 8/8/8/3p4/4P3/8/8/8 w - - 0 1", "go depth 1", "e4d5"),
        // The knight blows up the king.
        ("atomic", "position startpos moves g1f3 a7a6 f3e5 a6a5", "go depth 1", "e5f7"),
        ("kingofthehill", "position fen 7k/8/8/8/8/3K4/8/8 w - - 0 1", "go depth 3", "d3d4"),
        ("racingkings", "position fen 8/K7/8/8/8/8/8/k7 w - - 0 1", "go depth 3 searchmoves a7a8", "a7a8"),
    ] {
        engine.say(&format!("setoption name UCI_Variant value {variant}"));
        assert_eq!(engine.best(position, go), best, "{variant}");
    }
    // The options stay as they were; the game begins anew.
    engine.say("setoption name UCI_Variant value chess");
    let heard = engine.ask("d", "Legal moves:");
    assert!(heard.last().unwrap().contains("e2e4"), "{heard:?}");
    engine.quit();
}

#[test]
fn other_games_speak_it_too() {
    for (game, moves) in [
        ("othello", "position startpos moves e6"),
        ("checkers", "position startpos"),
        ("amazons", "position startpos"),
        ("connect4", "position startpos moves d1 d2"),
        ("native:othello", "position startpos"),
    ] {
        let mut engine = Engine::start(game);
        let best = engine.best(moves, "go nodes 2000");
        // What the engine says is understood by the engine.
        let heard = engine.ask(
            &format!("{moves}{} {best}\nd", if moves.contains("moves") { "" } else { " moves" }),
            "Legal moves:",
        );
        assert!(!heard.iter().any(|line| line.starts_with("info string")), "{game} {best} {heard:?}");
        engine.quit();
    }
}

#[test]
fn nonsense_is_answered_and_forgotten() {
    let mut engine = Engine::start("chess");
    for line in [
        "hello there",
        "position",
        "position fen",
        "position fen 8/8/8",
        "position fen 9/8/8/8/8/8/8/8 w - - 0 1",
        "position startpos moves e2e5",
        "position startpos moves e2e4 e2e4",
        "position startpos moves \u{1f600}",
        "go searchmoves",
        "setoption",
        "setoption name Hash value lots",
        "setoption name Hash value 0",
        "setoption name Hash value 99999999",
        "setoption name UCI_Variant value bridge",
        "setoption name Contempt value 3",
        "\u{0}\u{1}\u{2}",
        &"position startpos moves ".repeat(1000),
        &"x".repeat(100_000),
    ] {
        if line == "go searchmoves" {
            engine.ask("go depth 1 searchmoves e2e5 a9a9", "bestmove");
            continue;
        }
        let heard = engine.ask(line, "info string");
        assert_eq!(heard.len(), 1, "{line}: {heard:?}");
    }
    engine.ask("isready", "readyok");
    assert_eq!(engine.best("position startpos", "go depth 1").len(), 4);
    engine.quit();
}

#[test]
fn impossible_positions_do_no_harm() {
    let mut engine = Engine::start("chess");
    for fen in [
        "8/8/8/8/8/8/8/8 w - - 0 1",
        "kkkkkkkk/8/8/8/8/8/8/KKKKKKKK w - - 0 1",
        "8/8/8/8/8/8/8/K7 b - - 0 1",
        "PPPPPPPP/8/8/k7/K7/8/8/pppppppp w KQkq - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 100 200",
    ] {
        engine.say(&format!("position fen {fen}"));
        let heard = engine.ask("go depth 2", "bestmove");
        // The answer is never about the position before.
        let refused = heard.last().unwrap() == "bestmove (none)";
        assert_eq!(refused, !fen.starts_with("rnbq"), "{fen}: {heard:?}");
    }
    assert_eq!(engine.best("position startpos", "go depth 1").len(), 4);
    engine.ask("isready", "readyok");
    engine.quit();
}

#[test]
fn repetitions_count_and_the_game_may_go_on_behind_them() {
    let mut engine = Engine::start("chess");
    let shuffle = " g1f3 g8f6 f3g1 f6g8".repeat(3);
    let best = engine.best(&format!("position startpos moves{shuffle}"), "go depth 2");
    assert_eq!(best.len(), 4, "{best}");
    engine.quit();
}

#[test]
fn the_end_of_the_input_is_the_end() {
    let output = support::run_with(&["uci"], b"position startpos\ngo depth 3\n");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("bestmove"), "{text}");
    assert_eq!(output.status.code(), Some(0));
    let output = support::run_with(&["uci"], b"go infinite\n");
    assert!(String::from_utf8(output.stdout).unwrap().contains("bestmove"));
    assert!(support::refuse(&["uci", "puzzle15"]).contains("one player"));
    support::refuse(&["uci", "nosuchgame"]);
}
