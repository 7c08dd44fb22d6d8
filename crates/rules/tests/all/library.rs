//! The library of games: what belongs here are checks of the files in `games/`, each against something that was
//! not made from them. Published counts are in `PERFT` and `LAYERS`; counts that other programs gave (with
//! `scripts/oracles/`) are in `library/positions.perft`; second implementations are in `library/reference.rs`.
//!
//! The usual run takes seconds. `MULTIGAME_FULL_PERFT=1` counts every row to its end, and
//! `MULTIGAME_FULL_SELFPLAY=1` plays 1,000 games of each instead of up to twenty.

#![allow(clippy::unwrap_used)] // tests are free to

mod counts;
mod reference;
mod walking;

use std::collections::BTreeMap;
use std::path::PathBuf;

use counts::{LAYERS, PERFT};
use game::record::{Record, Standing};
use game::{Game, MoveList, MoveView, Position, Stage, text};
use rules::{CompileError, Interpreter, compile};
use rustc_hash::FxHashSet;

/// More leaves than this are counted in the full run only.
const LEAVES_MAX: u64 = 60_000;
/// No game of two players may last longer.
const PLIES_MAX: usize = 2_000;
/// One-player games and games without a player need not end; they are watched this long.
const PUZZLE_PLIES_MAX: usize = 200;

fn games_folder() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../games"))
}

fn names() -> Vec<String> {
    let files = std::fs::read_dir(games_folder()).unwrap();
    let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> =
        names.filter_map(|name| name.strip_suffix(".mg").map(str::to_owned)).collect();
    names.sort();
    names
}

fn load(name: &str) -> Interpreter {
    let path = games_folder().join(format!("{name}.mg"));
    let source = lang::Source::new(name, std::fs::read_to_string(path).unwrap());
    match compile(&source, None) {
        Ok((program, _)) => Interpreter::new(program),
        Err(CompileError::Rules(all)) => {
            panic!("{}", all.iter().map(|one| lang::render(&source, one)).collect::<String>())
        }
        Err(CompileError::Position(error)) => panic!("{name}: {error}"),
    }
}

/// A named setup, a position as text, or the start position for an empty text.
fn position(game: &Interpreter, text: &str) -> Position {
    let setup = game.program().setups.iter().find(|(name, _)| name == text && !text.is_empty());
    match (setup, text) {
        (Some((_, position)), _) => position.clone(),
        (None, "") => game.info().start.clone().unwrap(),
        (None, text) => text::read(game.info(), text).unwrap(),
    }
}

fn is_full_run(variable: &str) -> bool {
    std::env::var_os(variable).is_some_and(|value| value == "1")
}

fn perft(game: &Interpreter, position: &mut Position, depth: usize) -> u64 {
    let mut moves = MoveList::new();
    let outcome = game.generate(position, Stage::All, &mut moves).unwrap_or_else(|fault| panic!("{fault}"));
    if outcome.is_some() || depth == 1 {
        return moves.len() as u64;
    }
    let mut leaves = 0;
    for played in moves.iter() {
        // A puzzle that is solved goes on; a game that is over does not.
        if played.head.outcome().is_none() || game.info().players < 2 {
            game.play(position, played);
            leaves += perft(game, position, depth - 1);
            game.take_back(position, played);
        }
    }
    leaves
}

#[test]
fn perft_agrees_with_published_counts() {
    for (name, text, counts) in PERFT {
        let game = load(name);
        let mut position = position(&game, text);
        for (depth, &expected) in (1..).zip(counts.iter()) {
            if expected <= LEAVES_MAX || is_full_run("MULTIGAME_FULL_PERFT") {
                assert_eq!(perft(&game, &mut position, depth), expected, "{name} `{text}` at depth {depth}");
            }
        }
    }
}

