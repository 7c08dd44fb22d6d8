//! Tests made for all fields at once: the fields from which a test succeeds, as field sets.
//!
//! A test that steps from the finger's field and looks at what stands there is followed for all fields together.
//! For every field where it could begin, it is known when the rules are compiled where the finger is; what stands
//! there is a shifted field set. [`Plan`] is what such a test asks; code is written from the plan.

use std::rc::Rc;

use cranelift_codegen::ir::Value;
use game::{Direction, Field};
use rules::ir::{Node, NodeKind, Sight};
use rustc_hash::{FxHashMap, FxHashSet};

use super::function::FunctionCompiler;

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
    pub(crate) direction: Option<i32>,
    /// What has been asked so far; all must hold.
    pub(crate) questions: Vec<Question<'program>>,
    /// What stands on the field of the beginning, if that is known.
    pub(crate) here: Option<u128>,
    /// Whether whatever is written is taken back afterwards.
    pub(crate) in_test: bool,
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
    pub(crate) ways: Vec<Way<'program>>,
    /// The piece sets that are asked for.
    pub(crate) asks: Vec<u128>,
    /// Whether the field of the beginning is asked about.
    pub(crate) asks_beginning: bool,
    /// Operations on words, roughly.
    pub(crate) operations: usize,
}

/// Sets that were computed already.
pub(crate) type Known = FxHashMap<(u128, Fingers), Vec<Value>>;

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
            NodeKind::Step { backward } => one(self.stepped(*backward, way)?),
            NodeKind::PointsAt(set) => self.pointing_at(set.codes[mover], way),
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
                self.repeated_ways((*least, *most), body, way)
            }
            NodeKind::While(condition, body) => self.while_ways(condition, body, way),
            NodeKind::Call(rule) if !self.compiler.recursive[*rule] => {
                self.ways(&self.compiler.program.functions[*rule].body, way)
            }
            NodeKind::ToMove(colour) => Some(if *colour == self.mover { vec![way] } else { Vec::new() }),
            _ => None,
        }
    }

    fn stepped(&self, backward: bool, way: Way<'program>) -> Option<Way<'program>> {
        let turn = if backward { 4 } else { 0 } + if self.rotated() { 4 } else { 0 };
        let direction = Direction::new(way.direction? + turn);
        let geometry = &self.compiler.program.info.geometry;
        let step = |finger: &Option<Field>| finger.and_then(|field| geometry.step(field, direction));
        let fingers = way.fingers.iter().map(step).collect();
        Some(Way { fingers, ..way })
    }

    fn pointing_at(&self, codes: u128, mut way: Way<'program>) -> Option<Vec<Way<'program>>> {
        if way.here.is_some() && !self.is_at_beginning(&way) && self.may_be_at_beginning(&way) {
            return None;
        }
        match way.here {
            Some(here) if self.is_at_beginning(&way) => {
                return match (here & codes != 0, here & !codes != 0) {
                    (true, false) => Some(vec![way]),
                    (false, _) => Some(Vec::new()),
                    (true, true) => None,
                };
            }
            _ => way.questions.push(Question::Piece(codes, way.fingers.clone())),
        }
        Some(vec![way])
    }

    fn repeated_ways(
        &self,
        (least, most): (u32, u32),
        body: &'program Node,
        way: Way<'program>,
    ) -> Option<Vec<Way<'program>>> {
        let (mut now, mut all) = (vec![way], Vec::new());
        for round in 0..=most {
            if round >= least {
                all.extend(now.iter().cloned());
            }
            if round < most {
                now = self.each(body, now)?;
            }
        }
        (all.len() <= WAYS_MAX).then_some(all)
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
                    let tables = &self.compiler.tables;
                    tables.steps_max.is_some()
                        && tables.steps_are_reversible
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
}

/// The beginnings whose finger is somewhere, as a field set.
pub(crate) fn mask(fingers: &[Option<Field>], words: usize) -> Vec<u64> {
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
