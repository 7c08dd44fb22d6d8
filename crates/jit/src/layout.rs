//! Where things lie in memory: in a position, and in the context that compiled code works with.
//!
//! A position ("image") is a row of words: signature, mover, one byte a field, one `i32` a property, and a bit
//! set of fields for every piece set that the rules look for with `find` or count with `number of`.

use game::{GameInfo, PieceCode, PropertyKind};
use rules::ir::{Expression, ExpressionKind, Node, NodeKind, PieceSet, Program, Sight};

/// A property that is one number: kept in a register while moves are made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Scalar {
    /// Its slot; `move` properties have slots behind the stored ones.
    pub(crate) slot: usize,
    /// Its property.
    pub(crate) property: usize,
    /// Whether it is part of positions.
    pub(crate) stored: bool,
}

/// Offsets in bytes from the start of an image.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    pub(crate) fields: usize,
    /// Words of a bit set of fields.
    pub(crate) set_words: usize,
    /// The piece sets whose fields are kept, as masks of codes.
    pub(crate) sets: Vec<u128>,
    /// The sets that a code belongs to, as a mask over `sets`.
    pub(crate) sets_of_code: Vec<u64>,
    pub(crate) scalars: Vec<Scalar>,
    pub(crate) field_properties: Vec<usize>,
    pub(crate) mailbox: usize,
    pub(crate) scalar_base: usize,
    pub(crate) field_property_base: usize,
    pub(crate) set_base: usize,
    /// Words of an image.
    pub(crate) words: usize,
    /// Words of a child: an image, the outcome, and the values of `move` properties.
    pub(crate) record: usize,
    /// The highest code and one.
    pub(crate) codes: usize,
    pub(crate) stored_slots: usize,
    /// Where the value of each slot behind the fields lies.
    pub(crate) property_offsets: Vec<usize>,
    /// How much results may take.
    pub(crate) room: rules::limits::Room,
}

pub(crate) const SIGNATURE: usize = 0;
pub(crate) const MOVER: usize = 8;

impl Layout {
    pub(crate) fn new(program: &Program) -> Layout {
        let info = &program.info;
        let fields = info.geometry.fields();
        let set_words = fields.div_ceil(64);
        let sets = kept_sets(program);
        let scalars = scalars(info);
        let field_properties: Vec<usize> = (0..info.properties.len())
            .filter(|&property| info.properties[property].kind == PropertyKind::Field)
            .collect();
        let round = |bytes: usize| bytes.next_multiple_of(8);
        let mailbox = 16;
        let scalar_base = round(mailbox + fields);
        let stored_scalars = scalars.iter().filter(|scalar| scalar.stored).count();
        let field_property_base = round(scalar_base + 4 * stored_scalars);
        let set_base = round(field_property_base + 4 * fields * field_properties.len());
        let words = set_base / 8 + sets.len() * set_words;
        let codes =
            info.pieces.iter().flat_map(|piece| piece.codes).map(|code| code.0 + 1).max().unwrap_or(1);
        let codes = usize::from(codes);
        let sets_of_code = (0..128_u8)
            .map(|code| {
                let member = |set: &u128| set & PieceCode(code).bit() != 0;
                sets.iter()
                    .enumerate()
                    .filter(|(_, set)| member(set))
                    .fold(0, |mask, (index, _)| mask | 1 << index)
            })
            .collect();
        let stored_slots = info.stored_slots();
        let stored = |slot: usize| {
            scalars.iter().filter(|scalar| scalar.stored).position(|scalar| scalar.slot == slot)
        };
        let offset_of = |slot: usize| {
            if let Some(index) = stored(slot) {
                return scalar_base + 4 * index;
            }
            let firsts = field_properties.iter().map(|&property| info.properties[property].slot).enumerate();
            let own = firsts.into_iter().find(|&(_, first)| (first..first + fields).contains(&slot));
            let (index, first) = own.unwrap_or((0, slot));
            field_property_base + 4 * (fields * index + slot - first)
        };
        let property_offsets = (fields..stored_slots).map(offset_of).collect();
        let record = words + 1 + scalars.len() - stored_scalars;
        Layout {
            fields,
            set_words,
            sets,
            sets_of_code,
            scalars,
            field_properties,
            mailbox,
            scalar_base,
            field_property_base,
            set_base,
            words,
            record,
            codes,
            stored_slots,
            property_offsets,
            room: program.room,
        }
    }

