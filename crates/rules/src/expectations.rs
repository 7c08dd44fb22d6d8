//! Programs that say in comments what they should do, and a check that they do it: `multigame test`, and our own
//! tests of the documentation.
//!
//! A comment `# key: value` on a line of its own is an expectation; a comment that begins with three blanks
//! continues the one before. They are taken one after the other:
//!
//! | key | meaning |
//! |---|---|
//! | `position` | what follows is about this position (one line); rules without a `setup` start here |
//! | `setup` | what follows is about the setup with this name |
//! | `after` | what follows is about the position after these moves, separated by `,` |
//! | `perft` | move sequences of length 1, 2, … |
//! | `explore` | different positions at distance 0, 1, 2, … |
//! | `moves` | the short forms of all legal moves, in any order |
//! | `long` | the long forms of all legal moves, in any order, separated by `/` |
//! | `forcing` | the short forms of the forcing moves; `none` |
//! | `finished` | the position is finished with this outcome for the mover |
//! | `standing` | how the game stands after the moves of `after`: `open`, `white wins`, `black wins`, `drawn`, `solved` |
//! | `notation` | the position in one line |
//! | `refused` | the position is not accepted, for a reason that contains this |
//! | `value` | the evaluation |
//! | `fault` | asking for moves fails with a message that contains this |
//! | `error` | the rules do not compile, for this code |

mod near_misses;

pub use near_misses::near_misses;

use game::notation::{find, long_forms, short_forms};
use game::record::{Record, Standing};
use game::{Game, MoveList, Outcome, Position, RuleFault, Stage, fen, perft, text};
use lang::{Diagnostic, Severity, Source};
use rustc_hash::FxHashSet;

const KEYS: [&str; 15] = [
    "position", "setup", "after", "perft", "explore", "moves", "long", "forcing", "finished", "standing",
    "notation", "refused", "value", "fault", "error",
];

/// What a comment expects.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Expectation {
    /// One of the keys above.
    pub key: &'static str,
    /// What follows the colon.
    pub value: String,
    /// The line of the comment, from 1.
    pub line: usize,
}

/// An expectation that is not met.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// The line of the comment, from 1.
    pub line: usize,
    /// What was found instead.
    pub message: String,
    /// How many expectations behind it were not checked because of it.
    pub unchecked: usize,
}

/// The expectations of a program in their order.
#[must_use]
pub fn expectations(text: &str) -> Vec<Expectation> {
    let mut found: Vec<Expectation> = Vec::new();
    let mut continues = false;
    for (number, line) in text.lines().enumerate() {
        let Some(comment) = line.trim_start().strip_prefix('#') else {
            continues = false;
            continue;
        };
        let key = comment.split_once(':').map(|(key, value)| (key.trim(), value.trim()));
        let known = key.and_then(|(key, value)| Some((KEYS.into_iter().find(|known| *known == key)?, value)));
        match (known, found.last_mut()) {
            (Some((key, value)), _) => {
                found.push(Expectation { key, value: value.to_owned(), line: number + 1 });
                continues = true;
            }
            (None, Some(last)) if continues && comment.starts_with("   ") => {
                last.value = format!("{} {}", last.value, comment.trim());
            }
            _ => continues = false,
        }
    }
    found
}

/// The blocks of a Markdown text that are marked `mg`, each with the line where it begins, from 1.
#[must_use]
pub fn blocks(text: &str) -> Vec<(usize, String)> {
    let (mut blocks, mut open) = (Vec::new(), None::<(usize, String)>);
    for (number, line) in text.lines().enumerate() {
        match &mut open {
            None if line.trim() == "```mg" => open = Some((number + 2, String::new())),
            None => {}
            Some(_) if line.trim() == "```" => blocks.extend(open.take()),
            Some((_, block)) => {
                block.push_str(line);
                block.push('\n');
            }
        }
    }
    // A block that is not closed ends with the text.
    blocks.extend(open);
    blocks
}

/// The position for rules without a `setup`: the first that is expected anything of.
#[must_use]
pub fn start(expectations: &[Expectation]) -> Option<&str> {
    expectations.iter().find(|one| one.key == "position").map(|one| one.value.as_str())
}

/// Compares the diagnostics of rules that do not compile with what is expected of them.
#[must_use]
pub fn check_errors(source: &Source, diagnostics: &[Diagnostic], expected: &[Expectation]) -> Vec<Failure> {
    // `multigame check` tells of warnings.
    let errors = diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error);
    let shown: String = errors.map(|one| lang::render(source, one)).collect();
    let is_met = |one: &&Expectation| {
        one.key == "error" && diagnostics.iter().any(|diagnostic| diagnostic.code == one.value)
    };
    let unmet = expected.iter().filter(|one| !is_met(one));
    let message = |index: usize| match index {
        0 => format!("the rules do not compile:\n{shown}"),
        _ => "the rules do not compile".to_owned(),
    };
    unmet
        .enumerate()
        .map(|(index, one)| Failure { line: one.line, message: message(index), unchecked: 0 })
        .collect()
}

