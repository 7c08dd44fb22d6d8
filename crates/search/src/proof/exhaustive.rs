//! Every line to the end of the game, with null windows and a table: "is it worth at least this much?" For games that
//! end by themselves after a few dozen moves (connect-4, domineering, Othello on a small board), where proof numbers
//! lead nowhere because everything is equally far from its end.
//!
//! A node looks one ply ahead before it goes deeper: children that the table knows, that end the game, or where the
//! opponent has a move that ends it well, need no search. The others are ordered by what they leave the opponent to do, by
//! what the evaluation thinks of them, and by whether such moves were good lately ([`Order`]).
//!
//! Positions that are images of each other by a symmetry of the rules are one position (`images.rs`).
//!
//! Scores have no distances: a win is a win. A result that rests on a cycle is believed where it was found, and not
//! stored for other lines (see [`super`]). Whoever keeps the table keeps what was found out: a search that begins with it
//! comes to where the last one was in no time.

use std::time::Duration;

use game::{Colour, Game, Move, MoveList, MoveView, Outcome, Signature, Stage};
use table::{Bound, Entry, Table};

use super::ProofSettings;
use super::claim::outcome_of_cycle;
use super::images::Images;
use crate::path::Path;
use crate::root::Root;
use crate::score::Score;
use crate::statistics::Statistics;
use crate::watch::{Interrupt, Watch};

/// Lines are not followed further: the search gives up.
const PLY_MAX: usize = 500;
const HISTORY_BITS: u32 = 14;
/// Good moves come near to this, bad ones to its opposite. They do so quickly: what was good a moment ago, in a position
/// much like this one, says more than what is good in general.
const HISTORY_MAX: i32 = 1 << 14;
/// History that weighs as much as a point of evaluation.
const HISTORY_POINT: i32 = 16;
/// News is told after about so many nodes.
const NODES_BETWEEN_NEWS: u64 = 1 << 18;
/// What the exhaustive search stores is not for others, whose scores have distances, nor theirs for it.
const KEYS: Signature = Signature(0x6578_6861_7573_7469);

/// How much each sign of a good move counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Order {
    /// Whether a move refuted lately or failed to: up to 1024 points each way.
    pub history: i32,
    /// Each move that the opponent has less.
    pub replies: i32,
    /// Each move that the mover would have if the opponent passed.
    pub moves: i32,
    /// Each point of evaluation.
    pub evaluation: i32,
}