    /// The number of a kept set.
    pub(crate) fn set_index(&self, codes: u128) -> Option<usize> {
        self.sets.iter().position(|&set| set == codes)
    }

    /// Kept sets that together are this set, if few of them are.
    pub(crate) fn cover(&self, codes: u128) -> Option<Vec<usize>> {
        cover(&self.sets, codes)
    }

    /// The same with as many as it takes, for what is asked once for a position.
    pub(crate) fn wide_cover(&self, codes: u128) -> Option<Vec<usize>> {
        any_cover(&self.sets, codes)
    }

    /// Whether everything that tests look at can be put together from the kept sets.
    pub(crate) fn covers_sights(&self, program: &Program) -> bool {
        let mut all = true;
        for_each_sight(program, &mut |codes| all &= codes == 0 || self.cover(codes).is_some());
        all
    }

    /// Memory that moves change in place: fields and field properties.
    pub(crate) fn mutable_bytes(&self) -> usize {
        self.fields.next_multiple_of(8) + (4 * self.fields * self.field_properties.len()).next_multiple_of(8)
    }

    /// Where field properties begin in that memory.
    pub(crate) fn mutable_field_properties(&self) -> usize {
        self.fields.next_multiple_of(8)
    }
}

/// Board and player properties slot by slot, then `move` properties.
fn scalars(info: &GameInfo) -> Vec<Scalar> {
    let mut scalars = Vec::new();
    for (property, details) in info.properties.iter().enumerate() {
        let count = match details.kind {
            PropertyKind::Board | PropertyKind::Move => 1,
            PropertyKind::Player => 2,
            PropertyKind::Field => 0,
        };
        let stored = details.kind != PropertyKind::Move;
        scalars.extend((0..count).map(|index| Scalar { slot: details.slot + index, property, stored }));
    }
    scalars.sort_by_key(|scalar| scalar.slot);
    scalars
}

/// Calls a function with every piece set that `find` (true) or `number of` (false) uses.
fn for_each_set(program: &Program, found: &mut impl FnMut(&PieceSet, bool)) {
    let bodies = program.functions.iter().map(|function| &function.body);
    for body in bodies.chain(program.features.iter().map(|feature| &feature.body)) {
        rules::walk::for_each_node(body, &mut |node: &Node| {
            if let NodeKind::Find(set) = &node.kind {
                found(set, true);
            }
        });
        rules::walk::for_each_expression(body, &mut |expression: &Expression| {
            if let ExpressionKind::NumberOf(set) = &expression.kind {
                found(set, false);
            }
        });
    }
    for feature in &program.features {
        rules::walk::for_each_subexpression(&feature.weight, &mut |expression: &Expression| {
            if let ExpressionKind::NumberOf(set) = &expression.kind {
                found(set, false);
            }
        });
    }
}

/// A few kept sets that together are this set, the largest first.
fn cover(sets: &[u128], codes: u128) -> Option<Vec<usize>> {
    any_cover(sets, codes).filter(|parts| parts.len() <= 3)
}

fn any_cover(sets: &[u128], codes: u128) -> Option<Vec<usize>> {
    let mut parts: Vec<usize> = (0..sets.len()).filter(|&set| sets[set] & !codes == 0).collect();
    parts.sort_by_key(|&set| std::cmp::Reverse(sets[set].count_ones()));
    let mut left = codes;
    parts.retain(|&set| {
        let helps = sets[set] & left != 0;
        left &= !sets[set];
        helps
    });
    (left == 0).then_some(parts)
}

