//! Expressions: C's operators with C's precedence.

use super::words::named_owner;
use super::{OPERATORS_MAX, Parser, Reading};
use crate::diagnostic::Diagnostic;
use crate::lexer::TokenKind;
use crate::source::Span;
use crate::syntax::{Binary, Expression, ExpressionKind, Name, Unary};

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

/// So many tokens of what could not be read are skipped in search of its end.
const PARENTHESES_MAX: usize = 200;

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
        let opening = self.expect("(")?;
        let start = self.next;
        self.operators = 0;
        let expression = self.expression().and_then(|expression| {
            self.close(opening)?;
            Ok(expression)
        });
        expression.or_else(|unreadable| {
            let end = self.leave_parentheses(start).ok_or(unreadable)?;
            Ok(Expression { kind: ExpressionKind::Mistake, span: opening.to(end) })
        })
    }

    /// Takes the `)` of a `(`.
    fn close(&mut self, opening: Span) -> Reading<Span> {
        if matches!(self.peek(), "." | "]" | "") {
            let message = "this `(` is not closed";
            return self.fail(
                Diagnostic::error("E010", opening, message).hint("write `)` where the expression ends"),
            );
        }
        self.expect(")")
    }

    /// Skips the rest of parentheses that begin behind a token, so that what is wrong in them is told once. Where they
    /// do not seem to end, nothing is skipped.
    fn leave_parentheses(&mut self, start: usize) -> Option<Span> {
        let change = |sign: &str| match sign {
            "(" => 1,
            ")" => -1,
            _ => 0_i32,
        };
        let mut open: i32 =
            self.tokens[start..self.next].iter().map(|&token| change(self.text_of(token))).sum();
        let mut brackets = 0_i32;
        for ahead in 0..PARENTHESES_MAX {
            let sign = self.peek_after(ahead);
            brackets += i32::from(sign == "[") - i32::from(sign == "]");
            if brackets < 0 || matches!(sign, "" | "." | "{" | "}") {
                return None;
            }
            open += change(sign);
            if open < 0 {
                self.next += ahead;
                return Some(self.advance().span);
            }
        }
        None
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
            let meant = parser.meant_operator();
            let Some((_, operator)) = ASSIGNMENTS.iter().find(|(sign, _)| meant == *sign) else {
                return Ok(left);
            };
            parser.advance();
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
        loop {
            self.refuse_foreign_operator();
            let Some((_, operator)) = operators.iter().find(|(sign, _)| self.meant_operator() == *sign)
            else {
                break;
            };
            self.advance();
            self.count_operator()?;
            let right = self.binary(level + 1)?;
            left = join(left, right, |left, right| ExpressionKind::Binary(*operator, left, right));
        }
        Ok(left)
    }

    /// The operator that comes next, or is meant by what comes next.
    fn meant_operator(&self) -> &'static str {
        match self.token().kind {
            TokenKind::Symbol("=>") => ">=",
            TokenKind::Symbol("=<") => "<=",
            TokenKind::Symbol("<>") => "!=",
            TokenKind::Symbol(":=") => "=",
            TokenKind::Symbol(sign) => sign,
            _ => "",
        }
    }

    /// `<>` and the like are told of and then read as what they mean.
    fn refuse_foreign_operator(&mut self) {
        let meant = self.meant_operator();
        if self.token().kind != TokenKind::Symbol(meant) && !meant.is_empty() {
            let message = format!("`{}` is no operator", self.peek());
            let diagnostic = Diagnostic::error("E010", self.token().span, message);
            self.report(diagnostic.hint(format!("did you mean `{meant}`?")));
        }
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
            let end = self.close(token.span)?;
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
            "find" | "test" | "try" | "either" | "step" | "empty" | "any" | "win" | "draw" | "loss"
            | "nothing" => true,
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
            "win" | "draw" | "loss" | "nothing" => {
                format!("`{word}` is a statement: write `try [ assert (…), {word} ] else …`")
            }
            _ if self.text_of(self.tokens[self.next.saturating_sub(1)]) == "," => {
                "write `)` before the `,` if the expression ends there".to_owned()
            }
            _ => {
                "what is on a field is no number: ask outside, `points at empty field, assert (…)`".to_owned()
            }
        };
        self.fail(Diagnostic::error("E010", span, message).hint(hint))
    }

    /// `opponent taken`
    fn refuse_other_owner(&mut self) -> Reading<()> {
        let (word, next) = (self.peek(), self.token_after(1));
        let Some(whose) = named_owner(word).filter(|owner| !matches!(*owner, "any" | "empty")) else {
            return Ok(());
        };
        if next.kind != TokenKind::Word || !self.is_in("properties", self.text_of(next)) {
            return Ok(());
        }
        let (span, name) = (self.token().span.to(next.span), self.text_of(next));
        let message = format!("expected the name of a property, found `{word} {name}`");
        self.fail(Diagnostic::error("E010", span, message).hint(format!("did you mean `{whose} {name}`?")))
    }

    /// `own.taken`
    fn fail_at_dot<T>(&mut self, owner: Span) -> Reading<T> {
        let whose = &self.text[owner.start..owner.end];
        let name = self.token_after(1);
        let hint = format!("did you mean `{whose} {}`?", self.text_of(name));
        let message = format!("expected the name of a property, found `{whose}.{}`", self.text_of(name));
        // The full stop must not end the rule.
        (0..2).for_each(|_| _ = self.advance());
        self.fail(Diagnostic::error("E010", owner.to(name.span), message).hint(hint))
    }

    /// `taken of opponent`, `taken[own]`, `count of own man`
    fn refuse_owner_behind(&mut self, name: &Name) -> Reading<()> {
        if !matches!(self.peek(), "of" | "[") {
            return Ok(());
        }
        let Some(whose) = self.owner_after(1) else { return Ok(()) };
        let (word, after, what) = (name.value.as_str(), self.peek_after(1), self.peek_after(2));
        let is_index = self.peek() == "[";
        // `worth[own taken]` and, where `next` is a number, `worth[next]` are elements of a table.
        if is_index && (what != "]" || self.is_in("tables", word)) {
            return Ok(());
        }
        let end = self.token_after(if is_index { 2 } else { 1 }).span;
        let (message, hint) = match is_index {
            false if self.is_piece(what) || what == "pieces" => {
                let what = if what == "pieces" { "piece" } else { what };
                (
                    format!("expected the name of a property, found `{word} of`"),
                    format!("write `number of {whose} {what}`"),
                )
            }
            false => (
                format!("expected the name of a property, found `{word} of {after}`"),
                format!("did you mean `{whose} {word}`?"),
            ),
            true => (
                format!("expected the name of a property, found `{word}[{after}]`"),
                format!("did you mean `{whose} {word}`?"),
            ),
        };
        if is_index {
            (0..3).for_each(|_| _ = self.advance());
        }
        self.fail(Diagnostic::error("E010", name.span.to(end), message).hint(hint))
    }

    /// The owner that a word is, or was meant to be.
    pub(super) fn owner_after(&self, ahead: usize) -> Option<&'static str> {
        let word = self.peek_after(ahead);
        let named = || named_owner(word).filter(|owner| !matches!(*owner, "any" | "empty"));
        ["own", "opponent's", "white", "black"].into_iter().find(|owner| *owner == word).or_else(named)
    }

    /// `worth(3)`, `count(own man)`
    fn fail_at_arguments<T>(&mut self, name: &Name) -> Reading<T> {
        let word = name.value.as_str();
        let owned = self.owner_after(1).is_some() || matches!(self.peek_after(1), "any" | "empty");
        let hint = match word {
            _ if self.is_in("tables", word) => format!("a number of a table is written `{word}[…]`"),
            _ if owned || self.is_piece(self.peek_after(1)) => {
                let end = (1..5).find(|&ahead| self.peek_after(ahead) == ")").unwrap_or(2);
                let what: Vec<&str> = (1..end).map(|ahead| self.peek_after(ahead)).collect();
                format!("write `number of {}`", what.join(" "))
            }
            "max" => "there are no functions: the greater of two is `a > b ? a : b`".to_owned(),
            "min" => "there are no functions: the smaller of two is `a < b ? a : b`".to_owned(),
            "abs" => "there are no functions: without its sign, a number is `a < 0 ? -a : a`".to_owned(),
            _ => "there are no functions: tables are read as `worth[3]`, pieces counted as `number of own NAME`".to_owned(),
        };
        let message = format!("expected an operator or `)` behind `{word}`, found `(`");
        self.fail(Diagnostic::error("E010", self.token().span, message).hint(hint))
    }

    fn named(&mut self, start: Span) -> Reading<Expression> {
        self.refuse_other_owner()?;
        let owner = self.owner();
        if owner.is_some() && self.peek() == "." && self.token_after(1).kind == TokenKind::Word {
            return self.fail_at_dot(start);
        }
        let name = self.name("the name of a property")?;
        let span = start.to(name.span);
        self.refuse_owner_behind(&name)?;
        if owner.is_none() && self.peek() == "(" {
            return self.fail_at_arguments(&name);
        }
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
