//! What peers on one root share beside the table: words that threads, or processes of a host, read and write at any
//! time. What is read too early or too late costs time and nothing else; words that do not belong together do not fit
//! the name that they are asked for by, and are not believed.

use std::sync::atomic::{AtomicU64, Ordering};

use game::{Move, Signature};
use search::{Depth, PLY_MAX, Score, Window};

/// Results that are kept: a search of some milliseconds. What is older is in the table.
const RESULTS: usize = 1 << 14;
/// Marks a result as one: an empty place is not a draw.
const IS_RESULT: u64 = 1 << 40;
/// What a peer is told of a node has a line.
const HAS_LINE: u64 = 1 << 41;
/// What a peer is told of a node is that there is a better move.
const IS_IMPROVED: u64 = 1 << 42;

/// Words of a line of the cache: what one peer writes and others read has lines of its own.
const CACHE_LINE: usize = 8;
const MIX: u64 = 0x9e37_79b9_7f4a_7c15;

/// Moves of a line that others are told.
const LINE_MAX: usize = 62;

// The head: how often the root has changed, whether all is over, nodes of all, and the last roots.
const CHANGES: usize = 0;
const IS_OVER: usize = 1;
const NODES: usize = CACHE_LINE;
const ROOTS: usize = 2 * CACHE_LINE;
/// A root stays in its place until so many others have come.
const ROOTS_KEPT: usize = 8;
const HEAD: usize = ROOTS + 2 * ROOTS_KEPT;

// A seat: whether there is mail, a line that belongs to it, and a line of the cache for each ply.
const LINE: usize = CACHE_LINE;
const PATH: usize = LINE + CACHE_LINE * (LINE_MAX + 2).div_ceil(CACHE_LINE);
const SEAT: usize = PATH + CACHE_LINE * (PLY_MAX + 1);

// A ply of a seat: the names of the node and of the move of it that its owner searches, 0 where there is none, and what
// others have to say of such a node: its name folded with the news, and the news.
const NODE: usize = 0;
const PLAYED: usize = 1;
const WHOSE: usize = 2;
const NEWS: usize = 3;

/// What a peer has found out about a node.
pub(super) enum News {
    /// What it is worth, and its best line, move by move, if it has one.
    Done(Score, Vec<Signature>),
    /// It has a better move than was known.
    Improved,
}

/// The board of some peers.
pub(crate) struct Board<'run> {
    head: &'run [AtomicU64],
    seats: Vec<&'run [AtomicU64]>,
    results: &'run [AtomicU64],
}

fn get(word: &AtomicU64) -> u64 {
    word.load(Ordering::Relaxed)
}

fn set(word: &AtomicU64, value: u64) {
    word.store(value, Ordering::Relaxed);
}

/// Seals a line of a node: any other line, or of any other node, has another seal.
fn seal(name: u64, differences: impl Iterator<Item = u64>) -> u64 {
    differences.fold(name, |seal, difference| (seal ^ difference).wrapping_mul(MIX).rotate_left(29))
}

impl<'run> Board<'run> {
    /// Words for so many peers; all are 0 at the beginning of a search.
    pub(crate) fn words(peers: usize) -> usize {
        HEAD + peers * SEAT + 2 * RESULTS
    }

    /// The board in these words, of which there are enough.
    pub(crate) fn new(words: &'run [AtomicU64], peers: usize) -> Board<'run> {
        let (head, rest) = words.split_at(HEAD);
        let (seats, results) = rest.split_at(peers * SEAT);
        Board { head, seats: seats.chunks_exact(SEAT).collect(), results: &results[..2 * RESULTS] }
    }

    /// The nodes of all peers.
    pub(crate) fn nodes(&self) -> &'run AtomicU64 {
        &self.head[NODES]
    }

    /// How often the root has changed.
    #[inline]
    pub(super) fn changes(&self) -> u64 {
        self.head[CHANGES].load(Ordering::Acquire)
    }

    pub(super) fn is_over(&self) -> bool {
        get(&self.head[IS_OVER]) != 0
    }

    /// Sends all home.
    pub(super) fn end(&self) {
        set(&self.head[IS_OVER], 1);
        self.head[CHANGES].fetch_add(1, Ordering::Release);
    }