/// The sets of pieces whose fields are kept as bits: what rules ask for, and what is worth asking for all fields at
/// once.
fn kept_sets(program: &Program) -> Vec<u128> {
    let mut sets = Vec::new();
    for_each_set(program, &mut |set, _| {
        for codes in set.codes {
            if codes != 0 && !sets.contains(&codes) && sets.len() < SETS_MAX {
                sets.push(codes);
            }
        }
    });
    // What is looked at may be put together from sets that are kept anyway.
    for_each_sight(program, &mut |codes| {
        if codes != 0 && cover(&sets, codes).is_none() && sets.len() < SETS_MAX {
            sets.push(codes);
        }
    });
    let mut keep = |codes: u128| {
        let is_new = codes != 0 && codes != u128::MAX && cover(&sets, codes).is_none();
        if is_new && sets.len() < PATTERN_SETS_MAX {
            sets.push(codes);
        }
    };
    // Tests that follow lines of pieces can be made for all fields at once.
    for_each_pattern(program, &mut keep);
    // So can the questions with which rules that call themselves begin.
    for_each_question(program, &mut keep);
    // Pieces on a line are counted by their fields.
    for_each_counted(program, &mut keep);
    sets
}

/// Calls a function with every piece set that a test looks for or over.
fn for_each_sight(program: &Program, found: &mut impl FnMut(u128)) {
    let bodies = program.functions.iter().map(|function| &function.body);
    for body in bodies.chain(program.features.iter().map(|feature| &feature.body)) {
        rules::walk::for_each_node(body, &mut |node: &Node| {
            let NodeKind::Sees(sight) = &node.kind else { return };
            match sight {
                Sight::Reach { set, .. } => set.codes.into_iter().for_each(&mut *found),
                Sight::Over { over, set, .. } => {
                    over.codes.into_iter().chain(set.codes).for_each(&mut *found);
                }
            }
        });
    }
}

/// No more than so many sets are kept for the sake of tests that could do without.
const PATTERN_SETS_MAX: usize = 12;
/// Sets that are kept at most for what rules ask: each has a bit in a word.
const SETS_MAX: usize = 60;

/// Calls a function with every piece set that is asked for by tests that follow lines of pieces.
fn for_each_pattern(program: &Program, found: &mut impl FnMut(u128)) {
    for function in &program.functions {
        rules::walk::for_each_node(&function.body, &mut |node: &Node| {
            let (NodeKind::Test(body) | NodeKind::Not(body)) = &node.kind else { return };
            let (mut sets, mut turns) = (Vec::new(), false);
            if is_pattern(program, body, &mut sets, &mut turns, 0) && turns && sets.len() > 1 {
                sets.iter().flat_map(|set: &PieceSet| set.codes).for_each(&mut *found);
            }
        });
    }
}

/// Calls a function with every piece set that rules that call themselves ask for, and the rules that they call.
fn for_each_question(program: &Program, found: &mut impl FnMut(u128)) {
    let mut seen = crate::compile::recursive_rules(program);
    let mut open: Vec<usize> = (0..seen.len()).filter(|&rule| seen[rule]).collect();
    while let Some(rule) = open.pop() {
        rules::walk::for_each_node(&program.functions[rule].body, &mut |node: &Node| match &node.kind {
            NodeKind::PointsAt(set) => set.codes.into_iter().for_each(&mut *found),
            NodeKind::Call(called) if !std::mem::replace(&mut seen[*called], true) => open.push(*called),
            NodeKind::Find(_)
            | NodeKind::Replace(_)
            | NodeKind::PickUp
            | NodeKind::PutDown
            | NodeKind::Step { .. }
            | NodeKind::Directions(_)
            | NodeKind::Turn(_)
            | NodeKind::MoveTo(..)
            | NodeKind::Either(_)
            | NodeKind::Try(..)
            | NodeKind::Test(_)
            | NodeKind::Not(_)
            | NodeKind::Repeat { .. }
            | NodeKind::While(..)
            | NodeKind::DoWhile(..)
            | NodeKind::Branch { .. }
            | NodeKind::OnFields(_)
            | NodeKind::Sees(_)
            | NodeKind::Assert(_)
            | NodeKind::Assign(_)
            | NodeKind::Match(_)
            | NodeKind::ToMove(_)
            | NodeKind::Irreversible
            | NodeKind::Forcing(_)
            | NodeKind::Ending(_)
            | NodeKind::Score(_)
            | NodeKind::Most(..)
            | NodeKind::Cycle(_)
            | NodeKind::Sequence(_)
            | NodeKind::Call(_) => {}
        });
    }
}

