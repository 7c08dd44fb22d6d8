//! Turning over rows of pieces.
//!
//! `step over some pieces to a certain one, and back again, replacing each of them` is the heart of Othello and its
//! relatives. Walked field by field, in eight directions, it takes longer than everything else together. Here the
//! pieces that are turned over in all directions are found by masks and bit scans, and stay a field set until the
//! result is written.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I8, I64};
use cranelift_codegen::ir::{BlockArg, InstBuilder, Value};
use game::moves::head_layout;
use rules::ir::{Node, NodeKind};

use super::Goal;
use super::emission::certain;
use super::function::{Compiled, FunctionCompiler, Next, TRUSTED};
use super::state::{Number, State, Turned};
use crate::layout::slot;

/// `try [ enclosed, step backward, do [ replace by x, step backward ] while points at over ]`, where `enclosed` leads
/// over some pieces to a certain one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Row {
    /// What is stepped over; one code.
    over: u128,
    /// What must come then.
    until: u128,
    /// What the pieces become; a code.
    by: i64,
}

impl<'program> FunctionCompiler<'_, '_, 'program> {
    /// Compiles a statement that turns over rows of pieces, if it is one and nothing behind it looks at the board. The
    /// state stays as it is otherwise.
    pub(crate) fn turn_rows(
        &mut self,
        node: &'program Node,
        others: &'program [Node],
        state: &mut State,
        next: &Next<'program>,
    ) -> Compiled<bool> {
        let Some((row, directions)) = self.rows(node, state) else { return Ok(false) };
        if !self.can_turn(row, state) || !self.is_calm(others, next) {
            return Ok(false);
        }
        let rays: Option<Vec<Ray>> = directions.iter().map(|&direction| self.ray(direction)).collect();
        let Some(rays) = rays else { return Ok(false) };
        let (over, until) = (self.fields_with(row.over, 0, state), self.fields_with(row.until, 0, state));
        let mut all = None;
        for ray in rays {
            let turned = self.enclosed(ray, state.finger, over, until);
            all = Some(match all {
                None => turned,
                Some(all) => self.builder.ins().bor(all, turned),
            });
        }
        let Some(fields) = all else { return Ok(false) };
        for (index, &set) in self.compiler.layout.sets.clone().iter().enumerate() {
            let (was, is) = (set & row.over != 0, set & (1 << row.by) != 0);
            state.sets[index] = match (was, is) {
                (true, false) => self.builder.ins().band_not(state.sets[index], fields),
                (false, true) => self.builder.ins().bor(state.sets[index], fields),
                _ => state.sets[index],
            };
        }
        state.turned = Some(Turned { fields, old: i64::from(row.over.trailing_zeros()), new: row.by });
        state.last_step = None;
        if let (NodeKind::Repeat { .. }, Number::Known(direction)) = (&node.kind, state.direction) {
            let eighths = rounds(node).map_or(0, |(times, eighths, _)| times as i64 * i64::from(eighths));
            state.direction = Number::Known((direction + eighths).rem_euclid(8));
        }
        Ok(true)
    }

    /// The row that a statement turns over in each of some absolute directions.
    fn rows(&self, node: &'program Node, state: &State) -> Option<(Row, Vec<i64>)> {
        let first = state.direction.known()?;
        let (times, eighths, body) = rounds(node).unwrap_or((1, 0, node));
        let row = self.row(body)?;
        let directions: Vec<i64> =
            (0..i64::from(times)).map(|round| (first + round * i64::from(eighths)).rem_euclid(8)).collect();
        let differ = (1..directions.len()).all(|index| !directions[..index].contains(&directions[index]));
        differ.then_some((row, directions))
    }

    fn row(&self, node: &'program Node) -> Option<Row> {
        let NodeKind::Try(body, nothing) = &node.kind else { return None };
        if !matches!(&nothing.kind, NodeKind::Sequence(nodes) if nodes.is_empty()) {
            return None;
        }
        let nodes = self.opened(body, &|rule| !self.compiler.recursive[rule]);
        let codes = |node: &Node| match &node.kind {
            NodeKind::PointsAt(set) => Some(set.codes[self.mover.index()]),
            _ => None,
        };
        let is_step =
            |node: &Node, back: bool| matches!(node.kind, NodeKind::Step { backward } if backward == back);
        let [step, first, run, last, back, turn] = nodes[..] else { return None };
        let NodeKind::DoWhile(on, while_over) = &run.kind else { return None };
        let NodeKind::DoWhile(replace, while_still) = &turn.kind else { return None };
        let NodeKind::Sequence(replace) = &replace.kind else { return None };
        let [replace, back_again] = &replace[..] else { return None };
        let NodeKind::Replace(by) = &replace.kind else { return None };
        let over = codes(first)?;
        let fits = is_step(step, false)
            && is_step(on, false)
            && is_step(back, true)
            && is_step(back_again, true)
            && codes(while_over) == Some(over)
            && codes(while_still) == Some(over);
        let by = by[self.mover.index()];
        let until = codes(last)?;
        (fits && over.count_ones() == 1 && over & (until | by.bit()) == 0).then_some(Row {
            over,
            until,
            by: i64::from(by.0),
        })
    }

