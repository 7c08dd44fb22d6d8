//! What random games show about rules: mistakes that compile, and no false alarm about the library.

use crate::support;
use lang::Source;
use rules::trial::{self, Effort};

const SMALL: Effort = Effort { games: 4, plies: 300, plies_in_all: 700 };

/// Codes and messages of what a trial says about these rules.
fn said(rules: &str) -> Vec<(&'static str, String)> {
    let source = Source::new("trial.mg", rules);
    let (program, _) = rules::compile(&source, None).expect("rules that compile");
    let warnings = trial::warnings(&program, SMALL, 1, &|| true);
    warnings.into_iter().map(|one| (one.code, one.message)).collect()
}

fn program(rows: &str, main: &str) -> String {
    format!("dimensions (3, 3)\nsides = 1\npieces {{ man 'M' 'm' }}\nsetup\n{{\n{rows}\n}}\nmain = {main}\n")
}

#[test]
fn rules_that_cannot_move() {
    let blocked = program("M..\n...\n...", "find own man, pick up, west, step, put down.");
    assert_eq!(said(&blocked)[0].0, "W007");
    let over = program("M..\n...\n...", "try [ find own man, west, step ] else loss.");
    assert_eq!(
        said(&over)[0],
        (
            "W007",
            format!(
                "no move is possible from the start position: {}",
                "the game is over before the first move"
            )
        )
    );
}

#[test]
fn the_statement_that_nothing_gets_past_is_shown() {
    let place = |main: &str| {
        let rules = program("M..\n...\n...", main);
        let (program, _) = rules::compile(&Source::new("trial.mg", rules.clone()), None).expect("rules");
        let warning = trial::warnings(&program, SMALL, 1, &|| true).remove(0);
        let hint = warning.hint.unwrap_or_default();
        (rules[warning.span.start..warning.span.end].to_owned(), hint)
    };
    let cases = [
        ("try [ pick up, north, step, put down ] else loss.", "pick up", "points nowhere"),
        ("try [ find own man, pick up, north, step, put down ] else loss.", "step", "there is no field"),
        ("find own man, south, step, points at own man, put down.", "points at own man", "something else"),
        (
            "try [ find own man, south, not test step, win ] else [ find own man, black to move ].",
            "not test step",
            "holds",
        ),
        ("find opponent's man, pick up.", "find opponent's man", "none on the board"),
    ];
    for (main, statement, why) in cases {
        let (shown, hint) = place(main);
        assert_eq!(shown, statement, "{main}");
        assert!(hint.contains(why), "{main}: {hint}");
    }
}

#[test]
fn games_that_never_end() {
    let endless = program(
        "M..\n...\n..m",
        "find own man, pick up, any direction, step, points at empty field, put down.",
    );
    assert_eq!(said(&format!("repetition ignored\n{endless}"))[0].0, "W008");
    let repeating = endless.replace("main = ", "main = try [ ").replace("put down.", "put down ] else loss.");
    assert_eq!(said(&repeating), []);
}

#[test]
fn endless_games_are_told_what_helps() {
    let hint = |rules: &str| {
        let (program, _) = rules::compile(&Source::new("trial.mg", rules), None).expect("rules");
        let warning = trial::warnings(&program, SMALL, 1, &|| true).remove(0);
        (warning.code, warning.hint.unwrap_or_default())
    };
    let walk = "find own man, pick up, any direction, step, points at empty field, put down";
    let rows = "M..\n...\n..m";
    let (code, told) = hint(&format!("repetition ignored\n{}", program(rows, &format!("{walk}."))));
    assert!(code == "W008" && told.contains("leave out `repetition ignored`"), "{told}");
    let never = program(rows, &format!("either [ {walk} ] or [ not find man, win ]."));
    let (code, told) = hint(&format!("repetition ignored\n{never}"));
    assert!(code == "W008" && told.contains("leave out `repetition ignored`"), "{told}");
}

#[test]
fn games_that_end_with_their_first_move() {
    let won = program("...\n...\n...", "find empty field, replace by man, win.");
    assert_eq!(said(&won), [("W018", "each of 4 random games ended with its first move".to_owned())]);
    let unanswered =
        program("M..\n...\n...", "try [ find own man, pick up, any direction, step, put down ] else loss.");
    assert_eq!(said(&unanswered)[0].0, "W018");
}

#[test]
fn a_win_without_try_lets_only_moves_that_win_be_legal() {
    let told = |rules: &str| {
        let (program, _) = rules::compile(&Source::new("trial.mg", rules), None).expect("rules");
        let warning = trial::warnings(&program, SMALL, 1, &|| true).remove(0);
        (warning.code, warning.hint.unwrap_or_default())
    };
    let three = "three = find own man, north, repeat 2 times [ step, points at own man ].";
    let rules = program(
        "...\n...\n...",
        &format!("try [ find empty field, replace by man, [ three, win ] ] else draw.\n{three}"),
    );
    let (code, hint) = told(&rules);
    assert_eq!(code, "W007");
    assert_eq!(hint, "only moves that win are legal: did you mean `try [ three, win ]`?");
    let taken = program(
        ".m.\n.M.\n...",
        "try [ find own man, pick up, orthogonal, step, put down, not find opponent's man, win ] else loss.",
    );
    let (code, hint) = told(&taken);
    assert_eq!(code, "W018");
    assert_eq!(hint, "only moves that win are legal: did you mean `try [ not find opponent's man, win ]`?");
    // Here another statement is to blame.
    let blocked =
        program("m..\n.M.\n...", "find own man, west, step, step, replace by man, not find man, win.");
    assert!(told(&blocked).1.contains("nothing gets past this statement"), "{}", told(&blocked).1);
}