    /// Says what is searched at the root. There is one who does.
    pub(super) fn put_root(&self, window: Window, depth: Depth) {
        let change = self.changes() + 1;
        let place = ROOTS + 2 * (change as usize % ROOTS_KEPT);
        let [alpha, beta] = [window.alpha, window.beta].map(|score| u64::from(score.value() as u32));
        set(&self.head[place], alpha << 32 | beta);
        set(&self.head[place + 1], depth.0 as u64);
        self.head[CHANGES].store(change, Ordering::Release);
    }

    /// What was searched at the root after so many changes.
    pub(super) fn root(&self, change: u64) -> (Window, Depth) {
        let place = ROOTS + 2 * (change as usize % ROOTS_KEPT);
        let (scores, depth) = (get(&self.head[place]), get(&self.head[place + 1]));
        let [alpha, beta] = [scores >> 32, scores].map(|score| Score::from_value(score as u32 as i32));
        (Window { alpha, beta }, Depth(depth as i32))
    }

    fn result_words(&self, name: u64) -> [&AtomicU64; 2] {
        let place = (name >> 20) as usize % RESULTS * 2;
        [&self.results[place], &self.results[place + 1]]
    }

    /// What was found out lately about something with this name.
    pub(super) fn result(&self, name: u64) -> Option<Score> {
        let [whose, result] = self.result_words(name).map(get);
        (whose ^ result == name && result & IS_RESULT != 0).then(|| Score::from_value(result as u32 as i32))
    }

    pub(super) fn put_result(&self, name: u64, score: Score) {
        let [whose, result] = self.result_words(name);
        let score = u64::from(score.value() as u32) | IS_RESULT;
        set(result, score);
        set(whose, name ^ score);
    }

    fn at(&self, peer: usize, ply: usize, what: usize) -> &AtomicU64 {
        &self.seats[peer][PATH + ply * CACHE_LINE + what]
    }

    /// A peer is in a node, or in none if its name is 0; returns the name that was there before.
    pub(super) fn enter(&self, peer: usize, ply: usize, name: u64) -> u64 {
        replace(self.at(peer, ply, NODE), name)
    }

    /// A peer searches a move of a node, or none; returns the name that was there before.
    pub(super) fn begin_move(&self, peer: usize, ply: usize, name: u64) -> u64 {
        replace(self.at(peer, ply, PLAYED), name)
    }

    /// Whether a peer other than this one searches a move.
    pub(super) fn is_elsewhere(&self, peer: usize, ply: usize, name: u64) -> bool {
        (0..self.seats.len()).any(|other| other != peer && get(self.at(other, ply, PLAYED)) == name)
    }

    /// Tells all others who are in a node what came of it, or that it has a better move.
    pub(super) fn tell(&self, peer: usize, ply: usize, name: u64, found: Option<(Score, &[Move])>) {
        for other in (0..self.seats.len()).filter(|&other| other != peer) {
            if get(self.at(other, ply, NODE)) != name {
                continue;
            }
            let news = match found {
                Some((score, line)) => {
                    let has_line = if self.put_line(other, name, line) { HAS_LINE } else { 0 };
                    u64::from(score.value() as u32) | IS_RESULT | has_line
                }
                None => IS_IMPROVED,
            };
            set(self.at(other, ply, NEWS), news);
            self.at(other, ply, WHOSE).store(name ^ news, Ordering::Release);
            self.seats[other][0].store(1, Ordering::Release);
        }
    }

    /// Writes a line where a peer finds it; false if there is nothing to write.
    fn put_line(&self, peer: usize, name: u64, line: &[Move]) -> bool {
        let line = &line[..line.len().min(LINE_MAX)];
        let difference = |played: &Move| played.view().head.signature_difference.0;
        let words = &self.seats[peer][LINE..];
        set(&words[1], line.len() as u64);
        words[2..].iter().zip(line).for_each(|(word, played)| set(word, difference(played)));
        words[0].store(seal(name, line.iter().map(difference)), Ordering::Release);
        !line.is_empty()
    }

    /// The line of a node that a peer was told of; `None` if another one was written over it.
    fn line(&self, peer: usize, name: u64) -> Option<Vec<Signature>> {
        let words = &self.seats[peer][LINE..];
        let sealed = words[0].load(Ordering::Acquire);
        let count = (get(&words[1]) as usize).min(LINE_MAX);
        let line: Vec<u64> = words[2..2 + count].iter().map(get).collect();
        (seal(name, line.iter().copied()) == sealed).then(|| line.into_iter().map(Signature).collect())
    }

