//! Second implementations, in plain Rust and without a thought for speed. Each gives the boards that the moves of
//! a position lead to; random games are compared with the rules, position by position.

use std::collections::{BTreeSet, HashMap, HashSet};

use game::record::{Record, Standing};
use game::text;

use super::{layers, load, position};

/// The rows of the board from the top, as drawn.
pub(super) type Rows = Vec<Vec<char>>;

/// A position as these programs see it.
pub(super) struct Seen {
    pub(super) rows: Rows,
    pub(super) white: bool,
    /// The rest of the position's text.
    pub(super) properties: Vec<String>,
}

impl Seen {
    pub(super) fn own(&self) -> char {
        if self.white { 'X' } else { 'O' }
    }

    pub(super) fn property(&self, name: &str) -> i32 {
        let line = self.properties.iter().find_map(|line| line.strip_prefix(&format!("{name} = ")));
        line.map_or(0, |value| value.parse().unwrap())
    }
}

/// Boards after a move, and whether the game is over then. Empty: there is no move.
pub(super) type Children = BTreeSet<(Rows, bool)>;

fn see(game: &rules::Interpreter, position: &game::Position) -> Seen {
    use game::Game;
    let written = text::write(game.info(), position);
    let (height, width) = (game.info().geometry.rows(), game.info().geometry.columns());
    let row = |line: &str| {
        let mut row: Vec<char> = line.chars().collect();
        row.resize(width, ' ');
        row
    };
    let rows = written.lines().take(height).map(row).collect();
    let properties = written.lines().skip(height).map(str::to_owned).collect();
    Seen { rows, white: position.mover() == game::Colour::White, properties }
}

/// Plays random games and compares all moves of every `stride`th position.
pub(super) fn compare(name: &str, games: u64, stride: usize, children: fn(&Seen) -> Children) {
    use game::Game;
    let game = load(name);
    for seed in 0..games {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut record = Record::new(&game, position(&game, "")).unwrap();
        let mut ply = 0;
        loop {
            if ply % stride == 0 || record.standing() != Standing::Open {
                let over = record.moves().last().is_some_and(|last| last.view().head.outcome().is_some());
                let drawn_by_repetition = record.history().occurrences() > 1;
                let here = see(&game, record.position());
                let found: Children = record
                    .legal()
                    .iter()
                    .map(|played| {
                        let mut after = record.position().clone();
                        game.play(&mut after, played);
                        (see(&game, &after).rows, played.head.outcome().is_some())
                    })
                    .collect();
                if !over && !drawn_by_repetition {
                    let drawn = text::write(game.info(), record.position());
                    let expected = children(&here);
                    let wrong: Vec<String> = found
                        .symmetric_difference(&expected)
                        .map(|(rows, over)| {
                            let rows: Vec<String> = rows.iter().map(|row| row.iter().collect()).collect();
                            format!("{} over: {over}", rows.join("/"))
                        })
                        .collect();
                    assert!(wrong.is_empty(), "{name}, seed {seed}, ply {ply}:\n{drawn}\n{wrong:#?}");
                }
            }
            if record.standing() != Standing::Open {
                break;
            }
            let chosen = record.legal().get(random.usize(..record.legal().len())).to_move();
            record.play(&chosen).unwrap();
            ply += 1;
        }
    }
}

pub(super) const EIGHT: [(i32, i32); 8] =
    [(-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1)];
pub(super) const FOUR: [(i32, i32); 4] = [(-1, 0), (0, 1), (1, 0), (0, -1)];
/// On boards of hexagons.
pub(super) const SIX: [(i32, i32); 6] = [(-1, 0), (-1, 1), (0, 1), (1, 0), (1, -1), (0, -1)];

pub(super) fn at(rows: &Rows, row: i32, column: i32) -> char {
    let row = usize::try_from(row).ok().and_then(|row| rows.get(row));
    row.and_then(|row| row.get(usize::try_from(column).ok()?)).copied().unwrap_or(' ')
}

pub(super) fn fields(rows: &Rows) -> impl Iterator<Item = (i32, i32)> + use<> {
    let (height, width) = (rows.len() as i32, rows[0].len() as i32);
    (0..height).flat_map(move |row| (0..width).map(move |column| (row, column)))
}

pub(super) fn fields_with(rows: &Rows, content: char) -> Vec<(i32, i32)> {
    fields(rows).filter(|&(row, column)| at(rows, row, column) == content).collect()
}

