//! Features summed up without looking at each success. Where fingers go from all found fields at the same time, each
//! statement moves or thins out a field set; at the end its fields are counted, and the count is multiplied by the
//! weight.
//!
//! A [`Route`] is one way through the statements behind a `find`: with one choice in every `either`, one direction.
//! Fingers on different fields stay on different fields, or the statements are not followed this way: a step leads
//! from no two fields to the same one, and a slide leads over pieces of a kind that it does not begin on.

use std::rc::Rc;

use cranelift_codegen::ir::{InstBuilder, Value};
use game::{Direction, Field};
use rules::interpreter::{binary, unary};
use rules::ir::{Binary, Expression, ExpressionKind, Node, NodeKind};
use rustc_hash::FxHashMap;

use super::Goal;
use super::function::{Compiled, FunctionCompiler, Next};
use super::passing::{Plan, distances};
use super::state::{Number, State};

/// Ways through the statements of a feature.
const LINES_MAX: usize = 96;

/// Operations on words that summing up may take.
const OPERATIONS_MAX: usize = 4_000;

/// One way through the statements.
#[derive(Clone)]
pub(crate) struct Route<'program> {
    pub(crate) moves: Vec<Move<'program>>,
    /// As the mover sees it.
    direction: Option<i32>,
    /// What may stand where the fingers are.
    codes: u128,
    pub(crate) scalars: Vec<Number>,
    /// What is assigned at the end, different for each finger.
    pub(crate) late: Vec<&'program Node>,
}

impl<'program> Route<'program> {
    /// The same, and then this.
    fn with(mut self, step: Move<'program>) -> Route<'program> {
        self.moves.push(step);
        self
    }
}

/// What happens to all fingers.
#[derive(Clone)]
pub(crate) enum Move<'program> {
    /// They go to the next field in this absolute direction, or are lost at the edge.
    Step(Direction),
    /// They go on over any number of such pieces, or stay: one finger becomes several.
    Slide(Direction, u128),
    /// They stay where such a piece is.
    Stay(u128),
    /// They stay where no such piece is.
    Avoid(u128),
    /// They stay on these fields.
    On(Rc<[u64]>),
    /// They stay where a test succeeds, or where it fails.
    Pass(&'program Node, Rc<Plan<'program>>, bool),
}

/// Answers to tests that several lines ask.
pub(crate) type Answers = FxHashMap<*const Node, Vec<Value>>;

impl<'program> FunctionCompiler<'_, '_, 'program> {
    /// Adds the weights of all successes of a feature behind a `find`, if they can be had from field sets. False: it
    /// is not so, and nothing was written.
    pub(crate) fn sum_found(
        &mut self,
        find: &'program Node,
        codes: u128,
        set: usize,
        state: &State,
        next: &Rc<Next<'program>>,
    ) -> Compiled<bool> {
        let begins = self.tracking.is_none()
            && self.compiler.options.whole_board_tests
            && state.writes.as_ref().is_some_and(Vec::is_empty);
        let Some((statements, feature)) = self.statements_of_feature(next).filter(|_| begins) else {
            return Ok(false);
        };
        let program = self.compiler.program;
        let weight: &'program Expression = &program.features[feature].weight;
        if self.feature_sum.is_none() {
            return Ok(false);
        }
        let Some(lines) = self.lines(&statements, codes, state).filter(|_| self.is_plain(weight)) else {
            return self.sum_choices(find, &statements, state, next);
        };
        let words = self.compiler.layout.set_words;
        let found: Vec<Value> = state.sets[set * words..(set + 1) * words].to_vec();
        let mut answers = Answers::default();
        // Lines with the same values have the same weight: their fields are counted together.
        let mut counts: Vec<(Vec<Number>, Value)> = Vec::new();
        for line in lines {
            let fields = self.fields_of_line(&line, found.clone(), state, &mut answers);
            if !line.late.is_empty() {
                self.add_one_by_one(fields, &line, weight, state)?;
                continue;
            }
            let mut count = self.builder.ins().popcnt(fields[0]);
            for &word in &fields[1..] {
                let more = self.builder.ins().popcnt(word);
                count = self.builder.ins().iadd(count, more);
            }
            match counts.iter_mut().find(|(scalars, _)| *scalars == line.scalars) {
                Some((_, sum)) => *sum = self.builder.ins().iadd(*sum, count),
                None => counts.push((line.scalars, count)),
            }
        }
        let mut total = self.number(Number::Known(0));
        for (scalars, count) in counts {
            let mut state = State { scalars, ..state.clone() };
            let weight = self.expression(weight, &mut state)?;
            let weight = self.number(weight);
            let product = self.builder.ins().imul(count, weight);
            total = self.builder.ins().iadd(total, product);
        }
        self.add_to_feature(total);
        Ok(true)
    }

