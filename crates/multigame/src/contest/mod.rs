//! Games between two players: settings of our engines, or UCI programs. Start with [`Contest::run`]. It stays here
//! until there is a room for experiments.
//!
//! ```text
//! workers (one thread each) ── take the next game, play it with players of their own ──► channel
//! Contest::run ◄── results; counted in the order of the games, so that threads do not matter
//! ```

mod openings;
pub(crate) mod pace;
mod player;
pub(crate) mod rating;
pub(crate) mod setting;
mod table;
pub(crate) mod uci_engine;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use anyhow::Result;
use game::{Colour, Game, Position};
use protocol::book::Book;
use protocol::{EngineOptions, Session};
use search::Control;

use crate::interrupt;
use pace::Pace;
use player::{Player, Shared};
use setting::Setting;
use table::Rules;

pub(crate) use openings::{Openings, random_moves};
pub(crate) use table::{Adjudication, Fault, Played};

/// How often to ask whether to stop.
const INTERVAL: Duration = Duration::from_millis(50);

/// What is to be played.
pub(crate) struct Contest<'run> {
    pub(crate) players: [Setting; 2],
    pub(crate) pace: Pace,
    pub(crate) games: u64,
    pub(crate) concurrency: usize,
    pub(crate) openings: Openings,
    pub(crate) adjudication: Adjudication,
    pub(crate) margin: Duration,
    pub(crate) seed: u64,
    pub(crate) book: Option<&'run Book>,
    /// What UCI programs call the game.
    pub(crate) variant: &'run str,
}

/// The colour that the first player has in a game.
pub(crate) fn colour_of_first(number: u64) -> Colour {
    if number.is_multiple_of(2) { Colour::White } else { Colour::Black }
}

/// A game's number, and what came of it; nothing if it was stopped.
type Outcome = (u64, Result<Option<Played>>);

impl Contest<'_> {
    /// Plays; each player has its own view of the game. `heard` is told of every game, in order; it says whether to
    /// go on.
    pub(crate) fn run<G: Game>(
        &self,
        games: [&G; 2],
        start: &Position,
        heard: &mut dyn FnMut(u64, &Played) -> Result<bool>,
    ) -> Result<()> {
        let (next, stop) = (AtomicU64::new(0), AtomicBool::new(false));
        let controls: Mutex<Vec<Arc<Control>>> = Mutex::default();
        // Nothing is published through the flag, so relaxed order suffices.
        let stopped = || stop.load(Ordering::Relaxed);
        let shared = Shared {
            book: self.book,
            seed: self.seed,
            variant: self.variant,
            controls: &controls,
            stopped: &stopped,
        };
        std::thread::scope(|scope| {
            let (sender, results) = channel();
            for _ in 0..self.concurrency.clamp(1, self.games.max(1) as usize) {
                let (sender, shared, next) = (sender.clone(), &shared, &next);
                let work = move || self.work(games, start, shared, next, &sender);
                std::thread::Builder::new().stack_size(search::STACK_BYTES).spawn_scoped(scope, work)?;
            }
            drop(sender);
            let mut waiting = BTreeMap::new();
            let (mut expected, mut verdict) = (0, Ok(()));
            loop {
                if interrupt::requested() {
                    stop.store(true, Ordering::Relaxed);
                }
                if stopped() {
                    // Again and again: a search that just begins has made its control ready anew.
                    controls.lock().iter().flat_map(|list| list.iter()).for_each(|control| control.stop());
                }
                match results.recv_timeout(INTERVAL) {
                    Ok((number, Ok(Some(played)))) => {
                        waiting.insert(number, played);
                    }
                    Ok((_, Ok(None))) => {}
                    Ok((_, Err(error))) => {
                        stop.store(true, Ordering::Relaxed);
                        verdict = verdict.and(Err(error));
                    }
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => break,
                }
                while let Some(played) = waiting.remove(&expected).filter(|_| verdict.is_ok()) {
                    match heard(expected, &played) {
                        Ok(true) => {}
                        Ok(false) => {
                            stop.store(true, Ordering::Relaxed);
                            waiting.clear();
                            expected = u64::MAX - 1;
                        }
                        Err(error) => {
                            stop.store(true, Ordering::Relaxed);
                            verdict = Err(error);
                        }
                    }
                    expected += 1;
                }
            }
            // Games that were played behind one that was stopped count too.
            if expected < u64::MAX - 1 && verdict.is_ok() {
                for (number, played) in waiting {
                    if !heard(number, &played)? {
                        break;
                    }
                }
            }
            verdict
        })
    }

    /// Plays game after game until there is none left.
    fn work<G: Game>(
        &self,
        games: [&G; 2],
        start: &Position,
        shared: &Shared<'_>,
        next: &AtomicU64,
        results: &Sender<Outcome>,
    ) {
        let mut seats = None;
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= self.games || (shared.stopped)() {
                return;
            }
            let result = self.one_game(games, start, shared, number, &mut seats);
            let failed = result.is_err();
            if results.send((number, result)).is_err() || failed {
                return;
            }
        }
    }

    fn one_game<'game, 'contest, G: Game>(
        &'contest self,
        games: [&'game G; 2],
        start: &Position,
        shared: &'contest Shared<'contest>,
        number: u64,
        seats: &mut Option<Seats<'game, 'contest, G>>,
    ) -> Result<Option<Played>> {
        if seats.is_none() {
            let options = EngineOptions { hash_mib: 1, ..EngineOptions::default() };
            let player = |index: usize| {
                Player::new(games[index], start.clone(), &self.players[index], self.pace, shared)
            };
            *seats = Some(Seats {
                referee: Session::new(games[0], start.clone(), options)?,
                first: player(0)?,
                second: player(1)?,
            });
        }
        let Some(Seats { referee, first, second }) = seats else { return Ok(None) };
        let pair = number / 2;
        let opening = self.openings.of_pair(games[0], pair)?;
        referee.begin(opening.start.clone())?;
        first.new_game(&opening.start, pair)?;
        second.new_game(&opening.start, pair)?;
        let [one, other] = [self.players[0].name.as_str(), self.players[1].name.as_str()];
        let (players, names) = match colour_of_first(number) {
            Colour::White => ([first, second], [one, other]),
            Colour::Black => ([second, first], [other, one]),
        };
        let rules = Rules { adjudication: self.adjudication, margin: self.margin, names, number };
        table::play(referee, players, &opening, &rules)
    }
}

/// A worker's own players.
struct Seats<'game, 'contest, G: Game> {
    referee: Session<'game, G>,
    first: Player<'game, 'contest, G>,
    second: Player<'game, 'contest, G>,
}
