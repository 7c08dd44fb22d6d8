//! The reference interpreter. It follows the rules word by word, one result after the other; everything
//! faster is judged by it.

mod dead_end;
mod expressions;
mod loops;
mod machine;
mod results;
mod steps;

use game::moves::MoveHead;
use game::text::PositionError;
use game::{
    Colour, Game, GameInfo, Move, MoveList, MoveView, Outcome, Position, RuleFault, Signature, Stage, text,
};

use crate::ir::{Node, Program};
use crate::limits::RESULTS_MAX;
use crate::names::Sayings;
pub use expressions::{binary, unary};
use machine::{Halt, Machine, Next};

/// A game played by interpreting its rules.
#[derive(Clone, Debug)]
pub struct Interpreter {
    program: Program,
}

impl Interpreter {
    /// Takes a program as it is.
    #[must_use]
    pub fn new(program: Program) -> Interpreter {
        Interpreter { program }
    }

    /// The program it follows.
    #[must_use]
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Every feature with its value for the mover minus that for the opponent.
    ///
    /// # Errors
    /// When a rule goes wrong.
    pub fn features(&self, position: &Position) -> Result<Vec<(&str, i64)>, RuleFault> {
        let mut values = Vec::new();
        for feature in &self.program.features {
            let mut value = self.feature(position, feature, position.mover())?;
            if self.program.info.players == 2 && !feature.for_mover {
                let opponents = self.feature(position, feature, position.mover().opponent())?;
                value = value.saturating_sub(opponents);
            }
            values.push((feature.name.as_str(), value));
        }
        Ok(values)
    }

    /// The value of one feature of a puzzle.
    ///
    /// # Errors
    /// When a rule goes wrong.
    pub(crate) fn feature_value(&self, number: usize, position: &Position) -> Result<i64, RuleFault> {
        self.feature(position, &self.program.features[number], position.mover())
    }

    fn feature(
        &self,
        position: &Position,
        feature: &crate::ir::Feature,
        player: Colour,
    ) -> Result<i64, RuleFault> {
        let mut machine = Machine::new(&self.program, position, player);
        machine.enter(&feature.name);
        let mut sum = 0_i64;
        let flow = machine.run(&feature.body, &mut |machine| {
            sum = sum.saturating_add(machine.evaluate(&feature.weight)?);
            Ok(())
        });
        self.finish(flow, &machine, position)?;
        Ok(sum)
    }

    /// Whether rules say anything about positions from outside.
    #[must_use]
    pub fn judges_positions(&self) -> bool {
        !self.program.possible.is_empty() || self.program.finished.is_some()
    }

    /// Looks at a position as its last move left it, with the eyes of who has made that move, and follows a statement
    /// until `next` has enough.
    fn look_back<'program>(
        &'program self,
        position: &Position,
        name: &'program str,
        body: &'program Node,
        next: Next<'_, 'program>,
    ) -> Result<(), RuleFault> {
        let mover = position.mover();
        let last = if self.program.info.players == 2 { mover.opponent() } else { mover };
        let mut machine = Machine::new(&self.program, position, last);
        machine.enter(name);
        let flow = machine.run(body, next);
        self.finish(flow, &machine, position)
    }

    fn finish(
        &self,
        flow: Result<(), Halt>,
        machine: &Machine<'_>,
        position: &Position,
    ) -> Result<(), RuleFault> {
        match flow {
            Ok(()) | Err(Halt::Enough) => Ok(()),
            Err(Halt::Stopped) => Err(RuleFault::stopped()),
            Err(Halt::Fault(message, span)) => Err(self.fault(message, machine.rule(), Some(span), position)),
        }
    }

    fn fault(&self, message: String, rule: &str, span: Option<lang::Span>, position: &Position) -> RuleFault {
        let source = &self.program.source;
        let place = span.map_or_else(String::new, |span| {
            let (line, column) = source.line_and_column(span.start);
            format!(" at {}:{line}:{column}", source.name)
        });
        let position = text::write(&self.program.info, position);
        RuleFault { message, rule: rule.to_owned(), place, position }
    }
}

/// All results of `main` that have a name, with it, however often they occur.
pub(crate) fn named_results(
    program: &Program,
    sayings: &Sayings,
    position: &Position,
) -> Vec<(Move, String)> {
    let main = &program.functions[program.main];
    let mut machine = Machine::naming(program, sayings, position, position.mover());
    machine.enter(&main.name);
    let mut named = Vec::new();
    let mut list = MoveList::new();
    let flow = machine.run(&main.body, &mut |machine| {
        let name = machine.said.split_whitespace().collect::<Vec<_>>().join(" ");
        if !name.is_empty() && named.len() < RESULTS_MAX {
            list.clear();
            results::Results::new(&mut list).add(machine, main.body.span)?;
            named.push((list.get(0).to_move(), name));
        }
        Ok(())
    });
    // Where the rules go wrong there is nothing to be named.
    if flow.is_err() { Vec::new() } else { named }
}

impl Game for Interpreter {
    type Position = Position;

    fn info(&self) -> &GameInfo {
        &self.program.info
    }

    fn accepts(&self, position: &Position) -> Result<(), PositionError> {
        self.admit(position.clone()).map(drop)
    }

