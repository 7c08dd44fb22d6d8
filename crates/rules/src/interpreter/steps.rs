//! The statements that look, move the finger, or change the state once: one function each.

use game::{Direction, Field, Outcome, PieceCode};

use super::machine::{Flow, Halt, Machine, Next};
use crate::ir::{Ending, Expression, PieceSet};

impl<'program> Machine<'program> {
    /// Goes on if something holds.
    pub(super) fn when(&mut self, holds: bool, next: Next<'_, 'program>) -> Flow {
        if holds { next(self) } else { Ok(()) }
    }

    pub(super) fn find(&mut self, set: &PieceSet, next: Next<'_, 'program>) -> Flow {
        for field in 0..self.info().geometry.fields() as Field {
            if set.contains(self.mover, self.piece(field)) {
                self.point(Some(field), next)?;
            }
        }
        Ok(())
    }

    /// Moves the finger to a field, if there is one.
    fn point(&mut self, field: Option<Field>, next: Next<'_, 'program>) -> Flow {
        match field {
            Some(field) => self.changed(|machine| machine.registers.finger = Some(field), next),
            None => Ok(()),
        }
    }

    pub(super) fn look(&mut self, direction: Direction, next: Next<'_, 'program>) -> Flow {
        self.changed(|machine| machine.registers.direction = direction, next)
    }

    pub(super) fn step(&mut self, backward: bool, next: Next<'_, 'program>) -> Flow {
        let direction = self.absolute(self.registers.direction);
        let direction = if backward { direction.reversed() } else { direction };
        let step = |field| self.info().geometry.step(field, direction);
        let field = self.registers.finger.and_then(step);
        self.point(field, next)
    }

    pub(super) fn move_to(
        &mut self,
        column: &'program Expression,
        row: &'program Expression,
        next: Next<'_, 'program>,
    ) -> Flow {
        let (column, row) = (self.evaluate(column)?, self.evaluate(row)?);
        let field = self.info().geometry.at(column, row).map(|field| self.turned(field));
        let field = field.filter(|&field| self.info().geometry.is_used(field));
        self.point(field, next)
    }

    pub(super) fn replace(&mut self, code: PieceCode, next: Next<'_, 'program>) -> Flow {
        let Some(field) = self.registers.finger else { return Ok(()) };
        self.changed(|machine| machine.put(field, code), next)
    }

    pub(super) fn pick_up(&mut self, next: Next<'_, 'program>) -> Flow {
        match (self.registers.finger, self.pointed(), self.registers.hand) {
            (Some(field), Some(code), PieceCode::EMPTY) if code != PieceCode::EMPTY => self.changed(
                |machine| {
                    machine.registers.hand = code;
                    machine.put(field, PieceCode::EMPTY);
                },
                next,
            ),
            _ => Ok(()),
        }
    }

    pub(super) fn put_down(&mut self, next: Next<'_, 'program>) -> Flow {
        match (self.registers.finger, self.registers.hand) {
            (Some(field), hand) if hand != PieceCode::EMPTY => self.changed(
                |machine| {
                    machine.registers.hand = PieceCode::EMPTY;
                    machine.put(field, hand);
                },
                next,
            ),
            _ => Ok(()),
        }
    }

    pub(super) fn run_assignments(&mut self, value: &'program Expression, next: Next<'_, 'program>) -> Flow {
        let (registers, journal) = (self.registers, self.journal.len());
        self.evaluate(value)?;
        let flow = next(self);
        if !matches!(flow, Err(Halt::Fault(..))) {
            self.undo_to(journal);
            self.registers = registers;
        }
        flow
    }

    pub(super) fn cycle(&mut self, fields: &[Field], next: Next<'_, 'program>) -> Flow {
        self.changed(
            |machine| {
                let codes: Vec<PieceCode> = fields.iter().map(|&field| machine.piece(field)).collect();
                for (index, &code) in codes.iter().enumerate() {
                    machine.put(fields[(index + 1) % fields.len()], code);
                }
            },
            next,
        )
    }

    pub(super) fn end(&mut self, outcome: Outcome, next: Next<'_, 'program>) -> Flow {
        self.changed(|machine| machine.registers.outcome = Some(outcome), next)
    }
}

/// What an ending means for the mover.
pub(super) fn outcome_of(ending: Ending) -> Outcome {
    match ending {
        Ending::Win => Outcome::Win,
        Ending::Draw => Outcome::Draw,
        Ending::Loss => Outcome::Loss,
    }
}
