//! What to write instead of arguments that a command does not take.

use clap::Error;
use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};

/// Commands and what a number behind the game stands for: `perft FILE 2` means `--depth 2`.
const NUMBERS: [(&str, &str); 6] = [
    ("perft", "depth"),
    ("explore", "depth"),
    ("search", "depth"),
    ("match", "games"),
    ("solve", "time"),
    ("suite", "time"),
];

/// Adds a tip to a refusal, where one is known.
pub(crate) fn with_tip(mut error: Error, command: &str) -> Error {
    let Some(ContextValue::String(found)) = error.get(ContextKind::InvalidArg) else { return error };
    let option = NUMBERS.into_iter().find(|&(of, _)| of == command).map(|(_, option)| option);
    let option =
        option.filter(|_| error.kind() == ErrorKind::UnknownArgument && found.parse::<u32>().is_ok());
    if let Some(option) = option {
        let tip = StyledStr::from(format!("write `--{option} {found}`"));
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip]));
    }
    error
}
