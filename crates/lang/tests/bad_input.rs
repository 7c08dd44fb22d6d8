//! Whatever the input, there are diagnostics: never a panic, a hang, or memory without bound. New kinds of bad
//! input belong here; `fuzz/` looks for more. The time limits are wide: they tell linear from quadratic.

use std::time::{Duration, Instant};

use lang::diagnostic::any_error;
use lang::{Source, check, format, parse, render};

const CHESS: &str = include_str!("programs/chess.mg");
const EXTENSIONS: &str = include_str!("programs/extensions.mg");

/// More than a text of this length can need on a slow machine.
const LIMIT: Duration = Duration::from_secs(60);

/// Does everything that can be done with a text; returns whether errors were found.
fn survive(text: &str) -> bool {
    let start = Instant::now();
    let source = Source::new("bad.mg", text);
    let parsed = parse(&source);
    let diagnostics = [parsed.diagnostics, check(&parsed.tree)].concat();
    assert!(diagnostics.len() <= 400, "{} diagnostics", diagnostics.len());
    for diagnostic in &diagnostics {
        let shown = render(&source, diagnostic);
        assert!(shown.len() < 4_000, "a message of {} bytes: {}", shown.len(), &shown[..200]);
    }
    let formatted = format(&source);
    assert!(formatted.len() <= 50 * text.len() + 1, "{} bytes from {}", formatted.len(), text.len());
    assert!(start.elapsed() < LIMIT, "took {:?} for {} bytes", start.elapsed(), text.len());
    any_error(&diagnostics)
}

#[test]
fn an_empty_file() {
    assert!(survive(""));
    assert!(survive("\n\n  \n"));
    assert!(survive("# only a comment"));
}

#[test]
fn binary_noise() {
    let mut random = Random(1);
    for length in [1, 10, 100, 10_000, 1_000_000] {
        let bytes: Vec<u8> = (0..length).map(|_| random.below(256) as u8).collect();
        assert!(survive(&String::from_utf8_lossy(&bytes)));
    }
    assert!(survive(&"\0".repeat(100_000)));
}

#[test]
fn long_lines() {
    let parts = [
        "a",
        "1",
        "(",
        "step,",
        "a = b.",
        "pieces{1}",
        "§",
        "'",
        "'ab'",
        "#",
        "ä",
        "x = step, ",
        "\"",
        "-",
        "+ 1",
        "a b ",
        "setup{",
        "{",
        "x:",
        "main = a1 ",
        "links{a1 north}",
        " ",
        "]",
        ").",
        "tables { a = 1 }",
        "a.=",
    ];
    survive(&format!("main = {}.", "step, ".repeat(200_000)));
    for part in parts {
        assert!(survive(&part.repeat(1_000_000 / part.len())), "{part} is no error");
    }
}

#[test]
fn many_lines() {
    let lines = [
        "a = b.\n",
        "a = either a or b, [ c ].\n",
        "[\n",
        "(\n",
        "a [ # note\n",
        "pieces { x 'X' 'O' }\n",
        "x = 1, 2\n",
        "properties { a : board : [0 .. 1] }\n",
        "setup {\n.\n}\n",
        "notation { number a }\n",
        "# note\n",
        "}\n",
    ];
    for line in lines {
        survive(&line.repeat(1_000_000 / line.len()));
    }
}

#[test]
fn many_rules() {
    let count = 30_000;
    let head = "dimensions (3, 3)\npieces { mark 'X' 'O' }\n";
    let chain: String = (0..count).map(|rule| format!("r{rule} = r{}.\n", rule + 1)).collect();
    survive(&format!("{head}main = r0.\n{chain}r{count} = step."));
    let back: String = (0..count).map(|rule| format!("r{} = r{rule}.\n", rule + 1)).collect();
    survive(&format!("{head}main = r{count}.\n{back}r0 = step."));
    survive(&format!("{head}main = r{count}.\n{back}r0 = r{count}."));
    let unknown: String = (0..count).map(|rule| format!("r{rule} = s{rule}.\n")).collect();
    survive(&format!("{head}main = r0.\n{unknown}"));
    let all: String = (0..count).map(|rule| format!("r{rule} or ")).collect();
    survive(&format!("{head}main = either {all} step.\n{chain}r{count} = main."));
    let pieces: String = (0..count).map(|piece| format!("p{piece} 'X' 'O'\n")).collect();
    let lines: String = (0..count).map(|line| format!("p{line} = 3\n")).collect();
    survive(&format!("pieces {{ {pieces} }}\nsetup {{\n{lines}\n}}\nmain = step."));
}

