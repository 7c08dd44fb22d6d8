//! The intermediate form: a program with every name looked up. Piece descriptions are sets of codes, one for
//! each mover; properties are slots; rules are numbers. Directions, rows and columns are still relative to the
//! mover.

use game::{Field, GameInfo, PieceCode};
use lang::Span;

/// A whole program.
#[derive(Clone, Debug)]
pub struct Program {
    /// Board, pieces, properties, start.
    pub info: GameInfo,
    /// The rules.
    pub functions: Vec<Function>,
    /// Where moves begin.
    pub main: FunctionId,
    /// The test that closes moves, as a rule of its own: what must not succeed after a move, for who has moved. It
    /// tells who is in check.
    pub closing_test: Option<FunctionId>,
    /// The evaluation.
    pub features: Vec<Feature>,
    /// What positions from outside must fulfil. The interpreter asks; passes and compiled code do not know of it.
    pub possible: Vec<Requirement>,
    /// Tells from a position alone whether the game is over; asked like the requirements.
    pub finished: Option<Node>,
    /// Constant tables.
    pub tables: Vec<ConstantTable>,
    /// Where each line of the source starts, to name places in faults.
    pub source: lang::Source,
    /// Start positions by name, the first one being the default.
    pub setups: Vec<(String, game::Position)>,
    /// How much memory the results for one position may take.
    pub room: crate::limits::Room,
}

/// The number of a rule.
pub type FunctionId = usize;

/// A rule.
#[derive(Clone, Debug)]
pub struct Function {
    /// As the author calls it.
    pub name: String,
    /// What it does.
    pub body: Node,
}

/// A feature: worth `weight` for each way in which `body` succeeds.
#[derive(Clone, Debug)]
pub struct Feature {
    /// As the author calls it.
    pub name: String,
    /// Whether it counts for the player who is to move alone; otherwise the opponent's is taken away.
    pub for_mover: bool,
    /// Read where the body ends.
    pub weight: Expression,
    /// The rule.
    pub body: Node,
}

/// A position from which `body` yields nothing is refused.
#[derive(Clone, Debug)]
pub struct Requirement {
    /// Why.
    pub reason: String,
    /// The test.
    pub body: Node,
}

/// A constant table.
#[derive(Clone, Debug)]
pub struct ConstantTable {
    /// As the author calls it.
    pub name: String,
    /// Its numbers.
    pub values: Vec<i64>,
}

/// A set of piece codes for each mover.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PieceSet {
    /// Indexed by the mover's colour.
    pub codes: [u128; 2],
}

impl PieceSet {
    /// Whether a code is in the set of this mover.
    #[must_use]
    pub fn contains(&self, mover: game::Colour, code: PieceCode) -> bool {
        self.codes[mover.index()] & code.bit() != 0
    }
}

/// A statement and where it came from.
#[derive(Clone, Debug)]
pub struct Node {
    /// Which statement.
    pub kind: NodeKind,
    /// Its place in the source.
    pub span: Span,
}

/// How a game ends for the mover.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// `win`
    Win,
    /// `draw`
    Draw,
    /// `loss`
    Loss,
}