impl Order {
    /// The names of the signs.
    pub const NAMES: [&'static str; 4] = ["history", "replies", "moves", "evaluation"];

    /// Says how much the sign with this name counts; false when there is none.
    pub fn set(&mut self, name: &str, weight: i32) -> bool {
        match name {
            "history" => self.history = weight,
            "replies" => self.replies = weight,
            "moves" => self.moves = weight,
            "evaluation" => self.evaluation = weight,
            _ => return false,
        }
        true
    }
}

impl Default for Order {
    fn default() -> Order {
        Order { history: 1, replies: 2, moves: 0, evaluation: 2 }
    }
}

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

/// A position one ply further, with its moves.
struct Child<P> {
    position: P,
    moves: MoveList,
    index: usize,
    rank: i64,
}

/// The children of a node; lists are kept for the next node of the same ply.
struct Frame<P> {
    children: Vec<Child<P>>,
    used: usize,
    /// Where the table has the position after each move.
    keys: Vec<Signature>,
    /// The moves that need a search.
    open: Vec<usize>,
}

impl<P> Frame<P> {
    fn new() -> Frame<P> {
        Frame { children: Vec::new(), used: 0, keys: Vec::new(), open: Vec::new() }
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

pub(crate) struct Search<'search, 'watch, G: Game, T: Table> {
    game: &'search G,
    order: Order,
    table: &'search T,
    path: Path,
    images: Images<'search>,
    watch: &'search mut Watch<'watch>,
    statistics: &'search mut Statistics,
    history: Box<[i32]>,
    frames: Vec<Frame<G::Position>>,
    scratch: MoveList,
    /// How the opponent sees the end of a game in which the mover repeats a position.
    cycle: Score,
    found: Found,
    news: &'search mut dyn FnMut(&Found, u64, Duration),
    nodes_at_news: u64,
}

/// Closes the score of the root in by one question after the other until it is known or the search is stopped. `news` is told
/// after each answer, and now and then.
pub(crate) fn examine<'search, G: Game, T: Table>(
    game: &'search G,
    root: &Root<G>,
    settings: &ProofSettings,
    table: &'search T,
    watch: &'search mut Watch<'_>,
    statistics: &'search mut Statistics,
    news: &'search mut dyn FnMut(&Found, u64, Duration),
) -> Result<Found, Interrupt> {
    let mut search = Search {
        game,
        order: settings.order,
        table,
        path: Path::new(game, root),
        images: Images::new(game, &root.position),
        watch,
        statistics,
        history: vec![0; 1 << HISTORY_BITS].into(),
        frames: Vec::new(),
        scratch: MoveList::new(),
        cycle: -plain(outcome_of_cycle(game.info().repetition.result)),
        found: Found { least: Score::LOST, most: Score::WON, line: Vec::new() },
        news,
        nodes_at_news: 0,
    };
    let mut moves = MoveList::new();
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
        match search.visit(&root.position, &moves, beta) {
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

impl<G: Game, T: Table> Search<'_, '_, G, T> {
    fn tell_news(&mut self) {
        self.nodes_at_news = self.watch.nodes();
        (self.news)(&self.found, self.nodes_at_news, self.watch.elapsed());
    }

    /// The score of a position with these moves: at least beta, or less.
    fn visit(&mut self, position: &G::Position, moves: &MoveList, beta: Score) -> Result<Finding, Interrupt> {
        let (least, view) = self.images.least(self.path.last().signature);
        let key = least ^ KEYS;
        let known = self.table.probe(key);
        self.statistics.table.count_probe(known.as_ref());
        if let Some(score) = known.and_then(|entry| decided(entry, beta)) {
            self.statistics.table_cutoffs += 1;
            return Ok(Finding { score, path_dependent: false });
        }
        if self.path.ply() >= PLY_MAX {
            return Err(Interrupt::Stopped);
        }
        let nodes_before = self.watch.nodes();
        let mut frame = self.frames.pop().unwrap_or_else(Frame::new);
        let first = known
            .and_then(|entry| entry.best)
            .and_then(|best| (0..moves.len()).find(|&index| self.images.tag(view, moves.get(index)) == best));
        let result = self.expand(position, moves, beta, first, &mut frame);
        self.frames.push(frame);
        let Best { finding, index } = result?;
        if finding.path_dependent {
            self.statistics.path_dependent_results += 1;
            return Ok(finding);
        }
        let entry = Entry {
            score: finding.score.to_stored(0),
            bound: if finding.score >= beta { Bound::Lower } else { Bound::Upper },
            depth: 0,
            best: index.map(|index| self.images.tag(view, moves.get(index))),
            effort: Entry::effort_of(self.watch.nodes() - nodes_before),
            generation: 0,
        };
        let stored = self.table.store(key, entry);
        self.statistics.table.count_store(stored);
        Ok(finding)
    }

    fn expand(
        &mut self,
        position: &G::Position,
        moves: &MoveList,
        beta: Score,
        first: Option<usize>,
        frame: &mut Frame<G::Position>,
    ) -> Result<Best, Interrupt> {
        let nothing = Finding { score: Score::MINUS_INFINITE, path_dependent: false };
        let mut best = Best { finding: nothing, index: None };
        if self.what_is_known(moves, beta, frame, &mut best) {
            return Ok(best);
        }
        if self.look_ahead(position, moves, beta, first, frame, &mut best)? {
            return Ok(best);
        }
        let mover = self.game.mover(position);
        frame.children[..frame.used].sort_unstable_by_key(|child| (-child.rank, child.index));
        for tried in 0..frame.used {
            let child = &frame.children[tried];
            let played = moves.get(child.index);
            self.path.push(played);
            self.images.push(played);
            let result = self.visit(&child.position, &child.moves, (-beta).next());
            self.images.pop();
            self.path.pop();
            let finding = result?;
            best.take(Finding { score: -finding.score, ..finding }, child.index);
            if best.finding.score >= beta {
                // What is good enough may rest on nothing else.
                best.finding.path_dependent = finding.path_dependent;
                self.statistics.cutoffs += 1;
                self.statistics.cutoffs_first += u64::from(tried == 0);
                self.learn(moves, &frame.children[..=tried], mover);
                break;
            }
        }
        Ok(best)
    }

    /// Endings, cycles, and children in the table. True when one of them is good enough; the frame is told of the others.
    fn what_is_known(
        &mut self,
        moves: &MoveList,
        beta: Score,
        frame: &mut Frame<G::Position>,
        best: &mut Best,
    ) -> bool {
        for (index, played) in moves.iter().enumerate() {
            if let Some(outcome) = played.head.outcome()
                && plain(outcome) >= beta
            {
                best.finding = Finding { score: plain(outcome), path_dependent: false };
                best.index = Some(index);
                return true;
            }
        }
        let here = self.path.last().signature;
        frame.keys.clear();
        frame.open.clear();
        for played in moves.iter() {
            let key = self.images.least_after(here, played) ^ KEYS;
            self.table.touch(key);
            frame.keys.push(key);
        }
        for (index, played) in moves.iter().enumerate() {
            let finding = if let Some(outcome) = played.head.outcome() {
                Finding { score: plain(outcome), path_dependent: false }
            } else {
                if self.path.repeats(played) {
                    Finding { score: -self.cycle, path_dependent: true }
                } else if let Some(score) =
                    self.table.probe(frame.keys[index]).and_then(|entry| decided(entry, (-beta).next()))
                {
                    self.statistics.transposition_cutoffs += 1;
                    Finding { score: -score, path_dependent: false }
                } else {
                    frame.open.push(index);
                    continue;
                }
            };
            best.take(finding, index);
            if finding.score >= beta {
                best.finding = finding;
                return true;
            }
        }
        false
    }

    /// Generates the moves of all children that are not known, and ranks those that need a search. True when one is good
    /// enough without.
    fn look_ahead(
        &mut self,
        position: &G::Position,
        moves: &MoveList,
        beta: Score,
        first: Option<usize>,
        frame: &mut Frame<G::Position>,
        best: &mut Best,
    ) -> Result<bool, Interrupt> {
        let mover = self.game.mover(position);
        let enough_for_opponent = (-beta).next();
        frame.used = 0;
        for &index in &frame.open {
            let played = moves.get(index);
            if frame.used == frame.children.len() {
                let moves = MoveList::new();
                frame.children.push(Child { position: position.clone(), moves, index, rank: 0 });
            }
            let child = &mut frame.children[frame.used];
            child.index = index;
            child.position.clone_from(position);
            self.game.play(&mut child.position, played);
            self.path.push(played);
            let ended = self.generate(&child.position, &mut child.moves);
            self.path.pop();
            let ending = match ended? {
                Some(outcome) => Some(plain(outcome)),
                None => child
                    .moves
                    .iter()
                    .filter_map(|reply| reply.head.outcome().map(plain))
                    .max()
                    .filter(|&score| score >= enough_for_opponent),
            };
            if let Some(score) = ending {
                let finding = Finding { score: -score, path_dependent: false };
                best.take(finding, index);
                if finding.score >= beta {
                    best.finding = finding;
                    return Ok(true);
                }
                continue;
            }
            let rank = if first == Some(index) { i64::MAX } else { self.rank(played, mover, child)? };
            child.rank = rank;
            frame.used += 1;
        }
        Ok(false)
    }

    fn generate(
        &mut self,
        position: &G::Position,
        moves: &mut MoveList,
    ) -> Result<Option<Outcome>, Interrupt> {
        self.watch.count_node()?;
        self.statistics.generations += 1;
        if self.watch.nodes() - self.nodes_at_news >= NODES_BETWEEN_NEWS {
            self.tell_news();
        }
        if let Some(outcome) = self.game.generate(position, Stage::All, moves)? {
            return Ok(Some(outcome));
        }
        Ok(self.path.take_out_forbidden(moves))
    }

    fn rank(
        &mut self,
        played: MoveView<'_>,
        mover: Colour,
        child: &Child<G::Position>,
    ) -> Result<i64, Interrupt> {
        let order = self.order;
        let history = self.history[slot(played, mover)] / HISTORY_POINT;
        let mut rank = i64::from(order.history) * i64::from(history);
        rank -= i64::from(order.replies) * child.moves.len() as i64;
        if order.evaluation != 0 {
            self.statistics.evaluations += 1;
            rank -= i64::from(order.evaluation) * i64::from(self.game.evaluate(&child.position)?);
        }
        if order.moves != 0 {
            let mut passed = child.position.clone();
            if self.game.pass(&mut passed) {
                rank += i64::from(order.moves) * self.game.count(&passed, &mut self.scratch)? as i64;
            }
        }
        Ok(rank)
    }

    /// The last of these children refuted the node, those before it did not.
    fn learn(&mut self, moves: &MoveList, children: &[Child<G::Position>], mover: Colour) {
        let Some((good, others)) = children.split_last() else { return };
        if others.is_empty() {
            return;
        }
        let worth = &mut self.history[slot(moves.get(good.index), mover)];
        *worth += (HISTORY_MAX - *worth) / 8;
        for child in others {
            let worth = &mut self.history[slot(moves.get(child.index), mover)];
            *worth -= (HISTORY_MAX + *worth) / 16;
        }
    }

    /// The line of known positions from the root on, as far as the table still has it.
    fn line(&mut self, root: &Root<G>) -> Result<Vec<Move>, Interrupt> {
        let mut line: Vec<Move> = Vec::new();
        let mut position = root.position.clone();
        let mut moves = MoveList::new();
        // Between questions they are those of the root.
        let mut images = self.images.clone();
        let mut seen = Vec::new();
        while line.len() < PLY_MAX
            && !seen.contains(&self.game.signature(&position))
            && self.game.generate(&position, Stage::All, &mut moves)?.is_none()
        {
            let (least, view) = images.least(self.game.signature(&position));
            let best = self.table.probe(least ^ KEYS).and_then(|entry| entry.best);
            let Some(played) = moves.iter().find(|&played| best == Some(images.tag(view, played))) else {
                break;
            };
            seen.push(self.game.signature(&position));
            line.push(played.to_move());
            if played.head.outcome().is_some() {
                break;
            }
            images.push(played);
            self.game.play(&mut position, played);
        }
        Ok(line)
    }
}

/// Where the history of a move is kept: by the field that a piece is put on, or by what the move changes if it moves one.
fn slot(played: MoveView<'_>, mover: Colour) -> usize {
    let lead = usize::from(played.head.lead);
    let put = played.changes.iter().any(|change| change.slot() == lead && change.old() == 0);
    let Signature(bits) = if put {
        Signature((lead as u64) << 1 | mover.index() as u64)
    } else {
        played.head.signature_difference
    };
    (bits.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - HISTORY_BITS)) as usize
}
