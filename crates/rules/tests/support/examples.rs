//! Programs that say in comments what they should do, and a check that they do it.
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

use game::notation::{find, long_forms, short_forms};
use game::record::{Record, Standing};
use game::{Game, MoveList, Outcome, Position, Stage, fen, text};
use lang::Source;
use rules::{CompileError, Program};
use rustc_hash::FxHashSet;

const KEYS: [&str; 15] = [
    "position", "setup", "after", "perft", "explore", "moves", "long", "forcing", "finished", "standing",
    "notation", "refused", "value", "fault", "error",
];

/// A program with its expectations.
pub struct Example {
    /// Where it stands.
    pub name: String,
    /// The program.
    pub text: String,
}

impl Example {
    /// The blocks of a Markdown text that are marked `mg`.
    pub fn from_markdown(path: &str, text: &str) -> Vec<Example> {
        let (mut examples, mut block) = (Vec::new(), None::<(usize, String)>);
        for (number, line) in text.lines().enumerate() {
            match &mut block {
                None if line.trim() == "```mg" => block = Some((number + 2, String::new())),
                None => {}
                Some((start, text)) if line.trim() == "```" => {
                    let name = format!("{path}:{start}");
                    examples.push(Example { name, text: std::mem::take(text) });
                    block = None;
                }
                Some((_, text)) => {
                    text.push_str(line);
                    text.push('\n');
                }
            }
        }
        assert!(block.is_none(), "{path}: a block is not closed");
        examples
    }

    /// Checks that the program does what its comments say; `load` makes a game of it.
    pub fn check<G: Game>(&self, load: impl Fn(Program) -> G) {
        let expectations = expectations(&self.text);
        assert!(!expectations.is_empty(), "{}: nothing is expected", self.name);
        let source = Source::new(self.name.clone(), self.text.clone());
        let start = expectations.iter().find(|(key, _)| key == "position").map(|(_, value)| value.as_str());
        let program = match rules::compile(&source, start) {
            Ok((program, _)) => program,
            Err(CompileError::Rules(diagnostics)) => {
                let shown: String = diagnostics.iter().map(|one| lang::render(&source, one)).collect();
                for (key, value) in &expectations {
                    assert_eq!(key, "error", "{shown}");
                    assert!(diagnostics.iter().any(|one| one.code == value), "expected {value}\n{shown}");
                }
                return;
            }
            Err(CompileError::Position(error)) => panic!("{}: {error}", self.name),
        };
        let setups = program.setups.clone();
        let game = load(program);
        let mut run =
            Run { name: &self.name, game: &game, start: game.info().start.clone(), after: Vec::new() };
        for (key, value) in &expectations {
            run.check(key, value, &setups);
        }
    }
}

/// The expectations of a program in their order.
fn expectations(text: &str) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    let mut continues = false;
    for line in text.lines() {
        let Some(comment) = line.trim_start().strip_prefix('#') else {
            continues = false;
            continue;
        };
        match comment.split_once(':').map(|(key, value)| (key.trim(), value.trim())) {
            Some((key, value)) if KEYS.contains(&key) => {
                found.push((key.to_owned(), value.to_owned()));
                continues = true;
            }
            _ if continues && comment.starts_with("   ") => {
                let last = found.last_mut().expect("something to continue");
                last.1 = format!("{} {}", last.1, comment.trim());
            }
            _ => continues = false,
        }
    }
    found
}

struct Run<'run, G: Game> {
    name: &'run str,
    game: &'run G,
    start: Option<Position>,
    after: Vec<String>,
}

