//! *A move that is listed is the move that is played*, in every game of the library: names differ, each is read
//! back as its move by every reader, and games written to a file are read as the same games. Positions are those
//! of random games.
//!
//! `MULTIGAME_GAME=chess` looks at one game, `MULTIGAME_RANDOM_GAMES=20` plays so many of each.

#![allow(clippy::unwrap_used)] // tests are free to

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use game::notation::{self, MoveError, Names};
use game::record::{Record, Standing};
use game::{Game, GameInfo, MoveList, Position, Stage, fen};
use protocol::pgn::{self, Pgn};
use protocol::{chance, coordinates, san};
use rules::Interpreter;
use search::Knowledge;

/// Random games for each game of the library.
const GAMES: u64 = 2;
const PLIES_MAX: usize = 30;
/// To look a name up is to name all moves: so many are looked up in one position, or so many moves are gone through.
const LOOKED_UP: usize = 12;
const NAMED_MAX: usize = 2_000;
/// Where there are more moves, only every fifth position is looked at.
const MANY: usize = 200;

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name)
}

fn files(name: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder(name)).unwrap().map(|entry| entry.unwrap().path());
    let mut paths: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|end| end == "mg")).collect();
    paths.sort();
    paths
}

fn compile(name: &str, text: &str) -> Interpreter {
    let (program, _) = rules::compile(&lang::Source::new(name, text), None)
        .unwrap_or_else(|error| panic!("{name}: {error:?}"));
    Interpreter::new(program)
}

fn load(path: &Path) -> Interpreter {
    let name = path.file_name().unwrap().to_str().unwrap();
    compile(name, &std::fs::read_to_string(path).unwrap())
}

fn library(name: &str) -> Interpreter {
    load(&folder("games").join(format!("{name}.mg")))
}

