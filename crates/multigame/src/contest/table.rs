//! One game of a match: clocks, adjudication, and how it ended.

use std::time::{Duration, Instant};

use anyhow::Result;
use game::record::Standing;
use game::{Colour, Game, Move};
use protocol::pgn::Pgn;
use protocol::{Session, coordinates};

use super::openings::Opening;
use super::player::{Clocks, Failure, Player};

/// When a game is over though the rules do not say so.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Adjudication {
    /// A player whose score is this bad for so many moves of its own loses.
    pub(crate) resign: Option<(i32, u32)>,
    /// From this ply on, a game is drawn when both scores are this near to zero for so many moves of each.
    pub(crate) draw: Option<(u32, u32, i32)>,
    /// A game as long as this is drawn.
    pub(crate) plies_max: u32,
}

/// What a player did wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fault {
    Crash,
    Illegal,
    Late,
}

/// A game that was played.
#[derive(Clone, Debug)]
pub(crate) struct Played {
    pub(crate) winner: Option<Colour>,
    pub(crate) reason: String,
    pub(crate) plies: usize,
    /// Who did something wrong, and what.
    pub(crate) fault: Option<(Colour, Fault)>,
    pub(crate) pgn: String,
}

/// What a game needs besides its players.
pub(super) struct Rules<'run> {
    pub(super) adjudication: Adjudication,
    pub(super) margin: Duration,
    /// The names of white and black.
    pub(super) names: [&'run str; 2],
    pub(super) number: u64,
}

/// Plays a game; nothing if it was stopped.
pub(super) fn play<'game, G: Game>(
    referee: &mut Session<'game, G>,
    players: [&mut Player<'game, '_, G>; 2],
    opening: &Opening,
    rules: &Rules<'_>,
) -> Result<Option<Played>> {
    let mut game = Pairing {
        referee,
        players,
        names: Vec::new(),
        left: [Duration::ZERO; 2],
        streaks: Streaks::default(),
    };
    for (left, player) in game.left.iter_mut().zip(&game.players) {
        *left = player.pace().clock.map_or(Duration::ZERO, |clock| clock.total);
    }
    for played in &opening.moves {
        game.make(played)?;
    }
    let Some(end) = game.go_on(rules)? else { return Ok(None) };
    let result = match end.winner {
        Some(Colour::White) => "1-0",
        Some(Colour::Black) => "0-1",
        None => "1/2-1/2",
    };
    let round = (rules.number + 1).to_string();
    let tags = [
        ("Event", "multigame match"),
        ("Round", round.as_str()),
        ("White", rules.names[0]),
        ("Black", rules.names[1]),
        ("Result", result),
        ("Variant", game.referee.info().name.as_str()),
        ("Termination", end.reason.as_str()),
    ];
    let pgn = Pgn::of_record(game.referee.record(), game.referee.knowledge(), &tags)?.to_string();
    let plies = game.referee.record().moves().len();
    Ok(Some(Played { winner: end.winner, reason: end.reason, plies, fault: end.fault, pgn }))
}

struct End {
    winner: Option<Colour>,
    reason: String,
    fault: Option<(Colour, Fault)>,
}

struct Pairing<'game, 'players, 'run, G: Game> {
    referee: &'players mut Session<'game, G>,
    players: [&'players mut Player<'game, 'run, G>; 2],
    /// The moves as programs exchange them.
    names: Vec<String>,
    left: [Duration; 2],
    streaks: Streaks,
}

