//! One game between engines that think a little, and the positions that can be learned from.

use anyhow::{Result, bail};
use game::record::Standing;
use game::{Colour, Game, GameInfo, Position, Symmetry};
use network::Inputs;
use network::samples::{CERTAIN, Ended, Sample};
use protocol::{EngineOptions, Session, chance};
use search::{Limits, Score};

use crate::contest::random_moves;

/// A game as long as this is drawn.
const PLIES_MAX: usize = 400;
/// So many attempts are made to find random moves that do not end the game.
const ATTEMPTS: u64 = 100;

/// How games are played.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Manner {
    pub(crate) nodes: u64,
    pub(crate) random_plies: u32,
    pub(crate) seed: u64,
}

/// A game that was played.
pub(crate) struct Played {
    pub(crate) winner: Option<Colour>,
    /// Its positions that can be learned from, if they were asked for.
    pub(crate) seen: Vec<Seen>,
}

/// An engine for such games.
pub(super) fn engine<'game, G: Game>(game: &'game G, start: &Position) -> Result<Session<'game, G>> {
    let options = EngineOptions { hash_mib: 1, ..EngineOptions::default() };
    let session = Session::new(game, start.clone(), options)?;
    session.warm_up()?;
    Ok(session)
}

/// A position of a game and what the search said of it.
pub(crate) struct Seen {
    pub(crate) position: Position,
    /// As files have it.
    pub(crate) score: i16,
}

impl Played {
    /// How it ended for a player.
    pub(crate) fn ended(&self, viewer: Colour) -> Ended {
        match self.winner {
            None => Ended::Draw,
            Some(winner) if winner == viewer => Ended::Win,
            Some(_) => Ended::Loss,
        }
    }

    /// Its positions for networks, each with an image by one of the symmetries; `number` is that of the game, and
    /// `plain` says what the plain evaluation makes of a position.
    pub(super) fn samples(
        &self,
        info: &GameInfo,
        inputs: &Inputs,
        symmetries: &[Symmetry],
        number: u64,
        plain: &dyn Fn(&Position) -> i32,
    ) -> Vec<Sample> {
        let sample = |position: &Position, score| Sample {
            steps: inputs.position(position),
            mover: position.mover(),
            result: self.ended(position.mover()),
            score,
            plain: plain(position),
        };
        let image = |seen: &Seen| {
            let random = chance::mix(seen.position.signature().0 ^ number) as usize;
            let symmetry = symmetries.get(random % symmetries.len().max(1))?;
            Some(sample(&symmetry.position(info, &seen.position), seen.score))
        };
        let both = |seen: &Seen| [Some(sample(&seen.position, seen.score)), image(seen)];
        self.seen.iter().flat_map(both).flatten().collect()
    }
}

/// Plays a game that begins with the random moves of this number; white and black may be the same engine (`None`).
/// Positions are kept if that is asked for.
pub(super) fn play<'game, G: Game>(
    white: &mut Session<'game, G>,
    mut black: Option<&mut Session<'game, G>>,
    start: &Position,
    manner: Manner,
    number: u64,
    keeps: bool,
) -> Result<Played> {
    let game = white.game();
    for session in [Some(&mut *white), black.as_deref_mut()].into_iter().flatten() {
        session.begin(start.clone())?;
        session.clear_memory();
    }
    for played in opening(game, start, manner, number)? {
        white.play(&played)?;
        if let Some(black) = &mut black {
            black.play(&played)?;
        }
    }
    let mut seen = Vec::new();
    let winner = loop {
        if let Standing::Finished(outcome, viewer) = white.record().standing() {
            break outcome.winner(viewer);
        }
        if white.record().moves().len() >= PLIES_MAX {
            break None;
        }
        let mover = white.game().mover(white.record().position());
        let thinker = match (&black, mover) {
            (Some(black), Colour::Black) => &**black,
            _ => &*white,
        };
        let report = thinker.task(Limits::to_nodes(manner.nodes), Vec::new())?.run(&mut |_, _| {})?.report;
        let Some(best) = report.best else { bail!("the search found no move") };
        if keeps && is_quiet(white, best.view().head.forcing()) && !is_threatened(white) {
            seen.push(Seen { position: white.position(), score: told(report.score) });
        }
        if report.score.is_decided() {
            let won = report.score.value() > 0;
            break Some(if won { mover } else { mover.opponent() });
        }
        white.play(&best)?;
        if let Some(black) = &mut black {
            black.play(&best)?;
        }
    };
    Ok(Played { winner, seen })
}

/// Whether a position can be judged as it stands: the best move is no capture, or captures are what the game consists
/// of.
fn is_quiet<G: Game>(session: &Session<'_, G>, forcing: bool) -> bool {
    let is_common = || {
        let legal = session.record().legal();
        2 * legal.iter().filter(|legal| legal.head.forcing()).count() > legal.len()
    };
    !forcing || is_common()
}

/// Whether the mover is in check: searches do not believe estimates there.
fn is_threatened<G: Game>(session: &Session<'_, G>) -> bool {
    let game = session.game();
    game.is_threatened(&game.pack(&session.position())) == Some(true)
}

/// A score as files have it.
fn told(score: Score) -> i16 {
    match score.is_decided() {
        true if score.value() > 0 => CERTAIN,
        true => -CERTAIN,
        false => score.value().clamp(1 - i32::from(CERTAIN), i32::from(CERTAIN) - 1) as i16,
    }
}

/// The random moves of a game.
pub(super) fn opening<G: Game>(
    game: &G,
    start: &Position,
    manner: Manner,
    number: u64,
) -> Result<Vec<game::Move>> {
    for attempt in 0..ATTEMPTS {
        let seed = chance::mix(chance::mix(manner.seed.wrapping_add(number)).wrapping_add(attempt));
        // At least half of them, or many games would be the same.
        let fewest = manner.random_plies / 2;
        let plies = fewest + (chance::next(seed) % u64::from(manner.random_plies - fewest + 1)) as u32;
        if let Some(moves) = random_moves(game, start, plies, seed)? {
            return Ok(moves);
        }
    }
    bail!("random moves end the game too often: take fewer (--random-plies)")
}
