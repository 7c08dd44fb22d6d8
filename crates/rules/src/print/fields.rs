//! Statements about sets of fields.

use game::{Colour, Field};

use crate::ir::{PieceSet, Program, Sight};

/// Up to so many fields are named one by one; more are drawn.
const NAMED_MAX: usize = 8;

/// Fields by name, as white sees the board.
pub(super) fn names(program: &Program, fields: &[Field]) -> String {
    let names: Vec<String> = fields.iter().map(|&field| program.info.field_name(field)).collect();
    names.join(", ")
}

/// Fields for each mover, by what the mover calls them.
pub(super) fn on(program: &Program, flags: &[Vec<bool>; 2]) -> String {
    let [white, black] = Colour::BOTH.map(|mover| seen(program, mover, &flags[mover.index()]));
    if white == black || program.info.players < 2 {
        return marked(program, &white);
    }
    format!("({} for white, {} for black)", marked(program, &white), marked(program, &black))
}

/// Flags by field as the mover sees the board.
fn seen(program: &Program, mover: Colour, flags: &[bool]) -> Vec<bool> {
    let rotated = mover == Colour::Black && program.info.sides == 2;
    let geometry = &program.info.geometry;
    let field = |field: Field| if rotated { geometry.rotated(field) } else { field };
    let used = |field| geometry.is_used(field) && flags[field as usize];
    (0..geometry.fields() as Field).map(|one| used(field(one))).collect()
}

/// `{a1, h1}`, or the rows from the top: `{#..#/....}`.
fn marked(program: &Program, flags: &[bool]) -> String {
    let fields: Vec<Field> = (0..flags.len() as Field).filter(|&field| flags[field as usize]).collect();
    if fields.len() <= NAMED_MAX {
        return format!("{{{}}}", names(program, &fields));
    }
    let columns = program.info.geometry.columns();
    let rows: Vec<String> = flags
        .chunks(columns)
        .rev()
        .map(|row| row.iter().map(|&flag| if flag { '#' } else { '.' }).collect())
        .collect();
    format!("{{{}}}", rows.join("/"))
}

/// `sees opponent's rook over empty field, orthogonal`, or `reaches own king by leaps of …`.
pub(super) fn sight(program: &Program, sight: &Sight) -> String {
    match sight {
        Sight::Reach { fields, set } => {
            format!("reaches {} {}", program.show(set), leaps(program, &fields[0]))
        }
        Sight::Over { directions, over, at_least_one, set } => {
            let least = if *at_least_one { "at least one " } else { "" };
            let (set, over) = (program.show(set), program.show(over));
            format!("sees {set} over {least}{over}, {}", super::directions(directions))
        }
    }
}

/// The leaps of a path as columns and rows from its start, where it is the same from everywhere.
fn leaps(program: &Program, reached: &[Vec<Field>]) -> String {
    let geometry = &program.info.geometry;
    let place = |field: Field| (geometry.column(field) as i64, geometry.row(field) as i64);
    let mut found: Vec<(i64, i64)> = Vec::new();
    for (from, fields) in (0..).zip(reached) {
        let (column, row) = place(from);
        found.extend(fields.iter().map(|&to| (place(to).0 - column, place(to).1 - row)));
    }
    found.sort_unstable();
    found.dedup();
    let count: usize = reached.iter().map(Vec::len).sum();
    if found.len() > 16 {
        return format!("on {count} ways");
    }
    let names: Vec<String> = found.iter().map(|(columns, rows)| format!("({columns:+}, {rows:+})")).collect();
    format!("at {}", names.join(" "))
}

/// The sets of `match` in reading order.
pub(super) fn matched(program: &Program, sets: &[PieceSet]) -> String {
    let geometry = &program.info.geometry;
    let used = geometry.reading_order().filter(|&field| geometry.is_used(field));
    let sets: Vec<String> = used.map(|field| program.show(&sets[field as usize]).to_string()).collect();
    sets.join(", ")
}
