//! How games begin: as asked, from a position, or where they were left.

use game::Position;

use super::GameTable;
use crate::clock::GameClock;
use crate::host::Host;
use crate::message::{MoveChoice, Opening, Refusal, WORDS_MAX};
use crate::seat::Ending;
use crate::store::Kept;

impl<'env: 'scope, 'scope, H: Host> GameTable<'_, 'scope, 'env, H> {
    pub(super) fn begin_as_asked(&mut self) -> Result<(), Refusal> {
        let Opening { setup, position, record, .. } = self.opening.clone();
        if let Some(record) = record {
            self.moves = self.seat.replay(&record)?;
            return Ok(());
        }
        let start = self.position_for(setup.as_deref(), position.as_deref())?;
        self.seat.begin(start)?;
        Ok(())
    }

    pub(super) fn position_for(
        &self,
        setup: Option<&str>,
        position: Option<&str>,
    ) -> Result<Position, Refusal> {
        match (setup, position) {
            (_, Some(text)) if text.len() > WORDS_MAX => {
                Err(Refusal::no("this is too long to be a position"))
            }
            (_, Some(text)) => Ok(self.seat.read_position(text)?),
            (Some(wanted), None) if !wanted.is_empty() => {
                let checked =
                    self.hall.host.check(&self.rules).map_err(|_| Refusal::no("the rules are wrong"))?;
                let found = checked.setups.into_iter().find(|(name, _)| name == wanted);
                found
                    .map(|(_, start)| start)
                    .ok_or_else(|| Refusal::no(format!("there is no setup `{wanted}`")))
            }
            _ => Ok(self.start.clone()),
        }
    }

    pub(super) fn take_up(&mut self, kept: Kept) -> Result<(), Refusal> {
        let start = self.seat.read_position(&kept.start)?;
        self.seat.begin(start)?;
        for name in kept.moves {
            let index = self.seat.find(&MoveChoice::Name(name))?;
            self.moves.push(self.seat.play(index)?);
        }
        self.players = kept.players;
        self.clock = kept.clock.map(|setting| GameClock::resumed(setting, kept.remaining));
        let side = |winner: String| if winner == "white" { "white" } else { "black" };
        self.verdict = kept.verdict.map(|(winner, words)| Ending { winner: winner.map(side), words });
        Ok(())
    }
}
