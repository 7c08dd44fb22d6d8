//! What the rules call moves. Names cost nothing where moves are generated: the program that generators follow has
//! no `name` in it. A second one has, and the interpreter follows it to find out how the moves of
//! a position are called.

use game::notation::Namer;
use game::{Move, Position};

use crate::interpreter::named_results;
use crate::ir::{Expression, FunctionId, Program};

/// A part of a name.
#[derive(Clone, Debug)]
pub(crate) enum NamePart {
    /// As it stands.
    Text(String),
    /// The name of the finger's field; nothing if it points nowhere.
    Field,
    /// The letter of the piece there; nothing if there is none.
    Piece,
    /// A number.
    Value(Expression),
}

/// What is said by which rules of a program: those that stand for a `name`.
#[derive(Clone, Debug)]
pub(crate) struct Sayings {
    /// The first of these rules; the others follow.
    pub(crate) first: FunctionId,
    /// What each of them says.
    pub(crate) said: Vec<Vec<NamePart>>,
}

/// Nothing is said.
pub(crate) static SILENCE: Sayings = Sayings { first: 0, said: Vec::new() };

impl Sayings {
    /// Whether nothing is said.
    pub(crate) fn is_empty(&self) -> bool {
        self.said.is_empty()
    }

    /// What a rule says; `None` for a rule that does something.
    pub(crate) fn of(&self, function: FunctionId) -> Option<&[NamePart]> {
        let place = function.checked_sub(self.first)?;
        self.said.get(place).map(Vec::as_slice)
    }
}

/// Names that come from the rules of a program.
pub(crate) struct RuleNames {
    program: Program,
    sayings: Sayings,
}

impl RuleNames {
    pub(crate) fn new(program: Program, sayings: Sayings) -> RuleNames {
        RuleNames { program, sayings }
    }
}

impl Namer for RuleNames {
    fn names(&self, position: &Position) -> Vec<(Move, String)> {
        named_results(&self.program, &self.sayings, position)
    }
}
