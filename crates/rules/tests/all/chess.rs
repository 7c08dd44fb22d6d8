//! Rules of chess that counts of small trees do not reach: rights lost for good, draws, endings.

use crate::support::{game, position};
use game::notation::{find, short_forms};
use game::record::{Record, Standing};
use game::{Colour, Game, Outcome};
use rules::Interpreter;

/// The game after some moves.
fn after<'game>(game: &'game Interpreter, fen: &str, moves: &str) -> Record<'game, Interpreter> {
    let mut record = Record::new(game, position(game, fen)).expect("chess has no faults");
    for text in moves.split_whitespace() {
        let index = find(game.info(), record.position(), record.legal(), text)
            .unwrap_or_else(|error| panic!("{error}"));
        let played = record.legal().get(index).to_move();
        record.play(&played).expect("chess has no faults");
    }
    record
}

fn check_legal(fen: &str, moves: &str, candidate: &str, expected: bool) {
    let game = game("chess");
    let record = after(&game, fen, moves);
    let legal = short_forms(game.info(), record.position(), record.legal());
    assert_eq!(
        legal.iter().any(|form| form == candidate),
        expected,
        "{fen}, {moves}: {candidate} in {legal:?}"
    );
}

fn check_standing(fen: &str, moves: &str, expected: Standing) {
    let game = game("chess");
    assert_eq!(after(&game, fen, moves).standing(), expected, "{fen}, {moves}");
}

#[test]
fn castling_is_lost_when_the_rook_is_captured() {
    // Another rook stands where the captured one stood; that does not help.
    check_legal("r3k3/8/8/3B4/8/8/7P/4K3 w q - 0 1", "h2h3", "e8c8", true);
    check_legal("rr2k3/8/8/3B4/8/8/7P/4K3 w q - 0 1", "d5a8 b8a8 h2h3", "e8c8", false);
    check_legal("4k1rr/8/8/4B3/8/8/7P/4K3 w k - 0 1", "e5h8 g8h8 h2h3", "e8g8", false);
    check_legal("4k3/7p/8/8/3b4/8/8/RR2K3 b Q - 0 1", "d4a1 b1a1 h7h6", "e1c1", false);
    check_legal("4k3/7p/8/8/4b3/8/8/4K1RR b K - 0 1", "e4h1 g1h1 h7h6", "e1g1", false);
    // By a pawn that becomes a queen, too.
    check_legal("4k1rr/6P1/8/8/8/8/7P/4K3 w k - 0 1", "g7h8q g8h8 h2h3", "e8g8", false);
}

#[test]
fn castling_is_lost_when_king_or_rook_move() {
    let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    check_legal(fen, "", "e1c1", true);
    check_legal(fen, "a1b1 a8b8 b1a1 b8a8", "e1c1", false);
    check_legal(fen, "a1b1 a8b8 b1a1 b8a8", "e1g1", true);
    check_legal(fen, "a1b1 a8b8 b1a1 b8a8 e1e2", "e8c8", false);
    check_legal(fen, "e1e2 h8h7 e2e1 h7h8", "e1g1", false);
    check_legal(fen, "e1e2 h8h7 e2e1 h7h8 e1e2", "e8g8", false);
    check_legal(fen, "e1e2 h8h7 e2e1 h7h8 e1e2", "e8c8", true);
}

