//! Small programs that compiled code once got wrong, found by random programs and by thinking about them. Each says
//! what must come out; all are run with every optimisation, without each of them, and without any.

use game::{Game, MoveList, Stage};
use jit::Options;
use rules::Interpreter;
use rules::passes::{PIPELINE, PassSet};

use super::compare::{Verdict, compare};

/// What `main` comes to in the start position: so many moves, or a fault with these words in it.
type Expected<'text> = Result<usize, &'text str>;

pub fn every_option() -> Vec<Options> {
    let all = Options::default();
    let mut options = vec![
        all,
        Options { tracked_tests: false, ..all },
        Options { static_changes: false, ..all },
        Options { known_pieces: false, ..all },
        Options {
            tracked_tests: false,
            static_changes: false,
            known_pieces: false,
            whole_board_tests: false,
            known_fingers: false,
            skip_passes: PassSet::optional(),
        },
    ];
    for pass in PIPELINE.iter().filter(|pass| !pass.required) {
        options.push(Options { skip_passes: PassSet::of(&[pass.name]).unwrap(), ..all });
    }
    options
}

pub fn check(rules: &str, expected: Expected<'_>) {
    agree(rules);
    let interpreter = load(rules);
    let start = interpreter.info().start.clone().unwrap();
    let mut moves = MoveList::new();
    let found = interpreter.generate(&start, Stage::All, &mut moves).map(|_| moves.len());
    match (expected, &found) {
        (Ok(expected), Ok(found)) => assert_eq!(expected, *found, "{rules}"),
        (Err(part), Err(fault)) => assert!(fault.to_string().contains(part), "{rules}\n{fault}"),
        _ => panic!("{rules}\n{found:?}"),
    }
}

/// Compiled code does what the interpreter does.
pub fn agree(rules: &str) {
    for options in every_option() {
        match compare(rules, options, Some(1)) {
            Verdict::Same(_) => {}
            Verdict::Different(difference) => panic!("{rules}\n{options:?}\n{difference:#?}"),
            Verdict::Unsupported(why) | Verdict::Rejected(why) => panic!("{rules}\n{why}"),
        }
    }
}

pub fn load(rules: &str) -> Interpreter {
    let (program, _) = rules::compile(&lang::Source::new("found", rules), None).unwrap();
    Interpreter::new(program)
}

/// A program for two players on a board of 3 times 2 fields.
pub fn small(sections: &str, rules: &str) -> String {
    let pieces = "dimensions (3, 2)\npieces { man 'A' 'a' king 'B' 'b' }";
    format!("{pieces}\n{sections}\nsetup\n{{\nAa.\n.Ab\n}}\n{rules}")
}

#[test]
fn a_write_can_be_undone_at_all() {
    check(&small("", "main = find empty field, replace by man."), Ok(2));
}

#[test]
fn a_loop_may_call_the_rule_that_it_is_in() {
    let rules = "main = find own man, walk.
        walk = while [ step, points at any piece, replace by empty field ] do [ optionally walk, pick up ].";
    // From a2 the loop ends at once, a pass; from b1 nothing is left to pick up.
    check(&small("", rules), Ok(1));
}

