//! Mistakes that were found where pieces are counted along lines and features are summed up.

use super::found::{agree, groups};

/// A program on a board that is larger than a word, with a hole, or with a way that goes round.
fn lines(columns: usize, links: &str, main: &str) -> String {
    let row = |pieces: &str| pieces.chars().cycle().take(columns).collect::<String>();
    format!(
        "dimensions ({columns}, 5)
pieces {{ man 'A' 'a' king 'B' 'b' }}
properties {{ v : board : [0 .. 9] w : move : [-2 .. 3] f : field : [0 .. 9] o : player : [0 .. 9] }}
links {{ {links} }}
setup
{{
{}
{}
{}
{}
{}
white to move
}}
main = {main}.
measure = while step do nothing, do try [ points at any piece, assign (v++) ] while step backward.
",
        row(".aA.B"),
        row("A.aab."),
        row("AAA"),
        row("..."),
        row("b.A"),
    )
}

#[test]
fn pieces_are_counted_along_lines() {
    let mains = [
        "find own man, any direction, measure, replace by king",
        "find own man, any direction, measure, step, replace by king",
        "find own man, orthogonal, while step do nothing, replace by king",
        "find empty field, diagonal, while step backward do nothing, not points at own man, replace by man",
        "find own man, any direction, while step do try [ points at own man, assign (v++) ], replace by king",
        "find own man, pick up, orthogonal, measure, put down",
        "find own man, replace by king, orthogonal, do try [ points at own king, assign (v++) ] while step, assert (v == 1)",
        // Out of range, upwards and downwards.
        "find own man, east, do try [ points at any piece, assign (w++) ] while step, replace by king",
        "find own man, east, do try [ points at any piece, assign (w--) ] while step, replace by king",
        "find own man, any direction, do try [ points at empty field, assign (opponent's o++) ] while step, replace by king",
        // One number a field, and no finger.
        "find own man, north, do try [ points at any piece, assign (f++) ] while step, replace by king",
        "while step do nothing, find own man, replace by king",
        "do try [ points at any piece, assign (v++) ] while step, find own man, replace by king",
        // More than counting.
        "find own man, east, do try [ points at any piece, assign (v++, w = v > 2) ] while step, replace by king",
        "find own man, east, do try [ points at any piece, assign (v++) ] else irreversible while step, replace by king",
        "find own man, east, do try [ points at own man, replace by king, assign (v++) ] while step",
        // In tests, after moves, in rules that call themselves.
        "find own man, pick up, any direction, step, points at empty field, put down, test [ measure, assert (v > 2) ]",
        "find own man, pick up, any direction, step, points at empty field, put down,
            not [ find own king, west, measure, assert (v > 2), nothing, north, measure, assert (v > 4), step,
                points at empty field, step, points at empty field, step, points at empty field ]",
        "find own man, far, replace by king. far = either nothing or [ east, measure, north, step, assert (v < 6), far ]",
    ];
    for main in mains {
        agree(&lines(5, "", main));
    }
    for main in &mains[..8] {
        agree(&lines(14, "c3 east nowhere", main));
        agree(&lines(5, "one way e3 east a1", main));
    }
    // Round and round: the loop does not end.
    agree(&lines(5, "e3 east a3", mains[2]));
}

#[test]
fn pieces_that_cannot_jump_are_left_out() {
    for rules in [
        "jumps = diagonal, jump, try jumps. jump = step, points at opponent's man, replace by empty field, step, points at empty field.",
        // Where it stood is free now, and what was taken too.
        "jumps = orthogonal, step, points at opponent's man, replace by empty field, step backward, points at empty field, try jumps.",
        "jumps = orthogonal, step, points at opponent's man, replace by king, points at king, try jumps.",
        // What is wrong comes before what fails.
        "jumps = assign (v = v + 3), orthogonal, step, points at opponent's man, replace by empty field, try jumps.",
        "jumps = assign (v = 2), either north or east, step, either points at opponent's man or points at empty field, replace by king, try jumps.",
        "jumps = try [ north, step ] else [ south, step ], points at opponent's man, replace by empty field, try jumps.",
    ] {
        agree(&groups(
            "either [ find own man, pick up, jumps, put down ] or [ find empty field, replace by man ]",
            rules,
        ));
        agree(&groups(
            "try [ find own man, pick up, jumps, put down ] else [ find empty field, replace by man ]",
            rules,
        ));
    }
}