    /// Whether the row ends at the finger's field, and everything that is needed is known.
    fn can_turn(&self, row: Row, state: &State) -> bool {
        let layout = &self.compiler.layout;
        let known = |codes: u128| codes != 0 && layout.cover(codes).is_some();
        let writes = state.writes.as_deref().unwrap_or(&[]);
        self.compiler.options.static_changes
            && self.compiler.options.whole_board_tests
            && self.compiler.options.known_pieces
            && self.tracking.is_none()
            && self.from_position
            && layout.set_words == 1
            && self.compiler.tables.steps_are_reversible
            && known(row.over)
            && known(row.until)
            && state.turned.is_none()
            && state.codes & row.over == 0
            && !state.finger_may_be_nowhere
            // There is a lead already, and no written field can be among those that are turned over.
            && !writes.is_empty()
            && writes.iter().all(|write| write.new_codes & row.over == 0)
    }

    /// Whether nothing that follows looks at the board or changes it.
    fn is_calm(&self, nodes: &[Node], next: &Next<'program>) -> bool {
        let calm = |node: &Node| match &node.kind {
            NodeKind::Irreversible
            | NodeKind::Forcing(_)
            | NodeKind::Ending(_)
            | NodeKind::Turn(_)
            | NodeKind::Directions(_) => self.is_single(node),
            NodeKind::Assign(_) => self.assigns_constant(node),
            _ => false,
        };
        nodes.iter().all(calm)
            && match next {
                Next::Goal(goal) => !matches!(goal, Goal::Evaluation | Goal::Feature(_)),
                Next::Statements(nodes, _, next) => self.is_calm(nodes, next),
                Next::Flag(_, next) => self.is_calm(&[], next),
                _ => false,
            }
    }

    /// All fields in a direction, by field; `None` if the way does not lead through the fields in order.
    fn ray(&self, direction: i64) -> Option<Ray> {
        let fields = self.compiler.layout.fields;
        let neighbours = &self.compiler.tables.neighbours;
        let to = |field: usize| neighbours[direction as usize * fields + field];
        let ups = |field: usize| to(field) < 0 || to(field) as usize > field;
        let downs = |field: usize| to(field) < 0 || (to(field) as usize) < field;
        let up = (0..fields).all(ups);
        if !up && !(0..fields).all(downs) {
            return None;
        }
        let ray = |start: usize| {
            let (mut field, mut bits) = (start, 0_u64);
            while to(field) >= 0 {
                field = to(field) as usize;
                bits |= 1 << field;
            }
            bits as i64
        };
        Some(Ray { up, table: (0..fields).map(ray).collect() })
    }

    /// The fields between the finger and the first one that is not stepped over, if that holds the right piece.
    fn enclosed(&mut self, ray: Ray, finger: Number, over: Value, until: Value) -> Value {
        let table = ray.table.as_ptr();
        let all = match finger {
            Number::Known(field) => self.number(Number::Known(ray.table[field as usize])),
            finger => self.element_i64(table, finger),
        };
        self.compiler.tables.made.push(ray.table);
        let others = self.builder.ins().band_not(all, over);
        let (end, between) = if ray.up {
            let negative = self.builder.ins().ineg(others);
            let end = self.builder.ins().band(others, negative);
            let below = self.add_known(end, -1);
            (end, self.builder.ins().band(all, below))
        } else {
            let zeros = self.builder.ins().clz(others);
            let highest = self.number(Number::Known(i64::MIN));
            let end = self.builder.ins().ushr(highest, zeros);
            let end = self.builder.ins().band(end, others);
            let twice = self.builder.ins().iadd(end, end);
            let above = self.builder.ins().ineg(twice);
            (end, self.builder.ins().band(all, above))
        };
        let closed = self.builder.ins().band(end, until);
        let none = self.number(Number::Known(0));
        self.builder.ins().select(closed, between, none)
    }

    /// Whether a statement turns over rows and has exactly one result, with such a piece on the finger's field.
    pub(crate) fn turns_rows(&self, node: &'program Node, here: Option<u128>) -> bool {
        let (_, _, body) = rounds(node).unwrap_or((1, 0, node));
        let row = self.row(body);
        row.is_some_and(|row| here.is_some_and(|here| here & row.over == 0))
            && self.compiler.tables.steps_are_reversible
            && self.compiler.tables.steps_max.is_some()
    }

    /// The keys of turned pieces, added to a sum; the fields get their new codes in the mailbox at an address, if there
    /// is one.
    pub(crate) fn turn(&mut self, turned: Turned, sum: Option<Value>, mailbox: Option<Value>) -> Value {
        let (old, new) = (turned.old as usize, turned.new as usize);
        let codes = self.compiler.layout.codes;
        let keys = &self.compiler.tables.field_keys;
        let table: Box<[i64]> = (0..self.compiler.layout.fields)
            .map(|field| (keys[field * codes + old] ^ keys[field * codes + new]) as i64)
            .collect();
        let pointer = table.as_ptr();
        self.compiler.tables.made.push(table);
        self.for_each_turned(turned.fields, sum, |function, field, sum| {
            if let Some(mailbox) = mailbox {
                let address = function.builder.ins().iadd(mailbox, field);
                let code = function.builder.ins().iconst(I8, turned.new);
                function.builder.ins().store(TRUSTED, code, address, 0);
            }
            sum.map(|sum| {
                let key = function.element_i64(pointer, Number::Computed(field));
                function.builder.ins().bxor(sum, key)
            })
        })
    }