pub(super) fn with(rows: &Rows, changes: &[((i32, i32), char)]) -> Rows {
    let mut rows = rows.clone();
    for &((row, column), content) in changes {
        rows[row as usize][column as usize] = content;
    }
    rows
}

/// Puts a stone on each empty field that may be chosen, and asks whether that ends the game.
pub(super) fn placements(
    here: &Seen,
    may: impl Fn(i32, i32) -> bool,
    over: impl Fn(&Rows, char) -> bool,
) -> Children {
    let empty = fields_with(&here.rows, '.');
    let chosen = empty.into_iter().filter(|&(row, column)| may(row, column));
    let placed = chosen.map(|field| with(&here.rows, &[(field, here.own())]));
    placed.map(|rows| (rows.clone(), over(&rows, here.own()))).collect()
}

pub(super) fn has_row(rows: &Rows, own: char, length: i32) -> bool {
    fields(rows).any(|(row, column)| {
        EIGHT.iter().any(|&(down, right)| {
            (0..length).all(|step| at(rows, row + step * down, column + step * right) == own)
        })
    })
}

#[test]
fn gomoku() {
    compare("gomoku", 2, 12, |here| placements(here, |_, _| true, |rows, own| has_row(rows, own, 5)));
}

#[test]
fn standard_gomoku() {
    fn exactly_five(rows: &Rows, own: char) -> bool {
        fields(rows).any(|(row, column)| {
            EIGHT.iter().any(|&(down, right)| {
                let content = |step: i32| at(rows, row + step * down, column + step * right);
                (-1..=5).all(|step| (content(step) == own) == (0..5).contains(&step))
            })
        })
    }
    compare("gomoku_standard", 2, 12, |here| placements(here, |_, _| true, exactly_five));
}

#[test]
fn connect4_on_a_larger_board() {
    compare("connect4_8x7", 10, 1, |here| {
        let supported = |row: i32, column| at(&here.rows, row + 1, column) != '.';
        placements(here, supported, |rows, own| has_row(rows, own, 4))
    });
}

#[test]
fn hex() {
    compare("hex", 3, 10, |here| {
        placements(
            here,
            |_, _| true,
            |rows, own| {
                let edge = |row: i32, column: i32| if own == 'X' { row } else { column };
                let mut open: Vec<_> = fields_with(rows, own);
                open.retain(|&(row, column)| edge(row, column) == 0);
                let mut seen: HashSet<_> = open.iter().copied().collect();
                while let Some((row, column)) = open.pop() {
                    if edge(row, column) == 10 {
                        return true;
                    }
                    for (down, right) in SIX {
                        let next = (row + down, column + right);
                        if at(rows, next.0, next.1) == own && seen.insert(next) {
                            open.push(next);
                        }
                    }
                }
                false
            },
        )
    });
}

#[test]
fn qubic() {
    // The 76 rows, from all starts and directions in space.
    fn complete(rows: &Rows, own: char) -> bool {
        let own_at = |x: i32, y: i32, z: i32| {
            (0..4).contains(&x) && (0..4).contains(&z) && at(rows, y, 5 * z + x) == own
        };
        let range = || -1..=1;
        (0..64).any(|cell| {
            let (x, y, z) = (cell % 4, cell / 4 % 4, cell / 16);
            range().any(|dx| {
                range().any(|dy| {
                    range().any(|dz| {
                        (dx, dy, dz) != (0, 0, 0)
                            && (0..4).all(|step| own_at(x + step * dx, y + step * dy, z + step * dz))
                    })
                })
            })
        })
    }
    compare("qubic", 10, 2, |here| placements(here, |_, _| true, complete));
}

