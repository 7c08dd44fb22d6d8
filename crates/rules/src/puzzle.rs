//! What the rules of a puzzle say beside its moves: what solves it, and which pieces its moves do not tell apart.
//! Both are read off the statements; where these say more than can be read, nothing is known.

use crate::ir::{Ending, Expression, ExpressionKind, Node, NodeKind, PieceSet, Program, Sight};
use crate::walk;

/// By field: the codes with which a position is solved, if that can be said field by field. The rules say `win` in a
/// last `try [ …, win ]` after every move.
#[must_use]
pub fn goal(program: &Program) -> Option<Vec<u128>> {
    if program.info.players != 1 {
        return None;
    }
    let (moves, ending) = split(program, &program.functions[program.main].body)?;
    let mut seen = vec![false; program.functions.len()];
    if moves.into_iter().any(|node| ends(program, node, &mut seen)) {
        return None;
    }
    let NodeKind::Try(then, _) = &ending.kind else { return None };
    let tests = flatten(program, then)?;
    let (last, tests) = tests.split_last()?;
    if !matches!(last.kind, NodeKind::Ending(Ending::Win)) {
        return None;
    }
    let mut goal = vec![u128::MAX; program.info.geometry.fields()];
    let mut finger = None;
    for test in tests {
        match &test.kind {
            NodeKind::Match(sets) => {
                goal.iter_mut().zip(sets).for_each(|(goal, set)| *goal &= set.codes[0]);
            }
            NodeKind::Not(inner) => {
                let NodeKind::Find(set) = &without_sequence(inner).kind else { return None };
                goal.iter_mut().for_each(|goal| *goal &= !set.codes[0]);
            }
            NodeKind::MoveTo(column, row) => {
                finger = Some(program.info.geometry.at(number(column)?, number(row)?)?);
            }
            NodeKind::PointsAt(set) => goal[usize::from(finger?)] &= set.codes[0],
            _ => return None,
        }
    }
    Some(goal)
}

/// Whether a statement, or a rule that it calls, marks results as finished.
fn ends(program: &Program, node: &Node, seen: &mut [bool]) -> bool {
    let (mut found, mut calls) = (false, Vec::new());
    walk::for_each_node(node, &mut |node| match &node.kind {
        NodeKind::Ending(_) | NodeKind::Score(_) => found = true,
        NodeKind::Call(rule) => calls.push(*rule),
        NodeKind::Find(_)
        | NodeKind::PointsAt(_)
        | NodeKind::Replace(_)
        | NodeKind::PickUp
        | NodeKind::PutDown
        | NodeKind::Step { .. }
        | NodeKind::Directions(_)
        | NodeKind::Turn(_)
        | NodeKind::MoveTo(..)
        | NodeKind::Either(_)
        | NodeKind::Try(..)
        | NodeKind::Test(_)
        | NodeKind::Not(_)
        | NodeKind::Repeat { .. }
        | NodeKind::While(..)
        | NodeKind::DoWhile(..)
        | NodeKind::Branch { .. }
        | NodeKind::OnFields(_)
        | NodeKind::Sees(_)
        | NodeKind::Assert(_)
        | NodeKind::Assign(_)
        | NodeKind::Match(_)
        | NodeKind::ToMove(_)
        | NodeKind::Irreversible
        | NodeKind::Forcing(_)
        | NodeKind::Most(..)
        | NodeKind::Cycle(_)
        | NodeKind::Sequence(_) => {}
    });
    let new = |rule: usize, seen: &mut [bool]| !std::mem::replace(&mut seen[rule], true);
    found
        || calls.into_iter().any(|rule| new(rule, seen) && ends(program, &program.functions[rule].body, seen))
}

fn number(expression: &Expression) -> Option<i64> {
    match expression.kind {
        ExpressionKind::Integer(value) => Some(value),
        _ => None,
    }
}

/// The codes of pieces that moves do not tell apart: the largest class of those that are in all the same sets, and
/// that no move puts on the board by name.
#[must_use]
pub fn interchangeable(program: &Program) -> u128 {
    if program.info.players != 1 {
        return 0;
    }
    let main = &program.functions[program.main].body;
    let moves = split(program, main).map_or_else(|| vec![main], |(moves, _)| moves);
    let mut sets = Vec::new();
    let mut seen = vec![false; program.functions.len()];
    moves.into_iter().for_each(|node| collect(program, node, &mut seen, &mut sets));
    let codes = program.info.pieces.iter().map(|piece| piece.codes[0].bit());
    let class = |bit: u128| {
        let alike = |other: &u128| sets.iter().all(|set| (set & bit != 0) == (set & other != 0));
        codes.clone().filter(alike).fold(0, |class, other| class | other)
    };
    let largest = codes.clone().map(class).max_by_key(|class| class.count_ones()).unwrap_or(0);
    if largest.count_ones() > 1 { largest } else { 0 }
}

