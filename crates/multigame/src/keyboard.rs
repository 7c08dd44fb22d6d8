//! Where lines come from: a terminal with editing, history and completion, or a pipe without. `shell` and `play` use
//! it.

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

/// Something that was entered.
pub(crate) enum Entered {
    Line(String),
    /// Ctrl-C: what was typed is forgotten.
    Nothing,
    End,
}

/// Where lines come from.
pub(crate) enum Input {
    Terminal(Box<Editor<Words, FileHistory>>, Option<PathBuf>),
    Pipe,
}

/// What a program that asks for lines understands.
#[derive(Clone)]
pub(crate) struct Vocabulary {
    /// The file that keeps what was entered, beside other programs' state.
    pub(crate) history: &'static str,
    /// Words that a line may begin with.
    pub(crate) commands: Vec<&'static str>,
    /// Commands that a name of a file follows.
    pub(crate) with_files: &'static [&'static str],
    /// What may follow a command; moves if it says nothing.
    pub(crate) arguments: fn(&str) -> Option<Vec<String>>,
}

impl Input {
    /// The terminal if there is one.
    pub(crate) fn open(vocabulary: Vocabulary) -> Input {
        if !(io::stdin().is_terminal() && io::stdout().is_terminal()) {
            return Input::Pipe;
        }
        let config = Config::builder().completion_type(CompletionType::List).auto_add_history(true);
        let Ok(mut editor) = Editor::with_config(config.build()) else { return Input::Pipe };
        let file = history_file(vocabulary.history);
        editor.set_helper(Some(Words { vocabulary, moves: Vec::new(), files: FilenameCompleter::new() }));
        if let Some(file) = &file {
            // Nothing was entered before, or it may not be read: both are fine.
            let _ = editor.load_history(file);
        }
        Input::Terminal(Box::new(editor), file)
    }

    /// Whether a person sits there.
    pub(crate) fn is_terminal(&self) -> bool {
        matches!(self, Input::Terminal(..))
    }

    /// Waits for a line. The moves can be completed.
    pub(crate) fn next(&mut self, prompt: &str, moves: Vec<String>) -> Result<Entered> {
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
fn history_file(name: &str) -> Option<PathBuf> {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let home = || Some(set("HOME")?.join(".local/state"));
    // Windows has no home but a place for what programs keep.
    let state = set("XDG_STATE_HOME").or_else(home).or_else(|| set("LOCALAPPDATA"))?;
    Some(state.join("multigame").join(name))
}

/// What can be completed.
pub(crate) struct Words {
    vocabulary: Vocabulary,
    moves: Vec<String>,
    files: FilenameCompleter,
}

impl Words {
    /// The words that may stand at the end of this text, and where that word begins.
    fn candidates(&self, text: &str) -> (usize, Vec<String>) {
        let begin = text.rfind(char::is_whitespace).map_or(0, |index| index + 1);
        let command = text[..begin].split_whitespace().next();
        let words = match command {
            None => {
                let names = self.vocabulary.commands.iter().map(|name| (*name).to_owned());
                names.chain(self.moves.iter().cloned()).collect()
            }
            Some(command) => (self.vocabulary.arguments)(command).unwrap_or_else(|| self.moves.clone()),
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
        let names_file = self.vocabulary.with_files.contains(&command) || text.contains(['<', '>']);
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
impl Words {
    /// Words for a test, with one legal move.
    pub(crate) fn with_move(vocabulary: Vocabulary, legal: &str) -> Words {
        Words { vocabulary, moves: vec![legal.to_owned()], files: FilenameCompleter::new() }
    }

    /// What could be meant at the end of this text.
    pub(crate) fn completed(&self, text: &str) -> (usize, Vec<String>) {
        self.candidates(text)
    }
}
