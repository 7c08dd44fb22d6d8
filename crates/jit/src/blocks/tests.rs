//! Puzzles whose moves are constant permutations: what the code makes of positions beside moves that are played, and
//! how many lines of play it counts beside the interpreter. Programs by hand and by chance.
//!
//! ```text
//! MULTIGAME_PROGRAMS=2000 cargo test -p jit blocks      # more programs by chance
//! ```

use fastrand::Rng;
use game::perft::Tally;
use game::{Game, MoveList, MoveView, Position, Stage};
use rules::Interpreter;

use super::*;
use crate::{Compiled, Options};

type Compiled512 = Compiled<512>;

fn program(text: &str) -> rules::Program {
    let source = lang::Source::new("blocks", text);
    rules::compile(&source, None).unwrap_or_else(|error| panic!("{text}\n{error:?}")).0
}

fn compiled(text: &str) -> Compiled512 {
    Compiled::new(&program(text), Options::default()).expect("it can be compiled")
}

fn from_library(name: &str) -> String {
    let path = format!("{}/../../games/{name}.mg", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).expect("it is in the library")
}

/// A board of one row; the pieces are letters.
fn row(players: usize, setup: &str, rules: &str) -> String {
    let neutral = if players == 2 { "neutral " } else { "" };
    let piece = |name: char| format!("{neutral}{} '{name}' ", name.to_lowercase());
    let pieces: String = ('A'..='X').map(piece).collect();
    let columns = setup.len();
    format!(
        "players = {players} dimensions ({columns}, 1) pieces {{ {pieces}}} setup {{\n{setup}\n}}\n{rules}"
    )
}

// ---- what the code makes of positions

fn blocks(game: &Compiled512) -> Option<&BlockCode> {
    game.counting().and_then(|code| code.of(game::Colour::White).blocks.as_ref())
}

/// Places, fields of a block and twists of each kind.
fn shape(game: &Compiled512) -> Option<Vec<(usize, usize, usize)>> {
    let kinds = &blocks(game)?.encoding.blocks.kinds;
    let mut shape: Vec<_> =
        kinds.iter().map(|kind| (kind.places.len(), kind.places[0].len(), kind.twists)).collect();
    shape.sort_unstable();
    Some(shape)
}

/// A run that keeps the positions that the code comes to.
#[repr(C)]
struct Noting {
    run: Run,
    /// Words of a position.
    words: usize,
    noted: Vec<Vec<u64>>,
}

extern "C" fn note(noting: *mut Noting, position: *const u64, _: i64) -> i64 {
    // SAFETY: the code passes on what `results` gave it, and a position that it has written.
    let (noted, position) = unsafe {
        let noting = &mut *noting;
        (&mut noting.noted, std::slice::from_raw_parts(position, noting.words))
    };
    noted.push(position.to_vec());
    0
}

impl BlockCode {
    /// Signature and bytes after all moves.
    fn results(&self, signature: u64, bytes: &[u8]) -> Vec<(u64, Vec<u8>)> {
        let vectors = self.encoding.blocks.vectors;
        let mut positions = self.positions(signature, bytes, 2);
        let mut noting =
            Noting { run: self.run(note as *const u8), words: 2 + 2 * vectors, noted: Vec::new() };
        // SAFETY: as in `count`; `Noting` begins with a `Run`.
        unsafe {
            let walk: unsafe extern "C" fn(*mut Noting, *mut CacheLine, i64) -> i64 =
                std::mem::transmute(self.walk);
            walk(&raw mut noting, positions.as_mut_ptr(), 2);
        }
        let bytes = |words: &[u64]| words.iter().flat_map(|word| word.to_le_bytes()).collect();
        noting.noted.iter().map(|words| (words[0], bytes(&words[2..]))).collect()
    }

    fn encode(&self, game: &Compiled512, position: &Position) -> Option<Vec<u8>> {
        let image = game.pack(position);
        self.encoding.encode(|field| read_byte(&image.0, game.code.layout.mailbox + field))
    }

    /// What all blocks show: one that looks the same in two twists has two numbers.
    fn shown(&self, bytes: &[u8]) -> Vec<Vec<u8>> {
        let kinds = self.encoding.blocks.kinds.iter();
        kinds.flat_map(|kind| kind.bytes.iter().map(|&byte| kind.shown(usize::from(bytes[byte])))).collect()
    }
}

