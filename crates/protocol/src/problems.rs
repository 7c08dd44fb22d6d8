//! Files of test positions: EPD, and the plain lists in which other games keep theirs.
//!
//! ```text
//! 2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - bm Qg6; id "WAC.001";
//! 40 O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X empties=20 score=+38 best=A2
//! 01 B:W13,16,17,22,25:B1,5,6,8,27
//! ```

use game::fen::PositionNotation;
use game::{GameInfo, Move, MoveList, Position, text};
use search::Score;

use crate::epd::Epd;
use crate::san;

/// What is to be found in a position; empty if that is not said.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Expectation {
    /// One of these is the best move.
    pub best: Vec<String>,
    /// None of these is.
    pub avoid: Vec<String>,
    /// The final points with best play.
    pub points: Option<i32>,
    /// The game is won in so many moves.
    pub mate: Option<i32>,
    /// What moves are worth, ten for the best.
    pub worth: Vec<(String, u32)>,
}

/// A position with its solution.
#[derive(Clone, PartialEq, Debug)]
pub struct Problem {
    /// What it is called; its line in the file if it has no name.
    pub id: String,
    /// The line in the file, from 1.
    pub line: usize,
    /// The position.
    pub position: Position,
    /// What is to be found.
    pub expected: Expectation,
}

/// Why a file is no list of problems.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct ProblemError {
    /// The line in the file, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub message: String,
}

/// Reads all problems of a file. Empty lines and those that begin with `#` or `;` are left out.
///
/// # Errors
/// When a line has no position of the game.
pub fn read(info: &GameInfo, text: &str) -> Result<Vec<Problem>, ProblemError> {
    let lines = text.lines().enumerate().map(|(index, line)| (index + 1, line.trim()));
    lines
        .filter(|(_, line)| !line.is_empty() && !line.starts_with(['#', ';']))
        .map(|(number, line)| {
            let problem = match &info.notation {
                PositionNotation::Fen(_) => from_epd(info, line),
                _ => from_list(info, line),
            };
            problem
                .map(|(id, position, expected)| {
                    let id = id.unwrap_or_else(|| number.to_string());
                    Problem { id, line: number, position, expected }
                })
                .map_err(|message| ProblemError { line: number, message })
        })
        .collect()
}

type Parts = (Option<String>, Position, Expectation);

fn from_epd(info: &GameInfo, line: &str) -> Result<Parts, String> {
    let epd = Epd::read(info, line).map_err(|error| error.message)?;
    let number = |name: &str| epd.operand(name).and_then(|text| text.parse().ok());
    let worth = epd.operand("c0").map(worth).unwrap_or_default();
    let expected = Expectation {
        best: epd.operands("bm").to_vec(),
        avoid: epd.operands("am").to_vec(),
        points: None,
        mate: number("dm"),
        worth,
    };
    Ok((epd.operand("id").map(str::to_owned), epd.position, expected))
}

/// `f5=10, Be5+=2`; anything else is a remark.
fn worth(text: &str) -> Vec<(String, u32)> {
    let item = |item: &str| {
        let (name, points) = item.trim().rsplit_once('=')?;
        Some((name.to_owned(), points.parse().ok()?))
    };
    text.split(',').map(item).collect::<Option<Vec<_>>>().unwrap_or_default()
}

fn from_list(info: &GameInfo, line: &str) -> Result<Parts, String> {
    let line = line.split_once(" #").map_or(line, |(line, _)| line);
    let words: Vec<&str> = line.split_whitespace().collect();
    let length = match &info.notation {
        PositionNotation::Draughts { .. } => 1,
        PositionNotation::Tiles => info.geometry.used().iter().filter(|used| **used).count(),
        _ => 2,
    };
    let is_number = |word: &&str| word.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let id = words.first().copied().filter(is_number).filter(|_| words.len() > length);
    let words = &words[usize::from(id.is_some())..];
    let length = length.min(words.len());
    let position = text::read(info, &words[..length].join(" ")).map_err(|error| error.message)?;
    let mut expected = Expectation::default();
    for word in &words[length..] {
        match word.split_once('=') {
            Some(("score", points)) => {
                let points = points.parse().map_err(|_| format!("`{points}` is no number of points"))?;
                expected.points = Some(points);
            }
            Some(("best", moves)) => expected.best = moves.split([',', '/']).map(str::to_owned).collect(),
            _ => {}
        }
    }
    Ok((id.map(|id| id.trim_end_matches('.').to_owned()), position, expected))
}

/// A problem's moves, found among the legal ones.
#[derive(Clone, Debug)]
pub struct Solution {
    best: Vec<Move>,
    avoid: Vec<Move>,
    worth: Vec<(Move, u32)>,
    points: Option<i32>,
    mate: Option<i32>,
}

