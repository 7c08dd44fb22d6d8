//! What is said about a position beside its rows: who is to move, properties, the number of the move, the result.
//!
//! The same things are lines of the text of rows (`white checks = 2`) and words at the end of a line of the players'
//! notation (`checks=2,0`).

use crate::info::{GameInfo, PropertyInfo, PropertyKind};
use crate::outcome::{Colour, Outcome};
use crate::position::Position;
use crate::text::{PositionError, error};

/// The name under which a finished game says how it ended, unless a property is called so.
pub(crate) const RESULT: &str = "result";
/// The name under which the number of the move is said; no property can be called so.
const NUMBER: &str = "move";

/// What can be understood only when all else has been read.
#[derive(Default)]
pub(crate) struct Remarks {
    result: Option<String>,
}

impl Remarks {
    /// Reads `white to move` or `name = value`; false when the line is neither.
    pub(crate) fn read(
        &mut self,
        info: &GameInfo,
        line: &str,
        position: &mut Position,
    ) -> Result<bool, PositionError> {
        let words: Vec<&str> = line.split_whitespace().collect();
        if let [colour, "to", "move"] = words[..] {
            let Some(colour) = parse_colour(colour) else {
                return error(format!("`{line}`: who is to move?"));
            };
            if info.players < 2 && colour == Colour::Black {
                return error("this game has one player: `black to move` cannot be");
            }
            position.set_mover(colour);
            return Ok(true);
        }
        let Some((left, right)) = line.split_once('=') else { return Ok(false) };
        let (colour, name) = match left.split_whitespace().collect::<Vec<_>>()[..] {
            [name] => (None, name),
            [colour, name] if parse_colour(colour).is_some() => (parse_colour(colour), name),
            _ => return Ok(false),
        };
        let right = right.trim();
        match (info.property(name), name) {
            (Some(property), _) => set_property(info, property, colour, right, position)?,
            (None, RESULT) => self.result = Some(right.to_owned()),
            (None, NUMBER) => match right.parse() {
                Ok(number) => position.set_number(number),
                Err(_) => return error(format!("`{right}` is not the number of a move")),
            },
            _ if info.code_of_character('=').is_some() => return Ok(false),
            _ => return error(format!("`{name}` is no property of this game{}", properties_in_words(info))),
        }
        Ok(true)
    }

    /// Says how the game ended, now that it is known who is to move.
    pub(crate) fn apply(&self, info: &GameInfo, position: &mut Position) -> Result<(), PositionError> {
        let Some(text) = &self.result else { return Ok(()) };
        let white = match (text.as_str(), text.parse::<i32>()) {
            ("1-0", _) if info.players == 2 => Outcome::Win,
            ("0-1", _) if info.players == 2 => Outcome::Loss,
            ("1/2-1/2", _) if info.players == 2 => Outcome::Draw,
            ("solved", _) if info.players < 2 => Outcome::Win,
            ("drawn", _) if info.players < 2 => Outcome::Draw,
            ("lost", _) if info.players < 2 => Outcome::Loss,
            (_, Ok(points)) if points.abs() <= Outcome::SCORE_MAX => Outcome::Score(points),
            _ => {
                let known = if info.players == 2 { "`1-0`, `0-1`, `1/2-1/2`" } else { "`solved`, `lost`" };
                return error(format!(
                    "`{text}` is no result: write {known}, or white's points such as `+12`"
                ));
            }
        };
        position.set_outcome(Some(seen_by(position.mover(), white)));
        Ok(())
    }
}

/// White's outcome as a player sees it, and the other way round.
fn seen_by(player: Colour, outcome: Outcome) -> Outcome {
    if player == Colour::Black { outcome.reversed() } else { outcome }
}

/// How a game ended, in the words that [`Remarks::apply`] understands.
pub(crate) fn result(info: &GameInfo, position: &Position, outcome: Outcome) -> String {
    match (seen_by(position.mover(), outcome), info.players) {
        (Outcome::Score(points), _) => format!("{points:+}"),
        (Outcome::Win, 2) => "1-0".to_owned(),
        (Outcome::Loss, 2) => "0-1".to_owned(),
        (Outcome::Draw, 2) => "1/2-1/2".to_owned(),
        (Outcome::Win, _) => "solved".to_owned(),
        (Outcome::Loss, _) => "lost".to_owned(),
        (Outcome::Draw, _) => "drawn".to_owned(),
    }
}

fn set_property(
    info: &GameInfo,
    property: &PropertyInfo,
    colour: Option<Colour>,
    text: &str,
    position: &mut Position,
) -> Result<(), PositionError> {
    let (name, slot) = (&property.name, property.slot);
    match (property.kind, colour) {
        (PropertyKind::Board, None) => position.set(info, slot, parse_value(property, text)?),
        (PropertyKind::Player, Some(colour)) => {
            position.set(info, slot + colour.index(), parse_value(property, text)?);
        }
        (PropertyKind::Player, None) => match text.split_once(',') {
            Some((white, black)) => {
                position.set(info, slot, parse_value(property, white.trim())?);
                position.set(info, slot + 1, parse_value(property, black.trim())?);
            }
            None if info.players < 2 => position.set(info, slot, parse_value(property, text)?),
            None => {
                return error(format!(
                    "`{name}` belongs to a player: write `white {name} = …` or `black {name} = …`, or both values: \
                     `{name} = 1, 0`"
                ));
            }
        },
        (PropertyKind::Field, None) => set_of_fields(info, property, text, position)?,
        (PropertyKind::Board | PropertyKind::Field, Some(colour)) => {
            return error(format!("`{name}` does not belong to a player: write it without `{colour}`"));
        }
        (PropertyKind::Move, _) => {
            return error(format!("`{name}` lives only during a move and is no part of a position"));
        }
    }
    Ok(())
}

