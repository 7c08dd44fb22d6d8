//! What the results of a match say about strength.

/// Half the width of a 95 % interval, in standard deviations.
const TWO_SIDED_95: f64 = 1.959_963_984_540_054;

/// Results of games, seen from the first player.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Tally {
    pub(crate) wins: u64,
    pub(crate) draws: u64,
    pub(crate) losses: u64,
}

impl Tally {
    /// Games played.
    pub(crate) fn games(self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// What the first player scored, from 0 to 1.
    pub(crate) fn score(self) -> f64 {
        (self.wins as f64 + self.draws as f64 / 2.0) / (self.games().max(1) as f64)
    }

    /// The variance of one game's result.
    fn variance(self) -> f64 {
        let mean = self.score();
        let part = |count: u64, result: f64| count as f64 * (result - mean).powi(2);
        (part(self.wins, 1.0) + part(self.draws, 0.5) + part(self.losses, 0.0)) / (self.games().max(1) as f64)
    }

    /// The difference in Elo points and its error: half the width of the 95 % interval. Infinite where one side won
    /// everything, `NaN` without a game.
    pub(crate) fn elo(self) -> (f64, f64) {
        if self.games() == 0 {
            return (f64::NAN, f64::NAN);
        }
        let reach = TWO_SIDED_95 * (self.variance() / self.games() as f64).sqrt();
        let (low, high) = (elo_of(self.score() - reach), elo_of(self.score() + reach));
        let error = if low.is_finite() && high.is_finite() { (high - low) / 2.0 } else { f64::INFINITY };
        (elo_of(self.score()), error)
    }

    /// How likely it is that the first player is the stronger one, given the games that were not drawn.
    pub(crate) fn superiority(self) -> f64 {
        let decided = (self.wins + self.losses) as f64;
        if decided == 0.0 {
            return 0.5;
        }
        normal_distribution((self.wins as f64 - self.losses as f64) / decided.sqrt())
    }
}

/// The Elo difference that an expected score means.
pub(crate) fn elo_of(score: f64) -> f64 {
    match score {
        score if score <= 0.0 => f64::NEG_INFINITY,
        score if score >= 1.0 => f64::INFINITY,
        score => 400.0 * (score / (1.0 - score)).log10(),
    }
}

/// The score that an Elo difference lets expect.
pub(crate) fn score_of(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

/// The part of a normal distribution below this many standard deviations (Abramowitz and Stegun 7.1.26; good to
/// seven digits).
fn normal_distribution(deviations: f64) -> f64 {
    let x = deviations.abs() / std::f64::consts::SQRT_2;
    let t = 1.0 / (1.0 + 0.327_591_1 * x);
    let terms = [1.061_405_429, -1.453_152_027, 1.421_413_741, -0.284_496_736, 0.254_829_592];
    let polynomial = terms.into_iter().fold(0.0, |sum, term| sum * t + term) * t;
    let half = (1.0 - polynomial * (-x * x).exp()) / 2.0;
    0.5 + half * deviations.signum()
}

/// Wald's sequential test: is the difference `elo0`, or is it `elo1`?
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Sprt {
    pub(crate) elo0: f64,
    pub(crate) elo1: f64,
    /// How often the first claim may be rejected though it is true.
    pub(crate) alpha: f64,
    /// How often the second claim may be rejected though it is true.
    pub(crate) beta: f64,
}

/// What the test says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Verdict {
    /// The difference is rather `elo0`.
    First,
    /// The difference is rather `elo1`.
    Second,
    /// Play on.
    Open,
}

impl Sprt {
    /// `elo0,elo1,alpha,beta`
    pub(crate) fn read(text: &str) -> Result<Sprt, String> {
        let usage = "give elo0,elo1,alpha,beta, such as 0,10,0.05,0.05";
        let numbers: Result<Vec<f64>, _> = text.split(',').map(|part| part.trim().parse::<f64>()).collect();
        let Ok(&[elo0, elo1, alpha, beta]) = numbers.as_deref() else { return Err(usage.to_owned()) };
        let between = |part: f64| part > 0.0 && part < 0.5;
        if !(elo0 < elo1 && elo0.abs() < 2_000.0 && elo1.abs() < 2_000.0 && between(alpha) && between(beta)) {
            return Err(format!("{usage}: elo0 below elo1, alpha and beta between 0 and 0.5"));
        }
        Ok(Sprt { elo0, elo1, alpha, beta })
    }

