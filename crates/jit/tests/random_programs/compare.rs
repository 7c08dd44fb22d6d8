//! One program in the interpreter and as machine code: everything that the contract of `game` promises, in the
//! start position, in positions that random moves lead to and in random positions.

use std::panic::{AssertUnwindSafe, catch_unwind};

use fastrand::Rng;
use game::perft::Tally;
use game::{
    Advance, Colour, Field, Game, GameInfo, MoveList, Outcome, PieceCode, Position, PropertyKind, RuleFault,
    Stage, Symmetry,
};
use jit::{Compiled, Options};
use rules::Interpreter;

/// Words of a compiled position here; more than any random program needs.
const WORDS: usize = 512;

/// What a comparison saw when all was the same.
#[derive(Default, Debug)]
pub struct Seen {
    pub positions: usize,
    pub moves: usize,
    pub faults: usize,
    pub limits: usize,
    pub images: usize,
}

/// A place where the two do not agree.
#[derive(Clone, Debug)]
pub struct Difference {
    pub what: String,
    /// Lines of a setup.
    pub position: Vec<String>,
    pub interpreter: String,
    pub compiled: String,
}

/// What comes of a program.
pub enum Verdict {
    Same(Seen),
    Different(Difference),
    /// The compiler said that it cannot.
    Unsupported(String),
    /// The checker did not let it pass.
    Rejected(String),
}

/// Runs a program both ways. `play`: also in positions other than the start, chosen with this seed.
pub fn compare(text: &str, options: Options, play: Option<u64>) -> Verdict {
    match catch_unwind(AssertUnwindSafe(|| compare_or_panic(text, options, play))) {
        Ok(verdict) => verdict,
        Err(panic) => {
            let message = panic.downcast_ref::<String>().cloned();
            let message = message.or_else(|| panic.downcast_ref::<&str>().map(|&text| text.to_owned()));
            Verdict::Different(Difference {
                what: "panic".into(),
                position: Vec::new(),
                interpreter: String::new(),
                compiled: message.unwrap_or_default(),
            })
        }
    }
}

fn compare_or_panic(text: &str, options: Options, play: Option<u64>) -> Verdict {
    let source = lang::Source::new("random", text);
    let program = match rules::compile(&source, None) {
        Ok((program, _)) => program,
        Err(error) => return Verdict::Rejected(rejection(&source, &error)),
    };
    let compiled = match Compiled::<WORDS>::new(&program, options) {
        Ok(compiled) => compiled,
        // A mistake of the compiler's that Cranelift found.
        Err(error) if error.reason.contains("Verifier") => panic!("{}", error.reason),
        Err(error) => return Verdict::Unsupported(error.reason),
    };
    let (symmetries, seen) = (rules::symmetries(&program), Seen::default());
    let interpreter = Interpreter::new(program);
    let mut pair = Pair { interpreter, compiled, symmetries, strangers: MoveList::new(), seen };
    let info = pair.interpreter.info().clone();
    let start = info.start.clone().expect("every random program has a setup");
    let result = match play {
        None => pair.check(&start).map(|_| ()),
        Some(seed) => pair.check_many(&info, start, seed),
    };
    match result {
        Ok(()) => Verdict::Same(pair.seen),
        Err(difference) => Verdict::Different(difference),
    }
}

fn rejection(source: &lang::Source, error: &rules::CompileError) -> String {
    match error {
        rules::CompileError::Rules(diagnostics) => {
            let errors = diagnostics.iter().filter(|one| one.severity == lang::diagnostic::Severity::Error);
            errors.map(|one| lang::render(source, one)).collect()
        }
        rules::CompileError::Position(error) => error.to_string(),
    }
}

/// The lines of a setup with this position, each row as wide as the board.
fn setup(info: &GameInfo, position: &Position) -> Vec<String> {
    let text = game::text::write(info, position);
    let rows = info.geometry.rows();
    text.lines()
        .enumerate()
        .map(|(index, line)| match index < rows {
            true => format!("{line:<width$}", width = info.geometry.columns()),
            // Fields that are not used have no value; the number does not matter.
            false => {
                line.split(' ').map(|word| if word == "-" { "0" } else { word }).collect::<Vec<_>>().join(" ")
            }
        })
        .collect()
}

/// Whether a fault says that something went on for too long.
pub fn is_limit(fault: &RuleFault) -> bool {
    ["this loop does not end", "calls itself more than", "results for one position", "no end after"]
        .iter()
        .any(|part| fault.message.contains(part))
}

