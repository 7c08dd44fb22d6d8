//! Found fields from which a wanted move can come at all.
//!
//! Where only forcing moves are wanted, or one that takes from a certain field, most pieces have none. What follows a
//! `find` is followed for all fields at once up to each place where a move writes; from the fields where writing would
//! make the move a wanted one, the way is gone backwards. Pieces that are not on the fields where it ends are left out.
//! What was left out on the way (what stands there, what else is asked) makes these fields more, never fewer.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{InstBuilder, Value};
use game::Direction;
use rules::ir::{Node, NodeKind};

use super::Goal;
use super::function::{Captured, FunctionCompiler, Next, TRUSTED};
use super::passing::distances;
use super::state::{Number, State};
use super::summing::Move;
use crate::layout::slot;

/// Ways from a found field to a write.
const APPROACHES_MAX: usize = 128;

/// Operations for each word of a field set.
const OPERATIONS_MAX: usize = 600;

/// Calls that are followed.
const CALLS_MAX: usize = 6;

/// A way from a found field, for all fields at once.
#[derive(Clone)]
struct Approach<'program> {
    moves: Vec<Move<'program>>,
    /// As the mover sees it.
    direction: Option<i32>,
    /// What may stand under the finger before any move.
    codes: u128,
    /// What may be in the hand.
    hand: u128,
    /// Whether a field was written, and whether one was that the way did not begin on.
    wrote: bool,
    wrote_elsewhere: bool,
}

/// A place where a move may become a wanted one.
struct Turn<'program> {
    moves: Vec<Move<'program>>,
    /// What may be replaced there; `None`: the rules mark the move.
    codes: Option<u128>,
}

/// The fields from which a wanted move can come, once each of these flags is set: before, any result is wanted.
pub(crate) struct Reach {
    fields: Vec<Value>,
    flags: Vec<Captured>,
}

impl<'program> FunctionCompiler<'_, '_, 'program> {
    /// The found fields from which a wanted move can come; `None` if that is not known, or not worth asking.
    pub(crate) fn reach_of_wanted(
        &mut self,
        codes: u128,
        next: &Next<'program>,
        state: &State,
    ) -> Option<Reach> {
        let opponents = self.compiler.codes_of(self.mover.opponent());
        let is_covered = opponents == 0 || self.compiler.layout.wide_cover(opponents).is_some();
        let some_are_wanted = is_covered && matches!(self.goal, Some(Goal::Forcing | Goal::Taking));
        let begins = some_are_wanted
            && self.from_position
            && self.tracking.is_none()
            && self.compiler.options.whole_board_tests
            && self.compiler.tables.steps_max.is_some()
            && self.compiler.tables.steps_are_reversible
            && state.writes.as_ref().is_some_and(Vec::is_empty)
            && state.turned.is_none();
        let (statements, flags) = self.before_wanted(next).filter(|_| begins)?;
        let first = Approach {
            moves: Vec::new(),
            direction: None,
            codes,
            hand: 0,
            wrote: false,
            wrote_elsewhere: false,
        };
        let mut turns = Vec::new();
        let ends = self.approach_all(&statements, vec![first], &mut turns, 0)?;
        // What changes nothing is a verdict, and always wanted.
        if !ends.iter().all(|end| end.wrote) {
            return None;
        }
        self.keep_useful(&mut turns);
        let operations: usize =
            turns.iter().flat_map(|turn| &turn.moves).map(|step| self.cost_back(step)).sum();
        if operations > OPERATIONS_MAX * self.compiler.layout.set_words {
            return None;
        }
        let zero = self.number(Number::Known(0));
        let mut fields = vec![zero; self.compiler.layout.set_words];
        for turn in turns {
            let Some(wanted) = self.wanted_at(&turn, state) else { continue };
            let begun = self.back(&turn.moves, wanted, state);
            for (word, begun) in fields.iter_mut().zip(begun) {
                *word = self.builder.ins().bor(*word, begun);
            }
        }
        Some(Reach { fields, flags })
    }

