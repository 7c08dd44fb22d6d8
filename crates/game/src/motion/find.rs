//! Finding the motion of a game by trying. Moves are generated from positions in which the pieces that moves do not
//! tell apart are laid out at random, so that it shows where each field's contents come from.

use std::collections::HashMap;

use super::blocks::Kind;
use super::{Invariants, Mirror, Motion, NONE, Operator, SITES_MAX, State, is_label, masked};
use crate::moves::MoveList;
use crate::symmetry::BoardMap;
use crate::{Field, Game, Outcome, Position, Stage};

/// Puzzles with more modes are left to other searches.
const MODES_MAX: usize = 128;

/// Layouts that are tried before fields that look alike are given up on.
const LAYOUTS_MAX: usize = 24;

/// Moves after which pieces lie about at random.
const WALK: usize = 40;

pub(super) fn find<G: Game>(game: &G) -> Option<Motion> {
    let info = game.info();
    let (labels, wanted) = (game.interchangeable(), game.goal()?);
    if info.players != 1 || labels.count_ones() < 2 || info.stored_slots() != info.geometry.fields() {
        return None;
    }
    let fields: Vec<Field> =
        (0..info.geometry.fields() as Field).filter(|&f| info.geometry.is_used(f)).collect();
    let one = |set: &u128| (set.count_ones() == 1).then(|| set.trailing_zeros() as u8);
    let solved: Vec<u8> = fields.iter().map(|&field| one(&wanted[field as usize])).collect::<Option<_>>()?;
    if fields.len() > SITES_MAX {
        return None;
    }
    let mut probe = Probe { game, labels, fields: &fields, solved: &solved, seed: 1, moves: MoveList::new() };
    let first: Vec<u8> = solved.iter().map(|&code| masked(labels, code)).collect();
    let mut masks = HashMap::from([(first.clone(), 0_u16)]);
    let (mut open, mut modes) = (vec![first], Vec::new());
    while let Some(mask) = open.get(modes.len()).cloned() {
        let mut operators = Vec::new();
        for (map, after) in probe.moves_of(&mask)? {
            let count = masks.len() as u16;
            let to = *masks.entry(after.clone()).or_insert(count);
            if to == count {
                open.push(after);
            }
            let carried = |site: &usize| is_label(labels, mask[*site]) && usize::from(map[*site]) != *site;
            let carries = (0..mask.len()).filter(carried).map(|site| (site as u8, map[site])).collect();
            operators.push(Operator { carries, map, to, inverse: None });
        }
        modes.push(operators);
        if masks.len() > MODES_MAX {
            return None;
        }
    }
    link_inverses(&mut modes);
    let moves = |site: usize| modes.iter().flatten().any(|operator| usize::from(operator.map[site]) != site);
    let fixed = (0..fields.len()).filter(|&site| !moves(site)).map(|site| (site, solved[site])).collect();
    let (kinds, shown, at) = Kind::all(&modes, &solved, labels)?;
    let goal = State { mode: 0, at };
    let invariants = Invariants::of(&modes, &kinds);
    let mirrors = Vec::new();
    let held = |mask: &Vec<u8>| {
        let bit = |(site, &code): (usize, &u8)| u64::from(is_label(labels, code)) << site;
        mask.iter().enumerate().map(bit).sum()
    };
    let holds = open.iter().map(held).collect();
    let mut motion =
        Motion { fields, modes, holds, kinds, goal, mirrors, invariants, labels, masks, shown, fixed };
    motion.mirrors = mirrors_of(&motion, &BoardMap::all(&info.geometry));
    Some(motion)
}

/// Generates moves from positions made up for it.
struct Probe<'probe, G> {
    game: &'probe G,
    labels: u128,
    fields: &'probe [Field],
    solved: &'probe [u8],
    seed: u64,
    moves: MoveList,
}

/// A map of sites, and the mask behind it.
type Found = (Vec<u8>, Vec<u8>);

