//! Conditions on row, column and place become sets of fields: one bit of a mask instead of arithmetic, and where
//! the field is known nothing at all.
//!
//! ```text
//! assert (row == 8)                      ->  on {a8, b8, c8, d8, e8, f8, g8, h8}
//! not assert (row == 8)                  ->  on {all others}
//! assert (row == 1), assert (column < 3) ->  on {a1, b1}
//! ```
//!
//! Such a condition is a fault where the finger points nowhere, and so is the set; it bears the place of
//! the word that would have gone wrong. Conditions that can go wrong in another way, or that do not always look at
//! the finger's field, stay as they are.

use game::{Colour, Field, GameInfo};
use lang::Span;

use crate::interpreter::{binary, unary};
use crate::ir::{Binary, Expression, ExpressionKind, Node, NodeKind, Program};
use crate::walk::{self, children_mut};

/// Rewrites every condition that is about the finger's field alone.
pub fn run(program: &mut Program) {
    let info = program.info.clone();
    for body in super::bodies(program) {
        rewrite(&info, body);
    }
}

fn rewrite(info: &GameInfo, node: &mut Node) {
    for child in children_mut(node) {
        rewrite(info, child);
    }
    match &mut node.kind {
        NodeKind::Assert(value) => {
            if let Some(span) = first_look(value).filter(|_| is_of_field(value)) {
                let flags = Colour::BOTH.map(|mover| {
                    let fields = 0..info.geometry.fields() as Field;
                    fields.map(|field| value_at(info, mover, field, value) != 0).collect()
                });
                *node = Node { kind: NodeKind::OnFields(flags), span };
            }
        }
        NodeKind::Not(body) => {
            if let NodeKind::OnFields(flags) = &mut body.kind {
                flags.iter_mut().flatten().for_each(|flag| *flag = !*flag);
                let kind = std::mem::replace(&mut body.kind, NodeKind::Sequence(Vec::new()));
                *node = Node { kind, span: body.span };
            }
        }
        NodeKind::Sequence(nodes) => join(nodes),
        _ => {}
    }
}

/// Two sets one after the other are one set.
fn join(nodes: &mut Vec<Node>) {
    nodes.dedup_by(|second, first| match (&mut first.kind, &second.kind) {
        (NodeKind::OnFields(kept), NodeKind::OnFields(other)) => {
            for (kept, other) in kept.iter_mut().flatten().zip(other.iter().flatten()) {
                *kept &= other;
            }
            true
        }
        _ => false,
    });
}

/// Whether an expression depends on the finger's field and nothing else that can change, always looks at it, and
/// can only go wrong because the finger points nowhere.
#[must_use]
pub fn is_of_field(expression: &Expression) -> bool {
    let mut uses_other = false;
    walk::for_each_subexpression(expression, &mut |part| match &part.kind {
        ExpressionKind::Row | ExpressionKind::Column | ExpressionKind::Place => {}
        ExpressionKind::Integer(_) | ExpressionKind::Unary(..) | ExpressionKind::Conditional(..) => {}
        ExpressionKind::Binary(Binary::Divide | Binary::Remainder, _, right) => {
            uses_other |= !matches!(right.kind, ExpressionKind::Integer(value) if value != 0);
        }
        ExpressionKind::Binary(..) => {}
        _ => uses_other = true,
    });
    !uses_other && first_look(expression).is_some()
}

/// The place where the finger's field is looked at first, whatever the values are; `None` if it may not be
/// looked at.
fn first_look(expression: &Expression) -> Option<Span> {
    match &expression.kind {
        ExpressionKind::Row | ExpressionKind::Column | ExpressionKind::Place => Some(expression.span),
        ExpressionKind::Unary(_, operand) => first_look(operand),
        ExpressionKind::Binary(Binary::And | Binary::Or, first, _)
        | ExpressionKind::Conditional(first, _, _) => first_look(first),
        // With a constant on the left, what comes first is on the right.
        ExpressionKind::Binary(_, left, right) => first_look(left).or_else(|| first_look(right)),
        _ => None,
    }
}

/// The value of such an expression with the finger on a field.
#[must_use]
pub fn value_at(info: &GameInfo, mover: Colour, field: Field, expression: &Expression) -> i64 {
    let geometry = &info.geometry;
    let rotated = mover == Colour::Black && info.sides == 2;
    let seen = if rotated { geometry.rotated(field) } else { field };
    let at = |expression: &Expression| value_at(info, mover, field, expression);
    match &expression.kind {
        ExpressionKind::Integer(value) => *value,
        ExpressionKind::Row => geometry.row(seen) as i64,
        ExpressionKind::Column => geometry.column(seen) as i64,
        ExpressionKind::Place => {
            ((geometry.rows() - geometry.row(seen)) * geometry.columns() + geometry.column(seen) - 1) as i64
        }
        ExpressionKind::Unary(operator, operand) => unary(*operator, at(operand)),
        ExpressionKind::Binary(operator, left, right) => binary(*operator, at(left), at(right)),
        ExpressionKind::Conditional(condition, first, second) => {
            if at(condition) != 0 {
                at(first)
            } else {
                at(second)
            }
        }
        _ => 0,
    }
}