#[test]
fn perft_agrees_with_counts_of_other_programs() {
    let mut games: BTreeMap<&str, Interpreter> = BTreeMap::new();
    for line in include_str!("library/positions.perft").lines().filter(|line| !line.starts_with('#')) {
        let mut parts = line.split(" | ");
        let name = parts.next().unwrap();
        let game = games.entry(name).or_insert_with(|| load(name));
        let mut position = position(game, parts.next().unwrap());
        for (depth, expected) in (1..).zip(parts) {
            let expected: u64 = expected.parse().unwrap();
            if expected <= LEAVES_MAX / 30 || is_full_run("MULTIGAME_FULL_PERFT") {
                assert_eq!(perft(game, &mut position, depth), expected, "{line}, depth {depth}");
            }
        }
    }
}

/// A position in Shredder-FEN, which names the columns of the rooks that may castle, as rows and properties.
fn from_shredder_fen(fen: &str) -> String {
    let fields: Vec<&str> = fen.split(' ').collect();
    let rows: Vec<String> = fields[0]
        .split('/')
        .map(|row| {
            row.chars().fold(String::new(), |row, character| match character.to_digit(10) {
                Some(empty) => row + &".".repeat(empty as usize),
                None => row + &character.to_string(),
            })
        })
        .collect();
    let column = |letter: char| letter.to_ascii_lowercase() as usize - 'a' as usize + 1;
    let kings =
        [rows[7].find('K').map_or(0, |index| index + 1), rows[0].find('k').map_or(0, |index| index + 1)];
    let mut lines = rows;
    lines.push(format!("{} to move", if fields[1] == "w" { "white" } else { "black" }));
    for letter in fields[2].chars().filter(|letter| *letter != '-') {
        let rook = column(letter);
        lines.push(
            match (letter.is_ascii_uppercase(), rook < kings[usize::from(letter.is_ascii_lowercase())]) {
                (true, true) => format!("white left_rook = {rook}"),
                (true, false) => format!("white right_rook = {rook}"),
                // Black sees the board the other way round.
                (false, true) => format!("black right_rook = {}", 9 - rook),
                (false, false) => format!("black left_rook = {}", 9 - rook),
            },
        );
    }
    if let Some(letter) = fields[3].chars().next().filter(|letter| *letter != '-') {
        let behind = if fields[1] == "w" { column(letter) } else { 9 - column(letter) };
        lines.push(format!("en_passant = {behind}"));
    }
    lines.join("\n")
}

#[test]
fn chess960_agrees_with_published_counts() {
    let game = load("chess960");
    for line in include_str!("library/chess960.perft").lines().filter(|line| !line.starts_with('#')) {
        let mut parts = line.split(" | ");
        let mut position = position(&game, &from_shredder_fen(parts.next().unwrap()));
        for (depth, expected) in (1..).zip(parts) {
            let expected: u64 = expected.parse().unwrap();
            if expected <= LEAVES_MAX / 30 || is_full_run("MULTIGAME_FULL_PERFT") {
                assert_eq!(perft(&game, &mut position, depth), expected, "{line}, depth {depth}");
            }
        }
    }
}

/// A position with pieces in hand, such as `rbsgk/4p/5/P4/KGSBR[Pp] w`, as rows and properties; `+` promotes.
fn from_shogi_fen(fen: &str) -> String {
    let promoted = |letter: char| match letter {
        's' => 'a',
        'b' => 'h',
        'r' => 'd',
        _ => 't',
    };
    let (board, rest) = fen.split_once('[').unwrap();
    let (hands, mover) = rest.split_once("] ").unwrap();
    let (mut lines, mut plus) = (vec![String::new()], false);
    for character in board.chars() {
        let row = lines.last_mut().unwrap();
        match (character, character.to_digit(10)) {
            ('/', _) => lines.push(String::new()),
            ('+', _) => {}
            (_, Some(empty)) => row.push_str(&".".repeat(empty as usize)),
            _ if !plus => row.push(character),
            _ if character.is_lowercase() => row.push(promoted(character)),
            _ => row.push(promoted(character.to_ascii_lowercase()).to_ascii_uppercase()),
        }
        plus = character == '+';
    }
    lines.push(format!("{} to move", if mover == "w" { "white" } else { "black" }));
    for (letter, name) in [('g', "golds"), ('s', "silvers"), ('b', "bishops"), ('r', "rooks"), ('p', "pawns")]
    {
        for (letter, colour) in [(letter.to_ascii_uppercase(), "white"), (letter, "black")] {
            let count = hands.chars().filter(|held| *held == letter).count();
            lines.push(format!("{colour} {name} = {count}"));
        }
    }
    lines.join("\n")
}

