//! What a network sees of a position: features, which are there or not.
//!
//! Each player has a view of the board: own and opponent's pieces instead of white and black ones, and the board
//! turned where the rules show it so to black ([`BlackView`]). Where the rules are the same for both, so are the
//! weights of both views; otherwise each view has its own. A view's features are: whether it is white's; the pieces,
//! by field; the values of properties, in steps that get coarser. What does not enter the signature of a position is
//! not seen, because positions with the same signature must be worth the same.

use game::{Colour, GameInfo, PieceCode, Position, PropertyInfo, PropertyKind, Symmetry};

use crate::patterns::Patterns;

/// Values of a property that are told apart one by one; beyond, only by how often they double.
const EXACT: u32 = 12;
/// Steps of a property's values at most.
const STEPS_MAX: usize = 16;
/// Where there is no feature.
const NONE: i32 = -1;

/// The features of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Inputs {
    /// By slot.
    slots: Vec<Slot>,
    /// The features of both views: by slot and step of its value.
    features: Vec<[i32; 2]>,
    count: usize,
    /// The feature that says whose view it is.
    whose: [i32; 2],
    fields: usize,
    /// By code: whether it is a piece that counts.
    pieces: Vec<bool>,
    pieces_max: usize,
    patterns: Patterns,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Slot {
    /// Where its features begin.
    first: usize,
    /// How many steps there are.
    steps: usize,
    low: i32,
    is_field: bool,
}

/// How many fields hold pieces at most, as far as the start tells.
fn pieces_max(info: &GameInfo) -> usize {
    let used = info.geometry.used().iter().filter(|used| **used).count();
    let is_piece = |&&code: &&i32| code != 0 && code != i32::from(PieceCode::UNUSED.0);
    let start = info.start.as_ref().map_or(0, |start| start.fields().iter().filter(is_piece).count());
    // A board that begins nearly empty fills up; one that is full empties.
    if 4 * start > used { start } else { used.max(1) }
}

/// The step of a value, as far above the least one.
fn step(above: u32) -> usize {
    if above < EXACT { above as usize } else { (EXACT + (above / EXACT).ilog2()) as usize }.min(STEPS_MAX - 1)
}

/// Whether a network sees a property.
fn is_seen(property: &PropertyInfo) -> bool {
    property.kind != PropertyKind::Move && property.silent_below.is_none()
}

impl Inputs {
    /// The features of a game; `alike` says whether the rules are the same for both players.
    #[must_use]
    pub fn new(info: &GameInfo, alike: bool) -> Inputs {
        let fields = info.geometry.fields();
        let mut codes: Vec<u8> =
            info.pieces.iter().flat_map(|piece| piece.codes).map(|code| code.0).collect();
        codes.sort_unstable();
        codes.dedup();
        let steps = codes.last().map_or(1, |last| usize::from(*last) + 1);
        let mut inputs = Inputs {
            slots: Vec::new(),
            features: Vec::new(),
            count: 1,
            whose: [0, NONE],
            fields,
            pieces: (0..steps).map(|code| codes.contains(&(code as u8))).collect(),
            pieces_max: pieces_max(info),
            patterns: Patterns::default(),
        };
        let black = BlackView::new(info);
        for field in 0..fields {
            inputs.add_slot(steps, 0, true, |value| {
                let place = |code: u8, field: usize| {
                    let index = codes.binary_search(&code).ok()?;
                    Some(1 + index * fields + field)
                };
                let code = value as u8;
                [place(code, field), place(swapped(info, code), black.field(info, field))]
            });
        }
        inputs.count += codes.len() * fields;
        for property in info.properties.iter().filter(|property| property.kind != PropertyKind::Move) {
            inputs.add_property(info, property, black);
        }
        if black == BlackView::Mirrored {
            inputs.whose[1] = inputs.count as i32;
            inputs.count += 1;
        }
        if !alike {
            inputs.separate();
        }
        inputs
    }

    /// The same features, and patterns of fields: lines and squares. Patterns that the symmetries of the rules bring
    /// to lie on each other share their weights.
    #[must_use]
    pub fn with_patterns(self, info: &GameInfo, alike: bool, symmetries: &[Symmetry]) -> Inputs {
        Inputs { patterns: Patterns::new(info, alike, symmetries), ..self }
    }

    /// Its patterns; there are none unless they were asked for.
    #[must_use]
    pub fn patterns(&self) -> &Patterns {
        &self.patterns
    }

    fn add_slot(&mut self, steps: usize, low: i32, is_field: bool, of: impl Fn(usize) -> [Option<usize>; 2]) {
        self.slots.push(Slot { first: self.features.len(), steps, low, is_field });
        let number = |feature: Option<usize>| feature.map_or(NONE, |feature| feature as i32);
        self.features.extend((0..steps).map(|value| of(value).map(number)));
    }

