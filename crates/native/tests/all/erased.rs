//! A game whose type is hidden is the same game.

use game::perft::{Tally, count};
use game::{Erased, Game, MoveList, Stage};
use native::{NativeChess, NativeOthello};

/// Positions, moves, values and bytes along a game, move by move.
fn compare<G: Game>(game: &G, plies: usize) {
    let hidden = Erased::new(game);
    let start = game.info().start.clone().expect("it has a start");
    let (mut plain, mut erased) = (game.pack(&start), hidden.pack(&start));
    let (mut moves, mut others) = (MoveList::default(), MoveList::default());
    for ply in 0..plies {
        let ended = game.generate(&plain, Stage::All, &mut moves).expect("rules without faults");
        assert_eq!(hidden.generate(&erased, Stage::All, &mut others).expect("the same"), ended);
        assert_eq!(moves.len(), others.len());
        if ended.is_some() {
            break;
        }
        let played = moves.get(ply * 7 % moves.len()).to_move();
        game.play(&mut plain, played.view());
        let before = erased.clone();
        hidden.play(&mut erased, played.view());
        let mut back = erased.clone();
        hidden.take_back(&mut back, played.view());
        assert_eq!(hidden.unpack(&back), hidden.unpack(&before));
        assert_eq!(hidden.unpack(&erased), game.unpack(&plain));
        assert_eq!(hidden.signature(&erased), game.signature(&plain));
        assert_eq!(hidden.evaluate(&erased).expect("the same"), game.evaluate(&plain).expect("a value"));
        let (mut bytes, mut other) = (Vec::new(), Vec::new());
        game.write(&plain, &mut bytes);
        hidden.write(&erased, &mut other);
        assert_eq!(bytes, other);
        back.clone_from(&hidden.read(&other).expect("it was just written"));
        assert_eq!(hidden.signature(&back), game.signature(&plain));
    }
}

#[test]
fn a_hidden_game_is_the_same_game() {
    compare(&NativeChess::new(), 80);
    compare(&NativeOthello::new(), 70);
}

#[test]
fn a_hidden_game_has_the_same_lines_of_play() {
    let chess = NativeChess::new();
    let hidden = Erased::new(&chess);
    let start = hidden.pack(chess.info().start.as_ref().expect("it has a start"));
    let mut tally = Tally::new(false, &|| false);
    count(&hidden, &start, 4, &mut tally).expect("rules without faults");
    assert_eq!(tally.leaves, 197_281);
}
