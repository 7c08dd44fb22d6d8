//! A program that shows a difference, made smaller as long as it still shows one.

use std::time::{Duration, Instant};

use super::compare::Difference;
use super::program::Program;
use super::tree::{Form, Tree, operand, simple};

/// Shrinking stops here, with what it has.
const TIME_MAX: Duration = Duration::from_secs(60);

/// The smallest program found, and how it differs.
pub fn shrink(
    mut program: Program,
    mut difference: Difference,
    differs: impl Fn(&Program) -> Option<Difference>,
) -> (Program, Difference) {
    let start = Instant::now();
    let smaller = |program: &Program| {
        let mut tried = candidates(program).take_while(|_| start.elapsed() < TIME_MAX);
        tried.find_map(|candidate| differs(&candidate).map(|difference| (candidate, difference)))
    };
    while let Some(found) = smaller(&program) {
        (program, difference) = found;
    }
    (program, difference)
}

/// Every program that is a little smaller, large steps first.
fn candidates(program: &Program) -> impl Iterator<Item = Program> {
    sections(program).into_iter().chain(trees(program)).chain(boards(program))
}

fn changed(program: &Program, change: impl FnOnce(&mut Program)) -> Program {
    let mut copy = program.clone();
    change(&mut copy);
    copy
}

fn sections(program: &Program) -> Vec<Program> {
    let mut smaller = Vec::new();
    for index in 0..program.features.len() {
        smaller.push(changed(program, |copy| drop(copy.features.remove(index))));
    }
    for index in 1..program.rules.len() {
        smaller.push(changed(program, |copy| drop(copy.rules.remove(index))));
    }
    for index in 0..program.properties.len() {
        let name = format!("{} =", program.properties[index].name);
        smaller.push(changed(program, |copy| {
            copy.properties.remove(index);
            copy.setup.retain(|line| !line.contains(&name));
        }));
    }
    for index in 0..program.tables.len() {
        smaller.push(changed(program, |copy| drop(copy.tables.remove(index))));
    }
    for index in 0..program.links.len() {
        smaller.push(changed(program, |copy| drop(copy.links.remove(index))));
    }
    if program.pieces.len() > 1 {
        smaller.push(changed(program, |copy| drop(copy.pieces.pop())));
    }
    if program.players == 2 && program.sides == 2 {
        smaller.push(changed(program, |copy| copy.sides = 1));
    }
    smaller
}

/// Every statement and expression, replaced by less.
fn trees(program: &Program) -> impl Iterator<Item = Program> {
    (0..program.trees()).flat_map(move |index| {
        let tree = program.tree(index);
        (0..tree.size()).flat_map(move |number| {
            let node = tree.clone().node_mut(&mut { number }).cloned();
            let less = node.map(|node| less(&node)).unwrap_or_default();
            less.into_iter()
                .map(move |by| changed(program, |copy| *copy.tree_mut(index) = tree.replaced(number, by)))
        })
    })
}

fn less(node: &Tree) -> Vec<Tree> {
    let mut smaller = Vec::new();
    let plain = match node.is_expression() {
        true => vec![operand(0), operand(1)],
        false => vec![simple("nothing")],
    };
    if !matches!(&node.form, Form::Operand(text) if text == "0" || text == "1") {
        smaller.extend(plain.into_iter().filter(|plain| plain != node));
    }
    smaller.extend(node.parts.iter().filter(|part| part.is_expression() == node.is_expression()).cloned());
    if matches!(node.form, Form::Sequence | Form::Either) && node.parts.len() > 1 {
        for index in 0..node.parts.len() {
            let mut copy = node.clone();
            copy.parts.remove(index);
            smaller.push(copy);
        }
    }
    if let Form::Repeat(count) = &node.form {
        for other in
            ["1", "0 .. 1", "0 .. 2", "0 .. infinity"].into_iter().filter(|other| count.len() > other.len())
        {
            smaller.push(Tree { form: Form::Repeat(other.to_owned()), parts: node.parts.clone() });
        }
    }
    smaller
}

fn boards(program: &Program) -> Vec<Program> {
    let mut smaller = Vec::new();
    if program.rows > 1 {
        for row in [0, program.rows - 1] {
            smaller.push(changed(program, |copy| {
                copy.setup.remove(row);
                copy.rows -= 1;
            }));
        }
    }
    if program.columns > 1 {
        smaller.push(changed(program, |copy| {
            copy.columns -= 1;
            for row in 0..copy.rows {
                copy.setup[row].pop();
            }
        }));
    }
    for line in program.rows..program.setup.len() {
        smaller.push(changed(program, |copy| drop(copy.setup.remove(line))));
    }
    for row in 0..program.rows {
        for (column, character) in program.setup[row].char_indices() {
            if character != '.' && character.is_ascii() {
                smaller.push(changed(program, |copy| copy.setup[row].replace_range(column..=column, ".")));
            }
        }
    }
    smaller
}
