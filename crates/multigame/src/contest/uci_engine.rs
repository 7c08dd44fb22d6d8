//! A program that speaks UCI, seen from the side that asks. It runs as a process of its own; a thread reads what it
//! says. It may crash, be late or talk nonsense: all of that is an answer here.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

/// A program that starts must be ready within this.
const START_MAX: Duration = Duration::from_secs(30);
/// What Linux counts processor time in, on every machine that it is likely to run on.
const TICKS_PER_SECOND: f64 = 100.0;
/// How often to ask whether to stop.
const INTERVAL: Duration = Duration::from_millis(50);

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Silence {
    /// The program has ended.
    Gone,
    /// It did not answer in time.
    Late,
    /// The match was stopped.
    Stopped,
}

/// What a program says about a position.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Answer {
    pub(crate) best: String,
    /// In hundredths of a pawn, for the mover; mates are far beyond.
    pub(crate) score: Option<i32>,
    pub(crate) depth: Option<i32>,
    pub(crate) nodes: Option<u64>,
}

/// A running program.
pub(crate) struct UciEngine {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
    /// The options that it declared, as `(name, declaration)`.
    options: Vec<(String, String)>,
}

impl UciEngine {
    /// Starts a program and waits until it is ready.
    pub(crate) fn start(
        program: &str,
        arguments: &[String],
        options: &[(String, String)],
    ) -> Result<UciEngine> {
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        // Ctrl-C is for us: the program ends when we end it.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().with_context(|| format!("cannot start `{program}`"))?;
        let input = child.stdin.take().context("the program has no input")?;
        let output = BufReader::new(child.stdout.take().context("the program has no output")?);
        let (sender, lines) = channel();
        std::thread::spawn(move || read_lines(output, &sender));
        let mut engine = UciEngine { child, input, lines, options: Vec::new() };
        engine.say("uci");
        let began = Instant::now();
        loop {
            match engine.hear(Some(began + START_MAX), &|| false) {
                Ok(line) if line.trim() == "uciok" => break,
                Ok(line) => engine.options.extend(option_name(&line)),
                Err(_) => bail!("`{program}` does not speak UCI: it never said `uciok`"),
            }
        }
        for (name, value) in options {
            if !engine.options.iter().any(|(known, _)| known.eq_ignore_ascii_case(name)) {
                let known: Vec<&str> = engine.options.iter().map(|(name, _)| name.as_str()).collect();
                bail!("`{program}` has no option `{name}`: it has {}", known.join(", "));
            }
            engine.set_option(name, value);
        }
        engine.wait_until_ready().map_err(|_| anyhow::anyhow!("`{program}` does not get ready"))?;
        Ok(engine)
    }

