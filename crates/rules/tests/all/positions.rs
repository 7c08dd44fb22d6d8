//! Positions lose nothing on their way through text: in every game of the library, in both forms, also when the game is
//! over.

use crate::support::{game, game_names, position};
use game::record::{Record, Standing};
use game::{Game, Outcome, Position, fen, text};
use rules::Interpreter;

/// Random games for each game of the library; `MULTIGAME_RANDOM_GAMES` sets another number.
const GAMES: u64 = 3;
/// Positions of a game that are written and read, beside the last one.
const POSITIONS_MAX: usize = 12;
/// Moves that are played on from a position that was read.
const FUTURE: usize = 3;
/// Long games are left unfinished, most of them.
const PLIES_MAX: usize = 250;

fn play_at_random(record: &mut Record<'_, Interpreter>, random: &mut fastrand::Rng) -> bool {
    if record.standing() != Standing::Open {
        return false;
    }
    let played = record.legal().get(random.usize(..record.legal().len())).to_move();
    record.play(&played).unwrap_or_else(|fault| panic!("{fault}"));
    true
}

/// Whether a game ended because a position came again, which no position can tell.
fn ended_by_repetition(record: &Record<'_, Interpreter>) -> bool {
    record.standing() != Standing::Open && record.ended().is_none() && {
        let again = Record::new(record.game(), record.game().unpack(record.position()));
        again.is_ok_and(|again| again.standing() == Standing::Open)
    }
}

/// Reads a text and compares what can be done there with the game that it was written from.
fn check_text(record: &Record<'_, Interpreter>, written: &str, seed: u64) {
    let (info, plain) = (record.game().info(), record.plain());
    let back = text::read(info, written).unwrap_or_else(|error| panic!("{error}\n{written}"));
    assert_eq!(back.slots(), plain.slots(), "{written}");
    assert!(back == plain, "{written}");
    assert_eq!(back.signature(), back.recomputed_signature(info), "{written}");
    assert_eq!(back.outcome(), plain.outcome(), "{written}");
    if info.notation.counts_moves() {
        assert_eq!(back.number(), plain.number(), "{written}");
    }
    record.game().accepts(&back).unwrap_or_else(|error| panic!("{error}\n{written}"));
    if ended_by_repetition(record) {
        return;
    }
    let mut again = Record::new(record.game(), back).unwrap_or_else(|fault| panic!("{fault}"));
    let mut other = Record::new(record.game(), plain).unwrap_or_else(|fault| panic!("{fault}"));
    for ply in 0..=FUTURE {
        if ply == 0 {
            check_standing(record.standing(), again.standing(), written);
        }
        assert_eq!(other.standing(), again.standing(), "{written}");
        assert_eq!(other.legal().len(), again.legal().len(), "{written}");
        for (left, right) in other.legal().iter().zip(again.legal().iter()) {
            assert!(left.same_as(right), "{written}");
        }
        let (mut first, mut second) = (fastrand::Rng::with_seed(seed), fastrand::Rng::with_seed(seed));
        if !play_at_random(&mut other, &mut first) | !play_at_random(&mut again, &mut second) {
            return;
        }
    }
}

/// The same ending, whichever side sees it.
fn check_standing(expected: Standing, found: Standing, written: &str) {
    let white = |standing: Standing| match standing {
        Standing::Open => None,
        Standing::Finished(outcome, game::Colour::White) => Some(outcome),
        Standing::Finished(outcome, game::Colour::Black) => Some(outcome.reversed()),
    };
    assert_eq!(white(expected), white(found), "{written}");
}

fn check_position(record: &Record<'_, Interpreter>, seed: u64) {
    let (info, plain) = (record.game().info(), record.plain());
    let line = fen::write(info, &plain);
    assert!(!line.contains('\n'), "{line}");
    check_text(record, &line, seed);
    check_text(record, &text::write(info, &plain), seed);
}