/// The statements of `main` that make moves, and the one at its end that says when the puzzle is solved.
fn split<'program>(
    program: &'program Program,
    main: &'program Node,
) -> Option<(Vec<&'program Node>, &'program Node)> {
    let mut nodes = vec![main];
    while let NodeKind::Sequence(inner) = &nodes.last()?.kind {
        nodes.pop();
        nodes.extend(inner);
    }
    let ending = nodes.pop()?;
    only_ends(program, ending).then_some((nodes, ending))
}

/// Whether a statement does nothing but mark results, whatever it asks.
fn only_ends(program: &Program, node: &Node) -> bool {
    let NodeKind::Try(then, otherwise) = &node.kind else { return false };
    let is_nothing = matches!(&otherwise.kind, NodeKind::Sequence(nodes) if nodes.is_empty());
    is_nothing && asks(program, then, &mut vec![false; program.functions.len()])
}

/// Whether a statement and all rules that it calls change neither board nor properties.
fn asks(program: &Program, node: &Node, seen: &mut [bool]) -> bool {
    let (mut only_asks, mut calls) = (true, Vec::new());
    walk::for_each_node(node, &mut |node| {
        only_asks &= match &node.kind {
            NodeKind::Find(_)
            | NodeKind::PointsAt(_)
            | NodeKind::Step { .. }
            | NodeKind::Directions(_)
            | NodeKind::Turn(_)
            | NodeKind::Test(_)
            | NodeKind::Not(_)
            | NodeKind::OnFields(_)
            | NodeKind::Sees(_)
            | NodeKind::Match(_)
            | NodeKind::Ending(_)
            | NodeKind::Sequence(_) => true,
            NodeKind::MoveTo(column, row) => number(column).is_some() && number(row).is_some(),
            NodeKind::Call(rule) => {
                calls.push(*rule);
                true
            }
            NodeKind::Replace(_)
            | NodeKind::PickUp
            | NodeKind::PutDown
            | NodeKind::Either(_)
            | NodeKind::Try(..)
            | NodeKind::Repeat { .. }
            | NodeKind::While(..)
            | NodeKind::DoWhile(..)
            | NodeKind::Branch { .. }
            | NodeKind::Assert(_)
            | NodeKind::Assign(_)
            | NodeKind::ToMove(_)
            | NodeKind::Irreversible
            | NodeKind::Forcing(_)
            | NodeKind::Score(_)
            | NodeKind::Most(..)
            | NodeKind::Cycle(_) => false,
        };
    });
    let new = |rule: usize, seen: &mut [bool]| !std::mem::replace(&mut seen[rule], true);
    only_asks
        && calls
            .into_iter()
            .all(|rule| !new(rule, seen) || asks(program, &program.functions[rule].body, seen))
}

/// Parts of a statement at most, and how deep calls are followed: rules that call themselves have no end.
const PARTS_MAX: usize = 256;
const CALLS_MAX: usize = 16;

/// A statement's parts, one after the other, with calls of rules replaced by what they do; `None` if there are too
/// many.
fn flatten<'program>(program: &'program Program, node: &'program Node) -> Option<Vec<&'program Node>> {
    fn go<'program>(
        program: &'program Program,
        node: &'program Node,
        depth: usize,
        into: &mut Vec<&'program Node>,
    ) {
        match &node.kind {
            _ if into.len() >= PARTS_MAX => {}
            NodeKind::Sequence(nodes) => nodes.iter().for_each(|node| go(program, node, depth, into)),
            NodeKind::Call(rule) if depth < CALLS_MAX => {
                go(program, &program.functions[*rule].body, depth + 1, into);
            }
            _ => into.push(node),
        }
    }
    let mut parts = Vec::new();
    go(program, node, 0, &mut parts);
    (parts.len() < PARTS_MAX).then_some(parts)
}

fn without_sequence(node: &Node) -> &Node {
    match &node.kind {
        NodeKind::Sequence(nodes) if nodes.len() == 1 => without_sequence(&nodes[0]),
        _ => node,
    }
}