/// Compares the positions after all moves, if they can be had as numbers of blocks.
fn compare_results(game: &Compiled512, position: &Position, shown: &str) {
    let Some(blocks) = blocks(game) else { return };
    let Some(bytes) = blocks.encode(game, position) else { return };
    let (image, mut moves) = (game.pack(position), MoveList::new());
    game.generate(&image, Stage::All, &mut moves).expect("nothing goes wrong");
    let after = |played: MoveView<'_>| {
        let mut after = image;
        game.play(&mut after, played);
        let after = game.unpack(&after);
        let bytes = blocks.encode(game, &after).expect("moves lead to positions of the same kind");
        (after.signature().0, blocks.shown(&bytes))
    };
    let mut expected: Vec<_> = moves.iter().map(after).collect();
    let results = blocks.results(position.signature().0, &bytes);
    let mut found: Vec<_> =
        results.into_iter().map(|(signature, bytes)| (signature, blocks.shown(&bytes))).collect();
    expected.sort_unstable();
    found.sort_unstable();
    assert_eq!(expected, found, "{shown}");
}

// ---- how much is counted

/// Lines of play of a few moves, played and only counted.
fn compare_counts(interpreter: &Interpreter, game: &Compiled512, position: &Position, shown: &str) {
    let depth_max = match interpreter.count(position, &mut MoveList::new()) {
        Ok(0..8) => 4,
        Ok(0..24) => 3,
        _ => 2,
    };
    for (depth, bulk) in (1..=depth_max).flat_map(|depth| [(depth, false), (depth, true)]) {
        let (mut expected, mut found) = (Tally::new(bulk, &|| false), Tally::new(bulk, &|| false));
        let wanted = game::perft::count(interpreter, position, depth, &mut expected);
        let result = game.perft(&game.pack(position), depth, &mut found);
        assert_eq!(wanted.is_ok(), result.is_ok(), "{shown}");
        if wanted.is_ok() {
            let numbers = |tally: &Tally<'_>| (tally.leaves, tally.nodes, tally.ended);
            assert_eq!(numbers(&expected), numbers(&found), "depth {depth}, bulk {bulk}\n{shown}");
        }
    }
}

/// The start, positions after random moves, and positions with pieces taken away, exchanged and there twice.
fn check(text: &str, seed: u64) {
    let interpreter = Interpreter::new(program(text));
    let (game, info) = (compiled(text), interpreter.info());
    let compare = |position: &Position| {
        let shown = format!("{text}\n{}", game::text::write(info, position));
        compare_counts(&interpreter, &game, position, &shown);
        compare_results(&game, position, &shown);
    };
    let (mut random, mut moves) = (Rng::with_seed(seed), MoveList::new());
    let mut position = info.start.clone().expect("there is a setup");
    for _ in 0..4 {
        compare(&position);
        if interpreter.generate(&position, Stage::All, &mut moves) != Ok(None) || moves.is_empty() {
            break;
        }
        interpreter.play(&mut position, moves.get(random.usize(..moves.len())));
    }
    let fields = info.geometry.fields();
    let used: Vec<usize> = (0..fields).filter(|&field| info.geometry.is_used(field as u16)).collect();
    for round in 0..3 {
        let mut other = position.clone();
        for _ in 0..random.usize(1..4) {
            let [one, two] = [0; 2].map(|_| used[random.usize(..used.len())]);
            let (here, there) = (other.get(one), other.get(two));
            other.set(info, one, if round == 0 { 0 } else { there });
            if round == 1 {
                other.set(info, two, here);
            }
        }
        compare(&other);
    }
}

// ---- programs

#[test]
fn puzzles_of_the_library() {
    for (name, expected) in [
        ("rubik", vec![(8, 3, 3), (12, 2, 2)]),
        ("pocketcube", vec![(7, 3, 3)]),
        ("pancake", vec![(10, 1, 1)]),
    ] {
        let text = from_library(name);
        assert_eq!(shape(&compiled(&text)), Some(expected));
        (0..5).for_each(|seed| check(&text, seed));
    }
}

