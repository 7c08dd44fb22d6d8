//! Rules that go on for ever, or nearly: compiled code stops with a fault that names the rule, in bounded time and
//! without a crash, also on a thread with a small stack.

#![allow(clippy::unwrap_used)] // tests are free to

use std::time::{Duration, Instant};

use game::{Game, MoveList, RuleFault, Stage};
use jit::{Compiled, Options};

/// Less than the usual stack of a thread.
const STACK_BYTES: usize = 512 * 1024;

/// Much more than any of these takes.
const TIME_MAX: Duration = Duration::from_secs(60);

/// One man in the corner of an empty board, with a ring around its lowest row.
fn program(size: usize, sections: &str, rules: &str) -> String {
    let rows = vec![".".repeat(size); size - 1].join("\n");
    let last = format!("M{}", ".".repeat(size - 1));
    let end = char::from(b'a' + size as u8 - 1);
    format!(
        "players = 1\ndimensions ({size}, {size})\npieces {{ man 'M' }}\nlinks {{ {end}1 east a1 }}\n{sections}\n\
         setup\n{{\n{rows}\n{last}\n}}\n{rules}"
    )
}

/// Runs something with compiled rules on a small stack.
fn on_small_stack<T: Send>(text: &str, run: impl FnOnce(&Compiled<512>) -> T + Send) -> T {
    let (program, _) = rules::compile(&lang::Source::new("limits", text), None).unwrap();
    let start = Instant::now();
    let result = std::thread::scope(|scope| {
        let work = || run(&Compiled::<512>::new(&program, Options::default()).unwrap());
        let thread = std::thread::Builder::new().stack_size(STACK_BYTES);
        thread.spawn_scoped(scope, work).unwrap().join().unwrap()
    });
    assert!(start.elapsed() < TIME_MAX, "took {:?}\n{text}", start.elapsed());
    result
}

/// Moves and perft both end in a fault with these words and this rule.
fn check(text: &str, message: &str, rule: &str) {
    let faults = on_small_stack(text, |game| {
        let image = game.pack(&game.info().start.clone().unwrap());
        let mut moves = MoveList::new();
        let first = game.generate(&image, Stage::All, &mut moves).unwrap_err();
        assert!(moves.is_empty());
        [first, game.perft(&image, 1, &mut game::perft::Tally::new(false, &|| false)).unwrap_err()]
    });
    for RuleFault { message: found, rule: found_rule, .. } in faults {
        assert!(found.contains(message), "{text}\n{found}");
        assert_eq!(found_rule, rule, "{text}\n{found}");
    }
}

#[test]
fn a_loop_without_end() {
    let rules = "main = find man, turning. turning = while nothing do turn 45.";
    check(&program(3, "", rules), "this loop does not end", "turning");
    let rules = "main = find man, round. round = east, repeat 0 .. infinity times step.";
    check(&program(3, "", rules), "this loop does not end", "round");
}

#[test]
fn a_loop_without_end_that_branches() {
    let rules = "main = find man, turning, replace by man. turning = while any direction do nothing.";
    check(&program(3, "", rules), "more than 5000 levels", "turning");
}

#[test]
fn loops_in_loops_in_loops() {
    let counters = "properties { a, b, c : board : [0 .. 9999] }";
    let rules = "main = first.
        first = assign (a = 0), while assert (a < 9999) do [ assign (a++), second ].
        second = assign (b = 0), while assert (b < 9999) do [ assign (b++), third ].
        third = assign (c = 0), while assert (c < 9999) do assign (c++).";
    check(&program(1, counters, rules), "no end after", "third");
}

#[test]
fn recursion_without_end() {
    let rules = "main = find man, walk, replace by empty field. walk = east, step, walk.";
    check(&program(3, "", rules), "rule `walk` calls itself more than", "walk");
    let rules =
        "main = find man, walk, replace by empty field. walk = east, step, try walk else nothing, turn 45.";
    check(&program(3, "", rules), "rule `walk` calls itself more than", "walk");
    let rules = "main = find man, test walk. walk = east, step, other. other = optionally step, not walk.";
    check(&program(3, "", rules), "calls itself more than", "walk");
}

