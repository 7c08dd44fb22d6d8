//! `lang` turns the text of a game's rules into a checked program. It knows the notation: lexer, parser,
//! checker, diagnostics, formatter. It knows nothing of how rules run.
//!
//! Parsing never fails: [`parse`] returns a tree and diagnostics, [`mod@check`] adds what only the whole program
//! shows. Start with [`syntax`], the tree.
//!
//! ```
//! let source = lang::Source::new("tiny.mg", "dimensions (3, 3)\npieces { mark 'X' 'O' }\nmain = find empty field.");
//! let program = lang::parse(&source);
//! assert!(program.diagnostics.is_empty());
//! let report = lang::check(&program.tree);
//! assert!(report.iter().all(|diagnostic| diagnostic.severity == lang::Severity::Warning));
//! ```

#![forbid(unsafe_code)]

pub mod appearance;
pub mod check;
pub mod diagnostic;
mod fingerprint;
pub mod format;
pub mod lexer;
pub mod parser;
pub mod source;
pub mod syntax;
pub mod walk;

pub use check::check;
pub use diagnostic::{Diagnostic, Severity, render};
pub use fingerprint::{evaluation_fingerprint, fingerprint};
pub use format::format;
pub use parser::{Parsed, parse};
pub use source::{Source, Span};
