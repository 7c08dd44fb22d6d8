//! What there is to say about a program, and how it is shown.

use crate::source::{Source, Span};

/// How bad it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub enum Severity {
    /// The program can run; something looks wrong.
    Warning,
    /// The program cannot run.
    Error,
}

impl Severity {
    /// `error` or `warning`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

/// One thing to say about a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// A code that never changes its meaning, such as `E021`.
    pub code: &'static str,
    /// What is wrong.
    pub message: String,
    /// Where.
    pub span: Span,
    /// What to do about it.
    pub hint: Option<String>,
}

impl Diagnostic {
    /// Something that keeps the program from running.
    #[must_use]
    pub fn error(code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Error, code, message: message.into(), span, hint: None }
    }

    /// Something that looks wrong.
    #[must_use]
    pub fn warning(code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Warning, code, message: message.into(), span, hint: None }
    }

    /// The same with a hint.
    #[must_use]
    pub fn hint(self, hint: impl Into<String>) -> Diagnostic {
        Diagnostic { hint: Some(hint.into()), ..self }
    }

    /// The same with a hint if there is one.
    #[must_use]
    pub fn maybe_hint(self, hint: Option<String>) -> Diagnostic {
        Diagnostic { hint: hint.or(self.hint), ..self }
    }
}

/// Whether any of them keeps the program from running.
#[must_use]
pub fn any_error(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error)
}

/// The name closest to a misspelt one, as a hint.
#[must_use]
pub fn did_you_mean<'name>(wrong: &str, names: impl IntoIterator<Item = &'name str>) -> Option<String> {
    nearest(wrong, names).map(|name| format!("did you mean `{name}`?"))
}

/// A name longer than this is not a misspelt word, and comparing it would take long.
const MISSPELT_BYTES_MAX: usize = 60;

/// Names beyond this many are not compared.
const CANDIDATES_MAX: usize = 2_000;

/// The name closest to a misspelt one.
#[must_use]
pub fn nearest<'name>(wrong: &str, names: impl IntoIterator<Item = &'name str>) -> Option<&'name str> {
    let length = wrong.len();
    if length > MISSPELT_BYTES_MAX {
        return None;
    }
    let near = names
        .into_iter()
        .take(CANDIDATES_MAX)
        .filter(|name| name.len().abs_diff(length) <= 1 + length / 4 && *name != wrong)
        .map(|name| (strsim::damerau_levenshtein(wrong, name), name))
        .filter(|(distance, name)| {
            // Of two letters, one in common is no likeness; of four, two are none.
            let shorter = length.min(name.len());
            *distance <= 1 + shorter / 5 && *distance < shorter && (shorter > 2 || *distance == 0)
        })
        .min_by_key(|(distance, _)| *distance)?;
    Some(near.1)
}

/// A name in quotes for a message, cut if it is too long to be meant.
pub(crate) fn quoted(name: &str) -> String {
    match name.char_indices().nth(40) {
        Some((cut, _)) => format!("`{}…`", &name[..cut]),
        None => format!("`{name}`"),
    }
}

/// How much of a long line is shown on each side of the place; lines up to twice that are shown whole.
const CONTEXT: usize = 50;

/// Draws a diagnostic with the line it speaks of and the place marked.
///
/// ```text
/// error[E021]: there is no rule or statement `fnd`
///   --> tiny.mg:3:8
///    |
///  3 | main = fnd empty field.
///    |        ^^^
///    = did you mean `find`?
/// ```
#[must_use]
pub fn render(source: &Source, diagnostic: &Diagnostic) -> String {
    let (line, column) = source.line_and_column(diagnostic.span.start);
    // A line can be as long as a text: look no further than what is shown.
    let (left, right) = source.line_around(diagnostic.span.start);
    let visible = |character: char| if character.is_control() { ' ' } else { character };
    let is_short = left.len() + right.len() <= 2 * CONTEXT;
    let (most_before, most_after) = if is_short { (2 * CONTEXT, 2 * CONTEXT) } else { (CONTEXT, CONTEXT) };
    let mut shown: Vec<char> = left.chars().rev().take(most_before).map(visible).collect();
    shown.reverse();
    if shown.len() < column - 1 {
        shown.insert(0, '…');
    }
    let before = shown.len();
    let mut rest = right.chars();
    shown.extend(rest.by_ref().take(most_after).map(visible));
    if rest.next().is_some() {
        shown.push('…');
    }
    let covered = source.text.get(diagnostic.span.start..diagnostic.span.end).unwrap_or("");
    let width =
        covered.chars().take(CONTEXT).take_while(|character| !matches!(character, '\n' | '\r')).count();
    let width = width.min(shown.len() - before).max(1);
    let shown: String = shown.iter().collect();
    let shown = shown.trim_end();
    let number = line.to_string();
    let margin = " ".repeat(number.len());
    let mut text = format!("{}[{}]: {}\n", diagnostic.severity.name(), diagnostic.code, diagnostic.message);
    text.push_str(&format!(" {margin}--> {}:{line}:{column}\n", source.name));
    text.push_str(&format!(" {margin} |\n {number} | {shown}\n"));
    text.push_str(&format!(" {margin} | {}{}\n", " ".repeat(before), "^".repeat(width)));
    if let Some(hint) = &diagnostic.hint {
        text.push_str(&format!(" {margin} = {hint}\n"));
    }
    text
}
