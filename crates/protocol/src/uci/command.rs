//! What a line of UCI asks for.

/// A line that was understood.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// `uci`
    Uci,
    /// `isready`
    IsReady,
    /// `ucinewgame`
    NewGame,
    /// `setoption name NAME [value VALUE]`
    SetOption {
        /// The option.
        name: String,
        /// Its value; none for buttons.
        value: Option<String>,
    },
    /// `position startpos|fen … [moves …]`
    Position {
        /// The position as text; `None` for the start.
        start: Option<String>,
        /// The moves from there.
        moves: Vec<String>,
    },
    /// `go …`
    Go(Box<Go>),
    /// `stop`
    Stop,
    /// `ponderhit`
    PonderHit,
    /// `quit`
    Quit,
    /// `d`
    Display,
    /// An empty line, or one that needs no answer.
    Nothing,
}

/// What `go` says. Times are in milliseconds.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Go {
    /// Consider these moves alone.
    pub search_moves: Vec<String>,
    /// The opponent is still thinking.
    pub ponder: bool,
    /// What is left for white and black.
    pub time: [Option<u64>; 2],
    /// What white and black get for each move.
    pub increment: [u64; 2],
    /// Moves to the next time control.
    pub moves_to_go: Option<u32>,
    /// Plies.
    pub depth: Option<i32>,
    /// Nodes.
    pub nodes: Option<u64>,
    /// Look for a win in so many moves.
    pub mate: Option<i32>,
    /// Time for this move.
    pub move_time: Option<u64>,
    /// Until `stop`.
    pub infinite: bool,
    /// What could not be understood, in words.
    pub complaints: Vec<String>,
}

impl Go {
    /// Whether nothing says when the search shall end.
    #[must_use]
    pub fn is_endless(&self) -> bool {
        let limits =
            [self.depth.is_some(), self.nodes.is_some(), self.mate.is_some(), self.move_time.is_some()];
        !limits.contains(&true) && self.time == [None; 2]
    }
}

const WORDS: [&str; 12] = [
    "searchmoves",
    "ponder",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "infinite",
];

/// Understands a line, or says why not. As UCI wants it, unknown words at the beginning are skipped.
///
/// # Errors
/// When nothing in the line is a command, or its arguments make no sense.
pub fn parse(line: &str) -> Result<Command, String> {
    let all: Vec<&str> = line.split_whitespace().collect();
    let Some(&first) = all.first() else { return Ok(Command::Nothing) };
    for (index, word) in all.iter().enumerate() {
        let rest = &all[index + 1..];
        return match *word {
            "uci" => Ok(Command::Uci),
            "isready" => Ok(Command::IsReady),
            "ucinewgame" => Ok(Command::NewGame),
            "setoption" => set_option(rest),
            "position" => position(rest),
            "go" => go(rest),
            "stop" => Ok(Command::Stop),
            "ponderhit" => Ok(Command::PonderHit),
            "quit" | "exit" => Ok(Command::Quit),
            "d" | "display" => Ok(Command::Display),
            "debug" | "register" => Ok(Command::Nothing),
            _ => continue,
        };
    }
    Err(format!("unknown command `{}`", first.chars().take(40).collect::<String>()))
}

fn set_option(words: &[&str]) -> Result<Command, String> {
    let ["name", rest @ ..] = words else {
        return Err("expected `setoption name NAME value VALUE`".to_owned());
    };
    let at = rest.iter().position(|word| *word == "value");
    let (name, value) = match at {
        Some(at) => (&rest[..at], Some(rest[at + 1..].join(" "))),
        None => (rest, None),
    };
    if name.is_empty() {
        return Err("expected the name of an option behind `name`".to_owned());
    }
    Ok(Command::SetOption { name: name.join(" "), value })
}

fn position(words: &[&str]) -> Result<Command, String> {
    let at = words.iter().position(|word| *word == "moves").unwrap_or(words.len());
    let moves = words.get(at + 1..).unwrap_or_default().iter().map(|&word| word.to_owned()).collect();
    match &words[..at] {
        ["startpos"] => Ok(Command::Position { start: None, moves }),
        ["fen", fields @ ..] if !fields.is_empty() => {
            Ok(Command::Position { start: Some(fields.join(" ")), moves })
        }
        _ => Err("expected `position startpos` or `position fen POSITION`, then `moves …`".to_owned()),
    }
}

