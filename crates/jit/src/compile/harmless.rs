//! Expressions and statements that change nothing and cannot go wrong: it may be left open what they say.

use rules::ir::{Binary, Expression, ExpressionKind, Node, NodeKind};

use super::function::FunctionCompiler;

impl<'program> FunctionCompiler<'_, '_, 'program> {
    /// Whether an expression neither changes anything nor can go wrong where the finger is on the board.
    pub(crate) fn is_harmless(&self, expression: &Expression) -> bool {
        let is_harmful = matches!(
            expression.kind,
            ExpressionKind::Element(..)
                | ExpressionKind::Assign(..)
                | ExpressionKind::Step { .. }
                | ExpressionKind::Binary(Binary::Divide | Binary::Remainder, ..)
        );
        !is_harmful && rules::walk::operands(expression).into_iter().all(|operand| self.is_harmless(operand))
    }

    /// Whether an assignment keeps to the range of its property.
    pub(crate) fn assigns_harmlessly(&self, expression: &Expression) -> bool {
        match &expression.kind {
            ExpressionKind::Comma(one, other) => {
                self.assigns_harmlessly(one) && self.assigns_harmlessly(other)
            }
            ExpressionKind::Assign(None, variable, value) => {
                let value = match &value.kind {
                    // The same number for several properties.
                    ExpressionKind::Assign(None, _, inner) if self.assigns_harmlessly(value) => inner,
                    _ => value,
                };
                self.is_harmless(value) && self.keeps_within(*variable, value)
            }
            _ => false,
        }
    }

    /// Whether a statement neither moves the finger nor writes nor makes a move a wanted one.
    pub(crate) fn only_looks(&self, node: &'program Node) -> bool {
        match &node.kind {
            NodeKind::Sequence(nodes) | NodeKind::Either(nodes) => {
                nodes.iter().all(|node| self.only_looks(node))
            }
            NodeKind::Try(first, second) => self.only_looks(first) && self.only_looks(second),
            NodeKind::Call(rule) if !self.compiler.recursive[*rule] => {
                self.only_looks(&self.compiler.program.functions[*rule].body)
            }
            NodeKind::Test(body) | NodeKind::Not(body) => self.is_harmless_test(body),
            NodeKind::Assert(value) => self.is_harmless(value),
            NodeKind::Assign(value) => self.assigns_harmlessly(value),
            NodeKind::PointsAt(_)
            | NodeKind::OnFields(_)
            | NodeKind::Sees(_)
            | NodeKind::ToMove(_)
            | NodeKind::Irreversible
            | NodeKind::Ending(_) => true,
            NodeKind::Find(_)
            | NodeKind::Replace(_)
            | NodeKind::PickUp
            | NodeKind::PutDown
            | NodeKind::Step { .. }
            | NodeKind::Directions(_)
            | NodeKind::Turn(_)
            | NodeKind::MoveTo(..)
            | NodeKind::Repeat { .. }
            | NodeKind::While(..)
            | NodeKind::DoWhile(..)
            | NodeKind::Branch { .. }
            | NodeKind::Match(_)
            | NodeKind::Forcing(_)
            | NodeKind::Score(_)
            | NodeKind::Most(..)
            | NodeKind::Cycle(_)
            | NodeKind::Call(_) => false,
        }
    }

    /// Whether a test changes nothing for good and cannot go wrong.
    pub(crate) fn is_harmless_test(&self, node: &Node) -> bool {
        let mut is_harmless = true;
        rules::walk::for_each_node(node, &mut |node| {
            is_harmless &= match &node.kind {
                NodeKind::While(..)
                | NodeKind::DoWhile(..)
                | NodeKind::Repeat { .. }
                | NodeKind::MoveTo(..)
                | NodeKind::Most(..)
                | NodeKind::Score(_) => false,
                NodeKind::Call(rule) => {
                    !self.compiler.recursive[*rule]
                        && self.is_harmless_test(&self.compiler.program.functions[*rule].body)
                }
                NodeKind::Assert(value) => self.is_harmless(value),
                NodeKind::Assign(value) => self.assigns_harmlessly(value),
                NodeKind::Find(_)
                | NodeKind::PointsAt(_)
                | NodeKind::Replace(_)
                | NodeKind::PickUp
                | NodeKind::PutDown
                | NodeKind::Step { .. }
                | NodeKind::Directions(_)
                | NodeKind::Turn(_)
                | NodeKind::Either(_)
                | NodeKind::Try(..)
                | NodeKind::Test(_)
                | NodeKind::Not(_)
                | NodeKind::Branch { .. }
                | NodeKind::OnFields(_)
                | NodeKind::Sees(_)
                | NodeKind::Match(_)
                | NodeKind::ToMove(_)
                | NodeKind::Irreversible
                | NodeKind::Forcing(_)
                | NodeKind::Ending(_)
                | NodeKind::Cycle(_)
                | NodeKind::Sequence(_) => true,
            };
        });
        is_harmless
    }
}
