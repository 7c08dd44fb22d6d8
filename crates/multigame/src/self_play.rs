//! What random games of a game are like, in numbers, and how they are kept: one line of `suites/self-play.csv`
//! for each game of the library.

/// The recorded games; `multigame selfplay --csv` writes such a file.
const RECORDED: &str = include_str!("../../../suites/self-play.csv");

/// So many of the first games are counted apart: a test plays just these again.
pub(crate) const SAMPLE_GAMES: u64 = 5;

/// The names of the columns.
pub(crate) const COLUMNS: &str =
    "game,seed,games,plies,choices,longest,first_wins,draws,second_wins,unfinished,plies_of_first_5";

/// The sum of some random games.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SelfPlay {
    /// The name of the game.
    pub(crate) game: String,
    /// The seed of the first game; each further one has the next seed.
    pub(crate) seed: u64,
    /// How many games.
    pub(crate) games: u64,
    /// Moves in all games.
    pub(crate) plies: u64,
    /// Legal moves in all positions in which a move was chosen.
    pub(crate) choices: u64,
    /// Moves in the longest game.
    pub(crate) longest: u64,
    /// Games won by the player who began; solved puzzles.
    pub(crate) first_wins: u64,
    /// Games without a winner.
    pub(crate) draws: u64,
    /// Of these, games that ended as a position came again; unknown of recorded games.
    pub(crate) repeated: u64,
    /// Games won by the other player; puzzles that got stuck.
    pub(crate) second_wins: u64,
    /// Games and puzzles that were given up.
    pub(crate) unfinished: u64,
    /// The seed of the first game for two that had no end, if its length was not limited.
    pub(crate) endless_seed: Option<u64>,
    /// Moves in the first [`SAMPLE_GAMES`] games.
    pub(crate) sample_plies: u64,
}

impl SelfPlay {
    /// The recorded games of a game of the library.
    pub(crate) fn recorded(game: &str) -> Option<SelfPlay> {
        RECORDED.lines().filter_map(SelfPlay::from_csv).find(|row| row.game == game)
    }

    /// One line of the file.
    pub(crate) fn to_csv(&self) -> String {
        let numbers = [
            self.seed,
            self.games,
            self.plies,
            self.choices,
            self.longest,
            self.first_wins,
            self.draws,
            self.second_wins,
            self.unfinished,
            self.sample_plies,
        ];
        format!("{},{}", self.game, numbers.map(|number| number.to_string()).join(","))
    }

    /// What such a line says; nothing for a comment or the names of the columns.
    fn from_csv(line: &str) -> Option<SelfPlay> {
        let (game, numbers) = line.split_once(',')?;
        let numbers: Vec<u64> =
            numbers.split(',').map(|number| number.parse().ok()).collect::<Option<_>>()?;
        let [seed, games, plies, choices, longest, first_wins, draws, second_wins, unfinished, sample_plies] =
            numbers[..]
        else {
            return None;
        };
        Some(SelfPlay {
            game: game.to_owned(),
            seed,
            games,
            plies,
            choices,
            longest,
            first_wins,
            draws,
            repeated: 0,
            second_wins,
            unfinished,
            endless_seed: None,
            sample_plies,
        })
    }

    /// Moves in an average game.
    pub(crate) fn average_length(&self) -> f64 {
        self.plies as f64 / self.games.max(1) as f64
    }

    /// Legal moves in an average position.
    pub(crate) fn branching_factor(&self) -> f64 {
        self.choices as f64 / self.plies.max(1) as f64
    }

    /// What the player who begins scores in the games that came to an end, from 0 to 1, a draw being a half.
    pub(crate) fn first_score(&self) -> Option<f64> {
        let ended = self.ended();
        (ended > 0).then(|| (self.first_wins as f64 + self.draws as f64 / 2.0) / ended as f64)
    }

    fn ended(&self) -> u64 {
        self.first_wins + self.draws + self.second_wins
    }

    /// The games in a sentence or two.
    pub(crate) fn in_words(&self, players: i64) -> String {
        let shape = format!(
            "{:.1} moves long on average ({} the longest), {:.1} moves to choose from",
            self.average_length(),
            self.longest,
            self.branching_factor()
        );
        let percent = |part: f64| format!("{:.1} %", 100.0 * part);
        let share = |count: u64| percent(count as f64 / self.games.max(1) as f64);
        let drawn = |share: String| match self.repeated {
            0 => format!("{share} drawn"),
            repeated if repeated == self.draws => format!("{share} drawn, all by repetition"),
            repeated => format!("{share} drawn, {repeated} of {} by repetition", self.draws),
        };
        match players {
            2 => match self.first_score() {
                Some(score) if self.unfinished == 0 => format!(
                    "{shape}; the first player scores {} ({})",
                    percent(score),
                    drawn(share(self.draws))
                ),
                Some(score) => format!(
                    "{shape}; {} given up; in the others the first player scores {} ({})",
                    share(self.unfinished),
                    percent(score),
                    drawn(percent(self.draws as f64 / self.ended() as f64))
                ),
                None => format!("{shape}; all given up"),
            },
            1 => format!(
                "{shape}; {} solved, {} stuck, {} given up",
                share(self.first_wins),
                share(self.second_wins),
                share(self.unfinished)
            ),
            _ => shape,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library;

    #[test]
    fn lines_are_read_as_they_are_written() {
        let row =
            SelfPlay { game: "nim".to_owned(), games: 4, plies: 10, first_wins: 3, ..SelfPlay::default() };
        assert_eq!(SelfPlay::from_csv(&row.to_csv()), Some(row));
        assert_eq!(SelfPlay::from_csv(COLUMNS), None);
        assert_eq!(COLUMNS.split(',').count(), SelfPlay::default().to_csv().split(',').count());
    }

    #[test]
    fn only_games_that_ended_have_a_score() {
        let given_up = SelfPlay { games: 4, plies: 40, unfinished: 4, ..SelfPlay::default() };
        assert_eq!(given_up.first_score(), None);
        assert!(given_up.in_words(2).ends_with("; all given up"), "{}", given_up.in_words(2));
        let some =
            SelfPlay { games: 4, plies: 40, unfinished: 2, first_wins: 1, draws: 1, ..SelfPlay::default() };
        let told = "; 50.0 % given up; in the others the first player scores 75.0 % (50.0 % drawn)";
        assert!(some.in_words(2).ends_with(told), "{}", some.in_words(2));
        let again = SelfPlay { repeated: 1, ..some };
        assert!(again.in_words(2).ends_with("(50.0 % drawn, all by repetition)"), "{}", again.in_words(2));
    }

    #[test]
    fn every_game_has_been_played_a_thousand_times() {
        assert!(RECORDED.lines().any(|line| line == COLUMNS));
        for name in library::names() {
            let row =
                SelfPlay::recorded(name).unwrap_or_else(|| panic!("{name} is not in suites/self-play.csv"));
            let ended = row.first_wins + row.draws + row.second_wins;
            assert_eq!((row.games, ended + row.unfinished), (1_000, 1_000), "{name}");
        }
    }

    #[test]
    fn games_of_two_players_end() {
        for entry in library::entries().iter().filter(|entry| entry.players == 2) {
            assert_eq!(entry.self_play.as_ref().map(|row| row.unfinished), Some(0), "{}", entry.name);
        }
    }
}
