//! What an evaluation adds up, one by one, and what each part asks of the board. A feature whose rule begins with a
//! choice is as many parts as there are alternatives: `either row_1 or row_2, …` is one part for each row. What a
//! part asks is followed through its statements, with the fields that the finger can be on; where that is not known,
//! it asks about all of them.
//!
//! If a move changes nothing that a part asks about, its value stays what it was.

use game::geometry::Direction;
use game::{Field, Position, PropertyKind, RuleFault, Summands};

use crate::Interpreter;
use crate::ir::{Expression, ExpressionKind, Feature, FunctionId, Node, NodeKind, PieceSet, Program, Sight};
use crate::walk;

/// Parts of an evaluation, at most.
const PARTS_MAX: usize = 4096;

/// How deep calls of rules are followed.
const CALLS_MAX: usize = 24;

/// Rounds of a loop until no finger can come anywhere else, at most.
const ROUNDS_MAX: usize = 64;

/// The evaluation of a program, part by part.
#[derive(Debug)]
pub struct Parts {
    /// Its features are the parts.
    interpreter: Interpreter,
    /// By part and field: the sets of codes that are asked for.
    asks: Vec<Vec<Vec<u128>>>,
}

impl Parts {
    /// The parts of a puzzle's evaluation; `None` if it has none, or asks for more than what stands on the fields.
    #[must_use]
    pub fn new(program: &Program) -> Option<Parts> {
        if program.info.players != 1 || program.features.is_empty() {
            return None;
        }
        let mut features = Vec::new();
        for feature in &program.features {
            for nodes in alternatives(program, vec![feature.body.clone()], 0)? {
                let body = Node { kind: NodeKind::Sequence(nodes), span: feature.body.span };
                features.push(Feature { body, ..feature.clone() });
            }
            if features.len() > PARTS_MAX {
                return None;
            }
        }
        let asks = features.iter().map(|feature| Asking::of(program, feature)).collect::<Option<_>>()?;
        let program = Program { features, ..program.clone() };
        Some(Parts { interpreter: Interpreter::new(program), asks })
    }
}

impl Summands for Parts {
    fn count(&self) -> usize {
        self.asks.len()
    }

    fn asks(&self, part: usize) -> &[Vec<u128>] {
        &self.asks[part]
    }

    fn value(&self, part: usize, position: &Position) -> Result<i64, RuleFault> {
        self.interpreter.feature_value(part, position)
    }
}

/// Statements one after the other, for each alternative that they begin with.
fn alternatives(program: &Program, mut nodes: Vec<Node>, depth: usize) -> Option<Vec<Vec<Node>>> {
    if depth > CALLS_MAX || nodes.is_empty() {
        return (!nodes.is_empty()).then(|| vec![nodes]);
    }
    let rest = nodes.split_off(1);
    let instead = |first: &[Node]| first.iter().chain(&rest).cloned().collect::<Vec<Node>>();
    match &nodes[0].kind {
        NodeKind::Sequence(inner) if !inner.is_empty() => alternatives(program, instead(inner), depth),
        NodeKind::Call(rule) => {
            let body = std::slice::from_ref(&program.functions[*rule].body);
            alternatives(program, instead(body), depth + 1)
        }
        NodeKind::Either(each) => {
            let each =
                each.iter().map(|one| alternatives(program, instead(std::slice::from_ref(one)), depth + 1));
            Some(each.collect::<Option<Vec<_>>>()?.into_iter().flatten().collect())
        }
        _ => Some(vec![instead(&nodes)]),
    }
}

/// What is known before or after a statement.
#[derive(Clone, PartialEq, Eq)]
struct Known {
    /// By field: whether the finger can be there.
    fingers: Vec<bool>,
    /// Directions that it can look in, one bit each.
    directions: u8,
}

impl Known {
    fn or(mut self, other: &Known) -> Known {
        self.fingers.iter_mut().zip(&other.fingers).for_each(|(one, two)| *one |= two);
        self.directions |= other.directions;
        self
    }
}

/// Follows the statements of a part.
struct Asking<'run> {
    program: &'run Program,
    asks: Vec<Vec<u128>>,
    depth: usize,
}

impl<'run> Asking<'run> {
    /// What a feature asks of each field.
    fn of(program: &'run Program, feature: &Feature) -> Option<Vec<Vec<u128>>> {
        let fields = program.info.geometry.fields();
        let mut asking = Asking { program, asks: vec![Vec::new(); fields], depth: 0 };
        // It begins with north, and the finger nowhere.
        let begin = Known { fingers: vec![false; fields], directions: 1 };
        asking.follow(&feature.body, begin)?;
        asking.read(&feature.weight)?;
        Some(asking.asks)
    }

    fn ask(&mut self, field: usize, set: PieceSet) {
        let codes = set.codes[0];
        if !self.asks[field].contains(&codes) {
            self.asks[field].push(codes);
        }
    }

    fn ask_all(&mut self, set: PieceSet) {
        (0..self.asks.len()).for_each(|field| self.ask(field, set));
    }

    fn everywhere(&self, known: Known) -> Known {
        Known { fingers: self.program.info.geometry.used().to_vec(), ..known }
    }

    /// What an expression asks; `None` if it reads what may change beside the board.
    fn read(&mut self, expression: &Expression) -> Option<()> {
        let mut sets = Vec::new();
        let mut is_known = true;
        walk::for_each_subexpression(expression, &mut |expression| match &expression.kind {
            ExpressionKind::NumberOf(set) => sets.push(*set),
            ExpressionKind::Variable(variable) | ExpressionKind::Assign(_, variable, _) => {
                is_known &= self.program.info.properties[variable.property].kind == PropertyKind::Move;
            }
            ExpressionKind::Step { variable, .. } => {
                is_known &= self.program.info.properties[variable.property].kind == PropertyKind::Move;
            }
            _ => {}
        });
        sets.into_iter().for_each(|set| self.ask_all(set));
        is_known.then_some(())
    }

