//! A number that tells rules from others: what was learned for one text is of no use for another.

use crate::lexer::{TokenKind, tokenize};

/// Sections that do not change what may be played.
const OUTSIDE: [&str; 2] = ["evaluation", "appearance"];

/// The fingerprint of rules. Comments, layout, the evaluation and the appearance do not count.
#[must_use]
pub fn fingerprint(text: &str) -> u64 {
    let (tokens, _) = tokenize(text);
    let (mut sum, mut depth, mut outside) = (0xcbf2_9ce4_8422_2325_u64, 0_usize, false);
    let mut add = |word: &str| {
        for byte in word.bytes().chain([0]) {
            sum = (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    };
    for token in tokens.iter().filter(|token| token.kind != TokenKind::Comment) {
        let word = text.get(token.span.start..token.span.end).unwrap_or_default();
        if depth == 0 && token.kind == TokenKind::Word && OUTSIDE.contains(&word) {
            outside = true;
        }
        match token.kind {
            TokenKind::Symbol("{") => depth += 1,
            TokenKind::Symbol("}") => depth = depth.saturating_sub(1),
            _ => {}
        }
        if !outside {
            add(&unindented(word));
        }
        outside &= depth > 0 || token.kind != TokenKind::Symbol("}");
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
    use super::fingerprint;

    #[test]
    fn layout_comments_and_evaluation_do_not_count() {
        let rules = "dimensions (3, 3)\nsetup\n{\n    ...\n    X.O\n}\nmain = find own mark.\n";
        let same = "# a comment\ndimensions(3,3) evaluation { worth : 3 = find own mark. }\n\
                    setup\n{\n...\nX.O\n}\nappearance { chequered }\nmain =\n  find own mark. # again\n";
        assert_eq!(fingerprint(rules), fingerprint(same));
        for (old, new) in [("3, 3", "3, 4"), ("X.O", "XO."), ("own", "opponent's")] {
            assert_ne!(fingerprint(rules), fingerprint(&rules.replace(old, new)), "{old}");
        }
    }
}
