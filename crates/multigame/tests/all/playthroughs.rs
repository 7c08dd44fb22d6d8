//! One recorded game for each game of the library, in `suites/playthroughs/`: positions, legal moves, the move
//! that chance chose, and the ending. The interpreter and the compiled generator must both play it again word
//! for word. What belongs here is nothing else: whether the rules are right is tested with published counts.
//!
//! After a change of rules that is meant, record the games anew and read the difference:
//! `MULTIGAME_BLESS=1 cargo test -p multigame --test all playthroughs`. `MULTIGAME_GAME=chess` looks at one game.

#![allow(clippy::unwrap_used)] // tests are free to

use std::fmt::Write;
use std::path::{Path, PathBuf};

use game::record::{Record, Standing};
use game::{Game, notation, text};
use jit::{Compiled, Options};
use rules::{Interpreter, compile};

const SEED: u64 = 1;
/// Positions and move lists are written out up to here; after it only the moves are.
const PLIES_IN_FULL: usize = 40;
/// … or up to this length of the text, for games with large boards and many moves.
const BYTES_IN_FULL: usize = 7_000;
/// Of a longer list of moves only the ends are written, and a fingerprint of the whole.
const MOVES_IN_FULL: usize = 48;
/// How many moves of each end of such a list are written.
const MOVES_AT_ENDS: usize = 8;
/// Puzzles need not end.
const PUZZLE_PLIES: usize = 30;
/// No game of two players lasts longer.
const PLIES_MAX: usize = 2_000;
/// Words of a position that the compiled generator has room for: enough for every game.
const WORDS: usize = 1_024;

const BLESS: &str = "MULTIGAME_BLESS=1 cargo test -p multigame --test all playthroughs";

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name)
}

/// The names of the files with this ending.
fn names(folder: &Path, ending: &str) -> Vec<String> {
    let files = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> =
        names.filter_map(|name| name.strip_suffix(ending).map(str::to_owned)).collect();
    names.sort();
    names
}

fn load(name: &str) -> Interpreter {
    let text = std::fs::read_to_string(folder("games").join(format!("{name}.mg"))).unwrap();
    let (program, _) =
        compile(&lang::Source::new(name, text), None).unwrap_or_else(|error| panic!("{name}: {error:?}"));
    Interpreter::new(program)
}

/// Random numbers that are the same for ever, whatever becomes of other generators (splitmix64).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % limit as u64) as usize
    }
}

/// A fingerprint of names (FNV-1a).
fn fingerprint(names: &[String]) -> u64 {
    let bytes = names.iter().flat_map(|name| name.bytes().chain([0]));
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// The legal moves on one line.
fn list(names: &[String]) -> String {
    let count = match names.len() {
        1 => "1 move".to_owned(),
        count => format!("{count} moves"),
    };
    if names.len() <= MOVES_IN_FULL {
        return format!("{count}: {}", names.join(", "));
    }
    let (first, last) = (&names[..MOVES_AT_ENDS], &names[names.len() - MOVES_AT_ENDS..]);
    format!("{count}, {:016x}: {}, …, {}", fingerprint(names), first.join(", "), last.join(", "))
}

/// Plays the game of the seed and writes it down. Moves are sorted by their names: the order in which a
/// generator finds them does not matter.
fn playthrough<G: Game>(name: &str, game: &G) -> String {
    let info = game.info();
    let mut random = Random(SEED);
    let mut record = Record::new(game, info.start.clone().unwrap()).unwrap();
    let plies_max = if info.players == 2 { PLIES_MAX } else { PUZZLE_PLIES };
    let mut shown = format!("# {name}, a game by chance. To record it anew: {BLESS}\n");
    let (mut ply, mut rest) = (0, String::new());
    let board = |record: &Record<'_, G>| text::write(info, &game.unpack(record.position()));
    while record.standing() == Standing::Open && ply < plies_max {
        let names = notation::short_forms(info, &game.unpack(record.position()), record.legal());
        let mut order: Vec<usize> = (0..names.len()).collect();
        order.sort_by_key(|&index| &names[index]);
        let chosen = order[random.below(order.len())];
        if ply < PLIES_IN_FULL && shown.len() < BYTES_IN_FULL {
            let sorted: Vec<String> = order.iter().map(|&index| names[index].clone()).collect();
            writeln!(shown, "\nply {}\n{}", ply + 1, board(&record).trim_end()).unwrap();
            writeln!(shown, "{}\nplayed: {}", list(&sorted), names[chosen]).unwrap();
        } else {
            writeln!(rest, "{} of {}: {}", ply + 1, names.len(), names[chosen]).unwrap();
        }
        let played = record.legal().get(chosen).to_move();
        record.play(&played).unwrap_or_else(|fault| panic!("{name}: {fault}"));
        ply += 1;
    }
    if !rest.is_empty() {
        writeln!(shown, "\nply, number of moves, move played\n{}", rest.trim_end()).unwrap();
    }
    let standing = match record.standing() {
        Standing::Open => format!("open after {ply} plies"),
        Standing::Finished(outcome, colour) => format!("{outcome} for {colour} after {ply} plies"),
    };
    writeln!(shown, "\nend\n{}\n{standing}", board(&record).trim_end()).unwrap();
    shown
}

/// The first line in which two texts differ.
fn difference(recorded: &str, played: &str) -> Option<String> {
    let (mut recorded, mut played) = (recorded.lines(), played.lines());
    for line in 1.. {
        match (recorded.next(), played.next()) {
            (None, None) => break,
            (old, new) if old == new => {}
            (old, new) => {
                let shown = |line: Option<&str>| line.unwrap_or("(the end)").to_owned();
                return Some(format!("line {line}\n  recorded: {}\n  now:      {}", shown(old), shown(new)));
            }
        }
    }
    None
}

#[test]
fn every_recorded_game_is_played_again() {
    let only = std::env::var("MULTIGAME_GAME").ok();
    let bless = std::env::var_os("MULTIGAME_BLESS").is_some_and(|value| value == "1");
    let mut wrong = Vec::new();
    for name in names(&folder("games"), ".mg") {
        if only.as_ref().is_some_and(|only| *only != name) {
            continue;
        }
        let path = folder("suites/playthroughs").join(format!("{name}.txt"));
        let interpreter = load(&name);
        let compiled = Compiled::<WORDS>::new(interpreter.program(), Options::default())
            .unwrap_or_else(|error| panic!("{name}: {}", error.reason));
        let interpreted = playthrough(&name, &interpreter);
        if bless {
            std::fs::write(&path, &interpreted).unwrap();
        }
        let recorded = std::fs::read_to_string(&path).unwrap_or_default().replace('\r', "");
        for (generator, played) in [("interpreter", interpreted), ("compiled", playthrough(&name, &compiled))]
        {
            if let Some(difference) = difference(&recorded, &played) {
                wrong.push(format!("{name} ({generator}), suites/playthroughs/{name}.txt, {difference}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}\nif this is meant: {BLESS}", wrong.join("\n"));
    let recorded = names(&folder("suites/playthroughs"), ".txt");
    assert_eq!(recorded, names(&folder("games"), ".mg"), "a recorded game without rules");
}

#[test]
fn a_difference_is_found() {
    assert_eq!(difference("a\nb\n", "a\nb\n"), None);
    assert_eq!(difference("a\nb", "a\nc").unwrap(), "line 2\n  recorded: b\n  now:      c");
    assert_eq!(difference("a", "a\nc").unwrap(), "line 2\n  recorded: (the end)\n  now:      c");
}
