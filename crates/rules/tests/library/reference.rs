//! Second implementations, in plain Rust and without a thought for speed. Each gives the boards that the moves of
//! a position lead to; random games are compared with the rules, position by position.

use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};

use game::record::{Record, Standing};
use game::text;

use crate::{layers, load, position};

/// The rows of the board from the top, as drawn.
type Rows = Vec<Vec<char>>;

/// A position as these programs see it.
struct Seen {
    rows: Rows,
    white: bool,
    /// The rest of the position's text.
    properties: Vec<String>,
}

impl Seen {
    fn own(&self) -> char {
        if self.white { 'X' } else { 'O' }
    }

    fn property(&self, name: &str) -> i32 {
        let line = self.properties.iter().find_map(|line| line.strip_prefix(&format!("{name} = ")));
        line.map_or(0, |value| value.parse().unwrap())
    }
}

/// Boards after a move, and whether the game is over then. Empty: there is no move.
type Children = BTreeSet<(Rows, bool)>;

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
fn compare(name: &str, games: u64, stride: usize, children: fn(&Seen) -> Children) {
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

const EIGHT: [(i32, i32); 8] = [(-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1)];
const FOUR: [(i32, i32); 4] = [(-1, 0), (0, 1), (1, 0), (0, -1)];
/// On boards of hexagons.
const SIX: [(i32, i32); 6] = [(-1, 0), (-1, 1), (0, 1), (1, 0), (1, -1), (0, -1)];

fn at(rows: &Rows, row: i32, column: i32) -> char {
    let row = usize::try_from(row).ok().and_then(|row| rows.get(row));
    row.and_then(|row| row.get(usize::try_from(column).ok()?)).copied().unwrap_or(' ')
}

fn fields(rows: &Rows) -> impl Iterator<Item = (i32, i32)> + use<> {
    let (height, width) = (rows.len() as i32, rows[0].len() as i32);
    (0..height).flat_map(move |row| (0..width).map(move |column| (row, column)))
}

fn fields_with(rows: &Rows, content: char) -> Vec<(i32, i32)> {
    fields(rows).filter(|&(row, column)| at(rows, row, column) == content).collect()
}

fn with(rows: &Rows, changes: &[((i32, i32), char)]) -> Rows {
    let mut rows = rows.clone();
    for &((row, column), content) in changes {
        rows[row as usize][column as usize] = content;
    }
    rows
}

/// Puts a stone on each empty field that may be chosen, and asks whether that ends the game.
fn placements(here: &Seen, may: impl Fn(i32, i32) -> bool, over: impl Fn(&Rows, char) -> bool) -> Children {
    let empty = fields_with(&here.rows, '.');
    let chosen = empty.into_iter().filter(|&(row, column)| may(row, column));
    let placed = chosen.map(|field| with(&here.rows, &[(field, here.own())]));
    placed.map(|rows| (rows.clone(), over(&rows, here.own()))).collect()
}

fn has_row(rows: &Rows, own: char, length: i32) -> bool {
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
fn konane() {
    compare("konane", 10, 1, |here| {
        let (own, other) = if here.white { ('O', 'X') } else { ('X', 'O') };
        let gaps = fields_with(&here.rows, '.');
        let take = |field| (with(&here.rows, &[(field, '.')]), false);
        let stones = fields_with(&here.rows, own).into_iter();
        if gaps.is_empty() {
            let middle = |field: i32| field == 3 || field == 4;
            let corner = |field: i32| field == 0 || field == 7;
            return stones
                .filter(|&(r, c)| middle(r) && middle(c) || corner(r) && corner(c))
                .map(take)
                .collect();
        }
        if let [gap] = gaps[..] {
            return stones.filter(|&(r, c)| (r - gap.0).abs() + (c - gap.1).abs() == 1).map(take).collect();
        }
        let mut children = Children::new();
        for from in stones {
            for (down, right) in FOUR {
                let (mut rows, mut field) = (with(&here.rows, &[(from, '.')]), from);
                loop {
                    let over = (field.0 + down, field.1 + right);
                    let target = (over.0 + down, over.1 + right);
                    if at(&rows, over.0, over.1) != other || at(&rows, target.0, target.1) != '.' {
                        break;
                    }
                    rows = with(&rows, &[(over, '.')]);
                    field = target;
                    children.insert((with(&rows, &[(field, own)]), false));
                }
            }
        }
        children
    });
}

#[test]
fn halma() {
    compare("halma", 1, 50, |here| {
        let mut children = Children::new();
        for from in fields_with(&here.rows, here.own()) {
            let rows = with(&here.rows, &[(from, '.')]);
            let mut targets: HashSet<_> = EIGHT.iter().map(|&(d, r)| (from.0 + d, from.1 + r)).collect();
            targets.retain(|&(row, column)| at(&rows, row, column) == '.');
            let (mut open, mut seen) = (VecDeque::from([from]), HashSet::from([from]));
            while let Some((row, column)) = open.pop_front() {
                for (down, right) in EIGHT {
                    let target = (row + 2 * down, column + 2 * right);
                    let over = at(&rows, row + down, column + right);
                    if "XO".contains(over) && at(&rows, target.0, target.1) == '.' && seen.insert(target) {
                        targets.insert(target);
                        open.push_back(target);
                    }
                }
            }
            targets.remove(&from);
            let home = |row: i32, column: i32| {
                let (row, column) = if here.white { (row, 15 - column) } else { (15 - row, column) };
                row < 5 && column < 5 && row + column < 6
            };
            targets.retain(|target| home(target.0, target.1) || !home(from.0, from.1));
            for target in targets {
                let after = with(&rows, &[(target, here.own())]);
                let over = fields_with(&after, here.own()).into_iter().all(|(row, column)| home(row, column));
                children.insert((after, over));
            }
        }
        if here.property("moves_made") == 800 { Children::new() } else { children }
    });
}

#[test]
fn nine_mens_morris() {
    const LINES: [[(i32, i32); 3]; 16] = [
        [(0, 0), (0, 3), (0, 6)],
        [(1, 1), (1, 3), (1, 5)],
        [(2, 2), (2, 3), (2, 4)],
        [(3, 0), (3, 1), (3, 2)],
        [(3, 4), (3, 5), (3, 6)],
        [(4, 2), (4, 3), (4, 4)],
        [(5, 1), (5, 3), (5, 5)],
        [(6, 0), (6, 3), (6, 6)],
        [(0, 0), (3, 0), (6, 0)],
        [(1, 1), (3, 1), (5, 1)],
        [(2, 2), (3, 2), (4, 2)],
        [(0, 3), (1, 3), (2, 3)],
        [(4, 3), (5, 3), (6, 3)],
        [(2, 4), (3, 4), (4, 4)],
        [(1, 5), (3, 5), (5, 5)],
        [(0, 6), (3, 6), (6, 6)],
    ];
    fn in_mill(rows: &Rows, field: (i32, i32)) -> bool {
        let man = at(rows, field.0, field.1);
        let lines = LINES.iter().filter(|line| line.contains(&field));
        lines.into_iter().any(|line| line.iter().all(|&(row, column)| at(rows, row, column) == man))
    }
    fn neighbours(a: (i32, i32), b: (i32, i32)) -> bool {
        LINES.iter().any(|line| line.windows(2).any(|pair| pair == [a, b] || pair == [b, a]))
    }
    compare("morris", 20, 1, |here| {
        let (own, other) = if here.white { ('X', 'O') } else { ('O', 'X') };
        let reserve = here.property(if here.white { "white reserve" } else { "black reserve" });
        let (empty, men) = (fields_with(&here.rows, '.'), fields_with(&here.rows, own));
        let mut children = Children::new();
        if men.len() as i32 + reserve < 3 || here.property("quiet_moves") == 100 {
            return children;
        }
        let moves: Vec<_> = if reserve > 0 {
            empty.into_iter().map(|to| (with(&here.rows, &[(to, own)]), to)).collect()
        } else {
            let pairs = men.iter().flat_map(|&from| empty.iter().map(move |&to| (from, to)));
            let legal = pairs.filter(|&(from, to)| men.len() == 3 || neighbours(from, to));
            legal.map(|(from, to)| (with(&here.rows, &[(from, '.'), (to, own)]), to)).collect()
        };
        for (rows, to) in moves {
            let victims = fields_with(&rows, other);
            if !in_mill(&rows, to) || victims.is_empty() {
                children.insert((rows, false));
                continue;
            }
            let mut free = victims.clone();
            free.retain(|&field| !in_mill(&rows, field));
            for field in if free.is_empty() { victims } else { free } {
                children.insert((with(&rows, &[(field, '.')]), false));
            }
        }
        children
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

#[test]
fn surakarta() {
    /// The two circuits as they are drawn: every line with its direction, the loops between the lines.
    fn circuit(inner: bool) -> Vec<(i32, i32)> {
        let (near, far) = if inner { (1, 4) } else { (2, 3) };
        let mut points = Vec::new();
        points.extend((0..6).map(|step| (step, near))); // down the left column
        points.extend((0..6).map(|step| (far, step))); // from the lower left loop to the right
        points.extend((0..6).map(|step| (5 - step, far))); // up the right column
        points.extend((0..6).map(|step| (near, 5 - step))); // to the left
        points
    }
    compare("surakarta", 4, 5, |here| {
        let (own, other) = if here.white { ('X', 'O') } else { ('O', 'X') };
        let mut children = Children::new();
        if here.property("quiet_moves") == 100 {
            return children;
        }
        for from in fields_with(&here.rows, own) {
            let rows = with(&here.rows, &[(from, '.')]);
            for (down, right) in EIGHT {
                let to = (from.0 + down, from.1 + right);
                if at(&rows, to.0, to.1) == '.' {
                    children.insert((with(&rows, &[(to, own)]), false));
                }
            }
            for points in [circuit(true), circuit(false)] {
                for start in (0..24).filter(|&index| points[index] == from) {
                    for turn in [1, 23] {
                        let mut looped = false;
                        let mut index = start;
                        for _ in 0..24 {
                            let next = (index + turn) % 24;
                            looped |= index / 6 != next / 6;
                            index = next;
                            let (row, column) = points[index];
                            if at(&rows, row, column) != '.' {
                                if looped && at(&rows, row, column) == other {
                                    let after = with(&rows, &[(points[index], own)]);
                                    let over = fields_with(&after, other).is_empty();
                                    children.insert((after, over));
                                }
                                break;
                            }
                        }
                    }
                }
            }
        }
        children
    });
}

#[test]
fn tapatan() {
    compare("tapatan", 100, 1, |here| {
        let reserve = here.property(if here.white { "white reserve" } else { "black reserve" });
        if reserve > 0 {
            return placements(here, |_, _| true, |rows, own| has_row(rows, own, 3));
        }
        let mut children = Children::new();
        for from in fields_with(&here.rows, here.own()) {
            for to in fields_with(&here.rows, '.') {
                let (down, right) = ((from.0 - to.0).abs(), (from.1 - to.1).abs());
                let through_middle = from == (1, 1) || to == (1, 1);
                if down + right == 1 || down == 1 && right == 1 && through_middle {
                    let rows = with(&here.rows, &[(from, '.'), (to, here.own())]);
                    children.insert((rows.clone(), has_row(&rows, here.own(), 3)));
                }
            }
        }
        children
    });
}

#[test]
fn hexapawn() {
    compare("hexapawn", 200, 1, |here| {
        let (own, other, forward) = if here.white { ('P', 'p', -1) } else { ('p', 'P', 1) };
        let mut children = Children::new();
        for from in fields_with(&here.rows, own) {
            for (right, wanted) in [(0, '.'), (-1, other), (1, other)] {
                let to = (from.0 + forward, from.1 + right);
                if at(&here.rows, to.0, to.1) == wanted {
                    let rows = with(&here.rows, &[(from, '.'), (to, own)]);
                    children.insert((rows, to.0 == if here.white { 0 } else { 2 }));
                }
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

#[test]
fn tablut() {
    compare("tablut", 6, 4, |here| {
        let mut children = Children::new();
        if here.property("quiet_moves") == 100 {
            return children;
        }
        let is_own = |piece: char| if here.white { "DK".contains(piece) } else { piece == 'A' };
        let enemy_man = if here.white { 'A' } else { 'D' };
        for from in fields(&here.rows).filter(|&(row, column)| is_own(at(&here.rows, row, column))) {
            let piece = at(&here.rows, from.0, from.1);
            for (down, right) in FOUR {
                let path = (1..9).map(|step| (from.0 + step * down, from.1 + step * right));
                for to in path.take_while(|&(row, column)| at(&here.rows, row, column) == '.') {
                    if to == (4, 4) && piece != 'K' {
                        continue;
                    }
                    let mut rows = with(&here.rows, &[(from, '.'), (to, piece)]);
                    let moved = rows.clone();
                    let mut over = piece == 'K' && [to.0, to.1].iter().any(|&index| index == 0 || index == 8);
                    for (down, right) in FOUR {
                        let victim = (to.0 + down, to.1 + right);
                        let behind = (victim.0 + down, victim.1 + right);
                        let partner = at(&moved, behind.0, behind.1);
                        let empty_throne = behind == (4, 4) && partner == '.';
                        if at(&moved, victim.0, victim.1) == enemy_man && (is_own(partner) || empty_throne) {
                            rows = with(&rows, &[(victim, '.')]);
                        }
                        if !here.white && at(&moved, victim.0, victim.1) == 'K' {
                            let guarded = (victim.0 - 4).abs() + (victim.1 - 4).abs() <= 1;
                            let sides = FOUR.iter().map(|&(d, r)| (victim.0 + d, victim.1 + r));
                            let closed = sides
                                .into_iter()
                                .all(|side| side == (4, 4) || at(&moved, side.0, side.1) == 'A');
                            over |= if guarded { closed } else { partner == 'A' };
                        }
                    }
                    children.insert((rows, over));
                }
            }
        }
        children
    });
}
