//! A `win` that stands behind a test without `try`: only moves that win are then legal.

use lang::syntax::{Ending, Program, Statement, StatementKind};
use lang::{Source, Span, walk};

/// So deep are calls followed.
const CALLS_MAX: u32 = 8;

/// `four, win` at the end of a move.
pub(super) struct Unguarded {
    /// What must hold, or no move is legal.
    test: Span,
    /// The bodies of the rules that the test calls.
    bodies: Vec<Span>,
    advice: String,
}

impl Unguarded {
    /// The first of them in the rules of moves.
    pub(super) fn of(source: &Source) -> Option<Unguarded> {
        let tree = lang::parse(source).tree;
        let main = body_of(&tree, "main")?;
        let (test, ending) = Search { tree: &tree }.in_statement(main, false, CALLS_MAX)?;
        let mut bodies = Vec::new();
        called_by(&tree, test, CALLS_MAX, &mut bodies);
        let text = source.text.get(test.span.start..test.span.end).unwrap_or("…");
        let text = if text.len() > 40 || text.contains('\n') { "…" } else { text };
        let advice = format!("only moves that {ending} are legal: did you mean `try [ {text}, {ending} ]`?");
        Some(Unguarded { test: test.span, bodies, advice })
    }

    /// Whether a statement belongs to the test.
    pub(super) fn holds(&self, place: Span) -> bool {
        let inside = |outer: &Span| outer.start <= place.start && place.end <= outer.end;
        inside(&self.test) || self.bodies.iter().any(inside)
    }

    pub(super) fn advice(&self) -> String {
        self.advice.clone()
    }
}

fn body_of<'tree>(tree: &'tree Program, name: &str) -> Option<&'tree Statement> {
    tree.functions.iter().find(|function| function.name.value == name).map(|function| &function.body)
}

fn called_by(tree: &Program, statement: &Statement, calls_max: u32, bodies: &mut Vec<Span>) {
    walk::statements(statement, &mut |part| {
        if let StatementKind::Call(name) = &part.kind
            && let Some(body) = body_of(tree, &name.value)
            && calls_max > 0
            && !bodies.contains(&body.span)
        {
            bodies.push(body.span);
            called_by(tree, body, calls_max - 1, bodies);
        }
    });
}

struct Search<'tree> {
    tree: &'tree Program,
}

impl<'tree> Search<'tree> {
    /// The test before a `win` that is met whenever the test holds; `moved`: what came before has made a move, which
    /// nothing but the test keeps from being legal.
    fn in_statement(
        &self,
        statement: &'tree Statement,
        moved: bool,
        calls_max: u32,
    ) -> Option<(&'tree Statement, &'static str)> {
        match &statement.kind {
            StatementKind::Sequence(parts) => {
                let mut moved = moved;
                for (index, part) in parts.iter().enumerate() {
                    if let StatementKind::Ending(Ending::Win) = &part.kind
                        && moved
                        && let Some(test) = index.checked_sub(1).map(|before| &parts[before])
                        && self.is_test(test)
                    {
                        return Some((test, "win"));
                    }
                    if let Some(found) = self.in_statement(part, moved, calls_max) {
                        return Some(found);
                    }
                    moved |= self.moves(part, CALLS_MAX);
                }
                None
            }
            // Another choice may make the move.
            StatementKind::Either(parts) => {
                parts.iter().find_map(|part| self.in_statement(part, false, calls_max))
            }
            StatementKind::Try(first, second) => {
                let first = self.in_statement(first, false, calls_max);
                first.or_else(|| self.in_statement(second.as_ref()?, false, calls_max))
            }
            StatementKind::Most(_, inner) => self.in_statement(inner, moved, calls_max),
            StatementKind::Call(name) => {
                self.in_statement(body_of(self.tree, &name.value)?, moved, calls_max.checked_sub(1)?)
            }
            // In these, a `win` decides about a part of a move at most.
            StatementKind::Optionally(_)
            | StatementKind::Test(_)
            | StatementKind::Not(_)
            | StatementKind::Repeat(..)
            | StatementKind::While(..)
            | StatementKind::DoWhile(..) => None,
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
            | StatementKind::Mistake => None,
        }
    }

    fn is_test(&self, statement: &Statement) -> bool {
        match &statement.kind {
            StatementKind::Not(_)
            | StatementKind::Test(_)
            | StatementKind::Assert(_)
            | StatementKind::PointsAt(_)
            | StatementKind::Match(_) => true,
            StatementKind::Call(_) => !self.moves(statement, CALLS_MAX),
            _ => false,
        }
    }

    /// Whether a statement changes the board.
    fn moves(&self, statement: &Statement, calls_max: u32) -> bool {
        let mut found = false;
        walk::statements(statement, &mut |part| match &part.kind {
            StatementKind::PutDown | StatementKind::ReplaceBy(_) | StatementKind::Cycle(_) => found = true,
            StatementKind::Call(name) if calls_max > 0 && !found => {
                let body = body_of(self.tree, &name.value);
                found = body.is_some_and(|body| self.moves(body, calls_max - 1));
            }
            _ => {}
        });
        found
    }
}
