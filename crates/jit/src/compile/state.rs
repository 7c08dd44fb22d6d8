//! The state of a rule while it is compiled: what is known, and which SSA value holds what is not.

use cranelift_codegen::ir::Value;

use super::unique::Choice;

/// A number that is known now or will be when the code runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Number {
    Known(i64),
    Computed(Value),
}

impl Number {
    pub(crate) fn known(self) -> Option<i64> {
        match self {
            Number::Known(value) => Some(value),
            Number::Computed(_) => None,
        }
    }
}

/// A field that was written since the position, in a place where all of them are known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Write {
    pub(crate) field: Number,
    /// What stood there in the position, if no other write is to the same field.
    pub(crate) old: Number,
    pub(crate) old_codes: u128,
    pub(crate) new: Number,
    pub(crate) new_codes: u128,
    /// If the field was reached by one step: from where, and in which absolute direction.
    pub(crate) origin: Option<(Number, Number)>,
}

/// Fields of the position that held one piece and hold another now.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Turned {
    pub(crate) fields: Value,
    /// The codes.
    pub(crate) old: i64,
    pub(crate) new: i64,
}

/// How the finger came to its field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct LastStep {
    pub(crate) from: Number,
    /// What was known of that field.
    pub(crate) codes: u128,
    pub(crate) direction: Number,
    pub(crate) backward: bool,
    pub(crate) to: Number,
    /// How many writes there were then.
    pub(crate) writes: usize,
}

/// The state. Fields and field properties are in memory.
#[derive(Clone, Debug)]
pub(crate) struct State {
    /// -1 for nowhere.
    pub(crate) finger: Number,
    /// Whether the finger may be nowhere.
    pub(crate) finger_may_be_nowhere: bool,
    /// The codes that may stand on the finger's field.
    pub(crate) codes: u128,
    /// Absolute.
    pub(crate) direction: Number,
    pub(crate) hand: Number,
    /// The codes that may be in the hand.
    pub(crate) hand_codes: u128,
    pub(crate) outcome: Number,
    pub(crate) irreversible: Number,
    /// -1 for not marked.
    pub(crate) forcing: Number,
    pub(crate) lead: Number,
    /// New signature ^ old signature, of all changes but those in `writes` and those of scalars.
    pub(crate) difference: Number,
    pub(crate) scalars: Vec<Number>,
    /// Words of the kept sets.
    pub(crate) sets: Vec<Value>,
    /// All writes to fields so far; `None` when they are not known.
    pub(crate) writes: Option<Vec<Write>>,
    /// How many of them are in memory. The others are made only when they are needed there.
    pub(crate) stored: usize,
    /// Fields that were turned over besides, never in memory: the board is not looked at behind this place.
    pub(crate) turned: Option<Turned>,
    /// The last step, if the finger is still where it led.
    pub(crate) last_step: Option<LastStep>,
    pub(crate) field_properties_written: bool,
    /// Whether it was asked already if the move is forcing.
    pub(crate) is_asked: bool,
    /// What was chosen among several on the way here.
    pub(crate) choices: Vec<Choice>,
}

/// The registers in a fixed order.
pub(crate) const REGISTERS: usize = 8;

/// The register of the signature's difference.
pub(crate) const DIFFERENCE: usize = 7;

impl State {
    pub(crate) fn register(&self, index: usize) -> Number {
        match index {
            0 => self.finger,
            1 => self.direction,
            2 => self.hand,
            3 => self.outcome,
            4 => self.irreversible,
            5 => self.forcing,
            6 => self.lead,
            DIFFERENCE => self.difference,
            index if index < REGISTERS + self.scalars.len() => self.scalars[index - REGISTERS],
            index => Number::Computed(self.sets[index - REGISTERS - self.scalars.len()]),
        }
    }

    pub(crate) fn set_register(&mut self, index: usize, value: Number) {
        let scalars = self.scalars.len();
        match index {
            0 => self.finger = value,
            1 => self.direction = value,
            2 => self.hand = value,
            3 => self.outcome = value,
            4 => self.irreversible = value,
            5 => self.forcing = value,
            6 => self.lead = value,
            DIFFERENCE => self.difference = value,
            index if index < REGISTERS + scalars => self.scalars[index - REGISTERS] = value,
            index => {
                if let Number::Computed(value) = value {
                    self.sets[index - REGISTERS - scalars] = value;
                }
            }
        }
    }

    /// The writes that are not in memory yet.
    pub(crate) fn pending(&self) -> &[Write] {
        self.writes.as_deref().map_or(&[], |writes| &writes[self.stored..])
    }

    pub(crate) fn registers(&self) -> usize {
        REGISTERS + self.scalars.len() + self.sets.len()
    }
}
