//! What a statement can come to, as far as its text shows: whether it may yield a state, and whether it may
//! yield none. What may do neither runs for ever.

use super::constant;
use super::names::Names;
use crate::syntax::{Statement, StatementKind};
use crate::walk;

/// What a statement can come to.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Ends {
    /// It may yield a state.
    pub(super) yields: bool,
    /// It may yield none.
    pub(super) fails: bool,
}

impl Ends {
    const ALWAYS: Ends = Ends { yields: true, fails: false };
    const NEVER: Ends = Ends { yields: false, fails: true };
    const EITHER: Ends = Ends { yields: true, fails: true };

    fn of_truth(truth: Option<i64>) -> Ends {
        match truth {
            None => Ends::EITHER,
            Some(0) => Ends::NEVER,
            Some(_) => Ends::ALWAYS,
        }
    }
}

/// What the rules of a program can come to.
pub(super) struct Endings<'names, 'tree> {
    names: &'names Names<'tree>,
    rules: Vec<Ends>,
}

/// Told of each statement that nothing can reach, with the one that keeps everything from it.
pub(super) type Tell<'visit, 'tree> = dyn FnMut(&'tree Statement, &'tree Statement) + 'visit;

/// Rules that call each other may need several looks; more than this many are not worth it.
const ROUNDS_MAX: usize = 20;

impl<'names, 'tree> Endings<'names, 'tree> {
    /// Looks at the rules, called ones first, until nothing new is learned.
    pub(super) fn of(names: &'names Names<'tree>) -> Endings<'names, 'tree> {
        let functions = &names.tree.functions;
        let mut endings = Endings { names, rules: vec![Ends::default(); functions.len()] };
        let order = called_first(names);
        for _ in 0..ROUNDS_MAX {
            let mut learned = false;
            for &index in &order {
                let ends = endings.visit(&functions[index].body, &mut |_, _| {});
                learned |= ends != endings.rules[index];
                endings.rules[index] = ends;
            }
            if !learned {
                return endings;
            }
        }
        endings.rules.fill(Ends::EITHER);
        endings
    }

    /// What a rule can come to.
    pub(super) fn of_rule(&self, rule: usize) -> Ends {
        self.rules[rule]
    }

    /// The same, were these rules to yield something.
    pub(super) fn hoping(&self, rules: &[usize]) -> Endings<'names, 'tree> {
        let mut hopeful = Endings { names: self.names, rules: self.rules.clone() };
        rules.iter().for_each(|&rule| hopeful.rules[rule] = Ends::EITHER);
        hopeful
    }

    /// What a statement can come to; `tell` hears of what in it can never be reached.
    pub(super) fn visit(&self, statement: &'tree Statement, tell: &mut Tell<'_, 'tree>) -> Ends {
        match &statement.kind {
            StatementKind::Sequence(parts) => self.sequence(parts, tell),
            StatementKind::Either(parts) => {
                let mut ends = Ends { yields: false, fails: true };
                for part in parts {
                    let part = self.visit(part, tell);
                    ends = Ends { yields: ends.yields || part.yields, fails: ends.fails && part.fails };
                }
                ends
            }
            StatementKind::Optionally(inner) => {
                self.visit(inner, tell);
                Ends::ALWAYS
            }
            StatementKind::Try(first, second) => {
                let ends = self.visit(first, tell);
                let Some(second) = second else { return Ends { fails: false, ..self.tried(ends) } };
                let otherwise = self.visit(second, tell);
                if ends == Ends::ALWAYS {
                    tell(second, first);
                }
                Ends {
                    yields: ends.yields || (ends.fails && otherwise.yields),
                    fails: ends.fails && otherwise.fails,
                }
            }
            StatementKind::Test(inner) | StatementKind::Most(_, inner) => self.visit(inner, tell),
            StatementKind::Not(inner) => {
                let ends = self.visit(inner, tell);
                Ends { yields: ends.fails, fails: ends.yields }
            }
            StatementKind::Repeat(least, _, inner) => {
                let ends = self.visit(inner, tell);
                match least {
                    // Without an end, nothing comes out of it.
                    None => Ends { yields: false, ..ends },
                    Some(0) => Ends::ALWAYS,
                    Some(_) => ends,
                }
            }
            StatementKind::While(condition, body) => {
                let (condition_ends, ends) = (self.visit(condition, tell), self.visit(body, tell));
                if condition_ends == Ends::NEVER {
                    tell(body, condition);
                }
                Ends { yields: condition_ends.fails, fails: condition_ends.yields && ends.fails }
            }
            StatementKind::DoWhile(body, condition) => {
                let (ends, condition_ends) = (self.visit(body, tell), self.visit(condition, tell));
                if !ends.yields {
                    tell(condition, body);
                }
                Ends { yields: ends.yields && condition_ends.fails, fails: ends.fails }
            }
            StatementKind::Find(_)
            | StatementKind::PointsAt(_)
            | StatementKind::ReplaceBy(_)
            | StatementKind::PickUp
            | StatementKind::PutDown
            | StatementKind::Step { .. }
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
            | StatementKind::Call(_)
            | StatementKind::Mistake => self.simple(statement),
        }
    }

