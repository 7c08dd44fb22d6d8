//! What a policy sees: which things stand on which fields, from the mover's side, and what else there is.
//!
//! Black sees the board as white would in its place: colours exchanged, and the board turned or mirrored so that the
//! rules are the same ([`Exchange::Turned`]). Where there is no such way, black sees own and opponent's pieces too,
//! and that it is black ([`Exchange::Different`]).

use game::symmetry::BoardMap;
use game::{Colour, Field, GameInfo, PieceCode, PropertyKind};

use super::{AROUND, NEAR};
use crate::inputs::Inputs;

/// How black sees the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exchange {
    /// The rules differ, whichever way one looks.
    Different,
    /// Turned or mirrored by the map with this number of [`BoardMap::all`], the rules are the same for both.
    Turned(usize),
}

/// What a value in a slot means to a mover.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Seen {
    /// Nothing.
    Nothing,
    /// A thing on a field: field and class.
    Thing(u16, u16),
    /// Something beside the fields.
    Global(u16),
}

/// What a policy sees of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Eyes {
    exchange: Exchange,
    fields: usize,
    classes: usize,
    globals: usize,
    /// By slot: where its steps begin.
    first: Vec<usize>,
    /// By slot and step, for both movers.
    seen: Vec<[Seen; 2]>,
    /// By slot: the field and the class of its first step, for both movers; moves can lead to it.
    bare: Vec<[Seen; 2]>,
    /// By field, as white sees it: five by five fields from the lower left one; `fields` off the board.
    around: Vec<[u16; AROUND]>,
    /// The same, three by three.
    near: Vec<[u16; NEAR]>,
    used: Vec<u16>,
    inputs: Inputs,
}

impl Eyes {
    /// The eyes for a game, if its board has such a map.
    #[must_use]
    pub fn new(info: &GameInfo, exchange: Exchange) -> Option<Eyes> {
        let map = match exchange {
            Exchange::Different => None,
            Exchange::Turned(number) => Some(BoardMap::all(&info.geometry).get(number)?.clone()),
        };
        let fields = info.geometry.fields();
        let turned = |field: usize| match &map {
            Some(map) => usize::from(map.field(field as Field)),
            None if info.sides == 2 => usize::from(info.geometry.rotated(field as Field)),
            None => field,
        };
        let mut codes: Vec<u8> =
            info.pieces.iter().flat_map(|piece| piece.codes).map(|code| code.0).collect();
        codes.sort_unstable();
        codes.dedup();
        let class = |code: u8| codes.binary_search(&code).map_or(0, |index| index + 1);
        let whose = if map.is_none() { 2 } else { 0 };
        let mut eyes = Eyes {
            exchange,
            fields,
            classes: 1 + codes.len(),
            globals: whose,
            first: Vec::new(),
            seen: Vec::new(),
            bare: Vec::new(),
            around: windows(info, 2).map(|window| std::array::from_fn(|place| window[place])).collect(),
            near: windows(info, 1).map(|window| std::array::from_fn(|place| window[place])).collect(),
            used: (0..fields as u16).filter(|&field| info.geometry.is_used(field)).collect(),
            inputs: Inputs::new(info, true),
        };
        for field in 0..fields {
            let places = [field, turned(field)];
            eyes.add_slot(eyes.inputs.steps(field), places.map(|place| Seen::thing(place, 0)), |step| {
                let classes = [class(step as u8), class(swapped(info, step as u8))];
                std::array::from_fn(|view| match classes[view] {
                    0 => Seen::Nothing,
                    class => Seen::thing(places[view], class),
                })
            });
        }
        let mut slot = fields;
        for property in info.properties.iter().filter(|property| property.kind != PropertyKind::Move) {
            let above = eyes.inputs.steps(slot) - 1;
            let count = info.slots_of(property);
            for index in 0..count {
                let (classes, globals) = (eyes.classes, eyes.globals);
                let other = match property.kind {
                    PropertyKind::Player => 1 - index,
                    PropertyKind::Field => turned(index),
                    PropertyKind::Board | PropertyKind::Move => index,
                };
                let of = |place: usize, step: usize| match (property.kind, step.checked_sub(1)) {
                    (_, None) => Seen::Nothing,
                    (PropertyKind::Field, Some(step)) => Seen::thing(place, classes + step),
                    (_, Some(step)) => Seen::Global((globals + place * above + step) as u16),
                };
                eyes.add_slot(above + 1, [Seen::Nothing; 2], |step| [of(index, step), of(other, step)]);
            }
            match property.kind {
                PropertyKind::Field => eyes.classes += above,
                _ => eyes.globals += count * above,
            }
            slot += count;
        }
        Some(eyes)
    }