#[test]
fn minishogi_agrees_with_counts_of_another_program() {
    let game = load("minishogi");
    for line in include_str!("library/minishogi.perft").lines().filter(|line| !line.starts_with('#')) {
        let mut parts = line.split(" | ");
        let mut position = position(&game, &from_shogi_fen(parts.next().unwrap()));
        for (depth, expected) in (1..).zip(parts) {
            assert_eq!(
                perft(&game, &mut position, depth),
                expected.parse::<u64>().unwrap(),
                "{line}, depth {depth}"
            );
        }
    }
}

/// A pawn put before the king mates only if the king cannot go and nothing can take it; then it is forbidden.
#[test]
fn a_dropped_pawn_must_not_mate() {
    let game = load("minishogi");
    let drops = |rows: &str| {
        let position = position(&game, &format!("{rows}\nwhite to move\nwhite pawns = 1"));
        let mut moves = MoveList::new();
        game.generate(&position, Stage::All, &mut moves).unwrap();
        let drop = game.info().parse_field("e4").unwrap().0 as usize;
        let fields = |played: MoveView<'_>| -> Vec<usize> {
            let slots = played.changes.iter().map(|change| change.slot());
            slots.filter(|&slot| slot < game.info().geometry.fields()).collect()
        };
        moves.iter().any(|played| fields(played) == [drop])
    };
    // The white gold covers the pawn and d4, the black rook blocks d5.
    assert!(!drops("...rk\n.....\n...G.\n.....\nK...."));
    assert!(drops("....k\n.....\n...G.\n.....\nK...."), "the king goes to d5");
    assert!(drops("...rk\n.....\n....R\n.....\nK...."), "the king goes to d4");
    assert!(drops("...sk\n.....\n...G.\n.....\nK...."), "the silver takes the pawn");
    assert!(!drops("R..sk\n.....\n...G.\n.....\nK...."), "the silver would leave the king to the rook");
}

/// Different positions by distance, and the distance of the first one that is solved.
fn layers(game: &Interpreter, start: Position, last: usize) -> (Vec<u64>, Option<usize>) {
    let mut seen = FxHashSet::default();
    seen.insert(start.signature());
    let (mut counts, mut layer, mut solved) = (vec![1], vec![start], None);
    let mut moves = MoveList::new();
    while counts.len() <= last && !layer.is_empty() {
        let mut next = Vec::new();
        for position in &layer {
            game.generate(position, Stage::All, &mut moves).unwrap_or_else(|fault| panic!("{fault}"));
            for played in moves.iter() {
                let mut position = position.clone();
                game.play(&mut position, played);
                if seen.insert(position.signature()) {
                    let won = played.head.outcome() == Some(game::Outcome::Win);
                    solved = solved.or(won.then_some(counts.len()));
                    next.push(position);
                }
            }
        }
        if !next.is_empty() {
            counts.push(next.len() as u64);
        }
        layer = next;
    }
    (counts, solved)
}

