//! Whether rules are those that a book was made for. Not the text is compared but how it behaves near the start, so
//! that comments may change and a hand-written game may use the book of compiled rules.

use game::{Game, MoveList, RuleFault, Stage};

use crate::chance::mix;

/// The replies to so many first moves are looked at.
const FIRST_MOVES: usize = 8;

/// A number that differs for games that differ in board, start or first moves.
///
/// # Errors
/// When the rules go wrong.
pub fn fingerprint<G: Game>(game: &G) -> Result<u64, RuleFault> {
    let info = game.info();
    let board = (info.geometry.columns() as u64) << 32 | info.geometry.rows() as u64;
    let Some(start) = &info.start else { return Ok(mix(board)) };
    let mut position = game.pack(start);
    let (mut moves, mut replies) = (MoveList::new(), MoveList::new());
    let mut sum = mix(mix(board) ^ game.signature(&position).0);
    game.generate(&position, Stage::All, &mut moves)?;
    // Generators find moves in any order.
    let mut order: Vec<usize> = (0..moves.len()).collect();
    order.sort_by_key(|&index| moves.get(index).head.signature_difference.0);
    for (rank, &index) in order.iter().enumerate() {
        let played = moves.get(index);
        sum = mix(sum ^ played.head.signature_difference.0);
        if rank < FIRST_MOVES && played.head.outcome().is_none() {
            game.play(&mut position, played);
            game.generate(&position, Stage::All, &mut replies)?;
            game.take_back(&mut position, played);
            let mut differences: Vec<u64> =
                replies.iter().map(|reply| reply.head.signature_difference.0).collect();
            differences.sort_unstable();
            sum = differences.into_iter().fold(sum, |sum, difference| mix(sum ^ difference));
        }
    }
    Ok(sum)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::interpreted;

    #[test]
    fn generators_agree_and_games_differ() {
        let chess = fingerprint(&interpreted!("chess")).unwrap();
        assert_eq!(chess, fingerprint(&native::NativeChess::new()).unwrap());
        assert_ne!(chess, fingerprint(&interpreted!("antichess")).unwrap());
        assert_ne!(chess, fingerprint(&interpreted!("othello")).unwrap());
    }
}
