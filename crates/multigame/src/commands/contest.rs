//! `multigame match`: games between two players, and what they say about strength.

use std::fs::File;
use std::io::Write;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};
use game::{Colour, Game, Position};
use protocol::SessionError;
use serde_json::{Value, json};

use crate::cli::contest::Match;
use crate::cli::{EvaluationChoice, FAINT, GameChoice, Global, STRONG};
use crate::contest::rating::{Tally, Verdict};
use crate::contest::{Adjudication, Contest, Fault, Openings, Played, colour_of_first};
use crate::judgement::{PairWork, with_pair};
use crate::progress::Progress;
use crate::terminal::plus_minus;
use crate::{Exit, books, interrupt, suites, tuned};

/// Random plies where no opening is given.
const RANDOM_PLIES: u32 = 4;

pub(super) fn run(options: &Match, global: &Global, out: &mut dyn Write) -> Result<Exit> {
    let game = super::uci::library_name(&options.rules.game);
    let choice = GameChoice { game, position: None, generator: options.rules.generator };
    let judged = [&options.first, &options.second].map(|setting| EvaluationChoice {
        evaluation: setting.evaluation.unwrap_or(options.rules.judged.evaluation),
        policy: setting.policy.unwrap_or(options.rules.judged.policy),
    });
    with_pair(&choice, judged, Hall { options, global, out })
}

struct Hall<'run> {
    options: &'run Match,
    global: &'run Global,
    out: &'run mut dyn Write,
}

/// What a player did wrong.
#[derive(Clone, Copy, Default)]
struct Faults {
    crashes: u64,
    illegal: u64,
    late: u64,
}

impl PairWork for Hall<'_> {
    type Result = Exit;

    fn run<G: Game>(mut self, games: [&G; 2], start: Position) -> Result<Exit> {
        let game = games[0];
        if game.info().players != 2 {
            return Err(SessionError::OnePlayer(game.info().name.clone()).into());
        }
        let options = self.options;
        let book = options.book.as_deref().map(|file| books::open(game, file)).transpose()?;
        let seed = self.global.seed.unwrap_or(1);
        let mut players = [options.first.clone(), options.second.clone()];
        let habits = tuned::habits()?;
        players.iter_mut().for_each(|player| player.follow(&habits));
        for (player, (given, limit)) in players.iter_mut().zip([
            (&options.first_option, options.first_limit),
            (&options.second_option, options.second_limit),
        ]) {
            player.add_options(given).map_err(|message| anyhow!(message))?;
            player.pace = limit.unwrap_or(player.pace);
            if !player.pace.or(options.pace()).is_limited() {
                bail!("say when a move must be made: --time, --movetime, --depth or --nodes");
            }
        }
        if players[0].name == players[1].name {
            players[1].name.push_str(" (second)");
        }
        let openings = match &options.openings {
            Some(file) => {
                Openings::read(game, &suites::of_game(&options.rules.game, file)?, options.opening_plies)
                    .with_context(|| format!("`{file}`"))?
            }
            None => Openings::Random {
                start: start.clone(),
                plies: options.random_plies.unwrap_or(RANDOM_PLIES),
                seed,
            },
        };
        let contest = Contest {
            players,
            pace: options.pace(),
            games: options.games,
            concurrency: options.concurrency.or(self.global.threads).unwrap_or(1) as usize,
            openings,
            adjudication: Adjudication {
                resign: options.resign,
                draw: options.draw,
                plies_max: options.max_plies,
            },
            margin: Duration::from_millis(options.margin),
            seed,
            book: book.as_ref(),
            variant: super::uci::variant_name(&options.rules.game),
        };
        self.play(games, &start, &contest)
    }
}

