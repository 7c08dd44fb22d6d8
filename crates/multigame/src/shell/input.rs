//! Where lines come from: a terminal with editing, history and completion, or a pipe without.

use std::io::{self, BufRead, IsTerminal, Write};
use std::path::PathBuf;

use anyhow::Result;
use rustyline::completion::{Completer, FilenameCompleter, Pair};
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::FileHistory;
use rustyline::validate::Validator;
use rustyline::{CompletionType, Config, Context, Editor, Helper};

use super::vocabulary::COMMANDS;

/// Something that was entered.
pub(super) enum Entered {
    Line(String),
    /// Ctrl-C: what was typed is forgotten.
    Nothing,
    End,
}

/// Where lines come from.
pub(super) enum Input {
    Terminal(Box<Editor<Words, FileHistory>>, Option<PathBuf>),
    Pipe,
}

impl Input {
    /// The terminal if there is one.
    pub(super) fn open() -> Input {
        if !(io::stdin().is_terminal() && io::stdout().is_terminal()) {
            return Input::Pipe;
        }
        let config = Config::builder().completion_type(CompletionType::List).auto_add_history(true);
        let Ok(mut editor) = Editor::with_config(config.build()) else { return Input::Pipe };
        editor.set_helper(Some(Words { moves: Vec::new(), files: FilenameCompleter::new() }));
        let file = history_file();
        if let Some(file) = &file {
            // Nothing was entered before, or nobody may read it: both are fine.
            let _ = editor.load_history(file);
        }
        Input::Terminal(Box::new(editor), file)
    }

    /// Whether a person sits there.
    pub(super) fn is_terminal(&self) -> bool {
        matches!(self, Input::Terminal(..))
    }

    /// Waits for a line. The moves can be completed.
    pub(super) fn next(&mut self, prompt: &str, moves: Vec<String>) -> Result<Entered> {
        let Input::Terminal(editor, _) = self else { return next_of_pipe() };
        if let Some(words) = editor.helper_mut() {
            words.moves = moves;
        }
        match editor.readline(prompt) {
            Ok(line) => Ok(Entered::Line(line)),
            Err(ReadlineError::Interrupted) => Ok(Entered::Nothing),
            Err(ReadlineError::Eof) => Ok(Entered::End),
            Err(error) => Err(error.into()),
        }
    }
}

impl Drop for Input {
    fn drop(&mut self) {
        if let Input::Terminal(editor, Some(file)) = self {
            let folder = file.parent().map(std::fs::create_dir_all);
            if let Some(Ok(())) = folder
                && let Err(error) = editor.save_history(file)
            {
                let _ = writeln!(anstream::stderr(), "the history is not kept: {error}");
            }
        }
    }
}

fn next_of_pipe() -> Result<Entered> {
    let mut bytes = Vec::new();
    match io::stdin().lock().read_until(b'\n', &mut bytes)? {
        0 => Ok(Entered::End),
        _ => Ok(Entered::Line(String::from_utf8_lossy(&bytes).into_owned())),
    }
}

/// What was entered in earlier days is kept beside other programs' state.
fn history_file() -> Option<PathBuf> {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let state = set("XDG_STATE_HOME").or_else(|| Some(set("HOME")?.join(".local/state")))?;
    Some(state.join("multigame/shell-history"))
}

/// What can be completed.
pub(super) struct Words {
    moves: Vec<String>,
    files: FilenameCompleter,
}

impl Words {
    /// The words that may stand at the end of this text, and where that word begins.
    fn candidates(&self, text: &str) -> (usize, Vec<String>) {
        let begin = text.rfind(char::is_whitespace).map_or(0, |index| index + 1);
        let command = text[..begin].split_whitespace().next();
        let own = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
        let words = match command {
            None => {
                let names = COMMANDS.iter().map(|entry| entry.name.to_owned());
                names.chain(self.moves.iter().cloned()).collect()
            }
            Some("move") => self.moves.clone(),
            Some("engine") => own(&search::Engine::ALL.map(search::Engine::name)),
            Some("help") => COMMANDS.iter().map(|entry| entry.name.to_owned()).collect(),
            Some("play") => own(&["white", "black", "both", "off"]),
            Some("verbose" | "echo") => own(&["on", "off"]),
            Some("configuration") => {
                let names = search::Heuristics::NAMES.iter().map(|name| name.replace('_', "-"));
                names.chain(["on", "off", "exact", "default"].map(str::to_owned)).collect()
            }
            Some("statistics") => super::counters::module_names().map(str::to_owned).collect(),
            _ => Vec::new(),
        };
        let typed = &text[begin..];
        (begin, words.into_iter().filter(|word| word.starts_with(typed)).collect())
    }
}

impl Completer for Words {
    type Candidate = Pair;

    fn complete(
        &self,
        line: &str,
        place: usize,
        context: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<Pair>)> {
        let text = &line[..place];
        let command = text.split_whitespace().next().unwrap_or_default();
        let names_file = ["read", "write", "execute", "opening", "collection"].contains(&command)
            || text.contains(['<', '>']);
        if names_file && text.contains(char::is_whitespace) {
            return self.files.complete(line, place, context);
        }
        let (begin, words) = self.candidates(text);
        let pair = |word: String| Pair { display: word.clone(), replacement: word };
        Ok((begin, words.into_iter().map(pair).collect()))
    }
}

impl Hinter for Words {
    type Hint = String;
}
impl Highlighter for Words {}
impl Validator for Words {}
impl Helper for Words {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_and_moves_are_completed() {
        let words = Words { moves: vec!["e2e4".to_owned()], files: FilenameCompleter::new() };
        assert_eq!(words.candidates("sel"), (0, vec!["selfplay".to_owned()]));
        assert_eq!(words.candidates("move e"), (5, vec!["e2e4".to_owned()]));
        assert_eq!(words.candidates("engine mt"), (7, vec!["mtdf".to_owned()]));
        assert_eq!(words.candidates("depth "), (6, Vec::new()));
        assert!(words.candidates("").1.len() > COMMANDS.len());
    }
}
