//! Programs that say in comments what they should do: those of the documentation, and files.

use game::Game;
use lang::Source;
use rules::{CompileError, Program, expectations};

/// A program with its expectations.
pub struct Example {
    /// Where it stands.
    pub name: String,
    /// The program.
    pub text: String,
}

impl Example {
    /// The blocks of a Markdown text that are marked `mg`.
    pub fn from_markdown(path: &str, text: &str) -> Vec<Example> {
        let blocks = expectations::blocks(text).into_iter();
        blocks.map(|(line, text)| Example { name: format!("{path}:{line}"), text }).collect()
    }

    /// Checks that the program does what its comments say; `load` makes a game of it.
    pub fn check<G: Game>(&self, load: impl Fn(Program) -> G) {
        let expected = expectations::expectations(&self.text);
        assert!(!expected.is_empty(), "{}: nothing is expected", self.name);
        let source = Source::new(self.name.clone(), self.text.clone());
        let failures = match rules::compile(&source, expectations::start(&expected)) {
            Ok((program, _)) => {
                let setups = program.setups.clone();
                expectations::check(&load(program), &setups, &expected)
            }
            Err(CompileError::Rules(diagnostics)) => {
                expectations::check_errors(&source, &diagnostics, &expected)
            }
            Err(CompileError::Position(error)) => panic!("{}: {error}", self.name),
        };
        assert!(failures.is_empty(), "{}: {failures:#?}", self.name);
    }
}
