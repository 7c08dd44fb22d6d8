//! Whether two results of a rule can be the same.
//!
//! Results are compared with each other only where that cannot be ruled out. It is ruled out if everything that was
//! chosen on the way to a result can be read off its changes: the field that was found is the only changed one that
//! held one of the pieces looked for; the direction leads from there to the only other changed field. Then results
//! of one place in the rules differ from each other; places are told apart by what they change.

use super::function::FunctionCompiler;
use super::state::{Number, State, Write};

/// Something that was chosen among several on the way to a result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Choice {
    /// A field with one of these pieces, in one word of the field sets.
    Found { field: Number, codes: u128, word: usize },
    /// One of these directions, absolute.
    Direction { direction: Number, among: Vec<i64> },
    /// Something that leaves no trace that we know of.
    Other,
}

/// A place where results come out, with what is known of their changes.
#[derive(Clone, Debug)]
pub(crate) struct Site {
    changes: Vec<SiteChange>,
    /// The codes of other fields that may change too, before and after.
    others: Option<(u128, u128)>,
}

/// A field that certainly changes, and only once.
#[derive(Clone, Debug)]
struct SiteChange {
    old_codes: u128,
    new_codes: u128,
    /// The field, if it is known.
    field: Option<i64>,
    /// The word of the field sets that the field is in, if it was found there.
    word: Option<usize>,
    /// The directions in which it can lie from a found field, the number of whose change is given.
    steps: Option<(usize, Vec<i64>)>,
}

/// More places than this are not compared with each other.
const SITES_MAX: usize = 256;

/// Changes of one place that are compared in all orders.
const CHANGES_MAX: usize = 3;

impl FunctionCompiler<'_, '_, '_> {
    /// A place where results differ from each other; `None` if that is not certain.
    pub(crate) fn site(&self, state: &State) -> Option<Site> {
        let writes = state.writes.as_ref()?;
        let certain = |write: &Write| write.old_codes & write.new_codes == 0;
        if writes.len() > CHANGES_MAX || !writes.iter().all(certain) || !self.all_apart(writes) {
            return None;
        }
        let found: Vec<(Number, u128, usize)> = state
            .choices
            .iter()
            .filter_map(|choice| match choice {
                Choice::Found { field, codes, word } => Some((*field, *codes, *word)),
                _ => None,
            })
            .collect();
        // Each found field is the only one that changes from one of those pieces.
        for &(field, codes, _) in &found {
            let own = writes.iter().filter(|write| write.field == field && write.old_codes & !codes == 0);
            let others = writes.iter().filter(|write| write.field != field && write.old_codes & codes != 0);
            if own.count() != 1 || others.count() != 0 {
                return None;
            }
        }
        let index_of = |field: Number| writes.iter().position(|write| write.field == field);
        let mut others = 0;
        let mut changes = Vec::new();
        for write in writes {
            let word = found.iter().find(|(field, ..)| *field == write.field).map(|&(_, _, word)| word);
            others += usize::from(word.is_none());
            let steps = write.origin.filter(|(from, _)| found.iter().any(|(field, ..)| field == from));
            let steps = steps.and_then(|(from, direction)| {
                let among = match direction {
                    Number::Known(direction) => vec![direction],
                    direction => state.choices.iter().find_map(|choice| match choice {
                        Choice::Direction { direction: own, among } if *own == direction => {
                            Some(among.clone())
                        }
                        _ => None,
                    })?,
                };
                Some((index_of(from)?, among))
            });
            let (old_codes, new_codes) = (write.old_codes, write.new_codes);
            let field = write.field.known();
            changes.push(SiteChange { old_codes, new_codes, field, word, steps });
        }
        for choice in &state.choices {
            match choice {
                Choice::Found { .. } => {}
                Choice::Direction { direction, .. } => {
                    let leads = |write: &Write| {
                        write.origin.is_some_and(|(from, own)| {
                            own == *direction && found.iter().any(|(field, ..)| *field == from)
                        })
                    };
                    let is_traced = others == 1 && writes.iter().any(leads);
                    if !is_traced || !self.compiler.tables.neighbours_differ {
                        return None;
                    }
                }
                Choice::Other => return None,
            }
        }
        // Each found field is told from those that are turned over by what it held.
        let others = state.turned.map(|turned| (1_u128 << turned.old, 1_u128 << turned.new));
        if others.is_some_and(|(old, _)| found.iter().any(|(_, codes, _)| codes & old != 0)) {
            return None;
        }
        if others.is_some() && state.choices.iter().any(|choice| !matches!(choice, Choice::Found { .. })) {
            return None;
        }
        Some(Site { changes, others })
    }

    /// Whether no two writes can be to the same field.
    pub(crate) fn all_apart(&self, writes: &[Write]) -> bool {
        let apart = |one: &Write, later: &Write| {
            let stepped = |from: &Write, to: &Write| {
                self.compiler.tables.steps_are_reversible
                    && to.origin.is_some_and(|(origin, _)| origin == from.field)
            };
            match (one.field, later.field) {
                (Number::Known(one), Number::Known(later)) => one != later,
                _ => one.new_codes & later.old_codes == 0 || stepped(one, later) || stepped(later, one),
            }
        };
        writes.iter().enumerate().all(|(index, later)| writes[..index].iter().all(|one| apart(one, later)))
    }
}

/// Whether no two results of different places can be the same.
pub(crate) fn all_differ(sites: &[Site]) -> bool {
    sites.len() <= SITES_MAX
        && sites
            .iter()
            .enumerate()
            .all(|(index, site)| sites[..index].iter().all(|other| differ(site, other)))
}

fn differ(one: &Site, other: &Site) -> bool {
    if one.others.is_some() || other.others.is_some() {
        return has_more(one, other) || has_more(other, one);
    }
    let count = one.changes.len();
    count != other.changes.len() || orders(count).iter().all(|order| !fit(one, other, order))
}

/// Whether one place certainly makes a change that the other never makes.
fn has_more(one: &Site, other: &Site) -> bool {
    one.changes.iter().any(|change| {
        let fits = |(old, new): (u128, u128)| change.old_codes & old != 0 && change.new_codes & new != 0;
        !other.changes.iter().any(|change| fits((change.old_codes, change.new_codes)))
            && !other.others.is_some_and(fits)
    })
}

/// Whether changes of one place can be those of another in this order.
fn fit(one: &Site, other: &Site, order: &[usize]) -> bool {
    one.changes.iter().zip(order).all(|(change, &index)| {
        let candidate = &other.changes[index];
        let codes =
            change.old_codes & candidate.old_codes != 0 && change.new_codes & candidate.new_codes != 0;
        let words = match (change.word, candidate.word) {
            (Some(one), Some(other)) => one == other,
            _ => true,
        };
        let fields = match (change.field, candidate.field) {
            (Some(one), Some(other)) => one == other,
            _ => true,
        };
        let steps = match (&change.steps, &candidate.steps) {
            (Some((from, one)), Some((other_from, other))) if order[*from] == *other_from => {
                one.iter().any(|direction| other.contains(direction))
            }
            _ => true,
        };
        codes && words && fields && steps
    })
}

/// All orders of so many things.
fn orders(count: usize) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for _ in 0..count {
        let mut longer = Vec::new();
        for order in &all {
            for index in (0..count).filter(|index| !order.contains(index)) {
                longer.push([&order[..], &[index]].concat());
            }
        }
        all = longer;
    }
    all
}