    /// `find …, either …` as one `find` for each choice, if some of them can be summed up. The order of successes
    /// does not matter to a sum.
    fn sum_choices(
        &mut self,
        find: &'program Node,
        statements: &[&'program Node],
        state: &State,
        next: &Rc<Next<'program>>,
    ) -> Compiled<bool> {
        let Next::Statements(nodes, rule, after) = &**next else { return Ok(false) };
        let (Some((first, rest)), NodeKind::Find(set)) = (nodes.split_first(), &find.kind) else {
            return Ok(false);
        };
        let NodeKind::Either(choices) = &self.called(first).kind else { return Ok(false) };
        // What goes wrong first is found out elsewhere where there are several features.
        let several = self.compiler.program.features.len() > 1;
        let is_harmless =
            |node: &Node| self.compiler.facts.cannot_fault(node) || several && self.is_short(node);
        if !choices.iter().chain(rest).all(is_harmless) {
            return Ok(false);
        }
        let codes = set.codes[self.mover.index()];
        let is_summed = |choice: &'program Node| {
            let mut path = self.opened_all(choice);
            path.extend(&statements[1..]);
            self.lines(&path, codes, state).is_some()
        };
        if !choices.iter().any(is_summed) {
            return Ok(false);
        }
        let after = match rest {
            [] => after.clone(),
            rest => Rc::new(Next::Statements(rest, rule, after.clone())),
        };
        for choice in choices {
            let next = Rc::new(Next::Statements(std::slice::from_ref(choice), rule, after.clone()));
            self.find(find, set, state.clone(), &next)?;
        }
        Ok(true)
    }

    /// Whether a statement comes to its end soon, whatever else may go wrong.
    fn is_short(&self, node: &Node) -> bool {
        let mut is_short = true;
        rules::walk::for_each_node(node, &mut |node| {
            is_short &= match &node.kind {
                NodeKind::While(..) | NodeKind::DoWhile(..) => false,
                NodeKind::Repeat { most, .. } => most.is_some(),
                NodeKind::Call(rule) => {
                    !self.compiler.recursive[*rule]
                        && self.is_short(&self.compiler.program.functions[*rule].body)
                }
                NodeKind::Find(_)
                | NodeKind::PointsAt(_)
                | NodeKind::Replace(_)
                | NodeKind::PickUp
                | NodeKind::PutDown
                | NodeKind::Step { .. }
                | NodeKind::Directions(_)
                | NodeKind::Turn(_)
                | NodeKind::MoveTo(..)
                | NodeKind::Either(_)
                | NodeKind::Try(..)
                | NodeKind::Test(_)
                | NodeKind::Not(_)
                | NodeKind::Branch { .. }
                | NodeKind::OnFields(_)
                | NodeKind::Sees(_)
                | NodeKind::Assert(_)
                | NodeKind::Assign(_)
                | NodeKind::Match(_)
                | NodeKind::ToMove(_)
                | NodeKind::Irreversible
                | NodeKind::Forcing(_)
                | NodeKind::Ending(_)
                | NodeKind::Score(_)
                | NodeKind::Most(..)
                | NodeKind::Cycle(_)
                | NodeKind::Sequence(_) => true,
            };
        });
        is_short
    }