impl<G: Game> Run<'_, G> {
    fn check(&mut self, key: &str, value: &str, setups: &[(String, Position)]) {
        let (name, info) = (self.name, self.game.info());
        let numbers = || value.split(',').map(|number| number.trim().parse::<u64>().expect("a number"));
        match key {
            "position" => {
                let read = text::read(info, value).unwrap_or_else(|error| panic!("{name}: {error}"));
                (self.start, self.after) = (Some(read), Vec::new());
            }
            "setup" => {
                let (_, position) = setups.iter().find(|(name, _)| name == value).expect("a setup");
                (self.start, self.after) = (Some(position.clone()), Vec::new());
            }
            "after" => self.after = value.split(',').map(|text| text.trim().to_owned()).collect(),
            "perft" => {
                for (depth, expected) in (1..).zip(numbers()) {
                    let mut position = self.position();
                    let leaves = super::perft(self.game, &mut position, depth);
                    let leaves = leaves.unwrap_or_else(|fault| panic!("{fault}"));
                    assert_eq!(leaves, expected, "{name}: perft {depth}");
                }
            }
            "explore" => {
                let expected: Vec<u64> = numbers().collect();
                assert_eq!(self.levels(expected.len()), expected, "{name}: explore");
            }
            "moves" => assert_same(name, key, self.short(&self.moves(Stage::All)), value, ','),
            "long" => {
                let moves = self.moves(Stage::All);
                let forms = long_forms(info, &self.game.unpack(&self.position()), &moves);
                assert_same(name, key, forms, value, '/');
            }
            "forcing" => {
                let value = if value == "none" { "" } else { value };
                let all = self.moves(Stage::All);
                let forms = self.short(&all).into_iter();
                let forms = forms.zip(all.iter()).filter(|(_, played)| played.head.forcing());
                assert_same(name, key, forms.map(|(form, _)| form).collect(), value, ',');
            }
            "finished" => {
                let mut moves = MoveList::new();
                let outcome = self.game.generate(&self.position(), Stage::All, &mut moves);
                let outcome = outcome.unwrap_or_else(|fault| panic!("{fault}"));
                let outcome = outcome.map_or("not finished".to_owned(), |outcome| outcome.to_string());
                assert_eq!(outcome, value, "{name}: finished");
            }
            "standing" => assert_eq!(self.standing(), value, "{name}: standing"),
            "notation" => assert_eq!(fen::write(info, &self.record().plain()), value, "{name}: notation"),
            "refused" => {
                let position = self.game.unpack(&self.position());
                let reason = self.game.accepts(&position).expect_err("a reason").to_string();
                assert!(reason.contains(value), "{name}: expected `{value}` in\n{reason}");
            }
            "value" => {
                let found = self.game.evaluate(&self.position()).unwrap_or_else(|fault| panic!("{fault}"));
                assert_eq!(found.to_string(), value, "{name}: value");
            }
            "fault" => {
                let fault = self.game.generate(&self.position(), Stage::All, &mut MoveList::new());
                let fault = fault.expect_err("a fault").to_string();
                assert!(fault.contains(value), "{name}: expected `{value}` in\n{fault}");
            }
            _ => panic!("{name}: `{key}` was expected, but the rules compile"),
        }
    }

    /// The game after the moves of `after`.
    fn record(&self) -> Record<'_, G> {
        let start = self.start.clone().unwrap_or_else(|| panic!("{}: no position", self.name));
        let mut record = Record::new(self.game, start).unwrap_or_else(|fault| panic!("{fault}"));
        for text in &self.after {
            let index = find(self.game.info(), &self.game.unpack(record.position()), record.legal(), text);
            let index = index.unwrap_or_else(|error| panic!("{}: {error}", self.name));
            let played = record.legal().get(index).to_move();
            record.play(&played).unwrap_or_else(|fault| panic!("{fault}"));
        }
        record
    }

    fn short(&self, moves: &MoveList) -> Vec<String> {
        short_forms(self.game.info(), &self.game.unpack(&self.position()), moves)
    }

    fn position(&self) -> G::Position {
        match &self.after[..] {
            [] => self.game.pack(self.start.as_ref().unwrap_or_else(|| panic!("{}: no position", self.name))),
            _ => self.record().position().clone(),
        }
    }

    fn moves(&self, stage: Stage) -> MoveList {
        if !self.after.is_empty() {
            return self.record().legal().clone();
        }
        let mut moves = MoveList::new();
        let outcome = self.game.generate(&self.position(), stage, &mut moves);
        outcome.unwrap_or_else(|fault| panic!("{}: {fault}", self.name));
        moves
    }

    fn standing(&self) -> &'static str {
        match self.record().standing() {
            Standing::Open => "open",
            Standing::Finished(Outcome::Win, _) if self.game.info().players < 2 => "solved",
            Standing::Finished(outcome, viewer) => match outcome.winner(viewer) {
                Some(game::Colour::White) => "white wins",
                Some(game::Colour::Black) => "black wins",
                None => "drawn",
            },
        }
    }

    /// Different positions at distance 0, 1, ….
    fn levels(&self, count: usize) -> Vec<u64> {
        let start = self.game.unpack(&self.position());
        let (mut seen, mut level) = (FxHashSet::from_iter([start.clone()]), vec![start]);
        let mut sizes = vec![1];
        let mut moves = MoveList::new();
        while sizes.len() < count {
            let mut next = Vec::new();
            for position in &level {
                let mut position = self.game.pack(position);
                let outcome = self.game.generate(&position, Stage::All, &mut moves);
                outcome.unwrap_or_else(|fault| panic!("{fault}"));
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
        sizes
    }
}

fn assert_same(name: &str, key: &str, mut found: Vec<String>, expected: &str, separator: char) {
    let mut expected: Vec<String> = expected
        .split(separator)
        .map(|form| form.trim().to_owned())
        .filter(|form| !form.is_empty())
        .collect();
    found.sort();
    expected.sort();
    assert_eq!(found, expected, "{name}: {key}");
}
