//! Statements that repeat others, and `most`.

use super::machine::{Flow, Machine, Next, Registers, grow};
use crate::ir::{Expression, Node};
use crate::limits::LOOP_ROUNDS_MAX;

/// A result that is kept aside: what it changed, and what was said on the way.
struct Found {
    registers: Registers,
    changed: Vec<(usize, i64)>,
    said: String,
}

impl<'program> Machine<'program> {
    pub(super) fn check_rounds(&mut self, node: &'program Node, round: u32) -> Flow {
        if round >= LOOP_ROUNDS_MAX {
            return self
                .fault(node.span, format!("this loop does not end: more than {LOOP_ROUNDS_MAX} rounds"));
        }
        Ok(())
    }

    pub(super) fn repeat(
        &mut self,
        node: &'program Node,
        (least, most): (u32, Option<u32>),
        body: &'program Node,
        round: u32,
        next: Next<'_, 'program>,
    ) -> Flow {
        self.check_rounds(node, round)?;
        if round >= least {
            next(self)?;
        }
        if most.is_some_and(|most| round >= most) {
            return Ok(());
        }
        grow(|| self.run(body, &mut |machine| machine.repeat(node, (least, most), body, round + 1, next)))
    }

    pub(super) fn run_while(
        &mut self,
        node: &'program Node,
        condition: &'program Node,
        body: &'program Node,
        round: u32,
        next: Next<'_, 'program>,
    ) -> Flow {
        self.check_rounds(node, round)?;
        let mut any = false;
        grow(|| {
            self.run(condition, &mut |machine| {
                any = true;
                machine.run(body, &mut |machine| machine.run_while(node, condition, body, round + 1, next))
            })
        })?;
        if any { Ok(()) } else { next(self) }
    }

    pub(super) fn run_most(
        &mut self,
        value: &'program Expression,
        body: &'program Node,
        next: Next<'_, 'program>,
    ) -> Flow {
        // Of each result what it changed: there can be very many.
        let mut best: Vec<Found> = Vec::new();
        let (mut greatest, mut held) = (i64::MIN, 0);
        let room = self.program.room;
        let journal = self.journal.len();
        self.run(body, &mut |machine| {
            let found = machine.evaluate(value)?;
            if found > greatest {
                (greatest, held) = (found, 0);
                best.clear();
            }
            if found < greatest {
                return Ok(());
            }
            if best.len() >= room.results {
                let message = format!("more than {} results are the greatest", room.results);
                return machine.fault(value.span, message);
            }
            let mut written: Vec<usize> = machine.journal[journal..].iter().map(|&(slot, _)| slot).collect();
            written.sort_unstable();
            written.dedup();
            held += written.len();
            if held > room.changes {
                return machine.fault(value.span, room.too_many_changes());
            }
            let changed = written.into_iter().map(|slot| (slot, machine.slots[slot])).collect();
            best.push(Found { registers: machine.registers, changed, said: machine.said.clone() });
            Ok(())
        })?;
        for Found { registers, changed, said } in best {
            let before = std::mem::replace(&mut self.said, said);
            self.changed(
                |machine| {
                    changed.iter().for_each(|&(slot, value)| machine.write(slot, value));
                    machine.registers = registers;
                },
                next,
            )?;
            self.said = before;
        }
        Ok(())
    }
}
