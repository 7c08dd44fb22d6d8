//! How much code statements make, roughly: whether to write what follows once or once for each way that leads there.

use rules::ir::Node;

use super::Goal;
use super::analysis::WrittenSize;
use super::function::{FunctionCompiler, Next};

impl FunctionCompiler<'_, '_, '_> {
    pub(crate) fn size_of(&self, nodes: &[Node]) -> usize {
        nodes
            .iter()
            .map(|node| super::analysis::size(self.compiler.program, &self.compiler.recursive, node))
            .sum()
    }

    fn written(&self) -> WrittenSize<'_> {
        let (program, recursive) = (self.compiler.program, &self.compiler.recursive);
        WrittenSize { program, recursive, set_words: self.compiler.layout.set_words }
    }

    /// How much code a statement makes, roughly, with all copies that are made on the way.
    pub(crate) fn written_size(&self, node: &Node) -> f64 {
        self.written().of(node, 1.0)
    }

    /// How much code follows, roughly, with all copies that are made on the way.
    pub(crate) fn written_size_of_next(&self, next: &Next<'_>) -> f64 {
        match next {
            Next::Statements(nodes, _, next) => {
                self.written().of_sequence(nodes, self.written_size_of_next(next))
            }
            Next::Flag(_, next)
            | Next::Leave(next)
            | Next::Greatest(_, _, next)
            | Next::OnlyGreatest(_, _, next) => 3.0 + self.written_size_of_next(next),
            other => self.size_of_next(other) as f64,
        }
    }

    /// How much code follows, roughly.
    pub(crate) fn size_of_next(&self, next: &Next<'_>) -> usize {
        match next {
            Next::Goal(
                Goal::Moves
                | Goal::Children
                | Goal::Count
                | Goal::Counted
                | Goal::Pick
                | Goal::Settle
                | Goal::Played
                | Goal::Walk
                | Goal::Forcing
                | Goal::Sharp
                | Goal::Any
                | Goal::Legal
                | Goal::Taking
                | Goal::Threatened
                | Goal::Watched,
            ) => 8,
            Next::Statements(nodes, _, next) => self.size_of(nodes) + self.size_of_next(next),
            Next::Flag(_, next) | Next::Leave(next) => 1 + self.size_of_next(next),
            Next::Greatest(_, _, next) | Next::OnlyGreatest(_, _, next) => 3 + self.size_of_next(next),
            Next::Closure(..) | Next::Shared(..) => 4,
            Next::Goal(Goal::Evaluation | Goal::Feature(_))
            | Next::Accept(_)
            | Next::ReturnEnough
            | Next::Nothing => 1,
        }
    }
}