#[test]
fn fields_that_move_together_are_blocks() {
    let has = |setup: &str, rules: &str, expected: &[(usize, usize, usize)]| {
        assert_eq!(shape(&compiled(&row(1, setup, rules))).as_deref(), Some(expected), "{rules}");
        check(&row(1, setup, rules), 1);
    };
    let all = "ABCDEFGH";
    // A few fields that are seen in a few orders are one block.
    let rules = "main = either [ cycle (a1, c1), cycle (b1, d1) ] or cycle (g1, h1).";
    has(all, rules, &[(1, 2, 2), (1, 4, 2)]);
    let rules = "main = repeat 1 .. 3 times cycle (a1, c1, b1, d1).";
    has(all, rules, &[(1, 4, 4)]);
    has("ABABEFGH", rules, &[(1, 4, 4)]);
    // If it looks the same in two of them, results can be the same.
    assert_eq!(shape(&compiled(&row(1, "AABBEFGH", rules))), None);
    // Pairs that are turned round on the way.
    has(all, "main = either cycle (a1, c1, b1, d1) or cycle (a1, b1).", &[(2, 2, 2)]);
    let rules = "main = either repeat 1 .. 3 times cycle (a1, c1, b1, d1) \
                 or [ cycle (c1, e1), cycle (d1, f1) ] or [ cycle (e1, g1), cycle (f1, h1) ].";
    has(all, rules, &[(4, 2, 2)]);
    // Three fields in all orders, which are no powers of one: they stay three blocks.
    has(all, "main = either cycle (a1, b1) or cycle (a1, b1, c1).", &[(3, 1, 1)]);
    // More blocks than a vector has bytes.
    let rules = "main = either cycle (a1, q1, c1) or cycle (b1, x1) or cycle (a1, b1, c1, d1, e1, f1, g1, h1, \
                 i1, j1, k1, l1, m1, n1, o1, p1, q1, r1, s1, t1, u1, v1, w1, x1).";
    has("ABCDEFGHIJKLMNOPQRSTUVWX", rules, &[(24, 1, 1)]);
}

#[test]
fn other_rules_have_none() {
    for (setup, rules) in [
        // Twice the same, only one move, something that depends on the position, several outcomes, equal pieces.
        ("ABCDEFGH", "main = either cycle (a1, b1) or cycle (b1, a1) or cycle (c1, d1)."),
        ("ABCDEFGH", "main = cycle (a1, b1)."),
        ("ABCDEFGH", "main = either cycle (a1, b1) or [ cycle (b1, c1), find a, replace by b ]."),
        ("ABCDEFGH", "main = either cycle (a1, b1) or cycle (b1, c1), not [ move to (1, 1), points at c ]."),
        ("ABCDEFGH", "main = either cycle (a1, b1) or cycle (b1, c1), either win or draw."),
        ("AABBCCDD", "main = either cycle (a1, b1) or cycle (b1, c1) or cycle (a1, c1)."),
        ("A.......", "main = either cycle (a1, b1) or cycle (b1, c1) or cycle (c1, d1)."),
        ("........", "main = either cycle (a1, b1) or cycle (b1, c1)."),
        ("ABCDEFGH", "main = either [ nothing, win ] or [ cycle (b1, c1), cycle (c1, b1), win ]."),
        // All the way round is nothing, and so is no round at all.
        ("ABCDEFGH", "main = either repeat 0 .. 3 times cycle (a1, b1, c1) or cycle (c1, d1)."),
    ] {
        assert_eq!(shape(&compiled(&row(1, setup, rules))), None, "{rules}");
        check(&row(1, setup, rules), 1);
    }
}

#[test]
fn rules_of_many_kinds() {
    let all = "ABCDEFGH";
    for (setup, rules) in [
        // One after the other and over each other.
        (all, "main = either cycle (a1, b1, c1) or [ cycle (a1, b1), cycle (b1, c1) ] or cycle (c1, d1)."),
        (
            all,
            "main = either repeat 1 .. 2 times [ cycle (a1, b1, c1), cycle (b1, c1, d1) ] or cycle (a1, h1).",
        ),
        // Rounds, with and without a move that changes nothing.
        (all, "main = either repeat 0 .. 2 times cycle (a1, b1, c1) or cycle (c1, d1)."),
        (all, "main = either repeat 1 .. 3 times cycle (a1, b1, c1) or cycle (c1, d1)."),
        (all, "main = either repeat 1 .. 4 times cycle (a1, b1, c1) or cycle (c1, d1)."),
        (all, "main = either repeat 2 .. 2 times cycle (a1, b1, c1) or cycle (c1, d1)."),
        (all, "main = repeat 1 .. 2 times [ either cycle (a1, b1, c1) or cycle (c1, d1) ]."),
        (all, "main = either nothing or cycle (b1, c1)."),
        // Fields with nothing on them, and pieces that are there twice.
        (
            "AB..AB..",
            "main = either [ cycle (a1, c1), cycle (b1, d1) ] or [ cycle (c1, e1), cycle (d1, f1) ].",
        ),
        ("ABC.EFGH", "main = either cycle (a1, b1, d1) or cycle (b1, c1)."),
        ("ABCDABCD", "main = either repeat 1 .. 3 times cycle (a1, c1, b1, d1) or cycle (e1, f1)."),
        // Endings and marks.
        (all, "main = either cycle (a1, b1) or cycle (b1, c1), win."),
        (
            all,
            "main = either cycle (a1, b1) or [ cycle (b1, c1), irreversible ], try [ solved, win ]. \
               solved = match (a, b, c, d, e, f, g, h).",
        ),
        (
            all,
            "main = try [ match (a, b, c, d, e, f, g, h), draw ] else flip. \
               flip = either cycle (a1, b1) or cycle (b1, c1).",
        ),
        (all, "main = try flip else loss. flip = either cycle (a1, b1) or cycle (b1, c1)."),
    ] {
        check(&row(1, setup, rules), 1);
        check(&row(2, setup, rules), 2);
    }
}

