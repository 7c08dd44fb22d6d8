//! Puzzles whose moves carry pieces ([`game::Motion`]), with any lower bounds, as something to share out.

use game::motion::{Bounds, Divided, Motion, SITES_MAX, State};
use search::one_player::dive::Diver;
use search::one_player::pruning::{Automaton, Pruning};

use super::space::{Child, Dive, Scout, Space, Start};

/// A state of such a puzzle and the way to its solution. A state travels as the sites of its pieces.
pub struct Carrying<'puzzle, B: Bounds> {
    motion: &'puzzle Motion,
    bounds: &'puzzle B,
    divided: Option<&'puzzle dyn Divided>,
    start: &'puzzle State,
    automaton: Automaton,
    /// By number of a move: where what is on each site goes.
    maps: Vec<[u8; SITES_MAX]>,
    /// By number of a move, and behind those by mode: the mode then.
    behind: Vec<u16>,
    /// By piece and site.
    keys: Vec<[u64; SITES_MAX]>,
    mode_keys: Vec<u64>,
    carries_one: bool,
}

/// The pieces that a home is chosen by are one of so many, where moves carry one piece.
const KIN_PART: usize = 3;
/// With fewer pieces there would not be homes enough.
const KIN_MIN: usize = 4;

/// A generator of keys; the same on every machine (splitmix64).
fn mix(number: u64) -> u64 {
    let mut word = number.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(0x9e37_79b9_7f4a_7c15);
    word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}

impl<'puzzle, B: Bounds> Carrying<'puzzle, B> {
    /// The puzzle with this start.
    #[must_use]
    pub fn new(motion: &'puzzle Motion, start: &'puzzle State, bounds: &'puzzle B) -> Self {
        let automaton = Automaton::new(motion, Pruning::Shortening);
        let map = |&(mode, index): &(usize, usize)| {
            let mut map = [0; SITES_MAX];
            map[..motion.sites()].copy_from_slice(&motion.modes[mode][index].map);
            map
        };
        let led_to = automaton.moves.iter().map(|&(mode, index)| motion.modes[mode][index].to);
        let key = |piece: usize| std::array::from_fn(|site| mix((piece * SITES_MAX + site) as u64));
        Carrying {
            maps: automaton.moves.iter().map(map).collect(),
            behind: led_to.chain(0..motion.modes.len() as u16).collect(),
            keys: (0..motion.pieces()).map(key).collect(),
            mode_keys: (0..motion.modes.len() as u64).map(|mode| mix(u64::MAX - mode)).collect(),
            carries_one: motion.carries_one(),
            motion,
            bounds,
            divided: None,
            start,
            automaton,
        }
    }

    /// With databases beside the bounds, which processors hold together.
    #[must_use]
    pub fn divided(self, divided: &'puzzle dyn Divided) -> Self {
        Carrying { divided: Some(divided), ..self }
    }

    /// Whether so many moves can be numbered.
    #[must_use]
    pub fn fits(motion: &Motion) -> bool {
        let moves = motion.modes.iter().map(Vec::len).sum::<usize>() + motion.modes.len();
        moves < usize::from(u16::MAX)
    }

    fn signature(&self, at: &[u8], mode: u16) -> u64 {
        let each = at.iter().zip(&self.keys).map(|(&site, keys)| keys[usize::from(site) % SITES_MAX]);
        each.fold(self.mode_keys[usize::from(mode)], |sum, key| sum ^ key)
    }

    fn is_goal(&self, at: &[u8], mode: u16) -> bool {
        let goal = &self.motion.goal;
        mode == goal.mode && at == &goal.at[..]
    }

