//! Which ways to turn or mirror the board leave the rules as they are. They are found by doing it: every rule is
//! written down as it is and as its image, in a form where the order of alternatives and the names of rules do not
//! count, and compared.
//!
//! Only what the rules allow counts, not what the evaluation thinks of it.

use std::collections::{BTreeSet, HashMap};

use game::symmetry::{BoardMap, Symmetry};
use game::{Direction, Field};
use lang::Span;

use crate::ir::{Expression, ExpressionKind, FunctionId, Node, NodeKind, Program, Sight};
use crate::passes;
use crate::walk;

/// The symmetries of a game, without the one that moves nothing.
#[must_use]
pub fn symmetries(program: &Program) -> Vec<Symmetry> {
    let mut program = program.clone();
    // Conditions on rows and columns become sets of fields, which have images.
    passes::run(&mut program, |_| false);
    symmetries_after_passes(&program)
}

/// The same of a program that all passes have gone over.
#[must_use]
pub fn symmetries_after_passes(program: &Program) -> Vec<Symmetry> {
    let maps = BoardMap::all(&program.info.geometry);
    let Some((identity, others)) = maps.split_first() else { return Vec::new() };
    let reads_north = passes::reads_direction_at_start(program);
    let mut texts = HashMap::new();
    let mut form = |map| Form::of(program, map, &mut texts);
    let Some(own) = form(identity) else { return Vec::new() };
    others
        .iter()
        .filter(|map| !reads_north || map.direction(Direction::NORTH) == Direction::NORTH)
        .filter(|map| form(map).is_some_and(|image| image == own))
        .map(|map| Symmetry::new(&program.info, map))
        .collect()
}

/// What the rules say under a map: equal for two maps only if the rules mean the same.
#[derive(PartialEq, Eq)]
struct Form {
    main: usize,
    /// Rules that call themselves stand for themselves in their own text. That is sound if their texts are equal too.
    recursive: Vec<(FunctionId, usize)>,
}

impl Form {
    /// `None` if something has no image.
    fn of(program: &Program, map: &BoardMap, texts: &mut HashMap<String, usize>) -> Option<Form> {
        let mut writer = Writer {
            program,
            map,
            texts,
            known: vec![None; program.functions.len()],
            open: Vec::new(),
            recursive: BTreeSet::new(),
        };
        let main = writer.rule(program.main)?;
        let number = |&rule: &FunctionId| Some((rule, writer.known[rule]?));
        Some(Form { main, recursive: writer.recursive.iter().map(number).collect::<Option<_>>()? })
    }
}

struct Writer<'writer> {
    program: &'writer Program,
    map: &'writer BoardMap,
    /// The numbers of all texts so far.
    texts: &'writer mut HashMap<String, usize>,
    known: Vec<Option<usize>>,
    open: Vec<FunctionId>,
    recursive: BTreeSet<FunctionId>,
}

