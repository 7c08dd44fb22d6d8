//! What only the whole program shows: names that were not declared, sizes that do not fit, rules that cannot
//! run. One file for one kind of question; each adds to the same `Report`.

mod appearance;
mod board;
mod carried;
mod constant;
mod endings;
mod expressions;
mod names;
mod never;
mod notation;
mod outside;
mod pieces;
mod properties;
mod reach;
mod recursion;
mod report;
mod setup;
mod slips;
mod statements;
mod usage;

use crate::diagnostic::Diagnostic;
use crate::syntax::Program;
use names::Names;
use report::Report;

/// Everything that is wrong or looks wrong with a program that was read, in the order of the text.
///
/// Parts that could not be read are passed over: [`crate::parse`] has already spoken of them. At most a
/// hundred errors and a hundred warnings are kept.
///
/// ```
/// let source = lang::Source::new("tiny.mg", "dimensions (3, 3)\npieces { mark 'X' 'O' }\nmain = find mark, fnd.");
/// let report = lang::check(&lang::parse(&source).tree);
/// assert_eq!(report[0].code, "E021");
/// assert_eq!(report[0].hint.as_deref(), Some("did you mean `find`?"));
/// ```
#[must_use]
pub fn check(tree: &Program) -> Vec<Diagnostic> {
    let names = Names::of(tree);
    let mut report = Report::default();
    names::check(&names, &mut report);
    board::check(tree, &mut report);
    pieces::check(tree, &mut report);
    properties::check(tree, &mut report);
    notation::check(&names, &mut report);
    outside::check(&names, &mut report);
    appearance::check(tree, &mut report);
    let used_fields = setup::check(&names, &mut report);
    statements::check(&names, used_fields, &mut report);
    if !tree.incomplete {
        usage::check(&names, &mut report);
        slips::check(&names, &mut report);
        never::check(&names, &mut report);
        // What does not compile has other cares.
        if report.errors() == 0 {
            carried::check(&names, &mut report);
        }
        appearance::check_neighbours(tree, &mut report);
    }
    let endings = endings::Endings::of(&names);
    if recursion::check(&names, &endings, &mut report) {
        // What never ends lets nothing through either: once is enough.
        return report.finish();
    }
    // What could not be read may be what leads there.
    if !tree.incomplete && !recursion::check_ends(&names, &endings, &mut report) {
        reach::check(&names, &endings, &mut report);
    }
    report.finish()
}
