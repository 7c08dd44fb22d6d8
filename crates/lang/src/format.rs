//! The one layout of a program: what `multigame fmt` writes.
//!
//! The formatter works on tokens, like gofmt: it changes the space between them and nothing else. Where the
//! author broke a line, it stays broken. Each open bracket indents by four, and so do the further lines of a
//! rule; rules stand a blank line apart; the rows of a `setup` move as one block.

mod board;
mod context;
mod layout;
mod spacing;

use crate::lexer::tokenize;
use crate::source::Source;

/// The text in its one layout; formatting that again changes nothing.
///
/// A text that the lexer cannot read comes back as it is. The cost is linear in the length of the text.
///
/// ```
/// let source = lang::Source::new("tiny.mg", "main=find empty field ,\nreplace by   mark.");
/// assert_eq!(lang::format(&source), "main = find empty field,\n    replace by mark.\n");
/// ```
#[must_use]
pub fn format(source: &Source) -> String {
    let (tokens, mistakes) = tokenize(&source.text);
    if !mistakes.is_empty() {
        return source.text.clone();
    }
    let mut lines = layout::lines(&source.text, &tokens);
    layout::separate_rules(&mut lines);
    layout::write(&lines)
}
