//! Bounds on what one move generation may do. A rule that hits one is wrong; the fault says which.

use crate::ir::{Node, NodeKind, Program};
use crate::walk;

/// Rules that call rules that call rules …
pub const CALL_DEPTH_MAX: u32 = 5_000;
/// Rounds of one loop on the way to one result.
pub const LOOP_ROUNDS_MAX: u32 = 10_000;
/// Results of `main` for one position, doubles included.
pub const RESULTS_MAX: usize = 1_000_000;
/// Statements executed for one position.
pub const STEPS_MAX: u64 = 200_000_000;
/// What all results for one position change together: 128 MB of changes.
pub const CHANGES_MAX: usize = 1 << 24;

/// How much memory the results for one position may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Room {
    /// Results, doubles included.
    pub results: usize,
    /// What they change together.
    pub changes: usize,
}

impl Room {
    /// For rules that people run on their own machines.
    pub const USUAL: Room = Room { results: RESULTS_MAX, changes: CHANGES_MAX };
    /// For rules of others, of which many run at once: some ten megabytes for a position.
    pub const SMALL: Room = Room { results: 50_000, changes: 1 << 20 };

    /// What is said when there are too many results.
    #[must_use]
    pub fn too_many_results(&self) -> String {
        format!("more than {} results for one position", self.results)
    }

    /// What is said when results change too much.
    #[must_use]
    pub fn too_many_changes(&self) -> String {
        format!(
            "the results for one position change more than {} fields and properties together",
            self.changes
        )
    }
}

/// Statements that rules from a page may have when every call is written out, as compiled code does: a few lines of
/// rules that call each other twice would fill all memory otherwise.
pub const WRITTEN_OUT_MAX: u64 = 50_000;

/// How many statements the moves and the evaluation have when every call is replaced by what it calls; a rule within
/// itself counts once.
#[must_use]
pub fn written_out(program: &Program) -> u64 {
    let mut known = vec![None; program.functions.len()];
    let features = program.features.iter().map(|feature| &feature.body);
    let bodies = features.chain([&program.functions[program.main].body]);
    bodies.fold(0, |sum: u64, body| sum.saturating_add(statements(program, body, &mut known)))
}

fn statements(program: &Program, node: &Node, known: &mut [Option<u64>]) -> u64 {
    let called = match node.kind {
        NodeKind::Call(rule) => known[rule].unwrap_or_else(|| {
            known[rule] = Some(1);
            let size = statements(program, &program.functions[rule].body, known);
            known[rule] = Some(size);
            size
        }),
        NodeKind::Find(_)
        | NodeKind::PointsAt(_)
        | NodeKind::Replace(_)
        | NodeKind::PickUp
        | NodeKind::PutDown
        | NodeKind::Step { .. }
        | NodeKind::Directions(_)
        | NodeKind::Turn(_)
        | NodeKind::MoveTo(..)
        | NodeKind::Either(_)
        | NodeKind::Try(..)
        | NodeKind::Test(_)
        | NodeKind::Not(_)
        | NodeKind::Repeat { .. }
        | NodeKind::While(..)
        | NodeKind::DoWhile(..)
        | NodeKind::Branch { .. }
        | NodeKind::OnFields(_)
        | NodeKind::Sees(_)
        | NodeKind::Assert(_)
        | NodeKind::Assign(_)
        | NodeKind::Match(_)
        | NodeKind::ToMove(_)
        | NodeKind::Irreversible
        | NodeKind::Forcing(_)
        | NodeKind::Ending(_)
        | NodeKind::Score(_)
        | NodeKind::Most(..)
        | NodeKind::Cycle(_)
        | NodeKind::Sequence(_) => 0,
    };
    let below = walk::children(node).into_iter();
    below.fold(called.saturating_add(1), |sum, child| sum.saturating_add(statements(program, child, known)))
}

#[cfg(test)]
mod tests {
    use lang::Source;

    use super::*;

    fn size(levels: usize) -> u64 {
        let mut rules = "dimensions (2, 2)\npieces { man 'M' 'm' }\nmain = find own man, r0.\n".to_owned();
        for level in 0..levels {
            rules += &format!("r{level} = either r{next} or r{next}.\n", next = level + 1);
        }
        rules += &format!("r{levels} = pick up.\n");
        written_out(&crate::compile(&Source::new("rules", &rules), Some("M.\n.m")).unwrap().0)
    }

    #[test]
    fn rules_that_call_each_other_twice_grow_without_bounds() {
        assert!(size(3) < 100, "{}", size(3));
        assert!(size(14) > WRITTEN_OUT_MAX, "{}", size(14));
        assert!(size(100) > u64::MAX / 2, "it does not overflow");
    }
}