impl<G: Game> Probe<'_, G> {
    /// What the moves of a mode do.
    fn moves_of(&mut self, mask: &[u8]) -> Option<Vec<Found>> {
        let holders: Vec<usize> = (0..mask.len()).filter(|&site| is_label(self.labels, mask[site])).collect();
        let codes: Vec<u8> = (0..128).filter(|&code| is_label(self.labels, code)).collect();
        let mut layouts: Vec<Vec<u8>> = Vec::new();
        let mut results: Vec<Vec<Vec<u8>>> = Vec::new();
        let told_apart = |layouts: &[Vec<u8>]| {
            let view = |site: usize| layouts.iter().map(|layout| layout[site]).collect::<Vec<u8>>();
            let mut views: Vec<_> = holders.iter().map(|&site| view(site)).collect();
            views.sort_unstable();
            views.windows(2).all(|pair| pair[0] != pair[1])
        };
        while layouts.is_empty() || !told_apart(&layouts) {
            if layouts.len() >= LAYOUTS_MAX {
                return None;
            }
            let mut layout = mask.to_vec();
            for (index, &site) in holders.iter().enumerate() {
                layout[site] = match holders.len() <= codes.len() {
                    true => codes[index],
                    false => codes[self.random(codes.len())],
                };
            }
            if self.position(&layout).is_none() {
                layout = self.walked(mask)?;
            }
            results.push(self.after(&layout)?);
            layouts.push(layout);
        }
        let count = results[0].len();
        if results.iter().any(|result| result.len() != count) {
            return None;
        }
        (0..count).map(|index| self.map_of(index, &holders, &layouts, &results)).collect()
    }

    /// The position that a layout is, if the game takes it for one.
    fn position(&self, layout: &[u8]) -> Option<G::Position> {
        let info = self.game.info();
        let mut position = Position::empty(info);
        for (&field, &code) in self.fields.iter().zip(layout) {
            position.put(info, field, crate::PieceCode(code));
        }
        self.game.accepts(&position).ok()?;
        Some(self.game.pack(&position))
    }

    /// A layout for games that take no others than those that can be reached: what is there after some random moves.
    fn walked(&mut self, mask: &[u8]) -> Option<Vec<u8>> {
        let mut position = self.position(self.solved)?;
        for _ in 0..WALK {
            let ends = self.game.generate(&position, Stage::All, &mut self.moves).ok()?;
            let count = self.moves.len();
            if ends.is_some() || count == 0 {
                return None;
            }
            let number = self.random(count);
            self.game.play(&mut position, self.moves.get(number));
        }
        let after = self.game.unpack(&position);
        let layout: Vec<u8> = self.fields.iter().map(|&field| after.piece(field).0).collect();
        let own = layout.iter().map(|&code| masked(self.labels, code));
        own.eq(mask.iter().copied()).then_some(layout)
    }

    /// What the positions after all moves from a layout look like, in the order of the rules.
    fn after(&mut self, layout: &[u8]) -> Option<Vec<Vec<u8>>> {
        let mut packed = self.position(layout)?;
        if self.game.generate(&packed, Stage::All, &mut self.moves).ok()?.is_some() {
            return None;
        }
        let mut results = Vec::new();
        for played in self.moves.iter() {
            if played.head.outcome().is_some_and(|outcome| outcome != Outcome::Win) {
                return None;
            }
            self.game.play(&mut packed, played);
            let after = self.game.unpack(&packed);
            results.push(self.fields.iter().map(|&field| after.piece(field).0).collect());
            self.game.take_back(&mut packed, played);
        }
        Some(results)
    }

    /// The map that a move is in all layouts.
    fn map_of(
        &self,
        index: usize,
        holders: &[usize],
        layouts: &[Vec<u8>],
        results: &[Vec<Vec<u8>>],
    ) -> Option<Found> {
        let after: Vec<u8> = results[0][index].iter().map(|&code| masked(self.labels, code)).collect();
        let mut map: Vec<u8> = (0..after.len() as u8).collect();
        let mut free: Vec<usize> = Vec::new();
        let mut taken = vec![false; after.len()];
        for (site, &code) in after.iter().enumerate() {
            let alike = |result: &Vec<Vec<u8>>| masked(self.labels, result[index][site]) == code;
            if !results.iter().all(alike) {
                return None;
            }
            if !is_label(self.labels, code) {
                free.push(site);
                continue;
            }
            let is_origin = |origin: &&usize| {
                layouts.iter().zip(results).all(|(layout, result)| layout[**origin] == result[index][site])
            };
            let origin = *holders.iter().find(is_origin)?;
            if std::mem::replace(&mut taken[origin], true) {
                return None;
            }
            map[origin] = site as u8;
        }
        // What is no piece fills what is left, in order.
        let left = (0..after.len()).filter(|site| !holders.contains(site));
        left.zip(free).for_each(|(site, to)| map[site] = to as u8);
        let holds_all = taken.iter().filter(|&&taken| taken).count() == holders.len();
        holds_all.then_some((map, after))
    }

    /// A number below another one.
    fn random(&mut self, below: usize) -> usize {
        // Sebastiano Vigna's splitmix64.
        self.seed = self.seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.seed ^ (self.seed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) as usize % below
    }
}