#[test]
fn more_ways_than_anybody_can_walk() {
    let rules = "main = find man, long_way, replace by man. long_way = repeat 40 times [ any direction, step ], assert (row > 9).";
    check(&program(5, "", rules), "no end after", "long_way");
    let rules = "main = find man, not long_way, replace by man. long_way = repeat 40 times [ any direction, step ], assert (row > 9).";
    check(&program(5, "", rules), "no end after", "long_way");
    let searches = ["find empty field"; 9].join(", ");
    let rules = format!("main = {searches}, assert (row > 12).");
    check(&program(12, "", &rules), "no end after", "main");
}

#[test]
fn more_results_than_allowed() {
    // All different.
    let fields = (1..=5).flat_map(|row| (1..=5).map(move |column| (column, row)));
    let choices: Vec<String> = fields
        .take(21)
        .map(|(column, row)| format!("move to ({column}, {row}), optionally replace by man"))
        .collect();
    check(&program(5, "", &format!("main = {}.", choices.join(", "))), "more than 1000000 results", "main");
    // All the same.
    let rules = "main = find man, repeat 9 times any direction, replace by empty field.";
    check(&program(3, "", rules), "more than 1000000 results", "main");
    // Many of each, found by a rule that calls itself.
    let rules = "main = find man, pick up, walk, put down.
        walk = any direction, step, optionally [ assert (n < 9), assign (n++), walk ].";
    let counter = "properties { n : board : [0 .. 9] }";
    check(&program(4, counter, rules), "more than 1000000 results", "main");
}

#[test]
fn an_evaluation_without_end() {
    let feature = "evaluation { endless : 1 = find man, while east do step. }";
    let text = program(3, feature, "main = find man, replace by empty field.");
    let fault = on_small_stack(&text, |game| {
        let image = game.pack(&game.info().start.clone().unwrap());
        game.evaluate(&image).unwrap_err()
    });
    assert_eq!((fault.rule.as_str(), fault.message.contains("does not end")), ("endless", true));
}

#[test]
fn recursion_within_the_limit_needs_no_stack_of_its_callers() {
    let counter = "properties { n : board : [0 .. 4900] }";
    for again in [
        "try [ assert (n < 4900), assign (n++), count ]",
        "try [ assert (n < 4900), assign (n++), count, turn 45 ]",
    ] {
        let text = program(
            20,
            counter,
            &format!("main = find man, count, replace by empty field. count = {again}."),
        );
        let moves = on_small_stack(&text, |game| {
            let image = game.pack(&game.info().start.clone().unwrap());
            let mut moves = MoveList::new();
            game.generate(&image, Stage::All, &mut moves).map(|_| moves.len())
        });
        assert_eq!(moves, Ok(1));
    }
}

#[test]
fn large_boards_fit_on_a_small_stack() {
    // Every `try` keeps a copy of the board with its properties.
    let sections = "properties { a, b : field : [0 .. 9] }";
    let tries = ["try [ step, assign (a = 1, b = 2), replace by man ] else assign (b = 3)"; 40].join(", ");
    let text = program(20, sections, &format!("main = find man, north, {tries}."));
    let moves = on_small_stack(&text, |game| {
        let image = game.pack(&game.info().start.clone().unwrap());
        let mut moves = MoveList::new();
        game.generate(&image, Stage::All, &mut moves).map(|_| moves.len())
    });
    assert_eq!(moves, Ok(1));
}

#[test]
fn rules_with_many_choices_are_compiled_in_time() {
    let choices = ["optionally [ any direction, step, replace by man, step backward ]"; 40].join(", ");
    let rules = format!("main = find man, assert (number of man > 1), {choices}.");
    let text = program(20, "", &rules);
    let fault = on_small_stack(&text, |game| {
        let image = game.pack(&game.info().start.clone().unwrap());
        game.generate(&image, Stage::All, &mut MoveList::new()).unwrap_err()
    });
    assert!(fault.message.contains("no legal move"), "{fault}");
}
