//! Where the games of a match begin: each opening is played twice, with colours swapped.

use anyhow::{Context, Result, bail};
use game::record::{Record, Standing};
use game::{Game, Move, Position};
use protocol::{chance, pgn, problems};

/// A start and the moves that are played before the players are asked.
#[derive(Clone, Debug)]
pub(super) struct Opening {
    pub(super) start: Position,
    pub(super) moves: Vec<Move>,
}

/// Where games begin.
pub(crate) enum Openings {
    /// Positions of a file, one after the other.
    Listed(Vec<Listed>),
    /// So many moves by chance, others for each pair of games.
    Random { start: Position, plies: u32, seed: u64 },
}

/// An opening of a file.
pub(crate) struct Listed(Opening);

/// So many attempts are made to find random moves that do not end the game.
const ATTEMPTS: u64 = 100;

impl Openings {
    /// Reads positions (FEN or EPD, one a line) or games (PGN, at most so many plies of each).
    pub(crate) fn read<G: Game>(game: &G, text: &str, plies: usize) -> Result<Openings> {
        let mut listed = Vec::new();
        if pgn::is_meant(text) {
            for (index, one) in pgn::read(text).iter().filter(|one| !one.moves.is_empty()).enumerate() {
                let record = one.replay(game).with_context(|| format!("game {}", index + 1))?;
                let moves = record.moves().iter().take(plies).cloned().collect();
                listed.push(Listed(Opening { start: record.start().clone(), moves }));
            }
        } else {
            for problem in problems::read(game.info(), text)? {
                let start = game.admit(problem.position).with_context(|| format!("line {}", problem.line))?;
                listed.push(Listed(Opening { start, moves: Vec::new() }));
            }
        }
        for (index, Listed(opening)) in listed.iter().enumerate() {
            let record = replay(game, opening)?;
            if record.standing() != Standing::Open {
                bail!("opening {} is over before it begins", index + 1);
            }
        }
        match listed.is_empty() {
            true => bail!("there is no opening in it"),
            false => Ok(Openings::Listed(listed)),
        }
    }

    /// The opening of a pair of games.
    pub(super) fn of_pair<G: Game>(&self, game: &G, pair: u64) -> Result<Opening> {
        match self {
            Openings::Listed(listed) => Ok(listed[(pair % listed.len() as u64) as usize].0.clone()),
            Openings::Random { start, plies, seed } => {
                for attempt in 0..ATTEMPTS {
                    let seed = chance::mix(seed.wrapping_add(pair)).wrapping_add(attempt);
                    if let Some(moves) = random_moves(game, start, *plies, seed)? {
                        return Ok(Opening { start: start.clone(), moves });
                    }
                }
                bail!("{plies} random moves end the game too often: take fewer")
            }
        }
    }
}

fn replay<'game, G: Game>(game: &'game G, opening: &Opening) -> Result<Record<'game, G>> {
    let mut record = Record::new(game, opening.start.clone())?;
    for played in &opening.moves {
        record.play(played)?;
    }
    Ok(record)
}

/// So many moves by chance; nothing if the game ends by them.
pub(crate) fn random_moves<G: Game>(
    game: &G,
    start: &Position,
    plies: u32,
    seed: u64,
) -> Result<Option<Vec<Move>>> {
    let mut record = Record::new(game, start.clone())?;
    let mut random = seed;
    for _ in 0..plies {
        if record.standing() != Standing::Open {
            return Ok(None);
        }
        random = chance::next(random);
        let played = record.legal().get(chance::choose(record.legal(), random)).to_move();
        record.play(&played)?;
    }
    Ok((record.standing() == Standing::Open).then(|| record.moves().to_vec()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openings_come_from_files_or_by_chance() {
        let game = native::NativeChess::new();
        let listed = Openings::read(
            &game,
            "8/8/8/8/8/k7/8/K6R w - - bm Rh3+; id \"v1.0\";\n8/8/8/8/8/k7/8/K6R w - - 0 1\n",
            8,
        )
        .unwrap();
        assert!(matches!(&listed, Openings::Listed(list) if list.len() == 2));
        let listed = Openings::read(&game, "[Event \"x\"]\n\n1. e4 e5 2. Nf3 *\n", 2).unwrap();
        assert_eq!(listed.of_pair(&game, 7).unwrap().moves.len(), 2);
        let start = game.info().start.clone().unwrap();
        let random = Openings::Random { start, plies: 6, seed: 4 };
        let moves = |pair| format!("{:?}", random.of_pair(&game, pair).unwrap().moves);
        assert_eq!(moves(3), moves(3));
        assert_ne!(moves(3), moves(4));
        for text in ["", "# nothing", "8/8 w", "1. e5 *", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"] {
            assert!(Openings::read(&game, text, 8).is_err(), "{text}");
        }
    }
}
