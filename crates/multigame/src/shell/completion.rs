//! What can be completed at the keyboard of the shell.

use super::vocabulary::COMMANDS;
use crate::keyboard::Vocabulary;

/// The words of the shell.
pub(super) fn vocabulary() -> Vocabulary {
    Vocabulary {
        history: "shell-history",
        commands: COMMANDS.iter().map(|entry| entry.name).collect(),
        with_files: &["read", "load", "write", "save", "execute", "opening", "collection"],
        arguments,
    }
}

/// What may follow a command; nothing is said about `move`, which moves follow.
fn arguments(command: &str) -> Option<Vec<String>> {
    let own = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    Some(match command {
        "move" => return None,
        "engine" => own(&search::Engine::ALL.map(search::Engine::name)),
        "help" => COMMANDS.iter().map(|entry| entry.name.to_owned()).collect(),
        "play" => own(&["white", "black", "both", "off"]),
        "verbose" | "echo" => own(&["on", "off"]),
        "configuration" => {
            let names = search::Heuristics::NAMES.iter().map(|name| name.replace('_', "-"));
            names.chain(["on", "off", "exact", "default"].map(str::to_owned)).collect()
        }
        "statistics" => super::counters::module_names().map(str::to_owned).collect(),
        _ => Vec::new(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keyboard::Words;

    #[test]
    fn commands_and_moves_are_completed() {
        let words = Words::with_move(vocabulary(), "e2e4");
        assert_eq!(words.completed("sel"), (0, vec!["selfplay".to_owned()]));
        assert_eq!(words.completed("move e"), (5, vec!["e2e4".to_owned()]));
        assert_eq!(words.completed("engine mt"), (7, vec!["mtdf".to_owned()]));
        assert_eq!(words.completed("depth "), (6, Vec::new()));
        assert!(words.completed("").1.len() > COMMANDS.len());
    }
}
