//! Looking from the finger's field: masks and bit scans.

use cranelift_codegen::ir::InstBuilder;
use cranelift_codegen::ir::Value;
use cranelift_codegen::ir::condcodes::IntCC;
use game::Direction;
use rules::ir::{PieceSet, Sight};

use super::function::FunctionCompiler;
use super::state::{Number, State};

impl FunctionCompiler<'_, '_, '_> {
    /// Fails unless something is to be seen.
    pub(crate) fn sees(&mut self, sight: &Sight, mut state: State) -> Option<State> {
        if !self.finger_is_somewhere(&mut state) {
            return None;
        }
        match sight {
            Sight::Reach { fields, set } => self.reaches(&fields[self.mover.index()], set, &state),
            Sight::Over { directions, over, at_least_one, set } => {
                self.sees_over(directions, over, *at_least_one, set, &state);
            }
        }
        Some(state)
    }

    /// One word of the fields that hold one of the pieces.
    pub(crate) fn fields_with(&mut self, codes: u128, word: usize, state: &State) -> Value {
        let words = self.compiler.layout.set_words;
        let parts = if codes == 0 { Some(Vec::new()) } else { self.compiler.layout.wide_cover(codes) };
        let parts = parts.expect("all sets that are looked at can be put together");
        let mut sum = None;
        for part in parts {
            let fields = state.sets[part * words + word];
            sum = Some(match sum {
                None => fields,
                Some(sum) => self.builder.ins().bor(sum, fields),
            });
        }
        sum.unwrap_or_else(|| self.number(Number::Known(0)))
    }

    /// A word for the finger's field from a table that is made for it.
    fn by_finger(&mut self, table: Vec<u64>, finger: Number) -> Value {
        match finger {
            Number::Known(field) => self.number(Number::Known(table[field as usize] as i64)),
            finger => {
                let table: Box<[i64]> = table.into_iter().map(|word| word as i64).collect();
                let pointer = table.as_ptr();
                self.compiler.tables.made.push(table);
                self.element_i64(pointer, finger)
            }
        }
    }

    fn reaches(&mut self, fields: &[Vec<u16>], set: &PieceSet, state: &State) {
        let codes = set.codes[self.mover.index()];
        let mut found = None;
        for word in 0..self.compiler.layout.set_words {
            let table: Vec<u64> = fields
                .iter()
                .map(|fields| {
                    let here = fields.iter().filter(|&&field| field as usize / 64 == word);
                    here.fold(0, |bits, field| bits | 1 << (field % 64))
                })
                .collect();
            if table.iter().all(|&bits| bits == 0) {
                continue;
            }
            let mask = self.by_finger(table, state.finger);
            self.record_dependencies(codes, mask, word);
            let pieces = self.fields_with(codes, word, state);
            let seen = self.builder.ins().band(pieces, mask);
            found = Some(match found {
                None => seen,
                Some(found) => self.builder.ins().bor(found, seen),
            });
        }
        match found {
            Some(found) => self.require(found),
            None => self.give_up(),
        }
    }

    fn sees_over(
        &mut self,
        directions: &[i32],
        over: &PieceSet,
        at_least_one: bool,
        set: &PieceSet,
        state: &State,
    ) {
        let mover = self.mover.index();
        let (over, wanted) = (over.codes[mover], set.codes[mover]);
        let geometry = self.compiler.program.info.geometry.clone();
        let turn = if self.rotated() { 4 } else { 0 };
        let directions: Vec<Direction> =
            directions.iter().map(|&eighths| Direction::new(eighths + turn)).collect();
        let ray = |field: u16, direction: Direction| {
            let fields = std::iter::successors(geometry.step(field, direction), |&field| {
                geometry.step(field, direction)
            });
            fields.fold(0_u64, |bits, field| bits | 1 << field)
        };
        let table = |of: &dyn Fn(u16) -> u64| (0..geometry.fields() as u16).map(of).collect::<Vec<u64>>();
        let next_to = |field: u16, direction: Direction| {
            geometry.step(field, direction).map_or(0, |field| 1_u64 << field)
        };
        let all = table(&|field| directions.iter().fold(0, |bits, &direction| bits | ray(field, direction)));
        let all = self.by_finger(all, state.finger);
        let pieces = self.fields_with(wanted, 0, state);
        let fields_over = self.fields_with(over, 0, state);
        // Most of the time there is nothing on any of the rays.
        self.record_dependencies(wanted, all, 0);
        let anything = self.builder.ins().band(pieces, all);
        self.require(anything);
        if at_least_one {
            let near = table(&|field| {
                directions.iter().fold(0, |bits, &direction| bits | next_to(field, direction))
            });
            let near = self.by_finger(near, state.finger);
            self.record_dependencies(over, near, 0);
            let anything = self.builder.ins().band(fields_over, near);
            self.require(anything);
        }
        let seen = self.builder.create_block();
        for direction in directions {
            let next = self.builder.create_block();
            let look = self.builder.create_block();
            let fields = self.by_finger(table(&|field| ray(field, direction)), state.finger);
            let anything = self.builder.ins().band(pieces, fields);
            self.builder.ins().brif(anything, look, &[], next, &[]);
            self.builder.switch_to_block(look);
            self.record_dependencies(over, fields, 0);
            let ends = self.builder.ins().band_not(fields, fields_over);
            let first = self.first_on_ray(ends, direction);
            let mut hit = self.builder.ins().band(first, pieces);
            if at_least_one {
                let near = self.by_finger(table(&|field| next_to(field, direction)), state.finger);
                hit = self.builder.ins().band_not(hit, near);
            }
            self.builder.ins().brif(hit, seen, &[], next, &[]);
            self.builder.switch_to_block(next);
        }
        self.builder.ins().jump(self.fail, &[]);
        self.builder.switch_to_block(seen);
    }

    /// The field of a set that comes first in a direction, as a set; empty if there is none.
    fn first_on_ray(&mut self, fields: Value, direction: Direction) -> Value {
        let upwards = matches!(direction.index(), 0..=2 | 7);
        if upwards {
            let negated = self.builder.ins().ineg(fields);
            return self.builder.ins().band(fields, negated);
        }
        let zeros = self.builder.ins().clz(fields);
        let highest = self.number(Number::Known(i64::MIN));
        let bit = self.builder.ins().ushr(highest, zeros);
        let none = self.is(IntCC::Equal, fields, 0);
        let zero = self.number(Number::Known(0));
        self.builder.ins().select(none, zero, bit)
    }
}
