//! The tree of a program, as written: names are not looked up, numbers are not judged.

use std::collections::BTreeSet;

use crate::appearance::Appearance;
use crate::source::{Span, Spanned};

/// A name and where it stands.
pub type Name = Spanned<String>;

/// A whole program.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// `players = 1`
    pub players: Option<Spanned<i64>>,
    /// `dimensions (columns, rows)`
    pub dimensions: Option<(Spanned<i64>, Spanned<i64>)>,
    /// `sides = 1`
    pub sides: Option<Spanned<i64>>,
    /// `pieces { … }`
    pub pieces: Vec<Piece>,
    /// `properties { … }`
    pub properties: Vec<Property>,
    /// `tables { … }`
    pub tables: Vec<ConstantTable>,
    /// `links { … }`
    pub links: Vec<Link>,
    /// `setup { … }`
    pub setups: Vec<Setup>,
    /// `repetition draw after 3`
    pub repetition: Option<Repetition>,
    /// `notation …`
    pub notation: Vec<Notation>,
    /// `evaluation { … }`
    pub features: Vec<Feature>,
    /// `possible { … }`
    pub possible: Vec<Requirement>,
    /// `finished { … }`
    pub finished: Option<Statement>,
    /// `appearance { … }`
    pub appearance: Appearance,
    /// `name = … .`
    pub functions: Vec<Function>,
    /// Some of the text could not be read; what seems unused may be used there.
    pub incomplete: bool,
    /// Words in parts that could not be read: names that may be declared there after all.
    pub unread: BTreeSet<String>,
    /// The end of the text, for what is missing.
    pub end: Span,
}

impl Program {
    /// Players, 2 unless said otherwise.
    #[must_use]
    pub fn player_count(&self) -> i64 {
        self.players.as_ref().map_or(2, |players| players.value)
    }
}

/// Who can have a kind of piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PieceOwner {
    /// White and black.
    Both,
    /// White alone.
    White,
    /// Black alone.
    Black,
    /// It belongs to neither: `neutral`.
    Nobody,
}

/// `name 'W' 'B'`, `white name 'W'`, `black name 'B'` or `neutral name 'N'`
#[derive(Clone, Debug)]
pub struct Piece {
    /// Its name.
    pub name: Name,
    /// One or two characters.
    pub characters: Vec<Spanned<char>>,
    /// Who can have it.
    pub owner: PieceOwner,
}

/// What a property belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PropertyKind {
    /// The position.
    Board,
    /// Each player.
    Player,
    /// Each field.
    Field,
    /// The move that is being made.
    Move,
}

/// `a : board : [0 .. 8] silent below 5`
#[derive(Clone, Debug)]
pub struct Property {
    /// Its name.
    pub name: Name,
    /// What it belongs to.
    pub kind: PropertyKind,
    /// Least value.
    pub low: i64,
    /// Greatest value.
    pub high: i64,
    /// The range as written.
    pub range_span: Span,
    /// `silent`: no value enters the signature; `silent below n`: those below n do not.
    pub silent_below: Option<i64>,
}

/// `name = 1, 2, 3`
#[derive(Clone, Debug)]
pub struct ConstantTable {
    /// Its name.
    pub name: Name,
    /// Its numbers.
    pub values: Vec<Spanned<i64>>,
}

/// `a1 north a4`, `a1 north nowhere`; both ways unless `one way`.
#[derive(Clone, Debug)]
pub struct Link {
    /// Where the step starts: column and row.
    pub from: Spanned<(i64, i64)>,
    /// Eighths of a turn clockwise from north.
    pub direction: i32,
    /// Where it ends.
    pub to: Option<Spanned<(i64, i64)>>,
    /// Only in this direction.
    pub one_way: bool,
}

/// A start position.
#[derive(Clone, Debug)]
pub struct Setup {
    /// Its name, if it has one.
    pub name: Option<Name>,
    /// The lines between the brackets, without the first and last line end.
    pub text: Spanned<String>,
}