    /// Those of some found fields that are still of use.
    pub(crate) fn within_reach(&mut self, left: Value, word: usize, reach: Option<&Reach>) -> Value {
        let Some(reach) = reach else { return left };
        let mut kept = self.builder.ins().band(left, reach.fields[word]);
        for &flag in &reach.flags {
            let address = self.captured(flag);
            let is_set = self.builder.ins().load(I64, TRUSTED, address, 0);
            kept = self.builder.ins().select(is_set, kept, left);
        }
        kept
    }

    /// All statements up to the result, and where it is remembered that there was one.
    fn before_wanted(&self, next: &Next<'program>) -> Option<(Vec<&'program Node>, Vec<Captured>)> {
        let (mut statements, mut flags, mut next) = (Vec::new(), Vec::new(), next);
        loop {
            match next {
                Next::Statements(nodes, _, after) => {
                    statements.extend(nodes.iter());
                    next = after;
                }
                Next::Flag(address, after) => {
                    flags.push(*address);
                    next = after;
                }
                Next::Goal(_) => return Some((statements, flags)),
                _ => return None,
            }
        }
    }

    // ---- forwards, while the code is written

    fn approach_all(
        &self,
        nodes: &[&'program Node],
        ways: Vec<Approach<'program>>,
        turns: &mut Vec<Turn<'program>>,
        calls: usize,
    ) -> Option<Vec<Approach<'program>>> {
        nodes.iter().try_fold(ways, |ways, node| {
            let mut all = Vec::new();
            for way in ways {
                all.extend(self.approach(node, way, turns, calls)?);
            }
            (all.len() <= APPROACHES_MAX && turns.len() <= APPROACHES_MAX).then_some(all)
        })
    }

