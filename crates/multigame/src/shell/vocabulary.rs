//! What the shell understands. Help, completion and suggestions all come from this table.

use lang::diagnostic::did_you_mean;

use crate::terminal::{LINE_MAX, wrapped};

/// A command as people know it.
pub(super) struct CommandHelp {
    pub(super) name: &'static str,
    pub(super) arguments: &'static str,
    pub(super) help: &'static str,
}

const fn entry(name: &'static str, arguments: &'static str, help: &'static str) -> CommandHelp {
    CommandHelp { name, arguments, help }
}

/// All commands, in alphabetical order.
pub(super) const COMMANDS: &[CommandHelp] = &[
    entry("board", "", "draw the board"),
    entry(
        "collection",
        "[add FILE|N]",
        "what was played here in other people's games; add a PGN file, or look at game N",
    ),
    entry(
        "configuration",
        "[NAME on|off]",
        "how the computer is set; switch a heuristic; `exact`, `default`",
    ),
    entry("depth", "[N|off]", "plies to look ahead at most"),
    entry("echo", "TEXT | on|off", "print the text; or repeat every command that is read"),
    entry("engine", "[NAME]", "which engine searches"),
    entry("evaluate", "", "what the rules say the position is worth, without searching"),
    entry("execute", "FILE", "do what a file of commands says"),
    entry("flip", "", "look at the board from the other side"),
    entry("hash", "[MB]", "memory for what the search remembers"),
    entry("help", "[COMMAND]", "this; or all about one command"),
    entry("hint", "[N]", "the move that the computer would play, or the N best ones"),
    entry("history", "", "the moves so far"),
    entry("increment", "[N]", "how much deeper each iteration of a search goes"),
    entry("legal", "[long]", "the legal moves, or all that they change"),
    entry(
        "level",
        "[LEVEL]",
        "how well the computer plays: beginner, casual, club, strong, full, or 0 to 20",
    ),
    entry("move", "[MOVE]", "play a move; without one the computer plays"),
    entry("nodes", "[N|off]", "nodes to search at most"),
    entry(
        "opening",
        "[on|off|FILE]",
        "the opening book: what it knows here, whether it is used, another one",
    ),
    entry("perft", "N", "count the move sequences of this length"),
    entry("play", "white|black|both|off", "which side the computer plays by itself"),
    entry("position", "[P]", "the position as text; or begin at another one"),
    entry("pv", "", "the line of play that the computer expects"),
    entry("quit", "", "leave"),
    entry("random", "[N]", "play a move, or N, by chance"),
    entry(
        "read",
        "FILE [N]",
        "a position, the Nth one of a file with several, or the Nth game of a PGN file",
    ),
    entry("reset", "", "back to the start, with an empty memory"),
    entry("seed", "[N]", "where random numbers begin"),
    entry("selfplay", "[N]", "the computer plays both sides to the end, or for N moves"),
    entry("shell", "COMMAND", "let the system run a command; only for someone at a terminal"),
    entry("statistics", "[NAMES|reset]", "what each part of the searches counted"),
    entry("threads", "[N]", "how many threads search"),
    entry("time", "[SECONDS|off]", "time for a move at most"),
    entry("undo", "[N]", "take back the last move, or N of them"),
    entry("verbose", "[on|off]", "show how searches go on"),
    entry("write", "[pgn] [FILE]", "the position; or the game, as PGN"),
];

/// The command that is meant: its name, or the beginning of just one.
pub(super) fn find(word: &str) -> Option<&'static str> {
    let word = word.to_lowercase();
    let word = match word.as_str() {
        "exit" | "q" => "quit",
        "?" => "help",
        "moves" => "legal",
        "save" => "write",
        "load" => "read",
        "new" => "reset",
        word => word,
    };
    if let Some(exact) = COMMANDS.iter().find(|entry| entry.name == word) {
        return Some(exact.name);
    }
    let mut fitting = COMMANDS.iter().filter(|entry| word.len() >= 3 && entry.name.starts_with(word));
    fitting.next().filter(|_| fitting.next().is_none()).map(|entry| entry.name)
}

/// What to say about a word that is no command.
pub(super) fn suggestion(word: &str) -> String {
    let hint = did_you_mean(&word.to_lowercase(), COMMANDS.iter().map(|entry| entry.name));
    hint.unwrap_or_else(|| "`help` lists the commands, `legal` the moves".to_owned())
}

/// The page that `help` prints.
pub(super) fn page() -> String {
    let usage = |entry: &CommandHelp| format!("{} {}", entry.name, entry.arguments);
    let width = COMMANDS.iter().map(|entry| usage(entry).len()).max().unwrap_or(0);
    // What is longer than a terminal is wide goes on below itself.
    let row = |entry: &CommandHelp| {
        let below = format!("\n{}", " ".repeat(width + 4));
        format!("  {:<width$}  {}\n", usage(entry), wrapped(entry.help, LINE_MAX - width - 4).join(&below))
    };
    let rows = COMMANDS.iter().map(row);
    format!(
        "{}  `< FILE` gives a command its arguments; `> FILE`, `>> FILE` take its output.\n  \
         A move alone is played: e2e4, Nf3, e1 -> c1; a1 -> d1. `#` begins a remark.\n  \
         `new`, `load` and `save` are other words for `reset`, `read` and `write`.\n",
        rows.collect::<String>()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_sorted_and_found() {
        assert!(COMMANDS.is_sorted_by(|one, next| one.name < next.name));
        let words = page().split_whitespace().collect::<Vec<_>>().join(" ");
        for entry in COMMANDS {
            assert_eq!(find(entry.name), Some(entry.name));
            assert!(words.contains(entry.help));
        }
        assert!(page().lines().all(|line| line.len() <= LINE_MAX), "{}", page());
        assert_eq!(
            (find("conf"), find("eval"), find("hist")),
            (Some("configuration"), Some("evaluate"), Some("history"))
        );
        assert_eq!((find("e4"), find("h"), find("nonsense"), find("")), (None, None, None, None));
        assert_eq!((find("save"), find("LOAD"), find("new")), (Some("write"), Some("read"), Some("reset")));
        assert!(suggestion("mvoe").contains("move"));
    }
}
