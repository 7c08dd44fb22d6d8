//! What every way to a statement has in common: a hand that is empty, or full, and a direction that was never set. Only
//! what holds on all ways is told of.

use std::collections::BTreeMap;

use super::endings;
use super::names::Names;
use super::report::Report;
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::syntax::{Statement, StatementKind};
use crate::walk;

/// Each of these is one bit of a set: whether the hand is full, and whether a direction was set.
const CASES: usize = 4;
const FULL: u8 = 0b1010;
const EMPTY: u8 = 0b0101;
const UNSET: u8 = 0b0011;
/// Where every rule of a move begins: nothing in the hand, no direction said.
const START: u8 = 0b0001;
const ALL: u8 = 0b1111;

/// What each case becomes.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Way([u8; CASES]);

impl Way {
    const NONE: Way = Way([0; CASES]);
    const SAME: Way = Way([1, 2, 4, 8]);
    const ANY: Way = Way([ALL; CASES]);
    const PICKS_UP: Way = Way([0b0010, 0, 0b1000, 0]);
    const PUTS_DOWN: Way = Way([0, 0b0001, 0, 0b0100]);
    const TURNS: Way = Way([4, 8, 4, 8]);

    fn of(self, cases: u8) -> u8 {
        (0..CASES).filter(|case| cases & (1 << case) != 0).fold(0, |all, case| all | self.0[case])
    }

    fn then(self, next: Way) -> Way {
        Way(self.0.map(|cases| next.of(cases)))
    }

    fn or(self, other: Way) -> Way {
        Way([0, 1, 2, 3].map(|case| self.0[case] | other.0[case]))
    }

    /// Any number of times, none included.
    fn repeated(self) -> Way {
        // Of four cases, each is reached within four rounds.
        (0..CASES).fold(Way::SAME, |all, _| all.or(all.then(self)))
    }

    /// The cases in which something comes through, unchanged.
    fn tested(self) -> Way {
        Way([0, 1, 2, 3].map(|case| if self.0[case] == 0 { 0 } else { 1 << case }))
    }
}

/// Rules that call each other may need several looks; more than this many are not worth it.
const ROUNDS_MAX: usize = 20;

/// A `repeat` with a larger number is not followed round by round.
const REPEATS_MAX: i64 = 16;

pub(super) fn check(names: &Names<'_>, report: &mut Report) {
    let functions = &names.tree.functions;
    let mut ways = Ways { names, rules: vec![Way::NONE; functions.len()] };
    let order = endings::called_first(names);
    let mut rounds = 0;
    loop {
        let mut learned = false;
        for &rule in &order {
            let way = ways.of(&functions[rule].body);
            learned |= way != ways.rules[rule];
            ways.rules[rule] = way;
        }
        rounds += 1;
        match (learned, rounds) {
            (false, _) => break,
            (true, ROUNDS_MAX) => return,
            (true, _) => {}
        }
    }
    let mut seen = Seen { reached: vec![0; functions.len()], open: Vec::new(), places: BTreeMap::new() };
    for body in walk::bodies_beside_rules(names.tree) {
        ways.note(body, START, &mut seen);
    }
    if let Some(main) = names.function("main") {
        seen.reach(main, START);
    }
    while let Some(rule) = seen.open.pop() {
        ways.note(&functions[rule].body, seen.reached[rule], &mut seen);
    }
    for ((start, end), (asks, cases)) in seen.places {
        if let Some(warning) = asks.warning(Span::new(start, end), cases) {
            report.warning(|| warning);
        }
    }
}

/// The statements that need something.
#[derive(Clone, Copy)]
enum Asks {
    PickUp,
    PutDown,
    Step,
}

impl Asks {
    fn warning(self, span: Span, cases: u8) -> Option<Diagnostic> {
        let is_certain = |good: u8| cases != 0 && cases & good == 0;
        Some(match self {
            Asks::PutDown if is_certain(FULL) => {
                let message = "nothing was picked up on the way to this `put down`: it always fails";
                Diagnostic::warning("W025", span, message)
                    .hint("write `pick up` where the piece stands, before the steps")
            }
            Asks::PickUp if is_certain(EMPTY) => {
                let message = "something is in the hand already: this `pick up` always fails";
                Diagnostic::warning("W025", span, message)
                    .hint("`put down` comes first; to take a piece off, write `replace by empty field`")
            }
            Asks::Step if is_certain(ALL ^ UNSET) => {
                let message = "no direction was set on the way to this `step`: it leads north";
                Diagnostic::warning("W026", span, message)
                    .hint("write the direction before it: `north, step`, or `any direction, step`")
            }
            Asks::PutDown | Asks::PickUp | Asks::Step => return None,
        })
    }
}

/// The cases in which rules begin, and those in which statements are come to.
struct Seen {
    reached: Vec<u8>,
    open: Vec<usize>,
    places: BTreeMap<(usize, usize), (Asks, u8)>,
}

impl Seen {
    fn reach(&mut self, rule: usize, cases: u8) {
        if cases & !self.reached[rule] != 0 {
            self.reached[rule] |= cases;
            self.open.push(rule);
        }
    }

    fn come_to(&mut self, statement: &Statement, asks: Asks, cases: u8) {
        let place = (statement.span.start, statement.span.end);
        self.places.entry(place).or_insert((asks, 0)).1 |= cases;
    }
}

