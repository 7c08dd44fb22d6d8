//! What a problem is.

/// A problem that can be taken apart. A *piece* is a part of it (a node of the search tree); an *outcome* is what
/// is known of some pieces: a count, a best solution.
///
/// ```
/// use parallel::dib::{Problem, on_threads};
///
/// /// How many numbers of so many binary digits have no two ones in a row?
/// struct NoTwoOnes(u32);
///
/// impl Problem for NoTwoOnes {
///     type Piece = (u32, bool); // digits so far, and whether the last one is a one
///     type Outcome = u64;
///
///     fn root(&self) -> (u32, bool) {
///         (0, false)
///     }
///     fn children(&self, &(digits, one): &(u32, bool), children: &mut Vec<(u32, bool)>) {
///         if digits < self.0 {
///             children.push((digits + 1, false));
///             children.extend((!one).then_some((digits + 1, true)));
///         }
///     }
///     fn outcome(&self, piece: &(u32, bool)) -> u64 {
///         u64::from(piece.0 == self.0)
///     }
///     fn nothing(&self) -> u64 {
///         0
///     }
///     fn combine(&self, one: u64, other: u64) -> u64 {
///         one + other
///     }
///     fn write_piece(&self, piece: &(u32, bool), into: &mut Vec<u8>) {
///         into.extend([piece.0 as u8, u8::from(piece.1)]);
///     }
///     fn read_piece(&self, bytes: &[u8]) -> Option<(u32, bool)> {
///         Some((u32::from(*bytes.first()?), *bytes.get(1)? != 0))
///     }
///     fn write_outcome(&self, outcome: &u64, into: &mut Vec<u8>) {
///         into.extend(outcome.to_le_bytes());
///     }
///     fn read_outcome(&self, bytes: &[u8]) -> Option<u64> {
///         Some(u64::from_le_bytes(bytes.try_into().ok()?))
///     }
/// }
///
/// assert_eq!(on_threads(&NoTwoOnes(20), 3).unwrap().outcome, 17_711);
/// ```
pub trait Problem: Sync {
    /// A part of the problem.
    type Piece: Clone;
    /// What is known of some parts.
    type Outcome: Clone;

    /// The whole problem.
    fn root(&self) -> Self::Piece;

    /// The pieces that a piece consists of, the most promising one last; none if it is not taken apart any further.
    fn children(&self, piece: &Self::Piece, children: &mut Vec<Self::Piece>);

    /// What a piece comes to by itself, without its children.
    fn outcome(&self, piece: &Self::Piece) -> Self::Outcome;

    /// What no pieces come to.
    fn nothing(&self) -> Self::Outcome;

    /// What pieces come to together. The order must not matter.
    fn combine(&self, one: Self::Outcome, other: Self::Outcome) -> Self::Outcome;

    /// No outcome of a piece is worth more than this. Where something is counted, nothing is left out.
    fn bound(&self, piece: &Self::Piece) -> i64 {
        let _ = piece;
        i64::MAX
    }

    /// What an outcome is worth, if the one that is worth the most is looked for. Pieces whose bound is not more
    /// are left out.
    fn worth(&self, outcome: &Self::Outcome) -> i64 {
        let _ = outcome;
        i64::MIN
    }

    /// A piece as it travels.
    fn write_piece(&self, piece: &Self::Piece, into: &mut Vec<u8>);

    /// The piece that travelled; `None` if it is none.
    fn read_piece(&self, bytes: &[u8]) -> Option<Self::Piece>;

    /// An outcome as it travels.
    fn write_outcome(&self, outcome: &Self::Outcome, into: &mut Vec<u8>);

    /// The outcome that travelled; `None` if it is none.
    fn read_outcome(&self, bytes: &[u8]) -> Option<Self::Outcome>;
}