    fn tried(&self, ends: Ends) -> Ends {
        Ends { yields: ends.yields || ends.fails, ..ends }
    }

    fn sequence(&self, parts: &'tree [Statement], tell: &mut Tell<'_, 'tree>) -> Ends {
        let mut ends = Ends::ALWAYS;
        let mut told = false;
        for (number, part) in parts.iter().enumerate() {
            // What stands behind a dead end is not looked at twice.
            let mut told_inside = false;
            let part_ends = self.visit(part, &mut |unreachable, because| {
                told_inside = true;
                tell(unreachable, because);
            });
            ends = Ends {
                yields: ends.yields && part_ends.yields,
                fails: ends.fails || (ends.yields && part_ends.fails),
            };
            if !ends.yields && !told {
                told = true;
                if let Some(next) = parts.get(number + 1).filter(|_| !told_inside) {
                    tell(next, part);
                }
            }
        }
        ends
    }

    /// Statements without statements in them.
    fn simple(&self, statement: &Statement) -> Ends {
        match &statement.kind {
            StatementKind::Direction(_)
            | StatementKind::Directions(_)
            | StatementKind::Turn(_)
            | StatementKind::Nothing
            | StatementKind::Assign(_)
            | StatementKind::Irreversible
            | StatementKind::Name(_)
            | StatementKind::Forcing(_)
            | StatementKind::Ending(_)
            | StatementKind::Score(_) => Ends::ALWAYS,
            // `assert (count = 0)` is a mistake, and what was meant may be true.
            StatementKind::Assert(truth) if constant::assigns(truth) => Ends::EITHER,
            StatementKind::Assert(truth) => Ends::of_truth(constant::value(truth)),
            StatementKind::MoveTo(column, row) => {
                let Some((columns, rows)) = self.names.board() else { return Ends::EITHER };
                let outside =
                    |place, most| constant::value(place).is_some_and(|at| !(1..=most).contains(&at));
                match outside(column, columns) || outside(row, rows) {
                    true => Ends::NEVER,
                    false => Ends::EITHER,
                }
            }
            StatementKind::Call(name) => match self.names.function(&name.value) {
                Some(index) => self.rules[index],
                None => Ends::EITHER,
            },
            StatementKind::Find(_)
            | StatementKind::PointsAt(_)
            | StatementKind::ReplaceBy(_)
            | StatementKind::PickUp
            | StatementKind::PutDown
            | StatementKind::Step { .. }
            | StatementKind::Either(_)
            | StatementKind::Optionally(_)
            | StatementKind::Try(..)
            | StatementKind::Test(_)
            | StatementKind::Not(_)
            | StatementKind::Repeat(..)
            | StatementKind::While(..)
            | StatementKind::DoWhile(..)
            | StatementKind::Match(_)
            | StatementKind::ToMove(_)
            | StatementKind::Most(..)
            | StatementKind::Cycle(_)
            | StatementKind::Sequence(_)
            | StatementKind::Mistake => Ends::EITHER,
        }
    }
}

/// The rules that each rule calls.
pub(super) fn calls(names: &Names<'_>) -> Vec<Vec<usize>> {
    let calls_of = |body| {
        let mut calls = Vec::new();
        walk::statements(body, &mut |statement| {
            if let StatementKind::Call(name) = &statement.kind {
                calls.extend(names.function(&name.value));
            }
        });
        calls
    };
    names.tree.functions.iter().map(|function| calls_of(&function.body)).collect()
}

/// The rules in an order in which callers come behind what they call, where that is possible.
pub(super) fn called_first(names: &Names<'_>) -> Vec<usize> {
    let calls = calls(names);
    let mut order = Vec::with_capacity(calls.len());
    let mut seen = vec![false; calls.len()];
    for root in 0..calls.len() {
        // A stack of our own: chains of calls can be long.
        let mut open = Vec::new();
        if !seen[root] {
            seen[root] = true;
            open.push((root, 0));
        }
        while let Some((rule, next)) = open.last_mut() {
            match calls[*rule].get(*next) {
                Some(&called) => {
                    *next += 1;
                    if !seen[called] {
                        seen[called] = true;
                        open.push((called, 0));
                    }
                }
                None => {
                    order.push(*rule);
                    open.pop();
                }
            }
        }
    }
    order
}
