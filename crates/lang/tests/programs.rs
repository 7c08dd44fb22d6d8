//! Programs without mistakes: nothing is said about them, and they are already in the one layout. New games in
//! unusual notation belong in `tests/programs`.

#![allow(clippy::unwrap_used)] // tests are free to

use std::path::Path;

use lang::Source;

fn programs() -> Vec<Source> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    files
        .map(|path| Source::new(path.display().to_string(), std::fs::read_to_string(&path).unwrap()))
        .collect()
}

#[test]
fn nothing_is_said_about_good_programs() {
    for source in programs() {
        let parsed = lang::parse(&source);
        let diagnostics = [parsed.diagnostics, lang::check(&parsed.tree)].concat();
        let said: Vec<String> =
            diagnostics.iter().map(|diagnostic| lang::render(&source, diagnostic)).collect();
        assert_eq!(said.join("\n"), "");
    }
}

#[test]
fn good_programs_are_in_the_one_layout() {
    for source in programs() {
        assert_eq!(lang::format(&source), source.text, "{}", source.name);
    }
}

#[test]
fn typographic_signs_are_read_as_the_plain_ones() {
    let text =
        "dimensions (2, 2)\npieces { mark ’X’ ‘O’ }\nmain = find opponent’s mark, turn −45, step, win.";
    let source = Source::new("typographic.mg", text);
    let parsed = lang::parse(&source);
    assert_eq!(parsed.diagnostics, []);
    assert_eq!(lang::check(&parsed.tree), []);
}

#[test]
fn a_rule_may_be_called_like_a_word_of_one_statement() {
    let text = "dimensions (2, 2)\npieces { mark 'X' 'O' }\nmain = find mark, quiet, forcing.\n\nquiet = north, step.";
    let parsed = lang::parse(&Source::new("quiet.mg", text));
    assert_eq!(parsed.diagnostics, []);
    assert_eq!(lang::check(&parsed.tree), []);
}

/// Words that are mostly slips may be names: nothing is said where they are.
#[test]
fn names_may_be_like_slips() {
    let text = "dimensions (3, 3)
pieces { name 'N' 'n' king 'K' 'k' neutral in '#' }
properties { next : board : [0 .. 3] other : player : [0 .. 3] score : board : [0 .. 3] }
tables { worth = 1, 2, 3, 4 }
setup {n.#
...
K..
}
main = either [ max, field ] or pieces or test tables, try centre else nothing, win.
max = find name, in, name \"+\" field, name piece \"R'\", score.
in = north, step, not points at in.
field = assert (worth[next] == worth[own other] + opponent's other), assert ((row == 3 || column == 2) && next <= 2).
pieces = find own king, [ [ either north or south ] ], step, assign (next = 1, score += next), pick up, put down.
tables = find empty field, either points at king or not points at own king, go, to_west.
go = assert (row == 1 || next), assign (score = worth[next]).
to_west = west, step backward, replace by own name.
centre = assert (0 < row && row < 3 && own other == 0 && number of own king == 1).
score = assert (score == 0).
";
    let parsed = lang::parse(&Source::new("names.mg", text));
    assert_eq!(parsed.diagnostics, []);
    assert_eq!(lang::check(&parsed.tree), []);
}
