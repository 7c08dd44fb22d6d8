//! First moves of a state that looks the same from several sides. A symmetry that keeps the state takes a solution to
//! a solution, so of all moves that such symmetries exchange one is enough; behind it the same holds for those
//! symmetries that keep this move, too.
//!
//! Nothing is lost, together with [`super::pruning`]: of all shortest solutions the one that comes first in the order
//! of moves begins with the first move of its orbit (otherwise a symmetry would make it come sooner), goes on with
//! the first of what is exchanged behind that, and has none of the pairs that are left out.
//!
//! A state that commutes with every move, such as a cube with all edges flipped, stays what it is when the first move
//! of a solution becomes its last one. Then every move of a solution can be its first one, so none of them comes
//! before it.

use game::motion::{Motion, State, Symmetry};

use super::pruning::Automaton;

/// Moves at the beginning of which symmetries are looked at.
const DEPTH: usize = 4;

/// By row: moves that are tried, and the rows behind them.
pub type Rows = Vec<Vec<(usize, usize)>>;

struct Alike<'run> {
    automaton: &'run Automaton,
    /// By move: the first one of those that become it.
    first: Vec<usize>,
    rows: Rows,
}

/// The rows of an automaton with others behind them for a start that symmetries keep, and the row to begin with;
/// `None` if none keep it.
#[must_use]
pub fn rows(motion: &Motion, automaton: &Automaton, start: &State) -> Option<(Rows, usize)> {
    let is_whole = motion.kinds.iter().all(|kind| kind.pieces.len() == kind.places.len());
    if motion.modes.len() != 1 || !is_whole {
        return None;
    }
    let all = Symmetry::all(motion);
    let keeps: Vec<&Symmetry> = all.iter().filter(|one| one.of(motion, start) == *start).collect();
    let commutes = commutes(motion, start);
    if keeps.len() < 2 && !commutes {
        return None;
    }
    let first = (0..automaton.moves.len()).map(|number| first_of(&keeps, number)).collect();
    let mut alike = Alike { automaton, first, rows: automaton.rows() };
    let begin = alike.begin(&keeps, commutes);
    Some((alike.rows, begin))
}

/// The first of the moves that a move becomes.
fn first_of(symmetries: &[&Symmetry], number: usize) -> usize {
    symmetries.iter().map(|symmetry| symmetry.moves[number]).min().unwrap_or(number)
}

impl Alike<'_> {
    fn begin(&mut self, keeps: &[&Symmetry], commutes: bool) -> usize {
        let mut begin = Vec::new();
        for &number in &self.automaton.next[self.automaton.begin(0)] {
            if self.first[number] != number {
                continue;
            }
            let least = if commutes { number } else { 0 };
            let plain = self.plain(least);
            let rest = still(keeps, number);
            begin.push((number, self.behind(number, &rest, least, plain, 1)));
        }
        self.rows.push(begin);
        self.rows.len() - 1
    }

    /// The first of the automaton's rows without moves of which the first one comes before the least.
    fn plain(&mut self, least: usize) -> usize {
        if least == 0 {
            return 0;
        }
        let plain = self.rows.len();
        for next in &self.automaton.next[..self.automaton.moves.len()] {
            let rest = next.iter().filter(|&&number| self.first[number] >= least);
            self.rows.push(rest.map(|&number| (number, plain + number)).collect());
        }
        plain
    }

    /// The row behind a move if these symmetries keep all that was done.
    fn behind(
        &mut self,
        last: usize,
        keeps: &[&Symmetry],
        least: usize,
        plain: usize,
        depth: usize,
    ) -> usize {
        if keeps.len() < 2 || depth == DEPTH {
            return plain + last;
        }
        let mut row = Vec::new();
        for &number in &self.automaton.next[last] {
            if self.first[number] >= least && first_of(keeps, number) == number {
                row.push((number, self.behind(number, &still(keeps, number), least, plain, depth + 1)));
            }
        }
        self.rows.push(row);
        self.rows.len() - 1
    }
}

/// Those symmetries that keep a move as well.
fn still<'run>(keeps: &[&'run Symmetry], number: usize) -> Vec<&'run Symmetry> {
    keeps.iter().filter(|symmetry| symmetry.moves[number] == number).copied().collect()
}

/// Whether it does not matter if what leads to a state comes before or behind a move.
fn commutes(motion: &Motion, start: &State) -> bool {
    let mut leads: Vec<usize> = (0..motion.sites()).collect();
    for kind in &motion.kinds {
        let lie = |site: u8| kind.lies[usize::from(site)];
        for &piece in &kind.pieces {
            let (Some(home), Some(now)) = (lie(motion.goal.at[piece]), lie(start.at[piece])) else {
                return false;
            };
            let site = |(place, twist): (u8, u8), field: usize| {
                usize::from(kind.places[usize::from(place)][(usize::from(twist) + field) % kind.twists])
            };
            (0..kind.twists).for_each(|field| leads[site(home, field)] = site(now, field));
        }
    }
    motion.modes[0].iter().all(|operator| {
        let goes = |site: usize| usize::from(operator.map[site]);
        (0..motion.sites()).all(|site| goes(leads[site]) == leads[goes(site)])
    })
}