    /// Seconds of processor time that the program has used; `None` where the system does not tell.
    pub(crate) fn processor_seconds(&self) -> Option<f64> {
        let text = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id())).ok()?;
        // The name of the program, in parentheses, may hold blanks; user and system time are the 12th and 13th behind
        // it.
        let (_, behind) = text.rsplit_once(')')?;
        let ticks = |index: usize| behind.split_whitespace().nth(index)?.parse::<f64>().ok();
        Some((ticks(11)? + ticks(12)?) / TICKS_PER_SECOND)
    }

    /// Says which game is played. Nothing need be said about chess, nor to a program that plays it anyway, nor to one
    /// of ours that was given its own file of rules.
    pub(crate) fn set_variant(&mut self, name: &str) -> Result<()> {
        let declared = self.options.iter().find(|(option, _)| option == "UCI_Variant");
        let declares = |word: &str| {
            declared.is_some_and(|(_, text)| {
                let words: Vec<&str> = text.split_whitespace().collect();
                words.windows(2).any(|pair| pair == [word, name])
            })
        };
        let plays_own = declared.is_some_and(|(_, text)| {
            let default = text.split_whitespace().skip_while(|word| *word != "default").nth(1);
            default.is_some_and(|default| {
                std::path::Path::new(default).extension().is_some_and(|end| end == "mg")
            })
        });
        match (plays_own || declares("default"), declares("var"), name) {
            (true, ..) | (_, false, "chess") => {}
            (false, true, _) => self.set_option("UCI_Variant", name),
            (false, false, _) => bail!("the program does not offer the game `{name}` (option UCI_Variant)"),
        }
        Ok(())
    }

    fn set_option(&mut self, name: &str, value: &str) {
        match value {
            "" => self.say(&format!("setoption name {name}")),
            value => self.say(&format!("setoption name {name} value {value}")),
        }
    }

    /// Forgets the last game.
    pub(crate) fn new_game(&mut self) -> Result<(), Silence> {
        self.say("ucinewgame");
        self.wait_until_ready()
    }

    fn wait_until_ready(&mut self) -> Result<(), Silence> {
        self.say("isready");
        let deadline = Instant::now() + START_MAX;
        while self.hear(Some(deadline), &|| false)?.trim() != "readyok" {}
        Ok(())
    }

    /// Asks for a move, and waits no longer than this.
    pub(crate) fn go(
        &mut self,
        position: &str,
        go: &str,
        patience: Option<Duration>,
        stopped: &dyn Fn() -> bool,
    ) -> Result<Answer, Silence> {
        let deadline = patience.map(|patience| Instant::now() + patience);
        self.say(position);
        self.say(go);
        let mut answer = Answer::default();
        loop {
            let line = self.hear(deadline, stopped)?;
            if take(&mut answer, &line) {
                return Ok(answer);
            }
        }
    }

    /// A program that cannot be written to has ended, which shows when it is listened to.
    fn say(&mut self, line: &str) {
        let _ = writeln!(self.input, "{line}").and_then(|()| self.input.flush());
    }

    fn hear(&mut self, deadline: Option<Instant>, stopped: &dyn Fn() -> bool) -> Result<String, Silence> {
        loop {
            match self.lines.recv_timeout(INTERVAL) {
                Ok(line) => return Ok(line),
                Err(RecvTimeoutError::Disconnected) => return Err(Silence::Gone),
                Err(RecvTimeoutError::Timeout) if stopped() => return Err(Silence::Stopped),
                Err(RecvTimeoutError::Timeout) if deadline.is_some_and(|end| Instant::now() >= end) => {
                    return Err(Silence::Late);
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }
}

impl Drop for UciEngine {
    fn drop(&mut self) {
        self.say("quit");
        let began = Instant::now();
        while began.elapsed() < Duration::from_millis(500) {
            if matches!(self.child.try_wait(), Ok(Some(_))) {
                return;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn read_lines(mut output: impl BufRead, lines: &std::sync::mpsc::Sender<String>) {
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        match output.read_until(b'\n', &mut bytes) {
            Ok(count) if count > 0 => {
                if lines.send(String::from_utf8_lossy(&bytes).into_owned()).is_err() {
                    return;
                }
            }
            _ => return,
        }
    }
}

/// `option name Move Overhead type spin …`
fn option_name(line: &str) -> Option<(String, String)> {
    let rest = line.trim().strip_prefix("option name ")?;
    let (name, declaration) = rest.split_once(" type ")?;
    Some((name.trim().to_owned(), declaration.to_owned()))
}

/// Takes what a line adds to the answer; true when it is complete.
fn take(answer: &mut Answer, line: &str) -> bool {
    let words: Vec<&str> = line.split_whitespace().collect();
    let number = |name: &str| {
        let index = words.iter().position(|word| *word == name)?;
        words.get(index + 1)?.parse::<i32>().ok()
    };
    match words.first() {
        Some(&"bestmove") => {
            answer.best = words.get(1).copied().unwrap_or_default().to_owned();
            true
        }
        Some(&"info") if words.get(1) != Some(&"string") => {
            let nodes = words.iter().position(|word| *word == "nodes").and_then(|index| words.get(index + 1));
            answer.nodes = nodes.and_then(|nodes| nodes.parse().ok()).or(answer.nodes);
            if number("multipv").is_none_or(|rank| rank == 1) {
                answer.depth = number("depth").or(answer.depth);
                let mate = number("mate").map(|moves| if moves > 0 { MATE - moves } else { -MATE - moves });
                answer.score = number("cp").or(mate).or(answer.score);
            }
            false
        }
        _ => false,
    }
}

/// The score of a game that is won.
pub(crate) const MATE: i32 = 1_000_000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_read() {
        let mut answer = Answer::default();
        for line in [
            "info depth 3 seldepth 5 score cp -12 nodes 1 pv e2e4",
            "info depth 4 multipv 2 score cp 99",
            "info string score cp 5",
            "nonsense",
            "",
            "info depth",
        ] {
            assert!(!take(&mut answer, line), "{line}");
        }
        assert_eq!((answer.score, answer.depth, answer.nodes), (Some(-12), Some(3), Some(1)));
        assert!(!take(&mut answer, "info score mate -2"));
        assert_eq!(answer.score, Some(2 - MATE));
        assert!(take(&mut answer, "bestmove e2e4 ponder e7e5"));
        assert_eq!(answer.best, "e2e4");
        let option = option_name("option name Move Overhead type spin default 10").unwrap();
        assert_eq!(option.0, "Move Overhead");
    }

    #[test]
    fn what_is_no_engine_is_refused() {
        assert!(UciEngine::start("/nonexistent/engine", &[], &[]).is_err());
        assert!(UciEngine::start("true", &[], &[]).is_err());
    }
}
