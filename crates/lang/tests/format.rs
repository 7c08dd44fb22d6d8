//! The formatter keeps every token and comment, in order, and settles at once: over the programs of the other
//! tests, over random texts, and for the layout itself.

#![allow(clippy::unwrap_used)] // tests are free to

use std::path::Path;

use lang::lexer::{TokenKind, tokenize};
use lang::{Source, format, parse};
use proptest::prelude::*;

/// Kinds and texts of the tokens; of rows only how they stand to each other.
fn tokens(text: &str) -> Vec<(TokenKind, String)> {
    let shown = |kind, text: &str| match kind {
        TokenKind::Board => {
            let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
            let margin = |line: &&str| line.len() - line.trim_start_matches(' ').len();
            let common = lines.iter().map(margin).min().unwrap_or(0);
            lines.iter().map(|line| line[common..].trim_end()).collect::<Vec<_>>().join("\n")
        }
        _ => text.to_owned(),
    };
    let tokens = tokenize(text).0;
    tokens
        .iter()
        .map(|token| (token.kind, shown(token.kind, &text[token.span.start..token.span.end])))
        .collect()
}

fn codes(source: &Source) -> Vec<(&'static str, String)> {
    parse(source).diagnostics.into_iter().map(|diagnostic| (diagnostic.code, diagnostic.message)).collect()
}

/// Formats, and asserts what must hold for every text.
fn checked(text: &str) -> String {
    let source = Source::new("text.mg", text);
    let once = Source::new("text.mg", format(&source));
    assert_eq!(tokens(&once.text), tokens(text), "tokens changed");
    assert_eq!(codes(&once), codes(&source), "diagnostics changed");
    assert_eq!(format(&once), once.text, "formatting again changes something");
    once.text
}

#[test]
fn programs_and_mistakes_keep_their_tokens() {
    for folder in ["tests/programs", "tests/mistakes"] {
        for entry in std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)).unwrap() {
            let text = std::fs::read_to_string(entry.unwrap().path()).unwrap();
            checked(&text);
            checked(&text.replace('\n', "\r\n"));
            checked(&text.replace("  ", " "));
            checked(&text.replace(", ", ",\n\n\n\t "));
        }
    }
}

#[test]
fn space_around_tokens() {
    let text = "a=assign(x=-1+ - -y [ 2 ]*(z--- ++w)),turn - 45 , [step ,[north]] .\nproperties{x:board:[ -1..+8 ]}\n";
    insta::assert_snapshot!(checked(text), @r"
    a = assign (x = -1 + - -y[2] * (z-- - ++w)), turn -45, [ step, [ north ] ].
    properties { x : board : [-1 .. +8] }
    ");
}

#[test]
fn lines_comments_and_rows() {
    let text = "
#  head
players=2 # two
dimensions(3 , 2)   # small


pieces
{

  mark 'X' 'O'

}
tables { worth = 1, 2
-3, 4
}
setup start {
          .X.
           .O
  }
evaluation {
 good:worth[1]=find own mark,
 step.
 # better
 better : 2 = find own mark.
}
main = find empty field,

 # why
 test [ step,
 # inner
 points at mark ],
 replace by mark.
# about other
other = nothing. third = nothing.
fourth = match (mark, mark, mark,
empty field, mark, mark).";
    insta::assert_snapshot!(checked(text), @r"
    #  head
    players = 2        # two
    dimensions (3, 2)  # small

    pieces
    {
        mark 'X' 'O'
    }
    tables { worth = 1, 2
            -3, 4
    }
    setup start {
        .X.
         .O
    }
    evaluation {
        good : worth[1] = find own mark,
            step.
        # better
        better : 2 = find own mark.
    }
    main = find empty field,

        # why
        test [ step,
            # inner
            points at mark ],
        replace by mark.

    # about other
    other = nothing. third = nothing.

    fourth = match (mark, mark, mark,
            empty field, mark, mark).
    ");
}

#[test]
fn a_text_that_cannot_be_read_stays() {
    for text in ["main = § step", "a = 'XY' .", "setup {\n  x", "\u{feff}main=step. §"] {
        assert_eq!(format(&Source::new("text.mg", text)), text);
    }
}

#[test]
fn texts_of_nothing() {
    for text in ["", "\n\n", "  \t\r\n", "\u{feff}"] {
        assert_eq!(checked(text), "");
    }
}

proptest! {
    #[test]
    fn any_tokens(parts in prop::collection::vec(part(), 0..60)) {
        checked(&parts.concat());
    }

    #[test]
    fn any_text(text in ".{0,200}") {
        checked(&text);
    }
}

fn part() -> impl Strategy<Value = String> {
    let words = [
        "main",
        "=",
        "find",
        "own",
        "mark",
        ",",
        ".",
        "[",
        "]",
        "(",
        ")",
        "{",
        "}",
        "..",
        "-",
        "--",
        "+",
        "++",
        "!",
        "12",
        "'X'",
        "opponent's",
        "# note\n",
        "\n",
        "\n\n\n",
        "  ",
        "setup {\n ..\n .X\n }\n",
        "evaluation {",
        "tables {",
        "pieces {",
        ":",
        "players = 2\n",
        "a = ",
        "assert (",
        "setup { .X }",
        "\r\n",
        "&&",
        "&",
        "x",
        "0x1F",
        ";",
        "<",
        "<=",
        "->",
        ">",
        "?",
        "setup\n{\n\n   x\n  y  \n\n}",
    ];
    (prop::sample::select(words.to_vec()), any::<bool>())
        .prop_map(|(word, spaced)| if spaced { format!("{word} ") } else { word.to_owned() })
}
