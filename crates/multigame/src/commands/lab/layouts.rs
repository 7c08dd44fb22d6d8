//! Opens a puzzle for an experiment: its moves, its lower bounds, and what is to be solved.

use anyhow::{Context, Result, bail};
use game::motion::{Motion, State};
use game::{Game, GameInfo, Position};
use lab::puzzles::Puzzles;
use parallel::tds::Carrying;
use search::one_player::PieceByPiece;

use super::super::instances::{Instance, instances};
use super::Experiment;
use crate::databases::{self, Tables};
use crate::generator::Work;
use crate::{Exit, library};

/// Random moves from the solved position, where no suite says what to solve.
const SCRAMBLE: usize = 1000;

/// Puzzles whose bounds are looked up in pattern databases; the others' are distances of single pieces.
pub(super) const MEMORY: u64 = 2 << 30;

/// What is to be solved.
pub(super) struct Wanted<'run> {
    /// The suite of positions; without it, the start of the game, or positions that are drawn where that is solved.
    pub(super) suite: Option<&'run str>,
    /// Only so many of them.
    pub(super) first: Option<usize>,
    /// Only this one, from 1.
    pub(super) only: Option<usize>,
    /// Positions are drawn with this seed.
    pub(super) seed: u64,
}

impl Wanted<'_> {
    pub(super) fn states<G: Game>(&self, game: &G, motion: &Motion, start: &Position) -> Result<Vec<State>> {
        let state = |position: &Position| {
            motion.state(position).filter(|state| motion.invariants.allow(motion, state))
        };
        if let Some(file) = self.suite {
            return self.of_suite(game, motion, start, file);
        }
        if let Some(given) = state(start).filter(|given| *given != motion.goal) {
            return Ok(vec![given]);
        }
        let mut random = fastrand::Rng::with_seed(self.seed);
        let scramble = |_| {
            (0..SCRAMBLE).fold(motion.goal.clone(), |state, _| {
                let operators = &motion.modes[usize::from(state.mode)];
                motion.after(&state, &operators[random.usize(..operators.len())])
            })
        };
        Ok((0..self.first.unwrap_or(1)).map(scramble).collect())
    }

    /// Those of a file, which `solve --suite` reads as well.
    fn of_suite<G: Game>(
        &self,
        game: &G,
        motion: &Motion,
        start: &Position,
        file: &str,
    ) -> Result<Vec<State>> {
        let (begin, count) =
            self.only.map_or((0, self.first.unwrap_or(usize::MAX)), |only| (only.max(1) - 1, 1));
        let text = library::suite(file)?;
        let instances = instances(game, start.clone(), motion, (file, &text), &|place| {
            place >= begin && place - begin < count
        })?;
        let can_be_solved = |instance: Instance| {
            let is_sound = motion.invariants.allow(motion, &instance.state);
            is_sound
                .then_some(instance.state)
                .with_context(|| format!("`{file}`: {} cannot be solved", instance.name))
        };
        let states: Vec<State> = instances.into_iter().map(can_be_solved).collect::<Result<_>>()?;
        if states.is_empty() {
            bail!("`{file}` has no position {}", begin + 1);
        }
        Ok(states)
    }
}

/// The moves of a puzzle that several processors can share.
pub(super) fn motion<G: Game>(game: &G) -> Result<Motion> {
    let Some(motion) = Motion::of(game).filter(Carrying::<PieceByPiece>::fits) else {
        let name = &game.info().name;
        bail!("the moves of `{name}` do not just carry pieces: several processors cannot share it");
    };
    Ok(motion)
}

/// The databases that bounds of a puzzle are looked up in, where distances of single pieces would say too little or are
/// not wanted.
pub(super) fn tables(
    info: &GameInfo,
    motion: &Motion,
    patterns: bool,
    threads: Option<u32>,
) -> Result<Option<Tables>> {
    if motion.carries_one() && !patterns {
        return Ok(None);
    }
    let found = databases::bounds(&info.name, motion, MEMORY, Some(databases::threads(threads)))?;
    Ok(found.map(|(tables, _)| tables))
}

/// A puzzle that is opened for an experiment.
pub(super) struct Opened<'run> {
    pub(super) wanted: Wanted<'run>,
    pub(super) experiment: &'run mut Experiment<'run>,
}

impl Work for Opened<'_> {
    type Result = Exit;

    fn run<G: Game>(self, game: &G, start: Position) -> Result<Exit> {
        let info = game.info();
        if info.players != 1 {
            bail!("`{}` is no puzzle: tds and stealing are for games of one player", info.name);
        }
        let motion = &motion(game)?;
        let (name, states) = (info.name.as_str(), self.wanted.states(game, motion, &start)?);
        match tables(info, motion, false, None)? {
            Some(Tables::Patterns(bounds)) => {
                (self.experiment)(&Puzzles { name, motion, bounds: &bounds, states })
            }
            Some(Tables::Cosets(bounds)) => {
                (self.experiment)(&Puzzles { name, motion, bounds: &bounds, states })
            }
            None => {
                let bounds = PieceByPiece::new(motion);
                (self.experiment)(&Puzzles { name, motion, bounds: &bounds, states })
            }
        }
    }
}
