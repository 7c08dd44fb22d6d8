//! The state that rules work on, and what each statement does to it.
//!
//! A statement is run with a continuation: it calls `next` once for every state it yields, with the machine in
//! that state, and leaves the machine as it found it. So backtracking is returning, and nothing that a failed
//! branch did can be seen afterwards.

use game::{Colour, Direction, Field, GameInfo, Outcome, PieceCode, Position, PropertyKind};
use lang::Span;

use super::dead_end::Watch;
use super::steps::outcome_of;
use crate::ir::{Node, NodeKind, Program, Sight};
use crate::limits::{CALL_DEPTH_MAX, STEPS_MAX};
use crate::names::{NamePart, SILENCE, Sayings};

/// Why a run ended early.
pub(super) enum Halt {
    /// A test has its answer.
    Enough,
    /// A rule went wrong here.
    Fault(String, Span),
    /// The result is not wanted any more.
    Stopped,
}

/// Statements between two questions whether to go on.
const STEPS_UNASKED: u64 = 1 << 13;

pub(super) type Flow = Result<(), Halt>;

/// What happens with every state that a statement yields.
pub(super) type Next<'next, 'program> = &'next mut dyn FnMut(&mut Machine<'program>) -> Flow;

/// The part of the state that is copied rather than undone.
#[derive(Clone, Copy)]
pub(super) struct Registers {
    pub(super) finger: Option<Field>,
    /// As the mover sees it.
    pub(super) direction: Direction,
    pub(super) hand: PieceCode,
    pub(super) outcome: Option<Outcome>,
    pub(super) irreversible: bool,
    pub(super) forcing: Option<bool>,
    /// The field that was written first, itself or a property of it.
    pub(super) lead: Option<Field>,
}

/// Board, properties, finger, direction and hand.
pub(super) struct Machine<'program> {
    pub(super) program: &'program Program,
    pub(super) mover: Colour,
    pub(super) registers: Registers,
    /// Piece codes, stored properties, `move` properties.
    pub(super) slots: Vec<i64>,
    /// The same as the position has them.
    pub(super) start: Vec<i64>,
    /// Every write, with the value before it.
    pub(super) journal: Vec<(usize, i64)>,
    rules: Vec<&'program str>,
    /// What the rules that are calls of `name` say; empty where they are not asked for.
    sayings: &'program Sayings,
    /// What has been said on the way here.
    pub(super) said: String,
    steps: u64,
    faulty_rule: Option<&'program str>,
    /// What is told where rules fail.
    pub(super) watch: Option<Box<Watch>>,
}

impl<'program> Machine<'program> {
    pub(super) fn new(program: &'program Program, position: &Position, mover: Colour) -> Machine<'program> {
        Machine::naming(program, &SILENCE, position, mover)
    }

    /// A machine that hears what `name` says.
    pub(super) fn naming(
        program: &'program Program,
        sayings: &'program Sayings,
        position: &Position,
        mover: Colour,
    ) -> Machine<'program> {
        let mut slots: Vec<i64> = position.slots().iter().map(|&value| i64::from(value)).collect();
        let temporary = program.info.properties.iter().filter(|property| property.kind == PropertyKind::Move);
        slots.extend(temporary.map(|property| property.low));
        let registers = Registers {
            finger: None,
            direction: Direction::NORTH,
            hand: PieceCode::EMPTY,
            outcome: None,
            irreversible: false,
            forcing: None,
            lead: None,
        };
        let (start, journal, rules) = (slots.clone(), Vec::new(), Vec::new());
        let said = String::new();
        Machine {
            program,
            mover,
            registers,
            slots,
            start,
            journal,
            rules,
            sayings,
            said,
            steps: 0,
            faulty_rule: None,
            watch: None,
        }
    }