#[test]
fn quarto() {
    fn complete(rows: &Rows) -> bool {
        let value = |row: usize, column: usize| rows[row][column].to_digit(16);
        let line = |cells: Vec<(usize, usize)>| {
            let values: Option<Vec<u32>> =
                cells.into_iter().map(|(row, column)| value(row, column)).collect();
            values.is_some_and(|values| {
                (0..4).any(|bit| values.iter().all(|value| value >> bit & 1 == values[0] >> bit & 1))
            })
        };
        (0..4).any(|index| line((0..4).map(|step| (index, step)).collect()))
            || (0..4).any(|index| line((0..4).map(|step| (step, index)).collect()))
            || line((0..4).map(|step| (step, step)).collect())
            || line((0..4).map(|step| (step, 3 - step)).collect())
    }
    compare("quarto", 30, 1, |here| {
        let chosen = here.property("chosen");
        if chosen == 16 {
            return [(here.rows.clone(), false)].into();
        }
        let piece = char::from_digit(chosen as u32, 16).unwrap().to_ascii_uppercase();
        let placed =
            fields_with(&here.rows, '.').into_iter().map(|field| with(&here.rows, &[(field, piece)]));
        placed.map(|rows| (rows.clone(), complete(&rows) || fields_with(&rows, '.').is_empty())).collect()
    });
}

#[test]
fn othello_on_the_small_board() {
    fn turned(here: &Seen, own: char, row: i32, column: i32) -> Vec<(i32, i32)> {
        let other = if own == 'X' { 'O' } else { 'X' };
        let mut all = Vec::new();
        for (down, right) in EIGHT {
            let ray = |step: i32| (row + step * down, column + step * right);
            let content = |step: i32| at(&here.rows, ray(step).0, ray(step).1);
            let run = (1..).take_while(|&step| content(step) == other).count() as i32;
            if run > 0 && content(run + 1) == own {
                all.extend((1..=run).map(ray));
            }
        }
        all
    }
    fn moves(here: &Seen, own: char) -> Children {
        let mut children = Children::new();
        for (row, column) in fields_with(&here.rows, '.') {
            let mut all = turned(here, own, row, column);
            if !all.is_empty() {
                all.push((row, column));
                let changes: Vec<_> = all.into_iter().map(|field| (field, own)).collect();
                children.insert((with(&here.rows, &changes), false));
            }
        }
        children
    }
    compare("othello6", 20, 1, |here| {
        // In Othello the first player of the pieces section has the character O.
        let own = if here.white { 'O' } else { 'X' };
        let children = moves(here, own);
        let may_pass = here.property("passed") == 0 && !fields_with(&here.rows, '.').is_empty();
        match children.is_empty() && may_pass {
            true => [(here.rows.clone(), false)].into(),
            false => children,
        }
    });
}

#[test]
fn hexagon() {
    fn distance(a: (i32, i32), b: (i32, i32)) -> i32 {
        let (down, right) = (a.0 - b.0, a.1 - b.1);
        down.abs().max(right.abs()).max((down + right).abs())
    }
    fn moves(here: &Seen, own: char, other: char) -> Children {
        let mut children = Children::new();
        for target in fields_with(&here.rows, '.') {
            for from in fields_with(&here.rows, own).into_iter().filter(|&from| distance(from, target) <= 2) {
                let mut changes = vec![(target, own)];
                if distance(from, target) == 2 {
                    changes.push((from, '.'));
                }
                let around = fields_with(&here.rows, other).into_iter();
                let around = around.filter(|&field| distance(field, target) == 1);
                changes.extend(around.map(|field| (field, own)));
                children.insert((with(&here.rows, &changes), false));
            }
        }
        children
    }
    compare("hexagon", 3, 7, |here| {
        let (own, other) = if here.white { ('x', 'o') } else { ('o', 'x') };
        let children = moves(here, own, other);
        let can_pass = !fields_with(&here.rows, own).is_empty() && !moves(here, other, own).is_empty();
        if children.is_empty() && can_pass { [(here.rows.clone(), false)].into() } else { children }
    });
}

#[test]
fn life() {
    use game::{Game, MoveList, Stage};
    let game = load("life");
    let mut here = position(&game, "");
    for generation in 0..60 {
        let rows = see(&game, &here).rows;
        let expected: Rows = (0..20)
            .map(|row| {
                let cell = |column: i32| {
                    let alive = |&&(d, r): &&(i32, i32)| at(&rows, row + d, column + r) == 'O';
                    let neighbours = EIGHT.iter().filter(alive).count();
                    let lives = neighbours == 3 || neighbours == 2 && at(&rows, row, column) == 'O';
                    if lives { 'O' } else { '.' }
                };
                (0..20).map(cell).collect()
            })
            .collect();
        let mut moves = MoveList::new();
        assert_eq!(game.generate(&here, Stage::All, &mut moves).unwrap(), None);
        assert_eq!(moves.len(), 1);
        game.play(&mut here, moves.get(0));
        assert_eq!(see(&game, &here).rows, expected, "generation {generation}");
    }
}

