//! A player at work: an engine of ours in a session of its own, or a UCI program.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use anyhow::{Context, Result};
use game::{Colour, Game, Move, Position, fen};
use protocol::book::Book;
use protocol::{Session, coordinates};
use search::Control;

use super::pace::Pace;
use super::setting::{Kind, Setting};
use super::uci_engine::{MATE, Silence, UciEngine};

/// What a player does when it is to move.
#[derive(Debug)]
pub(super) struct Choice {
    pub(super) played: Move,
    /// What it thinks of its position; wins and losses are beyond [`MATE`] less some moves.
    pub(super) score: Option<i32>,
}

/// Why a player makes no move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Failure {
    Crash,
    Illegal(String),
    Late,
    /// Not the player's fault: the match ends.
    Stopped,
}

/// The clocks when a player is asked.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clocks {
    /// Of white and black.
    pub(super) left: [Duration; 2],
    /// Lateness that is forgiven.
    pub(super) margin: Duration,
}

/// What all games of a match share.
pub(super) struct Shared<'run> {
    pub(super) book: Option<&'run Book>,
    pub(super) seed: u64,
    /// The name of the game for UCI programs.
    pub(super) variant: &'run str,
    /// What stops the engines of ours that run at present.
    pub(super) controls: &'run Mutex<Vec<Arc<Control>>>,
    pub(super) stopped: &'run (dyn Fn() -> bool + Sync),
}

enum Mind<'game, G: Game> {
    Own(Box<Session<'game, G>>),
    /// Nothing when the program has to be started anew.
    Uci(Option<UciEngine>),
}

/// One of the two.
pub(super) struct Player<'game, 'run, G: Game> {
    setting: &'run Setting,
    shared: &'run Shared<'run>,
    mind: Mind<'game, G>,
    pace: Pace,
    book_seed: u64,
}

impl<'game, 'run, G: Game> Player<'game, 'run, G> {
    pub(super) fn new(
        game: &'game G,
        start: Position,
        setting: &'run Setting,
        usual: Pace,
        shared: &'run Shared<'run>,
    ) -> Result<Player<'game, 'run, G>> {
        let mind = match &setting.kind {
            Kind::Own(options) => {
                let session = Session::new(game, start, options.as_ref().clone())?;
                session.warm_up()?;
                if let Ok(mut controls) = shared.controls.lock() {
                    controls.push(session.control().clone());
                }
                Mind::Own(Box::new(session))
            }
            Kind::Uci { .. } => Mind::Uci(Some(begin(setting, shared)?)),
        };
        Ok(Player { setting, shared, mind, pace: setting.pace.or(usual), book_seed: 0 })
    }

    pub(super) fn pace(&self) -> Pace {
        self.pace
    }

    /// Makes ready for a game. Memories are emptied, so that a game does not depend on those before it.
    pub(super) fn new_game(&mut self, start: &Position, pair: u64) -> Result<()> {
        self.book_seed = self.shared.seed.wrapping_add(pair);
        match &mut self.mind {
            Mind::Own(session) => {
                session.begin(start.clone())?;
                session.clear_memory();
                let mut options = session.options().clone();
                options.settings.seed = self.shared.seed.wrapping_add(pair);
                session.set_options(options);
            }
            Mind::Uci(engine) => {
                let ready = engine.as_mut().is_some_and(|engine| engine.new_game().is_ok());
                if !ready {
                    // It crashed or hangs: another one takes its place.
                    *engine = None;
                    let mut fresh = begin(self.setting, self.shared)?;
                    let ready = fresh.new_game();
                    ready.map_err(|_| anyhow::anyhow!("`{}` does not get ready", self.setting.name))?;
                    *engine = Some(fresh);
                }
            }
        }
        Ok(())
    }

    /// Hears of a move that was made.
    pub(super) fn hear(&mut self, played: &Move) -> Result<()> {
        if let Mind::Own(session) = &mut self.mind {
            session.play(played)?;
        }
        Ok(())
    }

    /// Chooses a move. `names` are the moves so far as programs exchange them.
    pub(super) fn choose(
        &mut self,
        referee: &Session<'game, G>,
        names: &[String],
        clocks: Clocks,
    ) -> Result<Result<Choice, Failure>> {
        let mover = referee.position().mover();
        match &mut self.mind {
            Mind::Own(session) => {
                let known = self.shared.book.and_then(|book| book.choose(session.record(), self.book_seed));
                if let Some(played) = known {
                    return Ok(Ok(Choice { played, score: None }));
                }
                let limits = self.pace.limits(clocks.left[mover.index()]);
                let task = session.task(limits, Vec::new())?;
                if (self.shared.stopped)() {
                    return Ok(Err(Failure::Stopped));
                }
                let result = catch_unwind(AssertUnwindSafe(|| task.run(&mut |_, _| {})));
                if (self.shared.stopped)() {
                    return Ok(Err(Failure::Stopped));
                }
                let Ok(thought) = result else { return Ok(Err(Failure::Crash)) };
                let report = thought?.report;
                let score = match report.score.distance() {
                    Some(plies) if plies > 0 => MATE - plies,
                    Some(plies) => -MATE - plies,
                    None => report.score.value().clamp(-MATE / 2, MATE / 2),
                };
                Ok(match report.best {
                    Some(played) => Ok(Choice { played, score: Some(score) }),
                    None => Err(Failure::Illegal("(none)".to_owned())),
                })
            }
            Mind::Uci(engine) => {
                let Some(program) = engine.as_mut() else { return Ok(Err(Failure::Crash)) };
                let answer = program.go(
                    &position_line(referee, names),
                    &self.pace.go(clocks.left),
                    patience(self.pace, mover, clocks),
                    &|| (self.shared.stopped)(),
                );
                let failure = match answer {
                    Ok(answer) => {
                        let legal = referee.record().legal();
                        let index =
                            coordinates::find(referee.info(), &referee.position(), legal, &answer.best);
                        return Ok(match index {
                            Ok(index) => {
                                Ok(Choice { played: legal.get(index).to_move(), score: answer.score })
                            }
                            Err(_) => Err(Failure::Illegal(answer.best.chars().take(20).collect())),
                        });
                    }
                    Err(Silence::Gone) => Failure::Crash,
                    Err(Silence::Late) => Failure::Late,
                    Err(Silence::Stopped) => Failure::Stopped,
                };
                // Whatever it is doing, it shall not go on with it.
                *engine = None;
                Ok(Err(failure))
            }
        }
    }
}

fn begin(setting: &Setting, shared: &Shared<'_>) -> Result<UciEngine> {
    let Kind::Uci { program, arguments, options } = &setting.kind else {
        anyhow::bail!("only programs are started");
    };
    let mut engine = UciEngine::start(program, arguments, options)?;
    engine.set_variant(shared.variant).with_context(|| format!("`{program}`"))?;
    Ok(engine)
}

/// How long to wait for a program: a while beyond its time, so that it can lose on time and not merely be cut off.
fn patience(pace: Pace, mover: Colour, clocks: Clocks) -> Option<Duration> {
    let time = pace.move_time.or_else(|| pace.clock.map(|_| clocks.left[mover.index()]))?;
    Some(time + clocks.margin + Duration::from_secs(2))
}

fn position_line<G: Game>(referee: &Session<'_, G>, names: &[String]) -> String {
    let (info, start) = (referee.info(), referee.record().start());
    let start = match info.start.as_ref() == Some(start) {
        true => "startpos".to_owned(),
        false => format!("fen {}", fen::write(info, start)),
    };
    match names {
        [] => format!("position {start}"),
        names => format!("position {start} moves {}", names.join(" ")),
    }
}
