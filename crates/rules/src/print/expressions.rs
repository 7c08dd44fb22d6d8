//! Expressions as text, with as few parentheses as C needs.

use std::fmt::{self, Display, Formatter};

use game::PropertyKind;

use super::Shown;
use crate::ir::{Binary, Expression, ExpressionKind, Owner, Program, Unary, Variable};

/// How tightly things bind, loosest first: `,`, assignments, `? :`, then the binary operators from 3 on.
const COMMA: u8 = 0;
const ASSIGNMENT: u8 = 1;
const CONDITIONAL: u8 = 2;
const UNARY: u8 = 13;

impl Display for Shown<'_, Expression> {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.write_str(&text(self.program, self.part, COMMA))
    }
}

/// The sign of an operator and how tightly it binds.
fn operator(operator: Binary) -> (&'static str, u8) {
    match operator {
        Binary::Or => ("||", 3),
        Binary::And => ("&&", 4),
        Binary::BitOr => ("|", 5),
        Binary::BitXor => ("^", 6),
        Binary::BitAnd => ("&", 7),
        Binary::Equal => ("==", 8),
        Binary::NotEqual => ("!=", 8),
        Binary::LessEqual => ("<=", 9),
        Binary::GreaterEqual => (">=", 9),
        Binary::Less => ("<", 9),
        Binary::Greater => (">", 9),
        Binary::ShiftLeft => ("<<", 10),
        Binary::ShiftRight => (">>", 10),
        Binary::Add => ("+", 11),
        Binary::Subtract => ("-", 11),
        Binary::Multiply => ("*", 12),
        Binary::Divide => ("/", 12),
        Binary::Remainder => ("%", 12),
    }
}

fn variable(program: &Program, variable: Variable) -> String {
    let property = &program.info.properties[variable.property];
    let owner = match variable.owner {
        _ if property.kind != PropertyKind::Player => "",
        Owner::Own => "",
        Owner::Opponents => "opponent's ",
        Owner::White => "white ",
        Owner::Black => "black ",
    };
    format!("{owner}{}", property.name)
}

/// An expression where something binds so tightly around it.
fn text(program: &Program, expression: &Expression, around: u8) -> String {
    let inside = |expression: &Expression, around: u8| text(program, expression, around);
    let (text, own) = match &expression.kind {
        // A negative number after an operator would read like another operator.
        ExpressionKind::Integer(value) => (value.to_string(), if *value < 0 { UNARY } else { UNARY + 1 }),
        ExpressionKind::Row => ("row".to_owned(), UNARY + 1),
        ExpressionKind::Column => ("column".to_owned(), UNARY + 1),
        ExpressionKind::Direction => ("direction".to_owned(), UNARY + 1),
        ExpressionKind::Place => ("place".to_owned(), UNARY + 1),
        ExpressionKind::Variable(name) => (variable(program, *name), UNARY + 1),
        ExpressionKind::NumberOf(set) => (format!("number of {}", program.show(set)), UNARY + 1),
        ExpressionKind::Element(table, index) => {
            (format!("{}[{}]", program.tables[*table].name, inside(index, COMMA)), UNARY + 1)
        }
        ExpressionKind::Unary(operator, operand) => {
            let sign = match operator {
                Unary::Negate => "-",
                Unary::Plus => "+",
                Unary::Not => "!",
                Unary::Complement => "~",
            };
            (format!("{sign}{}", inside(operand, UNARY + 1)), UNARY)
        }
        ExpressionKind::Binary(kind, left, right) => {
            let (sign, level) = operator(*kind);
            (format!("{} {sign} {}", inside(left, level), inside(right, level + 1)), level)
        }
        ExpressionKind::Conditional(condition, first, second) => {
            let condition = inside(condition, CONDITIONAL + 1);
            let (first, second) = (inside(first, COMMA), inside(second, CONDITIONAL));
            (format!("{condition} ? {first} : {second}"), CONDITIONAL)
        }
        ExpressionKind::Assign(kind, name, value) => {
            let sign = kind.map_or("", |kind| operator(kind).0);
            (format!("{} {sign}= {}", variable(program, *name), inside(value, ASSIGNMENT)), ASSIGNMENT)
        }
        ExpressionKind::Step { amount, postfix, variable: name } => {
            let (name, sign) = (variable(program, *name), if *amount < 0 { "--" } else { "++" });
            (if *postfix { format!("{name}{sign}") } else { format!("{sign}{name}") }, UNARY)
        }
        ExpressionKind::Comma(left, right) => {
            (format!("{}, {}", inside(left, COMMA), inside(right, ASSIGNMENT)), COMMA)
        }
    };
    if own < around { format!("({text})") } else { text }
}