#[test]
fn unclosed_brackets() {
    for text in [
        "main = [",
        "main = [ step",
        "pieces {",
        "main = assert (",
        "main = assert (1",
        "setup {",
        "setup x {\n..",
    ] {
        assert!(survive(text), "{text}");
        assert!(survive(&format!("{CHESS}\n{text}")), "{text}");
        assert!(survive(&format!("{text}\n{CHESS}")), "{text}");
    }
}

#[test]
fn ten_thousand_nested_brackets() {
    let shapes = [
        ("[", "step", "]"),
        ("(", "1", ")"),
        ("{", "", "}"),
        ("assert (", "1", ")"),
        ("assert ((", "1", "))"),
        ("not ", "step", ""),
        ("try [", "step", "] else step"),
        ("either step or ", "step", ""),
        ("while step do ", "step", ""),
        ("repeat 2 times ", "step", ""),
        ("try step else ", "step", ""),
    ];
    for (opening, inner, closing) in shapes {
        for count in [10_000, 100_000] {
            let (left, right) = (opening.repeat(count), closing.repeat(count));
            assert!(survive(&format!("main = {left}{inner}{right}.")));
            assert!(survive(&format!("main = {left}")));
        }
    }
    for (opening, inner, closing) in [
        ("(", "1", ")"),
        ("-", "1", ""),
        ("!~", "1", ""),
        ("t[", "1", "]"),
        ("1 ? 2 : ", "3", ""),
        ("x = ", "1", ""),
        ("++", "x", ""),
    ] {
        let (left, right) = (opening.repeat(10_000), closing.repeat(10_000));
        assert!(survive(&format!("main = assign ({left}{inner}{right}).")));
        assert!(survive(&format!("main = move to ({left}{inner}{right}, 1).")));
        assert!(survive(&format!("evaluation {{ f : {left}{inner}{right} = step. }}")));
    }
}

#[test]
fn very_many_operators() {
    for operator in ["+", "&&", ",", "<", "-", "%", "? 1 :"] {
        assert!(
            survive(&format!("main = assert (1{}).", format!("{operator} 1").repeat(200_000))),
            "{operator}"
        );
    }
    let mixed = "1 + 1 * 1 || 1 == 1 && 1, ".repeat(200);
    assert!(survive(&format!("main = assign ({mixed} 1).")));
}

#[test]
fn nesting_up_to_the_limit_is_fine_on_a_small_stack() {
    let text = format!(
        "dimensions (2, 2)\npieces {{ mark 'X' 'O' }}\nmain = {}find mark, assert ({}1{} == 1{}){}.",
        "[".repeat(150),
        "(".repeat(12),
        ")".repeat(12),
        " + 1".repeat(480),
        "]".repeat(150),
    );
    let small = std::thread::Builder::new().stack_size(1 << 20);
    let thread = small.spawn(move || assert!(!survive(&text))).unwrap();
    thread.join().unwrap();
}

#[test]
fn unknown_characters() {
    for text in [
        "§",
        "main = § .",
        "€€€",
        "main\u{0} = step.",
        "\u{202e}main = step.",
        "🎲 = 🎲.",
        "main = step\u{feff}.",
    ] {
        assert!(survive(text), "{text}");
    }
}

#[test]
fn a_program_cut_at_every_byte() {
    for text in [CHESS, EXTENSIONS] {
        for cut in 0..text.len() {
            let bytes = &text.as_bytes()[..cut];
            survive(&String::from_utf8_lossy(bytes));
        }
    }
}

#[test]
fn soups_of_tokens() {
    let words: Vec<&str> = CHESS.split_whitespace().chain(EXTENSIONS.split_whitespace()).collect();
    let signs = [
        ".",
        ",",
        "[",
        "]",
        "(",
        ")",
        "{",
        "}",
        "=",
        "..",
        "\n",
        "'",
        "#",
        "setup {\n",
        "\n}\n",
        "-",
        "++",
        ":",
        "?",
    ];
    for seed in 0..2_000 {
        let mut random = Random(seed);
        let mut text = String::new();
        for _ in 0..random.below(200) {
            let from = if random.below(3) == 0 { &signs[..] } else { &words[..] };
            text.push_str(from[random.below(from.len())]);
            text.push_str(if random.below(10) == 0 { "\n" } else { " " });
        }
        survive(&text);
    }
}

#[test]
fn programs_with_one_word_changed() {
    for seed in 0..500 {
        let mut random = Random(seed);
        let mut words: Vec<&str> = EXTENSIONS.split_inclusive(' ').collect();
        let (at, from) = (random.below(words.len()), random.below(words.len()));
        match random.below(3) {
            0 => words[at] = words[from],
            1 => words.swap(at, from),
            _ => drop(words.remove(at)),
        }
        survive(&words.concat());
    }
}

/// Numbers that are the same in every run (xorshift*).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        let mut state = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        state ^= state >> 12;
        state ^= state << 25;
        state ^= state >> 27;
        self.0 = state;
        (state.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % limit
    }
}