    /// Adds a move to the list that puts a piece on a field and turns others over to the same, without looking at the
    /// board. False: it is not such a move.
    pub(crate) fn emit_turned(&mut self, state: &State) -> Compiled<bool> {
        let (Some(turned), Some([write])) = (state.turned, state.writes.as_deref()) else { return Ok(false) };
        let (Number::Known(old), Number::Known(new)) = (write.old, write.new) else { return Ok(false) };
        let is_plain = new == turned.new && certain(write) && !state.field_properties_written;
        if !is_plain || !self.compiler.options.static_changes || self.compiler.layout.set_words != 1 {
            return Ok(false);
        }
        let compares = self.compares(state)?;
        let signature = self.signature_difference(std::slice::from_ref(write), state);
        self.make_room(self.compiler.layout.stored_slots + self.compiler.layout.scalars.len())?;
        let (head, first) = (self.load_context(slot::HEADS_NEXT), self.load_context(slot::CHANGES_NEXT));
        let field = self.number(write.field);
        let one = self.number(Number::Known(1));
        let placed = self.builder.ins().ishl(one, field);
        let all = self.builder.ins().bor(turned.fields, placed);
        let [put, turn] = [old, turned.old].map(|old| self.number(Number::Known(old << 24 | new)));
        let at = self.for_each_turned(all, Some(first), |function, bit, at| {
            let is_put = function.builder.ins().icmp(IntCC::Equal, bit, field);
            let codes = function.builder.ins().select(is_put, put, turn);
            let place = function.builder.ins().ishl_imm_s(bit, 48);
            let word = function.builder.ins().bor(place, codes);
            at.map(|at| {
                function.builder.ins().store(TRUSTED, word, at, 0);
                function.builder.ins().iadd_imm_s(at, 8)
            })
        });
        let at = self.scalar_changes(state, at);
        self.store_head(state, head, signature, first, at);
        let after = self.builder.ins().iadd_imm_s(head, head_layout::SIZE as i64);
        self.store_context(after, slot::HEADS_NEXT);
        self.store_context(at, slot::CHANGES_NEXT);
        if compares {
            let done = self.builder.create_block();
            self.filter(signature, done, self.compiler.helpers.drop_double);
            self.builder.switch_to_block(done);
        }
        Ok(true)
    }

    /// Turned pieces become what they were in the mailbox at an address.
    pub(crate) fn turn_back(&mut self, turned: Turned, mailbox: Value) {
        self.for_each_turned(turned.fields, None, |function, field, _| {
            let address = function.builder.ins().iadd(mailbox, field);
            let code = function.builder.ins().iconst(I8, turned.old);
            function.builder.ins().store(TRUSTED, code, address, 0);
            None
        });
    }

    /// A loop over the fields of a set that carries a sum. Returns the sum.
    fn for_each_turned(
        &mut self,
        fields: Value,
        sum: Option<Value>,
        each: impl FnOnce(&mut Self, Value, Option<Value>) -> Option<Value>,
    ) -> Value {
        let start = sum.unwrap_or_else(|| self.number(Number::Known(0)));
        let (header, body, done) =
            (self.builder.create_block(), self.builder.create_block(), self.builder.create_block());
        let left = self.builder.append_block_param(header, I64);
        let so_far = self.builder.append_block_param(header, I64);
        self.builder.ins().jump(header, &[BlockArg::Value(fields), BlockArg::Value(start)]);
        self.builder.switch_to_block(header);
        self.builder.ins().brif(left, body, &[], done, &[]);
        self.builder.switch_to_block(body);
        let field = self.builder.ins().ctz(left);
        let less = self.builder.ins().iadd_imm_s(left, -1);
        let rest = self.builder.ins().band(left, less);
        let after = each(self, field, sum.map(|_| so_far)).unwrap_or(so_far);
        self.builder.ins().jump(header, &[BlockArg::Value(rest), BlockArg::Value(after)]);
        self.builder.switch_to_block(done);
        so_far
    }
}

/// Fields in a direction.
struct Ray {
    /// Whether each step leads to a higher field.
    up: bool,
    table: Box<[i64]>,
}

/// `repeat n times [ statement, turn ]`: how often, how far it turns, and the statement.
fn rounds(node: &Node) -> Option<(u32, i32, &Node)> {
    let NodeKind::Repeat { least, most: Some(most), body } = &node.kind else { return None };
    let NodeKind::Sequence(nodes) = &body.kind else { return None };
    let [statement, turn] = &nodes[..] else { return None };
    let NodeKind::Turn(eighths) = turn.kind else { return None };
    (least == most && (1..=8).contains(least)).then_some((*least, eighths, statement))
}