/// One value for all fields, or all of them in reading order.
fn set_of_fields(
    info: &GameInfo,
    property: &PropertyInfo,
    text: &str,
    position: &mut Position,
) -> Result<(), PositionError> {
    let is_between = |character: char| matches!(character, '/' | ',') || character.is_whitespace();
    let values: Vec<&str> = text.split(is_between).filter(|value| !value.is_empty()).collect();
    let one_for_all = values.len() == 1;
    if !one_for_all && values.len() != info.geometry.fields() {
        return error(format!(
            "`{}` has {} values: give one for all fields, or {} in reading order",
            property.name,
            values.len(),
            info.geometry.fields()
        ));
    }
    for (index, field) in info.geometry.reading_order().enumerate() {
        if info.geometry.is_used(field) {
            let value = parse_value(property, values[if one_for_all { 0 } else { index }])?;
            position.set(info, property.slot + field as usize, value);
        }
    }
    Ok(())
}

fn parse_value(property: &PropertyInfo, text: &str) -> Result<i32, PositionError> {
    match text.parse::<i64>() {
        Ok(value) if (property.low..=property.high).contains(&value) => Ok(value as i32),
        Ok(value) => error(format!(
            "{value} is out of range for `{}`, which goes from {} to {}",
            property.name, property.low, property.high
        )),
        Err(_) => error(format!("`{text}` is no number for `{}`", property.name)),
    }
}

fn parse_colour(word: &str) -> Option<Colour> {
    Colour::BOTH.into_iter().find(|colour| colour.to_string() == word)
}

fn properties_in_words(info: &GameInfo) -> String {
    let stored = info.properties.iter().filter(|property| property.kind != PropertyKind::Move);
    let names: Vec<String> = stored.map(|property| format!("`{}`", property.name)).collect();
    if names.is_empty() { ": it has none".to_owned() } else { format!(": it has {}", names.join(", ")) }
}

/// A property as one word: `name=3`, `name=2,0` for white and black, `name=4,0/0,1` for fields.
pub(crate) fn word(info: &GameInfo, property: &PropertyInfo, position: &Position) -> String {
    let value = match property.kind {
        PropertyKind::Player => {
            format!("{},{}", position.get(property.slot), position.get(property.slot + 1))
        }
        PropertyKind::Field => values_of_fields(info, property, position, ",", "/"),
        PropertyKind::Board | PropertyKind::Move => position.get(property.slot).to_string(),
    };
    format!("{}={value}", property.name)
}

/// Lines that follow the rows: the properties that are not at their low end, the number of the move, the result.
pub(crate) fn write(info: &GameInfo, position: &Position, text: &mut String) {
    for property in &info.properties {
        write_property(info, property, position, text);
    }
    if info.notation.counts_moves() && position.number() != 1 {
        text.push_str(&format!("{NUMBER} = {}\n", position.number()));
    }
    if let Some(outcome) = position.outcome() {
        text.push_str(&format!("{RESULT} = {}\n", result(info, position, outcome)));
    }
}

fn write_property(info: &GameInfo, property: &PropertyInfo, position: &Position, text: &mut String) {
    let name = &property.name;
    let differs = |slot: usize| i64::from(position.get(slot)) != property.low;
    match property.kind {
        PropertyKind::Board if differs(property.slot) => {
            text.push_str(&format!("{name} = {}\n", position.get(property.slot)));
        }
        PropertyKind::Player => {
            for colour in Colour::BOTH.into_iter().filter(|colour| differs(property.slot + colour.index())) {
                text.push_str(&format!(
                    "{colour} {name} = {}\n",
                    position.get(property.slot + colour.index())
                ));
            }
        }
        PropertyKind::Field if (0..info.geometry.fields()).any(|field| differs(property.slot + field)) => {
            let values = values_of_fields(info, property, position, " ", " / ");
            text.push_str(&format!("{name} = {values}\n"));
        }
        PropertyKind::Board | PropertyKind::Field | PropertyKind::Move => {}
    }
}

/// All values in reading order, `-` for fields that are not used.
fn values_of_fields(
    info: &GameInfo,
    property: &PropertyInfo,
    position: &Position,
    between_fields: &str,
    between_rows: &str,
) -> String {
    let rows = (1..=info.geometry.rows() as i64).rev().map(|row| {
        let fields = (1..=info.geometry.columns() as i64)
            .filter_map(|column| info.geometry.at(column, row))
            .map(|field| match info.geometry.is_used(field) {
                true => position.get(property.slot + field as usize).to_string(),
                false => "-".to_owned(),
            });
        fields.collect::<Vec<_>>().join(between_fields)
    });
    rows.collect::<Vec<_>>().join(between_rows)
}
