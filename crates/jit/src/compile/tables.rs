//! Constant tables that compiled code reads. They live as long as the code.

use game::geometry::Geometry;
use game::info::{field_key, property_key};
use game::{Colour, GameInfo, PieceCode};
use rules::Program;
use rustc_hash::FxHashMap;

use crate::layout::{Layout, Scalar};

/// A property whose range is larger gets its keys from a function instead.
const KEY_TABLE_MAX: i64 = 4096;

/// The tables.
pub(crate) struct Tables {
    /// `[direction * fields + field]`, absolute directions, -1 for none.
    pub(crate) neighbours: Box<[i16]>,
    /// `[field * codes + code]`
    pub(crate) field_keys: Box<[u64]>,
    /// By scalar, `[value - low]`; empty where the range is too large.
    pub(crate) scalar_keys: Vec<Box<[u64]>>,
    /// By field property in the order of `Layout::field_properties`, `[field * (high - low + 1) + value - low]`; empty
    /// where that is too large.
    pub(crate) field_property_keys: Vec<Box<[u64]>>,
    /// Row, column and place by mover, `[field]`.
    pub(crate) rows: [Box<[i16]>; 2],
    pub(crate) columns: [Box<[i16]>; 2],
    pub(crate) places: [Box<[i16]>; 2],
    /// The tables of the rules.
    pub(crate) constants: Vec<Box<[i64]>>,
    /// `[direction * fields + field]`, where a line from a field ends; made when it is asked for, as the next one is.
    line_ends: Option<Box<[i16]>>,
    /// `[(word * 8 + direction) * fields + field]`, the fields of that line, without the first one.
    line_fields: Option<Box<[u64]>>,
    /// The most steps that can be made in one direction; `None` if some way goes round and round.
    pub(crate) steps_max: Option<usize>,
    /// Whether a step and a step back always lead to where one was.
    pub(crate) steps_are_reversible: bool,
    /// Whether different directions always lead to different fields.
    pub(crate) neighbours_differ: bool,
    /// How many records of tests there are for each mover, and where they lie in the context; complete when all code
    /// is.
    pub(crate) records: [Box<[i64]>; 2],
    /// What it does to a signature that a piece goes from one field to another, by both fields, `[code]`.
    pub(crate) moving_keys: FxHashMap<(i64, i64), Box<[u64]>>,
    /// Tables made for single expressions: see `field_table`.
    pub(crate) made: Vec<Box<[i64]>>,
}

impl Tables {
    pub(crate) fn new(program: &Program, layout: &Layout) -> Tables {
        let info = &program.info;
        let geometry = &info.geometry;
        let fields = layout.fields;
        let steps = Steps::new(geometry, fields);
        let field_keys = (0..fields)
            .flat_map(|field| (0..layout.codes).map(move |code| field_key(field, PieceCode(code as u8)).0))
            .collect();
        let seen = |mover: Colour, of: &dyn Fn(u16) -> usize| -> Box<[i16]> {
            (0..fields as u16)
                .map(|field| match mover == Colour::Black && info.sides == 2 {
                    true => of(geometry.rotated(field)) as i16,
                    false => of(field) as i16,
                })
                .collect()
        };
        let both = |of: &dyn Fn(u16) -> usize| [seen(Colour::White, of), seen(Colour::Black, of)];
        let place = |field: u16| {
            (geometry.rows() - geometry.row(field)) * geometry.columns() + geometry.column(field) - 1
        };
        Tables {
            field_keys,
            scalar_keys: scalar_keys(info, layout),
            field_property_keys: field_property_keys(info, layout),
            rows: both(&|field| geometry.row(field)),
            columns: both(&|field| geometry.column(field)),
            places: both(&place),
            constants: program.tables.iter().map(|table| table.values.clone().into()).collect(),
            line_ends: None,
            line_fields: None,
            steps_max: steps.most(),
            steps_are_reversible: steps.are_reversible(),
            neighbours_differ: steps.differ(),
            neighbours: steps.neighbours,
            records: [(); 2].map(|()| vec![0; super::TEST_WORDS_MAX].into()),
            moving_keys: FxHashMap::default(),
            made: Vec::new(),
        }
    }
    fn fields(&self) -> usize {
        self.neighbours.len() / 8
    }

