//! What a puzzle is to those who share it out: states as bytes, and an expert that knows what follows them.

use game::motion::Divided;

/// A state that follows another.
#[derive(Clone, Copy, Debug)]
pub struct Child<'expansion> {
    /// The state.
    pub state: &'expansion [u8],
    /// Its signature, the same on every processor; by it each state has one home.
    pub signature: u64,
    /// What [`Scout::expand`] wants to know of how the state was reached.
    pub last: u16,
    /// The move to here, as solutions name it.
    pub step: u16,
    /// Moves that a solution takes at least from here.
    pub bound: u32,
    /// Whether it is solved.
    pub is_goal: bool,
}

/// Where a search begins.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Start {
    /// The state.
    pub state: Vec<u8>,
    /// Its signature.
    pub signature: u64,
    /// See [`Child::last`].
    pub last: u16,
    /// Moves that a solution takes at least.
    pub bound: u32,
    /// Whether it is solved.
    pub is_goal: bool,
}

/// What a search below a state came to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dive {
    /// A solution, if there is one.
    pub solution: Option<Vec<u16>>,
    /// Moves that a solution takes at least otherwise; `u32::MAX` if there is none.
    pub next: u32,
    /// States that were looked at.
    pub nodes: u64,
}

/// A puzzle. All processors have the same one.
pub trait Space: Sync {
    /// The size of a state.
    fn state_bytes(&self) -> usize;

    /// Bits that a step needs.
    fn step_bits(&self) -> u32;

    /// Where the search begins.
    fn start(&self) -> Start;

    /// The expert for one processor.
    fn scout(&self) -> Box<dyn Scout + '_>;

    /// A number by which a state has its home where brothers are better together than apart: those that a move makes
    /// of one state often have it in common. The signature, if there is none.
    fn kin(&self, state: &[u8]) -> Option<u64> {
        let _ = state;
        None
    }

    /// The databases that processors hold together, if each has but a part of them. Bounds of [`Scout::expand`] are
    /// then what is known without them, and no processor can search below a state alone.
    fn divided(&self) -> Option<&dyn Divided> {
        None
    }
}

/// Finds what follows a state, for one processor.
pub trait Scout {
    /// Tells of every state that follows this one and needs looking at. `left` is how many moves may still be made;
    /// bounds above that may be less than the whole truth.
    fn expand(&mut self, state: &[u8], last: u16, left: u32, each: &mut dyn FnMut(&Child<'_>));

    /// Looks for a solution of so many moves below a state, knowing that there is none with fewer.
    fn dive(&mut self, state: &[u8], last: u16, left: u32) -> Dive;
}
