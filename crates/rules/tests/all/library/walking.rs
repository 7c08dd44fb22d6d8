//! Second implementations of games in which men walk, jump and slide.

use std::collections::{HashSet, VecDeque};

use super::reference::{
    Children, EIGHT, FOUR, Rows, at, compare, fields, fields_with, has_row, placements, with,
};

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
