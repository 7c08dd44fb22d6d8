//! What processors say to each other.

use super::grain::Dives;
use super::termination::Tally;
use crate::wire::{Reader, Writer};

/// What an iteration looks for.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Aim {
    /// Solutions of so many moves.
    pub(super) limit: u32,
    /// States with so many moves left are searched to the end by the processor that has them.
    pub(super) grain: u32,
}

impl Aim {
    const HALF: u32 = 16;

    /// Both are far below 65,536.
    fn to_word(self) -> u32 {
        self.limit | self.grain << Self::HALF
    }

    fn of_word(word: u32) -> Aim {
        Aim { limit: word & ((1 << Self::HALF) - 1), grain: word >> Self::HALF }
    }
}

/// A message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Message<'bytes> {
    /// States of this iteration; who does not know of it yet begins it.
    States {
        iteration: u32,
        aim: Aim,
        records: &'bytes [u8],
    },
    /// States of this iteration that their homes have looked up already: the receiver works on them.
    Gift {
        iteration: u32,
        aim: Aim,
        records: &'bytes [u8],
    },
    /// Begin an iteration.
    Begin {
        iteration: u32,
        aim: Aim,
    },
    /// Tell what you have counted, when you have nothing to do.
    Ask {
        wave: u32,
    },
    /// What the processors below me and I have counted.
    Tell {
        wave: u32,
        tally: Tally,
    },
    /// A solution.
    Found {
        path: Vec<u16>,
    },
    /// It is over.
    End,
    /// How full my stack is: one that is less full than another pauses.
    Level(u8),
    /// I have nothing to do: give me some of your states; and: I have none.
    Request,
    Nothing,
}

/// Bytes before the records of a message.
pub(super) const HEAD: usize = 9;

const STATES: u8 = 0;
const GIFT: u8 = 9;

/// The head of a message with states.
pub(super) fn head(iteration: u32, aim: Aim) -> [u8; HEAD] {
    let mut head = [STATES; HEAD];
    head[1..5].copy_from_slice(&iteration.to_le_bytes());
    head[5..9].copy_from_slice(&aim.to_word().to_le_bytes());
    head
}

/// The head of a message with states that need not be looked up any more.
pub(super) fn gift_head(iteration: u32, aim: Aim) -> [u8; HEAD] {
    let mut head = head(iteration, aim);
    head[0] = GIFT;
    head
}

impl<'bytes> Message<'bytes> {
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut writer = Writer::default();
        match self {
            Message::States { iteration, aim, records } => {
                writer.0.extend_from_slice(&head(*iteration, *aim));
                writer.0.extend_from_slice(records);
            }
            Message::Gift { iteration, aim, records } => {
                writer.0.extend_from_slice(&gift_head(*iteration, *aim));
                writer.0.extend_from_slice(records);
            }
            Message::Begin { iteration, aim } => {
                writer.byte(1);
                writer.count(*iteration as usize);
                writer.count(aim.to_word() as usize);
            }
            Message::Ask { wave } => {
                writer.byte(2);
                writer.count(*wave as usize);
            }
            Message::Tell { wave, tally } => {
                writer.byte(3);
                writer.count(*wave as usize);
                writer.word(tally.sent);
                writer.word(tally.received);
                writer.count(tally.next as usize);
                writer.word(tally.nodes);
                // Where there are none, none are asked for.
                if tally.dives.count > 0 {
                    writer.word(tally.dives.count);
                    writer.word(tally.dives.nodes);
                }
            }
            Message::Found { path } => {
                writer.byte(4);
                writer.list(path, |writer, step| writer.count(usize::from(*step)));
            }
            Message::End => writer.byte(5),
            Message::Level(level) => {
                writer.byte(6);
                writer.byte(*level);
            }
            Message::Request => writer.byte(7),
            Message::Nothing => writer.byte(8),
        }
        writer.0
    }

    /// The message that travelled; `None` if it is none of ours.
    pub(super) fn from_bytes(bytes: &'bytes [u8]) -> Option<Message<'bytes>> {
        let mut reader = Reader(bytes);
        let number = |reader: &mut Reader<'_>| reader.count().map(|number| number as u32);
        let aim = |reader: &mut Reader<'_>| number(reader).map(Aim::of_word);
        Some(match reader.byte()? {
            STATES => {
                let (iteration, aim) = (number(&mut reader)?, aim(&mut reader)?);
                Message::States { iteration, aim, records: reader.0 }
            }
            GIFT => {
                let (iteration, aim) = (number(&mut reader)?, aim(&mut reader)?);
                Message::Gift { iteration, aim, records: reader.0 }
            }
            1 => Message::Begin { iteration: number(&mut reader)?, aim: aim(&mut reader)? },
            2 => Message::Ask { wave: number(&mut reader)? },
            3 => {
                let wave = number(&mut reader)?;
                let (sent, received) = (reader.word()?, reader.word()?);
                let (next, nodes) = (number(&mut reader)?, reader.word()?);
                let dives = match reader.0.is_empty() {
                    true => Dives::default(),
                    false => Dives { count: reader.word()?, nodes: reader.word()? },
                };
                Message::Tell { wave, tally: Tally { sent, received, next, nodes, dives } }
            }
            4 => Message::Found { path: reader.list(|reader| reader.count().map(|step| step as u16))? },
            5 => Message::End,
            6 => Message::Level(reader.byte()?),
            7 => Message::Request,
            8 => Message::Nothing,
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_arrive_as_they_were_sent() {
        let dives = Dives { count: 3, nodes: 1 << 35 };
        let tally = Tally { sent: 1, received: 2, next: u32::MAX, nodes: 1 << 40, dives };
        let plain = Tally { dives: Dives::default(), ..tally };
        let messages = [
            Message::States { iteration: 3, aim: Aim { limit: 66, grain: 37 }, records: &[1, 2, 3] },
            Message::Gift { iteration: 3, aim: Aim { limit: 66, grain: 37 }, records: &[4] },
            Message::Begin { iteration: 4, aim: Aim { limit: 70, grain: 0 } },
            Message::Ask { wave: 9 },
            Message::Tell { wave: 9, tally },
            Message::Tell { wave: 10, tally: plain },
            Message::Found { path: vec![0, 17, 3] },
            Message::End,
            Message::Level(3),
            Message::Request,
            Message::Nothing,
        ];
        for message in messages {
            assert_eq!(Message::from_bytes(&message.to_bytes()).as_ref(), Some(&message));
        }
        assert_eq!(Message::from_bytes(&[]), None);
        assert_eq!(Message::from_bytes(&[77]), None);
        assert_eq!(Message::from_bytes(&[3, 1]), None);
    }
}
