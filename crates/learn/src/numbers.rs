//! Which numbers of a text are weights of its evaluation: those that are added up, neither conditions nor places in
//! tables.

use std::collections::BTreeSet;

use lang::Span;
use lang::syntax::{Binary, Expression, ExpressionKind, Program, Statement, StatementKind, Unary};
use lang::walk;

/// A number in the text of rules.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Number {
    /// Where it stands, sign included.
    pub span: Span,
    /// What it is.
    pub value: i64,
    /// The rule, feature or table that it belongs to.
    pub owner: String,
}

/// The weights of an evaluation, in the order of the text.
///
/// They are the numbers in what features are worth, in what rules of features alone assign to properties that
/// features are worth, and in the tables that are read there.
///
/// ```
/// let text = "dimensions (2, 2)\npieces { man 'X' 'O' }\ntables { place = 3, -1 }
/// evaluation { men : 5 = find own man.  home : place[row - 1] = find own man. }
/// main = find empty field, replace by own man.";
/// let tree = lang::parse(&lang::Source::new("tiny.mg", text)).tree;
/// let values: Vec<i64> = learn::find(&tree).iter().map(|number| number.value).collect();
/// assert_eq!(values, [3, -1, 5]);
/// ```
#[must_use]
pub fn find(tree: &Program) -> Vec<Number> {
    let mut found = Found::default();
    let mut worth = BTreeSet::new();
    for feature in &tree.features {
        found.summands(&feature.weight, &feature.name.value);
        walk::expressions(&feature.weight, &mut |part| {
            if let ExpressionKind::Name(_, name) = &part.kind {
                worth.insert(name.value.as_str());
            }
        });
    }
    let moves = reachable(
        tree,
        tree.functions.iter().filter(|rule| rule.name.value == "main").map(|rule| &rule.body),
    );
    let features = reachable(tree, tree.features.iter().map(|feature| &feature.body));
    let rules = tree.functions.iter().map(|rule| (rule.name.value.as_str(), &rule.body));
    let own_rules = rules.filter(|(name, _)| features.contains(name) && !moves.contains(name));
    let bodies = tree.features.iter().map(|feature| (feature.name.value.as_str(), &feature.body));
    for (owner, body) in bodies.chain(own_rules) {
        walk::statements(body, &mut |statement| {
            if let StatementKind::Assign(expression) = &statement.kind {
                found.assigned(expression, &worth, owner);
            }
        });
    }
    for table in tree.tables.iter().filter(|table| found.tables.contains(table.name.value.as_str())) {
        let owner = &table.name.value;
        let number = |value: &lang::source::Spanned<i64>| Number {
            span: value.span,
            value: value.value,
            owner: owner.clone(),
        };
        found.numbers.extend(table.values.iter().map(number));
    }
    found.numbers.sort_by_key(|number| number.span.start);
    found.numbers.dedup_by_key(|number| number.span);
    found.numbers
}

/// The text with other numbers in the places of these.
#[must_use]
pub fn rewrite(text: &str, changes: &[(Span, i64)]) -> String {
    let mut changes = changes.to_vec();
    changes.sort_by_key(|(span, _)| span.start);
    let (mut rewritten, mut read) = (String::with_capacity(text.len()), 0);
    for (span, value) in changes {
        rewritten.push_str(&text[read..span.start]);
        rewritten.push_str(&value.to_string());
        read = span.end;
    }
    rewritten.push_str(&text[read..]);
    rewritten
}

#[derive(Default)]
struct Found<'tree> {
    numbers: Vec<Number>,
    tables: BTreeSet<&'tree str>,
}

impl<'tree> Found<'tree> {
    /// The values that an expression gives to one of the properties that features are worth.
    fn assigned(&mut self, expression: &'tree Expression, worth: &BTreeSet<&str>, owner: &str) {
        match &expression.kind {
            ExpressionKind::Comma(first, second) => {
                self.assigned(first, worth, owner);
                self.assigned(second, worth, owner);
            }
            ExpressionKind::Assign(None | Some(Binary::Add | Binary::Subtract), target, value) => {
                if let ExpressionKind::Name(_, name) = &target.kind
                    && worth.contains(name.value.as_str())
                {
                    self.summands(value, owner);
                }
                self.assigned(value, worth, owner);
            }
            _ => {}
        }
    }

