//! Random games, and what is noted of their positions.

use game::{Colour, Game, MoveList, MoveView, Position, RuleFault, Stage};

/// Games that are played, plies that one of them lasts, and moves that are generated, all at most.
const GAMES: usize = 600;
const PLIES_MAX: usize = 250;
const GENERATIONS_MAX: usize = 30_000;
/// Where positions have very many moves, fewer positions must do: so many moves in all.
const MOVES_MAX: usize = 4_000_000;
/// Positions of one game say nearly the same: together they count like so many.
const POSITIONS_PER_GAME: f64 = 10.0;

/// A position of a random game with what became of it.
pub(crate) struct Sample {
    /// Fields and stored properties.
    pub(crate) values: Vec<i32>,
    /// 1 when white won the game, -1 when black did.
    pub(crate) result: f64,
    /// How much it counts.
    pub(crate) weight: f64,
}

/// What random games showed.
#[derive(Default)]
pub(crate) struct Games {
    pub(crate) samples: Vec<Sample>,
    /// By piece code: moves that begin with such a piece, and how many such pieces its owner had when to move.
    pub(crate) moves: Vec<f64>,
    pub(crate) pieces: Vec<f64>,
}

/// Plays until there is enough. A move that wins at once is always made. Which move is made depends on what it
/// changes, not on its place in the list, so that all generators play the same games.
pub(crate) fn play<G: Game>(game: &G, start: &Position, seed: u64) -> Result<Games, RuleFault> {
    let mut random = fastrand::Rng::with_seed(seed);
    let codes = game::PieceCode::COUNT_MAX;
    let mut games = Games { moves: vec![0.0; codes], pieces: vec![0.0; codes], ..Games::default() };
    let (mut moves, mut generations, mut seen) = (MoveList::new(), 0, 0);
    for _ in 0..GAMES {
        let first = games.samples.len();
        let mut position = game.pack(start);
        let mut result = None;
        for _ in 0..PLIES_MAX {
            let mover = game.mover(&position);
            generations += 1;
            if game::stopping::is_requested() {
                return Err(RuleFault::stopped());
            }
            match game.generate(&position, Stage::All, &mut moves) {
                Ok(None) => {}
                Ok(Some(outcome)) => {
                    result = Some(white_result(outcome.sign(), mover));
                    break;
                }
                // Rules that go wrong in some positions can be played in others.
                Err(fault) if generations == 1 || fault.is_stopped() => return Err(fault),
                Err(_) => break,
            }
            seen += moves.len();
            if seen > MOVES_MAX {
                break;
            }
            let plain = game.unpack(&position);
            count_moves(game, &plain, &moves, mover, &mut games);
            let key = random.u64(..);
            let wins =
                |played: &MoveView<'_>| played.head.outcome().is_some_and(|outcome| outcome.sign() > 0);
            let chosen = moves
                .iter()
                .find(wins)
                .or_else(|| moves.iter().min_by_key(|played| mix(played.head.signature_difference.0 ^ key)));
            let Some(played) = chosen else { break };
            games.samples.push(Sample { values: values(game, &plain), result: 0.0, weight: 0.0 });
            if let Some(outcome) = played.head.outcome() {
                result = Some(white_result(outcome.sign(), mover));
                break;
            }
            game.play(&mut position, played);
        }
        match result {
            Some(result) => {
                let weight = POSITIONS_PER_GAME / (games.samples.len() - first).max(1) as f64;
                for sample in &mut games.samples[first..] {
                    (sample.result, sample.weight) = (result, weight);
                }
            }
            // It is not known what became of it.
            None => games.samples.truncate(first),
        }
        if generations > GENERATIONS_MAX || seen > MOVES_MAX {
            break;
        }
    }
    Ok(games)
}

fn white_result(sign: i32, mover: Colour) -> f64 {
    f64::from(if mover == Colour::White { sign } else { -sign })
}

fn values<G: Game>(game: &G, position: &Position) -> Vec<i32> {
    (0..game.info().stored_slots()).map(|slot| position.get(slot)).collect()
}

fn count_moves<G: Game>(game: &G, position: &Position, moves: &MoveList, mover: Colour, games: &mut Games) {
    let info = game.info();
    for &code in position.fields() {
        let piece = game::PieceCode(code as u8);
        games.pieces[code as usize] += f64::from(u8::from(info.colour_of(piece) == Some(mover)));
    }
    for played in moves.iter() {
        let lead = usize::from(played.head.lead);
        if let Some(&code) = position.fields().get(lead) {
            games.moves[code as usize] += 1.0;
        }
    }
}

fn mix(bits: u64) -> u64 {
    let bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits ^ (bits >> 31)
}