impl Writer<'_> {
    /// The number of a rule's text.
    fn rule(&mut self, rule: FunctionId) -> Option<usize> {
        if let Some(number) = self.known[rule] {
            return Some(number);
        }
        self.open.push(rule);
        let image = self.image(&self.program.functions[rule].body);
        self.open.pop();
        let text = format!("{:?}", image?);
        let count = self.texts.len();
        let number = *self.texts.entry(text).or_insert(count);
        self.known[rule] = Some(number);
        Some(number)
    }

    /// A statement after turning the board, without its place in the source.
    fn image(&mut self, node: &Node) -> Option<Node> {
        let mut image = node.clone();
        image.span = Span::default();
        for (child, source) in walk::children_mut(&mut image).into_iter().zip(walk::children(node)) {
            *child = self.image(source)?;
        }
        for expression in walk::expressions_mut(&mut image) {
            forget_spans(expression);
        }
        self.turn(&mut image.kind)?;
        let is_everywhere_the_same =
            walk::expressions(node).into_iter().all(|expression| self.has_image(expression));
        (is_everywhere_the_same || matches!(node.kind, NodeKind::MoveTo(..))).then_some(image)
    }

    /// Turns the fields and directions that a statement names; `None` if they have no image.
    fn turn(&mut self, kind: &mut NodeKind) -> Option<()> {
        match kind {
            NodeKind::Directions(directions) | NodeKind::Sees(Sight::Over { directions, .. }) => {
                for eighths in directions.iter_mut() {
                    *eighths = self.map.direction(Direction::new(*eighths)).index() as i32;
                }
                directions.sort_unstable();
            }
            NodeKind::Turn(eighths) => {
                let turn = if self.map.mirrors() { -*eighths } else { *eighths };
                *eighths = turn.rem_euclid(8);
            }
            NodeKind::MoveTo(column, row) => {
                let (ExpressionKind::Integer(c), ExpressionKind::Integer(r)) =
                    (&mut column.kind, &mut row.kind)
                else {
                    return None;
                };
                let geometry = &self.program.info.geometry;
                let field = self.map.field(geometry.at(*c, *r)?);
                (*c, *r) = (geometry.column(field) as i64, geometry.row(field) as i64);
            }
            NodeKind::OnFields(flags) => {
                for flags in flags {
                    *flags = self.by_field(flags);
                }
            }
            NodeKind::Match(sets) => *sets = self.by_field(sets),
            NodeKind::Sees(Sight::Reach { fields, .. }) => {
                for by_finger in fields {
                    for reached in by_finger.iter_mut() {
                        reached.iter_mut().for_each(|field| *field = self.map.field(*field));
                        reached.sort_unstable();
                    }
                    *by_finger = self.by_field(by_finger);
                }
            }
            NodeKind::Cycle(fields) => {
                fields.iter_mut().for_each(|field| *field = self.map.field(*field));
                // It does not matter where a cycle begins.
                let first = (0..fields.len()).min_by_key(|&index| fields[index])?;
                fields.rotate_left(first);
            }
            NodeKind::Either(choices) => choices.sort_by_cached_key(|choice| format!("{choice:?}")),
            NodeKind::Call(rule) => {
                if self.open.contains(rule) {
                    self.recursive.insert(*rule);
                    *rule = usize::MAX - *rule;
                } else {
                    *rule = self.rule(*rule)?;
                }
            }
            // Nothing in these depends on where a field lies or where a direction points; `image` asks expressions.
            NodeKind::Find(_)
            | NodeKind::PointsAt(_)
            | NodeKind::Replace(_)
            | NodeKind::PickUp
            | NodeKind::PutDown
            | NodeKind::Step { .. }
            | NodeKind::Try(..)
            | NodeKind::Test(_)
            | NodeKind::Not(_)
            | NodeKind::Repeat { .. }
            | NodeKind::While(..)
            | NodeKind::DoWhile(..)
            | NodeKind::Branch { .. }
            | NodeKind::Assert(_)
            | NodeKind::Assign(_)
            | NodeKind::ToMove(_)
            | NodeKind::Irreversible
            | NodeKind::Forcing(_)
            | NodeKind::Ending(_)
            | NodeKind::Score(_)
            | NodeKind::Most(..)
            | NodeKind::Sequence(_) => {}
        }
        Some(())
    }

    /// Something for each field, moved with the fields.
    fn by_field<T: Clone>(&self, values: &[T]) -> Vec<T> {
        let mut moved = values.to_vec();
        for (field, value) in values.iter().enumerate() {
            moved[self.map.field(field as Field) as usize] = value.clone();
        }
        moved
    }

    /// Whether an expression has the same value after turning the board.
    fn has_image(&self, expression: &Expression) -> bool {
        let geometry = &self.program.info.geometry;
        let keeps = |coordinate: &dyn Fn(Field) -> usize| {
            (0..geometry.fields() as Field)
                .all(|field| coordinate(field) == coordinate(self.map.field(field)))
        };
        let mut has_image = true;
        walk::for_each_subexpression(expression, &mut |part| {
            has_image &= match part.kind {
                ExpressionKind::Row => keeps(&|field| geometry.row(field)),
                ExpressionKind::Column => keeps(&|field| geometry.column(field)),
                ExpressionKind::Place => keeps(&usize::from),
                ExpressionKind::Direction => {
                    Direction::all().all(|direction| self.map.direction(direction) == direction)
                }
                ExpressionKind::Integer(..)
                | ExpressionKind::Variable(..)
                | ExpressionKind::NumberOf(..)
                | ExpressionKind::Element(..)
                | ExpressionKind::Unary(..)
                | ExpressionKind::Binary(..)
                | ExpressionKind::Conditional(..)
                | ExpressionKind::Assign(..)
                | ExpressionKind::Step { .. }
                | ExpressionKind::Comma(..) => true,
            };
        });
        has_image
    }
}

fn forget_spans(expression: &mut Expression) {
    expression.span = Span::default();
    walk::operands_mut(expression).into_iter().for_each(forget_spans);
}
