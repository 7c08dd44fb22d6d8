//! Statements.

use super::sections::DIRECTIONS;
use super::words::RESERVED;
use super::{Parser, Reading};
use crate::diagnostic::Diagnostic;
use crate::lexer::TokenKind;
use crate::source::Span;
use crate::syntax::{Ending, Expression, ExpressionKind, Name, Owner, Statement, StatementKind};

const ORTHOGONAL: &[i32] = &[0, 2, 4, 6];
const DIAGONAL: &[i32] = &[1, 3, 5, 7];
const ANY_DIRECTION: &[i32] = &[0, 1, 2, 3, 4, 5, 6, 7];

/// What to do instead of giving a rule a number.
pub(super) const NO_ARGUMENTS: &str = "rules take no arguments: a property of kind `move` can hold a number";

/// So far the end of parentheses is looked for.
const PARENTHESES_MAX: usize = 60;

/// The statement that a word is by itself, whatever follows.
fn single_word(word: &str) -> Option<StatementKind> {
    Some(match word {
        "orthogonal" => StatementKind::Directions(ORTHOGONAL),
        "diagonal" => StatementKind::Directions(DIAGONAL),
        "nothing" => StatementKind::Nothing,
        "irreversible" => StatementKind::Irreversible,
        "win" => StatementKind::Ending(Ending::Win),
        "draw" => StatementKind::Ending(Ending::Draw),
        "loss" => StatementKind::Ending(Ending::Loss),
        _ => {
            let direction = DIRECTIONS.iter().position(|direction| *direction == word)?;
            StatementKind::Direction(direction as i32)
        }
    })
}

