//! Passes over the intermediate form. Each one gives a program with the same meaning (the interpreter runs the
//! result and judges it), in a form that compiles to better code. [`PIPELINE`] is the list of them.
//!
//! The same meaning is: the same results in the same order, and the same faults of the same rules. Only limits on
//! the length of a run are met later, as fewer statements do the same work.
//!
//! What depends on the mover or on the way to a statement is no pass. Inlining, separate code for white and
//! black, what is known of finger, hand and direction, and whether results can coincide: all that happens while
//! code is generated, for each mover. In the intermediate form a rule stays one rule, because tests are
//! shared by their address and faults name the rule that they occur in.
//!
//! Each pass is a file; `facts` and `direction` are what several of them ask.

pub mod alternatives;
pub mod dead_state;
mod direction;
mod facts;
pub mod fields;
mod folding;
pub mod hoist;
pub mod loops;
pub mod sight;
pub mod simplify;

pub use facts::ProgramFacts;

use crate::ir::{Node, NodeKind, Program};

/// A pass.
#[derive(Clone, Copy, Debug)]
pub struct Pass {
    /// What it is called on the command line.
    pub name: &'static str,
    /// What it does, in one line.
    pub purpose: &'static str,
    /// Whether compiled code needs it; the others may be left out.
    pub required: bool,
    /// Does it.
    pub run: fn(&mut Program),
}

/// All passes, in the order in which they run.
pub static PIPELINE: &[Pass] = &[
    Pass {
        name: "simplify",
        purpose: "computes what is constant, opens brackets, drops what does nothing or can never succeed",
        required: false,
        run: simplify::run,
    },
    Pass {
        name: "fields",
        purpose: "conditions on row, column and place become sets of fields",
        required: false,
        run: fields::run,
    },
    Pass {
        name: "alternatives",
        purpose: "alternatives that only test become one test",
        required: false,
        run: alternatives::run,
    },
    Pass {
        name: "sight",
        purpose: "tests that look around become questions about sets of fields",
        required: false,
        run: sight::run,
    },
    Pass {
        name: "hoist",
        purpose: "statements that do not depend on the direction move in front of the choice of one",
        required: false,
        run: hoist::run,
    },
    Pass {
        name: "dead_state",
        purpose: "drops directions, marks and values that are never read",
        required: false,
        run: dead_state::run,
    },
    Pass {
        name: "loops",
        purpose: "loops that branch become rules that call themselves",
        required: true,
        run: loops::run,
    },
];

/// Runs all passes in order but those to be skipped.
pub fn run(program: &mut Program, skip: impl Fn(&str) -> bool) {
    for pass in PIPELINE.iter().filter(|pass| !skip(pass.name)) {
        (pass.run)(program);
    }
}

/// Whether moves begin with looking in the direction that is there at the start, north.
pub(crate) fn reads_direction_at_start(program: &Program) -> bool {
    direction::Uses::of(program).of_node(&program.functions[program.main].body).reads
}

/// Some of the passes.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct PassSet(u32);

/// A name that is no pass, or not one that can be left out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownPass {
    /// The name.
    pub name: String,
}

impl PassSet {
    /// None of them.
    pub const NONE: PassSet = PassSet(0);

    /// The passes with these names, none of them required.
    ///
    /// # Errors
    /// With the first name that is no such pass.
    pub fn of(names: &[&str]) -> Result<PassSet, UnknownPass> {
        names.iter().try_fold(PassSet::NONE, |set, &name| {
            let found = PIPELINE.iter().position(|pass| pass.name == name && !pass.required);
            found.map(|index| PassSet(set.0 | 1 << index)).ok_or(UnknownPass { name: name.to_owned() })
        })
    }

    /// All that are not required.
    #[must_use]
    pub fn optional() -> PassSet {
        let indices = (0..).zip(PIPELINE).filter(|(_, pass)| !pass.required);
        PassSet(indices.fold(0, |set, (index, _)| set | 1 << index))
    }

    /// Whether the pass with this name is one of them.
    #[must_use]
    pub fn contains(self, name: &str) -> bool {
        (0..).zip(PIPELINE).any(|(index, pass)| pass.name == name && self.0 >> index & 1 != 0)
    }
}

/// Every body of the program, rules before features.
fn bodies(program: &mut Program) -> impl Iterator<Item = &mut Node> {
    let rules = program.functions.iter_mut().map(|function| &mut function.body);
    rules.chain(program.features.iter_mut().map(|feature| &mut feature.body))
}

fn is_nothing(node: &Node) -> bool {
    matches!(&node.kind, NodeKind::Sequence(nodes) if nodes.is_empty())
}
