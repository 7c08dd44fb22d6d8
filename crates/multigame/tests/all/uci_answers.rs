//! What `multigame uci` answers: mates, lines, limits and finished games.

#![allow(clippy::unwrap_used)] // tests are free to

use crate::uci::Engine;

#[test]
fn a_finished_game_has_no_move_and_a_reason() {
    let mut engine = Engine::start("chess");
    engine.say("position fen k7/2Q5/1K6/8/8/8/8/8 b - - 0 1");
    let heard = engine.ask("go depth 3", "bestmove");
    assert_eq!(heard.last().unwrap(), "bestmove (none)");
    assert!(heard.iter().any(|line| line.starts_with("info string the game is over (drawn)")), "{heard:?}");
    engine.quit();
}

/// Whether fifty moves are claimed is for others to say.
#[test]
fn a_counter_does_not_block_analysis() {
    let mut engine = Engine::start("chess");
    let best = engine.best("position fen 8/8/8/8/8/1k6/7R/K7 w - - 100 120", "go depth 2");
    assert_eq!(best.len(), 4, "{best}");
    // Played on behind the hundredth move: black is mated in one.
    let played = "position fen k7/8/1K6/8/8/8/7R/8 b - - 98 120 moves a8b8 h2g2 b8a8";
    assert_eq!(engine.best(played, "go depth 3"), "g2g8");
    engine.quit();
}

#[test]
fn a_mate_in_so_many_moves_is_proven_or_denied() {
    let mut engine = Engine::start("chess");
    engine.say("position fen kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1");
    let heard = engine.ask("go mate 2", "bestmove");
    assert!(heard.last().unwrap().starts_with("bestmove a1a6"), "{heard:?}");
    let told = heard.iter().rev().find(|line| line.contains("score mate 2")).unwrap();
    let line = told.split_once(" pv ").unwrap().1;
    assert_eq!(line.split_whitespace().count(), 3, "{told}");
    let heard = engine.ask("go mate 1", "bestmove");
    assert!(heard.iter().any(|line| line.contains("info string there is no mate in 1")), "{heard:?}");
    engine.say("position startpos");
    let heard = engine.ask("go mate 2", "bestmove");
    assert!(heard.iter().any(|line| line.contains("info string there is no mate in 2")), "{heard:?}");
    assert_ne!(heard.last().unwrap(), "bestmove (none)");
    engine.quit();
}

/// A line that ends the game is told to its end.
#[test]
fn mate_lines_are_as_long_as_the_mate() {
    let mut engine = Engine::start("chess");
    let mut mates = 0;
    for (fen, depth) in [
        ("7k/8/8/8/8/8/R7/1R4K1 w - - 0 1", 8),
        ("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", 6),
        ("2bqkbn1/2pppp2/np2N3/r3P1p1/p2N2B1/5Q2/PPPPKPP1/RNB2r2 w KQkq - 0 1", 7),
        ("r2qk2r/pb4pp/1n2Pb2/2B2Q2/p1p5/2P5/2B2PPP/RN2R1K1 w - - 1 0", 8),
    ] {
        engine.say(&format!("position fen {fen}"));
        let heard = engine.ask(&format!("go depth {depth}"), "bestmove");
        let told = heard.iter().rev().find(|line| line.contains(" multipv 1 ")).unwrap();
        let Some((_, rest)) = told.split_once(" score mate ") else { continue };
        let mate: usize = rest.split_whitespace().next().unwrap().parse().unwrap();
        let line = told.split_once(" pv ").unwrap().1;
        assert_eq!(line.split_whitespace().count(), 2 * mate - 1, "{told}");
        mates += 1;
    }
    assert!(mates >= 3, "only {mates} mates were found");
    engine.quit();
}

