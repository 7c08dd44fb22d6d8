//! What the last moves of a game are worth, without leaving machine code.
//!
//! "Is this position worth at least so much?" Every result is played in the position itself, the same question is put
//! to the opponent by a call, and the move is taken back; the first result that is worth enough ends it. There are no
//! lists, no signatures and no tables. Each ply has a context of its own, one behind the other, as where lines of play
//! are counted ([`super::walking`]). What cannot be settled here (faults, lines that could repeat a position, several
//! verdicts, too many nodes or plies) ends with [`crate::runtime::GIVE_UP`].
//!
//! A function returns the worth it has found, shifted to the left so that statuses, which are small, are told apart:
//! at least what was asked for, or an upper bound that is less.

use std::rc::Rc;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{InstBuilder, Value};
use cranelift_frontend::Variable;
use game::Outcome;

use super::Goal;
use super::emission::{certain, merged};
use super::function::{Compiled, FunctionCompiler, Next, TRUSTED};
use super::state::{Number, State};
use crate::layout::slot;

/// How far worths are shifted.
pub(crate) const SHIFT: i64 = 8;

/// The worth of a position without results so far: less than any other.
const NOTHING: i64 = -(1 << 40);

/// Where the limits of a call lie, in bytes from [`slot::TOTALS`].
mod limit {
    /// How many nodes are left.
    pub(super) const NODES: i32 = 0;
    /// Contexts lie before this address.
    pub(super) const END: i32 = 8;
}

/// Values of a function that asks what a position is worth.
pub(crate) struct Question {
    at_least: Value,
    best: Variable,
    /// Whether there was a result that may be a verdict on the position itself.
    verdict: Variable,
    /// What to call for the next ply.
    deeper: Value,
}

impl<'program> FunctionCompiler<'_, '_, 'program> {
    pub(crate) fn begin_settling(&mut self, at_least: Value) -> Compiled<()> {
        let [best, verdict] = [(); 2].map(|()| self.builder.declare_var(I64));
        for (variable, value) in [(best, NOTHING), (verdict, 0)] {
            let value = self.number(Number::Known(value));
            self.builder.def_var(variable, value);
        }
        let deeper = self.load_context(slot::WALK + 8 * self.next_mover().index());
        self.question = Some(Question { at_least, best, verdict, deeper });
        Ok(())
    }