    fn add_property(&mut self, info: &GameInfo, property: &PropertyInfo, black: BlackView) {
        let count = info.slots_of(property);
        // Left and right in it are those of the rules, which rotate: a mirrored view has features of its own.
        let apart =
            if black == BlackView::Mirrored && property.kind != PropertyKind::Field { count } else { 0 };
        let range = u32::try_from(property.high - property.low).unwrap_or(u32::MAX);
        let steps = if is_seen(property) { 1 + step(range) } else { 1 };
        let first = self.count;
        for index in 0..count {
            let other = match property.kind {
                PropertyKind::Player => apart + 1 - index,
                PropertyKind::Field => black.field(info, index),
                PropertyKind::Board | PropertyKind::Move => apart + index,
            };
            self.add_slot(steps, property.low as i32, false, |value| {
                let of = |index: usize| value.checked_sub(1).map(|above| first + index * (steps - 1) + above);
                [of(index), of(other)]
            });
        }
        self.count += (count + apart) * (steps - 1);
    }

    /// Gives each view features of its own.
    fn separate(&mut self) {
        let count = self.count as i32;
        for [_, black] in &mut self.features {
            *black += if *black == NONE { 0 } else { count };
        }
        self.count *= 2;
    }

    /// How many features there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.count
    }

    /// How many slots positions have.
    #[must_use]
    pub fn slots(&self) -> usize {
        self.slots.len()
    }

    /// The feature that is always there in a view, if the view has one.
    #[must_use]
    pub fn whose(&self, view: Colour) -> Option<usize> {
        usize::try_from(self.whose[view.index()]).ok()
    }

    /// The step of a value in a slot: what files of positions keep of it.
    #[must_use]
    #[inline]
    pub fn step(&self, slot: usize, value: i32) -> usize {
        let Slot { steps, low, is_field, .. } = self.slots[slot];
        if is_field {
            // An unused field has the highest code, and looks empty.
            return if (value as usize) < steps { value as usize } else { 0 };
        }
        step(value.wrapping_sub(low).max(0) as u32).min(steps - 1)
    }

    /// How many steps a slot has.
    #[must_use]
    pub fn steps(&self, slot: usize) -> usize {
        self.slots[slot].steps
    }

    /// The features of a step in a slot, in white's view and in black's; negative where there is none.
    #[must_use]
    #[inline]
    pub fn features(&self, slot: usize, step: usize) -> [i32; 2] {
        self.features[self.slots[slot].first + step]
    }

    /// Whether this value in a slot is a piece on the board: 1 or 0.
    #[inline]
    pub(crate) fn piece(&self, slot: usize, step: usize) -> i32 {
        i32::from(slot < self.fields && self.pieces[step])
    }

    /// The phase of the game with so many pieces on the board, of so many phases.
    #[must_use]
    #[inline]
    pub fn phase(&self, pieces: usize, phases: usize) -> usize {
        (pieces * phases / (self.pieces_max + 1)).min(phases - 1)
    }

    /// The most pieces that phases reckon with.
    #[must_use]
    pub fn pieces_max(&self) -> usize {
        self.pieces_max
    }

    /// A position as the steps of its slots.
    #[must_use]
    pub fn position(&self, position: &Position) -> Vec<u8> {
        position.slots().iter().enumerate().map(|(slot, &value)| self.step(slot, value) as u8).collect()
    }

    /// How many pieces a position has that is given by steps.
    #[must_use]
    pub fn pieces(&self, steps: &[u8]) -> usize {
        steps.iter().enumerate().map(|(slot, &step)| self.piece(slot, usize::from(step)) as usize).sum()
    }

    /// The features of a view of such a position.
    pub fn active<'inputs>(
        &'inputs self,
        steps: &'inputs [u8],
        view: Colour,
    ) -> impl Iterator<Item = usize> + 'inputs {
        let of_slot = move |(slot, &step): (usize, &u8)| {
            usize::try_from(self.features(slot, usize::from(step))[view.index()]).ok()
        };
        self.whose(view).into_iter().chain(steps.iter().enumerate().filter_map(of_slot))
    }
}

/// The code of the same piece of the other player.
fn swapped(info: &GameInfo, code: u8) -> u8 {
    match info.piece(PieceCode(code)) {
        Some((piece, Some(colour))) => piece.codes[colour.opponent().index()].0,
        _ => code,
    }
}

/// How black sees the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum BlackView {
    /// As white does.
    Same,
    /// From the other side.
    Rotated,
    /// From the other side, with left and right as white sees them. The rules rotate, but the start looks the same to
    /// both players only so: in chess both kings begin on the e-file, and what is learned with white serves black.
    Mirrored,
}

impl BlackView {
    pub(crate) fn new(info: &GameInfo) -> BlackView {
        let looks_the_same = |view: BlackView| {
            info.start.as_ref().is_some_and(|start| {
                let fields = start.fields();
                fields.iter().enumerate().all(|(field, &code)| {
                    fields[view.field(info, field)] == i32::from(swapped(info, code as u8))
                })
            })
        };
        match info.sides {
            2 if !looks_the_same(BlackView::Rotated) && looks_the_same(BlackView::Mirrored) => {
                BlackView::Mirrored
            }
            2 => BlackView::Rotated,
            _ => BlackView::Same,
        }
    }

    /// The field that is to black what this one is to white.
    pub(crate) fn field(self, info: &GameInfo, field: usize) -> usize {
        let (columns, rows) = (info.geometry.columns(), info.geometry.rows());
        match self {
            BlackView::Same => field,
            BlackView::Rotated => usize::from(info.geometry.rotated(field as game::Field)),
            BlackView::Mirrored => (rows - 1 - field / columns) * columns + field % columns,
        }
    }
}