impl Parser<'_> {
    /// The statements of a rule up to its full stop.
    pub(super) fn body(&mut self, name: &Name) -> Reading<Statement> {
        let start = self.token().span;
        let statements = self.sequence(".");
        let end = self.token().span;
        let is_braced = self.next > 0 && self.text_of(self.tokens[self.next - 1]) == "}";
        if !self.accept(".") && !is_braced {
            // Where the full stop is missing, if what follows stands on a line of its own.
            let before = self.tokens[self.next.saturating_sub(1)].span.end;
            let place = if self.begins_line() || self.at_end() { Span::new(before, before) } else { end };
            let message = format!("rule `{}` has no `.` at its end; found {}", name.value, self.found());
            self.report(
                Diagnostic::error("E012", place, message)
                    .hint("a rule ends with `.`, its statements are separated by `,`"),
            );
        }
        Ok(Statement { kind: StatementKind::Sequence(statements), span: start.to(end) })
    }

    /// Statements separated by commas up to (and without) a closing sign.
    fn sequence(&mut self, closing: &str) -> Vec<Statement> {
        let mut statements = Vec::new();
        loop {
            let is_over = self.at_end() || self.item_starts(0) || self.entry_starts();
            if is_over || (self.peek() == closing && !statements.is_empty()) {
                return statements;
            }
            let start = self.token();
            let before = self.next;
            match self.statement() {
                Ok(statement) => statements.push(statement),
                Err(_) => {
                    statements.push(Statement { kind: StatementKind::Mistake, span: start.span });
                    self.recover(before);
                }
            }
            if self.accept(",") {
                continue;
            }
            if self.peek() == closing || self.at_end() || self.item_starts(0) || self.entry_starts() {
                return statements;
            }
            if self.peek() == "." && closing == "]" {
                // The bracket speaks of what it misses.
                return statements;
            }
            self.report_after_statement(closing, &mut statements);
            let before = self.next;
            self.recover(before);
            if !self.accept(",") {
                return statements;
            }
        }
    }

    /// Whether the next line begins with `name :`, as an entry of a section does and no statement.
    fn entry_starts(&self) -> bool {
        self.token().kind == TokenKind::Word && self.peek_after(1) == ":" && self.begins_line()
    }

    /// Skips to something that can follow a statement, over whole brackets.
    fn recover(&mut self, before: usize) {
        if self.next == before && !matches!(self.peek(), "," | "." | "[" | "]" | "(" | "{") {
            self.advance();
        }
        let mut open = 0_usize;
        while !self.at_end() && !self.item_starts(0) {
            match self.peek() {
                "[" | "(" | "{" => open += 1,
                "]" | ")" | "}" if open > 0 => open -= 1,
                "," | "." | "]" if open == 0 => return,
                "." => return,
                _ => {}
            }
            self.advance();
        }
    }

    pub(super) fn statement(&mut self) -> Reading<Statement> {
        let start = self.token().span;
        let kind = self.deeper(Self::statement_kind)?;
        let end = self.tokens[self.next.saturating_sub(1)].span;
        Ok(Statement { kind, span: start.to(end) })
    }

    fn boxed(&mut self) -> Reading<Box<Statement>> {
        Ok(Box::new(self.statement()?))
    }

    fn statement_kind(&mut self) -> Reading<StatementKind> {
        let token = self.token();
        let (word, after) = (self.peek(), self.peek_after(1));
        if word == "[" {
            return self.bracket();
        }
        match word {
            "{" => return self.braces(),
            "(" => return self.parentheses(),
            _ => {}
        }
        if token.kind == TokenKind::Integer && matches!(after, "step" | "steps" | "times") {
            let hint = format!("to go further, write `repeat {word} times step`");
            let message = format!("expected a statement, found `{word}`");
            return self.fail(Diagnostic::error("E010", token.span, message).hint(hint));
        }
        if token.kind != TokenKind::Word {
            return self.fail_expecting("a statement");
        }
        self.advance();
        if let Some(kind) = single_word(word) {
            return Ok(kind);
        }
        Ok(match word {
            "find" => StatementKind::Find(self.what()?),
            "points" if after == "at" => {
                self.advance();
                StatementKind::PointsAt(self.what()?)
            }
            "replace" => {
                self.expect("by")?;
                self.refuse_owner_alone()?;
                StatementKind::ReplaceBy(self.what()?)
            }
            "pick" if after == "up" => {
                self.advance();
                StatementKind::PickUp
            }
            "put" if after == "down" => {
                self.advance();
                StatementKind::PutDown
            }
            "step" => StatementKind::Step { backward: self.accept("backward") || self.accept("backwards") },
            "any" if after == "direction" => {
                self.advance();
                StatementKind::Directions(ANY_DIRECTION)
            }
            "turn" => self.turn()?,
            "move" if after == "to" => self.move_to()?,
            "either" => self.either()?,
            "optionally" => StatementKind::Optionally(self.boxed()?),
            "try" => self.try_else()?,
            "test" => StatementKind::Test(self.boxed()?),
            "not" => StatementKind::Not(self.boxed()?),
            "repeat" => self.repeat()?,
            "while" => self.while_do()?,
            "do" => self.do_while()?,
            "assert" => StatementKind::Assert(self.in_parentheses()?),
            "assign" => StatementKind::Assign(self.in_parentheses()?),
            "match" => self.match_board()?,
            "white" | "black" if after == "to" => {
                self.advance();
                self.expect("move")?;
                StatementKind::ToMove(if word == "white" { Owner::White } else { Owner::Black })
            }
            "name" if self.at_name_part() => self.name_parts()?,
            "score" if after == "(" => StatementKind::Score(self.in_parentheses()?),
            "most" if after == "(" => self.most()?,
            "most" | "max" | "maximum" | "maximise" | "maximize" if self.is_most(word) => {
                self.almost_most(word)?
            }
            "cycle" if after == "(" => self.cycle()?,
            _ if RESERVED.contains(&word) => {
                self.next -= 1;
                return self.fail_expecting("a statement");
            }
            _ => {
                self.refuse_foreign_word(word, token.span)?;
                StatementKind::Call(Name { value: word.to_owned(), span: token.span })
            }
        })
    }

    fn try_else(&mut self) -> Reading<StatementKind> {
        let first = self.boxed()?;
        let second = if self.accept("else") { Some(self.boxed()?) } else { None };
        Ok(StatementKind::Try(first, second))
    }

    /// `most (E) S`
    fn most(&mut self) -> Reading<StatementKind> {
        let value = self.in_parentheses()?;
        Ok(StatementKind::Most(value, self.boxed()?))
    }

    /// Whether `most` behind which the parentheses are missing, or another word for it, stands before a statement.
    fn is_most(&self, word: &str) -> bool {
        let ahead = usize::from(matches!(self.peek(), "own" | "opponent's" | "white" | "black"));
        let is_named = self.token_after(ahead).kind == TokenKind::Word
            && matches!(self.peek_after(ahead + 1), "[" | "find" | "try");
        !self.is_rule(word) && (is_named || (word != "most" && self.peek() == "("))
    }

    fn almost_most(&mut self, word: &str) -> Reading<StatementKind> {
        let start = self.tokens[self.next.saturating_sub(1)].span;
        let start_of_value = self.token().span;
        if self.peek() == "(" {
            let message = format!("there is no rule or statement `{word}`");
            let kind = self.most()?;
            let text = match &kind {
                StatementKind::Most(value, _) => self.text.get(value.span.start..value.span.end),
                _ => None,
            };
            let hint =
                format!("did you mean `most ({}) …`?", text.filter(|text| text.len() < 40).unwrap_or("…"));
            self.report(Diagnostic::error("E021", start, message).hint(hint));
            return Ok(kind);
        }
        let owner = self.owner();
        let name = self.name("the name of a property")?;
        let span = start_of_value.to(name.span);
        let text = &self.text[span.start..span.end];
        let message = format!("expected `(`, found `{}`", text.chars().take(40).collect::<String>());
        self.report(Diagnostic::error("E010", span, message).hint(format!("write `most ({text}) …`")));
        let value = Expression { kind: ExpressionKind::Name(owner, name), span };
        Ok(StatementKind::Most(value, self.boxed()?))
    }

    /// `{ find man, step }`: braces where brackets or nothing should be.
    fn braces(&mut self) -> Reading<StatementKind> {
        let before = self.text_of(self.tokens[self.next.saturating_sub(1)]);
        let hint = match before {
            "=" => "a rule has no braces: it is written `name = …, … .`",
            _ => "several statements are made one by `[ …, … ]`",
        };
        let opening = self.advance().span;
        self.report(Diagnostic::error("E010", opening, "expected a statement, found `{`").hint(hint));
        if self.peek() == "}" {
            self.advance();
            return Ok(StatementKind::Mistake);
        }
        let mut statements = self.sequence("}");
        // As in other languages, the last statement may have a sign behind it.
        if self.accept(".") || self.accept(";") || self.peek() != "}" {
            statements.push(Statement { kind: StatementKind::Mistake, span: opening });
        }
        self.accept("}");
        Ok(StatementKind::Sequence(statements))
    }

    /// `(row == 3)`, `(find man, step)`: parentheses where `assert` or brackets should be.
    fn parentheses(&mut self) -> Reading<StatementKind> {
        let opening = self.token().span;
        let compares = (1..PARENTHESES_MAX)
            .map(|ahead| self.peek_after(ahead))
            .take_while(|sign| !matches!(*sign, ")" | "." | ""))
            .any(|sign| {
                matches!(sign, "==" | "!=" | "<" | ">" | "<=" | ">=" | "=<" | "=>" | "<>" | "&&" | "||")
            });
        let message = "expected a statement, found `(`";
        if !compares {
            let is_choice = (1..PARENTHESES_MAX)
                .map(|ahead| self.peek_after(ahead))
                .take_while(|sign| !matches!(*sign, ")" | "." | "," | "[" | ""))
                .any(|sign| sign == "or");
            let hint = match is_choice {
                true => "a choice is written `either … or …`, without parentheses",
                false => "several statements are made one by `[ …, … ]`",
            };
            self.report(Diagnostic::error("E010", opening, message).hint(hint));
            self.advance();
            if is_choice && self.peek() != "either" {
                let choices = self.either()?;
                self.accept(")");
                return Ok(choices);
            }
            let statements = self.sequence(")");
            self.accept(")");
            return Ok(StatementKind::Sequence(statements));
        }
        let is_tried = self.next > 0 && self.text_of(self.tokens[self.next - 1]) == "try";
        // The place comes first: what is wrong inside is told after it.
        let number = self.diagnostics.len();
        let value = self.in_parentheses()?;
        let text = &self.text[opening.start..value.span.end.max(self.tokens[self.next - 1].span.end)];
        let text = if text.len() < 60 && !text.contains('\n') { text } else { "(…)" };
        let hint = match (is_tried && self.peek() == ",", self.peek_after(1)) {
            (true, ending @ ("win" | "draw" | "loss")) => format!("write `try [ assert {text}, {ending} ]`"),
            _ => format!("numbers are asked about in `assert {text}`"),
        };
        if self.diagnostics.len() == number {
            self.report(Diagnostic::error("E010", opening, message).hint(hint));
        }
        Ok(StatementKind::Assert(value))
    }

    /// `replace by own`
    fn refuse_owner_alone(&mut self) -> Reading<()> {
        let (whose, next) = (self.peek(), self.token_after(1));
        let is_owner = matches!(whose, "own" | "opponent's" | "white" | "black");
        if !is_owner || (next.kind == TokenKind::Word && !RESERVED.contains(&self.text_of(next))) {
            return Ok(());
        }
        let span = self.advance().span;
        let message = format!("expected a piece behind `{whose}`, found {}", self.found());
        let hint = format!("name the piece, such as `{whose} {}`", self.a_piece());
        self.fail(Diagnostic::error("E010", span, message).hint(hint))
    }

    fn while_do(&mut self) -> Reading<StatementKind> {
        let condition = self.boxed()?;
        self.expect_after_one("while", "do")?;
        Ok(StatementKind::While(condition, self.boxed()?))
    }

    fn do_while(&mut self) -> Reading<StatementKind> {
        let body = self.boxed()?;
        self.expect_after_one("do", "while")?;
        Ok(StatementKind::DoWhile(body, self.boxed()?))
    }

    fn bracket(&mut self) -> Reading<StatementKind> {
        let opening = self.advance().span;
        let statements = self.sequence("]");
        if !self.accept("]") {
            return self.fail(
                Diagnostic::error("E010", opening, "this `[` is not closed")
                    .hint("write `]` behind its last statement, before the `.` of the rule"),
            );
        }
        Ok(StatementKind::Sequence(statements))
    }

    fn turn(&mut self) -> Reading<StatementKind> {
        if self.token().kind == TokenKind::Word {
            let message = format!("expected a number of degrees, found {}", self.found());
            let hint = "`turn 90` turns to the right, `turn -90` to the left";
            return self.fail(Diagnostic::error("E010", self.token().span, message).hint(hint));
        }
        let degrees = self.integer()?;
        if degrees.value % 45 != 0 || degrees.value.abs() > 360 {
            let message = format!("`turn {}` is no multiple of 45 degrees", degrees.value);
            self.report(
                Diagnostic::error("E037", degrees.span, message)
                    .hint("write 45, 90, 135, 180, or the same with `-`"),
            );
        }
        Ok(StatementKind::Turn((degrees.value / 45) as i32))
    }

    fn move_to(&mut self) -> Reading<StatementKind> {
        self.advance();
        if self.peek() != "(" {
            return self.no_place();
        }
        self.expect("(")?;
        let column = self.single()?;
        self.expect(",")?;
        let row = self.single()?;
        self.expect(")")?;
        Ok(StatementKind::MoveTo(column, row))
    }

    /// The second word of a pair that has one statement between them.
    fn expect_after_one(&mut self, first: &str, second: &str) -> Reading<()> {
        if self.accept(second) {
            return Ok(());
        }
        let message = format!("expected `{second}`, found {}", self.found());
        let several = (self.peek() == ",").then(|| {
            format!(
                "one statement stands between `{first}` and `{second}`: write `{first} [ …, … ] {second} …`"
            )
        });
        let several = several.or_else(|| Some(format!("write `{first} … {second} …`")));
        self.fail(Diagnostic::error("E010", self.token().span, message).maybe_hint(several))
    }

    /// `move to` without column and row.
    fn no_place(&mut self) -> Reading<StatementKind> {
        let (span, found) = (self.token().span, self.found());
        let hint = match self.field_named() {
            Some((column, row)) => {
                format!("write `move to ({column}, {row})`, column and row as the mover sees the board")
            }
            None if matches!(self.peek(), "empty" | "any" | "own" | "opponent's" | "white" | "black") => {
                "`find WHAT` goes to each such field; to go on from here, `north, step, points at WHAT`"
                    .to_owned()
            }
            None => {
                "write column and row as the mover sees the board, such as `move to (3, row + 1)`".to_owned()
            }
        };
        let message = format!("expected `(column, row)`, found {found}");
        self.fail(Diagnostic::error("E010", span, message).hint(hint))
    }

    fn either(&mut self) -> Reading<StatementKind> {
        let mut choices = vec![self.statement()?];
        while self.accept("or") {
            choices.push(self.statement()?);
        }
        Ok(StatementKind::Either(choices))
    }

    fn count(&mut self) -> Reading<(Option<i64>, Span)> {
        let span = self.token().span;
        if self.accept("infinity") {
            return Ok((None, span));
        }
        if !matches!(self.token().kind, TokenKind::Integer) && self.peek() != "-" {
            let message = format!("expected a number, found {}", self.found());
            let hint = "write `repeat 3 times …`, `repeat 1 .. infinity times …` for as often as it goes, \
                        or `do … while …`";
            return self.fail(Diagnostic::error("E010", span, message).hint(hint));
        }
        let count = self.integer()?;
        Ok((Some(count.value), count.span))
    }

    fn repeat(&mut self) -> Reading<StatementKind> {
        let (least, start) = self.count()?;
        let (most, end) = if self.accept("..") { self.count()? } else { (least, start) };
        self.expect("times")?;
        let (low, high) = (least.unwrap_or(i64::MAX), most.unwrap_or(i64::MAX));
        if low < 0 || low > high {
            self.report(
                Diagnostic::error("E038", start.to(end), "the number of repetitions is out of order")
                    .hint("write `repeat n times`, or `repeat a .. b times` with a not above b"),
            );
        }
        Ok(StatementKind::Repeat(least, most, self.boxed()?))
    }

    fn match_board(&mut self) -> Reading<StatementKind> {
        self.expect("(")?;
        let mut fields = vec![self.what()?];
        while self.accept(",") {
            if self.peek() == ")" {
                break;
            }
            fields.push(self.what()?);
        }
        self.expect(")")?;
        Ok(StatementKind::Match(fields))
    }

    fn cycle(&mut self) -> Reading<StatementKind> {
        self.expect("(")?;
        let mut fields = vec![self.field()?];
        while self.accept(",") {
            fields.push(self.field()?);
        }
        self.expect(")")?;
        Ok(StatementKind::Cycle(fields))
    }
}
