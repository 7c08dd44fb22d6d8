//! The fields from which the ways of a plan succeed: questions are answered for all fields at once.

use cranelift_codegen::ir::InstBuilder;
use cranelift_codegen::ir::{StackSlot, Value};
use game::Direction;
use rules::ir::{Node, Sight};
use rustc_hash::FxHashMap;

use super::function::{FunctionCompiler, InvariantKind};
use super::passing::{Fingers, Known, Plan, Question, Way, distances, mask};
use super::state::{Number, State};

impl<'program> FunctionCompiler<'_, '_, 'program> {
    /// The fields from which a planned test succeeds, one word after the other.
    pub(crate) fn fields_that_pass(&mut self, plan: &Plan<'program>, state: &State) -> Vec<Value> {
        self.any_way(&plan.ways, state, &mut Known::default())
    }

    /// The same before any move, computed once for a position.
    pub(crate) fn passing_before(&mut self, node: &'program Node, here: Option<u128>) -> StackSlot {
        self.invariant(InvariantKind::Passing(node, here))
    }

    pub(crate) fn any_way(&mut self, ways: &[Way<'program>], state: &State, known: &mut Known) -> Vec<Value> {
        let words = self.compiler.layout.set_words;
        let zero = self.number(Number::Known(0));
        let mut sum = vec![zero; words];
        for way in ways {
            // Where the finger is not lost.
            let mut passing: Vec<Value> = mask(&way.fingers, words)
                .into_iter()
                .map(|bits| self.number(Number::Known(bits as i64)))
                .collect();
            for question in &way.questions {
                let answer = self.answer(question, state, known);
                for (word, answer) in passing.iter_mut().zip(answer) {
                    *word = self.builder.ins().band(*word, answer);
                }
            }
            for (word, passing) in sum.iter_mut().zip(passing) {
                *word = self.builder.ins().bor(*word, passing);
            }
        }
        sum
    }

    pub(crate) fn answer(
        &mut self,
        question: &Question<'program>,
        state: &State,
        known: &mut Known,
    ) -> Vec<Value> {
        match question {
            Question::Piece(codes, fingers) => {
                let key = (*codes, fingers.clone());
                if let Some(values) = known.get(&key) {
                    return values.clone();
                }
                let values = self.pieces_at(*codes, fingers, state);
                known.insert(key, values.clone());
                values
            }
            Question::Sees(sight) => vec![self.fields_that_see(sight, state)],
            Question::Any(ways) => self.any_way(ways, state, known),
            Question::Never(ways) => {
                let fields = self.any_way(ways, state, known);
                fields.into_iter().map(|word| self.builder.ins().bnot(word)).collect()
            }
        }
    }

    /// The beginnings whose finger is on one of the pieces.
    pub(crate) fn pieces_at(&mut self, codes: u128, fingers: &Fingers, state: &State) -> Vec<Value> {
        let words = self.compiler.layout.set_words;
        let pieces: Vec<Value> = (0..words).map(|word| self.fields_with(codes, word, state)).collect();
        let zero = self.number(Number::Known(0));
        let mut sum = vec![zero; words];
        for (distance, starts) in distances(fingers) {
            for word in 0..words {
                if starts[word] == 0 {
                    continue;
                }
                let shifted = self.shifted_word(&pieces, word, distance);
                let starts = self.number(Number::Known(starts[word] as i64));
                let here = self.builder.ins().band(shifted, starts);
                sum[word] = self.builder.ins().bor(sum[word], here);
            }
        }
        sum
    }

    /// A word of a set whose fields have moved down by a distance.
    pub(crate) fn shifted_word(&mut self, set: &[Value], word: usize, distance: i64) -> Value {
        let first = 64 * word as i64 + distance;
        let (from, bits) = (first.div_euclid(64), first.rem_euclid(64));
        let part = |index: i64| usize::try_from(index).ok().and_then(|index| set.get(index).copied());
        let low = part(from).map(|word| match bits {
            0 => word,
            _ => self.builder.ins().ushr_imm_s(word, bits),
        });
        let high = match bits {
            0 => None,
            _ => part(from + 1).map(|word| self.builder.ins().ishl_imm_s(word, 64 - bits)),
        };
        match (low, high) {
            (Some(low), Some(high)) => self.builder.ins().bor(low, high),
            (Some(part), None) | (None, Some(part)) => part,
            (None, None) => self.number(Number::Known(0)),
        }
    }

    /// The fields from which something is to be seen.
    pub(crate) fn fields_that_see(&mut self, sight: &Sight, state: &State) -> Value {
        let mover = self.mover.index();
        match sight {
            Sight::Reach { fields, set } => {
                let leaps = self.leaps(&fields[mover]);
                let pieces = self.fields_with(set.codes[mover], 0, state);
                let mut sum = self.number(Number::Known(0));
                for (distance, starts) in leaps {
                    let shifted = self.shift(pieces, -distance);
                    let starts = self.number(Number::Known(starts as i64));
                    let seen = self.builder.ins().band(shifted, starts);
                    sum = self.builder.ins().bor(sum, seen);
                }
                sum
            }
            Sight::Over { directions, over, at_least_one, set } => {
                let turn = if self.rotated() { 4 } else { 0 };
                let wanted = vec![self.fields_with(set.codes[mover] & !over.codes[mover], 0, state)];
                let over_fields = vec![self.fields_with(over.codes[mover], 0, state)];
                let mut sum = self.number(Number::Known(0));
                for &eighths in directions {
                    // From the goal backwards, as features slide forwards: what they have in common is computed once.
                    let back = Direction::new(eighths + turn + 4);
                    let seen = self.slide_all(wanted.clone(), back, over.codes[mover], state);
                    let mut sees = self.step_all(seen, back);
                    if *at_least_one {
                        let through = self.both(sees, over_fields.clone());
                        sees = self.step_all(through, back);
                    }
                    sum = self.builder.ins().bor(sum, sees[0]);
                }
                sum
            }
        }
    }

    pub(crate) fn shift(&mut self, fields: Value, distance: i64) -> Value {
        match distance {
            0 => fields,
            1.. => self.builder.ins().ishl_imm_s(fields, distance),
            _ => self.builder.ins().ushr_imm_s(fields, -distance),
        }
    }

    /// The most steps in one direction; 0 where a way goes round and round, and is not followed with field sets.
    pub(crate) fn longest_ray(&self) -> usize {
        self.compiler.tables.steps_max.unwrap_or(0)
    }

    /// The distance between neighbours in a direction, if it is the same everywhere, and the fields that have one.
    pub(crate) fn shift_of(&self, eighths: i32) -> Option<(i64, u64)> {
        let turn = if self.rotated() { 4 } else { 0 };
        let direction = Direction::new(eighths + turn);
        let geometry = &self.compiler.program.info.geometry;
        let (mut distance, mut starts) = (None, 0);
        for field in 0..geometry.fields() as u16 {
            if let Some(to) = geometry.step(field, direction) {
                let here = i64::from(to) - i64::from(field);
                if *distance.get_or_insert(here) != here {
                    return None;
                }
                starts |= 1 << field;
            }
        }
        Some((distance.unwrap_or(1), starts))
    }

    /// Leaps by their distance, with the fields from which each can be made.
    pub(crate) fn leaps(&self, fields: &[Vec<u16>]) -> Vec<(i64, u64)> {
        let mut leaps: FxHashMap<i64, u64> = FxHashMap::default();
        for (from, reached) in fields.iter().enumerate() {
            for &to in reached {
                *leaps.entry(i64::from(to) - from as i64).or_default() |= 1 << from;
            }
        }
        let mut leaps: Vec<(i64, u64)> = leaps.into_iter().collect();
        leaps.sort_unstable();
        leaps
    }
}