/// Calls a function with every piece set that is counted along lines.
fn for_each_counted(program: &Program, found: &mut impl FnMut(u128)) {
    for function in &program.functions {
        rules::walk::for_each_node(&function.body, &mut |node: &Node| {
            let counted = crate::compile::LineLoop::of(node).and_then(|line| line.counted);
            counted.into_iter().flat_map(|counted| counted.set.codes).for_each(&mut *found);
        });
    }
}

/// Whether a test only steps and looks; collects what it looks for.
fn is_pattern(
    program: &Program,
    node: &Node,
    sets: &mut Vec<PieceSet>,
    turns: &mut bool,
    depth: usize,
) -> bool {
    let mut inside = |node: &Node| depth < 12 && is_pattern(program, node, sets, turns, depth + 1);
    match &node.kind {
        NodeKind::Sequence(nodes) | NodeKind::Either(nodes) => nodes.iter().all(inside),
        NodeKind::Try(first, second) | NodeKind::While(first, second) => inside(first) && inside(second),
        NodeKind::Test(body) | NodeKind::Not(body) => inside(body),
        NodeKind::Repeat { most: Some(_), body, .. } => inside(body),
        NodeKind::Call(rule) => inside(&program.functions[*rule].body),
        NodeKind::PointsAt(set) => {
            sets.push(*set);
            true
        }
        NodeKind::Directions(_) => {
            *turns = true;
            true
        }
        NodeKind::Step { .. } | NodeKind::Turn(_) | NodeKind::OnFields(_) | NodeKind::ToMove(_) => true,
        _ => false,
    }
}

/// Offsets in bytes from the start of the context.
#[derive(Clone, Debug)]
pub(crate) struct ContextLayout {
    pub(crate) registers: usize,
    pub(crate) work: usize,
    /// The words of a move that is being added.
    pub(crate) appended: usize,
    /// The fields that a wanted move changes.
    pub(crate) wanted: usize,
    /// A position after a move whose changes are not known one by one.
    pub(crate) child: usize,
    /// The sums of features, one word each.
    pub(crate) sums: usize,
    pub(crate) tests: usize,
    pub(crate) filter: usize,
    pub(crate) words: usize,
}

impl ContextLayout {
    /// Words from one ply's context to the next one's where lines of play are counted.
    pub(crate) fn stride(&self) -> usize {
        self.words + DIFFERENCES_MAX
    }
}

/// Bits of the filter that sees most doubles at a glance; a power of two.
pub(crate) const FILTER_BITS: usize = 1 << 16;

/// The part of the filter that is used where positions have few results and lines of play are counted; a power of
/// two. It is cleared as a whole.
pub(crate) const SMALL_FILTER_BITS: usize = 1 << 12;

/// Results of a position that can be told apart while lines of play are counted: what each of them does to the
/// signature is noted behind the context.
pub(crate) const DIFFERENCES_MAX: usize = 8192;

/// Changes of moves that are added by a function for their shape.
pub(crate) const APPENDED_MAX: usize = 16;