    /// The numbers whose multiple is a part of the sum.
    fn summands(&mut self, expression: &'tree Expression, owner: &str) {
        if let Some(value) = literal(expression) {
            self.numbers.push(Number { span: expression.span, value, owner: owner.to_owned() });
            return;
        }
        match &expression.kind {
            ExpressionKind::Unary(Unary::Negate | Unary::Plus, inner) => self.summands(inner, owner),
            ExpressionKind::Element(table, _) => {
                self.tables.insert(table.value.as_str());
            }
            ExpressionKind::Binary(Binary::Add | Binary::Subtract, first, second)
            | ExpressionKind::Conditional(_, first, second) => {
                self.summands(first, owner);
                self.summands(second, owner);
            }
            // Of two factors one may be a weight, never both.
            ExpressionKind::Binary(Binary::Multiply, first, second) => {
                if literal(first).is_some() {
                    self.summands(first, owner);
                } else if literal(second).is_some() {
                    self.summands(second, owner);
                }
            }
            _ => {}
        }
    }
}

/// A number with its sign.
fn literal(expression: &Expression) -> Option<i64> {
    match &expression.kind {
        ExpressionKind::Integer(value) => Some(*value),
        ExpressionKind::Unary(Unary::Negate, inner) => match inner.kind {
            ExpressionKind::Integer(value) => Some(-value),
            _ => None,
        },
        _ => None,
    }
}

/// The names of the rules that these statements lead to.
fn reachable<'tree>(
    tree: &'tree Program,
    from: impl Iterator<Item = &'tree Statement>,
) -> BTreeSet<&'tree str> {
    let (mut reached, mut open) = (BTreeSet::new(), from.collect::<Vec<_>>());
    while let Some(body) = open.pop() {
        walk::statements(body, &mut |statement| {
            if let StatementKind::Call(name) = &statement.kind
                && reached.insert(name.value.as_str())
            {
                let called = tree.functions.iter().filter(|rule| rule.name.value == name.value);
                open.extend(called.map(|rule| &rule.body));
            }
        });
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: &str = "dimensions (2, 2)
pieces { man 'X' 'O' }
properties { early, late : move : [-99 .. 99]  other : move : [0 .. 9] }
tables { half = 0, 1, 1, 0  worth = 7, 8  moves = 1, 2 }
evaluation
{
    men : late + ((early - late) * number of man >> 2) = either placed or shared.
    free : 3 * number of own man - 2 = nothing.
}
main = find empty field, shared, assert (moves[0] > 0), replace by own man.
placed = find own man, assert (row > 1), assign (other = 4), assign (early = worth[half[place]], late = -6).
shared = assign (late = 9).
";

    #[test]
    fn only_weights_are_found() {
        let tree = lang::parse(&lang::Source::new("tiny.mg", RULES)).tree;
        let found: Vec<_> = find(&tree).into_iter().map(|number| (number.owner, number.value)).collect();
        let expected = [("worth", 7), ("worth", 8), ("free", 3), ("free", 2), ("placed", -6)];
        assert_eq!(found, expected.map(|(owner, value)| (owner.to_owned(), value)));
    }

    #[test]
    fn what_is_written_is_read_again() {
        let numbers = find(&lang::parse(&lang::Source::new("tiny.mg", RULES)).tree);
        let changes: Vec<_> = numbers.iter().map(|number| (number.span, number.value * -10)).collect();
        let rewritten = rewrite(RULES, &changes);
        let again = find(&lang::parse(&lang::Source::new("tiny.mg", rewritten.as_str())).tree);
        let values = |numbers: &[Number]| numbers.iter().map(|number| number.value).collect::<Vec<_>>();
        assert_eq!(values(&again), values(&numbers).iter().map(|value| value * -10).collect::<Vec<_>>());
        let back: Vec<_> = again.iter().zip(&numbers).map(|(now, before)| (now.span, before.value)).collect();
        assert_eq!(rewrite(&rewritten, &back), RULES);
    }
}
