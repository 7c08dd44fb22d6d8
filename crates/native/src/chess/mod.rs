//! Chess on `cozy-chess`, a fast and well-tested generator that is not ours.

mod contract;

pub use contract::{ChessPosition, NativeChess};

use cozy_chess::{Board, Move, Piece};

use crate::perft::{Perft, Playouts, leaf};
use crate::random::Random;

/// A chess position; board, checks, pins and hash are kept by `cozy-chess`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Chess(pub Board);

impl Perft for Chess {
    const NAME: &'static str = "chess";

    fn start() -> Chess {
        Chess(Board::startpos())
    }

    fn make_all(&self, depth: u32) -> u64 {
        if depth == 0 { 1 } else { make_all(&self.0, depth) }
    }

    fn bulk(&self, depth: u32) -> u64 {
        if depth == 0 { 1 } else { bulk(&self.0, depth) }
    }
}

impl Playouts for Chess {
    fn playouts(count: u64, seed: u64) -> u64 {
        playouts(count, seed)
    }
}

dispatched! {
    fn make_all(board: &Board, depth: u32) -> u64, recursing as again {
        let mut leaves = 0;
        board.generate_moves(|moves| {
            for played in moves {
                let mut child = board.clone();
                child.play_unchecked(played);
                leaves += if depth == 1 { leaf(&child) } else { again(&child, depth - 1) };
            }
            false
        });
        leaves
    }
}

dispatched! {
    fn bulk(board: &Board, depth: u32) -> u64, recursing as again {
        let mut leaves = 0;
        board.generate_moves(|moves| {
            if depth == 1 {
                leaves += moves.len() as u64;
            } else {
                for played in moves {
                    let mut child = board.clone();
                    child.play_unchecked(played);
                    leaves += again(&child, depth - 1);
                }
            }
            false
        });
        leaves
    }
}

/// No position has more legal moves.
const MOVES_MAX: usize = 218;

dispatched! {
    fn playouts(count: u64, seed: u64) -> u64, recursing as again {
        let mut random = Random::new(seed);
        let mut plies = 0;
        for _ in 0..count {
            let mut board = Board::startpos();
            // The fifty-move rule ends every game; bare kings stop at once.
            while board.halfmove_clock() < 100 && board.occupied().len() > 2 {
                let Some(chosen) = random_move(&board, &mut random) else { break };
                board.play_unchecked(chosen);
                plies += 1;
            }
            leaf(&board);
        }
        plies
    }
}

/// One of the legal moves, if there are any. Moves are counted by piece first, so that only the chosen one is
/// ever written down.
#[inline(always)]
fn random_move(board: &Board, random: &mut Random) -> Option<Move> {
    let mut groups = [None; 20];
    let (mut used, mut total) = (0, 0);
    board.generate_moves(|moves| {
        if used < groups.len() {
            groups[used] = Some(moves);
        }
        used += 1;
        total += moves.len();
        false
    });
    debug_assert!(total <= MOVES_MAX && used <= groups.len());
    if total == 0 {
        return None;
    }
    let mut index = random.below(total as u32) as usize;
    for moves in groups.into_iter().flatten() {
        if index >= moves.len() {
            index -= moves.len();
        } else if moves.piece == Piece::Pawn {
            return moves.into_iter().nth(index);
        } else {
            let mut targets = moves.to.0;
            for _ in 0..index {
                targets &= targets - 1;
            }
            let to = cozy_chess::Square::index(targets.trailing_zeros() as usize);
            return Some(Move { from: moves.from, to, promotion: None });
        }
    }
    None
}
