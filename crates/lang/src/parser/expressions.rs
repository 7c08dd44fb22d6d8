//! Expressions: C's operators with C's precedence.

use super::{OPERATORS_MAX, Parser, Reading};
use crate::diagnostic::Diagnostic;
use crate::lexer::TokenKind;
use crate::source::Span;
use crate::syntax::{Binary, Expression, ExpressionKind, Unary};

/// Binary operators by precedence, loosest first.
const LEVELS: [&[(&str, Binary)]; 10] = [
    &[("||", Binary::Or)],
    &[("&&", Binary::And)],
    &[("|", Binary::BitOr)],
    &[("^", Binary::BitXor)],
    &[("&", Binary::BitAnd)],
    &[("==", Binary::Equal), ("!=", Binary::NotEqual)],
    &[("<=", Binary::LessEqual), (">=", Binary::GreaterEqual), ("<", Binary::Less), (">", Binary::Greater)],
    &[("<<", Binary::ShiftLeft), (">>", Binary::ShiftRight)],
    &[("+", Binary::Add), ("-", Binary::Subtract)],
    &[("*", Binary::Multiply), ("/", Binary::Divide), ("%", Binary::Remainder)],
];

const ASSIGNMENTS: [(&str, Option<Binary>); 11] = [
    ("=", None),
    ("+=", Some(Binary::Add)),
    ("-=", Some(Binary::Subtract)),
    ("*=", Some(Binary::Multiply)),
    ("/=", Some(Binary::Divide)),
    ("%=", Some(Binary::Remainder)),
    ("<<=", Some(Binary::ShiftLeft)),
    (">>=", Some(Binary::ShiftRight)),
    ("&=", Some(Binary::BitAnd)),
    ("|=", Some(Binary::BitOr)),
    ("^=", Some(Binary::BitXor)),
];