#[test]
fn lines_are_sorted_and_the_first_is_played() {
    let mut engine = Engine::start("chess");
    engine.say("setoption name MultiPV value 4");
    for limit in ["nodes 30000", "depth 5", "movetime 150", "nodes 1"] {
        engine.say("position fen r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3");
        let heard = engine.ask(&format!("go {limit}"), "bestmove");
        let field = |line: &str, name: &str| -> Option<String> {
            let mut words = line.split_whitespace();
            words.find(|word| *word == name)?;
            words.next().map(str::to_owned)
        };
        let lines: Vec<&String> = heard.iter().filter(|line| line.contains(" multipv ")).collect();
        for group in lines.chunks(4) {
            let ranks: Vec<String> = group.iter().filter_map(|line| field(line, "multipv")).collect();
            assert_eq!(ranks, ["1", "2", "3", "4"], "{limit}: {heard:?}");
            let scores: Vec<i32> =
                group.iter().filter_map(|line| field(line, "cp")).map(|text| text.parse().unwrap()).collect();
            assert!(scores.windows(2).all(|pair| pair[0] >= pair[1]), "{limit}: {scores:?}");
        }
        let first = field(lines[lines.len() - 4], "pv");
        assert_eq!(field(heard.last().unwrap(), "bestmove"), first, "{limit}: {heard:?}");
    }
    engine.quit();
}

#[test]
fn bad_numbers_are_answered_by_a_search() {
    let mut engine = Engine::start("chess");
    for go in
        ["go depth x", "go movetime 1.5", "go nodes", "go wtime soon btime later", "go depth 3 nodes many"]
    {
        let heard = engine.ask(go, "bestmove");
        assert!(heard.iter().any(|line| line.starts_with("info string `go ")), "{go}: {heard:?}");
        assert_ne!(heard.last().unwrap(), "bestmove (none)", "{go}");
    }
    engine.quit();
}

/// However little time there is, a mate in one is seen.
#[test]
fn a_mate_in_one_is_seen_at_any_pace() {
    let mut engine = Engine::start("chess");
    let position = "position fen 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1";
    for go in
        ["go nodes 1", "go wtime 50", "go wtime 1 btime 1", "go movetime 1", "go nodes 0", "go movetime 0"]
    {
        assert_eq!(engine.best(position, go), "a1a8", "{go}");
    }
    engine.quit();
}

/// The counter of the fifty-move rule is in the signature of a position from 80 on; a repetition is one all the same.
#[test]
fn repetitions_are_seen_near_the_fiftieth_move() {
    let mut engine = Engine::start("chess");
    engine.say("position fen 3K4/8/8/5B2/8/8/1k2N3/8 b - - 80 40 moves b2a2 f5c2 a2b2 c2f5 b2a3 e2d4 a3b2");
    let heard = engine.ask("go depth 6 searchmoves d4e2", "bestmove");
    let told = heard.iter().rev().find(|line| line.contains(" depth 6 ")).unwrap();
    assert!(told.contains("score cp 0 "), "{told}");
    engine.quit();
}

/// Exchanges were compared beyond the third check, where the rules have nothing to say.
#[test]
fn three_checks_end_the_game() {
    let mut engine = Engine::start("threecheck");
    engine.say("position startpos");
    let heard = engine.ask("go nodes 150000", "bestmove");
    assert!(!heard.iter().any(|line| line.starts_with("info string")), "{heard:?}");
    engine.quit();
}

#[test]
fn strength_can_be_limited() {
    let mut engine = Engine::start("chess");
    let heard = engine.ask("uci", "uciok");
    for option in ["UCI_LimitStrength", "UCI_Elo", "Skill Level"] {
        assert!(heard.iter().any(|line| line.starts_with(&format!("option name {option} type"))), "{option}");
    }
    let mut nodes = |setting: &str| -> u64 {
        engine.say(setting);
        engine.say("position startpos moves e2e4");
        let heard = engine.ask("go depth 12 nodes 400000", "bestmove");
        let told = heard.iter().rev().find(|line| line.contains(" nodes ")).unwrap();
        told.split_once(" nodes ").unwrap().1.split_whitespace().next().unwrap().parse().unwrap()
    };
    let (weak, middling) =
        (nodes("setoption name Skill Level value 0"), nodes("setoption name Skill Level value 9"));
    let full = nodes("setoption name Skill Level value 20\nucinewgame");
    assert!(weak < middling && middling < full, "{weak} {middling} {full}");
    nodes("setoption name UCI_Elo value 1000");
    assert!(nodes("setoption name UCI_LimitStrength value true") < middling);
    assert_eq!(nodes("setoption name UCI_LimitStrength value false\nucinewgame"), full);
    engine.quit();
}