/// Checks that a game does what is expected of it. `setups` are its start positions by name.
pub fn check<G: Game>(game: &G, setups: &[(String, Position)], expected: &[Expectation]) -> Vec<Failure> {
    let mut run = Run { game, start: game.info().start.clone(), after: Vec::new() };
    let mut failures: Vec<Failure> = Vec::new();
    // What led to no position: then nothing is known about what follows.
    let mut lost = None;
    for one in expected {
        let leads = matches!(one.key, "position" | "setup" | "after");
        let begins_anew = match one.key {
            "position" | "setup" => true,
            "after" => lost == Some("after"),
            _ => false,
        };
        if lost.is_some() && !begins_anew {
            if let Some(failure) = failures.last_mut() {
                failure.unchecked += 1;
            }
            continue;
        }
        let met = run.check(one.key, &one.value, setups);
        lost = (leads && met.is_err()).then_some(one.key);
        if let Err(message) = met {
            let message = format!("{}: {message}", one.key);
            failures.push(Failure { line: one.line, message, unchecked: 0 });
        }
    }
    failures
}

type Met<T = ()> = Result<T, String>;

/// What went wrong with the rules, as a message.
fn said(fault: RuleFault) -> String {
    fault.to_string()
}

fn same<T: PartialEq + std::fmt::Display>(found: T, expected: T) -> Met {
    if found == expected { Ok(()) } else { Err(format!("expected {expected}, found {found}")) }
}

/// The same as one of some words.
fn same_word(found: &str, expected: &str, words: &[&str]) -> Met {
    if words.contains(&expected) || expected.starts_with("score ") {
        return same(found, expected);
    }
    Err(format!("`{expected}` is none of {}; found {found}", words.join(", ")))
}

fn contains(found: &str, expected: &str) -> Met {
    if found.contains(expected) { Ok(()) } else { Err(format!("expected `{expected}` in: {found}")) }
}

fn numbers(value: &str) -> Met<Vec<u64>> {
    let number = |text: &str| {
        let text = text.trim();
        text.parse().map_err(|_| match text.split_whitespace().all(|word| word.parse::<u64>().is_ok()) {
            true if !text.is_empty() => format!("`{text}` is no number: separate them by `,`"),
            _ => format!("`{text}` is no number"),
        })
    };
    let mut parts: Vec<String> = Vec::new();
    for part in value.split(',') {
        // `8,902` is one number, as the program prints it, where other commas have a blank behind them.
        let is_group = part.len() == 3 && part.bytes().all(|digit| digit.is_ascii_digit());
        match parts.last_mut() {
            Some(last) if is_group && (value.contains(", ") || part.starts_with('0')) => last.push_str(part),
            _ => parts.push(part.to_owned()),
        }
    }
    parts.iter().map(|part| number(part)).collect()
}

struct Run<'run, G: Game> {
    game: &'run G,
    start: Option<Position>,
    after: Vec<String>,
}