    fn opened_all(&self, node: &'program Node) -> Vec<&'program Node> {
        self.opened(node, &|rule| !self.compiler.recursive[rule])
    }

    /// All statements up to the success of a feature.
    fn statements_of_feature(&self, next: &Next<'program>) -> Option<(Vec<&'program Node>, usize)> {
        let (mut statements, mut next) = (Vec::new(), next);
        loop {
            match next {
                Next::Statements(nodes, _, after) => {
                    statements.extend(nodes.iter().flat_map(|node| self.opened_all(node)));
                    next = after;
                }
                Next::Goal(Goal::Feature(feature)) => return Some((statements, *feature)),
                _ => return None,
            }
        }
    }

    // ---- planning

    fn lines(
        &self,
        statements: &[&'program Node],
        codes: u128,
        state: &State,
    ) -> Option<Vec<Route<'program>>> {
        let scalars = state.scalars.clone();
        let first = Route { moves: Vec::new(), direction: None, codes, scalars, late: Vec::new() };
        let lines = self.along(statements, vec![first])?;
        let operations: usize =
            lines.iter().flat_map(|line| &line.moves).map(|step| self.operations(step)).sum();
        let late = lines.iter().filter(|line| !line.late.is_empty()).count();
        let operations = operations + 20 * late * self.compiler.layout.set_words;
        (operations <= OPERATIONS_MAX).then_some(lines)
    }

    fn along(
        &self,
        statements: &[&'program Node],
        lines: Vec<Route<'program>>,
    ) -> Option<Vec<Route<'program>>> {
        statements.iter().try_fold(lines, |lines, statement| {
            let mut all = Vec::new();
            for line in lines {
                all.extend(self.follow_line(statement, line)?);
            }
            (all.len() <= LINES_MAX).then_some(all)
        })
    }

    /// The ways on through a statement; `None` if it cannot be followed with many fingers.
    fn follow_line(&self, node: &'program Node, line: Route<'program>) -> Option<Vec<Route<'program>>> {
        let mover = self.mover.index();
        // Values were set that belong to the fields where fingers are.
        if !line.late.is_empty() && matches!(node.kind, NodeKind::Step { .. } | NodeKind::Repeat { .. }) {
            return None;
        }
        Some(match &node.kind {
            NodeKind::Sequence(_) | NodeKind::Call(_) => match &self.opened_all(node)[..] {
                [same] if std::ptr::eq(*same, node) => return None,
                statements => self.along(statements, vec![line])?,
            },
            NodeKind::Either(choices) => {
                let mut all = Vec::new();
                for choice in choices {
                    all.extend(self.along(&self.opened_all(choice), vec![line.clone()])?);
                }
                all
            }
            NodeKind::Directions(directions) => {
                let turned = |&direction: &i32| Route { direction: Some(direction), ..line.clone() };
                directions.iter().map(turned).collect()
            }
            NodeKind::Turn(eighths) => vec![Route { direction: Some(line.direction? + eighths), ..line }],
            NodeKind::Step { backward } => {
                let direction = self.one_to_one(line.direction?, *backward)?;
                vec![Route { codes: self.compiler.all_codes(), ..line.with(Move::Step(direction)) }]
            }
            NodeKind::PointsAt(set) => {
                let codes = set.codes[mover] & line.codes;
                match codes {
                    0 => Vec::new(),
                    _ if codes == line.codes => vec![line],
                    _ if self.is_covered(set.codes[mover]) => {
                        vec![Route { codes, ..line.with(Move::Stay(set.codes[mover])) }]
                    }
                    _ => return None,
                }
            }
            NodeKind::OnFields(flags) => {
                let mut fields = vec![0_u64; self.compiler.layout.set_words];
                for field in (0..flags[mover].len()).filter(|&field| flags[mover][field]) {
                    fields[field / 64] |= 1 << (field % 64);
                }
                vec![line.with(Move::On(fields.into()))]
            }
            NodeKind::ToMove(colour) => {
                if *colour == self.mover {
                    vec![line]
                } else {
                    Vec::new()
                }
            }
            NodeKind::Not(body) if matches!(body.kind, NodeKind::PointsAt(_)) => {
                let NodeKind::PointsAt(set) = &body.kind else { return None };
                let (taken, left) = (set.codes[mover], line.codes & !set.codes[mover]);
                match left {
                    0 => Vec::new(),
                    _ if left == line.codes => vec![line],
                    _ if self.is_covered(taken) => {
                        vec![Route { codes: left, ..line.with(Move::Avoid(taken)) }]
                    }
                    _ => return None,
                }
            }
            NodeKind::Test(_) | NodeKind::Not(_) | NodeKind::Sees(_) => {
                let plan = Rc::new(self.plan(node, None)?);
                vec![line.with(Move::Pass(node, plan, true))]
            }
            NodeKind::Assign(value) => vec![self.assigned_here(node, value, line)?],
            NodeKind::Try(first, second) => self.try_along(first, second, line)?,
            NodeKind::Repeat { least: least @ (0 | 1), most: None, body } => {
                vec![self.slide_along(*least == 1, body, line)?]
            }
            _ => return None,
        })
    }

