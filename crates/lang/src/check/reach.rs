//! Statements that nothing can reach, because what stands before them lets nothing through.

use super::endings::Endings;
use super::names::Names;
use super::report::Report;
use crate::diagnostic::Diagnostic;
use crate::syntax::{Statement, StatementKind};
use crate::walk;

pub(super) fn check(names: &Names<'_>, endings: &Endings<'_, '_>, report: &mut Report) {
    for body in walk::bodies(names.tree) {
        endings.visit(body, &mut |unreachable, because| {
            report.warning(|| warning(unreachable, because));
        });
    }
    let main = names.function("main").map(|index| &names.tree.functions[index]);
    let mut told = false;
    if let Some(main) = main.filter(|main| !endings.visit(&main.body, &mut |_, _| told = true).yields)
        && !told
    {
        report.warning(|| {
            Diagnostic::warning("W003", main.name.span, "`main` can never yield anything: there is no move")
        });
    }
}

fn warning(unreachable: &Statement, because: &Statement) -> Diagnostic {
    let why = match &because.kind {
        StatementKind::Call(name) => format!("the rule `{}` before it never yields anything", name.value),
        StatementKind::Assert(_) => "the `assert` before it is never true".to_owned(),
        StatementKind::Repeat(None, ..) => {
            "the `repeat infinity times` before it never ends; `0 .. infinity` does".to_owned()
        }
        StatementKind::While(..) | StatementKind::DoWhile(..) => "the loop before it never ends".to_owned(),
        StatementKind::MoveTo(..) => "the `move to` before it leaves the board".to_owned(),
        StatementKind::Not(_) => "what follows the `not` before it always succeeds".to_owned(),
        _ => "what decides about it always comes out the same way".to_owned(),
    };
    Diagnostic::warning("W003", unreachable.span, "this statement can never be reached").hint(why)
}
