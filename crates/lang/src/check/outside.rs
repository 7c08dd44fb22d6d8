//! What is said about positions from outside: reasons for which they are refused, and endings that they show.

use super::endings;
use super::names::Names;
use super::report::Report;
use crate::diagnostic::Diagnostic;
use crate::syntax::{Statement, StatementKind};
use crate::walk;

pub(super) fn check(names: &Names<'_>, report: &mut Report) {
    for requirement in names.tree.possible.iter().filter(|requirement| requirement.reason.value.is_empty()) {
        report.error(|| {
            Diagnostic::error("E044", requirement.reason.span, "the reason is empty")
                .hint("say what every position must fulfil: it is shown to those who give another one")
        });
    }
    if let Some(body) = &names.tree.finished
        && !says_an_outcome(names, body)
    {
        report.error(|| {
            Diagnostic::error("E045", body.span, "`finished` says no outcome")
                .hint("end it with `win`, `draw`, `loss` or `score (…)`, for the player who has just moved")
        });
    }
}

/// Whether an ending stands in a statement or in a rule that it comes to call.
fn says_an_outcome(names: &Names<'_>, body: &Statement) -> bool {
    let calls = endings::calls(names);
    let mut seen = vec![false; calls.len()];
    let mut open = Vec::new();
    let mut found = looks_like_an_ending(names, body, &mut open);
    while let (false, Some(rule)) = (found, open.pop()) {
        if !std::mem::replace(&mut seen[rule], true) {
            found = looks_like_an_ending(names, &names.tree.functions[rule].body, &mut open);
        }
    }
    found
}

fn looks_like_an_ending(names: &Names<'_>, body: &Statement, calls: &mut Vec<usize>) -> bool {
    let mut found = false;
    walk::statements(body, &mut |statement| match &statement.kind {
        // What could not be read may be one.
        StatementKind::Ending(_) | StatementKind::Score(_) | StatementKind::Mistake => found = true,
        StatementKind::Call(name) => calls.extend(names.function(&name.value)),
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
        | StatementKind::Either(_)
        | StatementKind::Optionally(_)
        | StatementKind::Try(..)
        | StatementKind::Test(_)
        | StatementKind::Not(_)
        | StatementKind::Repeat(..)
        | StatementKind::While(..)
        | StatementKind::DoWhile(..)
        | StatementKind::Nothing
        | StatementKind::Assert(_)
        | StatementKind::Assign(_)
        | StatementKind::Match(_)
        | StatementKind::ToMove(_)
        | StatementKind::Irreversible
        | StatementKind::Name(_)
        | StatementKind::Forcing(_)
        | StatementKind::Most(..)
        | StatementKind::Cycle(_)
        | StatementKind::Sequence(_) => {}
    });
    found
}