    /// Tests, perhaps with values that are set behind them; or else something other.
    fn try_along(
        &self,
        first: &'program Node,
        second: &'program Node,
        line: Route<'program>,
    ) -> Option<Vec<Route<'program>>> {
        let first = self.opened_all(first);
        let tests = first.iter().take_while(|node| !matches!(node.kind, NodeKind::Assign(_))).count();
        // Behind a value that is set nothing may fail any more.
        if !first[tests..].iter().all(|node| matches!(node.kind, NodeKind::Assign(_))) {
            return None;
        }
        // Where the first test fails, where the second does, and so on; then where all succeed.
        let (mut all, mut passed) = (Vec::new(), line);
        for test in &first[..tests] {
            let plan = Rc::new(self.plan(test, None).filter(|_| is_test(test))?);
            let failed = passed.clone().with(Move::Pass(test, plan.clone(), false));
            all.extend(self.along(&self.opened_all(second), vec![failed])?);
            passed = passed.with(Move::Pass(test, plan, true));
        }
        all.extend(self.along(&first[tests..], vec![passed])?);
        Some(all)
    }

    /// Steps over some pieces as far as it goes.
    fn slide_along(
        &self,
        once: bool,
        body: &'program Node,
        line: Route<'program>,
    ) -> Option<Route<'program>> {
        let [step, over] = &self.opened_all(body)[..] else { return None };
        let (NodeKind::Step { backward }, NodeKind::PointsAt(set)) = (&step.kind, &over.kind) else {
            return None;
        };
        let over = set.codes[self.mover.index()];
        let ends = self.compiler.tables.steps_max.is_some();
        if !ends || over & line.codes != 0 || !self.is_covered(over) {
            return None;
        }
        let direction = self.one_to_one(line.direction?, *backward)?;
        let codes = line.codes | over;
        let slid = Route { codes, ..line.with(Move::Slide(direction, over)) };
        Some(match once {
            false => slid,
            true => Route { codes: over, ..slid.with(Move::Step(direction)).with(Move::Stay(over)) },
        })
    }

    fn is_covered(&self, codes: u128) -> bool {
        codes == 0 || self.compiler.layout.wide_cover(codes).is_some()
    }

    /// A direction of the board, if no two of its steps lead to the same field.
    fn one_to_one(&self, direction: i32, backward: bool) -> Option<Direction> {
        let turn = if backward { 4 } else { 0 } + if self.rotated() { 4 } else { 0 };
        let direction = Direction::new(direction + turn);
        let mut reached = vec![false; self.compiler.layout.fields];
        let is_new = |field: Field| !std::mem::replace(&mut reached[field as usize], true);
        self.steps(direction).into_iter().flatten().all(is_new).then_some(direction)
    }

    /// Where a step leads, by field.
    pub(crate) fn steps(&self, direction: Direction) -> Vec<Option<Field>> {
        let geometry = &self.compiler.program.info.geometry;
        (0..self.compiler.layout.fields as Field).map(|field| geometry.step(field, direction)).collect()
    }

    /// A property gets a value that is known now, or one that is known when the fingers are.
    fn assigned_here(
        &self,
        node: &'program Node,
        value: &Expression,
        mut line: Route<'program>,
    ) -> Option<Route<'program>> {
        match self.assigned(node, line.clone()) {
            Some(line) if line.late.is_empty() => Some(line),
            _ => self.is_by_field(value).then(|| {
                line.late.push(node);
                line
            }),
        }
    }

    /// A property gets a value that is known now and in its range.
    fn assigned(&self, node: &Node, mut line: Route<'program>) -> Option<Route<'program>> {
        let NodeKind::Assign(expression) = &node.kind else { return None };
        let ExpressionKind::Assign(operator, variable, value) = &expression.kind else { return None };
        let scalar = self.compiler.scalar(self.mover, *variable)?;
        let value = self.known_value(value, &line.scalars)?;
        let value = match operator {
            None => value,
            Some(Binary::Divide | Binary::Remainder) => return None,
            Some(operator) => binary(*operator, line.scalars[scalar].known()?, value),
        };
        let property = &self.compiler.program.info.properties[variable.property];
        line.scalars[scalar] = Number::Known(value);
        (property.low..=property.high).contains(&value).then_some(line)
    }

    /// The value of an expression that is the same wherever the fingers are.
    fn known_value(&self, expression: &Expression, scalars: &[Number]) -> Option<i64> {
        let value = |expression: &Expression| self.known_value(expression, scalars);
        match &expression.kind {
            ExpressionKind::Integer(value) => Some(*value),
            ExpressionKind::Variable(variable) => {
                scalars[self.compiler.scalar(self.mover, *variable)?].known()
            }
            ExpressionKind::Unary(operator, operand) => Some(unary(*operator, value(operand)?)),
            ExpressionKind::Binary(Binary::Divide | Binary::Remainder, ..) => None,
            ExpressionKind::Binary(operator, left, right) => {
                Some(binary(*operator, value(left)?, value(right)?))
            }
            _ => None,
        }
    }

    /// Whether an expression is the same wherever the finger is, changes nothing and cannot go wrong.
    fn is_plain(&self, expression: &Expression) -> bool {
        match &expression.kind {
            ExpressionKind::Integer(_) | ExpressionKind::NumberOf(_) => true,
            ExpressionKind::Variable(variable) => self.compiler.scalar(self.mover, *variable).is_some(),
            ExpressionKind::Unary(..) | ExpressionKind::Conditional(..) => {
                rules::walk::operands(expression).into_iter().all(|operand| self.is_plain(operand))
            }
            ExpressionKind::Binary(operator, left, right) => {
                !matches!(operator, Binary::Divide | Binary::Remainder)
                    && self.is_plain(left)
                    && self.is_plain(right)
            }
            _ => false,
        }
    }

    fn operations(&self, step: &Move<'program>) -> usize {
        let words = self.compiler.layout.set_words;
        match step {
            Move::Step(direction) => 4 * words * distances(&self.steps(*direction)).len(),
            Move::Slide(direction, _) => match self.doubling(*direction) {
                Some((_, _, rounds)) => 5 * rounds,
                None => 5 * words * distances(&self.steps(*direction)).len() * self.longest_ray(),
            },
            Move::Stay(_) | Move::Avoid(_) | Move::On(_) => words,
            Move::Pass(_, plan, _) => plan.operations,
        }
    }
}

/// Whether a statement leaves the finger where it is and changes nothing.
fn is_test(node: &Node) -> bool {
    matches!(
        node.kind,
        NodeKind::Test(_)
            | NodeKind::Not(_)
            | NodeKind::Sees(_)
            | NodeKind::PointsAt(_)
            | NodeKind::OnFields(_)
            | NodeKind::ToMove(_)
    )
}