/// Limits count differently; all other faults are the same, in the same rule.
fn same_fault(expected: &RuleFault, found: &RuleFault) -> bool {
    is_limit(expected) || (expected.message == found.message && expected.rule == found.rule)
}

struct Pair {
    interpreter: Interpreter,
    compiled: Compiled<WORDS>,
    symmetries: Vec<Symmetry>,
    /// The moves of the position before.
    strangers: MoveList,
    seen: Seen,
}

type Checked<T> = Result<T, Difference>;

impl Pair {
    fn check_many(&mut self, info: &GameInfo, start: Position, seed: u64) -> Checked<()> {
        let mut random = Rng::with_seed(seed);
        for round in 0..4 {
            let mut position =
                if round == 0 { start.clone() } else { random_position(&mut random, info, &start) };
            for _ in 0..4 {
                let Some(moves) = self.check(&position)? else { break };
                if moves.is_empty() {
                    break;
                }
                let chosen = moves.get(random.usize(..moves.len()));
                if chosen.head.outcome().is_some() && info.players == 2 {
                    break;
                }
                self.interpreter.play(&mut position, chosen);
            }
        }
        Ok(())
    }

    fn differ<T>(
        &self,
        what: &str,
        position: &Position,
        interpreter: impl std::fmt::Debug,
        compiled: impl std::fmt::Debug,
    ) -> Checked<T> {
        Err(Difference {
            what: what.to_owned(),
            position: setup(self.interpreter.info(), position),
            interpreter: format!("{interpreter:?}"),
            compiled: format!("{compiled:?}"),
        })
    }

    /// Compares two answers; a fault on both sides counts as the same if it is.
    fn same<T: PartialEq + std::fmt::Debug>(
        &mut self,
        what: &str,
        position: &Position,
        expected: &Result<T, RuleFault>,
        found: &Result<T, RuleFault>,
    ) -> Checked<()> {
        let same = match (expected, found) {
            (Ok(expected), Ok(found)) => expected == found,
            (Err(expected), Err(found)) => same_fault(expected, found),
            // Compiled code counts fewer steps and may come to an end.
            (Err(expected), Ok(_)) => expected.message.starts_with("no end after"),
            (Ok(_), Err(_)) => false,
        };
        if let Err(fault) = expected {
            self.seen.faults += 1;
            self.seen.limits += usize::from(is_limit(fault));
        }
        if same { Ok(()) } else { self.differ(what, position, expected, found) }
    }

    /// Compares everything in one position. Returns its moves, unless the rules went wrong.
    fn check(&mut self, position: &Position) -> Checked<Option<MoveList>> {
        self.seen.positions += 1;
        let image = self.compiled.pack(position);
        let back = self.compiled.unpack(&image);
        if back != *position || self.compiled.signature(&image) != position.signature() {
            return self.differ("pack", position, position, back);
        }
        let evaluated = (self.interpreter.evaluate(position), self.compiled.evaluate(&image));
        self.same("evaluate", position, &evaluated.0, &evaluated.1)?;
        let (mut moves, mut found) = (MoveList::new(), MoveList::new());
        let expected = self.interpreter.generate(position, Stage::All, &mut moves);
        let outcome = self.compiled.generate(&image, Stage::All, &mut found);
        self.same("generate", position, &expected, &outcome)?;
        let perft = leaves(&self.compiled, &image, 1);
        let count = expected.clone().map(|_| moves.len() as u64);
        self.same("perft 1", position, &count, &perft)?;
        if expected.is_err() {
            return Ok(None);
        }
        self.seen.moves += moves.len();
        let (listed, found) = (described(&moves), described(&found));
        if listed != found {
            let only = |these: &[String], those: &[String]| -> Vec<String> {
                these.iter().filter(|one| !those.contains(one)).cloned().collect()
            };
            return self.differ("moves", position, only(&listed, &found), only(&found, &listed));
        }
        self.check_stages(position, &moves, &expected)?;
        let mut scratch = MoveList::new();
        let legal =
            moves.iter().take(3).all(|one| self.compiled.is_legal(&image, one, &mut scratch) == Ok(true));
        if !legal || self.compiled.count(&image, &mut scratch) != Ok(moves.len()) {
            return self.differ("legal moves", position, moves.len(), (legal, scratch.len()));
        }
        let (expected, found) =
            (self.interpreter.is_threatened(position), self.compiled.is_threatened(&image));
        if found != expected {
            return self.differ("is_threatened", position, expected, found);
        }
        self.check_takes(position, &moves)?;
        self.check_strangers(position, &moves)?;
        if moves.len() <= 25 {
            let perft = (leaves(&self.interpreter, position, 2), leaves(&self.compiled, &image, 2));
            let same = match &perft {
                (Err(_), Err(_)) => true,
                (Err(expected), Ok(_)) => expected.message.starts_with("no end after"),
                (expected, found) => expected == found,
            };
            if !same {
                return self.differ("perft 2", position, perft.0, perft.1);
            }
        }
        self.check_plays(position, &moves)?;
        self.check_picks(position)?;
        self.check_successors(position, &moves)?;
        self.check_symmetries(position, &moves)?;
        Ok(Some(moves))
    }