impl Parser<'_> {
    fn count_operator(&mut self) -> Reading<()> {
        self.operators += 1;
        if self.operators > OPERATORS_MAX {
            return self.too_much(format!("more than {OPERATORS_MAX} operators in one expression"));
        }
        Ok(())
    }

    /// `( expression )`
    pub(super) fn in_parentheses(&mut self) -> Reading<Expression> {
        self.expect("(")?;
        self.operators = 0;
        let expression = self.expression()?;
        self.expect(")")?;
        Ok(expression)
    }

    fn expression(&mut self) -> Reading<Expression> {
        let mut left = self.assignment()?;
        while self.accept(",") {
            self.count_operator()?;
            let right = self.assignment()?;
            left = join(left, right, ExpressionKind::Comma);
        }
        Ok(left)
    }

    fn assignment(&mut self) -> Reading<Expression> {
        self.deeper(|parser| {
            let left = parser.conditional()?;
            let Some((sign, operator)) = ASSIGNMENTS.iter().find(|(sign, _)| parser.peek() == *sign) else {
                return Ok(left);
            };
            parser.accept(sign);
            let right = parser.assignment()?;
            Ok(join(left, right, |left, right| ExpressionKind::Assign(*operator, left, right)))
        })
    }

    /// An expression without assignment and comma, that stands by itself.
    pub(super) fn single(&mut self) -> Reading<Expression> {
        self.operators = 0;
        self.conditional()
    }

    fn conditional(&mut self) -> Reading<Expression> {
        let condition = self.binary(0)?;
        if !self.accept("?") {
            return Ok(condition);
        }
        let first = self.deeper(Self::expression)?;
        self.expect(":")?;
        let second = self.deeper(Self::conditional)?;
        let span = condition.span.to(second.span);
        let kind = ExpressionKind::Conditional(Box::new(condition), Box::new(first), Box::new(second));
        Ok(Expression { kind, span })
    }

    fn binary(&mut self, level: usize) -> Reading<Expression> {
        let Some(operators) = LEVELS.get(level) else { return self.deeper(Self::unary) };
        let mut left = self.binary(level + 1)?;
        while let Some((sign, operator)) = operators.iter().find(|(sign, _)| self.peek() == *sign) {
            self.accept(sign);
            self.count_operator()?;
            let right = self.binary(level + 1)?;
            left = join(left, right, |left, right| ExpressionKind::Binary(*operator, left, right));
        }
        Ok(left)
    }

    fn unary(&mut self) -> Reading<Expression> {
        let start = self.token().span;
        let operator = match self.peek() {
            "-" => Some(Unary::Negate),
            "+" => Some(Unary::Plus),
            "!" => Some(Unary::Not),
            "~" => Some(Unary::Complement),
            _ => None,
        };
        if let Some(operator) = operator {
            self.advance();
            let operand = self.deeper(Self::unary)?;
            let span = start.to(operand.span);
            return Ok(Expression { kind: ExpressionKind::Unary(operator, Box::new(operand)), span });
        }
        for (sign, amount) in [("++", 1), ("--", -1)] {
            if self.accept(sign) {
                let operand = self.deeper(Self::unary)?;
                let span = start.to(operand.span);
                return Ok(Expression { kind: ExpressionKind::Step(amount, false, Box::new(operand)), span });
            }
        }
        self.postfix()
    }

    fn postfix(&mut self) -> Reading<Expression> {
        let mut operand = self.primary()?;
        for (sign, amount) in [("++", 1), ("--", -1)] {
            let end = self.token().span;
            if self.accept(sign) {
                let span = operand.span.to(end);
                operand = Expression { kind: ExpressionKind::Step(amount, true, Box::new(operand)), span };
            }
        }
        Ok(operand)
    }

    fn primary(&mut self) -> Reading<Expression> {
        let token = self.token();
        if self.accept("(") {
            let inner = self.deeper(Self::expression)?;
            let end = self.expect(")")?;
            return Ok(Expression { span: token.span.to(end), ..inner });
        }
        match token.kind {
            TokenKind::Integer => {
                let value = self.integer()?.value;
                Ok(Expression { kind: ExpressionKind::Integer(value), span: token.span })
            }
            TokenKind::Word if self.peek() == "number" && self.peek_after(1) == "of" => {
                self.advance();
                self.advance();
                let what = self.what()?;
                let span = token.span.to(what.span());
                Ok(Expression { kind: ExpressionKind::NumberOf(what), span })
            }
            TokenKind::Word if self.at_statement() => self.fail_at_statement(),
            TokenKind::Word if self.peek() != "not" => self.named(token.span),
            _ => self.fail_expecting("a number or the name of a property"),
        }
    }

    /// Whether a statement stands where a number should.
    fn at_statement(&self) -> bool {
        match self.peek() {
            "find" | "test" | "try" | "either" | "step" | "empty" | "any" => true,
            "points" => self.peek_after(1) == "at",
            "white" | "black" => self.peek_after(1) == "to" && self.peek_after(2) == "move",
            _ => false,
        }
    }

    fn fail_at_statement<T>(&mut self) -> Reading<T> {
        let (start, word) = (self.token(), self.peek());
        let last = match word {
            "points" => self.token_after(1),
            "white" | "black" => self.token_after(2),
            _ => start,
        };
        let span = start.span.to(last.span);
        let message = format!("expected a number, found `{}`", &self.text[span.start..span.end]);
        let hint = match word {
            "white" | "black" => {
                format!("`{word} to move` is a statement: write it outside, `{word} to move, assert (…)`")
            }
            _ => {
                "what is on a field is no number: ask outside, `points at empty field, assert (…)`".to_owned()
            }
        };
        self.fail(Diagnostic::error("E010", span, message).hint(hint))
    }

    fn named(&mut self, start: Span) -> Reading<Expression> {
        let owner = self.owner();
        let name = self.name("the name of a property")?;
        let span = start.to(name.span);
        if owner.is_none() && self.accept("[") {
            let index = self.deeper(Self::expression)?;
            let end = self.expect("]")?;
            return Ok(Expression {
                kind: ExpressionKind::Element(name, Box::new(index)),
                span: span.to(end),
            });
        }
        Ok(Expression { kind: ExpressionKind::Name(owner, name), span })
    }
}

fn join(
    left: Expression,
    right: Expression,
    kind: impl FnOnce(Box<Expression>, Box<Expression>) -> ExpressionKind,
) -> Expression {
    let span = left.span.to(right.span);
    Expression { kind: kind(Box::new(left), Box::new(right)), span }
}
