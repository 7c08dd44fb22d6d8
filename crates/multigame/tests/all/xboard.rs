//! `multigame xboard` through a pipe: what xboard and its like say and hear.

#![allow(clippy::unwrap_used)] // tests are free to

use crate::support;

/// All lines that are heard when these are said.
fn talk(game: &str, said: &str) -> Vec<String> {
    let output = support::run_with(&["xboard", game], said.as_bytes());
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(0), "{errors}");
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}

fn moves(heard: &[String]) -> Vec<&str> {
    heard.iter().filter_map(|line| line.strip_prefix("move ")).collect()
}

#[test]
fn it_introduces_itself() {
    let heard = talk("chess", "xboard\nprotover 2\nping 7\nquit\n");
    for feature in
        ["ping=1", "setboard=1", "usermove=1", "analyze=1", "variants=\"normal,", "fischerandom", "done=1"]
    {
        let told = |line: &String| line.starts_with("feature ") && line.contains(feature);
        assert!(heard.iter().any(told), "{feature}: {heard:?}");
    }
    assert_eq!(heard.last().unwrap(), "pong 7");
}

#[test]
fn it_answers_moves_and_plays_on_request() {
    let heard = talk(
        "chess",
        "xboard\nprotover 2\nnew\nsd 3\nusermove e2e4\nping 1\nforce\nusermove d2d4\ngo\nping 2\n",
    );
    assert_eq!(moves(&heard).len(), 2, "{heard:?}");
    let places: Vec<usize> = (0..heard.len())
        .filter(|&index| heard[index].starts_with("move ") || heard[index].starts_with("pong"))
        .collect();
    let order: Vec<&str> = places.iter().map(|&index| &heard[index][..4]).collect();
    assert_eq!(order, ["move", "pong", "move", "pong"], "{heard:?}");
}

#[test]
fn it_finds_a_mate_and_says_who_won() {
    let said = "new\nforce\nsetboard 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1\npost\nst 1\ngo\n";
    let heard = talk("chess", said);
    assert_eq!(moves(&heard), ["a1a8"]);
    assert!(heard.iter().any(|line| line.starts_with("1 100001 ")), "{heard:?}");
    assert_eq!(heard.last().unwrap(), "1-0 {White wins}");
}

#[test]
fn moves_are_taken_back() {
    let said = "new\nforce\nusermove e2e4\nusermove e7e5\nremove\nusermove d2d4\nundo\nusermove e2e4\nsd 2\nhint\nping 1\n";
    let heard = talk("chess", said);
    assert!(heard.iter().any(|line| line.starts_with("Hint: ")), "{heard:?}");
    assert!(!heard.iter().any(|line| line.starts_with("Illegal")), "{heard:?}");
}

#[test]
fn nonsense_is_answered() {
    let said = "new\nhello\nusermove e2e5\nsetboard 9/8\nlevel a b c\nmemory 99999999\nvariant bridge\noption Contempt=3\nping 3\n";
    let heard = talk("chess", said);
    for answer in [
        "Error (unknown command): hello",
        "Illegal move: e2e5",
        "tellusererror Illegal position",
        "Error (bad argument): level a b c",
        "Error (unsupported variant): bridge",
        "Error (unknown option): Contempt",
        "pong 3",
    ] {
        assert!(heard.iter().any(|line| line.starts_with(answer)), "{answer}: {heard:?}");
    }
}

#[test]
fn variants_and_other_games_are_played() {
    let heard = talk("chess", "protover 2\nnew\nvariant othello\nforce\nsd 2\ngo\nping 1\n");
    assert_eq!(moves(&heard).len(), 1, "{heard:?}");
    let castles = "new\nvariant fischerandom\nforce\nsetboard 1k6/8/8/8/8/8/PPP5/R3K3 w A - 0 1\nusermove O-O-O\nping 1\n";
    let heard = talk("chess", castles);
    assert!(!heard.iter().any(|line| line.starts_with("Illegal")), "{heard:?}");
}

/// An analysis goes on until it is told to end, and follows the moves that are made.
#[test]
fn positions_are_analyzed() {
    let heard = talk("chess", "new\npost\nanalyze\nping 1\nusermove e2e4\nping 2\nexit\nping 3\nquit\n");
    let pongs: Vec<&String> = heard.iter().filter(|line| line.starts_with("pong")).collect();
    assert_eq!(pongs, ["pong 1", "pong 2", "pong 3"]);
    assert!(moves(&heard).is_empty(), "{heard:?}");
}
