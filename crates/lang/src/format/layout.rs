//! Lines: where they begin, what stands between them, and where the comments at their ends stand.

use super::board;
use super::context::Context;
use super::spacing::{Piece, is_apart};
use crate::lexer::{Token, TokenKind};

/// Spaces for each level.
const INDENT: usize = 4;

/// Deeper levels than this stand below each other: they could not be read anyway.
const LEVELS_MAX: usize = 20;

/// Code longer than this takes no part in lining up comments.
const ALIGNED_MAX: usize = 80;

/// A line of the new text.
pub(super) struct TextLine<'text> {
    indent: usize,
    /// Everything but a comment at the end; a setup makes it longer than a line.
    code: String,
    comment: Option<&'text str>,
    /// A blank line goes before it.
    is_apart: bool,
    begins_rule: bool,
    /// What ends here, or on a line of code before, is a rule.
    is_after_rule: bool,
}

impl TextLine<'_> {
    fn is_comment(&self) -> bool {
        self.code.is_empty()
    }

    /// Where its code ends, if a comment follows and the line may be lined up with others.
    fn width(&self) -> Option<usize> {
        let width = self.indent + self.code.chars().take(ALIGNED_MAX + 1).count();
        let may = !self.is_comment() && self.comment.is_some() && !self.code.contains('\n');
        (may && width <= ALIGNED_MAX).then_some(width)
    }
}

/// Splits the tokens where the author broke the line, and lays each line out.
pub(super) fn lines<'text>(text: &'text str, tokens: &[Token]) -> Vec<TextLine<'text>> {
    let count = tokens.len() - usize::from(tokens.last().is_some_and(|token| token.kind == TokenKind::End));
    let tokens = &tokens[..count];
    let mut context = Context::new(text);
    let mut lines = Vec::new();
    let (mut start, mut is_apart) = (0, false);
    for end in 1..=tokens.len() {
        let breaks = match tokens.get(end) {
            None => 1,
            Some(next) => line_ends(text, tokens[end - 1], *next),
        };
        if breaks > 0 {
            let mut line = line(text, &tokens[start..end], &tokens[start..], &mut context);
            let is_inner = opens(&tokens[..start]) || closes(&tokens[start..end]);
            line.is_apart = is_apart && !is_inner && !lines.is_empty();
            lines.push(line);
            (start, is_apart) = (end, breaks > 1);
        }
    }
    lines
}

/// Whether the last of these tokens, but for one comment, is an opening bracket.
fn opens(tokens: &[Token]) -> bool {
    let mut backwards = tokens.iter().rev();
    let last = backwards.next().filter(|token| token.kind != TokenKind::Comment).or_else(|| backwards.next());
    last.is_some_and(|token| matches!(token.kind, TokenKind::Symbol("(" | "[" | "{")))
}

fn closes(tokens: &[Token]) -> bool {
    tokens.first().is_some_and(|token| matches!(token.kind, TokenKind::Symbol(")" | "]" | "}")))
}

/// How many lines end between two tokens. The rows of a setup stay with the brackets around them.
fn line_ends(text: &str, left: Token, right: Token) -> usize {
    if left.kind == TokenKind::Board || right.kind == TokenKind::Board {
        return 0;
    }
    text[left.span.end..right.span.start].bytes().filter(|byte| *byte == b'\n').count()
}

/// Lays out one line; `following` begins with it and goes on to the end of the text.
fn line<'text>(
    text: &'text str,
    tokens: &[Token],
    following: &[Token],
    context: &mut Context<'text>,
) -> TextLine<'text> {
    let indent = INDENT * context.level(tokens).min(LEVELS_MAX);
    let mut line = TextLine {
        indent,
        code: String::new(),
        comment: None,
        is_apart: false,
        begins_rule: context.begins_rule(following),
        is_after_rule: false,
    };
    let mut before: Option<Piece> = None;
    for (index, token) in tokens.iter().enumerate() {
        let shown = &text[token.span.start..token.span.end];
        let Some(piece) = context.enter(&following[index..]) else { break };
        match token.kind {
            TokenKind::Comment => line.comment = Some(shown),
            TokenKind::Board => line.code.push_str(&board::layout(shown, indent + INDENT)),
            _ => {
                // The rows end with what has to stand before the bracket.
                let is_free = before.is_none_or(|before| before.kind == TokenKind::Board);
                if !is_free && before.is_some_and(|before| is_apart(before, piece)) {
                    line.code.push(' ');
                }
                line.code.push_str(shown);
            }
        }
        before = Some(piece);
    }
    line.is_after_rule = context.is_after_rule();
    line
}

/// Puts a blank line between rules, before the comments that lead to the second.
pub(super) fn separate_rules(lines: &mut [TextLine<'_>]) {
    for index in 1..lines.len() {
        if !lines[index].begins_rule {
            continue;
        }
        let mut first = index;
        while first > 1 && !lines[first].is_apart && lines[first - 1].is_comment() {
            first -= 1;
        }
        if lines[first - 1].is_after_rule && !lines[first - 1].is_comment() {
            lines[first].is_apart = true;
        }
    }
}

/// The text of the lines, with the comments at the ends of neighbouring lines below each other.
pub(super) fn write(lines: &[TextLine<'_>]) -> String {
    let mut text = String::new();
    let mut rest = lines;
    while let Some(line) = rest.first() {
        // Neighbours: lines of code and comment with no blank line between them.
        let more = rest.iter().skip(1).take_while(|line| line.width().is_some() && !line.is_apart).count();
        let count = if line.width().is_some() { 1 + more } else { 1 };
        let (group, others) = rest.split_at(count);
        let column = group.iter().filter_map(TextLine::width).max().unwrap_or(0);
        for line in group {
            if line.is_apart {
                text.push('\n');
            }
            write_line(line, column, &mut text);
        }
        rest = others;
    }
    text
}

fn write_line(line: &TextLine<'_>, column: usize, text: &mut String) {
    text.extend(std::iter::repeat_n(' ', line.indent));
    text.push_str(&line.code);
    if let Some(comment) = line.comment {
        let gap = line.width().map_or(0, |width| column.saturating_sub(width)) + 2;
        let gap = if line.is_comment() { 0 } else { gap };
        text.extend(std::iter::repeat_n(' ', gap));
        text.push_str(comment);
    }
    text.push('\n');
}