#[test]
fn players_who_can_only_pass() {
    let stones = "either [ find empty field, replace by man ] or [ not find empty field, nothing ].";
    let codes: Vec<_> = said(&program("M.m\nMMm\nmMM", stones)).into_iter().map(|one| one.0).collect();
    assert_eq!(codes, ["W019", "W020"]);
}

#[test]
fn games_that_no_player_wins() {
    let place = |ending: &str| {
        program("...\n...\n...", &format!("try [ find empty field, replace by man{ending} ] else draw."))
    };
    let without = said(&place(""));
    assert_eq!(
        without,
        [("W020", "no player can win: the rules have no `win`, `loss` or `score`".to_owned())]
    );
    // A column of four on a board of three rows.
    let never = said(&place(
        ", try [ test [ find own man, north, repeat 3 times [ step, points at own man ] ], win ]",
    ));
    assert_eq!(never, [("W020", "no player has won any of 4 random games".to_owned())]);
    let three = said(&place(
        ", try [ test [ find own man, north, repeat 2 times [ step, points at own man ] ], win ]",
    ));
    assert_eq!(three, []);
}

#[test]
fn captures_that_are_none() {
    let turn = "[ find own man, either cycle (a1, a3, c3, c1) or cycle (a1, c1, c3, a3) ]";
    let rows = "m.M\n...\nM.m";
    let unmarked = program(rows, &format!("{turn}."));
    assert_eq!(
        said(&format!("repetition ignored\n{unmarked}")).iter().map(|one| one.0).collect::<Vec<_>>(),
        ["W008", "W009"]
    );
    let quiet = program(rows, &format!("either [ {turn}, quiet ] or [ not find man, loss ]."));
    assert_eq!(said(&quiet), []);
}

#[test]
fn rules_without_a_start() {
    let rules =
        "dimensions (3, 3)\npieces { man 'M' 'm' }\nmain = find own man, pick up, north, step, put down.\n";
    assert_eq!(said(rules)[0].0, "W016");
}

#[test]
fn moves_that_put_their_piece_back() {
    let there_and_back = "find own man, pick up, any direction, step, repeat 0 .. 1 times [ turn 180, step ], \
        points at empty field, put down.";
    let rows = "M..\n...\n..m";
    assert_eq!(said(&program(rows, there_and_back))[0].0, "W017");
    let meant =
        "either nothing or [ find own man, pick up, any direction, step, points at empty field, put down ]
            or [ not find man, loss ].";
    assert_eq!(said(&program(rows, meant)), []);
}

#[test]
fn passes_by_numbers_put_no_piece_back() {
    let walk = "[ find own man, pick up, orthogonal, step, points at empty field, put down ]";
    for pass in ["assign (passed = 1)", "[ find own man, assign (passed = 1) ]"] {
        let rules = program("M..\n...\n..m", &format!("try either {walk} or {pass} else loss."));
        assert_eq!(said(&format!("properties {{ passed : board : [0 .. 1] }}\n{rules}")), []);
    }
}

#[test]
fn moves_that_are_all_passes() {
    let (code, message) = said(&program("M..\n...\n..m", "find own man, pick up, put down.")).remove(0);
    assert_eq!((code, message.as_str()), ("W017", "every move leaves the board as it is: each is a pass"));
}

#[test]
fn games_that_go_wrong() {
    let rules = "players = 1\ndimensions (1, 1)\npieces { man 'M' }\nproperties { count : board : [0 .. 3] }\n\
        setup\n{\nM\n}\nmain = assign (count = count + 1).\n";
    let (code, message) = said(rules).remove(0);
    assert_eq!((code, message.lines().count()), ("W010", 1), "{message}");
}

#[test]
fn the_place_where_rules_go_wrong_is_shown() {
    let shown = |rules: &str| {
        let (program, _) = rules::compile(&Source::new("trial.mg", rules), None).expect("rules");
        let warning = trial::warnings(&program, SMALL, 1, &|| true).remove(0);
        (
            warning.code,
            rules[warning.span.start..warning.span.end].to_owned(),
            warning.hint.unwrap_or_default(),
        )
    };
    let counted = |by: u8| {
        let main = format!(
            "find own man, pick up, any direction, step, points at empty field, put down, help.\n\
            help = assign (count = count + {by})."
        );
        format!("properties {{ count : board : [0 .. 2] }}\n{}", program("M..\n...\n..m", &main))
    };
    let (code, place, hint) = shown(&counted(3));
    assert_eq!((code, place.as_str()), ("W007", "count"));
    assert!(hint.starts_with("in rule `help`, 3 is out of range"), "{hint}");
    let (code, place, hint) = shown(&counted(1));
    assert_eq!((code, place.as_str()), ("W010", "count"));
    assert!(hint.starts_with("in rule `help`, 3 is out of range"), "{hint}");
}

#[test]
fn nothing_is_wrong_with_the_library() {
    for name in support::game_names() {
        let game = support::game(&name);
        let effort = Effort { games: 3, plies: 2_000, plies_in_all: 150 };
        let warnings = trial::warnings(game.program(), effort, 1, &|| true);
        assert!(warnings.is_empty(), "{name}: {warnings:?}");
    }
}