#[test]
fn pieces_that_cannot_move_are_left_out() {
    let slide = "repeat 0 .. infinity times [ step, points at empty field ], step";
    for main in [
        format!("find own man, pick up, orthogonal, {slide}, not points at own piece, put down"),
        format!("find any piece, pick up, diagonal, {slide}, points at empty field, put down"),
        "find own man, pick up, any direction, step, not points at own piece, put down".to_owned(),
        "find own man, pick up, orthogonal, step, either turn 45 or turn -45, step, not points at own man, put down".to_owned(),
        "find own man, try [ assert (row == 1 && v == 0), irreversible, assign (v = 1) ], pick up, orthogonal, step,
            points at opponent's piece, put down".to_owned(),
        // Where it stood is free now.
        "find own man, pick up, north, step, step backward, points at empty field, put down".to_owned(),
        "find own man, pick up, north, step, step backward, not points at own man, put down".to_owned(),
        "find own man, pick up, orthogonal, repeat 0 .. 1 times step, points at empty field, put down".to_owned(),
        "find own man, replace by king, repeat 0 .. infinity times [ step, not points at own king ], points at own king".to_owned(),
        // Perhaps no round at all.
        "find own man, east, repeat 0 .. infinity times [ step, points at opponent's man ], replace by king".to_owned(),
        "find own man, east, repeat 0 .. 2 times [ step, points at empty field ], step, points at man, replace by king".to_owned(),
        "find own man, east, repeat 1 .. 2 times [ step, points at empty field ], replace by king".to_owned(),
        // What is wrong comes before what fails.
        "find own man, assign (v = v + 2), orthogonal, step, points at empty field, replace by king".to_owned(),
        "find own man, try [ assert (6 / v > 1), irreversible ], north, step, points at empty field, replace by king".to_owned(),
        "find own man, try [ assert (row == 2), assign (v = v + 4) ], north, step, points at king, replace by king".to_owned(),
        "find own man, orthogonal, repeat 0 .. infinity times [ step, assign (v++), points at empty field ], step,
            points at king, replace by man".to_owned(),
        "find own man, try [ assert (row == 2), pick up ], north, step, not points at empty field, try put down".to_owned(),
        "most (row) [ find own man, any direction, step, not points at own man, replace by king ]".to_owned(),
    ] {
        agree(&groups(&main, ""));
        agree(&groups(&format!("try [ {main} ] else [ find empty field, replace by man, {main} ]"), ""));
    }
}