    fn add_slot(&mut self, steps: usize, bare: [Seen; 2], of: impl Fn(usize) -> [Seen; 2]) {
        self.first.push(self.seen.len());
        self.bare.push(bare);
        self.seen.extend((0..steps).map(of));
    }

    /// How black sees the board.
    #[must_use]
    pub fn exchange(&self) -> Exchange {
        self.exchange
    }

    /// Fields of the board, used or not.
    #[must_use]
    pub fn fields(&self) -> usize {
        self.fields
    }

    /// What can stand on a field; 0 is nothing.
    #[must_use]
    pub fn classes(&self) -> usize {
        self.classes
    }

    /// What can be seen beside the fields.
    #[must_use]
    pub fn globals(&self) -> usize {
        self.globals
    }

    /// Slots of a position.
    #[must_use]
    pub fn slots(&self) -> usize {
        self.first.len()
    }

    /// The fields that are used.
    #[must_use]
    pub fn used(&self) -> &[u16] {
        &self.used
    }

    /// Five by five fields around each; [`Eyes::fields`] stands for none.
    #[must_use]
    pub fn around(&self) -> &[[u16; AROUND]] {
        &self.around
    }

    /// Three by three fields around each; [`Eyes::fields`] stands for none.
    #[must_use]
    pub fn near(&self) -> &[[u16; NEAR]] {
        &self.near
    }

    /// The step of a value in a slot.
    #[must_use]
    #[inline]
    pub fn step(&self, slot: usize, value: i32) -> usize {
        self.inputs.step(slot, value)
    }

    /// How many steps a slot has.
    #[must_use]
    pub fn steps(&self, slot: usize) -> usize {
        self.inputs.steps(slot)
    }

    /// What a step in a slot means to a mover.
    #[must_use]
    #[inline]
    pub fn seen(&self, slot: usize, step: usize, mover: Colour) -> Seen {
        self.seen[self.first[slot] + step][mover.index()]
    }

    /// What always is to be seen by a mover: who it is, where that makes a difference.
    #[must_use]
    pub fn whose(&self, mover: Colour) -> Option<usize> {
        (self.exchange == Exchange::Different).then(|| mover.index())
    }

    /// Field and class of what a change leaves behind, as one number: `field × classes + class`; nothing for changes
    /// of other things, which do not count for moves.
    #[must_use]
    #[inline]
    pub fn target(&self, slot: usize, value: i32, mover: Colour) -> Option<u32> {
        if slot >= self.first.len() {
            return None;
        }
        let seen = match self.seen(slot, self.step(slot, value), mover) {
            Seen::Nothing => self.bare[slot][mover.index()],
            seen => seen,
        };
        match seen {
            Seen::Thing(field, class) => Some(u32::from(field) * self.classes as u32 + u32::from(class)),
            Seen::Nothing | Seen::Global(_) => None,
        }
    }
}

impl Seen {
    fn thing(field: usize, class: usize) -> Seen {
        Seen::Thing(field as u16, class as u16)
    }
}

/// For each field the fields around it, so many steps to each side, from the lower left one.
fn windows(info: &GameInfo, reach: i32) -> impl Iterator<Item = Vec<u16>> + '_ {
    let geometry = &info.geometry;
    let (columns, rows) = (geometry.columns() as i32, geometry.rows() as i32);
    (0..columns * rows).map(move |field| {
        let (column, row) = (field % columns, field / columns);
        let places =
            (-reach..=reach).flat_map(|up| (-reach..=reach).map(move |right| (column + right, row + up)));
        let at = |(column, row): (i32, i32)| {
            let is_on_board = (0..columns).contains(&column) && (0..rows).contains(&row);
            let field = (row * columns + column) as u16;
            if is_on_board && geometry.is_used(field) { field } else { geometry.fields() as u16 }
        };
        places.map(at).collect()
    })
}

/// The code of the same piece of the other player.
fn swapped(info: &GameInfo, code: u8) -> u8 {
    match info.piece(PieceCode(code)) {
        Some((piece, Some(colour))) => piece.codes[colour.opponent().index()].0,
        _ => code,
    }
}
