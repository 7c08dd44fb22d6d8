//! Positions as bytes, to be kept in files and sent to others: the player to move, one byte a field, and for every
//! stored property as many bytes as its range needs. All positions of a game have the same size, and nothing is lost:
//! the position that is read has the signature and the future of the one that was written.

use crate::info::{GameInfo, PieceCode, PropertyInfo, PropertyKind};
use crate::outcome::Colour;
use crate::position::Position;

/// The bytes that a position takes.
#[must_use]
pub fn size(info: &GameInfo) -> usize {
    let properties = stored(info).map(|property| info.slots_of(property) * width(property));
    1 + info.geometry.fields() + properties.sum::<usize>()
}

/// Appends a position.
pub fn write(info: &GameInfo, position: &Position, into: &mut Vec<u8>) {
    into.push(position.mover().index() as u8);
    into.extend(position.fields().iter().map(|&code| code as u8));
    for property in stored(info) {
        for slot in property.slot..property.slot + info.slots_of(property) {
            put(property, position.get(slot), into);
        }
    }
}

/// Appends the value of a property, as [`write()`] does.
pub fn put(property: &PropertyInfo, value: i32, into: &mut Vec<u8>) {
    let offset = (i64::from(value) - property.low) as u64;
    into.extend_from_slice(&offset.to_le_bytes()[..width(property)]);
}

/// The position that these bytes stand for; `None` if they are not those of a position of this game.
#[must_use]
pub fn read(info: &GameInfo, bytes: &[u8]) -> Option<Position> {
    if bytes.len() != size(info) {
        return None;
    }
    let fields = info.geometry.fields();
    let mut position = Position::empty(info);
    let mover = *Colour::BOTH.get(usize::from(bytes[0]))?;
    if info.players < 2 && mover != Colour::White {
        return None;
    }
    for (field, &code) in bytes[1..=fields].iter().enumerate() {
        let code = PieceCode(code);
        let is_known = match info.geometry.used()[field] {
            true => code == PieceCode::EMPTY || info.piece(code).is_some(),
            false => code == PieceCode::UNUSED,
        };
        if !is_known {
            return None;
        }
        position.put(info, field as u16, code);
    }
    position.set_mover(mover);
    let mut rest = &bytes[1 + fields..];
    for property in stored(info) {
        for slot in property.slot..property.slot + info.slots_of(property) {
            let (own, others) = rest.split_at(width(property));
            let mut offset = [0; 8];
            offset[..own.len()].copy_from_slice(own);
            let value = property.low.checked_add(i64::from_le_bytes(offset))?;
            if value > property.high {
                return None;
            }
            position.set(info, slot, value as i32);
            rest = others;
        }
    }
    Some(position)
}

fn stored(info: &GameInfo) -> impl Iterator<Item = &PropertyInfo> {
    info.properties.iter().filter(|property| property.kind != PropertyKind::Move)
}

/// Bytes for one value of a property.
fn width(property: &PropertyInfo) -> usize {
    match (property.high - property.low).max(0) as u64 {
        0..=0xff => 1,
        0x100..=0xffff => 2,
        0x1_0000..=0xff_ffff => 3,
        _ => 4,
    }
}
