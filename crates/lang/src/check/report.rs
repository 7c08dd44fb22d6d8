//! The diagnostics of a check while they are gathered.

use crate::diagnostic::Diagnostic;
use crate::lexer::DIAGNOSTICS_MAX;

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
