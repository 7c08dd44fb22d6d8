//! Source text and places in it.

/// A range of bytes of the source.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Span {
    /// The first byte.
    pub start: usize,
    /// The byte behind the last.
    pub end: usize,
}

impl Span {
    /// From here to there.
    #[must_use]
    pub fn new(start: usize, end: usize) -> Span {
        Span { start, end }
    }

    /// From the start of this span to the end of another.
    #[must_use]
    pub fn to(self, other: Span) -> Span {
        Span { start: self.start, end: other.end.max(self.start) }
    }
}

/// A value and where it stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spanned<T> {
    /// The value.
    pub value: T,
    /// Where it stands.
    pub span: Span,
}

/// A rules text with its name.
#[derive(Clone, Debug)]
pub struct Source {
    /// What messages call it: a path or the name of a game.
    pub name: String,
    /// The rules.
    pub text: String,
    line_starts: Vec<usize>,
}

impl Source {
    /// Takes a text.
    #[must_use]
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Source {
        let text = text.into();
        let starts = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(index, _)| index + 1);
        let line_starts = std::iter::once(0).chain(starts).collect();
        Source { name: name.into(), text, line_starts }
    }

    /// Line and column of a byte, both counted from 1, columns in characters.
    #[must_use]
    pub fn line_and_column(&self, offset: usize) -> (usize, usize) {
        let offset = offset.min(self.text.len());
        let line = self.line_starts.partition_point(|&start| start <= offset);
        let start = self.line_starts[line - 1];
        let column = self.text.get(start..offset).map_or(offset - start, |before| before.chars().count()) + 1;
        (line, column)
    }

    /// The text of a byte's line before and after the byte, without the line's end.
    pub(crate) fn line_around(&self, offset: usize) -> (&str, &str) {
        let line = self.line(self.line_and_column(offset).0);
        let start = self.line_starts[self.line_starts.partition_point(|&start| start <= offset) - 1];
        let mut middle = offset.saturating_sub(start).min(line.len());
        while !line.is_char_boundary(middle) {
            middle -= 1;
        }
        line.split_at(middle)
    }

    /// The text of a line counted from 1, without its end.
    #[must_use]
    pub fn line(&self, line: usize) -> &str {
        let start = self.line_starts[line - 1];
        let end = self.line_starts.get(line).copied().unwrap_or(self.text.len());
        self.text[start..end].trim_end_matches(['\n', '\r'])
    }
}