pub(crate) mod append_flags {
    //! The head of a move in one word: the outcome in 32 bits, then these.
    pub(crate) const LEAD: i64 = 32;
    pub(crate) const FLAGS: i64 = 48;
    /// Whether the rules do not say if the move is forcing, so that captures are.
    pub(crate) const UNMARKED: i64 = 56;
}

pub(crate) mod slot {
    //! The fixed part of the context.
    pub(crate) const HEADS_NEXT: usize = 0;
    pub(crate) const HEADS_END: usize = 8;
    pub(crate) const CHANGES_NEXT: usize = 16;
    pub(crate) const CHANGES_END: usize = 24;
    pub(crate) const CHANGES_BASE: usize = 32;
    pub(crate) const FUEL: usize = 40;
    pub(crate) const DEPTH: usize = 48;
    pub(crate) const FAULT: usize = 56;
    pub(crate) const FAULT_VALUE: usize = 64;
    pub(crate) const STACK_LIMIT: usize = 88;
    pub(crate) const CHILDREN_NEXT: usize = 96;
    pub(crate) const CHILDREN_END: usize = 104;
    pub(crate) const RUNTIME: usize = 112;
    /// Results that end the game.
    pub(crate) const ENDED: usize = 120;
    /// Those of them that change nothing: if there are no others, the game is over already.
    pub(crate) const VERDICTS: usize = 128;
    /// Not 0 if the two are not reliable: results must be looked at.
    pub(crate) const UNSURE: usize = 136;
    /// Results that were counted and not written.
    pub(crate) const COUNTED: usize = 144;
    /// How far the next child is from the last one, in bytes; 0 where they are only made and not kept.
    pub(crate) const STRIDE: usize = 152;
    /// The difference of the signature that a wanted move makes, or the field from which it takes a piece.
    pub(crate) const WANTED: usize = 160;
    /// Not 0 where it is looked for on some fields only.
    pub(crate) const NARROW: usize = 168;
    /// Where leaves, positions and ended games are counted.
    pub(crate) const TOTALS: usize = 176;
    /// What is called for the last ply, by mover.
    pub(crate) const LAST: usize = 184;
    /// What is called for all plies before it, by mover.
    pub(crate) const WALK: usize = 216;
    /// What is known of a move that was picked: the outcome, and whether it is irreversible.
    pub(crate) const PICKED: usize = 200;
    /// Not 0 if the move that led to a position that is settled can be undone by others.
    pub(crate) const REVERSIBLE: usize = 232;
    /// Not 0 where all moves are wanted that take a piece from a field, not only the first one.
    pub(crate) const ALL_TAKERS: usize = 240;
    pub(crate) const FIXED_END: usize = 248;
}

pub(crate) mod register {
    //! The registers of a state, in words from the start of the register area; scalars, then sets follow.
    pub(crate) const OUTCOME: usize = 3;
    pub(crate) const IRREVERSIBLE: usize = 4;
    pub(crate) const FORCING: usize = 5;
    pub(crate) const LEAD: usize = 6;
    pub(crate) const SCALARS: usize = 8;
}

impl ContextLayout {
    pub(crate) fn new(layout: &Layout, features: usize, test_words: usize) -> ContextLayout {
        let registers = slot::FIXED_END;
        let register_words = register::SCALARS + layout.scalars.len() + layout.sets.len() * layout.set_words;
        let work = registers + 8 * register_words;
        let appended = work + layout.mutable_bytes();
        let wanted = appended + 8 * APPENDED_MAX;
        let child = wanted + 8 * layout.set_words;
        let sums = child + 8 * layout.record;
        let tests = sums + 8 * features;
        let filter = tests + 8 * test_words;
        ContextLayout {
            registers,
            work,
            appended,
            wanted,
            child,
            sums,
            tests,
            filter,
            words: filter / 8 + FILTER_BITS / 64,
        }
    }
}