/// Statements. Each takes a state and yields any number of states.
#[derive(Clone, Debug)]
pub enum NodeKind {
    /// One result for each field that holds one of the pieces.
    Find(PieceSet),
    /// Keeps the state if the finger's field holds one of the pieces.
    PointsAt(PieceSet),
    /// Puts the piece for this mover on the finger's field.
    Replace([PieceCode; 2]),
    /// Field to hand; fails on an empty field or with a full hand.
    PickUp,
    /// Hand to field; fails with an empty hand.
    PutDown,
    /// Finger one field on or back.
    Step {
        /// Against the direction.
        backward: bool,
    },
    /// Sets the direction: one result for each, in eighths of a turn from the mover's north.
    Directions(Vec<i32>),
    /// Turns the direction by eighths.
    Turn(i32),
    /// Finger to a column and row, as the mover sees them.
    MoveTo(Expression, Expression),
    /// All results of each.
    Either(Vec<Node>),
    /// The results of the first if there are any, otherwise those of the second.
    Try(Box<Node>, Box<Node>),
    /// The unchanged state if there is a result.
    Test(Box<Node>),
    /// The unchanged state if there is none.
    Not(Box<Node>),
    /// All results after `least`, …, `most` times.
    Repeat {
        /// At least so often.
        least: u32,
        /// At most so often; `None`: until it fails.
        most: Option<u32>,
        /// What is repeated.
        body: Box<Node>,
    },
    /// Condition, body, and again from there; the unchanged state when the condition fails.
    While(Box<Node>, Box<Node>),
    /// Body, then again from the condition's results as long as it has any.
    DoWhile(Box<Node>, Box<Node>),
    /// `then` from each of the condition's results; `otherwise` if it has none. Loops become this.
    Branch {
        /// What is tried first.
        condition: Box<Node>,
        /// What goes on from its results.
        then: Box<Node>,
        /// What happens when there are none.
        otherwise: Box<Node>,
    },
    /// Keeps the state if the finger is on one of these fields: one flag a field, for each mover.
    OnFields([Vec<bool>; 2]),
    /// Keeps the state if something is to be seen from the finger's field; made from tests.
    Sees(Sight),
    /// Keeps the state if the value is not 0.
    Assert(Expression),
    /// Evaluates for the sake of its assignments.
    Assign(Expression),
    /// Keeps the state if every field holds one of its pieces; by field as white sees the board when white
    /// moves, and as black does when black moves.
    Match(Vec<PieceSet>),
    /// Keeps the state if this colour is to move.
    ToMove(game::Colour),
    /// Marks the move.
    Irreversible,
    /// Marks or unmarks the move as forcing.
    Forcing(bool),
    /// Marks the result as finished.
    Ending(Ending),
    /// Marks the result as finished with a score.
    Score(Expression),
    /// The results with the greatest value.
    Most(Expression, Box<Node>),
    /// What stands on each field goes to the next, from the last to the first.
    Cycle(Vec<Field>),
    /// One after the other; empty: the identity.
    Sequence(Vec<Node>),
    /// Another rule.
    Call(FunctionId),
}

/// Something to be seen from the finger's field.
#[derive(Clone, Debug)]
pub enum Sight {
    /// One of the pieces on one of these fields: for each mover, by the finger's field.
    Reach {
        /// Where to look.
        fields: [Vec<Vec<u16>>; 2],
        /// What to look for.
        set: PieceSet,
    },
    /// One of the pieces is the first thing beyond fields that hold `over`, in one of the directions.
    Over {
        /// As the mover sees them.
        directions: Vec<i32>,
        /// What can be looked over.
        over: PieceSet,
        /// Whether there must be at least one field to look over.
        at_least_one: bool,
        /// What to look for.
        set: PieceSet,
    },
}

/// An expression and where it came from.
#[derive(Clone, Debug)]
pub struct Expression {
    /// Which one.
    pub kind: ExpressionKind,
    /// Its place in the source.
    pub span: Span,
}

/// Whose player property.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Owner {
    /// The mover's.
    Own,
    /// The other player's.
    Opponents,
    /// White's.
    White,
    /// Black's.
    Black,
}

/// A property as an expression names it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Variable {
    /// Its index in [`GameInfo::properties`].
    pub property: usize,
    /// Whose, for a player property.
    pub owner: Owner,
}

pub use lang::syntax::{Binary, Unary};

/// Expressions over 64-bit integers, wrapping; a comparison gives 0 or 1.
#[derive(Clone, Debug)]
pub enum ExpressionKind {
    /// A number.
    Integer(i64),
    /// The finger's row as the mover sees it, from 1.
    Row,
    /// The finger's column as the mover sees it, from 1.
    Column,
    /// The direction as the mover sees it: 0 is north, then clockwise.
    Direction,
    /// The finger's field in reading order as the mover sees it, from 0.
    Place,
    /// A property.
    Variable(Variable),
    /// How many fields hold one of the pieces.
    NumberOf(PieceSet),
    /// An element of a table.
    Element(usize, Box<Expression>),
    /// `-e`
    Unary(Unary, Box<Expression>),
    /// `a + b`
    Binary(Binary, Box<Expression>, Box<Expression>),
    /// `c ? a : b`
    Conditional(Box<Expression>, Box<Expression>, Box<Expression>),
    /// `a = b`, `a += b`
    Assign(Option<Binary>, Variable, Box<Expression>),
    /// `++a`, `a--`
    Step {
        /// 1 or -1.
        amount: i64,
        /// Whether the value before is the result.
        postfix: bool,
        /// What changes.
        variable: Variable,
    },
    /// `a, b`
    Comma(Box<Expression>, Box<Expression>),
}