    /// Asks the tests of the section `possible`, in their order. What a test changes stays changed.
    fn admit(&self, mut position: Position) -> Result<Position, PositionError> {
        let stored = position.slots().len();
        for requirement in &self.program.possible {
            let mut slots: Option<Vec<i64>> = None;
            let asked = self.look_back(&position, &requirement.reason, &requirement.body, &mut |machine| {
                slots = Some(machine.slots[..stored].to_vec());
                Err(Halt::Enough)
            });
            let message = match (asked, slots) {
                (Ok(()), Some(slots)) => {
                    for (slot, value) in slots.into_iter().enumerate() {
                        position.set(&self.program.info, slot, value as i32);
                    }
                    continue;
                }
                (Ok(()), None) => format!("this position is impossible: {}", requirement.reason),
                (Err(fault), _) => fault.to_string(),
            };
            return Err(PositionError { message });
        }
        Ok(position)
    }

    fn verdict(&self, position: &Position) -> Result<Option<Outcome>, RuleFault> {
        let Some(body) = &self.program.finished else { return Ok(None) };
        let mut verdict = None;
        self.look_back(position, "finished", body, &mut |machine| {
            verdict = machine.registers.outcome;
            if verdict.is_some() { Err(Halt::Enough) } else { Ok(()) }
        })?;
        Ok(if self.program.info.players == 2 { verdict.map(Outcome::reversed) } else { verdict })
    }

    fn pack(&self, position: &Position) -> Position {
        position.clone()
    }

    fn unpack(&self, position: &Position) -> Position {
        position.clone()
    }

    fn values(&self, position: &Position, into: &mut Vec<i32>) {
        into.clear();
        into.extend_from_slice(position.slots());
    }

    fn mover(&self, position: &Position) -> Colour {
        position.mover()
    }

    fn signature(&self, position: &Position) -> Signature {
        position.signature()
    }

    fn generate(
        &self,
        position: &Position,
        stage: Stage,
        moves: &mut MoveList,
    ) -> Result<Option<Outcome>, RuleFault> {
        moves.clear();
        let main = &self.program.functions[self.program.main];
        let mut machine = Machine::new(&self.program, position, position.mover());
        machine.enter(&main.name);
        let mut results = results::Results::new(moves);
        let flow = machine.run(&main.body, &mut |machine| results.add(machine, main.body.span));
        self.finish(flow, &machine, position)?;
        let is_ending = |head: &MoveHead| head.outcome().is_some();
        let info = &self.program.info;
        if moves.iter().all(|result| is_ending(result.head) && result.changes_nothing(info)) {
            // Nothing but verdicts on the present position (or nothing at all).
            let outcome = moves.iter().next().and_then(|result| result.head.outcome());
            moves.clear();
            return match outcome {
                Some(outcome) => Ok(Some(outcome)),
                None => {
                    let message =
                        "there is no legal move and no outcome: let `main` say win, draw or loss here";
                    Err(self.fault(message.to_owned(), &main.name, Some(main.body.span), position))
                }
            };
        }
        match stage {
            Stage::All => {}
            Stage::Forcing => moves.retain(|result| result.head.forcing()),
            Stage::Quiet => moves.retain(|result| !result.head.forcing()),
        }
        Ok(None)
    }

    fn play(&self, position: &mut Position, played: MoveView<'_>) {
        position.play(&self.program.info, played);
    }

    fn take_back(&self, position: &mut Position, played: MoveView<'_>) {
        position.take_back(&self.program.info, played);
    }

    fn pass(&self, position: &mut Position) -> bool {
        if self.program.info.players != 2 {
            return false;
        }
        position.set_mover(position.mover().opponent());
        true
    }

    /// Whether the mover would fail the test that closes a move by doing nothing; no, where the test goes wrong.
    fn is_threatened(&self, position: &Position) -> Option<bool> {
        let test = &self.program.functions[self.program.closing_test?];
        let mut machine = Machine::new(&self.program, position, position.mover());
        let flow = machine.run(&test.body, &mut |_| Err(Halt::Enough));
        Some(matches!(flow, Err(Halt::Enough)))
    }

    fn goal(&self) -> Option<Vec<u128>> {
        crate::puzzle::goal(&self.program)
    }

    fn interchangeable(&self) -> u128 {
        crate::puzzle::interchangeable(&self.program)
    }

    fn summands(&self) -> Option<Box<dyn game::Summands>> {
        Some(Box::new(crate::parts::Parts::new(&self.program)?))
    }

    fn symmetries(&self) -> Vec<game::Symmetry> {
        crate::symmetries(&self.program)
    }

    fn evaluate(&self, position: &Position) -> Result<i32, RuleFault> {
        let features = self.features(position)?;
        let sum = features.iter().fold(0_i64, |sum, (_, value)| sum.saturating_add(*value));
        Ok(estimate(sum))
    }
}

/// The estimate that a sum of features stands for: not so large that searches could not reckon with it.
#[must_use]
pub fn estimate(sum: i64) -> i32 {
    sum.clamp(i64::from(i32::MIN / 4), i64::from(i32::MAX / 4)) as i32
}
