//! What must hold in every position of every game in `games/`, tried on random games. Names of moves are tried in
//! `protocol`, which knows all forms.

use crate::support::{game, game_names};
use game::notation::long_form;
use game::{Game, GameInfo, MoveList, Position, Stage, fen, text};
use rules::Interpreter;

/// Random games for each game of the library; `MULTIGAME_RANDOM_GAMES` sets another number.
const GAMES: u64 = 2;
const PLIES_MAX: usize = 40;

/// Plays random games from every setup and hands each position with its legal moves to a check.
fn for_random_positions(check: impl Fn(&Interpreter, &Position, &MoveList)) {
    let games =
        std::env::var("MULTIGAME_RANDOM_GAMES").ok().and_then(|text| text.parse().ok()).unwrap_or(GAMES);
    for name in game_names() {
        let game = game(&name);
        for seed in 0..games {
            let mut random = fastrand::Rng::with_seed(seed);
            let setups = &game.program().setups;
            let mut position = setups[seed as usize % setups.len()].1.clone();
            let mut moves = MoveList::new();
            for ply in 0..PLIES_MAX {
                let outcome = game
                    .generate(&position, Stage::All, &mut moves)
                    .unwrap_or_else(|fault| panic!("{name}, seed {seed}, ply {ply}: {fault}"));
                let context = Context { name: &name, seed, ply, info: game.info(), position: &position };
                check(&game, &position, &moves);
                if outcome.is_some() {
                    break;
                }
                drop(context);
                let played = moves.get(random.usize(..moves.len())).to_move();
                game.play(&mut position, played.view());
                if played.view().head.outcome().is_some() && game.info().players == 2 {
                    break;
                }
            }
        }
    }
}

/// Says where a check failed, if it panics.
struct Context<'run> {
    name: &'run str,
    seed: u64,
    ply: usize,
    info: &'run GameInfo,
    position: &'run Position,
}

impl Drop for Context<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let position = fen::write(self.info, self.position);
            eprintln!("in {}, seed {}, ply {}: --position '{position}'", self.name, self.seed, self.ply);
        }
    }
}

#[test]
fn taking_back_restores_everything_and_signatures_are_kept() {
    for_random_positions(|game, position, moves| {
        assert_eq!(position.signature(), position.recomputed_signature(game.info()));
        let mut after = position.clone();
        for played in moves.iter() {
            game.play(&mut after, played);
            assert_eq!(after.signature(), after.recomputed_signature(game.info()));
            game.take_back(&mut after, played);
            assert!(after == *position, "{} does not come back", long_form(game.info(), played));
        }
    });
}

#[test]
fn positions_come_back_from_their_bytes() {
    for_random_positions(|game, position, _| {
        let mut bytes = Vec::new();
        game.write(position, &mut bytes);
        assert_eq!(bytes.len(), game.position_bytes());
        assert_eq!(game.read(&bytes).as_ref(), Some(position));
    });
}

#[test]
fn no_two_moves_are_the_same() {
    for_random_positions(|game, _, moves| {
        for index in 0..moves.len() {
            let played = moves.get(index);
            let double = (0..index).any(|other| moves.get(other).same_as(played));
            assert!(!double, "{} occurs twice", long_form(game.info(), played));
        }
    });
}

#[test]
fn stages_divide_the_moves() {
    for_random_positions(|game, position, moves| {
        let (mut forcing, mut quiet) = (MoveList::new(), MoveList::new());
        game.generate(position, Stage::Forcing, &mut forcing).unwrap();
        game.generate(position, Stage::Quiet, &mut quiet).unwrap();
        assert!(forcing.iter().all(|played| played.head.forcing()));
        assert!(quiet.iter().all(|played| !played.head.forcing()));
        assert_eq!(forcing.len() + quiet.len(), moves.len());
    });
}

#[test]
fn positions_as_text_read_back() {
    for_random_positions(|game, position, _| {
        let written = text::write(game.info(), position);
        let back = text::read(game.info(), &written).unwrap_or_else(|error| panic!("{error}\n{written}"));
        assert!(back == *position, "{written}");
    });
}

/// The notation of players need not hold every property, but all that it holds comes back.
#[test]
fn positions_in_notation_read_back() {
    for_random_positions(|game, position, _| {
        let written = fen::write(game.info(), position);
        let back = text::read(game.info(), &written).unwrap_or_else(|error| panic!("{error}\n{written}"));
        assert_eq!(back.fields(), position.fields(), "{written}");
        assert_eq!(back.mover(), position.mover(), "{written}");
        assert_eq!(fen::write(game.info(), &back), written);
    });
}