    /// Where a statement leads to at most; `None` if it does more than ask.
    fn follow(&mut self, node: &Node, known: Known) -> Option<Known> {
        for expression in walk::expressions(node) {
            self.read(expression)?;
        }
        Some(match &node.kind {
            NodeKind::Find(set) => {
                self.ask_all(*set);
                self.everywhere(known)
            }
            NodeKind::PointsAt(set) => {
                let fingers = known.fingers.iter().enumerate().filter(|(_, is_there)| **is_there);
                fingers.for_each(|(field, _)| self.ask(field, *set));
                known
            }
            NodeKind::Match(sets) => {
                sets.iter().enumerate().for_each(|(field, set)| self.ask(field, *set));
                known
            }
            NodeKind::Sees(Sight::Reach { set, .. }) => {
                self.ask_all(*set);
                known
            }
            NodeKind::Sees(Sight::Over { over, set, .. }) => {
                self.ask_all(*over);
                self.ask_all(*set);
                known
            }
            NodeKind::Step { backward } => self.step(&known, *backward),
            NodeKind::Directions(eighths) => {
                let bits = eighths.iter().map(|&eighth| 1 << Direction::new(eighth).index());
                Known { directions: bits.fold(0, |all, bit: u8| all | bit), ..known }
            }
            NodeKind::Turn(eighths) => {
                let turned = Direction::all().filter(|one| known.directions >> one.index() & 1 != 0);
                let bits = turned.map(|one| 1 << one.turned(*eighths).index());
                Known { directions: bits.fold(0, |all, bit: u8| all | bit), ..known }
            }
            NodeKind::MoveTo(column, row) => self.move_to(column, row, known),
            NodeKind::Either(nodes) => self.each(nodes, &known)?,
            NodeKind::Try(first, second) => {
                let one = self.follow(first, known.clone())?;
                one.or(&self.follow(second, known)?)
            }
            NodeKind::Test(inner) | NodeKind::Not(inner) => {
                self.follow(inner, known.clone())?;
                known
            }
            NodeKind::Branch { condition, then, otherwise } => {
                let one = self.follow(condition, known.clone())?;
                let one = self.follow(then, one)?;
                one.or(&self.follow(otherwise, known)?)
            }
            NodeKind::Repeat { body, .. } => self.again(&[body], known)?,
            NodeKind::While(first, second) | NodeKind::DoWhile(first, second) => {
                self.again(&[first, second], known)?
            }
            NodeKind::Sequence(nodes) => {
                nodes.iter().try_fold(known, |known, node| self.follow(node, known))?
            }
            NodeKind::Call(rule) => self.call(*rule, known)?,
            NodeKind::OnFields(_) | NodeKind::Assert(_) | NodeKind::Assign(_) | NodeKind::ToMove(_) => known,
            NodeKind::Replace(_)
            | NodeKind::PickUp
            | NodeKind::PutDown
            | NodeKind::Irreversible
            | NodeKind::Forcing(_)
            | NodeKind::Ending(_)
            | NodeKind::Score(_)
            | NodeKind::Most(..)
            | NodeKind::Cycle(_) => return None,
        })
    }

    fn step(&self, known: &Known, backward: bool) -> Known {
        let mut after = Known { fingers: vec![false; known.fingers.len()], directions: known.directions };
        for direction in Direction::all().filter(|one| known.directions >> one.index() & 1 != 0) {
            let direction = if backward { direction.reversed() } else { direction };
            for field in (0..known.fingers.len()).filter(|&field| known.fingers[field]) {
                if let Some(to) = self.program.info.geometry.step(field as Field, direction) {
                    after.fingers[usize::from(to)] = true;
                }
            }
        }
        after
    }

    fn move_to(&self, column: &Expression, row: &Expression, known: Known) -> Known {
        let (ExpressionKind::Integer(column), ExpressionKind::Integer(row)) = (&column.kind, &row.kind)
        else {
            return self.everywhere(known);
        };
        let mut fingers = vec![false; known.fingers.len()];
        if let Some(field) = self.program.info.geometry.at(*column, *row) {
            fingers[usize::from(field)] = true;
        }
        Known { fingers, ..known }
    }

    /// One statement or another.
    fn each(&mut self, nodes: &[Node], known: &Known) -> Option<Known> {
        let mut all = Known { fingers: vec![false; known.fingers.len()], directions: 0 };
        for node in nodes {
            all = all.or(&self.follow(node, known.clone())?);
        }
        Some(all)
    }

    fn call(&mut self, rule: FunctionId, known: Known) -> Option<Known> {
        self.depth += 1;
        if self.depth > CALLS_MAX {
            return None;
        }
        let program = self.program;
        let after = self.follow(&program.functions[rule].body, known)?;
        self.depth -= 1;
        Some(after)
    }

    /// Any number of rounds of some statements.
    fn again(&mut self, nodes: &[&Node], mut known: Known) -> Option<Known> {
        for _ in 0..ROUNDS_MAX {
            let mut after = known.clone();
            let mut all = known.clone();
            for node in nodes {
                after = self.follow(node, after)?;
                all = all.or(&after);
            }
            if all == known {
                return Some(known);
            }
            known = all;
        }
        None
    }
}