#[test]
fn positions_of_every_game_survive_the_trip() {
    let games =
        std::env::var("MULTIGAME_RANDOM_GAMES").ok().and_then(|text| text.parse().ok()).unwrap_or(GAMES);
    for name in game_names() {
        let game = game(&name);
        let setups = &game.program().setups;
        for seed in 0..games {
            let mut random = fastrand::Rng::with_seed(seed);
            let mut record = Record::new(&game, setups[seed as usize % setups.len()].1.clone()).unwrap();
            let each = 1 + random.usize(..8);
            for ply in 0..PLIES_MAX {
                if ply % each == 0 && ply / each < POSITIONS_MAX {
                    check_position(&record, seed);
                }
                if !play_at_random(&mut record, &mut random) {
                    break;
                }
            }
            check_position(&record, seed);
        }
    }
}

/// A position that comes from outside as this text, and how the game stands there, for the player to move.
fn check_line(name: &str, line: &str, expected: Option<Outcome>) {
    let game = game(name);
    let start: Position = position(&game, line);
    let record = Record::new(&game, start).unwrap_or_else(|fault| panic!("{fault}"));
    let found = match record.standing() {
        Standing::Open => None,
        Standing::Finished(outcome, _) => Some(outcome),
    };
    assert_eq!(found, expected, "{name}: {line}");
    assert_eq!(record.legal().is_empty(), expected.is_some(), "{name}: {line}");
    check_position(&record, 1);
}

#[test]
fn results_stand_behind_positions_that_do_not_show_them() {
    check_line("gomoku", &format!("{} w result=1-0", ["15"; 15].join("/")), Some(Outcome::Win));
    check_line("gomoku", &format!("{} b result=1-0", ["15"; 15].join("/")), Some(Outcome::Loss));
    check_line("gomoku", &format!("{} w result=1/2-1/2", ["15"; 15].join("/")), Some(Outcome::Draw));
    check_line("awari", "6/6 b seeds=0 result=-12", Some(Outcome::Score(12)));
    check_line("puzzle15", "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 result=solved", Some(Outcome::Win));
    for wrong in ["result=2-0", "result=won", "result=", "result=solved"] {
        let game = game("gomoku");
        let line = format!("{} w {wrong}", ["15"; 15].join("/"));
        assert!(text::read(game.info(), &line).is_err(), "{line}");
    }
}

#[test]
fn finished_games_are_known_from_outside() {
    let (win, loss, draw) = (Some(Outcome::Win), Some(Outcome::Loss), Some(Outcome::Draw));
    check_line("tictactoe", "OOX/XXX/2O b", loss);
    check_line("tictactoe", "OOX/1XX/2O b", None);
    check_line("connect4", "7/7/7/3O3/2OO3/XXXXO2 b", loss);
    check_line("hexapawn", "P1p/3/1P1 b", loss);
    check_line("breakthrough", "P6p/8/8/8/8/8/8/8 b", loss);
    check_line("dobutsu", "g1e/1c1/1C1/ELG[] b", loss);
    check_line("dobutsu", "gLe/1l1/1C1/E1G w", None);
    check_line("threecheck", "4k3/8/8/8/8/8/8/4K2R b - - 0+3 0 1", loss);
    check_line("threecheck", "4k3/8/8/8/8/8/8/4K2R b - - 1+3 0 1", None);
    check_line("threecheck", "4k3/8/8/8/8/8/8/4K2R b - - 0 1 +3+0", loss);
    check_line("kingofthehill", "4k3/8/8/3K4/8/8/8/8 b - - 0 1", loss);
    check_line("atomic", "8/8/8/3K4/8/8/8/8 b - - 0 1", loss);
    check_line("atarigo", "OX7/X8/9/9/9/9/9/9/9 b", loss);
    check_line("racingkings", "3K3k/8/8/8/8/8/8/8 w - - 0 1", draw);
    check_line("awari", "6/6 b seeds=0,0,0,2,0,0/1,0,0,1,0,0 captured=25,19", loss);
    check_line(
        "quarto",
        "0123/4567/89AB/CDEF w chosen=15 traits=0,1,2,3/4,5,6,7/8,9,10,11/12,13,14,15",
        loss,
    );
    check_line("peg", "**3**/**3**/7/3o3/7/**3**/**3**", win);
    check_line("queens", "2Q5/5Q2/3Q4/1Q6/7Q/4Q3/6Q1/Q7", win);
    check_line("lightsout", "5/5/5/5/5", win);
}

