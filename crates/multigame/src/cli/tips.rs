//! What to write instead of arguments that a command does not take.

use clap::Error;
use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};

/// Adds a tip to a refusal, where one is known: `perft FILE 2` means `--depth 2`.
pub(crate) fn with_tip(mut error: Error, command: &str) -> Error {
    let Some(ContextValue::String(found)) = error.get(ContextKind::InvalidArg) else { return error };
    let is_depth = matches!(command, "perft" | "explore") && found.parse::<u32>().is_ok();
    if error.kind() == ErrorKind::UnknownArgument && is_depth {
        let tip = StyledStr::from(format!("write `--depth {found}`"));
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip]));
    }
    error
}