impl<G: Game> Pairing<'_, '_, '_, G> {
    fn make(&mut self, played: &Move) -> Result<()> {
        let (info, position) = (self.referee.info(), self.referee.position());
        self.names.push(coordinates::name(info, &position, self.referee.record().legal(), played.view()));
        self.referee.play(played)?;
        self.players.iter_mut().try_for_each(|player| player.hear(played))
    }

    fn go_on(&mut self, rules: &Rules<'_>) -> Result<Option<End>> {
        loop {
            if let Standing::Finished(outcome, viewer) = self.referee.record().standing() {
                let winner = outcome.winner(viewer);
                let reason =
                    winner.map_or("drawn by the rules".to_owned(), |winner| format!("{winner} wins"));
                return Ok(Some(End { winner, reason, fault: None }));
            }
            let plies = self.referee.record().moves().len();
            if plies >= rules.adjudication.plies_max as usize {
                return Ok(Some(End {
                    winner: None,
                    reason: "adjudicated: too long".to_owned(),
                    fault: None,
                }));
            }
            let mover = self.referee.position().mover();
            let clocks = Clocks { left: self.left, margin: rules.margin };
            let began = Instant::now();
            let choice = self.players[mover.index()].choose(self.referee, &self.names, clocks)?;
            let late = !self.count_time(mover, began.elapsed(), rules.margin);
            let choice = match choice {
                Err(Failure::Stopped) => return Ok(None),
                Err(failure) => return Ok(Some(lost_by(mover, &failure))),
                Ok(_) if late => return Ok(Some(lost_by(mover, &Failure::Late))),
                Ok(choice) => choice,
            };
            self.make(&choice.played)?;
            if let Some(score) = choice.score {
                self.streaks.add(mover, score, rules.adjudication);
                let plies = self.referee.record().moves().len();
                if self.referee.record().standing() == Standing::Open
                    && let Some(end) = self.streaks.end(mover, plies, rules.adjudication)
                {
                    return Ok(Some(end));
                }
            }
        }
    }

    /// False when the time is over.
    fn count_time(&mut self, mover: Colour, used: Duration, margin: Duration) -> bool {
        let pace = self.players[mover.index()].pace();
        if pace.move_time.is_some_and(|time| used > time + margin) {
            return false;
        }
        let Some(clock) = pace.clock else { return true };
        let left = &mut self.left[mover.index()];
        let in_time = used <= *left + margin;
        *left = left.saturating_sub(used) + clock.increment;
        in_time
    }
}

fn lost_by(loser: Colour, failure: &Failure) -> End {
    let (reason, fault) = match failure {
        Failure::Crash | Failure::Stopped => (format!("{loser} crashes"), Fault::Crash),
        Failure::Illegal(text) => (format!("{loser} plays `{text}`, which is not legal"), Fault::Illegal),
        Failure::Late => (format!("{loser} loses on time"), Fault::Late),
    };
    End { winner: Some(loser.opponent()), reason, fault: Some((loser, fault)) }
}

/// For how many moves players have been sure.
#[derive(Default)]
struct Streaks {
    bad: [u32; 2],
    even: [u32; 2],
}

impl Streaks {
    fn add(&mut self, mover: Colour, score: i32, adjudication: Adjudication) {
        let side = mover.index();
        let is_bad = adjudication.resign.is_some_and(|(bad, _)| score <= -bad);
        self.bad[side] = if is_bad { self.bad[side] + 1 } else { 0 };
        let is_even = adjudication.draw.is_some_and(|(_, _, even)| score.abs() <= even);
        self.even[side] = if is_even { self.even[side] + 1 } else { 0 };
    }

    fn end(&self, mover: Colour, plies: usize, adjudication: Adjudication) -> Option<End> {
        if adjudication.resign.is_some_and(|(_, moves)| self.bad[mover.index()] >= moves) {
            let reason = format!("adjudicated: {mover} resigns");
            return Some(End { winner: Some(mover.opponent()), reason, fault: None });
        }
        let (from, moves, _) = adjudication.draw?;
        let even = plies >= from as usize && self.even.iter().all(|streak| *streak >= moves);
        even.then(|| End { winner: None, reason: "adjudicated: drawn".to_owned(), fault: None })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_adjudicated_by_what_players_think() {
        let rules = Adjudication { resign: Some((500, 2)), draw: Some((4, 2, 10)), plies_max: 100 };
        let mut streaks = Streaks::default();
        for (mover, score, plies) in
            [(Colour::White, -600, 1), (Colour::Black, 600, 2), (Colour::White, -499, 3)]
        {
            streaks.add(mover, score, rules);
            assert!(streaks.end(mover, plies, rules).is_none());
        }
        for score in [-500, -900] {
            streaks.add(Colour::White, score, rules);
        }
        let end = streaks.end(Colour::White, 5, rules).unwrap();
        assert_eq!(end.winner, Some(Colour::Black));
        let mut streaks = Streaks::default();
        for mover in [Colour::White, Colour::Black, Colour::White, Colour::Black] {
            streaks.add(mover, -10, rules);
        }
        assert!(streaks.end(Colour::Black, 3, rules).is_none());
        assert_eq!(streaks.end(Colour::Black, 4, rules).unwrap().winner, None);
    }
}
