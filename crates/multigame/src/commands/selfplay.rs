//! `multigame selfplay`: random games, to see that rules hold out and what the game is like.

use std::io::Write;

use anyhow::{Result, bail};
use game::record::{Record, Standing};
use game::{Game, Position};
use protocol::chance::{self, mix};
use serde_json::json;

use crate::cli::{GameChoice, Global, Selfplay};
use crate::generator::{Work, find_rules, with_game};
use crate::numbers::counted;
use crate::self_play::{COLUMNS, SAMPLE_GAMES, SelfPlay};
use crate::{Exit, interrupt, library};

/// A game of two players that lasts longer is given up, and said to be: its rules should end it.
const PLIES_MAX: u64 = 2_000;
/// Puzzles need not end; they are given up after so many moves.
const PUZZLE_PLIES_MAX: u64 = 200;

pub(super) fn run(options: &Selfplay, global: &Global, out: &mut dyn Write) -> Result<Exit> {
    let library = || library::names().into_iter().map(str::to_owned).collect();
    let names: Vec<String> = if options.names.is_empty() { library() } else { options.names.clone() };
    // What is misspelt is told of before the first of a thousand games.
    for name in names.iter().filter(|name| *name != "-" && !name.starts_with("native:")) {
        let found = find_rules(name);
        if found.is_err() && name.parse::<u64>().is_ok() {
            bail!("there is no game `{name}`: for so many games of each, write `--games {name}`");
        }
        found?;
    }
    if options.csv {
        writeln!(
            out,
            "# Random games of the library, all moves equally likely. To record them anew:\n\
             # multigame selfplay --games {} --seed {} --csv > suites/self-play.csv",
            options.games,
            seed(global)
        )?;
        writeln!(out, "{COLUMNS}")?;
    }
    for game in names {
        let choice = GameChoice { game, position: None, generator: options.generator };
        let played = with_game(
            &choice,
            Games {
                name: &choice.game,
                games: options.games,
                seed: seed(global),
                max_moves: options.max_moves,
            },
        )?;
        let Some((row, players)) = played else { return Ok(Exit::Interrupted) };
        if options.csv {
            writeln!(out, "{}", row.to_csv())?;
        } else if global.json {
            writeln!(out, "{}", as_json(&row))?;
        } else {
            let games = counted(row.games, "game", "games");
            writeln!(out, "{}: {games}, {}", row.game, row.in_words(players))?;
        }
        out.flush()?;
        if let Some(seed) = row.endless_seed {
            let (given_up, games) = (row.unfinished, counted(row.games, "game", "games"));
            let told = format!(
                "{given_up} of {games} of `{}` did not end within {PLIES_MAX} moves (--max-moves gives them up earlier); \
                 the first again: multigame selfplay {} --games 1 --seed {seed}",
                row.game, row.game
            );
            if row.unfinished == row.games {
                bail!("{told}");
            }
            eprintln!("warning: {told}");
        }
    }
    Ok(Exit::Success)
}

fn seed(global: &Global) -> u64 {
    global.seed.unwrap_or(1)
}

/// The numbers with their names.
pub(super) fn as_json(row: &SelfPlay) -> serde_json::Value {
    json!({
        "game": row.game,
        "seed": row.seed,
        "games": row.games,
        "plies": row.plies,
        "choices": row.choices,
        "longest": row.longest,
        "first_wins": row.first_wins,
        "draws": row.draws,
        "second_wins": row.second_wins,
        "unfinished": row.unfinished,
        "plies_of_first_5": row.sample_plies,
        "average_length": row.average_length(),
        "branching_factor": row.branching_factor(),
        "first_score": row.first_score(),
    })
}

struct Games<'run> {
    name: &'run str,
    games: u64,
    seed: u64,
    max_moves: Option<u64>,
}

impl Work for Games<'_> {
    /// The sum of the games and the number of players; nothing if stopped.
    type Result = Option<(SelfPlay, i64)>;

    fn run<G: Game>(self, game: &G, start: Position) -> Result<Self::Result> {
        let mut row = SelfPlay {
            game: self.name.to_owned(),
            seed: self.seed,
            games: self.games,
            ..SelfPlay::default()
        };
        for index in 0..self.games {
            if interrupt::requested() {
                return Ok(None);
            }
            let plies = play(game, start.clone(), self.seed.wrapping_add(index), self.max_moves, &mut row)?;
            row.plies += plies;
            row.longest = row.longest.max(plies);
            row.sample_plies += if index < SAMPLE_GAMES { plies } else { 0 };
        }
        Ok(Some((row, i64::from(game.info().players))))
    }
}

/// Whether a game is over as its last position came again.
fn ended_by_repetition<G: Game>(record: &Record<'_, G>) -> bool {
    let rule = record.game().info().repetition;
    record.ended().is_none() && record.history().occurrences() >= rule.occurrences
}

/// Plays one game and counts how it ended; returns its length.
fn play<G: Game>(
    game: &G,
    start: Position,
    seed: u64,
    max_moves: Option<u64>,
    row: &mut SelfPlay,
) -> Result<u64> {
    let replay = |trouble: String| {
        anyhow::anyhow!("{trouble}\nto see it again: multigame selfplay {} --games 1 --seed {seed}", row.game)
    };
    let mut record = Record::new(game, start).map_err(|fault| replay(fault.to_string()))?;
    let (beginner, two) = (game.mover(record.position()), game.info().players == 2);
    let plies_max = max_moves.unwrap_or(if two { PLIES_MAX } else { PUZZLE_PLIES_MAX });
    let (mut random, mut plies, mut choices) = (mix(seed), 0, 0);
    while record.standing() == Standing::Open && plies < plies_max {
        random = chance::next(random);
        choices += record.legal().len() as u64;
        let chosen = record.legal().get(chance::choose(record.legal(), random)).to_move();
        record.play(&chosen).map_err(|fault| replay(fault.to_string()))?;
        plies += 1;
    }
    row.choices += choices;
    match record.standing() {
        Standing::Open => {
            row.unfinished += 1;
            if two && max_moves.is_none() {
                row.endless_seed = row.endless_seed.or(Some(seed));
            }
        }
        Standing::Finished(outcome, colour) => match outcome.winner(colour) {
            None => {
                row.draws += 1;
                row.repeated += u64::from(ended_by_repetition(&record));
            }
            Some(winner) if winner == beginner => row.first_wins += 1,
            Some(_) => row.second_wins += 1,
        },
    }
    Ok(plies)
}