impl Solution {
    /// Looks the moves up.
    ///
    /// # Errors
    /// When one of them is not legal.
    pub fn new(info: &GameInfo, problem: &Problem, legal: &MoveList) -> Result<Solution, ProblemError> {
        let find = |name: &String| {
            san::find(info, &problem.position, legal, name)
                .map(|index| legal.get(index).to_move())
                .map_err(|error| ProblemError { line: problem.line, message: error.to_string() })
        };
        let expected = &problem.expected;
        let worth = expected.worth.iter().map(|(name, points)| Ok((find(name)?, *points)));
        Ok(Solution {
            best: expected.best.iter().map(find).collect::<Result<_, _>>()?,
            avoid: expected.avoid.iter().map(find).collect::<Result<_, _>>()?,
            worth: worth.collect::<Result<_, _>>()?,
            points: expected.points,
            mate: expected.mate,
        })
    }

    /// Whether anything is expected.
    #[must_use]
    pub fn is_known(&self) -> bool {
        !self.best.is_empty() || !self.avoid.is_empty() || self.points.is_some() || self.mate.is_some()
    }

    /// Whether a move and its score are what was to be found. Points count if the search is sure of its own; a mate
    /// must be seen.
    #[must_use]
    pub fn accepts(&self, played: &Move, score: Score) -> bool {
        let among = |moves: &[Move]| moves.iter().any(|own| own.view().same_as(played.view()));
        let best = self.best.is_empty() || among(&self.best);
        let points = match (self.points, score.points()) {
            (Some(expected), Some(found)) => expected == found,
            (Some(_), None) => !self.best.is_empty(),
            (None, _) => true,
        };
        let mate = self.mate.is_none_or(|moves| {
            score.distance().is_some_and(|plies| (1..2 * moves.clamp(1, 10_000)).contains(&plies))
        });
        best && !among(&self.avoid) && points && mate
    }

    /// What the move is worth and what the best one is, if moves are worth something.
    #[must_use]
    pub fn worth(&self, played: &Move) -> Option<(u32, u32)> {
        let most = self.worth.iter().map(|(_, worth)| *worth).max()?;
        let own = self.worth.iter().find(|(own, _)| own.view().same_as(played.view()));
        Some((own.map_or(0, |(_, worth)| *worth), most))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::{Game, Stage};

    #[test]
    fn epd_has_best_moves_and_worth() {
        let game = native::NativeChess::new();
        let text = "# a comment\n\n\
            1kr5/3n4/q3p2p/p2n2p1/PppB1P2/5BP1/1P2Q2P/3R2K1 w - - bm f5; id \"one\"; c0 \"f5=10, Be5+=2\";\n\
            6k1/5ppp/8/8/8/8/8/R5K1 w - - am Kf1; dm 1; c0 \"a remark, nothing else\";\n";
        let problems = read(game.info(), text).unwrap();
        assert_eq!((problems[0].id.as_str(), problems[1].id.as_str()), ("one", "4"));
        assert_eq!(problems[0].expected.worth.len(), 2);
        assert!(problems[1].expected.worth.is_empty());
        let mut legal = MoveList::new();
        for (problem, wanted) in problems.iter().zip(["f5", "Ra8#"]) {
            game.generate(&game.pack(&problem.position), Stage::All, &mut legal).unwrap();
            let solution = Solution::new(game.info(), problem, &legal).unwrap();
            let right = san::find(game.info(), &problem.position, &legal, wanted).unwrap();
            for (index, played) in legal.iter().enumerate() {
                let accepted = solution.accepts(&played.to_move(), Score::win_in(1));
                assert!(accepted == (index == right) || problem.id == "4", "{wanted}");
                assert!(!solution.accepts(&played.to_move(), Score::DRAW) || problem.id == "one");
            }
        }
    }

    #[test]
    fn lists_of_other_games_are_read() {
        let othello = native::NativeOthello::new();
        let board = "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X--------";
        let line = format!("40 {board} X empties=20 score=+38 best=A2 all=A2:38 C7:36 # remark");
        let problems = read(othello.info(), &line).unwrap();
        assert_eq!((problems[0].id.as_str(), problems[0].expected.points), ("40", Some(38)));
        assert_eq!(problems[0].expected.best, ["A2"]);
        let checkers = native::NativeCheckers::new();
        let problems = read(checkers.info(), "01 B:W13,16,17,22,25:B1,5,6,8,27\nB:W13:B1").unwrap();
        assert_eq!((problems[0].id.as_str(), problems[1].id.as_str()), ("01", "2"));
    }

    #[test]
    fn wrong_lines_are_named() {
        let game = native::NativeChess::new();
        let error = read(game.info(), "# x\n8/8 w - - bm e4;").unwrap_err();
        assert_eq!(error.line, 2);
        let problems = read(game.info(), "6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Qh5;").unwrap();
        let mut legal = MoveList::new();
        game.generate(&game.pack(&problems[0].position), Stage::All, &mut legal).unwrap();
        assert_eq!(Solution::new(game.info(), &problems[0], &legal).unwrap_err().line, 1);
    }
}
