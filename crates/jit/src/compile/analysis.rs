//! What a rule does and needs, found by looking at it.

use game::Colour;
use rules::Program;
use rules::ir::{Expression, ExpressionKind, Node, NodeKind};
use rules::passes::loops::is_single;
use rules::walk;

use super::Unsupported;
use super::state::{DIFFERENCE, REGISTERS};

/// For every rule: whether it can call itself, directly or through others.
pub(crate) fn recursive_rules(program: &Program) -> Vec<bool> {
    let calls = |rule: usize| {
        let mut called = Vec::new();
        walk::for_each_node(&program.functions[rule].body, &mut |node| {
            if let NodeKind::Call(other) = node.kind {
                called.push(other);
            }
        });
        called
    };
    let calls: Vec<Vec<usize>> = (0..program.functions.len()).map(calls).collect();
    let reaches = |start: usize| {
        let (mut seen, mut open) = (vec![false; calls.len()], calls[start].clone());
        while let Some(rule) = open.pop() {
            if rule == start {
                return true;
            }
            if !std::mem::replace(&mut seen[rule], true) {
                open.extend(&calls[rule]);
            }
        }
        false
    };
    (0..calls.len()).map(reaches).collect()
}

/// What the compiler cannot do is said before it begins.
pub(crate) fn check_supported(program: &Program) -> Result<(), Unsupported> {
    let bodies = program.functions.iter().map(|function| &function.body);
    for body in bodies.chain(program.features.iter().map(|feature| &feature.body)) {
        let mut reason = None;
        walk::for_each_node(body, &mut |node| match &node.kind {
            NodeKind::Repeat { body, .. } if !is_single(program, body) => {
                reason = Some("a `repeat` of many rounds whose body has several results");
            }
            _ => {}
        });
        if let Some(reason) = reason {
            return Err(Unsupported { reason: reason.to_owned() });
        }
    }
    Ok(())
}

/// How much code a statement makes, roughly, in statements.
pub(crate) fn size(program: &Program, recursive: &[bool], node: &Node) -> usize {
    let mut size = 1;
    if let NodeKind::Call(rule) = node.kind
        && !recursive[rule]
    {
        size += self::size(program, recursive, &program.functions[rule].body);
    }
    walk::children(node)
        .iter()
        .fold(size, |size, child| size + self::size(program, recursive, child))
        .min(100_000)
}

/// How much code statements make, roughly, where what follows is written once for each alternative.
pub(crate) struct WrittenSize<'compiler> {
    pub(crate) program: &'compiler Program,
    pub(crate) recursive: &'compiler [bool],
    pub(crate) set_words: usize,
}

impl WrittenSize<'_> {
    /// Larger than is ever asked for: counting ends here.
    const MAX: f64 = 1e4;

    /// Statements one after the other, then something of this size.
    pub(crate) fn of_sequence(&self, nodes: &[Node], after: f64) -> f64 {
        nodes.iter().rev().fold(after, |after, node| self.of(node, after))
    }

    pub(crate) fn of(&self, node: &Node, after: f64) -> f64 {
        if after > Self::MAX {
            return after;
        }
        match &node.kind {
            NodeKind::Sequence(nodes) => self.of_sequence(nodes, after),
            NodeKind::Find(_) => 1.0 + after * self.set_words as f64,
            NodeKind::Either(choices) => self.sum(choices.iter(), after),
            NodeKind::Try(first, second) => self.sum([&**first, second], after),
            NodeKind::Branch { condition, then, otherwise } => {
                let then = self.of(then, after);
                self.of(condition, then) + self.of(otherwise, after)
            }
            NodeKind::Most(_, body) => self.of(body, 3.0) + self.of(body, after),
            NodeKind::Call(rule) if !self.recursive[*rule] => {
                self.of(&self.program.functions[*rule].body, after)
            }
            NodeKind::Repeat { least, body, .. } => {
                after + self.of(body, 0.0) * f64::from((*least).min(8) + 1)
            }
            // What follows is not in these.
            NodeKind::PointsAt(_)
            | NodeKind::Replace(_)
            | NodeKind::PickUp
            | NodeKind::PutDown
            | NodeKind::Step { .. }
            | NodeKind::Directions(_)
            | NodeKind::Turn(_)
            | NodeKind::MoveTo(..)
            | NodeKind::Test(_)
            | NodeKind::Not(_)
            | NodeKind::While(..)
            | NodeKind::DoWhile(..)
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
            | NodeKind::Cycle(_)
            | NodeKind::Call(_) => 1.0 + after + self.sum(walk::children(node), 0.0),
        }
    }

    fn sum<'node>(&self, nodes: impl IntoIterator<Item = &'node Node>, after: f64) -> f64 {
        let mut sum = 0.0;
        for node in nodes {
            if sum > Self::MAX {
                break;
            }
            sum += self.of(node, after);
        }
        sum
    }
}

