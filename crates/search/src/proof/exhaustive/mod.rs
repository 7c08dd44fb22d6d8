//! Every line to the end of the game, with null windows and a table: "is it worth at least this much?" For games that
//! end by themselves after a few dozen moves (connect-4, domineering, Othello on a small board), where proof numbers
//! lead nowhere because everything is equally far from its end.
//!
//! A node looks one ply ahead before it goes deeper: children that the table knows, that end the game, or where the
//! opponent has a move that ends it well, need no search. The others are ordered by what they leave the opponent to
//! do, by what the evaluation thinks of them, and by whether such moves were good lately ([`Order`]). `node.rs` has
//! all that.
//!
//! Near the end, trees are so small that lists, tables and a good order cost more than they save: there the generator
//! settles what a position is worth by itself ([`Game::settle`]), and higher up moves are counted instead of listed.
//! How far a position is from the end is learned from the trees that were searched (`sizes.rs`).
//!
//! Positions that are images of each other by a symmetry of the rules are one position (`images.rs`).
//!
//! Scores have no distances: a win is a win. A result that rests on a cycle is believed where it was found, and not
//! stored for other lines (see [`super`]). A caller that keeps the table keeps what was found out: a search that begins
//! with it comes to where the last one was in no time.

mod node;
mod order;
mod sizes;

use std::time::Duration;

use game::{Game, Move, MoveList, Outcome, Signature};
use table::{Bound, Entry, Table};

use super::ProofSettings;
use super::claim::outcome_of_cycle;
use super::images::Images;
use crate::path::Path;
use crate::root::Root;
use crate::score::Score;
use crate::statistics::Statistics;
use crate::watch::{Interrupt, Watch};
use order::History;
pub use order::Order;
use sizes::Sizes;

/// Lines are not followed further: the search gives up.
const PLY_MAX: usize = 500;
/// News is told after about so many nodes.
const NODES_BETWEEN_NEWS: u64 = 1 << 18;
/// What the exhaustive search stores is not for others, whose scores have distances, nor theirs for it.
const KEYS: Signature = Signature(0x6578_6861_7573_7469);

/// What is known of the root's score, and the line that shows it.
pub(crate) struct Found {
    /// It is at least this.
    pub(crate) least: Score,
    /// It is at most this.
    pub(crate) most: Score,
    pub(crate) line: Vec<Move>,
}

impl Found {
    /// Whether nothing is left to find out.
    pub(crate) fn is_everything(&self) -> bool {
        self.least >= self.most
    }
}

/// What is known of a child before it is searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stock {
    /// Nothing: its last moves are settled by the generator.
    Nothing,
    /// Its position is there.
    Position,
    /// Its position and its moves are there.
    Moves,
}

/// A position one ply further.
struct Child<P> {
    position: P,
    moves: MoveList,
    stock: Stock,
    index: usize,
    /// Its empty fields.
    empty: usize,
    /// How many moves it has; 0 where they were not counted.
    replies: usize,
    rank: i64,
}

/// A move that needs a search.
#[derive(Clone, Copy)]
struct Open {
    index: usize,
    /// The empty fields after it.
    empty: usize,
    /// Whether the generator settles it.
    settled: bool,
    /// Where the table has the position after it; nothing where looking there does not pay.
    key: Option<Signature>,
}

/// The children of a node; lists are kept for the next node of the same ply.
struct Frame<P> {
    children: Vec<Child<P>>,
    used: usize,
    /// The moves that need a search.
    open: Vec<Open>,
}

impl<P: Clone> Frame<P> {
    fn new() -> Frame<P> {
        Frame { children: Vec::new(), used: 0, open: Vec::new() }
    }

    /// Makes room for one more child.
    fn next(&mut self, position: &P, open: Open) -> &mut Child<P> {
        if self.used == self.children.len() {
            let (position, moves) = (position.clone(), MoveList::new());
            let (stock, index, empty) = (Stock::Nothing, open.index, open.empty);
            self.children.push(Child { position, moves, stock, index, empty, replies: 0, rank: 0 });
        }
        let child = &mut self.children[self.used];
        (child.index, child.empty, child.stock, child.replies) = (open.index, open.empty, Stock::Nothing, 0);
        child
    }
}

/// A score, and whether it rests on the line that led to its position.
#[derive(Clone, Copy)]
struct Finding {
    score: Score,
    path_dependent: bool,
}

/// The best of a node so far.
struct Best {
    finding: Finding,
    /// The number of its move.
    index: Option<usize>,
}

impl Best {
    fn take(&mut self, finding: Finding, index: usize) {
        self.finding.path_dependent |= finding.path_dependent;
        if finding.score > self.finding.score {
            self.finding.score = finding.score;
            self.index = Some(index);
        }
    }
}