#[test]
fn a_rule_may_call_itself_inside_a_test() {
    let rules = "main = find own man, walk, replace by empty field.
        walk = not [ step, points at opponent's piece, walk ].";
    check(&small("", rules), Ok(1));
}

#[test]
fn positions_after_moves_hold_an_odd_number_of_properties() {
    let properties = "properties { v : board : [-100 .. -97] }";
    check(&small(properties, "main = either find empty field or find own man."), Ok(1));
}

#[test]
fn positions_after_moves_hold_properties_of_fields() {
    let properties = "properties { v : field : [0 .. 9] w : board : [0 .. 1] }";
    let rules = "main = find own man, orthogonal, assign (v = v < 9 ? v + 1 : 0).";
    check(&small(properties, rules), Ok(2));
}

#[test]
fn black_begins_with_his_own_north() {
    let rules = "main = find own piece, step, replace by man.";
    check(&small("", rules), Ok(1));
    check(&small("", rules).replace("}\nmain", "black to move\n}\nmain"), Ok(1));
    check(&small("", "main = find own piece, walk. walk = step, replace by man, try walk."), Ok(1));
}

#[test]
fn faults_in_tests_name_the_rule_of_the_test() {
    let rules = "main = find own man, question, replace by king.
        question = not [ find any piece, orthogonal, step, points at own man, west, step, points at king,
            north, step, points at man, south, step, points at man, assert (list[number of own piece] > 5) ],
            not [ find own man, assert (list[7 + column]) ].";
    check(&small("tables { list = 1, 2, 3 }", rules), Err("in rule `question`"));
}

#[test]
fn faults_in_values_name_the_rule_of_the_value() {
    let rules = "main = most (list[5 + column]) someone, replace by king. someone = find own man.";
    check(&small("tables { list = 1, 2, 3 }", rules), Err("in rule `main`"));
    let evaluation = "tables { list = 1, 2, 3 } evaluation { worth : list[5 + column] = someone. }";
    check(&small(evaluation, "main = someone, replace by king. someone = find own man."), Ok(2));
}

#[test]
fn the_first_written_field_leads() {
    check(&small("", "main = repeat 0 .. 1 times [ step, replace by man ], cycle (b1, a1)."), Ok(1));
    let properties = "properties { v : field : [0 .. 9] }";
    let rules =
        "main = find own man, try [ assert (column == 1), assign (v = 1) ], east, step, replace by king.";
    check(&small(properties, rules), Ok(2));
}

#[test]
fn an_expression_looks_only_at_what_it_needs() {
    check(&small("", "main = assign (1 ? 1 : place), find own man, replace by king."), Ok(2));
    check(&small("", "main = assert (1 || row), find own man, replace by king."), Ok(2));
    check(
        &small("", "main = assert (row || 1), find own man, replace by king."),
        Err("finger points nowhere"),
    );
}

#[test]
fn a_weight_with_a_choice_is_no_way_back() {
    let sections = "properties { v : field : [0 .. 9] }
        evaluation { worth : number of king ? v + 2 : 3 = find any piece. }";
    check(&small(sections, "main = most (number of man ? v : 3) find own man, replace by king."), Ok(2));
}

#[test]
fn sums_of_weights_end_at_the_greatest_number() {
    let sections =
        "evaluation { huge : 1 << (61 + row) = find any piece. less : -(1 << 62) = find any piece. }";
    check(&small(sections, "main = find own man, replace by king."), Ok(2));
}

#[test]
fn a_question_after_a_move_sees_the_properties_that_it_changed() {
    let long = ["nothing"; 14].join(", ");
    let rules = format!(
        "main = find own man, pick up, orthogonal, step, points at empty field, put down,
            assign (v = 1), not [ find king, assert (v == 1), {long} ]."
    );
    let sections = "properties { v : board : [0 .. 1] }";
    check(&small(sections, &rules), Err("no legal move"));
    check(&small(sections, &rules.replace("not [", "test [")), Ok(2));
}

#[test]
fn a_question_after_a_move_sees_the_move() {
    let long = ["nothing"; 14].join(", ");
    let rules = format!(
        "main = find own man, pick up, orthogonal, step, points at empty field, put down,
            test [ find king, orthogonal, step, points at man, {long} ]."
    );
    check(&small("", &rules), Ok(1));
}

#[test]
fn what_follows_many_choices_is_written_once() {
    let choices = ["optionally [ orthogonal, step, replace by man ]"; 7].join(", ");
    let rules = format!(
        "main = find own man, test [ {choices}, east, step, points at king ], {choices}, replace by king."
    );
    check(&small("", &rules), Ok(55));
}

#[test]
fn rows_of_pieces_are_turned_over() {
    let program = |main: &str| {
        format!(
            "dimensions (5, 4)
pieces {{ man 'A' 'a' king 'B' 'b' }}
properties {{ v : board : [0 .. 1] }}
setup
{{
.aaA.
aaa.a
A.AaA
.Aa..
white to move
}}
main = {main}.
men = step, points at opponent's man, do step while points at opponent's man, points at own man,
    step backward, do [ replace by man, step backward ] while points at opponent's man.
kings = step, points at opponent's man, do step while points at opponent's man, points at own man,
    step backward, do [ replace by king, step backward ] while points at opponent's man.
"
        )
    };
    let all = "repeat 8 times [ try men, turn 45 ]";
    check(&program(&format!("find empty field, replace by man, north, {all}")), Ok(7));
    for main in [
        format!("find empty field, replace by king, quiet, southwest, {all}, assign (v = 1)"),
        format!("find empty field, replace by man, south, {all}, try [ assert (v == 0), win ]"),
        format!("find empty field, test [ any direction, men ], replace by man, north, {all}, irreversible"),
        format!("try [ find empty field, replace by man, north, {all} ] else loss"),
        "find empty field, replace by king, east, try kings".to_owned(),
        "find own man, replace by king, east, repeat 4 times [ try kings, turn 90 ]".to_owned(),
        "find own man, pick up, west, step, points at empty field, put down, repeat 2 times [ try men, turn 180 ]"
            .to_owned(),
        // The row does not end at the finger's field.
        format!("find opponent's man, north, {all}"),
        format!("find empty field, replace by opponent's man, north, {all}"),
        // The board is looked at afterwards.
        format!("find empty field, replace by man, north, {all}, test find opponent's man"),
        format!("find empty field, replace by man, north, {all}, {all}"),
        format!("find empty field, replace by man, north, {all}, step, pick up"),
        format!("find empty field, replace by man, north, {all}, assign (v = number of own man > 8)"),
        // The direction is not known, or comes again.
        "find empty field, replace by man, orthogonal, repeat 4 times [ try men, turn 45 ]".to_owned(),
        "find empty field, replace by man, north, repeat 8 times [ try men, turn 90 ]".to_owned(),
    ] {
        agree(&program(&main));
    }
}

/// A program on a board of 5 times 4 fields with groups of pieces.
pub fn groups(main: &str, rules: &str) -> String {
    format!(
        "dimensions (5, 4)
pieces {{ man 'A' 'a' king 'B' 'b' }}
properties {{ v : board : [0 .. 3] }}
setup
{{
.aaA.
Aaa.A
A.AaA
.A.A.
white to move
}}
main = {main}.
{rules}
"
    )
}

#[test]
fn groups_are_followed() {
    let around = "follow = replace by king, repeat 8 times [ try [ step, points at own man, follow, step backward ], turn 45 ].";
    let across = "follow = replace by king, try [ north, next, south, step ], try [ east, next, west, step ],
        try [ south, next, north, step ], try [ west, next, east, step ].
        next = step, points at own man, follow.";
    // One way only, and back by another one: not what it seems.
    let lopsided = "follow = replace by king, try [ north, step, points at own man, follow, south, step ].";
    let strange = "follow = replace by king, try [ north, step, points at own man, follow, east, step ],
        try [ south, step, points at own man, follow, north, step ].";
    for rules in [around, across, lopsided, strange] {
        let questions = [
            "test [ follow, not find own man ]",
            "test [ follow, find own king, assert (row == 4) ]",
            "not [ follow, test [ find own king, assert (column == 1) ], find own king, assert (column == 5) ]",
            "test [ follow, points at own king, step ]",
            "test [ find own man, follow, find own man ]",
            "test [ most (row) find own man, follow, not find own man ]",
            "try [ test [ follow, not find own man ], win ]",
            "test [ follow, assert (number of own king > 3) ]",
        ];
        let is_group = rules == around || rules == across;
        for question in &questions[..if is_group { questions.len() } else { 2 }] {
            agree(&groups(&format!("find empty field, replace by man, {question}"), rules));
        }
        let moved = "find own man, pick up, orthogonal, step, not points at own man, put down";
        agree(&groups(&format!("{moved}, {}", questions[0]), rules));
        agree(&groups("find own man, follow", rules));
    }
}

#[test]
fn groups_hang_together_unless_a_move_changes_them() {
    let rules = "mine = replace by king, repeat 8 times [ try [ step, points at own man, mine, step backward ], turn 45 ].
        theirs = replace by opponent's king,
            repeat 8 times [ try [ step, points at opponent's man, theirs, step backward ], turn 45 ].";
    let moves = [
        // With captures, without, and with pieces that appear.
        "find own man, pick up, any direction, step, not points at own man, put down",
        "find own man, pick up, orthogonal, step, points at empty field, put down",
        "find empty field, replace by opponent's man",
        "find any piece, either replace by man or replace by king or replace by empty field",
        "find own man, while [ north, step ] do [ try [ points at opponent's man, replace by empty field ] ]",
    ];
    let questions = [
        "find opponent's man, theirs, not find opponent's man",
        "most (place) find opponent's man, theirs, not find opponent's man",
        "most (row * 2 - column) find own man, mine, not find own man",
        "find opponent's man, theirs, find opponent's king, assert (column == 1)",
        "find opponent's man, theirs, test [ find own king, assert (row > 2) ], not find opponent's man",
        "most (v) find opponent's man, theirs, not find opponent's man",
        "most (6 / (row - 2)) find opponent's man, theirs, not find opponent's man",
        "find opponent's man, assert (place > v), theirs, find opponent's man",
        "theirs, not find opponent's man",
    ];
    for (index, first) in moves.into_iter().enumerate() {
        // All questions after one kind of move, the first ones after all kinds.
        for question in &questions[..if index == 0 { questions.len() } else { 2 }] {
            let main =
                format!("{first}, try [ test [ {question} ], win ] else try [ not [ {question} ], loss ]");
            agree(&groups(&main, rules));
        }
    }
    let both = format!("{}, test [ {} ], not [ {} ]", moves[0], questions[0], questions[2]);
    agree(&groups(&both, rules));
}

#[test]
fn results_may_differ_in_properties_only() {
    let sections = "properties { v : board : [0 .. 9] w : player : [-3 .. 90] s : board : [0 .. 9] silent
        t : board : [0 .. 9] silent below 5 m : move : [0 .. 9] }";
    for (choices, moves) in [
        ("either assign (v = 1) or assign (v = 2) or assign (v = 3) or assign (v = 1)", 6),
        ("either assign (v = 0) or nothing or assign (v = v) or assign (v = 1, v = 0)", 2),
        (
            "either assign (v = 3, w = 1) or assign (v = 1, w = 3) or assign (w = 3, v = 1) or assign (opponent's w = 3, v = 1)",
            6,
        ),
        ("either assign (w = 90) or assign (opponent's w = 90) or assign (w = -3)", 6),
        ("either assign (m = 1) or assign (m = 2)", 4),
    ] {
        check(&small(sections, &format!("main = find own man, {choices}, replace by king.")), Ok(moves));
    }
    for choices in [
        "either assign (s = 1) or assign (s = 2)",
        "either assign (t = 4) or assign (t = 3) or assign (t = 5) or assign (t = 6)",
        "either [ assign (s = 7), win ] or loss or [ assign (t = 1), irreversible ]",
    ] {
        agree(&small(sections, &format!("main = find own man, {choices}, replace by king.")));
    }
}

#[test]
fn a_move_that_was_found_quiet_is_not_forcing() {
    // The first way to a move says what it is.
    let main = "find opponent's king, replace by empty field, quiet";
    let again = "find opponent's king, replace by empty field";
    check(&small("", &format!("main = either [ {main} ] or [ {again} ].")), Ok(1));
    check(&small("", &format!("main = either [ {again} ] or [ {main} ].")), Ok(1));
}

#[test]
fn a_piece_is_put_down_in_thought() {
    let rules = "line = test [ replace by man, any direction, optionally [ step, points at own man ],
            repeat 2 times [ step backward, points at own man ] ].
        taken = test [ replace by opponent's king, orthogonal, step, points at opponent's man, step backward, points at king ].
        gone = not [ replace by empty field, diagonal, step, points at empty field, step backward, points at empty field ].";
    for main in [
        "find empty field, line, replace by king",
        "find empty field, not line, replace by king",
        "find empty field, taken, replace by man",
        "find own man, gone, pick up",
        "find own man, taken, pick up",
        "find empty field, assert (row % 2 == 1), line, replace by man",
        "find empty field, test [ replace by man, north, step, replace by man, step backward, points at man ], replace by king",
        "find own man, test [ pick up, any direction, step, put down, step backward, points at empty field ], replace by king",
    ] {
        agree(&groups(main, rules));
    }
}

#[test]
fn a_piece_that_comes_back_was_not_taken() {
    for times in 1..=4 {
        let rules = format!("main = repeat {times} .. 4 times [ either cycle (b1, c2, a2) or nothing ].");
        agree(&small("", &rules));
    }
}