/// What a statement may change and read.
#[derive(Clone, Debug, Default)]
pub(crate) struct Effects {
    /// Registers that it may change, in the order of `State::register`, scalars included, sets not.
    pub(crate) registers: Vec<bool>,
    /// Whether it may write fields.
    pub(crate) fields: bool,
    /// Whether it may write field properties.
    pub(crate) field_properties: bool,
    /// Scalars that it may read.
    pub(crate) reads: Vec<bool>,
    pub(crate) reads_field_properties: bool,
    /// Uses something that dependency tracking does not follow.
    pub(crate) untrackable: bool,
    /// Rules that have been looked at, and those looked at inside tests.
    seen: [Vec<bool>; 2],
}

impl Effects {
    pub(crate) fn of(compiler: &super::Compiler<'_>, mover: Colour, nodes: &[&Node]) -> Effects {
        let scalars = compiler.layout.scalars.len();
        let mut effects = Effects {
            registers: vec![false; REGISTERS + scalars],
            reads: vec![false; scalars],
            seen: [false; 2].map(|seen| vec![seen; compiler.program.functions.len()]),
            ..Effects::default()
        };
        for node in nodes {
            effects.add(compiler, mover, node, false);
        }
        effects
    }

    /// Whether memory may change.
    pub(crate) fn memory(&self) -> bool {
        self.fields || self.field_properties
    }

    /// What happens in a test is undone: of that only what it reads counts.
    fn add(&mut self, compiler: &super::Compiler<'_>, mover: Colour, node: &Node, in_test: bool) {
        const FINGER: usize = 0;
        const DIRECTION: usize = 1;
        const HAND: usize = 2;
        let mut changes = |register: usize| self.registers[register] |= !in_test;
        let mut in_children = in_test;
        match &node.kind {
            NodeKind::Find(_) | NodeKind::Step { .. } | NodeKind::MoveTo(..) => changes(FINGER),
            NodeKind::Directions(_) | NodeKind::Turn(_) => changes(DIRECTION),
            NodeKind::PickUp | NodeKind::PutDown => {
                changes(HAND);
                self.write_field(in_test);
            }
            NodeKind::Replace(_) | NodeKind::Cycle(_) => self.write_field(in_test),
            NodeKind::Ending(_) | NodeKind::Score(_) => changes(3),
            NodeKind::Irreversible => changes(4),
            NodeKind::Forcing(_) => changes(5),
            NodeKind::Match(_) => self.untrackable = true,
            NodeKind::Call(rule) if !std::mem::replace(&mut self.seen[usize::from(in_test)][*rule], true) => {
                self.add(compiler, mover, &compiler.program.functions[*rule].body, in_test);
            }
            NodeKind::Test(_) | NodeKind::Not(_) => in_children = true,
            NodeKind::PointsAt(_)
            | NodeKind::Either(_)
            | NodeKind::Try(..)
            | NodeKind::Repeat { .. }
            | NodeKind::While(..)
            | NodeKind::DoWhile(..)
            | NodeKind::Branch { .. }
            | NodeKind::OnFields(_)
            | NodeKind::Sees(_)
            | NodeKind::Assert(_)
            | NodeKind::Assign(_)
            | NodeKind::ToMove(_)
            | NodeKind::Most(..)
            | NodeKind::Sequence(_)
            | NodeKind::Call(_) => {}
        }
        for expression in walk::expressions(node) {
            walk::for_each_subexpression(expression, &mut |part| {
                self.expression(compiler, mover, part, in_test);
            });
        }
        for child in walk::children(node) {
            self.add(compiler, mover, child, in_children);
        }
    }

    fn write_field(&mut self, in_test: bool) {
        self.fields |= !in_test;
        self.registers[6] |= !in_test;
        self.registers[DIFFERENCE] |= !in_test;
    }

    fn expression(
        &mut self,
        compiler: &super::Compiler<'_>,
        mover: Colour,
        expression: &Expression,
        in_test: bool,
    ) {
        let variable = match &expression.kind {
            ExpressionKind::Variable(variable)
            | ExpressionKind::Assign(_, variable, _)
            | ExpressionKind::Step { variable, .. } => *variable,
            _ => return,
        };
        let writes = !matches!(expression.kind, ExpressionKind::Variable(_)) && !in_test;
        match compiler.scalar(mover, variable) {
            Some(scalar) => {
                self.reads[scalar] = true;
                self.registers[REGISTERS + scalar] |= writes;
            }
            None => {
                self.reads_field_properties = true;
                self.field_properties |= writes;
                // The first field that is written is remembered.
                self.registers[6] |= writes;
                self.registers[DIFFERENCE] |= writes;
            }
        }
    }
}