impl Hall<'_> {
    fn play<G: Game>(&mut self, games: [&G; 2], start: &Position, contest: &Contest<'_>) -> Result<Exit> {
        let mut pgn = match &self.options.pgn {
            Some(file) => {
                Some(File::create(file).with_context(|| format!("cannot write `{}`", file.display()))?)
            }
            None => None,
        };
        let (mut tally, mut faults) = (Tally::default(), [Faults::default(); 2]);
        let mut progress = Progress::new();
        contest.run(games, start, &mut |number, played| {
            count(&mut tally, &mut faults, number, played);
            if let Some(file) = &mut pgn {
                writeln!(file, "{}", played.pgn).context("cannot write the games")?;
            }
            progress.clear();
            if !self.global.json {
                self.say_game(contest, number, played)?;
            }
            progress.show(tally.games(), contest.games, || in_words(tally));
            Ok(self.options.sprt.is_none_or(|test| test.verdict(tally) == Verdict::Open))
        })?;
        progress.clear();
        match self.global.json {
            true => {
                writeln!(self.out, "{}", self.as_json(games[0].info().name.as_str(), contest, tally, faults))?
            }
            false => self.sum_up(contest, tally, faults)?,
        }
        Ok(if interrupt::requested() { Exit::Interrupted } else { Exit::Success })
    }

    fn say_game(&mut self, contest: &Contest<'_>, number: u64, played: &Played) -> Result<()> {
        let [first, second] = [&contest.players[0].name, &contest.players[1].name];
        let (white, black) = match colour_of_first(number) {
            Colour::White => (first, second),
            Colour::Black => (second, first),
        };
        let result = match played.winner {
            Some(Colour::White) => "1-0",
            Some(Colour::Black) => "0-1",
            None => "1/2-1/2",
        };
        writeln!(
            self.out,
            "game {}: {white} - {black} {result} {}({}, {} plies){}",
            number + 1,
            FAINT.render(),
            played.reason,
            played.plies,
            FAINT.render_reset()
        )?;
        self.out.flush()?;
        Ok(())
    }

    fn as_json(&self, game: &str, contest: &Contest<'_>, tally: Tally, faults: [Faults; 2]) -> Value {
        let (elo, error) = tally.elo();
        let player = |index: usize| {
            let Faults { crashes, illegal, late } = faults[index];
            json!({
                "name": contest.players[index].name,
                "crashes": crashes,
                "illegal_moves": illegal,
                "time_losses": late,
            })
        };
        let mut row = json!({
            "game": game,
            "first": player(0),
            "second": player(1),
            "games": tally.games(),
            "wins": tally.wins,
            "draws": tally.draws,
            "losses": tally.losses,
            "score": tally.score(),
            "elo": elo,
            "error": error,
            "los": tally.superiority(),
            "seed": contest.seed,
            "stopped": interrupt::requested(),
        });
        if let Some(test) = self.options.sprt {
            let (low, high) = test.bounds();
            row["sprt"] = json!({
                "llr": test.log_likelihood_ratio(tally),
                "lower": low,
                "upper": high,
                "verdict": match test.verdict(tally) {
                    Verdict::First => "elo0",
                    Verdict::Second => "elo1",
                    Verdict::Open => "open",
                },
            });
        }
        row
    }

    fn sum_up(&mut self, contest: &Contest<'_>, tally: Tally, faults: [Faults; 2]) -> Result<()> {
        let (strong, plain) = (STRONG.render(), STRONG.render_reset());
        let stopped = if interrupt::requested() { "stopped: " } else { "" };
        let [first, second] = [&contest.players[0].name, &contest.players[1].name];
        writeln!(self.out, "{stopped}{first} against {second}: {strong}{}{plain}", in_words(tally))?;
        for (player, faults) in contest.players.iter().zip(faults) {
            let Faults { crashes, illegal, late } = faults;
            if crashes + illegal + late > 0 {
                writeln!(
                    self.out,
                    "{}: {crashes} crashes, {illegal} illegal moves, {late} losses on time",
                    player.name
                )?;
            }
        }
        if let Some(test) = self.options.sprt {
            let (low, high) = test.bounds();
            let verdict = match test.verdict(tally) {
                Verdict::First => format!("accepted ({:+} Elo)", test.elo0),
                Verdict::Second => format!("accepted ({:+} Elo)", test.elo1),
                Verdict::Open => "open".to_owned(),
            };
            let ratio = test.log_likelihood_ratio(tally);
            writeln!(self.out, "sequential test: {verdict} (llr {ratio:.2}, bounds {low:.2} and {high:.2})")?;
        }
        Ok(())
    }
}

fn count(tally: &mut Tally, faults: &mut [Faults; 2], number: u64, played: &Played) {
    let first = colour_of_first(number);
    match played.winner {
        None => tally.draws += 1,
        Some(winner) if winner == first => tally.wins += 1,
        Some(_) => tally.losses += 1,
    }
    if let Some((colour, fault)) = played.fault {
        let faults = &mut faults[usize::from(colour != first)];
        match fault {
            Fault::Crash => faults.crashes += 1,
            Fault::Illegal => faults.illegal += 1,
            Fault::Late => faults.late += 1,
        }
    }
}

/// `+12 =5 -3, 72.5 %, 168 ± 120 Elo, 99.0 % likely to be stronger`
fn in_words(tally: Tally) -> String {
    let Tally { wins, draws, losses } = tally;
    if tally.games() == 0 {
        return "no game was finished".to_owned();
    }
    let (elo, error) = tally.elo();
    format!(
        "+{wins} ={draws} -{losses}, {:.1} %, {elo:+.1} {} {error:.1} Elo (95 %), {:.1} % likely to be stronger",
        100.0 * tally.score(),
        plus_minus(),
        100.0 * tally.superiority()
    )
}