fn link_inverses(modes: &mut [Vec<Operator>]) {
    for mode in 0..modes.len() {
        for index in 0..modes[mode].len() {
            let operator = &modes[mode][index];
            let goes_back = |other: &Operator| {
                let back = |&(from, to): &(u8, u8)| other.carries.contains(&(to, from));
                usize::from(other.to) == mode
                    && other.carries.len() == operator.carries.len()
                    && operator.carries.iter().all(back)
            };
            let inverse = modes[usize::from(operator.to)].iter().position(goes_back);
            modes[mode][index].inverse = inverse.map(|inverse| inverse as u16);
        }
    }
}

/// The maps of the board under which moves and the solved state stay what they are.
fn mirrors_of(motion: &Motion, maps: &[BoardMap]) -> Vec<Mirror> {
    let site_of = |field: Field| motion.fields.iter().position(|&own| own == field);
    let mirror = |map: &BoardMap| {
        let image = |&field: &Field| site_of(map.field(field)).map(|site| site as u8);
        let sites: Vec<u8> = motion.fields.iter().map(image).collect::<Option<_>>()?;
        let goal =
            |site: &u8| motion.goal.at.iter().position(|at| at == site).map_or(NONE, |piece| piece as u8);
        let pieces: Vec<u8> = motion.goal.at.iter().map(|&at| goal(&sites[usize::from(at)])).collect();
        let is_mirror = !pieces.contains(&NONE)
            && sites.iter().enumerate().any(|(site, &to)| usize::from(to) != site)
            && motion.kinds.iter().all(|kind| kind.twists == 1)
            && keeps_moves(motion, &sites);
        is_mirror.then_some(Mirror { sites, pieces })
    };
    maps.iter().filter_map(mirror).collect()
}

fn keeps_moves(motion: &Motion, sites: &[u8]) -> bool {
    // A mode's image is the mode whose sites without a piece are the images of its own.
    let mut masks: Vec<(&Vec<u8>, usize)> =
        motion.masks.iter().map(|(m, &mode)| (m, usize::from(mode))).collect();
    masks.sort_unstable_by_key(|&(_, mode)| mode);
    masks.iter().all(|&(mask, mode)| {
        let mut image = mask.clone();
        mask.iter().zip(sites).for_each(|(&code, &to)| image[usize::from(to)] = code);
        let Some(&to) = motion.masks.get(&image) else { return false };
        let (own, others) = (&motion.modes[mode], &motion.modes[usize::from(to)]);
        let turned = |operator: &Operator| {
            let carry = |&(from, to): &(u8, u8)| (sites[usize::from(from)], sites[usize::from(to)]);
            let mut carries: Vec<(u8, u8)> = operator.carries.iter().map(carry).collect();
            carries.sort_unstable();
            carries
        };
        own.len() == others.len()
            && own.iter().all(|operator| others.iter().any(|other| other.carries == turned(operator)))
    })
}