#[test]
fn features_are_summed_up_on_every_board() {
    let boards = [
        ("dimensions (5, 4)", "AAB.b\n.Aa..\nb.A.a\n..aB.", ""),
        // More than a word, and black sees the board as white does.
        (
            "dimensions (9, 9)\nsides = 1",
            "A...a...A\n.b..B..a.\n..A...b..\n...a.A...\nB...b...a\n.A.....A.\n..a.B....\nb..A..a..\n.A..b...B",
            "",
        ),
        // Fields that are missing, and steps that lead to the same field.
        ("dimensions (5, 4)", "AA bB\n.Aa..\nb A.a\n..aB.", "links { a1 east a4, b1 north a4, e4 west c2 }"),
    ];
    let bodies = [
        "find own man",
        "find own piece, any direction, step, points at empty field",
        "find own king, diagonal, slide, step",
        "find own king, any direction, slide, step, not points at own piece",
        // It begins on what it slides over, or does not end.
        "find own piece, east, repeat 0 .. infinity times [ step, points at own piece ]",
        "find own man, either north or east, repeat 1 .. infinity times [ step, points at empty field ]",
        "find own man, orthogonal, step, either turn 45 or turn -45, step, not points at own piece",
        "find own man, assign (v = 2), north, step, try [ test [ any direction, step, points at king ], assign (v = v + 1) ]",
        "find own man, try [ points at own man, test [ east, step, points at empty field ], assign (v = 3) ] else assign (v = 1)",
        "find own man, either [ not [ north, step, points at piece ], assign (v = 1) ] or assign (v = row) or [ east, step ]",
        "find empty field, either [ white to move, assert (row < 3) ] or [ black to move, assert (row > 2) ]",
        "find own man, optionally [ west, step, optionally [ step backward, step backward ] ], points at piece",
        "find own man, assign (v = 3), north, step, assign (v = v + 4)",
        "find own king, south, do step while points at empty field, points at opponent's piece",
        "find own piece, test [ find opponent's king ], west, step",
        "find own man, step, turn 90, step",
        "find own piece, turning, step",
    ];
    let weights =
        ["1", "v + 1", "3 - 2 * v", "number of own man * (v > 1 ? 5 : v) >> 1", "row + v", "1 << 62"];
    for (board, setup, links) in boards {
        let features = |weight: &str| -> String {
            let one = |(index, body): (usize, &&str)| format!("    f{index} : {weight} = {body}.\n");
            // With one that goes wrong, nothing else would be seen.
            bodies.iter().filter(|body| !body.contains("v + 4")).enumerate().map(one).collect()
        };
        for weight in weights {
            let program = |evaluation: &str| {
                format!(
                    "{board}\npieces {{ man 'A' 'a' king 'B' 'b' }}\nproperties {{ v : move : [0 .. 5] }}\n{links}
setup\n{{\n{setup}\nwhite to move\n}}\nevaluation\n{{\n{evaluation}}}
main = find own man, pick up, any direction, step, not points at own piece, put down.
slide = repeat 0 .. infinity times [ step, points at empty field ].
turning = try [ turn 45, step, points at piece, turning ].\n"
                )
            };
            agree(&program(&features(weight)));
            // What goes wrong in one of them is seen alone.
            for body in bodies.iter().filter(|_| weight == "v + 1") {
                agree(&program(&format!("    f : {weight} = {body}.\n")));
            }
        }
    }
}

/// A line that goes on in the next row is longer than the board is wide.
#[test]
fn lines_may_be_longer_than_the_board() {
    for links in [
        "links { e1 east a2, e2 east a3, e3 east a4 }",
        "links { e4 east a3, e3 east a2, e2 east a1 }",
        "links { e1 east a1 }",
    ] {
        for sees in ["test", "not"] {
            agree(&format!(
                "dimensions (5, 4)\nsides = 1\npieces {{ man 'A' 'a' king 'B' 'b' }}\n{links}
setup\n{{\nB...a\n.....\n.....\nA....\nwhite to move\n}}
evaluation
{{
    slides : 3 = find own piece, east, repeat 0 .. infinity times [ step, points at empty field ].
    sees : 5 = find own piece, {sees} [ east, do step while points at empty field, points at piece ].
}}
main = find own piece, pick up, either east or west, step, points at empty field, put down,
    {sees} [ find own man, east, do step while points at empty field, points at king ].\n"
            ));
        }
    }
}

/// What is tried may fail behind a value that it has set.
#[test]
fn features_try_behind_assignments() {
    for tried in [
        "assign (v = 1), points at own man",
        "assign (v = 1), not [ east, step ]",
        "not points at opponent's man, assign (v = 1), test [ east, step, points at empty field ], assign (v = 2)",
        "points at empty field, assign (v = 1, v = 2)",
    ] {
        for weight in ["1", "v + 1"] {
            agree(&format!(
                "dimensions (12, 1)\npieces {{ man 'A' 'a' }}\nproperties {{ v : move : [0 .. 5] }}
setup\n{{\n..A..A.a...a\n}}\nevaluation {{ f : {weight} = find empty field, assert (1 & column), try [ {tried} ]. }}
main = find own man, pick up, any direction, step, points at empty field, put down.\n"
            ));
        }
    }
}