/// All sets of codes that statements ask for or put down.
fn collect(program: &Program, node: &Node, seen: &mut [bool], sets: &mut Vec<u128>) {
    let mut calls = Vec::new();
    walk::for_each_node(node, &mut |node| {
        match &node.kind {
            NodeKind::Find(set) | NodeKind::PointsAt(set) => sets.push(set.codes[0]),
            NodeKind::Replace(codes) => sets.push(codes[0].bit()),
            NodeKind::Match(own) => sets.extend(own.iter().map(|set: &PieceSet| set.codes[0])),
            NodeKind::Sees(Sight::Reach { set, .. }) => sets.push(set.codes[0]),
            NodeKind::Sees(Sight::Over { over, set, .. }) => sets.extend([over.codes[0], set.codes[0]]),
            NodeKind::Call(rule) => calls.push(*rule),
            NodeKind::PickUp
            | NodeKind::PutDown
            | NodeKind::Step { .. }
            | NodeKind::Directions(_)
            | NodeKind::Turn(_)
            | NodeKind::MoveTo(..)
            | NodeKind::Either(_)
            | NodeKind::Try(..)
            | NodeKind::Test(_)
            | NodeKind::Not(_)
            | NodeKind::Repeat { .. }
            | NodeKind::While(..)
            | NodeKind::DoWhile(..)
            | NodeKind::Branch { .. }
            | NodeKind::OnFields(_)
            | NodeKind::Assert(_)
            | NodeKind::Assign(_)
            | NodeKind::ToMove(_)
            | NodeKind::Irreversible
            | NodeKind::Forcing(_)
            | NodeKind::Ending(_)
            | NodeKind::Score(_)
            | NodeKind::Most(..)
            | NodeKind::Cycle(_)
            | NodeKind::Sequence(_) => {}
        }
        for expression in walk::expressions(node) {
            numbers_of(expression, sets);
        }
    });
    for rule in calls {
        if !std::mem::replace(&mut seen[rule], true) {
            collect(program, &program.functions[rule].body, seen, sets);
        }
    }
}

fn numbers_of(expression: &Expression, sets: &mut Vec<u128>) {
    walk::for_each_subexpression(expression, &mut |expression| {
        if let ExpressionKind::NumberOf(set) = &expression.kind {
            sets.push(set.codes[0]);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn program(main: &str) -> Program {
        let text = format!(
            "players = 1\ndimensions (2, 2)\npieces\n{{\n    one '1'\n    two '2'\n    three '3'\n}}\n\
             setup\n{{\n    .1\n    23\n}}\n{main}\n"
        );
        let source = lang::Source::new("test", text);
        crate::compile(&source, None).map(|(program, _)| program).unwrap_or_else(|error| panic!("{error:?}"))
    }

    const SLIDE: &str = "slide = find empty field, orthogonal, step, pick up, step backward, put down.";

    #[test]
    fn tiles_are_interchangeable_and_what_solves_them_is_known() {
        let program = program(&format!(
            "main = slide, try [ solved, win ].\n{SLIDE}\nsolved = match (empty field, one, two, three)."
        ));
        assert_eq!(interchangeable(&program).count_ones(), 3);
        let goal = goal(&program).unwrap();
        // Reading order begins at the top, fields at the bottom.
        assert_eq!(goal.iter().map(|set| set.trailing_zeros()).collect::<Vec<_>>(), [2, 3, 0, 1]);
    }

    #[test]
    fn what_moves_ask_for_or_put_down_is_told_apart() {
        let asks =
            program("main = find one, orthogonal, step, points at empty field, try [ not find two, win ].");
        assert_eq!(interchangeable(&asks).count_ones(), 2);
        let puts = program("main = find any piece, replace by one, try [ not find two, win ].");
        assert_eq!(interchangeable(&puts).count_ones(), 2);
        let counts =
            program("main = find any piece, assert (number of two == 1), try [ not find two, win ].");
        assert_eq!(interchangeable(&counts).count_ones(), 2);
    }

    #[test]
    fn nothing_is_known_where_rules_say_more() {
        // A move that loses, an end that depends on the finger, an end that changes something.
        for main in [
            format!(
                "main = slide, either [ points at one, loss ] or points at two, try [ not find three, win ].\n{SLIDE}"
            ),
            format!("main = slide, try [ points at one, win ].\n{SLIDE}"),
            format!("main = slide, try [ find one, replace by two, win ].\n{SLIDE}"),
        ] {
            assert_eq!(goal(&program(&main)), None, "{main}");
        }
    }
}