    /// Below the first bound the first claim is accepted, above the second the second.
    pub(crate) fn bounds(self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The logarithm of how much likelier the results are under the second claim, by the normal approximation
    /// `n (s1 - s0) (2 s - s0 - s1) / (2 variance)`. Half a game of each kind is added, so that a few equal results are
    /// not taken for certainty.
    pub(crate) fn log_likelihood_ratio(self, tally: Tally) -> f64 {
        if tally.games() == 0 {
            return 0.0;
        }
        let (wins, draws, losses) =
            (tally.wins as f64 + 0.5, tally.draws as f64 + 0.5, tally.losses as f64 + 0.5);
        let games = wins + draws + losses;
        let mean = (wins + draws / 2.0) / games;
        let variance =
            (wins * (1.0 - mean).powi(2) + draws * (0.5 - mean).powi(2) + losses * mean.powi(2)) / games;
        let (score0, score1) = (score_of(self.elo0), score_of(self.elo1));
        games * (score1 - score0) * (2.0 * mean - score0 - score1) / (2.0 * variance)
    }

    /// What the results say.
    pub(crate) fn verdict(self, tally: Tally) -> Verdict {
        let (ratio, (low, high)) = (self.log_likelihood_ratio(tally), self.bounds());
        match ratio {
            ratio if ratio >= high => Verdict::Second,
            ratio if ratio <= low => Verdict::First,
            _ => Verdict::Open,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(found: f64, expected: f64) {
        assert!((found - expected).abs() < 0.005 * expected.abs().max(1.0), "{found} is not {expected}");
    }

    fn tally(wins: u64, draws: u64, losses: u64) -> Tally {
        Tally { wins, draws, losses }
    }

    #[test]
    fn elo_is_that_of_the_tables() {
        near(elo_of(0.5), 0.0);
        near(elo_of(0.75), 190.85);
        near(elo_of(0.64), 99.95);
        near(score_of(100.0), 0.640_06);
        // 60 wins, 20 draws, 20 losses: 70 %, standard error 0.04, interval 62.2 % to 77.8 %.
        let (elo, error) = tally(60, 20, 20).elo();
        near(elo, 147.19);
        near(error, (elo_of(0.7784) - elo_of(0.6216)) / 2.0);
        // Half the games drawn, 1000 games: 0 +- 15.2.
        let (elo, error) = tally(250, 500, 250).elo();
        near(elo, 0.0);
        near(error, 15.24);
        assert_eq!(tally(3, 0, 0).elo(), (f64::INFINITY, f64::INFINITY));
        assert!(Tally::default().elo().0.is_nan());
    }

    #[test]
    fn superiority_is_a_probability() {
        near(tally(10, 3, 5).superiority(), 0.9017);
        near(tally(5, 0, 10).superiority(), 0.0983);
        near(tally(0, 7, 0).superiority(), 0.5);
        near(normal_distribution(1.959_964), 0.975);
        near(normal_distribution(-3.0), 0.001_35);
    }

    #[test]
    fn the_sequential_test_has_walds_bounds() {
        let test = Sprt::read("0,10,0.05,0.05").unwrap();
        near(test.bounds().1, 2.944);
        near(test.bounds().0, -2.944);
        let uneven = Sprt::read("0, 5, 0.05, 0.1").unwrap();
        near(uneven.bounds().0, -2.251);
        near(uneven.bounds().1, 2.890);
        // By hand: 520.5 wins, 1000.5 draws, 480.5 losses have mean 0.50999 and variance 0.12493; 10 Elo are a score of
        // 0.51439; 2001.5 * 0.01439 * (2 * 0.50999 - 1.01439) / (2 * 0.12493).
        near(test.log_likelihood_ratio(tally(520, 1000, 480)), 0.645);
        assert_eq!(test.verdict(tally(520, 1000, 480)), Verdict::Open);
        assert_eq!(test.verdict(tally(700, 1000, 480)), Verdict::Second);
        assert_eq!(test.verdict(tally(480, 1000, 700)), Verdict::First);
        assert_eq!(test.verdict(Tally::default()), Verdict::Open);
        assert_eq!(test.verdict(tally(3, 0, 0)), Verdict::Open);
    }

    #[test]
    fn nonsense_is_no_test() {
        for text in [
            "",
            "0,10",
            "10,0,0.05,0.05",
            "0,10,0,0.05",
            "0,10,0.05,0.7",
            "a,b,c,d",
            "0,inf,0.1,0.1",
            "1,2,3,4,5",
        ] {
            assert!(Sprt::read(text).is_err(), "{text}");
        }
    }
}
