//! What a line of the Chess Engine Communication Protocol asks for.

use std::time::Duration;

/// A line that was understood.
#[derive(Clone, PartialEq, Debug)]
pub enum Command {
    /// `protover N`
    Introduce,
    /// `new`
    New,
    /// `variant NAME`
    Variant(String),
    /// `setboard POSITION`
    SetBoard(String),
    /// `usermove MOVE`, or the move alone
    Move(String),
    /// `go`
    Go,
    /// `playother`
    PlayOther,
    /// `force`
    Force,
    /// `level MOVES BASE INCREMENT`
    Level {
        /// Moves to the next time control; none when the time is for the whole game.
        moves: Option<u32>,
        /// Time for them.
        base: Duration,
        /// What is added after each move.
        increment: Duration,
    },
    /// `st SECONDS`
    MoveTime(Duration),
    /// `sd PLIES`
    Depth(i32),
    /// `time CENTISECONDS`: what the engine has left.
    Time(Duration),
    /// `?`
    MoveNow,
    /// `ping N`
    Ping(String),
    /// `undo`, or `remove` for two moves.
    Undo(usize),
    /// `result …`
    Result,
    /// `analyze`
    Analyze,
    /// `exit`: no more analysis.
    Exit,
    /// `.`
    Status,
    /// `hint`
    Hint,
    /// `post`, `nopost`
    Post(bool),
    /// `memory MEGABYTES`
    Memory(usize),
    /// `cores N`
    Cores(usize),
    /// `option NAME=VALUE`
    SetOption(String, Option<String>),
    /// `quit`
    Quit,
    /// A line that needs no answer.
    Nothing,
}

/// Lines that say nothing that matters here.
const SKIPPED: [&str; 18] = [
    "xboard", "accepted", "rejected", "random", "computer", "name", "rating", "ics", "otim", "draw", "hard",
    "easy", "bk", "egtpath", "nps", "white", "black", "pause",
];

/// Understands a line, or says why not.
///
/// # Errors
/// With the answer that the protocol wants.
pub fn parse(line: &str) -> Result<Command, String> {
    let line = line.trim();
    let (word, rest) =
        line.split_once(char::is_whitespace).map_or((line, ""), |(word, rest)| (word, rest.trim()));
    let bad = || format!("Error (bad argument): {}", line.chars().take(80).collect::<String>());
    let number = || rest.split_whitespace().next().and_then(|text| text.parse::<i64>().ok()).ok_or_else(bad);
    Ok(match word {
        "" => Command::Nothing,
        "protover" => Command::Introduce,
        "new" => Command::New,
        "variant" if !rest.is_empty() => Command::Variant(rest.to_owned()),
        "setboard" if !rest.is_empty() => Command::SetBoard(rest.to_owned()),
        "usermove" if !rest.is_empty() => Command::Move(rest.to_owned()),
        "go" => Command::Go,
        "playother" => Command::PlayOther,
        "force" => Command::Force,
        "level" => level(rest).ok_or_else(bad)?,
        "st" => Command::MoveTime(seconds(rest).ok_or_else(bad)?),
        "sd" => Command::Depth(number()?.clamp(1, 200) as i32),
        "time" => Command::Time(Duration::from_millis(number()?.clamp(0, CENTISECONDS_MAX) as u64 * 10)),
        "?" => Command::MoveNow,
        "ping" => Command::Ping(rest.to_owned()),
        "undo" => Command::Undo(1),
        "remove" => Command::Undo(2),
        "result" => Command::Result,
        "analyze" => Command::Analyze,
        "exit" => Command::Exit,
        "." => Command::Status,
        "hint" => Command::Hint,
        "post" => Command::Post(true),
        "nopost" => Command::Post(false),
        "memory" => Command::Memory(number()?.max(1) as usize),
        "cores" => Command::Cores(number()?.max(1) as usize),
        "option" => {
            let (name, value) =
                rest.split_once('=').map_or((rest, None), |(name, value)| (name, Some(value)));
            Command::SetOption(name.trim().to_owned(), value.map(|value| value.trim().to_owned()))
        }
        "quit" => Command::Quit,
        word if SKIPPED.contains(&word) => Command::Nothing,
        // Old programs send moves as they are.
        word if rest.is_empty() && looks_like_a_move(word) => Command::Move(word.to_owned()),
        word => {
            return Err(format!("Error (unknown command): {}", word.chars().take(40).collect::<String>()));
        }
    })
}

/// No clock shows more.
const CENTISECONDS_MAX: i64 = 1 << 36;

fn looks_like_a_move(word: &str) -> bool {
    word.chars().any(|character| character.is_ascii_digit()) || word.starts_with("O-O") || word == "@@@@"
}

/// `40 5 0`, `0 0:30 1.5`: minutes, or minutes and seconds.
fn level(text: &str) -> Option<Command> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let [moves, base, increment] = words[..] else { return None };
    let moves = moves.parse::<u32>().ok()?;
    let base = match base.split_once(':') {
        Some((minutes, rest)) => seconds(minutes)? * 60 + seconds(rest)?,
        None => seconds(base)? * 60,
    };
    let increment = seconds(increment)?;
    Some(Command::Level { moves: Some(moves).filter(|&moves| moves > 0), base, increment })
}

fn seconds(text: &str) -> Option<Duration> {
    let seconds: f64 = text.parse().ok()?;
    (0.0..=1e9).contains(&seconds).then(|| Duration::from_secs_f64(seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_understood() {
        let seconds = Duration::from_secs;
        let level = |moves, base, increment| Ok(Command::Level { moves, base, increment });
        assert_eq!(parse("level 40 5 0\n"), level(Some(40), seconds(300), seconds(0)));
        assert_eq!(parse("level 0 0:30 1.5"), level(None, seconds(30), Duration::from_millis(1500)));
        assert_eq!(parse("time 1234"), Ok(Command::Time(Duration::from_millis(12_340))));
        assert_eq!(parse("st 2"), Ok(Command::MoveTime(seconds(2))));
        assert_eq!(parse("usermove e2e4"), Ok(Command::Move("e2e4".to_owned())));
        assert_eq!(parse("e7e8q"), Ok(Command::Move("e7e8q".to_owned())));
        assert_eq!(parse("remove"), Ok(Command::Undo(2)));
        let option = Command::SetOption("Skill Level".to_owned(), Some("7".to_owned()));
        assert_eq!(parse("option Skill Level=7"), Ok(option));
        assert_eq!(parse("hard"), Ok(Command::Nothing));
    }

    #[test]
    fn nonsense_is_answered() {
        for line in
            ["level 40 5", "level x 5 0", "level 40 -1 0", "st", "st nan", "sd x", "time", "hello world", "ÿ"]
        {
            assert!(parse(line).is_err_and(|answer| answer.starts_with("Error (")), "{line}");
        }
    }
}