/// What a repetition means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RepetitionResult {
    /// Nothing.
    Ignored,
    /// A draw.
    Draw,
    /// Lost for the player who repeats.
    Loss,
    /// Won for the player who repeats.
    Win,
    /// Not legal.
    Forbidden,
}

/// `repetition draw after 3`
#[derive(Clone, Debug)]
pub struct Repetition {
    /// What happens.
    pub result: RepetitionResult,
    /// At which occurrence.
    pub occurrences: Spanned<i64>,
}

/// One line of a `notation` section.
#[derive(Clone, Debug)]
pub enum Notation {
    /// `flags 'K' white may_castle_right, …`
    Flags(Vec<(char, Option<Owner>, Name)>),
    /// `square (property, row)`
    Square(Name, Spanned<i64>),
    /// `rooks (left, right, rook, king)`: properties that hold the columns of rooks that may castle, and the pieces.
    Rooks(Box<[Name; 4]>),
    /// `number property`
    Number(Name),
    /// `counter`
    Counter,
    /// `remaining property`
    Remaining(Name),
    /// `fixed '-'`
    Fixed(char),
    /// `hands piece property, …`
    Hands(Vec<(Name, Name)>),
    /// `promoted piece piece, …`
    Promoted(Vec<(Name, Name)>),
    /// `draughts (man, king)`
    Draughts(Name, Name),
    /// `line '-'`
    Line(char),
    /// `tiles`
    Tiles,
    /// `rows from top`
    RowsFromTop,
}

/// `name : weight = statements .`, or `to move : weight .`, which is a rule that succeeds once, but only for the
/// player who is to move.
#[derive(Clone, Debug)]
pub struct Feature {
    /// Its name.
    pub name: Name,
    /// Whether it counts for the player who is to move alone.
    pub for_mover: bool,
    /// What each success is worth, read where the rule ends.
    pub weight: Expression,
    /// The rule.
    pub body: Statement,
}

/// `"reason" = statements .`: a position from outside from which they yield nothing is refused for this reason.
#[derive(Clone, Debug)]
pub struct Requirement {
    /// What is said about a position that is refused.
    pub reason: Spanned<String>,
    /// The test.
    pub body: Statement,
}

/// `name = statements .`
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name.
    pub name: Name,
    /// Its statements as one sequence.
    pub body: Statement,
}

/// Whose.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Owner {
    /// The mover's.
    Own,
    /// The other player's.
    Opponents,
    /// White's, whichever side moves.
    White,
    /// Black's, whichever side moves.
    Black,
}

impl Owner {
    /// As it is written.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Owner::Own => "own",
            Owner::Opponents => "opponent's",
            Owner::White => "white",
            Owner::Black => "black",
        }
    }
}

/// A piece description.
#[derive(Clone, Debug)]
pub enum What {
    /// `own rook`, `rook`.
    Piece(Option<Owner>, Name),
    /// `own piece`, `any piece`.
    AnyPiece(Option<Owner>, Span),
    /// `empty field`.
    Empty(Span),
    /// `any field`: even an unused one.
    AnyField(Span),
}

impl What {
    /// Where it stands.
    #[must_use]
    pub fn span(&self) -> Span {
        match self {
            What::Piece(_, name) => name.span,
            What::AnyPiece(_, span) | What::Empty(span) | What::AnyField(span) => *span,
        }
    }
}

/// A statement and where it stands.
#[derive(Clone, Debug)]
pub struct Statement {
    /// Which one.
    pub kind: StatementKind,
    /// Where.
    pub span: Span,
}

/// A part of what a move is called.
#[derive(Clone, Debug)]
pub enum NamePart {
    /// `"text"`
    Text(Spanned<String>),
    /// `field`: the name of the finger's field.
    Field,
    /// `piece`: the letter of the piece there.
    Piece,
    /// `(e)`: a number.
    Value(Expression),
}

/// How a game ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// `win`
    Win,
    /// `draw`
    Draw,
    /// `loss`
    Loss,
}

