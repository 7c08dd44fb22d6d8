//! Longer sequences of moves that need not be tried, after Taylor and Korf 1993: of all sequences with the same effect
//! one is enough, the shortest and among those the first. Three tiles and a blank that go round in a square come to the
//! same after six moves whichever way they go.
//!
//! Sequences that are left out are *words* over the moves. A machine that reads moves and knows the longest beginning
//! of such a word that the last moves are (Aho and Corasick 1975) says which moves are left.

use std::collections::{HashMap, HashSet};

use game::motion::{Motion, Operator};

/// Sequences that are looked at, at most: enough for six or seven moves of a sliding puzzle.
const WORDS_MAX: usize = 16_000;

/// The machine, with a row for each of its states.
#[derive(Clone, Debug)]
pub struct Words {
    /// By row: numbers of the moves to be tried next, and the rows behind them.
    pub rows: Vec<Vec<(usize, usize)>>,
    /// By mode: the row of a state that no move has led to.
    pub begins: Vec<usize>,
    /// By number of a move: its mode and its number there.
    pub moves: Vec<(usize, usize)>,
}

/// Where the pieces on all sites of a mode come to lie; the mode then.
type Effect = (Vec<u8>, u16);

/// A sequence that is worth trying, from a mode, with its effect.
type Worth = (usize, Vec<usize>, Effect);

/// The moves of all modes, numbered.
struct Numbered<'run> {
    motion: &'run Motion,
    first: Vec<usize>,
    moves: Vec<(usize, usize)>,
}

impl Numbered<'_> {
    fn operator(&self, number: usize) -> &Operator {
        let (mode, index) = self.moves[number];
        &self.motion.modes[mode][index]
    }

    fn of_mode(&self, mode: usize) -> std::ops::Range<usize> {
        self.first[mode]..self.first[mode] + self.motion.modes[mode].len()
    }

    /// Nothing has been moved yet. Sites without a piece count as staying where they are: nothing is there to be moved.
    fn empty(&self, mode: usize) -> Worth {
        (mode, Vec::new(), ((0..self.motion.sites() as u8).collect(), mode as u16))
    }

    fn longer(&self, (mode, word, effect): &Worth, number: usize) -> Worth {
        let operator = self.operator(number);
        let holds = |site: usize| self.motion.holds[*mode] >> site & 1 != 0;
        let after = |(site, &to): (usize, &u8)| if holds(site) { operator.map[usize::from(to)] } else { to };
        let map = effect.0.iter().enumerate().map(after).collect();
        (*mode, [&word[..], &[number]].concat(), (map, operator.to))
    }
}

impl Words {
    /// The machine of a puzzle.
    #[must_use]
    pub fn new(motion: &Motion) -> Words {
        let (mut first, mut moves) = (Vec::new(), Vec::new());
        for (mode, operators) in motion.modes.iter().enumerate() {
            first.push(moves.len());
            moves.extend((0..operators.len()).map(|index| (mode, index)));
        }
        let numbered = Numbered { motion, first, moves };
        let forbidden = forbidden(&numbered);
        machine(&numbered, &forbidden)
    }
}

/// Words with the effect of a shorter one or of one that comes first, without those that have another such word in
/// them.
fn forbidden(numbered: &Numbered<'_>) -> HashSet<Vec<usize>> {
    let mut forbidden = HashSet::new();
    let mut level: Vec<Worth> = (0..numbered.motion.modes.len()).map(|mode| numbered.empty(mode)).collect();
    let mut known: Vec<HashSet<Effect>> =
        level.iter().map(|worth| HashSet::from([worth.2.clone()])).collect();
    let mut count = 0;
    loop {
        let mut next = Vec::new();
        let mut found = Vec::new();
        for worth in &level {
            for number in numbered.of_mode(usize::from(worth.2.1)) {
                let longer = numbered.longer(worth, number);
                if (1..longer.1.len()).any(|begin| forbidden.contains(&longer.1[begin..])) {
                    continue;
                }
                match known[longer.0].insert(longer.2.clone()) {
                    true => next.push(longer),
                    false => found.push(longer.1),
                }
            }
        }
        forbidden.extend(found);
        count += next.len();
        // As many again and half as many: what the next level would cost is known well enough.
        if next.is_empty() || count + 2 * next.len() > WORDS_MAX {
            return forbidden;
        }
        level = next;
    }
}

/// A state of the machine: moves that lead on in a word, the state for all but the first move of it, and its last move.
#[derive(Default)]
struct Node {
    on: HashMap<usize, usize>,
    shorter: usize,
    last: usize,
    is_forbidden: bool,
}

fn machine(numbered: &Numbered<'_>, forbidden: &HashSet<Vec<usize>>) -> Words {
    let mut nodes = vec![Node::default()];
    let mut words: Vec<Vec<usize>> = (0..numbered.moves.len()).map(|number| vec![number]).collect();
    words.extend(forbidden.iter().cloned());
    words.sort();
    for word in &words {
        let mut node = 0;
        for &number in word {
            let count = nodes.len();
            let on = *nodes[node].on.entry(number).or_insert(count);
            if on == count {
                nodes.push(Node { last: number, ..Node::default() });
            }
            node = on;
        }
        nodes[node].is_forbidden |= word.len() > 1 || forbidden.contains(word);
    }
    link(&mut nodes);
    let step = |mut node: usize, number: usize| loop {
        match nodes[node].on.get(&number) {
            Some(&on) => break on,
            None => node = nodes[node].shorter,
        }
    };
    let row = |node: usize, mode: usize| -> Vec<(usize, usize)> {
        let all = numbered.of_mode(mode).map(|number| (number, step(node, number)));
        all.filter(|&(_, on)| !nodes[on].is_forbidden).collect()
    };
    let mut rows = vec![Vec::new()];
    for (number, node) in nodes.iter().enumerate().skip(1) {
        rows.push(row(number, usize::from(numbered.operator(node.last).to)));
    }
    let begins = (0..numbered.motion.modes.len()).map(|mode| rows.len() + mode).collect();
    rows.extend((0..numbered.motion.modes.len()).map(|mode| row(0, mode)));
    Words { rows, begins, moves: numbered.moves.clone() }
}

/// For each state the one for the longest end of its word that begins a word, from short to long.
fn link(nodes: &mut [Node]) {
    let mut open: std::collections::VecDeque<usize> = nodes[0].on.values().copied().collect();
    while let Some(node) = open.pop_front() {
        let children: Vec<(usize, usize)> =
            nodes[node].on.iter().map(|(&number, &on)| (number, on)).collect();
        for (number, child) in children {
            let mut shorter = nodes[node].shorter;
            // Every single move is a state, so this ends.
            while !nodes[shorter].on.contains_key(&number) {
                shorter = nodes[shorter].shorter;
            }
            nodes[child].shorter = nodes[shorter].on[&number];
            let is_forbidden = nodes[nodes[child].shorter].is_forbidden;
            nodes[child].is_forbidden |= is_forbidden;
            open.push_back(child);
        }
    }
}
