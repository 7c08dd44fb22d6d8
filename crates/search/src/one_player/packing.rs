//! Positions in as few bits as their values need.

use game::{Colour, Field, GameInfo, MoveView, PieceCode, Position, PropertyKind};

/// How a game's positions are packed: the slots that can vary, each with its least value and its bits.
#[derive(Debug)]
pub struct Packing {
    slots: Vec<Slot>,
    has_turn: bool,
    bytes: usize,
    /// By slot of a position: its number in `slots`, if it can vary.
    numbers: Vec<Option<usize>>,
}

#[derive(Debug)]
struct Slot {
    index: usize,
    low: i64,
    /// Values below this one are as good as the least.
    silent_below: i64,
    bits: u32,
    /// Its first bit in a record.
    first: usize,
}

impl Packing {
    /// The packing of a game.
    #[must_use]
    pub fn new(info: &GameInfo) -> Packing {
        let codes = info.pieces.iter().flat_map(|piece| piece.codes).map(|code| code.0).max().unwrap_or(0);
        let mut slots = Vec::new();
        let used = |field: usize| info.geometry.is_used(field as Field);
        for index in (0..info.geometry.fields()).filter(|&field| used(field)) {
            slots.push(Slot { index, low: 0, silent_below: 0, bits: bits(i64::from(codes)), first: 0 });
        }
        for property in info.properties.iter().filter(|property| property.kind != PropertyKind::Move) {
            let (low, silent_below) = (property.low, property.silent_below.unwrap_or(property.low));
            for offset in 0..info.slots_of(property) {
                if property.kind == PropertyKind::Field && !used(offset) {
                    continue;
                }
                let bits = bits(property.high - low);
                slots.push(Slot { index: property.slot + offset, low, silent_below, bits, first: 0 });
            }
        }
        let has_turn = info.players == 2;
        let mut total = usize::from(has_turn);
        let mut numbers = vec![None; info.stored_slots()];
        for (number, slot) in slots.iter_mut().enumerate() {
            numbers[slot.index] = Some(number);
            slot.first = total;
            total += slot.bits as usize;
        }
        Packing { slots, has_turn, bytes: total.div_ceil(8).max(1), numbers }
    }

    /// The size of a packed position.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Packs a position into a record.
    pub fn pack(&self, position: &Position, record: &mut [u8]) {
        record.fill(0);
        let mut at = 0;
        if self.has_turn {
            put(record, &mut at, position.mover().index() as u64, 1);
        }
        for slot in &self.slots {
            let value = i64::from(position.get(slot.index));
            let value = if value < slot.silent_below { slot.low } else { value };
            put(record, &mut at, (value - slot.low) as u64, slot.bits);
        }
    }

    /// The record of the position after a move, from that before it.
    pub fn after(&self, before: &[u8], played: MoveView<'_>, record: &mut [u8]) {
        record.copy_from_slice(before);
        if self.has_turn {
            record[0] ^= 1;
        }
        for change in played.changes {
            let Some(number) = self.numbers.get(change.slot()).copied().flatten() else { continue };
            let slot = &self.slots[number];
            let value = i64::from(change.new());
            let value = if value < slot.silent_below { slot.low } else { value };
            for bit in slot.first..slot.first + slot.bits as usize {
                record[bit / 8] &= !(1 << (bit % 8));
            }
            put(record, &mut { slot.first }, (value - slot.low) as u64, slot.bits);
        }
    }

    /// The position in a record.
    #[must_use]
    pub fn unpack(&self, info: &GameInfo, record: &[u8]) -> Position {
        let mut position = Position::empty(info);
        let mut at = 0;
        if self.has_turn {
            position.set_mover(Colour::BOTH[take(record, &mut at, 1) as usize]);
        }
        for slot in &self.slots {
            let value = take(record, &mut at, slot.bits) as i64 + slot.low;
            if slot.index < info.geometry.fields() {
                position.put(info, slot.index as Field, PieceCode(value as u8));
            } else if value != slot.low {
                position.set(info, slot.index, value as i32);
            }
        }
        position
    }
}

/// Bits for values from 0 to this one.
fn bits(greatest: i64) -> u32 {
    64 - (greatest.max(0) as u64).leading_zeros()
}

fn put(record: &mut [u8], at: &mut usize, value: u64, bits: u32) {
    for bit in 0..bits as usize {
        record[(*at + bit) / 8] |= ((value >> bit & 1) as u8) << ((*at + bit) % 8);
    }
    *at += bits as usize;
}

fn take(record: &[u8], at: &mut usize, bits: u32) -> u64 {
    let mut value = 0;
    for bit in 0..bits as usize {
        value |= u64::from(record[(*at + bit) / 8] >> ((*at + bit) % 8) & 1) << bit;
    }
    *at += bits as usize;
    value
}