impl<G: Game> Run<'_, G> {
    fn check(&mut self, key: &str, value: &str, setups: &[(String, Position)]) -> Met {
        let info = self.game.info();
        match key {
            "position" => {
                let read = text::read(info, value).map_err(|error| error.to_string())?;
                (self.start, self.after) = (Some(read), Vec::new());
                Ok(())
            }
            "setup" => {
                let found = setups.iter().find(|(name, _)| name == value);
                let (_, position) = found.ok_or_else(|| format!("there is no setup `{value}`"))?;
                (self.start, self.after) = (Some(position.clone()), Vec::new());
                Ok(())
            }
            "after" => {
                self.after = value.split(',').map(|text| text.trim().to_owned()).collect();
                self.record().map(|_| ())
            }
            "perft" => self.perft(&numbers(value)?),
            "explore" => {
                let expected = numbers(value)?;
                same_list(self.levels(expected.len())?, expected)
            }
            "moves" => same_set(self.short(&self.moves()?)?, value, ','),
            "long" => {
                let moves = self.moves()?;
                let forms = long_forms(info, &self.game.unpack(&self.position()?), &moves);
                same_set(forms, value, '/')
            }
            "forcing" => {
                let value = if value == "none" { "" } else { value };
                let all = self.moves()?;
                let forms = self.short(&all)?.into_iter();
                let forms = forms.zip(all.iter()).filter(|(_, played)| played.head.forcing());
                same_set(forms.map(|(form, _)| form).collect(), value, ',')
            }
            "finished" => {
                let outcome = self.game.generate(&self.position()?, Stage::All, &mut MoveList::new());
                let outcome = outcome.map_err(said)?;
                let outcome = outcome.map_or("not finished".to_owned(), |outcome| outcome.to_string());
                same_word(&outcome, value, &["win", "draw", "loss", "score …", "not finished"])
            }
            "standing" => {
                same_word(self.standing()?, value, &["open", "white wins", "black wins", "drawn", "solved"])
            }
            "notation" => same(fen::write(info, &self.record()?.plain()).as_str(), value),
            "refused" => match self.game.accepts(&self.game.unpack(&self.position()?)) {
                Ok(()) => Err("the position is accepted".to_owned()),
                Err(reason) => contains(&reason.to_string(), value),
            },
            "value" => same(self.game.evaluate(&self.position()?).map_err(said)?.to_string().as_str(), value),
            "fault" => match self.game.generate(&self.position()?, Stage::All, &mut MoveList::new()) {
                Ok(_) => Err("the rules do not go wrong".to_owned()),
                Err(fault) => contains(&fault.to_string(), value),
            },
            _ => Err(format!("expected {value}, but the rules compile")),
        }
    }

    fn perft(&self, expected: &[u64]) -> Met {
        let mut found = Vec::new();
        for depth in 1..=expected.len() as u32 {
            let mut tally = perft::Tally::new(false, &|| false);
            perft::count(self.game, &self.position()?, depth, &mut tally).map_err(said)?;
            found.push(tally.leaves);
        }
        same_list(found, expected.to_vec())
    }

    /// The game after the moves of `after`.
    fn record(&self) -> Met<Record<'_, G>> {
        let start = self.start.clone().ok_or("there is no position: write `# position: …` first")?;
        let mut record = Record::new(self.game, start).map_err(said)?;
        for text in &self.after {
            if let Standing::Finished(outcome, viewer) = record.standing() {
                let how = match outcome.winner(viewer) {
                    Some(game::Colour::White) if self.game.info().players == 2 => ": black has lost",
                    Some(game::Colour::Black) if self.game.info().players == 2 => ": white has lost",
                    None if self.game.info().players == 2 => ": it is drawn",
                    _ => "",
                };
                return Err(format!("`{text}` is no legal move here: the game is over{how}"));
            }
            let plain = self.game.unpack(record.position());
            let index = find(self.game.info(), &plain, record.legal(), text);
            let index = index.map_err(|error| error.to_string())?;
            let played = record.legal().get(index).to_move();
            record.play(&played).map_err(said)?;
        }
        Ok(record)
    }

    fn short(&self, moves: &MoveList) -> Met<Vec<String>> {
        Ok(short_forms(self.game.info(), &self.game.unpack(&self.position()?), moves))
    }

    fn position(&self) -> Met<G::Position> {
        match (&self.after[..], &self.start) {
            ([], Some(start)) => Ok(self.game.pack(start)),
            _ => Ok(self.record()?.position().clone()),
        }
    }

    fn moves(&self) -> Met<MoveList> {
        if !self.after.is_empty() {
            return Ok(self.record()?.legal().clone());
        }
        let mut moves = MoveList::new();
        self.game.generate(&self.position()?, Stage::All, &mut moves).map_err(said)?;
        Ok(moves)
    }

    fn standing(&self) -> Met<&'static str> {
        Ok(match self.record()?.standing() {
            Standing::Open => "open",
            Standing::Finished(Outcome::Win, _) if self.game.info().players < 2 => "solved",
            Standing::Finished(outcome, viewer) => match outcome.winner(viewer) {
                Some(game::Colour::White) => "white wins",
                Some(game::Colour::Black) => "black wins",
                None => "drawn",
            },
        })
    }

    /// Different positions at distance 0, 1, ….
    fn levels(&self, count: usize) -> Met<Vec<u64>> {
        let start = self.game.unpack(&self.position()?);
        let (mut seen, mut level) = (FxHashSet::from_iter([start.clone()]), vec![start]);
        let mut sizes = vec![1];
        let mut moves = MoveList::new();
        while sizes.len() < count {
            let mut next = Vec::new();
            for position in &level {
                let mut position = self.game.pack(position);
                self.game.generate(&position, Stage::All, &mut moves).map_err(said)?;
                for played in moves.iter() {
                    self.game.play(&mut position, played);
                    let plain = self.game.unpack(&position);
                    self.game.take_back(&mut position, played);
                    if seen.insert(plain.clone()) {
                        next.push(plain);
                    }
                }
            }
            sizes.push(next.len() as u64);
            level = next;
        }
        Ok(sizes)
    }
}

fn same_list(found: Vec<u64>, expected: Vec<u64>) -> Met {
    let list = |numbers: &[u64]| numbers.iter().map(u64::to_string).collect::<Vec<_>>().join(", ");
    if found == expected {
        return Ok(());
    }
    Err(format!("expected {}, found {}", list(&expected), list(&found)))
}

/// The same texts in any order.
fn same_set(mut found: Vec<String>, expected: &str, separator: char) -> Met {
    let expected = expected.split(separator).map(|form| form.trim().to_owned());
    let mut expected: Vec<String> = expected.filter(|form| !form.is_empty()).collect();
    found.sort();
    expected.sort();
    if found == expected {
        return Ok(());
    }
    let without = |list: &[String], other: &[String]| {
        let rest: Vec<&str> = list.iter().filter(|one| !other.contains(one)).map(String::as_str).collect();
        if rest.is_empty() { "none".to_owned() } else { rest.join(", ") }
    };
    let (missing, unexpected) = (without(&expected, &found), without(&found, &expected));
    Err(format!("missing: {missing}; not expected: {unexpected}"))
}