    /// The ways on through a statement; `None` if it cannot be followed.
    fn approach(
        &self,
        node: &'program Node,
        mut way: Approach<'program>,
        turns: &mut Vec<Turn<'program>>,
        calls: usize,
    ) -> Option<Vec<Approach<'program>>> {
        let mover = self.mover.index();
        match &node.kind {
            NodeKind::Sequence(nodes) => {
                let nodes: Vec<&Node> = nodes.iter().collect();
                return self.approach_all(&nodes, vec![way], turns, calls);
            }
            NodeKind::Call(rule) if !self.compiler.recursive[*rule] && calls < CALLS_MAX => {
                let body = &self.compiler.program.functions[*rule].body;
                return self.approach(body, way, turns, calls + 1);
            }
            NodeKind::Either(choices) => return self.approach_each(choices, &way, turns, calls),
            // Whatever it marks, the finger stays, and no field is written.
            NodeKind::Try(first, second) if self.only_looks(first) && self.only_looks(second) => {}
            NodeKind::Try(first, second) => {
                let mut all = self.approach(first, way.clone(), turns, calls)?;
                all.extend(self.approach(second, way, turns, calls)?);
                return Some(all);
            }
            NodeKind::Directions(directions) => {
                let turned = |&direction: &i32| Approach { direction: Some(direction), ..way.clone() };
                return Some(directions.iter().map(turned).collect());
            }
            NodeKind::Turn(eighths) => way.direction = Some(way.direction? + eighths),
            NodeKind::Step { backward } => {
                way.moves.push(Move::Step(self.direction_of(way.direction?, *backward)));
                way.codes = self.compiler.all_codes();
            }
            NodeKind::Repeat { least: least @ (0 | 1), most: None, body } => {
                self.approach_sliding(*least == 1, body, &mut way)?;
            }
            NodeKind::OnFields(flags) => {
                let mut fields = vec![0_u64; self.compiler.layout.set_words];
                for field in (0..flags[mover].len()).filter(|&field| flags[mover][field]) {
                    fields[field / 64] |= 1 << (field % 64);
                }
                way.moves.push(Move::On(fields.into()));
            }
            NodeKind::PickUp => {
                way.hand = way.codes;
                write(&mut way, turns);
            }
            NodeKind::PutDown => {
                let hand = way.hand;
                self.place(hand, &mut way, turns)?;
            }
            NodeKind::Replace(codes) => self.place(codes[mover].bit(), &mut way, turns)?,
            NodeKind::Forcing(true) => turns.push(Turn { moves: way.moves.clone(), codes: None }),
            NodeKind::Assert(value) if self.is_harmless(value) => {}
            NodeKind::Assign(value) => self.assigns_harmlessly(value).then_some(())?,
            NodeKind::Test(body) | NodeKind::Not(body) => self.is_harmless_test(body).then_some(())?,
            NodeKind::PointsAt(_)
            | NodeKind::Sees(_)
            | NodeKind::ToMove(_)
            | NodeKind::Irreversible
            | NodeKind::Forcing(false)
            | NodeKind::Ending(_) => {}
            NodeKind::Find(_)
            | NodeKind::MoveTo(..)
            | NodeKind::Repeat { .. }
            | NodeKind::While(..)
            | NodeKind::DoWhile(..)
            | NodeKind::Branch { .. }
            | NodeKind::Assert(_)
            | NodeKind::Match(_)
            | NodeKind::Score(_)
            | NodeKind::Most(..)
            | NodeKind::Cycle(_)
            | NodeKind::Call(_) => return None,
        }
        Some(vec![way])
    }

    fn approach_each(
        &self,
        choices: &'program [Node],
        way: &Approach<'program>,
        turns: &mut Vec<Turn<'program>>,
        calls: usize,
    ) -> Option<Vec<Approach<'program>>> {
        let mut all = Vec::new();
        for choice in choices {
            all.extend(self.approach(choice, way.clone(), turns, calls)?);
        }
        Some(all)
    }

    /// Steps over some pieces as far as it goes, in a straight line: a field that was written is not passed again.
    fn approach_sliding(&self, once: bool, body: &'program Node, way: &mut Approach<'program>) -> Option<()> {
        let statements = self.opened(body, &|rule| !self.compiler.recursive[rule]);
        let [step, over] = &statements[..] else { return None };
        let (NodeKind::Step { backward }, NodeKind::PointsAt(set)) = (&step.kind, &over.kind) else {
            return None;
        };
        let direction = self.direction_of(way.direction?, *backward);
        let is_straight = way.moves.iter().all(|step| match step {
            Move::Step(before) | Move::Slide(before, _) => *before == direction,
            _ => true,
        });
        let over = set.codes[self.mover.index()];
        let is_covered = over == 0 || self.compiler.layout.wide_cover(over).is_some();
        if way.wrote_elsewhere || way.wrote && !is_straight || !is_covered {
            return None;
        }
        if once {
            way.moves.push(Move::Step(direction));
        }
        way.moves.push(Move::Slide(direction, over));
        way.codes = self.compiler.all_codes();
        Some(())
    }

    /// Something is put on the finger's field. A piece of the opponent that comes back would have to be looked at
    /// closely.
    fn place(
        &self,
        codes: u128,
        way: &mut Approach<'program>,
        turns: &mut Vec<Turn<'program>>,
    ) -> Option<()> {
        let opponents = self.compiler.codes_of(self.mover.opponent());
        if self.goal == Some(Goal::Taking) && codes & opponents != 0 {
            return None;
        }
        write(way, turns);
        Some(())
    }

    fn direction_of(&self, direction: i32, backward: bool) -> Direction {
        let turn = if backward { 4 } else { 0 } + if self.rotated() { 4 } else { 0 };
        Direction::new(direction + turn)
    }

    // ---- backwards, when the code runs

    fn cost_back(&self, step: &Move<'program>) -> usize {
        let of_step = |direction: Direction| 3 * distances(&self.steps(direction)).len();
        match step {
            Move::Step(direction) => of_step(*direction),
            Move::Slide(direction, _) => match self.doubling(*direction) {
                Some((_, _, rounds)) => 5 * rounds + of_step(*direction),
                None => (of_step(*direction) + 2) * self.longest_ray(),
            },
            _ => 1,
        }
    }

    /// Takes out the turns that are like others, and those that make no move a wanted one.
    fn keep_useful(&self, turns: &mut Vec<Turn<'program>>) {
        let opponents = self.compiler.codes_of(self.mover.opponent());
        let kind = |turn: &Turn<'program>| turn.codes.map(|codes| codes & opponents != 0);
        let mut kept: Vec<Turn<'program>> = Vec::new();
        for turn in turns.drain(..) {
            let is_useful = match kind(&turn) {
                None => self.goal != Some(Goal::Taking),
                Some(takes) => takes,
            };
            let is_new = || {
                kept.iter().all(|other| kind(other) != kind(&turn) || !same_moves(&other.moves, &turn.moves))
            };
            if is_useful && is_new() {
                kept.push(turn);
            }
        }
        *turns = kept;
    }

    /// Where a write makes a move a wanted one; `None` if it never does.
    fn wanted_at(&mut self, turn: &Turn<'program>, state: &State) -> Option<Vec<Value>> {
        let words = self.compiler.layout.set_words;
        let opponents = self.compiler.codes_of(self.mover.opponent());
        let takes = turn.codes.is_some_and(|codes| codes & opponents != 0);
        if self.goal == Some(Goal::Taking) {
            return takes.then(|| (0..words).map(|word| self.wanted_field(word)).collect());
        }
        if turn.codes.is_none() {
            return Some(vec![self.number(Number::Known(-1)); words]);
        }
        takes.then(|| self.words_with(opponents, state))
    }

    /// A word of the set of the one field that is wanted.
    fn wanted_field(&mut self, word: usize) -> Value {
        let wanted = self.load_context(slot::WANTED);
        let (one, zero) = (self.number(Number::Known(1)), self.number(Number::Known(0)));
        let bit = self.builder.ins().ishl(one, wanted);
        let its_word = self.builder.ins().ushr_imm_s(wanted, 6);
        let is_here = self.is(IntCC::Equal, its_word, word as i64);
        self.builder.ins().select(is_here, bit, zero)
    }

    /// Where ways begin that end on these fields.
    fn back(&mut self, moves: &[Move<'program>], mut fields: Vec<Value>, state: &State) -> Vec<Value> {
        for step in moves.iter().rev() {
            fields = match step {
                Move::Step(direction) => self.fields_before(&fields, *direction),
                Move::Slide(direction, over) => {
                    let over_fields = self.words_with(*over, state);
                    let reached = self.both(fields.clone(), over_fields);
                    let opposite = Direction::new(direction.index() as i32 + 4);
                    let passed = self.slide_all(reached, opposite, *over, state);
                    let before = self.fields_before(&passed, *direction);
                    let both = fields.into_iter().zip(before);
                    both.map(|(here, before)| self.builder.ins().bor(here, before)).collect()
                }
                Move::On(mask) => {
                    let mask = mask.iter().map(|&word| self.number(Number::Known(word as i64))).collect();
                    self.both(fields, mask)
                }
                Move::Stay(_) | Move::Avoid(_) | Move::Pass(..) => fields,
            };
        }
        fields
    }

    /// The fields from which a step leads to one of these.
    fn fields_before(&mut self, fields: &[Value], direction: Direction) -> Vec<Value> {
        let zero = self.number(Number::Known(0));
        let mut before = vec![zero; fields.len()];
        for (distance, starts) in distances(&self.steps(direction)) {
            for word in (0..fields.len()).filter(|&word| starts[word] != 0) {
                let shifted = self.shifted_word(fields, word, distance);
                let starts = self.number(Number::Known(starts[word] as i64));
                let here = self.builder.ins().band(shifted, starts);
                before[word] = self.builder.ins().bor(before[word], here);
            }
        }
        before
    }
}

fn same_moves(one: &[Move<'_>], other: &[Move<'_>]) -> bool {
    one.len() == other.len()
        && one.iter().zip(other).all(|pair| match pair {
            (Move::Step(one), Move::Step(other)) => one == other,
            (Move::Slide(one, over), Move::Slide(other, under)) => one == other && over == under,
            (Move::On(one), Move::On(other)) => one == other,
            _ => false,
        })
}

/// The finger's field is written.
fn write<'program>(way: &mut Approach<'program>, turns: &mut Vec<Turn<'program>>) {
    turns.push(Turn { moves: way.moves.clone(), codes: Some(way.codes) });
    let is_elsewhere = way.moves.iter().any(|step| matches!(step, Move::Step(_) | Move::Slide(..)));
    (way.wrote, way.wrote_elsewhere) = (true, way.wrote_elsewhere || is_elsewhere);
}
