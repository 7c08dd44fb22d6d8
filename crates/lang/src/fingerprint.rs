//! A number that tells rules from others: what was learned for one text is of no use for another.

use crate::lexer::{TokenKind, tokenize};

/// Sections that do not change what may be played.
const OUTSIDE: [&str; 3] = [EVALUATION, "appearance", "possible"];
const EVALUATION: &str = "evaluation";

/// The fingerprint of rules. Comments, layout, the evaluation, the appearance and what is said of positions that cannot
/// be do not count.
#[must_use]
pub fn fingerprint(text: &str) -> u64 {
    sum(text, |section| !section.is_some_and(|word| OUTSIDE.contains(&word)))
}

/// The fingerprint of the evaluation that rules state, if they do. Comments and layout do not count.
#[must_use]
pub fn evaluation_fingerprint(text: &str) -> u64 {
    sum(text, |section| section == Some(EVALUATION))
}

/// Adds up what stands in some sections: `counts` is asked with the name of a section that is kept apart, or with none.
fn sum(text: &str, counts: impl Fn(Option<&str>) -> bool) -> u64 {
    let (tokens, _) = tokenize(text);
    let (mut sum, mut depth, mut section) = (0xcbf2_9ce4_8422_2325_u64, 0_usize, None);
    let mut add = |word: &str| {
        for byte in word.bytes().chain([0]) {
            sum = (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    };
    let mut tokens = tokens.iter().filter(|token| token.kind != TokenKind::Comment).peekable();
    while let Some(token) = tokens.next() {
        let word = text.get(token.span.start..token.span.end).unwrap_or_default();
        let begins = tokens.peek().is_some_and(|next| next.kind == TokenKind::Symbol("{"));
        if depth == 0 && begins && OUTSIDE.contains(&word) {
            section = Some(word);
        }
        match token.kind {
            TokenKind::Symbol("{") => depth += 1,
            TokenKind::Symbol("}") => depth = depth.saturating_sub(1),
            _ => {}
        }
        if counts(section) {
            add(&unindented(word));
        }
        if depth == 0 && token.kind == TokenKind::Symbol("}") {
            section = None;
        }
    }
    sum
}

/// Lines without what stands before and behind them: laying rules out moves boards about.
fn unindented(word: &str) -> String {
    let lines: Vec<&str> = word.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::{evaluation_fingerprint, fingerprint};

    #[test]
    fn layout_comments_and_evaluation_do_not_count() {
        let rules = "dimensions (3, 3)\nsetup\n{\n    ...\n    X.O\n}\nmain = find own mark.\n";
        let same = "# a comment\ndimensions(3,3) evaluation { worth : 3 = find own mark. }\n\
                    setup\n{\n...\nX.O\n}\nappearance { chequered }\npossible { \"no\" = nothing. }\nmain =\n  find own mark. # again\n";
        assert_eq!(fingerprint(rules), fingerprint(same));
        assert_ne!(evaluation_fingerprint(rules), evaluation_fingerprint(same));
        assert_eq!(evaluation_fingerprint(same), evaluation_fingerprint(&same.replace("3, 3", "3, 4")));
        assert_ne!(evaluation_fingerprint(same), evaluation_fingerprint(&same.replace(": 3", ": 4")));
        for (old, new) in [("3, 3", "3, 4"), ("X.O", "XO."), ("own", "opponent's")] {
            assert_ne!(fingerprint(rules), fingerprint(&rules.replace(old, new)), "{old}");
        }
    }
}