/// Plays random games of every game, from every setup in turn.
fn for_random_games(plies_max: usize, check: impl Fn(&str, &Interpreter, &Record<'_, Interpreter>) + Sync) {
    let wanted = std::env::var("MULTIGAME_GAME").ok();
    let games =
        std::env::var("MULTIGAME_RANDOM_GAMES").ok().and_then(|text| text.parse().ok()).unwrap_or(GAMES);
    let paths: Vec<PathBuf> = files("games").into_iter().chain(files("games/sizes")).collect();
    let one = |path: &PathBuf| {
        let game = load(path);
        let name = game.info().name.clone();
        if wanted.as_ref().is_some_and(|wanted| *wanted != name) {
            return;
        }
        for seed in 0..games {
            let setups = &game.program().setups;
            let start = setups[seed as usize % setups.len()].1.clone();
            let mut record = Record::new(&game, start).unwrap();
            let mut random = chance::mix(seed);
            while record.standing() == Standing::Open && record.moves().len() < plies_max {
                check(&name, &game, &record);
                random = chance::next(random);
                let played = record.legal().get(chance::choose(record.legal(), random)).to_move();
                record.play(&played).unwrap();
            }
            check(&name, &game, &record);
        }
    };
    // The library is large: two threads share it.
    let (even, odd): (Vec<_>, Vec<_>) = paths.iter().enumerate().partition(|(index, _)| index % 2 == 0);
    std::thread::scope(|scope| {
        let first = scope.spawn(|| even.into_iter().for_each(|(_, path)| one(path)));
        odd.into_iter().for_each(|(_, path)| one(path));
        first.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    });
}

/// Whether the names differ.
fn assert_distinct(place: &str, form: &str, names: &[String]) {
    let mut seen = HashSet::new();
    for name in names {
        assert!(seen.insert(name), "{place}: `{name}` is listed twice ({form}): {names:?}");
        assert!(!name.trim().is_empty() && name.trim() == name, "{place}: `{name}` ({form})");
    }
}

type Reader = fn(&GameInfo, &Position, &MoveList, &str) -> Result<usize, MoveError>;

fn check_names(place: &str, info: &GameInfo, position: &Position, legal: &MoveList) {
    let own = Names::new(info, position, legal);
    let (short, long) = (own.short().to_vec(), own.long());
    let programs = coordinates::names(info, position, legal);
    let readers: [(&str, Reader); 3] =
        [("own", notation::find), ("programs", coordinates::find), ("all", san::find)];
    assert!(programs.iter().all(|name| !name.contains(char::is_whitespace)), "{place}: {programs:?}");
    for (form, names, knows) in [("short", &short, 0), ("long", &long, 0), ("programs", &programs, 1)] {
        assert_distinct(place, form, names);
        let count = LOOKED_UP.min(NAMED_MAX / legal.len().max(1)).max(1);
        for index in (0..legal.len()).step_by(legal.len().div_ceil(count).max(1)) {
            for (reader, find) in &readers[knows..] {
                let found = find(info, position, legal, &names[index]);
                assert_eq!(found, Ok(index), "{place}: `{}` ({form}, read as {reader})", names[index]);
            }
        }
    }
}

fn legal(game: &impl Game, position: &Position) -> MoveList {
    let mut moves = MoveList::new();
    game.generate(&game.pack(position), Stage::All, &mut moves).unwrap();
    moves
}

#[test]
fn a_move_that_is_listed_is_the_move_that_is_played() {
    for_random_games(PLIES_MAX, |name, game, record| {
        if record.legal().len() > MANY && !record.moves().len().is_multiple_of(5) {
            return;
        }
        let position = game.unpack(record.position());
        let place = format!("{name} `{}`", fen::write(game.info(), &position));
        check_names(&place, game.info(), &position, record.legal());
    });
}

#[test]
fn games_on_file_are_the_games_that_were_played() {
    for_random_games(PLIES_MAX, |name, game, record| {
        let over = record.standing() != Standing::Open || record.moves().len() == PLIES_MAX;
        if !over {
            return;
        }
        let written = Pgn::of_record(record, &Knowledge::default(), &[("Variant", name)]).unwrap();
        let mut text = written.to_string();
        // Whether positions come back from one line is tried elsewhere: here games begin where they began.
        let moves = text.find("\n\n").unwrap();
        text.replace_range(..moves, &format!("[Variant \"{name}\"]"));
        let games = pgn::read(&text);
        assert_eq!(games.len(), 1, "{name}:\n{text}");
        assert_eq!(games[0].moves, written.moves, "{name}:\n{text}");
        let again = games[0].replay_from(game, record.start().clone());
        let again = again.unwrap_or_else(|error| panic!("{name}: {error}\n{text}"));
        assert_eq!(again.moves(), record.moves(), "{name}:\n{text}");
        assert!(again.position() == record.position(), "{name}");
    });
}

/// What a text means in a position: the long form of the move, or why there is none.
fn read(game: &Interpreter, position: &Position, text: &str) -> Result<String, String> {
    let (info, moves) = (game.info(), legal(game, position));
    let found = san::find(info, position, &moves, text).map_err(|error| error.to_string())?;
    assert_eq!(coordinates::find(info, position, &moves, text), Ok(found), "{text}");
    Ok(notation::long_form(info, moves.get(found)))
}

fn position(game: &Interpreter, text: &str) -> Position {
    game::text::read(game.info(), text).unwrap()
}

fn short(game: &Interpreter, position: &Position) -> Vec<String> {
    notation::short_forms(game.info(), position, &legal(game, position))
}

fn start(game: &Interpreter) -> Position {
    game.info().start.clone().unwrap()
}

#[test]
fn a_drop_is_not_taken_for_a_move_of_a_pawn() {
    let game = library("minishogi");
    let mut position = position(&game, "2k2/5/4P/5/2K2 w");
    let property = game.info().property("rooks").unwrap().slot;
    position.set(game.info(), property, 1);
    let names = short(&game, &position);
    assert!(names.contains(&"R@d4".to_owned()) && names.contains(&"e3e4".to_owned()), "{names:?}");
    assert_eq!(read(&game, &position, "R@d4").unwrap(), "white rook -> d4");
    assert_eq!(read(&game, &position, "r@d4").unwrap(), "white rook -> d4");
    assert_eq!(read(&game, &position, "e3e4").unwrap(), "e3 -> e4");
}

#[test]
fn promotion_in_shogi_is_a_plus() {
    let game = library("minishogi");
    let position = position(&game, "2k2/5/3R1/5/2K2 w");
    assert_eq!(read(&game, &position, "d3d5+").unwrap(), "d3 -> d5; white dragon -> d5");
    assert_eq!(read(&game, &position, "d3d5").unwrap(), "d3 -> d5");
    // Nothing is promoted in the middle of the board.
    assert!(read(&game, &position, "d3d4+").is_err());
    let game = library("dobutsu");
    let position = self::position(&game, "l2/2C/3/2L w");
    assert_eq!(read(&game, &position, "c3c4+").unwrap(), "c3 -> c4; white hen -> c4");
    assert_eq!(read(&game, &position, "c3c4").unwrap(), "c3 -> c4; white hen -> c4");
}

#[test]
fn lights_are_named_by_the_one_that_is_pressed() {
    let game = library("lightsout");
    for text in ["*****/*****/*****/***.*/**...", "***../*..**/**.**/***.*/**..."] {
        let position = position(&game, text);
        assert_eq!(short(&game, &position).len(), 25);
        assert!(short(&game, &position).iter().all(|name| name.len() == 2));
        assert!(read(&game, &position, "a4a5").is_err());
    }
}

#[test]
fn a_field_that_was_left_can_be_shot_at() {
    let game = library("isolation");
    let position = position(&game, "***1p1/***P**/******/******/******/******/******/**1*** b");
    let names = coordinates::names(game.info(), &position, &legal(&game, &position));
    assert_distinct("isolation", "programs", &names);
    let e8d8 = names.iter().filter(|name| name.starts_with("e8d8")).cloned().collect::<Vec<_>>();
    assert_eq!(e8d8, ["e8d8/e8", "e8d8/f8"]);
    assert_eq!(read(&game, &position, "e8d8/e8").unwrap(), "e8 -> d8; gone -> e8");
    let amazons = library("amazons");
    assert_eq!(read(&amazons, &start(&amazons), "d1d7/d1").unwrap(), "d1 -> d7; arrow -> d1");
}

#[test]
fn whoever_of_two_takes_in_an_explosion() {
    let game = library("atomic");
    let position = position(&game, "7k/8/8/8/8/8/1p6/1RQ4K w - - 0 1");
    let one = read(&game, &position, "b1b2").unwrap();
    assert_eq!(read(&game, &position, "c1b2").unwrap(), one);
    let moves = legal(&game, &position);
    let taken = san::find(game.info(), &position, &moves, "Rxb2").unwrap();
    assert_eq!(notation::long_form(game.info(), moves.get(taken)), one);
    assert!(short(&game, &position).contains(&"b1b2".to_owned()));
}

/// Found by comparing with python-chess: another field, or another piece, and the same is left.
#[test]
fn whatever_is_taken_in_an_explosion() {
    let game = library("atomic");
    for (fen, names) in [
        ("rn2kbr1/1Qppq2p/4pp2/p5p1/P7/8/1PPP1PPP/RNB1K2R w KQq - 2 11", ["b7b8", "b7a8"]),
        ("r3kb2/ppqb1ppr/n1Npp3/7p/P1p5/R3PPP1/1P1PQR1P/1NB3K1 b q - 5 15", ["c7c6", "d7c6"]),
        ("rn3b1r/p2bkp2/1p2p1p1/1N1pP1K1/PP1n3p/2q2P1P/2P1N1P1/B2RQ2R w - - 3 22", ["e2d4", "e2c3"]),
    ] {
        let position = position(&game, fen);
        let moves = legal(&game, &position);
        let found = names.map(|name| coordinates::find(game.info(), &position, &moves, name).unwrap());
        assert_eq!(found[0], found[1], "{fen}");
    }
}

#[test]
fn jumps_have_their_natural_names() {
    let ataxx = library("ataxx");
    let position = position(&ataxx, "7/7/7/7/7/3o3/3o2x w");
    assert_eq!(read(&ataxx, &position, "g1e2").unwrap(), "g1 -> e2; white stone -> d1; white stone -> d2");
    let peg = library("peg");
    let names = short(&peg, &start(&peg));
    assert_eq!(
        names.iter().map(String::as_str).collect::<HashSet<_>>(),
        HashSet::from(["d6d4", "d2d4", "b4d4", "f4d4"])
    );
    assert_eq!(read(&peg, &start(&peg), "d6d4").unwrap(), "d5 -> d4; empty field -> d6");
}

#[test]
fn quarto_says_what_is_chosen() {
    let quarto = library("quarto");
    let (mut position, moves) = (start(&quarto), legal(&quarto, &start(&quarto)));
    let names = Names::new(quarto.info(), &position, &moves);
    assert_eq!((names.short()[7].as_str(), names.long()[7].as_str()), ("choose/7", "pass; chosen = 7"));
    let played = moves.get(7).to_move();
    quarto.play(&mut position, played.view());
    let moves = legal(&quarto, &position);
    let long = notation::long_forms(quarto.info(), &position, &moves);
    assert!(long[0].starts_with("piece_7 -> a1") && long[0].ends_with("chosen = 0"), "{}", long[0]);
    assert!(read(&quarto, &position, "b2/13").unwrap().contains("piece_7 -> b2"));
    assert!(read(&quarto, &position, "b2").unwrap_err().contains("could be b2/0"));
}

#[test]
fn faces_of_the_cube_have_letters() {
    let cube = library("rubik");
    let names = short(&cube, &start(&cube));
    assert_eq!(names.len(), 18);
    assert_eq!(names[..3], ["U", "U2", "U'"]);
    let kalah = library("kalah");
    assert!(
        short(&kalah, &start(&kalah)).contains(&"d1c1".to_owned()),
        "{:?}",
        short(&kalah, &start(&kalah))
    );
}

#[test]
fn draughts_players_have_numbers() {
    let checkers = library("checkers");
    assert_eq!(read(&checkers, &start(&checkers), "11-15").unwrap(), "f6 -> e5");
    assert!(read(&checkers, &start(&checkers), "1-115").is_err());
}

#[test]
fn what_could_be_two_moves_is_refused() {
    let breakthrough = library("breakthrough");
    let error = read(&breakthrough, &start(&breakthrough), "e3").unwrap_err();
    assert_eq!(error, "`e3` could be d2e3, e2e3, f2e3: say which");
}

/// Names of several words, and such as look like something else to a reader of games.
const STRANGE: &str = "
    dimensions (3, 1)
    sides = 1
    pieces { mark 'X' 'O' }
    setup
    {
    ...
    }
    main = try [ find empty field, replace by mark, either
            [ assert (column == 1), name \"12. castle\" ]
            or [ assert (column == 2), name \"rotate  \" (column) \" {left}; \" ]
            or [ assert (column == 3), name \"1-0\" ]
        ] else [ test find own mark, draw ].
";

#[test]
fn strange_names_come_back_too() {
    let game = compile("strange", STRANGE);
    assert_eq!(short(&game, &start(&game)), ["12. castle", "rotate 2 {left};", "1-0"]);
    check_names("strange", game.info(), &start(&game), &legal(&game, &start(&game)));
    let mut record = Record::new(&game, start(&game)).unwrap();
    while record.standing() == Standing::Open {
        let played = record.legal().get(0).to_move();
        record.play(&played).unwrap();
    }
    let text = Pgn::of_record(&record, &Knowledge::default(), &[]).unwrap().to_string();
    assert!(text.contains("1. \"12. castle\" \"rotate 2 {left};\" 2. \"1-0\" 1/2-1/2"), "{text}");
    assert_eq!(pgn::read(&text)[0].replay(&game).unwrap().moves(), record.moves());
}