#[test]
fn positions_that_are_not_like_the_start_are_left_to_others() {
    let game = compiled(&row(1, "ABCDEFGH", "main = either cycle (a1, b1, c1) or cycle (b1, c1, d1)."));
    let encodes = |text: &str| {
        let position = game::text::read(game.info(), text).expect("it is a position");
        blocks(&game).expect("it has blocks").encode(&game, &position).is_some()
    };
    assert!(encodes("DBCAEFGH") && encodes("DBCA...."));
    assert!(!encodes("DBCDEFGH") && !encodes("DB.AEFGH") && !encodes("DBCEAFGH"));
}

/// Pieces of up to three fields, and moves that carry some of them round and turn them on the way.
fn random_program(seed: u64) -> String {
    let mut random = Rng::with_seed(seed);
    let size = random.usize(1..4);
    let count = random.usize(2..=24 / size);
    let mut fields: Vec<usize> = (0..size * count).collect();
    random.shuffle(&mut fields);
    let place = |piece: usize, side: usize| fields[piece * size + side];
    // Some programs have moves that do not keep pieces together.
    let (mut moves, breaks) = (Vec::new(), random.usize(..4) == 0);
    for _ in 0..random.usize(2..5) {
        let mut origins: Vec<usize> = (0..size * count).collect();
        let mut pieces: Vec<usize> = (0..count).collect();
        random.shuffle(&mut pieces);
        pieces.truncate(random.usize(1..=count.min(6)));
        for (index, &piece) in pieces.iter().enumerate() {
            let (to, twist) = (pieces[(index + 1) % pieces.len()], random.usize(..size));
            (0..size).for_each(|side| origins[place(to, (side + twist) % size)] = place(piece, side));
        }
        if breaks && random.bool() {
            let [one, two] = [0; 2].map(|_| random.usize(..origins.len()));
            origins.swap(one, two);
        }
        let cycles = cycles(&origins);
        if !cycles.is_empty() {
            moves.push(format!("repeat 1 .. {} times [ {cycles} ]", random.usize(1..4)));
        }
    }
    if moves.len() < 2 {
        moves.push("cycle (a1, b1)".to_owned());
    }
    let colours = if random.usize(..4) > 0 { 24 } else { random.usize(2..8) };
    let setup: String = (0..size * count)
        .map(|field| match random.usize(..30) {
            0 => '.',
            _ if colours == 24 => char::from(b'A' + field as u8),
            _ => char::from(b'A' + random.u8(..colours as u8)),
        })
        .collect();
    let ending = ["", ", try [ there, win ]"][random.usize(..2)];
    let rules =
        format!("main = either {}{ending}.\nthere = test [ find a, points at a ].", moves.join("\n    or "));
    row(
        1,
        &setup,
        rules.split_once("there =").filter(|_| ending.is_empty()).map_or(&*rules, |(main, _)| main),
    )
}

/// The same as cycles, one after the other.
fn cycles(origins: &[usize]) -> String {
    let (mut text, mut seen) = (Vec::new(), vec![false; origins.len()]);
    for start in 0..origins.len() {
        let (mut fields, mut field) = (Vec::new(), start);
        while !std::mem::replace(&mut seen[field], true) {
            fields.push(format!("{}1", char::from(b'a' + field as u8)));
            field = origins[field];
        }
        if fields.len() > 1 {
            // Before a field is the one from which its contents come.
            fields.reverse();
            text.push(format!("cycle ({})", fields.join(", ")));
        }
    }
    text.join(", ")
}

#[test]
fn rules_by_chance() {
    let programs = std::env::var("MULTIGAME_PROGRAMS").map_or(100, |count| count.parse().expect("a number"));
    (0..programs).for_each(|seed| check(&random_program(seed), seed));
}