/// Endings as other programs have them (pyffish for the relatives of chess).
#[test]
fn endings_are_those_of_the_world() {
    let (win, loss, draw) = (Some(Outcome::Win), Some(Outcome::Loss), Some(Outcome::Draw));
    // White left black's lion on its last row, where nothing attacks it.
    check_line("dobutsu", "2e/gCC/2L/l1G[] b - - 0 1", win);
    check_line("dobutsu", "2e/gCC/L2/l1G[] b - - 0 1", None);
    check_line("dobutsu", "L1e/gCC/3/l1G[] w - - 0 1", loss);
    check_line("shatranj", "4k3/8/8/8/8/8/8/R3K2R b - - 0 1", loss);
    check_line("shatranj", "4k3/8/8/8/8/8/8/R3K3 b - - 0 1", None);
    check_line("shatranj", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", win);
    check_line("shatranj", "4k3/8/8/8/8/8/8/4K3 b - - 0 1", draw);
    check_line("makruk", "4k3/8/8/8/8/8/8/R3K3 w - - 128 90", draw);
    check_line("xiangqi", "3ak4/9/9/9/9/9/9/9/9/3K1A3 w - - 0 1", draw);
    check_line("xiangqi", "3ak4/9/9/9/9/9/9/9/9/3K1A2R w - - 0 1", None);
    let board = "X".repeat(40) + &"O".repeat(24);
    check_line("othello", &format!("{board} O"), Some(Outcome::Score(-16)));
    check_line("othello", &format!("{board} X"), Some(Outcome::Score(16)));
}

#[test]
fn makruk_counts_moves_without_pawns_only() {
    let game = game("makruk");
    for (start, expected) in [
        ("4k3/8/p7/8/8/8/8/R3K3 w - - 5 1", "4k3/8/p7/8/8/8/8/1R2K3 b - - 5 1"),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 5 1", "4k3/8/8/8/8/8/8/1R2K3 b - - 6 1"),
    ] {
        let mut record = Record::new(&game, position(&game, start)).unwrap();
        let index = game::notation::find(game.info(), &record.plain(), record.legal(), "a1b1").unwrap();
        let played = record.legal().get(index).to_move();
        record.play(&played).unwrap();
        assert_eq!(fen::write(game.info(), &record.plain()), expected);
    }
}

/// In halma what has arrived in the opposite corner stays there.
#[test]
fn pawns_of_halma_do_not_leave_the_target() {
    let game = game("halma");
    let empty = ["16"; 4].join("/");
    let line = format!("15O/16/16/13X2/{empty}/{empty}/{empty} w");
    let record = Record::new(&game, position(&game, &line)).unwrap();
    let names = game::notation::short_forms(game.info(), &record.plain(), record.legal());
    assert_eq!(names, ["n13n14", "n13o14", "n13o13", "n13o12", "n13m14"].map(str::to_owned));
}

/// A position in the form of other programs, and the form that we write.
fn check_form(name: &str, given: &str, expected: &str) {
    let game = game(name);
    let read = text::read(game.info(), given).unwrap_or_else(|error| panic!("{given}: {error}"));
    let read = game.admit(read).unwrap_or_else(|error| panic!("{given}: {error}"));
    assert_eq!(fen::write(game.info(), &read), expected, "{name}");
}

#[test]
fn notations_of_other_programs_are_read_and_written() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
    check_form("minishogi", "rbsgk/4p/5/P4/KGSBR[-] w 0 1", "rbsgk/4p/5/P4/KGSBR[] w - - 0 1");
    check_form("minishogi", "1bsgk/4+r/5/P4/KGSB1[Pr] b - - 0 9", "1bsgk/4+r/5/P4/KGSB1[Pr] b - - 0 9");
    check_form("dobutsu", "2e/gCC/2L/l1G b", "2e/gCC/2L/l1G[] b - - 0 1");
    check_form("dobutsu", "l1e/3/1+C1/EL1[Gg] w - - 0 12", "l1e/3/1+C1/EL1[Gg] w - - 0 12");
    check_form("threecheck", &format!("{start} 3+3 0 1"), &format!("{start} 3+3 0 1"));
    check_form("threecheck", &format!("{start} 2 5 +1+0"), &format!("{start} 2+3 2 5"));
    check_form("threecheck", &format!("{start} 4 5"), &format!("{start} 3+3 4 5"));
    check_form("chess", "4k3/8/8/8/8/8/8/R3K3 b Q - 12 34", "4k3/8/8/8/8/8/8/R3K3 b Q - 12 34");
    check_form("draughts", "W:WK3,42:B20:H4:F31", "W:WK3,42:B20:H4:F31");
    check_form("draughts", "W:W31-33:B1-3", "W:W31,32,33:B1,2,3");
    // Rights that pieces do not bear out, and a pawn that cannot be taken in passing.
    check_form("chess", "4k3/8/8/8/8/8/8/R2K4 w KQkq - 0 1", "4k3/8/8/8/8/8/8/R2K4 w - - 0 1");
    check_form("chess", "4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1", "4k3/8/8/8/4P3/8/8/4K3 b - - 0 1");
    check_form("chess", "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1");
    check_form("chess", "3k4/8/8/8/3pP3/8/8/K2R4 b - e3 0 1", "3k4/8/8/8/3pP3/8/8/K2R4 b - - 0 1");
}