pub(crate) struct ExhaustiveSearch<'search, 'watch, G: Game, T: Table> {
    game: &'search G,
    order: Order,
    table: &'search T,
    path: Path,
    images: Images<'search>,
    watch: &'search mut Watch<'watch>,
    statistics: &'search mut Statistics,
    history: History,
    sizes: Sizes,
    /// Whether symmetries are looked at here: where trees are small, they cost more than they save.
    imaged: bool,
    frames: Vec<Frame<G::Position>>,
    scratch: MoveList,
    /// How the opponent sees the end of a game in which the mover repeats a position.
    cycle: Score,
    found: Found,
    news: &'search mut dyn FnMut(&Found, u64, Duration),
    nodes_at_news: u64,
}

/// Closes the score of the root in by one question after the other until it is known or the search is stopped. `news`
/// is told after each answer, and now and then.
pub(crate) fn examine<'search, G: Game, T: Table>(
    game: &'search G,
    root: &Root<G>,
    settings: &ProofSettings,
    table: &'search T,
    watch: &'search mut Watch<'_>,
    statistics: &'search mut Statistics,
    news: &'search mut dyn FnMut(&Found, u64, Duration),
) -> Result<Found, Interrupt> {
    let mut search = ExhaustiveSearch {
        game,
        order: settings.order,
        table,
        path: Path::new(game, root),
        images: Images::new(game, &root.position),
        watch,
        statistics,
        history: History::new(),
        sizes: Sizes::new(game.info(), game.settles()),
        imaged: true,
        frames: Vec::new(),
        scratch: MoveList::new(),
        cycle: -plain(outcome_of_cycle(game.info().repetition.result)),
        found: Found { least: Score::LOST, most: Score::WON, line: Vec::new() },
        news,
        nodes_at_news: 0,
    };
    let mut moves = MoveList::new();
    let empty = search.sizes.empty(&game.unpack(&root.position));
    match search.generate(&root.position, &mut moves) {
        Ok(Some(outcome)) => {
            return Ok(Found { least: plain(outcome), most: plain(outcome), line: Vec::new() });
        }
        Ok(None) => {}
        // There was no time for anything.
        Err(Interrupt::Stopped) => return Ok(search.found),
        Err(fault) => return Err(fault),
    }
    let mut beta = match settings.guess {
        Some(points) => Score::of_outcome(Outcome::Score(points), 0),
        None => Score::DRAW.next(),
    };
    while !search.found.is_everything() {
        beta = beta.max(search.found.least.next()).min(search.found.most);
        match search.visit(&root.position, &moves, empty, beta) {
            Ok(Finding { score, .. }) if score >= beta => search.found.least = score,
            Ok(Finding { score, .. }) => search.found.most = score,
            Err(Interrupt::Stopped) => break,
            Err(fault) => return Err(fault),
        }
        beta = if search.found.least >= beta { search.found.least.next() } else { search.found.most };
        search.found.line = search.line(root)?;
        search.tell_news();
    }
    Ok(search.found)
}

/// An outcome without its distance.
fn plain(outcome: Outcome) -> Score {
    match outcome {
        Outcome::Win => Score::WON,
        Outcome::Loss => Score::LOST,
        other => Score::of_outcome(other, 0),
    }
}

/// The score of an entry, if it decides a null window below beta.
fn decided(entry: Entry, beta: Score) -> Option<Score> {
    let score = Score::from_stored(entry.score, 0);
    let decides = match entry.bound {
        Bound::Exact => true,
        Bound::Lower => score >= beta,
        Bound::Upper => score < beta,
    };
    decides.then_some(score)
}

/// The score of a worth, as [`plain`] outcomes have it.
fn score_of(worth: i64) -> Score {
    plain(Outcome::of_worth(worth))
}

/// The least worth that is as good as a score.
fn worth_of(score: Score) -> i64 {
    let points = Score::of_outcome(Outcome::Score(1), 0).value() - 1;
    let most = Score::of_outcome(Outcome::Score(Outcome::SCORE_MAX), 0);
    let value = score.value();
    match value {
        _ if score <= Score::LOST => -Outcome::WIN_WORTH,
        _ if score < -most => 1 - Outcome::WIN_WORTH,
        _ if score > most => Outcome::WIN_WORTH,
        _ if value > 0 => i64::from((value - points).max(1)),
        _ => i64::from((value + points).min(0)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_worth_is_enough_exactly_if_its_score_is() {
        let worths =
            (-70..=70).chain([-Outcome::WIN_WORTH, Outcome::WIN_WORTH, 1 - (1 << 29), (1 << 29) - 1]);
        let worths: Vec<i64> = worths.collect();
        let asked = worths.iter().map(|&worth| score_of(worth));
        let around = asked.flat_map(|score| [score.previous(), score, score.next()]);
        for score in around.filter(|&score| score <= Score::WON) {
            for &worth in &worths {
                assert_eq!(worth >= worth_of(score), score_of(worth) >= score, "{worth} for {score:?}");
            }
        }
    }
}
