//! Tests made for all fields at once: the fields from which a test succeeds, as field sets.
//!
//! A test that steps from the finger's field and looks at what stands there is followed for all fields together.
//! For every field where it could begin, it is known when the rules are compiled where the finger is; what stands
//! there is a shifted field set. [`Plan`] is what such a test asks; code is written from the plan.

use std::rc::Rc;

use cranelift_codegen::ir::InstBuilder;
use cranelift_codegen::ir::{StackSlot, Value};
use game::{Direction, Field};
use rules::ir::{Node, NodeKind, Sight};
use rustc_hash::{FxHashMap, FxHashSet};

use super::function::{FunctionCompiler, InvariantKind};
use super::state::{Number, State};

/// Operations on words that a test may take.
const OPERATIONS_MAX: usize = 2_000;

/// Ways through a test that are followed.
const WAYS_MAX: usize = 64;

/// Rounds of loops that are followed.
const ROUNDS_MAX: usize = 32;

/// Where the finger is, by the field of the beginning; `None`: the test has failed.
pub(crate) type Fingers = Rc<[Option<Field>]>;

/// A test that has come to some place, for every field where it could begin.
#[derive(Clone, Debug)]
pub(crate) struct Way<'program> {
    pub(crate) fingers: Fingers,
    /// As the mover sees it.
    direction: Option<i32>,
    /// What has been asked so far; all must hold.
    questions: Vec<Question<'program>>,
    /// What stands on the field of the beginning, if that is known.
    here: Option<u128>,
    /// Whether whatever is written is taken back afterwards.
    in_test: bool,
}

impl Way<'_> {
    /// Whether it can be gone whatever the board looks like, except where the board ends.
    pub(crate) fn asks_nothing(&self) -> bool {
        self.questions.is_empty()
    }
}