    /// Whether another peer has told this one something; only once.
    #[inline]
    pub(super) fn has_mail(&self, peer: usize) -> bool {
        let mail = &self.seats[peer][0];
        if get(mail) == 0 {
            return false;
        }
        mail.store(0, Ordering::Relaxed);
        std::sync::atomic::fence(Ordering::Acquire);
        true
    }

    /// What a peer was told of the uppermost node that it is in still, down to this ply, and the ply of that.
    pub(super) fn news(&self, peer: usize, ply_max: usize) -> Option<(usize, News)> {
        (0..=ply_max).find_map(|ply| {
            let name = get(self.at(peer, ply, NODE));
            let whose = self.at(peer, ply, WHOSE).load(Ordering::Acquire);
            let news = get(self.at(peer, ply, NEWS));
            if name == 0 || news == 0 || whose ^ news != name {
                return None;
            }
            set(self.at(peer, ply, NEWS), 0);
            if news & IS_IMPROVED != 0 {
                return Some((ply, News::Improved));
            }
            let line = if news & HAS_LINE != 0 { self.line(peer, name)? } else { Vec::new() };
            Some((ply, News::Done(Score::from_value(news as u32 as i32), line)))
        })
    }
}

fn replace(word: &AtomicU64, value: u64) -> u64 {
    let before = get(word);
    set(word, value);
    before
}

#[cfg(test)]
mod tests {
    use game::moves::MoveHead;

    use super::*;

    fn a_move(difference: u64) -> Move {
        Move::new(MoveHead::new(Signature(difference)), [])
    }

    #[test]
    fn news_reach_those_who_are_in_the_node_still() {
        let words = table::room::words(Board::words(3));
        let board = Board::new(&words, 3);
        let (name, other, score) = (0x1234_5678_9abc_def1, 77, Score::estimate(-42));
        for peer in 0..2 {
            assert_eq!(board.enter(peer, 5, name), 0);
        }
        assert_eq!(board.enter(2, 5, other), 0);
        let line = [a_move(7), a_move(u64::MAX)];
        board.tell(0, 5, name, Some((score, &line)));
        assert!(!board.has_mail(0) && !board.has_mail(2) && board.has_mail(1) && !board.has_mail(1));
        assert!(board.news(1, 4).is_none(), "it is at ply 5");
        let Some((5, News::Done(told, differences))) = board.news(1, 9) else { panic!("nothing was told") };
        assert_eq!((told, &differences[..]), (score, &[Signature(7), Signature(u64::MAX)][..]));
        assert!(board.news(1, 9).is_none(), "news are news once");

        // A peer that has left the node is not disturbed, and a line of another node is not believed.
        board.tell(0, 5, name, Some((score, &line)));
        assert_eq!(board.enter(1, 5, other), name);
        assert!(board.has_mail(1) && board.news(1, 9).is_none());
        board.enter(1, 5, name);
        board.tell(0, 5, name, Some((score, &line)));
        board.put_line(1, other, &line);
        assert!(board.news(1, 9).is_none());
        board.tell(2, 5, name, None);
        assert!(matches!(board.news(1, 9), Some((5, News::Improved))));
    }

    #[test]
    fn long_lines_are_cut_and_results_belong_to_their_names() {
        let words = table::room::words(Board::words(2));
        let board = Board::new(&words, 2);
        board.enter(1, 0, 9);
        let line: Vec<Move> = (0..200).map(a_move).collect();
        board.tell(0, 0, 9, Some((Score::DRAW, &line)));
        let Some((0, News::Done(_, told))) = board.news(1, 0) else { panic!("nothing was told") };
        assert_eq!(told.len(), LINE_MAX);

        let name = 0x0fed_cba9_8765_4321;
        assert_eq!(board.result(name), None);
        board.put_result(name, Score::win_in(3));
        assert_eq!((board.result(name), board.result(name + 2)), (Some(Score::win_in(3)), None));
    }

    #[test]
    fn the_root_is_what_the_leader_said_last() {
        let words = table::room::words(Board::words(2));
        let board = Board::new(&words, 2);
        for depth in 1..20 {
            let window = Window { alpha: Score::estimate(-depth), beta: Score::INFINITE };
            board.put_root(window, Depth(depth));
            assert_eq!(board.root(board.changes()), (window, Depth(depth)));
        }
        assert!(!board.is_over());
        board.end();
        assert!(board.is_over());
    }
}