    /// Counts the position; gives up if there were too many, or if it is too deep.
    pub(crate) fn count_settled(&mut self) {
        let limits = self.load_context(slot::TOTALS);
        let left = self.builder.ins().load(I64, TRUSTED, limits, limit::NODES);
        let left = self.add_known(left, -1);
        self.builder.ins().store(TRUSTED, left, limits, limit::NODES);
        let end = self.builder.ins().load(I64, TRUSTED, limits, limit::END);
        let too_many = self.is(IntCC::SignedLessThan, left, 0);
        let too_deep = self.builder.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, self.context, end);
        let enough = self.builder.ins().bor(too_many, too_deep);
        self.give_up_if(enough);
    }

    /// All results have been seen, and none was worth enough.
    pub(crate) fn end_settling(&mut self) {
        let best = self.question().best;
        let best = self.builder.use_var(best);
        // No move at all is a fault of the rules.
        let nothing = self.is(IntCC::Equal, best, NOTHING);
        self.give_up_if(nothing);
        self.return_worth(best);
        let dead = self.builder.create_block();
        self.builder.switch_to_block(dead);
    }

    fn question(&self) -> &Question {
        self.question.as_ref().expect("it was begun")
    }

    /// The position is as it was.
    fn return_worth(&mut self, worth: Value) {
        self.store_mover(self.mover);
        let shifted = self.builder.ins().ishl_imm_s(worth, SHIFT);
        self.builder.ins().return_(&[shifted]);
    }

    /// Finds out what a result is worth.
    pub(crate) fn settle_result(&mut self, state: State) -> Compiled<()> {
        if !self.compiler.options.static_changes {
            self.show(&state);
            let folded = self.folded(&state);
            self.settle_now(&folded)?;
            self.take_back(&state);
            return Ok(());
        }
        self.settle_now(&state)
    }

    fn settle_now(&mut self, state: &State) -> Compiled<()> {
        let none = i64::from(i32::MIN);
        match state.outcome {
            Number::Known(code) if code == none => self.ask_opponent(state),
            Number::Known(code) => {
                let worth = Outcome::from_code(code as i32).map_or(0, Outcome::worth);
                let worth = self.number(Number::Known(worth));
                self.take_ending(state, worth);
                Ok(())
            }
            Number::Computed(code) => {
                let [ends, goes_on, done] = [(); 3].map(|()| self.builder.create_block());
                let is_open = self.is(IntCC::Equal, code, none);
                self.builder.ins().brif(is_open, goes_on, &[], ends, &[]);
                self.builder.switch_to_block(ends);
                let worth = self.worth_of_code(code);
                self.take_ending(state, worth);
                self.builder.ins().jump(done, &[]);
                self.builder.switch_to_block(goes_on);
                self.ask_opponent(state)?;
                self.builder.ins().jump(done, &[]);
                self.builder.switch_to_block(done);
                Ok(())
            }
        }
    }

    /// The worth of an outcome that is known when the code runs.
    fn worth_of_code(&mut self, code: Value) -> Value {
        let draw = i64::from(Outcome::code(Some(Outcome::Draw)));
        let sign = self.add_known(code, -draw);
        let named = self.builder.ins().imul_imm_s(sign, Outcome::WIN_WORTH);
        let is_named = self.is(IntCC::SignedGreaterThanOrEqual, code, draw - 1);
        let most = self.number(Number::Known(i64::from(Outcome::SCORE_MAX)));
        let least = self.number(Number::Known(-i64::from(Outcome::SCORE_MAX)));
        let points = self.builder.ins().smin(code, most);
        let points = self.builder.ins().smax(points, least);
        self.builder.ins().select(is_named, named, points)
    }

    /// A result that ends the game. Where all results say nothing but how the game ended, the first one counts: a
    /// second one is not settled here.
    fn take_ending(&mut self, state: &State, worth: Value) {
        let writes = state.writes.as_deref();
        let changes = writes.is_some_and(|writes| writes.iter().any(certain) && self.all_apart(writes));
        if !changes {
            let verdict = self.question().verdict;
            let before = self.builder.use_var(verdict);
            self.give_up_if(before);
            let one = self.number(Number::Known(1));
            self.builder.def_var(verdict, one);
        }
        self.take_worth(worth);
    }

    fn take_worth(&mut self, worth: Value) {
        let Question { at_least, best, .. } = *self.question();
        let before = self.builder.use_var(best);
        let after = self.builder.ins().smax(before, worth);
        self.builder.def_var(best, after);
        let (stop, on) = (self.builder.create_block(), self.builder.create_block());
        let enough = self.builder.ins().icmp(IntCC::SignedGreaterThanOrEqual, worth, at_least);
        self.builder.ins().brif(enough, stop, &[], on, &[]);
        self.builder.switch_to_block(stop);
        self.return_worth(worth);
        self.builder.switch_to_block(on);
    }

    /// Plays a result, asks what it is worth to the opponent, and takes it back.
    fn ask_opponent(&mut self, state: &State) -> Compiled<()> {
        let stride = 8 * self.compiler.context.stride() as i64;
        let next = self.add_known(self.context, stride);
        self.note_reversible(state, next);
        let writes = merged(state.writes.as_deref().unwrap_or(&[]));
        let is_static = state.writes.is_some() && !state.field_properties_written;
        let position = if is_static {
            if let Some(turned) = state.turned {
                let mailbox = self.add_known(self.entry, self.compiler.layout.mailbox as i64);
                self.turn(turned, None, Some(mailbox));
            }
            for write in &writes {
                self.put_in_position(write.field, write.new);
            }
            self.store_changed(state, false);
            self.entry
        } else {
            let child = self.add_known(self.context, self.compiler.context.child as i64);
            let signature = self.entry_signature();
            self.store_child_head(child, signature);
            self.store_child(state, child);
            child
        };
        let Question { at_least, deeper, .. } = *self.question();
        let one = self.number(Number::Known(1));
        let less = self.builder.ins().isub(one, at_least);
        let signature = self.compiler.signature(Goal::Settle.parameters());
        let signature = self.builder.import_signature(signature);
        let call = self.builder.ins().call_indirect(signature, deeper, &[next, position, less]);
        let returned = self.builder.inst_results(call)[0];
        let status = self.builder.ins().band_imm_s(returned, (1 << SHIFT) - 1);
        self.give_up_if(status);
        if is_static {
            self.take_back_in_place(&writes, state);
        }
        let worth = self.builder.ins().sshr_imm_s(returned, SHIFT);
        let worth = self.builder.ins().ineg(worth);
        self.take_worth(worth);
        Ok(())
    }

    /// Two moves in a row that can be undone could lead to a position that was there: gives up.
    fn note_reversible(&mut self, state: &State, next: Value) {
        let reversible = match state.irreversible {
            Number::Known(irreversible) => Number::Known(1 - irreversible),
            Number::Computed(irreversible) => {
                Number::Computed(self.builder.ins().bxor_imm_s(irreversible, 1))
            }
        };
        if reversible != Number::Known(0) {
            let before = self.load_context(slot::REVERSIBLE);
            let both = match reversible {
                Number::Known(_) => before,
                Number::Computed(now) => self.builder.ins().band(before, now),
            };
            self.give_up_if(both);
        }
        let value = self.number(reversible);
        self.builder.ins().store(TRUSTED, value, next, slot::REVERSIBLE as i32);
    }

    /// Of found fields on which something is put, those in parts of the board with an odd number of them come first:
    /// who moves there has the last move there. `None` where fields are found for something else.
    pub(crate) fn odd_fields(&mut self, found: Value, next: &Rc<Next<'program>>) -> Option<Value> {
        if self.goal != Some(Goal::Settle) || self.compiler.layout.set_words != 1 || !self.puts_on_found(next)
        {
            return None;
        }
        let mut odd = None;
        for part in self.quarters() {
            let here = self.builder.ins().band_imm_s(found, part as i64);
            let count = self.builder.ins().popcnt(here);
            let bit = self.builder.ins().band_imm_s(count, 1);
            let mask = self.builder.ins().ineg(bit);
            let fields = self.builder.ins().band_imm_s(mask, part as i64);
            odd = Some(match odd {
                None => fields,
                Some(odd) => self.builder.ins().bor(odd, fields),
            });
        }
        odd
    }

    /// The fields of the four quarters of the board.
    fn quarters(&self) -> Vec<u64> {
        let geometry = &self.compiler.program.info.geometry;
        let (columns, rows) = (geometry.columns(), geometry.rows());
        let mut quarters = [0_u64; 4];
        for field in 0..self.compiler.layout.fields {
            let field_of_board = field as game::Field;
            let (column, row) = (geometry.column(field_of_board), geometry.row(field_of_board));
            let quarter = 2 * usize::from(2 * row >= rows) + usize::from(2 * column >= columns);
            quarters[quarter] |= 1 << field;
        }
        quarters.into_iter().filter(|&quarter| quarter != 0).collect()
    }
}