fn check_refused(name: &str, line: &str, reason: &str) {
    let game = game(name);
    let error = game.accepts(&position(&game, line)).expect_err(line).to_string();
    assert!(error.contains(reason), "{name}: {line}: {error}");
}

#[test]
fn impossible_positions_are_refused() {
    check_refused("chess", "8/8/8/8/8/8/8/8 w - - 0 1", "one king");
    check_refused("chess", "kkkk4/8/8/8/8/8/8/4K3 w - - 0 1", "one king");
    check_refused("chess", "4k3/4R3/8/8/8/8/8/4K3 w - - 0 1", "take the king");
    check_refused("chess", "P3k3/8/8/8/8/8/8/4K3 w - - 0 1", "last row");
    check_refused("chess", "4k3/8/8/8/8/8/8/p3K3 w - - 0 1", "first or the last row");
    check_refused("chess", "4k3/8/8/8/8/8/8/4K3 w - e6 0 1", "moved two fields");
    check_refused("horde", "4k3/8/8/8/8/8/PPPP4/4K3 w - - 0 1", "white none");
    check_refused("horde", "4k3/8/8/8/8/8/PPPP4/4p3 w - - 0 1", "white's first");
    check_refused("antichess", "4k3/8/8/8/8/8/8/p3K3 w - - 0 1", "last row");
    check_refused("atomic", "4k3/8/8/8/8/8/8/8 b - - 0 1", "just moved must have one");
    check_refused("atomic", "4k3/4R3/8/8/8/8/8/4K3 w - - 0 1", "explode the king");
    check_refused("xiangqi", "9/9/3k5/9/9/9/9/9/9/3K5 w - - 0 1", "take the general");
    check_refused("xiangqi", "9/9/9/3k5/9/9/9/9/9/4K4 w - - 0 1", "palace");
    check_refused("minishogi", "rbsg1/4p/5/P4/KGSBR w", "one king");
    check_refused("checkers", "W:W1:B5", "last row");
    check_refused("draughts", "B:W20:B50", "last row");
    check_refused("racingkings", "8/8/8/8/8/8/kR6/7K w - - 0 1", "check");
    check_refused("connect4", "7/7/7/3X3/7/7 b", "rest on");
}

/// Setups of the library are positions of their games.
#[test]
fn setups_are_possible() {
    for name in game_names() {
        let game = game(&name);
        for (setup, position) in &game.program().setups {
            let admitted =
                game.admit(position.clone()).unwrap_or_else(|error| panic!("{name} {setup}: {error}"));
            assert!(admitted == *position, "{name} {setup}");
        }
    }
}
