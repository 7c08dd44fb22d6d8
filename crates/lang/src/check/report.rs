//! The diagnostics of a check while they are gathered.

use crate::diagnostic::Diagnostic;
use crate::lexer::DIAGNOSTICS_MAX;
use crate::source::Span;

/// Errors and warnings; each kind has room of its own, so that many warnings hide no error.
#[derive(Default)]
pub(super) struct Report {
    errors: Vec<Diagnostic>,
    warnings: Vec<Diagnostic>,
}

impl Report {
    /// Adds an error, which is made only if there is still room: looking for hints takes time.
    pub(super) fn error(&mut self, make: impl FnOnce() -> Diagnostic) {
        if self.errors.len() < DIAGNOSTICS_MAX {
            self.errors.push(make());
        }
    }

    /// Gives the error about a place a better hint.
    pub(super) fn amend(&mut self, place: Span, hint: String) {
        if let Some(error) = self.errors.iter_mut().rev().find(|error| error.span == place) {
            error.hint = Some(hint);
        }
    }

    /// How many errors there are.
    pub(super) fn errors(&self) -> usize {
        self.errors.len()
    }

    /// Adds a warning.
    pub(super) fn warning(&mut self, make: impl FnOnce() -> Diagnostic) {
        if self.warnings.len() < DIAGNOSTICS_MAX {
            self.warnings.push(make());
        }
    }

    /// All of them in the order of the text.
    pub(super) fn finish(self) -> Vec<Diagnostic> {
        let mut all = self.errors;
        all.extend(self.warnings);
        all.sort_by_key(|diagnostic| (diagnostic.span.start, diagnostic.code));
        all.dedup();
        all
    }
}