/// Whether a statement, run where finger, direction and hand are whatever they are, never looks at them
/// before it sets them itself.
pub(crate) fn is_closed(program: &Program, node: &Node) -> bool {
    let mut known = Known { finger: false, direction: false };
    closed(program, node, &mut known, 0)
}

#[derive(Clone, Copy)]
struct Known {
    finger: bool,
    direction: bool,
}

fn closed(program: &Program, node: &Node, known: &mut Known, depth: usize) -> bool {
    if depth > 60 {
        return false;
    }
    let uses_finger = |expression: &Expression| {
        let mut uses = (false, false);
        walk::for_each_subexpression(expression, &mut |part| match &part.kind {
            ExpressionKind::Row | ExpressionKind::Column | ExpressionKind::Place => uses.0 = true,
            ExpressionKind::Direction => uses.1 = true,
            ExpressionKind::Variable(variable) => {
                uses.0 |= program.info.properties[variable.property].kind == game::PropertyKind::Field;
            }
            _ => {}
        });
        uses
    };
    if walk::expressions(node).iter().any(|expression| {
        let (finger, direction) = uses_finger(expression);
        (finger && !known.finger) || (direction && !known.direction)
    }) {
        return false;
    }
    match &node.kind {
        NodeKind::Find(_) | NodeKind::MoveTo(..) => {
            known.finger = true;
            true
        }
        NodeKind::PointsAt(_) | NodeKind::OnFields(_) | NodeKind::Sees(_) => known.finger,
        NodeKind::Step { .. } => known.finger && known.direction,
        NodeKind::Directions(_) => {
            known.direction = true;
            true
        }
        NodeKind::Turn(_) => known.direction,
        NodeKind::Sequence(nodes) => nodes.iter().all(|node| closed(program, node, known, depth + 1)),
        NodeKind::Either(nodes) => {
            nodes.iter().all(|node| closed(program, node, &mut known.clone(), depth + 1))
        }
        NodeKind::Test(body) | NodeKind::Not(body) => closed(program, body, &mut known.clone(), depth + 1),
        NodeKind::Try(first, second) => {
            closed(program, first, &mut known.clone(), depth + 1)
                && closed(program, second, &mut known.clone(), depth + 1)
        }
        NodeKind::DoWhile(body, condition) => {
            closed(program, body, known, depth + 1) && closed(program, condition, known, depth + 1)
        }
        NodeKind::While(condition, body) => {
            let mut inside = *known;
            closed(program, condition, &mut inside, depth + 1)
                && closed(program, body, &mut inside, depth + 1)
        }
        NodeKind::Repeat { body, .. } => closed(program, body, &mut known.clone(), depth + 1),
        NodeKind::Call(rule) => closed(program, &program.functions[*rule].body, known, depth + 1),
        NodeKind::Assert(_) | NodeKind::ToMove(_) => true,
        _ => false,
    }
}

/// Whether statements, one after the other, always step, all in the same sense, and move the finger in no other
/// way.
pub(crate) fn steps_on(nodes: &[&Node]) -> bool {
    let (mut forward, mut backward, mut elsewhere) = (false, false, false);
    for node in nodes {
        walk::for_each_node(node, &mut |node| match node.kind {
            NodeKind::Step { backward: true } => backward = true,
            NodeKind::Step { backward: false } => forward = true,
            NodeKind::Find(_) | NodeKind::MoveTo(..) | NodeKind::Call(_) => elsewhere = true,
            NodeKind::PointsAt(_)
            | NodeKind::Replace(_)
            | NodeKind::PickUp
            | NodeKind::PutDown
            | NodeKind::Directions(_)
            | NodeKind::Turn(_)
            | NodeKind::Either(_)
            | NodeKind::Try(..)
            | NodeKind::Test(_)
            | NodeKind::Not(_)
            | NodeKind::Repeat { .. }
            | NodeKind::While(..)
            | NodeKind::DoWhile(..)
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
            | NodeKind::Sequence(_) => {}
        });
    }
    fn always(node: &Node) -> bool {
        match &node.kind {
            NodeKind::Step { .. } => true,
            NodeKind::Sequence(nodes) => nodes.iter().any(always),
            _ => false,
        }
    }
    forward != backward && !elsewhere && nodes.iter().any(|node| always(node))
}