#[test]
fn castling_does_not_pass_an_attack() {
    check_legal("4k3/8/8/8/8/8/5r2/R3K2R w KQ - 0 1", "", "e1g1", false);
    check_legal("4k3/8/8/8/8/8/3r4/R3K2R w KQ - 0 1", "", "e1c1", false);
    check_legal("4k3/8/8/8/8/8/4r3/R3K2R w KQ - 0 1", "", "e1g1", false);
    // The rook may pass one.
    check_legal("1r2k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "", "e1c1", true);
    check_legal("4k3/8/8/8/8/8/8/RN2K2R w KQ - 0 1", "", "e1c1", false);
}

#[test]
fn en_passant_is_possible_at_once_or_never() {
    let fen = "4k3/3p4/8/4P3/8/8/7P/4K3 b - - 0 1";
    check_legal(fen, "d7d5", "e5d6", true);
    check_legal(fen, "d7d5 h2h3 e8e7", "e5d6", false);
    check_legal(fen, "d7d6 h2h3 d6d5", "e5d6", false);
    // It must not open a line to the king.
    check_legal("8/3p4/8/K3P2r/8/8/8/4k3 b - - 0 1", "d7d5", "e5d6", false);
}

#[test]
fn games_end() {
    let open = Standing::Open;
    let mate = Standing::Finished(Outcome::Loss, Colour::White);
    check_standing("start", "f2f3 e7e5 g2g4 d8h4", mate);
    check_standing("start", "f2f3 e7e5 g2g4", open);
    check_standing("7k/5Q2/8/8/8/8/8/K7 w - - 0 1", "f7f6", open);
    check_standing("7k/8/5Q2/8/8/8/8/K7 w - - 0 1", "f6f7", Standing::Finished(Outcome::Draw, Colour::Black));
}

#[test]
fn a_third_occurrence_is_a_draw() {
    let twice = "g1f3 g8f6 f3g1 f6g8";
    check_standing("start", twice, Standing::Open);
    let drawn = Standing::Finished(Outcome::Draw, Colour::Black);
    check_standing("start", &format!("{twice} {twice}"), drawn);
    // The first two occurrences had another right to castle.
    let fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    check_standing(fen, "h1g1 e8e7 g1h1 e7e8 h1g1 e8e7 g1h1 e7e8", Standing::Open);
}

#[test]
fn a_position_comes_again_whatever_the_counter_of_moves_says() {
    let twice = "a1a2 e8e7 a2a1 e7e8";
    let drawn = Standing::Finished(Outcome::Draw, Colour::Black);
    for halfmoves in [0, 71, 72, 79, 80, 91] {
        let fen = format!("4k3/8/8/8/8/8/8/R3K3 w - - {halfmoves} 1");
        check_standing(&fen, twice, Standing::Open);
        check_standing(&fen, &format!("{twice} {twice}"), drawn);
    }
    // What is taken back was never there.
    let game = game("chess");
    let mut record = after(&game, "4k3/8/8/8/8/8/8/R3K3 w - - 78 1", &format!("{twice} {twice}"));
    let history = record.history().len();
    assert!(record.take_back().unwrap());
    let again = find(game.info(), &record.plain(), record.legal(), "e7e8").unwrap();
    let again = record.legal().get(again).to_move();
    record.play(&again).unwrap();
    assert_eq!((record.history().len(), record.standing()), (history, drawn));
}

#[test]
fn fifty_moves_are_a_draw() {
    let drawn = Standing::Finished(Outcome::Draw, Colour::Black);
    check_standing("4k3/8/8/8/8/8/7P/4K2R w - - 99 80", "h1g1", drawn);
    check_standing("4k3/8/8/8/8/8/7P/4K2R w - - 98 80", "h1g1", Standing::Open);
    check_standing("4k3/8/8/8/8/8/7P/4K2R w - - 99 80", "h2h3", Standing::Open);
    // Mate comes first.
    let mate = Standing::Finished(Outcome::Loss, Colour::Black);
    check_standing("6k1/5ppp/8/8/8/8/8/K3R3 w - - 99 80", "e1e8", mate);
}

#[test]
fn a_pawn_becomes_one_of_four() {
    for candidate in ["a7a8q", "a7a8r", "a7a8b", "a7a8n", "a7b8q"] {
        check_legal("1r2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "", candidate, true);
    }
}

/// The same position with the colours exchanged: rows turned over, capitals for small letters.
fn exchanged(fen: &str) -> String {
    let mut parts = fen.split(' ');
    let (board, mover) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    let turn = |text: &str| -> String {
        let other = |letter: char| {
            if letter.is_ascii_uppercase() {
                letter.to_ascii_lowercase()
            } else {
                letter.to_ascii_uppercase()
            }
        };
        text.chars().map(other).collect()
    };
    let rows: Vec<String> = board.split('/').rev().map(turn).collect();
    format!("{} {} - - 0 1", rows.join("/"), if mover == "w" { "b" } else { "w" })
}

#[test]
fn evaluation_is_the_same_for_both_colours() {
    let game = game("chess");
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1";
    // Neither side has more than the other, but white is to move.
    let worth =
        game.features(&position(&game, start)).map(|features| features.iter().map(|one| one.1).collect());
    assert_eq!(worth, Ok(vec![0, 0, 0, 38]));
    for fen in [
        "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1",
        "r1bqk2r/2pp1ppp/p1n2n2/1pb1p3/4P3/1B3N2/PPPP1PPP/RNBQ1RK1 w - - 0 1",
        "8/2p3kp/4p1p1/pr1n4/N1N4P/1P4P1/1K3P2/3R4 b - - 0 1",
        "3q1rk1/4bp1p/1n2P2Q/3p1p2/6r1/Pp2R2N/1B4PP/7K w - - 0 1",
    ] {
        let value = game.evaluate(&position(&game, fen));
        assert_eq!(value, game.evaluate(&position(&game, &exchanged(fen))), "{fen}");
        assert!(value.is_ok_and(|value| value.abs() < 2000), "{fen}");
    }
    let extra_rook = game.evaluate(&position(&game, "4k3/8/8/8/8/8/8/R3K3 w - - 0 1")).unwrap_or(0);
    assert!((400..700).contains(&extra_rook), "{extra_rook}");
}

#[test]
fn the_test_that_closes_moves_tells_who_is_in_check() {
    for (name, fen, expected) in [
        ("chess", "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", Some(true)),
        ("chess", "4k3/8/8/8/8/8/3r4/4K3 b - - 0 1", Some(false)),
        // The rook is pinned, and gives check all the same.
        ("chess", "4k3/8/4r3/8/B7/8/8/4K3 w - - 0 1", Some(true)),
        ("chess", "4k3/8/8/1B6/8/8/8/4K3 b - - 0 1", Some(true)),
        ("chess", "4k3/3p4/8/1B6/8/8/8/4K3 b - - 0 1", Some(false)),
        // Behind `else`, and before what a move may bring about.
        ("xiangqi", "3k5/9/9/9/9/9/9/9/4r4/4K4 w - - 0 1", Some(true)),
        ("threecheck", "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", Some(true)),
        // Nothing is tested after a move.
        ("othello", "start", None),
        // What `not` is about is not the mover's.
        ("breakthrough", "start", None),
    ] {
        let game = game(name);
        let position = position(&game, fen);
        assert_eq!(game.is_threatened(&position), expected, "{name}: {fen}");
    }
}