/// The statements of the language.
#[derive(Clone, Debug)]
pub enum StatementKind {
    /// `find WHAT`
    Find(What),
    /// `points at WHAT`
    PointsAt(What),
    /// `replace by WHAT`
    ReplaceBy(What),
    /// `pick up`
    PickUp,
    /// `put down`
    PutDown,
    /// `step`, `step backward`
    Step {
        /// Against the direction.
        backward: bool,
    },
    /// `north` (0), `northeast` (1), …
    Direction(i32),
    /// `orthogonal`, `diagonal`, `any direction`: in eighths of a turn.
    Directions(&'static [i32]),
    /// `turn 45` is 1.
    Turn(i32),
    /// `move to (column, row)`
    MoveTo(Expression, Expression),
    /// `either S or S …`
    Either(Vec<Statement>),
    /// `optionally S`
    Optionally(Box<Statement>),
    /// `try S`, `try S else T`
    Try(Box<Statement>, Option<Box<Statement>>),
    /// `test S`
    Test(Box<Statement>),
    /// `not S`
    Not(Box<Statement>),
    /// `repeat a .. b times S`; `None` is infinity.
    Repeat(Option<i64>, Option<i64>, Box<Statement>),
    /// `while C do S`
    While(Box<Statement>, Box<Statement>),
    /// `do S while C`
    DoWhile(Box<Statement>, Box<Statement>),
    /// `nothing`
    Nothing,
    /// `assert (e)`
    Assert(Expression),
    /// `assign (e)`
    Assign(Expression),
    /// `match (what, …)`
    Match(Vec<What>),
    /// `white to move`, `black to move`
    ToMove(Owner),
    /// `irreversible`
    Irreversible,
    /// `name "text" field piece (e)`
    Name(Vec<NamePart>),
    /// `forcing` (true) and `quiet` (false)
    Forcing(bool),
    /// `win`, `draw`, `loss`
    Ending(Ending),
    /// `score (e)`
    Score(Expression),
    /// `most (e) S`
    Most(Expression, Box<Statement>),
    /// `cycle (field, field, …)`
    Cycle(Vec<Spanned<(i64, i64)>>),
    /// `[ S, S ]`
    Sequence(Vec<Statement>),
    /// `NAME`
    Call(Name),
    /// What could not be read; a diagnostic says so.
    Mistake,
}

/// An expression and where it stands.
#[derive(Clone, Debug)]
pub struct Expression {
    /// Which one.
    pub kind: ExpressionKind,
    /// Where.
    pub span: Span,
}

/// Operators with one operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unary {
    /// `-`
    Negate,
    /// `+`
    Plus,
    /// `!`
    Not,
    /// `~`
    Complement,
}

/// Operators with two operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)] // they are C's
pub enum Binary {
    Multiply,
    Divide,
    Remainder,
    Add,
    Subtract,
    ShiftLeft,
    ShiftRight,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
    BitAnd,
    BitXor,
    BitOr,
    And,
    Or,
}

/// The expressions of the language: C's, without pointers, casts and calls.
#[derive(Clone, Debug)]
pub enum ExpressionKind {
    /// `12`
    Integer(i64),
    /// `row`, `may_castle`, `opponent's score`
    Name(Option<Owner>, Name),
    /// `number of WHAT`
    NumberOf(What),
    /// `table[e]`
    Element(Name, Box<Expression>),
    /// `-e`
    Unary(Unary, Box<Expression>),
    /// `a + b`
    Binary(Binary, Box<Expression>, Box<Expression>),
    /// `c ? a : b`
    Conditional(Box<Expression>, Box<Expression>, Box<Expression>),
    /// `a = b`, `a += b`
    Assign(Option<Binary>, Box<Expression>, Box<Expression>),
    /// `++a`, `a--`: by how much, and whether the old value is the result.
    Step(i64, bool, Box<Expression>),
    /// `a, b`
    Comma(Box<Expression>, Box<Expression>),
    /// What could not be read; a diagnostic says so.
    Mistake,
}