/// Different states by distance.
fn breadth_first(start: Vec<u8>, last: usize, next: fn(&[u8]) -> Vec<Vec<u8>>) -> Vec<u64> {
    let (mut seen, mut layer, mut counts) = (HashSet::from([start.clone()]), vec![start], vec![1]);
    for _ in 0..last {
        layer =
            layer.iter().flat_map(|state| next(state)).filter(|state| seen.insert(state.clone())).collect();
        counts.push(layer.len() as u64);
    }
    counts
}

#[test]
fn pancakes() {
    let game = load("pancake");
    let expected = breadth_first((0..10).collect(), 5, |pile| {
        let flip = |count: usize| pile[..count].iter().rev().chain(&pile[count..]).copied().collect();
        (2..=10).map(flip).collect()
    });
    assert_eq!(layers(&game, position(&game, "sorted"), 5).0, expected);
}

#[test]
fn double_blank() {
    let game = load("doubleblank");
    let mut start: Vec<u8> = (0..16).collect();
    start[15] = 0;
    let expected = breadth_first(start, 9, |tiles| {
        let mut states = Vec::new();
        for (blank, tile) in (0..16).flat_map(|blank| (0..16_usize).map(move |tile| (blank, tile))) {
            let distance = (blank / 4_usize).abs_diff(tile / 4) + (blank % 4).abs_diff(tile % 4);
            if distance == 1 && tiles[blank] == 0 && tiles[tile] != 0 {
                let mut state = tiles.to_vec();
                state.swap(blank, tile);
                states.push(state);
            }
        }
        states
    });
    assert_eq!(layers(&game, position(&game, ""), 9).0, expected);
}

#[test]
fn atari_go() {
    /// Whether the group of a stone touches an empty field.
    fn lives(rows: &Rows, field: (i32, i32)) -> bool {
        let colour = at(rows, field.0, field.1);
        let (mut open, mut seen) = (vec![field], HashSet::from([field]));
        while let Some((row, column)) = open.pop() {
            for (down, right) in FOUR {
                let next = (row + down, column + right);
                match at(rows, next.0, next.1) {
                    '.' => return true,
                    content if content == colour && seen.insert(next) => open.push(next),
                    _ => {}
                }
            }
        }
        false
    }
    compare("atarigo", 6, 3, |here| {
        let other = if here.white { 'O' } else { 'X' };
        let mut children = Children::new();
        for field in fields_with(&here.rows, '.') {
            let rows = with(&here.rows, &[(field, here.own())]);
            let takes = fields_with(&rows, other).into_iter().any(|stone| !lives(&rows, stone));
            if takes || lives(&rows, field) {
                children.insert((rows, takes));
            }
        }
        children
    });
}

/// Whether the mover wins, by looking at everything.
fn mover_wins(game: &rules::Interpreter, here: &game::Position, known: &mut HashMap<u64, bool>) -> bool {
    use game::{Game, MoveList, Stage};
    if let Some(&value) = known.get(&here.signature().0) {
        return value;
    }
    let mut moves = MoveList::new();
    let value = match game.generate(here, Stage::All, &mut moves).unwrap() {
        Some(outcome) => outcome.sign() > 0,
        None => moves.iter().any(|played| match played.head.outcome() {
            Some(outcome) => outcome.sign() > 0,
            None => {
                let mut after = here.clone();
                game.play(&mut after, played);
                !mover_wins(game, &after, known)
            }
        }),
    };
    known.insert(here.signature().0, value);
    value
}

#[test]
fn small_games_have_their_known_values() {
    let hexapawn = load("hexapawn");
    assert!(!mover_wins(&hexapawn, &position(&hexapawn, ""), &mut HashMap::new()));
    let nim = load("nim");
    for (a, b, c) in (0..=4).flat_map(|a| (0..=4).flat_map(move |b| (0..=4).map(move |c| (a, b, c)))) {
        let row = |count: usize| format!("{:.<7}", "|".repeat(count));
        let text = format!("{}\n{}\n{}\nwhite to move\n", row(a), row(b), row(c));
        let value = mover_wins(&nim, &position(&nim, &text), &mut HashMap::new());
        assert_eq!(value, a ^ b ^ c != 0, "{a}, {b}, {c}");
    }
}
