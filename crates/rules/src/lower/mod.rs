//! From the tree to the intermediate form.

mod info;
mod statements;

use game::notation::GivenNames;
use game::text::PositionError;
use lang::diagnostic::any_error;
use lang::{Diagnostic, Source};

use crate::ir::Program;
use crate::names::RuleNames;

/// Why a text cannot be played.
#[derive(Clone, Debug)]
pub enum CompileError {
    /// The rules are wrong; all diagnostics, warnings included.
    Rules(Vec<Diagnostic>),
    /// The start position that was given does not fit.
    Position(PositionError),
}

/// Reads, checks and lowers a program. `start` is a position text for rules without a `setup`: it says which
/// fields are used and where a game begins.
///
/// Warnings come with the program.
///
/// # Errors
/// When the rules have errors, or `start` is no position of the game.
pub fn compile(source: &Source, start: Option<&str>) -> Result<(Program, Vec<Diagnostic>), CompileError> {
    let parsed = lang::parse(source);
    let mut diagnostics = parsed.diagnostics;
    diagnostics.extend(lang::check(&parsed.tree));
    if any_error(&diagnostics) {
        return Err(CompileError::Rules(diagnostics));
    }
    let (mut info, setups) = info::info(&parsed.tree, source, start)?;
    let ours = |diagnostic| CompileError::Rules(vec![diagnostic]);
    let (program, sayings) = statements::lower_names(&parsed.tree, info.clone(), source).map_err(ours)?;
    if !sayings.is_empty() {
        info.given_names = GivenNames::new(RuleNames::new(program, sayings));
    }
    let program = statements::lower(&parsed.tree, info, setups, source).map_err(ours)?;
    Ok((program, diagnostics))
}
