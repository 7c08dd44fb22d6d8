//! Statements.

use super::sections::DIRECTIONS;
use super::words::RESERVED;
use super::{Parser, Reading};
use crate::diagnostic::Diagnostic;
use crate::lexer::TokenKind;
use crate::source::Span;
use crate::syntax::{Ending, Name, Owner, Statement, StatementKind};

const ORTHOGONAL: &[i32] = &[0, 2, 4, 6];
const DIAGONAL: &[i32] = &[1, 3, 5, 7];
const ANY_DIRECTION: &[i32] = &[0, 1, 2, 3, 4, 5, 6, 7];

/// What to do instead of giving a rule a number.
pub(super) const NO_ARGUMENTS: &str = "rules take no arguments: a property of kind `move` can hold a number";

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
            self.accept(";");
        }
        Ok(Statement { kind: StatementKind::Sequence(statements), span: start.to(end) })
    }

    /// Statements separated by commas up to (and without) a closing sign.
    pub(super) fn sequence(&mut self, closing: &str) -> Vec<Statement> {
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
            if closing == "." && self.ends_like_elsewhere() {
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

    /// `;` at the end of a rule, or the `}` of a section where a rule in it has no full stop.
    fn ends_like_elsewhere(&self) -> bool {
        match self.peek() {
            ";" => matches!(self.peek_after(1), "" | "}") || self.item_starts(1),
            sign => sign == "}",
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

    pub(super) fn boxed(&mut self) -> Reading<Box<Statement>> {
        Ok(Box::new(self.statement()?))
    }

    fn statement_kind(&mut self) -> Reading<StatementKind> {
        let token = self.token();
        let (word, after) = (self.peek(), self.peek_after(1));
        match word {
            "[" => return self.bracket(),
            "{" => return self.braces(),
            "(" => return self.parentheses(),
            _ => {}
        }
        self.refuse_number()?;
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
            "most" | "max" | "maximum" | "maximise" | "maximize" | "highest" | "greatest" | "largest"
                if self.is_most(word) =>
            {
                self.almost_most(word)?
            }
            "cycle" if self.at_cycle() => self.cycle()?,
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
    pub(super) fn most(&mut self) -> Reading<StatementKind> {
        let value = self.in_parentheses()?;
        Ok(StatementKind::Most(value, self.boxed()?))
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

    pub(super) fn either(&mut self) -> Reading<StatementKind> {
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
            if self.is_in("properties", self.peek()) {
                let hint = format!(
                    "the number is fixed: write `repeat 1 .. infinity times [ assert ({} > 0), … ]`",
                    self.peek()
                );
                return self.fail(Diagnostic::error("E010", span, message).hint(hint));
            }
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
}