    /// What follows a state where a move carries one piece: bound and signature change by what it carries.
    fn slide(&self, state: &[u8], last: u16, each: &mut dyn FnMut(&Child<'_>)) {
        let pieces = state.len();
        let kept = self.bounds.begin(state);
        let before = self.behind[usize::from(last)];
        let own = self.signature(state, before) ^ self.mode_keys[usize::from(before)];
        let mut after = [0; SITES_MAX];
        after[..pieces].copy_from_slice(state);
        for &number in &self.automaton.next[usize::from(last)] {
            let (mode, index) = self.automaton.moves[number];
            let (from, to) = self.motion.modes[mode][index].carries[0];
            let piece = state.iter().position(|&site| site == from).unwrap_or(0);
            after[piece] = to;
            let bound = self.bounds.value(self.bounds.after(kept, piece as u8, from, to, &after));
            let (mode, keys) = (self.behind[number], &self.keys[piece]);
            let moved = keys[usize::from(from) % SITES_MAX] ^ keys[usize::from(to) % SITES_MAX];
            let signature = own ^ moved ^ self.mode_keys[usize::from(mode)];
            let state = &after[..pieces];
            let is_goal = bound == 0 && self.is_goal(state, mode);
            each(&Child { state, signature, last: number as u16, step: index as u16, bound, is_goal });
            after[piece] = from;
        }
    }

    /// What follows a state where a move carries several pieces.
    fn turn(&self, state: &[u8], last: u16, left: u32, each: &mut dyn FnMut(&Child<'_>)) {
        let pieces = state.len();
        let mut after = [0; SITES_MAX];
        for &number in &self.automaton.next[usize::from(last)] {
            let (_, index) = self.automaton.moves[number];
            let map = &self.maps[number];
            for (after, &site) in after.iter_mut().zip(state) {
                *after = map[usize::from(site) % SITES_MAX];
            }
            let bound = self.bounds.whole(&after).0;
            let mode = self.behind[number];
            let state = &after[..pieces];
            // What is out of reach does not travel, so its signature is not asked for.
            let signature = if bound < left { self.signature(state, mode) } else { 0 };
            let is_goal = bound == 0 && self.is_goal(state, mode);
            each(&Child { state, signature, last: number as u16, step: index as u16, bound, is_goal });
        }
    }
}

impl<B: Bounds> Space for Carrying<'_, B> {
    fn state_bytes(&self) -> usize {
        self.motion.pieces()
    }

    fn step_bits(&self) -> u32 {
        let most = self.motion.modes.iter().map(Vec::len).max().unwrap_or(1);
        usize::BITS - most.saturating_sub(1).leading_zeros()
    }

    fn start(&self) -> Start {
        let State { mode, at } = self.start;
        let bound = if self.carries_one {
            self.bounds.value(self.bounds.begin(at))
        } else {
            let mut sites = [0; SITES_MAX];
            sites[..at.len()].copy_from_slice(at);
            self.bounds.whole(&sites).0
        };
        Start {
            state: at.clone(),
            signature: self.signature(at, *mode),
            last: self.automaton.begin(usize::from(*mode)) as u16,
            bound,
            is_goal: self.is_goal(at, *mode),
        }
    }

    fn kin(&self, state: &[u8]) -> Option<u64> {
        // A move carries one piece: as a rule it is none of these.
        let count = state.len() / KIN_PART;
        (self.carries_one && count >= KIN_MIN).then(|| self.signature(&state[..count], 0))
    }

    fn divided(&self) -> Option<&dyn Divided> {
        self.divided
    }

    fn scout(&self) -> Box<dyn Scout + '_> {
        Box::new(Carrier { space: self, diver: Diver::new(self.motion, self.bounds) })
    }
}

struct Carrier<'run, B: Bounds> {
    space: &'run Carrying<'run, B>,
    diver: Diver<'run, B>,
}

impl<B: Bounds> Scout for Carrier<'_, B> {
    fn expand(&mut self, state: &[u8], last: u16, left: u32, each: &mut dyn FnMut(&Child<'_>)) {
        match self.space.carries_one {
            true => self.space.slide(state, last, each),
            false => self.space.turn(state, last, left, each),
        }
    }

    fn dive(&mut self, state: &[u8], last: u16, left: u32) -> Dive {
        let dive = self.diver.dive(state, usize::from(last), left);
        let named = |line: Vec<usize>| {
            line.into_iter().map(|number| self.space.automaton.moves[number].1 as u16).collect()
        };
        Dive { solution: dive.solution.map(named), next: dive.next, nodes: dive.nodes }
    }
}