    /// Compares forcing and quiet moves with those of the list.
    fn check_stages(
        &self,
        position: &Position,
        moves: &MoveList,
        expected: &Result<Option<Outcome>, RuleFault>,
    ) -> Checked<()> {
        let image = self.compiled.pack(position);
        for (stage, forcing) in [(Stage::Forcing, true), (Stage::Quiet, false)] {
            let mut staged = MoveList::new();
            let outcome = self.compiled.generate(&image, stage, &mut staged);
            let mut wanted = moves.clone();
            wanted.retain(|one| one.head.forcing() == forcing);
            if outcome != *expected || described(&staged) != described(&wanted) {
                return self.differ("stage", position, described(&wanted), (outcome, described(&staged)));
            }
        }
        Ok(())
    }

    /// Compares which of the opponent's pieces can be taken.
    fn check_takes(&self, position: &Position, moves: &MoveList) -> Checked<()> {
        let (image, mut scratch) = (self.compiled.pack(position), MoveList::new());
        let opponent = Some(position.mover().opponent());
        for (field, &code) in position.fields().iter().enumerate().take(100) {
            if self.interpreter.info().colour_of(PieceCode(code as u8)) == opponent {
                let expected = moves.iter().any(|one| one.changes_field(field as Field));
                let found = self.compiled.can_take(&image, field as Field, &mut scratch);
                if found != Ok(expected) {
                    return self.differ("can_take", position, (field, expected), found);
                }
                let are_all = self.compiled.find_takers(&image, field as Field, &mut scratch);
                let mut takers = moves.clone();
                takers.retain(|one| one.changes_field(field as Field));
                if are_all.is_err() || are_all == Ok(true) && described(&scratch) != described(&takers) {
                    let wanted = (field, described(&takers));
                    return self.differ("find_takers", position, wanted, (are_all, described(&scratch)));
                }
            }
        }
        Ok(())
    }

    /// Asks about moves of other positions, most of them not legal here.
    fn check_strangers(&mut self, position: &Position, moves: &MoveList) -> Checked<()> {
        let (image, mut scratch) = (self.compiled.pack(position), MoveList::new());
        let strangers = std::mem::replace(&mut self.strangers, moves.clone());
        for stranger in strangers.iter().take(8) {
            let expected = moves.iter().any(|one| one.same_as(stranger));
            let found = self.compiled.is_legal(&image, stranger, &mut scratch);
            if found != Ok(expected) {
                return self.differ("is_legal", position, (expected, stranger.to_move()), found);
            }
        }
        Ok(())
    }

    /// Compares moves that are picked by their numbers with those of the list.
    fn check_picks(&mut self, position: &Position) -> Checked<()> {
        let image = self.compiled.pack(position);
        let (mut moves, mut scratch) = (MoveList::new(), MoveList::new());
        if self.compiled.generate(&image, Stage::All, &mut moves).is_err() {
            return Ok(());
        }
        for (index, played) in moves.iter().enumerate().take(20) {
            let (mut expected, mut found) = (image, image);
            self.compiled.play(&mut expected, played);
            let advance = self.compiled.advance(&mut found, &mut scratch, &mut |_| index);
            let (outcome, irreversible) = (played.head.outcome(), played.head.irreversible());
            let wanted = Ok(Advance::Moved { outcome, irreversible });
            if advance != wanted || expected != found {
                let (expected, found) = (self.compiled.unpack(&expected), self.compiled.unpack(&found));
                return self.differ("advance", position, (wanted, expected), (advance, found));
            }
        }
        Ok(())
    }

