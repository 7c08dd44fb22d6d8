//! Following chains of pieces.
//!
//! A rule that replaces a piece and calls itself for every neighbour of the same kind marks a whole group: who has
//! connected two edges, whose pieces are in one group. In a test that only asks where the marks are, the group is
//! found by letting a field set grow until it does not grow any more; nothing is written.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{Block, BlockArg, InstBuilder, Value};
use game::{Direction, Field};
use rules::ir::{Node, NodeKind, PieceSet};
use rules::passes::fields::is_of_field;
use rules::walk;

use super::analysis::Effects;
use super::function::{Compiled, FunctionCompiler, InvariantKind};
use super::passing::distances;
use super::state::{Number, State};

/// A rule that marks a group.
pub(crate) struct Flood {
    /// What belongs to the group.
    members: u128,
    /// What marks it; a code.
    mark: i64,
    /// Where the neighbours are, absolute.
    directions: Vec<Direction>,
}

/// More fields than this would be followed deeper than rules may call each other.
const FIELDS_MAX: usize = 2_000;

/// A test is answered before any move if it may be asked so often.
const TIMES_LEAST: f64 = 8.0;

impl<'program> FunctionCompiler<'_, '_, 'program> {
    /// Whether a test marks groups and then only asks where the marks are.
    pub(crate) fn is_flood_test(&self, body: &'program Node) -> bool {
        if self.tracking.is_some() || !self.compiler.options.whole_board_tests {
            return false;
        }
        let nodes = self.opened(body, &|rule| !self.compiler.recursive[rule]);
        let is_flood = |node: &&Node| matches!(node.kind, NodeKind::Call(rule) if self.flood(rule).is_some());
        let Some(place) = nodes.iter().position(is_flood) else { return false };
        let reads_only = |node: &&'program Node| {
            !Effects::of(self.compiler, self.mover, &[node]).memory() && !self.calls_recursive(node)
        };
        nodes[..place].iter().all(reads_only) && nodes[place + 1..].iter().all(|node| self.asks_sets(node, 0))
    }

    /// A test that finds the beginning of a group itself is answered once for the position, and asked again only after
    /// moves that change a field set that it looks at: in lines of action, the opponent's pieces hang together as
    /// before unless one is captured. False: it is no such test, and nothing was written.
    pub(crate) fn test_if_sets_differ(
        &mut self,
        body: &'program Node,
        state: &State,
        yes: Block,
    ) -> Compiled<bool> {
        if !self.from_position || self.times < TIMES_LEAST {
            return Ok(false);
        }
        let Some(asked) = self.sets_asked(body) else { return Ok(false) };
        let words = self.compiler.layout.set_words;
        let mut difference = None;
        for place in asked.into_iter().flat_map(|set| set * words..(set + 1) * words) {
            let (before, now) = (self.loaded.sets[place], state.sets[place]);
            if before != now {
                let here = self.builder.ins().bxor(before, now);
                difference = Some(match difference {
                    None => here,
                    Some(other) => self.builder.ins().bor(other, here),
                });
            }
        }
        let answer = self.invariant(InvariantKind::Answer(body));
        let (known, no) = (self.builder.create_block(), self.builder.create_block());
        match difference {
            None => {
                self.builder.ins().jump(known, &[]);
            }
            Some(difference) => {
                let ask = self.builder.create_block();
                self.builder.ins().brif(difference, ask, &[], known, &[]);
                self.builder.switch_to_block(ask);
                self.inline_test(body, state, yes)?;
                self.builder.ins().jump(no, &[]);
            }
        }
        self.builder.switch_to_block(known);
        let answer = self.builder.ins().stack_load(I64, I64, answer, 0);
        self.builder.ins().brif(answer, yes, &[], no, &[]);
        self.builder.switch_to_block(no);
        Ok(true)
    }

    /// The kept sets that decide a test that finds a piece, marks its group, and asks for the marks; `None` if anything
    /// else may decide it, or if it can go wrong.
    fn sets_asked(&self, body: &'program Node) -> Option<Vec<usize>> {
        let nodes = self.opened(body, &|rule| !self.compiler.recursive[rule]);
        let [first, follow, others @ ..] = &nodes[..] else { return None };
        let found = found_piece(first)?.codes[self.mover.index()];
        let NodeKind::Call(rule) = follow.kind else { return None };
        let flood = self.flood(rule)?;
        let mut asked = self.compiler.layout.cover(flood.members)?;
        asked.push(self.kept_set(found)?);
        for node in others {
            self.sets_asked_by(node, &mut asked)?;
        }
        asked.sort_unstable();
        asked.dedup();
        Some(asked)
    }

    /// The same for a statement behind the marks: see `asks_sets`.
    fn sets_asked_by(&self, node: &'program Node, asked: &mut Vec<usize>) -> Option<()> {
        let mut whole = Some(());
        walk::for_each_node(node, &mut |node| match &node.kind {
            NodeKind::Find(set) => match self.kept_set(set.codes[self.mover.index()]) {
                Some(set) => asked.push(set),
                None => whole = None,
            },
            NodeKind::Call(_) => whole = None,
            _ => {}
        });
        whole.filter(|()| self.asks_sets(node, 0))
    }

    /// Whether a statement looks at field sets and at the finger's place only.
    fn asks_sets(&self, node: &'program Node, depth: usize) -> bool {
        let inside = |node: &'program Node| depth < 8 && self.asks_sets(node, depth + 1);
        match &node.kind {
            NodeKind::Sequence(nodes) | NodeKind::Either(nodes) => nodes.iter().all(inside),
            NodeKind::Test(body) | NodeKind::Not(body) => inside(body),
            NodeKind::Call(rule) if !self.compiler.recursive[*rule] => {
                inside(&self.compiler.program.functions[*rule].body)
            }
            NodeKind::Find(set) => self.kept_set(set.codes[self.mover.index()]).is_some(),
            NodeKind::OnFields(_) | NodeKind::ToMove(_) => true,
            _ => false,
        }
    }

    /// How a rule marks a group, if that is what it does.
    pub(crate) fn flood(&self, rule: usize) -> Option<Flood> {
        let program = self.compiler.program;
        let mover = self.mover.index();
        if self.compiler.layout.fields > FIELDS_MAX || !self.compiler.tables.steps_are_reversible {
            return None;
        }
        let mut nodes = Vec::new();
        flatten(&program.functions[rule].body, &mut nodes);
        let [replace, ways @ ..] = &nodes[..] else { return None };
        let NodeKind::Replace(mark) = &replace.kind else { return None };
        let mark = mark[mover];
        let turn = |index: usize| match ways.get(2 * index + 1).map(|node| &node.kind) {
            Some(NodeKind::Turn(eighths @ (1 | -1))) => Some(*eighths),
            _ => None,
        };
        let goes_round =
            ways.len() == 16 && (0..8).all(|index| turn(index).is_some() && turn(index) == turn(0));
        let (members, directions) = if goes_round {
            // All around, and where it looks in the end is where it looked in the beginning.
            let mut all = ways.iter().step_by(2).map(|attempt| self.way(rule, attempt, false));
            let members = all.next()??;
            let is_same = all.all(|own| own == Some(members));
            (is_same.then_some(members)?, (0..8).map(Direction::new).collect::<Vec<_>>())
        } else {
            let mut members = None;
            let mut directions = Vec::new();
            for attempt in ways {
                let (own, direction) = self.way_in_direction(rule, attempt)?;
                if *members.get_or_insert(own) != own {
                    return None;
                }
                directions.push(Direction::new(self.absolute(direction) as i32));
            }
            (members?, directions)
        };
        let back = |direction: &Direction| Direction::new(direction.index() as i32 + 4);
        let is_mutual = directions.iter().all(|direction| directions.contains(&back(direction)));
        let known = self.compiler.layout.cover(members).is_some();
        (is_mutual && known && members & mark.bit() == 0 && members & 1 == 0).then_some(Flood {
            members,
            mark: i64::from(mark.0),
            directions,
        })
    }

    /// `try [ direction, step, points at members, the rule itself, opposite direction, step ]`.
    fn way_in_direction(&self, rule: usize, node: &'program Node) -> Option<(u128, i32)> {
        let NodeKind::Try(body, _) = &node.kind else { return None };
        let nodes = self.opened(body, &|called| called != rule);
        let [first, .., back, step] = nodes[..] else { return None };
        let (NodeKind::Directions(there), NodeKind::Directions(home)) = (&first.kind, &back.kind) else {
            return None;
        };
        let ([there], [home]) = (&there[..], &home[..]) else { return None };
        let is_back = Direction::new(there + 4) == Direction::new(*home)
            && matches!(step.kind, NodeKind::Step { backward: false });
        let members = self.way(rule, node, true)?;
        is_back.then_some((members, *there))
    }

    /// `try [ step, points at members, the rule itself, step backward ]`, or the same with directions given.
    fn way(&self, rule: usize, node: &'program Node, has_directions: bool) -> Option<u128> {
        let NodeKind::Try(body, nothing) = &node.kind else { return None };
        if !matches!(&nothing.kind, NodeKind::Sequence(nodes) if nodes.is_empty()) {
            return None;
        }
        let nodes = self.opened(body, &|called| called != rule);
        let (step, set, again) = match nodes[..] {
            [step, set, again, back]
                if !has_directions && matches!(back.kind, NodeKind::Step { backward: true }) =>
            {
                (step, set, again)
            }
            [_, step, set, again, _, _] if has_directions => (step, set, again),
            _ => return None,
        };
        let is_way = matches!(step.kind, NodeKind::Step { backward: false })
            && matches!(again.kind, NodeKind::Call(called) if called == rule);
        match &set.kind {
            NodeKind::PointsAt(set) if is_way => Some(set.codes[self.mover.index()]),
            _ => None,
        }
    }

    /// Marks the group of the finger's field, in the field sets only.
    pub(crate) fn mark_group(&mut self, flood: &Flood, mut state: State) -> Option<State> {
        if !self.finger_is_somewhere(&mut state) {
            return None;
        }
        let words = self.compiler.layout.set_words;
        let members: Vec<Value> =
            (0..words).map(|word| self.fields_with(flood.members, word, &state)).collect();
        let zero = self.number(Number::Known(0));
        let start: Vec<BlockArg> = (0..words)
            .map(|word| BlockArg::Value(self.bit_in_word(state.finger, word).unwrap_or(zero)))
            .collect();
        let (header, done) = (self.builder.create_block(), self.builder.create_block());
        let group: Vec<Value> = (0..words).map(|_| self.builder.append_block_param(header, I64)).collect();
        self.builder.ins().jump(header, &start);
        self.builder.switch_to_block(header);
        let mut near = vec![zero; words];
        for direction in &flood.directions {
            let geometry = &self.compiler.program.info.geometry;
            let steps: Vec<Option<Field>> = (0..self.compiler.layout.fields as Field)
                .map(|field| if geometry.is_used(field) { geometry.step(field, *direction) } else { None })
                .collect();
            for (distance, starts) in distances(&steps) {
                for word in (0..words).filter(|&word| starts[word] != 0) {
                    let shifted = self.shifted_word(&group, word, distance);
                    let starts = self.number(Number::Known(starts[word] as i64));
                    let here = self.builder.ins().band(shifted, starts);
                    near[word] = self.builder.ins().bor(near[word], here);
                }
            }
        }
        let mut more = zero;
        let mut larger = Vec::new();
        for word in 0..words {
            let joining = self.builder.ins().band(near[word], members[word]);
            let new = self.builder.ins().band_not(joining, group[word]);
            more = self.builder.ins().bor(more, new);
            larger.push(BlockArg::Value(self.builder.ins().bor(group[word], new)));
        }
        let grows = self.is(IntCC::NotEqual, more, 0);
        self.builder.ins().brif(grows, header, &larger, done, &[]);
        self.builder.switch_to_block(done);
        for (index, &set) in self.compiler.layout.sets.clone().iter().enumerate() {
            for (word, &marked) in group.iter().enumerate() {
                let place = index * words + word;
                state.sets[place] = if set & (1 << flood.mark) != 0 {
                    self.builder.ins().bor(state.sets[place], marked)
                } else {
                    self.builder.ins().band_not(state.sets[place], marked)
                };
            }
        }
        // The board is not what the sets say: only they are asked from here on.
        state.writes = None;
        state.stored = 0;
        state.last_step = None;
        state.codes = 1 << flood.mark;
        Some(state)
    }
}

/// The pieces that a statement looks for on the board, if it does only that and cannot go wrong.
fn found_piece(node: &Node) -> Option<&PieceSet> {
    match &node.kind {
        NodeKind::Find(set) => Some(set),
        NodeKind::Most(value, body) if is_of_field(value) => match &body.kind {
            NodeKind::Find(set) => Some(set),
            _ => None,
        },
        _ => None,
    }
}

/// Statements one after the other, without brackets, loops of a fixed length written out.
fn flatten<'program>(node: &'program Node, nodes: &mut Vec<&'program Node>) {
    match &node.kind {
        NodeKind::Sequence(inner) => inner.iter().for_each(|node| flatten(node, nodes)),
        NodeKind::Repeat { least, most: Some(most), body } if least == most && *most <= 8 => {
            (0..*most).for_each(|_| flatten(body, nodes));
        }
        _ => nodes.push(node),
    }
}