#[test]
fn puzzles_have_the_published_layers() {
    for (name, text, counts) in LAYERS {
        let game = load(name);
        let sums = counts.iter().scan(0, |sum, count| {
            *sum += count;
            Some(*sum)
        });
        let affordable = sums.take_while(|&sum| sum <= 200_000).count();
        let length = if is_full_run("MULTIGAME_FULL_PERFT") { counts.len() } else { affordable };
        let (found, _) = layers(&game, position(&game, text), length - 1);
        assert_eq!(found[..], counts[..length], "{name} `{text}`");
    }
}

#[test]
fn puzzles_have_the_published_shortest_solutions() {
    let hanoi = load("hanoi");
    let (counts, solved) = layers(&hanoi, position(&hanoi, ""), usize::MAX);
    assert_eq!((counts.iter().sum::<u64>(), solved), (6_561, Some(255)), "3^8 states, 2^8 - 1 moves");
    let klotski = load("klotski");
    let (counts, solved) = layers(&klotski, position(&klotski, ""), usize::MAX);
    assert_eq!((counts.iter().sum::<u64>(), solved), (25_955, Some(116)));
    let sokoban = load("sokoban");
    let lengths = [33, 16, 41, 23, 25, 107, 26, 97, 30, 89, 78, 49, 52, 51, 37, 100, 25, 71, 41, 50];
    let quick = [1, 2, 14];
    for (level, length) in (1..).zip(lengths) {
        if quick.contains(&level) || is_full_run("MULTIGAME_FULL_PERFT") {
            let start = position(&sokoban, &format!("level_{level}"));
            assert_eq!(layers(&sokoban, start, length).1, Some(length), "level {level}");
        }
    }
}

#[test]
fn every_game_says_what_it_is() {
    let names = names();
    assert!(names.len() >= 45, "{} games", names.len());
    let mut lines = Vec::new();
    for name in &names {
        let source = std::fs::read_to_string(games_folder().join(format!("{name}.mg"))).unwrap();
        for key in ["title", "origin", "rules", "not covered", "checked"] {
            assert!(source.lines().any(|line| line.starts_with(&format!("# {key}: "))), "{name}: no `{key}`");
        }
        assert!(load(name).info().start.is_some(), "{name} has no setup");
        lines.push(source.lines().filter(|line| !line.trim().is_empty()).count());
    }
    lines.sort_unstable();
    assert!(*lines.last().unwrap() <= 320, "no file has more than 320 lines that say something");
    println!("{} games, the median has {} lines", names.len(), lines[lines.len() / 2]);
}

#[test]
fn random_games_end_without_a_fault() {
    let full = is_full_run("MULTIGAME_FULL_SELFPLAY");
    // Twenty short games or a few long ones in the usual run.
    let (games_max, plies_enough) = if full { (1_000, usize::MAX) } else { (20, 800) };
    for name in names() {
        let game = load(&name);
        let two = game.info().players == 2;
        let limit = if two { PLIES_MAX } else { PUZZLE_PLIES_MAX };
        let (mut games, mut plies, mut choices, mut longest) = (0, 0, 0, 0);
        while games < games_max && plies < plies_enough {
            let seed = games;
            let mut random = fastrand::Rng::with_seed(seed);
            let fail = |fault: game::RuleFault| -> ! { panic!("{name}, seed {seed}: {fault}") };
            let start = position(&game, "");
            let mut record = Record::new(&game, start).unwrap_or_else(|fault| fail(fault));
            let mut length = 0;
            while record.standing() == Standing::Open && length < limit {
                choices += record.legal().len();
                let chosen = record.legal().get(random.usize(..record.legal().len())).to_move();
                record.play(&chosen).unwrap_or_else(|fault| fail(fault));
                length += 1;
            }
            assert!(!two || record.standing() != Standing::Open, "{name}, seed {seed}: no end");
            games += 1;
            plies += length;
            longest = longest.max(length);
        }
        println!(
            "{name}: average length {:.1}, longest {longest}, branching factor {:.1}",
            plies as f64 / games as f64,
            choices as f64 / plies.max(1) as f64
        );
    }
}