    /// Compares the positions after all moves, which compiled code can make without making moves.
    fn check_successors(&mut self, position: &Position, moves: &MoveList) -> Checked<()> {
        let image = self.compiled.pack(position);
        let after = |played: game::MoveView<'_>| {
            let mut after = position.clone();
            self.interpreter.play(&mut after, played);
            (self.compiled.pack(&after), played.head.outcome())
        };
        // What people can read, and whether all of the image is as it must be.
        let described = |(image, outcome)| {
            let position = self.compiled.unpack(&image);
            let whole = self.compiled.pack(&position) == image;
            format!("{} {outcome:?} {whole}", setup(self.interpreter.info(), &position).join("/"))
        };
        let mut expected: Vec<String> = moves.iter().map(after).map(described).collect();
        let found = self.compiled.successors(&image);
        let mut found: Vec<String> = found.into_iter().flatten().map(described).collect();
        expected.sort();
        found.sort();
        if expected == found { Ok(()) } else { self.differ("successors", position, expected, found) }
    }

    /// Compares the images of the moves with the moves of the image, where the rules have symmetries.
    fn check_symmetries(&mut self, position: &Position, moves: &MoveList) -> Checked<()> {
        let info = self.interpreter.info();
        for symmetry in &self.symmetries {
            let image = symmetry.position(info, position);
            let mut found = MoveList::new();
            // The rules did not go wrong here, so they must not there.
            let outcome = self.interpreter.generate(&image, Stage::All, &mut found);
            let mut expected: Vec<_> = moves
                .iter()
                .map(|one| (symmetry.difference(info, one), format!("{:?}", one.head.outcome())))
                .collect();
            let mut found: Vec<_> = found
                .iter()
                .map(|one| (one.head.signature_difference, format!("{:?}", one.head.outcome())))
                .collect();
            expected.sort();
            found.sort();
            if outcome.is_err() || expected != found {
                return self.differ("symmetry", position, expected, (image, outcome, found));
            }
            self.seen.images += 1;
        }
        Ok(())
    }

    /// Plays the first moves and takes them back.
    fn check_plays(&mut self, position: &Position, moves: &MoveList) -> Checked<()> {
        let image = self.compiled.pack(position);
        for played in moves.iter().take(20) {
            let (mut after, mut changed) = (position.clone(), image);
            self.interpreter.play(&mut after, played);
            self.compiled.play(&mut changed, played);
            let found = self.compiled.unpack(&changed);
            if found != after || self.compiled.signature(&changed) != after.signature() {
                return self.differ("play", position, after, found);
            }
            if changed != self.compiled.pack(&after) {
                return self.differ("position after a move", position, self.compiled.pack(&after), changed);
            }
            self.compiled.take_back(&mut changed, played);
            if changed != image {
                return self.differ("take back", position, image, changed);
            }
        }
        Ok(())
    }
}

/// All that a move list says, in an order that does not matter.
fn described(moves: &MoveList) -> Vec<String> {
    let mut moves: Vec<String> = moves
        .iter()
        .map(|view| {
            let head = view.head;
            format!(
                "{:?} {:x} {:?} irreversible {} forcing {} lead {}",
                view.changes,
                head.signature_difference.0,
                head.outcome(),
                head.irreversible(),
                head.forcing(),
                head.lead
            )
        })
        .collect();
    moves.sort();
    moves
}

fn random_position(random: &mut Rng, info: &GameInfo, start: &Position) -> Position {
    let mut position = start.clone();
    let codes: Vec<_> = info.pieces.iter().flat_map(|piece| piece.codes).collect();
    let crowded = random.u32(1..8);
    for field in 0..info.geometry.fields() as u16 {
        if info.geometry.is_used(field) {
            let code = match random.u32(..8) < crowded {
                true if info.geometry.fields() <= 30 || random.u32(..3) == 0 => {
                    codes[random.usize(..codes.len())]
                }
                _ => PieceCode::EMPTY,
            };
            position.put(info, field, code);
        }
    }
    for property in &info.properties {
        let slots = match property.kind {
            PropertyKind::Move => 0,
            PropertyKind::Board => 1,
            PropertyKind::Player => usize::from(info.players).max(1),
            PropertyKind::Field => info.geometry.fields(),
        };
        for slot in property.slot..property.slot + slots {
            let field = property.kind == PropertyKind::Field;
            if !field || info.geometry.is_used((slot - property.slot) as u16) {
                position.set(info, slot, random.i64(property.low..=property.high) as i32);
            }
        }
    }
    if info.players == 2 {
        position.set_mover(Colour::BOTH[random.usize(..2)]);
    }
    position
}

/// The lines of play of this length.
fn leaves<G: Game>(game: &G, position: &G::Position, depth: u32) -> Result<u64, RuleFault> {
    let mut tally = Tally::new(false, &|| false);
    game.perft(position, depth, &mut tally)?;
    Ok(tally.leaves)
}