/// Whether a test goes on, by the field of the beginning.
#[derive(Clone, Debug)]
pub(crate) enum Question<'program> {
    /// One of the pieces is where the finger is.
    Piece(u128, Fingers),
    /// Something is to be seen from the beginning.
    Sees(&'program Sight),
    /// One of these ways exists.
    Any(Vec<Way<'program>>),
    /// None of these ways exists.
    Never(Vec<Way<'program>>),
}

/// A test as questions about field sets.
pub(crate) struct Plan<'program> {
    ways: Vec<Way<'program>>,
    /// The piece sets that are asked for.
    pub(crate) asks: Vec<u128>,
    /// Whether the field of the beginning is asked about.
    pub(crate) asks_beginning: bool,
    /// Operations on words, roughly.
    pub(crate) operations: usize,
}

/// Sets that were computed already.
type Known = FxHashMap<(u128, Fingers), Vec<Value>>;

impl<'program> FunctionCompiler<'_, '_, 'program> {
    /// How to make a test for all fields at once; `None` if it depends on more than finger and board. `here`: what is
    /// known to stand on the field of the beginning, whatever the position says.
    pub(crate) fn plan(&self, node: &'program Node, here: Option<u128>) -> Option<Plan<'program>> {
        let ways = self.ways(node, Way { here, ..self.first_way() })?;
        let plan = self.plan_of(ways)?;
        let covered =
            plan.asks.iter().all(|&codes| codes == 0 || self.compiler.layout.cover(codes).is_some());
        covered.then_some(plan)
    }

    /// A test that has not begun yet.
    pub(crate) fn first_way(&self) -> Way<'program> {
        let geometry = &self.compiler.program.info.geometry;
        let fields = 0..self.compiler.layout.fields as Field;
        let fingers = fields.map(|field| geometry.is_used(field).then_some(field)).collect();
        Way { fingers, direction: None, questions: Vec::new(), here: None, in_test: false }
    }

    /// How to ask whether one of these ways can be gone; `None` if that is too much.
    pub(crate) fn plan_of(&self, ways: Vec<Way<'program>>) -> Option<Plan<'program>> {
        let mut plan = Plan { ways: Vec::new(), asks: Vec::new(), asks_beginning: false, operations: 0 };
        self.measure(&ways, &mut plan, &mut FxHashSet::default());
        plan.ways = ways;
        let covered =
            plan.asks.iter().all(|&codes| codes == 0 || self.compiler.layout.wide_cover(codes).is_some());
        (covered && plan.operations <= OPERATIONS_MAX).then_some(plan)
    }

    /// Follows a statement.
    pub(crate) fn ways(&self, node: &'program Node, way: Way<'program>) -> Option<Vec<Way<'program>>> {
        let mover = self.mover.index();
        let one = |way: Way<'program>| Some(vec![way]);
        let moved = |way: &Way<'program>, fingers: Fingers| Way { fingers, ..way.clone() };
        match &node.kind {
            NodeKind::Sequence(nodes) => self.sequence_of_ways(nodes, way),
            NodeKind::Either(choices) => {
                let mut all = Vec::new();
                for choice in choices {
                    all.extend(self.ways(choice, way.clone())?);
                }
                (all.len() <= WAYS_MAX).then_some(all)
            }
            NodeKind::Directions(directions) => Some(
                directions
                    .iter()
                    .map(|&direction| Way { direction: Some(direction), ..way.clone() })
                    .collect(),
            ),
            NodeKind::Turn(eighths) => {
                let direction = Some(way.direction? + eighths);
                one(Way { direction, ..way })
            }
            NodeKind::Step { backward } => {
                let turn = if *backward { 4 } else { 0 } + if self.rotated() { 4 } else { 0 };
                let direction = Direction::new(way.direction? + turn);
                let geometry = &self.compiler.program.info.geometry;
                let step = |finger: &Option<Field>| finger.and_then(|field| geometry.step(field, direction));
                let fingers = way.fingers.iter().map(step).collect();
                one(moved(&way, fingers))
            }
            NodeKind::PointsAt(set) => {
                let codes = set.codes[mover];
                let mut way = way;
                if way.here.is_some() && !self.is_at_beginning(&way) && self.may_be_at_beginning(&way) {
                    return None;
                }
                match way.here {
                    Some(here) if self.is_at_beginning(&way) => {
                        return match (here & codes != 0, here & !codes != 0) {
                            (true, false) => one(way),
                            (false, _) => Some(Vec::new()),
                            (true, true) => None,
                        };
                    }
                    _ => way.questions.push(Question::Piece(codes, way.fingers.clone())),
                }
                one(way)
            }
            // Only in thought: the field of the beginning holds something else for a while.
            NodeKind::Replace(codes) if way.in_test && self.is_at_beginning(&way) => {
                one(Way { here: Some(codes[mover].bit()), ..way })
            }
            NodeKind::OnFields(flags) => one(self.only_on(&flags[mover], &way)),
            NodeKind::Sees(sight) if self.is_at_beginning(&way) && self.can_see_all(sight) => {
                let mut way = way;
                way.questions.push(Question::Sees(sight));
                one(way)
            }
            NodeKind::Test(body) | NodeKind::Not(body) => {
                let start = Way { questions: Vec::new(), in_test: true, ..way.clone() };
                let ways = self.ways(body, start)?;
                let mut way = way;
                way.questions.push(match &node.kind {
                    NodeKind::Test(_) => Question::Any(ways),
                    _ => Question::Never(ways),
                });
                one(way)
            }
            NodeKind::Try(first, second) => {
                let start = Way { questions: Vec::new(), ..way.clone() };
                let tried = self.ways(first, start)?;
                let mut all = self.ways(first, way.clone())?;
                let mut otherwise = way;
                otherwise.questions.push(Question::Never(tried));
                all.extend(self.ways(second, otherwise)?);
                (all.len() <= WAYS_MAX).then_some(all)
            }
            NodeKind::Repeat { least, most: Some(most), body } if *most as usize <= ROUNDS_MAX => {
                let (mut now, mut all) = (vec![way], Vec::new());
                for round in 0..=*most {
                    if round >= *least {
                        all.extend(now.iter().cloned());
                    }
                    if round < *most {
                        now = self.each(body, now)?;
                    }
                }
                (all.len() <= WAYS_MAX).then_some(all)
            }
            NodeKind::While(condition, body) => self.while_ways(condition, body, way),
            NodeKind::Call(rule) if !self.compiler.recursive[*rule] => {
                self.ways(&self.compiler.program.functions[*rule].body, way)
            }
            NodeKind::ToMove(colour) => Some(if *colour == self.mover { vec![way] } else { Vec::new() }),
            _ => None,
        }
    }

    fn sequence_of_ways(&self, nodes: &'program [Node], way: Way<'program>) -> Option<Vec<Way<'program>>> {
        nodes.iter().try_fold(vec![way], |ways, node| self.each(node, ways))
    }

    fn each(&self, node: &'program Node, ways: Vec<Way<'program>>) -> Option<Vec<Way<'program>>> {
        let mut all = Vec::new();
        for way in ways {
            all.extend(self.ways(node, way)?);
        }
        (all.len() <= WAYS_MAX).then_some(all)
    }

    /// A loop whose rounds depend on the board's shape alone, such as `while step do nothing`.
    fn while_ways(
        &self,
        condition: &'program Node,
        body: &'program Node,
        way: Way<'program>,
    ) -> Option<Vec<Way<'program>>> {
        let mut now = way;
        for _ in 0..ROUNDS_MAX {
            let ways = self.each(body, self.ways(condition, now.clone())?)?;
            let [next] = &ways[..] else { return None };
            if next.questions.len() != now.questions.len() || next.direction != now.direction {
                return None;
            }
            if next.fingers.iter().all(Option::is_none) {
                return Some(vec![now]);
            }
            let fingers = next.fingers.iter().zip(now.fingers.iter()).map(|(next, now)| next.or(*now));
            now = Way { fingers: fingers.collect(), ..now };
        }
        None
    }

    fn only_on(&self, flags: &[bool], way: &Way<'program>) -> Way<'program> {
        let keep = |finger: &Option<Field>| finger.filter(|&field| flags[field as usize]);
        Way { fingers: way.fingers.iter().map(keep).collect(), ..way.clone() }
    }

    fn is_at_beginning(&self, way: &Way<'program>) -> bool {
        way.fingers
            .iter()
            .enumerate()
            .all(|(start, finger)| finger.is_none_or(|field| field as usize == start))
    }

    fn may_be_at_beginning(&self, way: &Way<'program>) -> bool {
        way.fingers.iter().enumerate().any(|(start, finger)| *finger == Some(start as Field))
    }

    /// Whether a sight can be had from all fields at once.
    fn can_see_all(&self, sight: &Sight) -> bool {
        self.compiler.layout.set_words == 1
            && match sight {
                Sight::Reach { .. } => true,
                Sight::Over { directions, .. } => {
                    self.compiler.tables.steps_max.is_some()
                        && directions.iter().all(|&direction| self.shift_of(direction).is_some())
                }
            }
    }

    fn measure(
        &self,
        ways: &[Way<'program>],
        plan: &mut Plan<'program>,
        known: &mut FxHashSet<(u128, Fingers)>,
    ) {
        let (words, mover) = (self.compiler.layout.set_words, self.mover.index());
        let ask = |plan: &mut Plan<'program>, codes: u128| {
            if !plan.asks.contains(&codes) {
                plan.asks.push(codes);
            }
        };
        for question in ways.iter().flat_map(|way| &way.questions) {
            plan.operations += words;
            match question {
                Question::Piece(codes, fingers) => {
                    ask(plan, *codes);
                    let begins = |(start, finger): (usize, &Option<Field>)| *finger == Some(start as Field);
                    plan.asks_beginning |= fingers.iter().enumerate().any(begins);
                    if known.insert((*codes, fingers.clone())) {
                        plan.operations += 4 * words * distances(fingers).len();
                    }
                }
                Question::Sees(Sight::Reach { fields, set }) => {
                    ask(plan, set.codes[mover]);
                    plan.operations += 3 * self.leaps(&fields[mover]).len();
                }
                Question::Sees(Sight::Over { directions, over, set, .. }) => {
                    ask(plan, over.codes[mover]);
                    ask(plan, set.codes[mover] & !over.codes[mover]);
                    plan.operations += 4 * directions.len() * self.longest_ray();
                }
                Question::Any(ways) | Question::Never(ways) => self.measure(ways, plan, known),
            }
        }
    }

    // ---- code

    /// The fields from which a planned test succeeds, one word after the other.
    pub(crate) fn fields_that_pass(&mut self, plan: &Plan<'program>, state: &State) -> Vec<Value> {
        self.any_way(&plan.ways, state, &mut Known::default())
    }

    /// The same before any move, computed once for a position.
    pub(crate) fn passing_before(&mut self, node: &'program Node, here: Option<u128>) -> StackSlot {
        self.invariant(InvariantKind::Passing(node, here))
    }

    fn any_way(&mut self, ways: &[Way<'program>], state: &State, known: &mut Known) -> Vec<Value> {
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

    fn answer(&mut self, question: &Question<'program>, state: &State, known: &mut Known) -> Vec<Value> {
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
    fn pieces_at(&mut self, codes: u128, fingers: &Fingers, state: &State) -> Vec<Value> {
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
    fn fields_that_see(&mut self, sight: &Sight, state: &State) -> Value {
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
                let over_fields = self.fields_with(over.codes[mover], 0, state);
                let wanted = self.fields_with(set.codes[mover] & !over.codes[mover], 0, state);
                let mut sum = self.number(Number::Known(0));
                for &direction in directions {
                    let Some((distance, starts)) = self.shift_of(direction) else { continue };
                    let starts = self.number(Number::Known(starts as i64));
                    // From the goal backwards: one more field that can be looked over in each round.
                    let shifted = self.shift(wanted, -distance);
                    let mut sees = self.builder.ins().band(shifted, starts);
                    for _ in 1..self.longest_ray() {
                        let through = self.builder.ins().band(over_fields, sees);
                        let shifted = self.shift(through, -distance);
                        let further = self.builder.ins().band(shifted, starts);
                        sees = self.builder.ins().bor(sees, further);
                    }
                    if *at_least_one {
                        let through = self.builder.ins().band(over_fields, sees);
                        let shifted = self.shift(through, -distance);
                        sees = self.builder.ins().band(shifted, starts);
                    }
                    sum = self.builder.ins().bor(sum, sees);
                }
                sum
            }
        }
    }

    fn shift(&mut self, fields: Value, distance: i64) -> Value {
        match distance {
            0 => fields,
            1.. => self.builder.ins().ishl_imm_s(fields, distance),
            _ => self.builder.ins().ushr_imm_s(fields, -distance),
        }
    }

    /// The most steps in one direction; 0 where a way goes round and round, and nobody follows it with field sets.
    pub(crate) fn longest_ray(&self) -> usize {
        self.compiler.tables.steps_max.unwrap_or(0)
    }

    /// The distance between neighbours in a direction, if it is the same everywhere, and the fields that have one.
    fn shift_of(&self, eighths: i32) -> Option<(i64, u64)> {
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
    fn leaps(&self, fields: &[Vec<u16>]) -> Vec<(i64, u64)> {
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

/// The beginnings whose finger is somewhere, as a field set.
fn mask(fingers: &[Option<Field>], words: usize) -> Vec<u64> {
    let mut mask = vec![0; words];
    for start in (0..fingers.len()).filter(|&start| fingers[start].is_some()) {
        mask[start / 64] |= 1 << (start % 64);
    }
    mask
}

/// How far fingers are from their beginnings, with the beginnings of each distance.
pub(crate) fn distances(fingers: &[Option<Field>]) -> Vec<(i64, Vec<u64>)> {
    let words = fingers.len().div_ceil(64);
    let mut all: Vec<(i64, Vec<u64>)> = Vec::new();
    for (start, finger) in fingers.iter().enumerate() {
        let Some(finger) = finger else { continue };
        let distance = i64::from(*finger) - start as i64;
        let index = all.iter().position(|&(known, _)| known == distance).unwrap_or_else(|| {
            all.push((distance, vec![0; words]));
            all.len() - 1
        });
        all[index].1[start / 64] |= 1 << (start % 64);
    }
    all
}