fn go(words: &[&str]) -> Result<Command, String> {
    let mut go = Go::default();
    let mut words = words.iter().copied().peekable();
    while let Some(word) = words.next() {
        if !WORDS.contains(&word) {
            continue;
        }
        match word {
            "ponder" => go.ponder = true,
            "infinite" => go.infinite = true,
            "searchmoves" => {
                while let Some(played) = words.next_if(|next| !WORDS.contains(next)) {
                    go.search_moves.push(played.to_owned());
                }
            }
            _ => {
                let text = words.next_if(|next| !WORDS.contains(next)).unwrap_or_default();
                let Some(number) = number(text) else {
                    let text: String = text.chars().take(40).collect();
                    go.complaints.push(format!("`go {word}` takes a number, not `{text}`: it is left out"));
                    continue;
                };
                // Clocks may have run out; nothing else is less than 0.
                let natural = number.max(0) as u64;
                let small = number.clamp(0, 1_000_000) as i32;
                match word {
                    "wtime" => go.time[0] = Some(natural),
                    "btime" => go.time[1] = Some(natural),
                    "winc" => go.increment[0] = natural,
                    "binc" => go.increment[1] = natural,
                    "movestogo" => go.moves_to_go = Some(small as u32).filter(|&moves| moves > 0),
                    "depth" => go.depth = Some(small.max(1)),
                    "nodes" => go.nodes = Some(natural),
                    "mate" => go.mate = Some(small.max(1)),
                    _ => go.move_time = Some(natural),
                }
            }
        }
    }
    Ok(Command::Go(Box::new(go)))
}

/// A whole number; what is too large or too small for one counts as the largest or smallest.
fn number(text: &str) -> Option<i64> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let farthest = if text.starts_with('-') { i64::MIN } else { i64::MAX };
    Some(text.parse().unwrap_or(farthest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_understood() {
        assert_eq!(parse("  uci "), Ok(Command::Uci));
        assert_eq!(parse("joho stop"), Ok(Command::Stop));
        assert_eq!(parse(""), Ok(Command::Nothing));
        let option = |name: &str, value: Option<&str>| {
            Ok(Command::SetOption { name: name.to_owned(), value: value.map(str::to_owned) })
        };
        assert_eq!(parse("setoption name Clear Hash"), option("Clear Hash", None));
        assert_eq!(parse("setoption name Move  Overhead value 50"), option("Move Overhead", Some("50")));
        let Ok(Command::Position { start, moves }) = parse("position fen 8/8 w - - 0 1 moves e2e4 e7e5")
        else {
            panic!("a position")
        };
        assert_eq!((start.as_deref(), moves.len()), (Some("8/8 w - - 0 1"), 2));
    }

    #[test]
    fn go_takes_its_words_in_any_order() {
        let Ok(Command::Go(go)) = parse(
            "go wtime -5 btime 1000 searchmoves e2e4 d2d4 winc 10 movestogo 0 depth 99999999999 ponder",
        ) else {
            panic!("go")
        };
        assert_eq!((go.time, go.increment, go.moves_to_go), ([Some(0), Some(1000)], [10, 0], None));
        assert_eq!((go.search_moves.len(), go.depth, go.ponder), (2, Some(1_000_000), true));
        let Ok(Command::Go(plain)) = parse("go") else { panic!("go") };
        assert_eq!(*plain, Go::default());
    }

    #[test]
    fn nonsense_is_refused() {
        for line in ["hello", "position", "position fen", "position here", "setoption", "ÿ"] {
            assert!(parse(line).is_err(), "{line}");
        }
        assert!(parse("setoption name").is_err() && parse("setoption name value 3").is_err());
    }

    /// A search is always answered: what is wrong with its limits is left out.
    #[test]
    fn bad_numbers_are_left_out() {
        for (line, complaints) in [
            ("go depth", 1),
            ("go depth x nodes 1e5", 2),
            ("go movetime 1.5", 1),
            ("go wtime btime 5", 1),
            ("go movetime 9999999999999999999999", 0),
            ("go depth -99999999999999999999", 0),
        ] {
            let Ok(Command::Go(go)) = parse(line) else { panic!("{line}") };
            assert_eq!(go.complaints.len(), complaints, "{line}: {go:?}");
        }
    }
}
