//! Golden tests of the passes. Each file in `tests/passes` is named after a pass and holds a program; beside it
//! stands what the rules look like before and after that pass (`.txt`). Belongs here: what a pass makes of a small
//! program. That it keeps the meaning is tried in `passes_keep_the_meaning.rs`.
//!
//! After a change on purpose: `MULTIGAME_BLESS=1 cargo test -p rules --test all passes::`, then read the diff.

#![allow(clippy::unwrap_used)] // tests are free to

use crate::support;
use std::fmt::Write;

use crate::support::{files, read, workspace};
use lang::Source;
use rules::passes::{PIPELINE, Pass, PassSet};
use rules::{CompileError, Program};

fn compile(path: &str) -> Program {
    let source = Source::new(path, read(path));
    match rules::compile(&source, None) {
        Ok((program, _)) => program,
        Err(CompileError::Rules(diagnostics)) => {
            panic!("{}", diagnostics.iter().map(|one| lang::render(&source, one)).collect::<String>())
        }
        Err(CompileError::Position(error)) => panic!("{path}: {error}"),
    }
}

/// The rules that a pass changes, before and after it.
fn before_and_after(pass: &Pass, program: &Program) -> String {
    let mut changed = program.clone();
    (pass.run)(&mut changed);
    let (before, after) = (program.printed_rules(), changed.printed_rules());
    let mut text = format!("{}: {}\n", pass.name, pass.purpose);
    for (name, after) in &after {
        let before = before.iter().find(|(other, _)| other == name).map(|(_, text)| text);
        match before {
            Some(before) if before == after => write!(text, "\n---- unchanged\n{after}"),
            Some(before) => write!(text, "\n---- before\n{before}---- after\n{after}"),
            None => write!(text, "\n---- new\n{after}"),
        }
        .unwrap();
    }
    text
}

#[test]
fn every_pass_does_what_its_golden_text_says() {
    let bless = std::env::var_os("MULTIGAME_BLESS").is_some();
    let programs = files("crates/rules/tests/passes", ".mg");
    let mut wrong = Vec::new();
    for pass in PIPELINE {
        let path = format!("crates/rules/tests/passes/{}.mg", pass.name);
        assert!(programs.contains(&path), "no program shows what `{}` does: write {path}", pass.name);
        let text = before_and_after(pass, &compile(&path));
        assert!(text.contains("---- after") || text.contains("---- new"), "{path} is not changed");
        let golden = path.replace(".mg", ".txt");
        if bless {
            std::fs::write(workspace().join(&golden), &text).unwrap();
        } else if read(&golden) != text {
            wrong.push(format!("{golden} should be\n\n{text}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_second_run_of_a_pass_changes_nothing() {
    for name in support::game_names() {
        for pass in PIPELINE {
            let mut program = support::game(&name).program().clone();
            (pass.run)(&mut program);
            let once = program.to_string();
            (pass.run)(&mut program);
            assert_eq!(once, program.to_string(), "{} of {name}", pass.name);
        }
    }
}

#[test]
fn passes_are_known_by_name() {
    let set = PassSet::of(&["sight", "hoist"]).unwrap();
    assert!(set.contains("sight") && set.contains("hoist") && !set.contains("simplify"));
    assert!(PassSet::optional().contains("fields") && !PassSet::optional().contains("loops"));
    assert_eq!(PassSet::of(&["sight", "sihgt"]).unwrap_err().name, "sihgt");
    // Compiled code cannot do without it.
    assert!(PassSet::of(&["loops"]).is_err());
}