struct Ways<'names, 'tree> {
    names: &'names Names<'tree>,
    rules: Vec<Way>,
}

impl<'tree> Ways<'_, 'tree> {
    /// What a statement makes of each case.
    fn of(&self, statement: &'tree Statement) -> Way {
        match &statement.kind {
            StatementKind::Sequence(parts) => {
                parts.iter().fold(Way::SAME, |way, part| way.then(self.of(part)))
            }
            StatementKind::Either(parts) => parts.iter().fold(Way::NONE, |way, part| way.or(self.of(part))),
            StatementKind::Optionally(inner) | StatementKind::Try(inner, None) => {
                Way::SAME.or(self.of(inner))
            }
            StatementKind::Try(first, Some(second)) => self.of(first).or(self.of(second)),
            StatementKind::Test(inner) => self.of(inner).tested(),
            StatementKind::Most(_, inner) => self.of(inner),
            StatementKind::Repeat(least, most, inner) => repeated(self.of(inner), *least, *most),
            StatementKind::While(condition, body) => self.of(condition).then(self.of(body)).repeated(),
            StatementKind::DoWhile(body, condition) => {
                let body = self.of(body);
                body.then(self.of(condition).then(body).repeated())
            }
            StatementKind::PickUp => Way::PICKS_UP,
            StatementKind::PutDown => Way::PUTS_DOWN,
            StatementKind::Direction(_) | StatementKind::Directions(_) | StatementKind::Turn(_) => Way::TURNS,
            StatementKind::Call(name) => match self.names.function(&name.value) {
                Some(rule) => self.rules[rule],
                None => Way::ANY,
            },
            StatementKind::Mistake => Way::ANY,
            StatementKind::Not(_)
            | StatementKind::Find(_)
            | StatementKind::PointsAt(_)
            | StatementKind::ReplaceBy(_)
            | StatementKind::Step { .. }
            | StatementKind::MoveTo(..)
            | StatementKind::Nothing
            | StatementKind::Assert(_)
            | StatementKind::Assign(_)
            | StatementKind::Match(_)
            | StatementKind::ToMove(_)
            | StatementKind::Irreversible
            | StatementKind::Name(_)
            | StatementKind::Forcing(_)
            | StatementKind::Ending(_)
            | StatementKind::Score(_)
            | StatementKind::Cycle(_) => Way::SAME,
        }
    }

    /// Notes in which cases the statements in it are come to, if it is in these.
    fn note(&self, statement: &'tree Statement, cases: u8, seen: &mut Seen) {
        if cases == 0 {
            return;
        }
        match &statement.kind {
            StatementKind::Sequence(parts) => {
                let mut cases = cases;
                for part in parts {
                    self.note(part, cases, seen);
                    cases = self.of(part).of(cases);
                }
            }
            StatementKind::Either(parts) => parts.iter().for_each(|part| self.note(part, cases, seen)),
            StatementKind::Try(first, second) => {
                self.note(first, cases, seen);
                second.iter().for_each(|second| self.note(second, cases, seen));
            }
            StatementKind::Optionally(inner)
            | StatementKind::Test(inner)
            | StatementKind::Not(inner)
            | StatementKind::Most(_, inner) => self.note(inner, cases, seen),
            StatementKind::Repeat(_, most, inner) => {
                let rounds = if *most == Some(0) { Way::NONE } else { self.of(inner).repeated() };
                self.note(inner, rounds.of(cases), seen);
            }
            StatementKind::While(first, second) | StatementKind::DoWhile(first, second) => {
                let (way, next) = (self.of(first), self.of(second));
                let cases = way.then(next).repeated().of(cases);
                self.note(first, cases, seen);
                self.note(second, way.of(cases), seen);
            }
            StatementKind::PickUp => seen.come_to(statement, Asks::PickUp, cases),
            StatementKind::PutDown => seen.come_to(statement, Asks::PutDown, cases),
            StatementKind::Step { .. } => seen.come_to(statement, Asks::Step, cases),
            StatementKind::Call(name) => {
                if let Some(rule) = self.names.function(&name.value) {
                    seen.reach(rule, cases);
                }
            }
            StatementKind::Find(_)
            | StatementKind::PointsAt(_)
            | StatementKind::ReplaceBy(_)
            | StatementKind::Direction(_)
            | StatementKind::Directions(_)
            | StatementKind::Turn(_)
            | StatementKind::MoveTo(..)
            | StatementKind::Nothing
            | StatementKind::Assert(_)
            | StatementKind::Assign(_)
            | StatementKind::Match(_)
            | StatementKind::ToMove(_)
            | StatementKind::Irreversible
            | StatementKind::Name(_)
            | StatementKind::Forcing(_)
            | StatementKind::Ending(_)
            | StatementKind::Score(_)
            | StatementKind::Cycle(_)
            | StatementKind::Mistake => {}
        }
    }
}

/// `repeat least .. most times`; what is not followed exactly comes out as more than it is.
fn repeated(once: Way, least: Option<i64>, most: Option<i64>) -> Way {
    let Some(least) = least else { return Way::NONE };
    let first = match least {
        0..=REPEATS_MAX => (0..least).fold(Way::SAME, |way, _| way.then(once)),
        _ => once.repeated(),
    };
    if most == Some(least) { first } else { first.then(once.repeated()) }
}
