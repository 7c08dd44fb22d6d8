//! A line that was entered: a command, its arguments, and where its input and output go.
//!
//! `move e1 -> c1; a1 -> d1` is no redirection: `>` and `<` count only where a word begins with them.

/// What is to be done.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct CommandLine {
    /// The first word.
    pub(super) command: String,
    /// The other words, without redirections.
    pub(super) arguments: String,
    /// All behind the command as it was entered, for commands that pass it on.
    pub(super) raw: String,
    /// `< FILE`
    pub(super) input: Option<String>,
    /// `> FILE` or `>> FILE`
    pub(super) output: Option<Output>,
}

/// Where the output goes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Output {
    pub(super) file: String,
    /// Behind what is there already.
    pub(super) append: bool,
}

impl CommandLine {
    /// Reads a line; `None` if it is empty or a remark that begins with `#`.
    pub(super) fn read(text: &str) -> Result<Option<CommandLine>, String> {
        let text = text.trim();
        if text.is_empty() || text.starts_with('#') {
            return Ok(None);
        }
        let (command, raw) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let mut line =
            CommandLine { command: command.to_owned(), raw: raw.trim().to_owned(), ..CommandLine::default() };
        let mut plain = Vec::new();
        let mut words = words(raw)?.into_iter();
        while let Some(word) = words.next() {
            let sign = [">>", ">", "<"].into_iter().find(|sign| !word.quoted && word.text.starts_with(sign));
            let Some(sign) = sign else {
                plain.push(word.text);
                continue;
            };
            let file = match &word.text[sign.len()..] {
                "" => words.next().map(|word| word.text).unwrap_or_default(),
                file => file.to_owned(),
            };
            if file.is_empty() {
                return Err(format!("`{sign}` needs the name of a file"));
            }
            match sign {
                "<" => line.input = Some(file),
                _ => line.output = Some(Output { file, append: sign == ">>" }),
            }
        }
        line.arguments = plain.join(" ");
        Ok(Some(line))
    }
}

struct Word {
    text: String,
    /// Whether it begins with a quotation mark.
    quoted: bool,
}

/// Words are separated by blanks; quotation marks hold together what has blanks.
fn words(text: &str) -> Result<Vec<Word>, String> {
    let mut words = Vec::new();
    let (mut word, mut some, mut open, mut quoted) = (String::new(), false, false, false);
    for character in text.chars().chain([' ']) {
        match character {
            '"' => {
                quoted |= !some;
                (open, some) = (!open, true);
            }
            _ if character.is_whitespace() && !open => {
                if some {
                    words.push(Word { text: std::mem::take(&mut word), quoted });
                }
                (some, quoted) = (false, false);
            }
            _ => {
                word.push(character);
                some = true;
            }
        }
    }
    if open {
        return Err("a quotation mark is not closed".to_owned());
    }
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> CommandLine {
        CommandLine::read(text).unwrap().unwrap()
    }

    #[test]
    fn arrows_of_moves_are_no_redirections() {
        let line = read("move e1 -> c1; a1->d1 ->x");
        assert_eq!((line.command.as_str(), line.arguments.as_str()), ("move", "e1 -> c1; a1->d1 ->x"));
        assert_eq!((line.input, line.output), (None, None));
    }

    #[test]
    fn redirections_are_taken_out() {
        let line = read("  legal long > moves.txt ");
        assert_eq!((line.arguments.as_str(), line.output.unwrap().append), ("long", false));
        let line = read("write >>\"my games.pgn\" pgn <in");
        assert_eq!(line.output, Some(Output { file: "my games.pgn".to_owned(), append: true }));
        assert_eq!((line.arguments.as_str(), line.input.as_deref()), ("pgn", Some("in")));
        assert_eq!(read("echo \"> no\" \"a  b\"").arguments, "> no a  b");
        assert_eq!(read("shell ls > x").raw, "ls > x");
    }

    #[test]
    fn what_makes_no_sense_is_said() {
        assert_eq!(CommandLine::read("   "), Ok(None));
        assert_eq!(CommandLine::read("# remark > x"), Ok(None));
        for text in ["legal >", "legal >>", "read <", "read < \"\"", "echo \"open"] {
            assert!(CommandLine::read(text).is_err(), "{text}");
        }
        assert_eq!(read("\u{1f600}").command, "\u{1f600}");
    }
}