    pub(super) fn info(&self) -> &'program GameInfo {
        &self.program.info
    }

    /// Says which rule is being followed from now on.
    pub(super) fn enter(&mut self, rule: &'program str) {
        self.rules.push(rule);
    }

    /// The rule that went wrong, or the one that is being followed.
    pub(super) fn rule(&self) -> &'program str {
        self.faulty_rule.or(self.rules.last().copied()).unwrap_or("main")
    }

    pub(super) fn fault<T>(&mut self, span: Span, message: impl Into<String>) -> Result<T, Halt> {
        self.faulty_rule = self.rules.last().copied();
        Err(Halt::Fault(message.into(), span))
    }

    pub(super) fn piece(&self, field: Field) -> PieceCode {
        PieceCode(self.slots[field as usize] as u8)
    }

    pub(super) fn pointed(&self) -> Option<PieceCode> {
        self.registers.finger.map(|field| self.piece(field))
    }

    pub(super) fn write(&mut self, slot: usize, value: i64) {
        self.journal.push((slot, self.slots[slot]));
        self.slots[slot] = value;
        if self.registers.lead.is_none() {
            self.registers.lead = self.field_of(slot);
        }
    }

    /// The field that a slot belongs to.
    fn field_of(&self, slot: usize) -> Option<Field> {
        if slot < self.info().geometry.fields() {
            return Some(slot as Field);
        }
        let property = self.info().property_of_slot(slot)?;
        (property.kind == PropertyKind::Field).then(|| (slot - property.slot) as Field)
    }

    pub(super) fn put(&mut self, field: Field, code: PieceCode) {
        self.write(field as usize, i64::from(code.0));
    }

    pub(super) fn undo_to(&mut self, length: usize) {
        while self.journal.len() > length {
            if let Some((slot, value)) = self.journal.pop() {
                self.slots[slot] = value;
            }
        }
    }

    /// Whether the mover sees the board rotated.
    fn rotated(&self) -> bool {
        self.mover == Colour::Black && self.info().sides == 2
    }

    /// The field as white numbers it, for a field as the mover numbers it, and the other way round.
    pub(super) fn turned(&self, field: Field) -> Field {
        if self.rotated() { self.info().geometry.rotated(field) } else { field }
    }

    pub(super) fn absolute(&self, direction: Direction) -> Direction {
        if self.rotated() { direction.reversed() } else { direction }
    }

    /// Runs `next` after a change, and undoes the change.
    pub(super) fn changed(&mut self, change: impl FnOnce(&mut Self), next: Next<'_, 'program>) -> Flow {
        let (registers, journal) = (self.registers, self.journal.len());
        change(self);
        let flow = next(self);
        if !matches!(flow, Err(Halt::Fault(..))) {
            self.undo_to(journal);
            self.registers = registers;
        }
        flow
    }

    /// Whether a statement yields anything here. The state is unchanged afterwards.
    pub(super) fn succeeds(&mut self, node: &'program Node) -> Result<bool, Halt> {
        match self.run(node, &mut |_| Err(Halt::Enough)) {
            Ok(()) => Ok(false),
            Err(Halt::Enough) => Ok(true),
            Err(fault) => Err(fault),
        }
    }

    /// Runs a statement: calls `next` for every state that it yields.
    pub(super) fn run(&mut self, node: &'program Node, next: Next<'_, 'program>) -> Flow {
        self.steps += 1;
        if self.steps.is_multiple_of(STEPS_UNASKED) && game::stopping::is_requested() {
            return Err(Halt::Stopped);
        }
        if self.steps > STEPS_MAX {
            return self.fault(node.span, format!("no end after {STEPS_MAX} statements for one position"));
        }
        if self.watch.is_some() { self.run_watched(node, next) } else { self.follow(node, next) }
    }

    /// What a statement does.
    pub(super) fn follow(&mut self, node: &'program Node, next: Next<'_, 'program>) -> Flow {
        match &node.kind {
            NodeKind::Find(set) => self.find(set, next),
            NodeKind::PointsAt(set) => {
                let holds = self.pointed().is_some_and(|code| set.contains(self.mover, code));
                self.when(holds, next)
            }
            NodeKind::Replace(codes) => self.replace(codes[self.mover.index()], next),
            NodeKind::PickUp => self.pick_up(next),
            NodeKind::PutDown => self.put_down(next),
            NodeKind::Step { backward } => self.step(*backward, next),
            NodeKind::Directions(directions) => {
                directions.iter().try_for_each(|&eighths| self.look(Direction::new(eighths), next))
            }
            NodeKind::Turn(eighths) => self.look(self.registers.direction.turned(*eighths), next),
            NodeKind::MoveTo(column, row) => self.move_to(column, row, next),
            NodeKind::Either(choices) => choices.iter().try_for_each(|choice| self.run(choice, next)),
            NodeKind::Try(first, second) => {
                let mut any = false;
                self.run(first, &mut |machine| {
                    any = true;
                    next(machine)
                })?;
                if any { Ok(()) } else { self.run(second, next) }
            }
            NodeKind::Test(body) => {
                let holds = self.succeeds(body)?;
                self.when(holds, next)
            }
            NodeKind::Not(body) => {
                let holds = !self.succeeds(body)?;
                self.when(holds, next)
            }
            NodeKind::Repeat { least, most, body } => self.repeat(node, (*least, *most), body, 0, next),
            NodeKind::While(condition, body) => self.run_while(node, condition, body, 0, next),
            NodeKind::DoWhile(body, condition) => {
                self.run(body, &mut |machine| machine.run_while(node, condition, body, 0, next))
            }
            NodeKind::Branch { condition, then, otherwise } => {
                let mut any = false;
                self.run(condition, &mut |machine| {
                    any = true;
                    machine.run(then, next)
                })?;
                if any { Ok(()) } else { self.run(otherwise, next) }
            }
            NodeKind::Sees(sight) => self.when(self.sees(sight), next),
            NodeKind::OnFields(flags) => match self.registers.finger {
                Some(field) => self.when(flags[self.mover.index()][field as usize], next),
                None => self.fault(node.span, "the finger points nowhere: use `find` or `move to` first"),
            },
            NodeKind::Assert(value) => {
                let holds = self.evaluate(value)? != 0;
                self.when(holds, next)
            }
            NodeKind::Assign(value) => self.run_assignments(value, next),
            NodeKind::Match(sets) => {
                let mut fields = (0..).zip(sets);
                let fits =
                    fields.all(|(field, set)| set.contains(self.mover, self.piece(self.turned(field))));
                self.when(fits, next)
            }
            NodeKind::ToMove(colour) => self.when(self.mover == *colour, next),
            NodeKind::Irreversible => self.changed(|machine| machine.registers.irreversible = true, next),
            NodeKind::Forcing(forcing) => {
                self.changed(|machine| machine.registers.forcing = Some(*forcing), next)
            }
            NodeKind::Ending(ending) => self.end(outcome_of(*ending), next),
            NodeKind::Score(value) => {
                let most = i64::from(Outcome::SCORE_MAX);
                let score = self.evaluate(value)?.clamp(-most, most) as i32;
                self.end(Outcome::Score(score), next)
            }
            NodeKind::Most(value, body) => self.run_most(value, body, next),
            NodeKind::Cycle(fields) => self.cycle(fields, next),
            NodeKind::Sequence(nodes) => self.sequence(nodes, next),
            NodeKind::Call(function) => self.call(node, *function, next),
        }
    }

    fn sees(&self, sight: &Sight) -> bool {
        let Some(finger) = self.registers.finger else { return false };
        match sight {
            Sight::Reach { fields, set } => fields[self.mover.index()][finger as usize]
                .iter()
                .any(|&field| set.contains(self.mover, self.piece(field))),
            Sight::Over { directions, over, at_least_one, set } => directions.iter().any(|&eighths| {
                let direction = self.absolute(Direction::new(eighths));
                let ray = std::iter::successors(self.info().geometry.step(finger, direction), |&field| {
                    self.info().geometry.step(field, direction)
                });
                let mut ray = ray.take(self.info().geometry.fields()).map(|field| self.piece(field));
                let mut looked_over = 0;
                let end = ray.find(|&code| {
                    let over = over.contains(self.mover, code);
                    looked_over += usize::from(over);
                    !over
                });
                (looked_over > 0 || !at_least_one) && end.is_some_and(|code| set.contains(self.mover, code))
            }),
        }
    }

    fn sequence(&mut self, nodes: &'program [Node], next: Next<'_, 'program>) -> Flow {
        match nodes {
            [] => next(self),
            [only] => self.run(only, next),
            [first, rest @ ..] => self.run(first, &mut |machine| machine.sequence(rest, next)),
        }
    }

    /// Says a part of the move's name, goes on, and takes it back.
    fn say(&mut self, parts: &'program [NamePart], next: Next<'_, 'program>) -> Flow {
        let length = self.said.len();
        for part in parts {
            match part {
                NamePart::Text(text) => self.said.push_str(text),
                NamePart::Field => {
                    let name = self.registers.finger.map(|field| self.info().field_name(field));
                    self.said.push_str(&name.unwrap_or_default());
                }
                NamePart::Piece => {
                    let kind = self.pointed().and_then(|code| self.info().piece(code));
                    self.said.extend(kind.map(|(kind, _)| kind.characters[0]));
                }
                NamePart::Value(value) => {
                    let value = self.evaluate(value)?;
                    self.said.push_str(&value.to_string());
                }
            }
        }
        let flow = next(self);
        self.said.truncate(length);
        flow
    }

    fn call(&mut self, node: &'program Node, function: usize, next: Next<'_, 'program>) -> Flow {
        if let Some(parts) = self.sayings.of(function) {
            return self.say(parts, next);
        }
        let function = &self.program.functions[function];
        if self.rules.len() >= CALL_DEPTH_MAX as usize {
            return self.fault(
                node.span,
                format!("rule `{}` calls itself more than {CALL_DEPTH_MAX} levels deep", function.name),
            );
        }
        self.rules.push(&function.name);
        let flow = grow(|| {
            self.run(&function.body, &mut |machine| {
                // The rest belongs to the caller.
                let own = machine.rules.pop();
                // Through all callers, if nothing follows in them.
                let flow = grow(|| next(machine));
                machine.rules.extend(own);
                flow
            })
        });
        if !matches!(flow, Err(Halt::Fault(..))) {
            self.rules.pop();
        }
        flow
    }
}

/// Continues on a fresh piece of stack when little is left.
pub(super) fn grow<T>(work: impl FnOnce() -> T) -> T {
    const LEAST: usize = 128 * 1024;
    const FRESH: usize = 4 * 1024 * 1024;
    match game::stack::remaining() {
        Some(remaining) if remaining < LEAST => stacker::grow(FRESH, || game::stack::on_known_stack(work)),
        Some(_) => work(),
        None => stacker::maybe_grow(LEAST, FRESH, work),
    }
}