    /// The fields that can be reached by steps in one direction; none of them twice where `steps_max` is known.
    fn line(&self, direction: usize, start: usize) -> impl Iterator<Item = usize> {
        let step = move |field: usize| self.neighbours[direction * self.fields() + field].try_into().ok();
        std::iter::successors(step(start), move |&field| step(field))
    }

    /// Where lines end. Only for boards on which no way goes round and round.
    pub(crate) fn line_ends(&mut self) -> &[i16] {
        if self.line_ends.is_none() {
            let ends = (0..self.neighbours.len()).map(|index| {
                let (direction, start) = (index / self.fields(), index % self.fields());
                self.line(direction, start).last().unwrap_or(start) as i16
            });
            self.line_ends = Some(ends.collect());
        }
        self.line_ends.as_deref().unwrap_or_default()
    }

    /// The fields of lines. Only for boards on which no way goes round and round.
    pub(crate) fn line_fields(&mut self) -> &[u64] {
        if self.line_fields.is_none() {
            let mut masks = vec![0; self.fields().div_ceil(64) * self.neighbours.len()];
            for index in 0..self.neighbours.len() {
                for field in self.line(index / self.fields(), index % self.fields()) {
                    masks[field / 64 * self.neighbours.len() + index] |= 1 << (field % 64);
                }
            }
            self.line_fields = Some(masks.into());
        }
        self.line_fields.as_deref().unwrap_or_default()
    }
}

/// Where steps lead.
struct Steps {
    fields: usize,
    /// By direction, then by field; less than 0 at the edge.
    neighbours: Box<[i16]>,
}

impl Steps {
    fn new(geometry: &Geometry, fields: usize) -> Steps {
        let neighbours = (0..8)
            .flat_map(|direction| {
                geometry.neighbours().iter().map(move |steps| match steps[direction] {
                    game::geometry::NO_FIELD => -1,
                    field => field as i16,
                })
            })
            .collect();
        Steps { fields, neighbours }
    }

    fn to(&self, direction: usize, field: usize) -> i16 {
        self.neighbours[direction * self.fields + field]
    }

    /// How many steps one can take in one direction; `None` if there is no end.
    fn most(&self) -> Option<usize> {
        let steps = |direction: usize, start: usize| {
            let mut field = start;
            (0..self.fields).find(|_| {
                let to = self.to(direction, field);
                field = to.max(0) as usize;
                to < 0
            })
        };
        let ways = (0..8).flat_map(|direction| (0..self.fields).map(move |start| (direction, start)));
        ways.map(|(direction, start)| steps(direction, start))
            .try_fold(0, |most, steps| Some(most.max(steps?)))
    }

    /// Whether a step back always leads back.
    fn are_reversible(&self) -> bool {
        let is_reversible = |direction: usize, field: usize| {
            let to = self.to(direction, field);
            to < 0 || to as usize != field && self.to(direction ^ 4, to as usize) == field as i16
        };
        (0..8).all(|direction| (0..self.fields).all(|field| is_reversible(direction, field)))
    }

    /// Whether steps in different directions lead to different fields.
    fn differ(&self) -> bool {
        (0..self.fields).all(|field| {
            let to = |direction: usize| self.to(direction, field);
            (0..8).all(|one| to(one) < 0 || (0..one).all(|other| to(one) != to(other)))
        })
    }
}

/// Keys of the values of each scalar that is stored, if they are few.
fn scalar_keys(info: &GameInfo, layout: &Layout) -> Vec<Box<[u64]>> {
    let keys = |scalar: &Scalar| {
        let property = &info.properties[scalar.property];
        if !scalar.stored || property.high - property.low >= KEY_TABLE_MAX {
            return Box::default();
        }
        (property.low..=property.high)
            .map(|value| property_key(property, scalar.slot, value as i32).0)
            .collect()
    };
    layout.scalars.iter().map(keys).collect()
}

/// Keys of the values of each property of fields, by field, if they are few.
fn field_property_keys(info: &GameInfo, layout: &Layout) -> Vec<Box<[u64]>> {
    let all_keys = |&property: &usize| {
        let property = &info.properties[property];
        let values = property.high - property.low + 1;
        if values > KEY_TABLE_MAX || values * layout.fields as i64 > 16 * KEY_TABLE_MAX {
            return Box::default();
        }
        let keys = |field: usize| {
            (property.low..=property.high)
                .map(move |value| property_key(property, property.slot + field, value as i32).0)
        };
        (0..layout.fields).flat_map(keys).collect()
    };
    layout.field_properties.iter().map(all_keys).collect()
}
